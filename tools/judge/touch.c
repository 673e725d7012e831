/* judge/touch.c: rays and segments that only touch, of which "blocked" and "free" are both right.
 *
 * A blocked ray only touches if an infinitely small step to one side frees it: at its ends, along
 * an outline or the border of an open mesh, but not through an edge that triangles on both sides
 * share.  SL_CROSSINGS takes one such step, (e, e^2, e^3); here the mesh and the ray are turned
 * beneath it, so that its largest part leads along each axis, either way, and the smaller ones to
 * either side.
 * A free ray only touches if it has a point in common with a triangle in whose plane it lies, or
 * with one without area: as sets they meet, but neither triangle is ever hit by it. */
#include "tools/judge/judge.h"

#include "tools/cli/report.h"

#include <sightline/volumes.h>

#include <math.h>
#include <string.h>

/* The axes shifted by turn % 3, then reversed by the bits of turn / 3. */
static void turn_vector(const double v[3], int turn, double out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        const double x = v[(axis + turn) % 3];
        out[axis] = (turn / 3 >> axis & 1) != 0 ? -x : x;
    }
}

static int turn_mesh(judge *j, int turn)
{
    const sl_instances_def def = { .bad = SL_BAD_INSTANCES_LEAVE_OUT };
    sl_instance all = sl_instance_of(j->in->bvh);
    sl_error error;
    for (int k = 0; k < 3; k++) {
        double column[3];
        turn_vector((const double[3]){ k == 0, k == 1, k == 2 }, turn, column);
        for (int axis = 0; axis < 3; axis++) {
            all.transform.m[axis][k] = column[axis];
        }
    }
    return sl_bvh_build_instances(&all, 1, &def, &j->turned[turn], &error) == SL_OK
               ? EXIT_DONE
               : report_error(&error);
}

static bool is_blocked(const judge *j, const sl_bvh *bvh, const sl_ray_d *ray,
                       const sl_options *options)
{
    uint8_t any = 0;
    sl_bvh_any_many(bvh, judge_rays(j, ray, 1), options, &any, NULL, NULL, NULL);
    return any != 0;
}

static int find_way_past(judge *j, bool *found)
{
    sl_options options = j->options != NULL ? *j->options : (sl_options){ .flags = 0 };
    options.flags |= SL_CROSSINGS;
    *found = false;
    for (int turn = 0; turn < JUDGE_TURNS && !*found; turn++) {
        const int status = j->turned[turn] == NULL ? turn_mesh(j, turn) : EXIT_DONE;
        if (status != EXIT_DONE) {
            return status;
        }
        sl_ray_d ray = j->ray;
        turn_vector(j->ray.origin, turn, ray.origin);
        turn_vector(j->ray.dir, turn, ray.dir);
        *found = !is_blocked(j, j->turned[turn], &ray, &options);
    }
    return EXIT_DONE;
}

/* The point at t; false if a coordinate is not exactly a double, which the rounding errors of
 * product and sum tell, or may have digits below 2^-149, which volumes do not keep. */
static bool find_point(const sl_ray_d *ray, double t, double point[3])
{
    bool exact = true;
    for (int axis = 0; axis < 3; axis++) {
        const double along = t * ray->dir[axis], from = ray->origin[axis], sum = from + along;
        const double rest = fma(t, ray->dir[axis], -along), back = sum - from;
        exact = exact && (from - (sum - back)) + (along - back) == -rest &&
                (sum == 0 || fabs(sum) >= 0x1p-96);
        point[axis] = sum;
    }
    return exact;
}

/* A t at which the ray has left the bounds of the mesh: a power of two, for its few digits. */
static double find_far(const judge *j)
{
    const sl_aabb_d box = sl_bvh_bounds(j->in->bvh);
    double reach = 0x1p-149, step = 0x1p-149;
    for (int axis = 0; axis < 3; axis++) {
        const double from = j->ray.origin[axis];
        reach = fmax(reach, fmax(fabs(box.min[axis] - from), fabs(box.max[axis] - from)));
        step = fmax(step, fabs(j->ray.dir[axis]));
    }
    return isfinite(reach) ? ldexp(1, ilogb(reach) - ilogb(step) + 2) : 0;
}

/* The part of the ray that may meet the mesh, as a segment; false where there is none, or its ends
 * are not exactly doubles. */
static bool find_ends(const judge *j, double p[3], double q[3])
{
    if (j->segments) {
        memcpy(p, j->ray.origin, sizeof j->ray.origin);
        memcpy(q, j->ray.dir, sizeof j->ray.dir);
        return true;
    }
    const double far = find_far(j);
    const double from = fmax(j->ray.tmin, -far), to = fmin(j->ray.tmax, far);
    return from <= to && find_point(&j->ray, from, p) && find_point(&j->ray, to, q);
}

/* False for a ray that hits a culled triangle: culling, not touching, is why it is free. */
static bool lies_on(const judge *j)
{
    sl_options options = j->options != NULL ? *j->options : (sl_options){ .flags = 0 };
    sl_volume_d line = { .kind = SL_VOLUME_CAPSULE };
    uint8_t touches = 0;
    options.cull = SL_CULL_NONE;
    if (find_ends(j, line.shape.capsule.p, line.shape.capsule.q) &&
        !is_blocked(j, j->in->bvh, &j->ray, &options)) {
        sl_bvh_overlap_any_many(j->in->bvh, sl_volumes_of(&line, 1, SL_DOUBLE), &options, &touches,
                                NULL, NULL);
    }
    return touches != 0;
}

/* Whether the closest hit is inside of its triangle and strictly between the limits, so that no
 * small step leads past it.  Limits are numbers of the kind that t is rounded to: if the rounded t
 * is strictly between them, so is the exact one. */
static bool is_within(const judge *j)
{
    const sl_hit_d *hit = &j->closest;
    return (hit->flags & (SL_HIT_VERTEX | SL_HIT_EDGE)) == 0 && hit->t > j->ray.tmin &&
           hit->t < j->ray.tmax;
}

int judge_touch(judge *j, bool *touches)
{
    const bool blocked = j->closest.prim != SL_NONE;
    *touches = !blocked && lies_on(j);
    return blocked && !is_within(j) ? find_way_past(j, touches) : EXIT_DONE;
}
