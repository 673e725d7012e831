/* gltf/mesh.c: a mesh is proven when the first node uses it: what each primitive reads is there,
 * and how much comes of it is known.  Those that make no triangles are left out here. */
#include "lib/mesh/gltf/gltf.h"

#include <stdio.h>
#include <string.h>

enum { TRIANGLES = 4, STRIP = 5, FAN = 6, UNSIGNED_INT = 5125, FLOAT = 5126 };

bool sli_gltf_is_position(const sli_gltf_accessor *accessor)
{
    return accessor->components == 3 && accessor->type != UNSIGNED_INT;
}

static sl_result read_positions(sli_gltf *gltf, const sli_gltf_item *item, sli_gltf_primitive *out,
                                const sli_gltf_accessor **positions)
{
    sli_gltf_item attributes, draco;
    SLI_TRY(sli_gltf_object(gltf, item, "attributes", &attributes));
    if (attributes.object == NULL) {
        return sli_gltf_bad(gltf, item, "'attributes' is missing");
    }
    SLI_TRY(sli_gltf_reference(gltf, &attributes, "POSITION", false, SLI_GLTF_ACCESSORS,
                               &out->positions));
    if (out->positions == SL_NONE) {
        return sli_gltf_read_rows(gltf, &attributes, NULL, out);
    }
    SLI_TRY(sli_gltf_prove_accessor(gltf, out->positions, positions));
    if (!sli_gltf_is_position(*positions)) {
        return sli_gltf_bad(gltf, &attributes,
                            "'POSITION' is accessors[%lu], whose elements are no VEC3 of floats "
                            "(or, quantized, of 8 or 16 bits)",
                            (unsigned long)out->positions);
    }
    SLI_TRY(sli_gltf_extension(gltf, item, "KHR_draco_mesh_compression", &draco));
    if (draco.object != NULL && (*positions)->without_view) {
        return sli_gltf_fail(gltf, SL_UNSUPPORTED, item,
                             "it is compressed with KHR_draco_mesh_compression, which is not "
                             "read; save the file without");
    }
    return sli_gltf_read_rows(gltf, &attributes, *positions, out);
}

static sl_result read_indices(sli_gltf *gltf, const sli_gltf_item *item, sli_gltf_primitive *out,
                              size_t *count)
{
    const sli_gltf_accessor *indices;
    SLI_TRY(sli_gltf_reference(gltf, item, "indices", false, SLI_GLTF_ACCESSORS, &out->indices));
    if (out->indices == SL_NONE) {
        return SL_OK;
    }
    SLI_TRY(sli_gltf_prove_accessor(gltf, out->indices, &indices));
    if (indices->components != 1 || indices->type == FLOAT || indices->type % 2 == 0) {
        return sli_gltf_bad(gltf, item,
                            "'indices' is accessors[%lu], whose elements are no SCALAR of 8, 16 "
                            "or 32 bits without sign",
                            (unsigned long)out->indices);
    }
    *count = indices->count;
    return SL_OK;
}

/* Corners that are left over make no triangle. */
static size_t count_triangles(int mode, size_t corners)
{
    return mode == TRIANGLES ? corners / 3 : corners > 2 ? corners - 2 : 0;
}

/* Notes points and lines, and corners that are left over, at the place of the whole. */
static sl_result note_primitive(sli_gltf *gltf, uint64_t mode, size_t corners)
{
    const bool left_over = mode == TRIANGLES ? corners % 3 != 0 : corners == 1 || corners == 2;
    const bool given =
        mode < TRIANGLES
            ? sl_mesh_sink_note(gltf->sink, SL_NOTE_GEOMETRY, mode == 0 ? "points" : "lines", 1)
            : sl_mesh_sink_note(gltf->sink, SL_NOTE_SHORT_FACES, NULL, left_over);
    return given ? SL_OK : SL_CANCELLED;
}

static sl_result read_primitive(sli_gltf *gltf, const sli_gltf_item *item, sli_gltf_primitive *out)
{
    const sli_gltf_accessor *positions = NULL;
    uint64_t mode = TRIANGLES;
    out->positions = out->indices = out->material = SL_NONE;
    SLI_TRY(sli_gltf_whole(gltf, item, "mode", TRIANGLES, UINT32_MAX, &mode));
    if (mode > FAN) {
        return sli_gltf_bad(gltf, item, "'mode' is %llu, which is none of glTF",
                            (unsigned long long)mode);
    }
    SLI_TRY(read_positions(gltf, item, out, &positions));
    size_t corners = positions != NULL ? positions->count : 0;
    SLI_TRY(read_indices(gltf, item, out, &corners));
    SLI_TRY(sli_gltf_reference(gltf, item, "material", false, SLI_GLTF_MATERIALS, &out->material));
    SLI_TRY(out->positions != SL_NONE ? note_primitive(gltf, mode, corners) : SL_OK);
    out->mode = (int)mode;
    if (out->positions != SL_NONE && mode >= TRIANGLES) {
        out->triangles = count_triangles(out->mode, corners);
    }
    return SL_OK;
}

static bool json_same(const json_t *a, const json_t *b, const char *key)
{
    const json_t *x = json_object_get(a, key), *y = json_object_get(b, key);
    return x == y || json_equal(x, y);
}

/* Whether the same morph targets and joints move the vertices of both. */
static bool moves_alike(const json_t *a, const json_t *b)
{
    const json_t *x = json_object_get(a, "attributes"), *y = json_object_get(b, "attributes");
    bool alike = json_same(a, b, "targets"), more = true;
    for (int set = 0; alike && more; set++) {
        char joints[24], weights[24];
        snprintf(joints, sizeof joints, "JOINTS_%d", set);
        snprintf(weights, sizeof weights, "WEIGHTS_%d", set);
        alike = json_same(x, y, joints) && json_same(x, y, weights);
        more = json_object_get(x, joints) != NULL;
    }
    return alike;
}

/* Counts a primitive; stamp tells which positions this mesh has been seen to use, and base which
 * primitive has them: the last one that does not share them. */
static sl_result add_counts(sli_gltf *gltf, const sli_gltf_item *item, sli_gltf_mesh *mesh,
                            sli_gltf_primitive *primitive)
{
    const uint32_t stamp = item->index + 1;
    uint32_t *base = &gltf->base_of[primitive->positions];
    primitive->shared = gltf->stamp_of[primitive->positions] == stamp &&
                        moves_alike(mesh->primitives[*base].object, primitive->object);
    *base = primitive->shared ? *base : (uint32_t)(mesh->count - 1);
    gltf->stamp_of[primitive->positions] = stamp;
    mesh->triangles += primitive->triangles;
    mesh->vertices += primitive->shared ? 0 : gltf->accessors[primitive->positions].count;
    return mesh->triangles < SL_NONE && mesh->vertices < SL_NONE
               ? SL_OK
               : sli_gltf_fail(gltf, SL_TOO_LARGE, item, "more than 4294967294 vertices");
}

sl_result sli_gltf_primitive_item(const sli_gltf *gltf, uint32_t mesh, size_t number,
                                  const json_t *object, sli_gltf_item *out)
{
    *out = (sli_gltf_item){ .object = object, .kind = SLI_GLTF_MESHES, .index = mesh };
    snprintf(out->name, sizeof out->name, "meshes[%lu].primitives[%zu]", (unsigned long)mesh,
             number);
    return json_is_object(object) ? SL_OK : sli_gltf_bad(gltf, out, "it is no object");
}

static sl_result read_primitives(sli_gltf *gltf, const sli_gltf_item *item, const json_t *list,
                                 sli_gltf_mesh *mesh)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        sli_gltf_item one;
        SLI_TRY(sli_gltf_primitive_item(gltf, item->index, i, json_array_get(list, i), &one));
        sli_gltf_primitive *primitive = &mesh->primitives[mesh->count];
        *primitive = (sli_gltf_primitive){ .object = one.object, .number = (uint32_t)i };
        sl_result result = read_primitive(gltf, &one, primitive);
        if (result == SL_OK && primitive->triangles > 0) {
            mesh->count++;
            result = add_counts(gltf, &one, mesh, primitive);
        }
        if (result != SL_OK) {
            return result;
        }
    }
    return SL_OK;
}

sl_result sli_gltf_prove_mesh(sli_gltf *gltf, uint32_t index, sli_gltf_mesh **out)
{
    sli_gltf_mesh *mesh = &gltf->meshes[index];
    *out = mesh;
    if (mesh->proven) {
        return SL_OK;
    }
    sli_gltf_item item;
    const json_t *list = NULL;
    SLI_TRY(sli_gltf_element(gltf, SLI_GLTF_MESHES, index, &item));
    SLI_TRY(sli_gltf_list(gltf, &item, "primitives", &list));
    if (list == NULL) {
        return sli_gltf_bad(gltf, &item, "'primitives' is missing");
    }
    SLI_TRY(
        sli_gltf_array(gltf, &mesh->primitives, json_array_size(list), sizeof *mesh->primitives));
    SLI_TRY(read_primitives(gltf, &item, list, mesh));
    mesh->proven = true;
    return SL_OK;
}
