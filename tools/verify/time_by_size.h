/* verify/time_by_size.h: how long the tree takes and how long every triangle in turn, by the size
 * of the answer.
 */
#pragma once

#include "tools/output/output.h"

enum { TIME_SIZES = 11 }; /* 0; 1 to 10; 11 to 100; ... */

typedef struct time_by_size {
    struct {
        uint64_t questions;
        double tree, brute; /* seconds */
    } size[TIME_SIZES];
} time_by_size;

/* A query of the tree takes so little time that other work of the machine would show: the best of a
 * few rounds counts. */
enum { TIME_ROUNDS = 3 };
double time_by_size_best(int round, double so_far, double seconds);

void time_by_size_add(time_by_size *s, uint64_t size, double tree, double brute);

/* A table with a row for each kind and size that there is; on stderr unless out is JSON.  kinds are
 * the names of count time_by_size; where there are several, a last one is the sum of all. */
void time_by_size_put(output *out, const time_by_size *s, const char *const *kinds, size_t count);
