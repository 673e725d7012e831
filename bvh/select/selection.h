/* selection.h: what a selection keeps between updates, for the files of this room.
 *
 * Items    are what figures are: triangles, or three sides or corners of each, numbered prim or 3 *
 *          prim + k.  Things are what is selected.  Mostly an item is a thing; otherwise things
 *          count their items that are selected, and are compared with 1 or, for INSIDE, with all.
 *          An instance as a whole has no items, but an answer that is found anew.
 * Pixels   VISIBLE of faces: for each pixel of the picture the thing that its ray hit, once it was
 *          asked; things count their pixels.
 * Sights   VISIBLE of edges and vertices: items are those that are touched and seen. */
#ifndef SLI_SELECT_SELECTION_H
#define SLI_SELECT_SELECTION_H

#include "bvh/kernel/scene/ray.h"
#include "bvh/pick/screen.h"
#include "bvh/scene/scene.h"
#include "bvh/select/judge.h"

/* What a pixel shows. */
typedef struct sli_shown {
    uint32_t instance, thing; /* SL_NONE: nothing */
} sli_shown;

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
    uint64_t *asked;
    uint64_t *on_side;        /* scratch: a row */
    sli_shown *shown;         /* row by row */
    sli_pixel_batch *batches; /* scratch: SLI_PIXEL_BATCHES, one for each share of the pixels that
                               * tasks run at once */
} sli_picture;

/* VISIBLE of edges and vertices: bits of items. */
typedef struct sli_sights {
    uint64_t *whole;   /* all of it lies in the region */
    uint64_t *asked;   /* it is known whether any of it is seen, */
    uint64_t *seen;    /* and it is */
    uint64_t *counted; /* as seen in the region */
} sli_sights;

struct sl_selection {
    sl_allocator allocator;
    sl_select_unit unit;
    sl_select_mode mode;
    const sl_topology *const *topologies;
    sl_query query; /* for rays and sights: nothing that is told of each item */
    sli_scene_ray options;
    double budget_ms;
    const sl_scene *scene;
    sl_view view;
    sli_screen screen;
    sli_region regions[2];
    int current; /* of the regions: that of the last update */
    /* One block of memory: what follows points into it. */
    void *block;
    size_t block_size;
    uint32_t instance_count;
    uint64_t *offset;      /* of each instance's words; one more at the end */
    uint64_t *bit_count;   /* things of each instance */
    uint64_t *selected;    /* of each instance */
    uint64_t *words;       /* of things */
    uint64_t *item_offset; /* as offset, of items; may be offset itself */
    uint64_t *item_words;  /* may be words */
    uint32_t *counts;      /* of each thing, at its bit's number; NULL: items are things */
    uint32_t *totals;      /* INSIDE: what counts has to be */
    sli_sights sights;
    sli_picture picture;
    bool plain; /* the query leaves out nothing but whole instances */
    sl_selection_info info;
};

/* Items of a triangle. */
static inline uint32_t sli_items_per_prim(const sl_selection *s)
{
    return s->unit >= SL_SELECT_EDGES ? 3 : 1;
}

static inline bool sli_bit(const uint64_t *words, uint64_t i)
{
    return (words[i / 64] >> (i % 64) & 1) != 0;
}

/* How many of a kind an instance has: things, and items. */
uint64_t sli_thing_count(const sl_selection *s, const sl_scene *scene, uint32_t instance);
uint64_t sli_item_count(const sl_selection *s, const sl_scene *scene, uint32_t instance);

/* The thing that an item of a triangle belongs to; SL_NONE: none. */
uint32_t sli_thing_of(const sl_selection *s, uint32_t instance, uint32_t prim, uint32_t k);

/* Selects an item, or no more; whole: all of it lies in the region. */
void sli_set_item(sl_selection *s, uint32_t instance, uint32_t prim, uint32_t k, bool selected,
                  bool whole);

/* Adds to the count of a thing (1 or -1). */
void sli_count_thing(sl_selection *s, uint32_t instance, uint32_t thing, int by);

/* Whether the query leaves an instance in, and a triangle of such an instance. */
bool sli_has_instance(const sl_selection *s, uint32_t instance);
static inline bool sli_has_prim(const sl_selection *s, uint32_t instance, uint32_t prim,
                                uint32_t mask)
{
    if ((s->options.flags & SL_USE_MASK) != 0 && (mask & s->options.mask) == 0) {
        return false;
    }
    for (int i = 0; i < 2 && (s->options.flags & SL_USE_SKIP) != 0; i++) {
        if (s->options.skip[i].prim == prim && s->options.skip[i].instance == instance) {
            return false;
        }
    }
    return true;
}

/* The corners of a triangle of an instance in clip space. */
void sli_clip_corners(const sl_selection *s, uint32_t instance, float x[3][3], double clip[3][4]);

/* TOUCHED and INSIDE: goes over what the two regions tell apart.  VISIBLE of edges and vertices:
 * which are touched. */
void sli_select_figures(sl_selection *s);

/* VISIBLE. */
void sli_select_pixels(sl_selection *s, const sl_tasks *tasks);
void sli_select_sights(sl_selection *s);

/* The pixels whose centres lie in the region. */
void sli_region_pixels(const sli_region *region, sli_picture *picture);

#endif
