/* Simplified regions (row 50 of the classical cases): a shape that is asked before the object, or
 * instead of it. */
#include "test/support/hard/rays.h"
#include "test/support/hard/volumes.h"
#include "test/support/query/of_one.h"
#include "test/support/test.h"
#include "test/support/volume.h"

enum { SEED = 20260805, COUNT = 240, KEPT = 4, PROXIES = 3 };

typedef struct fixture {
    sl_mesh *mesh;
    sl_bvh *bvh;
    sl_boundary *boundary;    /* of what is left without two triangles */
    sl_proxy around[PROXIES]; /* each holds the whole mesh */
    sl_ray rays[COUNT];
    sl_segment segments[COUNT];
    sl_volume volumes[COUNT];
    float points[3 * COUNT];
} fixture;

/* Inputs near the mesh and far away, so that some pass beside every proxy. */
static void make_inputs(fixture *f)
{
    test_random random = { SEED };
    for (int i = 0; i < COUNT; i++) {
        const hard_ray a = hard_ray_make(f->mesh, i % 2 ? HARD_BEYOND : HARD_AXIS, &random);
        const hard_ray b = hard_ray_make(f->mesh, i % 2 ? HARD_VERTEX : HARD_EDGE, &random);
        f->rays[i] = a.ray;
        f->segments[i] = b.segment;
        f->volumes[i] = hard_volume_make(f->mesh, (sl_volume_kind)(i % HARD_VOLUME_KINDS), &random);
        hard_point(f->mesh, &random, &f->points[3 * i]);
        if (i % 3 == 0) {
            f->rays[i].origin[i % 2] += 6;
            f->segments[i].q[2] = f->segments[i].p[2] += 6;
            f->points[3 * i] += 4;
        }
    }
    for (int i = 0; i < COUNT; i += 7) {
        const float x = test_random_in(&random, 5, 8);
        f->volumes[i] = (sl_volume){ SL_VOLUME_SPHERE, { .sphere = { { x, 0, 0 }, x - 2.75f } } };
    }
}

TEST_BEFORE_ALL
{
    fixture *f = calloc(1, sizeof *f);
    f->mesh = made_torus(16, 10, 2, 0.5f);
    f->bvh = made_bvh(f->mesh, NULL);
    const sl_soup soup = sl_mesh_soup(f->mesh);
    const sl_options part = { .skip = (sl_triangle_ref[]){ { 0, 3 }, { 0, 200 } },
                              .skip_count = 2 };
    assert_int_equal(sl_boundary_create(&soup, &part, NULL, &f->boundary, NULL), SL_OK);
    f->around[0].kind = SL_PROXY_SPHERE;
    assert_true(sl_sphere_of_points(soup.xyz, soup.indices, 3 * soup.triangle_count,
                                    &f->around[0].shape.sphere));
    f->around[1].kind = SL_PROXY_AABB;
    f->around[1].shape.aabb = bounds_in_floats(f->bvh);
    f->around[2].kind = SL_PROXY_OBB;
    assert_true(
        sl_obb_of_points(soup.xyz, soup.indices, 3 * soup.triangle_count, &f->around[2].shape.obb));
    make_inputs(f);
    *state = f;
}

TEST_AFTER_ALL
{
    fixture *f = *state;
    sl_boundary_destroy(f->boundary);
    unmake_bvh(f->bvh, f->mesh);
    free(f);
}

/* Every answer to one query: zeroed first, so that memory can be compared. */
typedef struct answers {
    sl_hit closest[COUNT], next[COUNT], rows[COUNT * KEPT], occluders[COUNT], segment_row[KEPT];
    uint64_t totals[COUNT], counts[COUNT], segment_totals[COUNT];
    uint8_t any[COUNT], occluded[COUNT], touches[COUNT];
    sl_triangle_ref hints[COUNT];
    sl_nearest nearest[COUNT], nearest_rows[COUNT * KEPT], within[COUNT * KEPT];
    uint64_t found[COUNT], within_totals[COUNT], overlap_totals[COUNT];
    sl_triangle_ref refs[COUNT * KEPT];
    sl_inside inside[COUNT], open[COUNT];
} answers;

static answers *query_everything(const fixture *f, const sl_options *options, const sl_tasks *tasks,
                                 sl_stats *stats)
{
    answers *a = calloc(1, sizeof *a);
    memset(a->hints, 0xFF, sizeof a->hints);
    sl_bvh_closest_many(f->bvh, sl_rays_of(f->rays, COUNT), options, sl_hits_of(a->closest), tasks,
                        stats);
    memcpy(a->next, a->closest, (COUNT) * sizeof *(a->next));
    sl_bvh_next_many(f->bvh, sl_rays_of(f->rays, COUNT), options, sl_hits_of(a->next), tasks,
                     stats);
    sl_bvh_all_many(f->bvh, sl_rays_of(f->rays, COUNT), options, sl_hits_of(a->rows), KEPT,
                    a->totals, tasks, stats);
    sl_bvh_all_many(f->bvh, sl_rays_of(f->rays, COUNT), options, sl_hits_of(NULL), 0, a->counts,
                    tasks, stats);
    sl_bvh_any_many(f->bvh, sl_rays_of(f->rays, COUNT), options, a->any, NULL, tasks, stats);
    sl_bvh_closest_many(f->bvh, sl_segments_of(f->segments, COUNT), options,
                        sl_hits_of(a->occluders), tasks, stats);
    sl_bvh_any_many(f->bvh, sl_segments_of(f->segments, COUNT), options, a->occluded, NULL, tasks,
                    stats);
    for (int i = 0; i < COUNT; i++) {
        sl_bvh_all_many(f->bvh, sl_segments_of(&f->segments[i], 1), options,
                        sl_hits_of(a->segment_row), KEPT, &a->segment_totals[i], NULL, stats);
    }
    sl_bvh_nearest_many(f->bvh, sl_points_of(f->points, COUNT, SL_FLOAT), 1, options,
                        sl_nearests_of(a->nearest, SL_FLOAT), tasks, stats);
    sl_bvh_nearest_k_many(f->bvh, sl_points_of(f->points, COUNT, SL_FLOAT), INFINITY, options,
                          sl_nearests_of(a->nearest_rows, SL_FLOAT), KEPT, a->found, tasks, stats);
    sl_bvh_within_many(f->bvh, sl_points_of(f->points, COUNT, SL_FLOAT), 0.75f, options,
                       sl_nearests_of(a->within, SL_FLOAT), KEPT, a->within_totals, tasks, stats);
    sl_bvh_overlap_any_many(f->bvh, sl_volumes_of(f->volumes, COUNT, SL_FLOAT), options, a->touches,
                            tasks, stats);
    sl_bvh_overlap_all_many(f->bvh, sl_volumes_of(f->volumes, COUNT, SL_FLOAT), options, a->refs,
                            KEPT, a->overlap_totals, tasks, stats);
    sl_options part = options != NULL ? *options : (sl_options){ .flags = 0 };
    part.skip = (sl_triangle_ref[]){ { 0, 3 }, { 0, 200 } };
    part.skip_count = 2;
    sl_bvh_winding(f->bvh, NULL, f->points, COUNT, options, a->inside, tasks, stats);
    sl_bvh_winding(f->bvh, f->boundary, f->points, COUNT, &part, a->open, tasks, stats);
    return a;
}

/* Of queries that see every hit: others see some more or fewer, as rays come together. */
static uint64_t hits_of_all(const fixture *f, const sl_proxy *proxy)
{
    static sl_hit rows[COUNT * KEPT];
    static uint64_t totals[COUNT];
    sl_stats stats = { .rays = 0 };
    const sl_options options = { .proxy = proxy };
    sl_bvh_all_many(f->bvh, sl_rays_of(f->rays, COUNT), &options, sl_hits_of(rows), KEPT, totals,
                    NULL, &stats);
    return stats.hits;
}

TEST(case_50_a_proxy_around_the_mesh_changes_no_answer)
{
    const fixture *f = *state;
    FREED answers *plain = query_everything(f, NULL, NULL, NULL);
    for (int i = 0; i < PROXIES; i++) {
        sl_stats without = { .rays = 0 }, with = { .rays = 0 };
        const sl_options options = { .proxy = &f->around[i] };
        free(query_everything(f, NULL, NULL, &without));
        FREED answers *a = query_everything(f, &options, NULL, &with);
        assert_memory_equal(a, plain, sizeof *a);
        assert_int_equal(with.rays, without.rays);
        assert_int_equal(without.proxies_rejected, 0);
        assert_true(with.proxies_rejected > COUNT);
        assert_true(with.nodes < without.nodes);
        assert_int_equal(hits_of_all(f, &f->around[i]), hits_of_all(f, NULL));
    }
}

TEST(case_50_whoever_misses_the_proxy_enters_no_node)
{
    const fixture *f = *state;
    for (int i = 0; i < PROXIES; i++) {
        sl_stats stats = { .rays = 0 };
        const sl_options options = { .proxy = &f->around[i] };
        const sl_ray beside = sl_ray_make((float[3]){ 9, 9, 9 }, (float[3]){ 1, 0, 0 });
        const sl_segment apart = { { 9, 9, 9 }, { 9, -9, 9 } };
        const sl_volume there = { SL_VOLUME_AABB, { .aabb = { { 8, 8, 8 }, { 9, 9, 9 } } } };
        sl_hit hit;
        sl_nearest nearest;
        uint8_t touches;
        sl_bvh_closest_many(f->bvh, sl_rays_of(&beside, 1), &options, sl_hits_of(&hit), NULL,
                            &stats);
        assert_int_equal(hit.prim, SL_NONE);
        assert_true(hit.t == INFINITY);
        sl_bvh_closest_many(f->bvh, sl_segments_of(&apart, 1), &options, sl_hits_of(&hit), NULL,
                            &stats);
        assert_true(hit.t == 1 && hit.prim == SL_NONE);
        sl_bvh_overlap_any_many(f->bvh, sl_volumes_of(&there, 1, SL_FLOAT), &options, &touches,
                                NULL, &stats);
        assert_int_equal(touches, 0);
        sl_bvh_nearest_many(f->bvh, sl_points_of(beside.origin, 1, SL_FLOAT), 2, &options,
                            sl_nearests_of(&nearest, SL_FLOAT), NULL, &stats);
        assert_true(nearest.distance == 2 && nearest.prim == SL_NONE);
        assert_int_equal(stats.rays, 4);
        assert_int_equal(stats.proxies_rejected, 4);
        assert_int_equal(stats.nodes, 0);
    }
}

/* Half of the torus is hidden from rays that pass beside a proxy around the other half. */
TEST(case_50_a_smaller_proxy_hides_what_it_does_not_hold)
{
    const fixture *f = *state;
    const sl_proxy half = { SL_PROXY_AABB,
                            SL_PROXY_FIRST,
                            { .aabb = { { 0.5f, -3, -1 }, { 3, 3, 1 } } } };
    const sl_options options = { .proxy = &half };
    const sl_ray right = sl_ray_make((float[3]){ 2, 0, 5 }, (float[3]){ 0, 0, -1 });
    const sl_ray left = sl_ray_make((float[3]){ -2, 0, 5 }, (float[3]){ 0, 0, -1 });
    const sl_ray both = sl_ray_make((float[3]){ -5, 0, 0 }, (float[3]){ 1, 0, 0 });
    assert_true(sl_bvh_any(f->bvh, &right, &options));
    assert_true(sl_bvh_any(f->bvh, &left, NULL));
    assert_false(sl_bvh_any(f->bvh, &left, &options));
    assert_int_equal(sl_bvh_all(f->bvh, &both, &options, NULL, 0),
                     sl_bvh_all(f->bvh, &both, NULL, NULL, 0));
}

/* The unit cube in three forms, asked instead of the mesh. */
TEST(case_50_instead_of_the_mesh_the_proxy_answers)
{
    const fixture *f = *state;
    const sl_proxy cubes[2] = {
        { SL_PROXY_AABB, SL_PROXY_INSTEAD, { .aabb = { { -1, -1, -1 }, { 1, 1, 1 } } } },
        { SL_PROXY_OBB,
          SL_PROXY_INSTEAD,
          { .obb = { { 0, 0, 0 }, { { 0, 0, 1 }, { 1, 0, 0 }, { 0, 1, 0 } }, { 1, 1, 1 } } } }
    };
    for (int i = 0; i < 2; i++) {
        sl_stats stats = { .rays = 0 };
        const sl_options options = { .proxy = &cubes[i] };
        free(query_everything(f, &options, NULL, &stats));
        assert_int_equal(stats.nodes, 0);
        assert_int_equal(stats.triangles, 0);
        const sl_ray ray = sl_ray_make((float[3]){ 0, 0, 5 }, (float[3]){ 0, 0, -2 });
        const sl_hit expected = { .t = 2, .prim = SL_PROXY_PRIM };
        sl_hit hit, hits[2];
        assert_true(sl_bvh_closest(f->bvh, &ray, &options, &hit));
        assert_memory_equal(&hit, &expected, sizeof hit);
        assert_true(sl_bvh_any(f->bvh, &ray, &options));
        assert_int_equal(sl_bvh_all(f->bvh, &ray, &options, NULL, 0), 1);
        assert_int_equal(sl_bvh_all(f->bvh, &ray, &options, hits, 2), 1);
        assert_memory_equal(&hits[0], &expected, sizeof hit);
        assert_false(sl_bvh_next(f->bvh, &ray, &options, &hit, &hit));
        sl_surface surface;
        assert_false(sl_bvh_surface(f->bvh, (sl_triangle_ref){ expected.instance, expected.prim },
                                    expected.u, expected.v, SL_FLOAT, &surface));

        const sl_ray inside = { { 0, 0.5f, 0 }, 0.25f, { 1, 0, 0 }, 4 };
        assert_true(sl_bvh_closest(f->bvh, &inside, &options, &hit));
        assert_true(hit.t == 0.25f);

        const sl_segment segment = { { 0, 0, 3 }, { 0, 0, -1 } };
        assert_true(
            closest_of_one(f->bvh, sl_segments_of(&segment, 1), &options, sl_hits_of(&hit)));
        assert_true(hit.t == 0.5f && hit.prim == SL_PROXY_PRIM);
        assert_true(sl_bvh_occluded(f->bvh, segment.p, segment.q, &options));
        assert_int_equal(
            all_of_one(f->bvh, sl_segments_of(&segment, 1), &options, sl_hits_of(NULL), 0, NULL),
            1);
        assert_int_equal(
            all_of_one(f->bvh, sl_segments_of(&segment, 1), &options, sl_hits_of(hits), 2, NULL),
            1);
        assert_true(hits[0].t == 0.5f);
        assert_false(next_of_one(f->bvh, sl_segments_of(&segment, 1), &options, sl_hits_of(&hit)));

        /* 3, 4 and 0 away from the corner 1, 1, 1: exactly 5 */
        const float point[3] = { 4, 5, 1 };
        sl_nearest nearest[2];
        assert_true(sl_bvh_nearest(f->bvh, point, 5, &options, nearest));
        assert_true(nearest[0].distance == 5 && nearest[0].prim == SL_PROXY_PRIM);
        assert_true(nearest[0].point[0] == 1 && nearest[0].point[1] == 1 &&
                    nearest[0].point[2] == 1);
        assert_false(sl_bvh_nearest(f->bvh, point, nextafterf(5, 0), &options, nearest));
        assert_int_equal(sl_bvh_nearest_k(f->bvh, point, INFINITY, &options, nearest, 2), 1);
        assert_int_equal(sl_bvh_within(f->bvh, point, 6, &options, nearest, 2), 1);
        assert_true(nearest[0].distance == 5);

        const sl_volume touching = { SL_VOLUME_SPHERE, { .sphere = { { 4, 5, 1 }, 5 } } };
        sl_triangle_ref refs[2];
        assert_true(sl_bvh_overlap_any(f->bvh, &touching, &options));
        assert_int_equal(sl_bvh_overlap_all(f->bvh, &touching, &options, refs, 2), 1);
        assert_int_equal(refs[0].prim, SL_PROXY_PRIM);
    }
}

/* A sphere of radius 2, met along an axis, and 13 away from (3, 4, 12). */
TEST(case_50_a_sphere_answers_instead)
{
    const fixture *f = *state;
    const sl_proxy ball = { SL_PROXY_SPHERE, SL_PROXY_INSTEAD, { .sphere = { { 0, 0, 0 }, 2 } } };
    const sl_options options = { .proxy = &ball };
    const sl_ray ray = sl_ray_make((float[3]){ -5, 0, 0 }, (float[3]){ 1, 0, 0 });
    const float point[3] = { 3, 4, 12 }, inside[3] = { 0, 1, 0 };
    sl_hit hit;
    sl_nearest nearest;
    assert_true(sl_bvh_closest(f->bvh, &ray, &options, &hit));
    assert_true(hit.t == 3);
    assert_true(sl_bvh_nearest(f->bvh, point, 11, &options, &nearest));
    assert_true(nearest.distance == 11);
    assert_float_equal(nearest.point[2], 24.0 / 13, 1e-7);
    assert_false(sl_bvh_nearest(f->bvh, point, nextafterf(11, 0), &options, &nearest));
    assert_true(sl_bvh_nearest(f->bvh, inside, 0, &options, &nearest));
    assert_true(nearest.distance == 0);
    assert_memory_equal(nearest.point, inside, sizeof inside);
    sl_inside found;
    assert_true(winding_of_one(f->bvh, f->boundary, inside, &options, &found));
    assert_true(found.winding == 1 && found.by_parity && found.by_winding && !found.differ);
    assert_false(winding_of_one(f->bvh, f->boundary, point, &options, &found));
    assert_true(found.winding == 0 && found.crossings == 0);
}

/* Against the tests of single shapes, which have tests of their own. */
TEST(case_50_volumes_meet_the_proxy_as_single_shapes_do)
{
    const fixture *f = *state;
    size_t met = 0;
    for (int p = 0; p < PROXIES; p++) {
        sl_proxy instead = f->around[p];
        instead.mode = SL_PROXY_INSTEAD;
        const sl_options options = { .proxy = &instead };
        for (int i = 0; i < COUNT; i++) {
            const sl_volume *v = &f->volumes[i];
            bool expected = false;
            if (v->kind == SL_VOLUME_SPHERE) {
                const sl_sphere *s = &v->shape.sphere;
                expected = p == 0   ? sl_volume_overlaps_sphere(AS_SPHERE(s), &instead.shape.sphere)
                           : p == 1 ? sl_volume_overlaps_aabb(AS_SPHERE(s), &instead.shape.aabb)
                                    : sl_volume_overlaps_obb(AS_SPHERE(s), &instead.shape.obb);
            } else if (v->kind == SL_VOLUME_FRUSTUM) {
                const sl_frustum *s = &v->shape.frustum;
                expected = p == 0 ? sl_volume_overlaps_sphere(AS_FRUSTUM(s), &instead.shape.sphere)
                           : p == 1 ? sl_volume_overlaps_aabb(AS_FRUSTUM(s), &instead.shape.aabb)
                                    : sl_volume_overlaps_obb(AS_FRUSTUM(s), &instead.shape.obb);
            } else if (v->kind == SL_VOLUME_OBB) {
                const sl_obb *s = &v->shape.obb;
                expected = p == 0   ? sl_volume_overlaps_obb(AS_SPHERE(&instead.shape.sphere), s)
                           : p == 1 ? sl_volume_overlaps_aabb(AS_OBB(s), &instead.shape.aabb)
                                    : sl_volume_overlaps_obb(AS_OBB(s), &instead.shape.obb);
            } else if (v->kind == SL_VOLUME_CAPSULE) {
                const sl_capsule *s = &v->shape.capsule;
                expected = p == 0 ? sl_volume_overlaps_sphere(AS_CAPSULE(s), &instead.shape.sphere)
                           : p == 1 ? sl_volume_overlaps_aabb(AS_CAPSULE(s), &instead.shape.aabb)
                                    : sl_volume_overlaps_obb(AS_CAPSULE(s), &instead.shape.obb);
            } else {
                continue;
            }
            met += expected;
            assert_int_equal(sl_bvh_overlap_any(f->bvh, v, &options), expected);
        }
    }
    assert_true(met > 0);
}

TEST(invalid_rays_and_points_do_not_meet_the_proxy)
{
    const fixture *f = *state;
    for (int mode = SL_PROXY_FIRST; mode <= SL_PROXY_INSTEAD; mode++) {
        sl_stats stats = { .rays = 0 };
        sl_proxy proxy = f->around[0];
        proxy.mode = (sl_proxy_mode)mode;
        const sl_options options = { .proxy = &proxy };
        const sl_ray still = sl_ray_make((float[3]){ 0, 0, 0 }, (float[3]){ 0, 0, 0 });
        const sl_segment dot = { { 0, 0, 0 }, { 0, 0, 0 } };
        const float bad[3] = { 0, NAN, 0 };
        const sl_volume none = { SL_VOLUME_SPHERE, { .sphere = { { 0, 0, 0 }, -1 } } };
        sl_nearest nearest;
        sl_inside inside;
        uint8_t touches;
        assert_false(any_of_one(f->bvh, sl_rays_of(&still, 1), &options, &stats));
        assert_false(any_of_one(f->bvh, sl_segments_of(&dot, 1), &options, &stats));
        sl_bvh_nearest_many(f->bvh, sl_points_of(bad, 1, SL_FLOAT), INFINITY, &options,
                            sl_nearests_of(&nearest, SL_FLOAT), NULL, &stats);
        assert_int_equal(nearest.prim, SL_NONE);
        sl_bvh_overlap_any_many(f->bvh, sl_volumes_of(&none, 1, SL_FLOAT), &options, &touches, NULL,
                                &stats);
        assert_int_equal(touches, 0);
        assert_int_equal(sl_bvh_winding(f->bvh, NULL, bad, 1, &options, &inside, NULL, &stats),
                         SL_OK);
        assert_false(inside.inside);
        assert_int_equal(stats.rays, 5);
    }
}

TEST(an_invalid_proxy_is_met_by_nothing)
{
    const fixture *f = *state;
    sl_proxy bad[6] = {
        { SL_PROXY_SPHERE, SL_PROXY_FIRST, { .sphere = { { 0, 0, 0 }, -1 } } },
        { SL_PROXY_SPHERE, SL_PROXY_FIRST, { .sphere = { { 0, NAN, 0 }, 9 } } },
        { SL_PROXY_AABB, SL_PROXY_FIRST, { .aabb = { { 1, 1, 1 }, { -1, 1, 1 } } } },
        { SL_PROXY_OBB, SL_PROXY_FIRST, { .obb = { .half = { 1, 1, -1 } } } },
        { .kind = (sl_proxy_kind)3 },
        { .kind = (sl_proxy_kind)-1 },
    };
    const sl_ray ray = sl_ray_make((float[3]){ -5, 0, 0 }, (float[3]){ 1, 0, 0 });
    const sl_segment segment = { { -5, 0, 0 }, { 5, 0, 0 } };
    const sl_volume all = { SL_VOLUME_FRUSTUM, { .frustum = { .count = 0 } } };
    assert_true(sl_bvh_any(f->bvh, &ray, NULL));
    for (size_t i = 0; i < 12; i++) {
        sl_proxy *proxy = &bad[i / 2];
        proxy->mode = i % 2 ? SL_PROXY_INSTEAD : SL_PROXY_FIRST;
        const sl_options options = { .proxy = proxy };
        assert_false(sl_bvh_any(f->bvh, &ray, &options));
        assert_false(sl_bvh_occluded(f->bvh, segment.p, segment.q, &options));
        assert_false(sl_bvh_nearest(f->bvh, ray.origin, INFINITY, &options, NULL));
        assert_false(sl_bvh_overlap_any(f->bvh, &all, &options));
        assert_false(winding_of_one(f->bvh, NULL, (float[3]){ 2, 0, 0 }, &options, NULL));
    }
}

TEST(workers_do_not_matter)
{
    const fixture *f = *state;
    for (int i = 0; i < 2 * PROXIES; i++) {
        sl_proxy proxy = f->around[i / 2];
        proxy.mode = i % 2 ? SL_PROXY_INSTEAD : SL_PROXY_FIRST;
        const sl_options options = { .proxy = &proxy };
        OWN(sl_pool) pool = made_pool(3);
        FREED answers *one = query_everything(f, &options, NULL, NULL);
        FREED answers *many = query_everything(f, &options, sl_pool_tasks(pool), NULL);
        assert_memory_equal(one, many, sizeof *one);
    }
}
