/* Takes rays to instances, eight at a time, and prepares them there for the float filters: what
 * to_local.inl does for one ray and the plain kernel, for scene batches (batch.inl).
 *
 * Two things differ.  The base is not the point of the ray that is nearest to the instance, but one
 * before the ball around it, and so before all hits: filters of batches allow for no hit behind
 * the base.  And errors are bounded for all that lies in line with a triangle, not only within the
 * box, so that floats may be sure of hits.  docs/notes/filters.md, "Scenes", derives both.  The top
 * tree is an instance like the others, whose transform only moves. */
#pragma once

#include "bvh/kernel/filter/ray8.inl"
#include "bvh/kernel/filter/tri8_determinants.inl"
#include "bvh/kernel/instance/to_local.inl"

/* The numbers of an instance, in the order of sli_transformed. */
enum {
    TO_LOCAL8_INVERSE = 0,
    TO_LOCAL8_MIDDLE = 9,
    TO_LOCAL8_CENTRE = 12,
    TO_LOCAL8_SPAN = 15,
    TO_LOCAL8_NORM,
    TO_LOCAL8_SHARE,
    TO_LOCAL8_FIXED,
    TO_LOCAL8_BALL,
    TO_LOCAL8_RADIUS,
    TO_LOCAL8_NUMBERS
};

#define TO_LOCAL8_IS(field, number)                                                                \
    (offsetof(sli_transformed, field) ==                                                           \
     offsetof(sli_transformed, inverse) + (number) * sizeof(double))
_Static_assert(TO_LOCAL8_IS(middle, TO_LOCAL8_MIDDLE) && TO_LOCAL8_IS(centre, TO_LOCAL8_CENTRE) &&
                   TO_LOCAL8_IS(span, TO_LOCAL8_SPAN) && TO_LOCAL8_IS(norm, TO_LOCAL8_NORM) &&
                   TO_LOCAL8_IS(share, TO_LOCAL8_SHARE) && TO_LOCAL8_IS(fixed, TO_LOCAL8_FIXED) &&
                   TO_LOCAL8_IS(ball, TO_LOCAL8_BALL) && TO_LOCAL8_IS(radius, TO_LOCAL8_RADIUS),
               "an instance is an array of numbers");

/* Larger coordinates, and longer or shorter directions, are left to the walk. */
#define TO_LOCAL8_SIZE_MAX 0x1p60
#define TO_LOCAL8_DIR_MIN  0x1p-40
/* Within how many times the tree's reach from its middle rays keep their origins.  From farther
 * away, what floats err by grows more with the distance than it does with another base. */
#define TO_LOCAL8_NEAR 4

/* Eight rays and the instances to take them to. */
typedef struct to_local8 {
    d8 origin[3], dir[3], tmin, most; /* most: no hit beyond it matters */
    d8 number[TO_LOCAL8_NUMBERS];     /* of each ray's instance */
    bool straight;                    /* its inverse is the identity, and not among the numbers */
    bool unmoved;                     /* nor does it move, or round its corners */
} to_local8;

/* What the rays there have besides their words. */
typedef struct local8 {
    double base_t[8]; /* t of the base */
    uint32_t ready;   /* lanes within the range of the filters; bit i */
} local8;

static SLI_FORCE_INLINE void to_local8_read(to_local8 *rays,
                                            const sli_transformed *const transformed[8])
{
    const double *from[8];
    for (int i = 0; i < TO_LOCAL8_NUMBERS; i += 4) {
        const int first = i + 4 <= TO_LOCAL8_NUMBERS ? i : TO_LOCAL8_NUMBERS - 4;
        for (int lane = 0; lane < 8; lane++) {
            from[lane] = (const double *)(const void *)((const char *)transformed[lane] +
                                                        offsetof(sli_transformed, inverse)) +
                         first;
        }
        d8_fours(from, rays->number + first);
    }
    rays->straight = rays->unmoved = false;
}

/* All eight to the same place. */
static SLI_FORCE_INLINE void to_local8_read_one(to_local8 *rays, const sli_transformed *transformed,
                                                bool straight, bool unmoved)
{
    const double *number = (const double *)(const void *)((const char *)transformed +
                                                          offsetof(sli_transformed, inverse));
    rays->straight = straight;
    rays->unmoved = unmoved;
    for (int i = straight ? TO_LOCAL8_MIDDLE : 0; i < TO_LOCAL8_NUMBERS; i++) {
        rays->number[i] = d8_splat(number[i]);
    }
}

static d8 to_local8_largest(const d8 a[3])
{
    return d8_max(d8_max(d8_abs(a[0]), d8_abs(a[1])), d8_abs(a[2]));
}

/* The lines that are walked, in doubles. */
typedef struct to_local8_lines {
    d8 base[3], dir[3]; /* in the instance's space */
    d8 base_t, tmin;    /* t of the base, and the lower limit from there, which is 0 or more */
    d8 error;           /* as of local_ray */
    d8 from_mid;        /* the largest difference between the base and the middle along an axis */
    d8 sizes;           /* the largest coordinates on the way */
} to_local8_lines;

static d8 to_local8_number(const to_local8 *rays, int i)
{
    return rays->number[i];
}

/* The base's t: t d.d is (c - o).d less the ball's radius times |d|, for which |x| + |y| + |z| is
 * more.  All products of c - o are off by 2^-50 of what is allowed as 2^-46. */
static d8 to_local8_base_t(const to_local8 *rays, const d8 to_centre[3])
{
    const d8 *d = rays->dir;
    const d8 ball = d8_mul(to_local8_number(rays, TO_LOCAL8_BALL), d8_splat(1 + 0x1p-20));
    const d8 reach = d8_muladd(tri8_norm1(to_centre), d8_splat(0x1p-46), ball);
    const d8 before = d8_nmuladd(reach, tri8_norm1(d), tri8_dot(to_centre, d));
    return d8_max(d8_div(before, tri8_dot(d, d)), rays->tmin);
}

static SLI_FORCE_INLINE d8 to_local8_turn(const to_local8 *rays, int axis, const d8 v[3])
{
    const d8 *column = rays->number + TO_LOCAL8_INVERSE + axis;
    return tri8_dot((const d8[3]){ column[0], column[3], column[6] }, v);
}

/* Rays that begin near a tree where the world has it, no farther from its middle than NEAR times as
 * far as it reaches, are walked from their origins: these are known exactly, and only their
 * rounding to floats is an error.  So are all eight, or, false, none. */
static bool to_local8_from_origins(const to_local8 *rays, to_local8_lines *out)
{
    const d8 zero = d8_splat(0);
    const d8 near = d8_mul(to_local8_number(rays, TO_LOCAL8_RADIUS), d8_splat(TO_LOCAL8_NEAR));
    for (int axis = 0; axis < 3; axis++) {
        out->base[axis] = rays->origin[axis];
        out->dir[axis] = rays->dir[axis];
    }
    out->from_mid = to_local8_largest(
        (const d8[3]){ d8_sub(rays->origin[0], to_local8_number(rays, TO_LOCAL8_MIDDLE)),
                       d8_sub(rays->origin[1], to_local8_number(rays, TO_LOCAL8_MIDDLE + 1)),
                       d8_sub(rays->origin[2], to_local8_number(rays, TO_LOCAL8_MIDDLE + 2)) });
    out->base_t = out->error = zero;
    out->tmin = rays->tmin;
    out->sizes = out->from_mid;
    return (d8_bits_gt(out->from_mid, near) | d8_bits_gt(zero, rays->tmin)) == 0;
}

static void to_local8_lines_of(const to_local8 *rays, to_local8_lines *out)
{
    if (rays->unmoved && to_local8_from_origins(rays, out)) {
        return;
    }
    d8 to_centre[3], w[3], from_mid[3], sizes[3];
    for (int axis = 0; axis < 3; axis++) {
        to_centre[axis] =
            d8_sub(to_local8_number(rays, TO_LOCAL8_CENTRE + axis), rays->origin[axis]);
    }
    out->base_t = to_local8_base_t(rays, to_centre);
    out->tmin = d8_splat(0);
    for (int axis = 0; axis < 3; axis++) {
        const d8 step = d8_mul(out->base_t, rays->dir[axis]);
        w[axis] = d8_sub(step, to_centre[axis]);
        sizes[axis] = d8_add(d8_add(d8_abs(rays->origin[axis]), d8_abs(step)),
                             d8_abs(to_local8_number(rays, TO_LOCAL8_CENTRE + axis)));
    }
    for (int axis = 0; axis < 3; axis++) {
        from_mid[axis] = rays->straight ? w[axis] : to_local8_turn(rays, axis, w);
        out->dir[axis] = rays->straight ? rays->dir[axis] : to_local8_turn(rays, axis, rays->dir);
        out->base[axis] = d8_add(from_mid[axis], to_local8_number(rays, TO_LOCAL8_MIDDLE + axis));
    }
    out->from_mid = to_local8_largest(from_mid);
    out->sizes = to_local8_largest(sizes);
    const d8 span = to_local8_number(rays, TO_LOCAL8_SPAN);
    const d8 off = d8_mul(
        d8_mul(to_local8_number(rays, TO_LOCAL8_NORM), d8_splat(3 * TO_LOCAL_EPS)), out->sizes);
    const d8 within = d8_add(to_local8_largest(w), d8_add(span, span));
    const d8 h = d8_add(d8_muladd(to_local8_number(rays, TO_LOCAL8_SHARE), within, off),
                        to_local8_number(rays, TO_LOCAL8_FIXED));
    out->error = d8_mul(h, d8_splat(1 + 0x1p-40));
}

/* Rounds the bases to floats: rest is what that takes away, exactly but for one rounding.  Returns
 * how far the floats are off the lines, at most, along any axis. */
static f8 to_local8_round(const to_local8_lines *lines, f8 at[3], f8 rest[3])
{
    for (int axis = 0; axis < 3; axis++) {
        at[axis] = d8_to_f8(lines->base[axis]);
        rest[axis] = d8_to_f8(d8_sub(lines->base[axis], d8_from_f8(at[axis])));
    }
    const f8 off = f8_add(ray8_largest3(rest), d8_to_f8(lines->error));
    return f8_muladd(off, f8_splat(1 + 0x1p-18f), f8_splat(0x1p-100f));
}

/* t of a ray as t'' from its base, upwards. */
static d8 to_local8_bound(const to_local8 *rays, const to_local8_lines *lines, f8 power)
{
    const d8 sizes = d8_add(d8_abs(rays->most), d8_abs(lines->base_t));
    const d8 rest = d8_muladd(sizes, d8_splat(0x1p-50), d8_sub(rays->most, lines->base_t));
    return d8_mul(rest, d8_from_f8(power));
}

/* A bound in t'' on boxes, whose entries are off by 4u. */
static float to_local8_bound_of(double rest)
{
    const float bound = (float)rest;
    return bound + (fabsf(bound) * 0x1p-20f + 0x1p-100f);
}

/* The same as to_local8_bound and to_local8_bound_of, for one ray. */
static float to_local8_bound_from(double most, double base_t, double scale)
{
    return to_local8_bound_of(((most - base_t) + (fabs(most) + fabs(base_t)) * 0x1p-50) * scale);
}

/* Slabs of lines from bases next to at (to_local8_round), with directions as given, and scaled: the
 * smallest lose their sign by that.  Where a line's point may lie above at along an axis, the base
 * on that side is above at by what it may be and more than half a step of floats, which rounds to
 * no less than the point; the other side likewise. */
static void to_local8_slabs(const f8 at[3], const f8 rest[3], f8 error, const f8 given[3],
                            const f8 dir[3], f8 inverse[3], f8 row[RAY_ROWS])
{
    const f8 zero = f8_splat(0);
    for (int axis = 0; axis < 3; axis++) {
        const f8 positive = f8_div(f8_splat(1), f8_max(f8_abs(dir[axis]), f8_splat(WALK_TINY)));
        const f8 up = f8_add(error, rest[axis]), down = f8_sub(error, rest[axis]);
        const f8 step = f8_muladd(f8_abs(at[axis]), f8_splat(NEXT_FLOAT), f8_splat(RAY_T_TINY));
        const f8 above = f8_add(at[axis], f8_less(zero, up, f8_add(up, step), zero));
        const f8 below = f8_sub(at[axis], f8_less(zero, down, f8_add(down, step), zero));
        inverse[axis] = f8_less(given[axis], zero, f8_sub(zero, positive), positive);
        row[RAY_INVERSE + axis] = inverse[axis];
        row[RAY_NEAR_BASE + axis] = f8_less(given[axis], zero, below, above);
        row[RAY_FAR_BASE + axis] = f8_less(given[axis], zero, above, below);
    }
}

/* The lower limit in t'', downwards; one beyond all hits is not made larger. */
static f8 to_local8_tmin(const to_local8_lines *lines, f8 power)
{
    const f8 tmin = d8_to_f8(d8_mul(lines->tmin, d8_from_f8(power)));
    return f8_mul(f8_min(tmin, f8_splat(0x1p100f)), f8_splat(1 - 4 * WALK_U));
}

/* Transforms eight rays; to: where the words of each go, as ray8_group has them. */
static SLI_NOINLINE void to_local8_run(const to_local8 *rays, float *const to[8], local8 *out)
{
    to_local8_lines lines;
    f8 given[3], at[3], rest[3], dir[3], inverse[3], row[RAY_ROWS], which = f8_splat(0);
    to_local8_lines_of(rays, &lines);
    for (int axis = 0; axis < 3; axis++) {
        given[axis] = d8_to_f8(lines.dir[axis]);
    }
    const f8 longest = ray8_largest3(given), power = f8_exponent(longest);
    const f8 shrink = f8_div(f8_splat(1), power);
    for (int axis = 0; axis < 3; axis++) {
        const f8 zero = f8_splat(0), bit = f8_splat((float)(1 << axis));
        dir[axis] = f8_mul(given[axis], shrink);
        which = f8_add(which, f8_less(given[axis], zero, bit, zero));
    }
    const f8 error = to_local8_round(&lines, at, rest);
    const f8 extent = d8_to_f8(d8_add(lines.from_mid, to_local8_number(rays, TO_LOCAL8_RADIUS)));
    const f8 reach = f8_muladd(extent, f8_splat(1 + 8 * WALK_U), error);
    row[RAY_EDGE_ERROR] =
        f8_muladd(reach, f8_splat(TRI_EDGE_ERROR), f8_mul(error, f8_splat(BASE_ERRORS)));
    to_local8_slabs(at, rest, f8_mul(d8_to_f8(lines.error), f8_splat(1 + 0x1p-18f)), given, dir,
                    inverse, row);
    ray8_widen_still(given, shrink, reach, row + RAY_FAR_BASE);
    const f8 end = d8_to_f8(to_local8_bound(rays, &lines, power));
    row[RAY_BOUND] = f8_add(end, f8_muladd(f8_abs(end), f8_splat(4 * WALK_U), f8_splat(0x1p-100f)));
    row[RAY_TMIN] = to_local8_tmin(&lines, power);
    row[RAY_SCALE] = power;
    const ray8_axis by = { .size = { f8_abs(given[0]), f8_abs(given[1]), f8_abs(given[2]) },
                           .longest = longest };
    ray8_shear(at, &by, dir, inverse, row);
    row[RAY_WHICH_OFFSETS] =
        f8_add(which, ray8_pick_axis(&by, f8_splat(0), f8_splat(8), f8_splat(16)));
    for (int i = RAY_INDEX; i < RAY_ROWS; i++) {
        row[i] = f8_splat(0);
    }
    out->ready = f8_bits_le(f8_splat((float)TO_LOCAL8_DIR_MIN), longest) &
                 f8_bits_le(longest, f8_splat((float)TO_LOCAL8_SIZE_MAX)) &
                 f8_bits_le(f8_splat(2 * WALK_LEAST), reach) &
                 f8_bits_le(reach, f8_splat(WALK_MOST / 2)) &
                 f8_bits_le(error, f8_splat(WALK_MOST / 2)) &
                 d8_bits_gt(d8_splat(TO_LOCAL8_SIZE_MAX), lines.sizes);
    d8_store(out->base_t, lines.base_t);
    for (int block = 0; block < RAY_ROWS; block += 8) {
        f8_transpose(row + block);
        for (int lane = 0; lane < 8; lane++) {
            f8_store(to[lane] + block, row[block + lane]);
        }
    }
}
