/* What sweeps meet: the public calls of sweep.h but for sl_bvh_push_out.  A query about one sweep
 * is one about an array of one. */
#include "bvh/sweep/contact_heap.h"
#include "bvh/sweep/prepare.h"

/* One of out (first), any, and totals (all, with out unless capacity is 0) says what is asked. */
typedef struct sweep_query {
    const sl_bvh *bvh;
    const sl_options *options; /* not NULL */
    sl_sweeps sweeps;          /* with the stride that 0 stands for */
    sl_contact *out;
    uint8_t *any;
    size_t capacity;
    uint64_t *totals;
} sweep_query;

static const sl_contact no_contact = { .t = 1, .t_safe = 1, .prim = SL_NONE };

/* False: sweep i is invalid. */
static bool sweeps_prepare(const sweep_query *q, size_t i, sli_prepared_sweep *out)
{
    const void *at = (const char *)q->sweeps.first + i * q->sweeps.stride;
    return sli_sweep_prepare(at, q->sweeps.number, q->options, i, out);
}

/* A row of contacts that is being filled. */
typedef struct sweep_row {
    sl_contact *contacts;
    size_t capacity, total;
} sweep_row;

static void keep_contact(void *context, const sl_contact *contact)
{
    sweep_row *row = context;
    sli_contact_heap_add(row->contacts, row->capacity, row->total++, contact);
}

static SLI_NOINLINE void find_all(const sweep_query *q, size_t i, sl_stats *stats)
{
    sli_prepared_sweep s;
    sweep_row row = { .contacts = q->capacity > 0 ? q->out + i * q->capacity : NULL,
                      .capacity = q->capacity };
    if (sweeps_prepare(q, i, &s)) {
        q->bvh->kernels->world_sweep_all(&q->bvh->world, &s.query, keep_contact, &row, stats);
    } else {
        stats->rays++;
    }
    sli_contact_heap_sort(row.contacts, row.capacity, row.total);
    q->totals[i] = row.total;
}

/* The first contact, or any. */
static SLI_NOINLINE void find_one(const sweep_query *q, size_t i, sl_stats *stats)
{
    sli_prepared_sweep s;
    bool found = false;
    sl_contact contact = no_contact;
    if (sweeps_prepare(q, i, &s)) {
        const sli_world *world = sli_world_for_one(q->bvh, sli_options_uses(q->options, i, i + 1),
                                                   q->options->filter != NULL);
        found = q->any != NULL
                    ? q->bvh->kernels->world_sweep_any(world, &s.query, stats)
                    : q->bvh->kernels->world_sweep_first(world, &s.query, &contact, stats);
    } else {
        stats->rays++;
    }
    if (q->any != NULL) {
        q->any[i] = found;
    } else {
        q->out[i] = contact;
    }
}

static void run_block(const void *context, size_t begin, size_t end, sl_stats *stats)
{
    const sweep_query *q = context;
    for (size_t i = begin; i < end; i++) {
        if (q->totals != NULL) {
            find_all(q, i, stats);
        } else {
            find_one(q, i, stats);
        }
    }
}

static void run_sweeps(sweep_query *q, const sl_options *options, const sl_tasks *tasks,
                       sl_stats *stats)
{
    enum { GRAIN = 256 };
    const bool doubles = q->sweeps.number == SL_DOUBLE;
    q->options = options != NULL ? options : &sli_everything;
    q->sweeps.stride =
        sli_stride_of(q->sweeps.stride, doubles ? sizeof(sl_sweep_d) : sizeof(sl_sweep));
    sli_run_blocks_of(GRAIN, q->sweeps.count, run_block, q, stats, tasks);
}

void sl_bvh_sweep_many(const sl_bvh *bvh, sl_sweeps sweeps, const sl_options *options,
                       sl_contact *out, const sl_tasks *tasks, sl_stats *stats)
{
    sweep_query q = { .bvh = bvh, .sweeps = sweeps, .out = out };
    run_sweeps(&q, options, tasks, stats);
}

void sl_bvh_sweep_any_many(const sl_bvh *bvh, sl_sweeps sweeps, const sl_options *options,
                           uint8_t *any, const sl_tasks *tasks, sl_stats *stats)
{
    sweep_query q = { .bvh = bvh, .sweeps = sweeps, .any = any };
    run_sweeps(&q, options, tasks, stats);
}

void sl_bvh_sweep_all_many(const sl_bvh *bvh, sl_sweeps sweeps, const sl_options *options,
                           sl_contact *out, size_t capacity, uint64_t *totals,
                           const sl_tasks *tasks, sl_stats *stats)
{
    sweep_query q = {
        .bvh = bvh, .sweeps = sweeps, .out = out, .capacity = capacity, .totals = totals
    };
    run_sweeps(&q, options, tasks, stats);
}

static bool first_of_one(const sl_bvh *bvh, sl_sweeps one, const sl_options *options,
                         sl_contact *out)
{
    sl_contact contact;
    sl_bvh_sweep_many(bvh, one, options, &contact, NULL, NULL);
    if (out != NULL) {
        *out = contact;
    }
    return contact.prim != SL_NONE;
}

bool sl_bvh_sweep(const sl_bvh *bvh, const sl_sweep *sweep, const sl_options *options,
                  sl_contact *out)
{
    return first_of_one(bvh, sl_sweeps_of(sweep, 1, SL_FLOAT), options, out);
}

bool sl_bvh_sweep_d(const sl_bvh *bvh, const sl_sweep_d *sweep, const sl_options *options,
                    sl_contact *out)
{
    return first_of_one(bvh, sl_sweeps_of(sweep, 1, SL_DOUBLE), options, out);
}

size_t sl_bvh_sweep_all(const sl_bvh *bvh, const sl_sweep_d *sweep, const sl_options *options,
                        sl_contact *out, size_t capacity)
{
    uint64_t total;
    sl_bvh_sweep_all_many(bvh, sl_sweeps_of(sweep, 1, SL_DOUBLE), options, out, capacity, &total,
                          NULL, NULL);
    return (size_t)total;
}
