"""What trimesh asks its collision managers, answered by sightline."""

import numpy as np

from . import _arrays
from ._errors import InvalidArgument, Unsupported
from ._mesh import Mesh, arrays_of, nearest_floats
from ._scene import Instance, Scene
from ._tree import Tree

_NEW = "__external"  # what trimesh calls the mesh that is not in the manager


class ContactData:
    """A contact of two objects.

    names   both, a set
    point   (3,) float64: a point that both have in common
    normal  (3,) float64: of the triangle of the object that was named first, of unit length
    """

    def __init__(self, names, prims, point, normal):
        self.names = set(names)
        self._prims = dict(zip(names, prims, strict=True))
        self.point = point
        self.normal = normal

    def index(self, name):
        """The triangle of the object `name` that has the point."""
        return self._prims[name]

    @property
    def depth(self):
        """Raises Unsupported: how deep meshes that are not convex are in one another is no number."""
        raise Unsupported("meshes have no depth of penetration; ask for Tree.solids or Tree.distance")


class DistanceData:
    """The nearest points of two objects.

    names     both, a set
    distance  float: 0 exactly where they meet
    """

    def __init__(self, names, found):
        self.names = set(names)
        self.distance = float(found.distance)
        self._prims = dict(zip(names, (int(found.a["prim"]), int(found.b["prim"])), strict=True))
        self._points = dict(zip(names, (found.point_a, found.point_b), strict=True))

    def index(self, name):
        """The triangle of the object `name` that is nearest."""
        return self._prims[name]

    def point(self, name):
        """(3,) float64: the point of the object `name` that is nearest."""
        return self._points[name]


def _answer(value, *more):
    """value, and what was asked for besides."""
    wanted = tuple(what for asked, what in more if asked)
    return (value, *wanted) if wanted else value


class CollisionManager:
    """The queries of trimesh.collision.CollisionManager, without fcl: objects under transforms, by names.

    Meshes are surfaces: one inside another does not collide with it.  (There, convex ones are solids, which have
    negative distances where they overlap; see Tree.solids and Scene.clashing(solids=True).)  All is decided exactly
    for the vertices in float32 under the transforms; coplanar faces that share area collide, and so does what touches.
    Contacts are one for each pair of objects; they have no depth.  A mesh is read when it is added, and again when
    it is moved, if its hash is another.

    >>> import numpy as np, sightline_bvh as sightline
    >>> from sightline_bvh.trimesh import CollisionManager
    >>> manager, ball = CollisionManager(), sightline.sphere(8)
    >>> manager.add_object("left", ball)
    >>> place = np.eye(4)
    >>> place[0, 3] = 1.5
    >>> manager.add_object("right", ball, place)
    >>> manager.in_collision_internal(return_names=True)
    (True, {('left', 'right')})
    >>> place[0, 3] = 3
    >>> manager.set_transform("right", place)
    >>> manager.min_distance_internal()
    1.0
    """

    def __init__(self, *, threads=None):
        self._threads = threads
        self._objects = {}
        self._trees = {}
        self._scene = None

    # ---- Objects ----

    def _instance(self, mesh, transform):
        """The instance of a mesh, and what it is known by: the same mesh is built once."""
        # A mesh of trimesh hashes by its numbers.
        own = type(mesh).__hash__ not in (None, object.__hash__)
        key = (id(mesh), hash(mesh) if own else 0)
        if key not in self._trees:
            made = mesh if isinstance(mesh, Mesh) else nearest_floats(*_arrays_of(mesh))
            if len(self._trees) > 2 * len(self._objects) + 8:  # most are of meshes that are no objects any more
                used = {key for _, _, key in self._objects.values()}
                self._trees = {key: tree for key, tree in self._trees.items() if key in used}
            self._trees[key] = (Tree(made, threads=self._threads), made.origin, mesh)
        tree, origin, _ = self._trees[key]
        place = np.eye(4) if transform is None else np.array(_arrays.floats(transform, "transform"), np.float64)
        if place.shape != (4, 4):
            raise InvalidArgument(f"transform has the shape {place.shape}; (4, 4) is wanted")
        if np.any(origin):
            there = np.eye(4)
            there[:3, 3] = origin
            place = place @ there
        return Instance(tree if len(tree) else None, place), key

    def add_object(self, name, mesh, transform=None):
        """Adds a mesh under a transform (4, 4), or replaces the one of that name."""
        one, key = self._instance(mesh, transform)
        self._objects[name] = (one, mesh, key)
        self._scene = None

    def remove_object(self, name):
        """Raises InvalidArgument where there is none of that name."""
        self._named(name)
        del self._objects[name]
        self._scene = None

    def set_transform(self, name, transform):
        """Puts an object elsewhere."""
        self.add_object(name, self._named(name)[1], transform)

    def _named(self, name):
        if name not in self._objects:
            raise InvalidArgument(f"there is no object {name!r}")
        return self._objects[name]

    def _names(self):
        return list(self._objects)

    def _instances(self):
        return [one for one, *_ in self._objects.values()]

    def _all(self):
        """All objects as a scene, in their order."""
        if self._scene is None:
            self._scene = self._of(self._instances())
        return self._scene

    def _of(self, instances):
        return Scene(instances, bad="leave_out", threads=self._threads)

    # ---- Collisions ----

    def _pairs(self, scene, names, groups, against, return_data):
        """Whether any instances clash, their pairs of names, and their contacts where these are wanted."""
        limit = 0 if return_data else 1
        found = scene.clashing(groups=groups, against=against, limit=limit, threads=self._threads)
        both = [(names[a], names[b]) for a, b in zip(found.a, found.b, strict=True)]
        data = self._contacts(scene, found, both) if return_data else []
        return len(both) > 0, both, data

    def _contacts(self, scene, found, both):
        contacts = []
        corners = scene.triangles(found.nearest.a) if len(both) else np.empty((0, 3, 3))
        normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        lengths = np.linalg.norm(normals, axis=1, keepdims=True)
        normals = np.divide(normals, lengths, out=np.zeros_like(normals), where=lengths > 0)
        for i, names in enumerate(both):
            near = found.nearest.array[i]
            prims = (int(near["a"]["prim"]), int(near["b"]["prim"]))
            contacts.append(ContactData(names, prims, near["point_a"].copy(), normals[i]))
        return contacts

    def _between(self, instances, names, return_data):
        """Pairs of one of our objects and one of others, which come behind ours."""
        ours = len(self._objects)
        scene = self._of(self._instances() + instances)
        groups = np.full(len(scene), 2, np.uint32)
        groups[:ours] = 1
        return self._pairs(scene, self._names() + names, groups, 3 - groups, return_data)

    def in_collision_single(self, mesh, transform=None, return_names=False, return_data=False):
        """Whether a mesh collides with any object: bool, the set of their names, a list of ContactData."""
        hit, both, data = self._between([self._instance(mesh, transform)[0]], [_NEW], return_data)
        return _answer(hit, (return_names, {name for name, _ in both}), (return_data, data))

    def in_collision_internal(self, return_names=False, return_data=False):
        """Whether objects collide with one another: bool, the set of pairs of names, a list of ContactData."""
        hit, both, data = self._pairs(self._all(), self._names(), None, None, return_data)
        return _answer(hit, (return_names, {tuple(sorted(pair)) for pair in both}), (return_data, data))

    def in_collision_other(self, other_manager, return_names=False, return_data=False):
        """Whether objects collide with those of another manager: bool, the set of pairs (ours, theirs), ContactData."""
        hit, both, data = self._between(other_manager._instances(), other_manager._names(), return_data)
        return _answer(hit, (return_names, set(both)), (return_data, data))

    # ---- Distances ----

    def _nearest(self, scene, other, names, other_names, limit=np.inf, **options):
        found = scene.distance(other, max_distance=limit, threads=self._threads, **options)
        if not found.found:
            return np.inf, None, None
        both = names[int(found.a["instance"])], other_names[int(found.b["instance"])]
        return float(found.distance), both, DistanceData(both, found)

    def min_distance_single(self, mesh, transform=None, return_name=False, return_data=False):
        """The least distance of a mesh from any object: float, the name of the object, DistanceData."""
        single = self._of([self._instance(mesh, transform)[0]])
        distance, both, data = self._nearest(self._all(), single, self._names(), [_NEW])
        return _answer(distance, (return_name, both and both[0]), (return_data, data))

    def min_distance_internal(self, name=None, return_names=False, return_data=False):
        """The least distance of any two objects, or of one by its name from all others: float, names, DistanceData."""
        names, scene = self._names(), self._all()
        if name is not None:
            self._named(name)
        best = (np.inf, None, None)
        for i, own in enumerate(names):
            if name not in (None, own):
                continue
            # Of two the later one was asked before, unless only one is asked.
            ignore = [[0, i + 1]] if name is None else [[i, 1]]
            one = self._of([self._objects[own][0]])
            found = self._nearest(one, scene, [own], names, best[0], other_ignore=ignore)
            best = found if found[0] < best[0] else best
        return _answer(best[0], (return_names, best[1] and tuple(sorted(best[1]))), (return_data, best[2]))

    def min_distance_other(self, other_manager, return_names=False, return_data=False):
        """The least distance of any object from any of another manager: float, (ours, theirs), DistanceData."""
        distance, both, data = self._nearest(
            self._all(), other_manager._all(), self._names(), other_manager._names()
        )
        return _answer(distance, (return_names, both), (return_data, data))


def scene_to_collision(scene):
    """A CollisionManager of the nodes of a trimesh.Scene, by their names, and a dict of their meshes.

    >>> from types import SimpleNamespace
    >>> import numpy as np, sightline_bvh as sightline
    >>> from sightline_bvh.trimesh import scene_to_collision
    >>> class Graph(dict):
    ...     nodes_geometry = ["left", "right"]
    >>> place = np.eye(4)
    >>> graph = Graph(left=(place, "ball"), right=(place, "ball"))
    >>> manager, meshes = scene_to_collision(SimpleNamespace(graph=graph, geometry={"ball": sightline.sphere(8)}))
    >>> manager.in_collision_internal(return_names=True)
    (True, {('left', 'right')})
    """
    manager, meshes = CollisionManager(), {}
    for node in scene.graph.nodes_geometry:
        place, geometry = scene.graph[node]
        meshes[node] = scene.geometry[geometry]
        manager.add_object(node, meshes[node], place)
    return manager, meshes


def _arrays_of(mesh):
    found = arrays_of(mesh)
    if found is None:
        raise InvalidArgument(f"what collides has vertices and faces, not {type(mesh).__name__}: write Mesh(vertices, faces)")
    return found
