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
    X(sl_bvh_get_info, (in.bvh, room))                                                             \
    X(sl_bvh_check, (in.bvh, in.mesh, &error))                                                     \
    /* build_slices.h */                                                                           \
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
    X(sl_soup_self_pairs, (&in.soup, 1, &in.query, room, KEPT))                                    \
    /* store.h */                                                                                  \
    X(sl_bvh_save, (in.bvh, in.written, &error))                                                   \
    X(sl_bvh_save_size, (in.bvh))                                                                  \
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
    /* boundary.h */                                                                               \
    X(sl_boundary_create, (&in.soup, &in.query, NULL, &made.boundary, &error))                     \
    X(sl_boundary_destroy, (NULL))                                                                 \
    X(sl_boundary_get_info, (in.boundary, room))                                                   \
    /* camera.h */                                                                                 \
    X(sl_camera_make, (&in.camera_def, room, &error))                                              \
    X(sl_camera_from_matrices, (in.matrix, in.matrix, 4, 4, SL_CLIP_SPACE_GL, room, &error))       \
    X(sl_camera_fit, (&in.box, in.point, &in.camera_def_out, &error))                              \
    X(sl_camera_fit_soup, (&in.soup, in.point, &in.camera_def_out, &error))                        \
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
    X(sl_path2_through, (0, in.point, in.point))                                                   \
    X(sl_path2_along, (0, in.point, in.point, TINY))                                               \
    X(sl_line_line_2d, (&in.path2, &in.path2, 0, room))                                            \
    X(sl_path3_through, (0, in.point, in.point))                                                   \
    X(sl_path3_along, (0, in.point, in.point))                                                     \
    X(sl_line_line, (&in.path3, &in.path3, room))                                                  \
    X(sl_aabb_radius, (&in.box, in.point))                                                         \
    X(sl_aabb_radius_sum, (&in.box, in.point))                                                     \
    X(sl_obb_radius, (&in.obb, in.point))                                                          \
    X(sl_obb_radius_sum, (&in.obb, in.point))                                                      \
    X(sl_aabb_of_obb, (&in.obb))                                                                   \
    X(sl_aabb_transform, (&in.box, in.matrix))                                                     \
    X(sl_sphere_contains_point, (&in.sphere, in.point))                                            \
    X(sl_capsule_contains_point, (&in.capsule, in.point))                                          \
    X(sl_obb_contains_point, (&in.obb, in.point))                                                  \
    X(sl_frustum_contains_point, (&in.frustum, in.point))                                          \
    X(sl_convex_contains_point, (in.planes, 2, in.point))                                          \
    X(sl_sphere_of_points, (in.xyz, COUNT, room))                                                  \
    X(sl_sphere_of_soup, (&in.soup, room))                                                         \
    X(sl_obb_of_points, (in.xyz, COUNT, room))                                                     \
    X(sl_obb_of_soup, (&in.soup, room))                                                            \
    /* gizmo.h */                                                                                  \
    X(sl_drag_begin, (&in.drag_out, &in.view, in.wide))                                            \
    X(sl_drag_to, (&in.drag, &in.view, in.wide, &in.drag_move, room))                              \
    X(sl_drag_pace, (&in.drag_out, in.wide, 0x1p-1070))                                            \
    X(sl_drag_place, (&in.drag, &in.drag_move, &in.place, room))                                   \
    X(sl_place_moved, (&in.place, in.wide, room))                                                  \
    X(sl_place_turned, (&in.place, in.wide, in.wide, room))                                        \
    X(sl_place_scaled, (&in.place, in.wide, in.wide, 0x1p-1070, room))                             \
    X(sl_turn_about, (in.wide, 0x1p-1070, room))                                                   \
    X(sl_turn_between, (in.wide, in.wide, room))                                                   \
    X(sl_gizmo_size, (&in.gizmo, &in.view, room))                                                  \
    X(sl_gizmo_pick, (&in.gizmo, &in.view, in.wide, 0x1p-1070, room))                              \
    X(sl_gizmo_drag, (&in.gizmo, &in.handle, &in.drag_out))                                        \
    /* intersect.h */                                                                              \
    X(sl_ray_triangle, (&in.ray, &in.triangle, &in.query, room))                                   \
    X(sl_segment_triangle, (&in.segment, &in.triangle, &in.query, room))                           \
    X(sl_triangle_facing, (&in.triangle, in.point))                                                \
    X(sl_ray_axis_plane, (&in.ray, 1, TINY, room))                                                 \
    X(sl_segment_axis_plane, (&in.segment, 1, TINY, room))                                         \
    X(sl_line_axis_plane, (&in.line, 1, TINY, room))                                               \
    X(sl_ray_plane, (&in.ray, &in.plane, room))                                                    \
    X(sl_segment_plane, (&in.segment, &in.plane, room))                                            \
    X(sl_line_plane, (&in.line, &in.plane, room))                                                  \
    X(sl_ray_aabb_span, (&in.ray, &in.box, room, room))                                            \
    X(sl_segment_aabb_span, (&in.segment, &in.box, room, room))                                    \
    X(sl_line_aabb_span, (&in.line, &in.box, room, room))                                          \
    X(sl_ray_aabb, (&in.ray, &in.box, 0, room))                                                    \
    X(sl_segment_aabb, (&in.segment, &in.box, 0, room))                                            \
    X(sl_line_aabb, (&in.line, &in.box, 0, room))                                                  \
    X(sl_ray_sphere, (&in.ray, &in.sphere, 0, room))                                               \
    X(sl_segment_sphere, (&in.segment, &in.sphere, 0, room))                                       \
    X(sl_line_sphere, (&in.line, &in.sphere, 0, room))                                             \
    X(sl_ray_capsule, (&in.ray, &in.capsule, 0, room))                                             \
    X(sl_segment_capsule, (&in.segment, &in.capsule, 0, room))                                     \
    X(sl_line_capsule, (&in.line, &in.capsule, 0, room))                                           \
    X(sl_ray_obb, (&in.ray, &in.obb, 0, room))                                                     \
    X(sl_segment_obb, (&in.segment, &in.obb, 0, room))                                             \
    X(sl_line_obb, (&in.line, &in.obb, 0, room))                                                   \
    X(sl_obb_from_matrix, (in.matrix, room))                                                       \
    X(sl_matrix_inverse, (in.matrix, room))                                                        \
    X(sl_ray_unit_cube, (&in.ray, in.matrix, 0, room))                                             \
    X(sl_segment_unit_cube, (&in.segment, in.matrix, 0, room))                                     \
    X(sl_line_unit_cube, (&in.line, in.matrix, 0, room))                                           \
    X(sl_soup_all, (&in.soup, &in.ray, &in.query, room, KEPT))                                     \
    X(sl_soup_all_segment, (&in.soup, &in.segment, &in.query, room, KEPT))                         \
    /* mesh.h */                                                                                   \
    X(sl_mesh_load, (in.ply, &in.mesh_def, &made.mesh, &error))                                    \
    X(sl_mesh_load_memory, (in.off, in.off_size, NULL, &in.mesh_def, &made.mesh, &error))          \
    X(sl_mesh_from_arrays, (in.xyz, COUNT, NULL, COUNT / 3, &in.mesh_def, &made.mesh, &error))     \
    X(sl_mesh_destroy, (NULL))                                                                     \
    X(sl_mesh_triangle_count, (in.mesh))                                                           \
    X(sl_mesh_vertex_count, (in.mesh))                                                             \
    X(sl_mesh_positions, (in.mesh))                                                                \
    X(sl_mesh_indices, (in.mesh))                                                                  \
    X(sl_mesh_soup, (in.mesh))                                                                     \
    X(sl_mesh_face, (in.mesh, 1))                                                                  \
    X(sl_mesh_part_count, (in.mesh))                                                               \
    X(sl_mesh_get_part, (in.mesh, 1, room))                                                        \
    X(sl_mesh_part_of, (in.mesh, 1))                                                               \
    X(sl_mesh_attributes, (in.mesh))                                                               \
    X(sl_mesh_triangle, (in.mesh, 1, room))                                                        \
    X(sl_mesh_get_info, (in.mesh, room))                                                           \
    X(sl_mesh_inspect, (in.mesh, NULL, room, &error))                                              \
    X(sl_mesh_find_faults, (in.mesh, NULL, &in.fault_hook, room, &error))                          \
    X(sl_mesh_weld, (in.mesh, NULL, &made.mesh, room, &error))                                     \
    X(sl_mesh_split_vertices, (in.mesh, NULL, &made.mesh, &error))                                 \
    X(sl_ply_write, (in.written, &in.ply_def, &error))                                             \
    X(sl_mesh_generate_sphere, (2, NULL, &made.mesh, &error))                                      \
    X(sl_mesh_generate_torus, (3, 3, 2 * TINY, TINY, NULL, &made.mesh, &error))                    \
    X(sl_mesh_generate_torus, (3, 3, TINY, 2 * TINY, NULL, &made.mesh, &error))                    \
    X(sl_mesh_generate_grid, (2, 2, TINY, 1, NULL, &made.mesh, &error))                            \
    X(sl_mesh_generate_grid, (2, 2, -TINY, 1, NULL, &made.mesh, &error))                           \
    X(sl_mesh_generate_soup, (4, TINY, 1, NULL, &made.mesh, &error))                               \
    /* mesh_attributes.h */                                                                        \
    X(sl_mesh_get_attribute, (in.mesh, SL_MESH_NORMALS, room))                                     \
    X(sl_mesh_at, (in.mesh, 1, TINY, TINY, &in.place, room))                                       \
    X(sl_mesh_at_hits, (&in.meshes, &in.place, 1, in.hits, COUNT, room))                           \
    X(sl_mesh_generate_soup, (4, -TINY, 1, NULL, &made.mesh, &error))                              \
    /* place.h */                                                                                  \
    X(sl_place_identity, ())                                                                       \
    X(sl_place_from_matrix, (in.matrix, room))                                                     \
    X(sl_place_from_trs, (in.wide, in.wide, in.wide, room))                                        \
    X(sl_place_product, (&in.place, &in.place, room))                                              \
    X(sl_place_corner, (&in.place, 0, in.point, room))                                             \
    X(sl_place_normal, (&in.place, in.wide, room))                                                 \
    /* ray_d.h */                                                                                  \
    X(sl_ray_d_make, (in.wide, in.wide))                                                           \
    X(sl_ray_d_from_ray, (&in.ray))                                                                \
    X(sl_segment_d_from_segment, (&in.segment))                                                    \
    X(sl_ray_d_is_valid, (&in.ray_d))                                                              \
    X(sl_segment_d_is_valid, (&in.segment_d))                                                      \
    X(sl_triangle_d_is_valid, (&in.triangle_d))                                                    \
    X(sl_ray_d_triangle, (&in.ray_d, &in.triangle_d, &in.query, room))                             \
    X(sl_segment_d_triangle, (&in.segment_d, &in.triangle_d, &in.query, room))                     \
    /* overlap.h */                                                                                \
    X(sl_aabb_overlaps_aabb, (&in.box, &in.box))                                                   \
    X(sl_triangle_overlaps_aabb, (&in.triangle, &in.box))                                          \
    X(sl_triangle_aabb_sat_axis, (&in.triangle, &in.box, 0))                                       \
    X(sl_triangle_aabb_sat_separates, (&in.triangle, &in.box, 0))                                  \
    X(sl_sat_axis_name, (0))                                                                       \
    X(sl_sphere_overlaps_sphere, (&in.sphere, &in.sphere))                                         \
    X(sl_sphere_overlaps_aabb, (&in.sphere, &in.box))                                              \
    X(sl_sphere_overlaps_obb, (&in.sphere, &in.obb))                                               \
    X(sl_sphere_overlaps_triangle, (&in.sphere, &in.triangle))                                     \
    X(sl_capsule_overlaps_triangle, (&in.capsule, &in.triangle))                                   \
    X(sl_capsule_overlaps_aabb, (&in.capsule, &in.box))                                            \
    X(sl_capsule_overlaps_obb, (&in.capsule, &in.obb))                                             \
    X(sl_capsule_overlaps_sphere, (&in.capsule, &in.sphere))                                       \
    X(sl_obb_overlaps_obb, (&in.obb, &in.obb))                                                     \
    X(sl_obb_overlaps_aabb, (&in.obb, &in.box))                                                    \
    X(sl_obb_overlaps_triangle, (&in.obb, &in.triangle))                                           \
    X(sl_triangle_overlaps_triangle, (&in.triangle, &in.triangle))                                 \
    X(sl_frustum_overlaps_aabb, (&in.frustum, &in.box))                                            \
    X(sl_frustum_overlaps_obb, (&in.frustum, &in.obb))                                             \
    X(sl_frustum_overlaps_sphere, (&in.frustum, &in.sphere))                                       \
    X(sl_frustum_overlaps_triangle, (&in.frustum, &in.triangle))                                   \
    X(sl_plane_side_of_aabb, (&in.plane, &in.box))                                                 \
    X(sl_plane_side_of_obb, (&in.plane, &in.obb))                                                  \
    X(sl_plane_side_of_sphere, (&in.plane, &in.sphere))                                            \
    /* shapes.h */                                                                                 \
    X(sl_ray_make, (in.point, in.point))                                                           \
    X(sl_ray_is_valid, (&in.ray))                                                                  \
    X(sl_segment_is_valid, (&in.segment))                                                          \
    X(sl_line_is_valid, (&in.line))                                                                \
    X(sl_triangle_is_valid, (&in.triangle))                                                        \
    X(sl_plane_is_valid, (&in.plane))                                                              \
    X(sl_sphere_is_valid, (&in.sphere))                                                            \
    X(sl_capsule_is_valid, (&in.capsule))                                                          \
    X(sl_obb_is_valid, (&in.obb))                                                                  \
    X(sl_frustum_is_valid, (&in.frustum))                                                          \
    X(sl_aabb_empty, ())                                                                           \
    X(sl_aabb_from_corners, (in.point, in.point))                                                  \
    X(sl_aabb_from_centre, (in.point, in.point))                                                   \
    X(sl_aabb_is_empty, (&in.box))                                                                 \
    X(sl_aabb_is_valid, (&in.box))                                                                 \
    X(sl_aabb_of_triangle, (&in.triangle))                                                         \
    X(sl_aabb_of_points, (in.xyz, COUNT))                                                          \
    X(sl_aabb_grow, (&in.box, in.point))                                                           \
    X(sl_aabb_join, (&in.box, &in.box))                                                            \
    X(sl_aabb_intersect, (&in.box, &in.box))                                                       \
    X(sl_aabb_contains_point, (&in.box, in.point))                                                 \
    X(sl_aabb_contains_box, (&in.box, &in.box))                                                    \
    X(sl_aabb_centre, (&in.box, room))                                                             \
    X(sl_aabb_size, (&in.box, room))                                                               \
    X(sl_aabb_area, (&in.box))                                                                     \
    X(sl_aabb_longest_axis, (&in.box))                                                             \
    /* task.h */                                                                                   \
    X(sl_pool_create, (1, NULL, &made.pool, &error))                                               \
    X(sl_pool_destroy, (NULL))                                                                     \
    X(sl_pool_tasks, (NULL))                                                                       \
    /* topology.h */                                                                               \
    X(sl_topology_build, (in.mesh, NULL, &made.topology, &error))                                  \
    X(sl_topology_destroy, (NULL))                                                                 \
    X(sl_topology_update, (in.topology, in.xyz, NULL, 0, &error))                                  \
    X(sl_topology_update, (in.topology, in.xyz, in.indices, 1, &error))                            \
    X(sl_topology_get_info, (in.topology, room))                                                   \
    X(sl_topology_vertex_of, (in.topology, 0, 0))                                                  \
    X(sl_topology_edge_of, (in.topology, 0, 0))                                                    \
    X(sl_topology_face_of, (in.topology, 0))                                                       \
    X(sl_topology_part_of, (in.topology, 0))                                                       \
    X(sl_topology_get_edge, (in.topology, 0, room))                                                \
    X(sl_topology_mesh_vertex, (in.topology, 0))                                                   \
    X(sl_topology_is_feature_edge, (in.topology, 0))                                               \
    X(sl_topology_is_feature_vertex, (in.topology, 0))                                             \
    X(sl_topology_triangles_of_edge, (in.topology, 0, room, 4))                                    \
    X(sl_topology_triangles_of_vertex, (in.topology, 0, room, 4))                                  \
    X(sl_topology_edges_of_vertex, (in.topology, 0, room, 4))                                      \
    /* element_set.h */                                                                            \
    X(sl_set_capacity, (in.topology, SL_EDGES))                                                    \
    X(sl_set_words, (in.topology, SL_EDGES))                                                       \
    X(sl_set_count, (in.topology, SL_EDGES, in.bits))                                              \
    X(sl_set_list, (in.topology, SL_EDGES, in.bits, room, 4))                                      \
    X(sl_set_from_list, (in.topology, SL_EDGES, in.indices, 2, room))                              \
    X(sl_set_invert, (in.topology, SL_EDGES, in.bits, room))                                       \
    X(sl_set_convert, (in.topology, SL_EDGES, in.bits, SL_ALL_OF, SL_FACES, room))                 \
    X(sl_set_boundary, (in.topology, in.bits, room))                                               \
    X(sl_set_grow, (in.topology, SL_EDGES, in.bits, SL_VERTICES, in.more_bits, room))              \
    X(sl_set_shrink, (in.topology, SL_EDGES, in.bits, SL_VERTICES, in.more_bits, room))            \
    X(sl_set_scratch_words, (in.topology))                                                         \
    X(sl_set_connected, (in.topology, SL_EDGES, in.bits, 0, in.more_bits, room))                   \
    X(sl_set_chain, (in.topology, in.bits, in.more_bits, room))                                    \
    /* view.h */                                                                                   \
    X(sl_view_of, (&in.camera))                                                                    \
    X(sl_view_ray, (&in.view, in.wide, room))                                                      \
    X(sl_view_project, (&in.view, in.wide, room, room))                                            \
    X(sl_view_sight, (&in.view, in.wide, room))                                                    \
    X(sl_view_pixel_size, (&in.view, in.wide, room))
// clang-format on
