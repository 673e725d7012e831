/* Contacts of spheres with triangles, decided and reported without exact numbers: the same bits as
 * from these (round_report.c).
 *
 * A normal is made of what exact numbers would be cut off to, and so is a point on an edge.  Where
 * bounds do not tell the bits of these, or of t, exact numbers do all of it. */
#include "lib/geom/sweep/sphere.h"
#include "lib/geom/exact/arithmetic/known_dd.h"
#include "lib/geom/exact/arithmetic/vector.h"

/* Cuts w at the root; what is left of its roundings is far below what the root is off. */
static bool cut_across(const sli_sphere_entry *e, double out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        const sli_dd way = { e->step * e->along[axis], 0 };
        const double off = (e->off + SLI_SPHERE_FEW * fabs(e->step)) * e->along_size[axis];
        const sli_dd w = way.high != 0 ? sli_dd_sum(e->w[axis], way) : e->w[axis];
        const double error = (off + e->w_error[axis]) * 1.01;
        if (!sli_known_dd_cut(&(sli_dd_known){ w.high, w.low, error }, &out[axis])) {
            return false;
        }
    }
    return true;
}

/* Lengths are such that no product of two coordinates that matters underflows. */
static bool set_normal(const sli_sphere_entry *e, const double span[3], double normal[3])
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
static bool set_point(const sli_sphere_entry *e, const double span[3], double distance,
                      sl_contact *out)
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
    const bool back =
        fabs(speed) > SLI_SPHERE_FEW * size ? speed > 0 : sli_round_meets_back(s->round);
    return sli_round_flags(s->round, s->dim, back);
}

static sli_tribool report(const sli_sphere_entry *e, sl_start start, double distance,
                          sl_contact *out)
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
static sli_tribool report_entry(const sli_sphere_entry *e, double t_bound, sl_contact *out)
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
static bool cut_dot(const sli_sphere_entry *e, const sli_dd b[3], const sli_dd_known *x,
                    double *out)
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

static bool height_of(const sli_sphere_entry *e, double *out)
{
    double square, above;
    if (!cut_dot(e, e->w, &e->size, &square) || !cut_dot(e, e->y, &e->height, &above)) {
        return false;
    }
    *out = fabs(above / sqrt(square));
    return true;
}

/* Whether the centre surely does not lie on the cell; of a face that is known. */
static bool is_off_cell(const sli_sphere_entry *e)
{
    double size = 0, off = 0;
    for (int axis = 0; axis < 3; axis++) {
        size += fabs(e->w[axis].high);
        off += e->w_error[axis];
    }
    return size > 2 * off;
}

/* The cell is nearest at the start; what moves away from there does not come back. */
static sli_tribool report_start(const sli_sphere_entry *e, sl_contact *out)
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
    const double way = t_bound * sli_dot(w, d), way_size = t_bound * sli_size_of_dot(w, d);
    for (int i = 0; i < 3; i++) {
        const double near = sli_dot(w, s->m[i]) + (way < 0 ? way : 0);
        const double size = sli_size_of_dot(w, s->m[i]) + way_size + reach;
        if (!(near > reach + SLI_SPHERE_FEW * size && square > 0x1p-900)) {
            return false;
        }
    }
    return true;
}

sli_tribool sli_sphere_sweep(const sli_round *round, double t_bound, sl_contact *out)
{
    sli_sphere_case s;
    sli_sphere_entry e;
    const sli_sphere_guess guess = sli_sphere_guess_make(round, &s);
    if (guess == SLI_SPHERE_MISSES) {
        return stays_apart(&s, t_bound) ? SLI_NO : SLI_UNSURE;
    }
    if (guess == SLI_SPHERE_NO_GUESS || !sli_sphere_entry_make(&s, &e)) {
        return SLI_UNSURE;
    }
    e.step = e.off = 0;
    if (s.t > 0 && !sli_sphere_entry_find_root(&e)) {
        return SLI_UNSURE;
    }
    if (fabs(e.step) > 0x1p-42 * s.t) { /* once more, from nearer by */
        s.t += e.step;
        if (!(s.t > 0) || !sli_sphere_entry_make(&s, &e) || !sli_sphere_entry_find_root(&e)) {
            return SLI_UNSURE;
        }
    }
    if (!sli_sphere_entry_is_nearest(&e)) {
        return SLI_UNSURE;
    }
    return s.t > 0 ? report_entry(&e, t_bound, out) : report_start(&e, out);
}
