/* Sorts references along a curve and cuts the curve into cells, for cell_tree.c: Lauterbach et al.,
 * Fast BVH Construction on GPUs (2009). */
#include "bvh/builder/curve.h"

#include "lib/base/error.h"
#include "lib/base/memory.h"
#include "lib/base/search.h"
#include "lib/base/thread/task.h"

enum {
    AXIS_BITS = 10,
    CODE_BITS = 3 * AXIS_BITS,
    DIGIT_BITS = 10,
    DIGITS = 1 << DIGIT_BITS,
    SECTION_BITS = 6, /* cubes of the second level are cut into cells by one worker each */
    SECTIONS = 1 << SECTION_BITS,
    CELL_MAX = 64,
    CHUNK_MIN = 4096,
    SLICED_CHUNK = 16384, /* of a build in slices: there is a checkpoint behind each chunk */
    SLICED_CHUNKS_MAX = 256,
    AHEAD = 32 /* references on their way from memory */
};

/* Between these the scale neither overflows nor underflows. */
static const float smallest_extent = 0x1p-110f, largest_extent = 0x1p126f;

/* Sides of its cube: a reference that is wider has a cell of its own. */
static const float width_max = 2;

/* What one worker makes of a section. */
typedef struct section {
    size_t begin, end; /* items */
    size_t cell_count, first_cell;
    sli_box centres;
} section;

_Static_assert(CODE_BITS / DIGIT_BITS % 2 == 1, "the last pass ends in the other array");

typedef struct sorter {
    const sli_refs *refs;
    sli_lanes origin; /* boxes are taken relative to it: far away, sums would be rounded */
    float scale;      /* of doubled centres, to units of the smallest cubes; 0: all are in one */
    sli_curve_item *from, *to;
    uint32_t *counts; /* of each digit, for each chunk; then, by summing, where it begins */
    size_t chunk_size, chunk_count;
    int position; /* of the digit */
    sli_slices *slices;
    sli_ref *wide; /* cells, those of a section from its first item on */
    sli_cells *out;
    section sections[SECTIONS];
} sorter;

static size_t chunk_end(const sorter *job, size_t chunk)
{
    const size_t end = (chunk + 1) * job->chunk_size;
    return end < job->refs->count ? end : job->refs->count;
}

/* Like set_cells a serial step in a block, since it computes in floats. */
static void set_cube(void *context)
{
    sorter *job = context;
    const sli_box *centres = &job->refs->centres;
    float extent = 0;
    for (int axis = 0; axis < 3; axis++) {
        const float side = centres->max[axis] - centres->min[axis];
        extent = side <= extent ? extent : side;
    }
    /* A little less, so that the highest centre stays within. */
    const float cubes = (float)(1 << AXIS_BITS) * (1 - 0x1p-20f);
    job->origin = centres->min * 0.5f;
    job->scale = extent >= smallest_extent && extent <= largest_extent ? cubes / extent : 0;
}

/* Coordinates of 10 bits, each bit followed by two zeros. */
static inline sli_lanes_u32 curve_spread(sli_lanes_u32 x)
{
    x = (x | x << 16) & 0x030000FFu;
    x = (x | x << 8) & 0x0300F00Fu;
    x = (x | x << 4) & 0x030C30C3u;
    return (x | x << 2) & 0x09249249u;
}

static inline uint32_t code_of(const sorter *job, const sli_ref *ref)
{
    if (job->scale == 0) {
        return 0;
    }
    const sli_box box = sli_ref_box(ref);
    const sli_lanes at = ((box.min - job->origin) + (box.max - job->origin)) * job->scale;
    const sli_lanes within =
        sli_lanes_min(sli_lanes_max(at, sli_lanes_all(0)), sli_lanes_all((1 << AXIS_BITS) - 1));
    const sli_lanes_i32 cube = __builtin_convertvector(within, sli_lanes_i32);
    const sli_lanes_u32 bits = curve_spread((sli_lanes_u32)cube);
    return bits[0] << 2 | bits[1] << 1 | bits[2];
}

static void fill_items(void *context, size_t i)
{
    const sorter *job = context;
    for (size_t ref = i * job->chunk_size; ref < chunk_end(job, i); ref++) {
        job->from[ref] = (sli_curve_item){ code_of(job, &job->refs->side[0][ref]), (uint32_t)ref };
    }
}

static uint32_t digit_of(const sorter *job, uint32_t code)
{
    return code >> (job->position * DIGIT_BITS) & (DIGITS - 1);
}

static void count_digits(void *context, size_t i)
{
    const sorter *job = context;
    uint32_t *counts = job->counts + i * DIGITS;
    memset(counts, 0, DIGITS * sizeof *counts);
    for (size_t k = i * job->chunk_size; k < chunk_end(job, i); k++) {
        counts[digit_of(job, job->from[k].code)]++;
    }
}

static void sum_counts(const sorter *job)
{
    uint32_t start = 0;
    for (size_t digit = 0; digit < DIGITS; digit++) {
        for (size_t i = 0; i < job->chunk_count; i++) {
            uint32_t *count = &job->counts[i * DIGITS + digit];
            const uint32_t here = *count;
            *count = start;
            start += here;
        }
        sli_slices_pause_at(job->slices, digit, 64);
    }
}

static void move_items(void *context, size_t i)
{
    const sorter *job = context;
    uint32_t *next = job->counts + i * DIGITS;
    for (size_t k = i * job->chunk_size; k < chunk_end(job, i); k++) {
        const sli_curve_item item = job->from[k];
        job->to[next[digit_of(job, item.code)]++] = item;
    }
}

/* Radix sort, least significant digit first; afterwards the items are in job->from. */
static void curve_sort(sorter *job, const sli_phase *phase)
{
    if (job->slices != NULL) { /* else the first pass would make new pages by the thousand */
        sli_slices_fill(job->slices, job->to, 0, job->refs->count * sizeof *job->to);
    }
    sli_phase_each(phase, job->chunk_count, 1, fill_items, job);
    for (job->position = 0; job->position < CODE_BITS / DIGIT_BITS; job->position++) {
        sli_phase_each(phase, job->chunk_count, 1, count_digits, job);
        sum_counts(job);
        sli_phase_each(phase, job->chunk_count, 1, move_items, job);
        sli_curve_item *spare = job->from;
        job->from = job->to;
        job->to = spare;
    }
}

static void add_cell(section *at, sli_ref *wide, const sli_box *box, size_t first, size_t count)
{
    sli_ref *cell = &wide[at->begin + at->cell_count++];
    memcpy(cell, box, sizeof *box);
    cell->prim = (uint32_t)first;
    cell->spare = (uint32_t)count;
    sli_box_add(&at->centres, sli_box_centre(box));
}

/* A cell for [begin, end), and one for each of its references that is too wide.  The order of
 * those that are left may change. */
static void add_cells(const sorter *job, section *at, size_t begin, size_t end, float width)
{
    sli_curve_item *items = job->from;
    const bool alone = end - begin == 1;
    const size_t last = at->end - 1;
    sli_box all = sli_box_empty();
    for (size_t i = begin; i < end;) {
        sli_slices_pause_at(job->slices, i, 4096);
        const size_t next = i + AHEAD < last ? i + AHEAD : last;
        __builtin_prefetch(&job->refs->side[0][items[next].ref]);
        const sli_box box = sli_ref_box(&job->refs->side[0][items[i].ref]);
        const sli_lanes_i32 wide = box.max - box.min > width;
        if (!alone && (wide[0] | wide[1] | wide[2]) != 0) {
            const sli_curve_item item = items[i];
            items[i] = items[--end];
            items[end] = item;
            add_cell(at, job->wide, &box, end, 1);
        } else {
            sli_box_join(&all, &box);
            i++;
        }
    }
    if (end > begin) {
        add_cell(at, job->wide, &all, begin, end - begin);
    }
}

/* The longest side of a reference in a cell whose codes are equal above bit. */
static float width_of(const sorter *job, int bit)
{
    const float cubes = (float)(1 << (bit + 3) / 3);
    return job->scale == 0 ? FLT_MAX : width_max * cubes / (2 * job->scale); /* centres are twice */
}

static void cut_section(void *context, size_t i)
{
    sorter *job = context;
    section *at = &job->sections[i];
    struct {
        size_t begin, end;
        int bit; /* codes are equal above it */
    } stack[CODE_BITS + 1] = { { at->begin, at->end, CODE_BITS - SECTION_BITS - 1 } };
    for (int top = at->begin < at->end; top > 0;) {
        const size_t begin = stack[--top].begin, end = stack[top].end;
        const int bit = stack[top].bit;
        sli_slices_pause_at(job->slices, at->cell_count, 64);
        if (end - begin <= CELL_MAX || bit < 0) {
            add_cells(job, at, begin, end, width_of(job, bit));
            continue;
        }
        /* Codes are equal above the bit. */
        const size_t middle = SLI_FIRST(k, begin, end, (job->from[k].code >> bit & 1) != 0);
        for (int half = 0; half < 2; half++) { /* the lower one is next */
            stack[top].begin = half == 0 ? middle : begin;
            stack[top].end = half == 0 ? end : middle;
            stack[top].bit = bit - 1;
            top += stack[top].begin < stack[top].end;
        }
    }
}

static void find_sections(sorter *job)
{
    size_t begin = 0;
    for (uint32_t i = 0; i < SECTIONS; i++) {
        section *at = &job->sections[i];
        /* The first item of a later section. */
        const size_t end = SLI_FIRST(k, begin, job->refs->count,
                                     job->from[k].code >> (CODE_BITS - SECTION_BITS) > i);
        *at = (section){ .begin = begin, .end = end, .centres = sli_box_empty() };
        begin = end;
    }
}

static void move_cells(void *context, size_t i)
{
    const sorter *job = context;
    const section *at = &job->sections[i];
    sli_slices_copy(job->slices, job->out->cells + at->first_cell, job->wide + at->begin,
                    at->cell_count * sizeof(sli_ref));
}

/* Counts become places. */
static void set_cells(void *context)
{
    sorter *job = context;
    sli_cells *out = job->out;
    out->count = 0;
    out->centres = sli_box_empty();
    for (size_t i = 0; i < SECTIONS; i++) {
        job->sections[i].first_cell = out->count;
        out->count += job->sections[i].cell_count;
        sli_box_join(&out->centres, &job->sections[i].centres);
    }
}

/* Chunks may depend on the machine: the sort is stable. */
static void cut_chunks(sorter *job, const sli_phase *phase)
{
    const size_t count = job->refs->count;
    const size_t workers = (size_t)sli_worker_count(phase->tasks);
    const size_t share = workers == 1 ? count : count / (4 * workers) + 1;
    job->chunk_size = share < CHUNK_MIN ? CHUNK_MIN : share;
    if (phase->slices != NULL && job->chunk_size > SLICED_CHUNK) {
        const size_t least = count / SLICED_CHUNKS_MAX + 1;
        job->chunk_size = least > SLICED_CHUNK ? least : SLICED_CHUNK;
    }
    job->chunk_count = (count + job->chunk_size - 1) / job->chunk_size;
}

/* False: out of memory. */
static bool create_cells(sorter *job, sli_arena *arena, const sli_phase *phase)
{
    sli_cells *out = job->out;
    sli_phase_once(phase, set_cube, job);
    curve_sort(job, phase);
    out->items = job->from;
    find_sections(job);
    sli_phase_each(phase, SECTIONS, 1, cut_section, job);
    sli_phase_once(phase, set_cells, job);
    out->cells = sli_arena_array(arena, out->count, sizeof *out->cells);
    if (out->cells == NULL) {
        return false;
    }
    sli_phase_each(phase, SECTIONS, 1, move_cells, job);
    return true;
}

sl_result sli_cells_create(const sli_refs *refs, sli_arena *arena, const sli_phase *phase,
                           sli_cells *out)
{
    const sl_allocator *allocator = &refs->allocator;
    SLI_TRY(sli_phase_report(phase, "sort", 0, 1));
    sorter job = { .refs = refs, .out = out, .slices = phase->slices };
    cut_chunks(&job, phase);
    const size_t digits = job.chunk_count * DIGITS;
    sli_curve_item *spare = sli_alloc_array(allocator, refs->count, sizeof *spare);
    job.counts = sli_alloc_array(allocator, digits, sizeof *job.counts);
    job.wide = sli_alloc_array(allocator, refs->count, sizeof *job.wide);
    job.to = sli_arena_array(arena, refs->count, sizeof *job.to); /* after three passes */
    job.from = spare;
    const bool done = spare != NULL && job.counts != NULL && job.wide != NULL && job.to != NULL &&
                      create_cells(&job, arena, phase);
    sli_free_array(allocator, spare, refs->count, sizeof *spare);
    sli_free_array(allocator, job.counts, digits, sizeof *job.counts);
    sli_free_array(allocator, job.wide, refs->count, sizeof *job.wide);
    return done ? SL_OK : sli_fail_memory(phase->error);
}
