/* bench/input/needles.c: the mesh of --needles: cones as a CAD program cuts them into triangles.
 *
 * The side of each cone is a fan of needles that meet in its tip, and so is its base, around the
 * middle: boxes around neighbours overlap, whichever way a tree divides them.  Computed in doubles
 * with + - * / and sqrt only, so that the mesh is the same on every machine. */
#include "tools/bench/input/meshes.h"
#include "tools/bench/input/sets.h"

#include <math.h>
#include <stdlib.h>

enum { CONES = 8, TRIANGLES = 30424, POINTS = TRIANGLES / 2 + 2 * CONES };

/* A point of the circle of radius 1, and the step to the next one. */
typedef struct circle {
    double x, y, step_x, step_y;
} circle;

/* Taylor series: of so small an angle they are good to 1e-16. */
static circle circle_of(uint32_t steps)
{
    const double a = 6.28318530717958647693 / steps, b = a * a;
    return (circle){ .x = 1,
                     .step_x = 1 - b / 2 * (1 - b / 12 * (1 - b / 30)),
                     .step_y = a * (1 - b / 6 * (1 - b / 20)) };
}

static void needles_turn(circle *at)
{
    const double x = at->x * at->step_x - at->y * at->step_y;
    at->y = at->x * at->step_y + at->y * at->step_x;
    at->x = x;
}

/* Unit vectors across a unit vector and each other. */
static void make_across(const float along[3], double across[2][3])
{
    const int least = fabsf(along[0]) < 0.6f ? 0 : 1; /* one of both is below 0.71 */
    double square = 0;
    for (int axis = 0; axis < 3; axis++) {
        across[0][axis] = (double)(axis == least) - (double)along[least] * (double)along[axis];
        square += across[0][axis] * across[0][axis];
    }
    for (int axis = 0; axis < 3; axis++) {
        across[0][axis] /= sqrt(square);
    }
    for (int axis = 0; axis < 3; axis++) {
        const int next = (axis + 1) % 3, last = (axis + 2) % 3;
        across[1][axis] =
            (double)along[next] * across[0][last] - (double)along[last] * across[0][next];
    }
}

/* The tip, the middle of the base, and the points around it. */
static float *put_points(float *to, bench_random *random, uint32_t sides)
{
    static const sl_aabb scratch = { .min = { 0, 0, 0 }, .max = { 10, 10, 10 } };
    float *const tip = to, *const middle = to + 3;
    float along[3];
    double across[2][3];
    bench_random_point(random, &scratch, tip);
    bench_random_sphere(random, along);
    make_across(along, across);
    const float length = bench_random_in(random, 4, 8);
    const double radius = (double)(length * bench_random_in(random, 0.05f, 0.15f));
    for (int axis = 0; axis < 3; axis++) {
        middle[axis] = tip[axis] + length * along[axis];
    }
    to += 6;
    circle at = circle_of(sides);
    for (uint32_t side = 0; side < sides; side++, needles_turn(&at)) {
        for (int axis = 0; axis < 3; axis++) {
            *to++ = (float)((double)middle[axis] +
                            radius * (at.x * across[0][axis] + at.y * across[1][axis]));
        }
    }
    return to;
}

static uint32_t *put_triangles(uint32_t *to, uint32_t tip, uint32_t sides)
{
    const uint32_t middle = tip + 1, first = tip + 2;
    for (uint32_t side = 0; side < sides; side++) {
        const uint32_t here = first + side, next = first + (side + 1) % sides;
        const uint32_t pair[6] = { tip, here, next, middle, next, here };
        for (int i = 0; i < 6; i++) {
            *to++ = pair[i];
        }
    }
    return to;
}

sl_result bench_needles_mesh(sl_mesh **out, sl_error *error)
{
    float *xyz = malloc(POINTS * 3 * sizeof *xyz);
    uint32_t *indices = malloc(TRIANGLES * 3 * sizeof *indices);
    *out = NULL;
    *error = (sl_error){ .code = SL_OUT_OF_MEMORY, .byte = -1, .message = "out of memory" };
    if (xyz != NULL && indices != NULL) {
        bench_random random = bench_random_make(1, STREAM_NEEDLES);
        float *points = xyz;
        uint32_t *triangles = indices, first = 0;
        for (uint32_t cone = 0; cone < CONES; cone++) {
            const uint32_t sides = TRIANGLES / 2 / CONES + (cone < TRIANGLES / 2 % CONES);
            points = put_points(points, &random, sides);
            triangles = put_triangles(triangles, first, sides);
            first += sides + 2;
        }
        sl_mesh_from_arrays(xyz, POINTS, indices, TRIANGLES, NULL, out, error);
    }
    free(xyz);
    free(indices);
    return *out != NULL ? SL_OK : error->code;
}
