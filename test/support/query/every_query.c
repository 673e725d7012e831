#include "test/support/query/every_query.h"

#include "test/support/hard/rays.h"
#include "test/support/hard/volumes.h"
#include "test/support/query/calls.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void asked(query_table *t, const char *name)
{
    if (t->asked != NULL) {
        t->asked(t->user, name);
    }
}

/* Makes a call, and one whose answer goes to the sum. */
#define CALL(function, arguments) (function arguments, asked(t, #function));
#define ADD(function, arguments)  (t->sum += (uint64_t)function arguments, asked(t, #function));

/* Tells of each axis as an array of its own; so the rays are copied, unlike an array of structs. */
static sl_rays apart(sl_rays rays)
{
    rays.origin[1] = (const float *)rays.origin[0] + 1;
    rays.origin[2] = (const float *)rays.origin[0] + 2;
    return rays;
}

void every_query_in_bulk(query_table *t)
{
    const sl_hits next = sl_hits_of(t->next),
                  column = { .prim = &t->refs->prim, .stride = sizeof t->refs[0] };
    const sl_rays forms[] = { sl_rays_of(t->rays, t->count), sl_segments_of(t->segments, t->count),
                              apart(sl_rays_of(t->rays, t->count)),
                              sl_rays_from(t->points, t->points, t->count, SL_FLOAT),
                              sl_segments_from(t->points, t->points, t->count, SL_FLOAT) };
    for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
        const sl_rays rays = forms[f];
        CALLS_OF_RAYS(ADD, CALL)
    }
    CALLS_OF_POINTS(ADD, CALL)
    t->sum += t->totals[0] + t->totals[t->count - 1];
}

static sl_triangle_ref ref_of(const sl_hit *hit)
{
    return (sl_triangle_ref){ hit->instance, hit->prim };
}

void every_query_alone(query_table *t, size_t i)
{
    const float *point = t->points + 3 * i;
    const double point_d[3] = { (double)point[0], (double)point[1], (double)point[2] };
    const sl_ray_d ray_d = sl_ray_d_from_ray(&t->rays[i]);
    const sl_segment_d segment_d = sl_segment_d_from_segment(&t->segments[i]);
    sl_hit hit, after;
    sl_hit_d hit_d;
    double offset[3];
    sl_surface surface;
    uint32_t instance;
    CALLS_OF_ALONE(ADD, CALL)
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
    t->sweeps = some(count, sizeof *t->sweeps);
    t->sweeps_d = some(count, sizeof *t->sweeps_d);
    t->xyz = some(count, 3 * SL_HULL_POINTS_MAX * sizeof *t->xyz);
    t->contacts = some(count, QUERY_KEPT * sizeof *t->contacts);
    t->pairs = some(count, sizeof *t->pairs);
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

/* Volumes on their way to points; and what meets the tree, and comes near it. */
static void make_contacts(query_table *t)
{
    for (size_t i = 0; i < t->count; i++) {
        sl_sweep *sweep = &t->sweeps[i];
        sweep->volume = t->volumes[i];
        sweep->touching = (sl_start_contact)(i % 3);
        sweep->overlapping = (sl_start_contact)(i / 3 % 3);
        sweep->ignore_grazing = i % 2 == 1;
        memcpy(sweep->dir, t->points + 3 * i, sizeof sweep->dir);
        t->sweeps_d[i] = sl_sweep_d_from_sweep(sweep, t->xyz + 3 * SL_HULL_POINTS_MAX * i);
    }
    for (int i = 0; i < QUERY_KEPT; i++) {
        t->transforms[i] = sl_transform_identity();
        t->transforms[i].m[0][i % 2] = 0.7;
        t->transforms[i].m[i % 3][3] = i;
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
    make_contacts(&t);
    return t;
}

void query_table_free(query_table *t)
{
    void *const rooms[] = { t->sweeps,   t->sweeps_d, t->xyz,    t->contacts, t->pairs, t->rays,
                            t->segments, t->volumes,  t->points, t->hits,     t->next,  t->near,
                            t->inside,   t->refs,     t->hint,   t->totals,   t->yes };
    sl_boundary_destroy(t->boundary);
    for (size_t i = 0; i < sizeof rooms / sizeof rooms[0]; i++) {
        free(rooms[i]);
    }
}
