/* Pairs of triangles of two instances: down both trees to pairs of leaves, and of these the
 * triangles by four and four. */
#include "bvh/contact/walk/leaf.h"
#include "bvh/contact/walk/once.h"
#include "bvh/contact/walk/parts.h"

enum { LEAVES = 8 }; /* unpacked, of either tree: those of a node's children at least */

/* A walk on its way through a pair of instances. */
typedef struct pair_walk {
    sli_walk *walk;
    const sli_transformed *transformed[2];
    uint32_t number[2];
    double margin; /* that the walk was last told */
    sli_leaf4 leaves[2][LEAVES];
} pair_walk;

static const sli_leaf4 *walk_leaf(pair_walk *w, int side, uint32_t ref)
{
    const sli_transformed *transformed = w->transformed[side];
    const size_t lines = sli_leaf_lines(sli_tree_layout(transformed->tree));
    sli_leaf4 *leaf = &w->leaves[side][(ref & SLI_REF_LINE) / lines % LEAVES];
    if (leaf->ref != ref) {
        sli_leaf_unpack(transformed, w->number[side], side == 0 ? &w->walk->a : &w->walk->b, ref,
                        leaf);
    }
    return leaf;
}

bool sli_walk_is_repeat(const sli_walk_pair *pair)
{
    return pair->cut && !sli_once_counts(pair->dual, pair->slot_a, pair->slot_b);
}

/* The triangles of a leaf of a, with those of a leaf of b. */
static bool walk_triangles(pair_walk *w, const sli_dual *dual, const sli_node_pair *leaves,
                           const sli_leaf4 *a, const sli_leaf4 *b)
{
    sli_walk *walk = w->walk;
    sl_triangle_d at_a, at_b;
    const uint32_t bits = sli_leaf_near(a, a->there, b, walk->margin);
    for (uint32_t near = bits & ((1u << SLI_LEAF_CROSSING) - 1); near != 0; near &= near - 1) {
        const uint32_t bit = (uint32_t)__builtin_ctz(near), i = bit / SLI_PACK, j = bit % SLI_PACK;
        sli_leaf_triangle(a, i, &at_a);
        sli_leaf_triangle(b, j, &at_b);
        const sli_walk_pair pair = { .a = { w->number[0], a->prim[i] },
                                     .b = { w->number[1], b->prim[j] },
                                     .at_a = &at_a,
                                     .at_b = &at_b,
                                     .crosses = (bits >> SLI_LEAF_CROSSING >> bit & 1) != 0,
                                     .dual = dual,
                                     .slot_a = (leaves->ref[0] & SLI_REF_LINE) * SLI_PACK + i,
                                     .slot_b = (leaves->ref[1] & SLI_REF_LINE) * SLI_PACK + j,
                                     .cut = ((a->split >> i | b->split >> j) & 1) != 0 };
        if ((walk->repeats || !sli_walk_is_repeat(&pair)) &&
            !walk->triangles(walk->context, &pair)) {
            return false;
        }
    }
    return true;
}

static bool walk_leaves(void *context, sli_dual *dual, const sli_node_pair *pair)
{
    pair_walk *w = context;
    const sli_leaf4 *a = walk_leaf(w, 0, pair->ref[0]), *b = walk_leaf(w, 1, pair->ref[1]);
    w->walk->stats->triangles += SLI_PACK * (uint64_t)__builtin_popcount(a->there);
    if (!walk_triangles(w, dual, pair, a, b)) {
        return false;
    }
    if (w->margin != w->walk->margin) {
        w->margin = w->walk->margin;
        sli_dual_set_margin(dual, w->margin);
    }
    return true;
}

void sli_walk_dual(const sli_walk *walk, const sli_transformed *a, const sli_transformed *b,
                   sli_dual *out)
{
    sli_dual_of_instances(a, b, out);
    sli_walk_tell(walk, out);
}

bool sli_walk_instances_from(sli_walk *walk, const sli_transformed *a, uint32_t number_a,
                             const sli_transformed *b, uint32_t number_b, const sli_node_pair *from)
{
    sli_dual dual;
    pair_walk w;
    w.walk = walk;
    w.transformed[0] = a;
    w.transformed[1] = b;
    w.number[0] = number_a;
    w.number[1] = number_b;
    w.margin = walk->margin;
    for (int side = 0; side < 2; side++) {
        for (int i = 0; i < LEAVES; i++) {
            w.leaves[side][i].ref = 0; /* which is no leaf's */
        }
    }
    walk->stats->instances++;
    sli_walk_dual(walk, a, b, &dual);
    return sli_dual_walk(&dual, from, walk_leaves, &w, walk->stats);
}

bool sli_walk_instances(sli_walk *walk, const sli_transformed *a, uint32_t number_a,
                        const sli_transformed *b, uint32_t number_b)
{
    sli_node_pair root;
    return !sli_dual_root(a->tree, b->tree, &root) ||
           sli_walk_instances_from(walk, a, number_a, b, number_b, &root);
}
