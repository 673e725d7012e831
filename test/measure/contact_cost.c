/* contact_cost: what mesh against mesh costs, one thread.
 *
 *     contact_cost MESH [ROUNDS]      default 9
 *
 * The mesh against a copy of itself whose vertices were moved along x, and against itself as an
 * instance that stands there: whether they meet, all pairs, curves, and how the solids lie, at a
 * tenth of the diagonal; the distance at twice the diagonal.  A thousand boxes, capsules and hulls
 * of 16 points that move through the mesh by a fifth of the diagonal, and one hull of 256 points on
 * a floor of 32,768 triangles that is parallel to its bottom: it is dropped, rests and slides.  And
 * 10,000 spheres of 392 triangles in a grid, of which each overlaps its neighbours along an axis:
 * which clash, and which do when one has moved.  Milliseconds: the median of the rounds. */
#include "test/measure/program.h"
#include "test/support/input/random.h"

#include <sightline/clash.h>
#include <sightline/clashes.h>
#include <sightline/sweep.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS_MAX = 99, SIDE = 22, ELEMENTS = 10000, SWEEPS = 1000, HULL = 16, FLOOR = 128 };

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

typedef struct sweep_case {
    const sl_bvh *bvh;
    sl_sweep_d sweeps[SWEEPS];
    double points[SWEEPS][HULL][3];
    sl_contact contacts[SWEEPS];
    size_t count;
} sweep_case;

static void ask_sweeps(void *context)
{
    sweep_case *c = context;
    sl_bvh_sweep_many(c->bvh, sl_sweeps_of(c->sweeps, c->count, SL_DOUBLE), NULL, c->contacts, NULL,
                      NULL);
}

/* A shape of some hundredth of the diagonal about a point within the bounds, in any direction. */
static void draw_sweep(sweep_case *c, size_t i, sl_volume_kind kind, double diagonal,
                       test_random *random)
{
    const sl_aabb_d box = sl_bvh_bounds(c->bvh);
    const double size = diagonal / 200;
    sl_sweep_d *s = &c->sweeps[i];
    double dir[3], square = 0;
    *s = (sl_sweep_d){ .volume.kind = kind };
    for (int axis = 0; axis < 3; axis++) {
        const double centre = test_random_in_d(random, box.min[axis], box.max[axis]);
        dir[axis] = test_random_in_d(random, -1, 1);
        square += dir[axis] * dir[axis];
        for (int k = 0; k < HULL; k++) {
            c->points[i][k][axis] = centre + size * test_random_in_d(random, -1, 1);
        }
        if (kind == SL_VOLUME_CAPSULE) {
            s->volume.shape.capsule.p[axis] = c->points[i][0][axis];
            s->volume.shape.capsule.q[axis] = c->points[i][1][axis];
            s->volume.shape.capsule.radius = size;
        } else if (kind == SL_VOLUME_AABB) {
            s->volume.shape.aabb.min[axis] = centre - size;
            s->volume.shape.aabb.max[axis] = centre + size;
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        s->dir[axis] = 0.2 * diagonal * dir[axis] / sqrt(square);
    }
    if (kind == SL_VOLUME_HULL) {
        s->volume.shape.hull = (sl_hull_d){ c->points[i][0], HULL };
    }
}

static void measure_sweeps(const sl_bvh *tree, double diagonal, int rounds)
{
    static const sl_volume_kind kinds[] = { SL_VOLUME_AABB, SL_VOLUME_CAPSULE, SL_VOLUME_HULL };
    static const char *const names[] = { "boxes", "capsules", "hulls of 16 points" };
    static sweep_case c;
    test_random random = { 1 };
    c.bvh = tree;
    c.count = SWEEPS;
    printf("%d sweeps by a fifth of the diagonal\n", SWEEPS);
    for (int k = 0; k < 3; k++) {
        for (size_t i = 0; i < SWEEPS; i++) {
            draw_sweep(&c, i, kinds[k], diagonal, &random);
        }
        measure(names[k], rounds, ask_sweeps, &c);
    }
}

/* A floor of 16 x 16 that leans. */
static sl_bvh *leaning_floor(void)
{
    enum { ROW = FLOOR + 1 };
    float *xyz = memory_for((size_t)3 * ROW * ROW, sizeof *xyz);
    uint32_t *indices = memory_for((size_t)6 * FLOOR * FLOOR, sizeof *indices), *to = indices;
    for (uint32_t i = 0; i < ROW * ROW; i++) {
        float *p = xyz + 3 * (size_t)i;
        p[0] = (float)(i / ROW) * (16.0f / FLOOR) - 8;
        p[1] = (float)(i % ROW) * (16.0f / FLOOR) - 8;
        p[2] = p[0] / 2 + p[1] / 4;
        if (i / ROW < FLOOR && i % ROW < FLOOR) {
            const uint32_t six[6] = { i, i + ROW, i + ROW + 1, i, i + ROW + 1, i + 1 };
            memcpy(to, six, sizeof six);
            to += 6;
        }
    }
    sl_mesh *mesh = NULL;
    must(sl_mesh_from_arrays(xyz, ROW * ROW, indices, 2 * FLOOR * FLOOR, NULL, &mesh, NULL) ==
             SL_OK,
         "no floor");
    free(xyz);
    free(indices);
    return tree_of_only(mesh);
}

/* A prism of 128 sides whose bottom is parallel to the floor. */
static void measure_floor(int rounds)
{
    static const char *const names[] = { "dropped", "at rest", "sliding" };
    static const double dirs[3][3] = { { 0, 0, -4 }, { 0, 0, 0 }, { 1, 0, 0.5 } };
    static double points[256][3];
    static sweep_case c;
    c.bvh = leaning_floor();
    c.count = 1;
    printf("a hull of 256 points and a floor of %d triangles\n", 2 * FLOOR * FLOOR);
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 256; i++) {
            const double angle = acos(-1) * (i / 2) / 64;
            points[i][0] = rint(256 * cos(angle)) / 64;
            points[i][1] = rint(256 * sin(angle)) / 64;
            points[i][2] = points[i][0] / 2 + points[i][1] / 4 + i % 2 + (k == 0 ? 1 : 0);
        }
        c.sweeps[0] = (sl_sweep_d){
            .volume = { .kind = SL_VOLUME_HULL, .shape.hull = { points[0], 256 } },
            .dir = { dirs[k][0], dirs[k][1], dirs[k][2] },
            .touching = SL_START_IGNORE_RECEDING,
            .ignore_grazing = true,
        };
        measure(names[k], rounds, ask_sweeps, &c);
    }
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
    measure_sweeps(tree, sqrt(square), rounds);
    measure_floor(rounds);
    measure_world(rounds);
}
