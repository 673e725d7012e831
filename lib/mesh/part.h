/* part.h: the names that a file gives to runs of its triangles, as they are collected and kept. */
#pragma once

#include <sightline/mesh.h>

enum { SLI_PART_NAME = 255 }; /* bytes of a name that are kept */

/* A run begins at triangle first, and ends where the next one begins.  Names are places in text. */
typedef struct sli_part_row {
    uint32_t first, name, material, node, node_index;
} sli_part_row;

typedef struct sli_part_list {
    sli_part_row *rows;
    size_t count, capacity;
    char *text; /* names, each ended by '\0'; the first is "" */
    size_t text_size, text_capacity;
} sli_part_list;

/* Bytes of a name that are kept of length: no more than SLI_PART_NAME, up to a '\0', and no half of
 * a character of UTF-8. */
size_t sli_part_name_length(const char *name, size_t length);

/* False, with nothing to free, when out of memory. */
bool sli_part_list_copy(const sli_part_list *from, const sl_allocator *allocator,
                        sli_part_list *out);
void sli_part_list_free(const sli_part_list *list, const sl_allocator *allocator);
