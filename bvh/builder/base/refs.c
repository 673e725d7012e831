/* Makes the references of a mesh, or of boxes, the first step of every build (build.c). */
#include "bvh/builder/base/refs.h"

#include "lib/base/error.h"
#include "lib/base/memory.h"

enum { CHUNK = 4096 };

/* A chunk of triangles.  References are counted first, so that each chunk knows where its own
 * begin. */
typedef struct chunk {
    size_t begin; /* its first reference; until all are counted, its count */
    sli_box bounds, centres;
} chunk;

typedef struct job {
    const float *xyz;
    const uint32_t *indices;
    size_t triangle_count;
    uint32_t last_vertex;
    const sli_ref *boxes; /* NULL: those of triangles */
    bool may_borrow;      /* the boxes */
    sli_refs *refs;
    chunk *chunks;
    size_t chunk_count;
} job;

static size_t chunk_end(const job *work, size_t index)
{
    const size_t end = (index + 1) * CHUNK;
    return end < work->triangle_count ? end : work->triangle_count;
}

static bool is_left_out(const job *work, size_t prim)
{
    return work->boxes != NULL ? work->boxes[prim].prim == SL_NONE
                               : work->indices[3 * prim] == SL_NONE;
}

static void count_chunks(void *context, size_t i)
{
    const job *work = context;
    size_t count = 0;
    for (size_t prim = i * CHUNK; prim < chunk_end(work, i); prim++) {
        count += !is_left_out(work, prim);
    }
    work->chunks[i].begin = count;
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

/* Lane 3 is the next vertex's x; the last vertex, which has none behind it, gets a 0. */
static inline sli_lanes load_vertex(const job *work, uint32_t index)
{
    const float *at = work->xyz + 3 * (size_t)index;
    if (index == work->last_vertex) {
        return (sli_lanes){ at[0], at[1], at[2], 0 };
    }
    return *(const sli_lanes_anywhere *)at;
}

/* The box of a triangle, with its number and a 0 in lane 3, as a reference has them. */
static inline sli_box box_of(const job *work, size_t prim)
{
    const uint32_t *corners = work->indices + 3 * prim;
    const sli_lanes a = load_vertex(work, corners[0]), b = load_vertex(work, corners[1]);
    const sli_lanes c = load_vertex(work, corners[2]);
    const sli_lanes_i32 axes = { -1, -1, -1, 0 };
    const sli_lanes_i32 number = { 0, 0, 0, (int32_t)prim };
    /* Adding 0 turns -0 into +0. */
    const sli_lanes zero = sli_lanes_all(0.0f);
    const sli_lanes min = sli_lanes_min(sli_lanes_min(a, b), c) + zero;
    const sli_lanes max = sli_lanes_max(sli_lanes_max(a, b), c) + zero;
    return (sli_box){ sli_lanes_pick(axes, min, (sli_lanes)number),
                      sli_lanes_pick(axes, max, zero) };
}

static void fill_chunks(void *context, size_t i)
{
    const job *work = context;
    chunk *out = &work->chunks[i];
    const bool keeps = !work->refs->borrowed; /* else each box is the reference of its number */
    sli_ref *ref = work->refs->side[0] + out->begin;
    sli_box bounds = sli_box_empty(), centres = bounds;
    for (size_t prim = i * CHUNK; prim < chunk_end(work, i); prim++) {
        if (!is_left_out(work, prim)) {
            const sli_box box =
                work->boxes != NULL ? sli_ref_box(&work->boxes[prim]) : box_of(work, prim);
            if (keeps) {
                memcpy(ref++, &box, sizeof box);
            }
            sli_box_join(&bounds, &box);
            sli_box_add(&centres, sli_box_centre(&box));
        }
    }
    out->bounds = bounds;
    out->centres = centres;
}

static void join_chunks(void *context)
{
    const job *work = context;
    for (size_t i = 0; i < work->chunk_count; i++) {
        sli_box_join(&work->refs->bounds, &work->chunks[i].bounds);
        sli_box_join(&work->refs->centres, &work->chunks[i].centres);
    }
}

static sl_result refs_create(job *work, sli_refs_capacity_fn *capacity,
                             const sl_allocator *allocator, const sli_phase *phase)
{
    sli_refs *refs = work->refs;
    *refs = (sli_refs){ .allocator = *allocator,
                        .bounds = sli_box_empty(),
                        .centres = sli_box_empty() };
    work->chunk_count = (work->triangle_count + CHUNK - 1) / CHUNK;
    work->chunks = sli_alloc_array(allocator, work->chunk_count, sizeof *work->chunks);
    SLI_TRY(sli_had_memory(phase->error, work->chunks != NULL));
    sl_result result = sli_phase_run_each(phase, "count", work->chunk_count, 1, count_chunks, work);
    if (result != SL_OK) {
        goto done;
    }
    refs->count = sum_counts(work);
    refs->capacity = capacity != NULL ? capacity(refs->count) : refs->count;
    refs->borrowed = work->may_borrow && refs->count == work->triangle_count;
    refs->side[0] = refs->borrowed ? (sli_ref *)(uintptr_t)work->boxes
                                   : sli_alloc_large(allocator, refs->capacity, sizeof(sli_ref));
    if (refs->side[0] == NULL) {
        result = sli_fail_memory(phase->error);
        goto done;
    }
    result = sli_phase_run_each(phase, "bounds", work->chunk_count, 1, fill_chunks, work);
    if (result == SL_OK) {
        sli_phase_once(phase, join_chunks, work);
    }
done:
    sli_free_array(allocator, work->chunks, work->chunk_count, sizeof *work->chunks);
    return result;
}

sl_result sli_refs_create(const sl_mesh *mesh, sli_refs_capacity_fn *capacity,
                          const sl_allocator *allocator, const sli_phase *phase, sli_refs *refs)
{
    job work = { .xyz = sl_mesh_soup(mesh).xyz,
                 .indices = sl_mesh_soup(mesh).indices,
                 .triangle_count = sl_mesh_soup(mesh).triangle_count,
                 .last_vertex = (uint32_t)sl_mesh_soup(mesh).vertex_count - 1,
                 .refs = refs };
    return refs_create(&work, capacity, allocator, phase);
}

sl_result sli_refs_of_boxes(const sli_boxes *boxes, bool may_borrow, const sl_allocator *allocator,
                            const sli_phase *phase, sli_refs *refs)
{
    job work = {
        .triangle_count = boxes->count, .boxes = boxes->at, .may_borrow = may_borrow, .refs = refs
    };
    return refs_create(&work, NULL, allocator, phase);
}

bool sli_refs_own(sli_refs *refs)
{
    sli_ref *own = NULL;
    if (!refs->borrowed) {
        return true;
    }
    own = sli_alloc_large(&refs->allocator, refs->capacity, sizeof *own);
    if (own == NULL) {
        return false;
    }
    memcpy(own, refs->side[0], refs->count * sizeof *own);
    refs->side[0] = own;
    refs->borrowed = false;
    return true;
}

bool sli_refs_add_side(sli_refs *refs)
{
    if (refs->side[1] == NULL) {
        refs->side[1] = sli_alloc_large(&refs->allocator, refs->capacity, sizeof *refs->side[1]);
    }
    return refs->side[1] != NULL;
}

bool sli_refs_add_prims(sli_refs *refs)
{
    if (refs->prims == NULL) {
        refs->prims = sli_alloc_array(&refs->allocator, refs->capacity, sizeof *refs->prims);
    }
    return refs->prims != NULL;
}

void sli_refs_keep_prims(sli_refs *refs)
{
    for (int side = refs->borrowed; side < 2; side++) {
        sli_free_array(&refs->allocator, refs->side[side], refs->capacity,
                       sizeof *refs->side[side]);
        refs->side[side] = NULL;
    }
    refs->side[0] = NULL;
}

void sli_refs_destroy(sli_refs *refs)
{
    sli_refs_keep_prims(refs);
    sli_free_array(&refs->allocator, refs->prims, refs->capacity, sizeof *refs->prims);
    refs->prims = NULL;
}
