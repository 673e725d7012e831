/* bytes.h: inputs of fuzzers, read as numbers and as scenes of a few instances of one tree. */
#pragma once

#include <sightline/camera.h>
#include <sightline/instances.h>
#include <sightline/rays.h>
#include <sightline/topology.h>

#include <math.h>
#include <string.h>

typedef struct bytes {
    const uint8_t *data;
    size_t size, at;
} bytes;

/* Zeros behind the end. */
static inline uint8_t next(bytes *b)
{
    return b->at < b->size ? b->data[b->at++] : 0;
}

static inline uint64_t next_bits(bytes *b, int count)
{
    uint64_t bits = 0;
    for (int i = 0; i < count; i++) {
        bits = bits << 8 | next(b);
    }
    return bits;
}

/* Mostly a small multiple of 1/8, so that things meet; or any float. */
static inline float number(bytes *b)
{
    const uint8_t first = next(b);
    if (first < 224) {
        return ((float)first - 112) / 8;
    }
    const uint32_t bits = (uint32_t)next_bits(b, 4);
    float any;
    memcpy(&any, &bits, sizeof any);
    return any;
}

/* One to most instances; topologies of some are left NULL.  False where there is no scene. */
static inline bool next_scene(bytes *b, const sl_bvh *tree, const sl_topology *features,
                              size_t most, const sl_topology **topologies, sl_bvh **out)
{
    sl_instance instances[4];
    sl_instances_def def = (sl_instances_def){ 0 };
    const size_t count = 1 + next(b) % most;
    for (size_t i = 0; i < count; i++) {
        const uint8_t how = next(b);
        instances[i] = sl_instance_of(tree);
        instances[i].mask = how % 4 == 0 ? 1 : ~0u;
        topologies[i] = how % 3 == 0 ? NULL : features;
        for (int axis = 0; axis < 3 && how % 5 != 0; axis++) {
            instances[i].transform.m[axis][3] = (double)number(b);
            for (int k = 0; k < 3 && how % 7 == 0; k++) {
                instances[i].transform.m[axis][k] = (double)number(b);
            }
        }
    }
    def.bad = SL_BAD_INSTANCES_LEAVE_OUT;
    return sl_bvh_build_instances(instances, count, &def, out, NULL) == SL_OK;
}

/* Pictures of cameras have at most width x height pixels, those of matrices less than height_of_any
 * lines; far is where cameras cease to see, 0 any distance from 17 on. */
typedef struct view_limits {
    unsigned width, height, height_of_any;
    float far;
} view_limits;

static inline bool next_camera(bytes *b, const view_limits *most, uint8_t how, sl_camera *out)
{
    sl_camera_def def = { 0 };
    for (int axis = 0; axis < 3; axis++) {
        def.eye[axis] = number(b);
        def.target[axis] = number(b);
        def.up[axis] = number(b);
    }
    def.orthographic = how % 3 == 0;
    def.ortho_height = fabsf(number(b));
    def.fov_y_rad = (float)(1 + next(b)) / 100;
    def.near_distance = (float)(1 + next(b)) / 16;
    def.far_distance = how % 5 == 0 && !def.orthographic ? INFINITY
                       : most->far > 0                   ? most->far
                                                         : (float)(17 + next(b));
    def.width = 1 + next(b) % most->width;
    def.height = 1 + next(b) % most->height;
    def.clip = (sl_clip_space)(how / 64);
    return sl_camera_make(&def, out, NULL) == SL_OK;
}

/* Of a camera, or of matrices of any numbers.  False where there is no such camera. */
static inline bool next_view(bytes *b, const view_limits *most, sl_view *out, bool *of_camera)
{
    const uint8_t how = next(b);
    memset(out, 0, sizeof *out);
    *of_camera = how % 4 != 0;
    if (!*of_camera) {
        sl_camera *camera = &out->camera;
        for (int i = 0; i < 16; i++) {
            camera->view[i] = number(b);
            camera->projection[i] = number(b);
        }
        camera->width = next(b);
        camera->height = next(b) % most->height_of_any;
        camera->clip = (sl_clip_space)(next(b) % 5);
    } else if (!next_camera(b, most, how, &out->camera)) {
        return false;
    }
    for (int axis = 0; axis < 3 && how % 7 == 0; axis++) {
        out->origin[axis] = (double)number(b);
    }
    return true;
}
