/* How far a box reaches along an axis, r = sum half_i |n . axis_i|, and the axis-aligned boxes
 * around transformed boxes that follow from it.
 * Source   Ericson, Real-Time Collision Detection (2005), 5.2.3; Arvo, Transforming Axis-Aligned
 *          Bounding Boxes (1990). */
#include "lib/base/fpenv.h"
#include "lib/geom/exact/arithmetic/round_root.h"
#include "lib/geom/exact/valid.h"

#include <sightline/closest.h>

static void add_size(sli_number *sum, sli_number *x, bool *unsure)
{
    if (sli_number_sign(x, unsure) < 0) {
        sli_number_turn(x, -1);
    }
    sli_number_add(sum, x, sum);
}

/* Twice the radius of an axis-aligned box, times |n|; false if it is infinite. */
static bool reach_of_aabb(const sl_aabb *box, const float n[3], bool exact, sli_number *sum,
                          bool *unsure)
{
    sli_number_set(0, exact, sum);
    for (int axis = 0; axis < 3; axis++) {
        if (n[axis] == 0) {
            continue;
        }
        if (isinf(box->min[axis]) || isinf(box->max[axis])) {
            return false;
        }
        sli_number size, x;
        sli_number_diff(box->max[axis], box->min[axis], exact, &size);
        sli_number_set(n[axis], exact, &x);
        sli_number_mul(&size, &x, &x);
        add_size(sum, &x, unsure);
    }
    return true;
}

static void reach_of_obb(const sl_obb *box, const float n[3], bool exact, sli_number *sum,
                         bool *unsure)
{
    sli_number along[3], axis[3], half, x;
    sli_number_set3(n, exact, along);
    sli_number_set(0, exact, sum);
    for (int i = 0; i < 3; i++) {
        sli_number_set3(box->axis[i], exact, axis);
        sli_number_set(box->half[i], exact, &half);
        sli_number_dot(along, axis, &x);
        sli_number_mul(&half, &x, &x);
        add_size(sum, &x, unsure);
    }
}

/* For one of the two boxes; the other is NULL.  over_length: sum / |n| rather than the sum. */
typedef struct radius_query {
    const sl_aabb *aabb;
    const sl_obb *obb;
    const float *n;
    bool over_length;
} radius_query;

static float projected_radius_answer(const radius_query *q, bool exact, bool *unsure)
{
    sli_number sum, n[3], over;
    if (q->aabb == NULL) {
        reach_of_obb(q->obb, q->n, exact, &sum, unsure);
    } else if (!reach_of_aabb(q->aabb, q->n, exact, &sum, unsure)) {
        return INFINITY;
    }
    sli_number scale;
    sli_number_set(q->aabb != NULL ? 2 : 1, exact, &scale);
    if (!q->over_length) {
        return sli_number_round_ratio(&sum, &scale, unsure);
    }
    sli_number_set3(q->n, exact, n);
    sli_number_dot(n, n, &over);
    sli_number_mul(&over, &scale, &over);
    sli_number_mul(&over, &scale, &over);
    return sli_round_height(&sum, &over, unsure);
}

static SLI_NOINLINE float find_radius(const radius_query *q)
{
    const float *n = q->n;
    if (!sli_finite(n, 3) || (n[0] == 0 && n[1] == 0 && n[2] == 0) ||
        (q->obb != NULL && !sli_obb_is_valid(q->obb))) {
        return 0;
    }
    bool unsure = false;
    const float radius = projected_radius_answer(q, false, &unsure);
    return unsure ? projected_radius_answer(q, true, &unsure) : radius;
}

static sl_radius in_environment(const sl_aabb *aabb, const sl_obb *obb, const float n[3])
{
    sl_radius found = { 0, 0 };
    if (aabb == NULL || !sl_aabb_is_empty(aabb)) {
        const radius_query q = { aabb, obb, n, true }, sum = { aabb, obb, n, false };
        found.radius = SLI_IN_FPENV(find_radius(&q));
        found.sum = SLI_IN_FPENV(find_radius(&sum));
    }
    return found;
}

sl_radius sl_aabb_radius(const sl_aabb *box, const float n[3])
{
    return in_environment(box, NULL, n);
}

sl_radius sl_obb_radius(const sl_obb *box, const float n[3])
{
    return in_environment(NULL, box, n);
}

/* The nearest float that is not above an exact number (towards = -1), or not below it (1). */
static float round_outward(const sli_number *x, int towards)
{
    bool unsure = false;
    const float nearest = sli_number_round(x, &unsure);
    if (isinf(nearest)) {
        return nearest * (float)towards > 0 ? nearest : copysignf(FLT_MAX, nearest);
    }
    sli_number rest;
    sli_number_set(nearest, true, &rest);
    sli_number_sub(x, &rest, &rest);
    return sli_number_sign(&rest, &unsure) * towards > 0
               ? nextafterf(nearest, towards > 0 ? INFINITY : -INFINITY) + 0.0f
               : nearest;
}

static SLI_NOINLINE sl_aabb box_of_obb(const sl_obb *box)
{
    sl_aabb around = sl_aabb_empty();
    if (!sli_obb_is_valid(box)) {
        return around;
    }
    for (int axis = 0; axis < 3; axis++) {
        const float n[3] = { axis == 0, axis == 1, axis == 2 };
        sli_number centre, radius, end;
        bool unsure = false;
        sli_number_set(box->centre[axis], true, &centre);
        reach_of_obb(box, n, true, &radius, &unsure);
        sli_number_sub(&centre, &radius, &end);
        around.min[axis] = round_outward(&end, -1);
        sli_number_add(&centre, &radius, &end);
        around.max[axis] = round_outward(&end, 1);
    }
    return around;
}

sl_aabb sl_aabb_of_obb(const sl_obb *box)
{
    return SLI_IN_FPENV(box_of_obb(box));
}

/* The minimum (towards = -1) or maximum (1) of one coordinate of the image: for every axis, the
 * sign of its matrix element selects the bound. */
static float end_of_image(const sl_aabb *box, const float m[16], int row, int towards)
{
    sli_number sum, entry, bound;
    sli_number_set(m[12 + row], true, &sum);
    for (int axis = 0; axis < 3; axis++) {
        const float x = m[4 * axis + row];
        const float chosen = (x > 0) == (towards > 0) ? box->max[axis] : box->min[axis];
        if (x == 0) {
            continue;
        }
        if (isinf(chosen)) {
            return towards > 0 ? INFINITY : -INFINITY;
        }
        sli_number_set(x, true, &entry);
        sli_number_set(chosen, true, &bound);
        sli_number_mul(&entry, &bound, &entry);
        sli_number_add(&sum, &entry, &sum);
    }
    return round_outward(&sum, towards);
}

static SLI_NOINLINE sl_aabb projected_radius_image(const sl_aabb *box, const float m[16])
{
    sl_aabb around;
    for (int row = 0; row < 3; row++) {
        around.min[row] = end_of_image(box, m, row, -1);
        around.max[row] = end_of_image(box, m, row, 1);
    }
    return around;
}

sl_aabb sl_aabb_transform(const sl_aabb *box, const float m[16])
{
    bool usable = !sl_aabb_is_empty(box);
    for (int column = 0; column < 4; column++) {
        usable = usable && sli_finite(m + 4 * (size_t)column, 3);
    }
    if (!usable) {
        return sl_aabb_empty();
    }
    return SLI_IN_FPENV(projected_radius_image(box, m));
}
