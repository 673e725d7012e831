/* embree_nearest: nearest points per second of one thread, ours next to Embree's rtcPointQuery.
 *
 *     embree_nearest MESH ...
 *
 * Points at random in the box (ptbox), and points of the surface moved by up to 2 % of the diagonal
 * (ptnear); five interleaved rounds in this one process, medians.  Embree runs the usual
 * closest-triangle callback, in floats, on its MEDIUM and on its HIGH tree; the better one counts.
 */
#include "test/measure/peer.h"
#include "test/support/hard_rays.h"

#include <sightline/point_query.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS = 50000, ROUNDS = 5 };

typedef struct search {
    const float *xyz;
    const uint32_t *indices;
    uint32_t prim;
    float distance;
} search;

static float dot(const float a[3], const float b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void minus(const float a[3], const float b[3], float out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = a[axis] - b[axis];
    }
}

/* Ericson, Real-Time Collision Detection (2005), 5.1.5, in floats. */
static float triangle_distance(const float p[3], const float *a, const float *b, const float *c)
{
    float ab[3], ac[3], ap[3], bp[3], cp[3], v = 0, w = 0;
    minus(b, a, ab);
    minus(c, a, ac);
    minus(p, a, ap);
    minus(p, b, bp);
    minus(p, c, cp);
    const float d1 = dot(ab, ap), d2 = dot(ac, ap), d3 = dot(ab, bp), d4 = dot(ac, bp);
    const float d5 = dot(ab, cp), d6 = dot(ac, cp);
    const float vc = d1 * d4 - d3 * d2, vb = d5 * d2 - d1 * d6, va = d3 * d6 - d5 * d4;
    if (d1 <= 0 && d2 <= 0) {
        v = w = 0;
    } else if (d3 >= 0 && d4 <= d3) {
        v = 1;
    } else if (d6 >= 0 && d5 <= d6) {
        w = 1;
    } else if (vc <= 0 && d1 >= 0 && d3 <= 0) {
        v = d1 / (d1 - d3);
    } else if (vb <= 0 && d2 >= 0 && d6 <= 0) {
        w = d2 / (d2 - d6);
    } else if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
        w = (d4 - d3) / ((d4 - d3) + (d5 - d6));
        v = 1 - w;
    } else {
        v = vb / (va + vb + vc);
        w = vc / (va + vb + vc);
    }
    float away[3];
    for (int axis = 0; axis < 3; axis++) {
        away[axis] = a[axis] + v * ab[axis] + w * ac[axis] - p[axis];
    }
    return sqrtf(dot(away, away));
}

static bool visit(struct RTCPointQueryFunctionArguments *args)
{
    search *s = args->userPtr;
    const uint32_t *i = s->indices + 3 * (size_t)args->primID;
    const float p[3] = { args->query->x, args->query->y, args->query->z };
    const float distance = triangle_distance(p, s->xyz + 3 * (size_t)i[0],
                                             s->xyz + 3 * (size_t)i[1], s->xyz + 3 * (size_t)i[2]);
    if (distance < args->query->radius) {
        args->query->radius = distance;
        s->distance = distance;
        s->prim = args->primID;
        return true;
    }
    return false;
}

static double theirs(RTCScene scene, const sl_mesh *mesh, const float *points, float *distances)
{
    const double start = peer_seconds();
    for (int i = 0; i < POINTS; i++) {
        struct RTCPointQueryContext context;
        struct RTCPointQuery query = { points[3 * i], points[3 * i + 1], points[3 * i + 2], 0,
                                       INFINITY };
        search s = { sl_mesh_positions(mesh), sl_mesh_indices(mesh), SL_NONE, INFINITY };
        rtcInitPointQueryContext(&context);
        rtcPointQuery(scene, &query, &context, visit, &s);
        distances[i] = s.distance;
    }
    return peer_seconds() - start;
}

static double ours(const sl_bvh *bvh, const float *points, sl_nearest *out)
{
    const double start = peer_seconds();
    sl_bvh_nearest_many(bvh, points, POINTS, INFINITY, NULL, out, NULL);
    return peer_seconds() - start;
}

static double rate(double *times)
{
    qsort(times, ROUNDS, sizeof *times, peer_by_value);
    return 1e-6 * POINTS / times[ROUNDS / 2];
}

static void compare(const char *name, const char *set, const sl_mesh *mesh, const sl_bvh *bvh,
                    RTCScene scenes[2], const float *points)
{
    static sl_nearest found[POINTS];
    static float distances[POINTS];
    double mine[ROUNDS], peer[2][ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
        mine[round] = ours(bvh, points, found);
        peer[0][round] = theirs(scenes[0], mesh, points, distances);
        peer[1][round] = theirs(scenes[1], mesh, points, distances);
    }
    size_t apart = 0;
    for (int i = 0; i < POINTS; i++) {
        apart += fabsf(found[i].distance - distances[i]) > 1e-4f * found[i].distance;
    }
    const double our_rate = rate(mine), medium = rate(peer[0]), high = rate(peer[1]);
    const double best = medium > high ? medium : high;
    printf("%-26s %-7s ours %6.3f  Embree MEDIUM %6.3f HIGH %6.3f M/s  ours/Embree %5.2f  "
           "%zu distances apart\n",
           name, set, our_rate, medium, high, our_rate / best, apart);
}

static int measure(RTCDevice device, const char *path)
{
    sl_mesh *mesh = NULL;
    sl_bvh *bvh = NULL;
    sl_error error;
    if (sl_mesh_load(path, NULL, &mesh, &error) != SL_OK ||
        sl_bvh_build(mesh, NULL, &bvh, &error) != SL_OK) {
        fprintf(stderr, "%s: %s\n", path, error.message);
        sl_mesh_destroy(mesh);
        return 1;
    }
    RTCScene scenes[2] = { peer_scene(device, mesh, RTC_BUILD_QUALITY_MEDIUM),
                           peer_scene(device, mesh, RTC_BUILD_QUALITY_HIGH) };
    static float box[3 * POINTS], near[3 * POINTS];
    const sl_aabb bounds = sl_mesh_get_info(mesh).bounds;
    float diagonal = 0;
    for (int axis = 0; axis < 3; axis++) {
        diagonal += (bounds.max[axis] - bounds.min[axis]) * (bounds.max[axis] - bounds.min[axis]);
    }
    diagonal = sqrtf(diagonal);
    test_random random = { 1 };
    for (int i = 0; i < POINTS; i++) {
        const sl_triangle t = hard_triangle(mesh, &random);
        const float u = test_random_unit(&random), v = (1 - u) * test_random_unit(&random);
        for (int axis = 0; axis < 3; axis++) {
            box[3 * i + axis] = test_random_in(&random, bounds.min[axis], bounds.max[axis]);
            near[3 * i + axis] = t.v[0][axis] + u * (t.v[1][axis] - t.v[0][axis]) +
                                 v * (t.v[2][axis] - t.v[0][axis]) +
                                 test_random_in(&random, -0.0115f, 0.0115f) * diagonal;
        }
    }
    const char *name = strrchr(path, '/') != NULL ? strrchr(path, '/') + 1 : path;
    compare(name, "ptbox", mesh, bvh, scenes, box);
    compare(name, "ptnear", mesh, bvh, scenes, near);
    rtcReleaseScene(scenes[0]);
    rtcReleaseScene(scenes[1]);
    sl_bvh_destroy(bvh);
    sl_mesh_destroy(mesh);
    return 0;
}

int main(int argc, char **argv)
{
    RTCDevice device = rtcNewDevice("threads=1");
    int failed = 0;
    for (int i = 1; i < argc; i++) {
        failed |= measure(device, argv[i]);
    }
    rtcReleaseDevice(device);
    return failed;
}
