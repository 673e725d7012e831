/* ask/source.h: where the elements of a run come from: a file, tools/generate, or one volume of the
 * command line; a block at a time. */
#pragma once

#include "tools/ask/world.h"
#include "tools/generate/query_random.h"
#include "tools/input/rays.h"

/* Room for the points of the hulls of a block: of 31 with the most points, or of more. */
enum { VOLUME_LINES_POINTS = 32 * VOLUME_SPEC_NUMBERS_MAX };

typedef struct ask_source {
    const char *name; /* of what is made, or "file" */
    ask_kind kind;
    bool from_file;
    rays_in file;
    lines_in lines; /* of volumes */
    bool is_one;
    sl_sweep sweep; /* the only volume, where nothing else is named; of sweeps dir and policies */
    float points[VOLUME_LINES_POINTS]; /* of the hulls at hand, which refer to them */
    double one[2][COLUMNS_MAX]; /* the only one of --ray, --segment or --point: floats, doubles */
    query_random random;
    int made; /* a ray_kind, point_kind or sl_volume_kind */
    const sl_tasks *tasks;
    bool half_unlimited; /* every other point is looked around without limit */
    uint64_t next;       /* index of the next one, of those that are made */
    uint64_t end;        /* of those: behind the last one */
    uint64_t count;      /* 0: not known before the end */
} ask_source;

/* Whether there is one of --ray, --segment or --point.  Its numbers: EXIT_DONE or EXIT_USAGE. */
bool ask_source_has_one(const ask_options *options);
int ask_source_parse(const invocation *call, bool doubles, double numbers[COLUMNS_MAX]);

/* kind: rays may turn out to be segments.  made: which kind of elements --generate makes.
 * EXIT_DONE, or the status of a reported error; close it either way. */
int ask_source_open(ask_source *source, const invocation *call, const ask_world *world,
                    ask_kind kind, int made);

/* How many there are, and of a file a hash (input/rays.h), else 0; before the first one. */
int ask_source_measure(ask_source *source, uint64_t *hash);

/* The next ones are count of them from first on; behind ask_source_measure. */
int ask_source_share(ask_source *source, uint64_t first, uint64_t count);

/* Fills block up to its capacity; block->count is 0 at the end. */
int ask_source_fill(ask_source *source, ask_block *block);

void ask_source_close(ask_source *source); /* a zeroed one is fine */

/* ---- volume_lines.c: volumes as lines of text: a word, and the numbers of the option of that
 * name. ---- */

/* Up to capacity of them, not more than are there without waiting or than have room for their
 * points, but at least one; *count is 0 at the end.  EXIT_DONE, or the status of a reported error.
 */
int volume_lines_fill(lines_in *in, float points[VOLUME_LINES_POINTS], sl_volume *to,
                      size_t capacity, size_t *count);

/* The same of sweeps: three more numbers are how far the volume moves. */
int sweep_lines_fill(lines_in *in, float points[VOLUME_LINES_POINTS], sl_sweep *to, size_t capacity,
                     size_t *count);
