/* Which pairs of triangles count: of two trees, in one walk or in parts that may go at once, or of
 * two instances of one. */
#include "bvh/contact/pairs.h"
#include "bvh/contact/walk/parts.h"
#include "lib/base/inline.h"
#include "lib/base/thread/task.h"
#include "lib/base/thread/thread.h"

#include <sightline/clashes.h>

enum { WAITING = 64 };

/* The lowest pairs, which parts add to in turns. */
typedef struct found {
    sl_clash_pair *pairs;
    size_t capacity, total;
    sli_mutex *turn; /* NULL: there is one walk */
} found;

/* One walk, or a block of parts. */
typedef struct search {
    const sl_clash *clash;
    found *found;
    sl_stats *stats;
    size_t waiting; /* pairs that are still to be added */
    sl_clash_pair pairs[WAITING];
} search;

static void add_waiting(search *s)
{
    found *f = s->found;
    if (f->turn != NULL) {
        sli_mutex_lock(f->turn);
    }
    for (size_t i = 0; i < s->waiting; i++) {
        sli_pairs_add(f->pairs, f->capacity, f->total++, &s->pairs[i]);
    }
    if (f->turn != NULL) {
        sli_mutex_unlock(f->turn);
    }
    s->waiting = 0;
}

static bool take_all(void *context, const sli_walk_pair *pair)
{
    search *s = context;
    if (sli_clash_counts(s->clash, pair, &s->pairs[s->waiting]) && !sli_walk_is_repeat(pair)) {
        s->stats->hits++;
        if (++s->waiting == WAITING) {
            add_waiting(s);
        }
    }
    return true;
}

typedef struct job {
    const sli_world *a, *b;
    const sl_clash *clash;
    found *found;
    const sli_walk_part *parts; /* NULL: all in one */
} job;

static void walk_parts(const void *context, size_t begin, size_t end, sl_stats *stats)
{
    const job *j = context;
    search s = { .clash = j->clash, .found = j->found, .stats = stats };
    sli_walk walk = { .repeats = true, .triangles = take_all, .context = &s, .stats = stats };
    sli_clash_prepare(j->clash, &walk);
    if (j->parts == NULL) {
        (void)sli_walk_worlds(&walk, j->a, j->b, NULL);
    }
    for (size_t i = begin; i < end && j->parts != NULL; i++) {
        (void)sli_walk_part_of(&walk, j->a, j->b, &j->parts[i]);
    }
    add_waiting(&s);
}

static SLI_NOINLINE size_t cut(const job *j, sli_walk_part *parts, sl_stats *stats)
{
    sli_walk walk = { .stats = stats };
    sli_clash_prepare(j->clash, &walk);
    return sli_walk_cut(&walk, j->a, j->b, parts);
}

/* Parts, by several workers.  False where they cannot take turns. */
static SLI_NOINLINE bool run_in_parts(job *j, const sl_tasks *tasks, sl_stats *stats)
{
    sli_walk_part parts[SLI_WALK_PARTS];
    sl_stats unused = { .rays = 0 };
    sli_mutex turn;
    if (!sli_mutex_init(&turn)) {
        return false;
    }
    const size_t count = SLI_IN_FPENV(cut(j, parts, stats != NULL ? stats : &unused));
    j->found->turn = &turn;
    j->parts = parts;
    sli_run_blocks_of(1, count, walk_parts, j, stats, tasks);
    sli_mutex_destroy(&turn);
    return true;
}

size_t sl_bvh_clash_all(const sl_bvh *a, const sl_bvh *b, const sl_clash *clash,
                        sl_clash_pair *pairs, size_t capacity, const sl_tasks *tasks,
                        sl_stats *stats)
{
    found f = { .pairs = pairs, .capacity = capacity };
    job j = { .a = &a->world,
              .b = &b->world,
              .clash = clash != NULL ? clash : &sli_all_that_meets,
              .found = &f };
    if (sli_worker_count(tasks) == 1 || !run_in_parts(&j, tasks, stats)) {
        sli_run_blocks_of(1, 1, walk_parts, &j, stats, NULL);
    }
    sli_pairs_sort(pairs, capacity, f.total);
    return f.total;
}

static SLI_NOINLINE void walk_instances(const sl_bvh *bvh, uint32_t a, uint32_t b, found *f,
                                        const sl_clash *clash)
{
    const sli_transformed *at = bvh->world.transformed;
    sl_stats stats = { .rays = 0 };
    search s = { .clash = clash, .found = f, .stats = &stats };
    sli_walk walk = { .repeats = true, .triangles = take_all, .context = &s, .stats = &stats };
    sli_clash_prepare(clash, &walk);
    walk.b = walk.a;
    if (a != b && sli_clash_has(bvh, &walk.a, a) && sli_clash_has(bvh, &walk.a, b)) {
        (void)sli_walk_instances(&walk, &at[a], a, &at[b], b);
    }
    add_waiting(&s);
}

size_t sl_bvh_clash_instances(const sl_bvh *bvh, uint32_t a, uint32_t b, const sl_clash *clash,
                              sl_clash_pair *pairs, size_t capacity)
{
    found f = { .pairs = pairs, .capacity = capacity };
    SLI_DO_IN_FPENV(walk_instances(bvh, a, b, &f, clash != NULL ? clash : &sli_all_that_meets));
    sli_pairs_sort(pairs, capacity, f.total);
    return f.total;
}
