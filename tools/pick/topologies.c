/* pick/topologies.c: a topology for each mesh, and which of them an instance has. */
#include "tools/pick/topologies.h"

#include "tools/cli/report.h"
#include "tools/input/camera.h"

#include <stdlib.h>

static const char *const edge_words[] = { "features", "faces", "all", NULL };

const option_row edge_rows[] = {
    OPTION_CHOICE_ROW(
        "edges", edge_options, edges, edge_words,
        "which edges count: creases, open and crossing ones, those between parts and where "
        "texture coordinates part; the sides of the file's faces; or every side of every "
        "triangle. Vertices count where such edges end or turn",
        .fallback = "features"),
    OPTION_ROW(REAL, "crease", edge_options, crease, "DEGREES",
               "an edge is a crease where the normals beside it differ by more", .max = 180,
               .fallback = "30"),
    { .name = NULL },
};

static int topologies_build(topologies *all, const mesh_in *in, const sl_mesh *mesh,
                            const edge_options *options)
{
    sl_topology_def def = { 0 };
    sl_error error;
    def.hooks.tasks = in->tasks;
    def.crease_rad = options->crease > 0 ? camera_in_radians((double)options->crease) : -1;
    def.features = options->edges == EDGES_FACES ? (uint32_t)SL_EDGE_FACE
                   : options->edges == EDGES_ALL ? UINT32_MAX
                                                 : 0;
    const sl_result result = sl_topology_build(mesh, &def, &all->own[all->own_count], &error);
    if (result != SL_OK) {
        return report_error(&error);
    }
    all->own_count++;
    return EXIT_DONE;
}

/* Those of a scene: in the order of its meshes, and no topology for a mesh that has none. */
static int make_of_scene(topologies *all, const mesh_in *in, const edge_options *options)
{
    const scene_in *scene = in->scene;
    const sl_topology **of_mesh = calloc(scene->mesh_count + 1, sizeof *of_mesh);
    int status = of_mesh != NULL ? EXIT_DONE : report_memory();
    for (size_t i = 0; status == EXIT_DONE && i < scene->mesh_count; i++) {
        if (scene->meshes[i].mesh != NULL && scene->meshes[i].uses > 0) {
            status = topologies_build(all, in, scene->meshes[i].mesh, options);
            of_mesh[i] = status == EXIT_DONE ? all->own[all->own_count - 1] : NULL;
        }
    }
    for (size_t i = 0; status == EXIT_DONE && i < all->count; i++) {
        const scene_mesh *mesh = scene_in_mesh(scene, (uint32_t)i);
        all->of[i] = mesh != NULL ? of_mesh[mesh - scene->meshes] : NULL;
    }
    free(of_mesh);
    return status;
}

int topologies_make(topologies *all, const mesh_in *in, const edge_options *options)
{
    const size_t meshes = in->scene != NULL ? in->scene->mesh_count : 1;
    *all = (topologies){ .count = mesh_in_instances(in) };
    all->own = calloc(meshes + 1, sizeof(sl_topology *));
    all->of = calloc(all->count + 1, sizeof(sl_topology *));
    if (all->own == NULL || all->of == NULL) {
        return report_memory();
    }
    if (in->scene != NULL) {
        return make_of_scene(all, in, options);
    }
    const int status = topologies_build(all, in, in->mesh, options);
    all->of[0] = all->own[0];
    return status;
}

void topologies_free(topologies *all)
{
    for (size_t i = 0; i < all->own_count; i++) {
        sl_topology_destroy(all->own[i]);
    }
    free(all->own);
    free(all->of);
    *all = (topologies){ .own = NULL };
}
