/* modes.h: what an update does for each mode, from the region before to the region now. */
#pragma once

#include "bvh/select/state.h"

/* TOUCHED and INSIDE: goes over what the two regions tell apart.  VISIBLE of edges and vertices:
 * which are touched. */
void sli_select_outlines(sl_selection *s);

/* VISIBLE of faces, parts and instances; and of edges and vertices, once their outlines are known.
 * began_ns: when the update did, for the budget. */
void sli_select_pixels(sl_selection *s, const sl_tasks *tasks, uint64_t began_ns);
void sli_select_visibility(sl_selection *s, const sl_tasks *tasks, uint64_t began_ns);

/* The pixels whose centres lie in the region. */
void sli_region_pixels(const sli_region *region, sli_picture *picture);
