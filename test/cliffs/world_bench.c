#include "test/cliffs/world_bench.h"

#include "test/cliffs/world_ask.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct world_bench {
    cliff_case made; /* what the world below was made for */
    bool has_world;
    cliff_world world;
    world_questions here, back, shuffled;
    world_answers answers, others;
};

world_bench *world_bench_open(void)
{
    return calloc(1, sizeof(world_bench));
}

void world_bench_close(world_bench *b)
{
    if (b != NULL) {
        world_free(&b->world);
        free(b);
    }
}

/* All that a world is made of; CASE_SELECT and the versions before it are part of its scenes. */
static bool same_world(const cliff_case *a, const cliff_case *b)
{
    return memcmp(a->field, b->field, CASE_RAYS * sizeof a->field[0]) == 0 &&
           memcmp(a->field + CASE_WORLD, b->field + CASE_WORLD,
                  (CASE_FORM - CASE_WORLD) * sizeof a->field[0]) == 0 &&
           a->field[CASE_SELECT] == b->field[CASE_SELECT];
}

static bool want_world(world_bench *b, const cliff_case *c)
{
    if (!same_world(&b->made, c)) {
        world_free(&b->world);
        b->made = *c;
        b->has_world = world_make(c, &b->world);
    }
    return b->has_world;
}

static void drop_questions(world_bench *b)
{
    questions_free(&b->here);
    questions_free(&b->back);
    questions_free(&b->shuffled);
    world_answers_free(&b->answers);
    world_answers_free(&b->others);
}

static bool want_questions(world_bench *b, const cliff_case *c)
{
    if (!want_world(b, c) || !questions_make(c, &b->world, false, false, &b->here) ||
        !questions_make(c, &b->world, true, false, &b->back) ||
        !questions_make(c, &b->world, false, true, &b->shuffled) ||
        !world_answers_make(c, &b->answers) || !world_answers_make(c, &b->others)) {
        return false;
    }
    if (case_int(c, CASE_CALL) == CALL_BLOCKED) {
        questions_hint(c, &b->world, &b->here);
    }
    return true;
}

/* The question in batches, as the case asks it. */
static world_question question(world_bench *b, const cliff_case *c, world_way way)
{
    const uint32_t half = (uint32_t)((b->world.count + 1) / 2);
    return (world_question){
        .c = c,
        .scene = world_scene(c, &b->world, way),
        .flat = b->world.flat.bvh,
        .questions = way == WORLD_BACK ? &b->back : &b->here,
        .form = (form_kind)case_int(c, CASE_FORM),
        .hinted = case_int(c, CASE_HINTS) != HINT_NONE && way != WORLD_BACK,
        .selecting = way != WORLD_CHOSEN,
        .ignored = { .first = half, .count = (uint32_t)b->world.count - half },
    };
}

typedef void ask_fn(const world_question *q, sl_stats *stats, const world_answers *answers);

typedef struct way_context {
    world_question q;
    ask_fn *ask;
    const world_answers *to;
} way_context;

static void run_way(void *context)
{
    const way_context *at = context;
    at->ask(&at->q, NULL, at->to);
}

typedef struct build_context {
    const cliff_case *c;
    const cliff_world *world;
    const sl_scene *previous;
} build_context;

static void run_build(void *context)
{
    const build_context *at = context;
    world_rebuild(at->c, at->world, at->previous);
}

static sl_stats count_work(const world_question *q, ask_fn *ask, const world_answers *to)
{
    sl_stats stats = { 0 };
    ask(q, &stats, to);
    return stats;
}

static measured compare_counts(const world_bench *b, cliff_measure measure, double ours,
                               double theirs)
{
    const double each = 1 / (double)b->here.floats.count;
    return (measured){ ours / (theirs + measure_rows[measure].free[KIND_WORLD] / each), ours * each,
                       theirs * each, true };
}

/* Adds what is free to the time of theirs. */
static measured compare_times(const world_bench *b, cliff_measure measure, const world_question *q,
                              ask_fn *ask, const world_question *other, ask_fn *ask_other,
                              int pairs)
{
    way_context ours = { *q, ask, &b->answers }, theirs = { *other, ask_other, &b->others };
    measured m = times_compare((times_way){ run_way, &ours }, (times_way){ run_way, &theirs },
                               b->here.floats.count, pairs);
    m.ratio *= m.theirs / (m.theirs + 1e-9 * measure_rows[measure].free[KIND_WORLD]);
    return m;
}

/* Nodes and triangles, and what an instance takes as a node's worth of each. */
static double work_of(const sl_stats *stats)
{
    return (double)stats->nodes + (double)stats->triangles + 4 * (double)stats->instances;
}

/* A scene has to pay for entries, so one tree counts for more, the more there are. */
static double entry_factor(const world_bench *b, const sl_stats *stats)
{
    return 1 + 0.25 * (double)stats->instances / (double)b->here.floats.count;
}

static measured compare_flat(world_bench *b, cliff_measure measure, const cliff_case *c, int pairs)
{
    const world_question q = question(b, c, WORLD_BACK);
    const sl_stats stats = count_work(&q, world_ask_batches, &b->answers);
    const double factor = entry_factor(b, &stats);
    if (!world_flat_has(c)) {
        return (measured){ .applies = false };
    }
    if (measure == MEASURE_FLAT) {
        measured m = compare_times(b, measure, &q, world_ask_batches, &q, world_ask_flat, pairs);
        m.ratio /= factor;
        return m;
    }
    const sl_stats flat = count_work(&q, world_ask_flat, &b->others);
    return compare_counts(b, measure, work_of(&stats),
                          work_of(&flat) + 8 * (double)stats.instances);
}

static measured compare_builds(world_bench *b, const cliff_case *c, int pairs)
{
    sl_scene *before = world_before(c, &b->world);
    build_context ours = { c, &b->world, before }, theirs = { c, &b->world, NULL };
    measured m = times_compare((times_way){ run_build, &ours }, (times_way){ run_build, &theirs },
                               b->world.count, pairs);
    m.ratio *= m.theirs / (m.theirs + 1e-9 * measure_rows[MEASURE_REBUILD].free[KIND_WORLD]);
    sl_scene_destroy(before);
    return m;
}

/* Volumes in floats that are rounded far away are not those at the origin. */
static bool is_rounded_volume(const cliff_case *c)
{
    return case_int(c, CASE_CALL) >= CALL_OVERLAP_ANY && case_int(c, CASE_FORM) == FORM_FLOATS;
}

/* The other question, which ours is compared with; false: the measure says nothing of the case. */
static bool make_other(world_bench *b, cliff_measure measure, const cliff_case *c,
                       world_question *q, world_question *other)
{
    *q = *other = question(b, c, WORLD_HERE);
    switch (measure) {
    case MEASURE_SHARED:
    case MEASURE_SINGLE:
        return true;
    case MEASURE_MOVED:
    case MEASURE_FAR:
        *other = question(b, c, WORLD_BACK);
        q->hinted = false;
        return c->field[CASE_WORLD_AT] != 0 && !is_rounded_volume(c);
    case MEASURE_NESTED:
        *other = question(b, c, WORLD_LIST);
        return c->field[CASE_NESTED] != 0;
    case MEASURE_DOUBLES:
    case MEASURE_FLOATS:
        q->form = measure == MEASURE_DOUBLES ? FORM_DOUBLES : FORM_FLOATS;
        other->form = measure == MEASURE_DOUBLES ? FORM_FLOATS : FORM_DOUBLES;
        return c->field[CASE_WORLD_AT] == 0 || case_int(c, CASE_FORM) == FORM_FLOATS;
    case MEASURE_VERSION:
        *q = question(b, c, WORLD_NEXT);
        *other = question(b, c, WORLD_LIST);
        return true;
    case MEASURE_HINTS:
        other->hinted = false;
        return q->hinted && case_int(c, CASE_CALL) == CALL_BLOCKED;
    case MEASURE_ORDER:
        other->questions = &b->shuffled;
        q->hinted = other->hinted = false;
        return case_int(c, CASE_CALL) < CALL_OVERLAP_ANY; /* volumes follow their numbers */
    default:
        *other = question(b, c, WORLD_CHOSEN);
        q->hinted = other->hinted = false;
        return case_int(c, CASE_SELECT) != SELECT_ALL;
    }
}

static measured compare(world_bench *b, cliff_measure measure, const cliff_case *c, int pairs)
{
    world_question q, other;
    if (measure == MEASURE_LEVELS || measure == MEASURE_FLAT) {
        return compare_flat(b, measure, c, pairs);
    }
    if (measure == MEASURE_REBUILD) {
        return compare_builds(b, c, pairs);
    }
    if (!make_other(b, measure, c, &q, &other) || q.scene == NULL || other.scene == NULL) {
        return (measured){ .applies = false };
    }
    ask_fn *ask_other = measure == MEASURE_SHARED || measure == MEASURE_SINGLE ? world_ask_singly
                                                                               : world_ask_batches;
    if (measure_rows[measure].timed) {
        return compare_times(b, measure, &q, world_ask_batches, &other, ask_other, pairs);
    }
    const sl_stats ours = count_work(&q, world_ask_batches, &b->answers);
    const sl_stats theirs = count_work(&other, ask_other, &b->others);
    return measure == MEASURE_VERSION
               ? compare_counts(b, measure, work_of(&ours), work_of(&theirs))
               : compare_counts(b, measure, (double)ours.triangles, (double)theirs.triangles);
}

measured world_bench_measure(world_bench *b, cliff_measure measure, const cliff_case *c, int pairs)
{
    measured m = { .applies = false };
    if (want_questions(b, c)) {
        m = compare(b, measure, c, pairs);
    }
    drop_questions(b);
    return m;
}

bool world_bench_is_resolved(world_bench *b, const cliff_case *c)
{
    return want_world(b, c) && scene_is_resolved(c, b->world.shape, &b->world.object);
}

/* Work that a case of the search may take, and the questions that are asked to estimate it. */
enum { TRIM_WORK = 400000, TRIM_QUESTIONS = 8 };

void world_bench_trim(world_bench *b, cliff_case *c)
{
    cliff_case few = *c;
    few.field[CASE_COUNT] = fmin(c->field[CASE_COUNT], TRIM_QUESTIONS);
    if (want_questions(b, &few)) {
        const world_question q = question(b, &few, WORLD_HERE);
        if (q.scene != NULL) {
            const sl_stats stats = count_work(&q, world_ask_singly, &b->answers);
            const double each = (work_of(&stats) + 1) / few.field[CASE_COUNT];
            const double most = fmax(floor((double)TRIM_WORK / each), TRIM_QUESTIONS);
            c->field[CASE_COUNT] = fmin(c->field[CASE_COUNT], most);
        }
    }
    drop_questions(b);
}

bool world_bench_agree(world_bench *b, const cliff_case *c)
{
    static const world_way ways[] = { WORLD_HERE, WORLD_LIST, WORLD_NEXT, WORLD_CHOSEN };
    bool agree = true;
    if (want_questions(b, c)) {
        const world_question q = question(b, c, WORLD_HERE);
        world_ask_batches(&q, NULL, &b->answers);
        world_ask_singly(&q, NULL, &b->others);
        agree = world_answers_agree(c, &b->answers, &b->others);
        for (size_t i = 1; i < sizeof ways / sizeof ways[0]; i++) {
            const world_question other = question(b, c, ways[i]);
            world_ask_batches(&other, NULL, &b->others);
            agree = agree && world_answers_agree(c, &b->answers, &b->others);
        }
    }
    drop_questions(b);
    return agree;
}
