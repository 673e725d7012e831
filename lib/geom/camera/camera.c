/* Making cameras.
 *
 * cglm makes the rotation, and the x and y rows of the projection.  The parts where cglm loses
 * precision are computed here in double: the translation (glm_lookat sums it in float and loses
 * digits far from the origin), the z row (cglm has no infinite or reversed depth, and near * far
 * overflows), and y pointing down.  Only scalar functions of cglm are used, as its vector functions
 * round differently on machines with FMA; and not glm_perspective, since tanf differs between C
 * libraries. */
#include "lib/geom/camera/camera.h"

#include "lib/base/error.h"
#include "lib/base/fpenv.h"
#include "lib/geom/exact/arithmetic/tangent.h"
#include "lib/geom/exact/arithmetic/vector.h"

#include <cglm/cam.h>
#include <string.h>

enum { RIGHT = 0, UP = 1, BACK = 2 };

static bool all_zero(const float *x, int count)
{
    bool zero = true;
    for (int i = 0; i < count; i++) {
        zero = zero && x[i] == 0;
    }
    return zero;
}

void sli_camera_def_take(const sl_camera_def *given, sl_camera_def *out)
{
    *out = given != NULL ? *given : (sl_camera_def){ 0 };
    if (all_zero(out->eye, 3) && all_zero(out->target, 3)) {
        out->eye[2] = 1;
    }
    if (all_zero(out->up, 3)) {
        out->up[1] = 1;
    }
    out->fov_y_rad = out->fov_y_rad != 0 ? out->fov_y_rad : 1.04719755f; /* 60 degrees */
    out->ortho_height = out->ortho_height != 0 ? out->ortho_height : 2;
    if (!out->orthographic) {
        out->near_distance = out->near_distance != 0 ? out->near_distance : 0.01f;
        out->far_distance = out->far_distance != 0 ? out->far_distance : INFINITY;
    }
    if (out->width == 0 && out->height == 0) {
        out->width = 800;
        out->height = 600;
    }
}

/* Scales v to unit length; false if its length was not more than the limit, or not finite. */
static bool camera_normalise(double v[3], double limit)
{
    const double length = sli_norm(v);
    for (int axis = 0; axis < 3; axis++) {
        v[axis] /= length;
    }
    return length > limit && isfinite(length);
}

bool sli_camera_axes(const double towards_eye[3], const float up[3], double axes[3][3])
{
    double up_unit[3];
    for (int axis = 0; axis < 3; axis++) {
        axes[BACK][axis] = towards_eye[axis];
        up_unit[axis] = up[axis];
    }
    if (!camera_normalise(axes[BACK], 0) || !camera_normalise(up_unit, 0)) {
        return false;
    }
    sli_cross(up_unit, axes[BACK], axes[RIGHT]);
    if (!camera_normalise(axes[RIGHT], 1e-6)) {
        return false;
    }
    sli_cross(axes[BACK], axes[RIGHT], axes[UP]);
    return true;
}

static bool make_view(const sl_camera_def *def, float view[16])
{
    double towards[3], axes[3][3];
    for (int axis = 0; axis < 3; axis++) {
        towards[axis] = (double)def->eye[axis] - (double)def->target[axis];
    }
    if (!sli_camera_axes(towards, def->up, axes)) {
        return false;
    }
    vec3 origin = { 0, 0, 0 }, ahead, up;
    for (int axis = 0; axis < 3; axis++) {
        ahead[axis] = (float)-axes[BACK][axis];
        up[axis] = (float)axes[UP][axis];
    }
    mat4 rotation;
    glm_lookat_rh(origin, ahead, up, rotation);
    memcpy(view, rotation, sizeof rotation);
    for (int row = 0; row < 3; row++) {
        double moved = 0;
        for (int axis = 0; axis < 3; axis++) {
            moved -= (double)view[4 * axis + row] * (double)def->eye[axis];
        }
        view[12 + row] = (float)moved;
    }
    return true;
}

/* Sets the z row so that the near and the far plane get their depths in clip space; for
 * perspective, depth is multiplied by -z there.  In the space of the eye, z is negative in front of
 * it. */
static void make_z_row(const sl_camera_def *def, float projection[16])
{
    const double n = def->near_distance, f = def->far_distance;
    double near_depth, far_depth, scale, offset;
    sli_clip_depths(def->clip, &near_depth, &far_depth);
    if (def->orthographic) {
        scale = (near_depth - far_depth) / (f - n);
        offset = (near_depth * f - far_depth * n) / (f - n);
    } else if (isinf(f)) {
        scale = -far_depth;
        offset = n * (near_depth - far_depth);
    } else {
        scale = (near_depth * n - far_depth * f) / (f - n);
        offset = n * (near_depth - far_depth) * (f / (f - n));
    }
    projection[10] = (float)scale;
    projection[14] = (float)offset;
}

static void make_projection(const sl_camera_def *def, float projection[16])
{
    const double aspect = (double)def->width / (double)def->height;
    const double half =
        def->orthographic ? (double)def->ortho_height / 2 : sli_half_angle_tangent(def->fov_y_rad);
    const float across = (float)(half * aspect), up = (float)half, n = def->near_distance;
    const float *w = def->window;
    mat4 m;
    /* Only the x and y rows are kept, so any far distance will do. */
    if (def->orthographic && def->off_centre) {
        glm_ortho_rh_no(w[0], w[1], w[2], w[3], 0, 1, m);
    } else if (def->orthographic) {
        glm_ortho_rh_no(-across, across, -up, up, 0, 1, m);
    } else if (def->off_centre) {
        glm_frustum_rh_no(w[0], w[1], w[2], w[3], n, 2 * n, m);
    } else {
        glm_frustum_rh_no(-across, across, -up, up, 1, 2, m);
    }
    memcpy(projection, m, sizeof m);
    make_z_row(def, projection);
    if (def->clip == SL_CLIP_SPACE_VULKAN) {
        for (int column = 0; column < 4; column++) {
            projection[4 * column + 1] = -projection[4 * column + 1];
        }
    }
}

static sl_result check_lens(const sl_camera_def *def, sl_error *error)
{
    const float *w = def->window;
    if (def->off_centre) {
        const bool finite = isfinite(w[0]) && isfinite(w[1]) && isfinite(w[2]) && isfinite(w[3]);
        if (!finite || w[0] == w[1] || w[2] == w[3]) {
            return sli_refuse(error,
                              "the window is %g..%g x %g..%g; it must be finite, and neither "
                              "side may be 0",
                              (double)w[0], (double)w[1], (double)w[2], (double)w[3]);
        }
    } else if (def->orthographic) {
        if (!(def->ortho_height > 0) || isinf(def->ortho_height)) {
            return sli_refuse(error, "ortho_height is %g; it must be positive and finite",
                              (double)def->ortho_height);
        }
    } else if (!(def->fov_y_rad > 0 && def->fov_y_rad < 3.14159265f)) {
        return sli_refuse(error, "fov_y_rad is %g; it must lie between 0 and pi",
                          (double)def->fov_y_rad);
    }
    return SL_OK;
}

static sl_result check_depth(const sl_camera_def *def, sl_error *error)
{
    const float n = def->near_distance, f = def->far_distance;
    if (!isfinite(n) || (!def->orthographic && !(n > 0))) {
        return sli_refuse(error, "near_distance is %g; it must be %s", (double)n,
                          def->orthographic ? "finite" : "positive and finite");
    }
    if (!(f > n)) {
        return sli_refuse(error, "far_distance is %g; it must be more than near_distance, %g",
                          (double)f, (double)n);
    }
    if (def->orthographic && isinf(f)) {
        return sli_refuse(error,
                          "far_distance is infinite; an orthographic camera needs a finite one");
    }
    return SL_OK;
}

static sl_result check_picture(uint32_t width, uint32_t height, sl_clip_space clip, sl_error *error)
{
    if (width == 0 || height == 0) {
        return sli_refuse(error, "the picture is %u x %u pixels; neither may be 0", width, height);
    }
    if (!sli_clip_is_valid(clip)) {
        return sli_refuse(error, "clip is %d; it must be 0 to 3", (int)clip);
    }
    return SL_OK;
}

/* Accepts a camera if its matrices are finite and can be inverted, so that it has rays. */
static sl_result camera_finish(const sl_camera *camera, sl_camera *out, sl_error *error)
{
    sl_ray ray;
    for (int i = 0; i < 16; i++) {
        if (!isfinite(camera->view[i]) || !isfinite(camera->projection[i])) {
            return sli_refuse(error, "element %d of the camera's %s matrix is not finite", i,
                              isfinite(camera->view[i]) ? "projection" : "view");
        }
    }
    if (!sl_camera_ray(camera, (float)camera->width / 2, (float)camera->height / 2, &ray)) {
        return sli_refuse(error,
                          "the camera's matrices cannot be inverted, or have nothing in front "
                          "of the eye at the near plane of this clip space");
    }
    *out = *camera;
    return SL_OK;
}

sl_result sli_camera_make(const sl_camera_def *def, sl_camera *out, sl_error *error)
{
    SLI_TRY(check_picture(def->width, def->height, def->clip, error));
    SLI_TRY(check_lens(def, error));
    SLI_TRY(check_depth(def, error));
    sl_camera camera = { .width = def->width, .height = def->height, .clip = def->clip };
    if (!make_view(def, camera.view)) {
        return sli_refuse(error,
                          "eye (%g, %g, %g), target (%g, %g, %g) and up (%g, %g, %g) give no "
                          "view: all must be finite, eye and target differ, and up not be "
                          "parallel to the line of sight",
                          (double)def->eye[0], (double)def->eye[1], (double)def->eye[2],
                          (double)def->target[0], (double)def->target[1], (double)def->target[2],
                          (double)def->up[0], (double)def->up[1], (double)def->up[2]);
    }
    make_projection(def, camera.projection);
    return camera_finish(&camera, out, error);
}

static SLI_NOINLINE sl_result camera_make(const sl_camera_def *given, sl_camera *out,
                                          sl_error *error)
{
    sl_camera_def def;
    sli_camera_def_take(given, &def);
    return sli_camera_make(&def, out, error);
}

sl_result sl_camera_make(const sl_camera_def *def, sl_camera *out, sl_error *error)
{
    return SLI_IN_FPENV(camera_make(def, out, error));
}

static SLI_NOINLINE sl_result camera_take(const sl_camera *camera, sl_camera *out, sl_error *error)
{
    SLI_TRY(check_picture(camera->width, camera->height, camera->clip, error));
    return camera_finish(camera, out, error);
}

sl_result sl_camera_from_matrices(const float view[16], const float projection[16], uint32_t width,
                                  uint32_t height, sl_clip_space clip, sl_camera *out,
                                  sl_error *error)
{
    sl_camera camera = { .width = width, .height = height, .clip = clip };
    memcpy(camera.view, view, sizeof camera.view);
    memcpy(camera.projection, projection, sizeof camera.projection);
    return SLI_IN_FPENV(camera_take(&camera, out, error));
}
