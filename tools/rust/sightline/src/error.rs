//! Errors, and what is made where there is none.

use crate::{sys, Result};
use std::{ffi::c_char, ffi::CStr, fmt, mem, ptr, ptr::NonNull};

/// What went wrong, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Error {
    /// A result such as [`sys::SL_BAD_DATA`].
    pub code: sys::sl_result,
    /// Its name.
    pub name: &'static str,
    /// What was found and what was expected.
    pub message: String,
    /// As the caller named it; empty for memory.
    pub file: String,
    /// 1 is the first line; `None`: not known, or no text.
    pub line: Option<u64>,
    /// From the start of the file.
    pub byte: Option<u64>,
}

fn text(from: &[c_char]) -> String {
    unsafe { CStr::from_ptr(from.as_ptr()) }.to_string_lossy().into_owned()
}

impl Error {
    fn new(error: &sys::sl_error) -> Error {
        let name: &'static CStr = unsafe { CStr::from_ptr(sys::sl_result_name(error.code)) };
        Error {
            code: error.code,
            name: name.to_str().unwrap_or_default(),
            message: text(&error.message),
            file: text(&error.file),
            line: u64::try_from(error.line).ok().filter(|line| *line > 0),
            byte: u64::try_from(error.byte).ok(),
        }
    }

    pub(crate) fn zero_in_name() -> Error {
        let mut error: sys::sl_error = unsafe { mem::zeroed() };
        error.code = sys::SL_INVALID_ARGUMENT;
        Error { message: "a name of a file with a byte of 0".into(), byte: None, ..Error::new(&error) }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if !self.file.is_empty() {
            write!(f, "{}:", self.file)?;
            if let Some(line) = self.line {
                write!(f, "{line}:")?;
            }
            write!(f, " ")?;
        }
        write!(f, "{}", self.message)
    }
}

impl std::error::Error for Error {}

/// What a function of C makes, or its error.
pub(crate) fn made<T>(make: impl FnOnce(*mut *mut T, *mut sys::sl_error) -> sys::sl_result) -> Result<NonNull<T>> {
    let mut out = ptr::null_mut();
    let mut error: sys::sl_error = unsafe { mem::zeroed() };
    match make(&mut out, &mut error) {
        sys::SL_OK => Ok(NonNull::new(out).expect("what was made")),
        _ => Err(Error::new(&error)),
    }
}
