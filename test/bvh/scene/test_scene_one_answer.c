/* One answer of scenes: the same bits by every kernel, for any number of workers, nested two deep
 * or as the list of the products, built anew or as the last of 300 versions in recycled memory.
 *
 * Worlds and questions are fixed, and made by exact steps alone, so that every build on every
 * machine is held against the one number that is written down here. */
#include "bvh/scene/scene.h"
#include "test/support/query/answers_hash.h"
#include "test/support/query/of_one.h"
#include "test/support/test.h"

#define GOLDEN 0x613864D3AE32E030u

enum { KINDS = 6, SIZES = 3, TREES = 3, INNER = 8, MIDDLE = 6, PIECES = 20, MOST = 2000 };
enum { RAYS = 48, KEPT = 4, FRAMES = 300, FEW_FRAMES = 4, SEED = 20261139 };

typedef struct world {
    int kind, size;
    bool as_list;
    int frames;
    const sl_tasks *tasks;
    sl_bvh *inner, *middle, *scene;
} world;

static sl_bvh *trees[TREES];
static sl_instance list[MOST];

/* Of a kind: turned and scaled at random, on a lattice, on a grid, nearly flat, tiny and far, or
 * huge. */
static sl_instance piece(int kind, uint32_t number, uint64_t seed)
{
    test_random random = { SEED + number * 977u + seed };
    sl_instance made = sl_instance_of(trees[kind == 1 ? 0 : number % TREES]);
    const double scale = kind == 4 ? 0x1p-10 : kind == 5 ? 0x1p90 : 1;
    made.id = number;
    made.mask = 1u << number % 3 | 8;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            const double flat = kind == 3 && i == 1 ? 0x1p-9 : 1;
            made.transform.m[i][j] = kind == 1 ? i == j : (double)test_random_in(&random, -1, 1);
            made.transform.m[i][j] *= scale * flat;
        }
        made.transform.m[i][3] = scale * 3 * (double)test_random_in(&random, -1, 1);
        made.transform.m[i][3] += kind == 4 ? 1e7 * (i - 1.25) : 0;
    }
    if (kind == 1) {
        for (uint32_t axis = 0; axis < 3; axis++) {
            made.transform.m[axis][3] = (double)(number >> 2 * axis & 3);
        }
    }
    made.grid = kind == 2 ? 0x1p-9 : 0;
    return made;
}

/* Where inner scenes stand: near by, so that they overlap. */
static sl_instance group(const sl_bvh *scene, int kind, uint32_t number, uint64_t seed)
{
    sl_instance made = piece(kind < 3 ? kind : 0, number, seed);
    made.bvh = scene;
    made.mask = UINT32_MAX;
    return made;
}

static sl_instance product(const sl_instance *outer, const sl_instance *inner)
{
    sl_instance made = *inner;
    made.grid = outer->grid != 0 ? outer->grid : inner->grid;
    made.mask &= outer->mask;
    (void)sl_transform_product(&outer->transform, &inner->transform, &made.transform);
    return made;
}

static sl_bvh *build(const world *w, const sl_instance *instances, size_t count,
                     const sl_bvh *previous, sl_bvh *recycle)
{
    sl_instances_def def = (sl_instances_def){ 0 };
    def.bad = SL_BAD_INSTANCES_LEAVE_OUT;
    def.hooks.tasks = w->tasks;
    def.previous = previous;
    def.recycle = recycle;
    return made_scene(instances, count, &def);
}

/* Writes the instances of a frame: as they are for questions, in the last one. */
static size_t make_instances(const world *w, uint64_t frame, sl_instance *to)
{
    static const size_t pieces[SIZES] = { 1, 24, 0 }, groups[SIZES] = { 0, 2, 100 };
    size_t count = 0;
    for (uint32_t i = 0; i < pieces[w->size]; i++) {
        to[count++] = piece(w->kind, i, i % 4 == 0 ? frame : 0);
    }
    for (uint32_t i = 0; i < groups[w->size]; i++) {
        const sl_instance outer = group(w->middle, w->kind, 1000 + i, i % 9 == 0 ? frame : 0);
        if (!w->as_list) {
            to[count++] = outer;
            continue;
        }
        for (uint32_t k = 0; k < MIDDLE; k++) {
            const sl_instance middle = sli_instances_at(w->middle->instances, k);
            const sl_instance both = product(&outer, &middle);
            for (uint32_t m = 0; sli_instance_is_nested(&middle) && m < INNER; m++) {
                const sl_instance inner = sli_instances_at(w->inner->instances, m);
                to[count++] = product(&both, &inner);
            }
            if (!sli_instance_is_nested(&middle)) {
                to[count++] = both;
            }
        }
    }
    return count;
}

static void make_world(world *w)
{
    sl_instance few[INNER];
    sl_bvh *versions[3] = { NULL, NULL, NULL };
    for (uint32_t i = 0; i < INNER; i++) {
        few[i] = piece(w->kind, 100 + i, 0);
    }
    w->inner = build(w, few, INNER, NULL, NULL);
    for (uint32_t i = 0; i < MIDDLE; i++) {
        few[i] = i < 2 ? group(w->inner, w->kind, 200 + i, 0) : piece(w->kind, 200 + i, 0);
    }
    w->middle = build(w, few, MIDDLE, NULL, NULL);
    for (int frame = w->frames - 1; frame >= 0; frame--) {
        const size_t count = make_instances(w, (uint64_t)frame, list);
        sl_bvh *made = build(w, list, count, versions[2], versions[0]);
        versions[0] = versions[1];
        versions[1] = versions[2];
        versions[2] = made;
    }
    sl_bvh_destroy(versions[0]);
    sl_bvh_destroy(versions[1]);
    w->scene = versions[2];
}

/* ---- Questions ---- */

static void aim(const sl_bvh *scene, test_random *random, double to[3])
{
    double v[3][3] = { { 0 } };
    for (int tries = 0; tries < 20; tries++) {
        const sl_triangle_ref ref = { test_random_below(random, (uint32_t)scene->world.count),
                                      test_random_below(random, 12) };
        if (sl_bvh_triangle(scene, ref, v)) {
            break;
        }
    }
    const uint32_t what = test_random_below(random, 3), corner = test_random_below(random, 3);
    for (int axis = 0; axis < 3; axis++) {
        const double a = v[corner][axis], b = v[(corner + 1) % 3][axis];
        to[axis] = what == 0 ? a : what == 1 ? a + 0.5 * (b - a) : v[2][axis] + 0.25 * (a - b);
    }
}

static uint64_t hash_hit(const sl_hit *hit, uint64_t hash)
{
    hash = test_hash(hash, &hit->t, sizeof hit->t, 4);
    hash = test_hash(hash, &hit->u, sizeof hit->u, 4);
    hash = test_hash(hash, &hit->v, sizeof hit->v, 4);
    return test_hash(hash, &hit->prim, 2 * sizeof hit->prim, 4);
}

static uint64_t ask(const world *w, uint64_t hash)
{
    test_random random = { SEED };
    sl_ray rays[RAYS];
    sl_ray_d rays_d[RAYS];
    sl_segment segments[RAYS];
    sl_hit hits[RAYS], rows[RAYS * KEPT];
    sl_hit_d hits_d[RAYS];
    uint64_t totals[RAYS];
    uint8_t occluded[RAYS];
    for (int i = 0; i < RAYS; i++) {
        double from[3], to[3];
        aim(w->scene, &random, from);
        aim(w->scene, &random, to);
        rays[i] = (sl_ray){ .tmax = INFINITY };
        rays_d[i] = (sl_ray_d){ .tmax = i % 5 == 0 ? 1 : INFINITY };
        for (int axis = 0; axis < 3; axis++) {
            rays[i].origin[axis] = segments[i].p[axis] = (float)from[axis];
            rays[i].dir[axis] = (float)(to[axis] - from[axis]);
            segments[i].q[axis] = (float)to[axis];
            rays_d[i].origin[axis] = from[axis];
            rays_d[i].dir[axis] = to[axis] - from[axis];
        }
        sl_nearest_d near;
        (void)sl_bvh_nearest_d(w->scene, to, INFINITY, NULL, &near);
        hash = test_hash(hash, &near.distance, sizeof near.distance, 4);
        hash = test_hash(hash, &near.prim, 2 * sizeof near.prim, 4);
        totals[i] = inside_of_one_d(w->scene, from, NULL, NULL, 0);
    }
    hash = test_hash(hash, totals, sizeof totals, 8);
    memset(rows, 0, sizeof rows);
    sl_bvh_closest_many(w->scene, sl_rays_of(rays, RAYS), NULL, sl_hits_of(hits), w->tasks, NULL);
    sl_bvh_all_many(w->scene, sl_rays_of(rays, RAYS), NULL, sl_hits_of(rows), KEPT, totals,
                    w->tasks, NULL);
    sl_bvh_closest_many(w->scene, sl_rays_of_d(rays_d, RAYS), NULL, sl_hits_of_d(hits_d), w->tasks,
                        NULL);
    sl_bvh_any_many(w->scene, sl_segments_of(segments, RAYS), NULL, occluded, NULL, w->tasks, NULL);
    hash = test_hash(hash, totals, sizeof totals, 8);
    hash = test_hash(hash, occluded, sizeof occluded, 1);
    for (int i = 0; i < RAYS * KEPT; i++) {
        hash = hash_hit(&rows[i], hash);
    }
    for (int i = 0; i < RAYS; i++) {
        hash = hash_hit(&hits[i], hash);
        hash = test_hash(hash, &hits_d[i].t, sizeof hits_d[i].t, 8);
        hash = test_hash(hash, &hits_d[i].u, 2 * sizeof hits_d[i].u, 4);
        hash = test_hash(hash, &hits_d[i].prim, 2 * sizeof hits_d[i].prim, 4);
    }
    return hash;
}

/* Of all worlds; frames for the small ones, a few for the large one. */
static uint64_t query_everything(const sli_kernels *kernels, const sl_tasks *tasks, bool as_list,
                                 int frames)
{
    uint64_t hash = TEST_HASH_NOTHING;
    for (int i = 0; i < KINDS * SIZES; i++) {
        world w = { .kind = i / SIZES, .size = i % SIZES, .as_list = as_list, .tasks = tasks };
        w.frames = w.size == 1 || frames < FEW_FRAMES ? frames : FEW_FRAMES;
        make_world(&w);
        w.scene->kernels = kernels != NULL ? kernels : w.scene->kernels;
        hash = ask(&w, hash);
        sl_bvh_destroy(w.scene);
        sl_bvh_destroy(w.middle);
        sl_bvh_destroy(w.inner);
    }
    return hash;
}

static void expect(uint64_t hash, const char *by)
{
    if (hash != GOLDEN) {
        fail_msg("hash %016llx, %s", (unsigned long long)hash, by);
    }
}

TEST(every_kernel_gives_the_same_bits)
{
    for (int i = 0; sli_kernels_at(i) != NULL; i++) {
        expect(query_everything(sli_kernels_at(i), NULL, false, 1), sli_kernels_at(i)->name);
    }
}

TEST(workers_do_not_matter)
{
    for (int workers = 2; workers <= 8; workers *= 4) {
        OWN(sl_pool) pool = made_pool(workers);
        expect(query_everything(NULL, sl_pool_tasks(pool), false, 1), "workers");
    }
}

TEST(a_list_of_products_gives_the_same_bits)
{
    expect(query_everything(NULL, NULL, true, 1), "a list");
}

TEST(a_history_gives_the_same_bits)
{
    expect(query_everything(NULL, NULL, false, FRAMES), "nested, at the end of a history");
    expect(query_everything(NULL, NULL, true, FRAMES), "a list, at the end of a history");
}

TEST_BEFORE_ALL
{
    static const float xyz[8][3] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 1, 1, 0 },
                                     { 0, 0, 1 }, { 1, 0, 1 }, { 0, 1, 1 }, { 1, 1, 1 } };
    static const uint32_t box[12][3] = { { 0, 2, 3 }, { 0, 3, 1 }, { 4, 5, 7 }, { 4, 7, 6 },
                                         { 0, 1, 5 }, { 0, 5, 4 }, { 2, 6, 7 }, { 2, 7, 3 },
                                         { 0, 4, 6 }, { 0, 6, 2 }, { 1, 3, 7 }, { 1, 7, 5 } };
    for (int i = 0; i < TREES; i++) {
        sl_mesh *mesh;
        const sl_result made =
            i == 0 ? sl_mesh_from_arrays(xyz[0], 8, box[0], 12, NULL, &mesh, NULL)
                   : sl_mesh_generate(
                         &(sl_mesh_shape){ SL_MESH_SOUP,
                                           { .soup = { (uint32_t)i * 9, 0.5f, (uint64_t)i } } },
                         NULL, &mesh, NULL);
        assert_int_equal(made, SL_OK);
        trees[i] = made_bvh_alone(mesh, NULL);
    }
}

TEST_AFTER_ALL
{
    for (int i = 0; i < TREES; i++) {
        sl_bvh_destroy(trees[i]);
    }
}
