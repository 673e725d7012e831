/* A tree over triangles as a world of one instance, which is the tree itself: world.h. */
#include "bvh/tree/transformed.h"
#include "lib/base/fpenv.h"
#include "lib/base/memory.h"

#include <math.h>
#include <string.h>

enum { NODE_LINE = SLI_HEADER_LINES, PACK_LINE = NODE_LINE + SLI_NODE_LINES };

/* The top tree has one node, whose only child is a block with one triangle. */
struct sli_own_world {
    sli_transformed transformed;
    _Alignas(SLI_LINE) uint8_t lines[(PACK_LINE + SLI_PACK_LINES) * SLI_LINE];
    uint32_t slot; /* of the triangle, in that block */
    struct sl_bvh top;
};

bool sli_own_world_reserve(sl_bvh *tree)
{
    if (tree->own_world == NULL) {
        tree->own_world = sli_alloc_large(&tree->allocator, 1, sizeof *tree->own_world);
    }
    return tree->own_world != NULL;
}

void sli_own_world_free(sl_bvh *tree)
{
    sli_free(&tree->allocator, tree->own_world, sizeof *tree->own_world);
    tree->own_world = NULL;
}

size_t sli_own_world_bytes(const sl_bvh *tree)
{
    return tree->own_world != NULL ? sizeof *tree->own_world : 0;
}

/* The only child is the nearest, and the others, which are not in use, are farther. */
static void write_orders(sli_node_wide *node)
{
    for (uint32_t rank = 0; rank < SLI_WIDTH; rank++) {
        const uint32_t child = (rank + 1) % SLI_WIDTH;
        node->order[rank] = (7 - rank) << SLI_ANY_SHIFT;
        for (uint32_t octant = 0; octant < 8; octant++) {
            node->order[rank] |= child << (3 * octant);
        }
    }
}

/* The node and the block of the top tree, about a box. */
static void write_top(struct sli_own_world *own, const sl_aabb *box)
{
    sli_node_wide *node = sli_tree_at(&own->top, NODE_LINE);
    sli_tri_pack *pack = sli_tree_at(&own->top, PACK_LINE);
    memset(own->lines, 0, sizeof own->lines);
    for (int child = 0; child < SLI_WIDTH; child++) {
        node->child[child] = child == 0 ? SLI_REF_LEAF | PACK_LINE : SLI_REF_EMPTY;
    }
    for (int lane = 0; lane < SLI_PACK; lane++) {
        pack->prim[lane] = lane == 0 ? 0 : SL_NONE;
        pack->mask[lane] = lane == 0 ? UINT32_MAX : 0;
        ((sli_tri_pack *)(void *)own->lines)->prim[lane] = SL_NONE;
    }
    for (int axis = 0; axis < 3; axis++) {
        for (int child = 0; child < SLI_WIDTH; child++) {
            node->bounds[axis][0][child] = child == 0 ? box->min[axis] : SLI_EMPTY_MIN;
            node->bounds[axis][1][child] = child == 0 ? box->max[axis] : SLI_EMPTY_MAX;
        }
    }
    sli_pack_set_box(pack, 0, box->min, box->max);
    write_orders(node);
}

/* The box of the top tree: that of the tree, counted from the middle of the world and rounded
 * outwards. */
static sl_aabb count_from_middle(const sl_aabb *bounds, const sli_world *world)
{
    sl_aabb box;
    for (int axis = 0; axis < 3; axis++) {
        const double low = (double)bounds->min[axis] - world->middle[axis];
        const double high = (double)bounds->max[axis] - world->middle[axis];
        box.min[axis] = fmaxf(nextafterf((float)low, -INFINITY), -FLT_MAX);
        box.max[axis] = fminf(nextafterf((float)high, INFINITY), FLT_MAX);
    }
    return box;
}

static void find_middle(const sl_aabb *bounds, sli_world *world)
{
    world->half = 0;
    for (int axis = 0; axis < 3; axis++) {
        world->middle[axis] = 0.5 * ((double)bounds->min[axis] + (double)bounds->max[axis]);
        const double half = fmax((double)bounds->max[axis] - world->middle[axis],
                                 world->middle[axis] - (double)bounds->min[axis]);
        world->half = fmax(world->half, half * (1 + 0x1p-40));
    }
}

static SLI_NOINLINE void own_world_fill(sl_bvh *tree)
{
    struct sli_own_world *own = tree->own_world;
    const sl_transform identity = { { { 1, 0, 0, 0 }, { 0, 1, 0, 0 }, { 0, 0, 1, 0 } } };
    const bool empty = tree->triangle_count == 0;
    sli_world_box box;
    sl_bvh *top = &own->top;
    *top = (sl_bvh){ .lines = own->lines,
                     .line_count = sizeof own->lines / SLI_LINE,
                     .root = empty ? SLI_REF_EMPTY : NODE_LINE,
                     .slots = &own->slot,
                     .prim_count = 1,
                     .triangle_count = !empty,
                     .kernels = tree->kernels,
                     .borrowed = true };
    own->slot = empty ? SL_NONE : PACK_LINE * SLI_PACK;
    sli_child_masks_clear(&top->child_masks);
    tree->world = (sli_world){ .top = top,
                               .transformed = &own->transformed,
                               .count = 1,
                               .unmoved = true,
                               .masked = tree->child_masks.filled,
                               .trees_masked = tree->child_masks.present };
    own->transformed = (sli_transformed){ .tree = NULL };
    write_top(own, &(sl_aabb){ .min = { 0, 0, 0 }, .max = { 0, 0, 0 } });
    if (!empty) {
        (void)sli_transformed_make(tree, &identity, 0, UINT32_MAX, &own->transformed, &box);
        find_middle(&tree->bounds, &tree->world);
        top->bounds = count_from_middle(&tree->bounds, &tree->world);
        for (int axis = 0; axis < 3; axis++) {
            top->reach = fmaxf(top->reach, fmaxf(-top->bounds.min[axis], top->bounds.max[axis]));
        }
        write_top(own, &top->bounds);
    }
}

void sli_own_world_fill(sl_bvh *tree)
{
    SLI_DO_IN_FPENV(own_world_fill(tree));
}
