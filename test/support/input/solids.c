#include "test/support/input/solids.h"

#include "test/support/input/random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const solid_names[SOLID_KINDS] = { "sphere",   "torus",    "cube",
                                               "sponge",   "checkers", "shells",
                                               "mirrored", "needles",  "tiny" };

static sl_mesh *checked(sl_mesh *mesh, sl_result result)
{
    if (result != SL_OK) {
        fprintf(stderr, "solids: %s\n", sl_result_name(result));
        abort();
    }
    return mesh;
}

static sl_mesh *of_triangles(const float *xyz, size_t count)
{
    sl_mesh *mesh = NULL;
    const sl_result result = sl_mesh_from_arrays(xyz, 3 * count, NULL, count, NULL, &mesh, NULL);
    return checked(mesh, result);
}

/* A square of the lattice across an axis, two triangles, facing up the axis or down. */
static float *put_square(float *to, const int at[3], int axis, bool up)
{
    static const int corners[2][3][2] = { { { 0, 0 }, { 1, 0 }, { 1, 1 } },
                                          { { 0, 0 }, { 1, 1 }, { 0, 1 } } };
    for (int t = 0; t < 2; t++) {
        for (int c = 0; c < 3; c++, to += 3) {
            const int *corner = corners[t][up ? c : 2 - c];
            to[axis] = (float)(at[axis] + (up ? 1 : 0));
            to[(axis + 1) % 3] = (float)(at[(axis + 1) % 3] + corner[0]);
            to[(axis + 2) % 3] = (float)(at[(axis + 2) % 3] + corner[1]);
        }
    }
    return to;
}

typedef bool filled_fn(int n, const int at[3]);

static bool is_filled(int n, filled_fn *filled, const int at[3])
{
    for (int axis = 0; axis < 3; axis++) {
        if (at[axis] < 0 || at[axis] >= n) {
            return false;
        }
    }
    return filled(n, at);
}

/* The surface of a set of the cells of [0, n]^3. */
static sl_mesh *surface_of_cells(int n, filled_fn *filled)
{
    float *xyz = malloc((size_t)(n * n * n) * 6 * 18 * sizeof *xyz);
    float *to = xyz;
    for (int cell = 0; cell < n * n * n; cell++) {
        const int at[3] = { cell % n, cell / n % n, cell / n / n };
        for (int side = 0; side < 6 && is_filled(n, filled, at); side++) {
            int next[3] = { at[0], at[1], at[2] };
            next[side / 2] += side % 2 != 0 ? 1 : -1;
            if (!is_filled(n, filled, next)) {
                to = put_square(to, at, side / 2, side % 2 != 0);
            }
        }
    }
    sl_mesh *mesh = of_triangles(xyz, (size_t)(to - xyz) / 9);
    free(xyz);
    return mesh;
}

static bool every_cell(int n, const int at[3])
{
    (void)n;
    (void)at;
    return true;
}

static bool every_other_cell(int n, const int at[3])
{
    (void)n;
    return (at[0] + at[1] + at[2]) % 2 == 0;
}

static bool sponge_cell(int n, const int at[3])
{
    for (int size = 1; size < n; size *= 3) {
        int middle = 0;
        for (int axis = 0; axis < 3; axis++) {
            middle += at[axis] / size % 3 == 1;
        }
        if (middle >= 2) {
            return false;
        }
    }
    return true;
}

sl_mesh *solid_cube(int n)
{
    return surface_of_cells(n, every_cell);
}

sl_mesh *solid_placed(const sl_mesh *mesh, const float scale[3], const float offset[3], bool turned)
{
    const size_t count = sl_mesh_soup(mesh).triangle_count;
    float *xyz = malloc(count * 9 * sizeof *xyz);
    for (size_t i = 0; i < 3 * count; i++) {
        const size_t corner = turned ? i - i % 3 + 2 - i % 3 : i;
        const uint32_t vertex = sl_mesh_soup(mesh).indices[corner];
        for (size_t axis = 0; axis < 3; axis++) {
            xyz[3 * i + axis] =
                sl_mesh_soup(mesh).xyz[3 * (size_t)vertex + axis] * scale[axis] + offset[axis];
        }
    }
    sl_mesh *transformed = of_triangles(xyz, count);
    free(xyz);
    return transformed;
}

sl_mesh *solid_join(const sl_mesh *a, const sl_mesh *b)
{
    const sl_mesh *parts[2] = { a, b };
    const size_t count = sl_mesh_soup(a).triangle_count + sl_mesh_soup(b).triangle_count;
    float *xyz = malloc(count * 9 * sizeof *xyz), *to = xyz;
    for (int part = 0; part < 2; part++) {
        for (size_t i = 0; i < 3 * sl_mesh_soup(parts[part]).triangle_count; i++, to += 3) {
            const size_t vertex = sl_mesh_soup(parts[part]).indices[i];
            memcpy(to, sl_mesh_soup(parts[part]).xyz + 3 * vertex, 3 * sizeof *to);
        }
    }
    sl_mesh *both = of_triangles(xyz, count);
    free(xyz);
    return both;
}

static sl_mesh *joined(sl_mesh *a, sl_mesh *b)
{
    sl_mesh *both = solid_join(a, b);
    sl_mesh_destroy(a);
    sl_mesh_destroy(b);
    return both;
}

static sl_mesh *transformed(sl_mesh *mesh, float scale, float offset, bool turned)
{
    sl_mesh *out = solid_placed(mesh, (const float[3]){ scale, scale, scale },
                                (const float[3]){ offset, offset, offset }, turned);
    sl_mesh_destroy(mesh);
    return out;
}

/* [0, 4]^3, [2, 6]^3 through it, [4, 5]^3 at the corner of one and in the other, inside out. */
static sl_mesh *shells(void)
{
    sl_mesh *two = joined(solid_cube(4), transformed(solid_cube(2), 2, 2, false));
    return joined(two, transformed(solid_cube(1), 1, 4, true));
}

/* Anywhere in the unit cube and through one another; always wound outwards: the fourth vertex lies
 * behind the first three. */
static sl_mesh *needles(void)
{
    enum { NEEDLES = 100 };
    static const int faces[4][3] = { { 0, 1, 2 }, { 0, 3, 1 }, { 1, 3, 2 }, { 2, 3, 0 } };
    test_random random = { 5 };
    float *xyz = malloc((size_t)NEEDLES * 36 * sizeof *xyz), *to = xyz;
    for (int i = 0; i < NEEDLES; i++) {
        float corner[4][3];
        for (int axis = 0; axis < 3; axis++) {
            corner[0][axis] = test_random_unit(&random);
            corner[3][axis] = test_random_unit(&random);
            for (int k = 1; k < 3; k++) {
                corner[k][axis] = corner[0][axis] + test_random_in(&random, -0.05f, 0.05f);
            }
        }
        double volume = 0;
        for (int axis = 0; axis < 3; axis++) {
            const int j = (axis + 1) % 3, k = (axis + 2) % 3;
            const double a = (double)corner[3][axis] - (double)corner[0][axis];
            volume += a * (((double)corner[1][j] - (double)corner[0][j]) *
                               ((double)corner[2][k] - (double)corner[0][k]) -
                           ((double)corner[1][k] - (double)corner[0][k]) *
                               ((double)corner[2][j] - (double)corner[0][j]));
        }
        for (int c = 0; c < 12; c++, to += 3) {
            const int at = volume < 0 ? c % 3 : 2 - c % 3;
            memcpy(to, corner[faces[c / 3][at]], sizeof corner[0]);
        }
    }
    sl_mesh *mesh = of_triangles(xyz, (size_t)NEEDLES * 4);
    free(xyz);
    return mesh;
}

sl_mesh *solid_make(solid_kind kind)
{
    sl_mesh *mesh = NULL;
    sl_result result = SL_OK;
    switch (kind) {
    case SOLID_CUBE:
        return solid_cube(4);
    case SOLID_SPONGE:
        return surface_of_cells(9, sponge_cell);
    case SOLID_CHECKERS:
        return surface_of_cells(3, every_other_cell);
    case SOLID_SHELLS:
        return shells();
    case SOLID_NEEDLES:
        return needles();
    case SOLID_TORUS:
    case SOLID_MIRRORED:
        result = sl_mesh_generate(
            &(sl_mesh_shape){ SL_MESH_TORUS, { .torus = { 20, 12, 2, 0.5f } } }, NULL, &mesh, NULL);
        break;
    default:
        result = sl_mesh_generate(&(sl_mesh_shape){ SL_MESH_SPHERE, { .sphere = { 6 } } }, NULL,
                                  &mesh, NULL);
        break;
    }
    mesh = checked(mesh, result);
    if (kind == SOLID_MIRRORED) {
        sl_mesh *mirrored =
            solid_placed(mesh, (const float[3]){ -1, 1, 1 }, (const float[3]){ 0 }, false);
        sl_mesh_destroy(mesh);
        return mirrored;
    }
    return kind == SOLID_TINY ? transformed(mesh, 0x1p-60f, 0, false) : mesh;
}
