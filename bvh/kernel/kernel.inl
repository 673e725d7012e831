/* kernel.inl: everything that a kernel is, in the operations of simd.h.  Included once by each
 * kernel_<isa>.c, after its simd_<isa>.h; gives SLI_KERNELS, the initialiser of its table.
 *
 * The ways to trace, of which each includes only those above it, and filter and simd:
 *     plain     one ray, plainly: all hits, crossings, next, and rays outside the filters' range
 *     single    one ray, as fast as possible: closest and any hit
 *     packet    coherent rays, and rays that visit the same nodes, together
 *     stream    batches: many rays in flight, which hide one another's cache misses; what packets
 *               take goes first.  Batches from one point are sorted, and share what occludes them
 *     instance  rays through instances of trees: one, and batches in flight; what contains a point
 *     nearest   nearest triangles to a point, and to each of many, in trees of either kind
 *     sweep     shapes that move through trees of either kind
 *     contact   two trees at once: their nodes, and the triangles of their leaves */
#pragma once

#include "bvh/kernel/contact/dual.inl"
#include "bvh/kernel/contact/leaf.inl"
#include "bvh/kernel/instance/inside.inl"
#include "bvh/kernel/instance/one.inl"
#include "bvh/kernel/plain/all.inl"
#include "bvh/kernel/plain/boundary.inl"
#include "bvh/kernel/plain/inside.inl"
#include "bvh/kernel/sweep/walk.inl"

#if defined(SL_SMALL)
#include "bvh/kernel/one_by_one.inl"
#else
#include "bvh/kernel/instance/batch.inl"
#include "bvh/kernel/instance/transform8.inl"
#include "bvh/kernel/nearest/instances.inl"
#include "bvh/kernel/nearest/stream.inl"
#include "bvh/kernel/stream/from_point.inl"
#endif

/* Programs that ask neither of volumes nor of two trees may be linked with kernels that have none
 * of it. */
#if defined(SL_NO_CONTACT)
#define SLI_KERNELS_OF_CONTACT
#else
#define SLI_KERNELS_OF_CONTACT                                                                     \
    .world_sweep_first = world_sweep_first, .world_sweep_any = world_sweep_any,                    \
    .world_sweep_all = world_sweep_all, .dual_pairs = dual_pairs, .dual_split = dual_split,        \
    .leaf_unpack = leaf_unpack, .leaf_near = leaf_near
#endif

#define SLI_KERNELS(isa)                                                                           \
    { .name = (isa),                                                                               \
      .closest = traverse_closest,                                                                 \
      .any = traverse_any,                                                                         \
      .all = traverse_all,                                                                         \
      .all_many = traverse_all_many,                                                               \
      .inside = traverse_inside,                                                                   \
      .boundary_turns = boundary_turns,                                                            \
      .boundary_sum = boundary_sum,                                                                \
      .closest_one = single_closest,                                                               \
      .any_one = single_any,                                                                       \
      .closest_many = traverse_closest_many,                                                       \
      .any_many = traverse_any_many,                                                               \
      .point_to_many_any = traverse_point_to_many_any,                                             \
      .nearest = traverse_nearest,                                                                 \
      .nearest_many = traverse_nearest_many,                                                       \
      .world_transform8 = world_transform8,                                                        \
      .world_closest = one_closest,                                                                \
      .world_any = one_any,                                                                        \
      .world_closest_many = world_closest_many,                                                    \
      .world_any_many = world_any_many,                                                            \
      .world_all_many = world_all_many,                                                            \
      .world_try_hints = world_try_hints,                                                          \
      .world_all = world_all,                                                                      \
      .world_nearest = world_nearest,                                                              \
      .world_nearest_many = world_nearest_many,                                                    \
      .world_inside = world_inside,                                                                \
      SLI_KERNELS_OF_CONTACT }
