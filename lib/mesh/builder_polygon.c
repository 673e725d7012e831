/* builder_polygon.c: polygons, which came as fans, are cut along their inside, once their vertices
 * are what they will be: moved and rounded. */
#include "lib/base/memory.h"
#include "lib/mesh/builder.h"
#include "lib/mesh/polygon.h"

#include <math.h>

/* Whether the fan of these triangles is to be looked at closely.  Not if a corner is no vertex, or
 * one that is not finite: it stays as it is, for the errors about it. */
static bool may_be_cut(const sli_mesh_parts *parts, size_t prim, size_t end)
{
    const uint32_t *fan = parts->indices + 3 * prim;
    const size_t count = 3 * (end - prim);
    if (count == 3) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        if (fan[i] >= parts->vertex_count) {
            return false;
        }
    }
    if (count == 6 && sli_polygon_quad_fits(parts->xyz, fan)) {
        return false;
    }
    for (size_t i = 0; i < 3 * count; i++) {
        if (!isfinite(parts->xyz[3 * (size_t)fan[i / 3] + i % 3])) {
            return false;
        }
    }
    return true;
}

/* Gives the triangles of a fan of count corners those of the cut. */
static void rearrange(uint32_t *fan, const sli_polygon_space *space, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        space->values[i] = fan[sli_polygon_place(i)];
    }
    for (size_t i = 0; i < 3 * (count - 2); i++) {
        fan[i] = space->values[space->triangles[i]];
    }
}

/* Cuts one polygon of count corners, whose first triangle is prim.  *fanned: it crosses itself, and
 * stays a fan. */
static bool cut_polygon(sli_builder *builder, sli_polygon_space *space, size_t prim, size_t count,
                        bool *fanned)
{
    const sli_mesh_parts *parts = &builder->parts;
    uint32_t *fan = parts->indices + 3 * prim;
    bool mirrored;
    const int axis = sli_polygon_axis(parts->xyz, fan, count, &mirrored);
    *fanned = false;
    if (axis < 0 || sli_polygon_fan_fits(parts->xyz, fan, count, axis)) {
        return true;
    }
    if (!sli_builder_grow(builder, &space->work, &space->capacity, count, sizeof *space->work)) {
        return false;
    }
    const sli_polygon_cut cut =
        sli_polygon_cut_along(parts->xyz, fan, count, axis, mirrored, space);
    *fanned = cut == SLI_POLYGON_CROSSES;
    if (cut == SLI_POLYGON_CUT) {
        rearrange(fan, space, count);
        for (size_t slot = 0; slot < SLI_KINDS; slot++) {
            uint32_t *rows = parts->kept.of[slot].indices;
            if (rows != NULL) {
                rearrange(rows + 3 * prim, space, count);
            }
        }
    }
    return true;
}

bool sli_builder_cut_polygons(sli_builder *builder, size_t *fanned, size_t *first)
{
    const sli_mesh_parts *parts = &builder->parts;
    sli_polygon_space space = { 0 };
    bool done = true;
    *fanned = 0;
    for (size_t prim = 0, end; parts->faces != NULL && prim < parts->triangle_count && done;
         prim = end) {
        bool crosses = false;
        end = prim + 1;
        while (end < parts->triangle_count && parts->faces[end] == parts->faces[prim]) {
            end++;
        }
        if (may_be_cut(parts, prim, end)) {
            done = cut_polygon(builder, &space, prim, end - prim + 2, &crosses);
        }
        *first = crosses && *fanned == 0 ? prim : *first;
        *fanned += crosses;
    }
    builder->memory -= space.capacity * sizeof *space.work;
    sli_free_array(&builder->allocator, space.work, space.capacity, sizeof *space.work);
    return done;
}
