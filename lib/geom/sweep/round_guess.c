/* Which cell of a triangle a sphere is likely to enter, or to be nearest to, in plain doubles
 * without bounds: so that this one is asked first.  A cell of a triangle with area that is entered,
 * or is nearest, is the only one: so the answer stays. */
#include "lib/geom/exact/arithmetic/vector.h"
#include "lib/geom/sweep/round.h"

/* A sphere and a triangle: the middle seen from each corner, the edges that begin there, and n. */
typedef struct guess {
    double m[3][3], e[3][3], f[3], n[3];
    double d[3], radius;
    double least; /* the first entry, or the least square of a distance, so far */
    int dim, index;
} guess;

static void guess_take(guess *g, double x, int dim, int index)
{
    if (x < g->least) {
        g->least = x;
        g->dim = dim;
        g->index = index;
    }
}

/* False where there is no guess; of a triangle that is nearly none several cells may be entered. */
static bool guess_make(const sli_round *round, guess *g)
{
    const double(*v)[3] = round->corner;
    if (round->end_count != 1 || !round->is_triangle) {
        return false;
    }
    g->radius = round->radius[0];
    g->least = INFINITY;
    g->dim = 2;
    g->index = 0;
    for (int axis = 0; axis < 3; axis++) {
        g->d[axis] = round->dir[axis];
        for (int i = 0; i < 3; i++) {
            g->m[i][axis] = round->end[0][axis] - v[i][axis];
            g->e[i][axis] = v[(i + 1) % 3][axis] - v[i][axis];
        }
        g->f[axis] = -g->e[2][axis];
    }
    sli_cross(g->e[0], g->f, g->n);
    const double flat = 0x1p-40 * sli_dot(g->e[0], g->e[0]) * sli_dot(g->f, g->f);
    return sli_dot(g->n, g->n) > flat;
}

/* Entry into the ball about a vertex (size 1), or the cylinder about an edge, with across_m and
 * across_d of cell.h. */
static double guess_root(const double m[3], const double d[3], double size, double radius)
{
    const double a = sli_dot(d, d), b = sli_dot(m, d);
    const double c = sli_dot(m, m) - radius * radius * size;
    return (-b - sqrt(b * b - a * c)) / a;
}

/* Entries at an edge, and the vertex that it begins with; NaNs are no entry. */
static void guess_border(guess *g, int index)
{
    const double *m = g->m[index], *e = g->e[index];
    double across_m[3], across_d[3];
    guess_take(g, guess_root(m, g->d, 1, g->radius), 0, index);
    sli_cross(e, m, across_m);
    sli_cross(e, g->d, across_d);
    const double size = sli_dot(e, e);
    const double t = guess_root(across_m, across_d, size, g->radius);
    const double along = sli_dot(e, m) + t * sli_dot(e, g->d);
    if (along > 0 && along < size) {
        guess_take(g, t, 1, index);
    }
}

/* The same by distance at the start. */
static void guess_distance(guess *g, int index)
{
    const double *m = g->m[index], *e = g->e[index];
    const double size = sli_dot(e, e), along = sli_dot(e, m), square = sli_dot(m, m);
    guess_take(g, square, 0, index);
    if (along > 0 && along < size) {
        guess_take(g, square - along * along / size, 1, index);
    }
}

/* Whether the foot at t is on the face. */
static bool guess_face(const guess *g, double t)
{
    double y[3], v[3], w[3];
    for (int axis = 0; axis < 3; axis++) {
        y[axis] = g->m[0][axis] + t * g->d[axis];
    }
    sli_cross(g->f, g->n, v);
    sli_cross(g->n, g->e[0], w);
    const double along = sli_dot(v, y), other = sli_dot(w, y);
    return along > 0 && other > 0 && along + other < sli_dot(g->n, g->n);
}

bool sli_round_guess(const sli_round *round, int *dim, int *index)
{
    guess g;
    if (!guess_make(round, &g)) {
        return false;
    }
    const double speed = sli_dot(g.d, g.n), reach = g.radius * sqrt(sli_dot(g.n, g.n));
    const double t = ((speed > 0 ? -reach : reach) - sli_dot(g.m[0], g.n)) / speed;
    const bool on_face = guess_face(&g, t);
    for (int i = 0; i < 3 && !on_face; i++) {
        guess_border(&g, i);
    }
    *dim = g.dim;
    *index = g.index;
    return on_face || g.least < INFINITY;
}

bool sli_round_guess_nearest(const sli_round *round, int *dim, int *index)
{
    guess g;
    if (!guess_make(round, &g)) {
        return false;
    }
    const bool on_face = guess_face(&g, 0);
    for (int i = 0; i < 3 && !on_face; i++) {
        guess_distance(&g, i);
    }
    *dim = g.dim;
    *index = g.index;
    return true;
}
