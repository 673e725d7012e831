#include "bvh/build/spatial.h"

#include "bvh/build/split.h"
#include "bvh/build/split_spatial.h"
#include "bvh/build/topdown.h"
#include "bvh/tree/tree.h"
#include "lib/base/arena.h"
#include "lib/base/assert.h"
#include "lib/base/error.h"
#include "lib/base/memory.h"

/* Part of what the tree looks like: none may depend on the machine. */
enum { CHUNK = 4096, SUBTREE_MOST = 4096 };

static const double overlap_least = 1e-5; /* of the root's surface */

/* References that become a subtree. */
typedef struct range {
    size_t begin, count, room;
    uint32_t node; /* its root */
    uint32_t pair; /* the first of its room - 1 pairs */
    int levels;    /* left below its root */
    int side;      /* which array the references are in */
    sli_box bounds, centres;
} range;

/* A piece of a range: what one worker looks at. */
typedef struct chunk {
    size_t range; /* index of the active range it is part of */
    size_t begin, count;
    size_t counts[2];
    size_t to[2]; /* where its references go */
    sli_bins bins;
    sli_slabs slabs;
    sli_sides sides;
} chunk;

typedef enum how {
    BY_CENTRE, /* at a plane between bins */
    BY_SPACE,
    BY_HAND /* moved already, the right side behind the left one */
} how;

typedef struct plan {
    size_t first_chunk, chunk_count;
    how how;
    bool tries_space;
    sli_planes planes;
    sli_cut cut;
    sli_space space;
    sli_space_cut space_cut;
    double cost;     /* of the cut by centres */
    sli_split moved; /* BY_HAND */
    sli_sides sides;
} plan;

typedef struct builder {
    sli_refs *refs;
    const sli_triangles *mesh;
    sli_node2 *nodes;
    const sli_stage *stage;
    size_t leaf_most;
    double overlap_least;
    range *active;
    range *next;
    range *subtrees;
    plan *plans;
    chunk *chunks;
    size_t active_count, next_count, subtree_count, chunk_count;
    size_t subtree_capacity;
} builder;

size_t sli_spatial_room(size_t count)
{
    const size_t most = SLI_REF_LINE; /* as many as any tree may have */
    return count + count / 2 < most ? count + count / 2 : most;
}

static size_t most_on_a_side(const builder *build, int levels)
{
    SL_ASSERT(levels > 0);
    return levels > 28 ? SIZE_MAX : build->leaf_most << (levels - 1);
}

static const sli_ref *refs_of(const builder *build, const range *at)
{
    return build->refs->side[at->side] + at->begin;
}

static sli_ref *target_of(const builder *build, const range *at)
{
    return build->refs->side[1 - at->side] + at->begin;
}

static void set_bounds(sli_node2 *node, const sli_box *box)
{
    for (int axis = 0; axis < 3; axis++) {
        node->min[axis] = box->min[axis];
        node->max[axis] = box->max[axis];
    }
}

static void set_leaf(const builder *build, const range *at)
{
    sli_node2 *node = &build->nodes[at->node];
    node->first = (uint32_t)at->begin;
    node->count = (uint32_t)at->count;
    if (at->side != 0) {
        memcpy(build->refs->side[0] + at->begin, build->refs->side[1] + at->begin,
               at->count * sizeof(sli_ref));
    }
}

/* What of the room is the left side's. */
static size_t left_room(const range *at, const size_t count[2])
{
    const uint64_t spare = at->room - count[0] - count[1];
    return count[0] + (size_t)(spare * count[0] / (count[0] + count[1]));
}

/* Writes the pair below a range that was split, and says what its halves are. */
static void set_children(const builder *build, const range *at, const sli_sides *sides,
                         range halves[2])
{
    sli_node2 *node = &build->nodes[at->node];
    const uint32_t left = 1 + 2 * at->pair;
    const size_t room = left_room(at, sides->count);
    node->first = left;
    node->count = 0;
    halves[0] = (range){ .begin = at->begin, .room = room, .node = left, .pair = at->pair + 1 };
    halves[1] = (range){ .begin = at->begin + room,
                         .room = at->room - room,
                         .node = left + 1,
                         .pair = at->pair + (uint32_t)room };
    for (int k = 0; k < 2; k++) {
        halves[k].count = sides->count[k];
        halves[k].levels = at->levels - 1;
        halves[k].side = 1 - at->side;
        halves[k].bounds = sides->bounds[k];
        halves[k].centres = sides->centres[k];
        set_bounds(&build->nodes[left + (uint32_t)k], &sides->bounds[k]);
    }
}

/* The surface of what two boxes have in common. */
static double overlap_area(const sli_box bounds[2])
{
    const sli_box common = { sli_lanes_max(bounds[0].min, bounds[1].min),
                             sli_lanes_min(bounds[0].max, bounds[1].max) };
    for (int axis = 0; axis < 3; axis++) {
        if (!(common.min[axis] <= common.max[axis])) {
            return 0;
        }
    }
    return sli_box_half_area(&common);
}

/* The steps of a split.  Those with a chunk are done for each of its chunks. */

static void fill_bins(const builder *build, const range *at, const plan *way, chunk *part)
{
    const sli_ref *refs = build->refs->side[at->side] + part->begin;
    sli_bins_fill(&part->bins, &way->planes, refs, part->count);
}

/* Few references are sorted at once; the others where no plane tells them apart. */
static void sort_by_hand(const builder *build, const range *at, plan *way)
{
    const sli_ref *from = refs_of(build, at);
    sli_ref *to = target_of(build, at);
    way->how = BY_HAND;
    if (at->count <= SLI_SWEEP_MOST) {
        sli_split_sweep(from, to, at->count, most_on_a_side(build, at->levels), &way->moved);
    } else {
        sli_split_median(from, to, at->count, &at->centres, &way->moved);
    }
}

static void choose_by_centre(const builder *build, const range *at, const sli_bins *bins, plan *way)
{
    way->how = BY_CENTRE;
    if (bins == NULL || !sli_bins_choose(bins, &way->planes, at->count,
                                         most_on_a_side(build, at->levels), &way->cut)) {
        sort_by_hand(build, at, way);
    }
    const bool by_hand = way->how == BY_HAND;
    const size_t left = by_hand ? way->moved.left_count : way->cut.left_count;
    const sli_box *bounds = by_hand ? way->moved.bounds : way->cut.bounds;
    way->cost = sli_cost_of_cut(sli_box_half_area(&bounds[0]), left, sli_box_half_area(&bounds[1]),
                                at->count - left)
                    .work;
    way->tries_space =
        at->count > SLI_PACK && at->room > at->count && overlap_area(bounds) > build->overlap_least;
}

static void fill_slabs(const builder *build, const range *at, const plan *way, chunk *part)
{
    const sli_ref *refs = build->refs->side[at->side] + part->begin;
    sli_slabs_fill(&part->slabs, &way->space, build->mesh, refs, part->count);
}

static void choose_space(const builder *build, const range *at, const sli_slabs *slabs, plan *way)
{
    way->tries_space =
        sli_slabs_choose(slabs, &way->space, at->count, most_on_a_side(build, at->levels), at->room,
                         &way->space_cut) &&
        way->space_cut.cost.work < way->cost;
}

static void count_sides(const builder *build, const range *at, const plan *way, chunk *part)
{
    const sli_ref *refs = build->refs->side[at->side] + part->begin;
    if (way->tries_space) {
        sli_space_count(&way->space_cut, &way->space, build->mesh, refs, part->count, part->counts);
    } else if (way->how == BY_CENTRE) {
        part->counts[0] = sli_bins_left_count(&part->bins, &way->cut);
        part->counts[1] = part->count - part->counts[0];
    }
}

/* Unsplitting may have taken all from a side: then space is not cut after all. */
static bool settle_space(plan *way, const chunk *parts, size_t part_count)
{
    size_t count[2] = { 0, 0 };
    for (size_t i = 0; i < part_count; i++) {
        count[0] += parts[i].counts[0];
        count[1] += parts[i].counts[1];
    }
    way->sides.count[0] = count[0];
    way->sides.count[1] = count[1];
    return count[0] > 0 && count[1] > 0;
}

/* Says where the references of each chunk go: behind those of the chunks before it. */
static void place_chunks(const builder *build, const range *at, plan *way, chunk *parts,
                         size_t part_count)
{
    if (way->tries_space && settle_space(way, parts, part_count)) {
        way->how = BY_SPACE;
    } else {
        const bool by_hand = way->how == BY_HAND;
        way->sides.count[0] = by_hand ? way->moved.left_count : way->cut.left_count;
        way->sides.count[1] = at->count - way->sides.count[0];
        if (way->tries_space) {
            way->tries_space = false;
            for (size_t i = 0; i < part_count; i++) {
                count_sides(build, at, way, &parts[i]);
            }
        }
    }
    size_t to[2] = { at->begin, at->begin + left_room(at, way->sides.count) };
    for (size_t i = 0; i < part_count && way->how != BY_HAND; i++) {
        for (int k = 0; k < 2; k++) {
            parts[i].to[k] = to[k];
            to[k] += parts[i].counts[k];
        }
    }
}

static void move_chunk(const builder *build, const range *at, const plan *way, chunk *part)
{
    const sli_ref *refs = build->refs->side[at->side] + part->begin;
    sli_ref *to = build->refs->side[1 - at->side];
    if (way->how == BY_SPACE) {
        sli_space_move(&way->space_cut, &way->space, build->mesh, refs, part->count,
                       to + part->to[0], to + part->to[1], &part->sides);
    } else if (way->how == BY_CENTRE) {
        sli_cut_move(&way->cut, &way->planes, refs, part->count, to + part->to[0], to + part->to[1],
                     part->sides.centres);
        part->sides.bounds[0] = way->cut.bounds[0];
        part->sides.bounds[1] = way->cut.bounds[1];
    }
}

/* Of few references nobody has bounded the centres: they go on as they are. */
static void finish_by_hand(const builder *build, const range *at, plan *way)
{
    sli_ref *to = target_of(build, at);
    const size_t right = left_room(at, way->sides.count);
    memmove(to + right, to + way->moved.left_count, way->sides.count[1] * sizeof *to);
    for (int k = 0; k < 2; k++) {
        way->sides.bounds[k] = way->moved.bounds[k];
        way->sides.centres[k] = way->moved.centres[k];
    }
}

static void join_sides(const builder *build, const range *at, plan *way, const chunk *parts,
                       size_t part_count)
{
    if (way->how == BY_HAND) {
        finish_by_hand(build, at, way);
        return;
    }
    for (int k = 0; k < 2; k++) {
        way->sides.bounds[k] = way->sides.centres[k] = sli_box_empty();
        for (size_t i = 0; i < part_count; i++) {
            sli_box_join(&way->sides.bounds[k], &parts[i].sides.bounds[k]);
            sli_box_join(&way->sides.centres[k], &parts[i].sides.centres[k]);
        }
    }
}

/* All steps, by one worker. */
static void split_range(const builder *build, const range *at, sli_sides *out)
{
    plan way;
    chunk part = { .begin = at->begin, .count = at->count };
    const bool few = at->count <= SLI_SWEEP_MOST;
    if (!few) {
        way.planes = sli_planes_place(&at->centres);
        fill_bins(build, at, &way, &part);
    }
    choose_by_centre(build, at, few ? NULL : &part.bins, &way);
    if (way.tries_space) {
        way.space = sli_space_place(&at->bounds);
        fill_slabs(build, at, &way, &part);
        choose_space(build, at, &part.slabs, &way);
    }
    count_sides(build, at, &way, &part);
    place_chunks(build, at, &way, &part, 1);
    move_chunk(build, at, &way, &part);
    join_sides(build, at, &way, &part, 1);
    *out = way.sides;
}

/* The left half is always taken next, so that a right half waits for each level at most. */
static void build_subtree(const builder *build, range at)
{
    range stack[SLI_BINARY_LEVELS];
    int top = 0;
    for (;;) {
        if (at.count > build->leaf_most) {
            sli_sides sides;
            range halves[2];
            split_range(build, &at, &sides);
            set_children(build, &at, &sides, halves);
            SL_ASSERT(top < SLI_BINARY_LEVELS);
            stack[top++] = halves[1];
            at = halves[0];
            continue;
        }
        set_leaf(build, &at);
        if (top == 0) {
            return;
        }
        at = stack[--top];
    }
}

static void build_subtrees(void *context, size_t begin, size_t end, int worker)
{
    (void)worker;
    const builder *build = context;
    for (size_t i = begin; i < end; i++) {
        build_subtree(build, build->subtrees[i]);
    }
}

static void add_range(builder *build, const range *at)
{
    if (at->count <= SUBTREE_MOST) {
        build->subtrees[build->subtree_count++] = *at;
    } else {
        build->next[build->next_count++] = *at;
    }
}

static void activate_next(builder *build)
{
    range *spare = build->active;
    build->active = build->next;
    build->next = spare;
    build->active_count = build->next_count;
    build->next_count = 0;
}

static void cut_chunks(builder *build)
{
    build->chunk_count = 0;
    for (size_t i = 0; i < build->active_count; i++) {
        const range *at = &build->active[i];
        build->plans[i].first_chunk = build->chunk_count;
        for (size_t done = 0; done < at->count; done += CHUNK) {
            const size_t left = at->count - done;
            chunk *part = &build->chunks[build->chunk_count++];
            part->range = i;
            part->begin = at->begin + done;
            part->count = left < CHUNK ? left : CHUNK;
        }
        build->plans[i].chunk_count = build->chunk_count - build->plans[i].first_chunk;
    }
}

static void place_planes(void *context, size_t begin, size_t end, int worker)
{
    (void)worker;
    const builder *build = context;
    for (size_t i = begin; i < end; i++) {
        build->plans[i].planes = sli_planes_place(&build->active[i].centres);
        build->plans[i].space = sli_space_place(&build->active[i].bounds);
    }
}

static void bin_chunks(void *context, size_t begin, size_t end, int worker)
{
    (void)worker;
    const builder *build = context;
    for (size_t i = begin; i < end; i++) {
        chunk *part = &build->chunks[i];
        fill_bins(build, &build->active[part->range], &build->plans[part->range], part);
    }
}

static void choose_cuts(void *context, size_t begin, size_t end, int worker)
{
    (void)worker;
    const builder *build = context;
    for (size_t i = begin; i < end; i++) {
        plan *way = &build->plans[i];
        sli_bins bins = build->chunks[way->first_chunk].bins;
        for (size_t k = 1; k < way->chunk_count; k++) {
            sli_bins_join(&bins, &build->chunks[way->first_chunk + k].bins);
        }
        choose_by_centre(build, &build->active[i], &bins, way);
    }
}

static void slab_chunks(void *context, size_t begin, size_t end, int worker)
{
    (void)worker;
    const builder *build = context;
    for (size_t i = begin; i < end; i++) {
        chunk *part = &build->chunks[i];
        if (build->plans[part->range].tries_space) {
            fill_slabs(build, &build->active[part->range], &build->plans[part->range], part);
        }
    }
}

static void choose_spaces(void *context, size_t begin, size_t end, int worker)
{
    (void)worker;
    const builder *build = context;
    for (size_t i = begin; i < end; i++) {
        plan *way = &build->plans[i];
        if (way->tries_space) {
            sli_slabs slabs = build->chunks[way->first_chunk].slabs;
            for (size_t k = 1; k < way->chunk_count; k++) {
                sli_slabs_join(&slabs, &build->chunks[way->first_chunk + k].slabs);
            }
            choose_space(build, &build->active[i], &slabs, way);
        }
    }
}

static void count_chunks(void *context, size_t begin, size_t end, int worker)
{
    (void)worker;
    const builder *build = context;
    for (size_t i = begin; i < end; i++) {
        chunk *part = &build->chunks[i];
        count_sides(build, &build->active[part->range], &build->plans[part->range], part);
    }
}

static void place_ranges(void *context, size_t begin, size_t end, int worker)
{
    (void)worker;
    const builder *build = context;
    for (size_t i = begin; i < end; i++) {
        plan *way = &build->plans[i];
        place_chunks(build, &build->active[i], way, &build->chunks[way->first_chunk],
                     way->chunk_count);
    }
}

static void move_chunks(void *context, size_t begin, size_t end, int worker)
{
    (void)worker;
    const builder *build = context;
    for (size_t i = begin; i < end; i++) {
        chunk *part = &build->chunks[i];
        move_chunk(build, &build->active[part->range], &build->plans[part->range], part);
    }
}

static void join_chunks(void *context, size_t begin, size_t end, int worker)
{
    (void)worker;
    const builder *build = context;
    for (size_t i = begin; i < end; i++) {
        plan *way = &build->plans[i];
        join_sides(build, &build->active[i], way, &build->chunks[way->first_chunk],
                   way->chunk_count);
    }
}

/* Splits every active range; its halves become active, or subtrees for one worker each. */
static void split_level(builder *build)
{
    const size_t ranges = build->active_count;
    cut_chunks(build);
    const size_t chunks = build->chunk_count;
    sli_stage_blocks(build->stage, ranges, 1, place_planes, build);
    sli_stage_blocks(build->stage, chunks, 1, bin_chunks, build);
    sli_stage_blocks(build->stage, ranges, 1, choose_cuts, build);
    sli_stage_blocks(build->stage, chunks, 1, slab_chunks, build);
    sli_stage_blocks(build->stage, ranges, 1, choose_spaces, build);
    sli_stage_blocks(build->stage, chunks, 1, count_chunks, build);
    sli_stage_blocks(build->stage, ranges, 1, place_ranges, build);
    sli_stage_blocks(build->stage, chunks, 1, move_chunks, build);
    sli_stage_blocks(build->stage, ranges, 1, join_chunks, build);
    for (size_t i = 0; i < ranges; i++) {
        range halves[2];
        set_children(build, &build->active[i], &build->plans[i].sides, halves);
        add_range(build, &halves[0]);
        add_range(build, &halves[1]);
    }
    activate_next(build);
}

/* Subtrees come in any size, so their number is not known beforehand. */
static bool reserve_subtrees(builder *build, size_t more)
{
    void *subtrees = build->subtrees;
    const bool done = sli_grow_array(&build->refs->allocator, &subtrees, &build->subtree_capacity,
                                     build->subtree_count + more, sizeof *build->subtrees);
    build->subtrees = subtrees;
    return done;
}

static sl_result split_top(builder *build)
{
    while (build->active_count > 0) {
        if (!reserve_subtrees(build, 2 * build->active_count)) {
            return sli_fail_memory(build->stage->error);
        }
        size_t left = 0;
        for (size_t i = 0; i < build->active_count; i++) {
            left += build->active[i].room;
        }
        const float fraction = 1.0f - (float)left / (float)build->refs->capacity;
        const sl_result result = sli_stage_report(build->stage, "top", fraction);
        if (result != SL_OK) {
            return result;
        }
        split_level(build);
    }
    return SL_OK;
}

/* All but the subtrees.  Active ranges have more than SUBTREE_MOST references each, and all
 * together never more than there is room for. */
static bool allocate(builder *build, sli_arena *arena)
{
    const size_t active = build->refs->capacity / SUBTREE_MOST + 1;
    const size_t chunks = active + build->refs->capacity / CHUNK;
    build->active = sli_arena_array(arena, active, sizeof *build->active);
    build->next = sli_arena_array(arena, active, sizeof *build->next);
    build->plans = sli_arena_array(arena, active, sizeof *build->plans);
    build->chunks = sli_arena_array(arena, chunks, sizeof *build->chunks);
    return build->active != NULL && build->next != NULL && build->plans != NULL &&
           build->chunks != NULL;
}

static void begin_at_root(void *context, size_t begin, size_t end, int worker)
{
    (void)begin;
    (void)end;
    (void)worker;
    builder *build = context;
    const sli_refs *refs = build->refs;
    const range all = { .count = refs->count,
                        .room = refs->capacity,
                        .levels = SLI_BINARY_LEVELS,
                        .bounds = refs->bounds,
                        .centres = refs->centres };
    build->overlap_least = overlap_least * sli_box_half_area(&refs->bounds);
    set_bounds(&build->nodes[0], &refs->bounds);
    add_range(build, &all);
    activate_next(build);
}

sl_result sli_spatial(sli_refs *refs, const sli_triangles *mesh, size_t leaf_most,
                      const sli_stage *stage, sli_node2 *nodes)
{
    const sl_allocator *allocator = &refs->allocator;
    sli_arena arena = sli_arena_make(allocator);
    builder build = {
        .refs = refs, .mesh = mesh, .nodes = nodes, .stage = stage, .leaf_most = leaf_most
    };
    sl_result result = SL_OK;
    if (!allocate(&build, &arena) || !reserve_subtrees(&build, 1)) {
        result = sli_fail_memory(stage->error);
        goto done;
    }
    sli_stage_blocks(stage, 1, 1, begin_at_root, &build);
    result = split_top(&build);
    if (result == SL_OK) {
        result = sli_stage_run(stage, "subtrees", build.subtree_count, 1, build_subtrees, &build);
    }
done:
    sli_free_array(allocator, build.subtrees, build.subtree_capacity, sizeof *build.subtrees);
    sli_arena_free(&arena);
    return result;
}
