/* The tree as a whole: which way it is refitted, the nodes above its pieces, and its figures.
 *
 * The cost of the tree is a sum over boxes: it is taken anew by a whole refit, and follows the
 * boxes that change in one of dirty ranges, until the roundings may matter.  Every piece has a sum
 * of its own, and these are added in order, so that workers do not matter. */
#include "bvh/builder/refit/update.h"

#include "bvh/builder/refit/boxes.h"
#include "bvh/builder/refit/child_masks.h"
#include "bvh/builder/refit/rebuild.h"
#include "bvh/builder/wide/node_order.h"

/* Costs that may be off by more than this share are measured anew. */
static const double error_max = 0x1p-32;

static void join_top(const sli_update *update)
{
    const sl_bvh *tree = update->tree;
    const sli_refit_scratch *scratch = &tree->scratch;
    for (size_t i = scratch->piece_count; i-- > 0;) {
        sli_refit_piece *piece = &scratch->pieces[i];
        if (!piece->is_subtree) {
            sli_node_wide *node = sli_tree_at(tree, piece->begin);
            sli_join_children(tree, node, 0xFF, update->moved->dirty != NULL, piece);
            sli_node_order(node);
        }
    }
}

/* A sum is off by fewer roundings than it has terms, of which there are seldom as many as this
 * power of two; and the slack of the checker is wider. */
enum { TERMS_BITS = 12 };

/* old_area is that of the bounds before. */
static void take_cost(const sli_update *update, double old_area)
{
    sl_bvh *tree = update->tree;
    const double area = sli_half_area(tree->bounds.min, tree->bounds.max),
                 cost = tree->info.sah_cost;
    double added = 0, removed = 0, sum = 0, error = 0;
    for (size_t i = 0; i < tree->scratch.piece_count; i++) {
        added += tree->scratch.pieces[i].added;
        removed += tree->scratch.pieces[i].removed;
    }
    sum = added;
    if (update->moved->dirty != NULL) {
        sum = (cost - SLI_COST_NODE) * old_area + (added - removed);
        error = (tree->cost_error + 0x1p-51 * cost) * old_area;
    }
    error += (added + removed) * (0x1p-53 * (1 << TERMS_BITS));
    tree->info.sah_cost = SLI_COST_NODE + sum / area;
    tree->cost_error = error / area + 0x1p-51 * tree->info.sah_cost;
    const bool follows = update->moved->dirty == NULL || old_area > 0;
    if (!(follows && area > 0 && tree->cost_error <= error_max * tree->info.sah_cost)) {
        sli_tree_measure(tree);
        tree->cost_error = 0;
    }
}

/* As a block of one, for the floating-point environment. */
static void update_finish(void *context)
{
    const sli_update *update = context;
    const sl_aabb *bounds = &update->tree->bounds;
    const double old_area = sli_half_area(bounds->min, bounds->max);
    join_top(update);
    const sli_box box = sli_box_of_node(sli_tree_node(update->tree, update->tree->root));
    sli_tree_set_bounds(update->tree, (const float *)&box.min, (const float *)&box.max);
    take_cost(update, old_area);
}

/* What pieces cost, for rebuild.c. */
static void follow_costs(void *context)
{
    const sli_update *update = context;
    const sli_refit_scratch *scratch = &update->tree->scratch;
    for (size_t i = 0; i < scratch->piece_count; i++) {
        sli_refit_piece *piece = &scratch->pieces[i];
        const double kept = update->moved->dirty != NULL ? piece->cost - piece->removed : 0;
        piece->cost = kept + piece->added;
    }
}

/* Of a compact tree. */
static void write_masks(const sli_update *update)
{
    sl_bvh *tree = update->tree;
    const sli_moved *moved = update->moved;
    for (size_t i = 0; i < sli_moved_range_count(moved); i++) {
        const sl_prim_range range = sli_moved_range(moved, tree, i);
        for (uint32_t k = 0; k < range.count; k++) {
            tree->masks[range.first + k] = sli_new_mask(update, range.first + k);
        }
    }
}

/* Whether triangles have changed blocks. */
static bool update_blocks(const sli_update *update, const sli_phase *phase)
{
    sl_bvh *tree = update->tree;
    const bool compact = tree->vertices != NULL;
    sli_update job = *update;
    const sl_prim_range some = { 0, 0 };
    sli_moved whole = *update->moved;
    whole.dirty = NULL;
    if (compact && update->new_masks) {
        write_masks(update);
    }
    if (compact) { /* its vertices are shared, so that any box may have changed */
        job.moved = &whole;
        job.new_masks = false;
    }
    if (!update->positions) {
        if (!compact) {
            sli_update_lanes(update, phase);
        }
        return false;
    }
    const bool rebuilds = job.rebuild_share > 0 && !compact;
    if (job.moved->dirty == NULL) {
        sli_update_whole(&job, phase);
    } else {
        sli_update_dirty(&job, phase);
    }
    sli_phase_once(phase, update_finish, &job);
    sli_phase_once(phase, follow_costs, &job);
    if (!rebuilds || !sli_rebuild(tree, job.rebuild_share, phase)) {
        return false;
    }
    whole.dirty = &some; /* as parts changed */
    job.moved = &whole;
    sli_phase_once(phase, update_finish, &job);
    tree->lineage.groups = tree->lineage.version;
    tree->lineage.from = 0;
    return true;
}

void sli_update_tree(const sli_update *update, const sli_phase *phase)
{
    if (update->tree->root != SLI_REF_EMPTY) {
        sli_update_child_masks(update, update_blocks(update, phase), phase);
    }
}
