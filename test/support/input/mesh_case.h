/* mesh_case.h: what the tests of all mesh formats do with bytes: load them, expect an error, and
 * try hostile variants. */
#pragma once

#include <sightline/mesh.h>

/* What def.formats is where a def is made here; NULL to begin with. */
extern const struct sl_mesh_format *const *sli_case_formats;

/* Loads bytes, which must succeed; failing that, the error is printed. */
sl_mesh *sli_case_load(const void *bytes, size_t size, const char *name, const sl_mesh_def *def);
sl_mesh *sli_case_load_text(const char *text, const char *name);

/* Loads bytes, which must fail with code and a message, and leave no mesh. */
sl_error sli_case_refuse(const void *bytes, size_t size, const char *name, sl_result code);
sl_error sli_case_refuse_text(const char *text, const char *name, sl_result code);

/* The three indices, or the three coordinates, are these. */
void sli_case_triangle(const sl_mesh *mesh, size_t prim, uint32_t a, uint32_t b, uint32_t c);
void sli_case_vertex(const sl_mesh *mesh, size_t vertex, float x, float y, float z);

/* There are count of them in all, and these are their indices, or their coordinates. */
void sli_case_triangles(const sl_mesh *mesh, size_t count, const uint32_t wanted[][3]);
void sli_case_vertices(const sl_mesh *mesh, size_t count, const float wanted[][3]);

/* The message has these words. */
void sli_case_says(const sl_error *error, const char *words);

/* Hostile variants of good bytes: each prefix; each allocation failing; and count times a few
 * random bytes changed.  Loaded with both policies for bad triangles.  Nothing may crash, leak, or
 * take more than 64 MB + 40 times the size; failures have words. */
void sli_case_truncate(const void *bytes, size_t size, const char *name);
void sli_case_fail_memory(const void *bytes, size_t size, const char *name);
void sli_case_change(const void *bytes, size_t size, const char *name, uint64_t seed, int count);

/* All three. */
void sli_case_hostile(const void *bytes, size_t size, const char *name);
