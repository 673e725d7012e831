/* contact_heap.h: the first contacts by (t, instance, prim), kept in the caller's array as a heap
 * and sorted at the end: as hits are (lib/geom/intersect/hit_heap.h). */
#pragma once

#include <sightline/contact.h>

#include <stddef.h>

/* Adds a contact; total is how many were added before it. */
void sli_contact_heap_add(sl_contact *contacts, size_t capacity, uint64_t total,
                          const sl_contact *contact);

/* Sorts the min(total, capacity) that were kept. */
void sli_contact_heap_sort(sl_contact *contacts, size_t capacity, uint64_t total);
