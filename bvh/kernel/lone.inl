/* One ray at a time, by the data and the filters of the ring.  Nobody works while it waits for memory,
 * so what counts is how long each step takes: nodes that are met by one child or none go on
 * without the stack. */

typedef struct lone_walk {
    ring_near_slot slot;
    const sli_kernel_batch *batch;
    size_t index;
    sl_stats stats;
} lone_walk;

/* The ray in floats. */
typedef struct lone_line {
    float origin[3], dir[3], tmin, tmax, reach;
} lone_line;

static bool lone_finite(const float a[3])
{
    return fabsf(a[0]) <= 0x1.fffffep127f && fabsf(a[1]) <= 0x1.fffffep127f &&
           fabsf(a[2]) <= 0x1.fffffep127f;
}

static float lone_largest(const float a[3])
{
    const float x = fabsf(a[0]), y = fabsf(a[1]), z = fabsf(a[2]), xy = x > y ? x : y;
    return xy > z ? xy : z;
}

/* False: invalid. */
static bool lone_read(const sli_kernel_batch *batch, size_t index, lone_line *line)
{
    if (batch->rays != NULL) {
        const sl_ray *ray = &batch->rays[index];
        memcpy(line->origin, ray->origin, sizeof line->origin);
        memcpy(line->dir, ray->dir, sizeof line->dir);
        line->tmin = ray->tmin;
        line->tmax = ray->tmax;
        line->reach = lone_largest(line->origin);
        return lone_finite(line->origin) && lone_finite(line->dir) && ray->tmin <= ray->tmax &&
               lone_largest(line->dir) > 0;
    }
    const sl_segment *segment = &batch->segments[index];
    const float p = lone_largest(segment->p), q = lone_largest(segment->q);
    memcpy(line->origin, segment->p, sizeof line->origin);
    for (int axis = 0; axis < 3; axis++) {
        line->dir[axis] = segment->q[axis] - segment->p[axis];
    }
    line->tmin = 0;
    line->tmax = 1;
    line->reach = p > q ? p : q;
    return lone_finite(segment->p) && lone_finite(segment->q) && lone_largest(line->dir) > 0;
}

/* The power of two that is no larger than x, and its inverse, for x in 2^-126 .. 2^126. */
static float lone_power(float x, float *inverse)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits &= 0x7F800000;
    const uint32_t other = 0x7F000000 - bits;
    float power;
    memcpy(&power, &bits, sizeof power);
    memcpy(inverse, &other, sizeof *inverse);
    return power;
}

/* As prepare_rows; false: outside the range of the float filters. */
static bool lone_prepare(lone_walk *w, const lone_line *line)
{
    const float longest = lone_largest(line->dir);
    const float reach = (w->batch->tree->reach + line->reach) * (1 + 4 * WALK_U);
    if (!(reach >= 2 * WALK_LEAST && reach <= WALK_MOST && longest >= 0x1p-126f &&
          longest <= 0x1p126f)) {
        return false;
    }
    ring_ray *ray = &w->slot.slot.ray;
    float shrink, dir[3], inverse[3];
    const float power = lone_power(longest, &shrink);
    int octant = 0, z = 0;
    for (int axis = 0; axis < 3; axis++) {
        const bool negative = line->dir[axis] < 0;
        dir[axis] = line->dir[axis] * shrink;
        const float size = fabsf(dir[axis]) > WALK_TINY ? fabsf(dir[axis]) : WALK_TINY;
        const float positive = 1 / size, error = SLAB_ERROR * WALK_U * reach * positive;
        inverse[axis] = negative ? -positive : positive;
        const float middle = line->origin[axis] * inverse[axis];
        ray->w.inverse[axis] = inverse[axis];
        ray->w.near_offset[axis] = -(middle + error);
        ray->w.far_offset[axis] = error - middle;
        octant |= negative << axis;
        z = fabsf(line->dir[axis]) > fabsf(line->dir[z]) ? axis : z;
    }
    const int x = (z + 1) % 3, y = (z + 2) % 3;
    ray->w.tmin = line->tmin * power - RING_TINY;
    ray->w.bound = line->tmax * power + RING_TINY;
    ray->w.origin[0] = line->origin[x];
    ray->w.origin[1] = line->origin[y];
    ray->w.origin[2] = line->origin[z];
    ray->w.shear[0] = dir[x] * inverse[z];
    ray->w.shear[1] = dir[y] * inverse[z];
    ray->w.edge_error = RING_EDGE_ERROR * reach;
    ray->w.scale = power;
    ray->w.best = INFINITY;
    ray->o = ring_offsets_of[octant + 8 * z];
    return true;
}

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

/* The triangles of a leaf that are not surely missed; true: any is satisfied. */
static bool lone_lanes(lone_walk *w, const sli_tri_pack *pack, uint32_t lanes, sl_hit *best,
                       bool any)
{
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
            top += simd_push(&refs[top + 1], any ? NULL : &nears[top + 1], node->child,
                             node->order, s->shift, from, to);
            ref = refs[top--];
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

/* best: as a miss.  compact: the layout of the tree. */
RING_INLINE bool lone_run(lone_walk *w, sl_hit *best, bool any, bool compact)
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
            return best->prim != SL_NONE;
        }
        uint32_t used, top;
        sli_tri_pack room;
        const char *at = compact ? (const char *)sli_tree_pack(tree, ref, &room)
                                 : ring_address((const char *)tree->lines, ref);
        const uint32_t lanes = ring_filter(&slot->ray, at, &used);
        w->stats.triangles += (uint64_t)__builtin_popcount(used);
        w->stats.float_stage += (uint64_t)__builtin_popcount(used & ~lanes);
        if (lanes != 0) {
            const bool done =
                lone_lanes(w, (const sli_tri_pack *)(const void *)at, lanes, best, any);
            if (any && done) {
                return true;
            }
            slabs.bound = f8_splat(slot->ray.w.bound);
        }
        for (top = slot->ray.w.top; !any && w->slot.near[top] > slot->ray.w.bound; top--) {
        }
        ref = slot->ref[top];
        slot->ray.w.top = top - 1;
    }
}

/* An instance of its own, so that the other one keeps its registers. */
static __attribute__((noinline)) bool lone_compact(lone_walk *w, sl_hit *best, bool any)
{
    return lone_run(w, best, any, true);
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
    const bool valid = lone_read(batch, index, &line);
    *best = (sl_hit){ .t = line.tmax, .prim = SL_NONE };
    if (!valid || batch->tree->root == SLI_REF_EMPTY) {
        stats->rays++;
        return false;
    }
    if (!lone_prepare(&w, &line)) {
        return wide_ask(batch, index, best, any, stats);
    }
    w.stats = (sl_stats){ .rays = 1 };
    const bool found = batch->tree->vertices != NULL ? lone_compact(&w, best, any)
                                                     : lone_run(&w, best, any, false);
    w.stats.boxes = w.stats.nodes * SLI_WIDTH;
    add_stats_to(&w.stats, stats);
    return found;
}
