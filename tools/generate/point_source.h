/* point_source.h: where the points of a job come from: a file, or point_kinds.h; a block at a time.
 */
#ifndef TOOLS_GENERATE_POINT_SOURCE_H
#define TOOLS_GENERATE_POINT_SOURCE_H

#include "tools/generate/options.h"
#include "tools/generate/point_kinds.h"
#include "tools/input/rays.h"

typedef struct points_options {
    const char *points;        /* NULL: generated */
    generate_options generate; /* kind: a point_kind, or POINT_KIND_COUNT for all of them */
} points_options;

extern const option_row points_rows[];

/* Two groups: struct x { ...; points_options from; ... } and POINTS_GROUPS(struct x). */
#define POINTS_GROUPS(type)                                                                        \
    { .title = "Points", .rows = points_rows, .offset = offsetof(type, from) },                    \
        GENERATE_GROUP(type, from.generate)

typedef struct point_source {
    const char *name; /* of the kind, or "file" */
    bool from_file;
    rays_in file;
    query_random random;
    point_kind kind;
    const sl_tasks *tasks;
    uint64_t next;  /* index of the next one, of those that are generated */
    uint64_t end;   /* of those: behind the last one */
    uint64_t count; /* 0: not known before the end */
} point_source;

/* kind: for --generate.  EXIT_DONE, or the status of a reported error; close it either way. */
int point_source_open(point_source *source, const points_options *options, int kind,
                      const sl_mesh *mesh, const sl_bvh *bvh, const sl_tasks *tasks);

/* How many there are, and of a file a hash (input/rays.h), else 0; before the first one. */
int point_source_measure(point_source *source, uint64_t *hash);

/* The next ones are count of them from first on; behind point_source_measure. */
int point_source_share(point_source *source, uint64_t first, uint64_t count);

/* Up to capacity of them, three floats each, and to radii (or NULL) a radius for each that was
 * made. *count is 0 at the end.  EXIT_DONE, or the status of a reported error. */
int point_source_fill(point_source *source, float *points, float *radii, size_t capacity,
                      size_t *count);

void point_source_close(point_source *source); /* a zeroed one is fine */

#endif
