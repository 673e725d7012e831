"""Shapes, strides, dtypes and memory."""

import numpy as np
import pytest
from conftest import examples
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
