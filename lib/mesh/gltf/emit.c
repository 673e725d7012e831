/* gltf/emit.c: gives the triangles of a primitive to the sink, placed by the transform of their
 * node; for gltf/flatten.c. */
#include "lib/mesh/gltf/gltf.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { STRIP = 5, FAN = 6, REPORT_EVERY = 1 << 14 };

/* A primitive on its way into the sink. */
typedef struct emission {
    sli_gltf *gltf;
    sli_gltf_scene *scene;
    const sli_gltf_primitive *primitive;
    uint32_t mesh, node;
    uint32_t base;                /* number of its first vertex */
    uint32_t rows[SLI_GLTF_ROWS]; /* the numbers of their first rows, or SL_NONE */
    size_t vertices;
    bool mirrored;
} emission;

static bool emit_report(const emission *work)
{
    const sli_gltf_scene *scene = work->scene;
    const size_t done = scene->vertices_done + scene->triangles_done;
    return done % REPORT_EVERY != 0 ||
           sl_mesh_sink_progress(work->gltf->sink,
                                 (double)done / (double)(scene->vertices + scene->triangles + 1));
}

static void emit_place(const sl_transform *transform, const double from[3], double to[3])
{
    for (int axis = 0; axis < 3; axis++) {
        to[axis] = sli_transform_coordinate(transform->m[axis], from[0], from[1], from[2]);
    }
}

static bool emit_vertices(const emission *work, const sl_transform *world)
{
    sli_gltf_deform deform;
    sli_gltf_begin_deform(work->gltf, work->node, work->primitive, "POSITION",
                          work->primitive->positions, &deform);
    for (size_t i = 0; i < work->vertices; i++) {
        double local[4], xyz[3];
        sli_gltf_read_deformed(&deform, local);
        if (deform.joints != NULL) {
            emit_place(&deform.matrix, local, xyz);
            memcpy(local, xyz, sizeof xyz);
        }
        emit_place(world, local, xyz);
        if (!sl_mesh_sink_vertex(work->gltf->sink, xyz)) {
            return false;
        }
        work->scene->vertices_done++;
        if (!emit_report(work)) {
            return false;
        }
    }
    return true;
}

static uint32_t row_of(const emission *work, int kind, uint32_t index)
{
    return work->rows[kind] != SL_NONE && index < work->vertices ? work->rows[kind] + index
                                                                 : SL_NONE;
}

static bool emit_corner(const emission *work, uint32_t index)
{
    sl_mesh_sink *sink = work->gltf->sink;
    if (work->gltf->rows_found != 0) {
        sl_mesh_sink_corner_attributes(sink, row_of(work, 1, index), row_of(work, 0, index),
                                       row_of(work, 2, index));
    }
    if (index < work->vertices) {
        return sl_mesh_sink_corner(sink, work->base + index);
    }
    char words[120] = "";
    if (sl_mesh_sink_locating(sink)) {
        snprintf(words, sizeof words,
                 "index %" PRIu32 " of meshes[%" PRIu32 "].primitives[%" PRIu32
                 "], which has %zu vertices",
                 index, work->mesh, work->primitive->number, work->vertices);
    }
    return sl_mesh_sink_bad_corner(sink, words);
}

static bool emit_triangle(const emission *work, uint32_t a, uint32_t b, uint32_t c)
{
    if (!sl_mesh_sink_face(work->gltf->sink) || !emit_corner(work, a) ||
        !emit_corner(work, work->mirrored ? c : b) || !emit_corner(work, work->mirrored ? b : c)) {
        return false;
    }
    work->scene->triangles_done++;
    return emit_report(work);
}

/* The indices of a primitive in order, be they in an accessor or not. */
typedef struct index_source {
    sli_gltf_reader reader;
    uint32_t next;
} index_source;

static uint32_t next_index(index_source *source)
{
    return source->reader.accessor != NULL ? sli_gltf_read_index(&source->reader) : source->next++;
}

static bool emit_triangles(const emission *work)
{
    const sli_gltf_primitive *primitive = work->primitive;
    index_source source = { 0 };
    if (primitive->indices != SL_NONE) {
        source.reader.accessor = &work->gltf->accessors[primitive->indices];
    }
    uint32_t first = 0, previous = 0;
    if (primitive->mode == STRIP || primitive->mode == FAN) {
        first = next_index(&source);
        previous = next_index(&source);
    }
    for (size_t i = 0; i < primitive->triangles; i++) {
        bool done;
        if (primitive->mode == FAN) {
            const uint32_t next = next_index(&source);
            done = emit_triangle(work, previous, next, first);
            previous = next;
        } else if (primitive->mode == STRIP) {
            const uint32_t next = next_index(&source);
            done = i % 2 == 0 ? emit_triangle(work, first, previous, next)
                              : emit_triangle(work, first, next, previous);
            first = previous;
            previous = next;
        } else {
            const uint32_t a = next_index(&source);
            const uint32_t b = next_index(&source);
            done = emit_triangle(work, a, b, next_index(&source));
        }
        if (!done) {
            return false;
        }
    }
    return true;
}

/* The name of an element of a top-level array; one that is no text is none. */
static bool give_name(sli_gltf *gltf, sli_gltf_kind kind, uint32_t index, uint32_t *out)
{
    const json_t *name = json_object_get(json_array_get(gltf->arrays[kind], index), "name");
    return sl_mesh_sink_name(gltf->sink, json_string_value(name), json_string_length(name), out);
}

/* The same, given to the sink once. */
static bool give_name_once(sli_gltf *gltf, sli_gltf_kind kind, uint32_t index, uint32_t *names,
                           uint32_t *out)
{
    *out = 0;
    if (index == SL_NONE) {
        return true;
    }
    if (names[index] == SL_NONE && !give_name(gltf, kind, index, &names[index])) {
        return false;
    }
    *out = names[index];
    return true;
}

static bool emit_primitive(emission *work, const sl_transform *world, const sli_upright *turn,
                           uint32_t node, uint32_t node_name)
{
    sli_gltf *gltf = work->gltf;
    uint32_t name, material;
    if (!give_name_once(gltf, SLI_GLTF_MESHES, work->mesh, work->scene->mesh_names, &name) ||
        !give_name_once(gltf, SLI_GLTF_MATERIALS, work->primitive->material,
                        work->scene->material_names, &material) ||
        !sl_mesh_sink_part(gltf->sink, name != 0 ? name : node_name, material, node_name, node)) {
        return false;
    }
    return (work->primitive->shared || emit_vertices(work, world)) &&
           sli_gltf_emit_rows(gltf, work->scene, work->node, work->primitive, turn, work->rows) &&
           emit_triangles(work);
}

bool sli_gltf_emit(sli_gltf *gltf, sli_gltf_scene *scene, uint32_t node, const sl_transform *world)
{
    const uint32_t number = gltf->nodes[node].mesh, skin = gltf->nodes[node].skin;
    const bool moved = skin != SL_NONE || gltf->nodes[node].weights != NULL;
    const sli_gltf_mesh *mesh = &gltf->meshes[number];
    emission work = { .gltf = gltf,
                      .scene = scene,
                      .mesh = number,
                      .node = node,
                      .mirrored = sli_gltf_mirrors(world) !=
                                  (skin != SL_NONE && gltf->skins[skin].mirrors) };
    if (scene->locations != NULL) {
        sl_mesh_sink_at(gltf->sink, scene->locations[number].line, scene->locations[number].byte);
    }
    /* Once for all of its instances. */
    if (!scene->without_nodes && scene->named_node != node + 1 &&
        !give_name(gltf, SLI_GLTF_NODES, node, &scene->node_name)) {
        return false;
    }
    scene->named_node = node + 1;
    scene->stamp = (uint32_t)scene->vertices_done + 1; /* each makes vertices */
    sli_upright turn = { .still = true };
    if ((gltf->rows_found & SL_MESH_NORMALS) != 0) {
        (void)sli_upright_make(world, &turn);
    }
    for (size_t i = 0; i < mesh->count; i++) {
        work.primitive = &mesh->primitives[i];
        work.vertices = gltf->accessors[work.primitive->positions].count;
        if (!work.primitive->shared) {
            gltf->base_of[work.primitive->positions] = (uint32_t)scene->vertices_done;
        }
        work.base = gltf->base_of[work.primitive->positions];
        scene->stamp = moved ? work.base + 1 : scene->stamp; /* only those that move alike share */
        if (!emit_primitive(&work, world, &turn, scene->without_nodes ? SL_NONE : node,
                            scene->node_name)) {
            return false;
        }
    }
    return true;
}
