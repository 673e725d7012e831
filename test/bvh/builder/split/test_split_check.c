/* The checker finds what can be wrong with split triangles. */
#include "bvh/tree/tree.h"
#include "test/support/input/shred.h"
#include "test/support/input/slender.h"
#include "test/support/input/terrible.h"
#include "test/support/test.h"

enum { SEED = 20260821, TRIANGLES = 300 };

typedef struct world {
    sl_mesh *mesh;
    sl_bvh *bvh;
    sl_bvh saved; /* with copies of lines and places */
} world;

static void make_world(world *w, sl_mesh *mesh, uint64_t seed)
{
    w->mesh = mesh;
    w->bvh = shred_build(mesh, NULL, seed);
    w->saved = *w->bvh;
    w->saved.lines = malloc(w->bvh->line_count * SLI_LINE);
    w->saved.slots = malloc(TRIANGLES * sizeof(uint32_t));
    memcpy(w->saved.lines, w->bvh->lines, w->bvh->line_count * SLI_LINE);
    memcpy(w->saved.slots, w->bvh->slots, TRIANGLES * sizeof(uint32_t));
}

static void restore(world *w)
{
    memcpy(w->bvh->lines, w->saved.lines, w->bvh->line_count * SLI_LINE);
    memcpy(w->bvh->slots, w->saved.slots, TRIANGLES * sizeof(uint32_t));
    w->bvh->triangle_count = w->saved.triangle_count;
    w->bvh->info = w->saved.info;
}

static void free_world(world *w)
{
    free(w->saved.lines);
    free(w->saved.slots);
    unmake_bvh(w->bvh, w->mesh);
}

static sli_tri_pack *pack_of(const sl_bvh *bvh, uint32_t slot)
{
    return (sli_tri_pack *)(void *)(bvh->lines + (size_t)(slot / SLI_PACK) * SLI_LINE);
}

static uint32_t *link_of(const sl_bvh *bvh, uint32_t slot)
{
    return &pack_of(bvh, slot)->before[slot % SLI_PACK];
}

/* A triangle with at least `parts` places; the variant-th of them. */
static uint32_t split_prim(const sl_bvh *bvh, int parts, int variant)
{
    for (uint32_t prim = 0; prim < TRIANGLES; prim++) {
        int count = 1;
        uint32_t slot = bvh->slots[prim];
        for (; *link_of(bvh, slot) > SLI_SLOT_FIRST; slot = *link_of(bvh, slot)) {
            count++;
        }
        if (count >= parts && variant-- == 0) {
            return prim;
        }
    }
    fail_msg("no triangle has %d parts", parts);
    return SL_NONE;
}

/* The node and child that lead to a place. */
static sli_node_wide *parent_of(const sl_bvh *bvh, uint32_t slot, int *child)
{
    uint32_t ref = bvh->root;
    for (;;) {
        sli_node_wide *node = (sli_node_wide *)(void *)(bvh->lines + (size_t)ref * SLI_LINE);
        *child = sli_tree_towards(node, slot / SLI_PACK);
        ref = node->child[*child];
        if ((ref & SLI_REF_LEAF) != 0) {
            return node;
        }
    }
}

/* Each plants one fault. */

static void unlink_last(sl_bvh *bvh, int variant)
{
    const uint32_t prim = split_prim(bvh, 2, variant / 2);
    *link_of(bvh, bvh->slots[prim]) = (uint32_t)variant % 2; /* whole, or the first of several */
}

static void unlink_first(sl_bvh *bvh, int variant)
{
    const uint32_t prim = split_prim(bvh, 2, variant);
    bvh->slots[prim] = *link_of(bvh, bvh->slots[prim]);
}

static void link_in_a_circle(sl_bvh *bvh, int variant)
{
    const uint32_t last = bvh->slots[split_prim(bvh, 3, variant)];
    *link_of(bvh, *link_of(bvh, last)) = last;
}

static void link_to_another(sl_bvh *bvh, int variant)
{
    const uint32_t last = bvh->slots[split_prim(bvh, 2, variant)];
    const uint32_t before = *link_of(bvh, last);
    *link_of(bvh, last) = before % SLI_PACK > 0 ? before - 1 : before + 1;
}

static void link_out_of_the_leaves(sl_bvh *bvh, int variant)
{
    const uint32_t last = bvh->slots[split_prim(bvh, 2, variant / 4)];
    const uint32_t slots[4] = { 2, SLI_HEADER_LINES * SLI_PACK, *link_of(bvh, last) + SLI_PACK,
                                UINT32_MAX };
    *link_of(bvh, last) = slots[variant % 4];
}

static void move_one_copy(sl_bvh *bvh, int variant)
{
    const uint32_t last = bvh->slots[split_prim(bvh, 2, variant)];
    const uint32_t before = *link_of(bvh, last);
    float *x = &pack_of(bvh, before)->axis[variant % 3].vertex[0][before % SLI_PACK];
    *x = nextafterf(*x, 0);
}

static void mask_one_copy(sl_bvh *bvh, int variant)
{
    const uint32_t before = *link_of(bvh, bvh->slots[split_prim(bvh, 2, variant)]);
    pack_of(bvh, before)->mask[before % SLI_PACK] ^= 1;
}

/* A block with room gets a second copy of a triangle, linked as a place of its own. */
static void stand_twice(sl_bvh *bvh, int variant)
{
    for (uint32_t prim = 0; prim < TRIANGLES; prim++) {
        const uint32_t slot = bvh->slots[prim], from = slot % SLI_PACK;
        sli_tri_pack *pack = pack_of(bvh, slot);
        if (pack->prim[SLI_PACK - 1] != SL_NONE || *link_of(bvh, slot) != 0) {
            continue;
        }
        uint32_t to = from + 1;
        while (pack->prim[to] != SL_NONE) {
            to++;
        }
        for (int axis = 0; axis < 3; axis++) {
            for (int corner = 0; corner < 3; corner++) {
                pack->axis[axis].vertex[corner][to] = pack->axis[axis].vertex[corner][from];
            }
            pack->axis[axis].meta[to] = pack->axis[axis].meta[from];
        }
        if (variant == 0) {
            *link_of(bvh, slot) = SLI_SLOT_FIRST;
            pack->before[to] = slot;
            bvh->slots[prim] = slot - from + to;
        }
        return;
    }
    fail_msg("no block has room");
}

/* The box around one part becomes a half of itself, or a point that the triangle is in. */
static void shrink_part(sl_bvh *bvh, int variant)
{
    int child;
    const uint32_t prim = split_prim(bvh, 2, variant / 4);
    const uint32_t last = bvh->slots[prim];
    sli_node_wide *node = parent_of(bvh, last, &child);
    for (int axis = 0; axis < 3; axis++) {
        float *low = &node->bounds[axis][0][child], *high = &node->bounds[axis][1][child];
        if (variant % 4 == 3) {
            *low = *high = pack_of(bvh, last)->axis[axis].vertex[0][last % SLI_PACK];
        } else if (variant % 4 == axis) {
            *high = *low;
        }
    }
}

static void count_wrongly(sl_bvh *bvh, int variant)
{
    bvh->triangle_count += variant == 0 ? 1 : (uint32_t)-1;
    sli_tree_measure(bvh);
}

static const struct {
    const char *name;
    void (*plant)(sl_bvh *bvh, int variant);
    int variants;
    const char *words; /* that the error has; NULL: any */
} faults[] = {
    { "the last place leads nowhere", unlink_last, 20, NULL },
    { "the last place is forgotten", unlink_first, 10, NULL },
    { "slots are linked in a circle", link_in_a_circle, 10, "not linked" },
    { "a place is another triangle's", link_to_another, 10, NULL },
    { "a place is no place", link_out_of_the_leaves, 40, NULL },
    { "one copy is moved", move_one_copy, 10, "not the same at all" },
    { "one copy has another mask", mask_one_copy, 10, "not the same at all" },
    { "a triangle stands in a block twice", stand_twice, 1, "stands twice" },
    { "so it does, and nobody knows", stand_twice, 2, NULL },
    { "a box around a part is smaller", shrink_part, 40, NULL },
    { "triangles are miscounted", count_wrongly, 2, "counts" },
};

TEST(every_fault_with_split_triangles_is_found)
{
    UNDONE(free_world) world w;
    make_world(&w, slender_make(0, TRIANGLES), SEED);
    assert_true(sl_bvh_check(w.bvh, w.mesh, NULL));
    for (size_t f = 0; f < sizeof faults / sizeof faults[0]; f++) {
        for (int variant = 0; variant < faults[f].variants; variant++) {
            restore(&w);
            faults[f].plant(w.bvh, variant);
            sl_error error = { .message = "" };
            if (sl_bvh_check(w.bvh, NULL, &error)) {
                fail_msg("not found: %s (%d)", faults[f].name, variant);
            }
            assert_int_equal(error.code, SL_BAD_DATA);
            if (faults[f].words != NULL && strstr(error.message, faults[f].words) == NULL) {
                fail_msg("%s (%d): found as '%s'", faults[f].name, variant, error.message);
            }
        }
    }
    restore(&w);
    assert_true(sl_bvh_check(w.bvh, w.mesh, NULL));
}

/* Gaps of every size: a part's box loses a slice, all boxes around it stay. */
TEST(a_gap_between_parts_is_found)
{
    UNDONE(free_world) world w;
    make_world(&w, slender_make(0, TRIANGLES), SEED);
    size_t gaps = 0, found = 0, uncovered = 0;
    for (uint32_t prim = 0; prim < TRIANGLES; prim++) {
        for (uint32_t slot = w.bvh->slots[prim]; slot > SLI_SLOT_FIRST;
             slot = *link_of(w.bvh, slot)) {
            restore(&w);
            int child;
            sli_node_wide *node = parent_of(w.bvh, slot, &child);
            const int axis = (int)(slot % 3);
            float *high = &node->bounds[axis][1][child];
            const float low = node->bounds[axis][0][child];
            *high -= (*high - low) / 64;
            sl_error error = { .message = "" };
            gaps++;
            found += !sl_bvh_check(w.bvh, NULL, &error);
            uncovered += strstr(error.message, "is not covered") != NULL;
        }
    }
    print_message("%zu boxes lost a slice, %zu noticed, %zu by the cover\n", gaps, found,
                  uncovered);
    assert_true(found > gaps * 9 / 10); /* others had it beyond the triangle, or twice */
    assert_true(uncovered > gaps / 4);
}

TEST(whatever_is_cut_is_covered)
{
    for (uint64_t seed = 0; seed < 3; seed++) {
        for (int i = 0; i < slender_count() + terrible_count(); i++) {
            const bool slender = i < slender_count();
            const int which = slender ? i : i - slender_count();
            OWN(sl_mesh) mesh = slender ? slender_make(which, 1000) : terrible_make(which, 1000);
            OWN(sl_bvh) bvh = shred_build(mesh, NULL, seed);
            sl_error error;
            if (!sl_bvh_check(bvh, mesh, &error)) {
                fail_msg("%s: %s", slender ? slender_name(which) : terrible_name(which),
                         error.message);
            }
        }
    }
}

/* Random bytes in a split tree: anything may be found, nothing may happen. */
TEST(garbage_among_split_triangles_does_no_harm)
{
    UNDONE(free_world) world w;
    test_random random = { SEED };
    make_world(&w, slender_make(0, TRIANGLES), SEED);
    for (int round = 0; round < 3000; round++) {
        restore(&w);
        for (uint32_t i = 0; i < 1 + test_random_below(&random, 3); i++) {
            const uint32_t prim = test_random_below(&random, TRIANGLES);
            uint32_t *link = link_of(w.bvh, w.saved.slots[prim]);
            const uint32_t value =
                test_random_below(&random, 2) == 0
                    ? (uint32_t)test_random_u64(&random)
                    : test_random_below(&random, 4 * (uint32_t)w.bvh->line_count);
            if (test_random_below(&random, 2) == 0) {
                *link = value;
            } else {
                w.bvh->slots[prim] = value;
            }
        }
        (void)sl_bvh_check(w.bvh, w.mesh, NULL);
    }
}
