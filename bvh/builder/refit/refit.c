/* sl_bvh_refit, sl_bvh_set_masks and sl_bvh_drift.  Everything that may fail comes before anything
 * that is seen: arguments, positions, memory. */
#include "bvh/builder/refit/anew.h"
#include "bvh/builder/refit/compact.h"
#include "bvh/builder/refit/rebuild.h"
#include "bvh/builder/refit/update.h"
#include "bvh/builder/refit/versions.h"
#include "lib/base/error.h"
#include "lib/base/fpenv.h"
#include "lib/base/memory.h"
#include "lib/base/thread/task.h"

static sl_result refit_fail(sl_error *error, const char *what)
{
    return sli_refuse(error, "%s", what);
}

static sl_result check_ranges(const sl_bvh *bvh, const sl_refit_def *def, sl_error *error)
{
    if (def->dirty == NULL && def->dirty_count > 0) {
        return refit_fail(error, "sl_refit_def.dirty is NULL, but dirty_count is not 0");
    }
    for (size_t i = 0; i < def->dirty_count; i++) {
        const sl_prim_range range = def->dirty[i];
        if (range.first > bvh->prim_count || range.count > bvh->prim_count - range.first) {
            return sli_fail_plain(error, SL_BAD_INDEX,
                                  "sl_refit_def.dirty[%zu]: %lu triangles from %lu on, but there "
                                  "are %lu",
                                  i, (unsigned long)range.count, (unsigned long)range.first,
                                  (unsigned long)bvh->prim_count);
        }
    }
    return SL_OK;
}

/* What both functions ask of their caller. */
static sl_result check_common(const sl_bvh *bvh, size_t triangle_count, const sl_refit_def *options,
                              sl_bvh **out, sl_refit_def *def, sl_error *error)
{
    if (out == NULL) {
        return refit_fail(error, "out is NULL: there is no place for the tree");
    }
    *out = NULL;
    if (bvh == NULL) {
        return refit_fail(error, "bvh is NULL: there is nothing to refit");
    }
    if (bvh->instances != NULL) {
        return refit_fail(error,
                          "bvh is a scene: build its next version with sl_bvh_build_instances");
    }
    *def = options != NULL ? *options : (sl_refit_def){ 0 };
    SLI_TRY(sli_check_hooks(&def->hooks, "sl_refit_def", error));
    if (triangle_count != bvh->prim_count) {
        return sli_refuse(error, "%zu triangles, but the tree was built over %lu; build anew",
                          triangle_count, (unsigned long)bvh->prim_count);
    }
    if (def->recycle != NULL && def->recycle->instances != NULL) {
        return refit_fail(error,
                          "sl_refit_def.recycle is a scene; the memory of a tree can be recycled "
                          "here");
    }
    if (def->recycle == bvh && bvh->borrowed) {
        return refit_fail(error,
                          "the tree is mapped, or loaded in place: it can be refitted to a new "
                          "version only");
    }
    def->hooks.allocator = sli_allocator(&def->hooks.allocator);
    def->hooks.progress = (sl_progress){ .report = NULL };
    return check_ranges(bvh, def, error);
}

static sl_result check_arrays(const float *xyz, size_t vertex_count, const void *indices,
                              size_t triangle_count, const sl_refit_def *def, sli_moved *moved,
                              sl_error *error)
{
    if ((unsigned)def->bad > SL_BAD_LEAVE_OUT) {
        return sli_refuse(error, "sl_refit_def.bad is %d, which is no sl_bad_triangles",
                          (int)def->bad);
    }
    if (!(def->rebuild_share >= 0 && def->rebuild_share <= 1)) {
        return refit_fail(error, "sl_refit_def.rebuild_share is not within 0 and 1");
    }
    if ((unsigned)def->index_type > SL_INDEX_U16) {
        return sli_refuse(error, "sl_refit_def.index_type is %d, which is no sl_index_type",
                          (int)def->index_type);
    }
    const bool is_u16 = def->index_type == SL_INDEX_U16;
    const size_t triple = 3 * (is_u16 ? sizeof(uint16_t) : sizeof(uint32_t));
    const size_t position = 3 * sizeof *xyz;
    *moved = (sli_moved){ .xyz = (const unsigned char *)xyz,
                          .indices = indices,
                          .vertex_count = vertex_count,
                          .vertex_stride = def->vertex_stride != 0 ? def->vertex_stride : position,
                          .index_stride = def->index_stride != 0 ? def->index_stride : triple,
                          .is_u16 = is_u16,
                          .dirty = def->dirty,
                          .dirty_count = def->dirty_count };
    if (vertex_count >= SL_NONE) {
        return sli_fail_plain(error, SL_TOO_LARGE, "%zu vertices; at most %lu are possible",
                              vertex_count, (unsigned long)SL_NONE - 1);
    }
    if (xyz == NULL && vertex_count > 0) {
        return sli_refuse(error, "xyz is NULL, but vertex_count is %zu", vertex_count);
    }
    if (moved->vertex_stride < position || moved->index_stride < triple ||
        !sli_array_fits(vertex_count, moved->vertex_stride) ||
        !sli_array_fits(triangle_count, moved->index_stride)) {
        return sli_refuse(error,
                          "vertex_stride is %zu bytes, index_stride %zu; a position takes %zu, "
                          "three indices %zu, and no array is beyond memory",
                          moved->vertex_stride, moved->index_stride, position, triple);
    }
    return SL_OK;
}

/* A refit whose arguments are checked. */
typedef struct job {
    const sl_bvh *bvh;
    const sl_refit_def *def;
    const sli_moved *moved;
    sli_versioning versioning;
    sli_phase phase;
} job;

/* In place, the caller's pointer stays, and what is behind it is exchanged. */
static sl_result build_anew(const job *refit, sl_bvh **out)
{
    sl_bvh *built = NULL, *recycle = refit->def->recycle;
    SLI_TRY(sli_build_anew(refit->bvh, refit->moved, refit->def->masks, &refit->def->hooks, &built,
                           refit->phase.error));
    if (recycle == refit->bvh) {
        const sl_bvh old = *recycle;
        *recycle = *built;
        *built = old;
        *out = recycle;
        sl_bvh_destroy(built);
        sli_own_world_fill(recycle);
    } else {
        sl_bvh_destroy(recycle);
        *out = built;
    }
    return SL_OK;
}

static void refit_update(const job *refit, sl_bvh *version)
{
    const sli_update all = { .tree = version,
                             .moved = refit->moved,
                             .positions = refit->versioning.positions,
                             .new_masks = refit->versioning.masks,
                             .masks = refit->def->masks,
                             .rebuild_share = refit->def->rebuild_share };
    sli_version_follow(&refit->versioning, version, &refit->phase);
    if (refit->versioning.rebuilds && !version->scratch.measured) {
        sli_rebuild_measure(refit->bvh, &version->scratch, &refit->phase);
    }
    if (all.positions && version->vertices != NULL) {
        sli_compact_move(version, refit->moved, &refit->phase);
    }
    sli_update_tree(&all, &refit->phase);
    sli_tree_measure_container(version);
    sli_version_finish(&refit->versioning, version);
    sli_own_world_fill(version);
}

static sl_result refit_move(const job *refit, sl_bvh **out)
{
    sl_result result = SL_OK;
    const sli_moved_state state =
        sli_moved_check(refit->moved, refit->bvh, refit->def->bad, &refit->phase, &result);
    if (state != SLI_MOVED_FINE) {
        return state == SLI_MOVED_OTHERS ? build_anew(refit, out) : result;
    }
    sl_bvh *version = sli_version_memory(&refit->versioning);
    SLI_TRY(sli_had_memory(refit->phase.error, version != NULL));
    if (version->vertices != NULL &&
        !sli_compact_sources(refit->bvh, refit->moved, &version->scratch, &refit->phase)) {
        sli_version_abandon(&refit->versioning, version);
        return build_anew(refit, out);
    }
    refit_update(refit, version);
    *out = version;
    return SL_OK;
}

static job make_job(const sl_bvh *bvh, const sl_refit_def *def, const sli_moved *moved,
                    bool positions, bool masks, sl_error *error)
{
    return (job){ .bvh = bvh,
                  .def = def,
                  .moved = moved,
                  .versioning = { .tree = bvh,
                                  .recycle = def->recycle,
                                  .dirty = def->dirty,
                                  .dirty_count = def->dirty_count,
                                  .positions = positions,
                                  .masks = masks,
                                  .some_masks = masks && (def->masks != NULL || def->dirty != NULL),
                                  .rebuilds =
                                      positions && def->rebuild_share > 0 && bvh->vertices == NULL,
                                  .workers = sli_worker_count(def->hooks.tasks),
                                  .allocator = def->hooks.allocator },
                  .phase = { .tasks = def->hooks.tasks, .error = error } };
}

sl_result sl_bvh_refit(const sl_bvh *bvh, const float *xyz, size_t vertex_count,
                       const void *indices, size_t triangle_count, const sl_refit_def *options,
                       sl_bvh **out, sl_error *error)
{
    sl_refit_def def;
    sli_moved moved;
    SLI_TRY(check_common(bvh, triangle_count, options, out, &def, error));
    SLI_TRY(check_arrays(xyz, vertex_count, indices, triangle_count, &def, &moved, error));
    const job refit = make_job(bvh, &def, &moved, true, def.masks != NULL, error);
    return refit_move(&refit, out);
}

sl_result sl_bvh_set_masks(const sl_bvh *bvh, size_t triangle_count, const sl_refit_def *options,
                           sl_bvh **out, sl_error *error)
{
    sl_refit_def def;
    SLI_TRY(check_common(bvh, triangle_count, options, out, &def, error));
    const sli_moved moved = { .dirty = def.dirty, .dirty_count = def.dirty_count };
    const job refit = make_job(bvh, &def, &moved, false, true, error);
    sl_bvh *version = sli_version_memory(&refit.versioning);
    SLI_TRY(sli_had_memory(error, version != NULL));
    refit_update(&refit, version);
    *out = version;
    return SL_OK;
}

SLI_NOINLINE static double ratio(double cost, double built)
{
    return built > 0 ? cost / built : 1;
}

double sl_bvh_drift(const sl_bvh *bvh)
{
    return SLI_IN_FPENV(ratio(bvh->info.sah_cost, bvh->built_cost));
}
