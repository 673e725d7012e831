/* topology/number.c: numbers positions in the order of the mesh's vertices, by a table; and where
 * too many of them meet in it, as in a file that is made for that, by sorting them. */
#include "lib/mesh/topology/number.h"

#include "lib/base/memory.h"
#include "lib/mesh/mesh.h"
#include "lib/mesh/positions.h"

typedef struct numbering {
    sl_topology *t;
    const sl_mesh *mesh;
    uint32_t *number; /* of each vertex of the mesh, SL_NONE where no triangle uses it */
} numbering;

static void mark_used(const numbering *n)
{
    memset(n->number, 0xFF, n->mesh->info.vertex_count * sizeof *n->number);
    for (size_t i = 0; i < 3 * n->mesh->info.triangle_count; i++) {
        if (n->mesh->indices[i] != SL_NONE) {
            n->number[n->mesh->indices[i]] = 0;
        }
    }
}

/* Twice as many places as vertices at least, so that few are tried for each. */
static size_t table_size(size_t vertex_count)
{
    size_t size = 16;
    while (size / 2 < vertex_count) {
        size *= 2;
    }
    return size;
}

/* False where more places were tried than with any numbers that are not meant to meet. */
static bool number_by_table(const numbering *n, uint32_t *table, size_t mask)
{
    const size_t count = n->mesh->info.vertex_count;
    size_t tries = 8 * count + 1024;
    uint32_t next = 0;
    memset(table, 0xFF, (mask + 1) * sizeof *table);
    for (size_t i = 0; i < count; i++) {
        if (n->number[i] == SL_NONE) {
            continue;
        }
        uint32_t words[3], other[3];
        sli_position_words(n->mesh->xyz + 3 * i, words);
        size_t slot = (size_t)sli_position_hash(words) & mask;
        for (; table[slot] != SL_NONE; slot = (slot + 1) & mask) {
            sli_position_words(n->mesh->xyz + 3 * (size_t)table[slot], other);
            if (memcmp(words, other, sizeof words) == 0) {
                break;
            }
            if (tries-- == 0) {
                return false;
            }
        }
        if (table[slot] == SL_NONE) {
            table[slot] = (uint32_t)i;
            n->number[i] = next++;
        } else {
            n->number[i] = n->number[table[slot]];
        }
    }
    n->t->info.vertex_count = next;
    return true;
}

/* By sorting; the numbers that this gives are in another order, which the first vertex of each
 * mends. False when out of memory. */
static bool number_by_order(const numbering *n)
{
    const size_t corner_count = 3 * n->mesh->info.triangle_count;
    const sl_soup soup = sl_mesh_soup(n->mesh);
    const sl_hooks quiet = { .allocator = n->t->allocator };
    const sl_allocator *allocator = &quiet.allocator;
    size_t used, distinct;
    if (!sli_number_positions(&soup, n->mesh->info.vertex_count, &(sli_stage){ .hooks = &quiet },
                              n->t->vertices, &used, &distinct)) {
        return false;
    }
    uint32_t *renamed = sli_alloc_array(allocator, distinct, sizeof *renamed);
    if (renamed == NULL) {
        return false;
    }
    for (size_t i = 0; i < corner_count; i++) {
        if (n->t->vertices[i] != SL_NONE) {
            n->number[n->mesh->indices[i]] = n->t->vertices[i];
        }
    }
    uint32_t next = 0;
    memset(renamed, 0xFF, distinct * sizeof *renamed);
    for (size_t i = 0; i < n->mesh->info.vertex_count; i++) {
        if (n->number[i] != SL_NONE) {
            uint32_t *name = &renamed[n->number[i]];
            *name = *name == SL_NONE ? next++ : *name;
            n->number[i] = *name;
        }
    }
    n->t->info.vertex_count = distinct;
    sli_free_array(allocator, renamed, distinct, sizeof *renamed);
    return true;
}

/* A vertex is the first at its position where its number is the next. */
static bool list_vertices(const numbering *n)
{
    sl_topology *t = n->t;
    t->mesh_vertices = sli_topology_take(t, t->info.vertex_count, sizeof *t->mesh_vertices);
    if (t->mesh_vertices == NULL) {
        return false;
    }
    uint32_t next = 0;
    for (size_t i = 0; i < n->mesh->info.vertex_count; i++) {
        if (n->number[i] == next) {
            t->mesh_vertices[next++] = (uint32_t)i;
        }
    }
    for (size_t i = 0; i < 3 * n->mesh->info.triangle_count; i++) {
        const uint32_t vertex = n->mesh->indices[i];
        t->vertices[i] = vertex != SL_NONE ? n->number[vertex] : SL_NONE;
    }
    return true;
}

bool sli_topology_number(sl_topology *topology, const sl_mesh *mesh)
{
    const sl_allocator *allocator = &topology->allocator;
    const size_t count = mesh->info.vertex_count, size = table_size(count);
    topology->vertices =
        sli_topology_take(topology, 3 * mesh->info.triangle_count, sizeof *topology->vertices);
    const numbering n = { topology, mesh, sli_alloc_array(allocator, count, sizeof *n.number) };
    uint32_t *table = sli_alloc_array(allocator, size, sizeof *table);
    bool good = topology->vertices != NULL && n.number != NULL && table != NULL;
    if (good) {
        mark_used(&n);
        const bool done = number_by_table(&n, table, size - 1);
        sli_free_array(allocator, table, size, sizeof *table);
        table = NULL;
        good = (done || number_by_order(&n)) && list_vertices(&n);
    }
    sli_free_array(allocator, table, size, sizeof *table);
    sli_free_array(allocator, n.number, count, sizeof *n.number);
    return good;
}
