/* Rays along an axis, which in buildings meet edges and vertices all the time, where other filters
 * cannot decide.  For stream batches: tri_axis_aligned_filter in floats at the leaves
 * (stream/leaves.inl), tri8_axis_aligned in doubles for eight pairs (filter/tri8.inl).
 *
 * Seen along the ray, from its origin, the corners are points a, b, c of the plane across it, and
 * their weights the areas b x c, c x a and a x b, over the sum of the three.  Where no coordinate
 * of a, b, c is rounded, Kahan's product difference is within two units in the last place of each
 * area (Jeannerod, Louvet and Muller, "Further Analysis of Kahan's Algorithm", 2013), so that its
 * sign is exact, 0 too.  That takes fused operations; without them, coordinates have to fit into
 * floats: then no product is rounded. */
#pragma once

#include "bvh/kernel/filter/dd8.inl"
#include "bvh/kernel/filter/tri_edges.inl"

/* AXIS_ALIGNED_MIN in units of AXIS_ALIGNED_GRID times g, rounded up, and twice that, since g is
 * more than half of its unit. */
#define AXIS_ALIGNED_LEAST 0x1.6p-31f

/* Lanes with a coordinate that is smaller than least, and not 0. */
static SLI_FORCE_INLINE uint32_t axis_aligned_any_small(f12 a, f12 least)
{
    const f12 size = f12_abs(a);
    return f12_any_gt(least, size) & f12_any_gt(size, f12_splat(0));
}

/* Lanes with a corner that is not surely before tmin, and a corner that is not surely beyond the
 * bound: by slabs, as for boxes. */
static SLI_FORCE_INLINE uint32_t axis_aligned_in_slabs(const filter_ray *ray, f12 at, uint32_t axis)
{
    const f12 inverse = f12_splat(ray->w.inverse[axis]), tiny = f12_splat(RAY_T_TINY);
    const f12 slack = f12_splat(SLAB_SLACK), bound = f12_splat(ray->w.bound);
    const f12 near = f12_mul(f12_sub(at, f12_splat(ray->w.near_base[axis])), inverse);
    const f12 far = f12_mul(f12_sub(at, f12_splat(ray->w.far_base[axis])), inverse);
    return f12_any_gt(f12_muladd(bound, slack, tiny), near) &
           f12_any_gt(f12_muladd(far, slack, tiny), f12_splat(ray->w.tmin));
}

/* Lanes that may hold a hit between the limits that replaces best (NULL: any hit).
 *
 * Along a unit vector a corner is at t = +-(corner - origin), rounded as t is, and no crossing is
 * before the first corner.  So of a wall across the ray, whose triangles around a vertex are all
 * met at one t, only the one with the lowest prim is kept. */
static SLI_FORCE_INLINE uint32_t axis_aligned_in_limits(const filter_ray *ray, const char *base,
                                                        const sl_hit *best)
{
    const sli_tri_pack *pack = (const sli_tri_pack *)(const void *)base;
    const uint32_t axis = ray->o.pack[2] / PACK_AXIS;
    const f12 at = f12_load((const float *)(const void *)(base + ray->o.pack[2]));
    const float inverse = ray->w.inverse[axis];
    if (best == NULL || ray->w.scale != 1 || fabsf(inverse) != 1 || ray->base_t != 0) {
        return axis_aligned_in_slabs(ray, at, axis);
    }
    const f12 t = f12_mul(f12_sub(at, f12_splat(ray->w.origin[2])), f12_splat(inverse));
    const f12 closest = f12_splat(best->t);
    const uint32_t first = f4_bits_below(pack->prim, best->prim);
    return (f12_any_gt(closest, t) | (first & ~f12_all_gt(t, closest))) &
           ~f12_all_gt(f12_splat(ray->w.tmin), t);
}

static SLI_FORCE_INLINE bool axis_aligned_is_on_grid(f12 a, f12 grid)
{
    return f12_all_eq(f12_sub(f12_add(a, grid), grid), a);
}

/* Lanes that the line of the ray meets, x and y being seen from the ray.  Kahan's differences. */
static SLI_FORCE_INLINE uint32_t axis_aligned_met_float(f12 x, f12 y)
{
    const f12 next_x = f12_turn(x), next_y = f12_turn(y), zero = f12_splat(0);
    const f12 product = f12_mul(y, next_x);
    const f12 area = f12_sub(f12_nmuladd(y, next_x, product), f12_nmuladd(x, next_y, product));
    return f12_any_gt(area, zero) ^ f12_any_gt(zero, area);
}

static SLI_FORCE_INLINE uint32_t axis_aligned_met_double(d12 x, d12 y)
{
    const d12 next_x = d12_turn(x), next_y = d12_turn(y), zero = d12_splat(0);
    const d12 product = d12_mul(y, next_x);
    const d12 area = d12_sub(d12_nmuladd(y, next_x, product), d12_nmuladd(x, next_y, product));
    return d12_any_gt(area, zero) ^ d12_any_gt(zero, area);
}

/* As tri_filter, of a ray along an axis: exact, but for where along the ray the crossing is.
 *
 * Adding and subtracting AXIS_ALIGNED_GRID times a power of two g rounds numbers of less than 2^22
 * g to multiples of g.  With g = TRI_EDGE_ERROR (G + O), all but for its fraction, G + O is below
 * 2^21 g, so that differences of multiples are floats, and nothing that their products are rounded
 * by is lost: g is at least 2^-61.  Off the grid, doubles: numbers of at least 2^-28 (G + O), and
 * 0, are multiples of 2^-52 (G + O), and so are their differences, which doubles hold. */
static SLI_FORCE_INLINE uint32_t tri_axis_aligned_filter(const filter_ray *ray, const char *base,
                                                         const sl_hit *best, uint32_t *used)
{
    const sli_tri_pack *pack = (const sli_tri_pack *)(const void *)base;
    const f12 right = f12_load((const float *)(const void *)(base + ray->o.pack[0]));
    const f12 up = f12_load((const float *)(const void *)(base + ray->o.pack[1]));
    const f12 grid = f12_splat(ray->grid), least = f12_splat(fabsf(ray->grid) * AXIS_ALIGNED_LEAST);
    const float *from = ray->w.origin;
    uint32_t met;
    if (ray->grid > 0 && axis_aligned_is_on_grid(right, grid) &&
        axis_aligned_is_on_grid(up, grid)) {
        met = axis_aligned_met_float(f12_sub(right, f12_splat(from[0])),
                                     f12_sub(up, f12_splat(from[1])));
    } else if ((axis_aligned_any_small(right, least) | axis_aligned_any_small(up, least)) == 0) {
        met = axis_aligned_met_double(d12_sub(d12_from_f12(right), d12_splat(from[0])),
                                      d12_sub(d12_from_f12(up), d12_splat(from[1])));
    } else {
        return tri_filter(ray, base, used);
    }
    *used = f4_bits_ne(pack->prim, SL_NONE);
    return *used & met & axis_aligned_in_limits(ray, base, best);
}

/* Corners of eight triangles, seen along their rays. */
typedef struct axis_aligned_corner {
    d8 x, y;
} axis_aligned_corner;

/* a - b; clears the lanes of exact where the difference was rounded, or does not fit into a float
 * and has to. */
static d8 axis_aligned_difference(d8 a, d8 b, uint32_t *exact)
{
    const d8 difference = d8_sub(a, b);
    *exact &= d8_bits_eq(d8_add(difference, b), a) & d8_bits_eq(d8_sub(a, difference), b);
    if (!SIMD_FUSED) {
        *exact &= d8_bits_eq(d8_from_f8(d8_to_f8(difference)), difference);
    }
    return difference;
}

static d8 axis_aligned_cross(axis_aligned_corner a, axis_aligned_corner b)
{
    const d8 right = d8_mul(a.y, b.x);
    const d8 rounded_off = d8_nmuladd(a.y, b.x, right);
    return d8_sub(rounded_off, d8_nmuladd(a.x, b.y, right));
}

/* Lanes where t is surely within the limits of their rays or segments, and surely not. */
typedef struct tri8_limits {
    uint32_t within, missed;
} tri8_limits;

/* Of t that is exact.  Nothing holds of a limit that is NaN, and such rays stay undecided. */
static tri8_limits tri8_limits_at(const tri8_query *query, d8 t)
{
    const d8 zero = d8_splat(0), one = d8_splat(1);
    const uint32_t at_min = d8_bits_eq(t, query->tmin), at_max = d8_bits_eq(t, query->tmax);
    tri8_limits of = { (d8_bits_gt(t, query->tmin) | at_min) &
                           (d8_bits_gt(query->tmax, t) | at_max),
                       d8_bits_gt(query->tmin, t) | d8_bits_gt(t, query->tmax) };
    if (query->segments) {
        of.missed |= (query->flags & SL_OPEN_START) != 0 ? d8_bits_eq(t, zero) : 0;
        of.missed |= (query->flags & SL_OPEN_END) != 0 ? d8_bits_eq(t, one) : 0;
    }
    return of;
}

/* Lanes whose rays run along axis 0, 1, 2. */
typedef struct axis_aligned_lanes {
    uint32_t lanes[3];
} axis_aligned_lanes;

/* a[(axis + from) % 3], where axis is that of the lane's ray. */
static d8 axis_aligned_pick(const axis_aligned_lanes *by, const d8 a[3], int from)
{
    const d8 *first = &a[from % 3], *second = &a[(1 + from) % 3], *third = &a[(2 + from) % 3];
    return d8_where(by->lanes[0], *first, d8_where(by->lanes[1], *second, *third));
}

/* t where it is exact.  A triangle in a plane across the ray is met at that plane, and a vertex at
 * the vertex; if the way there is a double, and exactly some double times the ray's direction, that
 * is t. */
static void axis_aligned_find_t(const tri8_query *query, const axis_aligned_lanes *by,
                                const uint32_t none[3], uint32_t lanes, tri8_determinants *m)
{
    const d8 from = axis_aligned_pick(by, query->origin, 0);
    d8 along = axis_aligned_pick(by, query->dir, 0), z[3];
    for (int i = 0; i < 3; i++) {
        z[i] = axis_aligned_pick(by, query->corner[i], 0);
    }
    const uint32_t at[3] = { none[1] & none[2], none[2] & none[0], none[0] & none[1] };
    lanes &= at[0] | at[1] | at[2] | (d8_bits_eq(z[0], z[1]) & d8_bits_eq(z[0], z[2]));
    const d8 to = d8_where(at[1], z[1], d8_where(at[2], z[2], z[0]));
    if (query->segments) {
        along = axis_aligned_difference(axis_aligned_pick(by, query->end, 0), from, &lanes);
    }
    const d8 way = axis_aligned_difference(to, from, &lanes), t = d8_div(way, along);
    const dd8 back = dd8_of_product(t, along);
    lanes &= d8_bits_eq(back.high, way) & d8_bits_eq(back.low, d8_splat(0));
    m->at = d8_where(lanes, t, m->at);
    m->known |= lanes;
}

/* Decides those of the lanes whose coordinates are exact. */
static void axis_aligned_decide(const tri8_query *query, const axis_aligned_lanes *by,
                                uint32_t lanes, tri8_determinants *m, tri8_answer *e)
{
    const d8 zero = d8_splat(0), x = axis_aligned_pick(by, query->origin, 1),
             y = axis_aligned_pick(by, query->origin, 2);
    axis_aligned_corner corner[3];
    for (int i = 0; i < 3; i++) {
        corner[i].x =
            axis_aligned_difference(axis_aligned_pick(by, query->corner[i], 1), x, &lanes);
        corner[i].y =
            axis_aligned_difference(axis_aligned_pick(by, query->corner[i], 2), y, &lanes);
    }
    d8 area[3];
    uint32_t above[3], below[3], none[3];
    for (int i = 0; i < 3; i++) {
        area[i] = axis_aligned_cross(corner[(i + 1) % 3], corner[(i + 2) % 3]);
        above[i] = d8_bits_gt(area[i], zero);
        below[i] = d8_bits_gt(zero, area[i]);
        none[i] = ~(above[i] | below[i]);
    }
    /* Neither above nor below: the triangle has no area; both: the ray passes outside. */
    const uint32_t hit =
        lanes & ((above[0] | above[1] | above[2]) ^ (below[0] | below[1] | below[2]));
    const d8 scale = d8_sub(zero, axis_aligned_pick(by, query->dir, 0)),
             error = d8_splat(8 * TRI_EPS);
    const d8 sum = d8_add(area[0], d8_add(area[1], area[2])); /* of one sign, where hit */
    m->u = d8_where(lanes, d8_mul(area[1], scale), m->u);
    m->v = d8_where(lanes, d8_mul(area[2], scale), m->v);
    m->det = d8_where(lanes, d8_mul(sum, scale), m->det);
    m->u_error = d8_where(lanes, d8_mul(d8_abs(m->u), error), m->u_error);
    m->v_error = d8_where(lanes, d8_mul(d8_abs(m->v), error), m->v_error);
    m->det_error = d8_where(lanes, d8_mul(d8_abs(m->det), error), m->det_error);
    axis_aligned_find_t(query, by, none, hit, m);
    e->unsure &= ~lanes;
    e->hit = (e->hit & ~lanes) | hit;
    e->back = (e->back & ~lanes) | (lanes & d8_bits_gt(zero, m->det));
    e->edge |= hit & (none[0] | none[1] | none[2]);
    e->vertex |= hit & ((none[0] & none[1]) | (none[1] & none[2]) | (none[2] & none[0]));
}

/* Decides, of the undecided pairs of eight, those whose rays run along an axis. */
static void tri8_axis_aligned(const tri8_query *query, tri8_determinants *m, tri8_answer *e)
{
    uint32_t zero[3];
    axis_aligned_lanes by;
    for (int axis = 0; axis < 3; axis++) {
        zero[axis] = d8_bits_eq(query->dir[axis], d8_splat(0));
    }
    for (int axis = 0; axis < 3; axis++) {
        by.lanes[axis] = zero[(axis + 1) % 3] & zero[(axis + 2) % 3];
    }
    const uint32_t lanes = e->unsure & (by.lanes[0] | by.lanes[1] | by.lanes[2]);
    if (lanes != 0) {
        axis_aligned_decide(query, &by, lanes, m, e);
    }
}
