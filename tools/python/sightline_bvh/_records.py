"""dtypes, and answers: structured arrays with a view of each field by name."""

import numpy as np

from ._errors import BadIndex, InvalidArgument

NONE = 0xFFFFFFFF

HIT_BACK = 1
HIT_EDGE = 2
HIT_VERTEX = 4

_XYZ = ("f4", (3,))
_XYZ_D = ("f8", (3,))

RAY = np.dtype([("origin", *_XYZ), ("tmin", "f4"), ("dir", *_XYZ), ("tmax", "f4")])
RAY_D = np.dtype([("origin", *_XYZ_D), ("tmin", "f8"), ("dir", *_XYZ_D), ("tmax", "f8")])
HIT = np.dtype([("t", "f4"), ("u", "f4"), ("v", "f4"), ("prim", "u4"), ("instance", "u4"), ("flags", "u4")])
HIT_D = np.dtype(
    {
        "names": ["t", "u", "v", "prim", "instance", "flags"],
        "formats": ["f8", "f4", "f4", "u4", "u4", "u4"],
        "offsets": [0, 8, 12, 16, 20, 24],
        "itemsize": 32,
    }
)
_NEAREST = [("distance", "f4"), ("u", "f4"), ("v", "f4"), ("prim", "u4"), ("instance", "u4"), ("flags", "u4")]
NEAREST = np.dtype([*_NEAREST, ("point", *_XYZ)])
NEAREST_D = np.dtype([*_NEAREST, ("point", *_XYZ_D)])
REF = np.dtype([("instance", "u4"), ("prim", "u4")])
INSIDE = np.dtype(
    {
        "names": ["crossings", "winding", "inside", "by_parity", "by_winding", "differ", "on_surface"],
        "formats": ["u8", "f8", "?", "?", "?", "?", "?"],
        "offsets": [0, 8, 16, 17, 18, 19, 20],
        "itemsize": 24,
    }
)


def _surface(xyz, number):
    return np.dtype(
        [("point", *xyz), ("normal", *xyz), ("error", number), ("front_origin", *xyz), ("back_origin", *xyz)]
    )


SURFACE = _surface(_XYZ, "f4")
SURFACE_D = _surface(_XYZ_D, "f8")
PAIR = np.dtype([("a", REF), ("b", REF), ("relation", "u4"), ("distance", "f4")])
DISTANCE = np.dtype(
    {
        "names": ["distance", "a", "b", "point_a", "point_b"],
        "formats": ["f4", REF, REF, _XYZ_D, _XYZ_D],
        "offsets": [0, 4, 12, 24, 48],
        "itemsize": 72,
    }
)
CLASH = np.dtype(
    [("a", "u4"), ("b", "u4"), ("kind", "u4"), ("solids", "u4"), ("pairs", "u8"), ("nearest", DISTANCE)]
)
CONTACT = np.dtype(
    [("t", "f8"), ("t_safe", "f8"), ("prim", "u4"), ("instance", "u4"), ("start", "u4"), ("flags", "u4"),
     ("point", *_XYZ_D), ("normal", *_XYZ_D)]
)  # fmt: skip
FAULT = np.dtype([("kind", "i4"), ("prim", "u4"), ("other", "u4"), ("vertex", "u4", (2,)), ("uses", "u4")])
FAULT_KINDS = (
    "left_out", "not_finite", "unused_vertex", "duplicate", "zero_area", "open_edge", "nonmanifold_edge",
    "misoriented_edge",
)  # fmt: skip
NOTE_KINDS = (
    "geometry", "unknown", "not_applied", "short_faces", "crossed_faces", "trailing", "no_triangles", "hidden",
)  # fmt: skip
ATTRIBUTES = np.dtype(
    [("kept", "u4"), ("face", "u4"), ("part", "u4"), ("uv", "f4", (2,)), ("colour", "f4", (4,)), ("normal", *_XYZ)]
)


def _field(name, doc):
    return property(lambda self: self.array[name], doc=doc)


def _of_array(name, doc):
    return property(lambda self: getattr(self.array, name), doc=doc)


def _found(doc):
    return property(lambda self: self.array["prim"] != NONE, doc=doc)


class Records:
    """Answers: one structured array, and a view of each of its fields by name.  Nothing is copied.

    array   of shape (...): the answers, in rows
    """

    __slots__ = ("array",)
    __hash__ = None
    _truth = ".size"

    def __init__(self, array):
        if not isinstance(array, np.ndarray) or array.dtype.names is None:
            raise InvalidArgument(f"{type(self).__name__} are of an array of records, not of {array!r}")
        self.array = array

    dtype = _of_array("dtype", "The structured dtype of the array.")
    shape = _of_array("shape", "The leading shape of what was asked.")
    size = _of_array("size", "How many answers there are.")
    ndim = _of_array("ndim", "How many axes the shape has.")

    def __len__(self):
        return len(self.array)

    def __bool__(self):
        raise InvalidArgument(f"{type(self).__name__} as such are neither true nor false: ask {self._truth}")

    def __getitem__(self, index):
        if isinstance(index, str):
            return self.array[index]
        return type(self)(np.asarray(self.array[index]))

    def __iter__(self):
        for i in range(len(self)):
            yield self[i]

    def reshape(self, *shape):
        """The same rows in another shape."""
        return type(self)(self.array.reshape(*shape))

    def copy(self):
        """The same rows in memory of their own."""
        return type(self)(self.array.copy())

    def __array__(self, dtype=None, copy=None):
        if dtype is not None and np.dtype(dtype) != self.array.dtype:
            return self.array.astype(dtype)
        return self.array.copy() if copy else self.array

    def __eq__(self, other):
        return self.array == (other.array if isinstance(other, Records) else other)

    def __ne__(self, other):
        return self.array != (other.array if isinstance(other, Records) else other)

    def __repr__(self):
        rows, most = self.array.flat, 6  # of an image, too: six rows at most
        parts = [rows[:]] if self.size <= most else [rows[: most // 2], rows[-most // 2 :]]
        text = "\n ...\n ".join(str(part)[1:-1] for part in parts)
        return f"<{type(self).__name__} of shape {self.shape}: {', '.join(self.dtype.names)}\n {text}>"

    def __reduce__(self):
        return type(self), (self.array,)


class OfTriangles(Records):
    """Answers of which each names a triangle, or none: prim is NONE then."""

    __slots__ = ()
    prim = _field("prim", "(...) number of the triangle; NONE: there is none.")
    instance = _field("instance", "(...) number of the instance; 0 on a tree.")

    @property
    def ref(self):
        """(...) REF: the triangles by name, for skip=; copied."""
        ref = np.empty(self.shape, REF)
        ref["instance"] = self.array["instance"]
        ref["prim"] = self.array["prim"]
        return ref

    def gather(self, values, fill=None):
        """Values of triangles (T, ...) at the triangles of the answers: (..., ...); fill where there is none.

        To index with prim itself raises IndexError there, as NONE is beyond any array.  fill None: NaN, for values
        that are floats; else it has to be given, and the answer has a dtype that holds both.  What is at corners is
        gathered as values[mesh.faces].  Of a scene whose instances are of different trees, gather those of one
        instance at a time.

        >>> import numpy as np, sightline_bvh as sightline
        >>> tree = sightline.Tree(sightline.sphere(1))
        >>> hits = tree.closest([[0.1, 0.2, 2], [9, 9, 9]], [0, 0, -1])
        >>> hits.gather(np.arange(8) * 10, fill=-1)
        array([ 0, -1])
        """
        values = np.asarray(values)
        if values.ndim == 0:
            raise InvalidArgument("values have a row for each triangle")
        if fill is None and values.dtype.kind not in "fc":
            raise InvalidArgument(f"values of {values.dtype} have no NaN: fill says what is where there is no triangle")
        fill = np.asarray(np.nan if fill is None else fill)
        with np.errstate(invalid="ignore"):
            holds = np.array_equal(fill.astype(values.dtype), fill, equal_nan=values.dtype.kind in "fc")
        least = fill.dtype if fill.ndim else np.min_scalar_type(fill)
        dtype = values.dtype if holds else np.promote_types(values.dtype, least)
        prim = self.array["prim"]
        found = prim != NONE
        if (found & (prim >= len(values))).any():
            raise BadIndex(f"there are {len(values)} values, and none of triangle {prim[found].max()}")
        out = np.empty(prim.shape + values.shape[1:], dtype)
        out[...] = fill
        out[found] = values[prim[found]]
        return out


class Hits(OfTriangles):
    """Hits of rays and segments.  A miss has prim NONE, t = tmax (1 for segments) and zeros.

    >>> import sightline_bvh as sightline
    >>> tree = sightline.Tree([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    >>> hits = tree.closest([[0.25, 0.25, 1], [2, 2, 1]], [0, 0, -1])
    >>> hits.t
    array([ 1., inf])
    >>> hits.hit
    array([ True, False])
    """

    __slots__ = ()
    _truth = ".hit, .hit.any() or .size"
    t = _field("t", "(...) in units of the direction; of a segment 0 to 1.")
    u = _field("u", "(...) weight of vertex 1.")
    v = _field("v", "(...) weight of vertex 2; vertex 0 weighs 1 - u - v.")
    flags = _field("flags", "(...) HIT_BACK | HIT_EDGE | HIT_VERTEX.")
    hit = _found("(...) whether there is a hit.")


class Nearest(OfTriangles):
    """Nearest points.  Where nothing was found, prim is NONE and distance the limit."""

    __slots__ = ()
    _truth = ".found, .found.any() or .size"
    distance = _field("distance", "(...) float32, for points in doubles, too.")
    u = _field("u", "(...) weight of vertex 1.")
    v = _field("v", "(...) weight of vertex 2.")
    point = _field("point", "(..., 3) the nearest point; zeros where nothing was found.")
    found = _found("(...) whether anything was found.")


class Surface(Records):
    """Where hits lie.  Of misses everything is NaN."""

    __slots__ = ()
    point = _field("point", "(..., 3).")
    normal = _field("normal", "(..., 3) of unit length, on the front of the triangle.")
    error = _field("error", "(...) no coordinate of point is farther than this from the exact hit.")
    front_origin = _field("front_origin", "(..., 3) next to point, strictly in front of the triangle's plane.")
    back_origin = _field("back_origin", "(..., 3) next to point, strictly behind it.")


class Inside(Records):
    """Whether points are inside, by two numbers."""

    __slots__ = ()
    crossings = _field("crossings", "(...) of a ray along +x with the surface.")
    winding = _field("winding", "(...) how often the surface runs around the point.")
    inside = _field("inside", "(...) by parity for a closed mesh, else by winding.")
    by_parity = _field("by_parity", "(...) an odd number of crossings.")
    by_winding = _field("by_winding", "(...) a winding number beyond one half, of either sign.")
    differ = _field("differ", "(...) by_parity is not by_winding.")
    on_surface = _field("on_surface", "(...) at distance 0 from a triangle; exact.")


RELATIONS = ("apart", "touching", "coplanar_same", "coplanar_opposite", "crossing")
_KINDS = np.array(["hard", "touching", "clearance"])
SOLIDS = np.array(["apart", "touching", "overlapping", "a_inside", "b_inside", "equal", "open"])
_STARTS = np.array(["apart", "touching_closing", "touching_receding", "overlapping"])


class Pairs(Records):
    """Pairs of triangles of two trees."""

    __slots__ = ("_total",)
    a = _field("a", "(...) REF: the triangle of the first tree.")
    b = _field("b", "(...) REF: that of the second.")
    relation = _field("relation", "(...) the number of the relation in RELATIONS.")
    distance = _field("distance", "(...) 0 but where they are apart.")
    relations = property(lambda self: np.array(RELATIONS)[self.array["relation"]], doc="(...) relations as words.")

    @property
    def total(self):
        """How many there are, more than size where capacity cut them off."""
        return getattr(self, "_total", self.size)


class Distances(Records):
    """How far meshes are apart.  Where nothing was found, distance is inf and prims are NONE."""

    __slots__ = ()
    _truth = ".found"
    distance = _field("distance", "(...) float32.")
    a = _field("a", "(...) REF: the nearest triangle of the first mesh.")
    b = _field("b", "(...) REF: that of the second.")
    point_a = _field("point_a", "(..., 3) the nearest point on the first.")
    point_b = _field("point_b", "(..., 3) that on the second.")
    found = property(lambda self: self.array["a"]["prim"] != NONE, doc="(...) whether anything was within the limit.")


class Clashes(Records):
    """Instances of a scene that clash, in rising order of (a, b)."""

    __slots__ = ("_report",)
    a = _field("a", "(...) number of the lower instance.")
    b = _field("b", "(...) number of the higher one.")
    kind = _field("kind", "(...) 0 hard, 1 touching, 2 clearance.")
    kinds = property(lambda self: _KINDS[self.array["kind"]], doc="(...) kinds as words.")
    solids = property(
        lambda self: np.append(SOLIDS[:6], "")[self.array["solids"]],
        doc='(...) with solids=True, of two without triangles that cross, relations as of Solids; else "".',
    )
    pairs = _field("pairs", "(...) how many pairs of triangles count, at most the limit.")
    nearest = property(
        lambda self: Distances(self.array["nearest"]),
        doc="(...) Distances: a pair of triangles that shows it; not found where pairs are at the limit, and of solids in one another.",
    )


class Contacts(OfTriangles):
    """What shapes that move meet.  Where there is nothing, prim is NONE and t is 1."""

    __slots__ = ()
    _truth = ".hit, .hit.any() or .size"
    t = _field("t", "(...) when, from 0 to 1, rounded to nearest.")
    t_safe = _field("t_safe", "(...) the same, rounded down.")
    start = _field("start", "(...) how they lie at the start: 0 apart, 1 and 2 touching, 3 overlapping.")
    starts = property(lambda self: _STARTS[self.array["start"]], doc="(...) the same as words.")
    flags = _field("flags", "(...) HIT_BACK: the back is met | HIT_EDGE | HIT_VERTEX: where on the triangle.")
    point = _field("point", "(..., 3) where they meet.")
    normal = _field("normal", "(..., 3) of the surface there, towards the shape.")
    hit = _found("(...) whether anything is met.")


class Ragged:
    """Lists of different lengths: list i is values[offsets[i]:offsets[i + 1]].

    values   Hits or Nearest of shape (M,), or an array
    offsets  (N + 1,) int64, from 0 to M, over the flattened leading shape
    totals   (...) int64: how many there are, more than counts where capacity cut a list off
    shape    the leading shape

    >>> import sightline_bvh as sightline
    >>> tree = sightline.Tree(sightline.sphere(8))
    >>> lists = tree.all([[0.1, 0.2, 2], [0, 0, 9]], [[0, 0, -1], [1, 0, 0]])
    >>> lists.counts
    array([2, 0])
    >>> lists[0].t.shape
    (2,)
    """

    __slots__ = ("values", "offsets", "totals", "shape")

    def __init__(self, values, offsets, totals, shape):
        self.values = values
        self.offsets = offsets
        self.totals = totals
        self.shape = shape

    @property
    def counts(self):
        """(...) int64: the lengths of the lists."""
        return np.diff(self.offsets).reshape(self.shape)

    @property
    def rows(self):
        """(M,) int64: the list that each value is of."""
        return np.repeat(np.arange(len(self.offsets) - 1), np.diff(self.offsets))

    def __len__(self):
        if not self.shape:
            raise TypeError("one list has no length of lists; its answers are values")
        return self.shape[0]

    def __getitem__(self, index):
        if isinstance(index, tuple):
            index = int(np.ravel_multi_index(index, self.shape)) if self.shape else 0
        count = len(self.offsets) - 1
        if index < 0:
            index += count
        if not 0 <= index < count:
            raise IndexError(f"list {index} of {count}")
        return self.values[self.offsets[index] : self.offsets[index + 1]]

    def __iter__(self):
        for i in range(len(self.offsets) - 1):
            yield self[i]

    def __repr__(self):
        return f"Ragged({len(self.offsets) - 1} lists, {int(self.offsets[-1])} values)"

    def __reduce__(self):
        return Ragged, (self.values, self.offsets, self.totals, self.shape)
