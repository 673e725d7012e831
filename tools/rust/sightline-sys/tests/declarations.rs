//! The check in build.rs fails where a declaration differs from the header: each fault is planted in a copy of src/lib.rs.

#[path = "../declarations.rs"]
mod declarations;

use std::{fs, path::Path, process::Command};

/// What is there, and what takes its place.
const FAULTS: [(&str, &str); 12] = [
    ("pub u: f32,\n    pub v: f32,", "pub v: f32,\n    pub u: f32,"),
    ("pub p: [f32; 3],\n    pub q: [f32; 3],", "pub q: [f32; 3],\n    pub p: [f32; 3],"),
    (
        "pub skip_count: usize,\n    pub ignore: *const sl_instance_range,",
        "pub ignore: *const sl_instance_range,\n    pub skip_count: usize,",
    ),
    ("pub worker_count: c_int", "pub worker_count: u32"),
    ("pub file: [c_char; 256]", "pub file: [c_char; 255]"),
    ("[[f64; 4]; 3]", "[[f64; 3]; 4]"),
    ("    pub filter_user: *mut c_void,\n", ""),
    ("usize, *const sl_hit) -> bool", "*const sl_hit, usize) -> bool"),
    ("SL_BAD_INDEX: sl_result = 6", "SL_BAD_INDEX: sl_result = 7"),
    (
        "max_distance: f32,\n        options: *const sl_options,",
        "options: *const sl_options,\n        max_distance: f32,",
    ),
    ("options: *const sl_options) -> bool", "options: *const sl_options) -> u32"),
    (
        "pub type sl_range_fn = unsafe extern \"C\" fn(*mut c_void, usize,",
        "pub type sl_range_fn = unsafe extern \"C\" fn(*mut c_void, u32,",
    ),
];

#[test]
fn a_declaration_that_differs_does_not_compile() {
    let Some(headers) = option_env!("SIGHTLINE_HEADERS") else {
        return println!("skipped: a library that was compiled elsewhere is linked");
    };
    let lines = include_str!("../src/lib.rs").lines().filter(|line| !line.trim().starts_with("//"));
    let rust = lines.collect::<Vec<_>>().join("\n");
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("declarations.c");
    let compiles = |rust: &str| {
        let c = ["#include \"sightline.h\"\n#include <stddef.h>\n", &declarations::of(rust)].concat();
        fs::write(&path, c).unwrap();
        let mut compiler = Command::new("cc");
        compiler.args(["-std=c17", "-fsyntax-only", "-I", headers]).arg(&path);
        compiler.output().expect("a compiler").status.success()
    };
    assert!(compiles(&rust));
    for (from, to) in FAULTS {
        assert!(rust.contains(from), "{from} is not there any more");
        assert!(!compiles(&rust.replacen(from, to, 1)), "{to} instead of {from} was not noticed");
    }
}
