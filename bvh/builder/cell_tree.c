/* Builds a binary tree over cells, and over references below, for build.c: cell_tree.h.
 * Pantaleoni and Luebke, HLBVH (2010), for the top. */
#include "bvh/builder/cell_tree.h"

#include "bvh/builder/curve.h"
#include "bvh/builder/defragment.h"
#include "lib/base/assert.h"
#include "lib/base/error.h"
#include "lib/base/memory.h"
#include "lib/base/thread/task.h"

enum {
    REFS_MIN = 2048,        /* for fewer, sorting costs as much as it saves */
    CELL_SHARE_MIN = 4,     /* references a cell on average */
    SUBTREE_MAX = 65536,    /* references of a subtree: 2 MiB, a worker's own cache */
    RANGE_CELLS_MIN = 17,   /* fewer cells are opened: too few to choose from */
    SUBTREES_PER_BLOCK = 4, /* of work */
    PIECE = 8192,           /* cells between two checkpoints of a build in slices */
};

/* Cells that are to be split, or whose references are to be built into a subtree by one worker. */
typedef struct range {
    uint32_t first_cell, cell_count;
    uint32_t begin, count; /* references: places for their leaves, and pairs of nodes */
    uint32_t root, pair;   /* of nodes, as in serial.h */
    uint32_t used;         /* pairs, once built */
    uint8_t levels, side;
} range;

typedef struct builder {
    sli_refs *refs;
    const sli_phase *phase;
    sli_serial common;
    size_t open_max;
    sli_cells cells;
    sli_ref *side[2]; /* the cells, which splitting moves between two arrays */
    range *ranges;    /* to be built */
    size_t range_count, largest;
    sli_ref *scratch; /* two arrays of the largest range for each worker */
} builder;

/* A range on the stack, with what binning needs. */
typedef struct open_range {
    range range;
    sli_box bounds, centres;
} open_range;

static size_t piece_of(size_t left)
{
    return left < PIECE ? left : PIECE;
}

static void fill_bins(const builder *build, const sli_planes *planes, const sli_ref *cells,
                      size_t count, sli_bins *bins)
{
    sli_bins_fill_weighted(bins, planes, cells, piece_of(count));
    for (size_t done = PIECE; done < count; done += PIECE) {
        sli_bins more;
        sli_phase_pause(build->phase);
        sli_bins_fill_weighted(&more, planes, cells + done, piece_of(count - done));
        sli_bins_join(bins, &more, planes);
    }
}

static uint32_t count_left(const builder *build, const sli_cut *cut, const sli_planes *planes,
                           const sli_ref *cells, size_t count)
{
    uint32_t left = 0;
    for (size_t i = 0; i < count; i++) {
        sli_slices_pause_at(build->phase->slices, i, PIECE);
        left += sli_cut_is_left(cut, planes, &cells[i]);
    }
    return left;
}

/* Moves the cells to both sides, of which the left one gets `left`, and bounds their centres. */
static void move_cells(const builder *build, const sli_cut *cut, const sli_planes *planes,
                       const sli_ref *cells, size_t count, sli_ref *to, uint32_t left,
                       sli_box centres[2])
{
    sli_ref *next[2] = { to, to + left };
    centres[0] = centres[1] = sli_box_empty();
    for (size_t done = 0; done < count; done += PIECE) {
        const size_t piece = piece_of(count - done);
        const sli_ref *from = cells + done;
        sli_box of_piece[2];
        sli_cut_move(cut, planes, from, piece, next[0], next[1], of_piece);
        for (int k = 0; k < 2; k++) {
            sli_box_join(&centres[k], &of_piece[k]);
        }
        const size_t gone = piece == count ? left : count_left(build, cut, planes, from, piece);
        next[0] += gone;
        next[1] += piece - gone;
        sli_phase_pause(build->phase);
    }
}

/* False where no plane separates the cells. */
static bool cell_tree_split(const builder *build, const open_range *at, open_range halves[2])
{
    const range *whole = &at->range;
    const size_t count = whole->cell_count;
    const sli_ref *from = build->side[whole->side] + whole->first_cell;
    sli_ref *to = build->side[1 - whole->side] + whole->first_cell;
    const sli_ref_set set = { .count = whole->count,
                              .bounds = at->bounds,
                              .centres = at->centres,
                              .side_max = sli_side_max(build->common.leaf_max, whole->levels) };
    const sli_planes planes = sli_planes_make(&set);
    sli_bins bins;
    sli_cut cut;
    fill_bins(build, &planes, from, count, &bins);
    if (!sli_bins_choose(&bins, &planes, &set, &cut)) {
        return false;
    }
    const uint32_t left = count_left(build, &cut, &planes, from, count);
    sli_box centres[2];
    move_cells(build, &cut, &planes, from, count, to, left, centres);
    halves[0].range = halves[1].range = *whole;
    for (uint32_t k = 0; k < 2; k++) {
        halves[k].range.side = 1 - whole->side;
        halves[k].range.levels--;
        halves[k].range.root = 1 + 2 * whole->pair + k;
        halves[k].bounds = cut.bounds[k];
        halves[k].centres = centres[k];
    }
    range *a = &halves[0].range, *b = &halves[1].range;
    a->cell_count = left;
    a->count = (uint32_t)cut.left_count;
    a->pair = whole->pair + 1;
    b->first_cell += left;
    b->cell_count -= left;
    b->begin += a->count;
    b->count -= a->count;
    b->pair = whole->pair + a->count;
    return true;
}

static void add_range(builder *build, const range *added)
{
    build->ranges[build->range_count++] = *added;
    build->largest = added->count > build->largest ? added->count : build->largest;
}

/* Splits cells from the root down. */
static void split_top(void *context)
{
    builder *build = context;
    const sli_refs *refs = build->refs;
    sli_node2 *nodes = build->common.nodes;
    open_range stack[SLI_BINARY_LEVELS + 1];
    int top = 0;
    stack[top++] = (open_range){ .range = { .cell_count = (uint32_t)build->cells.count,
                                            .count = (uint32_t)refs->count,
                                            .levels = SLI_BINARY_LEVELS },
                                 .bounds = refs->bounds,
                                 .centres = build->cells.centres };
    sli_node2_set_box(&nodes[0], &refs->bounds);
    while (top > 0) {
        const open_range at = stack[--top];
        open_range halves[2];
        const bool opened =
            at.range.count <= build->open_max || at.range.cell_count < RANGE_CELLS_MIN;
        if (opened || !cell_tree_split(build, &at, halves)) {
            add_range(build, &at.range);
            continue;
        }
        nodes[at.range.root].first = halves[0].range.root;
        nodes[at.range.root].count = 0;
        for (int k = 1; k >= 0; k--) { /* the left half is next */
            sli_node2_set_box(&nodes[halves[k].range.root], &halves[k].bounds);
            stack[top++] = halves[k];
        }
    }
}

static void prefetch_refs(const builder *build, const sli_ref *cell)
{
    const sli_curve_item *items = build->cells.items + cell->prim;
    for (uint32_t k = 0; k < cell->spare; k++) {
        __builtin_prefetch(&build->refs->side[0][items[k].ref]);
    }
}

/* Copies the references of a range, and returns the bounds of their centres. */
static sli_box cell_tree_gather(const builder *build, const range *at, sli_ref *to)
{
    const sli_ref *cells = build->side[at->side] + at->first_cell;
    sli_box centres = sli_box_empty();
    for (size_t i = 0; i < at->cell_count; i++) {
        sli_slices_pause_at(build->phase->slices, i, 64);
        if (i + 1 < at->cell_count) {
            prefetch_refs(build, &cells[i + 1]);
        }
        const sli_curve_item *items = build->cells.items + cells[i].prim;
        for (uint32_t k = 0; k < cells[i].spare; k++) {
            *to = build->refs->side[0][items[k].ref];
            sli_box_add(&centres, sli_ref_centre(to++));
        }
    }
    return centres;
}

static void build_range(const builder *build, range *at, sli_ref *scratch[2])
{
    const sli_node2 *root = &build->common.nodes[at->root];
    sli_serial serial = build->common;
    serial.splitter.side[0] = scratch[0];
    serial.splitter.side[1] = scratch[1];
    serial.first = at->begin;
    const sli_subtree subtree = {
        .range = { .set = { .count = at->count,
                            .bounds = { { root->min[0], root->min[1], root->min[2] },
                                        { root->max[0], root->max[1], root->max[2] } },
                            .centres = cell_tree_gather(build, at, scratch[0]),
                            .side_max = sli_side_max(serial.leaf_max, at->levels) },
                   .capacity = at->count },
        .root = at->root,
        .pair = at->pair,
        .levels = at->levels
    };
    at->used = sli_subtree_build(&serial, &subtree);
}

static void build_ranges(void *context, size_t begin, size_t end, int worker)
{
    const builder *build = context;
    sli_ref *first = build->scratch + 2 * (size_t)worker * build->largest;
    sli_ref *scratch[2] = { first, first + build->largest };
    for (size_t i = begin; i < end; i++) {
        build_range(build, &build->ranges[i], scratch);
    }
}

static sl_result close_gaps(builder *build, sli_arena *arena, size_t *node_count)
{
    size_t count = 0;
    sli_cluster *clusters = sli_arena_array(arena, build->range_count, sizeof *clusters);
    SLI_TRY(sli_had_memory(build->phase->error, clusters != NULL));
    for (size_t i = 0; i < build->range_count; i++) {
        const range *at = &build->ranges[i];
        if (at->count > 1) {
            clusters[count++] = (sli_cluster){ at->pair, at->count - 1, at->used };
        }
    }
    return sli_defragment(clusters, count, &build->refs->allocator, build->phase,
                          &build->common.nodes, node_count);
}

/* Arrays over references; those over cells are there. */
static bool allocate_nodes(builder *build, size_t *node_count)
{
    const sl_allocator *allocator = &build->refs->allocator;
    *node_count = 2 * build->refs->count - 1; /* as many as leaves of one reference would need */
    build->common.nodes = sli_alloc_array(allocator, *node_count, sizeof *build->common.nodes);
    const bool allocated = build->common.nodes != NULL && sli_refs_add_prims(build->refs);
    build->common.prims = build->refs->prims;
    return allocated;
}

static sl_result build_below(builder *build, sli_arena *arena, size_t *node_count)
{
    const size_t scratch = 2 * build->largest * (size_t)sli_worker_count(build->phase->tasks);
    build->scratch = sli_alloc_array(&build->refs->allocator, scratch, sizeof *build->scratch);
    sl_result result = build->scratch != NULL ? SL_OK : sli_fail_memory(build->phase->error);
    result = SLI_THEN(result, sli_phase_run(build->phase, "subtrees", build->range_count,
                                            SUBTREES_PER_BLOCK, build_ranges, build));
    sli_free_array(&build->refs->allocator, build->scratch, scratch, sizeof *build->scratch);
    sli_refs_keep_prims(build->refs);
    return result == SL_OK ? close_gaps(build, arena, node_count) : result;
}

static void free_nodes(builder *build, size_t node_count)
{
    sli_refs *refs = build->refs;
    sli_free_array(&refs->allocator, build->common.nodes, node_count, sizeof(sli_node2));
    build->common.nodes = NULL;
}

static sl_result build_all(builder *build, sli_arena *arena, size_t *node_count)
{
    sl_result result = sli_cells_create(build->refs, arena, build->phase, &build->cells);
    const size_t count = build->cells.count;
    if (result != SL_OK || count > build->refs->count / CELL_SHARE_MIN) {
        return result;
    }
    build->side[0] = build->cells.cells;
    build->side[1] = sli_arena_array(arena, count, sizeof *build->side[1]);
    build->ranges = sli_arena_array(arena, count, sizeof *build->ranges);
    if (build->side[1] == NULL || build->ranges == NULL || !allocate_nodes(build, node_count)) {
        result = sli_fail_memory(build->phase->error);
    } else {
        sli_phase_once(build->phase, split_top, build);
        if (build->largest <= SUBTREE_MAX) {
            result = build_below(build, arena, node_count);
        }
    }
    const bool built = result == SL_OK && build->largest <= SUBTREE_MAX;
    if (!built) {
        free_nodes(build, *node_count);
    }
    return result;
}

sl_result sli_cell_tree(sli_refs *refs, size_t leaf_max, size_t open_max, const sli_phase *phase,
                        sli_node2 **nodes, size_t *node_count)
{
    builder build = { .refs = refs,
                      .phase = phase,
                      .common = { .splitter = { .slices = phase->slices }, .leaf_max = leaf_max },
                      .open_max = open_max };
    sli_arena arena = sli_arena_make(&refs->allocator);
    sl_result result = SL_OK;
    if (refs->count >= REFS_MIN) {
        result = build_all(&build, &arena, node_count);
    }
    sli_arena_free(&arena);
    *nodes = build.common.nodes;
    return result;
}
