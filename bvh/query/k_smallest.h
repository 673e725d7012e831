/* query/k_smallest.h: the lowest numbers of many, kept in the caller's array and sorted at the end. */
#ifndef SLI_QUERY_LOWEST_H
#define SLI_QUERY_LOWEST_H

#include <stddef.h>
#include <stdint.h>

typedef struct sli_lowest {
    uint32_t *numbers; /* capacity places; as they come until all are taken, then a heap with the
                        * highest on top */
    size_t capacity;
    size_t total; /* how many have come */
} sli_lowest;

void sli_lowest_add(sli_lowest *lowest, uint32_t number);

/* Puts the min(total, capacity) that were kept into rising order. */
void sli_lowest_sort(sli_lowest *lowest);

#endif
