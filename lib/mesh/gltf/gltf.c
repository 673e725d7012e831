/* gltf.c: glTF 2.0, as text and as GLB; the outline.  What is read of a file, and in what order, is
 * told in sightline/io.h. */
#include "lib/mesh/gltf/gltf.h"

#include "lib/mesh/format/bytes.h"
#include "lib/mesh/format/io_formats.h"

#include <stdio.h>

enum { GLB_HEADER = 12, CHUNK_HEADER = 8 };

static const uint32_t json_chunk = 0x4E4F534A, bin_chunk = 0x004E4942;

/* An error about a place in the container. */
static sl_result fail_at(const sli_gltf *gltf, sl_result code, size_t byte, const char *words)
{
    return sli_fail(gltf->error, code, gltf->input->name, SLI_NO_LINE, (int64_t)byte, "%s", words);
}

/* ---- GLB ------------------------------------------------------------------------------------- */

/* One chunk; false where it is not all there. */
static bool read_chunk(const uint8_t *bytes, size_t size, size_t *at, uint32_t *type,
                       sli_gltf_bytes *out)
{
    if (size - *at < CHUNK_HEADER) {
        return false;
    }
    out->size = sli_little32(bytes + *at);
    *type = sli_little32(bytes + *at + 4);
    *at += CHUNK_HEADER;
    out->at = bytes + *at;
    out->there = out->size <= size - *at;
    *at += out->there ? out->size : 0;
    return out->there;
}

static sl_result read_chunks(sli_gltf *gltf, size_t size)
{
    const uint8_t *bytes = gltf->input->bytes;
    size_t at = GLB_HEADER;
    for (int i = 0; at < size; i++) {
        const size_t begin = at;
        uint32_t type = 0;
        sli_gltf_bytes chunk = { 0 };
        if (!read_chunk(bytes, size, &at, &type, &chunk)) {
            return fail_at(gltf, SL_BAD_DATA, begin, "a chunk of the GLB goes beyond its end");
        }
        if ((i == 0) != (type == json_chunk)) {
            return fail_at(gltf, SL_BAD_DATA, begin,
                           i == 0 ? "the first chunk of the GLB is not JSON"
                                  : "the GLB has a second chunk of JSON");
        }
        if (i == 0) {
            gltf->json = (const char *)chunk.at;
            gltf->json_size = chunk.size;
            /* Some writers fill up with zeros instead of blanks. */
            while (gltf->json_size > 0 && gltf->json[gltf->json_size - 1] == '\0') {
                gltf->json_size--;
            }
            gltf->json_at = begin + CHUNK_HEADER;
        } else if (type == bin_chunk && i > 1) {
            return fail_at(gltf, SL_BAD_DATA, begin,
                           "a binary chunk of the GLB that is not its second chunk");
        } else if (type == bin_chunk) {
            gltf->chunk = chunk;
        }
    }
    return gltf->json != NULL ? SL_OK
                              : fail_at(gltf, SL_BAD_DATA, GLB_HEADER, "the GLB has no JSON chunk");
}

static sl_result open_glb(sli_gltf *gltf)
{
    const sl_mesh_input *input = gltf->input;
    gltf->is_glb = true;
    if (input->size < GLB_HEADER) {
        return fail_at(gltf, SL_BAD_DATA, 0, "the GLB ends within its header of 12 bytes");
    }
    const uint32_t version = sli_little32(input->bytes + 4);
    const uint32_t length = sli_little32(input->bytes + 8);
    if (version != 2) {
        return sli_fail(gltf->error, SL_UNSUPPORTED, input->name, SLI_NO_LINE, 4,
                        "GLB version %lu; only 2 is read", (unsigned long)version);
    }
    if (length > input->size) {
        return sli_fail(gltf->error, SL_BAD_DATA, input->name, SLI_NO_LINE, 8,
                        "the GLB says that it has %lu bytes, but there are only %zu; is the file "
                        "complete?",
                        (unsigned long)length, input->size);
    }
    return read_chunks(gltf, length);
}

bool sli_gltf_recognise_glb(const sl_mesh_input *input)
{
    return input->size >= 4 && memcmp(input->bytes, "glTF", 4) == 0;
}

/* Text, perhaps behind a byte order mark. */
static void open_text(sli_gltf *gltf)
{
    const sl_mesh_input *input = gltf->input;
    gltf->json_at = input->size >= 3 && memcmp(input->bytes, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    gltf->json = (const char *)input->bytes + gltf->json_at;
    gltf->json_size = input->size - gltf->json_at;
}

/* ---- what the file asks of its reader -------------------------------------------------------- */

/* "2.<anything>" of glTF. */
static bool is_2(const char *version)
{
    return version[0] == '2' && (version[1] == '.' || version[1] == '\0');
}

static sl_result check_version(sli_gltf *gltf)
{
    const sli_gltf_item root = { .object = gltf->root, .kind = SLI_GLTF_KINDS, .name = "glTF" };
    sli_gltf_item asset;
    const char *version = NULL, *least = NULL;
    size_t length;
    SLI_TRY(sli_gltf_object(gltf, &root, "asset", &asset));
    if (asset.object == NULL) {
        return sli_gltf_bad(gltf, &root, "'asset' is missing; is this glTF?");
    }
    SLI_TRY(sli_gltf_text(gltf, &asset, "version", &version, &length));
    if (version == NULL) {
        return sli_gltf_bad(gltf, &asset, "'version' is missing");
    }
    SLI_TRY(sli_gltf_text(gltf, &asset, "minVersion", &least, &length));
    const bool newer = least != NULL && strcmp(least, "2.0") != 0;
    if (!is_2(version) || newer) {
        return sli_gltf_fail(gltf, SL_UNSUPPORTED, &asset,
                             "glTF of version %.20s; only 2.0 is read: convert it",
                             newer ? least : version);
    }
    return SL_OK;
}

/* Extensions that are read, or that have nothing to do with where triangles are; a name that ends
 * in
 * '_' stands for all that begin so. */
static bool is_known(const char *extension)
{
    static const char *const known[] = {
        "KHR_mesh_quantization",
        "EXT_mesh_gpu_instancing",
        "KHR_node_visibility",
        "KHR_node_selectability",
        "KHR_node_hoverability",
        "KHR_materials_",
        "EXT_materials_",
        "KHR_texture_",
        "EXT_texture_",
        "MSFT_texture_",
        "MSFT_packing_",
        "ADOBE_materials_",
        "NV_materials_",
        "KHR_lights_",
        "EXT_lights_",
        "KHR_xmp_",
        "KHR_animation_pointer",
        "KHR_techniques_webgl",
        "EXT_mesh_manifold",
        "EXT_mesh_features",
        "EXT_mesh_primitive_edge_visibility",
        "CESIUM_primitive_outline",
        "FB_geometry_metadata",
        "EXT_structural_metadata",
        "EXT_instance_features",
        "KHR_audio_",
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        const size_t length = strlen(known[i]);
        const bool family = known[i][length - 1] == '_';
        if (family ? strncmp(extension, known[i], length) == 0 : strcmp(extension, known[i]) == 0) {
            return true;
        }
    }
    return strcmp(extension, "EXT_meshopt_compression") == 0 && sli_gltf_has_meshopt();
}

static sl_result check_extensions(sli_gltf *gltf)
{
    const sli_gltf_item root = { .object = gltf->root, .kind = SLI_GLTF_KINDS, .name = "glTF" };
    const json_t *list;
    SLI_TRY(sli_gltf_list(gltf, &root, "extensionsRequired", &list));
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *extension = json_string_value(json_array_get(list, i));
        if (extension == NULL) {
            return sli_gltf_bad(gltf, &root,
                                "'extensionsRequired' holds something that is no text");
        }
        if (!is_known(extension)) {
            return sli_gltf_fail(gltf, SL_UNSUPPORTED, &root,
                                 "the file requires the extension %.60s, which is not read here; "
                                 "save it without",
                                 extension);
        }
    }
    return SL_OK;
}

/* What is there and not applied: animations, and extensions that are not known and not required.
 * Of compressed data that is not required, what stands for it is read. */
static bool note_unused(sli_gltf *gltf)
{
    const json_t *used = json_object_get(gltf->root, "extensionsUsed");
    sl_mesh_sink *sink = gltf->sink;
    sl_mesh_sink_at(sink, gltf->is_glb ? 0 : 1, (int64_t)gltf->json_at);
    bool given = sl_mesh_sink_note(sink, SL_NOTE_NOT_APPLIED, "animations",
                                   json_array_size(json_object_get(gltf->root, "animations")));
    for (size_t i = 0; given && i < json_array_size(used); i++) {
        const char *extension = json_string_value(json_array_get(used, i));
        given = extension == NULL || is_known(extension) ||
                strstr(extension, "_compression") != NULL ||
                sl_mesh_sink_note(sink, SL_NOTE_UNKNOWN, extension, 1);
    }
    return given;
}

/* ---- the outline ----------------------------------------------------------------------------- */

static sl_result make_tables(sli_gltf *gltf)
{
    const size_t *counts = gltf->counts, accessors = counts[SLI_GLTF_ACCESSORS];
    SLI_TRY(sli_gltf_array(gltf, &gltf->buffers, counts[SLI_GLTF_BUFFERS], sizeof *gltf->buffers));
    SLI_TRY(sli_gltf_array(gltf, &gltf->views, counts[SLI_GLTF_VIEWS], sizeof *gltf->views));
    SLI_TRY(sli_gltf_array(gltf, &gltf->accessors, accessors, sizeof *gltf->accessors));
    SLI_TRY(sli_gltf_array(gltf, &gltf->base_of, accessors, sizeof *gltf->base_of));
    SLI_TRY(sli_gltf_array(gltf, &gltf->stamp_of, accessors, sizeof *gltf->stamp_of));
    SLI_TRY(sli_gltf_array(gltf, &gltf->skins, counts[SLI_GLTF_SKINS], sizeof *gltf->skins));
    return sli_gltf_array(gltf, &gltf->meshes, counts[SLI_GLTF_MESHES], sizeof *gltf->meshes);
}

static sl_result load_steps(sli_gltf *gltf)
{
    if (sli_gltf_recognise_glb(gltf->input)) {
        SLI_TRY(open_glb(gltf));
    } else {
        open_text(gltf);
    }
    SLI_TRY(sli_gltf_parse(gltf));
    SLI_TRY(check_version(gltf));
    SLI_TRY(check_extensions(gltf));
    SLI_TRY(sli_gltf_find_arrays(gltf));
    SLI_TRY(note_unused(gltf) ? SL_OK : SL_CANCELLED);
    SLI_TRY(make_tables(gltf));
    SLI_TRY(sli_gltf_prove_nodes(gltf));
    return gltf->list != NULL ? sli_gltf_list_nodes(gltf) : sli_gltf_flatten(gltf);
}

sl_result sli_gltf_load(const sl_mesh_input *input, sl_mesh_sink *sink, sli_gltf_listing *list,
                        sl_error *error)
{
    sli_gltf gltf = { .input = input,
                      .sink = sink,
                      .error = error,
                      .arena = sli_arena_make(&input->allocator),
                      .list = list };
    const sl_result result = load_steps(&gltf);
    sli_gltf_close_files(&gltf);
    json_decref(gltf.root);
    sli_arena_free(&gltf.arena);
    return result;
}

static sl_result gltf_load(const sl_mesh_input *input, sl_mesh_sink *sink, sl_error *error)
{
    return sli_gltf_load(input, sink, NULL, error);
}

/* JSON, as far as can be told at once.  No other text begins so; a binary STL may, but has zeros in
 * what precedes its triangles. */
bool sli_gltf_recognise_text(const sl_mesh_input *input)
{
    const char *at = (const char *)input->bytes;
    const char *end = at + input->size;
    if (input->size == 0 || memchr(at, 0, input->size < 84 ? input->size : 84) != NULL) {
        return false;
    }
    at += input->size >= 3 && memcmp(at, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    while (at < end && (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r')) {
        at++;
    }
    return at < end && (*at == '{' || *at == '[');
}

const sl_mesh_format sli_io_gltf = {
    .name = "gltf", .ending = ".gltf", .recognise = sli_gltf_recognise_text, .load = gltf_load
};

const sl_mesh_format sli_io_glb = {
    .name = "glb", .ending = ".glb", .recognise = sli_gltf_recognise_glb, .load = gltf_load
};
