/* Shapes that move through instances: the middle of a shape's bounds goes down the trees as a ray
 * does (instance/walk.inl), through boxes that have grown by as far as the shape reaches from it;
 * triangles are decided or put off by contact.inl.  For bvh/sweep: first, any and all of the kernel
 * table.
 * Source   the sum of box and shape: Minkowski, as in Ericson, Real-Time Collision Detection
 *          (2005), 5.5.7. */
#pragma once

#include "bvh/kernel/sweep/contact.inl"

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
    if (sweep_is_after(w, triangle)) {
        return false;
    }
    if (by <= w->space.first && w->sweep->sweep->overlapping == SL_START_REPORT) {
        sweep_keep_overlap(w, pack, lane, triangle);
        return kind == WORLD_ANY;
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
        sweep_keep(w, s->transformed, x, &contact);
    } else if (!(sli_pack_is_split(pack, lane) &&
                 sli_mailbox_is_repeat(&s->mailbox, s->transformed->tree, pack, lane, ray_reaches,
                                       &s->object))) {
        s->total++;
        w->take(w->context, &contact);
    }
    return kind == WORLD_ANY;
}

/* Takes another leaf off the stack, if one is on top. */
static SLI_FORCE_INLINE bool sweep_takes_leaf(sweep_stack *stack, float bound)
{
    const int top = stack->size - 1;
    const bool takes =
        top >= 0 && (stack->ref[top] & SLI_REF_LEAF) != 0 && stack->near[top] <= bound;
    stack->size -= takes;
    return takes;
}

/* The leaf that was taken off the stack, and the next one if that is a leaf, too: where a ball may
 * meet their triangles.  Those that are cut may be met before it comes to this leaf; and of what
 * overlaps at the start the lowest counts. */
static SLI_FORCE_INLINE void sweep_ball_leaves(sweep_walk *w, uint32_t leaf,
                                               sli_tri_pack unpacked[2],
                                               const sli_tri_pack *pack[2], sweep_entries *e)
{
    walk *object = &w->s.object;
    const bool at_start = w->s.t_bound == 0 && w->s.best.instance == w->s.instance;
    const uint32_t most = at_start ? w->s.best.prim : SL_NONE;
    float near[2];
    uint32_t cut = 0;
    int count = 0;
    e->met = 0;
    do {
        const int top = w->stack.size;
        const uint32_t ref = count == 0 ? leaf : w->stack.ref[top];
        pack[count] = sli_tree_pack(w->s.transformed->tree, ref, &unpacked[count]);
        e->met |= f4_bits_below(pack[count]->prim, most) << (SLI_PACK * count);
        cut |= f4_bits_ne(pack[count]->before, 0) << (SLI_PACK * count);
        near[count] = w->stack.near[top];
        object->stats.triangles += sli_lane_count(pack[count]->prim);
    } while (++count < 2 && sweep_takes_leaf(&w->stack, object->bound));
    pack[1] = pack[count - 1];
    f8_store(e->near, f8_where(cut, f8_splat(object->tmin),
                               f8_pair(f4_splat(near[0]), f4_splat(near[count - 1]))));
    if (e->met != 0) {
        sweep_ball_measure(&w->space, object->bound, w->s.t_bound < INFINITY, pack, e);
    }
}

/* Likewise of any shape, at one leaf. */
static SLI_FORCE_INLINE void sweep_leaf(sweep_walk *w, bool plain, uint32_t leaf,
                                        sli_tri_pack unpacked[2], const sli_tri_pack *pack[2],
                                        sweep_entries *e)
{
    walk *object = &w->s.object;
    pack[0] = sli_tree_pack(w->s.transformed->tree, leaf, unpacked);
    const world_entries slabs = world_entries_of(object, pack[0], true);
    e->met = slabs.met;
    memcpy(e->near, slabs.near, sizeof slabs.near);
    f8_store(e->by, f8_splat(INFINITY));
    object->stats.triangles += sli_lane_count(pack[0]->prim);
    if (!plain && e->met != 0) {
        sweep_measure(&w->space, object->bound, pack[0], e);
    }
}

/* Walks the present instance with the shape; true: the walk is over. */
static SLI_FORCE_INLINE bool sweep_walk_object(sweep_walk *w, world_kind kind, bool ball)
{
    walk *object = &w->s.object;
    const sl_bvh *tree = w->s.transformed->tree;
    const bool plain = !ball && (kind == WORLD_ALL || object->wide);
    w->stack.size = tree->root != SLI_REF_EMPTY;
    w->stack.ref[0] = tree->root;
    w->stack.near[0] = object->tmin;
    for (;;) {
        const bool found = w->s.t_bound < INFINITY;
        const uint32_t leaf =
            plain ? next_leaf(object, tree, 0)
                  : sweep_next_leaf(object, &w->space, ball, tree, found, &w->stack);
        if (leaf == SLI_REF_EMPTY) {
            return false;
        }
        sli_tri_pack unpacked[2];
        const sli_tri_pack *pack[2];
        sweep_entries e;
        if (ball) {
            sweep_ball_leaves(w, leaf, unpacked, pack, &e);
        } else {
            sweep_leaf(w, plain, leaf, unpacked, pack, &e);
        }
        while (e.met != 0) {
            const int lane = world_nearest_entry(&e.met, e.near);
            if (e.near[lane] > object->bound) {
                break;
            }
            if (sweep_lane(w, kind, pack[lane / SLI_PACK], lane % SLI_PACK, e.near[lane],
                           e.by[lane])) {
                return true;
            }
        }
    }
}

/* Not inlined, so that their frames are apart. */
static SLI_NOINLINE bool sweep_walk_ball(sweep_walk *w, world_kind kind)
{
    return sweep_walk_object(w, kind, true);
}

static SLI_NOINLINE bool sweep_walk_any(sweep_walk *w, world_kind kind)
{
    return sweep_walk_object(w, kind, false);
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
    return kind != WORLD_ALL && !s->object.wide && w->sweep->sweep->kind == SL_VOLUME_SPHERE
               ? sweep_walk_ball(w, kind)
               : sweep_walk_any(w, kind);
}

static SLI_FORCE_INLINE void sweep_run(sweep_walk *w, const sli_world *world,
                                       const sli_world_sweep *sweep, world_kind kind,
                                       sl_stats *stats)
{
    w->sweep = sweep;
    w->overlaps = false;
    w->deferred_count = 0;
    if (world->count == 1 && world->top->root != SLI_REF_EMPTY) {
        world_reset(&w->s, world, &sweep->ray);
        (void)sweep_visit(&w->s, kind, 0);
    } else if (world_begin(&w->s, world, &sweep->ray)) {
        world_walk_top(&w->s, kind, sweep_visit);
    }
    if (kind == WORLD_CLOSEST) {
        sweep_decide_deferred(w);
        sweep_decide_overlap(w);
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
