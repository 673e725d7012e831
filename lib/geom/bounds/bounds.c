/* The algebra of axis-aligned boxes.  Comparisons need the floating-point environment too: if
 * denormals are taken for zero they compare as equal. */
#include "lib/base/fpenv.h"
#include "lib/geom/exact/predicates.h"
#include "lib/geom/exact/valid.h"

#include <sightline/closest.h>

#include <math.h>

static float bounds_smaller(float a, float b)
{
    return a < b ? a : b;
}

static float bounds_larger(float a, float b)
{
    return a > b ? a : b;
}

static SLI_NOINLINE void add_points(sl_aabb *box, const float *xyz, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const float *point = xyz + 3 * i;
        if (!isnan(point[0]) && !isnan(point[1]) && !isnan(point[2])) {
            sli_aabb_reach(box, point);
        }
    }
}

sl_aabb sl_aabb_of_points(const float *xyz, size_t count)
{
    sl_aabb box = sl_aabb_empty();
    SLI_DO_IN_FPENV(add_points(&box, xyz, count));
    return box;
}

sl_aabb sl_aabb_grow(const sl_aabb *box, const float point[3])
{
    sl_aabb grown = sl_aabb_is_empty(box) ? sl_aabb_empty() : *box;
    SLI_DO_IN_FPENV(add_points(&grown, point, 1));
    return grown;
}

static SLI_NOINLINE sl_aabb bounds_join(const sl_aabb *a, const sl_aabb *b)
{
    sl_aabb both;
    for (int axis = 0; axis < 3; axis++) {
        both.min[axis] = bounds_smaller(a->min[axis], b->min[axis]);
        both.max[axis] = bounds_larger(a->max[axis], b->max[axis]);
    }
    return both;
}

sl_aabb sl_aabb_join(const sl_aabb *a, const sl_aabb *b)
{
    if (sl_aabb_is_empty(a)) {
        return sl_aabb_is_empty(b) ? sl_aabb_empty() : *b;
    }
    if (sl_aabb_is_empty(b)) {
        return *a;
    }
    return SLI_IN_FPENV(bounds_join(a, b));
}

static SLI_NOINLINE sl_aabb bounds_intersect(const sl_aabb *a, const sl_aabb *b)
{
    sl_aabb shared;
    for (int axis = 0; axis < 3; axis++) {
        shared.min[axis] = bounds_larger(a->min[axis], b->min[axis]);
        shared.max[axis] = bounds_smaller(a->max[axis], b->max[axis]);
    }
    return shared;
}

sl_aabb sl_aabb_intersect(const sl_aabb *a, const sl_aabb *b)
{
    if (sl_aabb_is_empty(a) || sl_aabb_is_empty(b)) {
        return sl_aabb_empty();
    }
    const sl_aabb shared = SLI_IN_FPENV(bounds_intersect(a, b));
    return sl_aabb_is_empty(&shared) ? sl_aabb_empty() : shared;
}

static SLI_NOINLINE bool bounds_covers(const sl_aabb *box, const float low[3], const float high[3])
{
    for (int axis = 0; axis < 3; axis++) {
        if (!(box->min[axis] <= low[axis] && high[axis] <= box->max[axis])) {
            return false;
        }
    }
    return true;
}

bool sli_aabb_contains_box(const sl_aabb *outer, const sl_aabb *inner)
{
    if (sl_aabb_is_empty(inner)) {
        return true;
    }
    return SLI_IN_FPENV(bounds_covers(outer, inner->min, inner->max));
}

/* (max + sign * min) * scale.  Rounding sums of two floats to double and then to float is the same
 * as rounding once; see exact/shapes.c. */
static void bounds_halves(const sl_aabb *box, double sign, double scale, float out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = (float)(((double)box->max[axis] + sign * (double)box->min[axis]) * scale);
    }
}

static double bounds_area(const sl_aabb *box)
{
    double size[3];
    for (int axis = 0; axis < 3; axis++) {
        size[axis] = (double)box->max[axis] - (double)box->min[axis];
        if (isinf(size[axis])) {
            return INFINITY; /* even if another side is 0 */
        }
    }
    return 2 * (size[0] * size[1] + size[1] * size[2] + size[2] * size[0]);
}

/* Whether side a is longer than side b. */
static bool is_longer(const sl_aabb *box, int a, int b)
{
    const double al = box->min[a], ah = box->max[a], bl = box->min[b], bh = box->max[b];
    if (isinf(ah - al) || isinf(bh - bl)) {
        return ah - al > bh - bl;
    }
    return sli_compare_products(ah, al, 1, bh, bl, 1) > 0;
}

static int longest_axis(const sl_aabb *box)
{
    int longest = is_longer(box, 1, 0) ? 1 : 0;
    return is_longer(box, 2, longest) ? 2 : longest;
}

static SLI_NOINLINE void bounds_measure(const sl_aabb *box, sl_aabb_measures *out)
{
    bounds_halves(box, 1, 0.5, out->centre);
    bounds_halves(box, -1, 1, out->size);
    out->area = bounds_area(box);
    out->longest_axis = longest_axis(box);
}

sl_aabb_measures sl_aabb_measure(const sl_aabb *box)
{
    sl_aabb_measures all = { { 0 }, { 0 }, 0, 0 };
    if (!sl_aabb_is_empty(box)) {
        SLI_DO_IN_FPENV(bounds_measure(box, &all));
    }
    return all;
}
