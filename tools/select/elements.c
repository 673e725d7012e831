/* select/elements.c: from elements that are selected to triangles, and back. */
#include "tools/select/select.h"

const sl_topology *select_topology(const select_run *run, uint32_t instance)
{
    return instance < run->topologies.count ? run->topologies.of[instance] : NULL;
}

uint32_t select_triangle_of(const select_run *run, sl_selected selected, uint32_t *side)
{
    const sl_topology *topology = select_topology(run, selected.instance);
    const sl_element kind = select_unit(run->options) == SL_SELECT_EDGES ? SL_EDGES : SL_VERTICES;
    uint32_t prim = SL_NONE;
    *side = 0;
    if (topology == NULL) {
        *side = selected.element % 3;
        return selected.element / 3;
    }
    sl_topology_around(topology, kind, selected.element, SL_TRIANGLES, &prim, 1);
    for (uint32_t i = 0; prim != SL_NONE && i < 3; i++) {
        if (sl_topology_element_of(topology, prim, kind, i) == selected.element) {
            *side = i;
        }
    }
    return prim;
}

uint32_t select_element_of(const select_run *run, uint32_t instance, uint32_t prim)
{
    const sl_topology *topology = select_topology(run, instance);
    switch (select_unit(run->options)) {
    case SL_SELECT_PARTS:
        return topology != NULL ? sl_topology_element_of(topology, prim, SL_PARTS, 0) : 0;
    case SL_SELECT_FACES:
        return topology != NULL ? sl_topology_element_of(topology, prim, SL_FACES, 0) : prim;
    case SL_SELECT_TRIANGLES:
        return prim;
    default:
        return 0;
    }
}
