/* save/stl.c: a mesh as binary STL.
 * Source: 3D Systems, StereoLithography Interface Specification (1988). */
#include "lib/geom/exact/arithmetic/vector.h"
#include "lib/mesh/save/save.h"

/* The direction of the facet's front, of unit length in doubles, rounded; zeros where it has no
 * area.  Differences of floats have products whose squares are within the range of doubles. */
static void put_normal(sli_writer *w, const float *const corners[3])
{
    double sides[2][3], normal[3];
    for (int axis = 0; axis < 3; axis++) {
        for (int side = 0; side < 2; side++) {
            sides[side][axis] = (double)corners[side + 1][axis] - (double)corners[0][axis];
        }
    }
    sli_cross(sides[0], sides[1], normal);
    sli_norm_divide(normal, normal);
    for (int axis = 0; axis < 3; axis++) {
        sli_write_float(w, (float)normal[axis]);
    }
}

static void stl_fill(const void *context, sli_file_out *out)
{
    const sli_saving *saving = context;
    const sl_mesh *mesh = saving->mesh;
    static const char header[80] = "binary STL, written by sightline"; /* never "solid" */
    sli_writer w;
    w.to = out;
    w.used = 0;
    sli_write_bytes(&w, header, sizeof header);
    sli_write_u32(&w, (uint32_t)(mesh->info.triangle_count - mesh->info.left_out));
    for (size_t prim = 0; prim < mesh->info.triangle_count; prim++) {
        const float *corners[3];
        if (sli_mesh_leaves_out(mesh, prim)) {
            continue;
        }
        for (size_t k = 0; k < 3; k++) {
            corners[k] = sli_saved_position(saving, mesh->indices[3 * prim + k]);
        }
        put_normal(&w, corners);
        for (size_t k = 0; k < 3; k++) {
            sli_write_floats(&w, corners[k], 3);
        }
        sli_write_bytes(&w, "\0", 2);
    }
    sli_write_flush(&w);
}

sl_result sli_save_stl(sli_saving *saving, const char *path, sl_error *error)
{
    const sl_mesh_info *info = &saving->mesh->info;
    saving->vertex_count = 3 * (info->triangle_count - info->left_out);
    return sli_file_write_by(path, stl_fill, saving, error);
}
