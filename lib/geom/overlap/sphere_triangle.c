/* A sphere against a triangle.  In floats: the distance of the centre (closest/point_triangle.c)
 * against the radius.
 *
 * In doubles the radius has too many digits for that.  The sphere touches an edge, a vertex
 * included, or the foot of its centre on the plane lies in the triangle and is near: with the
 * normal n = e0 x e1, w from a vertex to the centre, |w . n| <= r |n|, and (e_i x n) . w_i <= 0 for
 * each edge e_i and the w_i from its vertex.  Degrees 3 and 4: signs, without division.
 * Source   Ericson, Real-Time Collision Detection (2005), 5.1.5, for the regions. */
#include "lib/base/inline.h"
#include "lib/geom/closest/point_triangle.h"
#include "lib/geom/exact/compare_length.h"
#include "lib/geom/exact/valid.h"
#include "lib/geom/overlap/overlap.h"
#include "lib/geom/overlap/overlap_d.h"
#include "lib/geom/overlap/segment_distance.h"

typedef struct problem {
    const sl_sphere_d *sphere;
    const sl_triangle_d *triangle;
    sli_number centre[3], corner[3][3], radius;
} problem;

static void sphere_triangle_make(void *context, bool exact)
{
    problem *p = context;
    sli_number_set(p->sphere->radius, exact, &p->radius);
    for (int axis = 0; axis < 3; axis++) {
        sli_number_set(p->sphere->centre[axis], exact, &p->centre[axis]);
        for (int i = 0; i < 3; i++) {
            sli_number_set(p->triangle->v[i][axis], exact, &p->corner[i][axis]);
        }
    }
}

static sli_tribool face_is_near(const problem *p)
{
    sli_number edge[2][3], n[3], w[3], height, square;
    sli_number_sub3(p->corner[1], p->corner[0], edge[0]);
    sli_number_sub3(p->corner[2], p->corner[1], edge[1]);
    sli_number_cross(edge[0], edge[1], n);
    sli_number_sub3(p->centre, p->corner[0], w);
    sli_number_dot(w, n, &height);
    sli_tribool near = sli_is_length_within(1, &height, &p->radius, n);
    if (near != SLI_NO) {
        sli_number_dot(n, n, &square);
        near = sli_and(near, sli_is_positive(&square)); /* or there is no face */
    }
    for (int i = 0; i < 3 && near != SLI_NO; i++) {
        sli_number across[3], beyond;
        sli_number_sub3(p->corner[(i + 1) % 3], p->corner[i], edge[0]);
        sli_number_sub3(p->centre, p->corner[i], w);
        sli_number_cross(edge[0], n, across);
        sli_number_dot(across, w, &beyond);
        near = sli_and(near, sli_not(sli_is_positive(&beyond)));
    }
    return near;
}

static sli_tribool sphere_triangle_answer(void *context, int test)
{
    const problem *p = context;
    return test == 3 ? face_is_near(p)
                     : sli_point_near_segment(p->centre, p->corner[test], p->corner[(test + 1) % 3],
                                              &p->radius);
}

/* Whether a corner surely is in the sphere, as of most triangles that touch it.  A difference, its
 * square, two sums and the square of the radius are rounded; what underflows is less than
 * 2^-1000, and the square of a radius that is not 0 at least 2^-298. */
static bool has_corner_in(const sl_sphere_d *sphere, const sl_triangle_d *triangle)
{
    bool found = false;
    for (int i = 0; i < 3; i++) {
        double square = 0;
        for (int axis = 0; axis < 3; axis++) {
            const double off = triangle->v[i][axis] - sphere->centre[axis];
            square += off * off;
        }
        found = found || square * (1 + 0x1p-49) <= sphere->radius * sphere->radius;
    }
    return found;
}

bool sli_sphere_triangle_d(const sl_sphere_d *sphere, const sl_triangle_d *triangle)
{
    problem p;
    if (sli_far_from_triangle(sphere->centre, sphere->centre, sphere->radius, triangle)) {
        return false;
    }
    if (has_corner_in(sphere, triangle)) {
        return true;
    }
    p.sphere = sphere;
    p.triangle = triangle;
    sphere_triangle_make(&p, false);
    return sli_any(&(sli_tests){ &p, sphere_triangle_answer, sphere_triangle_make }, 4);
}

SLI_NOINLINE bool sli_sphere_triangle(const sl_sphere *sphere, const sl_triangle *triangle)
{
    if (!sli_sphere_is_valid(sphere) || !sli_triangle_is_valid(triangle)) {
        return false;
    }
    const float *c = sphere->centre;
    const double point[3] = { (double)c[0], (double)c[1], (double)c[2] };
    sli_nearest_point nearest;
    return sli_point_triangle(point, triangle->v[0], triangle->v[1], triangle->v[2], sphere->radius,
                              INFINITY, &nearest);
}
