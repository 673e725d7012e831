/* fuzz_scene.c: any bytes as a scene file, in a folder with a mesh and a tree: a scene that
 * answers, or an error.  Names of files elsewhere are not tried. */
#include "test/fuzz/fuzz.h"
#include "test/fuzz/scratch.h"
#include "tools/command.h"
#include "tools/input/scene.h"
#include "tools/output/file_conflicts.h"

#include <math.h>
#include <string.h>

static const char name[] = "fuzz.json";

static void write_scene(const uint8_t *data, size_t size)
{
    FILE *file = fopen(name, "wb");
    if (file == NULL || fwrite(data, 1, size, file) != size || fclose(file) != 0) {
        fuzz_fail("no file in the scratch folder");
    }
}

/* What the command asks of a scene, for a few instances. */
static void ask(scene_in *in)
{
    const sl_ray_d ray = { .origin = { 0.5, 0.25, -9 }, .dir = { 0, 0, 1 }, .tmax = INFINITY };
    sl_hit_d hit;
    const sl_aabb_d bounds = sl_bvh_bounds(in->scene);
    double point[3], normal[3];
    if (sl_bvh_closest_d(in->scene, &ray, NULL, &hit)) {
        const sl_triangle_ref at = { .prim = hit.prim, .instance = hit.instance };
        if (!(bounds.min[0] <= 0.5 && bounds.max[0] >= 0.5) ||
            scene_in_mesh(in, hit.instance) == NULL ||
            !scene_in_surface(in->scene, in, at, (double)hit.u, (double)hit.v, point, normal)) {
            fuzz_fail("a hit on nothing");
        }
    }
    for (uint32_t i = 0; i <= in->info.instance_count && i < 16; i++) {
        sl_transform place;
        if ((scene_in_prims(in, i) > 0) != (scene_in_mesh(in, i) != NULL)) {
            fuzz_fail("a mesh without triangles, or triangles without a mesh");
        }
        (void)scene_in_name(in, i);
        (void)scene_in_mask(in, i);
        (void)scene_in_place(in, i, &place);
    }
}

static void open_scene(const sl_tasks *tasks)
{
    progress bar = { .on = false };
    scene_in_options options = { .max_memory = 1 << 20, .bar = &bar };
    options.build.hooks.tasks = tasks;
    scene_in in = { .scene = NULL };
    int status = scene_in_load(&in, name, &options);
    if (status == EXIT_DONE) {
        status = scene_in_build(&in);
    }
    if (status == EXIT_DONE) {
        ask(&in);
    } else if (status != EXIT_BAD_INPUT) {
        fuzz_fail("neither read nor refused");
    }
    scene_in_close(&in);
    file_conflicts_forget();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static sl_pool *pool;
    if (pool == NULL) {
        scratch_enter();
        if (sl_pool_create(1, NULL, &pool, NULL) != SL_OK) {
            fuzz_fail("no pool");
        }
    }
    if (memchr(data, '/', size) != NULL || memchr(data, '\\', size) != NULL) {
        return 0;
    }
    write_scene(data, size);
    open_scene(sl_pool_tasks(pool));
    return 0;
}
