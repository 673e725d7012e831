/* From what a selection goes to the next one: what it is, everything or nothing.
 *
 * A walk writes what the two regions tell apart.  Where more of that lies wholly in the region, or
 * wholly beside it, than has to be taken back from everything, or added to nothing, beginning there
 * is less work: so no more than half of a tree is ever written, but for what is at the border.
 * All that is below a node is contiguous in memory (tree.h), so the line where the next one begins
 * tells how much that is. */
#include "bvh/query/visit.h"
#include "bvh/select/judge.h"

/* Trees of fewer triangles are not worth a look; nor are nodes with less than a share below. */
enum { TRIANGLES_MIN = 1 << 15, SHARE = 32 };

/* Lines of the arena below nodes that the new region holds or leaves out.  A spot's end is the line
 * behind all that is below it. */
typedef struct weights {
    const sl_bvh *tree;
    const sli_judge *was, *is;
    uint64_t in, out, changed, boxes;
} weights;

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
static bool weights_want(void *context, const sli_spot *at)
{
    weights *sum = context;
    const uint32_t lines = at->end - (at->ref & SLI_REF_LINE);
    sum->in += at->is == SLI_CLASS_IN ? lines : 0;
    sum->out += at->is == SLI_CLASS_OUT ? lines : 0;
    sum->changed += at->is != SLI_CLASS_MIXED && at->is != at->was ? lines : 0;
    return at->is == SLI_CLASS_MIXED && lines >= sum->tree->line_count / SHARE;
}

static int weights_children(void *context, const sli_spot *at, const sli_node_wide *node,
                            sli_spot out[SLI_WIDTH])
{
    weights *sum = context;
    uint8_t before[SLI_WIDTH], now[SLI_WIDTH];
    int count = 0;
    sli_judge_below(sum->was, at->was, node, before);
    sli_judge_below(sum->is, at->is, node, now);
    sum->boxes += SLI_WIDTH;
    for (int i = 0; i < SLI_WIDTH; i++) {
        if (node->child[i] != SLI_REF_EMPTY) {
            out[count++] = (sli_spot){ .ref = node->child[i],
                                       .end = end_of(node, i, at->end),
                                       .was = before[i],
                                       .is = now[i] };
        }
    }
    return count;
}

static bool weights_leaf(void *context, const sli_spot *at)
{
    (void)context, (void)at;
    return true;
}

uint8_t sli_judge_start(const sl_bvh *tree, const sli_judge *was, const sli_judge *is,
                        uint8_t root_was, uint8_t root_is, uint64_t *boxes)
{
    static const sli_descent down = { weights_want, weights_children, weights_leaf, false };
    weights sum = { .tree = tree, .was = was, .is = is };
    if (tree->triangle_count < TRIANGLES_MIN) {
        return SLI_CLASS_MIXED;
    }
    sli_descend(tree,
                (sli_spot){ .end = (uint32_t)tree->line_count, .was = root_was, .is = root_is },
                &down, &sum);
    *boxes += sum.boxes;
    if ((sum.in < sum.out ? sum.in : sum.out) >= sum.changed) {
        return SLI_CLASS_MIXED;
    }
    return sum.out < sum.in ? SLI_CLASS_IN : SLI_CLASS_OUT;
}
