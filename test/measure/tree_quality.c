/* tree_quality: what the qualities of a build are worth, and what they cost.
 *
 *     tree_quality MESH ...
 *
 * For each quality: the tree's own figures, the nodes and triangles that a query looks at, and how
 * long building and asking take relative to the first; interleaved rounds, minima.  One
 * thread. Queries: closest and any hit between random points of the box, closest hit and any hit of
 * rays that leave the surface (a quarter of the diagonal far), and nearest points near the surface.
 */
#include "test/support/hard/rays.h"
#include "test/support/input/info_of.h"

#include <sightline/point_query.h>
#include <sightline/ray_query.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { COUNT = 20000, ROUNDS = 5, SETS = 5 };

static const sl_bvh_quality qualities[] = { SL_BVH_QUALITY_FAST, SL_BVH_QUALITY_DEFAULT,
                                            SL_BVH_QUALITY_HIGH };
static const char *const names[] = { "fast", "default", "high" };
enum { QUALITIES = 3 };

static const char *const set_names[SETS] = { "box closest", "box any", "bounce closest",
                                             "bounce any", "nearest" };

static sl_ray box_rays[COUNT], bounce_rays[COUNT];
static float points[3 * COUNT];

typedef struct figures {
    sl_bvh *bvh;
    double build, time[SETS];
    sl_stats stats[SETS];
} figures;

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* As the times are taken. */
static void ask(const sl_bvh *bvh, int set)
{
    static sl_hit hits[COUNT];
    static sl_nearest nearest[COUNT];
    static uint8_t any[COUNT];
    const sl_ray *rays = set < 2 ? box_rays : bounce_rays;
    if (set == 4) {
        sl_bvh_nearest_many(bvh, points, COUNT, INFINITY, NULL, nearest, NULL);
    } else if (set % 2 == 0) {
        sl_bvh_closest_many(bvh, rays, COUNT, NULL, hits, NULL);
    } else {
        sl_bvh_any_many(bvh, rays, COUNT, NULL, any, NULL);
    }
}

/* One by one, so that every query counts what it alone looks at. */
static void count(const sl_bvh *bvh, int set, sl_stats *stats)
{
    const sl_query query = { .stats = stats };
    const sl_ray *rays = set < 2 ? box_rays : bounce_rays;
    for (int i = 0; i < COUNT; i++) {
        if (set == 4) {
            (void)sl_bvh_nearest(bvh, points + 3 * (size_t)i, INFINITY, &query, NULL);
        } else if (set % 2 == 0) {
            (void)sl_bvh_closest(bvh, &rays[i], &query, NULL);
        } else {
            (void)sl_bvh_any(bvh, &rays[i], &query);
        }
    }
}

static void make_queries(const sl_mesh *mesh)
{
    test_random random = { 1 };
    const sl_aabb bounds = mesh_info_of(mesh).bounds;
    float diagonal = 0;
    for (int axis = 0; axis < 3; axis++) {
        diagonal += (bounds.max[axis] - bounds.min[axis]) * (bounds.max[axis] - bounds.min[axis]);
    }
    diagonal = sqrtf(diagonal);
    for (int i = 0; i < COUNT; i++) {
        box_rays[i] = hard_ray_make(mesh, HARD_BOX, &random).ray;
        const sl_triangle t = hard_triangle(mesh, &random);
        const float u = test_random_unit(&random), v = (1 - u) * test_random_unit(&random);
        sl_ray *ray = &bounce_rays[i];
        *ray = (sl_ray){ .tmin = 1e-4f * diagonal, .tmax = 0.25f * diagonal };
        float length = 0;
        for (int axis = 0; axis < 3; axis++) {
            ray->origin[axis] = t.v[0][axis] + u * (t.v[1][axis] - t.v[0][axis]) +
                                v * (t.v[2][axis] - t.v[0][axis]);
            ray->dir[axis] = test_random_in(&random, -1, 1);
            length += ray->dir[axis] * ray->dir[axis];
            points[3 * i + axis] =
                ray->origin[axis] + test_random_in(&random, -0.0115f, 0.0115f) * diagonal;
        }
        for (int axis = 0; axis < 3; axis++) {
            ray->dir[axis] /= sqrtf(length);
        }
    }
}

static void build_round(const sl_mesh *mesh, figures all[QUALITIES])
{
    for (int q = 0; q < QUALITIES; q++) {
        sl_build_def def = sl_default_build_def();
        def.quality = qualities[q];
        sl_bvh_destroy(all[q].bvh);
        all[q].bvh = NULL;
        const double start = seconds();
        if (sl_bvh_build(mesh, &def, &all[q].bvh, NULL) != SL_OK) {
            exit(1);
        }
        all[q].build = fmin(all[q].build, seconds() - start);
    }
}

static void ask_round(figures all[QUALITIES])
{
    for (int set = 0; set < SETS; set++) {
        for (int q = 0; q < QUALITIES; q++) {
            figures *f = &all[q];
            const double start = seconds();
            ask(f->bvh, set);
            f->time[set] = fmin(f->time[set], seconds() - start);
        }
    }
}

static void print(const char *path, const figures all[QUALITIES])
{
    for (int q = 0; q < QUALITIES; q++) {
        const figures *f = &all[q];
        const sl_bvh_info info = bvh_info_of(f->bvh);
        printf("%s %s: %zu triangles, sah_cost %.2f, %.2f children a node, %.2f triangles a leaf, "
               "%.1f bytes a triangle, depth %u, build %.0f ms (x %.2f)\n",
               path, names[q], info.triangle_count, info.sah_cost,
               (double)info.child_count / (double)info.node_count,
               (double)info.triangle_count / (double)info.leaf_count, info.bytes_per_triangle,
               info.depth, 1e3 * f->build, f->build / all[0].build);
        for (int set = 0; set < SETS; set++) {
            const sl_stats *stats = &f->stats[set];
            printf("    %-15s %7.2f nodes %7.2f triangles %7.3f us (x %.3f)\n", set_names[set],
                   (double)stats->nodes / COUNT, (double)stats->triangles / COUNT,
                   1e6 * f->time[set] / COUNT, all[0].time[set] / f->time[set]);
        }
    }
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        sl_mesh *mesh = NULL;
        sl_error error;
        if (sl_mesh_load(argv[i], NULL, &mesh, &error) != SL_OK) {
            fprintf(stderr, "%s: %s\n", argv[i], error.message);
            continue;
        }
        make_queries(mesh);
        figures all[QUALITIES];
        for (int q = 0; q < QUALITIES; q++) {
            all[q] = (figures){ .build = INFINITY };
            for (int set = 0; set < SETS; set++) {
                all[q].time[set] = INFINITY;
            }
        }
        for (int round = 0; round < ROUNDS; round++) {
            build_round(mesh, all);
        }
        for (int round = 0; round < 2 * ROUNDS; round++) {
            ask_round(all);
        }
        const char *name = strrchr(argv[i], '/') != NULL ? strrchr(argv[i], '/') + 1 : argv[i];
        for (int q = 0; q < QUALITIES; q++) {
            for (int set = 0; set < SETS; set++) {
                all[q].stats[set] = (sl_stats){ 0 };
                count(all[q].bvh, set, &all[q].stats[set]);
            }
        }
        print(name, all);
        for (int q = 0; q < QUALITIES; q++) {
            sl_bvh_destroy(all[q].bvh);
        }
        sl_mesh_destroy(mesh);
    }
    return 0;
}
