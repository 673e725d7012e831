/* Spheres and capsules that move against a hull: each of its faces is a triangle, and what is apart
 * from all of them, and not inside, comes to one of them first. */
#include "lib/geom/sweep/round_hull.h"

#include "lib/geom/exact/predicates.h"

#include <string.h>

/* On which side of a plane of the hull a point is: 1 in front. */
static int plane_side(const sli_hull *hull, int plane, const double at[3])
{
    const uint8_t *f = hull->face[plane];
    return sli_orient3d(hull->corner[f[0]], hull->corner[f[1]], hull->corner[f[2]], at);
}

static const double *end_inside(const sli_round *mover, const sli_hull *hull)
{
    for (int i = 0; i < mover->end_count && hull->rank == 3; i++) {
        bool inside = true;
        for (int plane = 0; plane < hull->planes && inside; plane++) {
            inside = plane_side(hull, plane, mover->end[i]) <= 0;
        }
        if (inside) {
            return mover->end[i];
        }
    }
    return NULL;
}

static bool leaves_planes(const sli_round *mover, const sli_hull *hull)
{
    static const double zero[3] = { 0, 0, 0 };
    bool some = false, nearer = false;
    for (int plane = 0; plane < hull->planes; plane++) {
        if (plane_side(hull, plane, mover->end[0]) > 0 &&
            plane_side(hull, plane, mover->end[mover->end_count - 1]) > 0) {
            const uint8_t *f = hull->face[plane];
            const double *a = hull->corner[f[0]];
            sli_decision_stage stage;
            nearer = nearer || sli_triple3d(a, hull->corner[f[1]], a, hull->corner[f[2]], zero,
                                            mover->dir, &stage) < 0;
            some = true;
        }
    }
    return some && !nearer;
}

/* The first contact with a face, of those at the start one that overlaps, closes or touches, in
 * this order. */
static bool first_face(const sli_round *mover, const sli_hull *hull, sl_contact *out)
{
    static const int rank[4] = {
        [SL_START_OVERLAPPING] = 0,
        [SL_START_TOUCHING_CLOSING] = 1,
        [SL_START_TOUCHING_RECEDING] = 2,
        [SL_START_APART] = 3,
    };
    const int last = hull->corners - 1;
    sli_round round = *mover;
    bool found = false;
    round.touching = round.overlapping = SL_START_REPORT;
    for (int i = 0; i < (hull->faces > 0 ? hull->faces : 1); i++) {
        double corners[3][3];
        sl_contact contact;
        for (int k = 0; k < 3; k++) {
            const int corner = hull->faces > 0 ? hull->face[i][k] : k > 0 ? last : 0;
            memcpy(corners[k], hull->corner[corner], sizeof corners[k]);
        }
        if (!sli_round_triangle(&round, (const double(*)[3])corners, 1, &contact)) {
            continue;
        }
        const int order = found ? rank[contact.start] - rank[out->start] : -1;
        if (order < 0 || (order == 0 && (contact.t < out->t ||
                                         (contact.t == out->t && contact.t_safe < out->t_safe)))) {
            *out = contact;
            found = true;
        }
    }
    return found;
}

bool sli_round_hull(const sli_round *mover, const sli_hull *hull, sl_contact *out)
{
    const double *inside = end_inside(mover, hull);
    if (!first_face(mover, hull, out)) {
        if (inside == NULL) {
            return false;
        }
        out->t = out->t_safe = 0;
    }
    if (inside != NULL) {
        out->t = out->t_safe = 0;
        out->start = SL_START_OVERLAPPING;
        memcpy(out->point, inside, sizeof out->point);
        memset(out->normal, 0, sizeof out->normal);
    }
    out->flags = 0;
    if (out->start == SL_START_APART) {
        return true;
    }
    const bool overlaps = out->start == SL_START_OVERLAPPING;
    const bool recedes = overlaps ? !mover->moves || leaves_planes(mover, hull)
                                  : out->start == SL_START_TOUCHING_RECEDING;
    const sl_start_contact policy = overlaps ? mover->overlapping : mover->touching;
    return policy == SL_START_REPORT || (policy == SL_START_IGNORE_RECEDING && !recedes);
}
