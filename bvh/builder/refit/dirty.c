/* A refit of some triangles: they are written at their places, and the blocks they are in are
 * marked; then boxes and orders follow along the paths to these. */
#include "bvh/builder/refit/boxes.h"
#include "bvh/builder/refit/part.h"
#include "bvh/builder/refit/pieces.h"
#include "bvh/builder/refit/update.h"
#include "bvh/builder/wide/node_order.h"
#include "lib/base/thread/atomic.h"

/* The line of a block whose bit says that a triangle in it was written that was cut. */
enum { PART_WRITTEN = 1 };

enum { BATCH = 16, GRAIN = 4096, PIECES = 16 };

static void set_changed(uint64_t *bits, size_t line)
{
    const uint64_t bit = UINT64_C(1) << (line % 64);
    if ((sli_atomic_load_u64(&bits[line / 64]) & bit) == 0) {
        sli_atomic_or_u64(&bits[line / 64], bit);
    }
}

static sli_tri_pack *pack_of(const sl_bvh *tree, uint32_t place)
{
    return (sli_tri_pack *)(void *)(tree->lines + (size_t)(place / SLI_PACK) * SLI_LINE);
}

/* Writes a triangle at one of its places. */
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
    uint32_t place = tree->places[prim];
    if (place == SL_NONE) {
        return;
    }
    if (update->positions) {
        sli_moved_corners(update->moved, prim, corners);
    }
    while (place > SLI_PLACE_FIRST) {
        sli_tri_pack *pack = pack_of(tree, place);
        if (update->moved->dirty != NULL) {
            set_changed(tree->room.changed, place / SLI_PACK);
            if (update->positions && sli_pack_is_split(pack, (int)(place % SLI_PACK))) {
                set_changed(tree->room.changed, place / SLI_PACK + PART_WRITTEN);
            }
        }
        write_lane(update, pack, place % SLI_PACK, corners);
        place = pack->before[place % SLI_PACK];
    }
}

static void fetch_triangle(const sli_update *update, uint32_t prim)
{
    const uint32_t place = update->tree->places[prim];
    if (place == SL_NONE) {
        return;
    }
    const sli_tri_pack *pack = pack_of(update->tree, place);
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
    if (moved->dirty == NULL) {
        write_range(update, (sl_prim_range){ 0, update->tree->prim_count }, phase);
        return;
    }
    memset(update->tree->room.changed, 0, update->tree->room.changed_words * sizeof(uint64_t));
    for (size_t i = 0; i < moved->dirty_count; i++) {
        write_range(update, moved->dirty[i], phase);
    }
}

/* The box of a block whose box was old.  Of a triangle that was cut, the part in it is known only
 * where none of them was written. */
static sli_box box_of_pack(const sli_tri_pack *pack, const sli_box *old, bool part_written)
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

static void join_changed(const sl_bvh *tree, const sli_changed_node *at, sli_refit_piece *piece)
{
    sli_node_wide *node = sli_node_at(tree, at->line);
    for (int child = 0; child < SLI_WIDTH; child++) {
        if ((at->children >> child & 1) != 0 && (node->child[child] & SLI_REF_LEAF) != 0) {
            const size_t part = (node->child[child] & SLI_REF_LINE) + PART_WRITTEN;
            const sli_box old = sli_box_of_child(node, child);
            const sli_box box =
                box_of_pack(sli_tree_block(tree, node->child[child]), &old,
                            (tree->room.changed[part / 64] >> (part % 64) & 1) != 0);
            sli_set_box(node, child, &box, SLI_COST_LEAF, true, piece);
        }
    }
    sli_join_children(tree, node, at->children, true, piece);
    sli_node_order(node);
}

static void join_changed_pieces(void *context, size_t begin, size_t end, int worker)
{
    (void)worker;
    const sli_update *update = context;
    const sl_bvh *tree = update->tree;
    sli_changed_node list[SLI_PIECE_NODES];
    for (size_t i = begin; i < end; i++) {
        sli_refit_piece *piece = &tree->room.pieces[i];
        piece->added = piece->removed = 0;
        size_t count = sli_changed_nodes(tree, tree->room.changed, piece, list);
        while (count-- > 0) {
            join_changed(tree, &list[count], piece);
        }
    }
}

void sli_update_dirty(const sli_update *update, const sli_phase *phase)
{
    sli_update job = *update;
    sli_update_lanes(update, phase);
    sli_phase_blocks(phase, update->tree->room.piece_count, PIECES, join_changed_pieces, &job);
}
