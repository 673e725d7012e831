/* A frustum against a sphere.
 *
 * The nearest point of the frustum to the centre is the centre itself, or its projection on the
 * intersection of up to three of the planes (those that keep it from coming nearer, of which some
 * with independent normals are enough); and any such projection that lies behind all planes is a
 * point of the frustum.  So they overlap exactly if one of these projections is in the frustum and
 * near enough.  With s the heights of the centre above the planes (s_i = n_i . c - d_i, of degree
 * 2) the projection is c - step / size:
 *   1 plane   step = s n, size = n.n;
 *   2 planes  step = a n1 + b n2, a = s1 n2.n2 - s2 n1.n2, b likewise, size = |n1 x n2|^2;
 *   3 planes  step = s1 n2 x n3 + s2 n3 x n1 + s3 n1 x n2, size = det(n1, n2, n3).
 * With a positive size it is behind plane j if s_j size <= n_j . step.  Planes that have all of the
 * sphere behind them are left out.  The highest degree is 6.
 * Source   the conditions of Karush, Kuhn and Tucker for the nearest point of a polyhedron. */
#include "lib/base/inline.h"
#include "lib/geom/exact/compare_length.h"
#include "lib/geom/exact/valid.h"
#include "lib/geom/overlap/frustum.h"
#include "lib/geom/overlap/overlap.h"
#include "lib/geom/overlap/overlap_d.h"

typedef struct problem {
    const sl_frustum_d *frustum;
    const sl_sphere *sphere;
    int count; /* number of planes that cut the sphere */
    sli_half_space plane[SL_FRUSTUM_PLANES_MAX];
    sli_number height[SL_FRUSTUM_PLANES_MAX]; /* of the centre over each */
    int index[SL_FRUSTUM_PLANES_MAX];
    sli_number radius;
} problem;

/* A projection of the centre: centre - step / size. */
typedef struct projection {
    sli_number step[3], size;
} projection;

/* Makes plane[i] from the frustum's plane number index. */
static void make_plane(problem *p, int i, int index, bool exact)
{
    sli_number centre[3];
    sli_number_set3(p->sphere->centre, exact, centre);
    p->index[i] = index;
    sli_half_space_make(&p->frustum->plane[index], exact, &p->plane[i]);
    sli_number_dot(p->plane[i].normal, centre, &p->height[i]);
    sli_number_sub(&p->height[i], &p->plane[i].offset, &p->height[i]);
}

static void frustum_sphere_make(void *context, bool exact)
{
    problem *p = context;
    sli_number_set((double)p->sphere->radius, exact, &p->radius);
    for (int i = 0; i < p->count; i++) {
        make_plane(p, i, p->index[i], exact);
    }
}

static void set_zero(const problem *p, sli_number v[3])
{
    for (int axis = 0; axis < 3; axis++) {
        sli_number_set(0, p->radius.n >= 0, &v[axis]);
    }
}

/* Whether |s| <= r |n|. */
static sli_tribool is_near_plane(const problem *p, int plane)
{
    return sli_is_length_within(1, &p->height[plane], &p->radius, p->plane[plane].normal);
}

static void project_on_one(const problem *p, const int *plane, projection *f)
{
    const sli_number *n = p->plane[plane[0]].normal;
    set_zero(p, f->step);
    sli_number_step3(&p->height[plane[0]], n, 1, f->step);
    sli_number_dot(n, n, &f->size);
}

/* The distance squared is (a s1 + b s2) / size: step . step has one factor size too many. */
static sli_tribool project_on_two(const problem *p, const int *plane, projection *f)
{
    const sli_number *n[2], *s[2];
    sli_number square[2], both, across[3], sum, term;
    for (int i = 0; i < 2; i++) {
        n[i] = p->plane[plane[i]].normal;
        s[i] = &p->height[plane[i]];
        sli_number_dot(n[i], n[i], &square[i]);
    }
    sli_number_dot(n[0], n[1], &both);
    sli_number_cross(n[0], n[1], across);
    sli_number_dot(across, across, &f->size);
    set_zero(p, f->step);
    sli_number_set(0, p->radius.n >= 0, &sum);
    for (int i = 0; i < 2; i++) {
        sli_number weight, other;
        sli_number_mul(s[i], &square[1 - i], &weight);
        sli_number_mul(s[1 - i], &both, &other);
        sli_number_sub(&weight, &other, &weight);
        sli_number_step3(&weight, n[i], 1, f->step);
        sli_number_mul(&weight, s[i], &term);
        sli_number_add(&sum, &term, &sum);
    }
    sli_number_mul(&p->radius, &p->radius, &term);
    sli_number_mul(&term, &f->size, &term);
    return sli_is_at_most(&sum, &term);
}

static sli_tribool project_on_three(const problem *p, const int *plane, projection *f)
{
    sli_number limit;
    set_zero(p, f->step);
    for (int i = 0; i < 3; i++) {
        sli_number across[3];
        sli_number_cross(p->plane[plane[(i + 1) % 3]].normal, p->plane[plane[(i + 2) % 3]].normal,
                         across);
        sli_number_step3(&p->height[plane[i]], across, 1, f->step);
        if (i == 0) {
            sli_number_dot(p->plane[plane[0]].normal, across, &f->size);
        }
    }
    const int sign = f->size.value < 0 ? -1 : 1;
    sli_number_turn(&f->size, sign);
    for (int axis = 0; axis < 3; axis++) {
        sli_number_turn(&f->step[axis], sign);
    }
    sli_number_mul(&p->radius, &f->size, &limit);
    return sli_is_length_at_most(3, f->step, 1, &limit);
}

static sli_tribool is_behind_all(const problem *p, int set, const projection *f)
{
    sli_tribool behind = SLI_YES;
    for (int i = 0; i < p->count && behind != SLI_NO; i++) {
        if ((set >> i & 1) == 0) {
            sli_number over, back;
            sli_number_mul(&p->height[i], &f->size, &over);
            sli_number_dot(p->plane[i].normal, f->step, &back);
            behind = sli_and(behind, sli_is_at_most(&over, &back));
        }
    }
    return behind;
}

/* test = a bit mask of planes; 0 stands for the centre itself. */
static sli_tribool frustum_sphere_answer(void *context, int test)
{
    const problem *p = context;
    int plane[SL_FRUSTUM_PLANES_MAX], count = 0;
    for (int i = 0; i < p->count; i++) {
        if ((test >> i & 1) != 0) {
            plane[count++] = i;
        }
    }
    projection f;
    sli_tribool near = SLI_YES;
    switch (count) {
    case 0:
        set_zero(p, f.step);
        sli_number_set(1, p->radius.n >= 0, &f.size);
        break;
    case 1: /* gather kept only planes that are near enough */
        project_on_one(p, plane, &f);
        break;
    case 2:
        near = project_on_two(p, plane, &f);
        break;
    case 3:
        near = project_on_three(p, plane, &f);
        break;
    default:
        return SLI_NO;
    }
    near = sli_and(near, sli_is_positive(&f.size));
    return near == SLI_NO ? SLI_NO : sli_and(near, is_behind_all(p, test, &f));
}

/* True if a single plane has the sphere in front.  Otherwise gathers the planes that cut the
 * sphere. */
static bool frustum_sphere_gather(problem *p)
{
    bool exact = false;
    p->count = 0;
    frustum_sphere_make(p, exact);
    for (int i = 0; i < (int)p->frustum->count; i++) {
        make_plane(p, p->count, i, exact);
        sli_tribool near = is_near_plane(p, p->count);
        sli_tribool front = sli_is_positive(&p->height[p->count]);
        if (!exact && (near == SLI_UNSURE || (near == SLI_NO && front == SLI_UNSURE))) {
            exact = true;
            frustum_sphere_make(p, exact);
            make_plane(p, p->count, i, exact);
            near = is_near_plane(p, p->count);
            front = sli_is_positive(&p->height[p->count]);
        }
        if (near == SLI_NO && front == SLI_YES) {
            return true;
        }
        p->count += near == SLI_YES;
    }
    return false;
}

SLI_NOINLINE bool sli_frustum_sphere(const sl_frustum *frustum, const sl_sphere *sphere)
{
    if (!sli_frustum_is_valid(frustum) || !sli_sphere_is_valid(sphere)) {
        return false;
    }
    problem p;
    const sl_frustum_d wide = sli_frustum_d_of(frustum);
    p.frustum = &wide;
    p.sphere = sphere;
    return !frustum_sphere_gather(&p) &&
           sli_any(&(sli_tests){ &p, frustum_sphere_answer, frustum_sphere_make }, 1 << p.count);
}
