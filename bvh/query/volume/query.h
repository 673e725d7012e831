/* query.h: a query about volumes, for run.c; tree.c answers it for one volume in floats on a tree
 * over triangles, world.c for any in worlds of instances. */
#pragma once

#include "bvh/query/query.h"

#include <sightline/volumes.h>

/* Either touches is set (whether) or totals (which), with refs unless capacity is 0. */
typedef struct sli_volume_query {
    const sl_bvh *bvh;
    const sl_options *options; /* not NULL */
    sl_volumes volumes;        /* with the stride that 0 stands for */
    uint8_t *touches;          /* one for each volume: 1 or 0 */
    sl_triangle_ref *refs;     /* a row of capacity triangles for each volume */
    size_t capacity;
    uint64_t *totals; /* one for each volume: how many it touches, kept in its row or not */
} sli_volume_query;

static inline const sl_volume *sli_volume_at(const sli_volume_query *q, size_t i)
{
    return (const sl_volume *)(const void *)((const char *)q->volumes.first +
                                             i * q->volumes.stride);
}

static inline const sl_volume_d *sli_volume_d_at(const sli_volume_query *q, size_t i)
{
    return (const sl_volume_d *)(const void *)((const char *)q->volumes.first +
                                               i * q->volumes.stride);
}

/* Finds the triangles that volume i touches: the lowest q->capacity go to row, in rising order.
 * Returns how many there are in all; where only whether is wanted, 1 or 0. */
size_t sli_tree_volume(const sli_volume_query *q, size_t i, sl_triangle_ref *row, sl_stats *stats);
size_t sli_world_volume(const sli_volume_query *q, size_t i, sl_triangle_ref *row, sl_stats *stats);
