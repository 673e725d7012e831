/* io.h: mesh formats and pictures that need other libraries.  In the library sightline::io.
 *
 *     const sl_mesh_def def = { .formats = sl_io_formats() };
 *     sl_mesh_load("scene.glb", &def, &mesh, &error);
 *
 * glTF 2.0  (.gltf, .glb) the triangles of the default scene, of the first scene if none is the
 *           default, or of all nodes if there is no scene.  Triangles, strips and fans are read,
 *           other primitives noted.  Nodes are flattened depth first, in the order of the file, a
 *           node before its children; within a node its instances (EXT_mesh_gpu_instancing) in
 *           order, and within an instance the primitives.  Positions are transformed in double
 *           precision.  A transform that mirrors exchanges corners 1 and 2 of each triangle, so
 *           that its front stays its front.  Primitives of one mesh that use the same positions
 *           (and joints and morph targets) share vertices.  Buffers may be regular files in the
 *           folder of the glTF file or below it; files elsewhere or behind symbolic links are
 *           refused.
 *           Morph targets are added by the weights of the node, or else of the mesh.  A skin then
 *           takes each vertex to the world by the sum of weight * transform of the joint * inverse
 *           bind matrix (the identity where there is none; its last row counts as 0, 0, 0, 1), in
 *           double precision, in the pose in which the file's nodes stand; the transform of the
 *           node that has the skin does not count, but that of copies does.  Weights are taken as
 *           they are, whatever their sum; a joint of weight 0 is not looked at.  Where most joints
 *           of a skin mirror, it does.  Animations are not applied.  Nodes that KHR_node_visibility
 *           hides are left out with all below, but for sl_mesh_def.hidden_nodes; as joints they
 *           count.  sl_mesh_info.notes tells what was left out or is unknown.
 *           NORMAL, TEXCOORD_0 and COLOR_0 are kept (mesh_format.h), where they have as many
 *           elements as there are positions, moved by morph targets, too; normals are turned with
 *           their node (or joints), by the transpose of the inverse of its transform, to unit
 *           length in double precision (zero where it has none), and stay as they are where it
 *           neither turns nor scales; texture coordinates and colours are the file's.
 *           KHR_texture_transform belongs to a material, and is not applied.
 *           Further sets, TANGENT, JOINTS_n, WEIGHTS_n and what an application adds are not kept:
 *           SL_MESH_OTHER tells that they are there.
 *           KHR_mesh_quantization; EXT_meshopt_compression where the build has meshoptimizer; any
 *           other extension that a file requires and that concerns its shape is refused by name.
 *           Nodes with two parents and cycles are refused.
 * gzip      any of the formats, compressed. */
#ifndef SIGHTLINE_IO_H
#define SIGHTLINE_IO_H

#include <sightline/mesh_format.h>
#include <sightline/transform.h>

/* glTF and gzip, for sl_mesh_def.formats. */
SL_API const sl_mesh_format *const *sl_io_formats(void);

/* ---- The nodes of a glTF file, not flattened: each mesh once, and where it stands ----
 *
 *     sl_gltf *file;
 *     sl_gltf_load("town.glb", NULL, &file, &error);
 *     const sl_gltf_info info = sl_gltf_get_info(file);
 *     for (size_t i = 0; i < info.mesh_count; i++) {
 *         sl_bvh_build(sl_gltf_mesh(file, i, NULL), NULL, &trees[i], &error);
 *     }
 *     for (size_t i = 0; i < info.instance_count; i++) {
 *         instances[i] = sl_instance_of(trees[info.instances[i].mesh]);
 *         instances[i].transform = info.instances[i].transform;
 *     }
 *     sl_bvh_build_instances(instances, info.instance_count, NULL, &scene, &error);
 *
 * Numbers   instances come in the order in which flattening takes them (io.h): depth first, a node
 *           before its children, the copies of EXT_mesh_gpu_instancing in order.  Meshes come in
 *           the order of their first instance; what no node of the scene shows, and what has no
 *           triangles, is not listed.  A mesh has the triangles of all its primitives, in order.
 *           One that a node shows with a skin or weights of its own is there once more, for that
 *           node alone, and with a skin it is in the world.
 * Transforms are products in doubles, from the root inwards, in the sequence of
 *           sl_transform_product; those of nodes without a matrix are sl_transform_from_trs's.  So
 *           the corners of the tree are those of the flattened mesh before it is rounded to
 *           floats.
 * Kept      normals, texture coordinates and colours of each mesh, as in the file (which: io.h);
 *           sl_mesh_at turns the normals by the transform of an instance.
 * Fails     as sl_mesh_load, and SL_UNSUPPORTED for a file that is no glTF.
 * Memory    while it loads, meshes are there twice.
 * Threads   an sl_gltf never changes; any number of threads may read it. */

typedef struct sl_gltf sl_gltf;

/* A node that has a mesh, or one of its copies. */
typedef struct sl_gltf_instance {
    sl_transform transform;
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

typedef struct sl_gltf_info {
    size_t mesh_count, instance_count;
    const sl_gltf_instance *instances; /* live as long as the sl_gltf */
} sl_gltf_info;

SL_API sl_gltf_info sl_gltf_get_info(const sl_gltf *gltf);

/* *number, if number is not NULL, is that of the mesh in the file.  NULL, and SL_NONE: there is no
 * such mesh. */
SL_API const sl_mesh *sl_gltf_mesh(const sl_gltf *gltf, size_t index, uint32_t *number);

/* ---- 8-bit pictures: pixel (0, 0) is the top-left one; rows follow without gaps, 3 bytes (r, g,
 * b) each, in sRGB; sides of 1 to 1,000,000 pixels, 2^28 pixels in all ---- */

/* Width * height pixels as a PNG: *bytes comes from malloc, and the caller frees it; NULL after a
 * failure.
 * Fails    SL_INVALID_ARGUMENT (beyond the limits, or rgb is NULL), SL_OUT_OF_MEMORY. */
SL_API sl_result sl_png_write_memory(const uint8_t *rgb, uint32_t width, uint32_t height,
                                     uint8_t **bytes, size_t *size, sl_error *error);

/* A colour for x in [0, 1] (clamped; NaN is magenta): from dark to light without a step back, so
 * that it reads in greyscale and for the colour-blind.  The same on every machine. */
SL_API void sl_colour_map(float x, uint8_t rgb[3]);

/* A colour for a number that identifies something: consecutive numbers differ clearly, and no
 * colour is near black or white. */
SL_API void sl_colour_id(uint32_t id, uint8_t rgb[3]);

#endif
