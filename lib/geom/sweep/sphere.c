/* Contacts of spheres with triangles, decided and reported without exact numbers.
 *
 * With y = m + t d, the centre at t as it is seen from the cell's base, and
 *     a vertex   w = y,      value |w|^2 - r^2,          slope 2 w.d
 *     an edge    w = e x y,  value |w|^2 - r^2 e.e,      slope 2 w.(e x d)
 *     a face     w = n,      value s y.n - r |n|,        slope s d.n
 * the sphere is apart from the cell where the value is above 0.  It is made at the t that was
 * guessed, in double-doubles, so that one step of Newton's, whose slope needs doubles only, knows
 * the root to some 100 bits.  Whether the cell is entered there, or is nearest at the start, are
 * signs of linear forms at this t, in doubles.
 *
 * The root.  The value is v + s x + a x^2, x from the t that was guessed.  If 8 a |v / s| <= |s|, a
 * root is within 4 a (v / s)^2 / |s| of -v / s.  Let v be known up to V and s up to k |s|, and D =
 * |v / s| + V / |s| as they are computed.  Where k <= 2^-20 and 4 a D / |s| <= 2^-10, the root is
 * within V / |s| + D (2 k + 4 a D / |s| + 2^-50) of the computed -v / s, but for a hundredth.  The
 * slope is below 0 there, so it is an entry.
 *
 * The forms.  Differences of corners are off by u = 2^-53 of themselves at most, cross products of
 * such by 3.01 u of their size, the sum of the absolute values of their terms, and dot products by
 * 3.01 u of theirs and by what their factors are off.  8 u of the sizes are allowed for it all, to
 * which is added how far double-doubles and the root are off.  Where products underflow they lose
 * less than what is left, since all numbers are multiples of 2^-149 no larger than FLT_MAX, and t
 * is 0 or above 2^-100.  A form whose terms are all 0 is known to be 0. */
#include "lib/geom/sweep/sphere.h"

#include "lib/base/inline.h"
#include "lib/geom/exact/arithmetic/known_dd.h"
#include "lib/geom/exact/arithmetic/vector.h"

#define FEW  0x1p-50  /* 8 u */
#define PART 0x1p-79  /* p */
#define LOST 0x1p-900 /* squares that underflow, next to that of a radius above 2^-150 */

/* A double-double that is split after the first 26 bits of high. */
typedef struct parts {
    double head, tail, high;
} parts;

typedef struct entry {
    const sli_sphere_case *s;
    const double *base;
    sli_dd y[3], w[3], span[3];
    double y_error[3], w_error[3];
    sli_dd_known value, size, height; /* of a face: n.n and y.n */
    double along[3], along_size[3];   /* the derivative of w, and its size */
    int side;                         /* of a face: s */
    double slope, slope_off, bend;    /* bend: at least a */
    double step, off;                 /* to the root, and how far that may be off */

    /* How far y and w are from those at the root, with the roundings of a dot product. */
    double y_off[3], w_off[3];
} entry;

static double size_of_dot(const double a[3], const double b[3])
{
    return (fabs(a[0]) * fabs(b[0]) + fabs(a[1]) * fabs(b[1])) + fabs(a[2]) * fabs(b[2]);
}

static void size_of_cross(const double a[3], const double b[3], double out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        const int j = (axis + 1) % 3, k = (axis + 2) % 3;
        out[axis] = fabs(a[j]) * fabs(b[k]) + fabs(a[k]) * fabs(b[j]);
    }
}

static void highs_of(const sli_dd v[3], double out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = v[axis].high;
    }
}

static parts parts_of(sli_dd x)
{
    const double head = sli_dd_upper(x.high);
    return (parts){ head, (x.high - head) + x.low, x.high };
}

/* Of a product: the heads' is exact; returns the rest of it. */
static double rest_of_product(parts a, parts b)
{
    return a.head * b.tail + a.tail * b.high;
}

/* Within 20 p of the size of the products: rests are off by 8 p and added up by five sums, each
 * within 2 p, as is the last one. */
static SLI_FORCE_INLINE sli_dd dot_parts(const parts a[3], const parts b[3])
{
    double high, low, more, rest;
    sli_two_sum(a[0].head * b[0].head, a[1].head * b[1].head, &high, &low);
    sli_two_sum(high, a[2].head * b[2].head, &high, &more);
    rest =
        (rest_of_product(a[0], b[0]) + rest_of_product(a[1], b[1])) + rest_of_product(a[2], b[2]);
    return sli_dd_of_parts(high, rest + (low + more));
}

/* a d - b c where that is exact: false where it may not be. */
static bool find_exact_minor(sli_dd a, sli_dd b, sli_dd c, sli_dd d, sli_dd *out)
{
    const sli_dd left = sli_dd_of_product(a.high, d.high);
    const sli_dd right = sli_dd_of_product(b.high, c.high);
    if (a.low != 0 || b.low != 0 || c.low != 0 || d.low != 0 || left.low != 0 || right.low != 0) {
        return false;
    }
    *out = sli_dd_difference(left.high, right.high);
    return true;
}

/* a x b for an exact a, and how far it may be off: by 14 p of the size, and what b is off.  What is
 * known without a low part may be exact. */
static SLI_FORCE_INLINE void cross_dd(const sli_dd a[3], const sli_dd b[3], const double b_error[3],
                                      sli_dd out[3], double error[3])
{
    parts x[3], y[3];
    double tails = 0; /* without any, nothing is rounded */
    for (int axis = 0; axis < 3; axis++) {
        x[axis] = parts_of(a[axis]);
        y[axis] = parts_of(b[axis]);
        tails += fabs(x[axis].tail) + fabs(y[axis].tail);
    }
    for (int axis = 0; axis < 3; axis++) {
        const int j = (axis + 1) % 3, k = (axis + 2) % 3;
        const double left = x[j].head * y[k].head, right = x[k].head * y[j].head;
        const sli_dd heads = sli_dd_difference(left, right);
        const double rest = rest_of_product(x[j], y[k]) - rest_of_product(x[k], y[j]);
        out[axis] = sli_dd_of_parts(heads.high, heads.low + rest);
        error[axis] = fabs(a[j].high) * b_error[k] + fabs(a[k].high) * b_error[j];
        const bool none = left == 0 && right == 0;
        const bool exact =
            tails == 0 || (out[axis].low == 0 &&
                           (none || find_exact_minor(a[j], a[k], b[j], b[k], &out[axis])));
        if (!exact) {
            error[axis] += 16 * PART * (fabs(left) + fabs(right));
        }
    }
}

/* Within 3.01 u^2 of the sizes of the terms; as much is left to the step to the root. */
static SLI_FORCE_INLINE void make_place(entry *e)
{
    const sli_round *round = e->s->round;
    for (int axis = 0; axis < 3; axis++) {
        const sli_dd m = sli_dd_difference(round->end[0][axis], e->base[axis]);
        const sli_dd way = sli_dd_of_product(e->s->t, round->dir[axis]);
        const double size = fabs(m.high) + fabs(way.high);
        e->y[axis] = sli_dd_sum(m, way);
        e->y_error[axis] = way.high != 0 ? 8 * SLI_DD_UNIT * size : 0;
    }
}

static SLI_FORCE_INLINE void parts_of3(const sli_dd v[3], parts out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = parts_of(v[axis]);
    }
}

/* Value and slope of a vertex or an edge; the square of the radius, times e.e, is known within 21
 * p of itself. */
static SLI_FORCE_INLINE void make_distance(entry *e, sli_dd reach)
{
    parts w[3];
    double most = 0, off = 0, slope = 0, slope_off = 0;
    parts_of3(e->w, w);
    const sli_dd square = dot_parts(w, w), value = sli_dd_sum(square, sli_dd_negated(reach));
    for (int axis = 0; axis < 3; axis++) {
        const double size = fabs(w[axis].high), error = e->w_error[axis];
        off += (size + error) * error;
        slope += w[axis].high * e->along[axis];
        slope_off += (FEW * size + error) * e->along_size[axis];
        most += e->along_size[axis];
    }
    off = 2.01 * off + 24 * PART * (square.high + reach.high);
    e->value = (sli_dd_known){ value.high, value.low, off + LOST };
    e->slope = 2 * slope;
    e->slope_off = 2 * slope_off;
    e->bend = most * most;
}

static SLI_FORCE_INLINE void make_vertex(entry *e)
{
    const sli_round *round = e->s->round;
    for (int axis = 0; axis < 3; axis++) {
        e->w[axis] = e->y[axis];
        e->w_error[axis] = e->y_error[axis];
        e->along[axis] = round->dir[axis];
        e->along_size[axis] = fabs(round->dir[axis]);
    }
    make_distance(e, sli_dd_of_product(round->radius[0], round->radius[0]));
}

static SLI_FORCE_INLINE void make_edge(entry *e)
{
    const sli_round *round = e->s->round;
    const int index = e->s->index;
    parts span[3];
    const sli_dd square = sli_dd_of_product(round->radius[0], round->radius[0]);
    sli_dd_differences(round->corner[(index + 1) % 3], e->base, e->span);
    cross_dd(e->span, e->y, e->y_error, e->w, e->w_error);
    sli_cross(e->s->e[index], round->dir, e->along);
    size_of_cross(e->s->e[index], round->dir, e->along_size);
    parts_of3(e->span, span);
    make_distance(e, sli_dd_product(square, dot_parts(span, span)));
}

/* n.n and n.y, with what n and y are off by. */
static SLI_FORCE_INLINE void make_height(entry *e)
{
    parts w[3], place[3];
    parts_of3(e->w, w);
    parts_of3(e->y, place);
    const sli_dd size = dot_parts(w, w), height = dot_parts(w, place);
    double across = 0, off = 0, sizes = 0;
    for (int axis = 0; axis < 3; axis++) {
        const double n = fabs(w[axis].high), y = fabs(place[axis].high);
        const double n_error = e->w_error[axis];
        across += (n + n_error) * n_error;
        off += y * n_error + (n + n_error) * e->y_error[axis];
        sizes += n * y;
    }
    e->size = (sli_dd_known){ size.high, size.low, 2.01 * across + 21 * PART * size.high };
    e->height = (sli_dd_known){ height.high, height.low, 1.01 * off + 21 * PART * sizes };
}

/* False where it is unsure on which side the sphere is, or where it goes. */
static SLI_FORCE_INLINE bool make_face(entry *e)
{
    static const double exact[3] = { 0, 0, 0 };
    const sli_round *round = e->s->round;
    sli_dd last[3];
    double n[3];
    sli_dd_differences(round->corner[1], e->base, e->span);
    sli_dd_differences(round->corner[2], e->base, last);
    cross_dd(e->span, last, exact, e->w, e->w_error);
    make_height(e);
    highs_of(e->w, n);
    e->slope = sli_dot(n, round->dir);
    e->slope_off = e->bend = 0;
    for (int axis = 0; axis < 3; axis++) {
        e->slope_off += (FEW * fabs(n[axis]) + e->w_error[axis]) * fabs(round->dir[axis]);
        e->along[axis] = e->along_size[axis] = 0;
    }
    const bool enters = e->s->t > 0;
    const double sign = enters ? -e->slope : e->height.high;
    if (!(e->size.high > 0x1p-700 && fabs(sign) > (enters ? e->slope_off : e->height.error))) {
        return false;
    }
    e->side = sign > 0 ? 1 : -1;
    e->slope *= e->side;
    const sli_dd_known reach =
        sli_known_dd_mul(sli_known_dd_root(e->size), sli_known_dd_of(round->radius[0]));
    e->value = sli_known_dd_sub(sli_known_dd_turned(e->height, e->side), reach);
    return true;
}

static bool make_entry(const sli_sphere_case *s, entry *e)
{
    e->s = s;
    e->base = s->round->corner[s->index];
    make_place(e);
    if (s->dim == 2) {
        return make_face(e);
    }
    if (s->dim == 1) {
        make_edge(e);
    } else {
        make_vertex(e);
    }
    return true;
}

/* False where the root is unsure. */
static bool find_root(entry *e)
{
    const double slope = fabs(e->slope), unsure = e->value.error / slope;
    e->step = e->value.high / slope;
    const double most = fabs(e->step) + unsure, bend = 4 * e->bend * most / slope;
    const double part = e->slope_off / slope;
    e->off = (unsure + most * (2 * part + bend + FEW)) * 1.01;
    return e->slope < 0 && part <= 0x1p-20 && bend <= 0x1p-10;
}

static void make_offs(entry *e)
{
    const double spread = fabs(e->step) + e->off;
    for (int axis = 0; axis < 3; axis++) {
        const double y = fabs(e->y[axis].high), w = fabs(e->w[axis].high);
        const double d = fabs(e->s->round->dir[axis]), along = e->along_size[axis];
        e->y_off[axis] = (FEW * y + spread * d + e->y_error[axis]) * 1.01;
        e->w_off[axis] = (FEW * w + spread * along + e->w_error[axis]) * 1.01;
    }
}

/* Whether x, which may be off by so much, surely is not above 0. */
static bool is_not_above(double x, double off)
{
    return -x > off || (off == 0 && x <= 0);
}

/* No edge at the vertex leads nearer. */
static bool is_at_vertex(const entry *e, const double y[3])
{
    const double *next = e->s->e[e->s->index], *last = e->s->e[(e->s->index + 2) % 3];
    return is_not_above(sli_dot(next, y), size_of_dot(next, e->y_off)) &&
           is_not_above(-sli_dot(last, y), size_of_dot(last, e->y_off));
}

/* The foot lies within the edge, and the face leads no nearer: for each edge e x (the other one at
 * its start) is n. */
static bool is_at_edge(const entry *e, const double y[3])
{
    const sli_sphere_case *s = e->s;
    const double *span = s->e[s->index], all = sli_dot(span, span);
    const double part = sli_dot(span, y), off = size_of_dot(span, e->y_off);
    if (!(part > off && all - part > off + 2 * FEW * all)) {
        return false;
    }
    double w[3], n_size[3];
    highs_of(e->w, w);
    size_of_cross(s->e[0], s->f, n_size);
    return is_not_above(sli_dot(w, s->n),
                        size_of_dot(s->n, e->w_off) + FEW * size_of_dot(w, n_size));
}

/* v . y at the root, where v is a x b, and b is off by b_off; and how far that may be off. */
static double form_of_face(const entry *e, const double a[3], const double b[3],
                           const double b_off[3], const double y[3], double *off)
{
    double v[3], v_off[3];
    sli_cross(a, b, v);
    size_of_cross(a, b_off, v_off);
    *off = size_of_dot(v, e->y_off) + size_of_dot(y, v_off);
    return sli_dot(v, y);
}

/* The foot lies within the face: (f x n) . y, -(e x n) . y and n.n less both are above 0. */
static bool is_at_face(const entry *e, const double y[3])
{
    double n[3], offs[2];
    highs_of(e->w, n);
    const double first = form_of_face(e, e->s->f, n, e->w_off, y, &offs[0]);
    const double other = -form_of_face(e, e->s->e[0], n, e->w_off, y, &offs[1]);
    const double all = e->size.high;
    return first > offs[0] && other > offs[1] &&
           all - first - other > offs[0] + offs[1] + 2 * FEW * all + e->size.error;
}

/* Whether the cell surely is the nearest at the root. */
static bool is_nearest(entry *e)
{
    double y[3];
    highs_of(e->y, y);
    make_offs(e);
    return e->s->dim == 0   ? is_at_vertex(e, y)
           : e->s->dim == 1 ? is_at_edge(e, y)
                            : is_at_face(e, y);
}

/* Cuts w at the root; what is left of its roundings is far below what the root is off. */
static bool cut_across(const entry *e, double out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        const sli_dd way = { e->step * e->along[axis], 0 };
        const double off = (e->off + FEW * fabs(e->step)) * e->along_size[axis];
        const sli_dd w = way.high != 0 ? sli_dd_sum(e->w[axis], way) : e->w[axis];
        const double error = (off + e->w_error[axis]) * 1.01;
        if (!sli_known_dd_cut(&(sli_dd_known){ w.high, w.low, error }, &out[axis])) {
            return false;
        }
    }
    return true;
}

/* Lengths are such that no product of two coordinates that matters underflows. */
static bool set_normal(const entry *e, const double span[3], double normal[3])
{
    const int dim = e->s->dim;
    double v[3];
    if (!cut_across(e, v)) {
        return false;
    }
    if (dim == 1) {
        sli_cross(v, span, v);
    }
    const double square = sli_dot(v, v), sign = dim == 2 ? e->side : 1;
    if (!(square > 0x1p-400 && square < 0x1p400)) {
        return false;
    }
    sli_norm_divide(v, normal);
    for (int axis = 0; axis < 3; axis++) {
        normal[axis] = sign * normal[axis] + 0.0;
    }
    return true;
}

/* Of a face: how far the centre is from it at the contact. */
static bool set_point(const entry *e, const double span[3], double distance, sl_contact *out)
{
    const sli_round *round = e->s->round;
    if (e->s->dim == 1) {
        double m[3];
        for (int axis = 0; axis < 3; axis++) {
            const sli_dd x = sli_dd_difference(round->end[0][axis], e->base[axis]);
            m[axis] = sli_dd_cut(&x);
        }
        return sli_round_point_on_edge(round->end[0], e->base, m, span, round->dir, out);
    }
    for (int axis = 0; axis < 3; axis++) {
        const double at = round->end[0][axis] + out->t * round->dir[axis];
        out->point[axis] = e->s->dim == 2 ? at - distance * out->normal[axis] : e->base[axis] + 0.0;
    }
    return true;
}

static double sum_of_sizes(const double v[3])
{
    return (fabs(v[0]) + fabs(v[1])) + fabs(v[2]);
}

static uint32_t flags_of(const sli_sphere_case *s)
{
    const double *d = s->round->dir, speed = sli_dot(s->n, d);
    const double size = sum_of_sizes(s->e[0]) * sum_of_sizes(s->f) * sum_of_sizes(d);
    const bool back = fabs(speed) > FEW * size ? speed > 0 : sli_round_meets_back(s->round);
    return sli_round_flags(s->round, s->dim, back);
}

static sli_tribool report(const entry *e, sl_start start, double distance, sl_contact *out)
{
    double span[3];
    for (int axis = 0; axis < 3 && e->s->dim == 1; axis++) {
        span[axis] = sli_dd_cut(&e->span[axis]);
    }
    if (!set_normal(e, span, out->normal) || !set_point(e, span, distance, out)) {
        return SLI_UNSURE;
    }
    out->start = start;
    out->flags = flags_of(e->s);
    return SLI_YES;
}

/* t to nearest and down. */
static sli_tribool report_entry(const entry *e, double t_bound, sl_contact *out)
{
    const double t = e->s->t;
    const sli_dd sum = sli_dd_of_parts(t, e->step);
    const sli_dd_known root = { sum.high, sum.low, e->off };
    const double margin = e->off + fabs(sum.low) * 0x1p-52;
    double rounded;
    if (!(t > 0x1p-100 && fabs(e->step) < t && e->off < t)) {
        return SLI_UNSURE;
    }
    if (sum.high - e->off > t_bound * (1 + 0x1p-50)) {
        return SLI_NO;
    }
    if (!sli_dd_round(&root, &rounded) || rounded != sum.high || !(fabs(sum.low) > margin)) {
        return SLI_UNSURE;
    }
    if (sum.high > 1 || (sum.high == 1 && sum.low > 0)) {
        return SLI_NO;
    }
    out->t = sum.high;
    out->t_safe = sli_dd_cut(&sum);
    return report(e, SL_START_APART, e->s->round->radius[0], out);
}

/* Cuts n . b at the start, which is x up to a bound; known without a low part it may be exact. */
static bool cut_dot(const entry *e, const sli_dd b[3], const sli_dd_known *x, double *out)
{
    double sum = 0, rest = fabs(x->low);
    if (sli_known_dd_cut(x, out)) {
        return true;
    }
    for (int axis = 0; axis < 3; axis++) {
        const sli_dd *n = &e->w[axis], p = sli_dd_of_product(n->high, b[axis].high);
        double less;
        sli_two_sum(sum, p.high, &sum, &less);
        rest += fabs(less) + fabs(p.low) + fabs(n->low) + fabs(b[axis].low) + e->w_error[axis];
    }
    return rest == 0;
}

static bool height_of(const entry *e, double *out)
{
    double square, above;
    if (!cut_dot(e, e->w, &e->size, &square) || !cut_dot(e, e->y, &e->height, &above)) {
        return false;
    }
    *out = fabs(above / sqrt(square));
    return true;
}

/* Whether the centre surely does not lie on the cell; of a face that is known. */
static bool is_off_cell(const entry *e)
{
    double size = 0, off = 0;
    for (int axis = 0; axis < 3; axis++) {
        size += fabs(e->w[axis].high);
        off += e->w_error[axis];
    }
    return size > 2 * off;
}

/* The cell is nearest at the start; what moves away from there does not come back. */
static sli_tribool report_start(const entry *e, sl_contact *out)
{
    const sli_round *round = e->s->round;
    const bool closes = e->slope < -e->slope_off, recedes = e->slope >= e->slope_off;
    const bool unsure = round->moves && (!closes && !recedes);
    double distance = 0;
    if (!(fabs(e->value.high) > e->value.error) || !is_off_cell(e)) {
        return SLI_UNSURE;
    }
    if (e->value.high > 0) {
        return !round->moves || (recedes && !closes) ? SLI_NO : SLI_UNSURE;
    }
    if (unsure && round->overlapping == SL_START_IGNORE_RECEDING) {
        return SLI_UNSURE;
    }
    if (!sli_round_reports(round->overlapping, !closes)) {
        return SLI_NO;
    }
    if (e->s->dim == 2 && !height_of(e, &distance)) {
        return SLI_UNSURE;
    }
    out->t = out->t_safe = 0;
    return report(e, SL_START_OVERLAPPING, distance, out);
}

/* Whether the way that is guessed from the triangle separates it from the sphere, surely, on all
 * of the motion. */
static bool stays_apart(const sli_sphere_case *s, double t_bound)
{
    const double *w = s->away, *d = s->round->dir;
    const double square = sli_dot(w, w), reach = s->round->radius[0] * sqrt(square);
    const double way = t_bound * sli_dot(w, d), way_size = t_bound * size_of_dot(w, d);
    for (int i = 0; i < 3; i++) {
        const double near = sli_dot(w, s->m[i]) + (way < 0 ? way : 0);
        const double size = size_of_dot(w, s->m[i]) + way_size + reach;
        if (!(near > reach + FEW * size && square > 0x1p-900)) {
            return false;
        }
    }
    return true;
}

sli_tribool sli_sphere_sweep(const sli_round *round, double t_bound, sl_contact *out)
{
    sli_sphere_case s;
    entry e;
    const sli_sphere_guess guess = sli_sphere_guess_make(round, &s);
    if (guess == SLI_SPHERE_MISSES) {
        return stays_apart(&s, t_bound) ? SLI_NO : SLI_UNSURE;
    }
    if (guess == SLI_SPHERE_NO_GUESS || !make_entry(&s, &e)) {
        return SLI_UNSURE;
    }
    e.step = e.off = 0;
    if (s.t > 0 && !find_root(&e)) {
        return SLI_UNSURE;
    }
    if (fabs(e.step) > 0x1p-42 * s.t) { /* once more, from nearer by */
        s.t += e.step;
        if (!(s.t > 0) || !make_entry(&s, &e) || !find_root(&e)) {
            return SLI_UNSURE;
        }
    }
    if (!is_nearest(&e)) {
        return SLI_UNSURE;
    }
    return s.t > 0 ? report_entry(&e, t_bound, out) : report_start(&e, out);
}
