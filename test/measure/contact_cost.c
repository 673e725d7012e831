/* contact_cost: what mesh against mesh costs, one thread.
 *
 *     contact_cost MESH [ROUNDS]      default 9
 *
 * The mesh against a copy of itself whose vertices were moved along x, and against itself as an
 * instance that stands there: whether they meet, all pairs, curves, and how the solids lie, at a
 * tenth of the diagonal; the distance at twice the diagonal.  And 10,000 spheres of 480 triangles
 * in a grid, of which each overlaps its neighbours along an axis: which clash, and which do when
 * one has moved.  Milliseconds: the median of the rounds. */
#include "test/measure/program.h"

#include <sightline/clash.h>
#include <sightline/clashes.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS_MAX = 99, SIDE = 22, ELEMENTS = 10000 };

typedef struct pair_case {
    const sl_bvh *a, *b;
    size_t count;
    float distance;
} pair_case;

typedef void work(void *context);

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void measure(const char *name, int rounds, work *fn, void *context)
{
    double ms[ROUNDS_MAX];
    for (int i = 0; i < rounds; i++) {
        const double started = bench_cpu_seconds();
        fn(context);
        ms[i] = 1e3 * (bench_cpu_seconds() - started);
    }
    qsort(ms, (size_t)rounds, sizeof *ms, by_value);
    printf("  %-28s %10.3f ms\n", name, ms[rounds / 2]);
}

static void ask_any(void *context)
{
    pair_case *c = context;
    c->count = sl_bvh_clash_any(c->a, c->b, NULL);
}

static void ask_all(void *context)
{
    pair_case *c = context;
    enum { MOST = 1 << 20 };
    static sl_clash_pair pairs[MOST];
    c->count = sl_bvh_clash_all(c->a, c->b, NULL, pairs, MOST, NULL, NULL);
}

static void ask_curves(void *context)
{
    pair_case *c = context;
    sl_curves *curves = NULL;
    must(sl_bvh_clash_curves(c->a, c->b, NULL, NULL, &curves, NULL) == SL_OK, "no curves");
    c->count = curves->curve_count;
    sl_curves_destroy(curves);
}

static void ask_solids(void *context)
{
    pair_case *c = context;
    sl_solids solids;
    must(sl_bvh_solids(c->a, c->b, NULL, &solids, NULL) == SL_OK, "no solids");
    c->count = (size_t)solids.relation;
}

static void ask_distance(void *context)
{
    pair_case *c = context;
    sl_distance found;
    sl_bvh_distance(c->a, c->b, INFINITY, NULL, &found);
    c->distance = found.distance;
}

static void measure_near(const char *words, pair_case c, int rounds)
{
    printf("%s\n", words);
    measure("any", rounds, ask_any, &c);
    measure("all pairs", rounds, ask_all, &c);
    printf("    %zu pairs\n", c.count);
    measure("curves", rounds, ask_curves, &c);
    printf("    %zu curves\n", c.count);
    measure("solids", rounds, ask_solids, &c);
    printf("    relation %zu\n", c.count);
}

static void measure_far(const char *words, pair_case c, int rounds)
{
    printf("%s\n", words);
    measure("any", rounds, ask_any, &c);
    measure("distance", rounds, ask_distance, &c);
    printf("    %.9g apart\n", (double)c.distance);
    measure("solids", rounds, ask_solids, &c);
}

/* The same mesh, farther along x. */
static sl_bvh *moved_tree(const sl_mesh *mesh, float by)
{
    const sl_soup soup = sl_mesh_soup(mesh);
    sl_mesh *moved = NULL;
    float *xyz = memory_for(3 * soup.vertex_count, sizeof *xyz);
    for (size_t i = 0; i < 3 * soup.vertex_count; i++) {
        xyz[i] = soup.xyz[i] + (i % 3 == 0 ? by : 0);
    }
    must(sl_mesh_from_arrays(xyz, soup.vertex_count, soup.indices, soup.triangle_count, NULL,
                             &moved, NULL) == SL_OK,
         "no copy");
    free(xyz);
    return tree_of_only(moved);
}

static sl_bvh *moved_instance(const sl_bvh *tree, double by)
{
    sl_instance instance = sl_instance_of(tree);
    instance.transform.m[0][3] = by;
    return scene_of(&instance, 1);
}

typedef struct world_case {
    const sl_bvh *world;
    const sl_clashes *previous;
    size_t count;
} world_case;

static void ask_world(void *context)
{
    world_case *c = context;
    sl_clashes *clashes = NULL;
    const sl_clashes_def def = { .previous = c->previous };
    must(sl_clashes_find(c->world, &def, &clashes, NULL) == SL_OK, "no clashes");
    (void)sl_clashes_list(clashes, &c->count);
    sl_clashes_destroy(clashes);
}

static void measure_world(int rounds)
{
    sl_bvh *ball = tree_of_only(shape_mesh(SHAPE_SPHERE, 500));
    const sl_aabb_d box = sl_bvh_bounds(ball);
    const double size = box.max[0] - box.min[0];
    sl_instance *instances = memory_for(ELEMENTS, sizeof *instances);
    for (int i = 0; i < ELEMENTS; i++) {
        instances[i] = sl_instance_of(ball);
        instances[i].transform.m[0][3] = 0.97 * size * (i % SIDE);
        instances[i].transform.m[1][3] = 1.5 * size * (i / SIDE % SIDE);
        instances[i].transform.m[2][3] = 1.5 * size * (i / SIDE / SIDE);
    }
    world_case c = { .world = scene_of(instances, ELEMENTS) };
    printf("%d elements of %llu triangles\n", ELEMENTS,
           (unsigned long long)sl_bvh_get_info(ball).triangle_count);
    measure("which clash", rounds, ask_world, &c);
    printf("    %zu clashes\n", c.count);
    sl_clashes *before = NULL;
    must(sl_clashes_find(c.world, NULL, &before, NULL) == SL_OK, "no clashes");
    instances[ELEMENTS / 2].transform.m[0][3] += 0.1 * size;
    world_case next = { .world = scene_of(instances, ELEMENTS), .previous = before };
    measure("one has moved", rounds, ask_world, &next);
    printf("    %zu clashes\n", next.count);
    free(instances);
}

int main(int argc, char **argv)
{
    must(argc > 1, "which mesh?");
    const int rounds = (int)number_at(argc, argv, 2, 9);
    must(rounds >= 1 && rounds <= ROUNDS_MAX, "1 to 99 rounds");
    sl_mesh *mesh = file_mesh(argv[1]);
    sl_bvh *tree = tree_of(mesh, NULL);
    const sl_aabb_d box = sl_bvh_bounds(tree);
    double square = 0;
    for (int axis = 0; axis < 3; axis++) {
        square += (box.max[axis] - box.min[axis]) * (box.max[axis] - box.min[axis]);
    }
    const float near = (float)(0.1 * sqrt(square)), far = (float)(2 * sqrt(square));
    measure_near("a tenth of the diagonal away, as a mesh",
                 (pair_case){ .a = tree, .b = moved_tree(mesh, near) }, rounds);
    measure_near("as an instance",
                 (pair_case){ .a = tree, .b = moved_instance(tree, (double)near) }, rounds);
    measure_far("twice the diagonal away, as a mesh",
                (pair_case){ .a = tree, .b = moved_tree(mesh, far) }, rounds);
    measure_far("as an instance", (pair_case){ .a = tree, .b = moved_instance(tree, (double)far) },
                rounds);
    measure_world(rounds);
}
