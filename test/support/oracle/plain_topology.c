#include "test/support/oracle/plain_topology.h"

#include <sightline/mesh_format.h>

#include <math.h>
#include <string.h>

typedef struct job {
    const sl_mesh *mesh;
    const sl_topology_def *def;
    const float *xyz;
    plain_topology *p;
} job;

static bool same_place(const float *a, const float *b)
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

static void find_vertices(const job *j)
{
    const uint32_t *indices = sl_mesh_soup(j->mesh).indices;
    const float *xyz = sl_mesh_soup(j->mesh).xyz;
    for (uint32_t i = 0; i < sl_mesh_soup(j->mesh).vertex_count; i++) {
        bool used = false, known = false;
        for (size_t c = 0; c < 3 * j->p->triangle_count; c++) {
            used = used || indices[c] == i;
        }
        for (size_t v = 0; v < j->p->vertex_count; v++) {
            known = known || same_place(xyz + 3 * j->p->mesh_vertex[v], xyz + 3 * i);
        }
        if (used && !known) {
            j->p->mesh_vertex[j->p->vertex_count++] = i;
        }
    }
    for (size_t c = 0; c < 3 * j->p->triangle_count; c++) {
        j->p->vertex[c] = SL_NONE;
        for (uint32_t v = 0; v < j->p->vertex_count && indices[c] != SL_NONE; v++) {
            if (same_place(xyz + 3 * j->p->mesh_vertex[v], xyz + 3 * indices[c])) {
                j->p->vertex[c] = v;
            }
        }
    }
}

static size_t next_corner(size_t c)
{
    return c - c % 3 + (c + 1) % 3;
}

static void find_edges(const job *j)
{
    plain_topology *p = j->p;
    memset(p->edge, 0xFF, sizeof p->edge);
    for (uint32_t lower = 0; lower < p->vertex_count; lower++) {
        for (uint32_t higher = lower + 1; higher < p->vertex_count; higher++) {
            bool found = false;
            for (size_t c = 0; c < 3 * p->triangle_count; c++) {
                const uint32_t a = p->vertex[c], b = p->vertex[next_corner(c)];
                if ((a == lower && b == higher) || (a == higher && b == lower)) {
                    p->edge[c] = (uint32_t)p->edge_count;
                    found = true;
                }
            }
            if (found) {
                p->edges[p->edge_count++] = (sl_edge){ .vertex = { lower, higher } };
            }
        }
    }
}

static bool has_three(const plain_topology *p, size_t prim)
{
    const uint32_t *v = p->vertex + 3 * prim;
    return v[0] != v[1] && v[1] != v[2] && v[2] != v[0];
}

bool plain_topology_has_vertex(const plain_topology *plain, size_t prim, uint32_t vertex)
{
    const uint32_t *v = plain->vertex + 3 * prim;
    return v[0] == vertex || v[1] == vertex || v[2] == vertex;
}

bool plain_topology_has_edge(const plain_topology *plain, size_t prim, uint32_t edge)
{
    const uint32_t *e = plain->edge + 3 * prim;
    return e[0] == edge || e[1] == edge || e[2] == edge;
}

static const float *place_of(const job *j, uint32_t vertex)
{
    return j->xyz + 3 * (size_t)j->p->mesh_vertex[vertex];
}

static void difference(const float *to, const float *from, long double out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = (long double)to[axis] - (long double)from[axis];
    }
}

static long double product_of(const long double a[3], const long double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const long double a[3], const long double b[3], long double out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        const int u = (axis + 1) % 3, v = (axis + 2) % 3;
        out[axis] = a[u] * b[v] - a[v] * b[u];
    }
}

/* Whether two directions differ by more than the angle of creases. */
static bool differ(const job *j, const long double a[3], const long double b[3])
{
    if (product_of(a, a) == 0 || product_of(b, b) == 0 || j->def->crease_rad > 3.1415926f) {
        return false;
    }
    if (j->def->crease_rad < 0) {
        long double across[3];
        cross(a, b, across);
        return product_of(across, across) != 0 || product_of(a, b) < 0;
    }
    /* By doubles: compiler-rt 19 for WebAssembly has 1 / (sqrtl(2) * sqrtl(2)) = 1. */
    const double lengths = (double)(sqrtl(product_of(a, a)) * sqrtl(product_of(b, b)));
    const long double angle = acosl(fmaxl(-1, fminl(1, (double)product_of(a, b) / lengths)));
    j->p->uncertain = j->p->uncertain || fabsl(angle - (long double)j->def->crease_rad) < 1e-8L;
    return angle > (long double)j->def->crease_rad;
}

static void normal_of(const job *j, size_t prim, long double normal[3])
{
    const uint32_t *v = j->p->vertex + 3 * prim;
    long double a[3], b[3];
    difference(place_of(j, v[1]), place_of(j, v[0]), a);
    difference(place_of(j, v[2]), place_of(j, v[0]), b);
    cross(a, b, normal);
}

/* Corners of triangles as texture coordinates have them; false: none. */
static bool uv_of(const job *j, size_t corner, float uv[2])
{
    sl_mesh_attribute all;
    if (!sl_mesh_get_attribute(j->mesh, SL_MESH_UVS, &all)) {
        return false;
    }
    const uint32_t row =
        all.indices != NULL ? all.indices[corner] : sl_mesh_soup(j->mesh).indices[corner];
    if (row == SL_NONE) {
        return false;
    }
    memcpy(uv, all.values + 2 * (size_t)row, 2 * sizeof *uv);
    return true;
}

static bool uvs_differ(const job *j, size_t a, size_t b)
{
    float of_a[2] = { 0, 0 }, of_b[2] = { 0, 0 };
    const bool has_a = uv_of(j, a, of_a), has_b = uv_of(j, b, of_b);
    for (int i = 0; i < 2; i++) {
        of_a[i] += 0.0f; /* zeros of either sign are equal */
        of_b[i] += 0.0f;
    }
    return has_a != has_b || memcmp(of_a, of_b, sizeof of_a) != 0;
}

/* Whether two triangles of three vertices that have an edge give an end of it different ones. */
static bool is_seam(const job *j, uint32_t edge, size_t a, size_t b)
{
    for (size_t i = 3 * a; i < 3 * a + 3; i++) {
        for (size_t k = 3 * b; k < 3 * b + 3; k++) {
            const uint32_t vertex = j->p->vertex[i];
            const sl_edge *e = &j->p->edges[edge];
            if (vertex == j->p->vertex[k] && (vertex == e->vertex[0] || vertex == e->vertex[1]) &&
                uvs_differ(j, i, k)) {
                return true;
            }
        }
    }
    return false;
}

static size_t side_of(const plain_topology *p, size_t prim, uint32_t edge)
{
    size_t side = 3 * prim;
    while (p->edge[side] != edge) {
        side++;
    }
    return side;
}

static void judge(const job *j, uint32_t edge)
{
    plain_topology *p = j->p;
    sl_edge *e = &p->edges[edge];
    size_t all[PLAIN_TRIANGLES], full[PLAIN_TRIANGLES], full_count = 0;
    for (size_t prim = 0; prim < p->triangle_count; prim++) {
        if (plain_topology_has_edge(p, prim, edge)) {
            all[e->triangle_count++] = prim;
            if (has_three(p, prim)) {
                full[full_count++] = prim;
            }
        }
    }
    e->kinds |= full_count < 2 ? SL_EDGE_BOUNDARY : full_count > 2 ? SL_EDGE_NONMANIFOLD : 0u;
    e->kinds |= e->triangle_count == 1 ? SL_EDGE_FACE : 0u;
    for (size_t i = 1; i < e->triangle_count; i++) {
        const uint32_t a = (uint32_t)all[0], b = (uint32_t)all[i];
        e->kinds |= sl_mesh_face(j->mesh, a) != sl_mesh_face(j->mesh, b) ? SL_EDGE_FACE : 0u;
        e->kinds |= sl_mesh_part_of(j->mesh, a) != sl_mesh_part_of(j->mesh, b) ? SL_EDGE_PART : 0u;
    }
    for (size_t i = 1; i < full_count; i++) {
        e->kinds |= is_seam(j, edge, full[0], full[i]) ? SL_EDGE_UV_SEAM : 0u;
    }
    if (full_count == 2) {
        long double a[3], b[3];
        normal_of(j, full[0], a);
        normal_of(j, full[1], b);
        if (p->vertex[side_of(p, full[0], edge)] == p->vertex[side_of(p, full[1], edge)]) {
            e->kinds |= SL_EDGE_NONMANIFOLD;
            for (int axis = 0; axis < 3; axis++) {
                b[axis] = -b[axis];
            }
        }
        e->kinds |= differ(j, a, b) ? SL_EDGE_CREASE : 0u;
    }
    p->feature_edge[edge] = j->def->features == UINT32_MAX || (e->kinds & j->def->features) != 0;
}

static bool is_feature_vertex(const job *j, uint32_t vertex)
{
    const plain_topology *p = j->p;
    uint32_t far_ends[PLAIN_EDGES];
    size_t count = 0;
    for (size_t edge = 0; edge < p->edge_count; edge++) {
        const uint32_t *ends = p->edges[edge].vertex;
        if (p->feature_edge[edge] && (ends[0] == vertex || ends[1] == vertex)) {
            far_ends[count++] = ends[0] == vertex ? ends[1] : ends[0];
        }
    }
    if (count != 2) {
        return count != 0;
    }
    long double a[3], b[3];
    difference(place_of(j, vertex), place_of(j, far_ends[0]), a);
    difference(place_of(j, far_ends[1]), place_of(j, vertex), b);
    return differ(j, a, b);
}

void plain_topology_find(const sl_mesh *mesh, const sl_topology_def *def, const float *xyz,
                         plain_topology *out)
{
    sl_topology_def whole = *def; /* with the defaults that topology.h names */
    whole.crease_rad = def->crease_rad != 0 ? def->crease_rad : 0.523598776f;
    whole.features = def->features != 0 ? def->features : 31;
    const job j = {
        .mesh = mesh, .def = &whole, .xyz = xyz != NULL ? xyz : sl_mesh_soup(mesh).xyz, .p = out
    };
    *out = (plain_topology){ .triangle_count = sl_mesh_soup(mesh).triangle_count };
    find_vertices(&j);
    find_edges(&j);
    for (uint32_t edge = 0; edge < out->edge_count; edge++) {
        judge(&j, edge);
    }
    for (uint32_t vertex = 0; vertex < out->vertex_count; vertex++) {
        out->feature_vertex[vertex] = is_feature_vertex(&j, vertex);
    }
}
