/* steam_audio.c: the four callbacks through which Steam Audio asks a ray tracer of the program's
 * own (a scene of IPL_SCENETYPE_CUSTOM), answered by a tree.
 *
 *     steam_audio
 *
 * A program that has Steam Audio includes its phonon.h instead of the types below, which are
 * written from its documentation (version 4) so that this file compiles without it; and gives the
 * callbacks to iplSceneCreate in an IPLSceneSettings, with an acoustic_world as userData.  Nothing
 * is copied: batches are read from Steam Audio's arrays and written to them.
 *
 * Here a loop stands for the simulator.  In a closed room rays bounce on and on, and none gets
 * lost; their mean free path is 4 volume / area, as acoustics has it. */
#include <sightline/sightline.h>

#include <math.h>
#include <stdio.h>

typedef struct IPLVector3 {
    float x, y, z;
} IPLVector3;

typedef struct IPLRay {
    IPLVector3 origin;
    IPLVector3 direction; /* of unit length */
} IPLRay;

typedef struct IPLMaterial {
    float absorption[3], scattering, transmission[3];
} IPLMaterial;

typedef struct IPLHit {
    float distance; /* infinite where nothing is hit */
    int32_t triangleIndex, objectIndex, materialIndex;
    IPLVector3 normal;
    IPLMaterial *material;
} IPLHit;

/* What userData points to: a tree over triangles, or over instances of such trees. */
typedef struct acoustic_world {
    const sl_bvh *bvh;
    IPLMaterial *materials;
    const int32_t *material_of; /* of each triangle of a mesh; of instances, one for each of them */
    bool by_instance;
} acoustic_world;

/* Rays and their limits where they lie. */
static sl_rays rays_at(const IPLRay *rays, const float *least, const float *most, size_t count)
{
    return (sl_rays){ .origin = { &rays->origin },
                      .dir = { &rays->direction },
                      .origin_stride = sizeof *rays,
                      .dir_stride = sizeof *rays,
                      .tmin = least,
                      .tmax = most,
                      .count = count };
}

/* What the tree has not written: the normal, the material, and the distance of a miss.  A ray
 * whose limits leave nothing between them is to be ignored. */
static void finish_hit(const acoustic_world *world, float least, float most, IPLHit *hit)
{
    const sl_triangle_ref is = { (uint32_t)hit->objectIndex, (uint32_t)hit->triangleIndex };
    sl_surface surface;
    hit->materialIndex = -1;
    if (is.prim == SL_NONE || most <= least ||
        !sl_bvh_surface(world->bvh, is, 0.25f, 0.25f, SL_FLOAT, &surface)) {
        hit->distance = INFINITY;
        hit->triangleIndex = hit->objectIndex = -1;
        return;
    }
    hit->materialIndex = world->material_of[world->by_instance ? is.instance : is.prim];
    hit->material = &world->materials[hit->materialIndex];
    hit->normal = (IPLVector3){ (float)surface.normal[0], (float)surface.normal[1],
                                (float)surface.normal[2] };
}

static void batched_closest_hit(int32_t count, const IPLRay *rays, const float *least,
                                const float *most, IPLHit *hits, void *user)
{
    const acoustic_world *world = user;
    const sl_hits to = { .t = &hits->distance,
                         .prim = (uint32_t *)&hits->triangleIndex, /* SL_NONE is -1 */
                         .instance = (uint32_t *)&hits->objectIndex,
                         .stride = sizeof *hits };
    sl_bvh_closest_many(world->bvh, rays_at(rays, least, most, (size_t)count), NULL, to, NULL,
                        NULL);
    for (int32_t i = 0; i < count; i++) {
        finish_hit(world, least[i], most[i], &hits[i]);
    }
}

static void batched_any_hit(int32_t count, const IPLRay *rays, const float *least,
                            const float *most, uint8_t *occluded, void *user)
{
    const acoustic_world *world = user;
    sl_bvh_any_many(world->bvh, rays_at(rays, least, most, (size_t)count), NULL, occluded, NULL,
                    NULL, NULL);
    for (int32_t i = 0; i < count; i++) {
        occluded[i] |= most[i] <= least[i]; /* as is documented */
    }
}

static void closest_hit(const IPLRay *ray, float least, float most, IPLHit *hit, void *user)
{
    batched_closest_hit(1, ray, &least, &most, hit, user);
}

static void any_hit(const IPLRay *ray, float least, float most, uint8_t *occluded, void *user)
{
    batched_any_hit(1, ray, &least, &most, occluded, user);
}

/* ---- What stands for the simulator ---- */

enum { RAYS = 1000, BOUNCES = 200 };

static float random_in(uint32_t *state, float from, float to)
{
    *state = *state * 1664525u + 1013904223u;
    return from + (to - from) * (float)(*state >> 8) / 16777216.0f;
}

static IPLVector3 unit(IPLVector3 v)
{
    const float length = sqrtf(v.x * v.x + v.y * v.y + v.z * v.z);
    return (IPLVector3){ v.x / length, v.y / length, v.z / length };
}

static IPLVector3 random_unit(uint32_t *state)
{
    for (;;) {
        const IPLVector3 v = { random_in(state, -1, 1), random_in(state, -1, 1),
                               random_in(state, -1, 1) };
        const float square = v.x * v.x + v.y * v.y + v.z * v.z;
        if (square <= 1 && square > 0.01f) {
            return unit(v);
        }
    }
}

/* Diffusely, from a little in front of the wall. */
static void reflect(IPLRay *ray, const IPLHit *hit, uint32_t *state)
{
    const IPLVector3 n = hit->normal, d = ray->direction, r = random_unit(state);
    const float on = hit->distance, off = 1e-4f;
    ray->origin =
        (IPLVector3){ ray->origin.x + on * d.x + off * n.x, ray->origin.y + on * d.y + off * n.y,
                      ray->origin.z + on * d.z + off * n.z };
    ray->direction = unit((IPLVector3){ n.x + r.x, n.y + r.y, n.z + r.z });
}

static void simulate(acoustic_world *world)
{
    static IPLRay rays[RAYS];
    static IPLHit hits[RAYS];
    static float least[RAYS], most[RAYS];
    uint32_t state = 1;
    double length = 0;
    int lost = 0;
    for (int i = 0; i < RAYS; i++) {
        rays[i] = (IPLRay){ { 2, 1, 1 }, random_unit(&state) };
        most[i] = INFINITY;
    }
    for (int bounce = 0; bounce < BOUNCES; bounce++) {
        batched_closest_hit(RAYS, rays, least, most, hits, world);
        for (int i = 0; i < RAYS; i++) {
            if (isinf(hits[i].distance)) {
                lost++;
                continue;
            }
            length += bounce > 0 ? (double)hits[i].distance : 0; /* the first ones are no paths */
            reflect(&rays[i], &hits[i], &state);
        }
    }
    printf("%d rays, %d bounces: %d lost, mean free path %.2f, 4 V / S is %.2f\n", RAYS, BOUNCES,
           lost, length / (double)(RAYS * (BOUNCES - 1)), 4 * 6 * 4 * 3 / (2.0 * (24 + 18 + 12)));
}

static void ask_one(acoustic_world *world)
{
    const IPLRay down = { { 1, 1, 2 }, { 0, 0, -1 } }, aside = { { 2, 1, 1.5f }, { 1, 0, 0 } };
    IPLHit hit;
    uint8_t occluded[3];
    closest_hit(&down, 0, INFINITY, &hit, world);
    printf("down: %.1f, normal %.0f %.0f %.0f, material %d absorbs %.2f\n", (double)hit.distance,
           (double)hit.normal.x, (double)hit.normal.y, (double)hit.normal.z, hit.materialIndex,
           (double)hit.material->absorption[0]);
    closest_hit(&down, 0, 1, &hit, world);
    printf("down, but 1 at most: %f, triangle %d\n", (double)hit.distance, hit.triangleIndex);
    any_hit(&aside, 0, 3.9f, &occluded[0], world);
    any_hit(&aside, 0, 4, &occluded[1], world); /* the wall is at 4 */
    any_hit(&aside, 1, 1, &occluded[2], world);
    printf("aside, up to 3.9, to 4, and not at all: %d %d %d\n", occluded[0], occluded[1],
           occluded[2]);
}

int main(void)
{
    /* A room of 6 x 4 x 3, whose fronts look inwards; the floor is of another material. */
    static const float xyz[8][3] = { { 0, 0, 0 }, { 6, 0, 0 }, { 6, 4, 0 }, { 0, 4, 0 },
                                     { 0, 0, 3 }, { 6, 0, 3 }, { 6, 4, 3 }, { 0, 4, 3 } };
    static const uint32_t walls[12][3] = { { 0, 1, 2 }, { 0, 2, 3 }, { 4, 6, 5 }, { 4, 7, 6 },
                                           { 0, 5, 1 }, { 0, 4, 5 }, { 1, 6, 2 }, { 1, 5, 6 },
                                           { 2, 7, 3 }, { 2, 6, 7 }, { 3, 4, 0 }, { 3, 7, 4 } };
    static const int32_t material_of[12] = { 1, 1 };
    IPLMaterial materials[2] = { { .absorption = { 0.1f } }, { .absorption = { 0.4f } } };
    sl_error error;
    sl_mesh *mesh = NULL;
    sl_bvh *bvh = NULL;
    if (sl_mesh_from_arrays(xyz[0], 8, walls[0], 12, NULL, &mesh, &error) != SL_OK ||
        sl_bvh_build(mesh, NULL, &bvh, &error) != SL_OK) {
        fprintf(stderr, "%s\n", error.message);
        sl_mesh_destroy(mesh);
        return 1;
    }
    acoustic_world world = { .bvh = bvh, .materials = materials, .material_of = material_of };
    ask_one(&world);
    simulate(&world);
    sl_bvh_destroy(bvh);
    sl_mesh_destroy(mesh);
    return 0;
}
