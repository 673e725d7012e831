/* ray_source.c: rays and segments from a file or generated, for cast and los. */
#include "tools/generate/ray_source.h"

#include "tools/command.h"

int ray_source_open_file(ray_source *source, const char *path, bool segments, float tmin,
                         float tmax)
{
    *source = (ray_source){ .from_file = true, .are_segments = segments, .name = "file" };
    const rays_in_kind kind = segments ? RAYS_IN_SEGMENTS : RAYS_IN_RAYS;
    const int status = rays_in_open(&source->file, path, kind, tmin, tmax);
    if (status == EXIT_DONE && source->file.is_npy) {
        source->count = source->file.npy.rows;
    }
    return status;
}

void ray_source_generate(ray_source *source, const query_random *m, ray_kind kind,
                         const sl_tasks *tasks)
{
    *source = (ray_source){ .random = *m,
                            .kind = kind,
                            .tasks = tasks,
                            .count = m->count,
                            .end = m->count,
                            .are_segments = ray_kind_is_segments(kind),
                            .name = ray_kind_words[kind] };
}

typedef struct making {
    const ray_source *source;
    ray_batch *block;
} making;

static void make_range(void *context, size_t begin, size_t end, int worker)
{
    (void)worker;
    const making *job = context;
    const ray_source *source = job->source;
    for (size_t i = begin; i < end; i++) {
        ray_batch *block = job->block;
        if (source->are_segments) {
            const sl_segment made =
                ray_kinds_segment(&source->random, source->kind, source->next + i);
            if (block->doubles) {
                block->segments_d[i] = sl_segment_d_from_segment(&made);
            } else {
                block->segments[i] = made;
            }
        } else {
            const sl_ray made = ray_kinds_ray(&source->random, source->kind, source->next + i);
            if (block->doubles) {
                block->rays_d[i] = sl_ray_d_from_ray(&made);
            } else {
                block->rays[i] = made;
            }
        }
    }
}

int ray_source_fill(ray_source *source, ray_batch *block)
{
    if (source->from_file && block->doubles) {
        source->file.doubles = true;
        return source->are_segments
                   ? rays_in_segments_d(&source->file, block->segments_d, block->capacity,
                                        &block->count)
                   : rays_in_rays_d(&source->file, block->rays_d, block->capacity, &block->count);
    }
    if (source->from_file) {
        return source->are_segments
                   ? rays_in_segments(&source->file, block->segments, block->capacity,
                                      &block->count)
                   : rays_in_rays(&source->file, block->rays, block->capacity, &block->count);
    }
    const uint64_t left = source->end - source->next;
    block->count = left < block->capacity ? (size_t)left : block->capacity;
    making job = { source, block };
    source->tasks->parallel_for(source->tasks->user, block->count, 256, make_range, &job);
    source->next += block->count;
    return EXIT_DONE;
}

int ray_source_measure(ray_source *source, uint64_t *hash)
{
    *hash = 0;
    return source->from_file ? rays_in_measure(&source->file, &source->count, hash) : EXIT_DONE;
}

int ray_source_share(ray_source *source, uint64_t first, uint64_t count)
{
    if (source->from_file) {
        return rays_in_share(&source->file, first, count);
    }
    source->next = first;
    source->end = first + count;
    return EXIT_DONE;
}

void ray_source_close(ray_source *source)
{
    rays_in_close(&source->file);
}
