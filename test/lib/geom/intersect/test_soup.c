/* test_soup.c: all hits of a ray among plain triangles, against the oracle for single ones. */
#include "test/support/hard/pairs.h"
#include "test/support/oracle/brute_force.h"
#include "test/support/test.h"

enum { COUNT = 70, ROUNDS = 1500, SKIPS = 4 }; /* more than a block of soup.c */

static const uint64_t seed = 5;

/* Triangles around a pair's own; some left out, some twice. */
typedef struct crowd {
    float xyz[9 * COUNT];
    uint32_t indices[3 * COUNT], masks[COUNT];
    sl_triangle_ref skip[SKIPS];
    sl_soup soup;
} crowd;

static void make_crowd(const hard_pair *pair, hard_pair_kind kind, test_random *random, crowd *out)
{
    const uint32_t gap = 1 + test_random_below(random, COUNT);
    for (uint32_t i = 0; i < COUNT; i++) {
        const hard_pair other = hard_pair_make(kind, random);
        sl_triangle t = pair->triangle;
        const uint32_t what = test_random_below(random, 4);
        if (what == 0) { /* a neighbour across an edge */
            memcpy(t.v[test_random_below(random, 3)], other.triangle.v[0], sizeof t.v[0]);
        } else if (what == 1) { /* the other side */
            memcpy(t.v[0], pair->triangle.v[1], sizeof t.v[0]);
            memcpy(t.v[1], pair->triangle.v[0], sizeof t.v[0]);
        } else if (what == 2) {
            t = other.triangle;
        }
        memcpy(out->xyz + 9 * i, t.v, sizeof t.v);
        for (uint32_t corner = 0; corner < 3; corner++) {
            out->indices[3 * i + corner] = i % gap == gap - 1 ? SL_NONE : 3 * i + corner;
        }
        out->masks[i] = (1u << test_random_below(random, 5)) & 15; /* or 0, which has all bits */
    }
    out->soup = (sl_soup){ .xyz = out->xyz, .indices = out->indices, .triangle_count = COUNT };
}

static sl_options make_query(const hard_pair *pair, sl_item_options *opt, crowd *among,
                             test_random *random)
{
    sl_options options = { .flags = pair->flags, .cull = pair->cull };
    const bool masked = test_random_below(random, 2) == 0;
    for (uint32_t i = 0; i < SKIPS; i++) {
        among->skip[i] = (sl_triangle_ref){ i == 2, test_random_below(random, COUNT) };
    }
    *opt = (sl_item_options){ .mask = masked ? test_random_below(random, 16) : 0,
                              .skip = among->skip,
                              .skip_count = test_random_below(random, SKIPS + 1) };
    if (test_random_below(random, 2) == 0) {
        options.items = opt;
    } else {
        options.mask = opt->mask;
        options.skip = opt->skip;
        options.skip_count = opt->skip_count;
    }
    among->soup.masks = test_random_below(random, 4) == 0 ? NULL : among->masks;
    return options;
}

static bool is_there(const crowd *among, const sl_item_options *opt, uint32_t prim)
{
    const uint32_t mask = among->soup.masks != NULL ? among->masks[prim] : 0xFFFFFFFFu;
    const bool masked = mask != 0 && opt->mask != 0 && (mask & opt->mask) == 0;
    bool skipped = false;
    for (size_t i = 0; i < opt->skip_count; i++) {
        skipped = skipped || (opt->skip[i].instance == 0 && opt->skip[i].prim == prim);
    }
    return among->indices[3 * prim] != SL_NONE && !masked && !skipped;
}

static int compare_hits(const void *a, const void *b)
{
    const sl_hit *x = a, *y = b;
    if (x->t != y->t) {
        return x->t < y->t ? -1 : 1;
    }
    return x->prim < y->prim ? -1 : x->prim > y->prim;
}

static size_t expect(const crowd *among, const hard_pair *pair, const sl_item_options *opt,
                     sl_hit hits[COUNT])
{
    const oracle_line line =
        pair->is_segment ? oracle_segment(&pair->segment, pair->flags) : oracle_ray(&pair->ray);
    size_t total = 0;
    for (uint32_t prim = 0; prim < COUNT; prim++) {
        sl_triangle triangle;
        memcpy(triangle.v, among->xyz + 9 * prim, sizeof triangle.v);
        if (!is_there(among, opt, prim)) {
            continue;
        }
        const oracle_answer answer = oracle_triangle(&line, &triangle, pair->cull);
        if (answer.hit) {
            hits[total++] = (sl_hit){
                .t = answer.t, .u = answer.u, .v = answer.v, .prim = prim, .flags = answer.flags
            };
        }
    }
    qsort(hits, total, sizeof *hits, compare_hits);
    return total;
}

static size_t ask(const crowd *among, const hard_pair *pair, const sl_options *options,
                  sl_hit *hits, size_t capacity)
{
    return pair->is_segment
               ? sl_soup_all_segment(&among->soup, &pair->segment, options, hits, capacity)
               : sl_soup_all(&among->soup, &pair->ray, options, hits, capacity);
}

TEST(the_nearest_are_kept_in_order_and_all_are_counted)
{
    test_random random = { seed };
    static crowd among;
    size_t hits_in_all = 0;
    for (size_t round = 0; round < ROUNDS * test_scale(); round++) {
        const hard_pair_kind kind = (hard_pair_kind)(round % PAIR_KINDS);
        const hard_pair pair = hard_pair_make(kind, &random);
        make_crowd(&pair, kind, &random, &among);
        sl_item_options opt;
        const sl_options options = make_query(&pair, &opt, &among, &random);
        sl_hit expected[COUNT];
        const size_t total = expect(&among, &pair, &opt, expected);
        const size_t capacities[] = { 0, 1, 2, 5, COUNT };
        for (size_t i = 0; i < 5; i++) {
            sl_hit hits[COUNT + 1];
            const size_t capacity = capacities[i], kept = total < capacity ? total : capacity;
            memset(hits, 0x5A, sizeof hits);
            const sl_hit untouched = hits[COUNT];
            assert_int_equal(ask(&among, &pair, &options, capacity > 0 ? hits : NULL, capacity),
                             total);
            assert_memory_equal(hits, expected, kept * sizeof *hits);
            for (size_t rest = kept; rest <= COUNT; rest++) {
                assert_memory_equal(&hits[rest], &untouched, sizeof untouched);
            }
        }
        hits_in_all += total;
    }
    printf("seed %llu: %zu hits\n", (unsigned long long)seed, hits_in_all);
    assert_true(hits_in_all > ROUNDS);
}

/* The filter of soup.c is its own: it must lose nothing that sl_ray_triangle finds. */
TEST(a_soup_of_one_is_a_triangle)
{
    test_random random = { seed + 1 };
    const uint32_t indices[3] = { 0, 1, 2 };
    size_t found = 0;
    for (size_t round = 0; round < 100000 * test_scale(); round++) {
        const hard_pair pair = hard_pair_make((hard_pair_kind)(round % PAIR_KINDS), &random);
        const sl_soup soup = { .xyz = pair.triangle.v[0], .indices = indices, .triangle_count = 1 };
        const sl_options options = { .flags = pair.flags, .cull = pair.cull };
        sl_hit one, all;
        const bool hit = pair.is_segment
                             ? sl_segment_triangle(&pair.segment, &pair.triangle, &options, &one)
                             : sl_ray_triangle(&pair.ray, &pair.triangle, &options, &one);
        const size_t total = pair.is_segment
                                 ? sl_soup_all_segment(&soup, &pair.segment, &options, &all, 1)
                                 : sl_soup_all(&soup, &pair.ray, &options, &all, 1);
        assert_int_equal(total, hit ? 1 : 0);
        if (hit) {
            assert_memory_equal(&one, &all, sizeof one);
        }
        found += hit;
    }
    assert_true(found > 20000);
}

TEST(no_query_means_the_default)
{
    const float xyz[9] = { 0, 0, 0, 1, 0, 0, 0, 1, 0 };
    const uint32_t indices[3] = { 0, 1, 2 };
    const sl_soup soup = { .xyz = xyz, .indices = indices, .triangle_count = 1 };
    const sl_ray ray = { .origin = { 0, 0, 1 }, .dir = { 0, 0, -1 }, .tmax = INFINITY };
    const sl_segment segment = { .p = { 0, 0, 1 }, .q = { 0, 0, 0 } };
    assert_int_equal(sl_soup_all(&soup, &ray, NULL, NULL, 0), 1);
    assert_int_equal(sl_soup_all_segment(&soup, &segment, NULL, NULL, 0), 1);
    const sl_ray bad = { .origin = { NAN, 0, 1 }, .dir = { 0, 0, -1 }, .tmax = INFINITY };
    const sl_segment point = { .p = { 0, 0, 0 }, .q = { 0, 0, 0 } };
    assert_int_equal(sl_soup_all(&soup, &bad, NULL, NULL, 0), 0);
    assert_int_equal(sl_soup_all_segment(&soup, &point, NULL, NULL, 0), 0);
}

/* No vertex is read for a triangle that was left out: there may be none. */
TEST(left_out_triangles_need_no_vertices)
{
    const uint32_t indices[3] = { 0, 1, 2 };
    OWN(sl_mesh) mesh = made_loose_mesh(NULL, 0, indices, 1);
    const sl_soup soup = sl_mesh_soup(mesh);
    const sl_ray ray = { .origin = { 0, 0, 1 }, .dir = { 0, 0, -1 }, .tmax = INFINITY };
    assert_int_equal(sl_soup_all(&soup, &ray, NULL, NULL, 0), 0);
    const sl_soup nowhere = { .xyz = NULL, .indices = soup.indices, .triangle_count = 1 };
    assert_int_equal(sl_soup_all(&nowhere, &ray, NULL, NULL, 0), 0);
}

TEST(triangles_that_are_not_finite_are_never_hit)
{
    const float bad[] = { NAN, INFINITY, -INFINITY };
    const uint32_t indices[3] = { 0, 1, 2 };
    const sl_ray ray = {
        .origin = { 0, 0, 1 }, .dir = { 0, 0, -1 }, .tmin = -INFINITY, .tmax = INFINITY
    };
    for (int i = 0; i < 3 * 9; i++) {
        float xyz[9] = { -1, -1, 0, 1, -1, 0, 0, 1, 0 };
        xyz[i % 9] = bad[i / 9];
        const sl_soup soup = { .xyz = xyz, .indices = indices, .triangle_count = 1 };
        assert_int_equal(sl_soup_all(&soup, &ray, NULL, NULL, 0), 0);
    }
}
