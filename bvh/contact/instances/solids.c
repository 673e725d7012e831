/* Two instances as solids, for clashes that their surfaces do not show: a tree over each of them
 * alone goes to sl_bvh_solids. */
#include "bvh/contact/instances/clashes.h"

#include <sightline/instances.h>

/* The box of an instance within that of another one, both rounded outwards by 2^-22 at most. */
static bool is_within(const sl_triangle *inner, const sl_triangle *outer)
{
    for (int axis = 0; axis < 3; axis++) {
        const float low = inner->v[0][axis], high = inner->v[1][axis];
        if (low + fabsf(low) * 0x1p-21f + 0x1p-125f < outer->v[0][axis] ||
            high - fabsf(high) * 0x1p-21f - 0x1p-125f > outer->v[1][axis]) {
            return false;
        }
    }
    return true;
}

bool sli_clashes_may_nest(const sli_clash_search *s, uint32_t a, uint32_t b)
{
    const sl_bvh *top = s->bvh->world.top;
    sl_triangle box[2];
    return sli_tree_triangle(top, a, &box[0]) && sli_tree_triangle(top, b, &box[1]) &&
           (is_within(&box[0], &box[1]) || is_within(&box[1], &box[0]));
}

/* The instance alone, as number 0. */
static sl_result make_alone(const sli_clash_search *s, uint32_t number, sl_bvh **out)
{
    const sli_transformed *at = &s->bvh->world.transformed[number];
    const sl_instance instance = { .bvh = at->tree,
                                   .transform = at->transform,
                                   .grid = sli_transformed_grid(at),
                                   .mask = at->mask };
    const sl_instances_def def = { .hooks.allocator = s->report->allocator };
    return sl_bvh_build_instances(&instance, 1, &def, out, NULL);
}

static bool has_skips(const sli_clash_search *s, uint32_t number)
{
    return s->report->instances[number].version == 0;
}

sl_result sli_clashes_solids(const sli_clash_search *s, uint32_t a, uint32_t b,
                             sl_solid_relation *relation)
{
    const sl_options options = { .mask = s->item.mask };
    const sl_solids_def def = { .hooks.allocator = s->report->allocator,
                                .a = &options,
                                .b = &options };
    const uint32_t numbers[2] = { a, b };
    sl_bvh *alone[2] = { NULL, NULL };
    sl_solids solids = { .relation = SL_SOLIDS_NONE };
    sl_result result = SL_OK;
    if (!has_skips(s, a) && !has_skips(s, b)) {
        for (int i = 0; i < 2 && result == SL_OK; i++) {
            result = make_alone(s, numbers[i], &alone[i]);
        }
        if (result == SL_OK) {
            result = sl_bvh_solids(alone[0], alone[1], &def, &solids, NULL);
        }
    }
    sl_bvh_destroy(alone[0]);
    sl_bvh_destroy(alone[1]);
    *relation = solids.relation;
    return result;
}
