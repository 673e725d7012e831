/* sets/convert.c: sets of elements carried from kind to kind, and with that grown and shrunk.
 *
 * Elements touch one another only within single triangles, so one pass over the triangles carries
 * any set; sets of few elements are carried element by element. */
#include "lib/mesh/sets/bits.h"

#include <string.h>

enum { SPARSE = 24 }; /* one in this many at most is carried by itself */

/* What is done with what the elements of a set, or those outside it, touch: put into out, or
 * dropped from it. */
typedef struct carrying {
    const sl_topology *t;
    const uint64_t *set;
    uint64_t *out;
    sl_element from, to;
    bool outside; /* elements that are not in the set */
    bool drop;
} carrying;

static SLI_FORCE_INLINE void convert_touch(const carrying *c, uint32_t element, bool drop)
{
    if (drop) {
        sli_set_drop(c->out, element);
    } else {
        sli_set_put(c->out, element);
    }
}

static SLI_FORCE_INLINE bool is_given(const carrying *c, uint32_t element, bool outside)
{
    return element != SL_NONE && sli_set_has(c->set, element) != outside;
}

/* The elements of a kind that a triangle has; of parts, the one that `part` says. */
static SLI_FORCE_INLINE size_t elements_of(const sl_topology *t, sl_element kind, uint32_t prim,
                                           uint32_t part, uint32_t out[3])
{
    switch (kind) {
    case SL_VERTICES:
        memcpy(out, t->vertices + 3 * (size_t)prim, 3 * sizeof *out);
        return 3;
    case SL_EDGES:
        memcpy(out, t->edges + 3 * (size_t)prim, 3 * sizeof *out);
        return 3;
    case SL_TRIANGLES:
        out[0] = prim;
        return 1;
    case SL_FACES:
        out[0] = t->faces != NULL ? t->faces[prim] : prim;
        return 1;
    default:
        out[0] = part;
        return 1;
    }
}

/* Sides of the triangle that are a side of its face, too. */
static bool is_side_of_face(const sl_topology *t, uint32_t edge)
{
    return edge != SL_NONE && (t->kinds[edge] & SL_EDGE_FACE) != 0;
}

/* Of vertices and edges, those of one triangle: side k has corners k and k + 1. */
static SLI_FORCE_INLINE void carry_ends(const carrying *c, uint32_t prim, bool to_edges,
                                        bool outside, bool drop)
{
    const uint32_t *v = c->t->vertices + 3 * (size_t)prim, *e = c->t->edges + 3 * (size_t)prim;
    for (uint32_t k = 0; k < 3; k++) {
        const uint32_t a = v[k], b = v[k == 2 ? 0 : k + 1];
        if (e[k] == SL_NONE) {
            continue;
        }
        if (to_edges && (is_given(c, a, outside) || is_given(c, b, outside))) {
            convert_touch(c, e[k], drop);
        } else if (!to_edges && is_given(c, e[k], outside)) {
            convert_touch(c, a, drop);
            convert_touch(c, b, drop);
        }
    }
}

static SLI_FORCE_INLINE void carry_triangle(const carrying *c, sl_element from, sl_element to,
                                            uint32_t prim, uint32_t part, bool outside, bool drop)
{
    uint32_t a[3], b[3];
    if (sli_is_left_out(c->t, prim)) {
        return;
    }
    if ((from == SL_VERTICES && to == SL_EDGES) || (from == SL_EDGES && to == SL_VERTICES)) {
        carry_ends(c, prim, to == SL_EDGES, outside, drop);
        return;
    }
    const size_t a_count = elements_of(c->t, from, prim, part, a);
    const size_t b_count = elements_of(c->t, to, prim, part, b);
    bool any = false;
    for (size_t i = 0; i < a_count; i++) {
        const bool counts = from != SL_EDGES || to != SL_FACES || is_side_of_face(c->t, a[i]);
        any = any || (counts && is_given(c, a[i], outside));
    }
    for (size_t i = 0; i < b_count && any; i++) {
        const bool counts = to != SL_EDGES || from != SL_FACES || is_side_of_face(c->t, b[i]);
        if (counts && b[i] != SL_NONE) {
            convert_touch(c, b[i], drop);
        }
    }
}

static SLI_FORCE_INLINE void carry_all(const carrying *c, sl_element from, sl_element to)
{
    const bool outside = c->outside, drop = c->drop;
    for (size_t prim = 0; prim < c->t->info.triangle_count; prim++) {
        carry_triangle(c, from, to, (uint32_t)prim, SL_NONE, outside, drop);
    }
}

/* Part by part, where parts matter. */
static void carry_parts(const carrying *c)
{
    const sl_topology *t = c->t;
    for (size_t part = 0; part < t->info.part_count; part++) {
        const size_t end =
            part + 1 < t->info.part_count ? t->part_first[part + 1] : t->info.triangle_count;
        for (size_t prim = t->part_first[part]; prim < end; prim++) {
            carry_triangle(c, c->from, c->to, (uint32_t)prim, (uint32_t)part, c->outside, c->drop);
        }
    }
}

/* The usual ways are compiled by themselves. */
static void convert_carry(const carrying *c)
{
    if (c->from == SL_VERTICES && c->to == SL_TRIANGLES) {
        carry_all(c, SL_VERTICES, SL_TRIANGLES);
    } else if (c->from == SL_EDGES && c->to == SL_TRIANGLES) {
        carry_all(c, SL_EDGES, SL_TRIANGLES);
    } else if (c->from == SL_TRIANGLES && c->to == SL_VERTICES) {
        carry_all(c, SL_TRIANGLES, SL_VERTICES);
    } else if (c->from == SL_TRIANGLES && c->to == SL_EDGES) {
        carry_all(c, SL_TRIANGLES, SL_EDGES);
    } else if (c->from == SL_VERTICES && c->to == SL_EDGES) {
        carry_all(c, SL_VERTICES, SL_EDGES);
    } else if (c->from == SL_EDGES && c->to == SL_VERTICES) {
        carry_all(c, SL_EDGES, SL_VERTICES);
    } else if (c->from == SL_PARTS || c->to == SL_PARTS) {
        carry_parts(c);
    } else {
        carry_all(c, c->from, c->to);
    }
}

/* ---- few elements ---------------------------------------------------------------------- */

static void carry_edge(const carrying *c, uint32_t edge)
{
    const sl_topology *t = c->t;
    uint32_t ends[2];
    if (c->to == SL_VERTICES) {
        sli_edge_ends(t, edge, ends);
        convert_touch(c, ends[0], c->drop);
        convert_touch(c, ends[1], c->drop);
        return;
    }
    for (size_t i = t->edge_sides[edge]; i < t->edge_sides[edge + 1]; i++) {
        convert_touch(c, t->sides[i] / 3, c->drop);
    }
}

static void touch_triangle(void *context, uint32_t prim)
{
    const carrying *c = context;
    convert_touch(c, prim, c->drop);
}

static void carry_vertex(carrying *c, uint32_t vertex)
{
    if (c->to == SL_TRIANGLES) {
        sli_vertex_triangles(c->t, vertex, touch_triangle, c);
        return;
    }
    const size_t degree = sli_vertex_degree(c->t, vertex);
    for (size_t i = 0; i < degree; i++) {
        convert_touch(c, sli_vertex_edge(c->t, vertex, i), c->drop);
    }
}

/* Each element of a set of vertices, edges or triangles; of triangles to any kind. */
static void carry_few(carrying *c)
{
    const size_t count = sli_set_capacity(c->t, c->from), words = sl_set_words(c->t, c->from);
    for (size_t i = 0; i < words; i++) {
        for (uint64_t word = sli_set_word(c->set[i], i, count); word != 0; word &= word - 1) {
            const uint32_t element = (uint32_t)(64 * i) + sli_lowest_bit(word);
            if (c->from == SL_TRIANGLES) {
                const uint32_t part = c->to == SL_PARTS
                                          ? sl_topology_element_of(c->t, element, SL_PARTS, 0)
                                          : SL_NONE;
                carry_triangle(c, SL_TRIANGLES, c->to, element, part, false, c->drop);
            } else if (c->from == SL_EDGES) {
                carry_edge(c, element);
            } else {
                carry_vertex(c, element);
            }
        }
    }
}

static void carry_set(carrying *c)
{
    const bool near = c->from == SL_TRIANGLES || (c->from < SL_TRIANGLES && c->to <= SL_TRIANGLES);
    if (near && !c->outside && sli_set_is_sparse(c->t, c->from, c->set, SPARSE)) {
        carry_few(c);
    } else {
        convert_carry(c);
    }
}

static void convert_clear(const sl_topology *t, sl_element kind, uint64_t *set)
{
    memset(set, 0, sl_set_words(t, kind) * sizeof *set);
}

void sl_set_convert(const sl_topology *topology, sl_element from, const uint64_t *set,
                    sl_set_rule rule, sl_element to, uint64_t *out)
{
    if (from == to) {
        sli_set_copy(topology, to, set, out);
        return;
    }
    carrying c = { .t = topology, .set = set, .out = out, .from = from, .to = to };
    convert_clear(topology, to, out);
    if (sli_set_capacity(topology, from) == 0 || sli_set_capacity(topology, to) == 0) {
        return;
    }
    carry_set(&c);
    if (rule == SL_ALL_OF) {
        c.outside = c.drop = true;
        carry_set(&c);
    }
}

/* Elements of what touches the set, or what is outside it, are put in or dropped. */
static void convert_step(const sl_topology *t, sl_element kind, const uint64_t *set,
                         sl_element through, uint64_t *scratch, uint64_t *out, bool shrink)
{
    carrying there = { .t = t, .set = set, .out = scratch, .from = kind, .to = through };
    carrying back = { .t = t, .set = scratch, .out = out, .from = through, .to = kind };
    there.outside = back.drop = shrink;
    if (kind == through || sli_set_capacity(t, kind) == 0 || sli_set_capacity(t, through) == 0) {
        sli_set_copy(t, kind, set, out);
        return;
    }
    convert_clear(t, through, scratch);
    carry_set(&there);
    sli_set_copy(t, kind, set, out);
    carry_set(&back);
}

void sl_set_grow(const sl_topology *topology, sl_element kind, const uint64_t *set,
                 sl_element through, uint64_t *scratch, uint64_t *out)
{
    convert_step(topology, kind, set, through, scratch, out, false);
}

void sl_set_shrink(const sl_topology *topology, sl_element kind, const uint64_t *set,
                   sl_element through, uint64_t *scratch, uint64_t *out)
{
    convert_step(topology, kind, set, through, scratch, out, true);
}

/* Whether an edge, which a triangle in the set has, is one that bounds it. */
static bool convert_bounds(const sl_topology *t, const uint64_t *triangles, uint32_t edge)
{
    if ((t->kinds[edge] & SL_EDGE_BOUNDARY) != 0) {
        return true;
    }
    for (size_t i = t->edge_sides[edge]; i < t->edge_sides[edge + 1]; i++) {
        if (!sli_set_has(triangles, t->sides[i] / 3)) {
            return true;
        }
    }
    return false;
}

/* First all edges of the set, then each of them once, so that many triangles at one edge cost what
 * they are. */
void sl_set_boundary(const sl_topology *topology, const uint64_t *triangles, uint64_t *edges)
{
    const size_t words = sl_set_words(topology, SL_EDGES);
    sl_set_convert(topology, SL_TRIANGLES, triangles, SL_ANY_OF, SL_EDGES, edges);
    for (size_t i = 0; i < words; i++) {
        for (uint64_t word = edges[i]; word != 0; word &= word - 1) {
            const uint32_t edge = (uint32_t)(64 * i) + sli_lowest_bit(word);
            if (!convert_bounds(topology, triangles, edge)) {
                sli_set_drop(edges, edge);
            }
        }
    }
}
