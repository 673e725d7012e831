/* contents.c: what is asked of a mesh: its arrays, counts, triangles, parts and attributes. */
#include "lib/base/search.h"
#include "lib/mesh/mesh.h"

#include <sightline/mesh_format.h>

#include <string.h>

sl_soup sl_mesh_soup(const sl_mesh *mesh)
{
    return (sl_soup){ .xyz = mesh->xyz,
                      .indices = mesh->indices,
                      .triangle_count = mesh->info.triangle_count,
                      .vertex_count = mesh->info.vertex_count };
}

uint32_t sl_mesh_face(const sl_mesh *mesh, uint32_t prim)
{
    if (prim >= mesh->info.triangle_count) {
        return SL_NONE;
    }
    return mesh->faces != NULL ? mesh->faces[prim] : prim;
}

bool sl_mesh_triangle(const sl_mesh *mesh, uint32_t prim, sl_triangle *out)
{
    if (prim >= mesh->info.triangle_count || mesh->indices[3 * (size_t)prim] == SL_NONE) {
        return false;
    }
    for (size_t corner = 0; corner < 3; corner++) {
        const size_t vertex = mesh->indices[3 * (size_t)prim + corner];
        memcpy(out->v[corner], mesh->xyz + 3 * vertex, sizeof out->v[corner]);
    }
    return true;
}

sl_mesh_info sl_mesh_get_info(const sl_mesh *mesh)
{
    sl_mesh_info info = mesh->info;
    info.part_count = mesh->part_list.count;
    info.attributes = mesh->attributes;
    info.notes = mesh->notes.rows;
    info.note_count = mesh->notes.count;
    return info;
}

bool sl_mesh_get_attribute(const sl_mesh *mesh, uint32_t kind, sl_mesh_attribute *out)
{
    if (kind != SL_MESH_UVS && kind != SL_MESH_NORMALS && kind != SL_MESH_COLOURS) {
        return false;
    }
    const sli_attribute *of = &mesh->kept.of[sli_slot(kind)];
    if (of->values == NULL) {
        return false;
    }
    *out = (sl_mesh_attribute){ .values = of->values, .count = of->count, .indices = of->indices };
    return true;
}

bool sl_mesh_get_part(const sl_mesh *mesh, size_t index, sl_mesh_part *out)
{
    const sli_part_list *list = &mesh->part_list;
    if (index >= list->count) {
        return false;
    }
    const sli_part_row *row = &list->rows[index];
    const size_t end = sli_part_end(mesh, index);
    *out = (sl_mesh_part){ .name = list->text + row->name,
                           .material = list->text + row->material,
                           .node = list->text + row->node,
                           .node_index = row->node_index,
                           .first = row->first,
                           .count = (uint32_t)(end - row->first) };
    return true;
}

uint32_t sl_mesh_part_of(const sl_mesh *mesh, uint32_t prim)
{
    const sli_part_list *list = &mesh->part_list;
    if (prim >= mesh->info.triangle_count || list->count == 0) {
        return SL_NONE;
    }
    return (uint32_t)SLI_FIRST(i, 1, list->count, list->rows[i].first > prim) - 1;
}
