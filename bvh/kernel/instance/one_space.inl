/* Takes one ray to an instance, or to the top tree, and prepares it there for the float filters of
 * single rays: what to_local8.inl does for eight, for single calls in worlds (one.inl).
 *
 * All bounds are those of to_local8.inl.  The base is a point of the ray that is not after any hit
 * in the place: at the top one before the ball around everything; in an instance where the ray
 * enters the instance's box in the top tree, which has just been computed, is mostly nearer than
 * the ball, and no later than any hit.  t'' counts from it, so that limits begin at 0; a limit is
 * rounded once to a double and once to a float, which is what filter/tri_interval.inl and
 * filter/ray1.inl allow for. */
#pragma once

#include "bvh/kernel/filter/ray1.inl"
#include "bvh/kernel/instance/to_local8.inl"
#include "bvh/kernel/single/single.inl"

/* A ray of the world, as registers: axes in lanes 0 .. 2, and what is finite or not in lane 3. */
typedef struct one_line {
    d4 origin, dir;
    const sli_exact_ray *exact;
} one_line;

/* A ray in a space, on its way through the tree there. */
typedef struct one_space {
    single_walk walk;
    ray1_slabs slabs;
    double base_t; /* t of the base */
    /* What leaves need is made of it: for one_aim. */
    f4 base, dir, by_dir;
    uint32_t octant;
    float edge_error;
} one_space;

/* Prepares a ray in a space for leaves: most rays that enter an instance come to none. */
static SLI_FORCE_INLINE void one_aim(one_space *s)
{
    ray1_aim(&s->walk.ray, s->base, s->dir, s->by_dir, s->octant, s->edge_error);
}

/* What is carried, before it is rounded to floats. */
typedef struct one_carried {
    d4 base, dir;
    f4 from_mid;         /* from the tree's middle to the base */
    double error;        /* as of local_ray */
    float radius, sizes; /* of the tree; the largest coordinates on the way */
} one_carried;

/* The largest of lanes 0 .. 2, off by a rounding to float. */
static SLI_FORCE_INLINE float one_largest(d4 a)
{
    float most[4];
    f4_store(most, f4_most(f4_axes(d4_to_f4(d4_abs(a)))));
    return most[0];
}

/* A rounding to float, upwards, of a number that is no less than 0 and whose share of others is
 * far above 2^-126. */
#define ONE_UP (1 + 0x1p-20)

/* Where the ray is from a centre at the base's t, and how large coordinates are on the way. */
static SLI_FORCE_INLINE d4 one_seen(const one_line *line, d4 centre, double base_t, float *sizes)
{
    const d4 step = d4_mul(d4_splat(base_t), line->dir);
    *sizes = one_largest(
        d4_add(d4_add(d4_abs(line->origin), d4_abs(centre)), d4_abs(step)));
    return d4_add(d4_sub(line->origin, centre), step);
}

/* The product of an instance's inverse and a vector; lane 3 has anything. */
static SLI_FORCE_INLINE d4 one_turn(const double inverse[3][3], const double v[3])
{
    const d4 first = d4_mul(d4_doubles(inverse[0]), d4_splat(v[0]));
    const d4 two = d4_muladd(d4_doubles(inverse[1]), d4_splat(v[1]), first);
    return d4_muladd(d4_doubles(inverse[2]), d4_splat(v[2]), two);
}

/* Prepares the ray for nodes; most: no hit whose t is more matters.  False: it is out of the filters' range,
 * or floats are too coarse for the tree. */
static SLI_FORCE_INLINE bool one_prepare(one_space *s, const one_carried *carried,
                                         const sl_bvh *tree, double most)
{
    ray1 *ray = &s->walk.ray;
    ray_words *w = &ray->w;
    const f4 zero = f4_splat(0), at = f4_axes(d4_to_f4(carried->base));
    const f4 dir = f4_axes(d4_to_f4(carried->dir)), size = f4_abs(dir), longest = f4_most(size);
    const f4 power = f4_exponent(longest), extents = f4_most(f4_abs(carried->from_mid));
    float longests[4], powers[4], places[4], extent[4];
    f4_store(longests, longest);
    f4_store(powers, power);
    f4_store(places, f4_most(f4_abs(at)));
    f4_store(extent, extents);
    const float rounded = places[0] * (2 * WALK_U);
    const float error = (float)(carried->error * ONE_UP) + rounded * (1 + 0x1p-18f) + 0x1p-100f;
    const float reach = (extent[0] + carried->radius) * (1 + 16 * WALK_U) + error;
    const float coarse = error * error * (float)tree->triangle_count;
    if (!(longests[0] >= (float)TO_LOCAL8_DIR_MIN && longests[0] <= (float)TO_LOCAL8_SIZE_MAX &&
          reach >= 2 * WALK_LEAST && reach <= WALK_MOST / 2 &&
          carried->sizes <= (float)TO_LOCAL8_SIZE_MAX &&
          coarse <= carried->radius * carried->radius)) {
        return false;
    }
    const f4 by_dir = f4_div(f4_splat(1), dir);
    const f4 least = f4_splat(-1 / WALK_TINY), largest = f4_splat(1 / WALK_TINY);
    const f4 inverse = f4_max(f4_min(f4_mul(by_dir, power), largest), least);
    const f4 off = f4_muladd(f4_abs(at), f4_splat(2 * WALK_U),
                             f4_splat(error + reach * (4 * WALK_TINY)));
    const f4 along = f4_less(inverse, zero, f4_sub(zero, off), off);
    const f4 nears = f4_add(at, along), fars = f4_sub(at, along);
    const uint32_t octant = f4_bits_gt(zero, inverse) & 7;
    w->tmin = ray->tmin = 0;
    w->scale = powers[0];
    w->bound = (float)((most - s->base_t) * (double)powers[0]);
    ray->box_bound = w->bound * SLAB_SLACK;
    s->slabs.sides = &ray_offsets_of[octant];
    ray1_make_slabs(ray, nears, fars, inverse, &s->slabs);
    s->base = at;
    s->dir = dir;
    s->by_dir = by_dir;
    s->octant = octant;
    s->edge_error = TRI_EDGE_ERROR * reach + BASE_ERRORS * error;
    s->walk.lines = (const char *)tree->lines;
    single_empty_stack(&s->walk);
    return true;
}

/* To an instance, from a base that is not after any of its hits. */
static SLI_FORCE_INLINE bool one_enter(one_space *s, const one_line *line,
                                       const sli_transformed *transformed, double most)
{
    one_carried carried;
    double w[4];
    const d4 seen = one_seen(line, d4_doubles(transformed->centre), s->base_t, &carried.sizes);
    d4_store(w, seen);
    const d4 turned = one_turn(transformed->inverse, w);
    carried.base = d4_add(turned, d4_doubles(transformed->middle));
    carried.dir = one_turn(transformed->inverse, line->exact->dir);
    carried.from_mid = f4_axes(d4_to_f4(turned));
    carried.radius = (float)transformed->radius;
    const double within = (double)one_largest(seen) * ONE_UP + 2 * transformed->span;
    carried.error = transformed->share * within +
                    transformed->norm * (3 * TO_LOCAL_EPS * ONE_UP) * (double)carried.sizes +
                    transformed->fixed;
    return one_prepare(s, &carried, transformed->tree, most);
}

/* To the top tree, whose space is the world's about a middle.  The base is that of
 * to_local8_base_t. */
static SLI_FORCE_INLINE bool one_enter_top(one_space *s, const one_line *line,
                                           const sli_world *world, double most)
{
    const sli_exact_ray *exact = line->exact;
    const double ball = world->half * 1.7320509;
    double along = 0, away = 0, square = 0, length = 0;
    for (int axis = 0; axis < 3; axis++) {
        const double to = world->middle[axis] - exact->origin[axis], d = exact->dir[axis];
        along += to * d;
        away += fabs(to);
        square += d * d;
        length += fabs(d);
    }
    const double before = along - (away * 0x1p-46 + ball * (1 + 0x1p-20)) * length;
    one_carried carried;
    s->base_t = base_larger(exact->tmin, before / square);
    const double middle[4] = { world->middle[0], world->middle[1], world->middle[2] };
    carried.base = one_seen(line, d4_doubles(middle), s->base_t, &carried.sizes);
    carried.dir = line->dir;
    carried.from_mid = f4_axes(d4_to_f4(carried.base));
    carried.radius = (float)(world->half * ONE_UP);
    carried.error = TO_LOCAL_EPS * ONE_UP *
                        (4 * (double)carried.sizes +
                         10 * ((double)one_largest(carried.base) * ONE_UP + 2 * world->half)) +
                    0x1p-149;
    if (!one_prepare(s, &carried, world->top, most)) {
        return false;
    }
    /* Leaves of the top tree are tested by words, as in batches. */
    ray_words *w = &s->walk.ray.w;
    for (int axis = 0; axis < 3; axis++) {
        float lanes[8];
        f8_store(lanes, s->slabs.inverse[axis]);
        w->inverse[axis] = lanes[0];
        f8_store(lanes, s->slabs.near_base[axis]);
        w->near_base[axis] = lanes[0];
        f8_store(lanes, s->slabs.far_base[axis]);
        w->far_base[axis] = lanes[0];
    }
    return true;
}
