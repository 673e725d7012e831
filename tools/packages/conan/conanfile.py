"""sightline for Conan 2: the libraries, and by options glTF and pictures (io) and the command (tools)."""
from pathlib import Path

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.build import cross_building
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, get, rmdir

required_conan_version = ">=2.4"


class Sightline(ConanFile):
    name = "sightline"
    version = "@VERSION@"
    description = "@DESCRIPTION@"
    license = "MIT"
    url = homepage = "@HOMEPAGE@"
    topics = ("geometry", "ray-tracing", "bvh", "collision", "mesh")
    package_type = "library"
    languages = "C"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], "fPIC": [True, False], "io": [True, False], "tools": [True, False]}
    default_options = {"shared": False, "fPIC": True, "io": True, "tools": False}
    implements = ["auto_shared_fpic"]

    def validate(self):
        if self.settings.compiler == "msvc":
            raise ConanInvalidConfiguration("sightline needs gcc, clang or clang-cl; see docs/platforms.md")
        if self.options.tools and not self.options.io:
            raise ConanInvalidConfiguration("the command (tools) writes PNG, and needs io")

    def layout(self):
        cmake_layout(self, src_folder="src")

    def requirements(self):
        self.requires("cglm/[>=0.8.8 <1]", visible=False)
        self.requires("xxhash/[>=0.8.1 <0.9]", visible=False)
        if self.options.io:
            self.requires("libpng/[>=1.6 <2]")
            self.requires("zlib/[>=1.2.13 <2]")
            self.requires("jansson/[>=2.14 <3]")
            self.requires("meshoptimizer/[>=0.18 <2]")
        if self.options.tools:
            self.requires("libzip/[>=1.7 <2]", visible=False)

    def source(self):
        get(self, "@URL@", sha256="@SHA256@", strip_root=True)

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables |= {
            "SIGHTLINE_IO": bool(self.options.io),
            "SIGHTLINE_TOOLS": bool(self.options.tools),
            "SIGHTLINE_TESTS": False,
            "SIGHTLINE_EMBREE": False,
        }
        toolchain.generate()
        CMakeDeps(self).generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()
        # The command compares its answers of every kind with those of all triangles in turn.
        if self.options.tools and not cross_building(self):
            mesh = Path(self.source_folder, "test", "data", "cube.obj")
            self.run(f'"{Path(self.build_folder, "tools", "sightline")}" cast "{mesh}" --verify --generate all --pairs 1e6')

    def package(self):
        copy(self, "LICENSE", self.source_folder, str(Path(self.package_folder, "licenses")))
        CMake(self).install()
        for folder in ("lib/cmake", "lib/pkgconfig", "share"):  # of which Conan makes its own
            rmdir(self, str(Path(self.package_folder, folder)))

    def _of(self, **libraries):
        """Components of those that are Conan's packages, and the libraries of those that are the platform's."""
        packages = {dependency.ref.name for dependency in self.dependencies.host.values()}
        return ([f"{name}::{name}" for name in libraries if name in packages],
                [library for name, library in libraries.items() if name not in packages and library])

    def package_info(self):
        self.cpp_info.set_property("cmake_file_name", "sightline")
        core = self.cpp_info.components["core"]
        core.set_property("cmake_target_name", "sightline::sightline")
        core.set_property("pkg_config_name", "sightline")
        core.libs = ["sightline"]
        tools = {"libzip": None} if self.options.tools else {}
        core.requires, _ = self._of(cglm=None, xxhash=None, **tools)
        if not self.options.shared:
            core.defines = ["SL_STATIC"]
        if self.settings.os in ("Linux", "FreeBSD"):
            core.system_libs = ["m", "pthread"]
        if self.options.io:
            io = self.cpp_info.components["io"]
            io.set_property("cmake_target_name", "sightline::io")
            io.set_property("pkg_config_name", "sightline-io")
            io.libs = ["sightline_io"]
            requires, io.system_libs = self._of(libpng="png", zlib="z", jansson="jansson", meshoptimizer="meshoptimizer")
            io.requires = ["core", *requires]
