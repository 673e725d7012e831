/* Whether any pair of triangles of two trees counts, where they are and under many transforms. */
#include "bvh/contact/pairs.h"

typedef struct search {
    const sl_clash *clash;
    sl_stats *stats;
} search;

/* Any pair ends the walk. */
static bool take_any(void *context, const sli_walk_pair *pair)
{
    search *s = context;
    sl_clash_pair counted;
    if (!sli_clash_counts(s->clash, pair, &counted)) {
        return true;
    }
    s->stats->hits++;
    return false;
}

/* With a margin what meets is looked for first: then the deepest boxes come first, while all boxes
 * that meet are equally near, and in a pile none of the deep ones may come soon. */
static bool search_worlds(const sli_world *a, const sli_world *b, const sl_clash *clash,
                          const sl_transform *under, sl_stats *stats)
{
    search s = { .clash = clash, .stats = stats };
    sli_walk walk = {
        .deepest_first = true, .repeats = true, .triangles = take_any, .context = &s, .stats = stats
    };
    sli_clash_prepare(clash, &walk);
    const double margin = walk.margin;
    walk.margin = 0;
    bool ended = !sli_walk_worlds(&walk, a, b, under);
    if (!ended && margin > 0) {
        walk.margin = margin;
        ended = !sli_walk_worlds(&walk, a, b, under);
    }
    return ended;
}

static SLI_NOINLINE bool clash_any(const sl_bvh *a, const sl_bvh *b, const sl_clash *clash)
{
    sl_stats unused = { .rays = 0 };
    return search_worlds(sli_clash_world(a, clash, clash->a), sli_clash_world(b, clash, clash->b),
                         clash, NULL, &unused);
}

bool sl_bvh_clash_any(const sl_bvh *a, const sl_bvh *b, const sl_clash *clash)
{
    return SLI_IN_FPENV(clash_any(a, b, clash != NULL ? clash : &sli_all_that_meets));
}

typedef struct many {
    const sli_world *a, *b;
    const sl_clash *clash;
    const sl_transform *transforms;
    uint8_t *any;
} many;

static void clash_block(const void *job, size_t begin, size_t end, sl_stats *stats)
{
    const many *m = job;
    for (size_t i = begin; i < end; i++) {
        m->any[i] = search_worlds(m->a, m->b, m->clash, &m->transforms[i], stats);
    }
    stats->rays += end - begin;
}

void sl_bvh_clash_any_many(const sl_bvh *a, const sl_bvh *b, const sl_transform *transforms,
                           size_t count, const sl_clash *clash, uint8_t *any, const sl_tasks *tasks,
                           sl_stats *stats)
{
    enum { GRAIN = 8 };
    const sl_clash *asked = clash != NULL ? clash : &sli_all_that_meets;
    const many m = { .a = sli_clash_world(a, asked, asked->a),
                     .b = sli_clash_world(b, asked, asked->b),
                     .clash = asked,
                     .transforms = transforms,
                     .any = any };
    sli_run_blocks_of(GRAIN, count, clash_block, &m, stats, tasks);
}
