/* mirror.h: square matrices of bits, of which the half above the diagonal is known. */
#pragma once

#include <sightline/base.h>

/* Copies bit (row, column) to (column, row) for all row < column < count. */
void sli_mirror_bits(uint64_t *bits, size_t count, size_t row_words, const sl_tasks *tasks);
