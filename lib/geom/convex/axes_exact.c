/* Separating axes with a body that moves: exactly. */
#include "lib/geom/convex/axes.h"

#define EPS 0x1p-53

void sli_dot_point(const sli_number n[3], const double p[3], sli_number *out)
{
    sli_number x, term, sum;
    sli_number_set(0, true, &sum);
    for (int axis = 0; axis < 3; axis++) {
        if (p[axis] != 0 && n[axis].n != 0) {
            sli_number_set(p[axis], true, &x);
            sli_number_mul(&n[axis], &x, &term);
            sli_number_add(&sum, &term, &sum);
        }
    }
    sli_number_copy(&sum, out);
}

static void exact_keep(sli_number *extreme, const sli_number *x, int sign)
{
    sli_number difference;
    sli_number_sub(x, extreme, &difference);
    if (difference.sign == sign) {
        sli_number_copy(x, extreme);
    }
}

typedef struct exact_extent {
    sli_number low, high;
    bool is_low, is_high; /* whether they are finite */
} exact_extent;

static void add_limit(sli_number *sum, bool *is_finite, const sli_number *slope, double limit)
{
    sli_number factor;
    if (!isfinite(limit)) {
        *is_finite = false;
        return;
    }
    sli_number_set(limit, true, &factor);
    sli_number_mul(slope, &factor, &factor);
    sli_number_add(sum, &factor, sum);
}

static void exact_box(const sli_body *box, const sli_number n[3], exact_extent *out)
{
    sli_dot_point(n, box->point[0], &out->low);
    sli_number_copy(&out->low, &out->high);
    for (int i = 0; i < 3; i++) {
        sli_number slope;
        sli_dot_point(n, box->edge[i], &slope);
        if (slope.n > 0) {
            const bool rising = slope.sign > 0;
            add_limit(&out->low, &out->is_low, &slope, rising ? box->low[i] : box->high[i]);
            add_limit(&out->high, &out->is_high, &slope, rising ? box->high[i] : box->low[i]);
        }
    }
}

/* Only corners that doubles do not tell from the first or the last along the axis are asked about:
 * its coordinates are off by 2 EPS, a sum so by less than 8 EPS of what it is made of. */
static void exact_hull(const sli_mover *mover, const sli_number n[3], exact_extent *out)
{
    const sli_hull *hull = mover->hull;
    const double wide[3] = { n[0].value, n[1].value, n[2].value };
    double low = INFINITY, high = -INFINITY, slack = 0;
    for (int axis = 0; axis < 3; axis++) {
        slack += 32 * EPS * fabs(wide[axis]) * mover->reach[axis];
    }
    sli_hull_extent(mover, wide, &low, &high);
    bool some_low = false, some_high = false;
    for (int i = 0; i < hull->corners; i++) {
        double x[3];
        sli_number at;
        sli_subtract(hull->corner[i], mover->reference, x);
        const double near = sli_dot(wide, x);
        if (near > low + slack && near < high - slack) {
            continue;
        }
        sli_dot_point(n, hull->corner[i], &at);
        if (near <= low + slack) {
            some_low ? exact_keep(&out->low, &at, -1) : sli_number_copy(&at, &out->low);
            some_low = true;
        }
        if (near >= high - slack) {
            some_high ? exact_keep(&out->high, &at, 1) : sli_number_copy(&at, &out->high);
            some_high = true;
        }
    }
}

static void exact_triangle(const sli_body *triangle, const sli_number n[3], exact_extent *out)
{
    sli_dot_point(n, triangle->point[0], &out->low);
    sli_number_copy(&out->low, &out->high);
    for (int i = 1; i < 3; i++) {
        sli_number at;
        sli_dot_point(n, triangle->point[i], &at);
        exact_keep(&out->low, &at, -1);
        exact_keep(&out->high, &at, 1);
    }
}

/* The same as filter_side, where 0 is both: the hull has no extent along the axis. */
static int exact_side(const sli_axis_pick *pick, const sli_number n[3])
{
    int sign[2];
    for (int i = 0; i < 2; i++) {
        sli_number at, third;
        sli_dot_point(n, pick->at, &at);
        sli_dot_point(n, pick->third[i], &third);
        sli_number_sub(&third, &at, &third);
        sign[i] = third.sign;
    }
    if (sign[0] * sign[1] < 0) {
        return 2;
    }
    return sign[0] != 0 ? -sign[0] : -sign[1];
}

static bool exact_normal(const sli_axis_pick *pick, sli_number n[3])
{
    sli_number u[3], w[3];
    for (int axis = 0; axis < 3; axis++) {
        sli_number_diff(pick->u.head[axis], pick->u.tail[axis], true, &u[axis]);
        sli_number_diff(pick->w.head[axis], pick->w.tail[axis], true, &w[axis]);
    }
    sli_number_cross(u, w, n);
    return n[0].n != 0 || n[1].n != 0 || n[2].n != 0;
}

/* The mover's extent; one end only on the side that is known.  False: the axis bounds nothing. */
static bool exact_mover(const sli_axes *axes, const sli_axis_pick *pick, const sli_number n[3],
                        exact_extent *out)
{
    const sli_mover *mover = axes->mover;
    out->is_low = out->is_high = true;
    if (pick->at != NULL) {
        const int side = pick->third[0] != NULL ? exact_side(pick, n) : 1;
        if (side == 2) {
            return false;
        }
        sli_dot_point(n, pick->at, &out->low);
        sli_number_copy(&out->low, &out->high);
        out->is_low = side <= 0;
        out->is_high = side >= 0;
    } else if (mover->box != NULL) {
        exact_box(mover->box, n, out);
    } else {
        exact_hull(mover, n, out);
    }
    return true;
}

bool sli_axis_is_some(const sli_axis_pick *pick)
{
    sli_number n[3];
    return exact_normal(pick, n);
}

bool sli_axes_normal(const sli_axes *axes, int axis, sli_number n[3])
{
    sli_axis_pick pick;
    sli_axes_find(axes, axis, &pick);
    return exact_normal(&pick, n);
}

bool sli_axes_exact(const sli_axes *axes, int axis, sli_exact_axis *out)
{
    sli_axis_pick pick;
    exact_extent own, other;
    sli_axes_find(axes, axis, &pick);
    if (!exact_normal(&pick, out->n) || !exact_mover(axes, &pick, out->n, &own)) {
        return false;
    }
    other.is_low = other.is_high = true;
    if (axes->target->box) {
        exact_box(axes->target, out->n, &other);
    } else {
        exact_triangle(axes->target, out->n, &other);
    }
    sli_dot_point(out->n, axes->dir, &out->speed);
    sli_number_sub(&other.low, &own.high, &out->ahead);
    sli_number_sub(&other.high, &own.low, &out->behind);
    out->is_ahead = other.is_low && own.is_high;
    out->is_behind = other.is_high && own.is_low;
    return true;
}

bool sli_axes_meet(const sli_axes *axes)
{
    bool doubtful = false;
    sli_gauge gauge;
    for (int i = 0; i < axes->count; i++) {
        if (sli_axes_gauge(axes, i, &gauge)) {
            if (gauge.apart) {
                return false;
            }
            doubtful = doubtful || gauge.doubtful;
        }
    }
    for (int i = 0; i < axes->count && doubtful; i++) {
        sli_exact_axis exact;
        if (sli_axes_gauge(axes, i, &gauge) && gauge.doubtful && sli_axes_exact(axes, i, &exact) &&
            ((exact.is_ahead && exact.ahead.sign > 0) ||
             (exact.is_behind && exact.behind.sign < 0))) {
            return false;
        }
    }
    return true;
}
