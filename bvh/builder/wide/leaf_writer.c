#include "bvh/builder/wide/leaf_writer.h"

static bool is_among(const uint32_t *prims, int count, uint32_t prim)
{
    for (int i = 0; i < count; i++) {
        if (prims[i] == prim) {
            return true;
        }
    }
    return false;
}

/* The primitives below a node that is a leaf, in the order of the binary tree; of a split one that
 * has several parts there, one. */
static int gather(const sli_binary *binary, uint32_t node, uint32_t prims[SLI_PACK])
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
            const uint32_t prim = binary->prims[(at->first + i) * binary->prim_step];
            if (!(binary->splits && is_among(prims, count, prim))) {
                prims[count++] = prim;
            }
        }
    }
    return count;
}

static const uint32_t *corners_of(const sli_leaf_context *writer, uint32_t prim)
{
    return writer->indices + 3 * (size_t)prim;
}

static void fetch_corners(const sli_leaf_context *writer, const struct sli_pending_leaf *job)
{
    for (int lane = 0; lane < job->count; lane++) {
        const uint32_t prim = job->prims[lane];
        __builtin_prefetch(corners_of(writer, prim));
        __builtin_prefetch(&writer->tree->places[prim], 1);
    }
}

static void fetch_vertices(const sli_leaf_context *writer, const struct sli_pending_leaf *job)
{
    for (int lane = 0; lane < job->count; lane++) {
        const uint32_t *corners = corners_of(writer, job->prims[lane]);
        for (int corner = 0; corner < 3; corner++) {
            __builtin_prefetch(writer->xyz + 3 * (size_t)corners[corner]);
        }
    }
}

static void write_lane(const sli_leaf_context *writer, uint32_t prim, int lane, sli_tri_pack *pack)
{
    const uint32_t *corners = corners_of(writer, prim);
    pack->prim[lane] = prim;
    pack->mask[lane] = writer->masks != NULL ? writer->masks[prim] : UINT32_MAX;
    pack->before[lane] = 0;
    for (int corner = 0; corner < 3; corner++) {
        const float *vertex = writer->xyz + 3 * (size_t)corners[corner];
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

static void write_pack(const sli_leaf_context *writer, const struct sli_pending_leaf *job,
                       sli_tri_pack *pack)
{
    for (int lane = 0; lane < job->count; lane++) {
        write_lane(writer, job->prims[lane], lane, pack);
    }
    for (int lane = job->count; lane < SLI_PACK; lane++) {
        clear_lane(lane, pack);
    }
}

static void write_index(const sli_leaf_context *writer, const struct sli_pending_leaf *job,
                        sli_tri_index *block)
{
    for (int lane = 0; lane < SLI_PACK; lane++) {
        const bool used = lane < job->count;
        block->id[lane] = used ? job->prims[lane] : SL_NONE;
        for (int corner = 0; corner < 3; corner++) {
            block->vertex[corner][lane] = used ? corners_of(writer, job->prims[lane])[corner] : 0;
        }
    }
}

static void write_block(const sli_leaf_context *writer, const struct sli_pending_leaf *job)
{
    sl_bvh *tree = writer->tree;
    void *block = tree->lines + job->line * SLI_LINE;
    if (writer->layout == SL_BVH_LAYOUT_COMPACT) {
        write_index(writer, job, block);
    } else {
        write_pack(writer, job, block);
    }
    for (int lane = 0; lane < job->count; lane++) {
        if (!writer->below->binary->splits) { /* else see sli_tree_link */
            tree->places[job->prims[lane]] = (uint32_t)job->line * SLI_PACK + (uint32_t)lane;
        }
    }
}

void sli_leaf_writer_add(sli_leaf_writer *queue, uint32_t node, size_t line)
{
    const sli_leaf_context *writer = queue->writer;
    struct sli_pending_leaf *job = &queue->jobs[queue->added % SLI_LEAF_DELAY];
    if (queue->added >= SLI_LEAF_DELAY) {
        write_block(writer, job);
    }
    job->line = line;
    job->count = gather(writer->below->binary, node, job->prims);
    fetch_corners(writer, job);
    if (queue->added >= SLI_LEAF_DELAY / 2 && writer->layout != SL_BVH_LAYOUT_COMPACT) {
        fetch_vertices(writer, &queue->jobs[(queue->added - SLI_LEAF_DELAY / 2) % SLI_LEAF_DELAY]);
    }
    queue->added++;
}

void sli_leaf_writer_finish(sli_leaf_writer *queue)
{
    const size_t waiting = queue->added < SLI_LEAF_DELAY ? queue->added : SLI_LEAF_DELAY;
    for (size_t i = queue->added - waiting; i < queue->added; i++) {
        write_block(queue->writer, &queue->jobs[i % SLI_LEAF_DELAY]);
    }
    queue->added = 0;
}
