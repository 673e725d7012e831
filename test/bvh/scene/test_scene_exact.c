/* Rays in floats and in doubles, aimed at corners, edges and limits of worlds of 1 to 2,000
 * instances, nested as well: which triangles of the world they hit, and t, u and v to the bit,
 * against integers of any length for each triangle in turn.  Where the margin of carried rays is
 * taken away, hits are lost.
 *
 * SIGHTLINE_TEST_SCALE=50 makes ten million decisions (.ci/exact.sh). */
#include "bvh/scene/scene.h"
#include "test/support/input/world.h"
#include "test/support/oracle/brute_force.h"
#include "test/support/query/of_one.h"
#include "test/support/test.h"

enum { SEED = 20261140, HITS_MOST = 4096, DECISIONS = 200000, SIZES = 3 };

typedef struct query {
    bool doubles;
    sl_ray ray;
    sl_ray_d ray_d;
} query;

static bool pick(const sl_bvh *scene, test_random *random, double v[3][3])
{
    for (int tries = 0; tries < 100; tries++) {
        const sl_triangle_ref ref = { test_random_below(random, scene->world.count),
                                      test_random_below(random, 20) };
        if (sl_bvh_triangle(scene, ref, v)) {
            return true;
        }
    }
    return false;
}

/* A corner, the middle or some point of an edge, or a point within, as far as doubles go. */
static void point_of(double v[3][3], test_random *random, double to[3])
{
    const uint32_t kind = test_random_below(random, 4), corner = test_random_below(random, 3);
    const double along = kind == 0 ? 0 : kind == 1 ? 0.5 : (double)test_random_unit(random);
    const double across = kind == 3 ? 0.5 * (double)test_random_unit(random) : 0;
    for (int axis = 0; axis < 3; axis++) {
        const double a = v[corner][axis], b = v[(corner + 1) % 3][axis];
        const double on_edge = a + along * (b - a);
        to[axis] = on_edge + across * (v[(corner + 2) % 3][axis] - on_edge);
    }
}

static query draw(const sl_bvh *scene, test_random *random)
{
    double v[3][3], from[3] = { 0, 0, 0 }, to[3] = { 1, 0, 0 };
    query q = { .doubles = test_random_below(random, 2) == 0 };
    if (pick(scene, random, v)) {
        point_of(v, random, to);
    }
    if (pick(scene, random, v)) {
        point_of(v, random, from);
    }
    const bool ends = test_random_below(random, 4) == 0;
    q.ray.tmax = ends ? 1 : INFINITY;
    q.ray_d.tmax = ends ? 1 : INFINITY;
    for (int axis = 0; axis < 3; axis++) {
        q.ray.origin[axis] = (float)from[axis];
        q.ray.dir[axis] = (float)(to[axis] - from[axis]);
        q.ray_d.origin[axis] = from[axis];
        q.ray_d.dir[axis] = to[axis] - from[axis];
    }
    return q;
}

static oracle_line line_of(const query *q)
{
    const sl_ray_d wide = q->doubles ? q->ray_d : sl_ray_d_from_ray(&q->ray);
    oracle_line line = { .tmin = wide.tmin, .tmax = wide.tmax, .valid = false };
    for (int axis = 0; axis < 3; axis++) {
        /* Numbers as they are taken: multiples of 2^-149. */
        line.origin[axis] = ldexp(rint(ldexp(wide.origin[axis], 149)), -149);
        line.dir[axis] = ldexp(rint(ldexp(wide.dir[axis], 149)), -149);
        line.valid = line.valid || line.dir[axis] != 0;
    }
    return line;
}

static bool is_as(const oracle_answer *answer, const query *q, const sl_hit_d *hit)
{
    const double t = q->doubles ? answer->wide_t : (double)answer->t;
    return answer->hit && t == hit->t && answer->u == hit->u && answer->v == hit->v;
}

/* All hits, as doubles. */
static size_t ask(const sl_bvh *scene, const query *q, sl_hit_d *hits, sl_hit_d *closest)
{
    static sl_hit narrow[HITS_MOST];
    if (q->doubles) {
        (void)sl_bvh_closest_d(scene, &q->ray_d, NULL, closest);
        return all_of_one(scene, sl_rays_of_d(&q->ray_d, 1), NULL, sl_hits_of_d(hits), HITS_MOST,
                          NULL);
    }
    sl_hit first;
    (void)sl_bvh_closest(scene, &q->ray, NULL, &first);
    *closest = (sl_hit_d){ (double)first.t, first.u, first.v, first.prim, first.instance, 0, 0 };
    const size_t total = sl_bvh_all(scene, &q->ray, NULL, narrow, HITS_MOST);
    for (size_t i = 0; i < total && i < HITS_MOST; i++) {
        const sl_hit *hit = &narrow[i];
        hits[i] = (sl_hit_d){ (double)hit->t, hit->u, hit->v, hit->prim, hit->instance, 0, 0 };
    }
    return total;
}

typedef struct tally {
    size_t decisions, hits, wrong;
} tally;

static void judge(const sl_bvh *scene, const query *q, tally *n)
{
    static sl_hit_d hits[HITS_MOST];
    const oracle_line line = line_of(q);
    sl_hit_d closest;
    double v[3][3];
    const size_t total = ask(scene, q, hits, &closest);
    size_t expected = 0;
    for (uint32_t instance = 0; line.valid && instance < scene->world.count; instance++) {
        for (uint32_t prim = 0; sl_bvh_triangle(scene, (sl_triangle_ref){ instance, prim }, v);
             prim++) {
            expected += oracle_corners(&line, (const double(*)[3])v, SL_CULL_NONE).hit;
            n->decisions++;
        }
    }
    n->hits += expected;
    n->wrong += total != expected;
    for (size_t i = 0; i < total && i < HITS_MOST; i++) {
        const sl_triangle_ref ref = { hits[i].instance, hits[i].prim };
        if (!sl_bvh_triangle(scene, ref, v)) {
            n->wrong++;
            continue;
        }
        const oracle_answer answer = oracle_corners(&line, (const double(*)[3])v, SL_CULL_NONE);
        n->wrong += !is_as(&answer, q, &hits[i]) || (i > 0 && hits[i].t < hits[i - 1].t);
    }
    n->wrong += (closest.prim != SL_NONE) != (total > 0);
    n->wrong += total > 0 && (closest.t != hits[0].t || closest.prim != hits[0].prim ||
                              closest.instance != hits[0].instance);
}

static void judge_world(world_kind kind, size_t count, bool no_margin, size_t least, tally *n)
{
    test_random random = { test_seed(SEED) + (uint64_t)kind * 10 + count };
    UNDONE(world_destroy) world_case world;
    world_make(&world, kind, count, count > 1, &random);
    if (no_margin) {
        world_forget_margins(world.scene);
    }
    for (const size_t end = n->decisions + least; n->decisions < end;) {
        const query q = draw(world.scene, &random);
        const size_t before = n->decisions;
        judge(world.scene, &q, n);
        n->decisions += n->decisions == before; /* a world of nothing, or no direction */
    }
}

TEST(decisions_are_those_of_integers)
{
    static const size_t sizes[SIZES] = { 1, 64, 2000 };
    const size_t least = test_is_brief() ? 500 : DECISIONS * test_scale() / (SIZES * WORLD_KINDS);
    tally all = { 0 };
    for (int i = 0; i < SIZES * WORLD_KINDS; i++) {
        tally n = { 0 };
        judge_world((world_kind)(i / SIZES), sizes[i % SIZES], false, least, &n);
        if (n.wrong != 0) {
            print_error("kind %d, %zu instances: %zu wrong\n", i / SIZES, sizes[i % SIZES],
                        n.wrong);
        }
        all.decisions += n.decisions;
        all.hits += n.hits;
        all.wrong += n.wrong;
    }
    print_message("all scenes: %zu decisions, %zu hits, %zu wrong\n", all.decisions, all.hits,
                  all.wrong);
    assert_true(all.hits > 0);
    assert_int_equal(all.wrong, 0);
}

TEST(without_the_margin_hits_are_lost)
{
    tally n = { 0 };
    judge_world(WORLD_GRIDDED, 64, true, test_is_brief() ? 50000 : 200000, &n);
    assert_true(n.wrong > 0);
}
