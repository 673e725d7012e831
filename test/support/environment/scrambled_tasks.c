#include "test/support/environment/scrambled_tasks.h"

#include <stdlib.h>

typedef struct block {
    size_t begin, end;
} block;

static size_t cut(test_random *random, size_t count, size_t grain, block *blocks)
{
    size_t n = 0;
    for (size_t begin = 0; begin < count;) {
        size_t size = grain;
        if (grain > 1 && test_random_below(random, 3) == 0) {
            size = 1 + test_random_below(random, (uint32_t)(grain < 1000 ? grain : 1000));
        }
        size = size < count - begin ? size : count - begin;
        blocks[n++] = (block){ begin, begin + size };
        begin += size;
    }
    return n;
}

static void run_scrambled(void *user, size_t count, size_t grain, sl_range_fn *fn, void *context)
{
    scrambled_tasks *s = user;
    s->nested = s->nested || s->inside;
    s->inside = true;
    block *blocks = malloc((count > 0 ? count : 1) * sizeof *blocks);
    size_t n = blocks != NULL ? cut(&s->random, count, grain, blocks) : 0;
    while (n > 0) {
        const size_t i = test_random_below(&s->random, (uint32_t)n);
        const block chosen = blocks[i];
        blocks[i] = blocks[--n];
        s->worker = (s->worker + 1) % s->tasks.worker_count;
        fn(context, chosen.begin, chosen.end, s->worker);
    }
    free(blocks);
    s->inside = false;
}

const sl_tasks *scrambled_tasks_start(scrambled_tasks *scrambled, int worker_count, uint64_t seed)
{
    *scrambled = (scrambled_tasks){
        .tasks = { .parallel_for = run_scrambled, .user = scrambled, .worker_count = worker_count },
        .random = { seed }
    };
    return &scrambled->tasks;
}
