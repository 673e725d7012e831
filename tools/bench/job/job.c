/* bench/job/job.c: the meshes that bench measures, from the command line or its own, and what all
 * their rows have in common. */
#include "tools/bench/job/job.h"

#include "tools/bench/harness/meshes.h"
#include "tools/bench/input/meshes.h"
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
    [PART_ENDS] = "ends",
    [PART_CAMERA] = "camera",
    [PART_ALL] = "all",
    [PART_WORLD] = "world",
};

/* The last part of a path, fit for one line. */
static void name_scene(bench_scene *s, const char *path)
{
    const char *slash = strrchr(path, '/');
    snprintf(s->name, sizeof s->name, "%s", slash != NULL ? slash + 1 : path);
    for (char *c = s->name; *c != '\0'; c++) {
        *c = (unsigned char)*c < 32 || *c == 127 ? '?' : *c;
    }
}

static sl_result make_own(const bench_place *place, sl_mesh **out, sl_error *error)
{
    switch (place->kind) {
    case BENCH_OWN_LATTICE:
        return bench_lattice_mesh(out, error);
    case BENCH_OWN_NEEDLES:
        return bench_needles_mesh(out, error);
    default:
        return bench_shape_mesh(SHAPE_TORUS, place->index, out, error);
    }
}

static int load_own(const bench_job *job, bench_scene *s)
{
    static const char *const names[] = { [BENCH_OWN_LATTICE] = "lattice",
                                         [BENCH_OWN_NEEDLES] = "needles",
                                         [BENCH_OWN_TORUS] = "torus",
                                         [BENCH_OWN_GAME] = "game" };
    const bench_options *o = job->options;
    sl_error error;
    int status = common_apply_isa(job->call, &o->common);
    status = status == EXIT_DONE ? common_make_pool(&o->common, &s->in.pool) : status;
    if (status == EXIT_DONE && make_own(&s->place, &s->in.mesh, &error) != SL_OK) {
        status = report_error(&error);
    }
    s->in.tasks = sl_pool_tasks(s->in.pool);
    s->in.quality = (sl_bvh_quality)o->mesh.quality;
    s->in.layout = (sl_bvh_layout)o->mesh.layout;
    s->in.max_build_memory = (size_t)o->mesh.max_build_memory;
    s->in.name = strdup(names[s->place.kind]);
    return status == EXIT_DONE && s->in.name == NULL ? report_memory() : status;
}

int bench_scene_load(const bench_job *job, const bench_place *place, bench_scene *s)
{
    const bench_options *o = job->options;
    *s = (bench_scene){ .place = *place };
    const int status = place->kind == BENCH_MESH
                           ? mesh_in_load(&s->in, job->call, place->index, &o->mesh, &o->common)
                           : load_own(job, s);
    if (status == EXIT_DONE) {
        name_scene(s, s->in.name);
    }
    return status;
}

sl_build_def bench_build_def(const bench_scene *s)
{
    sl_build_def def = { .quality = s->in.quality,
                         .layout = s->in.layout,
                         .max_memory = s->in.max_build_memory };
    return def;
}

void bench_world_close(bench_scene *s)
{
    sl_bvh_destroy(s->scene);
    free(s->places);
    bench_world_free(&s->world);
}

void bench_scene_close(bench_scene *s)
{
    bench_peer_close(s->peer);
    bench_rays_free(&s->shuffled);
    bench_surface_free(&s->source.surface);
    bench_world_close(s);
    mesh_in_close(&s->in);
}

bench_row bench_scene_row(const bench_job *job, const bench_scene *s, const char *name,
                          const char *unit)
{
    const bench_options *o = job->options;
    const sl_bvh_info info = sl_bvh_get_info(s->in.bvh);
    const size_t copies = s->world.count != 0 ? s->world.count : 1;
    const char *more = s->world.count != 0 ? bench_density_words[s->world.density]
                       : s->in.layout == SL_BVH_LAYOUT_COMPACT ? "compact"
                                                               : "";
    bench_row row = { .triangles = copies * sl_mesh_soup(s->in.mesh).triangle_count,
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
