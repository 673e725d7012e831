/* explain/subject.c: a mesh or a scene, for explain. */
#include "tools/explain/explain.h"

#include "tools/cli/report.h"
#include "tools/input/scene.h"

#include <stdlib.h>
#include <string.h>

uint32_t subject_mask(const explain_query *q, sl_triangle_ref is)
{
    const uint32_t *masks = q->in.masks;
    return q->in.scene != NULL                    ? scene_in_mask(q->in.scene, is.instance)
           : masks != NULL && masks[is.prim] != 0 ? masks[is.prim]
                                                  : UINT32_MAX;
}

bool subject_is_mirrored(const explain_query *q, uint32_t instance)
{
    sl_transform place;
    return q->in.scene != NULL && scene_in_place(q->in.scene, instance, &place) &&
           scene_in_mirrors(&place);
}

static sl_ray ray_in_floats(const sl_ray_d *ray)
{
    sl_ray floats = { .tmin = (float)ray->tmin, .tmax = (float)ray->tmax };
    for (int axis = 0; axis < 3; axis++) {
        floats.origin[axis] = (float)ray->origin[axis];
        floats.dir[axis] = (float)ray->dir[axis];
    }
    return floats;
}

static sl_segment segment_in_floats(const sl_segment_d *segment)
{
    sl_segment floats;
    for (int axis = 0; axis < 3; axis++) {
        floats.p[axis] = (float)segment->p[axis];
        floats.q[axis] = (float)segment->q[axis];
    }
    return floats;
}

static sl_hit_d in_doubles(const sl_hit *hit)
{
    return (sl_hit_d){ .t = (double)hit->t,
                       .u = hit->u,
                       .v = hit->v,
                       .prim = hit->prim,
                       .instance = hit->instance,
                       .flags = hit->flags };
}

static bool decide_in_floats(const explain_query *q, const sl_ray_d *ray,
                             const sl_triangle_d *triangle, const sl_options *options,
                             sl_hit_d *hit)
{
    sl_triangle floats;
    sl_hit at = { .prim = SL_NONE };
    for (int i = 0; i < 9; i++) {
        floats.v[i / 3][i % 3] = (float)triangle->v[i / 3][i % 3];
    }
    bool is_hit;
    if (q->is_segment) {
        const sl_segment segment = segment_in_floats(&q->segment);
        is_hit = sl_segment_triangle(&segment, &floats, options, &at);
    } else {
        const sl_ray line = ray_in_floats(ray);
        is_hit = sl_ray_triangle(&line, &floats, options, &at);
    }
    *hit = in_doubles(&at);
    return is_hit;
}

bool subject_decide(const explain_query *q, const sl_ray_d *ray, const sl_triangle_d *triangle,
                    const sl_options *options, sl_hit_d *hit)
{
    if (q->in.scene == NULL) {
        return decide_in_floats(q, ray, triangle, options, hit);
    }
    return q->is_segment ? sl_segment_d_triangle(&q->segment, triangle, options, hit)
                         : sl_ray_d_triangle(ray, triangle, options, hit);
}

/* A mesh is asked in floats, and t are floats at first, which stand at the start of the doubles. */
int subject_ask(const explain_query *q, const sl_options *options, subject_hits *out)
{
    const bool floats = q->in.scene == NULL;
    const sl_ray ray = ray_in_floats(&q->ray);
    const sl_segment segment = segment_in_floats(&q->segment);
    const sl_rays asked =
        q->is_segment ? (floats ? sl_segments_of(&segment, 1) : sl_segments_of_d(&q->segment, 1))
                      : (floats ? sl_rays_of(&ray, 1) : sl_rays_of_d(&q->ray, 1));
    const sl_hits none = { .number = floats ? SL_FLOAT : SL_DOUBLE };
    uint64_t total = 0;
    *out = (subject_hits){ .hits = NULL };
    sl_bvh_closest_many(q->in.bvh, asked, options, none, NULL, &out->stats);
    sl_bvh_all_many(q->in.bvh, asked, options, none, 0, &total, NULL, NULL);
    out->count = (size_t)total;
    out->hits = malloc((out->count + 1) * sizeof *out->hits);
    if (out->hits == NULL) {
        return report_memory();
    }
    sl_hits hits = sl_hits_of_d(out->hits);
    hits.number = none.number;
    sl_bvh_all_many(q->in.bvh, asked, options, hits, out->count, &total, NULL, NULL);
    for (size_t i = 0; i < out->count && floats; i++) {
        float t;
        memcpy(&t, &out->hits[i].t, sizeof t);
        out->hits[i].t = (double)t;
    }
    return EXIT_DONE;
}

size_t subject_find(const subject_hits *a, sl_triangle_ref is)
{
    size_t place = 0;
    while (place < a->count &&
           (a->hits[place].prim != is.prim || a->hits[place].instance != is.instance)) {
        place++;
    }
    return place;
}
