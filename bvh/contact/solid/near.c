/* The triangles of a solid near a box: down the tree over the instances, then down theirs, as
 * queries about volumes go (bvh/query/volume/world.c), but nothing is decided about triangles. */
#include "bvh/contact/solid/solid.h"
#include "bvh/query/visit.h"
#include "bvh/query/volume/space.h"

#include <string.h>

typedef struct search {
    const sli_solid *solid;
    const sl_aabb_d *box;
    sl_volume_d volume;
    sli_volume_filter filter;
    sli_volume_space top, object;
    const sli_transformed *transformed; /* the present instance */
    uint32_t instance;
    bool ended;
    sli_solid_take *take;
    void *context;
    sl_stats stats;
} search;

static sli_interest top_interest(const void *context, const sl_aabb *box)
{
    const search *s = context;
    return sli_volume_space_box(&s->top, box) == SLI_VISIT_NOT ? SLI_VISIT_NOT : SLI_VISIT_SOME;
}

static sli_interest object_interest(const void *context, const sl_aabb *box)
{
    const search *s = context;
    return sli_volume_space_box(&s->object, box) == SLI_VISIT_NOT ? SLI_VISIT_NOT : SLI_VISIT_SOME;
}

static bool is_beside(const sl_triangle_d *t, const sl_aabb_d *box)
{
    for (int axis = 0; axis < 3; axis++) {
        const double low = box->min[axis], high = box->max[axis];
        if ((t->v[0][axis] < low && t->v[1][axis] < low && t->v[2][axis] < low) ||
            (t->v[0][axis] > high && t->v[1][axis] > high && t->v[2][axis] > high)) {
            return true;
        }
    }
    return false;
}

static bool take_triangle(void *context, uint32_t prim, const sl_triangle *triangle, bool sure)
{
    (void)sure;
    search *s = context;
    sl_triangle_d corners;
    float x[3][3];
    memcpy(x, triangle->v, sizeof x);
    sli_world_corners(s->transformed, x, corners.v);
    if (is_beside(&corners, s->box)) {
        return true;
    }
    s->ended =
        !s->take(s->context, (sl_triangle_ref){ .prim = prim, .instance = s->instance }, &corners);
    return !s->ended;
}

static bool take_instance(void *context, uint32_t instance, const sl_triangle *box, bool sure)
{
    (void)box, (void)sure;
    search *s = context;
    s->transformed = &s->solid->bvh->world.transformed[instance];
    s->instance = instance;
    if (!sli_world_selects(&s->solid->item, s->transformed, instance)) {
        return true;
    }
    sli_volume_to_object(&s->volume, &s->filter, s->transformed, &s->object);
    const sli_visitor visitor = { .context = s,
                                  .bounds =
                                      sli_volume_object_bounds(s->box, s->transformed, &s->object),
                                  .selection = s->solid->item,
                                  .instance = instance,
                                  .box = object_interest,
                                  .triangle = take_triangle };
    sli_visit(s->transformed->tree, &visitor, &s->stats);
    return !s->ended;
}

void sli_solid_near(const sli_solid *solid, const sl_aabb_d *box, sli_solid_take *take,
                    void *context)
{
    const sli_world *world = &solid->bvh->world;
    search s;
    s.solid = solid;
    s.box = box;
    s.volume = (sl_volume_d){ .kind = SL_VOLUME_AABB, .shape.aabb = *box };
    s.take = take;
    s.context = context;
    s.ended = false;
    s.stats = (sl_stats){ 0 };
    if (world->top->root == SLI_REF_EMPTY) {
        return;
    }
    sli_volume_filter_make_d(&s.volume, NULL, &s.filter);
    sli_volume_to_top(&s.volume, &s.filter, world, &s.top);
    const sli_visitor visitor = { .context = &s,
                                  .bounds = sli_volume_top_bounds(box, world, &s.top),
                                  .selection = { .mask = solid->item.mask },
                                  .box = top_interest,
                                  .triangle = take_instance };
    sli_visit(world->top, &visitor, &s.stats);
}
