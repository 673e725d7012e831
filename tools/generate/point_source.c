/* point_source.c: points from a file or generated, for nearest, within and inside. */
#include "tools/generate/point_source.h"

#include "tools/command.h"

#include <stddef.h>

const option_row points_rows[] = {
    OPTION_ROW(TEXT, "points", points_options, points, "FILE",
               "points to ask about, one a line: x y z, blanks or commas between, '#' begins a "
               "comment; or CSV whose header names x, y, z (or point_x ...); or .npy, float32 or "
               "float64 (N, 3); '-' is stdin",
               .main = true),
    OPTION_CHOICE_ROW("generate", points_options, generate.kind, point_kind_words,
                      "generate points instead of reading them, the same on every machine"),
    { .name = NULL },
};

int point_source_open(point_source *source, const points_options *o, int kind, const sl_mesh *mesh,
                      const sl_bvh *bvh, const sl_tasks *tasks)
{
    *source = (point_source){ .name = "file", .from_file = o->points != NULL, .tasks = tasks };
    if (source->from_file) {
        const int status = rays_in_open(&source->file, o->points, RAYS_IN_POINTS, 0, 0);
        source->count = status == EXIT_DONE && source->file.is_npy ? source->file.npy.rows : 0;
        return status;
    }
    source->name = point_kind_words[kind];
    source->kind = (point_kind)kind;
    source->random = query_random_make(mesh, bvh, o->generate.seed, o->generate.number);
    source->count = source->end = o->generate.number;
    return EXIT_DONE;
}

typedef struct making {
    const point_source *source;
    float *points, *radii;
} making;

static void make_range(void *context, size_t begin, size_t end, int worker)
{
    (void)worker;
    const making *job = context;
    const point_source *source = job->source;
    for (size_t i = begin; i < end; i++) {
        const uint64_t index = source->next + i;
        point_kinds_make(&source->random, source->kind, index, job->points + 3 * i);
        if (job->radii != NULL) {
            job->radii[i] = point_kinds_radius(&source->random, source->kind, index);
        }
    }
}

int point_source_fill(point_source *source, float *points, float *radii, size_t capacity,
                      size_t *count)
{
    if (source->from_file) {
        return rays_in_points(&source->file, points, capacity, count);
    }
    const uint64_t left = source->end - source->next;
    making job = { source, points, radii };
    *count = left < capacity ? (size_t)left : capacity;
    source->tasks->parallel_for(source->tasks->user, *count, 64, make_range, &job);
    source->next += *count;
    return EXIT_DONE;
}

int point_source_measure(point_source *source, uint64_t *hash)
{
    *hash = 0;
    return source->from_file ? rays_in_measure(&source->file, &source->count, hash) : EXIT_DONE;
}

int point_source_share(point_source *source, uint64_t first, uint64_t count)
{
    if (source->from_file) {
        return rays_in_share(&source->file, first, count);
    }
    source->next = first;
    source->end = first + count;
    return EXIT_DONE;
}

void point_source_close(point_source *source)
{
    rays_in_close(&source->file);
}
