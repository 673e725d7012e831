/* instances/clashes.h: what a report of clashes keeps, and the search for one, which clashes.c
 * (outline, near pairs), changed.c (what has changed since a report), pair.c (two instances),
 * solids.c (as solids) and join.c (the list) share. */
#pragma once

#include "bvh/contact/walk/walk.h"
#include "lib/base/hooks.h"

#include <sightline/clashes.h>

/* What the answers about an instance depend on: one with the same bytes has the same triangles in
 * the same place, and is asked against the same others.  136 bytes, without padding. */
typedef struct sli_clash_instance {
    sli_family *family; /* of the tree; NULL: nothing is there (and all else is 0, too) */
    size_t version;     /* of the tree in it; 0, which none has: some of it is skipped */
    sl_transform transform;
    double grid;
    uint32_t mask, group, against, body;
} sli_clash_instance;

struct sl_clashes {
    sl_allocator allocator;
    sl_clash question; /* but for its options, of which there is the mask */
    uint32_t mask;
    size_t pair_limit;
    bool solids;
    sli_clash_instance *instances;
    size_t instance_count;
    sl_instance_clash *list;
    size_t count, capacity;
};

typedef struct sli_clash_search {
    const sl_bvh *bvh;
    const sl_clashes_def *def; /* not NULL */
    sl_hooks hooks;
    sl_clash clash;
    sl_item_options item;       /* of both sides */
    const sl_clashes *previous; /* whose question is the same; or NULL */
    sl_clashes *report;
    uint8_t *has_changed;     /* for each instance: 1 where it has, or there is no previous */
    sl_instance_clash *found; /* of instances of which one has changed, in any order */
    size_t found_count, found_capacity;
} sli_clash_search;

/* Fills in what the report keeps of instances, and what has changed. */
void sli_clashes_compare(sli_clash_search *s);

/* Lets go of what sli_clashes_compare took hold of. */
void sli_clashes_release(sl_clashes *report);

/* How two instances clash, a < b; out->a is SL_NONE where they do not. */
sl_result sli_clashes_ask(const sli_clash_search *s, uint32_t a, uint32_t b,
                          sl_instance_clash *out);

/* Whether one may lie in the other one, by their boxes; and how they lie as solids: SL_SOLIDS_NONE
 * where one is not closed, or has triangles that are skipped. */
bool sli_clashes_may_nest(const sli_clash_search *s, uint32_t a, uint32_t b);
sl_result sli_clashes_solids(const sli_clash_search *s, uint32_t a, uint32_t b,
                             sl_solid_relation *relation);

/* Writes the report's list: what was found, and what previous says where nothing has changed. */
sl_result sli_clashes_join(sli_clash_search *s, sl_error *error);
