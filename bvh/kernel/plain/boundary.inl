/* The boundary's part of winding numbers: the turns of edges, four at a time, with the bits of
 * sli_boundary_turn; and bounds of their sum, by the clusters of the boundary's tree.  For
 * bvh/query/winding.c.
 *
 * A cluster that is far from the ray along +x is summed by its moments, up to the second.  With L
 * the distance from the point, and u = log(L - x),
 *     turn = 1/2 sum over edges of the integral of (u_y dz - u_z dy),
 * and moments are what the derivatives of u at the cluster's centre are multiplied by.  u is
 * harmonic, so what is left out is less than
 *     1/2 third k / 3 (4 / (1 - q) + q / (1 - q)^2),
 * with k = (2 L - x) / (L^3 (L - x)^2), and q the radius over the distance of the centre from the
 * ray; the bracket is at most 4.5 + 22 q^2 for q <= 1/2.  docs/notes/inside.md derives this.
 * Source   Barill, Dickson, Schmidt, Levin and Jacobson, Fast Winding Numbers for Soups and Clouds
 *          (2018), whose tree of moments is over edges here instead of triangles. */
#pragma once

#include "bvh/kernel/kernel.h"
#include "bvh/kernel/simd/simd.h"
#include "lib/geom/closest/boundary_winding.h"
#include "lib/geom/exact/arithmetic/arctangent.h"

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

/* The turns of up to four edges whose numbers follow one another, or are listed in order. */
static void boundary_turns(const sl_boundary *boundary, const uint32_t *order, size_t first,
                           size_t count, const float point[3], double turns[4])
{
    const sli_boundary_edge *edges[4];
    for (size_t i = 0; i < 4; i++) {
        const size_t at = first + (i < count ? i : count - 1);
        edges[i] = &boundary->edges[order != NULL ? order[at] : at];
    }
    boundary_turns4(edges, point, turns);
}

/* ---- Clusters ---- */

/* Where four clusters are, as seen from the point, and what their derivatives are made of. */
typedef struct boundary_far {
    d4 x, y, z;
    d4 inverse; /* of the distance */
    d4 ratio;   /* x over the distance */
    d4 g;       /* 1 / (L (L - x)), which is (1 + x / L) / (y^2 + z^2) */
    d4 k;
    d4 error; /* infinite, or NaN, of what is too near to the ray */
} boundary_far;

static void boundary_far_of(const sli_boundary_block *b, const float point[3], boundary_far *far)
{
    const d4 zero = d4_splat(0), one = d4_splat(1);
    const d4 x = d4_sub(d4_doubles(b->centre[0]), d4_splat((double)point[0]));
    const d4 y = d4_sub(d4_doubles(b->centre[1]), d4_splat((double)point[1]));
    const d4 z = d4_sub(d4_doubles(b->centre[2]), d4_splat((double)point[2]));
    const d4 around = d4_add(d4_mul(y, y), d4_mul(z, z)), all = d4_add(d4_mul(x, x), around);
    const d4 length = d4_sqrt(all), radius = d4_doubles(b->radius);
    const d4 inverse = d4_div(one, length), ratio = d4_mul(x, inverse);
    const d4 part = d4_div(one, d4_less(zero, x, around, d4_sub(length, x)));
    const d4 g = d4_mul(part, d4_less(zero, x, d4_add(one, ratio), inverse));
    const d4 square = d4_mul(radius, radius), distance = d4_less(zero, x, around, all);
    const d4 q = d4_mul(square, d4_less(zero, x, part, d4_mul(inverse, inverse)));
    far->x = x;
    far->y = y;
    far->z = z;
    far->inverse = inverse;
    far->ratio = ratio;
    far->g = g;
    far->k = d4_mul(d4_sub(d4_splat(2), ratio), d4_mul(g, g));
    /* A sixth, and what rounding may take from it. */
    const d4 bracket = d4_add(d4_splat(4.5), d4_mul(d4_splat(22), q));
    const d4 cut =
        d4_mul(d4_splat((1 + 0x1p-20) / 6), d4_mul(d4_mul(far->k, d4_doubles(b->third)), bracket));
    far->error = d4_less(d4_mul(square, d4_splat(4 + 0x1p-20)), distance,
                         d4_add(cut, d4_doubles(b->rounding)), d4_splat(INFINITY));
}

/* a0 b0 - a1 b1 */
static d4 boundary_cross(d4 a0, const double b0[4], d4 a1, const double b1[4])
{
    return d4_sub(d4_mul(a0, d4_doubles(b0)), d4_mul(a1, d4_doubles(b1)));
}

/* The part of the second moments, whose derivatives of u are
 *     u_xij = d_ij / L^3 - 3 x_i x_j / L^5,
 *     u_yyy = -3 k y - m y^3, u_yyz = -k z - m y^2 z, and so on by symmetry,
 * with m = x / (L^3) g^2 - 2 (2 - x / L)^2 g^3. */
static d4 boundary_second(const sli_boundary_block *b, const boundary_far *f)
{
    const d4 i3 = d4_mul(f->inverse, d4_mul(f->inverse, f->inverse));
    const d4 y = d4_mul(f->y, f->inverse), z = d4_mul(f->z, f->inverse);
    const d4 three = d4_mul(d4_splat(3), i3), thrice = d4_mul(d4_splat(3), f->k);
    const d4 across = d4_mul(f->g, f->inverse), twice = d4_sub(d4_splat(2), f->ratio);
    const d4 m =
        d4_sub(d4_mul(f->ratio, d4_mul(across, across)),
               d4_mul(d4_splat(2), d4_mul(d4_mul(twice, twice), d4_mul(f->g, d4_mul(f->g, f->g)))));
    const d4 zero = d4_splat(0);
    const d4 xxy = d4_sub(zero, d4_mul(three, d4_mul(f->ratio, y)));
    const d4 xxz = d4_sub(zero, d4_mul(three, d4_mul(f->ratio, z)));
    const d4 xyy = d4_sub(i3, d4_mul(three, d4_mul(y, y)));
    const d4 xyz = d4_sub(zero, d4_mul(three, d4_mul(y, z)));
    const d4 xzz = d4_sub(i3, d4_mul(three, d4_mul(z, z)));
    const d4 my = d4_mul(m, d4_mul(f->y, f->y)), mz = d4_mul(m, d4_mul(f->z, f->z));
    const d4 yyy = d4_sub(zero, d4_mul(d4_add(thrice, my), f->y));
    const d4 yyz = d4_sub(zero, d4_mul(d4_add(f->k, my), f->z));
    const d4 yzz = d4_sub(zero, d4_mul(d4_add(f->k, mz), f->y));
    const d4 zzz = d4_sub(zero, d4_mul(d4_add(thrice, mz), f->z));
    const d4 x_parts = d4_add(boundary_cross(xxy, b->second[0][1], xxz, b->second[0][0]),
                              boundary_cross(xyy, b->second[1][1], xyz, b->second[1][0]));
    const d4 y_parts = d4_add(boundary_cross(xyz, b->second[2][1], xzz, b->second[2][0]),
                              boundary_cross(yyy, b->second[3][1], yyz, b->second[3][0]));
    const d4 z_parts = d4_add(boundary_cross(yyz, b->second[4][1], yzz, b->second[4][0]),
                              boundary_cross(yzz, b->second[5][1], zzz, b->second[5][0]));
    return d4_add(x_parts, d4_add(y_parts, z_parts));
}

/* The turns of four clusters by their moments: u_y = y g, u_xy = y / L^3, u_yy = g - k y^2, u_yz =
 * -k y z. */
static d4 boundary_moments(const sli_boundary_block *b, const boundary_far *f)
{
    const d4 i3 = d4_mul(f->inverse, d4_mul(f->inverse, f->inverse));
    const d4 ky = d4_mul(f->k, f->y), yz = d4_sub(d4_splat(0), d4_mul(ky, f->z));
    const d4 yy = d4_sub(f->g, d4_mul(ky, f->y));
    const d4 zz = d4_sub(f->g, d4_mul(d4_mul(f->k, f->z), f->z));
    const d4 none =
        boundary_cross(d4_mul(f->y, f->g), b->length[1], d4_mul(f->z, f->g), b->length[0]);
    const d4 by_x =
        boundary_cross(d4_mul(f->y, i3), b->first[0][1], d4_mul(f->z, i3), b->first[0][0]);
    const d4 by_y = boundary_cross(yy, b->first[1][1], yz, b->first[1][0]);
    const d4 by_z = boundary_cross(yz, b->first[2][1], zz, b->first[2][0]);
    const d4 first = d4_add(none, d4_add(by_x, d4_add(by_y, by_z)));
    return d4_mul(d4_splat(0.5), d4_add(first, boundary_second(b, f)));
}

/* ---- The walk ---- */

/* What was added, by lanes. */
typedef struct boundary_lanes {
    d4 turns, size, error;
} boundary_lanes;

static void boundary_add(boundary_lanes *lanes, d4 turns)
{
    lanes->turns = d4_add(lanes->turns, turns);
    lanes->size = d4_add(lanes->size, d4_abs(turns));
}

/* Adds the edges of a cluster; returns their number. */
static size_t boundary_add_edges(const sl_boundary *boundary, const float point[3],
                                 uint64_t cluster, boundary_lanes *lanes)
{
    const size_t all = boundary->info.edge_count;
    const size_t begin = sli_boundary_first(all, boundary->levels, cluster);
    const size_t end = sli_boundary_first(all, boundary->levels, cluster + 1);
    for (size_t at = begin; at < end; at += 4) {
        const size_t count = end - at < 4 ? end - at : 4;
        double turns[4], counts[4] = { 0 };
        boundary_turns(boundary, boundary->order, at, count, point, turns);
        for (size_t i = 0; i < count; i++) {
            counts[i] = boundary->edges[boundary->order[at + i]].count;
        }
        boundary_add(lanes, d4_mul(d4_doubles(counts), d4_doubles(turns)));
    }
    return end - begin;
}

/* Adds the clusters of a block whose error is below the tolerance; returns their bits. */
static uint32_t boundary_add_clusters(const sli_boundary_block *block, const float point[3],
                                      double tolerance, boundary_lanes *lanes)
{
    const d4 most = d4_splat(tolerance), zero = d4_splat(0);
    boundary_far far;
    boundary_far_of(block, point, &far);
    const uint32_t bits = d4_bits_gt(most, far.error);
    if (bits != 0) {
        boundary_add(lanes, d4_less(far.error, most, boundary_moments(block, &far), zero));
        lanes->error = d4_add(lanes->error, d4_less(far.error, most, far.error, zero));
    }
    return bits;
}

static double boundary_all(d4 lanes)
{
    double of[4];
    d4_store(of, lanes);
    return (of[0] + of[1]) + (of[2] + of[3]);
}

/* The sum of all turns, each cluster being left as it is where its error is below the tolerance.
 * Past the budget of work the error is infinite. */
static void boundary_sum(const sl_boundary *boundary, const float point[3], double tolerance,
                         size_t budget, sli_boundary_sum *sum)
{
    struct {
        uint32_t index;
        int level;
    } stack[3 * 16 + 1] = { { 0, 0 } };
    const d4 zero = d4_splat(0);
    boundary_lanes lanes = { zero, zero, zero };
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
                work += boundary_add_edges(boundary, point, cluster, &lanes);
            } else {
                stack[size].index = cluster;
                stack[size++].level = level + 1;
            }
        }
    }
    *sum = (sli_boundary_sum){ .turns = boundary_all(lanes.turns),
                               .size = boundary_all(lanes.size),
                               .work = work };
    /* Each of at most `work` additions rounds. */
    sum->error = work > budget ? INFINITY
                               : boundary_all(lanes.error) * (1 + 0x1p-20) +
                                     (double)work * 0x1p-52 * sum->size;
}
