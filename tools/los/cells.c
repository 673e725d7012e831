/* los/cells.c: what --matrix and --viewshed answer, for los/sight.c. */
#include "tools/los/rows.h"

#include "tools/cli/report.h"
#include "tools/output/canvas.h"
#include "tools/output/file_name.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Not seen, seen, and without ground. */
static const uint8_t colours[3][3] = { { 44, 52, 66 }, { 246, 226, 168 }, { 96, 104, 112 } };

static uint64_t columns_of(uint64_t width)
{
    return width > 0 ? width : NPY_NO_COLUMNS;
}

int cells_out_open(cells_out *out, const char *path, npy_out_type type, uint64_t width,
                   uint64_t height)
{
    *out = (cells_out){ .is_npy = npy_is_name(path),
                        .is_png = file_name_ends(path, ".png"),
                        .path = path,
                        .width = width,
                        .height = height };
    if (out->is_npy) {
        return npy_out_open(&out->array, path, type, columns_of(width), height);
    }
    if (out->is_png) {
        if (width == 0 || height == 0 || height > (UINT64_C(1) << 28) / width) {
            return report_failure(path,
                                  "a picture of %" PRIu64 " x %" PRIu64
                                  " pixels cannot be made; 2^28 are possible: write .npy",
                                  width, height);
        }
        out->rgb = malloc((size_t)(width * height) * 3);
        return out->rgb != NULL ? EXIT_DONE : report_memory();
    }
    out->line = malloc((size_t)(2 * width + 1));
    return out->line != NULL ? out_file_open(&out->text, path) : report_memory();
}

int cells_out_open_part(cells_out *out, part_out *part, const char *path, npy_out_type type,
                        uint64_t width)
{
    *out = (cells_out){ .is_npy = npy_is_name(path), .path = path, .width = width };
    if (out->is_npy) {
        return npy_out_open_part(&out->array, part, type, columns_of(width));
    }
    part->format = "csv";
    out->line = malloc((size_t)(2 * width + 1));
    return out->line != NULL ? part_out_file(part, &out->text) : report_memory();
}

bool cells_out_row(cells_out *out, const uint8_t *cells)
{
    const size_t width = (size_t)out->width;
    const uint64_t row = out->row++;
    if (out->is_npy) {
        return npy_out_write(&out->array, cells, 1);
    }
    if (out->is_png) {
        for (size_t i = 0; i < width; i++) {
            memcpy(out->rgb + 3 * (row * width + i), colours[cells[i]], 3);
        }
        return true;
    }
    for (size_t i = 0; i < width; i++) {
        out->line[2 * i] = (char)('0' + cells[i]);
        out->line[2 * i + 1] = ',';
    }
    out->line[width > 0 ? 2 * width - 1 : 0] = '\n';
    const size_t size = width > 0 ? 2 * width : 1;
    return fwrite(out->line, 1, size, out->text.stream) == size;
}

int cells_out_close(cells_out *out)
{
    if (out->is_npy) {
        return npy_out_close(&out->array);
    }
    if (out->is_png) {
        const canvas image = canvas_make(out->rgb, (uint32_t)out->width, (uint32_t)out->height);
        return canvas_write(&image, out->path);
    }
    return out_file_close(&out->text);
}

void cells_out_discard(cells_out *out)
{
    npy_out_discard(&out->array);
    out_file_discard(&out->text);
    free(out->rgb);
    free(out->line);
    out->rgb = NULL;
    out->line = NULL;
}
