/* bench/primary.c: rays of three cameras, in the order of tiles of a picture, for the sets of
 * bench. */
#include "tools/bench/primary.h"

#include <sightline/camera.h>

#include <stdlib.h>

enum { CAMERAS = 3, TILE = 32, TILE_RAYS = TILE * TILE, TILES_ACROSS = BENCH_PICTURE / TILE };

static bool look_from_outside(const bench_source *source, sl_camera *out)
{
    static const float towards_eye[3] = { 1.0f, 0.7f, 0.9f };
    sl_camera_def def = sl_default_camera_def();
    def.width = def.height = BENCH_PICTURE;
    return sl_camera_fit(&source->bounds, towards_eye, &def, NULL) == SL_OK &&
           sl_camera_make(&def, out, NULL) == SL_OK;
}

/* From one place of the box to another, both told as shares of its size. */
static bool look_from_inside(const bench_source *source, const float eye[3], const float target[3],
                             sl_camera *out)
{
    sl_camera_def def = sl_default_camera_def();
    def.width = def.height = BENCH_PICTURE;
    def.fov_y_rad = 1.5f;
    def.near_distance = 1e-4f * source->diagonal;
    float size[3];
    sl_aabb_size(&source->bounds, size);
    for (int axis = 0; axis < 3; axis++) {
        def.eye[axis] = source->bounds.min[axis] + eye[axis] * size[axis];
        def.target[axis] = source->bounds.min[axis] + target[axis] * size[axis];
    }
    return sl_camera_make(&def, out, NULL) == SL_OK;
}

/* Rooms are seen from within, objects from without: the box's corner is within a room and without
 * an object, so that of the three pictures two are what one would want. */
static bool make_cameras(const bench_source *source, sl_camera cameras[CAMERAS])
{
    static const float corner[3] = { 0.12f, 0.7f, 0.85f }, middle[3] = { 0.5f, 0.5f, 0.5f };
    float end[3] = { 0.4f, 0.4f, 0.4f };
    end[sl_aabb_longest_axis(&source->bounds)] = 0;
    return look_from_outside(source, &cameras[0]) &&
           look_from_inside(source, corner, middle, &cameras[1]) &&
           look_from_inside(source, middle, end, &cameras[2]);
}

/* The even bits of a number together. */
static uint32_t every_other_bit(uint32_t bits)
{
    uint32_t out = 0;
    for (int i = 0; i < 5; i++) {
        out |= ((bits >> (2 * i)) & 1) << i;
    }
    return out;
}

bool bench_primary_rays(const bench_source *source, size_t count, sl_ray *out)
{
    sl_camera cameras[CAMERAS];
    if (!make_cameras(source, cameras)) {
        return false;
    }
    const size_t tiles_there = (size_t)CAMERAS * TILES_ACROSS * TILES_ACROSS;
    const size_t tiles = (count + TILE_RAYS - 1) / TILE_RAYS;
    for (size_t i = 0; i < count; i++) {
        const size_t tile = (2 * (i / TILE_RAYS) + 1) * tiles_there / (2 * tiles);
        const size_t in_picture = tile % (TILES_ACROSS * TILES_ACROSS);
        const uint32_t place = (uint32_t)(i % TILE_RAYS);
        const size_t column = (in_picture + TILES_ACROSS / 2) % TILES_ACROSS;
        const size_t x = column * TILE + every_other_bit(place);
        const size_t y = in_picture / TILES_ACROSS * TILE + every_other_bit(place >> 1);
        if (!sl_camera_ray(&cameras[tile / (TILES_ACROSS * TILES_ACROSS)], (float)x + 0.5f,
                           (float)y + 0.5f, &out[i])) {
            return false;
        }
    }
    return true;
}

static void turn_to_ray(const sl_hit *hit, sl_surface *surface)
{
    for (int axis = 0; axis < 3 && (hit->flags & SL_HIT_BACK) != 0; axis++) {
        surface->normal[axis] = -surface->normal[axis];
        surface->front_origin[axis] = surface->back_origin[axis];
    }
}

bool bench_primary_hits(const bench_source *source, size_t count, sl_surface **hits,
                        size_t *hit_count)
{
    sl_ray *rays = malloc(count * sizeof *rays);
    sl_hit *found = malloc(count * sizeof *found);
    *hits = malloc(count * sizeof **hits);
    *hit_count = 0;
    const bool done = rays != NULL && found != NULL && *hits != NULL;
    if (done && bench_primary_rays(source, count, rays)) {
        const sl_bvh *bvh = source->surface.bvh;
        sl_bvh_closest_many(bvh, rays, count, NULL, found, source->tasks);
        for (size_t i = 0; i < count; i++) {
            sl_surface *surface = &(*hits)[*hit_count];
            if (sl_bvh_surface(bvh, &found[i], surface)) {
                turn_to_ray(&found[i], surface);
                ++*hit_count;
            }
        }
    }
    if (!done) {
        free(*hits);
        *hits = NULL;
    }
    free(rays);
    free(found);
    return done;
}
