/* Instances, one ray: down the top tree to instances, down their trees to triangles, which are
 * transformed to the world there and decided exactly.  For bvh/query/world_rays.c: closest, any and
 * all of the kernel table.
 *
 * Both walks are those of the plain kernel, along rays in the spaces of trees (to_local.inl). */
#pragma once

#include "bvh/kernel/instance/intersect.h"
#include "bvh/kernel/instance/to_local.inl"
#include "bvh/kernel/mailbox.h"
#include "bvh/kernel/plain/box.inl"
#include "bvh/kernel/plain/tri.inl"
#include "lib/geom/intersect/hit_heap.h"

/* A leaf of the top tree: which of its instances the ray may meet, and from which t'' on. */
typedef struct world_entries {
    uint32_t met;
    float near[SLI_PACK];
} world_entries;

/* A ray on its way through a world. */
typedef struct world_walk {
    const sli_world *world;
    const sli_world_ray *ray;
    walk top, object;
    sli_kernel_ray top_space, object_space;
    /* The instance that object walks. */
    const sli_transformed *transformed;
    uint32_t instance;
    double t_bound; /* no hit whose t rounds to more matters */
    double t_most;  /* no hit whose exact t is more matters */
    sl_hit_d best;  /* what was found; its prim is SL_NONE at first */
    /* All: takes hits as they are found; or NULL. */
    sli_world_take *take;
    void *context;
    uint64_t total;
    sli_mailbox mailbox; /* of the present instance */
} world_walk;

/* What a walk looks for; a constant wherever a function takes it.  Crossings are counted as all
 * hits are, and need no t. */
typedef enum world_kind { WORLD_CLOSEST, WORLD_ANY, WORLD_ALL, WORLD_CROSSINGS } world_kind;

/* An upper bound of every exact t that rounds to no more than the given one. */
static double world_t_most(bool in_floats, double t)
{
    return in_floats ? t + fabs(t) * 0x1p-23 + 0x1p-149 : t + fabs(t) * 0x1p-51 + 0x1p-1000;
}

/* Nothing whose t rounds to more than this matters any more. */
static void world_shrink(world_walk *s, double t)
{
    const double most = world_t_most(s->ray->in_floats, t);
    s->t_bound = t;
    if (most < s->t_most) {
        s->t_most = most;
        const float object = to_local_limit_up(&s->object, most),
                    top = to_local_limit_up(&s->top, most);
        s->object.bound = fminf(object, s->object.bound);
        s->top.bound = fminf(top, s->top.bound);
    }
}

/* The boxes of a leaf by the slabs of plain/box.inl: corners 0 and 1 of its instances, which lead
 * to them, or those of its triangles. */
static SLI_FORCE_INLINE world_entries world_entries_of(walk *w, const sli_tri_pack *pack,
                                                       bool triangles)
{
    world_entries found;
    const uint32_t used = f4_bits_ne(pack->prim, SL_NONE);
    const f4 slack = f4_splat(SLAB_ERROR_SHARE), tiny = f4_splat(SLAB_TINY);
    f4 entry = f4_splat(w->tmin), leave = f4_splat(w->bound);
    for (int axis = 0; axis < 3 && !w->wide; axis++) {
        const f4 a = f4_load(pack->axis[axis].vertex[0]), b = f4_load(pack->axis[axis].vertex[1]);
        f4 low = a, high = b;
        if (triangles) {
            const f4 c = f4_load(pack->axis[axis].vertex[2]);
            low = f4_min(f4_min(a, b), c);
            high = f4_max(f4_max(a, b), c);
        }
        const f4 first = w->near_side[axis] ? high : low, last = w->near_side[axis] ? low : high;
        const f4 inverse = f4_splat(w->inverse[axis]);
        const f4 in = f4_mul(f4_sub(first, f4_splat(w->near_base[axis])), inverse);
        const f4 out = f4_mul(f4_sub(last, f4_splat(w->far_base[axis])), inverse);
        entry = f4_max(f4_sub(f4_sub(in, f4_mul(f4_abs(in), slack)), tiny), entry);
        leave = f4_min(f4_add(f4_add(out, f4_mul(f4_abs(out), slack)), tiny), leave);
    }
    f4_store(found.near, entry);
    found.met = used & ~f4_bits_gt(entry, leave);
    return found;
}

/* What both walks leave out of their trees. */
static inline sl_item_options world_selection(const sli_world_ray *ray)
{
    return (sl_item_options){ .mask = ray->item.mask };
}

/* Enters an instance, where the ray is local then; false: nothing of it can be met. */
static SLI_FORCE_INLINE bool world_enter_at(world_walk *s, uint32_t instance, local_ray *local)
{
    const sli_transformed *transformed = &s->world->transformed[instance];
    if ((instance < s->world->count && !sli_world_selects(&s->ray->item, transformed, instance)) ||
        !to_local_instance(transformed, &s->ray->exact, s->ray->reach, local)) {
        return false;
    }
    sli_exact_ray limits = { .tmin = s->ray->exact.tmin, .tmax = s->t_most };
    s->transformed = transformed;
    s->instance = instance;
    s->mailbox.count = 0;
    to_local_prepare(&s->object, transformed->tree, local, &limits, &s->object_space);
    s->object_space.selection = world_selection(s->ray);
    push_root(&s->object, transformed->tree);
    s->object.stats.instances++;
    return true;
}

static bool world_enter(world_walk *s, uint32_t instance)
{
    local_ray local;
    return world_enter_at(s, instance, &local);
}

/* The exact hit on one lane of the present instance, if there is one and the hit filter accepts
 * it. */
static SLI_FORCE_INLINE bool world_hit_lane(world_walk *s, world_kind kind,
                                            const sli_tri_pack *pack, int lane, sl_hit_d *hit)
{
    uint32_t instance = s->instance, at = (uint32_t)lane;
    const sli_tri_pack *source = sli_world_source(s->world, &instance, pack, &at);
    const sl_triangle_ref triangle = { .instance = instance, .prim = source->prim[at] };
    if (!sli_item_has(&s->ray->item, triangle, source->mask[at]) ||
        (source != pack && !sli_item_has_instance(&s->ray->item, instance))) {
        return false;
    }
    float x[3][3];
    sli_decision_stage stage;
    bool found;
    sli_pack_corners(source, (int)at, x);
    if (kind == WORLD_CROSSINGS) {
        double v[3][3];
        sli_world_corners(&s->world->transformed[instance], x, v);
        found = sli_exact_ray_hits_d(&s->ray->exact, v[0], v[1], v[2], (int)SL_CULL_NONE, &stage);
    } else {
        found = sli_world_decide(s->world, s->ray, triangle, x, s->t_bound, hit, &stage);
    }
    count_stage(&s->object, stage, found);
    return found;
}

/* The next leaf of the top tree that has instances for the ray; false: there is none. */
static bool world_next(world_walk *s, uint32_t shift, const sli_tri_pack **pack,
                       sli_tri_pack *unpacked, world_entries *entries)
{
    for (;;) {
        const uint32_t leaf = next_leaf(&s->top, s->world->top, shift);
        if (leaf == SLI_REF_EMPTY) {
            return false;
        }
        *pack = sli_tree_pack(s->world->top, leaf, unpacked);
        *entries = world_entries_of(&s->top, *pack, false);
        s->top.stats.boxes += (uint64_t)sli_lane_count((*pack)->prim);
        if (entries->met != 0) {
            return true;
        }
    }
}

/* Takes the nearest off those whose bit is set. */
static int world_nearest_entry(uint32_t *met, const float near[])
{
    int best = __builtin_ctz(*met);
    for (uint32_t lanes = *met & (*met - 1); lanes != 0; lanes &= lanes - 1) {
        const int lane = __builtin_ctz(lanes);
        best = near[lane] < near[best] ? lane : best;
    }
    *met &= ~(1u << best);
    return best;
}

/* Nothing is found yet. */
static SLI_FORCE_INLINE void world_reset(world_walk *s, const sli_world *world,
                                         const sli_world_ray *ray)
{
    s->world = world;
    s->ray = ray;
    s->top.stats = (sl_stats){ .rays = 1 };
    s->object.stats = (sl_stats){ .rays = 0 };
    s->top.bound = s->object.bound = INFINITY;
    s->top.scale = s->object.scale = 1;
    s->top.shift = s->object.shift = 0;
    s->t_bound = INFINITY;
    s->t_most = ray->exact.tmax;
    s->best.prim = SL_NONE;
    s->take = NULL;
    s->total = 0;
}

/* Starts at the top; false: the ray is nowhere near. */
static bool world_begin(world_walk *s, const sli_world *world, const sli_world_ray *ray)
{
    local_ray local;
    world_reset(s, world, ray);
    if (!to_local_top(world, &ray->exact, ray->reach, &local)) {
        return false;
    }
    to_local_prepare(&s->top, world->top, &local, &ray->exact, &s->top_space);
    s->top_space.selection = world_selection(ray);
    push_root(&s->top, world->top);
    return true;
}

static void world_end(const world_walk *s, sl_stats *stats)
{
    add_stats_to(&s->top.stats, stats);
    add_stats_to(&s->object.stats, stats);
}

/* Notes a hit; true: the walk is over. */
static SLI_FORCE_INLINE bool world_note_hit(world_walk *s, world_kind kind, const sl_hit_d *hit,
                                            int lane, const sli_tri_pack *pack)
{
    if (kind == WORLD_ANY) {
        s->best = *hit;
    } else if (kind == WORLD_CLOSEST) {
        if ((s->best.prim == SL_NONE || sli_hit_d_before(hit, &s->best)) &&
            (s->ray->after == NULL || sli_hit_d_before(s->ray->after, hit))) {
            s->best = *hit;
            world_shrink(s, hit->t);
        }
    } else if (!(sli_pack_is_split(pack, lane) &&
                 sli_mailbox_is_repeat(&s->mailbox, s->transformed->tree, pack, lane, ray_reaches,
                                       &s->object))) {
        s->total++;
        if (s->take != NULL) {
            s->take(s->context, hit);
        }
    }
    return kind == WORLD_ANY;
}

/* Walks the present instance; true: the walk is over. */
static SLI_FORCE_INLINE bool world_walk_object(world_walk *s, world_kind kind)
{
    const sl_bvh *tree = s->transformed->tree;
    for (;;) {
        const uint32_t leaf = next_leaf(&s->object, tree, kind == WORLD_ANY ? SLI_ANY_SHIFT : 0);
        if (leaf == SLI_REF_EMPTY) {
            return false;
        }
        sli_tri_pack unpacked;
        const sli_tri_pack *pack = sli_tree_pack(tree, leaf, &unpacked);
        for (uint32_t lanes = filter_lanes(&s->object, pack); lanes != 0; lanes &= lanes - 1) {
            const int lane = __builtin_ctz(lanes);
            sl_hit_d hit;
            if (world_hit_lane(s, kind, pack, lane, &hit) &&
                world_note_hit(s, kind, &hit, lane, pack)) {
                return true;
            }
        }
    }
}

/* Enters and walks an instance; true: the walk is over. */
typedef bool world_visit(world_walk *s, world_kind kind, uint32_t instance);

static SLI_FORCE_INLINE bool world_visit_instance(world_walk *s, world_kind kind, uint32_t instance)
{
    return world_enter(s, instance) && world_walk_object(s, kind);
}

/* Visits all instances that the ray meets, from the top on. */
static SLI_FORCE_INLINE void world_walk_top(world_walk *s, world_kind kind, world_visit *visit)
{
    const sli_tri_pack *pack;
    sli_tri_pack unpacked;
    world_entries entries;
    while (world_next(s, kind == WORLD_ANY ? SLI_ANY_SHIFT : 0, &pack, &unpacked, &entries)) {
        while (entries.met != 0) {
            const int lane = world_nearest_entry(&entries.met, entries.near);
            if (!(entries.near[lane] > s->top.bound) && visit(s, kind, pack->prim[lane])) {
                return;
            }
        }
    }
}

static bool world_closest(const sli_world *world, const sli_world_ray *ray, sl_hit_d *hit,
                          sl_stats *stats)
{
    world_walk s;
    if (world_begin(&s, world, ray)) {
        world_walk_top(&s, WORLD_CLOSEST, world_visit_instance);
    }
    world_end(&s, stats);
    if (s.best.prim != SL_NONE) {
        *hit = s.best;
    }
    return s.best.prim != SL_NONE;
}

static bool world_any(const sli_world *world, const sli_world_ray *ray, sl_triangle_ref *ref,
                      sl_stats *stats)
{
    world_walk s;
    if (world_begin(&s, world, ray)) {
        world_walk_top(&s, WORLD_ANY, world_visit_instance);
    }
    world_end(&s, stats);
    if (s.best.prim != SL_NONE && ref != NULL) {
        *ref = (sl_triangle_ref){ .instance = s.best.instance, .prim = s.best.prim };
    }
    return s.best.prim != SL_NONE;
}

static uint64_t world_all(const sli_world *world, const sli_world_ray *ray, sli_world_take *take,
                          void *context, sl_stats *stats)
{
    world_walk s;
    if (world_begin(&s, world, ray)) {
        s.take = take;
        s.context = context;
        world_walk_top(&s, WORLD_ALL, world_visit_instance);
    }
    world_end(&s, stats);
    return s.total;
}
