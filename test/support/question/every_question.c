#include "test/support/question/every_question.h"
#include "test/support/question/of_one.h"

#include "test/support/hard/rays.h"

#include <sightline/closest.h>

#include <math.h>
#include <string.h>

void questions_make(const sl_mesh *mesh, test_random *random, questions *q)
{
    const hard_kind of_rays[3] = { HARD_BOX, HARD_BEYOND, HARD_AXIS };
    const hard_kind of_segments[4] = { HARD_VERTEX, HARD_EDGE, HARD_BESIDE, HARD_INPLANE };
    for (int i = 0; i < QUESTIONS; i++) {
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

static void ask_rays(const sl_bvh *bvh, const questions *q, answers *a)
{
    const sl_options crossings = { .flags = SL_CROSSINGS }, fronts = { .cull = SL_CULL_BACK };
    sl_item_options skip[QUESTIONS]; /* the closest triangle */
    sl_triangle_ref skips[QUESTIONS];
    sl_bvh_closest_many(bvh, sl_rays_of(q->rays, QUESTIONS), NULL, sl_hits_of(a->closest), NULL,
                        NULL);
    sl_bvh_closest_many(bvh, sl_rays_of(q->rays, QUESTIONS), &fronts, sl_hits_of(a->culled), NULL,
                        NULL);
    memcpy(a->next, a->closest, (QUESTIONS) * sizeof *(a->next));
    sl_bvh_next_many(bvh, sl_rays_of(q->rays, QUESTIONS), NULL, sl_hits_of(a->next), NULL, NULL);
    sl_bvh_all_many(bvh, sl_rays_of(q->rays, QUESTIONS), NULL, sl_hits_of(a->all), QUESTION_ROWS,
                    a->totals, NULL, NULL);
    sl_bvh_all_many(bvh, sl_rays_of(q->rays, QUESTIONS), NULL, sl_hits_of(NULL), 0, a->counts, NULL,
                    NULL);
    sl_bvh_all_many(bvh, sl_rays_of(q->rays, QUESTIONS), &crossings, sl_hits_of(NULL), 0,
                    a->crossings, NULL, NULL);
    sl_bvh_any_many(bvh, sl_rays_of(q->rays, QUESTIONS), NULL, a->any, NULL, NULL, NULL);
    for (int i = 0; i < QUESTIONS; i++) {
        skips[i] = (sl_triangle_ref){ 0, a->closest[i].prim };
        skip[i] = (sl_item_options){ .skip = &skips[i], .skip_count = 1 };
        (void)sl_bvh_closest(bvh, &q->rays[i], NULL, &a->alone[i]);
        a->any_alone[i] = sl_bvh_any(bvh, &q->rays[i], NULL);
    }
    const sl_options others = { .items = skip };
    sl_bvh_any_many(bvh, sl_rays_of(q->rays, QUESTIONS), &others, a->any_else, NULL, NULL, NULL);
}

static void ask_segments(const sl_bvh *bvh, const questions *q, answers *a)
{
    const sl_options open = { .flags = SL_OPEN_START | SL_OPEN_END };
    sl_bvh_closest_many(bvh, sl_segments_of(q->segments, QUESTIONS), NULL, sl_hits_of(a->occluder),
                        NULL, NULL);
    sl_bvh_any_many(bvh, sl_segments_of(q->segments, QUESTIONS), NULL, a->occluded, NULL, NULL,
                    NULL);
    sl_bvh_any_many(bvh, sl_segments_of(q->segments, QUESTIONS), &open, a->occluded_open, NULL,
                    NULL, NULL);
    for (int i = 0; i < QUESTIONS; i++) {
        a->occluded_alone[i] =
            closest_of_segment(bvh, &q->segments[i], NULL, &a->occluder_alone[i]);
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

static void ask_points(const sl_bvh *bvh, const questions *q, answers *a)
{
    sl_bvh_nearest_many(bvh, sl_points_of(q->points, QUESTIONS, SL_FLOAT), INFINITY, NULL,
                        sl_nearests_of(a->nearest, SL_FLOAT), NULL, NULL);
    sl_bvh_nearest_k_many(bvh, sl_points_of(q->points, QUESTIONS, SL_FLOAT), INFINITY, NULL,
                          sl_nearests_of(a->list, SL_FLOAT), QUESTION_ROWS, a->found, NULL, NULL);
    sl_bvh_within_many(bvh, sl_points_of(q->points, QUESTIONS, SL_FLOAT), radius_for(bvh), NULL,
                       sl_nearests_of(a->within, SL_FLOAT), QUESTION_ROWS, a->within_totals, NULL,
                       NULL);
    sl_bvh_winding(bvh, NULL, q->points, QUESTIONS, NULL, a->inside, NULL, NULL);
    for (int i = 0; i < QUESTIONS; i++) {
        (void)sl_bvh_nearest(bvh, q->points + 3 * i, INFINITY, NULL, &a->nearest_alone[i]);
    }
}

void questions_ask(const sl_bvh *bvh, const questions *q, answers *a)
{
    memset(a, 0, sizeof *a); /* what is not written is the same too */
    ask_rays(bvh, q, a);
    ask_segments(bvh, q, a);
    ask_points(bvh, q, a);
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
