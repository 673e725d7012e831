/* bench/scene.c: measures all wanted rows of one mesh, for bench. */
#include "tools/bench/bench.h"
#include "tools/bench/comparison.h"
#include "tools/bench/world/world.h"
#include "tools/cli/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const bench_part_names[PART_COUNT + 1] = {
    [SET_PRIMARY] = "primary",
    [SET_PRIMARY256] = "primary256",
    [SET_PRIMARY64] = "primary64",
    [SET_ORTHO] = "ortho",
    [SET_DIFFUSE] = "diffuse",
    [SET_DIFFSHUF] = "diffshuf",
    [SET_DIFFANY] = "diffany",
    [SET_AO] = "ao",
    [SET_RANDOM] = "random",
    [SET_LOSBOX] = "losbox",
    [SET_LOSSURF] = "lossurf",
    [SET_LOSLOCAL] = "loslocal",
    [SET_LOSFAN] = "losfan",
    [SET_PTNEAR] = "ptnear",
    [SET_PTBOX] = "ptbox",
    [SET_LATTICE] = "lattice",
    [SET_LOSCLOSE] = "losclose",
    [PART_BUILD] = "build",
    [PART_SINGLE] = "single",
    [PART_BATCH] = "batch",
    [PART_FAR] = "far",
    [PART_OPTIONS] = "options",
    [PART_INVALID] = "invalid",
    [PART_THREADS] = "threads",
    [PART_COMMIT] = "commit",
    [PART_FRAME] = "frame",
    [PART_FLAT] = "flat",
    [PART_DOUBLE] = "double",
};

/* The rows of each part; if the file of --resume has all of them, it is not measured.  A set has
 * one row of its own name.  Some are not always there: held with a peer only, buildcold where it
 * can be told. */
enum { PART_ROWS_MAX = 13 };
static const struct {
    int (*run)(bench_job *job, bench_scene *s);
    const char *rows[PART_ROWS_MAX];
    unsigned optional; /* bits 1 << index in rows */
} parts[PART_COUNT] = {
    [PART_BUILD] = { .run = bench_build_rows,
                     .rows = { "buildcold", "build1", "build2", "bytes", "held", "peak" },
                     .optional = 1u << 0 | 1u << 4 },
    [PART_SINGLE] = { .run = bench_single_rows, .rows = { "closest1", "any1" } },
    [PART_BATCH] = { .run = bench_batch_rows,
                     .rows = { "primary.8", "primary.64", "diffshuf.8", "diffshuf.64", "diffany.8",
                               "diffany.64", "ao.8", "ao.64", "random.8", "random.64", "losbox.8",
                               "losbox.64" } },
    [PART_FAR] = { .run = bench_far_rows,
                   .rows = { "far.primary", "far.diffshuf", "far.diffany", "far.losbox",
                             "far.ptnear", "far.closest1", "far.any1" } },
    [PART_OPTIONS] = { .run = bench_options_rows, .rows = { "options" } },
    [PART_INVALID] = { .run = bench_invalid_rows, .rows = { "invalid1", "invalid100" } },
    [PART_THREADS] = { .run = bench_threads_rows, .rows = { "threads2" } },
};

bench_row bench_scene_row(const bench_job *job, const bench_scene *s, const char *name,
                          const char *unit)
{
    const bench_options *o = job->options;
    sl_bvh_info info;
    sl_bvh_get_info(s->in.bvh, &info, sizeof info);
    const size_t copies = s->instances != 0 ? s->instances : 1;
    const char *more = s->instances != 0                       ? bench_density_words[o->density]
                       : s->in.layout == SL_BVH_LAYOUT_COMPACT ? "compact"
                                                               : "";
    bench_row row = { .triangles = copies * sl_mesh_triangle_count(s->in.mesh),
                      .rays = o->rays,
                      .seed = o->seed,
                      .hits = NAN,
                      .agree = NAN };
    snprintf(row.scene, sizeof row.scene, "%s", s->name);
    snprintf(row.quality, sizeof row.quality, "%s%s%s", quality_words[s->in.quality],
             more[0] != '\0' ? "/" : "", more);
    snprintf(row.kernel, sizeof row.kernel, "%s", info.kernel);
    snprintf(row.against, sizeof row.against, "%s", o->against != 0 ? "embree" : "none");
    snprintf(row.row, sizeof row.row, "%s", name);
    snprintf(row.unit, sizeof row.unit, "%s", unit);
    return row;
}

int bench_job_add(bench_job *job, const bench_row *row)
{
    const bench_row *known = bench_resume_find(&job->resume, row);
    const int status = known == NULL ? bench_resume_add(&job->resume, row) : EXIT_DONE;
    return status == EXIT_DONE ? bench_report_add(&job->report, known != NULL ? known : row)
                               : status;
}

/* The names of a part's rows, NULL behind them. */
static void list_rows(int part, const char *rows[PART_ROWS_MAX])
{
    memset(rows, 0, PART_ROWS_MAX * sizeof *rows);
    if (part < SET_COUNT) {
        rows[0] = bench_part_names[part];
    } else {
        memcpy(rows, parts[part].rows, sizeof parts[part].rows);
    }
}

bool bench_rows_are_known(const bench_job *job, const bench_scene *s, const char *const *rows,
                          unsigned optional)
{
    for (int i = 0; rows[i] != NULL; i++) {
        const bench_row row = bench_scene_row(job, s, rows[i], "");
        if ((optional >> i & 1) == 0 && bench_resume_find(&job->resume, &row) == NULL) {
            return false;
        }
    }
    return true;
}

int bench_rows_report(bench_job *job, const bench_scene *s, const char *const *rows)
{
    int status = EXIT_DONE;
    for (int i = 0; rows[i] != NULL && status == EXIT_DONE; i++) {
        const bench_row row = bench_scene_row(job, s, rows[i], "");
        if (bench_resume_find(&job->resume, &row) != NULL) {
            status = bench_job_add(job, &row);
        }
    }
    return status;
}

static bool is_known(const bench_job *job, const bench_scene *s, int part)
{
    const char *rows[PART_ROWS_MAX];
    list_rows(part, rows);
    return bench_rows_are_known(job, s, rows, parts[part].optional);
}

static int report_known(bench_job *job, const bench_scene *s, int part)
{
    const char *rows[PART_ROWS_MAX];
    list_rows(part, rows);
    return bench_rows_report(job, s, rows);
}

static int build_peer(const bench_job *job, bench_scene *s)
{
    sl_bvh_info info;
    sl_bvh_get_info(s->in.bvh, &info, sizeof info);
    s->peer = bench_peer_open(0, info.kernel);
    if (s->peer == NULL) {
        return report_failure(NULL, "Embree cannot be started; leave --against out");
    }
    for (int tree = 0; tree < PEER_TREE_COUNT; tree++) {
        if ((s->trees >> tree & 1) != 0) {
            progress_begin(&s->in.bar, job->options->common.quiet);
            progress_show(&s->in.bar, peer_tree_names[tree], -1);
            if (!bench_peer_build(s->peer, s->in.mesh, (peer_tree)tree, NULL, NULL)) {
                return report_memory();
            }
            progress_end(&s->in.bar);
        }
    }
    return EXIT_DONE;
}

/* Only if a part still needs them; points need no robust trees. */
static int open_peer(const bench_job *job, bench_scene *s, const bool wanted[PART_COUNT])
{
    const unsigned plain = 1u << PEER_MEDIUM | 1u << PEER_HIGH;
    for (int part = 0; part < PART_COUNT; part++) {
        const bool is_set = part < SET_COUNT;
        if (wanted[part] && is_set && bench_set_query((bench_set)part) == BENCH_NEAREST) {
            s->trees |= plain;
        } else if (wanted[part] && (is_set || part == PART_SINGLE || part == PART_BATCH)) {
            s->trees |= plain | 1u << PEER_ROBUST_MEDIUM | 1u << PEER_ROBUST_HIGH;
        }
    }
    return s->trees != 0 ? build_peer(job, s) : EXIT_DONE;
}

static int open_source(const bench_job *job, bench_scene *s)
{
    sl_mesh_info info;
    sl_mesh_get_info(s->in.mesh, &info, sizeof info);
    const sl_aabb bounds = info.bounds;
    s->source =
        (bench_source){ .bounds = bounds, .seed = job->options->seed, .tasks = s->in.tasks };
    double square = 0;
    float size[3];
    sl_aabb_size(&bounds, size);
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
    bench_rays rays;
    if (!bench_rays_make(&s->source, set, (size_t)job->options->rays, &rays)) {
        return report_memory();
    }
    static const size_t whole = 0;
    const bench_comparison comparison = { .target = { .bvh = s->in.bvh },
                                          .peer = s->peer,
                                          .trees = s->trees,
                                          .rounds = (size_t)job->options->rounds,
                                          .tolerance = 1e-6f * s->source.diagonal,
                                          .bar = &s->in.bar };
    bench_row row = bench_scene_row(job, s, bench_part_names[set], "M/s");
    int status = EXIT_DONE;
    if (rays.count > 0) {
        status = bench_comparison_run(&comparison, &rays, &whole, &row, 1)
                     ? bench_job_add(job, &row)
                     : report_memory();
    }
    bench_rays_free(&rays);
    return status;
}

static int run_part(bench_job *job, bench_scene *s, int part)
{
    progress_begin(&s->in.bar, job->options->common.quiet);
    int status = EXIT_DONE;
    if (part > PART_BUILD && s->shuffled.rays == NULL &&
        !bench_rays_make(&s->source, SET_DIFFSHUF, (size_t)job->options->rays, &s->shuffled)) {
        status = report_memory();
    } else if (part < SET_COUNT) {
        status = run_set(job, s, (bench_set)part);
    } else if (part == PART_BUILD || s->shuffled.count > 0) {
        status = parts[part].run(job, s);
    }
    progress_end(&s->in.bar);
    return status;
}

static int run_if_wanted(bench_job *job, bench_scene *s, const bool wanted[PART_COUNT], int part)
{
    if (!wanted[part]) {
        return EXIT_DONE;
    }
    return is_known(job, s, part) ? report_known(job, s, part) : run_part(job, s, part);
}

/* Builds first: Embree's devices share their threads, so that one for a single thread must be
 * alone. */
int bench_scene_run(bench_job *job, bench_scene *s, const bool wanted[PART_COUNT])
{
    bool open[PART_COUNT];
    int status = open_source(job, s);
    for (int part = 0; part < PART_COUNT; part++) {
        open[part] = wanted[part] && !is_known(job, s, part);
    }
    if (status == EXIT_DONE) {
        status = run_if_wanted(job, s, wanted, PART_BUILD);
    }
    if (status == EXIT_DONE && job->options->against != 0) {
        status = open_peer(job, s, open);
    }
    for (int part = 0; part < PART_COUNT && status == EXIT_DONE; part++) {
        if (part != PART_BUILD) {
            status = run_if_wanted(job, s, wanted, part);
        }
    }
    return status;
}

void bench_scene_close(bench_scene *s)
{
    bench_peer_close(s->peer);
    bench_rays_free(&s->shuffled);
    bench_surface_free(&s->source.surface);
    mesh_in_close(&s->in);
}
