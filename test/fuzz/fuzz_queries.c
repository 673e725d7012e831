/* fuzz_queries.c: any floats as triangles, rays and points: trees of every quality answer as the
 * triangles do when they are asked one by one. */
#include "test/fuzz/fuzz.h"

#include <math.h>
#include <string.h>

enum { MOST_TRIANGLES = 64, MOST_RAYS = 16, MOST_HITS = 8 };

typedef struct input {
    sl_triangle triangles[MOST_TRIANGLES];
    sl_ray rays[MOST_RAYS];
    size_t triangle_count, ray_count;
} input;

/* The first byte says how many triangles; floats follow, those of the rays last. */
static bool read_input(const uint8_t *data, size_t size, input *in)
{
    if (size < 1) {
        return false;
    }
    const size_t room = (size - 1) / sizeof in->triangles[0];
    const size_t wanted = data[0] % (MOST_TRIANGLES + 1);
    in->triangle_count = wanted < room ? wanted : room;
    memcpy(in->triangles, data + 1, in->triangle_count * sizeof in->triangles[0]);
    const size_t used = 1 + in->triangle_count * sizeof in->triangles[0];
    const size_t rays = (size - used) / sizeof in->rays[0];
    in->ray_count = rays < MOST_RAYS ? rays : MOST_RAYS;
    memcpy(in->rays, data + used, in->ray_count * sizeof in->rays[0]);
    return in->ray_count > 0;
}

static void compare_rays(const sl_bvh *bvh, const sl_soup *soup, const input *in)
{
    sl_hit closest[MOST_RAYS], hits[MOST_HITS];
    uint8_t any[MOST_RAYS];
    sl_bvh_closest_many(bvh, sl_rays_of(in->rays, in->ray_count), NULL, sl_hits_of(closest), NULL,
                        NULL);
    sl_bvh_any_many(bvh, sl_rays_of(in->rays, in->ray_count), NULL, any, NULL, NULL, NULL);
    for (size_t i = 0; i < in->ray_count; i++) {
        sl_hit alone, expected[MOST_HITS];
        const size_t count = sl_soup_all(soup, &in->rays[i], NULL, expected, MOST_HITS);
        const size_t kept = count < MOST_HITS ? count : MOST_HITS;
        if ((closest[i].prim != SL_NONE) != (count > 0) || any[i] != (count > 0) ||
            sl_bvh_closest(bvh, &in->rays[i], NULL, &alone) != (count > 0) ||
            sl_bvh_all(bvh, &in->rays[i], NULL, hits, MOST_HITS) != count) {
            fuzz_fail("hit or miss differs");
        }
        if (count > 0 && (memcmp(&closest[i], expected, sizeof expected[0]) != 0 ||
                          memcmp(&alone, expected, sizeof expected[0]) != 0 ||
                          memcmp(hits, expected, kept * sizeof expected[0]) != 0)) {
            fuzz_fail("a hit differs");
        }
    }
}

/* The rays' directions from the origin of the first, as rays and as targets, some of them twice. */
static void compare_from_one_point(const sl_bvh *bvh, const input *in)
{
    float to[MOST_RAYS][3];
    uint8_t any[MOST_RAYS], occluded[MOST_RAYS];
    const float *origin = in->rays[0].origin;
    for (size_t i = 0; i < MOST_RAYS; i++) {
        memcpy(to[i], in->rays[i % in->ray_count].dir, sizeof to[i]);
    }
    sl_bvh_any_many(bvh, sl_rays_from(origin, to[0], MOST_RAYS, SL_FLOAT), NULL, any, NULL, NULL,
                    NULL);
    sl_bvh_any_many(bvh, sl_segments_from(origin, to[0], MOST_RAYS, SL_FLOAT), NULL, occluded, NULL,
                    NULL, NULL);
    for (size_t i = 0; i < MOST_RAYS; i++) {
        sl_ray ray = { .tmax = INFINITY };
        sl_segment segment;
        memcpy(ray.origin, origin, sizeof ray.origin);
        memcpy(segment.p, origin, sizeof segment.p);
        memcpy(ray.dir, to[i], sizeof ray.dir);
        memcpy(segment.q, to[i], sizeof segment.q);
        if (any[i] != sl_bvh_any(bvh, &ray, NULL) ||
            occluded[i] != sl_bvh_occluded(bvh, segment.p, segment.q, NULL)) {
            fuzz_fail("an answer from one point differs");
        }
    }
}

static void compare_points(const sl_bvh *bvh, const sl_soup *soup, const input *in)
{
    for (size_t i = 0; i < in->ray_count; i++) {
        sl_nearest ours, theirs;
        const float *point = in->rays[i].origin, radius = fabsf(in->rays[i].tmax);
        const size_t a = sl_bvh_within(bvh, point, radius, NULL, &ours, 1);
        const size_t b = sl_soup_within(soup, point, radius, NULL, &theirs, 1);
        if (a != b || (a > 0 && memcmp(&ours, &theirs, sizeof ours) != 0)) {
            fuzz_fail("what is near differs");
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    input in;
    sl_mesh *mesh;
    sl_mesh_def def = { .bad = SL_BAD_LEAVE_OUT };
    if (!read_input(data, size, &in) ||
        sl_mesh_from_arrays(&in.triangles[0].v[0][0], 3 * in.triangle_count, NULL,
                            in.triangle_count, &def, &mesh, NULL) != SL_OK) {
        return 0;
    }
    const sl_soup soup = sl_mesh_soup(mesh);
    for (int quality = SL_BVH_QUALITY_DEFAULT; quality <= SL_BVH_QUALITY_HIGH; quality++) {
        sl_build_def build = { 0 };
        sl_bvh *bvh;
        sl_error error;
        build.quality = (sl_bvh_quality)quality;
        if (sl_bvh_build(mesh, &build, &bvh, &error) != SL_OK || !sl_bvh_check(bvh, mesh, &error)) {
            fuzz_fail(error.message);
        }
        compare_rays(bvh, &soup, &in);
        compare_from_one_point(bvh, &in);
        compare_points(bvh, &soup, &in);
        sl_bvh_destroy(bvh);
    }
    sl_mesh_destroy(mesh);
    return 0;
}
