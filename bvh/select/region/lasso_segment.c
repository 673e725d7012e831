/* Whether a polygon has all of a segment.
 *
 * Pieces   The segment is cut where parting sides cross it, and where sides begin and end that lie
 *          along it.  Each piece lies along a side, or off all of them and so in the polygon or
 *          beside it: which of both is known right behind the first point, by infinitesimal steps
 *          along the segment and to its right, and changes at each parting side that is crossed by
 *          a line that near.
 * Sides    that may meet the segment come from the tree.  Mostly there are none, or one crosses
 *          where no other one is near: that is enough to say that a piece lies beside the
 *          polygon. */
#include "bvh/select/region/lasso_segment.h"

#include "bvh/select/region/lasso_tree.h"
#include "lib/geom/exact/arithmetic/number.h"
#include "lib/geom/exact/predicates.h"

#include <string.h>

enum {
    MOST = 256,        /* sides that there is room for */
    CROSSINGS_MAX = 16 /* that are looked at on their own */
};

/* ---- Places ---- */

/* A parameter along the segment, num / den from its first point; den is positive. */
typedef struct parameter {
    sli_number num, den;
} parameter;

/* A side that counts: one that the segment's line crosses, or along which it lies. */
typedef struct cut {
    const sli_lasso *lasso;
    const double *a, *b;
    double low[2], high[2];
    uint32_t side[MOST];
    size_t count; /* more than MOST: all sides of the polygon have to be looked at */
    bool exact, unsure;
} cut;

static void number_cross(const double a[2], const double b[2], const double c[2], const double d[2],
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
static void side_crossing(cut *c, const sli_side *side, parameter *out)
{
    const double *p = side->at[0], *q = side->at[1];
    sli_decision_stage stage = SLI_STAGE_DOUBLE;
    number_cross(c->a, p, p, q, c->exact, &out->num);
    number_cross(c->a, c->b, p, q, c->exact, &out->den);
    if (sli_cross2d(c->a, c->b, p, q, &stage) < 0) {
        sli_number_turn(&out->num, -1);
        sli_number_turn(&out->den, -1);
    }
}

/* Where a point of the segment's line is. */
static void parameter_of(cut *c, const double point[2], parameter *out)
{
    const int axis = c->a[0] == c->b[0];
    sli_number_diff(point[axis], c->a[axis], c->exact, &out->num);
    sli_number_diff(c->b[axis], c->a[axis], c->exact, &out->den);
    if (c->b[axis] < c->a[axis]) {
        sli_number_turn(&out->num, -1);
        sli_number_turn(&out->den, -1);
    }
}

static int parameter_compare(cut *c, const parameter *x, const parameter *y)
{
    sli_number left, right;
    sli_number_mul(&x->num, &y->den, &left);
    sli_number_mul(&y->num, &x->den, &right);
    sli_number_sub(&left, &right, &left);
    return sli_number_sign(&left, &c->unsure);
}

/* Whether a parameter is one of the segment, its last point not included. */
static bool parameter_is_on(cut *c, const parameter *at)
{
    sli_number beyond;
    sli_number_sub(&at->num, &at->den, &beyond);
    return sli_number_sign(&at->num, &c->unsure) >= 0 && sli_number_sign(&beyond, &c->unsure) < 0;
}

/* ---- Sides ---- */

enum { APART, CROSSES, ALONG };

/* What a side near the segment is to its line, moved to the right by an infinitesimal step. */
static int side_relation(const cut *c, uint32_t number)
{
    const sli_side *side = &c->lasso->all.sides[number];
    if (sli_side_is_apart(side, c->low, c->high)) {
        return APART;
    }
    const int p = sli_orient2d(c->a, c->b, side->at[0]);
    const int q = sli_orient2d(c->a, c->b, side->at[1]);
    if (p == 0 && q == 0) {
        return ALONG;
    }
    return (p >= 0) != (q >= 0) && sli_side_parts(c->lasso, number) ? CROSSES : APART;
}

/* The next side that counts, of those that were listed or of all. */
static bool cut_next(const cut *c, size_t *i, uint32_t *number, int *is)
{
    const bool listed = c->count <= MOST;
    const size_t end = listed ? c->count : c->lasso->all.count;
    for (; *i < end; (*i)++) {
        *number = listed ? c->side[*i] : (uint32_t)*i;
        *is = side_relation(c, *number);
        if (*is != APART) {
            (*i)++;
            return true;
        }
    }
    return false;
}

/* ---- Pieces ---- */

/* Whether the segment, right behind a parameter, lies along a side or in the polygon. first: what
 * is so right behind its first point. */
static bool cut_is_in_behind(cut *c, const parameter *from, bool first)
{
    bool odd = first;
    uint32_t number;
    int is;
    for (size_t i = 0; cut_next(c, &i, &number, &is);) {
        const sli_side *side = &c->lasso->all.sides[number];
        parameter at, end;
        if (is == ALONG) {
            parameter_of(c, side->at[0], &at);
            parameter_of(c, side->at[1], &end);
            const int one = parameter_compare(c, &at, from),
                      other = parameter_compare(c, &end, from);
            if ((one <= 0 && other > 0) || (other <= 0 && one > 0)) {
                return true;
            }
        } else {
            side_crossing(c, side, &at);
            odd ^= sli_number_sign(&at.num, &c->unsure) > 0 && parameter_compare(c, &at, from) <= 0;
        }
    }
    return odd;
}

/* All pieces: behind the first point, and behind each point where sides cross, begin or end. */
static bool cut_holds_pieces(cut *c, bool first)
{
    parameter at;
    uint32_t number;
    int is;
    parameter_of(c, c->a, &at);
    bool held = cut_is_in_behind(c, &at, first);
    for (size_t i = 0; held && !c->unsure && cut_next(c, &i, &number, &is);) {
        const sli_side *side = &c->lasso->all.sides[number];
        if (is == ALONG) {
            for (int end = 0; end < 2 && held; end++) {
                parameter_of(c, side->at[end], &at);
                held = !parameter_is_on(c, &at) || cut_is_in_behind(c, &at, first);
            }
        } else {
            side_crossing(c, side, &at);
            held = !parameter_is_on(c, &at) || cut_is_in_behind(c, &at, first);
        }
    }
    return held;
}

/* ---- Without cutting ---- */

/* Right behind the first point. */
static bool is_odd_behind_first(const cut *c)
{
    const double *a = c->a, *b = c->b;
    const sli_nudged from = {
        .at = { a[0], a[1] },
        .step = { { { a[0], a[1] }, { b[0], b[1] } }, { { a[1], -a[0] }, { b[1], -b[0] } } },
    };
    return sli_lasso_is_odd(c->lasso, &from);
}

/* Whether a side surely is the only one that is met where it goes through the segment: then it
 * parts one piece from another one, of which one lies beside the polygon. */
static bool crosses_alone(const cut *c, uint32_t number)
{
    const sli_side *crossed = &c->lasso->all.sides[number];
    const double *p = crossed->at[0], *q = crossed->at[1];
    const double dx = q[0] - p[0], dy = q[1] - p[1];
    const double ex = c->b[0] - c->a[0], ey = c->b[1] - c->a[1];
    const double right = ex * dy, left = ey * dx, den = right - left;
    const double num_right = (p[0] - c->a[0]) * dy, num_left = (p[1] - c->a[1]) * dx;
    const double den_off = (fabs(right) + fabs(left)) * 0x1p-48;
    const double num_off = (fabs(num_right) + fabs(num_left)) * 0x1p-48;
    const double share = (num_right - num_left) / den;
    if (!(fabs(den) > 2 * den_off) || !(share > 0 && share < 1) ||
        sli_orient2d(p, q, c->a) * sli_orient2d(p, q, c->b) >= 0) {
        return false;
    }
    /* Where that is, and by how much that may be off. */
    const double x = c->a[0] + share * ex, y = c->a[1] + share * ey;
    const double slack = (num_off + den_off) / (fabs(den) - den_off) * (fabs(ex) + fabs(ey)) * 2 +
                         (fabs(c->a[0]) + fabs(c->a[1]) + fabs(ex) + fabs(ey)) * 0x1p-48;
    const double low[2] = { x - slack, y - slack }, high[2] = { x + slack, y + slack };
    sli_lasso_walk walk;
    uint32_t other;
    sli_lasso_walk_begin(&c->lasso->tree, low, high, &walk);
    while (sli_lasso_walk_side(&walk, &other)) {
        if (other != number && sli_side_may_intersect(&c->lasso->all.sides[other], low, high)) {
            return false;
        }
    }
    return true;
}

/* Gathers the sides that count.  True where one of them crosses alone. */
static bool cut_gather(cut *c)
{
    sli_lasso_walk walk;
    uint32_t number;
    int looked = 0;
    sli_lasso_walk_begin(&c->lasso->tree, c->low, c->high, &walk);
    while (c->count <= MOST && sli_lasso_walk_side(&walk, &number)) {
        const int is = side_relation(c, number);
        bool found = is == APART;
        for (size_t k = 0; k < c->count && !found; k++) {
            found = c->side[k] == number;
        }
        if (found) {
            continue;
        }
        if (is == CROSSES && looked++ < CROSSINGS_MAX && crosses_alone(c, number)) {
            return true;
        }
        if (c->count < MOST) {
            c->side[c->count] = number;
        }
        c->count++;
    }
    return false;
}

bool sli_lasso_holds_segment(const sli_lasso *lasso, const double a[2], const double b[2])
{
    cut c = { .lasso = lasso, .a = a, .b = b, .exact = false };
    for (int axis = 0; axis < 2; axis++) {
        c.low[axis] = a[axis] < b[axis] ? a[axis] : b[axis];
        c.high[axis] = a[axis] < b[axis] ? b[axis] : a[axis];
    }
    if (cut_gather(&c)) {
        return false;
    }
    const bool first = is_odd_behind_first(&c);
    if (c.count == 0) {
        return first;
    }
    const bool held = cut_holds_pieces(&c, first);
    if (!c.unsure) {
        return held;
    }
    c.exact = true;
    c.unsure = false;
    return cut_holds_pieces(&c, first);
}
