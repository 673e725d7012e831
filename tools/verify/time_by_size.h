/* verify/time_by_size.h: how long the tree takes and how long every triangle in turn, by the size of the answer.
 */
#ifndef TOOLS_SPEEDS_H
#define TOOLS_SPEEDS_H

#include "tools/cli/output.h"

enum { SPEEDS_SIZES = 11 }; /* 0; 1 to 10; 11 to 100; ... */

typedef struct speeds {
    struct {
        uint64_t questions;
        double tree, brute; /* seconds */
    } size[SPEEDS_SIZES];
} speeds;

/* The tree is so quick that whatever else the machine does would show: the best of a few counts. */
enum { SPEEDS_ROUNDS = 3 };
double speeds_best(int round, double so_far, double seconds);

void speeds_add(speeds *s, uint64_t size, double tree, double brute);

/* A table with a row for each kind and size that there is; on stderr unless out is JSON.  kinds are
 * the names of count speeds; where there are several, a last one is the sum of all. */
void speeds_put(output *out, const speeds *s, const char *const *kinds, size_t count);

#endif
