/* Items, elements and how they are counted. */
#include "bvh/select/elements.h"

#include "bvh/kernel/instance/intersect.h"
#include "lib/base/fpenv.h"
#include "lib/base/thread/task.h"

static const sl_topology *instance_topology(const sl_selection *s, uint32_t instance)
{
    return s->topologies != NULL ? s->topologies[instance] : NULL;
}

uint64_t sli_incidence_count(const sl_selection *s, const sl_bvh *bvh, uint32_t instance)
{
    const sl_bvh *tree = bvh->world.transformed[instance].tree;
    return tree != NULL ? (uint64_t)tree->prim_count * sli_incidences_per_prim(s) : 0;
}

uint64_t sli_element_count(const sl_selection *s, const sl_bvh *bvh, uint32_t instance)
{
    const sl_topology *topology = instance_topology(s, instance);
    if (bvh->world.transformed[instance].tree == NULL) {
        return 0;
    }
    if (s->unit == SL_SELECT_INSTANCES || (s->unit == SL_SELECT_PARTS && topology == NULL)) {
        return 1;
    }
    if (s->unit == SL_SELECT_TRIANGLES || topology == NULL) {
        return sli_incidence_count(s, bvh, instance);
    }
    const sl_topology_info info = sl_topology_get_info(topology);
    return s->unit == SL_SELECT_PARTS   ? info.part_count
           : s->unit == SL_SELECT_FACES ? info.face_count
           : s->unit == SL_SELECT_EDGES ? info.edge_count
                                        : info.vertex_count;
}

uint32_t sli_element_of(const sl_selection *s, uint32_t instance, uint32_t prim, uint32_t k)
{
    const sl_topology *topology = instance_topology(s, instance);
    switch (s->unit) {
    case SL_SELECT_INSTANCES:
        return 0;
    case SL_SELECT_PARTS:
        return topology != NULL ? sl_topology_element_of(topology, prim, SL_PARTS, 0) : 0;
    case SL_SELECT_FACES:
        return topology != NULL ? sl_topology_element_of(topology, prim, SL_FACES, 0) : prim;
    case SL_SELECT_EDGES:
        return topology != NULL ? sl_topology_element_of(topology, prim, SL_EDGES, k)
                                : 3 * prim + k;
    case SL_SELECT_VERTICES:
        return topology != NULL ? sl_topology_element_of(topology, prim, SL_VERTICES, k)
                                : 3 * prim + k;
    default:
        return prim;
    }
}

static void set_element(sl_selection *s, uint32_t instance, uint32_t element, bool selected)
{
    uint64_t *word = &s->words[s->offset[instance] + element / 64];
    const uint64_t bit = 1ull << (element % 64);
    if (((*word & bit) != 0) != selected) {
        *word ^= bit;
        s->selected[instance] += selected ? 1 : UINT64_MAX;
        s->info.selected += selected ? 1 : UINT64_MAX;
    }
}

void sli_count_element(sl_selection *s, uint32_t instance, uint32_t element, int by)
{
    if (element >= s->bit_count[instance]) { /* SL_NONE, or not of this topology */
        return;
    }
    if (s->counts == NULL) {
        set_element(s, instance, element, by > 0);
        return;
    }
    const uint64_t at = s->offset[instance] * 64 + element;
    s->counts[at] += (uint32_t)by;
    const uint32_t least = s->totals != NULL ? s->totals[at] : 1;
    set_element(s, instance, element, s->counts[at] >= least);
}

void sli_set_incidence(sl_selection *s, uint32_t instance, uint32_t prim, uint32_t k, bool selected,
                       bool whole)
{
    const uint64_t incidence = (uint64_t)prim * sli_incidences_per_prim(s) + k;
    const uint64_t at = s->incidence_offset[instance] + incidence / 64,
                   bit = 1ull << (incidence % 64);
    if (s->seen.whole != NULL) {
        s->seen.whole[at] = whole ? s->seen.whole[at] | bit : s->seen.whole[at] & ~bit;
    }
    if (((s->incidence_words[at] & bit) != 0) == selected) {
        return;
    }
    if (s->incidence_words == s->words) {
        set_element(s, instance, (uint32_t)incidence, selected);
        return;
    }
    s->incidence_words[at] ^= bit;
    if (s->seen.whole == NULL) {
        sli_count_element(s, instance, sli_element_of(s, instance, prim, k), selected ? 1 : -1);
    }
}

bool sli_has_instance(const sl_selection *s, uint32_t instance)
{
    const sli_transformed *transformed = &s->bvh->world.transformed[instance];
    return transformed->tree != NULL && transformed->tree->root != SLI_REF_EMPTY &&
           sli_world_selects(&s->ray.item, transformed, instance);
}

/* ---- Updates ---- */

bool sli_select_is_late(const sl_selection *s, uint64_t began_ns)
{
    return s->budget_ms > 0 && (double)(sli_clock_ns() - began_ns) > s->budget_ms * 1e6;
}

typedef struct shares {
    void (*share)(void *job, size_t i);
    void *job;
} shares;

static void run_shares(void *context, size_t begin, size_t end, int worker)
{
    const sli_fpenv saved = sli_fpenv_enter();
    const shares *all = context;
    (void)worker;
    for (size_t i = begin; i < end; i++) {
        all->share(all->job, i);
    }
    sli_fpenv_leave(saved);
}

void sli_select_shares(const sl_tasks *tasks, size_t count, void (*share)(void *job, size_t i),
                       void *job)
{
    shares all = { share, job };
    sli_parallel_for(tasks, count, 1, run_shares, &all);
}
