/* Gathers lines of sight and traces them in batches. */
#include "bvh/sight/lines.h"

#include "bvh/query/ray_query.h"

#include <string.h>

enum {
    AHEAD = 8, /* lines whose buckets are prefetched */
    FEW = 96,  /* lines whose hints are tried together */
    HELD = 32  /* of these, that are handed back together */
};

double sli_sight_number(double x, bool doubles)
{
    return doubles ? sli_round_to_grid(x, SLI_STEP) : (double)(float)x;
}

static bool filter_accepts(void *user, size_t index, const sl_hit *hit)
{
    const sli_sight_filter *filter = user;
    return filter->options->filter(filter->options->filter_user, filter->number[index], hit);
}

sl_options sli_sight_query(const sl_options *given, const size_t *number, sli_sight_filter *filter)
{
    if (given == NULL) {
        return sli_everything;
    }
    sl_options options = sli_query_from(given, 0);
    options.ignore_count = 0;
    options.items = NULL;
    options.proxy = NULL;
    if (given->filter != NULL) {
        *filter = (sli_sight_filter){ .options = given, .number = number };
        options.filter = filter_accepts;
        options.filter_user = filter;
    }
    return options;
}

/* Lays the arrays out in the room; nothing may be in them. */
static void lines_lay_out(sli_lines *lines)
{
    const size_t segment = lines->doubles ? sizeof(sl_segment_d) : sizeof(sl_segment);
    const size_t own = lines->bodies ? sizeof *lines->own : 0;
    const size_t hint = lines->hinted ? sizeof *lines->hint : 0;
    const size_t key = lines->memory != NULL ? sizeof *lines->key : 0;
    const size_t size = segment + own + hint + key + sizeof *lines->number + 1;
    const size_t capacity = lines->scratch_size / size & ~(size_t)7; /* arrays begin aligned */
    char *at = lines->scratch;
    lines->capacity = capacity;
    lines->few = capacity / 3 < FEW ? capacity / 3 : FEW;
    lines->own = (sl_instance_range(*)[2])(void *)at;
    at += capacity * own;
    lines->floats = (sl_segment *)(void *)at;
    lines->in_doubles = (sl_segment_d *)(void *)at;
    at += capacity * segment;
    lines->hint = (sl_triangle_ref *)(void *)at;
    at += capacity * hint;
    lines->key = (uint64_t *)(void *)at;
    at += capacity * key;
    lines->number = (size_t *)(void *)at;
    lines->occluded = (uint8_t *)(at + capacity * sizeof *lines->number);
}

void sli_lines_begin(sli_lines *lines, char *scratch, size_t scratch_size, const sl_bvh *bvh,
                     const sl_sight *sight, bool hinted, sli_lines_take *take, void *context)
{
    *lines = (sli_lines){ .bvh = bvh,
                          .options = sight != NULL ? sight->options : NULL,
                          .memory = sight != NULL ? sight->memory : NULL,
                          .take = take,
                          .context = context,
                          .doubles = sli_sight_in_doubles(sight),
                          .scratch = scratch,
                          .scratch_size = scratch_size };
    lines->hinted = hinted || lines->memory != NULL;
    lines_lay_out(lines);
}

void sli_lines_of_one_list(sli_lines *lines)
{
    const sl_options *given = lines->options;
    const uint32_t open = given != NULL ? given->flags & (SL_OPEN_START | SL_OPEN_END) : 0;
    lines->mutual = (open == 0 || open == (SL_OPEN_START | SL_OPEN_END)) &&
                    (given == NULL || given->cull == SL_CULL_NONE);
}

/* Looks up what occluded the lines that are fresh the last time, and prefetches its instances. */
static void lines_recall(sli_lines *lines)
{
    const sli_world *world = &lines->bvh->world;
    for (size_t i = lines->fresh; i < lines->count; i++) {
        const sl_triangle_ref hint = sli_sight_recall(lines->memory, lines->key[i]);
        if (hint.instance < world->count) {
            __builtin_prefetch(&world->transformed[hint.instance]);
            __builtin_prefetch((const char *)&world->transformed[hint.instance] + 64);
        }
        lines->hint[i] = hint;
        lines->tried += hint.prim != SL_NONE;
    }
}

/* Notes what occludes the lines now; hint[i] is still what was looked up where nothing does. */
static void lines_remember(sli_lines *lines)
{
    for (size_t i = 0; i < lines->count; i++) {
        const size_t ahead = i + AHEAD < lines->count ? i + AHEAD : i;
        __builtin_prefetch(sli_sight_bucket_of(lines->memory, lines->key[ahead]));
        if (lines->occluded[i] != 0) {
            sli_sight_remember(lines->memory, lines->key[i], lines->hint[i]);
        } else if (lines->hint[i].prim != SL_NONE && !lines->keep_unused) {
            sli_sight_forget(lines->memory, lines->key[i]);
        }
    }
}

/* The lines from `first` on as a query; query and filter are filled in, and used by it. */
static sli_ray_query lines_query(sli_lines *lines, size_t first, sl_options *options,
                                 sli_sight_filter *filter)
{
    *options = sli_sight_query(lines->options, lines->number + first, filter);
    if (lines->owned) {
        options->ignore = lines->own[first];
        options->ignore_count = 2;
    }
    return (sli_ray_query){
        .bvh = lines->bvh,
        .options = options,
        .ignore_stride = lines->owned ? 2 : 0,
        .kind = SLI_QUERY_ANY,
        .items = { .segments = lines->doubles ? NULL : lines->floats + first,
                   .segments_d = lines->doubles ? lines->in_doubles + first : NULL },
        .any = lines->occluded + first,
        .hints = lines->hinted ? lines->hint + first : NULL,
    };
}

/* Copies line i to a slot before it. */
static void lines_move_up(sli_lines *lines, size_t i, size_t to)
{
    lines->number[to] = lines->number[i];
    lines->hint[to] = lines->hint[i];
    if (lines->memory != NULL) {
        lines->key[to] = lines->key[i];
    }
    if (lines->owned) {
        memcpy(lines->own[to], lines->own[i], sizeof lines->own[to]);
    }
    if (lines->doubles) {
        lines->in_doubles[to] = lines->in_doubles[i];
    } else {
        lines->floats[to] = lines->floats[i];
    }
}

/* Hands back the fresh lines that their hints answer. */
static void lines_take_held(sli_lines *lines)
{
    size_t number[HELD];
    sl_triangle_ref occluder[HELD];
    uint8_t occluded[HELD];
    size_t held = 0;
    memset(occluded, 1, sizeof occluded);
    for (size_t i = lines->fresh; i < lines->count; i++) {
        number[held] = lines->number[i];
        occluder[held] = lines->hint[i];
        held += lines->occluded[i];
        if (held == HELD || i + 1 == lines->count) {
            lines->take(lines->context, number, occluded, occluder, held);
            held = 0;
        }
    }
}

/* Tries the hints of the lines that are fresh; those that they answer make room for others. */
static void lines_try_hints(sli_lines *lines)
{
    sli_sight_filter filter;
    sl_options options;
    const size_t count = lines->count, first = lines->fresh;
    if (lines->memory != NULL) {
        lines_recall(lines);
    }
    const sli_ray_query query = lines_query(lines, first, &options, &filter);
    sli_world_try_hints(&query, count - first, NULL);
    if (!lines->only_seen) {
        lines_take_held(lines);
    }
    size_t left = first;
    for (size_t i = first; i < count; i++) { /* which ones cannot be foretold: no branches */
        lines_move_up(lines, i, left);
        left += 1 - lines->occluded[i];
    }
    lines->held += count - left;
    lines->count = lines->fresh = left;
}

/* Traces all lines. */
static void lines_trace(sli_lines *lines)
{
    sli_sight_filter filter;
    sl_options options;
    sli_ray_query query = lines_query(lines, 0, &options, &filter);
    query.tried = lines->hinted;
    sli_world_query(&query, lines->count, NULL);
    if (lines->memory != NULL) {
        lines_remember(lines);
    }
    lines->take(lines->context, lines->number, lines->occluded, lines->hint, lines->count);
    lines->count = lines->fresh = 0;
    lines->owned = false;
}

void sli_lines_flush(sli_lines *lines)
{
    if (lines->hinted && lines->count > lines->fresh) {
        lines_try_hints(lines);
    }
    if (lines->count > 0) {
        lines_trace(lines);
    }
}

/* Makes room for more lines. */
static void lines_flush_some(sli_lines *lines)
{
    if (lines->hinted) {
        lines_try_hints(lines);
    }
    if (lines->count + (lines->hinted ? lines->few : 1) > lines->capacity) {
        lines_trace(lines);
    }
}

void sli_lines_end(sli_lines *lines)
{
    sli_lines_flush(lines);
    if (lines->memory != NULL) {
        sli_atomic_add_u64(&lines->memory->tried, lines->tried);
        sli_atomic_add_u64(&lines->memory->occluded, lines->held);
    }
}

/* Writes the segment as the call takes its numbers; false: a coordinate is no number. */
static bool lines_put_segment(sli_lines *lines, const double from[3], const double to[3])
{
    bool good = true;
    if (lines->doubles) {
        sl_segment_d *segment = &lines->in_doubles[lines->count];
        for (int axis = 0; axis < 3; axis++) {
            segment->p[axis] = from[axis];
            segment->q[axis] = to[axis];
            good &= fabs(from[axis]) <= FLT_MAX && fabs(to[axis]) <= FLT_MAX;
        }
        return good;
    }
    sl_segment *segment = &lines->floats[lines->count];
    float zero = 0;
    for (int axis = 0; axis < 3; axis++) {
        const float p = (float)from[axis], q = (float)to[axis];
        segment->p[axis] = p;
        segment->q[axis] = q;
        zero += (p - p) + (q - q); /* of what is not finite: NaN */
    }
    return zero == 0;
}

/* Makes room for the bodies of lines to come. */
static void lines_begin_bodies(sli_lines *lines)
{
    sli_lines_flush(lines);
    lines->bodies = true;
    lines_lay_out(lines);
}

void sli_lines_add(sli_lines *lines, const sl_sight_end *eye, const sl_sight_end *target,
                   const double to[3], size_t number, const sl_triangle_ref *hint)
{
    const bool owned = (eye->own.count | target->own.count) != 0;
    if (owned && !lines->bodies) {
        lines_begin_bodies(lines);
    }
    const size_t i = lines->count;
    if (!lines_put_segment(lines, eye->at, to)) {
        const uint8_t unseen = 1;
        const sl_triangle_ref nothing = { .prim = SL_NONE };
        lines->take(lines->context, &number, &unseen, hint != NULL ? hint : &nothing, 1);
        return;
    }
    lines->number[i] = number;
    if (lines->bodies) {
        lines->own[i][0] = eye->own;
        lines->own[i][1] = target->own;
        lines->owned |= owned;
    }
    if (hint != NULL) {
        lines->hint[i] = *hint;
    }
    if (lines->memory != NULL) {
        const bool turned = lines->mutual && eye->id > target->id;
        lines->key[i] =
            turned ? sli_sight_key(target->id, eye->id) : sli_sight_key(eye->id, target->id);
        __builtin_prefetch(sli_sight_bucket_of(lines->memory, lines->key[i]));
    }
    lines->count = i + 1;
    if (lines->count == (lines->hinted ? lines->fresh + lines->few : lines->capacity)) {
        lines_flush_some(lines);
    }
}

/* ---- Units of work ---- */

typedef struct sight_units {
    void (*unit)(const void *job, size_t at);
    const void *job;
} sight_units;

static void run_units(const void *context, size_t begin, size_t end, sl_stats *stats)
{
    const sight_units *units = context;
    (void)stats;
    for (size_t at = begin; at < end; at++) {
        units->unit(units->job, at);
    }
}

void sli_sight_run(const sl_sight *sight, size_t count, void (*unit)(const void *job, size_t at),
                   const void *job, const sl_tasks *tasks)
{
    const sight_units units = { unit, job };
    if (sight != NULL && sight->memory != NULL) {
        sli_sight_next_call(sight->memory);
    }
    sli_run_blocks_of(1, count, run_units, &units, NULL, tasks);
}

void sli_sight_take_bits(void *context, const size_t *numbers, const uint8_t *occluded,
                         const sl_triangle_ref *occluders, size_t count)
{
    uint64_t *words = context;
    (void)occluders;
    for (size_t i = 0; i < count; i++) {
        words[numbers[i] / 64] |= (uint64_t)(occluded[i] == 0) << numbers[i] % 64;
    }
}

size_t sli_sight_count_bits(const uint64_t *words, size_t count)
{
    size_t total = 0;
    for (size_t i = 0; i < count; i++) {
        total += words[i] != 0 ? (size_t)__builtin_popcountll(words[i]) : 0;
    }
    return total;
}
