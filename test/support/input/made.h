/* made.h: meshes, trees, scenes and the rest by value, for tests: each is made, or the test fails
 * with the words of its error.  Arguments are those of the calls of like names; a NULL def is the
 * default. */
#pragma once

#include <sightline/base.h>
#include <sightline/bvh.h>
#include <sightline/camera.h>
#include <sightline/instances.h>
#include <sightline/mesh.h>
#include <sightline/rays.h>
#include <sightline/topology.h>

sl_mesh *made_sphere(uint32_t n);
sl_mesh *made_torus(uint32_t rings, uint32_t sides, float major, float minor);
sl_mesh *made_grid(uint32_t nx, uint32_t ny, float height, uint32_t seed);
sl_mesh *made_soup(size_t count, float size, uint64_t seed);
sl_mesh *made_mesh(const void *xyz, size_t vertices, const void *indices, size_t triangles,
                   const sl_mesh_def *def);
/* One whose bad triangles are left out. */
sl_mesh *made_loose_mesh(const void *xyz, size_t vertices, const void *indices, size_t triangles);

sl_bvh *made_bvh(const sl_mesh *mesh, const sl_build_def *def);
sl_bvh *made_bvh_alone(sl_mesh *mesh, const sl_build_def *def); /* the mesh is destroyed */
sl_bvh *made_scene(const sl_instance *instances, size_t count, const sl_instances_def *def);
sl_topology *made_topology(const sl_mesh *mesh, const sl_topology_def *def);
sl_camera made_camera(const sl_camera_def *def);
sl_pool *made_pool(int workers);

/* As malloc and calloc give it. */
void *made_memory(size_t size);
void *made_zeros(size_t count, size_t size);

/* Both are destroyed; NULL is fine. */
void unmake_bvh(sl_bvh *bvh, sl_mesh *mesh);
void unmake_topology(sl_topology *topology, sl_mesh *mesh);
