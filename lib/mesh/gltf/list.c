/* gltf/list.c: the scene without flattening: its nodes are walked as in gltf/flatten.c, but each
 * mesh is emitted once, as it stands in the file, and its instances are listed. */
#include "lib/mesh/gltf/gltf.h"

#include <string.h>

static const uint64_t most_vertices = 0xFFFFFFFE, most_triangles = 0x7FFFFFFF,
                      most_instances = 0x0FFFFFFF;

/* What the walk has found so far. */
typedef struct walk {
    sli_gltf_scene scene;
    uint32_t *numbers; /* of meshes of the file: the place in the list, + 1; 0: not listed yet */
    size_t mesh_count;
    uint64_t instances;
} walk;

static sl_result too_many(sli_gltf *gltf, uint32_t node, const walk *w)
{
    sli_gltf_item item;
    const sl_result result = sli_gltf_element(gltf, SLI_GLTF_NODES, node, &item);
    return result != SL_OK
               ? result
               : sli_gltf_fail(gltf, SL_TOO_LARGE, &item,
                               "up to here there are %zu vertices, %zu triangles and %llu "
                               "instances; at most %llu, %llu and %llu are possible",
                               w->scene.vertices, w->scene.triangles,
                               (unsigned long long)w->instances, (unsigned long long)most_vertices,
                               (unsigned long long)most_triangles,
                               (unsigned long long)most_instances);
}

static sl_result count_node(sli_gltf *gltf, uint32_t number, walk *w)
{
    const uint32_t index = gltf->nodes[number].mesh;
    const sli_gltf_mesh *mesh;
    sli_gltf_instances instances;
    sl_result result = sli_gltf_prove_mesh(gltf, index, &mesh);
    if (result != SL_OK || mesh->triangles == 0) {
        return result;
    }
    result = sli_gltf_find_instances(gltf, number, &instances);
    if (result != SL_OK || instances.count == 0) {
        return result;
    }
    if (w->numbers[index] == 0) {
        w->numbers[index] = (uint32_t)++w->mesh_count;
        w->scene.vertices += mesh->vertices;
        w->scene.triangles += mesh->triangles;
    }
    w->instances += instances.count;
    return w->scene.vertices <= most_vertices && w->scene.triangles <= most_triangles &&
                   w->instances <= most_instances
               ? SL_OK
               : too_many(gltf, number, w);
}

/* Places a tree and counts what is there. */
static sl_result list_survey(sli_gltf *gltf, uint32_t root, walk *w)
{
    sl_result result = SL_OK;
    for (uint32_t at = root; result == SL_OK && at != SL_NONE; at = sli_gltf_next_node(gltf, at)) {
        sli_gltf_node *node = &gltf->nodes[at];
        if (node->parent != SL_NONE) {
            node->world = sli_gltf_multiply(&gltf->nodes[node->parent].world, &node->world);
        }
        result = node->mesh != SL_NONE ? count_node(gltf, at, w) : SL_OK;
    }
    return result;
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

static sl_transform transform_of(const sli_gltf_matrix *matrix)
{
    sl_transform transform;
    for (int axis = 0; axis < 3; axis++) {
        for (int k = 0; k < 4; k++) {
            transform.m[axis][k] = matrix->column[k][axis];
        }
    }
    return transform;
}

static sl_result list_node(sli_gltf *gltf, uint32_t number, const walk *w)
{
    const sli_gltf_node *node = &gltf->nodes[number];
    sli_gltf_listing *list = gltf->list;
    sli_gltf_instances instances;
    if (node->mesh == SL_NONE || w->numbers[node->mesh] == 0) {
        return SL_OK;
    }
    const uint32_t mesh = w->numbers[node->mesh] - 1;
    const sl_result result = sli_gltf_find_instances(gltf, number, &instances);
    if (result != SL_OK || instances.count == 0) {
        return result;
    }
    if (list->meshes[mesh].mesh == SL_NONE) {
        list->meshes[mesh] = (sli_gltf_listed){ .mesh = node->mesh, .node = number };
    }
    const char *name = copy_name(gltf, number);
    if (name == NULL) {
        return sli_gltf_no_array(gltf);
    }
    for (size_t i = 0; i < instances.count; i++) {
        sli_gltf_matrix world = node->world;
        if (!instances.plain) {
            const sli_gltf_matrix local = sli_gltf_next_instance(&instances);
            world = sli_gltf_multiply(&node->world, &local);
        }
        list->instances[list->instance_count++] =
            (sl_gltf_instance){ .transform = transform_of(&world),
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
        return sli_gltf_no_array(gltf);
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
    const sli_gltf_matrix still = sli_gltf_identity();
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
    w.numbers = sli_gltf_array(gltf, gltf->counts[SLI_GLTF_MESHES], sizeof *w.numbers);
    if (w.numbers == NULL) {
        return sli_gltf_no_array(gltf);
    }
    sl_result result = sli_gltf_find_roots(gltf, &w.scene);
    for (size_t i = 0; result == SL_OK && i < w.scene.root_count; i++) {
        result = list_survey(gltf, w.scene.roots[i], &w);
    }
    result = SLI_THEN(result, make_arrays(gltf, &w));
    result = SLI_THEN(result, sli_gltf_prepare(gltf, &w.scene));
    for (size_t i = 0; result == SL_OK && i < w.scene.root_count; i++) {
        uint32_t at = w.scene.roots[i];
        for (; result == SL_OK && at != SL_NONE; at = sli_gltf_next_node(gltf, at)) {
            result = list_node(gltf, at, &w);
        }
    }
    result = SLI_THEN(result, emit_meshes(gltf, &w));
    gltf->list->filled = result == SL_OK;
    return result;
}
