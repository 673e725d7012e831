#include "test/cliffs/mesh_bench.h"

#include "test/cliffs/peer.h"
#include "test/cliffs/plain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct mesh_bench {
    cliff_case made; /* what the mesh below was made for */
    bool has_mesh, has_back;
    cliff_shape *shape;
    cliff_scene scene, back;
    plain_tree *plain[PLAIN_SPLITS];
    cliff_peer *peer;
    cliff_answers answers, others;
    cliff_rays rays, back_rays;
};

mesh_bench *mesh_bench_open(void)
{
    return calloc(1, sizeof(mesh_bench));
}

static void drop_mesh(mesh_bench *b)
{
    shape_free(b->shape);
    b->shape = NULL;
    scene_free(&b->scene);
    scene_free(&b->back);
    for (int split = 0; split < PLAIN_SPLITS; split++) {
        plain_free(b->plain[split]);
        b->plain[split] = NULL;
    }
    peer_close(b->peer);
    b->peer = NULL;
    b->has_mesh = b->has_back = false;
}

void mesh_bench_close(mesh_bench *b)
{
    drop_mesh(b);
    free(b);
}

static bool same_mesh(const cliff_case *a, const cliff_case *b)
{
    return memcmp(a->field, b->field, CASE_RAYS * sizeof a->field[0]) == 0;
}

static bool want_mesh(mesh_bench *b, const cliff_case *c)
{
    if (!b->has_mesh || !same_mesh(&b->made, c)) {
        drop_mesh(b);
        b->made = *c;
        b->shape = shape_make(c);
        b->has_mesh = b->shape != NULL && scene_make(c, b->shape, &b->scene);
        b->has_back = b->has_mesh && scene_move_back(c, &b->scene, &b->back);
    }
    return b->has_mesh;
}

/* One of two ways that are compared. */
typedef enum way { WAY_BATCHES, WAY_SINGLE, WAY_BACK, WAY_PEER } way;

static void run(mesh_bench *b, const cliff_case *c, way w)
{
    const cliff_question here = { c, &b->scene, &b->rays }, there = { c, &b->back, &b->back_rays };
    if (w == WAY_BATCHES) {
        ask_batches(&here, NULL, &b->answers);
    } else if (w == WAY_SINGLE) {
        ask_singly(&here, NULL, &b->others);
    } else if (w == WAY_BACK) {
        ask_batches(&there, NULL, &b->others);
    } else {
        peer_ask(b->peer);
    }
}

typedef struct way_context {
    mesh_bench *b;
    const cliff_case *c;
    way w;
} way_context;

static void run_way(void *context)
{
    const way_context *at = context;
    run(at->b, at->c, at->w);
}

static measured compare_times(mesh_bench *b, const cliff_case *c, way first, way second, int pairs)
{
    way_context ours = { b, c, first }, theirs = { b, c, second };
    return times_compare((times_way){ run_way, &ours }, (times_way){ run_way, &theirs },
                         b->rays.count, pairs);
}

static measured compare_counts(const mesh_bench *b, cliff_measure measure, uint64_t ours,
                               uint64_t theirs)
{
    const double rays = (double)b->rays.count;
    return (measured){ (double)ours /
                           ((double)theirs + measure_rows[measure].free[KIND_MESH] * rays),
                       (double)ours / rays, (double)theirs / rays, true };
}

static uint64_t count_ours(mesh_bench *b, const cliff_question *q, bool batches)
{
    sl_stats stats = { 0 };
    (batches ? ask_batches : ask_singly)(q, &stats, &b->answers);
    return stats.triangles;
}

static bool is_any(const cliff_case *c)
{
    const call_kind call = (call_kind)case_int(c, CASE_CALL);
    return call == CALL_ANY || call == CALL_BLOCKED || call == CALL_ANY_FROM ||
           call == CALL_BLOCKED_FROM || call == CALL_ANY_COLUMNS;
}

/* Against the better of the two plain trees; for any hit, where which of many hits is met first is
 * luck, the worse one. */
static measured compare_plain(mesh_bench *b, const cliff_question *q)
{
    uint64_t theirs = is_any(q->c) ? 0 : UINT64_MAX;
    for (int split = 0; split < PLAIN_SPLITS; split++) {
        if (b->plain[split] == NULL) {
            b->plain[split] = plain_build(b->scene.mesh, (plain_split)split);
        }
        if (b->plain[split] == NULL) {
            return (measured){ .applies = false };
        }
        const uint64_t count = plain_triangles(b->plain[split], q);
        theirs = (count < theirs) != is_any(q->c) ? count : theirs;
    }
    const uint64_t batches = count_ours(b, q, true), singly = count_ours(b, q, false);
    return compare_counts(b, MEASURE_PLAIN, batches > singly ? batches : singly, theirs);
}

static measured compare(mesh_bench *b, cliff_measure measure, const cliff_case *c, int pairs)
{
    const cliff_question here = { c, &b->scene, &b->rays }, there = { c, &b->back, &b->back_rays };
    switch (measure) {
    case MEASURE_PLAIN:
        return compare_plain(b, &here);
    case MEASURE_SHARED:
        return compare_counts(b, measure, count_ours(b, &here, true), count_ours(b, &here, false));
    case MEASURE_MOVED:
        return compare_counts(b, measure, count_ours(b, &here, true), count_ours(b, &there, true));
    case MEASURE_SINGLE:
        return compare_times(b, c, WAY_BATCHES, WAY_SINGLE, pairs);
    case MEASURE_FAR:
        return compare_times(b, c, WAY_BATCHES, WAY_BACK, pairs);
    default:
        if (b->peer == NULL) {
            b->peer = peer_open(&b->scene);
        }
        return b->peer != NULL && peer_set(b->peer, &here)
                   ? compare_times(b, c, WAY_BATCHES, WAY_PEER, pairs)
                   : (measured){ .applies = false };
    }
}

/* Rays for the mesh that is there; false where the measure needs the moved scene, which is not. */
static bool want_rays(mesh_bench *b, const cliff_case *c, bool moved)
{
    return (!moved || b->has_back) && rays_make(c, &b->scene, &b->rays) &&
           answers_make(b->rays.count, &b->answers) && answers_make(b->rays.count, &b->others) &&
           (!moved || rays_move_back(c, &b->rays, &b->back_rays));
}

static void drop_rays(mesh_bench *b)
{
    rays_free(&b->rays);
    rays_free(&b->back_rays);
    answers_free(&b->answers);
    answers_free(&b->others);
    b->answers = b->others = (cliff_answers){ 0 };
}

/* Triangles that a case of the search may look at, and the rays that are asked to estimate it. */
enum { TRIM_TRIANGLES = 200000, TRIM_RAYS = 8 };

void mesh_bench_trim(mesh_bench *b, cliff_case *c)
{
    cliff_case few = *c;
    few.field[CASE_COUNT] = fmin(c->field[CASE_COUNT], TRIM_RAYS);
    if (want_mesh(b, &few) && want_rays(b, &few, false)) {
        const cliff_question q = { &few, &b->scene, &b->rays };
        const double each = (double)(count_ours(b, &q, false) + 1) / few.field[CASE_COUNT];
        const double most = fmax(floor(TRIM_TRIANGLES / each), TRIM_RAYS);
        c->field[CASE_COUNT] = fmin(c->field[CASE_COUNT], most);
    }
    drop_rays(b);
}

bool mesh_bench_is_resolved(mesh_bench *b, const cliff_case *c)
{
    return want_mesh(b, c) && scene_is_resolved(c, b->shape, &b->scene);
}

measured mesh_bench_measure(mesh_bench *b, cliff_measure measure, const cliff_case *c, int pairs)
{
    const bool moved = measure == MEASURE_MOVED || measure == MEASURE_FAR;
    measured m = { .applies = false };
    if (want_mesh(b, c) && want_rays(b, c, moved)) {
        m = compare(b, measure, c, pairs);
    }
    drop_rays(b);
    return m;
}

bool mesh_bench_agree(mesh_bench *b, const cliff_case *c)
{
    bool agree = true;
    for (int moved = 0; moved < 2; moved++) {
        if (want_mesh(b, c) && want_rays(b, c, moved)) {
            run(b, c, WAY_BATCHES);
            run(b, c, moved ? WAY_BACK : WAY_SINGLE);
            agree = agree && answers_agree(&b->answers, &b->others, b->rays.count);
        }
        drop_rays(b);
    }
    return agree;
}
