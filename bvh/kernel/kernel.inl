/* kernel.inl: everything that a kernel is, in the operations of simd.h.  Included once by each
 * kernel_<isa>.c, after its simd_<isa>.h; gives SLI_KERNELS, the initialiser of its table. */
#include "bvh/kernel/kernel.h"
#include "bvh/kernel/seen.h"
#include "bvh/kernel/set_bits.h"
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
#include "bvh/kernel/traverse_inside.inl"

#include "bvh/kernel/ring_ray.inl"
#include "bvh/kernel/ring_tri.inl"

#include "bvh/kernel/fan.inl"

#include "bvh/kernel/lone_ray.inl"
#include "bvh/kernel/lone_tri.inl"
#include "bvh/kernel/lone_limits.inl"
#include "bvh/kernel/fan_share.inl"
#include "bvh/kernel/lone_sure.inl"

#include "bvh/kernel/lone.inl"
#include "bvh/kernel/ring.inl"
#include "bvh/kernel/ring_read.inl"
#include "bvh/kernel/ring_relieve.inl"
#include "bvh/kernel/ring_unpack.inl"

#include "bvh/kernel/packet.inl"

#include "bvh/kernel/crowd.inl"

#include "bvh/kernel/ring_pack.inl"
#include "bvh/kernel/ring_start.inl"
#include "bvh/kernel/ring_run.inl"
#include "bvh/kernel/ring_guess.inl"
#include "bvh/kernel/ring_many.inl"

#include "bvh/kernel/fan_ring.inl"

#include "bvh/kernel/point_tri.inl"
#include "bvh/kernel/point_tri_double.inl"

#include "bvh/kernel/traverse_nearest.inl"
#include "bvh/kernel/traverse_nearest_many.inl"

#define SLI_KERNELS(isa)                                                                           \
    {                                                                                              \
        .name = (isa), .closest = traverse_closest, .any = traverse_any, .all = traverse_all,      \
        .inside = traverse_inside, .closest_one = lone_closest, .any_one = lone_any,               \
        .closest_many = traverse_closest_many, .any_many = traverse_any_many,                      \
        .fan_any = traverse_fan_any, .nearest = traverse_nearest,                                  \
        .nearest_many = traverse_nearest_many                                                      \
    }
