/* bench.h: what the parts of the bench subcommand share. */
#ifndef TOOLS_BENCH_H
#define TOOLS_BENCH_H

#include "tools/bench/input/sets.h"
#include "tools/bench/peer/peer.h"
#include "tools/bench/report/report.h"
#include "tools/bench/report/resume.h"
#include "tools/input/mesh.h"

typedef struct bench_options {
    const char *sets, *out, *resume;
    uint64_t rays, rounds, seed, grow, instances;
    bool csv, summary, needles, scene;
    int against; /* 1: Embree */
    int density; /* of --scene: a bench_density */
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
    PART_DOUBLE,            /* worlds: rays in doubles */
    PART_COUNT
} bench_part;

extern const char *const bench_part_names[PART_COUNT + 1]; /* ends with NULL */

/* The process from which builds in processes of their own start (cold.c); zeroed: there is none. */
typedef struct bench_cold {
    long process;
    int requests, answers; /* ends of pipes */
} bench_cold;

typedef struct bench_job {
    const invocation *call;
    const bench_options *options;
    bool wanted[PART_COUNT];
    bench_report report;
    bench_resume resume;
    bench_cold cold;
} bench_job;

typedef enum bench_kind {
    BENCH_MESH,
    BENCH_OWN_LATTICE,
    BENCH_OWN_NEEDLES,
    BENCH_OWN_TORUS
} bench_kind;

/* Where a mesh comes from. */
typedef struct bench_place {
    bench_kind kind;
    size_t index; /* of the MESH on the command line; triangles of a torus */
} bench_place;

/* One mesh, ours and the peer's trees over it. */
typedef struct bench_scene {
    bench_place place;
    char name[64];
    mesh_in in;
    bench_source source;
    bench_peer *peer;    /* NULL: none */
    unsigned trees;      /* bits 1 << peer_tree: those of the peer's that are there */
    bench_rays shuffled; /* SET_DIFFSHUF, for the rows beside the sets; maybe not yet made */
    size_t instances;    /* of the mesh, in a world; 0: the mesh itself */
} bench_scene;

/* The mesh and what the tree is to be, but no tree yet.  EXIT_DONE or the status of a reported
 * error; close the scene either way. */
int bench_scene_load(const bench_job *job, const bench_place *place, bench_scene *s);

/* Measures what is wanted, once s->in has its tree.  EXIT_DONE or the status of a reported
 * error. */
int bench_scene_run(bench_job *job, bench_scene *s, const bool wanted[PART_COUNT]);
void bench_scene_close(bench_scene *s);

/* A row without its figures. */
bench_row bench_scene_row(const bench_job *job, const bench_scene *s, const char *name,
                          const char *unit);

/* Reports a row and appends it to the file of --resume; a row that the file has is reported from
 * it. */
int bench_job_add(bench_job *job, const bench_row *row);

/* Whether the file of --resume has all of a part's rows, whose names end with NULL, but for those
 * of the bits 1 << index in optional. */
bool bench_rows_are_known(const bench_job *job, const bench_scene *s, const char *const *rows,
                          unsigned optional);

/* Reports those rows that the file has. */
int bench_rows_report(bench_job *job, const bench_scene *s, const char *const *rows);

/* The parts. */
int bench_build_rows(bench_job *job, bench_scene *s);
int bench_single_rows(bench_job *job, bench_scene *s);
int bench_batch_rows(bench_job *job, bench_scene *s);
int bench_far_rows(bench_job *job, bench_scene *s);
int bench_options_rows(bench_job *job, bench_scene *s);
int bench_invalid_rows(bench_job *job, bench_scene *s);
int bench_threads_rows(bench_job *job, bench_scene *s);

/* One build on one thread, and none other: seconds of the program's processor time.  EXIT_DONE or
 * the status of a reported error. */
int bench_build_ours(const bench_scene *s, double *seconds);
int bench_build_theirs(const bench_scene *s, const char *kernel, double *seconds);

/* Starts a process beside this one, before the program has threads or has built anything: where the
 * system can, else job->cold stays zeroed. */
int bench_cold_open(bench_job *job);
void bench_cold_close(bench_cold *cold); /* a zeroed one is fine */

/* Seconds that a build takes as the first thing that a process does once it has the mesh.  kernel
 * NULL: ours; else the peer's beside that kernel.  NAN: it cannot be told. */
double bench_cold_seconds(const bench_cold *cold, const bench_place *place, const char *kernel);

#endif
