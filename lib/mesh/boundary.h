/* boundary.h: clusters of the edges of a boundary; for boundary.c. */
#pragma once

#include "lib/base/hooks.h"
#include "lib/geom/closest/boundary_winding.h"

/* Gives a boundary that has its edges the tree of clusters over them, or none where they are few.
 * SL_OUT_OF_MEMORY, SL_CANCELLED: it is to be destroyed. */
sl_result sli_boundary_cluster(sl_boundary *boundary, sli_stage *stage);
