/* camera.c: cameras, their rays, and points in their pictures. */
#include "tools/python/core/core.h"

#include <stdlib.h>

/* A handle for a camera, or the error of making it. */
static PyObject *made(core_call *call, sl_result result, const sl_camera *camera)
{
    sl_camera *kept = malloc(sizeof *kept);
    if (kept == NULL) {
        return PyErr_NoMemory();
    }
    *kept = *camera;
    core_begin(call, Py_None);
    return core_made(call, result, CORE_CAMERA, kept, NULL);
}

static PyObject *make(core_call *call, const sl_camera_def *def)
{
    sl_camera camera = { .width = 0 };
    return made(call, sl_camera_make(def, &camera, &call->error), &camera);
}

/* camera_make((eye, target, up, orthographic, fov_rad, ortho_height, near, far, width, height)) */
PyObject *core_camera_make(core_call *call, PyObject *const *args)
{
    sl_camera_def def = { 0 };
    int orthographic;
    unsigned width, height;
    if (!PyArg_ParseTuple(args[0], "(fff)(fff)(fff)pffffII", &def.eye[0], &def.eye[1], &def.eye[2],
                          &def.target[0], &def.target[1], &def.target[2], &def.up[0], &def.up[1],
                          &def.up[2], &orthographic, &def.fov_y_rad, &def.ortho_height,
                          &def.near_distance, &def.far_distance, &width, &height)) {
        return NULL;
    }
    def.orthographic = orthographic != 0;
    def.width = width;
    def.height = height;
    return make(call, &def);
}

/* camera_fit(mesh or ((x, y, z), (x, y, z)) of a box, towards, up, orthographic, fov_rad, width,
 * height): (camera, eye) */
PyObject *core_camera_fit(core_call *call, PyObject *const *args)
{
    sl_camera_def def = { 0 };
    sl_aabb box;
    float towards[3];
    int orthographic;
    unsigned width, height;
    const bool mesh = PyObject_TypeCheck(args[0], call->state->types[CORE_MESH]);
    if (!PyArg_ParseTuple(args[1], "(fff)(fff)pfII", &towards[0], &towards[1], &towards[2],
                          &def.up[0], &def.up[1], &def.up[2], &orthographic, &def.fov_y_rad, &width,
                          &height) ||
        (!mesh && !PyArg_ParseTuple(args[0], "(fff)(fff)", &box.min[0], &box.min[1], &box.min[2],
                                    &box.max[0], &box.max[1], &box.max[2]))) {
        return NULL;
    }
    def.orthographic = orthographic != 0;
    def.width = width;
    def.height = height;
    const sl_soup soup =
        mesh ? sl_mesh_soup(((core_handle *)args[0])->is) : (sl_soup){ .xyz = NULL };
    if (sl_camera_fit(mesh ? NULL : &box, mesh ? &soup : NULL, towards, &def, &call->error) !=
        SL_OK) {
        return core_raise(call, &call->error);
    }
    return Py_BuildValue("N(ddd)", make(call, &def), (double)def.eye[0], (double)def.eye[1],
                         (double)def.eye[2]);
}

/* camera_from_matrices(width, height, view, projection): the bytes of columns of floats, as
 * camera_matrices gives them */
PyObject *core_camera_from_matrices(core_call *call, PyObject *const *args)
{
    sl_camera camera = { .width = 0 };
    size_t width, height;
    void *view, *projection;
    if (!core_size(args[0], &width) || !core_size(args[1], &height) ||
        !core_borrow_bytes(call, args[2], sizeof camera.view, false, "view", &view) ||
        !core_borrow_bytes(call, args[3], sizeof camera.projection, false, "projection",
                           &projection)) {
        return NULL;
    }
    memcpy(camera.view, view, sizeof camera.view);
    memcpy(camera.projection, projection, sizeof camera.projection);
    return made(call,
                sl_camera_from_matrices(camera.view, camera.projection, (uint32_t)width,
                                        (uint32_t)height, SL_CLIP_SPACE_GL, &camera, &call->error),
                &camera);
}

/* camera_matrices(camera): (width, height, view, projection), the bytes of columns of floats */
PyObject *core_camera_matrices(core_call *call, PyObject *const *args)
{
    const sl_camera *camera = call->is;
    (void)args;
    return Py_BuildValue("IIy#y#", camera->width, camera->height, (const char *)camera->view,
                         (Py_ssize_t)sizeof camera->view, (const char *)camera->projection,
                         (Py_ssize_t)sizeof camera->projection);
}

/* A row of pixels: for each of them samples * samples rays.  One that does not exist is invalid,
 * and so misses. */
static void row_of_rays(const sl_camera *camera, uint32_t y, int samples, sl_ray *out)
{
    if (samples == 1 && sl_camera_row(camera, 0, y, camera->width, out)) {
        return;
    }
    const float step = 1 / (float)samples;
    for (uint32_t x = 0; x < camera->width; x++) {
        for (int i = 0; i < samples * samples; i++, out++) {
            const float right = ((float)(i % samples) + 0.5f) * step;
            const float down = ((float)(i / samples) + 0.5f) * step;
            if (!sl_camera_ray(camera, (float)x + right, (float)y + down, out)) {
                memset(out, 0, sizeof *out); /* no direction: a miss */
            }
        }
    }
}

/* camera_rays(camera, samples, out (H, W, samples^2) of sl_ray) */
PyObject *core_camera_rays(core_call *call, PyObject *const *args)
{
    const sl_camera *camera = call->is;
    long long samples;
    void *out;
    if (!core_long(args[1], &samples)) {
        return NULL;
    }
    if (samples < 1 || samples > 64) {
        core_refuse(call, "%lld samples along a side of a pixel; 1 to 64 are possible", samples);
        return NULL;
    }
    const size_t row = (size_t)camera->width * (size_t)(samples * samples);
    if (!core_borrow_bytes(call, args[2], row * camera->height * sizeof(sl_ray), true, "out",
                           &out)) {
        return NULL;
    }
    core_begin(call, Py_None);
    for (uint32_t y = 0; y < camera->height; y++) {
        row_of_rays(camera, y, (int)samples, (sl_ray *)out + y * row);
    }
    return core_none(core_end(call, SL_OK));
}

/* camera_project(camera, count, points (N, 3) f4, out (N, 3) f4): x, y, depth; NaN: not there */
PyObject *core_camera_project(core_call *call, PyObject *const *args)
{
    size_t count;
    void *points, *out;
    if (!core_size(args[1], &count) ||
        !core_borrow_bytes(call, args[2], 12 * count, false, "points", &points) ||
        !core_borrow_bytes(call, args[3], 12 * count, true, "out", &out)) {
        return NULL;
    }
    for (size_t i = 0; i < count; i++) {
        float *to = (float *)out + 3 * i;
        if (!sl_camera_project(call->is, (const float *)points + 3 * i, to, to + 2)) {
            to[0] = to[1] = to[2] = (float)Py_NAN;
        }
    }
    return core_none(true);
}
