/* Packets of scene batches: sixty-four coherent rays that go through a scene together.  They go
 * down the top tree as a frustum (packet/frustum.inl), which lists the instances that they meet; in
 * each of these, the nearest first, they are a frustum again, since transforms keep lines straight.
 * What floats do not dismiss is decided as in batch_leaves.inl, eight pairs at a time.
 *
 * Rays are transformed as in to_local8.inl; `moved` of a frustum is what they may be off by.
 * docs/notes/frustum.md derives it.  What a packet does not finish in an instance is left to the
 * slots (packet_rest.inl); rays that do not fit in the top tree start anew there. */
#pragma once

#include "bvh/kernel/instance/batch_enter.inl"
#include "bvh/kernel/instance/packet_intersect.inl"
#include "bvh/kernel/packet/frustum_make.inl"
#include "bvh/kernel/packet/frustum_traverse.inl"

#include <float.h>

/* Reads the packet's rays: half 0 becomes the valid ones of the most common octant, half 1 the
 * others, where one axis tells them from these: where a picture crosses a plane through the eye. */
static void world_packet_read(world_packet *s, uint64_t half[2])
{
    uint64_t valid = 0, negative[3] = { 0 };
    for (size_t at = 0; at < PACKET; at += 8) {
        world_query read;
        size_t index[8];
        for (size_t i = 0; i < 8; i++) {
            index[i] = s->first + at + i;
        }
        world_read(s->r->batch, index, &read);
        valid |= (uint64_t)read.fit << at;
        for (int axis = 0; axis < 3; axis++) {
            negative[axis] |= (uint64_t)d8_bits_gt(d8_splat(0), read.ray.dir[axis]) << at;
            d8_store(s->from[axis] + at, read.ray.origin[axis]);
            d8_store(s->dir[axis] + at, read.ray.dir[axis]);
        }
        d8_store(s->tmin + at, read.ray.tmin);
        d8_store(s->most + at, read.ray.tmax);
    }
    uint64_t here[3];
    for (int axis = 0; axis < 3; axis++) {
        here[axis] = majority(negative[axis]);
    }
    half[0] = valid & here[0] & here[1] & here[2];
    half[1] = valid & ((here[0] & here[1]) | (here[1] & here[2]) | (here[2] & here[0])) & ~half[0];
    int axes = 0;
    for (int axis = 0; axis < 3; axis++) {
        axes += (half[1] & ~here[axis]) != 0;
    }
    half[1] = axes == 1 && (half[0] | half[1]) == valid ? half[1] : 0;
}

/* Begins the items with misses; returns those of these that no hint has answered. */
static uint64_t world_packet_put_misses(world_packet *s, uint64_t rays)
{
    world_batch *r = s->r;
    for (uint32_t ray = 0; ray < PACKET; ray++) {
        s->best[ray] = INFINITY;
    }
    if (r->any != NULL && !r->answered) {
        memset(r->any + s->first, 0, PACKET);
        return rays;
    }
    for (uint32_t ray = 0; ray < PACKET; ray++) {
        const size_t index = s->first + ray;
        if (r->answered && r->any[index] != 0) {
            rays &= ~(UINT64_C(1) << ray);
        } else {
            world_put_miss(r, index, s->most[ray]);
        }
    }
    return rays;
}

/* The octant of item i of a batch. */
static uint32_t world_octant(const sli_world_batch *batch, size_t i)
{
    uint32_t octant = 0;
    for (int axis = 0; axis < 3; axis++) {
        const bool negative =
            batch->rays != NULL       ? batch->rays[i].dir[axis] < 0
            : batch->segments != NULL ? batch->segments[i].q[axis] < batch->segments[i].p[axis]
            : batch->rays_d != NULL   ? batch->rays_d[i].dir[axis] < 0
                                      : batch->segments_d[i].q[axis] < batch->segments_d[i].p[axis];
        octant |= (uint32_t)negative << axis;
    }
    return octant;
}

/* Whether PACKET items may be coherent: of four of them, three have one octant, or there are two
 * octants, side by side. */
static bool world_packets_may_take(const sli_world_batch *batch, size_t first)
{
    const uint32_t a = world_octant(batch, first), b = world_octant(batch, first + PACKET / 3),
                   c = world_octant(batch, first + PACKET * 2 / 3),
                   d = world_octant(batch, first + PACKET - 1);
    const uint32_t differ = (a ^ b) | (a ^ c) | (a ^ d);
    return (a == b) + (a == c) + (a == d) >= 2 || (b == c && b == d) ||
           (differ & (differ - 1)) == 0;
}

/* Sets the depths of which a frustum's rays are surely before tmax: less by what limits and depths
 * are rounded outward. */
static void world_packet_limits(world_packet *s)
{
    frustum *p = &s->f;
    for (int ray = 0; ray < PACKET; ray += PACKET_LANES) {
        const f16 rate = f16_load(p->rate + ray), limit = f16_load(s->rays.limits[1] + ray);
        const f16 most = f16_muladd(limit, rate, f16_load(p->start + ray));
        const f16 size = f16_min(most, f16_splat(0x1p120f));
        const f16 off = f16_muladd(f16_load(s->slack + ray), rate, f16_splat(0x1p-90f));
        f16_store(p->hits->before + ray,
                  f16_sub(f16_nmuladd(f16_abs(size), f16_splat(0x1p-19f), size), off));
    }
}

/* Makes a frustum of rays that were transformed to a tree; returns those that take part. */
static uint64_t world_packet_make(world_packet *s, frustum *p, const sl_bvh *tree, uint64_t rays)
{
    p->moved = world_packet_most(s->moved, rays);
    p->t_slack = world_packet_most(s->slack, rays);
    p->rays_min = 1;
    p->any = false;
    const uint64_t taken = make_frustum(p, tree, &s->rays, rays);
    p->taken = taken;
    s->spent += taken == 0 ? PACKET_COST_REFUSED : 0;
    s->apart |= rays & ~taken;
    return taken;
}

/* Takes rays that were transformed down an instance; those that do not fit are set apart. */
static void world_packet_walk(world_packet *s, const sl_bvh *tree, uint64_t rays)
{
    frustum *p = &s->f;
    s->batch.tree = tree;
    const uint64_t taken = world_packet_make(s, p, tree, rays);
    if (taken == 0) {
        return;
    }
    const int64_t gained = (int64_t)s->saved - (int64_t)s->spent;
    const int32_t risk = gained > 0 ? (int32_t)(gained / WORLD_PACKET_RISK) : 0;
    p->hooks = (frustum_hooks){ .context = s, .decide = world_packet_decide };
    p->narrows = s->r->batch->options->cull == SL_CULL_NONE && !sli_world_chooses(s->r->batch);
    p->any = s->r->any != NULL;
    if (p->any) {
        world_packet_limits(s);
    }
    const bool done = frustum_traverse(p, s->limit / WORLD_PACKET_LIMIT_SHARE + risk);
    world_packet_answer_found(s);
    if (done) {
        s->saved += p->saved;
    } else {
        s->apart |= taken;
        s->abandoned++;
    }
    s->spent += p->spent;
}

/* The rays whose options leave an instance in. */
static uint64_t world_packet_select(const world_packet *s, uint32_t instance, uint64_t rays)
{
    const bool masked = (s->r->batch->uses & (SLI_USES_MASK | SLI_USES_IGNORE)) != 0;
    for (uint64_t left = masked ? rays : 0; left != 0; left &= left - 1) {
        const uint32_t ray = (uint32_t)__builtin_ctzll(left);
        rays &= ~((uint64_t)!world_leaves_in(s->r->batch, s->first + ray, instance) << ray);
    }
    return rays;
}

/* Leaves an instance of some rays to the slots. */
static void world_packet_leave_out(world_packet *s, const world_packet_entry *entry, uint64_t rays)
{
    if (rays != 0 && s->lefts < WORLD_PACKET_ENTRIES) {
        s->left[s->lefts] = *entry;
        s->left[s->lefts++].lines = rays;
    } else {
        s->full |= rays != 0;
    }
}

/* Takes the rays of an entry through its instance. */
static void world_packet_enter(world_packet *s, const world_packet_entry *entry)
{
    const sli_transformed *transformed = &s->r->batch->world->transformed[entry->instance];
    uint64_t rays = world_packet_select(s, entry->instance,
                                        entry->lines & frustum_before(&s->top, entry->near));
    if (rays == 0) {
        return;
    }
    if (__builtin_popcountll(rays) < WORLD_PACKET_ENTER_MIN ||
        s->abandoned >= WORLD_PACKET_ABANDONED_MAX) {
        world_packet_leave_out(s, entry, rays);
        return;
    }
    s->apart = 0;
    s->instance = entry->instance;
    rays = world_packet_to_local(s, transformed, rays);
    s->r->stats.instances += (uint64_t)__builtin_popcountll(rays);
    while (rays != 0) {
        const uint64_t same = world_packet_octant(s, rays);
        world_packet_walk(s, transformed->tree, same);
        rays &= ~same;
    }
    world_packet_leave_out(s, entry, s->apart);
}

/* Enters the instances that wait and are no deeper than a depth, the nearest first. */
static SLI_NOINLINE void world_packet_enter_until(world_packet *s, float depth)
{
    while (s->entries > 0 && s->entry[s->entries - 1].near <= depth) {
        const world_packet_entry entry = s->entry[--s->entries];
        world_packet_enter(s, &entry);
    }
}

/* The boxes of a top leaf that groups may meet, bit 4 group + lane: those that lie beyond none of
 * the four planes that bound a group's slopes, as frustum_outside tests corners. */
static uint32_t world_packet_boxes(const frustum *p, const frustum_planes *planes)
{
    const f16 zero = f16_splat(0);
    const f16 near = f16_fours(planes->near[2]), far = f16_fours(planes->far[2]);
    const float *bound = p->most_bound;
    const f16 bounds = f16_pair(f8_pair(f4_splat(bound[0]), f4_splat(bound[1])),
                                f8_pair(f4_splat(bound[2]), f4_splat(bound[3])));
    uint32_t met = f16_bits_le(near, bounds) & f16_bits_le(near, far);
    for (int i = 0; i < 2; i++) {
        const bool negative = p->near_side[p->axis[i]] % NODE_AXIS != 0;
        const f16 low = f16_fours(negative ? planes->far[i] : planes->near[i]);
        const f16 high = f16_fours(negative ? planes->near[i] : planes->far[i]);
        const f16 slope = f16_splat(p->slope[i][0]);
        const f16 least = p->parallel ? slope : f16_load(p->slopes[0][i]);
        const f16 most = p->parallel ? slope : f16_load(p->slopes[1][i]);
        f16 above = f16_min(f16_nmuladd(most, near, low), f16_nmuladd(most, far, low));
        f16 below = f16_max(f16_nmuladd(least, near, high), f16_nmuladd(least, far, high));
        if (p->apart) {
            above = f16_sub(above, f16_load(p->deltas[1][i]));
            below = f16_sub(below, f16_load(p->deltas[0][i]));
        }
        met &= f16_bits_le(above, zero) & f16_bits_le(zero, below);
    }
    return met;
}

/* Computes the planes of the four boxes of a top leaf, as frustum_node does those of a node.  Side
 * 0 of a node is vertex 0 of the block, side 1 vertex 1. */
static void world_packet_planes(const frustum *p, const sli_tri_pack *pack, frustum_planes *planes)
{
    for (int i = 0; i < 3; i++) {
        const uint32_t axis = p->axis[i];
        const int side = p->near_side[axis] % NODE_AXIS != 0;
        const f4 apex = f4_splat(p->apex[i]);
        const f4 outward = f4_splat(side != 0 ? p->box_error : -p->box_error);
        const f4 first = f4_load(pack->axis[axis].vertex[side]);
        const f4 last = f4_load(pack->axis[axis].vertex[1 - side]);
        f4 near = f4_add(f4_sub(first, apex), outward), far = f4_sub(f4_sub(last, apex), outward);
        if (i == 2) {
            near = f4_max(f4_mul(near, f4_splat(p->sign)), f4_splat(p->least));
            far = f4_mul(far, f4_splat(p->sign));
        }
        f4_store(planes->near[i], near);
        f4_store(planes->far[i], far);
    }
}

/* The hook of the top tree's frustum: lists the instances of a leaf that lines meet, and enters
 * those that are nearer than what comes next. */
static void world_packet_list(frustum *p, void *context, uint32_t ref, uint64_t lines)
{
    world_packet *s = context;
    sli_tri_pack unpacked;
    const sli_tri_pack *pack = sli_tree_pack(p->batch->tree, ref, &unpacked);
    frustum_planes planes;
    world_packet_planes(p, pack, &planes);
    const uint32_t boxes = world_packet_boxes(p, &planes), all = frustum_groups_with(lines);
    for (uint32_t left = f4_bits_ne(pack->prim, SL_NONE); left != 0; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(left);
        /* Bit 4 g of a lane's boxes moves to 12 + g. */
        const uint32_t groups = all & (boxes >> lane & 0x1111) * 0x1248 >> 12;
        const uint64_t met = lines & frustum_lines_at(p, &planes, lane, groups);
        if (met != 0 && s->entries < WORLD_PACKET_ENTRIES) {
            const float near = planes.near[2][lane];
            uint32_t at = s->entries++;
            for (; at > 0 && s->entry[at - 1].near < near; at--) {
                s->entry[at] = s->entry[at - 1];
            }
            s->entry[at] =
                (world_packet_entry){ .near = near, .instance = pack->prim[lane], .lines = met };
        } else {
            s->full |= met != 0;
        }
    }
    world_packet_enter_until(s, p->top > 0 ? p->near[p->top - 1] : INFINITY);
}

/* The hook of the top tree's frustum at its end. */
static void world_packet_finish(frustum *p, void *context, bool at_end)
{
    (void)p;
    (void)at_end;
    world_packet_enter_until(context, INFINITY);
}

/* Takes the rays to the only instance that there is, without a way through the top tree.  What is
 * answered has a lesser bound there than any near. */
static void world_packet_enter_only(world_packet *s, uint64_t rays)
{
    const world_packet_entry only = { .near = -FLT_MAX, .instance = 0, .lines = rays };
    for (uint32_t ray = 0; ray < PACKET; ray++) {
        s->top_base_t[ray] = 0;
        s->top.start[ray] = 0;
        s->top.rate[ray] = 1;
        s->top.bound[ray] = INFINITY;
    }
    s->top_base_least = 0;
    world_packet_enter(s, &only);
}

/* Takes the rays to the instances that they meet.  False: they are better off alone. */
static bool world_packet_run(world_packet *s, uint64_t rays)
{
    frustum *p = &s->top;
    s->entries = s->lefts = 0;
    s->full = false;
    s->abandoned = 0;
    s->apart = 0;
    if (s->r->only != NULL) {
        world_packet_enter_only(s, rays);
        return true;
    }
    const uint64_t there = world_packet_to_local(s, &s->r->top, rays);
    const uint64_t taken = there != 0 ? world_packet_make(s, p, s->r->top.tree, there) : 0;
    s->lost = s->apart;
    if (taken == 0) {
        return false;
    }
    memcpy(s->top_base_t, s->base_t, sizeof s->base_t);
    s->top_base_least = world_packet_least(s->base_t, taken);
    frustum_make_lines(p);
    p->hooks =
        (frustum_hooks){ .context = s, .leaf = world_packet_list, .decide = world_packet_finish };
    const bool done = frustum_traverse(p, s->limit);
    s->spent += p->spent;
    s->saved += done ? p->saved : 0;
    return done && !s->full;
}

/* A bound on t for hits of an instance, of some of these rays: no deeper than near.  Each quotient
 * is off by less than 2^-21 of both terms; 2^-20 of them are taken off. */
static float world_packet_least_t(const world_packet *s, float near, uint64_t rays)
{
    f16 least = f16_splat(INFINITY);
    for (int ray = 0; ray < PACKET; ray += PACKET_LANES) {
        const f16 start = f16_load(s->top.start + ray), depth = f16_sub(f16_splat(near), start);
        const f16 size = f16_add(f16_abs(start), f16_splat(fabsf(near)));
        const f16 t =
            f16_div(f16_nmuladd(size, f16_splat(0x1p-20f), depth), f16_load(s->top.rate + ray));
        const f16 all = f16_splat(INFINITY);
        least = f16_min(f16_where(rays >> ray & 0xFFFF, t, all), least);
    }
    const double t = (double)f16_least(least), from = s->top_base_least;
    return (float)(t + from - (fabs(t) + fabs(from)) * 0x1p-20 - 0x1p-120);
}

/* Hands what is left of the packet to the slots; returns the rays for which nothing is. */
static uint64_t world_packet_leave(world_packet *s, size_t packet, uint64_t rays)
{
    world_rest *rest = &s->r->rest;
    uint8_t each[PACKET] = { 0 };
    uint64_t begun = 0;
    for (uint32_t i = 0; i < s->lefts; i++) {
        const world_packet_entry *entry = &s->left[i];
        const uint64_t left = entry->lines & ~s->lost & frustum_before(&s->top, entry->near);
        if (left == 0) {
            continue;
        }
        if (rest->count == WORLD_REST_MAX) {
            s->lost |= left;
            continue;
        }
        for (uint64_t some = left; some != 0; some &= some - 1) {
            const uint32_t ray = (uint32_t)__builtin_ctzll(some);
            s->lost |= (uint64_t)(++each[ray] > WORLD_REST_EACH_MAX) << ray;
        }
        begun |= left;
        rest->entry[rest->count++] =
            (world_rest_entry){ .near = world_packet_least_t(s, entry->near, left),
                                .lines = left,
                                .instance = entry->instance };
    }
    rest->begun[packet] |= begun & ~s->lost;
    rest->end[packet] = (uint16_t)rest->count;
    return rays & ~s->lost & ~begun;
}

/* Takes rays of one octant; returns which are wholly answered. */
static uint64_t world_packet_take_half(world_packet *s, size_t packet, uint64_t rays,
                                       packet_account *account)
{
    s->lost = s->spent = s->saved = 0;
    s->pairs = 0;
    s->limit = packet_account_limit(account);
    const bool done = world_packet_run(s, rays);
    packet_account_enter(account, s->spent, s->saved, done);
    const uint64_t taken = done ? world_packet_leave(s, packet, rays) : 0;
    s->r->stats.rays += (uint64_t)__builtin_popcountll(taken);
    return taken;
}

/* Answers those of the next PACKET rays that are coherent, if they are many, as far as that pays;
 * returns which are wholly answered. */
static uint64_t world_packet_take(world_packet *s, size_t packet, packet_account *account)
{
    uint64_t half[2], taken = 0;
    if (!packet_account_due(account)) {
        return 0;
    }
    world_packet_read(s, half);
    if (__builtin_popcountll(half[0] | half[1]) < PACKET_RAYS_MIN) {
        return 0;
    }
    const uint64_t open = world_packet_put_misses(s, half[0] | half[1]);
    if (__builtin_popcountll(open) < PACKET_RAYS_MIN) {
        return 0;
    }
    for (int i = 0; i < 2; i++) {
        if (__builtin_popcountll(half[i] & open) >= WORLD_PACKET_ENTER_MIN) {
            taken |= world_packet_take_half(s, packet, half[i] & open, account);
        }
    }
    return taken;
}

/* Answers what packets take of a batch. */
static SLI_NOINLINE void world_packets_first(world_batch *r)
{
    world_packet s;
    packet_account account;
    const uint64_t double_stage = r->stats.double_stage, exact_stage = r->stats.exact_stage;
    packet_account_open(&account, (r->end - r->next) / PACKET);
    s.r = r;
    s.batch = (sli_kernel_batch){ .options = r->batch->options, .uses = r->batch->uses };
    s.top_batch = s.batch;
    s.top_batch.tree = r->top.tree;
    s.stats = (sl_stats){ .rays = 0 };
    s.f.batch = &s.batch;
    s.top.batch = &s.top_batch;
    s.f.stats = s.top.stats = &s.stats;
    s.f.hits = s.top.hits = &s.hits;
    memset(r->rest.answered, 0, sizeof r->rest.answered);
    memset(r->rest.begun, 0, sizeof r->rest.begun);
    r->rest.count = 0;
    r->packed = true;
    for (size_t i = 0; i < WORLD_PACKETS && r->end - r->next >= PACKET * (i + 1); i++) {
        s.first = r->next + PACKET * i;
        r->rest.begin[i] = (uint16_t)r->rest.count;
        if (world_packets_may_take(r->batch, s.first)) {
            r->rest.answered[i] = world_packet_take(&s, i, &account);
        }
    }
    r->stats.nodes += s.stats.nodes;
    r->stats.triangles += s.stats.triangles;
    const uint64_t decided =
        r->stats.double_stage - double_stage + r->stats.exact_stage - exact_stage;
    r->stats.float_stage += s.stats.triangles > decided ? s.stats.triangles - decided : 0;
}
