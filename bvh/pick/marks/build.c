/* sl_marks_build: marks checked and copied, a tree over their boxes, and what is below its
 * nodes. */
#include "bvh/pick/marks/marks.h"
#include "bvh/scene/top.h"
#include "lib/base/error.h"
#include "lib/base/memory.h"
#include "lib/base/thread/task.h"

enum { GRAIN = 4096 };

static const size_t marks_max = 0x0FFFFFFF;

sl_mark sl_mark_wire(const double p[3], const double q[3], float tolerance, uint32_t id)
{
    sl_mark mark = { .tolerance = tolerance, .mask = UINT32_MAX, .id = id };
    memcpy(mark.p, p, sizeof mark.p);
    memcpy(mark.q, q, sizeof mark.q);
    return mark;
}

sl_mark sl_mark_point(const double at[3], float tolerance, uint32_t id)
{
    sl_mark mark = sl_mark_wire(at, at, tolerance, id);
    mark.flags = SL_MARK_ON_TOP;
    return mark;
}

typedef enum fault { FINE, NOT_FINITE, BAD_TOLERANCE } fault;

typedef struct job {
    const char *given;
    sl_marks_def def;
    sli_phase phase;
    sl_marks *marks;
    sli_ref *boxes;
    size_t bad; /* the first bad mark, where fault is not FINE */
    fault fault;
    sl_error *error;
} job;

static sl_result marks_check(const sl_mark *given, size_t count, const sl_marks_def *def,
                             sl_marks **out, job *build)
{
    sl_error *error = build->error;
    if (out == NULL) {
        return sli_refuse(error, "out is NULL: there is no place for the marks");
    }
    *out = NULL;
    if (given == NULL && count > 0) {
        return sli_refuse(error, "marks is NULL, and there should be %zu", count);
    }
    build->def = def != NULL ? *def : (sl_marks_def){ 0 };
    build->def.stride = build->def.stride != 0 ? build->def.stride : sizeof *given;
    if (build->def.stride < sizeof *given || !sli_array_fits(count, build->def.stride)) {
        return sli_refuse(error,
                          "sl_marks_def.stride is %zu; a mark has %zu bytes, and no array of %zu "
                          "is larger than %zu",
                          build->def.stride, sizeof *given, count, (size_t)PTRDIFF_MAX);
    }
    SLI_TRY(sli_check_hooks(&build->def.hooks, "sl_marks_def", error));
    if (count > marks_max) {
        return sli_fail_plain(error, SL_TOO_LARGE, "%zu marks; there may be at most %zu", count,
                              marks_max);
    }
    return SL_OK;
}

/* ---- Steps, each in a block, since it computes ---- */

static fault mark_fault(const sl_mark *mark)
{
    for (int axis = 0; axis < 3; axis++) {
        if (!(fabs(mark->p[axis]) <= FLT_MAX && fabs(mark->q[axis]) <= FLT_MAX)) {
            return NOT_FINITE;
        }
    }
    return mark->tolerance >= 0 && mark->tolerance <= FLT_MAX ? FINE : BAD_TOLERANCE;
}

/* Zeros become +0. */
static void mark_tidy(sl_mark *mark)
{
    for (int axis = 0; axis < 3; axis++) {
        mark->p[axis] += 0.0;
        mark->q[axis] += 0.0;
    }
}

/* A middle of the marks, not of the world: floats are finest near where they count from (scenes
 * choose theirs likewise).  0 in a world that is so wide that a difference would be beyond
 * floats. */
static void marks_find_middle(sl_marks *marks)
{
    for (int axis = 0; axis < 3; axis++) {
        double values[SLI_TOP_SAMPLES], largest = 0;
        size_t known = 0;
        const size_t step = marks->count / SLI_TOP_SAMPLES + 1;
        for (size_t i = 0; i < marks->count; i++) {
            const sl_mark *mark = &marks->at[i];
            largest = fmax(largest, fmax(fabs(mark->p[axis]), fabs(mark->q[axis])));
            if (i % step == 0) {
                values[known++] = mark->p[axis];
            }
        }
        marks->middle[axis] = largest < 0x1p126 ? sli_median(values, known) : 0;
    }
}

static void marks_copy(void *context)
{
    job *build = context;
    sl_marks *marks = build->marks;
    for (size_t i = 0; i < marks->count && build->fault == FINE; i++) {
        memcpy(&marks->at[i], build->given + i * build->def.stride, sizeof marks->at[i]);
        build->fault = mark_fault(&marks->at[i]);
        build->bad = i;
        mark_tidy(&marks->at[i]);
    }
    if (build->fault == FINE) {
        marks_find_middle(marks);
    }
}

/* A float beyond x in a direction, or the last one. */
static float float_beyond(double x, double direction)
{
    const double moved = x + direction * (fabs(x) * 0x1p-22 + 0x1p-126);
    return (float)fmin(fmax(moved, -FLT_MAX), FLT_MAX) + 0.0f;
}

static void mark_box(const sl_marks *marks, size_t i, sli_ref *out)
{
    const sl_mark *mark = &marks->at[i];
    *out = (sli_ref){ .prim = (uint32_t)i };
    for (int axis = 0; axis < 3; axis++) {
        const double p = mark->p[axis] - marks->middle[axis];
        const double q = mark->q[axis] - marks->middle[axis];
        out->min[axis] = float_beyond(fmin(p, q), -1);
        out->max[axis] = float_beyond(fmax(p, q), 1);
    }
}

static void marks_make_boxes(void *context, size_t i)
{
    const job *build = context;
    mark_box(build->marks, i, &build->boxes[i]);
}

/* ---- What is below nodes ---- */

typedef struct sum {
    float tolerance;
    uint32_t mask;
    uint16_t priority;
} sum;

static void sum_join(sum *all, const sum *one)
{
    all->tolerance = one->tolerance > all->tolerance ? one->tolerance : all->tolerance;
    all->priority = one->priority > all->priority ? one->priority : all->priority;
    all->mask |= one->mask;
}

static sum sum_block(const sl_marks *marks, uint32_t ref)
{
    const uint32_t *ids = sli_tree_ids(marks->tree, ref);
    sum all = { 0 };
    for (int lane = 0; lane < SLI_PACK && ids[lane] != SL_NONE; lane++) {
        const sl_mark *mark = &marks->at[ids[lane]];
        sum_join(&all, &(sum){ mark->tolerance, sli_mask_of(mark->mask), mark->priority });
    }
    return all;
}

/* Goes no deeper than trees are (SLI_MAX_DEPTH). */
static sum sum_node(sl_marks *marks, uint32_t ref)
{
    const sli_node_wide *node = sli_tree_node(marks->tree, ref);
    sli_mark_below *below = &marks->below[(ref & SLI_REF_LINE) / SLI_NODE_LINES];
    sum all = { 0 };
    for (int k = 0; k < SLI_WIDTH; k++) {
        const uint32_t child = node->child[k];
        sum one = { 0 };
        if (child != SLI_REF_EMPTY) {
            const bool leaf = (child & SLI_REF_LEAF) != 0;
            one = leaf ? sum_block(marks, child) : sum_node(marks, child);
        }
        below->tolerance[k] = one.tolerance;
        below->mask[k] = one.mask;
        below->priority[k] = one.priority;
        sum_join(&all, &one);
    }
    return all;
}

static void sum_tree(void *context)
{
    const job *build = context;
    if (build->marks->tree->root != SLI_REF_EMPTY) {
        (void)sum_node(build->marks, build->marks->tree->root);
    }
}

/* ---- The build ---- */

static sl_result marks_say_bad(const job *build)
{
    if (build->fault == NOT_FINITE) {
        return sli_fail_plain(build->error, SL_NOT_FINITE,
                              "mark %zu has a coordinate that is not finite or larger than FLT_MAX",
                              build->bad);
    }
    return sli_fail_plain(build->error, SL_BAD_DATA,
                          "mark %zu has a tolerance that is negative or not finite", build->bad);
}

static sl_result marks_build_tree(job *build)
{
    sl_marks *marks = build->marks;
    const sli_boxes boxes = { build->boxes, marks->count };
    sli_boxes_drift drift;
    sl_result result =
        sli_phase_run_each(&build->phase, "marks", marks->count, GRAIN, marks_make_boxes, build);
    if (result == SL_OK) {
        result = sli_build_over_boxes(&boxes, SL_BVH_QUALITY_FAST, &marks->allocator, &build->phase,
                                      &drift, &marks->tree);
    }
    if (result != SL_OK) {
        return result;
    }
    marks->below_count = marks->tree->line_count / SLI_NODE_LINES + 1;
    marks->below = sli_alloc_array(&marks->allocator, marks->below_count, sizeof *marks->below);
    SLI_TRY(sli_had_memory(build->error, marks->below != NULL));
    sli_phase_once(&build->phase, sum_tree, build);
    return SL_OK;
}

static sl_result marks_fill(job *build)
{
    sl_marks *marks = build->marks;
    const sl_allocator *memory = &marks->allocator;
    marks->at = sli_alloc_array(memory, marks->count, sizeof *marks->at);
    build->boxes = sli_alloc_large(memory, marks->count, sizeof *build->boxes);
    sl_result result = SL_OK;
    if (marks->at == NULL || build->boxes == NULL) {
        result = sli_fail_memory(build->error);
    } else {
        sli_phase_once(&build->phase, marks_copy, build);
        result = build->fault == FINE ? marks_build_tree(build) : marks_say_bad(build);
    }
    sli_free_array(memory, build->boxes, marks->count, sizeof *build->boxes);
    return result;
}

sl_result sl_marks_build(const sl_mark *marks, size_t count, const sl_marks_def *def,
                         sl_marks **out, sl_error *error)
{
    job build = { .given = (const char *)marks, .error = error };
    SLI_TRY(marks_check(marks, count, def, out, &build));
    const sl_allocator allocator = sli_allocator(&build.def.hooks.allocator);
    build.phase = (sli_phase){ .tasks = build.def.hooks.tasks,
                               .progress = build.def.hooks.progress,
                               .error = error };
    build.marks = sli_alloc_array(&allocator, 1, sizeof *build.marks);
    SLI_TRY(sli_had_memory(error, build.marks != NULL));
    *build.marks = (sl_marks){ .allocator = allocator, .count = count };
    sl_result result = marks_fill(&build);
    if (result != SL_OK) {
        sl_marks_destroy(build.marks);
        return result;
    }
    *out = build.marks;
    return SL_OK;
}

void sl_marks_destroy(sl_marks *marks)
{
    if (marks != NULL) {
        const sl_allocator allocator = marks->allocator;
        sl_bvh_destroy(marks->tree);
        sli_free_array(&allocator, marks->below, marks->below_count, sizeof *marks->below);
        sli_free_array(&allocator, marks->at, marks->count, sizeof *marks->at);
        sli_free_array(&allocator, marks, 1, sizeof *marks);
    }
}

sl_marks_info sl_marks_get_info(const sl_marks *marks)
{
    return (sl_marks_info){
        .marks = marks->at,
        .count = marks->count,
        .bytes = sizeof *marks + marks->count * sizeof *marks->at +
                 marks->below_count * sizeof *marks->below + sli_tree_bytes(marks->tree),
    };
}
