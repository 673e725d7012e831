/* A refit of every triangle: blocks first, in the order of their lines, then the nodes of a piece
 * from the last to the first, so that children come before their parents. */
#include "bvh/builder/refit/boxes.h"
#include "bvh/builder/refit/part.h"
#include "bvh/builder/refit/pieces.h"
#include "bvh/builder/refit/update.h"
#include "bvh/builder/wide/node_order.h"

enum { STAGE = 12, DELAY = 48 };

/* Writes rows of lanes: vertices of one corner, transposed. */
static void store_corner(const sli_lanes lane[SLI_PACK], int corner, sli_tri_pack *pack)
{
    const sli_lanes xy01 = __builtin_shufflevector(lane[0], lane[1], 0, 4, 1, 5);
    const sli_lanes xy23 = __builtin_shufflevector(lane[2], lane[3], 0, 4, 1, 5);
    const sli_lanes z01 = __builtin_shufflevector(lane[0], lane[1], 2, 6, 2, 6);
    const sli_lanes z23 = __builtin_shufflevector(lane[2], lane[3], 2, 6, 2, 6);
    *(sli_lanes_anywhere *)pack->axis[0].vertex[corner] =
        __builtin_shufflevector(xy01, xy23, 0, 1, 4, 5);
    *(sli_lanes_anywhere *)pack->axis[1].vertex[corner] =
        __builtin_shufflevector(xy01, xy23, 2, 3, 6, 7);
    *(sli_lanes_anywhere *)pack->axis[2].vertex[corner] =
        __builtin_shufflevector(z01, z23, 0, 1, 4, 5);
}

/* All triangles of a block go where the arrays say; returns their box.  old is the one before. */
static sli_box move_pack(const sli_update *update, const sli_box *old, sli_tri_pack *pack)
{
    const sli_lanes zero = sli_lanes_all(0.0f);
    sli_lanes at[3][SLI_PACK] = { { zero, zero, zero, zero },
                                  { zero, zero, zero, zero },
                                  { zero, zero, zero, zero } };
    sli_lanes min = sli_lanes_all(INFINITY), max = -min;
    for (int lane = 0; lane < SLI_PACK && pack->prim[lane] != SL_NONE; lane++) {
        uint32_t corners[3];
        sli_lanes to[3], from[3];
        sli_moved_corners(update->moved, pack->prim[lane], corners);
        for (int corner = 0; corner < 3; corner++) {
            at[corner][lane] = to[corner] = sli_moved_load(update->moved, corners[corner]);
        }
        if (__builtin_expect(sli_pack_is_split(pack, lane), 0)) {
            sli_load_lane(pack, lane, from);
            const sli_box part = sli_part_moved(from, old, to);
            min = sli_lanes_min(min, part.min);
            max = sli_lanes_max(max, part.max);
        } else {
            min = sli_lanes_min(min, sli_lanes_min(to[0], sli_lanes_min(to[1], to[2])));
            max = sli_lanes_max(max, sli_lanes_max(to[0], sli_lanes_max(to[1], to[2])));
        }
        if (update->new_masks) {
            pack->mask[lane] = sli_new_mask(update, pack->prim[lane]);
        }
    }
    for (int corner = 0; corner < 3; corner++) {
        store_corner(at[corner], corner, pack);
    }
    return sli_finish_box(min, max);
}

/* The box of a block of a compact tree. */
static sli_box box_of_index(const sl_bvh *tree, const sli_tri_index *block)
{
    sli_lanes min = sli_lanes_all(INFINITY), max = -min;
    for (int lane = 0; lane < SLI_PACK && block->id[lane] != SL_NONE; lane++) {
        for (int corner = 0; corner < 3; corner++) {
            const sli_lanes vertex =
                sli_load4(tree->vertices + 3 * (size_t)block->vertex[corner][lane]);
            min = sli_lanes_min(min, vertex);
            max = sli_lanes_max(max, vertex);
        }
    }
    return sli_finish_box(min, max);
}

/* A leaf block on its way: the block, its triangles' indices, and then their corners are fetched,
 * each STAGE blocks after what says where it is. */
typedef struct pending {
    sli_node_wide *node;
    int child;
} pending;

typedef struct queue {
    const sli_update *update;
    sli_refit_piece *piece;
    size_t added, leaf_lines;
    pending ring[DELAY];
} queue;

static void *block_of(const queue *q, const pending *leaf)
{
    const size_t line = leaf->node->child[leaf->child] & SLI_REF_LINE;
    return q->update->tree->lines + line * SLI_LINE;
}

static void fetch_block(const queue *q, const pending *leaf)
{
    const uint8_t *block = block_of(q, leaf);
    for (size_t line = 0; line < q->leaf_lines; line++) {
        __builtin_prefetch(block + line * SLI_LINE, 1);
    }
}

static void fetch_indices(const queue *q, const pending *leaf)
{
    const sli_moved *moved = q->update->moved;
    const uint32_t *ids = ((const sli_tri_index *)block_of(q, leaf))->id;
    for (int lane = 0; lane < SLI_PACK && ids[lane] != SL_NONE; lane++) {
        if (moved->indices != NULL) { /* triples are as long as 12 bytes, so may be in two lines */
            const unsigned char *at = moved->indices + ids[lane] * moved->index_stride;
            __builtin_prefetch(at);
            __builtin_prefetch(at + 11);
        }
    }
}

static void fetch_vertices(const queue *q, const pending *leaf)
{
    const sl_bvh *tree = q->update->tree;
    const sli_tri_index *block = block_of(q, leaf);
    if (tree->vertices != NULL) {
        sli_tri_fetch(block, tree->vertices);
        return;
    }
    for (int lane = 0; lane < SLI_PACK && block->id[lane] != SL_NONE; lane++) {
        uint32_t corners[3];
        sli_moved_corners(q->update->moved, block->id[lane], corners);
        for (int corner = 0; corner < 3; corner++) {
            const unsigned char *at = sli_moved_vertex(q->update->moved, corners[corner]);
            __builtin_prefetch(at);
        }
    }
}

static void move_block(const queue *q, const pending *leaf)
{
    const sl_bvh *tree = q->update->tree;
    void *block = block_of(q, leaf);
    const sli_box old = sli_box_of_child(leaf->node, leaf->child);
    const sli_box box =
        tree->vertices != NULL ? box_of_index(tree, block) : move_pack(q->update, &old, block);
    sli_set_box(leaf->node, leaf->child, &box, SLI_COST_LEAF, false, q->piece);
}

/* Block i of those added, for the stage that it comes to now. */
static const pending *block_before(const queue *q, size_t stages)
{
    return &q->ring[(q->added - stages * STAGE) % DELAY];
}

static void add_block(queue *q, sli_node_wide *node, int child)
{
    const bool compact = q->update->tree->vertices != NULL;
    pending *leaf = &q->ring[q->added % DELAY];
    if (q->added >= DELAY) {
        move_block(q, leaf);
    }
    *leaf = (pending){ node, child };
    fetch_block(q, leaf);
    if (q->added >= STAGE && !compact) {
        fetch_indices(q, block_before(q, 1));
    }
    if (q->added >= 2 * STAGE) {
        fetch_vertices(q, block_before(q, 2));
    }
    q->added++;
}

static void finish_blocks(const queue *q)
{
    const size_t waiting = q->added < DELAY ? q->added : DELAY;
    for (size_t i = q->added - waiting; i < q->added; i++) {
        move_block(q, &q->ring[i % DELAY]);
    }
}

/* Lists the nodes of a piece on the way. */
static size_t move_blocks(const sli_update *update, sli_refit_piece *piece,
                          uint32_t nodes[SLI_PIECE_NODES])
{
    const sl_bvh *tree = update->tree;
    const size_t leaf_lines = sli_leaf_lines(sli_tree_layout(tree));
    queue q = { .update = update, .piece = piece, .leaf_lines = leaf_lines };
    size_t count = 0;
    for (size_t line = piece->begin; line < piece->end;) {
        sli_node_wide *node = sli_node_at(tree, line);
        nodes[count++] = (uint32_t)line;
        line += SLI_NODE_LINES;
        for (int child = 0; child < SLI_WIDTH; child++) {
            if ((node->child[child] & (SLI_REF_LEAF | SLI_REF_KIND)) == SLI_REF_LEAF) {
                add_block(&q, node, child);
                line += leaf_lines;
            }
        }
        if (!piece->is_subtree) {
            break;
        }
    }
    finish_blocks(&q);
    return count;
}

static void refit_pieces(void *context, size_t begin, size_t end, int worker)
{
    (void)worker;
    const sli_update *update = context;
    uint32_t nodes[SLI_PIECE_NODES];
    for (size_t i = begin; i < end; i++) {
        sli_refit_piece *piece = &update->tree->room.pieces[i];
        piece->added = piece->removed = 0;
        size_t count = move_blocks(update, piece, nodes);
        while (piece->is_subtree && count-- > 0) {
            sli_node_wide *node = sli_node_at(update->tree, nodes[count]);
            sli_join_children(update->tree, node, 0xFF, false, piece);
            sli_node_order(node);
        }
    }
}

void sli_update_whole(const sli_update *update, const sli_phase *phase)
{
    sli_update job = *update;
    sli_phase_blocks(phase, update->tree->room.piece_count, 1, refit_pieces, &job);
}
