/* intersect/selection.h: what the options of a query leave in: for single items, and what of it is
 * in use for many at once. */
#pragma once

#include <sightline/options.h>

/* A mask as callers give it: 0 has all bits. */
static inline uint32_t sli_mask_of(uint32_t given)
{
    return given != 0 ? given : UINT32_MAX;
}

/* The options that hold for item i of an array. */
static inline sl_item_options sli_item_options(const sl_options *options, size_t i)
{
    return options->items != NULL ? options->items[i]
                                  : (sl_item_options){ .mask = options->mask,
                                                       .skip = options->skip,
                                                       .skip_count = options->skip_count,
                                                       .ignore = options->ignore,
                                                       .ignore_count = options->ignore_count };
}

/* Bits of what is in use. */
enum { SLI_USES_MASK = 1, SLI_USES_SKIP = 2, SLI_USES_IGNORE = 4 };

static inline uint32_t sli_item_uses(uint32_t mask, size_t skip_count, size_t ignore_count)
{
    return (mask != 0 ? SLI_USES_MASK : 0u) | (skip_count != 0 ? SLI_USES_SKIP : 0u) |
           (ignore_count != 0 ? SLI_USES_IGNORE : 0u);
}

/* What is in use for any of the items begin .. end - 1. */
static inline uint32_t sli_options_uses(const sl_options *options, size_t begin, size_t end)
{
    if (__builtin_expect(options->items == NULL, 1)) {
        return sli_item_uses(options->mask, options->skip_count, options->ignore_count);
    }
    uint32_t uses = 0;
    for (size_t i = begin; i < end; i++) {
        const sl_item_options *item = &options->items[i];
        uses |= sli_item_uses(item->mask, item->skip_count, item->ignore_count);
    }
    return uses;
}

/* Whether a triangle is there; its own mask is never 0. */
static inline bool sli_item_has(const sl_item_options *item, sl_triangle_ref triangle,
                                uint32_t mask)
{
    if (item->mask != 0 && (mask & item->mask) == 0) {
        return false;
    }
    for (size_t i = 0; i < item->skip_count; i++) {
        if (item->skip[i].prim == triangle.prim && item->skip[i].instance == triangle.instance) {
            return false;
        }
    }
    return true;
}

/* Whether the number of an instance is not ignored. */
static inline bool sli_item_has_instance(const sl_item_options *item, uint32_t instance)
{
    for (size_t i = 0; i < item->ignore_count; i++) {
        const sl_instance_range range = item->ignore[i]; /* may reach beyond all numbers */
        if (instance >= range.first && instance - range.first < range.count) {
            return false;
        }
    }
    return true;
}
