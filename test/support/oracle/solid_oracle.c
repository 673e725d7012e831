/* Two solids on all cells of an arrangement.  A point is on a boundary where the cells around it
 * are not all in the solid, or all out of it. */
#include "test/support/oracle/solid_oracle.h"

#include <stdlib.h>
#include <string.h>

/* ---- What is common ---- */

/* Which kinds of cells there are. */
typedef struct kinds {
    bool both, only[2], meet;
} kinds;

static void kinds_add(kinds *k, bool in_a, bool in_b)
{
    k->both = k->both || (in_a && in_b);
    k->only[0] = k->only[0] || (in_a && !in_b);
    k->only[1] = k->only[1] || (in_b && !in_a);
}

static sl_solids kinds_judge(const kinds *k)
{
    sl_solids out = { .boundaries_meet = k->meet };
    if (!k->both) {
        out.relation = k->meet ? SL_SOLIDS_TOUCHING : SL_SOLIDS_APART;
    } else if (k->only[0] && k->only[1]) {
        out.relation = SL_SOLIDS_OVERLAPPING;
    } else {
        out.relation = k->only[0]   ? SL_SOLIDS_B_INSIDE
                       : k->only[1] ? SL_SOLIDS_A_INSIDE
                                    : SL_SOLIDS_EQUAL;
    }
    return out;
}

static bool is_in(int winding, bool by_parity)
{
    return by_parity ? winding % 2 != 0 : winding != 0;
}

/* ---- Boxes ---- */

enum { N = SOLID_LATTICE };

/* Cubes from -1 to N on each axis, those outside of the lattice empty. */
typedef bool cubes[N + 2][N + 2][N + 2];

static void fill_cubes(const solid_box *boxes, int count, bool by_parity, cubes in)
{
    for (int i = 0; i < (N + 2) * (N + 2) * (N + 2); i++) {
        const int at[3] = { i / ((N + 2) * (N + 2)) - 1, i / (N + 2) % (N + 2) - 1,
                            i % (N + 2) - 1 };
        int winding = 0;
        for (int k = 0; k < count; k++) {
            bool within = true;
            for (int axis = 0; axis < 3; axis++) {
                within = within && at[axis] >= boxes[k].min[axis] && at[axis] < boxes[k].max[axis];
            }
            winding += within ? boxes[k].sign : 0;
        }
        in[at[0] + 1][at[1] + 1][at[2] + 1] = is_in(winding, by_parity);
    }
}

static bool cubes_vary(cubes in, int x, int y, int z)
{
    int sum = 0;
    for (int i = 0; i < 8; i++) {
        sum += in[x + (i & 1)][y + (i >> 1 & 1)][z + (i >> 2)];
    }
    return sum != 0 && sum != 8;
}

sl_solids solid_oracle_boxes(const solid_box *a, int a_count, const solid_box *b, int b_count,
                             bool by_parity)
{
    cubes in_a, in_b;
    kinds k = { .both = false };
    fill_cubes(a, a_count, by_parity, in_a);
    fill_cubes(b, b_count, by_parity, in_b);
    for (int x = 0; x <= N; x++) {
        for (int y = 0; y <= N; y++) {
            for (int z = 0; z <= N; z++) {
                kinds_add(&k, in_a[x][y][z], in_b[x][y][z]);
                k.meet = k.meet || (cubes_vary(in_a, x, y, z) && cubes_vary(in_b, x, y, z));
            }
        }
    }
    return kinds_judge(&k);
}

/* ---- Tetrahedra ----
 *
 * Cells and corners of the arrangement are told apart by the sides of the planes that they lie on.
 * A cell's side is -1 or 1 of each plane, a corner's may be 0.  A corner is one of a cell where it
 * differs from it by zeros only; and such a set of sides is that of a cell where each of the planes
 * has one of its corners off it, since then the mean of them all is within it.  Six planes around
 * everything make all cells bounded that matter. */

enum { AROUND = 6, PLANES_MAX = 4 * 4 + AROUND, CORNERS_MAX = 1 << 12, CELLS_MAX = 1 << 14 };

typedef struct plane {
    int64_t n[3], d; /* n . x = d */
} plane;

typedef struct arrangement {
    plane planes[PLANES_MAX];
    int plane_count;
    int8_t corner[CORNERS_MAX][PLANES_MAX];
    int corner_count;
    uint32_t cell[CELLS_MAX]; /* bit i: on the positive side of plane i */
    bool in[2][CELLS_MAX];
    int cell_count;
} arrangement;

static plane plane_of(const int a[3], const int b[3], const int c[3])
{
    plane out = { .d = 0 };
    for (int axis = 0; axis < 3; axis++) {
        const int i = (axis + 1) % 3, j = (axis + 2) % 3;
        out.n[axis] =
            (int64_t)(b[i] - a[i]) * (c[j] - a[j]) - (int64_t)(b[j] - a[j]) * (c[i] - a[i]);
        out.d += out.n[axis] * a[axis];
    }
    return out;
}

/* Faces look outwards: face i is opposite to corner i. */
static void add_planes(arrangement *s, const solid_tet *tets, int count)
{
    static const int face[4][3] = { { 1, 2, 3 }, { 0, 3, 2 }, { 0, 1, 3 }, { 0, 2, 1 } };
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < 4; k++) {
            s->planes[s->plane_count++] =
                plane_of(tets[i].v[face[k][0]], tets[i].v[face[k][1]], tets[i].v[face[k][2]]);
        }
    }
}

static int64_t det3(const int64_t a[3], const int64_t b[3], const int64_t c[3])
{
    return a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) +
           a[2] * (b[0] * c[1] - b[1] * c[0]);
}

/* Cramer's rule: normals are at most 512, offsets 2^14, so that all stays below 2^55. */
static void add_corner(arrangement *s, const plane *p, const plane *q, const plane *r)
{
    const int64_t det = det3(p->n, q->n, r->n);
    int64_t at[3];
    int8_t side[PLANES_MAX];
    if (det == 0) {
        return;
    }
    for (int axis = 0; axis < 3; axis++) {
        int64_t m[3][3];
        const plane *const all[3] = { p, q, r };
        for (int i = 0; i < 3; i++) {
            memcpy(m[i], all[i]->n, sizeof m[i]);
            m[i][axis] = all[i]->d;
        }
        at[axis] = det3(m[0], m[1], m[2]);
    }
    for (int i = 0; i < s->plane_count; i++) {
        const plane *t = &s->planes[i];
        const int64_t value = t->n[0] * at[0] + t->n[1] * at[1] + t->n[2] * at[2] - t->d * det;
        const int sign = (value > 0) - (value < 0);
        side[i] = (int8_t)(det > 0 ? sign : -sign);
        if (i < AROUND && side[i] > 0) {
            return;
        }
    }
    for (int i = 0; i < s->corner_count; i++) {
        if (memcmp(s->corner[i], side, (size_t)s->plane_count) == 0) {
            return;
        }
    }
    if (s->corner_count == CORNERS_MAX) {
        abort();
    }
    memcpy(s->corner[s->corner_count++], side, sizeof side);
}

static bool corner_fits(const arrangement *s, const int8_t *corner, uint32_t cell)
{
    for (int i = 0; i < s->plane_count; i++) {
        if (corner[i] != 0 && (corner[i] > 0) != ((cell >> i & 1) != 0)) {
            return false;
        }
    }
    return true;
}

static bool is_cell(const arrangement *s, uint32_t cell)
{
    uint32_t off = 0;
    for (int i = 0; i < s->corner_count; i++) {
        for (int k = 0; k < s->plane_count && corner_fits(s, s->corner[i], cell); k++) {
            off |= (uint32_t)(s->corner[i][k] != 0) << k;
        }
    }
    return off == (1u << s->plane_count) - 1;
}

static int winding_of(const solid_tet *tets, int count, uint32_t cell, int first)
{
    int winding = 0;
    for (int i = 0; i < count; i++) {
        winding += (cell >> (first + 4 * i) & 15) == 0 ? tets[i].sign : 0;
    }
    return winding;
}

static bool has_cell(const arrangement *s, uint32_t cell)
{
    for (int i = 0; i < s->cell_count; i++) {
        if (s->cell[i] == cell) {
            return true;
        }
    }
    return false;
}

/* All cells at a corner: its zeros both ways. */
static void add_cells(arrangement *s, const int8_t *corner)
{
    uint32_t fixed = 0, zeros = 0;
    for (int i = 0; i < s->plane_count; i++) {
        fixed |= (uint32_t)(corner[i] > 0) << i;
        zeros |= (uint32_t)(corner[i] == 0) << i;
    }
    for (uint32_t part = zeros;; part = (part - 1) & zeros) {
        const uint32_t cell = fixed | part;
        if ((cell & ((1u << AROUND) - 1)) == 0 && !has_cell(s, cell) && is_cell(s, cell)) {
            if (s->cell_count == CELLS_MAX) {
                abort();
            }
            s->cell[s->cell_count++] = cell;
        }
        if (part == 0) {
            return;
        }
    }
}

static bool cells_vary(const arrangement *s, const int8_t *corner, int side)
{
    bool in = false, out = false;
    for (int i = 0; i < s->cell_count; i++) {
        if (corner_fits(s, corner, s->cell[i])) {
            in = in || s->in[side][i];
            out = out || !s->in[side][i];
        }
    }
    return in && out;
}

static void arrange(arrangement *s)
{
    for (int i = 0; i < s->plane_count; i++) {
        for (int j = 0; j < i; j++) {
            for (int k = 0; k < j; k++) {
                add_corner(s, &s->planes[i], &s->planes[j], &s->planes[k]);
            }
        }
    }
    for (int i = 0; i < s->corner_count; i++) {
        add_cells(s, s->corner[i]);
    }
}

sl_solids solid_oracle_tets(const solid_tet *a, int a_count, const solid_tet *b, int b_count,
                            bool by_parity)
{
    static arrangement s;
    kinds k = { .both = false };
    s.plane_count = s.corner_count = s.cell_count = 0;
    for (int i = 0; i < AROUND; i++) {
        plane around = { .d = 9 };
        around.n[i / 2] = i % 2 == 0 ? 1 : -1;
        s.planes[s.plane_count++] = around;
    }
    add_planes(&s, a, a_count);
    add_planes(&s, b, b_count);
    arrange(&s);
    for (int i = 0; i < s.cell_count; i++) {
        s.in[0][i] = is_in(winding_of(a, a_count, s.cell[i], AROUND), by_parity);
        s.in[1][i] = is_in(winding_of(b, b_count, s.cell[i], AROUND + 4 * a_count), by_parity);
        kinds_add(&k, s.in[0][i], s.in[1][i]);
    }
    for (int i = 0; i < s.corner_count && !k.meet; i++) {
        k.meet = cells_vary(&s, s.corner[i], 0) && cells_vary(&s, s.corner[i], 1);
    }
    return kinds_judge(&k);
}
