/* A mesh, a tree and a boundary may be read by any thread: eight threads query one tree at once,
 * alone and over one pool, while each builds, saves and opens trees of its own.  Answers are those
 * of one thread.  Under a thread sanitizer (.ci/threads.sh) this is also where races would be
 * seen. */
#include "test/support/input/made.h"
#include "test/support/question/every_question.h"
#include "test/support/test.h"

#include <sightline/sightline.h>

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 8, ROUNDS = 3, WORKERS = 3 };

/* What all threads share and none changes. */
typedef struct shared {
    sl_mesh *mesh;
    sl_bvh *bvh;
    sl_pool *pool;
    questions asked;
    answers expected;
} shared;

typedef struct asker {
    const shared *all;
    int number;
    pthread_t thread;
    const char *wrong; /* what differed; NULL: nothing */
} asker;

/* A tree of this thread's own answers as the shared one. */
static const char *build_and_ask(const asker *self, int round, answers *found)
{
    const shared *all = self->all;
    sl_build_def def = sl_default_build_def();
    sl_bvh *built = NULL, *opened = NULL;
    const char *wrong = "an error";
    def.quality = (sl_bvh_quality)((self->number + round) % 3);
    /* Some over the pool, which its callers take in turn. */
    def.hooks.tasks = self->number % 2 ? sl_pool_tasks(all->pool) : NULL;
    if (sl_bvh_build(all->mesh, &def, &built, NULL) != SL_OK) {
        return wrong;
    }
    const size_t size = sl_bvh_save_size(built);
    void *bytes = malloc(size);
    if (bytes != NULL) {
        sl_bvh_save_memory(built, bytes);
        if (sl_bvh_load_memory(bytes, size, NULL, &opened, NULL) == SL_OK) {
            questions_ask(opened, &all->asked, found);
            wrong = answers_differ(&all->expected, found);
        }
    }
    free(bytes);
    sl_bvh_destroy(opened);
    sl_bvh_destroy(built);
    return wrong;
}

/* The shared tree, over the pool, all threads at once. */
static const char *ask_over_pool(const asker *self, answers *found)
{
    const shared *all = self->all;
    sl_bvh_closest_many(all->bvh, all->asked.rays, QUESTIONS, NULL, found->closest,
                        sl_pool_tasks(all->pool));
    return memcmp(found->closest, all->expected.closest, sizeof found->closest) == 0 ? NULL
                                                                                     : "the pool";
}

static void *ask(void *context)
{
    asker *self = context;
    answers *found = calloc(1, sizeof *found);
    self->wrong = found != NULL ? NULL : "memory";
    for (int round = 0; round < ROUNDS && self->wrong == NULL; round++) {
        questions_ask(self->all->bvh, &self->all->asked, found);
        self->wrong = answers_differ(&self->all->expected, found);
        if (self->wrong == NULL) {
            self->wrong = ask_over_pool(self, found);
        }
        if (self->wrong == NULL) {
            self->wrong = build_and_ask(self, round, found);
        }
    }
    free(found);
    return NULL;
}

TEST(eight_threads_get_the_answers_of_one)
{
    static shared all;
    static asker askers[THREADS];
    test_random random = { 20261122 };
    all.mesh = made_soup(600, 0.3f, 11);
    all.bvh = made_bvh(all.mesh, NULL);
    all.pool = made_pool(WORKERS);
    questions_make(all.mesh, &random, &all.asked);
    questions_ask(all.bvh, &all.asked, &all.expected);
    for (int i = 0; i < THREADS; i++) {
        askers[i] = (asker){ .all = &all, .number = i };
        assert_int_equal(pthread_create(&askers[i].thread, NULL, ask, &askers[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(askers[i].thread, NULL);
    }
    for (int i = 0; i < THREADS; i++) {
        if (askers[i].wrong != NULL) {
            fail_msg("thread %d: %s", i, askers[i].wrong);
        }
    }
    sl_pool_destroy(all.pool);
    sl_bvh_destroy(all.bvh);
    sl_mesh_destroy(all.mesh);
}
