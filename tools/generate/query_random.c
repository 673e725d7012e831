/* query_random.c: random numbers and places, the same on every machine, for the kinds of
 * queries. */
#include "tools/generate/query_random.h"

#include "tools/cli/report.h"
#include "tools/input/mesh.h"
#include "tools/input/scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double query_random_unit(uint64_t *state)
{
    return (double)(query_random_next(state) >> 11) * 0x1p-53;
}

uint32_t query_random_below(uint64_t *state, uint32_t limit)
{
    return (uint32_t)(((query_random_next(state) >> 32) * limit) >> 32);
}

uint64_t query_random_start(const query_random *m, int kind, uint64_t index)
{
    uint64_t state = m->seed;
    state = query_random_next(&state) + (uint64_t)kind;
    state = query_random_next(&state) + index;
    return query_random_next(&state);
}

static query_random with_bounds(query_random m, sl_aabb bounds)
{
    m.bounds = bounds;
    for (int axis = 0; axis < 3; axis++) {
        if (!(m.bounds.min[axis] <= m.bounds.max[axis])) {
            m.bounds.min[axis] = 0;
            m.bounds.max[axis] = 1;
        }
        const double size = (double)m.bounds.max[axis] - (double)m.bounds.min[axis];
        m.extent = size > m.extent ? size : m.extent;
    }
    return m;
}

query_random query_random_make(const sl_mesh *mesh, const sl_bvh *bvh, uint64_t seed,
                               uint64_t count)
{
    const query_random m = { .mesh = mesh, .bvh = bvh, .seed = seed, .count = count };
    const sl_mesh_info info = sl_mesh_get_info(mesh);
    return with_bounds(m, info.bounds);
}

query_random query_random_make_of(const scene_in *scene, uint64_t seed, uint64_t count)
{
    const query_random m = { .scene = scene, .bvh = scene->scene, .seed = seed, .count = count };
    return with_bounds(m, mesh_in_bounds(m.bvh));
}

float query_random_float(double x)
{
    const double limit = 0x1.fffffep127;
    return (float)(x > limit ? limit : x < -limit ? -limit : x);
}

void query_random_point(const query_random *m, uint64_t *state, double grow, float out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        const double low = (double)m->bounds.min[axis];
        const double high = (double)m->bounds.max[axis];
        const double margin = grow * (high - low) + (high > low ? 0 : 0.1 * m->extent);
        out[axis] =
            query_random_float(low - margin + query_random_unit(state) * (high - low + 2 * margin));
    }
}

/* One of a random instance: in a scene of many small ones and a large one, the small ones count. */
static void random_of_scene(const scene_in *scene, uint64_t *state, sl_triangle *out)
{
    const uint32_t instances = (uint32_t)scene->info.instance_count;
    for (int tries = 0; tries < 16 && instances > 0; tries++) {
        sl_triangle_ref at = { .instance = query_random_below(state, instances) };
        const uint32_t prims = (uint32_t)scene_in_prims(scene, at.instance);
        double corners[3][3];
        at.prim = query_random_below(state, prims);
        if (prims == 0 || !sl_bvh_triangle(scene->scene, at, corners)) {
            continue;
        }
        for (int i = 0; i < 9; i++) {
            out->v[i / 3][i % 3] = (float)corners[i / 3][i % 3];
        }
        return;
    }
}

sl_triangle query_random_triangle(const query_random *m, uint64_t *state)
{
    sl_triangle triangle = { .v = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 } } };
    if (m->scene != NULL) {
        random_of_scene(m->scene, state, &triangle);
        return triangle;
    }
    const uint32_t count = (uint32_t)sl_mesh_soup(m->mesh).triangle_count;
    for (int tries = 0; tries < 16 && count > 0; tries++) {
        if (sl_mesh_triangle(m->mesh, query_random_below(state, count), &triangle)) {
            break;
        }
    }
    return triangle;
}

void query_random_on_surface(uint64_t *state, const sl_triangle *triangle, float out[3])
{
    double u = query_random_unit(state), v = query_random_unit(state);
    if (u + v > 1) {
        u = 1 - u;
        v = 1 - v;
    }
    for (int axis = 0; axis < 3; axis++) {
        out[axis] =
            query_random_float((1 - u - v) * (double)triangle->v[0][axis] +
                               u * (double)triangle->v[1][axis] + v * (double)triangle->v[2][axis]);
    }
}

void query_random_special(uint64_t *state, const sl_triangle *triangle, bool middle, float out[3])
{
    const uint32_t corner = query_random_below(state, 3);
    const float *a = triangle->v[corner];
    const float *b = triangle->v[(corner + 1) % 3];
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = middle ? (float)(0.5 * ((double)a[axis] + (double)b[axis])) : a[axis];
    }
}

void query_random_step(uint64_t *state, float point[3])
{
    const uint32_t axes = 1 + query_random_below(state, 7);
    for (int axis = 0; axis < 3; axis++) {
        if (axes >> axis & 1) {
            point[axis] =
                nextafterf(point[axis], query_random_next(state) & 1 ? INFINITY : -INFINITY);
            point[axis] = query_random_float((double)point[axis]);
        }
    }
}

static sl_result snapped_mesh(const sl_mesh *mesh, uint32_t bits, sl_mesh **out, sl_error *error)
{
    const query_random m = query_random_make(mesh, NULL, 0, 0);
    const size_t count = sl_mesh_soup(mesh).vertex_count;
    const float *xyz = sl_mesh_soup(mesh).xyz;
    int exponent;
    frexp(m.extent, &exponent);
    const double step = ldexp(1, exponent - (int)bits), half = ldexp(1, (int)bits - 1);
    float *snapped = malloc(count > 0 ? count * 3 * sizeof *snapped : 1);
    if (snapped == NULL) {
        *error = (sl_error){ .code = SL_OUT_OF_MEMORY, .byte = -1, .message = "out of memory" };
        return SL_OUT_OF_MEMORY;
    }
    for (size_t i = 0; i < 3 * count; i++) {
        const double place = ((double)xyz[i] - (double)m.bounds.min[i % 3]) / step;
        snapped[i] = (float)((floor(place + 0.5) - half) * step);
    }
    sl_mesh_def def = { .bad = SL_BAD_LEAVE_OUT };
    const sl_result result =
        sl_mesh_from_arrays(snapped, count, sl_mesh_soup(mesh).indices,
                            sl_mesh_soup(mesh).triangle_count, &def, out, error);
    free(snapped);
    return result;
}

int mesh_in_snap(struct mesh_in *in, uint64_t bits)
{
    sl_mesh *snapped = NULL;
    sl_error error;
    if (bits == 0) {
        return EXIT_DONE;
    }
    if (in->scene != NULL) {
        return report_input(in->name, 0,
                            "vertices of a scene's meshes cannot be moved; --snap needs a mesh");
    }
    if (in->bvh != NULL) {
        return report_input(in->name, 0, "vertices of a tree cannot be moved; --snap needs a mesh");
    }
    if (snapped_mesh(in->mesh, (uint32_t)bits, &snapped, &error) != SL_OK) {
        return report_error(&error);
    }
    sl_mesh_destroy(in->mesh);
    in->mesh = snapped;
    return EXIT_DONE;
}
