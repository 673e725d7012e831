/* All hits of arrays, counted and listed by batches (stream/leaves_all.inl), against one ray at a
 * time, which the plain kernel walks: hard rays and segments, every kernel, both layouts, trees
 * whose triangles are cut, and all options. */
#include "bvh/kernel/kernel.h"
#include "test/support/hard/rays.h"
#include "test/support/query/of_one.h"
#include "test/support/test.h"

enum { SEED = 20261127, COUNT = 300, ROW = 64, WAYS = 6 };

typedef struct lines {
    sl_ray rays[COUNT];
    sl_segment segments[COUNT];
    sl_item_options items[COUNT];
    sl_triangle_ref skips[COUNT];
} lines;

typedef struct rows {
    sl_hit hits[COUNT * ROW];
    uint64_t totals[COUNT];
    sl_stats stats;
} rows;

static void draw(const sl_mesh *mesh, test_random *random, lines *l)
{
    for (uint32_t i = 0; i < COUNT; i++) {
        const hard_ray hard = hard_ray_make(mesh, (hard_kind)(i % HARD_KINDS), random);
        const sl_segment *s = &hard.segment;
        l->rays[i] = hard.ray;
        l->segments[i] = hard.segment;
        for (int axis = 0; axis < 3; axis++) {
            const float to = hard.ray.origin[axis] + hard.ray.dir[axis];
            if (hard.is_segment) {
                l->rays[i].origin[axis] = s->p[axis];
                l->rays[i].dir[axis] = s->q[axis] - s->p[axis];
                l->rays[i].tmax = i % 2 == 0 ? 1 : INFINITY;
            } else {
                l->segments[i].p[axis] = hard.ray.origin[axis];
                l->segments[i].q[axis] = to;
            }
        }
        l->rays[i].tmin = i % 11 == 0 ? NAN : l->rays[i].tmin;
        l->skips[i].prim = test_random_below(random, 50);
        l->items[i] = (sl_item_options){ .mask = i % 3, .skip = &l->skips[i], .skip_count = i % 2 };
    }
}

static sl_options options_of(int way)
{
    return (sl_options){ .cull = way == 1   ? SL_CULL_BACK
                                 : way == 2 ? SL_CULL_FRONT
                                            : SL_CULL_NONE,
                         .flags = way == 3   ? SL_CROSSINGS
                                  : way == 4 ? SL_OPEN_START | SL_OPEN_END
                                             : 0u };
}

static sl_rays some_of(const lines *l, bool segments, size_t first, size_t count)
{
    return segments ? sl_segments_of(l->segments + first, count)
                    : sl_rays_of(l->rays + first, count);
}

static void expect_same(const rows *expected, const rows *found, size_t capacity)
{
    assert_int_equal(found->stats.rays, COUNT);
    assert_memory_equal(expected->totals, found->totals, sizeof found->totals);
    for (size_t i = 0; i < COUNT; i++) {
        const size_t kept = expected->totals[i] < capacity ? (size_t)expected->totals[i] : capacity;
        assert_memory_equal(&expected->hits[i * ROW], &found->hits[i * capacity],
                            kept * sizeof(sl_hit));
    }
}

/* Returns how many hits there are. */
static uint64_t ask(sl_bvh *bvh, const lines *l, bool segments, int way)
{
    static rows expected, found;
    static const size_t capacities[] = { 0, 1, 3, ROW };
    sl_options options = options_of(way);
    uint64_t hits = 0;
    for (size_t i = 0; i < COUNT; i++) {
        options.items = way == 5 ? &l->items[i] : NULL;
        expected.totals[i] = all_of_one(bvh, some_of(l, segments, i, 1), &options,
                                        sl_hits_of(&expected.hits[i * ROW]), ROW, NULL);
        hits += expected.totals[i];
    }
    options.items = way == 5 ? l->items : NULL;
    for (int k = 0; sli_kernels_at(k) != NULL; k++) {
        bvh->kernels = sli_kernels_at(k);
        for (size_t c = 0; c < sizeof capacities / sizeof *capacities; c++) {
            found.stats = (sl_stats){ .rays = 0 };
            sl_bvh_all_many(bvh, some_of(l, segments, 0, COUNT), &options,
                            sl_hits_of(capacities[c] > 0 ? found.hits : NULL), capacities[c],
                            found.totals, NULL, &found.stats);
            expect_same(&expected, &found, capacities[c]);
        }
    }
    bvh->kernels = sli_kernels_select();
    return hits;
}

static sl_mesh *scene(int i)
{
    return i == 0   ? made_soup(3000, 0.6f, 5)
           : i == 1 ? made_grid(20, 20, 0, 1) /* flat, so that rays run in its plane */
                    : made_torus(30, 20, 3, 1);
}

TEST(all_hits_of_arrays_are_those_of_single_rays)
{
    static lines l;
    test_random random = { test_seed(SEED) };
    const sl_build_def defs[] = { { .quality = SL_BVH_QUALITY_DEFAULT },
                                  { .quality = SL_BVH_QUALITY_HIGH },
                                  { .layout = SL_BVH_LAYOUT_COMPACT } };
    for (int s = 0; s < 3; s++) {
        OWN(sl_mesh) mesh = scene(s);
        for (size_t d = 0; d < sizeof defs / sizeof *defs; d++) {
            OWN(sl_bvh) bvh = made_bvh(mesh, &defs[d]);
            const sl_bvh_info info = sl_bvh_get_info(bvh);
            assert_true(s != 0 || d != 1 || info.reference_count > info.triangle_count);
            draw(mesh, &random, &l);
            uint64_t hits = 0;
            for (int way = 0; way < WAYS; way++) {
                hits += ask(bvh, &l, false, way) + ask(bvh, &l, true, way);
            }
            assert_true(hits > COUNT);
        }
    }
}

/* A walk of one ray decides each hit in doubles; of arrays floats count nearly all. */
TEST(few_hits_are_left_to_doubles)
{
    static lines l;
    static uint64_t totals[COUNT];
    test_random random = { SEED };
    OWN(sl_mesh) mesh = scene(0);
    OWN(sl_bvh) bvh = made_bvh(mesh, NULL);
    for (size_t i = 0; i < COUNT; i++) {
        l.rays[i] = hard_ray_make(mesh, HARD_BOX, &random).ray;
    }
    sl_stats stats = { .rays = 0 };
    sl_bvh_all_many(bvh, sl_rays_of(l.rays, COUNT), NULL, sl_hits_of(NULL), 0, totals, NULL,
                    &stats);
    assert_true(stats.hits > 10 * COUNT);
    assert_true(stats.double_stage + stats.exact_stage < stats.hits / 10);
}
