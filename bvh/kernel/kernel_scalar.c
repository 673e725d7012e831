#include "bvh/kernel/kernel.h"
#include "lib/geom/hit_heap.h"
#include "lib/geom/point_triangle.h"

#include <math.h>
#include <string.h>

#include "bvh/kernel/walk.inl"

#include "bvh/kernel/ray_box.inl"
#include "bvh/kernel/ray_tri.inl"

#include "bvh/kernel/traverse_all.inl"
#include "bvh/kernel/traverse_any.inl"
#include "bvh/kernel/traverse_closest.inl"
#include "bvh/kernel/traverse_nearest.inl"

const sli_kernels sli_kernels_scalar = {
    .name = "scalar",
    .closest = traverse_closest,
    .any = traverse_any,
    .all = traverse_all,
    .nearest = traverse_nearest,
};
