"""Cameras: from pixels to rays and back."""

import math

import numpy as np

from . import _arrays, _core
from ._errors import InvalidArgument
from ._mesh import Mesh
from ._records import RAY
from ._scene import Scene
from ._tree import Tree


def _three(values, name):
    return tuple(_arrays.shaped(values, name, 3).tolist())


def _size(width, height):
    return _arrays.integer(width, "width", 1, 1_000_000), _arrays.integer(height, "height", 1, 1_000_000)


def _radians(fov_deg):
    degrees = _arrays.number(fov_deg, "fov_deg")
    if not 0 < degrees < 180:
        raise InvalidArgument(f"fov_deg is an angle between 0 and 180, not {fov_deg!r}")
    return math.radians(degrees)


def _given(**numbers):
    """Refuses zeros, which would be defaults to the library."""
    for name, values in numbers.items():
        if not np.any(np.asarray(values, np.float32)):
            raise InvalidArgument(f"{name} must not be zero")


class Camera:
    """A camera that looks from eye to target.  The world is right-handed.

    Its numbers are float32: of what is far from the origin take pictures in a place near it.

    eye, target, up  (3,); up must not be parallel to the line of sight
    fov_deg          the full vertical angle, below 180
    ortho_height     the height of what is seen, in units: an orthographic camera.  None: perspective
    near, far        distances in front of the eye between which things are seen; far inf: everything (of an
                     orthographic camera up to a million)
    width, height    of the picture, in pixels; (0, 0) is the corner of the top-left one, y runs down

    >>> import sightline_bvh as sightline
    >>> camera = sightline.Camera([0, 0, 3], [0, 0, 0], width=4, height=2)
    >>> camera.rays().shape
    (2, 4)
    >>> camera.project([0, 0, 0])[:2]
    array([2., 1.], dtype=float32)
    """

    __slots__ = ("_handle", "_eye", "width", "height")

    def __init__(
        self, eye, target, up=(0.0, 1.0, 0.0), *, fov_deg=60.0, ortho_height=None, near=0.01, far=math.inf, width=800,
        height=600,
    ):  # fmt: skip
        width, height = _size(width, height)
        eye = _three(eye, "eye")
        orthographic = ortho_height is not None
        if orthographic and far == math.inf:
            far = 1e6
        numbers = (
            eye, _three(target, "target"), _three(up, "up"), orthographic, _radians(fov_deg),
            _arrays.number(ortho_height, "ortho_height") if orthographic else 2.0, _arrays.number(near, "near"),
            _arrays.number(far, "far"), width, height,
        )  # fmt: skip
        _given(up=up, ortho_height=numbers[5])
        if eye == numbers[1]:
            raise InvalidArgument(f"eye and target are one point, {eye}")
        if not orthographic:
            _given(near=near, far=far)
        self._set(_core.camera_make(numbers), eye)

    def _set(self, handle, eye):
        self._handle = handle
        self._eye = np.array(eye, np.float32)
        self.width, self.height = _core.camera_matrices(handle)[:2]

    @classmethod
    def fit(
        cls, what, towards=(1.0, 0.7, 1.0), *, up=(0.0, 1.0, 0.0), fov_deg=40.0, orthographic=False, width=800,
        height=600,
    ):  # fmt: skip
        """A camera that sees all of a Mesh, Tree or Scene, or of a mesh of another package, from the direction towards the eye.

        >>> import sightline_bvh as sightline
        >>> sightline.Camera.fit(sightline.sphere(4)).width
        800
        """
        width, height = _size(width, height)
        mesh = what.mesh if isinstance(what, Tree) else None if isinstance(what, Scene) else what
        if mesh is not None:
            target = (mesh if isinstance(mesh, Mesh) else Mesh(mesh))._handle
        else:
            low, high = np.asarray(what.bounds, np.float64).tolist()
            target = (tuple(low), tuple(high))
        numbers = (
            _three(towards, "towards"), _three(up, "up"), bool(orthographic), _radians(fov_deg), width, height,
        )  # fmt: skip
        _given(up=up)
        handle, eye = _core.camera_fit(target, numbers)
        camera = cls.__new__(cls)
        camera._set(handle, eye)
        return camera

    @classmethod
    def from_intrinsics(
        cls, fx, fy, cx, cy, width, height, *, world_to_camera=None, pose=None, near=0.01, far=math.inf
    ):  # fmt: skip
        """A calibrated camera, with the axes of OpenCV: x to the right, y down, z forward.

        fx, fy, cx, cy   in pixels: a point (X, Y, Z) of the camera appears at (fx X / Z + cx, fy Y / Z + cy).  The
                         top-left pixel has its corner at (0, 0) and its middle at (0.5, 0.5).  OpenCV calibrates with
                         the middle at (0, 0): add 0.5 to its cx and cy
        world_to_camera  (4, 4) or (3, 4), OpenCV's [R | t]; or instead
        pose             its inverse, from the camera to the world.  None of them: the camera's space is the world
        near, far        as of a camera by itself

        >>> import sightline_bvh as sightline
        >>> camera = sightline.Camera.from_intrinsics(500, 500, 320, 240, 640, 480)
        >>> camera.project([[0, 0, 2], [0.2, 0.1, 2]])[:, :2]
        array([[320., 240.],
               [370., 265.]], dtype=float32)
        """
        width, height = _size(width, height)
        fx, fy, cx, cy, near, far = (
            _arrays.number(value, name)
            for name, value in (("fx", fx), ("fy", fy), ("cx", cx), ("cy", cy), ("near", near), ("far", far))
        )
        if not (0 < fx < math.inf and 0 < fy < math.inf and math.isfinite(cx) and math.isfinite(cy)):
            raise InvalidArgument(f"fx and fy are positive, and cx and cy finite, not {fx}, {fy}, {cx} and {cy}")
        if not 0 < near < far:
            raise InvalidArgument(f"0 < near < far is wanted, and near is {near}, far {far}")
        if world_to_camera is not None and pose is not None:
            raise InvalidArgument("a camera has world_to_camera or pose, not both")
        maps = np.eye(4), np.eye(4)
        given = pose if world_to_camera is None else world_to_camera
        if given is not None:
            name = "pose" if world_to_camera is None else "world_to_camera"
            maps[0][:3] = _arrays.affine(given, name)
            turn = maps[0][:3, :3]
            if not (np.abs(turn @ turn.T - np.eye(3)).max() < 1e-4 and np.linalg.det(turn) > 0):
                raise InvalidArgument(f"{name} turns and moves; its first three columns are no rotation, {turn.tolist()}")
            maps[1][...] = np.linalg.inv(maps[0])
        inwards, outwards = maps if pose is None else maps[::-1]
        view = inwards * [[1], [-1], [-1], [1]]  # y is up, and z towards the eye
        deep = [-1, -2 * near] if far == math.inf else [(near + far) / (near - far), 2 * near * (far / (near - far))]
        projection = [
            [2 * fx / width, 0, 1 - 2 * cx / width, 0], [0, 2 * fy / height, 2 * cy / height - 1, 0],
            [0, 0, *deep], [0, 0, -1, 0],
        ]  # fmt: skip
        with np.errstate(over="ignore"):  # what is beyond floats is refused
            columns = (np.array(matrix, np.float32).T.tobytes() for matrix in (view, projection))
            return _restore(width, height, *columns, outwards[:3, 3])

    @property
    def eye(self):
        """(3,) float32."""
        return self._eye.copy()

    @property
    def view(self):
        """(4, 4) float32, row-major: from the world to the eye's space."""
        return np.frombuffer(_core.camera_matrices(self._handle)[2], np.float32).reshape(4, 4).T.copy()

    @property
    def projection(self):
        """(4, 4) float32, row-major: from the eye's space to clip space."""
        return np.frombuffer(_core.camera_matrices(self._handle)[3], np.float32).reshape(4, 4).T.copy()

    def rays(self, samples=1):
        """The rays through the middles of pixels, (H, W) RAY, or through samples^2 cells of each, (H, W, samples^2).

        They start at near.  With far inf a direction has unit length, and t is the distance from there; with a
        finite far it reaches from near to far, and t runs from 0 to 1.  The depth is that of project(), or of
        render(show="depth").
        """
        if not isinstance(samples, (int, np.integer)) or not 1 <= samples <= 4096:
            raise InvalidArgument(f"samples are a whole number from 1 to 4096, not {samples!r}")
        shape = (self.height, self.width) if samples == 1 else (self.height, self.width, samples * samples)
        out = np.empty(shape, RAY)
        _core.camera_rays(self._handle, samples, out)
        return out

    def project(self, points):
        """Where points (..., 3) appear: (..., 3) float32, x and y in pixels and the depth in clip space; NaN for a
        point that is not in front of the eye."""
        array = _arrays.packed(_arrays.rows(points, "points"), np.float32)
        out = np.empty(array.shape, np.float32)
        _core.camera_project(self._handle, array.size // 3, array, out)
        return out

    def __repr__(self):
        eye, ahead = (", ".join(f"{x:.6g}" for x in three) for three in (self._eye, 0 - self.view[2, :3]))
        return f"<Camera at ({eye}) along ({ahead}), {self.width} x {self.height} pixels>"

    def __reduce__(self):
        return _restore, (*_core.camera_matrices(self._handle), self._eye)


def _restore(width, height, view, projection, eye):
    """A camera from what __reduce__ gave."""
    camera = Camera.__new__(Camera)
    camera._set(_core.camera_from_matrices(width, height, view, projection), eye)
    return camera
