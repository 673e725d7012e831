//! Compiles the library as tools/amalgamate.py makes it: from vendor/, where a published crate has it, or else from the
//! tree around this crate, which takes Python 3.9 and CMake. With `SIGHTLINE_LIB_DIR` in the environment nothing is
//! compiled: the static library in that folder is linked, which must be of this version.

mod declarations;

use std::{env, fs, path::Path, path::PathBuf, process::Command};

/// The folder with sightline.c.
fn sources(root: &Path) -> PathBuf {
    let vendor = root.join("vendor");
    if vendor.join("sightline.c").exists() {
        println!("cargo:rerun-if-changed=vendor");
        return vendor;
    }
    let tree = root.join("../../..");
    for part in ["lib", "bvh", "CMakeLists.txt", "tools/amalgamate.py"] {
        println!("cargo:rerun-if-changed={}", tree.join(part).display());
    }
    let made = PathBuf::from(env::var_os("OUT_DIR").unwrap()).join("made");
    let script = tree.join("tools/amalgamate.py");
    let status = Command::new("python3").arg(&script).arg(&made).status();
    let made_it = status.is_ok_and(|status| status.success());
    assert!(made_it, "python3 {} failed, and there is no {}", script.display(), vendor.display());
    made
}

/// Fails unless src/lib.rs says what the header does.
fn check_declarations(root: &Path, folder: &Path) {
    let [major, minor, patch] = ["MAJOR", "MINOR", "PATCH"].map(|part| {
        let number = env::var(format!("CARGO_PKG_VERSION_{part}")).unwrap();
        format!("_Static_assert(SL_VERSION_{part} == {number}, \"the crate has another version\");\n")
    });
    let said = declarations::of(&fs::read_to_string(root.join("src/lib.rs")).unwrap());
    let path = PathBuf::from(env::var_os("OUT_DIR").unwrap()).join("declarations.c");
    let includes = "#include \"sightline.h\"\n#include <stddef.h>\n";
    fs::write(&path, [includes, &major, &minor, &patch, &said].concat()).unwrap();
    cc::Build::new()
        .include(folder)
        .std("c17")
        .warnings(false)
        .cargo_metadata(false)
        .file(path)
        .compile("declarations");
}

fn main() {
    for ours in ["build.rs", "declarations.rs", "src/lib.rs"] {
        println!("cargo:rerun-if-changed={ours}");
    }
    println!("cargo:rerun-if-env-changed=SIGHTLINE_LIB_DIR");
    if env::var("CARGO_CFG_UNIX").is_ok() {
        println!("cargo:rustc-link-lib=m");
    }
    if let Some(folder) = env::var_os("SIGHTLINE_LIB_DIR") {
        println!("cargo:rustc-link-search=native={}", Path::new(&folder).display());
        println!("cargo:rustc-link-lib=static=sightline");
        return;
    }
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap());
    let folder = sources(&root);
    check_declarations(&root, &folder);
    let mut build = cc::Build::new();
    // Queries are what takes the time of a program that is not optimised itself, too.
    build.opt_level(if env::var("OPT_LEVEL").unwrap() == "0" { 2 } else { 3 });
    build.include(&folder).std("c17");
    for entry in fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "c") {
            build.file(path);
        }
    }
    build.compile("sightline");
    println!("cargo:include={}", folder.display());
    println!("cargo:rustc-env=SIGHTLINE_HEADERS={}", folder.display()); // for tests/declarations.rs
}
