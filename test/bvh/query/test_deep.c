/* Rays and points of a batch whose stacks would outgrow a slot on a deep tree: they answer as
 * single calls do. */
#include "bvh/kernel/kernel.h"
#include "test/support/input/deep.h"
#include "test/support/query/of_one.h"
#include "test/support/test.h"

enum { SEED = 20261129, COUNT = 61 }; /* fewer than go together */

typedef struct queries {
    float origin[3];
    sl_ray rays[COUNT];
    float points[COUNT][3];
    sl_stats stats;
} queries;

/* Rays out of the point that all sizes surround, or towards it: through all triangles, or through
 * all boxes and past most of the triangles.  Points close to it, where the nearest triangle is the
 * last of all in the tree. */
static void make(queries *q)
{
    test_random random = { SEED };
    memset(q, 0, sizeof *q);
    for (int i = 0; i < COUNT; i++) {
        sl_ray *ray = &q->rays[i];
        const float wide = i % 2 == 0 ? 0.2f : 0.95f;
        *ray =
            (sl_ray){ .dir = { 1, test_random_in(&random, -wide, wide), wide }, .tmax = INFINITY };
        for (int axis = 0; axis < 3 && i % 4 == 3; axis++) {
            ray->origin[axis] = ray->dir[axis];
            ray->dir[axis] = -ray->dir[axis];
        }
        for (int axis = 0; axis < 3; axis++) {
            q->points[i][axis] = i < COUNT / 2 ? 0 : ldexpf(test_random_in(&random, -1, 1), -i);
        }
    }
}

static sl_bvh *build(sl_bvh_layout layout)
{
    sl_mesh *mesh = deep_mesh();
    sl_build_def def = { .layout = layout };
    sl_bvh *bvh = made_bvh_alone(mesh, &def);
    assert_int_equal(bvh->info.depth, SLI_MAX_DEPTH);
    return bvh;
}

/* Any order of children is as good as another where any hit will do; the builder's has the large
 * ones first, and stacks stay short.  Here it is the other way round. */
static void turn_any_order(sl_bvh *bvh)
{
    uint32_t stack[SLI_STACK] = { bvh->root };
    for (int top = 1; top > 0;) {
        const size_t line = stack[--top] & SLI_REF_LINE;
        sli_node_wide *node = (sli_node_wide *)(void *)(bvh->lines + line * SLI_LINE);
        uint32_t turned[SLI_WIDTH];
        for (int i = 0; i < SLI_WIDTH; i++) {
            const uint32_t any = (uint32_t)7 << SLI_ANY_SHIFT;
            turned[i] = (node->order[i] & ~any) | (node->order[SLI_WIDTH - 1 - i] & any);
        }
        memcpy(node->order, turned, sizeof turned);
        for (int i = 0; i < SLI_WIDTH; i++) {
            if ((node->child[i] & SLI_REF_LEAF) == 0) {
                stack[top++] = node->child[i];
            }
        }
    }
}

/* Asks on every kernel and layout.  In all, more nodes were opened at once than alone: rays whose
 * stacks were full began anew. */
static void on_all(void (*ask)(const sl_bvh *bvh, queries *q, sl_stats *alone))
{
    queries q;
    make(&q);
    for (int layout = 0; layout < 2; layout++) {
        OWN(sl_bvh) bvh = build(layout == 0 ? SL_BVH_LAYOUT_DEFAULT : SL_BVH_LAYOUT_COMPACT);
        turn_any_order(bvh);
        for (int k = 0; sli_kernels_at(k) != NULL; k++) {
            sl_stats alone = { .rays = 0 };
            bvh->kernels = sli_kernels_at(k);
            q.stats = (sl_stats){ .rays = 0 };
            ask(bvh, &q, &alone);
            print_message("%s: %lu nodes at once, %lu alone\n", bvh->kernels->name,
                          (unsigned long)q.stats.nodes, (unsigned long)alone.nodes);
            assert_true(q.stats.nodes > alone.nodes);
            assert_int_equal(q.stats.rays, alone.rays);
        }
    }
}

static void query_closest(const sl_bvh *bvh, queries *q, sl_stats *alone)
{
    sl_hit hits[COUNT], hit;
    sl_bvh_closest_many(bvh, sl_rays_of(q->rays, COUNT), NULL, sl_hits_of(hits), NULL, &q->stats);
    for (int i = 0; i < COUNT; i++) {
        sl_bvh_closest_many(bvh, sl_rays_of(&q->rays[i], 1), NULL, sl_hits_of(&hit), NULL, alone);
        assert_memory_equal(&hit, &hits[i], sizeof hit);
    }
}

static void query_any(const sl_bvh *bvh, queries *q, sl_stats *alone)
{
    uint8_t any[COUNT];
    sl_bvh_any_many(bvh, sl_rays_of(q->rays, COUNT), NULL, any, NULL, NULL, &q->stats);
    for (int i = 0; i < COUNT; i++) {
        assert_int_equal(any[i], any_of_one(bvh, sl_rays_of(&q->rays[i], 1), NULL, alone));
    }
}

static void query_from_one_point(const sl_bvh *bvh, queries *q, sl_stats *alone)
{
    float dirs[COUNT][3];
    uint8_t any[COUNT];
    for (int i = 0; i < COUNT; i++) {
        memcpy(dirs[i], q->rays[i].dir, sizeof dirs[i]);
    }
    sl_bvh_any_many(bvh, sl_rays_from(q->origin, dirs[0], COUNT, SL_FLOAT), NULL, any, NULL, NULL,
                    &q->stats);
    for (int i = 0; i < COUNT; i++) {
        const sl_ray ray = sl_ray_make(q->origin, dirs[i]);
        assert_int_equal(any[i], any_of_one(bvh, sl_rays_of(&ray, 1), NULL, alone));
    }
}

static void query_nearest(const sl_bvh *bvh, queries *q, sl_stats *alone)
{
    sl_nearest at_once[COUNT], one;
    uint64_t found;
    sl_bvh_nearest_many(bvh, sl_points_of(q->points[0], COUNT, SL_FLOAT), INFINITY, NULL,
                        sl_nearests_of(at_once, SL_FLOAT), NULL, &q->stats);
    for (int i = 0; i < COUNT; i++) {
        sl_bvh_nearest_k_many(bvh, sl_points_of(q->points[i], 1, SL_FLOAT), INFINITY, NULL,
                              sl_nearests_of(&one, SL_FLOAT), 1, &found, NULL, alone);
        assert_int_equal(found, 1);
        assert_memory_equal(&one, &at_once[i], sizeof one);
    }
}

TEST(closest_hits_are_those_of_single_rays)
{
    on_all(query_closest);
}

TEST(any_hits_are_those_of_single_rays)
{
    on_all(query_any);
}

TEST(answers_from_one_point_are_those_of_single_rays)
{
    on_all(query_from_one_point);
}

TEST(nearest_triangles_are_those_of_single_points)
{
    on_all(query_nearest);
}
