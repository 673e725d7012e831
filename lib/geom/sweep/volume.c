/* Shapes that move against one shape that stands: the public calls.
 *
 * A sphere that stands moves the other way against a polytope, which is then the obstacle: what is
 * found there is taken back to where the polytope is at that t. */
#include "lib/base/fpenv.h"
#include "lib/geom/convex/shapes_d.h"
#include "lib/geom/sweep/polytope.h"
#include "lib/geom/sweep/round_hull.h"

#include <string.h>

sl_sweep_d sl_sweep_d_from_sweep(const sl_sweep *sweep, double *xyz)
{
    return SLI_IN_FPENV(sli_sweep_d_of(sweep, xyz));
}

/* The vertex that a sphere's centre is. */
static void piece_of_point(const sli_round *round, int dim, int index, sli_cell *out)
{
    (void)dim, (void)index;
    out->base = round->corner[0];
}

/* A mover without volume overlaps nothing: what would, closes.  Returns the policy for it. */
static sl_start_contact policy_of_thin(sl_start_contact touching)
{
    return touching == SL_START_IGNORE_RECEDING ? SL_START_REPORT : touching;
}

static bool round_against_sphere(const sli_sweep *sweep, const sl_sphere_d *sphere, sl_contact *out)
{
    sli_round round;
    sli_round_of(sweep, &round);
    round.radius[1] = sphere->radius;
    round.corner = (const double(*)[3]) & sphere->centre;
    round.corner_count = round.piece_count[0] = 1;
    round.piece = piece_of_point;
    if (!sli_round_sweep(&round, 1, out)) {
        return false;
    }
    for (int axis = 0; axis < 3; axis++) {
        out->point[axis] += sphere->radius * out->normal[axis];
    }
    out->flags = 0;
    return true;
}

/* Against a sphere with a radius above 0. */
static bool polytope_against_sphere(const sli_sweep *sweep, const sl_sphere_d *sphere,
                                    sl_contact *out)
{
    const double back[3] = { -sweep->dir[0], -sweep->dir[1], -sweep->dir[2] };
    const bool solid = sweep->mover.solid;
    const sli_round round = {
        .end = { sphere->centre, NULL },
        .end_count = 1,
        .dir = back,
        .moves = sweep->moves,
        .radius = { sphere->radius, 0 },
        .touching = sweep->touching,
        .overlapping = solid ? sweep->overlapping : policy_of_thin(sweep->touching),
        .ignore_grazing = sweep->ignore_grazing,
    };
    const sl_volume_d *volume = &sweep->volume;
    const bool met = sweep->kind == SL_VOLUME_AABB
                         ? sli_round_aabb(&round, &volume->shape.aabb, out)
                     : sweep->kind == SL_VOLUME_OBB ? sli_round_obb(&round, &volume->shape.obb, out)
                                                    : sli_round_hull(&round, &sweep->hull, out);
    if (!met) {
        return false;
    }
    for (int axis = 0; axis < 3; axis++) {
        out->point[axis] += out->t * sweep->dir[axis];
        out->normal[axis] = 0.0 - out->normal[axis];
    }
    if (out->start == SL_START_OVERLAPPING && !solid) {
        out->start = SL_START_TOUCHING_CLOSING;
    }
    return true;
}

static bool against_sphere(const sli_sweep *sweep, const sl_sphere_d *sphere, sl_contact *out)
{
    const bool is_round = sweep->kind == SL_VOLUME_SPHERE || sweep->kind == SL_VOLUME_CAPSULE;
    if (is_round) {
        return round_against_sphere(sweep, sphere, out);
    }
    if (sphere->radius > 0) {
        return polytope_against_sphere(sweep, sphere, out);
    }
    sli_body point;
    sli_body_of_segment_d(sphere->centre, sphere->centre, &point);
    const bool met = sli_sweep_polytope(sweep, &point, 1, out);
    out->flags = 0;
    return met;
}

static bool against_box(const sli_sweep *sweep, const sl_volume_d *obstacle, sl_contact *out)
{
    sli_body body;
    if (sweep->kind == SL_VOLUME_SPHERE || sweep->kind == SL_VOLUME_CAPSULE) {
        sli_round round;
        sli_round_of(sweep, &round);
        return obstacle->kind == SL_VOLUME_AABB ? sli_round_aabb(&round, &obstacle->shape.aabb, out)
                                                : sli_round_obb(&round, &obstacle->shape.obb, out);
    }
    if (obstacle->kind == SL_VOLUME_AABB) {
        sli_body_of_aabb_d(&obstacle->shape.aabb, &body);
    } else {
        sli_body_of_obb_d(&obstacle->shape.obb, &body);
    }
    return sli_sweep_polytope(sweep, &body, 1, out);
}

static SLI_NOINLINE bool sweep_volume(const sl_sweep_d *given, const sl_volume_d *obstacle,
                                      sl_contact *out)
{
    sli_sweep sweep;
    sl_volume_d taken;
    if (obstacle->kind == SL_VOLUME_HULL || !sli_volume_d_take(obstacle, NULL, &taken) ||
        !sli_sweep_take(given, &sweep)) {
        return false;
    }
    switch (taken.kind) {
    case SL_VOLUME_TRIANGLE:
        return sli_sweep_triangle(&sweep, (const double(*)[3])taken.shape.triangle.v, 1, out);
    case SL_VOLUME_AABB:
    case SL_VOLUME_OBB:
        return against_box(&sweep, &taken, out);
    case SL_VOLUME_SPHERE:
        return against_sphere(&sweep, &taken.shape.sphere, out);
    default:
        return false;
    }
}

bool sl_sweep_volume(const sl_sweep_d *sweep, const sl_volume_d *obstacle, sl_contact *out)
{
    sl_contact found;
    const bool met = SLI_IN_FPENV(sweep_volume(sweep, obstacle, &found));
    if (out != NULL) {
        *out = (sl_contact){ .t = 1, .t_safe = 1, .prim = SL_NONE };
        if (met) {
            *out = found;
            out->prim = out->instance = 0;
        }
    }
    return met;
}
