/* sl_clashes_find: instances against instances.  The tree over the instances names, for each that
 * has changed, those whose boxes are within the margin; pairs of them are gathered and asked in
 * batches, in parallel, and what they answer is gathered in turn.  So nothing is kept of pairs that
 * do not clash, however many boxes overlap, and workers allocate nothing. */
#include "bvh/contact/instances/clashes.h"
#include "bvh/query/visit.h"
#include "lib/base/error.h"
#include "lib/base/fpenv.h"
#include "lib/base/memory.h"
#include "lib/base/thread/task.h"

#include <string.h>

/* Pairs asked between two reports of progress; and items for that long a search for near ones. */
enum { BATCH = 1024, GRAIN = 4, ITEMS = 2048 };

/* ---- Pairs that are near ---- */

typedef struct clash_candidate {
    uint32_t a, b; /* a < b */
} clash_candidate;

/* Gathers candidates, with an instance on its way through the tree over all of them. */
typedef struct near_search {
    const sli_clash_search *s;
    clash_candidate *found;
    size_t count, capacity;
    uint32_t instance;
    bool memory; /* there was always enough */
} near_search;

static sli_interest near_box(const void *context, const sl_aabb *box)
{
    (void)context;
    (void)box;
    return SLI_VISIT_SOME;
}

/* Of two that have changed the lower one names the pair. */
static bool is_asked(const sli_clash_search *s, uint32_t i, uint32_t k)
{
    const sli_clash_instance *x = &s->report->instances[i], *y = &s->report->instances[k];
    return k != i && (k > i || !s->has_changed[k]) && y->family != NULL &&
           (x->group & y->against) != 0 && (y->group & x->against) != 0 &&
           (x->body == 0 || x->body != y->body);
}

static bool take_near(void *context, uint32_t instance, const sl_triangle *box, bool sure)
{
    (void)box;
    (void)sure;
    near_search *n = context;
    const uint32_t i = n->instance;
    if (!is_asked(n->s, i, instance)) {
        return true;
    }
    n->memory = sli_grow_array(&n->s->report->allocator, &n->found, &n->capacity, n->count + 1,
                               sizeof *n->found);
    if (n->memory) {
        n->found[n->count++] =
            (clash_candidate){ i < instance ? i : instance, i < instance ? instance : i };
    }
    return n->memory;
}

/* The box of an instance in the tree over all, grown by the margin.  Boxes there hold what they are
 * about, seen from the world's middle, so that two instances within the margin have boxes within
 * it. */
static void near_find(near_search *n, uint32_t instance)
{
    const sl_bvh *top = n->s->bvh->world.top;
    const double margin = (double)n->s->clash.margin;
    sl_triangle box;
    sl_stats stats = { 0 };
    sli_visitor visitor = { .context = n, .box = near_box, .triangle = take_near };
    if (n->s->report->instances[instance].family == NULL ||
        !sli_tree_triangle(top, instance, &box)) {
        return;
    }
    for (int axis = 0; axis < 3; axis++) {
        const double low = (double)box.v[0][axis] - margin, high = (double)box.v[1][axis] + margin;
        visitor.bounds.min[axis] = nextafterf((float)fmax(low, -(double)FLT_MAX), -INFINITY);
        visitor.bounds.max[axis] = nextafterf((float)fmin(high, (double)FLT_MAX), INFINITY);
    }
    n->instance = instance;
    sli_visit(top, &visitor, &stats);
}

/* ---- Pairs that are asked ---- */

typedef struct clash_batch {
    const sli_clash_search *s;
    const clash_candidate *candidates;
    sl_instance_clash answers[BATCH]; /* a is SL_NONE where there is no clash */
    sl_result results[BATCH];
} clash_batch;

static void ask_block(void *context, size_t begin, size_t end, int worker)
{
    (void)worker;
    clash_batch *batch = context;
    const sli_fpenv saved = sli_fpenv_enter();
    for (size_t i = begin; i < end; i++) {
        const clash_candidate *pair = &batch->candidates[i];
        batch->results[i] = sli_clashes_ask(batch->s, pair->a, pair->b, &batch->answers[i]);
    }
    sli_fpenv_leave(saved);
}

/* What failed first is what the error is about, whichever worker came to it. */
static sl_result keep_answers(sli_clash_search *s, const clash_batch *batch, size_t count,
                              sl_error *error)
{
    if (!sli_grow_array(&s->report->allocator, &s->found, &s->found_capacity,
                        s->found_count + count, sizeof *s->found)) {
        return sli_fail_memory(error);
    }
    for (size_t i = 0; i < count; i++) {
        if (batch->results[i] != SL_OK) {
            return sli_fail_result(error, batch->results[i]);
        }
        if (batch->answers[i].a != SL_NONE) {
            s->found[s->found_count++] = batch->answers[i];
        }
    }
    return SL_OK;
}

/* Asks all candidates; `done` is how much of the search these complete. */
static sl_result ask_candidates(sli_clash_search *s, near_search *n, clash_batch *batch,
                                sli_stage *stage, float done, sl_error *error)
{
    for (size_t at = 0; at < n->count; at += BATCH) {
        const size_t count = n->count - at < BATCH ? n->count - at : BATCH;
        batch->candidates = n->found + at;
        sli_parallel_for(s->hooks.tasks, count, GRAIN, ask_block, batch);
        SLI_TRY(keep_answers(s, batch, count, error));
        if (sli_stage_stops(stage)) {
            return sli_fail_result(error, SL_CANCELLED);
        }
    }
    n->count = 0;
    return sli_stage_reach(stage, done) ? SL_OK : sli_fail_result(error, SL_CANCELLED);
}

static sl_result ask_all(sli_clash_search *s, near_search *n, clash_batch *batch, sl_error *error)
{
    const size_t count = s->report->instance_count;
    sli_stage stage = { .hooks = &s->hooks, .name = "clashes" };
    sl_result result = SL_OK;
    for (size_t i = 0; i < count && result == SL_OK; i++) {
        if (s->has_changed[i]) {
            near_find(n, (uint32_t)i);
        }
        if (!n->memory) {
            result = sli_fail_memory(error);
        } else if (n->count >= BATCH || i % ITEMS == ITEMS - 1 || i == count - 1) {
            result = ask_candidates(s, n, batch, &stage, (float)(i + 1) / (float)count, error);
        }
    }
    return result;
}

/* ---- Reports ---- */

static bool is_same_question(const sl_clashes *x, const sl_clashes *y)
{
    const sl_clash *p = &x->question, *q = &y->question;
    return p->relations == q->relations && p->margin == q->margin && p->filter == q->filter &&
           p->filter_user == q->filter_user && x->mask == y->mask &&
           x->pair_limit == y->pair_limit && x->solids == y->solids;
}

static SLI_NOINLINE sl_result clashes_search(sli_clash_search *s, sl_error *error)
{
    const sl_allocator *allocator = &s->report->allocator;
    const size_t count = s->report->instance_count;
    near_search n = { .s = s, .memory = true };
    s->has_changed = sli_alloc_array(allocator, count, sizeof *s->has_changed);
    clash_batch *batch = sli_alloc_array(allocator, 1, sizeof *batch);
    sl_result result = sli_had_memory(error, s->has_changed != NULL && batch != NULL);
    if (result == SL_OK) {
        batch->s = s;
        sli_clashes_compare(s);
        result = ask_all(s, &n, batch, error);
        result = SLI_THEN(result, sli_clashes_join(s, error));
    }
    sli_free_array(allocator, n.found, n.capacity, sizeof *n.found);
    sli_free_array(allocator, s->found, s->found_capacity, sizeof *s->found);
    sli_free_array(allocator, batch, 1, sizeof *batch);
    sli_free_array(allocator, s->has_changed, count, sizeof *s->has_changed);
    return result;
}

/* A report about nothing yet; NULL when out of memory. */
static sl_clashes *report_create(const sli_clash_search *s)
{
    const sl_allocator *allocator = &s->hooks.allocator;
    sl_clashes *report = sli_alloc_array(allocator, 1, sizeof *report);
    if (report == NULL) {
        return NULL;
    }
    *report = (sl_clashes){ .allocator = *allocator,
                            .question = s->clash,
                            .mask = s->item.mask,
                            .pair_limit = s->def->pair_limit,
                            .solids = s->def->solids,
                            .instance_count = s->bvh->world.count };
    report->question.a = report->question.b = NULL;
    report->instances =
        sli_alloc_large(allocator, report->instance_count, sizeof *report->instances);
    if (report->instances == NULL) {
        sli_free_array(allocator, report, 1, sizeof *report);
        return NULL;
    }
    memset(report->instances, 0, report->instance_count * sizeof *report->instances);
    return report;
}

void sl_clashes_destroy(sl_clashes *clashes)
{
    if (clashes != NULL) {
        const sl_allocator allocator = clashes->allocator;
        sli_clashes_release(clashes);
        sli_free_array(&allocator, clashes->instances, clashes->instance_count,
                       sizeof *clashes->instances);
        sli_free_array(&allocator, clashes->list, clashes->capacity, sizeof *clashes->list);
        sli_free_array(&allocator, clashes, 1, sizeof *clashes);
    }
}

static sl_result check_def(const sl_bvh *bvh, const sl_clashes_def *def, sl_error *error)
{
    if (bvh == NULL) {
        return sli_refuse(error, "bvh is NULL");
    }
    if (def->clash != NULL && !(def->clash->margin >= 0)) {
        return sli_refuse(error, "sl_clash.margin is %g; it must be 0 or more",
                          (double)def->clash->margin);
    }
    return sli_check_hooks(&def->hooks, "sl_clashes_def", error);
}

/* In the library's floating-point environment: the margin may be any number. */
static sl_result find_all(const sl_bvh *bvh, const sl_clashes_def *def, sl_clashes **out,
                          sl_error *error)
{
    sli_clash_search s = { .bvh = bvh, .def = def };
    SLI_TRY(check_def(bvh, s.def, error));
    s.hooks = sli_hooks(&s.def->hooks);
    s.clash = s.def->clash != NULL ? *s.def->clash : (sl_clash){ .relations = 0 };
    s.item = sli_item_options(s.clash.a != NULL ? s.clash.a : &sli_everything, 0);
    s.report = report_create(&s);
    SLI_TRY(sli_had_memory(error, s.report != NULL));
    const bool same = s.def->previous != NULL && is_same_question(s.def->previous, s.report);
    s.previous = same ? s.def->previous : NULL;
    const sl_result result = clashes_search(&s, error);
    if (result == SL_OK) {
        *out = s.report;
    } else {
        sl_clashes_destroy(s.report);
    }
    return result;
}

sl_result sl_clashes_find(const sl_bvh *bvh, const sl_clashes_def *def, sl_clashes **out,
                          sl_error *error)
{
    static const sl_clashes_def all = { .pair_limit = 0 };
    SLI_TRY(SLI_CLEAR(out, error));
    return SLI_IN_FPENV(find_all(bvh, def != NULL ? def : &all, out, error));
}

const sl_instance_clash *sl_clashes_list(const sl_clashes *clashes, size_t *count)
{
    *count = clashes->count;
    return clashes->list;
}
