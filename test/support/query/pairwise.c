#include "test/support/query/pairwise.h"

#include <stdbool.h>
#include <string.h>

enum { SETTINGS_MAX = 16 }; /* of one kind */

/* met[a][i][b][j]: setting i of kind a was with setting j of kind b, a < b. */
typedef bool met_pairs[PAIRWISE_KINDS][SETTINGS_MAX][PAIRWISE_KINDS][SETTINGS_MAX];

pairwise_row pairwise_row_at(const int counts[PAIRWISE_KINDS], size_t i)
{
    pairwise_row row;
    for (int kind = 0; kind < PAIRWISE_KINDS; kind++) {
        row.of[kind] = (int)(i % (size_t)counts[kind]);
        i /= (size_t)counts[kind];
    }
    return row;
}

/* How many pairs of the row had not met; with note they have now. */
static int new_pairs(met_pairs met, const pairwise_row *row, bool note)
{
    int found = 0;
    for (int a = 0; a < PAIRWISE_KINDS; a++) {
        for (int b = a + 1; b < PAIRWISE_KINDS; b++) {
            bool *pair = &met[a][row->of[a]][b][row->of[b]];
            found += !*pair;
            *pair = *pair || note;
        }
    }
    return found;
}

/* Greedy: the combination, first of equals, that brings the most new pairs, until none does. */
size_t pairwise_rows(const int counts[PAIRWISE_KINDS], pairwise_row *rows, size_t room)
{
    met_pairs met;
    size_t all = 1, used = 0;
    memset(met, 0, sizeof met);
    for (int kind = 0; kind < PAIRWISE_KINDS; kind++) {
        all *= (size_t)counts[kind];
    }
    while (used < room) {
        int most = 0;
        for (size_t i = 0; i < all; i++) {
            const pairwise_row row = pairwise_row_at(counts, i);
            const int found = new_pairs(met, &row, false);
            if (found > most) {
                most = found;
                rows[used] = row;
            }
        }
        if (most == 0) {
            break;
        }
        new_pairs(met, &rows[used++], true);
    }
    return used;
}
