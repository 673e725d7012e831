/* Single rays far from the world's origin, or that begin far from the mesh: they look at no more of
 * the tree than rays at home do, whatever their coordinates are. */
#include "test/support/query/of_one.h"
#include "test/support/test.h"

enum { SEED = 20261123, RAYS = 200, SIDES = 64 };

/* A sphere of radius 2 at (x, 0, -1.5 x), and the same float vertices moved back exactly. */
typedef struct place {
    sl_mesh *there_mesh, *here_mesh;
    sl_bvh *there, *here;
    float centre[3];
} place;

static sl_bvh *built(const sl_mesh *like, const float *xyz, sl_mesh **mesh)
{
    *mesh = made_mesh(xyz, sl_mesh_soup(like).vertex_count, sl_mesh_soup(like).indices,
                      sl_mesh_soup(like).triangle_count, NULL);
    return made_bvh(*mesh, NULL);
}

static place place_open(float x)
{
    place p = { .centre = { x, 0, -1.5f * x } };
    OWN(sl_mesh) sphere = made_sphere(SIDES);
    const size_t count = 3 * sl_mesh_soup(sphere).vertex_count;
    float *there = malloc(count * sizeof *there), *here = malloc(count * sizeof *here);
    for (size_t k = 0; k < count; k++) {
        there[k] = 2 * sl_mesh_soup(sphere).xyz[k] + p.centre[k % 3];
        here[k] = there[k] - p.centre[k % 3];
    }
    p.there = built(sphere, there, &p.there_mesh);
    p.here = built(sphere, here, &p.here_mesh);
    free(there);
    free(here);
    return p;
}

static void place_close(place *p)
{
    sl_bvh_destroy(p->there);
    unmake_bvh(p->here, p->there_mesh);
    sl_mesh_destroy(p->here_mesh);
}

static void random_direction(test_random *random, float dir[3])
{
    for (int axis = 0; axis < 3; axis++) {
        dir[axis] = test_random_in(random, -1, 1);
    }
}

/* From inside or close by, where differences are exact. */
static sl_ray ray_at(const place *p, test_random *random, float spread)
{
    float from[3], dir[3];
    for (int axis = 0; axis < 3; axis++) {
        from[axis] = p->centre[axis] + test_random_in(random, -spread, spread);
    }
    random_direction(random, dir);
    return sl_ray_make(from, dir);
}

static sl_ray moved_back(const place *p, sl_ray ray)
{
    for (int axis = 0; axis < 3; axis++) {
        ray.origin[axis] -= p->centre[axis];
    }
    return ray;
}

/* Asks all that is answered ray by ray, of a ray or of the segment from its origin to q; counts
 * what each looks at. */
static void ask(const sl_bvh *bvh, const sl_ray *ray, const float q[3], sl_stats stats[5])
{
    sl_hit hit;
    sl_segment segment;
    for (int axis = 0; axis < 3; axis++) {
        segment.p[axis] = ray->origin[axis];
        segment.q[axis] = q[axis];
    }
    const sl_hits hits = sl_hits_of(&hit);
    sl_bvh_closest_many(bvh, sl_rays_of(ray, 1), NULL, hits, NULL, &stats[0]);
    (void)any_of_one(bvh, sl_rays_of(ray, 1), NULL, &stats[1]);
    sl_bvh_closest_many(bvh, sl_segments_of(&segment, 1), NULL, hits, NULL, &stats[2]);
    (void)all_of_one(bvh, sl_rays_of(ray, 1), NULL, sl_hits_of(NULL), 0, &stats[3]);
    sl_ray line = *ray; /* its hits may lie before the origin */
    line.tmin = -INFINITY;
    (void)all_of_one(bvh, sl_rays_of(&line, 1), NULL, sl_hits_of(NULL), 0, &stats[4]);
}

TEST(a_mesh_far_from_the_worlds_origin_takes_no_more_work)
{
    static const float places[] = { 1000, 10000, 148376, 600000, 4000000 };
    test_random random = { SEED };
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        UNDONE(place_close) place p = place_open(places[i]);
        sl_stats there[5] = { { .rays = 0 } }, here[5] = { { .rays = 0 } };
        for (int k = 0; k < RAYS; k++) {
            const sl_ray ray = ray_at(&p, &random, k % 2 == 0 ? 1 : 4);
            const sl_ray end = ray_at(&p, &random, 4);
            const sl_ray back = moved_back(&p, ray), end_back = moved_back(&p, end);
            ask(p.there, &ray, end.origin, there);
            ask(p.here, &back, end_back.origin, here);
        }
        for (int k = 0; k < 5; k++) {
            assert_in_range(2 * there[k].triangles, 0, 3 * here[k].triangles);
            assert_in_range(2 * there[k].nodes, 0, 3 * here[k].nodes);
        }
    }
}

TEST(an_origin_far_from_the_mesh_takes_no_more_work)
{
    test_random random = { SEED + 1 };
    UNDONE(place_close) place p = place_open(0);
    for (float far = 100; far <= 1e7f; far *= 10) {
        sl_stats from_far = { .rays = 0 }, counted = { .rays = 0 }, near = { .rays = 0 };
        for (int k = 0; k < RAYS; k++) {
            sl_ray ray = ray_at(&p, &random, 1), start = ray;
            sl_hit hit;
            for (int axis = 0; axis < 3; axis++) { /* on the same line, all but for rounding */
                ray.origin[axis] -= far * ray.dir[axis];
                start.origin[axis] -= 8 * start.dir[axis];
            }
            sl_bvh_closest_many(p.here, sl_rays_of(&ray, 1), NULL, sl_hits_of(&hit), NULL,
                                &from_far);
            (void)all_of_one(p.here, sl_rays_of(&ray, 1), NULL, sl_hits_of(NULL), 0, &counted);
            (void)all_of_one(p.here, sl_rays_of(&start, 1), NULL, sl_hits_of(NULL), 0, &near);
        }
        assert_in_range(from_far.triangles, 0, 2 * near.triangles);
        assert_in_range(counted.triangles, 0, 2 * near.triangles);
    }
}
