#include "test/support/question/every_query.h"

#include "test/support/hard/rays.h"
#include "test/support/hard/volumes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void asked(query_table *t, const char *name)
{
    if (t->asked != NULL) {
        t->asked(t->user, name);
    }
}

static void ask_of_ray(query_table *t, size_t i)
{
    const sl_ray *ray = &t->rays[i];
    sl_hit hit, *hits = t->hits;
    sl_surface surface;
    t->sum += sl_bvh_closest(t->bvh, ray, t->query, &hit);
    asked(t, "sl_bvh_closest");
    t->sum += hit.prim != SL_NONE && sl_bvh_surface(t->bvh, &hit, &surface);
    asked(t, "sl_bvh_surface");
    t->sum += sl_bvh_any(t->bvh, ray, t->query);
    asked(t, "sl_bvh_any");
    t->sum += sl_bvh_all(t->bvh, ray, t->query, hits, QUERY_KEPT);
    asked(t, "sl_bvh_all");
    t->sum += sl_bvh_all(t->bvh, ray, t->query, NULL, 0);
    asked(t, "sl_bvh_all");
    t->sum += sl_bvh_next(t->bvh, ray, t->query, &hit, &hit);
    asked(t, "sl_bvh_next");
    t->sum += sl_bvh_count(t->bvh, ray, t->query);
    asked(t, "sl_bvh_count");
}

static void ask_of_segment(query_table *t, size_t i)
{
    const sl_segment *segment = &t->segments[i];
    sl_hit hit;
    t->sum += sl_bvh_blocked(t->bvh, segment, t->query);
    asked(t, "sl_bvh_blocked");
    t->sum += sl_bvh_closest_segment(t->bvh, segment, t->query, &hit);
    asked(t, "sl_bvh_closest_segment");
    t->sum += sl_bvh_all_segment(t->bvh, segment, t->query, t->hits, QUERY_KEPT);
    asked(t, "sl_bvh_all_segment");
    t->sum += sl_bvh_next_segment(t->bvh, segment, t->query, &hit, &hit);
    asked(t, "sl_bvh_next_segment");
    t->sum += sl_bvh_count_segment(t->bvh, segment, t->query);
    asked(t, "sl_bvh_count_segment");
}

static void ask_of_point(query_table *t, size_t i)
{
    const float *point = t->points + 3 * i;
    t->sum += sl_bvh_nearest(t->bvh, point, INFINITY, t->query, NULL);
    asked(t, "sl_bvh_nearest");
    t->sum += sl_bvh_nearest_k(t->bvh, point, INFINITY, t->query, t->near, t->count);
    asked(t, "sl_bvh_nearest_k");
    t->sum += sl_bvh_within(t->bvh, point, 0.5f, t->query, t->near, t->count);
    asked(t, "sl_bvh_within");
    t->sum += sl_bvh_inside(t->bvh, NULL, point, t->query, NULL);
    asked(t, "sl_bvh_inside");
    t->sum += sl_bvh_inside(t->bvh, t->boundary, point, t->query, NULL);
    asked(t, "sl_bvh_inside");
    t->sum += sl_soup_inside(&t->soup, t->boundary, point, t->query, NULL);
    asked(t, "sl_soup_inside");
    t->sum += sl_soup_within(&t->soup, point, 0.5f, t->query, t->near, QUERY_KEPT);
    asked(t, "sl_soup_within");
}

static void ask_of_volume(query_table *t, size_t i)
{
    const sl_volume *volume = &t->volumes[i];
    t->sum += sl_bvh_overlap_any(t->bvh, volume, t->query);
    asked(t, "sl_bvh_overlap_any");
    t->sum += sl_bvh_overlap_all(t->bvh, volume, t->query, t->refs, t->count);
    asked(t, "sl_bvh_overlap_all");
    t->sum += sl_bvh_overlap_all(t->bvh, volume, t->query, NULL, 0);
    asked(t, "sl_bvh_overlap_all");
    t->sum += sl_soup_overlap_all(&t->soup, volume, t->query, t->refs, QUERY_KEPT);
    asked(t, "sl_soup_overlap_all");
}

static void ask_of_triangle(query_table *t, size_t i)
{
    const uint32_t prim = (uint32_t)i;
    t->sum += sl_bvh_self_overlap_any(t->bvh, prim, t->query);
    asked(t, "sl_bvh_self_overlap_any");
    t->sum += sl_bvh_self_pairs(t->bvh, prim, t->query, t->refs, t->count);
    asked(t, "sl_bvh_self_pairs");
    t->sum += sl_bvh_self_pairs(t->bvh, prim, t->query, NULL, 0);
    asked(t, "sl_bvh_self_pairs");
    t->sum += sl_soup_self_pairs(&t->soup, prim, t->query, t->refs, QUERY_KEPT);
    asked(t, "sl_soup_self_pairs");
}

static void ask_from_one_point(query_table *t)
{
    const sl_query *q = t->query;
    sl_bvh_any_from(t->bvh, t->points, t->points, t->count, INFINITY, q, t->yes, t->tasks);
    asked(t, "sl_bvh_any_from");
    sl_bvh_blocked_from(t->bvh, t->points, t->points, t->count, q, t->yes, t->tasks);
    asked(t, "sl_bvh_blocked_from");
}

void every_query_in_bulk(query_table *t)
{
    const sl_query *q = t->query;
    sl_bvh_closest_many(t->bvh, t->rays, t->count, q, t->next, t->tasks);
    asked(t, "sl_bvh_closest_many");
    sl_bvh_next_many(t->bvh, t->rays, t->count, q, t->next, t->next, t->tasks);
    asked(t, "sl_bvh_next_many");
    sl_bvh_any_many(t->bvh, t->rays, t->count, q, t->yes, t->tasks);
    asked(t, "sl_bvh_any_many");
    sl_bvh_count_many(t->bvh, t->rays, t->count, q, t->totals, t->tasks);
    asked(t, "sl_bvh_count_many");
    sl_bvh_all_many(t->bvh, t->rays, t->count, q, t->hits, QUERY_KEPT, t->totals, t->tasks);
    asked(t, "sl_bvh_all_many");
    sl_bvh_blocked_many(t->bvh, t->segments, t->count, q, t->yes, NULL, t->tasks);
    asked(t, "sl_bvh_blocked_many");
    sl_bvh_blocked_many(t->bvh, t->segments, t->count, q, t->yes, t->hint, t->tasks);
    asked(t, "sl_bvh_blocked_many");
    sl_bvh_closest_segment_many(t->bvh, t->segments, t->count, q, t->next, t->tasks);
    asked(t, "sl_bvh_closest_segment_many");
    sl_bvh_next_segment_many(t->bvh, t->segments, t->count, q, t->next, t->next, t->tasks);
    asked(t, "sl_bvh_next_segment_many");
    sl_bvh_count_segment_many(t->bvh, t->segments, t->count, q, t->totals, t->tasks);
    asked(t, "sl_bvh_count_segment_many");
    sl_bvh_all_segment_many(t->bvh, t->segments, t->count, q, t->hits, QUERY_KEPT, t->totals,
                            t->tasks);
    asked(t, "sl_bvh_all_segment_many");
    ask_from_one_point(t);
    const sl_ray_columns rays = sl_ray_columns_of_structs(
        t->rays->origin, t->rays->dir, &t->rays->tmin, &t->rays->tmax, sizeof t->rays[0]);
    const sl_hit_columns hits = { .prim = { &t->refs->prim, sizeof t->refs[0] } };
    sl_bvh_closest_columns(t->bvh, &rays, t->count, q, &hits, t->tasks);
    asked(t, "sl_bvh_closest_columns");
    sl_bvh_any_columns(t->bvh, &rays, t->count, q, t->yes, t->tasks);
    asked(t, "sl_bvh_any_columns");
    const sl_segment_columns segments =
        sl_segment_columns_of_structs(t->segments->p, t->segments->q, sizeof t->segments[0]);
    sl_bvh_blocked_columns(t->bvh, &segments, t->count, q, t->yes, t->hint, t->tasks);
    asked(t, "sl_bvh_blocked_columns");
    sl_bvh_closest_segment_columns(t->bvh, &segments, t->count, q, &hits, t->tasks);
    asked(t, "sl_bvh_closest_segment_columns");
    sl_bvh_nearest_many(t->bvh, t->points, t->count, INFINITY, q, t->near, t->tasks);
    asked(t, "sl_bvh_nearest_many");
    sl_bvh_nearest_k_many(t->bvh, t->points, t->count, INFINITY, q, t->near, QUERY_KEPT, t->totals,
                          t->tasks);
    asked(t, "sl_bvh_nearest_k_many");
    sl_bvh_within_many(t->bvh, t->points, t->count, 0.5f, q, t->near, QUERY_KEPT, t->totals,
                       t->tasks);
    asked(t, "sl_bvh_within_many");
    sl_bvh_inside_many(t->bvh, t->boundary, t->points, t->count, q, t->inside, t->tasks);
    asked(t, "sl_bvh_inside_many");
    sl_bvh_overlap_any_many(t->bvh, t->volumes, t->count, q, t->yes, t->tasks);
    asked(t, "sl_bvh_overlap_any_many");
    sl_bvh_overlap_all_many(t->bvh, t->volumes, t->count, q, t->refs, QUERY_KEPT, t->totals,
                            t->tasks);
    asked(t, "sl_bvh_overlap_all_many");
    sl_bvh_self_overlap_any_many(t->bvh, 0, t->count, q, t->yes, t->tasks);
    asked(t, "sl_bvh_self_overlap_any_many");
    sl_bvh_self_pairs_many(t->bvh, 0, t->count, q, t->refs, QUERY_KEPT, t->totals, t->tasks);
    asked(t, "sl_bvh_self_pairs_many");
    t->sum += t->totals[0] + t->totals[t->count - 1];
}

void every_query_alone(query_table *t, size_t i)
{
    ask_of_ray(t, i);
    ask_of_segment(t, i);
    ask_of_point(t, i);
    ask_of_volume(t, i);
    ask_of_triangle(t, i);
}

static void *some(size_t count, size_t size)
{
    void *room = calloc(count, size);
    if (room == NULL) {
        abort();
    }
    return room;
}

static void make_room(query_table *t, size_t count)
{
    t->count = count;
    t->rays = some(count, sizeof *t->rays);
    t->segments = some(count, sizeof *t->segments);
    t->volumes = some(count, sizeof *t->volumes);
    t->points = some(count, 3 * sizeof *t->points);
    t->hits = some(count, QUERY_KEPT * sizeof *t->hits);
    t->next = some(count, sizeof *t->next);
    t->near = some(count, QUERY_KEPT * sizeof *t->near);
    t->inside = some(count, sizeof *t->inside);
    t->refs = some(count, QUERY_KEPT * sizeof *t->refs);
    t->hint = some(count, sizeof *t->hint);
    t->totals = some(count, sizeof *t->totals);
    t->yes = some(count, sizeof *t->yes);
}

static void make_questions(query_table *t, const sl_mesh *mesh, test_random *random)
{
    static const hard_kind of_segments[] = { HARD_VERTEX, HARD_EDGE, HARD_BESIDE };
    static const hard_kind of_rays[] = { HARD_BOX, HARD_BEYOND, HARD_AXIS };
    for (size_t i = 0; i < t->count; i++) {
        t->rays[i] = hard_ray_make(mesh, of_rays[i % 3], random).ray;
        t->segments[i] = hard_ray_make(mesh, of_segments[i % 3], random).segment;
        t->volumes[i] = hard_volume_make(mesh, (sl_volume_kind)(i % HARD_VOLUME_KINDS), random);
        hard_point(mesh, random, t->points + 3 * i);
        if (i % 2 == 0) {
            const sl_triangle triangle = hard_triangle(mesh, random);
            memcpy(t->points + 3 * i, triangle.v[i % 3], sizeof triangle.v[0]);
        }
        t->hint[i] = (sl_triangle_ref){ 0, (uint32_t)i };
    }
}

query_table query_table_make(const sl_mesh *mesh, size_t count, const sl_allocator *allocator,
                             uint64_t seed)
{
    query_table t = { .soup = sl_mesh_soup(mesh) };
    test_random random = { seed };
    const sl_query part = { .flags = SL_USE_SKIP, .skip = { { 0, 5 }, { 0, 50 } } };
    sl_hooks of_boundary = { .tasks = NULL };
    if (allocator != NULL) {
        of_boundary.allocator = *allocator;
    }
    if (sl_boundary_create(&t.soup, &part, &of_boundary, &t.boundary, NULL) != SL_OK) {
        abort();
    }
    make_room(&t, count);
    make_questions(&t, mesh, &random);
    return t;
}

void query_table_free(query_table *t)
{
    void *const rooms[] = { t->rays, t->segments, t->volumes, t->points, t->hits,   t->next,
                            t->near, t->inside,   t->refs,    t->hint,   t->totals, t->yes };
    sl_boundary_destroy(t->boundary);
    for (size_t i = 0; i < sizeof rooms / sizeof rooms[0]; i++) {
        free(rooms[i]);
    }
}
