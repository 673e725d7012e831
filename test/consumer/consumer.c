/* A user outside of the tree: builds a tree over a sphere, casts a ray at it, makes a picture. */
#include <sightline/io.h>
#include <sightline/sightline.h>

#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    sl_mesh *mesh = NULL;
    sl_bvh *bvh = NULL;
    sl_error error;
    if (sl_mesh_generate(&(sl_mesh_shape){ SL_MESH_SPHERE, { .sphere = { 8 } } }, NULL, &mesh,
                         &error) != SL_OK ||
        sl_bvh_build(mesh, NULL, &bvh, &error) != SL_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    sl_mesh_destroy(mesh);

    /* The unit sphere has a vertex at each pole: from z = -3 that is 2 away. */
    const float origin[3] = { 0, 0, -3 }, dir[3] = { 0, 0, 1 };
    const sl_ray ray = sl_ray_make(origin, dir);
    sl_hit hit;
    const bool found = sl_bvh_closest(bvh, &ray, NULL, &hit);
    sl_bvh_destroy(bvh);

    const uint8_t black[3] = { 0, 0, 0 };
    uint8_t *png = NULL;
    size_t size = 0;
    if (sl_png_write_memory(black, 1, 1, &png, &size, &error) != SL_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    free(png);
    printf("sightline %d.%d.%d: t = %g\n", SL_VERSION_MAJOR, SL_VERSION_MINOR, SL_VERSION_PATCH,
           (double)hit.t);
    return found && hit.t == 2.0f && size > 8 ? 0 : 1;
}
