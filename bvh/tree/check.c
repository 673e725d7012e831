/* sl_bvh_check.  The checker trusts only the container's own pointers and lengths: every reference
 * is tested before it is followed, so a tree of random bytes is found wrong like any other. */
#include "bvh/tree/checker.h"
#include "bvh/tree/fill_child_masks.h"
#include "lib/base/fpenv.h"
#include "lib/base/memory.h"
#include "lib/geom/overlap/triangle_aabb.h"

#include <sightline/overlap.h>

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* One child of one node, for messages. */
typedef struct location {
    uint32_t line; /* of the node */
    int child;
} location;

SLI_PRINTF(3, 4)
static bool fault_at(const sli_checker *check, location at, const char *format, ...)
{
    char words[200];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    return SLI_FAULT(check, "node at line %lu, child %d: %s", (unsigned long)at.line, at.child,
                     words);
}

static bool is_zero(const void *bytes, size_t size)
{
    const uint8_t *at = bytes;
    for (size_t i = 0; i < size; i++) {
        if (at[i] != 0) {
            return false;
        }
    }
    return true;
}

static bool check_container(sli_checker *check)
{
    const sl_bvh *tree = check->tree;
    if (tree->lines == NULL || tree->line_count < SLI_HEADER_LINES ||
        tree->line_count > SLI_MAX_LINES) {
        return SLI_FAULT(check, "the tree has %zu lines; %d to %zu are possible", tree->line_count,
                         SLI_HEADER_LINES, SLI_MAX_LINES);
    }
    if ((uintptr_t)tree->lines % SLI_LINE != 0) {
        return SLI_FAULT(check, "the lines are not aligned to %d bytes", SLI_LINE);
    }
    if ((tree->slots == NULL) != (tree->prim_count == 0)) {
        return SLI_FAULT(check, "%lu triangles in the mesh, but %s slots for them",
                         (unsigned long)tree->prim_count, tree->slots == NULL ? "no" : "there are");
    }
    if (tree->vertices != NULL && !sli_check_vertices(check)) {
        return false;
    }
    const uint32_t *empty = sli_tree_ids(tree, SLI_REF_EMPTY);
    for (int lane = 0; lane < SLI_PACK; lane++) {
        if (empty[lane] != SL_NONE) {
            return SLI_FAULT(check, "the empty leaf at line 0 names a triangle in lane %d", lane);
        }
    }
    const size_t ids = offsetof(sli_tri_pack, prim);
    const size_t after = offsetof(sli_tri_pack, axis[1]);
    if (!is_zero(tree->lines, ids) ||
        !is_zero(tree->lines + after, SLI_HEADER_LINES * SLI_LINE - after)) {
        return SLI_FAULT(check, "the header lines hold something beside an empty leaf");
    }
    return true;
}

/* Claims the lines of the node or block at ref; each line may be claimed once. */
static bool check_claim(sli_checker *check, location at, uint32_t ref, size_t count)
{
    const size_t first = ref & SLI_REF_LINE;
    const size_t end = check->tree->line_count;
    if (first < SLI_HEADER_LINES || first >= end || count > end - first) {
        return fault_at(check, at, "leads to lines %zu .. %zu; those of the tree are %d .. %zu",
                        first, first + count - 1, SLI_HEADER_LINES, end - 1);
    }
    for (size_t line = first; line < first + count; line++) {
        const uint8_t bit = (uint8_t)(1u << (line & 7));
        if ((check->claimed[line >> 3] & bit) != 0) {
            return fault_at(check, at, "leads to line %zu, which was reached before", line);
        }
        check->claimed[line >> 3] |= bit;
    }
    check->claimed_lines += count;
    return true;
}

/* False where a coordinate is a NaN. */
static bool is_inside(const float point[3], const sl_aabb *box)
{
    for (int axis = 0; axis < 3; axis++) {
        if (!(box->min[axis] <= point[axis] && point[axis] <= box->max[axis])) {
            return false;
        }
    }
    return true;
}

static void note_vertex(sli_checker *check, const float vertex[3])
{
    for (int axis = 0; axis < 3; axis++) {
        const float x = vertex[axis];
        sl_aabb *bounds = &check->bounds;
        bounds->min[axis] = x < bounds->min[axis] ? x : bounds->min[axis];
        bounds->max[axis] = x > bounds->max[axis] ? x : bounds->max[axis];
        check->reach = fabsf(x) > check->reach ? fabsf(x) : check->reach;
    }
}

static bool check_unused_lanes(sli_checker *check, location at, const sli_tri_pack *pack, int lanes)
{
    for (int lane = lanes; lane < SLI_PACK; lane++) {
        bool clean =
            pack->prim[lane] == SL_NONE && pack->mask[lane] == 0 && pack->before[lane] == 0;
        for (int i = 0; i < 9; i++) {
            clean = clean && is_zero(&pack->axis[i / 3].vertex[i % 3][lane], sizeof(float));
        }
        if (!clean) {
            return fault_at(check, at, "lane %d of its leaf is not in use, but not clean either",
                            lane);
        }
    }
    return true;
}

static bool check_vertices(sli_checker *check, location at, const sli_tri_pack *pack, int lane,
                           const sl_aabb *box)
{
    float v[3][3];
    sli_pack_corners(pack, lane, v);
    for (int corner = 0; corner < 3; corner++) {
        if (!is_inside(v[corner], box)) {
            return fault_at(check, at, "its box does not contain vertex %d of triangle %lu", corner,
                            (unsigned long)pack->prim[lane]);
        }
        note_vertex(check, v[corner]);
    }
    return true;
}

/* That the boxes of a split triangle cover it is proved later, when all of them are known. */
static bool check_part(sli_checker *check, location at, const sli_tri_pack *pack, int lane,
                       const sl_aabb *box)
{
    sl_triangle triangle;
    sli_pack_corners(pack, lane, triangle.v);
    if (sli_triangle_aabb_sat_axis(&triangle, box, SLI_SAT_ORDER_123) != SLI_SAT_OVERLAP) {
        return fault_at(check, at, "its box does not meet triangle %lu, which is split",
                        (unsigned long)pack->prim[lane]);
    }
    for (int corner = 0; corner < 3; corner++) {
        note_vertex(check, triangle.v[corner]);
    }
    return true;
}

static bool check_leaf(sli_checker *check, location at, uint32_t ref, const sl_aabb *box)
{
    const sl_bvh *tree = check->tree;
    sli_tri_pack buffer;
    if (!check_claim(check, at, ref, sli_leaf_lines(sli_tree_layout(tree))) ||
        (tree->vertices != NULL && !sli_check_index(check, ref))) {
        return false;
    }
    const sli_tri_pack *pack = sli_tree_pack(tree, ref, &buffer);
    int lanes = 0;
    for (; lanes < SLI_PACK && pack->prim[lanes] != SL_NONE; lanes++) {
        const uint32_t prim = pack->prim[lanes];
        const uint32_t expected = (ref & SLI_REF_LINE) * SLI_PACK + (uint32_t)lanes;
        if (prim >= tree->prim_count) {
            return fault_at(check, at, "its leaf names triangle %lu of %lu", (unsigned long)prim,
                            (unsigned long)tree->prim_count);
        }
        const bool split = sli_pack_is_split(pack, lanes);
        if (!split && tree->slots[prim] != expected) {
            return fault_at(check, at, "its leaf holds triangle %lu, whose slot is elsewhere",
                            (unsigned long)prim);
        }
        if (!(split ? check_part(check, at, pack, lanes, box)
                    : check_vertices(check, at, pack, lanes, box))) {
            return false;
        }
    }
    if (lanes == 0) {
        return fault_at(check, at, "its leaf holds no triangle");
    }
    check->lane_count += (size_t)lanes;
    return check_unused_lanes(check, at, pack, lanes);
}

static bool check_inner(sli_checker *check, location at, uint32_t ref, const sl_aabb *box)
{
    if (!check_claim(check, at, ref, SLI_NODE_LINES)) {
        return false;
    }
    const sli_node_wide *node = sli_tree_node(check->tree, ref);
    for (int k = 0; k < SLI_WIDTH; k++) {
        const sl_aabb inner = sli_child_box(node, (uint32_t)k);
        if (node->child[k] != SLI_REF_EMPTY &&
            !(is_inside(inner.min, box) && is_inside(inner.max, box))) {
            return fault_at(check, at, "its box does not contain that of child %d below it", k);
        }
    }
    return true;
}

static bool check_unused_child(sli_checker *check, location at, const sl_aabb *box)
{
    for (int axis = 0; axis < 3; axis++) {
        if (box->min[axis] != SLI_EMPTY_MIN || box->max[axis] != SLI_EMPTY_MAX) {
            return fault_at(check, at, "is not in use, but its box is not the inverted one");
        }
    }
    return true;
}

static bool check_used_child(sli_checker *check, location at, uint32_t ref, const sl_aabb *box)
{
    if ((ref & SLI_REF_KIND) != 0) {
        return fault_at(check, at, "its reference %#lx is of no known kind", (unsigned long)ref);
    }
    for (int axis = 0; axis < 3; axis++) {
        if (!(-FLT_MAX <= box->min[axis] && box->min[axis] <= box->max[axis] &&
              box->max[axis] <= FLT_MAX)) {
            return fault_at(check, at, "its box is inverted or not finite along %c", "xyz"[axis]);
        }
    }
    return (ref & SLI_REF_LEAF) != 0 ? check_leaf(check, at, ref, box)
                                     : check_inner(check, at, ref, box);
}

/* Whether the order may have child a directly before child b, which is nearer. */
static bool in_order(const sli_node_wide *node, int octant, int a, int b)
{
    if (node->child[b] == SLI_REF_EMPTY || node->child[a] == SLI_REF_EMPTY) {
        return node->child[a] == SLI_REF_EMPTY;
    }
    const double far_key = sli_order_key(node, a, octant);
    const double near_key = sli_order_key(node, b, octant);
    return far_key > near_key || (far_key == near_key && a < b);
}

static bool check_order(sli_checker *check, uint32_t line, const sli_node_wide *node)
{
    for (int octant = 0; octant < 8; octant++) {
        unsigned seen = 0;
        int before = -1;
        for (int rank = 0; rank < SLI_WIDTH; rank++) {
            const int child = (int)(node->order[rank] >> (3 * octant) & 7);
            if ((seen >> child & 1) != 0) {
                return SLI_FAULT(check, "node at line %lu: octant %d ranks child %d twice",
                                 (unsigned long)line, octant, child);
            }
            if (before >= 0 && !in_order(node, octant, before, child)) {
                return SLI_FAULT(check,
                                 "node at line %lu: octant %d has children %d, %d out of order",
                                 (unsigned long)line, octant, before, child);
            }
            seen |= 1u << child;
            before = child;
        }
    }
    for (uint32_t rank = 0; rank < SLI_WIDTH; rank++) {
        if (node->order[rank] >> SLI_ANY_SHIFT != SLI_WIDTH - 1 - rank) {
            return SLI_FAULT(check, "node at line %lu: the order for any-hit is wrong at rank %lu",
                             (unsigned long)line, (unsigned long)rank);
        }
    }
    return true;
}

typedef struct visit {
    uint32_t ref;
    int depth;
} visit;

static bool check_node(sli_checker *check, visit at, visit *stack, int *top)
{
    const sli_node_wide *node = sli_tree_node(check->tree, at.ref);
    const uint32_t line = at.ref & SLI_REF_LINE;
    int used = 0;
    for (int k = 0; k < SLI_WIDTH; k++) {
        const uint32_t child = node->child[k];
        const sl_aabb box = sli_child_box(node, (uint32_t)k);
        const location here = { line, k };
        if (child == SLI_REF_EMPTY) {
            if (!check_unused_child(check, here, &box)) {
                return false;
            }
            continue;
        }
        if (!check_used_child(check, here, child, &box)) {
            return false;
        }
        used++;
        if ((child & SLI_REF_LEAF) == 0) {
            if (at.depth == SLI_MAX_DEPTH) {
                return fault_at(check, here, "is a node deeper than %d levels", SLI_MAX_DEPTH);
            }
            stack[(*top)++] = (visit){ child, at.depth + 1 };
        }
    }
    if (used == 0) {
        return SLI_FAULT(check, "node at line %lu has no children", (unsigned long)line);
    }
    return check_order(check, line, node);
}

static bool check_nodes(sli_checker *check)
{
    const uint32_t root = check->tree->root;
    if (root == SLI_REF_EMPTY) {
        return true;
    }
    if ((root & ~SLI_REF_LINE) != 0) {
        return SLI_FAULT(check, "the root's reference %#lx is not that of a node",
                         (unsigned long)root);
    }
    const location above = { 0, 0 };
    if (!check_claim(check, above, root, SLI_NODE_LINES)) {
        return false;
    }
    visit stack[SLI_STACK];
    int top = 0;
    stack[top++] = (visit){ root, 1 };
    while (top > 0) {
        const visit at = stack[--top];
        if (!check_node(check, at, stack, &top)) {
            return false;
        }
    }
    return true;
}

static bool check_lines(sli_checker *check)
{
    const size_t lines = check->tree->line_count - SLI_HEADER_LINES;
    return check->claimed_lines == lines ||
           SLI_FAULT(check, "%zu lines are reached from the root, but the tree has %zu",
                     check->claimed_lines, lines);
}

static bool same_bounds(const sl_aabb *a, const sl_aabb *b)
{
    for (int axis = 0; axis < 3; axis++) {
        if (!(a->min[axis] == b->min[axis] && a->max[axis] == b->max[axis])) {
            return false;
        }
    }
    return true;
}

static bool check_summary(sli_checker *check)
{
    const sl_bvh *tree = check->tree;
    if (!same_bounds(&tree->bounds, &check->bounds)) {
        return SLI_FAULT(check, "the bounds of the tree are not those of its triangles");
    }
    if (!(tree->reach == check->reach)) {
        return SLI_FAULT(check, "the reach of the tree is %g, but its farthest coordinate %g",
                         (double)tree->reach, (double)check->reach);
    }
    sl_bvh measured = *tree;
    sli_tree_measure(&measured);
    const sl_bvh_info *a = &tree->info, *b = &measured.info;
    const double slack = tree->cost_error > 0 ? 0x1p-30 : 0;
    if (a->triangle_count != b->triangle_count || a->reference_count != b->reference_count ||
        a->node_count != b->node_count || a->leaf_count != b->leaf_count ||
        a->child_count != b->child_count || a->depth != b->depth || a->bytes != b->bytes ||
        !(fabs(a->sah_cost - b->sah_cost) <= slack * b->sah_cost) ||
        !(a->bytes_per_triangle == b->bytes_per_triangle) ||
        memcmp(a->leaf_histogram, b->leaf_histogram, sizeof a->leaf_histogram) != 0) {
        return SLI_FAULT(check, "the tree's own figures are not what counting gives");
    }
    return true;
}

static bool check_mesh(sli_checker *check)
{
    const sl_bvh *tree = check->tree;
    if (sl_mesh_soup(check->mesh).triangle_count != tree->prim_count) {
        return SLI_FAULT(check, "the mesh has %zu triangles, but the tree was built over %lu",
                         sl_mesh_soup(check->mesh).triangle_count, (unsigned long)tree->prim_count);
    }
    for (uint32_t prim = 0; prim < tree->prim_count; prim++) {
        sl_triangle ours, theirs;
        const bool here = sli_tree_triangle(tree, prim, &ours);
        if (here != sl_mesh_triangle(check->mesh, prim, &theirs)) {
            return SLI_FAULT(check, "triangle %lu is only in the %s", (unsigned long)prim,
                             here ? "tree" : "mesh");
        }
        if (here && memcmp(&ours, &theirs, sizeof ours) != 0) {
            return SLI_FAULT(check, "triangle %lu is not the same as in the mesh",
                             (unsigned long)prim);
        }
    }
    return true;
}

static bool check_child_masks(const sli_checker *check)
{
    const sl_bvh *tree = check->tree;
    const sli_child_masks *masks = &tree->child_masks;
    uint32_t line;
    if (masks->capacity != 0 && masks->capacity != sli_child_mask_count(tree->line_count)) {
        return SLI_FAULT(check, "%zu words of masks are not one for each child of a node",
                         masks->capacity);
    }
    if (masks->filled && tree->root == SLI_REF_EMPTY) {
        return SLI_FAULT(check, "an empty tree has masks of nodes");
    }
    return !masks->filled || !sli_child_masks_differ(tree, &line) ||
           SLI_FAULT(check,
                     "node at line %lu: the masks of its children are not those of what is "
                     "below them",
                     (unsigned long)line);
}

SLI_NOINLINE static bool check_all(sli_checker *check)
{
    return check_nodes(check) && sli_check_slots(check) && check_lines(check) &&
           check_summary(check) && check_child_masks(check) &&
           (check->mesh == NULL || check_mesh(check));
}

bool sli_tree_check(const sl_bvh *tree, const sl_mesh *mesh, sl_error *error)
{
    sli_checker check = { .tree = tree, .mesh = mesh, .error = error, .bounds = sl_aabb_empty() };
    if (!check_container(&check)) {
        return false;
    }
    const size_t bytes = tree->line_count / 8 + 1;
    check.claimed = sli_alloc_array(&tree->allocator, bytes, 1);
    if (check.claimed == NULL) {
        sli_fail_memory(error);
        return false;
    }
    memset(check.claimed, 0, bytes);
    const bool sound = SLI_IN_FPENV(check_all(&check));
    sli_free_array(&tree->allocator, check.claimed, bytes, 1);
    return sound;
}

bool sl_bvh_check(const sl_bvh *tree, const sl_mesh *mesh, sl_error *error)
{
    if (tree == NULL) {
        sli_refuse(error, "there is no tree to check: it is NULL");
        return false;
    }
    return sli_tree_check(tree->instances != NULL ? tree->world.top : tree, mesh, error);
}
