/* many_rays.c: line of sight in bulk, over all processors.
 *
 *     many_rays spot.obj
 *
 * A grid of watchers in front of the mesh looks at every vertex of it: how much of the mesh does
 * each see?  The answers do not depend on the number of threads. */
#include <sightline/sightline.h>

#include <stdio.h>
#include <stdlib.h>

enum { WATCHERS = 5 };

/* Segments from one point to every vertex. */
static void aim(const sl_mesh *mesh, const float from[3], sl_segment *segments)
{
    const float *xyz = sl_mesh_soup(mesh).xyz;
    const size_t count = sl_mesh_soup(mesh).vertex_count;
    for (size_t i = 0; i < count; i++) {
        for (int axis = 0; axis < 3; axis++) {
            segments[i].p[axis] = from[axis];
            segments[i].q[axis] = xyz[3 * i + (size_t)axis];
        }
    }
}

int main(int argc, char **argv)
{
    sl_error error = { .message = "out of memory" };
    sl_mesh *mesh = NULL;
    sl_bvh *bvh = NULL;
    sl_pool *pool = NULL;
    if (sl_pool_create(0, NULL, &pool, &error) != SL_OK ||
        sl_mesh_load(argc > 1 ? argv[1] : "spot.obj", NULL, &mesh, &error) != SL_OK) {
        fprintf(stderr, "%s: %s\n", error.file, error.message);
        sl_pool_destroy(pool);
        return 1;
    }
    sl_build_def def = { .hooks.tasks = sl_pool_tasks(pool) };
    const size_t count = sl_mesh_soup(mesh).vertex_count;
    sl_segment *segments = calloc(count, sizeof *segments);
    uint8_t *occluded = calloc(count, 1);
    const bool ready =
        segments != NULL && occluded != NULL && sl_bvh_build(mesh, &def, &bvh, &error) == SL_OK;

    /* A vertex lies on the surface: with the end open, its own triangles do not hide it. */
    const sl_options options = { .flags = SL_OPEN_END };
    for (int i = 0; ready && i < WATCHERS; i++) {
        const float from[3] = { (float)(i - WATCHERS / 2), 0.5f, -2 };
        aim(mesh, from, segments);
        sl_bvh_any_many(bvh, sl_segments_of(segments, count), &options, occluded, NULL,
                        sl_pool_tasks(pool), NULL);
        size_t seen = 0;
        for (size_t k = 0; k < count; k++) {
            seen += !occluded[k];
        }
        printf("from %4.1f %4.1f %4.1f: %zu of %zu vertices\n", (double)from[0], (double)from[1],
               (double)from[2], seen, count);
    }
    if (!ready) {
        fprintf(stderr, "%s\n", error.message);
    }
    free(occluded);
    free(segments);
    sl_bvh_destroy(bvh);
    sl_mesh_destroy(mesh);
    sl_pool_destroy(pool);
    return ready ? 0 : 1;
}
