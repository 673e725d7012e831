"""What Open3D's RaycastingScene answers, answered by sightline: type stubs."""

from typing import Any, ClassVar, Literal, TypedDict, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import Quality, Scene, Tree

__all__ = ["RaycastingScene"]

class _Found(TypedDict):
    geometry_ids: NDArray[np.uint32]  # (...) INVALID_ID: none
    primitive_ids: NDArray[np.uint32]  # (...)
    primitive_uvs: NDArray[np.float32]  # (..., 2) weights of vertices 1 and 2

class _Cast(_Found):
    t_hit: NDArray[np.floating[Any]]  # (...) float32, of float64 rays float64; inf: none
    primitive_normals: NDArray[np.float32]  # (..., 3) of unit length

class _Listed(_Found):
    ray_splits: NDArray[np.integer[Any]]  # (N + 1,) uint32
    ray_ids: NDArray[np.uint32]  # (M,)
    t_hit: NDArray[np.floating[Any]]  # (M,)

class _Closest(_Found):
    points: NDArray[np.floating[Any]]  # (..., 3)
    primitive_normals: NDArray[np.float32]  # (..., 3)

class RaycastingScene:
    """The queries of Open3D's RaycastingScene, with the keys, shapes and dtypes of its answers."""
    INVALID_ID: ClassVar[int]
    def __init__(self, nthreads: int = 0, device: Any = None, *, quality: Quality = "high",
                 crossings: bool = True) -> None: ...
    def __getstate__(self) -> dict[str, Any]: ...
    def __setstate__(self, state: dict[str, Any]) -> None: ...
    # Arrays, or one mesh: of Open3D, sightline, or what has vertices and faces.  The geometry ID.
    def add_triangles(self, vertex_positions: Any = None, triangle_indices: Any = None, *, mesh: Any = None) -> int: ...
    @property
    def target(self) -> Tree | Scene: ...  # what is asked
    # rays (..., 6), points (..., 3): float32 or float64 arrays, or tensors with .numpy().
    def cast_rays(self, rays: Any, nthreads: int = 0) -> _Cast: ...
    def test_occlusions(self, rays: Any, tnear: float = 0.0, tfar: float = ...,
                        nthreads: int = 0) -> NDArray[np.bool_]: ...
    def count_intersections(self, rays: Any, nthreads: int = 0) -> NDArray[np.int32]: ...
    def list_intersections(self, rays: Any, nthreads: int = 0) -> _Listed: ...
    def compute_closest_points(self, query_points: Any, nthreads: int = 0) -> _Closest: ...
    def compute_distance(self, query_points: Any, nthreads: int = 0) -> NDArray[np.float32]: ...
    def compute_signed_distance(self, query_points: Any, nthreads: int = 0,
                                nsamples: int = 1, *, by: Literal["parity", "winding"] = "parity",
                                ) -> NDArray[np.float32]: ...
    def compute_occupancy(self, query_points: Any, nthreads: int = 0, nsamples: int = 1, *,
                          by: Literal["parity", "winding"] = "parity") -> NDArray[np.float32]: ...
    @overload
    @staticmethod
    def create_rays_pinhole(intrinsic_matrix: ArrayLike, extrinsic_matrix: ArrayLike, width_px: int,
                            height_px: int) -> NDArray[np.float32]: ...
    @overload
    @staticmethod
    def create_rays_pinhole(fov_deg: float, center: ArrayLike, eye: ArrayLike, up: ArrayLike, width_px: int,
                            height_px: int) -> NDArray[np.float32]: ...
