/* Proves a tree file in one pass, for load.c.  Nodes and blocks follow one another as tree.h says:
 * a node, its leaf blocks, then the subtrees below.  So a pass from the front knows what each line
 * has to be, every line is reached once, and no reference can lead back.  Vertices of a compact
 * tree are in the order in which the blocks come to them, so that the pass knows whether each
 * vertex number is possible. */
#include "bvh/store/prove.h"

#include "lib/base/error.h"
#include "lib/base/fpenv.h"
#include "lib/base/memory.h"

#include <math.h>
#include <string.h>

typedef struct subtree {
    uint32_t line, depth;
    sl_aabb box; /* of it, in the node above */
} subtree;

typedef struct prover {
    const sl_bvh *tree;
    const char *file;
    uint64_t base;
    sl_error *error;
    size_t cursor; /* the next line that is not claimed */
    subtree stack[SLI_STACK];
    int top;
    size_t in_slots; /* triangles whose last slot was met */
    /* For each split triangle the last slot so far, or 0; NULL where none is split. */
    uint32_t *met;
    size_t vertex_count, vertices_met; /* of a compact tree, vertex 0 included */
    uint32_t mask;                     /* the bits that all triangles so far have */
    sl_bvh_info found;
    float lowest[3][SLI_PACK], highest[3][SLI_PACK]; /* of the coordinates so far, by lane */
} prover;

#define FAULT(p, line, ...)                                                                        \
    (sli_fail((p)->error, SL_BAD_DATA, (p)->file, SLI_NO_LINE,                                     \
              (int64_t)((p)->base + (uint64_t)(line) * SLI_LINE), __VA_ARGS__),                    \
     false)

/* Bit k: child k is in use. */
static uint32_t used_children(const sli_node_wide *node)
{
    uint32_t used = 0;
    for (uint32_t k = 0; k < SLI_WIDTH; k++) {
        used |= (uint32_t)(node->child[k] != SLI_REF_EMPTY) << k;
    }
    return used;
}

/* Whether boxes of children in use lie in box, and the others are the inverted one.  A box with a
 * NaN is neither. */
static bool are_boxes(const sli_node_wide *node, const sl_aabb *box)
{
    uint32_t inside[SLI_WIDTH], inverted[SLI_WIDTH];
    for (int k = 0; k < SLI_WIDTH; k++) {
        inside[k] = node->child[k] != SLI_REF_EMPTY;
        inverted[k] = node->child[k] == SLI_REF_EMPTY;
    }
    for (int axis = 0; axis < 3; axis++) {
        const float *min = node->bounds[axis][0], *max = node->bounds[axis][1];
        const float low = box->min[axis], high = box->max[axis];
        for (int k = 0; k < SLI_WIDTH; k++) {
            inside[k] &= (low <= min[k]) & (min[k] <= max[k]) & (max[k] <= high);
            inverted[k] &= (min[k] == SLI_EMPTY_MIN) & (max[k] == SLI_EMPTY_MAX);
        }
    }
    uint32_t all = 1;
    for (int k = 0; k < SLI_WIDTH; k++) {
        all &= inside[k] | inverted[k];
    }
    return all != 0;
}

/* Whether each octant's order, and that for any-hit queries, names every child once. */
static bool are_orders(const sli_node_wide *node)
{
    uint32_t seen[9] = { 0 }, rest = 0;
    for (int rank = 0; rank < SLI_WIDTH; rank++) {
        const uint32_t word = node->order[rank];
        for (int order = 0; order < 9; order++) {
            seen[order] |= 1u << (word >> (3 * order) & 7);
        }
        rest |= word >> 27;
    }
    uint32_t all = 0xFF;
    for (int order = 0; order < 9; order++) {
        all &= seen[order];
    }
    return all == 0xFF && rest == 0;
}

/* The number of lanes in use, which come first; -1: they do not, or none is in use. */
static int lanes_in_use(const sli_tri_pack *pack)
{
    const int lanes = (int)sli_lane_count(pack->prim);
    for (int lane = lanes; lane < SLI_PACK; lane++) {
        if (pack->prim[lane] != SL_NONE) {
            return -1;
        }
    }
    return lanes > 0 ? lanes : -1;
}

/* Bit i: the vertices of lane i are finite and, unless the triangle is split, in the box; lanes
 * that are not in use are not looked at.  The bounds of all that is met grow by them. */
static uint32_t sound_lanes(prover *p, const sli_tri_pack *pack, const sl_aabb *box)
{
    uint32_t sound[SLI_PACK], used[SLI_PACK], whole[SLI_PACK];
    for (int lane = 0; lane < SLI_PACK; lane++) {
        used[lane] = pack->prim[lane] != SL_NONE;
        whole[lane] = pack->before[lane] == 0;
        sound[lane] = 1;
    }
    for (int axis = 0; axis < 3; axis++) {
        const float *a = pack->axis[axis].vertex[0], *b = pack->axis[axis].vertex[1],
                    *c = pack->axis[axis].vertex[2];
        const float low = box->min[axis], high = box->max[axis];
        float *lowest = p->lowest[axis], *highest = p->highest[axis];
        for (int lane = 0; lane < SLI_PACK; lane++) {
            const float ab_min = a[lane] < b[lane] ? a[lane] : b[lane];
            const float ab_max = a[lane] < b[lane] ? b[lane] : a[lane];
            const float min = ab_min < c[lane] ? ab_min : c[lane];
            const float max = ab_max < c[lane] ? c[lane] : ab_max;
            const float zero =
                a[lane] * 0 + b[lane] * 0 + c[lane] * 0; /* NaN where any is not finite */
            sound[lane] &= (uint32_t)(zero == 0) &
                           ((uint32_t)((low <= min) & (max <= high)) | (whole[lane] ^ 1u));
            lowest[lane] = used[lane] != 0 && min < lowest[lane] ? min : lowest[lane];
            highest[lane] = used[lane] != 0 && max > highest[lane] ? max : highest[lane];
        }
    }
    uint32_t bits = 0;
    for (uint32_t lane = 0; lane < SLI_PACK; lane++) {
        bits |= sound[lane] << lane;
    }
    return bits;
}

/* One link of the slots of a split triangle: to the one that was met before this, so that they are
 * a chain through all of them. */
static bool is_link(prover *p, uint32_t prim, uint32_t slot, uint32_t before)
{
    if (p->met == NULL) {
        return false;
    }
    const uint32_t met = p->met[prim];
    p->met[prim] = slot;
    return met == 0 ? before == SLI_SLOT_FIRST && p->tree->slots[prim] != slot : before == met;
}

/* Whether the triangle of a lane is one of the mesh, with the lane among its slots. */
static bool is_in_slot(prover *p, const sli_tri_pack *pack, int lane, uint32_t line)
{
    const sl_bvh *tree = p->tree;
    const uint32_t prim = pack->prim[lane], before = pack->before[lane];
    const uint32_t slot = line * SLI_PACK + (uint32_t)lane;
    if (prim >= tree->prim_count) {
        return false;
    }
    const uint32_t last = tree->slots[prim];
    p->in_slots += last == slot;
    return before == 0 ? last == slot && (p->met == NULL || p->met[prim] == 0)
                       : last >= slot && last != SL_NONE && is_link(p, prim, slot, before);
}

/* Whether lanes in use name vertices that were met before, or the next one, and others vertex 0. */
static bool are_vertices(prover *p, const sli_tri_index *block)
{
    for (int lane = 0; lane < SLI_PACK; lane++) {
        for (int corner = 0; corner < 3; corner++) {
            const uint32_t number = block->vertex[corner][lane];
            if (block->id[lane] == SL_NONE
                    ? number != 0
                    : number == 0 || number > p->vertices_met || number >= p->vertex_count) {
                return false;
            }
            p->vertices_met += number == p->vertices_met;
        }
    }
    return true;
}

/* Whether a block may be unpacked: its vertices and masks are there. */
static bool prove_block(prover *p, size_t line)
{
    if (sli_tree_layout(p->tree) != SL_BVH_LAYOUT_COMPACT) {
        return true;
    }
    const sli_tri_index *block = sli_tree_block(p->tree, (uint32_t)line);
    for (int lane = 0; lane < SLI_PACK; lane++) {
        if (block->id[lane] != SL_NONE && block->id[lane] >= p->tree->prim_count) {
            return FAULT(p, line, "a leaf that names triangle %lu of %lu",
                         (unsigned long)block->id[lane], (unsigned long)p->tree->prim_count);
        }
    }
    return are_vertices(p, block) ||
           FAULT(p, line, "a leaf that names vertices which do not follow");
}

static bool prove_leaf(prover *p, size_t line, const sl_aabb *box)
{
    if (!prove_block(p, line)) {
        return false;
    }
    sli_tri_pack buffer;
    const sli_tri_pack *pack = sli_tree_pack(p->tree, (uint32_t)line, &buffer);
    const int lanes = lanes_in_use(pack);
    const uint32_t sound = sound_lanes(p, pack, box);
    if (lanes < 0) {
        return FAULT(p, line, "a leaf whose triangles are not in its first lanes");
    }
    for (int lane = 0; lane < lanes; lane++) {
        const unsigned long prim = pack->prim[lane];
        p->mask &= pack->mask[lane];
        if ((sound >> lane & 1) == 0) {
            return FAULT(p, line, "triangle %lu is not finite, or not in the box of its leaf",
                         prim);
        }
        if (pack->mask[lane] == 0) {
            return FAULT(p, line,
                         "triangle %lu with a mask of 0, where all bits are meant to be set", prim);
        }
        if (!is_in_slot(p, pack, lane, (uint32_t)line)) {
            return FAULT(p, line, "triangle %lu of %lu is not where the list of slots says", prim,
                         (unsigned long)p->tree->prim_count);
        }
    }
    p->found.leaf_count++;
    p->found.leaf_histogram[lanes]++;
    p->found.reference_count += (size_t)lanes;
    return true;
}

static bool has_room(const prover *p, size_t lines)
{
    return lines <= p->tree->line_count - p->cursor;
}

/* Pushes the subtrees of a node, so that the one at the lowest line is popped first. */
static void push_subtree(prover *p, int bottom, const subtree *below)
{
    int i = p->top++;
    for (; i > bottom && p->stack[i - 1].line < below->line; i--) {
        p->stack[i] = p->stack[i - 1];
    }
    p->stack[i] = *below;
}

static bool prove_child(prover *p, const sli_node_wide *node, int k, const subtree *at, int bottom)
{
    const uint32_t ref = node->child[k], line = ref & SLI_REF_LINE;
    const sl_aabb box = sli_child_box(node, (uint32_t)k);
    if ((ref & SLI_REF_KIND) != 0) {
        return FAULT(p, at->line, "child %d is of no known kind", k);
    }
    if ((ref & SLI_REF_LEAF) == 0) {
        if (at->depth == SLI_MAX_DEPTH) {
            return FAULT(p, at->line, "a tree of more than %d levels", SLI_MAX_DEPTH);
        }
        push_subtree(p, bottom, &(subtree){ line, at->depth + 1, box });
        return true;
    }
    const size_t lines = sli_leaf_lines(sli_tree_layout(p->tree));
    if (line != p->cursor || !has_room(p, lines)) {
        return FAULT(p, at->line, "child %d is a leaf that does not stand behind its node", k);
    }
    p->cursor += lines;
    return prove_leaf(p, line, &box);
}

static bool prove_node(prover *p, const subtree *at)
{
    if (at->line != p->cursor || !has_room(p, SLI_NODE_LINES)) {
        return FAULT(p, p->cursor, "a subtree should begin here, but is said to begin at line %lu",
                     (unsigned long)at->line);
    }
    const sli_node_wide *node = sli_tree_node(p->tree, at->line);
    const uint32_t used = used_children(node);
    if (used == 0 || !are_boxes(node, &at->box)) {
        return FAULT(p, at->line, "a node whose boxes do not lie in the one above");
    }
    if (!are_orders(node)) {
        return FAULT(p, at->line, "a node whose orders do not name each child once");
    }
    p->cursor += SLI_NODE_LINES;
    p->found.node_count++;
    p->found.depth = at->depth > p->found.depth ? at->depth : p->found.depth;
    const int bottom = p->top;
    for (int k = 0; k < SLI_WIDTH; k++) {
        if ((used >> k & 1) != 0) {
            p->found.child_count++;
            if (!prove_child(p, node, k, at, bottom)) {
                return false;
            }
        }
    }
    return true;
}

static bool prove_lines(prover *p)
{
    const sl_bvh *tree = p->tree;
    const uint32_t *ids = sli_tree_ids(tree, SLI_REF_EMPTY);
    p->cursor = SLI_HEADER_LINES;
    for (int lane = 0; lane < SLI_PACK; lane++) {
        if (ids[lane] != SL_NONE) {
            return FAULT(p, 0, "the empty leaf names a triangle");
        }
    }
    if (!prove_block(p, 0)) {
        return false;
    }
    if (tree->root != SLI_REF_EMPTY) {
        if ((tree->root & ~SLI_REF_LINE) != 0) {
            return FAULT(p, 0, "the root is no node");
        }
        p->stack[p->top++] = (subtree){ tree->root, 1, tree->bounds };
    }
    while (p->top > 0) {
        const subtree at = p->stack[--p->top];
        if (!prove_node(p, &at)) {
            return false;
        }
    }
    return p->cursor == tree->line_count || FAULT(p, p->cursor, "lines that nothing leads to");
}

/* As many triangles have a slot as were met at their last one, so all slots are right. */
static bool prove_slots(prover *p)
{
    const sl_bvh *tree = p->tree;
    size_t count = 0;
    for (size_t prim = 0; prim < tree->prim_count; prim++) {
        count += tree->slots[prim] != SL_NONE;
    }
    return (count == p->in_slots && count == tree->triangle_count) ||
           FAULT(p, tree->line_count, "%zu triangles have a slot, but %zu are in the tree", count,
                 p->in_slots);
}

/* All vertices were met, and vertex 0 and the spare float are zero. */
static bool prove_vertices(const prover *p)
{
    const sl_bvh *tree = p->tree;
    static const float zeros[3];
    return tree->vertices == NULL ||
           (p->vertices_met == p->vertex_count &&
            memcmp(tree->vertices, zeros, sizeof zeros) == 0 &&
            memcmp(tree->vertices + tree->vertex_floats - 1, zeros, sizeof zeros[0]) == 0) ||
           FAULT(p, tree->line_count, "vertices that no triangle has");
}

static bool prove_summary(prover *p)
{
    const sl_bvh_info *is = &p->found, *said = &p->tree->info;
    float reach = 0;
    bool same = true;
    for (int axis = 0; axis < 3; axis++) {
        float min = INFINITY, max = -INFINITY;
        for (int lane = 0; lane < SLI_PACK; lane++) {
            min = fminf(min, p->lowest[axis][lane]);
            max = fmaxf(max, p->highest[axis][lane]);
        }
        same &= min == p->tree->bounds.min[axis] && max == p->tree->bounds.max[axis];
        reach = fmaxf(reach, fmaxf(-min, max));
    }
    same &= reach == p->tree->reach || is->leaf_count == 0;
    same &= is->node_count == said->node_count && is->leaf_count == said->leaf_count &&
            is->child_count == said->child_count && is->reference_count == said->reference_count &&
            is->depth == said->depth && said->sah_cost >= 0 && said->sah_cost <= DBL_MAX &&
            memcmp(is->leaf_histogram, said->leaf_histogram, sizeof is->leaf_histogram) == 0;
    return same || FAULT(p, 0, "the tree is not what the head of the file says of it");
}

SLI_NOINLINE static bool prove(prover *p)
{
    return prove_lines(p) && prove_slots(p) && prove_vertices(p) && prove_summary(p);
}

/* Allocates met, where any triangle is split. */
static bool make_scratch(prover *p)
{
    const sl_bvh *tree = p->tree;
    if (tree->info.reference_count == tree->triangle_count) {
        return true;
    }
    p->met = sli_alloc_array(&tree->allocator, tree->prim_count, sizeof p->met[0]);
    if (p->met != NULL) {
        memset(p->met, 0, tree->prim_count * sizeof p->met[0]);
    }
    return p->met != NULL;
}

sl_result sli_store_prove(const sl_bvh *tree, const char *file, uint64_t base, bool *masked,
                          sl_error *error)
{
    prover p = { .tree = tree,
                 .file = file,
                 .base = base,
                 .error = error,
                 .vertex_count = tree->vertex_floats / 3,
                 .vertices_met = 1,
                 .mask = UINT32_MAX };
    for (int axis = 0; axis < 3; axis++) {
        for (int lane = 0; lane < SLI_PACK; lane++) {
            p.lowest[axis][lane] = INFINITY;
            p.highest[axis][lane] = -INFINITY;
        }
    }
    SLI_TRY(sli_had_memory(error, make_scratch(&p)));
    const bool proven = SLI_IN_FPENV(prove(&p));
    sli_free_array(&tree->allocator, p.met, tree->prim_count, sizeof p.met[0]);
    *masked = p.mask != UINT32_MAX;
    return proven ? SL_OK : SL_BAD_DATA;
}
