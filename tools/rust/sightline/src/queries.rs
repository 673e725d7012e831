//! Queries on a tree: none of them can fail. An item that is not finite hits nothing, and nothing is near it.

use crate::{sys, tasks_of, Hit, Nearest, Options, Pool, Ray, Segment, Tree};
use std::{ffi::c_void, mem::size_of, ptr};

/// Rays or segments: a slice, an array or a `Vec` of them becomes this by itself.
#[derive(Clone, Copy, Debug)]
pub enum Rays<'a> {
    /// From an origin along a direction.
    Rays(&'a [Ray]),
    /// From a point to another.
    Segments(&'a [Segment]),
}

macro_rules! from {
    ($kind:ident: $($items:ty $(, $length:ident)?;)*) => { $(
        impl<'a $(, const $length: usize)?> From<&'a $items> for Rays<'a> {
            fn from(items: &'a $items) -> Self {
                Rays::$kind(items)
            }
        }
    )* };
}
from! { Rays: [Ray]; Vec<Ray>; [Ray; N], N; }
from! { Segments: [Segment]; Vec<Segment>; [Segment; N], N; }

fn only<T>(first: *const T) -> [*const c_void; 3] {
    [first.cast(), ptr::null(), ptr::null()]
}

/// The field of the first item, whether there is one or not.
macro_rules! field {
    ($items:expr, $type:ty, $field:ident) => {
        $items.as_ptr().cast::<u8>().wrapping_add(std::mem::offset_of!($type, $field))
    };
}

impl Rays<'_> {
    fn count(&self) -> usize {
        match self {
            Rays::Rays(rays) => rays.len(),
            Rays::Segments(segments) => segments.len(),
        }
    }

    fn to_c(self) -> sys::sl_rays {
        let (stride, origin, dir, limits) = match self {
            Rays::Rays(r) => {
                let limits = [field!(r, Ray, tmin).cast(), field!(r, Ray, tmax).cast()];
                (size_of::<Ray>(), field!(r, Ray, origin), field!(r, Ray, dir), limits)
            }
            Rays::Segments(s) => (size_of::<Segment>(), field!(s, Segment, p), field!(s, Segment, q), [ptr::null(); 2]),
        };
        sys::sl_rays {
            origin: only(origin),
            dir: only(dir),
            tmin: limits[0],
            tmax: limits[1],
            origin_stride: stride,
            dir_stride: stride,
            tmin_stride: stride,
            tmax_stride: stride,
            count: self.count(),
            number: sys::SL_FLOAT,
            segments: matches!(self, Rays::Segments(_)),
        }
    }
}

fn hits_of(hits: &mut [Hit]) -> sys::sl_hits {
    let first = hits.as_mut_ptr().cast::<u8>();
    let at = |offset| first.wrapping_add(offset);
    sys::sl_hits {
        t: at(std::mem::offset_of!(Hit, t)).cast(),
        u: at(std::mem::offset_of!(Hit, u)).cast(),
        v: at(std::mem::offset_of!(Hit, v)).cast(),
        prim: at(std::mem::offset_of!(Hit, prim)).cast(),
        instance: at(std::mem::offset_of!(Hit, instance)).cast(),
        flags: at(std::mem::offset_of!(Hit, flags)).cast(),
        stride: size_of::<Hit>(),
        number: sys::SL_FLOAT,
    }
}

fn points_of(points: &[[f32; 3]]) -> sys::sl_points {
    sys::sl_points { xyz: only(points.as_ptr()), stride: 0, count: points.len(), number: sys::SL_FLOAT }
}

/// Rows of as many answers as there is capacity for, and how many there are in all.
#[derive(Clone, Debug, PartialEq)]
pub struct Lists<T> {
    answers: Vec<T>,
    /// Of each item; may be more than its row has.
    pub totals: Vec<u64>,
}

impl<T: Clone + Default> Lists<T> {
    fn new(count: usize, capacity: usize) -> Self {
        let length = count.checked_mul(capacity).expect("rows that fit into memory");
        Lists { answers: vec![T::default(); length], totals: vec![0; count] }
    }

    /// Those of one item, sorted. Panics where there is no such item.
    pub fn row(&self, item: usize) -> &[T] {
        let capacity = self.answers.len() / self.totals.len().max(1);
        let row = &self.answers[item * capacity..][..capacity];
        &row[..capacity.min(usize::try_from(self.totals[item]).unwrap_or(capacity))]
    }
}

/// One item.
impl Tree {
    /// The closest hit; of equally distant ones, that of the lowest instance and triangle.
    pub fn closest(&self, ray: &Ray, options: &Options) -> Option<Hit> {
        let mut hit = Hit::default();
        unsafe { sys::sl_bvh_closest(self.as_ptr(), ray, &options.as_c(), &mut hit) }.then_some(hit)
    }

    /// Whether there is a hit.
    pub fn any(&self, ray: &Ray, options: &Options) -> bool {
        unsafe { sys::sl_bvh_any(self.as_ptr(), ray, &options.as_c()) }
    }

    /// Whether anything is hit between two points, which belong to the segment.
    pub fn occluded(&self, p: [f32; 3], q: [f32; 3], options: &Options) -> bool {
        unsafe { sys::sl_bvh_occluded(self.as_ptr(), p.as_ptr(), q.as_ptr(), &options.as_c()) }
    }

    /// All hits, sorted.
    pub fn all(&self, ray: &Ray, options: &Options) -> Vec<Hit> {
        listed(|hits: &mut [Hit]| unsafe {
            sys::sl_bvh_all(self.as_ptr(), ray, &options.as_c(), hits.as_mut_ptr(), hits.len())
        })
    }

    /// The nearest triangle within a distance, which may be infinite.
    pub fn nearest(&self, point: [f32; 3], max_distance: f32, options: &Options) -> Option<Nearest> {
        let mut out = Nearest::default();
        unsafe { sys::sl_bvh_nearest(self.as_ptr(), point.as_ptr(), max_distance, &options.as_c(), &mut out) }
            .then_some(out)
    }

    /// The instances of closed meshes that contain the point, in rising order; of a tree over triangles it is 0.
    pub fn inside(&self, point: [f32; 3], options: &Options) -> Vec<u32> {
        listed(|found: &mut [u32]| unsafe {
            sys::sl_bvh_inside(self.as_ptr(), point.as_ptr(), &options.as_c(), found.as_mut_ptr(), found.len())
        })
    }
}

/// All answers of a call that writes as many as it has room for, and says how many there are.
fn listed<T: Clone + Default>(mut call: impl FnMut(&mut [T]) -> usize) -> Vec<T> {
    let mut answers = vec![T::default(); 16];
    let total = call(&mut answers);
    if total > answers.len() {
        answers.resize(total, T::default());
        call(&mut answers);
    }
    answers.truncate(total);
    answers
}

/// Arrays, which the threads of a pool share.
impl Tree {
    /// As [`Tree::closest`]; a miss has a `prim` of [`sys::SL_NONE`].
    pub fn closest_many<'r>(&self, rays: impl Into<Rays<'r>>, options: &Options, pool: Option<&Pool>) -> Vec<Hit> {
        let rays = rays.into();
        let mut out = vec![Hit::default(); rays.count()];
        let (bvh, tasks) = (self.as_ptr(), tasks_of(pool));
        unsafe {
            sys::sl_bvh_closest_many(bvh, rays.to_c(), &options.as_c(), hits_of(&mut out), tasks, ptr::null_mut())
        }
        out
    }

    /// Whether each has a hit.
    pub fn any_many<'r>(&self, rays: impl Into<Rays<'r>>, options: &Options, pool: Option<&Pool>) -> Vec<bool> {
        let rays = rays.into();
        let mut out = vec![0u8; rays.count()];
        let (bvh, tasks, any) = (self.as_ptr(), tasks_of(pool), out.as_mut_ptr());
        let (hints, stats) = (ptr::null_mut(), ptr::null_mut());
        unsafe { sys::sl_bvh_any_many(bvh, rays.to_c(), &options.as_c(), any, hints, tasks, stats) }
        out.into_iter().map(|any| any != 0).collect()
    }

    /// The first `capacity` hits of each ray. Panics where there is no memory for as many.
    pub fn all_many<'r>(
        &self,
        rays: impl Into<Rays<'r>>,
        capacity: usize,
        options: &Options,
        pool: Option<&Pool>,
    ) -> Lists<Hit> {
        let rays = rays.into();
        let mut out = Lists::new(rays.count(), capacity);
        let (bvh, tasks, totals) = (self.as_ptr(), tasks_of(pool), out.totals.as_mut_ptr());
        let (c, hits, stats) = (options.as_c(), hits_of(&mut out.answers), ptr::null_mut());
        unsafe { sys::sl_bvh_all_many(bvh, rays.to_c(), &c, hits, capacity, totals, tasks, stats) }
        out
    }

    /// As [`Tree::nearest`]; where there is none, `prim` is [`sys::SL_NONE`].
    pub fn nearest_many(
        &self,
        points: &[[f32; 3]],
        max_distance: f32,
        options: &Options,
        pool: Option<&Pool>,
    ) -> Vec<Nearest> {
        let mut out = vec![Nearest::default(); points.len()];
        let to = sys::sl_nearests { first: out.as_mut_ptr().cast(), stride: 0, number: sys::SL_FLOAT };
        let (bvh, tasks, stats) = (self.as_ptr(), tasks_of(pool), ptr::null_mut());
        unsafe { sys::sl_bvh_nearest_many(bvh, points_of(points), max_distance, &options.as_c(), to, tasks, stats) }
        out
    }

    /// The first `capacity` instances that contain each point. Panics where there is no memory for as many.
    pub fn inside_many(
        &self,
        points: &[[f32; 3]],
        capacity: usize,
        options: &Options,
        pool: Option<&Pool>,
    ) -> Lists<u32> {
        let mut out = Lists::new(points.len(), capacity);
        let (bvh, tasks, stats) = (self.as_ptr(), tasks_of(pool), ptr::null_mut());
        let (instances, totals) = (out.answers.as_mut_ptr(), out.totals.as_mut_ptr());
        let c = options.as_c();
        unsafe { sys::sl_bvh_inside_many(bvh, points_of(points), &c, instances, capacity, totals, tasks, stats) }
        out
    }
}
