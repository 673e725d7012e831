/* Ranks the children of a node for all octants at once: of two children, the farther one gets the
 * lower rank.
 *
 * The keys of opposite octants (q and 7 - q) are each other's negatives, roundings included; so
 * four keys a child do, those of directions along +z, and each pair of children is compared both
 * ways. */
#include "bvh/builder/wide/node_order.h"

typedef double two __attribute__((vector_size(16)));
typedef uint32_t ranks __attribute__((vector_size(16)));

/* By octant: 0, 1 and 2, 3. */
typedef struct keys {
    two low, high;
} keys;

/* All ones, for each octant, where a > b. */
static inline ranks is_more(const keys *a, const keys *b)
{
    return __builtin_shufflevector((ranks)(a->low > b->low), (ranks)(a->high > b->high), 0, 2, 4,
                                   6);
}

/* As sli_order_key, whose sequence it keeps. */
static inline keys key_of(const sli_node_wide *node, int child)
{
    double centre[3];
    for (int axis = 0; axis < 3; axis++) {
        centre[axis] = (double)node->bounds[axis][0][child] + (double)node->bounds[axis][1][child];
    }
    const two x = { centre[0], -centre[0] };
    const two y = { centre[1], centre[1] };
    const two z = { centre[2], centre[2] };
    return (keys){ x + y + z, x - y + z };
}

/* Children in use, in rising order, and behind them those that are not. */
static int list_children(const sli_node_wide *node, uint32_t list[SLI_WIDTH])
{
    int used = 0, unused = SLI_WIDTH;
    for (uint32_t child = 0; child < SLI_WIDTH; child++) {
        if (node->child[child] != SLI_REF_EMPTY) {
            list[used++] = child;
        }
    }
    for (uint32_t child = SLI_WIDTH; child-- > 0;) {
        if (node->child[child] == SLI_REF_EMPTY) {
            list[--unused] = child;
        }
    }
    return used;
}

void sli_node_order(sli_node_wide *node)
{
    uint32_t list[SLI_WIDTH];
    const int used = list_children(node, list);
    const uint32_t unused = (uint32_t)(SLI_WIDTH - used);
    keys key[SLI_WIDTH];
    ranks rank[SLI_WIDTH], opposite[SLI_WIDTH]; /* of octants 0 .. 3, and 7 .. 4 */
    for (int i = 0; i < used; i++) {
        key[i] = key_of(node, (int)list[i]);
        rank[i] = opposite[i] = (ranks){ unused, unused, unused, unused };
    }
    for (int a = 0; a < used; a++) {
        for (int b = a + 1; b < used; b++) {
            const ranks b_is_farther = is_more(&key[b], &key[a]);
            const ranks b_is_nearer = is_more(&key[a], &key[b]);
            rank[a] -= b_is_farther;
            rank[b] -= ~b_is_farther;
            opposite[a] -= b_is_nearer;
            opposite[b] -= ~b_is_nearer;
        }
    }
    for (uint32_t r = 0; r < SLI_WIDTH; r++) {
        node->order[r] = (SLI_WIDTH - 1 - r) << SLI_ANY_SHIFT;
    }
    for (int i = 0; i < used; i++) {
        for (uint32_t octant = 0; octant < 4; octant++) {
            node->order[rank[i][octant]] |= list[i] << (3 * octant);
            node->order[opposite[i][octant]] |= list[i] << (3 * (7 - octant));
        }
    }
    const uint32_t all_octants = 0x249249; /* a 1 in each */
    for (uint32_t i = 0; i < unused; i++) {
        node->order[i] |= list[(uint32_t)used + i] * all_octants;
    }
}
