/* instances.h: what a tree over instances holds besides the world that kernels read: what it was
 * built from, by which numbers, paths, outer trees and next versions go.
 *
 * Instances of trees over instances are expanded: each instance of a tree over triangles, however
 * deep, is one of the world's.  Its transform is the product of all on the way, multiplied from
 * the outermost inwards, so an outer tree cannot use the products of an inner one; it reads the
 * inner one's array. */
#pragma once

#include "bvh/tree/scratch.h"
#include "bvh/tree/still.h"

#include <sightline/instances.h>
#include <sightline/rays.h>
#include <sightline/shapes.h>

enum { SLI_WORLD_DEPTH_MAX = 16 };

/* How good a tree over boxes is: by the surfaces of all boxes over that of the whole, where a box
 * that is far too large shows; and by the mean of their logarithms (base 2), where a whole that is
 * far too large hides nothing. */
typedef struct sli_boxes_drift {
    double cost, mean_log;
} sli_boxes_drift;

/* A tree over instances' boxes, and how good it was when it was built, before versions refitted
 * it. */
typedef struct sli_top {
    sl_bvh *tree;
    sli_boxes_drift built;
} sli_top;

typedef struct sli_instances {
    sl_bvh handle;       /* with the world; its allocator is the caller's: of this struct and of the
                       * scratch's blocks */
    sli_scratch scratch; /* of all else */
    sli_top top;         /* the world's */
    /* Where some instances are copies of others, with the same tree, transform, grid and mask: the
     * world without them, and for each number the lowest that it is a copy of, or SL_NONE.
     * Elsewhere originals is NULL.  Queries for one hit go there, unless options may tell copies
     * apart: they name the lowest number anyway, and would enter all copies in one place. */
    sli_top once;
    sli_world once_world;
    uint32_t *originals;
    /* Of rays: the world in which trees over several instances stand for those that stand still,
     * unless options choose among triangles by masks.  Elsewhere its top is NULL. */
    sli_still still; /* that of this array; others are those of the trees that it names */
    sli_top still_top;
    sli_world still_world;
    uint32_t still_count;         /* of such trees; their transformed come after the numbers */
    uint32_t age;                 /* versions since the top tree was built */
    sli_transformed *transformed; /* of the world, one for each number, and for each such tree */
    /* What it was built from.  Where no instance is one of a tree over instances, none was left out
     * and no grid is the step that 0 stands for, there are only ids: instance i has number i, and
     * the rest of it is in transformed.  Else there is a copy of the array, and the first number of
     * each; first[count] is the count of numbers. */
    uint32_t *ids;
    sl_instance *given;
    uint32_t *first;
    size_t count;
    double min[3], max[3]; /* of the world; empty where there are no triangles */
    uint32_t depth;        /* of arrays: 1 where no instance is one of a tree over instances */
} sli_instances;

/* Numbers that an instance takes. */
static inline uint32_t sli_instance_numbers(const sl_instance *instance)
{
    return instance->bvh != NULL ? instance->bvh->world.count : 1;
}

/* Whether an instance is one of a tree over instances. */
static inline bool sli_instance_is_nested(const sl_instance *instance)
{
    return instance->bvh != NULL && instance->bvh->instances != NULL;
}

/* Instance i, as it was given; of a hole no more than that it is one, and its id. */
sl_instance sli_instances_at(const sli_instances *all, size_t i);

/* The instance in the caller's array that a number belongs to. */
size_t sli_instances_index(const sli_instances *all, uint32_t number);

/* Gives everything that it holds back to a scratch; the struct stays. */
void sli_instances_empty(sli_instances *all, sli_scratch *scratch);

void sli_instances_destroy(sli_instances *all);

/* Counts the triangles of either kind of tree. */
uint64_t sli_bvh_triangle_count(const sl_bvh *bvh);
