/* hello_ray.c: loads a mesh, builds a tree, casts one ray and says what it hits.
 *
 *     hello_ray spot.obj */
#include <sightline/sightline.h>

#include <stdio.h>

static int complain(const sl_error *error)
{
    if (error->line > 0) {
        fprintf(stderr, "%s:%lld: %s\n", error->file, (long long)error->line, error->message);
    } else {
        fprintf(stderr, "%s: %s\n", error->file, error->message);
    }
    return 1;
}

int main(int argc, char **argv)
{
    sl_error error;
    sl_mesh *mesh = NULL;
    sl_bvh *bvh = NULL;
    if (sl_mesh_load(argc > 1 ? argv[1] : "spot.obj", NULL, &mesh, &error) != SL_OK) {
        return complain(&error);
    }
    if (sl_bvh_build(mesh, NULL, &bvh, &error) != SL_OK) {
        sl_mesh_destroy(mesh);
        return complain(&error);
    }
    sl_mesh_destroy(mesh); /* the tree has its own copy of the triangles */

    const float origin[3] = { 0, 0.5f, -3 }, dir[3] = { 0, 0, 1 };
    const sl_ray ray = sl_ray_make(origin, dir);
    sl_hit hit;
    if (sl_bvh_closest(bvh, &ray, NULL, &hit)) {
        sl_surface surface;
        sl_bvh_surface(bvh, (sl_triangle_ref){ hit.instance, hit.prim }, hit.u, hit.v, SL_FLOAT,
                       &surface);
        printf("hit triangle %u at t = %.9g%s\n", hit.prim, (double)hit.t,
               hit.flags & SL_HIT_EDGE ? ", on an edge" : "");
        printf("point  %.9g %.9g %.9g, off by at most %.1g\n", (double)surface.point[0],
               (double)surface.point[1], (double)surface.point[2], (double)surface.error);
        printf("normal %.3f %.3f %.3f\n", (double)surface.normal[0], (double)surface.normal[1],
               (double)surface.normal[2]);
    } else {
        printf("hit nothing\n");
    }
    sl_bvh_destroy(bvh);
    return 0;
}
