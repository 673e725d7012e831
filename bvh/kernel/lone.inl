/* One ray at a time, by the data and the filters of the ring.  Nobody works while it waits for memory,
 * so what counts is how long each step takes: nodes that are met by one child or none go on
 * without the stack, and triangles that may be the closest are put off, until floats have told which of
 * them the doubles need to see. */

enum {
    LONE_LATER = 8,
    LONE_BEHIND = 12 /* lines behind a node that are asked for with it: four leaves */
};

/* Triangles of a block that may be hit. */
typedef struct lone_later {
    const sli_tri_pack *pack;
    uint32_t lanes;
    uint32_t within; /* of those: surely within the limits */
    float from;      /* none before this t' */
} lone_later;

typedef struct lone_walk {
    ring_near_slot slot;
    const sli_kernel_batch *batch;
    size_t index;
    float by_z;
    uint32_t later_count;
    lone_later later[LONE_LATER];
    sl_stats stats;
} lone_walk;

/* Eight times the block of four: all doubles at once. */
static void lone_question(const lone_walk *w, const sli_tri_pack *pack, ring_question *ask)
{
    const sli_kernel_batch *batch = w->batch;
    for (int axis = 0; axis < 3; axis++) {
        for (int corner = 0; corner < 3; corner++) {
            const f4 four = f4_load(pack->axis[axis].vertex[corner]);
            ask->corner[corner][axis] = d8_from_f8(f8_pair(four, four));
        }
    }
    if (batch->rays != NULL) {
        const sl_ray *ray = &batch->rays[w->index];
        for (int axis = 0; axis < 3; axis++) {
            ask->origin[axis] = d8_splat(ray->origin[axis]);
            ask->dir[axis] = d8_splat(ray->dir[axis]);
        }
        ask->tmin = d8_splat(ray->tmin);
        ask->tmax = d8_splat(ray->tmax);
        return;
    }
    const sl_segment *segment = &batch->segments[w->index];
    for (int axis = 0; axis < 3; axis++) {
        ask->origin[axis] = d8_splat(segment->p[axis]);
        ask->dir[axis] = d8_splat((double)segment->q[axis] - (double)segment->p[axis]);
    }
    ask->tmin = d8_splat(0);
    ask->tmax = d8_splat(1);
}

/* The triangles of a leaf that are not surely missed; true: any is satisfied.  within: lanes whose t
 * is surely within the limits. */
static bool lone_lanes(lone_walk *w, const sli_tri_pack *pack, uint32_t lanes, uint32_t within,
                       sl_hit *best, bool any)
{
    if ((lanes & ~within) != 0) {
        const uint32_t outside = lanes & lone_outside(w->batch, w->index, pack);
        w->stats.double_stage += (uint64_t)__builtin_popcount(outside);
        lanes &= ~outside;
        if (lanes == 0) {
            return false;
        }
    }
    ring_question ask;
    ring_eight e;
    float most[8];
    ring_words *words = &w->slot.slot.ray.w;
    f8_store(most, f8_splat(words->best));
    lone_question(w, pack, &ask);
    ask.crossings = (w->batch->query->flags & SL_CROSSINGS) != 0;
    ring_decide(&ask, w->batch->query->cull, any ? NULL : most, &e);
    w->stats.double_stage += (uint64_t)__builtin_popcount(lanes & ~e.unsure);
    for (lanes &= e.hit | e.unsure; lanes != 0; lanes &= lanes - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(lanes);
        sl_hit hit;
        if (!ring_hit_of(w->batch, &e, lane, w->index, pack, lane, words->best, any, &hit,
                         &w->stats)) {
            continue;
        }
        if (any) {
            *best = hit;
            return true;
        }
        if (ring_is_closer(&hit, best)) {
            *best = hit;
            words->best = hit.t;
            const float bound = ring_bound_of(words->scale, hit.t);
            words->bound = bound < words->bound ? bound : words->bound;
        }
    }
    return false;
}

/* The ray as the nodes want it, in registers. */
typedef struct lone_slabs {
    f8 inverse[3], near_offset[3], far_offset[3], tmin, bound;
    size_t near_side[3], far_side[3];
    uint32_t shift;
} lone_slabs;

RING_INLINE lone_slabs lone_slabs_of(const ring_ray *ray, bool any)
{
    lone_slabs s;
    for (int axis = 0; axis < 3; axis++) {
        s.inverse[axis] = f8_splat(ray->w.inverse[axis]);
        s.near_offset[axis] = f8_splat(ray->w.near_offset[axis]);
        s.far_offset[axis] = f8_splat(ray->w.far_offset[axis]);
        s.near_side[axis] = ray->o.near_side[axis];
        s.far_side[axis] = ray->o.far_side[axis];
    }
    s.tmin = f8_splat(ray->w.tmin);
    s.bound = f8_splat(ray->w.bound);
    s.shift = any ? ray->o.any_shift : ray->o.shift;
    return s;
}

/* Lines that are likely to be asked for soon: children that wait on the stack, and what stands behind a
 * node, which are its leaves and then the nodes below it. */
RING_INLINE void lone_prefetch(const char *at, int begin, int end)
{
    for (int line = begin; line < end; line++) {
        __builtin_prefetch(at + line * SLI_LINE);
    }
}

/* From an inner node down to a leaf, or to SLI_REF_EMPTY. */
RING_INLINE uint32_t lone_down(lone_walk *w, const lone_slabs *s, uint32_t ref, bool any)
{
    uint32_t *refs = w->slot.slot.ref, top = w->slot.slot.ray.w.top, nodes = 0;
    float *nears = w->slot.near;
    const float bound = w->slot.slot.ray.w.bound;
    const char *lines = (const char *)w->batch->tree->lines;
    do {
        const char *at = ring_address(lines, ref);
        const sli_node_wide *node = (const sli_node_wide *)(const void *)at;
        lone_prefetch(at, SLI_NODE_LINES, SLI_NODE_LINES + LONE_BEHIND);
        f8 entry[3], leave[3];
        for (int axis = 0; axis < 3; axis++) {
            entry[axis] = f8_muladd(f8_load((const float *)(const void *)(at + s->near_side[axis])),
                                    s->inverse[axis], s->near_offset[axis]);
            leave[axis] = f8_muladd(f8_load((const float *)(const void *)(at + s->far_side[axis])),
                                    s->inverse[axis], s->far_offset[axis]);
        }
        const f8 from = f8_max(f8_max(entry[0], entry[1]), f8_max(entry[2], s->tmin));
        const f8 to = f8_min(f8_min(leave[0], leave[1]), f8_min(leave[2], s->bound));
        const uint32_t met = f8_bits_le(from, to);
        nodes++;
        if ((met & (met - 1)) != 0) {
            const uint32_t count = simd_push(&refs[top + 1], any ? NULL : &nears[top + 1],
                                             node->child, node->order, s->shift, from, to);
            top += count;
            ref = refs[top--];
            lone_prefetch(ring_address(lines, refs[top]), 0, SLI_NODE_LINES);
            if (count > 2) {
                lone_prefetch(ring_address(lines, refs[top - 1]), 0, SLI_NODE_LINES);
            }
        } else if (met != 0) {
            ref = node->child[__builtin_ctz(met)];
        } else {
            while (!any && nears[top] > bound) {
                top--;
            }
            ref = refs[top--];
        }
    } while ((ref & SLI_REF_LEAF) == 0);
    w->slot.slot.ray.w.top = top;
    w->stats.nodes += nodes;
    return ref;
}

/* Triangles that were put off, if they still may be the closest. */
static __attribute__((noinline)) void lone_settle(lone_walk *w, sl_hit *best)
{
    for (uint32_t i = w->later_count; i-- > 0;) {
        const lone_later *later = &w->later[i];
        if (later->from <= w->slot.slot.ray.w.bound) {
            (void)lone_lanes(w, later->pack, later->lanes, later->within, best, false);
        }
    }
    w->later_count = 0;
}

/* Those of the lanes that the options leave in. */
static uint32_t lone_wanted(const lone_walk *w, const sli_tri_pack *pack, uint32_t lanes)
{
    const sli_kernel_filter filter = sli_filter_of(w->batch->query, w->index);
    for (uint32_t left = lanes; left != 0; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(left);
        if (!sli_kernel_wants(&filter, pack->axis[0].meta[lane], pack->axis[1].meta[lane])) {
            lanes &= ~(1u << lane);
        }
    }
    return lanes;
}

/* Notes triangles that may be the closest. */
RING_INLINE void lone_put_off(lone_walk *w, const sli_tri_pack *pack, const lone_range *range,
                              uint32_t lanes, uint32_t sure, sl_hit *best)
{
    ring_words *ray = &w->slot.slot.ray.w;
    float from[4], to[4], least = INFINITY, bound = ray->bound;
    f4_store(from, range->from);
    f4_store(to, range->to);
    for (uint32_t left = lanes; left != 0; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(left);
        const float first = (range->steady >> lane & 1) != 0 ? from[lane] : -INFINITY;
        least = first < least ? first : least;
        if ((sure >> lane & 1) != 0) {
            const float last = ring_bound(ray->scale, to[lane]);
            bound = last < bound ? last : bound;
        }
    }
    ray->bound = bound;
    w->later[w->later_count++] = (lone_later){ pack, lanes, sure, least };
    if (w->later_count == LONE_LATER) {
        lone_settle(w, best);
    }
}

/* The triangles of a leaf; true: any is satisfied. */
RING_INLINE bool lone_leaf(lone_walk *w, const char *at, sl_hit *best, bool any)
{
    const sl_query *query = w->batch->query;
    const sli_tri_pack *pack = (const sli_tri_pack *)(const void *)at;
    const ring_edges edges = ring_edges_of(&w->slot.slot.ray, at);
    uint32_t used, lanes = ring_not_missed(&edges, at, &used);
    w->stats.triangles += (uint64_t)__builtin_popcount(used);
    if (lanes == 0) {
        return false;
    }
    const lone_range range = lone_measure(&w->slot.slot.ray.w, w->by_z, &edges);
    lanes &= ~range.out;
    if ((query->flags & (SL_USE_MASK | SL_USE_SKIP)) != 0) {
        lanes = lone_wanted(w, pack, lanes);
    }
    if (lanes == 0) {
        return false;
    }
    const uint32_t sure = query->cull == SL_CULL_NONE ? lanes & range.sure : 0;
    if (!any) {
        lone_put_off(w, pack, &range, lanes, sure, best);
        return false;
    }
    if (sure != 0) {
        best->prim = pack->axis[0].meta[__builtin_ctz(sure)];
        w->stats.hits++;
        return true;
    }
    return lone_lanes(w, pack, lanes, 0, best, true);
}

/* best: as a miss.  rooms: for the blocks of a compact tree that are put off; else NULL. */
RING_INLINE bool lone_run(lone_walk *w, sl_hit *best, bool any, sli_tri_pack *rooms)
{
    const sl_bvh *tree = w->batch->tree;
    ring_slot *slot = &w->slot.slot;
    uint32_t ref = tree->root;
    slot->ref[0] = SLI_REF_EMPTY;
    w->slot.near[0] = -INFINITY;
    slot->ray.w.top = 0;
    lone_slabs slabs = lone_slabs_of(&slot->ray, any);
    for (;;) {
        if ((ref & SLI_REF_LEAF) == 0) {
            ref = lone_down(w, &slabs, ref, any);
        }
        if (ref == SLI_REF_EMPTY) {
            break;
        }
        uint32_t top;
        const char *at =
            rooms != NULL ? (const char *)sli_tree_pack(tree, ref, &rooms[w->later_count])
                          : ring_address((const char *)tree->lines, ref);
        if (lone_leaf(w, at, best, any)) {
            return true;
        }
        slabs.bound = f8_splat(slot->ray.w.bound);
        for (top = slot->ray.w.top; !any && w->slot.near[top] > slot->ray.w.bound; top--) {
        }
        ref = slot->ref[top];
        slot->ray.w.top = top - 1;
    }
    if (!any && w->later_count > 0) {
        lone_settle(w, best);
    }
    return best->prim != SL_NONE;
}

/* An instance of its own, so that the other one keeps its registers. */
static __attribute__((noinline)) bool lone_compact(lone_walk *w, sl_hit *best, bool any)
{
    sli_tri_pack rooms[LONE_LATER];
    return lone_run(w, best, any, rooms);
}

/* Rays that are outside the range of the float filters. */
static __attribute__((noinline)) bool wide_ask(const sli_kernel_batch *batch, size_t index,
                                               sl_hit *best, bool any, sl_stats *stats)
{
    sli_kernel_ray ray;
    sli_kernel_exact_ray(batch, index, &ray.exact);
    ray.filter = sli_filter_of(batch->query, index);
    ray.cull = batch->query->cull;
    ray.after = NULL;
    return any ? traverse_any(batch->tree, &ray, &best->prim, stats)
               : traverse_closest(batch->tree, &ray, best, stats);
}

/* Ray index of a batch.  best becomes a miss, or the hit. */
RING_INLINE bool lone_ask(const sli_kernel_batch *batch, size_t index, sl_hit *best, bool any,
                          sl_stats *stats)
{
    lone_walk w;
    lone_line line;
    w.batch = batch;
    w.index = index;
    w.later_count = 0;
    w.stats = (sl_stats){ .rays = 1 };
    const bool valid = batch->rays != NULL ? lone_read_ray(&batch->rays[index], &line)
                                           : lone_read_segment(&batch->segments[index], &line);
    *best = (sl_hit){ .t = line.tmax, .prim = SL_NONE };
    bool found = false;
    if (valid && batch->tree->root != SLI_REF_EMPTY) {
        if (!lone_prepare(batch->tree, &line, &w.slot.slot.ray, &w.by_z)) {
            return wide_ask(batch, index, best, any, stats);
        }
        found = batch->tree->vertices != NULL ? lone_compact(&w, best, any)
                                              : lone_run(&w, best, any, NULL);
    }
    if (stats != NULL) {
        w.stats.boxes = w.stats.nodes * SLI_WIDTH;
        w.stats.float_stage = w.stats.triangles - w.stats.double_stage - w.stats.exact_stage;
        add_stats_to(&w.stats, stats);
    }
    return found;
}
