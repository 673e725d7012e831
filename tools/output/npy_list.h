/* output/npy_list.h: lists of different lengths as two arrays: the rows of all lists behind one
 * another, and where each list begins and ends, for numpy.split(rows, offsets[1:-1]).
 *
 * rows go to NAME.npy; offsets, uint64 (N + 1,) for N lists, to NAME.offsets.npy: list i is
 * rows[offsets[i]:offsets[i + 1]]. */
#pragma once

#include "tools/output/npy.h"

typedef struct npy_list {
    npy_out rows, offsets;
} npy_list;

/* path ends in .npy.  EXIT_DONE, or the status of a reported error; discard or close it either
 * way. */
int npy_list_open(npy_list *list, const char *path, npy_out_type type);

/* "NAME.offsets.npy" of "NAME.npy"; from malloc, NULL where there is no memory. */
char *npy_list_offsets_name(const char *path);

/* count more lists, of totals[i] rows each but capacity at most; those of list i begin at
 * rows[i * capacity].  False when writing has failed; npy_list_close says why. */
bool npy_list_write(npy_list *list, const void *rows, size_t capacity, const uint64_t *totals,
                    size_t count);

int npy_list_close(npy_list *list);
void npy_list_discard(npy_list *list); /* a zeroed or closed one is fine */
