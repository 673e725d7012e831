/* Writes groups of boxes, for box_tree.c: box_group.h. */
#include "bvh/builder/box_group.h"

#include "bvh/builder/topdown.h"
#include "lib/base/assert.h"

typedef struct work {
    const sli_box_cells *build;
    sli_ref refs[SLI_GROUP_MAX];
    uint32_t order[SLI_GROUP_MAX]; /* of refs */
    uint32_t count, line;          /* line: the next one */
    sli_box_sums sums;
} work;

static void box_group_gather(work *job, uint32_t root)
{
    const sli_box_cells *build = job->build;
    uint32_t stack[SLI_BINARY_LEVELS + 1], numbers[SLI_GROUP_MAX];
    int top = 0;
    job->count = 0;
    stack[top++] = root;
    while (top > 0) {
        const sli_node2 *node = &build->nodes[stack[--top]];
        if (node->count == 0) {
            stack[top++] = node->first + 1;
            stack[top++] = node->first;
            continue;
        }
        const sli_ref *cell = &build->cells.cells[build->prims[node->first]];
        for (uint32_t i = 0; i < cell->spare; i++) {
            const uint32_t number = build->cells.items[cell->prim + i].ref;
            __builtin_prefetch(&build->refs->side[0][number]);
            numbers[job->count++] = number;
        }
    }
    for (uint32_t i = 0; i < job->count; i++) {
        job->refs[i] = build->refs->side[0][numbers[i]];
        __builtin_prefetch(&build->tree->slots[job->refs[i].prim], 1);
        job->order[i] = i;
    }
}

/* Twice the centre along an axis: one lane of sli_ref_centre. */
static inline float centre_of(const sli_ref *ref, int axis)
{
    return ref->min[axis] + ref->max[axis];
}

/* The longest side of the box around the centres of a range. */
typedef struct extent {
    int axis;
    float low, side;
} extent;

static extent longest_side(const work *job, uint32_t begin, uint32_t count)
{
    sli_box centres = sli_box_empty();
    for (uint32_t i = 0; i < count; i++) {
        sli_box_add(&centres, sli_ref_centre(&job->refs[job->order[begin + i]]));
    }
    const sli_lanes side = centres.max - centres.min;
    const int axis = side[1] > side[0] ? 1 : 0;
    const int longest = side[2] > side[axis] ? 2 : axis;
    return (extent){ longest, centres.min[longest], side[longest] };
}

/* Sorts by the leading bits of centres; equal ones as they were.  Each box goes to the place whose
 * number is the count of boxes before it: no branch can be mispredicted. */
static void sort_few(const work *job, uint32_t *order, uint32_t count, int axis)
{
    enum { LANES = 4 };
    union {
        int32_t one[SLI_GROUP_MAX];
        sli_lanes_i32 four[SLI_GROUP_MAX / LANES];
    } keys;
    uint32_t old[SLI_GROUP_MAX];
    const uint32_t vectors = (count + LANES - 1) / LANES;
    for (uint32_t i = 0; i < count; i++) {
        old[i] = order[i];
        const uint32_t key = sli_ref_key(&job->refs[old[i]], axis) ^ 0x80000000u;
        keys.one[i] = (int32_t)((key & ~(uint32_t)(SLI_GROUP_MAX - 1)) | i);
    }
    for (uint32_t i = count; i < vectors * LANES; i++) {
        keys.one[i] = INT32_MAX;
    }
    for (uint32_t i = 0; i < count; i++) {
        const sli_lanes_i32 key = sli_lanes_all_i32(keys.one[i]);
        sli_lanes_i32 before = { 0 };
        for (uint32_t v = 0; v < vectors; v++) {
            before -= keys.four[v] < key;
        }
        order[(uint32_t)(before[0] + before[1] + before[2] + before[3])] = old[i];
    }
}

/* Puts the boxes with the lowest centres first, as many as are asked for: by slices across the
 * longest side, of which only the one in which the last of them lies is sorted. */
static void sort_slices(const work *job, uint32_t *order, uint32_t count, uint32_t lowest,
                        const extent *along)
{
    enum { SLICES = 64 };
    uint32_t counts[SLICES] = { 0 }, lower = 0, pivot = 0;
    uint32_t middle[SLI_GROUP_MAX], upper[SLI_GROUP_MAX];
    uint8_t slices[SLI_GROUP_MAX];
    const float scale = ((float)SLICES - 0x1p-12f) / along->side;
    for (uint32_t i = 0; i < count; i++) {
        const float at = centre_of(&job->refs[order[i]], along->axis) - along->low;
        const int slice = (int)(at * scale);
        slices[i] = (uint8_t)(slice < SLICES ? slice : SLICES - 1);
        counts[slices[i]]++;
    }
    for (; lower + counts[pivot] < lowest; pivot++) {
        lower += counts[pivot];
    }
    uint32_t low = 0, between = 0, high = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t item = order[i];
        order[low] = middle[between] = upper[high] = item; /* never beyond i */
        low += slices[i] < pivot;
        between += slices[i] == pivot;
        high += slices[i] > pivot;
    }
    memcpy(order + low, middle, between * sizeof *order);
    memcpy(order + low + between, upper, high * sizeof *order);
    sort_few(job, order + low, between, along->axis);
}

/* Puts the boxes of a range with the lowest centres along the longest side of all first. */
static void part_range(work *job, uint32_t begin, uint32_t count, uint32_t lowest)
{
    enum { FEW = 32 };
    const float least = 0x1p-110f, most = 0x1p126f; /* of a side whose inverse is of use */
    const extent along = longest_side(job, begin, count);
    if (count > FEW && along.side >= least && along.side <= most) {
        sort_slices(job, job->order + begin, count, lowest, &along);
    } else {
        sort_few(job, job->order + begin, count, along.axis);
    }
}

/* Halves a range into parts of about as many blocks each, of which only the last one of the range
 * may not be full; ends[i] is the end of part i. */
static void box_group_divide(work *job, uint32_t begin, uint32_t count, uint32_t parts,
                             uint32_t *ends)
{
    if (parts == 1) {
        *ends = begin + count;
        return;
    }
    const uint32_t left = parts / 2;
    const uint32_t blocks = (sli_box_blocks(count) * left + parts - 1) / parts;
    part_range(job, begin, count, blocks * SLI_PACK);
    box_group_divide(job, begin, blocks * SLI_PACK, left, ends);
    box_group_divide(job, begin + blocks * SLI_PACK, count - blocks * SLI_PACK, parts - left,
                     ends + left);
}

static sli_box write_block(work *job, uint32_t begin, uint32_t end)
{
    const sli_box_cells *build = job->build;
    sli_tri_pack pack = { .prim = { SL_NONE, SL_NONE, SL_NONE, SL_NONE } };
    sli_box all = sli_box_empty();
    for (uint32_t lane = 0; lane < end - begin; lane++) {
        const sli_ref *ref = &job->refs[job->order[begin + lane]];
        const sli_box box = sli_ref_box(ref);
        sli_box_join(&all, &box);
        sli_pack_set_box(&pack, lane, ref->min, ref->max);
        pack.prim[lane] = ref->prim;
        pack.mask[lane] = UINT32_MAX;
        build->tree->slots[ref->prim] = job->line * SLI_PACK + lane;
    }
    memcpy(sli_tree_at(build->tree, job->line), &pack, sizeof pack);
    job->line += SLI_PACK_LINES;
    return all;
}

/* A node of blocks, and these. */
static sli_box write_node(work *job, uint32_t begin, uint32_t end)
{
    uint32_t ends[SLI_WIDTH];
    const uint32_t blocks = sli_box_blocks(end - begin);
    sli_node_wide *node = sli_tree_at(job->build->tree, job->line);
    sli_box all = sli_box_empty();
    SL_ASSERT(blocks <= SLI_WIDTH);
    box_group_divide(job, begin, end - begin, blocks, ends);
    job->line += SLI_NODE_LINES;
    for (uint32_t slot = 0; slot < blocks; slot++) {
        const uint32_t ref = SLI_REF_LEAF | job->line;
        const sli_box box = write_block(job, slot > 0 ? ends[slot - 1] : begin, ends[slot]);
        sli_box_node_set(node, slot, ref, &box, &job->sums);
        sli_box_join(&all, &box);
    }
    sli_box_node_complete(node, blocks);
    return all;
}

static void write_group(work *job)
{
    uint32_t ends[SLI_WIDTH];
    const uint32_t blocks = sli_box_blocks(job->count), nodes = nodes_below(blocks);
    if (blocks == 1) {
        write_block(job, 0, job->count);
        return;
    }
    if (nodes == 0) {
        write_node(job, 0, job->count);
        return;
    }
    sli_node_wide *root = sli_tree_at(job->build->tree, job->line);
    box_group_divide(job, 0, job->count, nodes, ends);
    job->line += SLI_NODE_LINES;
    for (uint32_t slot = 0; slot < nodes; slot++) {
        const uint32_t ref = job->line;
        const sli_box box = write_node(job, slot > 0 ? ends[slot - 1] : 0, ends[slot]);
        sli_box_node_set(root, slot, ref, &box, &job->sums);
    }
    sli_box_node_complete(root, nodes);
}

sli_box_sums sli_box_group_write(const sli_box_cells *from, uint32_t node, uint32_t line)
{
    work job = { .build = from, .line = line };
    box_group_gather(&job, node);
    write_group(&job);
    return job.sums;
}
