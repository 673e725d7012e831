"""What the tasks of sightline_bvh.dask do, and how arrays become graphs of them."""

import functools
import math

import dask.array as da
import numpy as np

from . import _arrays, _dask_files
from ._errors import InvalidArgument
from ._records import HIT, HIT_D, RAY, RAY_D, Hits, Records
from ._tree import Tree

_ROWS = ("origins", "directions", "to", "p", "q", "points")  # the others are options, a number for each item


# ---- What tasks do ----


def _without_padding(array):
    """The same records, with zeros where no field is: equal answers have equal bytes."""
    dtype = array.dtype
    if dtype.names is None or sum(dtype[name].itemsize for name in dtype.names) == dtype.itemsize:
        return array
    clean = np.zeros(array.shape, dtype)
    for name in dtype.names:
        clean[name] = array[name]
    return clean


def _block(name, value):
    """The array of a chunk: lists stand for axes that are one chunk."""
    while isinstance(value, list):
        (value,) = value
    return Hits(value).ref if name == "skip" and value.dtype in (HIT, HIT_D) else value


def _answer(tree, query, names, blocks, options):
    given = {name: _block(name, block) for name, block in zip(names, blocks, strict=True)}
    found = getattr(tree, query)(**given, **options)
    return _without_padding(found.array if isinstance(found, Records) else np.asarray(found))


def _ask(*blocks, tree, query, names, options):
    return _answer(_dask_files.opened(tree.file), query, names, blocks, options)


def _bake(points, normals, *, tree, first, options, block_info):
    start = block_info[0]["array-location"][0][0]
    number = first + start * math.prod(points.shape[1:-1])
    return _dask_files.opened(tree.file).bake(points=points, normals=normals, first=number, **options)


def _viewshed(*, tree, vectors, doubles, options, block_info):
    """Rows of a picture, with the arithmetic of sl_sight_viewshed."""
    (low, high), (left, right) = block_info[None]["array-location"]
    tree = _dask_files.opened(tree.file)
    number = np.float64 if doubles else np.float32
    x, y = np.arange(left, right)[None, :, None], np.arange(low, high)[:, None, None]
    with np.errstate(all="ignore"):
        at = (vectors["origin"] + x * vectors["step_x"]) + y * vectors["step_y"]
        there = np.ones(at.shape[:2], bool)
        down = vectors["down"]
        if down.any():
            ground = {name: value for name, value in options.items() if not name.startswith("open_")}
            hits = tree.closest(at.astype(number), to=(at + down).astype(number), **ground)
            there = hits.hit
            at = (at + hits.t[..., None].astype(np.float64) * down) + vectors["rise"]
        to, eye = at.astype(number), vectors["eye"].astype(number)
    hidden = tree.fan(eye, to=to, **options) | ~np.isfinite(to).all(axis=-1) | ~np.isfinite(eye).all()
    return np.where(there, ~hidden, 2).astype(np.uint8)


# ---- From arrays to graphs ----


def _lazy(name, value):
    """A dask array of what differs from item to item."""
    if isinstance(value, da.Array):
        if any(math.isnan(n) for n in value.shape):
            raise InvalidArgument(f"{name} has chunks of unknown size: call its compute_chunk_sizes() first")
        return value
    return da.from_array(np.asarray(value), chunks=-1)


def _want_lazy(values):
    if not any(isinstance(value, da.Array) for value in values):
        raise InvalidArgument(
            "one of the arrays at least is a dask array, such as dask.array.from_array(rays, chunks=(1000000, -1))"
        )


def _is_one(name, value):
    """Whether it is a single number, point or direction, for all items."""
    if name not in _ROWS:
        return np.ndim(value) == 0
    return np.ndim(value) == 1 and np.asarray(value).dtype not in (RAY, RAY_D)


def _sorted_out(arrays):
    """What differs from item to item, as dask arrays, and what is the same for all."""
    _want_lazy(arrays.values())
    varying, same = {}, {}
    for name, value in arrays.items():
        if isinstance(value, Records):
            value = value.ref if name == "skip" and isinstance(value, Hits) else value.array
        if value is None:
            continue
        if not isinstance(value, da.Array) and _is_one(name, value):
            same[name] = value  # as an array of one chunk it would keep Dask from making a task of a chunk's steps
        else:
            varying[name] = _lazy(name, value)
    return varying, same


def _items(name, array):
    """How many axes count items; the others are of each item."""
    return array.ndim - int(name in _ROWS and array.dtype not in (RAY, RAY_D))


@functools.cache
def _one_triangle():
    return Tree([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])


def _dtype_of(query, varying, own, options):
    """The dtype of the answers, from asking about nothing, which also finds what is wrong with the arguments."""
    nothing = [np.empty((0, *array.shape[array.ndim - own[name] :]), array.dtype) for name, array in varying.items()]
    plain = {name: value for name, value in options.items() if name != "filter"}
    return _answer(_one_triangle(), query, tuple(varying), nothing, plain).dtype


def ask(tree, query, arrays, options):
    """A query about dask arrays: a dask array of their leading shape."""
    varying, same = _sorted_out(arrays)
    options = {**options, **same}
    for name, array in varying.items():
        if _items(name, array) < 0:
            raise InvalidArgument(f"{name} has the shape (); (..., 3) is wanted")
    lead = max(_items(name, array) for name, array in varying.items() if name != "skip")
    own = {name: array.ndim - _items(name, array) for name, array in varying.items()}
    if "skip" in varying:
        own["skip"] = int(varying["skip"].ndim == lead + 1)
    pairs, shapes = [], []
    for number, (name, array) in enumerate(varying.items()):
        items = array.ndim - own[name]
        shapes.append(array.shape[:items])
        # Axes are numbered from the last one that counts items: 0, -1, ...; those of an item have numbers of their own.
        pairs.append(array.rechunk({items: -1}) if own[name] else array)
        pairs.append((*range(lead - items, lead), *((lead + number,) if own[name] else ())))
    _arrays.lead_of(*shapes)
    dtype = _dtype_of(query, varying, own, options)
    return da.blockwise(
        _ask, tuple(range(lead)), *pairs, token=query, dtype=dtype, meta=np.empty((0,) * lead, dtype),
        concatenate=False, align_arrays=True, tree=tree, query=query, names=tuple(varying), options=options,
    )  # fmt: skip


def bake(tree, points, normals, first, options):
    """Numbers of points, whose rays depend on where they stand among all."""
    _want_lazy((points, normals))
    points, normals = _lazy("points", points), _lazy("normals", normals)
    if points.shape != normals.shape or points.ndim < 2 or points.shape[-1] != 3:
        raise InvalidArgument(
            f"points and normals have the shapes {points.shape} and {normals.shape}; twice (..., 3) is wanted"
        )
    nothing = np.empty((0, 3), np.float32)
    _one_triangle().bake(points=nothing, normals=nothing, **options)
    cut = points if points.numblocks[0] >= normals.numblocks[0] else normals
    cut = (cut.chunks[0], *((length,) for length in points.shape[1:]))
    return da.map_blocks(
        _bake, points.rechunk(cut), normals.rechunk(cut), tree=tree, first=first, options=options,
        drop_axis=points.ndim - 1, dtype=np.float32, meta=np.empty((0,) * (points.ndim - 1), np.float32), token="bake",
    )  # fmt: skip


def viewshed(tree, vectors, size, doubles, rows, options):
    """A picture of what is seen from a point, by rows."""
    vectors = {name: np.asarray(value, np.float64) for name, value in vectors.items()}
    for name, value in vectors.items():
        if value.shape != (3,):
            raise InvalidArgument(f"{name} has the shape {value.shape}; (3,) is wanted")
    width, height = (int(n) for n in size)
    rows = max(1, 250000 // max(1, width)) if rows is None else int(rows)
    if width < 0 or height < 0 or rows < 1:
        raise InvalidArgument(f"{rows} rows in a chunk of a grid of {width} x {height} cells")
    lengths = tuple(min(rows, height - y) for y in range(0, height, rows)) or (0,)
    return da.map_blocks(
        _viewshed, tree=tree, vectors=vectors, doubles=doubles, options=options, chunks=(lengths, (width,)),
        dtype=np.uint8, meta=np.empty((0, 0), np.uint8), token="viewshed",
    )  # fmt: skip
