/* tree.h: the container: which memory a tree owns, and how to find things in it.
 *
 * The arena begins with SLI_HEADER_LINES lines: an empty leaf block in lines 0 .. 2, so that
 * SLI_REF_EMPTY points at memory that may be read, and a line of zeros.  Nodes and leaf blocks
 * follow without gaps; each is reached from the root exactly once.  Order is depth-first: a node,
 * its leaf blocks in child order, then the subtrees below it, so that all that is below a node is
 * contiguous behind it.
 * Builders may cut a triangle into parts that have boxes of their own.  The uncut triangle is then
 * in several blocks, whose boxes together cover it: a query finds it in any of them.  Its slots
 * (tri_pack.h) are linked, so that queries that count triangles count it once.
 * With SL_BVH_LAYOUT_COMPACT blocks are those of tri_index.h; the vertices and masks that their
 * numbers refer to are in arrays.  Then no triangle is cut.
 * An empty tree has root SLI_REF_EMPTY.  A tree of one leaf block still has one node. */
#pragma once

#include "bvh/tree/child_masks.h"
#include "bvh/tree/lineage.h"
#include "bvh/tree/tri_index.h"
#include "bvh/tree/world.h"
#include "lib/base/file/file.h"

/* Depth counts nodes on the way down; the root alone is 1.  A stack of SLI_STACK references holds
 * all that a traversal may postpone: 7 siblings a level, and the node itself. */
enum { SLI_MAX_DEPTH = 16, SLI_STACK = 7 * SLI_MAX_DEPTH + 8, SLI_HEADER_LINES = 4 };

/* Lines that the 28 bits of a reference can name. */
#define SLI_MAX_LINES ((size_t)SLI_REF_LINE + 1)

/* Costs of a traversal, in node steps, for sl_bvh_info.sah_cost: the form of the sum is that of
 * Wald, Benthin and Boulos, Getting Rid of Packets (2008), the weight of a block is measured. */
#define SLI_COST_NODE 1.0
#define SLI_COST_LEAF 0.7

struct sli_kernels;

struct sl_bvh {
    sl_allocator allocator;
    const struct sli_kernels *kernels;
    sli_world world;                 /* over instances; of triangles, the tree itself as one */
    struct sli_own_world *own_world; /* of triangles: what that world points to */
    struct sli_instances *instances; /* what a tree over instances is made of, and all that follows
                                      * is empty; NULL: a tree over triangles */
    uint8_t *lines;                  /* 64-byte aligned; line_count lines */
    size_t line_count;
    uint32_t root;
    uint32_t *slots; /* for each prim of the mesh the last of its slots, or SL_NONE where it is
                       * not in the tree; NULL when there are none */
    float *vertices; /* of a compact tree, with one float to spare at the end; else NULL */
    size_t vertex_floats;
    uint32_t *masks;         /* of a compact tree, for each prim; NULL: all bits are set */
    uint32_t prim_count;     /* of the mesh, those left out included: the length of slots */
    uint32_t triangle_count; /* each once */
    float reach;             /* the largest |coordinate| of any vertex: the G of the error bounds */
    sl_aabb bounds;
    sl_bvh_info info;
    sli_file file; /* that the arrays are in, where it is mapped */
    sli_lineage lineage;
    sli_refit_scratch scratch;
    sli_child_masks child_masks;
    /* info.sah_cost of the tree that was built or loaded and then refitted; 0: of this one. */
    double built_cost;
    /* At most so far is info.sah_cost from what measuring gives, but for the roundings of one sum;
     * above 0 where parts were refitted. */
    double cost_error;
    bool borrowed; /* lines, slots, vertices and masks are not the tree's to free */
};

/* The node or block that begins at a line, for those that write it. */
static inline void *sli_tree_at(const sl_bvh *tree, size_t line)
{
    return tree->lines + line * SLI_LINE;
}

static inline const sli_node_wide *sli_tree_node(const sl_bvh *tree, uint32_t ref)
{
    return sli_tree_at(tree, ref & SLI_REF_LINE);
}

/* The block of a leaf: an sli_tri_pack, or an sli_tri_index in a compact tree. */
static inline const void *sli_tree_block(const sl_bvh *tree, uint32_t ref)
{
    return sli_tree_at(tree, ref & SLI_REF_LINE);
}

/* The numbers of the triangles of a leaf, SL_NONE for lanes not in use. */
static inline const uint32_t *sli_tree_ids(const sl_bvh *tree, uint32_t ref)
{
    return ((const sli_tri_index *)sli_tree_block(tree, ref))->id;
}

/* The triangles of a leaf: the block itself, or a compact block unpacked into buffer, which may be
 * NULL where the tree is not compact. */
static inline const sli_tri_pack *sli_tree_pack(const sl_bvh *tree, uint32_t ref,
                                                sli_tri_pack *buffer)
{
    const void *block = sli_tree_block(tree, ref);
    if (__builtin_expect(tree->vertices != NULL, 0)) {
        sli_tri_unpack(block, tree->vertices, tree->masks, buffer);
        return buffer;
    }
    return block;
}

static inline sl_bvh_layout sli_tree_layout(const sl_bvh *tree)
{
    return tree->vertices != NULL ? SL_BVH_LAYOUT_COMPACT : SL_BVH_LAYOUT_DEFAULT;
}

/* Lines of a leaf block. */
static inline size_t sli_leaf_lines(sl_bvh_layout layout)
{
    return layout == SL_BVH_LAYOUT_COMPACT ? SLI_INDEX_LINES : SLI_PACK_LINES;
}

static inline sl_aabb sli_child_box(const sli_node_wide *node, uint32_t child)
{
    sl_aabb box;
    for (int axis = 0; axis < 3; axis++) {
        box.min[axis] = node->bounds[axis][0][child];
        box.max[axis] = node->bounds[axis][1][child];
    }
    return box;
}

static inline sl_triangle sli_lane_triangle(const sli_tri_pack *pack, int lane)
{
    sl_triangle triangle;
    sli_pack_corners(pack, lane, triangle.v);
    return triangle;
}

/* The child of a node whose subtree contains a line behind the node: the last child that begins no
 * later.  Unused children are at line 0. */
static inline int sli_tree_towards(const sli_node_wide *node, uint32_t line)
{
    int found = 0;
    uint32_t begin = 0;
    for (int child = 0; child < SLI_WIDTH; child++) {
        const uint32_t at = node->child[child] & SLI_REF_LINE;
        if (at > begin && at <= line) {
            found = child;
            begin = at;
        }
    }
    return found;
}

/* The mask of a prim that is in the tree. */
static inline uint32_t sli_tree_mask(const sl_bvh *tree, uint32_t prim)
{
    sli_tri_pack buffer;
    const uint32_t slot = tree->slots[prim];
    return sli_tree_pack(tree, slot / SLI_PACK, &buffer)->mask[slot % SLI_PACK];
}

/* Allocates the container with line_count lines, unset behind the header, and prim_count slots
 * (all SL_NONE); NULL when out of memory. */
sl_bvh *sli_tree_create(const sl_allocator *allocator, size_t line_count, size_t prim_count);
/* The same with slots unset: SL_NONE is to be written there first. */
sl_bvh *sli_tree_create_unfilled(const sl_allocator *allocator, size_t line_count,
                                 size_t prim_count);

/* Frees a tree over triangles or boxes; NULL is fine. */
void sli_tree_destroy(sl_bvh *tree);

/* The arrays of a tree, as fields of the container. */
typedef struct sli_tree_parts {
    const void *lines; /* aligned to 64 */
    const uint32_t *slots;
    const float *vertices;
    const uint32_t *masks;
    size_t line_count, prim_count, vertex_floats;
} sli_tree_parts;

/* The same over existing parts, which stay the caller's and are never written to. */
sl_bvh *sli_tree_borrow(const sl_allocator *allocator, const sli_tree_parts *parts);

/* The same over a copy of the parts. */
sl_bvh *sli_tree_copy(const sl_allocator *allocator, const sli_tree_parts *parts);

/* Sets the bounds, and the largest |coordinate| of them. */
void sli_tree_set_bounds(sl_bvh *tree, const float min[3], const float max[3]);

/* Bytes of all memory that the tree holds. */
size_t sli_tree_bytes(const sl_bvh *tree);

struct sli_slices; /* lib/base/thread/slices.h */

/* Fills slots and links them, from finished nodes and blocks, and counts the triangles.
 * slices: of a build in slices, or NULL. */
void sli_tree_link(sl_bvh *tree, struct sli_slices *slices);

/* The kernels for this machine.  Declared here so that a tree can keep them; defined in
 * bvh/kernel/dispatch.c, which knows the type. */
const struct sli_kernels *sli_kernels_select(void);
const char *sli_kernels_name(const struct sli_kernels *kernels);

/* The corners of a triangle of the mesh; false where there is none. */
bool sli_tree_triangle(const sl_bvh *tree, uint32_t prim, sl_triangle *out);

/* Fills tree->info from the finished tree. */
void sli_tree_measure(sl_bvh *tree);
void sli_tree_measure_sliced(sl_bvh *tree, struct sli_slices *slices); /* which may be NULL */

/* Fills only the counts and bytes that follow from the container and the number of triangles. */
void sli_tree_measure_container(sl_bvh *tree);

/* Proves every invariant that the comments of this folder state; see sl_bvh_check. */
bool sli_tree_check(const sl_bvh *tree, const sl_mesh *mesh, sl_error *error);
