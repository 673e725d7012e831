/* Memory is brought up to date by the least that does it: nothing where it is the tree's own, or
 * where a sibling's blocks are written anyway; the blocks that differ where it is that of the
 * version before; else every byte. */
#include "bvh/builder/refit/versions.h"

#include "bvh/builder/refit/deal.h"
#include "bvh/builder/refit/paths.h"
#include "bvh/tree/fill_child_masks.h"
#include "lib/base/memory.h"

enum { COPY_LINES = 4096 };

static bool versions_fits(const sl_bvh *tree, const sl_bvh *memory)
{
    return memory != NULL && !memory->borrowed && memory->line_count == tree->line_count &&
           memory->prim_count == tree->prim_count && memory->vertex_floats == tree->vertex_floats;
}

static sl_bvh *versions_create(const sl_bvh *tree, const sl_allocator *allocator)
{
    sl_bvh *made = sli_tree_create(allocator, tree->line_count, tree->prim_count);
    if (made == NULL || tree->vertices == NULL) {
        return made;
    }
    made->vertices = sli_alloc_large(allocator, tree->vertex_floats, sizeof *made->vertices);
    if (made->vertices == NULL) {
        sl_bvh_destroy(made);
        return NULL;
    }
    made->vertex_floats = tree->vertex_floats;
    return made;
}

/* Of memory of another family nothing is known of the pieces and paths. */
static void leave_family(const sl_bvh *tree, sl_bvh *memory)
{
    if (memory->lineage.family != tree->lineage.family) {
        memory->scratch.piece_count = 0;
        memory->scratch.indexed = false;
    }
}

static bool make_all_scratch(const sli_versioning *v, sl_bvh *version)
{
    const sl_bvh *tree = v->tree;
    const bool compact = tree->vertices != NULL;
    sli_refit_scratch *scratch = &version->scratch;
    const size_t bits = compact ? tree->prim_count : tree->line_count;
    bool done = sli_own_world_reserve(version);
    leave_family(tree, version);
    if (done && v->dirty != NULL && !compact) {
        done = sli_refit_paths(tree, &version->allocator, scratch);
    }
    if (done && (v->positions || v->dirty != NULL)) {
        done = sli_refit_pieces(tree, &version->allocator, scratch);
    }
    if (done && v->dirty != NULL) {
        done = sli_scratch_array(&version->allocator, &scratch->changed, &scratch->changed_words,
                                 (bits + 63) / 64, sizeof *scratch->changed);
    }
    if (done && v->rebuilds) {
        done = sli_scratch_array(&version->allocator, &scratch->dealing, &scratch->dealing_bytes,
                                 (size_t)v->workers * sizeof(sli_deal_scratch), 1);
    }
    if (done && compact && v->positions) {
        done = sli_scratch_array(&version->allocator, &scratch->sources, &scratch->source_count,
                                 tree->vertex_floats / 3, sizeof *scratch->sources);
    }
    if (done && compact && (v->masks || tree->masks != NULL) && version->masks == NULL) {
        version->masks =
            sli_alloc_array(&version->allocator, tree->prim_count, sizeof *version->masks);
        done = version->masks != NULL;
        if (done) {
            memset(version->masks, 0xFF, tree->prim_count * sizeof *version->masks);
        }
    }
    if (done && (v->some_masks || tree->child_masks.filled)) {
        done = sli_child_masks_reserve(version);
    }
    return done;
}

sl_bvh *sli_version_memory(const sli_versioning *v)
{
    sl_bvh *version =
        versions_fits(v->tree, v->recycle) ? v->recycle : versions_create(v->tree, &v->allocator);
    if (version != NULL && !make_all_scratch(v, version)) {
        sli_version_abandon(v, version);
        return NULL;
    }
    return version;
}

/* Scratch that was made stays with a recycled tree. */
void sli_version_abandon(const sli_versioning *v, sl_bvh *version)
{
    if (version != v->recycle) {
        sl_bvh_destroy(version);
        return;
    }
    leave_family(v->tree, version);
    version->lineage.from = 0; /* the bits of what changed may be gone */
    sli_tree_measure_container(version);
}

typedef struct copying {
    const sl_bvh *from;
    sl_bvh *to;
    bool words; /* of child_masks.h, too, where only some nodes are copied */
} copying;

static void copy_lines(void *context, size_t begin, size_t end, int worker)
{
    (void)worker;
    const copying *job = context;
    memcpy(job->to->lines + begin * SLI_LINE, job->from->lines + begin * SLI_LINE,
           (end - begin) * SLI_LINE);
}

static void copy_all(const sl_bvh *from, sl_bvh *to, const sli_phase *phase)
{
    copying job = { .from = from, .to = to };
    sli_phase_blocks(phase, from->line_count, COPY_LINES, copy_lines, &job);
    if (from->prim_count > 0) {
        memcpy(to->slots, from->slots, from->prim_count * sizeof *to->slots);
    }
    if (from->vertices != NULL) {
        memcpy(to->vertices, from->vertices, from->vertex_floats * sizeof *to->vertices);
    }
}

static void copy_masks(const sl_bvh *from, sl_bvh *to)
{
    if (to->masks != NULL && from->masks != NULL) {
        memcpy(to->masks, from->masks, from->prim_count * sizeof *to->masks);
    } else if (to->masks != NULL) {
        memset(to->masks, 0xFF, from->prim_count * sizeof *to->masks);
    }
}

/* What follows from words, and the words where they are not right. */
static void copy_child_masks(const sl_bvh *from, sl_bvh *to, bool right)
{
    if (from->child_masks.filled && !right) {
        memcpy(to->child_masks.words, from->child_masks.words,
               to->child_masks.capacity * sizeof *to->child_masks.words);
    }
    sli_child_masks_follow(from, to);
}

/* What its pieces cost. */
static void copy_measure(const sl_bvh *from, sl_bvh *to)
{
    to->scratch.measured =
        from->scratch.measured && from->scratch.piece_count == to->scratch.piece_count;
    for (size_t i = 0; to->scratch.measured && i < to->scratch.piece_count; i++) {
        to->scratch.pieces[i].cost = from->scratch.pieces[i].cost;
        to->scratch.pieces[i].share = from->scratch.pieces[i].share;
    }
}

static void copy_at(const sl_bvh *from, sl_bvh *to, size_t line, size_t count)
{
    memcpy(to->lines + line * SLI_LINE, from->lines + line * SLI_LINE, count * SLI_LINE);
}

/* A node, and those of its blocks that were changed: their lines, which may not be beyond end. */
static size_t copy_node(const copying *job, size_t node, size_t end)
{
    const uint64_t *changed = job->from->scratch.changed;
    size_t line = node + SLI_NODE_LINES;
    copy_at(job->from, job->to, node, SLI_NODE_LINES);
    if (job->words) {
        const size_t words = sli_child_mask_at((uint32_t)node);
        memcpy(job->to->child_masks.words + words, job->from->child_masks.words + words,
               SLI_WIDTH * sizeof(uint32_t));
    }
    for (; line < end && !sli_is_set(job->from->scratch.nodes, line); line += SLI_PACK_LINES) {
        if (sli_is_set(changed, line)) {
            copy_at(job->from, job->to, line, SLI_PACK_LINES);
        }
    }
    return line;
}

static void copy_changed(void *context, size_t begin, size_t end, int worker)
{
    (void)worker;
    const copying *job = context;
    for (size_t i = begin; i < end; i++) {
        const sli_refit_piece *piece = &job->from->scratch.pieces[i];
        if (!piece->is_subtree) {
            copy_node(job, piece->begin, piece->end);
            continue;
        }
        size_t line = piece->begin;
        while ((line = sli_next_changed(job->from->scratch.changed, line, piece->end)) <
               piece->end) {
            line = copy_node(job, sli_node_of_line(&job->from->scratch, line), piece->end);
        }
    }
}

void sli_version_follow(const sli_versioning *v, sl_bvh *version, const sli_phase *phase)
{
    const sl_bvh *tree = v->tree;
    const sli_lineage *from = &tree->lineage, *is = &version->lineage;
    const bool compact = tree->vertices != NULL;
    const bool siblings = is->family == from->family;
    const bool same_masks = siblings && is->masks == from->masks;
    const bool same_groups = siblings && is->groups == from->groups;
    const size_t old_version = from->version;
    if (version != tree) {
        const bool filled = tree->child_masks.filled && version->child_masks.filled;
        copying job = { tree, version, filled };
        bool right = filled && same_masks && same_groups;
        if (siblings && !compact && from->from != 0 && from->from == is->version) {
            sli_phase_blocks(phase, tree->scratch.piece_count, 16, copy_changed, &job);
            right = filled;
        } else if (!(same_groups && v->positions && v->dirty == NULL && (same_masks || compact))) {
            copy_all(tree, version, phase);
        }
        if (!same_masks) {
            copy_masks(tree, version);
        }
        copy_child_masks(tree, version, right);
        version->root = tree->root;
        version->triangle_count = tree->triangle_count;
        version->reach = tree->reach;
        version->bounds = tree->bounds;
        version->info = tree->info;
        version->cost_error = tree->cost_error;
        copy_measure(tree, version);
    }
    version->built_cost = tree->built_cost > 0 ? tree->built_cost : tree->info.sah_cost;
    sli_lineage_join(&version->lineage, from);
    if (version != tree && v->dirty != NULL && !compact) {
        version->lineage.from = old_version;
    }
    if (v->masks) {
        version->lineage.masks = version->lineage.version;
    }
}

void sli_version_finish(const sli_versioning *v, const sl_bvh *version)
{
    if (v->recycle != NULL && v->recycle != version) {
        sl_bvh_destroy(v->recycle);
    }
}
