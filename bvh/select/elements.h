/* elements.h: incidences and elements of a selection, and how elements are counted (state.h). */
#pragma once

#include "bvh/select/state.h"

/* How many of a kind an instance has: elements, and incidences. */
uint64_t sli_element_count(const sl_selection *s, const sl_bvh *bvh, uint32_t instance);
uint64_t sli_incidence_count(const sl_selection *s, const sl_bvh *bvh, uint32_t instance);

/* The element that an incidence of a triangle belongs to; SL_NONE: none. */
uint32_t sli_element_of(const sl_selection *s, uint32_t instance, uint32_t prim, uint32_t k);

/* Selects an incidence, or no more; whole: all of it lies in the region. */
void sli_set_incidence(sl_selection *s, uint32_t instance, uint32_t prim, uint32_t k, bool selected,
                       bool whole);

/* Adds to the count of an element (1 or -1). */
void sli_count_element(sl_selection *s, uint32_t instance, uint32_t element, int by);

/* Whether the query leaves an instance in. */
bool sli_has_instance(const sl_selection *s, uint32_t instance);

/* Whether the time of an update is up. */
bool sli_select_is_late(const sl_selection *s, uint64_t began_ns);

/* Calls share(job, i) for each i below count, on the tasks. */
void sli_select_shares(const sl_tasks *tasks, size_t count, void (*share)(void *job, size_t i),
                       void *job);
