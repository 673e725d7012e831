#include "test/support/environment/crew.h"
#include "test/support/test.h"

#include <pthread.h>

enum { MOST_THREADS = 16 };

typedef struct crew_member {
    crew_work *work;
    void *shared;
    int number;
    pthread_t thread;
    const char *wrong;
} crew_member;

static void *crew_member_run(void *context)
{
    crew_member *self = context;
    self->wrong = self->work(self->shared, self->number);
    return NULL;
}

void crew_run(int count, crew_work *work, void *shared)
{
    crew_member crew[MOST_THREADS];
    assert_in_range(count, 1, MOST_THREADS);
    for (int i = 0; i < count; i++) {
        crew[i] = (crew_member){ .work = work, .shared = shared, .number = i };
        assert_int_equal(pthread_create(&crew[i].thread, NULL, crew_member_run, &crew[i]), 0);
    }
    for (int i = 0; i < count; i++) {
        pthread_join(crew[i].thread, NULL);
    }
    for (int i = 0; i < count; i++) {
        if (crew[i].wrong != NULL) {
            fail_msg("thread %d: %s", i, crew[i].wrong);
        }
    }
}
