/* topology/features.c: which edges are creases, and which edges and vertices are features; anew for
 * all, or for the edges of given triangles: sl_topology_update. */
#include "lib/geom/exact/valid.h"
#include "lib/mesh/topology.h"

#include "lib/base/error.h"
#include "lib/base/fpenv.h"
#include "lib/geom/exact/arithmetic/vector.h"
#include "lib/geom/exact/predicates.h"

typedef struct scene {
    sl_topology *t;
    const float *xyz; /* of the mesh's vertices */
} scene;

static const float *features_position(const scene *s, uint32_t vertex)
{
    return s->xyz + 3 * (size_t)s->t->mesh_vertices[vertex];
}

/* Whether the angle between two directions is larger than that of creases, by their scalar product
 * and their squares.  Nothing under- or overflows: corners are floats.  What has no direction turns
 * nowhere. */
static bool features_exceeds(const sl_topology *t, double product, double a2, double b2)
{
    return product < t->cosine * (sqrt(a2) * sqrt(b2));
}

/* The normal of the triangle of a side, in the order of its corners, with the length of twice its
 * area; false where that is zero or a corner is not finite. */
static bool normal_of(const scene *s, uint32_t side, double normal[3])
{
    const uint32_t *v = s->t->vertices + (side - side % 3);
    const float *p[3] = { features_position(s, v[0]), features_position(s, v[1]),
                          features_position(s, v[2]) };
    double a[3], b[3], most_a = 0, most_b = 0, most = 0;
    if (!sli_finite(p[0], 3) || !sli_finite(p[1], 3) || !sli_finite(p[2], 3)) {
        return false;
    }
    for (int axis = 0; axis < 3; axis++) {
        a[axis] = (double)p[1][axis] - (double)p[0][axis];
        b[axis] = (double)p[2][axis] - (double)p[0][axis];
        most_a = fabs(a[axis]) > most_a ? fabs(a[axis]) : most_a;
        most_b = fabs(b[axis]) > most_b ? fabs(b[axis]) : most_b;
    }
    sli_cross(a, b, normal);
    for (int axis = 0; axis < 3; axis++) {
        most = fabs(normal[axis]) > most ? fabs(normal[axis]) : most;
    }
    /* Roundings make less than 2^-50 of the product. */
    return most > 0x1p-48 * most_a * most_b || !sli_zero_area(p[0], p[1], p[2]);
}

/* The two sides of triangles with three vertices. */
static void sides_of_bend(const sl_topology *t, uint32_t edge, uint32_t sides[2])
{
    size_t count = 0;
    for (size_t i = t->edge_sides[edge]; count < 2; i++) {
        if (!sli_is_collapsed(t, t->sides[i] / 3)) {
            sides[count++] = t->sides[i];
        }
    }
}

/* The sign of the volume between the triangle of one side and the other one's third corner. */
static bool in_one_plane(const scene *s, const uint32_t sides[2])
{
    const uint32_t *v = s->t->vertices + (sides[0] - sides[0] % 3);
    const uint32_t corners[4] = { v[0], v[1], v[2],
                                  s->t->vertices[sli_next_side(sli_next_side(sides[1]))] };
    double p[4][3];
    for (int i = 0; i < 4; i++) {
        for (int axis = 0; axis < 3; axis++) {
            p[i][axis] = (double)features_position(s, corners[i])[axis];
        }
    }
    return sli_orient3d(p[0], p[1], p[2], p[3]) == 0;
}

static bool is_crease(const scene *s, uint32_t edge)
{
    uint32_t sides[2];
    double a[3], b[3];
    if (s->t->crease == SLI_CREASE_NONE || (s->t->kinds[edge] & SLI_EDGE_BENDS) == 0) {
        return false;
    }
    sides_of_bend(s->t, edge, sides);
    if (!normal_of(s, sides[0], a) || !normal_of(s, sides[1], b)) {
        return false;
    }
    const bool same_way = s->t->vertices[sides[0]] == s->t->vertices[sides[1]];
    const double product = same_way ? -sli_dot(a, b) : sli_dot(a, b);
    if (s->t->crease == SLI_CREASE_ANY) {
        return product < 0 || !in_one_plane(s, sides);
    }
    return features_exceeds(s->t, product, sli_dot(a, a), sli_dot(b, b));
}

/* Whether the way from one vertex over another to a third one turns there. */
static bool features_turns(const scene *s, uint32_t from, uint32_t over, uint32_t to)
{
    const float *p[3] = { features_position(s, from), features_position(s, over),
                          features_position(s, to) };
    double a[3], b[3];
    if (s->t->crease == SLI_CREASE_NONE || !sli_finite(p[0], 3) || !sli_finite(p[1], 3) ||
        !sli_finite(p[2], 3)) {
        return false;
    }
    for (int axis = 0; axis < 3; axis++) {
        a[axis] = (double)p[1][axis] - (double)p[0][axis];
        b[axis] = (double)p[2][axis] - (double)p[1][axis];
    }
    const double product = sli_dot(a, b);
    if (s->t->crease == SLI_CREASE_ANY) {
        return product < 0 || !sli_zero_area(p[0], p[1], p[2]);
    }
    return features_exceeds(s->t, product, sli_dot(a, a), sli_dot(b, b));
}

static bool is_feature_vertex(const scene *s, uint32_t vertex)
{
    const sl_topology *t = s->t;
    const size_t degree = sli_vertex_degree(t, vertex);
    uint32_t far_ends[2] = { 0, 0 };
    size_t count = 0;
    for (size_t i = 0; i < degree; i++) {
        const uint32_t edge = sli_vertex_edge(t, vertex, i);
        if ((t->kinds[edge] & SLI_EDGE_FEATURE) == 0) {
            continue;
        }
        if (count == 2) {
            return true;
        }
        uint32_t ends[2];
        sli_edge_ends(t, edge, ends);
        far_ends[count++] = ends[0] == vertex ? ends[1] : ends[0];
    }
    return count == 1 || (count == 2 && features_turns(s, far_ends[0], vertex, far_ends[1]));
}

/* The kinds of an edge with its crease and its being a feature as they are now. */
static uint32_t features_judge(const scene *s, uint32_t edge)
{
    const uint32_t found_here = SL_EDGE_CREASE | SLI_EDGE_FEATURE;
    const uint32_t kinds =
        (s->t->kinds[edge] & ~found_here) | (is_crease(s, edge) ? (uint32_t)SL_EDGE_CREASE : 0);
    const uint32_t wanted = s->t->features;
    const bool feature = wanted == UINT32_MAX || (kinds & wanted & ~(uint32_t)SLI_EDGE_BENDS) != 0;
    return kinds | (feature ? (uint32_t)SLI_EDGE_FEATURE : 0);
}

static void flag_triangles(sl_topology *t)
{
    for (size_t prim = 0; prim < t->info.triangle_count; prim++) {
        uint32_t flags = 0;
        for (uint32_t k = 0; k < 3; k++) {
            const uint32_t edge = t->edges[3 * prim + k], vertex = t->vertices[3 * prim + k];
            if (edge != SL_NONE && (t->kinds[edge] & SLI_EDGE_FEATURE) != 0) {
                flags |= (uint32_t)SLI_SIDE_0 << k;
            }
            if (vertex != SL_NONE && sli_set_has(t->corner_bits, vertex)) {
                flags |= (uint32_t)SLI_CORNER_0 << k;
            }
        }
        t->flags[prim] = (uint8_t)flags;
    }
}

/* Not inlined, since the caller brackets it with its floating-point environment. */
SLI_NOINLINE static void find_all(const scene *s)
{
    sl_topology *t = s->t;
    t->info.feature_edge_count = t->info.feature_vertex_count = 0;
    for (uint32_t edge = 0; edge < t->info.edge_count; edge++) {
        t->kinds[edge] = (uint8_t)features_judge(s, edge);
        t->info.feature_edge_count += (t->kinds[edge] & SLI_EDGE_FEATURE) != 0;
    }
    for (size_t vertex = 0; vertex < t->info.vertex_count; vertex += 64) {
        uint64_t word = 0;
        for (uint32_t i = 0; i < 64 && i < t->info.vertex_count - vertex; i++) {
            const bool feature = is_feature_vertex(s, (uint32_t)vertex + i);
            word |= (uint64_t)feature << i;
            t->info.feature_vertex_count += feature;
        }
        t->corner_bits[vertex / 64] = word;
    }
    flag_triangles(t);
}

void sli_topology_find_features(sl_topology *topology, const float *xyz)
{
    const scene s = { .t = topology, .xyz = xyz };
    SLI_DO_IN_FPENV(find_all(&s));
}

/* ---- of given triangles ---------------------------------------------------------------- */

/* Sets a mark; false where it was set. */
static bool features_mark(uint64_t *marks, uint32_t i)
{
    const bool fresh = !sli_set_has(marks, i);
    sli_set_put(marks, i);
    return fresh;
}

typedef struct flipped {
    sl_topology *t;
    uint32_t vertex;
} flipped;

static void flip_corner(void *context, uint32_t prim)
{
    const flipped *f = context;
    for (uint32_t k = 0; k < 3; k++) {
        if (f->t->vertices[3 * (size_t)prim + k] == f->vertex) {
            f->t->flags[prim] ^= (uint8_t)(SLI_CORNER_0 << k);
        }
    }
}

static void flip_edge(sl_topology *t, uint32_t edge)
{
    for (size_t i = t->edge_sides[edge]; i < t->edge_sides[edge + 1]; i++) {
        t->flags[t->sides[i] / 3] ^= (uint8_t)(SLI_SIDE_0 << t->sides[i] % 3);
    }
    t->info.feature_edge_count += (t->kinds[edge] & SLI_EDGE_FEATURE) != 0 ? 1 : SIZE_MAX;
}

static void flip_vertex(sl_topology *t, uint32_t vertex)
{
    sli_vertex_triangles(t, vertex, flip_corner, &(flipped){ t, vertex });
    t->corner_bits[vertex / 64] ^= (uint64_t)1 << vertex % 64;
    t->info.feature_vertex_count += sli_set_has(t->corner_bits, vertex) ? 1 : SIZE_MAX;
}

static void update_edges(const scene *s, uint32_t prim)
{
    sl_topology *t = s->t;
    for (size_t k = 0; k < 3; k++) {
        const uint32_t edge = t->edges[3 * (size_t)prim + k];
        if (edge == SL_NONE ||
            !features_mark(t->marks + sli_bit_words(t->info.vertex_count), edge)) {
            continue;
        }
        const uint32_t before = t->kinds[edge], now = features_judge(s, edge);
        t->kinds[edge] = (uint8_t)now;
        if (((before ^ now) & SLI_EDGE_FEATURE) != 0) {
            flip_edge(t, edge);
        }
    }
}

static void update_vertices(const scene *s, uint32_t prim)
{
    sl_topology *t = s->t;
    for (size_t k = 0; k < 3; k++) {
        const uint32_t vertex = t->vertices[3 * (size_t)prim + k];
        if (vertex != SL_NONE && features_mark(t->marks, vertex) &&
            is_feature_vertex(s, vertex) != sli_set_has(t->corner_bits, vertex)) {
            flip_vertex(t, vertex);
        }
    }
}

static void clear_marks(const scene *s, uint32_t prim)
{
    sl_topology *t = s->t;
    for (size_t k = 0; k < 3; k++) {
        const uint32_t edge = t->edges[3 * (size_t)prim + k];
        const uint32_t vertex = t->vertices[3 * (size_t)prim + k];
        if (edge != SL_NONE) {
            t->marks[sli_bit_words(t->info.vertex_count) + edge / 64] = 0;
        }
        if (vertex != SL_NONE) {
            t->marks[vertex / 64] = 0;
        }
    }
}

typedef void (*prim_step)(const scene *s, uint32_t prim);

static void step_over(const scene *s, const sl_prim_range *dirty, size_t count, prim_step step)
{
    for (size_t i = 0; i < count; i++) {
        for (uint32_t k = 0; k < dirty[i].count; k++) {
            step(s, dirty[i].first + k);
        }
    }
}

/* Each edge and vertex once, however many of the triangles have it. */
SLI_NOINLINE static void find_some(const scene *s, const sl_prim_range *dirty, size_t count)
{
    step_over(s, dirty, count, update_edges);
    step_over(s, dirty, count, update_vertices);
    step_over(s, dirty, count, clear_marks);
}

static sl_result check_vertex(const scene *s, uint32_t vertex, sl_error *error)
{
    return sli_finite(features_position(s, vertex), 3)
               ? SL_OK
               : sli_fail_plain(error, SL_NOT_FINITE, "vertex %lu of the mesh is not finite",
                                (unsigned long)s->t->mesh_vertices[vertex]);
}

static sl_result check_some(const scene *s, const sl_prim_range *dirty, size_t count,
                            sl_error *error)
{
    const size_t triangles = s->t->info.triangle_count;
    for (size_t i = 0; i < count; i++) {
        if (dirty[i].first > triangles || dirty[i].count > triangles - dirty[i].first) {
            return sli_fail_plain(
                error, SL_BAD_INDEX, "dirty[%zu] is %lu triangles from %lu on; there are %zu", i,
                (unsigned long)dirty[i].count, (unsigned long)dirty[i].first, triangles);
        }
        for (size_t k = 0; k < 3 * (size_t)dirty[i].count; k++) {
            const uint32_t vertex = s->t->vertices[3 * (size_t)dirty[i].first + k];
            SLI_TRY(vertex != SL_NONE ? check_vertex(s, vertex, error) : SL_OK);
        }
    }
    return SL_OK;
}

static sl_result check_all(const scene *s, sl_error *error)
{
    for (uint32_t vertex = 0; vertex < s->t->info.vertex_count; vertex++) {
        SLI_TRY(check_vertex(s, vertex, error));
    }
    return SL_OK;
}

sl_result sl_topology_update(sl_topology *topology, const float *xyz, const sl_prim_range *dirty,
                             size_t dirty_count, sl_error *error)
{
    if (topology == NULL || (xyz == NULL && topology->info.vertex_count > 0)) {
        return sli_refuse(error, "%s is NULL", topology == NULL ? "topology" : "xyz");
    }
    const scene s = { .t = topology, .xyz = xyz };
    SLI_TRY(dirty != NULL ? check_some(&s, dirty, dirty_count, error) : check_all(&s, error));
    const sli_fpenv env = sli_fpenv_enter();
    if (dirty != NULL) {
        find_some(&s, dirty, dirty_count);
    } else {
        find_all(&s);
    }
    sli_fpenv_leave(env);
    return SL_OK;
}
