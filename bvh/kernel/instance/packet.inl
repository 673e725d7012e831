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

/* Reads the packet's rays; returns the valid ones of the most common octant. */
static uint64_t world_packet_read(world_packet *s)
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
    return valid & majority(negative[0]) & majority(negative[1]) & majority(negative[2]);
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

/* Whether PACKET items may be coherent: of four of them, three have one octant. */
static bool world_packets_may_take(const sli_world_batch *batch, size_t first)
{
    const uint32_t a = world_octant(batch, first), b = world_octant(batch, first + PACKET / 3),
                   c = world_octant(batch, first + PACKET * 2 / 3),
                   d = world_octant(batch, first + PACKET - 1);
    return (a == b) + (a == c) + (a == d) >= 2 || (b == c && b == d);
}

/* The hook of the top tree's frustum: lists the instances of a leaf that lines meet. */
static void world_packet_list(frustum *p, void *context, uint32_t ref, uint64_t lines)
{
    world_packet *s = context;
    sli_tri_pack unpacked;
    const sli_tri_pack *pack = sli_tree_pack(s->batch.tree, ref, &unpacked);
    frustum_planes planes;
    if (!p->by_line) {
        frustum_make_lines(p);
    }
    for (uint32_t lane = 0; lane < SLI_PACK; lane++) {
        if (pack->prim[lane] == SL_NONE) {
            continue;
        }
        for (int i = 0; i < 3; i++) {
            const uint32_t axis = p->axis[i];
            const int side = p->near_side[axis] % NODE_AXIS != 0;
            const float outward = side != 0 ? p->box_error : -p->box_error;
            /* Side 0 of a node is vertex 0 of the block, side 1 vertex 1. */
            const float near = pack->axis[axis].vertex[side][lane] - p->apex[i] + outward;
            const float far = pack->axis[axis].vertex[1 - side][lane] - p->apex[i] - outward;
            planes.near[i][0] = i == 2 ? near * p->sign : near;
            planes.far[i][0] = i == 2 ? far * p->sign : far;
        }
        planes.near[2][0] = float_max(planes.near[2][0], p->least);
        const uint64_t met = lines & frustum_lines_at(p, &planes, 0, frustum_groups_with(lines));
        if (met != 0 && s->entries < WORLD_PACKET_ENTRIES) {
            uint32_t at = s->entries++;
            for (; at > 0 && s->entry[at - 1].near > planes.near[2][0]; at--) {
                s->entry[at] = s->entry[at - 1];
            }
            s->entry[at] = (world_packet_entry){ .near = planes.near[2][0],
                                                 .instance = pack->prim[lane],
                                                 .lines = met };
        } else {
            s->full |= met != 0;
        }
    }
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
        f16_store(p->before + ray,
                  f16_sub(f16_nmuladd(f16_abs(size), f16_splat(0x1p-19f), size), off));
    }
}

/* Takes rays that were transformed down a tree; those that do not fit are set apart. */
static void world_packet_walk(world_packet *s, const sl_bvh *tree, uint64_t rays, bool top,
                              int32_t limit)
{
    frustum *p = &s->f;
    s->batch.tree = tree;
    p->moved = world_packet_most(s->moved, rays);
    p->t_slack = world_packet_most(s->slack, rays);
    p->rays_min = 1;
    p->hooks = (frustum_hooks){ .context = s,
                                .leaf = top ? world_packet_list : NULL,
                                .decide = world_packet_decide };
    const int64_t gained = (int64_t)s->saved - (int64_t)s->spent;
    limit += gained > 0 ? (int32_t)(gained / WORLD_PACKET_RISK) : 0;
    const uint64_t taken = make_frustum(p, tree, &s->rays, rays);
    s->apart |= rays & ~taken;
    if (taken == 0) {
        s->spent += PACKET_COST_REFUSED;
        return;
    }
    p->taken = taken;
    p->narrows = s->r->batch->options->cull == SL_CULL_NONE && !sli_world_chooses(s->r->batch);
    p->any = s->r->any != NULL;
    if (p->any) {
        world_packet_limits(s);
    }
    const bool done = frustum_traverse(p, limit);
    world_packet_answer_found(s);
    if (done) {
        s->saved += p->saved;
    } else {
        s->apart |= taken;
        s->abandoned++;
    }
    s->spent += p->spent;
}

/* The rays that may have hits at this depth, or deeper, in the world. */
static uint64_t world_packet_before(const world_packet *s, float near)
{
    uint64_t rays = 0;
    for (int ray = 0; ray < PACKET; ray += PACKET_LANES) {
        rays |= (uint64_t)f16_bits_le(f16_splat(near), f16_load(s->top_bound + ray)) << ray;
    }
    return rays & ~s->lost;
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

/* Takes the rays of an entry through its instance. */
static void world_packet_enter(world_packet *s, world_packet_entry *entry, int32_t limit)
{
    const sli_transformed *transformed = &s->r->batch->world->transformed[entry->instance];
    uint64_t rays =
        world_packet_select(s, entry->instance, entry->lines & world_packet_before(s, entry->near));
    if (rays == 0) {
        return;
    }
    if (__builtin_popcountll(rays) < WORLD_PACKET_ENTER_MIN ||
        s->abandoned >= WORLD_PACKET_ABANDONED_MAX) {
        entry->left = rays;
        return;
    }
    s->apart = 0;
    s->instance = entry->instance;
    rays = world_packet_to_local(s, transformed, rays);
    s->r->stats.instances += (uint64_t)__builtin_popcountll(rays);
    while (rays != 0) {
        const uint64_t same = world_packet_octant(s, rays);
        world_packet_walk(s, transformed->tree, same, false, limit);
        rays &= ~same;
    }
    entry->left = s->apart;
}

/* Takes the rays to the only instance that there is, without a way through the top tree.  What is
 * answered has a lesser bound there than any near. */
static void world_packet_begin_inside(world_packet *s, uint64_t rays)
{
    s->entry[0] = (world_packet_entry){ .near = -FLT_MAX, .instance = 0, .lines = rays };
    s->entries = 1;
    for (uint32_t ray = 0; ray < PACKET; ray++) {
        s->top_base_t[ray] = 0;
        s->top_start[ray] = 0;
        s->top_rate[ray] = 1;
        s->top_bound[ray] = INFINITY;
    }
}

/* Takes the rays to the instances that they meet; false: they are better off alone. */
static bool world_packet_begin(world_packet *s, uint64_t rays, int32_t limit)
{
    s->entries = 0;
    s->full = false;
    s->abandoned = 0;
    s->apart = 0;
    if (s->r->only != NULL) {
        world_packet_begin_inside(s, rays);
        return true;
    }
    const uint64_t there = world_packet_to_local(s, &s->r->top, rays);
    memcpy(s->top_base_t, s->base_t, sizeof s->base_t);
    if (there != 0) {
        world_packet_walk(s, s->r->top.tree, there, true, limit);
    }
    s->lost = s->apart;
    if (s->full || s->abandoned != 0 || (there & ~s->lost) == 0) {
        return false;
    }
    memcpy(s->top_start, s->f.start, sizeof s->top_start);
    memcpy(s->top_rate, s->f.rate, sizeof s->top_rate);
    for (uint32_t ray = 0; ray < PACKET; ray++) {
        world_packet_bound_top(s, ray);
    }
    return true;
}

/* A bound on t for hits of an instance, of some of these rays: no deeper than near. */
static float world_packet_least_t(const world_packet *s, float near, uint64_t rays)
{
    double least = INFINITY;
    for (uint64_t left = rays; left != 0; left &= left - 1) {
        const uint32_t ray = (uint32_t)__builtin_ctzll(left);
        const double start = (double)s->top_start[ray];
        const double depth = (double)near - start;
        const double off = (fabs((double)near) + fabs(start)) * 0x1p-20;
        const double t = s->top_base_t[ray] + (depth - off) / (double)s->top_rate[ray];
        least = t < least ? t : least;
    }
    return (float)(least - fabs(least) * 0x1p-22 - 0x1p-120);
}

/* Hands what is left of the packet to the slots; returns the rays for which nothing is. */
static uint64_t world_packet_leave(world_packet *s, size_t packet, uint64_t rays)
{
    world_rest *rest = &s->r->rest;
    uint8_t each[PACKET] = { 0 };
    uint64_t begun = 0;
    for (uint32_t i = 0; i < s->entries; i++) {
        const world_packet_entry *entry = &s->entry[i];
        const uint64_t left =
            entry->left == 0 ? 0 : entry->left & ~s->lost & world_packet_before(s, entry->near);
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
    rest->begun[packet] = begun & ~s->lost;
    rest->end[packet] = (uint16_t)rest->count;
    return rays & ~s->lost & ~begun;
}

/* Answers those of the next PACKET rays that are coherent, if they are many, as far as that pays;
 * returns which are wholly answered. */
static uint64_t world_packet_take(world_packet *s, size_t packet, packet_account *account)
{
    world_batch *r = s->r;
    if (!packet_account_due(account)) {
        return 0;
    }
    uint64_t rays = world_packet_read(s);
    if (__builtin_popcountll(rays) < PACKET_RAYS_MIN) {
        return 0;
    }
    rays = world_packet_put_misses(s, rays);
    if (__builtin_popcountll(rays) < PACKET_RAYS_MIN) {
        return 0;
    }
    s->lost = s->spent = s->saved = 0;
    s->pairs = 0;
    const int32_t limit = packet_account_limit(account);
    const bool done = world_packet_begin(s, rays, limit);
    for (uint32_t i = 0; i < s->entries && done; i++) {
        world_packet_enter(s, &s->entry[i], limit);
    }
    packet_account_enter(account, s->spent, s->saved, done);
    const uint64_t taken = done ? world_packet_leave(s, packet, rays) : 0;
    r->stats.rays += (uint64_t)__builtin_popcountll(taken);
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
    s.stats = (sl_stats){ .rays = 0 };
    s.f.batch = &s.batch;
    s.f.stats = &s.stats;
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
