/* One ray or segment through a world of instances, for the closest or any hit, as fast as floats
 * can: for bvh/query/world_rays.c, the kernel table's world_closest and world_any.
 *
 * Both trees are walked as single rays walk one (single/single.inl), by rays that are carried there
 * (one_space.inl); a leaf's triangles are tested in floats as in single/leaf.inl.  What floats are
 * sure of answers any hits and bounds closest ones.  The rest is deferred, and decided in the world
 * one by one at the end (intersect.h), if a bound has not left it behind by then.
 *
 * What a mask, a hit filter or `next` restrict, and rays out of the filters' range, go to the walk
 * of walk.inl. */
#pragma once

#include "bvh/kernel/instance/one_space.inl"
#include "bvh/kernel/instance/top_leaf.inl"
#include "bvh/kernel/instance/walk.inl"

/* Triangles of a leaf that are left to be decided, in the space where they were met. */
typedef struct one_deferred {
    const sli_tri_pack *pack;
    uint32_t lanes, instance;
    double base_t;
    float scale;
    float from[4]; /* closest: no hit is before this t'' */
} one_deferred;

enum { ONE_DEFERRED_MAX = 8 };

/* A ray on its way through a world. */
typedef struct one_walk {
    const sli_world *world;
    const sli_world_ray *ray;
    one_line line;
    double most;         /* no hit whose exact t is more matters */
    double t_bound;      /* nor one whose t rounds to more */
    bool chooses;        /* options leave triangles or instances out */
    uint32_t sure_lanes; /* it is 0 where a side is culled, so that no hit is sure */
    uint32_t instance;   /* the present one */
    uint32_t deferred_count;
    one_deferred deferred[ONE_DEFERRED_MAX];
    sl_hit_d best; /* its prim is SL_NONE at first */
    sl_stats stats;
    one_space top, object;
    sli_tri_pack unpacked; /* of a compact tree */
} one_walk;

/* The lanes that skipped triangles and ignored instances leave in. */
static SLI_NOINLINE uint32_t one_wanted(const one_walk *s, const sli_tri_pack *pack, uint32_t lanes)
{
    for (uint32_t left = lanes; left != 0; left &= left - 1) {
        uint32_t instance = s->instance, lane = (uint32_t)__builtin_ctz(left);
        const sli_tri_pack *source = sli_world_source(s->world, &instance, pack, &lane);
        const sl_triangle_ref triangle = { .instance = instance, .prim = source->prim[lane] };
        if (!sli_item_has(&s->ray->item, triangle, source->mask[lane]) ||
            !sli_item_has_instance(&s->ray->item, instance)) {
            lanes &= ~(left & -left);
        }
    }
    return lanes;
}

/* Lowers the bound to that of what is hit at t, or before; upwards. */
static SLI_FORCE_INLINE void one_narrow(one_walk *s, double t)
{
    const double most = world_t_most(s->ray->in_floats, t);
    if (most < s->most) {
        ray1 *ray = &s->object.walk.ray;
        s->most = most;
        ray1_narrow(ray, to_local8_bound_from(most, s->object.base_t, ray->w.scale));
    }
}

/* Decides lanes of a block exactly.  True: an any-hit query has its answer. */
static SLI_NOINLINE bool one_decide(one_walk *s, uint32_t of, const sli_tri_pack *pack,
                                    uint32_t lanes, bool any)
{
    for (; lanes != 0; lanes &= lanes - 1) {
        uint32_t instance = of, lane = (uint32_t)__builtin_ctz(lanes);
        const sli_tri_pack *source = sli_world_source(s->world, &instance, pack, &lane);
        const sl_triangle_ref triangle = { .instance = instance, .prim = source->prim[lane] };
        float x[3][3];
        sl_hit_d hit;
        sli_decision_stage stage;
        sli_pack_corners(source, (int)lane, x);
        const bool found =
            sli_world_decide(s->world, s->ray, triangle, x, s->t_bound, &hit, &stage);
        s->stats.double_stage += stage == SLI_STAGE_DOUBLE;
        s->stats.exact_stage += stage == SLI_STAGE_EXACT;
        s->stats.hits += found;
        if (found && (any || s->best.prim == SL_NONE || sli_hit_d_before(&hit, &s->best))) {
            s->best = hit;
            if (any) {
                return true;
            }
            s->t_bound = hit.t;
            one_narrow(s, hit.t);
        }
    }
    return false;
}

/* Decides what was deferred and is still within the bound, the last first. */
static SLI_NOINLINE bool one_decide_deferred(one_walk *s, bool any)
{
    while (s->deferred_count > 0) {
        const one_deferred *d = &s->deferred[--s->deferred_count];
        uint32_t lanes = d->lanes;
        if (!any) {
            const float bound = to_local8_bound_from(s->most, d->base_t, (double)d->scale);
            lanes &= f4_bits_le(f4_load(d->from), f4_splat(bound));
        }
        if (one_decide(s, d->instance, d->pack, lanes, any)) {
            s->deferred_count = 0;
            return true;
        }
    }
    return false;
}

static SLI_FORCE_INLINE bool one_defer(one_walk *s, const sli_tri_pack *pack, uint32_t lanes,
                                       f4 from, bool any)
{
    one_deferred *d = &s->deferred[s->deferred_count++];
    d->pack = pack;
    d->lanes = lanes;
    d->instance = s->instance;
    if (!any) {
        d->base_t = s->object.base_t;
        d->scale = s->object.walk.ray.w.scale;
        f4_store(d->from, from);
    }
    return __builtin_expect(s->deferred_count == ONE_DEFERRED_MAX || pack == &s->unpacked, 0) &&
           one_decide_deferred(s, any);
}

/* The end in t, upwards, of the nearest interval of sure hits, whose ends in t'' are these. */
static SLI_FORCE_INLINE double one_nearest_end(const one_space *object, uint32_t sure, f4 to)
{
    float end[4];
    f4_store(end, to);
    float least = end[__builtin_ctz(sure)];
    for (sure &= sure - 1; __builtin_expect(sure != 0, 0); sure &= sure - 1) {
        const float other = end[__builtin_ctz(sure)];
        least = other < least ? other : least;
    }
    const double rest = (double)least / (double)object->walk.ray.w.scale;
    return (object->base_t + rest) + (fabs(object->base_t) + fabs(rest)) * 0x1p-50;
}

/* Names a triangle that is surely hit. */
static SLI_FORCE_INLINE void one_name(one_walk *s, const sli_tri_pack *pack, uint32_t lanes)
{
    uint32_t instance = s->instance, lane = (uint32_t)__builtin_ctz(lanes);
    const sli_tri_pack *source = sli_world_source(s->world, &instance, pack, &lane);
    s->best.instance = instance;
    s->best.prim = source->prim[lane];
    s->stats.hits++;
}

/* Tests the triangles of a leaf.  True: an any-hit query has its answer. */
static SLI_FORCE_INLINE bool one_leaf(one_walk *s, const sli_tri_pack *pack, bool any)
{
    const ray1 *ray = &s->object.walk.ray;
    const char *at = (const char *)pack;
    const tri4_edges edges = tri4_edges_of(&ray->w, ray->offsets, at);
    uint32_t used, lanes = tri4_not_missed(&edges, at, &used);
    s->stats.triangles += (uint32_t)__builtin_popcount(used);
    if (lanes == 0) {
        return false;
    }
    const tri_interval range = tri_interval_of(&ray->interval, 0, ray->w.bound, &edges);
    lanes &= ~range.out;
    if (__builtin_expect(s->chooses, 0)) {
        lanes = one_wanted(s, pack, lanes);
    }
    if (lanes == 0) {
        return false;
    }
    const uint32_t sure = lanes & range.sure & s->sure_lanes;
    if (sure != 0 && any) {
        one_name(s, pack, sure);
        return true;
    }
    if (sure != 0) {
        one_narrow(s, one_nearest_end(&s->object, sure, f4_mul(range.to, range.by_times)));
    }
    /* What floats say nothing of, and what could bound the ray only once it is decided. */
    const uint32_t now = any && s->ray->exact.segment ? lanes
                         : s->sure_lanes != 0         ? lanes & ~range.steady
                                                      : lanes;
    if (__builtin_expect(now != 0, 0) && one_decide(s, s->instance, pack, now, any)) {
        return true;
    }
    lanes &= ~now;
    return lanes != 0 && one_defer(s, pack, lanes, f4_mul(range.from, range.by_times), any);
}

/* What an instance, or the instances of a leaf, lead to. */
typedef enum one_outcome { ONE_GOES_ON, ONE_ANSWERED, ONE_NOT_TAKEN } one_outcome;

/* Walks an instance that the ray has been taken to. */
static SLI_FORCE_INLINE one_outcome one_walk_object(one_walk *s, const sli_transformed *transformed,
                                                    bool any)
{
    single_walk *w = &s->object.walk;
    const sl_bvh *tree = transformed->tree;
    uint32_t ref = tree->root;
    bool aimed = false;
    for (;;) {
        if ((ref & SLI_REF_LEAF) == 0) {
            ref = single_descend(w, &s->object.slabs, ref, any, true);
        }
        if (ref == SLI_REF_EMPTY) {
            return ONE_GOES_ON;
        }
        if (!aimed &&
            !one_aim(&s->object, (float)transformed->radius, (float)tree->triangle_count)) {
            return ONE_NOT_TAKEN;
        }
        aimed = true;
        const float bound = w->ray.box_bound;
        if (one_leaf(s, sli_tree_pack(tree, ref, &s->unpacked), any)) {
            return ONE_ANSWERED;
        }
        ref = single_pop(w, &s->object.slabs, any ? -INFINITY : bound);
    }
}

/* Not inlined, so that there is one of each. */
static SLI_NOINLINE one_outcome one_walk_closest(one_walk *s, const sli_transformed *transformed)
{
    return one_walk_object(s, transformed, false);
}

static SLI_NOINLINE one_outcome one_walk_any(one_walk *s, const sli_transformed *transformed)
{
    return one_walk_object(s, transformed, true);
}

/* Enters and walks an instance whose box is entered at t'' from of the top tree. */
static SLI_FORCE_INLINE one_outcome one_visit(one_walk *s, uint32_t instance, float from, bool any)
{
    const sli_transformed *transformed = &s->world->transformed[instance];
    if (__builtin_expect(s->chooses, 0) && instance < s->world->count &&
        !sli_world_selects(&s->ray->item, transformed, instance)) {
        return ONE_GOES_ON;
    }
    /* Entries are off by 4u. */
    const double after = (double)from * (1 - 0x1p-20) / (double)s->top.walk.ray.w.scale;
    const double begin = (s->top.base_t + after) - (fabs(s->top.base_t) + after) * 0x1p-50;
    s->object.base_t = base_larger(s->ray->exact.tmin, begin);
    if (s->object.base_t > s->most) {
        return ONE_GOES_ON;
    }
    s->instance = instance;
    s->stats.instances++;
    if (!one_enter(&s->object, &s->line, transformed, s->most)) {
        return ONE_NOT_TAKEN;
    }
    return any ? one_walk_any(s, transformed) : one_walk_closest(s, transformed);
}

/* Visits the instances of a top leaf that are met, in the order of world_push_instances. */
static SLI_FORCE_INLINE one_outcome one_visit_leaf(one_walk *s, const char *leaf, bool any)
{
    static const uint32_t lanes[SLI_PACK] = { 0, 1, 2, 3 };
    const sli_tri_pack *pack = (const sli_tri_pack *)(const void *)leaf;
    const ray1 *ray = &s->top.walk.ray;
    const ray_offsets *sides = s->top.slabs.sides;
    uint32_t order[SLI_PACK];
    float nears[SLI_PACK];
    f4 from, end;
    const uint32_t met = world_meet_instances(&ray->w, sides, leaf, &from, &end);
    s->stats.boxes += (uint32_t)__builtin_popcount(f4_bits_ne(pack->prim, SL_NONE));
    if (met == 0) {
        return ONE_GOES_ON;
    }
    f4_store(nears, from);
    uint32_t left = simd_push4(order, NULL, lanes, 0, met, any ? f4_sub(end, from) : from, any);
    for (uint32_t i = 0; i < left; i++) {
        const char *at = (const char *)&s->world->transformed[pack->prim[order[i]]];
        for (int line = 0; line < TRANSFORMED_LINES; line++) {
            __builtin_prefetch(at + line * SLI_LINE);
        }
    }
    while (left-- > 0) {
        const uint32_t lane = order[left];
        if (any || !(nears[lane] > ray->box_bound)) {
            const one_outcome outcome = one_visit(s, pack->prim[lane], nears[lane], any);
            if (outcome != ONE_GOES_ON) {
                return outcome;
            }
            if (!any) {
                ray1 *top = &s->top.walk.ray;
                ray1_narrow(top, to_local8_bound_from(s->most, s->top.base_t, top->w.scale));
            }
        }
    }
    return ONE_GOES_ON;
}

/* Walks the top tree, where the ray has been taken: in the order of its octant for any hit, too,
 * which enters fewer instances of piles, where each is likely to end it. */
static SLI_FORCE_INLINE one_outcome one_walk_top(one_walk *s, bool any)
{
    single_walk *w = &s->top.walk;
    uint32_t ref = s->world->top->root;
    for (;;) {
        if ((ref & SLI_REF_LEAF) == 0) {
            ref = single_descend(w, &s->top.slabs, ref, false, true);
        }
        if (ref == SLI_REF_EMPTY) {
            return one_decide_deferred(s, any) ? ONE_ANSWERED : ONE_GOES_ON;
        }
        const float bound = w->ray.box_bound;
        const one_outcome outcome = one_visit_leaf(s, line_at(w->lines, ref), any);
        if (outcome != ONE_GOES_ON) {
            return outcome;
        }
        ref = single_pop(w, &s->top.slabs, bound);
    }
}

/* Whether a ray is one for this file. */
static bool one_takes(const sli_world *world, const sli_world_ray *ray)
{
    double length = 0, size = 0;
    for (int axis = 0; axis < 3; axis++) {
        length += fabs(ray->exact.dir[axis]);
        size += fabs(ray->exact.origin[axis]);
    }
    return ray->accepts == NULL && ray->after == NULL && ray->item.mask == 0 &&
           to_local_largest(ray->reach) == 0 && size < TO_LOCAL8_SIZE_MAX &&
           length < TO_LOCAL8_SIZE_MAX && length > TO_LOCAL8_DIR_MIN &&
           world->top->root != SLI_REF_EMPTY && world->top->vertices == NULL;
}

/* Walks the only instance from the ray's own origin, if it stands as it is and the ray begins near
 * it: without the top tree. */
static SLI_FORCE_INLINE bool one_walk_only(one_walk *s, bool any, one_outcome *outcome)
{
    const sli_transformed *only = &s->world->transformed[0];
    if (!s->world->unmoved || s->ray->exact.tmin != 0 || s->chooses ||
        !one_enter_at_origin(&s->object, &s->line, only, s->most)) {
        return false;
    }
    s->instance = 0;
    s->stats.instances++;
    *outcome = any ? one_walk_any(s, only) : one_walk_closest(s, only);
    if (*outcome == ONE_GOES_ON && one_decide_deferred(s, any)) {
        *outcome = ONE_ANSWERED;
    }
    return true;
}

/* Finds the hit, which is in s->best then.  False: the ray is none for this file. */
static SLI_FORCE_INLINE bool one_run(one_walk *s, const sli_world *world, const sli_world_ray *ray,
                                     bool any)
{
    const double *origin = ray->exact.origin, *dir = ray->exact.dir;
    if (!one_takes(world, ray)) {
        return false;
    }
    s->world = world;
    s->ray = ray;
    s->line = (one_line){ .origin = d4_doubles((double[4]){ origin[0], origin[1], origin[2], 0 }),
                          .dir = d4_doubles((double[4]){ dir[0], dir[1], dir[2], 0 }),
                          .exact = &ray->exact };
    s->most = ray->exact.tmax;
    s->t_bound = INFINITY;
    s->chooses = ray->item.skip_count != 0 || ray->item.ignore_count != 0;
    s->sure_lanes = ray->cull == SL_CULL_NONE ? UINT32_MAX : 0;
    s->deferred_count = 0;
    s->best = (sl_hit_d){ .prim = SL_NONE };
    s->stats = (sl_stats){ .rays = 1 };
    s->top.walk.counts.nodes = s->object.walk.counts.nodes = 0;
    one_outcome outcome;
    if (one_walk_only(s, any, &outcome)) {
        return outcome != ONE_NOT_TAKEN;
    }
    return one_enter_top(&s->top, &s->line, world, s->most) &&
           one_walk_top(s, any) != ONE_NOT_TAKEN;
}

static SLI_FORCE_INLINE void one_count(one_walk *s, sl_stats *stats)
{
    s->stats.nodes = s->top.walk.counts.nodes + s->object.walk.counts.nodes;
    s->stats.boxes += s->stats.nodes * SLI_WIDTH;
    s->stats.float_stage = s->stats.triangles - s->stats.double_stage - s->stats.exact_stage;
    add_stats_to(&s->stats, stats);
}

/* Answers a ray, in *hit, whose prim is SL_NONE for a miss; of any, that and its instance alone.
 * False: the ray is none for this file.  The walk that then follows has the stack for itself. */
static SLI_NOINLINE bool one_find_closest(const sli_world *world, const sli_world_ray *ray,
                                          sl_hit_d *hit, sl_stats *stats)
{
    one_walk s;
    if (!one_run(&s, world, ray, false)) {
        return false;
    }
    one_count(&s, stats);
    *hit = s.best;
    return true;
}

static SLI_NOINLINE bool one_find_any(const sli_world *world, const sli_world_ray *ray,
                                      sl_triangle_ref *ref, sl_stats *stats)
{
    one_walk s;
    if (!one_run(&s, world, ray, true)) {
        return false;
    }
    one_count(&s, stats);
    *ref = (sl_triangle_ref){ .instance = s.best.instance, .prim = s.best.prim };
    return true;
}

/* world_closest of the kernel table. */
static bool one_closest(const sli_world *world, const sli_world_ray *ray, sl_hit_d *hit,
                        sl_stats *stats)
{
    return one_find_closest(world, ray, hit, stats) ? hit->prim != SL_NONE
                                                    : world_closest(world, ray, hit, stats);
}

/* world_any of the kernel table. */
static bool one_any(const sli_world *world, const sli_world_ray *ray, sl_triangle_ref *ref,
                    sl_stats *stats)
{
    sl_triangle_ref found;
    if (!one_find_any(world, ray, &found, stats)) {
        return world_any(world, ray, ref, stats);
    }
    if (ref != NULL && found.prim != SL_NONE) {
        *ref = found;
    }
    return found.prim != SL_NONE;
}
