/* lineage.h: which trees are versions of one another, and what refits keep with a tree.
 *
 * Trees of one family have the same lines but for positions, boxes, orders and masks, and, where
 * subtrees were built anew, for which triangles are in which blocks: the same nodes and blocks.
 * A tree is a family of its own when it is made; a refitted version joins that of the tree it came
 * from.  The family is an object that its trees
 * share, so that no two families have one address while any tree knows it.
 * Versions are numbers that no two contents of trees of a family share.  A tree knows which version
 * it was made from, if only some blocks differ, and which blocks these are: so the memory of that
 * version is brought up to date by copying them.
 * Threads  any number of threads may make versions of one tree at once. */
#pragma once

#include <sightline/base.h>

typedef struct sli_family {
    sl_allocator allocator;
    size_t holders;  /* trees that share it, and others */
    size_t versions; /* so far: the number of the last one */
} sli_family;

typedef struct sli_lineage {
    sli_family *family;
    size_t version;
    size_t from;   /* the version that differs only in the blocks of scratch.changed; 0: none */
    size_t masks;  /* the version in which masks were last set */
    size_t groups; /* the version in which triangles last changed blocks */
} sli_lineage;

/* A subtree of few lines, or one node above such subtrees with its leaf blocks: what a worker
 * refits at a time. */
typedef struct sli_refit_piece {
    uint32_t begin, end;   /* lines */
    bool is_subtree;       /* else the node at begin, and end is that of the subtree below it */
    double added, removed; /* areas of boxes, weighted by their cost */
    double cost;           /* of a subtree, where the scratch is measured: all of them */
    double share;          /* cost over the area of the tree's bounds when triangles were grouped */
    bool chosen;           /* to be grouped anew */
} sli_refit_piece;

/* What refits keep with a tree; zeroed in one that was never refitted. */
typedef struct sli_refit_scratch {
    sli_refit_piece *pieces; /* in the order of their lines */
    size_t piece_count, piece_capacity;
    bool measured;     /* cost and share of the pieces are known */
    uint64_t *changed; /* bit i: the node or block at line i was changed; of a node near the top it
                        * may not be set */
    size_t changed_words;
    uint64_t *nodes;   /* bit i: a node begins at line i */
    uint32_t *ranks;   /* of each word of these: how many nodes begin before it */
    uint32_t *parents; /* of each node, in the order of lines: the line of its parent */
    size_t node_words, rank_words, parent_count;
    bool indexed;      /* these three are those of the tree */
    uint32_t *sources; /* of a compact tree: for each vertex, that of the mesh */
    size_t source_count;
    void *dealing; /* of bvh/builder/refit/deal.h, for each worker */
    size_t dealing_bytes;
} sli_refit_scratch;

/* A family with one tree, of version 1; false when out of memory. */
bool sli_lineage_found(sli_lineage *lineage, const sl_allocator *allocator);

/* Others than trees may hold a family, too, so that no other has its address while they do: a
 * report, by which it is told later whether a tree is still the same version. */
void sli_family_hold(sli_family *family);
void sli_family_release(sli_family *family); /* frees it with the last one; NULL is fine */

/* Leaves the family. */
void sli_lineage_leave(sli_lineage *lineage);

/* Leaves its family for that of another tree, and becomes a new version. */
void sli_lineage_join(sli_lineage *lineage, const sli_lineage *other);

/* Makes room for at least count items, whose contents do not matter, in the array that `items`, the
 * address of a pointer, leads to; false when out of memory, and the array is as it was. */
bool sli_scratch_array(const sl_allocator *allocator, void *items, size_t *capacity, size_t count,
                       size_t size);

void sli_refit_scratch_free(sli_refit_scratch *scratch, const sl_allocator *allocator);

/* Bytes of the scratch. */
size_t sli_refit_scratch_bytes(const sli_refit_scratch *scratch);
