/* A tree whose triangles are split answers every question like one whose are not, bit for bit.
 * SIGHTLINE_TEST_SCALE=N multiplies the number of questions. */
#include "bvh/kernel/kernel.h"
#include "bvh/kernel/mailbox.h"
#include "test/support/hard/rays.h"
#include "test/support/hard/volumes.h"
#include "test/support/input/shred.h"
#include "test/support/input/slender.h"
#include "test/support/input/terrible.h"
#include "test/support/query/of_one.h"
#include "test/support/test.h"

enum { SEED = 20260820, TRIANGLES = 500, ASKED = 20, COUNT_MAX = 1024 };

/* The same mesh twice; masks leave a third of it out where they are used. */
typedef struct pair {
    const char *name;
    sl_mesh *mesh;
    uint32_t masks[TRIANGLES];
    sl_bvh *whole, *split;
} pair;

static sl_bvh *build(const pair *p, sl_bvh_quality quality)
{
    sl_build_def def = { .quality = quality, .masks = p->masks };
    return made_bvh(p->mesh, &def);
}

/* One kernel after the other. */
static const sli_kernels *kernels_in_turn(void)
{
    static int turn;
    const sli_kernels *kernels = sli_kernels_at(turn++);
    if (kernels == NULL) {
        kernels = sli_kernels_at(0);
        turn = 1;
    }
    return kernels;
}

/* As a build of high quality does it, or shredded. */
static pair make_pair(const char *name, sl_mesh *mesh, bool shredded)
{
    pair p = { .name = name, .mesh = mesh };
    sl_error error;
    assert_non_null(mesh);
    for (uint32_t i = 0; i < TRIANGLES; i++) {
        p.masks[i] = 1u << i % 3;
    }
    p.whole = build(&p, SL_BVH_QUALITY_DEFAULT);
    p.split = shredded ? shred_build(mesh, p.masks, SEED) : build(&p, SL_BVH_QUALITY_HIGH);
    p.split->kernels = kernels_in_turn();
    if (!sl_bvh_check(p.split, mesh, &error)) {
        fail_msg("%s: %s", name, error.message);
    }
    return p;
}

static void destroy_pair(pair *p)
{
    sl_bvh_destroy(p->whole);
    unmake_bvh(p->split, p->mesh);
}

/* Options by turns: none, masks, skips, both, one side only, crossings. */
static sl_options options(size_t i, test_random *random)
{
    static sl_triangle_ref skip[2];
    skip[0].prim = test_random_below(random, TRIANGLES);
    skip[1].prim = test_random_below(random, TRIANGLES);
    return (sl_options){ .flags = i % 6 == 5 ? SL_CROSSINGS : 0,
                         .mask = i % 6 == 1 || i % 6 == 3 ? 3 : 0,
                         .skip = skip,
                         .skip_count = i % 6 == 2 || i % 6 == 3 ? 2 : 0,
                         .cull = i % 6 == 4 ? SL_CULL_BACK : SL_CULL_NONE };
}

static size_t capacity_of(size_t i)
{
    static const size_t capacities[5] = { 0, 1, 3, 70, COUNT_MAX };
    return capacities[i / 6 % 5];
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

#define ASSERT_SAME(p, i, a, b, size)                                                              \
    do {                                                                                           \
        if (memcmp(a, b, size) != 0) {                                                             \
            print_error("%s: question %zu\n", (p)->name, (size_t)(i));                             \
            fail();                                                                                \
        }                                                                                          \
    } while (0)

static void compare_ray(const pair *p, size_t i, const hard_ray *ray, const sl_options *options)
{
    static sl_hit a[COUNT_MAX], b[COUNT_MAX];
    const sl_rays one = hard_ray_alone(ray);
    const size_t capacity = capacity_of(i);
    memset(a, 0, sizeof a);
    memset(b, 0, sizeof b);
    const bool any = closest_of_one(p->whole, one, options, sl_hits_of(&a[0]));
    a[1] = a[0];
    const bool more = next_of_one(p->whole, one, options, sl_hits_of(&a[1]));
    const size_t total = all_of_one(p->whole, one, options, sl_hits_of(NULL), 0, NULL);
    for (int alone = 0; alone < 2 - ray->is_segment; alone++) {
        assert_int_equal(any, alone ? sl_bvh_closest(p->split, &ray->ray, options, &b[0])
                                    : closest_of_one(p->split, one, options, sl_hits_of(&b[0])));
        b[1] = b[0];
        assert_int_equal(more, alone ? sl_bvh_next(p->split, &ray->ray, options, &b[0], &b[1])
                                     : next_of_one(p->split, one, options, sl_hits_of(&b[1])));
        ASSERT_SAME(p, i, a, b, 2 * sizeof a[0]);
        assert_int_equal(total,
                         alone ? sl_bvh_all(p->split, &ray->ray, options, NULL, 0)
                               : all_of_one(p->split, one, options, sl_hits_of(NULL), 0, NULL));
    }
    assert_int_equal(any, ray->is_segment
                              ? sl_bvh_occluded(p->split, ray->segment.p, ray->segment.q, options)
                              : sl_bvh_any(p->split, &ray->ray, options));
    all_of_one(p->whole, one, options, sl_hits_of(a), capacity, NULL);
    for (int alone = 0; alone < 2 - ray->is_segment; alone++) {
        assert_int_equal(total,
                         alone ? sl_bvh_all(p->split, &ray->ray, options, b, capacity)
                               : all_of_one(p->split, one, options, sl_hits_of(b), capacity, NULL));
        ASSERT_SAME(p, i, a, b, least(total, capacity) * sizeof a[0]);
    }
}

static void compare_rays(const pair *p, size_t asked)
{
    test_random random = { SEED };
    for (size_t i = 0; i < asked * test_scale(); i++) {
        for (int kind = 0; kind < HARD_KINDS; kind++) {
            const hard_ray hard = hard_ray_make(p->mesh, (hard_kind)kind, &random);
            const sl_options query = options(i, &random);
            compare_ray(p, i, &hard, &query);
        }
    }
}

static void compare_point(const pair *p, size_t i, const float point[3], float limit,
                          const sl_options *options)
{
    static sl_nearest a[COUNT_MAX], b[COUNT_MAX];
    const size_t capacity = capacity_of(i);
    memset(a, 0, sizeof a);
    memset(b, 0, sizeof b);
    assert_int_equal(sl_bvh_nearest(p->whole, point, limit, options, &a[0]),
                     sl_bvh_nearest(p->split, point, limit, options, &b[0]));
    ASSERT_SAME(p, i, a, b, sizeof a[0]);
    const size_t found = sl_bvh_nearest_k(p->whole, point, limit, options, a, capacity);
    assert_int_equal(found, sl_bvh_nearest_k(p->split, point, limit, options, b, capacity));
    ASSERT_SAME(p, i, a, b, found * sizeof a[0]);
    const size_t total = sl_bvh_within(p->whole, point, limit, options, a, capacity);
    assert_int_equal(total, sl_bvh_within(p->split, point, limit, options, b, capacity));
    ASSERT_SAME(p, i, a, b, least(total, capacity) * sizeof a[0]);
}

static void compare_inside(const pair *p, const float point[3], const sl_options *options)
{
    sl_inside a, b;
    assert_int_equal(winding_of_one(p->whole, NULL, point, options, &a),
                     winding_of_one(p->split, NULL, point, options, &b));
    assert_int_equal(a.crossings, b.crossings);
    assert_true(a.winding == b.winding);
    assert_int_equal(a.on_surface, b.on_surface);
}

static void compare_points(const pair *p, size_t asked)
{
    test_random random = { SEED };
    for (size_t i = 0; i < asked * test_scale(); i++) {
        float point[3];
        hard_point(p->mesh, &random, point);
        if (i % 4 == 3) {
            const sl_triangle t = hard_triangle(p->mesh, &random);
            memcpy(point, t.v[i % 3], sizeof point);
        }
        sl_options query = options(i, &random);
        query.flags &= ~(uint32_t)SL_CROSSINGS;
        compare_point(p, i, point, INFINITY, &query);
        sl_nearest nearest;
        if (sl_bvh_nearest(p->whole, point, INFINITY, &query, &nearest)) {
            compare_point(p, i, point, nearest.distance, &query);
            compare_point(p, i, point, 4 * nearest.distance, &query);
        }
        compare_inside(p, point, &query);
    }
}

static void compare_volumes(const pair *p, size_t asked)
{
    static sl_triangle_ref a[COUNT_MAX], b[COUNT_MAX];
    test_random random = { SEED };
    for (size_t i = 0; i < asked * test_scale(); i++) {
        for (int kind = 0; kind < HARD_VOLUME_KINDS; kind++) {
            const sl_volume volume = hard_volume_make(p->mesh, (sl_volume_kind)kind, &random);
            sl_options query = options(i, &random);
            query.flags &= ~(uint32_t)SL_CROSSINGS;
            const size_t capacity = capacity_of(i);
            const size_t total = sl_bvh_overlap_all(p->whole, &volume, &query, a, capacity);
            assert_int_equal(total, sl_bvh_overlap_all(p->split, &volume, &query, b, capacity));
            ASSERT_SAME(p, i, a, b, least(total, capacity) * sizeof a[0]);
            assert_int_equal(total > 0, sl_bvh_overlap_any(p->split, &volume, &query));
        }
    }
}

static void compare_everything(const pair *p, size_t asked)
{
    compare_rays(p, asked);
    compare_points(p, asked);
    compare_volumes(p, asked);
}

TEST(slender_triangles_are_split_and_nothing_changes)
{
    size_t references = 0;
    for (int which = 0; which < slender_count(); which++) {
        UNDONE(destroy_pair)
        pair p = make_pair(slender_name(which), slender_make(which, TRIANGLES), false);
        const sl_bvh_info info = sl_bvh_get_info(p.split);
        assert_int_equal(info.triangle_count, TRIANGLES);
        assert_true(info.reference_count <= TRIANGLES + TRIANGLES / 2);
        references += info.reference_count;
        compare_everything(&p, ASKED);
    }
    assert_true(references > (size_t)slender_count() * TRIANGLES * 21 / 20);
}

TEST(however_slender_triangles_are_cut_nothing_changes)
{
    for (int which = 0; which < slender_count(); which++) {
        UNDONE(destroy_pair)
        pair p = make_pair(slender_name(which), slender_make(which, TRIANGLES), true);
        assert_true(sl_bvh_get_info(p.split).reference_count > 7 * TRIANGLES / 5);
        compare_everything(&p, ASKED);
    }
}

TEST(however_terrible_triangles_are_cut_nothing_changes)
{
    for (int which = 0; which < terrible_count(); which++) {
        UNDONE(destroy_pair)
        pair p = make_pair(terrible_name(which), terrible_make(which, TRIANGLES), true);
        compare_everything(&p, 2);
        destroy_pair(&p);
        p = make_pair(terrible_name(which), terrible_make(which, TRIANGLES), false);
        compare_everything(&p, 1);
    }
}

static size_t count_split(const sl_bvh *bvh, const sl_triangle_ref *refs, size_t count)
{
    size_t split = 0;
    for (size_t i = 0; i < count; i++) {
        const uint32_t place = bvh->slots[refs[i].prim];
        const sli_tri_pack *pack = sli_tree_pack(bvh, place / SLI_PACK, NULL);
        split += sli_pack_is_split(pack, (int)(place % SLI_PACK)) != 0;
    }
    return split;
}

/* Otherwise no walk above has left the list of kernel/mailbox.h. */
TEST(more_split_triangles_are_met_than_the_list_holds)
{
    static sl_triangle_ref refs[TRIANGLES];
    static sl_hit hits[TRIANGLES];
    size_t by_volume = 0, by_ray = 0;
    for (int which = 0; which < slender_count(); which++) {
        UNDONE(destroy_pair)
        pair p = make_pair(slender_name(which), slender_make(which, TRIANGLES), true);
        test_random random = { SEED };
        for (int i = 0; i < ASKED; i++) {
            const sl_volume box = hard_volume_make(p.mesh, SL_VOLUME_AABB, &random);
            const sl_ray ray = hard_ray_make(p.mesh, HARD_BOX, &random).ray;
            size_t total = sl_bvh_overlap_all(p.split, &box, NULL, refs, TRIANGLES);
            size_t split = count_split(p.split, refs, total);
            by_volume = split > by_volume ? split : by_volume;
            total = sl_bvh_all(p.split, &ray, NULL, hits, TRIANGLES);
            for (size_t k = 0; k < total; k++) {
                refs[k].prim = hits[k].prim;
            }
            split = count_split(p.split, refs, total);
            by_ray = split > by_ray ? split : by_ray;
        }
    }
    print_message("%zu in a volume, %zu on a ray\n", by_volume, by_ray);
    assert_true(by_volume > 2 * SLI_MAILBOX_MAX);
    assert_true(by_ray > SLI_MAILBOX_MAX);
}
