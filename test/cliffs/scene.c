#include "test/cliffs/scene.h"
#include "test/support/query/of_one.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Where the centre of the mesh goes. */
static float place(const cliff_case *c, size_t axis)
{
    static const float share[3] = { 1, 0, -1.5f };
    return share[axis] * (float)c->field[CASE_AT];
}

static sl_build_def build_def(const cliff_case *c)
{
    static const sl_bvh_quality qualities[QUALITY_KINDS] = {
        [QUALITY_FAST] = SL_BVH_QUALITY_FAST,
        [QUALITY_HIGH] = SL_BVH_QUALITY_HIGH,
    };
    sl_build_def def = { .quality = qualities[case_int(c, CASE_QUALITY)] };
    if (case_int(c, CASE_QUALITY) == QUALITY_COMPACT) {
        def.layout = SL_BVH_LAYOUT_COMPACT;
    }
    return def;
}

/* Frees xyz. */
static bool build(const cliff_case *c, float *xyz, size_t count, cliff_scene *out)
{
    const sl_build_def def = build_def(c);
    sl_error error = { .message = "out of memory" };
    const bool done =
        xyz != NULL &&
        sl_mesh_from_arrays(xyz, 3 * count, NULL, count, NULL, &out->mesh, &error) == SL_OK &&
        sl_bvh_build(out->mesh, &def, &out->bvh, &error) == SL_OK;
    if (!done) {
        fprintf(stderr, "cliffs: %s\n", error.message);
        scene_free(out);
    }
    free(xyz);
    return done;
}

bool scene_of_corners(const cliff_case *c, float *xyz, size_t count, cliff_scene *out)
{
    *out = (cliff_scene){ .unit = 0 };
    if (!build(c, xyz, count, out)) {
        return false;
    }
    const sl_aabb box = bounds_in_floats(out->bvh);
    for (size_t axis = 0; axis < 3; axis++) {
        const double low = (double)box.min[axis], high = (double)box.max[axis];
        out->centre[axis] = 0.5 * (low + high);
        out->unit = fmax(out->unit, 0.5 * (high - low));
    }
    return true;
}

bool scene_make(const cliff_case *c, const cliff_shape *shape, cliff_scene *out)
{
    const double size = c->field[CASE_SIZE];
    float *xyz = malloc(9 * shape->count * sizeof *xyz);
    *out = (cliff_scene){ .unit = shape->unit * size };
    for (size_t i = 0; i < 9 * shape->count && xyz != NULL; i++) {
        xyz[i] = (float)(shape->corner[i] * size + (double)place(c, i % 3));
    }
    for (size_t axis = 0; axis < 3; axis++) {
        out->centre[axis] = shape->centre[axis] * size + (double)place(c, axis);
    }
    return build(c, xyz, shape->count, out);
}

bool numbers_move_back(const cliff_case *c, const float *from, size_t count, float *to)
{
    bool exact = true;
    for (size_t i = 0; i < count; i++) {
        const double x = (double)from[i] - (double)place(c, i % 3);
        to[i] = (float)x;
        exact = exact && (double)to[i] == x;
    }
    return exact;
}

bool scene_move_back(const cliff_case *c, const cliff_scene *far_scene, cliff_scene *out)
{
    const size_t count = sl_mesh_soup(far_scene->mesh).triangle_count;
    float *xyz = c->field[CASE_AT] != 0 ? malloc(9 * count * sizeof *xyz) : NULL;
    *out = (cliff_scene){ .unit = far_scene->unit };
    for (size_t axis = 0; axis < 3; axis++) {
        out->centre[axis] = far_scene->centre[axis] - (double)place(c, axis);
    }
    if (xyz == NULL || !numbers_move_back(c, sl_mesh_soup(far_scene->mesh).xyz, 9 * count, xyz)) {
        free(xyz);
        return false;
    }
    return build(c, xyz, count, out);
}

/* Whether two of three corners are the same. */
static bool has_lost_corner(const float v[9])
{
    bool lost = false;
    for (size_t i = 0; i < 3; i++) {
        lost = lost || memcmp(v + 3 * i, v + 3 * ((i + 1) % 3), 3 * sizeof *v) == 0;
    }
    return lost;
}

bool scene_is_resolved(const cliff_case *c, const cliff_shape *shape, const cliff_scene *scene)
{
    const float *xyz = sl_mesh_soup(scene->mesh).xyz;
    size_t whole = 0, lost = 0;
    for (size_t i = 0; i < shape->count; i++) {
        float made[9];
        for (size_t k = 0; k < 9; k++) {
            made[k] = (float)(shape->corner[9 * i + k] * c->field[CASE_SIZE]);
        }
        if (!has_lost_corner(made)) {
            whole++;
            lost += has_lost_corner(xyz + 9 * i);
        }
    }
    return lost <= whole / 16;
}

void scene_free(cliff_scene *scene)
{
    sl_bvh_destroy(scene->bvh);
    sl_mesh_destroy(scene->mesh);
    *scene = (cliff_scene){ 0 };
}
