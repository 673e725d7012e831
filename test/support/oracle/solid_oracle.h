/* solid_oracle.h: how two solids lie that are sums of signed pieces, decided on all cells of space:
 * boxes on a lattice by its cubes, tetrahedra by the cells of the planes of their faces.
 * Threads  one at a time. */
#pragma once

#include <sightline/clash.h>

enum { SOLID_LATTICE = 5, SOLID_PIECES_MAX = 6 };

typedef struct solid_box {
    int min[3], max[3]; /* within 0 .. SOLID_LATTICE, min < max */
    int sign;           /* 1 where it is wound to the outside, else -1 */
} solid_box;

/* Corners within -8 .. 8, det(b - a, c - a, d - a) > 0. */
typedef struct solid_tet {
    int v[4][3];
    int sign;
} solid_tet;

/* relation and boundaries_meet are set. */
sl_solids solid_oracle_boxes(const solid_box *a, int a_count, const solid_box *b, int b_count,
                             bool by_parity);

/* Of no more than four tetrahedra in all. */
sl_solids solid_oracle_tets(const solid_tet *a, int a_count, const solid_tet *b, int b_count,
                            bool by_parity);
