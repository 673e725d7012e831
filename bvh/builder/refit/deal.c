/* Deals triangles to the blocks of a subtree, for rebuild.c: nodes in the order of their lines, so
 * that each finds its triangles side by side. */
#include "bvh/builder/refit/deal.h"

#include "lib/base/search.h"
#include "lib/base/sort.h"

#include <math.h>

/* Up to FEW triangles are sorted along each axis, more are counted in bins. */
enum { FEW = 64, BINS = 64, SUBSETS = 1 << SLI_WIDTH };

/* ---- Gathering */

static sli_ref ref_of(const sli_tri_pack *pack, uint32_t lane, uint32_t slot)
{
    sli_ref ref = { .prim = pack->prim[lane], .spare = slot };
    for (int axis = 0; axis < 3; axis++) {
        const float a = pack->axis[axis].vertex[0][lane], b = pack->axis[axis].vertex[1][lane],
                    c = pack->axis[axis].vertex[2][lane];
        const float low = a < b ? a : b, high = a < b ? b : a;
        ref.min[axis] = (c < low ? c : low) + 0.0f;
        ref.max[axis] = (c > high ? c : high) + 0.0f;
    }
    return ref;
}

/* False where a triangle was cut. */
static bool deal_gather(const sl_bvh *tree, const sli_refit_piece *piece, sli_deal_scratch *scratch)
{
    bool whole = true;
    uint32_t count = 0;
    scratch->node_count = 0;
    for (size_t line = piece->begin; line < piece->end;) {
        const sli_node_wide *node = sli_tree_node(tree, (uint32_t)line);
        const uint32_t before = count;
        const size_t at = scratch->node_count++;
        scratch->nodes[at] = (uint32_t)line;
        line += SLI_NODE_LINES;
        for (int child = 0; child < SLI_WIDTH; child++) {
            if (!sli_ref_is_block(node->child[child])) {
                continue;
            }
            const sli_tri_pack *pack = sli_tree_at(tree, line);
            const uint32_t slot = (uint32_t)(line - piece->begin) * SLI_PACK;
            for (uint32_t lane = 0; lane < sli_lane_count(pack->prim); lane++) {
                whole = whole && !sli_pack_is_split(pack, (int)lane);
                scratch->refs[count++] = ref_of(pack, lane, slot + lane);
            }
            line += SLI_PACK_LINES;
        }
        scratch->counts[at] = count - before;
    }
    return whole;
}

static size_t number_of(const sli_deal_scratch *scratch, uint32_t line)
{
    return SLI_FIRST(i, 1, scratch->node_count, scratch->nodes[i] > line) - 1;
}

/* Of each node, all triangles below it. */
static void add_below(const sl_bvh *tree, sli_deal_scratch *scratch)
{
    for (size_t i = scratch->node_count; i-- > 0;) {
        const sli_node_wide *node = sli_tree_node(tree, scratch->nodes[i]);
        for (int child = 0; child < SLI_WIDTH; child++) {
            if ((node->child[child] & SLI_REF_LEAF) == 0) {
                scratch->counts[i] += scratch->counts[number_of(scratch, node->child[child])];
            }
        }
    }
}

/* ---- Dividing */

/* Children of a node, and the triangles that go to them. */
typedef struct group {
    uint32_t begin, count;
    int child_count;
    uint32_t children[SLI_WIDTH]; /* of the node */
} group;

/* The best division so far: the bits of children in the lower group. */
typedef struct division {
    double cost;
    int axis;
    uint32_t subset, count;
} division;

/* Sizes that the lower group may have: of those between size and size + 1 64ths of all (between
 * size and size + 1, of up to 64) one. */
typedef struct choices {
    uint64_t possible; /* bits of those there are */
    uint32_t count[FEW];
    uint8_t subset[FEW];
} choices;

static void list_choices(const group *all, const uint32_t sizes[SLI_WIDTH], choices *out)
{
    uint32_t sums[SUBSETS] = { 0 };
    const uint32_t whole = all->count <= FEW ? FEW : all->count;
    out->possible = 0;
    for (uint32_t subset = 1; subset < (1u << all->child_count) - 1; subset++) {
        const uint32_t size = sums[subset] =
            sums[subset & (subset - 1)] + sizes[all->children[__builtin_ctz(subset)]];
        const uint32_t slot = (uint32_t)((uint64_t)size * FEW / whole);
        if ((out->possible >> slot & 1) == 0) {
            out->possible |= UINT64_C(1) << slot;
            out->count[slot] = size;
            out->subset[slot] = (uint8_t)subset;
        }
    }
}

/* Half the centre of the box: finite. */
static float centre_of(const sli_ref *ref, int axis)
{
    return ref->min[axis] * 0.5f + ref->max[axis] * 0.5f;
}

/* Orders as the floats do. */
static uint32_t key_of(float centre)
{
    uint32_t bits;
    memcpy(&bits, &centre, sizeof bits);
    return (bits >> 31) != 0 ? ~bits : bits | 0x80000000u;
}

static void deal_consider(division *best, double cost, int axis, const choices *list, int slot)
{
    if (cost < best->cost) {
        *best = (division){ cost, axis, list->subset[slot], list->count[slot] };
    }
}

/* Where no cost is a number below infinity. */
static division any_division(const choices *list)
{
    const int slot = __builtin_ctzll(list->possible);
    return (division){ INFINITY, 0, list->subset[slot], list->count[slot] };
}

typedef struct few {
    uint64_t key[FEW]; /* of the centre, then of the triangle */
    uint8_t ref[FEW];
} few;

static void sort_few(const sli_ref *refs, uint32_t count, int axis, few *out)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t key =
            (uint64_t)key_of(centre_of(&refs[i], axis) + 0.0f) << 32 | refs[i].prim;
        uint32_t at = i;
        for (; at > 0 && out->key[at - 1] > key; at--) {
            out->key[at] = out->key[at - 1];
            out->ref[at] = out->ref[at - 1];
        }
        out->key[at] = key;
        out->ref[at] = (uint8_t)i;
    }
}

/* The area of the box of the first i triangles, and of those from i on. */
static void areas_of(const sli_ref *refs, uint32_t count, const few *order, double first[FEW + 1],
                     double rest[FEW + 1])
{
    sli_box low = sli_box_empty(), high = low;
    for (uint32_t i = 0; i < count; i++) {
        const sli_box one = sli_ref_box(&refs[order->ref[i]]);
        const sli_box other = sli_ref_box(&refs[order->ref[count - 1 - i]]);
        sli_box_join(&low, &one);
        sli_box_join(&high, &other);
        first[i + 1] = sli_box_area(&low);
        rest[count - 1 - i] = sli_box_area(&high);
    }
}

/* Every size that is possible, on every axis; the triangles are then sorted along the best. */
static division divide_few(const group *all, const choices *list, sli_ref *refs)
{
    division best = any_division(list);
    few order[3];
    sli_ref sorted[FEW];
    for (int axis = 0; axis < 3; axis++) {
        double first[FEW + 1], rest[FEW + 1];
        sort_few(refs, all->count, axis, &order[axis]);
        areas_of(refs, all->count, &order[axis], first, rest);
        for (uint64_t left = list->possible; left != 0; left &= left - 1) {
            const int slot = __builtin_ctzll(left);
            const uint32_t size = list->count[slot];
            deal_consider(&best, first[size] * size + rest[size] * (all->count - size), axis, list,
                          slot);
        }
    }
    for (uint32_t i = 0; i < all->count; i++) {
        sorted[i] = refs[order[best.axis].ref[i]];
    }
    memcpy(refs, sorted, all->count * sizeof *refs);
    return best;
}

typedef struct bins {
    float low[3], scale[3];
    uint32_t below[3][BINS + 1];                 /* triangles in the bins before */
    double area_to[3][BINS], area_from[3][BINS]; /* of the bins up to it, and from it on */
} bins;

static uint32_t bin_of(const bins *all, const sli_ref *ref, int axis)
{
    const float at = (centre_of(ref, axis) - all->low[axis]) * all->scale[axis];
    return at < (float)(BINS - 1) ? (uint32_t)at : BINS - 1;
}

static void frame_bins(const sli_ref *refs, uint32_t count, bins *all)
{
    for (int axis = 0; axis < 3; axis++) {
        float low = FLT_MAX, high = -FLT_MAX;
        for (uint32_t i = 0; i < count; i++) {
            const float at = centre_of(&refs[i], axis);
            low = at < low ? at : low;
            high = at > high ? at : high;
        }
        const float extent = high - low;
        /* Otherwise all are in the first bin. */
        const bool usable = extent > 0x1p-100f && extent < 0x1p126f;
        all->low[axis] = usable ? low : 0;
        all->scale[axis] = usable ? (float)BINS * (1 - 0x1p-20f) / extent : 0;
    }
}

static void fill_bins(const sli_ref *refs, uint32_t count, bins *all)
{
    sli_box boxes[3][BINS];
    frame_bins(refs, count, all);
    memset(all->below, 0, sizeof all->below);
    for (int i = 0; i < 3 * BINS; i++) {
        boxes[i / BINS][i % BINS] = sli_box_empty();
    }
    for (uint32_t i = 0; i < count; i++) {
        const sli_box one = sli_ref_box(&refs[i]);
        for (int axis = 0; axis < 3; axis++) {
            const uint32_t bin = bin_of(all, &refs[i], axis);
            sli_box_join(&boxes[axis][bin], &one);
            all->below[axis][bin + 1]++;
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        sli_box box = sli_box_empty();
        for (int bin = 0; bin < BINS; bin++) {
            all->below[axis][bin + 1] += all->below[axis][bin];
            sli_box_join(&box, &boxes[axis][bin]);
            all->area_to[axis][bin] = sli_box_area(&box);
        }
        box = sli_box_empty();
        for (int bin = BINS; bin-- > 0;) {
            sli_box_join(&box, &boxes[axis][bin]);
            all->area_from[axis][bin] = sli_box_area(&box);
        }
    }
}

/* The lower group first: of the bin where it ends, by centre and number. */
static void deal_part(const bins *all, const division *by, sli_ref *refs, uint32_t count,
                      sli_deal_scratch *scratch)
{
    uint32_t last = 0, low = 0, middle = 0;
    while (all->below[by->axis][last + 1] < by->count) {
        last++;
    }
    uint32_t high = all->below[by->axis][last + 1];
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t bin = bin_of(all, &refs[i], by->axis);
        if (bin < last) {
            scratch->moved[low++] = refs[i];
        } else if (bin > last) {
            scratch->moved[high++] = refs[i];
        } else {
            scratch->keys[2 * middle] = key_of(centre_of(&refs[i], by->axis) + 0.0f);
            scratch->keys[2 * middle + 1] = refs[i].prim;
            scratch->order[middle] = middle;
            refs[middle++] = refs[i];
        }
    }
    sli_sort_words(scratch->keys, 2, scratch->order, scratch->scratch, middle, NULL);
    for (uint32_t i = 0; i < middle; i++) {
        scratch->moved[low++] = refs[scratch->order[i]];
    }
    memcpy(refs, scratch->moved, count * sizeof *refs);
}

static division divide_many(const group *all, const choices *list, sli_ref *refs,
                            sli_deal_scratch *scratch)
{
    division best = any_division(list);
    bins counted;
    fill_bins(refs, all->count, &counted);
    for (int axis = 0; axis < 3; axis++) {
        uint32_t last = 0;
        for (uint64_t left = list->possible; left != 0; left &= left - 1) {
            const int slot = __builtin_ctzll(left);
            const uint32_t size = list->count[slot];
            while (counted.below[axis][last + 1] < size) {
                last++;
            }
            const uint32_t next = last + (counted.below[axis][last + 1] == size);
            const double low = counted.area_to[axis][last], high = counted.area_from[axis][next];
            deal_consider(&best, low * size + high * (all->count - size), axis, list, slot);
        }
    }
    deal_part(&counted, &best, refs, all->count, scratch);
    return best;
}

/* ---- Dealing */

static void write_block(const sl_bvh *tree, size_t line, const sli_ref *refs, uint32_t count,
                        const sli_deal_scratch *scratch)
{
    sli_tri_pack *to = sli_tree_at(tree, line);
    for (uint32_t lane = 0; lane < count; lane++) {
        const uint32_t slot = refs[lane].spare, old = slot % SLI_PACK;
        const void *block = scratch->lines + (size_t)(slot / SLI_PACK) * SLI_LINE;
        const sli_tri_pack *from = block;
        for (int axis = 0; axis < 3; axis++) {
            to->axis[axis].meta[lane] = from->axis[axis].meta[old];
            for (int corner = 0; corner < 3; corner++) {
                to->axis[axis].vertex[corner][lane] = from->axis[axis].vertex[corner][old];
            }
        }
        tree->slots[refs[lane].prim] = (uint32_t)line * SLI_PACK + lane;
    }
}

static void deal_give(const sl_bvh *tree, uint32_t child, uint32_t begin, uint32_t count,
                      sli_deal_scratch *scratch)
{
    if ((child & SLI_REF_LEAF) != 0) {
        write_block(tree, child & SLI_REF_LINE, scratch->refs + begin, count, scratch);
    } else {
        scratch->begins[number_of(scratch, child)] = begin;
    }
}

static void split_group(const group *all, const division *by, group halves[2])
{
    halves[0] = (group){ .begin = all->begin, .count = by->count };
    halves[1] = (group){ .begin = all->begin + by->count, .count = all->count - by->count };
    for (int i = 0; i < all->child_count; i++) {
        group *half = &halves[(by->subset >> i & 1) == 0];
        half->children[half->child_count++] = all->children[i];
    }
}

static void deal_node(const sl_bvh *tree, size_t i, sli_deal_scratch *scratch)
{
    const sli_node_wide *node = sli_tree_node(tree, scratch->nodes[i]);
    uint32_t sizes[SLI_WIDTH] = { 0 };
    group stack[SLI_WIDTH + 1] = { { .begin = scratch->begins[i], .count = scratch->counts[i] } };
    for (uint32_t child = 0; child < SLI_WIDTH; child++) {
        const uint32_t ref = node->child[child];
        if (ref != SLI_REF_EMPTY) {
            sizes[child] = sli_ref_is_block(ref) ? sli_lane_count(sli_tree_ids(tree, ref))
                                                 : scratch->counts[number_of(scratch, ref)];
            stack[0].children[stack[0].child_count++] = child;
        }
    }
    for (int top = 1; top > 0;) {
        const group at = stack[--top];
        if (at.child_count == 1) {
            deal_give(tree, node->child[at.children[0]], at.begin, at.count, scratch);
            continue;
        }
        sli_ref *refs = scratch->refs + at.begin;
        choices list;
        list_choices(&at, sizes, &list);
        const division by =
            at.count <= FEW ? divide_few(&at, &list, refs) : divide_many(&at, &list, refs, scratch);
        split_group(&at, &by, &stack[top]);
        top += 2;
    }
}

bool sli_deal(const sl_bvh *tree, const sli_refit_piece *piece, sli_deal_scratch *scratch)
{
    const size_t size = (size_t)(piece->end - piece->begin) * SLI_LINE;
    if (!deal_gather(tree, piece, scratch)) {
        return false;
    }
    memcpy(scratch->lines, tree->lines + (size_t)piece->begin * SLI_LINE, size);
    add_below(tree, scratch);
    scratch->begins[0] = 0;
    for (size_t i = 0; i < scratch->node_count; i++) {
        deal_node(tree, i, scratch);
    }
    return true;
}

void sli_deal_undo(const sl_bvh *tree, const sli_refit_piece *piece,
                   const sli_deal_scratch *scratch)
{
    const size_t size = (size_t)(piece->end - piece->begin) * SLI_LINE;
    memcpy(tree->lines + (size_t)piece->begin * SLI_LINE, scratch->lines, size);
    for (size_t i = 0; i < scratch->node_count; i++) {
        const sli_node_wide *node = sli_tree_node(tree, scratch->nodes[i]);
        for (int child = 0; child < SLI_WIDTH; child++) {
            if (!sli_ref_is_block(node->child[child])) {
                continue;
            }
            const uint32_t line = node->child[child] & SLI_REF_LINE;
            const sli_tri_pack *pack = sli_tree_at(tree, line);
            for (uint32_t lane = 0; lane < sli_lane_count(pack->prim); lane++) {
                tree->slots[pack->prim[lane]] = line * SLI_PACK + lane;
            }
        }
    }
}
