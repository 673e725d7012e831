"""sightline_bvh.dask on a cluster of two processes: the bytes of one run, whatever is lost on the way."""

import os
import pathlib
import pickle
import re
import subprocess
import sys
import time

import numpy as np
import pytest

import sightline_bvh as sightline

da = pytest.importorskip("dask.array", reason="Dask is not installed")
distributed = pytest.importorskip("distributed", reason="Dask Distributed is not installed")

import dask.optimization

import sightline_bvh.dask
from sightline_bvh import _dask_files, _dask_sinks, _dask_store

COUNT = 5000


@pytest.fixture(scope="module", autouse=True)
def cache(tmp_path_factory):
    """Files that are shipped go to a folder of this run."""
    folder = tmp_path_factory.mktemp("cache")
    before = os.environ.get("SIGHTLINE_CACHE")
    os.environ["SIGHTLINE_CACHE"] = str(folder)
    yield folder
    os.environ.pop("SIGHTLINE_CACHE")
    if before is not None:
        os.environ["SIGHTLINE_CACHE"] = before


@pytest.fixture(scope="module")
def client(cache):
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, host="127.0.0.1"
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


@pytest.fixture(scope="module")
def local():
    return sightline.Tree(sightline.soup(3000, 0.2, 5))


@pytest.fixture(scope="module")
def ball():
    return sightline.Tree(sightline.sphere(16))


@pytest.fixture(scope="module")
def tree(client, local, tmp_path_factory):
    path = tmp_path_factory.mktemp("trees") / "soup.slt"
    local.save(path)
    return sightline.dask.Tree(path)


def vectors(seed, *shape, dtype=np.float32):
    return np.random.default_rng(seed).normal(size=(*shape, 3)).astype(dtype)


def same_bytes(found, wanted, *, padding=False):
    """Equal to the bit; padding: and zeros where no field is, which NumPy leaves open when it joins chunks."""
    found, wanted = np.asarray(found), np.asarray(wanted)
    assert found.dtype == wanted.dtype and found.shape == wanted.shape
    if wanted.dtype.names is None:
        assert found.tobytes() == wanted.tobytes()
        return
    if not padding:
        return
    covered = np.zeros(wanted.dtype.itemsize, bool)
    for name in wanted.dtype.names:
        assert found[name].tobytes() == wanted[name].tobytes(), name
        kind, offset = wanted.dtype.fields[name][:2]
        covered[offset : offset + kind.itemsize] = True
    rows = np.ascontiguousarray(found).view(np.uint8).reshape(-1, wanted.dtype.itemsize)
    assert not rows[:, ~covered].any()


def lazy(array, *chunks):
    return da.from_array(array, chunks=(*chunks, *(array.shape[len(chunks) :])))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("chunk", [COUNT, 700, 1])
def test_rays_have_the_bytes_of_one_run(tree, local, dtype, chunk):
    count = 40 if chunk == 1 else COUNT
    o, d = vectors(1, count, dtype=dtype), vectors(2, count, dtype=dtype)
    for question in ("closest", "any", "count"):
        found = getattr(tree, question)(lazy(o, chunk), lazy(d, chunk))
        assert found.numblocks == (-(-count // chunk),)
        wanted = getattr(local, question)(o, d)
        same_bytes(found.compute(), wanted)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_segments_and_points_have_the_bytes_of_one_run(tree, local, dtype):
    p, q = vectors(3, COUNT, dtype=dtype), vectors(4, COUNT, dtype=dtype)
    lp, lq = lazy(p, 600), lazy(q, 900)
    same_bytes(tree.blocked(lp, lq).compute(), local.blocked(p, q))
    same_bytes(tree.closest(lp, to=lq, open_end=True).compute(), local.closest(p, to=q, open_end=True))
    same_bytes(tree.nearest(lp).compute(), local.nearest(p))
    same_bytes(tree.nearest(lp, max_distance=0.25).compute(), local.nearest(p, max_distance=0.25))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_inside_has_the_bytes_of_one_run(client, ball, dtype, tmp_path):
    ball.save(tmp_path / "ball.slt")
    tree = sightline.dask.Tree(tmp_path / "ball.slt")
    p = vectors(5, COUNT, dtype=dtype)
    same_bytes(tree.inside(lazy(p, 600)).compute(), ball.inside(p))
    same_bytes(tree.inside(lazy(p, 600), by="parity").compute(), ball.inside(p, by="parity"))
    if dtype == np.float32:
        same_bytes(tree.inside(lazy(p, 600), details=True).compute(), ball.inside(p, details=True))


def test_leading_shapes_stay_and_broadcast(tree, local):
    o, d = vectors(6, 20, 1), vectors(7, 30)
    found = tree.closest(lazy(o, 7, 1), lazy(d, 11))
    assert found.shape == (20, 30)
    same_bytes(found.compute(), local.closest(o, d))
    same_bytes(tree.any(np.zeros(3, np.float32), lazy(d, 11)).compute(), local.any(np.zeros(3, np.float32), d))
    one = da.from_array(vectors(8), chunks=-1)
    assert tree.nearest(one).shape == ()
    same_bytes(tree.nearest(one).compute(), local.nearest(vectors(8)))


def test_axes_of_an_item_become_one_chunk(tree, local):
    o, d = vectors(1, 100), vectors(2, 100)
    found = tree.closest(da.from_array(o, chunks=(30, 1)), da.from_array(d, chunks=(30, 2)))
    same_bytes(found.compute(), local.closest(o, d))


def test_rays_in_one_array(tree, local):
    six = np.concatenate([vectors(1, 500), vectors(2, 500)], axis=1)
    same_bytes(tree.closest(lazy(six, 99)).compute(), local.closest(six))
    rays = np.zeros(500, sightline.RAY)
    rays["origin"], rays["dir"], rays["tmax"] = six[:, :3], six[:, 3:], 1.5
    same_bytes(tree.any(lazy(rays, 99)).compute(), local.any(rays))


def test_options_that_differ_from_item_to_item(tree, local):
    o, d = vectors(1, 500), vectors(2, 500)
    lo, ld = lazy(o, 99), lazy(d, 99)
    most = np.random.default_rng(9).uniform(0, 2, 500).astype(np.float32)
    first = tree.closest(lo, ld)
    wanted = local.closest(o, d)
    same_bytes(tree.closest(lo, ld, tmax=lazy(most, 99)).compute(), local.closest(o, d, tmax=most))
    same_bytes(tree.closest(lo, ld, tmin=0.1, tmax=most).compute(), local.closest(o, d, tmin=0.1, tmax=most))
    same_bytes(tree.closest(lo, ld, tmax=most.astype(float)).compute(), local.closest(o, d, tmax=most.astype(float)))
    same_bytes(tree.closest(lo, ld, skip=first).compute(), local.closest(o, d, skip=wanted))
    same_bytes(tree.closest(lo, ld, skip=first["prim"]).compute(), local.closest(o, d, skip=wanted))
    same_bytes(tree.closest(lo, ld, skip=wanted).compute(), local.closest(o, d, skip=wanted))
    pairs = np.stack([wanted.prim, np.roll(wanted.prim, 1)], axis=1)
    same_bytes(tree.count(lo, ld, skip=lazy(pairs, 99)).compute(), local.count(o, d, skip=pairs))
    there = np.arange(len(local)) % 3 > 0
    same_bytes(
        tree.closest(lo, ld, filter=there, cull="back", mask=1).compute(),
        local.closest(o, d, filter=there, cull="back", mask=1),
    )


def test_nothing_is_asked(tree):
    none = da.zeros((0, 3), dtype=np.float32)
    assert tree.closest(none, none).compute().shape == (0,)


def test_fields_are_arrays_of_their_own(tree, local):
    o, d = vectors(1, 500), vectors(2, 500)
    hits = sightline.dask.fields(tree.closest(lazy(o, 99), lazy(d, 99)))
    wanted = local.closest(o, d)
    assert hits._fields == sightline.HIT.names
    same_bytes(hits.t.compute(), wanted.t.copy())
    near = sightline.dask.fields(tree.nearest(lazy(o, 99)))
    assert near.point.shape == (500, 3)
    same_bytes(near.point.compute(), local.nearest(o).point.copy())


@pytest.mark.parametrize("what", ["ao", "thickness"])
def test_bake_has_the_bytes_of_one_run(client, ball, what, tmp_path):
    ball.save(tmp_path / "ball.slt")
    tree = sightline.dask.Tree(tmp_path / "ball.slt")
    points, normals = ball.mesh.vertices, ball.mesh.vertex_normals()
    found = tree.bake(what, lazy(points, 100), lazy(normals, 77), rays=64, lift=0.01)
    assert found.numblocks[0] > 1
    same_bytes(found.compute(), ball.bake(what, rays=64, lift=0.01))
    grid = points[:600].reshape(20, 30, 3), normals[:600].reshape(20, 30, 3)
    found = tree.bake(what, lazy(grid[0], 3, 7), lazy(grid[1], 3, 7), rays=16, first=5)
    same_bytes(found.compute(), ball.bake(what, *grid, rays=16, first=5))


def command():
    """The command `sightline`, where it is built beside the package."""
    path = pathlib.Path(sightline.__file__).parents[2] / "sightline"
    return os.environ.get("SIGHTLINE_COMMAND") or (str(path) if path.exists() else None)


@pytest.mark.parametrize("doubles", [False, True])
def test_viewshed_has_the_bytes_of_the_command(client, doubles, tmp_path):
    if command() is None:
        pytest.skip("the command is not built")
    mesh = sightline.grid(40, 40, 9.0, 3)
    mesh.save(tmp_path / "hills.ply")
    local = sightline.Tree(mesh)
    local.save(tmp_path / "hills.slt")
    low, high = local.bounds.astype(float)
    side = high - low
    eye = low + side * [0.3, 1.2, 0.4]
    most, width, height = side.max(), 90, 70
    # The grid of `sightline los --viewshed`: all over the bounds, from 1 % above them.
    step_x, step_z = side[0] / width, side[2] / height
    margin = 0.01 * most
    grid = {
        "origin": (low[0] + 0.5 * step_x, low[1] + side[1] + margin, low[2] + 0.5 * step_z),
        "step_x": (step_x, 0, 0),
        "step_y": (0, 0, step_z),
        "down": (0, -(side[1] + 2 * margin), 0),
        "rise": (0, most / 1000, 0),
    }
    words = [command(), "los", tmp_path / "hills.ply", "--viewshed", ",".join(map(repr, eye.tolist()))]
    words += ["--size", f"{width}x{height}", "-o", tmp_path / "seen.npy", *(["--double"] if doubles else [])]
    subprocess.run(words, check=True)
    tree = sightline.dask.Tree(tmp_path / "hills.slt")
    found = tree.viewshed(eye, size=(width, height), rows=13, doubles=doubles, **grid)
    assert found.numblocks == (6, 1)
    wanted = np.load(tmp_path / "seen.npy")
    assert {0, 1} <= set(np.unique(wanted))
    same_bytes(found.compute(), wanted)


def test_viewshed_of_a_plane(tree, local):
    found = tree.viewshed((3, 0, 0), (-1, -1, 0), (0.1, 0, 0), (0, 0.1, 0), (20, 21), rows=4).compute()
    y, x = np.mgrid[:21, :20]
    cells = np.stack([-1 + x * 0.1, -1 + y * 0.1, 0 * x], axis=-1).astype(np.float32)
    same_bytes(found, (~local.blocked(np.float32([3, 0, 0]), cells)).astype(np.uint8))


# ---- Where trees come from ----


def test_a_tree_is_shipped_once_and_kept_by_its_hash(client, local, cache):
    tree = sightline.dask.Tree.ship(local)
    kept = cache / f"{tree.file.sha256}.slt"
    assert kept.read_bytes() == bytes(local.to_bytes())
    o, d = vectors(1, 500), vectors(2, 500)
    wanted = local.closest(o, d)
    same_bytes(tree.closest(lazy(o, 50), lazy(d, 50)).compute(), wanted)
    made = kept.stat().st_ino
    again = sightline.dask.Tree.ship(local)
    assert again.file == tree.file and kept.stat().st_ino == made
    assert [p.name for p in cache.iterdir() if p.suffix not in (".slt", ".lock")] == []
    tree.forget()
    assert not kept.exists()


def _fetched(file, folder):
    """On a worker: the tree, where this machine is one that has nothing yet."""
    os.environ["SIGHTLINE_CACHE"] = folder
    _dask_files.opened.__globals__["_trees"].clear()
    try:
        _dask_files.opened(file)
        return sorted(os.listdir(folder))
    finally:
        _dask_files.opened.__globals__["_trees"].clear()


def test_a_machine_without_the_file_fetches_it(client, local, tmp_path, monkeypatch):
    monkeypatch.setattr(_dask_files, "PIECE", 10000)  # pieces of the client
    tree = sightline.dask.Tree.ship(local)
    (worker, *_) = client.scheduler_info()["workers"]
    before = client.run(os.getenv, "SIGHTLINE_CACHE", workers=[worker])[worker]
    try:
        folder = tmp_path / "machine"
        folder.mkdir()
        (folder / f"{tree.file.sha256}.slt").write_bytes(b"cut off")
        (folder / f"{tree.file.sha256}.0.part").write_bytes(b"of one that was killed")
        future = client.submit(_fetched, tree.file, str(folder), workers=[worker], pure=False)
        assert future.result() == [f"{tree.file.sha256}.lock", f"{tree.file.sha256}.slt"]
        assert (folder / f"{tree.file.sha256}.slt").read_bytes() == bytes(local.to_bytes())
    finally:
        client.run(os.environ.__setitem__, "SIGHTLINE_CACHE", before, workers=[worker])


def test_another_file_on_a_worker_is_refused(client, local, ball, tmp_path):
    path = tmp_path / "tree.slt"
    local.save(path)
    tree = sightline.dask.Tree(path)
    client.run(_dask_files._trees.clear)
    ball.save(path)
    client.run(_clear)
    with pytest.raises(sightline.BadData, match="another file by this name"):
        tree.any(lazy(vectors(1, 10), 5), vectors(2, 10)).compute()
    path.unlink()
    with pytest.raises(sightline.NotFound, match="no such file"):
        tree.any(lazy(vectors(1, 10), 5), vectors(2, 10)).compute()


def _clear():
    _dask_files._trees.clear()


def test_a_tree_that_is_gone(client, local):
    tree = sightline.dask.Tree.ship(local)
    tree.forget()
    client.run(_clear)
    with pytest.raises(sightline.NotFound, match="ship it again"):
        tree.any(lazy(vectors(1, 10), 5), vectors(2, 10)).compute()


# ---- What is wrong ----


def test_what_is_wrong_is_said_before_anything_runs(tree, local):
    o = lazy(vectors(1, 10), 5)
    d = vectors(2, 10)
    with pytest.raises(sightline.InvalidArgument, match="one of the arrays at least is a dask array"):
        tree.closest(vectors(1, 10), d)
    with pytest.raises(sightline.InvalidArgument, match="do not go together"):
        tree.closest(o, vectors(2, 11))
    with pytest.raises(sightline.InvalidArgument, match="wanted"):
        tree.closest(da.zeros((5, 4)), da.zeros((5, 4)))
    with pytest.raises(sightline.InvalidArgument, match="cull is"):
        tree.closest(o, d, cull="both")
    with pytest.raises(sightline.InvalidArgument, match="does not travel"):
        tree.closest(o, d, filter=lambda *hit: True)
    with pytest.raises(sightline.InvalidArgument, match="a boolean for each of 3000 triangles"):
        tree.closest(o, d, filter=[True])
    with pytest.raises(sightline.InvalidArgument, match="tmin and tmax"):
        tree.closest(o, to=d, tmax=2.0)
    with pytest.raises(sightline.InvalidArgument, match="unknown size"):
        tree.nearest(o[o[:, 0] > 0])
    with pytest.raises(sightline.InvalidArgument, match="rays for a point"):
        tree.bake("ao", o, o, rays=0)
    with pytest.raises(sightline.InvalidArgument, match="rows in a chunk"):
        tree.viewshed((0, 0, 0), (0, 0, 0), (1, 0, 0), (0, 1, 0), (3, 3), rows=0)
    with pytest.raises(sightline.NotFound):
        sightline.dask.Tree("nowhere.slt")


@pytest.mark.parametrize("missing", ["dask", "distributed"])
def test_without_dask_the_import_says_what_to_install(missing):
    script = f"import sys; sys.modules[{missing!r}] = None; import sightline_bvh as sightline; import sightline_bvh.dask"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert run.returncode != 0
    assert "ImportError: sightline_bvh.dask wants Dask" in run.stderr
    assert "pip install 'dask[array,distributed]'" in run.stderr


# ---- Files ----


@pytest.mark.parametrize("shared", [True, False])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_store_npy(client, tree, local, shared, dtype, tmp_path):
    o, d = vectors(1, COUNT, dtype=dtype), vectors(2, COUNT, dtype=dtype)
    path = tmp_path / "hits.npy"
    seen = []
    hits = tree.closest(lazy(o, 700), lazy(d, 700))
    stored = sightline.dask.store(hits, path, shared=shared, progress=lambda phase, share: seen.append(share))
    assert stored == (str(path), 8, 8) and seen[-1] == 1
    same_bytes(np.load(path, mmap_mode="r"), local.closest(o, d), padding=True)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["hits.npy", "hits.npy.done"]
    assert sightline.dask.store(hits, path).computed == 0
    os.rename(f"{path}.done", f"{path}.journal")  # what a kill before the last step leaves
    assert sightline.dask.store(hits, path).computed == 0
    assert sorted(p.name for p in tmp_path.iterdir()) == ["hits.npy", "hits.npy.done"]


def test_a_store_that_is_cancelled_keeps_what_it_has(client, tree, tmp_path):
    hits = tree.any(lazy(vectors(1, 1000), 100), vectors(2, 1000))
    with pytest.raises(sightline.Cancelled):
        sightline.dask.store(hits, tmp_path / "hits.npy", ahead=2, progress=lambda phase, share: share < 0.4)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["hits.npy.journal", "hits.npy.partial"]
    assert sightline.dask.store(hits, tmp_path / "hits.npy").computed == 6


def test_store_npy_of_chunks_along_all_axes(client, tree, local, tmp_path):
    p = vectors(1, 9, 10, 11)
    for number, chunks in enumerate([(9, 10, 11), (2, 10, 11), (2, 3, 11), (2, 3, 4), (9, 10, 4), (1, 10, 2)]):
        path = tmp_path / f"{number}.npy"
        sightline.dask.store(tree.nearest(lazy(p, *chunks)), path)
        same_bytes(np.load(path), local.nearest(p))
    none = tree.any(da.zeros((0, 3), chunks=5), da.zeros((0, 3), chunks=5))
    sightline.dask.store(none, tmp_path / "none.npy")
    assert np.load(tmp_path / "none.npy").shape == (0,)


@pytest.mark.parametrize("shared", [True, False])
def test_a_chunk_is_one_task_of_a_size_that_does_not_grow(client, tree, shared, tmp_path):
    sizes = []
    for count in (10, 1000):
        origins = da.map_blocks(_zeros, chunks=((5,) * count, (3,)), dtype="f4", meta=np.empty((0, 0), "f4"))
        hits = tree.closest(origins, np.float32([0, 0, 1]))
        sink = _dask_sinks.Npy(str(tmp_path / "hits.npy"), hits)
        graph, keys = _dask_store._tasks(hits, sink, shared)
        needed, _ = dask.optimization.cull(graph, keys)
        assert len(keys) == count and len(needed) == count
        sizes.append(len(pickle.dumps(graph[keys[3]])))
    assert sizes[1] < sizes[0] + 100


def _zeros(block_info):
    (low, high), _ = block_info[None]["array-location"]
    return np.zeros((high - low, 3), np.float32)


@pytest.mark.parametrize("shared", [True, False])
def test_store_zarr(client, tree, local, shared, tmp_path):
    zarr = pytest.importorskip("zarr", minversion="3")
    p = vectors(1, 50, 60)
    sightline.dask.store(tree.nearest(lazy(p, 20, 25)), tmp_path / "near.zarr", shared=shared)
    wanted = local.nearest(p)
    group = zarr.open(tmp_path / "near.zarr", mode="r")
    assert group["distance"].chunks == (20, 25) and group["point"].shape == (50, 60, 3)
    for name in wanted.dtype.names:
        same_bytes(group[name][...], wanted.array[name].copy())
    seen = tree.any(lazy(p, 20, 25), vectors(2, 50, 60))
    sightline.dask.store(seen, tmp_path / "seen.zarr", shared=shared)
    same_bytes(zarr.open(tmp_path / "seen.zarr", mode="r")[...], local.any(p, vectors(2, 50, 60)))
    with pytest.raises(sightline.InvalidArgument, match="rechunk"):
        sightline.dask.store(tree.nearest(da.from_array(p, chunks=((3, 40, 7), 60, 3))), tmp_path / "bad.zarr")


def _count_to(path, block, block_info=None):
    """Notes that a chunk was computed, and fails at a chunk while a file is there."""
    number = block_info[0]["chunk-location"][0]
    with open(path / "log", "a") as log:
        log.write(f"{number}\n")
    if number == 5 and (path / "fail").exists():
        raise RuntimeError("chunk 5 fails")
    return block


@pytest.mark.parametrize("ending", ["npy", "zarr"])
def test_store_goes_on_where_it_was_stopped(client, tree, local, ending, tmp_path):
    if ending == "zarr":
        pytest.importorskip("zarr", minversion="3")
    o, d = vectors(1, 1000), vectors(2, 1000)
    counted = lazy(o, 100).map_blocks(lambda block, block_info: _count_to(tmp_path, block, block_info), dtype=o.dtype)
    hits = tree.any(counted, lazy(d, 100))
    path = tmp_path / f"hits.{ending}"
    (tmp_path / "fail").touch()
    with pytest.raises(RuntimeError, match="chunk 5 fails"):
        sightline.dask.store(hits, path, identity="these", ahead=1, retries=0)
    assert not path.exists()
    with open(f"{path}.journal", "a") as journal:
        journal.write("7")  # cut off before its end of line: it was not there
    (tmp_path / "fail").unlink()
    (tmp_path / "log").unlink()
    with pytest.raises(sightline.InvalidArgument, match="identity is 'these' there and 'those' here"):
        sightline.dask.store(hits, path, identity="those")
    stored = sightline.dask.store(hits, path, identity="these")
    assert stored.computed == 5
    assert sorted(map(int, (tmp_path / "log").read_text().split())) == [5, 6, 7, 8, 9]
    if ending == "npy":
        same_bytes(np.load(path), local.any(o, d))
    with pytest.raises(sightline.InvalidArgument, match="of other answers"):
        sightline.dask.store(hits, path, identity="those")
    assert sightline.dask.store(hits, path, identity="those", overwrite=True).computed == 10


def test_a_second_run_is_refused_while_the_first_one_lives(client, tree, tmp_path):
    hits = tree.any(lazy(vectors(1, 10), 5), vectors(2, 10))
    other = _dask_sinks.Journal(tmp_path / "hits.npy.journal", {})
    with pytest.raises(sightline.IOFailed, match="another run"):
        sightline.dask.store(hits, tmp_path / "hits.npy")
    other.close()
    with pytest.raises(sightline.InvalidArgument, match=r"\.npy or \.zarr"):
        sightline.dask.store(hits, tmp_path / "hits.csv")
    with pytest.raises(sightline.IOFailed, match="cannot be written"):
        sightline.dask.store(hits, tmp_path / "nowhere" / "hits.npy")
    (tmp_path / "mine.npy").write_bytes(b"mine")
    with pytest.raises(sightline.InvalidArgument, match="overwrite=True"):
        sightline.dask.store(hits, tmp_path / "mine.npy")


def test_open_npy(client, tree, local, tmp_path):
    rays = np.concatenate([vectors(1, 500), vectors(2, 500)], axis=1)
    np.save(tmp_path / "rays.npy", rays)
    array = sightline.dask.open_npy(tmp_path / "rays.npy", chunks=(99, -1))
    assert array.chunks[0][0] == 99 and array.chunks[1] == (6,)
    same_bytes(tree.closest(array).compute(), local.closest(rays))
    again = sightline.dask.open_npy(tmp_path / "rays.npy", chunks=(99, -1))
    assert tree.closest(again).name == tree.closest(array).name  # so that store() may go on


# ---- What is lost ----


def _slow(block):
    time.sleep(0.05)
    return block


def test_a_worker_killed_in_the_middle_costs_its_chunks_only(client, tree, local, tmp_path):
    o, d = vectors(1, COUNT), vectors(2, COUNT)
    hits = tree.closest(lazy(o, 50).map_blocks(_slow, dtype=o.dtype), lazy(d, 50))
    killed = []

    def kill(phase, share):
        if share > 0.3 and not killed:
            killed.append(min(client.run(os.getpid).values()))
            os.kill(killed[0], 9)

    stored = sightline.dask.store(hits, tmp_path / "hits.npy", progress=kill)
    assert killed and stored.computed == 100
    same_bytes(np.load(tmp_path / "hits.npy"), local.closest(o, d))
    client.wait_for_workers(2, timeout=60)  # the nanny has started another one


def test_a_client_killed_in_the_middle_goes_on(client, tree, local, tmp_path):
    o, d = vectors(1, COUNT), vectors(2, COUNT)
    np.save(tmp_path / "o.npy", o)
    np.save(tmp_path / "d.npy", d)
    script = f"""
import os, time, distributed, sightline_bvh.dask, sightline_bvh as sightline
client = distributed.Client({client.scheduler.address!r})
def slow(block):
    time.sleep(0.02)
    return block
tree = sightline.dask.Tree({tree.file.path!r})
o = sightline.dask.open_npy({str(tmp_path / "o.npy")!r}, (50, -1)).map_blocks(slow, dtype="f4")
d = sightline.dask.open_npy({str(tmp_path / "d.npy")!r}, (50, -1))
def kill(phase, share):
    if share > 0.4 and not os.path.exists({str(tmp_path / "killed")!r}):
        open({str(tmp_path / "killed")!r}, "w").close()
        os.kill(os.getpid(), 9)
stored = sightline.dask.store(tree.closest(o, d), {str(tmp_path / "hits.npy")!r}, identity="it", ahead=8, progress=kill)
print(stored.computed)
"""
    first = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert first.returncode == -9, first.stderr
    assert not (tmp_path / "hits.npy").exists()
    second = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert second.returncode == 0, second.stderr
    assert 0 < int(second.stdout) < 65
    same_bytes(np.load(tmp_path / "hits.npy"), local.closest(o, d))


# ---- What the documents show ----


def test_what_many_machines_shows(client, tmp_path, monkeypatch):
    path = pathlib.Path(__file__).parents[2] / "docs" / "many-machines.md"
    if not path.exists():
        pytest.skip("the documents are not here")
    blocks = re.split(r"^```(python)?.*\n", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    lines, shown = [], False
    for text, language in zip(blocks[::2], [*blocks[1::2], None], strict=True):
        # What is not Python becomes empty lines, so that line numbers are those of the document.
        lines.append(text if shown else "\n" * text.count("\n"))
        lines.append("\n")
        shown = language == "python"
    code = "".join(lines)
    assert code.count("tcp://scheduler:8786") == 1
    monkeypatch.chdir(tmp_path)
    names = {}
    try:
        exec(compile(code.replace("tcp://scheduler:8786", client.scheduler.address), str(path), "exec"), names)  # noqa: S102
    finally:
        if "client" in names:
            names["client"].close()
