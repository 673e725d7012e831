/* input/part.c: the names of a triangle's part as values of a report, for info and pick. */
#include "tools/input/part.h"

static out_value name_value(const char *name)
{
    return name[0] != '\0' ? value_text(name) : value_nothing();
}

void part_values(const sl_mesh_part *part, out_value values[PART_VALUES])
{
    values[PART_NAME] = name_value(part->name);
    values[PART_MATERIAL] = name_value(part->material);
    values[PART_NODE] = name_value(part->node);
}

void part_values_of(const sl_mesh *mesh, uint32_t prim, out_value values[PART_VALUES])
{
    sl_mesh_part part = { .name = "", .material = "", .node = "" };
    const uint32_t index = sl_mesh_part_of(mesh, prim);
    if (index != SL_NONE) {
        sl_mesh_get_part(mesh, index, &part);
    }
    part_values(&part, values);
}
