/* topology/kinds.c: what edges are but creases: boundaries, non-manifold ones, borders of parts and
 * faces, and seams. */
#include "lib/mesh/topology.h"

#include "lib/mesh/mesh.h"

#include <sightline/mesh_format.h>

#include <string.h>

/* The part that a triangle belongs to, as the run begin .. end - 1 of triangles: kept from edge to
 * edge, since neighbours mostly share it. */
typedef struct part_run {
    size_t begin, end;
} part_run;

static bool in_run(const part_run *run, size_t prim)
{
    return prim >= run->begin && prim < run->end;
}

static void find_run(const sl_topology *t, size_t prim, part_run *run)
{
    const uint32_t part = sl_topology_element_of(t, (uint32_t)prim, SL_PARTS, 0);
    run->begin = t->part_first[part];
    run->end =
        part + 1 < t->info.part_count ? t->part_first[part + 1] : (size_t)t->info.triangle_count;
}

static uint32_t face_of(const sl_topology *t, size_t prim)
{
    return t->faces != NULL ? t->faces[prim] : (uint32_t)prim;
}

/* What the number of triangles that have it, and their directions, make of it: triangles of three
 * vertices only, since a collapsed one, as at the pole of a sphere that was made of quads, lies
 * within its neighbours' edge. */
static uint32_t judge_uses(const sl_topology *t, size_t begin, size_t end)
{
    uint32_t first = SL_NONE;
    size_t uses = 0;
    bool same_way = false;
    for (size_t i = begin; i < end; i++) {
        const uint32_t side = t->sides[i];
        if (!sli_is_collapsed(t, side / 3)) {
            same_way = uses++ > 0 && t->vertices[side] == t->vertices[first];
            first = first == SL_NONE ? side : first;
        }
    }
    if (uses < 2) {
        return SL_EDGE_BOUNDARY;
    }
    if (uses > 2) {
        return SL_EDGE_NONMANIFOLD;
    }
    return SLI_EDGE_BENDS | (same_way ? (uint32_t)SL_EDGE_NONMANIFOLD : 0);
}

/* ---- seams ----------------------------------------------------------------------------- */

/* Texture coordinates: rows of two floats, and the row of each corner. */
typedef struct uvs {
    const float *values; /* NULL: the mesh keeps none */
    const uint32_t *rows;
} uvs;

static uvs uvs_of(const sl_mesh *mesh)
{
    sl_mesh_attribute kept;
    if (!sl_mesh_get_attribute(mesh, SL_MESH_UVS, &kept)) {
        return (uvs){ .values = NULL };
    }
    return (uvs){ .values = kept.values,
                  .rows = kept.indices != NULL ? kept.indices : mesh->indices };
}

/* By their bits, zeros of either sign being equal: they may be anything but numbers. */
static bool rows_differ(const uvs *uv, uint32_t a, uint32_t b)
{
    if (a == b || a == SL_NONE || b == SL_NONE) {
        return a != b;
    }
    uint32_t words[4];
    memcpy(words, uv->values + 2 * (size_t)a, 2 * sizeof *words);
    memcpy(words + 2, uv->values + 2 * (size_t)b, 2 * sizeof *words);
    for (int i = 0; i < 4; i++) {
        words[i] = words[i] == 0x80000000u ? 0 : words[i];
    }
    return words[0] != words[2] || words[1] != words[3];
}

/* Triangles of three vertices, each against the first. */
static bool is_seam(const sl_topology *t, const uvs *uv, size_t begin, size_t end)
{
    uint32_t first = SL_NONE;
    for (size_t i = begin; i < end; i++) {
        const uint32_t side = t->sides[i];
        if (sli_is_collapsed(t, side / 3)) {
            continue;
        }
        if (first == SL_NONE) {
            first = side;
            continue;
        }
        const bool same_way = t->vertices[first] == t->vertices[side];
        const uint32_t from = same_way ? side : sli_next_side(side);
        const uint32_t to = same_way ? sli_next_side(side) : side;
        if (rows_differ(uv, uv->rows[first], uv->rows[from]) ||
            rows_differ(uv, uv->rows[sli_next_side(first)], uv->rows[to])) {
            return true;
        }
    }
    return false;
}

void sli_topology_judge_edges(sl_topology *t, const sl_mesh *mesh)
{
    part_run run = { .begin = 0 };
    const uvs uv = uvs_of(mesh);
    for (size_t edge = 0; edge < t->info.edge_count; edge++) {
        const size_t begin = t->edge_sides[edge], end = t->edge_sides[edge + 1];
        const size_t first = t->sides[begin] / 3;
        uint32_t kinds = judge_uses(t, begin, end);
        bool one_triangle = true;
        if (t->info.part_count > 1 && !in_run(&run, first)) {
            find_run(t, first, &run);
        }
        for (size_t i = begin + 1; i < end; i++) {
            const size_t prim = t->sides[i] / 3;
            one_triangle = one_triangle && prim == first;
            kinds |= face_of(t, prim) != face_of(t, first) ? (uint32_t)SL_EDGE_FACE : 0;
            if (t->info.part_count > 1 && !in_run(&run, prim)) {
                kinds |= SL_EDGE_PART;
            }
        }
        kinds |= one_triangle ? (uint32_t)SL_EDGE_FACE : 0;
        if (uv.values != NULL && is_seam(t, &uv, begin, end)) {
            kinds |= SL_EDGE_UV_SEAM;
        }
        t->kinds[edge] = (uint8_t)kinds;
    }
}
