/* fault_contacts.h: the cases of mesh against mesh (fault_case.h): curves, solids, and reports of
 * clashes, anew and after an earlier one. */
#pragma once

#include "test/faults/fault_case.h"

#include <sightline/bvh.h>

/* Adds them behind the *count cases that are there, of which there may be `most`.  The tree stays
 * the caller's, and so does what runs tasks. */
void fault_contacts_add(fault_case *cases, size_t *count, size_t most, const sl_bvh *tree,
                        const sl_tasks *tasks);
void fault_contacts_end(void);
