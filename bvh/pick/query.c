/* What queries at a position have in common. */
#include "bvh/pick/query.h"

#include "bvh/pick/def.h"
#include "bvh/query/query.h"

/* Nothing overflows within these many pixels. */
#define FARTHEST 0x1p100

bool sli_pick_query_open(const sl_bvh *bvh, const sl_view *view, const double xy[2],
                         const sl_pick_def *def, sl_stats *stats, sli_pick_query *out)
{
    if (!sli_pick_def_take(def, &out->def) || !(out->def.budget_ms >= 0) ||
        !(fabs(xy[0]) <= FARTHEST) || !(fabs(xy[1]) <= FARTHEST) ||
        !sli_screen_open(view, &out->screen)) {
        return false;
    }
    out->bvh = bvh;
    out->position[0] = xy[0];
    out->position[1] = xy[1];
    out->stats = stats;
    out->options = (sli_world_ray){ .in_floats = false };
    sli_world_options(out->def.options != NULL ? out->def.options : &sli_everything, 0, 0,
                      &out->options);
    out->deadline = 0;
    if (out->def.budget_ms > 0 && out->def.budget_ms < 1e12) {
        out->deadline = sli_clock_ns() + (uint64_t)(out->def.budget_ms * 1e6) + 1;
    }
    return bvh->world.top->root != SLI_REF_EMPTY;
}

void sli_pick_search_begin(const sli_pick_query *q, sl_triangle_ref in_front, sli_pick_pool *pool,
                           sli_pick_search *s)
{
    s->bvh = q->bvh;
    s->screen = &q->screen;
    s->def = &q->def;
    s->options = q->options;
    memcpy(s->position, q->position, sizeof s->position);
    s->stats = q->stats;
    s->deadline = q->deadline;
    s->steps = 0;
    s->cut_short = false;
    s->take = NULL;
    s->only.prim = SL_NONE;
    s->scouts = s->met = false;
    s->pool = pool != NULL ? pool->waiting : NULL;
    sli_pick_search_within(s, (double)q->def.radius, in_front, pool != NULL ? pool->hidden : NULL);
}

bool sli_pick_ray(const sli_pick_query *query, sl_ray_d *ray, sli_world_ray *out)
{
    *out = query->options;
    return sli_view_ray(&query->screen.view, query->position, ray) &&
           sli_exact_ray_from_ray_d(ray, 0, &out->exact);
}

void sli_pick_face(const sli_pick_query *query, const sl_ray_d *ray, const sl_hit_d *hit,
                   sli_candidate *out)
{
    double square = 0;
    *out = (sli_candidate){ .kind = SL_PICK_FACE,
                            .instance = hit->instance,
                            .prim = hit->prim,
                            .flags = hit->flags & SL_HIT_BACK,
                            .u = hit->u,
                            .v = hit->v };
    for (int axis = 0; axis < 3; axis++) {
        out->shown.point[axis] = ray->origin[axis] + hit->t * ray->dir[axis] + 0.0;
        square += ray->dir[axis] * ray->dir[axis];
    }
    out->distance = hit->t * sqrt(square);
    memcpy(out->shown.xy, query->position, sizeof out->shown.xy);
}

/* Where on the side from its first corner on, and the weights of the corners there. */
static void write_position(const sli_candidate *candidate, sl_pick *out)
{
    float weight[3] = { 0, 0, 0 };
    if (candidate->kind == SL_PICK_FACE) {
        out->u = candidate->u;
        out->v = candidate->v;
        return;
    }
    const double along = candidate->shown.s;
    out->along = candidate->kind == SL_PICK_VERTEX ? 0 : candidate->reversed ? 1 - along : along;
    weight[(candidate->corner + 1) % 3] = (float)out->along;
    weight[candidate->corner] = (float)(1 - out->along);
    out->u = weight[1];
    out->v = weight[2];
}

void sli_pick_write(const sli_pick_query *query, const sli_candidate *candidate, uint32_t flags,
                    sl_pick *out)
{
    const sl_topology *topology = sli_pick_topology(query, candidate->instance);
    *out = (sl_pick){ .distance = candidate->distance,
                      .pixels = candidate->shown.pixels,
                      .kind = candidate->kind,
                      .instance = candidate->instance,
                      .prim = candidate->prim,
                      .corner = candidate->corner,
                      .part = SL_NONE,
                      .face = SL_NONE,
                      .edge = SL_NONE,
                      .vertex = SL_NONE,
                      .flags = candidate->flags | flags };
    memcpy(out->point, candidate->shown.point, sizeof out->point);
    memcpy(out->xy, candidate->shown.xy, sizeof out->xy);
    write_position(candidate, out);
    if (topology != NULL) {
        out->part = sl_topology_element_of(topology, candidate->prim, SL_PARTS, 0);
        out->face = sl_topology_element_of(topology, candidate->prim, SL_FACES, 0);
        if (candidate->kind == SL_PICK_EDGE) {
            out->edge =
                sl_topology_element_of(topology, candidate->prim, SL_EDGES, candidate->corner);
        } else if (candidate->kind == SL_PICK_VERTEX) {
            out->vertex =
                sl_topology_element_of(topology, candidate->prim, SL_VERTICES, candidate->corner);
        }
    }
}

static void answer_call(const void *context, size_t begin, size_t end, sl_stats *stats)
{
    sli_pick_call *call = *(sli_pick_call *const *)context;
    sli_pick_query query;
    (void)begin, (void)end;
    if (sli_pick_query_open(call->bvh, call->view, call->xy, call->def, stats, &query)) {
        call->total = call->answer(&query, call);
    }
}

size_t sli_pick_answer(sli_pick_call *call)
{
    sli_run_blocks(1, answer_call, (const void *)&call, NULL, NULL);
    return call->total;
}
