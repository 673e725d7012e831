/* Where one ray crosses the four triangles of a leaf, in floats, as an interval of t': for single
 * rays (single/single.inl), after the edge functions of filter/tri4_edges.inl.
 *
 * The weights of the crossing are the edge functions over their sum, so its distance along the
 * largest axis is the weighted mean of those of the vertices.  With A the sum of the edge functions
 * and E that of the bounds on their errors, the mean is off by at most E / |A| of the distance
 * between the vertices, and by INTERVAL_ERROR times the error of a coordinate.
 * docs/notes/filters.md, "Single rays", derives this. */
#pragma once

#include "bvh/kernel/filter/tri4_edges.inl"

/* In units of edge_error of ray_words, which grows with D, the extent of the tree from the base. */
#define INTERVAL_ERROR 2.0f
/* The interval is used only where E / |A| is less, and D no smaller: below that products with
 * coordinates may be denormal. */
#define INTERVAL_SHARE_MAX 0.25f
#define INTERVAL_REACH_MIN 0x1p-28f

typedef struct tri_interval {
    f4 from, to;     /* t' of the crossing, times |A| */
    f4 by_times;     /* 1 / |A|, which is ready when the ends are */
    uint32_t steady; /* lanes where the interval is used */
    uint32_t backs;  /* of those, the lanes that the ray meets from behind */
    uint32_t out;    /* lanes surely outside the limits */
    uint32_t sure;   /* lanes surely hit within the limits */
} tri_interval;

/* What of the ray the interval needs. */
typedef struct tri_interval_ray {
    float by_z;      /* 1 / the largest component of the scaled direction */
    float rounding;  /* INTERVAL_ERROR of edge_error, as t' */
    float share_max; /* INTERVAL_SHARE_MAX, or negative where intervals are not used */
} tri_interval_ray;

static SLI_FORCE_INLINE tri_interval_ray tri_interval_ray_of(float edge_error, float by_z)
{
    return (tri_interval_ray){
        .by_z = by_z,
        .rounding = INTERVAL_ERROR * edge_error * fabsf(by_z),
        .share_max = edge_error >= TRI_EDGE_ERROR * INTERVAL_REACH_MIN ? INTERVAL_SHARE_MAX : -1,
    };
}

/* tmin: no less than 0.  All is compared times |A|, so that nothing waits for the
 * division. */
static SLI_FORCE_INLINE tri_interval tri_interval_of(const tri_interval_ray *ray, float tmin,
                                                     float bound, const tri4_edges *e)
{
    const f4 by_z = f4_splat(ray->by_z), rounding = f4_splat(ray->rounding);
    const f4 t[3] = { f4_mul(e->z[0], by_z), f4_mul(e->z[1], by_z), f4_mul(e->z[2], by_z) };
    const f4 length = f4_sub(f4_max(f4_max(t[0], t[1]), t[2]), f4_min(f4_min(t[0], t[1]), t[2]));
    const f4 edge_sum = f4_add(f4_add(e->edge[0], e->edge[1]), e->edge[2]);
    const f4 bound_sum = f4_add(f4_add(e->bound[0], e->bound[1]), e->bound[2]);
    const f4 mean =
        f4_muladd(e->edge[1], t[0], f4_muladd(e->edge[2], t[1], f4_mul(e->edge[0], t[2])));
    const f4 times = f4_abs(edge_sum), middle = f4_flip(mean, edge_sum);
    const f4 off = f4_muladd(bound_sum, f4_add(length, rounding), f4_mul(rounding, times));
    const f4 least = f4_mul(f4_splat(tmin), times), most = f4_mul(f4_splat(bound), times);
    tri_interval range = { .from = f4_sub(middle, off),
                           .to = f4_add(middle, off),
                           .by_times = f4_div(f4_splat(1), times) };
    range.backs = f4_bits_gt(f4_splat(0), f4_mul(edge_sum, by_z));
    range.steady = f4_bits_gt(f4_mul(times, f4_splat(ray->share_max)), bound_sum);
    range.out = range.steady & ~(f4_bits_le(least, range.to) & f4_bits_le(range.from, most));
    range.sure = range.steady & f4_bits_gt(range.from, least) & f4_bits_gt(most, range.to);
    for (int i = 0; i < 3; i++) {
        range.sure &= f4_bits_gt(f4_abs(e->edge[i]), e->bound[i]);
    }
    return range;
}
