#include "bvh/build/refs.h"

#include "lib/base/error.h"
#include "lib/base/memory.h"

enum { CHUNK = 4096 };

/* What one chunk of triangles adds: the references before it are counted first, so that each chunk
 * knows where its own begin. */
typedef struct chunk {
    size_t begin;
    sli_box bounds, centres;
} chunk;

typedef struct job {
    const float *xyz;
    const uint32_t *indices;
    size_t triangle_count;
    sli_refs *refs;
    chunk *chunks;
    size_t chunk_count;
} job;

static size_t chunk_end(const job *work, size_t index)
{
    const size_t end = (index + 1) * CHUNK;
    return end < work->triangle_count ? end : work->triangle_count;
}

static bool is_left_out(const uint32_t corners[3])
{
    return corners[0] == SL_NONE;
}

static void count_chunks(void *context, size_t begin, size_t end, int worker)
{
    (void)worker;
    const job *work = context;
    for (size_t i = begin; i < end; i++) {
        size_t count = 0;
        for (size_t prim = i * CHUNK; prim < chunk_end(work, i); prim++) {
            count += !is_left_out(work->indices + 3 * prim);
        }
        work->chunks[i].begin = count;
    }
}

/* Counts become positions; returns the total. */
static size_t sum_counts(job *work)
{
    size_t total = 0;
    for (size_t i = 0; i < work->chunk_count; i++) {
        const size_t count = work->chunks[i].begin;
        work->chunks[i].begin = total;
        total += count;
    }
    return total;
}

static sli_lanes load_vertex(const float *xyz, uint32_t index)
{
    const float *at = xyz + 3 * (size_t)index;
    /* Adding 0 turns -0 into +0. */
    return (sli_lanes){ at[0], at[1], at[2], 0 } + sli_lanes_all(0.0f);
}

static sli_ref make_ref(const job *work, size_t prim)
{
    const uint32_t *corners = work->indices + 3 * prim;
    sli_box box = sli_box_empty();
    for (int corner = 0; corner < 3; corner++) {
        sli_box_add(&box, load_vertex(work->xyz, corners[corner]));
    }
    sli_ref ref;
    memcpy(&ref, &box, sizeof ref);
    ref.prim = (uint32_t)prim;
    ref.spare = 0;
    return ref;
}

static void fill_chunks(void *context, size_t begin, size_t end, int worker)
{
    (void)worker;
    const job *work = context;
    for (size_t i = begin; i < end; i++) {
        chunk *at = &work->chunks[i];
        sli_ref *out = work->refs->side[0] + at->begin;
        at->bounds = at->centres = sli_box_empty();
        for (size_t prim = i * CHUNK; prim < chunk_end(work, i); prim++) {
            if (is_left_out(work->indices + 3 * prim)) {
                continue;
            }
            *out = make_ref(work, prim);
            const sli_box box = sli_ref_box(out);
            sli_box_join(&at->bounds, &box);
            sli_box_add(&at->centres, sli_ref_centre(out));
            out++;
        }
    }
}

static void join_chunks(void *context, size_t begin, size_t end, int worker)
{
    (void)begin;
    (void)end;
    (void)worker;
    const job *work = context;
    for (size_t i = 0; i < work->chunk_count; i++) {
        sli_box_join(&work->refs->bounds, &work->chunks[i].bounds);
        sli_box_join(&work->refs->centres, &work->chunks[i].centres);
    }
}

sl_result sli_refs_create(const sl_mesh *mesh, sli_room_fn *room, const sl_allocator *allocator,
                          const sli_stage *stage, sli_refs *refs)
{
    *refs = (sli_refs){ .allocator = *allocator,
                        .bounds = sli_box_empty(),
                        .centres = sli_box_empty() };
    job work = { .xyz = sl_mesh_positions(mesh),
                 .indices = sl_mesh_indices(mesh),
                 .triangle_count = sl_mesh_triangle_count(mesh),
                 .refs = refs };
    work.chunk_count = (work.triangle_count + CHUNK - 1) / CHUNK;
    work.chunks = sli_alloc_array(allocator, work.chunk_count, sizeof *work.chunks);
    if (work.chunks == NULL) {
        return sli_fail_memory(stage->error);
    }
    sl_result result = sli_stage_run(stage, "count", work.chunk_count, 1, count_chunks, &work);
    if (result != SL_OK) {
        goto done;
    }
    refs->count = sum_counts(&work);
    refs->capacity = room != NULL ? room(refs->count) : refs->count;
    for (int side = 0; side < 2; side++) {
        refs->side[side] = sli_alloc_array(allocator, refs->capacity, sizeof *refs->side[side]);
        if (refs->side[side] == NULL) {
            result = sli_fail_memory(stage->error);
            goto done;
        }
    }
    result = sli_stage_run(stage, "bounds", work.chunk_count, 1, fill_chunks, &work);
    if (result == SL_OK) {
        sli_stage_blocks(stage, 1, 1, join_chunks, &work);
    }
done:
    sli_free_array(allocator, work.chunks, work.chunk_count, sizeof *work.chunks);
    return result;
}

static void free_side(sli_refs *refs, int side)
{
    sli_free_array(&refs->allocator, refs->side[side], refs->capacity, sizeof *refs->side[side]);
    refs->side[side] = NULL;
}

void sli_refs_keep_first(sli_refs *refs)
{
    free_side(refs, 1);
}

void sli_refs_destroy(sli_refs *refs)
{
    free_side(refs, 0);
    free_side(refs, 1);
}
