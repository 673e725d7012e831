/* arrays.c: a mesh from the caller's arrays, of any stride and either index type. */
#include "lib/base/error.h"
#include "lib/base/fpenv.h"
#include "lib/base/memory.h"
#include "lib/mesh/mesh.h"

#include <math.h>
#include <string.h>

enum { TRIPLE_BYTES = 3 * sizeof(float) };

static void copy_indices_u16(uint32_t *to, const void *from, size_t count, size_t stride)
{
    const unsigned char *bytes = from;
    for (size_t i = 0; i < count; i++) {
        uint16_t corners[3];
        memcpy(corners, bytes + i * stride, sizeof corners);
        for (int corner = 0; corner < 3; corner++) {
            to[3 * i + (size_t)corner] = corners[corner];
        }
    }
}

/* Three words a row: of a position or of three indices. */
static void copy_triples(void *to, const void *from, size_t count, size_t stride)
{
    if (stride == TRIPLE_BYTES) {
        memcpy(to, from, count * TRIPLE_BYTES);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        memcpy((char *)to + i * TRIPLE_BYTES, (const char *)from + i * stride, TRIPLE_BYTES);
    }
}

/* 0, 1, 2, ...; what no uint32_t holds becomes SL_NONE, which is no vertex either. */
static void count_indices(uint32_t *to, size_t count)
{
    for (size_t i = 0; i < 3 * count; i++) {
        to[i] = i < SL_NONE ? (uint32_t)i : SL_NONE;
    }
}

static sl_result check_arguments(const float *xyz, size_t vertex_count, size_t triangle_count,
                                 sl_mesh_def *def, sl_error *error)
{
    const size_t triple =
        3 * (def->index_type == SL_INDEX_U16 ? sizeof(uint16_t) : sizeof(uint32_t));
    def->vertex_stride = def->vertex_stride != 0 ? def->vertex_stride : TRIPLE_BYTES;
    def->index_stride = def->index_stride != 0 ? def->index_stride : triple;
    SLI_TRY(sli_mesh_check_counts(vertex_count, triangle_count, NULL, error));
    if (xyz == NULL && vertex_count > 0) {
        return sli_refuse(error, "xyz is NULL, but vertex_count is %zu", vertex_count);
    }
    if (def->vertex_stride < TRIPLE_BYTES) {
        return sli_refuse(error, "vertex_stride is %zu bytes; a position takes %d",
                          def->vertex_stride, (int)TRIPLE_BYTES);
    }
    if (def->index_stride < triple) {
        return sli_refuse(error, "index_stride is %zu bytes; three indices take %zu",
                          def->index_stride, triple);
    }
    if (!sli_array_fits(vertex_count, def->vertex_stride) ||
        !sli_array_fits(triangle_count, def->index_stride)) {
        return sli_refuse(error,
                          "vertex_stride is %zu bytes, index_stride %zu; no array is so large",
                          def->vertex_stride, def->index_stride);
    }
    return SL_OK;
}

/* Moves the centre of the bounds to the origin.  Rounding is monotonic, so the bounds move along
 * as two more points.  Vertices that no triangle uses move too, but are not spoken of. */
SLI_NOINLINE static void recentre(sl_mesh *mesh)
{
    sl_mesh_info *info = &mesh->info;
    if (info->left_out == info->triangle_count) {
        return;
    }
    for (size_t axis = 0; axis < 3; axis++) {
        const double lo = (double)info->bounds.min[axis], hi = (double)info->bounds.max[axis];
        const double center = lo + (hi - lo) / 2;
        for (size_t i = 0; i < 3 * info->triangle_count; i++) {
            if (mesh->indices[i] != SL_NONE) {
                const double moved =
                    (double)mesh->xyz[3 * (size_t)mesh->indices[i] + axis] - center;
                info->rounding = fmax(info->rounding, fabs(moved - (double)(float)moved));
            }
        }
        for (size_t i = 0; i < info->vertex_count; i++) {
            mesh->xyz[3 * i + axis] = (float)((double)mesh->xyz[3 * i + axis] - center);
        }
        info->bounds.min[axis] = (float)(lo - center);
        info->bounds.max[axis] = (float)(hi - center);
        info->origin[axis] = center;
    }
}

/* ---- attributes ------------------------------------------------------------------------ */

static const sl_mesh_attribute *given_in(const sl_mesh_def *def, size_t slot)
{
    return slot == 0 ? &def->normals : slot == 1 ? &def->uvs : &def->colours;
}

static sl_result check_attribute(const sl_mesh_attribute *given, size_t slot, size_t vertex_count,
                                 sl_error *error)
{
    const char *name = sli_attribute_name(slot);
    if (given->values == NULL && given->count > 0) {
        return sli_refuse(error, "%ss: values is NULL, but count is %zu", name, given->count);
    }
    if (given->values != NULL && given->indices == NULL && given->count != vertex_count) {
        return sli_refuse(error, "%zu %ss without indices, but there are %zu vertices",
                          given->count, name, vertex_count);
    }
    if (given->count >= SLI_ROWS_MAX || !sli_array_fits(given->count, 4 * sizeof(float))) {
        return sli_fail_plain(error, SL_TOO_LARGE, "%zu %ss; no mesh has so many", given->count,
                              name);
    }
    return SL_OK;
}

/* Which are wanted, and whether they are as they should be. */
static sl_result copy_attributes(const sl_mesh_def *def, sli_mesh_parts *parts, sl_error *error)
{
    sl_result result = SL_OK;
    for (size_t slot = 0; slot < SLI_KINDS && result == SL_OK; slot++) {
        const sl_mesh_attribute *given = given_in(def, slot);
        result = check_attribute(given, slot, parts->vertex_count, error);
        if (result != SL_OK || given->count == 0) {
            continue;
        }
        parts->attributes |= sli_kind(slot);
        if ((def->drop & sli_kind(slot)) != 0) {
            continue;
        }
        /* One triangle more: there are indices even where there is none. */
        const size_t scratch = given->indices != NULL ? parts->triangle_count + 1 : 0;
        SLI_TRY(sli_had_memory(error, sli_attribute_alloc(&parts->kept, slot, given->count, scratch,
                                                          &def->hooks.allocator)));
        const sli_attribute *of = &parts->kept.of[slot];
        memcpy(of->values, given->values, of->values_capacity * sizeof *of->values);
        if (scratch > 0) {
            memcpy(of->indices, given->indices, 3 * parts->triangle_count * sizeof *of->indices);
        }
    }
    return result;
}

sl_result sl_mesh_from_arrays(const float *xyz, size_t vertex_count, const void *indices,
                              size_t triangle_count, const sl_mesh_def *def, sl_mesh **out,
                              sl_error *error)
{
    SLI_TRY(SLI_CLEAR(out, error));
    sl_mesh_def checked;
    SLI_TRY(sli_mesh_def_check(def, &checked, error));
    SLI_TRY(check_arguments(xyz, vertex_count, triangle_count, &checked, error));
    sli_mesh_parts parts;
    SLI_TRY(sli_mesh_parts_alloc(&parts, vertex_count, triangle_count, "arrays", &checked, error));
    if (vertex_count > 0) {
        copy_triples(parts.xyz, xyz, vertex_count, checked.vertex_stride);
    }
    if (indices == NULL) {
        count_indices(parts.indices, triangle_count);
    } else if (checked.index_type == SL_INDEX_U16) {
        copy_indices_u16(parts.indices, indices, triangle_count, checked.index_stride);
    } else {
        copy_triples(parts.indices, indices, triangle_count, checked.index_stride);
    }
    sl_result result = copy_attributes(&checked, &parts, error);
    if (result != SL_OK) {
        sli_mesh_parts_free(&parts, &checked.hooks.allocator);
        return result;
    }
    result = sli_mesh_finish(&parts, &checked, NULL, NULL, NULL, out, error);
    if (result == SL_OK && checked.recentre) {
        SLI_DO_IN_FPENV(recentre(*out));
    }
    return result;
}
