/* Short arrays that are not counted go to kernels another way than others (bvh/query/rays.c): the
 * answers are the same, and nothing behind them is written. */
#include "test/support/hard/rays.h"
#include "test/support/test.h"

enum { SEED = 20261125 };

TEST(short_arrays_answer_as_counted_ones_do)
{
    enum { COUNT = 70, UNTOUCHED = 7 };
    test_random random = { SEED };
    OWN(sl_mesh) mesh = made_soup(500, 0.3f, SEED);
    static uint32_t masks[500];
    for (uint32_t i = 0; i < 500; i++) {
        masks[i] = 1u << i % 8;
    }
    sl_build_def def = { .masks = masks };
    OWN(sl_bvh) bvh = made_bvh(mesh, &def);
    static sl_ray rays[COUNT];
    static sl_segment segments[COUNT];
    static sl_item_options opts[COUNT];
    for (int i = 0; i < COUNT; i++) {
        rays[i] = hard_ray_make(mesh, i % 2 ? HARD_BEYOND : HARD_BOX, &random).ray;
        segments[i] = hard_ray_make(mesh, i % 2 ? HARD_VERTEX : HARD_EDGE, &random).segment;
        opts[i] = (sl_item_options){ .mask = test_random_below(&random, 256) };
    }
    size_t found = 0;
    for (size_t count = 0; count <= COUNT; count++) {
        sl_hit hits[2][COUNT + 1], ends[2][COUNT + 1];
        uint8_t any[2][COUNT + 1], occluded[2][COUNT + 1], hinted[2][COUNT + 1];
        sl_triangle_ref hint[COUNT + 1];
        sl_stats stats = { 0 };
        memset(hits, UNTOUCHED, sizeof hits);
        memset(ends, UNTOUCHED, sizeof ends);
        memset(any, UNTOUCHED, sizeof any);
        memset(occluded, UNTOUCHED, sizeof occluded);
        memset(hinted, UNTOUCHED, sizeof hinted);
        for (int counted = 0; counted < 2; counted++) {
            const sl_options options = { .items = opts };
            for (uint32_t i = 0; i <= COUNT; i++) {
                hint[i] = (sl_triangle_ref){ .prim = i * 9 };
            }
            sl_bvh_closest_many(bvh, sl_rays_of(rays, count), &options, sl_hits_of(hits[counted]),
                                NULL, counted ? &stats : NULL);
            sl_bvh_any_many(bvh, sl_rays_of(rays, count), &options, any[counted], NULL, NULL,
                            counted ? &stats : NULL);
            sl_bvh_closest_many(bvh, sl_segments_of(segments, count), &options,
                                sl_hits_of(ends[counted]), NULL, counted ? &stats : NULL);
            sl_bvh_any_many(bvh, sl_segments_of(segments, count), &options, occluded[counted], NULL,
                            NULL, counted ? &stats : NULL);
            sl_bvh_any_many(bvh, sl_segments_of(segments, count), &options, hinted[counted], hint,
                            NULL, counted ? &stats : NULL);
            assert_int_equal(hint[count].prim, count * 9);
        }
        assert_int_equal(stats.rays, 5 * count);
        assert_memory_equal(hits[0], hits[1], sizeof hits[0]);
        assert_memory_equal(ends[0], ends[1], sizeof ends[0]);
        assert_memory_equal(any[0], any[1], sizeof any[0]);
        assert_memory_equal(occluded[0], occluded[1], sizeof occluded[0]);
        assert_memory_equal(hinted[0], occluded[0], sizeof hinted[0]);
        assert_memory_equal(hinted[1], occluded[0], sizeof hinted[1]);
        assert_int_equal(any[0][count], UNTOUCHED);
        for (size_t i = 0; i < count; i++) {
            assert_int_equal(any[0][i], hits[0][i].prim != SL_NONE);
            found += any[0][i];
        }
    }
    assert_true(found > 100);
}
