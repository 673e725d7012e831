/* A refit of every triangle: blocks first, in the order of their lines, then the nodes of a piece
 * from the last to the first, so that children come before their parents. */
#include "bvh/builder/refit/blocks.h"
#include "bvh/builder/refit/boxes.h"
#include "bvh/builder/refit/part.h"
#include "bvh/builder/refit/pieces.h"
#include "bvh/builder/wide/node_order.h"

/* Blocks between the fetching of indices, that of corners, and the writing; lines between the walk
 * and what is fetched ahead of it. */
enum { STAGE = 8, RING = 2 * STAGE, AHEAD = 64 };

/* A leaf block on its way. */
typedef struct pending {
    sli_node_wide *node;
    void *block;
    uint32_t child;
    bool is_last;                              /* of its node */
    const unsigned char *corners[SLI_PACK][3]; /* 16 bytes each, of which 12 count */
} pending;

typedef struct queue {
    const sli_update *update;
    sli_refit_piece *piece;
    size_t added;
    uint32_t leaves; /* of the node whose blocks are being written: bits of those that are */
    sli_box boxes[SLI_WIDTH];
    float last[4]; /* the last vertex, which has no bytes behind it */
    pending ring[RING];
} queue;

static const sli_box unused = { { SLI_EMPTY_MIN, SLI_EMPTY_MIN, SLI_EMPTY_MIN, 0 },
                                { SLI_EMPTY_MAX, SLI_EMPTY_MAX, SLI_EMPTY_MAX, 0 } };

/* Writes rows of lanes: vertices of one corner, transposed; zeros for lanes not in use. */
static SLI_FORCE_INLINE void store_corner(const sli_lanes lane[SLI_PACK], sli_lanes_i32 used,
                                          int corner, sli_tri_pack *pack)
{
    sli_lanes row[3];
    sli_transpose(lane, row);
    for (int axis = 0; axis < 3; axis++) {
        *(sli_lanes_anywhere *)pack->axis[axis].vertex[corner] =
            (sli_lanes)((sli_lanes_i32)row[axis] & used);
    }
}

/* Of a pack with parts of triangles that were cut; old is its box before. */
static SLI_NOINLINE sli_box box_of_parts(sli_lanes at[3][SLI_PACK], const sli_box *old,
                                         const sli_tri_pack *pack)
{
    sli_lanes min = sli_lanes_all(INFINITY), max = -min;
    for (int lane = 0; lane < SLI_PACK && pack->prim[lane] != SL_NONE; lane++) {
        const sli_lanes to[3] = { at[0][lane], at[1][lane], at[2][lane] };
        sli_box box = { sli_lanes_min(to[0], sli_lanes_min(to[1], to[2])),
                        sli_lanes_max(to[0], sli_lanes_max(to[1], to[2])) };
        if (sli_pack_is_split(pack, lane)) {
            sli_lanes from[3];
            sli_load_lane(pack, lane, from);
            box = sli_part_moved(from, old, to);
        }
        min = sli_lanes_min(min, box.min);
        max = sli_lanes_max(max, box.max);
    }
    return (sli_box){ min, max };
}

static inline sli_lanes load_corner(const unsigned char *at)
{
    return *(const sli_lanes_anywhere *)(const void *)at;
}

/* All triangles of a pack go where the arrays say; returns their box. */
static SLI_FORCE_INLINE sli_box move_pack(const sli_update *update, const pending *leaf,
                                          sli_tri_pack *pack)
{
    sli_lanes at[3][SLI_PACK];
    sli_box boxes[SLI_PACK]; /* so that no long chain of minima arises */
    for (int lane = 0; lane < SLI_PACK; lane++) {
        const sli_lanes a = at[0][lane] = load_corner(leaf->corners[lane][0]);
        const sli_lanes b = at[1][lane] = load_corner(leaf->corners[lane][1]);
        const sli_lanes c = at[2][lane] = load_corner(leaf->corners[lane][2]);
        boxes[lane] = (sli_box){ sli_lanes_min(sli_lanes_min(a, b), c),
                                 sli_lanes_max(sli_lanes_max(a, b), c) };
    }
    sli_box_join(&boxes[0], &boxes[1]);
    sli_box_join(&boxes[2], &boxes[3]);
    sli_box_join(&boxes[0], &boxes[2]);
    sli_box box = boxes[0];
    if (__builtin_expect(sli_pack_has_split(pack), 0)) {
        const sli_box old = sli_box_of_child(leaf->node, (int)leaf->child);
        box = box_of_parts(at, &old, pack);
    }
    const sli_lanes_i32 used = sli_lanes_in_use(pack);
    for (int corner = 0; corner < 3; corner++) {
        store_corner(at[corner], used, corner, pack);
    }
    for (int lane = 0; update->new_masks && lane < SLI_PACK && pack->prim[lane] != SL_NONE;
         lane++) {
        pack->mask[lane] = sli_new_mask(update, pack->prim[lane]);
    }
    return sli_finish_box(box.min, box.max);
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

static void fetch_indices(const sli_moved *moved, const pending *leaf)
{
    const uint32_t *ids = ((const sli_tri_index *)leaf->block)->id;
    for (int lane = 0; lane < SLI_PACK && moved->indices != NULL; lane++) {
        /* triples are as long as 12 bytes, so may be in two lines */
        const uint32_t id = ids[lane] != SL_NONE ? ids[lane] : ids[0];
        const unsigned char *at = moved->indices + id * moved->index_stride;
        __builtin_prefetch(at);
        __builtin_prefetch(at + 11);
    }
}

/* Lanes not in use have the corners of the first: they leave the box as it is. */
static void fetch_corners(const queue *q, pending *leaf)
{
    const sli_moved *moved = q->update->moved;
    const uint32_t *ids = ((const sli_tri_index *)leaf->block)->id;
    const uint32_t last = (uint32_t)moved->vertex_count - 1;
    for (int lane = 0; lane < SLI_PACK; lane++) {
        const uint32_t id = ids[lane] != SL_NONE ? ids[lane] : ids[0];
        uint32_t corners[3];
        sli_moved_corners(moved, id, corners);
        for (int corner = 0; corner < 3; corner++) {
            const unsigned char *at = sli_moved_vertex(moved, corners[corner]);
            __builtin_prefetch(at);
            leaf->corners[lane][corner] =
                __builtin_expect(corners[corner] == last, 0) ? (const unsigned char *)q->last : at;
        }
    }
}

/* Writes the boxes of the children that are leaves, and counts them; the others' do not matter. */
static void write_boxes(queue *q, sli_node_wide *node)
{
    for (int half = 0; half < SLI_WIDTH; half += 4) {
        sli_lanes low[3], high[3];
        sli_lanes min[4], max[4];
        for (int child = 0; child < 4; child++) {
            min[child] = q->boxes[half + child].min;
            max[child] = q->boxes[half + child].max;
        }
        sli_transpose(min, low);
        sli_transpose(max, high);
        for (int axis = 0; axis < 3; axis++) {
            *(sli_lanes_anywhere *)(node->bounds[axis][0] + half) = low[axis];
            *(sli_lanes_anywhere *)(node->bounds[axis][1] + half) = high[axis];
        }
        q->piece->added += SLI_COST_LEAF * sli_sum_areas(low, high, q->leaves >> half);
    }
    q->leaves = 0;
    for (int child = 0; child < SLI_WIDTH; child++) {
        q->boxes[child] = unused;
    }
}

static void move_block(queue *q, const pending *leaf)
{
    const sl_bvh *tree = q->update->tree;
    q->boxes[leaf->child] = tree->vertices != NULL ? box_of_index(tree, leaf->block)
                                                   : move_pack(q->update, leaf, leaf->block);
    q->leaves |= 1u << leaf->child;
    if (leaf->is_last) {
        write_boxes(q, leaf->node);
    }
}

static void add_block(queue *q, sli_node_wide *node, uint32_t child, bool is_last, void *block)
{
    const sl_bvh *tree = q->update->tree;
    pending *leaf = &q->ring[q->added % RING];
    if (q->added >= RING) {
        move_block(q, leaf);
    }
    leaf->node = node;
    leaf->block = block;
    leaf->child = child;
    leaf->is_last = is_last;
    if (tree->vertices != NULL) {
        sli_tri_fetch(block, tree->vertices);
    } else {
        fetch_indices(q->update->moved, leaf);
        if (q->added >= STAGE) {
            fetch_corners(q, &q->ring[(q->added - STAGE) % RING]);
        }
    }
    q->added++;
}

static void finish_blocks(queue *q)
{
    const size_t waiting = q->added < RING ? q->added : RING;
    const size_t fetched = q->added < STAGE ? 0 : q->added - STAGE;
    for (size_t i = fetched; i < q->added && q->update->tree->vertices == NULL; i++) {
        fetch_corners(q, &q->ring[i % RING]);
    }
    for (size_t i = q->added - waiting; i < q->added; i++) {
        move_block(q, &q->ring[i % RING]);
    }
}

static uint32_t leaves_of(const sli_node_wide *node)
{
    uint32_t leaves = 0;
    for (uint32_t child = 0; child < SLI_WIDTH; child++) {
        leaves |= (uint32_t)sli_ref_is_block(node->child[child]) << child;
    }
    return leaves;
}

/* The lines AHEAD of some: as far as the tree goes. */
static void fetch_ahead(const sl_bvh *tree, size_t line, size_t count)
{
    const size_t begin = line + AHEAD < tree->line_count ? line + AHEAD : line;
    for (size_t i = 0; i < count; i++) {
        __builtin_prefetch(tree->lines + (begin + i) * SLI_LINE, 1);
    }
}

/* Lists the nodes of a piece on the way. */
static size_t move_blocks(const sli_update *update, sli_refit_piece *piece,
                          uint32_t nodes[SLI_PIECE_NODES])
{
    const sl_bvh *tree = update->tree;
    const size_t leaf_lines = sli_leaf_lines(sli_tree_layout(tree));
    queue q = { .update = update, .piece = piece };
    size_t count = 0;
    if (update->moved->vertex_count > 0) {
        memcpy(q.last, sli_moved_vertex(update->moved, (uint32_t)update->moved->vertex_count - 1),
               3 * sizeof(float));
    }
    for (int child = 0; child < SLI_WIDTH; child++) {
        q.boxes[child] = unused;
    }
    for (size_t line = piece->begin; line < piece->end;) {
        sli_node_wide *node = sli_tree_at(tree, line);
        nodes[count++] = (uint32_t)line;
        fetch_ahead(tree, line, SLI_NODE_LINES);
        line += SLI_NODE_LINES;
        for (uint32_t leaves = leaves_of(node); leaves != 0; leaves &= leaves - 1) {
            fetch_ahead(tree, line, leaf_lines);
            add_block(&q, node, (uint32_t)__builtin_ctz(leaves), (leaves & (leaves - 1)) == 0,
                      sli_tree_at(tree, line));
            line += leaf_lines;
        }
        if (!piece->is_subtree) {
            break;
        }
    }
    finish_blocks(&q);
    return count;
}

static void refit_pieces(void *context, size_t i)
{
    const sli_update *update = context;
    uint32_t nodes[SLI_PIECE_NODES];
    sli_refit_piece *piece = &update->tree->scratch.pieces[i];
    piece->added = piece->removed = 0;
    size_t count = move_blocks(update, piece, nodes);
    while (piece->is_subtree && count-- > 0) {
        sli_node_wide *node = sli_tree_at(update->tree, nodes[count]);
        sli_join_children(update->tree, node, 0xFF, false, piece);
        sli_node_order(node);
    }
}

void sli_update_whole(const sli_update *update, const sli_phase *phase)
{
    sli_update job = *update;
    sli_phase_each(phase, update->tree->scratch.piece_count, 1, refit_pieces, &job);
}
