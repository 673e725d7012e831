/* bench/job/job.h: what the parts of the bench subcommand share. */
#pragma once

#include "tools/bench/harness/world.h"
#include "tools/bench/peer/peer.h"
#include "tools/bench/report/report.h"
#include "tools/bench/report/resume.h"
#include "tools/input/mesh.h"

typedef struct bench_options {
    const char *sets, *out, *resume;
    uint64_t rays, rounds, seed, grow, instances;
    bool csv, summary, needles, scene, jobs;
    int against; /* 1: Embree */
    int density; /* of worlds: a bench_density */
    mesh_options mesh;
    common_options common;
} bench_options;

/* What --sets chooses from: the sets of rays, then groups of other rows. */
typedef enum bench_part {
    PART_BUILD = SET_COUNT, /* times and bytes of building */
    PART_SINGLE,            /* one ray a call */
    PART_BATCH,             /* few rays a call */
    PART_FAR,               /* far from the origin */
    PART_OPTIONS,           /* masks and skipped triangles for each ray */
    PART_INVALID,           /* rays that are not valid */
    PART_THREADS,           /* two threads */
    PART_COMMIT,            /* worlds: the tree over instances that have moved */
    PART_FRAME,             /* worlds: lines of sight of a whole frame, that tree included */
    PART_FLAT,              /* worlds: against one tree over all triangles */
    PART_DOUBLE,            /* worlds and jobs: rays in doubles */
    PART_ENDS,              /* jobs: lines that end on the surface */
    PART_CAMERA,            /* jobs: pictures */
    PART_ALL,               /* jobs: all hits of a ray */
    PART_WORLD,             /* jobs: a world of instances */
    PART_COUNT
} bench_part;

extern const char *const bench_part_names[PART_COUNT + 1]; /* ends with NULL */

/* What the rows of a scene are about. */
typedef enum bench_stage {
    STAGE_MESH,
    STAGE_WORLD, /* --scene */
    STAGE_JOBS,  /* --jobs: of the mesh, of a world of its instances, of a game's own world */
    STAGE_JOBS_WORLD,
    STAGE_JOBS_GAME,
    STAGE_COUNT
} bench_stage;

/* The process from which builds in processes of their own start (cold.c); zeroed: there is none. */
typedef struct bench_cold {
    long process;
    int requests, answers; /* ends of pipes */
} bench_cold;

typedef struct bench_job {
    const invocation *call;
    const bench_options *options;
    bool wanted[PART_COUNT];
    bench_stage stage; /* the present one */
    bench_report report;
    bench_resume resume;
    bench_cold cold;
} bench_job;

typedef enum bench_kind {
    BENCH_MESH,
    BENCH_OWN_LATTICE,
    BENCH_OWN_NEEDLES,
    BENCH_OWN_TORUS,
    BENCH_OWN_GAME
} bench_kind;

/* Where a mesh comes from. */
typedef struct bench_place {
    bench_kind kind;
    size_t index; /* of the MESH on the command line; triangles of a torus or a game's object */
} bench_place;

/* One mesh, ours and the peer's trees over it; of a world of instances of it, theirs are
 * over that. */
typedef struct bench_scene {
    bench_place place;
    char name[64];
    mesh_in in;
    bench_source source;
    bench_peer *peer;    /* NULL: none */
    unsigned trees;      /* bits 1 << peer_tree: those of the peer's that are there */
    bench_rays shuffled; /* SET_DIFFSHUF, for the rows beside the sets; maybe not yet made */
    bench_world world;   /* as it is in frame 0; without bodies: the mesh itself is measured */
    sl_bvh *scene;       /* of it; NULL: none */
    float (*places)[12]; /* of its bodies */
    const char *kernel;  /* of the tree or the scene */
} bench_scene;

/* The mesh and what the tree is to be, but no tree yet.  EXIT_DONE or the status of a reported
 * error; close the scene either way. */
int bench_scene_load(const bench_job *job, const bench_place *place, bench_scene *s);

void bench_scene_close(bench_scene *s);

/* How a tree is built as the scene's own is, but for its tasks. */
sl_build_def bench_build_def(const bench_scene *s);

/* Of its world alone; one that was never made is fine. */
void bench_world_close(bench_scene *s);

/* A row without its figures. */
bench_row bench_scene_row(const bench_job *job, const bench_scene *s, const char *name,
                          const char *unit);

/* Reports a row and appends it to the file of --resume; a row that the file has is reported from
 * it. */
int bench_job_add(bench_job *job, const bench_row *row);
