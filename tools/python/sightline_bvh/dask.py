"""The queries of a tree, asked by a Dask cluster: dask arrays in, dask arrays out, chunk by chunk.

>>> import dask.array, numpy as np, sightline_bvh as sightline, sightline_bvh.dask
>>> from distributed import Client
>>> client = Client(n_workers=1, threads_per_worker=1, dashboard_address=None)
>>> tree = sightline.dask.Tree.ship(sightline.Tree(sightline.sphere(16)))
>>> origins = dask.array.zeros((1000, 3), chunks=(250, -1), dtype=np.float32)
>>> hits = tree.closest(origins, np.float32([0, 0, 1]))
>>> hits
dask.array<closest, shape=(1000,), dtype=[('t', '<f4'), ('u', '<f4'), ('v', '<f4'), ('prim', '<u4'), ('instance', '<u4'), ('flags', '<u4')], chunksize=(250,), chunktype=numpy.ndarray>
>>> hits["t"].max().compute()
np.float32(1.0)
>>> client.close()

The tree is a file that each machine maps once: by a path that all of them see (Tree), or sent to each of them
once and kept by the hash of its bytes (Tree.ship).  Answers are lazy, keep the leading shape of what is asked,
and do not depend on chunks, workers or machines.  A worker that is lost costs the chunks that it was at.
store() writes answers to .npy or Zarr, and goes on where a run was stopped.

sightline, in the same version, is installed on the client, the scheduler and the workers.
"""

import collections
import os

import numpy as np

try:
    import dask
    import dask.array as da
    import distributed
except ImportError as _missing:
    raise ImportError(
        "sightline_bvh.dask wants Dask with its arrays and its scheduler: pip install 'dask[array,distributed]' "
        f"({_missing})"
    ) from None

from . import _arrays, _dask_ask, _dask_files
from . import _tree as _trees
from ._dask_store import Stored, store
from ._errors import InvalidArgument

__all__ = ["Stored", "Tree", "fields", "open_npy", "store"]

_INF = float("inf")


class Tree:
    """A tree that the machines of a cluster have.

    path     of a tree file (sightline.Tree.save, or the command `sightline build`) that the client and all
             workers see by this name, on a file system that they share or copied to each
    trusted  the client does not prove the tree; that workers have the same bytes is checked all the same

    Each worker process compares the SHA-256 of the file with the client's when it first opens it, and maps it.
    The queries are those of sightline.Tree.  At least one of the arrays is a dask array; NumPy arrays, which
    travel with the tasks, should be small.  The last axis of three numbers, or six or eight of rays in one array,
    becomes one chunk.

    Options are those of sightline.Tree, except out, hints, progress, and functions as filters; tmin, tmax, mask
    and skip may be dask arrays.  threads is that of a chunk: 1 unless given, as a worker works on as many chunks
    at once as it has threads.

    Raises NotFound, BadData.
    """

    __slots__ = ("file",)

    def __init__(self, path, *, trusted=False):
        path = os.path.abspath(os.fsdecode(path))
        sha256, size = _dask_files.hash_of(path)
        count = len(_trees.Tree.map(path, trusted=trusted))
        self.file = _dask_files.TreeFile(sha256, size, count, path, None)

    @classmethod
    def ship(cls, tree, *, client=None, folder=None):
        """A tree that is sent to the scheduler, from where each machine fetches it once, when it is first asked.

        tree    a sightline.Tree, or the path of a tree file, which only the client has to see
        client  None: the one that is in use
        folder  where machines keep it, by its hash, for all workers there and for the next time; None: the
                environment's SIGHTLINE_CACHE on each machine, or else ~/.cache/sightline

        Workers that come later, and those that were restarted, fetch it as well, as long as the scheduler lives.
        """
        client = client or distributed.get_client()
        folder = None if folder is None else os.path.abspath(os.fsdecode(folder))
        self = cls.__new__(cls)
        if isinstance(tree, _trees.Tree):
            path = _dask_files.cache_folder() / f"client.{os.getpid()}.{id(self)}.upload"
            tree.save(path)
        else:
            path = os.path.abspath(os.fsdecode(tree))
            tree = _trees.Tree.map(path)
        try:
            sha256, size = _dask_files.hash_of(path)
            self.file = _dask_files.TreeFile(sha256, size, len(tree), None, folder)
            _dask_files.upload(client, self.file, path)
        finally:
            if os.fspath(path).endswith(".upload"):
                os.unlink(path)
        return self

    def forget(self, *, client=None):
        """Removes a tree that was shipped from all machines of the cluster."""
        if self.file.path is not None:
            raise InvalidArgument("a tree that was given by its path is not removed")
        client = client or distributed.get_client()
        client.run(_dask_files.forget, self.file)
        client.run_on_scheduler(_dask_files.forget, self.file)

    def __repr__(self):
        where = self.file.path or f"shipped, {self.file.sha256[:16]}..."
        return f"<sightline_bvh.dask.Tree of {self.file.triangles} triangles, {where}>"

    def __len__(self):
        return self.file.triangles

    def __dask_tokenize__(self):
        return "sightline_bvh.dask.Tree", self.file.sha256

    def __reduce__(self):
        return _restore, (self.file,)

    # ---- Queries ----

    def _query(self, query, arrays, options, threads):
        return _dask_ask.ask(self, query, arrays, {**options, "threads": threads or 1})

    def _path(self, query, given):
        names = ["origins", "directions", "to", "mask", "skip"]
        if given["to"] is None or _arrays.limits_are_given(given["tmin"], given["tmax"]):
            names += ["tmin", "tmax"]
        options = self._options(*(given[name] for name in ("cull", "open_start", "open_end", "filter", "crossings")))
        return self._query(query, {name: given[name] for name in names}, options, given["threads"])

    def closest(
        self, origins, directions=None, *, to=None, tmin=0.0, tmax=_INF, mask=None, skip=None, cull=None,
        open_start=False, open_end=False, crossings=False, filter=None, threads=None,
    ):  # fmt: skip
        """The closest hit of each ray or segment: (...) of dtype HIT or HIT_D.  See fields()."""
        return self._path("closest", locals())

    def any(
        self, origins, directions=None, *, to=None, tmin=0.0, tmax=_INF, mask=None, skip=None, cull=None,
        open_start=False, open_end=False, crossings=False, filter=None, threads=None,
    ):  # fmt: skip
        """Whether there is a hit at all: (...) bool."""
        return self._path("any", locals())

    def count(
        self, origins, directions=None, *, to=None, tmin=0.0, tmax=_INF, mask=None, skip=None, cull=None,
        open_start=False, open_end=False, crossings=False, filter=None, threads=None,
    ):  # fmt: skip
        """How many triangles are hit: (...) int64."""
        return self._path("count", locals())

    def blocked(
        self, p, q, *, mask=None, skip=None, cull=None, open_start=False, open_end=False, filter=None, threads=None
    ):
        """Whether anything lies between p (..., 3) and q (..., 3): (...) bool."""
        arrays = {"p": p, "q": q, "mask": mask, "skip": skip}
        return self._query("blocked", arrays, self._options(cull, open_start, open_end, filter), threads)

    def nearest(self, points, *, max_distance=_INF, mask=None, skip=None, threads=None):
        """The nearest triangle of each point (..., 3): (...) of dtype NEAREST or NEAREST_D.  See fields()."""
        arrays = {"points": points, "mask": mask, "skip": skip}
        return self._query("nearest", arrays, {"max_distance": _arrays.number(max_distance, "max_distance", 0)}, threads)

    def inside(self, points, *, details=False, by=None, mask=None, skip=None, threads=None):
        """Whether points (..., 3) are inside: (...) bool; details: of dtype INSIDE."""
        options = {"details": bool(details), "by": by, "mask": mask, "skip": skip}
        return self._query("inside", {"points": points}, options, threads)

    def bake(
        self, what, points, normals, *, rays=256, distance=None, lift=None, spread=None, least=False, first=0,
        mask=None, threads=None,
    ):  # fmt: skip
        """A number for each point (..., 3) with a normal (..., 3): (...) float32.

        The rays of a point depend on its number, so that chunks are cut along the first axis only: the others
        become one chunk.
        """
        options = {
            "what": what, "rays": rays, "distance": distance, "lift": lift, "spread": spread, "least": least, "mask": mask,
            "threads": threads or 1,
        }  # fmt: skip
        return _dask_ask.bake(self, points, normals, int(first), options)

    def viewshed(
        self, eye, origin, step_x, step_y, size, *, down=(0, 0, 0), rise=(0, 0, 0), doubles=False, rows=None, mask=None,
        cull=None, open_start=False, open_end=False, filter=None, threads=None,
    ):  # fmt: skip
        """What is seen of a grid of cells from a point: (height, width) uint8, 1 seen, 0 not, 2 no ground.

        size     (width, height); the cell in column x and row y is at (origin + x step_x) + y step_y
        down     from a cell to where the ground is looked for; zero: the cells themselves are looked at
        rise     from the ground to what is looked at, such as (0, 0, 1.7)
        doubles  coordinates stay doubles, instead of becoming floats
        rows     of a chunk; None: some 250,000 cells

        The bytes are those of sl_sight_viewshed and of `sightline los --viewshed`.
        """
        options = self._options(cull, open_start, open_end, filter)
        options.update(mask=mask, threads=threads or 1)
        vectors = {"eye": eye, "origin": origin, "step_x": step_x, "step_y": step_y, "down": down, "rise": rise}
        return _dask_ask.viewshed(self, vectors, size, bool(doubles), rows, options)

    def _options(self, cull, open_start, open_end, filter, crossings=None):
        options = {"cull": cull, "open_start": bool(open_start), "open_end": bool(open_end)}
        if crossings is not None:
            options["crossings"] = bool(crossings)
        if callable(filter):
            raise InvalidArgument("a function as a filter does not travel: give a boolean for each triangle")
        if filter is not None:
            options["filter"] = dask.delayed(_arrays.booleans(filter, len(self)), pure=True)
        return options


def _restore(file):
    tree = Tree.__new__(Tree)
    tree.file = file
    return tree


def fields(answers):
    """The fields of records as a named tuple of dask arrays: fields(hits).t is hits["t"].

    Computed together (dask.compute, dask.persist), they cost one pass.
    """
    if not isinstance(answers, da.Array) or answers.dtype.names is None:
        raise InvalidArgument("fields() takes a dask array of records, such as closest() and nearest() make")
    names = answers.dtype.names
    return collections.namedtuple("Fields", names)(*(answers[name] for name in names))


def _read(path, block_info):
    place = block_info[None]["array-location"]
    return np.asarray(np.load(path, mmap_mode="r")[tuple(slice(*bounds) for bounds in place)])


def open_npy(path, chunks="auto"):
    """The array of a .npy file that all workers see by this name: each task maps what it reads.

    chunks   as Dask takes them; the last axis of arrays with two or more stays whole unless they say otherwise
    """
    path = os.path.abspath(os.fsdecode(path))
    array = np.load(path, mmap_mode="r")
    if chunks == "auto" and array.ndim > 1:
        chunks = ("auto",) * (array.ndim - 1) + (-1,)
    chunks = da.core.normalize_chunks(chunks, array.shape, dtype=array.dtype)
    stat = os.stat(path)
    token = dask.base.tokenize("sightline_bvh.dask.open_npy", path, stat.st_size, stat.st_mtime_ns, chunks)
    return da.map_blocks(
        _read, path, chunks=chunks, dtype=array.dtype, meta=np.empty((0,) * array.ndim, array.dtype),
        name=f"npy-{token}",
    )  # fmt: skip
