/* Finds where the tree over the instances counts from, so that floats tell boxes apart wherever the
 * world is. */
#include "bvh/scene/top.h"

double sli_median(double *values, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        const double value = values[i];
        size_t at = i;
        for (; at > 0 && values[at - 1] > value; at--) {
            values[at] = values[at - 1];
        }
        values[at] = value;
    }
    return count > 0 ? values[count / 2] : 0;
}

/* About where an instance is; false: nowhere, or it is left out. */
static bool find_instance(const sl_instance *instance, double at[3])
{
    double x[3];
    for (int axis = 0; axis < 3; axis++) {
        if (sli_instance_is_nested(instance)) {
            x[axis] = instance->bvh->world.middle[axis];
        } else if (instance->bvh != NULL) {
            const sl_aabb *box = &instance->bvh->bounds;
            x[axis] = 0.5 * (double)box->min[axis] + 0.5 * (double)box->max[axis];
        } else {
            return false;
        }
    }
    bool known = true;
    for (int axis = 0; axis < 3; axis++) {
        at[axis] = sli_transform_coordinate(instance->transform.m[axis], x[0], x[1], x[2]);
        known = known && fabs(at[axis]) < 0x1p128; /* or no number */
    }
    return known;
}

/* A middle coordinate of the instances, not of the world: floats are finest near where they count
 * from, and one instance that is far away should not take that from all others.  Of some of them,
 * evenly spread over the array. */
void sli_top_middle(const sli_given *given, size_t count, sli_world *world)
{
    double values[3][SLI_TOP_SAMPLES], at[3];
    size_t known = 0;
    const size_t step = count / SLI_TOP_SAMPLES + 1;
    for (size_t i = 0; i < count; i += step) {
        const sl_instance instance = sli_given_instance(given, i);
        if (find_instance(&instance, at)) {
            for (int axis = 0; axis < 3; axis++) {
                values[axis][known] = at[axis];
            }
            known++;
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        world->middle[axis] = sli_median(values[axis], known);
    }
}

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
bool sli_top_half(const sli_world_box *bounds, sli_world *world)
{
    find_half(bounds, world);
    if (!(world->half > 0x1p127)) {
        return true;
    }
    for (int axis = 0; axis < 3; axis++) {
        world->middle[axis] = 0.5 * bounds->min[axis] + 0.5 * bounds->max[axis];
    }
    find_half(bounds, world);
    return false;
}
