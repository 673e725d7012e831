/* gltf/flatten.c: the scene is walked twice: to place its nodes and to know how much comes of them,
 * and then to make it.  A small file may name one mesh a million times: whether memory
 * allows that is asked in between. */
#include "lib/mesh/gltf/gltf.h"

static const uint64_t most_vertices = 0xFFFFFFFE, most_triangles = 0x7FFFFFFF;

static sl_result add_root(sli_gltf *gltf, const sli_gltf_item *scene, uint32_t node,
                          sli_gltf_scene *out)
{
    if (gltf->nodes[node].parent != SL_NONE) {
        return sli_gltf_fail(gltf, SL_BAD_DATA, scene,
                             "nodes[%lu] is a root of it, but also a child of nodes[%lu]",
                             (unsigned long)node, (unsigned long)gltf->nodes[node].parent);
    }
    if (gltf->nodes[node].in_scene) {
        return sli_gltf_fail(gltf, SL_BAD_DATA, scene, "it names nodes[%lu] twice",
                             (unsigned long)node);
    }
    gltf->nodes[node].in_scene = true;
    out->roots[out->root_count++] = node;
    return SL_OK;
}

static sl_result find_scene_roots(sli_gltf *gltf, uint32_t number, sli_gltf_scene *out)
{
    sli_gltf_item item;
    const json_t *list = NULL;
    sl_result result = sli_gltf_element(gltf, SLI_GLTF_SCENES, number, &item);
    result = SLI_THEN(result, sli_gltf_list(gltf, &item, "nodes", &list));
    for (size_t i = 0; result == SL_OK && i < json_array_size(list); i++) {
        uint32_t node;
        result = sli_gltf_as_reference(gltf, &item, "nodes", json_array_get(list, i),
                                       SLI_GLTF_NODES, &node);
        result = SLI_THEN(result, add_root(gltf, &item, node, out));
    }
    return result;
}

/* Of the scene that the file names, or its first; without scenes all roots. */
sl_result sli_gltf_find_roots(sli_gltf *gltf, sli_gltf_scene *out)
{
    const sli_gltf_item root = { .object = gltf->root, .kind = SLI_GLTF_KINDS, .name = "glTF" };
    const size_t count = gltf->counts[SLI_GLTF_NODES];
    uint32_t scene;
    out->roots = sli_gltf_array(gltf, count, sizeof *out->roots);
    if (out->roots == NULL) {
        return sli_gltf_no_array(gltf);
    }
    const sl_result result =
        sli_gltf_reference(gltf, &root, "scene", false, SLI_GLTF_SCENES, &scene);
    if (result != SL_OK) {
        return result;
    }
    if (gltf->counts[SLI_GLTF_SCENES] > 0) {
        return find_scene_roots(gltf, scene != SL_NONE ? scene : 0, out);
    }
    for (size_t i = 0; i < count; i++) {
        if (gltf->nodes[i].parent == SL_NONE) {
            out->roots[out->root_count++] = (uint32_t)i;
        }
    }
    return SL_OK;
}

static sl_result count_node(sli_gltf *gltf, uint32_t number, sli_gltf_scene *scene)
{
    const sli_gltf_mesh *mesh;
    sli_gltf_instances instances;
    sli_gltf_item item;
    sl_result result = sli_gltf_prove_mesh(gltf, gltf->nodes[number].mesh, &mesh);
    if (result == SL_OK && mesh->triangles > 0) {
        result = sli_gltf_find_instances(gltf, number, &instances);
    }
    if (result != SL_OK || mesh->triangles == 0) {
        return result;
    }
    /* Factors are below 2^32, and sums so far below 2^33. */
    const uint64_t vertices = scene->vertices + (uint64_t)mesh->vertices * instances.count;
    const uint64_t triangles = scene->triangles + (uint64_t)mesh->triangles * instances.count;
    if (vertices <= most_vertices && triangles <= most_triangles) {
        scene->vertices = (size_t)vertices;
        scene->triangles = (size_t)triangles;
        return SL_OK;
    }
    result = sli_gltf_element(gltf, SLI_GLTF_NODES, number, &item);
    return result != SL_OK
               ? result
               : sli_gltf_fail(gltf, SL_TOO_LARGE, &item,
                               "up to here there are %llu vertices and %llu triangles; "
                               "at most %llu and %llu are possible",
                               (unsigned long long)vertices, (unsigned long long)triangles,
                               (unsigned long long)most_vertices,
                               (unsigned long long)most_triangles);
}

/* Places a tree and counts what comes of it. */
static sl_result flatten_survey(sli_gltf *gltf, uint32_t root, sli_gltf_scene *scene)
{
    for (uint32_t at = root; at != SL_NONE; at = sli_gltf_next_node(gltf, at)) {
        sli_gltf_node *node = &gltf->nodes[at];
        if (node->parent != SL_NONE) {
            node->world = sli_gltf_multiply(&gltf->nodes[node->parent].world, &node->world);
        }
        const sl_result result = node->mesh != SL_NONE ? count_node(gltf, at, scene) : SL_OK;
        if (result != SL_OK) {
            return result;
        }
    }
    return SL_OK;
}

static sl_result emit_node(sli_gltf *gltf, uint32_t number, sli_gltf_scene *scene)
{
    const sli_gltf_node *node = &gltf->nodes[number];
    sli_gltf_instances instances;
    if (node->mesh == SL_NONE || gltf->meshes[node->mesh].triangles == 0) {
        return SL_OK;
    }
    const sl_result result = sli_gltf_find_instances(gltf, number, &instances);
    for (size_t i = 0; result == SL_OK && i < instances.count; i++) {
        sli_gltf_matrix world = node->world;
        if (!instances.plain) {
            const sli_gltf_matrix local = sli_gltf_next_instance(&instances);
            world = sli_gltf_multiply(&node->world, &local);
        }
        if (!sli_gltf_emit(gltf, scene, number, &world)) {
            return SL_CANCELLED;
        }
    }
    return result;
}

static uint32_t *no_names_yet(sli_gltf *gltf, sli_gltf_kind kind)
{
    uint32_t *names = sli_gltf_array(gltf, gltf->counts[kind], sizeof *names);
    for (size_t i = 0; names != NULL && i < gltf->counts[kind]; i++) {
        names[i] = SL_NONE;
    }
    return names;
}

sl_result sli_gltf_prepare(sli_gltf *gltf, sli_gltf_scene *scene)
{
    const size_t meshes = gltf->counts[SLI_GLTF_MESHES];
    scene->mesh_names = no_names_yet(gltf, SLI_GLTF_MESHES);
    scene->material_names = no_names_yet(gltf, SLI_GLTF_MATERIALS);
    if (scene->mesh_names == NULL || scene->material_names == NULL) {
        return sli_gltf_no_array(gltf);
    }
    const sl_result result = sli_gltf_prepare_rows(gltf, scene);
    if (result != SL_OK) {
        return result;
    }
    if (sl_mesh_sink_locating(gltf->sink)) {
        scene->locations = sli_gltf_array(gltf, meshes, sizeof *scene->locations);
        if (scene->locations == NULL) {
            return sli_gltf_no_array(gltf);
        }
        sli_gltf_locate(gltf, SLI_GLTF_MESHES, 0, meshes, scene->locations);
    }
    return sl_mesh_sink_reserve(gltf->sink, scene->vertices, scene->triangles) ? SL_OK
                                                                               : SL_CANCELLED;
}

sl_result sli_gltf_flatten(sli_gltf *gltf)
{
    sli_gltf_scene scene = { 0 };
    sl_result result = sli_gltf_find_roots(gltf, &scene);
    for (size_t i = 0; result == SL_OK && i < scene.root_count; i++) {
        result = flatten_survey(gltf, scene.roots[i], &scene);
    }
    result = SLI_THEN(result, sli_gltf_prepare(gltf, &scene));
    for (size_t i = 0; result == SL_OK && i < scene.root_count; i++) {
        uint32_t at = scene.roots[i];
        for (; result == SL_OK && at != SL_NONE; at = sli_gltf_next_node(gltf, at)) {
            result = emit_node(gltf, at, &scene);
        }
    }
    return result;
}
