#include "test/support/oracle/path_oracle.h"

#include "test/support/oracle/rational.h"

#include <math.h>

static mpq_t *numbers(path_oracle *o, int i)
{
    mpq_t *const all[10] = { &o->origin[0], &o->origin[1], &o->origin[2], &o->dir[0], &o->dir[1],
                             &o->dir[2],    &o->t,         &o->first,     &o->last,   &o->x };
    return all[i];
}

void path_oracle_init(path_oracle *o)
{
    for (int i = 0; i < 10; i++) {
        mpq_init(*numbers(o, i));
    }
}

void path_oracle_clear(path_oracle *o)
{
    for (int i = 0; i < 10; i++) {
        mpq_clear(*numbers(o, i));
    }
}

void path_oracle_set(path_oracle *o, const sl_line *line)
{
    o->tmin = (double)line->tmin;
    o->tmax = (double)line->tmax;
    for (int axis = 0; axis < 3; axis++) {
        rational_set(o->origin[axis], (double)line->origin[axis]);
        rational_set(o->dir[axis], (double)line->head[axis]);
        rational_set(o->x, (double)line->tail[axis]);
        mpq_sub(o->dir[axis], o->dir[axis], o->x);
    }
}

static float rounded(const mpq_t x)
{
    return rational_round(mpq_numref(x), mpq_denref(x), 0);
}

/* Sign of t - limit. */
static int compare(path_oracle *o, const mpq_t t, double limit)
{
    if (isinf(limit)) {
        return limit > 0 ? -1 : 1;
    }
    rational_set(o->x, limit);
    return mpq_cmp(t, o->x);
}

static void find_t(path_oracle *o, int axis, float k, mpq_t t)
{
    rational_set(t, (double)k);
    mpq_sub(t, t, o->origin[axis]);
    mpq_div(t, t, o->dir[axis]);
}

/* x = the coordinate at t. */
static void find_coordinate(path_oracle *o, const mpq_t t, int axis)
{
    mpq_mul(o->x, t, o->dir[axis]);
    mpq_add(o->x, o->x, o->origin[axis]);
}

static void find_point(path_oracle *o, const mpq_t t, float point[3])
{
    for (int axis = 0; axis < 3; axis++) {
        find_coordinate(o, t, axis);
        point[axis] = rounded(o->x);
    }
}

sl_plane_meet path_oracle_plane(path_oracle *o, int axis, float k, sl_plane_hit *hit)
{
    sl_plane_meet meet = SL_PLANE_POINT;
    if (o->tmin == INFINITY || o->tmax == -INFINITY) {
        return SL_PLANE_MISS;
    }
    if (mpq_sgn(o->dir[axis]) == 0) {
        rational_set(o->x, (double)k);
        if (!mpq_equal(o->x, o->origin[axis])) {
            return SL_PLANE_MISS;
        }
        rational_set(o->t, o->tmin > 0 ? o->tmin : o->tmax < 0 ? o->tmax : 0);
        meet = SL_PLANE_WITHIN;
    } else {
        find_t(o, axis, k, o->t);
        if (compare(o, o->t, o->tmin) < 0 || compare(o, o->t, o->tmax) > 0) {
            return SL_PLANE_MISS;
        }
    }
    hit->t = rounded(o->t);
    find_point(o, o->t, hit->point);
    return meet;
}

/* Whether the place at tmin lies strictly between all faces. */
static bool starts_inside(path_oracle *o, const sl_aabb *box)
{
    mpq_t bound;
    mpq_init(bound);
    bool inside = true;
    for (int axis = 0; axis < 3; axis++) {
        if (isinf(o->tmin) && mpq_sgn(o->dir[axis]) != 0) {
            inside = false;
            continue;
        }
        rational_set(o->t, isinf(o->tmin) ? 0 : o->tmin);
        find_coordinate(o, o->t, axis);
        rational_set(bound, (double)box->min[axis]);
        inside = inside && mpq_cmp(o->x, bound) > 0;
        rational_set(bound, (double)box->max[axis]);
        inside = inside && mpq_cmp(o->x, bound) < 0;
    }
    mpq_clear(bound);
    return inside;
}

/* The last near crossing and the first far one, and their axes (-1: none); false where an axis that
 * nothing moves along lies outside. */
static bool find_span(path_oracle *o, const sl_aabb *box, int *near_axis, int *far_axis)
{
    *near_axis = *far_axis = -1;
    for (int axis = 0; axis < 3; axis++) {
        const int sign = mpq_sgn(o->dir[axis]);
        if (sign == 0) {
            mpq_set(o->t, o->origin[axis]);
            if (compare(o, o->t, (double)box->min[axis]) < 0 ||
                compare(o, o->t, (double)box->max[axis]) > 0) {
                return false;
            }
            continue;
        }
        find_t(o, axis, sign > 0 ? box->min[axis] : box->max[axis], o->t);
        if (*near_axis < 0 || mpq_cmp(o->t, o->first) > 0) {
            mpq_set(o->first, o->t);
            *near_axis = axis;
        }
        find_t(o, axis, sign > 0 ? box->max[axis] : box->min[axis], o->t);
        if (*far_axis < 0 || mpq_cmp(o->t, o->last) < 0) {
            mpq_set(o->last, o->t);
            *far_axis = axis;
        }
    }
    return true;
}

static sl_box_face face_of(path_oracle *o, int axis, bool entry)
{
    const bool up = mpq_sgn(o->dir[axis]) > 0;
    return (sl_box_face)(2 * axis + (up != entry));
}

bool path_oracle_box(path_oracle *o, const sl_aabb *box, sl_aabb_hit *hit)
{
    int near_axis, far_axis;
    if (o->tmin == INFINITY || o->tmax == -INFINITY || !find_span(o, box, &near_axis, &far_axis)) {
        return false;
    }
    *hit = (sl_aabb_hit){ .t0 = (float)o->tmin + 0.0f,
                          .t1 = (float)o->tmax + 0.0f,
                          .entry = SL_BOX_FACE_NONE,
                          .exit = SL_BOX_FACE_NONE };
    if (near_axis >= 0) { /* and so is far_axis */
        if (mpq_cmp(o->first, o->last) > 0 || compare(o, o->first, o->tmax) > 0 ||
            compare(o, o->last, o->tmin) < 0) {
            return false;
        }
        if (compare(o, o->first, o->tmin) >= 0) {
            hit->t0 = rounded(o->first);
            hit->entry = face_of(o, near_axis, true);
        }
        if (compare(o, o->last, o->tmax) <= 0) {
            hit->t1 = rounded(o->last);
            hit->exit = face_of(o, far_axis, false);
        }
    }
    hit->inside = starts_inside(o, box);
    hit->face = hit->entry;
    if (hit->entry == SL_BOX_FACE_NONE) {
        rational_set(o->first, isinf(o->tmin) ? (o->tmax < 0 ? o->tmax : 0) : o->tmin);
    } else {
        hit->normal[hit->face / 2] = hit->face % 2 != 0 ? 1 : -1;
    }
    hit->t = rounded(o->first);
    find_point(o, o->first, hit->point);
    return true;
}
