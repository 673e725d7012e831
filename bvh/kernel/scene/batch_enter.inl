/* How rays of a scene batch change spaces: into the top tree, from its leaves into instances, and
 * back (scene/batch_state.inl). */
#ifndef SLI_KERNEL_SCENE_BATCH_ENTER_INL
#define SLI_KERNEL_SCENE_BATCH_ENTER_INL

#include "bvh/kernel/filter/ray8.inl"
#include "bvh/kernel/filter/tri8_determinants.inl"
#include "bvh/kernel/kernel.h"
#include "bvh/kernel/packet/rays.inl"
#include "bvh/kernel/scene/batch_state.inl"
#include "bvh/kernel/scene/carry8.inl"
#include "bvh/kernel/scene/decide.h"
#include "bvh/kernel/scene/hint_near.inl"
#include "bvh/kernel/simd/simd.h"
#include "lib/base/inline.h"

#include <math.h>
#include <string.h>

/* The top tree as an instance.  What is allowed for is what carry_to_top allows for. */
static void scene_top_of(const sli_world *world, sli_placed *top)
{
    *top = (sli_placed){ .tree = world->top,
                         .half = world->half,
                         .span = world->half,
                         .norm = 4.0 / 3 * (1 + 0x1p-40),
                         .share = 10 * CARRY_EPS,
                         .fixed = 0x1p-149,
                         .ball = world->half * 1.7320509,
                         .radius = world->half * (1 + 0x1p-20) };
    for (int axis = 0; axis < 3; axis++) {
        top->inverse[axis][axis] = 1;
        top->centre[axis] = world->middle[axis];
    }
}

/* Reads eight items as rays to be carried; returns the lanes that the filters can take. */
static uint32_t scene_read_to_carry(const sli_scene_batch *asked, const size_t index[8],
                                    carry8 *rays)
{
    scene_question read;
    scene_read(asked, index, &read);
    memcpy(rays->origin, read.ray.origin, sizeof rays->origin);
    memcpy(rays->dir, read.ray.dir, sizeof rays->dir);
    rays->tmin = read.ray.tmin;
    rays->most = read.ray.tmax;
    return read.fit;
}

/* Whether a packet has answered an item. */
static SLI_FORCE_INLINE bool scene_is_answered(const scene_batch *r, size_t index)
{
    const size_t i = index - r->first;
    return i < PACKET * SCENE_PACKETS && (r->by_packets[i / PACKET] >> i % PACKET & 1) != 0;
}

/* The next items that no hint and no packet has answered, at most eight; the number. */
static uint32_t scene_next_items(scene_batch *r, size_t index[8])
{
    const uint64_t all_answered = UINT64_C(0x0101010101010101);
    uint32_t count = 0;
    while (count < 8 && r->next < r->end) {
        uint64_t answers = 0;
        if (r->answered && r->end - r->next >= 8) {
            memcpy(&answers, &r->any[r->next], sizeof answers);
        }
        if (answers == all_answered) {
            r->next += 8;
        } else if (r->answered && r->any[r->next] != 0) {
            r->next++;
        } else if (scene_is_answered(r, r->next)) {
            r->next++;
        } else {
            index[count++] = r->next++;
        }
    }
    return count;
}

/* Prepares the next items, at most eight, and answers at once those that the filters cannot
 * take. */
static SLI_NOINLINE void scene_prepare(scene_batch *r)
{
    const uint32_t count = scene_next_items(r, r->index), real = (1u << count) - 1;
    carry8 rays;
    const sli_placed *placed[8];
    if (count == 0) {
        return;
    }
    for (uint32_t i = 0; i < 8; i++) {
        r->index[i] = r->index[i < count ? i : 0];
        placed[i] = &r->top;
    }
    carry8_to(&rays, placed);
    for (uint32_t i = 0; i < count; i++) {
        if (r->any == NULL) {
            scene_put_miss(r, r->index[i]);
        } else {
            r->any[r->index[i]] = 0;
        }
    }
    const uint32_t fit = scene_read_to_carry(r->asked, r->index, &rays);
    carry8_run(&rays, &r->group);
    d8_store(r->most, rays.most);
    r->group.ready &= fit & real;
    for (uint32_t apart = real & ~r->group.ready; apart != 0; apart &= apart - 1) {
        scene_by_walk(r, r->index[__builtin_ctz(apart)]);
    }
    r->stats.rays += (uint64_t)__builtin_popcount(r->group.ready);
}

/* The instance of an item's hint, where there is a tree to walk and the item comes near it; else
 * SL_NONE.  What blocked a line a frame ago and has moved is mostly still in its way, with another
 * triangle. */
static SLI_FORCE_INLINE uint32_t scene_hint_instance(const scene_batch *r, size_t index)
{
    const sl_triangle_ref hint = r->refs[index];
    if (hint.prim == SL_NONE || hint.instance >= r->asked->world->count) {
        return SL_NONE;
    }
    const sli_placed *placed = &r->asked->world->placed[hint.instance];
    const bool enters = placed->tree != NULL && placed->tree->root != SLI_REF_EMPTY &&
                        scene_hint_near(r->asked, index, placed);
    return enters ? hint.instance : SL_NONE;
}

/* Sends a ray that starts to an instance first, and then to the top tree's root. */
static SLI_FORCE_INLINE void scene_start_in(scene_batch *r, interleaved_slot *slot,
                                            uint32_t instance)
{
    const sli_world *world = r->asked->world;
    slot->ref[1] = world->top->root;
    slot->ref[2] = SCENE_REF_INSTANCE | instance;
    slot->ray.w.top = 2;
    scene_queue(r, slot, (const char *)world->top->lines);
}

/* Starts the next ray in this slot.  False: no ray is left. */
static SLI_FORCE_INLINE bool scene_start(scene_batch *r, interleaved_slot *slot, bool any)
{
    while (r->group.ready == 0) {
        if (r->next == r->end) {
            return false;
        }
        scene_prepare(r);
    }
    const sl_bvh *top = r->asked->world->top;
    const uint32_t lane = (uint32_t)__builtin_ctz(r->group.ready);
    const float *words = r->group.words[lane];
    scene_aside *aside = slot_aside(slot, any);
    ray_words *w = &slot->ray.w;
    r->group.ready &= r->group.ready - 1;
    memcpy(w, words, sizeof *w);
    slot->ray.o = ray_offsets_of[(int)words[RAY_WHICH_OFFSETS]];
    slot->ray.base_t = slot->ray.grid = 0;
    slot->ray.best = INFINITY;
    memcpy(aside->inverse, words, 12 * sizeof *words);
    aside->offsets = slot->ray.o;
    aside->top_base_t = aside->base_t = r->group.base_t[lane];
    aside->most = r->most[lane];
    aside->lines = (const char *)top->lines;
    aside->instance = SL_NONE;
    w->index = r->index[lane];
    slot->ref[0] = SLI_REF_EMPTY;
    w->top = 1;
    w->at = line_at(aside->lines, top->root);
    if (!any) {
        slot_nears(slot)[0] = -INFINITY;
    }
    aside->tried = any && r->asked->hinted ? scene_hint_instance(r, w->index) : SL_NONE;
    if (aside->tried != SL_NONE) {
        scene_start_in(r, slot, aside->tried);
    } else {
        scene_list(r, SCENE_NODES, slot);
    }
    return true;
}

/* Pushes the instances of a top leaf that the ray meets. */
static SLI_FORCE_INLINE void scene_push_instances(interleaved_slot *slot, bool any)
{
    ray_words *w = &slot->ray.w;
    const sli_tri_pack *pack = (const sli_tri_pack *)(const void *)w->at;
    const ray_offsets *o = &slot->ray.o;
    f4 from = f4_splat(w->tmin), end = f4_splat(w->bound);
    for (int axis = 0; axis < 3; axis++) {
        /* Side 0 of a node is vertex 0 of the block, side 1 vertex 1. */
        const int near_side = (o->near_side[axis] & NODE_SIDE) != 0;
        const f4 inverse = f4_splat(w->inverse[axis]);
        const f4 first = f4_load(pack->axis[axis].vertex[near_side]);
        const f4 last = f4_load(pack->axis[axis].vertex[1 - near_side]);
        const f4 entry = f4_mul(f4_sub(first, f4_splat(w->near_base[axis])), inverse);
        const f4 leave = f4_mul(f4_sub(last, f4_splat(w->far_base[axis])), inverse);
        from = f4_max(entry, from);
        end = f4_min(leave, end);
    }
    const f4 to = f4_muladd(end, f4_splat(SLAB_SLACK), f4_splat(RAY_T_TINY));
    uint32_t met = f4_bits_le(from, to) & f4_bits_ne(pack->prim, SL_NONE);
    if (any) {
        met &= f4_bits_ne(pack->prim, slot_aside(slot, true)->tried);
    }
    float nears[4], lengths[4], longest = 0;
    f4_store(nears, from);
    f4_store(lengths, f4_sub(end, from));
    uint32_t top = w->top, best = top + (met != 0);
    for (; met != 0; met &= met - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(met), instance = pack->prim[lane];
        uint32_t at = ++top;
        if (!any) { /* the nearest comes last, and is taken first */
            for (; at > w->top + 1 && slot_nears(slot)[at - 1] < nears[lane]; at--) {
                slot->ref[at] = slot->ref[at - 1];
                slot_nears(slot)[at] = slot_nears(slot)[at - 1];
            }
            slot_nears(slot)[at] = nears[lane];
        }
        if (any) { /* the one whose box the ray is in for longest is the likeliest to be hit */
            best = lengths[lane] > longest ? at : best;
            longest = lengths[lane] > longest ? lengths[lane] : longest;
        }
        slot->ref[at] = SCENE_REF_INSTANCE | instance;
    }
    if (any) {
        const uint32_t last = slot->ref[top];
        slot->ref[top] = slot->ref[best];
        slot->ref[best] = last;
    }
    w->top = top;
}

/* Takes a ray back to the top, and drops what lies beyond its closest hit. */
static SLI_FORCE_INLINE void scene_return(scene_batch *r, interleaved_slot *slot, bool any)
{
    scene_aside *aside = slot_aside(slot, any);
    ray_words *w = &slot->ray.w;
    memcpy(w->inverse, aside->inverse, 12 * sizeof *w->inverse);
    slot->ray.o = aside->offsets;
    aside->base_t = aside->top_base_t;
    aside->lines = (const char *)r->asked->world->top->lines;
    aside->instance = SL_NONE;
    if (!any) {
        const float bound = carry8_bound_from(aside->most, aside->base_t, w->scale);
        w->bound = bound < w->bound ? bound : w->bound;
        w->top = simd_keep(slot->ref, slot_nears(slot), aside->floor, w->bound) - 1;
    }
}

/* What becomes of a ray that cannot enter an instance in flight.  Rare. */
static SLI_NOINLINE void scene_not_taken(scene_batch *r, interleaved_slot *slot, bool any)
{
    scene_aside *aside = slot_aside(slot, any);
    if (aside->entering == aside->tried) { /* which was nothing but a guess */
        aside->tried = SL_NONE;
        scene_queue(r, slot, aside->lines);
    } else {
        scene_give_up(r, slot);
    }
}

/* Puts rays that were carried into their instances' trees. */
static SLI_FORCE_INLINE void scene_take(scene_batch *r, const carried8 *carried,
                                        interleaved_slot *const *slots, uint32_t count, bool any)
{
    for (uint32_t i = 0; i < count; i++) {
        interleaved_slot *slot = slots[i];
        scene_aside *aside = slot_aside(slot, any);
        ray_words *w = &slot->ray.w;
        const float *words = carried->words[i];
        const uint32_t depth_max = any ? INTERLEAVED_ANY_DEPTH_MAX : INTERLEAVED_DEPTH_MAX;
        const sl_bvh *tree = r->asked->world->placed[aside->entering].tree;
        if (__builtin_expect((carried->ready >> i & 1) == 0 || w->top + 2 > depth_max, 0)) {
            scene_not_taken(r, slot, any);
            continue;
        }
        r->compact |= tree->vertices != NULL;
        memcpy(w, words, RAY_WHICH_OFFSETS * sizeof *words);
        slot->ray.o = ray_offsets_of[(int)words[RAY_WHICH_OFFSETS]];
        aside->base_t = carried->base_t[i];
        aside->lines = (const char *)tree->lines;
        aside->instance = aside->entering;
        /* Where nothing is left at the top, the end of the instance is that of the ray. */
        aside->floor = w->top + (w->top > 0);
        slot->ref[aside->floor] = w->top > 0 ? SCENE_REF_RETURN : SLI_REF_EMPTY;
        w->top = aside->floor + 1; /* where the root's children go */
        w->at = line_at(aside->lines, tree->root);
        prefetch_lines(w->at, 0, SLI_NODE_LINES);
        scene_list(r, SCENE_NODES, slot);
    }
}

/* Prefetches the instances that slots are at. */
static SLI_FORCE_INLINE void scene_prefetch_entries(const scene_batch *r, bool any)
{
    for (uint32_t i = 0; i < r->count[SCENE_ENTRIES]; i++) {
        const uint32_t instance = slot_aside(r->queue[SCENE_ENTRIES][i], any)->entering;
        const char *placed = (const char *)&r->asked->world->placed[instance];
        for (size_t line = 0; line < sizeof(sli_placed); line += SLI_LINE) {
            prefetch_line(placed + line);
        }
    }
}

/* Whether the options of an item leave anything of an instance in. */
static SLI_NOINLINE bool scene_leaves_in(const scene_batch *r, size_t index, uint32_t instance)
{
    sli_scene_ray ray;
    sli_scene_options(r->asked->query, index, &ray);
    return sli_scene_selects(&ray, &r->asked->world->placed[instance], instance);
}

/* Carries the slots that are at instances, eight at a time. */
static SLI_NOINLINE void scene_enter_all(scene_batch *r, bool any)
{
    const sli_world *world = r->asked->world;
    interleaved_slot **slots = r->queue[SCENE_ENTRIES];
    const bool masked = (r->asked->query->flags & (SL_USE_MASK | SL_USE_IGNORE)) != 0;
    uint32_t count = r->count[SCENE_ENTRIES];
    if (masked) {
        uint32_t kept = 0;
        for (uint32_t i = 0; i < count; i++) {
            const scene_aside *aside = slot_aside(slots[i], any);
            if (scene_leaves_in(r, slots[i]->ray.w.index, aside->entering)) {
                slots[kept++] = slots[i];
            } else {
                scene_queue(r, slots[i], aside->lines);
            }
        }
        count = kept;
    }
    for (uint32_t begin = 0; begin < count; begin += 8) {
        const uint32_t here = count - begin < 8 ? count - begin : 8;
        carry8 rays;
        carried8 carried;
        size_t index[8];
        const sli_placed *placed[8];
        double most[8];
        for (uint32_t i = 0; i < 8; i++) {
            interleaved_slot *slot = slots[begin + (i < here ? i : 0)];
            const scene_aside *aside = slot_aside(slot, any);
            index[i] = slot->ray.w.index;
            most[i] = aside->most;
            placed[i] = &world->placed[aside->entering];
        }
        carry8_to(&rays, placed);
        (void)scene_read_to_carry(r->asked, index, &rays);
        rays.most = d8_doubles(most);
        carry8_run(&rays, &carried);
        scene_take(r, &carried, slots + begin, here, any);
    }
    r->stats.instances += count;
    r->count[SCENE_ENTRIES] = 0;
}

#endif
