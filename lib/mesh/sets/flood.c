/* sets/flood.c: sets of elements followed to all that hangs together with them.  Each element waits
 * in a queue once, and what lies between elements is crossed once, however many meet there. */
#include "lib/mesh/sets/bits.h"

#include <string.h>

typedef struct flood {
    const sl_topology *t;
    uint64_t *out;
    uint64_t *crossed; /* edges between triangles, vertices between edges */
    uint64_t *queue;   /* two to a word */
    size_t count;      /* that were put into the queue */
    uint32_t stop;
    bool chain; /* of features, through vertices that are none */
} flood;

static void flood_push(flood *f, uint32_t element)
{
    uint64_t *word = &f->queue[f->count / 2];
    *word = f->count % 2 == 0 ? element : *word | (uint64_t)element << 32;
    f->count++;
}

static void flood_reach(flood *f, uint32_t element)
{
    if (!sli_set_has(f->out, element)) {
        sli_set_put(f->out, element);
        flood_push(f, element);
    }
}

static bool flood_cross(flood *f, uint32_t between)
{
    const bool fresh = !sli_set_has(f->crossed, between);
    sli_set_put(f->crossed, between);
    return fresh;
}

static bool flood_stops(const flood *f, uint32_t edge)
{
    return (f->t->kinds[edge] & f->stop) != 0;
}

static void leave_triangle(flood *f, uint32_t prim)
{
    const sl_topology *t = f->t;
    for (size_t k = 0; k < 3; k++) {
        const uint32_t edge = t->edges[3 * (size_t)prim + k];
        if (edge == SL_NONE || flood_stops(f, edge) || !flood_cross(f, edge)) {
            continue;
        }
        for (size_t i = t->edge_sides[edge]; i < t->edge_sides[edge + 1]; i++) {
            flood_reach(f, t->sides[i] / 3);
        }
    }
}

static void leave_vertex(flood *f, uint32_t vertex)
{
    const size_t degree = sli_vertex_degree(f->t, vertex);
    for (size_t i = 0; i < degree; i++) {
        const uint32_t edge = sli_vertex_edge(f->t, vertex, i);
        uint32_t ends[2];
        if (!flood_stops(f, edge)) {
            sli_edge_ends(f->t, edge, ends);
            flood_reach(f, ends[0] == vertex ? ends[1] : ends[0]);
        }
    }
}

static void leave_edge(flood *f, uint32_t edge)
{
    uint32_t ends[2];
    sli_edge_ends(f->t, edge, ends);
    for (int end = 0; end < 2; end++) {
        if (f->chain && (sli_set_has(f->t->corner_bits, ends[end]) ||
                         (f->t->kinds[edge] & SLI_EDGE_FEATURE) == 0)) {
            continue;
        }
        if (!flood_cross(f, ends[end])) {
            continue;
        }
        const size_t degree = sli_vertex_degree(f->t, ends[end]);
        for (size_t i = 0; i < degree; i++) {
            const uint32_t next = sli_vertex_edge(f->t, ends[end], i);
            const bool follows =
                f->chain ? (f->t->kinds[next] & SLI_EDGE_FEATURE) != 0 : !flood_stops(f, next);
            if (follows) {
                flood_reach(f, next);
            }
        }
    }
}

static void flood_run(flood *f, sl_element kind, const uint64_t *set)
{
    const size_t words = sl_set_words(f->t, kind);
    const sl_element between = kind == SL_TRIANGLES ? SL_EDGES : SL_VERTICES;
    memset(f->crossed, 0, sl_set_words(f->t, between) * sizeof *f->crossed);
    sli_set_copy(f->t, kind, set, f->out);
    for (size_t i = 0; i < words; i++) {
        for (uint64_t word = f->out[i]; word != 0; word &= word - 1) {
            flood_push(f, (uint32_t)(64 * i) + sli_lowest_bit(word));
        }
    }
    for (size_t i = 0; i < f->count; i++) {
        const uint32_t element = (uint32_t)(f->queue[i / 2] >> i % 2 * 32);
        if (kind == SL_TRIANGLES) {
            leave_triangle(f, element);
        } else if (kind == SL_VERTICES) {
            leave_vertex(f, element);
        } else {
            leave_edge(f, element);
        }
    }
}

/* The scratch: crossed first, then the queue. */
static flood flood_over(const sl_topology *t, uint64_t *scratch, uint64_t *out)
{
    const size_t edges = sl_set_words(t, SL_EDGES), vertices = sl_set_words(t, SL_VERTICES);
    return (flood){ .t = t,
                    .out = out,
                    .crossed = scratch,
                    .queue = scratch + (edges > vertices ? edges : vertices) };
}

void sl_set_connected(const sl_topology *topology, sl_element kind, const uint64_t *set,
                      uint32_t stop, uint64_t *scratch, uint64_t *out)
{
    if (kind > SL_TRIANGLES) {
        sli_set_copy(topology, kind, set, out);
        return;
    }
    flood f = flood_over(topology, scratch, out);
    f.stop = stop & ~(uint32_t)SLI_EDGE_BENDS;
    flood_run(&f, kind, set);
}

void sl_set_chain(const sl_topology *topology, const uint64_t *edges, uint64_t *scratch,
                  uint64_t *out)
{
    flood f = flood_over(topology, scratch, out);
    f.chain = true;
    flood_run(&f, SL_EDGES, edges);
}
