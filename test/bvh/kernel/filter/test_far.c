/* What a query looks at does not depend on how far all of it is from the world's origin, nor on how
 * far from the mesh a ray begins.  Counted, in nodes and triangles. */
#include "bvh/kernel/kernel.h"
#include "test/support/test.h"

enum { RAYS = 1024, SPHERE = 100, SEED = 20261123 };

/* Where the centre of the sphere is along x; z is -1.5 times that.  At the last one, floats are 1
 * apart along x, and 2 along z. */
static const float places[] = { 0, 10000, 148376, 600000, 12e6f };

typedef struct scene {
    sl_mesh *mesh;
    sl_bvh *bvh;
} scene;

static scene scene_of(const sl_mesh *like, const float *positions)
{
    scene s = { .mesh = NULL };
    s.mesh = made_mesh(positions, sl_mesh_soup(like).vertex_count, sl_mesh_soup(like).indices,
                       sl_mesh_soup(like).triangle_count, NULL);
    s.bvh = made_bvh(s.mesh, NULL);
    return s;
}

/* A sphere around a centre, and the same vertices moved back by an exact subtraction. */
static void open_pair(float radius, const float centre[3], scene *far, scene *near)
{
    OWN(sl_mesh) unit = made_sphere(SPHERE);
    const size_t count = 3 * sl_mesh_soup(unit).vertex_count;
    float *there = malloc(count * sizeof *there), *here = malloc(count * sizeof *here);
    assert_true(there != NULL && here != NULL);
    for (size_t k = 0; k < count; k++) {
        there[k] = sl_mesh_soup(unit).xyz[k] * radius + centre[k % 3];
        here[k] = there[k] - centre[k % 3];
        assert_true((double)here[k] == (double)there[k] - (double)centre[k % 3]);
    }
    *far = scene_of(unit, there);
    *near = scene_of(unit, here);
    free(there);
    free(here);
}

static void scene_close(scene *s)
{
    unmake_bvh(s->bvh, s->mesh);
}

/* Rays and their segments, from places in a ball, in any direction. */
typedef struct ray_set {
    sl_ray rays[RAYS];
    sl_segment segments[RAYS];
    float to[3 * RAYS], dirs[3 * RAYS];
} ray_set;

static void random_in_ball(test_random *random, float radius, float out[3])
{
    float size;
    do {
        size = 0;
        for (int axis = 0; axis < 3; axis++) {
            out[axis] = test_random_in(random, -1, 1);
            size += out[axis] * out[axis];
        }
    } while (size > 1);
    for (int axis = 0; axis < 3; axis++) {
        out[axis] *= radius;
    }
}

/* From inside the sphere; all from one place: for questions from a point. */
static void inside_rays(float radius, const float centre[3], ray_set *there, ray_set *here)
{
    test_random random = { SEED };
    for (size_t i = 0; i < RAYS; i++) {
        float from[3], dir[3];
        random_in_ball(&random, 0.7f * radius, from);
        random_in_ball(&random, 1, dir);
        for (int axis = 0; axis < 3; axis++) {
            from[axis] += centre[axis];
        }
        there->rays[i] = here->rays[i] = sl_ray_make(from, dir);
        for (int axis = 0; axis < 3; axis++) {
            const float end = centre[axis] + dir[axis] * 0.9f * radius;
            there->segments[i].p[axis] = from[axis];
            there->segments[i].q[axis] = there->to[3 * i + (size_t)axis] = end;
            here->rays[i].origin[axis] = here->segments[i].p[axis] = from[axis] - centre[axis];
            here->segments[i].q[axis] = here->to[3 * i + (size_t)axis] = end - centre[axis];
            there->dirs[3 * i + (size_t)axis] = here->dirs[3 * i + (size_t)axis] = dir[axis];
        }
    }
}

/* The ways to ask. */
enum { CLOSEST, ANY, CLOSEST_SEGMENT, BLOCKED, ANY_FROM, BLOCKED_FROM, WAYS };

/* The answers to one of the ways, misses at 0. */
typedef struct answers {
    sl_hit hits[RAYS];
    uint8_t any[RAYS];
} answers;

/* Asks in one way; returns how much was looked at. */
static uint64_t work(const sl_bvh *bvh, const ray_set *set, int way, answers *out)
{
    sl_stats stats = { .rays = 0 };
    const float *from = set->rays[0].origin;
    sl_hit *hits = out->hits;
    uint8_t *any = out->any;
    memset(out, 0, sizeof *out);
    switch (way) {
    case CLOSEST:
        sl_bvh_closest_many(bvh, sl_rays_of(set->rays, RAYS), NULL, sl_hits_of(hits), NULL, &stats);
        break;
    case ANY:
        sl_bvh_any_many(bvh, sl_rays_of(set->rays, RAYS), NULL, any, NULL, NULL, &stats);
        break;
    case CLOSEST_SEGMENT:
        sl_bvh_closest_many(bvh, sl_segments_of(set->segments, RAYS), NULL, sl_hits_of(hits), NULL,
                            &stats);
        break;
    case BLOCKED:
        sl_bvh_any_many(bvh, sl_segments_of(set->segments, RAYS), NULL, any, NULL, NULL, &stats);
        break;
    case ANY_FROM:
        sl_bvh_any_many(bvh, sl_rays_from(from, set->dirs, RAYS, SL_FLOAT), NULL, any, NULL, NULL,
                        &stats);
        break;
    default:
        sl_bvh_any_many(bvh, sl_segments_from(from, set->to, RAYS, SL_FLOAT), NULL, any, NULL, NULL,
                        &stats);
        break;
    }
    return stats.nodes + stats.triangles;
}

static void expect_no_more(const char *what, int way, const sli_kernels *kernels, uint64_t much,
                           uint64_t most)
{
    if (much > most) {
        fail_msg("%s: way %d looks at %llu with %s, at most %llu were expected", what, way,
                 (unsigned long long)much, kernels->name, (unsigned long long)most);
    }
}

TEST(a_mesh_far_away_costs_no_more_than_the_same_one_here)
{
    const float radius = 2;
    ray_set *there = malloc(sizeof *there), *here = malloc(sizeof *here);
    FREED answers *of = malloc(2 * sizeof *of);
    assert_true(there != NULL && here != NULL && of != NULL);
    for (size_t place = 0; place < sizeof places / sizeof places[0]; place++) {
        /* Where floats are 2 apart, so that the mesh is resolved all the same. */
        const float size = places[place] > 1e7f ? 2000 : radius;
        const float centre[3] = { places[place], 0, -1.5f * places[place] };
        scene far, near;
        open_pair(size, centre, &far, &near);
        inside_rays(size, centre, there, here);
        const sli_kernels *kernels;
        for (int k = 0; (kernels = sli_kernels_at(k)) != NULL; k++) {
            far.bvh->kernels = near.bvh->kernels = kernels;
            for (int way = 0; way < WAYS; way++) {
                const uint64_t much = work(far.bvh, there, way, &of[0]),
                               least = work(near.bvh, here, way, &of[1]);
                expect_no_more("far", way, kernels, much, least + least / 4);
                assert_memory_equal(&of[0], &of[1], sizeof of[0]);
            }
        }
        scene_close(&far);
        scene_close(&near);
    }
    free(there);
    free(here);
}

/* Rays that begin so far from a unit sphere, and pass through the ball of half its size. */
static void rays_from(float distance, ray_set *set)
{
    test_random random = { SEED + 1 };
    for (size_t i = 0; i < RAYS; i++) {
        float to[3], dir[3], from[3], ends[3], size;
        random_in_ball(&random, 0.5f, to);
        random_in_ball(&random, 1, dir);
        size = sqrtf(dir[0] * dir[0] + dir[1] * dir[1] + dir[2] * dir[2]);
        for (int axis = 0; axis < 3; axis++) {
            from[axis] = to[axis] - dir[axis] / size * distance;
            ends[axis] = to[axis] + dir[axis] / size * distance;
            dir[axis] = to[axis] - from[axis];
        }
        set->rays[i] = sl_ray_make(from, dir);
        memcpy(set->segments[i].p, from, sizeof from);
        memcpy(set->segments[i].q, ends, sizeof ends);
        memcpy(&set->to[3 * i], to, sizeof to);
        for (size_t axis = 0; axis < 3; axis++) {
            set->dirs[3 * i + axis] = to[axis] - set->rays[0].origin[axis];
        }
    }
}

/* A walk with boxes tested in doubles looks at what a ray from nearby looks at: t is as exact as
 * is needed to leave out what lies behind the first hit.  From afar t is not, so that both sides of
 * the sphere are looked at. */
TEST(rays_from_far_away_look_at_no_more_than_four_times_as_much)
{
    const float distances[] = { 10, 1000, 1e5f, 1e7f };
    const float centre[3] = { 0, 0, 0 };
    FREED ray_set *set = malloc(sizeof *set);
    FREED answers *of = malloc(sizeof *of);
    scene sphere, same;
    assert_true(set != NULL && of != NULL);
    open_pair(1, centre, &sphere, &same);
    const sli_kernels *kernels;
    for (int k = 0; (kernels = sli_kernels_at(k)) != NULL; k++) {
        sphere.bvh->kernels = kernels;
        uint64_t near[WAYS];
        rays_from(4, set);
        for (int way = 0; way < WAYS; way++) {
            near[way] = work(sphere.bvh, set, way, of);
        }
        for (size_t i = 0; i < sizeof distances / sizeof distances[0]; i++) {
            rays_from(distances[i], set);
            for (int way = 0; way < WAYS; way++) {
                expect_no_more("from afar", way, kernels, work(sphere.bvh, set, way, of),
                               4 * near[way]);
            }
        }
    }
    scene_close(&sphere);
    scene_close(&same);
}

/* Ends every ray well before the sphere, and begins those of one kind behind their origins. */
TEST(rays_that_end_before_the_mesh_look_at_nothing)
{
    const float centre[3] = { 48700, 0, 0 };
    FREED ray_set *set = malloc(sizeof *set);
    FREED answers *of = malloc(sizeof *of);
    scene sphere, same;
    assert_true(set != NULL && of != NULL);
    open_pair(1, centre, &sphere, &same);
    const sli_kernels *kernels;
    for (int k = 0; (kernels = sli_kernels_at(k)) != NULL; k++) {
        sphere.bvh->kernels = kernels;
        for (int behind = 0; behind < 2; behind++) {
            rays_from(300, set);
            for (size_t i = 0; i < RAYS; i++) {
                set->rays[i].origin[0] += centre[0];
                set->rays[i].tmax = 0.1f;
                set->rays[i].tmin = behind != 0 ? -0.5f : 0;
            }
            /* The root alone. */
            expect_no_more("ends", CLOSEST, kernels, work(sphere.bvh, set, CLOSEST, of), RAYS);
            expect_no_more("ends", ANY, kernels, work(sphere.bvh, set, ANY, of), RAYS);
        }
    }
    scene_close(&sphere);
    scene_close(&same);
}
