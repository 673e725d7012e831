/* What a polygon says about points, segments and triangles, exactly.
 *
 * Inside   is what an odd number of sides lie to the right of.  A point on no side is not moved out
 *          of there by an infinitesimal step, so ties are broken by such steps: of a triangle's
 *          inside, e (v1 - v0) + e^2 (v2 - v0) from its first corner.
 * Segments along which sides run, or that go through corners of the polygon, are cut where they
 *          meet it: each piece lies along a side, in the polygon or beside it. */
#include "bvh/select/lasso.h"
#include "bvh/select/planar.h"
#include "lib/geom/exact/number.h"
#include "lib/geom/exact/predicates.h"

#include <string.h>

static int order(double a, double b)
{
    return (a > b) - (a < b);
}

/* Whether a point, or with a triangle the inside of that next to its first corner, lies below y. */
static bool is_below(const double (*from)[2], int count, double y)
{
    int sign = order(y, from[0][1]);
    for (int i = 1; i < count && sign == 0; i++) {
        sign = order(from[0][1], from[i][1]);
    }
    return sign > 0;
}

/* Whether a side that goes up from p to q lies to the right of that. */
static bool is_left(const double (*from)[2], int count, const double p[2], const double q[2])
{
    sli_decision_stage stage = SLI_STAGE_DOUBLE;
    int sign = sli_orient2d(p, q, from[0]);
    for (int i = 1; i < count && sign == 0; i++) {
        sign = sli_cross2d(p, q, from[0], from[i], &stage);
    }
    return sign > 0;
}

static bool crosses_right(const double (*from)[2], int count, const sli_side *side)
{
    const bool first = is_below(from, count, side->at[0][1]);
    const bool second = is_below(from, count, side->at[1][1]);
    if (first == second || (side->at[0][0] < from[0][0] && side->at[1][0] < from[0][0])) {
        return false;
    }
    return (side->at[0][0] > from[0][0] && side->at[1][0] > from[0][0]) ||
           is_left(from, count, side->at[first], side->at[!first]);
}

static bool is_odd(const sli_lasso *lasso, const double (*from)[2], int count)
{
    const sli_sides *all = &lasso->all;
    const int row = sli_lasso_cell(lasso, 1, from[0][1]);
    bool odd = false;
    for (size_t i = all->first[row]; i < all->first[row + 1]; i++) {
        odd ^= crosses_right(from, count, &all->sides[all->listed[i]]);
    }
    return odd;
}

bool sli_lasso_has(const sli_lasso *lasso, const double point[2])
{
    const sli_sides *all = &lasso->all;
    const int row = sli_lasso_cell(lasso, 1, point[1]);
    const double at[1][2] = { { point[0], point[1] } };
    for (size_t i = all->first[row]; i < all->first[row + 1]; i++) {
        if (sli_planar_meet(at, 1, (const double(*)[2])all->sides[all->listed[i]].at, 2)) {
            return true;
        }
    }
    return is_odd(lasso, at, 1);
}

/* ---- Sides near a figure ---- */

typedef struct span {
    int from[2], to[2]; /* cells */
    double low[2], high[2];
} span;

static span span_of(const sli_lasso *lasso, const double (*figure)[2], int count)
{
    span s;
    for (int axis = 0; axis < 2; axis++) {
        s.low[axis] = s.high[axis] = figure[0][axis];
        for (int i = 1; i < count; i++) {
            s.low[axis] = figure[i][axis] < s.low[axis] ? figure[i][axis] : s.low[axis];
            s.high[axis] = figure[i][axis] > s.high[axis] ? figure[i][axis] : s.high[axis];
        }
        s.from[axis] = sli_lasso_cell(lasso, axis, s.low[axis]);
        s.to[axis] = sli_lasso_cell(lasso, axis, s.high[axis]);
    }
    return s;
}

/* Whether a side comes near the span, and was not in one of its rows before. */
static bool is_new(const sli_lasso *lasso, const span *s, const sli_side *side, int row)
{
    for (int axis = 0; axis < 2; axis++) {
        if ((side->at[0][axis] < s->low[axis] && side->at[1][axis] < s->low[axis]) ||
            (side->at[0][axis] > s->high[axis] && side->at[1][axis] > s->high[axis])) {
            return false;
        }
    }
    const double lowest = side->at[0][1] < side->at[1][1] ? side->at[0][1] : side->at[1][1];
    const int first = sli_lasso_cell(lasso, 1, lowest);
    return row == (first > s->from[1] ? first : s->from[1]);
}

/* Whether a side meets the figure; with pierced, one of the reduced sides its inside. */
static bool any_meets(const sli_lasso *lasso, const span *s, const double (*figure)[2], int count,
                      bool pierced)
{
    const sli_sides *sides = pierced ? &lasso->reduced : &lasso->all;
    for (int row = s->from[1]; row <= s->to[1]; row++) {
        for (size_t i = sides->first[row]; i < sides->first[row + 1]; i++) {
            const sli_side *side = &sides->sides[sides->listed[i]];
            if (is_new(lasso, s, side, row) &&
                (pierced ? sli_planar_pierces(side->at, figure)
                         : sli_planar_meet((const double(*)[2])side->at, 2, figure, count))) {
                return true;
            }
        }
    }
    return false;
}

/* Whether the cells decide that the figure lies in the polygon, or beside it. */
static bool cells_decide(const sli_lasso *lasso, const span *s, bool *inside)
{
    uint32_t count, out, in;
    sli_lasso_cells(lasso, s->from, s->to, &count, &out, &in);
    *inside = in == count;
    return *inside || out == count;
}

bool sli_lasso_touches(const sli_lasso *lasso, const double (*figure)[2], int count)
{
    const span s = span_of(lasso, figure, count);
    bool inside;
    if (cells_decide(lasso, &s, &inside)) {
        return inside;
    }
    return is_odd(lasso, figure, 1) || any_meets(lasso, &s, figure, count, false);
}

/* ---- Segments ---- */

/* A place along the segment, num / den from its first point; den is positive. */
typedef struct place {
    sli_number num, den;
} place;

typedef struct cut {
    const sli_lasso *lasso;
    const double *a, *b;
    bool exact;
    bool unsure;
} cut;

static void cross(const double a[2], const double b[2], const double c[2], const double d[2],
                  bool exact, sli_number *out)
{
    sli_number x0, y0, x1, y1;
    sli_number_diff(b[0], a[0], exact, &x0);
    sli_number_diff(b[1], a[1], exact, &y0);
    sli_number_diff(d[0], c[0], exact, &x1);
    sli_number_diff(d[1], c[1], exact, &y1);
    sli_number_mul(&x0, &y1, out);
    sli_number_mul(&y0, &x1, &x1);
    sli_number_sub(out, &x1, out);
}

/* Where a side that is not in line crosses the segment's line. */
static void crossing(cut *c, const sli_side *side, place *out)
{
    const double *p = side->at[0], *q = side->at[1];
    sli_decision_stage stage = SLI_STAGE_DOUBLE;
    cross(c->a, p, p, q, c->exact, &out->num);
    cross(c->a, c->b, p, q, c->exact, &out->den);
    if (sli_cross2d(c->a, c->b, p, q, &stage) < 0) {
        sli_number_turn(&out->num, -1);
        sli_number_turn(&out->den, -1);
    }
}

/* Where a point of the segment's line is. */
static void place_of(cut *c, const double point[2], place *out)
{
    const int axis = c->a[0] == c->b[0];
    sli_number_diff(point[axis], c->a[axis], c->exact, &out->num);
    sli_number_diff(c->b[axis], c->a[axis], c->exact, &out->den);
    if (c->b[axis] < c->a[axis]) {
        sli_number_turn(&out->num, -1);
        sli_number_turn(&out->den, -1);
    }
}

static int compare(cut *c, const place *x, const place *y)
{
    sli_number left, right;
    sli_number_mul(&x->num, &y->den, &left);
    sli_number_mul(&y->num, &x->den, &right);
    sli_number_sub(&left, &right, &left);
    return sli_number_sign(&left, &c->unsure);
}

/* Whether the segment, right behind a place, lies along a side or in the polygon. */
static bool is_in_behind(cut *c, const place *from)
{
    const sli_sides *all = &c->lasso->all;
    bool odd = false;
    for (size_t i = 0; i < all->count; i++) {
        const sli_side *side = &all->sides[i];
        const int p = sli_orient2d(c->a, c->b, side->at[0]);
        const int q = sli_orient2d(c->a, c->b, side->at[1]);
        place at, end;
        if (p == 0 && q == 0) {
            place_of(c, side->at[0], &at);
            place_of(c, side->at[1], &end);
            const int first = compare(c, &at, from), second = compare(c, &end, from);
            if ((first <= 0 && second > 0) || (second <= 0 && first > 0)) {
                return true;
            }
        } else if ((p >= 0) != (q >= 0)) {
            crossing(c, side, &at);
            odd ^= compare(c, &at, from) > 0;
        }
    }
    return odd;
}

/* Whether a place lies on the segment, its last point not included. */
static bool is_on(cut *c, const place *at)
{
    sli_number beyond;
    sli_number_sub(&at->num, &at->den, &beyond);
    return sli_number_sign(&at->num, &c->unsure) >= 0 && sli_number_sign(&beyond, &c->unsure) < 0;
}

/* All pieces of the segment: behind its first point, and behind each place where it meets a
 * side. */
static bool holds_pieces(cut *c)
{
    const sli_sides *all = &c->lasso->all;
    place at;
    place_of(c, c->a, &at);
    bool held = is_in_behind(c, &at);
    for (size_t i = 0; i < all->count && held && !c->unsure; i++) {
        const sli_side *side = &all->sides[i];
        const int p = sli_orient2d(c->a, c->b, side->at[0]);
        const int q = sli_orient2d(c->a, c->b, side->at[1]);
        if (p == 0 && q == 0) {
            for (int end = 0; end < 2 && held; end++) {
                place_of(c, side->at[end], &at);
                held = !is_on(c, &at) || is_in_behind(c, &at);
            }
        } else if ((p >= 0) != (q >= 0)) {
            crossing(c, side, &at);
            held = !is_on(c, &at) || is_in_behind(c, &at);
        }
    }
    return held;
}

static bool holds_segment(const sli_lasso *lasso, const double a[2], const double b[2])
{
    const double both[2][2] = { { a[0], a[1] }, { b[0], b[1] } };
    const span s = span_of(lasso, both, 2);
    bool inside;
    if (cells_decide(lasso, &s, &inside)) {
        return inside;
    }
    if (!any_meets(lasso, &s, both, 2, false)) {
        return is_odd(lasso, both, 1);
    }
    if (!sli_lasso_has(lasso, a) || !sli_lasso_has(lasso, b)) {
        return false;
    }
    cut c = { .lasso = lasso, .a = a, .b = b };
    const bool held = holds_pieces(&c);
    if (!c.unsure) {
        return held;
    }
    c.exact = true;
    c.unsure = false;
    return holds_pieces(&c);
}

bool sli_lasso_holds(const sli_lasso *lasso, const double (*figure)[2], int count)
{
    if (count == 3 && sli_orient2d(figure[0], figure[1], figure[2]) != 0) {
        const span s = span_of(lasso, figure, 3);
        bool inside;
        return cells_decide(lasso, &s, &inside)
                   ? inside
                   : is_odd(lasso, figure, 3) && !any_meets(lasso, &s, figure, 3, true);
    }
    const double *first = figure[0], *last = figure[0];
    for (int i = 1; i < count; i++) {
        first = sli_before(figure[i], first) ? figure[i] : first;
        last = sli_before(last, figure[i]) ? figure[i] : last;
    }
    return sli_before(first, last) ? holds_segment(lasso, first, last)
                                   : sli_lasso_has(lasso, first);
}
