/* generate_sphere.c: a sphere from an octahedron, with its normals and texture coordinates; the
 * same bits on every machine, as in generate.c. */
#include "lib/base/error.h"
#include "lib/base/fpenv.h"
#include "lib/mesh/generate.h"

#include <math.h>
#include <string.h>

enum { SPHERE_N_MAX = 16383 }; /* 8 n^2 triangles stay below 2^31 */

/* The octahedron |x| + |y| + |z| = n has the integer points as its vertices once it is cut.  They
 * lie in rings of equal z: ring r (z = n - r) is a square of 4 m points, m = min(r, 2n - r), or a
 * single one at a pole, and is walked counter-clockwise from (m, 0).  Each point is then moved to
 * distance 1, so that vertices are shared because they are the same integers. */

static uint32_t ring_start(uint32_t n, uint32_t ring)
{
    if (ring == 0) {
        return 0;
    }
    const uint32_t last = 4 * n * n + 1; /* the south pole */
    return ring <= n ? 1 + 2 * ring * (ring - 1) : last - 2 * (2 * n - ring) * (2 * n - ring + 1);
}

static float *put_ring(float *to, uint32_t n, uint32_t ring)
{
    const uint32_t steps = ring <= n ? ring : 2 * n - ring;
    const double m = steps;
    const double z = (double)n - ring;
    for (int quarter = 0; quarter < 4; quarter++) {
        for (uint32_t step = 0; step < steps; step++) {
            double x = m - step, y = step;
            for (int turn = 0; turn < quarter; turn++) {
                const double old = x;
                x = 0 - y;
                y = old;
            }
            const double length = sqrt(x * x + y * y + z * z);
            to = sli_put_point(to, x / length, y / length, z / length);
        }
    }
    return to;
}

SLI_NOINLINE static void fill_sphere_points(float *to, uint32_t n)
{
    to = sli_put_point(to, 0, 0, 1);
    for (uint32_t ring = 1; ring < 2 * n; ring++) {
        to = put_ring(to, n, ring);
    }
    sli_put_point(to, 0, 0, -1);
}

/* The octahedron unfolds to a square: the northern half in the middle, each quarter of the southern
 * one in a corner.  So the southern points between two quarters have two places in it, which are
 * two rows, and the pole has four. */

/* The place of a step of a quarter, 0 <= step <= steps, as texture coordinates. */
static float *put_uv(float *to, uint32_t n, uint32_t ring, int quarter, uint32_t step)
{
    const uint32_t steps = ring <= n ? ring : 2 * n - ring;
    const double x = (double)steps - step, y = step;
    double a = ring <= n ? x : n - y, b = ring <= n ? y : n - x;
    for (int turn = 0; turn < quarter; turn++) {
        const double old = a;
        a = 0 - b;
        b = old;
    }
    return sli_put_uv(to, (n + a) / (2.0 * n), (n + b) / (2.0 * n));
}

/* First the places of all vertices, then for each southern ring those of the last steps of its
 * quarters. */
SLI_NOINLINE static void fill_sphere_uvs(float *to, uint32_t n)
{
    to = put_uv(to, n, 0, 0, 0);
    for (uint32_t ring = 1; ring < 2 * n; ring++) {
        const uint32_t steps = ring <= n ? ring : 2 * n - ring;
        for (int quarter = 0; quarter < 4; quarter++) {
            for (uint32_t step = 0; step < steps; step++) {
                to = put_uv(to, n, ring, quarter, step);
            }
        }
    }
    to = put_uv(to, n, 2 * n, 0, 0);
    for (uint32_t ring = n + 1; ring <= 2 * n; ring++) {
        for (int quarter = 0; quarter < 4; quarter++) {
            to = put_uv(to, n, ring, quarter, 2 * n - ring);
        }
    }
}

/* A ring of m steps a quarter: where its points begin, and the last ones of its quarters, where
 * they are not the first ones of the next quarters (SL_NONE: they are). */
typedef struct ring_points {
    uint32_t start, m, ends;
} ring_points;

static ring_points points_of(uint32_t n, uint32_t ring, bool of_uvs)
{
    const uint32_t vertices = 4 * n * n + 2;
    return (ring_points){ .start = ring_start(n, ring),
                          .m = ring <= n ? ring : 2 * n - ring,
                          .ends = of_uvs && ring > n ? vertices + 4 * (ring - n - 1) : SL_NONE };
}

static uint32_t ring_point(const ring_points *ring, uint32_t quarter, uint32_t step)
{
    if (step == ring->m && ring->ends != SL_NONE) {
        return ring->ends + quarter;
    }
    return ring->m == 0 ? ring->start : ring->start + (quarter * ring->m + step) % (4 * ring->m);
}

/* The band between a ring and the next one towards the equator, which has one step more in each
 * quarter.  Seen from outside with the wide ring below, they run left to right; a band of the
 * southern half is one of the northern half upside down, and so with two corners exchanged. */
static uint32_t *put_band(uint32_t *to, const ring_points *narrow, const ring_points *wide,
                          bool south)
{
    const uint32_t m = narrow->m;
    for (uint32_t quarter = 0; quarter < 4; quarter++) {
        for (uint32_t step = 0; step <= m; step++) {
            const uint32_t top = ring_point(narrow, quarter, step);
            const uint32_t left = ring_point(wide, quarter, step);
            const uint32_t right = ring_point(wide, quarter, step + 1);
            to = south ? sli_put_triangle(to, top, right, left)
                       : sli_put_triangle(to, top, left, right);
            if (step < m) {
                const uint32_t next = ring_point(narrow, quarter, step + 1);
                to = south ? sli_put_triangle(to, top, next, right)
                           : sli_put_triangle(to, top, right, next);
            }
        }
    }
    return to;
}

/* The corners of all triangles: vertices, or rows of places. */
static void fill_sphere_triangles(uint32_t *to, uint32_t n, bool of_uvs)
{
    for (uint32_t ring = 0; ring < 2 * n; ring++) {
        const ring_points upper = points_of(n, ring, of_uvs);
        const ring_points lower = points_of(n, ring + 1, of_uvs);
        to = ring < n ? put_band(to, &upper, &lower, false) : put_band(to, &lower, &upper, true);
    }
}

sl_result sli_generate_sphere(uint32_t n, const sl_hooks *hooks, sl_mesh **out, sl_error *error)
{
    if (n < 1) {
        return sli_refuse(error, "n is 0; at least 1 is needed");
    }
    if (n > SPHERE_N_MAX) {
        return sli_fail_plain(error, SL_TOO_LARGE, "n is %lu; at most %d is possible",
                              (unsigned long)n, (int)SPHERE_N_MAX);
    }
    sl_mesh_def def;
    sli_mesh_parts parts;
    SLI_TRY(sli_generate_begin(4 * (uint64_t)n * n + 2, 8 * (uint64_t)n * n, hooks, &def, &parts,
                               error));
    SLI_TRY(sli_generate_table(&parts, &def, SL_MESH_NORMALS, parts.vertex_count, false, error));
    const size_t rows = parts.vertex_count + 4 * (size_t)n;
    SLI_TRY(sli_generate_table(&parts, &def, SL_MESH_UVS, rows, true, error));
    const sli_attribute *uvs = sli_generated(&parts, SL_MESH_UVS);
    const sli_fpenv env = sli_fpenv_enter();
    fill_sphere_points(parts.xyz, n);
    fill_sphere_uvs(uvs->values, n);
    sli_fpenv_leave(env);
    memcpy(sli_generated(&parts, SL_MESH_NORMALS)->values, parts.xyz,
           3 * parts.vertex_count * sizeof *parts.xyz);
    fill_sphere_triangles(parts.indices, n, false);
    fill_sphere_triangles(uvs->indices, n, true);
    return sli_mesh_finish(&parts, &def, NULL, NULL, NULL, out, error);
}
