"""What the tests share: meshes, and every triangle in turn in exact arithmetic."""

import importlib
import os
from fractions import Fraction

import hypothesis
import numpy as np
import pytest

import sightline_bvh as sightline


def examples(count):
    """Settings of a property with that many examples, times SIGHTLINE_EXAMPLES of the environment (1)."""
    share = float(os.environ.get("SIGHTLINE_EXAMPLES", 1))
    slow = [hypothesis.HealthCheck.too_slow, hypothesis.HealthCheck.function_scoped_fixture]
    return hypothesis.settings(
        max_examples=max(2, round(count * share)), deadline=None, database=None, suppress_health_check=slow,
        derandomize=share <= 1,
    )  # fmt: skip


def wanted(module, reason):
    """The module; the test is skipped where it cannot be imported, even if it is there and what it needs is not."""
    try:
        return importlib.import_module(module)
    except ImportError:
        pytest.skip(reason)


@pytest.fixture(scope="session")
def ball():
    return sightline.Tree(sightline.sphere(8))


@pytest.fixture(scope="session")
def soup():
    return sightline.Tree(sightline.soup(60, 0.5, 3))


def _cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def _dot(a, b):
    return sum(x * y for x, y in zip(a, b, strict=True))


def exact_hits(triangles, origin, direction, low=0, high=None):
    """All hits of a ray with closed triangles (T, 3, 3), in rationals: a sorted list of (t, prim)."""
    origin = [Fraction(float(x)) for x in origin]
    direction = [Fraction(float(x)) for x in direction]
    found = []
    for prim, triangle in enumerate(triangles):
        corners = [[Fraction(float(x)) for x in corner] for corner in triangle]
        moved = [[c - o for c, o in zip(corner, origin, strict=True)] for corner in corners]
        weights = [_dot(direction, _cross(moved[(k + 1) % 3], moved[(k + 2) % 3])) for k in range(3)]
        total = sum(weights)
        if total == 0 or any(w * total < 0 for w in weights):
            continue
        edges = [[b - a for a, b in zip(corners[0], corners[k], strict=True)] for k in (1, 2)]
        normal = _cross(*edges)
        t = _dot(normal, moved[0]) / _dot(normal, direction)
        if t >= low and (high is None or t <= high):
            found.append((t, prim))
    return sorted(found)


def exact_distance_squared(triangle, point):
    """From a point to a triangle, by its plane, edges and corners, in rationals."""
    a, b, c = ([Fraction(float(x)) for x in corner] for corner in triangle)
    p = [Fraction(float(x)) for x in point]

    def minus(x, y):
        return [i - j for i, j in zip(x, y, strict=True)]

    best = min(_dot(minus(p, q), minus(p, q)) for q in (a, b, c))
    for q, r in ((a, b), (b, c), (c, a)):
        edge, to = minus(r, q), minus(p, q)
        length = _dot(edge, edge)
        if length and 0 < _dot(to, edge) < length:
            best = min(best, _dot(to, to) - _dot(to, edge) ** 2 / length)
    normal = _cross(minus(b, a), minus(c, a))
    square = _dot(normal, normal)
    if square:
        sides = [_dot(_cross(minus(r, q), minus(p, q)), normal) for q, r in ((a, b), (b, c), (c, a))]
        if all(side >= 0 for side in sides):
            best = min(best, _dot(minus(p, a), normal) ** 2 / square)
    return best


@pytest.fixture(scope="session")
def exact():
    class Exact:
        hits = staticmethod(exact_hits)
        distance_squared = staticmethod(exact_distance_squared)

    return Exact


@pytest.fixture
def random():
    return np.random.default_rng(7)
