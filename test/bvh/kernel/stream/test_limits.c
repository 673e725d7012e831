/* Any-hit rays and segments that begin or end next to a triangle: batches, which decide most of
 * that in floats (filter/tri_leaves.inl), against the exact test of every triangle, on every
 * kernel; at all scales, and from far away. */
#include "bvh/kernel/kernel.h"
#include "test/support/test.h"

enum { SEED = 20261123, TRIANGLES = 300, LINES = 160, LIMITS = 7, COUNT = LINES * LIMITS };

typedef struct soup {
    float corner[TRIANGLES][3][3];
    sl_ray rays[COUNT];
    sl_segment segments[COUNT];
    sl_bvh *bvh;
} soup;

/* A world: where it is, how large it is, and from how far away rays come. */
typedef struct world {
    float scale, offset, away;
} world;

static void fill(soup *s, test_random *random, const world *at)
{
    uint32_t index[TRIANGLES][3];
    for (uint32_t i = 0; i < TRIANGLES; i++) {
        const float size = i % 3 == 0 ? 1 : 0.2f;
        for (int axis = 0; axis < 3; axis++) {
            const float middle = test_random_unit(random);
            for (uint32_t k = 0; k < 3; k++) {
                s->corner[i][k][axis] =
                    at->offset + at->scale * (middle + size * (test_random_unit(random) - 0.5f));
                index[i][k] = 3 * i + k;
            }
        }
    }
    sl_mesh *mesh = made_mesh(s->corner[0][0], 3 * TRIANGLES, index[0], TRIANGLES, NULL);
    s->bvh = NULL;
    s->bvh = made_bvh_alone(mesh, NULL);
}

/* Seven rays, and segments, along a line: from start to end of it, limited by a hit at t, or by the
 * numbers next to it. */
static void limit(soup *s, int line, sl_ray ray, float t)
{
    const float around[3] = { nextafterf(t, -INFINITY), t, nextafterf(t, INFINITY) };
    for (int k = 0; k < LIMITS; k++) {
        sl_ray *out = &s->rays[k * LINES + line];
        sl_segment *segment = &s->segments[k * LINES + line];
        *out = ray;
        if (k < 3) {
            out->tmin = around[k];
        } else if (k < 6) {
            out->tmax = around[k - 3];
        }
        for (int axis = 0; axis < 3; axis++) {
            const float end = ray.origin[axis] + (k == 6 ? 2 : around[k % 3]) * ray.dir[axis];
            segment->p[axis] = k < 3 ? end : ray.origin[axis];
            segment->q[axis] = k < 3 ? ray.origin[axis] + 3 * ray.dir[axis] : end;
        }
    }
}

/* A point of an edge of some triangle, rounded: on either side of it. */
static void point_of_edge(const soup *s, test_random *random, float out[3])
{
    const float(*v)[3] = s->corner[test_random_below(random, TRIANGLES)];
    const float part = test_random_unit(random);
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = v[0][axis] + part * (v[1][axis] - v[0][axis]);
    }
}

static void aim(soup *s, test_random *random, const world *at)
{
    for (int line = 0; line < LINES; line++) {
        const bool at_edge = line % 2 != 0;
        sl_ray ray = { .tmax = INFINITY };
        sl_hit hit;
        float to[3];
        point_of_edge(s, random, to);
        for (int axis = 0; axis < 3; axis++) {
            const float from = at->away * (test_random_unit(random) - 0.5f) + 0.5f;
            const float inside = at->offset + at->scale * test_random_unit(random);
            ray.origin[axis] = at->offset + at->scale * from;
            ray.dir[axis] = (at_edge ? to[axis] : inside) - ray.origin[axis];
        }
        if (!sl_bvh_closest(s->bvh, &ray, NULL, &hit)) {
            hit.t = 1;
        }
        limit(s, line, ray, hit.t);
        if (at_edge) {
            s->rays[(LIMITS - 1) * LINES + line].tmin = 0.999f;
            s->rays[(LIMITS - 1) * LINES + line].tmax = 1.001f;
        }
    }
}

static bool hits_some(const soup *s, const sli_exact_ray *ray)
{
    for (int i = 0; i < TRIANGLES; i++) {
        const float(*v)[3] = s->corner[i];
        sli_decision_stage stage;
        if (sli_exact_ray_hits(ray, v[0], v[1], v[2], 0, &stage)) {
            return true;
        }
    }
    return false;
}

static int agree(soup *s)
{
    static uint8_t any[COUNT], occluded[COUNT];
    static uint8_t ray_hits[COUNT], segment_hits[COUNT];
    int found = 0;
    for (int i = 0; i < COUNT; i++) {
        sli_exact_ray exact;
        ray_hits[i] = sli_exact_ray_from_ray(&s->rays[i], 0, &exact) && hits_some(s, &exact);
        segment_hits[i] =
            sli_exact_ray_from_segment(&s->segments[i], 0, &exact) && hits_some(s, &exact);
        found += ray_hits[i];
    }
    for (int k = 0; sli_kernels_at(k) != NULL; k++) {
        s->bvh->kernels = sli_kernels_at(k);
        memset(any, 2, sizeof any);
        memset(occluded, 2, sizeof occluded);
        sl_bvh_any_many(s->bvh, sl_rays_of(s->rays, COUNT), NULL, any, NULL, NULL, NULL);
        sl_bvh_any_many(s->bvh, sl_segments_of(s->segments, COUNT), NULL, occluded, NULL, NULL,
                        NULL);
        assert_memory_equal(any, ray_hits, sizeof any);
        assert_memory_equal(occluded, segment_hits, sizeof occluded);
    }
    return found;
}

TEST(limits_next_to_triangles_are_exact)
{
    static soup s;
    test_random random = { SEED };
    const world worlds[] = { { 1, 0, 2 },      { 100, 0, 1 },      { 1, 1000, 1 },
                             { 1, 0, 100 },    { 0x1p-24f, 0, 1 }, { 0x1p-36f, 0, 1 },
                             { 0x1p34f, 0, 1 } };
    for (size_t i = 0; i < sizeof worlds / sizeof worlds[0]; i++) {
        fill(&s, &random, &worlds[i]);
        aim(&s, &random, &worlds[i]);
        assert_in_range(agree(&s), COUNT / 4, COUNT - LINES / 2);
        sl_bvh_destroy(s.bvh);
    }
}

/* Floats answer most of these: that doubles have little to do is what they are for. */
TEST(few_triangles_are_left_to_doubles)
{
    static soup s;
    static uint8_t any[COUNT];
    test_random random = { SEED };
    const world unit = { 1, 0, 2 };
    fill(&s, &random, &unit);
    for (int i = 0; i < COUNT; i++) {
        for (int axis = 0; axis < 3; axis++) {
            s.rays[i].origin[axis] = test_random_unit(&random);
            s.rays[i].dir[axis] = test_random_unit(&random) - 0.5f;
        }
        s.rays[i].tmin = 0;
        s.rays[i].tmax = INFINITY;
    }
    for (int k = 0; sli_kernels_at(k) != NULL; k++) {
        sl_stats stats = { 0 };
        s.bvh->kernels = sli_kernels_at(k);
        sl_bvh_any_many(s.bvh, sl_rays_of(s.rays, COUNT), NULL, any, NULL, NULL, &stats);
        assert_int_equal(stats.rays, COUNT);
        assert_true(stats.hits > COUNT / 2);
        assert_true(stats.double_stage + stats.exact_stage < COUNT / 50);
    }
    sl_bvh_destroy(s.bvh);
}
