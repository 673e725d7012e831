"""Mesh against mesh, and shapes that move: what trees and scenes answer alike."""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from . import _arrays, _core, _progress, _threads
from ._errors import InvalidArgument
from ._mesh import choice
from ._records import CLASH, CONTACT, DISTANCE, PAIR, RELATIONS, SOLIDS, Clashes, Contacts, Distances, Pairs, Ragged

_STARTS = {"report": 0, "ignore_receding": 1, "ignore": 2}
_GRAZING = {"report": False, "ignore": True}
_INF = float("inf")


class Curves(NamedTuple):
    """Where two surfaces meet: polylines.

    points   (P, 3) float64
    offsets  (C + 1,) int64: curve i has points[offsets[i]:offsets[i + 1]], of a closed one the first point twice
    pairs    Pairs (P,): the triangles of the segment from a point to the next; that of the last one is the one before
    """

    points: np.ndarray
    offsets: np.ndarray
    pairs: Pairs

    @property
    def lengths(self):
        """(C,) float64: how long each curve is."""
        steps = np.linalg.norm(np.diff(self.points, axis=0), axis=1)
        total = np.concatenate([[0.0], np.cumsum(steps)])
        return total[self.offsets[1:] - 1] - total[self.offsets[:-1]] if len(self.points) else np.zeros(0)

    @property
    def closed(self):
        """(C,) bool: whether each curve ends where it begins."""
        first, last = self.points[self.offsets[:-1]], self.points[self.offsets[1:] - 1]
        return (first == last).all(axis=1) & (np.diff(self.offsets) > 2)


class Solids(NamedTuple):
    """How two solids lie.

    relation         "apart", "touching", "overlapping", "a_inside", "b_inside", "equal"; "open": one of them is no solid
    boundaries_meet  whether their surfaces have a point in common
    open             of each, whether it is open
    surfaces         the highest relation of any pair of triangles, one of RELATIONS
    """

    relation: str
    boundaries_meet: bool
    open: tuple
    surfaces: str


def _relations(names):
    if names is None:
        return 0
    bits = 0
    for name in (names,) if isinstance(names, str) or not isinstance(names, Iterable) else names:
        if not isinstance(name, str) or name not in RELATIONS[1:]:
            raise InvalidArgument(f"relations are of {', '.join(RELATIONS[1:])}, not {name!r}")
        bits |= 1 << RELATIONS.index(name)
    if not bits:
        raise InvalidArgument(f"relations name none of {', '.join(RELATIONS[1:])}; None stands for all")
    return bits


def _places(at):
    """(..., 3, 4) float64 of (..., 4, 4) or (..., 3, 4), and the leading shape; None: where it is."""
    if at is None:
        return None, ()
    array = _arrays.floats(at, "at").astype(np.float64, copy=False)
    if array.ndim < 2 or array.shape[-2:] not in ((4, 4), (3, 4)):
        raise InvalidArgument(f"at has the shape {array.shape}; (..., 4, 4) or (..., 3, 4) is wanted")
    if array.shape[-2] == 4 and (array[..., 3, :] != (0, 0, 0, 1)).any():
        raise InvalidArgument("at has a last row that is not 0 0 0 1")
    return np.ascontiguousarray(array[..., :3, :]), array.shape[:-2]


class Contact:
    """The queries of mesh against mesh, and of shapes that move."""

    __slots__ = ()

    def _against(self, other, mask, other_mask, ignore, other_ignore, relations, number):
        if not isinstance(other, Contact):
            raise InvalidArgument(f"other is a Tree or a Scene, not {type(other).__name__}: of a mesh write Tree(mesh)")
        return (
            self._handle, other._handle, _arrays.side(self, mask, ignore),
            _arrays.side(other, other_mask, other_ignore, "other_"), _relations(relations), number,
        )  # fmt: skip

    def clash(
        self, other, *, margin=0.0, relations=None, capacity=None, mask=None, other_mask=None, ignore=None,
        other_ignore=None, threads=None,
    ):  # fmt: skip
        """The pairs of triangles that meet, in rising order of (a, b): Pairs of shape (M,).

        margin     pairs that are apart by no more than it count, too
        relations  which count, of RELATIONS; None: all
        capacity   keep that many; total of the answer still counts all
        mask, ignore, other_mask, other_ignore  as of closest(), of self and of other

        Decided exactly: crossing means that insides share a segment, coplanar that area is shared in one plane.

        >>> import sightline_bvh as sightline
        >>> floor = sightline.Tree([[0, 0, 0], [4, 0, 0], [0, 4, 0]], [[0, 1, 2]])
        >>> post = sightline.Tree([[1, 1, -1], [1, 1, 1], [2, 1, 0]], [[0, 1, 2]])
        >>> floor.clash(post).relations
        array(['crossing'], dtype='<U17')
        """
        given = self._against(other, mask, other_mask, ignore, other_ignore, relations, _limit(margin, "margin"))
        capacity = _arrays.MOST if capacity is None else _arrays.integer(capacity, "capacity")
        total, memory = _core.clash(*given, capacity, _threads.of(threads, self._info[1] + other._info[1]))
        kept = min(total, capacity)
        pairs = Pairs(np.frombuffer(memory, PAIR) if kept else np.empty(0, PAIR))
        pairs._total = total
        return pairs

    def clashes(
        self, other, *, at=None, margin=0.0, relations=None, mask=None, other_mask=None, ignore=None,
        other_ignore=None, threads=None,
    ):  # fmt: skip
        """Whether any triangles meet: bool; with other under each of the transforms at (..., 4, 4): (...) bool.

        Under a transform that no instance can have, which is flat or leads beyond floats, nothing is there.

        >>> import numpy as np, sightline_bvh as sightline
        >>> ball = sightline.Tree(sightline.sphere(8))
        >>> places = np.tile(np.eye(4), (2, 1, 1))
        >>> places[:, 0, 3] = 1, 3
        >>> ball.clashes(ball, at=places)
        array([ True, False])
        """
        places, lead = _places(at)
        given = self._against(other, mask, other_mask, ignore, other_ignore, relations, _limit(margin, "margin"))
        out = np.empty(lead, bool)
        _core.clash_any(*given, places, out.size, out, _threads.of(threads, out.size, 4))
        return out if at is not None else bool(out)

    def distance(
        self, other, *, at=None, max_distance=_INF, mask=None, other_mask=None, ignore=None, other_ignore=None,
        threads=None,
    ):  # fmt: skip
        """How far two meshes are apart, and where: Distances of shape (), or (...) with transforms at (..., 4, 4) of other.

        0 exactly where they meet, else the exact distance, rounded to float32; beyond max_distance nothing is found.
        Surfaces count: inside a closed mesh the distance is that to its surface.  Transforms are as in clashes().

        >>> import sightline_bvh as sightline
        >>> ball = sightline.Tree(sightline.sphere(8))
        >>> far = sightline.Scene([(ball, [[1, 0, 0, 5], [0, 1, 0, 0], [0, 0, 1, 0]])])
        >>> ball.distance(far).distance
        array(3., dtype=float32)
        """
        places, lead = _places(at)
        given = self._against(
            other, mask, other_mask, ignore, other_ignore, None, _limit(max_distance, "max_distance")
        )
        out = np.empty(lead, DISTANCE)
        _core.distance(*given, places, out.size, out, _threads.of(threads, out.size, 4))
        return Distances(out)

    def curves(
        self, other, *, relations=None, mask=None, other_mask=None, ignore=None, other_ignore=None, progress=None
    ):
        """Where the surfaces meet: Curves, which of two closed meshes are closed unless curves meet.

        >>> import sightline_bvh as sightline
        >>> ball = sightline.Tree(sightline.sphere(16))
        >>> moved = sightline.Scene([(ball, [[1, 0, 0, 1.2], [0, 1, 0, 0.1], [0, 0, 1, 0.2]])])
        >>> curves = ball.curves(moved)
        >>> len(curves.offsets) - 1, bool(curves.closed.all())
        (1, True)
        """
        given = self._against(other, mask, other_mask, ignore, other_ignore, relations, 0.0)
        points, starts, pairs = _progress.run(progress, 1, lambda report: _core.clash_curves(*given, report))
        points = np.frombuffer(points, np.float64).reshape(-1, 3)
        pairs = np.frombuffer(pairs, PAIR) if len(points) else np.empty(0, PAIR)
        return Curves(points, np.frombuffer(starts, np.uint64).astype(np.int64), Pairs(pairs))

    def solids(
        self, other, *, by_parity=False, mask=None, other_mask=None, ignore=None, other_ignore=None, progress=None
    ):
        """How two closed meshes lie as solids: Solids.

        A solid is where the winding number is not 0 (by_parity: is odd).

        >>> import sightline_bvh as sightline
        >>> ball = sightline.Tree(sightline.sphere(8))
        >>> small = sightline.Tree(ball.mesh.vertices / 2, ball.mesh.faces)
        >>> small.solids(ball).relation
        'a_inside'
        """
        a, b, option, other_option, *_ = self._against(other, mask, other_mask, ignore, other_ignore, None, 0.0)
        relation, meet, open_a, open_b, surfaces = _progress.run(
            progress, 1, lambda report: _core.solids(a, b, option, other_option, int(bool(by_parity)), report)
        )
        return Solids(str(SOLIDS[relation]), bool(meet), (bool(open_a), bool(open_b)), RELATIONS[surfaces])

    # ---- Shapes that move ----

    def _sweeps(self, given):
        directions = _arrays.rows(given["directions"], "directions")
        names = ("boxes", "spheres", "capsules", "obbs", "triangles", "hulls")
        items = _arrays.volumes(given, names, directions.dtype == np.float64)
        policies = [choice(_STARTS, given[name], name) for name in ("touching", "overlapping")]
        policies.append(choice(_GRAZING, given["grazing"], "grazing"))
        directions = directions.astype(np.float64, copy=False) if items.doubles else directions
        volumes, _, kind, width = items.arrays
        lead = _arrays.lead_of(items.lead, directions.shape[:-1])
        count = _arrays.count_of(lead)
        volumes = _arrays.flat(volumes.reshape(*items.lead, volumes.shape[1]), lead, count, volumes.shape[1])
        directions = _arrays.flat(directions, lead, count, 3)
        arrays = (volumes, directions, (kind, *policies), width)
        return _arrays.Items(_arrays.SWEEPS, items.doubles, lead, arrays, items.kept)

    def sweep(
        self, directions, *, boxes=None, spheres=None, capsules=None, obbs=None, triangles=None, hulls=None,
        touching="report", overlapping="report", grazing="report", mask=None, skip=None, cull=None, ignore=None,
        filter=None, out=None, threads=None, progress=None,
    ):  # fmt: skip
        """What volumes meet first that move by directions (..., 3): Contacts of shape (...).

        Volumes of one kind, as of overlap(), but frusta.  t runs from 0 where they start to 1; t_safe is t rounded
        down: there they overlap nothing yet, but what is computed from it is rounded, so keep a small distance.
        touching and overlapping: what a triangle does that is touched, or overlapped, at the start: "report" (it is
        met at t = 0), "ignore_receding" (not where the volume rests or moves away) or "ignore".  Later, what is
        touched is met: a box that slides on a floor without a gap meets the floor's next triangle, unless grazing is
        "ignore": then what a volume comes to touch, but would not overlap if it moved on, is not met.  What has no
        volume itself grazes nothing.  The options are those of closest().

        >>> import sightline_bvh as sightline
        >>> floor = sightline.Tree([[-9, 0, -9], [9, 0, -9], [0, 0, 9]], [[0, 1, 2]])
        >>> contact = floor.sweep([0, -4, 0], spheres=[0, 3, 0, 1])
        >>> float(contact.t), contact.normal
        (0.5, array([0., 1., 0.]))
        """
        items = self._sweeps(locals())
        options = self._options(items, locals())
        return Contacts(self._paths("sweep", items, (CONTACT, CONTACT), out, None, threads, progress, options))

    def sweep_any(
        self, directions, *, boxes=None, spheres=None, capsules=None, obbs=None, triangles=None, hulls=None,
        touching="report", overlapping="report", grazing="report", mask=None, skip=None, cull=None, ignore=None,
        filter=None, out=None, threads=None, progress=None,
    ):  # fmt: skip
        """Whether volumes that move meet anything: (...) bool.  Arguments as of sweep().

        >>> import sightline_bvh as sightline
        >>> ball = sightline.Tree(sightline.sphere(8))
        >>> ball.sweep_any([[1, 0, 0], [9, 0, 0]], spheres=[-4, 0, 0, 1])
        array([False,  True])
        """
        items = self._sweeps(locals())
        options = self._options(items, locals())
        return self._paths("sweep_any", items, (np.dtype(bool),) * 2, out, None, threads, progress, options)

    def sweep_all(
        self, directions, *, boxes=None, spheres=None, capsules=None, obbs=None, triangles=None, hulls=None,
        touching="report", overlapping="report", grazing="report", capacity=None, mask=None, skip=None, cull=None,
        ignore=None, filter=None, threads=None, progress=None,
    ):  # fmt: skip
        """All that volumes meet that move, each sorted by (t, instance, prim): Ragged of Contacts.

        >>> import sightline_bvh as sightline
        >>> ball = sightline.Tree(sightline.sphere(1))
        >>> int(ball.sweep_all([9, 0, 0], spheres=[-4, 0.1, 0.2, 0.5]).counts)
        8
        """
        items = self._sweeps(locals())
        options = self._options(items, locals())
        return self._lists("sweep_all", items, options, CONTACT, 0.0, capacity, threads, progress, Contacts)


    def push_out(
        self, *, spheres=None, capsules=None, max_distance=_INF, mask=None, skip=None, ignore=None, out=None,
        threads=None, progress=None,
    ):  # fmt: skip
        """How to move spheres or capsules so that they overlap nothing: (..., 3) float64.

        0 where they overlap nothing, as touching is no overlap, nor is being wholly within a closed mesh; else a way
        out, not always the shortest; NaN where none was found within max_distance.  The volume plus its offset, each
        number rounded to a double, overlaps nothing.  It takes some microseconds for each triangle that is overlapped.

        >>> import sightline_bvh as sightline
        >>> floor = sightline.Tree([[-9, 0, -9], [9, 0, -9], [0, 0, 9]], [[0, 2, 1]])
        >>> floor.push_out(spheres=[[0, 0.75, 0, 1], [0, 2, 0, 1]]).round(6)
        array([[0.  , 0.25, 0.  ],
               [0.  , 0.  , 0.  ]])
        """
        items = _arrays.volumes({"spheres": spheres, "capsules": capsules}, ("spheres", "capsules"), True)
        options = self._options(items, locals())
        array = _arrays.answers(out, (*items.lead, 3), np.dtype(np.float64))
        limit = _limit(max_distance, "max_distance")
        self._ask("push_out", items, options, array, None, limit, 1, threads, progress)
        return array


def _limit(value, name):
    return _arrays.number(value, name, 0)


def find(scene, margin, relations, limit, solids, groups, against, bodies, previous, mask, ignore, threads, progress):
    """The report of Scene.clashing()."""
    report = getattr(previous, "_report", None)
    if previous is not None and report is None:
        what = "a copy, a part or a pickle of it" if isinstance(previous, Clashes) else repr(previous)
        raise InvalidArgument(f"previous is what clashing() itself returned, not {what}")
    numbers = []
    for values, name in ((groups, "groups"), (against, "against"), (bodies, "bodies")):
        array = None if values is None else np.ascontiguousarray(_arrays.whole(values, name), np.uint32)
        if array is not None and array.shape != (len(scene),):
            raise InvalidArgument(f"{name} has the shape {array.shape}; ({len(scene)},) is wanted")
        numbers.append(array)
    handle = _progress.run(
        progress, 1000,
        lambda told: _core.clashes_find(
            scene._handle, _arrays.side(scene, mask, ignore), _relations(relations), _limit(margin, "margin"),
            _arrays.integer(limit, "limit"), int(bool(solids)), *numbers, report, _threads.of(threads, len(scene), 2),
            told,
        ),
    )  # fmt: skip
    memory = _core.clashes_list(handle)
    clashes = Clashes(np.frombuffer(memory, CLASH) if memoryview(memory).nbytes else np.empty(0, CLASH))
    clashes._report = handle
    return clashes
