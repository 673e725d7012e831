/* Builds in slices: sl_bvh_build as it is, on a thread that takes turns with the caller's
 * (lib/base/thread/slices.h). */
#include "bvh/builder/build.h"
#include "bvh/tree/tree.h"
#include "lib/base/assert.h"
#include "lib/base/error.h"
#include "lib/base/fpenv.h"
#include "lib/base/thread/kept.h"

struct sl_build {
    const sl_mesh *mesh;
    sl_build_def def;
    sl_allocator allocator; /* the caller's, or malloc */
    sli_kept kept;          /* what the build holds of it */
    sli_slices slices;
    sl_bvh *tree; /* once it is finished, until it is taken */
    sl_result result;
    sl_error failure;
    bool finished, taken;
    bool inside; /* a step or an end, whose hooks may call anything else */
};

/* On the build's own thread. */
static void build_all(void *context)
{
    sl_build *build = context;
    const sl_allocator allocator = sli_kept_start(&build->kept, &build->allocator, &build->slices);
    build->result = sli_build_tree(build->mesh, &build->def, &allocator, &build->slices,
                                   &build->tree, &build->failure);
}

sl_result sl_build_begin(const sl_mesh *mesh, const sl_build_def *options, sl_build **out,
                         sl_error *error)
{
    if (out == NULL) {
        return sli_refuse(error, "out is NULL: there is no place for the build");
    }
    *out = NULL;
    sl_build_def def;
    SLI_TRY(sli_build_check(mesh, options, &def, error));
    const sl_allocator allocator = sli_allocator(&def.hooks.allocator);
    sl_build *build = sli_alloc(&allocator, sizeof *build, _Alignof(sl_build));
    SLI_TRY(sli_had_memory(error, build != NULL));
    build->mesh = mesh;
    build->def = def;
    build->allocator = allocator;
    build->kept = (sli_kept){ .front.from = allocator };
    build->tree = NULL;
    build->result = SL_OK;
    build->finished = build->taken = build->inside = false;
    if (!sli_slices_start(&build->slices, build_all, build)) {
        sli_free(&allocator, build, sizeof *build);
        return sli_fail_plain(error, SL_NO_THREADS_LEFT, "%s",
                              SLI_HAVE_THREADS
                                  ? "the system gave no thread for a build in slices"
                                  : "this library was built without threads (SL_NO_THREADS): it "
                                    "builds at once only, with sl_bvh_build");
    }
    *out = build;
    return SL_OK;
}

/* The thread ends with the work, and the list of what was held with it: that is the tree now. */
static sl_result build_slices_run(sl_build *build, uint64_t nanoseconds, sl_error *error)
{
    if (build->inside) {
        return sli_refuse(error, "a hook of a build in slices may not step or end that same build");
    }
    build->inside = true;
    if (!build->finished && sli_slices_step(&build->slices, nanoseconds)) {
        sli_slices_stop(&build->slices);
        sli_kept_release(&build->kept);
        build->finished = true;
    }
    build->inside = false;
    if (build->finished && build->result != SL_OK && error != NULL) {
        *error = build->failure;
    }
    return build->finished ? build->result : SL_OK;
}

/* Writes its result, so that compilers do not move the call to before the environment is set. */
SLI_NOINLINE static void to_nanoseconds(double milliseconds, uint64_t *out)
{
    const double nanoseconds = milliseconds * 1e6;
    *out = 0;
    if (nanoseconds > 0) {
        *out = nanoseconds < 0x1p63 ? 1 + (uint64_t)nanoseconds : UINT64_MAX;
    }
}

sl_result sl_build_step(sl_build *build, double budget_ms, bool *done, sl_error *error)
{
    if (build == NULL || done == NULL) {
        return sli_refuse(error, "sl_build_step: %s is NULL", build == NULL ? "build" : "done");
    }
    uint64_t budget;
    SLI_DO_IN_FPENV(to_nanoseconds(budget_ms, &budget));
    const sl_result result = build_slices_run(build, budget, error);
    *done = build->finished && result == SL_OK;
    return result;
}

sl_result sl_build_end(sl_build *build, sl_bvh **out, sl_error *error)
{
    if (out != NULL) {
        *out = NULL;
    }
    if (build == NULL || out == NULL) {
        return sli_refuse(error, "sl_build_end: %s is NULL", build == NULL ? "build" : "out");
    }
    if (build->taken) {
        return sli_refuse(error, "sl_build_end: the tree of this build was given before");
    }
    const sl_result result = build_slices_run(build, UINT64_MAX, error);
    if (result == SL_OK) {
        *out = build->tree;
        build->tree = NULL;
        build->taken = true;
    }
    return result;
}

void sl_build_destroy(sl_build *build)
{
    if (build == NULL) {
        return;
    }
    SL_ASSERT(!build->inside);
    const sl_allocator allocator = build->allocator;
    if (!build->finished) {
        sli_slices_stop(&build->slices);
        sli_kept_free_all(&build->kept);
    }
    sl_bvh_destroy(build->tree);
    sli_free(&allocator, build, sizeof *build);
}
