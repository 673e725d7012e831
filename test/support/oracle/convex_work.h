/* convex_work.h: what the parts of convex_oracle.h share: the path, the shape, and the comparison
 * of an answer with the ends of a span that are known only by their order. */
#pragma once

#include "test/support/oracle/convex_oracle.h"

#include <gmp.h>

enum { ROWS = 64, UNKNOWNS = 5 }; /* three weights, t, and the constant */

/* The path, the shape and temporary numbers, made once and kept. */
typedef struct convex_work {
    bool ready;
    double tmin, tmax;
    bool moves;
    mpq_t origin[3], dir[3];
    /* A round shape: the segment from p, and how its distance is least. */
    mpq_t p[3], axis[3], radius2, middle;
    bool slides; /* along the surface: the ends are then known, as for a box */
    /* Where the ends of the span are known as fractions. */
    mpq_t end[2];
    /* A box: rows of the sum of weight * w + t * d + constant >= 0. */
    mpq_t equation[3][UNKNOWNS], row[ROWS][UNKNOWNS];
    int rows;
    mpq_t a, b, c, x, y, m;
} convex_work;

extern convex_work convex;

/* The path; false where its limits leave nothing. */
bool convex_set_line(const sl_line *line);

/* sum += sign * a * b. */
void convex_add_product(mpq_t sum, const mpq_t a, const mpq_t b, int sign);

/* Sign of an end (0 the first, 1 the last) of the whole line's span minus m. */
typedef int (*convex_order)(int end, const mpq_t m);

/* By convex.end. */
int convex_order_known(int end, const mpq_t m);

/* What is not right, or NULL; flags: look at entry and exit. */
const char *convex_differs(convex_order order, bool interior, bool flags, const contact *got);

/* The answer where nothing is met. */
const char *convex_miss(const contact *got);
