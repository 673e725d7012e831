"""The version of the package, which is that of the library (lib/include/sightline/base.h); a test compares them."""

version = "0.2.0"
