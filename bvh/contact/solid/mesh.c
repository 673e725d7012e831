/* The triangles of a solid by number, their corners as vertices at different places, and whether
 * their edges cancel. */
#include "bvh/contact/solid/solid.h"
#include "lib/base/error.h"
#include "lib/base/hash.h"
#include "lib/base/memory.h"
#include "lib/geom/exact/orient_projected.h"

#include <float.h>
#include <string.h>

/* Twice the vertices of two such solids, and the sides of one, can be counted. */
#define SOLID_MAX (1u << 28)

/* ---- Vertices ---- */

static uint64_t vertices_hash(const double x[3])
{
    uint64_t bits[3];
    memcpy(bits, x, sizeof bits);
    return sli_mix(bits[0] + 0x9E3779B97F4A7C15u * bits[1] + 0xC2B2AE3D27D4EB4Fu * bits[2]);
}

static bool vertices_is(const sli_solid_vertices *vertices, uint32_t vertex, const double x[3])
{
    return memcmp(vertices->at[vertex], x, 3 * sizeof *x) == 0;
}

/* Where the vertex at x is, or is to be. */
static uint32_t *vertices_slot(const sli_solid_vertices *vertices, const double x[3], uint64_t hash)
{
    size_t slot = (size_t)hash & (vertices->slot_count - 1);
    while (vertices->slots[slot] != SL_NONE && !vertices_is(vertices, vertices->slots[slot], x)) {
        slot = (slot + 1) & (vertices->slot_count - 1);
    }
    return &vertices->slots[slot];
}

/* Makes room for `needed` vertices, so that no more than half of the slots are in use.  False when
 * out of memory. */
static bool vertices_reserve(sli_solid_vertices *vertices, size_t needed,
                             const sl_allocator *allocator)
{
    const size_t before = vertices->slot_count;
    size_t after = before > 0 ? before : 1024;
    while (after < 2 * needed) {
        after *= 2;
    }
    uint32_t *slots = after > before ? sli_alloc_large(allocator, after, sizeof *slots) : NULL;
    if (after == before || slots == NULL) {
        return after == before;
    }
    sli_free_array(allocator, vertices->slots, before, sizeof *slots);
    memset(slots, 0xFF, after * sizeof *slots);
    vertices->slots = slots;
    vertices->slot_count = after;
    for (uint32_t i = 0; i < vertices->count; i++) {
        const double *x = vertices->at[i];
        *vertices_slot(vertices, x, vertices_hash(x)) = i;
    }
    return true;
}

/* The vertex at a corner, a new one if need be; SL_NONE: out of memory. */
static uint32_t vertices_add(sli_solid_vertices *vertices, const double corner[3],
                             const sl_allocator *allocator)
{
    const double x[3] = { corner[0] + 0.0, corner[1] + 0.0, corner[2] + 0.0 }; /* one zero */
    const uint64_t hash = vertices_hash(x);
    uint32_t *recent = &vertices->recent[(hash >> 32) % SLI_SOLID_RECENT];
    if (*recent < vertices->count && vertices_is(vertices, *recent, x)) {
        return *recent;
    }
    if (!vertices_reserve(vertices, vertices->count + 1, allocator) ||
        !sli_grow_array(allocator, &vertices->at, &vertices->capacity, vertices->count + 1,
                        sizeof *vertices->at)) {
        return SL_NONE;
    }
    uint32_t *slot = vertices_slot(vertices, x, hash);
    if (*slot == SL_NONE) {
        *slot = (uint32_t)vertices->count;
        memcpy(vertices->at[vertices->count++], x, sizeof x);
    }
    *recent = *slot;
    return *slot;
}

void sli_solid_vertices_free(sli_solid_vertices *vertices, const sl_allocator *allocator)
{
    sli_free_array(allocator, vertices->at, vertices->capacity, sizeof *vertices->at);
    sli_free_array(allocator, vertices->slots, vertices->slot_count, sizeof *vertices->slots);
}

/* ---- Triangles ---- */

/* The first number of each instance; false: there are too many. */
static bool number_instances(sli_solid *solid)
{
    const sli_world *world = &solid->bvh->world;
    uint64_t count = 0;
    for (uint32_t i = 0; i < world->count && count <= SOLID_MAX; i++) {
        const sl_bvh *tree = world->transformed[i].tree;
        solid->first[i] = (uint32_t)count;
        count += tree != NULL ? tree->prim_count : 0;
    }
    solid->first[world->count] = solid->count = (uint32_t)count;
    return count <= SOLID_MAX;
}

typedef struct adding {
    sli_solid *solid;
    sli_solid_vertices *vertices;
    const sl_allocator *allocator;
    bool failed;
} adding;

static bool add_triangle(void *context, sl_triangle_ref ref, const sl_triangle_d *corners)
{
    adding *a = context;
    const uint32_t number = sli_solid_number(a->solid, ref);
    int axis;
    for (int corner = 0; corner < 3 && !a->failed; corner++) {
        const uint32_t vertex = vertices_add(a->vertices, corners->v[corner], a->allocator);
        a->solid->vertex[number][corner] = vertex;
        a->failed = vertex == SL_NONE;
    }
    const int area =
        sli_projected_orientation_d(corners->v[0], corners->v[1], corners->v[2], &axis);
    a->solid->state[number] = area == 0 ? SLI_SOLID_FLAT : 0;
    return !a->failed;
}

sl_result sli_solid_make(sli_solid *solid, sli_solid_vertices *vertices,
                         const sl_allocator *allocator, sl_error *error)
{
    const size_t instances = (size_t)solid->bvh->world.count + 1;
    solid->first = sli_alloc_array(allocator, instances, sizeof *solid->first);
    if (solid->first == NULL) {
        return sli_fail_memory(error);
    }
    if (!number_instances(solid)) {
        solid->count = 0;
        return sli_fail_plain(error, SL_TOO_LARGE, "a solid has more than %u triangles", SOLID_MAX);
    }
    solid->vertex = sli_alloc_large(allocator, solid->count, sizeof *solid->vertex);
    solid->state = sli_alloc_array(allocator, solid->count, sizeof *solid->state);
    if (solid->vertex == NULL || solid->state == NULL ||
        !vertices_reserve(vertices, vertices->count + solid->count / 2, allocator)) {
        return sli_fail_memory(error);
    }
    memset(solid->vertex, 0xFF, solid->count * sizeof *solid->vertex);
    memset(solid->state, SLI_SOLID_FLAT, solid->count);
    adding a = { solid, vertices, allocator, false };
    const double all = FLT_MAX;
    const sl_aabb_d box = { { -all, -all, -all }, { all, all, all } };
    sli_solid_near(solid, &box, add_triangle, &a); /* in the tree's order: neighbours together */
    return sli_had_memory(error, !a.failed);
}

void sli_solid_free(sli_solid *solid, const sl_allocator *allocator)
{
    sli_free_array(allocator, solid->first, (size_t)solid->bvh->world.count + 1,
                   sizeof *solid->first);
    sli_free_array(allocator, solid->vertex, solid->count, sizeof *solid->vertex);
    sli_free_array(allocator, solid->state, solid->count, sizeof *solid->state);
}

/* ---- Edges ---- */

/* Sides of triangles by their lower vertex: those of vertex i are at ends[start[i]] ..
 * ends[start[i + 1] - 1], each the other vertex, and which way it goes. */
typedef struct sides {
    uint32_t *start, *ends; /* end * 2 + (the side goes from the higher vertex to the lower) */
    int32_t *net;           /* of each vertex, 0 between two uses */
} sides;

/* Side k of a triangle, unless it is a point: its lower vertex, and what ends has of it. */
static bool side_of(const sli_solid *solid, uint32_t triangle, int k, uint32_t *low, uint64_t *end)
{
    const uint32_t *v = solid->vertex[triangle], p = v[k], q = v[(k + 1) % 3];
    *low = p < q ? p : q;
    *end = (uint64_t)(p < q ? q : p) * 2 + (p > q);
    return v[0] != SL_NONE && p != q;
}

static void sides_collect(const sli_solid *solid, size_t vertex_count, const sides *s)
{
    uint32_t low;
    uint64_t end;
    for (uint32_t i = 0; i < 3 * solid->count; i++) {
        if (side_of(solid, i / 3, (int)(i % 3), &low, &end)) {
            s->start[low + 1]++;
        }
    }
    for (size_t i = 0; i < vertex_count; i++) {
        s->start[i + 1] += s->start[i];
    }
    /* Each start moves to the next one's place, and starts are those before. */
    for (uint32_t i = 0; i < 3 * solid->count; i++) {
        if (side_of(solid, i / 3, (int)(i % 3), &low, &end)) {
            s->ends[s->start[low]++] = (uint32_t)end;
        }
    }
    memmove(s->start + 1, s->start, vertex_count * sizeof *s->start);
    s->start[0] = 0;
}

static bool sides_cancel(const sides *s, size_t vertex_count, bool by_parity)
{
    for (size_t i = 0; i < vertex_count; i++) {
        bool cancel = true;
        for (uint32_t k = s->start[i]; k < s->start[i + 1]; k++) {
            s->net[s->ends[k] / 2] += by_parity || s->ends[k] % 2 == 0 ? 1 : -1;
        }
        for (uint32_t k = s->start[i]; k < s->start[i + 1]; k++) {
            int32_t *net = &s->net[s->ends[k] / 2];
            cancel = cancel && (by_parity ? *net % 2 == 0 : *net == 0);
        }
        for (uint32_t k = s->start[i]; k < s->start[i + 1]; k++) {
            s->net[s->ends[k] / 2] = 0;
        }
        if (!cancel) {
            return false;
        }
    }
    return true;
}

sl_result sli_solid_is_open(const sli_solid *solid, const sli_solid_vertices *vertices,
                            const sl_allocator *allocator, bool *open, sl_error *error)
{
    const size_t count = vertices->count, side_count = 3 * (size_t)solid->count;
    const sides s = { .start = sli_alloc_array(allocator, count + 1, sizeof *s.start),
                      .ends = sli_alloc_large(allocator, side_count, sizeof *s.ends),
                      .net = sli_alloc_array(allocator, count, sizeof *s.net) };
    const bool memory = s.start != NULL && s.ends != NULL && s.net != NULL;
    if (memory) {
        memset(s.start, 0, (count + 1) * sizeof *s.start);
        memset(s.net, 0, count * sizeof *s.net);
        sides_collect(solid, count, &s);
        *open = !sides_cancel(&s, count, solid->by_parity);
    }
    sli_free_array(allocator, s.start, count + 1, sizeof *s.start);
    sli_free_array(allocator, s.ends, side_count, sizeof *s.ends);
    sli_free_array(allocator, s.net, count, sizeof *s.net);
    return sli_had_memory(error, memory);
}
