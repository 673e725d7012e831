/* Boxes as matrices: paths against the unit cube, transformed by an inverse matrix without
 * rounding; the box of a matrix, and rounded inverses. */
#include "lib/base/fpenv.h"
#include "lib/geom/intersect/paths.h"
#include "lib/geom/intersect/slabs.h"

#include <string.h>

static bool is_affine(const float matrix[16])
{
    for (int i = 0; i < 16; i++) {
        if (!isfinite(matrix[i])) {
            return false;
        }
    }
    return matrix[3] == 0 && matrix[7] == 0 && matrix[11] == 0 && matrix[15] == 1;
}

static void make_slabs(const sli_path *path, const float inverse[16], bool exact, sli_slabs *out)
{
    sli_number origin[3], dir[3], shift;
    sli_path_numbers(path, exact, origin, dir);
    out->count = 3;
    for (int i = 0; i < 3; i++) {
        sli_slab *slab = &out->slab[i];
        for (int k = 0; k < 3; k++) {
            sli_number_set(inverse[4 * k + i], exact, &slab->normal[k]);
        }
        sli_number_set(inverse[12 + i], exact, &shift);
        sli_number_dot(slab->normal, origin, &slab->at);
        sli_number_add(&slab->at, &shift, &slab->at);
        sli_number_dot(slab->normal, dir, &slab->along);
        sli_number_set(0.5, exact, &slab->reach);
        slab->axis = i;
    }
}

int sli_path_unit_cube(sli_path *path, const void *volume, sl_start_inside inside, bool exact,
                       void *hit, bool *unsure)
{
    const float *inverse = volume;
    sli_slabs slabs;
    if (!is_affine(inverse)) {
        return 0;
    }
    make_slabs(path, inverse, exact, &slabs);
    return sli_path_slabs(path, &slabs, inside, hit, unsure);
}

static SLI_NOINLINE bool find_box(const float matrix[16], sl_obb *out)
{
    if (!is_affine(matrix)) {
        return false;
    }
    for (int i = 0; i < 3; i++) {
        out->centre[i] = matrix[12 + i];
        out->half[i] = 0.5f;
        memcpy(out->axis[i], &matrix[4 * i], sizeof out->axis[i]);
    }
    return true;
}

bool sl_obb_from_matrix(const float matrix[16], sl_obb *out)
{
    return SLI_IN_FPENV(find_box(matrix, out));
}

/* Row i of the inverse is the cross product of the two other columns, over the determinant
 * (Cramer's rule). */
static SLI_NOINLINE bool ray_unit_cube_invert(const float matrix[16], float inverse[16])
{
    if (!is_affine(matrix)) {
        return false;
    }
    sli_number column[4][3], row[3], determinant, shift;
    for (int i = 0; i < 4; i++) {
        sli_number_set3(&matrix[4 * i], true, column[i]);
    }
    float found[16] = { [15] = 1 };
    bool unsure = false, fits = true; /* all is exact: nothing is unsure */
    for (int i = 0; i < 3 && fits; i++) {
        sli_number_cross(column[(i + 1) % 3], column[(i + 2) % 3], row);
        sli_number_dot(row, column[i], &determinant);
        if (sli_number_sign(&determinant, &unsure) == 0) {
            return false;
        }
        for (int k = 0; k < 3; k++) {
            found[4 * k + i] = sli_number_round_ratio(&row[k], &determinant, &unsure);
            fits = fits && isfinite(found[4 * k + i]);
        }
        sli_number_dot(row, column[3], &shift);
        sli_number_turn(&shift, -1);
        found[12 + i] = sli_number_round_ratio(&shift, &determinant, &unsure);
        fits = fits && isfinite(found[12 + i]);
    }
    if (fits) {
        memcpy(inverse, found, sizeof found);
    }
    return fits;
}

bool sl_matrix_inverse(const float matrix[16], float inverse[16])
{
    return SLI_IN_FPENV(ray_unit_cube_invert(matrix, inverse));
}
