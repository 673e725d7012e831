/* One of two instances, and bounding volumes of its nodes and leaves.
 *
 * A corner of an instance is c + M (x - x_c), off by no more than a margin along each axis
 * (bvh/query/volume/space.h), so a box of its tree lies in a box with the half sides |M| h +
 * margin, and reaches (|M^T n|) . h + |n| . margin along a direction n. */
#include "bvh/contact/side.h"

#include "bvh/query/visit.h"

#include <string.h>

#define EPS 0x1p-53

void sli_side_start(sli_contact_side *s, const sli_transformed *transformed, uint32_t number,
                    const sl_item_options *options, const double from[3])
{
    const sl_aabb *bounds = &transformed->tree->bounds;
    s->transformed = transformed;
    s->number = number;
    s->options = options;
    for (int axis = 0; axis < 3; axis++) {
        const double *row = transformed->transform.m[axis];
        double sizes = fabs(row[3]);
        for (int k = 0; k < 3; k++) {
            const double low = fabs((double)bounds->min[k]), high = fabs((double)bounds->max[k]);
            sizes += fabs(row[k]) * (low > high ? low : high);
            s->m[axis][k] = row[k];
        }
        s->from[axis] = from[axis];
        s->at[axis] = transformed->centre[axis] - from[axis];
        /* Three products and three sums, for a corner and for the centre; half a step. */
        s->margin[axis] = (2 * 4.01 * EPS * sizes + transformed->grid) * (1 + 0x1p-40);
    }
    for (int i = 0; i < SLI_SIDE_LEAVES; i++) {
        s->leaves[i].ref = 0; /* which is no leaf's */
    }
}

void sli_bounding_of_box(const sli_contact_side *s, const sl_aabb *box, sli_bounding *out)
{
    double middle[3];
    out->leaf = NULL;
    for (int k = 0; k < 3; k++) {
        const double low = (double)box->min[k], high = (double)box->max[k];
        middle[k] = 0.5 * (low + high) - s->transformed->middle[k];
        out->reach[k] = 0.5 * (high - low);
    }
    for (int axis = 0; axis < 3; axis++) {
        const double *m = s->m[axis];
        out->at[axis] = s->at[axis];
        out->half[axis] = s->margin[axis];
        for (int k = 0; k < 3; k++) {
            out->at[axis] += m[k] * middle[k];
            out->half[axis] += fabs(m[k]) * out->reach[k];
        }
    }
}

void sli_bounding_of_leaf(const sli_contact_side *s, const sli_leaf4 *leaf, sli_bounding *out)
{
    const double *from = s->from;
    out->leaf = leaf;
    for (int axis = 0; axis < 3; axis++) {
        double low = INFINITY, high = -INFINITY;
        for (uint32_t left = leaf->there; left != 0; left &= left - 1) {
            const int lane = __builtin_ctz(left);
            low = leaf->low[axis][lane] < low ? leaf->low[axis][lane] : low;
            high = leaf->high[axis][lane] > high ? leaf->high[axis][lane] : high;
        }
        out->at[axis] = 0.5 * ((low - from[axis]) + (high - from[axis]));
        out->half[axis] = 0.5 * (high - low);
    }
}

double sli_bounding_reach(const sli_contact_side *s, const sli_bounding *v, const double n[3])
{
    const double *from = s->from;
    double most = -INFINITY, sum = 0;
    if (v->leaf == NULL) {
        for (int k = 0; k < 3; k++) {
            const double along = n[0] * s->m[0][k] + n[1] * s->m[1][k] + n[2] * s->m[2][k];
            sum += fabs(along) * v->reach[k] + fabs(n[k]) * s->margin[k];
        }
        return sum;
    }
    for (uint32_t left = v->leaf->there; left != 0; left &= left - 1) {
        const int lane = __builtin_ctz(left);
        for (int corner = 0; corner < 3; corner++) {
            double along = 0;
            for (int axis = 0; axis < 3; axis++) {
                const double x = v->leaf->v[corner][axis][lane] - from[axis];
                along += n[axis] * (x - v->at[axis]);
            }
            most = along > most ? along : most;
        }
    }
    return most;
}

double sli_bounding_gap(const sli_bounding *a, const sli_bounding *b)
{
    double square = 0;
    for (int axis = 0; axis < 3; axis++) {
        const double gap = fabs(a->at[axis] - b->at[axis]) - a->half[axis] - b->half[axis];
        square += gap > 0 ? gap * gap : 0;
    }
    return sqrt(square);
}

const sli_leaf4 *sli_side_leaf(sli_contact_side *s, uint32_t ref)
{
    sli_leaf4 *leaf = &s->leaves[(ref & SLI_REF_LINE) % SLI_SIDE_LEAVES];
    if (leaf->ref != ref) {
        sli_leaf_unpack(s->transformed, s->number, s->options, ref, leaf);
    }
    return leaf;
}

/* ---- The farthest corner ---- */

typedef struct reaching {
    uint32_t ref;
    double most; /* no corner below is farther along */
} reaching;

static void take_corners(const sli_contact_side *s, const sli_leaf4 *leaf, const double n[3],
                         double corner[3], double *along)
{
    for (uint32_t left = leaf->there; left != 0; left &= left - 1) {
        const int lane = __builtin_ctz(left);
        for (int i = 0; i < 3; i++) {
            double x[3];
            for (int axis = 0; axis < 3; axis++) {
                x[axis] = leaf->v[i][axis][lane] - s->from[axis];
            }
            if (sli_dot(n, x) > *along) {
                *along = sli_dot(n, x);
                memcpy(corner, x, sizeof x);
            }
        }
    }
}

/* Writes the children of a node that reach farther than what was found, the farthest last. */
static int reach_open(const sli_contact_side *s, uint32_t ref, const double n[3], double along,
                      reaching *out)
{
    const sl_bvh *tree = s->transformed->tree;
    const sli_node_wide *node = sli_tree_node(tree, ref);
    int count = 0;
    for (uint32_t left = sli_children_left_in(tree, node, s->options->mask); left != 0;
         left &= left - 1) {
        const uint32_t child = (uint32_t)__builtin_ctz(left);
        const sl_aabb box = sli_child_box(node, child);
        sli_bounding v;
        sli_bounding_of_box(s, &box, &v);
        const reaching next = { node->child[child],
                                sli_dot(n, v.at) + sli_bounding_reach(s, &v, n) };
        int to = next.most > along ? count++ : -1;
        for (; to > 0 && out[to - 1].most > next.most; to--) {
            out[to] = out[to - 1];
        }
        if (to >= 0) {
            out[to] = next;
        }
    }
    return count;
}

bool sli_side_support(sli_contact_side *s, const double n[3], double corner[3], double *along,
                      uint32_t *leaf)
{
    reaching stack[SLI_STACK];
    int size = 1;
    stack[0] = (reaching){ s->transformed->tree->root, INFINITY };
    *along = -INFINITY;
    while (size > 0) {
        const reaching next = stack[--size];
        if (!(next.most > *along)) {
            continue;
        }
        if ((next.ref & SLI_REF_LEAF) != 0) {
            const double before = *along;
            take_corners(s, sli_side_leaf(s, next.ref), n, corner, along);
            *leaf = *along > before ? next.ref : *leaf;
        } else {
            size += reach_open(s, next.ref, n, *along, stack + size);
        }
    }
    return *along > -INFINITY;
}
