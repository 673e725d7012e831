/* Every question about rays of ask/verify.c notices when the tree and the triangles are not the
 * same. */
#include "test/support/test.h"
#include "tools/ask/verify.h"

enum { RAYS = 3 };

/* Three triangles over one another at z = 0, 1 and 2, and a tree over them. */
typedef struct layers {
    float xyz[27];
    uint32_t indices[9];
    sl_mesh *mesh;
    sl_bvh *bvh;
    sl_pool *pool;
    ask_world world;
    verifier verifier;
    verify_sums sums;
} layers;

static void setup(layers *l, bool are_segments)
{
    memset(l, 0, sizeof *l);
    for (uint32_t i = 0; i < 9; i++) {
        const float corner[3][2] = { { 0, 0 }, { 4, 0 }, { 0, 4 } };
        l->xyz[3 * i] = corner[i % 3][0];
        l->xyz[3 * i + 1] = corner[i % 3][1];
        l->xyz[3 * i + 2] = (float)(i / 3);
        l->indices[i] = i;
    }
    l->mesh = made_mesh(l->xyz, 9, l->indices, 3, NULL);
    l->bvh = made_bvh(l->mesh, NULL);
    l->pool = made_pool(2);
    l->world = (ask_world){ .in = { .bvh = l->bvh },
                            .soup = { .xyz = l->xyz, .indices = l->indices, .triangle_count = 3 },
                            .tasks = sl_pool_tasks(l->pool) };
    const ask_block def = { .kind = are_segments ? ASK_SEGMENTS : ASK_RAYS,
                            .type = ASK_HITS,
                            .capacity = RAYS };
    assert_true(verifier_make(&l->verifier, &l->world, &verify_rays, &def, false, false));
    ask_block *block = &l->verifier.block;
    /* From below through all three, from above through all three, and past them. */
    const float from[RAYS][3] = { { 1, 1, -1 }, { 1, 1, 3 }, { 5, 5, -1 } };
    const float to[RAYS][3] = { { 1, 1, 3 }, { 1, 1, -1 }, { 5, 5, 3 } };
    for (int i = 0; i < RAYS; i++) {
        if (are_segments) {
            sl_segment *segment = ask_block_element(block, (size_t)i);
            memcpy(segment->p, from[i], sizeof from[i]);
            memcpy(segment->q, to[i], sizeof to[i]);
        } else {
            const float dir[3] = { 0, 0, i == 1 ? -1.0f : 1.0f };
            *(sl_ray *)ask_block_element(block, (size_t)i) = sl_ray_make(from[i], dir);
        }
    }
    block->count = RAYS;
}

static void teardown(layers *l)
{
    verifier_free(&l->verifier);
    sl_pool_destroy(l->pool);
    unmake_bvh(l->bvh, l->mesh);
}

static void check(layers *l)
{
    static const ask_query query = { .kind = ASK_RAYS };
    verifier_check(&l->verifier, &query, "planted", 100, &l->sums);
}

static bool is_shown(const layers *l, const char *question, uint64_t index)
{
    for (size_t i = 0; i < l->verifier.found.shown_count; i++) {
        const difference *d = &l->verifier.found.shown[i];
        if (strcmp(d->question, question) == 0 && d->index == index) {
            return true;
        }
    }
    return false;
}

TEST(equal_triangles_show_no_difference)
{
    for (int segments = 0; segments < 2; segments++) {
        UNDONE(teardown) layers l;
        setup(&l, segments != 0);
        check(&l);
        assert_int_equal(l.sums.differences, 0);
        assert_int_equal(l.sums.elements, 3);
        assert_int_equal(l.sums.pairs, 9);
        assert_int_equal(l.sums.found[0], 2);
    }
}

/* The lowest triangle is moved away: the ray from below has another closest hit, the one from above
 * another last one, and both one hit less. */
TEST(a_missing_triangle_shows_in_every_list_and_count)
{
    UNDONE(teardown) layers l;
    setup(&l, false);
    for (int i = 0; i < 3; i++) {
        l.xyz[3 * i] += 100;
    }
    check(&l);
    static const char *const lists[] = { "count", "all",        "all with a capacity of 2",
                                         "next",  "count_many", "all_many" };
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        assert_true(is_shown(&l, lists[i], 100));
        assert_true(is_shown(&l, lists[i], 101));
        assert_false(is_shown(&l, lists[i], 102));
    }
    static const char *const firsts[] = { "closest", "closest_many" };
    for (size_t i = 0; i < sizeof firsts / sizeof firsts[0]; i++) {
        assert_true(is_shown(&l, firsts[i], 100));
        assert_false(is_shown(&l, firsts[i], 101));
    }
    assert_false(is_shown(&l, "any", 100));
    /* next_many goes on from the first hit of brute force, and agrees from there. */
    assert_false(is_shown(&l, "next_many", 100));
    assert_int_equal(l.sums.differences, 2 * 6 + 2);
    assert_int_equal(l.verifier.found.shown_count, 14);
}

/* All moved away: nothing is hit by brute force, and every question differs for both rays. */
TEST(missing_everything_shows_in_every_question)
{
    UNDONE(teardown) layers l;
    setup(&l, false);
    for (int i = 0; i < 9; i++) {
        l.xyz[3 * i] += 100;
    }
    check(&l);
    assert_true(is_shown(&l, "any", 100));
    assert_true(is_shown(&l, "closest", 101));
    /* next_many starts from the hit of brute force, and a miss stays a miss. */
    assert_int_equal(l.sums.differences, 2 * 10);
    assert_int_equal(l.verifier.found.shown_count, DIFFERENCES_SHOWN);
}

TEST(segments_show_the_same_way)
{
    UNDONE(teardown) layers l;
    setup(&l, true);
    for (int i = 0; i < 9; i++) {
        l.xyz[3 * i] += 100;
    }
    check(&l);
    static const char *const queries[] = { "any",        "closest",
                                           "count",      "all",
                                           "next",       "closest_many",
                                           "any_many",   "all with a capacity of 2",
                                           "count_many", "all_many" };
    for (size_t i = 0; i < sizeof queries / sizeof queries[0]; i++) {
        assert_true(is_shown(&l, queries[i], 100));
        assert_true(is_shown(&l, queries[i], 101));
    }
    assert_int_equal(l.sums.differences, 2 * 10);
}

/* The middle triangle is lifted by one step of a float, 2^-23.  From above its t becomes 2 - 2^-23,
 * which is a float; from below 2 + 2^-23, which is a tie and rounds back to 2. */
TEST(one_bit_is_a_difference)
{
    UNDONE(teardown) layers l;
    setup(&l, false);
    for (int i = 3; i < 6; i++) {
        l.xyz[3 * i + 2] = nextafterf(1, 2);
    }
    check(&l);
    static const char *const lists[] = { "all", "all with a capacity of 2", "next", "all_many",
                                         "next_many" };
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        assert_true(is_shown(&l, lists[i], 101));
        assert_false(is_shown(&l, lists[i], 100));
    }
    assert_int_equal(l.sums.differences, 5);
}

TEST(words_name_the_first_hit_that_differs)
{
    UNDONE(teardown) layers l;
    setup(&l, false);
    for (int i = 0; i < 3; i++) {
        l.xyz[3 * i] += 100;
    }
    check(&l);
    const difference *first = &l.verifier.found.shown[0];
    assert_string_equal(first->kind, "planted");
    assert_string_equal(first->question, "closest");
    assert_string_equal(first->tree, "hit 0: t 1 u 0.25 v 0.25 prim 0 flags 1");
    assert_string_equal(first->brute, "hit 0: t 2 u 0.25 v 0.25 prim 1 flags 1");
    assert_string_equal(first->asked, "1 1 -1 0 0 1 0 inf");
}
