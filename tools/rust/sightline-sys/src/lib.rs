//! What `sightline-bvh` calls of the C library, which this crate compiles; the header says what everything means. Other
//! functions of the library are linked, too: declare what you need of them.
//!
//! `DEP_SIGHTLINE_INCLUDE` is the folder of the header for build scripts of crates that depend on this one.
#![no_std]
#![allow(non_camel_case_types)]

use core::ffi::{c_char, c_int, c_void};
use core::mem::size_of;

/// The index that stands for no triangle, no instance.
pub const SL_NONE: u32 = 0xFFFF_FFFF;

pub type sl_result = c_int;
pub const SL_OK: sl_result = 0;

macro_rules! opaque {
    ($($name:ident)*) => { $(
        #[repr(C)]
        pub struct $name {
            _private: [u8; 0],
        }
    )* };
}
opaque! { sl_mesh sl_bvh sl_pool sl_stats }

#[repr(C)]
pub struct sl_error {
    pub code: sl_result,
    pub line: i64,
    pub byte: i64,
    pub file: [c_char; 256],
    pub message: [c_char; 256],
}

#[repr(C)]
pub struct sl_tasks {
    pub parallel_for: Option<unsafe extern "C" fn(*mut c_void, usize, usize, *const c_void, *mut c_void)>,
    pub user: *mut c_void,
    pub worker_count: c_int,
}

/// Zeroed but for tasks: malloc, and no reports.
#[repr(C)]
pub struct sl_hooks {
    pub allocator: [usize; 3],
    pub progress: [usize; 2],
    pub tasks: *const sl_tasks,
}

#[repr(C)]
pub struct sl_build_def {
    pub hooks: sl_hooks,
    pub quality: c_int,
    pub layout: c_int,
    pub max_memory: usize,
    pub max_tree_size: usize,
    pub masks: *const u32,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct sl_transform {
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
    pub bad: c_int,
    pub quality: c_int,
    pub stride: usize,
    pub previous: *const sl_bvh,
    pub recycle: *mut sl_bvh,
    pub static_memory: usize,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct sl_ray {
    pub origin: [f32; 3],
    pub tmin: f32,
    pub dir: [f32; 3],
    pub tmax: f32,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct sl_segment {
    pub p: [f32; 3],
    pub q: [f32; 3],
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct sl_hit {
    pub t: f32,
    pub u: f32,
    pub v: f32,
    pub prim: u32,
    pub instance: u32,
    pub flags: u32,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct sl_nearest {
    pub distance: f32,
    pub u: f32,
    pub v: f32,
    pub prim: u32,
    pub instance: u32,
    pub flags: u32,
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
    pub cull: c_int,
    pub flags: u32,
    pub skip: *const sl_triangle_ref,
    pub skip_count: usize,
    pub ignore: *const sl_instance_range,
    pub ignore_count: usize,
    pub items: *const c_void,
    pub proxy: *const c_void,
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
    pub number: c_int,
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
    pub number: c_int,
}

#[repr(C)]
pub struct sl_points {
    pub xyz: [*const c_void; 3],
    pub stride: usize,
    pub count: usize,
    pub number: c_int,
}

#[repr(C)]
pub struct sl_nearests {
    pub first: *mut c_void,
    pub stride: usize,
    pub number: c_int,
}

impl sl_ray {
    /// From 0 to infinity.
    pub const fn new(origin: [f32; 3], dir: [f32; 3]) -> Self {
        sl_ray { origin, tmin: 0.0, dir, tmax: f32::INFINITY }
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
        allocator: *const c_void,
        out: *mut *mut sl_pool,
        error: *mut sl_error,
    ) -> sl_result;
    pub fn sl_pool_destroy(pool: *mut sl_pool);
    pub fn sl_pool_tasks(pool: *const sl_pool) -> *const sl_tasks;

    pub fn sl_mesh_load(
        path: *const c_char,
        def: *const c_void,
        out: *mut *mut sl_mesh,
        error: *mut sl_error,
    ) -> sl_result;
    pub fn sl_mesh_load_memory(
        bytes: *const c_void,
        size: usize,
        name: *const c_char,
        def: *const c_void,
        out: *mut *mut sl_mesh,
        error: *mut sl_error,
    ) -> sl_result;
    pub fn sl_mesh_from_arrays(
        xyz: *const f32,
        vertices: usize,
        indices: *const c_void,
        triangles: usize,
        def: *const c_void,
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

macro_rules! has_size {
    ($($name:ident $size:literal)*) => { $(const _: () = assert!(size_of::<usize>() != 8 || size_of::<$name>() == $size);)* };
}
// The compiler of C holds its structs against the same numbers (build.rs).
has_size! {
    sl_error 536 sl_hooks 48 sl_tasks 24 sl_build_def 80 sl_instances_def 88 sl_instance 120 sl_ray 32 sl_segment 24
    sl_hit 24 sl_nearest 36 sl_options 80 sl_rays 112 sl_hits 64 sl_points 48 sl_nearests 24
}
