/* What opening proves of a tree file, one thing at a time: each edit makes one untrue, under a
 * checksum that is right again, and is refused in the words for it. */
#include "bvh/store/format.h"
#include "bvh/tree/tree.h"
#include "lib/base/hash.h"
#include "test/support/test.h"

enum { ROOM = 1 << 20, LINES = SLI_STORE_LINES - 1, PLACES, VERTICES, MASKS };

/* A file in the middle of being changed; head and lines point into it. */
typedef struct file {
    uint8_t *bytes;
    sli_store_header *head;
    size_t size;
} file;

/* The tree of a mesh, which is no longer needed then. */
static file write_tree(sl_mesh *mesh, sl_bvh_quality quality, sl_bvh_layout layout)
{
    sl_build_def def = { 0 };
    void *bytes = NULL;
    def.quality = quality;
    def.layout = layout;
    sl_bvh *bvh = made_bvh(mesh, &def);
    assert_int_equal(posix_memalign(&bytes, SLI_STORE_ALIGN, ROOM), 0);
    const size_t size = sl_bvh_save_memory(bvh, NULL);
    assert_in_range(size, 1, ROOM / 2);
    sl_bvh_save_memory(bvh, bytes);
    unmake_bvh(bvh, mesh);
    return (file){ bytes, bytes, size };
}

/* Long triangles around the tube are split by builds of high quality. */
static file write_file(uint32_t along, sl_bvh_quality quality, sl_bvh_layout layout)
{
    sl_mesh *mesh = made_torus(3, along, 2, 1.9f);
    return write_tree(mesh, quality, layout);
}

/* Of one node, with leaves below. */
static file write_small(sl_bvh_layout layout)
{
    const file f = write_file(4, SL_BVH_QUALITY_DEFAULT, layout);
    assert_int_equal(f.head->node_count, 1);
    return f;
}

static void *item(const file *f, int section, size_t index)
{
    const sli_store_section *at = &f->head->section[section];
    return f->bytes + at->offset + index * at->item_size;
}

static sli_node_wide *node_at(const file *f, uint32_t line)
{
    return item(f, LINES, line);
}

/* The block of the first leaf of the root. */
static sli_tri_pack *first_leaf(const file *f)
{
    return item(f, LINES, node_at(f, f->head->root)->child[0] & SLI_REF_LINE);
}

/* Tells the head that a section has more items, or fewer, and moves what stands behind them. */
static void resize(file *f, int section, size_t index, int64_t more)
{
    sli_store_section *at = f->head->section;
    const int64_t by = more * (int64_t)at[section].item_size;
    uint8_t *from = item(f, section, index);
    uint8_t *rest = more < 0 ? from - by : from;
    memmove(rest + by, rest, (size_t)(f->bytes + f->size - rest));
    if (more > 0) {
        memset(from, 0, (size_t)by);
    }
    at[section].count = (uint64_t)((int64_t)at[section].count + more);
    for (uint32_t i = (uint32_t)section + 1; i < f->head->section_count; i++) {
        at[i].offset = (uint64_t)((int64_t)at[i].offset + by);
    }
    f->size = (size_t)((int64_t)f->size + by);
    f->head->file_size = f->size;
}

static sl_result open_file(file *f, sl_error *error)
{
    const sl_bvh_load_def def = { 0 };
    sl_bvh *bvh = NULL;
    f->head->checksum = sli_hash(f->bytes + SLI_STORE_SUMMED, f->size - SLI_STORE_SUMMED);
    const sl_result result = sl_bvh_load_memory(f->bytes, f->size, &def, &bvh, error);
    sl_bvh_destroy(bvh);
    free(f->bytes);
    return result;
}

static void is_refused(file *f, const char *words)
{
    sl_error error = { 0 };
    assert_int_equal(open_file(f, &error), SL_BAD_DATA);
    if (strstr(error.message, words) == NULL) {
        fail_msg("'%s' does not say '%s'", error.message, words);
    }
}

TEST(what_is_not_changed_opens)
{
    for (int layout = 0; layout < 2; layout++) {
        sl_error error;
        file small = write_small((sl_bvh_layout)layout);
        file large = write_file(400, SL_BVH_QUALITY_HIGH, (sl_bvh_layout)layout);
        assert_int_equal(open_file(&small, &error), SL_OK);
        assert_int_equal(open_file(&large, &error), SL_OK);
    }
}

TEST(a_line_too_many_is_refused)
{
    for (int layout = 0; layout < 2; layout++) {
        file f = write_small((sl_bvh_layout)layout);
        resize(&f, LINES, f.head->section[LINES].count, 1);
        is_refused(&f, "lines that nothing leads to");
    }
}

TEST(a_leaf_beyond_the_end_is_refused)
{
    for (int layout = 0; layout < 2; layout++) {
        file f = write_small((sl_bvh_layout)layout);
        resize(&f, LINES, f.head->section[LINES].count - 1, -1);
        is_refused(&f, "a leaf that does not stand behind its node");
    }
}

TEST(an_arena_without_its_first_lines_is_refused)
{
    file f = write_small(SL_BVH_LAYOUT_DEFAULT);
    resize(&f, LINES, SLI_HEADER_LINES - 1,
           SLI_HEADER_LINES - 1 - (int64_t)f.head->section[0].count);
    is_refused(&f, "the table of sections");
}

TEST(a_node_without_children_is_refused)
{
    file f = write_small(SL_BVH_LAYOUT_DEFAULT);
    sli_node_wide *root = node_at(&f, f.head->root);
    for (int k = 0; k < SLI_WIDTH; k++) {
        root->child[k] = SLI_REF_EMPTY;
        for (int axis = 0; axis < 3; axis++) {
            root->bounds[axis][0][k] = SLI_EMPTY_MIN;
            root->bounds[axis][1][k] = SLI_EMPTY_MAX;
        }
    }
    is_refused(&f, "a node whose boxes");
}

/* Nodes of one child in front of the root, which is on level 1; all that is behind moves. */
static void deepen(file *f, uint32_t levels)
{
    const uint32_t shift = levels * SLI_NODE_LINES, root = f->head->root;
    resize(f, LINES, root, shift);
    for (uint32_t level = 0; level < levels; level++) {
        sli_node_wide *node = node_at(f, root + level * SLI_NODE_LINES);
        for (uint32_t k = 0; k < SLI_WIDTH; k++) {
            node->child[k] = k == 0 ? root + (level + 1) * SLI_NODE_LINES : SLI_REF_EMPTY;
            node->order[k] = (7 - k) * 01111111111u & 0x7FFFFFFu; /* nine orders of three bits */
            for (int axis = 0; axis < 3; axis++) {
                node->bounds[axis][0][k] = k == 0 ? f->head->bounds.min[axis] : SLI_EMPTY_MIN;
                node->bounds[axis][1][k] = k == 0 ? f->head->bounds.max[axis] : SLI_EMPTY_MAX;
            }
        }
    }
    sli_node_wide *last = node_at(f, root + shift);
    for (int k = 0; k < SLI_WIDTH; k++) {
        last->child[k] += last->child[k] != SLI_REF_EMPTY ? shift : 0;
    }
    for (size_t prim = 0; prim < f->head->prim_count; prim++) {
        *(uint32_t *)item(f, PLACES, prim) += shift * SLI_PACK;
    }
    f->head->node_count += levels;
    f->head->child_count += levels;
}

TEST(as_many_levels_as_stacks_have_room_for_are_opened_and_no_more)
{
    sl_error error;
    file deepest = write_small(SL_BVH_LAYOUT_DEFAULT), deeper = write_small(SL_BVH_LAYOUT_DEFAULT);
    deepen(&deepest, SLI_MAX_DEPTH - 1);
    deepest.head->depth = SLI_MAX_DEPTH;
    assert_int_equal(open_file(&deepest, &error), SL_OK);
    deepen(&deeper, SLI_MAX_DEPTH);
    deeper.head->depth = SLI_MAX_DEPTH;
    is_refused(&deeper, "a tree of more than 16 levels");
}

TEST(a_leaf_without_triangles_is_refused)
{
    file f = write_small(SL_BVH_LAYOUT_DEFAULT);
    memset(first_leaf(&f)->prim, 0xFF, sizeof first_leaf(&f)->prim);
    is_refused(&f, "a leaf whose triangles are not in its first lanes");
}

TEST(a_triangle_that_has_a_place_but_is_not_there_is_refused)
{
    file f = write_small(SL_BVH_LAYOUT_DEFAULT);
    uint32_t *ids = first_leaf(&f)->prim;
    int last = SLI_PACK - 1;
    while (ids[last] == SL_NONE) {
        last--;
    }
    assert_true(last > 0);
    ids[last] = SL_NONE;
    is_refused(&f, "triangles have a slot, but");
}

/* The first part of a split triangle is said to be followed by others. */
TEST(a_split_triangle_without_a_place_is_refused)
{
    file f = write_file(400, SL_BVH_QUALITY_HIGH, SL_BVH_LAYOUT_DEFAULT);
    sl_bvh *bvh = NULL;
    assert_int_equal(sl_bvh_load_memory(f.bytes, f.size, NULL, &bvh, NULL), SL_OK);
    uint32_t split = SL_NONE;
    for (uint32_t prim = 0; prim < bvh->prim_count; prim++) {
        const uint32_t place = bvh->slots[prim];
        const sli_tri_pack *pack = item(&f, LINES, place / SLI_PACK);
        split = pack->before[place % SLI_PACK] != 0 ? prim : split;
    }
    sl_bvh_destroy(bvh);
    assert_int_not_equal(split, SL_NONE);
    *(uint32_t *)item(&f, PLACES, split) = SL_NONE;
    is_refused(&f, "is not where the list of slots says");
}

static uint32_t *link_at(const file *f, uint32_t place)
{
    return &((sli_tri_pack *)item(f, LINES, place / SLI_PACK))->before[place % SLI_PACK];
}

/* A file, and the links of a triangle in it that stands in three leaves or more, from the last
 * on. */
static file write_split(uint32_t *links[3])
{
    enum { SMALL = 400 };
    float xyz[SMALL + 1][3][3] = { { { 0, 0, 0 }, { SMALL, SMALL, 0 }, { SMALL, SMALL, 1 } } };
    for (int i = 1; i <= SMALL; i++) { /* along a triangle that is long, and across all axes */
        const float at = (float)i;
        const float corners[3][3] = { { at, at, 0 },
                                      { at + 0.5f, at, 0 },
                                      { at, at + 0.5f, 0.5f } };
        memcpy(xyz[i], corners, sizeof xyz[i]);
    }
    sl_mesh *mesh = made_mesh(&xyz[0][0][0], 3 * (SMALL + 1), NULL, SMALL + 1, NULL);
    file f = write_tree(mesh, SL_BVH_QUALITY_HIGH, SL_BVH_LAYOUT_DEFAULT);
    bool found = false;
    for (uint32_t prim = 0; prim < f.head->prim_count && !found; prim++) {
        uint32_t place = *(uint32_t *)item(&f, PLACES, prim);
        int count = 0;
        for (; count < 3 && place > SLI_SLOT_FIRST && place != SL_NONE; count++) {
            links[count] = link_at(&f, place);
            place = *links[count];
        }
        found = count == 3;
    }
    assert_true(found);
    return f;
}

/* Queries that count a triangle once follow the links: those are one chain, without a way
 * around. */
TEST(links_that_are_no_chain_are_refused)
{
    for (int fault = 0; fault < 3; fault++) {
        uint32_t *links[3];
        file f = write_split(links);
        switch (fault) {
        case 0: /* past one of them */
            *links[0] = *links[1];
            break;
        case 1: /* two are the first */
            *links[1] = SLI_SLOT_FIRST;
            break;
        default: /* to the line behind the block, where masks are */
            *links[0] += SLI_PACK;
            break;
        }
        is_refused(&f, "is not where the list of slots says");
    }
}

TEST(every_failed_allocation_is_survived)
{
    uint32_t *links[3];
    file f = write_split(links);
    bool failed = true;
    for (size_t n = 0; failed; n++) {
        sli_failing_allocator memory;
        sl_bvh_load_def def = { 0 };
        sl_bvh *bvh;
        def.hooks.allocator = sli_failing_allocator_start(&memory, n);
        const sl_result result = sl_bvh_load_memory(f.bytes, f.size, &def, &bvh, NULL);
        failed = memory.failed;
        assert_int_equal(result, failed ? SL_OUT_OF_MEMORY : SL_OK);
        sl_bvh_destroy(bvh);
        assert_true(sli_failing_allocator_clean(&memory));
        assert_true(failed || n >= 4);
    }
    free(f.bytes);
}

TEST(a_vertex_that_no_triangle_has_is_refused)
{
    file f = write_small(SL_BVH_LAYOUT_COMPACT);
    resize(&f, VERTICES, f.head->section[VERTICES].count, 3);
    is_refused(&f, "vertices that no triangle has");
}

TEST(part_of_a_vertex_is_refused)
{
    file f = write_small(SL_BVH_LAYOUT_COMPACT);
    resize(&f, VERTICES, f.head->section[VERTICES].count, 1);
    is_refused(&f, "the table of sections");
}

TEST(masks_of_some_triangles_are_refused)
{
    file f = write_small(SL_BVH_LAYOUT_COMPACT);
    resize(&f, MASKS, 0, 1 - (int64_t)f.head->section[MASKS].count);
    is_refused(&f, "the table of sections");
}

TEST(a_head_that_says_other_things_is_refused)
{
    const double costs[3] = { -1, (double)NAN, (double)INFINITY };
    for (int i = 0; i < 3; i++) {
        file f = write_small(SL_BVH_LAYOUT_DEFAULT);
        f.head->sah_cost = costs[i];
        is_refused(&f, "not what the head of the file says");
    }
    file f = write_small(SL_BVH_LAYOUT_DEFAULT);
    f.head->reach *= 2;
    is_refused(&f, "not what the head of the file says");
}
