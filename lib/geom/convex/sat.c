/* Two convex bodies with vertices, by separating axes: for triangles, segments and boxes in any
 * orientation; as one that moves, without motion (axes.c), which is a box where one is.
 *
 * They are apart exactly if they are apart along the cross product of two of their edges, since
 * every facet of their Minkowski difference is spanned by two such edges.  These are 15 axes for
 * two boxes, 13 for a box and a triangle, 11 for two triangles.
 *
 * That holds if the edges of both together span space.  If they do not (both bodies are flat and in
 * parallel planes), the directions x, y, z are added to the edges: two disjoint compact bodies stay
 * disjoint when a small enough cube is added to one of them, the facets of the sum are spanned by
 * the edges of all three, and their directions do not depend on the size of the cube.  An edge of
 * zero length does no harm.  An unbounded box behaves like one with limits far enough away; the
 * axes are the same.
 * Source   Gottschalk, Lin and Manocha, OBBTree (1996); Ericson, Real-Time Collision Detection
 *          (2005), 5.2.1. */
#include "lib/geom/convex/sat.h"

#include "lib/base/inline.h"

bool sli_mover_meets(const sli_mover *mover, const sli_body *body)
{
    static const double zero[3] = { 0, 0, 0 };
    sli_axes axes;
    sli_axes_make(mover, zero, body, &axes);
    return sli_axes_meet(&axes);
}

static bool box_meets(const sli_body *box, const sli_body *body)
{
    sli_mover mover;
    sli_mover_make(box, NULL, &mover);
    return sli_mover_meets(&mover, body);
}

static SLI_NOINLINE bool flat_meets(const sli_body *flat, const sli_body *body)
{
    sli_hull hull;
    sli_mover mover;
    sli_hull_make((const double(*)[3])flat->point, 3, &hull);
    sli_mover_make(NULL, &hull, &mover);
    return sli_mover_meets(&mover, body);
}

bool sli_bodies_meet(const sli_body *a, const sli_body *b)
{
    return a->box ? box_meets(a, b) : b->box ? box_meets(b, a) : flat_meets(a, b);
}
