"""python -m sightline_bvh: what this build is, and pictures that it makes by itself."""

import argparse
import os
import sys

import numpy as np

from . import (
    Camera, Mesh, SightlineError, Tree, __version__, colour_map, features, grid, load, set_threads, torus, write_png,
)  # fmt: skip


def _hills(nx, ny):
    """Terrain of waves that grow shorter and lower."""
    flat = grid(nx, ny)
    vertices = np.array(flat.vertices, np.float64)
    x, y = vertices[:, 0], vertices[:, 1]
    for k in range(6):
        turn, length = 2.4 * k + 0.5, nx / (3 * 1.7**k)
        across = (x * np.cos(turn) + y * np.sin(turn)) * 2 * np.pi / length
        along = (y * np.cos(turn) - x * np.sin(turn)) * 2 * np.pi / length
        vertices[:, 2] += 0.08 * length * np.sin(across + 0.9 * np.sin(along)) * np.cos(0.7 * along)
    return Mesh(vertices.astype(np.float32), flat.faces)


def _two(path):
    """Two meshes of its own, or one from a file."""
    if path:
        tree = Tree(load(path, bad="leave_out"))
        return tree, tree
    return Tree(torus(160, 80, 1.0, 0.45)), Tree(_hills(320, 240))


def _slice(tree, width, height):
    """Signed distances on the plane through the middle, dark inside; the zero line is white."""
    low, high = np.asarray(tree.bounds, np.float64)
    margin = 0.2 * (high - low).max()
    x = np.linspace(low[0] - margin, high[0] + margin, width)
    y = np.linspace(high[1] + margin, low[1] - margin, height)
    points = np.empty((height, width, 3), np.float32)
    points[..., 0], points[..., 1], points[..., 2] = x, y[:, None], (low[2] + high[2]) / 2
    signed = tree.signed_distance(points)
    image = colour_map(signed)
    image[np.abs(signed) < 1.2 * (x[1] - x[0])] = 255
    return image


def _sight(tree, width, height):
    """What is seen from a place above the terrain, from straight above: seen bright, hidden dark."""
    low, high = np.asarray(tree.bounds, np.float64)
    x = np.linspace(low[0], high[0], width + 2)[1:-1]
    y = np.linspace(high[1], low[1], height + 2)[1:-1]
    above = np.empty((height, width, 3), np.float32)
    above[..., 0], above[..., 1], above[..., 2] = x, y[:, None], high[2] + 1
    hits = tree.closest(above, np.array([0, 0, -1], np.float32))
    ground = tree.surface(hits).front_origin
    middle = ground[height // 2, width // 2]
    if not np.isfinite(middle).all():
        middle = (low + high).astype(np.float32) / 2
    eye = middle + np.array([0, 0, 0.25 * (high[2] - low[2]) + 1e-3], np.float32)
    hidden = tree.fan(eye, to=ground) | ~hits.hit
    image = colour_map(ground[..., 2])
    image[hidden] //= 4
    return image


def demo(folder, path=None, width=640, height=480):
    """Writes the pictures and says which."""
    os.makedirs(folder, exist_ok=True)
    solid, land = _two(path)
    up = (0.0, 0.0, 1.0)
    view = Camera.fit(solid, (1.0, -1.2, 0.9), up=up, width=width, height=height)
    wide = Camera.fit(land, (0.3, -1.0, 0.8), up=up, width=width, height=height)
    pictures = (
        ("shade.png", "light and ambient occlusion", lambda: solid.render(view, samples=2, ao=32)),
        ("normals.png", "normals", lambda: solid.render(view, show="normal", samples=2)),
        ("depth.png", "distances from the eye", lambda: land.render(wide, show="depth")),
        ("slice.png", "signed distances on a plane", lambda: _slice(solid, width, height)),
        ("sight.png", "what is seen from one place", lambda: _sight(land, width, height)),
    )
    for name, what, draw in pictures:
        target = os.path.join(folder, name)
        write_png(target, draw())
        print(f"{target}: {what}")


def main(arguments=None):
    parser = argparse.ArgumentParser("python -m sightline_bvh", description="Exact rays and distances on triangle meshes.")
    parser.add_argument("--version", action="version", version=f"sightline {__version__}")
    parser.add_argument("--demo", action="store_true", help="write pictures into a folder")
    parser.add_argument("--out", default="sightline-demo", help="the folder (sightline-demo)")
    parser.add_argument("--mesh", help="a mesh file to draw, rather than a torus and a terrain")
    parser.add_argument("--threads", type=int, help="how many (all processors)")
    given = parser.parse_args(arguments)
    try:
        set_threads(given.threads)
        if given.demo:
            demo(given.out, given.mesh)
        else:
            has = ", ".join(name for name, is_there in features().items() if is_there) or "nothing optional"
            print(f"sightline {__version__}, with {has}; --demo writes pictures")
    except (SightlineError, OSError) as fault:
        print(f"sightline: {fault}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
