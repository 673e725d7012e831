"""What Open3D's RaycastingScene answers, answered by sightline: arrays or tensors in, arrays that act as tensors out.

>>> import numpy as np, sightline_bvh as sightline
>>> from sightline_bvh.open3d import RaycastingScene
>>> scene = RaycastingScene()
>>> scene.add_triangles(sightline.sphere(8))
0
>>> scene.cast_rays(np.array([[0, 0, 2, 0, 0, -1]], np.float32))["t_hit"].numpy()
array([1.], dtype=float32)

Tensors and meshes of Open3D are taken as they are, and Open3D takes the answers for tensors: they are Tensors, numpy
arrays with .numpy(), .cpu() and what else is usually called on an answer.  Open3D itself is not imported.
"""

import threading

import numpy as np

from . import _arrays
from ._errors import InvalidArgument, Unsupported
from ._mesh import Mesh, arrays_of, nearest_floats
from ._records import NONE
from ._scene import Scene, in_place
from ._tree import Tree

__all__ = ["RaycastingScene", "Tensor"]


class Tensor(np.ndarray):
    """An answer: a numpy array that has the methods of Open3D's tensors that answers are usually asked.

    >>> import numpy as np
    >>> from sightline_bvh.open3d import Tensor
    >>> far = np.array([1.0, np.inf]).view(Tensor)
    >>> far.isfinite().numpy()
    array([ True, False])
    """

    is_cpu, is_cuda = True, False

    def __getitem__(self, index):
        return _tensors(super().__getitem__(index))  # a single number, too

    def __hash__(self):
        return hash(self.item())

    def numpy(self):
        """The same numbers as a plain numpy array; nothing is copied."""
        return np.asarray(self)

    def cpu(self):
        """Itself, as it is there already."""
        return self

    def clone(self):
        """A copy."""
        return self.copy()

    def contiguous(self):
        """Itself where it is C-contiguous, else a copy that is."""
        return np.ascontiguousarray(self).view(Tensor)

    def isfinite(self):
        """Whether each is a number that is finite."""
        return np.isfinite(self)

    def isinf(self):
        """Whether each is infinite: a ray that hits nothing."""
        return np.isinf(self)

    def isnan(self):
        """Whether each is NaN."""
        return np.isnan(self)

    def abs(self):
        """The same without signs."""
        return np.abs(self)

    def to(self, *what, copy=False):
        """With another dtype, of Open3D or numpy, or on a device, which is the CPU, else Unsupported."""
        out = self.copy() if copy else self
        for one in what:
            text = str(one)
            if ":" in text:
                _on_cpu(text)
            elif not isinstance(one, bool):
                out = out.astype(text.lower() if type(one).__module__.startswith("open3d") else one)
        return out


def _tensors(answer):
    """An answer as a caller gets it: an array, or a dictionary of them."""
    if isinstance(answer, dict):
        return {name: _tensors(array) for name, array in answer.items()}
    return np.asarray(answer).view(Tensor)


def _on_cpu(device):
    if device is not None and "cpu" not in str(device).lower():
        raise Unsupported(f"rays are cast by the CPU, not by {device}")


def _threads(nthreads):
    return None if nthreads == 0 else nthreads


def _normals(triangles):
    """(T, 3) float32 of unit length, on the front; 0 where there is none."""
    corners = triangles.astype(np.float64)
    with np.errstate(all="ignore"):
        normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    normals[~np.isfinite(normals).all(axis=1)] = 0
    return normals.astype(np.float32)


class RaycastingScene:
    """The queries of Open3D's RaycastingScene, with the keys, shapes and dtypes of its answers.

    nthreads   of the builds of trees; 0: the default of sightline.set_threads()
    device     None or a CPU; anything else is Unsupported
    quality    of trees: "high", as in Open3D; "default", which is built two to four times as fast; or "fast"
    crossings  True: count_intersections and list_intersections count surfaces crossed, so that an edge that
               two triangles share counts once, or not at all where a ray only grazes it; False: every
               triangle that is touched.  Triangles that lie on one another all count, either way

    Rays (..., 6) and points (..., 3) may be float32, as in Open3D, or float64, which is traced in doubles: t_hit
    and points are then float64.  nthreads of a call: 0: the default.  No answer depends on it.  Far from the origin
    floats are far from one another (64 units at 1e9): there rays and points in float64 are wanted.

    >>> import numpy as np, sightline_bvh as sightline
    >>> from sightline_bvh.open3d import RaycastingScene
    >>> scene = RaycastingScene()
    >>> scene.add_triangles(sightline.sphere(8)), scene.add_triangles(sightline.torus(16, 8, 3.0, 0.5))
    (0, 1)
    >>> answer = scene.cast_rays(np.array([[3.1, 0.1, 2, 0, 0, -1], [9, 9, 2, 0, 0, -1]], np.float32))
    >>> answer["geometry_ids"].numpy()
    array([         1, 4294967295], dtype=uint32)
    """

    INVALID_ID = NONE

    def __init__(self, nthreads=0, device=None, *, quality="high", crossings=True):
        _on_cpu(device)
        self._nthreads = nthreads
        self._quality = quality
        self._crossings = bool(crossings)
        self._trees, self._targets = [], []
        self._rounding = 0.0
        self._ready = None
        self._table = None
        self._lock = threading.Lock()

    def __repr__(self):
        return f"<RaycastingScene of {len(self._trees)} geometries, {sum(map(len, self._trees))} triangles>"

    def __getstate__(self):
        with self._lock:
            given = {"nthreads": self._nthreads, "quality": self._quality, "crossings": self._crossings}
            return {"given": given, "trees": list(self._trees), "targets": list(self._targets), "rounding": self._rounding}

    def __setstate__(self, state):
        self.__init__(**state["given"])
        self._trees, self._targets, self._rounding = state["trees"], state["targets"], state["rounding"]

    # ---- What is asked ----

    def add_triangles(self, vertex_positions=None, triangle_indices=None, *, mesh=None):
        """Adds a mesh and returns its geometry ID, counted from 0.

        vertex_positions (V, 3) and triangle_indices (T, 3); or one mesh: of Open3D (either kind), of sightline,
        trimesh or pyvista, or what has vertices and faces.  float64 positions are rounded to float32 once, around the
        middle of the bounds where that rounds less; rounding says by how much.

        Raises BadIndex and NotFinite with the number of the triangle, InvalidArgument for other shapes.
        """
        if mesh is not None and vertex_positions is not None:
            raise InvalidArgument("a mesh, or vertex_positions and triangle_indices, not both")
        mesh = vertex_positions if mesh is None else mesh
        if triangle_indices is None:
            if mesh is None:
                raise InvalidArgument("a mesh is wanted, or vertex_positions and triangle_indices")
            if isinstance(mesh, Tree):
                return self._add(mesh, mesh)
            if not isinstance(mesh, Mesh):
                found = arrays_of(mesh)
                if found is None:
                    kind = type(mesh).__name__
                    raise InvalidArgument(f"a mesh has vertices and triangles, not {kind}: give both, as two arrays")
                mesh = nearest_floats(*found)
        else:
            mesh = nearest_floats(vertex_positions, triangle_indices)
        tree = Tree(mesh, quality=self._quality, threads=_threads(self._nthreads), keep_mesh=True)
        return self._add(tree, in_place(tree, mesh.origin), mesh.rounding)

    def _add(self, tree, placed, rounding=0.0):
        with self._lock:
            self._trees.append(tree)
            self._targets.append(placed if placed is tree else Scene([placed]))
            self._rounding = max(self._rounding, rounding)
            self._ready = self._table = None
            return len(self._trees) - 1

    @property
    def rounding(self):
        """The most that a coordinate of any mesh was rounded, in its units; 0: not at all."""
        return self._rounding

    @property
    def target(self):
        """The sightline.Tree that is asked, where there is one geometry, which was not moved; else the Scene of all."""
        with self._lock:
            if self._ready is None:
                self._ready = self._targets[0] if len(self._targets) == 1 else Scene(self._targets)
            return self._ready

    def _normals(self, prim, instance):
        """(..., 3) float32 of the triangles of hits; 0 of misses."""
        with self._lock:
            if self._table is None:
                tables = [_normals(tree.triangles()) for tree in self._trees]
                first = np.cumsum([0] + [len(table) for table in tables])
                # The last row is that of misses.
                self._table = np.concatenate([*tables, np.zeros((1, 3), np.float32)]), first
            table, first = self._table
        row = prim if len(first) == 2 else first[instance] + prim
        return table.take(np.minimum(row, len(table) - 1), axis=0)  # a miss is beyond the end

    def _named(self, hits):
        """What answers about rays and points share."""
        prim = hits.prim.copy()
        if len(self._trees) == 1:
            geometry = np.where(prim == NONE, np.uint32(NONE), np.uint32(0))
        else:
            geometry = np.where(prim == NONE, np.uint32(NONE), hits.instance)
        uvs = np.empty((*prim.shape, 2), np.float32)
        uvs[..., 0], uvs[..., 1] = hits.u, hits.v
        return {"geometry_ids": geometry, "primitive_ids": prim, "primitive_uvs": uvs}

    # ---- Rays ----

    def cast_rays(self, rays, nthreads=0):
        """The first hit of each ray (..., 6), origin and direction: a dictionary of

        t_hit (...) float32, in units of the direction, inf: none; geometry_ids, primitive_ids (...) uint32,
        INVALID_ID: none; primitive_uvs (..., 2) float32, the weights of vertices 1 and 2; primitive_normals
        (..., 3) float32 of unit length.  Of misses the last two are 0.
        """
        hits = self.target.closest(_arrays.rows(rays, "rays", 6), threads=_threads(nthreads))
        answer = {"t_hit": hits.t.copy(), **self._named(hits)}
        answer["primitive_normals"] = self._normals(answer["primitive_ids"], hits.instance)
        return _tensors(answer)

    def test_occlusions(self, rays, tnear=0.0, tfar=np.inf, nthreads=0):
        """Whether each ray (..., 6) meets anything between tnear and tfar, ends included: (...) bool."""
        rays = _arrays.rows(rays, "rays", 6)
        limits = {"tmin": float(tnear), "tmax": float(tfar)}
        return _tensors(self.target.any(rays[..., :3], rays[..., 3:], **limits, threads=_threads(nthreads)))

    def count_intersections(self, rays, nthreads=0):
        """How often each ray (..., 6) crosses the scene: (...) int32.  See crossings."""
        rays = _arrays.rows(rays, "rays", 6)
        counts = self.target.count(rays, crossings=self._crossings, threads=_threads(nthreads))
        return _tensors(counts.astype(np.int32))

    def list_intersections(self, rays, nthreads=0):
        """All of them (M), ray after ray and sorted by t_hit within each: a dictionary of

        ray_splits (N + 1,) uint32, hits of ray i are ray_splits[i] to ray_splits[i + 1]; ray_ids (M,) uint32;
        t_hit (M,) float32; geometry_ids, primitive_ids (M,) uint32; primitive_uvs (M, 2) float32.  Rays are
        numbered along the flattened leading shape.  More than 2^32 - 1 hits: ray_splits is int64.
        """
        rays = _arrays.rows(rays, "rays", 6)
        lists = self.target.all(rays, crossings=self._crossings, threads=_threads(nthreads))
        splits = lists.offsets if lists.offsets[-1] > NONE else lists.offsets.astype(np.uint32)
        numbers = {"ray_splits": splits, "ray_ids": lists.rows.astype(np.uint32), "t_hit": lists.values.t.copy()}
        return _tensors({**numbers, **self._named(lists.values)})

    # ---- Points ----

    def _nearest(self, query_points, nthreads):
        points = _arrays.rows(query_points, "query_points", 3)
        return points, self.target.nearest(points, threads=_threads(nthreads))

    def compute_closest_points(self, query_points, nthreads=0):
        """The nearest point of the scene to each of (..., 3): a dictionary of

        points (..., 3) float32; geometry_ids, primitive_ids (...) uint32; primitive_uvs (..., 2) float32;
        primitive_normals (..., 3) float32.  Where there is none (no triangles, a NaN), points are NaN and the
        numbers INVALID_ID.
        """
        _, found = self._nearest(query_points, nthreads)
        near = np.array(found.point)
        near[~found.found] = np.nan
        answer = {"points": near, **self._named(found)}
        answer["primitive_normals"] = self._normals(answer["primitive_ids"], found.instance)
        return _tensors(answer)

    def compute_distance(self, query_points, nthreads=0):
        """The distance of each point (..., 3): (...) float32; inf: there are no triangles; NaN of a NaN."""
        points, found = self._nearest(query_points, nthreads)
        distance = np.array(found.distance)
        distance[~np.isfinite(points).all(axis=-1)] = np.nan
        return _tensors(distance)

    def _inside(self, points, nsamples, nthreads, by):
        if by not in ("parity", "winding"):
            raise InvalidArgument(f"by is 'parity' or 'winding', not {by!r}")
        if nsamples < 1 or nsamples % 2 == 0:
            raise InvalidArgument(f"nsamples is odd and at least 1, not {nsamples}")
        if by == "winding":
            turns = np.zeros(points.shape[:-1])
            for tree, target in zip(list(self._trees), list(self._targets), strict=True):
                origin = target.instances[0].transform[:3, 3] if target._is_scene else 0
                near = (points - origin).astype(np.float32)
                turns += tree.inside(near, details=True, threads=_threads(nthreads)).winding
            return abs(turns) > 0.5
        inside = np.zeros(points.shape[:-1], bool)
        for target in list(self._targets):
            by = {} if target._is_scene else {"by": "parity"}
            inside ^= target.inside(points, **by, threads=_threads(nthreads))
        return inside

    def compute_signed_distance(self, query_points, nthreads=0, nsamples=1, *, by="parity"):
        """compute_distance, negative inside: (...) float32.  See compute_occupancy."""
        points = _arrays.rows(query_points, "query_points", 3)
        distance = self.compute_distance(points, nthreads).numpy()
        return _tensors(np.where(self._inside(points, nsamples, nthreads, by), -distance, distance))

    def compute_occupancy(self, query_points, nthreads=0, nsamples=1, *, by="parity"):
        """Whether each point (..., 3) is inside: (...) float32, 1 or 0.

        A point is inside if a ray from it along +x crosses the scene an odd number of times, which is exact for
        closed meshes; of an open one it depends on where the ray goes.  by="winding": a point is inside if all
        meshes together, with their fronts outwards, run around it by more than half a turn, which is better for
        open ones, and slower, and makes one body of those that overlap; points are rounded to float32.  nsamples is accepted, odd and at least 1, and without effect: one ray is enough
        where none is wrong.
        """
        points = _arrays.rows(query_points, "query_points", 3)
        return _tensors(self._inside(points, nsamples, nthreads, by).astype(np.float32))

    # ---- Cameras ----

    @staticmethod
    def create_rays_pinhole(*args, **kwargs):
        """Rays through the middles of pixels: (height_px, width_px, 6) float32.

        create_rays_pinhole(intrinsic_matrix, extrinsic_matrix, width_px, height_px): (3, 3), and (4, 4) from
        the world to the camera, which looks along +z.  create_rays_pinhole(fov_deg, center, eye, up, width_px,
        height_px): fov_deg is the horizontal one.  As in Open3D, up is where rows of pixels grow to.
        Directions have the length 1 along the camera's axis.

        >>> from sightline_bvh.open3d import RaycastingScene
        >>> rays = RaycastingScene.create_rays_pinhole(90, [0, 0, 0], [0, 0, -2], [0, 1, 0], 3, 2)
        >>> rays.shape, float(rays[0, 0, 5])
        ((2, 3, 6), 1.0)
        """
        given = len(args) + len(kwargs)
        names = _BY_FOV if given == len(_BY_FOV) else _BY_MATRICES
        named = dict(zip(names, args, strict=False))
        if given != len(names) or set(kwargs) | set(named) != set(names):
            raise InvalidArgument(f"the arguments are {', '.join(_BY_MATRICES)}; or {', '.join(_BY_FOV)}")
        named.update(kwargs)
        width, height = int(named["width_px"]), int(named["height_px"])
        if width < 1 or height < 1:
            raise InvalidArgument(f"a picture of {width} x {height} pixels; it has 1 at least")
        if names is _BY_FOV:
            inner, outer = _look_at(named, width, height)
        else:
            inner, outer = (_arrays.shaped(named[n], n, k, k) for n, k in zip(_BY_MATRICES[:2], (3, 4), strict=True))
        try:
            back = outer[:3, :3].T @ np.linalg.inv(inner)
        except np.linalg.LinAlgError:
            raise InvalidArgument("intrinsic_matrix has no inverse") from None
        pixels = np.ones((height, width, 3))
        pixels[..., 0] = np.arange(width) + 0.5
        pixels[..., 1] = np.arange(height)[:, None] + 0.5
        rays = np.empty((height, width, 6), np.float32)
        rays[..., :3] = -outer[:3, :3].T @ outer[:3, 3]
        rays[..., 3:] = pixels @ back.T
        return _tensors(rays)


_BY_MATRICES = ("intrinsic_matrix", "extrinsic_matrix", "width_px", "height_px")
_BY_FOV = ("fov_deg", "center", "eye", "up", "width_px", "height_px")


def _look_at(named, width, height):
    """The matrices of a camera that looks from eye to center."""
    center, eye, up = (_arrays.shaped(named[name], name, 3) for name in ("center", "eye", "up"))
    fov = float(named["fov_deg"])
    if not 0 < fov < 180:
        raise InvalidArgument(f"fov_deg is between 0 and 180, not {fov}")
    focal = 0.5 * width / np.tan(np.radians(fov) / 2)
    axis = center - eye
    across = np.cross(up, axis)
    if not np.linalg.norm(across) > 0:
        raise InvalidArgument("up is not along the line from eye to center, and neither is 0")
    axis, across = axis / np.linalg.norm(axis), across / np.linalg.norm(across)
    outer = np.eye(4)
    outer[:3, :3] = across, np.cross(axis, across), axis
    outer[:3, 3] = -outer[:3, :3] @ eye
    return np.array([[focal, 0, width / 2], [0, focal, height / 2], [0, 0, 1]]), outer
