/* gltf.h: the nodes of a glTF file, not flattened: each mesh once, and where it stands.  In the
 * library sightline::io.
 *
 *     sl_gltf *file;
 *     sl_gltf_load("town.glb", NULL, &file, &error);
 *     for (size_t i = 0; i < sl_gltf_mesh_count(file); i++) {
 *         sl_bvh_build(sl_gltf_mesh(file, i), NULL, &trees[i], &error);
 *     }
 *     const sl_gltf_instance *nodes = sl_gltf_instances(file);
 *     for (size_t i = 0; i < sl_gltf_instance_count(file); i++) {
 *         instances[i] = sl_instance_of(trees[nodes[i].mesh]);
 *         instances[i].place = nodes[i].place;
 *     }
 *     sl_bvh_build_instances(instances, sl_gltf_instance_count(file), NULL, &scene, &error);
 *
 * Numbers   instances come in the order in which flattening takes them (io.h): depth first, a node
 *           before its children, the copies of EXT_mesh_gpu_instancing in order.  Meshes come in
 *           the order of their first instance; what no node of the scene shows, and what has no
 *           triangles, is not listed.  A mesh has the triangles of all its primitives, in order.
 * Places    are products in doubles, from the root inwards, in the sequence of sl_place_product;
 *           those of nodes without a matrix are sl_place_from_trs's.  So the corners of the scene
 *           are those of the flattened mesh before it is rounded to floats.
 * Kept      normals, texture coordinates and colours of each mesh, as in the file (which: io.h);
 *           sl_mesh_at turns the normals by the place of an instance.
 * Fails     as sl_mesh_load, and SL_UNSUPPORTED for a file that is no glTF.
 * Memory    while it loads, meshes are there twice.
 * Threads   an sl_gltf never changes; any number of threads may read it. */
#ifndef SIGHTLINE_GLTF_H
#define SIGHTLINE_GLTF_H

#include <sightline/mesh.h>
#include <sightline/place.h>

typedef struct sl_gltf sl_gltf;

/* A node that has a mesh, or one of its copies. */
typedef struct sl_gltf_instance {
    sl_place place;
    const char *name;  /* of the node, or else of the mesh; "" where there is none.  Lives as long
                        * as the sl_gltf */
    uint32_t mesh;     /* see sl_gltf_mesh */
    uint32_t node;     /* number of the node in the file */
    uint32_t copy;     /* EXT_mesh_gpu_instancing: number of the instance of the node; else 0 */
    uint32_t reserved; /* 0 */
} sl_gltf_instance;

/* def may be NULL: defaults; its formats are not used, and recentre is refused. */
SL_API sl_result sl_gltf_load(const char *path, const sl_mesh_def *def, sl_gltf **out,
                              sl_error *error);
SL_API sl_result sl_gltf_load_memory(const void *bytes, size_t size, const char *name,
                                     const sl_mesh_def *def, sl_gltf **out, sl_error *error);
SL_API void sl_gltf_destroy(sl_gltf *gltf); /* its meshes, too; NULL is fine */

SL_API size_t sl_gltf_mesh_count(const sl_gltf *gltf);
SL_API const sl_mesh *sl_gltf_mesh(const sl_gltf *gltf, size_t index); /* NULL: no such mesh */
/* The number of that mesh in the file; SL_NONE where there is none. */
SL_API uint32_t sl_gltf_mesh_number(const sl_gltf *gltf, size_t index);

SL_API size_t sl_gltf_instance_count(const sl_gltf *gltf);
SL_API const sl_gltf_instance *sl_gltf_instances(const sl_gltf *gltf);

#endif
