/* Which pairs of triangles count: by their relation, by their distance, and to the caller. */
#include "bvh/contact/pairs.h"

#include "bvh/kernel/instance/intersect.h"
#include "lib/geom/contact/distance.h"
#include "lib/geom/contact/relation.h"

const sl_clash sli_all_that_meets = { .margin = 0 };

static const sl_options *options_of(const sl_options *options)
{
    return options != NULL ? options : &sli_everything;
}

void sli_clash_prepare(const sl_clash *clash, sli_walk *walk)
{
    walk->a = sli_item_options(options_of(clash->a), 0);
    walk->b = sli_item_options(options_of(clash->b), 0);
    walk->margin = clash->margin > 0 ? (double)clash->margin : 0;
}

sl_relation sli_pair_relation(const sli_walk_pair *pair)
{
    return pair->crosses ? SL_CROSSING : sli_triangles_relation(pair->at_a, pair->at_b);
}

bool sli_clash_counts(const sl_clash *clash, const sli_walk_pair *pair, sl_clash_pair *out)
{
    return sli_clash_counts_as(clash, pair, sli_pair_relation(pair), out);
}

bool sli_clash_counts_as(const sl_clash *clash, const sli_walk_pair *pair, sl_relation relation,
                         sl_clash_pair *out)
{
    *out = (sl_clash_pair){ .a = pair->a, .b = pair->b, .relation = relation };
    if (relation == SL_APART) {
        if (!(clash->margin > 0) ||
            !sli_triangles_within(pair->at_a, pair->at_b, clash->margin, &out->distance)) {
            return false;
        }
    } else if (clash->relations != 0 && (clash->relations >> relation & 1) == 0) {
        return false;
    }
    return clash->filter == NULL || clash->filter(clash->filter_user, out);
}

const sli_world *sli_clash_world(const sl_bvh *bvh, const sl_clash *clash,
                                 const sl_options *options)
{
    return sli_world_for_one(bvh, sli_options_uses(options_of(options), 0, 1),
                             clash->filter != NULL);
}

bool sli_clash_has(const sl_bvh *bvh, const sl_item_options *item, uint32_t instance)
{
    if (instance >= bvh->world.count) {
        return false;
    }
    const sli_transformed *at = &bvh->world.transformed[instance];
    return at->tree != NULL && sli_world_selects(item, at, instance);
}

static uint64_t pair_key(sl_triangle_ref ref)
{
    return (uint64_t)ref.instance << 32 | ref.prim;
}

static bool pair_before(const sl_clash_pair *p, const sl_clash_pair *q)
{
    const uint64_t a = pair_key(p->a), b = pair_key(q->a);
    return a != b ? a < b : pair_key(p->b) < pair_key(q->b);
}

#define HIT           sl_clash_pair
#define HIT_BEFORE    pair_before
#define HIT_HEAP_ADD  pair_heap_add
#define HIT_HEAP_SORT pair_heap_sort
static void pair_heap_add(sl_clash_pair *, size_t, uint64_t, const sl_clash_pair *);
static void pair_heap_sort(sl_clash_pair *, size_t, uint64_t);
#include "lib/geom/intersect/hit_heap.inl"

/* Makes a heap of pairs in any order. */
static void pair_heap_make(sl_clash_pair *pairs, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        pair_heap_add(pairs, count, i, &pairs[i]);
    }
}

void sli_pairs_add(sl_clash_pair *pairs, size_t capacity, size_t total, const sl_clash_pair *pair)
{
    if (total < capacity) {
        pairs[total] = *pair;
        return;
    }
    if (total == capacity) {
        pair_heap_make(pairs, capacity);
    }
    pair_heap_add(pairs, capacity, total, pair);
}

static void pair_insert_all(sl_clash_pair *pairs, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        const sl_clash_pair moved = pairs[i];
        size_t at = i;
        for (; at > 0 && pair_before(&moved, &pairs[at - 1]); at--) {
            pairs[at] = pairs[at - 1];
        }
        pairs[at] = moved;
    }
}

static void pair_swap(sl_clash_pair *p, sl_clash_pair *q)
{
    const sl_clash_pair kept = *p;
    *p = *q;
    *q = kept;
}

/* Splits at the median of three: what is not after it comes first, and what is not before it then.
 * Both parts have some. */
static size_t pair_partition(sl_clash_pair *pairs, size_t count)
{
    sl_clash_pair *first = &pairs[0], *middle = &pairs[count / 2], *last = &pairs[count - 1];
    if (pair_before(middle, first)) {
        pair_swap(middle, first);
    }
    if (pair_before(last, middle)) {
        pair_swap(last, middle);
        if (pair_before(middle, first)) {
            pair_swap(middle, first);
        }
    }
    const sl_clash_pair pivot = *middle;
    size_t i = 0, j = count - 1;
    for (;;) {
        do {
            i++;
        } while (pair_before(&pairs[i], &pivot));
        do {
            j--;
        } while (pair_before(&pivot, &pairs[j]));
        if (i >= j) {
            return j + 1;
        }
        pair_swap(&pairs[i], &pairs[j]);
    }
}

/* Musser, Introspective Sorting and Selection Algorithms (1997): quicksort that keeps the larger
 * part for later, and sorts parts that do not become small as heaps. */
static void pair_sort_all(sl_clash_pair *pairs, size_t count)
{
    enum { FEW = 16, PARTS = 64, SPLITS_MAX = 48 };
    struct part {
        sl_clash_pair *pairs;
        size_t count;
        int splits;
    } later[PARTS], now = { pairs, count, 0 };
    int waiting = 0;
    for (;;) {
        while (now.count > FEW && now.splits < SPLITS_MAX) {
            const size_t left = pair_partition(now.pairs, now.count);
            const struct part low = { now.pairs, left, now.splits + 1 },
                              high = { now.pairs + left, now.count - left, now.splits + 1 };
            now = low.count < high.count ? low : high;
            later[waiting++] = low.count < high.count ? high : low;
        }
        if (now.count > FEW) {
            pair_heap_make(now.pairs, now.count);
            pair_heap_sort(now.pairs, now.count, now.count);
        } else {
            pair_insert_all(now.pairs, now.count);
        }
        if (waiting == 0) {
            return;
        }
        now = later[--waiting];
    }
}

void sli_pairs_sort(sl_clash_pair *pairs, size_t capacity, size_t total)
{
    if (total > capacity) {
        pair_heap_sort(pairs, capacity, total);
    } else {
        pair_sort_all(pairs, total);
    }
}
