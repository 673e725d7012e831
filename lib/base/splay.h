/* splay.h: a list in some order, in which items are found, inserted and removed in O(log n) steps,
 * on average over any sequence of them; without recursion, in memory of the caller's.
 * Source   Sleator and Tarjan, Self-adjusting binary search trees (1985). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* What the list knows of an item, which is a number; UINT32_MAX: none. */
typedef struct sli_splay_node {
    uint32_t parent, child[2];
    uint32_t beside[2]; /* the items before and behind it */
} sli_splay_node;

typedef struct sli_splay {
    sli_splay_node *nodes; /* of each item that may come */
    uint32_t root, first;  /* UINT32_MAX while the list is empty */
} sli_splay;

/* The item behind `item`; of none, the first. */
static inline uint32_t sli_splay_next(const sli_splay *list, uint32_t item)
{
    return item == UINT32_MAX ? list->first : list->nodes[item].beside[1];
}

/* Directly behind `before`, which is in the list or none. */
void sli_splay_insert(sli_splay *list, uint32_t before, uint32_t item);

void sli_splay_remove(sli_splay *list, uint32_t item);

/* The last item of which goes_on is true, as it is of all before it and of none behind it. */
uint32_t sli_splay_find(sli_splay *list, bool (*goes_on)(const void *context, uint32_t item),
                        const void *context);
