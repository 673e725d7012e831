/* bench/harness/random.c: pseudo-random numbers, directions and surface points for the sets
 * of bench. */
#include "tools/bench/harness/random.h"

#include <math.h>
#include <stdlib.h>

bench_random bench_random_make(uint64_t seed, uint64_t purpose)
{
    bench_random random = { seed * 0x9E3779B97F4A7C15u + purpose };
    random.state = bench_random_bits(&random);
    return random;
}

uint64_t bench_random_bits(bench_random *random)
{
    uint64_t z = random->state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static float random_unit(bench_random *random)
{
    return (float)(bench_random_bits(random) >> 40) * 0x1p-24f;
}

float bench_random_in(bench_random *random, float min, float max)
{
    const float x = min + random_unit(random) * (max - min);
    return x > max ? max : x;
}

size_t bench_random_below(bench_random *random, size_t count)
{
    return (size_t)(bench_random_bits(random) % count);
}

void bench_random_point(bench_random *random, const sl_aabb *box, float out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = bench_random_in(random, box->min[axis], box->max[axis]);
    }
}

/* In the ball of radius 1, by trying; more than half of the tries are good. */
static float in_ball(bench_random *random, float out[3])
{
    for (;;) {
        float square = 0;
        for (int axis = 0; axis < 3; axis++) {
            out[axis] = bench_random_in(random, -1, 1);
            square += out[axis] * out[axis];
        }
        if (square <= 1 && square > 1e-6f) {
            return sqrtf(square);
        }
    }
}

void bench_random_sphere(bench_random *random, float out[3])
{
    const float length = in_ball(random, out);
    for (int axis = 0; axis < 3; axis++) {
        out[axis] /= length;
    }
}

/* A point on the unit sphere around the normal's tip; its direction from the normal's foot follows
 * the cosine. */
void bench_random_cosine(bench_random *random, const float normal[3], float out[3])
{
    float square;
    do {
        bench_random_sphere(random, out);
        square = 0;
        for (int axis = 0; axis < 3; axis++) {
            out[axis] += normal[axis];
            square += out[axis] * out[axis];
        }
    } while (square < 1e-6f);
    const float length = sqrtf(square);
    for (int axis = 0; axis < 3; axis++) {
        out[axis] /= length;
    }
}

void bench_random_hemisphere(bench_random *random, const float normal[3], float out[3])
{
    float along = 0;
    bench_random_sphere(random, out);
    for (int axis = 0; axis < 3; axis++) {
        along += out[axis] * normal[axis];
    }
    for (int axis = 0; axis < 3 && along < 0; axis++) {
        out[axis] = -out[axis];
    }
}

static double area_of(const sl_triangle *t)
{
    double a[3], b[3], square = 0;
    for (int axis = 0; axis < 3; axis++) {
        a[axis] = (double)t->v[1][axis] - (double)t->v[0][axis];
        b[axis] = (double)t->v[2][axis] - (double)t->v[0][axis];
    }
    for (int axis = 0; axis < 3; axis++) {
        const int next = (axis + 1) % 3, last = (axis + 2) % 3;
        const double cross = a[next] * b[last] - a[last] * b[next];
        square += cross * cross;
    }
    return 0.5 * sqrt(square);
}

bool bench_surface_make(bench_surface *surface, const sl_mesh *mesh, const sl_bvh *bvh, bool *empty)
{
    const size_t count = sl_mesh_soup(mesh).triangle_count;
    *surface = (bench_surface){ mesh, bvh, malloc((count + 1) * sizeof(double)) };
    *empty = false;
    if (surface->area == NULL) {
        return false;
    }
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        sl_triangle triangle;
        sl_surface ignored;
        if (sl_bvh_surface(bvh, (sl_triangle_ref){ .prim = (uint32_t)i }, 0, 0, SL_FLOAT,
                           &ignored) &&
            sl_mesh_triangle(mesh, (uint32_t)i, &triangle)) {
            sum += area_of(&triangle);
        }
        surface->area[i] = sum;
    }
    *empty = !(sum > 0 && isfinite(sum));
    if (*empty) {
        bench_surface_free(surface);
    }
    return !*empty;
}

void bench_surface_free(bench_surface *surface)
{
    free(surface->area);
    *surface = (bench_surface){ 0 };
}

/* The triangle in whose part of the running sum a random number falls. */
static uint32_t random_triangle(const bench_surface *surface, bench_random *random)
{
    size_t low = 0, high = sl_mesh_soup(surface->mesh).triangle_count - 1;
    const double at = (double)(bench_random_bits(random) >> 11) * 0x1p-53 * surface->area[high];
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (surface->area[middle] > at) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return (uint32_t)low;
}

bool bench_point_at(const sl_bvh *bvh, const sl_hit *hit, bool back, bench_point *out)
{
    sl_surface at;
    if (!sl_bvh_surface(bvh, (sl_triangle_ref){ hit->instance, hit->prim }, hit->u, hit->v,
                        SL_FLOAT, &at)) {
        return false;
    }
    for (int axis = 0; axis < 3; axis++) {
        out->point[axis] = (float)at.point[axis];
        out->normal[axis] = (float)(back ? -at.normal[axis] : at.normal[axis]);
        out->front_origin[axis] = (float)(back ? at.back_origin : at.front_origin)[axis];
    }
    return true;
}

bench_point bench_surface_point(const bench_surface *surface, bench_random *random)
{
    sl_hit hit = { .prim = random_triangle(surface, random),
                   .u = random_unit(random),
                   .v = random_unit(random) };
    if (hit.u + hit.v > 1) {
        hit.u = 1 - hit.u;
        hit.v = 1 - hit.v;
    }
    bench_point point = { .point = { 0 } };
    (void)bench_point_at(surface->bvh, &hit, false, &point);
    return point;
}
