/* editor_save.c: vertices of a turned object, edited across a seam of its texture, followed by
 * tree, scene and topology, saved and loaded again.
 *
 *     editor_save spot.obj
 *
 * Every vertex of the mesh has one row of texture coordinates, as in glTF: along seams there are
 * two vertices at one place, and an editor must move both. */
#include <sightline/sightline.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct editor {
    sl_mesh *mesh;
    sl_topology *topology;
    sl_instance object;
    sl_bvh *tree, *scene;
    float *xyz; /* of the mesh's vertices, as they are now */
} editor;

static sl_result open_object(editor *e, const char *path, sl_error *error)
{
    const double moved[3] = { 100, 0, -20 }, turned[4] = { 0.1, 0.7, 0.2, 0.6 };
    const double scaled[3] = { 2, 2, -3 };
    sl_mesh *file = NULL;
    sl_result result = sl_mesh_load(path, NULL, &file, error);
    if (result == SL_OK) {
        result = sl_mesh_split_vertices(file, NULL, &e->mesh, error);
    }
    sl_mesh_destroy(file);
    if (result == SL_OK) {
        result = sl_topology_build(e->mesh, NULL, &e->topology, error);
    }
    if (result == SL_OK) {
        result = sl_bvh_build(e->mesh, NULL, &e->tree, error);
    }
    if (result != SL_OK) {
        return result;
    }
    const sl_soup soup = sl_mesh_soup(e->mesh);
    e->xyz = malloc(12 * soup.vertex_count);
    if (e->xyz == NULL) {
        return SL_OUT_OF_MEMORY;
    }
    memcpy(e->xyz, soup.xyz, 12 * soup.vertex_count);
    e->object = sl_instance_of(e->tree);
    sl_transform_from_trs(moved, turned, scaled, &e->object.transform);
    return sl_bvh_build_instances(&e->object, 1, NULL, &e->scene, error);
}

/* A vertex of the topology that a seam goes through. */
static uint32_t find_seam(const editor *e)
{
    sl_edge edge = { { 0, 0 }, 0, 0 };
    for (uint32_t i = 0; sl_topology_get_edge(e->topology, i, &edge); i++) {
        if ((edge.kinds & SL_EDGE_UV_SEAM) != 0) {
            return edge.vertex[0];
        }
    }
    return SL_NONE;
}

/* Moves the vertices of a set in the world: all that the mesh has at each of them. */
static size_t move_vertices(editor *e, const uint64_t *set, const double along[3])
{
    const uint32_t *indices = sl_mesh_soup(e->mesh).indices;
    const size_t all = sl_topology_get_info(e->topology).vertex_count;
    size_t moved = 0;
    for (uint32_t vertex = 0; vertex < all; vertex++) {
        uint32_t here[64];
        double at[3], to[3];
        if ((set[vertex / 64] >> vertex % 64 & 1) == 0) {
            continue;
        }
        const size_t count = sl_topology_mesh_vertices(e->topology, indices, vertex, here, 64);
        if (count > 64 ||
            !sl_transform_corner(&e->object.transform, 0, e->xyz + 3 * (size_t)here[0], at)) {
            continue;
        }
        for (int axis = 0; axis < 3; axis++) {
            at[axis] += along[axis];
        }
        if (!sl_transform_to_object(&e->object.transform, SL_POINT, at, to)) {
            continue;
        }
        for (size_t i = 0; i < count; i++) {
            for (size_t axis = 0; axis < 3; axis++) {
                e->xyz[3 * (size_t)here[i] + axis] = (float)to[axis];
            }
        }
        moved += count;
    }
    return moved;
}

/* The runs of a set of triangles: what sl_bvh_refit and sl_topology_update call dirty.  Returns how
 * many there are, in ranges, which has capacity for half as many as there are triangles, and 1. */
static size_t runs_of(const uint64_t *set, uint32_t triangle_count, sl_prim_range *ranges)
{
    size_t count = 0;
    for (uint32_t prim = 0; prim < triangle_count; prim++) {
        if ((set[prim / 64] >> prim % 64 & 1) == 0) {
            continue;
        }
        if (count > 0 && ranges[count - 1].first + ranges[count - 1].count == prim) {
            ranges[count - 1].count++;
        } else {
            ranges[count++] = (sl_prim_range){ prim, 1 };
        }
    }
    return count;
}

/* The world after an edit of a set of vertices, wherever they are. */
static sl_result follow_edit(editor *e, const uint64_t *vertices, sl_error *error)
{
    const sl_soup soup = sl_mesh_soup(e->mesh);
    uint64_t *triangles = calloc(sl_set_words(e->topology, SL_TRIANGLES), sizeof *triangles);
    sl_prim_range *dirty = malloc((soup.triangle_count / 2 + 1) * sizeof *dirty);
    sl_result result = SL_OUT_OF_MEMORY;
    if (triangles != NULL && dirty != NULL) {
        sl_set_convert(e->topology, SL_VERTICES, vertices, SL_ANY_OF, SL_TRIANGLES, triangles);
        const size_t count = runs_of(triangles, (uint32_t)soup.triangle_count, dirty);
        const sl_refit_def def = { .recycle = e->tree, .dirty = dirty, .dirty_count = count };
        sl_bvh *next = NULL;
        result = sl_bvh_refit(e->tree, e->xyz, soup.vertex_count, soup.indices, soup.triangle_count,
                              &def, &next, error);
        if (result == SL_OK) {
            e->tree = next;
            result = sl_topology_update(e->topology, e->xyz, dirty, count, error);
        }
        printf("%zu ranges of triangles moved\n", count);
    }
    free(triangles);
    free(dirty);
    if (result == SL_OK) { /* the next version of the scene, in the memory of the one before */
        const sl_instances_def def = { .previous = e->scene, .recycle = e->scene };
        sl_bvh *next = NULL;
        e->object.bvh = e->tree;
        result = sl_bvh_build_instances(&e->object, 1, &def, &next, error);
        e->scene = result == SL_OK ? next : e->scene;
    }
    return result;
}

static sl_result edit(editor *e, sl_error *error)
{
    const double up[3] = { 0, 0.25, 0 };
    const size_t words = sl_set_words(e->topology, SL_VERTICES);
    uint64_t *set = calloc(words, sizeof *set);
    uint64_t *scratch = calloc(sl_set_words(e->topology, SL_EDGES), sizeof *scratch);
    sl_result result = SL_OUT_OF_MEMORY;
    if (set != NULL && scratch != NULL) {
        const uint32_t seam = find_seam(e);
        sl_set_from_list(e->topology, SL_VERTICES, &seam, 1, set);
        sl_set_grow(e->topology, SL_VERTICES, set, SL_EDGES, scratch, set);
        printf("%zu vertices, ", sl_set_list(e->topology, SL_VERTICES, set, NULL, 0));
        printf("%zu of the mesh\n", move_vertices(e, set, up));
        result = follow_edit(e, set, error);
    }
    free(set);
    free(scratch);
    return result;
}

/* Saves, loads, and compares with what was edited: the same bits, the same hit. */
static sl_result save_and_load(const editor *e, const char *path, sl_error *error)
{
    const sl_save_def def = { .xyz = e->xyz, .material_library = "spot.mtl" };
    const sl_soup before = sl_mesh_soup(e->mesh);
    sl_mesh *back = NULL;
    sl_bvh *tree = NULL;
    sl_result result = sl_mesh_save(e->mesh, path, &def, NULL, error);
    if (result == SL_OK) {
        result = sl_mesh_load(path, NULL, &back, error);
    }
    if (result == SL_OK) {
        result = sl_bvh_build(back, NULL, &tree, error);
    }
    if (result == SL_OK) {
        const sl_soup after = sl_mesh_soup(back);
        const float from[3] = { 0, 0.2f, -5 }, dir[3] = { 0, 0, 1 };
        const sl_ray ray = sl_ray_make(from, dir);
        sl_hit a = { 0 }, b = { 0 };
        const bool same = after.vertex_count == before.vertex_count &&
                          after.triangle_count == before.triangle_count &&
                          memcmp(after.xyz, e->xyz, 12 * before.vertex_count) == 0 &&
                          memcmp(after.indices, before.indices, 12 * before.triangle_count) == 0;
        printf("loaded again: %s\n", same ? "the same bits" : "something else");
        sl_bvh_closest(e->tree, &ray, NULL, &a);
        sl_bvh_closest(tree, &ray, NULL, &b);
        printf("a ray hits triangle %u: %s\n", b.prim,
               memcmp(&a, &b, sizeof a) == 0 ? "in both" : "not in both");
    }
    sl_bvh_destroy(tree);
    sl_mesh_destroy(back);
    remove(path);
    return result;
}

int main(int argc, char **argv)
{
    editor e = { .xyz = NULL };
    sl_error error = { .message = "out of memory" };
    if (argc != 2) {
        fprintf(stderr, "usage: editor_save MESH\n");
        return 2;
    }
    double off = 0;
    sl_transform to_object;
    sl_result result = open_object(&e, argv[1], &error);
    if (result == SL_OK) {
        sl_transform_inverse(&e.object.transform, &to_object, &off);
        printf("for shaders: an inverse within %.0e\n", off);
        result = edit(&e, &error);
    }
    if (result == SL_OK) {
        result = save_and_load(&e, "edited.obj", &error);
    }
    if (result != SL_OK) {
        fprintf(stderr, "editor_save: %s\n", error.message);
    }
    sl_bvh_destroy(e.scene);
    sl_bvh_destroy(e.tree);
    sl_topology_destroy(e.topology);
    sl_mesh_destroy(e.mesh);
    free(e.xyz);
    return result == SL_OK ? 0 : 1;
}
