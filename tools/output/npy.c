/* output/npy.c: reads .npy files, whole or a block of rows at a time; output/npy_write.c writes
 * them. */
#include "tools/output/npy.h"

#include "tools/cli/report.h"
#include "tools/output/bytes.h"
#include "tools/output/file_conflicts.h"
#include "tools/output/file_name.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { HEADER_MAX = 4096, BLOCK = 4096 };

static const struct {
    const char *descr;
    size_t size;
} types[NPY_TYPE_COUNT] = {
    [NPY_F4] = { "<f4", 4 }, [NPY_F8] = { "<f8", 8 }, [NPY_I4] = { "<i4", 4 },
    [NPY_I8] = { "<i8", 8 }, [NPY_U4] = { "<u4", 4 }, [NPY_U8] = { "<u8", 8 },
    [NPY_U1] = { "|u1", 1 }, [NPY_B1] = { "|b1", 1 },
};

static const char magic[6] = { '\x93', 'N', 'U', 'M', 'P', 'Y' };

bool npy_is_name(const char *path)
{
    return file_name_ends(path, ".npy");
}

static int report_short(const npy_in *in, const char *what)
{
    if (ferror(in->stream)) {
        return report_failure(in->name, "reading failed: %s; check the file and the disk",
                              report_why(errno));
    }
    return report_input(in->name, 0, "the file ends within its %s; copy it again", what);
}

/* The value of a key in the header, a Python dictionary: what follows "'key':" and blanks. */
static const char *find_key(const char *header, const char *key)
{
    char quoted[32];
    snprintf(quoted, sizeof quoted, "'%s'", key);
    const char *at = strstr(header, quoted);
    if (at == NULL) {
        return NULL;
    }
    at += strlen(quoted);
    at += strspn(at, " ");
    if (*at != ':') {
        return NULL;
    }
    at++;
    return at + strspn(at, " ");
}

static int parse_type(npy_in *in, const char *header)
{
    const char *at = find_key(header, "descr");
    for (int type = 0; at != NULL && *at == '\'' && type < NPY_TYPE_COUNT; type++) {
        const size_t size = strlen(types[type].descr);
        if (strncmp(at + 1, types[type].descr, size) == 0 && at[1 + size] == '\'') {
            in->type = (npy_type)type;
            return EXIT_DONE;
        }
    }
    at = at != NULL ? at : "not told";
    return report_input(in->name, 0,
                        "the array's type is %.*s; save it as little-endian float32, float64, "
                        "int32, int64, uint32, uint64, uint8 or bool",
                        (int)strcspn(at, ",}"), at);
}

static int check_order(const npy_in *in, const char *header)
{
    const char *at = find_key(header, "fortran_order");
    if (at != NULL && strncmp(at, "False", 5) == 0) {
        return EXIT_DONE;
    }
    return at == NULL
               ? report_input(in->name, 0, "the array's order is not told; save it anew")
               : report_input(in->name, 0,
                              "the array is in Fortran order; save numpy.ascontiguousarray of it");
}

/* "(5, 6)", "(5,)" or "()". */
static int parse_shape(npy_in *in, const char *header)
{
    const char *at = find_key(header, "shape");
    uint64_t numbers[2] = { 0, 1 };
    int count = 0;
    bool good = at != NULL && *at == '(';
    if (good) {
        at++;
    }
    while (good && *at != ')') {
        char *end;
        errno = 0;
        const unsigned long long number = strtoull(at, &end, 10);
        good = count < 2 && *at >= '0' && *at <= '9' && errno == 0;
        if (good) {
            numbers[count++] = number;
            at = end + strspn(end, " ,");
        }
    }
    if (!good || count == 0) {
        return report_input(in->name, 0,
                            "the array's shape has not one or two dimensions; reshape it to rows "
                            "and columns");
    }
    in->rows = numbers[0];
    in->columns = numbers[1];
    return EXIT_DONE;
}

/* The text of the header, up to HEADER_MAX characters and the final 0. */
static int read_header(npy_in *in, char *header)
{
    unsigned char start[12];
    if (fread(start, 1, 10, in->stream) != 10) {
        return report_short(in, "header");
    }
    if (memcmp(start, magic, sizeof magic) != 0) {
        return report_input(in->name, 0, "this is no .npy file; save it with numpy.save");
    }
    const bool wide = start[6] >= 2;
    if (start[6] < 1 || start[6] > 3) {
        return report_input(in->name, 0, "version %d of .npy is not known; save it as version 1",
                            start[6]);
    }
    if (wide && fread(start + 10, 1, 2, in->stream) != 2) {
        return report_short(in, "header");
    }
    const uint64_t size = bytes_get(start + 8, wide ? 4 : 2);
    if (size > HEADER_MAX) {
        return report_input(in->name, 0,
                            "the header claims %" PRIu64 " bytes, more than %d; save it anew", size,
                            (int)HEADER_MAX);
    }
    if (fread(header, 1, (size_t)size, in->stream) != size) {
        return report_short(in, "header");
    }
    header[size] = '\0';
    return EXIT_DONE;
}

int npy_in_open(npy_in *in, FILE *stream, const char *name)
{
    *in = (npy_in){ .stream = stream, .name = name };
    char header[HEADER_MAX + 1];
    int status = read_header(in, header);
    status = status == EXIT_DONE ? parse_type(in, header) : status;
    status = status == EXIT_DONE ? check_order(in, header) : status;
    status = status == EXIT_DONE ? parse_shape(in, header) : status;
    if (status == EXIT_DONE && in->columns > BLOCK / 8) {
        status = report_input(name, 0, "%" PRIu64 " columns are too many; reshape the array",
                              in->columns);
    }
    return status;
}

size_t npy_in_row_size(const npy_in *in)
{
    const size_t size = types[in->type].size * (size_t)in->columns;
    return size > 0 ? size : 1;
}

/* The next rows as bytes, at most those that fit in BLOCK; *rows 0 at the end. */
static int next_bytes(npy_in *in, unsigned char bytes[BLOCK], size_t capacity, size_t *rows)
{
    const size_t row_size = types[in->type].size * (size_t)in->columns;
    const uint64_t left = in->rows - in->row;
    size_t wanted = row_size > 0 ? BLOCK / row_size : 0;
    wanted = wanted < capacity ? wanted : capacity;
    wanted = (uint64_t)wanted < left ? wanted : (size_t)left;
    if (wanted > 0 && fread(bytes, row_size, wanted, in->stream) != wanted) {
        if (ferror(in->stream)) {
            return report_short(in, "rows");
        }
        return report_input(in->name, 0,
                            "the header promises %" PRIu64 " rows, and the file ends before; copy "
                            "it again",
                            in->rows);
    }
    in->row += wanted;
    *rows = wanted;
    if (in->row == in->rows && wanted == 0 && fgetc(in->stream) != EOF) {
        return report_input(in->name, 0,
                            "there are bytes after the last of %" PRIu64 " rows; keep one array "
                            "in a file",
                            in->rows);
    }
    return EXIT_DONE;
}

static double as_double(npy_type type, const unsigned char *bytes)
{
    const uint64_t bits = bytes_get(bytes, types[type].size);
    const uint32_t low = (uint32_t)bits;
    float single;
    double wide;
    switch (type) {
    case NPY_F4:
        memcpy(&single, &low, sizeof single);
        return (double)single;
    case NPY_F8:
        memcpy(&wide, &bits, sizeof wide);
        return wide;
    case NPY_I4:
        return (double)(int32_t)low;
    case NPY_I8:
        return (double)(int64_t)bits;
    default:
        return (double)bits;
    }
}

/* Rounded once: whole numbers of 64 bits do not become doubles first. */
static float as_float(npy_type type, const unsigned char *bytes)
{
    const uint64_t bits = bytes_get(bytes, types[type].size);
    return type == NPY_I8   ? (float)(int64_t)bits
           : type == NPY_U8 ? (float)bits
                            : (float)as_double(type, bytes);
}

/* False where the number is none of 0 .. 2^32 - 1. */
static bool as_u32(npy_type type, const unsigned char *bytes, uint32_t *out)
{
    const uint64_t bits = bytes_get(bytes, types[type].size);
    *out = (uint32_t)bits;
    if (type == NPY_I4) {
        return bits < UINT64_C(0x80000000);
    }
    return bits <= UINT32_MAX;
}

typedef enum into { INTO_FLOATS, INTO_DOUBLES, INTO_U32 } into;

/* Number i of the block goes to number i of to.  False where it is no uint32_t. */
static bool npy_convert(npy_type type, const unsigned char *bytes, into kind, void *to, size_t i)
{
    if (kind == INTO_U32) {
        return as_u32(type, bytes, (uint32_t *)to + i);
    }
    if (kind == INTO_FLOATS) {
        ((float *)to)[i] = as_float(type, bytes);
    } else {
        ((double *)to)[i] = as_double(type, bytes);
    }
    return true;
}

static int read_rows(npy_in *in, into kind, void *to, size_t capacity, size_t *count)
{
    unsigned char bytes[BLOCK];
    size_t rows = 0;
    *count = 0;
    do {
        const uint64_t first = in->row;
        const int status = next_bytes(in, bytes, capacity - *count, &rows);
        if (status != EXIT_DONE) {
            return status;
        }
        const size_t size = types[in->type].size, before = *count * (size_t)in->columns;
        for (size_t i = 0; i < rows * in->columns; i++) {
            if (!npy_convert(in->type, bytes + i * size, kind, to, before + i)) {
                return report_input(in->name, 0,
                                    "row %" PRIu64 " is negative or too large; mend the array",
                                    first + i / in->columns);
            }
        }
        *count += rows;
    } while (rows > 0 && *count < capacity);
    return EXIT_DONE;
}

int npy_in_floats(npy_in *in, float *to, size_t capacity, size_t *count)
{
    return read_rows(in, INTO_FLOATS, to, capacity, count);
}

int npy_in_doubles(npy_in *in, double *to, size_t capacity, size_t *count)
{
    return read_rows(in, INTO_DOUBLES, to, capacity, count);
}

int npy_in_u32(npy_in *in, uint32_t *to, size_t capacity, size_t *count)
{
    if (in->type == NPY_F4 || in->type == NPY_F8) {
        return report_input(in->name, 0,
                            "the array is of %s, and must be of whole numbers; use astype",
                            in->type == NPY_F4 ? "float32" : "float64");
    }
    return read_rows(in, INTO_U32, to, capacity, count);
}

/* Both element types have 4 bytes, so that one function serves both. */
static int npy_load(const char *path, uint64_t columns, bool floats, void **to, size_t *rows)
{
    *to = NULL;
    *rows = 0;
    const int role = file_conflicts_read(path);
    if (role != EXIT_DONE) {
        return role;
    }
    FILE *stream = fopen(path, "rb");
    if (stream == NULL) {
        const int error = errno;
        return error == ENOENT ? report_input(path, 0, "no such file; check the name")
                               : report_failure(path, "cannot be read: %s; check the permissions",
                                                report_why(error));
    }
    npy_in in;
    int status = npy_in_open(&in, stream, path);
    if (status == EXIT_DONE && in.columns != columns) {
        status = report_input(
            path, 0, "the array has %" PRIu64 " columns, and must have %" PRIu64 "; reshape it",
            in.columns, columns);
    }
    /* The block doubles with what has been read, whatever the header claims. */
    size_t capacity = 0;
    size_t got = status == EXIT_DONE ? 1 : 0;
    while (status == EXIT_DONE && got > 0) {
        if (*rows == capacity) {
            capacity = capacity == 0 ? 1024 : 2 * capacity;
            void *more = capacity <= SIZE_MAX / 8 / columns
                             ? realloc(*to, capacity * (size_t)columns * 4)
                             : NULL;
            if (more == NULL) {
                status = report_memory();
                break;
            }
            *to = more;
        }
        void *place = (char *)*to + *rows * columns * 4;
        status = floats ? npy_in_floats(&in, place, capacity - *rows, &got)
                        : npy_in_u32(&in, place, capacity - *rows, &got);
        *rows += got;
    }
    fclose(stream);
    if (status != EXIT_DONE) {
        free(*to);
        *to = NULL;
        *rows = 0;
    }
    return status;
}

int npy_load_floats(const char *path, uint64_t columns, float **to, size_t *rows)
{
    void *block;
    const int status = npy_load(path, columns, true, &block, rows);
    *to = block;
    return status;
}

int npy_load_u32(const char *path, uint64_t columns, uint32_t **to, size_t *rows)
{
    void *block;
    const int status = npy_load(path, columns, false, &block, rows);
    *to = block;
    return status;
}
