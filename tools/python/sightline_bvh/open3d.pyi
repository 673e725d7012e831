"""What Open3D's RaycastingScene answers, answered by sightline: type stubs."""

from typing import Any, ClassVar, Literal, TypeAlias, TypedDict, TypeVar, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import Quality, Scene, Tree

__all__ = ["RaycastingScene", "Tensor"]

_Shape = TypeVar("_Shape", bound=tuple[int, ...])
_Dtype = TypeVar("_Dtype", bound=np.dtype[Any])

class Tensor(np.ndarray[_Shape, _Dtype]):
    """An answer: a numpy array that has the methods of Open3D's tensors that answers are usually asked."""
    is_cpu: ClassVar[bool]
    is_cuda: ClassVar[bool]
    def __getitem__(self, index: Any) -> Tensor[Any, _Dtype]: ...  # type: ignore[override]
    def __hash__(self) -> int: ...  # type: ignore[override]
    def numpy(self) -> NDArray[Any]: ...  # the same numbers, plain
    def cpu(self) -> Tensor[_Shape, _Dtype]: ...
    def clone(self) -> Tensor[_Shape, _Dtype]: ...
    def contiguous(self) -> Tensor[_Shape, _Dtype]: ...
    def isfinite(self) -> NDArray[np.bool_]: ...
    def isinf(self) -> NDArray[np.bool_]: ...
    def isnan(self) -> NDArray[np.bool_]: ...
    def abs(self) -> Tensor[_Shape, _Dtype]: ...
    def to(self, *what: Any, copy: bool = False) -> Tensor[Any, Any]: ...  # dtypes, of Open3D or numpy; devices

_Number = TypeVar("_Number", bound=np.generic)
_Of: TypeAlias = Tensor[tuple[int, ...], np.dtype[_Number]]

class _Found(TypedDict):
    geometry_ids: _Of[np.uint32]  # (...) INVALID_ID: none
    primitive_ids: _Of[np.uint32]  # (...)
    primitive_uvs: _Of[np.float32]  # (..., 2) weights of vertices 1 and 2

class _Cast(_Found):
    t_hit: _Of[np.floating[Any]]  # (...) float32, of float64 rays float64; inf: none
    primitive_normals: _Of[np.float32]  # (..., 3) of unit length

class _Listed(_Found):
    ray_splits: _Of[np.integer[Any]]  # (N + 1,) uint32
    ray_ids: _Of[np.uint32]  # (M,)
    t_hit: _Of[np.floating[Any]]  # (M,)

class _Closest(_Found):
    points: _Of[np.floating[Any]]  # (..., 3)
    primitive_normals: _Of[np.float32]  # (..., 3)

class RaycastingScene:
    """The queries of Open3D's RaycastingScene, with the keys, shapes and dtypes of its answers."""
    INVALID_ID: ClassVar[int]
    def __init__(self, nthreads: int = 0, device: Any = None, *, quality: Quality = "high",
                 crossings: bool = True) -> None: ...
    def __getstate__(self) -> dict[str, Any]: ...
    def __setstate__(self, state: dict[str, Any]) -> None: ...
    # Arrays, or one mesh: of Open3D, sightline, trimesh, pyvista, or what has vertices and faces.  The geometry ID.
    def add_triangles(self, vertex_positions: Any = None, triangle_indices: Any = None, *, mesh: Any = None) -> int: ...
    @property
    def rounding(self) -> float: ...  # the most that a coordinate was rounded, in units of the meshes
    @property
    def target(self) -> Tree | Scene: ...  # what is asked
    # rays (..., 6), points (..., 3): float32 or float64 arrays, or tensors with .numpy().
    def cast_rays(self, rays: Any, nthreads: int = 0) -> _Cast: ...
    def test_occlusions(self, rays: Any, tnear: float = 0.0, tfar: float = ...,
                        nthreads: int = 0) -> _Of[np.bool_]: ...
    def count_intersections(self, rays: Any, nthreads: int = 0) -> _Of[np.int32]: ...
    def list_intersections(self, rays: Any, nthreads: int = 0) -> _Listed: ...
    def compute_closest_points(self, query_points: Any, nthreads: int = 0) -> _Closest: ...
    def compute_distance(self, query_points: Any, nthreads: int = 0) -> _Of[np.float32]: ...
    def compute_signed_distance(self, query_points: Any, nthreads: int = 0,
                                nsamples: int = 1, *, by: Literal["parity", "winding"] = "parity",
                                ) -> _Of[np.float32]: ...
    def compute_occupancy(self, query_points: Any, nthreads: int = 0, nsamples: int = 1, *,
                          by: Literal["parity", "winding"] = "parity") -> _Of[np.float32]: ...
    @overload
    @staticmethod
    def create_rays_pinhole(intrinsic_matrix: ArrayLike, extrinsic_matrix: ArrayLike, width_px: int,
                            height_px: int) -> _Of[np.float32]: ...
    @overload
    @staticmethod
    def create_rays_pinhole(fov_deg: float, center: ArrayLike, eye: ArrayLike, up: ArrayLike, width_px: int,
                            height_px: int) -> _Of[np.float32]: ...
