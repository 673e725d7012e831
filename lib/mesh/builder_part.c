/* builder_part.c: the names of parts, and where each part begins. */
#include "lib/mesh/builder.h"

#include <string.h>

static bool is_name(const sli_part_list *list, uint32_t name, const char *text, size_t length)
{
    return list->text_size > 0 && strlen(list->text + name) == length &&
           memcmp(list->text + name, text, length) == 0;
}

bool sli_builder_name(sli_builder *builder, const char *text, size_t length, uint32_t *name)
{
    sli_part_list *list = &builder->parts.list;
    const size_t kept = sli_part_name_length(text, length);
    text = kept > 0 ? text : "";
    if (builder->locate != NULL || is_name(list, *name, text, kept)) {
        return true;
    }
    *name = 0;
    if (kept == 0 && list->text_size > 0) {
        return true;
    }
    /* The first one comes behind "". */
    const size_t begin = list->text_size > 0 ? list->text_size : 1;
    if (begin + kept >= SL_NONE) {
        return sli_builder_stop(builder, SL_TOO_LARGE);
    }
    if (!sli_builder_grow(builder, &list->text, &list->text_capacity, begin + kept + 1, 1)) {
        return false;
    }
    list->text[0] = '\0';
    list->text_size = begin;
    if (kept > 0) {
        memcpy(list->text + begin, text, kept);
        list->text[begin + kept] = '\0';
        list->text_size = begin + kept + 1;
        *name = (uint32_t)begin;
    }
    return true;
}

bool sli_builder_part(sli_builder *builder, const uint32_t part[4])
{
    uint32_t none = 0;
    if (builder->locate != NULL) {
        return true;
    }
    if (builder->parts.list.text_size == 0 && !sli_builder_name(builder, "", 0, &none)) {
        return false;
    }
    const bool same = memcmp(builder->part, part, sizeof builder->part) == 0;
    memcpy(builder->part, part, sizeof builder->part);
    builder->part_is_new = builder->part_is_new || !same;
    return true;
}

bool sli_builder_begin_part(sli_builder *builder, size_t prim)
{
    sli_part_list *list = &builder->parts.list;
    /* What stands before the first part is one without names. */
    const bool nameless = list->count == 0 && prim > 0;
    if (!sli_builder_grow(builder, &list->rows, &list->capacity, list->count + 2,
                          sizeof *list->rows)) {
        return false;
    }
    if (nameless) {
        list->rows[list->count++] = (sli_part_row){ .node_index = SL_NONE };
    }
    const uint32_t *part = builder->part;
    list->rows[list->count++] = (sli_part_row){ .first = (uint32_t)prim,
                                                .name = part[0],
                                                .material = part[1],
                                                .node = part[2],
                                                .node_index = part[3] };
    builder->part_is_new = false;
    return true;
}
