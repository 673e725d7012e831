/* Arrays of any layout: whatever they look like, the answers are those of plain ones, on either
 * kind of tree. */
#include "test/support/environment/needs.h"
#include "test/support/hard/rays.h"
#include "test/support/query/of_one.h"
#include "test/support/test.h"

enum { COUNT = 450, KEPT = 5, SEED = 20261127, UNTOUCHED = 0x5A };

/* Plain arrays: the same items in floats and in doubles. */
static sl_ray rays[COUNT];
static sl_ray_d rays_d[COUNT];
static sl_segment segments[COUNT];
static sl_segment_d segments_d[COUNT];

/* Hard rays and segments, and rays through the middle, about a torus. */
static sl_bvh *open_tree(void)
{
    test_random random = { SEED };
    OWN(sl_mesh) mesh = made_torus(24, 12, 2, 1);
    sl_bvh *tree = made_bvh(mesh, NULL);
    for (int i = 0; i < COUNT; i++) {
        rays[i] = hard_ray_make(mesh, i % 2 == 0 ? HARD_BOX : HARD_AXIS, &random).ray;
        segments[i] = hard_ray_make(mesh, i % 2 == 0 ? HARD_EDGE : HARD_BOX, &random).segment;
        for (int axis = 0; axis < 3 && i % 3 == 0; axis++) {
            rays[i].origin[axis] = test_random_in(&random, -4, 4);
            rays[i].dir[axis] = -rays[i].origin[axis];
        }
        rays[i].tmax = i % 4 == 0 ? 1.5f : rays[i].tmax;
        rays_d[i] = sl_ray_d_from_ray(&rays[i]);
        segments_d[i] = sl_segment_d_from_segment(&segments[i]);
    }
    return tree;
}

static sl_rays plain_rays(bool are_segments, sl_number number)
{
    return are_segments          ? number == SL_DOUBLE ? sl_segments_of_d(segments_d, COUNT)
                                                       : sl_segments_of(segments, COUNT)
                    : number == SL_DOUBLE ? sl_rays_of_d(rays_d, COUNT)
                                 : sl_rays_of(rays, COUNT);
}

/* Copies plain rays: as an array for each number, or as structs that are not aligned, in another
 * order. */
static sl_rays lay_out(sl_rays from, bool apart, unsigned char *to)
{
    const size_t size = from.number == SL_DOUBLE ? sizeof(double) : sizeof(float);
    const size_t stride = apart ? size : 8 * size + 3, step = apart ? COUNT * size : size;
    const unsigned char *o = from.origin[0], *d = from.dir[0];
    const unsigned char *number[8] = { from.tmax, d,        d + size,     d + 2 * size,
                                       o,         o + size, o + 2 * size, from.tmin };
    sl_rays out = { .count = COUNT, .number = from.number, .segments = from.segments };
    to += apart ? 0 : 1;
    for (size_t k = 0; k < 8; k++) {
        for (size_t i = 0; number[k] != NULL && i < COUNT; i++) {
            memcpy(to + k * step + i * stride, number[k] + i * from.dir_stride, size);
        }
    }
    for (size_t axis = 0; axis < (apart ? 3 : 1); axis++) {
        out.dir[axis] = to + (1 + axis) * step;
        out.origin[axis] = to + (4 + axis) * step;
    }
    out.tmax = from.segments ? NULL : to;
    out.tmin = from.segments ? NULL : to + 7 * step;
    out.origin_stride = out.dir_stride = out.tmin_stride = out.tmax_stride = apart ? 0 : stride;
    return out;
}

/* Where hits go that are not plain: an array for each number, or some numbers of larger structs. */
static sl_hits lay_out_hits(sl_number number, bool apart, unsigned char *to)
{
    enum { STEP = COUNT * KEPT * sizeof(double) };
    memset(to, UNTOUCHED, 6 * (size_t)STEP);
    void *const at[6] = {
        to, to + STEP, to + 2 * STEP, to + 3 * STEP, to + 4 * STEP, to + 5 * STEP
    };
    return apart ? (sl_hits){ .t = at[0],
                              .u = at[1],
                              .v = at[2],
                              .prim = at[3],
                              .instance = at[4],
                              .flags = at[5],
                              .number = number }
                 : (sl_hits){ .t = to + 8,
                              .prim = (uint32_t *)(void *)(to + 20),
                              .instance = (uint32_t *)(void *)(to + 4),
                              .stride = 40,
                              .number = number };
}

/* Whether number i of two arrays is the same, where the first one has it. */
static bool is_same(const void *a, size_t stride_a, const void *b, size_t stride_b, size_t size,
                    size_t i)
{
    return a == NULL || memcmp((const char *)a + i * (stride_a != 0 ? stride_a : size),
                               (const char *)b + i * stride_b, size) == 0;
}

/* Hit i is the plain one, in those numbers that are wanted; what lies beside them in structs is
 * untouched. */
static void assert_same_hit(const sl_hits *hits, const sl_hits *plain, size_t i)
{
    const size_t s = hits->stride, p = plain->stride;
    assert_true(is_same(hits->t, s, plain->t, p, hits->number == SL_DOUBLE ? 8 : 4, i) &&
                is_same(hits->u, s, plain->u, p, 4, i) && is_same(hits->v, s, plain->v, p, 4, i) &&
                is_same(hits->prim, s, plain->prim, p, 4, i) &&
                is_same(hits->instance, s, plain->instance, p, 4, i) &&
                is_same(hits->flags, s, plain->flags, p, 4, i));
    const unsigned char *begin = (const unsigned char *)hits->t + i * s - 8;
    assert_true(s == 0 ||
                (begin[0] == UNTOUCHED && begin[3] == UNTOUCHED && begin[16] == UNTOUCHED &&
                 begin[24] == UNTOUCHED && begin[s - 1] == UNTOUCHED));
}

/* Asks the same of plain items, with plain hits, and of others in any layout, with such hits. */
static void compare(const sl_bvh *bvh, sl_rays plain, sl_hits expected, sl_rays items, sl_hits hits)
{
    static uint64_t totals[COUNT], plain_totals[COUNT];
    static sl_triangle_ref hints[COUNT];
    uint8_t any[COUNT], plain_any[COUNT];
    size_t several = 0;
    sl_bvh_closest_many(bvh, plain, NULL, expected, NULL, NULL);
    sl_bvh_closest_many(bvh, items, NULL, hits, NULL, NULL);
    for (size_t i = 0; i < COUNT; i++) {
        assert_same_hit(&hits, &expected, i);
    }
    sl_bvh_next_many(bvh, plain, NULL, expected, NULL, NULL);
    sl_bvh_next_many(bvh, items, NULL, hits, NULL, NULL);
    for (size_t i = 0; i < COUNT; i++) {
        assert_same_hit(&hits, &expected, i);
    }
    sl_bvh_all_many(bvh, plain, NULL, expected, KEPT, plain_totals, NULL, NULL);
    sl_bvh_all_many(bvh, items, NULL, hits, KEPT, totals, NULL, NULL);
    for (int round = 0; round < 2; round++) { /* then items in any layout with plain hits */
        assert_memory_equal(totals, plain_totals, sizeof totals);
        for (size_t i = 0; i < COUNT; i++) {
            several += totals[i] > 1;
            for (size_t k = 0; k < totals[i] && k < KEPT; k++) {
                assert_same_hit(&hits, &expected, i * KEPT + k);
            }
        }
        memset(expected.t, UNTOUCHED, COUNT * KEPT * expected.stride);
        sl_bvh_all_many(bvh, items, NULL, expected, KEPT, totals, NULL, NULL);
    }
    assert_true(several > COUNT / 10);
    sl_bvh_any_many(bvh, plain, NULL, plain_any, NULL, NULL, NULL);
    memset(hints, 0xFF, sizeof hints);
    for (int round = 0; round < 3; round++) { /* without hints, with bad and with good ones */
        sl_bvh_any_many(bvh, items, NULL, any, round == 0 ? NULL : hints, NULL, NULL);
        assert_memory_equal(any, plain_any, sizeof any);
        for (size_t i = 0; i < COUNT; i++) {
            assert_int_equal(hints[i].prim != SL_NONE, round > 0 && any[i]);
        }
    }
}

/* Rays and segments in floats and in doubles, in each layout, with hits of either type in each. */
TEST(layouts_change_no_answer)
{
    static unsigned char of_items[8 * COUNT * (sizeof(double) + 1)];
    static _Alignas(16) unsigned char of_hits[6 * COUNT * KEPT * sizeof(double)];
    static sl_hit floats[COUNT * KEPT];
    static sl_hit_d doubles[COUNT * KEPT];
    OWN(sl_bvh) tree = open_tree();
    const sl_instance one = sl_instance_of(tree);
    OWN(sl_bvh) scene = made_scene(&one, 1, NULL);
    for (int form = 0; form < 64; form++) {
        const sl_number number = form & 1 ? SL_DOUBLE : SL_FLOAT,
                        reported = form & 2 ? SL_DOUBLE : SL_FLOAT;
        const sl_rays items = lay_out(plain_rays(form & 4, number), form & 8, of_items);
        compare(form & 32 ? scene : tree, plain_rays(form & 4, reported),
                reported == SL_DOUBLE ? sl_hits_of_d(doubles) : sl_hits_of(floats), items,
                lay_out_hits(reported, form & 16, of_hits));
    }
}

/* One origin, and one limit, for directions that lie in structs. */
TEST(one_number_may_be_that_of_all)
{
    OWN(sl_bvh) tree = open_tree();
    const float origin[3] = { 0.1f, 0.2f, 5 }, limit = 9;
    sl_ray each[COUNT];
    sl_hit hits[COUNT], expected[COUNT];
    sl_rays same = sl_rays_of(rays, COUNT);
    for (int axis = 0; axis < 3; axis++) {
        same.origin[axis] = &origin[axis];
    }
    same.tmin = NULL;
    same.tmax = &limit;
    same.origin_stride = same.tmax_stride = SL_SAME;
    for (int i = 0; i < COUNT; i++) {
        each[i] = sl_ray_make(origin, rays[i].dir);
        each[i].tmax = limit;
    }
    sl_bvh_closest_many(tree, sl_rays_of(each, COUNT), NULL, sl_hits_of(expected), NULL, NULL);
    sl_bvh_closest_many(tree, same, NULL, sl_hits_of(hits), NULL, NULL);
    assert_memory_equal(hits, expected, sizeof hits);
}

TEST(options_of_each_ray_and_statistics_stay_with_it)
{
    static unsigned char of_items[8 * COUNT * sizeof(float)];
    OWN(sl_bvh) tree = open_tree();
    sl_item_options options[COUNT];
    sl_triangle_ref own[COUNT];
    sl_hit hits[COUNT], without[COUNT], expected[COUNT];
    sl_stats stats = { 0 };
    const sl_rays plain = sl_rays_of(rays, COUNT);
    sl_bvh_closest_many(tree, plain, NULL, sl_hits_of(hits), NULL, NULL);
    for (int i = 0; i < COUNT; i++) {
        own[i] = (sl_triangle_ref){ 0, hits[i].prim };
        options[i] = (sl_item_options){ .skip = &own[i], .skip_count = 1 };
    }
    const sl_options query = { .items = options };
    sl_bvh_closest_many(tree, plain, &query, sl_hits_of(expected), NULL, NULL);
    sl_bvh_closest_many(tree, lay_out(plain, true, of_items), &query, sl_hits_of(without), NULL,
                        &stats);
    assert_memory_equal(without, expected, sizeof without);
    assert_int_equal(stats.rays, COUNT);
    for (int i = 0; i < COUNT; i++) {
        assert_true(without[i].prim == SL_NONE || without[i].prim != hits[i].prim);
    }
}

/* Of numbers in floats; what is in doubles goes to the tree as if there were none. */
TEST(proxies_stand_before_either_kind_of_tree)
{
    OWN(sl_bvh) tree = open_tree();
    const sl_instance one = sl_instance_of(tree);
    OWN(sl_bvh) scene = made_scene(&one, 1, NULL);
    const sl_proxy nowhere = { .kind = SL_PROXY_SPHERE,
                               .shape.sphere = { .centre = { 90, 90, 90 }, .radius = 1 } };
    const sl_options options = { .proxy = &nowhere };
    const float point[3] = { 2, 0, 0 };
    const double point_d[3] = { 2, 0, 0 };
    const sl_volume ball = { SL_VOLUME_SPHERE, { .sphere = { .radius = 1.5f } } };
    for (int kind = 0; kind < 2; kind++) {
        const sl_bvh *bvh = kind == 0 ? tree : scene;
        sl_hit hits[COUNT];
        sl_hit_d with[COUNT], without[COUNT];
        uint32_t instance;
        sl_bvh_closest_many(bvh, sl_rays_of(rays, COUNT), &options, sl_hits_of(hits), NULL, NULL);
        for (int i = 0; i < COUNT; i++) {
            assert_int_equal(hits[i].prim, SL_NONE);
        }
        const sl_rays doubles = sl_rays_of_d(rays_d, COUNT);
        sl_bvh_closest_many(bvh, doubles, NULL, sl_hits_of_d(without), NULL, NULL);
        sl_bvh_closest_many(bvh, doubles, &options, sl_hits_of_d(with), NULL, NULL);
        assert_memory_equal(with, without, sizeof with);
        assert_int_equal(sl_bvh_inside(bvh, point, &options, &instance, 1), 0);
        assert_int_equal(inside_of_one_d(bvh, point_d, &options, &instance, 1), 1);
        assert_false(sl_bvh_nearest(bvh, point, 9, &options, NULL));
        assert_true(sl_bvh_nearest_d(bvh, point_d, 9, &options, NULL));
        assert_false(sl_bvh_overlap_any(bvh, &ball, &options));
        assert_true(sl_bvh_overlap_any(bvh, &ball, NULL));
    }
}

/* Counting does not change how rays from one point are traced. */
TEST(rays_from_one_point_go_together_where_they_are_counted)
{
    test_needs_batches();
    static float dirs[COUNT][3];
    uint8_t any[COUNT], counted[COUNT];
    OWN(sl_bvh) tree = open_tree();
    sl_stats stats = { .rays = 0 }, alone = { .rays = 0 };
    const float origin[3] = { 0, 0, 5 };
    sl_ray each[COUNT];
    for (int i = 0; i < COUNT; i++) {
        for (int axis = 0; axis < 3; axis++) { /* to about the torus */
            dirs[i][axis] = axis < 2 ? rays[i].dir[axis] : -1;
        }
        each[i] = sl_ray_make(origin, dirs[i]);
    }
    const sl_rays from = sl_rays_from(origin, dirs[0], COUNT, SL_FLOAT);
    sl_bvh_any_many(tree, from, NULL, any, NULL, NULL, NULL);
    sl_bvh_any_many(tree, from, NULL, counted, NULL, NULL, &stats);
    assert_memory_equal(any, counted, sizeof any);
    sl_bvh_any_many(tree, sl_rays_of(each, COUNT), NULL, counted, NULL, NULL, &alone);
    assert_memory_equal(any, counted, sizeof any);
    assert_int_equal(stats.rays, COUNT);
    assert_true(stats.nodes != alone.nodes); /* sorted by direction first */
}

/* More hits than are found at a walk: the row has the nearest, and nothing behind them. */
TEST(long_rows_of_hits_end_where_the_hits_do)
{
    enum { SHEETS = 40, CAPACITY = 100 };
    float xyz[SHEETS][3][3];
    for (int i = 0; i < SHEETS; i++) {
        memcpy(xyz[i],
               (float[3][3]){ { -1, -1, (float)i }, { 2, -1, (float)i }, { -1, 2, (float)i } },
               sizeof xyz[i]);
    }
    OWN(sl_mesh) mesh = NULL;
    assert_int_equal(sl_mesh_from_arrays(xyz[0][0], 3 * SHEETS, NULL, SHEETS, NULL, &mesh, NULL),
                     SL_OK);
    OWN(sl_bvh) tree = made_bvh(mesh, NULL);
    const sl_instance moved = { .bvh = tree, .transform = sl_transform_identity() };
    OWN(sl_bvh) scene = made_scene(&moved, 1, NULL);
    const sl_ray ray = { .origin = { 0, 0, -1 }, .dir = { 0, 0, 1 }, .tmax = INFINITY };
    for (int kind = 0; kind < 4; kind++) {
        const sl_bvh *bvh = kind % 2 == 0 ? tree : scene;
        double t_d[CAPACITY];
        float t[CAPACITY];
        uint32_t prim[CAPACITY];
        memset(prim, UNTOUCHED, sizeof prim);
        const sl_hits hits = { .t = kind < 2 ? (void *)t : (void *)t_d,
                               .prim = prim,
                               .number = kind < 2 ? SL_FLOAT : SL_DOUBLE };
        uint64_t total;
        sl_bvh_all_many(bvh, sl_rays_of(&ray, 1), NULL, hits, CAPACITY, &total, NULL, NULL);
        assert_int_equal(total, SHEETS);
        for (uint32_t i = 0; i < CAPACITY; i++) {
            assert_int_equal(prim[i], i < SHEETS ? i : UNTOUCHED * 0x01010101u);
        }
    }
}

/* A tree over triangles is instance 0, for numbers of either type. */
TEST(ignored_instances_are_left_out_of_trees_over_triangles)
{
    OWN(sl_bvh) tree = open_tree();
    const sl_instance_range own = { .first = 0, .count = 1 };
    const sl_item_options row = { .ignore = &own, .ignore_count = 1 };
    const sl_options both[] = { { .ignore = &own, .ignore_count = 1 }, { .items = &row } };
    const sl_ray ray = { .origin = { 2, 0, -5 }, .dir = { 0, 0, 1 }, .tmax = INFINITY };
    const sl_ray_d ray_d = sl_ray_d_from_ray(&ray);
    const sl_volume ball = { SL_VOLUME_SPHERE, { .sphere = { .radius = 1.5f } } };
    for (int i = 0; i < 2; i++) {
        assert_true(sl_bvh_closest(tree, &ray, NULL, NULL));
        assert_false(sl_bvh_closest(tree, &ray, &both[i], NULL));
        assert_false(sl_bvh_closest_d(tree, &ray_d, &both[i], NULL));
        assert_false(sl_bvh_any(tree, &ray, &both[i]));
        assert_false(sl_bvh_nearest(tree, ray.origin, INFINITY, &both[i], NULL));
        assert_false(sl_bvh_overlap_any(tree, &ball, &both[i]));
        assert_int_equal(sl_bvh_all(tree, &ray, &both[i], NULL, 0), 0);
    }
}
