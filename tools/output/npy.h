/* output/npy.h: NumPy's .npy files: arrays of numbers in, arrays and hits out, a block at a time.
 *
 * Read are versions 1 to 3, C order, little-endian, one or two dimensions, of float32, float64,
 * int32, int64, uint32, uint64, uint8 or bool.  Written are version 1 files.
 * Source   NumPy Enhancement Proposal 1, A Simple File Format for NumPy Arrays. */
#pragma once

#include "tools/output/file.h"

#include <sightline/intersect.h>

typedef enum npy_type {
    NPY_F4,
    NPY_F8,
    NPY_I4,
    NPY_I8,
    NPY_U4,
    NPY_U8,
    NPY_U1,
    NPY_B1,
    NPY_TYPE_COUNT
} npy_type;

typedef struct npy_in {
    FILE *stream;
    const char *name; /* for errors */
    npy_type type;
    uint64_t rows, columns; /* columns 1 where there is one dimension */
    uint64_t row;           /* the next one to be read */
} npy_in;

/* Reads the header from an open stream (which stays the caller's).  EXIT_DONE, or the status of the
 * error that was reported. */
int npy_in_open(npy_in *in, FILE *stream, const char *name);

/* Reads up to capacity rows, as floats or doubles (rounded to nearest) or as unsigned (a
 * negative or too large number is bad input that names the row); *count is 0 at the end.  What
 * follows the last row is bad input. */
int npy_in_floats(npy_in *in, float *to, size_t capacity, size_t *count);
int npy_in_doubles(npy_in *in, double *to, size_t capacity, size_t *count);
int npy_in_u32(npy_in *in, uint32_t *to, size_t capacity, size_t *count);

size_t npy_in_row_size(const npy_in *in); /* bytes; 1 where a row has no columns */

/* Whole files: to a block from malloc that grows with what is really there.  columns is the
 * number expected: another shape is bad input. */
int npy_load_floats(const char *path, uint64_t columns, float **to, size_t *rows);
int npy_load_u32(const char *path, uint64_t columns, uint32_t **to, size_t *rows);

typedef enum npy_out_type {
    NPY_OUT_HITS,      /* structured: t, u, v float32; prim, instance, flags uint32 */
    NPY_OUT_HITS_D,    /* the same with t float64, and four bytes of padding */
    NPY_OUT_REFS,      /* structured: instance, prim uint32 */
    NPY_OUT_SELECTED,  /* structured: instance, number uint32 */
    NPY_OUT_NEAREST,   /* structured: distance, u, v; prim, instance, flags; point, three float32 */
    NPY_OUT_NEAREST_D, /* the same with the point as three float64 */
    NPY_OUT_INSIDE, /* structured: crossings uint64; winding float64; five bools; 3 bytes of padding
                     */
    NPY_OUT_CONTACTS, /* structured: t, t_safe float64; prim, instance, start, flags uint32; point
                       * and normal, three float64 each */
    NPY_OUT_B1,       /* bool */
    NPY_OUT_U1,
    NPY_OUT_U4,
    NPY_OUT_U8,
    NPY_OUT_F4
} npy_out_type;

/* The number of rows is filled in at the end, so that writing streams; to a pipe it cannot be, and
 * rows must then be known before. */
typedef struct npy_out {
    out_file file;
    npy_out_type type;
    uint64_t columns; /* 0: one dimension */
    uint64_t rows;    /* written so far */
    uint64_t promised;
} npy_out;

enum { NPY_ROWS_UNKNOWN = 0 };

/* As columns: two dimensions, and rows of no column at all. */
#define NPY_NO_COLUMNS UINT32_MAX

/* What a file begins with; its size, which is a multiple of 64 and at least `least`.  shape:
 * "(3,)". */
enum { NPY_HEADER_MAX = 512 };
size_t npy_header_make(char header[NPY_HEADER_MAX], size_t least, const char *descr,
                       const char *shape);

/* path NULL or "-": stdout.  rows: how many will come, or NPY_ROWS_UNKNOWN, which a pipe refuses.
 */
int npy_out_open(npy_out *out, const char *path, npy_out_type type, uint64_t columns,
                 uint64_t rows);

/* How a header of .npy describes a row. */
const char *npy_out_descr(npy_out_type type);

/* The type whose rows are described so in a header of .npy.  False where there is none. */
bool npy_out_find(const char *descr, size_t size, npy_out_type *type);

/* Rows as they lie in memory.  False when writing has failed; npy_out_close says why. */
bool npy_out_write(npy_out *out, const void *rows, size_t count);

size_t npy_out_row_size(const npy_out *out); /* bytes; 0 where there are no columns */

int npy_out_close(npy_out *out);
void npy_out_discard(npy_out *out); /* a zeroed or closed one is fine */

/* Whether a name asks for this format: it ends in ".npy". */
bool npy_is_name(const char *path);
