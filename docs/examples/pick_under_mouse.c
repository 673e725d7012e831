/* pick_under_mouse.c: what is under a pixel, and what is behind that.
 *
 *     pick_under_mouse spot.obj 420 280
 *
 * An editor keeps the camera and the tree, and asks this at every move of the mouse. */
#include <sightline/sightline.h>

#include <stdio.h>
#include <stdlib.h>

/* Everything under the point (x, y) of the picture, nearest first. */
static void print_what_is_under(const sl_bvh *bvh, const sl_mesh *mesh, const sl_camera *camera,
                                float x, float y)
{
    sl_ray ray;
    sl_hit hit;
    if (!sl_camera_ray(camera, x, y, &ray) || !sl_bvh_closest(bvh, &ray, NULL, &hit)) {
        printf("nothing is under %g, %g\n", (double)x, (double)y);
        return;
    }
    do {
        sl_surface surface;
        float pixel[2] = { 0, 0 };
        sl_bvh_surface(bvh, (sl_triangle_ref){ hit.instance, hit.prim }, hit.u, hit.v, SL_FLOAT,
                       &surface);
        const float point[3] = { (float)surface.point[0], (float)surface.point[1],
                                 (float)surface.point[2] };
        sl_camera_project(camera, point, pixel, NULL);
        printf("%s of triangle %u (face %u) at %.4f %.4f %.4f, pixel %.2f %.2f\n",
               hit.flags & SL_HIT_BACK ? "back " : "front", hit.prim, sl_mesh_face(mesh, hit.prim),
               surface.point[0], surface.point[1], surface.point[2], (double)pixel[0],
               (double)pixel[1]);
    } while (sl_bvh_next(bvh, &ray, NULL, &hit, &hit));
}

int main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : "spot.obj";
    const float x = argc > 2 ? strtof(argv[2], NULL) : 420;
    const float y = argc > 3 ? strtof(argv[3], NULL) : 280;

    sl_error error;
    sl_mesh *mesh = NULL;
    sl_bvh *bvh = NULL;
    sl_camera camera;
    sl_mesh_info info;
    sl_camera_def def = { 0 }; /* 800 x 600, 60 degrees, OpenGL */
    int status = 1;
    if (sl_mesh_load(path, NULL, &mesh, &error) != SL_OK ||
        sl_bvh_build(mesh, NULL, &bvh, &error) != SL_OK) {
        goto done;
    }
    info = sl_mesh_get_info(mesh);
    const float from_the_front[3] = { 0, 0, -1 };
    if (sl_camera_fit(&info.bounds, NULL, from_the_front, &def, &error) != SL_OK ||
        sl_camera_make(&def, &camera, &error) != SL_OK) {
        goto done;
    }
    print_what_is_under(bvh, mesh, &camera, x, y);
    status = 0;

done:
    if (status != 0) {
        fprintf(stderr, "%s: %s\n", error.file, error.message);
    }
    sl_bvh_destroy(bvh);
    sl_mesh_destroy(mesh);
    return status;
}
