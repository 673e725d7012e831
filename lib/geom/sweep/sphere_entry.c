/* When a sphere enters a cell of a triangle, and whether that is nearest then, without exact
 * numbers.
 *
 * With y = m + t d, the centre at t as it is seen from the cell's base, and
 *     a vertex   w = y,      value |w|^2 - r^2,          slope 2 w.d
 *     an edge    w = e x y,  value |w|^2 - r^2 e.e,      slope 2 w.(e x d)
 *     a face     w = n,      value s y.n - r |n|,        slope s d.n
 * the sphere is apart from the cell where the value is above 0.  It is made at the t that was
 * guessed, in parts (parts.h), so that one step of Newton's, whose slope needs doubles only, knows
 * the root to some 75 bits.  Whether the cell is entered there, or is nearest at the start, are
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
 * which is added how far parts and the root are off.  Where products underflow they lose
 * less than what is left, since all numbers are multiples of 2^-149 no larger than FLT_MAX, and t
 * is 0 or above 2^-100.  A form whose terms are all 0 is known to be 0. */
#include "lib/base/inline.h"
#include "lib/geom/exact/arithmetic/known_dd.h"
#include "lib/geom/exact/arithmetic/parts.h"
#include "lib/geom/exact/arithmetic/vector.h"
#include "lib/geom/sweep/sphere.h"

/* Squares that underflow, next to that of a radius above 2^-150. */
#define LOST 0x1p-900

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

/* Within 3.01 u^2 of the sizes of the terms; as much is left to the step to the root. */
static SLI_FORCE_INLINE void make_place(sli_sphere_entry *e)
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

/* Value and slope of a vertex or an edge; the square of the radius, times e.e, is known within 21
 * p of itself. */
static SLI_FORCE_INLINE void make_distance(sli_sphere_entry *e, sli_dd reach)
{
    sli_parts w[3];
    double most = 0, off = 0, slope = 0, slope_off = 0;
    sli_parts_of3(e->w, w);
    const sli_dd square = sli_parts_dot(w, w), value = sli_dd_sum(square, sli_dd_negated(reach));
    for (int axis = 0; axis < 3; axis++) {
        const double size = fabs(w[axis].high), error = e->w_error[axis];
        off += (size + error) * error;
        slope += w[axis].high * e->along[axis];
        slope_off += (SLI_SPHERE_FEW * size + error) * e->along_size[axis];
        most += e->along_size[axis];
    }
    off = 2.01 * off + 24 * SLI_PART * (square.high + reach.high);
    e->value = (sli_dd_known){ value.high, value.low, off + LOST };
    e->slope = 2 * slope;
    e->slope_off = 2 * slope_off;
    e->bend = most * most;
}

static SLI_FORCE_INLINE void make_vertex(sli_sphere_entry *e)
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

static SLI_FORCE_INLINE void make_edge(sli_sphere_entry *e)
{
    const sli_round *round = e->s->round;
    const int index = e->s->index;
    sli_parts span[3];
    const sli_dd square = sli_dd_of_product(round->radius[0], round->radius[0]);
    sli_dd_differences(round->corner[(index + 1) % 3], e->base, e->span);
    sli_parts_cross(e->span, e->y, e->y_error, e->w, e->w_error);
    sli_cross(e->s->e[index], round->dir, e->along);
    size_of_cross(e->s->e[index], round->dir, e->along_size);
    sli_parts_of3(e->span, span);
    make_distance(e, sli_dd_product(square, sli_parts_dot(span, span)));
}

/* n.n and n.y, with what n and y are off by. */
static SLI_FORCE_INLINE void make_height(sli_sphere_entry *e)
{
    sli_parts w[3], place[3];
    sli_parts_of3(e->w, w);
    sli_parts_of3(e->y, place);
    const sli_dd size = sli_parts_dot(w, w), height = sli_parts_dot(w, place);
    double across = 0, off = 0, sizes = 0;
    for (int axis = 0; axis < 3; axis++) {
        const double n = fabs(w[axis].high), y = fabs(place[axis].high);
        const double n_error = e->w_error[axis];
        across += (n + n_error) * n_error;
        off += y * n_error + (n + n_error) * e->y_error[axis];
        sizes += n * y;
    }
    e->size = (sli_dd_known){ size.high, size.low, 2.01 * across + 21 * SLI_PART * size.high };
    e->height = (sli_dd_known){ height.high, height.low, 1.01 * off + 21 * SLI_PART * sizes };
}

/* False where it is unsure on which side the sphere is, or where it goes. */
static SLI_FORCE_INLINE bool make_face(sli_sphere_entry *e)
{
    static const double exact[3] = { 0, 0, 0 };
    const sli_round *round = e->s->round;
    sli_dd last[3];
    double n[3];
    sli_dd_differences(round->corner[1], e->base, e->span);
    sli_dd_differences(round->corner[2], e->base, last);
    sli_parts_cross(e->span, last, exact, e->w, e->w_error);
    make_height(e);
    highs_of(e->w, n);
    e->slope = sli_dot(n, round->dir);
    e->slope_off = e->bend = 0;
    for (int axis = 0; axis < 3; axis++) {
        e->slope_off +=
            (SLI_SPHERE_FEW * fabs(n[axis]) + e->w_error[axis]) * fabs(round->dir[axis]);
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

bool sli_sphere_entry_make(const sli_sphere_case *s, sli_sphere_entry *e)
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

bool sli_sphere_entry_find_root(sli_sphere_entry *e)
{
    const double slope = fabs(e->slope), unsure = e->value.error / slope;
    e->step = e->value.high / slope;
    const double most = fabs(e->step) + unsure, bend = 4 * e->bend * most / slope;
    const double part = e->slope_off / slope;
    e->off = (unsure + most * (2 * part + bend + SLI_SPHERE_FEW)) * 1.01;
    return e->slope < 0 && part <= 0x1p-20 && bend <= 0x1p-10;
}

static void make_offs(sli_sphere_entry *e)
{
    const double spread = fabs(e->step) + e->off;
    for (int axis = 0; axis < 3; axis++) {
        const double y = fabs(e->y[axis].high), w = fabs(e->w[axis].high);
        const double d = fabs(e->s->round->dir[axis]), along = e->along_size[axis];
        e->y_off[axis] = (SLI_SPHERE_FEW * y + spread * d + e->y_error[axis]) * 1.01;
        e->w_off[axis] = (SLI_SPHERE_FEW * w + spread * along + e->w_error[axis]) * 1.01;
    }
}

/* Whether x, which may be off by so much, surely is not above 0. */
static bool is_not_above(double x, double off)
{
    return -x > off || (off == 0 && x <= 0);
}

/* No edge at the vertex leads nearer. */
static bool is_at_vertex(const sli_sphere_entry *e, const double y[3])
{
    const double *next = e->s->e[e->s->index], *last = e->s->e[(e->s->index + 2) % 3];
    return is_not_above(sli_dot(next, y), sli_size_of_dot(next, e->y_off)) &&
           is_not_above(-sli_dot(last, y), sli_size_of_dot(last, e->y_off));
}

/* The foot lies within the edge, and the face leads no nearer: for each edge e x (the other one at
 * its start) is n. */
static bool is_at_edge(const sli_sphere_entry *e, const double y[3])
{
    const sli_sphere_case *s = e->s;
    const double *span = s->e[s->index], all = sli_dot(span, span);
    const double part = sli_dot(span, y), off = sli_size_of_dot(span, e->y_off);
    if (!(part > off && all - part > off + 2 * SLI_SPHERE_FEW * all)) {
        return false;
    }
    double w[3], n_size[3];
    highs_of(e->w, w);
    size_of_cross(s->e[0], s->f, n_size);
    return is_not_above(sli_dot(w, s->n), sli_size_of_dot(s->n, e->w_off) +
                                              SLI_SPHERE_FEW * sli_size_of_dot(w, n_size));
}

/* v . y at the root, where v is a x b, and b is off by b_off; and how far that may be off. */
static double form_of_face(const sli_sphere_entry *e, const double a[3], const double b[3],
                           const double b_off[3], const double y[3], double *off)
{
    double v[3], v_off[3];
    sli_cross(a, b, v);
    size_of_cross(a, b_off, v_off);
    *off = sli_size_of_dot(v, e->y_off) + sli_size_of_dot(y, v_off);
    return sli_dot(v, y);
}

/* The foot lies within the face: (f x n) . y, -(e x n) . y and n.n less both are above 0. */
static bool is_at_face(const sli_sphere_entry *e, const double y[3])
{
    double n[3], offs[2];
    highs_of(e->w, n);
    const double first = form_of_face(e, e->s->f, n, e->w_off, y, &offs[0]);
    const double other = -form_of_face(e, e->s->e[0], n, e->w_off, y, &offs[1]);
    const double all = e->size.high;
    return first > offs[0] && other > offs[1] &&
           all - first - other > offs[0] + offs[1] + 2 * SLI_SPHERE_FEW * all + e->size.error;
}

bool sli_sphere_entry_is_nearest(sli_sphere_entry *e)
{
    double y[3];
    highs_of(e->y, y);
    make_offs(e);
    return e->s->dim == 0   ? is_at_vertex(e, y)
           : e->s->dim == 1 ? is_at_edge(e, y)
                            : is_at_face(e, y);
}
