/* Where the surfaces of two trees cross and touch: the segments that their triangles share, chained
 * into curves.
 *
 * A curve goes on where two segments meet, and ends where one does, or more than two.  Each is
 * found from its lowest segment: back to where it begins, or once around; then forwards. */
#include "bvh/contact/segments.h"
#include "lib/base/error.h"
#include "lib/base/memory.h"

#include <string.h>

#define NO_SEGMENT UINT32_MAX

/* What is given to the caller, and what destroying it takes. */
typedef struct curves_made {
    sl_curves curves; /* first: the caller has its address */
    sl_allocator allocator;
} curves_made;

/* Curves on the way.  An edge is a segment and a direction, 2 * segment + (1: backwards). */
typedef struct chaining {
    const sli_segments *of;
    uint32_t *first;   /* edges from each node: those from node i begin at first[i] */
    uint32_t *edges;   /* by the nodes that they come from */
    uint8_t *visited;  /* segments */
    uint32_t *chained; /* edges, in the order of curves */
    size_t chained_count;
    size_t *starts; /* of curves in chained */
    size_t curve_count;
} chaining;

static uint32_t node_from(const chaining *c, uint32_t edge)
{
    return c->of->segments[edge >> 1].node[edge & 1];
}

/* Counts the edges from each node, then deals them. */
static void deal_edges(chaining *c)
{
    const size_t nodes = c->of->node_count, edges = 2 * c->of->segment_count;
    memset(c->first, 0, (nodes + 2) * sizeof *c->first);
    for (size_t e = 0; e < edges; e++) {
        c->first[node_from(c, (uint32_t)e) + 2]++;
    }
    for (size_t i = 2; i < nodes + 2; i++) {
        c->first[i] += c->first[i - 1];
    }
    for (size_t e = 0; e < edges; e++) { /* first[i + 1] goes up to where node i ends */
        c->edges[c->first[node_from(c, (uint32_t)e) + 1]++] = (uint32_t)e;
    }
}

/* The edge with which a curve goes on after this one; NO_SEGMENT: none. */
static uint32_t edge_after(const chaining *c, uint32_t edge)
{
    const uint32_t back = edge ^ 1, node = node_from(c, back), first = c->first[node];
    if (c->first[node + 1] - first != 2) {
        return NO_SEGMENT;
    }
    return c->edges[first] == back ? c->edges[first + 1] : c->edges[first];
}

static void chain_from(chaining *c, uint32_t segment)
{
    const uint32_t lowest = 2 * segment, end = lowest ^ 1;
    uint32_t back = end, next = edge_after(c, back);
    while (next != NO_SEGMENT && next != end) {
        back = next;
        next = edge_after(c, back);
    }
    c->starts[c->curve_count++] = c->chained_count;
    uint32_t edge = next == end ? lowest : back ^ 1;
    while (edge != NO_SEGMENT && !c->visited[edge >> 1]) {
        c->visited[edge >> 1] = 1;
        c->chained[c->chained_count++] = edge;
        edge = edge_after(c, edge);
    }
}

static void chain_all(chaining *c)
{
    const size_t count = c->of->segment_count;
    deal_edges(c);
    memset(c->visited, 0, count);
    for (size_t i = 0; i < count; i++) {
        if (!c->visited[i]) {
            chain_from(c, (uint32_t)i);
        }
    }
    c->starts[c->curve_count] = c->chained_count;
}

void sl_curves_destroy(sl_curves *curves)
{
    if (curves != NULL) {
        const sl_allocator allocator = ((curves_made *)curves)->allocator;
        const size_t points = curves->point_count;
        sli_free_array(&allocator, (void *)curves->starts, curves->curve_count + 1,
                       sizeof *curves->starts);
        sli_free_array(&allocator, (void *)curves->points, points, sizeof *curves->points);
        sli_free_array(&allocator, (void *)curves->pairs, points, sizeof *curves->pairs);
        sli_free(&allocator, curves, sizeof(curves_made));
    }
}

/* Each edge gives the point where it begins, the last of a curve also its end. */
static void put_curves(const chaining *c, size_t *starts, double (*points)[3], sl_clash_pair *pairs)
{
    const sli_segments *of = c->of;
    size_t at = 0;
    for (size_t i = 0; i < c->curve_count; i++) {
        starts[i] = at;
        for (size_t k = c->starts[i]; k <= c->starts[i + 1]; k++, at++) {
            const bool last = k == c->starts[i + 1];
            const uint32_t edge = c->chained[last ? k - 1 : k];
            memcpy(points[at], of->nodes[node_from(c, edge ^ (last ? 1 : 0))].x, sizeof points[at]);
            pairs[at] = of->pairs[of->segments[edge >> 1].pair].pair;
        }
    }
    starts[c->curve_count] = at;
}

static sl_result make_curves(const chaining *c, sl_curves **out)
{
    const sl_allocator *allocator = &c->of->allocator;
    curves_made *made = sli_alloc(allocator, sizeof *made, _Alignof(curves_made));
    if (made == NULL) {
        return SL_OUT_OF_MEMORY;
    }
    const size_t curves = c->curve_count, count = c->chained_count + curves;
    size_t *starts = sli_alloc_array(allocator, curves + 1, sizeof *starts);
    double(*points)[3] = sli_alloc_array(allocator, count, sizeof *points);
    sl_clash_pair *pairs = sli_alloc_array(allocator, count, sizeof *pairs);
    *made =
        (curves_made){ { curves, count, starts, (const double(*)[3])points, pairs }, *allocator };
    if (starts == NULL || points == NULL || pairs == NULL) {
        sl_curves_destroy(&made->curves);
        return SL_OUT_OF_MEMORY;
    }
    put_curves(c, starts, points, pairs);
    *out = &made->curves;
    return SL_OK;
}

static sl_result chain(const sli_segments *segments, sl_curves **out)
{
    const sl_allocator *allocator = &segments->allocator;
    const size_t count = segments->segment_count, nodes = segments->node_count;
    chaining c = { .of = segments };
    c.first = sli_alloc_array(allocator, nodes + 2, sizeof *c.first);
    c.edges = sli_alloc_array(allocator, count, 2 * sizeof *c.edges);
    c.chained = sli_alloc_array(allocator, count, sizeof *c.chained);
    c.visited = sli_alloc_array(allocator, count, sizeof *c.visited);
    c.starts = sli_alloc_array(allocator, count + 1, sizeof *c.starts);
    sl_result result = SL_OUT_OF_MEMORY;
    if (c.first != NULL && c.edges != NULL && c.chained != NULL && c.visited != NULL &&
        c.starts != NULL) {
        chain_all(&c);
        result = make_curves(&c, out);
    }
    sli_free_array(allocator, c.starts, count + 1, sizeof *c.starts);
    sli_free_array(allocator, c.visited, count, sizeof *c.visited);
    sli_free_array(allocator, c.chained, count, sizeof *c.chained);
    sli_free_array(allocator, c.edges, count, 2 * sizeof *c.edges);
    sli_free_array(allocator, c.first, nodes + 2, sizeof *c.first);
    return result;
}

sl_result sl_bvh_clash_curves(const sl_bvh *a, const sl_bvh *b, const sl_clash *clash,
                              const sl_hooks *hooks, sl_curves **out, sl_error *error)
{
    SLI_TRY(SLI_CLEAR(out, error));
    if (a == NULL || b == NULL) {
        return sli_refuse(error, "a tree is NULL");
    }
    SLI_TRY(sli_check_allocator(hooks != NULL ? &hooks->allocator : NULL, error));
    const sl_hooks ready = sli_hooks(hooks);
    sli_stage stage = { .hooks = &ready, .name = "curves" };
    sli_segments segments = { .allocator = ready.allocator,
                              .stage = &stage,
                              .bvh = { a, b },
                              .clash = clash != NULL ? clash : &sli_all_that_meets };
    sl_result result = sli_stage_reach(&stage, 0) ? SL_OK : SL_CANCELLED;
    result = SLI_THEN(result, sli_segments_find(&segments));
    result = SLI_THEN(result, sli_segments_merge(&segments));
    result = SLI_THEN(result, sli_stage_reach(&stage, 1) ? SL_OK : SL_CANCELLED);
    result = SLI_THEN(result, chain(&segments, out));
    sli_segments_free(&segments);
    return result == SL_OK ? result : sli_fail_result(error, result);
}
