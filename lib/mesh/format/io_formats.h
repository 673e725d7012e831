/* format/io_formats.h: the formats of sightline::io; each has one row in
 * lib/mesh/format/io_formats.c. */
#pragma once

#include <sightline/io.h>

extern const sl_mesh_format sli_io_gltf, sli_io_glb, sli_io_gzip;
