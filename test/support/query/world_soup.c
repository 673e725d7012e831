/* The triangles of a world, as options leave them in. */
#include "test/support/query/world_soup.h"

#include "bvh/tree/instances.h"
#include "test/support/test.h"

void world_soup_free(world_soup *s)
{
    free(s->corners);
    free(s->refs);
}

static bool soup_leaves_in(const sl_options *options, const sl_bvh *bvh, sl_triangle_ref ref)
{
    const sli_transformed *transformed = &bvh->world.transformed[ref.instance];
    const uint32_t mask = options->mask;
    bool in = mask == 0 || ((transformed->mask & mask) != 0 &&
                            (sli_tree_mask(transformed->tree, ref.prim) & mask) != 0);
    for (size_t i = 0; i < options->skip_count; i++) {
        in = in && memcmp(&options->skip[i], &ref, sizeof ref) != 0;
    }
    for (size_t i = 0; i < options->ignore_count; i++) {
        const sl_instance_range *range = &options->ignore[i];
        in = in && (ref.instance < range->first ||
                    (uint64_t)ref.instance >= (uint64_t)range->first + range->count);
    }
    return in;
}

world_soup world_soup_of(const sl_bvh *bvh, const sl_options *options)
{
    world_soup s = { .count = 0 };
    const sl_options all = { .mask = 0 };
    const size_t count = sli_bvh_triangle_count(bvh);
    s.corners = made_memory((count + 1) * sizeof *s.corners);
    s.refs = made_memory((count + 1) * sizeof *s.refs);
    for (uint32_t instance = 0; instance < bvh->world.count; instance++) {
        const sl_bvh *tree = bvh->world.transformed[instance].tree;
        for (uint32_t prim = 0; tree != NULL && prim < tree->prim_count; prim++) {
            const sl_triangle_ref ref = { instance, prim };
            if (sl_bvh_triangle(bvh, ref, s.corners[s.count].v) &&
                soup_leaves_in(options != NULL ? options : &all, bvh, ref)) {
                if (bvh->world.transformed[instance].mirrored) { /* around the object's front */
                    const sl_triangle_d as_it_lies = s.corners[s.count];
                    memcpy(s.corners[s.count].v[1], as_it_lies.v[2], sizeof as_it_lies.v[2]);
                    memcpy(s.corners[s.count].v[2], as_it_lies.v[1], sizeof as_it_lies.v[1]);
                }
                s.refs[s.count++] = ref;
            }
        }
    }
    return s;
}
