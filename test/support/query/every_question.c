#include "test/support/query/every_question.h"
#include "test/support/query/of_one.h"

#include "test/support/hard/rays.h"

#include <sightline/closest.h>

#include <math.h>
#include <string.h>

void queries_make(const sl_mesh *mesh, test_random *random, queries *q)
{
    const hard_kind of_rays[3] = { HARD_BOX, HARD_BEYOND, HARD_AXIS };
    const hard_kind of_segments[4] = { HARD_VERTEX, HARD_EDGE, HARD_BESIDE, HARD_INPLANE };
    for (int i = 0; i < QUERIES; i++) {
        q->rays[i] = hard_ray_make(mesh, of_rays[i % 3], random).ray;
        q->segments[i] = hard_ray_make(mesh, of_segments[i % 4], random).segment;
        if (i % 50 == 0) {
            q->rays[i].dir[i % 3] = NAN; /* invalid ones do not change their neighbours */
        }
        hard_point(mesh, random, q->points + 3 * i);
        if (i % 2) {
            memcpy(q->points + 3 * i, q->segments[i].q, 12);
        }
    }
}

static void query_rays(const sl_bvh *bvh, const queries *q, answers *a)
{
    const sl_options crossings = { .flags = SL_CROSSINGS }, fronts = { .cull = SL_CULL_BACK };
    sl_item_options skip[QUERIES]; /* the closest triangle */
    sl_triangle_ref skips[QUERIES];
    sl_bvh_closest_many(bvh, sl_rays_of(q->rays, QUERIES), NULL, sl_hits_of(a->closest), NULL,
                        NULL);
    sl_bvh_closest_many(bvh, sl_rays_of(q->rays, QUERIES), &fronts, sl_hits_of(a->culled), NULL,
                        NULL);
    memcpy(a->next, a->closest, (QUERIES) * sizeof *(a->next));
    sl_bvh_next_many(bvh, sl_rays_of(q->rays, QUERIES), NULL, sl_hits_of(a->next), NULL, NULL);
    sl_bvh_all_many(bvh, sl_rays_of(q->rays, QUERIES), NULL, sl_hits_of(a->all), QUERY_ROWS,
                    a->totals, NULL, NULL);
    sl_bvh_all_many(bvh, sl_rays_of(q->rays, QUERIES), NULL, sl_hits_of(NULL), 0, a->counts, NULL,
                    NULL);
    sl_bvh_all_many(bvh, sl_rays_of(q->rays, QUERIES), &crossings, sl_hits_of(NULL), 0,
                    a->crossings, NULL, NULL);
    sl_bvh_any_many(bvh, sl_rays_of(q->rays, QUERIES), NULL, a->any, NULL, NULL, NULL);
    for (int i = 0; i < QUERIES; i++) {
        skips[i] = (sl_triangle_ref){ 0, a->closest[i].prim };
        skip[i] = (sl_item_options){ .skip = &skips[i], .skip_count = 1 };
        (void)sl_bvh_closest(bvh, &q->rays[i], NULL, &a->alone[i]);
        a->any_alone[i] = sl_bvh_any(bvh, &q->rays[i], NULL);
    }
    const sl_options others = { .items = skip };
    sl_bvh_any_many(bvh, sl_rays_of(q->rays, QUERIES), &others, a->any_else, NULL, NULL, NULL);
}

static void query_segments(const sl_bvh *bvh, const queries *q, answers *a)
{
    const sl_options open = { .flags = SL_OPEN_START | SL_OPEN_END };
    sl_bvh_closest_many(bvh, sl_segments_of(q->segments, QUERIES), NULL, sl_hits_of(a->occluder),
                        NULL, NULL);
    sl_bvh_any_many(bvh, sl_segments_of(q->segments, QUERIES), NULL, a->occluded, NULL, NULL, NULL);
    sl_bvh_any_many(bvh, sl_segments_of(q->segments, QUERIES), &open, a->occluded_open, NULL, NULL,
                    NULL);
    for (int i = 0; i < QUERIES; i++) {
        a->occluded_alone[i] = closest_of_one(bvh, sl_segments_of(&q->segments[i], 1), NULL,
                                              sl_hits_of(&a->occluder_alone[i]));
    }
}

/* The radius of the balls around points: some triangles are within. */
static float radius_for(const sl_bvh *bvh)
{
    const sl_aabb bounds = bounds_in_floats(bvh);
    float size[3];
    memcpy(size, sl_aabb_measure(&bounds).size, sizeof size);
    return 0.01f * fmaxf(size[0], fmaxf(size[1], size[2]));
}

static void query_points(const sl_bvh *bvh, const queries *q, answers *a)
{
    sl_bvh_nearest_many(bvh, sl_points_of(q->points, QUERIES, SL_FLOAT), INFINITY, NULL,
                        sl_nearests_of(a->nearest, SL_FLOAT), NULL, NULL);
    sl_bvh_nearest_k_many(bvh, sl_points_of(q->points, QUERIES, SL_FLOAT), INFINITY, NULL,
                          sl_nearests_of(a->list, SL_FLOAT), QUERY_ROWS, a->found, NULL, NULL);
    sl_bvh_within_many(bvh, sl_points_of(q->points, QUERIES, SL_FLOAT), radius_for(bvh), NULL,
                       sl_nearests_of(a->within, SL_FLOAT), QUERY_ROWS, a->within_totals, NULL,
                       NULL);
    sl_bvh_winding(bvh, NULL, q->points, QUERIES, NULL, a->inside, NULL, NULL);
    for (int i = 0; i < QUERIES; i++) {
        (void)sl_bvh_nearest(bvh, q->points + 3 * i, INFINITY, NULL, &a->nearest_alone[i]);
    }
}

void queries_run(const sl_bvh *bvh, const queries *q, answers *a)
{
    memset(a, 0, sizeof *a); /* what is not written is the same too */
    query_rays(bvh, q, a);
    query_segments(bvh, q, a);
    query_points(bvh, q, a);
}

#define FIELD(name) { #name, offsetof(answers, name), sizeof(((answers *)0)->name) }

const char *answers_differ(const answers *a, const answers *b)
{
    static const struct {
        const char *name;
        size_t offset, size;
    } fields[] = {
        FIELD(closest),        FIELD(alone),    FIELD(culled),
        FIELD(next),           FIELD(all),      FIELD(occluder),
        FIELD(occluder_alone), FIELD(totals),   FIELD(counts),
        FIELD(crossings),      FIELD(any),      FIELD(any_alone),
        FIELD(any_else),       FIELD(occluded), FIELD(occluded_open),
        FIELD(occluded_alone), FIELD(nearest),  FIELD(nearest_alone),
        FIELD(list),           FIELD(within),   FIELD(found),
        FIELD(within_totals),  FIELD(inside),
    };
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        if (memcmp((const char *)a + fields[i].offset, (const char *)b + fields[i].offset,
                   fields[i].size) != 0) {
            return fields[i].name;
        }
    }
    return NULL;
}
