"""Mesh against mesh, and shapes that move, next to trying every pair of triangles in whole numbers and rationals."""

import pickle
from fractions import Fraction

import numpy as np
import pytest
from conftest import exact_distance_squared, examples
from hypothesis import given
from hypothesis import strategies as st

import lattice
import sightline_bvh as sightline
from sightline_bvh import NONE, RELATIONS

seeds = st.integers(0, 2**32 - 1)
BOX = np.array([[0, 2, 3], [0, 3, 1], [4, 5, 7], [4, 7, 6], [0, 1, 5], [0, 5, 4],
                [2, 6, 7], [2, 7, 3], [0, 4, 6], [0, 6, 2], [1, 3, 7], [1, 7, 5]])  # fmt: skip
EMPTY = sightline.Tree(np.zeros((0, 3)))
BALL = sightline.Tree(sightline.sphere(8))


def box(low, high):
    """A closed mesh with its fronts outside."""
    corners = [[high[k] if i >> k & 1 else low[k] for k in range(3)] for i in range(8)]
    return np.array(corners, float), BOX


def tree_of(low, high):
    return sightline.Tree(*box(low, high))


def at(x, y=0.0, z=0.0):
    place = np.eye(4)
    place[:3, 3] = x, y, z
    return place


def trees(random, count):
    """Two trees over triangles of a lattice, and their corners."""
    corners = [lattice.triangles(random, count) for _ in range(2)]
    corners[1][:3] = corners[0][:3]  # shared ones, one of them turned
    corners[1][1] = corners[1][1][::-1]
    return [sightline.Tree(one.reshape(-1, 3)) for one in corners], corners


# ---- Every pair in turn ----


def interval(corners, sides, along):
    """Where a triangle meets a plane in which it does not lie: its ends along the line."""
    found = [Fraction(int(p)) for p, s in zip(along, sides, strict=True) if s == 0]
    for i, j in ((0, 1), (1, 2), (2, 0)):
        if sides[i] * sides[j] < 0:
            found.append(int(along[i]) + int(along[j] - along[i]) * Fraction(int(sides[i]), int(sides[i] - sides[j])))
    return min(found), max(found)


def relation(a, b, touch):
    """The relation of two triangles with areas, of which it is known whether they have a point in common."""
    if not touch:
        return "apart"
    m, n = (np.cross(t[1] - t[0], t[2] - t[0]) for t in (a, b))
    line = np.cross(m, n)
    of_a, of_b = (a - b[0]) @ n, (b - a[0]) @ m
    if not line.any():
        axes = [np.cross(m, t[i - 1] - t[i]) for t in (a, b) for i in range(3)]
        if any((a @ x).max() <= (b @ x).min() or (b @ x).max() <= (a @ x).min() for x in axes):
            return "touching"
        return "coplanar_same" if m @ n > 0 else "coplanar_opposite"
    if min(of_a) >= 0 or max(of_a) <= 0 or min(of_b) >= 0 or max(of_b) <= 0:
        return "touching"
    first, second = interval(a, of_a, a @ line), interval(b, of_b, b @ line)
    return "crossing" if max(first[0], second[0]) < min(first[1], second[1]) else "touching"


def segments_squared(p, q, r, s):
    """The square of the distance of two segments where their lines are nearest within both; else None."""
    d, e, w = q - p, s - r, p - r
    a, b, c = int(d @ d), int(d @ e), int(e @ e)
    if a * c == b * b:
        return None
    f, g = int(d @ w), int(e @ w)
    x, y = Fraction(b * g - c * f, a * c - b * b), Fraction(a * g - b * f, a * c - b * b)
    if not (0 <= x <= 1 and 0 <= y <= 1):
        return None
    return sum((int(w[k]) + x * int(d[k]) - y * int(e[k])) ** 2 for k in range(3))


def distance_squared(a, b, touch):
    if touch:
        return Fraction(0)
    found = [exact_distance_squared(s, p) for s, t in ((a, b), (b, a)) for p in t]
    found += [segments_squared(a[i - 1], a[i], b[j - 1], b[j]) for i in range(3) for j in range(3)]
    return min(square for square in found if square is not None)


def is_root(number, square):
    """Whether a float32 is the root of a square, rounded to nearest."""
    low, high = (np.nextafter(np.float32(number), np.float32(way)) for way in (-np.inf, np.inf))
    below, above = ((Fraction(float(number)) + Fraction(float(end))) / 2 for end in (low, high))
    return (square == 0 and number == 0) or max(below, 0) ** 2 <= square <= above**2


@examples(25)
@given(seed=seeds)
def test_pairs_and_distances_are_those_of_all_pairs_in_turn(seed):
    random = np.random.default_rng(seed)
    (a, b), (first, second) = trees(random, 12)
    touch = lattice.triangles_touch(first, second)
    words = np.array([[relation(s, t, touch[i, j]) for j, t in enumerate(second)] for i, s in enumerate(first)])
    found = a.clash(b)
    i, j = np.nonzero(words != "apart")
    assert (found.a["prim"] == i).all() and (found.b["prim"] == j).all() and not found.distance.any()
    assert found.relations.tolist() == words[i, j].tolist() and found.total == len(i)
    assert a.clashes(b) == touch.any()
    for wanted in ("crossing", ["touching", "coplanar_same"], ("coplanar_opposite",)):
        some = a.clash(b, relations=wanted)
        assert some.size == np.isin(words, wanted).sum() and np.isin(some.relations, wanted).all()
        assert a.clashes(b, relations=wanted) == np.isin(words, wanted).any()
    few = a.clash(b, capacity=3)
    assert few.size == min(3, len(i)) and few.total == len(i) and (few == found[:3]).all()
    # A little elsewhere, so that some are near and do not meet.
    step = random.integers(-2, 14, 3)
    second = second[:4] + step
    place = at(*step)
    there = sightline.Scene([(sightline.Tree(second.reshape(-1, 3) - step), place)])
    touch = lattice.triangles_touch(first, second)
    squares = [[distance_squared(s, t, touch[i, j]) for j, t in enumerate(second)] for i, s in enumerate(first)]
    nearest = min((square, i, j) for i, row in enumerate(squares) for j, square in enumerate(row))
    near = a.distance(there)
    assert (near.a["prim"], near.b["prim"]) == nearest[1:] and is_root(near.distance, nearest[0])
    assert np.isclose(np.linalg.norm(near.point_a - near.point_b), near.distance)
    for margin in (1.0, 3.0):
        pairs = [(i, j) for i, row in enumerate(squares) for j, square in enumerate(row) if square <= margin**2]
        found = a.clash(there, margin=margin)
        assert list(zip(found.a["prim"].tolist(), found.b["prim"].tolist(), strict=True)) == pairs
        assert all(is_root(d, squares[i][j]) for d, (i, j) in zip(found.distance, pairs, strict=True))
        assert a.clashes(there, margin=margin) == bool(pairs)
        assert a.distance(there, max_distance=margin).found == bool(pairs)


def test_options_leave_out_what_they_say(random):
    (a, b), _ = trees(random, 40)
    every = a.clash(b)
    masks = random.integers(1, 4, 40)
    masked = a.with_masks(masks)
    kept = every[masks[every.a["prim"]] & 2 != 0]
    assert (masked.clash(b, mask=2) == kept).all() and masked.clash(b, mask=4).size == 0
    turned = b.clash(masked, other_mask=2)
    assert sorted(zip(turned.b["prim"], turned.a["prim"])) == list(zip(kept.a["prim"], kept.b["prim"]))
    scene = sightline.Scene([a, (a, at(100)), a])
    assert scene.clash(b).size == 2 * every.size and (scene.clash(b, ignore=[0]).a["instance"] == 2).all()
    assert b.clash(scene, other_ignore=[[0, 2]]).size == every.size
    assert not b.clashes(scene, other_ignore=[[0, 3]]) and not b.distance(scene, other_ignore=[[0, 3]]).found
    assert b.distance(scene, other_ignore=[0, 2]).distance > 50


def test_threads_and_places_make_no_difference(random):
    a, b = sightline.Tree(sightline.sphere(48)), sightline.Tree(sightline.torus(96, 48))
    assert (a.clash(b, threads=1) == a.clash(b, threads=2)).all() and a.clash(b).size > 100
    places = np.tile(np.eye(4), (3, 4, 1, 1))
    places[..., :3, 3] = random.normal(size=(3, 4, 3)) * 2
    one = [a.distance(sightline.Scene([(b, place)])) for place in places.reshape(-1, 4, 4)]
    for given_ in (places, places[..., :3, :], np.asfortranarray(places)):
        found = a.distance(b, at=given_, threads=2)
        assert found.shape == (3, 4) and (found.distance.ravel() == [f.distance for f in one]).all()
        assert (found.point_b.reshape(-1, 3) == [f.point_b for f in one]).all()
        assert (a.clashes(b, at=given_) == (found.distance == 0)).all()
    assert a.clashes(b, at=places[0, 0]).shape == () and a.clashes(b, at=np.zeros((0, 2, 3, 4))).shape == (0, 2)
    assert a.distance(b, at=places.tolist()).shape == (3, 4)
    flat = np.array([at(0), np.full((4, 4), np.nan), at(0)])
    flat[1, 3] = 0, 0, 0, 1
    assert a.clashes(a, at=flat).tolist() == [True, False, True]


# ---- Cases by hand ----


def test_walls_in_one_plane():
    """Flush ones share area on one side, a slab on a slab on two; that they touch is no crossing."""
    wall = tree_of([0, 0, 0], [4, 1, 3])
    flush, on, beside = tree_of([2, 0, 1], [6, 1, 2]), tree_of([0, 0, 3], [4, 1, 4]), tree_of([4, 1, 0], [5, 2, 3])
    assert {"coplanar_same", "crossing"} <= set(wall.clash(flush).relations)
    assert set(wall.clash(on).relations) == {"coplanar_opposite", "touching"}
    assert set(wall.clash(beside).relations) == {"touching"}
    scene = sightline.Scene([wall, flush, on, beside])
    found = scene.clashing()
    kinds = dict(zip(zip(found.a.tolist(), found.b.tolist(), strict=True), found.kinds, strict=True))
    assert kinds[0, 1] == "hard" and kinds[0, 2] == "touching" and kinds[0, 3] == "touching"
    assert wall.solids(flush).relation == "overlapping" and wall.solids(on).relation == "touching"
    assert wall.solids(beside) == ("touching", True, (False, False), "touching")


@examples(30)
@given(numbers=st.lists(st.integers(0, 4), min_size=12, max_size=12))
def test_boxes_of_a_grid_as_solids(numbers):
    ends = np.sort(np.reshape(numbers, (2, 2, 3)), axis=1)
    ends[:, 1] += ends[:, 0] == ends[:, 1]
    (p, q), (r, s) = ends
    a, b = tree_of(p, q), tree_of(r, s)
    low, high = np.maximum(p, r), np.minimum(q, s)
    if (low > high).any():
        wanted = "apart"
    elif (low == high).any():
        wanted = "touching"
    elif (p == r).all() and (q == s).all():
        wanted = "equal"
    else:
        inside = (p >= r).all() and (q <= s).all(), (r >= p).all() and (s <= q).all()
        wanted = "a_inside" if inside[0] else "b_inside" if inside[1] else "overlapping"
    found = a.solids(b)
    assert found.relation == wanted and found.open == (False, False)
    assert found.boundaries_meet == (a.clash(b).size > 0) == a.clashes(b)
    assert a.solids(b, by_parity=True) == found
    assert found.surfaces == RELATIONS[max(a.clash(b).relation, default=0)]
    square = sum(int(gap) ** 2 for gap in np.maximum(low - high, 0)) if wanted == "apart" else None
    if square is not None:
        assert is_root(a.distance(b).distance, square)


def test_solids_that_are_open_and_within_one_another():
    shell, core, far = tree_of([0, 0, 0], [9, 9, 9]), tree_of([3, 3, 3], [5, 5, 5]), tree_of([20, 0, 0], [21, 1, 1])
    assert shell.solids(core) == ("b_inside", False, (False, False), "apart")
    vertices, faces = box([0, 0, 0], [9, 9, 9])
    torn = sightline.Tree(vertices, faces[1:])
    assert torn.solids(core) == ("open", False, (True, False), "apart") and core.solids(torn).open == (False, True)
    scene = sightline.Scene([shell, core, far, shell])
    assert scene.clashing().size == 1
    found = scene.clashing(solids=True)
    assert found.a.tolist() == [0, 0, 1] and found.b.tolist() == [1, 3, 3] and (found.kinds == "hard").all()
    assert found.solids.tolist() == ["b_inside", "equal", "a_inside"]
    assert not found[0].nearest.found and found[0].pairs == 0 and scene.clashing().solids.tolist() == [""]


def test_curves_of_boxes_and_of_balls():
    a, b = tree_of([0, 0, 0], [2, 2, 2]), tree_of([1, 1, 1], [3, 3, 3])
    curves = a.curves(b)
    assert curves.closed.tolist() == [True] and curves.lengths.tolist() == [6]
    assert (np.isin(curves.points, [1, 2])).all() and len(curves.points) == len(curves.pairs)
    ball = sightline.Tree(sightline.sphere(24))
    curves = ball.curves(sightline.Scene([(ball, at(1, 0.1, 0.2))]))
    assert curves.closed.all() and len(curves.lengths) == 1
    # The circle in the middle: at a radius of sqrt(1 - |step|^2 / 4).
    assert abs(curves.lengths[0] - 2 * np.pi * np.sqrt(1 - 1.05 / 4)) < 0.05
    nothing = ball.curves(sightline.Scene([(ball, at(9))]))
    assert nothing.points.shape == (0, 3) and nothing.offsets.tolist() == [0]
    assert nothing.lengths.shape == nothing.closed.shape == (0,)
    assert pickle.loads(pickle.dumps(curves)).lengths.tolist() == curves.lengths.tolist()


@examples(20)
@given(seed=seeds)
def test_curves_are_the_segments_of_the_pairs_that_cross(seed):
    a, b = (sightline.Tree(sightline.soup(20, 0.8, seed % 1000 + k)) for k in range(2))
    curves = a.curves(b)
    total = 0.0
    for pair in a.clash(b):
        s, t = a.triangles(pair.a["prim"]).astype(float), b.triangles(pair.b["prim"]).astype(float)
        m, n = (np.cross(x[1] - x[0], x[2] - x[0]) for x in (s, t))
        line = np.cross(m, n)
        ends = []
        for x, sides in ((s, (s - t[0]) @ n), (t, (t - s[0]) @ m)):
            along = x @ line
            cut = [
                along[i] + (along[j] - along[i]) * sides[i] / (sides[i] - sides[j])
                for i, j in ((0, 1), (1, 2), (2, 0)) if sides[i] * sides[j] < 0
            ]  # fmt: skip
            ends.append((min(cut), max(cut)))
        total += (min(e[1] for e in ends) - max(e[0] for e in ends)) / np.linalg.norm(line)
    assert np.isclose(curves.lengths.sum(), total, rtol=1e-6) and not curves.closed.any()
    for point, pair in zip(curves.points, curves.pairs, strict=True):
        assert a.nearest(point).distance < 1e-6 and b.nearest(point).distance < 1e-6 and pair.relations == "crossing"


# ---- Shapes that move ----


def times(shape, axes, d, triangle):
    """When a convex shape that moves meets a triangle, and whether its inside does at the start: by every axis."""
    low, high, overlap = Fraction(0), Fraction(1), True
    for axis in axes:
        if not axis.any():
            continue
        a, b, speed = shape @ axis, triangle @ axis, int(d @ axis)
        behind, ahead = int(b.min() - a.max()), int(b.max() - a.min())
        overlap &= behind < 0 < ahead
        if speed == 0:
            if behind > 0 or ahead < 0:
                return None, False
            continue
        first, last = sorted((Fraction(behind, speed), Fraction(ahead, speed)))
        low, high = max(low, first), min(high, last)
    return (low if low <= high else None), overlap


def axes_of(edges, normals, triangle):
    own = [triangle[i - 1] - triangle[i] for i in range(3)]
    normal = np.cross(own[0], own[1])
    sides = [np.cross(n, e) for n in normals for e in edges] + [np.cross(normal, e) for e in own]
    return [*normals, normal, *sides, *(np.cross(e, f) for e in edges for f in own)]


def moving(random, kind):
    """What is given, the corners, edges and face normals of a shape of the lattice, and the way."""
    d = random.integers(-9, 10, 3) * random.integers(0, 2, 3)
    if kind == "triangles":
        corners = lattice.triangles(random, 6)[0] + random.integers(-4, 5, 3)
        edges = [corners[i - 1] - corners[i] for i in range(3)]
        return corners, corners, edges, [np.cross(edges[0], edges[1])], d
    centre, half = random.integers(-9, 10, 3), random.integers(0, 3, 3)
    axes = np.eye(3, dtype=np.int64)
    if kind == "obbs":
        axes = random.integers(-1, 2, (3, 3))
    signs = np.array([[1 if i >> k & 1 else -1 for k in range(3)] for i in range(8)])
    corners = centre + (signs * half) @ axes
    normals = [np.cross(axes[i - 2], axes[i - 1]) for i in range(3)]
    value = np.stack([centre - half, centre + half]) if kind == "boxes" else np.stack([centre, *axes, half])
    return value, corners, [*(axes * half[:, None])], normals, d


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("kind", ["boxes", "obbs", "triangles"])
@examples(25)
@given(seed=seeds)
def test_sweeps_are_those_of_all_triangles_in_turn(kind, dtype, seed):
    random = np.random.default_rng(seed)
    triangles = lattice.triangles(random, 14)
    tree = sightline.Tree(triangles.reshape(-1, 3))
    shapes = [moving(random, kind) for _ in range(6)]
    volumes = np.array([shape[0] for shape in shapes]).astype(dtype)
    ways = np.array([shape[-1] for shape in shapes]).astype(dtype)
    every = tree.sweep_all(ways, **{kind: volumes})
    first, hit = tree.sweep(ways, **{kind: volumes}), tree.sweep_any(ways, **{kind: volumes})
    through = tree.sweep(ways, **{kind: volumes}, overlapping="ignore", touching="ignore")
    for i, (_, corners, edges, normals, d) in enumerate(shapes):
        met = []
        for prim, triangle in enumerate(triangles):
            t, overlap = times(corners, axes_of(edges, normals, triangle), d, triangle)
            if t is not None:
                met.append((float(t), prim, t, overlap))
        met.sort()
        found = every[i]
        assert found.prim.tolist() == [m[1] for m in met] and found.t.tolist() == [m[0] for m in met]
        assert hit[i] == bool(met) == first.hit[i] and first.prim[i] == (met[0][1] if met else NONE)
        assert all(Fraction(float(safe)) <= m[2] for safe, m in zip(found.t_safe, met, strict=True))
        assert (np.nextafter(found.t_safe, 2) >= found.t).all() and (found.t_safe <= found.t).all()
        if kind == "boxes" and (volumes[i][0] < volumes[i][1]).all():
            assert (found.starts == "overlapping").tolist() == [m[3] for m in met]
        later = [m for m in met if m[2] > 0]
        assert through.prim[i] == (later[0][1] if later else NONE)
    some = tree.sweep_all(ways, **{kind: volumes}, capacity=2)
    assert (some.totals == every.counts).all() and (some.counts == np.minimum(every.counts, 2)).all()


@pytest.mark.parametrize("kind", ["spheres", "capsules"])
@examples(15)
@given(seed=seeds)
def test_round_shapes_stop_where_they_touch(kind, seed):
    """At t they are as far from the nearest triangle as their radius, and before that farther."""
    random = np.random.default_rng(seed)
    tree = sightline.Tree(sightline.soup(30, 0.4, seed % 1000))
    n = 20
    low, high = tree.bounds
    p, radius = random.uniform(low - 0.5, high + 0.5, (n, 3)), random.uniform(0.01, 0.1, n)
    d = (random.uniform(low, high, (n, 3)) - p) * 0.6
    axis = random.normal(size=(n, 3)) * (0.1 if kind == "capsules" else 0)
    given_ = [p, p + axis, radius[:, None]] if kind == "capsules" else [p, radius[:, None]]
    contact = tree.sweep(d, **{kind: np.concatenate(given_, axis=1)})
    assert contact.hit.any()
    along = np.linspace(0, 1, 2 if kind == "spheres" else 200)

    def gap(t):
        """How far the axis is from the mesh, when it is where it is at t (n,): closely enough for what is asked."""
        start = p + t[:, None] * d
        return tree.nearest(start[:, None] + along[:, None] * axis[:, None]).distance.min(axis=1) - radius

    close = 1e-6 if kind == "spheres" else 1e-2
    assert (gap(contact.t_safe)[contact.hit & (contact.t > 0)] >= -1e-6).all()
    assert (np.abs(gap(contact.t))[contact.hit & (contact.t > 0)] < close).all()
    assert (gap(contact.t)[contact.hit & (contact.t == 0)] <= close).all()
    for share in random.uniform(0, 1, 8):
        assert (gap(contact.t * share)[contact.t > 0] > -1e-6).all()
    assert np.allclose(np.linalg.norm(contact.normal[contact.hit], axis=1), 1)
    if kind == "capsules":
        same = tree.sweep(d, capsules=np.concatenate([p, p, radius[:, None]], axis=1))
        ball = tree.sweep(d, spheres=np.concatenate([p, radius[:, None]], axis=1))
        assert (same.t == ball.t).all() and (same.prim == ball.prim).all()


FLOOR = sightline.Tree([[-9, 0, -9], [9, 0, -9], [9, 0, 9], [-9, 0, 9]], [[0, 2, 1], [0, 3, 2]])


def test_what_is_met_at_the_start():
    ball = [5, 1, -3, 1]  # rests on the floor, on one triangle alone
    down, up, aside = [0, -1, 0], [0, 1, 0], [1, 0, 0]
    for way, start in ((down, "touching_closing"), (up, "touching_receding"), (aside, "touching_receding")):
        contact = FLOOR.sweep(way, spheres=ball)
        assert (contact.t, contact.starts) == (0, start)
        assert FLOOR.sweep_any(way, spheres=ball, touching="ignore_receding") == (start == "touching_closing")
        assert not FLOOR.sweep_any(way, spheres=ball, touching="ignore")
        assert FLOOR.sweep_any(way, spheres=ball, overlapping="ignore")
    into = [5, 0.5, -3, 1]
    assert FLOOR.sweep(down, spheres=into).starts == "overlapping"
    assert FLOOR.sweep_any(down, spheres=into, overlapping="ignore_receding")
    assert not FLOOR.sweep_any(up, spheres=into, overlapping="ignore_receding")
    assert not FLOOR.sweep_any(down, spheres=into, overlapping="ignore")
    assert FLOOR.sweep([0, 0, 0], spheres=into).t == 0 and not FLOOR.sweep([0, 0, 0], spheres=[0, 3, 0, 1]).hit


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_what_is_only_grazed(dtype):
    boxes = np.array([[[-6, 0, 2], [-5, 1, 3]], [[-6, 2, 2], [-5, 3, 3]]], dtype)
    ways = np.array([[16, 0, 0], [16, -8, 0]], dtype)  # along the floor, over its diagonal; and into it
    options = {"boxes": boxes, "touching": "ignore"}
    assert FLOOR.sweep(ways, **options).t.tolist() == [7 / 16, 0.25]
    assert FLOOR.sweep(ways, **options, grazing="ignore").t.tolist() == [1, 0.25]
    assert FLOOR.sweep_any(ways, **options, grazing="ignore").tolist() == [False, True]
    assert FLOOR.sweep_all(ways, **options, grazing="ignore").counts[0] == 0


def test_options_of_sweeps():
    balls = np.array([[0.5, 3, 0.25, 1], [0.5, -3, 0.25, 1]])
    ways = np.array([[0, -4, 0], [0, 4, 0]])
    contact = FLOOR.sweep(ways, spheres=balls)
    assert contact.t.tolist() == [0.5, 0.5] and contact.normal.tolist() == [[0, 1, 0], [0, -1, 0]]
    assert (contact.flags & sightline.HIT_BACK != 0).tolist() == [False, True]
    assert FLOOR.sweep(ways, spheres=balls, cull="back").hit.tolist() == [True, False]
    assert FLOOR.sweep(ways, spheres=balls, cull="front").hit.tolist() == [False, True]
    prim = int(contact.prim[0])
    for skip in (contact, contact.ref, contact.prim, prim):
        assert (FLOOR.sweep(ways, spheres=balls, skip=skip).prim != prim).all()
    assert not FLOOR.sweep(ways, spheres=balls, skip=[[0, 1]]).hit.any()
    keep = np.zeros(2, bool)
    assert not FLOOR.sweep_any(ways, spheres=balls, filter=keep).any()
    assert not FLOOR.sweep_all(ways, spheres=balls, filter=lambda index, t, u, v, prim, instance, flags: t > 0.6).totals.all()
    with pytest.raises(ZeroDivisionError):
        FLOOR.sweep(ways, spheres=balls, filter=lambda *_: 1 // 0)
    masked = FLOOR.with_masks([1, 1])
    assert masked.sweep_any(ways, spheres=balls, mask=[1, 2]).tolist() == [True, False]
    scene = sightline.Scene([FLOOR, (FLOOR, at(0, 1.0))])
    assert scene.sweep(ways[0], spheres=balls[0]).instance == 1
    assert scene.sweep(ways[0], spheres=balls[0], ignore=[1]).instance == 0
    assert scene.sweep_all(ways[0], spheres=balls[0]).values.instance.tolist() in ([1, 0], [1, 1, 0, 0])


@pytest.mark.parametrize("target", [BALL, sightline.Scene([(BALL, at(0.5, 0.25)), BALL])])
def test_hulls_of_corners_are_boxes_and_triangles(target, random):
    low = random.normal(size=(40, 3)).astype(np.float32)
    size = random.uniform(0, 0.4, (40, 3)).astype(np.float32)
    boxes = np.stack([low, low + size], axis=1)
    which = np.array([[i >> k & 1 for k in range(3)] for i in range(8)])
    hulls = boxes[:, which, np.arange(3)]
    assert hulls.shape == (40, 8, 3)
    ways = random.normal(size=(40, 3)).astype(np.float32)
    for number in (np.float32, np.float64):
        for given_ in (hulls.astype(number), np.asfortranarray(hulls, number), np.repeat(hulls, 2, axis=2)[..., ::2]):
            shuffled = given_[:, random.permutation(8)]
            one, other = target.sweep(ways.astype(number), hulls=shuffled), target.sweep(ways, boxes=boxes)
            assert (one.t == other.t).all() and (one.prim == other.prim).all() and one.hit.any()
            assert (target.overlaps(hulls=shuffled) == target.overlaps(boxes=boxes)).all()
    triangles = random.normal(size=(30, 3, 3))
    lists = target.overlap(hulls=triangles), target.overlap(triangles=triangles)
    assert (lists[0].values == lists[1].values).all() and (lists[0].offsets == lists[1].offsets).all()
    # A volume for all directions, directions for all volumes, and both.
    both = target.sweep(ways[:5, None], hulls=hulls[:3])
    assert both.shape == (5, 3) and (both[2, 1] == target.sweep(ways[2], hulls=hulls[1]))
    assert target.sweep(ways, hulls=hulls[0]).shape == (40,) and target.sweep(ways[0], hulls=hulls).shape == (40,)
    assert target.sweep_all(ways, hulls=hulls).counts.shape == (40,)
    points = target.overlaps(hulls=[[[0, 0, 1]], [[0, 0, 1.1]]])
    assert points.tolist()[1] is False and target.overlaps(hulls=np.full((8, 3), np.nan)) == np.False_
    assert target.overlaps(hulls=[]).shape == (0,) and target.overlaps(hulls=np.zeros((0, 9, 3))).shape == (0,)


def test_ways_out(random):
    balls = np.concatenate([random.normal(size=(200, 3)), random.uniform(0.01, 0.3, (200, 1))], axis=1)
    for target in (BALL, sightline.Scene([BALL, (BALL, at(0.7))])):
        ways = target.push_out(spheres=balls, threads=2)
        assert ways.shape == (200, 3) and ways.dtype == np.float64 and np.isfinite(ways).all()
        rests = target.sweep(np.zeros((200, 3)), spheres=balls).starts != "overlapping"
        assert (rests == ~ways.any(axis=1)).all() and 0 < rests.sum() < 200
        moved = balls + np.pad(ways, [(0, 0), (0, 1)])
        assert (target.sweep(np.zeros((200, 3)), spheres=moved).starts != "overlapping").all()
        rods = np.concatenate([balls[:, :3], balls[:, :3] + [0.1, 0.2, 0], balls[:, 3:]], axis=1)
        moved = rods + np.concatenate([np.tile(target.push_out(capsules=rods), 2), np.zeros((200, 1))], axis=1)
        assert (target.sweep(np.zeros((200, 3)), capsules=moved).starts != "overlapping").all()
    into = [5, 0.75, -3, 1]
    way = FLOOR.push_out(spheres=into)
    assert np.allclose(way, [0, 0.25, 0], atol=1e-6) and (way == FLOOR.push_out(spheres=np.float32(into))).all()
    assert np.isnan(FLOOR.push_out(spheres=into, max_distance=0.125)).all()
    assert FLOOR.push_out(spheres=[into], skip=[[0, 1]]).tolist() == [[0, 0, 0]]
    masked = FLOOR.with_masks([1, 1])
    assert masked.push_out(spheres=[into, into], mask=[2, 1]).tolist() == [[0, 0, 0], way.tolist()]
    scene = sightline.Scene([FLOOR])
    assert not scene.push_out(spheres=into, ignore=0).any() and not EMPTY.push_out(spheres=into).any()
    out = np.empty((1, 3))
    assert FLOOR.push_out(spheres=[into], out=out) is out and (out == way).all()
    assert FLOOR.push_out(spheres=[]).shape == (0, 3) and FLOOR.push_out(spheres=np.zeros((2, 0, 4))).shape == (2, 0, 3)
    assert np.isnan(FLOOR.push_out(spheres=[np.nan, 0, 0, 1])).all()


def test_directions_and_volumes_broadcast():
    ways = np.random.default_rng(3).normal(size=(4, 1, 3))
    balls = np.random.default_rng(4).normal(size=(5, 4)) ** 2
    both = BALL.sweep(ways, spheres=balls)
    full = BALL.sweep(np.broadcast_to(ways, (4, 5, 3)), spheres=np.broadcast_to(balls, (4, 5, 4)))
    assert both.shape == (4, 5) and (both == full).all()
    assert BALL.sweep([0, 0, 1], spheres=balls).shape == (5,) and BALL.sweep(ways, spheres=balls[0]).shape == (4, 1)
    assert BALL.sweep([0, 0, 1], spheres=balls[0]).shape == ()
    assert BALL.sweep_all(ways, spheres=balls).shape == (4, 5)
    # A direction in doubles takes volumes in floats along: nothing is rounded.
    thin = np.float32([0, 0, -3, 0.5])
    assert BALL.sweep(np.array([0, 0, 0.1]), spheres=thin).t == BALL.sweep([0, 0, 0.1], spheres=thin.astype(float)).t
    out = np.empty((4, 5), sightline.CONTACT)
    assert BALL.sweep(ways, spheres=balls, out=out).array is out and (out == both.array).all()
    for bad in (np.empty(20, sightline.CONTACT), np.empty((4, 5), sightline.HIT), np.empty((5, 4), sightline.CONTACT).T):
        with pytest.raises(sightline.InvalidArgument, match="out"):
            BALL.sweep(ways, spheres=balls, out=bad)


@pytest.mark.parametrize("threads", [1, 2])
def test_many_sweeps_are_those_of_single_ones(threads, random):
    ways, balls = random.normal(size=(9000, 3)) * 3, random.normal(size=(9000, 4))
    balls[:, 3] = balls[:, 3] ** 2 / 9
    seen = []
    found = BALL.sweep(ways, spheres=balls, threads=threads, progress=lambda phase, share: seen.append(share))
    some = slice(None, None, 300)
    assert (found[some] == BALL.sweep(ways[some], spheres=balls[some])).all()
    assert (BALL.sweep_any(ways, spheres=balls, threads=threads) == found.hit).all()
    assert all(0 <= share <= 1 for share in seen)
    with pytest.raises(sightline.Cancelled):
        BALL.sweep(np.tile(ways, (20, 1)), spheres=np.tile(balls, (20, 1)), progress=lambda *_: False, threads=threads)


# ---- Instances that clash ----


def crowd(random, count=30):
    places = [at(*random.integers(-4, 5, 3)) for _ in range(count)]
    return [(tree_of([0, 0, 0], [2, 2, 2]), place) for place in places], np.array([p[:3, 3] for p in places])


def listed(clashes):
    return list(zip(clashes.a.tolist(), clashes.b.tolist(), clashes.kinds.tolist(), strict=True))


def test_instances_are_those_of_all_pairs_in_turn(random):
    instances, corner = crowd(random)
    scene = sightline.Scene(instances)
    wanted = []
    for a in range(len(corner)):
        for b in range(a + 1, len(corner)):
            gap = np.maximum(np.abs(corner[a] - corner[b]) - 2, 0)
            shared = 2 - np.abs(corner[a] - corner[b])
            if (gap == 0).all():
                wanted.append((a, b, "hard" if (shared > 0).all() else None))
            elif gap @ gap <= 1.5**2:
                wanted.append((a, b, "clearance"))
    found = scene.clashing(margin=1.5)
    assert [pair[:2] for pair in listed(found)] == [pair[:2] for pair in wanted]
    # Boxes that only touch may be flush, which is hard.
    assert all(kind in (told, "touching" if told is None else told, "hard" if told is None else told)
               for (*_, kind), (*_, told) in zip(listed(found), wanted, strict=True))  # fmt: skip
    for clash in found:
        a, b = (instances[int(i)] for i in (clash.a, clash.b))
        single = sightline.Scene([a]).clash(sightline.Scene([b]))
        apart = sightline.Scene([a]).distance(sightline.Scene([b])).distance
        assert clash.pairs == single.size and clash.nearest.distance == apart
    one = scene.clashing(limit=1)
    assert (one.pairs == 1).all() and listed(one) == listed(scene.clashing())
    for threads in (1, 2):
        assert (scene.clashing(margin=1.5, threads=threads) == found).all()


def test_groups_bodies_masks_and_relations_of_instances(random):
    instances, _ = crowd(random, 20)
    scene = sightline.Scene(instances)
    every = listed(scene.clashing())
    groups, against = random.integers(0, 4, (2, 20))
    groups, against = groups.astype(np.uint8), against.astype(np.int64)
    all_bits = 0xFFFFFFFF
    g, w = (np.where(n == 0, all_bits, n) for n in (groups.astype(np.int64), against))
    wanted = [c for c in every if g[c[0]] & w[c[1]] and g[c[1]] & w[c[0]]]
    assert listed(scene.clashing(groups=groups, against=against)) == wanted
    bodies = np.arange(20) // 5  # 0: none
    assert listed(scene.clashing(bodies=bodies.tolist())) == [
        c for c in every if bodies[c[0]] != bodies[c[1]] or bodies[c[0]] == 0
    ]
    assert listed(scene.clashing(ignore=[[3, 4]])) == [c for c in every if not {c[0], c[1]} & {3, 4, 5, 6}]
    hard = scene.clashing(relations="crossing")
    assert set(listed(hard)) <= set(every) and (hard.kinds == "hard").all()
    masked = sightline.Scene([sightline.Instance(*one, mask=1 + i % 2) for i, one in enumerate(instances)])
    assert listed(masked.clashing(mask=2)) == [c for c in every if c[0] % 2 and c[1] % 2]


def test_previous_changes_nothing_and_is_itself(random):
    instances, _ = crowd(random)
    scene = sightline.Scene(instances)
    before = scene.clashing(margin=0.5)
    for _ in range(3):
        i = int(random.integers(30))
        instances[i] = (instances[i][0], at(*random.normal(size=3) * 3))
        scene = sightline.Scene(instances, previous=scene)
        after = scene.clashing(margin=0.5, previous=before)
        assert (after.array == scene.clashing(margin=0.5).array).all()
        before = after
    assert (scene.clashing(previous=BALL.scene().clashing()) == scene.clashing()).all()
    kept = pickle.loads(pickle.dumps(before))
    assert (kept == before).all() and (kept.kinds == before.kinds).all()
    for other in (kept, before[:2], before.copy(), before.array, 3):
        with pytest.raises(sightline.InvalidArgument, match="previous is what clashing"):
            scene.clashing(previous=other)


# ---- Records, and what is refused ----


def test_records_are_pickled_and_cut():
    pairs = BALL.clash(BALL, capacity=10)
    found = [pairs, BALL.distance(BALL, at=[at(3), at(0)]), FLOOR.sweep([0, -4, 0], spheres=[[0, 3, 0, 1]])]
    for records in found:
        again = pickle.loads(pickle.dumps(records))
        assert type(again) is type(records) and (again == records).all() and again.dtype == records.dtype
        assert records[0].shape == () and len(records[:1]) == 1
    assert pairs.total == BALL.clash(BALL).size > pairs.size == 10 and pickle.loads(pickle.dumps(pairs)).total == 10
    assert BALL.clash(BALL, capacity=0).total == pairs.total
    contact = found[2]
    assert contact.gather(np.arange(2.0))[0] == contact.prim[0] and contact.ref["prim"] == contact.prim


def test_of_nothing_there_is_nothing():
    nowhere = sightline.Scene([])
    for other in (EMPTY, nowhere, sightline.Scene([sightline.Instance()])):
        for a, b in ((BALL, other), (other, BALL), (other, other)):
            assert a.clash(b).size == 0 and not a.clashes(b) and a.clash(b, margin=1e9).size == 0
            assert not a.distance(b).found and a.distance(b).distance == np.inf
            assert a.clashes(b, at=[np.eye(4)] * 2).tolist() == [False, False]
            assert len(a.curves(b).points) == 0 and a.solids(b).relation == "apart"
        assert other.clashing().size == 0 if other is not EMPTY else True
        assert not other.sweep([0, 0, 1], spheres=[0, 0, 0, 1]).hit
        assert other.sweep_all([[0, 0, 1]], spheres=[0, 0, 0, 1]).counts.tolist() == [0]
    assert BALL.sweep([], spheres=[]).shape == (0,) and len(BALL.sweep_all([], boxes=[])) == 0
    for wrong in ([np.nan, 0, 0, 1], [np.inf, 0, 0, 1], [0, 0, 0, np.nan]):
        assert not BALL.sweep([0, 0, 9], spheres=wrong).hit
    assert not BALL.sweep([0, np.nan, 9], spheres=[0, 0, 0, 1]).hit


SCENE = sightline.Scene([BALL, BALL])
WAY, SPHERE = [0, 0, 1], {"spheres": [0, 0, 0, 1]}
REFUSED = [
    (lambda: BALL.clash(sightline.sphere(4)), r"other is a Tree or a Scene, not Mesh: of a mesh write Tree\(mesh\)"),
    (lambda: BALL.clashes(None), "other is a Tree or a Scene"),
    (lambda: BALL.clash(BALL, margin=-1), "margin"),
    (lambda: BALL.clash(BALL, margin=np.nan), "margin"),
    (lambda: BALL.clashes(BALL, margin=[1, 2]), "margin"),
    (lambda: BALL.clash(BALL, relations="near"), "relations .*near"),
    (lambda: BALL.clash(BALL, relations="apart"), "relations .*apart"),
    (lambda: BALL.clash(BALL, relations=[]), "relations name none of touching, .*None stands for all"),
    (lambda: BALL.curves(BALL, relations=3), "relations"),
    (lambda: BALL.clash(BALL, capacity=-1), "capacity"),
    (lambda: BALL.clash(BALL, capacity=1.5), "capacity"),
    (lambda: BALL.clash(BALL, threads=0), "threads"),
    (lambda: BALL.clash(BALL, mask=-1), "^mask"),
    (lambda: BALL.clash(BALL, mask=[1, 2]), "^mask is one number"),
    (lambda: BALL.clash(BALL, other_mask="a"), "^other_mask"),
    (lambda: BALL.solids(BALL, ignore=0), "^ignore .* tree"),
    (lambda: BALL.distance(BALL, other_ignore=0), "^other_ignore .* tree"),
    (lambda: BALL.clash(SCENE, other_ignore=2), "^other_ignore: there is no instance 2"),
    (lambda: SCENE.clashing(ignore=[[1, 2]]), "^ignore: there is no instance 2"),
    (lambda: BALL.distance(BALL, max_distance=-1), "max_distance"),
    (lambda: BALL.distance(BALL, max_distance="1"), "max_distance"),
    (lambda: BALL.clashes(BALL, at=np.eye(3)), r"at has the shape \(3, 3\)"),
    (lambda: BALL.clashes(BALL, at=2 * np.eye(4)), "at has a last row"),
    (lambda: BALL.distance(BALL, at=[[None] * 4] * 3), "at.*None"),
    (lambda: BALL.sweep(WAY), "one of boxes, spheres, capsules, obbs, triangles, hulls"),
    (lambda: BALL.sweep(WAY, **SPHERE, boxes=[[0, 0, 0], [1, 1, 1]]), "volumes of one kind"),
    (lambda: BALL.sweep([0, 1], **SPHERE), "directions has the shape"),
    (lambda: BALL.sweep(None, **SPHERE), "directions.*None"),
    (lambda: BALL.sweep(np.zeros((2, 3)), spheres=np.ones((3, 4))), "do not go together"),
    (lambda: BALL.sweep(WAY, spheres=[0, 0, 0, -1]), "spheres: of number 0 the radius"),
    (lambda: BALL.sweep_any(WAY, boxes=[[1, 0, 0], [0, 0, 0]]), "boxes: of number 0 min"),
    (lambda: BALL.sweep(WAY, triangles=np.zeros((3, 4))), "triangles has the shape"),
    (lambda: BALL.sweep(WAY, hulls=np.zeros((0, 3))), r"hulls has the shape|hulls are of 1 to 256"),
    (lambda: BALL.sweep(WAY, hulls=np.zeros((257, 3))), "hulls are of 1 to 256"),
    (lambda: BALL.overlaps(hulls=np.zeros((4, 2))), "hulls has the shape"),
    (lambda: BALL.push_out(), "one of spheres, capsules"),
    (lambda: BALL.push_out(spheres=[0, 0, 0, -1]), "spheres: of number 0 the radius"),
    (lambda: BALL.push_out(**SPHERE, max_distance=-1), "max_distance"),
    (lambda: BALL.push_out(**SPHERE, out=np.empty(3, np.float32)), "out"),
    (lambda: BALL.sweep(WAY, **SPHERE, touching="no"), "touching is"),
    (lambda: BALL.sweep_all(WAY, **SPHERE, overlapping=None), "overlapping is"),
    (lambda: BALL.sweep_any(WAY, **SPHERE, grazing="ignore_receding"), "grazing is"),
    (lambda: BALL.sweep_all(WAY, **SPHERE, capacity="a"), "capacity"),
    (lambda: BALL.sweep(WAY, **SPHERE, cull="both"), "cull"),
    (lambda: BALL.sweep(WAY, **SPHERE, skip=10**6), "skip: there is no triangle"),
    (lambda: BALL.sweep(WAY, **SPHERE, filter=np.ones(3, bool)), "filter"),
    (lambda: SCENE.clashing(margin=-1), "margin"),
    (lambda: SCENE.clashing(limit=-1), "limit"),
    (lambda: SCENE.clashing(groups=[1]), r"groups has the shape \(1,\)"),
    (lambda: SCENE.clashing(against=[[1, 1]]), "against has the shape"),
    (lambda: SCENE.clashing(bodies=[0.5, 1]), "bodies"),
    (lambda: SCENE.clashing(bodies=[2**32, 1]), "bodies"),
    (lambda: SCENE.clashing(threads="2"), "threads"),
]


@pytest.mark.parametrize("which", range(len(REFUSED)))
def test_arguments_are_refused_by_name(which):
    call, words = REFUSED[which]
    with pytest.raises((sightline.InvalidArgument, sightline.BadIndex), match=words):
        call()


def test_what_takes_long_can_be_cancelled():
    big = sightline.Tree(sightline.torus(400, 200))
    for call in (
        lambda: big.curves(sightline.Scene([(big, at(0.1, 0.2, 0.3))]), progress=lambda *_: False),
        lambda: big.solids(sightline.Scene([(big, at(0.1, 0.2, 0.3))]), progress=lambda *_: False),
        lambda: sightline.Scene([(big, at(i / 9, 0, 0.1)) for i in range(4)]).clashing(progress=lambda *_: False),
    ):
        with pytest.raises(sightline.Cancelled):
            call()
    with pytest.raises(ZeroDivisionError):
        big.curves(big, progress=lambda *_: 1 // 0)
