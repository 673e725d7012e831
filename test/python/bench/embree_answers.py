"""What Embree, and trimesh over it, answer wrongly, as `sightline verify` counts it.

    python test/python/bench/embree_answers.py SIGHTLINE MESH.ply...

SIGHTLINE is the command.  Needs numpy, trimesh and embreex, which brings Embree.  Rays are floats, the same on every
machine: `random` from points within the bounds to others; `corners` and `edges` from such points to vertices and
middles of edges, rounded, as rays from one piece of a mesh to another are.  Answerers:

    embree         the closest hit, as embreex asks for it
    embree robust  the same with Embree's robust flag
    trimesh lists  all hits, by intersects_id(multiple_hits=True): Embree's closest ones, from a little behind each
"""

import argparse
import json
import pathlib
import subprocess
import tempfile

import numpy as np
import trimesh
from embreex import mesh_construction, rtcore_scene

COUNTED = ("leak", "beside", "phantom", "behind", "repeated", "limits", "tie", "t")


def rays_of(mesh, kind, count, seed=1):
    """count rays to count targets, of length about 1 in t."""
    random = np.random.default_rng(seed)
    low, high = mesh.bounds
    corners = mesh.triangles[random.integers(len(mesh.faces), size=count)]
    to = {
        "random": random.uniform(low, high, (count, 3)),
        "corners": corners[:, 0],
        "edges": (corners[:, 0] + corners[:, 1]) / 2,
    }[kind].astype(np.float32)
    origins = random.uniform(low, high, (count, 3)).astype(np.float32)
    return origins, to - origins


def closest(mesh, origins, dirs, robust):
    scene = rtcore_scene.EmbreeScene(robust=robust)
    mesh_construction.TriangleMesh(scene, mesh.triangles.astype(np.float32))
    found = scene.run(origins, dirs, query="INTERSECT", output=True)
    return np.column_stack([origins, dirs, found["tfar"], found["primID"]])


def lists(mesh, origins, dirs):
    """Sorted by ray, as verify reads them.  trimesh gives places, of which t are not asked."""
    triangles, rays = trimesh.ray.ray_pyembree.RayMeshIntersector(mesh).intersects_id(origins, dirs, multiple_hits=True)
    order = np.argsort(rays, kind="stable")
    return np.column_stack([rays, triangles])[order]


def judge(command, mesh, answers, *options):
    done = subprocess.run(
        [command, "verify", mesh, "--answers", answers, "--json", "--limit", "0", *options],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode > 1:
        raise SystemExit(done.stderr)
    return json.loads(done.stdout)


def row(mesh, kind, answerer, said):
    counts = {verdict["verdict"]: verdict for verdict in said["verdicts"]}
    near = sum(counts["leak"][where] for where in ("on_vertex", "on_edge", "near_edge"))
    steps = sum(step["answers"] for step in said["t_steps"] if step["t_off_by_up_to"] in (0, 1))
    answered = sum(step["answers"] for step in said["t_steps"])
    within = f"{steps / answered:.1%}" if answered else ""
    cells = [mesh, kind, answerer, said["rays"], said["exact_hits"]]
    cells += [counts[name]["answers"] for name in COUNTED] + [near, within]
    print("|", " | ".join(f"{cell:,}" if isinstance(cell, int) else cell for cell in cells), "|", flush=True)


def measure(command, path, count, folder):
    mesh = trimesh.load(path, process=False)
    for kind in ("random", "corners", "edges"):
        origins, dirs = rays_of(mesh, kind, count)
        answers = folder / "answers.npy"
        for robust in (False, True):
            np.save(answers, closest(mesh, origins, dirs, robust))
            row(path.stem, kind, "embree robust" if robust else "embree", judge(command, path, answers))
        rays, answers = folder / "rays.npy", folder / "lists.csv"
        np.save(rays, np.column_stack([origins, dirs]))
        np.savetxt(answers, lists(mesh, origins, dirs), fmt="%d", delimiter=",", header="ray,prim", comments="")
        row(path.stem, kind, "trimesh lists", judge(command, path, answers, "--rays", rays, "--mode", "all"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sightline")
    parser.add_argument("meshes", nargs="+", type=pathlib.Path)
    parser.add_argument("--rays", type=int, default=1000000, help="rays of each kind")
    options = parser.parse_args()
    head = ["mesh", "rays", "answerer", "number", "exact hits", *COUNTED, "leaks at edges", "t within 1 float"]
    print("|", " | ".join(head), "|")
    print("|---|---|---" + "|---:" * (len(head) - 3) + "|")
    with tempfile.TemporaryDirectory() as folder:
        for path in options.meshes:
            measure(options.sightline, path, options.rays, pathlib.Path(folder))


if __name__ == "__main__":
    main()
