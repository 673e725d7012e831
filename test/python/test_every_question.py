"""Every question of trees and scenes: shapes, strides, dtypes, Fortran order, zero sizes, NaN, infinities, garbage, out=.

QUESTIONS lists them all, which test_none_is_left_out holds; each takes any array of rays, points or volumes.
"""

import numpy as np
import pytest
from conftest import examples
from hypothesis import given
from hypothesis import strategies as st

import sightline_bvh as sightline
from sightline_bvh import NONE

_move = np.eye(4)
_move[:3] = [[0, -1, 0, 0.25], [1, 0, 0, 0.5], [0, 0, 1, -0.125]]
BALL = sightline.Tree(sightline.sphere(4))
OPEN = sightline.Tree(sightline.soup(40, 0.7, 2))
SCENE = sightline.Scene([(BALL, _move), sightline.Instance(OPEN, mask=3)])
EMPTY = sightline.Tree(np.zeros((0, 3)))
TARGETS = {"ball": BALL, "soup": OPEN, "scene": SCENE, "empty": EMPTY, "empty scene": sightline.Scene([])}

REFS = np.dtype(sightline.REF)


def lists(found):
    return [found.values, found.offsets, found.totals]


def previous(target, o, d):
    return target.closest(o, d)


# Name: (widths of the arrays, call, dtype of out in floats and in doubles or None); widths are shapes of the last axes.
RAY, POINT = ((3,), (3,)), ((3,),)
QUESTIONS = {
    "closest": (RAY, lambda t, o, d, **k: t.closest(o, d, **k), (sightline.HIT, sightline.HIT_D)),
    "closest of segments": (RAY, lambda t, p, q, **k: t.closest(p, to=q, **k), (sightline.HIT, sightline.HIT_D)),
    "closest crossing": (
        RAY, lambda t, o, d, **k: t.closest(o, d, crossings=True, **k), (sightline.HIT, sightline.HIT_D),
    ),
    "any": (RAY, lambda t, o, d, **k: t.any(o, d, **k), (bool, bool)),
    "count": (RAY, lambda t, o, d, **k: t.count(o, d, **k), (np.int64, np.int64)),
    "all": (RAY, lambda t, o, d: lists(t.all(o, d)), None),
    "next": (
        RAY, lambda t, o, d, **k: t.next(previous(t, o, d), o, d, **k), (sightline.HIT, sightline.HIT_D),
    ),
    "blocked": (RAY, lambda t, p, q, **k: t.blocked(p, q, **k), (bool, bool)),
    "blockers": (RAY, lambda t, p, q, **k: t.blockers(p, q, **k), (sightline.HIT, sightline.HIT_D)),
    "fan": (POINT, lambda t, q, **k: t.fan(np.float32([0.1, 0.2, 0.3]), q, **k), (bool, bool)),
    "fan to": (POINT, lambda t, q, **k: t.fan(np.float32([0.1, 0.2, 0.3]), to=q, **k), (bool, bool)),
    "nearest": (POINT, lambda t, p, **k: t.nearest(p, **k), (sightline.NEAREST, sightline.NEAREST_D)),
    "nearest_k": (POINT, lambda t, p, **k: t.nearest_k(p, 3, **k), (sightline.NEAREST, sightline.NEAREST_D)),
    "within": (POINT, lambda t, p: lists(t.within(p, 0.5)), None),
    "inside": (POINT, lambda t, p: t.inside(p), None),
    "signed_distance": (POINT, lambda t, p: t.signed_distance(p), None),
    "containing": (POINT, lambda t, p: lists((t if t._is_scene else t.scene()).containing(p)), None),
    "surface": (RAY, lambda t, o, d: t.surface(t.closest(o, d)), None),
}  # fmt: skip
SHAPES = {"boxes": (2, 3), "spheres": (4,), "capsules": (7,), "obbs": (5, 3), "frusta": (4, 4), "triangles": (3, 3), "hulls": (5, 3)}
for _name, _last in SHAPES.items():
    QUESTIONS[f"overlap {_name}"] = ((_last,), lambda t, v, n=_name: lists(t.overlap(**{n: v})), None)
    QUESTIONS[f"overlaps {_name}"] = ((_last,), lambda t, v, n=_name, **k: t.overlaps(**{n: v}, **k), (bool, bool))
    if _name != "frusta":
        _moved = ((3,), _last)
        QUESTIONS |= {
            f"sweep {_name}": (_moved, lambda t, d, v, n=_name, **k: t.sweep(d, **{n: v}, **k), (sightline.CONTACT,) * 2),
            f"sweep_any {_name}": (_moved, lambda t, d, v, n=_name, **k: t.sweep_any(d, **{n: v}, **k), (bool, bool)),
            f"sweep_all {_name}": (_moved, lambda t, d, v, n=_name: lists(t.sweep_all(d, **{n: v})), None),
        }

KINDS = ["C", "F", "reversed", "negative", "stepped", "swapped", "offset", "readonly", "broadcast", "transposed"]


def lay(array, kind, keep):
    """The same numbers, laid out in another way; the last `keep` axes are those of an item."""
    dtype = array.dtype
    if kind == "F":
        return np.asfortranarray(array)
    if kind == "reversed":  # numbers of an item run backwards in memory
        return array[..., ::-1].copy()[..., ::-1]
    if kind == "negative" and array.ndim > keep:  # so do the items
        return array[::-1].copy()[::-1]
    if kind == "stepped":
        wide = np.full((*array.shape[:-1], 2 * array.shape[-1] + 1), np.nan, dtype)
        wide[..., 1::2] = array
        return wide[..., 1::2]
    if kind == "swapped":
        return array.astype(dtype.newbyteorder())
    if kind == "offset":
        raw = np.zeros(array.nbytes + 1, np.uint8)
        view = raw[1:].view(dtype).reshape(array.shape)
        view[...] = array
        return view
    if kind == "readonly":
        array = array.copy()
        array.flags.writeable = False
    if kind == "broadcast" and array.ndim > keep and len(array):
        return np.broadcast_to(array[:1], array.shape)
    if kind == "transposed" and array.ndim > keep + 1:
        return array.swapaxes(0, 1).copy().swapaxes(0, 1)
    return array


def plain(answer):
    """Arrays, with the bits of every field."""
    parts = answer if isinstance(answer, list) else [answer]
    return [np.asarray(getattr(part, "array", part)) for part in parts]


def alike(first, second):
    for a, b in zip(plain(first), plain(second), strict=True):
        assert a.shape == b.shape and a.dtype.names == b.dtype.names
        for name in a.dtype.names or (None,):
            x, y = (a, b) if name is None else (a[name], b[name])
            assert np.array_equal(x, y, equal_nan=x.dtype.kind == "f"), name


def can(target, question, dtype=np.float32):
    """A scene is not asked next to nothing; an open mesh judges insides of floats alone."""
    return not (question in ("inside", "signed_distance") and target in ("soup",) and dtype == np.float64)


def numbers_of(random, shape, dtype):
    """Ordinary ones, and whole ones, so that some are equal."""
    made = random.normal(size=shape).astype(np.float32)
    if random.integers(2):
        made = np.round(made * 2) / 2
    return made.astype(dtype)


def sound(question, array, width):
    """The same volumes with min below max, and radii and halves that are not negative."""
    kind = question.split()[-1] if width != (3,) else None
    if kind == "boxes":
        return np.sort(array, axis=-2)
    ends = array[..., 4, :] if kind == "obbs" else array[..., -1] if kind in ("spheres", "capsules") else array[..., :0]
    np.abs(ends, out=ends)
    return array


def test_none_is_left_out():
    asked = {name.split()[0] for name in QUESTIONS}
    public = {name for kind in (sightline.Tree, sightline.Scene) for name in dir(kind) if not name.startswith("_")}
    others = "bounds closed drift hash info mesh path scene to_mesh triangles".split()
    others += "bytes instances left_out names static_count triangle_count".split()
    versions = "check from_bytes load map refit save to_bytes with_masks flatten".split()
    elsewhere = "bake render self_overlap".split()  # below
    elsewhere += "clash clashes clashing curves distance solids push_out".split()  # test_contact.py
    assert public - asked == {*others, *versions, *elsewhere}


@pytest.mark.parametrize("question", QUESTIONS)
@examples(15)
@given(
    target=st.sampled_from(sorted(TARGETS)),
    lead=st.lists(st.integers(0, 4), max_size=3).map(tuple), kinds=st.tuples(*[st.sampled_from(KINDS)] * 2),
    dtype=st.sampled_from([np.float32, np.float64]), seed=st.integers(0, 2**32 - 1),
)  # fmt: skip
def test_layouts_make_no_difference(target, question, lead, kinds, dtype, seed):
    if not can(target, question, dtype):
        return
    random = np.random.default_rng(seed)
    widths, call, out = QUESTIONS[question]
    arrays = [sound(question, numbers_of(random, (*lead, *width), dtype), width) for width in widths]
    laid = [lay(array, kind, len(width)) for array, kind, width in zip(arrays, kinds, widths, strict=False)]
    arrays = [np.array(array, dtype, order="C") for array in laid]  # broadcast ones are others
    answer = call(TARGETS[target], *arrays)
    alike(call(TARGETS[target], *laid), answer)
    for part in plain(answer)[:1] if out is not None else ():
        assert part.shape == lead + (3,) * (question == "nearest_k")
        assert part.dtype == out[dtype == np.float64]
    if out is None:
        return
    room = np.frombuffer(random.bytes(plain(answer)[0].nbytes), np.uint8).copy()
    room = room.view(out[dtype == np.float64]) if out[0] is not bool else (room & 1).view(bool)
    room = room.reshape(plain(answer)[0].shape)
    given_ = call(TARGETS[target], *laid, out=room)
    assert plain(given_)[0] is room or plain(given_)[0].base is room or not room.size
    alike([room], answer)


@pytest.mark.parametrize("question", QUESTIONS)
@examples(12)
@given(data=st.data())
def test_any_numbers(question, data):
    """NaN, infinities, zeros and subnormals: no fault, none of the neighbours suffers, what is not finite finds nothing."""
    widths, call, out = QUESTIONS[question]
    dtype = data.draw(st.sampled_from([np.float32, np.float64]))
    odd = st.one_of(st.sampled_from([np.nan, np.inf, -np.inf, 0.0, -0.0, 1e-45, 3.4e38]), st.floats(width=32))
    random = np.random.default_rng(5)
    arrays = [sound(question, numbers_of(random, (5, *width), dtype), width) for width in widths]
    wrong = [array.copy() for array in arrays]
    size = sum(int(np.prod(width)) for width in widths)
    numbers = data.draw(st.lists(odd, min_size=size, max_size=size))
    with np.errstate(over="ignore"):
        for array, width in zip(wrong, widths, strict=True):
            array[2] = sound(question, np.reshape(np.array(numbers[: array[2].size]), width), width)
            numbers = numbers[array[2].size :]
    bad = not all(np.isfinite(array).all() for array in wrong)
    for name in ("ball", "soup", "scene"):
        if not can(name, question, dtype):
            continue
        target = TARGETS[name]
        usual, answer = call(target, *arrays), call(target, *wrong)
        if isinstance(answer, list):
            values, offsets, totals = plain(answer)
            counts = np.diff(offsets)
            assert (counts == totals).all() and (np.delete(totals, 2) == np.delete(plain(usual)[2], 2)).all()
            values = np.concatenate([values[: offsets[2]], values[offsets[3] :]])
            rows = np.repeat(np.arange(5), np.diff(plain(usual)[1])) != 2
            alike([values], [plain(usual)[0][rows]])
            found = counts[2]
        else:
            alike([np.delete(plain(answer)[0], 2, 0)], [np.delete(plain(usual)[0], 2, 0)])
            row = plain(answer)[0][2]
            found = (row["prim"] != NONE).any() if out and row.dtype.names and "prim" in row.dtype.names else row
        # What a frustum with an infinite offset or a box without an end means is documented, and they may touch.
        if bad and question == "signed_distance":
            assert np.isnan(found), (name, wrong)
        elif bad and widths in (RAY, POINT) and question != "surface" and "fan" not in question:
            assert not np.any(found), (question, name, wrong)


@pytest.mark.parametrize("target", TARGETS)
def test_zero_sizes(target):
    for question, (widths, call, _) in QUESTIONS.items():
        for lead in ((0,), (0, 3), (3, 0), (0, 0)):
            for dtype in (np.float32, np.float64, np.float16, np.int8):
                if not can(target, question, np.float64 if dtype == np.int8 else dtype):
                    continue
                for part in plain(call(TARGETS[target], *[np.zeros((*lead, *width), dtype) for width in widths]))[:1]:
                    assert part.size == 0
    ball = TARGETS["ball"]
    assert ball.bake("ao", np.zeros((0, 3)), np.zeros((0, 3))).shape == (0,)
    assert EMPTY.self_overlap().shape == (0, 2)
    assert ball.overlap(frusta=np.zeros((2, 0, 4))).counts.tolist() == [len(ball)] * 2  # no plane: all of space


@examples(40)
@given(data=st.binary(min_size=96, max_size=96), name=st.sampled_from(["ball", "soup", "scene", "empty"]))
def test_any_bytes_as_records(data, name):
    """Hits, hints and names that no question gave: no fault, and what is not there is not found."""
    target = TARGETS[name]
    rays = np.random.default_rng(1).normal(size=(2, 3, 3))
    for dtype, number in ((sightline.HIT, np.float32), (sightline.HIT_D, np.float64)):
        hits = np.frombuffer(data * 3, dtype, 3).copy()
        hits["prim"][0] %= 40
        hits["instance"][0] %= 2
        target.surface(hits)
        target.next(hits, *rays.astype(number))
        refs = sightline.Hits(hits).ref
        # A name of a triangle that is not there is refused.
        refs["prim"] = refs["prim"] & 0x7FFFFFFF | 1 << 20
        with pytest.raises(sightline.BadIndex):
            target.count(*rays.astype(number), skip=refs)
        hints = np.frombuffer(data, sightline.REF, 3).copy()
        assert (target.blocked(*rays.astype(number), hints=hints) == target.blocked(*rays.astype(number))).all()
    refs = np.frombuffer(data, sightline.REF)
    if name == "scene":
        target.triangles(refs)
        target.path(int(refs["instance"][0]))
        refs = refs["prim"]
    else:
        refs = refs["prim"]
        assert np.isnan(target.triangles(refs | 1 << 20)).all()
    BALL.mesh.part_of(refs)
    OPEN.mesh.at(np.frombuffer(data, sightline.HIT).copy())


def test_records_may_begin_anywhere():
    """Packed records at odd addresses are copied where they are read, and refused where they would be written."""
    rays = np.random.default_rng(3).normal(size=(2, 7, 3))
    for number in (np.float32, np.float64):
        hits = BALL.closest(*rays.astype(number))
        raw = np.zeros(hits.array.nbytes + 1, np.uint8)
        odd = raw[1:].view(hits.dtype)
        odd[...] = hits.array
        alike(BALL.next(odd, *rays.astype(number)), BALL.next(hits, *rays.astype(number)))
        alike(BALL.surface(odd), BALL.surface(hits))
        with pytest.raises(sightline.InvalidArgument, match="address"):
            BALL.closest(*rays.astype(number), out=odd)
    mesh = BALL.mesh
    vertices, faces, colours = (
        lay(np.array(a), "offset", 1) for a in (mesh.vertices, mesh.faces, np.ones(mesh.vertices.shape, np.float32))
    )
    again = sightline.Mesh(vertices, faces, colours=colours)
    assert again.hash == mesh.hash and (again.colours.values == 1).all()
    assert sightline.Tree(again).refit(vertices, faces).hash == mesh.hash
    baked = BALL.bake("ao", vertices, lay(mesh.vertex_normals(), "offset", 1), rays=4)
    assert (baked == BALL.bake("ao", rays=4)).all()
    refs = np.zeros(7 * 8 + 1, np.uint8)[1:].view(sightline.REF)
    with pytest.raises(sightline.InvalidArgument, match="address"):
        BALL.blocked(*rays, hints=refs)
    assert SCENE.triangles(refs).shape == (7, 3, 3)
    assert (SCENE.count(*rays, ignore=np.zeros(9, np.uint8)[1:].view(np.uint32).reshape(1, 2)) >= 0).all()


@pytest.mark.parametrize("dtype", [np.int64, np.uint64])
def test_numbers_of_more_than_32_bits_are_refused(dtype):
    """They are not cut off: triangle 2^32 + 1 is not triangle 1."""
    rays = np.random.default_rng(3).normal(size=(2, 4, 3))
    large = np.array([1, 2, 3, 2**32 + 1], dtype)
    for refused in (
        lambda: BALL.closest(*rays, skip=large), lambda: BALL.closest(*rays, mask=large),
        lambda: SCENE.closest(*rays, ignore=large), lambda: BALL.triangles(large), lambda: BALL.mesh.part_of(large),
        lambda: BALL.with_masks(np.full(len(BALL), 2**32, dtype)), lambda: BALL.closest(*rays, mask=int(large[3])),
    ):  # fmt: skip
        with pytest.raises(sightline.InvalidArgument, match="32 bits"):
            refused()
    assert (BALL.closest(*rays, skip=np.int64(sightline.NONE)) == BALL.closest(*rays)).all()


def test_one_mask_and_one_skip_for_all():
    """Questions that want one for all take one of shape (1,), and a pair of shape (1, 2), as well."""
    first = int(BALL.closest([0.1, 0.2, 2], [0, 0, -1]).prim)
    ends = np.float32([[0.1, 0.2, 0.5], [0.1, 0.2, -0.5], [0.1, 0.2, 1.9]])
    eye = np.float32([0.1, 0.2, 2])
    assert BALL.fan(eye, to=ends).tolist() == [True, True, False]
    for skip in (first, [first], [[first, first]]):
        assert BALL.fan(eye, to=ends, skip=skip).tolist() == [False, False, False]
        assert BALL.inside(np.zeros((3, 3), np.float32), skip=skip).all()
    with pytest.raises(sightline.InvalidArgument, match="one"):
        BALL.fan(eye, to=ends, skip=[first] * 3)
