//! What a query may vary.

use crate::{sys, Hit, InstanceRange, TriangleRef};
use std::{ffi::c_void, fmt, ptr};

/// Which side of a triangle counts; its front is the side from which its corners run counter-clockwise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(i32)]
pub enum Cull {
    /// Both.
    #[default]
    None = sys::SL_CULL_NONE,
    /// Only fronts are hit.
    Back = sys::SL_CULL_BACK,
    /// Only backs are hit.
    Front = sys::SL_CULL_FRONT,
}

/// Which triangles, instances and hits are there. The default is all of them.
#[derive(Clone, Copy, Default)]
pub struct Options<'a> {
    /// 0: all; else what shares a bit with it.
    pub mask: u32,
    /// Which side of triangles is hit.
    pub cull: Cull,
    /// A hit at the start of a segment does not count.
    pub open_start: bool,
    /// A hit at the end of a segment does not count.
    pub open_end: bool,
    /// Surfaces crossed, not triangles touched: a closed mesh is crossed an even number of times from outside.
    pub crossings: bool,
    /// Triangles that are not there, such as that of the last hit.
    pub skip: &'a [TriangleRef],
    /// Instances that are not there.
    pub ignore: &'a [InstanceRange],
    /// Whether a hit of the item with this number exists. It may be called for any hit, in any order, more than once, and
    /// by the threads of a pool, so it must be a pure function, which does not use that pool: it would wait for ever. Where
    /// it panics, the process ends.
    pub filter: Option<&'a Filter<'a>>,
}

/// Of [`Options::filter`].
pub type Filter<'a> = dyn Fn(usize, &Hit) -> bool + Sync + 'a;

impl fmt::Debug for Options<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_struct("Options")
            .field("mask", &self.mask)
            .field("cull", &self.cull)
            .field("open_start", &self.open_start)
            .field("open_end", &self.open_end)
            .field("crossings", &self.crossings)
            .field("skip", &self.skip)
            .field("ignore", &self.ignore)
            .field("filtered", &self.filter.is_some())
            .finish()
    }
}

/// The user of C is where the options have the filter.
unsafe extern "C" fn ask_filter(user: *mut c_void, index: usize, hit: *const Hit) -> bool {
    let filter = unsafe { &*user.cast::<&Filter>() };
    filter(index, unsafe { &*hit })
}

impl Options<'_> {
    /// For as long as the options are borrowed.
    pub(crate) fn as_c(&self) -> sys::sl_options {
        let flags = [
            (self.open_start, sys::SL_OPEN_START),
            (self.open_end, sys::SL_OPEN_END),
            (self.crossings, sys::SL_CROSSINGS),
        ];
        sys::sl_options {
            mask: self.mask,
            cull: self.cull as sys::sl_cull,
            flags: flags.iter().filter(|(is_set, _)| *is_set).map(|(_, flag)| flag).sum(),
            skip: self.skip.as_ptr(),
            skip_count: self.skip.len(),
            ignore: self.ignore.as_ptr(),
            ignore_count: self.ignore.len(),
            items: ptr::null(),
            proxy: ptr::null(),
            filter: self.filter.as_ref().map(|_| ask_filter as _),
            filter_user: self.filter.as_ref().map_or(ptr::null_mut(), |filter| ptr::from_ref(filter).cast_mut().cast()),
        }
    }
}
