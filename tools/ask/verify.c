/* ask/verify.c: asks the tree and every triangle in turn, and compares. */
#include "tools/ask/verify.h"

#include <stdlib.h>
#include <string.h>

static size_t verify_lesser(uint64_t a, size_t b)
{
    return a < b ? (size_t)a : b;
}

bool verifier_make(verifier *v, const ask_world *w, const verify_family *family,
                   const ask_block *def, bool has_limits, bool filtered)
{
    const size_t workers = (size_t)w->tasks->worker_count, triangles = w->soup.triangle_count;
    const size_t size = ask_row_size(def->type);
    ask_block block = *def;
    block.keep = family->keep > 0 ? family->keep : def->keep;
    v->world = w;
    v->family = family;
    v->rows = family->keeps_all ? triangles + 1 : block.keep;
    v->scratch = calloc(workers * 2 * v->rows, size);
    v->wrong = calloc(block.capacity, sizeof *v->wrong);
    v->seconds = calloc(block.capacity, sizeof *v->seconds);
    return ask_block_make(&v->block, &block, has_limits) &&
           ask_block_make(&v->batch, &block, false) && v->scratch != NULL && v->wrong != NULL &&
           v->seconds != NULL && (!filtered || box_filter_make(&v->filter, &w->soup, workers));
}

void verifier_free(verifier *v)
{
    box_filter_free(&v->filter);
    ask_block_free(&v->block);
    ask_block_free(&v->batch);
    free(v->scratch);
    free(v->wrong);
    free(v->seconds);
    v->scratch = NULL;
    v->wrong = NULL;
    v->seconds = NULL;
}

/* Of a worker: the rows of brute force, and of the tree. */
static char *scratch_of(const verifier *v, int worker, bool tree)
{
    return v->scratch + (2 * (size_t)worker + tree) * v->rows * ask_row_size(v->block.type);
}

static size_t rows_of(const verifier *v, const verify_query *q, uint64_t truth)
{
    return q->keep == VERIFY_KEEP_TWO    ? verify_lesser(2, v->rows)
           : q->keep == VERIFY_KEEP_HALF ? (size_t)truth / 2
                                         : v->rows;
}

/* What brute force says to a query. */
static verify_answer verify_expect(const verifier *v, const verify_query *q,
                                   const verify_answer *truth)
{
    const uint64_t total = truth->total;
    const size_t keep = v->block.keep, first = verify_lesser(total, 1);
    switch (q->mode) {
    case ASK_CLOSEST:
        return (verify_answer){ first, first, truth->rows };
    case ASK_ANY:
        return (verify_answer){ first, 0, truth->rows };
    case ASK_COUNT:
        return (verify_answer){ total, 0, truth->rows };
    case ASK_FEW:
        return (verify_answer){ verify_lesser(total, keep), verify_lesser(total, keep),
                                truth->rows };
    case ASK_NEXT:
        if (q->is_array) {
            return (verify_answer){ total > 1, total > 1,
                                    (const char *)truth->rows + ask_row_size(v->block.type) };
        }
        return (verify_answer){ verify_lesser(total, keep + 1), verify_lesser(total, keep),
                                truth->rows };
    case ASK_ALL:
        break;
    }
    const size_t rows = q->is_array ? keep : rows_of(v, q, total);
    return (verify_answer){ total, verify_lesser(total, rows), truth->rows };
}

/* ---- One element ---- */

/* The chain of next, from the closest hit to the end or to one more than are compared. */
static verify_answer ask_chain(const verifier *v, size_t i, char *rows)
{
    const size_t keep = v->block.keep, size = ask_row_size(v->block.type);
    verify_answer out = { .rows = rows };
    union {
        sl_hit single;
        sl_hit_d wide;
    } hit;
    bool more = ask_world_one(v->world, ASK_CLOSEST, &v->block, i, &hit, 1) > 0;
    while (more) {
        if (out.kept < keep) {
            memcpy(rows + out.kept++ * size, &hit, size);
        }
        out.total++;
        more = out.total <= keep && ask_world_one(v->world, ASK_NEXT, &v->block, i, &hit, 1) > 0;
    }
    return out;
}

static verify_answer ask_tree(const verifier *v, const verify_query *q, size_t i, uint64_t truth,
                              char *rows)
{
    if (q->mode == ASK_NEXT) {
        return ask_chain(v, i, rows);
    }
    const bool has_rows = q->mode != ASK_ANY && q->mode != ASK_COUNT;
    const size_t keep = !has_rows ? 0 : q->mode == ASK_CLOSEST ? 1 : rows_of(v, q, truth);
    verify_answer out = { .rows = rows };
    out.total = ask_world_one(v->world, q->mode, &v->block, i, has_rows ? rows : NULL, keep);
    out.kept = verify_lesser(out.total, keep);
    return out;
}

/* The triangles that matter to an element: of the nearest those no further away than what the tree
 * has found. */
static const sl_soup *filter_for(const verifier *v, size_t i, char *rows, box_filter_part *part)
{
    const ask_block *block = &v->block;
    const float *point = ask_block_element(block, i);
    if (block->kind == ASK_VOLUMES) {
        box_filter_take_volume(&v->filter, ask_block_element(block, i), part);
        return &part->soup;
    }
    double reach = (double)(block->limits != NULL ? block->limits[i] : v->world->limit);
    if (!v->within &&
        ask_world_one(v->world, ASK_FEW, block, i, rows, block->keep) == block->keep) {
        reach = (double)((const sl_nearest *)(const void *)rows)[block->keep - 1].distance;
    }
    const sl_aabb at = sl_aabb_from_corners(point, point);
    box_filter_take(&v->filter, &at, reach, part);
    return &part->soup;
}

static verify_answer ask_brute(const verifier *v, size_t i, int worker)
{
    char *rows = scratch_of(v, worker, false);
    const size_t size = ask_row_size(v->block.type);
    box_filter_part *part = v->filter.parts != NULL ? &v->filter.parts[worker] : NULL;
    const sl_soup *soup = part != NULL ? filter_for(v, i, rows, part) : &v->world->soup;
    verify_answer truth = { .rows = rows };
    truth.total = ask_world_in_turn(v->world, soup, &v->block, i, rows, v->rows);
    truth.kept = verify_lesser(truth.total, v->rows);
    const size_t prim =
        v->block.kind == ASK_VOLUMES ? offsetof(sl_triangle_ref, prim) : offsetof(sl_nearest, prim);
    for (size_t k = 0; k < truth.kept && part != NULL; k++) {
        uint32_t number;
        memcpy(&number, rows + k * size + prim, sizeof number);
        memcpy(rows + k * size + prim, &part->prims[number], sizeof number);
    }
    return truth;
}

size_t verify_first_difference(const verifier *v, const verify_answer *a, const verify_answer *b)
{
    const size_t size = ask_row_size(v->block.type);
    /* Doubles have padding behind the flags. */
    const size_t used =
        v->block.type == ASK_HITS_D ? offsetof(sl_hit_d, flags) + sizeof(uint32_t) : size;
    size_t k = 0;
    while (k < a->kept && k < b->kept &&
           memcmp((const char *)a->rows + k * size, (const char *)b->rows + k * size, used) == 0) {
        k++;
    }
    return k;
}

static bool is_same(const verifier *v, const verify_answer *a, const verify_answer *b)
{
    return a->total == b->total && a->kept == b->kept &&
           verify_first_difference(v, a, b) == a->kept;
}

static bool is_asked(const verifier *v, const verify_query *q)
{
    return v->within || !q->within;
}

/* The query whose time is taken: for as many rows as there are to be. */
static bool is_timed(const verifier *v, const verify_query *q)
{
    return v->family->times && q->keep == VERIFY_KEEP_ALL &&
           q->mode == (v->within || v->block.kind == ASK_VOLUMES ? ASK_ALL : ASK_FEW);
}

static void check_one(const verifier *v, size_t i, int worker)
{
    const double started = common_seconds();
    const verify_answer truth = ask_brute(v, i, worker);
    v->seconds[i][1] = common_seconds() - started;
    v->wrong[i] = 0;
    for (size_t q = 0; !v->family->queries[q].is_array; q++) {
        const verify_query *query = &v->family->queries[q];
        const bool timed = is_timed(v, query);
        verify_answer tree = { .total = 0 };
        if (!is_asked(v, query)) {
            continue;
        }
        for (int round = 0; round < (timed ? TIME_ROUNDS : 1); round++) {
            const double from = common_seconds();
            tree = ask_tree(v, query, i, truth.total, scratch_of(v, worker, true));
            if (timed) {
                v->seconds[i][0] =
                    time_by_size_best(round, v->seconds[i][0], common_seconds() - from);
            }
        }
        const verify_answer expected = verify_expect(v, query, &truth);
        v->wrong[i] |= is_same(v, &expected, &tree) ? 0 : 1u << q;
    }
    v->block.totals[i] = truth.total;
    memcpy(ask_block_row(&v->block, i * v->block.keep), truth.rows,
           verify_lesser(truth.total, v->block.keep) * ask_row_size(v->block.type));
}

static void check_range(void *context, size_t begin, size_t end, int worker)
{
    for (size_t i = begin; i < end; i++) {
        check_one(context, i, worker);
    }
}

/* ---- Reports ---- */

static void note_difference(verifier *v, size_t i, const verify_query *q, const char *kind,
                            uint64_t index, const verify_answer *tree, const verify_answer *truth)
{
    difference *shown = differences_add(&v->found, kind, index, q->words);
    if (shown != NULL) {
        verify_describe(v, q, tree, truth, false, shown->tree, sizeof shown->tree);
        verify_describe(v, q, truth, tree, true, shown->brute, sizeof shown->brute);
        verify_describe_element(v, i, shown->asked, sizeof shown->asked);
    }
}

/* Single queries that were answered wrongly are asked again, to tell how. */
static void note_single(verifier *v, size_t i, const char *kind, uint64_t index)
{
    for (size_t q = 0; !v->family->queries[q].is_array; q++) {
        if ((v->wrong[i] >> q & 1) != 0) {
            const verify_query *query = &v->family->queries[q];
            const verify_answer truth = ask_brute(v, i, 0);
            const verify_answer expected = verify_expect(v, query, &truth);
            const verify_answer tree = ask_tree(v, query, i, truth.total, scratch_of(v, 0, true));
            note_difference(v, i, query, kind, index, &tree, &expected);
        }
    }
}

/* Answers to a whole block, into v->batch, which borrows the elements. */
static void ask_batch(verifier *v, const verify_query *q, sl_stats *stats)
{
    const ask_block *block = &v->block;
    ask_world world = *v->world;
    ask_block asked = v->batch;
    world.counts = q->counts ? stats : NULL;
    asked.kind = block->kind;
    asked.elements = block->elements;
    asked.count = block->count;
    for (size_t i = 0; i < block->count && q->mode == ASK_NEXT; i++) {
        if (block->totals[i] == 0) {
            ask_block_clear(&asked, i, 1);
        } else {
            memcpy(ask_block_row(&asked, i), ask_block_row(block, i * block->keep),
                   ask_row_size(block->type));
        }
    }
    ask_world_block(&world, q->mode, false, &asked);
}

static void check_batch(verifier *v, const verify_query *q, const char *kind, uint64_t first_index)
{
    const ask_block *block = &v->block;
    const bool first = q->mode == ASK_CLOSEST || q->mode == ASK_NEXT;
    const size_t keep = first ? 1 : block->keep;
    const bool has_rows = q->mode != ASK_ANY && q->mode != ASK_COUNT;
    for (size_t i = 0; i < block->count; i++) {
        const size_t kept = verify_lesser(block->totals[i], block->keep);
        const verify_answer truth = { block->totals[i], kept,
                                      ask_block_row(block, i * block->keep) };
        const verify_answer expected = verify_expect(v, q, &truth);
        const verify_answer tree = { v->batch.totals[i],
                                     has_rows ? verify_lesser(v->batch.totals[i], keep) : 0,
                                     ask_block_row(&v->batch, i * keep) };
        if (!is_same(v, &expected, &tree)) {
            note_difference(v, i, q, kind, first_index + i, &tree, &expected);
        }
    }
}

void verifier_check(verifier *v, const ask_query *query, const char *kind, uint64_t first_index,
                    verify_sums *sums)
{
    const sl_tasks *tasks = v->world->tasks;
    const ask_block *block = &v->block;
    const uint64_t triangles = ask_world_triangles(v->world), before = v->found.count;
    tasks->parallel_for(tasks->user, block->count, triangles > 10000 ? 1 : 64, check_range, v);
    ask_tally(query, block, sums->found);
    for (size_t i = 0; i < block->count; i++) {
        const uint64_t total = block->totals[i];
        sums->rows += total;
        time_by_size_add(&sums->times,
                         v->block.kind == ASK_NEAR && !v->within ? verify_lesser(total, block->keep)
                                                                 : total,
                         v->seconds[i][0], v->seconds[i][1]);
        note_single(v, i, kind, first_index + i);
    }
    for (const verify_query *q = v->family->queries; q->words != NULL; q++) {
        /* Functions that take arrays take one limit for all. */
        if (q->is_array && is_asked(v, q) && block->limits == NULL) {
            ask_batch(v, q, &sums->stats);
            check_batch(v, q, kind, first_index);
        }
    }
    sums->elements += block->count;
    sums->pairs += block->count * triangles;
    sums->differences += v->found.count - before;
}
