/* bench.c: makes the mesh or the world of a case and its questions, and compares two ways to ask
 * them. */
#include "test/cliffs/contact.h"
#include "test/cliffs/measure.h"
#include "test/cliffs/peer.h"
#include "test/cliffs/plain.h"
#include "test/cliffs/questions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct cliff_bench {
    cliff_case made; /* what the mesh or the world below was made for */
    bool is_there, has_back;
    /* Of meshes: */
    cliff_shape *shape;
    cliff_scene scene, moved_back;
    plain_tree *plain[PLAIN_SPLITS];
    cliff_peer *peer;
    /* Of worlds: */
    cliff_world world;
    cliff_contact *contact; /* of mesh against mesh, and sweeps */
    /* Questions where the case is, at the origin, beside what they aim at, and of worlds in another
     * order. */
    bench_rays here, back, beside, shuffled;
    bench_answers answers, others;
};

cliff_bench *cliff_open(void)
{
    cliff_bench *b = calloc(1, sizeof *b);
    cliff_contact *contact = contact_open();
    if (b == NULL || contact == NULL) {
        free(b);
        contact_close(contact);
        return NULL;
    }
    b->contact = contact;
    return b;
}

static void drop_made(cliff_bench *b)
{
    shape_free(b->shape);
    scene_free(&b->scene);
    scene_free(&b->moved_back);
    for (int split = 0; split < PLAIN_SPLITS; split++) {
        plain_free(b->plain[split]);
    }
    peer_close(b->peer);
    world_free(&b->world);
    *b = (cliff_bench){ .contact = b->contact };
}

void cliff_close(cliff_bench *b)
{
    drop_made(b);
    contact_close(b->contact);
    free(b);
}

/* All that a mesh and a world are made of; CASE_SELECT and the versions before it are part of a
 * world's scenes. */
static bool is_made_for(const cliff_bench *b, const cliff_case *c)
{
    const double *a = b->made.field, *field = c->field;
    return memcmp(a, field, CASE_RAYS * sizeof *a) == 0 &&
           memcmp(a + CASE_WORLD, field + CASE_WORLD, (CASE_FORM - CASE_WORLD) * sizeof *a) == 0 &&
           a[CASE_SELECT] == field[CASE_SELECT];
}

static bool want_made(cliff_bench *b, const cliff_case *c)
{
    if (is_made_for(b, c)) {
        return b->is_there;
    }
    drop_made(b);
    b->made = *c;
    if (case_is_world(c)) {
        b->is_there = b->has_back = world_make(c, &b->world);
    } else {
        b->shape = shape_make(c);
        b->is_there = b->shape != NULL && scene_make(c, b->shape, &b->scene);
        b->has_back = b->is_there && scene_move_back(c, &b->scene, &b->moved_back);
    }
    return b->is_there;
}

/* back: of meshes, where the measure needs the moved mesh. */
static bool want_questions(cliff_bench *b, const cliff_case *c, bool back)
{
    cliff_case beside = *c;
    beside.field[CASE_BESIDE] = 1;
    if (!want_made(b, c) || (back && !b->has_back)) {
        return false;
    }
    if (case_is_world(c)) {
        if (!queries_make(c, &b->world, false, false, &b->here) ||
            !queries_make(c, &b->world, true, false, &b->back) ||
            !queries_make(&beside, &b->world, false, false, &b->beside) ||
            !queries_make(c, &b->world, false, true, &b->shuffled)) {
            return false;
        }
        if (b->here.query == BENCH_BLOCKED) {
            queries_hint(c, &b->world, &b->here);
        }
    } else if (!rays_make(c, &b->scene, &b->here) || !rays_make(&beside, &b->scene, &b->beside) ||
               (back && !rays_move_back(c, &b->here, &b->back))) {
        return false;
    }
    return bench_answers_make(&b->answers, &b->here) && bench_answers_make(&b->others, &b->here);
}

static void drop_questions(cliff_bench *b)
{
    bench_rays_free(&b->here);
    bench_rays_free(&b->back);
    bench_rays_free(&b->beside);
    bench_rays_free(&b->shuffled);
    bench_answers_free(&b->answers);
    bench_answers_free(&b->others);
}

/* ---- Ways to ask ---- */

/* Questions of a case, in one way. */
typedef struct asking {
    bench_asking ask;
    sl_options query; /* open ends; of worlds: what it selects */
    sl_instance_range ignored;
} asking;

/* In batches; of a mesh, where it is or moved back. */
static asking query_mesh(cliff_bench *b, const cliff_case *c, bool back)
{
    return (asking){ .ask = { .target = { .bvh = back ? b->moved_back.bvh : b->scene.bvh },
                              .rays = back ? &b->back : &b->here,
                              .batch = (size_t)c->field[CASE_BATCH],
                              .answers = &b->answers },
                     .query.flags = (uint32_t)case_int(c, CASE_OPEN) * SL_OPEN_START };
}

/* In batches, as the case asks it. */
static asking ask_world(cliff_bench *b, const cliff_case *c, world_way way)
{
    const uint32_t half = (uint32_t)((b->world.count + 1) / 2);
    const select_kind select = (select_kind)case_int(c, CASE_SELECT);
    asking a = query_mesh(b, c, way == WORLD_BACK);
    a.ask.target =
        (bench_target){ .bvh = world_scene(c, &b->world, way),
                        .doubles = case_int(c, CASE_FORM) == FORM_DOUBLES,
                        .hinted = case_int(c, CASE_HINTS) != HINT_NONE && way != WORLD_BACK };
    a.ignored = (sl_instance_range){ .first = half, .count = (uint32_t)b->world.count - half };
    if (way != WORLD_CHOSEN && select != SELECT_ALL) {
        a.query.mask = select == SELECT_IGNORE ? 0 : select == SELECT_FEW ? 1 : 0xFE;
        a.query.ignore_count = select == SELECT_IGNORE;
    }
    return a;
}

/* One tree over the same triangles, which has no columns and selects nothing. */
static asking ask_flat(cliff_bench *b, const cliff_case *c, bench_rays *queries)
{
    asking a = query_mesh(b, c, true);
    a.ask.target.bvh = b->world.flat.bvh;
    *queries = b->back;
    queries->query = b->back.query == BENCH_CLOSEST_COLUMNS ? BENCH_CLOSEST
                     : b->back.query == BENCH_ANY_COLUMNS   ? BENCH_ANY
                                                            : b->back.query;
    a.ask.rays = queries;
    a.ask.answers = &b->others;
    return a;
}

/* Its query points into its other fields. */
static bench_way way_of(asking *a, sl_stats *stats)
{
    a->ask.target.stats = stats;
    a->query.ignore = &a->ignored;
    a->ask.target.query = &a->query;
    return bench_way_of(&a->ask);
}

static sl_stats count_work(asking *a)
{
    sl_stats stats = { 0 };
    const bench_way way = way_of(a, &stats);
    way.run(way.context);
    return stats;
}

static void ask_once(asking *a)
{
    const bench_way way = way_of(a, NULL);
    way.run(way.context);
}

/* Nodes and triangles, and what an instance takes as a node's worth of each. */
static double work_of(const sl_stats *stats)
{
    return (double)stats->nodes + (double)stats->triangles + 4 * (double)stats->instances;
}

/* ---- Comparisons ---- */

static double free_of(cliff_measure measure, const cliff_case *c)
{
    return measure_rows[measure].free[case_kind_of(c)];
}

static bench_measured compare_counts(const cliff_bench *b, cliff_measure measure, double ours,
                                     double theirs)
{
    const double rays = (double)b->here.count;
    return (bench_measured){ ours / (theirs + free_of(measure, &b->made) * rays), ours / rays,
                             theirs / rays, true };
}

/* Adds what is free to the time of theirs. */
static bench_measured compare_times(const cliff_case *c, cliff_measure measure, bench_way ours,
                                    bench_way theirs, size_t count, int pairs)
{
    bench_measured m = bench_time_pairs(ours, theirs, count, pairs);
    m.ratio *= m.theirs / (m.theirs + 1e-9 * free_of(measure, c));
    return m;
}

/* Against the better of the two plain trees; for any hit, where which of many hits is met first is
 * luck, the worse one. */
static bench_measured compare_plain(cliff_bench *b, const cliff_case *c)
{
    const bench_query query = query_plain(b->here.query);
    const bool any = query == BENCH_ANY || query == BENCH_BLOCKED;
    asking batches = query_mesh(b, c, false), singly = batches;
    uint64_t theirs = any ? 0 : UINT64_MAX;
    singly.ask.batch = BENCH_SINGLY;
    if (case_int(c, CASE_OPEN) != OPEN_NONE) { /* plain walks know closed ends */
        return (bench_measured){ .applies = false };
    }
    for (int split = 0; split < PLAIN_SPLITS; split++) {
        if (b->plain[split] == NULL) {
            b->plain[split] = plain_build(b->scene.mesh, (plain_split)split);
        }
        if (b->plain[split] == NULL) {
            return (bench_measured){ .applies = false };
        }
        const uint64_t count = plain_triangles(b->plain[split], &b->here);
        theirs = (count < theirs) != any ? count : theirs;
    }
    const sl_stats many = count_work(&batches), one = count_work(&singly);
    return compare_counts(b, MEASURE_PLAIN, fmax((double)many.triangles, (double)one.triangles),
                          (double)theirs);
}

static bool has_target(const asking *a)
{
    return a->ask.target.bvh != NULL;
}

/* What is beyond doubles, against what is free. */
static bench_measured count_exact(cliff_bench *b, const cliff_case *c)
{
    asking a = case_is_world(c) ? ask_world(b, c, WORLD_HERE) : query_mesh(b, c, false);
    a.ask.target.hinted = false;
    if (!has_target(&a) || !case_asks_rays(c)) {
        return (bench_measured){ .applies = false };
    }
    return compare_counts(b, MEASURE_EXACT, (double)count_work(&a).exact_stage, 0);
}

static void run_peer(void *context)
{
    peer_ask(context);
}

static bench_measured compare_peer(cliff_bench *b, const cliff_case *c, int pairs)
{
    asking ours = query_mesh(b, c, false);
    if (b->peer == NULL) {
        b->peer = peer_open(&b->scene);
    }
    if (b->peer == NULL || case_int(c, CASE_OPEN) != OPEN_NONE || !peer_set(b->peer, &b->here)) {
        return (bench_measured){ .applies = false };
    }
    return compare_times(c, MEASURE_PEER, way_of(&ours, NULL), (bench_way){ run_peer, b->peer },
                         b->here.count, pairs);
}

/* A scene has to pay for entries, so one tree counts for more, the more there are. */
static bench_measured compare_flat(cliff_bench *b, cliff_measure measure, const cliff_case *c,
                                   int pairs)
{
    bench_rays queries;
    asking ours = ask_world(b, c, WORLD_BACK), theirs = ask_flat(b, c, &queries);
    if (b->here.query == BENCH_INSIDE || case_int(c, CASE_SELECT) != SELECT_ALL) {
        return (bench_measured){ .applies = false };
    }
    const sl_stats stats = count_work(&ours);
    if (measure == MEASURE_FLAT) {
        bench_measured m = compare_times(c, measure, way_of(&ours, NULL), way_of(&theirs, NULL),
                                         b->here.count, pairs);
        m.ratio /= 1 + 0.25 * (double)stats.instances / (double)b->here.count;
        return m;
    }
    const sl_stats flat = count_work(&theirs);
    return compare_counts(b, measure, work_of(&stats),
                          work_of(&flat) + 8 * (double)stats.instances);
}

typedef struct build_context {
    const cliff_case *c;
    const cliff_world *world;
    const sl_bvh *previous;
} build_context;

static void run_build(void *context)
{
    const build_context *at = context;
    world_rebuild(at->c, at->world, at->previous);
}

static bench_measured compare_builds(cliff_bench *b, const cliff_case *c, int pairs)
{
    sl_bvh *before = world_before(c, &b->world);
    build_context ours = { c, &b->world, before }, theirs = { c, &b->world, NULL };
    const bench_measured m =
        compare_times(c, MEASURE_REBUILD, (bench_way){ run_build, &ours },
                      (bench_way){ run_build, &theirs }, b->world.count, pairs);
    sl_bvh_destroy(before);
    return m;
}

/* Volumes in floats that are rounded far away are not those at the origin. */
static bool is_rounded_volume(const cliff_case *c)
{
    return case_query(c) >= BENCH_OVERLAP_ANY && case_int(c, CASE_FORM) == FORM_FLOATS;
}

/* The other way, which ours is compared with; false: the measure says nothing of the case. */
static bool make_ways(cliff_bench *b, cliff_measure measure, const cliff_case *c, asking *ours,
                      asking *other)
{
    const bool world = case_is_world(c);
    *ours = *other = world ? ask_world(b, c, WORLD_HERE) : query_mesh(b, c, false);
    switch (measure) {
    case MEASURE_SHARED:
    case MEASURE_SINGLE:
        other->ask.batch = BENCH_SINGLY;
        return true;
    case MEASURE_MOVED:
    case MEASURE_FAR:
        *other = world ? ask_world(b, c, WORLD_BACK) : query_mesh(b, c, true);
        ours->ask.target.hinted = false;
        return !world || (c->field[CASE_WORLD_AT] != 0 && !is_rounded_volume(c));
    case MEASURE_AIMED:
        other->ask.rays = &b->beside;
        ours->ask.target.hinted = other->ask.target.hinted = false;
        return case_int(c, CASE_AIM) != AIM_ANYWHERE && case_asks_rays(c);
    case MEASURE_NESTED:
        *other = ask_world(b, c, WORLD_LIST);
        return c->field[CASE_NESTED] != 0;
    case MEASURE_DOUBLES:
    case MEASURE_FLOATS:
        ours->ask.target.doubles = measure == MEASURE_DOUBLES;
        other->ask.target.doubles = measure != MEASURE_DOUBLES;
        return c->field[CASE_WORLD_AT] == 0 || case_int(c, CASE_FORM) == FORM_FLOATS;
    case MEASURE_VERSION:
        *ours = ask_world(b, c, WORLD_NEXT);
        *other = ask_world(b, c, WORLD_LIST);
        return true;
    case MEASURE_HINTS:
        other->ask.target.hinted = false;
        return ours->ask.target.hinted && b->here.query == BENCH_BLOCKED;
    case MEASURE_ORDER:
        other->ask.rays = &b->shuffled;
        ours->ask.target.hinted = other->ask.target.hinted = false;
        return b->here.query < BENCH_OVERLAP_ANY; /* volumes follow their numbers */
    default:
        *other = ask_world(b, c, WORLD_CHOSEN);
        ours->ask.target.hinted = other->ask.target.hinted = false;
        return case_int(c, CASE_SELECT) != SELECT_ALL;
    }
}

static bench_measured compare_case(cliff_bench *b, cliff_measure measure, const cliff_case *c,
                                   int pairs)
{
    asking ours, theirs;
    switch (measure) {
    case MEASURE_PLAIN:
        return compare_plain(b, c);
    case MEASURE_PEER:
        return compare_peer(b, c, pairs);
    case MEASURE_EXACT:
        return count_exact(b, c);
    case MEASURE_LEVELS:
    case MEASURE_FLAT:
        return compare_flat(b, measure, c, pairs);
    case MEASURE_REBUILD:
        return compare_builds(b, c, pairs);
    default:
        break;
    }
    if (!make_ways(b, measure, c, &ours, &theirs) || !has_target(&ours) || !has_target(&theirs)) {
        return (bench_measured){ .applies = false };
    }
    theirs.ask.answers = &b->others;
    if (measure_rows[measure].timed) {
        bench_measured m = compare_times(c, measure, way_of(&ours, NULL), way_of(&theirs, NULL),
                                         b->here.count, pairs);
        if (measure == MEASURE_AIMED) { /* what is aimed at may be met more often */
            const sl_stats aimed = count_work(&ours), beside = count_work(&theirs);
            m.ratio /= fmax(1, work_of(&aimed) / (work_of(&beside) + (double)b->here.count));
        }
        return m;
    }
    const sl_stats one = count_work(&ours), other = count_work(&theirs);
    return measure == MEASURE_VERSION
               ? compare_counts(b, measure, work_of(&one), work_of(&other))
               : compare_counts(b, measure, (double)one.triangles, (double)other.triangles);
}

/* ---- What measure.h offers ---- */

bench_measured cliff_measure_case(cliff_bench *b, cliff_measure measure, const cliff_case *c,
                                  int pairs)
{
    const bool back = measure == MEASURE_MOVED || measure == MEASURE_FAR;
    bench_measured m = { .applies = false };
    if (case_kind_of(c) == KIND_CONTACT) {
        return measure_fits(measure, c) ? contact_measure(b->contact, measure, c, pairs) : m;
    }
    if (measure_fits(measure, c) && want_questions(b, c, back)) {
        m = compare_case(b, measure, c, pairs);
    }
    drop_questions(b);
    return m;
}

bool cliff_is_resolved(cliff_bench *b, const cliff_case *c)
{
    if (case_kind_of(c) == KIND_CONTACT) {
        return contact_is_resolved(b->contact, c);
    }
    if (!want_made(b, c)) {
        return false;
    }
    return case_is_world(c) ? scene_is_resolved(c, b->world.shape, &b->world.object)
                            : scene_is_resolved(c, b->shape, &b->scene);
}

/* Triangles that a case of a mesh may look at in a search, work that one of a world may take, and
 * the questions that are asked to estimate it. */
enum { TRIM_TRIANGLES = 200000, TRIM_WORK = 400000, TRIM_QUESTIONS = 8, TRIM_SWEEPS = 64 };

void cliff_trim(cliff_bench *b, cliff_case *c)
{
    const bool world = case_is_world(c);
    cliff_case few = *c;
    if (case_kind_of(c) == KIND_CONTACT) {
        c->field[CASE_COUNT] = fmin(c->field[CASE_COUNT], TRIM_SWEEPS);
        return;
    }
    few.field[CASE_COUNT] = fmin(c->field[CASE_COUNT], TRIM_QUESTIONS);
    if (want_questions(b, &few, false)) {
        asking a = world ? ask_world(b, &few, WORLD_HERE) : query_mesh(b, &few, false);
        a.ask.batch = BENCH_SINGLY;
        if (has_target(&a)) {
            const sl_stats stats = count_work(&a);
            const double spent = world ? work_of(&stats) : (double)stats.triangles;
            const double each = (spent + 1) / few.field[CASE_COUNT];
            const double most =
                fmax(floor((world ? TRIM_WORK : TRIM_TRIANGLES) / each), TRIM_QUESTIONS);
            c->field[CASE_COUNT] = fmin(c->field[CASE_COUNT], most);
        }
    }
    drop_questions(b);
}

static bool agrees(cliff_bench *b, asking *other)
{
    other->ask.answers = &b->others;
    ask_once(other);
    if (other->ask.target.bvh == NULL || b->here.query != BENCH_NEAREST) {
        return bench_answers_agree(&b->answers, &b->others, &b->here);
    }
    const sl_nearest *ours = b->answers.rows, *theirs = b->others.rows;
    bool agree = true;
    for (size_t i = 0; i < b->here.count; i++) {
        agree = agree && memcmp(&ours[i].distance, &theirs[i].distance, sizeof(float)) == 0 &&
                ours[i].prim == theirs[i].prim;
    }
    return agree;
}

static bool mesh_agrees(cliff_bench *b, const cliff_case *c)
{
    bool agree = true;
    for (int back = 0; back < 2; back++) {
        if (want_questions(b, c, back)) {
            asking ours = query_mesh(b, c, false), other = query_mesh(b, c, back);
            other.ask.batch = back ? other.ask.batch : BENCH_SINGLY;
            ask_once(&ours);
            agree = agrees(b, &other) && agree;
        }
        drop_questions(b);
    }
    return agree;
}

static bool world_agrees(cliff_bench *b, const cliff_case *c)
{
    static const world_way ways[] = { WORLD_HERE, WORLD_LIST, WORLD_NEXT, WORLD_CHOSEN };
    bool agree = true;
    if (want_questions(b, c, false)) {
        asking ours = ask_world(b, c, WORLD_HERE);
        ask_once(&ours);
        for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
            asking other = ask_world(b, c, ways[i]);
            other.ask.batch = i == 0 ? BENCH_SINGLY : other.ask.batch;
            agree = agrees(b, &other) && agree;
        }
    }
    drop_questions(b);
    return agree;
}

bool cliff_agree(cliff_bench *b, const cliff_case *c)
{
    return case_kind_of(c) == KIND_CONTACT ? contact_agrees(b->contact, c)
           : case_is_world(c)              ? world_agrees(b, c)
                                           : mesh_agrees(b, c);
}
