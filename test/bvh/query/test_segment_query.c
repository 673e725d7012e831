/* Arrays of segments answer as single calls do, for every question; and what a reference to a
 * triangle names where there are no instances. */
#include "test/support/environment/scrambled_tasks.h"
#include "test/support/hard/rays.h"
#include "test/support/query/of_one.h"
#include "test/support/test.h"

enum { SEED = 20261122, COUNT = 900, CAP = 3, TRIANGLES = 500 };

typedef struct fixture {
    sl_mesh *mesh;
    sl_bvh *bvh;
    sl_segment segments[COUNT];
    sl_item_options options[COUNT];
    sl_triangle_ref skips[COUNT][2];
    sl_hit closest[COUNT], next[COUNT], rows[COUNT * CAP];
    uint64_t totals[COUNT], counts[COUNT];
    uint8_t occluded[COUNT];
} fixture;

static fixture *open_fixture(void)
{
    static fixture f;
    test_random random = { SEED };
    f.mesh = made_soup(TRIANGLES, 0.3f, SEED);
    f.bvh = made_bvh(f.mesh, NULL);
    for (int i = 0; i < COUNT; i++) {
        f.segments[i] = hard_ray_make(f.mesh, i % 2 ? HARD_VERTEX : HARD_EDGE, &random).segment;
        f.options[i] = (sl_item_options){ .skip = f.skips[i], .skip_count = 2 };
        f.skips[i][0] = (sl_triangle_ref){ 0, test_random_below(&random, TRIANGLES) };
        f.skips[i][1] = (sl_triangle_ref){ 1, test_random_below(&random, TRIANGLES) };
    }
    f.segments[COUNT / 2].q[1] = NAN;
    return &f;
}

static void close_fixture(fixture *f)
{
    unmake_bvh(f->bvh, f->mesh);
}

static void ask(fixture *f, const sl_options *options, const sl_tasks *tasks)
{
    memset(f->rows, 0, sizeof f->rows);
    sl_bvh_closest_many(f->bvh, sl_segments_of(f->segments, COUNT), options, sl_hits_of(f->closest),
                        tasks, NULL);
    memcpy(f->next, f->closest, (COUNT) * sizeof *(f->next));
    sl_bvh_next_many(f->bvh, sl_segments_of(f->segments, COUNT), options, sl_hits_of(f->next),
                     tasks, NULL);
    sl_bvh_all_many(f->bvh, sl_segments_of(f->segments, COUNT), options, sl_hits_of(f->rows), CAP,
                    f->totals, tasks, NULL);
    sl_bvh_all_many(f->bvh, sl_segments_of(f->segments, COUNT), options, sl_hits_of(NULL), 0,
                    f->counts, tasks, NULL);
    sl_bvh_any_many(f->bvh, sl_segments_of(f->segments, COUNT), options, f->occluded, NULL, tasks,
                    NULL);
}

static void compare_one(const fixture *f, size_t i, const sl_options *one)
{
    const sl_segment *segment = &f->segments[i];
    sl_hit hit, row[CAP];
    memset(row, 0, sizeof row);
    assert_int_equal(sl_bvh_occluded(f->bvh, segment->p, segment->q, one), f->occluded[i]);
    assert_int_equal(closest_of_one(f->bvh, sl_segments_of(segment, 1), one, sl_hits_of(&hit)),
                     f->occluded[i]);
    assert_memory_equal(&hit, &f->closest[i], sizeof hit);
    assert_int_equal(next_of_one(f->bvh, sl_segments_of(segment, 1), one, sl_hits_of(&hit)),
                     f->totals[i] > 1);
    assert_memory_equal(&hit, &f->next[i], sizeof hit);
    assert_int_equal(
        all_of_one(f->bvh, sl_segments_of(segment, 1), one, sl_hits_of(row), CAP, NULL),
        f->totals[i]);
    assert_memory_equal(row, f->rows + i * CAP, sizeof row);
    assert_int_equal(all_of_one(f->bvh, sl_segments_of(segment, 1), one, sl_hits_of(NULL), 0, NULL),
                     f->totals[i]);
    assert_int_equal(f->counts[i], f->totals[i]);
    assert_int_equal(f->occluded[i], f->totals[i] > 0);
}

TEST(arrays_of_segments_answer_as_single_calls_do)
{
    fixture *f = open_fixture();
    const sl_proxy first = { .kind = SL_PROXY_SPHERE, .shape.sphere = { { 0, 0, 0 }, 0.5f } };
    sl_proxy instead = first;
    instead.mode = SL_PROXY_INSTEAD;
    const sl_options queries[] = {
        { .flags = 0 },
        { .flags = SL_OPEN_START, .items = f->options },
        { .flags = SL_CROSSINGS | SL_OPEN_END, .cull = SL_CULL_BACK },
        { .items = f->options, .proxy = &first },
        { .proxy = &instead },
    };
    for (size_t q = 0; q < sizeof queries / sizeof queries[0]; q++) {
        scrambled_tasks scrambled;
        ask(f, &queries[q], scrambled_tasks_start(&scrambled, 3, SEED + q));
        size_t occluded = 0;
        for (size_t i = 0; i < COUNT; i++) {
            sl_options one = queries[q];
            one.items = one.items != NULL ? &f->options[i] : NULL;
            compare_one(f, i, &one);
            occluded += f->occluded[i];
        }
        assert_in_range(occluded, COUNT / 10, COUNT - 1);
    }
    close_fixture(f);
}

/* A skip of the closest triangle hides it only where its instance is 0; on soups too. */
TEST(a_reference_with_an_instance_names_nothing)
{
    fixture *f = open_fixture();
    const sl_soup soup = sl_mesh_soup(f->mesh);
    size_t hidden = 0;
    for (size_t i = 0; i < COUNT; i++) {
        const sl_segment *segment = &f->segments[i];
        sl_hit all, hit, brute;
        if (!closest_of_one(f->bvh, sl_segments_of(segment, 1), NULL, sl_hits_of(&all))) {
            continue;
        }
        sl_triangle_ref skip[2] = { { 1, all.prim }, { 7, all.prim } };
        const sl_options options = { .skip = skip, .skip_count = 2 };
        assert_true(closest_of_one(f->bvh, sl_segments_of(segment, 1), &options, sl_hits_of(&hit)));
        assert_memory_equal(&hit, &all, sizeof hit);
        assert_true(sl_soup_all_segment(&soup, segment, &options, &brute, 1) > 0);
        assert_memory_equal(&brute, &all, sizeof brute);
        skip[1].instance = 0;
        const bool found =
            closest_of_one(f->bvh, sl_segments_of(segment, 1), &options, sl_hits_of(&hit));
        assert_true(hit.prim != all.prim);
        assert_int_equal(sl_soup_all_segment(&soup, segment, &options, &brute, 1) > 0, found);
        assert_true(!found || memcmp(&brute, &hit, sizeof hit) == 0);
        hidden++;
    }
    assert_true(hidden > COUNT / 10);
    close_fixture(f);
}

/* Lists of references: in rising order, instance 0, and nothing behind the capacity. */
TEST(lists_name_triangles_of_no_instance)
{
    fixture *f = open_fixture();
    const sl_volume box = { SL_VOLUME_AABB, { .aabb = { { -1, -1, -1 }, { 1, 1, 1 } } } };
    sl_triangle_ref refs[TRIANGLES + 1];
    memset(refs, 0xAA, sizeof refs);
    const size_t total = sl_bvh_overlap_all(f->bvh, &box, NULL, refs, TRIANGLES);
    assert_true(total > TRIANGLES / 2);
    for (size_t i = 0; i < total; i++) {
        assert_int_equal(refs[i].instance, 0);
        assert_true(i == 0 || refs[i].prim > refs[i - 1].prim);
    }
    sl_triangle_ref few[4];
    memset(few, 0xAA, sizeof few);
    assert_int_equal(sl_bvh_overlap_all(f->bvh, &box, NULL, few, 3), total);
    assert_memory_equal(few, refs, 3 * sizeof few[0]);
    assert_int_equal(few[3].instance, 0xAAAAAAAAu);
    close_fixture(f);
}
