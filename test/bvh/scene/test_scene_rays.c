/* Rays and segments in scenes, against every triangle of the world on its own: closest, any, all,
 * next and count, in floats and doubles, alone and in arrays, by every kernel; with masks, skips,
 * culling and filters; aimed at corners, edges and limits.  Where the margin of carried rays is
 * taken away, hits are lost, so the test sees what it is there for.
 *
 * SIGHTLINE_TEST_SCALE=N multiplies the number of worlds. */
#include "bvh/kernel/instance/intersect.h"
#include "bvh/scene/scene.h"
#include "lib/base/fpenv.h"
#include "lib/geom/intersect/hit_heap.h"
#include "test/support/input/world.h"
#include "test/support/query/of_one.h"
#include "test/support/test.h"

enum { SEED = 20261123, HITS_MOST = 512 };

/* All hits of a ray, by asking every triangle of every instance, sorted. */
static size_t plainly(const sl_bvh *scene, const sli_world_ray *ray, sl_hit_d *hits)
{
    size_t total = 0;
    for (uint32_t instance = 0; instance < scene->world.count; instance++) {
        const sli_transformed *transformed = &scene->world.transformed[instance];
        for (uint32_t prim = 0; transformed->tree != NULL && prim < transformed->tree->prim_count;
             prim++) {
            const sl_triangle_ref ref = { .instance = instance, .prim = prim };
            sl_triangle triangle;
            sl_hit_d hit;
            sli_decision_stage stage;
            assert_true(sli_tree_triangle(transformed->tree, prim, &triangle));
            if (sli_world_selects(&ray->item, transformed, instance) &&
                sli_item_has(&ray->item, ref, sli_tree_mask(transformed->tree, prim)) &&
                sli_world_decide(&scene->world, ray, ref, triangle.v, INFINITY, &hit, &stage)) {
                assert_true(total < HITS_MOST);
                sli_hit_d_heap_add(hits, HITS_MOST, total++, &hit);
            }
        }
    }
    sli_hit_d_heap_sort(hits, HITS_MOST, total);
    return total;
}

/* A triangle of the world. */
static bool pick(const sl_bvh *scene, test_random *random, double v[3][3])
{
    for (int tries = 0; tries < 100; tries++) {
        const uint32_t instance = test_random_below(random, scene->world.count);
        const sl_bvh *tree = scene->world.transformed[instance].tree;
        if (tree != NULL) {
            const sl_triangle_ref ref = { .instance = instance,
                                          .prim = test_random_below(random, tree->prim_count) };
            return sl_bvh_triangle(scene, ref, v);
        }
    }
    return false;
}

/* A corner, a point of an edge, of the inside, or somewhere near. */
static void target_of(double v[3][3], double spread, test_random *random, double target[3])
{
    double weight[3] = { test_random_unit_d(random), test_random_unit_d(random),
                         test_random_unit_d(random) };
    const uint32_t kind = test_random_below(random, 5);
    weight[0] = kind == 0 ? 1 : weight[0];
    weight[1] = kind == 0 ? 0 : weight[1];
    weight[2] = kind <= 1 ? 0 : weight[2];
    if (kind == 1 && test_random_below(random, 2) == 0) {
        weight[0] = weight[1] = 0.5;
    }
    const double sum = weight[0] + weight[1] + weight[2];
    for (int axis = 0; axis < 3; axis++) {
        target[axis] = 0;
        for (int i = 0; i < 3; i++) {
            target[axis] += v[i][axis] * (weight[i] / sum);
        }
        if (kind == 4) {
            target[axis] += spread * (test_random_unit_d(random) - 0.5);
        }
    }
}

/* A question to a scene: one of four sources, and options. */
typedef struct asked {
    bool segment, doubles;
    sl_ray ray;
    sl_segment line;
    sl_ray_d ray_d;
    sl_segment_d line_d;
    sl_options query;
    sli_world_ray exact;
    bool valid;
} asked;

static bool odd_prims(void *user, size_t index, const sl_hit *hit)
{
    (void)user;
    (void)index;
    return hit->prim % 2 == 1;
}

static bool odd_prims_d(void *user, size_t index, const sl_hit_d *hit)
{
    (void)user;
    (void)index;
    return hit->prim % 2 == 1;
}

/* A ray at the world, from near by or far away, along an axis, within or at limits. */
static void draw(const sl_bvh *scene, test_random *random, asked *q)
{
    double v[3][3], from[3][3], origin[3] = { 0, 0, 0 }, target[3] = { 1, 0, 0 };
    const sl_aabb_d bounds = sl_bvh_bounds(scene);
    double size = 0;
    for (int axis = 0; axis < 3; axis++) {
        size = fmax(size, bounds.max[axis] - bounds.min[axis]);
    }
    *q = (asked){ .segment = test_random_below(random, 2) == 0,
                  .doubles = test_random_below(random, 2) == 0 };
    if (pick(scene, random, v) && pick(scene, random, from)) {
        target_of(v, size * 0.01, random, target);
        target_of(from, size * 0.5, random, origin);
    }
    const uint32_t far = test_random_below(random, 8);
    const uint32_t still = test_random_below(random, 8);
    for (int axis = 0; axis < 3; axis++) {
        origin[axis] = far == 0 ? target[axis] + size * 1000 * (test_random_unit_d(random) - 0.5)
                                : origin[axis];
        origin[axis] = (still >> axis & 1) != 0 && far < 3 ? target[axis] : origin[axis];
        if (origin[axis] == target[axis] && axis == 2) {
            origin[axis] += size;
        }
    }
    const double tmin = far == 1 ? -0.5 : 0, tmax = far == 2 ? 1 : far == 3 ? 0.99 : INFINITY;
    q->ray.tmin = (float)tmin;
    q->ray.tmax = (float)tmax;
    q->ray_d.tmin = tmin;
    q->ray_d.tmax = tmax;
    for (int axis = 0; axis < 3; axis++) {
        q->ray.origin[axis] = q->line.p[axis] = (float)origin[axis];
        q->line.q[axis] = (float)target[axis];
        q->ray.dir[axis] = (float)(target[axis] - origin[axis]);
        q->ray_d.origin[axis] = q->line_d.p[axis] = origin[axis];
        q->line_d.q[axis] = target[axis];
        q->ray_d.dir[axis] = target[axis] - origin[axis];
    }
    if (test_random_below(random, 4) == 0) {
        q->query.mask = 1 + test_random_below(random, 7);
    }
    if (test_random_below(random, 4) == 0) {
        q->query.cull = 1 + test_random_below(random, 2);
    }
    if (test_random_below(random, 8) == 0) {
        q->query.filter = odd_prims;
    }
    q->query.flags |= test_random_below(random, 4) == 0 ? SL_OPEN_START : 0;
    q->query.flags |= test_random_below(random, 4) == 0 ? SL_OPEN_END : 0;
    q->query.flags |= test_random_below(random, 8) == 0 ? SL_CROSSINGS : 0;
}

static void make_exact(asked *q)
{
    q->exact = (sli_world_ray){ .item = { .mask = q->query.mask },
                                .cull = q->query.cull,
                                .in_floats = !q->doubles };
    if (q->query.filter != NULL) {
        q->exact.accepts = odd_prims_d;
    }
    const uint32_t flags = q->query.flags;
    sli_exact_ray *out = &q->exact.exact;
    q->valid = q->doubles ? (q->segment ? sli_exact_ray_from_segment_d(&q->line_d, flags, out)
                                        : sli_exact_ray_from_ray_d(&q->ray_d, flags, out))
                          : (q->segment ? sli_exact_ray_from_segment(&q->line, flags, out)
                                        : sli_exact_ray_from_ray(&q->ray, flags, out));
}

static bool same(const sl_hit_d *a, const sl_hit_d *b)
{
    return a->t == b->t && memcmp(&a->u, &b->u, sizeof a->u) == 0 &&
           memcmp(&a->v, &b->v, sizeof a->v) == 0 && a->prim == b->prim &&
           a->instance == b->instance && a->flags == b->flags;
}

/* The library's answers to one question. */
typedef struct answers {
    bool any, any_many, hit, next;
    uint8_t hinted;
    sl_triangle_ref hint;
    size_t total, counted;
    sl_hit_d closest, many, after;
    sl_hit_d all[HITS_MOST];
} answers;

/* Every query, about arrays of one but for what has a call about one. */
static void ask(const sl_bvh *scene, const asked *q, answers *a)
{
    static sl_hit all[HITS_MOST];
    sl_hit hit, after, many = { .t = 0 };
    uint8_t any_many;
    const sl_options *options = &q->query;
    const sl_rays one =
        q->doubles ? (q->segment ? sl_segments_of_d(&q->line_d, 1) : sl_rays_of_d(&q->ray_d, 1))
                   : (q->segment ? sl_segments_of(&q->line, 1) : sl_rays_of(&q->ray, 1));
    a->hit = closest_of_one(scene, one, options,
                            q->doubles ? sl_hits_of_d(&a->many) : sl_hits_of(&many));
    a->closest = a->many;
    hit = many;
    if (!q->segment) {
        a->hit = q->doubles ? sl_bvh_closest_d(scene, &q->ray_d, options, &a->closest)
                            : sl_bvh_closest(scene, &q->ray, options, &hit);
    }
    a->after = a->closest;
    after = hit;
    if (q->segment || q->doubles) {
        a->total = all_of_one(scene, one, options,
                              q->doubles ? sl_hits_of_d(a->all) : sl_hits_of(all), HITS_MOST, NULL);
        a->counted = all_of_one(scene, one, options, sl_hits_of(NULL), 0, NULL);
        a->next = next_of_one(scene, one, options,
                              q->doubles ? sl_hits_of_d(&a->after) : sl_hits_of(&after));
    } else {
        a->total = sl_bvh_all(scene, &q->ray, options, all, HITS_MOST);
        a->counted = sl_bvh_all(scene, &q->ray, options, NULL, 0);
        a->next = sl_bvh_next(scene, &q->ray, options, &hit, &after);
    }
    sl_bvh_any_many(scene, one, options, &any_many, NULL, NULL, NULL);
    a->any = any_many;
    if (q->segment) {
        a->any = q->doubles ? sl_bvh_occluded_d(scene, q->line_d.p, q->line_d.q, options)
                            : sl_bvh_occluded(scene, q->line.p, q->line.q, options);
    } else if (!q->doubles) {
        a->any = sl_bvh_any(scene, &q->ray, options);
    }
    a->any_many = any_many;
    sl_bvh_any_many(scene, one, options, &a->hinted, &a->hint, NULL, NULL);
    if (!q->doubles) {
        a->closest = hit_in_doubles(&hit);
        a->many = hit_in_doubles(&many);
        a->after = hit_in_doubles(&after);
        for (size_t i = 0; i < a->total && i < HITS_MOST; i++) {
            a->all[i] = hit_in_doubles(&all[i]);
        }
    }
}

static size_t all_hits;

/* How many of the answers are wrong. */
static size_t count_wrong(sl_bvh *scene, test_random *random, size_t i)
{
    static sl_hit_d expected[HITS_MOST];
    static answers a;
    asked q;
    (void)i;
    draw(scene, random, &q);
    const sli_fpenv saved = sli_fpenv_enter();
    make_exact(&q);
    const size_t total = q.valid ? plainly(scene, &q.exact, expected) : 0;
    sli_fpenv_leave(saved);
    all_hits += total;
    a = (answers){ .hint = { 0, 0 } };
    if (total > 0) {
        a.hint = (sl_triangle_ref){ .instance = expected[total - 1].instance,
                                    .prim = expected[total - 1].prim };
    }
    ask(scene, &q, &a);
    const bool expect = total > 0;
    size_t wrong = (size_t)(a.any != expect) + (size_t)(a.any_many != expect) +
                   (size_t)(a.hit != expect) + (size_t)((a.hinted != 0) != expect) +
                   (size_t)(a.total != total) + (size_t)(a.counted != total) +
                   (size_t)(a.next != (total > 1));
    if (wrong > 0) {
        return wrong;
    }
    for (size_t k = 0; k < total; k++) {
        wrong += !same(&a.all[k], &expected[k]);
    }
    if (total > 0) {
        wrong += !same(&a.closest, &expected[0]);
        wrong += !same(&a.many, &expected[0]);
    } else {
        wrong += a.closest.prim != SL_NONE;
    }
    return wrong + (total > 1 && !same(&a.after, &expected[1]));
}

TEST(answers_are_those_of_every_triangle)
{
    const size_t queries = test_is_brief() ? 20 : 400 * test_scale();
    all_hits = 0;
    for (int kind = 0; kind < WORLD_KINDS; kind++) {
        world_ask((world_kind)kind, queries, test_seed(SEED), count_wrong);
    }
    assert_true(all_hits > 2 * WORLD_KINDS * queries); /* a quarter of them */
}

TEST(without_the_margin_hits_are_lost)
{
    assert_true(world_wrong(WORLD_GRIDDED, 20, false, true, 2000, SEED, count_wrong) > 0);
    assert_true(world_wrong(WORLD_TINY_FAR, 20, false, true, 20000, SEED, count_wrong) > 0);
}
