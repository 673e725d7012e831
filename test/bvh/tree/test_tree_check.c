/* The checker finds every fault that can be planted, and survives whatever it is shown. */
#include "bvh/tree/tree.h"
#include "lib/mesh/mesh.h"
#include "test/support/test.h"

enum { COUNT = 1501 }; /* no multiple of 4, so that there are lanes without a triangle */

static sli_node_wide *node_at(sl_bvh *tree, uint32_t ref)
{
    return (sli_node_wide *)(void *)(tree->lines + (size_t)(ref & SLI_REF_LINE) * SLI_LINE);
}

static sli_tri_pack *pack_at(sl_bvh *tree, uint32_t ref)
{
    return (sli_tri_pack *)(void *)(tree->lines + (size_t)(ref & SLI_REF_LINE) * SLI_LINE);
}

static sli_node_wide *root_of(sl_bvh *tree)
{
    return node_at(tree, tree->root);
}

typedef struct spot {
    sli_node_wide *node;
    int child;
} spot;

enum { LEAF, INNER, UNUSED };

/* The first child of that kind, from the root down. */
static spot find_child(sl_bvh *tree, int kind)
{
    uint32_t queue[COUNT];
    int head = 0, tail = 0;
    queue[tail++] = tree->root;
    while (head < tail) {
        sli_node_wide *node = node_at(tree, queue[head++]);
        for (int k = 0; k < SLI_WIDTH; k++) {
            const uint32_t ref = node->child[k];
            const bool leaf = (ref & SLI_REF_LEAF) != 0;
            if (kind == (ref == SLI_REF_EMPTY ? UNUSED : leaf ? LEAF : INNER)) {
                return (spot){ node, k };
            }
            if (!leaf) {
                queue[tail++] = ref;
            }
        }
    }
    fail_msg("no such child");
    return (spot){ NULL, 0 };
}

static sli_tri_pack *first_leaf(sl_bvh *tree)
{
    const spot at = find_child(tree, LEAF);
    return pack_at(tree, at.node->child[at.child]);
}

static sli_tri_pack *leaf_with_unused_lane(sl_bvh *tree)
{
    for (uint32_t prim = 0; prim < tree->prim_count; prim++) {
        sli_tri_pack *pack = pack_at(tree, tree->slots[prim] / SLI_PACK);
        if (pack->prim[SLI_PACK - 1] == SL_NONE) {
            return pack;
        }
    }
    fail_msg("every leaf is full");
    return NULL;
}

static void shrink(const spot *at, int axis, int side)
{
    float *x = &at->node->bounds[axis][side][at->child];
    *x = nextafterf(*x, side == 0 ? INFINITY : -INFINITY);
}

/* Each plants one fault; variant says which of several like it. */

static void shrink_leaf_box(sl_bvh *tree, int variant)
{
    const spot at = find_child(tree, LEAF);
    shrink(&at, variant / 2, variant % 2);
}

static void shrink_inner_box(sl_bvh *tree, int variant)
{
    const spot at = find_child(tree, INNER);
    shrink(&at, variant / 2, variant % 2);
}

static void spoil_box(sl_bvh *tree, int variant)
{
    const spot at = find_child(tree, variant % 2 != 0 ? LEAF : INNER);
    const int side = variant / 2 % 2;
    const float values[] = { NAN, side != 0 ? INFINITY : -INFINITY, side != 0 ? -2e30f : 2e30f };
    at.node->bounds[1][side][at.child] = values[variant / 4];
}

static void spoil_unused_box(sl_bvh *tree, int variant)
{
    const spot at = find_child(tree, UNUSED);
    const float values[] = { 0, NAN };
    at.node->bounds[variant / 2 % 3][variant % 2][at.child] = values[variant / 6];
}

static void give_unknown_kind(sl_bvh *tree, int variant)
{
    const spot at = find_child(tree, variant < 3 ? LEAF : INNER);
    const uint32_t kinds[] = { 1, 2, 7, 1, 4, 7 };
    at.node->child[at.child] |= kinds[variant] << 28;
}

static void lead_out_of_range(sl_bvh *tree, int variant)
{
    const spot at = find_child(tree, variant % 2 != 0 ? LEAF : INNER);
    const uint32_t lines[] = { 0, 3, (uint32_t)tree->line_count, (uint32_t)tree->line_count - 1,
                               SLI_REF_LINE };
    uint32_t *ref = &at.node->child[at.child];
    *ref = (*ref & ~SLI_REF_LINE) | lines[variant / 2];
}

static void lead_in_a_circle(sl_bvh *tree, int variant)
{
    const spot at = find_child(tree, variant % 2 != 0 ? LEAF : INNER);
    at.node->child[at.child] = tree->root;
    if (variant == 0) {
        for (int axis = 0; axis < 3; axis++) { /* so that the box is no reason to refuse */
            at.node->bounds[axis][0][at.child] = -100;
            at.node->bounds[axis][1][at.child] = 100;
        }
    }
}

static void reach_twice(sl_bvh *tree, int variant)
{
    sli_node_wide *root = root_of(tree);
    const int from = variant, to = (variant + 1) % SLI_WIDTH;
    root->child[to] = root->child[from];
    for (int axis = 0; axis < 3; axis++) {
        for (int side = 0; side < 2; side++) {
            root->bounds[axis][side][to] = root->bounds[axis][side][from];
        }
    }
}

static void lead_between_nodes(sl_bvh *tree, int variant)
{
    const spot at = find_child(tree, variant % 2 != 0 ? LEAF : INNER);
    at.node->child[at.child] += (uint32_t)(variant / 2 + 1);
}

static void swap_kinds(sl_bvh *tree, int variant)
{
    const spot at = find_child(tree, variant != 0 ? LEAF : INNER);
    at.node->child[at.child] ^= SLI_REF_LEAF;
}

static void drop_child(sl_bvh *tree, int variant)
{
    const spot at = find_child(tree, variant != 0 ? LEAF : INNER);
    at.node->child[at.child] = SLI_REF_EMPTY;
    for (int axis = 0; axis < 3; axis++) {
        at.node->bounds[axis][0][at.child] = SLI_EMPTY_MIN;
        at.node->bounds[axis][1][at.child] = SLI_EMPTY_MAX;
    }
    /* Ranks move up so that the order stays right: only the count is wrong. */
    for (uint32_t octant = 0; octant < 8; octant++) {
        const uint32_t shift = 3 * octant;
        uint32_t rank = 0;
        while ((at.node->order[rank] >> shift & 7) != (uint32_t)at.child) {
            rank++;
        }
        for (; rank > 0; rank--) {
            const uint32_t above = at.node->order[rank - 1] >> shift & 7;
            at.node->order[rank] = (at.node->order[rank] & ~(7u << shift)) | above << shift;
        }
        at.node->order[0] = (at.node->order[0] & ~(7u << shift)) | (uint32_t)at.child << shift;
    }
}

static void swap_ranks(sl_bvh *tree, int variant)
{
    sli_node_wide *root = root_of(tree);
    const int shift = 3 * (variant / 7), rank = variant % 7;
    const uint32_t a = root->order[rank] >> shift & 7, b = root->order[rank + 1] >> shift & 7;
    root->order[rank] ^= (a ^ b) << shift;
    root->order[rank + 1] ^= (a ^ b) << shift;
}

static void repeat_rank(sl_bvh *tree, int variant)
{
    sli_node_wide *root = root_of(tree);
    const int shift = 3 * variant;
    const uint32_t a = root->order[3] >> shift & 7, b = root->order[4] >> shift & 7;
    root->order[4] ^= (a ^ b) << shift;
}

static void spoil_order_bits(sl_bvh *tree, int variant)
{
    root_of(tree)->order[variant] ^= 1u << (24 + variant);
}

static void spoil_id(sl_bvh *tree, int variant)
{
    sli_tri_pack *pack = first_leaf(tree);
    const uint32_t ids[] = { COUNT, SL_NONE - 1, (pack->prim[0] + 1) % COUNT, SL_NONE };
    pack->prim[0] = ids[variant];
}

static void spoil_unused_lane(sl_bvh *tree, int variant)
{
    sli_tri_pack *pack = leaf_with_unused_lane(tree);
    const int lane = SLI_PACK - 1;
    if (variant == 0) {
        pack->prim[lane] = 5;
    } else if (variant == 1) {
        pack->mask[lane] = 5;
    } else if (variant == 2) {
        pack->axis[2].vertex[2][lane] = -0.0f;
    } else {
        pack->axis[0].vertex[0][lane] = NAN;
    }
}

static void spoil_link(sl_bvh *tree, int variant)
{
    first_leaf(tree)->before[variant] = 1;
}

static void spoil_vertex(sl_bvh *tree, int variant)
{
    const float values[] = { NAN, INFINITY, 1e20f, -1e20f };
    first_leaf(tree)->axis[variant % 3].vertex[variant / 3 % 3][0] = values[variant / 9];
}

static void spoil_slot(sl_bvh *tree, int variant)
{
    if (variant == 0) {
        const uint32_t slot = tree->slots[7];
        tree->slots[7] = tree->slots[8];
        tree->slots[8] = slot;
    } else {
        const uint32_t values[] = { 0, 0, SL_NONE, tree->slots[7] ^ 1, tree->slots[7] + 12 };
        tree->slots[7] = values[variant];
    }
}

static void spoil_root(sl_bvh *tree, int variant)
{
    const uint32_t refs[] = { SLI_REF_EMPTY,
                              0,
                              3,
                              tree->root | SLI_REF_LEAF,
                              tree->root | 0x10000000u,
                              (uint32_t)tree->line_count,
                              (uint32_t)tree->line_count - 3,
                              SLI_REF_LINE };
    tree->root = refs[variant];
}

static void spoil_header(sl_bvh *tree, int variant)
{
    const size_t bytes[] = { 0, 47, 48, 63, 64, 64 * 3, 255 };
    tree->lines[bytes[variant]] ^= 0x40;
}

static void spoil_totals(sl_bvh *tree, int variant)
{
    sl_bvh_info *info = &tree->info;
    size_t *sizes[] = { &info->node_count, &info->leaf_count, &info->leaf_histogram[3],
                        &info->child_count, &info->bytes };
    double *doubles[] = { &info->sah_cost, &info->bytes_per_triangle };
    if (variant == 0) {
        info->triangle_count++;
    } else if (variant < 6) {
        ++*sizes[variant - 1];
    } else if (variant < 8) {
        *doubles[variant - 6] = nextafter(*doubles[variant - 6], 0);
    } else if (variant < 10) {
        *doubles[variant - 8] = NAN;
    } else {
        info->depth++;
    }
}

static void spoil_summary(sl_bvh *tree, int variant)
{
    if (variant < 6) {
        float *x = variant < 3 ? &tree->bounds.min[variant] : &tree->bounds.max[variant - 3];
        *x = nextafterf(*x, variant % 2 != 0 ? INFINITY : -INFINITY);
    } else if (variant == 6) {
        tree->reach = nextafterf(tree->reach, 0);
    } else if (variant == 7) {
        tree->reach = nextafterf(tree->reach, INFINITY);
    } else if (variant == 8) {
        tree->reach = NAN;
    } else {
        tree->triangle_count++;
    }
}

static const struct {
    const char *name;
    void (*plant)(sl_bvh *tree, int variant);
    int variants;
    const char *words; /* that the error has; NULL: any */
} faults[] = {
    { "a leaf's box shrinks by an ulp", shrink_leaf_box, 6, "does not contain vertex" },
    { "a node's box shrinks by an ulp", shrink_inner_box, 6, "does not contain that of child" },
    { "a box is no box", spoil_box, 12, NULL },
    { "an unused box is not inverted", spoil_unused_box, 12, "not the inverted one" },
    { "a reference is of unknown kind", give_unknown_kind, 6, NULL },
    { "a reference is out of range", lead_out_of_range, 10, "leads to line" },
    { "a node is its own ancestor", lead_in_a_circle, 3, "reached before" },
    { "a child is there twice", reach_twice, 8, "reached before" },
    { "a reference is between nodes", lead_between_nodes, 4, NULL },
    { "a leaf is called a node", swap_kinds, 2, NULL },
    { "a child is missing", drop_child, 2, "no path leads there" },
    { "two ranks are swapped", swap_ranks, 56, "out of order" },
    { "a child is ranked twice", repeat_rank, 8, "twice" },
    { "spare bits of an order are used", spoil_order_bits, 8, "any-hit" },
    { "a leaf names the wrong triangle", spoil_id, 4, NULL },
    { "an unused lane is not clean", spoil_unused_lane, 4, NULL },
    { "a triangle says that it is split", spoil_link, 4, "not linked" },
    { "a vertex is elsewhere", spoil_vertex, 36, "does not contain vertex" },
    { "a slot is wrong", spoil_slot, 5, "slot" },
    { "the root is no node", spoil_root, 8, NULL },
    { "the header is written to", spoil_header, 7, "empty leaf" },
    { "the tree's figures are wrong", spoil_totals, 11, "figures" },
    { "what the tree says of itself is wrong", spoil_summary, 10, NULL },
};

typedef struct world {
    sl_mesh *mesh;
    sl_bvh *tree;
    sl_bvh saved; /* with copies of lines and places */
} world;

TEST_BEFORE_ALL
{
    world *w = calloc(1, sizeof *w);
    w->mesh = made_soup(COUNT, 0.2f, 3);
    w->tree = made_bvh(w->mesh, NULL);
    w->saved = *w->tree;
    w->saved.lines = malloc(w->tree->line_count * SLI_LINE);
    w->saved.slots = malloc(COUNT * sizeof(uint32_t));
    memcpy(w->saved.lines, w->tree->lines, w->tree->line_count * SLI_LINE);
    memcpy(w->saved.slots, w->tree->slots, COUNT * sizeof(uint32_t));
    *state = w;
}

/* As it was built. */
static void restore(world *w)
{
    uint8_t *lines = w->tree->lines;
    uint32_t *slots = w->tree->slots;
    *w->tree = w->saved;
    w->tree->lines = lines;
    w->tree->slots = slots;
    memcpy(lines, w->saved.lines, w->tree->line_count * SLI_LINE);
    memcpy(slots, w->saved.slots, COUNT * sizeof(uint32_t));
}

/* Whatever the test before did. */
TEST_BEFORE_EACH
{
    restore(*state);
}

TEST_AFTER_ALL
{
    world *w = *state;
    restore(w);
    free(w->saved.lines);
    free(w->saved.slots);
    unmake_bvh(w->tree, w->mesh);
    free(w);
}

TEST(a_sound_tree_passes)
{
    world *w = *state;
    assert_true(sl_bvh_check(w->tree, w->mesh, NULL));
    assert_true(sl_bvh_check(w->tree, NULL, NULL));
}

TEST(every_planted_fault_is_found)
{
    world *w = *state;
    for (size_t f = 0; f < sizeof faults / sizeof faults[0]; f++) {
        for (int variant = 0; variant < faults[f].variants; variant++) {
            restore(w);
            faults[f].plant(w->tree, variant);
            sl_error error = { .message = "" };
            if (sl_bvh_check(w->tree, NULL, &error)) {
                fail_msg("not found: %s (%d)", faults[f].name, variant);
            }
            assert_int_equal(error.code, SL_BAD_DATA);
            if (faults[f].words != NULL && strstr(error.message, faults[f].words) == NULL) {
                fail_msg("%s (%d): found as '%s'", faults[f].name, variant, error.message);
            }
            assert_false(sl_bvh_check(w->tree, NULL, NULL));
        }
    }
}

TEST(lines_that_nobody_reaches_are_found)
{
    world *w = *state;
    const sl_allocator allocator = w->tree->allocator;
    OWN(sl_bvh) longer = sli_tree_create(&allocator, w->tree->line_count + 1, COUNT);
    sl_bvh copy = *w->tree;
    copy.lines = longer->lines;
    copy.line_count++;
    memcpy(copy.lines, w->tree->lines, w->tree->line_count * SLI_LINE);
    sli_tree_measure(&copy);
    sl_error error;
    assert_false(sl_bvh_check(&copy, w->mesh, &error));
    assert_non_null(strstr(error.message, "are reached"));
}

TEST(another_mesh_is_found_out)
{
    world *w = *state;
    sl_error error;
    float *x = &w->mesh->xyz[3 * 700 + 1];
    const float before = *x;
    *x = nextafterf(before, 9);
    assert_false(sl_bvh_check(w->tree, w->mesh, &error));
    assert_non_null(strstr(error.message, "not the same"));
    *x = before;
    uint32_t corners[3];
    memcpy(corners, w->mesh->indices, sizeof corners);
    memset(w->mesh->indices, 0xFF, sizeof corners);
    assert_false(sl_bvh_check(w->tree, w->mesh, &error));
    assert_non_null(strstr(error.message, "only in the tree"));
    memcpy(w->mesh->indices, corners, sizeof corners);
    w->mesh->info.triangle_count--;
    assert_false(sl_bvh_check(w->tree, w->mesh, &error));
    assert_non_null(strstr(error.message, "was built over"));
    w->mesh->info.triangle_count++;
    assert_true(sl_bvh_check(w->tree, w->mesh, &error));
}

/* A zero of the other sign is the same number, but not the same bits. */
TEST(a_zero_of_the_other_sign_is_found_out)
{
    float xyz[9] = { 0, 1, 2, 3, 4, 5, 6, 7, 8 };
    OWN(sl_mesh) mesh = made_mesh(xyz, 3, NULL, 1, NULL);
    xyz[0] = -0.0f;
    OWN(sl_mesh) other = made_mesh(xyz, 3, NULL, 1, NULL);
    OWN(sl_bvh) tree = made_bvh(mesh, NULL);
    assert_true(sl_bvh_check(tree, mesh, NULL));
    assert_false(sl_bvh_check(tree, other, NULL));
}

/* A tree of depth nodes, each the only child of the one above, with one triangle at the end. */
static sl_bvh *chain(uint32_t depth)
{
    const float xyz[9] = { 0, 0, 0, 1, 0, 0, 0, 1, 0 };
    OWN(sl_bvh) one = made_bvh_alone(made_mesh(xyz, 3, NULL, 1, NULL), NULL);
    sl_bvh *tree = sli_tree_create(&one->allocator, one->line_count + 4 * (depth - 1), 1);
    for (uint32_t i = 0; i < depth; i++) {
        sli_node_wide *node = node_at(tree, SLI_HEADER_LINES + 4 * i);
        *node = *root_of(one);
        const uint32_t next = SLI_HEADER_LINES + 4 * (i + 1);
        node->child[0] = i + 1 < depth ? next : SLI_REF_LEAF | next;
    }
    const uint32_t leaf = SLI_HEADER_LINES + 4 * depth;
    *pack_at(tree, leaf) = *pack_at(one, one->slots[0] / SLI_PACK);
    tree->slots[0] = leaf * SLI_PACK;
    tree->root = SLI_HEADER_LINES;
    tree->triangle_count = 1;
    tree->bounds = one->bounds;
    tree->reach = one->reach;
    return tree;
}

TEST(sixteen_levels_pass_and_seventeen_do_not)
{
    sl_bvh *tree = chain(SLI_MAX_DEPTH);
    sli_tree_measure(tree);
    sl_error error = { .message = "" };
    assert_true(sl_bvh_check(tree, NULL, &error));
    assert_int_equal(tree->info.depth, SLI_MAX_DEPTH);
    sl_bvh_destroy(tree);
    tree = chain(SLI_MAX_DEPTH + 1);
    assert_false(sl_bvh_check(tree, NULL, &error));
    assert_non_null(strstr(error.message, "deeper than 16"));
    sl_bvh_destroy(tree);
}

TEST(a_node_without_children_is_found)
{
    OWN(sl_bvh) tree = chain(1);
    sli_node_wide *node = root_of(tree);
    node->child[0] = SLI_REF_EMPTY;
    for (int axis = 0; axis < 3; axis++) {
        node->bounds[axis][0][0] = SLI_EMPTY_MIN;
        node->bounds[axis][1][0] = SLI_EMPTY_MAX;
    }
    sl_error error;
    assert_false(sl_bvh_check(tree, NULL, &error));
    assert_non_null(strstr(error.message, "no children"));
}

TEST(a_container_that_cannot_be_is_refused)
{
    world *w = *state;
    sl_error error;
    assert_false(sl_bvh_check(NULL, NULL, &error));
    assert_int_equal(error.code, SL_INVALID_ARGUMENT);
    sl_bvh bad = *w->tree;
    bad.lines = NULL;
    assert_false(sl_bvh_check(&bad, NULL, &error));
    bad = *w->tree;
    bad.line_count = 3;
    assert_false(sl_bvh_check(&bad, NULL, &error));
    bad.line_count = SLI_MAX_LINES + 1;
    assert_false(sl_bvh_check(&bad, NULL, &error));
    bad = *w->tree;
    bad.slots = NULL;
    assert_false(sl_bvh_check(&bad, NULL, &error));
    bad = *w->tree;
    bad.lines += 16;
    bad.line_count--;
    assert_false(sl_bvh_check(&bad, NULL, &error));
    assert_non_null(strstr(error.message, "aligned"));
}

TEST(no_memory_for_the_check_is_no_proof)
{
    world *w = *state;
    sli_failing_allocator memory;
    sl_bvh tree = *w->tree;
    tree.allocator = sli_failing_allocator_start(&memory, 0);
    sl_error error;
    assert_false(sl_bvh_check(&tree, w->mesh, &error));
    assert_int_equal(error.code, SL_OUT_OF_MEMORY);
    tree.allocator = sli_failing_allocator_start(&memory, 1);
    assert_true(sl_bvh_check(&tree, w->mesh, &error));
    assert_int_equal(memory.live_blocks, 0);
}

/* Words that are likely to do harm: references, near and far, ids, floats. */
static uint32_t likely_word(test_random *random, const sl_bvh *tree)
{
    const uint32_t line = test_random_below(random, (uint32_t)tree->line_count + 3);
    const uint32_t words[] = { line,
                               line | SLI_REF_LEAF,
                               0,
                               SLI_REF_EMPTY,
                               0x7F800000,
                               0xFFFFFFFF,
                               0x80000000,
                               test_random_below(random, COUNT),
                               (uint32_t)test_random_u64(random) };
    return words[test_random_below(random, sizeof words / sizeof words[0])];
}

TEST(garbage_does_no_harm)
{
    world *w = *state;
    enum { SEED = 20260714, ROUNDS = 1500 };
    test_random random = { SEED };
    for (int round = 0; round < ROUNDS; round++) {
        restore(w);
        sl_bvh *tree = w->tree;
        const uint32_t words = (uint32_t)(tree->line_count * SLI_LINE / 4);
        const uint32_t changes = 1 + test_random_below(&random, round % 10 == 0 ? words : 4);
        for (uint32_t i = 0; i < changes; i++) {
            const uint32_t value = likely_word(&random, tree);
            if (test_random_below(&random, 8) == 0) {
                tree->slots[test_random_below(&random, COUNT)] = value;
            } else {
                const size_t at = 4 * (size_t)test_random_below(&random, words);
                memcpy(tree->lines + at, &value, 4);
            }
        }
        sl_error error = { .message = "" };
        /* A mask may be anything; whatever else was changed is found, if it did change. */
        if (!sl_bvh_check(tree, w->mesh, &error)) {
            assert_true(strlen(error.message) > 0);
        }
    }
}
