/* traps_scene_calls.h: as traps_calls.h, calls of what trees of either kind answer, and of the
 * headers on top of that.  asked is the tree, sc is what wild.h fills in, and apart are its rays as
 * an array that is not plain. */
// clang-format off

/* A call for each form of an array. */
#define OF_RAYS(X, function, ...)                                                                  \
    X(function, (asked, sl_rays_of(sc.rays, COUNT), __VA_ARGS__))                                  \
    X(function, (asked, sl_segments_of(sc.segments, COUNT), __VA_ARGS__))                          \
    X(function, (asked, sl_rays_of_d(sc.rays_d, COUNT), __VA_ARGS__))                              \
    X(function, (asked, sl_segments_of_d(sc.segments_d, COUNT), __VA_ARGS__))                      \
    X(function, (asked, sl_rays_from(sc.points, sc.points, COUNT, SL_FLOAT), __VA_ARGS__))         \
    X(function, (asked, sl_rays_from(sc.points_d, sc.points_d, COUNT, SL_DOUBLE), __VA_ARGS__))    \
    X(function, (asked, sl_segments_from(sc.points, sc.points, COUNT, SL_FLOAT), __VA_ARGS__))     \
    X(function, (asked, sl_segments_from(sc.points_d, sc.points_d, COUNT, SL_DOUBLE), __VA_ARGS__))\
    X(function, (asked, apart, __VA_ARGS__))
#define OF_POINTS(X, function, ...)                                                                \
    X(function, (asked, sl_points_of(sc.points, COUNT, SL_FLOAT), __VA_ARGS__))                    \
    X(function, (asked, sl_points_of(sc.points_d, COUNT, SL_DOUBLE), __VA_ARGS__))
#define OF_VOLUMES(X, function, ...)                                                               \
    X(function, (asked, sl_volumes_of(sc.volumes, WILD_VOLUMES, SL_FLOAT), __VA_ARGS__))           \
    X(function, (asked, sl_volumes_of(sc.volumes_d, WILD_VOLUMES, SL_DOUBLE), __VA_ARGS__))
#define COPIED(hits) memcpy(room, hits, sizeof hits)

#define TRAPS_SCENE_CALLS(X)                                                                       \
    /* instances.h, bvh.h */                                                                       \
    X(sl_instance_of, (in.bvh))                                                                    \
    X(sl_bvh_build_instances, (sc.instances, WILD_INSTANCES, NULL, &made.scene, &error))           \
    X(sl_bvh_build_instances, (sc.instances, WILD_INSTANCES, &sc.leave_out, &made.scene, &error))  \
    X(sl_bvh_build_instances, (sc.instances, WILD_INSTANCES, &sc.follows, &made.scene, &error))    \
    X(sl_bvh_get_info, (asked))                                                                    \
    X(sl_bvh_bounds, (asked))                                                                      \
    X(sl_bvh_triangle, (asked, sc.ref, room))                                                      \
    X(sl_bvh_path, (asked, 3, room, KEPT, &steps))                                                 \
    /* rays.h */                                                                                   \
    X(sl_bvh_closest, (asked, &sc.ray, &in.query, room))                                           \
    X(sl_bvh_closest_d, (asked, &sc.ray_d, &in.query, room))                                       \
    X(sl_bvh_any, (asked, &sc.ray, &in.query))                                                     \
    X(sl_bvh_occluded, (asked, sc.segment.p, sc.segment.q, &in.query))                             \
    X(sl_bvh_occluded_d, (asked, sc.segment_d.p, sc.segment_d.q, &in.query))                       \
    X(sl_bvh_all, (asked, &sc.ray, &in.query, room, KEPT))                                         \
    X(sl_bvh_next, (asked, &sc.ray, &in.query, &sc.hit, room))                                     \
    OF_RAYS(X, sl_bvh_closest_many, &in.query, sl_hits_of(room), NULL, NULL)                       \
    OF_RAYS(X, sl_bvh_closest_many, &in.query, sl_hits_of_d(room), NULL, NULL)                     \
    OF_RAYS(X, sl_bvh_any_many, &in.query, room, NULL, NULL, NULL)                                 \
    OF_RAYS(X, sl_bvh_any_many, &in.query, room, sc.hint, NULL, NULL)                              \
    OF_RAYS(X, sl_bvh_all_many, &in.query, sl_hits_of(room), KEPT, totals, NULL, NULL)             \
    OF_RAYS(X, sl_bvh_all_many, &in.query, sl_hits_of_d(room), KEPT, totals, NULL, NULL)           \
    OF_RAYS(X, sl_bvh_all_many, &in.query, sl_hits_of(NULL), 0, totals, NULL, NULL)                \
    OF_RAYS(X, sl_bvh_next_many, &in.query, sl_hits_of(COPIED(sc.hits)), NULL, NULL)               \
    OF_RAYS(X, sl_bvh_next_many, &in.query, sl_hits_of_d(COPIED(sc.hits_d)), NULL, NULL)           \
    X(sl_bvh_surface, (asked, sc.ref, sc.hit.u, sc.hit.v, SL_FLOAT, room))                         \
    X(sl_bvh_surface, (asked, sc.ref, sc.hit_d.u, sc.hit_d.v, SL_DOUBLE, room))                    \
    /* points.h */                                                                                 \
    X(sl_bvh_nearest, (asked, sc.points, sc.distance, &in.query, room))                            \
    X(sl_bvh_nearest_d, (asked, sc.points_d, sc.distance, &in.query, room))                        \
    X(sl_bvh_nearest_k, (asked, sc.points, sc.distance, &in.query, room, KEPT))                    \
    X(sl_bvh_within, (asked, sc.points, sc.distance, &in.query, room, KEPT))                       \
    X(sl_bvh_inside, (asked, sc.points, &in.query, room, KEPT))                                    \
    OF_POINTS(X, sl_bvh_nearest_many, sc.distance, &in.query, sl_nearests_of(room, SL_FLOAT),      \
              NULL, NULL)                                                                          \
    OF_POINTS(X, sl_bvh_nearest_many, sc.distance, &in.query, sl_nearests_of(room, SL_DOUBLE),     \
              NULL, NULL)                                                                          \
    OF_POINTS(X, sl_bvh_nearest_k_many, sc.distance, &in.query, sl_nearests_of(room, SL_DOUBLE),   \
              KEPT,                                                                                \
      totals, NULL, NULL)                                                                          \
    OF_POINTS(X, sl_bvh_within_many, sc.distance, &in.query, sl_nearests_of(room, SL_FLOAT),       \
              KEPT, totals,                                                                        \
      NULL, NULL)                                                                                  \
    OF_POINTS(X, sl_bvh_inside_many, &in.query, room, KEPT, totals, NULL, NULL)                    \
    X(sl_bvh_winding, (asked, NULL, sc.points, COUNT, &in.query, room, NULL, NULL))                \
    /* volumes.h */                                                                                \
    X(sl_bvh_overlap_any, (asked, &sc.volume, &in.query))                                          \
    X(sl_bvh_overlap_all, (asked, &sc.volume, &in.query, room, KEPT))                              \
    OF_VOLUMES(X, sl_bvh_overlap_any_many, &in.query, room, NULL, NULL)                            \
    OF_VOLUMES(X, sl_bvh_overlap_all_many, &in.query, room, KEPT, totals, NULL, NULL)              \
    X(sl_bvh_self_overlap_any, (asked, 1, KEPT, &in.query, room, NULL, NULL))                      \
    X(sl_bvh_self_pairs, (asked, 1, KEPT, &in.query, room, KEPT, totals, NULL, NULL))              \
    /* gizmo.h, on surfaces */                                                                     \
    X(sl_drag_on_surface, (asked, &sc.drag, &sc.view, sc.mouse, &in.query, &sc.drag_move, room))   \
    /* select.h */                                                                                 \
    X(sl_region_rectangle, (in.wide, in.wide + 1))                                                 \
    X(sl_region_brush, (in.wide, in.wide + 1, 0x1p-1070))                                          \
    X(sl_selection_create, (asked, &in.view, NULL, &made.selection, &error))                       \
    X(sl_selection_update, (in.selection[0], &in.region, NULL, &error))                            \
    X(sl_selection_update, (in.selection[0], &in.lasso, NULL, &error))                             \
    X(sl_selection_update, (in.selection[1], &in.region, NULL, &error))                            \
    X(sl_selection_update, (in.selection[1], &in.lasso, NULL, &error))                             \
    X(sl_selection_reset, (in.selection[1], sc.scene, &in.view, &error))                           \
    X(sl_selection_get_info, (in.selection[0]))                                                    \
    X(sl_selection_of, (in.selection[0], 1))                                                       \
    X(sl_selection_of, (in.selection[0], 1))                                                       \
    X(sl_selection_of, (in.selection[0], SL_NONE))                                                 \
    X(sl_selection_of, (in.selection[0], 1))                                                       \
    X(sl_selection_of, (in.selection[0], 1))                                                       \
    X(sl_selection_has, (in.selection[0], 1, 1))                                                   \
    X(sl_selection_list, (in.selection[0], 0, room, KEPT))                                         \
    X(sl_selection_destroy, (NULL))                                                                \
    /* marks.h, snap.h */                                                                          \
    X(sl_mark_point, (sc.points_d, 0x1p-140f, 1))                                                  \
    X(sl_mark_wire, (sc.points_d, sc.points_d, 0x1p-140f, 1))                                      \
    X(sl_marks_build, (sc.mark, 4, NULL, &made.marks, &error))                                     \
    X(sl_marks_destroy, (NULL))                                                                    \
    X(sl_marks_get_info, (sc.marks))                                                               \
    X(sl_marks_pick, (sc.marks, asked, &sc.view, sc.mouse, &sc.pick, room))                        \
    X(sl_marks_pick_all, (sc.marks, asked, &sc.view, sc.mouse, &sc.pick, room, KEPT))              \
    X(sl_pick_is_better, (&sc.pick, &sc.picked, &sc.picked))                                       \
    X(sl_marks_near_ray, (sc.marks, &sc.ray_d, sc.distance_d, &in.query, room))                    \
    X(sl_snap_at, (asked, &sc.view, sc.mouse, &sc.snap, &sc.snapped, &sc.snapped))                 \
    /* flatten.h */                                                                                \
    X(sl_bvh_flatten, (asked, NULL, &made.mesh, room, &error))                                     \
    X(sl_bvh_find_seams, (asked, NULL, room, KEPT, room, &error))                                  \
    X(sl_bvh_find_seams, (asked, &sc.seams, room, KEPT, room, &error))                             \
    /* visibility.h */                                                                             \
    X(sl_sight_memory_create, (100, NULL, &made.memory, &error))                                   \
    X(sl_sight_memory_get_info, (sc.memory))                                                       \
    X(sl_sight_memory_destroy, (NULL))                                                             \
    X(sl_sight_pairs, (asked, &sc.all, sc.pairs, COUNT, &sc.sight, room, NULL))                    \
    X(sl_sight_pairs, (asked, &sc.all, sc.pairs, COUNT, &sc.sight_d, room, NULL))                  \
    X(sl_sight_matrix, (asked, &sc.all, &sc.sight, room, 0, NULL))                                 \
    X(sl_sight_matrix, (asked, &sc.all, &sc.sight_d, room, 0, NULL))                               \
    X(sl_sight_sensors, (asked, &sc.all, sc.cones, &sc.sight, room, 0, NULL))                      \
    X(sl_sight_sensors, (asked, &sc.all, sc.cones, &sc.sight_d, room, 0, NULL))                    \
    X(sl_sight_shares, (asked, &sc.all, sc.samples, sc.pairs, COUNT, &sc.sight, room, NULL))       \
    X(sl_sight_shares, (asked, &sc.all, sc.samples, sc.pairs, COUNT, &sc.sight_d, room, NULL))     \
    X(sl_sight_viewshed, (asked, &sc.end, &sc.grid, 0, SIZE_MAX, &sc.sight, room, NULL))           \
    X(sl_sight_viewshed, (asked, &sc.end, &sc.grid, 0, 1, &sc.sight_d, room, NULL))                \
    /* pick.h */                                                                                   \
    X(sl_pick_at, (asked, &sc.view, sc.points_d, NULL, room))                                      \
    X(sl_pick_at, (asked, &sc.view, sc.mouse, NULL, room))                                         \
    X(sl_pick_all, (asked, &sc.view, sc.points_d, NULL, room, KEPT))                               \
    X(sl_pick_all, (asked, &sc.view, sc.mouse, NULL, room, KEPT))                                  \
    X(sl_pick_next, (asked, &sc.view, sc.mouse, NULL, NULL, room))
// clang-format on
