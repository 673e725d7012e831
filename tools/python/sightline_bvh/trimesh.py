"""What trimesh asks its ray objects and its collision managers, answered by sightline.

>>> import sightline_bvh as sightline
>>> from sightline_bvh.trimesh import RayMeshIntersector
>>> ray = RayMeshIntersector(sightline.sphere(8))  # or a trimesh.Trimesh: what has vertices and faces
>>> triangles, rays = ray.intersects_id([[0.1, 0.2, -2.0]], [[0.0, 0.0, 1.0]])
>>> rays
array([0, 0])
>>> ray.contains_points([[0.0, 0.0, 0.5], [0.0, 0.0, 1.5]])
array([ True, False])

To a mesh of trimesh it is given as `mesh.ray = RayMeshIntersector(mesh)`: `mesh.contains` and whatever else asks
`mesh.ray` then comes here.  That is for this mesh: `mesh.copy()`, `mesh.submesh()` and all else that makes meshes give
them the rays of trimesh; after install() they, too, come here.  trimesh is imported by install() alone, and nothing
is replaced unless a program says so.
"""

from types import SimpleNamespace

import numpy as np

from . import _arrays
from ._collision import CollisionManager, ContactData, DistanceData, scene_to_collision
from ._errors import InvalidArgument, Unsupported
from ._mesh import Mesh, arrays_of, nearest_floats
from ._records import NONE
from ._scene import Scene, in_place
from ._tree import Tree

__all__ = ["CollisionManager", "ContactData", "DistanceData", "RayMeshIntersector", "install", "scene_to_collision"]


def _three(values, name):
    """(n, 3) float32 or float64."""
    array = _arrays.floats(values, name)
    if array.shape == (0,):
        array = array.reshape(0, 3)
    if array.ndim != 2 or array.shape[1] != 3:
        raise _arrays.misfit(array, name, "(n, 3)", 3)
    return array


def _rays(origins, directions):
    origins, directions = _three(origins, "ray_origins"), _three(directions, "ray_directions")
    if origins.shape != directions.shape:
        raise InvalidArgument(
            f"ray_origins have the shape {origins.shape} and ray_directions {directions.shape}; the same is wanted"
        )
    return _arrays.common(origins, directions)


def _first_ones_first(rows):
    """The order in which come the first of each row, then the second ones, and so on; rows rise."""
    return np.argsort(np.arange(len(rows)) - np.searchsorted(rows, rows), kind="stable")


def install(on=True, *, scale_to_box=True, quality="default", threads=None, crossings=False):
    """Lets every mesh that trimesh makes from now on, copies and parts of others included, ask sightline.

    The options are those of RayMeshIntersector; install(False) gives new meshes the rays of trimesh again.  Meshes that
    are there keep what they have.  Raises ImportError without trimesh, Unsupported where it makes meshes otherwise.
    """
    import trimesh.base
    import trimesh.ray

    def of(mesh):
        return RayMeshIntersector(mesh, scale_to_box, quality=quality, threads=threads, crossings=crossings)

    maker = SimpleNamespace(RayMeshIntersector=of)
    ours = SimpleNamespace(has_embree=True, ray_pyembree=maker, ray_triangle=maker)
    trimesh.base.ray = ours if on else trimesh.ray
    if on and not isinstance(trimesh.Trimesh().ray, RayMeshIntersector):
        trimesh.base.ray = trimesh.ray
        raise Unsupported(f"trimesh {trimesh.__version__} gives its meshes rays in another way: write mesh.ray = ...")


class RayMeshIntersector:
    """The queries of trimesh's ray objects, with the shapes and dtypes of their answers.

    geometry      what has vertices (V, 3) and faces (T, 3): a trimesh.Trimesh, a sightline.Mesh, anything alike;
                  or a mesh of Open3D or pyvista.
                  It is read at the first query, and again whenever its hash has changed, where its class
                  has a hash of its own, as Trimesh has; an object without one is read once
    scale_to_box  accepted, and without effect: answers do not depend on the size of the mesh
    quality       of the tree: "default", "fast" or "high"
    threads       of all queries; None: the default of sightline.set_threads()
    crossings     True: rays meet surfaces, not triangles: an edge that triangles share counts once, or not at all
                  where a ray only grazes it, so that a closed mesh is met an even number of times from outside

    Vertices are kept as floats.  Vertices in doubles that are no floats are rounded once, around the middle of
    the bounds where that rounds less; `rounding` says by how much, and `target` is what is asked.  Rays of float32
    are traced in floats, any others in doubles, which takes two to four times as long; hits are decided exactly
    for the numbers that were given.  Directions may have any length but 0.

    Raises, at the first query: BadIndex, NotFinite (the first bad triangle), InvalidArgument (shapes).
    """

    def __init__(self, geometry, scale_to_box=True, *, quality="default", threads=None, crossings=False):
        self.mesh = geometry
        self._crossings = bool(crossings)
        self._scale_to_box = bool(scale_to_box)
        self._quality = quality
        self._threads = threads
        self._forget()

    def _forget(self):
        self._key = self._tree = self._target = self._origin = self._planes = None

    # ---- What is asked ----

    def _built(self):
        """self, over the mesh as it is now."""
        own = type(self.mesh).__hash__ not in (None, object.__hash__)
        key = hash(self.mesh) if own else 0
        if self._target is not None and key == self._key:
            return self
        mesh = self.mesh if isinstance(self.mesh, Mesh) else nearest_floats(*_arrays_of(self.mesh))
        self._tree = Tree(mesh, quality=self._quality, threads=self._threads)
        self._origin = mesh.origin
        self._target = in_place(self._tree, self._origin)
        if self._target is not self._tree:
            self._target = Scene([self._target])
        self._planes = None
        self._key = key
        return self

    @property
    def target(self):
        """The sightline.Tree that is asked, or the Scene of one tree, moved to where the mesh is."""
        return self._built()._target

    @property
    def rounding(self):
        """The most that a coordinate of the mesh was rounded, in its units; 0: not at all."""
        return self._built()._tree.mesh.rounding

    # ---- Queries ----

    def _ask(self, query, origins, directions, **options):
        asked = getattr(self._built()._target, query)
        return asked(origins, directions, crossings=self._crossings, threads=self._threads, **options)

    def _hits(self, origins, directions, multiple_hits, max_hits):
        """(triangle, ray, t) of each hit: the first ones of all rays, then the second ones, and so on."""
        if not multiple_hits:
            hits = self._ask("closest", origins, directions)
            rays = np.flatnonzero(hits.prim != NONE)
            return hits.prim[rays].astype(np.int64), rays, hits.t[rays]
        lists = self._ask("all", origins, directions, capacity=max_hits)
        order = _first_ones_first(lists.rows)
        return lists.values.prim[order].astype(np.int64), lists.rows[order], lists.values.t[order]

    def _distinct(self, origins, directions):
        """(triangle, ray, t) of each place on a ray, ray after ray."""
        lists = self._ask("all", origins, directions)
        rows, t, prim = lists.rows, lists.values.t, lists.values.prim.astype(np.int64)
        same = (rows[1:] == rows[:-1]) & (t[1:] == t[:-1])
        if t.dtype == np.float32 and same.any():
            # What is one t in floats may be several places: these rays are asked again in doubles, which tell them.
            again = np.unique(rows[1:][same])
            theirs = self._distinct(origins[again].astype(np.float64), directions[again])
            kept = ~np.isin(rows, again)
            both = [(prim[kept], theirs[0]), (rows[kept], again[theirs[1]]), (t[kept], theirs[2])]
            prim, rows, t = (np.concatenate(pair) for pair in both)
            order = np.argsort(rows, kind="stable")
            return prim[order], rows[order], t[order]
        new = np.concatenate([[True], ~same])[: len(rows)]
        return prim[new], rows[new], t[new]

    def _places(self, origins, directions, triangles, rays, t):
        """Where hits lie, (m, 3) float64.  Of doubles t is exact, rounded once; of floats it is computed again."""
        if origins.dtype == np.float32:
            if self._planes is None:
                corners = self._tree.triangles().astype(np.float64)
                normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
                self._planes = corners[:, 0] + self._origin, normals
            corner, normal = self._planes[0][triangles], self._planes[1][triangles]
            with np.errstate(all="ignore"):
                again = ((corner - origins[rays]) * normal).sum(axis=1) / (directions[rays] * normal).sum(axis=1)
                # What a triangle like a needle says is worse than t.
                near = (t == t.astype(np.float32)) & (np.abs(again - t) <= 1e-6 * np.abs(t))
                t = np.where(near, again, t)
        return origins[rays] + t[:, None] * directions[rays].astype(np.float64)

    def intersects_id(
        self, ray_origins, ray_directions, multiple_hits=True, max_hits=100, return_locations=False
    ):
        """The triangles that rays (n, 3) hit: index_tri (m,) int64, index_ray (m,) int64.

        multiple_hits     True: all of each ray, up to max_hits, the nearest; False: the first one
        return_locations  True: also locations (m, 3) float64

        First come the first hits of all rays, then their second ones, and so on.  Every triangle that is
        touched is there: both where a ray meets the edge between two, and each of several that lie on one
        another.  intersects_location lists places instead.

        >>> import sightline_bvh as sightline
        >>> from sightline_bvh.trimesh import RayMeshIntersector
        >>> square = sightline.Mesh([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], [[0, 1, 2], [0, 2, 3]])
        >>> RayMeshIntersector(square).intersects_id([[0.5, 0.5, 1]], [[0, 0, -1]])
        (array([0, 1]), array([0, 0]))
        """
        origins, directions = _rays(ray_origins, ray_directions)
        triangles, rays, t = self._hits(origins, directions, multiple_hits, max_hits)
        if not return_locations:
            return triangles, rays
        return triangles, rays, self._places(origins, directions, triangles, rays, t)

    def intersects_location(self, ray_origins, ray_directions, multiple_hits=True):
        """Where rays (n, 3) meet the mesh: locations (m, 3) float64, index_ray (m,), index_tri (m,) int64.

        A place is listed once for each ray, with the lowest of the triangles that share it: that are equally far in
        doubles.  The order is that of intersects_id.

        >>> import sightline_bvh as sightline
        >>> from sightline_bvh.trimesh import RayMeshIntersector
        >>> square = sightline.Mesh([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], [[0, 1, 2], [0, 2, 3]])
        >>> RayMeshIntersector(square).intersects_location([[0.5, 0.5, 1]], [[0, 0, -1]])
        (array([[0.5, 0.5, 0. ]]), array([0]), array([0]))
        """
        origins, directions = _rays(ray_origins, ray_directions)
        if multiple_hits:
            found = self._distinct(origins, directions)
            order = _first_ones_first(found[1])
            triangles, rays, t = (column[order] for column in found)
        else:
            triangles, rays, t = self._hits(origins, directions, False, 1)
        return self._places(origins, directions, triangles, rays, t), rays, triangles

    def intersects_first(self, ray_origins, ray_directions):
        """The first triangle of each ray (n, 3): (n,) int64, -1 where there is none.

        >>> import sightline_bvh as sightline
        >>> from sightline_bvh.trimesh import RayMeshIntersector
        >>> RayMeshIntersector(sightline.sphere(1)).intersects_first([[0.1, 0.2, 2]] * 2, [[0, 0, -1], [0, 0, 1]])
        array([ 0, -1])
        """
        origins, directions = _rays(ray_origins, ray_directions)
        prim = self._ask("closest", origins, directions).prim
        return np.where(prim == NONE, np.int64(-1), prim)

    def intersects_any(self, ray_origins, ray_directions):
        """Whether each ray (n, 3) hits anything: (n,) bool.

        >>> import sightline_bvh as sightline
        >>> from sightline_bvh.trimesh import RayMeshIntersector
        >>> RayMeshIntersector(sightline.sphere(1)).intersects_any([[0.1, 0.2, 2]] * 2, [[0, 0, -1], [0, 0, 1]])
        array([ True, False])
        """
        origins, directions = _rays(ray_origins, ray_directions)
        return self._ask("any", origins, directions)

    def contains_points(self, points, by=None):
        """Whether points (n, 3) are inside: (n,) bool.

        A closed mesh is judged by parity, exactly, whichever way it is wound; any other by its winding number
        (inside is more than half a turn), at the point rounded to floats, which takes longer the more open edges
        there are.  A point on the surface is on one side of it.  by="parity" and by="winding" judge any mesh, as
        those of Tree.inside: by winding what closed parts have in common is inside.
        """
        points = _three(points, "points")
        self._built()
        if by not in (None, "parity", "winding"):
            raise InvalidArgument(f"by is 'parity', 'winding' or None, not {by!r}")
        if by == "parity" or (by is None and self._tree.closed):
            judged = {"by": by} if self._target is self._tree else {}  # scenes go by parity
            return self._target.inside(points, **judged, threads=self._threads)
        near = (points - self._origin).astype(np.float32)  # origin is of doubles
        return self._tree.inside(near, by=by, threads=self._threads)

    def __repr__(self):
        return f"<RayMeshIntersector of {self.mesh!r}>"

    # ---- Copies: the mesh goes along, the tree is built again ----

    def __getstate__(self):
        options = {"quality": self._quality, "threads": self._threads, "crossings": self._crossings}
        return {"mesh": self.mesh, "scale": self._scale_to_box, "options": options}

    def __setstate__(self, state):
        self.__init__(state["mesh"], state["scale"], **state["options"])

    def __copy__(self):
        other = type(self).__new__(type(self))
        other.__setstate__(self.__getstate__())
        return other

    def __deepcopy__(self, memo):
        return self.__copy__()


def _arrays_of(mesh):
    found = arrays_of(mesh)
    if found is None:
        kind = type(mesh).__name__
        raise InvalidArgument(f"rays meet what has vertices and faces, not {kind}: write Mesh(vertices, faces)")
    return found
