/* part.c: the list of parts and their names, each name kept once; for the builder. */
#include "lib/mesh/part.h"

#include "lib/base/memory.h"

#include <string.h>

size_t sli_part_name_length(const char *name, size_t length)
{
    const char *end = length > 0 ? memchr(name, '\0', length) : NULL;
    size_t kept = end != NULL ? (size_t)(end - name) : length;
    if (kept > SLI_PART_NAME) {
        kept = SLI_PART_NAME;
        for (int i = 0; i < 3 && ((uint8_t)name[kept] & 0xC0) == 0x80; i++) {
            kept--;
        }
    }
    return kept;
}

void sli_part_list_free(const sli_part_list *list, const sl_allocator *allocator)
{
    sli_free_array(allocator, list->rows, list->capacity, sizeof *list->rows);
    sli_free_array(allocator, list->text, list->text_capacity, 1);
}

bool sli_part_list_copy(const sli_part_list *from, const sl_allocator *allocator,
                        sli_part_list *out)
{
    *out = (sli_part_list){ 0 };
    if (from->count == 0) {
        return true;
    }
    sli_part_list list = { .count = from->count,
                           .capacity = from->count,
                           .text_size = from->text_size,
                           .text_capacity = from->text_size };
    list.rows = sli_alloc_array(allocator, list.capacity, sizeof *list.rows);
    list.text = sli_alloc_array(allocator, list.text_capacity, 1);
    if (list.rows == NULL || list.text == NULL) {
        sli_part_list_free(&list, allocator);
        return false;
    }
    memcpy(list.rows, from->rows, from->count * sizeof *list.rows);
    memcpy(list.text, from->text, from->text_size);
    *out = list;
    return true;
}
