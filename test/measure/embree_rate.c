/* embree_rate: rays per second of one thread, ours next to Embree's, for the record.
 *
 *     embree_rate MESH ...
 *
 * Incoherent rays between random points of a slightly grown box, closest and any hit, in five
 * interleaved rounds in this one process; medians.  Embree: single-ray calls, MEDIUM quality.
 * Differences are counted too: Embree decides in floats. */
#include "test/measure/peer.h"
#include "test/support/hard_rays.h"

#include <sightline/ray_query.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RAYS = 200000, ROUNDS = 5 };

static struct RTCRayHit embree_ray(const sl_ray *ray)
{
    struct RTCRayHit rh;
    memset(&rh, 0, sizeof rh);
    rh.ray.org_x = ray->origin[0];
    rh.ray.org_y = ray->origin[1];
    rh.ray.org_z = ray->origin[2];
    rh.ray.dir_x = ray->dir[0];
    rh.ray.dir_y = ray->dir[1];
    rh.ray.dir_z = ray->dir[2];
    rh.ray.tnear = ray->tmin;
    rh.ray.tfar = ray->tmax;
    rh.ray.mask = 0xFFFFFFFFu;
    rh.hit.geomID = RTC_INVALID_GEOMETRY_ID;
    return rh;
}

typedef struct answers {
    uint32_t prim[RAYS];
    uint8_t any[RAYS];
} answers;

static double ours(const sl_bvh *bvh, const sl_ray *rays, bool any, answers *out)
{
    static sl_hit hits[RAYS];
    const double start = peer_seconds();
    if (any) {
        sl_bvh_any_many(bvh, rays, RAYS, NULL, out->any, NULL);
    } else {
        sl_bvh_closest_many(bvh, rays, RAYS, NULL, hits, NULL);
    }
    const double time = peer_seconds() - start;
    for (int i = 0; i < RAYS && !any; i++) {
        out->prim[i] = hits[i].prim;
    }
    return time;
}

static double theirs(RTCScene scene, const sl_ray *rays, bool any, answers *out)
{
    struct RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    const double start = peer_seconds();
    for (int i = 0; i < RAYS; i++) {
        struct RTCRayHit rh = embree_ray(&rays[i]);
        if (any) {
            rtcOccluded1(scene, &context, &rh.ray);
            out->any[i] = rh.ray.tfar < 0;
        } else {
            rtcIntersect1(scene, &context, &rh);
            out->prim[i] = rh.hit.geomID == RTC_INVALID_GEOMETRY_ID ? SL_NONE : rh.hit.primID;
        }
    }
    return peer_seconds() - start;
}

static void compare(const char *path, const sl_bvh *bvh, RTCScene scene, const sl_ray *rays,
                    bool any)
{
    static answers a, b;
    double our_time[ROUNDS], their_time[ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
        our_time[round] = ours(bvh, rays, any, &a);
        their_time[round] = theirs(scene, rays, any, &b);
    }
    size_t different = 0;
    for (int i = 0; i < RAYS; i++) {
        different += any ? a.any[i] != b.any[i] : a.prim[i] != b.prim[i];
    }
    qsort(our_time, ROUNDS, sizeof *our_time, peer_by_value);
    qsort(their_time, ROUNDS, sizeof *their_time, peer_by_value);
    const double mine = 1e-6 * (double)RAYS / our_time[ROUNDS / 2];
    const double peer = 1e-6 * (double)RAYS / their_time[ROUNDS / 2];
    printf("%-40s %-8s ours %6.2f  Embree %6.2f M rays/s  Embree/ours %5.2f  %zu of %d differ\n",
           path, any ? "any" : "closest", mine, peer, peer / mine, different, RAYS);
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
    static sl_ray rays[RAYS];
    test_random random = { 1 };
    for (int i = 0; i < RAYS; i++) {
        rays[i] = hard_ray_make(mesh, HARD_BOX, &random).ray;
    }
    RTCScene scene = peer_scene(device, mesh, RTC_BUILD_QUALITY_MEDIUM);
    const char *name = strrchr(path, '/');
    compare(name != NULL ? name + 1 : path, bvh, scene, rays, false);
    compare(name != NULL ? name + 1 : path, bvh, scene, rays, true);
    rtcReleaseScene(scene);
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
