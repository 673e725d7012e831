/* fault_scenes.h: the cases of scenes (fault_case.h): built, followed by versions, flattened,
 * looked through for seams; and the memory of lines of sight. */
#pragma once

#include "test/faults/fault_case.h"

#include <sightline/bvh.h>

/* Adds them behind the *count cases that are there, of which there may be `most`.  The tree stays
 * the caller's, and so does what runs tasks. */
void fault_scenes_add(fault_case *cases, size_t *count, size_t most, const sl_bvh *tree,
                      const sl_tasks *tasks);
void fault_scenes_end(void);
