/* scene_cost: what two levels cost: copies of a mesh as instances of one tree, beside one tree over
 * all the same triangles.
 *
 *     scene_cost MESH [SIDE [SPREAD [RAYS]]]      default 3, 1 and 30000; OBJ, PLY, STL or OFF
 *
 * SIDE^3 copies on a lattice, SPREAD times the mesh's size apart: side by side at 1, piled below.
 * Rays start anywhere within, in any direction.  Prints the milliseconds that the scene takes to
 * build, how many instances a ray enters, and for closest and any hits the nanoseconds a ray and
 * the ratio: medians of interleaved rounds, one thread. */
#include "test/support/input/random.h"

#include <sightline/sightline.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROUNDS = 9 };

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void check(bool good, const char *words)
{
    if (!good) {
        fprintf(stderr, "scene_cost: %s\n", words);
        exit(1);
    }
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static double median(double values[ROUNDS])
{
    qsort(values, ROUNDS, sizeof *values, compare);
    return values[ROUNDS / 2];
}

/* The instances, and all their triangles in one mesh. */
static sl_bvh *copy_all(const sl_mesh *mesh, const sl_bvh *tree, size_t side, double spread,
                        sl_instance *instances)
{
    const size_t vertices = sl_mesh_vertex_count(mesh), triangles = sl_mesh_triangle_count(mesh);
    const size_t copies = side * side * side;
    const float *from = sl_mesh_positions(mesh);
    const uint32_t *corners = sl_mesh_indices(mesh);
    const sl_aabb box = sl_bvh_bounds(tree);
    float *xyz = calloc(copies * vertices, 3 * sizeof *xyz);
    uint32_t *indices = calloc(copies * triangles, 3 * sizeof *indices);
    sl_mesh *all = NULL;
    sl_bvh *flat = NULL;
    check(xyz != NULL && indices != NULL && copies * vertices < UINT32_MAX, "too many triangles");
    for (size_t i = 0; i < copies; i++) {
        const size_t at[3] = { i % side, i / side % side, i / side / side };
        instances[i] = sl_instance_of(tree);
        for (size_t axis = 0; axis < 3; axis++) {
            const double size = (double)box.max[axis] - (double)box.min[axis];
            const double moved = (double)at[axis] * size * spread;
            instances[i].place.m[axis][3] = moved;
            for (size_t k = 0; k < vertices; k++) {
                xyz[3 * (i * vertices + k) + axis] = (float)(from[3 * k + axis] + moved);
            }
        }
        for (size_t k = 0; k < 3 * triangles; k++) {
            const bool there = corners[k] != SL_NONE;
            indices[3 * i * triangles + k] =
                there ? corners[k] + (uint32_t)(i * vertices) : SL_NONE;
        }
    }
    sl_mesh_def def = sl_default_mesh_def();
    def.bad = SL_BAD_LEAVE_OUT;
    check(sl_mesh_from_arrays(xyz, copies * vertices, indices, copies * triangles, &def, &all,
                              NULL) == SL_OK &&
              sl_bvh_build(all, NULL, &flat, NULL) == SL_OK,
          "not enough memory for one tree over all copies");
    sl_mesh_destroy(all);
    free(indices);
    free(xyz);
    return flat;
}

static void measure(const sl_bvh *flat, const sl_scene *scene, const sl_ray *rays, size_t count)
{
    double took[4][ROUNDS];
    sl_stats stats = { .rays = 0 };
    const sl_query counted = { .stats = &stats };
    sl_hit *hits = calloc(count, sizeof *hits);
    uint8_t *any = calloc(count, 1);
    check(hits != NULL && any != NULL, "not enough memory for answers");
    sl_scene_closest_many(scene, rays, count, &counted, hits, NULL);
    for (int round = 0; round < ROUNDS; round++) {
        double at[5] = { seconds() };
        sl_bvh_closest_many(flat, rays, count, NULL, hits, NULL);
        at[1] = seconds();
        sl_scene_closest_many(scene, rays, count, NULL, hits, NULL);
        at[2] = seconds();
        sl_bvh_any_many(flat, rays, count, NULL, any, NULL);
        at[3] = seconds();
        sl_scene_any_many(scene, rays, count, NULL, any, NULL);
        at[4] = seconds();
        for (int way = 0; way < 4; way++) {
            took[way][round] = 1e9 * (at[way + 1] - at[way]) / (double)count;
        }
    }
    double ns[4];
    for (int way = 0; way < 4; way++) {
        ns[way] = median(took[way]);
    }
    printf("%.2f instances a ray; closest: tree %.0f, scene %.0f, %.2f; any: tree %.0f, scene "
           "%.0f, %.2f\n",
           (double)stats.instances / (double)count, ns[0], ns[1], ns[1] / ns[0], ns[2], ns[3],
           ns[3] / ns[2]);
    free(any);
    free(hits);
}

int main(int argc, char **argv)
{
    const size_t side = argc > 2 ? strtoul(argv[2], NULL, 10) : 3;
    const double spread = argc > 3 ? strtod(argv[3], NULL) : 1;
    const size_t count = argc > 4 ? strtoul(argv[4], NULL, 10) : 30000;
    sl_mesh *mesh = NULL;
    sl_bvh *tree = NULL;
    sl_scene *scene = NULL;
    sl_error error = { .message = "usage: scene_cost MESH [SIDE [SPREAD [RAYS]]]" };
    check(argc > 1 && side > 0 && side < 100 && count > 0, error.message);
    check(sl_mesh_load(argv[1], NULL, &mesh, &error) == SL_OK, error.message);
    check(sl_bvh_build(mesh, NULL, &tree, &error) == SL_OK, error.message);
    sl_instance *instances = calloc(side * side * side, sizeof *instances);
    sl_ray *rays = calloc(count, sizeof *rays);
    check(instances != NULL && rays != NULL, "not enough memory for rays");
    sl_bvh *flat = copy_all(mesh, tree, side, spread, instances);
    const double start = seconds();
    check(sl_scene_build(instances, side * side * side, NULL, &scene, &error) == SL_OK,
          error.message);
    printf("%zu instances built in %.3f ms; ", side * side * side, 1e3 * (seconds() - start));
    const sl_aabb box = sl_bvh_bounds(flat);
    test_random random = { 20261123 };
    for (size_t i = 0; i < count; i++) {
        rays[i].tmax = INFINITY;
        for (int axis = 0; axis < 3; axis++) {
            rays[i].origin[axis] = test_random_in(&random, box.min[axis], box.max[axis]);
            rays[i].dir[axis] = test_random_in(&random, -1, 1);
        }
    }
    measure(flat, scene, rays, count);
    sl_scene_destroy(scene);
    sl_bvh_destroy(flat);
    sl_bvh_destroy(tree);
    sl_mesh_destroy(mesh);
    free(instances);
    free(rays);
    return 0;
}
