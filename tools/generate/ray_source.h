/* ray_source.h: where the rays of a job come from: a file, or ray_kinds.h; a block at a time. */
#ifndef TOOLS_GENERATE_RAY_SOURCE_H
#define TOOLS_GENERATE_RAY_SOURCE_H

#include "tools/generate/ray_kinds.h"
#include "tools/input/rays.h"
#include "tools/verify/ray_batch.h"

typedef struct ray_source {
    bool from_file;
    rays_in file;
    query_random random;
    ray_kind kind;
    const sl_tasks *tasks;
    uint64_t next;  /* index of the next one, of those that are generated */
    uint64_t end;   /* of those: behind the last one */
    uint64_t count; /* 0: not known before the end */
    bool are_segments;
    const char *name; /* of the kind, or "file" */
} ray_source;

/* EXIT_DONE, or the status of a reported error; close it either way. */
int ray_source_open_file(ray_source *source, const char *path, bool segments, float tmin,
                         float tmax);
void ray_source_generate(ray_source *source, const query_random *m, ray_kind kind,
                         const sl_tasks *tasks);

/* How many there are, and of a file a hash (input/rays.h), else 0; before the first one. */
int ray_source_measure(ray_source *source, uint64_t *hash);

/* The next ones are count of them from first on; behind ray_source_measure. */
int ray_source_share(ray_source *source, uint64_t first, uint64_t count);

/* Fills block up to its capacity; block->count is 0 at the end. */
int ray_source_fill(ray_source *source, ray_batch *block);

void ray_source_close(ray_source *source); /* a zeroed one is fine */

#endif
