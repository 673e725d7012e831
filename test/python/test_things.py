"""Meshes, trees and scenes: made, kept, pickled, in files; errors, cancels and threads."""

import copy
import os
import pathlib
import pickle
import re
import signal
import subprocess
import sys
import threading
import time
import tomllib
import warnings

import numpy as np
import pytest

import sightline_bvh as sightline
from sightline_bvh import NONE

SOLID = b"solid a b\nfacet outer loop vertex 0 0 0 vertex 1 0 0 vertex 0 1 0 endloop endfacet endsolid\n"
TOOLS = pathlib.Path(__file__).resolve().parents[2] / "tools/python"
DOWN = ([0.1, 0.2, 3], [0, 0, -1])


def test_the_version_is_the_librarys():
    from sightline_bvh import _version

    assert sightline.__version__ == _version.version


def test_another_package_may_be_named_sightline(tmp_path):
    """As one of PyPI's is: it is neither hidden nor hides anything."""
    (tmp_path / "sightline").mkdir()
    (tmp_path / "sightline/__init__.py").write_text("theirs = 1\n")
    script = """
import pickle, sightline, sightline_bvh
assert sightline.theirs == 1 and not hasattr(sightline, "Tree")
tree = pickle.loads(pickle.dumps(sightline_bvh.Tree(sightline_bvh.sphere(1))))
names = {type(thing).__module__ for thing in (tree, tree._handle, tree.closest([0, 0, 0], [0, 0, 1]))}
assert names == {"sightline_bvh", "sightline_bvh._core"}, names
try:
    tree.refit([[0, 0, 0]])
except sightline_bvh.BadIndex as fault:
    assert type(fault).__module__ == "sightline_bvh"
"""
    path = os.pathsep.join([str(tmp_path), str(pathlib.Path(sightline.__file__).parents[1])])
    subprocess.run([sys.executable, "-c", script], env=os.environ | {"PYTHONPATH": path}, check=True, timeout=60)
    if (TOOLS / "pyproject.toml").exists():
        settings = tomllib.loads((TOOLS / "pyproject.toml").read_text())
        assert settings["project"]["name"] == "sightline-bvh"
        assert settings["tool"]["scikit-build"]["wheel"]["packages"] == ["sightline_bvh"]


@pytest.mark.skipif(not (TOOLS / "backend.py").exists(), reason="no sources")
def test_an_sdist_has_every_file_that_its_own_sources_include():
    root = TOOLS.parent.parent
    needed = re.findall('"(.+?)"', re.search(r"_NEEDED = \[(.*?)\]", (TOOLS / "backend.py").read_text(), re.DOTALL)[1])
    assert all((root / part).exists() for part in needed)
    compiled = [*(TOOLS / "core").glob("*.[ch]")]
    compiled += [root / name for name in re.findall(r"PROJECT_SOURCE_DIR}/(tools/\S+\.c)", (TOOLS / "CMakeLists.txt").read_text())]
    assert len(compiled) > 10
    while compiled:
        for name in re.findall(r'^#include "(.+)"', compiled.pop().read_text(), re.M):
            assert any(name == part or name.startswith(part + "/") for part in needed), name
            compiled += [root / name] if name.startswith("tools/") else []


def test_meshes_from_arrays(random):
    vertices = random.normal(size=(9, 3))
    mesh = sightline.Mesh(vertices)
    assert len(mesh) == 3 and (mesh.vertices == vertices.astype(np.float32)).all()
    assert mesh.rounding == np.abs(vertices - vertices.astype(np.float32)).max() > 0
    far = sightline.Mesh(vertices + 1e9, recentre=True)
    assert far.rounding < 1e-6 and np.abs(far.origin - 1e9).max() < 10
    for faces in ([[0, 1, 9]], [[0, -1, 2]], np.uint64([[0, 2**40, 2]])):
        with pytest.raises(sightline.BadIndex, match="triangle 0") as caught:
            sightline.Mesh(vertices, faces)
        assert caught.value.index == 0 and isinstance(caught.value, IndexError)
        assert sightline.Mesh(vertices, faces, bad="leave_out").left_out == 1
    vertices[4, 1] = np.nan
    with pytest.raises(sightline.NotFinite) as caught:
        sightline.Mesh(vertices)
    assert caught.value.index == 1
    left = sightline.Mesh(vertices, bad="leave_out")
    assert left.left_out == 1 and np.isnan(left.triangles[1]).all() and (left.faces[1] == NONE).all()


@pytest.mark.parametrize("name", ["a.gltf", "a.off", "a.stl.gz"])
def test_meshes_are_not_saved_under_names_of_other_formats(tmp_path, name):
    with pytest.raises(sightline.Unsupported, match=r"as \.ply, \.obj, \.stl or \.glb"):
        sightline.sphere(4).save(tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_scenes_say_why_they_left_instances_out():
    ball = sightline.Tree(sightline.sphere(4))
    flat = np.diag([1.0, 1, 0, 1])
    scene = sightline.Scene([ball, (ball, flat), sightline.Instance(None)], bad="leave_out")
    assert list(scene.left_out) == [1] and "flat" in scene.left_out[1]
    assert sightline.Scene([ball]).left_out == {}


def test_files_name_parts_and_errors(tmp_path):
    path = tmp_path / "a.obj"
    path.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\ng one\nf 1 2 3\ng two\nusemtl red\nf 1 2 3\n")
    mesh = sightline.load(path)
    assert [(part.name, part.material) for part in mesh.parts] == [("one", ""), ("two", "red")]
    assert mesh.part_of([0, 1, 7]).tolist() == [0, 1, NONE]
    path.write_text("v 0 0 0\nv 1 0 0\nv 0 x 0\n")
    with pytest.raises(sightline.BadData) as caught:
        sightline.load(path)
    assert caught.value.line == 3 and caught.value.file == str(path) and isinstance(caught.value, ValueError)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)
    with pytest.raises(FileNotFoundError):
        sightline.load(tmp_path / "none.obj")


def test_names_need_not_be_ascii(tmp_path):
    """On Windows the library takes names in the code page of the process, and a name that it has not all of is refused."""
    path = tmp_path / "caf\u00e9.obj"
    try:
        sightline.sphere(2).save(path)
    except sightline.InvalidArgument as error:
        assert os.name == "nt" and "code page" in str(error)
        return
    assert path.exists() and len(sightline.load(path).faces) == len(sightline.sphere(2).faces)
    with pytest.raises(sightline.NotFound) as caught:
        sightline.load(tmp_path / "no caf\u00e9.obj")
    assert caught.value.file == str(tmp_path / "no caf\u00e9.obj")


def test_notes_are_kept_and_warned_of_once(tmp_path):
    path = tmp_path / "a.obj"
    triangle = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"
    path.write_text(triangle + "l 1 2\np 1\nl 2 3\nf 1 2\n", newline="\n")
    with pytest.warns(sightline.MeshWarning) as caught:
        mesh = sightline.load(path)
    assert len(caught) == 1 and caught[0].filename == __file__
    lines, points, short = mesh.notes
    assert (lines.kind, lines.what, lines.total, lines.line, lines.byte) == ("geometry", "l", 2, 5, len(triangle))
    assert (points.what, points.line) == ("p", 6) and short[:4] == ("short_faces", "", 1, 8)
    assert str(caught[0].message) == f"{path}: {lines}; {points}; {short}"
    assert str(lines) == "geometry that is not read (l): 2, the first in line 5"
    assert pickle.loads(pickle.dumps(mesh)).notes == mesh.notes and mesh.weld().mesh.notes == ()
    with pytest.warns(sightline.MeshWarning, match="^no triangles; vertices: 1$"):
        empty = sightline.loads(b"v 0 0 0\n")
    assert empty.notes[0].line is None and empty.notes[0].byte is None and empty.notes[0].kind in sightline.NOTE_KINDS
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert sightline.loads(triangle.encode()).notes == sightline.sphere(2).notes == ()
        assert [part.name for part in sightline.loads(2 * SOLID).parts] == ["a b"] * 2


def test_gltf_is_read_or_refused(tmp_path):
    path = tmp_path / "a.glb"
    path.write_bytes(b"glTF\2\0\0\0\xff\0\0\0" + bytes(9))
    with pytest.raises(sightline.BadData if sightline.features()["gltf"] else sightline.Unsupported):
        sightline.load(path)


def test_attributes_at_hits():
    uvs = np.float32([[0, 0], [1, 0], [0, 1]])
    mesh = sightline.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], uvs=uvs, colours=(np.eye(3), [[0, 1, 2]]))
    assert (mesh.uvs.values == uvs).all() and mesh.colours.values.shape == (3, 4)
    at = mesh.at(sightline.Tree(mesh).closest([[0.25, 0.5, 1], [2, 2, 1]], [0, 0, -1]))
    assert at["uv"][0].tolist() == [0.25, 0.5] and at["colour"][0].tolist() == [0.25, 0.25, 0.5, 1]
    assert at["face"].tolist() == [0, NONE]
    for dtype in (np.float32, np.float64):
        near = sightline.Tree(mesh).nearest(np.array([[0.25, 0.5, 1], [2, 0, 0], [np.nan, 0, 0]], dtype))
        at = mesh.at(near)
        assert at["uv"].tolist() == [[0.25, 0.5], [1, 0], [0, 0]] and at["face"].tolist() == [0, 0, NONE]
        assert at["colour"].tolist() == [[0.25, 0.25, 0.5, 1], [0, 1, 0, 1], [0] * 4] and at["kept"].tolist() == [6, 6, 0]
        assert (mesh.at(near.array[::-1]) == at[::-1]).all() and mesh.at(near[0]).shape == ()
    with pytest.raises(sightline.InvalidArgument, match="Hits or Nearest, or records of their dtype, not ndarray"):
        mesh.at(near.ref)


def test_pickles(tmp_path):
    path = tmp_path / "a.obj"
    path.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 9 9 9\ng one\nf 1 2 3\nf 1 3 2\n")
    mesh = sightline.load(path)
    for protocol in range(2, 6):
        same = pickle.loads(pickle.dumps(mesh, protocol))
        assert same == mesh and hash(same) == hash(mesh) and same.parts == mesh.parts and same.format == "obj"
    ball = sightline.Tree(sightline.sphere(8))
    scene = sightline.Scene([ball, (ball, np.diag([2, 2, 2, 1.0]))])
    for thing in (ball, scene, sightline.Scene([scene]), ball.scene()):
        for made in (pickle.loads(pickle.dumps(thing)), copy.copy(thing), pickle.loads(pickle.dumps(thing, 2))):
            assert made.closest(*DOWN) == thing.closest(*DOWN) and made.closest(*DOWN).hit
    buffers = []
    data = pickle.dumps(sightline.Tree(sightline.sphere(8), keep_mesh=False), 5, buffer_callback=buffers.append)
    assert len(data) < 1000 and len(buffers) == 1
    assert pickle.loads(data, buffers=buffers).closest(*DOWN).hit
    hits = ball.closest(np.zeros((4, 3)), [0, 0, 1])
    assert (pickle.loads(pickle.dumps(hits)) == hits).all()


def test_cameras_and_facades_are_pickled(ball, random):
    from sightline_bvh.open3d import RaycastingScene
    from sightline_bvh.trimesh import RayMeshIntersector

    for camera in (
        sightline.Camera([1, 2, 3], [0, 0, 0], width=9, height=7, fov_deg=50), sightline.Camera.fit(ball, width=8),
        sightline.Camera([1, 2, 3], [0, 0, 0], ortho_height=3, far=9, width=9, height=7),
    ):  # fmt: skip
        for same in (pickle.loads(pickle.dumps(camera)), copy.copy(camera), copy.deepcopy(camera)):
            assert (same.rays() == camera.rays()).all() and (same.eye == camera.eye).all()
            assert (same.width, same.height) == (camera.width, camera.height)
    scene = RaycastingScene(quality="fast", crossings=False)
    rays = random.normal(size=(50, 6)).astype(np.float32)
    for count in range(3):
        for same in (pickle.loads(pickle.dumps(scene)), copy.copy(scene), copy.deepcopy(scene)):
            for name, wanted in scene.cast_rays(rays).items() if count else ():
                assert np.array_equal(same.cast_rays(rays)[name], wanted)
            assert same.add_triangles(sightline.sphere(1)) == count  # the copy has a list of its own
        assert scene.add_triangles(sightline.sphere(3)) == count
    ray = RayMeshIntersector(sightline.sphere(3))
    assert (pickle.loads(pickle.dumps(ray)).intersects_first(rays[:, :3], rays[:, 3:]) ==
            ray.intersects_first(rays[:, :3], rays[:, 3:])).all()  # fmt: skip


def test_what_is_shown_of_things_is_short(ball):
    from sightline_bvh.open3d import RaycastingScene
    from sightline_bvh.trimesh import RayMeshIntersector

    camera = sightline.Camera([0, 0, 3], [0, 0, 0], width=40, height=25)
    scene = RaycastingScene()
    scene.add_triangles(ball.mesh)
    assert repr(camera) == "<Camera at (0, 0, 3) along (0, 0, -1), 40 x 25 pixels>"
    assert repr(scene) == "<RaycastingScene of 1 geometries, 512 triangles>"
    assert repr(RayMeshIntersector(ball.mesh)) == f"<RayMeshIntersector of {ball.mesh!r}>"
    hits = ball.closest(camera.rays())
    points = hits.reshape(-1).array["u"].repeat(3).reshape(-1, 3)
    for answer in (hits, hits.reshape(-1), ball.surface(hits), ball.nearest(points), ball.inside(points, details=True)):
        text = repr(answer)
        assert text.startswith(f"<{type(answer).__name__} of shape {answer.shape}: {answer.dtype.names[0]}, ")
        assert len(text) < 1500 and text.count("(") - 1 - len(answer.shape) < 40
    assert repr(hits[0, :2]).count("4294967295") == 2 and repr(hits[0, :0]).startswith("<Hits of shape (0,)")
    assert repr(hits[0, 0]).startswith("<Hits of shape (): t, u, v, prim, instance, flags\n (inf, 0., 0., 4294967295")
    mesh = sightline.soup(300, 1.0)
    for told in (mesh.check(faults=True), mesh.weld(), sightline.Mesh(mesh.vertices, uvs=mesh.vertices[:, :2]).uvs):
        assert len(repr(told)) < 400 and "array" not in repr(told)
    assert "faults=<(900,) records>" in repr(mesh.check(faults=True))


def test_tree_files(tmp_path):
    ball = sightline.Tree(sightline.sphere(8))
    path = tmp_path / "ball.tree"
    ball.save(path)
    assert path.read_bytes() == ball.to_bytes()
    data = np.zeros(path.stat().st_size + 64, np.uint8)
    data = data[-data.ctypes.data % 64 :][: path.stat().st_size]
    data[:] = np.frombuffer(path.read_bytes(), np.uint8)
    for tree in (
        sightline.Tree.load(path), sightline.Tree.map(path), sightline.Tree.map(path, trusted=True),
        sightline.Tree.from_bytes(path.read_bytes()), sightline.Tree.from_bytes(data, in_place=True),
    ):  # fmt: skip
        assert tree.closest(*DOWN) == ball.closest(*DOWN) and tree.hash == ball.hash == ball.mesh.hash
        assert tree.inside([0, 0, 0.5]) and tree.to_mesh().hash == ball.hash
        tree.check()
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(sightline.BadData):
        sightline.Tree.load(path)


def test_versions():
    ball = sightline.Tree(sightline.sphere(8))
    twice = ball.refit(ball.mesh.vertices * 2)
    assert twice.closest(*DOWN).t < ball.closest(*DOWN).t
    assert (twice.mesh.vertices == ball.mesh.vertices * 2).all() and twice.drift > 0
    anew = sightline.Tree(ball.mesh.vertices * 2, ball.mesh.faces)
    assert twice.closest(*DOWN) == anew.closest(*DOWN)
    with pytest.raises(sightline.NotFinite):
        ball.refit(np.full_like(ball.mesh.vertices, np.nan))


def test_versions_leave_out_what_cannot_be_used(ball, random):
    """And take it back, with the answers of a tree that is built anew."""
    vertices, faces = ball.mesh.vertices, ball.mesh.faces
    broken = vertices.copy()
    broken[7] = np.nan
    rays = random.normal(size=(2, 500, 3))
    masked = ball.with_masks(np.arange(len(ball)) % 7 + 1)
    with pytest.raises(sightline.NotFinite, match="vertex 7"):
        masked.refit(broken)
    less = masked.refit(broken, bad="leave_out")
    mesh = sightline.Mesh(broken, faces, bad="leave_out")
    anew = sightline.Tree(mesh, masks=np.arange(len(ball)) % 7 + 1)
    assert (less.closest(*rays, mask=5) == anew.closest(*rays, mask=5)).all()
    assert less.mesh == mesh and less.mesh.left_out == mesh.left_out > 0 and less.info.triangle_count == anew.info.triangle_count
    with pytest.raises(sightline.InvalidArgument, match="was left out of the tree and is finite now.* let bad be 'leave_out'"):
        less.refit(vertices * 2, faces)
    back = less.refit(vertices, faces, bad="leave_out")
    for mask in (None, 1, 6):
        assert (back.closest(*rays, mask=mask) == masked.closest(*rays, mask=mask)).all()
    assert less.refit(vertices, bad="leave_out").info.triangle_count == less.info.triangle_count  # its mesh has no corners
    with pytest.raises(sightline.InvalidArgument, match="511 triangles, but the tree was built over 512"):
        masked.refit(vertices, faces[1:], bad="leave_out")
    far = faces.copy()
    far[3, 1] = 10**6
    with pytest.raises(sightline.BadIndex, match="triangle 3"):
        ball.refit(vertices, far)
    assert ball.refit(vertices, far.astype(np.int64) - (far == 10**6) * (10**6 + 1), bad="leave_out").info.triangle_count == 511
    with pytest.raises(sightline.InvalidArgument, match="bad is 'refuse' or 'leave_out'"):
        ball.refit(vertices, bad=None)


def test_scenes():
    ball = sightline.Tree(sightline.sphere(8))
    move = np.eye(4)
    move[2, 3] = -5
    pair = sightline.Scene([sightline.Instance(ball, mask=1), sightline.Instance(ball, move, mask=2, id=9)])
    both = sightline.Scene([sightline.Instance(), pair, (ball, move @ move)])
    assert len(both) == 4 and both.path(2) == ((1, 0), (1, 9)) and both.triangle_count == 3 * 512
    every = both.all(*DOWN).values
    assert every.instance.tolist() == [1, 1, 2, 2, 3, 3]
    assert both.closest(*DOWN, ignore=1).instance == 2 and both.closest(*DOWN, ignore=[[1, 2]]).instance == 3
    assert both.closest(*DOWN, skip=every[0]).prim == every[1].prim
    assert pair.closest(*DOWN, mask=2).instance == 1
    off = np.zeros(512, bool)
    assert pair.closest(*DOWN, filter=[off]).instance == 1 and not pair.any(*DOWN, filter=[off, off])
    assert both.containing([[0, 0, 0], [0, 0, 9]]).counts.tolist() == [1, 0] and both.inside([0, 0, -5.0])
    mesh, refs = pair.flatten()
    assert len(mesh) == 1024 and refs["instance"].tolist() == [0] * 512 + [1] * 512
    assert (pair.triangles(refs).astype(np.float32) == mesh.triangles).all()
    with pytest.raises(sightline.BadData) as caught:
        sightline.Scene([ball, (ball, np.zeros((3, 4)))])
    assert caught.value.index == 1
    with pytest.raises(sightline.InvalidArgument):
        sightline.Scene([ball, 3])


def test_welds_and_faults():
    mesh = sightline.Mesh(sightline.sphere(4).triangles.reshape(-1, 3))
    welded = mesh.weld()
    assert len(welded.mesh.vertices) == 66 and welded.merged_vertices == 3 * 128 - 66
    assert welded.triangle_map.tolist() == list(range(128))
    report = sightline.Mesh(mesh.triangles[1:].reshape(-1, 3)).check(faults=True, self_intersections=True)
    assert not report.closed and report.open_edges == 3 and report.self_intersections == 0
    assert [sightline.FAULT_KINDS[kind] for kind in report.faults["kind"]] == ["open_edge"] * 3
    assert len(mesh.check(faults=True).faults) == 0
    assert sightline.Tree(sightline.soup(50, 1.0)).self_overlap().shape[1] == 2


def test_ply_files(tmp_path):
    mesh = sightline.sphere(4)
    mesh.save(tmp_path / "a.ply", quality=np.arange(66), colours=np.full((66, 3), 9, np.uint8))
    same = sightline.load(tmp_path / "a.ply")
    assert (same.vertices == mesh.vertices).all() and (same.faces == mesh.faces).all()
    assert same.colours.values[0].tolist() == pytest.approx([9 / 255] * 3 + [1])


def test_edited_meshes_are_saved_by_the_ending(tmp_path):
    mesh = sightline.sphere(4)
    moved = mesh.vertices + np.float32(0.1)
    for ending in ("ply", "obj", "glb", "stl"):
        mesh.save(tmp_path / f"a.{ending}", vertices=moved)
        same = sightline.load(tmp_path / f"a.{ending}")
        assert (same.vertices[same.faces] == moved[mesh.faces]).all()
        assert ending not in ("ply", "obj") or (same.faces == mesh.faces).all()
        assert ending != "obj" or (same.uvs.values == mesh.uvs.values).all()
    with pytest.raises(sightline.InvalidArgument):
        mesh.save(tmp_path / "a.obj", quality=np.arange(66))


def test_baking_in_parts_gives_the_bits_of_the_whole():
    tree = sightline.Tree(sightline.torus(24, 12))
    whole = tree.bake("ao", rays=64)
    assert 0 < whole.min() < 0.95 and whole.max() <= 1
    points, normals = tree.mesh.vertices, tree.mesh.vertex_normals()
    parts = [tree.bake("ao", points[i : i + 50], normals[i : i + 50], rays=64, first=i) for i in range(0, len(points), 50)]
    assert (np.concatenate(parts) == whole).all()
    thickness = tree.bake("thickness", threads=2)
    assert np.abs(thickness - 0.5).max() < 0.1


def test_scenes_that_stand_still(ball, random):
    """One tree over their triangles changes no answer, nor does naming it in another scene."""
    places = [turned(random) for _ in range(30)]
    for place in places:
        place[:3, 3] = random.uniform(-3, 3, 3)
    apart = sightline.Scene([(ball, place) for place in places])
    still = sightline.Scene([(ball, place) for place in places], static_memory=1 << 30)
    outer = sightline.Scene([still, ball])
    assert (apart.static_count, still.static_count, outer.static_count) == (0, 30, 30)
    assert sightline.Scene([(ball, place) for place in places], static_memory=1).static_count == 0
    origins, ends = random.uniform(-5, 5, (2, 500, 3))
    plain = sightline.Scene([apart, ball])
    for one, other in ((apart, still), (plain, outer)):
        assert (one.closest(origins, ends - origins) == other.closest(origins, ends - origins)).all()
        assert (one.any(origins, ends - origins) == other.any(origins, ends - origins)).all()
        again = pickle.loads(pickle.dumps(other))
        assert again.static_count == other.static_count
        assert (again.closest(origins, ends - origins) == one.closest(origins, ends - origins)).all()


def test_scenes_are_baked(ball, random):
    """Points by themselves; or the vertices of each instance where it is, with what stands around it."""
    points, normals = ball.mesh.vertices, ball.mesh.vertex_normals()
    alone = sightline.Scene([ball])
    for what, more in (("ao", {}), ("thickness", {"least": True})):
        told = ball.bake(what, rays=64, **more)
        assert (alone.bake(what, points, normals, rays=64, **more) == told).all()
        assert (alone.bake(what, rays=64, **more)[0] == told).all()
        parts = [alone.bake(what, points[i : i + 99], normals[i : i + 99], rays=64, first=i, **more) for i in (0, 99, 198)]
        assert (np.concatenate(parts) == told).all()

    place = turned(random)
    place[:3, 3] = 1.5, 0, 0  # into the first, which hides what of it is inside
    mirror = np.diag([-1.0, 1, 1, 1])
    pair = sightline.Scene([ball, sightline.Instance(), (ball, place)])
    both = pair.bake("ao", rays=64)
    assert [len(part) for part in both] == [len(points), 0, len(points)]
    inner = np.linalg.norm(points @ place[:3, :3].T + place[:3, 3], axis=1) < 0.9
    assert (pair.bake("ao", rays=64, distance=5)[2][inner] == 0).all() and both[2].max() == 1 and both[0].min() < 0.6
    assert (pair.bake("ao", rays=64, ignore=2)[0] == alone.bake("ao", rays=64)[0]).all()
    there = points @ place[:3, :3].T + place[:3, 3]
    given = pair.bake("ao", there, normals @ place[:3, :3].T, rays=64, first=len(points))
    assert np.abs(given - both[2]).max() <= 2 / 64  # other roundings of points and normals
    # Nested, mirrored, sheared and far away: instance numbers, and the same picture.
    nest = sightline.Scene([(pair, mirror), sightline.Instance(), pair]).bake("ao", rays=64)
    assert [len(part) for part in nest] == [len(points), 0, len(points), 0, len(points), 0, len(points)]
    mirrored = sightline.Scene([(pair, mirror)]).bake("ao", rays=1024)
    assert np.abs(mirrored[2] - pair.bake("ao", rays=1024)[2]).mean() < 0.02
    shear = np.array([[2, 1, 0, 0], [0, 1, 0, 0], [0, 0.5, 0.25, 0]])
    assert min(part.min() for part in sightline.Scene([(ball, shear)]).bake("ao", rays=64)) == 1  # it is still convex
    step = np.float64([2.0**23, -(2.0**24), 2.0**22])
    far = np.eye(4)
    far[:3, 3] = step
    moved = sightline.Scene([(pair, far)])
    assert np.abs(np.concatenate(moved.bake("ao", rays=64)) - np.concatenate(both)).max() <= 2 / 64
    assert np.abs(moved.bake("ao", points + step, normals, rays=64) - both[0]).max() <= 2 / 64
    assert np.isnan(sightline.Scene([(ball, np.zeros((3, 4)))], bad="leave_out").bake("ao", rays=4)[0]).all()
    assert sightline.Scene([]).bake("ao") == [] and alone.bake("ao", [], []).shape == (0,)
    masked = sightline.Scene([sightline.Instance(ball, mask=1), sightline.Instance(ball, place, mask=2)])
    assert (masked.bake("ao", rays=64, mask=1)[0] == 1).all()
    for call, word in [
        (lambda: sightline.Scene([sightline.Tree(points, ball.mesh.faces, keep_mesh=False)]).bake("ao"), "instance 0"),
        (lambda: pair.bake("ao", points), "points have normals"), (lambda: pair.bake("ao", normals=normals), "go with points"),
        (lambda: pair.bake("ao", out=np.empty(3, np.float32)), "go with points"), (lambda: pair.bake("x"), "'thickness'"),
        (lambda: pair.bake("ao", points, normals, rays=0), "rays"), (lambda: pair.bake("ao", distance=-1), "distance"),
    ]:  # fmt: skip
        with pytest.raises(sightline.InvalidArgument, match=word):
            call()


def test_threads_make_no_difference(random):
    tree = sightline.Tree(sightline.torus(60, 30))
    rays = random.normal(size=(2, 20000, 3)).astype(np.float32)
    one, two = (tree.closest(*rays, threads=n) for n in (1, 2))
    assert (one == two).all()
    answers = [None] * 4

    def ask(i):
        answers[i] = tree.closest(*rays, threads=2)

    threads = [threading.Thread(target=ask, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all((answer == one).all() for answer in answers)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_forked_process_has_threads_of_its_own(random):
    tree = sightline.Tree(sightline.torus(60, 30))
    rays = random.normal(size=(2, 20000, 3)).astype(np.float32)
    wanted = tree.closest(*rays, threads=2)
    child = os.fork()
    if child == 0:
        signal.alarm(60)
        os._exit(0 if (tree.closest(*rays, threads=2) == wanted).all() else 1)
    assert os.waitpid(child, 0)[1] == 0


def test_progress_and_cancels(random):
    tree = sightline.Tree(sightline.torus(200, 100))
    rays = random.normal(size=(2, 3_000_000, 3)).astype(np.float32)
    seen = []
    tree.closest(*rays, threads=1, progress=lambda phase, fraction: seen.append((phase, fraction)))
    assert seen and all(phase == "closest" for phase, _ in seen) and seen == sorted(seen, key=lambda s: s[1])
    with pytest.raises(sightline.Cancelled):
        tree.closest(*rays, threads=1, progress=lambda *_: False)
    with pytest.raises(ZeroDivisionError):
        tree.closest(*rays, threads=1, progress=lambda *_: 1 / 0)
    with pytest.raises(sightline.Cancelled):
        sightline.Tree(sightline.torus(1000, 500), threads=1, progress=lambda *_: False)

    class Bar:
        total = None
        count = 0

        def update(self, n):
            self.count += n

    bar = Bar()
    tree.closest(*rays, progress=bar)
    assert bar.total == bar.count == 3_000_000


def test_a_bake_of_many_rays_is_cancelled_soon():
    tree = sightline.Tree(sightline.torus(60, 30))
    begin = time.monotonic()
    with pytest.raises(sightline.Cancelled):
        tree.bake("ao", rays=65536, threads=1, progress=lambda *_: False)
    assert time.monotonic() - begin < 1  # 64 points take several seconds


def test_ctrl_c(random):
    tree = sightline.Tree(sightline.torus(200, 100))
    rays = random.normal(size=(2, 4_000_000, 3)).astype(np.float32)
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background of a shell is started without
    threading.Timer(0.15, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        for _ in range(100):
            tree.closest(*rays, threads=1)


def test_pictures(tmp_path):
    ball = sightline.Tree(sightline.sphere(16))
    camera = sightline.Camera.fit(ball, width=60, height=40)
    for show in ("shade", "depth", "normal", "prim", "instance"):
        image = ball.render(camera, show=show, samples=2, ao=4 if show == "shade" else 0)
        assert image.shape == (40, 60, 3) and image.dtype == np.uint8
        assert (image[0, 0] == 255).all() and (image[20, 30] != 255).any()
    sightline.write_png(tmp_path / "ball.png", image)
    assert (tmp_path / "ball.png").read_bytes()[:4] == b"\x89PNG"
    assert ball.closest(camera.rays()).hit.sum() > 400
    assert camera.project([0, 0, 0])[:2] == pytest.approx([30, 20], abs=1)


def pinhole(inner, outer, shape):
    """Where rays start and, with length 1 along the axis, where they go, in doubles: OpenCV's model."""
    height, width = shape
    x, y = np.meshgrid(np.arange(width) + 0.5, np.arange(height) + 0.5)
    back = np.linalg.inv(outer)
    across = np.stack([x, y, np.ones_like(x)], axis=-1) @ np.linalg.inv(inner).T
    return back[:3, 3], across @ back[:3, :3].T


def unit(vectors):
    return vectors / np.linalg.norm(vectors.astype(float), axis=-1, keepdims=True)


def turned(random):
    """A motion in space."""
    made = np.eye(4)
    made[:3, :3] = np.linalg.qr(random.normal(size=(3, 3)))[0]
    made[:3, :3] *= np.linalg.det(made[:3, :3])
    made[:3, 3] = random.normal(size=3) * 3
    return made


@pytest.mark.parametrize("far", [np.inf, 50.0])
def test_cameras_from_intrinsics_have_the_rays_of_a_pinhole(random, far):
    for _ in range(20):
        width, height = random.integers(1, 60, 2)
        fx, fy = random.uniform(10, 900, 2)
        inner = np.array([[fx, 0, random.uniform(-9, 70)], [0, fy, random.uniform(-9, 70)], [0, 0, 1]])
        outer = turned(random)
        numbers = (fx, fy, inner[0, 2], inner[1, 2], width, height)
        camera = sightline.Camera.from_intrinsics(*numbers, world_to_camera=outer, near=0.25, far=far)
        rays = camera.rays()
        origin, across = pinhole(inner, outer, (height, width))
        lengths = np.linalg.norm(across, axis=-1, keepdims=True)
        assert rays.shape == (height, width) and np.abs(unit(rays["dir"]) - across / lengths).max() < 4e-7
        assert np.abs(rays["origin"] - (origin + 0.25 * across)).max() < 4e-6 * (1 + lengths.max())
        assert np.abs(camera.eye - origin).max() < 1e-6
        if far == 50:
            # Floats of the matrix resolve the far plane to some 50 / 0.25 of their own rounding.
            assert np.abs(rays["dir"] - (50 - 0.25) * across).max() < 2e-3 * lengths.max() and (rays["tmax"] == 1).all()
        same = sightline.Camera.from_intrinsics(*numbers, pose=np.linalg.inv(outer)[:3], near=0.25, far=far)
        assert np.abs(unit(same.rays()["dir"]) - across / lengths).max() < 4e-7
        assert (pickle.loads(pickle.dumps(camera)).rays() == rays).all()
        points = origin + across * random.uniform(1, 9, (height, width, 1))
        seen = camera.project(points)
        y, x = np.indices((height, width)) + 0.5
        assert np.abs(seen[..., 0] - x).max() < 1e-2 and np.abs(seen[..., 1] - y).max() < 1e-2
    # Numbers that floats hold: the bits are those of the model, rounded once.
    plain = sightline.Camera.from_intrinsics(48, 40, 33.5, 14.25, 64, 32)
    _, across = pinhole(np.array([[48, 0, 33.5], [0, 40, 14.25], [0, 0, 1]]), np.eye(4), (32, 64))
    assert (plain.rays()["dir"] == unit(across).astype(np.float32)).all() and across[0, 0, 1] < 0  # y is down
    ball = sightline.Tree(sightline.sphere(8))
    assert ball.closest(sightline.Camera.from_intrinsics(99, 99, 5, 5, 9, 9, world_to_camera=[
        [1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 9]]).rays()).hit.all()  # fmt: skip


def test_intrinsics_that_are_none():
    make = sightline.Camera.from_intrinsics
    for numbers, more, word in [
        ((0, 1, 2, 1), {}, "fx"), ((1, np.inf, 2, 1), {}, "fy"), ((1, 1, np.nan, 1), {}, "cx"), ((1, 1, None, 1), {}, "cx"),
        ((1, 1, 2, 1), {"near": 0}, "near"), ((1, 1, 2, 1), {"near": 2, "far": 2}, "far"),
        ((1, 1, 2, 1), {"pose": np.eye(3)}, "pose has the shape"), ((1, 1, 2, 1), {"pose": np.zeros((3, 4))}, "no rotation"),
        ((1, 1, 2, 1), {"pose": np.ones((4, 4))}, "0 0 0 1"), ((1, 1, 2, 1), {"pose": np.full((3, 4), 1e300)}, ""),
        ((1, 1, 2, 1), {"world_to_camera": np.full((3, 4), np.nan)}, ""), ((1e-300, 1, 2, 1), {}, ""),
        ((1, 1, 2, 1), {"pose": np.eye(4), "world_to_camera": np.eye(4)}, "not both"),
    ]:  # fmt: skip
        with pytest.raises(sightline.InvalidArgument, match=word or None):
            make(*numbers, 4, 2, **more)
    with pytest.raises(sightline.InvalidArgument, match="width"):
        make(1, 1, 2, 1, 0, 2)


def test_pictures_with_many_rays_a_pixel_take_little_memory(monkeypatch):
    """Rays of ambient occlusion are asked in parts, which make no difference, whatever their number."""
    import tracemalloc

    from sightline_bvh import _render

    ball = sightline.Tree(sightline.sphere(16))
    camera = sightline.Camera.fit(ball, width=8, height=6)
    tracemalloc.start()
    image = ball.render(camera, ao=65536)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (image[3, 4] != 255).all() and peak < 100_000_000, peak
    line = sightline.Camera.fit(ball, width=8, height=1)
    whole = ball.render(line, ao=300)
    monkeypatch.setattr(_render, "_ROWS", 1000)
    assert (ball.render(line, ao=300) == whole).all()


def test_the_examples_of_docstrings():
    import doctest
    import importlib.util
    import pkgutil

    for module in pkgutil.iter_modules(sightline.__path__):
        if module.name.startswith("_dask") and importlib.util.find_spec("dask") is None:
            continue  # the rest of the package works without it
        if module.name.startswith("_") and module.name != "__main__":
            found = doctest.testmod(importlib.import_module(f"sightline_bvh.{module.name}"))
            assert found.failed == 0, module.name
    assert doctest.testmod(sightline).failed == 0
