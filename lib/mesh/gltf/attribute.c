/* gltf/attribute.c: normals, texture coordinates and colours: the accessors of a primitive, proven,
 * and their elements on the way into the sink, as rows that corners name (gltf/emit.c).
 *
 * The elements of an accessor are given once for each instance of a mesh, however many primitives
 * use it; where all do as they use positions, as in most files, rows have the numbers of vertices.
 * Normals of a scene that is flattened are turned with their node, by the transpose of the inverse,
 * and made one unit long, in doubles; those of nodes that neither turn nor stretch stay as they
 * are.  Morph targets are added to all kinds, and skins turn normals, vertex by vertex. */
#include "lib/mesh/gltf/gltf.h"

#include <string.h>

enum { UNSIGNED_INT = 5125, NORMALS = 0 };

/* In the order of their bits. */
const char *const sli_gltf_row_keys[SLI_GLTF_ROWS] = { "NORMAL", "TEXCOORD_0", "COLOR_0" };
static const struct {
    const char *elements;
    int least, most; /* components */
} kinds[SLI_GLTF_ROWS] = { { "VEC3", 3, 3 }, { "VEC2", 2, 2 }, { "VEC3 or VEC4", 3, 4 } };

/* Which bit SL_MESH_... a member of 'attributes' is; 0: positions. */
static uint32_t bit_of(const char *key)
{
    for (uint32_t i = 0; i < SLI_GLTF_ROWS; i++) {
        if (strcmp(key, sli_gltf_row_keys[i]) == 0) {
            return 1u << i;
        }
    }
    return strcmp(key, "POSITION") == 0 ? 0 : SL_MESH_OTHER;
}

static void attribute_note(const sli_gltf *gltf, const json_t *attributes)
{
    const char *key;
    json_t *value;
    uint32_t bits = 0;
    json_object_foreach((json_t *)(uintptr_t)attributes, key, value)
    {
        bits |= bit_of(key);
    }
    sl_mesh_sink_attributes(gltf->sink, bits);
}

/* What cannot be read, or does not fit, is left out: no triangle depends on it. */
static bool may_be_left_out(sl_result result)
{
    return result != SL_OUT_OF_MEMORY && result != SL_TOO_LARGE && result != SL_CANCELLED;
}

static sl_result prove_one(sli_gltf *gltf, const sli_gltf_item *attributes, int kind,
                           const sli_gltf_accessor *positions, uint32_t *out)
{
    const char *key = sli_gltf_row_keys[kind];
    const sli_gltf_accessor *accessor;
    sl_result result = sli_gltf_reference(gltf, attributes, key, false, SLI_GLTF_ACCESSORS, out);
    if (result != SL_OK || *out == SL_NONE) {
        return result;
    }
    SLI_TRY(sli_gltf_prove_accessor(gltf, *out, &accessor));
    if (accessor->components < kinds[kind].least || accessor->components > kinds[kind].most ||
        accessor->type == UNSIGNED_INT) {
        return sli_gltf_bad(gltf, attributes,
                            "'%s' is accessors[%lu], whose elements are no %s of floats or of 8 "
                            "or 16 bits",
                            key, (unsigned long)*out, kinds[kind].elements);
    }
    if (accessor->count != positions->count) {
        return sli_gltf_bad(gltf, attributes,
                            "'%s' is accessors[%lu], which has %zu elements, but there are %zu "
                            "positions",
                            key, (unsigned long)*out, accessor->count, positions->count);
    }
    gltf->rows_found |= 1u << kind;
    return SL_OK;
}

sl_result sli_gltf_read_row(sli_gltf *gltf, const sli_gltf_item *attributes, int kind,
                            const sli_gltf_accessor *positions, uint32_t *out)
{
    sl_error *error = gltf->error, unused;
    gltf->error = error != NULL ? &unused : NULL;
    gltf->optional = true;
    const sl_result result = prove_one(gltf, attributes, kind, positions, out);
    gltf->optional = false;
    gltf->error = error;
    if (result != SL_OK && may_be_left_out(result)) {
        *out = SL_NONE;
        return SL_OK;
    }
    if (result != SL_OK && error != NULL) {
        *error = unused;
    }
    return result;
}

sl_result sli_gltf_read_rows(sli_gltf *gltf, const sli_gltf_item *attributes,
                             const sli_gltf_accessor *positions, sli_gltf_primitive *out)
{
    const uint32_t wanted = sl_mesh_sink_keeps(gltf->sink);
    sl_result result = SL_OK;
    attribute_note(gltf, attributes->object);
    for (int i = 0; i < SLI_GLTF_ROWS && positions != NULL; i++) {
        out->rows[i] = SL_NONE;
        if (result == SL_OK && (wanted & 1u << i) != 0) {
            result = sli_gltf_read_row(gltf, attributes, i, positions, &out->rows[i]);
        }
    }
    return result;
}

/* ---- emitting ---------------------------------------------------------------------------- */

sl_result sli_gltf_prepare_rows(sli_gltf *gltf, sli_gltf_scene *scene)
{
    const size_t accessors = gltf->counts[SLI_GLTF_ACCESSORS];
    for (int i = 0; i < SLI_GLTF_ROWS; i++) {
        if ((gltf->rows_found & 1u << i) == 0) {
            continue;
        }
        SLI_TRY(sli_gltf_array(gltf, &scene->rows[i].base, accessors, sizeof(uint32_t)));
        SLI_TRY(sli_gltf_array(gltf, &scene->rows[i].stamp, accessors, sizeof(uint32_t)));
    }
    return SL_OK;
}

static bool emit_elements(sli_gltf *gltf, int kind, sli_gltf_deform *deform,
                          const sli_upright *turn)
{
    const sli_gltf_accessor *accessor = deform->elements.accessor;
    for (size_t i = 0; i < accessor->count; i++) {
        double values[4];
        sli_gltf_read_deformed(deform, values);
        if (kind == NORMALS && deform->joints != NULL) {
            sli_upright by_skin;
            (void)sli_upright_make(&deform->matrix, &by_skin);
            sli_upright_unit(&by_skin, values);
        }
        if (kind == NORMALS) {
            sli_upright_unit(turn, values);
        }
        if (!sl_mesh_sink_attribute(gltf->sink, 1u << kind, values, (size_t)accessor->components)) {
            return false;
        }
    }
    return true;
}

bool sli_gltf_emit_rows(sli_gltf *gltf, sli_gltf_scene *scene, uint32_t node,
                        const sli_gltf_primitive *primitive, const sli_upright *turn,
                        uint32_t base[SLI_GLTF_ROWS])
{
    for (int i = 0; i < SLI_GLTF_ROWS; i++) {
        const uint32_t index = primitive->rows[i];
        base[i] = SL_NONE;
        if (index == SL_NONE) {
            continue;
        }
        if (scene->rows[i].stamp[index] != scene->stamp) {
            sli_gltf_deform deform;
            sli_gltf_begin_deform(gltf, node, primitive, sli_gltf_row_keys[i], index, &deform);
            if (!emit_elements(gltf, i, &deform, turn)) {
                return false;
            }
            scene->rows[i].stamp[index] = scene->stamp;
            scene->rows[i].base[index] = (uint32_t)scene->rows[i].done;
            scene->rows[i].done += gltf->accessors[index].count;
        }
        base[i] = scene->rows[i].base[index];
    }
    return true;
}
