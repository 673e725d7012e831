"""glTF: the nodes of a file as a scene, in their places, and as one mesh; or a refusal, where the build has none."""

import gzip
import json
import struct

import numpy as np
import pytest

import sightline_bvh as sightline

WITH = sightline.features()["gltf"]
with_gltf = pytest.mark.skipif(not WITH, reason="this build has no glTF")

TRIANGLE = np.float32([[0, 0, 0], [1, 0, 0], [0, 1, 0]])
SQUARE = np.float32([[0, 0, 0], [2, 0, 0], [2, 2, 0], [0, 2, 0]])


def glb(nodes, roots, meshes=("flag", "plate")):
    """A file of two meshes, and nodes."""
    parts = [TRIANGLE.tobytes(), SQUARE.tobytes(), np.uint16([0, 1, 2, 0, 2, 3]).tobytes()]
    views, offset = [], 0
    for part in parts:
        views.append({"buffer": 0, "byteOffset": offset, "byteLength": len(part)})
        offset += len(part)
    vec3 = {"componentType": 5126, "type": "VEC3"}
    document = {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": roots}],
        "nodes": nodes,
        "meshes": [
            {"name": meshes[0], "primitives": [{"attributes": {"POSITION": 0}}]},
            {"name": meshes[1], "primitives": [{"attributes": {"POSITION": 1}, "indices": 2}]},
        ],
        "accessors": [
            {"bufferView": 0, "count": 3, "min": [0, 0, 0], "max": [1, 1, 0], **vec3},
            {"bufferView": 1, "count": 4, "min": [0, 0, 0], "max": [2, 2, 0], **vec3},
            {"bufferView": 2, "count": 6, "componentType": 5123, "type": "SCALAR"},
        ],
        "bufferViews": views,
        "buffers": [{"byteLength": offset}],
    }
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    data = b"".join(parts)
    data += b"\0" * (-len(data) % 4)
    return (
        struct.pack("<4sII", b"glTF", 2, 28 + len(text) + len(data))
        + struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(data), b"BIN\0") + data
    )  # fmt: skip


NODES = [
    {"name": "mast", "translation": [10, 20, 30], "children": [1, 2]},
    {"name": "left", "mesh": 0, "scale": [2, 3, 4]},
    # A quarter turn around z, then up by 5; column by column, as glTF has it.
    {"name": "right", "mesh": 0, "matrix": [0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 5, 1], "children": [3]},
    {"mesh": 1, "translation": [100, 0, 0]},
    {"name": "unused", "mesh": 1},
]


def place(matrix, move):
    made = np.zeros((3, 4))
    made[:, :3], made[:, 3] = matrix, move
    return made


TURN = [[0, -1, 0], [1, 0, 0], [0, 0, 1]]
WANTED = [
    ("left", TRIANGLE, place(np.diag([2, 3, 4]), [10, 20, 30])),
    ("right", TRIANGLE, place(TURN, [10, 20, 35])),
    ("plate", SQUARE[[[0, 1, 2], [0, 2, 3]]].reshape(-1, 3), place(TURN, [10, 120, 35])),
]


@with_gltf
def test_nodes_are_instances_in_their_places(tmp_path):
    path = tmp_path / "ship.glb"
    path.write_bytes(glb(NODES, [0]))
    scene = sightline.Scene.load(path, quality="high")
    assert len(scene) == 3 and scene.names == tuple(name for name, _, _ in WANTED)
    assert scene.triangle_count == 4
    for i, (_, corners, wanted) in enumerate(WANTED):
        instance = scene.instances[i]
        assert (instance.transform == wanted).all() and instance.what.info.quality == "high"
        triangles = instance.what.triangles()
        assert (triangles.reshape(-1, 3) == corners).all()
        refs = np.zeros(len(triangles), sightline.REF)
        refs["instance"], refs["prim"] = i, np.arange(len(triangles))
        assert (scene.triangles(refs) == triangles @ wanted[:, :3].T + wanted[:, 3]).all()
    # Nodes that show the same mesh share its tree.
    assert scene.instances[0].what is scene.instances[1].what
    hit = scene.closest([9.75, 20.25, 40.0], [0, 0, -1])
    assert (hit.instance, hit.prim, hit.t) == (1, 0, 5.0)
    # The same triangles, in the same order, as one mesh, whose parts have the names of the meshes.
    mesh, refs = scene.flatten()
    flat = sightline.load(path)
    assert (flat.triangles == mesh.triangles).all() and refs["instance"].tolist() == [0, 1, 2, 2]
    assert [part.name for part in flat.parts] == ["flag", "flag", "plate"] and flat.format == "glb"
    assert flat.part_of([0, 1, 2, 3]).tolist() == [0, 1, 2, 2]


@with_gltf
def test_scenes_of_files_are_pickled_with_their_names(tmp_path):
    import pickle

    path = tmp_path / "ship.glb"
    path.write_bytes(glb(NODES, [0, 4]))
    scene = sightline.Scene.load(path, threads=2)
    same = pickle.loads(pickle.dumps(scene))
    assert same.names == scene.names == ("left", "right", "plate", "unused")
    rays = np.random.default_rng(1).uniform(-3, 3, (2, 200, 3)) + [[[10, 20, 40]], [[0, 0, -9]]]
    assert (same.closest(*rays) == scene.closest(*rays)).all() and scene.closest(*rays).hit.any()


@with_gltf
def test_files_that_are_broken_say_where(tmp_path):
    path = tmp_path / "broken.glb"
    whole = glb(NODES, [0])
    circle = [dict(node) for node in NODES]
    circle[3]["children"] = [0]
    for data in (whole[:-9], whole[:40], b"glTF\2\0\0\0\xff\0\0\0" + bytes(9), glb(circle, [0]), glb(NODES, [7])):
        path.write_bytes(data)
        for read in (sightline.load, sightline.Scene.load, lambda name: sightline.loads(data, name)):
            with pytest.raises((sightline.BadData, sightline.BadIndex), match=r"broken\.glb") as caught:
                read(path)
            assert caught.value.file == str(path)
    with pytest.raises(FileNotFoundError):
        sightline.Scene.load(tmp_path / "none.glb")
    text = tmp_path / "a.obj"
    text.write_text("v 0 0 0\n")
    with pytest.raises(sightline.Unsupported):
        sightline.Scene.load(text)


@with_gltf
def test_gzip_is_read(tmp_path):
    path = tmp_path / "a.obj.gz"
    path.write_bytes(gzip.compress(b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"))
    assert len(sightline.load(path)) == 1 and len(sightline.loads(path.read_bytes())) == 1


@pytest.mark.skipif(WITH, reason="this build has glTF")
def test_gltf_and_gzip_are_refused_with_a_message_that_says_what_is_missing(tmp_path):
    data = glb(NODES, [0])
    packed = gzip.compress(b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    text = b'{"asset": {"version": "2.0"}}'
    for name, content in (
        ("ship.glb", data), ("SHIP.GLTF", text), ("ship", data), ("ship.bin", data), ("a.obj.gz", packed), ("a", packed),
    ):  # fmt: skip
        path = tmp_path / name
        path.write_bytes(content)
        with pytest.raises(sightline.Unsupported, match="not in this build.*libjansson") as caught:
            sightline.load(path)
        assert caught.value.file == str(path)
        with pytest.raises(sightline.Unsupported, match="not in this build"):
            sightline.loads(content, name)
    with pytest.raises(sightline.Unsupported, match="not in this build") as caught:
        sightline.Scene.load(tmp_path / "ship.glb")
    assert caught.value.file == str(tmp_path / "ship.glb")
    with pytest.raises(FileNotFoundError):
        sightline.load(tmp_path / "none.obj")
