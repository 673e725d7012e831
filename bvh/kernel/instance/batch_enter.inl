/* How rays of a scene batch change spaces: into the top tree, from its leaves into instances, and
 * back (batch_state.inl). */
#pragma once

#include "bvh/kernel/instance/batch_state.inl"
#include "bvh/kernel/instance/hints.inl"
#include "bvh/kernel/packet/rays.inl"

/* The top tree as an instance.  What is allowed for is what to_local_top allows for. */
static void world_top_of(const sli_world *world, sli_transformed *top)
{
    *top = (sli_transformed){ .tree = world->top,
                              .half = world->half,
                              .span = world->half,
                              .norm = 4.0 / 3 * (1 + 0x1p-40),
                              .share = 10 * TO_LOCAL_EPS,
                              .fixed = 0x1p-149,
                              .ball = world->half * 1.7320509,
                              .radius = world->half * (1 + 0x1p-20) };
    for (int axis = 0; axis < 3; axis++) {
        top->inverse[axis][axis] = 1;
        top->centre[axis] = world->middle[axis];
    }
}

/* Reads eight items as rays to be transformed; returns the lanes that the filters can take. */
static uint32_t world_read_to_local(const sli_world_batch *batch, const size_t index[8],
                                    to_local8 *rays)
{
    world_query read;
    world_read(batch, index, &read);
    memcpy(rays->origin, read.ray.origin, sizeof rays->origin);
    memcpy(rays->dir, read.ray.dir, sizeof rays->dir);
    rays->tmin = read.ray.tmin;
    rays->most = read.ray.tmax;
    return read.fit;
}

/* Whether a packet has answered an item. */
static SLI_FORCE_INLINE bool world_is_answered(const world_batch *r, size_t index)
{
    return r->packed && world_rest_has(r->rest.answered, index - r->first);
}

/* Whether a packet has left only some instances of an item. */
static SLI_FORCE_INLINE bool world_is_begun(const world_batch *r, size_t index)
{
    return r->packed && r->rest.count != 0 && world_rest_has(r->rest.begun, index - r->first);
}

/* Starts the items that packets have begun with the hits that they have. */
static SLI_NOINLINE void world_resume_hits(world_batch *r, uint32_t count)
{
    for (uint32_t i = 0; i < count && r->any == NULL; i++) {
        const sl_hit_d best = world_best(r, r->index[i]);
        if (world_is_begun(r, r->index[i]) && best.prim != SL_NONE) {
            const double most = world_t_most(r->in_floats, best.t);
            r->most[i] = most < r->most[i] ? most : r->most[i];
            r->best[i] = r->in_floats ? (float)best.t : INFINITY;
        }
    }
}

/* Whether no packet and no hint can have answered any of the next eight items. */
static SLI_FORCE_INLINE bool world_eight_are_open(const world_batch *r)
{
    const size_t i = r->next - r->first, word = i / WORLD_PACKET_ITEMS,
                 bit = i % WORLD_PACKET_ITEMS;
    if (r->answered || r->end - r->next < 8) {
        return false;
    }
    return !r->packed || word >= WORLD_PACKETS ||
           (bit <= WORLD_PACKET_ITEMS - 8 && (r->rest.answered[word] >> bit & 0xFF) == 0);
}

/* The next items that no hint and no packet has answered, at most eight; the number. */
static uint32_t world_next_items(world_batch *r, size_t index[8])
{
    const uint64_t all_answered = UINT64_C(0x0101010101010101);
    uint32_t count = 0;
    if (world_eight_are_open(r)) {
        for (; count < 8; count++) {
            index[count] = r->next++;
        }
    }
    while (count < 8 && r->next < r->end) {
        uint64_t answers = 0;
        if (r->answered && r->end - r->next >= 8) {
            memcpy(&answers, &r->any[r->next], sizeof answers);
        }
        if (answers == all_answered) {
            r->next += 8;
        } else if (r->answered && r->any[r->next] != 0) {
            r->next++;
        } else if (world_is_answered(r, r->next)) {
            const size_t i = r->next - r->first, bit = i % WORLD_PACKET_ITEMS;
            const uint64_t open = ~(r->rest.answered[i / WORLD_PACKET_ITEMS] >> bit);
            r->next += open != 0 ? (size_t)__builtin_ctzll(open) : WORLD_PACKET_ITEMS;
        } else {
            index[count++] = r->next++;
        }
    }
    return count;
}

/* Prefetches the items after the next eight. */
static SLI_FORCE_INLINE void world_prefetch_items(const world_batch *r)
{
    const sli_world_batch *batch = r->batch;
    if (r->end - r->next <= 16) {
        return;
    }
    const size_t i = r->next + 8;
    const char *at = batch->rays != NULL       ? (const char *)&batch->rays[i]
                     : batch->segments != NULL ? (const char *)&batch->segments[i]
                     : batch->rays_d != NULL   ? (const char *)&batch->rays_d[i]
                                               : (const char *)&batch->segments_d[i];
    const int lines = batch->rays != NULL || batch->segments != NULL ? 4 : 8;
    for (int line = 0; line < lines; line++) {
        __builtin_prefetch(at + line * SLI_LINE);
    }
}

/* Prepares the next items, at most eight, and answers at once those that the filters cannot
 * take. */
static SLI_NOINLINE void world_prepare(world_batch *r)
{
    const uint32_t count = world_next_items(r, r->index), real = (1u << count) - 1;
    to_local8 rays;
    float *to[8];
    if (count == 0) {
        return;
    }
    for (uint32_t i = 0; i < 8; i++) {
        r->index[i] = r->index[i < count ? i : 0];
        to[i] = r->words[i];
    }
    to_local8_read_one(&rays, r->only != NULL ? r->only : &r->top,
                       r->only == NULL || r->batch->unmoved);
    world_prefetch_items(r);
    const uint32_t fit = world_read_to_local(r->batch, r->index, &rays);
    d8_store(r->most, rays.most);
    for (uint32_t i = 0; i < count; i++) {
        if (r->any != NULL || !world_is_begun(r, r->index[i])) {
            world_put_miss(r, r->index[i], r->most[i]);
        }
    }
    f8_store(r->best, f8_splat(INFINITY));
    if (r->packed && r->rest.count != 0) {
        world_resume_hits(r, count);
        rays.most = d8_doubles(r->most);
    }
    to_local8_run(&rays, to, &r->group);
    r->group.ready &= fit & real;
    for (uint32_t apart = real & ~r->group.ready; apart != 0; apart &= apart - 1) {
        world_by_walk(r, r->index[__builtin_ctz(apart)]);
    }
    if (r->any != NULL && r->batch->hinted) {
        for (int axis = 0; axis < 3; axis++) {
            d8_store(r->lines.origin[axis], rays.origin[axis]);
            d8_store(r->lines.dir[axis], rays.dir[axis]);
        }
        d8_store(r->lines.tmin, rays.tmin);
    }
    r->stats.rays += (uint64_t)__builtin_popcount(r->group.ready);
    r->stats.instances += r->only != NULL ? (uint64_t)__builtin_popcount(r->group.ready) : 0;
}

/* Whether the instance of a hint is worth entering before the top tree: whether the item in a lane
 * comes as near to its centre as its triangles are.  A wrong hint would else send a ray into a tree
 * that it is nowhere near to, which the top tree would have kept it from.  No answer depends on it,
 * and numbers that overflow leave the instance in. */
static SLI_FORCE_INLINE bool world_hint_near(const world_batch *r, uint32_t lane,
                                             const sli_transformed *transformed)
{
    const world_lines *lines = &r->lines;
    double to[3], away = 0, dot = 0, square = 0;
    for (int axis = 0; axis < 3; axis++) {
        to[axis] = transformed->centre[axis] - lines->origin[axis][lane];
        dot += to[axis] * lines->dir[axis][lane];
        square += lines->dir[axis][lane] * lines->dir[axis][lane];
    }
    double t = dot / square; /* where the item is nearest */
    t = t < lines->tmin[lane] ? lines->tmin[lane] : t;
    t = t > r->most[lane] ? r->most[lane] : t;
    for (int axis = 0; axis < 3; axis++) {
        const double off = to[axis] - t * lines->dir[axis][lane];
        away += off * off;
    }
    return !(away > transformed->ball * transformed->ball * (1 + 0x1p-20));
}

/* The instance of the hint of the item in a lane, where there is a tree to walk and the item comes
 * near it; else SL_NONE.  What occluded a line a frame ago and has moved is mostly still in its
 * way, with another triangle.  It is looked up as the item starts: the loads of eight instances at
 * once would be waited for. */
static SLI_FORCE_INLINE uint32_t world_hint_instance(const world_batch *r, uint32_t lane)
{
    const sl_triangle_ref hint = r->refs[r->index[lane]];
    const sl_bvh *tree = hint.prim != SL_NONE ? world_hint_tree(r->batch, hint) : NULL;
    const bool enters = tree != NULL && tree->root != SLI_REF_EMPTY &&
                        world_hint_near(r, lane, &r->batch->world->transformed[hint.instance]);
    return enters ? hint.instance : SL_NONE;
}

/* Sends a ray that starts to an instance first, and then to the top tree's root. */
static SLI_FORCE_INLINE void world_start_in(world_batch *r, stream_slot *slot, uint32_t instance)
{
    const sli_world *world = r->batch->world;
    slot->ref[1] = world->top->root;
    slot->ref[2] = WORLD_REF_INSTANCE | instance;
    slot->ray.w.top = 2;
    world_queue(r, slot, (const char *)world->top->lines);
}

/* Sends a ray that a packet has begun to the instances that are left, the nearest first. */
static SLI_NOINLINE void world_resume(world_batch *r, stream_slot *slot, bool any)
{
    const size_t i = slot->ray.w.index - r->first, packet = i / PACKET;
    const world_rest *rest = &r->rest;
    const world_aside *aside = slot_aside(slot, any);
    uint32_t top = 0;
    for (uint32_t k = rest->end[packet]; k-- > rest->begin[packet];) {
        const world_rest_entry *entry = &rest->entry[k];
        slot->ref[top + 1] = WORLD_REF_INSTANCE | entry->instance;
        if (!any) {
            const double scale = (double)slot->ray.w.scale;
            const double near = ((double)entry->near - aside->base_t) * scale;
            slot_nears(slot)[top + 1] = (float)(near - fabs(near) * 0x1p-20);
        }
        top += entry->lines >> i % PACKET & 1; /* without a branch */
    }
    slot->ray.w.top = top;
    world_queue(r, slot, aside->lines);
}

/* Starts a ray that was taken to the only instance there is at the root of its tree.  Its end
 * there is that of the ray. */
static SLI_FORCE_INLINE void world_start_inside(world_batch *r, stream_slot *slot, bool any)
{
    const sl_bvh *tree = r->only->tree;
    world_aside *aside = slot_aside(slot, any);
    slot->ray.base_t = (float)(aside->base_t * (double)slot->ray.w.scale);
    aside->lines = (const char *)tree->lines;
    aside->instance = 0;
    aside->floor = 0;
    slot->ray.w.at = line_at(aside->lines, tree->root);
    world_list(r, WORLD_NODES, slot);
}

/* Starts the next ray in this slot.  False: no ray is left. */
static SLI_FORCE_INLINE bool world_start(world_batch *r, stream_slot *slot, bool any)
{
    while (r->group.ready == 0) {
        if (r->next == r->end) {
            return false;
        }
        world_prepare(r);
    }
    const sl_bvh *top = r->batch->world->top;
    const uint32_t lane = (uint32_t)__builtin_ctz(r->group.ready);
    const float *words = r->words[lane];
    world_aside *aside = slot_aside(slot, any);
    ray_words *w = &slot->ray.w;
    r->group.ready &= r->group.ready - 1;
    memcpy(w, words, sizeof *w);
    slot->ray.o = ray_offsets_of[(int)words[RAY_WHICH_OFFSETS]];
    slot->ray.base_t = slot->ray.grid = 0;
    slot->ray.best = r->best[lane];
    aside->base_t = r->group.base_t[lane];
    aside->most = r->most[lane];
    w->index = r->index[lane];
    slot->ref[0] = SLI_REF_EMPTY;
    w->top = 1;
    if (!any) {
        slot_nears(slot)[0] = -INFINITY;
    }
    if (r->only != NULL) {
        world_start_inside(r, slot, any);
        return true;
    }
    memcpy(aside->inverse, words, 12 * sizeof *words);
    aside->offsets = slot->ray.o;
    aside->top_base_t = aside->base_t;
    aside->lines = (const char *)top->lines;
    aside->instance = SL_NONE;
    aside->tried = SL_NONE;
    w->at = line_at(aside->lines, top->root);
    if (world_is_begun(r, w->index)) {
        world_resume(r, slot, any);
        return true;
    }
    aside->tried = any && r->batch->hinted ? world_hint_instance(r, lane) : SL_NONE;
    if (aside->tried != SL_NONE) {
        world_start_in(r, slot, aside->tried);
    } else {
        world_list(r, WORLD_NODES, slot);
    }
    return true;
}

/* Pushes the instances of a top leaf that the ray meets; returns how many.  The last one is entered
 * first: closest, the nearest; any, the one whose box the ray is in for longest, which is the
 * likeliest to be hit. */
static SLI_FORCE_INLINE uint32_t world_push_instances(stream_slot *slot, bool any)
{
    const ray_words *w = &slot->ray.w;
    const sli_tri_pack *pack = (const sli_tri_pack *)(const void *)w->at;
    f4 from, end;
    uint32_t met = world_meet_instances(w, &slot->ray.o, w->at, &from, &end);
    if (any) {
        met &= f4_bits_ne(pack->prim, slot_aside(slot, true)->tried);
    }
    float *nears = any ? NULL : slot_nears(slot) + w->top + 1;
    return simd_push4(slot->ref + w->top + 1, nears, pack->prim, WORLD_REF_INSTANCE, met,
                      any ? f4_sub(end, from) : from, any);
}

/* Takes a ray back to the top, and drops what lies beyond its closest hit. */
static SLI_FORCE_INLINE void world_return(world_batch *r, stream_slot *slot, bool any)
{
    world_aside *aside = slot_aside(slot, any);
    ray_words *w = &slot->ray.w;
    memcpy(w->inverse, aside->inverse, 12 * sizeof *w->inverse);
    slot->ray.o = aside->offsets;
    aside->base_t = aside->top_base_t;
    aside->lines = (const char *)r->batch->world->top->lines;
    aside->instance = SL_NONE;
    if (!any) {
        const float bound = to_local8_bound_from(aside->most, aside->base_t, w->scale);
        w->bound = bound < w->bound ? bound : w->bound;
        w->top = simd_keep(slot->ref, slot_nears(slot), aside->floor, w->bound) - 1;
    }
}

/* What becomes of a ray that cannot enter an instance in flight.  Rare. */
static SLI_NOINLINE void world_not_taken(world_batch *r, stream_slot *slot, bool any)
{
    world_aside *aside = slot_aside(slot, any);
    if (aside->entering == aside->tried) { /* which was nothing but a guess, and the first */
        memcpy(slot->ray.w.inverse, aside->inverse, 12 * sizeof *aside->inverse);
        aside->tried = SL_NONE;
        world_queue(r, slot, aside->lines);
    } else {
        world_give_up(r, slot);
    }
}

/* Puts rays whose words were transformed into their instances' trees; index and top are what the
 * words were written over. */
static SLI_FORCE_INLINE void world_take(world_batch *r, const local8 *local,
                                        stream_slot *const *slots, const size_t index[8],
                                        const uint32_t top[8], uint32_t count, bool any)
{
    for (uint32_t i = 0; i < count; i++) {
        stream_slot *slot = slots[i];
        world_aside *aside = slot_aside(slot, any);
        ray_words *w = &slot->ray.w;
        const uint32_t depth_max = any ? STREAM_ANY_DEPTH_MAX : STREAM_DEPTH_MAX;
        const sli_transformed *transformed = &r->batch->world->transformed[aside->entering];
        const sl_bvh *tree = transformed->tree;
        float which;
        memcpy(&which, &w->top, sizeof which);
        w->index = index[i];
        w->top = top[i];
        if (__builtin_expect((local->ready >> i & 1) == 0 || top[i] + 2 > depth_max, 0)) {
            world_not_taken(r, slot, any);
            continue;
        }
        r->compact |= tree->vertices != NULL;
        slot->ray.o = ray_offsets_of[(int)which];
        slot->ray.base_t = (float)(local->base_t[i] * (double)w->scale);
        aside->base_t = local->base_t[i];
        aside->lines = (const char *)tree->lines;
        aside->instance = aside->entering;
        /* Where nothing is left at the top, the end of the instance is that of the ray; and an
         * instance needs no way back to the top. */
        const uint32_t below = slot->ref[top[i]];
        const uint32_t returns = any ? below < WORLD_REF_INSTANCE : top[i] > 0;
        aside->floor = top[i] + returns;
        slot->ref[aside->floor] = returns != 0 ? WORLD_REF_RETURN : below;
        w->top = aside->floor + 1; /* where the root's children go */
        w->at = line_at(aside->lines, tree->root);
        prefetch_lines(w->at, 0, SLI_NODE_LINES);
        world_list(r, WORLD_NODES, slot);
    }
}

/* Prefetches what entering takes of the instances that slots are at. */
static SLI_FORCE_INLINE void world_prefetch_entries(const world_batch *r, bool any)
{
    for (uint32_t i = 0; i < r->count[WORLD_ENTRIES]; i++) {
        const uint32_t instance = slot_aside(r->queue[WORLD_ENTRIES][i], any)->entering;
        prefetch_lines((const char *)&r->batch->world->transformed[instance], 0, TRANSFORMED_LINES);
    }
}

/* Leaves an instance out: the ray may come from another one without being back at the top. */
static SLI_NOINLINE void world_skip(world_batch *r, stream_slot *slot, bool any)
{
    if (slot_aside(slot, any)->instance != SL_NONE) {
        world_return(r, slot, any);
    }
    world_queue(r, slot, slot_aside(slot, any)->lines);
}

/* Takes the slots that are at instances into their trees, eight at a time. */
static SLI_NOINLINE void world_enter_all(world_batch *r, bool any)
{
    const sli_world *world = r->batch->world;
    stream_slot **slots = r->queue[WORLD_ENTRIES];
    const bool masked = (r->batch->uses & (SLI_USES_MASK | SLI_USES_IGNORE)) != 0;
    uint32_t count = r->count[WORLD_ENTRIES];
    if (masked) {
        uint32_t kept = 0;
        for (uint32_t i = 0; i < count; i++) {
            const world_aside *aside = slot_aside(slots[i], any);
            if (world_leaves_in(r->batch, slots[i]->ray.w.index, aside->entering)) {
                slots[kept++] = slots[i];
            } else {
                world_skip(r, slots[i], any);
            }
        }
        count = kept;
    }
    for (uint32_t begin = 0; begin < count; begin += 8) {
        const uint32_t here = count - begin < 8 ? count - begin : 8;
        to_local8 rays;
        local8 local;
        size_t index[8];
        const sli_transformed *transformed[8];
        double most[8];
        float *to[8], unused[RAY_ROWS];
        uint32_t top[8];
        for (uint32_t i = 0; i < 8; i++) {
            stream_slot *slot = slots[begin + (i < here ? i : 0)];
            const world_aside *aside = slot_aside(slot, any);
            index[i] = slot->ray.w.index;
            top[i] = slot->ray.w.top;
            most[i] = aside->most;
            transformed[i] = &world->transformed[aside->entering];
            to[i] = i < here ? (float *)(void *)&slot->ray.w : unused;
        }
        to_local8_read(&rays, transformed);
        (void)world_read_to_local(r->batch, index, &rays);
        rays.most = d8_doubles(most);
        to_local8_run(&rays, to, &local);
        world_take(r, &local, slots + begin, index, top, here, any);
    }
    r->stats.instances += count;
    r->count[WORLD_ENTRIES] = 0;
}
