/* bench/run.c: measures all wanted rows of one mesh, or of a world of its instances, for bench. */
#include "tools/bench/run.h"

#include "tools/bench/job/comparison.h"
#include "tools/bench/jobs/jobs.h"
#include "tools/bench/mesh/rows.h"
#include "tools/bench/world/rows.h"
#include "tools/cli/report.h"

#include <sightline/closest.h>

#include <math.h>
#include <string.h>

/* The rows of each part; if the file of --resume has all of them, it is not measured.  A set of a
 * mesh has one row of its own name, a set of a world also one for the instances that a ray enters.
 * Some are not always there: held with a peer only, buildcold where it can be told. */
enum { PART_ROWS_MAX = 13 };
typedef struct part_rows {
    int (*run)(bench_job *job, bench_scene *s); /* NULL: a set */
    const char *rows[PART_ROWS_MAX];            /* ends with NULL */
    unsigned optional;                          /* bits 1 << index in rows */
    unsigned trees;                             /* bits 1 << peer_tree that it is compared with */
} part_rows;

enum {
    PLAIN_TREES = 1 << PEER_MEDIUM | 1 << PEER_HIGH,
    MESH_TREES = PLAIN_TREES | 1 << PEER_ROBUST_MEDIUM | 1 << PEER_ROBUST_HIGH,
    WORLD_TREES = PLAIN_TREES | 1 << PEER_ROBUST_MEDIUM
};

/* Jobs have others beside them, each a row of a table (jobs/jobs.h). */
static const part_rows parts[STAGE_COUNT][PART_COUNT] = {
    [STAGE_MESH] = { [PART_BUILD] = { .run = bench_build_rows,
                                      .rows = { "buildcold", "build1", "build2", "bytes", "held",
                                                "peak" },
                                      .optional = 1u << 0 | 1u << 4 },
                     [PART_SINGLE] = { .run = bench_single_rows,
                                       .rows = { "closest1", "any1" },
                                       .trees = MESH_TREES },
                     [PART_BATCH] = { .run = bench_batch_rows,
                                      .rows = { "primary.8", "primary.64", "diffshuf.8",
                                                "diffshuf.64", "diffany.8", "diffany.64", "ao.8",
                                                "ao.64", "random.8", "random.64", "losbox.8",
                                                "losbox.64" },
                                      .trees = MESH_TREES },
                     [PART_FAR] = { .run = bench_far_rows,
                                    .rows = { "far.primary", "far.diffshuf", "far.diffany",
                                              "far.losbox", "far.ptnear", "far.closest1",
                                              "far.any1" } },
                     [PART_OPTIONS] = { .run = bench_options_rows, .rows = { "options" } },
                     [PART_INVALID] = { .run = bench_invalid_rows,
                                        .rows = { "invalid1", "invalid100" } },
                     [PART_THREADS] = { .run = bench_threads_rows, .rows = { "threads2" } } },
    [STAGE_WORLD] = { [PART_COMMIT] = { .run = bench_commit_rows,
                                        .rows = { "commit1", "move1", "commit2" } },
                      [PART_FRAME] = { .run = bench_frame_rows,
                                       .rows = { "frame1", "hinted1", "frame2", "hinted2" } },
                      [PART_FLAT] = { .run = bench_flat_rows,
                                      .rows = { "flat.diffshuf", "flat.diffany", "flat.random",
                                                "flat.losbox" } },
                      [PART_DOUBLE] = { .run = bench_double_rows,
                                        .rows = { "double.random", "double.any", "double.los" } },
                      [PART_THREADS] = { .run = bench_world_threads_rows,
                                         .rows = { "diffshuf.t2", "losbox.t2" },
                                         .trees = WORLD_TREES } },
    [STAGE_JOBS] = { [PART_BUILD] = { .run = bench_qualities_rows,
                                      .rows = { "tree.fast", "tree.default", "tree.high",
                                                "tree.cost" } } },
    [STAGE_JOBS_GAME] = { [PART_FRAME] = { .run = bench_game_rows,
                                           .rows = { "frame.many", "frame.one", "frame.hinted",
                                                     "frame.static", "static.one",
                                                     "frame.next" } } },
};

/* The sets of worlds. */
static const char *const entered[SET_COUNT] = {
    [SET_PRIMARY] = "in.primary",   [SET_DIFFUSE] = "in.diffuse", [SET_DIFFSHUF] = "in.diffshuf",
    [SET_DIFFANY] = "in.diffany",   [SET_RANDOM] = "in.random",   [SET_LOSBOX] = "in.losbox",
    [SET_LOSCLOSE] = "in.losclose",
};

/* Without rows where they are not about what is measured.  Points need no robust trees. */
static part_rows rows_of(bench_stage stage, int part)
{
    const bool world = stage == STAGE_WORLD || stage == STAGE_JOBS_WORLD;
    part_rows p = parts[stage][part];
    if (stage >= STAGE_JOBS && p.run == NULL) {
        const bool beside = bench_jobs_names(stage, (bench_part)part, PART_ROWS_MAX - 1, p.rows);
        p.trees = beside ? (world ? WORLD_TREES : MESH_TREES) : 0;
    }
    if (stage >= STAGE_JOBS || part >= SET_COUNT) {
        return p;
    }
    if (world ? entered[part] != NULL : part != SET_LOSCLOSE) {
        p.rows[0] = bench_part_names[part];
        p.rows[1] = world ? entered[part] : NULL;
        p.trees = world                                               ? WORLD_TREES
                  : bench_set_query((bench_set)part) == BENCH_NEAREST ? PLAIN_TREES
                                                                      : MESH_TREES;
    }
    return p;
}

static bool is_offered(bench_stage stage, int part)
{
    return rows_of(stage, part).rows[0] != NULL;
}

bool bench_part_is_offered(const bench_job *job, int part)
{
    const bench_options *o = job->options;
    return o->jobs ? is_offered(STAGE_JOBS, part) || is_offered(STAGE_JOBS_WORLD, part) ||
                         is_offered(STAGE_JOBS_GAME, part)
           : o->scene ? is_offered(STAGE_WORLD, part)
                      : is_offered(STAGE_MESH, part);
}

static const bench_row *find_known(const bench_job *job, const bench_scene *s, const char *name)
{
    const bench_row row = bench_scene_row(job, s, name, "");
    return bench_resume_find(&job->resume, &row);
}

static bool is_known(const bench_job *job, const bench_scene *s, int part)
{
    const part_rows p = rows_of(job->stage, part);
    for (int i = 0; p.rows[i] != NULL; i++) {
        if ((p.optional >> i & 1) == 0 && find_known(job, s, p.rows[i]) == NULL) {
            return false;
        }
    }
    return true;
}

/* Reports those rows that the file has. */
static int report_known(bench_job *job, const bench_scene *s, int part)
{
    const part_rows p = rows_of(job->stage, part);
    int status = EXIT_DONE;
    for (int i = 0; p.rows[i] != NULL && status == EXIT_DONE; i++) {
        const bench_row *known = find_known(job, s, p.rows[i]);
        status = known != NULL ? bench_job_add(job, known) : EXIT_DONE;
    }
    return status;
}

static int open_peer(const bench_job *job, bench_scene *s)
{
    const peer_world world = { .mesh = s->in.mesh,
                               .places = (const float(*)[12])s->places,
                               .count = s->world.count };
    s->peer = bench_peer_open(0, s->kernel);
    if (s->peer == NULL) {
        return report_failure(NULL, "Embree cannot be started; leave --against out");
    }
    for (int tree = 0; tree < PEER_TREE_COUNT; tree++) {
        if ((s->trees >> tree & 1) != 0) {
            progress_begin(&s->in.bar, job->options->common.quiet);
            progress_show(&s->in.bar, peer_tree_names[tree], -1);
            if (!(s->scene != NULL
                      ? bench_peer_build_world(s->peer, &world, (peer_tree)tree)
                      : bench_peer_build(s->peer, s->in.mesh, (peer_tree)tree, NULL, NULL))) {
                return report_memory();
            }
            progress_end(&s->in.bar);
        }
    }
    return EXIT_DONE;
}

static int open_mesh(const bench_job *job, bench_scene *s)
{
    sl_mesh_info info;
    sl_bvh_info tree;
    info = sl_mesh_get_info(s->in.mesh);
    tree = sl_bvh_get_info(s->in.bvh);
    s->kernel = tree.kernel;
    s->source =
        (bench_source){ .bounds = info.bounds, .seed = job->options->seed, .tasks = s->in.tasks };
    double square = 0;
    float size[3];
    memcpy(size, sl_aabb_measure(&info.bounds).size, sizeof size);
    for (int axis = 0; axis < 3; axis++) {
        square += (double)size[axis] * (double)size[axis];
    }
    s->source.diagonal = (float)sqrt(square);
    bool empty;
    if (bench_surface_make(&s->source.surface, s->in.mesh, s->in.bvh, &empty)) {
        return EXIT_DONE;
    }
    return empty ? report_input(s->name, 0,
                                "there is no triangle with an area to aim at; name "
                                "another mesh")
                 : report_memory();
}

static int run_set(bench_job *job, bench_scene *s, bench_set set)
{
    static const size_t whole = 0;
    const part_rows p = rows_of(job->stage, (int)set);
    bench_comparison comparison = bench_comparison_of(job, s);
    bench_row row = bench_scene_row(job, s, p.rows[0], "M/s");
    comparison.entered = p.rows[1];
    return bench_set_add(&comparison, set, &whole, &row, 1, job);
}

static int run_part(bench_job *job, bench_scene *s, int part)
{
    const part_rows p = rows_of(job->stage, part);
    const bool shuffled =
        job->stage == STAGE_MESH && part > PART_BUILD; /* what these rows are about */
    int status = EXIT_DONE;
    if (p.trees != 0 && job->options->against != 0 && s->peer == NULL) {
        status = open_peer(job, s);
    }
    progress_begin(&s->in.bar, job->options->common.quiet);
    if (status == EXIT_DONE && shuffled && s->shuffled.rays == NULL &&
        !bench_rays_make(&s->source, SET_DIFFSHUF, (size_t)job->options->rays, &s->shuffled)) {
        status = report_memory();
    } else if (status == EXIT_DONE && p.run == NULL && job->stage >= STAGE_JOBS) {
        status = bench_jobs_run(job, s, (bench_part)part);
    } else if (status == EXIT_DONE && p.run == NULL) {
        status = run_set(job, s, (bench_set)part);
    } else if (status == EXIT_DONE && (!shuffled || s->shuffled.count > 0)) {
        status = p.run(job, s);
    }
    progress_end(&s->in.bar);
    return status;
}

static int open_stage(bench_job *job, bench_scene *s, bench_stage stage)
{
    job->stage = stage;
    bench_peer_close(s->peer);
    bench_surface_free(&s->source.surface);
    s->peer = NULL;
    s->trees = 0;
    return stage == STAGE_MESH || stage == STAGE_JOBS
               ? open_mesh(job, s)
               : bench_world_open(job, s, (size_t)job->options->instances);
}

/* First what needs the peer's devices for itself, since they share their threads. */
static int run_stage(bench_job *job, bench_scene *s, const bool wanted[PART_COUNT],
                     bench_stage stage)
{
    int order[PART_COUNT + 3] = { PART_BUILD, PART_COMMIT, PART_FRAME };
    bool done[PART_COUNT] = { false };
    int status = open_stage(job, s, stage);
    for (int part = 0; part < PART_COUNT && status == EXIT_DONE; part++) {
        order[3 + part] = part;
        done[part] = !wanted[part] || !is_offered(stage, part);
        s->trees |= done[part] || is_known(job, s, part) ? 0 : rows_of(stage, part).trees;
    }
    for (int i = 0; i < PART_COUNT + 3 && status == EXIT_DONE; i++) {
        const int part = order[i];
        if (!done[part]) {
            status = is_known(job, s, part) ? report_known(job, s, part) : run_part(job, s, part);
            done[part] = true;
        }
    }
    return status;
}

int bench_run(bench_job *job, bench_scene *s, const bool wanted[PART_COUNT])
{
    if (!job->options->jobs || s->place.kind == BENCH_OWN_GAME) {
        return run_stage(job, s, wanted,
                         job->options->jobs    ? STAGE_JOBS_GAME
                         : job->options->scene ? STAGE_WORLD
                                               : STAGE_MESH);
    }
    int status = EXIT_DONE;
    for (int stage = STAGE_JOBS; stage <= STAGE_JOBS_WORLD && status == EXIT_DONE; stage++) {
        bool any = false;
        for (int part = 0; part < PART_COUNT; part++) {
            any = any || (wanted[part] && is_offered((bench_stage)stage, part));
        }
        status = any ? run_stage(job, s, wanted, (bench_stage)stage) : EXIT_DONE;
    }
    return status;
}
