#include "test/support/query/every_query.h"

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

/* Makes a call about the table's tree, and another one whose answer is a sum. */
#define CALL(function, ...) (function(t->bvh, __VA_ARGS__), asked(t, #function))
#define ADD(function, ...)  (t->sum += (uint64_t)function(t->bvh, __VA_ARGS__), asked(t, #function))

static void query_of_ray(query_table *t, size_t i)
{
    const sl_ray *ray = &t->rays[i];
    const sl_segment *segment = &t->segments[i];
    const sl_ray_d ray_d = sl_ray_d_from_ray(ray);
    const double p[3] = { (double)segment->p[0], (double)segment->p[1], (double)segment->p[2] },
                 q[3] = { (double)segment->q[0], (double)segment->q[1], (double)segment->q[2] };
    sl_hit hit;
    sl_hit_d hit_d;
    sl_surface surface;
    ADD(sl_bvh_closest, ray, t->query, &hit);
    ADD(sl_bvh_closest_d, &ray_d, t->query, &hit_d);
    ADD(sl_bvh_surface, (sl_triangle_ref){ hit.instance, hit.prim }, hit.u, hit.v, SL_FLOAT,
        &surface);
    ADD(sl_bvh_any, ray, t->query);
    ADD(sl_bvh_occluded, segment->p, segment->q, t->query);
    ADD(sl_bvh_occluded_d, p, q, t->query);
    ADD(sl_bvh_all, ray, t->query, t->hits, QUERY_KEPT);
    ADD(sl_bvh_all, ray, t->query, NULL, 0);
    ADD(sl_bvh_next, ray, t->query, &hit, &hit);
}

static void query_of_point(query_table *t, size_t i)
{
    const float *point = t->points + 3 * i;
    const double point_d[3] = { (double)point[0], (double)point[1], (double)point[2] };
    uint32_t instance;
    ADD(sl_bvh_nearest, point, INFINITY, t->query, NULL);
    ADD(sl_bvh_nearest_d, point_d, INFINITY, t->query, NULL);
    ADD(sl_bvh_nearest_k, point, INFINITY, t->query, t->near, t->count);
    ADD(sl_bvh_within, point, 0.5f, t->query, t->near, t->count);
    ADD(sl_bvh_inside, point, t->query, &instance, 1);
    t->sum += sl_soup_inside(&t->soup, t->boundary, point, t->query, NULL);
    asked(t, "sl_soup_inside");
    t->sum += sl_soup_within(&t->soup, point, 0.5f, t->query, t->near, QUERY_KEPT);
    asked(t, "sl_soup_within");
}

static void query_of_volume(query_table *t, size_t i)
{
    const sl_volume *volume = &t->volumes[i];
    ADD(sl_bvh_overlap_any, volume, t->query);
    ADD(sl_bvh_overlap_all, volume, t->query, t->refs, t->count);
    ADD(sl_bvh_overlap_all, volume, t->query, NULL, 0);
    t->sum += sl_soup_overlap_all(&t->soup, volume, t->query, t->refs, QUERY_KEPT);
    asked(t, "sl_soup_overlap_all");
}

static void query_of_rays(query_table *t, sl_rays rays)
{
    const sl_options *q = t->query;
    sl_hits next = sl_hits_of(t->next);
    CALL(sl_bvh_closest_many, rays, q, next, t->tasks, t->stats);
    CALL(sl_bvh_next_many, rays, q, next, t->tasks, t->stats);
    CALL(sl_bvh_any_many, rays, q, t->yes, NULL, t->tasks, t->stats);
    CALL(sl_bvh_any_many, rays, q, t->yes, t->hint, t->tasks, t->stats);
    CALL(sl_bvh_all_many, rays, q, sl_hits_of(NULL), 0, t->totals, t->tasks, t->stats);
    CALL(sl_bvh_all_many, rays, q, sl_hits_of(t->hits), QUERY_KEPT, t->totals, t->tasks, t->stats);
    next = (sl_hits){ .prim = &t->refs->prim, .stride = sizeof t->refs[0] };
    CALL(sl_bvh_closest_many, rays, q, next, t->tasks, t->stats);
}

/* Tells of each axis as an array of its own; so the rays are copied, unlike an array of structs. */
static sl_rays apart(sl_rays rays)
{
    rays.origin[1] = (const float *)rays.origin[0] + 1;
    rays.origin[2] = (const float *)rays.origin[0] + 2;
    return rays;
}

void every_query_in_bulk(query_table *t)
{
    const sl_options *q = t->query;
    const sl_rays rays = sl_rays_of(t->rays, t->count),
                  segments = sl_segments_of(t->segments, t->count);
    const sl_points points = sl_points_of(t->points, t->count, SL_FLOAT);
    query_of_rays(t, rays);
    query_of_rays(t, segments);
    query_of_rays(t, apart(rays));
    query_of_rays(t, sl_rays_from(t->points, t->points, t->count, SL_FLOAT));
    query_of_rays(t, sl_segments_from(t->points, t->points, t->count, SL_FLOAT));
    CALL(sl_bvh_nearest_many, points, INFINITY, q, sl_nearests_of(t->near, SL_FLOAT), t->tasks,
         t->stats);
    CALL(sl_bvh_nearest_k_many, points, INFINITY, q, sl_nearests_of(t->near, SL_FLOAT), QUERY_KEPT,
         t->totals, t->tasks, t->stats);
    CALL(sl_bvh_within_many, points, 0.5f, q, sl_nearests_of(t->near, SL_FLOAT), QUERY_KEPT,
         t->totals, t->tasks, t->stats);
    CALL(sl_bvh_inside_many, points, q, &t->refs->prim, QUERY_KEPT, t->totals, t->tasks, t->stats);
    CALL(sl_bvh_winding, t->boundary, t->points, t->count, q, t->inside, t->tasks, t->stats);
    CALL(sl_bvh_overlap_any_many, sl_volumes_of(t->volumes, t->count, SL_FLOAT), q, t->yes,
         t->tasks, t->stats);
    CALL(sl_bvh_overlap_all_many, sl_volumes_of(t->volumes, t->count, SL_FLOAT), q, t->refs,
         QUERY_KEPT, t->totals, t->tasks, t->stats);
    CALL(sl_bvh_self_overlap_any, 0, t->count, q, t->yes, t->tasks, t->stats);
    CALL(sl_bvh_self_pairs, 0, t->count, q, t->refs, QUERY_KEPT, t->totals, t->tasks, t->stats);
    t->sum += t->totals[0] + t->totals[t->count - 1];
}

void every_query_alone(query_table *t, size_t i)
{
    query_of_ray(t, i);
    query_of_point(t, i);
    query_of_volume(t, i);
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

static void make_queries(query_table *t, const sl_mesh *mesh, test_random *random)
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
    const sl_options part = { .skip = (sl_triangle_ref[]){ { 0, 5 }, { 0, 50 } }, .skip_count = 2 };
    sl_hooks of_boundary = { .tasks = NULL };
    if (allocator != NULL) {
        of_boundary.allocator = *allocator;
    }
    if (sl_boundary_create(&t.soup, &part, &of_boundary, &t.boundary, NULL) != SL_OK) {
        abort();
    }
    make_room(&t, count);
    make_queries(&t, mesh, &random);
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
