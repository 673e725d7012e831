/* Nearest triangles in scenes, against every triangle of the world in rational arithmetic: nearest,
 * k nearest and within, in floats and doubles, alone and in arrays, by every kernel; with masks and
 * skips; from corners, edges and faces, close by, and far away.  Where the margin of boxes is taken
 * away, triangles are lost, so the test sees what it is there for.
 *
 * SIGHTLINE_TEST_SCALE=N multiplies the number of questions. */
#include "bvh/scene/scene.h"
#include "test/support/input/world.h"
#include "test/support/oracle/distance_oracle.h"
#include "test/support/query/of_one.h"
#include "test/support/test.h"

enum { SEED = 20261124, TRIANGLES_MOST = 2000, KEPT = 9 };

typedef struct candidate {
    float distance;
    uint32_t instance, prim;
} candidate;

static int by_distance(const void *a, const void *b)
{
    const candidate *x = a, *y = b;
    if (x->distance != y->distance) {
        return x->distance < y->distance ? -1 : 1;
    }
    if (x->instance != y->instance) {
        return x->instance < y->instance ? -1 : 1;
    }
    return x->prim < y->prim ? -1 : x->prim > y->prim;
}

static bool is_in(const sl_bvh *scene, const sl_options *options, uint32_t instance, uint32_t prim)
{
    const sli_transformed *transformed = &scene->world.transformed[instance];
    if (options->mask != 0 && ((transformed->mask & options->mask) == 0 ||
                               (sli_tree_mask(transformed->tree, prim) & options->mask) == 0)) {
        return false;
    }
    for (size_t i = 0; i < options->skip_count; i++) {
        if (options->skip[i].instance == instance && options->skip[i].prim == prim) {
            return false;
        }
    }
    return true;
}

/* All triangles within the limit, sorted. */
static size_t plainly(const sl_bvh *scene, const double point[3], float limit,
                      const sl_options *options, candidate *out)
{
    size_t count = 0;
    for (uint32_t instance = 0; instance < scene->world.count; instance++) {
        const sl_bvh *tree = scene->world.transformed[instance].tree;
        for (uint32_t prim = 0; tree != NULL && prim < tree->prim_count; prim++) {
            double v[3][3];
            if (!is_in(scene, options, instance, prim)) {
                continue;
            }
            const sl_triangle_ref ref = { .instance = instance, .prim = prim };
            assert_true(sl_bvh_triangle(scene, ref, v));
            const distance_answer answer = oracle_distance(point, (const double(*)[3])v, limit);
            if (answer.within) {
                assert_true(count < TRIANGLES_MOST);
                out[count++] = (candidate){ answer.rounded, instance, prim };
            }
        }
    }
    qsort(out, count, sizeof *out, by_distance);
    return count;
}

/* A triangle of the world; false: there is none. */
static bool pick(const sl_bvh *scene, test_random *random, sl_triangle_ref *ref, double v[3][3])
{
    for (int tries = 0; tries < 100; tries++) {
        ref->instance = test_random_below(random, scene->world.count);
        const sl_bvh *tree = scene->world.transformed[ref->instance].tree;
        if (tree != NULL) {
            ref->prim = test_random_below(random, tree->prim_count);
            return sl_bvh_triangle(scene, *ref, v);
        }
    }
    return false;
}

/* A question to a scene. */
typedef struct asked {
    bool doubles;
    float point[3];
    double at[3]; /* the same, or the point in doubles */
    float limit;
    sl_options query;
    sl_triangle_ref skip;
} asked;

/* On a corner, an edge or a face, close to it, anywhere in the world, or far from it. */
static void draw(const sl_bvh *scene, test_random *random, asked *q)
{
    double v[3][3] = { { 0 } }, size = 0, triangle = 0;
    sl_triangle_ref ref = { 0, 0 };
    const sl_aabb_d bounds = sl_bvh_bounds(scene);
    *q = (asked){ .doubles = test_random_below(random, 2) == 0, .limit = INFINITY };
    (void)pick(scene, random, &ref, v);
    double weight[3] = { test_random_unit_d(random), test_random_unit_d(random),
                         test_random_unit_d(random) };
    const uint32_t on = test_random_below(random, 4), off = test_random_below(random, 6);
    weight[1] = on == 0 ? 0 : weight[1];
    weight[2] = on <= 1 ? 0 : weight[2];
    const double sum = weight[0] + weight[1] + weight[2];
    for (int axis = 0; axis < 3; axis++) {
        size = fmax(size, bounds.max[axis] - bounds.min[axis]);
        triangle = fmax(triangle, fabs(v[1][axis] - v[0][axis]));
    }
    const double away = off == 0   ? 0
                        : off == 1 ? triangle * pow(2, -40 * test_random_unit_d(random))
                        : off == 2 ? triangle
                        : off == 3 ? size
                                   : size * pow(2, 30 * test_random_unit_d(random));
    for (int axis = 0; axis < 3; axis++) {
        double at =
            (v[0][axis] * weight[0] + v[1][axis] * weight[1] + v[2][axis] * weight[2]) / sum;
        at += off == 0 ? 0 : away * (test_random_unit_d(random) - 0.5);
        at = fmin(fmax(at, -FLT_MAX), FLT_MAX);
        q->point[axis] = (float)at;
        q->at[axis] = q->doubles ? sli_round_to_grid(at, SLI_STEP) : (double)q->point[axis];
    }
    if (test_random_below(random, 4) == 0) {
        q->query.mask = 1 + test_random_below(random, 7);
    }
    if (test_random_below(random, 4) == 0) {
        q->skip = ref;
        q->query.skip = &q->skip;
        q->query.skip_count = 1;
    }
}

static sl_nearest_d wide(const sl_nearest *near)
{
    return (sl_nearest_d){ .distance = near->distance,
                           .u = near->u,
                           .v = near->v,
                           .prim = near->prim,
                           .instance = near->instance,
                           .flags = near->flags,
                           .point = { near->point[0], near->point[1], near->point[2] } };
}

/* The library's answers to one question. */
typedef struct answers {
    bool found;
    size_t k, total, counted;
    sl_nearest_d nearest, list[KEPT], all[KEPT];
} answers;

static void ask(const sl_bvh *scene, const asked *q, answers *a)
{
    if (q->doubles) {
        a->found = sl_bvh_nearest_d(scene, q->at, q->limit, &q->query, &a->nearest);
        a->k = nearest_k_of_one_d(scene, q->at, q->limit, &q->query, a->list, KEPT);
        a->total = within_of_one_d(scene, q->at, q->limit, &q->query, a->all, KEPT);
        a->counted = within_of_one_d(scene, q->at, q->limit, &q->query, NULL, 0);
        return;
    }
    sl_nearest nearest, list[KEPT], all[KEPT];
    a->found = sl_bvh_nearest(scene, q->point, q->limit, &q->query, &nearest);
    a->k = sl_bvh_nearest_k(scene, q->point, q->limit, &q->query, list, KEPT);
    a->total = sl_bvh_within(scene, q->point, q->limit, &q->query, all, KEPT);
    a->counted = sl_bvh_within(scene, q->point, q->limit, &q->query, NULL, 0);
    a->nearest = wide(&nearest);
    for (size_t i = 0; i < a->k; i++) {
        a->list[i] = wide(&list[i]);
    }
    for (size_t i = 0; i < KEPT && i < a->total; i++) {
        a->all[i] = wide(&all[i]);
    }
}

static bool agrees(const sl_nearest_d *near, const candidate *with)
{
    return near->distance == with->distance && near->instance == with->instance &&
           near->prim == with->prim && near->flags == 0;
}

/* Whether the point that is named is as far away as the distance says, but for roundings: of
 * needles, which shears make, weights are off by more than those of other triangles. */
static bool is_there(const sl_bvh *scene, const asked *q, const sl_nearest_d *near)
{
    const sl_triangle_ref ref = { near->instance, near->prim };
    double square = 0, largest = 0, reach = 0, v[3][3];
    assert_true(sl_bvh_triangle(scene, ref, v));
    for (int axis = 0; axis < 3; axis++) {
        const double gap = near->point[axis] - q->at[axis];
        square += gap * gap;
        largest = fmax(largest, fabs(near->point[axis]));
        for (int i = 0; i < 3; i++) {
            reach = fmax(reach, fabs(v[i][axis] - q->at[axis]));
        }
    }
    const double distance = sqrt(square), expected = near->distance;
    const double off = (q->doubles ? 0x1p-50 : 0x1p-22) * largest + 0x1p-16 * reach;
    return isinf(expected) || fabs(distance - expected) <= off + expected * 0x1p-22;
}

/* How many of the answers are wrong. */
static size_t count_wrong(const sl_bvh *scene, const asked *q, const candidate *truth, size_t count)
{
    answers a = { .found = false };
    const size_t kept = count < KEPT ? count : KEPT;
    ask(scene, q, &a);
    size_t wrong = (size_t)(a.found != (count > 0)) + (size_t)(a.k != kept) +
                   (size_t)(a.total != count) + (size_t)(a.counted != count);
    if (wrong > 0) {
        return wrong;
    }
    for (size_t i = 0; i < kept; i++) {
        wrong += !agrees(&a.list[i], &truth[i]);
        wrong += !agrees(&a.all[i], &truth[i]);
    }
    if (count == 0) {
        return wrong + (a.nearest.prim != SL_NONE || a.nearest.distance != q->limit);
    }
    return wrong + !agrees(&a.nearest, &truth[0]) + !is_there(scene, q, &a.nearest) +
           (memcmp(&a.nearest, &a.list[0], sizeof a.nearest) != 0) +
           (memcmp(&a.nearest, &a.all[0], sizeof a.nearest) != 0);
}

static size_t all_found;

/* A question, and the same with limits that are exactly some distance, and a step less; by every
 * kernel in turn. */
static size_t wrong_of(sl_bvh *scene, test_random *random, size_t i)
{
    static candidate truth[TRIANGLES_MOST];
    const sli_kernels *kernels = scene->kernels;
    size_t wrong = 0;
    asked q;
    (void)i;
    draw(scene, random, &q);
    for (int again = 0; again < 3; again++) {
        const size_t count = plainly(scene, q.at, q.limit, &q.query, truth);
        for (int k = 0; sli_kernels_at(k) != NULL; k++) {
            scene->kernels = sli_kernels_at(k);
            wrong += count_wrong(scene, &q, truth, count);
        }
        all_found += count;
        if (count == 0) {
            break;
        }
        const uint32_t few = count < 12 ? (uint32_t)count : 12;
        q.limit =
            again == 0 ? truth[test_random_below(random, few)].distance : nextafterf(q.limit, 0);
    }
    scene->kernels = kernels;
    return wrong;
}

TEST(answers_are_those_of_every_triangle)
{
    all_found = 0;
    for (int kind = 0; kind < WORLD_KINDS; kind++) {
        world_ask((world_kind)kind, test_is_brief() ? 4 : 25 * test_scale(), test_seed(SEED),
                  wrong_of);
    }
    assert_true(all_found > 0);
}

TEST(without_the_margin_triangles_are_lost)
{
    assert_true(world_wrong(WORLD_GRIDDED, 20, false, true, 200, SEED, wrong_of) > 0);
    assert_true(world_wrong(WORLD_TINY_FAR, 20, false, true, 400, SEED, wrong_of) > 0);
}
