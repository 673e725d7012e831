/* The exact stage of rays and triangles: weights and the ratio of t as expansions of
 * differences, and the signs that an infinitely small movement gives; the vertex at which a ray
 * begins or ends.  Called by ray_triangle_exact.c for what doubles leave open.
 * Source   Shewchuk (1997); for crossings Edelsbrunner and Mucke, Simulation of Simplicity
 *          (1990). */
#include "lib/geom/exact/intersection.h"
#include "lib/geom/exact/arithmetic/vector.h"

#include <math.h>

static void intersection_diffs(const double a[3], const double b[3], sli_diff out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = sli_diff_make(a[axis], b[axis]);
    }
}

static void direction_diffs(const sli_exact_ray *ray, sli_diff out[3])
{
    const double zero[3] = { 0, 0, 0 };
    if (ray->segment) {
        intersection_diffs(ray->end, ray->origin, out);
    } else {
        intersection_diffs(ray->dir, zero, out);
    }
}

/* Whether the ray ends at vertex i.  Then dir is corner, which is rounded once, too. */
static bool intersection_ends_at(const intersection *m, int i)
{
    double end[3];
    return sli_is_same_point(m->corner[i], m->ray->dir) && sli_intersection_end(m->ray, end) &&
           sli_is_same_point(end, m->v[i]);
}

void sli_intersection_find_corner(intersection *m)
{
    bool begins = false, ends = false;
    m->at = -1;
    for (int i = 0; i < 3; i++) {
        const bool begin = sli_is_same_point(m->ray->origin, m->v[i]),
                   end = intersection_ends_at(m, i);
        m->at = begin || end ? i : m->at;
        begins |= begin;
        ends |= end;
    }
    m->at_t = ends ? 1 : 0;
    m->between = begins && ends;
}

int sli_intersection_weight(const intersection *m, int i, double h[SLI_DET3_MAX])
{
    sli_diff dir[3], from[3], to[3];
    direction_diffs(m->ray, dir);
    intersection_diffs(m->v[(i + 1) % 3], m->ray->origin, from);
    intersection_diffs(m->v[(i + 2) % 3], m->ray->origin, to);
    return sli_exact_det3(dir, from, to, h);
}

void sli_intersection_make_ratio(intersection *m)
{
    if (m->has_ratio) {
        return;
    }
    sli_diff dir[3], side1[3], side2[3], a[3];
    direction_diffs(m->ray, dir);
    intersection_diffs(m->v[1], m->v[0], side1);
    intersection_diffs(m->v[2], m->v[0], side2);
    intersection_diffs(m->v[0], m->ray->origin, a);
    m->d_n = sli_exact_det3(dir, side1, side2, m->d_exact);
    m->n_n = sli_exact_det3(a, side1, side2, m->n_exact);
    m->has_ratio = true;
    m->stage = SLI_STAGE_EXACT;
}

void sli_intersection_settle_weight(intersection *m, int i)
{
    if (sli_intersection_wide_settle(m, i)) {
        return;
    }
    double h[SLI_DET3_MAX];
    const int n = sli_intersection_weight(m, i, h);
    m->stage = SLI_STAGE_EXACT;
    m->sign[i] = sli_expansion_sign(n, h);
    m->edge[i].value = sli_expansion_estimate(n, h);
    m->edge[i].error = 8 * SLI_EPS * fabs(m->edge[i].value);
}

/* For a ray parallel to an axis, which in buildings meets edges and vertices very often: the
 * weight of vertex i is the length of d times an area in the plane perpendicular to it, which
 * takes far shorter expansions.  True if it is 0; other signs are left to
 * sli_intersection_settle_weight.  (The rounded direction of a segment is 0 exactly where the exact
 * one is: a difference of doubles is 0 only if they are equal.) */
bool sli_intersection_settle_zero_along(intersection *m, int i, int axis)
{
    const int j = (axis + 1) % 3, k = (axis + 2) % 3;
    const double *from = m->v[(i + 1) % 3], *to = m->v[(i + 2) % 3];
    const double *o = m->ray->origin;
    const double a[2] = { from[j], from[k] }, b[2] = { to[j], to[k] }, c[2] = { o[j], o[k] };
    if (sli_orient2d(a, b, c) != 0) {
        return false;
    }
    m->stage = SLI_STAGE_EXACT;
    m->sign[i] = 0;
    m->edge[i] = (approx){ 0, 0 };
    return true;
}

/* The sign of the first component that is not 0. */
static int first_sign(const int signs[3])
{
    return signs[0] != 0 ? signs[0] : signs[1] != 0 ? signs[1] : signs[2];
}

/* The sign of weight i, which is exactly 0, after the ray is moved by p = (e, e^2, e^3).  det(d, b
 * - p, c - p) = det(d, b, c) + p . (d x (c - b)), so the first component of d x (c - b) decides.
 * All are 0 only where the side is parallel to the ray, and then so is the triangle. */
static int moved_weight_sign(const intersection *m, int i)
{
    const double *from = m->v[(i + 1) % 3], *to = m->v[(i + 2) % 3];
    const sli_exact_ray *ray = m->ray;
    int signs[3];
    for (int axis = 0; axis < 3; axis++) {
        const int j = (axis + 1) % 3, k = (axis + 2) % 3;
        const double start[2] = { ray->segment ? ray->origin[j] : 0,
                                  ray->segment ? ray->origin[k] : 0 };
        const double end[2] = { ray->segment ? ray->end[j] : ray->dir[j],
                                ray->segment ? ray->end[k] : ray->dir[k] };
        const double b[2] = { from[j], from[k] }, c[2] = { to[j], to[k] };
        sli_decision_stage stage;
        signs[axis] = sli_cross2d(start, end, b, c, &stage);
    }
    return first_sign(signs);
}

/* The sign of t - limit for the moved ray where t is exactly at the limit: N becomes (a - p) . n,
 * so the first component of n that is not 0 decides, negated.  n is not 0, since D is not. */
int sli_intersection_moved_limit_sign(const intersection *m)
{
    int signs[3];
    for (int axis = 0; axis < 3; axis++) {
        const int j = (axis + 1) % 3, k = (axis + 2) % 3;
        double v[3][2];
        for (int i = 0; i < 3; i++) {
            v[i][0] = m->v[i][j];
            v[i][1] = m->v[i][k];
        }
        signs[axis] = sli_orient2d(v[0], v[1], v[2]);
    }
    return -first_sign(signs) * m->sign_d;
}

bool sli_intersection_crosses(const intersection *m)
{
    for (int i = 0; i < 3; i++) {
        const int sign = m->sign[i] != 0 ? m->sign[i] : moved_weight_sign(m, i);
        if (sign != m->sign_d) {
            return false;
        }
    }
    return true;
}
