/* lines.h: lines of sight on their way to the scene.  Pairs, matrices, samples and viewsheds add
 * lines one by one; they are gathered on the stack, traced some hundreds at a time, and their
 * answers handed back, in any order.  Hints are tried a few at a time, while what they lead to is
 * in the caches, and lines that they answer make room for more: the larger what is traced together,
 * the less often few rays are left in flight.  What all lines have in common lives here: which
 * numbers coordinates become, which bodies are not there, what is remembered. */
#pragma once

#include "bvh/sight/memory.h"

enum {
    SLI_LINES = 448, /* that fit if they are in floats, without hints, and without bodies */
    SLI_LINES_SCRATCH = 33 * SLI_LINES,
    SLI_LINES_SCRATCH_SMALL = 33 * 256 /* of callers with much else on the stack */
};

typedef struct sli_lines sli_lines;

/* Takes the answers to lines that were added: occluded[i] is 1 or 0, and where lines had
 * hints, occluders[i] names a triangle that occludes the one that is occluded. */
typedef void sli_lines_take(void *context, const size_t *numbers, const uint8_t *occluded,
                            const sl_triangle_ref *occluders, size_t count);

struct sli_lines {
    const sl_bvh *bvh;
    const sl_options *options; /* the caller's */
    sl_sight_memory *memory;
    sli_lines_take *take;
    void *context;
    bool doubles;
    bool keep_unused; /* of the memory: what does not block one line may block the next one */
    bool only_seen;   /* take is not called for lines that hints answer: they are occluded */
    bool mutual;      /* ends are of one list, and lines the same both ways */
    bool bodies;      /* there is room for own */
    bool owned;       /* some line has bodies that are not there */
    bool hinted;      /* hints matter, and so do occluders */
    size_t count, capacity;
    size_t fresh;         /* lines before it have been tried with their hints, which do not block */
    size_t few;           /* that are tried together */
    uint64_t tried, held; /* of the memory */
    /* Arrays in room, of capacity lines each; those that nothing reads have none. */
    sl_instance_range (*own)[2];
    sl_segment *floats;
    sl_segment_d *in_doubles;
    sl_triangle_ref *hint;
    uint64_t *key;
    size_t *number;
    uint8_t *occluded;
    char *scratch;
    size_t scratch_size;
};

/* What a caller of sli_lines_begin has on its stack for lines. */
typedef struct sli_lines_scratch {
    _Alignas(16) char bytes[SLI_LINES_SCRATCH];
} sli_lines_scratch;

typedef struct sli_lines_small_scratch {
    _Alignas(16) char bytes[SLI_LINES_SCRATCH_SMALL];
} sli_lines_small_scratch;

/* Starts, in scratch_size bytes at scratch; sight may be NULL.  hinted: lines come with hints. */
void sli_lines_begin(sli_lines *lines, char *scratch, size_t scratch_size, const sl_bvh *bvh,
                     const sl_sight *sight, bool hinted, sli_lines_take *take, void *context);

/* Ends are of one list.  Where lines are the same both ways, a pair and its reverse then share what
 * is remembered. */
void sli_lines_of_one_list(sli_lines *lines);

/* A line from an eye to a point that belongs to a target.  hint is what is looked at first: NULL
 * but where sli_lines_begin was told of hints. */
void sli_lines_add(sli_lines *lines, const sl_sight_end *eye, const sl_sight_end *target,
                   const double to[3], size_t number, const sl_triangle_ref *hint);

/* Answers all lines that are left; more may be added. */
void sli_lines_flush(sli_lines *lines);
/* The same for the last time. */
void sli_lines_end(sli_lines *lines);

/* The number that a coordinate becomes. */
double sli_sight_number(double x, bool doubles);

static inline bool sli_sight_in_doubles(const sl_sight *sight)
{
    return sight != NULL && (sight->flags & SL_SIGHT_DOUBLES) != 0;
}

/* The same ends with targets. */
static inline sl_sight_ends sli_sight_both(const sl_sight_ends *ends)
{
    return ends->targets != NULL
               ? *ends
               : (sl_sight_ends){ ends->eyes, ends->eye_count, ends->eyes, ends->eye_count };
}

/* Answers a query by units of work: unit(job, at) for each at below count, on the tasks.  A memory
 * begins its next call. */
void sli_sight_run(const sl_sight *sight, size_t count, void (*unit)(const void *job, size_t at),
                   const void *job, const sl_tasks *tasks);

/* ---- Answers as bits ---- */

/* The take of lines whose numbers are those of bits, which begin as zeros; context: the words. */
void sli_sight_take_bits(void *context, const size_t *numbers, const uint8_t *occluded,
                         const sl_triangle_ref *occluders, size_t count);

/* How many bits are set, of count words. */
size_t sli_sight_count_bits(const uint64_t *words, size_t count);

/* The caller's hit filter, for lines that have other numbers than their positions in an array. */
typedef struct sli_sight_filter {
    const sl_options *options;
    const size_t *number;
} sli_sight_filter;

/* The caller's options without items, ignore and proxy; filter is filled in, and used by them. */
sl_options sli_sight_query(const sl_options *given, const size_t *number, sli_sight_filter *filter);
