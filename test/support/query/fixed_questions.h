/* fixed_questions.h: the same questions of every kind about the same meshes on every machine, and
 * one hash of all answers, from the text of a mesh to the last bit of a distance. */
#pragma once

#include <sightline/bvh.h>

#include <stdint.h>

/* What it must be. */
#define FIXED_HASH 0xB70E2B4A2F6D4505u

typedef struct fixed_queries fixed_queries;

/* NULL when out of memory. */
fixed_queries *fixed_queries_make(void);
void fixed_queries_free(fixed_queries *all);

/* Loads, builds and asks, by the kernels, in the floating-point environment and in the locale of
 * the moment.  0 where anything failed. */
uint64_t fixed_queries_hash(const fixed_queries *all, sl_bvh_quality quality, sl_bvh_layout layout,
                            const sl_tasks *tasks);
