/* output/mesh_file.c: writes meshes as PLY or OBJ and names what they lose, for check --repair and
 * bake. */
#include "tools/output/mesh_file.h"

#include "tools/cli/report.h"
#include "tools/output/file.h"
#include "tools/output/file_name.h"

#include <inttypes.h>
#include <string.h>

static int write_ply(const char *path, const sl_ply *mesh)
{
    sl_error error;
    const int status = out_file_lend(path);
    return status == EXIT_DONE ? out_file_take_back(sl_ply_write(path, mesh, &error), &error)
                               : status;
}

/* Nine digits read back as the same float. */
static int write_obj(const char *path, const sl_ply *mesh)
{
    out_file file;
    const int status = out_file_open(&file, path);
    if (status != EXIT_DONE) {
        return status;
    }
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        const float *p = mesh->xyz + 3 * i;
        fprintf(file.stream, "v %.9g %.9g %.9g\n", (double)p[0], (double)p[1], (double)p[2]);
    }
    for (size_t i = 0; i < mesh->triangle_count; i++) {
        const uint32_t *v = mesh->indices + 3 * i;
        if (v[0] != SL_NONE) {
            fprintf(file.stream, "f %" PRIu32 " %" PRIu32 " %" PRIu32 "\n", v[0] + 1, v[1] + 1,
                    v[2] + 1);
        }
    }
    return out_file_close(&file);
}

int mesh_out_write(const char *path, const sl_ply *mesh)
{
    return file_name_ends(path, ".obj") ? write_obj(path, mesh) : write_ply(path, mesh);
}

size_t mesh_out_lost(const sl_mesh *mesh, const char *words[MESH_OUT_LOST_MAX])
{
    const uint32_t attributes = sl_mesh_attributes(mesh);
    size_t count = 0;
    if ((attributes & SL_MESH_NORMALS) != 0) {
        words[count++] = "normals";
    }
    if ((attributes & SL_MESH_UVS) != 0) {
        words[count++] = "UVs";
    }
    if ((attributes & SL_MESH_COLOURS) != 0) {
        words[count++] = "colours";
    }
    if (sl_mesh_part_count(mesh) > 1) {
        words[count++] = "parts";
    }
    return count;
}

void mesh_out_warn(const sl_mesh *mesh, const char *from, const char *path)
{
    const char *words[MESH_OUT_LOST_MAX];
    const size_t count = mesh_out_lost(mesh, words);
    char list[64] = "";
    for (size_t i = 0; i < count; i++) {
        const size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s",
                 i == 0 ? "" : (i + 1 < count ? ", " : " and "), words[i]);
    }
    if (count > 0) {
        (void)report_failure(path, "does not keep the %s of %s", list, from);
    }
}

void mesh_out_report(output *out, const sl_mesh *mesh)
{
    const char *words[MESH_OUT_LOST_MAX];
    out_value values[MESH_OUT_LOST_MAX];
    const size_t count = mesh_out_lost(mesh, words);
    for (size_t i = 0; i < count; i++) {
        values[i] = value_text(words[i]);
    }
    if (count > 0 || out->format == OUTPUT_JSON) {
        output_fields(out, "not_kept", values, count);
    }
}
