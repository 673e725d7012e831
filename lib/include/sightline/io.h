/* io.h: mesh formats that need other libraries.  In the library sightline::io.
 *
 *     const sl_mesh_def def = { .formats = sl_io_formats() };
 *     sl_mesh_load("scene.glb", &def, &mesh, &error);
 *
 * glTF 2.0  (.gltf, .glb) the triangles of the default scene, of the first scene if none is the
 *           default, or of all nodes if there is no scene.  Triangles, strips and fans are read,
 *           other primitives skipped.  Nodes are flattened depth first, in the order of the file, a
 *           node before its children; within a node its instances (EXT_mesh_gpu_instancing) in
 *           order, and within an instance the primitives.  Positions are transformed in double
 *           precision.  A transform that mirrors exchanges corners 1 and 2 of each triangle, so
 *           that its front stays its front.  Primitives of one mesh that use the same positions
 *           share vertices.  Of morph targets the base shape is read; skinned meshes are placed by
 *           their node's transform, as all others.  Buffers may be regular files in the folder of
 *           the glTF file or below it; files elsewhere or behind symbolic links are refused.
 *           NORMAL, TEXCOORD_0 and COLOR_0 are kept (mesh_attributes.h), where they have as many
 *           elements as there are positions; normals are turned with their node, by the transpose
 *           of the inverse of its transform, to unit length in double precision (zero where it has
 *           none), and stay as they are where it neither turns nor scales; texture coordinates and
 *           colours are the file's.  KHR_texture_transform belongs to a material, and is not
 *           applied.
 *           Further sets, TANGENT, JOINTS_n, WEIGHTS_n and what an application adds are not kept:
 *           SL_MESH_OTHER tells that they are there.
 *           KHR_mesh_quantization; EXT_meshopt_compression where the build has meshoptimizer; any
 *           other extension that a file requires and that concerns its shape is refused by name.
 *           Nodes with two parents and cycles are refused.
 * gzip      any of the formats, compressed. */
#ifndef SIGHTLINE_IO_H
#define SIGHTLINE_IO_H

#include <sightline/mesh_format.h>

/* glTF and gzip, for sl_mesh_def.formats. */
SL_API const sl_mesh_format *const *sl_io_formats(void);

#endif
