"""Scenes: trees and scenes under transforms."""

import operator
import os
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from . import _arrays, _bake, _contact, _core, _progress, _threads
from ._errors import InvalidArgument, Unsupported
from ._mesh import BAD, Mesh, choice, warn_of
from ._queries import TreeOrScene
from ._records import REF
from ._tree import QUALITIES, Tree

_IDENTITY = np.eye(4)[:3]


class Instance(NamedTuple):
    """A tree or a scene under a transform; what None: a hole, whose number is taken.

    transform  (4, 4) or (3, 4), row-major, float64: the last column moves.  None: it stays where it is
    mask       32 bits, of which queries with a mask want one
    id         the caller's; Scene.path gives it back
    grid       corners are multiples of it: a power of two; 0: none
    """

    what: Any = None
    transform: Any = None
    mask: int = 0xFFFFFFFF
    id: int = 0
    grid: float = 0.0


def _place(transform, index):
    return _IDENTITY if transform is None else _arrays.affine(transform, f"the transform of instance {index}", index)


def in_place(tree, origin):
    """What is asked of a tree whose mesh stood elsewhere, by origin: itself, where that is 0; else an Instance."""
    if not np.any(origin):
        return tree
    place = np.eye(4)
    place[:3, 3] = origin
    return Instance(tree, place)


def _word(instance, name, index):
    """The mask or the id of an instance."""
    value = getattr(instance, name)
    try:
        number = operator.index(value)
    except TypeError:
        number = -1
    if not 0 <= number <= 0xFFFFFFFF:
        raise InvalidArgument(f"the {name} of instance {index} is a whole number of 32 bits, not {value!r}", index=index)
    return number


def _instance(given, index):
    if isinstance(given, Instance):
        instance = given
    elif isinstance(given, (Tree, Scene)):
        instance = Instance(given)
    elif isinstance(given, tuple) and len(given) == 2:
        instance = Instance(*given)
    else:
        raise InvalidArgument(
            f"instance {index} is a Tree, a Scene, a pair (tree, transform) or an Instance, not {given!r}: "
            "of a mesh write Tree(mesh)",
            index=index,
        )
    if instance.what is not None and not isinstance(instance.what, (Tree, Scene)):
        raise InvalidArgument(
            f"instance {index} is a Tree or a Scene, not {instance.what!r}: of a mesh write Tree(mesh)", index=index
        )
    return instance


class Scene(TreeOrScene):
    """Trees and scenes under transforms.  Exact in doubles, however far from the origin.  It never changes, so any
    number of threads may ask it at once, and keeps what is in it alive.

    instances  Trees, Scenes, pairs (tree, transform) and Instances; an instance's number is its place here, and
               one of a scene takes as many numbers as that scene has
    bad        "refuse": an instance that cannot be used (not finite, flat, without triangles) raises BadData;
               "leave_out": its number is a hole
    quality    of the tree over the instances
    previous   the scene that this one follows; with as many instances, some of the work is saved
    static_memory  bytes for one tree over the triangles of instances, which rays and segments walk instead of one tree
               after the other; it changes no answer.  Of what stands still, a Scene that others have in it

    >>> import numpy as np, sightline_bvh as sightline
    >>> ball = sightline.Tree(sightline.sphere(8))
    >>> far = np.eye(4)
    >>> far[0, 3] = 1e7
    >>> scene = sightline.Scene([ball, (ball, far)])
    >>> hit = scene.closest([1e7, 0, 3], [0, 0, -1])
    >>> float(hit.t), int(hit.instance)
    (2.0, 1)
    """

    __slots__ = ("_handle", "_info", "_instances", "_names", "_counts", "_static", "__weakref__")
    _is_scene = True

    def __init__(self, instances, *, bad="refuse", quality="default", previous=None, static_memory=0, threads=None):
        if isinstance(instances, TreeOrScene) or not isinstance(instances, Iterable):
            raise InvalidArgument(f"instances are a sequence, such as [tree], not {instances!r}")
        instances = tuple(_instance(given, i) for i, given in enumerate(instances))
        bad, quality = choice(BAD, bad, "bad"), choice(QUALITIES, quality, "quality")
        places = np.empty((len(instances), 3, 4))
        rows = []
        for i, instance in enumerate(instances):
            places[i] = _place(instance.transform, i)
            what = instance.what._handle if instance.what is not None else None
            rows.append((what, _word(instance, "mask", i), _word(instance, "id", i), _arrays.number(instance.grid, f"the grid of instance {i}")))
        static = _arrays.integer(static_memory, "static_memory")
        if previous is not None and not isinstance(previous, Scene):
            raise InvalidArgument(f"previous is a Scene, not {previous!r}")
        self._handle = _core.scene_build(
            tuple(rows), places, bad, quality, previous and previous._handle, _threads.of(threads, len(rows)),
            static
        )
        self._info = _core.bvh_info(self._handle)
        self._instances = instances
        self._names = self._counts = None
        self._static = static

    # ---- What is asked ----

    def _filter(self, given):
        if callable(given):
            return given
        if isinstance(given, np.ndarray) and given.dtype != object and given.ndim == 1:
            raise InvalidArgument("filter of a scene is a sequence of arrays of booleans, one for each instance")
        if not isinstance(given, Iterable):
            raise InvalidArgument(f"filter of a scene is a sequence of arrays or a function, not {given!r}")
        arrays = tuple(None if one is None else np.ascontiguousarray(one) for one in given)
        if len(arrays) > len(self):
            raise InvalidArgument(f"filter has {len(arrays)} arrays for {len(self)} instances")
        for i, array in enumerate(arrays):
            if array is not None and (array.dtype != np.bool_ or array.ndim != 1):
                raise InvalidArgument(f"filter {i} is a boolean for each triangle, not {array.shape} of {array.dtype}")
        return arrays

    @property
    def _prim_counts(self):
        """How many triangles the mesh of each instance has, left out or not; 0 of holes: (N,), counted once."""
        if self._counts is None:
            parts = [np.zeros(1, np.int64) if i.what is None else i.what._prim_counts for i in self._instances]
            self._counts = np.concatenate(parts) if parts else np.zeros(0, np.int64)
        return self._counts

    # ---- What it is ----

    @property
    def instances(self):
        """As they were given: Instances."""
        return self._instances

    @property
    def names(self):
        """The names of the instances of a file; else ""."""
        return self._names if self._names is not None else ("",) * len(self.instances)

    @property
    def bounds(self):
        """(2, 3) float64: a box that holds everything; +inf, -inf where there is nothing."""
        return np.array(self._info[11])

    @property
    def triangle_count(self):
        """Triangles of all instances."""
        return self._info[1]

    @property
    def bytes(self):
        """Memory that the scene takes, without its trees."""
        return self._info[7]

    @property
    def static_count(self):
        """Instances whose triangles are in one tree (static_memory)."""
        return self._info[13]

    def __len__(self):
        return self._info[12]

    def __repr__(self):
        return f"<Scene of {self._info[12]} instances, {self._info[1]} triangles>"

    @property
    def left_out(self):
        """Why instances were left out, by their numbers: {5: "its transform is flat"}; holes are not among them."""
        return _core.scene_left_out(self._handle)

    def path(self, instance):
        """The way to an instance, from the outermost inwards: ((index, id), ...); () where there is none."""
        return tuple(_core.scene_path(self._handle, _arrays.integer(instance, "instance", -1)))

    def triangles(self, refs):
        """(..., 3, 3) float64: the corners of the triangles that REF records (...) name; NaN where there is none."""
        refs = _arrays.given(refs, "refs")
        if refs.dtype != REF:
            raise InvalidArgument(f"refs are REF records, such as Hits.ref, not {refs.dtype}")
        out = np.empty((*refs.shape, 3, 3))
        instances, prims = refs["instance"].reshape(-1), refs["prim"].reshape(-1)
        _core.bvh_triangles(self._handle, instances, prims, refs.size, 1, out)
        return out

    # ---- Queries that only scenes answer ----

    def containing(self, points, *, mask=None, skip=None, ignore=None, threads=None, progress=None):
        """The instances that contain each point (..., 3), in rising order: Ragged of uint32.

        By parity: an instance contains a point if a ray from there crosses it an odd number of times; meant for
        closed meshes.  Instances may overlap; what two parts of one instance have in common is outside of it.

        >>> import sightline_bvh as sightline
        >>> scene = sightline.Scene([sightline.Tree(sightline.sphere(8))] * 2)
        >>> scene.containing([0, 0, 0.5]).values
        array([0, 1], dtype=uint32)
        """
        items = _arrays.points(points)
        options = _arrays.options(self, items, mask=mask, skip=skip, ignore=ignore)
        return self._lists("containing", items, options, np.uint32, 0.0, None, threads, progress)

    def inside(self, points, *, mask=None, skip=None, ignore=None, threads=None, progress=None):
        """Whether points (..., 3) are in any instance: (...) bool; see containing()."""
        items = _arrays.points(points)
        options = _arrays.options(self, items, mask=mask, skip=skip, ignore=ignore)
        return self._lists("containing", items, options, np.uint32, 0.0, 0, threads, progress).totals > 0

    def _leaves(self, outer=_IDENTITY):
        """Of each instance number its tree, or None, and its place, as far as products in doubles tell it."""
        for i, one in enumerate(self._instances):
            place = outer[:, :3] @ _place(one.transform, i)
            place[:, 3] += outer[:, 3]
            if isinstance(one.what, Scene):
                yield from one.what._leaves(place)
            else:
                yield one.what, place

    def _near(self):
        """The scene around the origin, and by how much it is moved, where it is farther from there than it is large."""
        low, high = self.bounds
        middle = low / 2 + high / 2 if np.isfinite(self.bounds).all() else np.zeros(3)
        if np.abs(middle).max() <= np.linalg.norm(high - low):
            return self, np.zeros(3)
        return self._moved_by(-middle), middle

    def bake(
        self, what, points=None, normals=None, *, rays=256, distance=None, lift=None, spread=None, least=False,
        first=0, mask=None, ignore=None, out=None, threads=None, progress=None,
    ):  # fmt: skip
        """A number for each point, as of Tree.bake, from rays that meet all instances.

        points (..., 3) with normals (..., 3): (...) float32.  None: the vertices of the mesh of each instance, where it
        is, with their normals: a list of (V,) float32, one for each instance number, of holes empty.  Points are floats,
        around the origin; where the scene is farther from there than it is large, around its middle instead.

        >>> import numpy as np, sightline_bvh as sightline
        >>> ball = sightline.Tree(sightline.sphere(8))
        >>> above = np.eye(4)
        >>> above[2, 3] = 2.5
        >>> alone, both = (sightline.Scene(given).bake("ao") for given in ([ball], [ball, (ball, above)]))
        >>> len(both), float(alone[0].min()), bool(both[0].min() < 0.9 and both[1].min() < 0.9)
        (2, 1.0, True)
        """
        near, middle = self._near()
        counts = None
        if points is None:
            if normals is not None or out is not None:
                raise InvalidArgument("normals and out go with points")
            points, normals, counts = _bake.vertices_of(self._leaves())
        elif normals is None:
            raise InvalidArgument("points have normals")
        if middle.any():
            points = _arrays.rows(points, "points") - middle
        numbers = (what, rays, distance, lift, spread, least, first)
        made = _bake.bake(near, points, normals, numbers, {"mask": mask, "ignore": ignore}, out, threads, progress)
        if counts is None:
            return made
        return [made[end - count : end] for count, end in zip(counts, np.cumsum(counts), strict=True)]

    def clashing(
        self, *, margin=0.0, relations=None, limit=0, solids=False, groups=None, against=None, bodies=None,
        previous=None, mask=None, ignore=None, threads=None, progress=None,
    ):  # fmt: skip
        """Which instances clash: Clashes of shape (M,), in rising order of (a, b).

        margin    instances that are apart by no more than it count, as "clearance"
        limit     pairs of triangles that are counted for two instances; 0: all
        solids    closed instances are solids: one in another is a hard clash, too
        groups, against  (N,) bits: two instances are asked where each has a group that the other is asked against;
                  None: all
        bodies    (N,): instances with the same number other than 0 are one body
        previous  the Clashes of an earlier scene: what has not changed since is not asked again, and the answer is the
                  same; itself, as copies, parts and pickles of it do not keep how it was found

        >>> import sightline_bvh as sightline
        >>> ball = sightline.Tree(sightline.sphere(8))
        >>> places = [[[1, 0, 0, x], [0, 1, 0, 0], [0, 0, 1, 0]] for x in (0, 1.5, 4)]
        >>> clashes = sightline.Scene([(ball, place) for place in places]).clashing(margin=0.75)
        >>> [(int(a), int(b), str(kind)) for a, b, kind in zip(clashes.a, clashes.b, clashes.kinds)]
        [(0, 1, 'hard'), (1, 2, 'clearance')]
        """
        return _contact.find(
            self, margin, relations, limit, solids, groups, against, bodies, previous, mask, ignore, threads, progress
        )

    def flatten(self):
        """One mesh of all triangles, with corners rounded to float32, and the REF (T,) that each is from.

        Mesh.rounding says how far any corner was moved by that: far from the origin triangles become flat.
        """
        handle, memory = _core.scene_flatten(self._handle)
        refs = np.frombuffer(memory, REF) if self.triangle_count else np.empty(0, REF)
        mesh = Mesh._of(handle)
        corners, step = mesh.vertices, 1 << 14  # not all in doubles at once
        for first in range(0, len(refs), step):
            part = slice(first, first + step)
            moved = np.abs(corners[mesh.faces[part]] - self.triangles(refs[part])).max()
            mesh._rounding = max(mesh._rounding, float(moved))
        return mesh, refs

    def _moved_by(self, step):
        """The same scene elsewhere."""
        places = [(instance, _place(instance.transform, i).copy()) for i, instance in enumerate(self.instances)]
        for _, place in places:
            place[:, 3] += step
        return Scene([one._replace(transform=place) for one, place in places], bad="leave_out")

    @classmethod
    def load(cls, path, *, quality="default", hidden_nodes=False, threads=None, progress=None):
        """The nodes of a glTF file under their transforms, each mesh once.

        A mesh that a node moves by a skin, or by morph weights of its own, is there once more, for that node.
        The trees are built with quality.  names has the names of nodes.  hidden_nodes: those that the file hides
        are taken, too.  Raises as load(); Unsupported where the build has no glTF (features()).
        """
        if not _core.IO:
            raise Unsupported("glTF is not in this build of sightline", file=os.fsdecode(os.fspath(path)))
        hidden = int(bool(hidden_nodes))
        meshes, nodes = _progress.run(
            progress, 1000, lambda report: _core.gltf_load(_arrays.path_of(path), hidden, report)
        )
        meshes = [Mesh._of(handle) for handle in meshes]
        warn_of(meshes, path, 3)
        trees = [Tree(mesh, quality=quality, threads=threads) for mesh in meshes]
        scene = cls(
            [Instance(trees[mesh], np.array(place).reshape(3, 4)) for mesh, place, _ in nodes], threads=threads
        )
        scene._names = tuple(name for _, _, name in nodes)
        return scene

    def __reduce__(self):
        return _restore, (self.instances, self._names, self._static)


def _restore(instances, names, static_memory):
    scene = Scene(instances, bad="leave_out", static_memory=static_memory)
    scene._names = names
    return scene
