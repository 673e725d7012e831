#include "test/support/hard/triangle_pairs.h"

#include "lib/geom/exact/arithmetic/grid.h"
#include "test/support/hard/floats.h"

#include <math.h>

static double whole(test_random *random, int size)
{
    return (double)test_random_below(random, (uint32_t)(2 * size + 1)) - size;
}

/* Both in a plane of whole numbers, or in z = 0. */
static void make_coplanar(test_random *random, double v[6][3])
{
    double e[2][3], o[3];
    for (int axis = 0; axis < 3; axis++) {
        e[0][axis] = whole(random, 9);
        e[1][axis] = whole(random, 9);
        o[axis] = whole(random, 99);
    }
    const int size = 2 + (int)test_random_below(random, 3) * 6;
    for (int i = 0; i < 6; i++) {
        const double s = whole(random, size), t = whole(random, size);
        for (int axis = 0; axis < 3; axis++) {
            v[i][axis] = o[axis] + s * e[0][axis] + t * e[1][axis];
        }
    }
}

/* Corners of b on corners, edges and within a. */
static void make_shared(test_random *random, double v[6][3])
{
    for (int i = 0; i < 18; i++) {
        v[i / 3][i % 3] = 8 * whole(random, 20);
    }
    const int count = 1 + (int)test_random_below(random, 3);
    for (int i = 3; i < 3 + count; i++) {
        const int p = (int)test_random_below(random, 3), q = (p + 1) % 3;
        const double share = (double)test_random_below(random, 5) / 4;
        const double further = test_random_below(random, 4) == 0 ? 0.5 : 0;
        for (int axis = 0; axis < 3; axis++) {
            const double on_edge = v[p][axis] + share * (v[q][axis] - v[p][axis]);
            v[i][axis] = on_edge + further * (v[(p + 2) % 3][axis] - on_edge);
        }
    }
}

/* An edge of b through a point of a's, or a's edge. */
static void make_through(test_random *random, double v[6][3])
{
    for (int i = 0; i < 18; i++) {
        v[i / 3][i % 3] = 8 * whole(random, 20);
    }
    const double share = (double)test_random_below(random, 5) / 4;
    const double within = (double)test_random_below(random, 3) / 4;
    for (int axis = 0; axis < 3; axis++) {
        const double on_edge = v[0][axis] + share * (v[1][axis] - v[0][axis]);
        const double at = on_edge + within * (v[2][axis] - on_edge);
        v[4][axis] = 2 * at - v[3][axis];
    }
}

static void make_random(test_random *random, double v[6][3])
{
    const bool floats = test_random_below(random, 2) == 0;
    for (int i = 0; i < 18; i++) {
        const double x = test_random_in_d(random, -1, 1);
        v[i / 3][i % 3] = floats ? (double)(float)x : x;
    }
}

static void make_wild(test_random *random, size_t i, double v[6][3])
{
    float x[18];
    hard_floats(random, i, x, 18);
    for (int k = 0; k < 18; k++) {
        v[k / 3][k % 3] = (double)x[k];
    }
}

static void take_area(test_random *random, double v[3][3])
{
    const int i = (int)test_random_below(random, 3);
    const double share = (double)test_random_below(random, 5) / 2 - 0.5;
    const bool point = test_random_below(random, 4) == 0;
    for (int axis = 0; axis < 3; axis++) {
        const double p = v[(i + 1) % 3][axis];
        v[(i + 2) % 3][axis] = point ? p : v[(i + 2) % 3][axis];
        v[i][axis] = p + share * (v[(i + 2) % 3][axis] - p);
    }
}

/* Larger, smaller, or far away; then some numbers to the next float or double. */
static void disturb(test_random *random, double v[6][3])
{
    static const double scales[6] = { 1, 1, 1, 0x1p-40, 0x1p-120, 0x1p100 };
    const double scale = scales[test_random_below(random, 6)];
    const double away = test_random_below(random, 6) == 0 ? scale * 0x1p24 : 0;
    const uint32_t nudges = test_random_below(random, 3) == 0 ? test_random_below(random, 4) : 0;
    for (int i = 0; i < 18; i++) {
        v[i / 3][i % 3] = v[i / 3][i % 3] * scale + away;
    }
    for (uint32_t k = 0; k < nudges; k++) {
        double *x = &v[test_random_below(random, 6)][test_random_below(random, 3)];
        const bool up = test_random_below(random, 2) == 0;
        *x = test_random_below(random, 2) == 0
                 ? (double)nextafterf((float)*x, up ? INFINITY : -INFINITY)
                 : nextafter(*x, up ? INFINITY : -INFINITY);
    }
}

void hard_triangle_pair(test_random *random, size_t i, sl_triangle_d *a, sl_triangle_d *b)
{
    double v[6][3];
    switch (i % 6) {
    case 0:
    case 1:
        make_coplanar(random, v);
        break;
    case 2:
        make_shared(random, v);
        break;
    case 3:
        make_through(random, v);
        break;
    case 4:
        make_random(random, v);
        break;
    default:
        make_wild(random, i / 6, v);
        break;
    }
    if (test_random_below(random, 10) == 0) {
        take_area(random, v);
    }
    if (test_random_below(random, 10) == 0) {
        take_area(random, v + 3);
    }
    if (i % 6 != 5) {
        disturb(random, v);
    }
    for (int k = 0; k < 9; k++) {
        a->v[k / 3][k % 3] = sli_round_to_grid(v[k / 3][k % 3], SLI_STEP);
        b->v[k / 3][k % 3] = sli_round_to_grid(v[3 + k / 3][k % 3], SLI_STEP);
    }
}
