/* sl_mesh_at: what there is at a point of a triangle: its face and its part, and texture
 * coordinates, colour and normal between the corners'; for editors, which ask about one hit, and
 * for bakers, which ask about many. */
#include "lib/base/fpenv.h"
#include "lib/geom/exact/arithmetic/vector.h"
#include "lib/geom/exact/weighted.h"
#include "lib/geom/transform/transform.h"

#include <sightline/mesh_format.h>

/* The point of a triangle that is asked about. */
typedef struct spot {
    const sl_mesh *mesh;
    const sl_transform *transform; /* NULL: none */
    uint32_t prim;
    float u, v;
} spot;

/* The rows of the three corners; false where the mesh keeps none, or a corner has none. */
static bool find_rows(const spot *at, uint32_t kind, size_t width, const float *rows[3])
{
    sl_mesh_attribute kept;
    if (!sl_mesh_get_attribute(at->mesh, kind, &kept)) {
        return false;
    }
    const uint32_t *indices = kept.indices != NULL ? kept.indices : sl_mesh_soup(at->mesh).indices;
    for (size_t corner = 0; corner < 3; corner++) {
        const uint32_t row = indices[3 * (size_t)at->prim + corner];
        if (row == SL_NONE) {
            return false;
        }
        rows[corner] = kept.values + width * row;
    }
    return true;
}

static void at_weigh(const spot *at, const float *const rows[3], int width, float *out)
{
    for (int i = 0; i < width; i++) {
        const float values[3] = { rows[0][i], rows[1][i], rows[2][i] };
        out[i] = sli_weighted_float(values, at->u, at->v);
    }
}

/* To unit length; zero stays so.  Squares of weighted floats are within the range of doubles. */
static void at_normalise(const double n[3], float out[3])
{
    const double length = sli_norm(n);
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = length > 0 ? (float)(n[axis] / length) + 0.0f : 0;
    }
}

static void find_normal(const spot *at, const float *const rows[3], float out[3])
{
    double n[3];
    for (int axis = 0; axis < 3; axis++) {
        const float values[3] = { rows[0][axis], rows[1][axis], rows[2][axis] };
        if (!isfinite(values[0]) || !isfinite(values[1]) || !isfinite(values[2])) {
            out[0] = out[1] = out[2] = NAN;
            return;
        }
        n[axis] = sli_weighted_double(values, at->u, at->v);
    }
    sli_upright upright;
    if (at->transform != NULL && !sli_upright_make(at->transform, &upright)) {
        n[0] = n[1] = n[2] = 0;
    } else if (at->transform != NULL) {
        sli_upright_turn(&upright, n, n);
    }
    at_normalise(n, out);
}

static void at_interpolate(const spot *at, sl_mesh_point *out)
{
    const float *rows[3];
    if (find_rows(at, SL_MESH_UVS, 2, rows)) {
        at_weigh(at, rows, 2, out->uv);
        out->kept |= SL_MESH_UVS;
    }
    if (find_rows(at, SL_MESH_COLOURS, 4, rows)) {
        at_weigh(at, rows, 4, out->colour);
        out->kept |= SL_MESH_COLOURS;
    }
    if (find_rows(at, SL_MESH_NORMALS, 3, rows)) {
        find_normal(at, rows, out->normal);
        out->kept |= SL_MESH_NORMALS;
    }
}

/* Whether there is such a triangle, and the weights are numbers; fills in out if so. */
static SLI_NOINLINE bool at_look(const spot *at, sl_mesh_point *out)
{
    if (at->prim >= sl_mesh_soup(at->mesh).triangle_count ||
        sl_mesh_soup(at->mesh).indices[3 * (size_t)at->prim] == SL_NONE || !isfinite(at->u) ||
        !isfinite(at->v)) {
        return false;
    }
    sl_mesh_part part;
    *out = (sl_mesh_point){ .face = sl_mesh_face(at->mesh, at->prim),
                            .part = sl_mesh_part_of(at->mesh, at->prim),
                            .material = "" };
    if (out->part != SL_NONE && sl_mesh_get_part(at->mesh, out->part, &part)) {
        out->material = part.material;
    }
    at_interpolate(at, out);
    return true;
}

bool sl_mesh_at(const sl_mesh *mesh, uint32_t prim, float u, float v, const sl_transform *transform,
                sl_mesh_point *out)
{
    const spot at = { .mesh = mesh, .transform = transform, .prim = prim, .u = u, .v = v };
    sl_mesh_point made;
    const bool found = SLI_IN_FPENV(at_look(&at, &made));
    if (found) {
        *out = made;
    }
    return found;
}
