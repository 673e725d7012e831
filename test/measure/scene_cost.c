/* scene_cost: what two levels cost: copies of a mesh as instances of one tree, beside one tree over
 * all the same triangles.
 *
 *     scene_cost MESH [SIDE [SPREAD [RAYS]]]      default 3, 1 and 30000; OBJ, PLY, STL or OFF
 *
 * SIDE^3 copies on a lattice, SPREAD times the mesh's size apart: side by side at 1, piled below.
 * Rays start anywhere within, in any direction.  Prints the milliseconds that the scene takes to
 * build, how many instances a ray enters, and for closest and any hits the nanoseconds a ray and
 * the ratios of the scene to the tree, and of rays in doubles to those in floats; the same in
 * batches of 16, and for rays of a camera; and the nanoseconds that a remembered blocker takes:
 * medians of interleaved rounds, one thread. */
#include "test/measure/timing.h"
#include "test/support/input/random.h"

#include <sightline/sightline.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 9 };

static void check(bool good, const char *words)
{
    if (!good) {
        fprintf(stderr, "scene_cost: %s\n", words);
        exit(1);
    }
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

/* What a round takes. */
enum { TREE, SCENE, DOUBLES, WAYS };

typedef struct job {
    const sl_bvh *flat;
    const sl_scene *scene;
    const sl_ray *rays;
    const sl_ray_d *rays_d;
    size_t count, batch;
    sl_hit *hits;
    sl_hit_d *hits_d;
    uint8_t *any;
} job;

static void run(const job *j, int way, bool any)
{
    for (size_t i = 0; i < j->count; i += j->batch) {
        const size_t n = j->count - i < j->batch ? j->count - i : j->batch;
        if (way == TREE && any) {
            sl_bvh_any_many(j->flat, j->rays + i, n, NULL, j->any + i, NULL);
        } else if (way == TREE) {
            sl_bvh_closest_many(j->flat, j->rays + i, n, NULL, j->hits + i, NULL);
        } else if (way == SCENE && any) {
            sl_scene_any_many(j->scene, j->rays + i, n, NULL, j->any + i, NULL);
        } else if (way == SCENE) {
            sl_scene_closest_many(j->scene, j->rays + i, n, NULL, j->hits + i, NULL);
        } else if (any) {
            sl_scene_any_d_many(j->scene, j->rays_d + i, n, NULL, j->any + i, NULL);
        } else {
            sl_scene_closest_d_many(j->scene, j->rays_d + i, n, NULL, j->hits_d + i, NULL);
        }
    }
}

static void measure(const job *j, const char *what)
{
    double took[2 * WAYS][ROUNDS], ns[2 * WAYS];
    for (int round = 0; round < ROUNDS; round++) {
        for (int way = 0; way < 2 * WAYS; way++) {
            const double start = timing_seconds();
            run(j, way / 2, way % 2 != 0);
            took[way][round] = 1e9 * (timing_seconds() - start) / (double)j->count;
        }
    }
    for (int way = 0; way < 2 * WAYS; way++) {
        ns[way] = timing_median(took[way], ROUNDS);
    }
    static const char *const names[2] = { "closest", "any" };
    printf("%-10s", what);
    for (int any = 0; any < 2; any++) {
        const double *at = ns + any;
        printf(" %s: tree %.0f, scene %.0f, %.2f; doubles %.0f, %.2f%s", names[any], at[0], at[2],
               at[2] / at[0], at[4], at[4] / at[2], any != 0 ? "\n" : ";");
    }
}

/* The time of segments whose blockers are all remembered. */
static void measure_hints(const sl_scene *scene, const sl_ray *rays, const uint8_t *any,
                          const sl_hit *hits, size_t count)
{
    sl_segment *segments = calloc(count, sizeof *segments);
    sl_triangle_ref *hints = calloc(count, sizeof *hints);
    uint8_t *blocked = calloc(count, 1);
    check(segments != NULL && hints != NULL && blocked != NULL, "not enough memory for segments");
    size_t n = 0;
    for (size_t i = 0; i < count; i++) {
        if (any[i] == 0 || hits[i].prim == SL_NONE) {
            continue;
        }
        for (int axis = 0; axis < 3; axis++) {
            segments[n].p[axis] = rays[i].origin[axis];
            segments[n].q[axis] = rays[i].origin[axis] + 1.5f * hits[i].t * rays[i].dir[axis];
        }
        hints[n++] = (sl_triangle_ref){ .instance = hits[i].instance, .prim = hits[i].prim };
    }
    double took[ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
        const double start = timing_seconds();
        sl_scene_blocked_many(scene, segments, n, NULL, blocked, hints, NULL);
        took[round] = 1e9 * (timing_seconds() - start) / (double)n;
    }
    printf("remembered blockers: %zu, %.1f ns each\n", n, timing_median(took, ROUNDS));
    free(blocked);
    free(hints);
    free(segments);
}

static void draw(const sl_aabb *box, bool camera, sl_ray *rays, sl_ray_d *rays_d, size_t count)
{
    test_random random = { 20261123 };
    const size_t width = (size_t)sqrt((double)count);
    for (size_t i = 0; i < count; i++) {
        const float at[3] = { (float)(i % width) / (float)width - 0.5f,
                              (float)(i / width) / (float)width - 0.5f, 1 };
        rays[i].tmin = 0;
        rays[i].tmax = INFINITY;
        for (int axis = 0; axis < 3; axis++) {
            const float low = box->min[axis], high = box->max[axis];
            rays[i].origin[axis] = camera ? low + (axis == 2 ? 0.02f : 0.47f) * (high - low)
                                          : test_random_in(&random, low, high);
            rays[i].dir[axis] = camera ? at[axis] : test_random_in(&random, -1, 1);
        }
        rays_d[i] = sl_ray_d_from_ray(&rays[i]);
    }
}

static void measure_all(const sl_bvh *flat, const sl_scene *scene, size_t count)
{
    const sl_aabb box = sl_bvh_bounds(flat);
    sl_ray *rays = calloc(count, sizeof *rays);
    sl_ray_d *rays_d = calloc(count, sizeof *rays_d);
    job j = { .flat = flat,
              .scene = scene,
              .rays = rays,
              .rays_d = rays_d,
              .count = count,
              .batch = count,
              .hits = calloc(count, sizeof *j.hits),
              .hits_d = calloc(count, sizeof *j.hits_d),
              .any = calloc(count, 1) };
    sl_stats stats = { .rays = 0 };
    const sl_query counted = { .stats = &stats };
    check(rays != NULL && rays_d != NULL && j.hits != NULL && j.hits_d != NULL && j.any != NULL,
          "not enough memory for rays");
    draw(&box, false, rays, rays_d, count);
    sl_scene_closest_many(scene, rays, count, &counted, j.hits, NULL);
    printf("%.2f instances a ray\n", (double)stats.instances / (double)count);
    measure(&j, "all");
    measure_hints(scene, rays, j.any, j.hits, count);
    j.batch = 16;
    measure(&j, "16 at once");
    j.batch = count;
    draw(&box, true, rays, rays_d, count);
    measure(&j, "camera");
    free(j.any);
    free(j.hits_d);
    free(j.hits);
    free(rays_d);
    free(rays);
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
    check(instances != NULL, "not enough memory for instances");
    sl_bvh *flat = copy_all(mesh, tree, side, spread, instances);
    const double start = timing_seconds();
    check(sl_scene_build(instances, side * side * side, NULL, &scene, &error) == SL_OK,
          error.message);
    const double built = 1e3 * (timing_seconds() - start);
    printf("%zu instances built in %.3f ms; ", side * side * side, built);
    measure_all(flat, scene, count);
    sl_scene_destroy(scene);
    sl_bvh_destroy(flat);
    sl_bvh_destroy(tree);
    sl_mesh_destroy(mesh);
    free(instances);
    return 0;
}
