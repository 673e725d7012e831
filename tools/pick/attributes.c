/* pick/attributes.c: texture coordinates, smooth normal and colour where something was picked, for
 * meshes that have them. */
#include "tools/pick/pick.h"

static const struct {
    uint32_t kind;
    const char *name;
    size_t count;
    const char *columns[4];
} attributes[] = {
    { SL_MESH_UVS, "uv", 2, { "uv_u", "uv_v" } },
    { SL_MESH_NORMALS, "smooth_normal", 3, { "smooth_x", "smooth_y", "smooth_z" } },
    { SL_MESH_COLOURS, "colour", 4, { "red", "green", "blue", "alpha" } },
};

enum { ATTRIBUTES = sizeof attributes / sizeof attributes[0] };

/* Those that the mesh keeps, or any mesh of the scene. */
static bool is_kept(const pick_run *run, uint32_t kind)
{
    sl_mesh_attribute table;
    if (run->in.scene == NULL) {
        return sl_mesh_get_attribute(run->in.mesh, kind, &table);
    }
    for (size_t i = 0; i < run->in.scene->mesh_count; i++) {
        const sl_mesh *mesh = run->in.scene->meshes[i].mesh;
        if (mesh != NULL && sl_mesh_get_attribute(mesh, kind, &table)) {
            return true;
        }
    }
    return false;
}

size_t pick_attribute_columns(const pick_run *run, out_column to[PICK_ATTRIBUTES])
{
    size_t used = 0;
    for (size_t i = 0; i < ATTRIBUTES; i++) {
        for (size_t k = 0; k < attributes[i].count && is_kept(run, attributes[i].kind); k++) {
            to[used++] = (out_column){ attributes[i].columns[k], 12 };
        }
    }
    return used;
}

static const float *numbers_of(const sl_mesh_point *point, uint32_t kind)
{
    return kind == SL_MESH_UVS       ? point->uv
           : kind == SL_MESH_NORMALS ? point->normal
                                     : point->colour;
}

void pick_attribute_values(const pick_run *run, const sl_hit *hit, out_value to[PICK_ATTRIBUTES])
{
    const sl_mesh *mesh = mesh_in_mesh(&run->in, hit->instance);
    sl_transform place = sl_transform_identity();
    sl_mesh_point point = { .kept = 0 };
    size_t used = 0;
    if (run->in.scene != NULL) {
        scene_in_place(run->in.scene, hit->instance, &place);
    }
    if (mesh != NULL) {
        sl_mesh_at(mesh, hit->prim, hit->u, hit->v, &place, &point);
    }
    for (size_t i = 0; i < ATTRIBUTES; i++) {
        const float *numbers = numbers_of(&point, attributes[i].kind);
        for (size_t k = 0; k < attributes[i].count && is_kept(run, attributes[i].kind); k++) {
            to[used++] =
                (point.kept & attributes[i].kind) != 0 ? value_float(numbers[k]) : value_nothing();
        }
    }
}

void pick_attribute_fields(const pick_run *run, const sl_hit *hit, output *out)
{
    out_value values[PICK_ATTRIBUTES];
    const out_value *from = values;
    pick_attribute_values(run, hit, values);
    for (size_t i = 0; i < ATTRIBUTES; i++) {
        if (is_kept(run, attributes[i].kind)) {
            output_fields(out, attributes[i].name, from, attributes[i].count);
            from += attributes[i].count;
        }
    }
}
