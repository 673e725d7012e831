/* Which cell of a triangle a sphere is likely to enter, or to be nearest to, in plain doubles
 * without bounds, and when. */
#include "lib/geom/exact/arithmetic/vector.h"
#include "lib/geom/sweep/sphere.h"

#include <string.h>

/* Products of the border that begins at a corner. */
typedef struct border {
    double mm, md, em, ed, ee;
} border;

typedef struct guess {
    sli_sphere_case *out;
    double dd, square; /* d.d, and of the radius */
    double least;      /* the first entry, or the least square of a distance, so far */
} guess;

static void guess_take(guess *g, double x, int dim, int index)
{
    if (x < g->least) {
        g->least = x;
        g->out->dim = dim;
        g->out->index = index;
    }
}

/* False for a triangle that is nearly none. */
static bool guess_make(const sli_round *round, sli_sphere_case *s)
{
    const double(*v)[3] = round->corner;
    s->round = round;
    s->dim = 2;
    s->index = 0;
    for (int axis = 0; axis < 3; axis++) {
        for (int i = 0; i < 3; i++) {
            s->m[i][axis] = round->end[0][axis] - v[i][axis];
            s->e[i][axis] = v[(i + 1) % 3][axis] - v[i][axis];
        }
        s->f[axis] = -s->e[2][axis];
    }
    sli_cross(s->e[0], s->f, s->n);
    const double flat = 0x1p-40 * sli_dot(s->e[0], s->e[0]) * sli_dot(s->f, s->f);
    return sli_dot(s->n, s->n) > flat;
}

static border make_border(const sli_sphere_case *s, int index)
{
    const double *m = s->m[index], *e = s->e[index], *d = s->round->dir;
    return (border){ sli_dot(m, m), sli_dot(m, d), sli_dot(e, m), sli_dot(e, d), sli_dot(e, e) };
}

/* Entries into the ball about a corner and the cylinder about an edge; NaNs are no entry.  Of the
 * latter |e x m|^2 = (e.e)(m.m) - (e.m)^2, which may cancel. */
static void guess_border(guess *g, int index)
{
    const border x = make_border(g->out, index);
    const double c = x.mm - g->square;
    guess_take(g, (-x.md - sqrt(x.md * x.md - g->dd * c)) / g->dd, 0, index);
    const double a = x.ee * g->dd - x.ed * x.ed, b = x.ee * x.md - x.em * x.ed;
    const double t = (-b - sqrt(b * b - a * (x.ee * c - x.em * x.em))) / a;
    const double along = x.em + t * x.ed;
    if (along > 0 && along < x.ee) {
        guess_take(g, t, 1, index);
    }
}

/* The same by distance at the start. */
static void guess_distance(guess *g, int index)
{
    const border x = make_border(g->out, index);
    guess_take(g, x.mm, 0, index);
    if (x.em > 0 && x.em < x.ee) {
        guess_take(g, x.mm - x.em * x.em / x.ee, 1, index);
    }
}

/* Whether the foot at t is on the face. */
static bool guess_face(const sli_sphere_case *s, double t)
{
    double y[3], v[3], w[3];
    for (int axis = 0; axis < 3; axis++) {
        y[axis] = s->m[0][axis] + t * s->round->dir[axis];
    }
    sli_cross(s->f, s->n, v);
    sli_cross(s->n, s->e[0], w);
    const double along = sli_dot(v, y), other = sli_dot(w, y);
    return along > 0 && other > 0 && along + other < sli_dot(s->n, s->n);
}

/* The entry into the guessed ball or cylinder once more, by products that do not cancel. */
static double guess_time(const sli_sphere_case *s)
{
    const double *m = s->m[s->index], *e = s->e[s->index], *d = s->round->dir;
    const double radius = s->round->radius[0], square = radius * radius;
    double across_m[3], across_d[3];
    if (s->dim == 0) {
        sli_cross(m, d, across_m);
        const double a = sli_dot(d, d), part = square * a - sli_dot(across_m, across_m);
        return (-sli_dot(m, d) - sqrt(part)) / a;
    }
    sli_cross(e, m, across_m);
    sli_cross(e, d, across_d);
    const double a = sli_dot(across_d, across_d), along = sli_dot(m, across_d);
    const double part = (square * a - along * along) * sli_dot(e, e);
    return (-sli_dot(across_m, across_d) - sqrt(part)) / a;
}

static bool guess_entry(sli_sphere_case *s)
{
    const double *d = s->round->dir, radius = s->round->radius[0];
    const double speed = sli_dot(d, s->n), reach = radius * sqrt(sli_dot(s->n, s->n));
    s->t = ((speed > 0 ? -reach : reach) - sli_dot(s->m[0], s->n)) / speed;
    if (guess_face(s, s->t)) {
        return true;
    }
    guess g = { s, sli_dot(d, d), radius * radius, INFINITY };
    for (int i = 0; i < 3; i++) {
        guess_border(&g, i);
    }
    s->t = g.least < INFINITY ? guess_time(s) : NAN;
    return !isnan(s->t);
}

/* Keeps the way from a corner, and part of the edge, to the place at t, if it is the shortest. */
static void guess_way(guess *g, int index, double t, double part)
{
    double way[3];
    for (int axis = 0; axis < 3; axis++) {
        way[axis] = g->out->m[index][axis] + t * g->out->round->dir[axis];
        way[axis] -= part * g->out->e[index][axis];
    }
    const double square = sli_dot(way, way);
    if (square < g->least) {
        g->least = square;
        memcpy(g->out->away, way, sizeof way);
    }
}

/* A line that misses the triangle is nearest to it at a vertex or an edge. */
static void guess_away(sli_sphere_case *s)
{
    guess g = { s, sli_dot(s->round->dir, s->round->dir), 0, INFINITY };
    memset(s->away, 0, sizeof s->away);
    for (int i = 0; i < 3; i++) {
        const border x = make_border(s, i);
        const double t = (x.em * x.ed - x.ee * x.md) / (x.ee * g.dd - x.ed * x.ed);
        const double along = x.em + t * x.ed;
        guess_way(&g, i, -x.md / g.dd, 0);
        if (along > 0 && along < x.ee) {
            guess_way(&g, i, t, along / x.ee);
        }
    }
}

static void guess_nearest(sli_sphere_case *s)
{
    guess g = { s, 0, 0, INFINITY };
    const bool on_face = guess_face(s, 0);
    s->t = 0;
    s->dim = 2;
    s->index = 0;
    for (int i = 0; i < 3 && !on_face; i++) {
        guess_distance(&g, i);
    }
}

sli_sphere_guess sli_sphere_guess_make(const sli_round *round, sli_sphere_case *out)
{
    if (!guess_make(round, out)) {
        return SLI_SPHERE_NO_GUESS;
    }
    if (round->moves && !guess_entry(out)) {
        guess_away(out);
        return SLI_SPHERE_MISSES;
    }
    if (!round->moves || !(out->t > 0)) {
        guess_nearest(out);
    }
    return SLI_SPHERE_MEETS;
}
