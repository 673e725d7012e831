/* Forged tree files: cut, flipped, and with fields of other values, with and without a checksum
 * that is right again.  Each is refused, or makes a tree that can be asked everything without a
 * fault. */
#include "bvh/store/format.h"
#include "bvh/tree/tree.h"
#include "lib/base/hash.h"
#include "test/support/query/every_question.h"
#include "test/support/query/of_one.h"
#include "test/support/test.h"

enum { SEED = 20261122, FORGERIES = 1000, FEW = 16 };

/* A file in a block of exactly its size, so that a sanitizer sees a read beyond it. */
typedef struct victim {
    sl_mesh *mesh;
    uint8_t *good, *bytes;
    size_t size, head, opened, refused; /* size of the file, and of its head */
    queries asked;
} victim;

/* One leaf or a few; hundreds of nodes, triangles split.  Each as compact trees, too.  All have
 * masks, which stand in an array of their own where the tree is compact. */
static victim small, large, small_compact, large_compact;
static victim *const both_small[2] = { &small, &small_compact };
static victim *const both_large[2] = { &large, &large_compact };

static uint8_t *new_block(size_t size)
{
    void *block = NULL;
    return posix_memalign(&block, 64, size) == 0 ? block : NULL;
}

static void make_victim(victim *v, uint32_t tube, sl_bvh_quality quality, sl_bvh_layout layout)
{
    test_random random = { SEED };
    sl_build_def def = { .quality = quality, .layout = layout };
    v->mesh = made_torus(3, tube, 2, 1.9f);
    uint32_t *masks = malloc(sl_mesh_soup(v->mesh).triangle_count * sizeof *masks);
    memset(masks, 0x7F, sl_mesh_soup(v->mesh).triangle_count * sizeof *masks);
    def.masks = masks;
    sl_bvh *bvh = made_bvh(v->mesh, &def);
    free(masks);
    const sl_bvh_info info = sl_bvh_get_info(bvh);
    assert_true((info.reference_count > info.triangle_count) ==
                (quality == SL_BVH_QUALITY_HIGH && layout == SL_BVH_LAYOUT_DEFAULT));
    v->size = sl_bvh_save_memory(bvh, NULL);
    v->head = sli_store_head_size(layout == SL_BVH_LAYOUT_COMPACT ? SLI_STORE_COMPACT_SECTIONS
                                                                  : SLI_STORE_SECTIONS);
    v->good = new_block(v->size);
    v->bytes = new_block(v->size);
    sl_bvh_save_memory(bvh, v->good);
    sl_bvh_destroy(bvh);
    queries_make(v->mesh, &random, &v->asked);
}

static void forget_victim(victim *v)
{
    free(v->good);
    free(v->bytes);
    sl_mesh_destroy(v->mesh);
}

TEST_BEFORE_ALL
{
    for (int i = 0; i < 2; i++) {
        make_victim(both_small[i], 4, SL_BVH_QUALITY_DEFAULT, (sl_bvh_layout)i);
        make_victim(both_large[i], 400, SL_BVH_QUALITY_HIGH, (sl_bvh_layout)i);
    }
}

TEST_AFTER_ALL
{
    for (int i = 0; i < 2; i++) {
        forget_victim(both_small[i]);
        forget_victim(both_large[i]);
    }
}

static void mend_checksum(uint8_t *bytes, size_t size)
{
    const uint64_t sum = sli_hash(bytes + SLI_STORE_SUMMED, size - SLI_STORE_SUMMED);
    memcpy(bytes + offsetof(sli_store_header, checksum), &sum, sizeof sum);
}

/* Some of each kind, in bulk and alone. */
static void query_a_few(const sl_bvh *bvh, const queries *q)
{
    sl_hit hits[FEW];
    uint8_t yes[FEW];
    uint64_t counts[FEW];
    sl_nearest near[FEW];
    sl_inside inside[FEW];
    const sl_options crossings = { .flags = SL_CROSSINGS };
    sl_bvh_closest_many(bvh, sl_rays_of(q->rays, FEW), NULL, sl_hits_of(hits), NULL, NULL);
    sl_bvh_any_many(bvh, sl_rays_of(q->rays, FEW), NULL, yes, NULL, NULL, NULL);
    sl_bvh_all_many(bvh, sl_rays_of(q->rays, FEW), &crossings, sl_hits_of(NULL), 0, counts, NULL,
                    NULL);
    sl_bvh_any_many(bvh, sl_segments_of(q->segments, FEW), NULL, yes, NULL, NULL, NULL);
    sl_bvh_any_many(bvh, sl_segments_from(q->points, q->points, FEW, SL_FLOAT), NULL, yes, NULL,
                    NULL, NULL);
    sl_bvh_nearest_many(bvh, sl_points_of(q->points, FEW, SL_FLOAT), INFINITY, NULL,
                        sl_nearests_of(near, SL_FLOAT), NULL, NULL);
    sl_bvh_within_many(bvh, sl_points_of(q->points, FEW, SL_FLOAT), 0.5f, NULL,
                       sl_nearests_of(near, SL_FLOAT), 1, counts, NULL, NULL);
    sl_bvh_winding(bvh, NULL, q->points, FEW, NULL, inside, NULL, NULL);
    (void)sl_bvh_closest(bvh, &q->rays[1], NULL, hits);
    (void)sl_bvh_any(bvh, &q->rays[1], NULL);
    (void)closest_of_one(bvh, sl_segments_of(&q->segments[0], 1), NULL, sl_hits_of(hits));
}

static void query_volumes(const sl_bvh *bvh)
{
    sl_triangle_ref refs[16];
    const sl_volume volumes[2] = {
        { .kind = SL_VOLUME_AABB, .shape.aabb = { { -1, -1, -1 }, { 3, 1, 1 } } },
        { .kind = SL_VOLUME_SPHERE, .shape.sphere = { { 2, 0, 0 }, 1 } },
    };
    for (int i = 0; i < 2; i++) {
        (void)sl_bvh_overlap_all(bvh, &volumes[i], NULL, refs, 16);
    }
}

/* Opens the bytes where they are; asks whatever opens. */
static void open_forged(victim *v, const uint8_t *bytes, size_t size)
{
    const sl_bvh_load_def def = { .flags = SL_LOAD_IN_PLACE };
    sl_bvh *bvh;
    sl_error error = { 0 };
    if (sl_bvh_load_memory(bytes, size, &def, &bvh, &error) != SL_OK) {
        assert_null(bvh);
        assert_true(error.message[0] != '\0' && error.byte >= 0);
        v->refused++;
        return;
    }
    v->opened++;
    query_a_few(bvh, &v->asked);
    query_volumes(bvh);
    (void)sl_bvh_check(bvh, v->mesh, &error);
    sl_bvh_destroy(bvh);
}

static void start_over(victim *v)
{
    memcpy(v->bytes, v->good, v->size);
}

static void truncate_everywhere(victim *v)
{
    v->opened = v->refused = 0;
    for (size_t size = 0; size < v->size; size++) {
        FREED uint8_t *cut = new_block(size + (size == 0));
        memcpy(cut, v->good, size);
        open_forged(v, cut, size);
        if (size >= SLI_STORE_HEAD_MIN) { /* and says so itself */
            const uint64_t said = size;
            memcpy(cut + offsetof(sli_store_header, file_size), &said, sizeof said);
            mend_checksum(cut, size);
            open_forged(v, cut, size);
        }
    }
    assert_int_equal(v->opened, 0);
}

TEST(every_truncation_is_refused)
{
    truncate_everywhere(&small);
    truncate_everywhere(&small_compact);
}

/* Opens the victim with each bit turned over, one at a time. */
static void flip_every_bit(victim *v, bool mend)
{
    start_over(v);
    v->opened = v->refused = 0;
    for (size_t bit = 0; bit < 8 * v->size; bit++) {
        v->bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
        if (mend) {
            mend_checksum(v->bytes, v->size);
        }
        open_forged(v, v->bytes, v->size);
        v->bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
}

TEST(every_flipped_bit_is_found_by_the_checksum)
{
    for (int i = 0; i < 2; i++) {
        flip_every_bit(both_small[i], false);
        assert_int_equal(both_small[i]->opened, 0);
    }
}

TEST(every_flipped_bit_under_a_mended_checksum_is_survived)
{
    for (int i = 0; i < 2; i++) {
        flip_every_bit(both_small[i], true);
        assert_true(both_small[i]->refused > both_small[i]->size); /* masks, low bits may pass */
    }
}

/* A value that is likely to do harm. */
static uint32_t hard_word(const victim *v, test_random *random)
{
    uint32_t other;
    switch (test_random_below(random, 8)) {
    case 0:
        return 0;
    case 1:
        return 0xFFFFFFFFu;
    case 2:
        return SLI_REF_EMPTY;
    case 3:
        return 0x7FC00000u; /* NaN */
    case 4:
        return test_random_below(random, (uint32_t)(v->size / SLI_LINE));
    case 5:
        return SLI_REF_LEAF | test_random_below(random, (uint32_t)(v->size / SLI_LINE));
    case 6:
        return test_random_below(random, 0xFFFFFFFFu);
    default: /* another word of the file */
        memcpy(&other, v->good + 4 * test_random_below(random, (uint32_t)(v->size / 4)), 4);
        return other;
    }
}

/* Overwrites some words, or copies a run of lines from one place to another. */
static void forge(victim *v, test_random *random)
{
    const uint32_t lines = (uint32_t)(v->size / SLI_LINE);
    if (test_random_below(random, 4) == 0) {
        const uint32_t run = 1 + test_random_below(random, 8);
        const size_t from = (size_t)test_random_below(random, lines - run) * SLI_LINE;
        const size_t to = (size_t)test_random_below(random, lines - run) * SLI_LINE;
        memcpy(v->bytes + to, v->good + from, (size_t)run * SLI_LINE);
        return;
    }
    for (uint32_t left = 1 + test_random_below(random, 3); left > 0; left--) {
        const uint32_t word = hard_word(v, random);
        const bool head = test_random_below(random, 8) == 0;
        const uint32_t words = (uint32_t)((head ? v->head : v->size) / 4);
        memcpy(v->bytes + (size_t)4 * test_random_below(random, words), &word, sizeof word);
    }
}

TEST(random_forgeries_are_survived)
{
    test_random random = { test_seed(SEED + 1) };
    const size_t count = FORGERIES * test_scale();
    for (int k = 0; k < 2; k++) {
        victim *v = both_large[k];
        v->opened = v->refused = 0;
        for (size_t i = 0; i < count; i++) {
            start_over(v);
            forge(v, &random);
            if (i % 16 != 0) {
                mend_checksum(v->bytes, v->size);
            }
            open_forged(v, v->bytes, v->size);
        }
        assert_true(v->refused > count / 4);
        print_message("%zu refused, %zu opened and asked (seed %llu)\n", v->refused, v->opened,
                      (unsigned long long)test_seed(SEED + 1));
    }
}

/* References of a large tree, each led elsewhere. */
static void lead_astray(victim *v)
{
    v->opened = v->refused = 0;
    start_over(v);
    uint8_t *lines = v->bytes + v->head;
    sli_node_wide *root = (sli_node_wide *)(void *)(lines + (size_t)SLI_HEADER_LINES * SLI_LINE);
    const sli_node_wide good = *root;
    for (int k = 0; k < SLI_WIDTH; k++) {
        for (int other = 0; other < SLI_WIDTH; other++) {
            if (k != other && root->child[k] != good.child[other]) {
                root->child[k] = good.child[other];
                mend_checksum(v->bytes, v->size);
                open_forged(v, v->bytes, v->size);
                *root = good;
            }
        }
        root->child[k] = SLI_HEADER_LINES; /* the root itself */
        mend_checksum(v->bytes, v->size);
        open_forged(v, v->bytes, v->size);
        *root = good;
    }
    assert_int_equal(v->opened, 0);
    assert_true(v->refused > SLI_WIDTH);
}

TEST(a_node_that_two_lead_to_is_refused)
{
    lead_astray(&large);
    lead_astray(&large_compact);
}
