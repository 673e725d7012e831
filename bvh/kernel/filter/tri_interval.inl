/* Where one ray crosses the four triangles of a leaf, in floats, as an interval of t': for single
 * rays (single/single.inl), after the edge functions of filter/tri_edges.inl.
 *
 * The weights of the crossing are the edge functions over their sum, so its distance along the
 * largest axis is the weighted mean of those of the vertices.  With A the sum of the edge functions
 * and E that of the bounds on their errors, the mean is off by at most E / |A| of the distance
 * between the vertices, and by INTERVAL_ERROR times the error of a coordinate.
 * docs/notes/filters.md, "Single rays", derives this. */
#ifndef SLI_KERNEL_FILTER_TRI_INTERVAL_INL
#define SLI_KERNEL_FILTER_TRI_INTERVAL_INL

#include "bvh/kernel/filter/ray8.inl"
#include "bvh/kernel/filter/tri_edges.inl"
#include "bvh/kernel/simd/simd.h"
#include "lib/base/inline.h"

#include <math.h>

/* In units of edge_error of ray_words, which grows with D, the extent of the tree from the base. */
#define INTERVAL_ERROR 2.0f
/* The interval is used only where E / |A| is less, and D no smaller: below that products with
 * coordinates may be denormal. */
#define INTERVAL_SHARE_MAX 0.25f
#define INTERVAL_REACH_MIN 0x1p-28f

typedef struct tri_interval {
    f4 from, to;     /* t' of the crossing; from is -infinity where the interval is not used */
    uint32_t steady; /* lanes where the interval is used */
    uint32_t out;    /* lanes surely outside tmin .. bound */
    uint32_t sure;   /* lanes surely hit within the limits */
} tri_interval;

static SLI_FORCE_INLINE tri_interval tri_interval_of(const ray_words *ray, float by_z,
                                                     const tri_edges *e)
{
    f4 edge[3], bound[3], z[3];
    f12_split(e->edge, edge);
    f12_split(e->bound, bound);
    f12_split(e->z, z);
    const f4 edge_sum = f4_add(f4_add(edge[0], edge[1]), edge[2]);
    const f4 mean = f4_muladd(edge[1], z[0], f4_muladd(edge[2], z[1], f4_mul(edge[0], z[2])));
    const f4 length = f4_sub(f4_max(f4_max(z[0], z[1]), z[2]), f4_min(f4_min(z[0], z[1]), z[2]));
    const f4 share = f4_div(f4_add(f4_add(bound[0], bound[1]), bound[2]), f4_abs(edge_sum));
    const f4 rounding = f4_splat(INTERVAL_ERROR * ray->edge_error);
    const f4 off =
        f4_mul(f4_muladd(share, f4_add(length, rounding), rounding), f4_splat(fabsf(by_z)));
    const f4 middle = f4_mul(f4_div(mean, edge_sum), f4_splat(by_z));
    const float share_max =
        ray->edge_error >= TRI_EDGE_ERROR * INTERVAL_REACH_MIN ? INTERVAL_SHARE_MAX : -1;
    const f4 tmin = f4_splat(ray->tmin), tmax = f4_splat(ray->bound);
    tri_interval range = { .from = f4_sub(middle, off), .to = f4_add(middle, off) };
    const uint32_t steady = f4_bits_gt(f4_splat(share_max), share);
    range.steady = steady;
    range.from = f4_less(share, f4_splat(share_max), range.from, f4_splat(-INFINITY));
    range.out = steady & ~(f4_bits_le(tmin, range.to) & f4_bits_le(range.from, tmax));
    range.sure = steady & f4_bits_gt(range.from, tmin) & f4_bits_gt(tmax, range.to) &
                 f12_all_gt(f12_abs(e->edge), e->bound);
    return range;
}

#endif
