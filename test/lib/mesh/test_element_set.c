/* test_element_set.c: sets of vertices, edges, triangles, faces and parts: by hand, and of random
 * meshes against what every pair of elements has to do with one another. */
#include "lib/mesh/sets/bits.h"
#include "test/support/input/odd_meshes.h"
#include "test/support/oracle/plain_topology.h"
#include "test/support/test.h"

enum { MOST = 3 * PLAIN_TRIANGLES, WORDS = MOST / 64 + 1, SCRATCH = MOST, ROUNDS = 800 };

/* A mesh, its topology, and what touches what. */
typedef struct fixture {
    sl_mesh *mesh;
    sl_topology *topology;
    plain_topology plain;
    bool exists[SL_ELEMENT_COUNT][MOST];
    size_t counts[SL_ELEMENT_COUNT];
} fixture;

typedef struct bits {
    uint64_t words[WORDS];
} bits;

static uint64_t scratch[SCRATCH];

static void open_fixture(fixture *f, sl_mesh *mesh, const sl_topology_def *def)
{
    sl_topology_info info;
    assert_non_null(mesh);
    f->mesh = mesh;
    f->topology = made_topology(mesh, def);
    plain_topology_find(mesh, def, NULL, &f->plain);
    info = sl_topology_get_info(f->topology);
    const size_t counts[SL_ELEMENT_COUNT] = { info.vertex_count, info.edge_count,
                                              info.triangle_count, info.face_count,
                                              info.part_count };
    memset(f->exists, 0, sizeof f->exists);
    for (int kind = 0; kind < SL_ELEMENT_COUNT; kind++) {
        f->counts[kind] = counts[kind];
        assert_int_equal(sli_set_capacity(f->topology, (sl_element)kind), counts[kind]);
        assert_int_equal(sl_set_words(f->topology, (sl_element)kind), (counts[kind] + 63) / 64);
        assert_true(counts[kind] <= MOST);
        for (size_t i = 0; i < counts[kind]; i++) {
            f->exists[kind][i] = kind != SL_TRIANGLES || f->plain.vertex[3 * i] != SL_NONE;
        }
    }
    assert_true(sl_topology_get_info(f->topology).scratch_words <= SCRATCH);
}

static void close_fixture(fixture *f)
{
    unmake_topology(f->topology, f->mesh);
}

static bool has(const bits *set, size_t i)
{
    return (set->words[i / 64] >> i % 64 & 1) != 0;
}

static void put(bits *set, size_t i)
{
    set->words[i / 64] |= (uint64_t)1 << i % 64;
}

/* Rubbish: what is behind the end must not matter. */
static void spoil(void *memory, size_t size, test_random *r)
{
    for (size_t i = 0; i < size; i++) {
        ((unsigned char *)memory)[i] = (unsigned char)test_random_below(r, 256);
    }
}

/* Some elements, or few, or nearly all, with rubbish behind the last. */
static bits random_set(const fixture *f, sl_element kind, test_random *r)
{
    bits set;
    spoil(&set, sizeof set, r);
    const uint32_t share[4] = { 1, 30, 128, 250 }, wanted = share[test_random_below(r, 4)];
    for (size_t i = 0; i < f->counts[kind]; i++) {
        set.words[i / 64] &= ~((uint64_t)1 << i % 64);
        if (test_random_below(r, 256) < wanted) {
            put(&set, i);
        }
    }
    return set;
}

/* Whether a triangle has the element. */
static bool in_triangle(const fixture *f, size_t prim, sl_element kind, size_t i)
{
    if (f->plain.vertex[3 * prim] == SL_NONE) {
        return false;
    }
    switch (kind) {
    case SL_VERTICES:
        return plain_topology_has_vertex(&f->plain, prim, (uint32_t)i);
    case SL_EDGES:
        return plain_topology_has_edge(&f->plain, prim, (uint32_t)i);
    case SL_TRIANGLES:
        return prim == i;
    case SL_FACES:
        return sl_mesh_face(f->mesh, (uint32_t)prim) == i;
    default:
        return sl_mesh_part_of(f->mesh, (uint32_t)prim) == i;
    }
}

static bool touches(const fixture *f, sl_element a, size_t i, sl_element b, size_t k)
{
    if (a > b) {
        return touches(f, b, k, a, i);
    }
    if (a == SL_VERTICES && b == SL_EDGES) {
        return f->plain.edges[k].vertex[0] == i || f->plain.edges[k].vertex[1] == i;
    }
    if (a == SL_EDGES && b == SL_FACES && (f->plain.edges[i].kinds & SL_EDGE_FACE) == 0) {
        return false;
    }
    for (size_t prim = 0; prim < f->plain.triangle_count; prim++) {
        if (in_triangle(f, prim, a, i) && in_triangle(f, prim, b, k)) {
            return true;
        }
    }
    return false;
}

static void assert_set(const fixture *f, sl_element kind, const bits *found, const bool *expected)
{
    size_t count = 0;
    uint32_t list[MOST];
    for (size_t i = 0; i < 64 * sl_set_words(f->topology, kind); i++) {
        assert_int_equal(has(found, i), i < f->counts[kind] && expected[i] ? 1 : 0);
        if (has(found, i)) {
            list[count++] = (uint32_t)i;
        }
    }
    uint32_t told[MOST];
    assert_int_equal(sl_set_list(f->topology, kind, found->words, NULL, 0), count);
    assert_int_equal(sl_set_list(f->topology, kind, found->words, told, MOST), count);
    assert_memory_equal(told, list, count * sizeof *list);
    const size_t some = count / 2;
    told[some] = 77;
    assert_int_equal(sl_set_list(f->topology, kind, found->words, told, some), count);
    assert_int_equal(told[some], 77);
}

static void random_fixture(fixture *f, uint64_t seed, test_random *r)
{
    *r = (test_random){ seed };
    const sl_topology_def def = { .features = 1 + test_random_below(r, 63) };
    print_message("\rseed %u", (unsigned)seed);
    open_fixture(f, seed % 3 == 0 ? odd_triangles(r) : odd_polygons(r), &def);
}

static sl_element random_kind(test_random *r)
{
    return (sl_element)test_random_below(r, SL_ELEMENT_COUNT);
}

/* ---- against every pair ----------------------------------------------------------------- */

static void converted(const fixture *f, sl_element from, const bits *set, sl_set_rule rule,
                      sl_element to, bool *out)
{
    for (size_t k = 0; k < f->counts[to]; k++) {
        bool any = false, all = true;
        for (size_t i = 0; i < f->counts[from]; i++) {
            if (f->exists[from][i] && touches(f, from, i, to, k)) {
                any = any || has(set, i);
                all = all && has(set, i);
            }
        }
        out[k] = any && (rule == SL_ANY_OF || all);
    }
}

TEST(sets_become_sets_of_what_they_touch_or_hold)
{
    static fixture f;
    test_random r;
    for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
        random_fixture(&f, seed, &r);
        for (int i = 0; i < 4; i++) {
            const sl_element from = random_kind(&r), to = random_kind(&r);
            const sl_set_rule rule = (sl_set_rule)test_random_below(&r, 2);
            const bits set = random_set(&f, from, &r);
            bool expected[MOST];
            bits out;
            spoil(&out, sizeof out, &r);
            sl_set_convert(f.topology, from, set.words, rule, to, out.words);
            if (from != to) {
                converted(&f, from, &set, rule, to, expected);
            }
            for (size_t k = 0; k < f.counts[to] && from == to; k++) {
                expected[k] = f.exists[to][k] && has(&set, k);
            }
            assert_set(&f, to, &out, expected);
        }
        close_fixture(&f);
    }
    print_message("\r");
}

/* Whether anything touches both, or they are one. */
static bool are_neighbours(const fixture *f, sl_element kind, size_t i, size_t k,
                           sl_element through)
{
    if (i == k) {
        return true;
    }
    for (size_t m = 0; m < f->counts[through] && kind != through; m++) {
        if (touches(f, kind, i, through, m) && touches(f, kind, k, through, m)) {
            return true;
        }
    }
    return false;
}

static void stepped(const fixture *f, sl_element kind, const bits *set, sl_element through,
                    bool shrink, bool *out)
{
    for (size_t i = 0; i < f->counts[kind]; i++) {
        out[i] = f->exists[kind][i] && shrink;
        for (size_t k = 0; k < f->counts[kind] && f->exists[kind][i]; k++) {
            if (f->exists[kind][k] && has(set, k) != shrink && out[i] == shrink &&
                are_neighbours(f, kind, i, k, through)) {
                out[i] = !shrink;
            }
        }
    }
}

TEST(sets_grow_by_neighbours_and_shrink_by_those_outside)
{
    static fixture f;
    test_random r;
    for (uint64_t seed = 1; seed <= ROUNDS / 2; seed++) {
        random_fixture(&f, seed, &r);
        for (int i = 0; i < 3; i++) {
            const sl_element kind = random_kind(&r), through = random_kind(&r);
            const bool shrink = test_random_below(&r, 2) == 0;
            const bits set = random_set(&f, kind, &r);
            bool expected[MOST];
            bits out = set;
            spoil(scratch, sizeof scratch, &r);
            (shrink ? sl_set_shrink : sl_set_grow)(f.topology, kind, out.words, through, scratch,
                                                   out.words);
            stepped(&f, kind, &set, through, shrink, expected);
            assert_set(&f, kind, &out, expected);
        }
        close_fixture(&f);
    }
    print_message("\r");
}

/* Whether one step leads from i to k. */
static bool leads(const fixture *f, sl_element kind, size_t i, size_t k, uint32_t stop)
{
    const plain_topology *p = &f->plain;
    if (kind == SL_EDGES) {
        const uint32_t *a = p->edges[i].vertex, *b = p->edges[k].vertex;
        const bool meet = a[0] == b[0] || a[0] == b[1] || a[1] == b[0] || a[1] == b[1];
        return meet && (p->edges[k].kinds & stop) == 0 &&
               ((stop & SL_STOP_AT_FEATURES) == 0 || !p->feature_edge[k]);
    }
    for (size_t edge = 0; edge < p->edge_count; edge++) {
        if ((p->edges[edge].kinds & stop) == 0 &&
            ((stop & SL_STOP_AT_FEATURES) == 0 || !p->feature_edge[edge]) &&
            touches(f, kind, i, SL_EDGES, edge) && touches(f, kind, k, SL_EDGES, edge)) {
            return true;
        }
    }
    return false;
}

static bool continues(const fixture *f, size_t i, size_t k)
{
    const plain_topology *p = &f->plain;
    if (!p->feature_edge[i] || !p->feature_edge[k]) {
        return false;
    }
    for (int a = 0; a < 2; a++) {
        for (int b = 0; b < 2; b++) {
            const uint32_t vertex = p->edges[i].vertex[a];
            if (vertex == p->edges[k].vertex[b] && !p->feature_vertex[vertex]) {
                return true;
            }
        }
    }
    return false;
}

static void follow(const fixture *f, sl_element kind, const bits *set, uint32_t stop, bool chain,
                   bool *out)
{
    bool more = true;
    for (size_t i = 0; i < f->counts[kind]; i++) {
        out[i] = f->exists[kind][i] && has(set, i);
    }
    while (more && kind <= SL_TRIANGLES) {
        more = false;
        for (size_t i = 0; i < f->counts[kind]; i++) {
            for (size_t k = 0; k < f->counts[kind] && out[i]; k++) {
                if (!out[k] && (chain ? continues(f, i, k) : leads(f, kind, i, k, stop))) {
                    out[k] = more = true;
                }
            }
        }
    }
}

TEST(what_hangs_together_is_followed_to_its_ends)
{
    static fixture f;
    test_random r;
    for (uint64_t seed = 1; seed <= ROUNDS / 2; seed++) {
        random_fixture(&f, seed, &r);
        for (int i = 0; i < 3; i++) {
            const bool chain = i == 2;
            const sl_element kind = chain ? SL_EDGES : random_kind(&r);
            const uint32_t stop = test_random_below(&r, 3) == 0   ? 0
                                  : test_random_below(&r, 2) == 0 ? (uint32_t)SL_STOP_AT_FEATURES
                                                                  : 1u << test_random_below(&r, 6);
            bits set = random_set(&f, kind, &r);
            bool expected[MOST];
            follow(&f, kind, &set, stop, chain, expected);
            spoil(scratch, sizeof scratch, &r);
            if (chain) {
                sl_set_chain(f.topology, set.words, scratch, set.words);
            } else {
                sl_set_connected(f.topology, kind, set.words, stop, scratch, set.words);
            }
            if (!f.plain.uncertain) {
                assert_set(&f, kind, &set, expected);
            }
        }
        close_fixture(&f);
    }
    print_message("\r");
}

TEST(triangles_are_bounded_by_edges_with_others_or_none)
{
    static fixture f;
    test_random r;
    for (uint64_t seed = 1; seed <= ROUNDS / 2; seed++) {
        random_fixture(&f, seed, &r);
        const bits set = random_set(&f, SL_TRIANGLES, &r);
        bool expected[MOST];
        bits out;
        spoil(&out, sizeof out, &r);
        sl_set_boundary(f.topology, set.words, out.words);
        for (size_t edge = 0; edge < f.plain.edge_count; edge++) {
            bool inside = false, outside = (f.plain.edges[edge].kinds & SL_EDGE_BOUNDARY) != 0;
            for (size_t prim = 0; prim < f.plain.triangle_count; prim++) {
                if (plain_topology_has_edge(&f.plain, prim, (uint32_t)edge)) {
                    inside = inside || has(&set, prim);
                    outside = outside || !has(&set, prim);
                }
            }
            expected[edge] = inside && outside;
        }
        assert_set(&f, SL_EDGES, &out, expected);
        close_fixture(&f);
    }
    print_message("\r");
}

TEST(lists_become_sets_and_sets_their_complements)
{
    static fixture f;
    test_random r;
    for (uint64_t seed = 1; seed <= ROUNDS / 4; seed++) {
        random_fixture(&f, seed, &r);
        const sl_element kind = random_kind(&r);
        const uint32_t most = (uint32_t)f.counts[kind] + 3;
        uint32_t list[20];
        bool expected[MOST] = { false };
        bits out, inverse;
        for (size_t i = 0; i < 20; i++) {
            list[i] = i == 0 ? SL_NONE : test_random_below(&r, most);
            if (list[i] < f.counts[kind]) {
                expected[list[i]] = f.exists[kind][list[i]];
            }
        }
        spoil(&out, sizeof out, &r);
        spoil(&inverse, sizeof inverse, &r);
        sl_set_from_list(f.topology, kind, list, 20, out.words);
        assert_set(&f, kind, &out, expected);
        sl_set_invert(f.topology, kind, out.words, inverse.words);
        for (size_t i = 0; i < f.counts[kind]; i++) {
            expected[i] = f.exists[kind][i] && !expected[i];
        }
        assert_set(&f, kind, &inverse, expected);
        sl_set_invert(f.topology, kind, NULL, inverse.words);
        assert_set(&f, kind, &inverse, f.exists[kind]);
        close_fixture(&f);
    }
    print_message("\r");
}

TEST(a_kind_that_is_none_has_no_elements)
{
    static fixture f;
    test_random r;
    random_fixture(&f, 1, &r);
    const sl_element none = (sl_element)SL_ELEMENT_COUNT;
    bits set = { { 5 } }, out = { { 7 } };
    assert_int_equal(sl_set_words(f.topology, none), 0);
    assert_int_equal(sl_set_list(f.topology, none, set.words, NULL, 0), 0);
    sl_set_convert(f.topology, none, set.words, SL_ANY_OF, SL_EDGES, out.words);
    assert_int_equal(sl_set_list(f.topology, SL_EDGES, out.words, NULL, 0), 0);
    out.words[0] = 7;
    sl_set_convert(f.topology, SL_EDGES, set.words, SL_ANY_OF, none, out.words);
    sl_set_grow(f.topology, none, set.words, SL_EDGES, scratch, out.words);
    sl_set_connected(f.topology, none, set.words, 0, scratch, out.words);
    assert_int_equal(out.words[0], 7);
    close_fixture(&f);
    print_message("\r");
}

/* ---- by hand, and larger ---------------------------------------------------------------- */

enum { SIDE = 40, GRID_WORDS = 6 * SIDE * SIDE / 64 };

static sl_topology *grid_of(float height)
{
    OWN(sl_mesh) mesh = made_grid(SIDE, SIDE, height, 1);
    return made_topology(mesh, NULL);
}

/* On a grid, a set that is whole disks far from the border comes back; any set is within what comes
 * back, and holds what is shrunk first. */
TEST(growing_and_shrinking_undo_each_other)
{
    static uint64_t set[GRID_WORDS], grown[GRID_WORDS], back[GRID_WORDS], room[3 * GRID_WORDS];
    OWN(sl_topology) t = grid_of(0);
    const uint32_t middle = 2 * (SIDE * SIDE / 2 + SIDE / 2);
    sl_set_from_list(t, SL_TRIANGLES, &middle, 1, set);
    for (int ring = 0; ring < 5; ring++) {
        sl_set_grow(t, SL_TRIANGLES, set, SL_VERTICES, room, grown);
        sl_set_shrink(t, SL_TRIANGLES, grown, SL_VERTICES, room, back);
        const size_t words = sl_set_words(t, SL_TRIANGLES);
        assert_memory_equal(back, set, words * sizeof *set);
        memcpy(set, grown, words * sizeof *set);
    }
    assert_true(sl_set_list(t, SL_TRIANGLES, set, NULL, 0) > 100);
    sl_set_invert(t, SL_TRIANGLES, NULL, set);
    sl_set_shrink(t, SL_TRIANGLES, set, SL_VERTICES, room, back);
    assert_int_equal(sl_set_list(t, SL_TRIANGLES, back, NULL, 0), 2 * SIDE * SIDE);
}

/* One side of a cube is smooth, and a whole cube hangs together; its outline is a loop. */
TEST(a_side_of_a_cube_is_a_smooth_region)
{
    static const char text[] = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\n"
                               "v 0 1 1\nf 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\n"
                               "f 4 1 5 8\n";
    OWN(sl_mesh) mesh = NULL;
    assert_int_equal(sl_mesh_load_memory(text, sizeof text - 1, "cube.obj", NULL, &mesh, NULL),
                     SL_OK);
    OWN(sl_topology) t = made_topology(mesh, NULL);
    uint64_t set[1], out[1];
    const uint32_t first = 3;
    sl_set_from_list(t, SL_TRIANGLES, &first, 1, set);
    sl_set_connected(t, SL_TRIANGLES, set, SL_EDGE_CREASE, scratch, out);
    assert_int_equal(out[0], 3 << 2);
    sl_set_connected(t, SL_TRIANGLES, set, 0, scratch, out);
    assert_int_equal(out[0], 0xFFF);
    sl_set_convert(t, SL_TRIANGLES, set, SL_ANY_OF, SL_FACES, out);
    assert_int_equal(out[0], 2);
    sl_set_convert(t, SL_FACES, out, SL_ANY_OF, SL_TRIANGLES, set);
    assert_int_equal(set[0], 3 << 2);
    sl_set_boundary(t, set, out);
    assert_int_equal(sl_set_list(t, SL_EDGES, out, NULL, 0), 4);
    sl_set_convert(t, SL_EDGES, out, SL_ALL_OF, SL_FACES, set);
    assert_int_equal(set[0], 2);
}

/* Triangles whose corners are all one vertex have no side, by which others are found. */
TEST(a_triangle_of_one_vertex_is_found_from_it)
{
    float xyz[64][3] = { { 0 } };
    uint32_t indices[30][3];
    for (uint32_t i = 0; i < 64; i++) {
        xyz[i][0] = (float)i;
        xyz[i][1] = (float)(i % 2);
    }
    for (uint32_t i = 0; i < 30; i++) {
        const uint32_t one[3] = { 7, 7, 7 }, other[3] = { i, i + 20, i + 33 };
        memcpy(indices[i], i % 10 == 4 ? one : other, sizeof one);
    }
    OWN(sl_mesh) mesh = made_mesh(xyz[0], 64, indices, 30, NULL);
    OWN(sl_topology) t = made_topology(mesh, NULL);
    uint64_t set[1], out[1];
    const uint32_t vertex = sl_topology_element_of(t, 4, SL_VERTICES, 0);
    sl_set_from_list(t, SL_VERTICES, &vertex, 1, set);
    sl_set_convert(t, SL_VERTICES, set, SL_ANY_OF, SL_TRIANGLES, out);
    assert_int_equal(out[0], 1u << 4 | 1u << 7 | 1u << 14 | 1u << 24);
    sl_set_convert(t, SL_VERTICES, set, SL_ALL_OF, SL_TRIANGLES, out);
    assert_int_equal(out[0], 1u << 4 | 1u << 14 | 1u << 24);
}

/* The rim of a flat grid is four chains. */
TEST(a_chain_of_features_ends_at_corners)
{
    static uint64_t set[GRID_WORDS], out[GRID_WORDS], room[20 * GRID_WORDS];
    OWN(sl_topology) t = grid_of(0);
    const sl_topology_info info = sl_topology_get_info(t);
    assert_int_equal(info.feature_edge_count, 4 * SIDE);
    assert_true(sl_topology_get_info(t).scratch_words <= 20 * GRID_WORDS);
    uint32_t edge = 0;
    while (!sl_topology_is_feature(t, SL_EDGES, edge)) {
        edge++;
    }
    sl_set_from_list(t, SL_EDGES, &edge, 1, set);
    sl_set_chain(t, set, room, out);
    assert_int_equal(sl_set_list(t, SL_EDGES, out, NULL, 0), SIDE);
}
