//! What `sightline-bvh` calls of the C library, which this crate compiles; the header says what everything means. Other
//! functions of the library are linked, too: declare what you need of them.
//!
//! Each struct, constant and function here is checked against that header whenever the library is compiled (build.rs), which
//! reads plain declarations: a field, a constant or a function that differs is an error of the C compiler.
//!
//! `DEP_SIGHTLINE_INCLUDE` is the folder of the header for build scripts of crates that depend on this one.
#![no_std]
#![allow(non_camel_case_types)]

use core::ffi::{c_char, c_int, c_void};

/// The index that stands for no triangle, no instance.
pub const SL_NONE: u32 = 0xFFFF_FFFF;

pub type sl_result = c_int;
pub const SL_OK: sl_result = 0;
pub const SL_INVALID_ARGUMENT: sl_result = 1;
pub const SL_OUT_OF_MEMORY: sl_result = 2;
pub const SL_NOT_FOUND: sl_result = 3;
pub const SL_IO: sl_result = 4;
pub const SL_BAD_DATA: sl_result = 5;
pub const SL_BAD_INDEX: sl_result = 6;
pub const SL_NOT_FINITE: sl_result = 7;
pub const SL_UNSUPPORTED: sl_result = 8;
pub const SL_TOO_LARGE: sl_result = 9;
pub const SL_CANCELLED: sl_result = 10;
pub const SL_NO_THREADS_LEFT: sl_result = 11;

/// A bit of [`sl_hit::flags`]: the back was hit; clear: the front.
pub const SL_HIT_BACK: u32 = 1;
/// Likewise: on an edge of the triangle, vertices included.
pub const SL_HIT_EDGE: u32 = 2;
/// Likewise: on a vertex.
pub const SL_HIT_VERTEX: u32 = 4;

pub type sl_cull = c_int;
pub const SL_CULL_NONE: sl_cull = 0;
pub const SL_CULL_BACK: sl_cull = 1;
pub const SL_CULL_FRONT: sl_cull = 2;

/// Bits of [`sl_options::flags`].
pub const SL_OPEN_START: u32 = 1;
pub const SL_OPEN_END: u32 = 2;
pub const SL_CROSSINGS: u32 = 4;

pub type sl_number = c_int;
pub const SL_FLOAT: sl_number = 0;
pub const SL_DOUBLE: sl_number = 1;

pub type sl_bvh_quality = c_int;
pub type sl_bvh_layout = c_int;
pub type sl_bad_instances = c_int;

macro_rules! opaque {
    ($($name:ident)*) => { $(
        #[repr(C)]
        pub struct $name {
            _private: [u8; 0],
        }
    )* };
}
opaque! { sl_mesh sl_mesh_def sl_bvh sl_pool sl_stats sl_item_options sl_proxy }

#[repr(C)]
pub struct sl_error {
    pub code: sl_result,
    pub line: i64,
    pub byte: i64,
    pub file: [c_char; 256],
    pub message: [c_char; 256],
}

#[repr(C)]
pub struct sl_allocator {
    pub alloc: Option<unsafe extern "C" fn(*mut c_void, usize, usize) -> *mut c_void>,
    pub free: Option<unsafe extern "C" fn(*mut c_void, *mut c_void, usize)>,
    pub user: *mut c_void,
}

#[repr(C)]
pub struct sl_progress {
    pub report: Option<unsafe extern "C" fn(*mut c_void, *const c_char, f32) -> bool>,
    pub user: *mut c_void,
}

/// Context, begin, end, worker.
pub type sl_range_fn = unsafe extern "C" fn(*mut c_void, usize, usize, c_int);

#[repr(C)]
pub struct sl_tasks {
    pub parallel_for: Option<unsafe extern "C" fn(*mut c_void, usize, usize, Option<sl_range_fn>, *mut c_void)>,
    pub user: *mut c_void,
    pub worker_count: c_int,
}

/// Zeroed: malloc, no reports, the calling thread alone.
#[repr(C)]
pub struct sl_hooks {
    pub allocator: sl_allocator,
    pub progress: sl_progress,
    pub tasks: *const sl_tasks,
}

#[repr(C)]
pub struct sl_build_def {
    pub hooks: sl_hooks,
    pub quality: sl_bvh_quality,
    pub layout: sl_bvh_layout,
    pub max_memory: usize,
    pub max_tree_size: usize,
    pub masks: *const u32,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct sl_transform {
    /// A row makes a coordinate: `row[0] x + row[1] y + row[2] z + row[3]`.
    pub m: [[f64; 4]; 3],
}

#[repr(C)]
pub struct sl_instance {
    pub bvh: *const sl_bvh,
    pub transform: sl_transform,
    pub grid: f64,
    pub id: u32,
    pub mask: u32,
}

#[repr(C)]
pub struct sl_instances_def {
    pub hooks: sl_hooks,
    pub bad: sl_bad_instances,
    pub quality: sl_bvh_quality,
    pub stride: usize,
    pub previous: *const sl_bvh,
    pub recycle: *mut sl_bvh,
    pub static_memory: usize,
}

/// `origin + t dir` for `tmin <= t <= tmax`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct sl_ray {
    pub origin: [f32; 3],
    /// Any number.
    pub tmin: f32,
    /// Of any length but 0; `t` is in units of it.
    pub dir: [f32; 3],
    /// May be infinite.
    pub tmax: f32,
}

/// From `p`, where `t` is 0, to `q`, where it is 1; both belong to it.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct sl_segment {
    pub p: [f32; 3],
    pub q: [f32; 3],
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct sl_hit {
    /// Infinite where it is beyond the range of a float.
    pub t: f32,
    /// The weight of the triangle's vertex 1.
    pub u: f32,
    /// That of vertex 2; vertex 0 has the rest.
    pub v: f32,
    /// The triangle's index in its mesh; [`SL_NONE`]: nothing is hit.
    pub prim: u32,
    /// 0 in a tree over triangles.
    pub instance: u32,
    /// [`SL_HIT_BACK`], [`SL_HIT_EDGE`], [`SL_HIT_VERTEX`].
    pub flags: u32,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct sl_nearest {
    pub distance: f32,
    /// The weight of the triangle's vertex 1 at the point.
    pub u: f32,
    /// That of vertex 2.
    pub v: f32,
    /// The triangle's index in its mesh; [`SL_NONE`]: nothing is near enough.
    pub prim: u32,
    /// 0 in a tree over triangles.
    pub instance: u32,
    /// 0.
    pub flags: u32,
    /// The nearest one of the triangle.
    pub point: [f32; 3],
}

#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct sl_triangle_ref {
    pub instance: u32,
    pub prim: u32,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct sl_instance_range {
    pub first: u32,
    pub count: u32,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct sl_aabb_d {
    pub min: [f64; 3],
    pub max: [f64; 3],
}

#[repr(C)]
pub struct sl_options {
    pub mask: u32,
    pub cull: sl_cull,
    pub flags: u32,
    pub skip: *const sl_triangle_ref,
    pub skip_count: usize,
    pub ignore: *const sl_instance_range,
    pub ignore_count: usize,
    pub items: *const sl_item_options,
    pub proxy: *const sl_proxy,
    pub filter: Option<unsafe extern "C" fn(*mut c_void, usize, *const sl_hit) -> bool>,
    pub filter_user: *mut c_void,
}

#[repr(C)]
pub struct sl_rays {
    pub origin: [*const c_void; 3],
    pub dir: [*const c_void; 3],
    pub tmin: *const c_void,
    pub tmax: *const c_void,
    pub origin_stride: usize,
    pub dir_stride: usize,
    pub tmin_stride: usize,
    pub tmax_stride: usize,
    pub count: usize,
    pub number: sl_number,
    pub segments: bool,
}

#[repr(C)]
pub struct sl_hits {
    pub t: *mut c_void,
    pub u: *mut f32,
    pub v: *mut f32,
    pub prim: *mut u32,
    pub instance: *mut u32,
    pub flags: *mut u32,
    pub stride: usize,
    pub number: sl_number,
}

#[repr(C)]
pub struct sl_points {
    pub xyz: [*const c_void; 3],
    pub stride: usize,
    pub count: usize,
    pub number: sl_number,
}

#[repr(C)]
pub struct sl_nearests {
    pub first: *mut c_void,
    pub stride: usize,
    pub number: sl_number,
}

impl sl_ray {
    /// With `t` from 0 to infinity.
    pub const fn new(origin: [f32; 3], dir: [f32; 3]) -> Self {
        sl_ray { origin, tmin: 0.0, dir, tmax: f32::INFINITY }
    }

    /// `origin + t dir`, rounded.
    pub fn at(&self, t: f32) -> [f32; 3] {
        core::array::from_fn(|axis| self.origin[axis] + t * self.dir[axis])
    }
}

impl sl_hit {
    /// Whether nothing was hit.
    pub const fn is_miss(&self) -> bool {
        self.prim == SL_NONE
    }
}

extern "C" {
    pub fn sl_version() -> *const c_char;
    pub fn sl_result_name(result: sl_result) -> *const c_char;

    pub fn sl_pool_create(
        workers: c_int,
        allocator: *const sl_allocator,
        out: *mut *mut sl_pool,
        error: *mut sl_error,
    ) -> sl_result;
    pub fn sl_pool_destroy(pool: *mut sl_pool);
    pub fn sl_pool_tasks(pool: *const sl_pool) -> *const sl_tasks;

    pub fn sl_mesh_load(
        path: *const c_char,
        def: *const sl_mesh_def,
        out: *mut *mut sl_mesh,
        error: *mut sl_error,
    ) -> sl_result;
    pub fn sl_mesh_load_memory(
        bytes: *const c_void,
        size: usize,
        name: *const c_char,
        def: *const sl_mesh_def,
        out: *mut *mut sl_mesh,
        error: *mut sl_error,
    ) -> sl_result;
    pub fn sl_mesh_from_arrays(
        xyz: *const f32,
        vertices: usize,
        indices: *const c_void,
        triangles: usize,
        def: *const sl_mesh_def,
        out: *mut *mut sl_mesh,
        error: *mut sl_error,
    ) -> sl_result;
    pub fn sl_mesh_destroy(mesh: *mut sl_mesh);

    pub fn sl_bvh_build(
        mesh: *const sl_mesh,
        def: *const sl_build_def,
        out: *mut *mut sl_bvh,
        error: *mut sl_error,
    ) -> sl_result;
    pub fn sl_bvh_build_instances(
        instances: *const sl_instance,
        count: usize,
        def: *const sl_instances_def,
        out: *mut *mut sl_bvh,
        error: *mut sl_error,
    ) -> sl_result;
    pub fn sl_bvh_destroy(bvh: *mut sl_bvh);
    pub fn sl_bvh_bounds(bvh: *const sl_bvh) -> sl_aabb_d;

    pub fn sl_bvh_closest(bvh: *const sl_bvh, ray: *const sl_ray, options: *const sl_options, hit: *mut sl_hit)
        -> bool;
    pub fn sl_bvh_any(bvh: *const sl_bvh, ray: *const sl_ray, options: *const sl_options) -> bool;
    pub fn sl_bvh_occluded(bvh: *const sl_bvh, p: *const f32, q: *const f32, options: *const sl_options) -> bool;
    pub fn sl_bvh_all(
        bvh: *const sl_bvh,
        ray: *const sl_ray,
        options: *const sl_options,
        hits: *mut sl_hit,
        capacity: usize,
    ) -> usize;
    pub fn sl_bvh_nearest(
        bvh: *const sl_bvh,
        point: *const f32,
        max_distance: f32,
        options: *const sl_options,
        out: *mut sl_nearest,
    ) -> bool;
    pub fn sl_bvh_inside(
        bvh: *const sl_bvh,
        point: *const f32,
        options: *const sl_options,
        instances: *mut u32,
        capacity: usize,
    ) -> usize;

    pub fn sl_bvh_closest_many(
        bvh: *const sl_bvh,
        rays: sl_rays,
        options: *const sl_options,
        hits: sl_hits,
        tasks: *const sl_tasks,
        stats: *mut sl_stats,
    );
    pub fn sl_bvh_any_many(
        bvh: *const sl_bvh,
        rays: sl_rays,
        options: *const sl_options,
        any: *mut u8,
        hints: *mut sl_triangle_ref,
        tasks: *const sl_tasks,
        stats: *mut sl_stats,
    );
    pub fn sl_bvh_all_many(
        bvh: *const sl_bvh,
        rays: sl_rays,
        options: *const sl_options,
        hits: sl_hits,
        capacity: usize,
        totals: *mut u64,
        tasks: *const sl_tasks,
        stats: *mut sl_stats,
    );
    pub fn sl_bvh_nearest_many(
        bvh: *const sl_bvh,
        points: sl_points,
        max_distance: f32,
        options: *const sl_options,
        out: sl_nearests,
        tasks: *const sl_tasks,
        stats: *mut sl_stats,
    );
    pub fn sl_bvh_inside_many(
        bvh: *const sl_bvh,
        points: sl_points,
        options: *const sl_options,
        instances: *mut u32,
        capacity: usize,
        totals: *mut u64,
        tasks: *const sl_tasks,
        stats: *mut sl_stats,
    );
}
