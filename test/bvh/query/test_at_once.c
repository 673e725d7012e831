/* A mesh, a tree and a boundary may be read by any thread: eight threads query one tree at once,
 * alone and over one pool, while each builds, saves and opens trees of its own.  Answers are those
 * of one thread.  Under a thread sanitizer (.ci/threads.sh) this is also where races would be
 * seen. */
#include "test/support/environment/crew.h"
#include "test/support/query/every_question.h"
#include "test/support/test.h"

enum { THREADS = 8, ROUNDS = 3, WORKERS = 3 };

/* What all threads share and none changes. */
typedef struct shared {
    sl_mesh *mesh;
    sl_bvh *bvh;
    sl_pool *pool;
    queries asked;
    answers expected;
} shared;

/* A tree of this thread's own answers as the shared one. */
static const char *build_and_ask(const shared *all, int thread, int round, answers *found)
{
    sl_build_def def = { 0 };
    OWN(sl_bvh) built = NULL;
    OWN(sl_bvh) opened = NULL;
    const char *wrong = "an error";
    def.quality = (sl_bvh_quality)((thread + round) % 3);
    /* Some over the pool, which its callers take in turn. */
    def.hooks.tasks = thread % 2 ? sl_pool_tasks(all->pool) : NULL;
    if (sl_bvh_build(all->mesh, &def, &built, NULL) != SL_OK) {
        return wrong;
    }
    const size_t size = sl_bvh_save_memory(built, NULL);
    FREED void *bytes = malloc(size);
    if (bytes != NULL) {
        sl_bvh_save_memory(built, bytes);
        if (sl_bvh_load_memory(bytes, size, NULL, &opened, NULL) == SL_OK) {
            queries_run(opened, &all->asked, found);
            wrong = answers_differ(&all->expected, found);
        }
    }
    return wrong;
}

/* The shared tree, over the pool, all threads at once. */
static const char *query_over_pool(const shared *all, answers *found)
{
    sl_bvh_closest_many(all->bvh, sl_rays_of(all->asked.rays, QUERIES), NULL,
                        sl_hits_of(found->closest), sl_pool_tasks(all->pool), NULL);
    return memcmp(found->closest, all->expected.closest, sizeof found->closest) == 0 ? NULL
                                                                                     : "the pool";
}

static const char *ask(void *context, int thread)
{
    const shared *all = context;
    FREED answers *found = calloc(1, sizeof *found);
    const char *wrong = found != NULL ? NULL : "memory";
    for (int round = 0; round < ROUNDS && wrong == NULL; round++) {
        queries_run(all->bvh, &all->asked, found);
        wrong = answers_differ(&all->expected, found);
        wrong = wrong != NULL ? wrong : query_over_pool(all, found);
        wrong = wrong != NULL ? wrong : build_and_ask(all, thread, round, found);
    }
    return wrong;
}

TEST(eight_threads_get_the_answers_of_one)
{
    static shared all;
    test_random random = { 20261122 };
    all.mesh = made_soup(600, 0.3f, 11);
    all.bvh = made_bvh(all.mesh, NULL);
    all.pool = made_pool(WORKERS);
    queries_make(all.mesh, &random, &all.asked);
    queries_run(all.bvh, &all.asked, &all.expected);
    crew_run(THREADS, ask, &all);
    sl_pool_destroy(all.pool);
    unmake_bvh(all.bvh, all.mesh);
}
