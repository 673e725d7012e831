"""glTF: the nodes of a file as a scene, in their places, and as one mesh; or a refusal, where the build has none."""

import gzip
import json
import pathlib
import struct

import numpy as np
import pytest

import sightline_bvh as sightline

DATA = pathlib.Path(__file__).parent.parent / "data"
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


# ---- Skins, morph targets and hidden nodes, against readers that share nothing with ours ----


def figure(random, sets=1):
    """The document and the bytes of a figure that bends: three joints in a chain below a turned root, two morph targets
    by default weights and others by those of a node, skins of floats and of 16 bits, nodes that are hidden."""
    count = 40
    data, views, accessors = [], [], []

    def add(array, kind, **more):
        code = {"float32": 5126, "uint8": 5121, "uint16": 5123, "uint32": 5125}[str(array.dtype)]
        raw = array.tobytes() + b"\0" * (-array.nbytes % 4)
        views.append({"buffer": 0, "byteOffset": sum(map(len, data)), "byteLength": array.nbytes})
        data.append(raw)
        accessors.append({"bufferView": len(views) - 1, "componentType": code, "count": len(array), "type": kind, **more})
        return len(accessors) - 1

    positions = np.float32(random.uniform(-2, 2, (count, 3)))
    attributes = {"POSITION": add(positions, "VEC3", min=positions.min(0).tolist(), max=positions.max(0).tolist())}
    attributes["JOINTS_0"] = add(np.uint8(random.integers(0, 3, (count, 4))), "VEC4")
    weights = random.dirichlet(np.ones(4), count)
    attributes["WEIGHTS_0"] = add(np.float32(weights), "VEC4")
    small = np.uint16(np.floor(weights * 65535))
    small[:, 0] += np.uint16(65535 - small.sum(axis=1, dtype=int))
    coarse = dict(attributes, JOINTS_0=add(np.uint16(random.integers(0, 3, (count, 4))), "VEC4"))
    coarse["WEIGHTS_0"] = add(small, "VEC4", normalized=True)
    indices = add(np.uint32(random.integers(0, count, 60)), "SCALAR")
    targets = [{"POSITION": add(np.float32(random.normal(0, 0.3, (count, 3))), "VEC3")} for _ in range(2)]
    binds = random.normal(0, 1, (3, 4, 4))
    binds[:, 3] = [0, 0, 0, 1]
    binds = add(np.float32(binds.transpose(0, 2, 1)).reshape(3, 16), "MAT4")

    def turn():
        quaternion = random.normal(0, 1, 4)
        return (quaternion / np.linalg.norm(quaternion)).tolist()

    hide = {"extensions": {"KHR_node_visibility": {"visible": False}}}
    nodes = [
        {"translation": [3, -2, 1], "rotation": turn(), "children": [1, 4]},
        {"translation": [0, 2, 0], "rotation": turn(), "scale": [1, 1.5, 1], "children": [2]},
        {"translation": [0, 1, 0.5], "rotation": turn(), "children": [3]},
        {"rotation": turn(), "translation": [1, 0, 0]},
        {"mesh": 0, "skin": 0, "translation": [50, 0, 0], "scale": [2, 2, 2]},
        {"mesh": 1, "rotation": turn(), "translation": [9, 9, 9], "children": [6]},
        {"mesh": 1, "weights": [-0.5, 0.75], "translation": [0, 0, 5]},
        {"mesh": 1, "children": [8], **hide},
        {"mesh": 0},
        {"mesh": 2, "skin": 1},
    ]
    primitive = {"indices": indices, "targets": targets}
    document = {
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0, 5, 7, 9]}], "nodes": nodes,
        "extensionsUsed": ["KHR_node_visibility"],
        "meshes": [
            {"primitives": [{"attributes": attributes, **primitive}], "weights": [0.5, 0.25]},
            {"primitives": [{"attributes": {"POSITION": attributes["POSITION"]}, **primitive}], "weights": [1, 0]},
            {"primitives": [{"attributes": coarse, "indices": indices}]},
        ],
        "skins": [{"joints": [1, 2, 3], "inverseBindMatrices": binds}, {"joints": [3, 0, 2]}],
        "accessors": accessors, "bufferViews": views, "buffers": [{"byteLength": sum(map(len, data))}],
    }  # fmt: skip
    return document, b"".join(data)


def packed(document, data):
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    chunks = struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(data), b"BIN\0") + data
    return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks


def matrix_of(node):
    x, y, z, w = node.get("rotation", [0, 0, 0, 1])
    made = np.eye(4)
    made[:3, :3] = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ]
    made[:3, :3] *= node.get("scale", [1, 1, 1])
    made[:3, 3] = node.get("translation", [0, 0, 0])
    return made


def second_reader(document, data, hidden=False):
    """Corners (n, 3, 3) in the world, by whole 4 x 4 matrices; for documents of figure()."""
    types = {5126: "<f4", 5121: "u1", 5123: "<u2", 5125: "<u4"}

    def read(number):
        a = document["accessors"][number]
        width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4, "MAT4": 16}[a["type"]]
        at = document["bufferViews"][a["bufferView"]]["byteOffset"]
        got = np.frombuffer(data, types[a["componentType"]], a["count"] * width, at).reshape(-1, width)
        return got / np.iinfo(got.dtype).max if a.get("normalized") else got.astype(float if width > 1 else int)

    world, found = {}, []

    def enter(number, above):
        node = document["nodes"][number]
        world[number] = above @ matrix_of(node)
        for child in node.get("children", []):
            enter(child, world[number])

    def show(number):
        node = document["nodes"][number]
        if "extensions" in node and not hidden:
            return
        if "mesh" in node:
            mesh = document["meshes"][node["mesh"]]
            for primitive in mesh["primitives"]:
                points = read(primitive["attributes"]["POSITION"])
                weights = node.get("weights", mesh.get("weights", []))
                for weight, target in zip(weights, primitive.get("targets", [])):
                    points = points + weight * read(target["POSITION"])
                points = np.hstack([points, np.ones((len(points), 1))])
                if "skin" in node:
                    skin = document["skins"][node["skin"]]
                    binds = np.broadcast_to(np.eye(4), (3, 4, 4))
                    if "inverseBindMatrices" in skin:
                        binds = read(skin["inverseBindMatrices"]).reshape(-1, 4, 4).transpose(0, 2, 1)
                    joints = np.array([world[joint] for joint in skin["joints"]]) @ binds
                    which = read(primitive["attributes"]["JOINTS_0"]).astype(int)
                    each = np.einsum("vkij,vj->vki", joints[which], points)
                    moved = (each * read(primitive["attributes"]["WEIGHTS_0"])[:, :, None]).sum(1)
                else:
                    moved = points @ world[number].T
                found.append(moved[read(primitive["indices"])[:, 0], :3].reshape(-1, 3, 3))
        for child in node.get("children", []):
            show(child)

    roots = document["scenes"][0]["nodes"]
    for root in roots:
        enter(root, np.eye(4))
    for root in roots:
        show(root)
    return np.concatenate(found)


def assert_near(corners, wanted, bound):
    """Up to bound, of the largest number; corners 1 and 2 change places in skins that mirror."""
    swapped = np.abs(corners - wanted).max((1, 2)) > 1e-3
    corners[swapped] = corners[swapped][:, [0, 2, 1]]
    assert len(corners) == len(wanted) and np.abs(corners - wanted).max() <= bound * np.abs(wanted).max()


@with_gltf
@pytest.mark.parametrize("hidden", [False, True])
@pytest.mark.parametrize("seed", range(5))
def test_skins_morph_targets_and_hidden_nodes_are_where_a_second_reader_has_them(tmp_path, seed, hidden):
    document, data = figure(np.random.default_rng(seed))
    path = tmp_path / "figure.glb"
    path.write_bytes(packed(document, data))
    wanted = second_reader(document, data, hidden)
    mesh = sightline.load(path, hidden_nodes=hidden)
    assert len(mesh) == len(wanted) == (120 if hidden else 80)
    assert_near(mesh.triangles, wanted, 1e-6)
    assert (sightline.loads(path.read_bytes(), hidden_nodes=hidden).vertices == mesh.vertices).all()
    scene = sightline.Scene.load(path, hidden_nodes=hidden)
    assert_near(scene.flatten()[0].triangles, wanted, 1e-6)


@with_gltf
def test_skins_and_morph_targets_are_where_three_js_has_them():
    """figure(default_rng(0)), and the corners that three.js 0.187 gives: GLTFLoader, then of every mesh that is not hidden
    getVertexPosition() and its matrixWorld, in the order of traverseVisible()."""
    wanted = np.load(DATA / "figure.three.npy")
    for read in (sightline.load, lambda path: sightline.Scene.load(path).flatten()[0]):
        assert_near(read(DATA / "figure.glb").triangles, wanted, 1e-6)


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
