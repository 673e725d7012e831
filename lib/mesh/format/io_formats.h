/* format/io_formats.h: the formats of sightline::io; each has one row in
 * lib/mesh/format/io_formats.c. */
#ifndef SLI_MESH_IO_FORMAT_H
#define SLI_MESH_IO_FORMAT_H

#include <sightline/io.h>

extern const sl_mesh_format sli_io_gltf, sli_io_glb, sli_io_gzip;

#endif
