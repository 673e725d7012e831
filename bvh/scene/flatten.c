/* sl_bvh_flatten: the world's triangles as a mesh of floats, and what rounding to them moved. */
#include "bvh/kernel/instance/intersect.h"
#include "bvh/scene/flat_rows.h"
#include "bvh/scene/flat_walk.h"
#include "lib/base/error.h"
#include "lib/base/fpenv.h"
#include "lib/base/hooks.h"
#include "lib/base/memory.h"

static const uint64_t triangles_max =
    INT32_MAX < (UINT32_MAX - 1) / 3 ? INT32_MAX : (UINT32_MAX - 1) / 3;

/* A triangle's corners as floats; the most that a coordinate moves. */
static double put_triangle(const sli_transformed *transformed, sl_triangle *triangle, float *to)
{
    double corners[3][3], most = 0;
    sli_world_corners(transformed, triangle->v, corners);
    for (int corner = 0; corner < 3; corner++) {
        const int from = transformed->mirrored && corner > 0 ? 3 - corner : corner;
        for (int axis = 0; axis < 3; axis++) {
            const double exact = corners[from][axis];
            const float rounded = (float)exact;
            to[3 * corner + axis] = rounded;
            most = fmax(most, fabs((double)rounded - exact));
        }
    }
    return most;
}

/* xyz: nine for each of the next triangles of the walk. */
static SLI_NOINLINE void put_next(sli_flat_walk *walk, size_t count, float *xyz,
                                  sl_flattened *report)
{
    const sli_transformed *transformed = walk->bvh->world.transformed;
    sl_triangle triangle;
    sl_triangle_ref ref;
    for (; count > 0 && sli_flat_next(walk, &triangle, &ref); count--, xyz += 9) {
        const double moved = put_triangle(&transformed[ref.instance], &triangle, xyz);
        report->moved += moved > 0;
        if (moved > report->rounding) {
            report->rounding = moved;
            report->worst = ref;
        }
    }
}

/* xyz: nine for each of count triangles of the world.  The hook gets the caller's floating-point
 * environment. */
static sl_result put_all(const sl_bvh *bvh, size_t count, const sl_hooks *hooks, float *xyz,
                         sl_flattened *report)
{
    sli_flat_walk walk = { .bvh = bvh };
    sli_stage stage = { .hooks = hooks, .name = "flatten" };
    for (size_t at = 0; at < count; at += SLI_STAGE_ITEMS) {
        if (!sli_stage_reach(&stage, (float)((double)at / (double)count))) {
            return SL_CANCELLED;
        }
        SLI_DO_IN_FPENV(put_next(&walk, SLI_STAGE_ITEMS, xyz + 9 * at, report));
    }
    return sli_stage_reach(&stage, 1) ? SL_OK : SL_CANCELLED;
}

/* Once nothing can fail any more. */
static void put_refs(const sl_bvh *bvh, sl_triangle_ref *refs)
{
    sli_flat_walk walk = { .bvh = bvh };
    sl_triangle triangle;
    while (sli_flat_next(&walk, &triangle, refs)) {
        refs++;
    }
}

static sl_result make_mesh(const float *xyz, size_t count, const sli_flat_rows *rows,
                           const sl_hooks *hooks, sl_mesh **out, sl_error *error)
{
    sl_mesh_def def = { .hooks = *hooks };
    sli_flat_rows_lend(rows, &def);
    return sl_mesh_from_arrays(xyz, 3 * count, NULL, count, &def, out, error);
}

sl_result sl_bvh_flatten(const sl_bvh *bvh, const sl_flatten_def *def, sl_mesh **out,
                         sl_flattened *report, sl_error *error)
{
    if (out == NULL) {
        return sli_refuse(error, "out is NULL: there is no place for the mesh");
    }
    *out = NULL;
    if (bvh == NULL) {
        return sli_refuse(error, "bvh is NULL");
    }
    const sl_flatten_def options = def != NULL ? *def : (sl_flatten_def){ 0 };
    const uint64_t count = sli_bvh_triangle_count(bvh);
    if (count > triangles_max) {
        return sli_fail_plain(error, SL_TOO_LARGE,
                              "%llu triangles; a mesh of triangles that share no vertices holds at "
                              "most %llu",
                              (unsigned long long)count, (unsigned long long)triangles_max);
    }
    SLI_TRY(sli_check_allocator(&options.hooks.allocator, error));
    const sl_allocator allocator = sli_allocator(&options.hooks.allocator);
    sli_flat_rows rows;
    SLI_TRY(sli_flat_rows_make(bvh, &options, (size_t)count, &allocator, &rows, error));
    float *xyz = sli_alloc_array(&allocator, (size_t)count, 9 * sizeof *xyz);
    sl_flattened done = { .worst = { SL_NONE, SL_NONE } };
    sl_result result = sli_had_memory(error, xyz != NULL);
    if (result == SL_OK) {
        result = put_all(bvh, (size_t)count, &options.hooks, xyz, &done);
        result = result == SL_OK ? make_mesh(xyz, (size_t)count, &rows, &options.hooks, out, error)
                                 : sli_fail_result(error, result);
    }
    if (result == SL_OK && options.refs != NULL) {
        put_refs(bvh, options.refs);
    }
    if (result == SL_OK && report != NULL) {
        *report = done;
    }
    sli_free_array(&allocator, xyz, (size_t)count, 9 * sizeof *xyz);
    sli_flat_rows_free(&rows, &allocator);
    return result;
}
