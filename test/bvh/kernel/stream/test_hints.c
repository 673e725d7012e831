/* Segments with a hint each, a triangle that may block it: hints change no answer, whatever they
 * name. */
#include "bvh/kernel/kernel.h"
#include "test/support/hard/rays.h"
#include "test/support/input/moved.h"
#include "test/support/test.h"

enum { SEED = 20261122, COUNT = 1000 };

typedef struct game {
    sl_mesh *mesh;
    sl_bvh *bvh;
    sl_segment segments[COUNT];
    sl_item_options options[COUNT];
    sl_triangle_ref skips[COUNT];
    sl_triangle_ref given[COUNT], hint[COUNT]; /* given: hints before the query */
    uint8_t plain[COUNT], hinted[COUNT];
} game;

/* Segments at vertices and edges, invalid ones among them; the last stands at the end of its
 * memory. */
static void open_game(game *g, sl_bvh_layout layout, float scale)
{
    uint32_t masks[1200];
    test_random random = { SEED };
    sl_mesh *mesh = made_torus(30, 20, 3, 1);
    g->mesh = test_mesh_moved(mesh, scale, 0);
    const uint32_t count = (uint32_t)sl_mesh_soup(g->mesh).triangle_count;
    assert_int_equal(count, 1200);
    for (uint32_t i = 0; i < count; i++) {
        masks[i] = i;
    }
    sl_build_def def = { .layout = layout, .masks = masks };
    g->bvh = NULL;
    g->bvh = made_bvh(g->mesh, &def);
    const hard_kind kinds[4] = { HARD_VERTEX, HARD_EDGE, HARD_BESIDE, HARD_INPLANE };
    for (int i = 0; i < COUNT; i++) {
        sl_segment *s = &g->segments[i];
        *s = hard_ray_make(g->mesh, kinds[i % 4], &random).segment;
        if (i % 50 == 0) {
            s->q[i % 3] = i % 100 == 0 ? NAN : INFINITY;
        } else if (i % 50 == 1) {
            memcpy(s->q, s->p, sizeof s->q);
        }
        g->options[i] = (sl_item_options){ .mask = test_random_below(&random, 64),
                                           .skip = &g->skips[i],
                                           .skip_count = 1 };
        g->skips[i] = (sl_triangle_ref){ 0, test_random_below(&random, count) };
        g->given[i].prim = i % 7 == 0 ? SL_NONE : test_random_below(&random, count + 50);
        g->given[i].instance = i % 11 == 0; /* names nothing */
    }
}

static void close_game(game *g)
{
    unmake_bvh(g->bvh, g->mesh);
}

/* Asks twice, the second time with what the first one found; returns how many are blocked. */
static int query_with_guesses(game *g, const sl_options *options, size_t count)
{
    int occluded = 0;
    sl_stats stats = { .rays = 0 };
    sl_bvh_any_many(g->bvh, sl_segments_of(g->segments, count), options, g->plain, NULL, NULL,
                    NULL);
    memcpy(g->hint, g->given, sizeof g->hint);
    for (int round = 0; round < 2; round++) {
        memset(g->hinted, 2, sizeof g->hinted);
        sl_bvh_any_many(g->bvh, sl_segments_of(g->segments, count), options, g->hinted, g->hint,
                        NULL, &stats);
        for (size_t i = 0; i < count; i++) {
            if (g->hinted[i] != g->plain[i]) {
                fail_msg("segment %zu of %zu, kernel %s, round %d", i, count, g->bvh->kernels->name,
                         round);
            }
            assert_true(g->plain[i] != 0
                            ? g->hint[i].instance == 0
                            : memcmp(&g->hint[i], &g->given[i], sizeof g->hint[i]) == 0);
            occluded += g->plain[i];
        }
    }
    assert_int_equal(stats.rays, 2 * count);
    return occluded;
}

TEST(guesses_change_no_answer)
{
    static game g;
    const float scales[3] = { 1, 1e25f, 1e-25f };
    for (int i = 0; i < 6; i++) {
        open_game(&g, i % 2 == 0 ? SL_BVH_LAYOUT_DEFAULT : SL_BVH_LAYOUT_COMPACT, scales[i / 2]);
        const sl_options queries[5] = {
            { .flags = 0 },
            { .cull = SL_CULL_BACK },
            { .flags = SL_CROSSINGS },
            { .flags = SL_OPEN_END, .cull = SL_CULL_FRONT },
            { .items = g.options },
        };
        for (int k = 0; sli_kernels_at(k) != NULL; k++) {
            g.bvh->kernels = sli_kernels_at(k);
            for (int q = 0; q < 5; q++) {
                assert_true(query_with_guesses(&g, &queries[q], COUNT) > COUNT / 10);
                for (size_t count = 1; count < 12; count++) {
                    (void)query_with_guesses(&g, &queries[q], count);
                }
            }
        }
        close_game(&g);
    }
}

/* Else nothing would be gained. */
TEST(good_guesses_need_no_tree)
{
    static game g;
    open_game(&g, SL_BVH_LAYOUT_DEFAULT, 1);
    sl_stats first = { .rays = 0 }, again = { .rays = 0 };
    for (int i = 0; i < COUNT; i++) {
        g.hint[i] = (sl_triangle_ref){ .prim = SL_NONE };
    }
    sl_bvh_any_many(g.bvh, sl_segments_of(g.segments, COUNT), NULL, g.hinted, g.hint, NULL, &first);
    size_t found = 0;
    for (int i = 0; i < COUNT; i++) { /* blocked segments, and their blockers */
        g.segments[found] = g.segments[i];
        g.hint[found] = g.hint[i];
        found += g.hinted[i];
    }
    sl_bvh_any_many(g.bvh, sl_segments_of(g.segments, found), NULL, g.hinted, g.hint, NULL, &again);
    assert_true(found > COUNT / 4 && first.nodes > found);
    assert_int_equal(again.nodes, 0);
    assert_int_equal(again.rays, found);
    assert_int_equal(again.triangles, found);
    assert_int_equal(again.hits, found);
    close_game(&g);
}
