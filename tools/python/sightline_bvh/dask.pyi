"""Type stubs of sightline_bvh.dask: the queries of a tree, asked by a Dask cluster.

Shapes and dtypes are those of sightline (its stubs say which); answers are lazy dask arrays of the leading shape, in
the array's dtype: HIT or HIT_D, NEAREST or NEAREST_D, INSIDE, bool, int64, float32, uint8.  At least one of the
arrays of a query is a dask array.  fields() takes records apart.
"""

from os import PathLike
from typing import Any, Literal, NamedTuple, TypeAlias, final

import dask.array as da
from distributed import Client
from numpy.typing import ArrayLike

from sightline_bvh import Records
from sightline_bvh import _By as By
from sightline_bvh import _Cull as Cull
from sightline_bvh import _Progress as Progress

_Path: TypeAlias = str | bytes | PathLike[str] | PathLike[bytes]
_Array: TypeAlias = da.Array | ArrayLike | Records

class Stored(NamedTuple):
    """What store() has done."""

    path: str
    chunks: int
    computed: int  # of them by this call; the others were there

@final
class Tree:
    """A tree that the machines of a cluster have: a file that each process maps."""

    # path: of a tree file that the client and all workers see by this name.  NotFound, BadData.
    def __init__(self, path: _Path, *, trusted: bool = False) -> None: ...
    # Sent to the scheduler; each machine fetches it once and keeps it by its hash.
    @classmethod
    def ship(cls, tree: Any, *, client: Client | None = None, folder: _Path | None = None) -> Tree: ...
    # Removes what ship() has left on all machines.
    def forget(self, *, client: Client | None = None) -> None: ...
    file: Any  # what tasks know of it: TreeFile
    def __len__(self) -> int: ...  # triangles
    def __reduce__(self) -> Any: ...
    def __dask_tokenize__(self) -> Any: ...
    def closest(self, origins: _Array, directions: _Array | None = None, *, to: _Array | None = None,
                tmin: _Array = 0.0, tmax: _Array = ..., mask: _Array | None = None, skip: _Array | None = None,
                cull: Cull = None, open_start: bool = False, open_end: bool = False, crossings: bool = False,
                filter: ArrayLike | None = None, threads: int | None = None) -> da.Array: ...  # (...) HIT, HIT_D
    def any(self, origins: _Array, directions: _Array | None = None, *, to: _Array | None = None,
            tmin: _Array = 0.0, tmax: _Array = ..., mask: _Array | None = None, skip: _Array | None = None,
            cull: Cull = None, open_start: bool = False, open_end: bool = False, crossings: bool = False,
            filter: ArrayLike | None = None, threads: int | None = None) -> da.Array: ...  # (...) bool
    def count(self, origins: _Array, directions: _Array | None = None, *, to: _Array | None = None,
              tmin: _Array = 0.0, tmax: _Array = ..., mask: _Array | None = None, skip: _Array | None = None,
              cull: Cull = None, open_start: bool = False, open_end: bool = False, crossings: bool = False,
              filter: ArrayLike | None = None, threads: int | None = None) -> da.Array: ...  # (...) int64
    def blocked(self, p: _Array, q: _Array, *, mask: _Array | None = None, skip: _Array | None = None,
                cull: Cull = None, open_start: bool = False, open_end: bool = False,
                filter: ArrayLike | None = None, threads: int | None = None) -> da.Array: ...  # (...) bool
    def nearest(self, points: _Array, *, max_distance: float = ..., mask: _Array | None = None,
                skip: _Array | None = None, threads: int | None = None) -> da.Array: ...  # (...) NEAREST, NEAREST_D
    # (...) bool; details: INSIDE.  mask and skip are the same for all.
    def inside(self, points: _Array, *, details: bool = False, by: By = None, mask: int | None = None,
               skip: ArrayLike | None = None, threads: int | None = None) -> da.Array: ...
    # (...) float32.  Chunks are cut along the first axis; first: the number of the first point.
    def bake(self, what: Literal["ao", "thickness"], points: _Array, normals: _Array, *, rays: int = 256,
             distance: float | None = None, lift: float | None = None, spread: float | None = None,
             least: bool = False, first: int = 0, mask: int | None = None, threads: int | None = None) -> da.Array: ...
    # (height, width) uint8: 1 seen, 0 not, 2 no ground.  The cell in column x and row y is at
    # (origin + x step_x) + y step_y.
    def viewshed(self, eye: ArrayLike, origin: ArrayLike, step_x: ArrayLike, step_y: ArrayLike,
                 size: tuple[int, int], *, down: ArrayLike = (0, 0, 0), rise: ArrayLike = (0, 0, 0),
                 doubles: bool = False, rows: int | None = None, mask: int | None = None, cull: Cull = None,
                 open_start: bool = False, open_end: bool = False, filter: ArrayLike | None = None,
                 threads: int | None = None) -> da.Array: ...

# A named tuple of dask arrays, one for each field of records.
def fields(answers: da.Array) -> Any: ...

# The array of a .npy file that all workers see by this name.
def open_npy(path: _Path, chunks: Any = "auto") -> da.Array: ...

# Chunk by chunk to PATH.npy or PATH.zarr; goes on where a run was stopped.
def store(array: da.Array, path: _Path, *, client: Client | None = None, shared: bool = True,
          identity: str | None = None, overwrite: bool = False, ahead: int | None = None, retries: int = 2,
          progress: Progress = None) -> Stored: ...

__all__ = ["Stored", "Tree", "fields", "open_npy", "store"]
