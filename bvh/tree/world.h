/* world.h: instances as kernels read them: trees under transforms, and a tree over their boxes.
 *
 * The world's triangles are those of the instances' trees with their corners carried by the corner
 * rule (sightline/transform.h): doubles.  Nothing here decides anything about them; it leads to the
 * few that a ray may meet.
 *
 * The top tree is an ordinary one, about a middle of the instances and in floats.  Its triangle i
 * has the smallest corner of instance i's box for vertex 0 and the largest for vertex 1 (vertex 2
 * repeats vertex 0), so its bounds are that box, and all that is known of trees holds for it.
 *
 * Its triangles have masks.  An instance counts where a query shares a bit with its mask, and some
 * triangle of its tree where it shares a bit with the masks of these: two bits that may differ.  So
 * an instance's triangle has one of the two masks, and never what both have in common.
 *
 * Instances that stand still may share one tree over their triangles (still.h).  To the walks it is
 * one more instance, behind the numbers of all others; its triangles have sources, by which they
 * are decided and named. */
#pragma once

#include "bvh/tree/node_wide.h"

#include <sightline/bvh.h>
#include <sightline/transform.h>

#include <stdbool.h>

struct sli_own_world;

/* A triangle of a tree over several instances, as the instance has it: a number, and a slot of the
 * instance's tree, which is not compact. */
typedef struct sli_entry_source {
    uint32_t instance, slot;
} sli_entry_source;

/* An instance.  Norms and half sizes are those of the largest coordinate, and rounded up.  How
 * norm, share and fixed bound what taking a ray to the tree's space may be off by stands in
 * bvh/kernel/instance/to_local.inl.  The numbers from inverse on are read as an array
 * (bvh/kernel/instance/to_local8.inl).  What entering an instance takes fills three lines; what
 * deciding triangles takes follows in two. */
typedef struct sli_transformed {
    _Alignas(SLI_LINE) double inverse[3][3]; /* A, of the transform's linear part, by columns */
    double middle[3];                        /* of the tree's bounds, in the object's space */
    double centre[3];                        /* where the transform carries it */
    double span;        /* nor along any axis what is in line with a triangle, as deep as it is */
    double norm;        /* ||A|| / (1 - sigma) */
    double share;       /* of (|w| + 2 half, or span): (sigma + 10 eps) ||A|| / (1 - sigma) */
    double fixed;       /* what is the same for all rays */
    double ball;        /* no corner of the instance is farther from the centre than this */
    double radius;      /* no vertex of the tree is farther from the middle along any axis */
    double half;        /* no corner of the instance is farther from the centre along any axis */
    const sl_bvh *tree; /* NULL: a hole, which is not in the top tree */
    uint32_t mask;
    bool mirrored; /* det < 0: front and back of the world's triangles change places */
    sl_transform transform;
    double grid; /* what corners are multiples of; not 0 */
    /* Of a tree over several instances, and read behind the numbers only: the sources, and the
     * number that theirs count from. */
    const sli_entry_source *sources;
    uint32_t first;
} sli_transformed;

typedef struct sli_world {
    const sl_bvh *top; /* over the instances that are no holes */
    const sli_transformed *transformed;
    uint32_t count;    /* of instances, holes among them */
    bool masked;       /* the mask of some instance, or of some triangle, has not all bits */
    bool trees_masked; /* there are masks below the nodes of some instance's tree */
    bool still;        /* there are trees over several instances, behind the numbers */
    bool unmoved; /* there is one instance, whose corners in the world are its tree's vertices */
    double middle[3]; /* what the top tree's coordinates count from */
    double half;      /* no side of the top tree's bounds is farther from 0 */
} sli_world;

/* A tree over triangles is a world, too: of one instance, itself, where it stands.  So it answers
 * what only worlds do, such as rays in doubles. */

/* Allocates what that takes, if it is not there yet; false when out of memory. */
bool sli_own_world_reserve(sl_bvh *tree);

/* Fills it in, from a finished tree; again where the tree has changed, or is at another address. */
void sli_own_world_fill(sl_bvh *tree);

void sli_own_world_free(sl_bvh *tree);
size_t sli_own_world_bytes(const sl_bvh *tree);
