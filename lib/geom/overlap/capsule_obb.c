/* A capsule against a box of any orientation, taken as the parallelepiped that it is.
 *
 * If segment and box do not meet, their nearest points are an end of the segment and a point of the
 * box, or a vertex of the box and a point of the segment, or inner points of the segment and of an
 * edge.  A flat box needs no special care: its outline is covered by its 12 edges.
 * Source   Ericson, Real-Time Collision Detection (2005), 4.5.1 and 5.1.9, for the cases. */
#include "lib/base/inline.h"
#include "lib/geom/convex/sat.h"
#include "lib/geom/exact/compare_length.h"
#include "lib/geom/exact/valid.h"
#include "lib/geom/overlap/overlap.h"
#include "lib/geom/overlap/overlap_d.h"
#include "lib/geom/overlap/segment_distance.h"

typedef struct problem {
    const sl_capsule *capsule;
    const sl_obb *box;
    sli_number p[3], q[3], centre[3], axis[3][3], half[3], radius;
} problem;

static void capsule_obb_make(void *context, bool exact)
{
    problem *p = context;
    sli_number_set((double)p->capsule->radius, exact, &p->radius);
    sli_number_set3(p->capsule->p, exact, p->p);
    sli_number_set3(p->capsule->q, exact, p->q);
    sli_number_set3(p->box->centre, exact, p->centre);
    sli_number_set3(p->box->half, exact, p->half);
    for (int i = 0; i < 3; i++) {
        sli_number_set3(p->box->axis[i], exact, p->axis[i]);
    }
}

/* Whether the segment p q passes within the radius of the edge that extends half[i] axis[i] to
 * either side of middle.  With u = q - p, a = axis[i], n = u x a and w from p to the middle, the
 * lines are nearest at ((w x a) . n) / |n|^2 on p q and at ((w x u) . n) / |n|^2 from the middle,
 * |w . n| / |n| apart. */
static sli_tribool edge_passes_near(const problem *p, const sli_number middle[3], int i)
{
    sli_number u[3], w[3], n[3], side[3], height, den, num;
    sli_number_sub3(p->q, p->p, u);
    sli_number_sub3(middle, p->p, w);
    sli_number_cross(u, p->axis[i], n);
    sli_number_dot(w, n, &height);
    sli_tribool pass = sli_is_length_within(1, &height, &p->radius, n);
    if (pass == SLI_NO) {
        return SLI_NO;
    }
    sli_number_dot(n, n, &den);
    pass = sli_and(pass, sli_is_positive(&den));
    sli_number_cross(w, p->axis[i], side);
    sli_number_dot(side, n, &num);
    pass = sli_and(pass, sli_is_fraction(&num, &den));
    sli_number_cross(w, u, side);
    sli_number_dot(side, n, &num);
    return sli_and(pass, sli_is_within(&num, &p->half[i], &den));
}

/* 0 .. 7 are the vertices, then come the edges: 4 along each axis. */
static sli_tribool capsule_obb_answer(void *context, int test)
{
    const problem *p = context;
    sli_number at[3];
    sli_number_copy3(p->centre, at);
    if (test < 8) {
        for (int i = 0; i < 3; i++) {
            sli_number_step3(&p->half[i], p->axis[i], (test >> i & 1) != 0 ? 1 : -1, at);
        }
        return sli_point_near_segment(at, p->p, p->q, &p->radius);
    }
    const int i = (test - 8) / 4;
    sli_number_step3(&p->half[(i + 1) % 3], p->axis[(i + 1) % 3], (test & 1) != 0 ? 1 : -1, at);
    sli_number_step3(&p->half[(i + 2) % 3], p->axis[(i + 2) % 3], (test & 2) != 0 ? 1 : -1, at);
    return edge_passes_near(p, at, i);
}

static bool edges_are_near(const sl_capsule *capsule, const sl_obb *box)
{
    problem p;
    p.capsule = capsule;
    p.box = box;
    capsule_obb_make(&p, false);
    return sli_any(&(sli_tests){ &p, capsule_obb_answer, capsule_obb_make }, 20);
}

static bool capsule_obb_crosses(const sl_capsule *capsule, const sl_obb *box)
{
    const sl_capsule_d wide = sli_capsule_d_of(capsule);
    sli_body segment, solid;
    sli_body_of_segment_d(wide.p, wide.q, &segment);
    return sli_body_of_obb(box, &solid) && sli_bodies_meet(&segment, &solid);
}

SLI_NOINLINE bool sli_capsule_obb(const sl_capsule *capsule, const sl_obb *box)
{
    if (!sli_capsule_is_valid(capsule) || !sli_obb_is_valid(box)) {
        return false;
    }
    sl_sphere ends[2];
    sli_capsule_ends(capsule, ends);
    return sli_sphere_obb(&ends[0], box) || sli_sphere_obb(&ends[1], box) ||
           edges_are_near(capsule, box) || capsule_obb_crosses(capsule, box);
}
