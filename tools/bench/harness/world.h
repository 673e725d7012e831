/* bench/harness/world.h: worlds of moving copies of a mesh, and scenes that follow them. */
#pragma once

#include "tools/bench/harness/random.h"

#include <sightline/instances.h>

/* How close together: boxes of instances that a line through the whole world meets, about 4, 1.5
 * and 13. */
typedef enum bench_density { DENSITY_TOUCHING, DENSITY_SPARSE, DENSITY_PILED } bench_density;

extern const char *const bench_density_words[]; /* as --density has them; ends with NULL */

/* A copy of the mesh, which turns and drifts. */
typedef struct bench_body {
    double centre[3], velocity[3]; /* of the middle of the mesh's box; in each frame */
    double turn[4], spin[4];       /* quaternions x y z w; spin is added in each frame */
    double scale;
} bench_body;

typedef struct bench_world {
    bench_body *bodies;
    size_t count;
    double middle[3]; /* of the mesh's box */
    double side;      /* of the cube in which the centres begin */
    bench_density density;
} bench_world;

/* A function of box, count, density and seed alone.  False: out of memory. */
bool bench_world_make(const sl_aabb *box, size_t count, bench_density density, uint64_t seed,
                      bench_world *out);
void bench_world_free(bench_world *world); /* a zeroed one is fine */

/* Where the bodies are in a frame, or between two: three rows of four floats, which take the mesh
 * into the world; the same numbers for us and the peer. */
void bench_world_places(const bench_world *world, double frame, float (*places)[12]);

/* What a caller does each frame: places into instances of a tree. */
void bench_world_instances(const sl_bvh *bvh, const float (*places)[12], size_t count,
                           sl_instance *instances);

/* A scene as users are told to keep it (docs/scenes.md): two versions that take turns, each in the
 * memory of the one before the last.  Zeros at first. */
typedef struct bench_versions {
    sl_bvh *now, *before;
} bench_versions;

/* Builds the version of the next frame.  SL_OK, or error (may be NULL) says why not. */
sl_result bench_next_version(bench_versions *versions, const sl_instance *instances, size_t count,
                             const sl_tasks *tasks, sl_error *error);
void bench_versions_free(bench_versions *versions);
