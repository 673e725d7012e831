"""The queries that trees and scenes answer alike."""

import numpy as np

from . import _arrays, _core, _progress, _threads
from ._contact import Contact
from ._errors import InvalidArgument
from ._records import HIT, HIT_D, NEAREST, NEAREST_D, REF, SURFACE, SURFACE_D, Hits, Nearest, Ragged, Surface

_INF = float("inf")
_OPTIONS = ("mask", "skip", "cull", "open_start", "open_end", "crossings", "filter", "ignore")


class TreeOrScene(Contact):
    """What can be asked: a Tree or a Scene.

    closest() says how rays and segments are given, and what the options of all queries are.  Queries never
    fail for what the numbers are: a ray, segment or point with a NaN or an infinity finds nothing.
    """

    __slots__ = ()
    _is_scene = False

    # ---- How queries are asked ----

    def _options(self, items, given):
        """The options among the arguments of a method, as sightline_bvh._core takes them."""
        return _arrays.options(self, items, **{name: given[name] for name in _OPTIONS if name in given})

    def _run(self, call, query, items, options, threads, least, progress, *rest):
        head = (query, self._handle, items.doubles, items.kind, items.count, *items.arrays, options)
        threads = _threads.of(threads, items.count, least)
        return _progress.run(progress, items.count, lambda report: call(*head, threads, *rest, report))

    def _ask(self, query, items, options, out, extra, number, capacity, threads, progress):
        self._run(_core.ask, query, items, options, threads, 4096, progress, out, extra, number, capacity)

    def _paths(self, query, items, dtypes, out, extra, threads, progress, options):
        array = _arrays.answers(out, items.lead, dtypes[items.doubles])
        self._ask(query, items, options, array, extra, 0.0, 1, threads, progress)
        return array

    def _lists(self, query, items, options, dtype, number, capacity, threads, progress, kind=lambda values: values):
        capacity = _arrays.MOST if capacity is None else _arrays.integer(capacity, "capacity")
        totals = np.empty(items.lead, np.int64)
        offsets = np.empty(items.count + 1, np.int64)
        memory = self._run(
            _core.ask_lists, query, items, options, threads, 256, progress, totals, offsets, number, capacity
        )
        values = np.frombuffer(memory, dtype) if offsets[-1] else np.empty(0, dtype)
        return Ragged(kind(values), offsets, totals, items.lead)

    # ---- Rays and segments ----

    def closest(
        self, origins, directions=None, *, to=None, tmin=0.0, tmax=_INF, mask=None, skip=None, cull=None,
        open_start=False, open_end=False, crossings=False, filter=None, ignore=None, out=None, threads=None,
        progress=None,
    ):  # fmt: skip
        """The closest hit of each ray or segment: Hits of shape (...).

        Rays: origins (..., 3) and directions (..., 3) of any length; or in one array, (..., 6) origin and
        direction, (..., 8) or dtype RAY origin, tmin, direction and tmax.  tmin and tmax (...) are in units
        of the direction; rays of 8 numbers have their own, and take none.  Segments: origins (..., 3) and to (..., 3); t runs from 0 to 1.  Closest means the
        smallest t, of equal ones the lowest (instance, prim).  t, u and v are exact, rounded once.  float32
        arrays are traced in floats and give HIT, everything else in doubles, and gives HIT_D.

        Options, which other queries share as far as they have them:

        mask        (...) uint32: triangles, and instances, that share a bit with it are there
        skip        triangles that are not there: prims (...) or (..., 2), or REF records of these shapes, such
                    as Hits.ref; or Hits or Nearest; on a scene not prims.  NONE, which a miss has, skips nothing;
                    what the tree or scene does not have is BadIndex
        cull        "back" or "front": that side of triangles does not count
        open_start, open_end  segments: a hit at t = 0, at t = 1 does not count
        crossings   surfaces crossed, not triangles touched: a shared edge or vertex counts once, or not at all
                    where the ray only grazes it
        filter      a boolean for each triangle, False: it is not there (of a scene: a sequence of such arrays,
                    or None, one for each instance); or a function (index, t, u, v, prim, instance, flags) ->
                    bool, which is called for single hits, on one thread: some 0.3 microseconds each, and the
                    way through the tree takes several times as long as without a filter
        ignore      scenes: instances that are not there: numbers (K,), or first and count (K, 2), of the scene
        out         Hits or their array, of an earlier call: C-contiguous, of the shape and dtype of the answer
        threads     how many; no answer depends on it
        progress    a function of (phase, fraction), which may return False to cancel; a tqdm bar; or True

        Of [] there are no answers.  Raises InvalidArgument for arguments of a wrong shape, dtype or name, for None
        among numbers, and for options that do not fit one another; Cancelled where progress returns False; KeyboardInterrupt at Ctrl-C.

        >>> import numpy as np, sightline_bvh as sightline
        >>> tree = sightline.Tree(sightline.sphere(8))
        >>> hits = tree.closest(np.zeros(3), [[0, 0, 1], [1, 0, 0], [0, 0, 0]])
        >>> hits.t
        array([ 1.,  1., inf])
        >>> tree.closest([0, 0, 0], to=[0, 0, 4]).t
        array(0.25)
        """
        items = _arrays.paths(origins, directions, to, tmin, tmax)
        options = self._options(items, locals())
        return Hits(self._paths("closest", items, (HIT, HIT_D), out, None, threads, progress, options))

    def any(
        self, origins, directions=None, *, to=None, tmin=0.0, tmax=_INF, mask=None, skip=None, cull=None,
        open_start=False, open_end=False, crossings=False, filter=None, ignore=None, out=None, threads=None,
        progress=None,
    ):  # fmt: skip
        """Whether there is a hit at all: (...) bool.  Rays, segments and options as of closest().

        >>> import sightline_bvh as sightline
        >>> sightline.Tree(sightline.sphere(8)).any([0, 0, 0], [[0, 0, 1], [0, 1, 0]], tmax=[0.5, 2])
        array([False,  True])
        """
        items = _arrays.paths(origins, directions, to, tmin, tmax)
        options = self._options(items, locals())
        return self._paths("any", items, (np.dtype(bool),) * 2, out, None, threads, progress, options)

    def count(
        self, origins, directions=None, *, to=None, tmin=0.0, tmax=_INF, mask=None, skip=None, cull=None,
        open_start=False, open_end=False, crossings=False, filter=None, ignore=None, out=None, threads=None,
        progress=None,
    ):  # fmt: skip
        """How many triangles are hit: (...) int64.  A hit on a shared edge is one for each triangle there,
        unless crossings are counted.  Rays, segments and options as of closest().

        >>> import sightline_bvh as sightline
        >>> tree = sightline.Tree(sightline.sphere(1))
        >>> int(tree.count([0, 0, 2], [0, 0, -1])), int(tree.count([0, 0, 2], [0, 0, -1], crossings=True))
        (8, 2)
        """
        items = _arrays.paths(origins, directions, to, tmin, tmax)
        options = self._options(items, locals())
        return self._paths("count", items, (np.dtype(np.int64),) * 2, out, None, threads, progress, options)

    def all(
        self, origins, directions=None, *, to=None, tmin=0.0, tmax=_INF, capacity=None, mask=None, skip=None,
        cull=None, open_start=False, open_end=False, crossings=False, filter=None, ignore=None, threads=None,
        progress=None,
    ):  # fmt: skip
        """Every hit of each ray or segment, sorted by (t, instance, prim): Ragged of Hits.

        capacity: keep that many of each ray, the nearest; totals still counts all.  Rays, segments and
        options as of closest().

        >>> import sightline_bvh as sightline
        >>> lists = sightline.Tree(sightline.sphere(8)).all([0.1, 0.2, 2], [0, 0, -1])
        >>> lists.values.t.round(2)
        array([1.03, 2.97])
        """
        items = _arrays.paths(origins, directions, to, tmin, tmax)
        options = self._options(items, locals())
        dtype = HIT_D if items.doubles else HIT
        return self._lists("all", items, options, dtype, 0.0, capacity, threads, progress, Hits)

    def next(
        self, previous, origins, directions=None, *, to=None, tmin=0.0, tmax=_INF, mask=None, skip=None, cull=None,
        open_start=False, open_end=False, crossings=False, filter=None, ignore=None, out=None, threads=None,
        progress=None,
    ):  # fmt: skip
        """The first hit behind previous, in the order (t, instance, prim): Hits of shape (...).

        previous: Hits of the same rays; a miss stays a miss.  out may be previous.  Rays, segments and
        options as of closest().

        >>> import sightline_bvh as sightline
        >>> tree = sightline.Tree(sightline.sphere(8))
        >>> first = tree.closest([[0.1, 0.2, 2]], [0, 0, -1])
        >>> tree.next(first, [[0.1, 0.2, 2]], [0, 0, -1]).t.round(2)
        array([2.97])
        """
        items = _arrays.paths(origins, directions, to, tmin, tmax)
        options = self._options(items, locals())
        before = _arrays.hits_of(previous, "previous")
        if before.shape != items.lead or before.dtype != (HIT, HIT_D)[items.doubles]:
            raise InvalidArgument(
                f"previous are the hits {before.shape} of {before.dtype}; those of these rays are {items.lead} of "
                f"{(HIT, HIT_D)[items.doubles]}"
            )
        out = _arrays.answers(out, items.lead, before.dtype)
        out[...] = before
        return Hits(self._paths("next", items, (HIT, HIT_D), out, None, threads, progress, options))

    def blocked(
        self, p, q, *, hints=None, mask=None, skip=None, cull=None, open_start=False, open_end=False, filter=None,
        ignore=None, out=None, threads=None, progress=None,
    ):  # fmt: skip
        """Whether anything lies between p (..., 3) and q (..., 3): (...) bool.

        Both ends belong to a segment, unless open_start or open_end says otherwise: a target that lies exactly
        on a triangle is then not hidden by it.  A rounded point is next to its triangle, and often behind it:
        take front_origin of surface() for the target instead, or skip the triangle.  hints: (...) REF, read and written: a triangle to try first, and afterwards
        one that blocks, where any does; kept from call to call it saves most of the work, and it never changes an
        answer.  Options: see closest().

        >>> import sightline_bvh as sightline
        >>> sightline.Tree(sightline.sphere(8)).blocked([[0, 0, 2], [0, 0, 3]], [0, 0, 1], open_end=True)
        array([False, False])
        """
        items = _arrays.segments(p, q)
        options = self._options(items, locals())
        if hints is not None:
            hints = _arrays.answers(hints, items.lead, REF, "hints")
        query = "any" if hints is None else "hinted"
        return self._paths(query, items, (np.dtype(bool),) * 2, out, hints, threads, progress, options)

    def blockers(
        self, p, q, *, mask=None, skip=None, cull=None, open_start=False, open_end=False, filter=None, ignore=None,
        out=None, threads=None, progress=None,
    ):  # fmt: skip
        """What lies between p (..., 3) and q (..., 3) first, seen from p: Hits of shape (...).

        >>> import sightline_bvh as sightline
        >>> tree = sightline.Tree(sightline.sphere(8))
        >>> tree.blockers([[0.1, 0.2, 2]], [0.1, 0.2, -2]).t.round(2)
        array([0.26])
        """
        return self.closest(
            p, to=q, mask=mask, skip=skip, cull=cull, open_start=open_start, open_end=open_end, filter=filter,
            ignore=ignore, out=out, threads=threads, progress=progress,
        )  # fmt: skip

    def fan(
        self, origin, directions=None, *, to=None, tmax=_INF, mask=None, skip=None, cull=None, open_start=False,
        open_end=False, filter=None, ignore=None, out=None, threads=None, progress=None,
    ):  # fmt: skip
        """From one point (3,) to many: the answers of any() or blocked(), faster: (...) bool.

        directions (..., 3), up to one tmax; or to (..., 3), the targets.  mask and skip are the same for all
        of them.  Neighbouring rays share what blocks them, so this is faster the more there are.

        >>> import sightline_bvh as sightline
        >>> sightline.Tree(sightline.sphere(8)).fan([0, 0, 0], to=[[0, 0, 0.5], [0, 0, 2]])
        array([False,  True])
        """
        if (directions is None) == (to is None):
            raise InvalidArgument("a fan has directions, or targets in to=")
        tmax = _arrays.number(tmax, "tmax")
        if to is not None and tmax != _INF:
            raise InvalidArgument("a segment has no tmax: give directions, or targets in to= alone")
        if to is None and (open_start or open_end):
            raise InvalidArgument("open_start and open_end are for segments; the ends of a ray are 0 and tmax")
        origin = _arrays.rows(origin, "origin")
        ends = _arrays.rows(directions if to is None else to, "directions" if to is None else "to")
        if origin.shape != (3,):
            raise InvalidArgument(f"a fan has one origin (3,), not {origin.shape}")
        ends = _arrays.packed(ends)
        items = _arrays.paths(origin, ends, None, 0.0, tmax) if to is None else _arrays.segments(origin, ends)
        options = self._options(items, locals())
        if not _arrays.are_same(options):
            raise InvalidArgument("a fan has one mask and one skip for all of it")
        return self._paths("fan", items, (np.dtype(bool),) * 2, out, None, threads, progress, options)

    # ---- Points ----

    def nearest(
        self, points, *, max_distance=_INF, mask=None, skip=None, ignore=None, out=None, threads=None, progress=None
    ):
        """The nearest triangle of each point (..., 3), within max_distance: Nearest of shape (...).

        A distance is the exact one, rounded once; of equal ones the lowest (instance, prim) counts.

        >>> import sightline_bvh as sightline
        >>> found = sightline.Tree(sightline.sphere(8)).nearest([[0, 0, 3], [0, 9, 0]])
        >>> found.distance
        array([2., 8.], dtype=float32)
        >>> found.point[0]
        array([0., 0., 1.])
        """
        items = _arrays.points(points)
        options = self._options(items, locals())
        array = _arrays.answers(out, items.lead, (NEAREST, NEAREST_D)[items.doubles])
        self._ask("nearest", items, options, array, None, _arrays.number(max_distance, "max_distance", 0), 1, threads, progress)
        return Nearest(array)

    def nearest_k(
        self, points, k, *, max_distance=_INF, mask=None, skip=None, ignore=None, out=None, threads=None,
        progress=None,
    ):  # fmt: skip
        """The k nearest triangles of each point (..., 3), sorted: Nearest of shape (..., k).

        Behind the last one that was found prim is NONE.

        >>> import sightline_bvh as sightline
        >>> sightline.Tree(sightline.sphere(1)).nearest_k([0, 0, 3], 4).distance
        array([2., 2., 2., 2.], dtype=float32)
        """
        items = _arrays.points(points)
        options = self._options(items, locals())
        k = _arrays.integer(k, "k")
        array = _arrays.answers(out, (*items.lead, k), (NEAREST, NEAREST_D)[items.doubles])
        self._ask("nearest_k", items, options, array, None, _arrays.number(max_distance, "max_distance", 0), k, threads, progress)
        return Nearest(array)

    def within(
        self, points, radius, *, capacity=None, mask=None, skip=None, ignore=None, threads=None, progress=None
    ):
        """All triangles within a radius of each point (..., 3), sorted by distance: Ragged of Nearest.

        >>> import sightline_bvh as sightline
        >>> sightline.Tree(sightline.sphere(1)).within([0, 0, 3], 2.5).counts
        array(4)
        """
        items = _arrays.points(points)
        options = self._options(items, locals())
        dtype = NEAREST_D if items.doubles else NEAREST
        radius = _arrays.number(radius, "radius", 0)
        return self._lists("within", items, options, dtype, radius, capacity, threads, progress, Nearest)

    def signed_distance(
        self, points, *, max_distance=_INF, by=None, mask=None, skip=None, ignore=None, threads=None, progress=None
    ):
        """The distance of nearest(), negative for points that are inside(): (...) float32, for points in doubles, too.

        A closed mesh is judged by parity, any other by its winding number, or each by what by= says: see
        Tree.inside().  A scene is judged by parity, instance by instance: a point is inside where it is inside any,
        and its distance is that of the nearest triangle of all.  On the surface it is 0.  The sign is exact, and the
        distance the exact one, rounded once.  Where nothing is within max_distance, it is that, with the sign; of a
        point that is not finite NaN.

        >>> import sightline_bvh as sightline
        >>> sightline.Tree(sightline.sphere(1)).signed_distance([[0, 0, 3], [0, 0, 0.75], [0, 0, 1]])
        array([ 2.        , -0.14433756,  0.        ], dtype=float32)
        """
        points = _arrays.rows(points, "points")
        if by is not None and self._is_scene:
            raise InvalidArgument("by is for trees; a scene is judged by parity")
        if ignore is not None and not self._is_scene:
            raise InvalidArgument("ignore is for scenes here: inside() of a tree has none")
        own = {name: value for name, value in (("by", by), ("ignore", ignore)) if value is not None}

        def ask(report):
            first, second = (
                report and (lambda phase, fraction, half=half: report(phase, (half + fraction) / 2)) for half in (0, 1)
            )
            found = self.nearest(
                points, max_distance=max_distance, mask=mask, skip=skip, ignore=ignore, threads=threads, progress=first
            )
            return found.distance.copy(), self.inside(points, mask=mask, skip=skip, threads=threads, progress=second, **own)

        distance, inside = _progress.run(progress, points.size // 3, ask)
        np.negative(distance, out=distance, where=inside & (distance > 0))
        distance[~np.isfinite(points).all(axis=-1)] = np.nan
        return distance

    # ---- Volumes ----

    def overlap(
        self, *, boxes=None, spheres=None, capsules=None, obbs=None, frusta=None, triangles=None, hulls=None,
        capacity=None, mask=None, skip=None, ignore=None, threads=None, progress=None,
    ):  # fmt: skip
        """The triangles that each volume touches, in rising order: Ragged of REF records.

        Volumes of one kind: boxes (..., 2, 3) min and max; spheres (..., 4) centre, radius; capsules (..., 7)
        two ends, radius; obbs (..., 5, 3) centre, three axes, halves in units of the axes; frusta (..., P, 4) with
        up to 8 planes, outward normal n and offset d, of all points x with n . x <= d; triangles (..., 3, 3);
        hulls (..., P, 3), each of up to 256 points, whose convex hull it is (one of fewer points than others repeats
        some).  They are solid, and touching counts; exact.
        A min beyond its max and a negative radius or half raise InvalidArgument, with the index of the volume; the
        empty box, from inf to -inf, and what has a NaN touch nothing.

        >>> import sightline_bvh as sightline
        >>> found = sightline.Tree(sightline.sphere(1)).overlap(spheres=[[0, 0, 1, 0.1], [9, 9, 9, 1]])
        >>> found.counts
        array([4, 0])
        >>> found[0]["prim"]
        array([0, 1, 2, 3], dtype=uint32)
        """
        items = _arrays.volumes(locals())
        options = self._options(items, locals())
        return self._lists("overlap", items, options, REF, 0.0, capacity, threads, progress)

    def overlaps(
        self, *, boxes=None, spheres=None, capsules=None, obbs=None, frusta=None, triangles=None, hulls=None,
        mask=None, skip=None, ignore=None, out=None, threads=None, progress=None,
    ):  # fmt: skip
        """Whether each volume touches any triangle: (...) bool.  Volumes as of overlap().

        >>> import sightline_bvh as sightline
        >>> sightline.Tree(sightline.sphere(1)).overlaps(boxes=[[0, 0, 0], [1, 1, 1]])
        array(True)
        """
        items = _arrays.volumes(locals())
        options = self._options(items, locals())
        array = _arrays.answers(out, items.lead, np.dtype(bool))
        self._ask("overlaps", items, options, array, None, 0.0, 1, threads, progress)
        return array

    # ---- Where hits lie ----

    def surface(self, hits):
        """Where hits of this tree or scene lie: Surface of the same shape; of misses NaN.

        front_origin and back_origin are where a ray starts that must not meet the triangle again.

        >>> import sightline_bvh as sightline
        >>> tree = sightline.Tree([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
        >>> surface = tree.surface(tree.closest([0.25, 0.25, 1], [0, 0, -1]))
        >>> surface.normal
        array([0., 0., 1.])
        >>> bool(surface.front_origin[2] > 0 > surface.back_origin[2])
        True
        """
        array = _arrays.hits_of(hits)
        doubles = int(array.dtype == HIT_D)
        out = np.empty(array.shape, SURFACE_D if doubles else SURFACE)
        _core.bvh_surface(self._handle, doubles, array.size, array, out)
        return Surface(out)

    def render(
        self, camera=None, *, width=800, height=600, show="shade", samples=1, ao=0, ao_distance=None,
        background=(255, 255, 255), threads=None, progress=None,
    ):  # fmt: skip
        """A picture: (H, W, 3) uint8.

        camera None: one that sees everything, of width x height pixels, from close by even where a scene is
        far from the origin; a camera has its own width and height.  show: "shade", "depth", "normal",
        "prim" or "instance".  samples: rays along each side of a pixel.  ao: rays of ambient occlusion from
        each hit, which look up to ao_distance (None: a quarter of the diagonal of the bounds).

        >>> import sightline_bvh as sightline
        >>> sightline.Tree(sightline.sphere(8)).render(width=64, height=48).shape
        (48, 64, 3)
        """
        from . import _render

        return _render.render(
            self, camera, width, height, show, samples, ao, ao_distance, background, threads, progress
        )
