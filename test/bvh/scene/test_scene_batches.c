/* Many rays and segments in scenes at once, in floats and in doubles, against one at a time (which
 * test_scene_rays.c compares with every triangle), by every kernel: batches of 1 to 500, with
 * masks, skips, culling and hints, invalid items among them; aimed at corners, edges and the
 * inside, from near by and far away.  What was counted shows that batches do not go one by one;
 * without the margin of carried rays, hits are lost.
 *
 * SIGHTLINE_TEST_SCALE=N multiplies the number of worlds. */
#include "bvh/scene/scene.h"
#include "test/support/environment/needs.h"
#include "test/support/input/world.h"
#include "test/support/query/of_one.h"
#include "test/support/test.h"

enum { SEED = 20261124, ITEMS = 500, ROW = 3 };

/* A batch with its options. */
typedef struct many {
    bool segments, doubles;
    size_t count;
    sl_ray rays[ITEMS];
    sl_segment lines[ITEMS];
    sl_ray_d rays_d[ITEMS];
    sl_segment_d lines_d[ITEMS];
    sl_item_options options[ITEMS];
    sl_triangle_ref skips[ITEMS][2];
    sl_options query;
} many;

/* What is answered to it; hits in floats, too, as doubles. */
typedef struct answers {
    sl_hit_d hits[ITEMS];
    uint8_t any[ITEMS], hinted[ITEMS], again[ITEMS];
    sl_triangle_ref hints[ITEMS];
    uint64_t totals[ITEMS], counts[ITEMS];
    union {
        sl_hit floats[ITEMS * ROW];
        sl_hit_d doubles[ITEMS * ROW];
    } rows;
    sl_stats stats;
} answers;

/* A point of a triangle of the world, or near one. */
static void draw_point(const sl_bvh *scene, double off, test_random *random, double point[3])
{
    double v[3][3] = { { 0 } };
    for (int tries = 0; tries < 50; tries++) {
        const uint32_t instance = test_random_below(random, scene->world.count);
        const sl_bvh *tree = scene->world.transformed[instance].tree;
        if (tree != NULL && sl_bvh_triangle(scene,
                                            (sl_triangle_ref){ .instance = instance,
                                                               .prim = test_random_below(
                                                                   random, tree->prim_count) },
                                            v)) {
            break;
        }
    }
    const uint32_t kind = test_random_below(random, 4);
    const double b = kind == 0 ? 0 : test_random_unit(random) * 0.5,
                 c = kind <= 1 ? 0 : test_random_unit(random) * 0.5;
    for (int axis = 0; axis < 3; axis++) {
        point[axis] = (1 - b - c) * v[0][axis] + b * v[1][axis] + c * v[2][axis];
        if (kind == 3) {
            point[axis] += off * ((double)test_random_unit(random) - 0.5);
        }
    }
}

static float awkward(test_random *random)
{
    static const float floats[] = { NAN, INFINITY, -INFINITY, 0x1p127f, 0x1p-149f, 0, -0.0f };
    return floats[test_random_below(random, sizeof floats / sizeof *floats)];
}

/* Item i. */
static void draw_item(const sl_bvh *scene, double size, test_random *random, many *m, size_t i)
{
    double from[3], to[3];
    sl_ray *ray = &m->rays[i];
    sl_segment *line = &m->lines[i];
    draw_point(scene, size * 0.5, random, from);
    draw_point(scene, size * 0.01, random, to);
    const uint32_t kind = test_random_below(random, 16);
    for (int axis = 0; axis < 3; axis++) {
        if (kind == 0) {
            from[axis] = to[axis] + 1000 * size * ((double)test_random_unit(random) - 0.5);
        }
        if (kind <= 3 && test_random_below(random, 2) == 0) {
            from[axis] = to[axis];
        }
        ray->origin[axis] = line->p[axis] = (float)from[axis];
        ray->dir[axis] = (float)(to[axis] - from[axis]);
        line->q[axis] = (float)to[axis];
    }
    ray->tmin = kind == 4 ? -0.5f : kind == 5 ? 0.5f : kind == 6 ? -INFINITY : 0;
    ray->tmax = kind == 7 ? 1 : kind == 8 ? 0.99f : INFINITY;
    if (kind == 9) {
        const uint32_t at = test_random_below(random, 8);
        ((float *)(void *)ray)[at] = awkward(random);
        ((float *)(void *)line)[at % 6] = awkward(random);
    }
    m->options[i].mask = 1 + test_random_below(random, 7);
    for (int k = 0; k < 2; k++) {
        m->skips[i][k] = (sl_triangle_ref){
            .instance = test_random_below(random, scene->world.count),
            .prim = test_random_below(random, 12),
        };
    }
}

static double awkward_d(test_random *random)
{
    static const double doubles[] = { NAN, INFINITY, -INFINITY, 0x1p128, 0x1p-160, 0x1p1000, -0.0 };
    return doubles[test_random_below(random, sizeof doubles / sizeof *doubles)];
}

/* Item i in doubles: that in floats, with digits that floats have not. */
static void draw_doubles(test_random *random, many *m, size_t i)
{
    sl_ray_d *ray = &m->rays_d[i];
    sl_segment_d *line = &m->lines_d[i];
    *ray = sl_ray_d_from_ray(&m->rays[i]);
    *line = sl_segment_d_from_segment(&m->lines[i]);
    for (uint32_t k = 0; k < 6 && test_random_below(random, 4) != 0; k++) {
        const double stretch = 1 + 0x1p-24 * ((double)test_random_unit(random) - 0.5);
        ((double *)(void *)ray)[k < 3 ? k : k + 1] *= stretch;
        ((double *)(void *)line)[k] *= stretch;
    }
    if (test_random_below(random, 16) == 0) {
        const uint32_t at = test_random_below(random, 8);
        ((double *)(void *)ray)[at] = awkward_d(random);
        ((double *)(void *)line)[at % 6] = awkward_d(random);
    }
}

/* Rays that packets take: from one point, or parallel, to places close to one another; every other
 * one to a few that others go to, too. */
static void draw_coherent(const sl_bvh *scene, double size, test_random *random, many *m)
{
    double from[3], to[3];
    const bool parallel = test_random_below(random, 4) == 0;
    const double away = test_random_below(random, 3) == 0 ? 1000 : 1;
    const double spread = size * ldexp(0.25, -(int)test_random_below(random, 10));
    draw_point(scene, size * away, random, from);
    draw_point(scene, 0, random, to);
    for (size_t i = 0; i < m->count; i++) {
        sl_ray *ray = &m->rays[i];
        for (int axis = 0; axis < 3; axis++) {
            const double beside =
                i % 2 == 0 ? spread * ((double)test_random_unit(random) - 0.5) : 0;
            ray->origin[axis] = (float)(from[axis] + (parallel ? beside : 0));
            ray->dir[axis] = (float)(to[axis] + beside) - ray->origin[axis];
        }
        ray->tmin = i % 8 == 4 ? 0.5f : 0;
        ray->tmax = i % 16 <= 1 ? 1 : INFINITY;
        for (int axis = 0; axis < 3; axis++) {
            m->lines[i].p[axis] = ray->origin[axis];
            m->lines[i].q[axis] = ray->origin[axis] + (i % 4 == 0 ? 1.0f : 1.5f) * ray->dir[axis];
        }
        m->rays_d[i] = sl_ray_d_from_ray(ray);
        m->lines_d[i] = sl_segment_d_from_segment(&m->lines[i]);
    }
}

static void draw(const sl_bvh *scene, bool coherent, test_random *random, many *m)
{
    const sl_aabb_d bounds = sl_bvh_bounds(scene);
    double size = 0;
    for (int axis = 0; axis < 3; axis++) {
        size = fmax(size, bounds.max[axis] - bounds.min[axis]);
    }
    m->segments = test_random_below(random, 2) == 0;
    m->doubles = test_random_below(random, 2) == 0;
    m->count = 1 + test_random_below(random, ITEMS);
    m->query = (sl_options){ .cull = SL_CULL_NONE };
    for (size_t i = 0; i < m->count; i++) {
        draw_item(scene, size, random, m, i);
        draw_doubles(random, m, i);
    }
    if (coherent || test_random_below(random, 4) == 0) {
        draw_coherent(scene, size, random, m);
    }
    const uint32_t kind = test_random_below(random, 8);
    for (size_t i = 0; i < m->count; i++) {
        m->options[i].mask = kind <= 1 ? m->options[i].mask : 0;
        m->options[i].skip = m->skips[i];
        m->options[i].skip_count = kind == 1 || kind == 2 ? 2 : 0;
    }
    m->query.items = kind <= 2 ? m->options : NULL;
    m->query.cull = kind == 3 ? SL_CULL_BACK : kind == 4 ? SL_CULL_FRONT : SL_CULL_NONE;
    m->query.flags |= kind == 5 ? SL_CROSSINGS : 0;
    m->query.flags |= kind == 6 ? SL_OPEN_START : 0;
    m->query.flags |= kind == 6 || kind == 7 ? SL_OPEN_END : 0;
}

/* The options of item i alone. */
static sl_options query_of(const many *m, size_t i)
{
    sl_options options = m->query;
    if (options.items != NULL) {
        options.mask = m->options[i].mask;
        options.skip = m->options[i].skip;
        options.skip_count = m->options[i].skip_count;
    }
    options.items = NULL;
    return options;
}

/* Item i as an array of one. */
static sl_rays one_of(const many *m, size_t i)
{
    return m->doubles
               ? (m->segments ? sl_segments_of_d(&m->lines_d[i], 1)
                              : sl_rays_of_d(&m->rays_d[i], 1))
               : (m->segments ? sl_segments_of(&m->lines[i], 1) : sl_rays_of(&m->rays[i], 1));
}

/* The rows from that of item i on. */
static sl_hits rows_of(const many *m, answers *a, size_t i)
{
    return m->doubles ? sl_hits_of_d(a->rows.doubles + i * ROW)
                      : sl_hits_of(a->rows.floats + i * ROW);
}

/* One at a time. */
static void query_one_by_one(const sl_bvh *scene, const many *m, answers *a)
{
    memset(&a->rows, 0xA5, sizeof a->rows);
    for (size_t i = 0; i < m->count; i++) {
        const sl_options options = query_of(m, i);
        sl_hit hit;
        a->totals[i] = all_of_one(scene, one_of(m, i), &options, rows_of(m, a, i), ROW, NULL);
        if (m->doubles) {
            a->any[i] = m->segments ? closest_of_one(scene, one_of(m, i), &options,
                                                     sl_hits_of_d(&a->hits[i]))
                                    : sl_bvh_closest_d(scene, &m->rays_d[i], &options, &a->hits[i]);
            continue;
        }
        a->any[i] = m->segments ? closest_of_one(scene, one_of(m, i), &options, sl_hits_of(&hit))
                                : sl_bvh_closest(scene, &m->rays[i], &options, &hit);
        a->hits[i] = hit_in_doubles(&hit);
    }
}

/* Rays or segments, of floats or doubles, as an array. */
static sl_rays rays_of(const many *m)
{
    return m->doubles
               ? (m->segments ? sl_segments_of_d(m->lines_d, m->count)
                              : sl_rays_of_d(m->rays_d, m->count))
               : (m->segments ? sl_segments_of(m->lines, m->count) : sl_rays_of(m->rays, m->count));
}

static void query_together(const sl_bvh *scene, const many *m, answers *a)
{
    static sl_hit hits[ITEMS];
    const sl_rays rays = rays_of(m);
    a->stats = (sl_stats){ .rays = 0 };
    memset(a->hits, 0xA5, sizeof a->hits);
    memset(a->any, 0xA5, sizeof a->any);
    sl_bvh_closest_many(scene, rays, &m->query,
                        m->doubles ? sl_hits_of_d(a->hits) : sl_hits_of(hits), NULL, &a->stats);
    for (size_t i = 0; i < m->count && !m->doubles; i++) {
        a->hits[i] = hit_in_doubles(&hits[i]);
    }
    sl_bvh_any_many(scene, rays, &m->query, a->any, NULL, NULL, &a->stats);
    memset(&a->rows, 0xA5, sizeof a->rows);
    sl_bvh_all_many(scene, rays, &m->query, rows_of(m, a, 0), ROW, a->totals, NULL, &a->stats);
    sl_bvh_all_many(scene, rays, &m->query, sl_hits_of(NULL), 0, a->counts, NULL, &a->stats);
    if (m->segments) {
        for (size_t i = 0; i < m->count; i++) {
            a->hints[i] = m->skips[i][i % 2];
        }
        sl_bvh_any_many(scene, rays, &m->query, a->hinted, a->hints, NULL, &a->stats);
        /* What blocked is a hint that blocks. */
        sl_bvh_any_many(scene, rays, &m->query, a->again, a->hints, NULL, &a->stats);
    } else {
        memcpy(a->hinted, a->any, sizeof a->any);
        memcpy(a->again, a->any, sizeof a->any);
    }
}

/* Whether a hint that is said to block is among all hits of the item. */
static bool blocks(const sl_bvh *scene, const many *m, size_t i, sl_triangle_ref hint)
{
    static sl_hit_d all[4096];
    const sl_options options = query_of(m, i);
    const sl_segment_d line = m->doubles ? m->lines_d[i] : sl_segment_d_from_segment(&m->lines[i]);
    const size_t total =
        all_of_one(scene, sl_segments_of_d(&line, 1), &options, sl_hits_of_d(all), 4096, NULL);
    for (size_t k = 0; k < total && k < 4096; k++) {
        if (all[k].instance == hint.instance && all[k].prim == hint.prim) {
            return true;
        }
    }
    return false;
}

static size_t count_wrong(const sl_bvh *scene, const many *m, const answers *expected,
                          const answers *a)
{
    size_t wrong = 0;
    for (size_t i = 0; i < m->count; i++) {
        const bool t_is_nan = isnan(expected->hits[i].t) && isnan(a->hits[i].t);
        wrong += t_is_nan ? a->hits[i].prim != SL_NONE
                          : memcmp(&a->hits[i], &expected->hits[i], sizeof a->hits[i]) != 0;
        const uint64_t total = expected->totals[i];
        const size_t kept = total < ROW ? (size_t)total : ROW;
        wrong += a->totals[i] != total || a->counts[i] != total;
        wrong += m->doubles ? memcmp(a->rows.doubles + i * ROW, expected->rows.doubles + i * ROW,
                                     kept * sizeof(sl_hit_d)) != 0
                            : memcmp(a->rows.floats + i * ROW, expected->rows.floats + i * ROW,
                                     kept * sizeof(sl_hit)) != 0;
        wrong += a->any[i] != expected->any[i];
        wrong += a->hinted[i] != expected->any[i];
        wrong += a->again[i] != expected->any[i];
        if (m->segments && a->hinted[i] == 1) {
            wrong += !blocks(scene, m, i, a->hints[i]);
        }
    }
    return wrong;
}

static uint64_t nodes, triangles, hits;

/* Of batches in a world of a kind. */
static size_t wrong_in(world_kind kind, size_t instances, bool coherent, bool no_margin,
                       int batches, uint64_t seed)
{
    test_random random = { seed };
    UNDONE(world_destroy) world_case world;
    size_t wrong = 0;
    static many m;
    static answers expected, a;
    world_make(&world, kind, instances, seed % 2 == 1, &random);
    for (int i = 0; i < batches; i++) {
        draw(world.scene, coherent, &random, &m);
        query_one_by_one(world.scene, &m, &expected);
        if (no_margin) {
            world_forget_margins(world.scene);
        }
        const sli_kernels *kernels, *own = world.scene->kernels;
        for (int k = 0; (kernels = sli_kernels_at(k)) != NULL; k++) {
            world.scene->kernels = kernels;
            query_together(world.scene, &m, &a);
            wrong += count_wrong(world.scene, &m, &expected, &a);
            nodes += a.stats.nodes;
            triangles += a.stats.triangles;
            hits += a.stats.hits;
        }
        world.scene->kernels = own;
        if (no_margin) {
            break; /* single answers are not right any more */
        }
    }
    return wrong;
}

TEST(batches_answer_as_single_calls_do)
{
    static const size_t sizes[] = { 1, 3, 40, 300 };
    const int batches = test_is_brief() ? 1 : 6 * (int)test_scale();
    for (int kind = 0; kind < WORLD_KINDS; kind++) {
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            const uint64_t seed = test_seed(SEED) + (uint64_t)(kind * 100 + (int)i);
            const size_t wrong = wrong_in((world_kind)kind, sizes[i], false, false, batches, seed);
            if (wrong > 0) {
                print_error("kind %d, %zu instances: %zu wrong\n", kind, sizes[i], wrong);
            }
            assert_int_equal(wrong, 0);
        }
    }
    assert_true(nodes > 0 && triangles > 0 && hits > 0);
}

/* Corners on a coarse grid are far from where the trees have them: frusta have to allow for it. */
TEST(packets_keep_the_margin)
{
    const uint64_t worlds = test_is_brief() ? 10 : 60 * (uint64_t)test_scale();
    for (uint64_t i = 0; i < worlds; i++) {
        assert_int_equal(wrong_in(WORLD_GRIDDED, 1 + i % 5, true, false, 8, SEED + i), 0);
    }
}

/* Rays start in the only instance, wherever it is. */
TEST(one_instance_answers_as_many_do)
{
    const uint64_t worlds = test_is_brief() ? 14 : 140 * (uint64_t)test_scale();
    for (uint64_t i = 0; i < worlds; i++) {
        const world_kind kind = i % 2 == 0 ? WORLD_MOVED : (world_kind)(i / 2 % WORLD_KINDS);
        assert_int_equal(wrong_in(kind, 1, i % 3 == 0, false, 4, SEED + 2 * i), 0);
    }
}

TEST(without_the_margin_hits_are_lost)
{
    size_t wrong = 0;
    for (uint64_t i = 0; i < 40; i++) {
        wrong += wrong_in(WORLD_GRIDDED, 20, false, true, 1, SEED + i);
    }
    assert_true(wrong > 0);
}

/* A walk of one ray counts the boxes of instances, too; a batch counts eight for each node. */
TEST(batches_do_not_go_one_by_one)
{
    test_needs_batches();
    test_random random = { SEED };
    UNDONE(world_destroy) world_case world;
    static many m;
    static answers a;
    world_make(&world, WORLD_PLAIN, 40, false, &random);
    uint64_t boxes = 0, all_nodes = 0, single_boxes = 0, single_nodes = 0;
    for (int i = 0; i < 10; i++) {
        draw(world.scene, false, &random, &m);
        query_together(world.scene, &m, &a);
        boxes += a.stats.boxes;
        all_nodes += a.stats.nodes;
        for (size_t k = 0; k < m.count; k++) {
            sl_stats stats = { .rays = 0 };
            sl_options options = m.query;
            options.items = NULL;
            (void)any_of_one(world.scene, sl_rays_of(&m.rays[k], 1), &options, &stats);
            single_boxes += stats.boxes;
            single_nodes += stats.nodes;
        }
    }
    assert_true(all_nodes > 1000 && single_nodes > 1000);
    assert_true((double)boxes < 8.5 * (double)all_nodes); /* invalid items and the like */
    assert_true((double)single_boxes > 9.5 * (double)single_nodes);
}
