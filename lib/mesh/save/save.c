/* save/save.c: sl_mesh_save: the format by the ending of the name, and what all of them need: the
 * edited positions checked, and corners that differ taken apart where a format has no rows for
 * corners. */
#include "lib/mesh/save/save.h"
#include "lib/base/error.h"
#include "lib/base/fpenv.h"
#include "lib/base/hooks.h"
#include "lib/base/memory.h"
#include "lib/mesh/format/choose.h"

#include <math.h>
#include <stdio.h>

const char *sli_float_text(float x, char text[SLI_NUMBER_TEXT])
{
    char *to = text;
    (void)snprintf(text, SLI_NUMBER_TEXT, "%.9g", (double)x);
    for (const char *c = text; *c != '\0'; c++) {
        const bool plain =
            (*c >= '0' && *c <= '9') || (*c >= 'a' && *c <= 'z') || *c == '-' || *c == '+';
        if (plain) {
            *to++ = *c;
        } else if (to > text && to[-1] != '.') {
            *to++ = '.';
        }
    }
    *to = '\0';
    return text;
}

static sl_result save_ply(sli_saving *saving, const char *path, sl_error *error)
{
    const sl_mesh *mesh = saving->mesh;
    const float *values[SLI_KINDS];
    for (size_t slot = 0; slot < SLI_KINDS; slot++) {
        const sli_attribute *table = sli_saved_table(saving, slot);
        values[slot] = table != NULL ? table->values : NULL;
    }
    const sl_ply ply = { .xyz = saving->xyz,
                         .vertex_count = mesh->info.vertex_count,
                         .indices = mesh->indices,
                         .triangle_count = mesh->info.triangle_count,
                         .quality = saving->def->quality,
                         .rgb = saving->def->rgb,
                         .alpha = saving->def->alpha,
                         .normals = values[sli_slot(SL_MESH_NORMALS)],
                         .uvs = values[sli_slot(SL_MESH_UVS)],
                         .colours =
                             saving->def->rgb == NULL ? values[sli_slot(SL_MESH_COLOURS)] : NULL };
    saving->vertex_count = ply.vertex_count;
    return sli_ply_write(path, &ply, saving->sources, saving->flip_v, error);
}

typedef struct save_format {
    const char *ending;
    bool by_vertex; /* its attributes are those of vertices */
    bool v_down;    /* its texture coordinates run as those of glTF */
    sl_result (*write)(sli_saving *saving, const char *path, sl_error *error);
} save_format;

static const save_format formats[] = { { ".ply", true, false, save_ply },
                                       { ".obj", false, false, sli_save_obj },
                                       { ".stl", false, false, sli_save_stl },
                                       { ".glb", true, true, sli_save_glb } };

static const save_format *format_of(const char *path)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        if (sli_has_ending(path, strlen(path), formats[i].ending)) {
            return &formats[i];
        }
    }
    return NULL;
}

static sl_result save_check(const sl_mesh *mesh, const sl_save_def *def, sl_error *error)
{
    if ((def->drop & ~(uint32_t)SLI_KEEPABLE) != 0) {
        return sli_refuse(error,
                          "sl_save_def.drop has bits that are none of SL_MESH_UVS, _NORMALS and "
                          "_COLOURS: 0x%lx",
                          (unsigned long)(def->drop & ~(uint32_t)SLI_KEEPABLE));
    }
    if (def->alpha != NULL && def->rgb == NULL) {
        return sli_refuse(error, "alpha is given without rgb");
    }
    for (size_t i = 0; i < 3 * mesh->info.triangle_count && def->xyz != NULL; i++) {
        if (mesh->indices[i] == SL_NONE) {
            continue;
        }
        const float *at = def->xyz + 3 * (size_t)mesh->indices[i];
        if (!isfinite(at[0]) || !isfinite(at[1]) || !isfinite(at[2])) {
            return sli_fail_plain(error, SL_NOT_FINITE,
                                  "triangle %zu has vertex %u, and sl_save_def.xyz has no finite "
                                  "numbers for it",
                                  i / 3, mesh->indices[i]);
        }
    }
    return SL_OK;
}

static bool save_has_corners(const sli_saving *saving)
{
    bool any = false;
    for (size_t slot = 0; slot < SLI_KINDS; slot++) {
        const sli_attribute *table = sli_saved_table(saving, slot);
        any = any || (table != NULL && table->indices != NULL);
    }
    return any;
}

static sl_result save_apart(const save_format *format, sli_saving *saving, const char *path,
                            sl_error *error)
{
    const sl_mesh_info *info = &saving->mesh->info;
    const size_t most = info->vertex_count + 3 * info->triangle_count;
    const sl_allocator *allocator = &saving->def->hooks.allocator;
    sl_mesh *apart = NULL;
    uint32_t *sources = sli_alloc_array(allocator, most, sizeof *sources);
    const sl_split_def def = { .hooks.allocator = *allocator,
                               .sources = sources,
                               .source_capacity = most };
    sl_result result = sources != NULL ? sl_mesh_split_vertices(saving->mesh, &def, &apart, error)
                                       : sli_fail_memory(error);
    if (result == SL_OK) {
        saving->mesh = apart;
        saving->sources = sources;
        result = format->write(saving, path, error);
    }
    sl_mesh_destroy(apart);
    sli_free_array(allocator, sources, most, sizeof *sources);
    return result;
}

sl_result sl_mesh_save(const sl_mesh *mesh, const char *path, const sl_save_def *def,
                       sl_save_report *report, sl_error *error)
{
    sl_save_def used = def != NULL ? *def : (sl_save_def){ 0 };
    if (mesh == NULL || path == NULL) {
        return sli_refuse(error, "%s is NULL", mesh == NULL ? "mesh" : "path");
    }
    const save_format *format = format_of(used.ending != NULL ? used.ending : path);
    if (format == NULL) {
        return sli_fail_file(error, SL_UNSUPPORTED, path,
                             "the %s ends in none of .ply .obj .stl .glb; end it in one of them",
                             used.ending != NULL ? "ending" : "name");
    }
    if (format->write != save_ply && (used.quality != NULL || used.rgb != NULL)) {
        return sli_refuse(error, "quality and rgb are written to .ply, not to %s", format->ending);
    }
    SLI_TRY(save_check(mesh, &used, error));
    SLI_TRY(sli_check_allocator(&used.hooks.allocator, error));
    used.hooks = sli_hooks(&used.hooks);
    const char *from = mesh->info.format;
    const bool v_down = strcmp(from, "gltf") == 0 || strcmp(from, "glb") == 0;
    sli_saving saving = { .mesh = mesh,
                          .xyz = used.xyz != NULL ? used.xyz : mesh->xyz,
                          .def = &used,
                          .flip_v = v_down != format->v_down };
    const bool apart = format->by_vertex && save_has_corners(&saving);
    const sl_result result = apart ? SLI_IN_FPENV(save_apart(format, &saving, path, error))
                                   : SLI_IN_FPENV(format->write(&saving, path, error));
    if (result == SL_OK && report != NULL) {
        *report =
            (sl_save_report){ .vertex_count = saving.vertex_count,
                              .triangle_count = mesh->info.triangle_count - mesh->info.left_out };
    }
    return result;
}
