"""Type stubs of sightline_bvh: the whole public interface, with shapes and dtypes.

Shapes      `...` stands for any leading shape, () included: it is kept.  (H, W, 3) in, (H, W) out.
            Inputs broadcast against one another, as in NumPy: one origin of shape (3,) and
            directions (N, 3) are N rays.
dtypes      float32 arrays (and float16) are traced in floats; everything else that NumPy can turn
            into floats, such as float64, integers and lists, is traced in doubles, so that
            nothing is rounded.  Answers are records with the matching dtype: HIT and NEAREST, or
            HIT_D and NEAREST_D.
Copies      an array of float32 or float64 in native byte order is read where it is, whatever its
            strides, as long as its leading axes are evenly spaced; anything else is copied once.
out         C-contiguous, writable, exactly the shape and dtype of the answer; it is also returned.
threads     None: the default of set_threads(); n >= 1.  No answer depends on it.
progress    a function of (phase, fraction), which may return False to cancel; or a tqdm bar, whose
            total is set; or True: a tqdm bar is made.
Ctrl-C      ends every call within about a tenth of a second (KeyboardInterrupt); refit, with_masks, check and to_bytes end first.
Errors      SightlineError and its subclasses (below).  Queries to a tree cannot fail: a ray with
            a NaN is a miss.  Arguments of a wrong shape, dtype or name are InvalidArgument.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from os import PathLike
from types import TracebackType
from typing import Any, ClassVar, Final, Generic, Literal, NamedTuple, NoReturn, Protocol, TypeAlias, TypeVar, final, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

__version__: str  # that of the library, "1.2.3"

NONE: Final = 0xFFFFFFFF  # the prim of a miss: no triangle, no instance, no part

# Bits of Hits.flags; all exact.
HIT_BACK: Final = 1  # the back of the triangle was hit
HIT_EDGE: Final = 2  # on an edge of the triangle, vertices included
HIT_VERTEX: Final = 4  # on a vertex

# Structured dtypes, laid out as the C structs of the same name.
RAY: Final[np.dtype[np.void]]  # origin (3,) f4, tmin f4, dir (3,) f4, tmax f4: 32 bytes
RAY_D: Final[np.dtype[np.void]]  # the same in f8: 64 bytes
HIT: Final[np.dtype[np.void]]  # t f4, u f4, v f4, prim u4, instance u4, flags u4: 24 bytes
HIT_D: Final[np.dtype[np.void]]  # t f8, u f4, v f4, prim u4, instance u4, flags u4, 4 unused: 32
NEAREST: Final[np.dtype[np.void]]  # distance f4, u f4, v f4, prim u4, instance u4, flags u4, point (3,) f4: 36
NEAREST_D: Final[np.dtype[np.void]]  # the same with point (3,) f8: 48
REF: Final[np.dtype[np.void]]  # instance u4, prim u4: names a triangle
INSIDE: Final[np.dtype[np.void]]  # crossings u8, winding f8, inside ?, by_parity ?, by_winding ?, differ ?, on_surface ?: 24
SURFACE: Final[np.dtype[np.void]]  # point, normal (3,) f4, error f4, front_origin, back_origin (3,) f4
SURFACE_D: Final[np.dtype[np.void]]  # the same in f8
PAIR: Final[np.dtype[np.void]]  # a, b REF, relation u4 (index of RELATIONS), distance f4: 24 bytes
DISTANCE: Final[np.dtype[np.void]]  # distance f4, a, b REF, 4 unused, point_a, point_b (3,) f8: 72
CLASH: Final[np.dtype[np.void]]  # a, b u4, kind, solids u4, pairs u8, nearest DISTANCE: 96
CONTACT: Final[np.dtype[np.void]]  # t, t_safe f8, prim, instance, start, flags u4, point, normal (3,) f8: 80
FAULT: Final[np.dtype[np.void]]  # kind i4, prim u4 (of an edge the lowest that uses it), other u4 (duplicates: the lowest
# of the same positions; edges: the second lowest), vertex (2,) u4 (of an edge from and to), uses u4 (triangles at an edge)
ATTRIBUTES: Final[np.dtype[np.void]]  # kept u4, face u4, part u4, uv (2,) f4, colour (4,) f4, normal (3,) f4

RELATIONS: Final[tuple[str, ...]]  # of two triangles: "apart", "touching", "coplanar_same", "coplanar_opposite", "crossing"
FAULT_KINDS: Final[tuple[str, ...]]  # names of FAULT.kind: "left_out", "not_finite", ...
NOTE_KINDS: Final[tuple[str, ...]]  # of Note.kind: "geometry", "unknown", "not_applied", "short_faces", ...

# ---- Errors ----

class SightlineError(Exception):
    """What went wrong and where."""
    def __init__(self, message: str = "", *, file: str | None = None, line: int | None = None, byte: int | None = None,
                 index: int | None = None) -> None: ...
    code: str  # "SL_BAD_DATA"
    message: str  # what was found and what was expected, without the place
    file: str | None  # as it was named
    line: int | None  # 1 is the first
    byte: int | None  # offset from the start of the file
    index: int | None  # of the triangle, instance, row or argument that is at fault, counted from 0

class InvalidArgument(SightlineError, ValueError): ...
class OutOfMemory(SightlineError, MemoryError): ...
class NotFound(SightlineError, FileNotFoundError): ...
class IOFailed(SightlineError, OSError): ...
class BadData(SightlineError, ValueError): ...
class BadIndex(SightlineError, IndexError): ...
class NotFinite(SightlineError, ValueError): ...
class Unsupported(SightlineError, NotImplementedError): ...
class TooLarge(SightlineError, ValueError): ...
class Cancelled(SightlineError): ...  # progress returned False
class NoThreadsLeft(SightlineError, RuntimeError): ...
class MeshWarning(UserWarning): ...  # load() and Scene.load(): the file has what the mesh has not (Mesh.notes)

# ---- What options accept ----

class _SupportsBar(Protocol):  # tqdm and what looks like it
    total: Any
    def update(self, n: float = ..., /) -> object: ...

_Progress: TypeAlias = Callable[[str, float], object] | _SupportsBar | Literal[True] | None
_By: TypeAlias = Literal["parity", "winding"] | None
_Cull: TypeAlias = Literal["back", "front"] | None  # the side that does not count
# For one hit: (index, t, u, v, prim, instance, flags) -> whether it exists.  index is the ray's place in the
# flattened leading shape.  Some 0.3 microseconds a hit, on one thread, and the rest takes as long as a hit
# filter does in C: a boolean for each triangle runs on all threads.
_FilterFunction: TypeAlias = Callable[[int, float, float, float, int, int, int], object]
# A boolean for each triangle of the tree, False: it is not there.  Of a scene: one such array (or None, all
# are there) for each instance number.
_Filter: TypeAlias = ArrayLike | _FilterFunction | Sequence[ArrayLike | None] | None
_Path: TypeAlias = str | bytes | PathLike[str] | PathLike[bytes]
_Start: TypeAlias = Literal["report", "ignore_receding", "ignore"]
_Grazing: TypeAlias = Literal["report", "ignore"]
_Quality: TypeAlias = Literal["default", "fast", "high"]
_Layout: TypeAlias = Literal["default", "compact"]
_Bad: TypeAlias = Literal["refuse", "leave_out"]

# ---- Answers ----

_R = TypeVar("_R", bound="Records")

class Records:
    """Answers: one structured array, and a view of each of its fields by name.  Nothing is copied."""
    array: NDArray[np.void]  # of shape (...,)
    def __init__(self, array: NDArray[np.void]) -> None: ...
    @property
    def dtype(self) -> np.dtype[np.void]: ...
    @property
    def shape(self) -> tuple[int, ...]: ...
    @property
    def size(self) -> int: ...
    @property
    def ndim(self) -> int: ...
    def __len__(self) -> int: ...
    def __bool__(self) -> NoReturn: ...  # InvalidArgument: ask hits.hit, nearest.found or size
    def __getitem__(self: _R, index: Any, /) -> _R: ...  # of rows, as NumPy indexes; scalars keep shape ()
    def __iter__(self: _R) -> Iterator[_R]: ...
    def reshape(self: _R, *shape: Any) -> _R: ...
    def copy(self: _R) -> _R: ...
    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[np.void]: ...
    def __eq__(self, other: object, /) -> Any: ...  # row by row
    def __ne__(self, other: object, /) -> Any: ...

@final
class Hits(Records):
    """Hits of rays and segments.  A miss has prim NONE, t = tmax (1 for segments), the others 0."""
    @property
    def t(self) -> NDArray[np.floating[Any]]: ...  # (...) f4 or f8, in units of the direction
    @property
    def u(self) -> NDArray[np.float32]: ...  # (...) weight of vertex 1
    @property
    def v(self) -> NDArray[np.float32]: ...  # (...) weight of vertex 2
    @property
    def prim(self) -> NDArray[np.uint32]: ...  # (...) triangle
    @property
    def instance(self) -> NDArray[np.uint32]: ...  # (...) 0 on a tree
    @property
    def flags(self) -> NDArray[np.uint32]: ...  # (...) HIT_BACK | HIT_EDGE | HIT_VERTEX
    @property
    def hit(self) -> NDArray[np.bool_]: ...  # (...) computed: prim != NONE
    @property
    def ref(self) -> NDArray[np.void]: ...  # (...) REF, copied: for skip=
    # Values of triangles (T, ...), fill where there is no triangle: (..., ...).
    def gather(self, values: ArrayLike, fill: Any = None) -> NDArray[Any]: ...

@final
class Nearest(Records):
    """Nearest points.  Where nothing was found prim is NONE and distance the limit."""
    @property
    def distance(self) -> NDArray[np.float32]: ...  # (...) f4, for points in doubles, too
    @property
    def u(self) -> NDArray[np.float32]: ...
    @property
    def v(self) -> NDArray[np.float32]: ...
    @property
    def prim(self) -> NDArray[np.uint32]: ...
    @property
    def instance(self) -> NDArray[np.uint32]: ...
    @property
    def point(self) -> NDArray[np.floating[Any]]: ...  # (..., 3) f4 or f8
    @property
    def found(self) -> NDArray[np.bool_]: ...  # (...) computed: prim != NONE
    @property
    def ref(self) -> NDArray[np.void]: ...  # (...) REF: the triangles by name, for skip=; copied
    # Values of triangles (T, ...), fill where there is no triangle: (..., ...).
    def gather(self, values: ArrayLike, fill: Any = None) -> NDArray[Any]: ...

@final
class Surface(Records):
    """Where hits lie: of misses everything is NaN."""
    @property
    def point(self) -> NDArray[np.floating[Any]]: ...  # (..., 3)
    @property
    def normal(self) -> NDArray[np.floating[Any]]: ...  # (..., 3) of unit length, on the front
    @property
    def error(self) -> NDArray[np.floating[Any]]: ...  # (...) no coordinate of point is farther off than this
    @property
    def front_origin(self) -> NDArray[np.floating[Any]]: ...  # (..., 3) strictly in front of the plane
    @property
    def back_origin(self) -> NDArray[np.floating[Any]]: ...  # (..., 3) strictly behind it

@final
class Pairs(Records):
    """Pairs of triangles of two trees."""
    @property
    def a(self) -> NDArray[np.void]: ...  # (...) REF
    @property
    def b(self) -> NDArray[np.void]: ...  # (...) REF
    @property
    def relation(self) -> NDArray[np.uint32]: ...  # (...) index of RELATIONS
    @property
    def relations(self) -> NDArray[np.str_]: ...  # (...) the same as words
    @property
    def distance(self) -> NDArray[np.float32]: ...  # (...) 0 but where they are apart
    @property
    def total(self) -> int: ...  # how many there are, more than size where capacity cut them off

@final
class Distances(Records):
    """How far meshes are apart.  Where nothing was found distance is inf and prims are NONE."""
    @property
    def distance(self) -> NDArray[np.float32]: ...
    @property
    def a(self) -> NDArray[np.void]: ...  # (...) REF
    @property
    def b(self) -> NDArray[np.void]: ...  # (...) REF
    @property
    def point_a(self) -> NDArray[np.float64]: ...  # (..., 3)
    @property
    def point_b(self) -> NDArray[np.float64]: ...  # (..., 3)
    @property
    def found(self) -> NDArray[np.bool_]: ...

@final
class Clashes(Records):
    """Instances of a scene that clash, in rising order of (a, b)."""
    @property
    def a(self) -> NDArray[np.uint32]: ...
    @property
    def b(self) -> NDArray[np.uint32]: ...
    @property
    def kind(self) -> NDArray[np.uint32]: ...  # 0 hard, 1 touching, 2 clearance
    @property
    def kinds(self) -> NDArray[np.str_]: ...  # the same as words
    @property
    def solids(self) -> NDArray[np.str_]: ...  # (...) with solids=True, where none cross: as Solids.relation; else ""
    @property
    def pairs(self) -> NDArray[np.uint64]: ...  # of triangles that count, at most the limit
    @property
    def nearest(self) -> Distances: ...  # a pair of triangles that shows it

@final
class Contacts(Records):
    """What shapes that move meet.  Where there is nothing prim is NONE and t is 1."""
    @property
    def t(self) -> NDArray[np.float64]: ...  # (...) 0 to 1, rounded to nearest
    @property
    def t_safe(self) -> NDArray[np.float64]: ...  # (...) rounded down
    @property
    def prim(self) -> NDArray[np.uint32]: ...
    @property
    def instance(self) -> NDArray[np.uint32]: ...
    @property
    def start(self) -> NDArray[np.uint32]: ...  # 0 apart, 1 touching, closing, 2 touching, receding, 3 overlapping
    @property
    def starts(self) -> NDArray[np.str_]: ...  # the same as words
    @property
    def flags(self) -> NDArray[np.uint32]: ...  # HIT_BACK | HIT_EDGE | HIT_VERTEX
    @property
    def point(self) -> NDArray[np.float64]: ...  # (..., 3)
    @property
    def normal(self) -> NDArray[np.float64]: ...  # (..., 3) of unit length, towards the shape
    @property
    def hit(self) -> NDArray[np.bool_]: ...
    @property
    def ref(self) -> NDArray[np.void]: ...  # (...) REF, copied
    def gather(self, values: ArrayLike, fill: Any = None) -> NDArray[Any]: ...

class Curves(NamedTuple):
    """Where two surfaces meet: polylines."""
    points: NDArray[np.float64]  # (P, 3)
    offsets: NDArray[np.int64]  # (C + 1,)
    pairs: Pairs  # (P,) of the segment from a point to the next
    @property
    def lengths(self) -> NDArray[np.float64]: ...  # (C,)
    @property
    def closed(self) -> NDArray[np.bool_]: ...  # (C,)

class Solids(NamedTuple):
    """How two solids lie."""
    relation: str  # "apart", "touching", "overlapping", "a_inside", "b_inside", "equal", "open"
    boundaries_meet: bool
    open: tuple[bool, bool]
    surfaces: str  # the highest of RELATIONS of any pair of triangles

@final
class Inside(Records):
    @property
    def crossings(self) -> NDArray[np.uint64]: ...  # (...) of a ray along +x
    @property
    def winding(self) -> NDArray[np.float64]: ...  # (...)
    @property
    def inside(self) -> NDArray[np.bool_]: ...
    @property
    def by_parity(self) -> NDArray[np.bool_]: ...
    @property
    def by_winding(self) -> NDArray[np.bool_]: ...
    @property
    def differ(self) -> NDArray[np.bool_]: ...
    @property
    def on_surface(self) -> NDArray[np.bool_]: ...  # exact

_V = TypeVar("_V", covariant=True)

@final
class Ragged(Generic[_V]):
    """Lists of different lengths: list i (of the flattened leading shape) is values[offsets[i]:offsets[i + 1]]."""
    values: _V  # Hits or Nearest of shape (M,), or an array
    offsets: NDArray[np.int64]  # (N + 1,), from 0 to M
    totals: NDArray[np.int64]  # (...) how many there are; more than counts where capacity cut a list off
    shape: tuple[int, ...]  # the leading shape
    def __init__(self, values: _V, offsets: NDArray[np.int64], totals: NDArray[np.int64], shape: tuple[int, ...]) -> None: ...
    @property
    def counts(self) -> NDArray[np.int64]: ...  # (...) lengths of the lists
    @property
    def rows(self) -> NDArray[np.int64]: ...  # (M,) the list that each value is of
    def __len__(self) -> int: ...
    def __getitem__(self, index: int | tuple[int, ...], /) -> _V: ...  # one list
    def __iter__(self) -> Iterator[_V]: ...  # over the flattened leading shape

# ---- Meshes ----

class Part(NamedTuple):
    """A run of triangles that the file sets apart."""
    name: str
    material: str
    node: str
    node_index: int  # glTF; NONE elsewhere
    first: int  # triangle
    triangle_count: int

class Note(NamedTuple):
    """What a file has and the mesh has not; str() says it in a line."""
    kind: str  # of NOTE_KINDS
    what: str  # its name in the file; "" where it has none
    total: int  # how many there are
    line: int | None  # of the first, in a text
    byte: int | None
    words: str  # what kind says

class Attribute(NamedTuple):
    """Rows of an attribute: float32 (R, k), and three row numbers a triangle (T, 3) uint32, NONE for a corner
    without; indices None: a row for each vertex.  Read-only views that keep the mesh alive."""
    values: NDArray[np.float32]
    indices: NDArray[np.uint32] | None

class Report(NamedTuple):
    """The faults of a mesh, counted.

    Edges are pairs of positions, of triangles with area, so that unwelded meshes are judged by shape."""
    left_out: int  # triangles
    not_finite_vertices: int  # with a coordinate that is not finite, used or not
    unused_vertices: int  # used by no triangle
    distinct_positions: int  # of vertices that triangles use
    duplicates: int  # triangles with the three positions of an earlier one, in any order
    zero_area: int  # triangles, decided exactly
    edges: int
    open_edges: int  # that one triangle uses
    nonmanifold_edges: int  # that more than two use
    misoriented_edges: int  # that two use, and run along the same way
    closed: bool  # there are triangles with area, and no edge is any of these three; Tree.closed wants less
    self_intersections: int | None  # pairs; None: not asked for
    faults: NDArray[np.void] | None  # (M,) FAULT; None: not asked for

class Welded(NamedTuple):
    mesh: Mesh
    merged_vertices: int
    unused_vertices: int
    left_out: int
    zero_area: int
    duplicates: int
    triangle_map: NDArray[np.uint32]  # (T,) new number of each triangle; NONE: dropped
    vertex_map: NDArray[np.uint32]  # (V,) of each vertex

@final
class Mesh:
    """Triangles.  Immutable; checked once, when it is made."""
    # vertices (V, 3): kept as float32; float64 is rounded once (see rounding).  faces (T, 3) of any integer type;
    # None: 0, 1, 2, ...; or one mesh of trimesh, Open3D or pyvista, or what else has vertices and faces.  recentre: the middle of the bounds is moved to the origin before rounding (see origin).
    # uvs (R, 2), normals (R, 3), colours (R, 3 or 4): a row for each vertex, or (rows, indices (T, 3)).
    # BadIndex, NotFinite: the first bad triangle, unless bad is "leave_out".
    def __init__(self, vertices: Any, faces: ArrayLike | None = None, *, bad: _Bad = "refuse", recentre: bool = False,
                 uvs: ArrayLike | tuple[ArrayLike, ArrayLike] | None = None,
                 normals: ArrayLike | tuple[ArrayLike, ArrayLike] | None = None,
                 colours: ArrayLike | tuple[ArrayLike, ArrayLike] | None = None) -> None: ...
    @property
    def vertices(self) -> NDArray[np.float32]: ...  # (V, 3) read-only view
    @property
    def faces(self) -> NDArray[np.uint32]: ...  # (T, 3) read-only view; three times NONE: left out
    @property
    def triangles(self) -> NDArray[np.float32]: ...  # (T, 3, 3) corners, copied; NaN where left out
    @property
    def bounds(self) -> NDArray[np.float32]: ...  # (2, 3) min, max; +inf, -inf where there are no triangles
    @property
    def origin(self) -> NDArray[np.float64]: ...  # (3,) what recentre subtracted
    @property
    def rounding(self) -> float: ...  # the most that a coordinate moved by rounding, in units
    @property
    def left_out(self) -> int: ...
    @property
    def format(self) -> str: ...  # "obj", "arrays", ...
    @property
    def parts(self) -> tuple[Part, ...]: ...
    @property
    def notes(self) -> tuple[Note, ...]: ...  # what the file has and the mesh has not
    @property
    def uvs(self) -> Attribute | None: ...
    @property
    def normals(self) -> Attribute | None: ...
    @property
    def colours(self) -> Attribute | None: ...
    @property
    def polygons(self) -> NDArray[np.uint32]: ...  # (T,) the face of the file that each triangle is of
    @property
    def hash(self) -> int: ...  # of corners, 64 bits; that of a tree over them is equal
    def __len__(self) -> int: ...  # triangles
    def part_of(self, prim: ArrayLike) -> NDArray[np.uint32]: ...  # (...) number in parts; NONE
    # uv, smooth normal, colour, face and part at hits on this mesh: (...) ATTRIBUTES.
    def at(self, hits: Hits | Nearest | NDArray[np.void]) -> NDArray[np.void]: ...
    def vertex_normals(self) -> NDArray[np.float32]: ...  # (V, 3) weighted by area; 0 where there is none
    def weld(self, *, drop: Iterable[Literal["left_out", "zero_area", "duplicates"]] = (), progress: _Progress = None) -> Welded: ...
    def check(self, *, faults: bool = False, self_intersections: bool = False, progress: _Progress = None,
              threads: int | None = None) -> Report: ...
    # A binary PLY; quality (V,), colours (V, 3 or 4) uint8.
    def save(
        self,
        path: _Path,
        *,
        vertices: ArrayLike | None = None,
        quality: ArrayLike | None = None,
        colours: ArrayLike | None = None,
    ) -> None: ...
    def __reduce__(self) -> Any: ...
    def __eq__(self, other: object, /) -> bool: ...  # the same arrays
    def __hash__(self) -> int: ...

# OBJ, PLY, STL, OFF; glTF and gzip where the build has them (features()), else Unsupported.
# keep: which attributes; None: none.  NotFound, BadData (file, line), BadIndex, NotFinite, TooLarge.
# hidden_nodes: also those that a glTF file hides.
def load(path: _Path, *, bad: _Bad = "refuse", recentre: bool = False, hidden_nodes: bool = False,
         keep: Iterable[Literal["uvs", "normals", "colours"]] = ("uvs", "normals", "colours"),
         max_memory: int = 0, max_file_size: int = 0, progress: _Progress = None) -> Mesh: ...
# The same from bytes, or any buffer; name gives the ending and appears in errors.
def loads(data: Any, name: str = "", *, bad: _Bad = "refuse", recentre: bool = False, hidden_nodes: bool = False,
          keep: Iterable[Literal["uvs", "normals", "colours"]] = ("uvs", "normals", "colours"),
          max_memory: int = 0, progress: _Progress = None) -> Mesh: ...

def sphere(n: int = 16) -> Mesh: ...  # of radius 1; 8 n^2 triangles
def torus(rings: int = 48, sides: int = 24, major: float = 1.0, minor: float = 0.25) -> Mesh: ...
def grid(nx: int, ny: int, height: float = 0.0, seed: int = 0) -> Mesh: ...  # nx * ny quads
def soup(count: int, size: float, seed: int = 0) -> Mesh: ...

# ---- Queries that trees and scenes answer alike ----

class _Target:
    # Rays: origins (..., 3) and directions (..., 3), of any length; or rays in one array: (..., 6) origin and
    # direction; (..., 8) origin, tmin, direction, tmax (dtype RAY is the same).  tmin, tmax: (...), in units of
    # the direction.  Segments: origins (..., 3) and to= (..., 3); t is 0 to 1; tmin and tmax are not for them.
    # mask: (...) uint32: triangles (and instances) that share a bit with it are there.
    # skip: triangles that are not there: prims (...) or (..., 2), or REF records of the same shapes; on a scene
    #       REF records only (Hits.ref).  NONE: none.
    # cull: which side of triangles does not count.
    # open_start, open_end: segments: a hit at t = 0, at t = 1 does not count.
    # crossings: surfaces crossed, not triangles touched: an edge that two triangles share counts once.
    # A prim or an instance that there is none of, in skip and ignore, is BadIndex.
    # filter: see _Filter.
    # ignore: scenes: instances that are not there: numbers (K,), or first and count (K, 2).
    def closest(self, origins: ArrayLike, directions: ArrayLike | None = None, *, to: ArrayLike | None = None,
                tmin: ArrayLike = 0.0, tmax: ArrayLike = ..., mask: ArrayLike | None = None,
                skip: ArrayLike | None = None, cull: _Cull = None, open_start: bool = False, open_end: bool = False,
                crossings: bool = False, filter: _Filter = None, ignore: ArrayLike | None = None,
                out: Hits | NDArray[np.void] | None = None, threads: int | None = None,
                progress: _Progress = None) -> Hits: ...
    def any(self, origins: ArrayLike, directions: ArrayLike | None = None, *, to: ArrayLike | None = None,
            tmin: ArrayLike = 0.0, tmax: ArrayLike = ..., mask: ArrayLike | None = None,
            skip: ArrayLike | None = None, cull: _Cull = None, open_start: bool = False, open_end: bool = False,
            crossings: bool = False, filter: _Filter = None, ignore: ArrayLike | None = None,
            out: NDArray[np.bool_] | None = None, threads: int | None = None,
            progress: _Progress = None) -> NDArray[np.bool_]: ...  # (...)
    def count(self, origins: ArrayLike, directions: ArrayLike | None = None, *, to: ArrayLike | None = None,
              tmin: ArrayLike = 0.0, tmax: ArrayLike = ..., mask: ArrayLike | None = None,
              skip: ArrayLike | None = None, cull: _Cull = None, open_start: bool = False, open_end: bool = False,
              crossings: bool = False, filter: _Filter = None, ignore: ArrayLike | None = None,
              out: NDArray[np.int64] | None = None, threads: int | None = None,
              progress: _Progress = None) -> NDArray[np.int64]: ...  # (...)
    # Every hit, sorted by (t, instance, prim).  capacity: keep that many nearest of each ray.
    def all(self, origins: ArrayLike, directions: ArrayLike | None = None, *, to: ArrayLike | None = None,
            tmin: ArrayLike = 0.0, tmax: ArrayLike = ..., capacity: int | None = None, mask: ArrayLike | None = None,
            skip: ArrayLike | None = None, cull: _Cull = None, open_start: bool = False, open_end: bool = False,
            crossings: bool = False, filter: _Filter = None, ignore: ArrayLike | None = None,
            threads: int | None = None, progress: _Progress = None) -> Ragged[Hits]: ...
    # The first hit behind previous, in the order (t, instance, prim); out may be previous.
    def next(self, previous: Hits | NDArray[np.void], origins: ArrayLike, directions: ArrayLike | None = None, *,
             to: ArrayLike | None = None, tmin: ArrayLike = 0.0, tmax: ArrayLike = ...,
             mask: ArrayLike | None = None, skip: ArrayLike | None = None, cull: _Cull = None,
             open_start: bool = False, open_end: bool = False, crossings: bool = False, filter: _Filter = None,
             ignore: ArrayLike | None = None, out: Hits | NDArray[np.void] | None = None,
             threads: int | None = None, progress: _Progress = None) -> Hits: ...
    # Whether anything lies between p and q, (..., 3) each; ends included unless open.
    # hints: (...) REF, read and written: a triangle to try first, and one that blocks.  Never changes an answer.
    def blocked(self, p: ArrayLike, q: ArrayLike, *, hints: NDArray[np.void] | None = None,
                mask: ArrayLike | None = None, skip: ArrayLike | None = None, cull: _Cull = None,
                open_start: bool = False, open_end: bool = False, filter: _Filter = None,
                ignore: ArrayLike | None = None, out: NDArray[np.bool_] | None = None,
                threads: int | None = None, progress: _Progress = None) -> NDArray[np.bool_]: ...
    # What blocks first: closest(p, to=q).
    def blockers(self, p: ArrayLike, q: ArrayLike, *, mask: ArrayLike | None = None, skip: ArrayLike | None = None,
                 cull: _Cull = None, open_start: bool = False, open_end: bool = False, filter: _Filter = None,
                 ignore: ArrayLike | None = None, out: Hits | NDArray[np.void] | None = None,
                 threads: int | None = None, progress: _Progress = None) -> Hits: ...
    # From one point (3,) to many, faster: any() in each direction (..., 3), up to one tmax; or, with to=,
    # blocked() to each target (..., 3).  mask and skip are the same for all.
    def fan(self, origin: ArrayLike, directions: ArrayLike | None = None, *, to: ArrayLike | None = None,
            tmax: float = ..., mask: int | None = None, skip: ArrayLike | None = None, cull: _Cull = None,
            open_start: bool = False, open_end: bool = False, filter: _Filter = None,
            ignore: ArrayLike | None = None, out: NDArray[np.bool_] | None = None, threads: int | None = None,
            progress: _Progress = None) -> NDArray[np.bool_]: ...
    # points (..., 3); max_distance: one for all.
    def nearest(self, points: ArrayLike, *, max_distance: float = ..., mask: ArrayLike | None = None,
                skip: ArrayLike | None = None, ignore: ArrayLike | None = None,
                out: Nearest | NDArray[np.void] | None = None, threads: int | None = None,
                progress: _Progress = None) -> Nearest: ...
    # The k nearest triangles, sorted by (distance, instance, prim): (..., k); behind the last one prim is NONE.
    def nearest_k(self, points: ArrayLike, k: int, *, max_distance: float = ..., mask: ArrayLike | None = None,
                  skip: ArrayLike | None = None, ignore: ArrayLike | None = None,
                  out: Nearest | NDArray[np.void] | None = None, threads: int | None = None,
                  progress: _Progress = None) -> Nearest: ...
    # All triangles within radius, sorted.
    def within(self, points: ArrayLike, radius: float, *, capacity: int | None = None, mask: ArrayLike | None = None,
               skip: ArrayLike | None = None, ignore: ArrayLike | None = None, threads: int | None = None,
               progress: _Progress = None) -> Ragged[Nearest]: ...
    # nearest() with the sign of inside(): negative inside.  by: of trees.
    def signed_distance(self, points: ArrayLike, *, max_distance: float = ..., by: _By = None, mask: ArrayLike | None = None,
                        skip: ArrayLike | None = None, ignore: ArrayLike | None = None, threads: int | None = None,
                        progress: _Progress = None) -> NDArray[np.float32]: ...
    # Triangles that a volume touches, in rising order: Ragged of REF records.  One kind a call:
    #   boxes (..., 2, 3) min, max; spheres (..., 4) centre, radius; capsules (..., 7) p, q, radius;
    #   obbs (..., 5, 3) centre, three axes, halves; frusta (..., P <= 8, 4) outward normal and offset of planes;
    #   triangles (..., 3, 3); hulls (..., P <= 256, 3) points.
    def overlap(self, *, boxes: ArrayLike | None = None, spheres: ArrayLike | None = None,
                capsules: ArrayLike | None = None, obbs: ArrayLike | None = None, frusta: ArrayLike | None = None,
                triangles: ArrayLike | None = None, hulls: ArrayLike | None = None, capacity: int | None = None,
                mask: ArrayLike | None = None, skip: ArrayLike | None = None, ignore: ArrayLike | None = None,
                threads: int | None = None, progress: _Progress = None) -> Ragged[NDArray[np.void]]: ...
    # Whether it touches any: (...) bool.
    def overlaps(self, *, boxes: ArrayLike | None = None, spheres: ArrayLike | None = None,
                 capsules: ArrayLike | None = None, obbs: ArrayLike | None = None, frusta: ArrayLike | None = None,
                 triangles: ArrayLike | None = None, hulls: ArrayLike | None = None, mask: ArrayLike | None = None,
                 skip: ArrayLike | None = None, ignore: ArrayLike | None = None,
                 out: NDArray[np.bool_] | None = None, threads: int | None = None,
                 progress: _Progress = None) -> NDArray[np.bool_]: ...
    # The pairs of triangles that meet, or are apart by no more than margin: (M,).
    def clash(self, other: Tree | Scene, *, margin: float = 0.0, relations: str | Iterable[str] | None = None,
              capacity: int | None = None, mask: int | None = None, other_mask: int | None = None,
              ignore: ArrayLike | None = None, other_ignore: ArrayLike | None = None,
              threads: int | None = None) -> Pairs: ...
    # Whether any meet; at (..., 4, 4): other under each of these transforms, (...) bool.
    @overload
    def clashes(self, other: Tree | Scene, *, at: None = None, margin: float = 0.0,
                relations: str | Iterable[str] | None = None, mask: int | None = None, other_mask: int | None = None,
                ignore: ArrayLike | None = None, other_ignore: ArrayLike | None = None,
                threads: int | None = None) -> bool: ...
    @overload
    def clashes(self, other: Tree | Scene, *, at: ArrayLike, margin: float = 0.0,
                relations: str | Iterable[str] | None = None, mask: int | None = None, other_mask: int | None = None,
                ignore: ArrayLike | None = None, other_ignore: ArrayLike | None = None,
                threads: int | None = None) -> NDArray[np.bool_]: ...
    # How far they are apart, and where: (), or (...) with transforms at (..., 4, 4).
    def distance(self, other: Tree | Scene, *, at: ArrayLike | None = None, max_distance: float = ...,
                 mask: int | None = None, other_mask: int | None = None, ignore: ArrayLike | None = None,
                 other_ignore: ArrayLike | None = None, threads: int | None = None) -> Distances: ...
    def curves(self, other: Tree | Scene, *, relations: str | Iterable[str] | None = None, mask: int | None = None,
               other_mask: int | None = None, ignore: ArrayLike | None = None, other_ignore: ArrayLike | None = None,
               progress: _Progress = None) -> Curves: ...
    def solids(self, other: Tree | Scene, *, by_parity: bool = False, mask: int | None = None,
               other_mask: int | None = None, ignore: ArrayLike | None = None, other_ignore: ArrayLike | None = None,
               progress: _Progress = None) -> Solids: ...
    # What volumes of one kind meet that move by directions (..., 3): the first, whether any, all in order.
    # touching, overlapping: "report", "ignore_receding", "ignore".  grazing: "report", "ignore".
    def sweep(self, directions: ArrayLike, *, boxes: ArrayLike | None = None, spheres: ArrayLike | None = None,
              capsules: ArrayLike | None = None, obbs: ArrayLike | None = None, triangles: ArrayLike | None = None,
              hulls: ArrayLike | None = None, touching: _Start = "report", overlapping: _Start = "report",
              grazing: _Grazing = "report", mask: ArrayLike | None = None, skip: ArrayLike | None = None, cull: _Cull = None,
              ignore: ArrayLike | None = None, filter: _Filter = None,
              out: NDArray[np.void] | Contacts | None = None, threads: int | None = None,
              progress: _Progress = None) -> Contacts: ...
    def sweep_any(self, directions: ArrayLike, *, boxes: ArrayLike | None = None, spheres: ArrayLike | None = None,
                  capsules: ArrayLike | None = None, obbs: ArrayLike | None = None,
                  triangles: ArrayLike | None = None, hulls: ArrayLike | None = None,
                  touching: _Start = "report", overlapping: _Start = "report", grazing: _Grazing = "report",
                  mask: ArrayLike | None = None, skip: ArrayLike | None = None, cull: _Cull = None,
                  ignore: ArrayLike | None = None, filter: _Filter = None, out: NDArray[np.bool_] | None = None,
                  threads: int | None = None, progress: _Progress = None) -> NDArray[np.bool_]: ...
    def sweep_all(self, directions: ArrayLike, *, boxes: ArrayLike | None = None, spheres: ArrayLike | None = None,
                  capsules: ArrayLike | None = None, obbs: ArrayLike | None = None,
                  triangles: ArrayLike | None = None, hulls: ArrayLike | None = None,
                  touching: _Start = "report", overlapping: _Start = "report", grazing: _Grazing = "report",
                  capacity: int | None = None, mask: ArrayLike | None = None, skip: ArrayLike | None = None,
                  cull: _Cull = None, ignore: ArrayLike | None = None, filter: _Filter = None, threads: int | None = None,
                  progress: _Progress = None) -> Ragged[Contacts]: ...
    # How to move them so that they overlap nothing: (..., 3); NaN where no way was found.
    def push_out(self, *, spheres: ArrayLike | None = None, capsules: ArrayLike | None = None,
                 max_distance: float = ..., mask: ArrayLike | None = None, skip: ArrayLike | None = None,
                 ignore: ArrayLike | None = None, out: NDArray[np.float64] | None = None,
                 threads: int | None = None, progress: _Progress = None) -> NDArray[np.float64]: ...
    # Where hits lie.
    def surface(self, hits: Hits | NDArray[np.void]) -> Surface: ...
    # A picture (H, W, 3) uint8.  camera None: one that sees everything, of width x height pixels.
    # show: "shade", "depth", "normal", "prim", "instance".  samples: rays along each side of a pixel.  ao: rays
    # of ambient occlusion for each hit, up to ao_distance (None: a quarter of the diagonal).
    def render(self, camera: Camera | None = None, *, width: int = 800, height: int = 600, show: str = "shade",
               samples: int = 1, ao: int = 0, ao_distance: float | None = None, background: tuple[int, int, int] = ...,
               threads: int | None = None, progress: _Progress = None) -> NDArray[np.uint8]: ...

class TreeInfo(NamedTuple):
    prim_count: int
    triangle_count: int
    reference_count: int
    node_count: int
    leaf_count: int
    depth: int
    sah_cost: float
    bytes: int
    quality: str
    layout: str
    kernel: str  # "avx2", ...

@final
class Tree(_Target):
    """A bounding volume hierarchy over a mesh.  Immutable, so any number of threads may ask it at once."""
    # mesh, or vertices and faces as for Mesh.  masks (T,) uint32: bits of each triangle.
    # keep_mesh: tree.mesh keeps it, which bake, Mesh.at and save of its arrays want; the tree itself does not.
    def __init__(self, mesh: Any, faces: ArrayLike | None = None, *, quality: _Quality = "default",
                 layout: _Layout = "default", masks: ArrayLike | None = None, max_memory: int = 0, max_tree_size: int = 0,
                 keep_mesh: bool = True, threads: int | None = None, progress: _Progress = None) -> None: ...
    @property
    def mesh(self) -> Mesh | None: ...  # None: not kept, or the tree is from a file
    @property
    def bounds(self) -> NDArray[np.float32]: ...  # (2, 3)
    @property
    def info(self) -> TreeInfo: ...
    @property
    def hash(self) -> int: ...  # of the mesh's corners, 64 bits
    @property
    def drift(self) -> float: ...  # what refits made of sah_cost; 1: nothing
    @property
    def path(self) -> str | None: ...  # of the file that it maps or was loaded from
    def __len__(self) -> int: ...  # triangles of the mesh
    def triangles(self, prims: ArrayLike | None = None) -> NDArray[np.float32]: ...  # (..., 3, 3); NaN: not there
    def to_mesh(self) -> Mesh: ...  # mesh, or its triangles with three vertices each
    def scene(self) -> Scene: ...  # the scene of this tree alone
    @property
    def closed(self) -> bool: ...  # whether an even number of triangles uses each edge: inside() judges by parity
    # points (..., 3): (...) bool; details: (...) Inside.  Closed meshes by parity, open ones by winding number; by: any.
    @overload
    def inside(self, points: ArrayLike, *, details: Literal[False] = False, by: _By = None, mask: int | None = None,
               skip: ArrayLike | None = None, threads: int | None = None, progress: _Progress = None) -> NDArray[np.bool_]: ...
    @overload
    def inside(self, points: ArrayLike, *, details: Literal[True], by: _By = None, mask: int | None = None,
               skip: ArrayLike | None = None, threads: int | None = None, progress: _Progress = None) -> Inside: ...
    # (M, 2) uint32: pairs of triangles that meet elsewhere than in what they share, in rising order.
    def self_overlap(self, *, mask: int | None = None, threads: int | None = None, progress: _Progress = None) -> NDArray[np.uint32]: ...
    # Numbers for points (..., 3) with normals (..., 3), float32: (...) float32.  what: "ao", the share of rays
    # of the hemisphere that meet nothing within distance; or "thickness", how far rays go inwards, their mean
    # or (least) the smallest.  The bits are those of the command `sightline bake`.
    # points None (trees that have their mesh): its vertices and their normals.
    # first: number of the first point, on which its rays depend: parts give the bits of the whole.
    def bake(self, what: Literal["ao", "thickness"], points: ArrayLike | None = None, normals: ArrayLike | None = None,
             *, rays: int = 256, distance: float | None = None, lift: float | None = None, spread: float | None = None,
             least: bool = False, first: int = 0, mask: int | None = None,
             out: NDArray[np.float32] | None = None, threads: int | None = None,
             progress: _Progress = None) -> NDArray[np.float32]: ...
    # The next version: the same triangles, elsewhere.  vertices (V, 3); faces None: those of tree.mesh.
    def refit(self, vertices: ArrayLike, faces: ArrayLike | None = None, *, bad: _Bad = "refuse",
              rebuild_share: float = 0.0, threads: int | None = None) -> Tree: ...
    def with_masks(self, masks: ArrayLike | None) -> Tree: ...  # (T,) uint32; None: all bits
    def check(self) -> None: ...  # proves the whole tree; BadData
    def save(self, path: _Path) -> None: ...
    def to_bytes(self) -> bytes: ...
    # trusted: not proven.  BadData for a file that is none.
    @classmethod
    def load(cls, path: _Path, *, trusted: bool = False) -> Tree: ...
    # Pages are shared by all processes that map it; the file must not be written to meanwhile.
    @classmethod
    def map(cls, path: _Path, *, trusted: bool = False) -> Tree: ...
    # data: any buffer.  in_place: no copy; data is kept alive and must not change.
    @classmethod
    def from_bytes(cls, data: Any, *, trusted: bool = False, in_place: bool = False) -> Tree: ...
    def __reduce_ex__(self, protocol: Any, /) -> Any: ...  # the bytes of its file (out of band with protocol 5)

class Instance(NamedTuple):
    """A tree or a scene under a transform; what None: a hole."""
    what: Tree | Scene | None = None
    # (4, 4) or (3, 4), row-major, float64: the last column moves.  None: where it is.
    transform: ArrayLike | None = None
    mask: int = 0xFFFFFFFF
    id: int = 0
    grid: float = 0.0  # corners are multiples of it: a power of two; 0: none

@final
class Scene(_Target):
    """Trees and scenes under transforms.  Exact in doubles, however far away.  Immutable; keeps what is in it alive."""
    # Trees, scenes, pairs (tree, transform) and Instances.  bad: what is done with an instance that cannot be used.
    def __init__(self, instances: Iterable[Tree | Scene | Instance | tuple[Tree | Scene, ArrayLike]], *,
                 bad: _Bad = "refuse", quality: _Quality = "default", previous: Scene | None = None,
                 static_memory: int = 0, threads: int | None = None) -> None: ...
    @property
    def instances(self) -> tuple[Instance, ...]: ...  # as given
    @property
    def bounds(self) -> NDArray[np.float64]: ...  # (2, 3)
    @property
    def triangle_count(self) -> int: ...
    @property
    def bytes(self) -> int: ...
    @property
    def static_count(self) -> int: ...
    def __len__(self) -> int: ...  # instance numbers, nested ones expanded
    def path(self, instance: int) -> tuple[tuple[int, int], ...]: ...  # (index, id) from the outermost inwards
    def triangles(self, refs: NDArray[np.void]) -> NDArray[np.float64]: ...  # REF (...) to (..., 3, 3); NaN: none
    def inside(self, points: ArrayLike, *, mask: ArrayLike | None = None, skip: ArrayLike | None = None,
               ignore: ArrayLike | None = None, threads: int | None = None,
               progress: _Progress = None) -> NDArray[np.bool_]: ...  # (...) in any instance, by parity
    def containing(self, points: ArrayLike, *, mask: ArrayLike | None = None, skip: ArrayLike | None = None,
                   ignore: ArrayLike | None = None, threads: int | None = None,
                   progress: _Progress = None) -> Ragged[NDArray[np.uint32]]: ...  # the instances that contain them
    # As Tree.bake, of all instances; points None: the vertices of each instance, a list of (V,) float32.
    @overload
    def bake(self, what: Literal["ao", "thickness"], points: None = None, normals: None = None, *, rays: int = 256,
             distance: float | None = None, lift: float | None = None, spread: float | None = None, least: bool = False,
             first: int = 0, mask: int | None = None, ignore: ArrayLike | None = None, out: None = None,
             threads: int | None = None, progress: _Progress = None) -> list[NDArray[np.float32]]: ...
    @overload
    def bake(self, what: Literal["ao", "thickness"], points: ArrayLike, normals: ArrayLike, *, rays: int = 256,
             distance: float | None = None, lift: float | None = None, spread: float | None = None, least: bool = False,
             first: int = 0, mask: int | None = None, ignore: ArrayLike | None = None,
             out: NDArray[np.float32] | None = None, threads: int | None = None,
             progress: _Progress = None) -> NDArray[np.float32]: ...
    # Which instances clash.  groups, against: (N,) bits; bodies: (N,) equal numbers are one body.
    def clashing(self, *, margin: float = 0.0, relations: str | Iterable[str] | None = None, limit: int = 0,
                 solids: bool = False, groups: ArrayLike | None = None, against: ArrayLike | None = None,
                 bodies: ArrayLike | None = None, previous: Clashes | None = None, mask: int | None = None,
                 ignore: ArrayLike | None = None, threads: int | None = None,
                 progress: _Progress = None) -> Clashes: ...
    # One mesh of floats, and the REF (T,) that each triangle is from.
    def flatten(self) -> tuple[Mesh, NDArray[np.void]]: ...
    # The nodes of a glTF file: each mesh once, and once more for a node with a skin or weights of its own.
    # names: of instances.  hidden_nodes: also those that the file hides.
    @classmethod
    def load(cls, path: _Path, *, quality: _Quality = "default", hidden_nodes: bool = False, threads: int | None = None,
             progress: _Progress = None) -> Scene: ...
    @property
    def left_out(self) -> dict[int, str]: ...  # why instances were left out, by their numbers
    @property
    def names(self) -> tuple[str, ...]: ...  # of instances loaded from a file; else ""
    def __reduce__(self) -> Any: ...

# ---- Cameras ----

@final
class Camera:
    """From pixels to rays and back.  The world is right-handed; the camera looks from eye to target."""
    width: int
    height: int
    def __init__(self, eye: ArrayLike, target: ArrayLike, up: ArrayLike = (0.0, 1.0, 0.0), *, fov_deg: float = 60.0,
                 ortho_height: float | None = None, near: float = 0.01, far: float = ..., width: int = 800,
                 height: int = 600) -> None: ...  # ortho_height: orthographic; fov_deg: vertical
    # Sees all of what, from the direction towards the eye.
    @classmethod
    def fit(cls, what: Any, towards: ArrayLike = (1.0, 0.7, 1.0), *, up: ArrayLike = (0.0, 1.0, 0.0),
            fov_deg: float = 40.0, orthographic: bool = False, width: int = 800, height: int = 600) -> Camera: ...
    # Of OpenCV's axes, and pixels whose middles are at .5; world_to_camera, or pose, (4, 4) or (3, 4).
    @classmethod
    def from_intrinsics(cls, fx: float, fy: float, cx: float, cy: float, width: int, height: int, *,
                        world_to_camera: ArrayLike | None = None, pose: ArrayLike | None = None, near: float = 0.01,
                        far: float = ...) -> Camera: ...
    @property
    def eye(self) -> NDArray[np.float32]: ...  # (3,)
    @property
    def view(self) -> NDArray[np.float32]: ...  # (4, 4) row-major: the world to the eye's space
    @property
    def projection(self) -> NDArray[np.float32]: ...  # (4, 4)
    # Through the middles of pixels (H, W), or of samples (H, W, samples^2): RAY records.
    def rays(self, samples: int = 1) -> NDArray[np.void]: ...
    def project(self, points: ArrayLike) -> NDArray[np.float32]: ...  # (..., 3) to pixels and depth (..., 3); NaN: none
    def __reduce__(self) -> Any: ...

# ---- The rest ----

def set_threads(count: int | None) -> None: ...  # default of threads=; None: the processors of this process
def get_threads() -> int: ...
def features() -> Mapping[str, bool]: ...  # "gltf", "gzip", "free_threaded"
# (H, W, 3) uint8 or (H, W) uint8 to a PNG file.
def write_png(path: _Path, image: NDArray[np.uint8]) -> None: ...
def colour_map(values: ArrayLike, low: float | None = None, high: float | None = None) -> NDArray[np.uint8]: ...  # (...) to (..., 3)
