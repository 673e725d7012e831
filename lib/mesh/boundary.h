/* boundary.h: caps that span a boundary, and clusters of them; for boundary.c. */
#pragma once

#include "lib/base/hooks.h"
#include "lib/geom/closest/boundary_winding.h"

/* Spans a boundary that has its edges by caps.  Edge i goes from position ends[i][0] to ends[i][1],
 * which are below positions.  SL_OUT_OF_MEMORY, SL_CANCELLED: it is to be destroyed. */
sl_result sli_boundary_span(sl_boundary *boundary, const uint32_t (*ends)[2], size_t positions,
                            sli_stage *stage);

/* Gives a boundary that has its caps the tree of clusters over them; fails like
 * sli_boundary_span. */
sl_result sli_boundary_cluster(sl_boundary *boundary, sli_stage *stage);
