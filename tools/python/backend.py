"""The build backend: scikit-build-core's, told where the sources of the library are.

In a clone they are two folders up.  An sdist has to have them in it: build_sdist() copies this folder and, as
sources/, what the build needs of the clone, with the headers of cglm and xxHash that the machine has, as there may be
none where it is built.
"""

import os
import shutil
import tempfile
from contextlib import contextmanager
from pathlib import Path

from scikit_build_core import build as _build
from scikit_build_core.build import get_requires_for_build_sdist, get_requires_for_build_wheel  # noqa: F401

_HERE = Path(__file__).resolve().parent
_PACKED = _HERE / "sources"
_NEEDED = [
    "CMakeLists.txt", "LICENSE", "lib", "bvh", "tools/bake", "tools/generate/query_random.h", "tools/python/CMakeLists.txt",
    "tools/python/core",
]  # fmt: skip
_HEADERS = {"cglm": "cglm/cglm.h", "xxhash.h": "xxhash.h"}
_FOLDERS = [Path("/usr/include"), Path("/usr/local/include")]


def _settings(given):
    """Where the sources are, and the headers that came with them."""
    settings = dict(given or {})
    packed = _PACKED.is_dir()
    settings.setdefault("cmake.source-dir", "sources" if packed else "../..")
    if packed and (_PACKED / "include").is_dir():
        include = (_PACKED / "include").as_posix()
        for name in ("CGLM_INCLUDE_DIR", "XXHASH_INCLUDE_DIR"):
            settings.setdefault(f"cmake.define.{name}", include)
    return settings


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    return _build.prepare_metadata_for_build_wheel(metadata_directory, _settings(config_settings))


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    return _build.build_wheel(wheel_directory, _settings(config_settings), metadata_directory)


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    return _build.build_editable(wheel_directory, _settings(config_settings), metadata_directory)


def get_requires_for_build_editable(config_settings=None):
    return _build.get_requires_for_build_editable(config_settings)


def _find_headers():
    for name, header in _HEADERS.items():
        for folder in [Path(p) for p in os.environ.get("CPATH", "").split(os.pathsep) if p] + _FOLDERS:
            if (folder / header).exists():
                yield name, folder / name
                break
        else:
            raise FileNotFoundError(f"{header}, which an sdist carries, is not in {', '.join(map(str, _FOLDERS))}")


def _copy(source, target):
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__", "*.pyc", "build", "dist"))
    else:
        shutil.copyfile(source, target)


@contextmanager
def _assembled():
    """A folder as an sdist unpacks to, as the working directory."""
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        root = _HERE.parent.parent
        for part in ("pyproject.toml", "README.md", "backend.py", "sightline_bvh"):
            _copy(_HERE / part, folder / part)
        for part in _NEEDED:
            _copy(root / part, folder / "sources" / part)
        for part, path in _find_headers():
            _copy(path, folder / "sources/include" / part)
            copyright_ = Path("/usr/share/doc", f"lib{part.split('.')[0]}-dev", "copyright")
            if copyright_.exists():
                _copy(copyright_, folder / "sources/include" / f"LICENSE.{part.split('.')[0]}")
        shutil.copyfile(root / "LICENSE", folder / "LICENSE")
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(before)


def build_sdist(sdist_directory, config_settings=None):
    target = os.path.abspath(sdist_directory)
    if _PACKED.is_dir():
        return _build.build_sdist(target, config_settings)
    with _assembled():
        return _build.build_sdist(target, config_settings)
