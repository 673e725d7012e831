/* bench/peer/embree_point.c: nearest points with Embree: a point-query callback in floats that
 * shrinks the radius of the query to the smallest distance so far.  It compares squares, and takes
 * a root only where a triangle is nearer than all before. */
#include "tools/bench/peer/embree.h"

#include <math.h>

typedef struct search {
    const float *xyz;
    const uint32_t *indices;
    uint32_t prim;
    float square; /* of the distance */
} search;

static float embree_point_dot(const float a[3], const float b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void embree_point_minus(const float a[3], const float b[3], float out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = a[axis] - b[axis];
    }
}

/* Ericson, Real-Time Collision Detection (2005), 5.1.5, in floats. */
static float triangle_square(const float p[3], const float *a, const float *b, const float *c)
{
    float ab[3], ac[3], ap[3], bp[3], cp[3], v = 0, w = 0;
    embree_point_minus(b, a, ab);
    embree_point_minus(c, a, ac);
    embree_point_minus(p, a, ap);
    embree_point_minus(p, b, bp);
    embree_point_minus(p, c, cp);
    const float d1 = embree_point_dot(ab, ap), d2 = embree_point_dot(ac, ap),
                d3 = embree_point_dot(ab, bp), d4 = embree_point_dot(ac, bp);
    const float d5 = embree_point_dot(ab, cp), d6 = embree_point_dot(ac, cp);
    const float vc = d1 * d4 - d3 * d2, vb = d5 * d2 - d1 * d6, va = d3 * d6 - d5 * d4;
    if (d1 <= 0 && d2 <= 0) {
        v = w = 0;
    } else if (d3 >= 0 && d4 <= d3) {
        v = 1;
    } else if (d6 >= 0 && d5 <= d6) {
        w = 1;
    } else if (vc <= 0 && d1 >= 0 && d3 <= 0) {
        v = d1 / (d1 - d3);
    } else if (vb <= 0 && d2 >= 0 && d6 <= 0) {
        w = d2 / (d2 - d6);
    } else if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
        w = (d4 - d3) / ((d4 - d3) + (d5 - d6));
        v = 1 - w;
    } else {
        v = vb / (va + vb + vc);
        w = vc / (va + vb + vc);
    }
    float away[3];
    for (int axis = 0; axis < 3; axis++) {
        away[axis] = a[axis] + v * ab[axis] + w * ac[axis] - p[axis];
    }
    return embree_point_dot(away, away);
}

static bool embree_point_visit(struct RTCPointQueryFunctionArguments *args)
{
    search *s = args->userPtr;
    const uint32_t *i = s->indices + 3 * (size_t)args->primID;
    const float p[3] = { args->query->x, args->query->y, args->query->z };
    const float square = triangle_square(p, s->xyz + 3 * (size_t)i[0], s->xyz + 3 * (size_t)i[1],
                                         s->xyz + 3 * (size_t)i[2]);
    if (square < s->square) {
        args->query->radius = sqrtf(square);
        s->square = square;
        s->prim = args->primID;
        return true;
    }
    return false;
}

void bench_embree_points(const bench_embree_api *embree, RTCScene scene, const sl_mesh *mesh,
                         const float *points, size_t count, float *distances)
{
    struct RTCPointQueryContext context;
    rtcInitPointQueryContext(&context);
    for (size_t i = 0; i < count; i++) {
        const float *p = points + 3 * i;
        struct RTCPointQuery query = { p[0], p[1], p[2], 0, INFINITY };
        search s = { sl_mesh_soup(mesh).xyz, sl_mesh_soup(mesh).indices, SL_NONE, INFINITY };
        embree->rtcPointQuery(scene, &query, &context, embree_point_visit, &s);
        distances[i] = sqrtf(s.square);
    }
}
