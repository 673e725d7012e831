"""Trees."""

import os
import pickle
from typing import NamedTuple

import numpy as np

from . import _arrays, _bake, _core, _progress, _threads
from ._errors import InvalidArgument
from ._mesh import BAD, Mesh, choice, faces_of, narrow
from ._queries import TreeOrScene
from ._records import INSIDE, REF, Inside

QUALITIES = {"default": 0, "fast": 1, "high": 2}
_LAYOUTS = {"default": 0, "compact": 1}
_ALL = 0xFFFFFFFF


class TreeInfo(NamedTuple):
    """What a tree is made of."""

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
    kernel: str


class Tree(TreeOrScene):
    """A bounding volume hierarchy over a mesh.  It never changes, so any number of threads may ask it at once.

    mesh      a Mesh; or vertices and faces, or a mesh of another package, as for Mesh
    quality   "default", "fast" (for a tree that is soon thrown away) or "high" (for many millions of queries)
    layout    "default", or "compact": about half the memory, and queries take 1.1 to 1.7 times as long
    masks     (T,) uint32: bits of each triangle, for the mask of queries, 0 meaning all; None: all
    max_memory, max_tree_size  bytes that the build may hold at once, and that the tree may take; 0: any number
    keep_mesh  whether tree.mesh keeps the mesh; the tree has a copy of the triangles

    Raises TooLarge, OutOfMemory; Cancelled where progress returns False.

    >>> import sightline_bvh as sightline
    >>> tree = sightline.Tree(sightline.sphere(16), quality="high")
    >>> len(tree), tree.info.quality
    (2048, 'high')
    """

    __slots__ = ("_handle", "_info", "_mesh", "_moved", "_masks", "_boundary", "_path", "__weakref__")

    def __init__(
        self, mesh, faces=None, *, quality="default", layout="default", masks=None, max_memory=0, max_tree_size=0,
        keep_mesh=True, threads=None, progress=None,
    ):  # fmt: skip
        if mesh is None or isinstance(mesh, TreeOrScene):
            raise InvalidArgument(f"a tree is of a mesh, or of vertices and faces, not of {mesh!r}")
        if not isinstance(mesh, Mesh):
            mesh = Mesh(mesh, faces)
        elif faces is not None:
            raise InvalidArgument("a Mesh has its faces")
        if masks is not None:
            masks = _triangle_masks(masks, len(mesh))
        quality, layout = choice(QUALITIES, quality, "quality"), choice(_LAYOUTS, layout, "layout")
        max_memory, max_tree_size = (
            _arrays.integer(n, name) for n, name in ((max_memory, "max_memory"), (max_tree_size, "max_tree_size"))
        )
        threads = _threads.of(threads, len(mesh), 20000)
        handle = _progress.run(
            progress,
            1000,
            lambda report: _core.tree_build(
                mesh._handle, quality, layout, masks, max_memory, max_tree_size, threads, report
            ),
        )
        self._set(handle, mesh if keep_mesh else None, masks)

    def _set(self, handle, mesh=None, masks=None, path=None):
        self._handle = handle
        self._info = _core.bvh_info(handle)
        self._mesh = mesh
        self._moved = None
        self._masks = masks
        self._boundary = None
        self._path = path
        return self

    @classmethod
    def _of(cls, handle, **known):
        return cls.__new__(cls)._set(handle, **known)

    # ---- What is asked ----

    def _filter(self, given):
        if callable(given):
            return given
        return (_arrays.booleans(given, len(self)),)

    # ---- What it is ----

    @property
    def mesh(self):
        """The mesh that it was built over, where that was kept."""
        if self._moved is not None:
            vertices, faces, origin, rounding = self._moved
            self._mesh = Mesh(vertices, faces, bad="leave_out")
            self._mesh._origin, self._mesh._rounding = origin, rounding
            self._moved = None
        return self._mesh

    @property
    def bounds(self):
        """(2, 3) float32: min and max; +inf, -inf where there are no triangles."""
        return np.array(self._info[11], np.float32)

    @property
    def info(self):
        """What the tree is made of: TreeInfo."""
        numbers = list(self._info[:11])
        numbers[8] = list(QUALITIES)[numbers[8]]
        numbers[9] = list(_LAYOUTS)[numbers[9]]
        return TreeInfo(*numbers)

    @property
    def hash(self):
        """Identifies the corners of the triangles: 64 bits, as Mesh.hash."""
        return _core.tree_hash(self._handle)

    @property
    def drift(self):
        """info.sah_cost over what it was when the tree was built or loaded: 1 if it was never refitted."""
        return _core.tree_drift(self._handle)

    @property
    def path(self):
        """The file that the tree was loaded from or maps; None: none."""
        return self._path

    def __len__(self):
        return self._info[0]

    def __repr__(self):
        return f"<Tree of {self._info[1]} triangles, {self._info[7]} bytes, {self._info[10]}>"

    def triangles(self, prims=None):
        """(..., 3, 3) float32: the corners of triangles (...), None: of all; NaN where there is none."""
        prims = np.arange(len(self), dtype=np.uint32) if prims is None else _arrays.whole(prims, "prims", -1)
        out = np.empty((*prims.shape, 3, 3), np.float32)
        _core.bvh_triangles(self._handle, None, prims.reshape(-1), prims.size, 0, out)
        return out

    def to_mesh(self):
        """Its mesh, or else its triangles, with three vertices each."""
        mesh = self.mesh
        return mesh if mesh is not None else Mesh(self.triangles().reshape(-1, 3), bad="leave_out")

    def scene(self):
        """The Scene of this tree alone, where it stands."""
        from ._scene import Instance, Scene

        return Scene([Instance(self if self._info[1] else None)])

    @property
    def _prim_counts(self):
        """Of the only instance, as Scene._prim_counts."""
        return np.array([len(self)])

    # ---- Queries that only trees answer ----

    def _boundary_of(self, mask=None, options=None):
        if options is None and self._boundary is not None:
            return self._boundary
        if mask is not None and self._masks is None and self._path is not None:
            raise InvalidArgument("a tree from a file does not tell its masks, which inside() with a mask needs")
        mesh = self.mesh
        if mesh is not None:
            vertices, faces = mesh.vertices, mesh.faces
        else:
            vertices = self.triangles().reshape(-1, 3)
            faces = np.arange(3 * len(self), dtype=np.uint32).reshape(-1, 3)
        made = _core.boundary(vertices, faces, len(faces), self._masks, options)
        if options is None:
            self._boundary = made
        return made

    @property
    def closed(self):
        """Whether an even number of triangles uses each edge, so that inside() judges by parity: bool.

        The first time it, or inside(), is asked, the edges are counted.

        >>> import sightline_bvh as sightline
        >>> sightline.Tree(sightline.sphere(8)).closed
        True
        """
        return not _core.boundary_odd(self._boundary_of())

    def inside(self, points, *, details=False, by=None, mask=None, skip=None, threads=None, progress=None):
        """Whether points (..., 3) are inside: (...) bool; details: Inside of shape (...).

        A closed mesh is judged by parity, whichever way it is wound; any other by the winding number: inside
        is more than half a turn.  A point on the surface is on one side of it.  Points are float32; float64
        points that are no floats are judged in doubles, where parity judges and no details are wanted
        (else InvalidArgument: round them, by astype(numpy.float32)).  mask and skip are the same for all.

        by="parity" judges any mesh by whether a ray along +x crosses an odd number of triangles, which is quick,
        and of an open mesh depends on where the ray passes; by="winding" any by its winding number.  Of a closed
        mesh the two differ where its parts overlap or lie in one another (details: differ): by parity that is
        outside, so inner shells are holes; by winding it is inside, so parts that overlap are one body.

        >>> import sightline_bvh as sightline
        >>> sightline.Tree(sightline.sphere(8)).inside([[0, 0, 0.5], [0, 0, 1.5]])
        array([ True, False])
        """
        items = _arrays.points(points)
        selected = {"mask": mask, "skip": skip}
        options = _arrays.options(self, items, **selected)
        if not _arrays.are_same(options):
            raise InvalidArgument("inside() takes one mask and one skip for all points")
        if by not in (None, "parity", "winding"):
            raise InvalidArgument(f"by is 'parity', 'winding' or None, not {by!r}")
        boundary = None if by == "parity" and not details else self._boundary_of(mask, options)
        if items.doubles:
            floats = _floats_of(items.arrays[0])
            if floats is None:
                self._refuse_doubles(boundary, details, by)
                if boundary is None:
                    return self._odd_crossings(items, selected, threads, progress)
                return self._inside_doubles(items, options, threads, progress)
            items = _arrays.points(floats.reshape(*items.lead, 3))
        out = np.empty(items.lead, INSIDE)
        self._ask("inside" if details else "side", items, options, out, boundary, 0.0, 1, threads, progress)
        if by is not None:
            out["inside"] = out["by_" + by]
        return Inside(out) if details else out["inside"].copy()

    @staticmethod
    def _refuse_doubles(boundary, details, by):
        if details or by == "winding" or (boundary is not None and _core.boundary_odd(boundary)):
            what = "details are told" if details else "a winding number is found" if by else "an open mesh is judged"
            raise InvalidArgument(f"{what} for points in float32: round them, by points.astype(numpy.float32)")

    def _odd_crossings(self, items, selected, threads, progress):
        points = items.arrays[0].reshape(*items.lead, 3)
        along = np.array([1.0, 0, 0])
        return self.count(points, along, crossings=True, **selected, threads=threads, progress=progress) % 2 == 1

    def _inside_doubles(self, items, options, threads, progress):
        return self._lists("containing", items, options, np.uint32, 0.0, 0, threads, progress).totals > 0

    def self_overlap(self, *, mask=None, threads=None, progress=None):
        """(M, 2) uint32: pairs of triangles that meet elsewhere than in the corners and edges they share.

        >>> import sightline_bvh as sightline
        >>> sightline.Tree(sightline.sphere(4)).self_overlap().shape
        (0, 2)
        """
        items = _arrays.Items(_arrays.NUMBERS, 0, (len(self),), (None, None, None, None))
        options = _arrays.options(self, items, mask=mask)
        lists = self._lists("self_pairs", items, options, REF, 0.0, None, threads, progress)
        return np.stack([lists.rows.astype(np.uint32), lists.values["prim"]], axis=1)

    def bake(
        self, what, points=None, normals=None, *, rays=256, distance=None, lift=None, spread=None, least=False,
        first=0, mask=None, out=None, threads=None, progress=None,
    ):  # fmt: skip
        """A number for each point (..., 3) with a normal (..., 3), from rays around the normal: (...) float32.

        what      "ao": the share of the rays, more of them along the normal, that meet nothing within the
                  distance: 1 in the open; "thickness": how far rays go inwards until they meet the mesh, their
                  mean, or (least) the smallest; inf where none does
        points    None: the vertices of tree.mesh, with Mesh.vertex_normals()
        rays      for each point, 1 to 65536
        distance  None: a quarter of the diagonal of the bounds for ao, all of it for thickness
        lift      the height above (thickness: below) the point at which rays start; None: a 10000th of the diagonal
        spread    the sine of the largest angle between a ray and the normal; None: 1 for ao, 0.5 for thickness
        first     the number of the first point, on which its rays depend: parts have the bits of the whole

        The bits are those of the command `sightline bake`.  A point without a normal has NaN.

        >>> import sightline_bvh as sightline
        >>> tree = sightline.Tree(sightline.sphere(8))
        >>> float(tree.bake("ao").min())
        1.0
        """
        if points is None:
            mesh = self.mesh
            if mesh is None:
                raise InvalidArgument("a tree without its mesh does not know its vertices: give points and normals")
            points, normals = mesh.vertices, mesh.vertex_normals() if normals is None else normals
        elif normals is None:
            raise InvalidArgument("points have normals")
        numbers = (what, rays, distance, lift, spread, least, first)
        return _bake.bake(self, points, normals, numbers, {"mask": mask}, out, threads, progress)

    # ---- Versions ----

    def refit(self, vertices, faces=None, *, bad="refuse", rebuild_share=0.0, threads=None):
        """The next version: the same triangles, elsewhere.  A tenth to a quarter of the time of a build.

        vertices (V, 3), in the tree's space: those of a mesh that was recentred are less its origin, and
        mesh.origin of the new tree is the same; faces (T, 3), None: those of tree.mesh, in which a triangle that was
        left out has none.  rebuild_share, 0 to 1: how much of the tree may be built anew, where it has become bad
        (drift).  bad: "refuse": a triangle of the tree that cannot be used any more raises BadIndex or NotFinite, and
        one that had been left out and can be, InvalidArgument; "leave_out": the former is left out, the latter comes
        back, and where there is any the tree is built anew.

        >>> import sightline_bvh as sightline
        >>> tree = sightline.Tree(sightline.sphere(8))
        >>> tree.refit(tree.mesh.vertices * 2).nearest([0, 0, 3]).distance
        array(1., dtype=float32)
        >>> vertices = tree.mesh.vertices.copy()
        >>> vertices[0] = float("nan")
        >>> tree.refit(vertices, bad="leave_out").info.triangle_count
        508
        """
        xyz, _, rounding = narrow(vertices)
        if faces is None:
            if self.mesh is None:
                raise InvalidArgument("a tree without its mesh does not know its faces: give faces")
            faces = self.mesh.faces
        leave_out = choice(BAD, bad, "bad")
        faces = faces_of(faces, len(xyz), not leave_out)
        share, threads = _arrays.number(rebuild_share, "rebuild_share", 0, 1), _threads.of(threads, len(self), 20000)
        # A triangle that comes back has its own mask again.
        masks = self._masks if leave_out and len(faces) == len(self) else None
        handle = _core.tree_refit(
            self._handle, xyz, len(xyz), faces, len(faces), share, threads, leave_out, masks
        )
        tree = Tree._of(handle, masks=self._masks)
        if self._moved is not None:
            origin = self._moved[2]
        else:
            origin = self._mesh.origin if self._mesh is not None else np.zeros(3)
        xyz = xyz.copy() if xyz is vertices or np.shares_memory(xyz, vertices) else xyz
        tree._moved = (xyz, faces, origin, rounding)
        return tree

    def with_masks(self, masks):
        """The same tree with other masks (T,) uint32; None: all bits."""
        masks = None if masks is None else _triangle_masks(masks, len(self))
        return Tree._of(_core.tree_set_masks(self._handle, masks), mesh=self.mesh, masks=masks)

    # ---- Files ----

    def check(self):
        """Proves the whole tree: every box, order and triangle.  Raises BadData with the first fault."""
        _core.tree_check(self._handle)

    def save(self, path):
        """Writes the tree to a file, which appears under its name only when it is complete.

        The same tree always gives the same bytes.  The mesh is not in it, but its triangles are.  Raises IOFailed;
        NotFound where there is no such folder.
        """
        _core.tree_save(self._handle, _arrays.path_of(path))

    def to_bytes(self):
        """The bytes of its file."""
        return _core.tree_bytes(self._handle)

    @classmethod
    def load(cls, path, *, trusted=False):
        """A tree from a file, proven before it is used.  trusted: not proven.

        Raises NotFound, IOFailed; BadData for a file that is no tree, or truncated, changed or forged.
        """
        path = os.fspath(path)
        return cls._of(_core.tree_load(_arrays.path_of(path), 0, int(bool(trusted))), path=os.fsdecode(path))

    @classmethod
    def map(cls, path, *, trusted=False):
        """The same, mapped: pages are read when they are needed, and shared by all processes that map the file,
        which must not be written to meanwhile (to replace it, as save() does, is fine)."""
        path = os.fspath(path)
        return cls._of(_core.tree_load(_arrays.path_of(path), 1, int(bool(trusted))), path=os.fsdecode(path))

    @classmethod
    def from_bytes(cls, data, *, trusted=False, in_place=False):
        """A tree from the bytes of its file, in any buffer.  in_place: without a copy, where they begin at a
        multiple of 64; data is kept alive, and must not change."""
        view = memoryview(data)
        in_place = bool(in_place) and view.nbytes > 0 and np.frombuffer(view, np.uint8).ctypes.data % 64 == 0
        return cls._of(_core.tree_from_bytes(view, int(bool(trusted)), int(in_place)))

    def __reduce_ex__(self, protocol):
        data = self.to_bytes()
        known = (self.mesh, self._masks)
        return _restore, (pickle.PickleBuffer(data) if protocol >= 5 else data, known)


def _restore(data, known):
    mesh, masks = known
    return Tree._of(_core.tree_from_bytes(memoryview(data), 0, 0), mesh=mesh, masks=masks)


def _triangle_masks(masks, count):
    array = _arrays.whole(masks, "masks")
    if array.shape != (count,):
        raise InvalidArgument(f"masks have the shape {array.shape}; ({count},) is wanted")
    return np.array(array)


def _floats_of(array):
    """The same numbers in float32, or None where that would round any."""
    with np.errstate(over="ignore"):
        narrow_ = array.astype(np.float32)
    return narrow_ if np.array_equal(narrow_, array, equal_nan=True) else None
