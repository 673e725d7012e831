"""Shapes, strides, dtypes and memory."""

import numpy as np
import pytest
from conftest import examples, wanted
from hypothesis import given
from hypothesis import strategies as st

import sightline_bvh as sightline

BALL = sightline.Tree(sightline.sphere(4))


@st.composite
def layouts(draw):
    """A shape, and a function that lays an array of it out in some other way, with the same numbers."""
    shape = draw(st.lists(st.integers(0, 4), max_size=3).map(tuple))
    kind = draw(st.sampled_from(["C", "F", "reversed", "stepped", "swapped", "list", "offset", "readonly"]))
    dtype = draw(st.sampled_from([np.float32, np.float64]))

    def lay(array):
        array = array.astype(dtype)
        if kind == "F":
            return np.asfortranarray(array)
        if kind == "reversed":
            return array[..., ::-1].copy()[..., ::-1]
        if kind == "stepped":
            wide = np.zeros((*array.shape[:-1], 7), dtype)
            wide[..., ::2][..., :3] = array
            return wide[..., ::2][..., :3]
        if kind == "swapped":
            return array.astype(array.dtype.newbyteorder())
        if kind == "list" and array.size:
            return array.tolist()
        if kind == "offset":
            raw = np.zeros(array.nbytes + 1, np.uint8)
            view = raw[1:].view(dtype).reshape(array.shape)
            view[...] = array
            return view
        if kind == "readonly":
            array.flags.writeable = False
        return array

    return shape, kind, dtype, lay


@examples(150)
@given(layouts(), st.integers(0, 2**32 - 1))
def test_layouts_make_no_difference(layout, seed):
    shape, kind, dtype, lay = layout
    random = np.random.default_rng(seed)
    origins = random.normal(size=(*shape, 3)).astype(np.float32)
    directions = random.normal(size=(*shape, 3)).astype(np.float32)
    wanted = BALL.closest(origins, directions)
    hits = BALL.closest(lay(origins), lay(directions))
    assert hits.shape == shape and wanted.shape == shape
    assert (hits.prim == wanted.prim).all() and (hits.t.astype(np.float32) == wanted.t).all()
    assert hits.t.dtype == (np.float64 if kind == "list" and origins.size else dtype)
    assert (BALL.count(lay(origins), lay(directions)) == BALL.count(origins, directions)).all()
    nearest, plain = BALL.nearest(lay(origins)), BALL.nearest(origins)
    assert nearest.shape == shape and (nearest.prim == plain.prim).all() and (nearest.distance == plain.distance).all()


@examples(150)
@given(st.lists(st.floats(width=32), min_size=6, max_size=6))
def test_any_numbers(numbers):
    """NaN, infinities, zeros and subnormals: no fault, and the same answer in floats and in doubles."""
    array = np.array(numbers, np.float32)
    hits, wide = BALL.closest(array), BALL.closest(array.astype(np.float64))
    # Of ts that are one float the lowest triangle counts, so the numbers of triangles may differ.
    assert hits.hit == wide.hit
    with np.errstate(over="ignore"):
        assert not hits.hit or hits.t == wide.t.astype(np.float32)
    if not np.isfinite(array).all() or not array[3:].any():
        assert not hits.hit
    BALL.nearest(array[:3])
    BALL.inside(array[:3])
    BALL.overlaps(boxes=np.sort(array.reshape(2, 3), axis=0))


def test_layouts_of_rays():
    random = np.random.default_rng(1)
    origins, directions = random.normal(size=(2, 4, 5, 3)).astype(np.float32)
    wanted = BALL.closest(origins, directions, tmin=0.5, tmax=2)
    both = np.concatenate([origins, directions], axis=-1)
    assert (BALL.closest(both, tmin=0.5, tmax=2) == wanted).all()
    rays = np.zeros((4, 5), sightline.RAY)
    rays["origin"], rays["dir"], rays["tmin"], rays["tmax"] = origins, directions, 0.5, 2
    eight = rays.view(np.float32).reshape(4, 5, 8)
    for given_ in (rays, eight, eight[:, ::-1][:, ::-1], rays[::-1][::-1]):
        assert (BALL.closest(given_) == wanted).all()
    limits = np.full((5,), 2.0, np.float32)
    assert (BALL.closest(origins, directions, tmin=np.float32(0.5), tmax=limits) == wanted).all()


def test_one_origin_for_all_and_one_of_each():
    random = np.random.default_rng(2)
    directions = random.normal(size=(3, 4, 3)).astype(np.float32)
    origin = np.float32([0.1, 0.2, 0.3])
    assert (BALL.closest(origin, directions) == BALL.closest(np.broadcast_to(origin, (3, 4, 3)), directions)).all()
    columns = np.zeros((3, 1, 3), np.float32)
    assert BALL.closest(columns, directions[0]).shape == (3, 4)
    assert BALL.closest(origin, [0, 0, 1]).shape == ()


def test_out_is_what_comes_back():
    rays = np.random.default_rng(3).normal(size=(2, 7, 3)).astype(np.float32)
    out = np.empty(7, sightline.HIT)
    hits = BALL.closest(*rays, out=out)
    assert hits.array is out and BALL.closest(*rays, out=hits).array is out
    for bad in (np.empty(6, sightline.HIT), np.empty(7, sightline.HIT_D), np.empty(14, sightline.HIT)[::2], [0] * 7):
        with pytest.raises(sightline.InvalidArgument, match="out"):
            BALL.closest(*rays, out=bad)
    out.flags.writeable = False
    with pytest.raises(sightline.InvalidArgument, match="writable"):
        BALL.closest(*rays, out=out)


def test_wrong_shapes_and_dtypes_are_refused():
    with pytest.raises(sightline.InvalidArgument, match=r"directions has the shape \(4,\)"):
        BALL.closest([0, 0, 0], [0, 0, 1, 2])
    with pytest.raises(sightline.InvalidArgument, match="do not go together"):
        BALL.closest(np.zeros((2, 3)), np.zeros((3, 3)))
    with pytest.raises(sightline.InvalidArgument, match="numbers"):
        BALL.closest(["a", "b", "c"], [0, 0, 1])
    with pytest.raises(sightline.InvalidArgument):
        BALL.closest(np.zeros(3, complex), [0, 0, 1])
    with pytest.raises(sightline.InvalidArgument, match="cull"):
        BALL.closest([0, 0, 0], [0, 0, 1], cull="both")
    with pytest.raises(sightline.InvalidArgument, match="threads"):
        BALL.closest(np.zeros((5000, 3)), [0, 0, 1], threads=0)


class OnlyDlpack:
    """What hands its numbers over by __dlpack__ and in no other way."""

    def __init__(self, array):
        self.array = array.copy()

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


class OnlyNumpy:
    """A tensor as torch and Open3D have them, on a device."""

    def __init__(self, array, steps=("detach", "cpu", "numpy")):
        self.array, self.steps = array, steps
        if steps:
            setattr(self, steps[0], lambda: OnlyNumpy(array, steps[1:]) if len(steps) > 1 else array)


def data_frame(array):
    pandas = wanted("pandas", "pandas is not installed: no DataFrames")
    return pandas.DataFrame(array) if array.ndim == 2 else array


FORMS = {
    "F-ordered": np.asfortranarray,
    "transposed": lambda array: np.ascontiguousarray(array.T).T,
    "fancy-indexed": lambda array: np.repeat(array, 2, axis=-1)[..., np.arange(array.shape[-1]) * 2],
    "reversed": lambda array: array[::-1].copy()[::-1],
    "columns": lambda array: np.repeat(array, 2, axis=-1)[..., ::2],
    "read-only": lambda array: np.frombuffer(array.tobytes(), array.dtype).reshape(array.shape),
    "swapped": lambda array: array.astype(array.dtype.newbyteorder()),
    "DataFrame": data_frame,
    "a list": np.ndarray.tolist,
    "only __dlpack__": OnlyDlpack,
    "only .numpy()": OnlyNumpy,
}
SHARED, POINTS = sightline.sphere(4), np.random.default_rng(5).normal(size=(2, 128, 3))
NUMBERS, BOXES = np.arange(len(BALL)), np.stack([POINTS[0] - 0.2, POINTS[0] + 0.2], axis=1)
SCENE, PLACE = sightline.Scene([BALL]), np.diag([2.0, 2.0, 2.0, 1.0])
CAMERA = sightline.Camera([0, 0, 3], [0, 0, 0])

# Every argument that is an array: a call of the form, and the array.
TAKEN = {
    "vertices": (lambda x: sightline.Mesh(x, SHARED.faces), SHARED.vertices.astype(float) + 0.1),
    "vertices, recentred": (lambda x: sightline.Mesh(x, SHARED.faces, recentre=True), SHARED.vertices.astype(float)),
    "vertices in floats": (lambda x: sightline.Mesh(x, SHARED.faces), SHARED.vertices),
    "vertices of a tree": (lambda x: sightline.Tree(x, SHARED.faces).triangles(), SHARED.vertices.astype(float)),
    "faces": (lambda x: sightline.Mesh(SHARED.vertices, x), SHARED.faces),
    "faces of int64": (lambda x: sightline.Mesh(SHARED.vertices, x), SHARED.faces.astype(np.int64)),
    "normals": (lambda x: sightline.Mesh(SHARED.vertices, SHARED.faces, normals=x), SHARED.vertices.astype(float)),
    "masks": (lambda x: sightline.Tree(SHARED, masks=x).with_masks(x).any([0, 0, 0], [0, 0, 1], mask=2), NUMBERS),
    "refit": (lambda x: BALL.refit(x).triangles(), SHARED.vertices.astype(float) * 2),
    "origins": (lambda x: BALL.closest(x, POINTS[1]), POINTS[0]),
    "directions": (lambda x: BALL.all(POINTS[0], x).values, POINTS[1]),
    "to": (lambda x: BALL.count(POINTS[0], to=x), POINTS[1]),
    "packed rays": (lambda x: BALL.closest(x), np.concatenate(POINTS, axis=1)),
    "tmax": (lambda x: BALL.closest(*POINTS, tmax=x), POINTS[0][:, 0] ** 2),
    "mask": (lambda x: BALL.closest(*POINTS, mask=x), NUMBERS[:128]),
    "skip": (lambda x: BALL.closest(*POINTS, skip=x), np.stack([NUMBERS, NUMBERS + 1], axis=1)[:128] % 128),
    "filter": (lambda x: BALL.closest(*POINTS, filter=x), NUMBERS % 2 == 0),
    "fan": (lambda x: BALL.fan([0, 0, 0], to=x), POINTS[0]),
    "points": (lambda x: BALL.nearest(x), POINTS[0]),
    "points, k": (lambda x: BALL.nearest_k(x, 3), POINTS[0]),
    "points, within": (lambda x: BALL.within(x, 1.0).values, POINTS[0]),
    "points, inside": (lambda x: BALL.inside(x), POINTS[0]),
    "points, containing": (lambda x: SCENE.containing(x).values, POINTS[0]),
    "boxes": (lambda x: BALL.overlap(boxes=x).values, BOXES),
    "spheres": (lambda x: BALL.overlaps(spheres=x), np.concatenate([POINTS[0], POINTS[1][:, :1] ** 2], axis=1)),
    "bake": (lambda x: BALL.bake("ao", x, np.float32(POINTS[1]), rays=8), np.float32(POINTS[0])),
    "prims": (lambda x: BALL.triangles(x), NUMBERS[::3]),
    "part_of": (lambda x: SHARED.part_of(x), NUMBERS),
    "ignore": (lambda x: sightline.Scene([BALL] * 5).closest(*POINTS, ignore=x), np.array([[0, 1], [1, 1]])),
    "transform": (lambda x: sightline.Scene([(BALL, x)]).bounds, PLACE),
    "at": (lambda x: BALL.distance(BALL, at=x), np.stack([PLACE, PLACE / [[2], [2], [2], [1]]])),
    "directions of sweeps": (lambda x: BALL.sweep(x, spheres=[3, 0, 0, 0.5]), POINTS[0] * 3),
    "boxes that move": (lambda x: BALL.sweep([0, 0, 3], boxes=x), BOXES),
    "groups": (lambda x: sightline.Scene([BALL] * 5).clashing(groups=x), NUMBERS[:5]),
    "bodies": (lambda x: sightline.Scene([BALL] * 5).clashing(bodies=x), NUMBERS[:5] // 2),
    "project": (lambda x: CAMERA.project(x), POINTS[0]),
    "eye": (lambda x: sightline.Camera(x, [0, 0, 0]).view, np.array([0, 1.0, 3.0])),
    "colour_map": (lambda x: sightline.colour_map(x), POINTS[0]),
}


def plain(answer):
    if isinstance(answer, sightline.Mesh):
        return answer.vertices.tobytes() + answer.faces.tobytes() + repr((answer.origin, answer.rounding)).encode()
    return np.asarray(answer).tobytes()


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("what", TAKEN)
def test_every_array_is_taken_in_every_form(what, form):
    call, array = TAKEN[what]
    if form == "a list" and array.dtype == np.float32:
        pytest.skip("lists are of doubles")
    if form == "only __dlpack__" and array.dtype == bool and np.__version__ < "1.25":
        pytest.skip("this numpy has no booleans in dlpack")
    assert plain(call(FORMS[form](array))) == plain(call(array.copy()))


def test_records_are_taken_for_their_arrays():
    hits = BALL.closest(*POINTS)
    assert (BALL.next(hits, *POINTS) == BALL.next(hits.array, *POINTS)).all()
    assert (BALL.surface(hits[::2]).point == BALL.surface(hits).point[::2])[hits.hit[::2]].all()


# What is refused, and what the message says: what was given, and what to write.
REFUSED = [
    (lambda: sightline.Mesh([[0, 0, 0], [1, 0], [0, 1, 0]]), r"vertices\[1\] has the length 2 and vertices\[0\] 3"),
    (lambda: BALL.closest([[0, 0, 0], [1, 0]], [0, 0, 1]), r"origins\[1\] has the length 2"),
    (lambda: BALL.overlap(boxes=[[[0] * 3] * 2, [[0] * 3, [0] * 2]]), r"boxes\[1\]\[1\] has the length 2"),
    (lambda: sightline.Mesh(np.eye(3), [[0, 1, 2], [0, 1, 2, 0]]), r"faces\[1\] .* 4 .*write \[\(p\[0\], p\[i - 1\]"),
    (lambda: sightline.Mesh(np.eye(3), [[0, 1, 2, 0]]), r"faces has the shape \(1, 4\).*write \[\(p\[0\], p\[i - 1\]"),
    (lambda: sightline.Mesh(np.eye(3), [3, 0, 1, 2]), r"write numpy.reshape\(faces, \(-1, 4\)\)\[:, 1:\]"),
    (lambda: sightline.Mesh(np.eye(3), [[0.0, 1, 2]]), r"write numpy.asarray\(faces\).astype\(numpy.int64\)"),
    (lambda: sightline.Mesh(np.zeros((3, 8)), [[0, 1, 2]]), r"\(3, 8\); \(V, 3\) .*write numpy.swapaxes\(vertices, -1, -2\)"),
    (lambda: sightline.Mesh(np.zeros(9), [[0, 1, 2]]), r"\(9,\); .*write numpy.reshape\(vertices, \(-1, 3\)\)"),
    (lambda: sightline.Mesh(np.zeros((8, 3, 3))), r"write numpy.reshape\(vertices, \(-1, 3\)\)"),
    (lambda: sightline.Mesh(np.zeros((8, 2)), [[0, 1, 2]]), r"write numpy.insert\(vertices, 2, 0, axis=-1\)"),
    (lambda: BALL.nearest(np.zeros((8, 4))), r"\(8, 4\); .*write numpy.asarray\(points\)\[..., :3\]"),
    (lambda: BALL.nearest(np.zeros((3, 8))), r"write numpy.swapaxes\(points, -1, -2\)"),
    (lambda: BALL.nearest(object()), r"points is an array of numbers, not object: write numpy.array"),
    (lambda: BALL.nearest(SHARED), r"not Mesh: write points=what.vertices"),
    (lambda: BALL.nearest([[0, 0, 0], [0, None, object()]]), r"points\[1\]\[1\] is NoneType, which is no number"),
    (lambda: sightline.Mesh(SHARED), r"write Mesh\(mesh.vertices, mesh.faces\)"),
    (lambda: sightline.Mesh("a.obj"), r"load\(path\)"),
    (lambda: sightline.Tree(object()), r"vertices is an array of numbers, not object"),
    (lambda: sightline.Scene([SHARED]), r"write Tree\(mesh\)"),
    (lambda: sightline.Camera([0, 0], [0, 0, 0]), r"eye has the shape \(2,\); \(3,\) is wanted"),
]


@pytest.mark.parametrize("which", range(len(REFUSED)))
def test_what_is_refused_says_what_was_given_and_what_to_write(which):
    call, message = REFUSED[which]
    with pytest.raises(sightline.InvalidArgument, match=message):
        call()


def test_what_messages_say_to_write_works():
    quads = [[0, 1, 2, 3], [0, 1, 2]]
    faces = [(p[0], p[i - 1], p[i]) for p in quads for i in range(2, len(p))]
    assert sightline.Mesh(np.eye(4)[:, :3], faces).faces.tolist() == [[0, 1, 2], [0, 2, 3], [0, 1, 2]]
    flat = np.zeros((5, 2))
    assert BALL.nearest(np.insert(flat, 2, 0, axis=-1)).shape == (5,)
    assert BALL.nearest(np.swapaxes(np.zeros((3, 8)), -1, -2)).shape == (8,)


def test_nothing_is_copied():
    """A large array that fits is read where it is: what a call allocates is far less than the array."""
    import tracemalloc

    count = 200_000
    origins = np.zeros((count, 3), np.float32)
    directions = np.ones((2 * count, 3), np.float32)[::2]
    out = np.empty(count, sightline.HIT)
    BALL.closest(origins[:10], directions[:10])
    for call in (
        lambda: BALL.closest(origins, directions, out=out, threads=1),
        lambda: BALL.closest(origins.reshape(400, 500, 3), directions[0], out=out.reshape(400, 500), threads=1),
    ):
        tracemalloc.start()
        call()
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 100_000, peak


def test_views_keep_alive_what_they_view():
    import gc

    vertices = sightline.sphere(32).vertices
    values = BALL.all(np.zeros((1000, 3)), [0.1, 0.2, 0.3]).values.t
    gc.collect()
    sightline.sphere(32)
    assert np.abs(np.linalg.norm(vertices, axis=1) - 1).max() < 1e-6 and (values > 0).all()
    assert not vertices.flags.writeable
