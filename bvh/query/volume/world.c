/* Which triangles of a world of instances a volume touches, or whether any: down the top tree to
 * instances, down their trees to triangles, by the generic walk (visit.h), where boxes are judged
 * by the volume as it is carried there (space.h); a triangle that is left gets its corners
 * in the world, where the volume is tested as it is. */
#include "bvh/kernel/instance/intersect.h"
#include "bvh/query/ref_heap.h"
#include "bvh/query/volume/query.h"
#include "bvh/query/volume/space.h"

#include <string.h>

/* One volume on its way through the world. */
typedef struct search {
    const sli_world *world;
    sl_volume_d volume;
    sl_aabb_d bounds; /* of the volume */
    sli_volume_filter filter;
    sli_world_ray options;
    sli_volume_space top, object;
    /* The present instance. */
    const sli_transformed *transformed;
    uint32_t instance;
    bool whole; /* all of it lies within the volume */
    sl_triangle_ref *row;
    size_t capacity, total;
    bool only_whether; /* the walk ends at the first triangle that is touched */
    sl_stats *stats;
} search;

static sli_interest top_box_interest(const void *context, const sl_aabb *box)
{
    const search *s = context;
    return sli_volume_space_box(&s->top, box);
}

static sli_interest object_box_interest(const void *context, const sl_aabb *box)
{
    const search *s = context;
    return s->whole ? SLI_VISIT_ALL : sli_volume_space_box(&s->object, box);
}

/* A triangle of the present instance; sure: it is within the volume. */
static bool take_triangle(void *context, uint32_t prim, const sl_triangle *triangle, bool sure)
{
    search *s = context;
    if (!sure && !s->whole) {
        sl_triangle_d corners;
        float x[3][3];
        memcpy(x, triangle->v, sizeof x);
        sli_world_corners(s->transformed, x, corners.v);
        if (!sli_volume_d_touches(&s->volume, &s->filter, &corners)) {
            return true;
        }
    }
    const sl_triangle_ref ref = { .instance = s->instance, .prim = prim };
    s->stats->hits++;
    sli_ref_heap_add(s->row, s->capacity, s->total++, &ref);
    return !s->only_whether;
}

/* An instance: as the top tree has it, a triangle that spans its box. */
static bool take_instance(void *context, uint32_t instance, const sl_triangle *box, bool sure)
{
    search *s = context;
    const sli_transformed *transformed = &s->world->transformed[instance];
    if (!sli_world_selects(&s->options.item, transformed, instance)) {
        return true;
    }
    s->transformed = transformed;
    s->instance = instance;
    s->whole = sure;
    if (!sure) {
        sl_aabb bounds;
        memcpy(bounds.min, box->v[0], sizeof bounds.min);
        memcpy(bounds.max, box->v[1], sizeof bounds.max);
        const sli_interest interest = sli_volume_space_box(&s->top, &bounds);
        if (interest == SLI_VISIT_NOT) {
            return true;
        }
        s->whole = interest == SLI_VISIT_ALL;
        sli_volume_to_object(&s->volume, &s->filter, transformed, &s->object);
        if (!s->whole && object_box_interest(s, &transformed->tree->bounds) == SLI_VISIT_NOT) {
            return true;
        }
    }
    const sli_visitor visitor = { .context = s,
                                  .bounds = s->whole ? transformed->tree->bounds
                                                     : sli_volume_object_bounds(
                                                           &s->bounds, transformed, &s->object),
                                  .selection = s->options.item,
                                  .instance = instance,
                                  .box = object_box_interest,
                                  .triangle = take_triangle };
    s->stats->instances++;
    sli_visit(transformed->tree, &visitor, s->stats);
    s->stats->rays--; /* which the walk has counted */
    return !(s->only_whether && s->total > 0);
}

static size_t world_volume(const sli_volume_query *q, size_t i, sli_hull *hull,
                           sl_triangle_ref *row, sl_stats *stats)
{
    search s; /* the rest of which is written when it is needed */
    s.row = row;
    s.capacity = row != NULL ? q->capacity : 0;
    s.total = 0;
    s.only_whether = q->touches != NULL;
    s.world = s.only_whether
                  ? sli_world_for_one(q->bvh, sli_options_uses(q->options, i, i + 1), false)
                  : &q->bvh->world;
    s.stats = stats;
    s.options = (sli_world_ray){ .cull = SL_CULL_NONE };
    const bool valid = q->volumes.number == SL_DOUBLE
                           ? sli_volume_d_take(sli_volume_d_at(q, i), hull, &s.volume)
                           : sli_volume_take(sli_volume_at(q, i), hull, &s.volume);
    if (!valid || s.world->top->root == SLI_REF_EMPTY) {
        stats->rays++;
        return 0;
    }
    sli_volume_filter_make_d(&s.volume, hull, &s.filter);
    sli_world_options(q->options, 0, i, &s.options);
    sli_volume_to_top(&s.volume, &s.filter, s.world, &s.top);
    s.bounds = sli_volume_d_bounds(&s.volume);
    const sli_visitor visitor = { .context = &s,
                                  .bounds = sli_volume_top_bounds(&s.bounds, s.world, &s.top),
                                  .selection = { .mask = s.options.item.mask },
                                  .box = top_box_interest,
                                  .triangle = take_instance };
    sli_visit(s.world->top, &visitor, stats);
    sli_ref_heap_sort(row, s.capacity, s.total);
    return s.total;
}

/* Hulls take 11 KB more of the stack. */
static SLI_NOINLINE size_t world_hull(const sli_volume_query *q, size_t i, sl_triangle_ref *row,
                                      sl_stats *stats)
{
    sli_hull hull;
    return world_volume(q, i, &hull, row, stats);
}

size_t sli_world_volume(const sli_volume_query *q, size_t i, sl_triangle_ref *row, sl_stats *stats)
{
    const sl_volume_kind kind =
        q->volumes.number == SL_DOUBLE ? sli_volume_d_at(q, i)->kind : sli_volume_at(q, i)->kind;
    return kind == SL_VOLUME_HULL ? world_hull(q, i, row, stats)
                                  : world_volume(q, i, NULL, row, stats);
}
