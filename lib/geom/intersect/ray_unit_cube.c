/* Boxes as matrices: paths against the unit cube, transformed by an inverse matrix without
 * rounding; the box of a matrix, and rounded inverses. */
#include "lib/base/fpenv.h"
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

static SLI_NOINLINE bool make_and_find(sli_path_kind kind, const void *shape,
                                       const float inverse[16], sl_start_inside inside,
                                       sl_obb_hit *hit)
{
    sli_path path;
    sli_slabs slabs;
    sl_obb_hit found, *const out = hit != NULL ? &found : NULL;
    if (!is_affine(inverse) || !sli_path_make(kind, shape, &path)) {
        return false;
    }
    bool unsure = false;
    make_slabs(&path, inverse, false, &slabs);
    bool met = sli_path_slabs(&path, &slabs, inside, out, &unsure);
    if (unsure) {
        make_slabs(&path, inverse, true, &slabs);
        met = sli_path_slabs(&path, &slabs, inside, out, &unsure);
    }
    if (met && hit != NULL) {
        *hit = found;
    }
    return met;
}

static bool in_environment(sli_path_kind kind, const void *shape, const float inverse[16],
                           sl_start_inside inside, sl_obb_hit *hit)
{
    const sli_fpenv saved = sli_fpenv_enter();
    const bool met = make_and_find(kind, shape, inverse, inside, hit);
    sli_fpenv_leave(saved);
    return met;
}

bool sl_ray_unit_cube(const sl_ray *ray, const float inverse[16], sl_start_inside inside,
                      sl_obb_hit *hit)
{
    return in_environment(SLI_PATH_RAY, ray, inverse, inside, hit);
}

bool sl_segment_unit_cube(const sl_segment *segment, const float inverse[16],
                          sl_start_inside inside, sl_obb_hit *hit)
{
    return in_environment(SLI_PATH_SEGMENT, segment, inverse, inside, hit);
}

bool sl_line_unit_cube(const sl_line *line, const float inverse[16], sl_start_inside inside,
                       sl_obb_hit *hit)
{
    return in_environment(SLI_PATH_LINE, line, inverse, inside, hit);
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
    const sli_fpenv saved = sli_fpenv_enter();
    const bool usable = find_box(matrix, out);
    sli_fpenv_leave(saved);
    return usable;
}

/* Row i of the inverse is the cross product of the two other columns, over the determinant
 * (Cramer's rule). */
static SLI_NOINLINE bool invert(const float matrix[16], float inverse[16])
{
    if (!is_affine(matrix)) {
        return false;
    }
    sli_number column[4][3], row[3], determinant, shift;
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < 3; k++) {
            sli_number_set(matrix[4 * i + k], true, &column[i][k]);
        }
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
    const sli_fpenv saved = sli_fpenv_enter();
    const bool done = invert(matrix, inverse);
    sli_fpenv_leave(saved);
    return done;
}
