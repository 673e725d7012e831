/* Which cell of a triangle a sphere is likely to enter, or to be nearest to, in plain doubles
 * without bounds, and when. */
#include "lib/base/inline.h"
#include "lib/geom/exact/arithmetic/vector.h"
#include "lib/geom/sweep/sphere.h"

#include <string.h>

/* Products of the borders of the triangle, each with the corner that it begins at. */
typedef struct border {
    double mm, md, em, ed, ee;
} border;

typedef struct guess {
    sli_sphere_case *s;
    double dd, square; /* d.d, and of the radius */
    double least;      /* the first entry, or the least square of a distance, so far */
    border at[3];
} guess;

/* False for a triangle that is nearly none. */
static SLI_FORCE_INLINE bool guess_make(const sli_round *round, sli_sphere_case *s)
{
    const double(*v)[3] = round->corner, *centre = round->end[0];
    s->round = round;
    for (int axis = 0; axis < 3; axis++) {
        const double c = centre[axis], x = v[0][axis], y = v[1][axis], z = v[2][axis];
        s->m[0][axis] = c - x;
        s->m[1][axis] = c - y;
        s->m[2][axis] = c - z;
        s->e[0][axis] = y - x;
        s->e[1][axis] = z - y;
        s->e[2][axis] = x - z;
        s->f[axis] = z - x;
    }
    sli_cross(s->e[0], s->f, s->n);
    s->size = sli_dot(s->n, s->n);
    return s->size > 0x1p-40 * sli_dot(s->e[0], s->e[0]) * sli_dot(s->f, s->f);
}

/* Sums of others may cancel, which does no harm to a guess. */
static SLI_FORCE_INLINE void guess_begin(sli_sphere_case *s, guess *g)
{
    const double *d = s->round->dir, radius = s->round->radius[0];
    g->s = s;
    g->dd = sli_dot(d, d);
    g->square = radius * radius;
    g->least = INFINITY;
    g->at[0].mm = sli_dot(s->m[0], s->m[0]);
    g->at[0].md = sli_dot(s->m[0], d);
    for (int i = 0; i < 3; i++) {
        border *x = &g->at[i];
        x->em = sli_dot(s->e[i], s->m[i]);
        x->ed = i < 2 ? sli_dot(s->e[i], d) : -(g->at[0].ed + g->at[1].ed);
        x->ee = sli_dot(s->e[i], s->e[i]);
        if (i < 2) {
            g->at[i + 1].mm = x->mm - 2 * x->em + x->ee;
            g->at[i + 1].md = x->md - x->ed;
        }
    }
}

static SLI_FORCE_INLINE void guess_take(guess *g, double x, int dim, int index)
{
    if (x < g->least) {
        g->least = x;
        g->s->dim = dim;
        g->s->index = index;
    }
}

/* Entries into the ball about a corner, and into the cylinder about an edge. */
static SLI_FORCE_INLINE void guess_border(guess *g, int index)
{
    const border *x = &g->at[index];
    const double c = x->mm - g->square, inside = x->md * x->md - g->dd * c;
    if (inside > 0) {
        guess_take(g, (-x->md - sqrt(inside)) / g->dd, 0, index);
    }
    const double a = x->ee * g->dd - x->ed * x->ed, b = x->ee * x->md - x->em * x->ed;
    const double within = b * b - a * (x->ee * c - x->em * x->em);
    if (within > 0) {
        const double t = (-b - sqrt(within)) / a, along = x->em + t * x->ed;
        if (along > 0 && along < x->ee) {
            guess_take(g, t, 1, index);
        }
    }
}

/* Whether the foot at t is on the face. */
static SLI_FORCE_INLINE bool guess_face(sli_sphere_case *s, double t)
{
    double y[3], v[3], w[3];
    for (int axis = 0; axis < 3; axis++) {
        y[axis] = s->m[0][axis] + t * s->round->dir[axis];
    }
    sli_cross(s->f, s->n, v);
    sli_cross(s->n, s->e[0], w);
    const double along = sli_dot(v, y), other = sli_dot(w, y);
    s->t = t;
    s->dim = 2;
    s->index = 0;
    return along > 0 && other > 0 && along + other < s->size;
}

/* Keeps the way from a corner, and part of the edge, to the place at t, if it is the shortest. */
static void guess_way(guess *g, int index, double t, double part)
{
    double way[3];
    for (int axis = 0; axis < 3; axis++) {
        way[axis] = g->s->m[index][axis] + t * g->s->round->dir[axis];
        way[axis] -= part * g->s->e[index][axis];
    }
    const double square = sli_dot(way, way);
    if (square < g->least) {
        g->least = square;
        memcpy(g->s->away, way, sizeof way);
    }
}

/* A line that misses the triangle is nearest to it at a vertex or an edge. */
static SLI_NOINLINE void guess_away(guess *g)
{
    memset(g->s->away, 0, sizeof g->s->away);
    for (int i = 0; i < 3; i++) {
        const border *x = &g->at[i];
        const double t = (x->em * x->ed - x->ee * x->md) / (x->ee * g->dd - x->ed * x->ed);
        const double along = x->em + t * x->ed;
        guess_way(g, i, -x->md / g->dd, 0);
        if (along > 0 && along < x->ee) {
            guess_way(g, i, t, along / x->ee);
        }
    }
}

/* The cell that is nearest at the start. */
static SLI_NOINLINE void guess_nearest(sli_sphere_case *s)
{
    guess g;
    if (guess_face(s, 0)) {
        return;
    }
    guess_begin(s, &g);
    for (int i = 0; i < 3; i++) {
        const border *x = &g.at[i];
        guess_take(&g, x->mm, 0, i);
        if (x->em > 0 && x->em < x->ee) {
            guess_take(&g, x->mm - x->em * x->em / x->ee, 1, i);
        }
    }
}

sli_sphere_guess sli_sphere_guess_make(const sli_round *round, sli_sphere_case *s)
{
    if (!guess_make(round, s)) {
        return SLI_SPHERE_NO_GUESS;
    }
    const double speed = sli_dot(round->dir, s->n), reach = round->radius[0] * sqrt(s->size);
    const double way = (speed > 0 ? -reach : reach) - sli_dot(s->m[0], s->n);
    if (round->moves && !guess_face(s, way / speed)) {
        guess g;
        guess_begin(s, &g);
        for (int i = 0; i < 3; i++) {
            guess_border(&g, i);
        }
        s->t = g.least;
        if (!(g.least < INFINITY)) {
            guess_away(&g);
            return SLI_SPHERE_MISSES;
        }
    }
    if (!round->moves || !(s->t > 0)) {
        guess_nearest(s);
    }
    return SLI_SPHERE_MEETS;
}
