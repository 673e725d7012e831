/* output/mesh_file.c: writes meshes as PLY or OBJ, with what they keep besides positions, and names
 * what they lose, for check --repair and bake. */
#include "tools/output/mesh_file.h"

#include "tools/cli/report.h"
#include "tools/output/file_name.h"

#include <sightline/mesh_format.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The table of a kind; values NULL: there is none. */
static sl_mesh_attribute table_of(const sl_mesh *mesh, uint32_t kind)
{
    sl_mesh_attribute table = { .values = NULL };
    (void)sl_mesh_get_attribute(mesh, kind, &table);
    return table;
}

/* ---- PLY --------------------------------------------------------------------------------- */

int mesh_out_write_ply(const char *path, const sl_ply *ply)
{
    sl_error error;
    const int status = out_file_lend(path);
    return status == EXIT_DONE ? out_file_take_back(sl_ply_write(path, ply, &error), &error)
                               : status;
}

/* A mesh in which every table is by vertex, and of which vertex each was; the values there. */
typedef struct apart {
    sl_mesh *mesh;
    uint32_t *sources;
    float *quality;
    uint8_t *rgb;
} apart;

static void close_apart(apart *a)
{
    sl_mesh_destroy(a->mesh);
    free(a->sources);
    free(a->quality);
    free(a->rgb);
}

static bool take_values(apart *a, const mesh_out *what)
{
    const size_t count = sl_mesh_soup(a->mesh).vertex_count;
    a->quality = what->quality != NULL ? malloc((count + 1) * sizeof *a->quality) : NULL;
    a->rgb = what->rgb != NULL ? malloc(3 * count + 1) : NULL;
    if ((what->quality != NULL && a->quality == NULL) || (what->rgb != NULL && a->rgb == NULL)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        if (a->quality != NULL) {
            a->quality[i] = what->quality[a->sources[i]];
        }
        if (a->rgb != NULL) {
            memcpy(a->rgb + 3 * i, what->rgb + 3 * (size_t)a->sources[i], 3);
        }
    }
    return true;
}

static int take_apart(apart *a, const mesh_out *what)
{
    sl_split_def def = { 0 };
    sl_error error;
    def.source_capacity =
        sl_mesh_soup(what->mesh).vertex_count + 3 * sl_mesh_soup(what->mesh).triangle_count;
    a->sources = malloc((def.source_capacity + 1) * sizeof *a->sources);
    if (a->sources == NULL) {
        return report_memory();
    }
    def.sources = a->sources;
    if (sl_mesh_split_vertices(what->mesh, &def, &a->mesh, &error) != SL_OK) {
        (void)report_error(&error);
        return EXIT_FAILED;
    }
    return take_values(a, what) ? EXIT_DONE : report_memory();
}

static bool is_by_corner(const sl_mesh *mesh)
{
    return table_of(mesh, SL_MESH_UVS).indices != NULL ||
           table_of(mesh, SL_MESH_NORMALS).indices != NULL ||
           table_of(mesh, SL_MESH_COLOURS).indices != NULL;
}

static int write_ply(const char *path, const mesh_out *what, size_t *vertices)
{
    apart a = { .mesh = NULL };
    const bool by_corner = is_by_corner(what->mesh);
    int status = by_corner ? take_apart(&a, what) : EXIT_DONE;
    if (status == EXIT_DONE) {
        const sl_mesh *mesh = by_corner ? a.mesh : what->mesh;
        sl_ply ply = { .xyz = sl_mesh_soup(mesh).xyz };
        ply.vertex_count = *vertices = sl_mesh_soup(mesh).vertex_count;
        ply.indices = sl_mesh_soup(mesh).indices;
        ply.triangle_count = sl_mesh_soup(mesh).triangle_count;
        ply.quality = by_corner ? a.quality : what->quality;
        ply.rgb = by_corner ? a.rgb : what->rgb;
        ply.normals = table_of(mesh, SL_MESH_NORMALS).values;
        ply.uvs = table_of(mesh, SL_MESH_UVS).values;
        ply.colours = ply.rgb == NULL ? table_of(mesh, SL_MESH_COLOURS).values : NULL;
        status = mesh_out_write_ply(path, &ply);
    }
    close_apart(&a);
    return status;
}

/* ---- OBJ --------------------------------------------------------------------------------- */

/* Nine digits read back as the same float. */
static void put_row(FILE *to, const char *word, const float *row, size_t count)
{
    fputs(word, to);
    for (size_t i = 0; i < count; i++) {
        fprintf(to, " %.9g", (double)row[i]);
    }
    fputc('\n', to);
}

static void put_table(FILE *to, const char *word, const sl_mesh_attribute *table, size_t width)
{
    for (size_t i = 0; i < table->count && table->values != NULL; i++) {
        put_row(to, word, table->values + width * i, width);
    }
}

static void put_vertices(FILE *to, const sl_mesh *mesh)
{
    const float *xyz = sl_mesh_soup(mesh).xyz;
    const sl_mesh_attribute colours = table_of(mesh, SL_MESH_COLOURS);
    const bool coloured = colours.values != NULL && colours.indices == NULL;
    for (size_t i = 0; i < sl_mesh_soup(mesh).vertex_count; i++) {
        float row[7] = { xyz[3 * i], xyz[3 * i + 1], xyz[3 * i + 2], 0, 0, 0, 0 };
        if (coloured) {
            memcpy(row + 3, colours.values + 4 * i, 4 * sizeof *row);
        }
        put_row(to, "v", row, coloured ? 7 : 3);
    }
}

/* The row of a corner, which stands at place i of all corners; SL_NONE: it has none. */
static uint32_t row_of(const sl_mesh *mesh, const sl_mesh_attribute *table, size_t i)
{
    return table->values == NULL    ? SL_NONE
           : table->indices != NULL ? table->indices[i]
                                    : sl_mesh_soup(mesh).indices[i];
}

static void put_faces(FILE *to, const sl_mesh *mesh, const sl_mesh_attribute *uvs,
                      const sl_mesh_attribute *normals)
{
    const uint32_t *indices = sl_mesh_soup(mesh).indices;
    for (size_t i = 0; i < 3 * sl_mesh_soup(mesh).triangle_count; i++) {
        if (indices[i] == SL_NONE) {
            continue;
        }
        const uint32_t uv = row_of(mesh, uvs, i), normal = row_of(mesh, normals, i);
        fprintf(to, "%s%" PRIu32, i % 3 == 0 ? "f " : " ", indices[i] + 1);
        if (uv != SL_NONE) {
            fprintf(to, "/%" PRIu32, uv + 1);
        }
        if (normal != SL_NONE) {
            fprintf(to, "%s%" PRIu32, uv != SL_NONE ? "/" : "//", normal + 1);
        }
        fputs(i % 3 == 2 ? "\n" : "", to);
    }
}

static int write_obj(const char *path, const sl_mesh *mesh, size_t *vertices)
{
    out_file file;
    const int status = out_file_open(&file, path);
    if (status != EXIT_DONE) {
        return status;
    }
    const sl_mesh_attribute uvs = table_of(mesh, SL_MESH_UVS);
    const sl_mesh_attribute normals = table_of(mesh, SL_MESH_NORMALS);
    *vertices = sl_mesh_soup(mesh).vertex_count;
    put_vertices(file.stream, mesh);
    put_table(file.stream, "vt", &uvs, 2);
    put_table(file.stream, "vn", &normals, 3);
    put_faces(file.stream, mesh, &uvs, &normals);
    return out_file_close(&file);
}

/* ---- either ------------------------------------------------------------------------------ */

int mesh_out_write(const char *path, const mesh_out *what, size_t *vertices)
{
    size_t count = 0;
    size_t *to = vertices != NULL ? vertices : &count;
    return file_name_ends(path, ".obj") ? write_obj(path, what->mesh, to)
                                        : write_ply(path, what, to);
}

/* Kinds that end up in the file. */
static uint32_t kinds_written(const mesh_out *what, const char *path)
{
    uint32_t kinds = 0;
    for (uint32_t kind = SL_MESH_NORMALS; kind <= SL_MESH_COLOURS; kind *= 2) {
        const sl_mesh_attribute table = table_of(what->mesh, kind);
        const bool by_corner = table.indices != NULL && file_name_ends(path, ".obj");
        const bool replaced = what->rgb != NULL || by_corner;
        if (table.values != NULL && !(kind == SL_MESH_COLOURS && replaced)) {
            kinds |= kind;
        }
    }
    return kinds;
}

size_t mesh_out_lost(const mesh_out *what, const char *path, const char *words[MESH_OUT_LOST_MAX])
{
    static const char *const names[] = { "normals", "UVs", "colours", "further attributes" };
    const uint32_t lost = sl_mesh_get_info(what->from).attributes & ~kinds_written(what, path);
    size_t count = 0;
    for (int i = 0; i < 4; i++) {
        if ((lost & 1u << i) != 0) {
            words[count++] = names[i];
        }
    }
    if (sl_mesh_get_info(what->from).part_count > 1) {
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
