/* ask.h: one way to put a question to a scene: rays or segments, in floats or doubles, what is
 * asked of each, and where the answers go.  rays.c, rays_d.c, columns.c and from_point.c fill in a
 * question; ask.c puts it. */
#ifndef SLI_SCENE_ASK_H
#define SLI_SCENE_ASK_H

#include "bvh/query/source.h"
#include "bvh/scene/scene.h"

typedef enum sli_scene_asked {
    SLI_SCENE_CLOSEST,
    SLI_SCENE_ANY, /* yes, hints */
    SLI_SCENE_ALL, /* hits, capacity, totals; capacity 0 counts */
    SLI_SCENE_NEXT /* hits, previous */
} sli_scene_asked;

/* Rays or segments in doubles from one point. */
typedef struct sli_scene_from_d {
    double origin[3], tmax;
    bool targets;
    const double *to; /* three numbers for each direction or target */
} sli_scene_from_d;

/* One source is not NULL; hits and previous are those of its numbers. */
typedef struct sli_scene_question {
    const sl_scene *scene;
    const sl_query *query; /* NULL means everything */
    sli_scene_asked asked;
    const sl_ray *rays;
    const sl_segment *segments;
    const sl_ray_d *rays_d;
    const sl_segment_d *segments_d;
    const sli_source *gathered; /* no array: closest with columns, and any; first is 0 */
    const sli_scene_from_d *from_d;
    sl_hit *hits; /* all: a row of capacity hits for each item */
    sl_hit_d *hits_d;
    const sl_hit_columns *columns; /* closest, of gathered items */
    const sl_hit *previous;
    const sl_hit_d *previous_d;
    size_t capacity;
    uint64_t *totals;
    uint8_t *yes;
    sl_triangle_ref *hints; /* any; NULL: none */
    bool tried;             /* sli_scene_try_hints has found that none of them blocks */
    size_t first;           /* where item 0 stands in the caller's array: for the hit filter */
} sli_scene_question;

/* Answers it for count items, in parallel through the hook. */
void sli_scene_ask(const sli_scene_question *question, size_t count, const sl_tasks *tasks);

/* Any, of an array: only says which items their hints block. */
void sli_scene_try_hints(const sli_scene_question *question, size_t count);

#endif
