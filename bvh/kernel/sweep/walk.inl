/* Shapes that move through instances: the middle of a shape's bounds goes down the trees as a ray
 * does (instance/walk.inl), through boxes that have grown by as far as the shape reaches from it;
 * triangles get their corners in the world, where the exact test decides.  For bvh/sweep: first,
 * any and all of the kernel table.
 * Source   the sum of box and shape: Minkowski, as in Ericson, Real-Time Collision Detection
 *          (2005), 5.5.7. */
#pragma once

#include "bvh/kernel/sweep/leaf.inl"
#include "lib/geom/sweep/sweep.h"

/* A triangle that the shape surely comes to, whose contact is decided when nothing else can make
 * that needless. */
typedef struct sweep_deferred {
    double t; /* no contact is before */
    const sli_transformed *transformed;
    sl_triangle_ref triangle;
    float x[3][3];
} sweep_deferred;

enum { SWEEP_DEFERRED_MAX = 8 };

typedef struct sweep_walk {
    world_walk s; /* whose best is that of contact */
    const sli_world_sweep *sweep;
    sweep_space space; /* of the present instance */
    sweep_stack stack;
    uint32_t deferred_count;
    sweep_deferred deferred[SWEEP_DEFERRED_MAX];
    sl_contact contact;
    sli_take_contact *take; /* all */
    void *context;
} sweep_walk;

/* Which side of an object's triangle the motion meets: -1 the front, 1 the back, 0 neither. */
static int sweep_side(const sweep_walk *w, const sli_transformed *transformed, double v[3][3])
{
    static const double zero[3] = { 0, 0, 0 };
    sli_decision_stage stage = SLI_STAGE_DOUBLE;
    const int side = sli_triple3d(v[0], v[1], v[0], v[2], zero, w->sweep->sweep->dir, &stage);
    return transformed->mirrored ? -side : side;
}

/* Whether the motion meets the side of a triangle that is left out. */
static bool sweep_culls(const sweep_walk *w, const sli_transformed *transformed, double v[3][3])
{
    const sl_cull cull = w->s.ray->cull;
    if (cull == SL_CULL_NONE) {
        return false;
    }
    const int side = sweep_side(w, transformed, v);
    return cull == SL_CULL_BACK ? side > 0 : side < 0;
}

static bool sweep_accepts(const sli_world_sweep *sweep, const sl_contact *contact)
{
    const sl_options *options = sweep->options;
    const sl_hit shown = { .t = (float)contact->t,
                           .prim = contact->prim,
                           .instance = contact->instance,
                           .flags = contact->flags };
    return options->filter == NULL || options->filter(options->filter_user, sweep->index, &shown);
}

/* Whether the first contact so far is before any that a triangle may have: of what is met at the
 * start the lowest counts. */
static bool sweep_is_after(const sweep_walk *w, sl_triangle_ref triangle)
{
    const sl_hit_d earliest = { .t = 0, .prim = triangle.prim, .instance = triangle.instance };
    return w->s.best.prim != SL_NONE && sli_hit_d_before(&w->s.best, &earliest);
}

/* The contact with a triangle that the options leave in, if there is one that counts. */
static bool sweep_contact(sweep_walk *w, const sli_transformed *transformed,
                          sl_triangle_ref triangle, float x[3][3], sl_contact *contact)
{
    double v[3][3];
    if (sweep_is_after(w, triangle)) {
        return false;
    }
    sli_world_corners(transformed, x, v);
    if (sweep_culls(w, transformed, v) ||
        !sli_sweep_triangle(w->sweep->sweep, (const double(*)[3])v, fmin(w->s.t_bound, 1),
                            contact)) {
        return false;
    }
    w->s.object.stats.hits++;
    contact->prim = triangle.prim;
    contact->instance = triangle.instance;
    if (transformed->mirrored) {
        contact->flags &= ~(uint32_t)SL_HIT_BACK;
        contact->flags |= sweep_side(w, transformed, v) > 0 ? (uint32_t)SL_HIT_BACK : 0u;
    }
    return sweep_accepts(w->sweep, contact);
}

/* Nothing later than t matters any more. */
static void sweep_shrink(sweep_walk *w, double t)
{
    if (t < w->s.t_bound) {
        world_shrink(&w->s, t);
    }
}

/* Keeps a contact if it is the first so far. */
static void sweep_keep(sweep_walk *w, const sl_contact *contact)
{
    const sl_hit_d hit = { .t = contact->t, .prim = contact->prim, .instance = contact->instance };
    if (w->s.best.prim == SL_NONE || sli_hit_d_before(&hit, &w->s.best)) {
        w->s.best = hit;
        w->contact = *contact;
        sweep_shrink(w, hit.t);
    }
}

/* Decides what was deferred, the earliest first, as far as that matters. */
static SLI_NOINLINE void sweep_decide_deferred(sweep_walk *w)
{
    while (w->deferred_count > 0) {
        uint32_t first = 0;
        for (uint32_t i = 1; i < w->deferred_count; i++) {
            first = w->deferred[i].t < w->deferred[first].t ? i : first;
        }
        sweep_deferred *d = &w->deferred[first];
        sl_contact contact;
        if (d->t > w->s.t_most) {
            break;
        }
        if (sweep_contact(w, d->transformed, d->triangle, d->x, &contact)) {
            sweep_keep(w, &contact);
        }
        *d = w->deferred[--w->deferred_count];
    }
    w->deferred_count = 0;
}

/* Defers a lane whose contact lies surely in from .. by. */
static void sweep_defer(sweep_walk *w, const sli_tri_pack *pack, int lane, sl_triangle_ref triangle,
                        float from, float by)
{
    const sweep_space *s = &w->space;
    if (w->deferred_count == SWEEP_DEFERRED_MAX) {
        sweep_decide_deferred(w);
    }
    sweep_deferred *d = &w->deferred[w->deferred_count++];
    const double size = (fabs((double)by) + fabs(s->shift)) * 0x1p-50;
    d->t = ((double)from + s->shift - size) / s->scale * (1 - 0x1p-50);
    d->transformed = w->s.transformed;
    d->triangle = triangle;
    sli_pack_corners(pack, lane, d->x);
    sweep_shrink(w, ((double)by + s->shift + size) / s->scale * (1 + 0x1p-50));
}

/* Decides a lane, or defers it; true: the walk is over. */
static SLI_NOINLINE bool sweep_lane(sweep_walk *w, world_kind kind, const sli_tri_pack *pack,
                                    int lane, float from, float by)
{
    world_walk *s = &w->s;
    const sl_triangle_ref triangle = { .instance = s->instance, .prim = pack->prim[lane] };
    sl_contact contact;
    float x[3][3];
    if (!sli_item_has(&s->ray->item, triangle, pack->mask[lane])) {
        return false;
    }
    if (from > w->space.first && by < w->space.last) {
        s->best.prim = kind == WORLD_ANY ? triangle.prim : s->best.prim;
        if (kind == WORLD_CLOSEST) {
            sweep_defer(w, pack, lane, triangle, from, by);
        }
        return kind == WORLD_ANY;
    }
    sli_pack_corners(pack, lane, x);
    if (!sweep_contact(w, s->transformed, triangle, x, &contact)) {
        return false;
    }
    if (kind != WORLD_ALL) {
        sweep_keep(w, &contact);
    } else if (!(sli_pack_is_split(pack, lane) &&
                 sli_mailbox_is_repeat(&s->mailbox, s->transformed->tree, pack, lane, ray_reaches,
                                       &s->object))) {
        s->total++;
        w->take(w->context, &contact);
    }
    return kind == WORLD_ANY;
}

/* Walks the present instance with the shape; true: the walk is over. */
static SLI_FORCE_INLINE bool sweep_walk_object(sweep_walk *w, world_kind kind)
{
    walk *object = &w->s.object;
    const sl_bvh *tree = w->s.transformed->tree;
    const bool plain = kind == WORLD_ALL || object->wide;
    w->stack.size = tree->root != SLI_REF_EMPTY;
    w->stack.ref[0] = tree->root;
    w->stack.near[0] = object->tmin;
    for (;;) {
        const uint32_t leaf =
            plain ? next_leaf(object, tree, 0)
                  : sweep_next_leaf(object, &w->space, tree, w->s.t_bound < INFINITY, &w->stack);
        if (leaf == SLI_REF_EMPTY) {
            return false;
        }
        sli_tri_pack unpacked;
        const sli_tri_pack *pack = sli_tree_pack(tree, leaf, &unpacked);
        sweep_entries e = { .slabs = world_entries_of(object, pack, true),
                            .by = { INFINITY, INFINITY, INFINITY, INFINITY } };
        object->stats.triangles += sli_lane_count(pack->prim);
        if (!plain && e.slabs.met != 0) {
            sweep_measure(&w->space, object->bound, pack, &e);
        }
        while (e.slabs.met != 0) {
            const int lane = world_nearest_entry(&e.slabs);
            if (e.slabs.near[lane] > object->bound) {
                break;
            }
            if (sweep_lane(w, kind, pack, lane, e.slabs.near[lane], e.by[lane])) {
                return true;
            }
        }
    }
}

/* The t'' at which the middle leaves the bounds of a tree, as far as they have grown. */
static float sweep_leave(const walk *w, const sl_aabb *bounds)
{
    float leave = INFINITY;
    for (int axis = 0; axis < 3; axis++) {
        const float far = w->near_side[axis] ? bounds->min[axis] : bounds->max[axis];
        const float out = (far - w->far_base[axis]) * w->inverse[axis];
        leave = fminf(leave, out + fabsf(out) * SLAB_ERROR_SHARE + SLAB_TINY);
    }
    return leave;
}

static SLI_FORCE_INLINE bool sweep_visit(world_walk *s, world_kind kind, uint32_t instance)
{
    sweep_walk *w = (sweep_walk *)(void *)s;
    local_ray local;
    if (!world_enter_at(s, instance, &local)) {
        return false;
    }
    if (!s->object.wide) {
        const sl_bvh *tree = s->transformed->tree;
        s->object.bound = fminf(s->object.bound, sweep_leave(&s->object, &tree->bounds));
        sweep_space_make(&s->object, tree, s->transformed, &local, w->sweep, &w->space);
    }
    w->space.first = to_local_limit_up(&s->object, 0);
    w->space.last = s->object.wide ? -INFINITY : to_local_limit_down(&s->object, 1);
    return sweep_walk_object(w, kind);
}

static SLI_FORCE_INLINE void sweep_run(sweep_walk *w, const sli_world *world,
                                       const sli_world_sweep *sweep, world_kind kind,
                                       sl_stats *stats)
{
    w->sweep = sweep;
    w->deferred_count = 0;
    if (world->count == 1 && world->top->root != SLI_REF_EMPTY) {
        world_reset(&w->s, world, &sweep->ray);
        (void)sweep_visit(&w->s, kind, 0);
    } else if (world_begin(&w->s, world, &sweep->ray)) {
        world_walk_top(&w->s, kind, sweep_visit);
    }
    if (kind == WORLD_CLOSEST) {
        sweep_decide_deferred(w);
    }
    world_end(&w->s, stats);
}

static bool world_sweep_first(const sli_world *world, const sli_world_sweep *sweep,
                              sl_contact *contact, sl_stats *stats)
{
    sweep_walk w;
    sweep_run(&w, world, sweep, WORLD_CLOSEST, stats);
    if (w.s.best.prim != SL_NONE) {
        *contact = w.contact;
    }
    return w.s.best.prim != SL_NONE;
}

static bool world_sweep_any(const sli_world *world, const sli_world_sweep *sweep, sl_stats *stats)
{
    sweep_walk w;
    sweep_run(&w, world, sweep, WORLD_ANY, stats);
    return w.s.best.prim != SL_NONE;
}

static uint64_t world_sweep_all(const sli_world *world, const sli_world_sweep *sweep,
                                sli_take_contact *take, void *context, sl_stats *stats)
{
    sweep_walk w;
    w.take = take;
    w.context = context;
    sweep_run(&w, world, sweep, WORLD_ALL, stats);
    return w.s.total;
}
