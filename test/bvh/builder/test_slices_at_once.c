/* Trees are built in slices while other threads query a version, and others refit it; each sees its
 * own tree only.  Under a thread sanitizer (.ci/threads.sh) this is also where races would be
 * seen. */
#include "test/support/environment/crew.h"
#include "test/support/input/bent.h"
#include "test/support/query/every_question.h"
#include "test/support/test.h"

/* C libraries put it on the stack of every thread, those of builds included. */
static _Thread_local volatile unsigned char of_host[1 << 20];

enum { THREADS = 8, ROUNDS = 6, SEED = 5, TRIANGLES = 3000 };

typedef struct shared {
    sl_mesh *mesh;
    sl_bvh *bvh; /* the version that all hold */
    sl_pool *pool;
    queries asked;
    answers expected;
} shared;

static const char *ask(const shared *all, const sl_bvh *bvh)
{
    FREED answers *found = calloc(1, sizeof *found);
    if (found == NULL) {
        return "memory";
    }
    queries_run(bvh, &all->asked, found);
    return answers_differ(&all->expected, found);
}

/* Every third build is left, the others are asked. */
static const char *build(const shared *all, int thread, int round)
{
    sl_build_def def = { .quality = (sl_bvh_quality)(round % 3) };
    def.hooks.tasks = thread % 4 == 0 ? sl_pool_tasks(all->pool) : NULL;
    OWN(sl_build) in_slices = NULL;
    sl_bvh *bvh = NULL;
    if (sl_build_begin(all->mesh, &def, &in_slices, NULL) != SL_OK) {
        return "an error";
    }
    bool done = false;
    for (int step = 0; !done && (round % 3 != 1 || step < 40); step++) {
        if (sl_build_step(in_slices, 0.01 * (step % 5), &done, NULL) != SL_OK) {
            return "an error in a step";
        }
    }
    const char *wrong = NULL;
    if (done && sl_build_end(in_slices, &bvh, NULL) == SL_OK) {
        wrong = ask(all, bvh);
        sl_bvh_destroy(bvh);
    }
    return wrong;
}

static const char *refit(const shared *all, int thread)
{
    test_random random = { SEED + (uint64_t)thread };
    UNDONE(bent_free) bent to = bent_make(all->mesh);
    OWN(sl_bvh) next = NULL;
    bent_move(&to, (sl_prim_range){ 0, (uint32_t)to.triangle_count }, &random);
    const char *wrong = "an error in a refit";
    if (sl_bvh_refit(all->bvh, to.xyz, to.vertex_count, to.indices, to.triangle_count, NULL, &next,
                     NULL) == SL_OK) {
        sl_mesh *mesh = bent_mesh(&to);
        wrong = sl_bvh_check(next, mesh, NULL) ? NULL : "the checker";
        sl_mesh_destroy(mesh);
    }
    return wrong;
}

static const char *work(void *context, int thread)
{
    const shared *all = context;
    const char *wrong = NULL;
    for (int round = 0; round < ROUNDS && wrong == NULL; round++) {
        wrong = thread % 2 == 0   ? build(all, thread, round)
                : thread % 4 == 1 ? refit(all, thread)
                                  : ask(all, all->bvh);
    }
    return wrong;
}

/* A build that one thread steps after the other, each holding the next one's turn. */
typedef struct passed_on {
    sl_build *build;
    bool done;
} passed_on;

static const char *step_a_while(void *context, int thread)
{
    (void)thread;
    passed_on *at = context;
    for (int i = 0; i < 20 && !at->done; i++) {
        if (sl_build_step(at->build, 0, &at->done, NULL) != SL_OK) {
            return "an error in a step";
        }
    }
    return NULL;
}

TEST(trees_are_built_in_slices_while_others_are_queried_and_refitted)
{
    static shared all;
    test_random random = { SEED };
    of_host[SEED] = 1;
    all.mesh = made_soup(TRIANGLES, 0.3f, 3);
    all.bvh = made_bvh(all.mesh, NULL);
    all.pool = made_pool(2);
    queries_make(all.mesh, &random, &all.asked);
    queries_run(all.bvh, &all.asked, &all.expected);
    crew_run(THREADS, work, &all);
    passed_on at = { .done = false };
    assert_int_equal(sl_build_begin(all.mesh, NULL, &at.build, NULL), SL_OK);
    while (!at.done) {
        crew_run(1, step_a_while, &at);
    }
    sl_build_destroy(at.build);
    sl_pool_destroy(all.pool);
    unmake_bvh(all.bvh, all.mesh);
}
