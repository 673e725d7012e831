/* mask_cost: what masks cost, and what they save.
 *
 *     mask_cost [TRIANGLES [RAYS]]      default 1000000 and 20000
 *
 * Over a sphere, a terrain and a soup: closest and any hits of rays from anywhere within in any
 * direction, without a mask, and with one that
 *     all       all triangles share, as nothing but bit 0 is used
 *     tenth     a tenth of them shares, in cells of the bounds' ninth
 *     most      all but a tenth share, in the same cells
 *     one in ten   as many share, but anywhere
 *     half      half of them share, anywhere
 * and the same where 8 * 8 * 8 instances have these masks by their places, and triangles none:
 * nanoseconds a ray, medians of rounds in turn, one thread, by batches, and one ray a call. */
#include "test/measure/program.h"
#include "test/support/input/random.h"
#include "test/support/query/of_one.h"
#include "tools/bench/harness/rounds.h"

#include <math.h>

enum { ROUNDS = 7, KINDS = 5, WAYS = 4, SIDE = 8, CELLS = 9 };

static const char *const kinds[KINDS] = { "all", "tenth", "most", "one in ten", "half" };

/* Bit 0 is asked for; at: 0 .. 1 along each axis. */
static uint32_t mask_of(int kind, const double at[3], test_random *random)
{
    uint32_t cell = 0;
    for (int axis = 0; axis < 3; axis++) {
        cell = cell * 31 + (uint32_t)(at[axis] * (double)CELLS);
    }
    const bool tenth = (cell * 2654435761u >> 16) % 10 == 0;
    switch (kind) {
    case 0:
        return 1;
    case 1:
        return tenth ? 1 : 2;
    case 2:
        return tenth ? 2 : 1;
    case 3:
        return test_random_below(random, 10) == 0 ? 1 : 2;
    default:
        return test_random_below(random, 2) == 0 ? 1 : 2;
    }
}

/* Closest and any, in a batch, and of trees one a call. */
static void report(const char *words, bench_target target, bench_rays *rays, int ways)
{
    sl_stats stats = { .rays = 0 };
    const sl_options masked = { .mask = 1 };
    printf("%-22s", words);
    for (int way = 0; way < ways; way++) {
        UNDONE(bench_answers_free) bench_answers answers;
        double seconds[2][BENCH_ROUNDS_MAX];
        rays->query = way % 2 == 0 ? BENCH_CLOSEST : BENCH_ANY;
        must(bench_answers_make(&answers, rays), "not enough memory");
        bench_asking plain = { target, rays, way < 2 ? 0 : BENCH_SINGLY, &answers }, with = plain;
        with.target.query = &masked;
        const bench_way both[2] = { bench_way_of(&plain), bench_way_of(&with) };
        bench_time_rounds(both, 2, ROUNDS, seconds);
        for (int i = 0; i < 2; i++) {
            printf("%s%6.1f", i == 0 ? "  " : " ",
                   1e9 * bench_median(seconds[i], ROUNDS) / (double)rays->count);
        }
        if (way == 0) {
            with.target.stats = &stats;
            bench_ask_batches(&with.target, rays, 0, &answers);
        }
    }
    printf("  %6.2f nodes\n", (double)stats.nodes / (double)stats.rays);
}

static void make_rays(sl_aabb box, bench_rays *rays)
{
    test_random random = { 7 };
    for (size_t i = 0; i < rays->count; i++) {
        rays->rays[i] = (sl_ray){ .tmin = 0, .tmax = INFINITY };
        for (int axis = 0; axis < 3; axis++) {
            rays->rays[i].origin[axis] = test_random_in(&random, box.min[axis], box.max[axis]);
            rays->rays[i].dir[axis] = test_random_in(&random, -1, 1);
        }
    }
}

static void measure_tree(const sl_mesh *mesh, bench_rays *rays, int kind)
{
    const size_t count = sl_mesh_soup(mesh).triangle_count;
    FREED uint32_t *masks = memory_for(count, sizeof *masks);
    sl_build_def def = { 0 };
    test_random random = { 3 };
    const sl_mesh_info info = sl_mesh_get_info(mesh);
    for (uint32_t i = 0; i < count; i++) {
        sl_triangle triangle = { { { 0 } } };
        double at[3];
        (void)sl_mesh_triangle(mesh, i, &triangle);
        for (int axis = 0; axis < 3; axis++) {
            const double low = (double)info.bounds.min[axis];
            at[axis] =
                ((double)triangle.v[0][axis] - low) / ((double)info.bounds.max[axis] - low + 1e-9);
        }
        masks[i] = mask_of(kind, at, &random);
    }
    def.masks = masks;
    OWN(sl_bvh) tree = tree_of(mesh, &def);
    make_rays(info.bounds, rays);
    report(kinds[kind], (bench_target){ .bvh = tree }, rays, WAYS);
}

static void measure_scene(const sl_bvh *tree, bench_rays *rays, int kind)
{
    static sl_instance instances[SIDE * SIDE * SIDE];
    test_random random = { 3 };
    const sl_aabb box = bounds_in_floats(tree);
    sl_aabb all = box;
    for (int i = 0; i < SIDE * SIDE * SIDE; i++) {
        const int place[3] = { i % SIDE, i / SIDE % SIDE, i / SIDE / SIDE };
        double at[3];
        instances[i] = sl_instance_of(tree);
        for (int axis = 0; axis < 3; axis++) {
            const double size = (double)box.max[axis] - (double)box.min[axis];
            instances[i].transform.m[axis][3] = place[axis] * size * 1.01;
            at[axis] = (double)place[axis] / (double)SIDE;
            all.max[axis] = box.max[axis] + (float)((double)(SIDE - 1) * size * 1.01);
        }
        instances[i].mask = mask_of(kind, at, &random);
    }
    OWN(sl_bvh) scene = scene_of(instances, SIDE * SIDE * SIDE);
    make_rays(all, rays);
    report(kinds[kind], (bench_target){ .bvh = scene }, rays, 2);
}

int main(int argc, char **argv)
{
    const size_t triangles = (size_t)number_at(argc, argv, 1, 1e6);
    UNDONE(bench_rays_free) bench_rays rays = { .count = (size_t)number_at(argc, argv, 2, 20000) };
    rays.rays = memory_for(rays.count, sizeof *rays.rays);
    printf("ns a ray without and with a mask: closest, any, one a call closest, any\n");
    for (int shape = 0; shape < SHAPES_MEASURED; shape++) {
        OWN(sl_mesh) mesh = shape_mesh((bench_shape)shape, triangles);
        printf("%s\n", bench_shape_names[shape]);
        for (int kind = 0; kind < KINDS; kind++) {
            measure_tree(mesh, &rays, kind);
        }
    }
    OWN(sl_bvh) tree = tree_of_only(shape_mesh(SHAPE_SPHERE, 5000));
    printf("scene of spheres\n");
    for (int kind = 0; kind < KINDS; kind++) {
        measure_scene(tree, &rays, kind);
    }
    return 0;
}
