/* Every question to a tree, against every triangle in turn. */
#include "bvh/tree/tree.h"
#include "test/support/hard/rays.h"
#include "test/support/input/moved.h"
#include "test/support/query/of_one.h"
#include "test/support/test.h"

enum { KEPT = 64, RAYS_A_KIND = 250, SEED = 20260711 };

typedef struct scene {
    const char *name;
    sl_mesh *mesh;
    sl_bvh *bvh;
    sl_soup soup;
    uint32_t *masks;
} scene;

static void scene_close(scene *s)
{
    unmake_bvh(s->bvh, s->mesh);
    free(s->masks);
}

/* Takes the mesh over; every triangle gets one of eight mask bits. */
static scene scene_open(const char *name, sl_mesh *mesh)
{
    scene s = { .name = name, .mesh = mesh, .soup = sl_mesh_soup(mesh) };
    const size_t count = sl_mesh_soup(mesh).triangle_count;
    s.masks = malloc((count + 1) * sizeof *s.masks);
    for (size_t i = 0; i < count; i++) {
        s.masks[i] = 1u << (i * 2654435761u >> 29 & 7);
    }
    s.soup.masks = s.masks;
    sl_build_def def = { .masks = s.masks };
    sl_error error;
    assert_int_equal(sl_bvh_build(mesh, &def, &s.bvh, &error), SL_OK);
    return s;
}

/* The same triangle again and again, so that ties are everywhere. */
static sl_mesh *stack_of_one(void)
{
    const float xyz[9] = { 0, 0, 0, 1, 0, 0, 0, 1, 0 };
    uint32_t indices[3 * 100];
    for (uint32_t i = 0; i < 300; i++) {
        indices[i] = i % 3;
    }
    return made_mesh(xyz, 3, indices, 100, NULL);
}

enum { SCENES = 12 };

static scene open_scene(int i)
{
    switch (i) {
    case 0:
        return scene_open("sphere", made_sphere(8));
    case 1:
        return scene_open("torus", made_torus(24, 12, 2, 0.5f));
    case 2:
        return scene_open("terrain", made_grid(20, 20, 3, 7));
    case 3:
        return scene_open("soup", made_soup(600, 0.3f, SEED));
    case 4:
        return scene_open("tiny soup", test_mesh_moved(made_soup(300, 0.3f, SEED), 1e-30f, 0));
    case 5:
        return scene_open("huge soup", test_mesh_moved(made_soup(300, 0.3f, SEED), 1e30f, 0));
    case 6:
        return scene_open("far torus", test_mesh_moved(made_torus(24, 12, 2, 0.5f), 1, 1000));
    case 7:
        return scene_open("denormal soup", test_mesh_moved(made_soup(300, 0.5f, SEED), 1e-40f, 0));
    case 8:
        return scene_open("flat lattice", test_mesh_moved(made_grid(20, 20, 3, 7), 1, 0));
    case 9:
        return scene_open("one triangle a hundred times", stack_of_one());
    case 10:
        return scene_open("largest floats",
                          test_mesh_moved(made_soup(100, 0.9f, SEED), 1.5e38f, 0));
    default:
        return scene_open("odd scale", test_mesh_moved(made_sphere(8), 0.1f, 0.7f));
    }
}

static void show(const scene *s, const hard_ray *r, const char *what)
{
    const float *a = r->is_segment ? r->segment.p : r->ray.origin;
    const float *b = r->is_segment ? r->segment.q : r->ray.dir;
    print_error("%s: %s differs for the %s %a %a %a, %a %a %a, limits %a %a\n", s->name, what,
                r->is_segment ? "segment" : "ray", (double)a[0], (double)a[1], (double)a[2],
                (double)b[0], (double)b[1], (double)b[2], (double)r->ray.tmin, (double)r->ray.tmax);
}

#define agree(condition, what)                                                                     \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            show(s, r, what);                                                                      \
            fail();                                                                                \
        }                                                                                          \
    } while (0)

static bool same_hit(const sl_hit *a, const sl_hit *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

/* All queries about one ray or segment; returns how many hits there are. */
static size_t compare(const scene *s, const hard_ray *r, const sl_options *options)
{
    const sl_rays one = hard_ray_alone(r);
    sl_hit truth[KEPT], hits[KEPT], hit;
    const size_t total = r->is_segment
                             ? sl_soup_all_segment(&s->soup, &r->segment, options, truth, KEPT)
                             : sl_soup_all(&s->soup, &r->ray, options, truth, KEPT);
    const size_t kept = total < KEPT ? total : KEPT;
    for (int alone = 0; alone < 2 - r->is_segment; alone++) {
        agree((alone ? sl_bvh_all(s->bvh, &r->ray, options, hits, KEPT)
                     : all_of_one(s->bvh, one, options, sl_hits_of(hits), KEPT, NULL)) == total,
              "the total");
        agree(memcmp(hits, truth, kept * sizeof *hits) == 0, "the list");
        agree((alone ? sl_bvh_all(s->bvh, &r->ray, options, NULL, 0)
                     : all_of_one(s->bvh, one, options, sl_hits_of(NULL), 0, NULL)) == total,
              "the count");
        agree((alone ? sl_bvh_closest(s->bvh, &r->ray, options, &hit)
                     : closest_of_one(s->bvh, one, options, sl_hits_of(&hit))) == (total > 0),
              "closest");
        for (size_t i = 0; i < kept; i++) {
            agree(same_hit(&hit, &truth[i]), i == 0 ? "the closest hit" : "the next hit");
            const bool more = alone ? sl_bvh_next(s->bvh, &r->ray, options, &hit, &hit)
                                    : next_of_one(s->bvh, one, options, sl_hits_of(&hit));
            agree(more == (i + 1 < total), "whether there is a next");
        }
    }
    agree((r->is_segment ? sl_bvh_occluded(s->bvh, r->segment.p, r->segment.q, options)
                         : sl_bvh_any(s->bvh, &r->ray, options)) == (total > 0),
          "any");
    return total;
}

TEST(every_question_agrees_with_every_triangle_in_turn)
{
    test_random random = { SEED };
    for (int i = 0; i < SCENES; i++) {
        UNDONE(scene_close) scene s = open_scene(i);
        size_t hits = 0;
        for (hard_kind kind = 0; kind < HARD_KINDS; kind++) {
            for (int k = 0; k < RAYS_A_KIND; k++) {
                const hard_ray r = hard_ray_make(s.mesh, kind, &random);
                hits += compare(&s, &r, NULL);
            }
        }
        assert_true(hits > RAYS_A_KIND); /* or nothing was tested */
    }
}

/* Limits that are some hit's own t, or one step beside it. */
TEST(limits_at_hits_agree)
{
    test_random random = { SEED + 1 };
    for (int i = 0; i < SCENES; i++) {
        UNDONE(scene_close) scene s = open_scene(i);
        for (int k = 0; k < 4 * RAYS_A_KIND; k++) {
            hard_ray r = hard_ray_make(s.mesh, k % 2 ? HARD_BEYOND : HARD_AXIS, &random);
            sl_hit hits[4];
            size_t total = sl_bvh_all(s.bvh, &r.ray, NULL, hits, 4);
            total = total < 4 ? total : 4;
            if (total == 0) {
                continue;
            }
            const float t = hits[test_random_below(&random, (uint32_t)total)].t;
            const float steps[3] = { nextafterf(t, -INFINITY), t, nextafterf(t, INFINITY) };
            float *limit = k % 4 < 2 ? &r.ray.tmin : &r.ray.tmax;
            *limit = steps[test_random_below(&random, 3)];
            compare(&s, &r, NULL);
        }
    }
}

TEST(masks_skips_cull_and_open_ends_agree)
{
    test_random random = { SEED + 2 };
    for (int i = 0; i < SCENES; i++) {
        UNDONE(scene_close) scene s = open_scene(i);
        const uint32_t count = (uint32_t)sl_mesh_soup(s.mesh).triangle_count;
        for (int k = 0; k < 4 * RAYS_A_KIND; k++) {
            const hard_ray r = hard_ray_make(s.mesh, (hard_kind)(k % HARD_KINDS), &random);
            sl_hit hit = { .prim = SL_NONE };
            if (!r.is_segment) {
                (void)sl_bvh_closest(s.bvh, &r.ray, NULL, &hit);
            }
            const sl_options options = {
                .flags = test_random_below(&random, 16),
                .mask = test_random_below(&random, 256),
                .skip = (sl_triangle_ref[]){ { 0, hit.prim },
                                             { 0, test_random_below(&random, count) } },
                .skip_count = 2,
                .cull = (sl_cull)test_random_below(&random, 3),
            };
            compare(&s, &r, &options);
        }
    }
}

TEST(arrays_answer_as_single_calls_do)
{
    enum { COUNT = 2000, CAP = 3 };
    test_random random = { SEED + 3 };
    UNDONE(scene_close) scene s = open_scene(3);
    static sl_ray rays[COUNT];
    static sl_segment segments[COUNT];
    static sl_item_options opts[COUNT];
    static sl_triangle_ref skips[COUNT];
    static sl_hit hits[COUNT], rows[COUNT * CAP];
    static uint8_t any[COUNT], occluded[COUNT], hinted[COUNT];
    static sl_triangle_ref hint[COUNT];
    static uint64_t totals[COUNT], counts[COUNT];
    for (int i = 0; i < COUNT; i++) {
        rays[i] = hard_ray_make(s.mesh, i % 2 ? HARD_BEYOND : HARD_BOX, &random).ray;
        segments[i] = hard_ray_make(s.mesh, i % 2 ? HARD_VERTEX : HARD_EDGE, &random).segment;
        opts[i] = (sl_item_options){ .mask = test_random_below(&random, 256),
                                     .skip = &skips[i],
                                     .skip_count = 1 };
        skips[i] = (sl_triangle_ref){ 0, test_random_below(&random, 600) };
        hint[i].prim = i % 3 == 0 ? SL_NONE : test_random_below(&random, 700); /* wild ones too */
    }
    sl_stats stats = { 0 };
    const sl_options options = { .items = opts };
    sl_bvh_closest_many(s.bvh, sl_rays_of(rays, COUNT), &options, sl_hits_of(hits), NULL, &stats);
    assert_int_equal(stats.rays, COUNT);
    sl_bvh_any_many(s.bvh, sl_rays_of(rays, COUNT), &options, any, NULL, NULL, &stats);
    sl_bvh_all_many(s.bvh, sl_rays_of(rays, COUNT), &options, sl_hits_of(rows), CAP, totals, NULL,
                    &stats);
    sl_bvh_all_many(s.bvh, sl_rays_of(rays, COUNT), &options, sl_hits_of(NULL), 0, counts, NULL,
                    &stats);
    sl_bvh_any_many(s.bvh, sl_segments_of(segments, COUNT), &options, occluded, NULL, NULL, &stats);
    sl_bvh_any_many(s.bvh, sl_segments_of(segments, COUNT), &options, hinted, hint, NULL, &stats);
    assert_int_equal(stats.rays, 6 * COUNT);
    size_t found = 0;
    for (int i = 0; i < COUNT; i++) {
        sl_hit hit;
        const sl_options one = { .flags = options.flags, .items = &opts[i] };
        assert_int_equal(sl_bvh_closest(s.bvh, &rays[i], &one, &hit), hits[i].prim != SL_NONE);
        assert_memory_equal(&hit, &hits[i], sizeof hit);
        assert_int_equal(any[i], hit.prim != SL_NONE);
        assert_int_equal(totals[i], sl_bvh_all(s.bvh, &rays[i], &one, NULL, 0));
        assert_int_equal(counts[i], totals[i]);
        if (totals[i] > 0) {
            assert_memory_equal(&rows[i * CAP], &hit, sizeof hit);
        }
        assert_int_equal(occluded[i], sl_bvh_occluded(s.bvh, segments[i].p, segments[i].q, &one));
        assert_int_equal(hinted[i], occluded[i]);
        if (occluded[i]) { /* the hint is now a triangle that really blocks */
            sl_triangle triangle;
            assert_true(sli_tree_triangle(s.bvh, hint[i].prim, &triangle));
            assert_true(sl_segment_triangle(&segments[i], &triangle, NULL, NULL));
            found++;
        }
    }
    assert_true(found > 100);
}

TEST(invalid_rays_miss)
{
    UNDONE(scene_close) scene s = open_scene(0);
    const sl_ray good = { { 0, 0, -3 }, 0, { 0.1f, 0.1f, 1 }, INFINITY };
    assert_true(sl_bvh_any(s.bvh, &good, NULL));
    sl_ray bad[9];
    for (int i = 0; i < 9; i++) {
        bad[i] = good;
    }
    bad[0].origin[1] = NAN;
    bad[1].origin[2] = -INFINITY;
    bad[2].dir[0] = NAN;
    bad[3].dir[2] = INFINITY;
    bad[4].tmin = NAN;
    bad[5].tmax = NAN;
    bad[6].tmin = 2;
    bad[6].tmax = 1;
    memset(bad[7].dir, 0, sizeof bad[7].dir);
    bad[8].tmin = bad[8].tmax = INFINITY;
    for (int i = 0; i < 9; i++) {
        sl_hit hit;
        assert_false(sl_bvh_closest(s.bvh, &bad[i], NULL, &hit));
        assert_int_equal(hit.prim, SL_NONE);
        assert_false(sl_bvh_any(s.bvh, &bad[i], NULL));
        assert_int_equal(sl_bvh_all(s.bvh, &bad[i], NULL, NULL, 0), 0);
    }
    const sl_segment point = { { 0, 0, 1 }, { 0, 0, 1 } };
    assert_false(sl_bvh_occluded(s.bvh, point.p, point.q, NULL));
    sl_hit first;
    assert_true(sl_bvh_closest(s.bvh, &good, NULL, &first));
    assert_true(sl_bvh_next(s.bvh, &good, NULL, &first, NULL)); /* without a place for the hit */
    assert_false(next_of_one(s.bvh, sl_segments_of(&point, 1), NULL, sl_hits_of(&first)));
    const sl_segment wild = { { 0, 0, NAN }, { 0, 0, 1 } };
    assert_false(sl_bvh_occluded(s.bvh, wild.p, wild.q, NULL));
}

TEST(an_empty_tree_is_never_hit)
{
    OWN(sl_mesh) mesh = made_mesh(NULL, 0, NULL, 0, NULL);
    OWN(sl_bvh) bvh = made_bvh(mesh, NULL);
    const sl_ray ray = { { 0, 0, 0 }, -INFINITY, { 0, 0, 1 }, INFINITY };
    const sl_segment segment = { { 0, 0, 0 }, { 1, 1, 1 } };
    sl_hit hit;
    uint8_t occluded;
    sl_triangle_ref hint = { 0, 0 };
    assert_false(sl_bvh_closest(bvh, &ray, NULL, &hit));
    assert_false(sl_bvh_any(bvh, &ray, NULL));
    sl_bvh_any_many(bvh, sl_segments_of(&segment, 1), NULL, &occluded, &hint, NULL, NULL);
    assert_int_equal(occluded, 0);
    sl_surface surface;
    assert_false(sl_bvh_surface(bvh, (sl_triangle_ref){ hit.instance, hit.prim }, hit.u, hit.v,
                                SL_FLOAT, &surface));
}

/* CASES 51: only what shares the ray's region is tested. */
TEST(case_51_a_ray_tests_few_of_the_triangles)
{
    sl_mesh *mesh = made_grid(100, 100, 1, 1);
    UNDONE(scene_close) scene s = scene_open("terrain", mesh);
    sl_stats stats = { 0 };
    const sl_ray down = { { 50.3f, 50.2f, 10 }, 0, { 0, 0, -1 }, INFINITY };
    assert_true(any_of_one(s.bvh, sl_rays_of(&down, 1), NULL, &stats));
    assert_in_range(stats.triangles, 1, 100); /* of 20,000 */
    assert_in_range(stats.nodes, 1, 50);
}

/* CASES 52: the volume first, then the exact test; a ray that misses the volume tests no triangle.
 */
TEST(case_52_a_ray_that_misses_the_bounds_tests_no_triangle)
{
    UNDONE(scene_close) scene s = open_scene(0);
    sl_stats stats = { 0 };
    const sl_ray beside = { { 0, 3, -5 }, 0, { 0, 0, 1 }, INFINITY };
    assert_false(any_of_one(s.bvh, sl_rays_of(&beside, 1), NULL, &stats));
    assert_int_equal(stats.triangles, 0);
    assert_int_equal(stats.nodes, 1);
}

TEST(every_triangle_is_decided_in_one_stage)
{
    test_random random = { SEED + 4 };
    UNDONE(scene_close) scene s = open_scene(1);
    sl_stats stats = { 0 };
    for (int k = 0; k < 2000; k++) {
        const hard_ray r = hard_ray_make(s.mesh, (hard_kind)(k % HARD_KINDS), &random);
        (void)all_of_one(s.bvh, hard_ray_alone(&r), NULL, sl_hits_of(NULL), 0, &stats);
    }
    assert_true(stats.exact_stage > 0 && stats.double_stage > 0 && stats.float_stage > 0);
    assert_int_equal(stats.float_stage + stats.double_stage + stats.exact_stage, stats.triangles);
}

TEST(queries_allocate_nothing)
{
    sli_failing_allocator counter;
    OWN(sl_mesh) mesh = made_sphere(8);
    sl_build_def def = { .hooks.allocator = sli_failing_allocator_start(&counter, SLI_NEVER_FAIL) };
    OWN(sl_bvh) bvh = made_bvh(mesh, &def);
    const size_t before = counter.allocations;
    const sl_ray ray = { { 0, 0, -3 }, 0, { 0, 0, 1 }, INFINITY };
    const sl_segment segment = { { 0, 0, -3 }, { 0, 0, 3 } };
    sl_hit hit, hits[8];
    sl_surface surface;
    assert_true(sl_bvh_closest(bvh, &ray, NULL, &hit));
    assert_true(sl_bvh_surface(bvh, (sl_triangle_ref){ hit.instance, hit.prim }, hit.u, hit.v,
                               SL_FLOAT, &surface));
    (void)sl_bvh_next(bvh, &ray, NULL, &hit, &hit);
    assert_true(sl_bvh_any(bvh, &ray, NULL));
    assert_true(sl_bvh_all(bvh, &ray, NULL, hits, 8) > 2);
    assert_true(closest_of_one(bvh, sl_segments_of(&segment, 1), NULL, sl_hits_of(&hit)));
    assert_int_equal(counter.allocations, before);
}

/* The tree over one triangle. */
static sl_bvh *over(const float corners[9])
{
    return made_bvh_alone(made_mesh(corners, 3, NULL, 1, NULL), NULL);
}

TEST(surfaces_stay_within_floats)
{
    const float most = FLT_MAX;
    /* Weights rounded up: their sum is 1 + 2^-25, and the point is beyond the second corner's y. */
    const float slanted[9] = { 1, most, 1, most, -most, -most, -most, -most, most };
    const sl_hit hit = { .t = 1, .u = 0.7f, .v = nextafterf(0.3f, 1) };
    sl_surface surface;
    sl_bvh *bvh = over(slanted);
    assert_true(sl_bvh_surface(bvh, (sl_triangle_ref){ hit.instance, hit.prim }, hit.u, hit.v,
                               SL_FLOAT, &surface));
    assert_true(surface.point[1] == -most);
    for (int axis = 0; axis < 3; axis++) {
        assert_true(isfinite(surface.front_origin[axis]) && isfinite(surface.back_origin[axis]));
    }
    sl_bvh_destroy(bvh);
    /* x + y + z = most + 1 or so: one coordinate has no room left, the others have. */
    const float corner[9] = { -most, most, 1, -most, 1, most, most, most, -most };
    const sl_hit inside = { .t = 1, .u = 0.0625f, .v = 0.875f };
    sl_triangle triangle;
    bvh = over(corner);
    assert_true(
        sl_bvh_surface(bvh, (sl_triangle_ref){ 0, 0 }, inside.u, inside.v, SL_FLOAT, &surface));
    assert_true(sli_tree_triangle(bvh, 0, &triangle));
    const int facing = sl_triangle_facing(&triangle, (float[3]){ 1, 1, 1 });
    const double *from = facing > 0 ? surface.front_origin : surface.back_origin;
    const sl_ray away = sl_ray_make((float[3]){ (float)from[0], (float)from[1], (float)from[2] },
                                    (float[3]){ 1, 1, 1 });
    assert_true(facing != 0);
    assert_false(sl_bvh_any(bvh, &away, NULL));
    sl_bvh_destroy(bvh);
    /* y = most: there is no float beyond, and the point itself is the best there is. */
    const float flat[9] = { most, most, most, -most, most, 1, 1, most, -most };
    const sl_hit middle = { .t = 1, .u = 0.25f, .v = 0.25f };
    bvh = over(flat);
    assert_true(sl_bvh_surface(bvh, (sl_triangle_ref){ middle.instance, middle.prim }, middle.u,
                               middle.v, SL_FLOAT, &surface));
    assert_true(sli_tree_triangle(bvh, 0, &triangle));
    const bool up = surface.normal[1] > 0;
    assert_memory_equal(up ? surface.front_origin : surface.back_origin, surface.point,
                        sizeof surface.point);
    assert_true((up ? surface.back_origin : surface.front_origin)[1] < most);
    sl_bvh_destroy(bvh);
}
