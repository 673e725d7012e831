/* Every question about volumes and points of ask/verify.c notices when the tree and the triangles
 * are not the same; and what is made to order is as awkward as it says. */
#include "test/support/test.h"
#include "tools/ask/verify.h"
#include "tools/generate/point_kinds.h"
#include "tools/generate/volume_kinds.h"

enum { COUNT = 40 };

/* Triangles over one another at z = 0, 1, 2, ..., and a tree over them. */
typedef struct layers {
    float xyz[9 * COUNT];
    uint32_t indices[3 * COUNT];
    sl_mesh *mesh;
    sl_bvh *bvh;
    sl_pool *pool;
    ask_world world;
} layers;

static void setup(layers *l)
{
    memset(l, 0, sizeof *l);
    for (uint32_t i = 0; i < 3 * COUNT; i++) {
        const float corner[3][2] = { { 0, 0 }, { 4, 0 }, { 0, 4 } };
        l->xyz[3 * i] = corner[i % 3][0];
        l->xyz[3 * i + 1] = corner[i % 3][1];
        l->xyz[3 * i + 2] = (float)(i / 3);
        l->indices[i] = i;
    }
    l->mesh = made_mesh(l->xyz, 3 * COUNT, l->indices, COUNT, NULL);
    l->bvh = made_bvh(l->mesh, NULL);
    l->pool = made_pool(2);
    l->world = (ask_world){
        .in = { .bvh = l->bvh },
        .soup = { .xyz = l->xyz, .indices = l->indices, .triangle_count = COUNT },
        .tasks = sl_pool_tasks(l->pool),
    };
}

static void teardown(layers *l)
{
    sl_pool_destroy(l->pool);
    unmake_bvh(l->bvh, l->mesh);
}

/* Brute force sees layer k far away; the tree has it where it was. */
static void move_away(layers *l, size_t k)
{
    for (size_t i = 0; i < 3; i++) {
        l->xyz[9 * k + 3 * i] += 1000;
    }
}

static bool is_shown(const differences *d, const char *question, uint64_t index)
{
    for (size_t i = 0; i < d->shown_count; i++) {
        if (strcmp(d->shown[i].question, question) == 0 && d->shown[i].index == index) {
            return true;
        }
    }
    return false;
}

/* The first holds layers 3 to 30, the second layer 3 alone, the third layer 35 alone. */
static const sl_volume boxes[3] = {
    { .kind = SL_VOLUME_AABB, .shape.aabb = { { 0, 0, 3 }, { 1, 1, 30 } } },
    { .kind = SL_VOLUME_AABB, .shape.aabb = { { 0, 0, 2.5f }, { 1, 1, 3 } } },
    { .kind = SL_VOLUME_AABB, .shape.aabb = { { 0, 0, 35 }, { 1, 1, 35.5f } } },
};

/* Checks three elements of a block. */
static verify_sums verify_elements(layers *l, verifier *v, const verify_family *family,
                                   const ask_block *def, const void *elements, size_t size,
                                   const float *limits, bool filtered)
{
    static const ask_query query = { .kind = ASK_VOLUMES };
    verify_sums sums = { .elements = 0 };
    assert_true(verifier_make(v, &l->world, family, def, limits != NULL, filtered));
    memcpy(v->block.elements, elements, 3 * size);
    if (limits != NULL) {
        memcpy(v->block.limits, limits, 3 * sizeof *limits);
    }
    v->block.count = 3;
    verifier_check(v, &query, "planted", 100, &sums);
    verifier_free(v);
    return sums;
}

static verify_sums verify_boxes(layers *l, verifier *v, bool filtered)
{
    const ask_block def = { .kind = ASK_VOLUMES, .type = ASK_REFS, .capacity = 3 };
    *v = (verifier){ .within = false };
    return verify_elements(l, v, &verify_volumes, &def, boxes, sizeof boxes[0], NULL, filtered);
}

TEST(equal_triangles_show_no_difference)
{
    UNDONE(teardown) layers l;
    verifier v;
    setup(&l);
    const verify_sums sums = verify_boxes(&l, &v, false);
    assert_int_equal(sums.differences, 0);
    assert_int_equal(sums.elements, 3);
    assert_int_equal(sums.pairs, 3 * COUNT);
    assert_int_equal(sums.found[0], 3);
    assert_int_equal(sums.rows, 30);
    assert_int_equal(sums.times.size[1].questions, 2);
    assert_int_equal(sums.times.size[2].questions, 1);
}

TEST(a_missing_triangle_shows_in_every_question_about_volumes)
{
    UNDONE(teardown) layers l;
    verifier v;
    setup(&l);
    move_away(&l, 3);
    const verify_sums sums = verify_boxes(&l, &v, false);
    static const char *const lists[] = { "overlap", "overlap with no capacity",
                                         "overlap with capacity for half of them", "overlap_many" };
    for (int i = 0; i < 4; i++) {
        assert_true(is_shown(&v.found, lists[i], 100));
        assert_true(is_shown(&v.found, lists[i], 101));
        assert_false(is_shown(&v.found, lists[i], 102));
    }
    assert_false(is_shown(&v.found, "overlaps", 100));
    assert_true(is_shown(&v.found, "overlaps", 101));
    assert_true(is_shown(&v.found, "overlaps_many", 101));
    assert_int_equal(sums.differences, 2 * 4 + 2);
    const difference *first = &v.found.shown[0];
    assert_string_equal(first->kind, "planted");
    assert_string_equal(first->tree, "28 triangles");
    assert_string_equal(first->brute, "27 triangles; they differ on 3");
    assert_string_equal(first->asked, "aabb 0 0 3 1 1 30");
}

/* As many as before, but others: layer 3 and the last one of brute force change places. */
TEST(lists_of_one_length_are_compared)
{
    UNDONE(teardown) layers l;
    verifier v;
    setup(&l);
    for (size_t i = 0; i < 3; i++) {
        l.xyz[9 * 3 + 3 * i + 2] = COUNT - 1;
        l.xyz[9 * (COUNT - 1) + 3 * i + 2] = 3;
    }
    const verify_sums sums = verify_boxes(&l, &v, false);
    assert_true(is_shown(&v.found, "overlap", 100));
    assert_true(is_shown(&v.found, "overlap_many", 100));
    assert_false(is_shown(&v.found, "overlap with no capacity", 100));
    assert_true(is_shown(&v.found, "overlap", 101));
    assert_true(sums.differences >= 5);
}

/* ---- Points ---- */

static verify_sums verify_points(layers *l, verifier *v, bool within, const float *limits,
                                 bool filtered)
{
    /* Halfway between layers 2 and 3, in layer 10, and too far away. */
    static const float points[9] = { 1, 1, 2.5f, 1, 1, 10, 1, 1, 1000 };
    const ask_block def = { .kind = ASK_NEAR, .type = ASK_NEAREST, .capacity = 3, .keep = 4 };
    *v = (verifier){ .within = within };
    l->world.limit = 2.5f;
    return verify_elements(l, v, &verify_near, &def, points, 3 * sizeof points[0], limits,
                           filtered);
}

TEST(equal_triangles_show_no_difference_to_points)
{
    static const float limits[3] = { 2.5f, INFINITY, 0 };
    UNDONE(teardown) layers l;
    verifier v;
    setup(&l);
    const verify_sums sums = verify_points(&l, &v, true, NULL, false);
    assert_int_equal(sums.differences, 0);
    assert_int_equal(sums.elements, 3);
    assert_int_equal(sums.found[0], 2);
    assert_int_equal(sums.rows, 6 + 5);
    assert_int_equal(verify_points(&l, &v, true, limits, false).rows, 6 + COUNT);
    assert_int_equal(v.found.count, 0);
}

TEST(a_missing_triangle_shows_in_every_question_about_points)
{
    UNDONE(teardown) layers l;
    verifier v;
    setup(&l);
    move_away(&l, 2);
    move_away(&l, 10);
    const verify_sums sums = verify_points(&l, &v, true, NULL, false);
    static const char *const questions[] = { "nearest",
                                             "nearest_k",
                                             "within",
                                             "within with a capacity of 2",
                                             "within with no capacity",
                                             "nearest_many",
                                             "nearest_k_many",
                                             "within_many" };
    for (int i = 0; i < 8; i++) {
        assert_true(is_shown(&v.found, questions[i], 100));
        assert_true(is_shown(&v.found, questions[i], 101));
        assert_false(is_shown(&v.found, questions[i], 102));
    }
    assert_int_equal(sums.differences, 16);
    assert_string_equal(v.found.shown[0].tree, "1 triangles, number 0: distance 0.5 prim 2");
    assert_string_equal(v.found.shown[0].brute, "1 triangles, number 0: distance 0.5 prim 3");
    assert_string_equal(v.found.shown[0].asked, "1 1 2.5, limit 2.5");
}

/* A layer is lifted by one step of a float: only distances to it change. */
TEST(one_bit_of_a_distance_is_a_difference)
{
    UNDONE(teardown) layers l;
    verifier v;
    setup(&l);
    for (size_t i = 0; i < 3; i++) {
        l.xyz[9 * 8 + 3 * i + 2] = nextafterf(8, 0);
    }
    (void)verify_points(&l, &v, true, NULL, false);
    assert_true(is_shown(&v.found, "within", 101));
    assert_true(is_shown(&v.found, "nearest_k_many", 101));
    assert_false(is_shown(&v.found, "nearest", 101));
    assert_false(is_shown(&v.found, "within", 100));
}

/* ---- With a box filter ---- */

/* Layers 3 and 20 are gone: the box filter leaves nothing out that matters, and differences are the
 * same. */
TEST(a_sieve_changes_nothing)
{
    static const float limits[3] = { 2.5f, 7, INFINITY };
    UNDONE(teardown) layers l;
    setup(&l);
    for (int round = 0; round < 2; round++) {
        verifier volumes[2];
        verifier points[4];
        for (int filtered = 0; filtered < 2; filtered++) {
            const verify_sums sums = verify_boxes(&l, &volumes[filtered], filtered != 0);
            assert_int_equal(sums.rows, round == 0 ? 30 : 27);
            (void)verify_points(&l, &points[filtered], true, limits, filtered != 0);
            (void)verify_points(&l, &points[2 + filtered], false, limits, filtered != 0);
        }
        assert_int_equal(volumes[0].found.count, volumes[1].found.count);
        assert_memory_equal(&volumes[0].found, &volumes[1].found, sizeof volumes[0].found);
        for (int i = 0; i < 4; i += 2) {
            assert_int_equal(points[i].found.count, points[i + 1].found.count);
            assert_int_equal(points[i].found.count > 0, round > 0);
        }
        move_away(&l, 3);
        move_away(&l, 20);
    }
}

/* ---- What is made to order ---- */

/* Whether a volume that touches the soup no longer does, or the other way round, once a number of
 * it is one step of a float away. */
static bool is_on_the_verge(const layers *l, const sl_volume *volume)
{
    const size_t touched = sl_soup_overlap_all(&l->world.soup, volume, NULL, NULL, 0);
    for (int way = 0; way < 2; way++) {
        sl_volume moved = *volume;
        float *number = volume->kind == SL_VOLUME_SPHERE    ? &moved.shape.sphere.radius
                        : volume->kind == SL_VOLUME_CAPSULE ? &moved.shape.capsule.radius
                                                            : &moved.shape.aabb.max[2];
        *number = nextafterf(*number, way == 0 ? -INFINITY : INFINITY);
        if (sl_soup_overlap_all(&l->world.soup, &moved, NULL, NULL, 0) != touched) {
            return true;
        }
    }
    return false;
}

TEST(every_other_volume_is_awkward)
{
    enum { MADE = 400 };
    static const sl_volume_kind kinds[] = { SL_VOLUME_AABB, SL_VOLUME_SPHERE, SL_VOLUME_CAPSULE };
    UNDONE(teardown) layers l;
    setup(&l);
    const query_random m = query_random_make(l.mesh, l.bvh, 1, MADE);
    for (int i = 0; i < 3; i++) {
        size_t on_the_verge[2] = { 0, 0 };
        for (uint64_t index = 0; index < MADE; index++) {
            const sl_volume volume = volume_kinds_make(&m, kinds[i], index);
            on_the_verge[index % 2] += is_on_the_verge(&l, &volume);
        }
        assert_true(on_the_verge[0] < MADE / 40);
        assert_true(on_the_verge[1] > MADE / 20);
    }
}

TEST(what_is_made_is_valid_and_made_again_alike)
{
    UNDONE(teardown) layers l;
    setup(&l);
    const query_random m = query_random_make(l.mesh, l.bvh, 7, 100);
    for (int kind = 0; kind < VOLUME_KIND_COUNT; kind++) {
        size_t touching = 0;
        for (uint64_t index = 0; index < 100; index++) {
            const sl_volume a = volume_kinds_make(&m, (sl_volume_kind)kind, index);
            const sl_volume b = volume_kinds_make(&m, (sl_volume_kind)kind, index);
            char words[2][640];
            volume_spec_text(&a, words[0], sizeof words[0]);
            volume_spec_text(&b, words[1], sizeof words[1]);
            assert_string_equal(words[0], words[1]);
            assert_true(a.kind == (sl_volume_kind)kind);
            touching += sl_bvh_overlap_any(l.bvh, &a, NULL);
        }
        assert_in_range(touching, 30, 98);
    }
}

/* Of points beside a vertex by whole numbers, the radius made for them often ends in a triangle
 * exactly: one step less, and there is one less. */
TEST(radii_end_in_triangles)
{
    enum { MADE = 300 };
    UNDONE(teardown) layers l;
    setup(&l);
    const query_random m = query_random_make(l.mesh, l.bvh, 1, MADE);
    for (int kind = 0; kind < POINT_KIND_COUNT; kind++) {
        size_t exact = 0;
        for (uint64_t index = 0; index < MADE; index++) {
            float point[3];
            point_kinds_make(&m, (point_kind)kind, index, point);
            const float radius = point_kinds_radius(&m, (point_kind)kind, index);
            assert_true(radius >= 0 && isfinite(radius));
            const size_t now = sl_bvh_within(l.bvh, point, radius, NULL, NULL, 0);
            const float less = nextafterf(radius, -1), more = nextafterf(radius, INFINITY);
            exact += sl_bvh_within(l.bvh, point, less, NULL, NULL, 0) != now ||
                     sl_bvh_within(l.bvh, point, more, NULL, NULL, 0) != now;
        }
        assert_true(exact > MADE / 10);
    }
}
