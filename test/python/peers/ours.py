"""A plugin of pytest: all rays of trimesh are sightline's, those that tests make by themselves included."""

import os

import trimesh.ray.ray_pyembree
import trimesh.ray.ray_triangle

from sightline_bvh.trimesh import RayMeshIntersector, install

CROSSINGS = os.environ["SIGHTLINE_CROSSINGS"] == "1"


class Ours(RayMeshIntersector):
    def __init__(self, geometry, scale_to_box=True, **_):
        super().__init__(geometry, scale_to_box, crossings=CROSSINGS)


trimesh.ray.ray_pyembree.RayMeshIntersector = trimesh.ray.ray_triangle.RayMeshIntersector = Ours
install(crossings=CROSSINGS)
