/* bake/hemisphere.c: evenly spread directions around a normal, for bake. */
#include "tools/bake/hemisphere.h"

#include "tools/generate/query_random.h"

#include <math.h>

static uint32_t reverse_bits(uint32_t x)
{
    x = x >> 16 | x << 16;
    x = (x & 0xFF00FF00u) >> 8 | (x & 0x00FF00FFu) << 8;
    x = (x & 0xF0F0F0F0u) >> 4 | (x & 0x0F0F0F0Fu) << 4;
    x = (x & 0xCCCCCCCCu) >> 2 | (x & 0x33333333u) << 2;
    return (x & 0xAAAAAAAAu) >> 1 | (x & 0x55555555u) << 1;
}

void bake_hemisphere_sample(uint32_t i, uint32_t count, uint64_t item, uint32_t out[2])
{
    const uint64_t moved = query_random_next(&item);
    const uint32_t along = (uint32_t)(((uint64_t)i << 32) / count);
    out[0] = (along + (uint32_t)moved) >> 8;
    out[1] = (reverse_bits(i) + (uint32_t)(moved >> 32)) >> 8;
}

/* Taylor's series; |x| <= pi / 4, where they are right to 1e-9. */
static void sine_cosine(double x, double *sine, double *cosine)
{
    const double s = x * x;
    *sine = x * (1 - s / 6 * (1 - s / 20 * (1 - s / 42 * (1 - s / 72))));
    *cosine = 1 - s / 2 * (1 - s / 12 * (1 - s / 30 * (1 - s / 56 * (1 - s / 90))));
}

static void hemisphere_disk(const uint32_t sample[2], double *x, double *y)
{
    const double quarter_pi = 0.78539816339744831;
    const double a = ((double)sample[0] + 0.5) * 0x1p-23 - 1;
    const double b = ((double)sample[1] + 0.5) * 0x1p-23 - 1;
    double sine, cosine;
    if (fabs(a) > fabs(b)) {
        sine_cosine(quarter_pi * (b / a), &sine, &cosine);
        *x = a * cosine;
        *y = a * sine;
    } else {
        sine_cosine(quarter_pi * (a / b), &sine, &cosine);
        *x = b * sine;
        *y = b * cosine;
    }
}

void bake_hemisphere_direction(const uint32_t sample[2], const float normal[3], float spread,
                               float out[3])
{
    double x, y;
    hemisphere_disk(sample, &x, &y);
    x *= (double)spread;
    y *= (double)spread;
    const double left = 1 - (x * x + y * y), z = left > 0 ? sqrt(left) : 0;
    const double n[3] = { (double)normal[0], (double)normal[1], (double)normal[2] };
    const double sign = n[2] < 0 ? -1 : 1, a = -1 / (sign + n[2]), b = n[0] * n[1] * a;
    const double first[3] = { 1 + sign * n[0] * n[0] * a, sign * b, -sign * n[0] };
    const double second[3] = { b, sign + n[1] * n[1] * a, -n[1] };
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = (float)(x * first[axis] + y * second[axis] + z * n[axis]);
    }
}
