/* bench/input/primary.c: rays of three cameras, in the order of tiles of a picture, for the sets of
 * bench. */
#include "tools/bench/input/primary.h"

#include <sightline/camera.h>
#include <sightline/closest.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Each row of tiles begins that many further, so that tiles some rows apart lie in all columns. */
enum { CAMERAS = 3, TILE = 32, TILE_RAYS = TILE * TILE, ROW_SHIFT = 13 };

static sl_camera_def def_of(bench_pictures pictures)
{
    sl_camera_def def = { 0 };
    def.width = def.height = pictures.size;
    def.orthographic = pictures.orthographic;
    return def;
}

static bool look_from_outside(const bench_source *source, bench_pictures pictures,
                              const float towards_eye[3], sl_camera *out)
{
    sl_camera_def def = def_of(pictures);
    return sl_camera_fit(&source->bounds, NULL, towards_eye, &def, NULL) == SL_OK &&
           sl_camera_make(&def, out, NULL) == SL_OK;
}

/* From one place of the box to another, both told as shares of its size. */
static bool look_from_inside(const bench_source *source, bench_pictures pictures,
                             const float eye[3], const float target[3], sl_camera *out)
{
    sl_camera_def def = def_of(pictures);
    def.fov_y_rad = 1.5f;
    def.near_distance = 1e-4f * source->diagonal;
    float size[3];
    memcpy(size, sl_aabb_measure(&source->bounds).size, sizeof size);
    for (int axis = 0; axis < 3; axis++) {
        def.eye[axis] = source->bounds.min[axis] + eye[axis] * size[axis];
        def.target[axis] = source->bounds.min[axis] + target[axis] * size[axis];
    }
    return sl_camera_make(&def, out, NULL) == SL_OK;
}

/* Rooms are seen from within, objects from without: the box's corner is within a room and without
 * an object, so that of the three pictures two are what one would want. */
static bool make_perspective(const bench_source *source, bench_pictures pictures,
                             sl_camera cameras[CAMERAS])
{
    static const float outside[3] = { 1.0f, 0.7f, 0.9f };
    static const float corner[3] = { 0.12f, 0.7f, 0.85f }, middle[3] = { 0.5f, 0.5f, 0.5f };
    float end[3] = { 0.4f, 0.4f, 0.4f };
    end[sl_aabb_measure(&source->bounds).longest_axis] = 0;
    return look_from_outside(source, pictures, outside, &cameras[0]) &&
           look_from_inside(source, pictures, corner, middle, &cameras[1]) &&
           look_from_inside(source, pictures, middle, end, &cameras[2]);
}

/* The views of a drawing: all rays of the second and the third run along an axis. */
static bool make_orthographic(const bench_source *source, bench_pictures pictures,
                              sl_camera cameras[CAMERAS])
{
    static const float towards_eye[CAMERAS][3] = { { 1.0f, 0.7f, 0.9f }, { 0, 0, 1 }, { 0, 1, 0 } };
    bool made = true;
    for (int i = 0; i < CAMERAS && made; i++) {
        made = look_from_outside(source, pictures, towards_eye[i], &cameras[i]);
    }
    return made;
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

/* Where in their pixels the rays of a pass meet the picture: the middle of them first, then the
 * points of an additive sequence that fills the square evenly.  Roberts, The Unreasonable
 * Effectiveness of Quasirandom Sequences (2018). */
static void point_of_pass(size_t pass, float point[2])
{
    static const double steps[2] = { 0.75487766624669276, 0.56984029099805327 };
    for (int axis = 0; axis < 2; axis++) {
        const double at = 0.5 + (double)pass * steps[axis];
        point[axis] = (float)(at - (double)(size_t)at);
    }
}

bool bench_primary_rays(const bench_source *source, bench_pictures pictures, size_t count,
                        sl_ray *out)
{
    sl_camera cameras[CAMERAS];
    if (!(pictures.orthographic ? make_orthographic(source, pictures, cameras)
                                : make_perspective(source, pictures, cameras))) {
        return false;
    }
    const size_t across = pictures.size / TILE, in_pass = CAMERAS * across * across;
    const size_t tiles = (count + TILE_RAYS - 1) / TILE_RAYS;
    const size_t tiles_there = (tiles + in_pass - 1) / in_pass * in_pass;
    for (size_t i = 0; i < count; i++) {
        const size_t tile = (2 * (i / TILE_RAYS) + 1) * tiles_there / (2 * tiles);
        const size_t in_picture = tile % (across * across);
        const uint32_t place = (uint32_t)(i % TILE_RAYS);
        const size_t row = in_picture / across;
        const size_t column = (in_picture + across / 2 + ROW_SHIFT * (row + across / 2)) % across;
        const size_t x = column * TILE + every_other_bit(place);
        const size_t y = row * TILE + every_other_bit(place >> 1);
        float in_pixel[2];
        point_of_pass(tile / in_pass, in_pixel);
        if (!sl_camera_ray(&cameras[tile / (across * across) % CAMERAS], (float)x + in_pixel[0],
                           (float)y + in_pixel[1], &out[i])) {
            return false;
        }
    }
    return true;
}

/* The surface of a world where a ray hits it, seen from the ray; origins are a millionth of the
 * world above and below it. */
static bool world_surface(const bench_source *source, const sl_ray *ray, const sl_hit *hit,
                          bench_point *out)
{
    double corners[3][3], side[2][3], normal[3], square = 0, along = 0;
    if (!sl_bvh_triangle(source->scene, (sl_triangle_ref){ hit->instance, hit->prim }, corners)) {
        return false;
    }
    for (int axis = 0; axis < 3; axis++) {
        side[0][axis] = corners[1][axis] - corners[0][axis];
        side[1][axis] = corners[2][axis] - corners[0][axis];
    }
    for (int axis = 0; axis < 3; axis++) {
        const int next = (axis + 1) % 3, last = (axis + 2) % 3;
        normal[axis] = side[0][next] * side[1][last] - side[0][last] * side[1][next];
        square += normal[axis] * normal[axis];
        along += normal[axis] * (double)ray->dir[axis];
    }
    const double length = along > 0 ? -sqrt(square) : sqrt(square);
    const double above = 1e-6 * (double)source->diagonal;
    for (int axis = 0; axis < 3 && square > 0; axis++) {
        const double at = (double)ray->origin[axis] + (double)hit->t * (double)ray->dir[axis];
        out->point[axis] = (float)at;
        out->normal[axis] = (float)(normal[axis] / length);
        out->front_origin[axis] = (float)(at + above * normal[axis] / length);
    }
    return square > 0;
}

static bool surface_at(const bench_source *source, const sl_ray *ray, const sl_hit *hit,
                       bench_point *out)
{
    return source->scene != NULL
               ? world_surface(source, ray, hit, out)
               : bench_point_at(source->surface.bvh, hit, (hit->flags & SL_HIT_BACK) != 0, out);
}

bool bench_primary_hits(const bench_source *source, size_t count, bench_point **hits,
                        size_t *hit_count)
{
    sl_ray *rays = malloc(count * sizeof *rays);
    sl_hit *found = malloc(count * sizeof *found);
    *hits = malloc(count * sizeof **hits);
    *hit_count = 0;
    const bool done = rays != NULL && found != NULL && *hits != NULL;
    const bench_pictures pictures = { .size = BENCH_PICTURE };
    if (done && bench_primary_rays(source, pictures, count, rays)) {
        const bench_target target = { .bvh = source->scene != NULL ? source->scene
                                                                   : source->surface.bvh,
                                      .tasks = source->tasks };
        const bench_rays asked = { .query = BENCH_CLOSEST, .count = count, .rays = rays };
        bench_ask_batches(&target, &asked, 0, &(bench_answers){ .rows = found });
        for (size_t i = 0; i < count; i++) {
            *hit_count += surface_at(source, &rays[i], &found[i], &(*hits)[*hit_count]);
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
