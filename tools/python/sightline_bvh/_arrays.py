"""What callers hand over, as arrays that sightline_bvh._core reads: shapes, dtypes and options."""

import os

import numpy as np

from ._errors import BadIndex, InvalidArgument
from ._records import HIT, HIT_D, NONE, RAY, RAY_D, REF, Records

F4 = np.dtype(np.float32)
F8 = np.dtype(np.float64)
U4 = np.dtype(np.uint32)
MOST = (1 << 63) - 1

# Kinds of items, as in core/job.h.
RAYS, SEGMENTS, POINTS, VOLUMES, SWEEPS, NUMBERS = range(6)

_CULLS = {None: 0, "back": 1, "front": 2}
_OPEN_START, _OPEN_END, _CROSSINGS = 1, 2, 4
_NO_SKIP = (0, NONE, 0, NONE)

# sl_item_options; arrays are addresses and lengths.
_ITEM = np.dtype(
    {
        "names": ["mask", "skip", "skip_count", "ignore", "ignore_count"],
        "formats": [U4, *(np.uintp,) * 4],
        "offsets": [0, 8, 16, 24, 32],
        "itemsize": 40,
    }
)


def given(values, name):
    """What a caller hands over, as a numpy array: the one way in for all of them.

    Tensors are read by their detach(), cpu() and numpy(), whatever only has __dlpack__ by that, all else by numpy.
    """
    if type(values) is np.ndarray:
        return values
    if np.ma.is_masked(values):
        raise InvalidArgument(f"{name} has masked numbers: write numpy.ma.filled({name}, numpy.nan)")
    if isinstance(values, Records):
        return values.array
    try:
        for method in ("detach", "cpu", "numpy"):
            if hasattr(values, method):
                values = getattr(values, method)()
        if hasattr(values, "__dlpack__") and not hasattr(values, "__array__"):
            return np.from_dlpack(values)
        return np.asarray(values)
    except Exception as fault:
        raise _unreadable(values, name, fault) from None


def path_of(path):
    """The bytes of a path, as the library takes it: on Windows in the code page of the process."""
    try:
        name = os.fsdecode(path).encode("mbcs") if os.name == "nt" else os.fsencode(path)
    except UnicodeEncodeError:
        raise InvalidArgument(
            f"the code page of this process has not all of {path!r}: open the file yourself, and pass its bytes"
        ) from None
    if b"\0" in name:
        raise InvalidArgument(f"a path has no NUL byte, as {path!r} has")
    return name


def _odd_one(values, name):
    """Says which row of lists is of another length than the first one, or what in them is no number; None: none is."""
    if not isinstance(values, (list, tuple)):
        return None if hasattr(values, "__float__") else f"{name} is {type(values).__name__}, which is no number"
    lengths = [len(row) if hasattr(row, "__len__") else 1 for row in values]
    for i, (row, length) in enumerate(zip(values, lengths, strict=True)):
        if length != lengths[0]:
            return f"{name}[{i}] has the length {length} and {name}[0] {lengths[0]}; all rows are equally long"
        inner = _odd_one(row, f"{name}[{i}]")
        if inner is not None:
            return inner
    return None


def _unreadable(values, name, fault):
    """InvalidArgument that says what is no number, and what to write instead."""
    if isinstance(values, (list, tuple)):
        ragged = any(hasattr(row, "__len__") and len(row) != len(values[0]) for row in values)
        way = f": write {TO_TRIANGLES}" if name == "faces" and ragged else ""
        return InvalidArgument((_odd_one(values, name) or f"{name}: {fault}") + way)
    ways = [way for way in _WAYS if hasattr(values, way.split(".")[0].split("(")[0])]
    if isinstance(values, np.ndarray) or (not ways and (hasattr(values, "__array__") or hasattr(values, "__dlpack__"))):
        return InvalidArgument(f"{name}: {fault}")
    write = f"write {name}=what.{ways[0]}" if ways else "write numpy.array(...) of its numbers"
    return InvalidArgument(f"{name} is an array of numbers, not {type(values).__name__}: {write}")


# Where what is no array has its numbers: tables; meshes and clouds of trimesh and pyvista, and of Open3D.
_WAYS = ("to_numpy()", "vertices", "points", "vertex.positions", "point.positions")

TO_TRIANGLES = "[(p[0], p[i - 1], p[i]) for p in faces for i in range(2, len(p))]"


def misfit(array, name, wanted, width=0, write=None):
    """InvalidArgument for a shape, which says what to write where rows of `width` numbers were meant."""
    shape = array.shape
    if write is not None or not width or not array.size or array.ndim == 0:
        pass
    elif shape[-1] == width or (array.ndim == 1 and shape[0] % width == 0):
        write = f"numpy.reshape({name}, (-1, {width}))"
    elif array.ndim > 1 and shape[-2] == width:
        write = f"numpy.swapaxes({name}, -1, -2)"
    elif width == 3 and shape[-1] == 2:
        write = f"numpy.insert({name}, 2, 0, axis=-1)"
    else:
        write = f"numpy.asarray({name})[..., :{width}]" if shape[-1] == width + 1 else None
    return InvalidArgument(f"{name} has the shape {shape}; {wanted} is wanted" + (f": write {write}" if write else ""))


def shaped(values, name, *shape):
    """float64 of that shape."""
    array = floats(values, name).astype(F8)
    if array.shape != shape:
        raise misfit(array, name, shape)
    return array


def floats(values, name):
    """An array of float32 or float64 in native byte order; what is neither becomes float64, float16 float32."""
    array = given(values, name)
    if array.dtype == F4 or array.dtype == F8:
        return array
    kind = array.dtype.kind
    if kind == "f" and array.dtype.itemsize <= 4:
        return array.astype(F4)
    if kind not in "fiubO":
        raise InvalidArgument(f"{name} is an array of numbers, not of {array.dtype}")
    for value in array.flat if kind == "O" else ():  # None would become NaN, and "1" a number
        if value is None or isinstance(value, (str, bytes)):
            raise _unreadable(values, name, f"{value!r} is no number")
    try:
        return array.astype(F8)
    except (TypeError, ValueError, OverflowError) as fault:
        raise _unreadable(values, name, fault) from None


def rows(values, name, width=3):
    """floats() with `width` numbers in the last axis; [] has no rows."""
    array = floats(values, name)
    if array.shape == (0,):
        return array.reshape(0, width)
    if array.ndim == 0 or array.shape[-1] != width:
        raise misfit(array, name, f"(..., {width})", width)
    return array


def affine(values, name, index=None):
    """(3, 4) float64: of an affine map (4, 4) or (3, 4)."""
    matrix = floats(values, name).astype(F8, copy=False)
    if matrix.shape == (4, 4):
        if tuple(matrix[3]) != (0, 0, 0, 1):
            raise InvalidArgument(f"{name} has a last row that is not 0 0 0 1", index=index)
        matrix = matrix[:3]
    if matrix.shape != (3, 4):
        raise InvalidArgument(f"{name} has the shape {matrix.shape}; (4, 4) or (3, 4) is wanted", index=index)
    return matrix


def common(*arrays):
    """The same arrays in one dtype: float64 if any is."""
    if all(array.dtype == F4 for array in arrays):
        return arrays
    return tuple(array.astype(F8, copy=False) for array in arrays)


def lead_of(*shapes):
    """The leading shape that all broadcast to."""
    first = shapes[0]
    if all(shape == first for shape in shapes):
        return first
    try:
        return np.broadcast_shapes(*shapes)
    except ValueError:
        raise InvalidArgument(f"the leading shapes {', '.join(map(str, shapes))} do not go together") from None


def count_of(lead):
    """How many items a leading shape has."""
    count = 1
    for length in lead:
        count *= length
    return count


def flat(array, lead, count, width):
    """(count, width), a view wherever that is possible."""
    if array.ndim == 2 and array.shape[0] == count and len(lead) == 1:
        return array
    shape = (*lead, width)
    if array.shape != shape:
        array = np.broadcast_to(array, shape)
    return array.reshape(count, width)


def flat_numbers(values, lead, count, dtype, name):
    """(count,) of dtype from what broadcasts to the leading shape."""
    array = given(values, name).astype(dtype, copy=False)
    try:
        return np.broadcast_to(array, lead).reshape(count)
    except ValueError:
        raise InvalidArgument(f"{name} has the shape {array.shape}, which does not go with {lead}") from None


def not_whole(values, array, name):
    """InvalidArgument for values that are no whole numbers, as an array."""
    if array.dtype.kind == "O":
        return _unreadable(values, name, "whole numbers are wanted")
    way = f": write numpy.asarray({name}).astype(numpy.int64)" if array.dtype.kind == "f" else ""
    return InvalidArgument(f"{name} is an array of whole numbers, not of {array.dtype}{way}")


def whole(values, name, least=0):
    """An array of uint32; least -1: that is NONE."""
    array = given(values, name)
    if array.dtype == U4:
        return array
    if array.dtype.kind not in "iub" and array.size:
        raise not_whole(values, array, name)
    low, high = (int(array.min()), int(array.max())) if array.size else (0, 0)
    if low < least or high > NONE:
        raise InvalidArgument(f"{name} is of numbers of 32 bits from {least}, not {low if low < least else high}")
    return array.astype(np.int64).astype(U4) if array.dtype.kind != "u" else array.astype(U4)


def number(value, name, least=None, most=np.inf):
    """A number that is the same for all items, as a float; least: it is from there to most."""
    try:
        found = float("none" if isinstance(value, (str, bytes)) else value)
    except (TypeError, ValueError, OverflowError):
        raise InvalidArgument(f"{name} is one number, not {value!r}") from None
    if least is not None and not least <= found <= most:
        raise InvalidArgument(f"{name} is a number from {least:g} to {most:g}, not {value!r}")
    return found


def integer(value, name, least=0, most=MOST):
    """A whole number within limits, which is the same for all items."""
    try:
        found = int(value)
        good = found == value and least <= found <= most
    except (TypeError, ValueError, OverflowError):
        good = False
    if not good:
        raise InvalidArgument(f"{name} is a whole number from {least}{f' to {most}' if most < MOST else ''}, not {value!r}")
    return found


def _limit(value, name):
    """A limit that is the same for all as a number, any other as an array."""
    if isinstance(value, (float, int)):
        return number(value, name)
    if value is None:
        raise InvalidArgument(f"{name} is a number or an array of numbers, not None")
    array = floats(value, name)
    return float(array) if array.ndim == 0 else array


class Items:
    """What a query is about, as sightline_bvh._core takes it."""

    __slots__ = ("kind", "doubles", "lead", "count", "arrays", "kept")

    def __init__(self, kind, doubles, lead, arrays, kept=None):
        self.kind = kind
        self.doubles = doubles
        self.lead = lead
        self.count = count_of(lead)
        self.arrays = arrays
        self.kept = kept  # what the arrays point to


def _packed(origins):
    """Rays in one array."""
    array = given(origins, "rays")
    if array.dtype == RAY or array.dtype == RAY_D:
        number = F4 if array.dtype == RAY else F8
        if not array.flags.c_contiguous:
            array = np.ascontiguousarray(array)
        array = array.view(number).reshape(*array.shape, 8)
    array = floats(array, "rays")
    width = array.shape[-1] if array.ndim else 0
    if array.shape == (0,):
        array, width = array.reshape(0, 6), 6
    if width == 6:
        return array[..., :3], array[..., 3:]
    if width != 8:
        raise InvalidArgument(
            f"rays without directions have the shape (..., 6) or (..., 8), not {array.shape}; "
            "or give directions, or to="
        )
    return array, None


def limits_are_given(tmin, tmax):
    """Whether limits are others than those of a whole ray."""
    return not (isinstance(tmin, float) and tmin == 0 and isinstance(tmax, float) and tmax == np.inf)


def paths(origins, directions, to, tmin, tmax):
    """Rays or segments."""
    if to is not None:
        if directions is not None:
            raise InvalidArgument("directions are for rays and to= is for segments: give one of them")
        if limits_are_given(tmin, tmax):
            raise InvalidArgument("a segment has no tmin and tmax")
        return segments(origins, to)
    if directions is None:
        first, second = _packed(origins)
        if second is None:
            if limits_are_given(tmin, tmax):
                raise InvalidArgument(
                    "these rays bring their own limits, so tmin and tmax cannot be given: write them into the rays, "
                    'or give rays["origin"] and rays["dir"]'
                )
            lead = first.shape[:-1]
            count = count_of(lead)
            return Items(RAYS, int(first.dtype == F8), lead, (flat(first, lead, count, 8), None, 0.0, 0.0))
    else:
        first, second = rows(origins, "origins"), rows(directions, "directions")
    if first.dtype != second.dtype:
        first, second = common(first, second)
    low, high = _limit(tmin, "tmin"), _limit(tmax, "tmax")
    shapes = [first.shape[:-1], second.shape[:-1]]
    for limit in (low, high):
        if type(limit) is not float:
            shapes.append(limit.shape)
            if limit.dtype == F8 and first.dtype == F4:
                # Limits need not be floats, and are compared exactly: rays go with them.
                first, second = common(first, second, limit)[:2]
    lead = lead_of(*shapes)
    count = count_of(lead)
    dtype = first.dtype
    if type(low) is not float:
        low = flat_numbers(low, lead, count, dtype, "tmin")
    if type(high) is not float:
        high = flat_numbers(high, lead, count, dtype, "tmax")
    arrays = (flat(first, lead, count, 3), flat(second, lead, count, 3), low, high)
    return Items(RAYS, int(dtype == F8), lead, arrays)


def segments(p, q):
    """Segments from p to q."""
    p, q = rows(p, "p"), rows(q, "q")
    if p.dtype != q.dtype:
        p, q = common(p, q)
    lead = lead_of(p.shape[:-1], q.shape[:-1])
    count = count_of(lead)
    arrays = (flat(p, lead, count, 3), flat(q, lead, count, 3), None, None)
    return Items(SEGMENTS, int(p.dtype == F8), lead, arrays)


def points(values):
    """Points."""
    array = rows(values, "points")
    lead = array.shape[:-1]
    return Items(POINTS, int(array.dtype == F8), lead, (flat(array, lead, count_of(lead), 3), None, None, None))


# Name, number in sl_volume_kind, shape of the last axes.
_VOLUMES = {
    "boxes": (0, (2, 3)),
    "spheres": (1, (4,)),
    "obbs": (2, (5, 3)),
    "capsules": (3, (7,)),
    "frusta": (4, (None, 4)),
    "triangles": (5, (3, 3)),
    "hulls": (6, (None, 3)),
}


def _refuse_reversed(array, name):
    """Refuses boxes whose min is beyond max, and negative radii and halves."""
    if name == "boxes":
        low, high = array[..., 0, :], array[..., 1, :]
        bad = low > high
        if bad.any():  # an empty box, as of a mesh without triangles, is one that touches nothing
            bad &= (low != np.inf) | (high != -np.inf)
        what = "min is more than max"
    else:
        ends = {"spheres": (3,), "capsules": (6,), "obbs": (4, slice(None))}.get(name)
        if ends is None:
            return
        bad = array[(..., *ends)] < 0
        what = "a half is negative" if name == "obbs" else "the radius is negative"
    if bad.any():
        index = int(np.argwhere(bad.reshape(-1, 3 if name in ("boxes", "obbs") else 1))[0, 0])
        raise InvalidArgument(f"{name}: of number {index} {what}", index=index)


def _hulls(array, lead, points):
    """Hulls stay where they are: the addresses (N, 1) of their points, which the items keep alive."""
    array = packed(array)
    count = count_of(lead)
    addresses = array.ctypes.data + np.arange(count, dtype=np.uintp)[:, None] * np.uintp(3 * points * array.itemsize)
    return Items(VOLUMES, int(array.dtype == F8), lead, (addresses, None, 6, points), array)


def volumes(given, names=tuple(_VOLUMES), doubles=False):
    """Volumes of one kind, among the arguments of a method; doubles: never in floats."""
    named = [(name, given[name]) for name in names if given[name] is not None]
    if len(named) != 1:
        raise InvalidArgument(f"volumes of one kind are asked about, one of {', '.join(names)}")
    name, value = named[0]
    kind, last = _VOLUMES[name]
    array = floats(value, name).astype(F8, copy=False) if doubles else floats(value, name)
    if array.shape == (0,):
        array = array.reshape(0, *(width or 1 for width in last))
    shape = array.shape[array.ndim - len(last) :] if array.ndim >= len(last) else ()
    if len(shape) != len(last) or any(w is not None and n != w for n, w in zip(shape, last, strict=True)):
        wanted = ", ".join("P" if w is None else str(w) for w in last)
        raise InvalidArgument(f"{name} has the shape {array.shape}; (..., {wanted}) is wanted")
    if name == "frusta" and shape[0] > 8:
        raise InvalidArgument(f"a frustum has 8 planes at most, not {shape[0]}")
    lead = array.shape[: array.ndim - len(last)]
    if name == "hulls" and (shape[0] > 256 or (shape[0] == 0 and 0 not in lead)):
        raise InvalidArgument(f"hulls are of 1 to 256 points each, not {shape[0]}")
    _refuse_reversed(array, name)
    if name == "hulls":
        return _hulls(array, lead, shape[0])
    width = count_of(shape)
    return Items(VOLUMES, int(array.dtype == F8), lead, (array.reshape(count_of(lead), width), None, kind, width))


# ---- Options ----


def _mask(mask, name="mask"):
    """A number for all items, or an array."""
    array = given(mask, name)
    if array.dtype.kind not in "iu":
        raise InvalidArgument(f"{name} is of whole numbers, not of {array.dtype}")
    if array.ndim == 0:
        number = int(array)
        if not 0 <= number <= NONE:
            raise InvalidArgument(f"{name} {number} is not a number of 32 bits")
        return number
    return whole(array, name)


def _refuse_unknown(fields, target):
    """Refuses triangles to skip that the tree or the scene does not have; NONE is none."""
    instance, prim = fields
    counts = target._prim_counts
    bad = np.False_ if instance is None else instance >= len(counts)
    limits = counts[np.where(bad, 0, instance)] if len(counts) > 1 else counts.sum()
    bad = (bad | (prim >= limits)) & (prim != NONE)
    if bad.any():
        index = int(np.flatnonzero(bad)[0])
        of = "" if instance is None else f" of instance {instance.flat[index]}"
        raise BadIndex(f"skip: there is no triangle {prim.flat[index]}{of} (NONE skips nothing)", index=index)


def _skip(skip, lead, target):
    """Instance, prim, instance, prim: numbers where they are the same for all items, else arrays."""
    array = skip.ref if isinstance(skip, Records) else given(skip, "skip")
    if array.dtype == REF:
        fields = (array["instance"], array["prim"])
    elif target._is_scene:
        raise InvalidArgument("skip names triangles of a scene by REF records, such as Hits.ref")
    else:
        fields = (None, whole(skip, "skip"))
    _refuse_unknown(fields, target)
    shape = fields[1].shape
    pairs = len(shape) == len(lead) + 1 and shape[-1] == 2
    same = fields[1].size == 1 + pairs
    columns = list(_NO_SKIP)
    for k in range(2 + 2 * pairs):
        field = fields[k % 2]
        if field is not None:
            column = field[..., k // 2] if pairs else field
            columns[k] = int(column.reshape(-1)[0]) if same else column
    return tuple(columns)


def _of_each(mask, skip, ignore, lead, count):
    """(count,), the options of each item, and what they point to; None twice where they are the same for all."""
    if all(type(column) is int for column in (mask, *skip)):
        return None, None

    def numbers(column, name):
        return column if type(column) is int else flat_numbers(column, lead, count, U4, name)

    rows = np.zeros(count, _ITEM)
    rows["mask"] = numbers(mask, "mask")
    refs = None
    if skip is not _NO_SKIP:
        refs = np.empty((count, 4), U4)
        for k, column in enumerate(skip):
            refs[:, k] = numbers(column, "skip")
        rows["skip"] = refs.ctypes.data + refs.strides[0] * np.arange(count, dtype=np.uintp)
        rows["skip_count"] = 2
    if ignore is not None:
        rows["ignore"] = ignore.ctypes.data
        rows["ignore_count"] = len(ignore)
    return rows, refs


def _ignore(ignore, target, name="ignore"):
    if ignore is None:
        return None
    if not target._is_scene:
        raise InvalidArgument(f"{name} names instances, which a tree does not have")
    array = whole(ignore, name)
    if array.ndim <= 1:
        array = np.stack([np.atleast_1d(array), np.ones_like(np.atleast_1d(array))], axis=-1)
    if array.ndim != 2 or array.shape[1] != 2:
        raise misfit(array, name, "(K,) or (K, 2)", 2)
    ends = array.astype(np.int64).sum(axis=1)
    if (ends > len(target)).any():
        index = int((ends > len(target)).argmax())
        raise BadIndex(f"{name}: there is no instance {ends[index] - 1}", index=index)
    return packed(array)


def booleans(values, length, name="filter"):
    """(length,) bool."""
    array = given(values, name)
    if array.dtype != np.bool_ or array.shape != (length,):
        raise InvalidArgument(f"{name} is a boolean for each of {length} triangles, not {array.shape} of {array.dtype}")
    return np.ascontiguousarray(array)


def options(
    target, items, *, mask=None, skip=None, cull=None, open_start=False, open_end=False, crossings=False, filter=None,
    ignore=None,
):  # fmt: skip
    """As sightline_bvh._core takes them; None where all are as they are by default."""
    if (
        mask is None and skip is None and cull is None and filter is None and ignore is None
        and not (open_start or open_end or crossings)
    ):  # fmt: skip
        return None
    if items.kind == RAYS and (open_start or open_end):
        raise InvalidArgument("open_start and open_end are for segments; the ends of a ray are tmin and tmax")
    if cull not in _CULLS:
        raise InvalidArgument(f"cull is 'back', 'front' or None, not {cull!r}")
    flags = (
        (_OPEN_START if open_start else 0) | (_OPEN_END if open_end else 0) | (_CROSSINGS if crossings else 0)
    )  # fmt: skip
    mask = 0 if mask is None else _mask(mask)
    skip = _NO_SKIP if skip is None else _skip(skip, items.lead, target)
    ignore = _ignore(ignore, target)
    each, refs = _of_each(mask, skip, ignore, items.lead, items.count)
    return (
        flags,
        _CULLS[cull],
        *((mask, skip) if each is None else (0, _NO_SKIP)),
        each,
        ignore,
        None if filter is None else target._filter(filter),
        refs,
    )


def are_same(options):
    """Whether all items have the same mask and skips."""
    return options is None or options[4] is None


def side(target, mask, ignore, prefix=""):
    """The options of a whole tree or scene, one of two: what of it is there."""
    if mask is None and ignore is None:
        return None
    number = 0 if mask is None else _mask(mask, prefix + "mask")
    if type(number) is not int:
        raise InvalidArgument(f"{prefix}mask is one number, not {number.shape} of them")
    return 0, 0, number, _NO_SKIP, None, _ignore(ignore, target, prefix + "ignore"), None, None


# ---- Answers ----


def answers(out, lead, dtype, name="out"):
    """out as an array, or a new one."""
    if out is None:
        return np.empty(lead, dtype)
    array = out.array if isinstance(out, Records) else out
    if not isinstance(array, np.ndarray) or array.dtype != dtype or array.shape != lead:
        found = f"{array.shape} of {array.dtype}" if isinstance(array, np.ndarray) else repr(type(out))
        raise InvalidArgument(f"{name} is an array {lead} of {dtype}, not {found}")
    if not array.flags.c_contiguous or not array.flags.writeable:
        raise InvalidArgument(f"{name} is an array that is C-contiguous and writable")
    if not lies_well(array):
        raise InvalidArgument(f"{name} begins at an address at which none of its numbers may")
    return array


def lies_well(array):
    """Whether an array of records begins where C may read its numbers; numpy does not tell that of packed dtypes."""
    dtype = array.dtype
    fields = dtype.fields.values() if dtype.fields else ((dtype,),)
    return array.__array_interface__["data"][0] % max(field[0].base.alignment for field in fields) == 0


def packed(array, dtype=None):
    """The same numbers, C-contiguous, and where C may read them: the array itself where it is so."""
    array = np.asarray(array, dtype)
    return array if array.flags.c_contiguous and lies_well(array) else array.copy()


def hits_of(hits, name="hits", also=()):
    """A contiguous array of HIT or HIT_D, or of what else is wanted."""
    array = given(hits, name)
    if array.dtype not in (HIT, HIT_D, *also):
        raise InvalidArgument(
            f"{name} are Hits{' or Nearest' if also else ''}, or records of their dtype, not {type(hits).__name__}"
        )
    return packed(array)
