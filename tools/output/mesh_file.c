/* output/mesh_file.c: writes meshes, with what they keep besides positions, and names what they
 * lose, for check --repair and bake. */
#include "tools/output/mesh_file.h"

#include "tools/cli/report.h"
#include "tools/output/file_name.h"

#include <sightline/mesh_format.h>

#include <string.h>

/* The table of a kind; values NULL: there is none. */
static sl_mesh_attribute table_of(const sl_mesh *mesh, uint32_t kind)
{
    sl_mesh_attribute table = { .values = NULL };
    (void)sl_mesh_get_attribute(mesh, kind, &table);
    return table;
}

int mesh_out_write_ply(const char *path, const sl_ply *ply)
{
    sl_error error;
    const int status = out_file_lend(path);
    return status == EXIT_DONE ? out_file_take_back(sl_ply_write(path, ply, &error), &error)
                               : status;
}

/* The format's ending, in lower case: that of the name where it is one, or else .ply. */
static const char *mesh_out_ending(const char *path)
{
    static const char *const others[] = { ".obj", ".stl", ".glb" };
    for (int i = 0; i < 3; i++) {
        if (file_name_ends(path, others[i])) {
            return others[i];
        }
    }
    return ".ply";
}

int mesh_out_write(const char *path, const mesh_out *what, size_t *vertices)
{
    sl_save_report report;
    sl_error error;
    const sl_save_def def = { .ending = mesh_out_ending(path),
                              .quality = what->quality,
                              .rgb = what->rgb };
    int status = out_file_lend(path);
    if (status == EXIT_DONE) {
        status = out_file_take_back(sl_mesh_save(what->mesh, path, &def, &report, &error), &error);
    }
    if (status == EXIT_DONE && vertices != NULL) {
        *vertices = report.vertex_count;
    }
    return status;
}

/* Kinds that end up in the file. */
static uint32_t kinds_written(const mesh_out *what, const char *ending)
{
    uint32_t kinds = 0;
    for (uint32_t kind = SL_MESH_NORMALS; kind <= SL_MESH_COLOURS; kind *= 2) {
        const sl_mesh_attribute table = table_of(what->mesh, kind);
        const bool by_corner = table.indices != NULL && strcmp(ending, ".obj") == 0;
        const bool replaced = what->rgb != NULL || by_corner;
        if (table.values != NULL && strcmp(ending, ".stl") != 0 &&
            !(kind == SL_MESH_COLOURS && replaced)) {
            kinds |= kind;
        }
    }
    return kinds;
}

size_t mesh_out_lost(const mesh_out *what, const char *path, const char *words[MESH_OUT_LOST_MAX])
{
    static const char *const names[] = { "normals", "UVs", "colours", "further attributes" };
    const char *ending = mesh_out_ending(path);
    const bool parts = strcmp(ending, ".obj") == 0 || strcmp(ending, ".glb") == 0;
    const uint32_t lost = sl_mesh_get_info(what->from).attributes & ~kinds_written(what, ending);
    size_t count = 0;
    for (int i = 0; i < 4; i++) {
        if ((lost & 1u << i) != 0) {
            words[count++] = names[i];
        }
    }
    if (!parts && sl_mesh_get_info(what->from).part_count > 1) {
        words[count++] = "parts";
    }
    return count;
}

void mesh_out_warn(const mesh_out *what, const char *name, const char *path)
{
    const char *words[MESH_OUT_LOST_MAX + 1] = { NULL };
    const size_t count = mesh_out_lost(what, path, words);
    char list[80];
    report_list(list, sizeof list, words, "", " and ");
    if (count > 0) {
        (void)report_failure(path, "does not keep the %s of %s", list, name);
    }
}

void mesh_out_report(output *out, const mesh_out *what, const char *path)
{
    const char *words[MESH_OUT_LOST_MAX];
    out_value values[MESH_OUT_LOST_MAX];
    const size_t count = mesh_out_lost(what, path, words);
    for (size_t i = 0; i < count; i++) {
        values[i] = value_text(words[i]);
    }
    if (count > 0 || out->format == OUTPUT_JSON) {
        output_fields(out, "not_kept", values, count);
    }
}
