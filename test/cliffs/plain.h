/* plain.h: what a plain walk looks at: one ray down a binary tree of its own, near child first,
 * boxes in doubles, triangles one by one.
 *
 * It is what a reader of a textbook would write (Ericson, Real-Time Collision Detection (2005),
 * 6.6; Wald 2007 for the splits), so no cliff of ours is a cliff of it.  There are two trees, one
 * by SAH and one that halves the longest axis of the centres; the better one counts. */
#pragma once

#include "tools/bench/harness/ask.h"

#include <sightline/contact.h>

#include <sightline/mesh.h>

typedef struct plain_tree plain_tree;

typedef enum plain_split { PLAIN_SAH, PLAIN_MEDIAN, PLAIN_SPLITS } plain_split;

plain_tree *plain_build(const sl_mesh *mesh, plain_split split); /* NULL: out of memory */
void plain_free(plain_tree *tree);                               /* NULL is fine */

/* Triangles that the questions take, all together. */
uint64_t plain_triangles(const plain_tree *tree, const bench_rays *rays);

/* ---- Mesh against mesh, and sweeps: plain_contact.c ---- */

/* What a plain walk down two trees looks for. */
typedef enum plain_wanted { PLAIN_ANY, PLAIN_ALL, PLAIN_DISTANCE } plain_wanted;

/* What it found.  work: pairs of nodes and of triangles that it looked at; of sweeps, nodes and
 * triangles. */
typedef struct plain_found {
    uint64_t work, pairs;
    double distance;
    bool given_up; /* it would take too long */
} plain_found;

/* The larger node is split first, of distances the nearer child is visited first. */
plain_found plain_meet(const plain_tree *a, const plain_tree *b, plain_wanted wanted,
                       double margin);

/* First contacts: the middle of the shape's bounds, through boxes that are grown by half their
 * sizes.  t: of each; 1 also where there is none. */
plain_found plain_sweep(const plain_tree *tree, const sl_sweep_d *sweeps, size_t count, double *t);
