/* pick/query.h: a query at a position of the picture, checked and opened: what all calls of
 * sightline/pick.h begin with, the face there, and how an answer is written.
 * Callers  hold the floating-point environment. */
#pragma once

#include "bvh/pick/search.h"

typedef struct sli_pick_query {
    const sl_bvh *bvh;
    sl_pick_def def;
    sli_screen screen;
    sli_world_ray options;
    double position[2];
    uint64_t deadline; /* on sli_clock_ns; 0: none */
    sl_stats *stats;
} sli_pick_query;

/* False for what is answered by nothing. */
bool sli_pick_query_open(const sl_bvh *bvh, const sl_view *view, const double xy[2],
                         const sl_pick_def *def, sl_stats *stats, sli_pick_query *out);

/* The topology of an instance, or NULL. */
static inline const sl_topology *sli_pick_topology(const sli_pick_query *query, uint32_t instance)
{
    return query->def.topologies != NULL ? query->def.topologies[instance] : NULL;
}

/* Fills in a search for the best corners and sides; kinds, best and found are set by the caller.
 * in_front: what is in front at the position, if known; else its prim is SL_NONE.  pool: NULL where
 * the search takes everything. */
void sli_pick_search_begin(const sli_pick_query *query, sl_triangle_ref in_front,
                           sli_pick_pool *pool, sli_pick_search *out);

/* The ray through the position; false: there is none. */
bool sli_pick_ray(const sli_pick_query *query, sl_ray_d *ray, sli_world_ray *out);

/* A face that the ray hits. */
void sli_pick_face(const sli_pick_query *query, const sl_ray_d *ray, const sl_hit_d *hit,
                   sli_candidate *out);

void sli_pick_write(const sli_pick_query *query, const sli_candidate *candidate, uint32_t flags,
                    sl_pick *out);

/* A call of sightline/pick.h: what it is given, how it is answered once the query is open, and
 * how many answers it has. */
typedef struct sli_pick_call {
    const sl_bvh *bvh;
    const sl_view *view;
    const double *xy;
    const sl_pick_def *def;
    size_t (*answer)(const sli_pick_query *query, const struct sli_pick_call *call);
    sl_pick *out;
    size_t capacity, total;
    const sl_pick *selected;
} sli_pick_call;

size_t sli_pick_answer(sli_pick_call *call);
