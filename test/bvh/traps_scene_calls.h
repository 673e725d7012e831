/* traps_scene_calls.h: as traps_calls.h, the calls of scene.h and of the headers on top of it.  sc
 * is what wild.h fills in. */
// clang-format off
#define TRAPS_SCENE_CALLS(X)                                                                       \
    /* scene.h */                                                                                  \
    X(sl_instance_of, (in.bvh))                                                                    \
    X(sl_default_scene_def, ())                                                                    \
    X(sl_scene_build, (sc.instances, WILD_INSTANCES, NULL, &made.scene, &error))                   \
    X(sl_scene_build, (sc.instances, WILD_INSTANCES, &sc.leave_out, &made.scene, &error))          \
    X(sl_scene_build, (sc.instances, WILD_INSTANCES, &sc.follows, &made.scene, &error))            \
    X(sl_scene_destroy, (NULL))                                                                    \
    X(sl_scene_get_info, (sc.scene, room, sizeof(sl_scene_info)))                                  \
    X(sl_scene_path, (sc.scene, 3, room, KEPT))                                                    \
    X(sl_scene_triangle, (sc.scene, sc.ref, room))                                                 \
    X(sl_scene_closest, (sc.scene, &sc.ray, &in.query, room))                                      \
    X(sl_scene_any, (sc.scene, &sc.ray, &in.query))                                                \
    X(sl_scene_all, (sc.scene, &sc.ray, &in.query, room, KEPT))                                    \
    X(sl_scene_next, (sc.scene, &sc.ray, &in.query, &sc.hit, room))                                \
    X(sl_scene_count, (sc.scene, &sc.ray, &in.query))                                              \
    X(sl_scene_blocked, (sc.scene, &sc.segment, &in.query))                                        \
    X(sl_scene_closest_segment, (sc.scene, &sc.segment, &in.query, room))                          \
    X(sl_scene_all_segment, (sc.scene, &sc.segment, &in.query, room, KEPT))                        \
    X(sl_scene_next_segment, (sc.scene, &sc.segment, &in.query, &sc.hit, room))                    \
    X(sl_scene_count_segment, (sc.scene, &sc.segment, &in.query))                                  \
    X(sl_scene_closest_many, (sc.scene, sc.rays, COUNT, &in.query, room, NULL))                    \
    X(sl_scene_any_many, (sc.scene, sc.rays, COUNT, &in.query, room, NULL))                        \
    X(sl_scene_count_many, (sc.scene, sc.rays, COUNT, &in.query, room, NULL))                      \
    X(sl_scene_all_many, (sc.scene, sc.rays, COUNT, &in.query, room, KEPT, room, NULL))            \
    X(sl_scene_next_many, (sc.scene, sc.rays, COUNT, &in.query, sc.hits, room, NULL))              \
    X(sl_scene_closest_segment_many, (sc.scene, sc.segments, COUNT, &in.query, room, NULL))        \
    X(sl_scene_count_segment_many, (sc.scene, sc.segments, COUNT, &in.query, room, NULL))          \
    X(sl_scene_all_segment_many, (sc.scene, sc.segments, COUNT, &in.query, room, KEPT, room,       \
      NULL))                                                                                       \
    X(sl_scene_next_segment_many, (sc.scene, sc.segments, COUNT, &in.query, sc.hits, room,         \
      NULL))                                                                                       \
    X(sl_scene_blocked_many, (sc.scene, sc.segments, COUNT, &in.query, room, sc.hint, NULL))       \
    X(sl_scene_closest_columns, (sc.scene, &sc.ray_columns, COUNT, &in.query,                      \
      &in.hit_columns, NULL))                                                                      \
    X(sl_scene_any_columns, (sc.scene, &sc.ray_columns, COUNT, &in.query, room, NULL))             \
    X(sl_scene_closest_segment_columns, (sc.scene, &sc.segment_columns, COUNT, &in.query,          \
      &in.hit_columns, NULL))                                                                      \
    X(sl_scene_blocked_columns, (sc.scene, &sc.segment_columns, COUNT, &in.query, room,            \
      sc.hint, NULL))                                                                              \
    X(sl_scene_any_from, (sc.scene, sc.points, sc.points, COUNT, sc.distance, &in.query,           \
      room, NULL))                                                                                 \
    X(sl_scene_blocked_from, (sc.scene, sc.points, sc.points, COUNT, &in.query, room, NULL))       \
    X(sl_scene_surface, (sc.scene, &sc.hit, room))                                                 \
    X(sl_scene_closest_d, (sc.scene, &sc.ray_d, &in.query, room))                                  \
    X(sl_scene_any_d, (sc.scene, &sc.ray_d, &in.query))                                            \
    X(sl_scene_all_d, (sc.scene, &sc.ray_d, &in.query, room, KEPT))                                \
    X(sl_scene_next_d, (sc.scene, &sc.ray_d, &in.query, &sc.hit_d, room))                          \
    X(sl_scene_count_d, (sc.scene, &sc.ray_d, &in.query))                                          \
    X(sl_scene_blocked_d, (sc.scene, &sc.segment_d, &in.query))                                    \
    X(sl_scene_closest_segment_d, (sc.scene, &sc.segment_d, &in.query, room))                      \
    X(sl_scene_all_segment_d, (sc.scene, &sc.segment_d, &in.query, room, KEPT))                    \
    X(sl_scene_next_segment_d, (sc.scene, &sc.segment_d, &in.query, &sc.hit_d, room))              \
    X(sl_scene_count_segment_d, (sc.scene, &sc.segment_d, &in.query))                              \
    X(sl_scene_closest_d_many, (sc.scene, sc.rays_d, COUNT, &in.query, room, NULL))                \
    X(sl_scene_all_d_many, (sc.scene, sc.rays_d, COUNT, &in.query, room, KEPT, room, NULL))        \
    X(sl_scene_count_d_many, (sc.scene, sc.rays_d, COUNT, &in.query, room, NULL))                  \
    X(sl_scene_next_d_many, (sc.scene, sc.rays_d, COUNT, &in.query, sc.hits_d, room, NULL))        \
    X(sl_scene_any_d_many, (sc.scene, sc.rays_d, COUNT, &in.query, room, NULL))                    \
    X(sl_scene_blocked_d_many, (sc.scene, sc.segments_d, COUNT, &in.query, room, sc.hint, NULL))   \
    X(sl_scene_closest_segment_d_many, (sc.scene, sc.segments_d, COUNT, &in.query, room, NULL))    \
    X(sl_scene_count_segment_d_many, (sc.scene, sc.segments_d, COUNT, &in.query, room, NULL))      \
    X(sl_scene_all_segment_d_many, (sc.scene, sc.segments_d, COUNT, &in.query, room, KEPT,         \
      room, NULL))                                                                                 \
    X(sl_scene_next_segment_d_many, (sc.scene, sc.segments_d, COUNT, &in.query, sc.hits_d,         \
      room, NULL))                                                                                 \
    X(sl_scene_any_from_d, (sc.scene, sc.points_d, sc.points_d, COUNT, sc.distance_d,              \
      &in.query, room, NULL))                                                                      \
    X(sl_scene_blocked_from_d, (sc.scene, sc.points_d, sc.points_d, COUNT, &in.query, room,        \
      NULL))                                                                                       \
    X(sl_scene_surface_d, (sc.scene, &sc.hit_d, room))                                             \
    /* gizmo_surface.h */                                                                          \
    X(sl_drag_on_surface, (sc.scene, &sc.drag, &sc.view, sc.mouse, &in.query, &sc.drag_move,       \
      room))                                                                                       \
    /* select.h */                                                                                 \
    X(sl_region_rectangle, (in.wide, in.wide + 1))                                                 \
    X(sl_region_lasso, (in.wide, 1))                                                               \
    X(sl_region_brush, (in.wide, in.wide + 1, 0x1p-1070))                                          \
    X(sl_region_contains, (&in.region, in.wide))                                                   \
    X(sl_region_contains, (&in.lasso, in.wide))                                                    \
    X(sl_default_selection_def, ())                                                                \
    X(sl_selection_create, (sc.scene, &in.view, NULL, &made.selection, &error))                    \
    X(sl_selection_update, (in.selection[0], &in.region, NULL, &error))                            \
    X(sl_selection_update, (in.selection[0], &in.lasso, NULL, &error))                             \
    X(sl_selection_update, (in.selection[1], &in.region, NULL, &error))                            \
    X(sl_selection_update, (in.selection[1], &in.lasso, NULL, &error))                             \
    X(sl_selection_reset, (in.selection[1], sc.scene, &in.view, &error))                           \
    X(sl_selection_get_info, (in.selection[0], room, sizeof(sl_selection_info)))                   \
    X(sl_selection_words, (in.selection[0], 1))                                                    \
    X(sl_selection_bit_count, (in.selection[0], 1))                                                \
    X(sl_selection_all_words, (in.selection[0]))                                                   \
    X(sl_selection_offset, (in.selection[0], 1))                                                   \
    X(sl_selection_count, (in.selection[0], 1))                                                    \
    X(sl_selection_has, (in.selection[0], 1, 1))                                                   \
    X(sl_selection_list, (in.selection[0], 0, room, KEPT))                                         \
    X(sl_selection_destroy, (NULL))                                                                \
    /* marks.h, snap.h */                                                                          \
    X(sl_mark_point, (sc.points_d, 0x1p-140f, 1))                                                  \
    X(sl_mark_wire, (sc.points_d, sc.points_d, 0x1p-140f, 1))                                      \
    X(sl_default_marks_def, ())                                                                    \
    X(sl_marks_build, (sc.mark, 4, NULL, &made.marks, &error))                                     \
    X(sl_marks_destroy, (NULL))                                                                    \
    X(sl_marks_get_info, (sc.marks, room, sizeof(sl_marks_info)))                                  \
    X(sl_marks_get, (sc.marks, 1, room))                                                           \
    X(sl_marks_pick, (sc.marks, sc.scene, &sc.view, sc.mouse, &sc.pick, room))                     \
    X(sl_marks_pick_all, (sc.marks, sc.scene, &sc.view, sc.mouse, &sc.pick, room, KEPT))           \
    X(sl_pick_is_better, (&sc.pick, &sc.picked, &sc.picked))                                       \
    X(sl_marks_near_ray, (sc.marks, &sc.ray_d, sc.distance_d, &in.query, room))                    \
    X(sl_default_snap_def, ())                                                                     \
    X(sl_snap_at, (sc.scene, &sc.view, sc.mouse, &sc.snap, &sc.snapped, &sc.snapped))              \
    /* scene_points.h */                                                                           \
    X(sl_scene_nearest, (sc.scene, sc.points, sc.distance, &in.query, room))                       \
    X(sl_scene_nearest_k, (sc.scene, sc.points, sc.distance, &in.query, room, KEPT))               \
    X(sl_scene_within, (sc.scene, sc.points, sc.distance, &in.query, room, KEPT))                  \
    X(sl_scene_nearest_many, (sc.scene, sc.points, COUNT, sc.distance, &in.query, room, NULL))     \
    X(sl_scene_nearest_k_many, (sc.scene, sc.points, COUNT, sc.distance, &in.query, room,          \
      KEPT, room, NULL))                                                                           \
    X(sl_scene_within_many, (sc.scene, sc.points, COUNT, sc.distance, &in.query, room, KEPT,       \
      room, NULL))                                                                                 \
    X(sl_scene_nearest_d, (sc.scene, sc.points_d, sc.distance, &in.query, room))                   \
    X(sl_scene_nearest_k_d, (sc.scene, sc.points_d, sc.distance, &in.query, room, KEPT))           \
    X(sl_scene_within_d, (sc.scene, sc.points_d, sc.distance, &in.query, room, KEPT))              \
    X(sl_scene_nearest_d_many, (sc.scene, sc.points_d, COUNT, sc.distance, &in.query, room,        \
      NULL))                                                                                       \
    X(sl_scene_nearest_k_d_many, (sc.scene, sc.points_d, COUNT, sc.distance, &in.query, room,      \
      KEPT, room, NULL))                                                                           \
    X(sl_scene_within_d_many, (sc.scene, sc.points_d, COUNT, sc.distance, &in.query, room,         \
      KEPT, room, NULL))                                                                           \
    X(sl_scene_inside, (sc.scene, sc.points, &in.query, room, KEPT))                               \
    X(sl_scene_inside_d, (sc.scene, sc.points_d, &in.query, room, KEPT))                           \
    X(sl_scene_inside_many, (sc.scene, sc.points, COUNT, &in.query, room, KEPT, room, NULL))       \
    X(sl_scene_inside_d_many, (sc.scene, sc.points_d, COUNT, &in.query, room, KEPT, room, NULL))   \
    /* scene_volumes.h */                                                                          \
    X(sl_volume_d_from_volume, (&sc.volume))                                                       \
    X(sl_scene_overlap_any, (sc.scene, &sc.volume, &in.query))                                     \
    X(sl_scene_overlap_any_d, (sc.scene, &sc.volume_d, &in.query))                                 \
    X(sl_scene_overlap_all, (sc.scene, &sc.volume, &in.query, room, KEPT))                         \
    X(sl_scene_overlap_all_d, (sc.scene, &sc.volume_d, &in.query, room, KEPT))                     \
    X(sl_scene_overlap_any_many, (sc.scene, sc.volumes, 6, &in.query, room, NULL))                 \
    X(sl_scene_overlap_any_d_many, (sc.scene, sc.volumes_d, 6, &in.query, room, NULL))             \
    X(sl_scene_overlap_all_many, (sc.scene, sc.volumes, 6, &in.query, room, KEPT, room, NULL))     \
    X(sl_scene_overlap_all_d_many, (sc.scene, sc.volumes_d, 6, &in.query, room, KEPT, room,        \
      NULL))                                                                                       \
    /* scene_flatten.h, scene_seams.h */                                                           \
    X(sl_default_flatten_def, ())                                                                  \
    X(sl_scene_flatten, (sc.scene, NULL, &made.mesh, room, sizeof(sl_flattened), &error))          \
    X(sl_default_seams_def, ())                                                                    \
    X(sl_scene_find_seams, (sc.scene, NULL, room, KEPT, room, sizeof(sl_seams_report), &error))    \
    X(sl_scene_find_seams, (sc.scene, &sc.seams, room, KEPT, room, sizeof(sl_seams_report),        \
      &error))                                                                                     \
    /* sight.h */                                                                                  \
    X(sl_sight_end_at, (sc.points, 7))                                                             \
    X(sl_sight_memory_create, (100, NULL, &made.memory, &error))                                   \
    X(sl_sight_memory_clear, (sc.memory))                                                          \
    X(sl_sight_memory_get_info, (sc.memory, room, sizeof(sl_sight_memory_info)))                   \
    X(sl_sight_memory_destroy, (NULL))                                                             \
    X(sl_sight_pairs, (sc.scene, &sc.all, sc.pairs, COUNT, &sc.sight, room, NULL))                 \
    X(sl_sight_pairs, (sc.scene, &sc.all, sc.pairs, COUNT, &sc.sight_d, room, NULL))               \
    X(sl_sight_matrix, (sc.scene, &sc.all, &sc.sight, room, 0, NULL))                              \
    X(sl_sight_matrix, (sc.scene, &sc.all, &sc.sight_d, room, 0, NULL))                            \
    X(sl_sight_in_cone, (sc.end.at, &sc.cone, sc.ends[1].at))                                      \
    X(sl_sight_sensors, (sc.scene, &sc.all, sc.cones, &sc.sight, room, 0, NULL))                   \
    X(sl_sight_sensors, (sc.scene, &sc.all, sc.cones, &sc.sight_d, room, 0, NULL))                 \
    X(sl_sight_sample_points, (&sc.samples[0], room))                                              \
    X(sl_sight_sample_points, (&sc.samples[1], room))                                              \
    X(sl_sight_shares, (sc.scene, &sc.all, sc.samples, sc.pairs, COUNT, &sc.sight, room, NULL))    \
    X(sl_sight_shares, (sc.scene, &sc.all, sc.samples, sc.pairs, COUNT, &sc.sight_d, room,         \
      NULL))                                                                                       \
    X(sl_sight_viewshed, (sc.scene, &sc.end, &sc.grid, &sc.sight, room, NULL))                     \
    X(sl_sight_viewshed, (sc.scene, &sc.end, &sc.grid, &sc.sight_d, room, NULL))                   \
    X(sl_sight_viewshed_rows, (sc.scene, &sc.end, &sc.grid, 0, 1, &sc.sight, room, NULL))          \
    /* pick.h */                                                                                   \
    X(sl_default_pick_def, ())                                                                     \
    X(sl_pick_at, (sc.scene, &sc.view, sc.points_d, NULL, room))                                   \
    X(sl_pick_at, (sc.scene, &sc.view, sc.mouse, NULL, room))                                      \
    X(sl_pick_all, (sc.scene, &sc.view, sc.points_d, NULL, room, KEPT))                            \
    X(sl_pick_all, (sc.scene, &sc.view, sc.mouse, NULL, room, KEPT))                               \
    X(sl_pick_next, (sc.scene, &sc.view, sc.mouse, NULL, NULL, room))
// clang-format on
