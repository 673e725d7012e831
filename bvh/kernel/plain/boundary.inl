/* The boundary's part of winding numbers: the turns of edges, four at a time, with the bits of
 * sli_boundary_turn; and bounds of their sum, by the clusters of the boundary's tree.  For
 * bvh/query/winding.c.
 *
 * The caps C span the boundary (lib/mesh/boundary_caps.c): winding numbers being integers around
 * closed surfaces, the boundary's part is the winding number of C less the crossings of C by the
 * ray.  These are decided exactly, near caps are summed by their solid angles, and a cluster of
 * caps that is far from the point by its moments, up to the second.  With D the distance of its
 * centre from the point, and q the radius over D, what is left out is less than
 *     1/4 pi (integral of |v|^3 over the area) / D^5 (4 / (1 - q) + q / (1 - q)^2);
 * the bracket is at most 5 + 10 q^2 + 56 q^4 for q <= 3/4.  docs/notes/inside.md derives this.
 * Source   Barill, Dickson, Schmidt, Levin and Jacobson, Fast Winding Numbers for Soups and Clouds
 *          (2018); Van Oosterom and Strackee, The Solid Angle of a Plane Triangle (1983). */
#pragma once

#include "bvh/kernel/kernel.h"
#include "bvh/kernel/simd/simd.h"
#include "lib/geom/closest/boundary_winding.h"
#include "lib/geom/exact/arithmetic/arctangent.h"
#include "lib/geom/exact/predicates.h"

/* ---- Edges ---- */

/* An end of each of four edges, as seen from the point. */
typedef struct boundary_end {
    d4 a, y, z;
} boundary_end;

/* row: three coordinates of each edge, and a fourth number that is not used.  Clears the bits of
 * off whose ends lie on the line through the point along x. */
static boundary_end boundary_end_of(f4 row[4], const float point[3], uint32_t *off)
{
    const d4 zero = d4_splat(0);
    f4_transpose(row);
    const d4 x = d4_sub(d4_from_f4(row[0]), d4_splat((double)point[0]));
    const d4 y = d4_sub(d4_from_f4(row[1]), d4_splat((double)point[1]));
    const d4 z = d4_sub(d4_from_f4(row[2]), d4_splat((double)point[2]));
    const d4 square = d4_add(d4_mul(y, y), d4_mul(z, z));
    const d4 length = d4_sqrt(d4_add(d4_mul(x, x), square));
    *off &= d4_bits_gt(square, zero);
    return (boundary_end){ d4_less(zero, x, d4_div(square, d4_add(length, x)), d4_sub(length, x)),
                           y, z };
}

/* sli_arctangent of a point that is not (0, 0), but for the sign; across >= 0. */
static d4 boundary_angle(d4 across, d4 x)
{
    const d4 along = d4_abs(x), zero = d4_splat(0), whole = d4_splat(0x1p52);
    const d4 low = d4_min(across, along), high = d4_less(across, along, along, across);
    const d4 eight = d4_add(d4_mul(d4_div(low, high), d4_splat(8)), d4_splat(0.5));
    const d4 near = d4_sub(d4_add(eight, whole), whole);
    const d4 k = d4_less(eight, near, d4_sub(near, d4_splat(1)), near);
    double ks[4], known[4];
    d4_store(ks, d4_min(k, d4_splat(8))); /* and of NaN 8 */
    for (int i = 0; i < 4; i++) {
        known[i] = sli_arctangent_eighths[(int)ks[i]];
    }
    const d4 eighth = d4_mul(k, d4_splat(0.125));
    const d4 u = d4_div(d4_sub(low, d4_mul(high, eighth)), d4_add(high, d4_mul(low, eighth)));
    const d4 s = d4_mul(u, u);
    d4 sum = zero;
    for (int n = 15; n >= 3; n -= 2) {
        sum = d4_mul(s, d4_add(d4_splat((n % 4 == 1 ? 1.0 : -1.0) / n), sum));
    }
    d4 angle = d4_add(d4_doubles(known), d4_add(u, d4_mul(u, sum)));
    angle = d4_less(along, across, d4_sub(d4_splat(SLI_PI / 2), angle), angle);
    return d4_less(x, zero, d4_sub(d4_splat(SLI_PI), angle), angle);
}

/* sli_boundary_turn of four edges, but for the sign of zeros.  What may be on the ray, or as seen
 * from the point run through it, is left to that function. */
static void boundary_turns4(const sli_boundary_edge *const edges[4], const float point[3],
                            double turns[4])
{
    f4 from[4], to[4];
    uint32_t plain = 15;
    for (int i = 0; i < 4; i++) {
        from[i] = f4_load((const float *)(const void *)edges[i]);
        to[i] = f4_load((const float *)(const void *)edges[i] + 3);
    }
    const boundary_end a = boundary_end_of(from, point, &plain);
    const boundary_end b = boundary_end_of(to, point, &plain);
    const d4 left = d4_mul(a.y, b.z), right = d4_mul(a.z, b.y), across = d4_sub(left, right);
    const d4 along = d4_add(d4_mul(a.a, b.a), d4_add(d4_mul(a.y, b.y), d4_mul(a.z, b.z)));
    const d4 sure = d4_mul(d4_splat(0x1p-50), d4_add(d4_abs(left), d4_abs(right)));
    plain &= d4_bits_gt(along, d4_splat(0)) | d4_bits_gt(d4_abs(across), sure);
    const d4 angle = boundary_angle(d4_abs(across), along), zero = d4_splat(0);
    d4_store(turns, d4_less(across, zero, d4_sub(zero, angle), angle));
    for (uint32_t bits = ~plain & 15; bits != 0; bits &= bits - 1) {
        const int lane = __builtin_ctz(bits);
        turns[lane] = sli_boundary_turn(edges[lane], point);
    }
}

/* The turns of up to four edges whose numbers follow one another. */
static void boundary_turns(const sl_boundary *boundary, size_t first, size_t count,
                           const float point[3], double turns[4])
{
    const sli_boundary_edge *edges[4];
    for (size_t i = 0; i < 4; i++) {
        edges[i] = &boundary->edges[first + (i < count ? i : count - 1)];
    }
    boundary_turns4(edges, point, turns);
}

/* ---- Clusters ---- */

/* Where four clusters are, as seen from the point. */
typedef struct boundary_far {
    d4 x, y, z; /* over the distance */
    d4 inverse; /* of the distance */
    d4 error;   /* infinite, or NaN, of what is too near */
} boundary_far;

static void boundary_far_of(const sli_boundary_block *b, const float point[3], boundary_far *far)
{
    const d4 x = d4_sub(d4_doubles(b->centre[0]), d4_splat((double)point[0]));
    const d4 y = d4_sub(d4_doubles(b->centre[1]), d4_splat((double)point[1]));
    const d4 z = d4_sub(d4_doubles(b->centre[2]), d4_splat((double)point[2]));
    const d4 square = d4_add(d4_mul(x, x), d4_add(d4_mul(y, y), d4_mul(z, z)));
    const d4 radius = d4_doubles(b->radius), radius2 = d4_mul(radius, radius);
    const d4 inverse = d4_div(d4_splat(1), d4_sqrt(square)), inverse2 = d4_mul(inverse, inverse);
    const d4 q2 = d4_mul(radius2, inverse2);
    const d4 bracket = d4_muladd(q2, d4_muladd(q2, d4_splat(56), d4_splat(10)), d4_splat(5));
    const d4 cut =
        d4_mul(d4_mul(d4_doubles(b->cut), bracket), d4_mul(inverse, d4_mul(inverse2, inverse2)));
    far->x = d4_mul(x, inverse);
    far->y = d4_mul(y, inverse);
    far->z = d4_mul(z, inverse);
    far->inverse = inverse;
    far->error = d4_less(d4_mul(radius2, d4_splat(16.0 / 9 + 0x1p-20)), square,
                         d4_add(cut, d4_doubles(b->rounding)), d4_splat(INFINITY));
}

/* a0 b[0] + a1 b[1] + a2 b[2] */
static d4 boundary_three(d4 a0, d4 a1, d4 a2, const double b[3][4])
{
    return d4_muladd(a0, d4_doubles(b[0]),
                     d4_muladd(a1, d4_doubles(b[1]), d4_mul(a2, d4_doubles(b[2]))));
}

/* The winding numbers of four clusters by their moments. */
static d4 boundary_moments(const sli_boundary_block *b, const boundary_far *f)
{
    const d4 xx = d4_mul(f->x, f->x), yy = d4_mul(f->y, f->y), zz = d4_mul(f->z, f->z);
    const d4 xy = d4_mul(f->x, f->y);
    const d4 first = boundary_three(f->x, f->y, f->z, b->first);
    const d4 second =
        d4_add(boundary_three(xx, yy, zz, b->second),
               boundary_three(xy, d4_mul(f->x, f->z), d4_mul(f->y, f->z), b->second + 3));
    const d4 by_x = boundary_three(f->x, f->y, f->z, b->third);
    const d4 by_y = boundary_three(f->x, f->y, f->z, b->third + 3);
    const d4 by_z = boundary_three(f->x, f->y, f->z, b->third + 6);
    const d4 third = d4_muladd(
        xx, by_x,
        d4_muladd(yy, by_y,
                  d4_muladd(zz, by_z, d4_mul(d4_mul(xy, f->z), d4_doubles(b->third[9])))));
    const d4 sum = d4_muladd(f->inverse, d4_muladd(f->inverse, third, second), first);
    return d4_mul(d4_mul(f->inverse, f->inverse), sum);
}

/* ---- Caps ---- */

/* A corner of each of four caps, as seen from the point, and its distance. */
typedef struct boundary_corner {
    d4 x, y, z, length;
} boundary_corner;

static boundary_corner boundary_corner_of(const sli_boundary_cap *const caps[4], int corner,
                                          const float point[3])
{
    f4 row[4];
    boundary_corner c;
    for (int i = 0; i < 4; i++) {
        row[i] = f4_load(caps[i]->corners[corner]);
    }
    f4_transpose(row);
    c.x = d4_sub(d4_from_f4(row[0]), d4_splat((double)point[0]));
    c.y = d4_sub(d4_from_f4(row[1]), d4_splat((double)point[1]));
    c.z = d4_sub(d4_from_f4(row[2]), d4_splat((double)point[2]));
    c.length = d4_sqrt(d4_add(d4_mul(c.x, c.x), d4_add(d4_mul(c.y, c.y), d4_mul(c.z, c.z))));
    return c;
}

static d4 boundary_dot(const boundary_corner *a, const boundary_corner *b)
{
    return d4_add(d4_mul(a->x, b->x), d4_add(d4_mul(a->y, b->y), d4_mul(a->z, b->z)));
}

/* Half the solid angles of four caps (Van Oosterom and Strackee 1983), and what they and the turns
 * of their sides are off by. */
static d4 boundary_solid(const boundary_corner c[3], d4 *error)
{
    const d4 zero = d4_splat(0);
    const d4 nx = d4_sub(d4_mul(c[1].y, c[2].z), d4_mul(c[1].z, c[2].y));
    const d4 ny = d4_sub(d4_mul(c[1].z, c[2].x), d4_mul(c[1].x, c[2].z));
    const d4 nz = d4_sub(d4_mul(c[1].x, c[2].y), d4_mul(c[1].y, c[2].x));
    const d4 across = d4_add(d4_mul(c[0].x, nx), d4_add(d4_mul(c[0].y, ny), d4_mul(c[0].z, nz)));
    const d4 size = d4_mul(c[0].length, d4_mul(c[1].length, c[2].length));
    d4 along = size;
    for (int i = 0; i < 3; i++) {
        const boundary_corner *a = &c[(i + 1) % 3], *b = &c[(i + 2) % 3];
        along = d4_add(along, d4_mul(boundary_dot(a, b), c[i].length));
    }
    const d4 high = d4_max(d4_abs(across), along);
    *error = d4_less(d4_mul(size, d4_splat(0x1p-44)), high,
                     d4_div(d4_mul(size, d4_splat(0x1p-44)), high), d4_splat(INFINITY));
    const d4 angle = boundary_angle(d4_abs(across), along);
    return d4_less(across, zero, d4_sub(zero, angle), angle);
}

/* The lanes, of those given, whose cap has a corner on either side of the ray, or on it. */
static uint32_t boundary_astride(const boundary_corner c[3], uint32_t lanes)
{
    const d4 zero = d4_splat(0);
    for (int axis = 0; axis < 3 && lanes != 0; axis++) {
        uint32_t above = 15, below = 15;
        for (int i = 0; i < 3; i++) {
            const d4 x = axis == 0 ? c[i].x : axis == 1 ? c[i].y : c[i].z;
            above &= d4_bits_gt(x, zero);
            below &= d4_bits_gt(zero, x);
        }
        lanes &= ~(below | (axis > 0 ? above : 0));
    }
    return lanes;
}

/* Backs minus fronts that the ray crosses of four caps. */
static int boundary_crossings(const sli_boundary_cap *const caps[4], const sli_exact_ray *ray,
                              const boundary_corner c[3], uint32_t lanes)
{
    int sum = 0;
    for (uint32_t bits = boundary_astride(c, lanes); bits != 0; bits &= bits - 1) {
        const sli_boundary_cap *cap = caps[__builtin_ctz(bits)];
        sli_decision_stage stage;
        sum +=
            sli_exact_ray_side(ray, cap->corners[0], cap->corners[1], cap->corners[2], 0, &stage);
    }
    return sum;
}

/* ---- The walk ---- */

/* What was added, by lanes: winding numbers but for crossings. */
typedef struct boundary_lanes {
    d4 windings, size, error;
    int crossings;
} boundary_lanes;

static void boundary_add(boundary_lanes *lanes, d4 windings, d4 error)
{
    lanes->windings = d4_add(lanes->windings, windings);
    lanes->size = d4_add(lanes->size, d4_abs(windings));
    lanes->error = d4_add(lanes->error, error);
}

/* Adds the caps of a cluster; returns their number. */
static size_t boundary_add_caps(const sl_boundary *boundary, const sli_exact_ray *ray,
                                const float point[3], uint64_t cluster, boundary_lanes *lanes)
{
    const d4 part = d4_splat(-SLI_WINDING_OF_TURN);
    const size_t begin = sli_boundary_first(boundary->cap_count, boundary->levels, cluster);
    const size_t end = sli_boundary_first(boundary->cap_count, boundary->levels, cluster + 1);
    for (size_t at = begin; at < end; at += 4) {
        const sli_boundary_cap *caps[4];
        double once[4];
        boundary_corner c[3];
        d4 error;
        for (size_t i = 0; i < 4; i++) {
            caps[i] = &boundary->caps[at + i < end ? at + i : end - 1];
            once[i] = at + i < end;
        }
        for (int i = 0; i < 3; i++) {
            c[i] = boundary_corner_of(caps, i, point);
        }
        const d4 weight = d4_mul(part, d4_doubles(once)), angle = boundary_solid(c, &error);
        boundary_add(lanes, d4_mul(weight, angle), d4_mul(part, error));
        lanes->crossings +=
            boundary_crossings(caps, ray, c, end - at < 4 ? (1u << (end - at)) - 1 : 15);
    }
    return end - begin;
}

/* The clusters whose box the ray meets. */
static uint32_t boundary_met(const sli_boundary_block *b, const float point[3])
{
    uint32_t beside = f4_bits_gt(f4_splat(point[0]), f4_load(b->high[0]));
    for (int axis = 1; axis < 3; axis++) {
        const f4 at = f4_splat(point[axis]);
        beside |=
            f4_bits_gt(at, f4_load(b->high[axis])) | f4_bits_gt(f4_load(b->low[axis - 1]), at);
    }
    return ~beside & 15;
}

/* Adds the clusters of a block that the ray does not meet and whose error is below the tolerance;
 * returns their bits. */
static uint32_t boundary_add_clusters(const sli_boundary_block *block, const float point[3],
                                      double tolerance, boundary_lanes *lanes)
{
    const d4 zero = d4_splat(0);
    boundary_far far;
    boundary_far_of(block, point, &far);
    const uint32_t bits = d4_bits_gt(d4_splat(tolerance), far.error) & ~boundary_met(block, point);
    if (bits != 0) {
        double only[4];
        for (int i = 0; i < 4; i++) {
            only[i] = (bits >> i & 1) != 0 ? -1 : 1;
        }
        const d4 left = d4_doubles(only);
        boundary_add(lanes, d4_less(left, zero, boundary_moments(block, &far), zero),
                     d4_less(left, zero, far.error, zero));
    }
    return bits;
}

static double boundary_all(d4 lanes)
{
    double of[4];
    d4_store(of, lanes);
    return (of[0] + of[1]) + (of[2] + of[3]);
}

/* The boundary's part of the winding number, each cluster being left as it is where its error is
 * below the tolerance.  Past the budget of work the error is infinite. */
static void boundary_sum(const sl_boundary *boundary, const float point[3], double tolerance,
                         size_t budget, sli_boundary_sum *sum)
{
    struct {
        uint32_t index;
        int level;
    } stack[3 * 16 + 1] = { { 0, 0 } };
    const d4 zero = d4_splat(0);
    const sli_exact_ray ray = { .origin = { point[0], point[1], point[2] },
                                .dir = { 1, 0, 0 },
                                .tmax = INFINITY,
                                .crossings = true };
    boundary_lanes lanes = { zero, zero, zero, 0 };
    size_t work = 0;
    for (int size = 1; size > 0 && work <= budget;) {
        const int level = stack[--size].level;
        const uint32_t index = stack[size].index;
        const size_t at = sli_boundary_blocks_before(level) + index;
        const uint32_t far = boundary_add_clusters(&boundary->blocks[at], point, tolerance, &lanes);
        work += 4;
        for (uint32_t near = ~far & 15; near != 0; near &= near - 1) {
            const uint32_t cluster = 4 * index + (uint32_t)__builtin_ctz(near);
            if (level + 1 == boundary->levels) {
                work += boundary_add_caps(boundary, &ray, point, cluster, &lanes);
            } else {
                stack[size].index = cluster;
                stack[size++].level = level + 1;
            }
        }
    }
    *sum = (sli_boundary_sum){ .error = INFINITY, .work = work };
    /* Each of at most `work` additions rounds. */
    const double size = boundary_all(lanes.size) + fabs((double)lanes.crossings);
    const double error = boundary_all(lanes.error) * (1 + 0x1p-20) + (double)work * 0x1p-52 * size;
    if (work <= budget && error < INFINITY) {
        *sum = (sli_boundary_sum){ .winding = boundary_all(lanes.windings) - lanes.crossings,
                                   .error = error,
                                   .size = size,
                                   .work = work };
    }
}
