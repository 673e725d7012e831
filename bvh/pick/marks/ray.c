/* Marks near a ray: sl_marks_near_ray. */
#include "bvh/pick/marks/marks.h"
#include "bvh/query/visit.h"
#include "lib/base/fpenv.h"
#include "lib/geom/exact/arithmetic/vector.h"
#include "lib/geom/exact/valid.h"

#include <string.h>

typedef struct ray_walk {
    const sl_marks *marks;
    const sl_ray_d *ray;
    double origin[3]; /* of the ray, less the middle */
    double dir2;      /* dir . dir */
    double slack;     /* what boxes are widened by for roundings */
    double radius;
    uint32_t mask; /* 0: all marks */
    sl_mark_near best;
    uint16_t priority;
    bool any;
} ray_walk;

static double ray_clamp(double x, double least, double most)
{
    return x > least ? (x < most ? x : most) : least;
}

/* The point of the segment p + s d and that of the ray that are nearest to each other (Ericson,
 * Real-Time Collision Detection, 5.1.9): s from 0 to 1, t within the limits. */
static void ray_nearest(const ray_walk *w, const sl_mark *mark, sl_mark_near *out)
{
    const sl_ray_d *ray = w->ray;
    double d[3], from[3], gap[3];
    for (int axis = 0; axis < 3; axis++) {
        d[axis] = mark->q[axis] - mark->p[axis];
        from[axis] = ray->origin[axis] - mark->p[axis];
    }
    const double a = w->dir2, e = sli_dot(d, d), b = sli_dot(ray->dir, d);
    const double c = sli_dot(ray->dir, from), f = sli_dot(d, from);
    double s = 0, t = ray_clamp(-c / a, ray->tmin, ray->tmax);
    if (e > 0) {
        const double apart = a * e - b * b;
        t = ray_clamp(apart > 0 ? (b * f - c * e) / apart : 0, ray->tmin, ray->tmax);
        s = ray_clamp((b * t + f) / e, 0, 1);
        t = ray_clamp((b * s - c) / a, ray->tmin, ray->tmax);
    }
    for (int axis = 0; axis < 3; axis++) {
        out->point[axis] = s == 0   ? mark->p[axis]
                           : s == 1 ? mark->q[axis]
                                    : mark->p[axis] + s * d[axis];
        gap[axis] = out->point[axis] - (ray->origin[axis] + t * ray->dir[axis]);
    }
    out->distance = sqrt(sli_dot(gap, gap));
    out->t = t;
    out->along = s;
}

static bool ray_is_better(const ray_walk *w, const sl_mark_near *found, uint16_t priority)
{
    if (!w->any || priority != w->priority) {
        return !w->any || priority > w->priority;
    }
    if (found->distance != w->best.distance) {
        return found->distance < w->best.distance;
    }
    return found->t != w->best.t ? found->t < w->best.t : found->index < w->best.index;
}

static void ray_look_at(ray_walk *w, uint32_t index)
{
    const sl_mark *mark = &w->marks->at[index];
    if (w->mask != 0 && (sli_mask_of(mark->mask) & w->mask) == 0) {
        return;
    }
    sl_mark_near found = { .index = index, .id = mark->id };
    ray_nearest(w, mark, &found);
    if (found.distance <= w->radius && ray_is_better(w, &found, mark->priority)) {
        w->best = found;
        w->priority = mark->priority;
        w->any = true;
    }
}

/* Whether the ray comes as near to the box of a child as counts, by the slabs of the box that is
 * larger by that.  Written so that what is no number leaves it in. */
static bool ray_reaches_child(const ray_walk *w, const sli_node_wide *node, uint32_t k)
{
    const uint16_t priority = sli_marks_below(w->marks, node)->priority[k];
    double radius = w->radius;
    if (w->any && priority <= w->priority) {
        if (priority < w->priority) {
            return false;
        }
        radius = fmin(radius, w->best.distance);
    }
    const double wide = radius * (1 + 0x1p-20) + w->slack;
    double enter = w->ray->tmin, leave = w->ray->tmax;
    for (int axis = 0; axis < 3; axis++) {
        const double low = (double)node->bounds[axis][0][k] - wide - w->origin[axis];
        const double high = (double)node->bounds[axis][1][k] + wide - w->origin[axis];
        const double dir = w->ray->dir[axis];
        if (dir == 0) {
            if (low > 0 || high < 0) {
                return false;
            }
            continue;
        }
        const double near = (dir > 0 ? low : high) / dir, far = (dir > 0 ? high : low) / dir;
        enter = near > enter ? near : enter;
        leave = far < leave ? far : leave;
    }
    return !(enter - fabs(enter) * 0x1p-40 > leave + fabs(leave) * 0x1p-40);
}

static bool ray_wants(void *context, const sli_spot *spot)
{
    const ray_walk *w = context;
    return !w->any || spot->node == NULL || ray_reaches_child(w, spot->node, spot->child);
}

static int ray_children(void *context, const sli_spot *spot, const sli_node_wide *node,
                        sli_spot out[SLI_WIDTH])
{
    const ray_walk *w = context;
    const sli_mark_below *below = sli_marks_below(w->marks, node);
    int count = 0;
    (void)spot;
    for (uint32_t k = 0; k < SLI_WIDTH; k++) {
        if (node->child[k] != SLI_REF_EMPTY && (w->mask == 0 || (below->mask[k] & w->mask) != 0) &&
            ray_reaches_child(w, node, k)) {
            out[count++] = (sli_spot){ .node = node, .ref = node->child[k], .child = k };
        }
    }
    return count;
}

static bool ray_leaf(void *context, const sli_spot *spot)
{
    ray_walk *w = context;
    const uint32_t *ids = sli_tree_ids(w->marks->tree, spot->ref);
    for (int lane = 0; lane < SLI_PACK && ids[lane] != SL_NONE; lane++) {
        ray_look_at(w, ids[lane]);
    }
    return true;
}

/* What the points of marks and of the ray may be off by, as far as the tree goes. */
static void ray_prepare(ray_walk *w)
{
    double sizes = w->radius + (double)w->marks->tree->reach;
    for (int axis = 0; axis < 3; axis++) {
        w->origin[axis] = w->ray->origin[axis] - w->marks->middle[axis];
        sizes += fabs(w->ray->origin[axis]) + fabs(w->marks->middle[axis]);
    }
    w->dir2 = sli_dot(w->ray->dir, w->ray->dir);
    w->slack = sizes * 0x1p-44;
}

static SLI_NOINLINE bool near_ray(const sl_marks *marks, const sl_ray_d *ray, double radius,
                                  const sl_options *options, sl_mark_near *out)
{
    static const sli_descent down = { ray_wants, ray_children, ray_leaf, false };
    if (!(radius >= 0) || !sli_ray_d_is_valid(ray)) {
        return false;
    }
    ray_walk w = {
        .marks = marks, .ray = ray, .radius = radius, .mask = options != NULL ? options->mask : 0
    };
    ray_prepare(&w);
    if (!(w.dir2 > 0)) {
        return false;
    }
    sli_descend(marks->tree, (sli_spot){ .ref = 0 }, &down, &w);
    if (w.any && out != NULL) {
        *out = w.best;
    }
    return w.any;
}

bool sl_marks_near_ray(const sl_marks *marks, const sl_ray_d *ray, double radius,
                       const sl_options *options, sl_mark_near *out)
{
    return SLI_IN_FPENV(near_ray(marks, ray, radius, options, out));
}
