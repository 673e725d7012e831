/* The hit filter: every question, against the filter applied by hand to all hits of
 * the brute force; arrays against single calls. */
#include "bvh/kernel/kernel.h"
#include "test/support/environment/scrambled_tasks.h"
#include "test/support/hard/rays.h"
#include "test/support/query/every_query.h"
#include "test/support/query/of_one.h"
#include "test/support/test.h"

#include <sys/mman.h>
#include <unistd.h>

enum { SEED = 20261123, COUNT = 400, KEPT = 160, CAP = 3, TRIANGLES = 300 };

typedef struct fixture {
    sl_mesh *mesh;
    sl_bvh *bvh;
    sl_soup soup;
    sl_ray rays[COUNT];
    sl_segment segments[COUNT];
    sl_item_options options[COUNT];
    sl_triangle_ref skips[COUNT];
    uint32_t masks[TRIANGLES];
} fixture;

static fixture *open_fixture(void)
{
    static fixture f;
    test_random random = { SEED };
    sl_build_def def = { 0 };
    for (uint32_t i = 0; i < TRIANGLES; i++) {
        f.masks[i] = 1u << i % 5;
    }
    def.masks = f.masks;
    f.mesh = made_soup(TRIANGLES, 0.5f, SEED);
    f.bvh = made_bvh(f.mesh, &def);
    f.soup = sl_mesh_soup(f.mesh);
    f.soup.masks = f.masks;
    for (int i = 0; i < COUNT; i++) {
        f.rays[i] = hard_ray_make(f.mesh, i % 2 ? HARD_BEYOND : HARD_BOX, &random).ray;
        f.segments[i] = hard_ray_make(f.mesh, i % 2 ? HARD_VERTEX : HARD_EDGE, &random).segment;
        f.options[i] = (sl_item_options){ .mask = test_random_below(&random, 32),
                                          .skip = &f.skips[i],
                                          .skip_count = 1 };
        f.skips[i] = (sl_triangle_ref){ 0, test_random_below(&random, TRIANGLES) };
    }
    f.rays[COUNT / 3].dir[0] = NAN;
    return &f;
}

static void close_fixture(fixture *f)
{
    unmake_bvh(f->bvh, f->mesh);
}

/* Looks at every field of the hit and at the index, and leaves about a third. */
static bool by_hash(void *user, size_t index, const sl_hit *hit)
{
    uint64_t h = *(const uint64_t *)user + index * 0x9E3779B97F4A7C15u;
    uint32_t words[6];
    memcpy(words, hit, sizeof words);
    for (int i = 0; i < 6; i++) {
        h = (h ^ words[i]) * 0xFF51AFD7ED558CCDu;
        h ^= h >> 29;
    }
    return h % 3 == 0;
}

/* What is asked of ray or segment i, as a single call or as item i of an array of its own. */
typedef struct asked {
    const fixture *f;
    bool is_segment;
    size_t i, index; /* index: what the filter is told */
    uint64_t seed;
} asked;

/* All hits of the brute force, without the filter. */
static size_t all_brute(const asked *a, const sl_options *options, sl_hit *hits, size_t capacity)
{
    return a->is_segment
               ? sl_soup_all_segment(&a->f->soup, &a->f->segments[a->i], options, hits, capacity)
               : sl_soup_all(&a->f->soup, &a->f->rays[a->i], options, hits, capacity);
}

/* The same, of which the filter leaves some. */
static size_t expected(asked *a, sl_options options, sl_hit hits[KEPT])
{
    options.filter = NULL;
    const size_t total = all_brute(a, &options, hits, KEPT);
    size_t left = 0;
    assert_true(total <= KEPT);
    for (size_t i = 0; i < total; i++) {
        if (by_hash(&a->seed, a->index, &hits[i])) {
            hits[left++] = hits[i];
        }
    }
    return left;
}

static sl_rays one_of(const asked *a)
{
    return a->is_segment ? sl_segments_of(&a->f->segments[a->i], 1)
                         : sl_rays_of(&a->f->rays[a->i], 1);
}

/* Every question, of one item; returns how many hits the filter left. */
static size_t compare_alone(asked *a, const sl_options *options)
{
    const sl_bvh *bvh = a->f->bvh;
    const sl_rays one = one_of(a);
    sl_hit truth[KEPT], hits[KEPT], hit;
    const size_t total = expected(a, *options, truth);
    assert_int_equal(any_of_one(bvh, one, options, NULL), total > 0);
    assert_int_equal(all_of_one(bvh, one, options, sl_hits_of(NULL), 0, NULL), total);
    assert_int_equal(all_of_one(bvh, one, options, sl_hits_of(hits), KEPT, NULL), total);
    assert_memory_equal(hits, truth, total * sizeof hits[0]);
    assert_int_equal(all_brute(a, options, hits, KEPT), total);
    assert_memory_equal(hits, truth, total * sizeof hits[0]);
    sl_bvh_closest_many(bvh, one, options, sl_hits_of(&hit), NULL, NULL);
    for (size_t i = 0; i < total; i++) {
        assert_memory_equal(&hit, &truth[i], sizeof hit);
        sl_bvh_next_many(bvh, one, options, sl_hits_of(&hit), NULL, NULL);
    }
    assert_int_equal(hit.prim, SL_NONE);
    return total;
}

TEST(every_question_sees_what_the_filter_leaves)
{
    fixture *f = open_fixture();
    asked a = { .f = f, .seed = SEED };
    const sl_options queries[] = {
        { .flags = 0 },
        { .flags = SL_CROSSINGS },
        { .flags = SL_OPEN_START, .mask = 11, .cull = SL_CULL_BACK },
    };
    for (int k = 0; sli_kernels_at(k) != NULL; k++) {
        f->bvh->kernels = sli_kernels_at(k);
        for (size_t i = 0; i < 2 * COUNT * 3; i++) {
            sl_options options = queries[i % 3];
            options.filter = by_hash;
            options.filter_user = &a.seed;
            a.i = i / 6;
            a.is_segment = i % 2 != 0;
            (void)compare_alone(&a, &options);
        }
    }
    close_fixture(f);
}

/* Nearly all hits of long runs of items, then hardly any of the next: so that both ways of
 * answering take turns. */
static bool by_place(void *user, size_t index, const sl_hit *hit)
{
    const bool rare = (index + hit->prim) % 11 == 0;
    return (index / *(const size_t *)user) % 2 == 0 ? !rare : rare;
}

enum { MANY = 20000 };

/* The filter applied by hand to all hits. */
TEST(turns_of_acceptance_and_refusal_change_no_answer)
{
    static sl_ray rays[MANY];
    static sl_hit closest[MANY];
    static uint8_t any[MANY];
    fixture *f = open_fixture();
    for (size_t i = 0; i < MANY; i++) {
        rays[i] = f->rays[i % COUNT];
    }
    for (size_t turn = 1; turn < MANY; turn *= 5) {
        const sl_options options = { .filter = by_place, .filter_user = &turn };
        sl_bvh_closest_many(f->bvh, sl_rays_of(rays, MANY), &options, sl_hits_of(closest), NULL,
                            NULL);
        sl_bvh_any_many(f->bvh, sl_rays_of(rays, MANY), &options, any, NULL, NULL, NULL);
        for (size_t i = 0; i < MANY; i += 7) {
            sl_hit hits[KEPT];
            const size_t total = sl_soup_all(&f->soup, &rays[i], NULL, hits, KEPT);
            size_t first = 0;
            while (first < total && !by_place(&turn, i, &hits[first])) {
                first++;
            }
            assert_int_equal(any[i], first < total);
            assert_int_equal(closest[i].prim, first < total ? hits[first].prim : SL_NONE);
            assert_true(first == total || memcmp(&closest[i], &hits[first], sizeof hits[0]) == 0);
        }
    }
    close_fixture(f);
}

/* Every hit. */
static bool refuses(void *user, size_t index, const sl_hit *hit)
{
    (void)user, (void)index, (void)hit;
    return false;
}

TEST(a_filter_that_refuses_all_costs_little_more_than_the_reference_path)
{
    static sl_ray rays[MANY];
    static sl_hit hits[MANY];
    static uint64_t totals[MANY];
    static uint8_t any[MANY];
    fixture *f = open_fixture();
    for (size_t i = 0; i < MANY; i++) {
        rays[i] = f->rays[i % COUNT];
    }
    sl_stats all = { .rays = 0 }, closest = all, occluded = all;
    const sl_options options = { .filter = refuses };
    const sl_rays given = sl_rays_of(rays, MANY);
    sl_bvh_all_many(f->bvh, given, &options, sl_hits_of(NULL), 0, totals, NULL,
                    &all); /* all it meets */
    sl_bvh_closest_many(f->bvh, given, &options, sl_hits_of(hits), NULL, &closest);
    sl_bvh_any_many(f->bvh, given, &options, any, NULL, NULL, &occluded);
    assert_int_equal(closest.rays, MANY);
    assert_int_equal(occluded.rays, MANY);
    assert_in_range(closest.triangles, all.triangles, all.triangles * 21 / 20);
    assert_in_range(occluded.triangles, all.triangles, all.triangles * 21 / 20);
    close_fixture(f);
}

typedef struct answers {
    sl_hit closest[COUNT], next[COUNT], rows[COUNT * CAP];
    struct {
        sl_hit hit;
        float unrelated;
    } wide[COUNT]; /* closest again, of rays that are copied */
    uint64_t totals[COUNT], counts[COUNT];
    uint8_t any[COUNT], any_copied[COUNT];
} answers;

static void query_arrays(const fixture *f, bool segments, const sl_options *options,
                         const sl_tasks *tasks, answers *a)
{
    const sl_rays rays = segments ? sl_segments_of(f->segments, COUNT) : sl_rays_of(f->rays, COUNT);
    sl_rays copied = rays;
    sl_hits wide = sl_hits_of(&a->wide[0].hit);
    sl_triangle_ref hints[COUNT];
    copied.origin[1] = (const float *)rays.origin[0] + 1;
    copied.origin[2] = (const float *)rays.origin[0] + 2;
    wide.stride = sizeof a->wide[0];
    memset(hints, 0xFF, sizeof hints);
    sl_bvh_closest_many(f->bvh, rays, options, sl_hits_of(a->closest), tasks, NULL);
    memcpy(a->next, a->closest, sizeof a->next);
    sl_bvh_next_many(f->bvh, rays, options, sl_hits_of(a->next), tasks, NULL);
    sl_bvh_all_many(f->bvh, rays, options, sl_hits_of(a->rows), CAP, a->totals, tasks, NULL);
    sl_bvh_all_many(f->bvh, rays, options, sl_hits_of(NULL), 0, a->counts, tasks, NULL);
    sl_bvh_any_many(f->bvh, rays, options, a->any, hints, tasks, NULL);
    sl_bvh_closest_many(f->bvh, copied, options, wide, tasks, NULL);
    sl_bvh_any_many(f->bvh, copied, options, a->any_copied, NULL, tasks, NULL);
    for (size_t i = 0; i < COUNT; i++) {
        assert_int_equal(hints[i].prim != SL_NONE, a->any[i]);
    }
}

static void compare_arrays(asked *a, const answers *found, const sl_options *options)
{
    sl_hit truth[KEPT];
    sl_options one = *options;
    size_t some = 0;
    for (size_t i = 0; i < COUNT; i++) {
        a->i = a->index = i;
        one.items = options->items != NULL ? &a->f->options[i] : NULL;
        const size_t total = expected(a, one, truth);
        assert_int_equal(found->totals[i], total);
        assert_int_equal(found->counts[i], total);
        assert_int_equal(found->any[i], total > 0);
        assert_int_equal(found->any_copied[i], total > 0);
        const size_t kept = total < CAP ? total : CAP;
        assert_memory_equal(found->rows + i * CAP, truth, kept * sizeof truth[0]);
        assert_memory_equal(&found->wide[i].hit, &found->closest[i], sizeof truth[0]);
        if (total > 0) {
            assert_memory_equal(&found->closest[i], &truth[0], sizeof truth[0]);
        } else {
            assert_int_equal(found->closest[i].prim, SL_NONE);
        }
        if (total > 1) {
            assert_memory_equal(&found->next[i], &truth[1], sizeof truth[0]);
        } else {
            assert_int_equal(found->next[i].prim, SL_NONE);
        }
        some += total > 1;
    }
    assert_true(some > COUNT / 20);
}

TEST(arrays_tell_the_filter_each_place)
{
    static answers found;
    fixture *f = open_fixture();
    asked a = { .f = f, .seed = SEED + 1 };
    const sl_proxy around = { .kind = SL_PROXY_SPHERE, .shape.sphere = { { 0, 0, 0 }, 9 } };
    const sl_options queries[] = {
        { .filter = by_hash, .filter_user = &a.seed },
        { .items = f->options, .filter = by_hash, .filter_user = &a.seed },
        { .proxy = &around, .filter = by_hash, .filter_user = &a.seed },
    };
    for (int turn = 0; turn < 6; turn++) {
        scrambled_tasks scrambled;
        const sl_tasks *tasks = scrambled_tasks_start(&scrambled, 1 + turn, SEED + (uint64_t)turn);
        a.is_segment = turn % 2 != 0;
        query_arrays(f, a.is_segment, &queries[turn / 2], tasks, &found);
        compare_arrays(&a, &found, &queries[turn / 2]);
    }
    close_fixture(f);
}

TEST(rays_from_one_point_are_filtered_too)
{
    fixture *f = open_fixture();
    uint64_t seed = SEED + 2;
    const sl_options options = { .filter = by_hash, .filter_user = &seed };
    static sl_ray rays[COUNT];
    static sl_segment segments[COUNT];
    static float to[3 * COUNT];
    static uint8_t any[COUNT], occluded[COUNT], any_truth[COUNT], occluded_truth[COUNT];
    const float origin[3] = { 0.1f, 0.2f, 0.3f };
    for (size_t i = 0; i < COUNT; i++) {
        rays[i] = (sl_ray){ .tmax = 5 };
        memcpy(rays[i].origin, origin, sizeof origin);
        memcpy(segments[i].p, origin, sizeof origin);
        memcpy(rays[i].dir, f->rays[i].dir, sizeof origin);
        memcpy(segments[i].q, rays[i].dir, sizeof origin);
        memcpy(to + 3 * i, rays[i].dir, sizeof origin);
    }
    sl_bvh_any_many(f->bvh, sl_rays_of(rays, COUNT), &options, any_truth, NULL, NULL, NULL);
    sl_bvh_any_many(f->bvh, sl_segments_of(segments, COUNT), &options, occluded_truth, NULL, NULL,
                    NULL);
    sl_bvh_any_many(f->bvh, rays_until(sl_rays_from(origin, to, COUNT, SL_FLOAT), &(float){ 5 }),
                    &options, any, NULL, NULL, NULL);
    sl_bvh_any_many(f->bvh, sl_segments_from(origin, to, COUNT, SL_FLOAT), &options, occluded, NULL,
                    NULL, NULL);
    assert_memory_equal(any, any_truth, sizeof any);
    assert_memory_equal(occluded, occluded_truth, sizeof occluded);
    sl_bvh_any_many(f->bvh, rays_until(sl_rays_from(origin, to, COUNT, SL_FLOAT), &(float){ 5 }),
                    NULL, any, NULL, NULL, NULL);
    assert_memory_not_equal(any, any_truth, sizeof any);
    close_fixture(f);
}

static bool nothing(void *user, size_t index, const sl_hit *hit)
{
    (void)index, (void)hit;
    ++*(int *)user;
    return false;
}

/* Without a function every hit exists; a proxy in the place of the tree is not the filter's
 * business. */
TEST(the_function_switches_it_on)
{
    fixture *f = open_fixture();
    int called = 0;
    const sl_ray ray = { { 0, 0, -9 }, 0, { 0.01f, 0.02f, 1 }, INFINITY };
    const sl_proxy proxy = { .kind = SL_PROXY_SPHERE,
                             .mode = SL_PROXY_INSTEAD,
                             .shape.sphere = { { 0, 0, 0 }, 1 } };
    sl_options options = { .filter = nothing, .filter_user = &called };
    assert_true(sl_bvh_any(f->bvh, &ray, NULL));
    assert_false(sl_bvh_closest(f->bvh, &ray, &options, NULL));
    assert_true(called > 0);
    options = (sl_options){ .proxy = &proxy, .filter = nothing, .filter_user = &called };
    called = 0;
    assert_true(sl_bvh_any(f->bvh, &ray, &options));
    assert_int_equal(called, 0);
    close_fixture(f);
}
