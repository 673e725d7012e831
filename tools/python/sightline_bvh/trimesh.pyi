"""What trimesh asks its ray objects and collision managers, answered by sightline: type stubs."""

from typing import Any, Literal, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import Quality, Scene, Tree
from . import _By as By

__all__ = ["CollisionManager", "ContactData", "DistanceData", "RayMeshIntersector", "install", "scene_to_collision"]

# Meshes that trimesh makes from now on ask sightline; install(False): trimesh again.
def install(on: bool = True, *, scale_to_box: bool = True, quality: Quality = "default", threads: int | None = None,
            crossings: bool = False) -> None: ...

class RayMeshIntersector:
    """The queries of trimesh's ray objects, with the shapes and dtypes of their answers."""
    mesh: Any  # what has vertices (V, 3) and faces (T, 3)
    def __init__(self, geometry: Any, scale_to_box: bool = True, *, quality: Quality = "default",
                 threads: int | None = None, crossings: bool = False) -> None: ...
    @property
    def target(self) -> Tree | Scene: ...  # what is asked
    @property
    def rounding(self) -> float: ...  # the most that a coordinate was rounded, in units of the mesh
    # ray_origins, ray_directions, points: (n, 3), float32 or what becomes float64.  m: the hits, first ones first.
    @overload  # index_tri (m,), index_ray (m,)
    def intersects_id(self, ray_origins: ArrayLike, ray_directions: ArrayLike, multiple_hits: bool = True,
                      max_hits: int = 100,
                      return_locations: Literal[False] = False) -> tuple[NDArray[np.int64], NDArray[np.int64]]: ...
    @overload  # and locations (m, 3)
    def intersects_id(self, ray_origins: ArrayLike, ray_directions: ArrayLike, multiple_hits: bool = True,
                      max_hits: int = 100, *, return_locations: Literal[True],
                      ) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]: ...
    # locations (m, 3), index_ray (m,), index_tri (m,)
    def intersects_location(
        self, ray_origins: ArrayLike, ray_directions: ArrayLike, multiple_hits: bool = True,
    ) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.int64]]: ...
    def intersects_first(self, ray_origins: ArrayLike, ray_directions: ArrayLike) -> NDArray[np.int64]: ...  # (n,), -1
    def intersects_any(self, ray_origins: ArrayLike, ray_directions: ArrayLike) -> NDArray[np.bool_]: ...  # (n,)
    def contains_points(self, points: ArrayLike, by: By = None) -> NDArray[np.bool_]: ...  # (n,)
    def __getstate__(self) -> dict[str, Any]: ...
    def __setstate__(self, state: dict[str, Any]) -> None: ...
    def __copy__(self) -> RayMeshIntersector: ...
    def __deepcopy__(self, memo: dict[int, Any]) -> RayMeshIntersector: ...

class ContactData:
    """A contact of two objects."""
    names: set[str]
    point: NDArray[np.float64]  # (3,) common to both
    normal: NDArray[np.float64]  # (3,) of the triangle of the object that was named first
    def index(self, name: str) -> int: ...  # the triangle of that object
    @property
    def depth(self) -> float: ...  # Unsupported

class DistanceData:
    """The nearest points of two objects."""
    names: set[str]
    distance: float
    def index(self, name: str) -> int: ...
    def point(self, name: str) -> NDArray[np.float64]: ...  # (3,)

class CollisionManager:
    """The queries of trimesh.collision.CollisionManager: what is asked for besides the first answer comes behind it."""
    def __init__(self, *, threads: int | None = None) -> None: ...
    def add_object(self, name: str, mesh: Any, transform: ArrayLike | None = None) -> None: ...
    def remove_object(self, name: str) -> None: ...
    def set_transform(self, name: str, transform: ArrayLike) -> None: ...
    def in_collision_single(self, mesh: Any, transform: ArrayLike | None = None, return_names: bool = False,
                            return_data: bool = False) -> Any: ...
    def in_collision_internal(self, return_names: bool = False, return_data: bool = False) -> Any: ...
    def in_collision_other(self, other_manager: CollisionManager, return_names: bool = False,
                           return_data: bool = False) -> Any: ...
    def min_distance_single(self, mesh: Any, transform: ArrayLike | None = None, return_name: bool = False,
                            return_data: bool = False) -> Any: ...
    def min_distance_internal(self, name: str | None = None, return_names: bool = False,
                              return_data: bool = False) -> Any: ...
    def min_distance_other(self, other_manager: CollisionManager, return_names: bool = False,
                           return_data: bool = False) -> Any: ...

# The nodes of a trimesh.Scene, by their names, and their meshes.
def scene_to_collision(scene: Any) -> tuple[CollisionManager, dict[str, Any]]: ...
