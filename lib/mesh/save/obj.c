/* save/obj.c: a mesh as OBJ: rows as the mesh has them, and its parts as o, g and usemtl.
 * Source: Wavefront, Advanced Visualizer Manual, appendix B1, Object Files. */
#include "lib/base/inline.h"
#include "lib/mesh/save/save.h"

static void put_row(sli_writer *w, const char *word, const float *row, size_t count)
{
    char text[SLI_NUMBER_TEXT];
    sli_write_text(w, word);
    for (size_t k = 0; k < count; k++) {
        sli_write_text(w, " ");
        sli_write_text(w, sli_float_text(row[k], text));
    }
    sli_write_text(w, "\n");
}

static void put_index(sli_writer *w, uint32_t index)
{
    char digits[10];
    size_t at = sizeof digits;
    uint64_t left = (uint64_t)index + 1;
    do {
        digits[--at] = (char)('0' + left % 10);
        left /= 10;
    } while (left > 0);
    sli_write_bytes(w, digits + at, sizeof digits - at);
}

/* A byte that a name in OBJ cannot have there, since it would end or be cut off, is written _. */
static void put_name(sli_writer *w, const char *word, const char *name)
{
    const size_t length = strlen(name);
    sli_write_text(w, word);
    for (size_t i = 0; i < length; i++) {
        const bool end = i == 0 || i + 1 == length, blank = name[i] == ' ';
        const bool bad = ((uint8_t)name[i] < ' ' && name[i] != '\t') || name[i] == '#' ||
                         (end && (blank || name[i] == '\t' || name[i] == '\\'));
        sli_write_bytes(w, bad ? "_" : &name[i], 1);
    }
    sli_write_text(w, "\n");
}

/* What o, g and usemtl said last. */
typedef struct obj_part {
    const char *object, *group, *material;
} obj_part;

static void put_part(sli_writer *w, const sl_mesh_part *part, obj_part *last)
{
    const char *group = strcmp(part->name, part->node) != 0 ? part->name : "";
    if (strcmp(part->node, last->object) != 0) {
        put_name(w, "o ", part->node);
        last->group = "";
    }
    if (strcmp(group, last->group) != 0) {
        put_name(w, "g ", group);
    }
    if (strcmp(part->material, last->material) != 0) {
        put_name(w, "usemtl ", part->material);
    }
    *last = (obj_part){ part->node, group, part->material };
}

static void put_vertices(sli_writer *w, const sli_saving *saving)
{
    const sli_attribute *colours = sli_saved_table(saving, sli_slot(SL_MESH_COLOURS));
    const bool coloured = colours != NULL && colours->indices == NULL;
    for (size_t i = 0; i < saving->mesh->info.vertex_count; i++) {
        float row[7];
        memcpy(row, sli_saved_position(saving, i), 3 * sizeof *row);
        if (coloured) {
            memcpy(row + 3, colours->values + 4 * i, 4 * sizeof *row);
        }
        put_row(w, "v", row, coloured ? 7 : 3);
    }
}

static void put_table(sli_writer *w, const char *word, const sli_saving *saving, size_t slot)
{
    const sli_attribute *of = sli_saved_table(saving, slot);
    const size_t width = sli_components(slot);
    for (size_t i = 0; of != NULL && i < of->count; i++) {
        float row[3];
        for (size_t k = 0; k < width; k++) {
            row[k] = sli_saved_value(saving->flip_v, slot, of->values + width * i, k);
        }
        put_row(w, word, row, width);
    }
}

static void put_face(sli_writer *w, const sli_saving *saving, size_t prim)
{
    const uint32_t *indices = saving->mesh->indices;
    for (size_t i = 3 * prim; i < 3 * prim + 3; i++) {
        uint32_t rows[2];
        for (size_t slot = 0; slot < 2; slot++) {
            const sli_attribute *of = sli_saved_table(saving, slot);
            rows[slot] = of == NULL ? SL_NONE : of->indices != NULL ? of->indices[i] : indices[i];
        }
        sli_write_text(w, i == 3 * prim ? "f " : " ");
        put_index(w, indices[i]);
        if (rows[1] != SL_NONE) {
            sli_write_text(w, "/");
            put_index(w, rows[1]);
        }
        if (rows[0] != SL_NONE) {
            sli_write_text(w, rows[1] != SL_NONE ? "/" : "//");
            put_index(w, rows[0]);
        }
    }
    sli_write_text(w, "\n");
}

static void obj_fill(const void *context, sli_file_out *out)
{
    const sli_saving *saving = context;
    const sl_mesh *mesh = saving->mesh;
    sli_writer w;
    w.to = out;
    w.used = 0;
    if (saving->def->material_library != NULL) {
        put_name(&w, "mtllib ", saving->def->material_library);
    }
    put_vertices(&w, saving);
    put_table(&w, "vt", saving, sli_slot(SL_MESH_UVS));
    put_table(&w, "vn", saving, sli_slot(SL_MESH_NORMALS));
    obj_part last = { "", "", "" };
    size_t part = 0;
    for (size_t prim = 0; prim < mesh->info.triangle_count; prim++) {
        sl_mesh_part begun;
        if (prim == 0 || prim == sli_part_end(mesh, part)) {
            part += prim != 0;
            if (sl_mesh_get_part(mesh, part, &begun)) {
                put_part(&w, &begun, &last);
            }
        }
        if (!sli_mesh_leaves_out(mesh, prim)) {
            put_face(&w, saving, prim);
        }
    }
    sli_write_flush(&w);
}

sl_result sli_save_obj(sli_saving *saving, const char *path, sl_error *error)
{
    saving->vertex_count = saving->mesh->info.vertex_count;
    return sli_file_write_by(path, obj_fill, saving, error);
}
