/* source.h: where the rays of a question come from: the caller's arrays of rays or segments,
 * columns of their numbers, or one point and many directions or targets.  Only arrays can be handed
 * to a kernel; the others are copied into arrays on the stack, a block at a time. */
#ifndef SLI_QUERY_SOURCE_H
#define SLI_QUERY_SOURCE_H

#include "bvh/kernel/kernel.h"

#include <sightline/ray_columns.h>

/* One of the five is not NULL. */
typedef struct sli_source {
    const sl_ray *rays;
    const sl_segment *segments;
    const sl_ray_columns *ray_columns;
    const sl_segment_columns *segment_columns;
    const sli_kernel_point_to_many *from;
} sli_source;

enum { SLI_SOURCE_BLOCK = 192 }; /* three packets */

/* A block of rays or of segments. */
typedef union sli_source_block {
    sl_ray rays[SLI_SOURCE_BLOCK];
    sl_segment segments[SLI_SOURCE_BLOCK];
} sli_source_block;

static inline bool sli_source_is_array(const sli_source *source)
{
    return source->rays != NULL || source->segments != NULL;
}

/* Copies items first .. first + count - 1 into the block, a sli_source_block or a shorter one, and
 * returns the source that the block is.  Not for arrays. */
sli_source sli_source_copy(const sli_source *source, size_t first, size_t count, void *block);

/* Writes hits 0 .. count - 1 to the columns, from item first on. */
void sli_hits_scatter(const sl_hit_columns *columns, size_t first, const sl_hit *hits,
                      size_t count);

/* The limit of ray i, which is the t of a miss; of a segment 1.  For arrays. */
static inline float sli_source_tmax(const sli_source *source, size_t i)
{
    return source->rays != NULL ? source->rays[i].tmax : 1;
}

#endif
