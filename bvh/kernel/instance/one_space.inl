/* Takes one ray to an instance, or to the top tree, and prepares it there for the float filters of
 * single rays: what to_local8.inl does for eight, for single calls in worlds (one.inl).
 *
 * All bounds are those of to_local8.inl.  The base is a point of the ray that is not after any hit
 * in the place: at the top one before the ball around everything; in an instance where the ray
 * enters the instance's box in the top tree, which has just been computed, is mostly nearer than
 * the ball, and no later than any hit.  t'' counts from it, so that limits begin at 0; a limit is
 * rounded once to a double and once to a float, which is what filter/tri_interval.inl and
 * filter/ray1.inl allow for.
 *
 * In an instance, what bounds the errors is bounded by what is known beforehand, so that nothing
 * waits for it.  With D the top tree's reach from its base, no coordinate there is larger, nor is
 * the t'' of an entry; a box is met, entered and left 16u of that too early or too late, and the
 * base is 2^-20 of it before the entry.  So at the base the ray is no farther from the instance's
 * centre than half + k along any axis, k = 2^-16 D + 2^-48 S.  S is that of the coordinates of the
 * world: the step from the origin o to the base is o - c - w, so that |o| + |c| + |step| is no more
 * than 2 |o| + 2 |c| + |w|, and c no farther from the top's middle than the top's half size and the
 * instance's. */
#pragma once

#include "bvh/kernel/filter/ray1.inl"
#include "bvh/kernel/instance/to_local8.inl"
#include "bvh/kernel/single/single.inl"

/* A ray of the world, as registers: axes in lanes 0 .. 2, and anything in lane 3. */
typedef struct one_line {
    d4 origin, dir;
    const sli_exact_ray *exact;
    double sizes; /* S, of all but the instance */
    double near;  /* k */
} one_line;

/* A ray in a space, on its way through the tree there. */
typedef struct one_space {
    single_walk walk;
    ray1_slabs slabs;
    double base_t; /* t of the base */
    /* What leaves need is made of it: for one_aim. */
    d4 from_mid; /* from the tree's middle to the base */
    f4 base, dir, by_dir;
    float error; /* as of local_ray */
    uint32_t octant;
} one_space;

/* The largest of lanes 0 .. 2, off by a rounding to float. */
static SLI_FORCE_INLINE float one_largest(d4 a)
{
    float most[4];
    f4_store(most, f4_most(f4_axes(d4_to_f4(d4_abs(a)))));
    return most[0];
}

/* More than a rounding to float, of a number that is no less than 0 and is not alone. */
#define ONE_UP (1 + 0x1p-20)

/* The product of an instance's inverse and a vector; lane 3 has anything. */
static SLI_FORCE_INLINE d4 one_turn(const double inverse[3][3], const double v[3])
{
    const d4 first = d4_mul(d4_doubles(inverse[0]), d4_splat(v[0]));
    const d4 two = d4_muladd(d4_doubles(inverse[1]), d4_splat(v[1]), first);
    return d4_muladd(d4_doubles(inverse[2]), d4_splat(v[2]), two);
}

/* Prepares a ray in a space for leaves, which most rays that enter an instance do not come to.
 * radius and triangles, a count, are those of the tree.  Returns false where floats are too coarse
 * for its triangles. */
static SLI_FORCE_INLINE bool one_aim(one_space *s, float radius, float triangles)
{
    float places[4];
    f4_store(places, f4_most(f4_abs(s->base)));
    const float error = s->error + places[0] * (2 * WALK_U) * (1 + 0x1p-18f);
    const float reach = (one_largest(s->from_mid) + radius) * (1 + 16 * WALK_U) + error;
    ray1_aim(&s->walk.ray, s->base, s->dir, s->by_dir, s->octant,
             TRI_EDGE_ERROR * reach + BASE_ERRORS * error);
    return error * error * triangles <= radius * radius; /* as base_is_coarse */
}

/* Prepares a ray for nodes: from a base, along a direction, off by error, in a tree no corner of
 * which is farther than reach from the base along an axis; most: no hit whose t is more matters.
 * False: it is out of the filters' range. */
static SLI_FORCE_INLINE bool one_prepare(one_space *s, const sl_bvh *tree, d4 base, d4 along,
                                         double error, double reach, double most)
{
    ray1 *ray = &s->walk.ray;
    ray_words *w = &ray->w;
    const f4 zero = f4_splat(0), at = f4_axes(d4_to_f4(base)), dir = f4_axes(d4_to_f4(along));
    const f4 longest = f4_most(f4_abs(dir)), power = f4_exponent(longest);
    float longests[4], powers[4];
    f4_store(longests, longest);
    f4_store(powers, power);
    if (!(longests[0] >= (float)TO_LOCAL8_DIR_MIN && longests[0] <= (float)TO_LOCAL8_SIZE_MAX &&
          reach + error >= 2 * WALK_LEAST && reach + error <= WALK_MOST / 4)) {
        return false;
    }
    s->error = (float)(error * ONE_UP) + 0x1p-100f;
    const f4 by_dir = f4_div(f4_splat(1), dir);
    const f4 least = f4_splat(-1 / WALK_TINY), largest = f4_splat(1 / WALK_TINY);
    const f4 inverse = f4_max(f4_min(f4_mul(by_dir, power), largest), least);
    const float aside = s->error * (1 + 0x1p-18f) + (float)reach * (5 * WALK_TINY);
    const f4 off = f4_muladd(f4_abs(at), f4_splat(4 * WALK_U), f4_splat(aside));
    const f4 ahead = f4_less(inverse, zero, f4_sub(zero, off), off);
    s->base = at;
    s->dir = dir;
    s->by_dir = by_dir;
    s->octant = f4_bits_gt(zero, inverse) & 7;
    w->tmin = ray->tmin = 0;
    w->scale = powers[0];
    w->bound = (float)((most - s->base_t) * (double)powers[0]) + RAY_T_TINY; /* never -0 */
    ray->box_bound = w->bound * SLAB_SLACK;
    s->slabs.sides = &ray_offsets_of[s->octant];
    ray1_make_slabs(ray, f4_add(at, ahead), f4_sub(at, ahead), f4_sub(zero, inverse), &s->slabs);
    s->walk.lines = (const char *)tree->lines;
    single_empty_stack(&s->walk);
    return true;
}

/* To an instance, from a base that is not after any of its hits. */
static SLI_FORCE_INLINE bool one_enter(one_space *s, const one_line *line,
                                       const sli_transformed *transformed, double most)
{
    double w[4];
    const d4 step = d4_mul(d4_splat(s->base_t), line->dir);
    d4_store(w, d4_add(d4_sub(line->origin, d4_doubles(transformed->centre)), step));
    s->from_mid = one_turn(transformed->inverse, w);
    const double within = 3 * transformed->span + line->near; /* of |w| + 2 span; span >= half */
    const double sizes = within + (transformed->span + line->sizes);
    const double error = (transformed->share * within + transformed->fixed) +
                         transformed->norm * (3 * TO_LOCAL_EPS) * sizes;
    return one_prepare(s, transformed->tree, d4_add(s->from_mid, d4_doubles(transformed->middle)),
                       one_turn(transformed->inverse, line->exact->dir), error,
                       transformed->norm * within + transformed->radius, most);
}

/* To an instance that stands as it is, from the ray's own origin, which is known exactly, so that
 * only its rounding to floats is an error (docs/notes/filters.md, "Own origins").  tmin is 0.
 * False: the ray begins too far away. */
static SLI_FORCE_INLINE bool one_enter_at_origin(one_space *s, const one_line *line,
                                                 const sli_transformed *transformed, double most)
{
    s->base_t = 0;
    s->from_mid = d4_sub(line->origin, d4_doubles(transformed->middle));
    const double away = (double)one_largest(s->from_mid) * ONE_UP;
    return away <= TO_LOCAL8_NEAR * transformed->radius &&
           one_prepare(s, transformed->tree, line->origin, line->dir, 0, away + transformed->radius,
                       most);
}

/* To the top tree, whose space is the world's about a middle.  The base is that of
 * to_local8_base_t.  Fills in what of line depends on it. */
static SLI_FORCE_INLINE bool one_enter_top(one_space *s, one_line *line, const sli_world *world,
                                           double most)
{
    const sli_exact_ray *exact = line->exact;
    const double ball = world->half * 1.7320509;
    double along = 0, away = 0, square = 0, length = 0, size = 0;
    for (int axis = 0; axis < 3; axis++) {
        const double to = world->middle[axis] - exact->origin[axis], d = exact->dir[axis];
        along += to * d;
        away += fabs(to);
        square += d * d;
        length += fabs(d);
        size += fabs(exact->origin[axis]) + fabs(world->middle[axis]);
    }
    const double before = along - (away * 0x1p-46 + ball * (1 + 0x1p-20)) * length;
    s->base_t = base_larger(exact->tmin, before / square);
    const double middle[4] = { world->middle[0], world->middle[1], world->middle[2] };
    const d4 step = d4_mul(d4_splat(s->base_t), line->dir);
    s->from_mid = d4_add(d4_sub(line->origin, d4_doubles(middle)), step);
    const double away_most = (double)one_largest(s->from_mid) * ONE_UP;
    line->sizes = 2 * (size + world->half);
    const double within = away_most + 2 * world->half;
    const double error = TO_LOCAL_EPS * ONE_UP * (4 * (line->sizes + away_most) + 10 * within);
    line->near = 0x1p-16 * (within + error) + 0x1p-48 * line->sizes;
    if (!(line->sizes <= TO_LOCAL8_SIZE_MAX) ||
        !one_prepare(s, world->top, s->from_mid, line->dir, error + 0x1p-149, within, most)) {
        return false;
    }
    /* Leaves of the top tree are tested by words, as in batches. */
    ray_words *w = &s->walk.ray.w;
    for (int axis = 0; axis < 3; axis++) {
        float lanes[8];
        f8_store(lanes, s->slabs.inverse[axis]);
        w->inverse[axis] = -lanes[0];
        f8_store(lanes, s->slabs.near_base[axis]);
        w->near_base[axis] = lanes[0];
        f8_store(lanes, s->slabs.far_base[axis]);
        w->far_base[axis] = lanes[0];
    }
    return true;
}
