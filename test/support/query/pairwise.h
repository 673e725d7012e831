/* pairwise.h: a small set of rows of settings in which any two settings of different kinds occur
 * together. */
#pragma once

#include <stddef.h>

enum { PAIRWISE_KINDS = 5 };

/* One setting of each kind. */
typedef struct pairwise_row {
    int of[PAIRWISE_KINDS];
} pairwise_row;

/* Kind k has counts[k] settings.  Row number i of all combinations, i below the product of counts.
 */
pairwise_row pairwise_row_at(const int counts[PAIRWISE_KINDS], size_t i);

/* Writes rows so that every pair is in at least one of them, always the same ones; returns how
 * many.  room: the product of counts suffices. */
size_t pairwise_rows(const int counts[PAIRWISE_KINDS], pairwise_row *rows, size_t room);
