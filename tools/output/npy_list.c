/* output/npy_list.c: lists of hits, triangles and nearest points in two arrays, for cast, within,
 * overlap. */
#include "tools/output/npy_list.h"

#include "tools/cli/report.h"

#include <stdlib.h>
#include <string.h>

char *npy_list_offsets_name(const char *path)
{
    static const char ending[] = ".offsets.npy";
    const size_t stem = strlen(path) - strlen(".npy");
    char *name = malloc(stem + sizeof ending);
    if (name != NULL) {
        memcpy(name, path, stem);
        memcpy(name + stem, ending, sizeof ending);
    }
    return name;
}

int npy_list_open(npy_list *list, const char *path, npy_out_type type)
{
    *list = (npy_list){ .rows = { .rows = 0 } };
    char *name = npy_list_offsets_name(path);
    int status = name != NULL ? EXIT_DONE : report_memory();
    status =
        status == EXIT_DONE ? npy_out_open(&list->rows, path, type, 0, NPY_ROWS_UNKNOWN) : status;
    if (status == EXIT_DONE) {
        status = npy_out_open(&list->offsets, name, NPY_OUT_U8, 0, NPY_ROWS_UNKNOWN);
    }
    if (status == EXIT_DONE) {
        const uint64_t first = 0;
        (void)npy_out_write(&list->offsets, &first, 1);
    }
    free(name);
    return status;
}

bool npy_list_write(npy_list *list, const void *rows, size_t capacity, const uint64_t *totals,
                    size_t count)
{
    const size_t size = npy_out_row_size(&list->rows);
    bool written = true;
    for (size_t i = 0; i < count && written; i++) {
        const size_t kept = totals[i] < capacity ? (size_t)totals[i] : capacity;
        written = npy_out_write(&list->rows, (const char *)rows + i * capacity * size, kept) &&
                  npy_out_write(&list->offsets, &list->rows.rows, 1);
    }
    return written;
}

int npy_list_close(npy_list *list)
{
    const int status = npy_out_close(&list->rows);
    if (status != EXIT_DONE) {
        npy_out_discard(&list->offsets);
        return status;
    }
    return npy_out_close(&list->offsets);
}

void npy_list_discard(npy_list *list)
{
    npy_out_discard(&list->rows);
    npy_out_discard(&list->offsets);
}
