/* gltf/nodes.c: sl_gltf: a file is loaded as one mesh that has each of its meshes once, beside the
 * list of its nodes (gltf/list.c), and is then taken apart. */
#include "lib/base/fpenv.h"
#include "lib/base/memory.h"
#include "lib/mesh/format/io_formats.h"
#include "lib/mesh/gltf/gltf.h"

#include <string.h>

struct sl_gltf {
    sl_allocator allocator;
    sli_gltf_listing list;
    sl_mesh **meshes; /* list.mesh_count */
};

static sl_result take_apart(sl_gltf *gltf, const sl_mesh *whole, sl_error *error)
{
    sl_result result = SL_OK;
    for (size_t i = 0; result == SL_OK && i < gltf->list.mesh_count; i++) {
        result = sli_gltf_slice(whole, &gltf->list, i, &gltf->allocator, &gltf->meshes[i], error);
    }
    return result;
}

/* ---- loading ----------------------------------------------------------------------------- */

static sl_result load_list(const sl_mesh_input *input, sl_mesh_sink *sink, sl_error *error)
{
    sli_gltf_listing *list = input->user;
    if (!sl_mesh_sink_locating(sink)) {
        return sli_gltf_load(input, sink, list, error);
    }
    sli_gltf_listing again = { .arena = sli_arena_make(&input->allocator) };
    const sl_result result = sli_gltf_load(input, sink, &again, error);
    sli_arena_free(&again.arena);
    return result;
}

static const sl_mesh_format text = {
    .name = "gltf", .ending = ".gltf", .recognise = sli_gltf_recognise_text, .load = load_list
};
static const sl_mesh_format binary = {
    .name = "glb", .ending = ".glb", .recognise = sli_gltf_recognise_glb, .load = load_list
};
static const sl_mesh_format *const formats_of_list[] = { &binary, &text, &sli_io_gzip, NULL };

/* A file of given bytes, or, where they are NULL, of a name. */
typedef struct source {
    const void *bytes;
    size_t size;
    const char *name;
} source;

static sl_result nodes_fill(sl_gltf *gltf, const source *from, sl_mesh_def *def, sl_error *error)
{
    sl_mesh *whole = NULL;
    def->formats = formats_of_list;
    def->formats_user = &gltf->list;
    sl_result result = from->bytes != NULL ? sl_mesh_load_memory(from->bytes, from->size,
                                                                 from->name, def, &whole, error)
                                           : sl_mesh_load(from->name, def, &whole, error);
    if (result == SL_OK && !gltf->list.filled) {
        result =
            sli_fail_file(error, SL_UNSUPPORTED, from->name, "it is no glTF, and so has no nodes");
    }
    if (result == SL_OK) {
        const size_t count = gltf->list.mesh_count;
        gltf->meshes = sli_arena_array(&gltf->list.arena, count + 1, sizeof *gltf->meshes);
        for (size_t i = 0; gltf->meshes != NULL && i < count; i++) {
            gltf->meshes[i] = NULL;
        }
        result = gltf->meshes == NULL ? sli_fail_memory(error) : take_apart(gltf, whole, error);
    }
    sl_mesh_destroy(whole);
    return result;
}

static sl_result nodes_load(const source *from, const sl_mesh_def *given, sl_gltf **out,
                            sl_error *error)
{
    sl_mesh_def def = given != NULL ? *given : (sl_mesh_def){ 0 };
    if (def.recentre) {
        return sli_fail_file(
            error, SL_INVALID_ARGUMENT, from->name,
            "sl_mesh_def.recentre moves one mesh, but the nodes of a glTF place many");
    }
    SLI_TRY(sli_check_allocator(&def.hooks.allocator, error));
    const sl_allocator allocator = sli_allocator(&def.hooks.allocator);
    sl_gltf *gltf = sli_alloc_array(&allocator, 1, sizeof *gltf);
    SLI_TRY(sli_had_memory(error, gltf != NULL));
    *gltf = (sl_gltf){ .allocator = allocator, .list.arena = sli_arena_make(&allocator) };
    const sl_result result = nodes_fill(gltf, from, &def, error);
    if (result != SL_OK) {
        sl_gltf_destroy(gltf);
        return result;
    }
    *out = gltf;
    return SL_OK;
}

sl_result sl_gltf_load(const char *path, const sl_mesh_def *def, sl_gltf **out, sl_error *error)
{
    SLI_TRY(SLI_CLEAR(out, error));
    if (path == NULL) {
        return sli_refuse(error, "path is NULL");
    }
    return nodes_load(&(source){ .name = path }, def, out, error);
}

sl_result sl_gltf_load_memory(const void *bytes, size_t size, const char *name,
                              const sl_mesh_def *def, sl_gltf **out, sl_error *error)
{
    SLI_TRY(SLI_CLEAR(out, error));
    if (bytes == NULL) {
        return sli_refuse(error, "bytes is NULL");
    }
    return nodes_load(&(source){ bytes, size, name }, def, out, error);
}

void sl_gltf_destroy(sl_gltf *gltf)
{
    if (gltf == NULL) {
        return;
    }
    for (size_t i = 0; gltf->meshes != NULL && i < gltf->list.mesh_count; i++) {
        sl_mesh_destroy(gltf->meshes[i]);
    }
    sli_arena_free(&gltf->list.arena);
    const sl_allocator allocator = gltf->allocator;
    sli_free_array(&allocator, gltf, 1, sizeof *gltf);
}

/* ---- reading ----------------------------------------------------------------------------- */

sl_gltf_info sl_gltf_get_info(const sl_gltf *gltf)
{
    return (sl_gltf_info){ .mesh_count = gltf->list.mesh_count,
                           .instance_count = gltf->list.instance_count,
                           .instances = gltf->list.instances };
}

const sl_mesh *sl_gltf_mesh(const sl_gltf *gltf, size_t index, uint32_t *number)
{
    const bool known = index < gltf->list.mesh_count;
    if (number != NULL) {
        *number = known ? gltf->list.meshes[index].mesh : SL_NONE;
    }
    return known ? gltf->meshes[index] : NULL;
}
