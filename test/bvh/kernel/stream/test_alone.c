/* Needles that meet in a point: batches there give up their slots and answer rays one by one
 * (stream/refill.inl, stream/last_few.inl).  Answers are those of single calls, with
 * options and hints, too. */
#include "test/support/test.h"

enum { SEED = 20261123, NEEDLES = 3000, COUNT = 1200 };

typedef struct needles {
    sl_bvh *bvh;
    sl_ray rays[COUNT];
    sl_segment segments[COUNT];
    sl_item_options options[COUNT];
    sl_triangle_ref skips[COUNT];
} needles;

static float between(test_random *random, float low, float high)
{
    return low + (high - low) * test_random_unit(random);
}

/* A cone of needles from (0, 0, 0) upward and aslant, and lines through it. */
static void open_needles(needles *n, sl_bvh_layout layout)
{
    static float corner[NEEDLES * 3][3];
    static uint32_t index[NEEDLES * 3];
    test_random random = { SEED };
    for (int i = 0; i < NEEDLES; i++) {
        for (int k = 0; k < 2; k++) {
            const float angle = 6.2831853f * (float)(i + k) / NEEDLES;
            corner[3 * i + 1 + k][0] = 1 + 0.5f * cosf(angle);
            corner[3 * i + 1 + k][1] = 1 + 0.5f * sinf(angle);
            corner[3 * i + 1 + k][2] = 8;
        }
    }
    for (uint32_t i = 0; i < NEEDLES * 3; i++) {
        index[i] = i;
    }
    for (int i = 0; i < COUNT; i++) {
        sl_segment *s = &n->segments[i];
        for (int axis = 0; axis < 3; axis++) {
            s->p[axis] = between(&random, -0.1f, axis == 2 ? 3 : 0.6f);
            s->q[axis] = between(&random, -0.1f, axis == 2 ? 3 : 0.6f);
            n->rays[i].origin[axis] = s->p[axis];
            n->rays[i].dir[axis] = s->q[axis] - s->p[axis];
        }
        n->rays[i].tmin = 0;
        n->rays[i].tmax = i % 3 == 0 ? 0.5f : INFINITY;
        n->skips[i] = (sl_triangle_ref){ 0, test_random_below(&random, NEEDLES) };
        n->options[i] = (sl_item_options){ .skip = &n->skips[i], .skip_count = 1 };
        if (i % 97 == 0) {
            n->rays[i].dir[i % 3] = s->q[i % 3] = NAN;
        }
    }
    sl_build_def def = { .layout = layout };
    n->bvh = NULL;
    n->bvh = made_bvh_alone(made_mesh(corner[0], NEEDLES * 3, index, NEEDLES, NULL), &def);
}

static void rays_agree(const needles *n, const sl_options *options)
{
    static sl_hit hits[COUNT];
    static uint8_t any[COUNT];
    int found = 0;
    memset(hits, 0xAA, sizeof hits);
    memset(any, 2, sizeof any);
    sl_bvh_closest_many(n->bvh, sl_rays_of(n->rays, COUNT), options, sl_hits_of(hits), NULL, NULL);
    sl_bvh_any_many(n->bvh, sl_rays_of(n->rays, COUNT), options, any, NULL, NULL, NULL);
    for (size_t i = 0; i < COUNT; i++) {
        sl_options one = *options;
        sl_hit hit;
        one.items = options->items != NULL ? options->items + i : NULL;
        const bool hits_one = sl_bvh_closest(n->bvh, &n->rays[i], &one, &hit);
        assert_memory_equal(&hits[i], &hit, sizeof hit);
        assert_int_equal(any[i], hits_one);
        found += hits_one;
    }
    assert_in_range(found, COUNT / 10, COUNT);
}

static void segments_agree(const needles *n, const sl_options *options)
{
    static uint8_t occluded[COUNT];
    static sl_triangle_ref hint[COUNT];
    for (int round = 0; round < 2; round++) {
        memset(occluded, 2, sizeof occluded);
        for (size_t i = 0; round == 0 && i < COUNT; i++) {
            hint[i] = (sl_triangle_ref){ .prim = SL_NONE };
        }
        sl_bvh_any_many(n->bvh, sl_segments_of(n->segments, COUNT), options, occluded, hint, NULL,
                        NULL);
        for (size_t i = 0; i < COUNT; i++) {
            sl_options one = *options;
            one.items = options->items != NULL ? options->items + i : NULL;
            assert_int_equal(occluded[i],
                             sl_bvh_occluded(n->bvh, n->segments[i].p, n->segments[i].q, &one));
            assert_int_equal(occluded[i], hint[i].prim != SL_NONE);
        }
    }
}

TEST(answers_are_those_of_single_calls)
{
    static needles n;
    const sl_bvh_layout layouts[2] = { SL_BVH_LAYOUT_DEFAULT, SL_BVH_LAYOUT_COMPACT };
    for (int layout = 0; layout < 2; layout++) {
        open_needles(&n, layouts[layout]);
        const sl_options plain = { 0 };
        const sl_options optional = { .items = n.options };
        rays_agree(&n, &plain);
        rays_agree(&n, &optional);
        segments_agree(&n, &plain);
        segments_agree(&n, &optional);
        sl_bvh_destroy(n.bvh);
    }
}

/* What doubles had to decide of the closest hits, asked so many at once. */
static uint64_t doubles_of(const needles *n, size_t batch)
{
    static sl_hit hits[COUNT];
    sl_stats stats = { .rays = 0 };
    for (size_t i = 0; i < COUNT; i += batch) {
        sl_bvh_closest_many(n->bvh, sl_rays_of(n->rays + i, batch), NULL, sl_hits_of(hits + i),
                            NULL, &stats);
    }
    return stats.double_stage;
}

/* Single rays decide in floats what slots leave to doubles, here more than 1.25 times as much.  A
 * batch of no more rays than there are slots has none left to answer alone; it gives up those in
 * flight (stream/last_few.inl). */
TEST(most_rays_are_answered_one_by_one)
{
    static needles n;
    open_needles(&n, SL_BVH_LAYOUT_DEFAULT);
    const uint64_t singly = doubles_of(&n, 1);
    const uint64_t few = doubles_of(&n, COUNT / 25), together = doubles_of(&n, COUNT);
    print_message("in doubles: %lu singly, %lu few at a time, %lu together\n",
                  (unsigned long)singly, (unsigned long)few, (unsigned long)together);
    assert_true(few * 8 < singly * 9);
    assert_true(together * 8 < singly * 9);
    sl_bvh_destroy(n.bvh);
}
