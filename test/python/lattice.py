"""Answers by trying every triangle, exact in numbers of 64 bits: all coordinates are small whole numbers.

Small lattices are full of what is hard: rays through edges and corners and along planes, equal distances, volumes that
touch.  Triangles are (T, 3, 3) of int64, rays (N, 3), and answers (N, T).
"""

import numpy as np

SIZE = 6  # of the lattice, which reaches from -SIZE to SIZE; all products fit easily


def triangles(random, count):
    """With an area; some share edges and corners, and some there are twice."""
    made = np.zeros((0, 3, 3), np.int64)
    while len(made) < count:
        corners = random.integers(-SIZE, SIZE + 1, (count, 3, 3))
        corners[: count // 3, 1:] = np.roll(corners, 1, axis=0)[: count // 3, :2]
        corners[count // 3 : count // 2, 2] = corners[count // 3 : count // 2, 0] + random.integers(-2, 3, 3)
        corners[-2:] = corners[:2]
        area = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]).any(axis=1)
        made = np.concatenate([made, corners[area]])
    return made[:count]


def points(random, count):
    return random.integers(-SIZE - 2, SIZE + 3, (count, 3))


def directions(random, count):
    """None is zero."""
    made = random.integers(-4, 5, (count, 3))
    made[~made.any(axis=1), 0] = 1
    return made


class Paths:
    """Where rays meet closed triangles: t = top / bottom, bottom > 0, where hit."""

    def __init__(self, corners, origins, directions):
        at = corners[None] - origins[:, None, None]
        d = directions[:, None]
        weights = np.stack(
            [(d * np.cross(at[:, :, (k + 1) % 3], at[:, :, (k + 2) % 3])).sum(-1) for k in range(3)], axis=-1
        )
        total = weights.sum(-1)
        sign = np.sign(total)
        weights, self.weight = weights * sign[..., None], np.abs(total)
        self.hit = (total != 0) & (weights >= 0).all(-1)
        normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        along = (normal[None] * d).sum(-1)
        top = (normal[None] * at[:, :, 0]).sum(-1)
        self.top = top * np.sign(along)
        self.bottom = np.where(along == 0, 1, np.abs(along))
        self.back = along > 0
        self.weights = weights

    def between(self, low, high, open_low=False, open_high=False):
        """Hits from t = low to t = high, arrays of whole numbers (N,) over 4; high may be inf."""
        low = np.asarray(low)[:, None]
        kept = 4 * self.top > low * self.bottom if open_low else 4 * self.top >= low * self.bottom
        finite = np.isfinite(high)[:, None]
        high = np.where(np.isfinite(high), high, 0).astype(np.int64)[:, None]
        below = 4 * self.top < high * self.bottom if open_high else 4 * self.top <= high * self.bottom
        return self.hit & kept & (~finite | below)

    def t(self, dtype):
        return (self.top / self.bottom).astype(dtype)


def touch(first, second, axes):
    """Whether convex figures (N, ..., 3) and (T, ..., 3), by their corners, are apart along none of the axes (N, T, A, 3)."""
    a = np.einsum("ntak,nck->ntac", axes, first)
    b = np.einsum("ntak,tck->ntac", axes, second)
    apart = (a.max(-1) < b.min(-1)) | (b.max(-1) < a.min(-1))
    return ~apart.any(-1)


def _edges(corners):
    return np.roll(corners, -1, axis=1) - corners


def boxes_touch(boxes, corners):
    """Boxes (N, 2, 3) and triangles (T, 3, 3)."""
    which = np.array([[i >> k & 1 for k in range(3)] for i in range(8)])
    of_boxes = np.where(which[None], boxes[:, None, 1], boxes[:, None, 0])
    edges = _edges(corners)
    normal = np.cross(edges[:, 0], edges[:, 1])
    crossed = np.cross(edges[:, :, None], np.eye(3, dtype=np.int64)[None, None]).reshape(len(corners), 9, 3)
    own = np.concatenate([np.eye(3, dtype=np.int64)[None].repeat(len(corners), 0), normal[:, None], crossed], axis=1)
    return touch(of_boxes, corners, np.broadcast_to(own[None], (len(boxes), *own.shape)))


def triangles_touch(first, second):
    """Triangles (N, 3, 3) and (T, 3, 3)."""
    e, f = _edges(first), _edges(second)
    m, n = np.cross(e[:, 0], e[:, 1]), np.cross(f[:, 0], f[:, 1])
    shape = (len(first), len(second))

    def all_pairs(array, axis):
        array = np.expand_dims(array, axis)
        return np.broadcast_to(array, (*shape, *array.shape[2:]))

    axes = [
        all_pairs(m[:, None], 1), all_pairs(n[:, None], 0), all_pairs(np.cross(m[:, None], e), 1),
        all_pairs(np.cross(n[:, None], f), 0),
        np.cross(e[:, None, :, None], f[None, :, None]).reshape(*shape, 9, 3),
    ]  # fmt: skip
    return touch(first, second, np.concatenate(axes, axis=2))
