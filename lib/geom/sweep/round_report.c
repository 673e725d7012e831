/* Contacts of spheres and capsules: t rounded, and where the shape touches the obstacle.
 *
 * A step of Newton's from the t of doubles, made exactly, gives t to 2^-90 of itself or so, which
 * decides nearly every rounding; it is exact otherwise (rounding.h).  Normals are those at this t,
 * made exactly where they may cancel. */
#include "lib/geom/closest/point_triangle.h"
#include "lib/geom/exact/arithmetic/rounding.h"
#include "lib/geom/exact/arithmetic/vector.h"
#include "lib/geom/exact/predicates.h"
#include "lib/geom/sweep/round.h"

#include <sightline/options.h>

#include <limits.h>
#include <string.h>

typedef struct entry {
    const sli_cell *cell;
    const sli_cell_numbers *numbers;
} entry;

static int order_of_entry(const void *user, const sli_number *boundary)
{
    const entry *e = user;
    bool unsure = false; /* all is exact here */
    return sli_cell_compare_t(e->cell, e->numbers, boundary, &unsure);
}

/* t is within error of at + rest. */
typedef struct estimate {
    double at, rest, error;
} estimate;

/* With g = m.n + at (d.n), s r |n| - g = (r^2 n.n - g^2) / (s r |n| + g), over d.n. */
static void correct_face_time(const sli_cell_numbers *n, estimate *t)
{
    sli_number at, g, square, root, rest;
    sli_number_set(t->at, true, &at);
    sli_number_mul(&at, &n->speed, &g);
    sli_number_add(&g, &n->height, &g);
    sli_number_mul(&n->radius, &n->radius, &rest);
    sli_number_mul(&rest, &n->size, &rest);
    sli_number_mul(&g, &g, &square);
    sli_number_sub(&rest, &square, &rest);
    if (g.sign != n->side || rest.n == 0) {
        t->error = g.sign != n->side ? INFINITY : 0;
        return;
    }
    sli_number_sqrt(&n->size, &root);
    sli_number_mul(&root, &n->radius, &root);
    sli_number_turn(&root, n->side);
    sli_number_add(&root, &g, &root);
    sli_number_mul(&root, &n->speed, &root);
    sli_number_div(&rest, &root, &root);
    t->rest = root.value;
    t->error = root.error;
}

/* With the value v = (a at + 2 b) at + c and its slope 2 s, s = a at + b, t - at is the root x of a
 * x^2 + 2 s x + v that is close to y = -v / (2 s): where |a y| <= |s| / 4, within 2 |a| y^2 /
 * |s|. */
static void correct_root(const sli_quadratic *q, estimate *t)
{
    sli_number at, slope, value;
    sli_number_set(t->at, true, &at);
    sli_number_mul(&q->a, &at, &slope);
    sli_number_add(&slope, &q->b, &slope);
    sli_number_add(&slope, &q->b, &value);
    sli_number_mul(&value, &at, &value);
    sli_number_add(&value, &q->c, &value);
    if (value.n == 0) {
        t->error = slope.sign < 0 ? 0 : INFINITY;
        return;
    }
    sli_number_div(&value, &slope, &value);
    sli_number_div(&q->a, &slope, &at);
    const double y = -value.value / 2, bend = fabs(at.value * y);
    t->rest = y;
    t->error =
        slope.sign < 0 && bend <= 0.25 ? value.error + 3 * bend * fabs(y) + 0x1p-1060 : INFINITY;
}

/* -b / a. */
static void correct_grazing(const sli_quadratic *q, estimate *t)
{
    sli_number at, rest;
    sli_number_set(t->at, true, &at);
    sli_number_mul(&q->a, &at, &rest);
    sli_number_add(&rest, &q->b, &rest);
    sli_number_turn(&rest, -1);
    if (rest.n == 0) {
        t->error = 0;
        return;
    }
    sli_number_div(&rest, &q->a, &rest);
    t->rest = rest.value;
    t->error = rest.error;
}

/* Rounds t, and sets *t to what is known of it.  It lies in 0 .. 1. */
static void round_time(const sli_cell *cell, const sli_cell_numbers *numbers, sli_cell_event event,
                       estimate *t, sl_contact *out)
{
    const entry e = { cell, numbers };
    const double near = numbers->t.value;
    *t = (estimate){ near > 0 ? fmin(near, 1) : 0, 0, INFINITY };
    if (cell->dim == 2) {
        correct_face_time(numbers, t);
    } else if (event == SLI_CELL_ENTERS) {
        correct_root(&numbers->q, t);
    } else {
        correct_grazing(&numbers->q, t);
    }
    const sli_rounded rounded = sli_round_double(t->at, t->rest, t->error, order_of_entry, &e);
    if (!(t->error <= 0x1p-60)) {
        *t = (estimate){ rounded.nearest, 0, 0 };
    }
    out->t = rounded.nearest;
    out->t_safe = rounded.down;
}

/* x + t v. */
static void place_at(const sli_number x[3], const sli_number v[3], const estimate *t,
                     sli_number out[3])
{
    sli_number time;
    sli_number_diff(t->at, -t->rest, true, &time);
    sli_number_copy3(x, out);
    if (time.n > 0) {
        sli_number_step3(&time, v, 1, out);
    }
}

/* A vector of numbers times a power of two, so that its largest coordinate is in 1 .. 2; false for
 * 0. */
static bool to_doubles(const sli_number v[3], double out[3])
{
    int most = INT_MIN, exponent[3];
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = 0;
        if (v[axis].n > 0) {
            out[axis] = sli_number_mantissa(&v[axis], &exponent[axis]);
            most = exponent[axis] > most ? exponent[axis] : most;
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = out[axis] == 0 ? 0 : ldexp(out[axis], exponent[axis] - most);
    }
    return most != INT_MIN;
}

/* Where the way is so long and the radius so small that the normal is lost, it is against the
 * motion. */
static void set_normal(const sli_cell *cell, const sli_cell_numbers *n, const estimate *t,
                       double normal[3])
{
    sli_number place[3];
    double v[3], span[3];
    bool found;
    if (cell->dim == 2) {
        found = to_doubles(n->across_m, v);
    } else { /* y, or (e x y) x e */
        place_at(n->across_m, n->across_d, t, place);
        found = to_doubles(place, v);
    }
    if (cell->dim == 1) {
        (void)to_doubles(n->span[0], span);
        sli_cross(v, span, v);
    }
    const double sign = !found ? -1 : cell->dim == 2 ? n->side : 1;
    if (!found) {
        (void)to_doubles(n->d, v);
    }
    sli_norm_divide(v, normal);
    for (int axis = 0; axis < 3; axis++) {
        normal[axis] = sign * normal[axis] + 0.0;
    }
}

/* Where along the obstacle's edge, times size: e . y or, of a face it makes with the axis, (f x n)
 * . y. */
static void part_of_edge(const sli_cell *cell, const sli_cell_numbers *n, const estimate *t,
                         sli_number *part)
{
    sli_number offset[3], v[3];
    place_at(n->m, n->d, t, offset);
    if (cell->dim == 1) {
        sli_number_dot(n->span[0], offset, part);
    } else {
        sli_number_cross(n->span[1], n->across_m, v);
        sli_number_dot(v, offset, part);
    }
}

/* Where its ends are not much farther away than the point, all coordinates are below five times the
 * largest of the axis and its way, and some ten roundings of that add up. */
bool sli_round_point_on_edge(const double start[3], const double base[3], const double m[3],
                             const double e[3], const double dir[3], sl_contact *out)
{
    double y[3], size = 0, reach = 0;
    for (int axis = 0; axis < 3; axis++) {
        y[axis] = m[axis] + out->t * dir[axis];
        const double way = fabs(start[axis]) + fabs(dir[axis]);
        const double to_end = fabs(base[axis]) + fabs(e[axis]);
        size = way > size ? way : size;
        reach = to_end > reach ? to_end : reach;
    }
    const double over = sli_dot(e, e);
    if (!(reach <= 4 * size && over > 0x1p-900 && over < 0x1p900)) {
        return false;
    }
    const double along = sli_dot(e, y) / over, part = along < 0 ? 0 : along > 1 ? 1 : along;
    for (int axis = 0; axis < 3; axis++) {
        out->point[axis] = base[axis] + part * e[axis] + 0.0;
    }
    return true;
}

static bool set_point_on_edge(const sli_cell *cell, const sli_cell_numbers *n, const double dir[3],
                              sl_contact *out)
{
    double m[3], e[3];
    for (int axis = 0; axis < 3; axis++) {
        m[axis] = n->m[axis].value;
        e[axis] = n->span[0][axis].value;
    }
    return sli_round_point_on_edge(cell->start, cell->base, m, e, dir, out);
}

/* With the cell's corner c = start - m: c, or of an edge (c size + part e) / size, exactly up to
 * the division; of a face the axis' end less the radius along the normal. */
static void set_point(const sli_cell *cell, const sli_cell_numbers *n, const estimate *t,
                      const double dir[3], double distance, sl_contact *out)
{
    sli_number part, x, step;
    const bool on_edge = cell->on_obstacle == 1;
    if (on_edge && cell->dim == 1 && cell->shift_count == 0 &&
        set_point_on_edge(cell, n, dir, out)) {
        return;
    }
    if (on_edge) {
        part_of_edge(cell, n, t, &part);
    }
    for (int axis = 0; axis < 3; axis++) {
        const double start = cell->start[axis];
        if (cell->on_obstacle == 2) {
            out->point[axis] = start + out->t * dir[axis] - distance * out->normal[axis];
            continue;
        }
        sli_number_set(start, true, &x);
        sli_number_sub(&x, &n->m[axis], &x);
        if (on_edge) {
            sli_number_mul(&x, &n->size, &x);
            sli_number_mul(&part, &n->span[0][axis], &step);
            sli_number_add(&x, &step, &x);
            sli_number_div(&x, &n->size, &x);
        }
        out->point[axis] = x.value + 0.0;
    }
}

/* From a face at the start. */
static double height_of(const sli_cell_numbers *n)
{
    sli_number x;
    sli_number_sqrt(&n->size, &x);
    sli_number_div(&n->height, &x, &x);
    return fabs(x.value);
}

bool sli_round_meets_back(const sli_round *round)
{
    static const double zero[3] = { 0, 0, 0 };
    const double(*v)[3] = round->corner;
    sli_decision_stage stage;
    return round->is_triangle && sli_triple3d(zero, round->dir, v[0], v[1], v[0], v[2], &stage) > 0;
}

uint32_t sli_round_flags(const sli_round *round, int dim, bool back)
{
    static const uint32_t flags[3] = { SL_HIT_EDGE | SL_HIT_VERTEX, SL_HIT_EDGE, 0 };
    return (back ? SL_HIT_BACK : 0u) | (round->is_triangle ? flags[dim] : 0);
}

void sli_round_report(const sli_round *round, const sli_cell *cell, sli_cell_numbers *numbers,
                      sli_cell_event event, sl_contact *out)
{
    estimate t = { 0, 0, 0 };
    if (numbers->size.n < 0) {
        sli_cell_make(cell, round->dir, round->radius, true, numbers);
    }
    double distance = numbers->radius.value;
    if (event != SLI_CELL_NONE) {
        round_time(cell, numbers, event, &t, out);
    } else if (cell->dim == 2) {
        numbers->side = numbers->height.sign;
        distance = height_of(numbers);
    }
    set_normal(cell, numbers, &t, out->normal);
    set_point(cell, numbers, &t, round->dir, distance, out);
    out->flags = sli_round_flags(round, cell->on_obstacle, sli_round_meets_back(round));
}

void sli_round_report_inside(const sli_round *round, sl_contact *out)
{
    const double *p = round->end[0], *q = round->end[round->end_count - 1];
    double middle[3];
    for (int axis = 0; axis < 3; axis++) {
        middle[axis] = p[axis] / 2 + q[axis] / 2;
    }
    memset(out->normal, 0, sizeof out->normal);
    memcpy(out->point, middle, sizeof out->point);
    out->flags = sli_round_meets_back(round) ? SL_HIT_BACK : 0;
    if (round->is_triangle) {
        const double(*v)[3] = round->corner;
        sli_nearest_at(middle, v, out->point);
        sli_triangle_normal(v[0], v[1], v[2], out->normal);
        sli_norm_divide(out->normal, out->normal);
    }
}
