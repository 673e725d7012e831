/* topology/memory.c: the arrays that a topology owns. */
#include "lib/base/memory.h"
#include "lib/mesh/topology.h"

void *sli_topology_take(sl_topology *topology, size_t count, size_t size)
{
    void *memory = sli_alloc_array(&topology->allocator, count, size);
    if (memory != NULL) {
        topology->blocks[topology->block_count].memory = memory;
        topology->blocks[topology->block_count].count = count;
        topology->blocks[topology->block_count++].size = size;
        topology->info.bytes += count * size;
    }
    return memory;
}

void sl_topology_destroy(sl_topology *topology)
{
    if (topology == NULL) {
        return;
    }
    const sl_allocator allocator = topology->allocator;
    for (size_t i = 0; i < topology->block_count; i++) {
        sli_free_array(&allocator, topology->blocks[i].memory, topology->blocks[i].count,
                       topology->blocks[i].size);
    }
    sli_free_array(&allocator, topology, 1, sizeof *topology);
}
