/* Why an instance was left out: it is judged again. */
#include "bvh/scene/transforms.h"
#include "lib/base/fpenv.h"

static SLI_NOINLINE const char *left_out_words(const sli_instances *all, uint32_t number)
{
    sli_expansion e;
    sli_leaf leaf;
    sli_transformed unused;
    sli_world_box box;
    const sli_given given = { (const char *)all->given, sizeof *all->given };
    const size_t index = sli_instances_index(all, number);
    sli_expand_begin(&e, &given, index, index + 1, all->first[index]);
    while (sli_expand_next(&e, &leaf)) {
        if (leaf.number == number) {
            return leaf.tree != NULL ? sli_transform_leaf(&leaf, &unused, &box) : NULL;
        }
    }
    return NULL;
}

/* Where none was left out, what was given is not kept. */
const char *sl_bvh_left_out(const sl_bvh *bvh, uint32_t instance)
{
    const sli_instances *all = bvh->instances;
    if (all == NULL || all->given == NULL || instance >= bvh->world.count ||
        bvh->world.transformed[instance].tree != NULL) {
        return NULL;
    }
    return SLI_IN_FPENV(left_out_words(all, instance));
}
