/* Masks: every question over a tree with masks has the answers of one over a tree without the
 * triangles that the mask leaves out; and whole subtrees are left out (bvh/tree/child_masks.h). */
#include "bvh/tree/tree.h"
#include "test/support/query/every_query.h"
#include "test/support/test.h"

enum { SEED = 20261123, TRIANGLES = 3000, ASKED = 100, PATTERNS = 4, NAMES = 96 };

/* What was asked, and a hash of all answers after each. */
typedef struct answers {
    const char *name[NAMES];
    uint64_t hash[NAMES];
    size_t count;
    sl_stats stats;
    const query_table *table;
} answers;

static uint64_t hash_of(uint64_t h, const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    for (size_t i = 0; i < size; i += sizeof h) {
        uint64_t word = 0;
        memcpy(&word, at + i, size - i < sizeof word ? size - i : sizeof word);
        h = (h ^ word) * 0x9E3779B97F4A7C15u;
        h ^= h >> 29;
    }
    return h;
}

static void clear(const query_table *t)
{
    memset(t->hits, 0, t->count * QUERY_KEPT * sizeof *t->hits);
    memset(t->next, 0, t->count * sizeof *t->next);
    memset(t->near, 0, t->count * QUERY_KEPT * sizeof *t->near);
    memset(t->refs, 0, t->count * QUERY_KEPT * sizeof *t->refs);
    memset(t->totals, 0, t->count * sizeof *t->totals);
    memset(t->yes, 0, t->count);
}

/* Whether points are inside depends on whether the mesh is closed, and a soup is the whole mesh,
 * whatever the mask. */
static bool depends_on_mesh(const char *name)
{
    return strstr(name, "inside") != NULL || strstr(name, "winding") != NULL ||
           strstr(name, "soup") != NULL;
}

static void note(void *user, const char *name)
{
    answers *a = user;
    const query_table *t = a->table;
    uint64_t h = 0xCBF29CE484222325u;
    assert_true(a->count < NAMES);
    if (depends_on_mesh(name)) {
        clear(t);
    } else {
        h = hash_of(h, t->hits, t->count * QUERY_KEPT * sizeof *t->hits);
        h = hash_of(h, t->next, t->count * sizeof *t->next);
        h = hash_of(h, t->near, t->count * QUERY_KEPT * sizeof *t->near);
        h = hash_of(h, t->refs, t->count * QUERY_KEPT * sizeof *t->refs);
        h = hash_of(h, t->totals, t->count * sizeof *t->totals);
        h = hash_of(h, t->yes, t->count);
    }
    a->name[a->count] = name;
    a->hash[a->count++] = h;
}

typedef struct masked {
    sl_mesh *mesh;
    uint32_t *masks;
} masked;

/* By regions, anywhere (0, which has all bits, among them), one triangle in twenty, and none but in
 * a corner. */
static uint32_t mask_of(int pattern, const sl_triangle *t, test_random *random)
{
    const uint32_t cell = (uint32_t)((t->v[0][0] + 1) * 3) & 3;
    switch (pattern) {
    case 0:
        return 1u << cell;
    case 1:
        return test_random_below(random, 16);
    case 2:
        return test_random_below(random, 20) == 0 ? 1 : 8;
    default:
        return t->v[0][0] + t->v[0][1] + t->v[0][2] > 1 ? 3 : 8;
    }
}

static masked make_masked(int pattern)
{
    masked m;
    test_random random = { SEED };
    m.mesh = made_soup(TRIANGLES, 0.1f, SEED);
    m.masks = malloc(TRIANGLES * sizeof *m.masks);
    assert_non_null(m.masks);
    for (uint32_t i = 0; i < TRIANGLES; i++) {
        sl_triangle t;
        assert_true(sl_mesh_triangle(m.mesh, i, &t));
        m.masks[i] = mask_of(pattern, &t, &random);
    }
    return m;
}

static void free_masked(masked *m)
{
    sl_mesh_destroy(m->mesh);
    free(m->masks);
}

/* Whether two masks share a bit, of which one that is 0 has all. */
static bool share(uint32_t a, uint32_t b)
{
    return a == 0 || b == 0 || (a & b) != 0;
}

/* A tree over the triangles that share a bit with the mask, which keep their numbers. */
static sl_bvh *left_in(const masked *m, uint32_t mask)
{
    sl_mesh *mesh;
    FREED uint32_t *indices = malloc(3 * TRIANGLES * sizeof *indices);
    sl_mesh_def def = { 0 };
    assert_non_null(indices);
    def.bad = SL_BAD_LEAVE_OUT;
    for (size_t i = 0; i < 3 * TRIANGLES; i++) {
        indices[i] = share(m->masks[i / 3], mask) ? sl_mesh_soup(m->mesh).indices[i] : SL_NONE;
    }
    mesh = made_mesh(sl_mesh_soup(m->mesh).xyz, sl_mesh_soup(m->mesh).vertex_count, indices,
                     TRIANGLES, &def);
    return made_bvh_alone(mesh, NULL);
}

/* What depends on the mesh is asked, but its answers are not looked at: the boundary of a soup
 * takes most of the time otherwise. */
static void give_no_boundary(query_table *t)
{
    sl_soup none = t->soup;
    none.triangle_count = 0;
    sl_boundary_destroy(t->boundary);
    assert_int_equal(sl_boundary_create(&none, NULL, NULL, &t->boundary, NULL), SL_OK);
}

static void query_everything(const sl_mesh *mesh, const sl_bvh *bvh, const sl_options *options,
                             answers *out)
{
    query_table t = query_table_make(mesh, ASKED, NULL, SEED);
    *out = (answers){ .table = &t };
    give_no_boundary(&t);
    t.bvh = bvh;
    t.query = options;
    t.stats = &out->stats;
    t.asked = note;
    t.user = out;
    clear(&t);
    for (size_t i = 0; i < 8; i++) {
        every_query_alone(&t, i);
        out->count = i < 7 ? 0 : out->count;
    }
    every_query_in_bulk(&t);
    query_table_free(&t);
}

static void expect_same(const answers *a, const answers *b)
{
    assert_int_equal(a->count, b->count);
    for (size_t i = 0; i < a->count; i++) {
        if (a->hash[i] != b->hash[i]) {
            fail_msg("%s: the answers differ", a->name[i]);
        }
    }
}

static void check_sound(const sl_bvh *bvh)
{
    sl_error error = { 0 };
    if (!sl_bvh_check(bvh, NULL, &error)) {
        fail_msg("%s", error.message);
    }
}

static sl_bvh *build(const masked *m, const uint32_t *masks, int form)
{
    sl_build_def def = { .masks = masks };
    def.layout = form == 1 ? SL_BVH_LAYOUT_COMPACT : SL_BVH_LAYOUT_DEFAULT;
    def.quality = form == 2   ? SL_BVH_QUALITY_HIGH
                  : form == 3 ? SL_BVH_QUALITY_FAST
                              : SL_BVH_QUALITY_DEFAULT;
    return made_bvh(m->mesh, &def);
}

/* The same tree by way of a file in memory. */
static sl_bvh *reload(sl_bvh *bvh, uint32_t flags)
{
    sl_bvh *back;
    const size_t size = sl_bvh_save_memory(bvh, NULL);
    void *bytes = malloc(size);
    const sl_bvh_load_def def = { .flags = flags };
    assert_non_null(bytes);
    sl_bvh_save_memory(bvh, bytes);
    assert_int_equal(sl_bvh_load_memory(bytes, size, &def, &back, NULL), SL_OK);
    free(bytes);
    sl_bvh_destroy(bvh);
    return back;
}

static sl_bvh *set_masks(sl_bvh *bvh, const masked *m, bool in_parts)
{
    sl_bvh *out;
    sl_refit_def def = { 0 };
    const sl_prim_range parts[2] = { { 0, TRIANGLES / 3 }, { TRIANGLES / 3, TRIANGLES } };
    for (int i = 0; i < (in_parts ? 2 : 1); i++) {
        sl_prim_range part = parts[i];
        part.count = i == 1 ? TRIANGLES - part.first : part.count;
        def.masks = m->masks;
        def.dirty = in_parts ? &part : NULL;
        def.dirty_count = in_parts;
        def.recycle = bvh;
        assert_int_equal(sl_bvh_set_masks(bvh, TRIANGLES, &def, &out, NULL), SL_OK);
        bvh = out;
    }
    return bvh;
}

TEST(a_mask_asks_a_tree_without_its_other_triangles)
{
    static const uint32_t masks[] = { 1, 6, UINT32_MAX, 0 };
    static answers expected[4], got;
    static sl_item_options opts[ASKED];
    for (int pattern = 0; pattern < PATTERNS; pattern++) {
        UNDONE(free_masked) masked m = make_masked(pattern);
        for (int k = 0; k < 4; k++) {
            OWN(sl_bvh) bvh = left_in(&m, masks[k]);
            query_everything(m.mesh, bvh, NULL, &expected[k]);
        }
        /* If brief, each form is asked with one of the patterns. */
        for (int form = test_is_brief() ? pattern : 0; form < 8; form += test_is_brief() ? 4 : 1) {
            OWN(sl_bvh) bvh = form < 4 ? build(&m, m.masks, form)
                              : form < 6
                                  ? reload(build(&m, m.masks, 0), form == 5 ? SL_LOAD_TRUSTED : 0)
                                  : set_masks(build(&m, NULL, 0), &m, form == 7);
            check_sound(bvh);
            for (int k = 0; k < 4; k++) {
                const sl_options options = { .mask = masks[k] };
                for (int i = 0; i < ASKED; i++) {
                    opts[i] = (sl_item_options){ .mask = masks[k] };
                }
                query_everything(m.mesh, bvh, &options, &got);
                expect_same(&expected[k], &got);
                const sl_options each = { .items = opts };
                query_everything(m.mesh, bvh, &each, &got);
                expect_same(&expected[k], &got);
            }
        }
    }
}

static uint64_t nodes_of(const sl_bvh *bvh, const masked *m, uint32_t mask)
{
    static answers ignored;
    const sl_options options = { .mask = mask };
    query_everything(m->mesh, bvh, &options, &ignored);
    return ignored.stats.nodes;
}

TEST(subtrees_are_left_out)
{
    UNDONE(free_masked) masked m = make_masked(0);
    for (int form = 0; form < 4; form++) {
        OWN(sl_bvh) bvh = build(&m, m.masks, form);
        assert_true(bvh->child_masks.present);
        const uint64_t with = nodes_of(bvh, &m, 4);
        bvh->child_masks.present = false;
        assert_true(with * 10 < nodes_of(bvh, &m, 4) * 8);
    }
}

TEST(trees_without_masks_hold_none)
{
    UNDONE(free_masked) masked m = make_masked(0);
    uint32_t all[TRIANGLES];
    memset(all, 0xFF, sizeof all);
    sl_bvh *trees[3] = { build(&m, NULL, 0), build(&m, all, 0), reload(build(&m, all, 0), 0) };
    for (int i = 0; i < 3; i++) {
        assert_null(trees[i]->child_masks.words);
        assert_true(trees[i]->child_masks.all == UINT32_MAX);
        sl_bvh_destroy(trees[i]);
    }
}

TEST(words_that_are_wrong_are_found)
{
    UNDONE(free_masked) masked m = make_masked(0);
    OWN(sl_bvh) bvh = build(&m, m.masks, 0);
    check_sound(bvh);
    bvh->child_masks.words[sli_child_mask_at(bvh->root)] ^= 64;
    assert_false(sl_bvh_check(bvh, NULL, NULL));
}

/* Masks of random ranges, now and then with positions and with subtrees built anew; between two
 * versions that take turns. */
TEST(words_follow_masks_over_300_versions)
{
    enum { VERSIONS = 300, RANGES = 3 };
    UNDONE(free_masked) masked m = make_masked(0);
    test_random random = { SEED };
    for (int form = 0; form < 3; form++) {
        OWN(sl_bvh) bvh = build(&m, form < 2 ? NULL : m.masks, form % 2);
        bvh = form < 2 ? bvh : reload(bvh, SL_LOAD_TRUSTED);
        OWN(sl_bvh) before = NULL;
        for (int version = 0; version < (test_is_brief() ? 30 : VERSIONS); version++) {
            sl_prim_range dirty[RANGES];
            sl_refit_def def = { 0 };
            sl_bvh *out;
            const uint32_t what = test_random_below(&random, 8);
            for (int i = 0; i < RANGES; i++) {
                dirty[i].first = test_random_below(&random, TRIANGLES - 60);
                dirty[i].count = test_random_below(&random, 60);
                for (uint32_t k = 0; k < dirty[i].count; k++) {
                    m.masks[dirty[i].first + k] = 1u << test_random_below(&random, 6);
                }
            }
            def.masks = m.masks;
            def.recycle = what == 7 ? bvh : before;
            def.dirty = version % 50 == 49 || (version == 0 && form != 2) ? NULL : dirty;
            def.dirty_count = def.dirty != NULL ? RANGES : 0;
            def.rebuild_share = what == 3 ? 1 : 0;
            const sl_result result =
                what < 4
                    ? sl_bvh_refit(bvh, sl_mesh_soup(m.mesh).xyz, sl_mesh_soup(m.mesh).vertex_count,
                                   sl_mesh_soup(m.mesh).indices, TRIANGLES, &def, &out, NULL)
                    : sl_bvh_set_masks(bvh, TRIANGLES, &def, &out, NULL);
            assert_int_equal(result, SL_OK);
            before = def.recycle == bvh ? before : bvh;
            bvh = out;
            assert_true(bvh->child_masks.filled);
            check_sound(bvh);
        }
        static answers expected, got;
        const sl_options options = { .mask = 2 };
        OWN(sl_bvh) left = left_in(&m, 2);
        query_everything(m.mesh, left, NULL, &expected);
        query_everything(m.mesh, bvh, &options, &got);
        expect_same(&expected, &got);
    }
}
