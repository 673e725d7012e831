//! Errors, and what is made where there is none.

use crate::{sys, Result};
use std::{ffi::c_char, ffi::CStr, fmt, mem, ptr, ptr::NonNull};

/// What went wrong, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// The name of the result, such as `SL_BAD_DATA`.
    pub name: String,
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
        let name = unsafe { CStr::from_ptr(sys::sl_result_name(error.code)) };
        Error {
            name: name.to_string_lossy().into_owned(),
            message: text(&error.message),
            file: text(&error.file),
            line: u64::try_from(error.line).ok().filter(|line| *line > 0),
            byte: u64::try_from(error.byte).ok(),
        }
    }

    pub(crate) fn of_caller(message: String) -> Error {
        Error { name: "SL_INVALID_ARGUMENT".into(), message, file: String::new(), line: None, byte: None }
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
