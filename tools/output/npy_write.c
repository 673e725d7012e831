/* output/npy_write.c: writes .npy files, a block of rows at a time, for all that answers in arrays.
 */
#include "tools/cli/report.h"
#include "tools/output/npy.h"

#include <sightline/points.h>

#include <assert.h>
#include <inttypes.h>
#include <string.h>

/* Rows are written as they lie in memory. */
static_assert(sizeof(sl_hit) == 24, "the structured type says 24 bytes");
static_assert(sizeof(sl_hit_d) == 32, "the structured type says 32 bytes");
static_assert(sizeof(sl_triangle_ref) == 8, "the structured type says 8 bytes");
static_assert(sizeof(sl_nearest) == 36, "the structured type says 36 bytes");
static_assert(sizeof(sl_nearest_d) == 48, "the structured type says 48 bytes");
static_assert(sizeof(sl_inside) == 24, "the structured type says 24 bytes");
static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the types say little-endian");

static const struct {
    const char *descr;
    size_t size, header; /* bytes; of the header a multiple of 64 */
} types[] = {
    [NPY_OUT_HITS] = { "[('t', '<f4'), ('u', '<f4'), ('v', '<f4'), ('prim', '<u4'), "
                       "('instance', '<u4'), ('flags', '<u4')]",
                       24, 192 },
    [NPY_OUT_HITS_D] = { "[('t', '<f8'), ('u', '<f4'), ('v', '<f4'), ('prim', '<u4'), "
                         "('instance', '<u4'), ('flags', '<u4'), ('', '|V4')]",
                         32, 256 },
    [NPY_OUT_REFS] = { "[('instance', '<u4'), ('prim', '<u4')]", 8, 192 },
    [NPY_OUT_SELECTED] = { "[('instance', '<u4'), ('number', '<u4')]", 8, 192 },
    [NPY_OUT_NEAREST] = { "[('distance', '<f4'), ('u', '<f4'), ('v', '<f4'), ('prim', '<u4'), "
                          "('instance', '<u4'), ('flags', '<u4'), ('point', '<f4', (3,))]",
                          36, 256 },
    [NPY_OUT_NEAREST_D] = { "[('distance', '<f4'), ('u', '<f4'), ('v', '<f4'), ('prim', '<u4'), "
                            "('instance', '<u4'), ('flags', '<u4'), ('point', '<f8', (3,))]",
                            48, 256 },
    [NPY_OUT_INSIDE] = { "[('crossings', '<u8'), ('winding', '<f8'), ('inside', '|b1'), "
                         "('by_parity', '|b1'), ('by_winding', '|b1'), ('differ', '|b1'), "
                         "('on_surface', '|b1'), ('', '|V3')]",
                         24, 320 },
    [NPY_OUT_CONTACTS] = { "[('t', '<f8'), ('t_safe', '<f8'), ('prim', '<u4'), ('instance', "
                           "'<u4'), "
                           "('start', '<u4'), ('flags', '<u4'), ('point', '<f8', (3,)), "
                           "('normal', '<f8', (3,))]",
                           80, 320 },
    [NPY_OUT_B1] = { "'|b1'", 1, 192 },
    [NPY_OUT_U1] = { "'|u1'", 1, 192 },
    [NPY_OUT_U4] = { "'<u4'", 4, 192 },
    [NPY_OUT_U8] = { "'<u8'", 8, 192 },
    [NPY_OUT_F4] = { "'<f4'", 4, 192 },
};

size_t npy_header_make(char header[NPY_HEADER_MAX], size_t least, const char *descr,
                       const char *shape)
{
    enum { BEFORE = 10, ALIGN = 64 }; /* magic, version and length; where the data begins */
    memset(header, ' ', NPY_HEADER_MAX);
    memcpy(header, "\x93NUMPY\x01\x00", 8);
    const int used = snprintf(header + BEFORE, NPY_HEADER_MAX - BEFORE,
                              "{'descr': %s, 'fortran_order': False, 'shape': %s, }", descr, shape);
    const size_t needed = (BEFORE + (size_t)used + 1 + ALIGN - 1) / ALIGN * ALIGN;
    const size_t size = needed > least ? needed : least;
    header[8] = (char)((size - BEFORE) & 0xFF);
    header[9] = (char)((size - BEFORE) >> 8);
    header[BEFORE + used] = ' ';
    header[size - 1] = '\n';
    return size;
}

/* Always of one size, so that it can be written anew when the rows are known. */
static void write_header(npy_out *out, uint64_t rows)
{
    char shape[64];
    if (out->columns == 0) {
        snprintf(shape, sizeof shape, "(%" PRIu64 ",)", rows);
    } else {
        snprintf(shape, sizeof shape, "(%" PRIu64 ", %" PRIu64 ")", rows,
                 out->columns != NPY_NO_COLUMNS ? out->columns : 0);
    }
    char header[NPY_HEADER_MAX];
    const size_t size =
        npy_header_make(header, types[out->type].header, types[out->type].descr, shape);
    fwrite(header, 1, size, out->file.stream);
}

int npy_out_open(npy_out *out, const char *path, npy_out_type type, uint64_t columns, uint64_t rows)
{
    *out = (npy_out){ .type = type, .columns = columns, .promised = rows };
    const int status = out_file_open(&out->file, path);
    if (status != EXIT_DONE) {
        return status;
    }
    if (rows == NPY_ROWS_UNKNOWN && out->file.temporary == NULL) {
        out_file_discard(&out->file);
        return report_failure(
            path != NULL ? path : "stdout",
            ".npy cannot be streamed to it, as its first line holds the number of "
            "rows; name a file with -o");
    }
    write_header(out, rows);
    return EXIT_DONE;
}

const char *npy_out_descr(npy_out_type type)
{
    return types[type].descr;
}

bool npy_out_find(const char *descr, size_t size, npy_out_type *type)
{
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (strlen(types[i].descr) == size && memcmp(types[i].descr, descr, size) == 0) {
            *type = (npy_out_type)i;
            return true;
        }
    }
    return false;
}

size_t npy_out_row_size(const npy_out *out)
{
    if (out->columns == NPY_NO_COLUMNS) {
        return 0;
    }
    return types[out->type].size * (out->columns > 0 ? (size_t)out->columns : 1);
}

bool npy_out_write(npy_out *out, const void *rows, size_t count)
{
    out->rows += count;
    const size_t size = npy_out_row_size(out);
    return size == 0 || fwrite(rows, size, count, out->file.stream) == count;
}

int npy_out_close(npy_out *out)
{
    if (!out->file.lent && out->rows != out->promised &&
        fseek(out->file.stream, 0, SEEK_SET) == 0) {
        write_header(out, out->rows);
    }
    return out_file_close(&out->file);
}

void npy_out_discard(npy_out *out)
{
    out_file_discard(&out->file);
}
