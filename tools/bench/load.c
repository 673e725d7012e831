/* bench/load.c: the mesh of a scene, from the command line or one of bench's own. */
#include "tools/bench/bench.h"
#include "tools/bench/input/meshes.h"
#include "tools/cli/report.h"

#include <string.h>

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
        return bench_torus_mesh(place->index, out, error);
    }
}

static int load_own(const bench_job *job, bench_scene *s)
{
    static const char *const names[] = { [BENCH_OWN_LATTICE] = "lattice",
                                         [BENCH_OWN_NEEDLES] = "needles",
                                         [BENCH_OWN_TORUS] = "torus" };
    const bench_options *o = job->options;
    sl_error error;
    int status = common_apply_isa(job->call, &o->common);
    if (status == EXIT_DONE) {
        status = common_make_pool(&o->common, &s->in.pool);
    }
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
