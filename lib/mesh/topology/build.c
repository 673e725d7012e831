/* topology/build.c: sl_topology_build: numbers vertices by position, and edges by sorting the sides
 * of all triangles by their two ends: twice by counting, which takes linear time on any input. */

#include "lib/base/error.h"
#include "lib/base/fpenv.h"
#include "lib/base/hooks.h"
#include "lib/base/memory.h"
#include "lib/geom/exact/arithmetic/tangent.h"
#include "lib/mesh/mesh.h"
#include "lib/mesh/positions.h"
#include "lib/mesh/topology/number.h"

/* Three sides a triangle are numbered in 32 bits. */
static const size_t triangles_max = SL_NONE / 3;

static const float pi = 3.14159265358979323846f;

static uint32_t lower_end(const sl_topology *t, uint32_t side)
{
    const uint32_t a = t->vertices[side], b = t->vertices[sli_next_side(side)];
    return a < b ? a : b;
}

static uint32_t higher_end(const sl_topology *t, uint32_t side)
{
    const uint32_t a = t->vertices[side], b = t->vertices[sli_next_side(side)];
    return a < b ? b : a;
}

/* Counts become where each begins: items[i] is at counts[i] afterwards. */
static void add_up(uint32_t *counts, size_t count)
{
    uint32_t start = 0;
    for (size_t i = 0; i < count; i++) {
        const uint32_t here = counts[i];
        counts[i] = start;
        start += here;
    }
}

/* Sides by higher end into `by_higher`, then by lower end into sides, which keeps equal ones in the
 * order of the first.  Returns their number.  lower_edges and upper_begin serve as counters. */
static size_t sort_sides(sl_topology *t, uint32_t *by_higher)
{
    const size_t side_count = 3 * t->info.triangle_count, vertices = t->info.vertex_count;
    uint32_t *lower = t->lower_edges, *higher = t->upper_begin;
    memset(lower, 0, (vertices + 1) * sizeof *lower);
    memset(higher, 0, (vertices + 1) * sizeof *higher);
    size_t count = 0;
    for (size_t i = 0; i < side_count; i++) {
        const uint32_t side = (uint32_t)i;
        const uint32_t a = t->vertices[side], b = t->vertices[sli_next_side(side)];
        if (a != b) {
            lower[a < b ? a : b]++;
            higher[a < b ? b : a]++;
            count++;
        }
    }
    add_up(lower, vertices + 1);
    add_up(higher, vertices + 1);
    for (size_t i = 0; i < side_count; i++) {
        const uint32_t side = (uint32_t)i;
        const uint32_t a = t->vertices[side], b = t->vertices[sli_next_side(side)];
        if (a != b) {
            by_higher[higher[a < b ? b : a]++] = side;
        }
    }
    for (size_t i = 0; i < count; i++) {
        t->sides[lower[lower_end(t, by_higher[i])]++] = by_higher[i];
    }
    return count;
}

/* Numbers the sorted sides, and returns how many edges there are. */
static size_t number_sides(sl_topology *t, size_t side_count)
{
    size_t count = 0;
    uint32_t last_lower = SL_NONE, last_higher = SL_NONE;
    memset(t->edges, 0xFF, 3 * t->info.triangle_count * sizeof *t->edges);
    for (size_t i = 0; i < side_count; i++) {
        const uint32_t side = t->sides[i];
        const uint32_t lower = lower_end(t, side), higher = higher_end(t, side);
        count += lower != last_lower || higher != last_higher ? 1 : 0;
        last_lower = lower;
        last_higher = higher;
        t->edges[side] = (uint32_t)(count - 1);
    }
    return count;
}

/* Where each edge begins in the sorted sides, and each vertex in the edges. */
static void index_edges(sl_topology *t, size_t side_count)
{
    const size_t vertices = t->info.vertex_count, edges = t->info.edge_count;
    memset(t->lower_edges, 0, (vertices + 1) * sizeof *t->lower_edges);
    memset(t->upper_begin, 0, (vertices + 1) * sizeof *t->upper_begin);
    uint32_t next = 0;
    for (size_t i = 0; i < side_count; i++) {
        const uint32_t side = t->sides[i];
        if (t->edges[side] == next) {
            t->edge_sides[next++] = (uint32_t)i;
            t->lower_edges[lower_end(t, side)]++;
            t->upper_begin[higher_end(t, side)]++;
        }
    }
    t->edge_sides[edges] = (uint32_t)side_count;
    add_up(t->lower_edges, vertices + 1);
    add_up(t->upper_begin, vertices + 1);
    for (uint32_t edge = 0; edge < edges; edge++) {
        t->upper_edges[t->upper_begin[higher_end(t, t->sides[t->edge_sides[edge]])]++] = edge;
    }
    /* Each begin has moved to where the next one was. */
    memmove(t->upper_begin + 1, t->upper_begin, vertices * sizeof *t->upper_begin);
    t->upper_begin[0] = 0;
}

static bool make_edges(sl_topology *t)
{
    const size_t sides = 3 * t->info.triangle_count, vertices = t->info.vertex_count;
    t->edges = sli_topology_take(t, sides, sizeof *t->edges);
    t->sides = sli_topology_take(t, sides, sizeof *t->sides);
    t->lower_edges = sli_topology_take(t, vertices + 1, sizeof *t->lower_edges);
    t->upper_begin = sli_topology_take(t, vertices + 1, sizeof *t->upper_begin);
    if (t->edges == NULL || t->sides == NULL || t->lower_edges == NULL || t->upper_begin == NULL) {
        return false;
    }
    uint32_t *by_higher = sli_alloc_array(&t->allocator, sides, sizeof *by_higher);
    if (by_higher == NULL) {
        return false;
    }
    const size_t count = sort_sides(t, by_higher);
    sli_free_array(&t->allocator, by_higher, sides, sizeof *by_higher);
    t->info.edge_count = number_sides(t, count);
    t->edge_sides = sli_topology_take(t, t->info.edge_count + 1, sizeof *t->edge_sides);
    t->upper_edges = sli_topology_take(t, t->info.edge_count, sizeof *t->upper_edges);
    t->kinds = sli_topology_take(t, t->info.edge_count, sizeof *t->kinds);
    if (t->edge_sides == NULL || t->upper_edges == NULL || t->kinds == NULL) {
        return false;
    }
    index_edges(t, count);
    return true;
}

/* Triangles of one vertex, sorted by it: few in any mesh, so that they are counted first. */
static bool list_points(sl_topology *t)
{
    const size_t count = t->info.triangle_count;
    for (size_t prim = 0; prim < count; prim++) {
        const uint32_t *v = t->vertices + 3 * prim;
        t->point_count += v[0] != SL_NONE && v[0] == v[1] && v[1] == v[2] ? 1 : 0;
    }
    sli_table table;
    t->points = sli_topology_take(t, t->point_count, sizeof *t->points);
    if (t->points == NULL || !sli_table_alloc(&t->allocator, t->point_count, 2, &table)) {
        return false;
    }
    for (size_t prim = 0; prim < count && table.count < t->point_count; prim++) {
        const uint32_t *v = t->vertices + 3 * prim;
        if (v[0] != SL_NONE && v[0] == v[1] && v[1] == v[2]) {
            table.items[2 * table.count] = v[0];
            table.items[2 * table.count + 1] = (uint32_t)prim;
            table.order[table.count] = (uint32_t)table.count;
            table.count++;
        }
    }
    sli_table_sort(&table, NULL);
    for (size_t i = 0; i < table.count; i++) {
        t->points[i] = table.items[2 * (size_t)table.order[i] + 1];
    }
    sli_table_free(&t->allocator, &table);
    return true;
}

/* The lowest triangle of each edge and vertex, and of it the lowest side and corner. */
static bool find_owners(sl_topology *t)
{
    const size_t count = t->info.triangle_count, vertices = t->info.vertex_count;
    const size_t words = sli_bit_words(vertices) + sli_bit_words(t->info.edge_count);
    t->flags = sli_topology_take(t, count, sizeof *t->flags);
    t->owned = sli_topology_take(t, count, sizeof *t->owned);
    t->corner_bits = sli_topology_take(t, sli_bit_words(vertices), sizeof *t->corner_bits);
    t->marks = sli_topology_take(t, words, sizeof *t->marks);
    if (t->flags == NULL || t->owned == NULL || t->corner_bits == NULL || t->marks == NULL) {
        return false;
    }
    memset(t->marks, 0, words * sizeof *t->marks);
    for (size_t prim = 0; prim < count; prim++) {
        uint32_t owned = 0;
        for (uint32_t k = 0; k < 3; k++) {
            const size_t side = 3 * prim + k;
            const uint32_t edge = t->edges[side], vertex = t->vertices[side];
            if (edge != SL_NONE && t->sides[t->edge_sides[edge]] == side) {
                owned |= (uint32_t)SLI_SIDE_0 << k;
            }
            if (vertex != SL_NONE && !sli_set_has(t->marks, vertex)) {
                sli_set_put(t->marks, vertex);
                owned |= (uint32_t)SLI_CORNER_0 << k;
            }
        }
        t->owned[prim] = (uint8_t)owned;
    }
    memset(t->marks, 0, words * sizeof *t->marks);
    return true;
}

/* What triangles belong to. */
static bool copy_groups(sl_topology *t, const sl_mesh *mesh)
{
    const size_t count = t->info.triangle_count;
    t->info.face_count = mesh->info.face_count;
    t->info.part_count = mesh->part_list.count;
    if (mesh->faces != NULL) {
        t->faces = sli_topology_take(t, count, sizeof *t->faces);
        if (t->faces == NULL) {
            return false;
        }
        memcpy(t->faces, mesh->faces, count * sizeof *t->faces);
    }
    t->part_first = sli_topology_take(t, t->info.part_count, sizeof *t->part_first);
    for (size_t i = 0; t->part_first != NULL && i < t->info.part_count; i++) {
        t->part_first[i] = mesh->part_list.rows[i].first;
    }
    return t->part_first != NULL;
}

static sl_result build_step(const sl_hooks *hooks, bool good, float done)
{
    if (!good) {
        return SL_OUT_OF_MEMORY;
    }
    return sli_report(hooks, "topology", done) ? SL_OK : SL_CANCELLED;
}

static sl_result build_make(sl_topology *t, const sl_mesh *mesh, const sl_hooks *hooks)
{
    SLI_TRY(build_step(hooks, copy_groups(t, mesh), 0));
    SLI_TRY(build_step(hooks, sli_topology_number(t, mesh), 0.4f));
    SLI_TRY(build_step(hooks, make_edges(t), 0.7f));
    SLI_TRY(build_step(hooks, list_points(t) && find_owners(t), 0.75f));
    sli_topology_judge_edges(t, mesh);
    SLI_TRY(build_step(hooks, true, 0.85f));
    sli_topology_find_features(t, mesh->xyz);
    return build_step(hooks, true, 1);
}

/* Not inlined, since the caller brackets it with its floating-point environment. */
SLI_NOINLINE static bool set_crease(sl_topology *t, float crease_rad)
{
    crease_rad = crease_rad != 0 ? crease_rad : 0.523598776f; /* 30 degrees */
    if (!(crease_rad <= pi)) {
        return false;
    }
    t->crease = crease_rad < 0     ? SLI_CREASE_ANY
                : crease_rad == pi ? SLI_CREASE_NONE
                                   : SLI_CREASE_ANGLE;
    if (t->crease == SLI_CREASE_ANGLE) {
        const double tangent = sli_half_angle_tangent(crease_rad);
        t->cosine = (1 - tangent * tangent) / (1 + tangent * tangent);
    }
    return true;
}

static sl_result build_check(const sl_mesh *mesh, const sl_topology_def *def, sl_topology_def *out,
                             sl_topology *t, sl_error *error)
{
    *out = def != NULL ? *def : (sl_topology_def){ 0 };
    out->features = out->features != 0 ? out->features : SL_EDGE_DEFAULT;
    if (mesh == NULL) {
        return sli_refuse(error, "mesh is NULL");
    }
    const bool good = SLI_IN_FPENV(set_crease(t, out->crease_rad));
    if (!good) {
        return sli_refuse(error, "sl_topology_def.crease_rad is above pi, or NaN");
    }
    if (mesh->info.triangle_count > triangles_max) {
        return sli_fail_plain(error, SL_TOO_LARGE, "%zu triangles; at most %zu are possible",
                              mesh->info.triangle_count, triangles_max);
    }
    SLI_TRY(sli_check_allocator(&out->hooks.allocator, error));
    out->hooks = sli_hooks(&out->hooks);
    return SL_OK;
}

sl_result sl_topology_build(const sl_mesh *mesh, const sl_topology_def *def, sl_topology **out,
                            sl_error *error)
{
    SLI_TRY(SLI_CLEAR(out, error));
    sl_topology_def ready;
    sl_topology start = { .features = 0 };
    SLI_TRY(build_check(mesh, def, &ready, &start, error));
    sl_topology *t = sli_alloc_array(&ready.hooks.allocator, 1, sizeof *t);
    SLI_TRY(sli_had_memory(error, t != NULL));
    *t = start;
    t->allocator = ready.hooks.allocator;
    t->features = ready.features;
    t->info.bytes = sizeof *t;
    t->info.triangle_count = mesh->info.triangle_count;
    t->left_out = mesh->info.left_out;
    sl_result result = build_make(t, mesh, &ready.hooks);
    if (result != SL_OK) {
        sl_topology_destroy(t);
        return sli_fail_result(error, result);
    }
    *out = t;
    return SL_OK;
}
