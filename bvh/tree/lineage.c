/* Families of trees, for tree.c and bvh/builder/refit. */
#include "bvh/tree/lineage.h"

#include "lib/base/atomic.h"
#include "lib/base/memory.h"

#include <string.h>

bool sli_lineage_found(sli_lineage *lineage, const sl_allocator *allocator)
{
    sli_family *family = sli_alloc_array(allocator, 1, sizeof *family);
    if (family == NULL) {
        return false;
    }
    *family = (sli_family){ .allocator = *allocator, .holders = 1, .versions = 1 };
    *lineage = (sli_lineage){ .family = family, .version = 1 };
    return true;
}

void sli_family_hold(sli_family *family)
{
    sli_atomic_fetch_add_size(&family->holders, 1);
}

void sli_family_release(sli_family *family)
{
    if (family != NULL && sli_atomic_release_size(&family->holders)) {
        const sl_allocator allocator = family->allocator;
        sli_free_array(&allocator, family, 1, sizeof *family);
    }
}

void sli_lineage_leave(sli_lineage *lineage)
{
    sli_family_release(lineage->family);
    *lineage = (sli_lineage){ .family = NULL };
}

void sli_lineage_join(sli_lineage *lineage, const sli_lineage *other)
{
    sli_family *family = other->family;
    if (lineage->family != family) {
        sli_family_hold(family);
        sli_lineage_leave(lineage);
    }
    *lineage = (sli_lineage){ .family = family,
                              .version = 1 + sli_atomic_fetch_add_size(&family->versions, 1),
                              .masks = other->masks,
                              .groups = other->groups };
}

bool sli_scratch_array(const sl_allocator *allocator, void *items, size_t *capacity, size_t count,
                       size_t size)
{
    if (*capacity >= count) {
        return true;
    }
    void *made = sli_alloc_large(allocator, count, size), *old;
    if (made == NULL) {
        return false;
    }
    memcpy(&old, items, sizeof old);
    sli_free_array(allocator, old, *capacity, size);
    memcpy(items, &made, sizeof made);
    *capacity = count;
    return true;
}

void sli_refit_scratch_free(sli_refit_scratch *scratch, const sl_allocator *allocator)
{
    sli_free_array(allocator, scratch->pieces, scratch->piece_capacity, sizeof *scratch->pieces);
    sli_free_array(allocator, scratch->changed, scratch->changed_words, sizeof *scratch->changed);
    sli_free_array(allocator, scratch->nodes, scratch->node_words, sizeof *scratch->nodes);
    sli_free_array(allocator, scratch->ranks, scratch->rank_words, sizeof *scratch->ranks);
    sli_free_array(allocator, scratch->parents, scratch->parent_count, sizeof *scratch->parents);
    sli_free_array(allocator, scratch->sources, scratch->source_count, sizeof *scratch->sources);
    sli_free_array(allocator, scratch->dealing, scratch->dealing_bytes, 1);
    *scratch = (sli_refit_scratch){ .pieces = NULL };
}

size_t sli_refit_scratch_bytes(const sli_refit_scratch *scratch)
{
    return scratch->piece_capacity * sizeof *scratch->pieces +
           scratch->changed_words * sizeof *scratch->changed +
           scratch->node_words * sizeof *scratch->nodes +
           scratch->rank_words * sizeof *scratch->ranks +
           scratch->parent_count * sizeof *scratch->parents +
           scratch->source_count * sizeof *scratch->sources + scratch->dealing_bytes;
}
