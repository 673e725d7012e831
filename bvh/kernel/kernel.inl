/* kernel.inl: everything that a kernel is, in the operations of simd.h.  Included once by each
 * kernel_<isa>.c, after its simd_<isa>.h; gives SLI_KERNELS, the initialiser of its table. */
#include "bvh/kernel/kernel.h"
#include "bvh/kernel/mailbox.h"
#include "bvh/kernel/simd/compress_table.h"
#include "lib/geom/closest/point_triangle.h"
#include "lib/geom/intersect/hit_heap.h"

#include <math.h>
#include <string.h>

/* clang-format off */
#include "bvh/kernel/reference/ray.inl"

#include "bvh/kernel/reference/box.inl"
#include "bvh/kernel/reference/tri.inl"

#include "bvh/kernel/reference/all.inl"
#include "bvh/kernel/reference/any.inl"
#include "bvh/kernel/reference/closest.inl"
#include "bvh/kernel/reference/inside.inl"

#include "bvh/kernel/filter/ray8.inl"
#include "bvh/kernel/filter/tri.inl"

#include "bvh/kernel/point_to_many/sort.inl"

#include "bvh/kernel/filter/ray1.inl"
#include "bvh/kernel/filter/tri_interval.inl"
#include "bvh/kernel/filter/tri_plane4.inl"
#include "bvh/kernel/point_to_many/occluder_share.inl"
#include "bvh/kernel/filter/tri1.inl"

#include "bvh/kernel/single/single.inl"
#include "bvh/kernel/interleaved/interleaved.inl"
#include "bvh/kernel/interleaved/read.inl"
#include "bvh/kernel/interleaved/stack_overflow.inl"
#include "bvh/kernel/interleaved/unpack_compact.inl"

#include "bvh/kernel/packet/packet.inl"

#include "bvh/kernel/packet/hybrid.inl"

#include "bvh/kernel/interleaved/packets_first.inl"
#include "bvh/kernel/interleaved/refill.inl"
#include "bvh/kernel/interleaved/loop.inl"
#include "bvh/kernel/interleaved/hints.inl"
#include "bvh/kernel/interleaved/batch.inl"

#include "bvh/kernel/point_to_many/traverse.inl"

#include "bvh/kernel/nearest/filter.inl"
#include "bvh/kernel/nearest/decide.inl"

#include "bvh/kernel/nearest/single.inl"
#include "bvh/kernel/nearest/interleaved.inl"
/* clang-format on */

#define SLI_KERNELS(isa)                                                                           \
    { .name = (isa),                                                                               \
      .closest = traverse_closest,                                                                 \
      .any = traverse_any,                                                                         \
      .all = traverse_all,                                                                         \
      .inside = traverse_inside,                                                                   \
      .closest_one = lone_closest,                                                                 \
      .any_one = lone_any,                                                                         \
      .closest_many = traverse_closest_many,                                                       \
      .any_many = traverse_any_many,                                                               \
      .fan_any = traverse_fan_any,                                                                 \
      .nearest = traverse_nearest,                                                                 \
      .nearest_many = traverse_nearest_many }
