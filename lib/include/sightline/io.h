/* io.h: mesh formats that need other libraries.  In the library sightline::io.
 *
 *     sl_mesh_def def = sl_default_mesh_def();
 *     def.formats = sl_io_formats();
 *     sl_mesh_load("scene.glb", &def, &mesh, &error);
 *
 * glTF 2.0  (.gltf, .glb) the triangles of the default scene, or of the first one, or, in files
 *           without scenes, of all nodes; triangles, strips and fans, other primitives are passed
 *           over.  Nodes are flattened: depth first, roots and children in the order of the file, a
 *           node before its children; within a node its instances (EXT_mesh_gpu_instancing) in
 *           order, within these the primitives.  Transforms are done in double precision.  Where
 *           one mirrors, corners 1 and 2 of each triangle change places, so that its front stays
 *           its front.  Primitives of one mesh that use the same positions share vertices.  The
 *           base shape of morph targets is read; skinned meshes as they stand, by their node's
 *           transform like all others.  Buffers may be files in the folder of the glTF file and
 *           below it: never elsewhere, nor through symbolic links, nor what is no regular file.
 *           KHR_mesh_quantization; EXT_meshopt_compression where the build has meshoptimizer; any
 *           other extension that a file requires and that concerns its shape is refused by name.
 *           Nodes with two parents and cycles are refused.
 * gzip      any of the formats, compressed. */
#ifndef SIGHTLINE_IO_H
#define SIGHTLINE_IO_H

#include <sightline/mesh_format.h>

/* All of them, for sl_mesh_def.formats. */
SL_API const sl_mesh_format *const *sl_io_formats(void);

#endif
