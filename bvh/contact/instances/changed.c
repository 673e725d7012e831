/* What the answers about each instance depend on, kept by value, so that the next report can tell
 * what has changed when the tree that this one is about, and trees in it, are gone.  A tree is its
 * family and its version: the report holds the family, so that no other has its address. */
#include "bvh/contact/instances/clashes.h"
#include "bvh/contact/pairs.h"

#include <string.h>

static uint32_t clash_number(const uint32_t *numbers, size_t i)
{
    return numbers != NULL ? numbers[i] : 0;
}

static void describe(const sli_clash_search *s, uint32_t i, sli_clash_instance *out)
{
    const sli_transformed *at = &s->bvh->world.transformed[i];
    memset(out, 0, sizeof *out);
    if (!sli_clash_has(s->bvh, &s->item, i)) {
        return;
    }
    out->family = at->tree->lineage.family;
    out->version = at->tree->lineage.version;
    out->transform = at->transform;
    out->grid = at->grid;
    out->mask = at->mask;
    out->group = sli_mask_of(clash_number(s->def->groups, i));
    out->against = sli_mask_of(clash_number(s->def->against, i));
    out->body = clash_number(s->def->bodies, i);
    sli_family_hold(out->family);
}

void sli_clashes_compare(sli_clash_search *s)
{
    sli_clash_instance *is = s->report->instances;
    const sl_clashes *was = s->previous;
    const size_t count = s->report->instance_count;
    for (uint32_t i = 0; i < count; i++) {
        describe(s, i, &is[i]);
    }
    for (size_t i = 0; i < s->item.skip_count; i++) {
        const uint32_t skipped = s->item.skip[i].instance;
        if (skipped < count) {
            is[skipped].version = 0;
        }
    }
    for (size_t i = 0; i < count; i++) {
        s->has_changed[i] = was == NULL || i >= was->instance_count ||
                            memcmp(&is[i], &was->instances[i], sizeof is[i]) != 0 ||
                            (is[i].family != NULL && is[i].version == 0);
    }
}

void sli_clashes_release(sl_clashes *report)
{
    for (size_t i = 0; i < report->instance_count; i++) {
        sli_family_release(report->instances[i].family);
    }
}
