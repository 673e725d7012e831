/* bench/world/relative.c: rows of bench --scene that compare ours with ours: rays in doubles with
 * the same in floats, and two levels with one tree over all triangles. */
#include "tools/bench/job/comparison.h"
#include "tools/bench/world/rows.h"
#include "tools/cli/report.h"

#include <sightline/flatten.h>

typedef struct relative_row {
    const char *name;
    bench_set set;
} relative_row;

/* A set on one target and on the other. */
static int add_pair(bench_job *job, bench_scene *s, const bench_source *source,
                    const relative_row *row, const bench_target targets[2])
{
    bench_rays rays;
    int status = EXIT_DONE;
    progress_show(&s->in.bar, row->name, -1);
    if (!bench_rays_make(source, row->set, (size_t)job->options->rays, &rays) ||
        (rays.count > 0 && targets[0].doubles && !bench_rays_widen(&rays))) {
        status = report_memory();
    } else if (rays.count > 0) {
        bench_asking ways[2] = { { targets[0], &rays, 0, NULL }, { targets[1], &rays, 0, NULL } };
        status = bench_relative_add(job, s, row->name, ways, true, NULL);
    }
    bench_rays_free(&rays);
    return status;
}

int bench_double_rows(bench_job *job, bench_scene *s)
{
    static const relative_row rows[] = { { "double.random", SET_RANDOM },
                                         { "double.any", SET_DIFFANY },
                                         { "double.los", SET_LOSBOX } };
    const bench_target targets[2] = { { .bvh = s->scene, .doubles = true }, { .bvh = s->scene } };
    int status = EXIT_DONE;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0] && status == EXIT_DONE; i++) {
        status = add_pair(job, s, &s->source, &rows[i], targets);
    }
    return status;
}

enum { FLAT_TRIANGLES_MAX = 6000000, FLAT_INSTANCES_MIN = 8 };

static int build_flat(const bench_scene *small, sl_bvh **out)
{
    sl_mesh *mesh = NULL;
    sl_error error;
    sl_build_def def = bench_build_def(small);
    def.hooks.tasks = small->in.tasks;
    sl_result result = sl_bvh_flatten(small->scene, NULL, &mesh, NULL, &error);
    if (result == SL_OK) {
        result = sl_bvh_build(mesh, &def, out, &error);
    }
    sl_mesh_destroy(mesh);
    return result == SL_OK ? EXIT_DONE : report_error(&error);
}

/* In a world small enough for one tree: as many instances as all of them together have not too many
 * triangles. */
int bench_flat_rows(bench_job *job, bench_scene *s)
{
    static const relative_row rows[] = { { "flat.diffshuf", SET_DIFFSHUF },
                                         { "flat.diffany", SET_DIFFANY },
                                         { "flat.random", SET_RANDOM },
                                         { "flat.losbox", SET_LOSBOX } };
    const size_t fit = FLAT_TRIANGLES_MAX / sl_mesh_soup(s->in.mesh).triangle_count;
    const size_t count = fit < s->world.count ? fit : s->world.count;
    if (count < FLAT_INSTANCES_MIN) {
        return EXIT_DONE;
    }
    bench_scene small = { .in = s->in }; /* the mesh and its tree are those of s */
    sl_bvh *bvh = NULL;
    progress_show(&s->in.bar, "flat", -1);
    int status = bench_world_open(job, &small, count);
    status = status == EXIT_DONE ? build_flat(&small, &bvh) : status;
    const bench_target targets[2] = { { .bvh = small.scene }, { .bvh = bvh } };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0] && status == EXIT_DONE; i++) {
        status = add_pair(job, s, &small.source, &rows[i], targets);
    }
    sl_bvh_destroy(bvh);
    bench_world_close(&small);
    return status;
}
