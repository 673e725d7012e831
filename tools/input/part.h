/* input/part.h: the part of a mesh that a triangle belongs to, for reports. */
#pragma once

#include "tools/output/value.h"

#include <sightline/mesh.h>

enum { PART_NAME, PART_MATERIAL, PART_NODE, PART_VALUES };

/* The names of a part; nothing in place of one that the file does not give. */
void part_values(const sl_mesh_part *part, out_value values[PART_VALUES]);

/* Those of the part that triangle prim is in; all nothing where it is in none. */
void part_values_of(const sl_mesh *mesh, uint32_t prim, out_value values[PART_VALUES]);
