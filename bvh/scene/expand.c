/* Walks an array of instances, and those nested in it, depth first, without recursion.  Transforms
 * are multiplied on the way down: product(product(a, b), c). */
#include "bvh/scene/expand.h"

void sli_expand_begin(sli_expansion *e, const sli_given *given, size_t begin, size_t end,
                      uint32_t number)
{
    e->given = *given;
    e->level[0] =
        (sli_expand_level){ .next = begin, .end = end, .mask = UINT32_MAX, .finite = true };
    e->depth = 1;
    e->number = number;
}

static sl_instance instance_of(const sli_expansion *e, const sli_expand_level *level)
{
    return level->all != NULL ? sli_instances_at(level->all, level->next)
                              : sli_given_instance(&e->given, level->next);
}

/* The transform of an instance at the present level.  The outermost level has none of its own. */
static bool transform_of(const sli_expansion *e, const sl_instance *instance, sl_transform *out)
{
    const sli_expand_level *level = &e->level[e->depth - 1];
    if (e->depth == 1) {
        *out = instance->transform;
        return true;
    }
    return level->finite && sl_transform_product(&level->transform, &instance->transform, out);
}

bool sli_expand_next(sli_expansion *e, sli_leaf *leaf)
{
    while (e->depth > 0) {
        sli_expand_level *level = &e->level[e->depth - 1];
        if (level->next == level->end) {
            e->depth--;
            continue;
        }
        const sl_instance instance = instance_of(e, level);
        level->next++;
        if (sli_instance_is_nested(&instance) && instance.bvh->world.count == 0) {
            continue; /* of empty trees, nested, there may be 64^15 with few instances */
        }
        sl_transform transform = { .m = { { 0 } } };
        const bool finite = transform_of(e, &instance, &transform);
        const double grid = level->grid != 0 ? level->grid : instance.grid;
        const uint32_t mask = level->mask & instance.mask;
        if (sli_instance_is_nested(&instance)) {
            e->level[e->depth++] = (sli_expand_level){ .all = instance.bvh->instances,
                                                       .end = instance.bvh->instances->count,
                                                       .transform = transform,
                                                       .grid = grid,
                                                       .mask = mask,
                                                       .finite = finite };
            continue;
        }
        *leaf = (sli_leaf){ .tree = instance.bvh,
                            .transform = transform,
                            .finite = finite,
                            .grid = grid,
                            .mask = mask,
                            .number = e->number++ };
        return true;
    }
    return false;
}
