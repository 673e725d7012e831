/* glb.h: makes GLB files for tests. */
#pragma once

#include <sightline/mesh.h>

typedef struct glb {
    uint8_t *bytes; /* from malloc */
    size_t size;
} glb;

/* JSON and, unless size is 0, a binary chunk. */
glb glb_make(const char *json, const void *chunk, size_t size);
void glb_free(glb *file);

/* Loads or refuses one, with sli_case_formats, and frees it.  json is what stands between the
 * braces of the whole, behind "asset". */
sl_mesh *glb_load(const char *json, const void *chunk, size_t size);
sl_error glb_refuse(const char *json, const void *chunk, size_t size, sl_result code);
