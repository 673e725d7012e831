/* A capsule against a triangle.
 *
 * If segment and triangle do not meet, their nearest points are an end of the segment and a point
 * of the triangle, or a vertex of the triangle and a point of the segment, or inner points of the
 * segment and of an edge.
 * Source   Ericson, Real-Time Collision Detection (2005), 4.5.1, 5.1.9 and 5.1.10, for the cases.
 */
#include "lib/base/inline.h"
#include "lib/geom/convex/sat.h"
#include "lib/geom/overlap/overlap_d.h"
#include "lib/geom/overlap/segment_distance.h"

typedef struct problem {
    const sl_capsule_d *capsule;
    const sl_triangle_d *triangle;
    sli_number p[3], q[3], corner[3][3], radius;
} problem;

static void capsule_triangle_make(void *context, bool exact)
{
    problem *p = context;
    sli_number_set(p->capsule->radius, exact, &p->radius);
    for (int axis = 0; axis < 3; axis++) {
        sli_number_set(p->capsule->p[axis], exact, &p->p[axis]);
        sli_number_set(p->capsule->q[axis], exact, &p->q[axis]);
        for (int i = 0; i < 3; i++) {
            sli_number_set(p->triangle->v[i][axis], exact, &p->corner[i][axis]);
        }
    }
}

static sli_tribool capsule_triangle_answer(void *context, int test)
{
    const problem *p = context;
    const sli_number *corner = p->corner[test % 3], *next = p->corner[(test + 1) % 3];
    return test < 3 ? sli_point_near_segment(corner, p->p, p->q, &p->radius)
                    : sli_segments_pass_near(p->p, p->q, corner, next, &p->radius);
}

static SLI_NOINLINE bool sides_are_near(const sl_capsule_d *capsule, const sl_triangle_d *triangle)
{
    problem p;
    p.capsule = capsule;
    p.triangle = triangle;
    capsule_triangle_make(&p, false);
    return sli_any(&(sli_tests){ &p, capsule_triangle_answer, capsule_triangle_make }, 6);
}

/* Whether the bounds of both are apart on an axis.  Rounding a difference that is at most a given
 * double does not make it larger than that double. */
bool sli_far_from_triangle(const double p[3], const double q[3], double radius,
                           const sl_triangle_d *triangle)
{
    for (int axis = 0; axis < 3; axis++) {
        const double low = p[axis] < q[axis] ? p[axis] : q[axis];
        const double high = p[axis] < q[axis] ? q[axis] : p[axis];
        bool below = true, above = true;
        for (int i = 0; i < 3; i++) {
            const double x = triangle->v[i][axis];
            below = below && low - x > radius;
            above = above && x - high > radius;
        }
        if (below || above) {
            return true;
        }
    }
    return false;
}

static bool capsule_triangle_crosses(const sl_capsule_d *capsule, const sl_triangle_d *triangle)
{
    sli_body segment, flat;
    sli_body_of_segment_d(capsule->p, capsule->q, &segment);
    sli_body_of_triangle_d(triangle, &flat);
    return sli_bodies_meet(&segment, &flat);
}

static sl_sphere_d sphere_at(const double centre[3], double radius)
{
    return (sl_sphere_d){ .centre = { centre[0], centre[1], centre[2] }, .radius = radius };
}

bool sli_capsule_triangle_d(const sl_capsule_d *capsule, const sl_triangle_d *triangle)
{
    if (sli_far_from_triangle(capsule->p, capsule->q, capsule->radius, triangle)) {
        return false;
    }
    const sl_sphere_d first = sphere_at(capsule->p, capsule->radius);
    const sl_sphere_d last = sphere_at(capsule->q, capsule->radius);
    return sli_sphere_triangle_d(&first, triangle) || sli_sphere_triangle_d(&last, triangle) ||
           sides_are_near(capsule, triangle) || capsule_triangle_crosses(capsule, triangle);
}
