/* ask/source.c: elements of any kind, read or made. */
#include "tools/ask/source.h"

#include "tools/generate/point_kinds.h"
#include "tools/generate/ray_kinds.h"
#include "tools/generate/volume_kinds.h"

#include <math.h>
#include <string.h>

static const rays_in_kind in_files[] = { [ASK_RAYS] = RAYS_IN_RAYS,
                                         [ASK_SEGMENTS] = RAYS_IN_SEGMENTS,
                                         [ASK_NEAR] = RAYS_IN_POINTS,
                                         [ASK_INSIDE] = RAYS_IN_POINTS };

bool ask_source_has_one(const ask_options *o)
{
    return o->ray != NULL || o->segment != NULL || o->point != NULL;
}

int ask_source_parse(const invocation *call, bool doubles, double numbers[COLUMNS_MAX])
{
    const ask_options *o = call->options;
    numbers[6] = (double)o->tmin;
    numbers[7] = (double)o->tmax;
    const rays_in_kind kind = o->ray != NULL       ? RAYS_IN_RAYS
                              : o->segment != NULL ? RAYS_IN_SEGMENTS
                                                   : RAYS_IN_POINTS;
    static const char *const names[] = { "ray", "segment", "point" };
    const char *const texts[] = { o->ray, o->segment, o->point };
    return rays_in_parse(call, names[kind], texts[kind], kind, true, doubles, numbers);
}

static int open_one(ask_source *source, const invocation *call)
{
    source->name = "one";
    source->is_one = true;
    source->count = source->end = 1;
    const int status = ask_source_parse(call, false, source->one[0]);
    return status == EXIT_DONE ? ask_source_parse(call, true, source->one[1]) : status;
}

static int open_file(ask_source *source, const ask_options *o)
{
    const char *path = ask_options_file(o);
    source->name = "file";
    source->from_file = true;
    if (source->kind >= ASK_VOLUMES) {
        return lines_open(&source->lines, path, source->kind == ASK_SWEEPS ? "sweep" : "volume");
    }
    const int status = rays_in_open(&source->file, path, in_files[source->kind], 0);
    source->file.tmin = o->tmin;
    source->file.tmax = o->tmax;
    source->count = status == EXIT_DONE && source->file.is_npy ? source->file.npy.rows : 0;
    return status;
}

static void source_generate(ask_source *source, const ask_options *o, const ask_world *w)
{
    static const char *const *const words[] = { [ASK_RAYS] = ray_kind_words,
                                                [ASK_SEGMENTS] = ray_kind_words,
                                                [ASK_NEAR] = point_kind_words,
                                                [ASK_INSIDE] = point_kind_words,
                                                [ASK_VOLUMES] = volume_kind_words };
    uint64_t count = o->generate.number;
    if (o->pairs != 0) {
        const uint64_t kinds = o->generate.kind == RAY_KIND_COUNT ? RAY_KIND_COUNT : 1;
        const uint64_t triangles = mesh_in_triangles(&w->in);
        count = o->pairs / kinds / (triangles > 0 ? triangles : 1);
        count = count > 0 ? count : 1;
    }
    source->name = words[source->kind][source->made];
    source->random = w->in.scene != NULL
                         ? query_random_make_of(w->in.scene, o->generate.seed, count)
                         : query_random_make(w->in.mesh, w->in.bvh, o->generate.seed, count);
    source->count = source->end = count;
    if (source->kind == ASK_RAYS && ray_kind_is_segments((ray_kind)source->made)) {
        source->kind = ASK_SEGMENTS;
    }
}

int ask_source_open(ask_source *source, const invocation *call, const ask_world *w, ask_kind kind,
                    int made)
{
    const ask_options *o = call->options;
    *source = (ask_source){ .kind = kind, .made = made, .tasks = w->tasks };
    source->sweep.touching = (sl_start_contact)o->touching;
    source->sweep.overlapping = (sl_start_contact)o->overlapping;
    source->sweep.ignore_grazing = o->grazing != 0;
    memcpy(source->sweep.dir, o->dir, sizeof source->sweep.dir);
    if (o->segments != NULL || o->segment != NULL) {
        source->kind = ASK_SEGMENTS;
    }
    if (ask_source_has_one(o)) {
        return open_one(source, call);
    }
    if (ask_options_file(o) != NULL) {
        return open_file(source, o);
    }
    if (kind < ASK_VOLUMES || options_given(call, "generate")) {
        source_generate(source, o, w);
        return EXIT_DONE;
    }
    const sl_aabb bounds = mesh_in_bounds(w->in.bvh);
    const int status =
        volume_spec_make(call, &o->volume, &bounds, source->points, &source->sweep.volume);
    source->is_one = true;
    source->name = volume_spec_word(&source->sweep.volume);
    source->count = source->end = 1;
    return status;
}

static void make_element(const ask_source *source, ask_block *block, size_t i)
{
    const uint64_t index = source->next + i;
    void *to = ask_block_element(block, i);
    if (source->is_one && block->kind < ASK_VOLUMES) {
        if (block->limits != NULL) {
            block->limits[i] = INFINITY;
        }
        rays_in_store(in_files[block->kind], source->one[block->doubles], block->doubles, to);
        return;
    }
    switch (block->kind) {
    case ASK_RAYS: {
        const sl_ray ray = ray_kinds_ray(&source->random, (ray_kind)source->made, index);
        const sl_ray_d widened = sl_ray_d_from_ray(&ray);
        memcpy(to, block->doubles ? (const void *)&widened : (const void *)&ray,
               block->doubles ? sizeof widened : sizeof ray);
        break;
    }
    case ASK_SEGMENTS: {
        const sl_segment segment =
            ray_kinds_segment(&source->random, (ray_kind)source->made, index);
        const sl_segment_d widened = sl_segment_d_from_segment(&segment);
        memcpy(to, block->doubles ? (const void *)&widened : (const void *)&segment,
               block->doubles ? sizeof widened : sizeof segment);
        break;
    }
    case ASK_NEAR:
    case ASK_INSIDE:
        point_kinds_make(&source->random, (point_kind)source->made, index, to);
        if (block->limits != NULL) {
            block->limits[i] =
                source->half_unlimited && index / 6 % 2 == 0
                    ? INFINITY
                    : point_kinds_radius(&source->random, (point_kind)source->made, index);
        }
        break;
    case ASK_VOLUMES:
        *(sl_volume *)to = source->is_one ? source->sweep.volume
                                          : volume_kinds_make(&source->random,
                                                              (sl_volume_kind)source->made, index);
        break;
    case ASK_SWEEPS:
        *(sl_sweep *)to = source->sweep;
        break;
    }
}

typedef struct making {
    const ask_source *source;
    ask_block *block;
} making;

static void make_range(void *context, size_t begin, size_t end, int worker)
{
    (void)worker;
    const making *job = context;
    for (size_t i = begin; i < end; i++) {
        make_element(job->source, job->block, i);
    }
}

/* Sweeps of a file share what they do with what they only touch, and at their starts. */
static int fill_sweeps(ask_source *source, ask_block *block)
{
    sl_sweep *to = block->elements;
    const int status =
        sweep_lines_fill(&source->lines, source->points, to, block->capacity, &block->count);
    for (size_t i = 0; i < block->count; i++) {
        to[i].touching = source->sweep.touching;
        to[i].overlapping = source->sweep.overlapping;
        to[i].ignore_grazing = source->sweep.ignore_grazing;
    }
    return status;
}

int ask_source_fill(ask_source *source, ask_block *block)
{
    if (source->from_file && source->kind == ASK_SWEEPS) {
        return fill_sweeps(source, block);
    }
    if (source->from_file) {
        source->file.doubles = block->doubles;
        return source->kind == ASK_VOLUMES
                   ? volume_lines_fill(&source->lines, source->points, block->elements,
                                       block->capacity, &block->count)
                   : rays_in_fill(&source->file, block->elements, block->capacity, &block->count);
    }
    const uint64_t left = source->end - source->next;
    making job = { source, block };
    block->count = left < block->capacity ? (size_t)left : block->capacity;
    source->tasks->parallel_for(source->tasks->user, block->count, 64, make_range, &job);
    source->next += block->count;
    return EXIT_DONE;
}

int ask_source_measure(ask_source *source, uint64_t *hash)
{
    *hash = 0;
    return source->from_file ? rays_in_measure(&source->file, &source->count, hash) : EXIT_DONE;
}

int ask_source_share(ask_source *source, uint64_t first, uint64_t count)
{
    if (source->from_file) {
        return rays_in_share(&source->file, first, count);
    }
    source->next = first;
    source->end = first + count;
    return EXIT_DONE;
}

void ask_source_close(ask_source *source)
{
    rays_in_close(&source->file);
    lines_close(&source->lines);
}
