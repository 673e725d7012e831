/* Point-to-many (stream/from_point_sort.inl): how the rays of a block come into slots. */
#pragma once

#include "bvh/kernel/stream/from_point_sort.inl"
#include "bvh/kernel/stream/refill.inl"

_Static_assert((int)P2M_SLOTS_MAX <= (int)STREAM_SLOTS_MAX, "the queues take as many slots");

/* Bits turned to the right, by less than 64. */
static uint64_t turned(uint64_t x, uint32_t by)
{
    return x >> by | x << (-by & 63);
}

/* The next ray of the group that this slot is at, or of another one. */
static uint16_t p2m_next(p2m_state *f, uint32_t slot)
{
    uint32_t group = f->group_of[slot];
    while (f->group[group].waiting == 0) {
        group = group + 1 < f->groups ? group + 1 : 0;
    }
    f->group_of[slot] = (uint16_t)group;
    p2m_group *g = &f->group[group];
    const uint32_t next = (uint32_t)__builtin_ctzll(turned(g->waiting, g->turn));
    const uint32_t bit = (g->turn + next) % P2M_GROUP;
    g->turn = (uint8_t)((g->turn + P2M_STRIDE) % P2M_GROUP);
    g->waiting &= ~((uint64_t)1 << bit);
    f->left--;
    return f->block.order[g->begin + bit];
}

/* A ray of the block as an sl_ray or sl_segment. */
static void p2m_ray(const p2m_state *f, const sli_kernel_point_to_many *source, uint32_t ray,
                    float rays[8])
{
    const float *from = source->to + 3 * (f->block.first + ray);
    const int to = source->targets ? 3 : 4;
    rays[3] = 0;
    rays[7] = source->tmax;
    for (int axis = 0; axis < 3; axis++) {
        rays[axis] = source->origin[axis];
        rays[to + axis] = from[axis];
    }
}

/* Starts the next rays in up to eight slots; rays that are answered at once leave
 * theirs ended. */
static void p2m_start(stream_state *r, stream_slot *const slots[8], uint32_t count)
{
    p2m_state *f = r->p2m;
    const sl_bvh *tree = r->batch->tree;
    uint16_t rays[8];
    r->steps.rays += count;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t slot = slot_number(r, slots[i]);
        rays[i] = p2m_next(f, slot);
        p2m_ray(f, r->batch->point_to_many, rays[i], f->rays[slot]);
    }
    ray8_input in;
    const uint32_t valid = p2m_read(&f->block, r->batch->point_to_many, rays, count, &in);
    in.tmin = f8_splat(0);
    in.tmax = f8_splat(r->batch->point_to_many->targets ? 1 : r->batch->point_to_many->tmax);
    const uint32_t ready = ray8_prepare_group(tree, &in, valid, &r->group);
    r->group.ready = ready;
    for (uint32_t i = 0; i < count; i++) {
        const size_t index = f->block.first + rays[i];
        if ((ready >> i & 1) == 0) {
            r->stats.rays--; /* that walk counts it */
            stream_alone(r, 1, index);
            r->queue[QUEUE_ENDED][r->waiting.ended++] = slots[i];
            continue;
        }
        ray8_take(&r->group, &slots[i]->ray);
        slots[i]->ray.w.index = index;
        slot_start_at_root(r, &r->waiting, slots[i]);
    }
}

/* Where slots do hardly anything but leaves (refill_leaves_prevail of stream/refill.inl): the
 * next rays one by one. */
static SLI_NOINLINE void p2m_alone(stream_state *r, uint32_t count)
{
    p2m_state *f = r->p2m;
    r->steps.leaves -= r->steps.leaves / ALONE_FORGET;
    for (uint32_t i = 0; i < count; i++) {
        r->stats.rays--; /* the single call counts it */
        stream_alone(r, 1, f->block.first + p2m_next(f, 0));
    }
}

static SLI_NOINLINE void p2m_refill(stream_state *r)
{
    while (r->p2m->left > 0 && refill_leaves_prevail(r)) {
        p2m_alone(r, r->p2m->left < 8 ? r->p2m->left : 8);
    }
    stream_slot *ended[STREAM_SLOTS_MAX];
    const uint32_t count = (uint32_t)r->waiting.ended;
    memcpy(ended, r->queue[QUEUE_ENDED], count * sizeof ended[0]);
    r->waiting.ended = 0;
    for (uint32_t begin = 0; begin < count && r->p2m->left > 0; begin += 8) {
        uint32_t here = count - begin < 8 ? count - begin : 8;
        here = here < r->p2m->left ? here : r->p2m->left;
        p2m_start(r, ended + begin, here);
    }
}
