"""Every question with every option, next to trying every triangle in whole numbers (lattice.py), where each answer is
exact and ties, edges and corners are common; near the origin in floats and doubles, and 1e6 to 1e8 away from it."""

import numpy as np
import pytest
from conftest import examples
from hypothesis import given
from hypothesis import strategies as st

import lattice
import sightline_bvh as sightline
from sightline_bvh import NONE

COUNT = 24
seeds = st.integers(0, 2**32 - 1)


class World:
    """Triangles with masks, asked as a tree, in floats or in doubles, or as a scene."""

    def __init__(self, random, kind, count=COUNT):
        self.kind = kind
        self.dtype = np.float32 if kind == "float32" else np.float64
        self.corners = lattice.triangles(random, count)
        self.masks = random.integers(0, 8, count).astype(np.uint32)
        mesh = sightline.Mesh(self.corners.reshape(-1, 3))
        self.tree = sightline.Tree(mesh, masks=self.masks, quality=["fast", "default", "high"][random.integers(3)])
        self.away = np.zeros(3, np.int64)
        self.numbers = np.stack([np.zeros(count, np.uint32), np.arange(count, dtype=np.uint32)], axis=1)
        self.target = self.tree
        if kind == "scene":
            # Two instances, the second one elsewhere, where floats no longer tell neighbours apart.
            self.away = np.round(random.uniform(-1, 1, 3) * 10.0 ** random.integers(6, 9)).astype(np.int64)
            place = np.eye(4)
            place[:3, 3] = random.integers(-3, 4, 3)
            moved = np.eye(4)
            moved[:3, 3] = self.away
            other = moved @ place
            self.target = sightline.Scene([(self.tree, moved), sightline.Instance(self.tree, other, mask=6)])
            self.corners = np.concatenate([self.corners, self.corners + place[:3, 3].astype(np.int64)])
            self.masks = np.concatenate([self.masks, self.masks])
            self.numbers = np.concatenate([self.numbers, self.numbers + np.uint32([1, 0])])

    def at(self, points):
        return (points + self.away).astype(self.dtype)

    def options(self, random, n, varied=True):
        """Options of a question about n items, and (n, T) which triangles they leave in."""
        given_, there = {}, np.ones((n, len(self.corners)), bool)
        instance = self.numbers[:, 0]
        if random.integers(2):
            mask = random.integers(0, 8, n if varied and random.integers(2) else ()).astype(
                random.choice(["u4", "i8", "u1"])
            )
            given_["mask"] = mask if mask.ndim else int(mask)
            wanted = np.broadcast_to(mask, n)[:, None].astype(np.uint32)
            own = self.masks[None]  # 0 has all bits
            there &= (own & wanted != 0) | (own == 0) | (wanted == 0)
            there &= (instance[None] == 0) | (wanted & 6 != 0) | (wanted == 0)
        if random.integers(2):
            pair = random.integers(2)
            lead = (n,) if varied and random.integers(2) else (1,) * pair
            which = random.integers(0, len(self.corners), (*lead, 2) if pair else lead)
            refs = np.zeros(which.shape, sightline.REF)
            refs["instance"], refs["prim"] = self.numbers[which, 0], self.numbers[which, 1]
            given_["skip"] = refs if self.kind == "scene" or random.integers(2) else refs["prim"]
            for k in range(2) if pair else [...]:
                gone = np.broadcast_to(which[..., k] if pair else which, n)
                there[np.arange(n), gone] = False
        if self.kind == "scene" and random.integers(3) == 0:
            given_["ignore"] = random.integers(0, 2)
            there &= instance[None] != given_["ignore"]
        return given_, there

    def filter(self, random):
        keep = random.integers(0, 2, len(self.corners)).astype(bool)
        if self.kind != "scene":
            return keep, keep
        half = len(keep) // 2
        return [keep[:half], keep[half:]], keep

    def same(self, records, which, what):
        """Records that name triangle `which` (N,), -1: none."""
        wanted = np.where(which < 0, NONE, self.numbers[which, 1])
        np.testing.assert_array_equal(records["prim"], wanted, what)
        found = which >= 0
        np.testing.assert_array_equal(records["instance"][found], self.numbers[which, 0][found], what)


def ordered(paths, there, dtype):
    """(N, T) triangles by (t rounded, number), those that are not there last; and (N,) how many are."""
    t = np.where(there, paths.t(dtype), np.inf)
    order = np.lexsort((np.broadcast_to(np.arange(t.shape[1]), t.shape), t), axis=-1)
    return order, there.sum(-1)


kinds = pytest.mark.parametrize("kind", ["float32", "float64", "scene"])


@kinds
@examples(30)
@given(seed=seeds)
def test_rays(kind, seed):
    random = np.random.default_rng(seed)
    world, n = World(random, kind), 40
    origins, directions = lattice.points(random, n), lattice.directions(random, n)
    # Limits in quarters, some for each ray, so that hits lie at them.
    low, high = random.integers(-4, 6, n), random.integers(0, 12, n).astype(float)
    high[random.integers(0, 2, n) == 0] = np.inf
    one = random.integers(2)
    low, high = (np.full(n, limit[0]) if one else limit for limit in (low, high))
    limits = {"tmin": low[0] / 4 if one else low / 4, "tmax": high[0] / 4 if one else (high / 4).astype(world.dtype)}
    if not one:
        limits["tmin"] = limits["tmin"].astype(world.dtype)
    options, there = world.options(random, n)
    paths = lattice.Paths(world.corners, origins, directions)
    there &= paths.between(low, high)
    if random.integers(2):
        options["cull"] = ["back", "front"][random.integers(2)]
        there &= paths.back != (options["cull"] == "back")
    if random.integers(3) == 0:
        options["filter"], keep = world.filter(random)
        there &= keep
    asked = (world.at(origins), directions.astype(world.dtype))
    options |= limits
    ask = world.target
    order, count = ordered(paths, there, world.dtype)
    first = np.where(count > 0, order[:, 0], -1)

    closest = ask.closest(*asked, **options)
    world.same(closest, first, "closest")
    rows, hit = np.arange(n), count > 0
    t = paths.t(world.dtype)
    assert (closest.t == np.where(hit, t[rows, first], (high / 4).astype(world.dtype))).all()
    weights = paths.weights[rows, first] / np.maximum(paths.weight[rows, first], 1)[:, None]
    np.testing.assert_allclose(closest.u[hit], weights[hit, 1], rtol=1e-6)
    np.testing.assert_allclose(closest.v[hit], weights[hit, 2], rtol=1e-6)
    zeros = (paths.weights[rows, first] == 0).sum(-1)
    flags = np.where(paths.back[rows, first], sightline.HIT_BACK, 0)
    flags |= np.where(zeros > 0, sightline.HIT_EDGE, 0) | np.where(zeros == 2, sightline.HIT_VERTEX, 0)
    assert (closest.flags[hit] == flags[hit]).all()
    assert (ask.any(*asked, **options) == hit).all()
    assert (ask.count(*asked, **options) == count).all()
    every = ask.all(*asked, **options)
    assert (every.counts == count).all()
    world.same(every.values, np.concatenate([order[i, :k] for i, k in enumerate(count)]), "all")
    capacity = int(random.integers(0, 4))
    some = ask.all(*asked, capacity=capacity, **options)
    assert (some.totals == count).all() and (some.counts == np.minimum(count, capacity)).all()
    hits = closest
    for k in range(1, int(count.max()) + 2):
        hits = ask.next(hits, *asked, **options)
        world.same(hits, np.where(count > k, order[:, min(k, order.shape[1] - 1)], -1), f"next {k}")


@kinds
@examples(30)
@given(seed=seeds)
def test_segments(kind, seed):
    random = np.random.default_rng(seed)
    world, n = World(random, kind), 40
    p = lattice.points(random, n)
    q = p + lattice.directions(random, n) * random.integers(1, 4, (n, 1))
    options, there = world.options(random, n)
    ends = {"open_start": bool(random.integers(2)), "open_end": bool(random.integers(2))}
    paths = lattice.Paths(world.corners, p, q - p)
    there &= paths.between(np.zeros(n, int), np.full(n, 4.0), *ends.values())
    order, count = ordered(paths, there, world.dtype)
    asked = (world.at(p), world.at(q))
    blockers = world.target.blockers(*asked, **ends, **options)
    world.same(blockers, np.where(count > 0, order[:, 0], -1), "blockers")
    # Garbage among the hints must not matter.
    hints = random.integers(0, 2 * COUNT, (n, 2)).astype(np.uint32).view(sightline.REF)[:, 0]
    for _ in range(2):
        assert (world.target.blocked(*asked, hints=hints, **ends, **options) == (count > 0)).all()
    assert (world.target.count(asked[0], to=asked[1], **ends, **options) == count).all()

    options, there = world.options(random, n, varied=False)
    paths = lattice.Paths(world.corners, np.broadcast_to(p[0], q.shape), q - p[0])
    hit = there & paths.between(np.zeros(n, int), np.full(n, 4.0), *ends.values())
    assert (world.target.fan(asked[0][0], to=asked[1], **ends, **options) == hit.any(-1)).all()
    hit = there & paths.between(np.zeros(n, int), np.full(n, 8.0))
    directions = (q - p[0]).astype(world.dtype)
    assert (world.target.fan(asked[0][0], directions, tmax=2.0, **options) == hit.any(-1)).all()


@kinds
@examples(6)
@given(seed=seeds)
def test_points(kind, exact, seed):
    random = np.random.default_rng(seed)
    world, n = World(random, kind, 12), 12
    points = lattice.points(random, n)
    options, there = world.options(random, n)
    squares = np.array([[exact.distance_squared(t, p) for t in world.corners] for p in points])
    keys = np.sqrt(squares.astype(float)).astype(np.float32)
    radius = float(random.integers(0, 8)) / 2
    in_reach = there & (squares <= int(4 * radius * radius) / 4)
    order = np.lexsort((np.broadcast_to(np.arange(keys.shape[1]), keys.shape), np.where(there, keys, np.inf)), axis=-1)
    rows, count = np.arange(n), there.sum(-1)
    asked = world.at(points)
    nearest = world.target.nearest(asked, **options)
    world.same(nearest, np.where(count > 0, order[:, 0], -1), "nearest")
    assert (nearest.distance == np.where(count > 0, keys[rows, order[:, 0]], np.inf)).all()
    limited = world.target.nearest(asked, max_distance=radius, **options)
    world.same(limited, np.where(in_reach.any(-1), order[:, 0], -1), "nearest within a limit")
    several = world.target.nearest_k(asked, 3, **options)
    for k in range(3):
        world.same(several[:, k], np.where(count > k, order[:, k], -1), f"nearest_k {k}")
    within = world.target.within(asked, radius, **options)
    assert (within.counts == in_reach.sum(-1)).all()
    world.same(within.values, np.concatenate([order[i, :k] for i, k in enumerate(within.counts)]), "within")
    spheres = np.concatenate([asked, np.full((n, 1), radius, world.dtype)], axis=1)
    volumes_are(world, in_reach, options, spheres=spheres)
    capsules = np.concatenate([asked, asked, spheres[:, 3:]], axis=1)
    volumes_are(world, in_reach, options, capsules=capsules)


def volumes_are(world, wanted, options, **volumes):
    found = world.target.overlap(**volumes, **options)
    assert (found.counts == wanted.sum(-1)).all()
    world.same(found.values, np.nonzero(wanted)[1], "overlap")
    assert (world.target.overlaps(**volumes, **options) == wanted.any(-1)).all()


@kinds
@examples(20)
@given(seed=seeds)
def test_volumes(kind, seed):
    random = np.random.default_rng(seed)
    world, n = World(random, kind), 30
    ends = lattice.points(random, 2 * n).reshape(n, 2, 3)
    boxes = np.stack([ends.min(1), ends.max(1)], axis=1)
    boxes[::3, 1] = boxes[::3, 0]  # points
    options, there = world.options(random, n)
    wanted = there & lattice.boxes_touch(boxes, world.corners)
    asked = world.at(boxes)
    volumes_are(world, wanted, options, boxes=asked)
    # The same boxes by their six planes, and turned onto themselves: centres and halves are in halves.
    planes = np.zeros((n, 6, 4), world.dtype)
    for axis in range(3):
        planes[:, 2 * axis, axis], planes[:, 2 * axis, 3] = 1, asked[:, 1, axis]
        planes[:, 2 * axis + 1, axis], planes[:, 2 * axis + 1, 3] = -1, -asked[:, 0, axis]
    volumes_are(world, wanted, options, frusta=planes)
    turn = np.eye(3)[random.permutation(3)] * random.choice([-1, 1], (3, 1))
    obbs = np.zeros((n, 5, 3), world.dtype)
    obbs[:, 0] = (boxes[:, 0] + boxes[:, 1]) / 2 + world.away
    obbs[:, 1:4] = turn
    obbs[:, 4] = (boxes[:, 1] - boxes[:, 0]) @ np.abs(turn).T / 2
    volumes_are(world, wanted, options, obbs=obbs)
    others = lattice.triangles(random, n)
    volumes_are(world, there & lattice.triangles_touch(others, world.corners), options, triangles=world.at(others))


@examples(20)
@given(seed=seeds)
def test_inside(seed):
    """A torus of whole numbers: an odd number of crossings of any ray that meets no edge is inside."""
    random = np.random.default_rng(seed)
    mesh = sightline.torus(12, 8)
    corners = np.round(mesh.vertices * 8).astype(np.int64)[mesh.faces]
    vertices = np.round(mesh.vertices * 8)
    points = np.round(random.uniform(-13, 13, (60, 3))).astype(np.int64)
    # A direction that runs through no edge of what is so small.
    paths = lattice.Paths(corners, points, np.broadcast_to([1009, 917, 773], points.shape))
    ahead = paths.hit & (paths.top >= 0)
    sure = ~(ahead & (paths.weights == 0).any(-1)).any(-1) & ~(paths.hit & (paths.top == 0)).any(-1)
    wanted = ahead.sum(-1) % 2 == 1
    tree = sightline.Tree(vertices, mesh.faces)
    details = tree.inside(points.astype(np.float32), details=True)
    on = details.on_surface | ~sure
    assert (tree.inside(points.astype(np.float32)) == wanted)[~on].all()
    assert (details.inside == wanted)[~on].all() and not details.differ[~on].any()
    assert (tree.inside(points.astype(float)) == tree.inside(points.astype(np.float32)))[~on].all()
    far = np.round(random.uniform(-1, 1, 3) * 1e8)
    place = np.eye(4)
    place[:3, 3] = far
    scene = sightline.Scene([(tree, place)])
    assert (scene.inside(points + far) == wanted)[~on].all()
    assert (scene.containing(points + far).counts == wanted)[~on].all()


@pytest.mark.parametrize("distance", [1e6, 1e7, 1e8])
def test_far_from_the_origin_answers_are_those_at_home(distance, random):
    """Bit by bit: rays, segments and points in doubles, whose numbers and places are whole 1/1024ths."""
    ball = sightline.Tree(sightline.sphere(16))
    far = np.round(random.uniform(-1, 1, 3) * distance * 1024) / 1024
    place = np.eye(4)
    place[:3, 3] = far
    # Corners of the ball are floats: by multiples of 2^-20 they stay exact where doubles have 2^-26 left.
    home = sightline.Scene([sightline.Instance(ball, np.eye(4), grid=2.0**-20)])
    away = sightline.Scene([sightline.Instance(ball, place, grid=2.0**-20)])
    origins = np.round(random.normal(size=(3000, 3)) * 2048) / 1024
    towards = np.round(random.normal(size=(3000, 3)) * 300) / 1024
    towards[~towards.any(1)] = 1
    for question in ("closest", "any", "count"):
        a, b = (getattr(s, question)(o, towards) for s, o in ((home, origins), (away, origins + far)))
        assert (a == b).all(), question
    assert (home.all(origins, towards).values == away.all(origins + far, towards).values).all()
    assert (home.blocked(origins, -origins) == away.blocked(origins + far, far - origins)).all()
    a, b = home.nearest(origins), away.nearest(origins + far)
    assert (a.distance == b.distance).all() and (a.prim == b.prim).all()
    assert (home.inside(origins) == away.inside(origins + far)).all()
    assert away.closest(origins + far, towards).hit.any()


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_rays_that_start_on_the_surface_need_no_epsilon(dtype, random):
    """From points that lie on triangles exactly: the hit is at t = 0 and not one bit later; open or skipped it is gone."""
    corners = lattice.triangles(random, 40) * 4
    tree = sightline.Tree(corners.reshape(-1, 3))
    prims = np.arange(40, dtype=np.uint32).repeat(4)
    # Corners, midpoints of edges, and a point inside: whole numbers all of them.
    weights = np.array([[4, 0, 0], [2, 2, 0], [0, 2, 2], [2, 1, 1]])
    origins = np.einsum("wk,tkx->twx", weights, corners).reshape(-1, 3) // 4
    directions = lattice.directions(random, len(origins))
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])[prims]
    crosses = (normal * directions).sum(-1) != 0
    o, d = origins[crosses].astype(dtype), directions[crosses].astype(dtype)
    prims, paths = prims[crosses], lattice.Paths(corners, origins[crosses], directions[crosses])
    n = len(o)
    assert n > 100 and (tree.closest(o, d).t == 0).all()
    later = paths.between(np.zeros(n, int), np.full(n, np.inf), open_low=True)
    tiny = np.finfo(dtype).smallest_subnormal
    assert (tree.count(o, d, tmin=np.full(n, tiny)) == later.sum(-1)).all()
    closed = paths.between(np.zeros(n, int), np.full(n, np.inf))
    closed[np.arange(n), prims] = False
    assert (tree.count(o, d, skip=prims) == closed.sum(-1)).all()
    ahead = paths.between(np.zeros(n, int), np.full(n, 4.0), open_low=True)
    assert (tree.blocked(o, o + d, open_start=True) == ahead.any(-1)).all()
