/* The list of a report: what was found now, sorted, among what the previous report says of
 * instances that have not changed. */
#include "bvh/contact/instances/clashes.h"
#include "lib/base/error.h"
#include "lib/base/memory.h"
#include "lib/base/sort.h"

/* By a and b. */
static void sort_found(const sli_clash_search *s, sli_table *table)
{
    for (size_t i = 0; i < s->found_count; i++) {
        table->items[2 * i] = s->found[i].a;
        table->items[2 * i + 1] = s->found[i].b;
        table->order[table->count++] = (uint32_t)i;
    }
    sli_table_sort(table, NULL);
}

/* Of previous: still there, and unchanged. */
static bool still_holds(const sli_clash_search *s, const sl_instance_clash *clash)
{
    return clash->b < s->report->instance_count && !s->has_changed[clash->a] &&
           !s->has_changed[clash->b];
}

static bool comes_before(const sl_instance_clash *x, const sl_instance_clash *y)
{
    return x->a != y->a ? x->a < y->a : x->b < y->b;
}

/* No clash is in both: of what was found, one instance has changed. */
static void merge(const sli_clash_search *s, const uint32_t *order)
{
    const sl_clashes *was = s->previous;
    const size_t kept_count = was != NULL ? was->count : 0;
    sl_clashes *to = s->report;
    size_t k = 0;
    for (size_t i = 0; i <= s->found_count; i++) {
        const sl_instance_clash *next = i < s->found_count ? &s->found[order[i]] : NULL;
        for (; k < kept_count && (next == NULL || comes_before(&was->list[k], next)); k++) {
            if (still_holds(s, &was->list[k])) {
                to->list[to->count++] = was->list[k];
            }
        }
        if (next != NULL) {
            to->list[to->count++] = *next;
        }
    }
}

sl_result sli_clashes_join(sli_clash_search *s, sl_error *error)
{
    const sl_allocator *allocator = &s->report->allocator;
    size_t count = s->found_count;
    if (count >= SL_NONE) {
        return sli_fail_plain(error, SL_TOO_LARGE, "%zu pairs of instances clash; at most %u may",
                              count, SL_NONE - 1);
    }
    for (size_t k = 0; s->previous != NULL && k < s->previous->count; k++) {
        count += still_holds(s, &s->previous->list[k]);
    }
    sli_table table;
    s->report->list = sli_alloc_large(allocator, count, sizeof *s->report->list);
    s->report->capacity = count;
    if (s->report->list == NULL || !sli_table_alloc(allocator, s->found_count, 2, &table)) {
        return sli_fail_memory(error);
    }
    sort_found(s, &table);
    merge(s, table.order);
    sli_table_free(allocator, &table);
    return SL_OK;
}
