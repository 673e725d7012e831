/* format/io_formats.c: the table of the formats of sightline::io. */
#include "lib/mesh/format/io_formats.h"

static const sl_mesh_format *const formats[] = { &sli_io_glb, &sli_io_gltf, &sli_io_gzip, NULL };

const sl_mesh_format *const *sl_io_formats(void)
{
    return formats;
}
