/* state.h: what a selection keeps between updates.
 *
 * Elements    are what is selected: triangles, faces, edges, vertices, parts or instances.
 * Incidences  are what outlines are of: triangles, or three sides or corners of each, numbered prim
 *             or 3 * prim + k.  Mostly an incidence is an element; otherwise elements count their
 *             incidences that are selected, and are compared with 1 or, for INSIDE, with all.  An
 *             instance as a whole has no incidences, but an answer that is found anew.
 * Pixels      VISIBLE of faces: for each pixel of the picture the element that its ray hit, once it
 *             was traced; elements count their pixels.
 * Seen        VISIBLE of edges and vertices: elements count their incidences that are touched and
 *             seen.  Of the incidences at one position one is traced, and stands for all
 *             (visibility.c). */
#pragma once

#include "bvh/scene/scene.h"
#include "bvh/select/judge.h"

/* What a pixel shows. */
typedef struct sli_pixel_shown {
    uint32_t instance, element; /* SL_NONE: nothing */
} sli_pixel_shown;

/* Rays through pixels, on their way.  On the stack they would leave kernels too little of it. */
enum { SLI_PIXEL_BATCH = 512, SLI_PIXEL_BATCHES = 16 };
typedef struct sli_pixel_batch {
    sl_ray_d rays[SLI_PIXEL_BATCH];
    sl_hit_d hits[SLI_PIXEL_BATCH];
    uint32_t x[SLI_PIXEL_BATCH], y[SLI_PIXEL_BATCH];
    uint32_t count;
} sli_pixel_batch;

typedef struct sli_picture {
    uint32_t width, height, row_words;
    uint64_t *counted; /* bits of pixels, row by row, that are in the selection */
    uint64_t *wanted;  /* of those whose centre lies in the region */
    uint64_t *known;
    uint64_t *on_side;        /* scratch: a row */
    sli_pixel_shown *shown;   /* row by row */
    sli_pixel_batch *batches; /* scratch: SLI_PIXEL_BATCHES, one for each share of the pixels that
                               * tasks run at once */
} sli_picture;

/* VISIBLE of edges and vertices: bits of incidences, but for the last two. */
typedef struct sli_seen {
    uint64_t *whole; /* all of it lies in the region */
    uint64_t *counted;
    /* seen[1] says whether any of it is seen, and known[1] whether that is known; [0] of both is
     * what the last region has of it. */
    uint64_t *known[2];
    uint64_t *seen[2];
    uint32_t *first; /* of each element: an incidence that is asked about, plus 1; 0: none yet */
    struct sli_visibility_batch *batches; /* scratch: one for each share that tasks run at once */
} sli_seen;

struct sl_selection {
    sl_allocator allocator;
    sl_select_unit unit;
    sl_select_mode mode;
    const sl_topology *const *topologies;
    sl_options options; /* for rays and sights: nothing that is told of each incidence */
    sli_world_ray ray;
    double budget_ms;
    const sl_bvh *bvh;
    sl_view view;
    sli_screen screen;
    sli_region regions[2];
    int current; /* of the regions: that of the last update */
    /* One block of memory: what follows points into it. */
    void *block;
    size_t block_size;
    uint32_t instance_count;
    uint64_t *offset;           /* of each instance's words; one more at the end */
    uint64_t *bit_count;        /* elements of each instance */
    uint64_t *selected;         /* of each instance */
    uint64_t *words;            /* of elements */
    uint64_t *incidence_offset; /* as offset, of incidences; may be offset itself */
    uint64_t *incidence_words;  /* may be words */
    uint32_t *counts; /* of each element, at its bit's number; NULL: incidences are elements */
    uint32_t *totals; /* INSIDE: what counts has to be */
    sli_seen seen;
    sli_picture picture;
    bool plain; /* the query leaves out nothing but whole instances */
    sl_selection_info info;
};

/* Items of a triangle. */
static inline uint32_t sli_incidences_per_prim(const sl_selection *s)
{
    return s->unit >= SL_SELECT_EDGES ? 3 : 1;
}

static inline bool sli_bit(const uint64_t *words, uint64_t i)
{
    return (words[i / 64] >> (i % 64) & 1) != 0;
}
