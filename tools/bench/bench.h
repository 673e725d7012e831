/* bench.h: what the parts of the bench subcommand share. */
#ifndef TOOLS_BENCH_H
#define TOOLS_BENCH_H

#include "tools/bench/peer.h"
#include "tools/bench/report.h"
#include "tools/bench/resume.h"
#include "tools/bench/sets.h"
#include "tools/input/mesh.h"

typedef struct bench_options {
    const char *sets, *out, *resume;
    uint64_t rays, rounds, seed, grow;
    bool csv, needles;
    int against; /* 1: Embree */
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
    PART_COUNT
} bench_part;

extern const char *const bench_part_names[PART_COUNT + 1]; /* ends with NULL */

typedef struct bench_job {
    const invocation *call;
    const bench_options *options;
    bool wanted[PART_COUNT];
    bench_report report;
    bench_resume resume;
} bench_job;

/* One mesh, ours and the peer's trees over it. */
typedef struct bench_scene {
    char name[64];
    mesh_in in;
    bench_source source;
    bench_peer *peer;    /* NULL: none */
    unsigned trees;      /* bits 1 << peer_tree: those of the peer's that are there */
    bench_rays shuffled; /* SET_DIFFSHUF, for the rows beside the sets; maybe not yet made */
} bench_scene;

/* Measures what is wanted, once s->name and s->in are there.  EXIT_DONE or the status of a reported
 * error; close the scene either way. */
int bench_scene_run(bench_job *job, bench_scene *s, const bool wanted[PART_COUNT]);
void bench_scene_close(bench_scene *s);

/* A row without its figures. */
bench_row bench_scene_row(const bench_job *job, const bench_scene *s, const char *name,
                          const char *unit);

/* Reports a row and appends it to the file of --resume; a row that the file has is reported from
 * it. */
int bench_job_add(bench_job *job, const bench_row *row);

/* The parts. */
int bench_build_rows(bench_job *job, bench_scene *s);
int bench_single_rows(bench_job *job, bench_scene *s);
int bench_batch_rows(bench_job *job, bench_scene *s);
int bench_far_rows(bench_job *job, bench_scene *s);
int bench_options_rows(bench_job *job, bench_scene *s);
int bench_invalid_rows(bench_job *job, bench_scene *s);
int bench_threads_rows(bench_job *job, bench_scene *s);

/* Meshes of our own.  SL_OK, or error says why not. */
sl_result bench_lattice_mesh(sl_mesh **out, sl_error *error);
sl_result bench_needles_mesh(sl_mesh **out, sl_error *error); /* 30,424 triangles */
sl_result bench_torus_mesh(size_t triangle_count, sl_mesh **out, sl_error *error);

#endif
