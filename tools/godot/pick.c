/* pick.c: what is under the mouse of a Camera3D. */
#include "tools/godot/world.h"

#include <stdlib.h>

/* The camera stands at the origin of its view, in doubles, so that its matrices only turn: far from
 * the world's origin as exact as near it. */
static bool view_of(const GDExtensionConstTypePtr *arguments, sl_view *view)
{
    sl_transform place = transform_of(arguments[0]), inverse;
    float turn[16] = { [15] = 1 }, projection[16];
    const double size[2] = { get_real(arguments[2], 0), get_real(arguments[2], 1) };
    sl_error error;
    if (!(size[0] >= 1 && size[0] <= 1 << 24 && size[1] >= 1 && size[1] <= 1 << 24)) {
        return REFUSE("a picture of %g x %g pixels", size[0], size[1]);
    }
    for (int axis = 0; axis < 3; axis++) {
        view->origin[axis] = place.m[axis][3];
        place.m[axis][3] = 0;
    }
    if (!sl_transform_inverse(&place, &inverse, NULL)) {
        return REFUSE("the camera's transform has no inverse");
    }
    for (int i = 0; i < 16; i++) {
        projection[i] = (float)get_real(arguments[1], (size_t)i);
        if (i / 4 < 3 && i % 4 < 3) {
            turn[i] = (float)inverse.m[i % 4][i / 4];
        }
    }
    return sl_camera_from_matrices(turn, projection, (uint32_t)size[0], (uint32_t)size[1],
                                   SL_CLIP_SPACE_GL, &view->camera, &error) == SL_OK ||
           REFUSE("%s", error.message);
}

/* What was picked, as a dictionary; of nothing it has kind 0 alone. */
static void write_pick(const sl_pick *picked, value *dictionary)
{
    const struct {
        const char *key;
        GDExtensionVariantType type;
        value of;
    } rows[] = { { "kind", INT, { .integer = picked->kind } },
                 { "instance", INT, { .integer = picked->instance } },
                 { "prim", INT, { .integer = picked->prim } },
                 { "corner", INT, { .integer = picked->corner } },
                 { "along", FLOAT, { .number = picked->along } },
                 { "distance", FLOAT, { .number = picked->distance } },
                 { "pixels", FLOAT, { .number = picked->pixels } } };
    const size_t count = picked->kind == SL_PICK_NONE ? 1 : sizeof rows / sizeof *rows;
    for (size_t i = 0; i < count; i++) {
        value number = rows[i].of;
        put_in(dictionary, rows[i].key, rows[i].type, &number);
    }
    if (picked->kind != SL_PICK_NONE) {
        value point = { { 0 } };
        put_point(&point, 0, picked->point);
        put_in(dictionary, "point", VECTOR3, &point);
    }
}

void pick(world *w, const GDExtensionConstTypePtr *arguments, GDExtensionTypePtr result)
{
    const int64_t kinds = int_of(arguments[4]), mask = int_of(arguments[7]);
    const double radius = float_of(arguments[5]);
    sl_options options = { .mask = (uint32_t)mask };
    sl_instance_range *ignore = ignored(arguments[6], &options);
    const sl_pick_def def = { .kinds = (uint32_t)kinds,
                              .radius = (float)radius,
                              .options = &options };
    sl_pick picked = { .kind = SL_PICK_NONE };
    sl_view view;
    value made;
    new_value(DICTIONARY, &made);
    if (w->scene == NULL) {
        REFUSE("there is nothing to pick yet: update() first");
    } else if (ignore == NULL) {
        REFUSE("out of memory");
    } else if ((kinds & ~(SL_PICK_FACE | SL_PICK_EDGE | SL_PICK_VERTEX)) != 0) {
        REFUSE("kinds %lld are none that can be picked", (long long)kinds);
    } else if (!(radius >= 0 && radius <= 1 << 24)) {
        REFUSE("a radius of %g pixels", radius);
    } else if (check_mask(mask) && view_of(arguments, &view)) {
        /* Viewports that are scaled have parts of pixels; a camera has whole ones. */
        const double xy[2] = {
            get_real(arguments[3], 0) * (view.camera.width / get_real(arguments[2], 0)),
            get_real(arguments[3], 1) * (view.camera.height / get_real(arguments[2], 1))
        };
        sl_pick_at(w->scene, &view, xy, &def, &picked);
        write_pick(&picked, &made);
    }
    free(ignore);
    give(DICTIONARY, result, &made);
}
