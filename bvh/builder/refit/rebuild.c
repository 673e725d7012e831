/* Chooses pieces that have become bad, and builds them anew, for update.c. */
#include "bvh/builder/refit/rebuild.h"

#include "bvh/builder/refit/boxes.h"
#include "bvh/builder/refit/deal.h"
#include "bvh/builder/wide/node_order.h"

/* A share of the cost that has grown by less is left alone. */
static const double grown = 1.2;

static double share_of(const sl_bvh *tree, double cost)
{
    const double area = sli_half_area(tree->bounds.min, tree->bounds.max);
    return area > 0 ? cost / area : 0;
}

/* All boxes of a piece that is a subtree, weighted. */
static double cost_of(const sl_bvh *tree, const sli_refit_piece *piece)
{
    const size_t leaf_lines = sli_leaf_lines(sli_tree_layout(tree));
    double cost = 0;
    for (size_t line = piece->begin; line < piece->end;) {
        const sli_node_wide *node = sli_tree_node(tree, (uint32_t)line);
        line += SLI_NODE_LINES;
        for (int child = 0; child < SLI_WIDTH; child++) {
            if (node->child[child] == SLI_REF_EMPTY) {
                continue;
            }
            const bool is_leaf = (node->child[child] & SLI_REF_LEAF) != 0;
            const sli_box box = sli_box_of_child(node, child);
            cost += (is_leaf ? SLI_COST_LEAF : SLI_COST_NODE) * sli_box_area(&box);
            line += is_leaf ? leaf_lines : 0;
        }
    }
    return cost;
}

typedef struct measuring {
    const sl_bvh *tree;
    sli_refit_scratch *scratch;
} measuring;

static void measure_pieces(void *context, size_t i)
{
    const measuring *job = context;
    sli_refit_piece *piece = &job->scratch->pieces[i];
    piece->cost = piece->is_subtree ? cost_of(job->tree, piece) : 0;
    piece->share = share_of(job->tree, piece->cost);
}

void sli_rebuild_measure(const sl_bvh *tree, sli_refit_scratch *scratch, const sli_phase *phase)
{
    measuring job = { tree, scratch };
    sli_phase_each(phase, scratch->piece_count, 1, measure_pieces, &job);
    scratch->measured = true;
}

typedef struct choice {
    sl_bvh *tree;
    float share;
    bool any; /* chosen; then changed */
} choice;

/* The piece that has grown most of those not chosen, or SIZE_MAX. */
static size_t rebuild_worst(const sl_bvh *tree)
{
    const sli_refit_scratch *scratch = &tree->scratch;
    double most = 0;
    size_t found = SIZE_MAX;
    for (size_t i = 0; i < scratch->piece_count; i++) {
        const sli_refit_piece *piece = &scratch->pieces[i];
        const double share = share_of(tree, piece->cost), growth = share - piece->share;
        if (piece->is_subtree && !piece->chosen && share > grown * piece->share && growth > most) {
            most = growth;
            found = i;
        }
    }
    return found;
}

static void rebuild_choose(void *context)
{
    choice *all = context;
    const sli_refit_scratch *scratch = &all->tree->scratch;
    const double most = (double)all->share * (double)all->tree->line_count;
    double lines = 0;
    for (size_t i = 0; i < scratch->piece_count; i++) {
        scratch->pieces[i].chosen = false;
        scratch->pieces[i].added = scratch->pieces[i].removed = 0;
    }
    while (lines < most) {
        const size_t i = rebuild_worst(all->tree);
        if (i == SIZE_MAX) {
            break;
        }
        scratch->pieces[i].chosen = all->any = true;
        lines += scratch->pieces[i].end - scratch->pieces[i].begin;
    }
}

/* Boxes and orders from the blocks up; adds what they cost to piece->added. */
static void join_piece(const sl_bvh *tree, const sli_deal_scratch *scratch, sli_refit_piece *piece)
{
    for (size_t i = scratch->node_count; i-- > 0;) {
        sli_node_wide *node = sli_tree_at(tree, scratch->nodes[i]);
        for (int child = 0; child < SLI_WIDTH; child++) {
            if (sli_ref_is_block(node->child[child])) {
                const sli_tri_pack *pack = sli_tree_block(tree, node->child[child]);
                const sli_box box = sli_box_of_pack(pack, NULL, true);
                sli_set_box(node, child, &box, SLI_COST_LEAF, false, piece);
            }
        }
        sli_join_children(tree, node, 0xFF, false, piece);
        sli_node_order(node);
    }
}

static void rebuild_piece(const sl_bvh *tree, sli_refit_piece *piece, sli_deal_scratch *scratch)
{
    piece->chosen = false; /* until it has changed */
    if (sli_deal(tree, piece, scratch)) {
        join_piece(tree, scratch, piece);
        if (piece->added < piece->cost) {
            piece->chosen = true;
            piece->removed = piece->cost;
            piece->cost = piece->added;
        } else {
            sli_deal_undo(tree, piece, scratch);
            piece->added = 0;
        }
    }
    piece->share = share_of(tree, piece->cost);
}

static void rebuild_pieces(void *context, size_t begin, size_t end, int worker)
{
    const choice *all = context;
    sli_refit_scratch *scratch = &all->tree->scratch;
    for (size_t i = begin; i < end; i++) {
        if (scratch->pieces[i].chosen) {
            rebuild_piece(all->tree, &scratch->pieces[i],
                          (sli_deal_scratch *)scratch->dealing + worker);
        }
    }
}

bool sli_rebuild(sl_bvh *tree, float share, const sli_phase *phase)
{
    choice all = { .tree = tree, .share = share };
    sli_phase_once(phase, rebuild_choose, &all);
    if (!all.any) {
        return false;
    }
    sli_phase_blocks(phase, tree->scratch.piece_count, 1, rebuild_pieces, &all);
    all.any = false;
    for (size_t i = 0; i < tree->scratch.piece_count; i++) {
        all.any = all.any || tree->scratch.pieces[i].chosen;
    }
    return all.any;
}
