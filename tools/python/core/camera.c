/* camera.c: cameras, their rays, and points in their pictures. */
#include "tools/python/core/core.h"

static PyType_Slot slots[] = {
    { Py_tp_dealloc, CORE_SLOT(core_release) },
    { Py_tp_doc, "An sl_camera." },
    { 0, NULL },
};

CORE_TYPE(core_camera, "Camera", slots);

static const core_camera *camera_of(core_state *state, PyObject *object)
{
    if (!PyObject_TypeCheck(object, state->camera)) {
        PyErr_Format(PyExc_TypeError, "a camera is wanted, not %R", object);
        return NULL;
    }
    return (core_camera *)object;
}

static PyObject *make(core_state *state, const sl_camera_def *def)
{
    sl_camera camera;
    sl_error error;
    if (sl_camera_make(def, &camera, &error) != SL_OK) {
        return core_raise(state, &error);
    }
    core_camera *self = (core_camera *)PyType_GenericAlloc(state->camera, 0);
    if (self != NULL) {
        self->camera = camera;
    }
    return (PyObject *)self;
}

/* camera_make((eye, target, up, orthographic, fov_rad, ortho_height, near, far, width, height)) */
static PyObject *camera_make(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    sl_camera_def def = { 0 };
    int orthographic;
    unsigned width, height;
    if (!core_arguments("camera_make", given, 1) ||
        !PyArg_ParseTuple(args[0], "(fff)(fff)(fff)pffffII", &def.eye[0], &def.eye[1], &def.eye[2],
                          &def.target[0], &def.target[1], &def.target[2], &def.up[0], &def.up[1],
                          &def.up[2], &orthographic, &def.fov_y_rad, &def.ortho_height,
                          &def.near_distance, &def.far_distance, &width, &height)) {
        return NULL;
    }
    def.orthographic = orthographic != 0;
    def.width = width;
    def.height = height;
    return make(core_state_of(module), &def);
}

/* camera_fit(mesh or ((x, y, z), (x, y, z)) of a box, towards, up, orthographic, fov_rad, width,
 * height): (camera, eye) */
static PyObject *camera_fit(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    core_state *state = core_state_of(module);
    sl_camera_def def = { 0 };
    float towards[3];
    int orthographic;
    unsigned width, height;
    sl_error error;
    sl_result result;
    if (!core_arguments("camera_fit", given, 2) ||
        !PyArg_ParseTuple(args[1], "(fff)(fff)pfII", &towards[0], &towards[1], &towards[2],
                          &def.up[0], &def.up[1], &def.up[2], &orthographic, &def.fov_y_rad, &width,
                          &height)) {
        return NULL;
    }
    def.orthographic = orthographic != 0;
    def.width = width;
    def.height = height;
    if (PyObject_TypeCheck(args[0], state->mesh)) {
        const sl_soup soup = sl_mesh_soup(((core_mesh *)args[0])->mesh);
        result = sl_camera_fit(NULL, &soup, towards, &def, &error);
    } else {
        sl_aabb box;
        if (!PyArg_ParseTuple(args[0], "(fff)(fff)", &box.min[0], &box.min[1], &box.min[2],
                              &box.max[0], &box.max[1], &box.max[2])) {
            return NULL;
        }
        result = sl_camera_fit(&box, NULL, towards, &def, &error);
    }
    PyObject *camera = result == SL_OK ? make(state, &def) : core_raise(state, &error);
    if (camera == NULL) {
        return NULL;
    }
    return Py_BuildValue("N(ddd)", camera, (double)def.eye[0], (double)def.eye[1],
                         (double)def.eye[2]);
}

/* camera_matrices(camera): (width, height, view, projection), in columns */
static PyObject *matrices(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    core_state *state = core_state_of(module);
    const core_camera *self =
        core_arguments("camera_matrices", given, 1) ? camera_of(state, args[0]) : NULL;
    if (self == NULL) {
        return NULL;
    }
    PyObject *view = PyTuple_New(16), *projection = PyTuple_New(16);
    for (int i = 0; i < 16 && view != NULL && projection != NULL; i++) {
        PyTuple_SetItem(view, i, PyFloat_FromDouble((double)self->camera.view[i]));
        PyTuple_SetItem(projection, i, PyFloat_FromDouble((double)self->camera.projection[i]));
    }
    if (PyErr_Occurred()) {
        Py_XDECREF(view);
        Py_XDECREF(projection);
        return NULL;
    }
    return Py_BuildValue("IINN", self->camera.width, self->camera.height, view, projection);
}

/* A row of pixels: for each of them samples * samples rays.  One that does not exist is invalid,
 * and so misses. */
static void row_of_rays(const sl_camera *camera, uint32_t y, int samples, sl_ray *out)
{
    if (samples == 1) {
        if (sl_camera_row(camera, 0, y, camera->width, out)) {
            return;
        }
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
static PyObject *rays(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    core_state *state = core_state_of(module);
    core_loans loans = { .count = 0 };
    const core_camera *self =
        core_arguments("camera_rays", given, 3) ? camera_of(state, args[0]) : NULL;
    long long samples;
    void *out;
    PyObject *done = NULL;
    if (self == NULL || !core_long(args[1], &samples)) {
        return NULL;
    }
    if (samples < 1 || samples > 64) {
        return core_refuse(state, "%lld samples along a side of a pixel; 1 to 64 are possible",
                           samples);
    }
    const sl_camera *camera = &self->camera;
    const size_t row = (size_t)camera->width * (size_t)(samples * samples);
    if (core_borrow_bytes(state, &loans, args[2], row * camera->height * sizeof(sl_ray), true,
                          "out", &out)) {
        core_wait wait;
        core_wait_begin(&wait, Py_None);
        for (uint32_t y = 0; y < camera->height; y++) {
            row_of_rays(camera, y, (int)samples, (sl_ray *)out + y * row);
        }
        core_wait_end(&wait);
        done = Py_NewRef(Py_None);
    }
    core_loans_end(&loans);
    return done;
}

/* camera_project(camera, count, points (N, 3) f4, out (N, 3) f4): x, y, depth; NaN: not there */
static PyObject *project(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    core_state *state = core_state_of(module);
    core_loans loans = { .count = 0 };
    const core_camera *self =
        core_arguments("camera_project", given, 4) ? camera_of(state, args[0]) : NULL;
    size_t count;
    void *points, *out;
    PyObject *done = NULL;
    if (self != NULL && core_size(args[1], &count) &&
        core_borrow_bytes(state, &loans, args[2], 12 * count, false, "points", &points) &&
        core_borrow_bytes(state, &loans, args[3], 12 * count, true, "out", &out)) {
        for (size_t i = 0; i < count; i++) {
            float *to = (float *)out + 3 * i;
            if (!sl_camera_project(&self->camera, (const float *)points + 3 * i, to, to + 2)) {
                to[0] = to[1] = to[2] = (float)Py_NAN;
            }
        }
        done = Py_NewRef(Py_None);
    }
    core_loans_end(&loans);
    return done;
}

PyMethodDef core_camera_functions[] = {
    CORE_FUNCTION("camera_make", camera_make, NULL),  CORE_FUNCTION("camera_fit", camera_fit, NULL),
    CORE_FUNCTION("camera_matrices", matrices, NULL), CORE_FUNCTION("camera_rays", rays, NULL),
    CORE_FUNCTION("camera_project", project, NULL),   { NULL, NULL, 0, NULL },
};
