/* A capsule against a triangle.
 *
 * If segment and triangle do not meet, their nearest points are an end of the segment and a point
 * of the triangle, or a vertex of the triangle and a point of the segment, or inner points of the
 * segment and of an edge.
 * Source   Ericson, Real-Time Collision Detection (2005), 4.5.1, 5.1.9 and 5.1.10, for the cases.
 */
#include "lib/base/fpenv.h"
#include "lib/geom/overlap/overlap.h"
#include "lib/geom/overlap/sat.h"
#include "lib/geom/overlap/segment_distance.h"

typedef struct problem {
    const sl_capsule *capsule;
    const sl_triangle *triangle;
    sli_number p[3], q[3], corner[3][3], radius;
} problem;

static void make(problem *p, bool exact)
{
    sli_number_set((double)p->capsule->radius, exact, &p->radius);
    for (int axis = 0; axis < 3; axis++) {
        sli_number_set((double)p->capsule->p[axis], exact, &p->p[axis]);
        sli_number_set((double)p->capsule->q[axis], exact, &p->q[axis]);
        for (int i = 0; i < 3; i++) {
            sli_number_set((double)p->triangle->v[i][axis], exact, &p->corner[i][axis]);
        }
    }
}

static void sharpen(void *context)
{
    make(context, true);
}

static sli_tribool answer(void *context, int question)
{
    const problem *p = context;
    const sli_number *corner = p->corner[question % 3], *next = p->corner[(question + 1) % 3];
    return question < 3 ? sli_point_near_segment(corner, p->p, p->q, &p->radius)
                        : sli_segments_pass_near(p->p, p->q, corner, next, &p->radius);
}

static bool sides_are_near(const sl_capsule *capsule, const sl_triangle *triangle)
{
    problem p;
    p.capsule = capsule;
    p.triangle = triangle;
    make(&p, false);
    return sli_any(&(sli_questions){ &p, answer, sharpen }, 6);
}

/* Whether the bounds of both are apart on an axis.  Rounding a difference of floats that is at most
 * a given float does not make it larger than that float. */
static bool far_apart(const sl_capsule *capsule, const sl_triangle *triangle)
{
    for (int axis = 0; axis < 3; axis++) {
        const double a = (double)capsule->p[axis], b = (double)capsule->q[axis];
        const double low = a < b ? a : b, high = a < b ? b : a;
        bool below = true, above = true;
        for (int i = 0; i < 3; i++) {
            const double x = (double)triangle->v[i][axis];
            below = below && low - x > (double)capsule->radius;
            above = above && x - high > (double)capsule->radius;
        }
        if (below || above) {
            return true;
        }
    }
    return false;
}

static bool crosses(const sl_capsule *capsule, const sl_triangle *triangle)
{
    sl_segment axis;
    for (int i = 0; i < 3; i++) {
        axis.p[i] = capsule->p[i];
        axis.q[i] = capsule->q[i];
    }
    sli_body segment, flat;
    return sli_body_of_segment(&axis, &segment) && sli_body_of_triangle(triangle, &flat) &&
           sli_bodies_meet(&segment, &flat);
}

SLI_NOINLINE bool sli_capsule_triangle(const sl_capsule *capsule, const sl_triangle *triangle)
{
    if (!sl_capsule_is_valid(capsule) || !sl_triangle_is_valid(triangle) ||
        far_apart(capsule, triangle)) {
        return false;
    }
    sl_sphere ends[2];
    for (int axis = 0; axis < 3; axis++) {
        ends[0].centre[axis] = capsule->p[axis];
        ends[1].centre[axis] = capsule->q[axis];
    }
    ends[0].radius = ends[1].radius = capsule->radius;
    return sli_sphere_triangle(&ends[0], triangle) || sli_sphere_triangle(&ends[1], triangle) ||
           sides_are_near(capsule, triangle) || crosses(capsule, triangle);
}

bool sl_capsule_overlaps_triangle(const sl_capsule *capsule, const sl_triangle *triangle)
{
    const sli_fpenv saved = sli_fpenv_enter();
    const bool meet = sli_capsule_triangle(capsule, triangle);
    sli_fpenv_leave(saved);
    return meet;
}
