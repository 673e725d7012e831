/* traps_calls.h: a call of every public function of the core library, X(function, (arguments)),
 * with denormal numbers wherever it takes any; for test_traps.c, which has the names in it.  Order:
 * as in the headers.  Functions of a sink (mesh_format.h) are called by the format of the test. */
// clang-format off
#define TRAPS_CALLS(X)                                                                             \
    /* bvh.h */                                                                                    \
    X(sl_bvh_build, (in.mesh, NULL, &made.bvh, &error))                                            \
    X(sl_bvh_build, (in.mesh, &in.high, &made.bvh, &error))                                        \
    X(sl_bvh_build, (in.mesh, &in.compact, &made.bvh, &error))                                     \
    X(sl_bvh_destroy, (NULL))                                                                      \
    X(sl_bvh_get_info, (in.bvh))                                                                   \
    X(sl_bvh_check, (in.bvh, in.mesh, &error))                                                     \
    /* bvh.h, in slices */                                                                         \
    X(sl_build_begin, (in.mesh, NULL, &made.build, &error))                                        \
    X(sl_build_step, (in.build, (double)TINY, room, &error))                                       \
    X(sl_build_end, (in.build, &made.bvh, &error))                                                 \
    X(sl_build_destroy, (NULL))                                                                    \
    /* points.h */                                                                                 \
    X(sl_bvh_winding, (in.bvh, in.boundary, in.xyz, COUNT, &in.query, room, NULL, NULL))           \
    X(sl_soup_inside, (&in.soup, in.boundary, in.point, &in.query, room))                          \
    X(sl_soup_within, (&in.soup, in.point, TINY, &in.query, room, KEPT))                           \
    /* refit.h */                                                                                  \
    X(sl_bvh_refit, (in.bvh, in.xyz, COUNT, NULL, COUNT / 3, NULL, &made.bvh, &error))             \
    X(sl_bvh_refit, (in.bvh, in.xyz, COUNT, NULL, COUNT / 3, &in.dirty, &made.bvh, &error))        \
    X(sl_bvh_set_masks, (in.bvh, COUNT / 3, NULL, &made.bvh, &error))                              \
    X(sl_bvh_drift, (in.bvh))                                                                      \
    /* volumes.h */                                                                                \
    /* store.h */                                                                                  \
    X(sl_bvh_save, (in.bvh, in.written, &error))                                                   \
    X(sl_bvh_save_memory, (in.bvh, room))                                                          \
    X(sl_bvh_load, (in.slt, NULL, &made.bvh, &error))                                              \
    X(sl_bvh_load_memory, (in.saved, in.saved_size, NULL, &made.bvh, &error))                      \
    X(sl_bvh_map, (in.slt, NULL, &made.bvh, &error))                                               \
    X(sl_bvh_is_file, (in.saved, in.saved_size))                                                   \
    X(sl_mesh_hash, (in.mesh))                                                                     \
    X(sl_bvh_mesh_hash, (in.bvh))                                                                  \
    X(sl_soup_overlap_all, (&in.soup, &in.volume, &in.query, room, KEPT))                          \
    /* base.h */                                                                                   \
    X(sl_version, ())                                                                              \
    X(sl_result_name, (SL_OK))                                                                     \
    X(sl_result_message, (SL_OK))                                                                  \
    /* mesh_repair.h, boundaries */                                                                \
    X(sl_boundary_create, (&in.soup, &in.query, NULL, &made.boundary, &error))                     \
    X(sl_boundary_destroy, (NULL))                                                                 \
    X(sl_boundary_get_info, (in.boundary))                                                         \
    /* camera.h */                                                                                 \
    X(sl_camera_make, (&in.camera_def, room, &error))                                              \
    X(sl_camera_from_matrices, (in.matrix, in.matrix, 4, 4, SL_CLIP_SPACE_GL, room, &error))       \
    X(sl_camera_fit, (&in.box, NULL, in.point, &in.camera_def_out, &error))                        \
    X(sl_camera_fit, (NULL, &in.soup, in.point, &in.camera_def_out, &error))                       \
    X(sl_camera_ray, (&in.camera, TINY, TINY, room))                                               \
    X(sl_camera_row, (&in.camera, 1, 1, COUNT, room))                                              \
    X(sl_camera_project, (&in.camera, in.point, room, room))                                       \
    X(sl_camera_frustum, (&in.camera, in.rectangle, room))                                         \
    X(sl_camera_unproject, (&in.camera, TINY, TINY, TINY, room))                                   \
    /* closest.h */                                                                                \
    X(sl_segment_closest, (&in.segment, in.point, room))                                           \
    X(sl_triangle_closest, (&in.triangle, in.point, room))                                         \
    X(sl_plane_closest, (&in.plane, in.point, room))                                               \
    X(sl_plane_distance, (&in.plane, in.point))                                                    \
    X(sl_aabb_closest, (&in.box, in.point, room))                                                  \
    X(sl_aabb_surface_closest, (&in.box, in.point, room))                                          \
    X(sl_obb_closest, (&in.obb, in.point, room))                                                   \
    X(sl_line_line_2d, (in.line, in.line, 0, room))                                                \
    X(sl_line_line, (in.line, in.line, room))                                                      \
    X(sl_aabb_radius, (&in.box, in.point))                                                         \
    X(sl_obb_radius, (&in.obb, in.point))                                                          \
    X(sl_aabb_of_obb, (&in.obb))                                                                   \
    X(sl_aabb_transform, (&in.box, in.matrix))                                                     \
    X(sl_volume_contains_point, (AS_SPHERE(&in.sphere), in.point))                                 \
    X(sl_volume_contains_point, (AS_CAPSULE(&in.capsule), in.point))                               \
    X(sl_volume_contains_point, (AS_OBB(&in.obb), in.point))                                       \
    X(sl_volume_contains_point, (AS_FRUSTUM(&in.frustum), in.point))                               \
    X(sl_sphere_of_points, (in.xyz, NULL, COUNT, room))                                            \
    X(sl_sphere_of_points, (in.soup.xyz, in.soup.indices, 3 * in.soup.triangle_count, room))       \
    X(sl_obb_of_points, (in.xyz, NULL, COUNT, room))                                               \
    X(sl_obb_of_points, (in.soup.xyz, in.soup.indices, 3 * in.soup.triangle_count, room))          \
    /* gizmo.h */                                                                                  \
    X(sl_drag_begin, (&in.drag_out, &in.view, in.wide))                                            \
    X(sl_drag_to, (&in.drag, &in.view, in.wide, &in.drag_move, room))                              \
    X(sl_drag_pace, (&in.drag_out, in.wide, 0x1p-1070))                                            \
    X(sl_drag_transform, (&in.drag, &in.drag_move, &in.place, room))                               \
    X(sl_transform_turned, (&in.place, in.wide, in.wide, room))                                    \
    X(sl_transform_scaled, (&in.place, in.wide, in.wide, 0x1p-1070, room))                         \
    X(sl_turn_about, (in.wide, 0x1p-1070, room))                                                   \
    X(sl_turn_between, (in.wide, in.wide, room))                                                   \
    X(sl_gizmo_size, (&in.gizmo, &in.view, room))                                                  \
    X(sl_gizmo_pick, (&in.gizmo, &in.view, in.wide, 0x1p-1070, room))                              \
    X(sl_gizmo_drag, (&in.gizmo, &in.handle, &in.drag_out))                                        \
    /* intersect.h */                                                                              \
    X(sl_ray_triangle, (&in.ray, &in.triangle, &in.query, room))                                   \
    X(sl_segment_triangle, (&in.segment, &in.triangle, &in.query, room))                           \
    X(sl_triangle_facing, (&in.triangle, in.point))                                                \
    X(sl_line_of_ray, (&in.ray))                                                                   \
    X(sl_line_of_segment, (&in.segment))                                                           \
    X(sl_line_plane, (in.line, &in.plane, room))                                                   \
    X(sl_line_aabb, (in.line, &in.box, 0, room))                                                   \
    X(sl_line_sphere, (in.line, &in.sphere, 0, room))                                              \
    X(sl_line_capsule, (in.line, &in.capsule, 0, room))                                            \
    X(sl_line_obb, (in.line, &in.obb, 0, room))                                                    \
    X(sl_obb_from_matrix, (in.matrix, room))                                                       \
    X(sl_matrix_inverse, (in.matrix, room))                                                        \
    X(sl_line_unit_cube, (in.line, in.matrix, 0, room))                                            \
    X(sl_soup_all, (&in.soup, &in.ray, &in.query, room, KEPT))                                     \
    X(sl_soup_all_segment, (&in.soup, &in.segment, &in.query, room, KEPT))                         \
    /* mesh.h */                                                                                   \
    X(sl_mesh_load, (in.ply, &in.mesh_def, &made.mesh, &error))                                    \
    X(sl_mesh_load_memory, (in.off, in.off_size, NULL, &in.mesh_def, &made.mesh, &error))          \
    X(sl_mesh_from_arrays, (in.xyz, COUNT, NULL, COUNT / 3, &in.mesh_def, &made.mesh, &error))     \
    X(sl_mesh_destroy, (NULL))                                                                     \
    X(sl_mesh_soup, (in.mesh))                                                                     \
    X(sl_mesh_face, (in.mesh, 1))                                                                  \
    X(sl_mesh_get_part, (in.mesh, 1, room))                                                        \
    X(sl_mesh_part_of, (in.mesh, 1))                                                               \
    X(sl_mesh_triangle, (in.mesh, 1, room))                                                        \
    X(sl_mesh_get_info, (in.mesh))                                                                 \
    X(sl_mesh_inspect, (in.mesh, NULL, NULL, room, &error))                                        \
    X(sl_mesh_weld, (in.mesh, NULL, &made.mesh, room, &error))                                     \
    X(sl_mesh_split_vertices, (in.mesh, NULL, &made.mesh, &error))                                 \
    X(sl_ply_write, (in.written, &in.ply_def, &error))                                             \
    X(sl_mesh_generate, (&in.octahedron, NULL, &made.mesh, &error))                                \
    /* mesh_format.h */                                                                            \
    X(sl_mesh_get_attribute, (in.mesh, SL_MESH_NORMALS, room))                                     \
    X(sl_mesh_at, (in.mesh, 1, TINY, TINY, &in.place, room))                                       \
    /* transform.h */                                                                              \
    X(sl_transform_identity, ())                                                                   \
    X(sl_transform_from_matrix, (in.matrix, room))                                                 \
    X(sl_transform_from_trs, (in.wide, in.wide, in.wide, room))                                    \
    X(sl_transform_product, (&in.place, &in.place, room))                                          \
    X(sl_transform_corner, (&in.place, 0, in.point, room))                                         \
    X(sl_transform_normal, (&in.place, in.wide, room))                                             \
    /* intersect.h, in doubles */                                                                  \
    X(sl_ray_d_make, (in.wide, in.wide))                                                           \
    X(sl_ray_d_from_ray, (&in.ray))                                                                \
    X(sl_segment_d_from_segment, (&in.segment))                                                    \
    X(sl_ray_d_triangle, (&in.ray_d, &in.triangle_d, &in.query, room))                             \
    X(sl_segment_d_triangle, (&in.segment_d, &in.triangle_d, &in.query, room))                     \
    /* overlap.h */                                                                                \
    X(sl_volume_overlaps_aabb, (AS_AABB(&in.box), &in.box))                                        \
    X(sl_volume_overlaps_aabb, (AS_TRIANGLE(&in.triangle), &in.box))                               \
    X(sl_volume_overlaps_sphere, (AS_SPHERE(&in.sphere), &in.sphere))                              \
    X(sl_volume_overlaps_aabb, (AS_SPHERE(&in.sphere), &in.box))                                   \
    X(sl_volume_overlaps_obb, (AS_SPHERE(&in.sphere), &in.obb))                                    \
    X(sl_volume_overlaps_triangle, (AS_SPHERE(&in.sphere), &in.triangle))                          \
    X(sl_volume_overlaps_triangle, (AS_CAPSULE(&in.capsule), &in.triangle))                        \
    X(sl_volume_overlaps_aabb, (AS_CAPSULE(&in.capsule), &in.box))                                 \
    X(sl_volume_overlaps_obb, (AS_CAPSULE(&in.capsule), &in.obb))                                  \
    X(sl_volume_overlaps_sphere, (AS_CAPSULE(&in.capsule), &in.sphere))                            \
    X(sl_volume_overlaps_obb, (AS_OBB(&in.obb), &in.obb))                                          \
    X(sl_volume_overlaps_aabb, (AS_OBB(&in.obb), &in.box))                                         \
    X(sl_volume_overlaps_triangle, (AS_OBB(&in.obb), &in.triangle))                                \
    X(sl_volume_overlaps_triangle, (AS_TRIANGLE(&in.triangle), &in.triangle))                      \
    X(sl_volume_overlaps_aabb, (AS_FRUSTUM(&in.frustum), &in.box))                                 \
    X(sl_volume_overlaps_obb, (AS_FRUSTUM(&in.frustum), &in.obb))                                  \
    X(sl_volume_overlaps_sphere, (AS_FRUSTUM(&in.frustum), &in.sphere))                            \
    X(sl_volume_overlaps_triangle, (AS_FRUSTUM(&in.frustum), &in.triangle))                        \
    X(sl_plane_side_of, (&in.plane, AS_CAPSULE(&in.capsule)))                                      \
    X(sl_plane_side_of, (&in.plane, AS_TRIANGLE(&in.triangle)))                                    \
    X(sl_plane_side_of, (&in.plane, AS_AABB(&in.box)))                                             \
    X(sl_plane_side_of, (&in.plane, AS_OBB(&in.obb)))                                              \
    X(sl_plane_side_of, (&in.plane, AS_SPHERE(&in.sphere)))                                        \
    /* shapes.h */                                                                                 \
    X(sl_ray_make, (in.point, in.point))                                                           \
    X(sl_volume_is_valid, (AS_TRIANGLE(&in.triangle)))                                             \
    X(sl_volume_is_valid, (AS_SPHERE(&in.sphere)))                                                 \
    X(sl_volume_is_valid, (AS_CAPSULE(&in.capsule)))                                               \
    X(sl_volume_is_valid, (AS_OBB(&in.obb)))                                                       \
    X(sl_volume_is_valid, (AS_FRUSTUM(&in.frustum)))                                               \
    X(sl_aabb_empty, ())                                                                           \
    X(sl_aabb_from_corners, (in.point, in.point))                                                  \
    X(sl_aabb_from_centre, (in.point, in.point))                                                   \
    X(sl_aabb_is_empty, (&in.box))                                                                 \
    X(sl_volume_is_valid, (AS_AABB(&in.box)))                                                      \
    X(sl_aabb_of_points, (in.xyz, COUNT))                                                          \
    X(sl_aabb_grow, (&in.box, in.point))                                                           \
    X(sl_aabb_join, (&in.box, &in.box))                                                            \
    X(sl_aabb_intersect, (&in.box, &in.box))                                                       \
    X(sl_volume_contains_point, (AS_AABB(&in.box), in.point))                                      \
    X(sl_aabb_measure, (&in.box))                                                                  \
    /* base.h, pools */                                                                            \
    X(sl_pool_create, (1, NULL, &made.pool, &error))                                               \
    X(sl_pool_destroy, (NULL))                                                                     \
    X(sl_pool_tasks, (NULL))                                                                       \
    /* topology.h */                                                                               \
    X(sl_topology_build, (in.mesh, NULL, &made.topology, &error))                                  \
    X(sl_topology_destroy, (NULL))                                                                 \
    X(sl_topology_update, (in.topology, in.xyz, NULL, 0, &error))                                  \
    X(sl_topology_update, (in.topology, in.xyz, in.indices, 1, &error))                            \
    X(sl_topology_get_info, (in.topology))                                                         \
    X(sl_topology_element_of, (in.topology, 0, SL_VERTICES, 0))                                    \
    X(sl_topology_element_of, (in.topology, 0, SL_EDGES, 0))                                       \
    X(sl_topology_element_of, (in.topology, 0, SL_FACES, 0))                                       \
    X(sl_topology_element_of, (in.topology, 0, SL_PARTS, 0))                                       \
    X(sl_topology_get_edge, (in.topology, 0, room))                                                \
    X(sl_topology_mesh_vertex, (in.topology, 0))                                                   \
    X(sl_topology_is_feature, (in.topology, SL_EDGES, 0))                                          \
    X(sl_topology_is_feature, (in.topology, SL_VERTICES, 0))                                       \
    X(sl_topology_around, (in.topology, SL_EDGES, 0, SL_TRIANGLES, room, 4))                       \
    X(sl_topology_around, (in.topology, SL_VERTICES, 0, SL_TRIANGLES, room, 4))                    \
    X(sl_topology_around, (in.topology, SL_VERTICES, 0, SL_EDGES, room, 4))                        \
    /* topology.h, sets of elements */                                                             \
    X(sl_set_words, (in.topology, SL_EDGES))                                                       \
    X(sl_set_list, (in.topology, SL_EDGES, in.bits, room, 4))                                      \
    X(sl_set_from_list, (in.topology, SL_EDGES, in.indices, 2, room))                              \
    X(sl_set_invert, (in.topology, SL_EDGES, in.bits, room))                                       \
    X(sl_set_convert, (in.topology, SL_EDGES, in.bits, SL_ALL_OF, SL_FACES, room))                 \
    X(sl_set_boundary, (in.topology, in.bits, room))                                               \
    X(sl_set_grow, (in.topology, SL_EDGES, in.bits, SL_VERTICES, in.more_bits, room))              \
    X(sl_set_shrink, (in.topology, SL_EDGES, in.bits, SL_VERTICES, in.more_bits, room))            \
    X(sl_set_connected, (in.topology, SL_EDGES, in.bits, 0, in.more_bits, room))                   \
    X(sl_set_chain, (in.topology, in.bits, in.more_bits, room))                                    \
    /* camera.h, views */                                                                          \
    X(sl_view_ray, (&in.view, in.wide, room))                                                      \
    X(sl_view_project, (&in.view, in.wide, room, room))                                            \
    X(sl_view_sight, (&in.view, in.wide, room))                                                    \
    X(sl_view_pixel_size, (&in.view, in.wide, room))
// clang-format on#include "test/support/volume.h"

