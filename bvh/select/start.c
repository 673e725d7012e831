/* From what a selection goes to the next one: what it is, everything or nothing.
 *
 * A walk writes what the two regions tell apart.  Where more of that lies wholly in the region, or
 * wholly beside it, than has to be taken back from everything, or added to nothing, beginning there
 * is less work: so no more than half of a tree is ever written, but for what is at the border.
 * All that is below a node is contiguous in memory (tree.h), so the line where the next one begins
 * tells how much that is. */
#include "bvh/select/judge.h"

/* Trees of fewer triangles are not worth a look; nor are nodes with less than a share below. */
enum { TRIANGLES_MIN = 1 << 15, SHARE = 32 };

/* Lines of the arena below nodes that the new region holds or leaves out. */
typedef struct weights {
    uint64_t in, out, changed;
} weights;

typedef struct extent {
    uint32_t ref;
    uint32_t end; /* the line behind all that is below the node */
    uint8_t was, is;
} extent;

/* Where what is below a child ends, which is where the next of the children begins. */
static uint32_t end_of(const sli_node_wide *node, int child, uint32_t end)
{
    const uint32_t begin = node->child[child] & SLI_REF_LINE;
    for (int i = 0; i < SLI_WIDTH; i++) {
        const uint32_t other = node->child[i] & SLI_REF_LINE;
        end = node->child[i] != SLI_REF_EMPTY && other > begin && other < end ? other : end;
    }
    return end;
}

/* Goes down to small nodes only: what it leaves open is open from wherever the walk begins. */
static weights weigh(const sl_bvh *tree, const sli_judge *was, const sli_judge *is, extent root,
                     uint64_t *boxes)
{
    extent stack[SLI_STACK];
    weights sum = { 0, 0, 0 };
    const size_t least = tree->line_count / SHARE;
    int size = 0;
    stack[size++] = root;
    while (size > 0) {
        const extent at = stack[--size];
        const uint32_t lines = at.end - (at.ref & SLI_REF_LINE);
        if (at.is != SLI_CLASS_MIXED) {
            sum.in += at.is == SLI_CLASS_IN ? lines : 0;
            sum.out += at.is == SLI_CLASS_OUT ? lines : 0;
            sum.changed += at.is != at.was ? lines : 0;
        } else if ((at.ref & SLI_REF_LEAF) == 0 && lines >= least) {
            const sli_node_wide *node = sli_tree_node(tree, at.ref);
            uint8_t before[SLI_WIDTH], now[SLI_WIDTH];
            sli_judge_below(was, at.was, node, before);
            sli_judge_below(is, at.is, node, now);
            *boxes += SLI_WIDTH;
            for (int i = 0; i < SLI_WIDTH; i++) {
                if (node->child[i] != SLI_REF_EMPTY) {
                    stack[size++] =
                        (extent){ node->child[i], end_of(node, i, at.end), before[i], now[i] };
                }
            }
        }
    }
    return sum;
}

uint8_t sli_judge_start(const sl_bvh *tree, const sli_judge *was, const sli_judge *is,
                        uint8_t root_was, uint8_t root_is, uint64_t *boxes)
{
    if (tree->triangle_count < TRIANGLES_MIN) {
        return SLI_CLASS_MIXED;
    }
    const extent root = { tree->root, (uint32_t)tree->line_count, root_was, root_is };
    const weights sum = weigh(tree, was, is, root, boxes);
    if ((sum.in < sum.out ? sum.in : sum.out) >= sum.changed) {
        return SLI_CLASS_MIXED;
    }
    return sum.out < sum.in ? SLI_CLASS_IN : SLI_CLASS_OUT;
}
