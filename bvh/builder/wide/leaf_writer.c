/* Gathers, prefetches and writes the leaf blocks of a wide tree, for node_writer.c, in either
 * layout (tri_pack.h, tri_index.h). */
#include "bvh/builder/wide/leaf_writer.h"

#include "lib/geom/intersect/selection.h"

static bool is_among(const uint32_t *prims, int count, uint32_t prim)
{
    for (int i = 0; i < count; i++) {
        if (prims[i] == prim) {
            return true;
        }
    }
    return false;
}

/* The triangles below a node that is a leaf, in the order of the binary tree; one that was cut and
 * has several references there is listed once. */
static int leaf_writer_gather(const sli_binary *binary, uint32_t node, uint32_t prims[SLI_PACK])
{
    uint32_t stack[SLI_PACK];
    int top = 0, count = 0;
    stack[top++] = node;
    while (top > 0) {
        const sli_node2 *at = &binary->nodes[stack[--top]];
        if (at->count == 0) {
            stack[top++] = at->first + 1;
            stack[top++] = at->first;
        }
        for (uint32_t i = 0; i < at->count; i++) {
            const uint32_t prim = binary->prims[at->first + i];
            if (!(binary->splits && is_among(prims, count, prim))) {
                prims[count++] = prim;
            }
        }
    }
    return count;
}

static const uint32_t *corners_of(const sli_leaf_context *context, uint32_t prim)
{
    return context->indices + 3 * (size_t)prim;
}

static void prefetch_corners(const sli_leaf_context *context, const struct sli_pending_leaf *leaf)
{
    for (int lane = 0; lane < leaf->count; lane++) {
        const uint32_t prim = leaf->prims[lane];
        if (context->boxes != NULL) {
            __builtin_prefetch(&context->boxes[prim]);
        } else {
            __builtin_prefetch(corners_of(context, prim));
        }
        __builtin_prefetch(&context->tree->slots[prim], 1);
    }
}

static void prefetch_vertices(const sli_leaf_context *context, const struct sli_pending_leaf *leaf)
{
    for (int lane = 0; lane < leaf->count; lane++) {
        const uint32_t *corners = corners_of(context, leaf->prims[lane]);
        for (int corner = 0; corner < 3; corner++) {
            __builtin_prefetch(context->xyz + 3 * (size_t)corners[corner]);
        }
    }
}

static void write_lane(const sli_leaf_context *context, uint32_t prim, int lane, sli_tri_pack *pack)
{
    pack->prim[lane] = prim;
    pack->mask[lane] = context->masks != NULL ? sli_mask_of(context->masks[prim]) : UINT32_MAX;
    pack->before[lane] = 0;
    if (context->boxes != NULL) {
        sli_pack_set_box(pack, (uint32_t)lane, context->boxes[prim].min, context->boxes[prim].max);
        return;
    }
    const uint32_t *corners = corners_of(context, prim);
    for (int corner = 0; corner < 3; corner++) {
        const float *vertex = context->xyz + 3 * (size_t)corners[corner];
        for (int axis = 0; axis < 3; axis++) {
            pack->axis[axis].vertex[corner][lane] = vertex[axis];
        }
    }
}

static void clear_lane(int lane, sli_tri_pack *pack)
{
    for (int axis = 0; axis < 3; axis++) {
        pack->axis[axis].meta[lane] = axis == 0 ? SL_NONE : 0;
        for (int corner = 0; corner < 3; corner++) {
            pack->axis[axis].vertex[corner][lane] = 0;
        }
    }
}

static void write_pack(const sli_leaf_context *context, const struct sli_pending_leaf *leaf,
                       sli_tri_pack *pack)
{
    for (int lane = 0; lane < leaf->count; lane++) {
        write_lane(context, leaf->prims[lane], lane, pack);
    }
    for (int lane = leaf->count; lane < SLI_PACK; lane++) {
        clear_lane(lane, pack);
    }
}

static void write_index(const sli_leaf_context *context, const struct sli_pending_leaf *leaf,
                        sli_tri_index *block)
{
    for (int lane = 0; lane < SLI_PACK; lane++) {
        const bool used = lane < leaf->count;
        block->id[lane] = used ? leaf->prims[lane] : SL_NONE;
        for (int corner = 0; corner < 3; corner++) {
            block->vertex[corner][lane] = used ? corners_of(context, leaf->prims[lane])[corner] : 0;
        }
    }
}

static void write_block(const sli_leaf_context *context, const struct sli_pending_leaf *leaf)
{
    sl_bvh *tree = context->tree;
    void *block = tree->lines + leaf->line * SLI_LINE;
    if (context->layout == SL_BVH_LAYOUT_COMPACT) {
        write_index(context, leaf, block);
    } else {
        write_pack(context, leaf, block);
    }
    for (int lane = 0; lane < leaf->count; lane++) {
        if (!context->plan->binary->splits) { /* else see sli_tree_link */
            tree->slots[leaf->prims[lane]] = (uint32_t)leaf->line * SLI_PACK + (uint32_t)lane;
        }
    }
}

void sli_leaf_writer_add(sli_leaf_writer *writer, uint32_t node, size_t line)
{
    const sli_leaf_context *context = writer->context;
    struct sli_pending_leaf *leaf = &writer->pending[writer->added % SLI_LEAF_DELAY];
    if (writer->added >= SLI_LEAF_DELAY) {
        write_block(context, leaf);
    }
    leaf->line = line;
    leaf->count = leaf_writer_gather(context->plan->binary, node, leaf->prims);
    prefetch_corners(context, leaf);
    if (writer->added >= SLI_LEAF_DELAY / 2 && context->layout != SL_BVH_LAYOUT_COMPACT &&
        context->boxes == NULL) {
        prefetch_vertices(context,
                          &writer->pending[(writer->added - SLI_LEAF_DELAY / 2) % SLI_LEAF_DELAY]);
    }
    writer->added++;
}

void sli_leaf_writer_finish(sli_leaf_writer *writer)
{
    const size_t waiting = writer->added < SLI_LEAF_DELAY ? writer->added : SLI_LEAF_DELAY;
    for (size_t i = writer->added - waiting; i < writer->added; i++) {
        write_block(writer->context, &writer->pending[i % SLI_LEAF_DELAY]);
    }
    writer->added = 0;
}
