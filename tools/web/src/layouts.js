// Where the fields of the C structs are; made by tools/web/layouts.mjs: do not edit.
import { struct } from './struct.js';

export const sl_aabb_d = struct(48, [
  ['min', 'f64', 0, 3],
  ['max', 'f64', 24, 3],
]);

export const sl_build_def = struct(44, [
  ['hooks', 'struct', 0, 1],
  ['hooks_allocator', 'struct', 0, 1],
  ['hooks_allocator_alloc', 'u32', 0, 1],
  ['hooks_allocator_free', 'u32', 4, 1],
  ['hooks_allocator_user', 'u32', 8, 1],
  ['hooks_progress', 'struct', 12, 1],
  ['hooks_progress_report', 'u32', 12, 1],
  ['hooks_progress_user', 'u32', 16, 1],
  ['hooks_tasks', 'u32', 20, 1],
  ['quality', 'u32', 24, 1],
  ['layout', 'u32', 28, 1],
  ['max_memory', 'u32', 32, 1],
  ['max_tree_size', 'u32', 36, 1],
  ['masks', 'u32', 40, 1],
]);

export const sl_bvh_info = struct(120, [
  ['over_instances', 'u8', 0, 1],
  ['triangle_count', 'u64', 8, 1],
  ['bytes', 'u32', 16, 1],
  ['kernel', 'u32', 20, 1],
  ['prim_count', 'u32', 24, 1],
  ['reference_count', 'u32', 28, 1],
  ['node_count', 'u32', 32, 1],
  ['leaf_count', 'u32', 36, 1],
  ['leaf_histogram', 'u32', 40, 5],
  ['child_count', 'u32', 60, 1],
  ['depth', 'u32', 64, 1],
  ['sah_cost', 'f64', 72, 1],
  ['bytes_per_triangle', 'f64', 80, 1],
  ['quality', 'u32', 88, 1],
  ['layout', 'u32', 92, 1],
  ['instance_count', 'u32', 96, 1],
  ['hole_count', 'u32', 100, 1],
  ['left_out_count', 'u32', 104, 1],
  ['static_count', 'u32', 108, 1],
  ['static_triangle_count', 'u64', 112, 1],
]);

export const sl_clash = struct(24, [
  ['a', 'u32', 0, 1],
  ['b', 'u32', 4, 1],
  ['relations', 'u32', 8, 1],
  ['margin', 'f32', 12, 1],
  ['filter', 'u32', 16, 1],
  ['filter_user', 'u32', 20, 1],
]);

export const sl_clash_pair = struct(24, [
  ['a', 'struct', 0, 1],
  ['a_instance', 'u32', 0, 1],
  ['a_prim', 'u32', 4, 1],
  ['b', 'struct', 8, 1],
  ['b_instance', 'u32', 8, 1],
  ['b_prim', 'u32', 12, 1],
  ['relation', 'u32', 16, 1],
  ['distance', 'f32', 20, 1],
]);

export const sl_contact = struct(80, [
  ['t', 'f64', 0, 1],
  ['t_safe', 'f64', 8, 1],
  ['prim', 'u32', 16, 1],
  ['instance', 'u32', 20, 1],
  ['start', 'u32', 24, 1],
  ['flags', 'u32', 28, 1],
  ['point', 'f64', 32, 3],
  ['normal', 'f64', 56, 3],
]);

export const sl_curves = struct(20, [
  ['curve_count', 'u32', 0, 1],
  ['point_count', 'u32', 4, 1],
  ['starts', 'u32', 8, 1],
  ['points', 'u32', 12, 3],
  ['pairs', 'u32', 16, 1],
]);

export const sl_distance = struct(72, [
  ['distance', 'f32', 0, 1],
  ['a', 'struct', 4, 1],
  ['a_instance', 'u32', 4, 1],
  ['a_prim', 'u32', 8, 1],
  ['b', 'struct', 12, 1],
  ['b_instance', 'u32', 12, 1],
  ['b_prim', 'u32', 16, 1],
  ['point_a', 'f64', 24, 3],
  ['point_b', 'f64', 48, 3],
]);

export const sl_edge = struct(16, [
  ['vertex', 'u32', 0, 2],
  ['kinds', 'u32', 8, 1],
  ['triangle_count', 'u32', 12, 1],
]);

export const sl_error = struct(536, [
  ['code', 'u32', 0, 1],
  ['line', 'i64', 8, 1],
  ['byte', 'i64', 16, 1],
  ['file', 'u8', 24, 256],
  ['message', 'u8', 280, 256],
]);

export const sl_hit = struct(24, [
  ['t', 'f32', 0, 1],
  ['u', 'f32', 4, 1],
  ['v', 'f32', 8, 1],
  ['prim', 'u32', 12, 1],
  ['instance', 'u32', 16, 1],
  ['flags', 'u32', 20, 1],
]);

export const sl_hit_d = struct(32, [
  ['t', 'f64', 0, 1],
  ['u', 'f32', 8, 1],
  ['v', 'f32', 12, 1],
  ['prim', 'u32', 16, 1],
  ['instance', 'u32', 20, 1],
  ['flags', 'u32', 24, 1],
  ['reserved', 'u32', 28, 1],
]);

export const sl_hits = struct(32, [
  ['t', 'u32', 0, 1],
  ['u', 'u32', 4, 1],
  ['v', 'u32', 8, 1],
  ['prim', 'u32', 12, 1],
  ['instance', 'u32', 16, 1],
  ['flags', 'u32', 20, 1],
  ['stride', 'u32', 24, 1],
  ['number', 'u32', 28, 1],
]);

export const sl_instance = struct(120, [
  ['bvh', 'u32', 0, 1],
  ['transform', 'struct', 8, 1],
  ['transform_m', 'f64', 8, 12],
  ['grid', 'f64', 104, 1],
  ['id', 'u32', 112, 1],
  ['mask', 'u32', 116, 1],
]);

export const sl_instances_def = struct(48, [
  ['hooks', 'struct', 0, 1],
  ['hooks_allocator', 'struct', 0, 1],
  ['hooks_allocator_alloc', 'u32', 0, 1],
  ['hooks_allocator_free', 'u32', 4, 1],
  ['hooks_allocator_user', 'u32', 8, 1],
  ['hooks_progress', 'struct', 12, 1],
  ['hooks_progress_report', 'u32', 12, 1],
  ['hooks_progress_user', 'u32', 16, 1],
  ['hooks_tasks', 'u32', 20, 1],
  ['bad', 'u32', 24, 1],
  ['quality', 'u32', 28, 1],
  ['stride', 'u32', 32, 1],
  ['previous', 'u32', 36, 1],
  ['recycle', 'u32', 40, 1],
  ['static_memory', 'u32', 44, 1],
]);

export const sl_mesh_def = struct(104, [
  ['hooks', 'struct', 0, 1],
  ['hooks_allocator', 'struct', 0, 1],
  ['hooks_allocator_alloc', 'u32', 0, 1],
  ['hooks_allocator_free', 'u32', 4, 1],
  ['hooks_allocator_user', 'u32', 8, 1],
  ['hooks_progress', 'struct', 12, 1],
  ['hooks_progress_report', 'u32', 12, 1],
  ['hooks_progress_user', 'u32', 16, 1],
  ['hooks_tasks', 'u32', 20, 1],
  ['bad', 'u32', 24, 1],
  ['recentre', 'u8', 28, 1],
  ['max_file_size', 'u32', 32, 1],
  ['vertex_stride', 'u32', 36, 1],
  ['index_type', 'u32', 40, 1],
  ['index_stride', 'u32', 44, 1],
  ['max_memory', 'u32', 48, 1],
  ['formats', 'u32', 52, 1],
  ['formats_user', 'u32', 56, 1],
  ['hidden_nodes', 'u8', 60, 1],
  ['drop', 'u32', 64, 1],
  ['uvs', 'struct', 68, 1],
  ['uvs_values', 'u32', 68, 1],
  ['uvs_count', 'u32', 72, 1],
  ['uvs_indices', 'u32', 76, 1],
  ['normals', 'struct', 80, 1],
  ['normals_values', 'u32', 80, 1],
  ['normals_count', 'u32', 84, 1],
  ['normals_indices', 'u32', 88, 1],
  ['colours', 'struct', 92, 1],
  ['colours_values', 'u32', 92, 1],
  ['colours_count', 'u32', 96, 1],
  ['colours_indices', 'u32', 100, 1],
]);

export const sl_mesh_info = struct(96, [
  ['format', 'u32', 0, 1],
  ['vertex_count', 'u32', 4, 1],
  ['triangle_count', 'u32', 8, 1],
  ['face_count', 'u32', 12, 1],
  ['left_out', 'u32', 16, 1],
  ['part_count', 'u32', 20, 1],
  ['attributes', 'u32', 24, 1],
  ['bounds', 'struct', 28, 1],
  ['bounds_min', 'f32', 28, 3],
  ['bounds_max', 'f32', 40, 3],
  ['origin', 'f64', 56, 3],
  ['rounding', 'f64', 80, 1],
  ['notes', 'u32', 88, 1],
  ['note_count', 'u32', 92, 1],
]);

export const sl_mesh_note = struct(80, [
  ['kind', 'u32', 0, 1],
  ['words', 'u32', 4, 1],
  ['what', 'u8', 8, 48],
  ['count', 'u32', 56, 1],
  ['line', 'i64', 64, 1],
  ['byte', 'i64', 72, 1],
]);

export const sl_mesh_part = struct(24, [
  ['name', 'u32', 0, 1],
  ['material', 'u32', 4, 1],
  ['node', 'u32', 8, 1],
  ['node_index', 'u32', 12, 1],
  ['first', 'u32', 16, 1],
  ['count', 'u32', 20, 1],
]);

export const sl_nearest = struct(36, [
  ['distance', 'f32', 0, 1],
  ['u', 'f32', 4, 1],
  ['v', 'f32', 8, 1],
  ['prim', 'u32', 12, 1],
  ['instance', 'u32', 16, 1],
  ['flags', 'u32', 20, 1],
  ['point', 'f32', 24, 3],
]);

export const sl_nearest_d = struct(48, [
  ['distance', 'f32', 0, 1],
  ['u', 'f32', 4, 1],
  ['v', 'f32', 8, 1],
  ['prim', 'u32', 12, 1],
  ['instance', 'u32', 16, 1],
  ['flags', 'u32', 20, 1],
  ['point', 'f64', 24, 3],
]);

export const sl_nearests = struct(12, [
  ['first', 'u32', 0, 1],
  ['stride', 'u32', 4, 1],
  ['number', 'u32', 8, 1],
]);

export const sl_options = struct(44, [
  ['mask', 'u32', 0, 1],
  ['cull', 'u32', 4, 1],
  ['flags', 'u32', 8, 1],
  ['skip', 'u32', 12, 1],
  ['skip_count', 'u32', 16, 1],
  ['ignore', 'u32', 20, 1],
  ['ignore_count', 'u32', 24, 1],
  ['items', 'u32', 28, 1],
  ['proxy', 'u32', 32, 1],
  ['filter', 'u32', 36, 1],
  ['filter_user', 'u32', 40, 1],
]);

export const sl_path_step = struct(8, [
  ['index', 'u32', 0, 1],
  ['id', 'u32', 4, 1],
]);

export const sl_pick = struct(112, [
  ['point', 'f64', 0, 3],
  ['distance', 'f64', 24, 1],
  ['pixels', 'f64', 32, 1],
  ['xy', 'f64', 40, 2],
  ['along', 'f64', 56, 1],
  ['u', 'f32', 64, 1],
  ['v', 'f32', 68, 1],
  ['kind', 'u32', 72, 1],
  ['instance', 'u32', 76, 1],
  ['prim', 'u32', 80, 1],
  ['corner', 'u32', 84, 1],
  ['part', 'u32', 88, 1],
  ['face', 'u32', 92, 1],
  ['edge', 'u32', 96, 1],
  ['vertex', 'u32', 100, 1],
  ['flags', 'u32', 104, 1],
]);

export const sl_pick_def = struct(40, [
  ['kinds', 'u32', 0, 1],
  ['radius', 'f32', 4, 1],
  ['rank', 'u8', 8, 4],
  ['hidden', 'u8', 12, 1],
  ['all_vertices', 'u8', 13, 1],
  ['same_part', 'u8', 14, 1],
  ['unit', 'u32', 16, 1],
  ['topologies', 'u32', 20, 1],
  ['options', 'u32', 24, 1],
  ['budget_ms', 'f64', 32, 1],
]);

export const sl_points = struct(24, [
  ['xyz', 'u32', 0, 3],
  ['stride', 'u32', 12, 1],
  ['count', 'u32', 16, 1],
  ['number', 'u32', 20, 1],
]);

export const sl_ray_d = struct(64, [
  ['origin', 'f64', 0, 3],
  ['tmin', 'f64', 24, 1],
  ['dir', 'f64', 32, 3],
  ['tmax', 'f64', 56, 1],
]);

export const sl_rays = struct(60, [
  ['origin', 'u32', 0, 3],
  ['dir', 'u32', 12, 3],
  ['tmin', 'u32', 24, 1],
  ['tmax', 'u32', 28, 1],
  ['origin_stride', 'u32', 32, 1],
  ['dir_stride', 'u32', 36, 1],
  ['tmin_stride', 'u32', 40, 1],
  ['tmax_stride', 'u32', 44, 1],
  ['count', 'u32', 48, 1],
  ['number', 'u32', 52, 1],
  ['segments', 'u8', 56, 1],
]);

export const sl_refit_def = struct(60, [
  ['hooks', 'struct', 0, 1],
  ['hooks_allocator', 'struct', 0, 1],
  ['hooks_allocator_alloc', 'u32', 0, 1],
  ['hooks_allocator_free', 'u32', 4, 1],
  ['hooks_allocator_user', 'u32', 8, 1],
  ['hooks_progress', 'struct', 12, 1],
  ['hooks_progress_report', 'u32', 12, 1],
  ['hooks_progress_user', 'u32', 16, 1],
  ['hooks_tasks', 'u32', 20, 1],
  ['recycle', 'u32', 24, 1],
  ['dirty', 'u32', 28, 1],
  ['dirty_count', 'u32', 32, 1],
  ['masks', 'u32', 36, 1],
  ['bad', 'u32', 40, 1],
  ['vertex_stride', 'u32', 44, 1],
  ['index_type', 'u32', 48, 1],
  ['index_stride', 'u32', 52, 1],
  ['rebuild_share', 'f32', 56, 1],
]);

export const sl_region = struct(56, [
  ['kind', 'u32', 0, 1],
  ['reserved', 'u32', 4, 1],
  ['p', 'f64', 8, 2],
  ['q', 'f64', 24, 2],
  ['radius', 'f64', 40, 1],
  ['corners', 'u32', 48, 1],
  ['corner_count', 'u32', 52, 1],
]);

export const sl_selected = struct(8, [
  ['instance', 'u32', 0, 1],
  ['element', 'u32', 4, 1],
]);

export const sl_selection_def = struct(48, [
  ['hooks', 'struct', 0, 1],
  ['hooks_allocator', 'struct', 0, 1],
  ['hooks_allocator_alloc', 'u32', 0, 1],
  ['hooks_allocator_free', 'u32', 4, 1],
  ['hooks_allocator_user', 'u32', 8, 1],
  ['hooks_progress', 'struct', 12, 1],
  ['hooks_progress_report', 'u32', 12, 1],
  ['hooks_progress_user', 'u32', 16, 1],
  ['hooks_tasks', 'u32', 20, 1],
  ['unit', 'u32', 24, 1],
  ['mode', 'u32', 28, 1],
  ['topologies', 'u32', 32, 1],
  ['options', 'u32', 36, 1],
  ['budget_ms', 'f64', 40, 1],
]);

export const sl_selection_info = struct(56, [
  ['selected', 'u64', 0, 1],
  ['word_count', 'u64', 8, 1],
  ['pending', 'u64', 16, 1],
  ['traced', 'u64', 24, 1],
  ['boxes', 'u64', 32, 1],
  ['tested', 'u64', 40, 1],
  ['bytes', 'u32', 48, 1],
]);

export const sl_snap = struct(168, [
  ['point', 'f64', 0, 3],
  ['locked', 'f64', 24, 3],
  ['normal', 'f64', 48, 3],
  ['xy', 'f64', 72, 2],
  ['pixels', 'f64', 88, 1],
  ['distance', 'f64', 96, 1],
  ['along', 'f64', 104, 1],
  ['target', 'u64', 112, 1],
  ['kind', 'u32', 120, 1],
  ['instance', 'u32', 124, 1],
  ['prim', 'u32', 128, 1],
  ['corner', 'u32', 132, 1],
  ['other_instance', 'u32', 136, 1],
  ['other_prim', 'u32', 140, 1],
  ['other_corner', 'u32', 144, 1],
  ['flags', 'u32', 148, 1],
  ['cell', 'i32', 152, 2],
  ['kept', 'u8', 160, 1],
]);

export const sl_snap_def = struct(128, [
  ['kinds', 'u32', 0, 1],
  ['radius', 'f32', 4, 1],
  ['hold', 'f32', 8, 1],
  ['margin', 'f32', 12, 1],
  ['rank', 'u8', 16, 11],
  ['hidden', 'u8', 27, 1],
  ['all_vertices', 'u8', 28, 1],
  ['has_from', 'u8', 29, 1],
  ['topologies', 'u32', 32, 1],
  ['options', 'u32', 36, 1],
  ['marks', 'u32', 40, 1],
  ['grid', 'u32', 44, 1],
  ['from', 'f64', 48, 3],
  ['lock', 'u32', 72, 1],
  ['lock_at', 'f64', 80, 3],
  ['lock_dir', 'f64', 104, 3],
]);

export const sl_snap_grid = struct(72, [
  ['origin', 'f64', 0, 3],
  ['x', 'f64', 24, 3],
  ['y', 'f64', 48, 3],
]);

export const sl_soup = struct(20, [
  ['xyz', 'u32', 0, 1],
  ['indices', 'u32', 4, 1],
  ['masks', 'u32', 8, 1],
  ['triangle_count', 'u32', 12, 1],
  ['vertex_count', 'u32', 16, 1],
]);

export const sl_surface = struct(104, [
  ['point', 'f64', 0, 3],
  ['normal', 'f64', 24, 3],
  ['error', 'f64', 48, 1],
  ['front_origin', 'f64', 56, 3],
  ['back_origin', 'f64', 80, 3],
]);

export const sl_sweep_d = struct(312, [
  ['volume', 'struct', 0, 1],
  ['volume_kind', 'u32', 0, 1],
  ['volume_shape', 'struct', 8, 1],
  ['volume_shape_aabb', 'struct', 8, 1],
  ['volume_shape_aabb_min', 'f64', 8, 3],
  ['volume_shape_aabb_max', 'f64', 32, 3],
  ['volume_shape_sphere', 'struct', 8, 1],
  ['volume_shape_sphere_centre', 'f64', 8, 3],
  ['volume_shape_sphere_radius', 'f64', 32, 1],
  ['volume_shape_obb', 'struct', 8, 1],
  ['volume_shape_obb_centre', 'f64', 8, 3],
  ['volume_shape_obb_axis', 'f64', 32, 9],
  ['volume_shape_obb_half', 'f64', 104, 3],
  ['volume_shape_capsule', 'struct', 8, 1],
  ['volume_shape_capsule_p', 'f64', 8, 3],
  ['volume_shape_capsule_q', 'f64', 32, 3],
  ['volume_shape_capsule_radius', 'f64', 56, 1],
  ['volume_shape_frustum', 'struct', 8, 1],
  ['volume_shape_frustum_plane', 'u32', 8, 8],
  ['volume_shape_frustum_count', 'u32', 264, 1],
  ['volume_shape_triangle', 'struct', 8, 1],
  ['volume_shape_triangle_v', 'f64', 8, 9],
  ['volume_shape_hull', 'struct', 8, 1],
  ['volume_shape_hull_xyz', 'u32', 8, 1],
  ['volume_shape_hull_count', 'u32', 12, 1],
  ['dir', 'f64', 272, 3],
  ['touching', 'u32', 296, 1],
  ['overlapping', 'u32', 300, 1],
  ['ignore_grazing', 'u8', 304, 1],
]);

export const sl_topology_def = struct(32, [
  ['hooks', 'struct', 0, 1],
  ['hooks_allocator', 'struct', 0, 1],
  ['hooks_allocator_alloc', 'u32', 0, 1],
  ['hooks_allocator_free', 'u32', 4, 1],
  ['hooks_allocator_user', 'u32', 8, 1],
  ['hooks_progress', 'struct', 12, 1],
  ['hooks_progress_report', 'u32', 12, 1],
  ['hooks_progress_user', 'u32', 16, 1],
  ['hooks_tasks', 'u32', 20, 1],
  ['crease_rad', 'f32', 24, 1],
  ['features', 'u32', 28, 1],
]);

export const sl_topology_info = struct(36, [
  ['triangle_count', 'u32', 0, 1],
  ['vertex_count', 'u32', 4, 1],
  ['edge_count', 'u32', 8, 1],
  ['face_count', 'u32', 12, 1],
  ['part_count', 'u32', 16, 1],
  ['feature_edge_count', 'u32', 20, 1],
  ['feature_vertex_count', 'u32', 24, 1],
  ['scratch_words', 'u32', 28, 1],
  ['bytes', 'u32', 32, 1],
]);

export const sl_triangle_ref = struct(8, [
  ['instance', 'u32', 0, 1],
  ['prim', 'u32', 4, 1],
]);

export const sl_view = struct(168, [
  ['camera', 'struct', 0, 1],
  ['camera_view', 'f32', 0, 16],
  ['camera_projection', 'f32', 64, 16],
  ['camera_width', 'u32', 128, 1],
  ['camera_height', 'u32', 132, 1],
  ['camera_clip', 'u32', 136, 1],
  ['origin', 'f64', 144, 3],
]);

export const sl_volume_d = struct(272, [
  ['kind', 'u32', 0, 1],
  ['shape', 'struct', 8, 1],
  ['shape_aabb', 'struct', 8, 1],
  ['shape_aabb_min', 'f64', 8, 3],
  ['shape_aabb_max', 'f64', 32, 3],
  ['shape_sphere', 'struct', 8, 1],
  ['shape_sphere_centre', 'f64', 8, 3],
  ['shape_sphere_radius', 'f64', 32, 1],
  ['shape_obb', 'struct', 8, 1],
  ['shape_obb_centre', 'f64', 8, 3],
  ['shape_obb_axis', 'f64', 32, 9],
  ['shape_obb_half', 'f64', 104, 3],
  ['shape_capsule', 'struct', 8, 1],
  ['shape_capsule_p', 'f64', 8, 3],
  ['shape_capsule_q', 'f64', 32, 3],
  ['shape_capsule_radius', 'f64', 56, 1],
  ['shape_frustum', 'struct', 8, 1],
  ['shape_frustum_plane', 'u32', 8, 8],
  ['shape_frustum_count', 'u32', 264, 1],
  ['shape_triangle', 'struct', 8, 1],
  ['shape_triangle_v', 'f64', 8, 9],
  ['shape_hull', 'struct', 8, 1],
  ['shape_hull_xyz', 'u32', 8, 1],
  ['shape_hull_count', 'u32', 12, 1],
]);

export const sl_volumes = struct(16, [
  ['first', 'u32', 0, 1],
  ['stride', 'u32', 4, 1],
  ['count', 'u32', 8, 1],
  ['number', 'u32', 12, 1],
]);
