/* camera_boom.c: a camera behind a head, drawn near where something is in the way: a sphere that
 * holds the camera's near plane is swept from the head to where the camera would be.
 *
 *     camera_boom spot.obj
 *
 * The head is beside the mesh; the camera goes around it in sixteen steps. */
#include <sightline/sightline.h>
#include <sightline/sweep.h>

#include <stdio.h>

enum { STEPS = 16 };

/* How much of the boom is free: all of it is 1. */
static double free_part(const sl_bvh *bvh, const float head[3], const float boom[3], float radius)
{
    sl_sweep sweep = { .volume = { .kind = SL_VOLUME_SPHERE } };
    sl_contact contact;
    sweep.volume.shape.sphere.radius = radius;
    for (int axis = 0; axis < 3; axis++) {
        sweep.volume.shape.sphere.centre[axis] = head[axis];
        sweep.dir[axis] = boom[axis];
    }
    /* What the head touches already and what the camera leaves is not in the way. */
    sweep.touching = sweep.overlapping = SL_START_IGNORE_RECEDING;
    return sl_bvh_sweep(bvh, &sweep, NULL, &contact) ? contact.t_safe : 1;
}

int main(int argc, char **argv)
{
    sl_error error = { .message = "out of memory" };
    sl_mesh *mesh = NULL;
    sl_bvh *bvh = NULL;
    if (sl_mesh_load(argc > 1 ? argv[1] : "spot.obj", NULL, &mesh, &error) != SL_OK ||
        sl_bvh_build(mesh, NULL, &bvh, &error) != SL_OK) {
        fprintf(stderr, "%s\n", error.message);
        sl_mesh_destroy(mesh);
        return 1;
    }
    const float head[3] = { 0.8f, 0.3f, 0 };
    float boom[3] = { 1.5f, 0.25f, 0 };
    for (int i = 0; i < STEPS; i++) {
        const double part = free_part(bvh, head, boom, 0.1f);
        printf("%2d: camera at %6.3f %6.3f %6.3f%s\n", i, (double)head[0] + part * (double)boom[0],
               (double)head[1] + part * (double)boom[1], (double)head[2] + part * (double)boom[2],
               part < 1 ? ", drawn near" : "");
        /* A turn by 22.6 degrees, whose sine and cosine are fractions. */
        const float x = boom[0], z = boom[2];
        boom[0] = (12 * x - 5 * z) / 13;
        boom[2] = (5 * x + 12 * z) / 13;
    }
    sl_bvh_destroy(bvh);
    sl_mesh_destroy(mesh);
    return 0;
}
