#include "test/fuzz/try_sets.h"

#include "lib/mesh/sets/bits.h"
#include "test/fuzz/fuzz.h"
#include "test/support/input/random.h"

#include <string.h>

enum { WORDS = SETS_ELEMENTS / 64 + 1, SCRATCH = SETS_ELEMENTS };

typedef struct bits {
    uint64_t words[WORDS];
} bits;

static uint64_t scratch[SCRATCH];

static bool has(const bits *set, size_t i)
{
    return (set->words[i / 64] >> i % 64 & 1) != 0;
}

static void put(bits *set, size_t i)
{
    set->words[i / 64] |= (uint64_t)1 << i % 64;
}

static bool in_triangle(const sl_topology *t, uint32_t prim, sl_element kind, uint32_t i)
{
    bool found = false;
    if (sl_topology_element_of(t, prim, SL_VERTICES, 0) == SL_NONE) {
        return false;
    }
    for (uint32_t k = 0; k < 3; k++) {
        found = found ||
                (kind == SL_VERTICES && sl_topology_element_of(t, prim, SL_VERTICES, k) == i) ||
                (kind == SL_EDGES && sl_topology_element_of(t, prim, SL_EDGES, k) == i);
    }
    return found || (kind == SL_TRIANGLES && prim == i) ||
           (kind == SL_FACES && sl_topology_element_of(t, prim, SL_FACES, 0) == i) ||
           (kind == SL_PARTS && sl_topology_element_of(t, prim, SL_PARTS, 0) == i);
}

static bool exists(const sl_topology *t, sl_element kind, uint32_t i)
{
    return kind != SL_TRIANGLES || sl_topology_element_of(t, i, SL_VERTICES, 0) != SL_NONE;
}

/* Does what topology.h says of sets of elements. */
static bool touches(const sl_topology *t, sl_element a, uint32_t i, sl_element b, uint32_t k)
{
    sl_edge edge;
    if (a > b) {
        return touches(t, b, k, a, i);
    }
    if (b == SL_EDGES && sl_topology_get_edge(t, k, &edge) && a == SL_VERTICES) {
        return edge.vertex[0] == i || edge.vertex[1] == i;
    }
    if (a == SL_EDGES && b == SL_FACES &&
        (!sl_topology_get_edge(t, i, &edge) || (edge.kinds & SL_EDGE_FACE) == 0)) {
        return false;
    }
    for (uint32_t prim = 0; prim < sli_set_capacity(t, SL_TRIANGLES); prim++) {
        if (in_triangle(t, prim, a, i) && in_triangle(t, prim, b, k)) {
            return true;
        }
    }
    return false;
}

/* With rubbish behind the last element, and where triangles were left out. */
static bits random_set(const sl_topology *t, sl_element kind, test_random *r)
{
    bits set;
    const uint32_t share = test_random_below(r, 3) == 0 ? 1 : 32u << test_random_below(r, 3);
    for (size_t i = 0; i < WORDS; i++) {
        set.words[i] = test_random_u64(r);
    }
    for (uint32_t i = 0; i < sli_set_capacity(t, kind); i++) {
        set.words[i / 64] &= ~((uint64_t)1 << i % 64);
        if (test_random_below(r, 256) < share || !exists(t, kind, i)) {
            put(&set, i);
        }
    }
    return set;
}

static void expect(const sl_topology *t, sl_element kind, const bits *found, const bits *expected,
                   const char *what)
{
    for (size_t i = 0; i < 64 * sl_set_words(t, kind); i++) {
        if (has(found, i) != (i < sli_set_capacity(t, kind) && has(expected, i))) {
            fuzz_fail(what);
        }
    }
}

/* Whether an element touches any, or anything but, of the set. */
static bool touches_set(const sl_topology *t, sl_element kind, uint32_t i, sl_element of,
                        const bits *set, bool outside)
{
    for (uint32_t k = 0; k < sli_set_capacity(t, of); k++) {
        if (exists(t, of, k) && has(set, k) != outside && touches(t, kind, i, of, k)) {
            return true;
        }
    }
    return false;
}

static void try_conversion(const sl_topology *t, sl_element from, sl_element to, test_random *r)
{
    const bits set = random_set(t, from, r);
    for (int of = 0; of < 2; of++) {
        bits expected = { { 0 } }, found;
        sl_set_convert(t, from, set.words, (sl_set_rule)of, to, found.words);
        for (uint32_t i = 0; i < sli_set_capacity(t, to); i++) {
            if (exists(t, to, i) && touches_set(t, to, i, from, &set, false) &&
                (of == SL_ANY_OF || !touches_set(t, to, i, from, &set, true))) {
                put(&expected, i);
            }
        }
        expect(t, to, &found, &expected, "a set is not what it was converted from");
    }
}

/* Grown, or with inside and outside changed, shrunk; in place. */
static void try_steps(const sl_topology *t, sl_element kind, sl_element through, test_random *r)
{
    for (int shrink = 0; shrink < 2; shrink++) {
        const bits set = random_set(t, kind, r);
        bits found = set, reached = { { 0 } }, expected = { { 0 } };
        (shrink ? sl_set_shrink : sl_set_grow)(t, kind, found.words, through, scratch, found.words);
        for (uint32_t i = 0; i < sli_set_capacity(t, through); i++) {
            if (kind != through && exists(t, through, i) &&
                touches_set(t, through, i, kind, &set, shrink != 0)) {
                put(&reached, i);
            }
        }
        for (uint32_t i = 0; i < sli_set_capacity(t, kind); i++) {
            const bool near = kind != through && exists(t, kind, i) &&
                              touches_set(t, kind, i, through, &reached, false);
            if (exists(t, kind, i) && (shrink ? has(&set, i) && !near : has(&set, i) || near)) {
                put(&expected, i);
            }
        }
        expect(t, kind, &found, &expected, shrink ? "wrongly shrunk" : "wrongly grown");
    }
}

static bool stops(const sl_topology *t, uint32_t edge, uint32_t stop)
{
    sl_edge e;
    return sl_topology_get_edge(t, edge, &e) &&
           ((e.kinds & stop) != 0 ||
            ((stop & SL_STOP_AT_FEATURES) != 0 && sl_topology_is_feature(t, SL_EDGES, edge)));
}

/* Whether an element hangs together with another one: chains are those of features. */
static bool follows(const sl_topology *t, sl_element kind, uint32_t from, uint32_t to,
                    uint32_t stop, bool chain)
{
    if (kind == SL_EDGES) {
        sl_edge a, b;
        if (!sl_topology_get_edge(t, from, &a) || !sl_topology_get_edge(t, to, &b)) {
            return false;
        }
        for (int i = 0; i < 4; i++) {
            if (a.vertex[i / 2] == b.vertex[i % 2] &&
                (chain ? sl_topology_is_feature(t, SL_EDGES, from) &&
                             sl_topology_is_feature(t, SL_EDGES, to) &&
                             !sl_topology_is_feature(t, SL_VERTICES, a.vertex[i / 2])
                       : !stops(t, to, stop))) {
                return true;
            }
        }
        return false;
    }
    for (uint32_t edge = 0; edge < sli_set_capacity(t, SL_EDGES); edge++) {
        if (!stops(t, edge, stop) && touches(t, kind, from, SL_EDGES, edge) &&
            touches(t, kind, to, SL_EDGES, edge)) {
            return true;
        }
    }
    return false;
}

static void try_connected(const sl_topology *t, sl_element kind, test_random *r)
{
    const uint32_t stop = test_random_below(r, 3) == 0 ? 0 : test_random_below(r, 256);
    const bool chain = kind == SL_EDGES && test_random_below(r, 2) == 0;
    const uint32_t count = (uint32_t)sli_set_capacity(t, kind);
    const bits set = random_set(t, kind, r);
    bits found, expected = { { 0 } };
    if (chain) {
        sl_set_chain(t, set.words, scratch, found.words);
    } else {
        sl_set_connected(t, kind, set.words, stop, scratch, found.words);
    }
    for (uint32_t i = 0; i < count; i++) {
        if (exists(t, kind, i) && has(&set, i)) {
            put(&expected, i);
        }
    }
    for (bool more = true; more;) {
        more = false;
        for (uint32_t i = 0; i < count * count; i++) {
            const uint32_t from = i / count, to = i % count;
            if (has(&expected, from) && !has(&expected, to) &&
                follows(t, kind, from, to, stop & ~64u, chain)) {
                put(&expected, to);
                more = true;
            }
        }
    }
    expect(t, kind, &found, &expected, chain ? "a wrong chain" : "wrongly connected");
}

static void try_boundary(const sl_topology *t, test_random *r)
{
    const bits set = random_set(t, SL_TRIANGLES, r);
    bits found, expected = { { 0 } };
    sl_set_boundary(t, set.words, found.words);
    for (uint32_t i = 0; i < sli_set_capacity(t, SL_EDGES); i++) {
        sl_edge edge;
        const bool alone =
            sl_topology_get_edge(t, i, &edge) && (edge.kinds & SL_EDGE_BOUNDARY) != 0;
        if (touches_set(t, SL_EDGES, i, SL_TRIANGLES, &set, false) &&
            (alone || touches_set(t, SL_EDGES, i, SL_TRIANGLES, &set, true))) {
            put(&expected, i);
        }
    }
    expect(t, SL_EDGES, &found, &expected, "a wrong boundary");
}

void try_sets(const sl_topology *topology, uint64_t seed)
{
    test_random r = { seed };
    if (sl_topology_get_info(topology).scratch_words > SCRATCH) {
        fuzz_fail("more scratch than elements");
    }
    for (int i = 0; i < 4; i++) {
        const sl_element a = (sl_element)test_random_below(&r, SL_ELEMENT_COUNT);
        const sl_element b =
            (sl_element)((a + 1 + test_random_below(&r, SL_ELEMENT_COUNT - 1)) % SL_ELEMENT_COUNT);
        try_conversion(topology, a, b, &r);
        try_steps(topology, a, (sl_element)test_random_below(&r, SL_ELEMENT_COUNT), &r);
        try_connected(topology, (sl_element)test_random_below(&r, 3), &r);
        try_boundary(topology, &r);
    }
}
