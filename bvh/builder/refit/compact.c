/* Two passes over the blocks: each corner claims its vertex of the tree for that of the mesh, the
 * last one wins; then each sees whether it has the bits of the one that won. */
#include "bvh/builder/refit/compact.h"

#include "bvh/builder/refit/pieces.h"
#include "lib/base/atomic.h"
#include "lib/base/inline.h"

enum { GRAIN = 16384, POSITION_BYTES = 3 * sizeof(float) };

typedef struct matching {
    const sl_bvh *tree;
    const sli_moved *moved;
    sli_refit_scratch *scratch;
    const uint64_t *dirty; /* a bit for each triangle; NULL: all */
    size_t differing;
} matching;

/* Where a triangle's corner comes from, or SL_NONE where it stays. */
static void sources_of(const matching *all, uint32_t prim, uint32_t corners[3])
{
    if (all->dirty != NULL && (all->dirty[prim / 64] >> (prim % 64) & 1) == 0) {
        corners[0] = corners[1] = corners[2] = SL_NONE;
    } else {
        sli_moved_corners(all->moved, prim, corners);
    }
}

static void compact_claim(matching *all, const sli_tri_index *block, int lane)
{
    uint32_t corners[3];
    sources_of(all, block->id[lane], corners);
    for (int corner = 0; corner < 3; corner++) {
        sli_atomic_store_u32(&all->scratch->sources[block->vertex[corner][lane]], corners[corner]);
    }
}

static const void *bytes_of(const matching *all, uint32_t source, uint32_t vertex)
{
    return source != SL_NONE ? (const void *)sli_moved_vertex(all->moved, source)
                             : (const void *)(all->tree->vertices + 3 * (size_t)vertex);
}

static void compact_compare(matching *all, const sli_tri_index *block, int lane)
{
    uint32_t corners[3];
    sources_of(all, block->id[lane], corners);
    for (int corner = 0; corner < 3; corner++) {
        const uint32_t vertex = block->vertex[corner][lane];
        const uint32_t source = all->scratch->sources[vertex];
        if (source != corners[corner] &&
            memcmp(bytes_of(all, source, vertex), bytes_of(all, corners[corner], vertex),
                   POSITION_BYTES) != 0) {
            sli_atomic_fetch_add_size(&all->differing, 1);
        }
    }
}

static SLI_FORCE_INLINE void for_lanes(matching *all, size_t i,
                                       void (*fn)(matching *, const sli_tri_index *, int))
{
    const sli_refit_piece *piece = &all->scratch->pieces[i];
    for (size_t line = piece->begin; line < piece->end;) {
        const sli_node_wide *node = sli_tree_node(all->tree, (uint32_t)line);
        line += SLI_NODE_LINES;
        for (int child = 0; child < SLI_WIDTH; child++) {
            if (!sli_ref_is_block(node->child[child])) {
                continue;
            }
            const sli_tri_index *block = sli_tree_block(all->tree, (uint32_t)line);
            for (int lane = 0; lane < SLI_PACK && block->id[lane] != SL_NONE; lane++) {
                fn(all, block, lane);
            }
            line += SLI_INDEX_LINES;
        }
        if (!piece->is_subtree) {
            break;
        }
    }
}

static void claim_piece(void *context, size_t i)
{
    for_lanes(context, i, compact_claim);
}

static void compare_piece(void *context, size_t i)
{
    for_lanes(context, i, compact_compare);
}

static void mark_dirty(const sli_moved *moved, size_t prim_count, sli_refit_scratch *scratch)
{
    memset(scratch->changed, 0, (prim_count + 63) / 64 * sizeof *scratch->changed);
    for (size_t i = 0; i < moved->dirty_count; i++) {
        const size_t first = moved->dirty[i].first;
        for (size_t prim = first; prim < first + moved->dirty[i].count; prim++) {
            scratch->changed[prim / 64] |= UINT64_C(1) << (prim % 64);
        }
    }
}

bool sli_compact_sources(const sl_bvh *tree, const sli_moved *moved, sli_refit_scratch *scratch,
                         const sli_phase *phase)
{
    matching all = { .tree = tree, .moved = moved, .scratch = scratch };
    if (moved->dirty != NULL) {
        mark_dirty(moved, tree->prim_count, scratch);
        all.dirty = scratch->changed;
    }
    sli_phase_each(phase, scratch->piece_count, 1, claim_piece, &all);
    sli_phase_each(phase, scratch->piece_count, 1, compare_piece, &all);
    return all.differing == 0;
}

typedef struct moving {
    sl_bvh *tree;
    const sli_moved *moved;
} moving;

/* Vertex 0, which no triangle has, stays. */
static void move_vertices(void *context, size_t begin, size_t end, int worker)
{
    (void)worker;
    const moving *job = context;
    for (size_t i = begin + 1; i < end + 1; i++) {
        const uint32_t source = job->tree->scratch.sources[i];
        if (source != SL_NONE) {
            memcpy(job->tree->vertices + 3 * i, sli_moved_vertex(job->moved, source),
                   POSITION_BYTES);
        }
    }
}

void sli_compact_move(sl_bvh *tree, const sli_moved *moved, const sli_phase *phase)
{
    moving job = { tree, moved };
    sli_phase_blocks(phase, tree->vertex_floats / 3 - 1, GRAIN, move_vertices, &job);
}
