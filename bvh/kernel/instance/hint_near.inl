/* Whether the instance of a hint is worth entering before the top tree: whether the item comes as
 * near to its centre as its triangles are.  A wrong hint would else send a ray into a tree that it
 * is nowhere near to, which the top tree would have kept it from.  No answer depends on it. */
#ifndef SLI_KERNEL_INSTANCE_HINT_NEAR_INL
#define SLI_KERNEL_INSTANCE_HINT_NEAR_INL

#include "bvh/kernel/instance/ray.h"
#include "bvh/tree/tree.h"
#include "lib/base/inline.h"

#include <stdbool.h>
#include <stddef.h>

/* An item as a line from a point, and its limits. */
typedef struct hint_line {
    double from[3], along[3], least, most;
} hint_line;

static SLI_FORCE_INLINE void hint_line_of(const sli_scene_batch *asked, size_t i, hint_line *out)
{
    const sl_ray *ray = asked->rays != NULL ? asked->rays + i : NULL;
    const sl_ray_d *ray_d = asked->rays_d != NULL ? asked->rays_d + i : NULL;
    const sl_segment *s = asked->segments != NULL ? asked->segments + i : NULL;
    const sl_segment_d *d = asked->segments_d != NULL ? asked->segments_d + i : NULL;
    for (int axis = 0; axis < 3; axis++) {
        if (s != NULL) {
            out->from[axis] = (double)s->p[axis];
            out->along[axis] = (double)s->q[axis] - (double)s->p[axis];
        } else if (d != NULL) {
            out->from[axis] = d->p[axis];
            out->along[axis] = d->q[axis] - d->p[axis];
        } else {
            out->from[axis] = ray != NULL ? (double)ray->origin[axis] : ray_d->origin[axis];
            out->along[axis] = ray != NULL ? (double)ray->dir[axis] : ray_d->dir[axis];
        }
    }
    out->least = ray != NULL ? (double)ray->tmin : ray_d != NULL ? ray_d->tmin : 0;
    out->most = ray != NULL ? (double)ray->tmax : ray_d != NULL ? ray_d->tmax : 1;
}

/* Numbers that overflow leave the instance in. */
static SLI_FORCE_INLINE bool scene_hint_near(const sli_scene_batch *asked, size_t i,
                                             const sli_placed *placed)
{
    hint_line line;
    double to[3], away = 0, dot = 0, square = 0;
    hint_line_of(asked, i, &line);
    for (int axis = 0; axis < 3; axis++) {
        to[axis] = placed->centre[axis] - line.from[axis];
        dot += to[axis] * line.along[axis];
        square += line.along[axis] * line.along[axis];
    }
    double t = dot / square; /* where the line is nearest */
    t = t < line.least ? line.least : t;
    t = t > line.most ? line.most : t;
    for (int axis = 0; axis < 3; axis++) {
        const double off = to[axis] - t * line.along[axis];
        away += off * off;
    }
    return !(away > placed->ball * placed->ball * (1 + 0x1p-20));
}

#endif
