/* Points of pictures and of the world, homogeneous.  The two matrices are inverted separately, so
 * that the projection loses no precision to an eye that is far from the origin. */
#include "lib/geom/camera/homogeneous.h"
#include "lib/geom/exact/arithmetic/vector.h"

void sli_transform(const double m[16], const double v[4], double out[4])
{
    for (int row = 0; row < 4; row++) {
        out[row] = 0;
        for (int column = 0; column < 4; column++) {
            out[row] += m[4 * column + row] * v[column];
        }
    }
}

/* The 2 x 2 minors: minors[0] of the upper two rows, minors[1] of the lower two, each for the pairs
 * of columns 01, 02, 03, 12, 13, 23. */
static void make_minors(const double m[16], double minors[2][6])
{
    for (int half = 0; half < 2; half++) {
        int n = 0;
        for (int a = 0; a < 4; a++) {
            for (int b = a + 1; b < 4; b++) {
                const double *left = m + 4 * a + 2 * half, *right = m + 4 * b + 2 * half;
                minors[half][n++] = left[0] * right[1] - right[0] * left[1];
            }
        }
    }
}

/* The cofactor of an element: the other row of its half, expanded with the minors of the other
 * half. */
static double homogeneous_cofactor(const double m[16], double minors[2][6], int row, int column)
{
    /* For each omitted column: the three that stay, and the index of the minor without each of
     * these. */
    static const int columns[4][3] = { { 1, 2, 3 }, { 0, 2, 3 }, { 0, 1, 3 }, { 0, 1, 2 } };
    static const int minor_without[4][3] = { { 5, 4, 3 }, { 5, 2, 1 }, { 4, 2, 0 }, { 3, 1, 0 } };
    const double *minor = minors[row < 2];
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        const double term = m[4 * columns[column][i] + (row ^ 1)] * minor[minor_without[column][i]];
        sum += i == 1 ? -term : term;
    }
    return (row + column) % 2 == 0 ? sum : -sum;
}

static bool homogeneous_invert(const float matrix[16], double out[16])
{
    double m[16], minors[2][6], det = 0;
    for (int i = 0; i < 16; i++) {
        m[i] = matrix[i];
    }
    make_minors(m, minors);
    for (int i = 0; i < 16; i++) {
        out[i] = homogeneous_cofactor(m, minors, i / 4, i % 4);
    }
    for (int column = 0; column < 4; column++) {
        det += m[4 * column] * out[column];
    }
    for (int i = 0; i < 16; i++) {
        out[i] /= det;
    }
    return det != 0 && isfinite(det);
}

bool sli_camera_invert(const sl_camera *camera, sli_camera_inverse *out)
{
    return sli_clip_is_valid(camera->clip) &&
           homogeneous_invert(camera->view, out->world_from_eye) &&
           homogeneous_invert(camera->projection, out->eye_from_clip);
}

double sli_camera_y_sign(const sl_camera *camera)
{
    return camera->clip == SL_CLIP_SPACE_VULKAN ? -1 : 1;
}

void sli_camera_world_point(const sl_camera *camera, const sli_camera_inverse *back, double x,
                            double y, double depth, double out[4])
{
    const double clip[4] = { 2 * x / camera->width - 1,
                             (1 - 2 * y / camera->height) * sli_camera_y_sign(camera), depth, 1 };
    double eye[4];
    sli_transform(back->eye_from_clip, clip, eye);
    sli_transform(back->world_from_eye, eye, out);
}

bool sli_camera_reach_forever(const double from[4], const double to[4], double dir[3])
{
    double largest = 0, square = 0;
    for (int axis = 0; axis < 3; axis++) {
        dir[axis] = to[axis] * from[3] - from[axis] * to[3];
        largest = fmax(largest, fabs(dir[axis]));
    }
    if (!(largest > 0) || !isfinite(largest)) {
        return false;
    }
    for (int axis = 0; axis < 3; axis++) {
        dir[axis] /= largest;
        square += dir[axis] * dir[axis];
    }
    for (int axis = 0; axis < 3; axis++) {
        dir[axis] = dir[axis] / sqrt(square) + 0.0;
    }
    return sli_are_finite(dir, 3);
}
