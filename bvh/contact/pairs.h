/* contact/pairs.h: which pairs of triangles count, for the queries of clash.h. */
#pragma once

#include "bvh/contact/walk/walk.h"

#include <sightline/clash.h>

extern const sl_clash sli_all_that_meets; /* what a clash of NULL means */

/* What a walk is to be asked: the options and the margin. */
void sli_clash_prepare(const sl_clash *clash, sli_walk *walk);

sl_relation sli_pair_relation(const sli_walk_pair *pair);

/* Whether a pair that a walk hands out counts, and as what. */
bool sli_clash_counts(const sl_clash *clash, const sli_walk_pair *pair, sl_clash_pair *out);
/* The same where the relation is known. */
bool sli_clash_counts_as(const sl_clash *clash, const sli_walk_pair *pair, sl_relation relation,
                         sl_clash_pair *out);

/* The world for one pair: without copies, unless options or a filter may tell them apart. */
const sli_world *sli_clash_world(const sl_bvh *bvh, const sl_clash *clash,
                                 const sl_options *options);

/* Whether there is such an instance, and the options leave something of it in. */
bool sli_clash_has(const sl_bvh *bvh, const sl_item_options *item, uint32_t instance);

/* The lowest pairs, in the caller's array: in the order of arrival as long as there is room for all
 * of them, then as a heap (hit_heap.h), sorted at the end. */
void sli_pairs_add(sl_clash_pair *pairs, size_t capacity, size_t total, const sl_clash_pair *pair);
void sli_pairs_sort(sl_clash_pair *pairs, size_t capacity, size_t total);
