"""Baking: a number for each point of a tree or a scene, from rays around its normal."""

import numpy as np

from . import _arrays, _core
from ._errors import InvalidArgument
from ._mesh import choice


def _numbers(bounds, what, rays, distance, lift, spread, least, first):
    """As sightline_bvh._core takes them."""
    kind = choice({"ao": 0, "thickness": 1}, what, "what")
    rays, first = _arrays.integer(rays, "rays for a point", 1, 65536), _arrays.integer(first, "first")
    low, high = bounds.astype(np.float64)
    diagonal = float(np.sqrt((np.maximum(high - low, 0) ** 2).sum()))

    def given(value, name, most, default):
        return default if value is None else _arrays.number(value, name, 0, most)

    return (
        kind, rays, given(distance, "distance", np.inf, diagonal if kind else diagonal / 4),
        given(lift, "lift", np.inf, diagonal / 10000), given(spread, "spread", 1, 0.5 if kind else 1.0), bool(least), first,
    )  # fmt: skip


def bake(target, points, normals, numbers, selected, out, threads, progress):
    """What Tree.bake and Scene.bake do; points and normals become floats."""
    numbers = _numbers(target.bounds, *numbers)
    points, normals = (np.asarray(_arrays.rows(a, n), np.float32) for a, n in ((points, "points"), (normals, "normals")))
    lead = _arrays.lead_of(points.shape[:-1], normals.shape[:-1])
    points, normals = (_arrays.packed(np.broadcast_to(a, (*lead, 3))) for a in (points, normals))
    items = _arrays.points(points)
    options = _arrays.options(target, items, **selected)
    array = _arrays.answers(out, lead, np.dtype(np.float32))
    target._run(_core.bake, "bake", items, options, threads, 16, progress, normals, array, numbers)
    return array


def vertices_of(leaves):
    """Points and normals of the vertices of trees under transforms, (N, 3) float64, and how many there are of each tree."""
    points, normals, known, counts = [np.empty((0, 3))], [np.empty((0, 3))], {}, []
    for i, (tree, place) in enumerate(leaves):
        counts.append(0)
        if tree is None:
            continue
        mesh = tree.mesh
        if mesh is None:
            raise InvalidArgument(f"the tree of instance {i} does not know its vertices: give points and normals")
        if tree not in known:
            known[tree] = mesh.vertex_normals().astype(np.float64)
        counts[-1] = len(mesh.vertices)
        points.append(mesh.vertices @ place[:, :3].T + place[:, 3])
        normals.append(_turned(known[tree], place[:, :3]))
    return np.concatenate(points), np.concatenate(normals), counts


def _turned(normals, matrix):
    """Normals in place, by the transpose of the inverse: the columns of cofactors, with the sign of the determinant."""
    if (matrix == np.eye(3)).all():
        return normals
    with np.errstate(all="ignore"):  # a place that has no inverse has no normals
        matrix = matrix / np.abs(matrix).max()
        a, b, c = matrix.T
        cofactors = np.stack([np.cross(b, c), np.cross(c, a), np.cross(a, b)], axis=1)
        turned = normals @ cofactors.T * np.sign(np.linalg.det(matrix))
        return turned / np.linalg.norm(turned, axis=1, keepdims=True)
