/* things.h: items and things of a selection, and how things are counted (state.h). */
#ifndef SLI_SELECT_THINGS_H
#define SLI_SELECT_THINGS_H

#include "bvh/select/state.h"

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

/* Whether the query leaves an instance in. */
bool sli_has_instance(const sl_selection *s, uint32_t instance);

/* The corners of a triangle of an instance in clip space. */
void sli_clip_corners(const sl_selection *s, uint32_t instance, float x[3][3], double clip[3][4]);

/* A triangle as its tree has it, and its corners in the world.  False: there is none. */
bool sli_corners(const sl_selection *s, sl_triangle_ref triangle, sl_triangle *found,
                 double v[3][3]);

/* Whether the time of an update is up. */
bool sli_select_is_late(const sl_selection *s, uint64_t began_ns);

/* Calls share(job, i) for each i below count, on the tasks. */
void sli_select_shares(const sl_tasks *tasks, size_t count, void (*share)(void *job, size_t i),
                       void *job);

#endif
