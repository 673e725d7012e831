/* point_kinds.c: generates points of each kind, near to and far from the triangles, for
 * ask/source.c. */
#include "tools/generate/point_kinds.h"

#include <sightline/points.h>

#include <math.h>
#include <string.h>

const char *const point_kind_words[] = { "box",    "surface", "vertices", "edges", "nearmiss",
                                         "offset", "under",   "far",      "all",   NULL };

/* Directions whose length is a whole number. */
static const float whole[][4] = {
    { 1, 0, 0, 1 }, { 0, -1, 0, 1 }, { 1, 2, 2, 3 },  { 3, 0, -4, 5 },
    { 2, 3, 6, 7 }, { -6, 2, 3, 7 }, { 4, -4, 7, 9 }, { -8, -1, 4, 9 },
};
enum { WHOLE = sizeof whole / sizeof whole[0] };

/* Which of them, and how often, is the same for the point and for its radius. */
static const float *offset_of(const query_random *m, uint64_t *state, double *times)
{
    const int lower = 2 + (int)query_random_below(state, 12);
    *times = m->extent > 0 ? ldexp(1, ilogb(m->extent) - lower) : 1;
    return whole[query_random_below(state, WHOLE)];
}

void point_kinds_make(const query_random *m, point_kind kind, uint64_t index, float out[3])
{
    uint64_t state = query_random_start(m, (int)kind, index);
    double times;
    const float *offset = offset_of(m, &state, &times);
    const sl_triangle triangle = query_random_triangle(m, &state);
    switch (kind) {
    case POINTS_SURFACE:
        query_random_on_surface(&state, &triangle, out);
        break;
    case POINTS_VERTICES:
    case POINTS_EDGES:
        query_random_special(&state, &triangle, kind == POINTS_EDGES, out);
        break;
    case POINTS_NEARMISS:
        query_random_special(&state, &triangle, query_random_next(&state) & 1, out);
        query_random_step(&state, out);
        break;
    case POINTS_OFFSET:
        query_random_special(&state, &triangle, false, out);
        for (int axis = 0; axis < 3; axis++) {
            out[axis] = query_random_float((double)out[axis] + times * (double)offset[axis]);
        }
        break;
    case POINTS_UNDER: {
        float along[3];
        query_random_special(&state, &triangle, query_random_next(&state) & 1, out);
        query_random_point(m, &state, 0.25, along);
        out[0] = along[0];
        break;
    }
    case POINTS_FAR:
        query_random_point(m, &state, 0, out);
        for (int axis = 0; axis < 3; axis++) {
            const double away = ldexp(m->extent, 4 + (int)query_random_below(&state, 24));
            out[axis] = query_random_float((double)out[axis] + (double)offset[axis] * away);
        }
        break;
    case POINTS_BOX:
    default:
        query_random_point(m, &state, 0.25, out);
        break;
    }
}

/* Of the mesh's extent: 2^-lower at most, and 2^-(lower + 7) at least. */
static double part_of(const query_random *m, uint64_t *state, int lower)
{
    const double part = 0.5 + 0.5 * query_random_unit(state);
    return ldexp(m->extent * part, -lower - (int)query_random_below(state, 7));
}

float point_kinds_radius(const query_random *m, point_kind kind, uint64_t index)
{
    uint64_t state = query_random_start(m, (int)kind, index);
    double times;
    const float *offset = offset_of(m, &state, &times);
    const uint32_t how = (uint32_t)(index % 6);
    if (kind == POINTS_OFFSET && how < 2) {
        return query_random_float(times * (double)offset[3]);
    }
    float point[3];
    sl_nearest nearest = { .distance = 0 };
    point_kinds_make(m, kind, index, point);
    const bool found = sl_bvh_nearest(m->bvh, point, INFINITY, NULL, &nearest);
    const float distance = found && isfinite(nearest.distance) ? nearest.distance : 0;
    switch (how) {
    case 0:
        return distance;
    case 1:
        return nextafterf(distance, INFINITY);
    case 2:
        return nextafterf(distance, 0);
    case 3: /* a little more, so that a few are within */
        return query_random_float((double)distance + part_of(m, &state, 6));
    case 4:
        return kind == POINTS_VERTICES ? 0 : 2 * distance;
    default:
        return query_random_float((double)distance + part_of(m, &state, 1));
    }
}
