/* A refit of some triangles: they are written at their slots, and the blocks they are in are
 * marked; then boxes and orders follow along the paths to these. */
#include "bvh/builder/refit/blocks.h"
#include "bvh/builder/refit/boxes.h"
#include "bvh/builder/refit/part.h"
#include "bvh/builder/refit/paths.h"
#include "bvh/builder/refit/pieces.h"
#include "bvh/builder/wide/node_order.h"

/* The line of a block whose bit says that a triangle in it was written that was cut. */
enum { PART_WRITTEN = 1 };

enum { BATCH = 16, GRAIN = 4096, PIECES = 16, AHEAD = 8 };

/* Writes a triangle at one of its slots. */
static void write_lane(const sli_update *update, sli_tri_pack *pack, uint32_t lane,
                       const uint32_t corners[3])
{
    if (update->new_masks) {
        pack->mask[lane] = sli_new_mask(update, pack->prim[lane]);
    }
    for (int corner = 0; corner < 3 && update->positions; corner++) {
        float vertex[3];
        memcpy(vertex, sli_moved_vertex(update->moved, corners[corner]), sizeof vertex);
        for (int axis = 0; axis < 3; axis++) {
            pack->axis[axis].vertex[corner][lane] = vertex[axis];
        }
    }
}

static void write_triangle(const sli_update *update, uint32_t prim)
{
    const sl_bvh *tree = update->tree;
    uint32_t corners[3] = { 0, 0, 0 };
    uint32_t slot = tree->slots[prim];
    if (slot == SL_NONE) {
        return;
    }
    if (update->positions) {
        sli_moved_corners(update->moved, prim, corners);
    }
    while (slot > SLI_SLOT_FIRST) {
        sli_tri_pack *pack = sli_tree_at(tree, slot / SLI_PACK);
        if (update->moved->dirty != NULL) {
            sli_set_changed(tree->scratch.changed, slot / SLI_PACK);
            if (update->positions && sli_pack_is_split(pack, (int)(slot % SLI_PACK))) {
                sli_set_changed(tree->scratch.changed, slot / SLI_PACK + PART_WRITTEN);
            }
        }
        write_lane(update, pack, slot % SLI_PACK, corners);
        slot = pack->before[slot % SLI_PACK];
    }
}

static void fetch_triangle(const sli_update *update, uint32_t prim)
{
    const uint32_t slot = update->tree->slots[prim];
    if (slot == SL_NONE) {
        return;
    }
    const sli_tri_pack *pack = sli_tree_at(update->tree, slot / SLI_PACK);
    for (int axis = 0; axis < 3; axis++) {
        __builtin_prefetch(&pack->axis[axis], 1);
    }
    if (update->positions) {
        uint32_t corners[3];
        sli_moved_corners(update->moved, prim, corners);
        for (int corner = 0; corner < 3; corner++) {
            __builtin_prefetch(sli_moved_vertex(update->moved, corners[corner]));
        }
    }
}

typedef struct writing {
    const sli_update *update;
    uint32_t first;
} writing;

static void write_triangles(void *context, size_t begin, size_t end, int worker)
{
    (void)worker;
    const writing *job = context;
    for (size_t i = begin; i < end; i += BATCH) {
        const size_t stop = end - i < BATCH ? end : i + BATCH;
        for (size_t k = i; k < stop; k++) {
            fetch_triangle(job->update, job->first + (uint32_t)k);
        }
        for (size_t k = i; k < stop; k++) {
            write_triangle(job->update, job->first + (uint32_t)k);
        }
    }
}

static void write_range(const sli_update *update, sl_prim_range range, const sli_phase *phase)
{
    writing job = { update, range.first };
    if (range.count <= GRAIN) { /* there is no float arithmetic in it */
        write_triangles(&job, 0, range.count, 0);
    } else {
        sli_phase_blocks(phase, range.count, GRAIN, write_triangles, &job);
    }
}

void sli_update_lanes(const sli_update *update, const sli_phase *phase)
{
    const sli_moved *moved = update->moved;
    const sli_refit_scratch *scratch = &update->tree->scratch;
    if (moved->dirty != NULL) {
        memset(scratch->changed, 0, scratch->changed_words * sizeof *scratch->changed);
    }
    for (size_t i = 0; i < sli_moved_range_count(moved); i++) {
        write_range(update, sli_moved_range(moved, update->tree, i), phase);
    }
}

sli_box sli_box_of_pack(const sli_tri_pack *pack, const sli_box *old, bool part_written)
{
    sli_lanes min = sli_lanes_all(INFINITY), max = -min;
    for (int lane = 0; lane < SLI_PACK && pack->prim[lane] != SL_NONE; lane++) {
        sli_lanes at[3];
        sli_load_lane(pack, lane, at);
        sli_box box = { sli_lanes_min(at[0], sli_lanes_min(at[1], at[2])),
                        sli_lanes_max(at[0], sli_lanes_max(at[1], at[2])) };
        if (sli_pack_is_split(pack, lane) && !part_written) {
            box = sli_part_moved(at, old, at);
        }
        min = sli_lanes_min(min, box.min);
        max = sli_lanes_max(max, box.max);
    }
    return sli_finish_box(min, max);
}

/* The boxes of the children of a node that were changed, and its order. */
static void join_changed(const sl_bvh *tree, size_t line, bool inner_too, sli_refit_piece *piece)
{
    const uint64_t *changed = tree->scratch.changed;
    sli_node_wide *node = sli_tree_at(tree, line);
    uint32_t inner = 0;
    for (int child = 0; child < SLI_WIDTH; child++) {
        const uint32_t at = node->child[child] & SLI_REF_LINE;
        if (!sli_is_set(changed, at)) { /* nor is the bit of line 0 */
            continue;
        }
        if ((node->child[child] & SLI_REF_LEAF) == 0) {
            inner |= (uint32_t)inner_too << child;
            continue;
        }
        const sli_box old = sli_box_of_child(node, child);
        const sli_box box =
            sli_box_of_pack(sli_tree_block(tree, at), &old, sli_is_set(changed, at + PART_WRITTEN));
        sli_set_box(node, child, &box, SLI_COST_LEAF, true, piece);
    }
    sli_join_children(tree, node, inner, true, piece);
    sli_node_order(node);
}

/* Fetches the node of the last marked line before end, and its marked blocks; returns its line, or
 * begin where there is none. */
static size_t fetch_before(const sl_bvh *tree, size_t begin, size_t end)
{
    size_t line = sli_last_set(tree->scratch.changed, begin, end);
    if (line == SIZE_MAX) {
        return begin;
    }
    const size_t node = sli_node_of_line(&tree->scratch, line);
    while (line != SIZE_MAX) {
        for (size_t i = 0; i < SLI_PACK_LINES; i++) {
            __builtin_prefetch(tree->lines + (line + i) * SLI_LINE, 1);
        }
        line = sli_last_set(tree->scratch.changed, node, line);
    }
    for (size_t i = 0; i < SLI_NODE_LINES; i++) {
        __builtin_prefetch(tree->lines + (node + i) * SLI_LINE, 1);
    }
    return node;
}

/* From the last node to the first, each of which marks its parent. */
static void join_subtree(const sl_bvh *tree, sli_refit_piece *piece)
{
    const sli_refit_scratch *scratch = &tree->scratch;
    size_t line, fetched = piece->end, end = piece->end;
    for (int i = 0; i < AHEAD; i++) {
        fetched = fetch_before(tree, piece->begin, fetched);
    }
    while ((line = sli_last_set(scratch->changed, piece->begin, end)) != SIZE_MAX) {
        fetched = fetch_before(tree, piece->begin, fetched);
        const size_t node = sli_node_of_line(scratch, line);
        join_changed(tree, node, true, piece);
        sli_set_changed(scratch->changed, node);
        if (node != piece->begin) {
            sli_set_changed(scratch->changed, sli_parent_of(scratch, node));
        }
        end = node;
    }
}

/* Of a node near the top only the blocks: its children follow at last. */
static void join_blocks(const sl_bvh *tree, sli_refit_piece *piece)
{
    const size_t line = piece->begin + SLI_NODE_LINES;
    const size_t blocks = sli_next_changed(tree->scratch.nodes, line, piece->end);
    if (sli_last_set(tree->scratch.changed, line, blocks) != SIZE_MAX) {
        join_changed(tree, piece->begin, false, piece);
    }
}

static void join_changed_pieces(void *context, size_t i)
{
    const sli_update *update = context;
    const sl_bvh *tree = update->tree;
    sli_refit_piece *piece = &tree->scratch.pieces[i];
    piece->added = piece->removed = 0;
    if (piece->is_subtree) {
        join_subtree(tree, piece);
    } else {
        join_blocks(tree, piece);
    }
}

void sli_update_dirty(const sli_update *update, const sli_phase *phase)
{
    sli_update job = *update;
    sli_update_lanes(update, phase);
    sli_phase_each(phase, update->tree->scratch.piece_count, PIECES, join_changed_pieces, &job);
}
