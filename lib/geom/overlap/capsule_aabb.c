/* A capsule against an axis-aligned box.
 *
 * If segment and box do not meet, their nearest points are an end of the segment and a point of the
 * box, or a vertex of the box and a point of the segment, or inner points of the segment and of an
 * edge.  A box that is unbounded on a side may as well end where the segment does: nearest points
 * are not beyond that.
 * Source   Ericson, Real-Time Collision Detection (2005), 4.5.1 and 5.1.9, for the cases. */
#include "lib/base/inline.h"
#include "lib/geom/exact/valid.h"
#include "lib/geom/overlap/overlap.h"
#include "lib/geom/overlap/segment_distance.h"
#include "lib/geom/overlap/triangle_aabb.h"

typedef struct problem {
    const sl_capsule *capsule;
    float bound[3][2];
    sli_number p[3], q[3], side[3][2], radius;
} problem;

static void capsule_aabb_make(void *context, bool exact)
{
    problem *p = context;
    sli_number_set((double)p->capsule->radius, exact, &p->radius);
    sli_number_set3(p->capsule->p, exact, p->p);
    sli_number_set3(p->capsule->q, exact, p->q);
    for (int axis = 0; axis < 3; axis++) {
        for (int i = 0; i < 2; i++) {
            sli_number_set((double)p->bound[axis][i], exact, &p->side[axis][i]);
        }
    }
}

/* The vertex at the max side of the axes whose bits are set in which. */
static void capsule_aabb_corner(const problem *p, int which, sli_number out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        sli_number_copy(&p->side[axis][which >> axis & 1], &out[axis]);
    }
}

/* 0 .. 7 are the vertices, then come the edges: 4 along each axis. */
static sli_tribool capsule_aabb_answer(void *context, int test)
{
    const problem *p = context;
    sli_number from[3], to[3];
    if (test < 8) {
        capsule_aabb_corner(p, test, from);
        return sli_point_near_segment(from, p->p, p->q, &p->radius);
    }
    const int axis = (test - 8) / 4, edge = test % 4;
    const int j = (axis + 1) % 3, k = (axis + 2) % 3;
    const int first = (edge & 1) << j | (edge >> 1) << k;
    capsule_aabb_corner(p, first, from);
    capsule_aabb_corner(p, first | 1 << axis, to);
    return sli_segments_pass_near(p->p, p->q, from, to, &p->radius);
}

static bool edges_are_near(const sl_capsule *capsule, const sl_aabb *box)
{
    problem p;
    p.capsule = capsule;
    for (int axis = 0; axis < 3; axis++) {
        const float a = capsule->p[axis], b = capsule->q[axis];
        const float low = a < b ? a : b, high = a < b ? b : a;
        const float min = box->min[axis], max = box->max[axis];
        p.bound[axis][0] = isfinite(min) ? min : low < max ? low : max;
        p.bound[axis][1] = isfinite(max) ? max : high > p.bound[axis][0] ? high : p.bound[axis][0];
    }
    capsule_aabb_make(&p, false);
    return sli_any(&(sli_tests){ &p, capsule_aabb_answer, capsule_aabb_make }, 20);
}

/* Whether the bounds of the capsule are apart from the box on an axis.  Rounding a difference of
 * floats that is at most a given float does not make it larger than that float. */
static bool far_apart(const sl_capsule *capsule, const sl_aabb *box)
{
    for (int axis = 0; axis < 3; axis++) {
        const double a = (double)capsule->p[axis], b = (double)capsule->q[axis];
        const double low = a < b ? a : b, high = a < b ? b : a;
        if (low - (double)box->max[axis] > (double)capsule->radius ||
            (double)box->min[axis] - high > (double)capsule->radius) {
            return true;
        }
    }
    return false;
}

static bool capsule_aabb_crosses(const sl_capsule *capsule, const sl_aabb *box)
{
    sl_triangle axis;
    for (int i = 0; i < 3; i++) {
        axis.v[0][i] = capsule->p[i];
        axis.v[1][i] = axis.v[2][i] = capsule->q[i];
    }
    return sli_triangle_aabb(&axis, box, SLI_SAT_ORDER_123, NULL) == SLI_SAT_OVERLAP;
}

SLI_NOINLINE bool sli_capsule_aabb(const sl_capsule *capsule, const sl_aabb *box)
{
    if (!sli_capsule_is_valid(capsule) || sl_aabb_is_empty(box) || far_apart(capsule, box)) {
        return false;
    }
    sl_sphere ends[2];
    sli_capsule_ends(capsule, ends);
    return sli_sphere_aabb(&ends[0], box) || sli_sphere_aabb(&ends[1], box) ||
           capsule_aabb_crosses(capsule, box) || edges_are_near(capsule, box);
}
