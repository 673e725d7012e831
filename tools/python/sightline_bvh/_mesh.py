"""Meshes: from arrays, files and generators."""

import os
import warnings
from typing import NamedTuple

import numpy as np

from . import _arrays, _core, _progress, _threads
from ._errors import BadIndex, InvalidArgument, MeshWarning, Unsupported
from ._records import ATTRIBUTES, FAULT, NEAREST, NEAREST_D, NONE, NOTE_KINDS

BAD = {"refuse": 0, "leave_out": 1}
_KEEP = {"normals": 1, "uvs": 2, "colours": 4}
_DROP = {"left_out": 1, "zero_area": 2, "duplicates": 4}


class Part(NamedTuple):
    """A run of triangles that the file sets apart by name, material or node."""

    name: str
    material: str
    node: str
    node_index: int
    first: int
    triangle_count: int


class Note(NamedTuple):
    """What a file has and the mesh has not."""

    kind: str
    what: str
    total: int
    line: int | None
    byte: int | None
    words: str

    def __str__(self):
        what = f" ({self.what})" if self.what else ""
        line, byte = self.line is not None, self.byte is not None
        place = f", the first in line {self.line}" if line else f", the first at byte {self.byte}" if byte else ""
        return f"{self.words}{what}: {self.total}{place}"


def _shown(row):
    """A named tuple on one line: an array is its shape and dtype."""

    def text(value):
        if not isinstance(value, np.ndarray):
            return repr(value)
        return f"<{value.shape} {'records' if value.dtype.names else value.dtype}>"

    fields = (f"{name}={text(value)}" for name, value in zip(row._fields, row, strict=True))
    return f"{type(row).__name__}({', '.join(fields)})"


class Attribute(NamedTuple):
    """Rows of an attribute, and three row numbers a triangle; indices None: a row for each vertex."""

    values: np.ndarray
    indices: np.ndarray | None

    def __repr__(self):
        return _shown(self)


class Report(NamedTuple):
    """The faults of a mesh, counted."""

    left_out: int
    not_finite_vertices: int
    unused_vertices: int
    distinct_positions: int
    duplicates: int
    zero_area: int
    edges: int
    open_edges: int
    nonmanifold_edges: int
    misoriented_edges: int
    closed: bool
    self_intersections: int | None
    faults: np.ndarray | None

    def __repr__(self):
        return _shown(self)


class Welded(NamedTuple):
    """What weld() made: the mesh, what was merged and dropped, and the new numbers of what there was."""

    mesh: "Mesh"
    merged_vertices: int
    unused_vertices: int
    left_out: int
    zero_area: int
    duplicates: int
    triangle_map: np.ndarray
    vertex_map: np.ndarray

    def __repr__(self):
        return _shown(self)


def choice(table, value, name):
    """The number that stands for a word."""
    try:
        return table[value]
    except (KeyError, TypeError):
        words = " or ".join(repr(word) for word in table)
        raise InvalidArgument(f"{name} is {words}, not {value!r}") from None


def bits(table, values, name):
    """The bits that words stand for."""
    if values is None:
        return 0
    if isinstance(values, str):
        raise InvalidArgument(f"{name} is a sequence of {', '.join(map(repr, table))}, not {values!r}")
    found = 0
    for value in values:
        found |= choice(table, value, name)
    return found


# What makes triangles of what a mesh may be elsewhere, where its arrays are not read: the methods that tell it.
_TO_TRIANGLES = (
    ("to_mesh", "to_mesh()"),  # a scene of trimesh
    ("combine", "combine().extract_surface().triangulate()"),  # blocks of pyvista
    ("extract_surface", "extract_surface().triangulate()"),  # its grids
)


def arrays_of(mesh):
    """Vertices and faces of a mesh of trimesh, Open3D (either kind) or pyvista, or of anything alike; else None.

    What is a mesh, or a part of one, and has no triangles to take is refused.
    """
    if isinstance(mesh, (str, bytes, os.PathLike)):
        raise InvalidArgument(f"a mesh is of arrays, not of the path {mesh!r}: load(path) gives the mesh of a file")
    if isinstance(mesh, (np.ndarray, list, tuple)) or hasattr(mesh, "__array__") or hasattr(mesh, "__dlpack__"):
        return None
    kind = type(mesh).__name__
    if hasattr(mesh, "vertex") and hasattr(mesh, "triangle"):
        try:
            return mesh.vertex["positions"], mesh.triangle["indices"]
        except (KeyError, RuntimeError) as fault:
            raise InvalidArgument(f"{kind} has no vertices or no triangles: {fault}") from None
    vertices = getattr(mesh, "vertices", None)
    faces = getattr(mesh, "faces", getattr(mesh, "triangles", None))
    if vertices is not None and faces is not None:
        return vertices, faces
    vertices = getattr(mesh, "points", None)
    if vertices is not None and faces is not None:
        flat = _arrays.given(faces, "faces").reshape(-1)
        if getattr(mesh, "n_strips", 0) or flat.size % 4 or (flat[::4] != 3).any():
            raise InvalidArgument(f"{kind} has other polygons than triangles: write what.triangulate()")
        if flat.size:
            return vertices, flat.reshape(-1, 4)[:, 1:]
    cloud = vertices is not None and faces is not None
    way = next((way for name, way in _TO_TRIANGLES if not cloud and hasattr(mesh, name)), None)
    if way is None and not any(hasattr(mesh, name) for name in ("vertices", "points", "point")):
        return None
    write = f"what.{way}" if way else "Mesh(vertices, faces), with arrays (V, 3) and (T, 3)"
    raise InvalidArgument(f"{kind} has no triangles to take: write {write}")


def _faces_to_write(array):
    """What makes triangles of faces of another shape."""
    if array.ndim == 1 and array.size % 4 == 0 and (array[::4] == 3).all():
        return "numpy.reshape(faces, (-1, 4))[:, 1:]"
    polygons = array.ndim == 2 and array.shape[1] > 3 and array.shape[0] != 3
    return _arrays.TO_TRIANGLES if polygons else None


def faces_of(faces, vertex_count, refuse):
    """(T, 3) uint32; the numbers of no vertex become NONE."""
    array = _arrays.given(faces, "faces")
    if array.size == 0 and array.ndim != 2:
        array = np.empty((0, 3), np.uint32)
    if array.dtype.kind not in "iu" and array.size:
        raise _arrays.not_whole(faces, array, "faces")
    if array.ndim != 2 or array.shape[1] != 3:
        raise _arrays.misfit(array, "faces", "(T, 3)", 3, _faces_to_write(array))
    if array.dtype != np.uint32 or not array.flags.c_contiguous:
        wide = array.dtype.kind == "i" or array.dtype.itemsize > 4
        bad = (array < 0) | (array >= NONE) if wide and array.size else None
        if bad is not None and bad.any():
            prim, corner = np.argwhere(bad)[0]
            if refuse:
                raise BadIndex(
                    f"triangle {prim}, corner {corner}: vertex {array[prim, corner]}, but the last one is "
                    f"{vertex_count - 1} (counted from 0)",
                    index=int(prim),
                )
            array = np.where(bad, NONE, array)
        array = array.astype(np.uint32)
    return _arrays.packed(array)


def narrow(vertices, recentre=False):
    """Vertices in float32; the origin that was subtracted from them, and the most that rounding moved any."""
    array = _arrays.floats(vertices, "vertices")
    if array.size == 0 and array.ndim != 2:
        array = np.empty((0, 3), np.float32)
    if array.ndim != 2 or array.shape[1] != 3:
        raise _arrays.misfit(array, "vertices", "(V, 3)", 3)
    origin = np.zeros(3)
    if array.dtype == np.float32 and not recentre:
        return _arrays.packed(array), origin, 0.0
    wide = array.astype(np.float64)
    finite = wide[np.isfinite(wide).all(axis=1)]
    if recentre and len(finite):
        origin = finite.min(axis=0) / 2 + finite.max(axis=0) / 2
        wide -= origin
    with np.errstate(over="ignore", invalid="ignore"):
        rounded = wide.astype(np.float32, order="C")
        moved = np.abs(rounded - wide)
    moved = moved[np.isfinite(moved)]
    return rounded, origin, float(moved.max()) if moved.size else 0.0


def _attribute(given, name, widths, vertex_count, triangle_count):
    """As sightline_bvh._core takes one."""
    if given is None:
        return None
    values, indices = given if isinstance(given, tuple) else (given, None)
    array = _arrays.given(values, name)
    whole_bytes = name == "colours" and array.dtype == np.uint8
    array = _arrays.floats(array, name).astype(np.float32, copy=False)
    if whole_bytes:
        array = array / np.float32(255)
    if array.ndim != 2 or array.shape[1] not in widths:
        raise _arrays.misfit(array, name, f"(R, {' or '.join(map(str, widths))})", widths[0])
    if array.shape[1] == 3 and widths[-1] == 4:
        array = np.concatenate([array, np.ones((len(array), 1), np.float32)], axis=1)
    if indices is None:
        if len(array) != vertex_count:
            raise InvalidArgument(f"{name} have {len(array)} rows without indices, and there are {vertex_count} vertices")
    else:
        indices = _arrays.whole(indices, f"indices of {name}", -1)
        if indices.shape != (triangle_count, 3):
            raise InvalidArgument(f"indices of {name} have the shape {indices.shape}; ({triangle_count}, 3) is wanted")
        indices = _arrays.packed(indices)
    return _arrays.packed(array), widths[-1], indices


def view(memory, dtype, width):
    """(R, width) of memory of the library, read only."""
    if memoryview(memory).nbytes == 0:
        array = np.empty((0, width), dtype)
        array.flags.writeable = False
        return array
    return np.frombuffer(memory, dtype).reshape(-1, width)


def _kept(kind, width, doc):
    def get(self):
        found = _core.mesh_attribute(self._handle, kind)
        if found is None:
            return None
        values, indices = found
        return Attribute(view(values, np.float32, width), None if indices is None else view(indices, np.uint32, 3))

    return property(get, doc=doc)


class Mesh:
    """Triangles.  A mesh never changes, and is checked once, when it is made.

    vertices  (V, 3): kept as float32; float64 is rounded once, and rounding says by how much.  Or, without
              faces, a mesh of trimesh, Open3D or pyvista, or what else has vertices and faces: these are read
    faces     (T, 3) of any integer type; None: 0, 1, 2, ...
    bad       "refuse": a triangle with an index out of range or a coordinate that is not finite raises
              BadIndex or NotFinite; "leave_out": that triangle is left out, and the others keep their numbers
    recentre  the middle of the bounds is moved to the origin before rounding; origin says by how much
    uvs       (R, 2), normals (R, 3), colours (R, 3 or 4), 0 to 1 or uint8: a row for each vertex, or
              (rows, indices (T, 3))

    >>> import sightline_bvh as sightline
    >>> mesh = sightline.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    >>> len(mesh), mesh.vertices.dtype, mesh.faces.dtype
    (1, dtype('float32'), dtype('uint32'))
    >>> sightline.Mesh([[0, 0, 0]], [[0, 0, 7]])
    Traceback (most recent call last):
    sightline_bvh.BadIndex: triangle 0, corner 2: vertex 7, but the last one is 0 (counted from 0)
    """

    __slots__ = ("_handle", "_info", "_parts", "_polygons", "_origin", "_rounding", "_format", "_notes", "__weakref__")

    def __init__(
        self, vertices, faces=None, *, bad="refuse", recentre=False, uvs=None, normals=None, colours=None
    ):  # fmt: skip
        leave_out = choice(BAD, bad, "bad")
        if isinstance(vertices, Mesh):
            raise InvalidArgument("a Mesh is one already; of its arrays: write Mesh(mesh.vertices, mesh.faces)")
        if faces is None:
            vertices, faces = arrays_of(vertices) or (vertices, None)
        xyz, origin, rounding = narrow(vertices, recentre)
        count = len(xyz)
        if faces is None:
            if count % 3:
                raise InvalidArgument(f"{count} vertices without faces are no whole number of triangles")
            indices, triangles = None, count // 3
        else:
            indices = faces_of(faces, count, not leave_out)
            triangles = len(indices)
        handle = _core.mesh_from_arrays(
            xyz, count, indices, triangles, leave_out,
            _attribute(uvs, "uvs", (2,), count, triangles),
            _attribute(normals, "normals", (3,), count, triangles),
            _attribute(colours, "colours", (3, 4), count, triangles),
        )  # fmt: skip
        self._set(handle)
        self._origin = origin
        self._rounding = rounding

    def _set(self, handle):
        self._handle = handle
        self._info = _core.mesh_info(handle)
        self._format = self._info[0]
        self._parts = self._polygons = None
        self._notes = tuple(
            Note(NOTE_KINDS[kind], what, count, line or None, byte if byte >= 0 else None, words)
            for kind, what, count, line, byte, words in _core.mesh_notes(handle)
        )
        self._origin = np.array(self._info[5])
        self._rounding = self._info[6]

    @classmethod
    def _of(cls, handle):
        mesh = cls.__new__(cls)
        mesh._set(handle)
        return mesh

    @property
    def vertices(self):
        """(V, 3) float32, a read-only view."""
        return view(_core.mesh_arrays(self._handle)[0], np.float32, 3)

    @property
    def faces(self):
        """(T, 3) uint32, a read-only view; three times NONE for a triangle that was left out."""
        return view(_core.mesh_arrays(self._handle)[1], np.uint32, 3)

    @property
    def triangles(self):
        """(T, 3, 3) float32: the corners, copied; NaN where a triangle was left out."""
        faces = self.faces
        out = faces[:, :1] == NONE
        corners = self.vertices[np.where(out, 0, faces)] if len(faces) else np.empty((0, 3, 3), np.float32)
        corners[out[:, 0]] = np.nan
        return corners

    @property
    def bounds(self):
        """(2, 3) float32: min and max of the vertices that triangles use; +inf, -inf where there are none."""
        return np.array(self._info[7], np.float32)

    @property
    def origin(self):
        """(3,) float64: what recentre subtracted from every coordinate."""
        return self._origin.copy()

    @property
    def rounding(self):
        """The most that a coordinate moved by rounding to float32, in units."""
        return self._rounding

    @property
    def left_out(self):
        """How many triangles were left out."""
        return self._info[4]

    @property
    def format(self):
        """Where it is from: "obj", "ply", "stl", "off", "gltf", "glb", "arrays" or "generated"."""
        return self._format

    @property
    def parts(self):
        """What the file separates by name, in the order of triangles; () where it names nothing."""
        if self._parts is None:
            self._parts = tuple(Part(*part) for part in _core.mesh_parts(self._handle))
        return self._parts

    @property
    def notes(self):
        """What the file that was loaded has and the mesh has not; () where it has nothing of the kind.

        >>> import warnings, sightline_bvh as sightline
        >>> with warnings.catch_warnings(record=True) as caught:
        ...     mesh = sightline.loads(b"v 0 0 0\\nv 1 0 0\\nv 0 1 0\\nf 1 2 3\\nl 1 2\\n", "a.obj")
        >>> mesh.notes[0].kind, mesh.notes[0].what, str(caught[0].message)
        ('geometry', 'l', 'a.obj: geometry that is not read (l): 1, the first in line 5')
        """
        return self._notes

    uvs = _kept(2, 2, "Texture coordinates, rows of 2; None where there are none.")
    normals = _kept(1, 3, "Normals of the file, rows of 3; None where there are none.")
    colours = _kept(4, 4, "Colours, rows of 4: red, green, blue, alpha; None where there are none.")

    @property
    def polygons(self):
        """(T,) uint32: the face of the file that each triangle is of."""
        if self._polygons is None:
            out = np.empty(len(self), np.uint32)
            _core.mesh_polygons(self._handle, out)
            out.flags.writeable = False
            self._polygons = out
        return self._polygons

    @property
    def hash(self):
        """Identifies the corners of the triangles: 64 bits; a tree over them has the same."""
        return _core.mesh_hash(self._handle)

    def __len__(self):
        return self._info[2]

    def __repr__(self):
        return f"<Mesh of {self._info[2]} triangles, {self._info[1]} vertices, from {self.format}>"

    def part_of(self, prim):
        """The number in parts of each triangle (...): uint32; NONE where there is none.

        >>> import sightline_bvh as sightline
        >>> mesh = sightline.loads(b"v 0 0 0\\nv 1 0 0\\nv 0 1 0\\ng leaf\\nf 1 2 3\\n", "tree.obj")
        >>> mesh.parts[mesh.part_of(0)].name
        'leaf'
        """
        prim = _arrays.whole(prim, "prim", -1)
        if not self.parts:
            return np.full(prim.shape, NONE, np.uint32)
        first = np.array([part.first for part in self.parts])
        part = np.searchsorted(first, prim, side="right") - 1
        return np.where(prim < len(self), part, NONE).astype(np.uint32)

    def at(self, hits):
        """What there is at Hits or Nearest on this mesh: (...) ATTRIBUTES.

        uv, colour and normal are those between the corners of the triangle; kept has the bits 1 (normal),
        2 (uv) and 4 (colour) of those that all three have; the others are 0.  face is the polygon of the
        file, part the number in parts; of a miss both are NONE.

        >>> import sightline_bvh as sightline
        >>> mesh = sightline.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], uvs=[[0, 0], [1, 0], [0, 1]])
        >>> mesh.at(sightline.Tree(mesh).nearest([0.25, 0.5, 1]))["uv"]
        array([0.25, 0.5 ], dtype=float32)
        """
        array = _arrays.hits_of(hits, also=(NEAREST, NEAREST_D))
        out = np.empty(array.shape, ATTRIBUTES)
        flat = array.reshape(-1)
        _core.mesh_at(self._handle, flat["prim"], flat["u"], flat["v"], flat.size, out)
        if self._parts is not None or self._polygons is not None:
            known = out["face"] != NONE
            prim = np.where(known, array["prim"], 0)
            if len(self):
                out["face"] = np.where(known, self.polygons[prim], NONE)
            out["part"] = np.where(known, self.part_of(prim), NONE)
        return out

    def vertex_normals(self):
        """(V, 3) float32: the mean of the normals of the triangles around each vertex, weighted by area, of
        unit length; 0 where there is none."""
        out = np.empty((self._info[1], 3), np.float32)
        _core.bake_normals(self._handle, out)
        return out

    def weld(self, *, drop=(), progress=None):
        """A mesh in which vertices at equal positions are one, and unused ones are dropped: Welded.

        drop: kinds of triangles to drop, of "left_out", "zero_area" and "duplicates".

        >>> import sightline_bvh as sightline
        >>> sightline.soup(1, 1.0).weld().merged_vertices
        0
        """
        triangles, vertices = np.empty(self._info[2], np.uint32), np.empty(self._info[1], np.uint32)
        bits_of = bits(_DROP, drop, "drop")
        made = _progress.run(
            progress, 1000, lambda report: _core.mesh_weld(self._handle, bits_of, triangles, vertices, report)
        )
        mesh = Mesh._of(made[0])
        mesh._origin, mesh._rounding = self._origin, self._rounding
        return Welded(mesh, *made[1:], triangles, vertices)

    def check(self, *, faults=False, self_intersections=False, progress=None, threads=None):
        """The faults of the mesh, counted: Report; faults: each of them, (M,) FAULT, too.

        self_intersections: how many pairs of triangles meet elsewhere than in what they share; a tree is
        built for it.

        >>> import sightline_bvh as sightline
        >>> report = sightline.sphere(4).check(self_intersections=True)
        >>> report.closed, report.open_edges, report.self_intersections
        (True, 0, 0)
        """
        numbers, memory = _progress.run(
            progress, 1000, lambda report: _core.mesh_faults(self._handle, int(faults), report)
        )
        rows = None if memory is None else np.frombuffer(memory, FAULT) if numbers and len(memoryview(memory)) else None
        if faults and rows is None:
            rows = np.empty(0, FAULT)
        pairs = None
        if self_intersections:
            from ._tree import Tree

            pairs = len(Tree(self, threads=threads).self_overlap(threads=threads))
        return Report(*numbers, pairs, rows)

    def save(self, path, *, vertices=None, quality=None, colours=None):
        """Saves as OBJ, binary STL or binary glTF, where path ends in .obj, .stl or .glb, or else as binary PLY.

        The file appears under its name only when it is complete.  OBJ and glTF keep parts; OBJ, glTF and PLY normals,
        texture coordinates and colours, PLY those by vertex (and its vertices as they are), OBJ such colours.
        vertices: edited positions, (V, 3); in PLY also quality, a number for each vertex, (V,), and colours,
        (V, 3 or 4) uint8.  IOFailed.
        """
        count = self._info[1]
        rgb = alpha = None
        if vertices is not None:
            vertices = _arrays.packed(np.broadcast_to(np.asarray(vertices, np.float32), (count, 3)))
        if quality is not None:
            quality = _arrays.packed(np.broadcast_to(_arrays.floats(quality, "quality").astype(np.float32), (count,)))
        if colours is not None:
            table = _arrays.given(colours, "colours")
            if table.dtype != np.uint8 or table.ndim != 2 or len(table) != count or table.shape[1] not in (3, 4):
                raise InvalidArgument(f"colours are ({count}, 3 or 4) of uint8, not {table.shape} of {table.dtype}")
            rgb = np.ascontiguousarray(table[:, :3])
            alpha = np.ascontiguousarray(table[:, 3]) if table.shape[1] == 4 else None
        name = _arrays.path_of(path)
        ending = os.path.splitext(name)[1].lower()
        if ending in (b".gltf", b".off", b".gz"):
            raise Unsupported(f"meshes are saved as .ply, .obj, .stl or .glb, not as {ending.decode()}")
        ending = ending if ending in (b".obj", b".stl", b".glb") else b".ply"
        _core.mesh_save(self._handle, name, ending, vertices, quality, rgb, alpha)

    def __reduce__(self):
        tables = [table and (table.values, table.indices) for table in (self.uvs, self.normals, self.colours)]
        extra = (self._origin, self._rounding, self._format, self._notes, self.parts, self.polygons)
        return _restore, (self.vertices, self.faces, tables, extra)

    def __eq__(self, other):
        if not isinstance(other, Mesh):
            return NotImplemented
        mine, theirs = self.__reduce__()[1], other.__reduce__()[1]
        return _same(mine[:3], theirs[:3])

    def __hash__(self):
        return hash((self._info[1], self.hash))


def _same(a, b):
    if isinstance(a, (tuple, list)):
        return isinstance(b, (tuple, list)) and len(a) == len(b) and all(map(_same, a, b))
    if a is None or b is None:
        return a is b
    return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()


def _restore(vertices, faces, tables, extra):
    """A mesh from what __reduce__ gave."""
    uvs, normals, colours = tables
    mesh = Mesh(vertices, faces, bad="leave_out", uvs=uvs, normals=normals, colours=colours)
    mesh._origin, mesh._rounding, mesh._format, mesh._notes, mesh._parts, mesh._polygons = extra
    return mesh


def warn_of(meshes, path, level):
    """Warns once of all that the file of meshes has and they have not; level is the stacklevel of the warning."""
    notes = [str(note) for mesh in meshes for note in mesh.notes]
    if notes:
        place = f"{os.fsdecode(path)}: " if path else ""
        warnings.warn(place + "; ".join(notes), MeshWarning, stacklevel=level)


def nearest_floats(vertices, faces):
    """A mesh in floats, around the origin or around the middle of its bounds: where it is rounded less."""
    vertices, faces = _arrays.given(vertices, "vertices"), _arrays.given(faces, "faces")
    plain = Mesh(vertices, faces)
    if plain.rounding == 0:
        return plain
    moved = Mesh(vertices, faces, recentre=True)
    return moved if moved.rounding < plain.rounding / 2 else plain


_NEEDS_IO = (".gltf", ".glb", ".gz")


def _first_bytes(path):
    """Of a file; b"" where there is none, which loading reports."""
    try:
        with open(path, "rb") as file:
            return file.read(4)
    except OSError:
        return b""


def _load(path, data, bad, recentre, hidden_nodes, keep, max_memory, max_file_size, progress):
    name = _arrays.path_of(path)
    leave_out = choice(BAD, bad, "bad")
    kept = bits(_KEEP, keep, "keep")
    max_memory, max_file_size = (
        _arrays.integer(n, name_) for n, name_ in ((max_memory, "max_memory"), (max_file_size, "max_file_size"))
    )
    if not _core.IO:
        begin = _first_bytes(path) if data is None else bytes(data[:4])
        if os.fsdecode(path).lower().endswith(_NEEDS_IO) or begin == b"glTF" or begin[:2] == b"\x1f\x8b":
            raise Unsupported(
                "glTF and gzip are not in this build of sightline: it was made without libjansson, zlib or libpng",
                file=os.fsdecode(path) or None,
            )
    handle = _progress.run(
        progress,
        1000,
        lambda report: _core.mesh_load(
            name, data, leave_out, int(bool(recentre)), int(bool(hidden_nodes)), kept, max_memory, max_file_size, report
        ),
    )
    mesh = Mesh._of(handle)
    warn_of([mesh], path, 4)
    return mesh


def load(
    path, *, bad="refuse", recentre=False, hidden_nodes=False, keep=("uvs", "normals", "colours"), max_memory=0,
    max_file_size=0, progress=None,
):  # fmt: skip
    """A mesh from a file: OBJ, PLY, STL, OFF, and, where the build has them (features()), glTF and gzip.

    The format is detected from the content, and from the ending of the name if that does not decide.  Names of
    groups, materials and nodes are kept as parts.  keep: which attributes are kept; None: none.  max_memory:
    bytes that loading may take (0: 64 MiB + 40 times the size of the file); max_file_size: bytes (0: any
    number).  bad and recentre as of Mesh.  hidden_nodes: those that a glTF file hides are taken, too.

    Warns with MeshWarning of what the file has and the mesh has not (Mesh.notes), once.
    Raises NotFound, IOFailed, BadData, BadIndex, NotFinite, Unsupported and TooLarge, with file, line and index.
    """
    return _load(path, None, bad, recentre, hidden_nodes, keep, max_memory, max_file_size, progress)


def loads(
    data, name="", *, bad="refuse", recentre=False, hidden_nodes=False, keep=("uvs", "normals", "colours"), max_memory=0,
    progress=None,
):  # fmt: skip
    """The same from bytes or any other buffer; name gives the ending, and appears in errors.

    >>> import sightline_bvh as sightline
    >>> sightline.loads(b"v 0 0 0\\nv 1 0 0\\nv 0 one 0\\nf 1 2 3\\n", "bad.obj")
    Traceback (most recent call last):
    sightline_bvh.BadData: bad.obj:3: expected three numbers behind v, found 'one'
    """
    if isinstance(data, str):
        raise InvalidArgument("data are bytes, not text: write data.encode()")
    return _load(name, memoryview(data), bad, recentre, hidden_nodes, keep, max_memory, 0, progress)


def _count(value, name):
    return _arrays.integer(value, name, 0, NONE)


def sphere(n=16):
    """The unit sphere: an octahedron whose faces are cut into n * n triangles; 8 n^2 in all.

    >>> import sightline_bvh as sightline
    >>> len(sightline.sphere(16))
    2048
    """
    return Mesh._of(_core.mesh_generate("sphere", _count(n, "n"), 0, 0.0, 0.0))


def torus(rings=48, sides=24, major=1.0, minor=0.25):
    """A torus around the z axis: rings * sides quads, two triangles each."""
    radii = _arrays.number(major, "major"), _arrays.number(minor, "minor")
    return Mesh._of(_core.mesh_generate("torus", _count(rings, "rings"), _count(sides, "sides"), *radii))


def grid(nx, ny, height=0.0, seed=0):
    """Terrain: nx * ny quads over [0, nx] x [0, ny], z between 0 and height, facing +z."""
    height, seed = _arrays.number(height, "height"), float(_count(seed, "seed"))
    return Mesh._of(_core.mesh_generate("grid", _count(nx, "nx"), _count(ny, "ny"), height, seed))


def soup(count, size, seed=0):
    """count triangles with corners within size of random centres in the unit cube."""
    count, seed = _arrays.integer(count, "count"), _arrays.integer(seed, "seed")
    return Mesh._of(_core.mesh_generate("soup", count, seed, _arrays.number(size, "size"), 0.0))
