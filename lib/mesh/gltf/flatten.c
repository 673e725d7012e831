/* gltf/flatten.c: the scene is walked twice: to know how much comes of its nodes, and then to make
 * it.  A small file may name one mesh a million times: whether memory
 * allows that is asked in between. */
#include "lib/mesh/gltf/gltf.h"

#include <string.h>

static const uint64_t most_vertices = 0xFFFFFFFE, most_triangles = 0x7FFFFFFF;

static sl_result add_root(sli_gltf *gltf, const sli_gltf_item *scene, uint32_t node,
                          sli_gltf_scene *out)
{
    if (gltf->nodes[node].parent != SL_NONE) {
        return sli_gltf_bad(gltf, scene,
                            "nodes[%lu] is a root of it, but also a child of nodes[%lu]",
                            (unsigned long)node, (unsigned long)gltf->nodes[node].parent);
    }
    if (gltf->nodes[node].in_scene) {
        return sli_gltf_bad(gltf, scene, "it names nodes[%lu] twice", (unsigned long)node);
    }
    gltf->nodes[node].in_scene = true;
    out->roots[out->root_count++] = node;
    return SL_OK;
}

static sl_result find_scene_roots(sli_gltf *gltf, uint32_t number, sli_gltf_scene *out)
{
    sli_gltf_item item;
    const json_t *list = NULL;
    SLI_TRY(sli_gltf_element(gltf, SLI_GLTF_SCENES, number, &item));
    SLI_TRY(sli_gltf_list(gltf, &item, "nodes", &list));
    for (size_t i = 0; i < json_array_size(list); i++) {
        uint32_t node;
        SLI_TRY(sli_gltf_as_reference(gltf, &item, "nodes", json_array_get(list, i), SLI_GLTF_NODES,
                                      &node));
        SLI_TRY(add_root(gltf, &item, node, out));
    }
    return SL_OK;
}

sl_result sli_gltf_walk(sli_gltf *gltf, const sli_gltf_scene *scene, sli_gltf_visit_fn *visit,
                        void *context)
{
    for (size_t i = 0; i < scene->root_count; i++) {
        for (uint32_t at = scene->roots[i]; at != SL_NONE; at = sli_gltf_next_node(gltf, at)) {
            SLI_TRY(gltf->nodes[at].hidden ? SL_OK : visit(gltf, at, context));
        }
    }
    return SL_OK;
}

/* Of the scene that the file names, or its first; without scenes all roots. */
sl_result sli_gltf_find_roots(sli_gltf *gltf, sli_gltf_scene *out)
{
    const sli_gltf_item root = { .object = gltf->root, .kind = SLI_GLTF_KINDS, .name = "glTF" };
    const size_t count = gltf->counts[SLI_GLTF_NODES];
    uint32_t scene;
    SLI_TRY(sli_gltf_array(gltf, &out->roots, count, sizeof *out->roots));
    SLI_TRY(sli_gltf_reference(gltf, &root, "scene", false, SLI_GLTF_SCENES, &scene));
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

static sl_result count_node(sli_gltf *gltf, uint32_t number, void *context)
{
    sli_gltf_scene *scene = context;
    sli_gltf_mesh *mesh;
    sli_gltf_instances instances;
    sli_gltf_item item;
    if (gltf->nodes[number].mesh == SL_NONE) {
        return SL_OK;
    }
    SLI_TRY(sli_gltf_prove_mesh(gltf, gltf->nodes[number].mesh, &mesh));
    if (mesh->triangles == 0) {
        return SL_OK;
    }
    SLI_TRY(sli_gltf_find_instances(gltf, number, &instances));
    SLI_TRY(sli_gltf_prove_deform(gltf, number, mesh, instances.count));
    /* Factors are below 2^32, and sums so far below 2^33. */
    const uint64_t vertices = scene->vertices + (uint64_t)mesh->vertices * instances.count;
    const uint64_t triangles = scene->triangles + (uint64_t)mesh->triangles * instances.count;
    if (vertices <= most_vertices && triangles <= most_triangles) {
        scene->vertices = (size_t)vertices;
        scene->triangles = (size_t)triangles;
        return SL_OK;
    }
    SLI_TRY(sli_gltf_element(gltf, SLI_GLTF_NODES, number, &item));
    return sli_gltf_fail(gltf, SL_TOO_LARGE, &item,
                         "up to here there are %llu vertices and %llu triangles; "
                         "at most %llu and %llu are possible",
                         (unsigned long long)vertices, (unsigned long long)triangles,
                         (unsigned long long)most_vertices, (unsigned long long)most_triangles);
}

static sl_result emit_node(sli_gltf *gltf, uint32_t number, void *context)
{
    const sli_gltf_node *node = &gltf->nodes[number];
    sli_gltf_instances instances;
    if (node->mesh == SL_NONE || gltf->meshes[node->mesh].triangles == 0) {
        return SL_OK;
    }
    SLI_TRY(sli_gltf_find_instances(gltf, number, &instances));
    const sl_transform placed = sli_gltf_node_transform(gltf, number);
    for (size_t i = 0; i < instances.count; i++) {
        const sl_transform world = sli_gltf_next_instance(&instances, &placed);
        if (!sli_gltf_emit(gltf, context, number, &world)) {
            return SL_CANCELLED;
        }
    }
    return SL_OK;
}

/* Notes the nodes that the walk leaves out. */
static bool note_hidden(sli_gltf *gltf, const sli_gltf_scene *scene)
{
    size_t hidden = 0;
    for (size_t i = 0; i < scene->root_count; i++) {
        for (uint32_t at = scene->roots[i]; at != SL_NONE; at = sli_gltf_next_node(gltf, at)) {
            hidden += gltf->nodes[at].hidden && gltf->nodes[at].mesh != SL_NONE;
        }
    }
    return sl_mesh_sink_note(gltf->sink, SL_NOTE_HIDDEN, "nodes", hidden);
}

static sl_result make_names(sli_gltf *gltf, sli_gltf_kind kind, uint32_t **names)
{
    SLI_TRY(sli_gltf_array(gltf, names, gltf->counts[kind], sizeof **names));
    memset(*names, 0xFF, gltf->counts[kind] * sizeof **names);
    return SL_OK;
}

sl_result sli_gltf_prepare(sli_gltf *gltf, sli_gltf_scene *scene)
{
    const size_t meshes = gltf->counts[SLI_GLTF_MESHES];
    SLI_TRY(make_names(gltf, SLI_GLTF_MESHES, &scene->mesh_names));
    SLI_TRY(make_names(gltf, SLI_GLTF_MATERIALS, &scene->material_names));
    SLI_TRY(sli_gltf_prepare_rows(gltf, scene));
    SLI_TRY(sli_gltf_prepare_deform(gltf));
    SLI_TRY(note_hidden(gltf, scene) ? SL_OK : SL_CANCELLED);
    if (sl_mesh_sink_locating(gltf->sink)) {
        SLI_TRY(sli_gltf_array(gltf, &scene->locations, meshes, sizeof *scene->locations));
        sli_gltf_locate(gltf, SLI_GLTF_MESHES, 0, meshes, scene->locations);
    }
    return sl_mesh_sink_reserve(gltf->sink, scene->vertices, scene->triangles) ? SL_OK
                                                                               : SL_CANCELLED;
}

sl_result sli_gltf_flatten(sli_gltf *gltf)
{
    sli_gltf_scene scene = { 0 };
    SLI_TRY(sli_gltf_find_roots(gltf, &scene));
    SLI_TRY(sli_gltf_walk(gltf, &scene, count_node, &scene));
    SLI_TRY(sli_gltf_prepare(gltf, &scene));
    return sli_gltf_walk(gltf, &scene, emit_node, &scene);
}
