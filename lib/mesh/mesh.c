/* mesh.c: the one check of every triangle, which turns arrays into an sl_mesh; for loaders,
 * arrays, generators and weld. */
#include "lib/mesh/mesh.h"

#include "lib/base/error.h"
#include "lib/base/fpenv.h"
#include "lib/base/hooks.h"
#include "lib/base/memory.h"
#include "lib/geom/exact/valid.h"

#include <math.h>

static const size_t vertices_max = 0xFFFFFFFEu;
static const size_t triangles_max = 0x7FFFFFFFu;

sl_result sli_mesh_def_check(const sl_mesh_def *def, sl_mesh_def *out, sl_error *error)
{
    *out = def != NULL ? *def : (sl_mesh_def){ 0 };
    if (out->bad != SL_BAD_REFUSE && out->bad != SL_BAD_LEAVE_OUT) {
        return sli_refuse(error, "sl_mesh_def.bad is %d, which is no sl_bad_triangles",
                          (int)out->bad);
    }
    if (out->index_type != SL_INDEX_U32 && out->index_type != SL_INDEX_U16) {
        return sli_refuse(error, "sl_mesh_def.index_type is %d, which is no sl_index_type",
                          (int)out->index_type);
    }
    if ((out->drop & ~(uint32_t)SLI_KEEPABLE) != 0) {
        return sli_refuse(error,
                          "sl_mesh_def.drop has bits that are none of SL_MESH_UVS, _NORMALS and "
                          "_COLOURS: 0x%lx",
                          (unsigned long)(out->drop & ~(uint32_t)SLI_KEEPABLE));
    }
    SLI_TRY(sli_check_allocator(&out->hooks.allocator, error));
    out->hooks = sli_hooks(&out->hooks);
    return SL_OK;
}

/* What is wrong with a triangle: one corner of it, and there an index or a coordinate. */
typedef struct flaw {
    sl_result code; /* SL_OK: nothing */
    int corner, axis;
} flaw;

static flaw find_flaw(const sli_mesh_parts *parts, const uint32_t corners[3])
{
    for (int corner = 0; corner < 3; corner++) {
        if (corners[corner] >= parts->vertex_count) {
            return (flaw){ .code = SL_BAD_INDEX, .corner = corner };
        }
    }
    for (int corner = 0; corner < 3; corner++) {
        for (int axis = 0; axis < 3; axis++) {
            if (!isfinite(parts->xyz[3 * (size_t)corners[corner] + (size_t)axis])) {
                return (flaw){ .code = SL_NOT_FINITE, .corner = corner, .axis = axis };
            }
        }
    }
    return (flaw){ .code = SL_OK };
}

static sl_result fail_flaw(const sli_mesh_parts *parts, size_t prim, flaw found, const char *file,
                           sli_mesh_locate_fn *locate, const void *context, sl_error *error)
{
    int64_t line = SLI_NO_LINE, byte = SLI_NO_BYTE;
    if (locate != NULL) {
        locate(context, prim, &line, &byte);
    }
    const uint32_t index = parts->indices[3 * prim + (size_t)found.corner];
    if (found.code == SL_NOT_FINITE) {
        const double value = (double)parts->xyz[3 * (size_t)index + (size_t)found.axis];
        return sli_fail(error, SL_NOT_FINITE, file, line, byte,
                        "triangle %zu, corner %d: %c of vertex %lu is %s; coordinates must be "
                        "finite and within the range of a float",
                        prim, found.corner, "xyz"[found.axis], (unsigned long)index,
                        isnan(value) ? "not a number" : "infinite");
    }
    if (parts->vertex_count == 0) {
        return sli_fail(error, SL_BAD_INDEX, file, line, byte,
                        "triangle %zu, corner %d: vertex %lu, but there are no vertices", prim,
                        found.corner, (unsigned long)index);
    }
    return sli_fail(error, SL_BAD_INDEX, file, line, byte,
                    "triangle %zu, corner %d: vertex %lu, but the last one is %zu (counted from 0)",
                    prim, found.corner, (unsigned long)index, parts->vertex_count - 1);
}

/* Looks once at each triangle from `begin` on, of SLI_STAGE_ITEMS: refuses the first bad one, or
 * leaves the bad ones out, and bounds the others.  Not inlined, since the caller brackets it with
 * its floating-point environment. */
SLI_NOINLINE static sl_result check_next(const sli_mesh_parts *parts, const sl_mesh_def *def,
                                         size_t begin, const char *file, sli_mesh_locate_fn *locate,
                                         const void *context, sl_mesh_info *info, sl_error *error)
{
    const size_t left = parts->triangle_count - begin;
    const size_t end = begin + (left < SLI_STAGE_ITEMS ? left : SLI_STAGE_ITEMS);
    for (size_t prim = begin; prim < end; prim++) {
        uint32_t *corners = parts->indices + 3 * prim;
        const flaw found = find_flaw(parts, corners);
        if (found.code != SL_OK && def->bad == SL_BAD_REFUSE) {
            return fail_flaw(parts, prim, found, file, locate, context, error);
        }
        if (found.code != SL_OK) {
            info->left_out++;
        }
        for (int corner = 0; corner < 3; corner++) {
            if (found.code != SL_OK) {
                corners[corner] = SL_NONE;
            } else {
                sli_aabb_reach(&info->bounds, parts->xyz + 3 * (size_t)corners[corner]);
            }
        }
    }
    return SL_OK;
}

/* The hook gets the caller's floating-point environment; what is small is not worth a report. */
static sl_result check_triangles(const sli_mesh_parts *parts, const sl_mesh_def *def,
                                 const char *file, sli_mesh_locate_fn *locate, const void *context,
                                 sl_mesh_info *info, sl_error *error)
{
    sli_stage stage = { .hooks = &def->hooks, .name = "check", .done = 1 };
    sl_result result = SL_OK;
    info->bounds = sl_aabb_empty();
    for (size_t at = 0; at < parts->triangle_count && result == SL_OK; at += SLI_STAGE_ITEMS) {
        if (at > 0 && sli_stage_stops(&stage)) {
            return sli_fail_result(error, SL_CANCELLED);
        }
        result = SLI_IN_FPENV(check_next(parts, def, at, file, locate, context, info, error));
    }
    return result;
}

/* The rows that corners name, after the triangles: what was left out has none.  Of a caller's
 * arrays; those of files have been settled. */
static sl_result check_rows(const sli_mesh_parts *parts, const sl_mesh_def *def, size_t slot,
                            sl_error *error)
{
    const sli_attribute *of = &parts->kept.of[slot];
    for (size_t i = 0; of->indices != NULL && i < 3 * parts->triangle_count; i++) {
        if (parts->indices[i] == SL_NONE) {
            of->indices[i] = SL_NONE;
        }
        if (of->indices[i] < of->count || of->indices[i] == SL_NONE) {
            continue;
        }
        if (def->bad == SL_BAD_REFUSE) {
            return sli_fail_plain(
                error, SL_BAD_INDEX,
                "triangle %zu, corner %d names %s %lu, but the last one is %lu (counted from 0)",
                i / 3, (int)(i % 3), sli_attribute_name(slot), (unsigned long)of->indices[i],
                (unsigned long)(of->count - 1));
        }
        of->indices[i] = SL_NONE;
    }
    return SL_OK;
}

sl_result sli_mesh_check_counts(size_t vertex_count, size_t triangle_count, const char *file,
                                sl_error *error)
{
    if (vertex_count > vertices_max) {
        return sli_fail_file(error, SL_TOO_LARGE, file, "%zu vertices; at most %zu are possible",
                             vertex_count, vertices_max);
    }
    if (triangle_count > triangles_max) {
        return sli_fail_file(error, SL_TOO_LARGE, file, "%zu triangles; at most %zu are possible",
                             triangle_count, triangles_max);
    }
    return SL_OK;
}

sl_result sli_mesh_parts_alloc(sli_mesh_parts *out, size_t vertex_count, size_t triangle_count,
                               const char *format, const sl_mesh_def *def, sl_error *error)
{
    if (vertex_count > SIZE_MAX / 3 || triangle_count > SIZE_MAX / 3) {
        return sli_fail_memory(error);
    }
    *out = (sli_mesh_parts){ .xyz_capacity = 3 * vertex_count,
                             .indices_capacity = 3 * triangle_count,
                             .vertex_count = vertex_count,
                             .triangle_count = triangle_count,
                             .face_count = triangle_count,
                             .format = format };
    out->xyz = sli_alloc_array(&def->hooks.allocator, out->xyz_capacity, sizeof *out->xyz);
    out->indices =
        sli_alloc_array(&def->hooks.allocator, out->indices_capacity, sizeof *out->indices);
    if (out->xyz == NULL || out->indices == NULL) {
        sli_mesh_parts_free(out, &def->hooks.allocator);
        return sli_fail_memory(error);
    }
    return SL_OK;
}

void sli_mesh_parts_free(const sli_mesh_parts *parts, const sl_allocator *allocator)
{
    sli_free_array(allocator, parts->xyz, parts->xyz_capacity, sizeof *parts->xyz);
    sli_free_array(allocator, parts->indices, parts->indices_capacity, sizeof *parts->indices);
    sli_free_array(allocator, parts->faces, parts->faces_capacity, sizeof *parts->faces);
    sli_part_list_free(&parts->list, allocator);
    sli_attributes_free(&parts->kept, allocator);
    sli_free_array(allocator, parts->notes.rows, parts->notes.capacity, sizeof *parts->notes.rows);
}

sl_result sli_mesh_finish(const sli_mesh_parts *parts, const sl_mesh_def *def, const char *file,
                          sli_mesh_locate_fn *locate, const void *context, sl_mesh **out,
                          sl_error *error)
{
    const sl_allocator *allocator = &def->hooks.allocator;
    sl_mesh_info info = { .format = parts->format,
                          .vertex_count = parts->vertex_count,
                          .triangle_count = parts->triangle_count,
                          .face_count = parts->face_count,
                          .origin = { parts->origin[0], parts->origin[1], parts->origin[2] },
                          .rounding = parts->rounding };
    sl_mesh *mesh = NULL;
    *out = NULL;
    sl_result result =
        sli_mesh_check_counts(parts->vertex_count, parts->triangle_count, file, error);
    result = SLI_THEN(result, check_triangles(parts, def, file, locate, context, &info, error));
    for (size_t slot = 0; slot < SLI_KINDS && result == SL_OK; slot++) {
        result = check_rows(parts, def, slot, error);
    }
    if (result == SL_OK) {
        mesh = sli_alloc_array(allocator, 1, sizeof *mesh);
        result = mesh != NULL ? SL_OK : sli_fail_memory(error);
    }
    if (mesh == NULL) {
        sli_mesh_parts_free(parts, allocator);
        return result;
    }
    *mesh = (sl_mesh){ .allocator = *allocator,
                       .xyz = parts->xyz,
                       .indices = parts->indices,
                       .faces = parts->faces,
                       .xyz_capacity = parts->xyz_capacity,
                       .indices_capacity = parts->indices_capacity,
                       .faces_capacity = parts->faces_capacity,
                       .part_list = parts->list,
                       .attributes = parts->attributes,
                       .kept = parts->kept,
                       .notes = parts->notes,
                       .info = info };
    *out = mesh;
    return SL_OK;
}

void sl_mesh_destroy(sl_mesh *mesh)
{
    if (mesh == NULL) {
        return;
    }
    const sl_allocator allocator = mesh->allocator;
    sli_free_array(&allocator, mesh->xyz, mesh->xyz_capacity, sizeof(float));
    sli_free_array(&allocator, mesh->indices, mesh->indices_capacity, sizeof(uint32_t));
    sli_free_array(&allocator, mesh->faces, mesh->faces_capacity, sizeof(uint32_t));
    sli_part_list_free(&mesh->part_list, &allocator);
    sli_attributes_free(&mesh->kept, &allocator);
    sli_free_array(&allocator, mesh->notes.rows, mesh->notes.capacity, sizeof *mesh->notes.rows);
    sli_free_array(&allocator, mesh, 1, sizeof *mesh);
}
