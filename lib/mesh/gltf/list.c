/* gltf/list.c: the scene without flattening: its nodes are walked as in gltf/flatten.c, but each
 * mesh is emitted once, as it stands in the file, and its instances are listed.  A mesh that a node
 * moves by a skin or by weights of its own is there once more, for that node alone. */
#include "lib/mesh/gltf/gltf.h"

#include <string.h>

static const uint64_t most_vertices = 0xFFFFFFFE, most_triangles = 0x7FFFFFFF,
                      most_instances = 0x0FFFFFFF;

/* What the walk has found so far. */
typedef struct walk {
    sli_gltf_scene scene;
    uint32_t *numbers; /* of meshes of the file: the place in the list, + 1, of what nodes share;
                        * 0: not listed yet */
    size_t mesh_count;
    uint64_t instances;
} walk;

static sl_result too_many(sli_gltf *gltf, uint32_t node, const walk *w)
{
    sli_gltf_item item;
    SLI_TRY(sli_gltf_element(gltf, SLI_GLTF_NODES, node, &item));
    return sli_gltf_fail(gltf, SL_TOO_LARGE, &item,
                         "up to here there are %zu vertices, %zu triangles and %llu "
                         "instances; at most %llu, %llu and %llu are possible",
                         w->scene.vertices, w->scene.triangles, (unsigned long long)w->instances,
                         (unsigned long long)most_vertices, (unsigned long long)most_triangles,
                         (unsigned long long)most_instances);
}

static sl_result count_node(sli_gltf *gltf, uint32_t number, void *context)
{
    walk *w = context;
    sli_gltf_node *node = &gltf->nodes[number];
    const bool own = node->skin != SL_NONE || node->weights != NULL;
    sli_gltf_mesh *mesh;
    sli_gltf_instances instances;
    if (node->mesh == SL_NONE) {
        return SL_OK;
    }
    SLI_TRY(sli_gltf_prove_mesh(gltf, node->mesh, &mesh));
    if (mesh->triangles == 0) {
        return SL_OK;
    }
    SLI_TRY(sli_gltf_find_instances(gltf, number, &instances));
    if (instances.count == 0) {
        return SL_OK;
    }
    uint32_t unshared = 0, *place = own ? &unshared : &w->numbers[node->mesh];
    if (*place == 0) {
        SLI_TRY(sli_gltf_prove_deform(gltf, number, mesh, 1));
        w->scene.vertices += mesh->vertices;
        w->scene.triangles += mesh->triangles;
        *place = (uint32_t)++w->mesh_count;
    }
    node->listed = *place - 1;
    w->instances += instances.count;
    return w->scene.vertices <= most_vertices && w->scene.triangles <= most_triangles &&
                   w->instances <= most_instances
               ? SL_OK
               : too_many(gltf, number, w);
}

/* The name of a node, or else of its mesh, as text of the list. */
static const char *copy_name(sli_gltf *gltf, uint32_t node)
{
    const json_t *name =
        json_object_get(json_array_get(gltf->arrays[SLI_GLTF_NODES], node), "name");
    if (json_string_length(name) == 0) {
        const uint32_t mesh = gltf->nodes[node].mesh;
        name = json_object_get(json_array_get(gltf->arrays[SLI_GLTF_MESHES], mesh), "name");
    }
    const size_t length = json_string_length(name);
    if (length == 0) {
        return "";
    }
    char *copy = sl_mesh_sink_spend(gltf->sink, length + 1, false)
                     ? sli_arena_array(&gltf->list->arena, length + 1, 1)
                     : NULL;
    if (copy != NULL) {
        memcpy(copy, json_string_value(name), length);
        copy[length] = '\0';
    }
    return copy;
}

static sl_result list_node(sli_gltf *gltf, uint32_t number, void *context)
{
    (void)context;
    const sli_gltf_node *node = &gltf->nodes[number];
    sli_gltf_listing *list = gltf->list;
    sli_gltf_instances instances;
    const uint32_t mesh = node->listed;
    if (mesh == SL_NONE) {
        return SL_OK;
    }
    SLI_TRY(sli_gltf_find_instances(gltf, number, &instances));
    if (list->meshes[mesh].mesh == SL_NONE) {
        list->meshes[mesh] = (sli_gltf_listed){ .mesh = node->mesh, .node = number };
    }
    const char *name = copy_name(gltf, number);
    SLI_TRY(sli_had_memory(gltf->error, name != NULL));
    const sl_transform placed = sli_gltf_node_transform(gltf, number);
    for (size_t i = 0; i < instances.count; i++) {
        list->instances[list->instance_count++] =
            (sl_gltf_instance){ .transform = sli_gltf_next_instance(&instances, &placed),
                                .name = name,
                                .mesh = mesh,
                                .node = number,
                                .copy = (uint32_t)i };
    }
    return SL_OK;
}

/* The arrays of the list; they outlive the sli_gltf. */
static sl_result make_arrays(sli_gltf *gltf, const walk *w)
{
    sli_gltf_listing *list = gltf->list;
    const size_t meshes = w->mesh_count + 1, instances = (size_t)w->instances + 1;
    if (!sl_mesh_sink_spend(gltf->sink, meshes * sizeof *list->meshes, false) ||
        !sl_mesh_sink_spend(gltf->sink, instances * sizeof *list->instances, false)) {
        return SL_CANCELLED;
    }
    list->meshes = sli_arena_array(&list->arena, meshes, sizeof *list->meshes);
    list->instances = sli_arena_array(&list->arena, instances, sizeof *list->instances);
    if (list->meshes == NULL || list->instances == NULL) {
        return sli_fail_memory(gltf->error);
    }
    for (size_t i = 0; i < meshes; i++) {
        list->meshes[i] = (sli_gltf_listed){ .mesh = SL_NONE };
    }
    list->mesh_count = w->mesh_count;
    list->instance_count = 0;
    return SL_OK;
}

static sl_result emit_meshes(sli_gltf *gltf, walk *w)
{
    sli_gltf_listing *list = gltf->list;
    const sl_transform still = sl_transform_identity();
    for (size_t i = 0; i <= list->mesh_count; i++) {
        list->meshes[i].first_vertex = w->scene.vertices_done;
        list->meshes[i].first_triangle = w->scene.triangles_done;
        for (int kind = 0; kind < SLI_GLTF_ROWS; kind++) {
            list->meshes[i].first_row[kind] = w->scene.rows[kind].done;
        }
        if (i < list->mesh_count && !sli_gltf_emit(gltf, &w->scene, list->meshes[i].node, &still)) {
            return SL_CANCELLED;
        }
    }
    return SL_OK;
}

sl_result sli_gltf_list_nodes(sli_gltf *gltf)
{
    walk w = { .scene.without_nodes = true };
    SLI_TRY(sli_gltf_array(gltf, &w.numbers, gltf->counts[SLI_GLTF_MESHES], sizeof *w.numbers));
    SLI_TRY(sli_gltf_find_roots(gltf, &w.scene));
    SLI_TRY(sli_gltf_walk(gltf, &w.scene, count_node, &w));
    SLI_TRY(make_arrays(gltf, &w));
    SLI_TRY(sli_gltf_prepare(gltf, &w.scene));
    SLI_TRY(sli_gltf_walk(gltf, &w.scene, list_node, &w));
    SLI_TRY(emit_meshes(gltf, &w));
    gltf->list->filled = true;
    return SL_OK;
}
