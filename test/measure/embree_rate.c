/* embree_rate: rays per second of one thread, ours next to Embree's.
 *
 *     embree_rate [-s SET] [-q] [-H] MESH ...
 *
 * Sets of rays: ray_sets.h; -s takes one.  Our batch calls (and, with -q, single calls) against
 * Embree's: one ray, 8 rays coherent, 16 rays incoherent; MEDIUM quality, or HIGH with -H. Embree's
 * arrays are filled beforehand, in its own format.  Interleaved rounds in this one process,
 * processor time of this thread, the least of each.  Differences in answers are counted: Embree
 * decides in floats. */
#include "test/measure/peer.h"
#include "test/measure/ray_sets.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { RAYS = 65536, ROUNDS = 7, PACKETS = RAYS / 8 };

/* Whose turn it is. */
typedef enum side { OURS, OURS_SINGLE, EMBREE_1, EMBREE_8, EMBREE_16, SIDES } side;

typedef struct course {
    const ray_set *set;
    const sl_bvh *bvh;
    RTCScene scene;
    sl_hit *hits;
    uint8_t *any;
    struct RTCRayHit *one;
    struct RTCRayHit8 *eight;
    struct RTCRayHit16 *sixteen;
} course;

static double totals[SET_KINDS][2]; /* logarithms of ratios: batches, single calls */

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
    rh.hit.primID = RTC_INVALID_GEOMETRY_ID;
    return rh;
}

/* Field i of ray lane of a packet is at i * width + lane. */
static void into_packet(float *packet, int width, int lane, const struct RTCRayHit *rh)
{
    float fields[sizeof *rh / sizeof(float)];
    memcpy(fields, rh, sizeof fields);
    for (int i = 0; i < 20; i++) { /* 12 of the ray, 8 of the hit; 4 more only pad */
        memcpy(&packet[i * width + lane], &fields[i], sizeof(float));
    }
}

static void fill(const course *c)
{
    for (int i = 0; i < RAYS; i++) {
        c->one[i] = embree_ray(&c->set->rays[i]);
        into_packet((float *)&c->eight[i / 8], 8, i % 8, &c->one[i]);
        into_packet((float *)&c->sixteen[i / 16], 16, i % 16, &c->one[i]);
    }
}

static void ours(const course *c)
{
    if (c->set->segments) {
        sl_bvh_blocked_many(c->bvh, c->set->segment, RAYS, NULL, c->any, NULL, NULL);
    } else if (c->set->any) {
        sl_bvh_any_many(c->bvh, c->set->rays, RAYS, NULL, c->any, NULL);
    } else {
        sl_bvh_closest_many(c->bvh, c->set->rays, RAYS, NULL, c->hits, NULL);
    }
}

static void ours_single(const course *c)
{
    for (int i = 0; i < RAYS; i++) {
        if (c->set->segments) {
            c->any[i] = sl_bvh_blocked(c->bvh, &c->set->segment[i], NULL, NULL);
        } else if (c->set->any) {
            c->any[i] = sl_bvh_any(c->bvh, &c->set->rays[i], NULL);
        } else {
            (void)sl_bvh_closest(c->bvh, &c->set->rays[i], NULL, &c->hits[i]);
        }
    }
}

static void theirs(const course *c, side whose)
{
    static const int all[16] = { -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1 };
    struct RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    context.flags = whose == EMBREE_8 ? RTC_INTERSECT_CONTEXT_FLAG_COHERENT
                                      : RTC_INTERSECT_CONTEXT_FLAG_INCOHERENT;
    for (int i = 0; i < (whose == EMBREE_1   ? RAYS
                         : whose == EMBREE_8 ? RAYS / 8
                                             : RAYS / 16);
         i++) {
        switch (2 * (whose - EMBREE_1) + c->set->any) {
        case 0:
            rtcIntersect1(c->scene, &context, &c->one[i]);
            break;
        case 1:
            rtcOccluded1(c->scene, &context, &c->one[i].ray);
            break;
        case 2:
            rtcIntersect8(all, c->scene, &context, &c->eight[i]);
            break;
        case 3:
            rtcOccluded8(all, c->scene, &context, &c->eight[i].ray);
            break;
        case 4:
            rtcIntersect16(all, c->scene, &context, &c->sixteen[i]);
            break;
        default:
            rtcOccluded16(all, c->scene, &context, &c->sixteen[i].ray);
            break;
        }
    }
}

static double run(const course *c, side whose)
{
    fill(c);
    const double start = peer_seconds();
    if (whose == OURS) {
        ours(c);
    } else if (whose == OURS_SINGLE) {
        ours_single(c);
    } else {
        theirs(c, whose);
    }
    return peer_seconds() - start;
}

/* Answers of ours that differ from those of rtcIntersect1 or rtcOccluded1. */
static int differences(const course *c)
{
    int different = 0;
    for (int i = 0; i < RAYS; i++) {
        different += c->set->any ? c->any[i] != (c->one[i].ray.tfar < 0)
                                 : c->hits[i].prim != c->one[i].hit.primID;
    }
    return different;
}

static void compare(const char *name, set_kind kind, const course *c, bool single)
{
    double least[SIDES] = { INFINITY, INFINITY, INFINITY, INFINITY, INFINITY };
    int different = 0;
    for (int round = 0; round < ROUNDS; round++) {
        for (int whose = 0; whose < SIDES; whose++) {
            if (whose != OURS_SINGLE || single) {
                const double time = run(c, (side)whose);
                least[whose] = fmin(least[whose], time);
            }
            if (whose == EMBREE_1 && round == 0) {
                different = differences(c);
            }
        }
    }
    const double best = fmin(least[EMBREE_1], fmin(least[EMBREE_8], least[EMBREE_16]));
    const double scale = 1e-6 * RAYS;
    printf("%-12.12s %-8s ours %6.2f  Embree 1 %6.2f  8 %6.2f  16 %6.2f M/s  ours/best %5.2f", name,
           c->set->name, scale / least[OURS], scale / least[EMBREE_1], scale / least[EMBREE_8],
           scale / least[EMBREE_16], best / least[OURS]);
    if (single) {
        printf("  single %6.2f, to 1 %5.2f", scale / least[OURS_SINGLE],
               least[EMBREE_1] / least[OURS_SINGLE]);
    }
    printf("  %d differ\n", different);
    fflush(stdout);
    totals[kind][0] += log(best / least[OURS]);
    totals[kind][1] += log(least[EMBREE_1] / least[OURS_SINGLE]);
}

static int measure(RTCDevice device, const char *path, const char *only, bool single,
                   enum RTCBuildQuality quality)
{
    sl_mesh *mesh = NULL;
    course c = { .bvh = NULL };
    sl_bvh *bvh = NULL;
    sl_error error;
    if (sl_mesh_load(path, NULL, &mesh, &error) != SL_OK ||
        sl_bvh_build(mesh, NULL, &bvh, &error) != SL_OK) {
        fprintf(stderr, "%s: %s\n", path, error.message);
        sl_mesh_destroy(mesh);
        return 1;
    }
    const char *name = strrchr(path, '/') != NULL ? strrchr(path, '/') + 1 : path;
    c.bvh = bvh;
    c.scene = peer_scene(device, mesh, quality);
    c.hits = calloc(RAYS, sizeof *c.hits);
    c.any = calloc(RAYS, 1);
    c.one = aligned_alloc(64, RAYS * sizeof *c.one);
    c.eight = aligned_alloc(64, RAYS / 8 * sizeof *c.eight);
    c.sixteen = aligned_alloc(64, RAYS / 16 * sizeof *c.sixteen);
    for (int kind = 0; kind < SET_KINDS; kind++) {
        ray_set set = ray_set_make((set_kind)kind, mesh, bvh, RAYS);
        c.set = &set;
        if (only == NULL || strcmp(only, set.name) == 0) {
            compare(name, (set_kind)kind, &c, single);
        }
        ray_set_free(&set);
    }
    free(c.hits);
    free(c.any);
    free(c.one);
    free(c.eight);
    free(c.sixteen);
    rtcReleaseScene(c.scene);
    sl_bvh_destroy(bvh);
    sl_mesh_destroy(mesh);
    return 0;
}

int main(int argc, char **argv)
{
    const char *only = NULL;
    bool single = false;
    enum RTCBuildQuality quality = RTC_BUILD_QUALITY_MEDIUM;
    for (int option; (option = getopt(argc, argv, "s:qH")) != -1;) {
        only = option == 's' ? optarg : only;
        single |= option == 'q';
        quality = option == 'H' ? RTC_BUILD_QUALITY_HIGH : quality;
        if (option == '?') {
            return 2;
        }
    }
    RTCDevice device = rtcNewDevice("threads=1");
    int failed = 0;
    for (int i = optind; i < argc; i++) {
        failed |= measure(device, argv[i], only, single, quality);
    }
    for (int kind = 0; kind < SET_KINDS && argc > optind; kind++) {
        const double meshes = argc - optind;
        printf("geometric mean, set %d: %5.2f", kind, exp(totals[kind][0] / meshes));
        printf(single ? ", single %5.2f\n" : "\n", exp(totals[kind][1] / meshes));
    }
    rtcReleaseDevice(device);
    return failed;
}
