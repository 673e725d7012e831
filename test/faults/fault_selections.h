/* fault_selections.h: the cases of selections (fault_case.h): made, taken from region to region,
 * and reset. */
#pragma once

#include "test/faults/fault_case.h"

#include <sightline/bvh.h>
#include <sightline/topology.h>

/* Adds them behind the *count cases that are there, of which there may be `most`.  The tree stays
 * the caller's, and so does what runs tasks. */
void fault_selections_add(fault_case *cases, size_t *count, size_t most, const sl_bvh *tree,
                          const sl_tasks *tasks);
void fault_selections_end(void);
