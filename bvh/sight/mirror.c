/* Copies the upper half of a matrix of bits to its lower one, in blocks of 64 rows and columns,
 * each transposed in six rounds of swaps (Warren, Hacker's Delight, 2nd edition, 7-3). */
#include "bvh/sight/mirror.h"

#include "bvh/sight/lines.h"

typedef struct mirror_job {
    uint64_t *bits;
    size_t count, row_words;
} mirror_job;

/* Bit k of block[i] is swapped with bit i of block[k]. */
static void mirror_transpose(uint64_t block[64])
{
    uint64_t mask = UINT64_C(0x00000000FFFFFFFF);
    for (unsigned width = 32; width != 0; width >>= 1, mask ^= mask << width) {
        for (unsigned i = 0; i < 64; i = ((i | width) + 1) & ~width) {
            const uint64_t swapped = (block[i] >> width ^ block[i | width]) & mask;
            block[i] ^= swapped << width;
            block[i | width] ^= swapped;
        }
    }
}

/* Fills in the words left of the diagonal of 64 rows.  Only words of these rows are written, and
 * those of other rows that are read are on or right of the diagonal: workers do not meet. */
static void mirror_rows(const void *context, size_t at)
{
    const mirror_job *job = context;
    const size_t first = 64 * at;
    const size_t rows = job->count - first < 64 ? job->count - first : 64;
    for (size_t left = 0; left <= at; left++) {
        uint64_t block[64] = { 0 };
        for (size_t i = 0; i < (left < at ? 64 : rows); i++) {
            block[i] = job->bits[(64 * left + i) * job->row_words + at];
        }
        mirror_transpose(block);
        for (size_t i = 0; i < rows; i++) {
            uint64_t *word = &job->bits[(first + i) * job->row_words + left];
            const uint64_t below = left < at ? UINT64_MAX : (UINT64_C(1) << i) - 1;
            *word = (*word & ~below) | (block[i] & below);
        }
    }
}

void sli_mirror_bits(uint64_t *bits, size_t count, size_t row_words, const sl_tasks *tasks)
{
    const mirror_job job = { .bits = bits, .count = count, .row_words = row_words };
    sli_sight_run(NULL, count / 64 + (count % 64 != 0), mirror_rows, &job, tasks);
}
