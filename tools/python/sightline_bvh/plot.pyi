"""Meshes, hits, misses and distances as colours, drawn by matplotlib or pyvista: type stubs."""

from typing import Any, Final, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import Hits, Scene, Tree

__all__ = ["distances", "mesh", "rays"]

_Backend: TypeAlias = Literal["matplotlib", "pyvista"]
BACKENDS: Final[tuple[str, ...]]

# Each returns what it drew on: 3D axes of matplotlib, or a Plotter of pyvista.  ImportError says what to install.
# values: (V,) or (T,).
def mesh(what: Any, values: ArrayLike | None = None, *, low: float | None = None,
         high: float | None = None, alpha: float = 1.0, on: Any = None, backend: _Backend = "matplotlib") -> Any: ...
# origins, directions: (..., 3).
def rays(what: Tree | Scene, origins: ArrayLike, directions: ArrayLike, *, hits: Hits | NDArray[np.void] | None = None,
         length: float | None = None, on: Any = None, backend: _Backend = "matplotlib") -> Any: ...
# points: (..., 3); values: (...).
def distances(points: ArrayLike, values: ArrayLike, *, low: float | None = None, high: float | None = None,
              size: float = 10, on: Any = None, backend: _Backend = "matplotlib") -> Any: ...
