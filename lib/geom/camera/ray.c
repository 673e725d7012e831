/* From pixels to rays and back.  All of it is homogeneous, in double, until the last division; the
 * two matrices are inverted separately, so that the projection loses no precision to an eye that is
 * far from the origin. */
#include "lib/base/fpenv.h"
#include "lib/geom/camera/camera.h"

#include <math.h>

/* The inverses of both matrices. */
typedef struct inverse {
    double world_from_eye[16], eye_from_clip[16];
} inverse;

static void transform(const double m[16], const double v[4], double out[4])
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
static double cofactor(const double m[16], double minors[2][6], int row, int column)
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

static bool invert(const float matrix[16], double out[16])
{
    double m[16], minors[2][6], det = 0;
    for (int i = 0; i < 16; i++) {
        m[i] = matrix[i];
    }
    make_minors(m, minors);
    for (int i = 0; i < 16; i++) {
        out[i] = cofactor(m, minors, i / 4, i % 4);
    }
    for (int column = 0; column < 4; column++) {
        det += m[4 * column] * out[column];
    }
    for (int i = 0; i < 16; i++) {
        out[i] /= det;
    }
    return det != 0 && isfinite(det);
}

static bool make_inverse(const sl_camera *camera, inverse *out)
{
    return sli_clip_is_valid(camera->clip) && invert(camera->view, out->world_from_eye) &&
           invert(camera->projection, out->eye_from_clip);
}

/* 1 where y points up in clip space. */
static double y_sign(const sl_camera *camera)
{
    return camera->clip == SL_CLIP_SPACE_VULKAN ? -1 : 1;
}

/* The homogeneous point of the world that is seen at (x, y) with the given depth; its w is positive
 * in front of the eye. */
static void world_point(const sl_camera *camera, const inverse *back, double x, double y,
                        double depth, double out[4])
{
    const double clip[4] = { 2 * x / camera->width - 1,
                             (1 - 2 * y / camera->height) * y_sign(camera), depth, 1 };
    double eye[4];
    transform(back->eye_from_clip, clip, eye);
    transform(back->world_from_eye, eye, out);
}

/* False if a coordinate is not finite as a float. */
static bool to_floats(const double v[3], float out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = (float)v[axis] + 0.0f;
    }
    return isfinite(out[0]) && isfinite(out[1]) && isfinite(out[2]);
}

static bool is_zero(const float v[3])
{
    return v[0] == 0 && v[1] == 0 && v[2] == 0;
}

/* The far point minus the near point; false if the far point is infinite or beyond the range of
 * floats. */
static bool reach_far(const double near_point[4], const double far_point[4], float dir[3])
{
    if (!(far_point[3] > near_point[3] * 0x1p-50)) {
        return false; /* at infinity, or just beyond, where some engines put it on purpose */
    }
    double difference[3];
    for (int axis = 0; axis < 3; axis++) {
        difference[axis] = far_point[axis] / far_point[3] - near_point[axis] / near_point[3];
    }
    return to_floats(difference, dir) && !is_zero(dir);
}

/* The same direction with unit length, from the difference of the points multiplied by the w of
 * both. */
static bool reach_forever(const double near_point[4], const double far_point[4], float dir[3])
{
    double difference[3], largest = 0, square = 0;
    for (int axis = 0; axis < 3; axis++) {
        difference[axis] = far_point[axis] * near_point[3] - near_point[axis] * far_point[3];
        largest = fmax(largest, fabs(difference[axis]));
    }
    for (int axis = 0; axis < 3; axis++) {
        difference[axis] /= largest;
        square += difference[axis] * difference[axis];
    }
    for (int axis = 0; axis < 3; axis++) {
        difference[axis] /= sqrt(square);
    }
    return to_floats(difference, dir) && !is_zero(dir);
}

static bool make_ray(const sl_camera *camera, const inverse *back, double x, double y, sl_ray *out)
{
    double near_depth, far_depth, near_point[4], far_point[4];
    sli_clip_depths(camera->clip, &near_depth, &far_depth);
    world_point(camera, back, x, y, near_depth, near_point);
    world_point(camera, back, x, y, far_depth, far_point);
    if (!(near_point[3] > 0)) {
        return false;
    }
    const double start[3] = { near_point[0] / near_point[3], near_point[1] / near_point[3],
                              near_point[2] / near_point[3] };
    sl_ray ray = { .tmin = 0, .tmax = 1 };
    if (!to_floats(start, ray.origin)) {
        return false;
    }
    if (!reach_far(near_point, far_point, ray.dir)) {
        ray.tmax = INFINITY;
        if (!reach_forever(near_point, far_point, ray.dir)) {
            return false;
        }
    }
    *out = ray;
    return true;
}

static SLI_NOINLINE bool ray_at(const sl_camera *camera, float x, float y, sl_ray *out)
{
    inverse back;
    return make_inverse(camera, &back) && make_ray(camera, &back, x, y, out);
}

bool sl_camera_ray(const sl_camera *camera, float x, float y, sl_ray *out)
{
    const sli_fpenv saved = sli_fpenv_enter();
    const bool made = ray_at(camera, x, y, out);
    sli_fpenv_leave(saved);
    return made;
}

static SLI_NOINLINE bool row_at(const sl_camera *camera, uint32_t x, uint32_t y, uint32_t count,
                                sl_ray *out)
{
    inverse back;
    bool made = make_inverse(camera, &back);
    for (uint32_t i = 0; made && i < count; i++) {
        made = make_ray(camera, &back, (double)x + i + 0.5, (double)y + 0.5, &out[i]);
    }
    return made;
}

bool sl_camera_row(const sl_camera *camera, uint32_t x, uint32_t y, uint32_t count, sl_ray *out)
{
    const sli_fpenv saved = sli_fpenv_enter();
    const bool made = row_at(camera, x, y, count, out);
    sli_fpenv_leave(saved);
    return made;
}

static SLI_NOINLINE bool project(const sl_camera *camera, const float point[3], float out[3])
{
    double view[16], projection[16], eye[4], clip[4];
    for (int i = 0; i < 16; i++) {
        view[i] = camera->view[i];
        projection[i] = camera->projection[i];
    }
    const double world[4] = { point[0], point[1], point[2], 1 };
    transform(view, world, eye);
    transform(projection, eye, clip);
    if (!(clip[3] > 0) || !sli_clip_is_valid(camera->clip)) {
        return false;
    }
    const double seen[3] = { (clip[0] / clip[3] + 1) / 2 * camera->width,
                             (1 - clip[1] / clip[3] * y_sign(camera)) / 2 * camera->height,
                             clip[2] / clip[3] };
    return to_floats(seen, out);
}

bool sl_camera_project(const sl_camera *camera, const float point[3], float xy[2], float *depth)
{
    float seen[3];
    const sli_fpenv saved = sli_fpenv_enter();
    const bool found = project(camera, point, seen);
    sli_fpenv_leave(saved);
    if (found && xy != NULL) {
        xy[0] = seen[0];
        xy[1] = seen[1];
    }
    if (found && depth != NULL) {
        *depth = seen[2];
    }
    return found;
}

static SLI_NOINLINE bool unproject(const sl_camera *camera, float x, float y, float depth,
                                   float out[3])
{
    inverse back;
    double seen[4];
    if (!make_inverse(camera, &back)) {
        return false;
    }
    world_point(camera, &back, x, y, depth, seen);
    if (!(seen[3] > 0)) {
        return false;
    }
    const double world[3] = { seen[0] / seen[3], seen[1] / seen[3], seen[2] / seen[3] };
    return to_floats(world, out);
}

bool sl_camera_unproject(const sl_camera *camera, float x, float y, float depth, float point[3])
{
    float world[3];
    const sli_fpenv saved = sli_fpenv_enter();
    const bool found = unproject(camera, x, y, depth, world);
    sli_fpenv_leave(saved);
    for (int axis = 0; found && axis < 3; axis++) {
        point[axis] = world[axis];
    }
    return found;
}
