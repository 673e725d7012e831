/* The extent of triangles and boxes along a direction, in doubles and in numbers: for separating
 * axes, frusta and planes. */
#include "lib/geom/convex/support.h"
#include "lib/geom/exact/valid.h"

#include "lib/geom/convex/shapes_d.h"

void sli_body_of_triangle_d(const sl_triangle_d *triangle, sli_body *out)
{
    out->box = false;
    memcpy(out->point, triangle->v, sizeof out->point);
}

void sli_body_of_segment_d(const double p[3], const double q[3], sli_body *out)
{
    out->box = false;
    memcpy(out->point[0], p, sizeof out->point[0]);
    memcpy(out->point[1], q, sizeof out->point[1]);
    memcpy(out->point[2], q, sizeof out->point[2]);
}

void sli_body_of_aabb_d(const sl_aabb_d *box, sli_body *out)
{
    out->box = true;
    for (int i = 0; i < 3; i++) {
        out->point[0][i] = 0;
        for (int axis = 0; axis < 3; axis++) {
            out->edge[i][axis] = axis == i ? 1 : 0;
        }
        out->low[i] = box->min[i];
        out->high[i] = box->max[i];
    }
}

bool sli_body_of_aabb(const sl_aabb *box, sli_body *out)
{
    const sl_aabb_d wide = sli_aabb_d_of(box);
    sli_body_of_aabb_d(&wide, out);
    return !sl_aabb_is_empty(box);
}

void sli_body_of_obb_d(const sl_obb_d *box, sli_body *out)
{
    out->box = true;
    memcpy(out->point[0], box->centre, sizeof out->point[0]);
    memcpy(out->edge, box->axis, sizeof out->edge);
    for (int i = 0; i < 3; i++) {
        out->low[i] = -box->half[i];
        out->high[i] = box->half[i];
    }
}

bool sli_body_of_obb(const sl_obb *box, sli_body *out)
{
    const sl_obb_d wide = sli_obb_d_of(box);
    sli_body_of_obb_d(&wide, out);
    return sli_obb_is_valid(box);
}

void sli_support_filter_make(const sli_body *body, sli_support_filter *out)
{
    out->body = body;
    for (int axis = 0; axis < 3; axis++) {
        double reach = fabs(body->point[0][axis]);
        for (int i = 0; i < 3; i++) {
            if (body->box) {
                const double most = fmax(fabs(body->low[i]), fabs(body->high[i]));
                out->edge[i][axis] = body->edge[i][axis];
                reach += fabs(body->edge[i][axis]) * most;
            } else {
                const double x = body->point[i][axis];
                out->edge[i][axis] = body->point[(i + 1) % 3][axis] - x;
                reach = fmax(reach, fabs(x));
            }
        }
        out->reach[axis] = reach;
    }
}

void sli_support_filter_extent(const sli_support_filter *support, const double n[3], double *low,
                               double *high)
{
    const sli_body *body = support->body;
    *low = *high = sli_dot(n, body->point[0]);
    for (int i = 0; i < 3; i++) {
        if (body->box) {
            const double slope = sli_dot(n, body->edge[i]);
            const double first = slope * body->low[i], last = slope * body->high[i];
            *low += first < last ? first : last;
            *high += first < last ? last : first;
        } else {
            const double x = sli_dot(n, body->point[i]);
            *low = x < *low ? x : *low;
            *high = x > *high ? x : *high;
        }
    }
}

void sli_support_edge(const sli_support *support, int i, sli_number out[3])
{
    const sli_body *body = support->body;
    for (int axis = 0; axis < 3; axis++) {
        if (body->box) {
            sli_number_set(body->edge[i][axis], support->exact, &out[axis]);
        } else {
            sli_number_diff(body->point[(i + 1) % 3][axis], body->point[i][axis], support->exact,
                            &out[axis]);
        }
    }
}

/* n . point[i]. */
static void support_at(const sli_support *support, const sli_number n[3], int i, sli_number *out)
{
    sli_number point[3];
    for (int axis = 0; axis < 3; axis++) {
        sli_number_set(support->body->point[i][axis], support->exact, &point[axis]);
    }
    sli_number_dot(n, point, out);
}

/* Sets *extreme to the larger of *extreme and x, or to the smaller for a sign of -1.  In doubles,
 * where both are close, either may be taken: the true one is then within the larger of the two
 * errors. */
static void keep_extreme(sli_number *extreme, const sli_number *x, int sign)
{
    sli_number difference;
    sli_number_sub(x, extreme, &difference);
    const double error = fmax(x->error, extreme->error);
    if (sign * difference.value > 0) {
        sli_number_copy(x, extreme);
    }
    if (extreme->n < 0) {
        extreme->error = error;
    }
}

static void extent_of_triangle(const sli_support *support, const sli_number n[3], sli_extent *out)
{
    support_at(support, n, 0, &out->low);
    sli_number_copy(&out->low, &out->high);
    for (int i = 1; i < 3; i++) {
        sli_number x;
        support_at(support, n, i, &x);
        keep_extreme(&out->low, &x, -1);
        keep_extreme(&out->high, &x, 1);
    }
}

/* *sum += slope * limit. */
static void add_limit(sli_number *sum, const sli_number *slope, double limit)
{
    sli_number factor, term;
    sli_number_set(limit, slope->n >= 0, &factor);
    sli_number_mul(slope, &factor, &term);
    sli_number_add(sum, &term, sum);
}

/* Adds the contribution of edge i; slope is n . edge, whose sign selects the limit for each end.
 * If the sign is unsure, the contribution is between -|slope| and |slope| times the larger limit.
 */
static void add_edge(const sli_support *support, int i, const sli_number *slope, sli_extent *out)
{
    const double low = support->body->low[i], high = support->body->high[i];
    bool unsure = false;
    const int sign = sli_number_sign(slope, &unsure);
    const bool bounded_below = isfinite(low), bounded_above = isfinite(high);
    if (unsure) {
        const double reach = fmax(bounded_below ? fabs(low) : 0, bounded_above ? fabs(high) : 0);
        const double error = sli_certain((fabs(slope->value) + slope->error) * reach);
        const bool open = !bounded_below || !bounded_above;
        out->low.error += error;
        out->high.error += error;
        out->no_low = open && out->no_low == SLI_NO ? SLI_UNSURE : out->no_low;
        out->no_high = open && out->no_high == SLI_NO ? SLI_UNSURE : out->no_high;
        return;
    }
    if (sign == 0) {
        return;
    }
    const bool rising = sign > 0;
    const double first = rising ? low : high, last = rising ? high : low;
    if (isfinite(first)) {
        add_limit(&out->low, slope, first);
    } else {
        out->no_low = SLI_YES;
    }
    if (isfinite(last)) {
        add_limit(&out->high, slope, last);
    } else {
        out->no_high = SLI_YES;
    }
}

void sli_support_extent(const sli_support *support, const sli_number n[3], sli_extent *out)
{
    out->no_low = out->no_high = SLI_NO;
    if (!support->body->box) {
        extent_of_triangle(support, n, out);
        return;
    }
    support_at(support, n, 0, &out->low);
    sli_number_copy(&out->low, &out->high);
    for (int i = 0; i < 3; i++) {
        sli_number edge[3], slope;
        sli_support_edge(support, i, edge);
        sli_number_dot(n, edge, &slope);
        add_edge(support, i, &slope, out);
    }
}

sli_tribool sli_extent_above(const sli_extent *extent, const sli_number *value)
{
    if (extent->no_low == SLI_YES) {
        return SLI_NO;
    }
    sli_number gap;
    sli_number_sub(&extent->low, value, &gap);
    return sli_and(sli_is_positive(&gap), sli_not(extent->no_low));
}

sli_tribool sli_extent_below(const sli_extent *extent, const sli_number *value)
{
    if (extent->no_high == SLI_YES) {
        return SLI_NO;
    }
    sli_number gap;
    sli_number_sub(value, &extent->high, &gap);
    return sli_and(sli_is_positive(&gap), sli_not(extent->no_high));
}
