/* try_mesh.h: what every fuzz target of meshes does with its bytes. */
#pragma once

#include <sightline/mesh.h>

/* Loads them under that name, by both policies for bad triangles and with and without recentring as
 * their size has it: a mesh that is sound, or an error that says something.  A small mesh is built
 * and its tree checked.  max_memory: as in sl_mesh_def. */
void try_mesh(const uint8_t *bytes, size_t size, const char *name,
              const struct sl_mesh_format *const *formats, size_t max_memory);

/* Every number of a mesh is what its headers promise. */
void try_sound(const sl_mesh *mesh);
