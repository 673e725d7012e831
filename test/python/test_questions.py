"""Every question against every triangle in turn, in exact arithmetic, and against one another."""

import math
import os
import platform

import numpy as np
import pytest

import sightline_bvh as sightline
from sightline_bvh import NONE


def some_rays(random, count, dtype):
    return random.uniform(-0.5, 1.5, (count, 3)).astype(dtype), random.normal(size=(count, 3)).astype(dtype)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_rays_are_those_of_exact_arithmetic(soup, exact, random, dtype):
    origins, directions = some_rays(random, 40, dtype)
    triangles = soup.mesh.triangles
    closest = soup.closest(origins, directions)
    every = soup.all(origins, directions)
    counts = soup.count(origins, directions)
    any_ = soup.any(origins, directions)
    assert closest.t.dtype == dtype
    for i in range(40):
        wanted = exact.hits(triangles, origins[i], directions[i])
        assert counts[i] == len(wanted) and any_[i] == bool(wanted)
        # Numbers that round to the same t are in the order of the triangles.
        rounded = sorted((dtype(float(t)), prim) for t, prim in wanted)
        assert [(hit.t, hit.prim) for hit in every[i]] == rounded
        assert closest[i].prim == (rounded[0][1] if rounded else NONE)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_nearest_is_that_of_exact_arithmetic(soup, exact, random, dtype):
    points = random.uniform(-1, 2, (30, 3)).astype(dtype)
    triangles = soup.mesh.triangles
    nearest, two = soup.nearest(points), soup.nearest_k(points, 2)
    within = soup.within(points, 0.75)
    for i, point in enumerate(points):
        squares = [exact.distance_squared(triangle, point) for triangle in triangles]
        wanted = sorted((np.float32(math.sqrt(square)), prim) for prim, square in enumerate(squares))
        assert nearest[i].distance == pytest.approx(wanted[0][0], rel=1e-6) and nearest[i].prim == wanted[0][1]
        assert [n.prim for n in two[i]] == [prim for _, prim in wanted[:2]]
        assert within.counts[i] == sum(square <= 0.5625 for square in squares)


def test_segments(soup, random):
    p, q = random.uniform(-0.5, 1.5, (2, 200, 3)).astype(np.float32)
    blockers = soup.blockers(p, q)
    assert (soup.blocked(p, q) == blockers.hit).all()
    assert (soup.fan(p[0], to=q) == soup.blocked(p[0], q)).all()
    assert (soup.fan(p[0], q) == soup.any(p[0], q)).all()
    hints = np.full(200, NONE, np.uint32).repeat(2).view(sightline.REF)
    assert (soup.blocked(p, q, hints=hints) == blockers.hit).all()
    assert (hints["prim"][blockers.hit] != NONE).all()
    wide = soup.blockers(p.astype(np.float64), q)
    assert (wide.prim == blockers.prim).all() and (wide.t.astype(np.float32) == blockers.t).all()


def test_next_goes_through_all(soup, random):
    origins, directions = some_rays(random, 50, np.float32)
    every = soup.all(origins, directions)
    hits = soup.closest(origins, directions)
    for k in range(int(every.counts.max()) + 1):
        for i in range(50):
            wanted = every[i].prim[k] if k < every.counts[i] else NONE
            assert hits.prim[i] == wanted
        soup.next(hits, origins, directions, out=hits)
    assert not hits.hit.any()


def test_lists_cut_off_keep_the_nearest_and_count_all(soup, random):
    origins, directions = some_rays(random, 50, np.float32)
    every, two = soup.all(origins, directions), soup.all(origins, directions, capacity=2)
    assert (two.totals == every.counts).all() and (two.counts == np.minimum(every.counts, 2)).all()
    for i in range(50):
        assert (two[i] == every[i][:2]).all()


def test_long_lists(random):
    """Lists longer than what the first pass has room for."""
    mesh = sightline.soup(500, 3.0, 1)
    tree = sightline.Tree(mesh)
    origins, directions = some_rays(random, 5000, np.float32)
    every = tree.all(origins, directions, threads=2)
    assert (every.counts == tree.count(origins, directions)).all() and every.counts.max() > 50
    assert every.offsets[-1] == len(every.values) == every.counts.sum()
    assert (every.values[every.offsets[:-1][every.counts > 0]] == tree.closest(origins, directions)[every.counts > 0]).all()


def test_options(ball):
    down = ([0.1, 0.2, 2], [0, 0, -1])
    first = ball.closest(*down)
    assert first.flags == 0 and first.t == pytest.approx(1.03, abs=0.01)
    assert ball.closest(*down, cull="front").flags == sightline.HIT_BACK
    for skip in (first.prim, first.ref, first):
        assert ball.closest(*down, skip=skip).t > 2
    assert ball.closest(*down, tmin=1.5).t > 2 and not ball.any(*down, tmax=1.0)
    keep = np.ones(len(ball), bool)
    keep[first.prim] = False
    assert ball.closest(*down, filter=keep).t > 2
    seen = []
    assert ball.closest(*down, filter=lambda i, t, *rest: seen.append((i, t)) or t > 2).t > 2
    assert seen and seen[0][0] == 0
    masked = ball.with_masks(np.where(keep, 1, 2))
    assert masked.closest(*down, mask=1).t > 2 and masked.closest(*[[x, x] for x in down], mask=[2, 4]).hit.tolist() == [True, False]
    with pytest.raises(sightline.InvalidArgument, match="mask"):
        masked.closest(*down, mask=[2, 4])


def test_filters_know_the_number_of_the_ray(ball):
    origins = np.zeros((9000, 3), np.float32)
    seen = set()
    ball.closest(origins, [0.1, 0.2, 1], filter=lambda index, *rest: seen.add(index) or True)
    assert seen == set(range(9000))
    seen.clear()
    ball.all(origins[:3000], [0.1, 0.2, 1], filter=lambda index, *rest: seen.add(index) or True)
    assert seen == set(range(3000))


def test_faults_in_a_filter_come_out(ball):
    def fault(*hit):
        raise ZeroDivisionError("in the filter")

    with pytest.raises(ZeroDivisionError, match="in the filter"):
        ball.closest(np.zeros((10000, 3)), [0, 0.1, 1], filter=fault)


def test_volumes(ball, random):
    centres = random.uniform(-1, 1, (20, 3))
    spheres = np.concatenate([centres, np.full((20, 1), 0.3)], axis=1)
    found, within = ball.overlap(spheres=spheres), ball.within(centres, 0.3)
    assert (found.counts == within.counts).all() and (ball.overlaps(spheres=spheres) == (found.counts > 0)).all()
    boxes = np.stack([centres - 0.2, centres + 0.2], axis=1)
    planes = np.zeros((20, 6, 4))
    for axis in range(3):
        planes[:, 2 * axis, axis], planes[:, 2 * axis, 3] = 1, boxes[:, 1, axis]
        planes[:, 2 * axis + 1, axis], planes[:, 2 * axis + 1, 3] = -1, -boxes[:, 0, axis]
    assert (ball.overlap(boxes=boxes).values == ball.overlap(frusta=planes).values).all()
    capsules = np.concatenate([centres, centres, np.full((20, 1), 0.3)], axis=1)
    assert (ball.overlap(capsules=capsules).values == found.values).all()
    obbs = np.concatenate([(boxes[:, :1] + boxes[:, 1:]) / 2, np.broadcast_to(np.eye(3), (20, 3, 3)), (boxes[:, 1:] - boxes[:, :1]) / 2], axis=1)
    assert (np.abs(ball.overlap(obbs=obbs).counts - ball.overlap(boxes=boxes).counts) <= 1).all()
    itself = ball.overlap(triangles=ball.mesh.triangles)
    assert (itself.counts >= 1).all()


def test_inside(ball, random):
    points = random.uniform(-1, 1, (500, 3))
    length = np.linalg.norm(points, axis=1)
    sure = np.abs(length - 0.97) > 0.04
    for dtype in (np.float32, np.float64):
        assert (ball.inside(points.astype(dtype)) == (length < 0.97))[sure].all()
    details = ball.inside(points.astype(np.float32), details=True)
    assert (details.by_parity == details.by_winding).all() and not details.differ.any()
    half = sightline.Tree(sightline.Mesh(ball.mesh.vertices, ball.mesh.faces[: len(ball) // 2]))
    assert half.inside(np.float32([0, 0, 0.9])) and not half.inside(np.float32([0, 0, -0.9]))
    with pytest.raises(sightline.InvalidArgument, match="astype"):
        half.inside([0, 0, 0.1])


def test_inside_of_parts_that_overlap_and_of_a_shell_in_a_shell():
    """Both closed: the surface runs twice around what they have in common."""
    ball = sightline.sphere(8)

    def both(other):
        return sightline.Tree(np.concatenate([ball.vertices[ball.faces], other[ball.faces]]).reshape(-1, 3))

    points = np.float32([[-0.5, 0, 0.1], [0.5, 0, 0.1], [1.5, 0, 0.1], [3, 0, 0.1]])
    overlap = both(ball.vertices + np.float32([1, 0, 0]))
    assert overlap.closed
    assert overlap.inside(points).tolist() == [True, False, True, False]
    assert overlap.inside(points, by="parity").tolist() == [True, False, True, False]
    assert overlap.inside(points, by="winding").tolist() == [True, True, True, False]
    assert overlap.inside(points, details=True).differ.tolist() == [False, True, False, False]
    points = np.float32([[0, 0, 0.1], [0.75, 0, 0.1], [3, 0, 0.1]])
    for size in (0.5, -0.5):  # the inner one's fronts are outwards; inwards
        shells = both(ball.vertices * np.float32(size))
        assert shells.inside(points).tolist() == [False, True, False]
        assert shells.inside(points, by="winding").tolist() == [size > 0, True, False]
        assert shells.inside(points, details=True).differ.tolist() == [size > 0, False, False]


@pytest.mark.parametrize("quality", ["default", "high"])
def test_inside_by_parity_of_any_mesh(random, quality):
    """Odd crossings along +x, of points level with vertices and on them, too; winding numbers of any mesh."""
    mesh = sightline.sphere(12)
    some = random.permutation(len(mesh))[: len(mesh) * 2 // 3]
    tree = sightline.Tree(sightline.Mesh(mesh.vertices, mesh.faces[some]), quality=quality)
    assert not tree.closed and sightline.Tree(mesh).closed
    points = random.uniform(-1.1, 1.1, (2000, 3)).astype(np.float32)
    points[:700, 1:] = random.permutation(mesh.vertices)[np.arange(700) % len(mesh.vertices), 1:]
    points[700:900] = mesh.vertices[np.arange(200) % len(mesh.vertices)]
    odd = tree.count(points, np.float32([1, 0, 0]), crossings=True) % 2 == 1
    assert 100 < odd.sum() < 1900
    assert (tree.inside(points, by="parity") == odd).all()
    assert (tree.inside(points, by="parity", details=True).inside == odd).all()
    assert (tree.inside(points, by="winding") == tree.inside(points)).all()
    off = points + np.array([0, 1e-12, 0])
    assert (tree.inside(off, by="parity") == (tree.count(off, [1.0, 0, 0], crossings=True) % 2 == 1)).all()
    one = tree.count(points, np.float32([1, 0, 0]), crossings=True, skip=0) % 2 == 1
    assert (tree.inside(points, by="parity", skip=0) == one).all()
    with pytest.raises(sightline.InvalidArgument, match="float32"):
        tree.inside(off, by="winding")
    with pytest.raises(sightline.InvalidArgument, match="'parity'"):
        tree.inside(points, by="odd")


def test_nearest_triangles_can_be_skipped(ball):
    """As those of hits: the next nearest one is another one."""
    point = np.array([[0.1, 0.2, 3.0]], np.float32)
    first = ball.nearest(point)
    second = ball.nearest(point, skip=first)
    assert second.prim[0] != first.prim[0] and second.prim[0] == ball.nearest_k(point, 2).prim[0, 1]
    assert first.ref["prim"] == first.prim and not first.ref["instance"]


def test_far_from_the_origin(random):
    """What others list as a limitation: 10,000 km away answers are as good as at home, in doubles."""
    ball = sightline.Tree(sightline.sphere(16))
    far = np.eye(4)
    far[:3, 3] = 1e10, -3e9, 7e8
    scene = sightline.Scene([(ball, far)])
    origins = random.normal(size=(2000, 3))
    origins = np.round(3 * origins / np.linalg.norm(origins, axis=1, keepdims=True) * 2**16) / 2**16
    home = ball.closest(origins, -origins)
    away = scene.closest(origins + far[:3, 3], -origins)
    assert home.hit.all() and away.hit.all()
    assert np.abs(away.t - home.t).max() < 1e-5
    assert np.abs(scene.nearest(origins + far[:3, 3]).distance - ball.nearest(origins).distance).max() < 1e-5


def test_rays_that_start_on_the_surface(random):
    """The other one: no epsilon is needed to leave, and none is needed to hit."""
    ball = sightline.Tree(sightline.sphere(16))
    origins = random.normal(size=(2000, 3)).astype(np.float32)
    hits = ball.closest(3 * origins, -origins)
    assert hits.hit.all()
    surface = ball.surface(hits)
    assert not ball.any(surface.front_origin, surface.normal).any()
    assert (ball.count(surface.back_origin, surface.normal) >= 1).all()
    # A vertex of the mesh lies on it exactly: the ray that leaves there hits at 0, and one that starts after 0 does not.
    vertices = ball.mesh.vertices
    assert (ball.closest(vertices, vertices).t == 0).all()
    assert not ball.any(vertices, vertices, tmin=np.float32(1e-45)).any()
    assert not ball.blocked(vertices, 2 * vertices, open_start=True).any()


def test_no_leaks(random):
    """Rays at the edges and vertices of a closed mesh, from inside, all hit."""
    ball = sightline.Tree(sightline.sphere(24))
    triangles = ball.mesh.triangles
    edges = (triangles + np.roll(triangles, 1, axis=1)) / 2
    targets = np.concatenate([ball.mesh.vertices, edges.reshape(-1, 3)])
    assert ball.any(np.float32([0.01, 0.02, 0.03]), targets - np.float32([0.01, 0.02, 0.03])).all()


def test_the_kernel_is_the_best_of_the_processor(monkeypatch):
    """As the system tells it: a package that falls back to plain C has the same answers, in two to three times the time."""
    monkeypatch.delenv("SIGHTLINE_ISA", raising=False)
    flags = set()
    if platform.machine() in ("x86_64", "AMD64"):
        lines = open("/proc/cpuinfo").readlines() if os.path.exists("/proc/cpuinfo") else []
        words = next((line.split() for line in lines if line.startswith("flags")), None)
        if words is None:
            pytest.skip("/proc/cpuinfo does not say what the processor has")
        flags = set(words)
    kernels = {
        "avx512": {"avx2", "fma", "bmi1", "bmi2", "popcnt", "avx512f", "avx512vl", "avx512bw", "avx512dq"},
        "avx2": {"avx2", "fma", "bmi1", "bmi2", "popcnt"},
        "sse42": {"sse4_2"},
        "neon": {"neon"},
        "scalar": set(),
    }
    if platform.machine() in ("aarch64", "arm64"):
        flags = {"neon"}
    best = next(name for name, needs in kernels.items() if needs <= flags)
    tree = sightline.Tree([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    assert tree.info.kernel == best


def test_options_that_do_not_fit_are_refused(ball):
    """Instead of an answer to another question."""
    ray = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 9.0]
    far = sightline.Scene([(ball, np.hstack([np.eye(3), [[1e7], [0], [0]]]))])
    for call, word in [
        (lambda: ball.any([ray], tmax=0.1), "their own limits"),
        (lambda: ball.closest([ray], tmin=np.zeros(1)), "their own limits"),
        (lambda: ball.closest([0, 0, 0], [0, 0, 1], open_start=True), "segments"),
        (lambda: ball.fan([0, 0, 0], to=[[0, 0, 1]], tmax=1), "tmax"),
        (lambda: ball.fan([0, 0, 0], [[0, 0, 1]], tmax=1, open_end=True), "segments"),
        (lambda: ball.closest([0, 0, 0], [0, 0, 1], tmax=None), "tmax"),
        (lambda: ball.nearest([0, 0, 0], max_distance=[1, 2]), "max_distance"),
        (lambda: ball.within([0, 0, 0], None), "radius"),
        (lambda: ball.bake("thickness", spread=1.5), "spread"),
        (lambda: ball.bake("ao", distance=math.nan), "distance"),
        (lambda: ball.bake("ao", lift=-1), "lift"),
        (lambda: ball.blocked([0, 0, 0], [[0, 0, 2]], hints=np.zeros(1)), "hints"),
        (lambda: bool(far.closest([0, 0, 0], [0, 0, 1])), "hit"),
        (lambda: sightline.Scene(ball), "sequence"),
        (lambda: sightline.Tree("ball.obj"), "load"),
        (lambda: sightline.Scene([sightline.Instance(ball, id=1 << 40)]), "id"),
        (lambda: sightline.Camera([0, 0, 3], [0, 0, 0]).rays(1.5), "samples"),
    ]:
        with pytest.raises(sightline.InvalidArgument, match=word):
            call()


def test_what_is_far_away_is_drawn_and_rounded_as_it_says(ball):
    """Cameras and meshes are of float32: pictures are taken near by, and meshes tell how much was lost."""
    place = np.hstack([np.eye(3), [[5.4e6], [5.4e6], [0.0]]])
    scene = sightline.Scene([(ball, place)])
    near = sightline.Scene([ball]).render(width=48, height=32)
    assert (near != 255).any()
    assert (scene.render(width=48, height=32) == near).all()
    mesh, refs = scene.flatten()
    assert mesh.rounding == np.abs(mesh.triangles - scene.triangles(refs)).max() > 0.01

    big = np.array([448262.25, 5411932.5, 113.125])
    mesh = sightline.Mesh(ball.mesh.vertices + big, ball.mesh.faces, recentre=True)
    moved = mesh.vertices.astype(np.float64) + 0.1
    next_one = sightline.Tree(mesh).refit(mesh.vertices).refit(moved)
    assert (next_one.mesh.origin == mesh.origin).all()
    assert next_one.mesh.rounding == np.abs(next_one.mesh.vertices - moved).max() > 0


def test_signed_distances(ball, random):
    """Of closed meshes by parity, of open ones by winding; exact, next to nearest() and inside()."""
    points = random.uniform(-1.3, 1.3, (60, 50, 3))
    open_ = sightline.Tree(ball.mesh.vertices, ball.mesh.faces[:400])
    move = np.eye(4)
    move[:3, 3] = 0.5, 0, 0
    pair = sightline.Scene([ball, (ball, move)])
    for target, dtype in ((ball, np.float32), (ball, np.float64), (open_, np.float32), (pair, np.float32), (pair, np.float64)):
        asked = points.astype(dtype)
        signed = target.signed_distance(asked)
        inside = target.inside(asked)
        assert signed.dtype == np.float32 and signed.shape == (60, 50) and 0 < inside.sum() < inside.size
        assert (np.abs(signed) == target.nearest(asked).distance).all() and ((signed < 0) == inside).all()
        assert (target.signed_distance(asked, threads=2) == signed).all()
        near = target.signed_distance(asked, max_distance=0.25)
        assert (near == np.clip(signed, -0.25, 0.25)).all() and (np.abs(near) == 0.25).any()
    # Known ones: of a cube, by hand; on its faces, edges and corners, +0; nothing of an empty mesh and of NaN.
    box = np.array([[i & 1, i >> 1 & 1, i >> 2] for i in range(8)], np.float32)
    faces = [[0, 2, 3], [0, 3, 1], [4, 5, 7], [4, 7, 6], [0, 1, 5], [0, 5, 4], [2, 6, 7], [2, 7, 3], [0, 4, 6], [0, 6, 2],
             [1, 3, 7], [1, 7, 5]]  # fmt: skip
    for turn in (1, -1):  # whichever way it is wound
        cube = sightline.Tree(box, np.array(faces)[:, ::turn])
        told = cube.signed_distance([[0.5, 0.5, 0.25], [0.5, 0.5, 1.5], [2, 2, 1], [0.5, 1, 0.5], [1, 1, 0.5], [0, 0, 0]])
        assert told.tolist() == [-0.25, 0.5, np.float32(np.sqrt(2)), 0, 0, 0] and not np.signbit(told[3:]).any()
    assert cube.signed_distance([0.5, 0.5, 0.25], by="winding") == -0.25
    assert sightline.Tree(np.empty((0, 3))).signed_distance([0, 0, 0]) == np.inf
    told = cube.signed_distance([[np.nan, 0.5, 0.5], [np.inf, 0, 0], [0.5, 0.5, 0.5]])
    assert np.isnan(told[:2]).all() and told[2] == -0.5
    # Where two overlap, the nearest triangle may be inside the other.
    assert pair.signed_distance([0.25, 0, 0]) == pair.signed_distance([0.25, 0, 0], ignore=1) < 0
    assert pair.signed_distance([-0.75, 0, 0], ignore=0) == 0.25 and pair.signed_distance([-0.75, 0, 0]) < 0
    assert cube.signed_distance([0.5, 0.25, 0.5], skip=[4, 5]) != -0.25
    with pytest.raises(sightline.InvalidArgument, match="by is for trees"):
        pair.signed_distance([0, 0, 0], by="parity")
    with pytest.raises(sightline.InvalidArgument, match="float32"):
        open_.signed_distance([0.1, 0.2, 0.3])
    seen = []
    cube.signed_distance(points, progress=lambda phase, fraction: seen.append((phase, fraction)))
    assert seen == sorted(seen, key=lambda s: s[1]) and len({s[0] for s in seen}) == 2
    with pytest.raises(sightline.Cancelled):
        cube.signed_distance(points, progress=lambda *_: False)


def test_what_is_gathered_where_nothing_was_found():
    tree = sightline.Tree(sightline.sphere(1))
    found = tree.nearest([[[0, 0, 2], [0, 0, -2]], [[9, 9, 9], [np.nan, 0, 0]]], max_distance=1)
    values = np.arange(8.0)
    with pytest.raises(IndexError):
        values[found.prim]  # not the last one, as -1 would give
    told = found.gather(values)
    assert told.dtype == np.float64 and told[0].tolist() == values[found.prim[0]].tolist() and np.isnan(told[1]).all()
    for values, fill, dtype in [
        (np.arange(8, dtype=np.float32), None, np.float32), (np.arange(8, dtype=np.float16), 7, np.float16),
        (np.arange(8, dtype=np.int64), -1, np.int64), (np.arange(8, dtype=np.uint32), -1, np.int64), (np.arange(8, dtype=np.uint8), 9, np.uint8),
        (np.arange(8, dtype=np.uint8), -1, np.int16), (np.arange(8), np.nan, np.float64), (np.ones(8, bool), False, bool),
        (np.array(list("abcdefgh")), "", "<U1"), (np.arange(8, dtype=np.int64), sightline.NONE, np.int64),
    ]:  # fmt: skip
        told = found.gather(values, fill)
        assert told.dtype == dtype and (told[0] == values[found.prim[0]]).all()
        assert np.array_equal(told[1], np.full(2, np.nan if fill is None else fill, dtype), equal_nan=told.dtype.kind == "f")
    colours = np.arange(24, dtype=np.uint8).reshape(8, 3)
    told = found.gather(colours, [255, 0, 255])
    assert told.shape == (2, 2, 3) and (told[1] == [255, 0, 255]).all() and (told[0] == colours[found.prim[0]]).all()
    corners = tree.closest([[0.25, 0.25, 2], [9, 9, 9]], [0, 0, -1]).gather(tree.mesh.vertices[tree.mesh.faces])
    assert corners.shape == (2, 3, 3) and np.isnan(corners[1]).all()
    assert found[1].gather(np.empty(0)).shape == (2,) and found.reshape(-1)[:0].gather(np.zeros(8)).shape == (0,)
    with pytest.raises(sightline.InvalidArgument, match="no NaN: fill"):
        found.gather(np.arange(8))
    with pytest.raises(sightline.BadIndex, match="there are 2 values, and none of triangle"):
        found.gather(np.zeros(2))
    with pytest.raises(sightline.InvalidArgument, match="a row for each triangle"):
        found.gather(3.0)
