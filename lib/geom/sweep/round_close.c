/* Contacts of spheres, reported from double-doubles: the same bits as from exact
 * numbers (round_report.c), for nearly all of them.
 *
 * Which cell is entered is known; the formulas for t are those of cell.h, and those for normal and
 * point those of round_report.c.  t, and what exact numbers are cut off to, is left undecided where
 * the bounds of the errors do not tell its bits.
 * Range    all numbers are multiples of 2^-149 no larger than FLT_MAX.  What is below is asked to
 *          be so large that products which underflow on the way, and lose 2^-1074 each, are covered
 *          by what the bounds are rounded up by. */
#include "lib/geom/exact/arithmetic/known_dd.h"
#include "lib/geom/exact/arithmetic/vector.h"
#include "lib/geom/sweep/round.h"

#include <string.h>

#define LEAST 0x1p-700
#define MOST  0x1p900

typedef struct close_cell {
    sli_dd_known m[3], d[3], span[2][3], radius;
    sli_dd_known across_m[3], across_d[3]; /* as in sli_cell_numbers */
    sli_dd_known t;                        /* 0 at the start */
    double distance;                       /* of the middle from a face */
} close_cell;

static bool is_in_range(const sli_dd_known *x)
{
    return x->high > LEAST && x->high < MOST;
}

static void close_make(const sli_round *round, const sli_cell *cell, close_cell *out)
{
    for (int axis = 0; axis < 3; axis++) {
        out->m[axis] = sli_known_dd_difference(cell->start[axis], cell->base[axis]);
        out->d[axis] = sli_known_dd_of(round->dir[axis]);
        for (int i = 0; i < cell->dim; i++) {
            const sli_way *way = &cell->span[i];
            out->span[i][axis] = sli_known_dd_difference(way->head[axis], way->tail[axis]);
        }
    }
    out->radius = sli_known_dd_of(round->radius[0]);
    out->distance = round->radius[0];
    out->t = sli_known_dd_of(0);
    if (cell->dim == 0) {
        memcpy(out->across_m, out->m, sizeof out->m);
    } else {
        sli_known_dd_cross(out->span[0], cell->dim == 1 ? out->m : out->span[1], out->across_m);
    }
}

/* (s r |n| - m.n) / (d.n) */
static bool close_face_time(close_cell *c, int side)
{
    const sli_dd_known size = sli_known_dd_dot(c->across_m, c->across_m);
    const sli_dd_known height = sli_known_dd_dot(c->m, c->across_m);
    const sli_dd_known speed = sli_known_dd_dot(c->d, c->across_m);
    if (!is_in_range(&size)) {
        return false;
    }
    const sli_dd_known reach = sli_known_dd_mul(sli_known_dd_root(size), c->radius);
    const sli_dd_known way = sli_known_dd_sub(sli_known_dd_turned(reach, side), height);
    return sli_dd_quotient(&way, &speed, &c->t);
}

static bool close_height(close_cell *c)
{
    const sli_dd_known size = sli_known_dd_dot(c->across_m, c->across_m);
    const sli_dd_known height = sli_known_dd_dot(c->m, c->across_m);
    double square, above;
    if (!is_in_range(&size) || !sli_known_dd_cut(&size, &square) ||
        !sli_known_dd_cut(&height, &above)) {
        return false;
    }
    c->distance = fabs(above / sqrt(square));
    return true;
}

/* (-b - sqrt(scale part)) / a */
static bool close_root_time(close_cell *c, int dim)
{
    sli_dd_known part, scale = sli_known_dd_of(1);
    if (dim == 0) {
        sli_dd_known cross[3];
        memcpy(c->across_d, c->d, sizeof c->d);
        sli_known_dd_cross(c->m, c->d, cross);
        part = sli_known_dd_dot(cross, cross);
    } else {
        sli_known_dd_cross(c->span[0], c->d, c->across_d);
        part = sli_known_dd_dot(c->m, c->across_d);
        part = sli_known_dd_mul(part, part);
        scale = sli_known_dd_dot(c->span[0], c->span[0]);
    }
    const sli_dd_known a = sli_known_dd_dot(c->across_d, c->across_d);
    const sli_dd_known b = sli_known_dd_dot(c->across_m, c->across_d);
    const sli_dd_known square = sli_known_dd_mul(c->radius, c->radius);
    const sli_dd_known most = sli_known_dd_mul(square, a);
    part = sli_known_dd_sub(most, part);
    const sli_dd_known inside = sli_known_dd_mul(part, scale);
    if (!is_in_range(&a) || !is_in_range(&most) || !is_in_range(&part) || !is_in_range(&inside)) {
        return false;
    }
    const sli_dd_known root = sli_known_dd_root(inside);
    const sli_dd_known way = sli_known_dd_turned(sli_known_dd_add(b, root), -1);
    return sli_dd_quotient(&way, &a, &c->t);
}

/* To nearest and down; false where the bound does not decide, or t is tiny. */
static bool close_round(const sli_dd_known *t, sl_contact *out)
{
    const double margin = t->error + fabs(t->low) * 0x1p-52;
    if (!sli_dd_round(t, &out->t) || !(fabs(t->low) > margin && t->high > 0x1p-200)) {
        return false;
    }
    out->t_safe = t->low > 0 ? t->high : nextafter(t->high, 0);
    return out->t == t->high;
}

static bool close_cut3(const sli_dd_known v[3], double out[3])
{
    return sli_known_dd_cut(&v[0], &out[0]) && sli_known_dd_cut(&v[1], &out[1]) &&
           sli_known_dd_cut(&v[2], &out[2]);
}

/* Sizes are such that no product of two coordinates that matters underflows. */
static bool close_normal(const close_cell *c, int dim, int side, const double span[3],
                         double normal[3])
{
    sli_dd_known place[3];
    double v[3];
    for (int axis = 0; axis < 3; axis++) {
        place[axis] = c->across_m[axis];
        if (dim < 2 && c->t.high > 0) {
            place[axis] = sli_known_dd_add(place[axis], sli_known_dd_mul(c->t, c->across_d[axis]));
        }
        if (!(fabs(place[axis].high) >= 0x1p-12 * fabs(c->across_m[axis].high))) {
            return false; /* t of the exact numbers' report would show, which is rounded */
        }
    }
    if (!close_cut3(place, v)) {
        return false;
    }
    if (dim == 1) {
        sli_cross(v, span, v);
    }
    const double square = sli_dot(v, v), sign = dim == 2 ? side : 1;
    if (!(square > 0x1p-400 && square < 0x1p400)) {
        return false;
    }
    sli_norm_divide(v, normal);
    for (int axis = 0; axis < 3; axis++) {
        normal[axis] = sign * normal[axis] + 0.0;
    }
    return true;
}

/* t of an event on the way; at the start it is known. */
static bool close_time(close_cell *c, const sli_cell *cell, sli_cell_event event, int side,
                       sl_contact *out)
{
    if (event == SLI_CELL_NONE) {
        return cell->dim < 2 || close_height(c);
    }
    return (cell->dim == 2 ? close_face_time(c, side) : close_root_time(c, cell->dim)) &&
           close_round(&c->t, out);
}

bool sli_round_report_close(const sli_round *round, const sli_cell *cell, sli_cell_event event,
                            int side, sl_contact *out)
{
    close_cell c;
    double m[3], span[3] = { 0, 0, 0 };
    if (round->end_count != 1 || !round->is_triangle || event == SLI_CELL_GRAZES) {
        return false;
    }
    close_make(round, cell, &c);
    if (!close_time(&c, cell, event, side, out) || !close_cut3(c.m, m) ||
        (cell->dim == 1 && !close_cut3(c.span[0], span)) ||
        !close_normal(&c, cell->dim, side, span, out->normal)) {
        return false;
    }
    if (cell->dim == 1) {
        return sli_round_point_on_edge(cell, m, span, round->dir, out);
    }
    for (int axis = 0; axis < 3; axis++) {
        const double at = cell->start[axis] + out->t * round->dir[axis];
        out->point[axis] =
            cell->dim == 2 ? at - c.distance * out->normal[axis] : cell->base[axis] + 0.0;
    }
    return true;
}
