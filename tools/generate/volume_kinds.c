/* volume_kinds.c: generates volumes of each kind, every other one hard, for ask/source.c. */
#include "tools/generate/volume_kinds.h"

#include <sightline/camera.h>
#include <sightline/closest.h>

#include <math.h>
#include <string.h>

const char *const volume_kind_words[] = { "aabb",    "sphere",   "obb", "capsule",
                                          "frustum", "triangle", "all", NULL };

/* From a thousandth of the mesh to all of it, every order of size as often as the others. */
static double random_size(const query_random *m, uint64_t *state)
{
    return ldexp(m->extent * (0.5 + 0.5 * query_random_unit(state)),
                 -(int)query_random_below(state, 10));
}

static void random_centre(const query_random *m, uint64_t *state, float out[3])
{
    if (query_random_next(state) & 1) {
        query_random_point(m, state, 0.1, out);
    } else {
        const sl_triangle triangle = query_random_triangle(m, state);
        query_random_on_surface(state, &triangle, out);
    }
}

/* A vertex or the middle of an edge, now and then moved by one step of a float. */
static void hard_place(const query_random *m, uint64_t *state, float out[3])
{
    const sl_triangle triangle = query_random_triangle(m, state);
    query_random_special(state, &triangle, query_random_below(state, 4) == 0, out);
    if (query_random_below(state, 4) == 0) {
        query_random_step(state, out);
    }
}

/* A power of two, so that sums with vertices tend to be floats; on a lattice they are. */
static double power_step(const query_random *m, uint64_t *state)
{
    return m->extent > 0 ? ldexp(1, ilogb(m->extent) - 4 - (int)query_random_below(state, 8)) : 1;
}

/* One step of a float up or down, now and then. */
static float volume_kinds_nudge(uint64_t *state, float x)
{
    const uint32_t way = query_random_below(state, 4);
    return way == 0 ? nextafterf(x, INFINITY) : way == 1 && x > 0 ? nextafterf(x, 0) : x;
}

/* Three directions at right angles, each as long as the others, in whole numbers. */
static const struct {
    float length, axis[3][3];
} turns[] = {
    { 1, { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } },
    { 3, { { 1, 2, 2 }, { 2, 1, -2 }, { 2, -2, 1 } } },
    { 5, { { 3, 4, 0 }, { -4, 3, 0 }, { 0, 0, -5 } } },
    { 7, { { 2, 3, 6 }, { 3, -6, 2 }, { 6, 2, -3 } } },
};
enum { TURNS = sizeof turns / sizeof turns[0] };

/* p + a times one direction of a turn. */
static void move_along(const float p[3], double a, const float dir[3], float out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = query_random_float((double)p[axis] + a * (double)dir[axis]);
    }
}

/* The bounds of a few triangles that follow one another in the file: often those of a leaf. */
static sl_aabb few_bounds(const query_random *m, uint64_t *state)
{
    const uint32_t count = (uint32_t)sl_mesh_soup(m->mesh).triangle_count;
    sl_aabb box = sl_aabb_empty();
    const uint32_t first = count > 0 ? query_random_below(state, count) : 0;
    const uint32_t run = 1 + query_random_below(state, 4);
    for (uint32_t i = first; i < count && i - first < run; i++) {
        sl_triangle triangle;
        if (sl_mesh_triangle(m->mesh, i, &triangle)) {
            const sl_aabb bounds = sl_aabb_of_points(triangle.v[0], 3);
            box = sl_aabb_join(&box, &bounds);
        }
    }
    return sl_aabb_is_empty(&box) ? m->bounds : box;
}

static sl_aabb hard_aabb(const query_random *m, uint64_t *state)
{
    const uint32_t way = query_random_below(state, 7);
    const uint32_t axis = query_random_below(state, 3);
    const sl_triangle triangle = query_random_triangle(m, state);
    sl_aabb box = few_bounds(m, state);
    float p[3], q[3];
    hard_place(m, state, p);
    hard_place(m, state, q);
    switch (way) {
    case 0: /* along an edge */
        return sl_aabb_from_corners(triangle.v[0], triangle.v[1]);
    case 1:
        return sl_aabb_from_corners(p, q);
    case 2: /* flat on one axis or more, through a vertex */
        q[axis] = p[axis];
        q[(axis + 1) % 3] = query_random_next(state) & 1 ? q[(axis + 1) % 3] : p[(axis + 1) % 3];
        return sl_aabb_from_corners(p, q);
    case 3: /* against the bounds of triangles, from outside */
        box.min[axis] = box.max[axis];
        box.max[axis] = query_random_float((double)box.min[axis] + power_step(m, state));
        return box;
    case 4: /* without an end on one side */
        box.max[axis] = INFINITY;
        return box;
    case 5: /* the bounds of triangles, one step larger or smaller */
        box.max[axis] =
            nextafterf(box.max[axis], query_random_next(state) & 1 ? INFINITY : -INFINITY);
        return box;
    default:
        return box;
    }
}

static sl_aabb make_aabb(const query_random *m, bool hard, uint64_t *state)
{
    if (hard) {
        return hard_aabb(m, state);
    }
    float centre[3], size[3];
    random_centre(m, state, centre);
    const double most = random_size(m, state);
    for (int axis = 0; axis < 3; axis++) {
        size[axis] = query_random_float(most * (0.2 + 0.8 * query_random_unit(state)));
    }
    return sl_aabb_from_centre(centre, size);
}

static sl_sphere make_sphere(const query_random *m, bool hard, uint64_t *state)
{
    sl_sphere sphere;
    if (!hard) {
        random_centre(m, state, sphere.centre);
        sphere.radius = query_random_float(random_size(m, state));
        return sphere;
    }
    float p[3], q[3];
    const uint32_t turn = query_random_below(state, TURNS), axis = query_random_below(state, 3);
    const double s = power_step(m, state);
    hard_place(m, state, p);
    hard_place(m, state, q);
    switch (query_random_below(state, 4)) {
    case 0:
        memcpy(sphere.centre, p, sizeof p);
        sphere.radius = 0;
        break;
    case 1: /* as far as another vertex, along one axis */
        memcpy(sphere.centre, p, sizeof p);
        sphere.radius =
            volume_kinds_nudge(state, fabsf(query_random_float((double)q[axis] - (double)p[axis])));
        break;
    default: /* a vertex exactly on it */
        move_along(p, s, turns[turn].axis[axis], sphere.centre);
        sphere.radius =
            volume_kinds_nudge(state, query_random_float(s * (double)turns[turn].length));
        break;
    }
    return sphere;
}

/* In hard ones a vertex is the centre, or the middle of a face or an edge, or a corner. */
static sl_obb make_obb(const query_random *m, bool hard, uint64_t *state)
{
    sl_obb box;
    const uint32_t turn = query_random_below(state, TURNS);
    memcpy(box.axis, turns[turn].axis, sizeof box.axis);
    if (!hard) {
        random_centre(m, state, box.centre);
        const double most = random_size(m, state);
        for (int i = 0; i < 3; i++) {
            box.half[i] = query_random_float(most * (0.1 + 0.4 * query_random_unit(state)));
            for (int axis = 0; axis < 3; axis++) {
                box.axis[i][axis] /= turns[turn].length;
            }
        }
        return box;
    }
    hard_place(m, state, box.centre);
    if (query_random_below(state, 4) == 0) {
        memcpy(box.axis[2], box.axis[0], sizeof box.axis[2]);
        box.axis[2][0] += 1; /* sheared */
    }
    for (int i = 0; i < 3; i++) {
        const double half = query_random_below(state, 5) == 0 ? 0 : power_step(m, state);
        box.half[i] = (float)half;
        move_along(box.centre, half * ((double)query_random_below(state, 3) - 1), box.axis[i],
                   box.centre);
    }
    box.half[0] = volume_kinds_nudge(state, box.half[0]);
    return box;
}

static sl_capsule make_capsule(const query_random *m, bool hard, uint64_t *state)
{
    sl_capsule capsule;
    if (!hard) {
        const double size = random_size(m, state);
        random_centre(m, state, capsule.p);
        for (int axis = 0; axis < 3; axis++) {
            const double by = size * (2 * query_random_unit(state) - 1);
            capsule.q[axis] = query_random_float((double)capsule.p[axis] + by);
        }
        capsule.radius = query_random_float(size * 0.5 * query_random_unit(state));
        return capsule;
    }
    const uint32_t turn = query_random_below(state, TURNS), axis = query_random_below(state, 3);
    const double s = power_step(m, state);
    float p[3];
    hard_place(m, state, p);
    if (query_random_below(state, 4) == 0) { /* from vertex to vertex */
        memcpy(capsule.p, p, sizeof p);
        hard_place(m, state, capsule.q);
        capsule.radius = query_random_next(state) & 1 ? 0 : (float)s;
        return capsule;
    }
    /* A vertex on the side, or where the side ends, or on a cap. */
    static const double before[4] = { 0, 0, -1, -3 }, behind[4] = { 0, 2, 1, 2 };
    const uint32_t where = query_random_below(state, 4);
    const float *along = turns[turn].axis[(axis + 1) % 3];
    move_along(p, s, turns[turn].axis[axis], p);
    move_along(p, s * before[where], along, capsule.p);
    move_along(p, s * behind[where], along, capsule.q);
    capsule.radius = volume_kinds_nudge(state, query_random_float(s * (double)turns[turn].length));
    return capsule;
}

/* A direction in small whole numbers. */
static void small_normal(uint64_t *state, float out[3])
{
    do {
        for (int axis = 0; axis < 3; axis++) {
            out[axis] = (float)query_random_below(state, 5) - 2;
        }
    } while (out[0] == 0 && out[1] == 0 && out[2] == 0);
}

static sl_plane plane_through(const float normal[3], const float p[3], float sign)
{
    sl_plane plane;
    double offset = 0;
    for (int axis = 0; axis < 3; axis++) {
        plane.normal[axis] = sign * normal[axis];
        offset += (double)plane.normal[axis] * (double)p[axis];
    }
    plane.offset = query_random_float(offset);
    return plane;
}

/* Between pairs of parallel planes, each through two vertices of one triangle or of two. */
static sl_frustum volume_kinds_slabs(const query_random *m, uint64_t *state)
{
    sl_frustum frustum = { .count = 2 + 2 * query_random_below(state, 4) };
    const sl_triangle near = query_random_triangle(m, state);
    for (uint32_t i = 0; i < frustum.count; i += 2) {
        float normal[3], p[3], q[3];
        small_normal(state, normal);
        query_random_special(state, &near, false, p);
        query_random_special(state, &near, false, q);
        if (query_random_below(state, 4) == 0) {
            hard_place(m, state, q);
        }
        const bool swap = plane_through(normal, p, 1).offset < plane_through(normal, q, 1).offset;
        frustum.plane[i] = plane_through(normal, swap ? q : p, 1);
        frustum.plane[i + 1] = plane_through(normal, swap ? p : q, -1);
    }
    return frustum;
}

/* Planes through vertices, by chance closed, open, flat or empty. */
static sl_frustum any_planes(const query_random *m, uint64_t *state)
{
    sl_frustum frustum = { .count = 1 + query_random_below(state, SL_FRUSTUM_PLANES_MAX) };
    for (uint32_t i = 0; i < frustum.count; i++) {
        float normal[3], p[3];
        small_normal(state, normal);
        hard_place(m, state, p);
        frustum.plane[i] = plane_through(normal, p, 1);
    }
    return frustum;
}

/* What a camera sees of a rectangle of its picture. */
static bool camera_frustum(const query_random *m, uint64_t *state, sl_frustum *out)
{
    sl_camera_def def = { 0 };
    query_random_point(m, state, 0.5, def.eye);
    random_centre(m, state, def.target);
    def.near_distance = query_random_float(m->extent * 0.001);
    def.far_distance = query_random_next(state) & 1 ? INFINITY : query_random_float(m->extent);
    def.fov_y_rad = query_random_float(0.02 + query_random_unit(state));
    const float x = (float)query_random_below(state, 700),
                y = (float)query_random_below(state, 500);
    const float rectangle[4] = { x, y, x + 10 + (float)query_random_below(state, 90), y + 100 };
    sl_camera camera;
    return sl_camera_make(&def, &camera, NULL) == SL_OK &&
           sl_camera_frustum(&camera, rectangle, out);
}

static sl_frustum make_frustum(const query_random *m, bool hard, uint64_t *state)
{
    sl_frustum frustum;
    if (!hard && camera_frustum(m, state, &frustum)) {
        return frustum;
    }
    return query_random_next(state) & 1 ? volume_kinds_slabs(m, state) : any_planes(m, state);
}

static sl_triangle make_triangle(const query_random *m, bool hard, uint64_t *state)
{
    sl_triangle made = query_random_triangle(m, state);
    const sl_triangle other = query_random_triangle(m, state);
    if (!hard) {
        const double size = random_size(m, state);
        random_centre(m, state, made.v[0]);
        for (int i = 1; i < 3; i++) {
            for (int axis = 0; axis < 3; axis++) {
                const double by = size * (2 * query_random_unit(state) - 1);
                made.v[i][axis] = query_random_float((double)made.v[0][axis] + by);
            }
        }
        return made;
    }
    switch (query_random_below(state, 7)) {
    case 0: /* shares an edge */
        memcpy(made.v[2], other.v[2], sizeof made.v[2]);
        break;
    case 1: /* beyond an edge, in the same plane */
        for (int axis = 0; axis < 3; axis++) {
            made.v[2][axis] = query_random_float((double)made.v[0][axis] + (double)made.v[1][axis] -
                                                 (double)made.v[2][axis]);
        }
        break;
    case 2: /* an edge and its middle */
        for (int axis = 0; axis < 3; axis++) {
            made.v[2][axis] =
                query_random_float(((double)made.v[0][axis] + (double)made.v[1][axis]) / 2);
        }
        break;
    case 3: /* a vertex, or an edge */
        memcpy(made.v[1], made.v[0], sizeof made.v[1]);
        if (query_random_next(state) & 1) {
            memcpy(made.v[2], made.v[0], sizeof made.v[2]);
        }
        break;
    case 4:
        for (int i = 0; i < 3; i++) {
            hard_place(m, state, made.v[i]);
        }
        break;
    case 5:
        query_random_step(state, made.v[query_random_below(state, 3)]);
        break;
    default: /* one of the mesh */
        break;
    }
    return made;
}

sl_volume volume_kinds_make(const query_random *m, sl_volume_kind kind, uint64_t index)
{
    uint64_t state = query_random_start(m, (int)kind, index);
    const bool hard = index % 2 != 0;
    sl_volume volume = { .kind = kind };
    switch (kind) {
    case SL_VOLUME_AABB:
        volume.shape.aabb = make_aabb(m, hard, &state);
        break;
    case SL_VOLUME_SPHERE:
        volume.shape.sphere = make_sphere(m, hard, &state);
        break;
    case SL_VOLUME_OBB:
        volume.shape.obb = make_obb(m, hard, &state);
        break;
    case SL_VOLUME_CAPSULE:
        volume.shape.capsule = make_capsule(m, hard, &state);
        break;
    case SL_VOLUME_FRUSTUM:
        volume.shape.frustum = make_frustum(m, hard, &state);
        break;
    case SL_VOLUME_TRIANGLE:
        volume.shape.triangle = make_triangle(m, hard, &state);
        break;
    case SL_VOLUME_HULL: /* whose points are the caller's: none is made */
        break;
    }
    return volume;
}
