/* Rays and segments that begin or end at vertices, bit by bit, in planes, on edges and faces, or
 * next to them: in arrays and
 * alone, in floats and doubles, in trees and among instances, they get what every triangle in turn
 * says, and hardly any takes expansions. */
#include "bvh/kernel/kernel.h"
#include "test/support/test.h"

#include <sightline/instances.h>

#include <math.h>

enum { SEED = 20261127, COUNT = 400, TRIANGLES = 400 };

/* The same items as floats and as doubles; of rays, directions for ends. */
typedef struct items {
    sl_segment segment[COUNT];
    sl_segment_d segment_d[COUNT];
    sl_ray ray[COUNT];
    sl_ray_d ray_d[COUNT];
} items;

enum shape { TORUS, SOUP, LATTICE, WALLS, LATTICE_WALLS, SHAPES };

/* One of few, so that many lie in one plane. */
static float a_coordinate(test_random *random, enum shape shape)
{
    const float k = (float)test_random_below(random, 9) - 4;
    return k * (shape == WALLS ? 0.7310585f : 0.5f);
}

/* Triangles of a lattice, or rectangles across axes. */
static sl_mesh *made_in_planes(enum shape shape)
{
    static float v[TRIANGLES][3][3];
    static uint32_t index[TRIANGLES][3];
    test_random random = { SEED + (uint64_t)shape };
    for (uint32_t i = 0; i < TRIANGLES; i++) {
        const uint32_t across = test_random_below(&random, 3), half = i % 2;
        for (uint32_t k = 0; k < 9; k++) {
            v[i][k / 3][k % 3] = a_coordinate(&random, shape);
        }
        for (uint32_t axis = 0; axis < 3 && shape != LATTICE; axis++) {
            const float *low = v[i - half][0], *high = v[i - half][2];
            if (axis == across) {
                v[i][1][axis] = v[i][2][axis] = v[i][0][axis];
            } else if (half != 0) {
                v[i][0][axis] = low[axis];
                v[i][2][axis] = high[axis];
            }
        }
        for (uint32_t k = 0; k < 3; k++) {
            index[i][k] = 3 * i + k;
        }
    }
    return made_mesh(v, 3 * (size_t)TRIANGLES, index, TRIANGLES, NULL);
}

static sl_mesh *made_shape(enum shape shape)
{
    return shape == TORUS  ? made_torus(20, 10, 3, 1)
           : shape == SOUP ? made_soup(TRIANGLES, 2, SEED)
                           : made_in_planes(shape);
}

/* A vertex most often; the middle of a side, or of a triangle; any point, also of a vertex's plane
 * across an axis; and what is a float or two off. */
static void some_point(const sl_bvh *bvh, test_random *random, float out[3])
{
    double v[3][3];
    const uint32_t prim = test_random_below(random, TRIANGLES);
    assert_true(sl_bvh_triangle(bvh, (sl_triangle_ref){ .prim = prim }, v));
    const uint32_t kind = test_random_below(random, 10), i = test_random_below(random, 3);
    const uint32_t across = test_random_below(random, 3), off = test_random_below(random, 24);
    for (uint32_t axis = 0; axis < 3; axis++) {
        const double *const at[3] = { &v[i][axis], &v[(i + 1) % 3][axis], &v[(i + 2) % 3][axis] };
        const double x = kind < 5                       ? *at[0]
                         : kind == 5                    ? (*at[0] + *at[1]) / 2
                         : kind == 6                    ? (*at[0] + *at[1] + *at[2]) / 3
                         : kind == 7 && axis == across  ? *at[0]
                         : kind == 8 && off % 3 != axis ? (*at[0] + 3 * *at[1]) / 4
                                                        : test_random_in(random, -4, 4);
        out[axis] = (float)x;
    }
    if (off < 3) {
        out[off] = nextafterf(out[off], test_random_in(random, -4, 4));
    }
}

static void make_items(const sl_bvh *bvh, test_random *random, items *out)
{
    const float tmin[6] = { 0, 0, 0x1p-20f, -1, 1, NAN };
    const float tmax[6] = { INFINITY, 1, 1, 0, 0.5f, 2 };
    for (int i = 0; i < COUNT; i++) {
        float p[3], q[3];
        some_point(bvh, random, p);
        some_point(bvh, random, q);
        const float from = tmin[test_random_below(random, 6)];
        const float to = tmax[test_random_below(random, 6)];
        out->ray[i] = (sl_ray){ .tmin = from, .tmax = to };
        out->ray_d[i] = (sl_ray_d){ .tmin = from, .tmax = to };
        for (int axis = 0; axis < 3; axis++) {
            const float dir = q[axis] - p[axis];
            out->segment[i].p[axis] = out->ray[i].origin[axis] = p[axis];
            out->segment[i].q[axis] = q[axis];
            out->ray[i].dir[axis] = dir;
            out->segment_d[i].p[axis] = out->ray_d[i].origin[axis] = p[axis];
            out->segment_d[i].q[axis] = q[axis];
            out->ray_d[i].dir[axis] = dir;
        }
    }
}

/* Item i against every triangle in turn. */
static sl_hit_d in_turn(const sl_bvh *bvh, const items *of, int i, bool segments,
                        const sl_options *options)
{
    sl_hit_d best = { .t = segments ? 1 : of->ray_d[i].tmax, .prim = SL_NONE };
    for (uint32_t prim = 0; prim < TRIANGLES; prim++) {
        sl_triangle_d triangle;
        sl_hit_d hit;
        if (!sl_bvh_triangle(bvh, (sl_triangle_ref){ .prim = prim }, triangle.v)) {
            continue;
        }
        const bool found = segments
                               ? sl_segment_d_triangle(&of->segment_d[i], &triangle, options, &hit)
                               : sl_ray_d_triangle(&of->ray_d[i], &triangle, options, &hit);
        if (found && (best.prim == SL_NONE || hit.t < best.t)) {
            best = hit;
            best.prim = prim;
        }
    }
    return best;
}

/* In floats the first of those whose t round alike. */
static void check_float(const sl_bvh *bvh, const items *of, int i, bool segments,
                        const sl_options *options, const sl_hit *got, const sl_hit_d *truth)
{
    sl_triangle triangle;
    double v[3][3];
    sl_hit hit;
    assert_int_equal(got->prim == SL_NONE, truth->prim == SL_NONE);
    if (got->prim == SL_NONE) {
        return;
    }
    assert_true(got->t == (float)truth->t && got->prim <= truth->prim);
    assert_true(sl_bvh_triangle(bvh, (sl_triangle_ref){ .prim = got->prim }, v));
    for (int k = 0; k < 9; k++) {
        triangle.v[k / 3][k % 3] = (float)v[k / 3][k % 3];
    }
    assert_true(segments ? sl_segment_triangle(&of->segment[i], &triangle, options, &hit)
                         : sl_ray_triangle(&of->ray[i], &triangle, options, &hit));
    hit.prim = got->prim;
    assert_memory_equal(got, &hit, sizeof hit);
}

static void check_arrays(const sl_bvh *bvh, const items *of, bool segments,
                         const sl_options *options, const sl_hit_d *truth)
{
    static sl_hit hits[COUNT];
    static sl_hit_d hits_d[COUNT];
    uint8_t any[COUNT], any_d[COUNT];
    const sl_rays rays = segments ? sl_segments_of(of->segment, COUNT) : sl_rays_of(of->ray, COUNT);
    const sl_rays rays_d =
        segments ? sl_segments_of_d(of->segment_d, COUNT) : sl_rays_of_d(of->ray_d, COUNT);
    sl_bvh_closest_many(bvh, rays, options, sl_hits_of(hits), NULL, NULL);
    sl_bvh_closest_many(bvh, rays_d, options, sl_hits_of_d(hits_d), NULL, NULL);
    sl_bvh_any_many(bvh, rays, options, any, NULL, NULL, NULL);
    sl_bvh_any_many(bvh, rays_d, options, any_d, NULL, NULL, NULL);
    for (int i = 0; i < COUNT; i++) {
        const bool is_hit = truth[i].prim != SL_NONE;
        check_float(bvh, of, i, segments, options, &hits[i], &truth[i]);
        assert_int_equal(any[i], is_hit);
        assert_int_equal(any_d[i], is_hit);
        assert_int_equal(hits_d[i].prim, truth[i].prim);
        assert_true(!is_hit || memcmp(&hits_d[i], &truth[i], sizeof truth[i]) == 0);
    }
}

static void check_alone(const sl_bvh *bvh, const items *of, bool segments,
                        const sl_options *options, const sl_hit_d *truth)
{
    for (int i = 0; i < COUNT; i++) {
        const bool is_hit = truth[i].prim != SL_NONE;
        sl_hit hit;
        if (segments) {
            const sl_segment *s = &of->segment[i];
            const sl_segment_d *d = &of->segment_d[i];
            assert_int_equal(sl_bvh_occluded(bvh, s->p, s->q, options), is_hit);
            assert_int_equal(sl_bvh_occluded_d(bvh, d->p, d->q, options), is_hit);
        } else {
            (void)sl_bvh_closest(bvh, &of->ray[i], options, &hit);
            check_float(bvh, of, i, false, options, &hit, &truth[i]);
            assert_int_equal(sl_bvh_any(bvh, &of->ray[i], options), is_hit);
        }
    }
}

static void check(sl_bvh *bvh, sl_bvh *world, const items *of, bool segments,
                  const sl_options *options)
{
    static sl_hit_d truth[COUNT];
    for (int i = 0; i < COUNT; i++) {
        truth[i] = in_turn(bvh, of, i, segments, options);
    }
    for (int k = 0; sli_kernels_at(k) != NULL; k++) {
        bvh->kernels = world->kernels = sli_kernels_at(k);
        check_arrays(bvh, of, segments, options, truth);
        check_arrays(world, of, segments, options, truth);
        check_alone(bvh, of, segments, options, truth);
        check_alone(world, of, segments, options, truth);
    }
}

static const sl_options queries[] = {
    { .flags = 0 },
    { .flags = SL_OPEN_END },
    { .flags = SL_OPEN_START },
    { .flags = SL_OPEN_START | SL_OPEN_END },
    { .flags = SL_OPEN_START | SL_OPEN_END | SL_CROSSINGS },
    { .flags = SL_OPEN_START, .cull = SL_CULL_BACK },
    { .flags = SL_OPEN_END, .cull = SL_CULL_FRONT },
};

static sl_bvh *one_instance(const sl_bvh *bvh)
{
    sl_bvh *world = NULL;
    const sl_instance instance = sl_instance_of(bvh);
    assert_int_equal(sl_bvh_build_instances(&instance, 1, NULL, &world, NULL), SL_OK);
    return world;
}

TEST(ends_at_vertices_are_as_every_triangle_in_turn_says)
{
    static items of;
    test_random random = { SEED };
    for (enum shape shape = TORUS; shape < SHAPES; shape++) {
        OWN(sl_mesh) mesh = made_shape(shape);
        OWN(sl_bvh) bvh = made_bvh(mesh, NULL);
        OWN(sl_bvh) world = one_instance(bvh);
        make_items(bvh, &random, &of);
        for (size_t q = 0; q < sizeof queries / sizeof queries[0]; q++) {
            check(bvh, world, &of, true, &queries[q]);
            check(bvh, world, &of, false, &queries[q]);
        }
    }
}

/* Many of them, so that they are sorted and share what they find. */
TEST(from_one_point_to_vertices_as_one_by_one)
{
    enum { TARGETS = 4096 };
    static float targets[TARGETS][3];
    static uint8_t any[TARGETS];
    test_random random = { SEED };
    OWN(sl_mesh) mesh = made_torus(20, 10, 3, 1);
    OWN(sl_bvh) bvh = made_bvh(mesh, NULL);
    for (int i = 0; i < TARGETS; i++) {
        some_point(bvh, &random, targets[i]);
    }
    const float eyes[2][3] = { { 5.3f, 4.1f, 6.7f },
                               { targets[7][0], targets[7][1], targets[7][2] } };
    for (int k = 0; sli_kernels_at(k) != NULL; k++) {
        bvh->kernels = sli_kernels_at(k);
        for (int q = 0; q < 10; q++) {
            const float *eye = eyes[q / 5];
            const sl_rays rays = sl_segments_from(eye, targets, TARGETS, SL_FLOAT);
            sl_bvh_any_many(bvh, rays, &queries[q % 5], any, NULL, NULL, NULL);
            for (int i = 0; i < TARGETS; i++) {
                assert_int_equal(any[i], sl_bvh_occluded(bvh, eye, targets[i], &queries[q % 5]));
            }
        }
    }
}

/* From one eye to vertices, and back. */
TEST(ends_at_vertices_take_no_expansions)
{
    static sl_segment to[COUNT], from[COUNT];
    static sl_hit hits[COUNT];
    uint8_t any[COUNT];
    test_random random = { SEED };
    OWN(sl_mesh) mesh = made_torus(20, 10, 3, 1);
    OWN(sl_bvh) bvh = made_bvh(mesh, NULL);
    for (int i = 0; i < COUNT; i++) {
        double v[3][3];
        const uint32_t prim = test_random_below(&random, TRIANGLES);
        assert_true(sl_bvh_triangle(bvh, (sl_triangle_ref){ .prim = prim }, v));
        to[i] = (sl_segment){ .p = { 5.3f, 4.1f, 6.7f } };
        for (int axis = 0; axis < 3; axis++) {
            to[i].q[axis] = from[i].p[axis] = (float)v[i % 3][axis];
            from[i].q[axis] = to[i].p[axis];
        }
    }
    for (int k = 0; sli_kernels_at(k) != NULL; k++) {
        bvh->kernels = sli_kernels_at(k);
        sl_stats stats = { .rays = 0 };
        const sl_rays both[2] = { sl_segments_of(to, COUNT), sl_segments_of(from, COUNT) };
        for (int i = 0; i < 2; i++) {
            for (int q = 0; q < 4; q++) {
                sl_bvh_any_many(bvh, both[i], &queries[q], any, NULL, NULL, &stats);
                sl_bvh_closest_many(bvh, both[i], &queries[q], sl_hits_of(hits), NULL, &stats);
            }
        }
        assert_int_equal(stats.exact_stage, 0);
    }
}
