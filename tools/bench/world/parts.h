/* bench/world/parts.h: the rows of a world, for bench --scene. */
#ifndef TOOLS_BENCH_WORLD_PARTS_H
#define TOOLS_BENCH_WORLD_PARTS_H

#include "tools/bench/bench.h"
#include "tools/bench/world/world.h"

/* A world as it is in frame 0. */
typedef struct bench_room {
    bench_job *job;
    bench_scene *s; /* the mesh and its tree; its source is the world, its peer the peer's */
    const bench_world *world;
    sl_scene *scene;
    float (*places)[12];
    const char *kernel; /* of the scene */
} bench_room;

/* Whether a part has rows about worlds, and whether it has them about meshes. */
bool bench_part_is_of_worlds(int part);
bool bench_part_is_of_meshes(int part);

/* Measures what is wanted in a world of instances of s->in's tree.  EXIT_DONE or the status of a
 * reported error. */
int bench_world_run(bench_job *job, bench_scene *s, const bool wanted[PART_COUNT]);

/* A scene of the instances of a world as it is in frame 0, and what sets of rays in it are made
 * from: they begin and end in the cube of the centres.  EXIT_DONE or the status of a reported
 * error. */
int bench_world_open(const bench_scene *s, const bench_world *world, float (*places)[12],
                     uint64_t seed, sl_scene **scene, bench_source *source);

/* The two last versions of a scene; zeros at first. */
typedef struct bench_versions {
    sl_scene *now, *before;
} bench_versions;

/* Builds the version of the next frame.  EXIT_DONE or the status of a reported error. */
int bench_next_version(bench_versions *versions, const sl_instance *instances, size_t count,
                       const sl_tasks *tasks);
void bench_versions_free(bench_versions *versions);

/* The parts.  The first two open devices of the peer's, and need to be alone. */
int bench_commit_rows(bench_room *room);
int bench_frame_rows(bench_room *room);
int bench_flat_rows(bench_room *room);
int bench_double_rows(bench_room *room);

#endif
