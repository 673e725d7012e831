#include "test/support/hard/volumes.h"
#include "test/support/volume.h"

#include "test/support/hard/rays.h"

#include <math.h>
#include <string.h>

/* A vertex, a point of the bounds, or between: where something is to begin or end. */
static void place(const sl_mesh *mesh, test_random *random, float out[3])
{
    const sl_triangle t = hard_triangle(mesh, random);
    if (test_random_below(random, 3) == 0) {
        hard_point(mesh, random, out);
    } else {
        memcpy(out, t.v[test_random_below(random, 3)], 3 * sizeof *out);
    }
}

/* How far it is from p to some vertex along one axis; so that spheres on a lattice touch.  Often a
 * small part of it. */
static float reach(const sl_mesh *mesh, const float p[3], test_random *random)
{
    float q[3];
    place(mesh, random, q);
    const uint32_t axis = test_random_below(random, 3);
    const float far = fabsf(q[axis] - p[axis]);
    switch (test_random_below(random, 6)) {
    case 0:
        return 0;
    case 1:
        return 4 * far;
    case 2:
        return far * 0.05f;
    default:
        return far;
    }
}

static sl_obb make_obb(const sl_mesh *mesh, test_random *random)
{
    static const float turned[4][3][3] = {
        { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } },
        { { 1, 1, 0 }, { -1, 1, 0 }, { 0, 0, 1 } },
        { { 0.6f, 0.8f, 0 }, { -0.8f, 0.6f, 0 }, { 0, 0, -1 } },
        { { 0.48f, 0.6f, 0.64f }, { -0.8f, 0.6f, 0 }, { -0.36f, -0.48f, 0.8f } },
    };
    sl_obb obb;
    place(mesh, random, obb.centre);
    memcpy(obb.axis, turned[test_random_below(random, 4)], sizeof obb.axis);
    for (int i = 0; i < 3; i++) {
        obb.half[i] = reach(mesh, obb.centre, random);
    }
    return obb;
}

/* Planes through places, by chance closed or not; normals are small whole numbers. */
static sl_frustum make_frustum(const sl_mesh *mesh, test_random *random)
{
    sl_frustum frustum = { .count = test_random_below(random, SL_FRUSTUM_PLANES_MAX + 1) };
    for (uint32_t i = 0; i < frustum.count; i++) {
        sl_plane *plane = &frustum.plane[i];
        float at[3];
        place(mesh, random, at);
        do {
            plane->offset = 0;
            for (int axis = 0; axis < 3; axis++) {
                plane->normal[axis] = (float)test_random_below(random, 5) - 2;
                plane->offset += plane->normal[axis] * at[axis];
            }
        } while (plane->normal[0] == 0 && plane->normal[1] == 0 && plane->normal[2] == 0);
    }
    return frustum;
}

/* Up to eight points, one in four times in a plane; the last thousand hulls keep theirs. */
static sl_hull make_hull(const sl_mesh *mesh, test_random *random)
{
    static float points[1024][8][3];
    static int made;
    float(*xyz)[3] = points[made++ % 1024];
    const uint32_t count = 1 + test_random_below(random, 8);
    const bool flat = test_random_below(random, 4) == 0;
    for (uint32_t i = 0; i < count; i++) {
        place(mesh, random, xyz[i]);
        xyz[i][0] = flat ? xyz[0][0] : xyz[i][0];
    }
    return (sl_hull){ xyz[0], count };
}

sl_volume hard_volume_make(const sl_mesh *mesh, sl_volume_kind kind, test_random *random)
{
    sl_volume v = { .kind = kind };
    float p[3], q[3];
    place(mesh, random, p);
    place(mesh, random, q);
    switch (kind) {
    case SL_VOLUME_AABB:
        v.shape.aabb = sl_aabb_from_corners(p, q);
        if (test_random_below(random, 8) == 0) {
            v.shape.aabb.max[test_random_below(random, 3)] = INFINITY;
        }
        break;
    case SL_VOLUME_SPHERE:
        memcpy(v.shape.sphere.centre, p, sizeof p);
        v.shape.sphere.radius = reach(mesh, p, random);
        break;
    case SL_VOLUME_OBB:
        v.shape.obb = make_obb(mesh, random);
        break;
    case SL_VOLUME_CAPSULE:
        memcpy(v.shape.capsule.p, p, sizeof p);
        memcpy(v.shape.capsule.q, test_random_below(random, 8) == 0 ? p : q, sizeof q);
        v.shape.capsule.radius = reach(mesh, p, random);
        break;
    case SL_VOLUME_FRUSTUM:
        v.shape.frustum = make_frustum(mesh, random);
        break;
    case SL_VOLUME_TRIANGLE:
        memcpy(v.shape.triangle.v[0], p, sizeof p);
        memcpy(v.shape.triangle.v[1], q, sizeof q);
        place(mesh, random, v.shape.triangle.v[2]);
        break;
    case SL_VOLUME_HULL:
        v.shape.hull = make_hull(mesh, random);
        break;
    }
    return v;
}

bool hard_volume_touches(const sl_volume *volume, const sl_triangle *triangle)
{
    switch (volume->kind) {
    case SL_VOLUME_AABB:
        return sl_volume_overlaps_aabb(AS_TRIANGLE(triangle), &volume->shape.aabb);
    case SL_VOLUME_SPHERE:
        return sl_volume_overlaps_triangle(AS_SPHERE(&volume->shape.sphere), triangle);
    case SL_VOLUME_OBB:
        return sl_volume_overlaps_triangle(AS_OBB(&volume->shape.obb), triangle);
    case SL_VOLUME_CAPSULE:
        return sl_volume_overlaps_triangle(AS_CAPSULE(&volume->shape.capsule), triangle);
    case SL_VOLUME_FRUSTUM:
        return sl_volume_overlaps_triangle(AS_FRUSTUM(&volume->shape.frustum), triangle);
    case SL_VOLUME_TRIANGLE:
        return sl_volume_overlaps_triangle(AS_TRIANGLE(&volume->shape.triangle), triangle);
    case SL_VOLUME_HULL:
        return sl_volume_overlaps_triangle(volume, triangle);
    }
    return false;
}
