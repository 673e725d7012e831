/* closest/boundary_winding.h: the boundary of a surface, and how much of a winding number it accounts for. */
#ifndef SLI_GEOM_CLOSEST_BOUNDARY_WINDING_H
#define SLI_GEOM_CLOSEST_BOUNDARY_WINDING_H

#include <sightline/boundary.h>

/* From one point to another, count times. */
typedef struct sli_boundary_edge {
    float from[3], to[3];
    uint32_t count;
} sli_boundary_edge;

struct sl_boundary {
    sl_allocator allocator;
    sli_boundary_edge *edges; /* in an order that depends on nothing but their positions */
    size_t capacity;
    sl_boundary_info info;
};

/* What the boundary adds to the crossings of the ray from the point along +x, moved by (e, e^2,
 * e^3) with an infinitely small e, for the winding number: crossings of backs minus fronts, plus
 * this. 0 where there is no boundary.  Callers hold the floating-point environment; the point is
 * finite. */
double sli_boundary_turns(const sl_boundary *boundary, const float point[3]);

#endif
