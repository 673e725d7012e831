/* closest/boundary_winding.h: the boundary of a surface, and its part of a winding number; for the
 * queries whether a point is inside a mesh. */
#pragma once

#include <sightline/mesh_repair.h>

/* An edge that triangles use count times more in the direction from -> to than the other way. */
typedef struct sli_boundary_edge {
    float from[3], to[3];
    uint32_t count;
} sli_boundary_edge;

struct sl_boundary {
    sl_allocator allocator;
    sli_boundary_edge *edges; /* in an order that depends only on their positions */
    size_t capacity;
    sl_boundary_info info;
};

/* The winding number around point is the crossings of backs minus fronts by the ray along +x, moved
 * by (e, e^2, e^3) with an infinitesimal e > 0, plus this; 0 for an empty boundary.  Callers hold
 * the floating-point environment; the point is finite. */
double sli_boundary_turns(const sl_boundary *boundary, const float point[3]);
