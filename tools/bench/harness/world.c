/* bench/harness/world.c: copies of a mesh, scaled, turned and strewn into a cube, where they are in
 * each frame, and the scenes of these frames. */
#include "tools/bench/harness/world.h"

#include <math.h>
#include <stdlib.h>

const char *const bench_density_words[] = {
    [DENSITY_TOUCHING] = "touching", [DENSITY_SPARSE] = "sparse", [DENSITY_PILED] = "piled", NULL
};

/* A line through a cube meets count * area / side^2 of boxes whose mean shadow has that area; the
 * mean shadow of a box is a quarter of its surface (Cauchy). */
static double side_of(const sl_aabb *box, size_t count, bench_density density)
{
    static const double met[] = {
        [DENSITY_TOUCHING] = 4, [DENSITY_SPARSE] = 1.5, [DENSITY_PILED] = 13
    };
    double size[3], surface = 0;
    for (int axis = 0; axis < 3; axis++) {
        size[axis] = (double)box->max[axis] - (double)box->min[axis];
    }
    for (int axis = 0; axis < 3; axis++) {
        surface += 2 * size[axis] * size[(axis + 1) % 3];
    }
    return sqrt((double)count * surface / 4 / met[density]);
}

/* Scales from 1/2 to 3/2; in a frame a body drifts by up to a 200th of the distance to its
 * neighbours and turns by some degrees. */
static bench_body make_body(bench_random *random, double side, double spacing)
{
    bench_body body = { .scale = (double)bench_random_in(random, 0.5f, 1.5f) };
    double square = 0;
    for (int axis = 0; axis < 3; axis++) {
        body.centre[axis] = side * (double)bench_random_in(random, 0, 1);
        body.velocity[axis] = spacing / 200 * (double)bench_random_in(random, -1, 1);
    }
    while (square < 0.01 || square > 1) { /* a random turn: in the ball of four dimensions */
        square = 0;
        for (int k = 0; k < 4; k++) {
            body.turn[k] = (double)bench_random_in(random, -1, 1);
            square += body.turn[k] * body.turn[k];
        }
    }
    for (int k = 0; k < 4; k++) {
        body.turn[k] /= sqrt(square);
        body.spin[k] = 0.02 * (double)bench_random_in(random, -1, 1);
    }
    return body;
}

bool bench_world_make(const sl_aabb *box, size_t count, bench_density density, uint64_t seed,
                      bench_world *out)
{
    *out = (bench_world){ .bodies = malloc(count * sizeof *out->bodies),
                          .count = count,
                          .side = side_of(box, count, density),
                          .density = density };
    if (out->bodies == NULL) {
        return false;
    }
    bench_random random = bench_random_make(seed, STREAM_WORLD);
    for (int axis = 0; axis < 3; axis++) {
        out->middle[axis] = ((double)box->min[axis] + (double)box->max[axis]) / 2;
    }
    for (size_t i = 0; i < count; i++) {
        out->bodies[i] = make_body(&random, out->side, out->side / cbrt((double)count));
    }
    return true;
}

void bench_world_free(bench_world *world)
{
    free(world->bodies);
    *world = (bench_world){ 0 };
}

/* The rotation of a quaternion of any length but 0. */
static void rotation_of(const double q[4], double m[3][3])
{
    const double two = 2 / (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int i = 0; i < 3; i++) {
        const int next = (i + 1) % 3, last = (i + 2) % 3;
        m[i][i] = 1 - two * (q[next] * q[next] + q[last] * q[last]);
        m[i][next] = two * (q[i] * q[next] - q[last] * q[3]);
        m[i][last] = two * (q[i] * q[last] + q[next] * q[3]);
    }
}

void bench_world_places(const bench_world *world, double frame, float (*places)[12])
{
    for (size_t i = 0; i < world->count; i++) {
        const bench_body *body = &world->bodies[i];
        double turn[4], m[3][3];
        for (int k = 0; k < 4; k++) {
            turn[k] = body->turn[k] + frame * body->spin[k];
        }
        rotation_of(turn, m);
        for (int row = 0; row < 3; row++) {
            double moved = body->centre[row] + frame * body->velocity[row];
            for (int k = 0; k < 3; k++) {
                places[i][4 * row + k] = (float)(body->scale * m[row][k]);
                moved -= body->scale * m[row][k] * world->middle[k];
            }
            places[i][4 * row + 3] = (float)moved;
        }
    }
}

void bench_world_instances(const sl_bvh *bvh, const float (*places)[12], size_t count,
                           sl_instance *instances)
{
    for (size_t i = 0; i < count; i++) {
        instances[i] = sl_instance_of(bvh);
        for (int k = 0; k < 12; k++) {
            instances[i].transform.m[k / 4][k % 4] = (double)places[i][k];
        }
    }
}

sl_result bench_next_version(bench_versions *versions, const sl_instance *instances, size_t count,
                             const sl_tasks *tasks, sl_error *error)
{
    sl_instances_def def = (sl_instances_def){ 0 };
    sl_bvh *next = NULL;
    def.hooks.tasks = tasks;
    def.previous = versions->now;
    def.recycle = versions->before;
    const sl_result result = sl_bvh_build_instances(instances, count, &def, &next, error);
    if (result == SL_OK) {
        versions->before = versions->now;
        versions->now = next;
    }
    return result;
}

void bench_versions_free(bench_versions *versions)
{
    sl_bvh_destroy(versions->now);
    sl_bvh_destroy(versions->before);
    *versions = (bench_versions){ .now = NULL };
}
