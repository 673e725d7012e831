/* format/sink.c: the functions of sightline/mesh_format.h, through which formats outside of the
 * core use the builder. */
#include "lib/mesh/builder.h"

bool sl_mesh_sink_reserve(sl_mesh_sink *sink, size_t vertices, size_t triangles)
{
    /* One more of each, which sli_builder_settle asks for. */
    return sli_builder_reserve(sink, vertices + 1, triangles + 1);
}

void sl_mesh_sink_at(sl_mesh_sink *sink, int64_t line, int64_t byte)
{
    sink->line = line;
    sink->byte = (size_t)byte;
}

bool sl_mesh_sink_progress(sl_mesh_sink *sink, double fraction)
{
    const size_t before = sink->byte;
    sink->byte = (size_t)(fraction * (double)sink->size);
    const bool go_on = sink->byte < sink->next_report || sli_builder_report(sink);
    sink->byte = before;
    return go_on;
}

bool sl_mesh_sink_locating(const sl_mesh_sink *sink)
{
    return sink->locate != NULL;
}

bool sl_mesh_sink_name(sl_mesh_sink *sink, const char *text, size_t length, uint32_t *out)
{
    *out = 0;
    return sli_builder_name(sink, text, length, out);
}

bool sl_mesh_sink_part(sl_mesh_sink *sink, uint32_t name, uint32_t material, uint32_t node,
                       uint32_t node_index)
{
    const uint32_t part[4] = { name, material, node, node_index };
    return sli_builder_part(sink, part);
}

bool sl_mesh_sink_attribute(sl_mesh_sink *sink, uint32_t kind, const double *values,
                            size_t components)
{
    if (kind != SL_MESH_UVS && kind != SL_MESH_NORMALS && kind != SL_MESH_COLOURS) {
        sink->result = SL_INVALID_ARGUMENT;
        return false;
    }
    return sli_builder_row(sink, kind, values, components);
}

void sl_mesh_sink_corner_attributes(sl_mesh_sink *sink, uint32_t uv, uint32_t normal,
                                    uint32_t colour)
{
    const uint32_t rows[SLI_KINDS] = { normal, uv, colour };
    sli_builder_rows(sink, rows);
}

uint32_t sl_mesh_sink_keeps(const sl_mesh_sink *sink)
{
    return sli_builder_keeps(sink);
}

void sl_mesh_sink_attributes(sl_mesh_sink *sink, uint32_t attributes)
{
    sink->parts.attributes |= attributes;
}

bool sl_mesh_sink_spend(sl_mesh_sink *sink, size_t bytes, bool is_input)
{
    return is_input ? sli_builder_input(sink, bytes) : sli_builder_spend(sink, bytes);
}
