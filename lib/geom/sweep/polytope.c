/* When a box or a hull that moves first touches a triangle or a box: by separating axes
 * (convex/axes.h), first in doubles.
 *
 * Doubles give limits of E, the largest entry, and X, the least exit (sweep.h).  Where these decide
 * and one axis alone can be that of E, only that one is made exactly, for t.  Else all axes are
 * made exactly that may be E's or X's or are doubtful, and all is decided about their ratios, which
 * are compared by products of degree 7.  Of several axes with the same E the first one counts. */
#include "lib/geom/sweep/polytope.h"

#include "lib/base/inline.h"
#include "lib/geom/exact/arithmetic/rounding.h"
#include "lib/geom/exact/predicates.h"

#include <string.h>

/* Limits of E and X, and which axis has the largest lower limit of E, alone or not. */
typedef struct span_filter {
    double entry_low, entry_high, exit_low, exit_high;
    bool doubtful, alone;
    int axis;
} span_filter;

/* False: surely no contact up to the limit. */
static bool filter_span(const sli_axes *axes, double limit, span_filter *out)
{
    double own_high = -INFINITY, other_high = -INFINITY;
    *out = (span_filter){ .entry_low = -INFINITY,
                          .entry_high = -INFINITY,
                          .exit_low = INFINITY,
                          .exit_high = INFINITY,
                          .axis = -1 };
    for (int i = 0; i < axes->count; i++) {
        sli_gauge g;
        if (!sli_axes_gauge(axes, i, &g)) {
            continue;
        }
        if (g.entry_low > out->entry_low) {
            other_high = fmax(other_high, own_high);
            out->entry_low = g.entry_low;
            out->axis = i;
            own_high = g.entry_high;
        } else {
            other_high = fmax(other_high, g.entry_high);
        }
        out->entry_high = fmax(out->entry_high, g.entry_high);
        out->exit_low = fmin(out->exit_low, g.exit_low);
        out->exit_high = fmin(out->exit_high, g.exit_high);
        out->doubtful = out->doubtful || g.doubtful;
        if (g.apart || out->entry_low > limit || out->entry_low > out->exit_high) {
            return false;
        }
    }
    out->alone = other_high < out->entry_low;
    return true;
}

/* E and X exactly: ratios with denominators above 0.  Touch: the first axis along which the two
 * only touch at the start, and its sign towards the mover. */
typedef struct span {
    sli_number entry, entry_over, exit, exit_over;
    bool is_entry, is_exit; /* whether there is one */
    int entry_axis, entry_sign;
    int touch_axis, touch_sign;
    bool inside; /* along all axes on which the mover does not move they have more than a point */
} span;

/* The sign of a / b - c / d, for b, d > 0. */
static int compare_ratios(const sli_number *a, const sli_number *b, const sli_number *c,
                          const sli_number *d)
{
    sli_number left, right;
    sli_number_mul(a, d, &left);
    sli_number_mul(c, b, &right);
    sli_number_sub(&left, &right, &left);
    return left.sign;
}

static void span_ratio(const sli_number *num, const sli_number *speed, sli_number *out,
                       sli_number *over)
{
    sli_number_copy(num, out);
    sli_number_copy(speed, over);
    sli_number_turn(out, speed->sign);
    sli_number_turn(over, speed->sign);
}

/* False: apart at every t. */
static bool span_add(const sli_exact_axis *axis, int index, span *out)
{
    const int s = axis->speed.sign;
    const bool is_ahead = axis->is_ahead, is_behind = axis->is_behind;
    const int touch = is_ahead && axis->ahead.sign == 0     ? -1
                      : is_behind && axis->behind.sign == 0 ? 1
                                                            : 0;
    if (touch != 0 && out->touch_axis < 0) {
        out->touch_axis = index;
        out->touch_sign = touch;
    }
    if (s == 0) {
        out->inside = out->inside && touch == 0;
        return !(is_ahead && axis->ahead.sign > 0) && !(is_behind && axis->behind.sign < 0);
    }
    const sli_number *first = s > 0 ? &axis->ahead : &axis->behind;
    const sli_number *last = s > 0 ? &axis->behind : &axis->ahead;
    sli_number num, over;
    if (s > 0 ? is_ahead : is_behind) {
        span_ratio(first, &axis->speed, &num, &over);
        if (!out->is_entry || compare_ratios(&num, &over, &out->entry, &out->entry_over) > 0) {
            sli_number_copy(&num, &out->entry);
            sli_number_copy(&over, &out->entry_over);
            out->is_entry = true;
            out->entry_axis = index;
            out->entry_sign = -s;
        }
    }
    if (s > 0 ? is_behind : is_ahead) {
        span_ratio(last, &axis->speed, &num, &over);
        if (!out->is_exit || compare_ratios(&num, &over, &out->exit, &out->exit_over) < 0) {
            sli_number_copy(&num, &out->exit);
            sli_number_copy(&over, &out->exit_over);
            out->is_exit = true;
        }
    }
    return true;
}

/* Whether a direction is in the plane of the target, a triangle. */
static bool is_in_plane(const sli_axes *axes, const sli_direction *direction)
{
    const double(*v)[3] = (const double(*)[3])axes->target->point;
    sli_decision_stage stage = SLI_STAGE_DOUBLE;
    return sli_triple3d(v[0], v[1], v[0], v[2], direction->tail, direction->head, &stage) == 0;
}

/* The edge of the mover that was asked about last, and the answer: three axes in turn have one. */
typedef struct edge_in_plane {
    const double *head, *tail;
    bool is;
} edge_in_plane;

/* Whether an axis is along the first one, a triangle's normal, which has told all about that line.
 * A hull may rest on hundreds of such edges and faces. */
static bool is_along_first(const sli_axes *axes, int axis, edge_in_plane *kept)
{
    sli_axis_pick pick;
    const int edges = axes->normals + axes->faces;
    if (axis < axes->normals || axis >= edges + axes->edges) {
        return false;
    }
    sli_axes_find(axes, axis, &pick);
    if (pick.u.head != kept->head || pick.u.tail != kept->tail) {
        *kept = (edge_in_plane){ pick.u.head, pick.u.tail, is_in_plane(axes, &pick.u) };
    }
    return kept->is && (axis >= edges || is_in_plane(axes, &pick.w));
}

/* An axis matters where doubles do not exclude that it has E or X, or that the two only touch along
 * it. */
static bool find_span(const sli_axes *axes, const span_filter *filter, span *out)
{
    edge_in_plane kept = { NULL, NULL, false };
    bool is_first_said = false;
    out->is_entry = out->is_exit = false;
    out->inside = true;
    out->entry_axis = out->touch_axis = -1;
    for (int i = 0; i < axes->count; i++) {
        sli_gauge g;
        sli_exact_axis exact;
        if (!sli_axes_gauge(axes, i, &g) ||
            (!g.doubtful && g.entry_high < filter->entry_low && g.exit_low > filter->exit_high)) {
            continue;
        }
        if (is_first_said && is_along_first(axes, i, &kept)) {
            continue;
        }
        const bool is_some = sli_axes_exact(axes, i, &exact);
        is_first_said = is_first_said || (i == 0 && is_some && !axes->target->box);
        if (is_some && !span_add(&exact, i, out)) {
            return false;
        }
    }
    return true;
}

static void report_axis(const sli_sweep *sweep, const sli_axes *axes, int axis, int sign,
                        bool within, sl_contact *out)
{
    sli_number n[3];
    const bool known = axis >= 0 && sli_axes_normal(axes, axis, n);
    if (within) {
        sli_sweep_overlap(sweep, axes->target, known ? n : NULL, sign, out);
    } else if (known) {
        sli_sweep_touch(sweep, axes->target, n, sign, out);
    }
}

/* E > 0. */
static void report_time(const sli_number *entry, const sli_number *over, sl_contact *out)
{
    const sli_rounded t = sli_number_round_ratio_double(entry, over);
    out->t = t.nearest;
    out->t_safe = t.down;
    out->start = SL_START_APART;
}

/* The contact, where E > 0, or overlap, where E < 0, by the one axis that can be E's.  False:
 * doubles have seen an axis that bounds nothing. */
static bool report_alone(const sli_sweep *sweep, const sli_axes *axes, int axis, bool within,
                         sl_contact *out)
{
    sli_exact_axis exact;
    if (!sli_axes_exact(axes, axis, &exact)) {
        return false;
    }
    const int sign = -exact.speed.sign;
    if (sign == 0 || !(sign < 0 ? exact.is_ahead : exact.is_behind)) {
        return false;
    }
    if (within) {
        out->t = out->t_safe = 0;
        out->start = sweep->mover.solid ? SL_START_OVERLAPPING : SL_START_TOUCHING_CLOSING;
        sli_sweep_overlap(sweep, axes->target, exact.n, sign, out);
        return true;
    }
    report_time(sign < 0 ? &exact.ahead : &exact.behind, &exact.speed, out);
    sli_sweep_touch(sweep, axes->target, exact.n, sign, out);
    return true;
}

/* Contact at the start, or none. */
static bool report_start(const sli_sweep *sweep, const sli_axes *axes, const span *found,
                         sl_contact *out)
{
    const int entry = found->is_entry ? found->entry.sign : -1;
    const int exit = found->is_exit ? found->exit.sign : 1;
    const bool enters = exit > 0 && found->inside;
    const bool within = enters && entry < 0;
    const bool overlaps = within && sweep->mover.solid;
    bool recedes = overlaps ? !found->is_entry : !enters;
    if (overlaps && found->is_entry) {
        sli_number back;
        sli_number_copy(&found->entry, &back);
        sli_number_turn(&back, -1);
        recedes = found->is_exit &&
                  compare_ratios(&found->exit, &found->exit_over, &back, &found->entry_over) <= 0;
    }
    const sl_start_contact policy = overlaps ? sweep->overlapping : sweep->touching;
    if (policy == SL_START_IGNORE || (policy == SL_START_IGNORE_RECEDING && recedes)) {
        return false;
    }
    out->t = out->t_safe = 0;
    out->start = overlaps ? SL_START_OVERLAPPING
                 : enters ? SL_START_TOUCHING_CLOSING
                          : SL_START_TOUCHING_RECEDING;
    report_axis(sweep, axes, within ? found->entry_axis : found->touch_axis,
                within ? found->entry_sign : found->touch_sign, within, out);
    return true;
}

static bool sweep_exactly(const sli_sweep *sweep, const sli_axes *axes, const span_filter *filter,
                          sl_contact *out)
{
    span found;
    if (!find_span(axes, filter, &found) || (found.is_exit && found.exit.sign < 0)) {
        return false;
    }
    if (!found.is_entry || found.entry.sign <= 0) {
        return report_start(sweep, axes, &found, out);
    }
    sli_number over;
    sli_number_sub(&found.entry, &found.entry_over, &over);
    const int order = found.is_exit ? compare_ratios(&found.entry, &found.entry_over, &found.exit,
                                                     &found.exit_over)
                                    : -1;
    const bool grazes = order == 0 || !found.inside;
    if (over.sign > 0 || order > 0 || (grazes && sweep->ignore_grazing)) {
        return false;
    }
    report_time(&found.entry, &found.entry_over, out);
    report_axis(sweep, axes, found.entry_axis, found.entry_sign, false, out);
    return true;
}

/* Whether a pair that surely overlaps, or is run through, is reported. */
static sli_tribool within_is_reported(const sli_sweep *sweep, const span_filter *f)
{
    const bool solid = sweep->mover.solid;
    const sl_start_contact policy = solid ? sweep->overlapping : sweep->touching;
    if (policy != SL_START_IGNORE_RECEDING || !solid) {
        return policy == SL_START_IGNORE ? SLI_NO : SLI_YES;
    }
    if (!sweep->moves || f->exit_high <= -f->entry_high) {
        return SLI_NO;
    }
    return f->exit_low > -f->entry_low ? SLI_YES : SLI_UNSURE;
}

/* Whether the normal of a triangle alone says exactly that there is no contact that counts: many
 * triangles of a floor are met, or left, at the same t, or only ever touched. */
static SLI_NOINLINE bool normal_excludes(const sli_sweep *sweep, const sli_axes *axes, double limit)
{
    sli_gauge g;
    sli_exact_axis exact;
    if (axes->target->box || !sli_axes_gauge(axes, 0, &g)) {
        return false;
    }
    const bool may_be_late = !g.doubtful && g.entry_low <= limit && g.entry_high > limit;
    const bool may_be_left =
        sweep->touching != SL_START_REPORT && g.exit_low <= 0 && g.exit_high >= 0;
    if ((!may_be_late && !may_be_left) || !sli_axes_exact(axes, 0, &exact)) {
        return false;
    }
    const int s = exact.speed.sign;
    const sli_number *first = s > 0 ? &exact.ahead : &exact.behind;
    const sli_number *last = s > 0 ? &exact.behind : &exact.ahead;
    if (!exact.is_ahead || !exact.is_behind) {
        return false;
    }
    if (s == 0) {
        return (!sweep->moves || sweep->ignore_grazing) && sweep->touching != SL_START_REPORT &&
               (exact.ahead.sign == 0 || exact.behind.sign == 0);
    }
    return (may_be_left && last->sign * s <= 0) ||
           (may_be_late && first->sign * s > 0 &&
            sli_number_round_ratio_double(first, &exact.speed).nearest > limit);
}

static bool beyond_bounds(const sli_sweep *sweep, const sli_body *target)
{
    for (int axis = 0; axis < 3 && !target->box; axis++) {
        const double a = target->point[0][axis], b = target->point[1][axis],
                     c = target->point[2][axis];
        const double low = a < b ? a : b, high = a < b ? b : a;
        if ((low < c ? low : c) > sweep->swept.max[axis] ||
            (high > c ? high : c) < sweep->swept.min[axis]) {
            return true;
        }
    }
    return false;
}

bool sli_sweep_polytope(const sli_sweep *sweep, const sli_body *target, double t_bound,
                        sl_contact *out)
{
    sli_axes axes;
    span_filter filter;
    if (beyond_bounds(sweep, target)) {
        return false;
    }
    sli_axes_make(&sweep->mover, sweep->dir, target, &axes);
    if (normal_excludes(sweep, &axes, fmin(t_bound, 1)) ||
        !filter_span(&axes, fmin(t_bound, 1), &filter)) {
        return false;
    }
    const bool meets = sweep->ignore_grazing ? filter.entry_high < filter.exit_low
                                             : filter.entry_high <= filter.exit_low;
    const bool later = filter.entry_low > 0 && filter.entry_high <= 1 && meets && !filter.doubtful;
    const bool within = filter.entry_high < 0 && filter.exit_low > 0 && !filter.doubtful;
    const sli_tribool reported = later    ? SLI_YES
                                 : within ? within_is_reported(sweep, &filter)
                                          : SLI_UNSURE;
    if (reported == SLI_NO) {
        return false;
    }
    if (reported == SLI_YES && filter.alone &&
        report_alone(sweep, &axes, filter.axis, within, out)) {
        return true;
    }
    return sweep_exactly(sweep, &axes, &filter, out);
}

bool sli_sweep_polytope_triangle(const sli_sweep *sweep, const double corners[3][3], double t_bound,
                                 sl_contact *out)
{
    sli_body target;
    target.box = false;
    memcpy(target.point, corners, sizeof target.point);
    return sli_sweep_polytope(sweep, &target, t_bound, out);
}
