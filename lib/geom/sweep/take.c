/* Sweeps made ready: what is invalid is refused, numbers are taken to the range of exact decisions,
 * and what does not depend on the obstacle is found once. */
#include "lib/geom/sweep/sweep.h"

#include "lib/base/fpenv.h"
#include "lib/geom/convex/shapes_d.h"
#include "lib/geom/exact/arithmetic/grid.h"

#include <float.h>
#include <string.h>

/* Each number of a direction; false for what is not finite or larger than FLT_MAX. */
static bool take_dir(const double given[3], double dir[3], bool *moves)
{
    *moves = false;
    for (int axis = 0; axis < 3; axis++) {
        if (!(fabs(given[axis]) <= (double)FLT_MAX)) {
            return false;
        }
        dir[axis] = sli_round_to_grid(given[axis], SLI_STEP);
        *moves = *moves || dir[axis] != 0;
    }
    return true;
}

/* A round shape without a radius is the hull of its axis. */
static void take_thin(sli_sweep *out)
{
    const sl_sphere_d *sphere = &out->volume.shape.sphere;
    const sl_capsule_d *capsule = &out->volume.shape.capsule;
    double ends[2][3];
    if (out->kind == SL_VOLUME_SPHERE && sphere->radius == 0) {
        memcpy(ends[0], sphere->centre, sizeof ends[0]);
    } else if (out->kind == SL_VOLUME_CAPSULE && capsule->radius == 0) {
        memcpy(ends[0], capsule->p, sizeof ends[0]);
        memcpy(ends[1], capsule->q, sizeof ends[1]);
    } else {
        return;
    }
    sli_hull_make((const double(*)[3])ends, out->kind == SL_VOLUME_SPHERE ? 1 : 2, &out->hull);
    out->kind = out->volume.kind = SL_VOLUME_HULL;
}

static void take_mover(sli_sweep *out)
{
    take_thin(out);
    switch (out->kind) {
    case SL_VOLUME_AABB:
        sli_body_of_aabb_d(&out->volume.shape.aabb, &out->box);
        break;
    case SL_VOLUME_OBB:
        sli_body_of_obb_d(&out->volume.shape.obb, &out->box);
        break;
    case SL_VOLUME_TRIANGLE:
        sli_hull_make((const double(*)[3])out->volume.shape.triangle.v, 3, &out->hull);
        break;
    default:
        break;
    }
    const bool is_box = out->kind == SL_VOLUME_AABB || out->kind == SL_VOLUME_OBB;
    if (is_box || out->kind == SL_VOLUME_TRIANGLE || out->kind == SL_VOLUME_HULL) {
        sli_mover_make(is_box ? &out->box : NULL, is_box ? NULL : &out->hull, &out->mover);
        out->ignore_grazing = out->ignore_grazing && out->mover.solid;
    }
}

static void hold(double low, double high, double *min, double *max)
{
    *min = low < *min ? low : *min;
    *max = high > *max ? high : *max;
}

/* Limits of everything within reach of a point, which was rounded a few times, and of its way. */
static void bounds_hold(sli_sweep *out, int axis, double x, double reach)
{
    const double slack = (fabs(x) + reach) * 0x1p-48;
    const double low = x - reach - slack, high = x + reach + slack, d = out->dir[axis];
    const double from = d < 0 ? low + d : low, to = d > 0 ? high + d : high;
    hold(low, high, &out->bounds.min[axis], &out->bounds.max[axis]);
    hold(from - fabs(from) * 0x1p-52, to + fabs(to) * 0x1p-52, &out->swept.min[axis],
         &out->swept.max[axis]);
}

static void bounds_of_box(const sli_body *box, int axis, sli_sweep *out)
{
    if (out->kind == SL_VOLUME_AABB) {
        bounds_hold(out, axis, box->low[axis], 0);
        bounds_hold(out, axis, box->high[axis], 0);
        return;
    }
    double reach = 0;
    for (int i = 0; i < 3; i++) {
        reach += fabs(box->edge[i][axis]) * box->high[i];
    }
    bounds_hold(out, axis, box->point[0][axis], reach);
}

static void take_bounds(sli_sweep *out)
{
    const sl_sphere_d *sphere = &out->volume.shape.sphere;
    const sl_capsule_d *capsule = &out->volume.shape.capsule;
    for (int axis = 0; axis < 3; axis++) {
        out->bounds.min[axis] = out->swept.min[axis] = INFINITY;
        out->bounds.max[axis] = out->swept.max[axis] = -INFINITY;
        if (out->kind == SL_VOLUME_SPHERE) {
            bounds_hold(out, axis, sphere->centre[axis], sphere->radius);
        } else if (out->kind == SL_VOLUME_CAPSULE) {
            bounds_hold(out, axis, capsule->p[axis], capsule->radius);
            bounds_hold(out, axis, capsule->q[axis], capsule->radius);
        } else if (out->mover.box != NULL) {
            bounds_of_box(out->mover.box, axis, out);
        } else {
            for (int i = 0; i < out->hull.corners; i++) {
                bounds_hold(out, axis, out->hull.corner[i][axis], 0);
            }
        }
    }
}

static bool is_start(sl_start_contact start)
{
    return start == SL_START_REPORT || start == SL_START_IGNORE_RECEDING ||
           start == SL_START_IGNORE;
}

/* False for what is invalid in both ways of giving a sweep, but for the volume. */
static bool take_first(sl_volume_kind kind, const double dir[3], sl_start_contact touching,
                       sl_start_contact overlapping, sli_sweep *out)
{
    out->kind = kind;
    out->touching = touching;
    out->overlapping = overlapping;
    out->mover.box = NULL;
    return kind != SL_VOLUME_FRUSTUM && is_start(touching) && is_start(overlapping) &&
           take_dir(dir, out->dir, &out->moves);
}

static void take_rest(bool ignore_grazing, sli_sweep *out)
{
    out->ignore_grazing = ignore_grazing;
    take_mover(out);
    take_bounds(out);
}

bool sli_sweep_take(const sl_sweep_d *given, sli_sweep *out)
{
    if (!take_first(given->volume.kind, given->dir, given->touching, given->overlapping, out) ||
        !sli_volume_d_take(&given->volume, &out->hull, &out->volume)) {
        return false;
    }
    take_rest(given->ignore_grazing, out);
    return true;
}

SLI_NOINLINE sl_sweep_d sli_sweep_d_of(const sl_sweep *sweep, double *xyz)
{
    const sl_hull *hull = &sweep->volume.shape.hull;
    sl_sweep_d out = { .volume = sli_volume_d_of(&sweep->volume),
                       .touching = sweep->touching,
                       .overlapping = sweep->overlapping,
                       .ignore_grazing = sweep->ignore_grazing };
    sli_widen(sweep->dir, out.dir);
    if (sweep->volume.kind == SL_VOLUME_HULL && hull->count <= SL_HULL_POINTS_MAX) {
        for (uint32_t i = 0; i < 3 * hull->count; i++) {
            xyz[i] = (double)hull->xyz[i];
        }
        out.volume.shape.hull = (sl_hull_d){ xyz, hull->count };
    }
    return out;
}

bool sli_sweep_take_floats(const sl_sweep *given, sli_sweep *out)
{
    double dir[3];
    sli_widen(given->dir, dir);
    if (!take_first(given->volume.kind, dir, given->touching, given->overlapping, out) ||
        !sli_volume_take(&given->volume, &out->hull, &out->volume)) {
        return false;
    }
    take_rest(given->ignore_grazing, out);
    return true;
}

bool sli_sweep_triangle(const sli_sweep *sweep, const double corners[3][3], double t_bound,
                        sl_contact *out)
{
    const bool is_round = sweep->kind == SL_VOLUME_SPHERE || sweep->kind == SL_VOLUME_CAPSULE;
    return is_round ? sli_sweep_round_triangle(sweep, corners, t_bound, out)
                    : sli_sweep_polytope_triangle(sweep, corners, t_bound, out);
}
