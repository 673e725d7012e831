/* render/vertex_values.h: numbers that a PLY file has for each of its vertices. */
#pragma once

#include <stddef.h>

/* The vertex properties of these names ("quality"; "red", "green", "blue"), as floats, one after
 * the other for each vertex.  vertex_count: of the mesh that the library has read from the same
 * file. EXIT_DONE, and *out from malloc; or the status of an error that was reported. */
int vertex_values_load(const char *path, const char *const *names, size_t name_count,
                       size_t vertex_count, float **out);
