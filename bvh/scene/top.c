/* Builds the tree over the instances: an ordinary one over a mesh with a triangle for each box
 * (bvh/tree/world.h), counted from a middle of theirs, so that floats tell boxes apart wherever the
 * world is. */
#include "bvh/scene/top.h"

#include "lib/base/error.h"
#include "lib/base/memory.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

/* x as a float, downwards or upwards; what is beyond all floats only by the margin of a box is at
 * their end. */
static float float_below(double x)
{
    const float f = (float)fmax(x, -FLT_MAX);
    return (double)f > x ? nextafterf(f, -FLT_MAX) : f;
}

static float float_above(double x)
{
    const float f = (float)fmin(x, FLT_MAX);
    return (double)f < x ? nextafterf(f, FLT_MAX) : f;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* A middle coordinate of the instances, not of the world: floats are finest near where they count
 * from, and one instance that is far away should not take that from all others.  Of up to 1024
 * instances, evenly spread over the array. */
static double middle_of(const sli_world *world, const sli_world_box *boxes, int axis)
{
    enum { SAMPLES = 1024 };
    double middles[SAMPLES];
    size_t count = 0;
    const uint32_t step = world->count / SAMPLES + 1;
    for (uint32_t i = 0; i < world->count; i += step) {
        if (world->placed[i].tree != NULL) {
            middles[count++] = 0.5 * boxes[i].min[axis] + 0.5 * boxes[i].max[axis];
        }
    }
    qsort(middles, count, sizeof *middles, compare);
    return count > 0 ? middles[count / 2] : 0;
}

/* Sets the half for the middle that is there. */
static void find_half(const sli_world_box *bounds, sli_world *world)
{
    world->half = 0;
    for (int axis = 0; axis < 3; axis++) {
        const double half =
            fmax(bounds->max[axis] - world->middle[axis], world->middle[axis] - bounds->min[axis]);
        world->half = fmax(world->half, half * (1 + 0x1p-40));
    }
}

/* Of a world too wide to be counted from anywhere, the middle of its bounds, from which no corner
 * is beyond all floats. */
static void find_middle(const sli_world_box *boxes, const sli_world_box *bounds, sli_world *world)
{
    for (int axis = 0; axis < 3; axis++) {
        world->middle[axis] = middle_of(world, boxes, axis);
    }
    find_half(bounds, world);
    if (world->half > 0x1p127) {
        for (int axis = 0; axis < 3; axis++) {
            world->middle[axis] = 0.5 * bounds->min[axis] + 0.5 * bounds->max[axis];
        }
        find_half(bounds, world);
    }
}

/* Two vertices for each instance, and a triangle over them; none for a hole. */
static void write_boxes(const sli_world *world, const sli_world_box *boxes, float *vertices,
                        uint32_t *indices)
{
    for (uint32_t i = 0; i < world->count; i++, vertices += 6, indices += 3) {
        const bool hole = world->placed[i].tree == NULL;
        for (int axis = 0; axis < 3; axis++) {
            const double middle = world->middle[axis];
            vertices[axis] = hole ? 0 : float_below(boxes[i].min[axis] - middle);
            vertices[3 + axis] = hole ? 0 : float_above(boxes[i].max[axis] - middle);
        }
        indices[0] = indices[2] = hole ? SL_NONE : 2 * i;
        indices[1] = hole ? SL_NONE : 2 * i + 1;
    }
}

sl_result sli_top_build(const sli_world_box *boxes, const sli_world_box *bounds,
                        const sl_build_def *def, sli_world *world, sl_bvh **top, sl_error *error)
{
    const sl_allocator allocator = sli_allocator(&def->hooks.allocator);
    const size_t count = world->count;
    *top = NULL;
    find_middle(boxes, bounds, world);
    float *vertices = sli_alloc_array(&allocator, count, 6 * sizeof *vertices);
    uint32_t *indices = sli_alloc_array(&allocator, count, 3 * sizeof *indices);
    sl_result result;
    sl_mesh *mesh = NULL;
    if (vertices == NULL || indices == NULL) {
        result = sli_fail_memory(error);
    } else {
        sl_mesh_def mesh_def = sl_default_mesh_def();
        mesh_def.hooks = def->hooks;
        mesh_def.bad = SL_BAD_LEAVE_OUT;
        write_boxes(world, boxes, vertices, indices);
        result = sl_mesh_from_arrays(vertices, 2 * count, indices, count, &mesh_def, &mesh, error);
    }
    sli_free_array(&allocator, vertices, count, 6 * sizeof *vertices);
    sli_free_array(&allocator, indices, count, 3 * sizeof *indices);
    if (result == SL_OK) {
        result = sl_bvh_build(mesh, def, top, error);
    }
    sl_mesh_destroy(mesh);
    world->top = *top;
    return result;
}
