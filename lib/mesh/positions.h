/* positions.h: vertices told apart by where they are, and sets of such vertices.
 *
 * Equal positions get one number, zeros of either sign being equal; edges and triangles are then
 * sets of numbers, and equal sets are found by sorting and looking at neighbours: linear time on
 * any input. */
#pragma once

#include "lib/base/sort.h"

#include <sightline/intersect.h>

/* The lower number first. */
static inline void sli_order_pair(uint32_t *a, uint32_t *b)
{
    if (*a > *b) {
        const uint32_t swap = *a;
        *a = *b;
        *b = swap;
    }
}

/* Item i of a table of three words: the three of a triangle, in rising order. */
static inline void sli_table_set_triple(sli_table *table, size_t i, const uint32_t triple[3])
{
    uint32_t *item = table->items + 3 * i;
    item[0] = triple[0];
    item[1] = triple[1];
    item[2] = triple[2];
    sli_order_pair(&item[0], &item[1]);
    sli_order_pair(&item[1], &item[2]);
    sli_order_pair(&item[0], &item[1]);
}

/* Numbers the positions of the vertices that triangles use, in an order that depends on nothing but
 * the positions: corners[3 * prim + i] is that of a corner, SL_NONE where the triangle was left
 * out.  *used vertices are used by triangles, at *distinct positions.  Memory is that of the hooks
 * of the stage, which may be stopped on the way.  False when out of memory. */
bool sli_number_positions(const sl_soup *soup, size_t vertex_count, sli_stage *stage,
                          uint32_t *corners, size_t *used, size_t *distinct);
