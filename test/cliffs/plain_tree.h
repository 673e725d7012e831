/* plain_tree.h: the inside of a plain tree, for the walks of plain.c and plain_contact.c. */
#pragma once

#include "test/cliffs/plain.h"

/* References that wait on a walk; nothing that needs more is measured. */
enum { PLAIN_STACK = 1024 };

typedef struct plain_box {
    double min[3], max[3];
} plain_box;

typedef struct plain_node {
    plain_box bounds;
    uint32_t first, count; /* count 0: its children are first and first + 1 */
} plain_node;

struct plain_tree {
    size_t node_count;
    plain_node *nodes;
    uint32_t *order;
    sl_triangle *triangles;
    plain_box *boxes;
    plain_split split;
};
