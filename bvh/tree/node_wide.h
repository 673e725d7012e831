/* node_wide.h: the 8-wide node, and the references that lead to nodes and leaves.
 *
 * All of a tree lives in one arena of 64-byte lines; a reference is one line number with a few
 * bits above, so that nodes and leaves share one address formula.
 *
 *   offset size field
 *        0   32 bounds[0][0]  x: min of each child        near and far sides of an axis are 32
 *       32   32 bounds[0][1]  x: max of each child        bytes apart: the ray's sign picks an
 *       64   64 bounds[1]     y                           address, not a value
 *      128   64 bounds[2]     z
 *      192   32 child[8]      references; unused: SLI_REF_EMPTY, with an inverted box (min 2^125,
 *                             max -2^125: finite, so that no NaN arises)
 *      224   32 order[8]      word r, bits 3q .. 3q + 2: the child at rank r for rays of octant q;
 *                             rank 0 is the farthest, 7 the nearest.  Bits 24 .. 26: the order for
 *                             any-hit queries, for now child 0 nearest (word r: 7 - r).  Bits
 *                             27 .. 31: 0
 *
 * Octant q of a ray has bit a set where dir[a] is negative.  The order key of a child is its
 * doubled centre along the octant's diagonal (sli_order_key), the larger the farther, the lower
 * child index farther of two equal keys; unused children rank first (farthest).  At least one child
 * is in use.
 *
 *   reference: bit 31 leaf | bits 30 .. 28 kind (leaf: 0 triangle block, 7 empty)
 *              | bits 27 .. 0 line
 */
#pragma once

#include <stdint.h>

enum { SLI_WIDTH = 8, SLI_LINE = 64, SLI_NODE_LINES = 4, SLI_ANY_SHIFT = 24 };

#define SLI_REF_LEAF  0x80000000u
#define SLI_REF_KIND  0x70000000u
#define SLI_REF_EMPTY 0xF0000000u /* a leaf of kind 7 at line 0 */
#define SLI_REF_LINE  0x0FFFFFFFu

#define SLI_EMPTY_MIN 0x1p125f
#define SLI_EMPTY_MAX (-0x1p125f)

typedef struct sli_node_wide {
    float bounds[3][2][SLI_WIDTH];
    uint32_t child[SLI_WIDTH];
    uint32_t order[SLI_WIDTH];
} sli_node_wide;

/* In double, where no float box overflows; one fixed sequence, since files keep the order. */
static inline double sli_order_key(const sli_node_wide *node, int child, int octant)
{
    double key = 0;
    for (int axis = 0; axis < 3; axis++) {
        const double centre =
            (double)node->bounds[axis][0][child] + (double)node->bounds[axis][1][child];
        key += (octant >> axis & 1) != 0 ? -centre : centre;
    }
    return key;
}

/* Whether a reference leads to a block of triangles. */
static inline int sli_ref_is_block(uint32_t ref)
{
    return (ref & (SLI_REF_LEAF | SLI_REF_KIND)) == SLI_REF_LEAF;
}

static inline void sli_child_set_box(sli_node_wide *node, uint32_t child, const float *min,
                                     const float *max)
{
    for (int axis = 0; axis < 3; axis++) {
        node->bounds[axis][0][child] = min[axis];
        node->bounds[axis][1][child] = max[axis];
    }
}

/* Makes a child one that is not in use. */
static inline void sli_child_clear(sli_node_wide *node, uint32_t child)
{
    static const float min[3] = { SLI_EMPTY_MIN, SLI_EMPTY_MIN, SLI_EMPTY_MIN };
    static const float max[3] = { SLI_EMPTY_MAX, SLI_EMPTY_MAX, SLI_EMPTY_MAX };
    sli_child_set_box(node, child, min, max);
    node->child[child] = SLI_REF_EMPTY;
}

/* Half the surface of a box, in double, where no float box overflows or underflows. */
static inline double sli_half_area(const float min[3], const float max[3])
{
    const double x = (double)max[0] - (double)min[0];
    const double y = (double)max[1] - (double)min[1];
    const double z = (double)max[2] - (double)min[2];
    return x * y + y * z + z * x;
}
