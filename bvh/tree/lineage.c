/* Families of trees, for tree.c and bvh/builder/refit. */
#include "bvh/tree/lineage.h"

#include "lib/base/atomic.h"
#include "lib/base/memory.h"

bool sli_lineage_found(sli_lineage *lineage, const sl_allocator *allocator)
{
    sli_family *family = sli_alloc_array(allocator, 1, sizeof *family);
    if (family == NULL) {
        return false;
    }
    *family = (sli_family){ .allocator = *allocator, .trees = 1, .versions = 1 };
    *lineage = (sli_lineage){ .family = family, .version = 1 };
    return true;
}

void sli_lineage_leave(sli_lineage *lineage)
{
    sli_family *family = lineage->family;
    if (family != NULL && sli_atomic_release_size(&family->trees)) {
        const sl_allocator allocator = family->allocator;
        sli_free_array(&allocator, family, 1, sizeof *family);
    }
    *lineage = (sli_lineage){ .family = NULL };
}

void sli_lineage_join(sli_lineage *lineage, const sli_lineage *other)
{
    sli_family *family = other->family;
    if (lineage->family != family) {
        sli_atomic_fetch_add_size(&family->trees, 1);
        sli_lineage_leave(lineage);
    }
    *lineage = (sli_lineage){ .family = family,
                              .version = 1 + sli_atomic_fetch_add_size(&family->versions, 1),
                              .masks = other->masks,
                              .groups = other->groups };
}

void sli_refit_room_free(sli_refit_room *room, const sl_allocator *allocator)
{
    sli_free_array(allocator, room->pieces, room->piece_capacity, sizeof *room->pieces);
    sli_free_array(allocator, room->changed, room->changed_words, sizeof *room->changed);
    sli_free_array(allocator, room->nodes, room->node_words, sizeof *room->nodes);
    sli_free_array(allocator, room->ranks, room->rank_words, sizeof *room->ranks);
    sli_free_array(allocator, room->parents, room->parent_count, sizeof *room->parents);
    sli_free_array(allocator, room->sources, room->source_count, sizeof *room->sources);
    sli_free_array(allocator, room->dealing, room->dealing_bytes, 1);
    *room = (sli_refit_room){ .pieces = NULL };
}

size_t sli_refit_room_bytes(const sli_refit_room *room)
{
    return room->piece_capacity * sizeof *room->pieces +
           room->changed_words * sizeof *room->changed + room->node_words * sizeof *room->nodes +
           room->rank_words * sizeof *room->ranks + room->parent_count * sizeof *room->parents +
           room->source_count * sizeof *room->sources + room->dealing_bytes;
}
