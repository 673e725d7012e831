#![doc = include_str!("../README.md")]
#![warn(missing_docs, missing_debug_implementations)]

mod error;
mod options;
mod queries;

pub use error::Error;
pub use options::{Cull, Filter, Options};
pub use queries::{Lists, Rays};
pub use sightline_sys as sys;
pub use sys::{
    sl_aabb_d as Bounds, sl_hit as Hit, sl_instance_range as InstanceRange, sl_nearest as Nearest, sl_ray as Ray,
    sl_segment as Segment, sl_transform as Transform, sl_triangle_ref as TriangleRef,
};

use error::made;
use std::{ffi::CString, mem, path::Path, ptr, ptr::NonNull, sync::Arc};

/// A result with the library's [`Error`].
pub type Result<T> = std::result::Result<T, Error>;

macro_rules! owned {
    ($name:ident, $destroy:ident) => {
        // None of them changes once it is made, and a pool lets one caller after the other in.
        unsafe impl Send for $name {}
        unsafe impl Sync for $name {}

        impl Drop for $name {
            fn drop(&mut self) {
                unsafe { sys::$destroy(self.0.as_ptr()) }
            }
        }
    };
}

/// Triangles that were checked: every index is in range, every coordinate finite.
#[derive(Debug)]
pub struct Mesh(NonNull<sys::sl_mesh>);
owned!(Mesh, sl_mesh_destroy);

impl Mesh {
    /// Copies arrays. An index out of range or a coordinate that is not finite is an error that names the triangle.
    pub fn new(vertices: &[[f32; 3]], triangles: &[[u32; 3]]) -> Result<Mesh> {
        made(|out, error| unsafe {
            let (xyz, indices) = (vertices.as_ptr().cast(), triangles.as_ptr().cast());
            sys::sl_mesh_from_arrays(xyz, vertices.len(), indices, triangles.len(), ptr::null(), out, error)
        })
        .map(Mesh)
    }

    /// Loads OBJ, PLY, STL or OFF, which is detected from the content.
    pub fn load(path: impl AsRef<Path>) -> Result<Mesh> {
        let name = CString::new(path.as_ref().as_os_str().as_encoded_bytes()).map_err(|_| Error::zero_in_name())?;
        made(|out, error| unsafe { sys::sl_mesh_load(name.as_ptr(), ptr::null(), out, error) }).map(Mesh)
    }

    /// The same from memory.
    pub fn from_bytes(bytes: &[u8]) -> Result<Mesh> {
        made(|out, error| unsafe {
            sys::sl_mesh_load_memory(bytes.as_ptr().cast(), bytes.len(), ptr::null(), ptr::null(), out, error)
        })
        .map(Mesh)
    }
}

/// Threads that queries and builds borrow, one call at a time. The caller is one of the workers.
#[derive(Debug)]
pub struct Pool(NonNull<sys::sl_pool>);
owned!(Pool, sl_pool_destroy);

impl Pool {
    /// `workers` is at most 1024; 0: one for each processor.
    pub fn new(workers: u16) -> Result<Pool> {
        made(|out, error| unsafe { sys::sl_pool_create(workers.into(), ptr::null(), out, error) }).map(Pool)
    }
}

fn tasks_of(pool: Option<&Pool>) -> *const sys::sl_tasks {
    pool.map_or(ptr::null(), |pool| unsafe { sys::sl_pool_tasks(pool.0.as_ptr()) })
}

#[derive(Debug)]
struct Bvh(NonNull<sys::sl_bvh>);
owned!(Bvh, sl_bvh_destroy);

/// A tree over the triangles of a mesh, or over instances of other trees. Queries are the same. A clone is the same tree.
#[derive(Clone, Debug)]
pub struct Tree {
    bvh: Arc<Bvh>,
    /// Those that instances name, which go after it.
    _below: Arc<[Tree]>,
}

/// A tree under a transform.
#[derive(Clone, Copy, Debug)]
pub struct Instance<'a> {
    /// Of either kind; nested at most 16 deep.
    pub tree: &'a Tree,
    /// Where the tree stands.
    pub transform: Transform,
    /// [`Options::mask`] is compared with it; 0 has all bits.
    pub mask: u32,
}

impl<'a> Instance<'a> {
    /// A row of `transform` makes a coordinate: `row[0] x + row[1] y + row[2] z + row[3]`.
    pub fn new(tree: &'a Tree, transform: [[f64; 4]; 3]) -> Self {
        Instance { tree, transform: Transform { m: transform }, mask: 0 }
    }

    fn row(&self, id: u32) -> sys::sl_instance {
        sys::sl_instance { bvh: self.tree.as_ptr(), transform: self.transform, grid: 0.0, id, mask: self.mask }
    }
}

impl Tree {
    /// The tree keeps a copy of the triangles.
    pub fn build(mesh: &Mesh, pool: Option<&Pool>) -> Result<Tree> {
        // Zeros are the defaults.
        let mut def: sys::sl_build_def = unsafe { mem::zeroed() };
        def.hooks.tasks = tasks_of(pool);
        made(|out, error| unsafe { sys::sl_bvh_build(mesh.0.as_ptr(), &def, out, error) })
            .map(|bvh| Tree { bvh: Arc::new(Bvh(bvh)), _below: Arc::default() })
    }

    /// A tree over instances, which keeps theirs; hits have an instance's index. A transform that is flat or not finite is
    /// an error that names it.
    pub fn over(instances: &[Instance], pool: Option<&Pool>) -> Result<Tree> {
        let mut def: sys::sl_instances_def = unsafe { mem::zeroed() };
        def.hooks.tasks = tasks_of(pool);
        let rows: Vec<sys::sl_instance> = (0..).zip(instances).map(|(id, instance)| instance.row(id)).collect();
        let mut below: Vec<&Tree> = instances.iter().map(|instance| instance.tree).collect();
        below.sort_unstable_by_key(|tree| tree.as_ptr());
        below.dedup_by_key(|tree| tree.as_ptr());
        made(|out, error| unsafe { sys::sl_bvh_build_instances(rows.as_ptr(), rows.len(), &def, out, error) })
            .map(|bvh| Tree { bvh: Arc::new(Bvh(bvh)), _below: below.into_iter().cloned().collect() })
    }

    /// A box that holds all triangles; of none `min` is above `max`.
    pub fn bounds(&self) -> Bounds {
        unsafe { sys::sl_bvh_bounds(self.as_ptr()) }
    }

    fn as_ptr(&self) -> *const sys::sl_bvh {
        self.bvh.0.as_ptr()
    }
}
