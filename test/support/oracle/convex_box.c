/* The part of convex_oracle.h that is about boxes. */
#include "test/support/oracle/convex_work.h"
#include "test/support/oracle/rational.h"

#include <math.h>

/* Solves the equations for as many weights as they determine; what is left of the others says
 * nothing of the weights.  Returns the rank; pivot[i] is the weight of equation i. */
static int solve(int pivot[3])
{
    int rank = 0;
    for (int w = 0; w < 3; w++) {
        int found = rank;
        while (found < 3 && mpq_sgn(convex.equation[found][w]) == 0) {
            found++;
        }
        if (found == 3) {
            continue;
        }
        for (int k = 0; k < UNKNOWNS; k++) {
            mpq_swap(convex.equation[rank][k], convex.equation[found][k]);
        }
        mpq_set(convex.c, convex.equation[rank][w]);
        for (int k = 0; k < UNKNOWNS; k++) {
            mpq_div(convex.equation[rank][k], convex.equation[rank][k], convex.c);
        }
        for (int i = 0; i < 3; i++) {
            mpq_set(convex.c, convex.equation[i][w]);
            for (int k = 0; k < UNKNOWNS && i != rank; k++) {
                convex_add_product(convex.equation[i][k], convex.c, convex.equation[rank][k], -1);
            }
        }
        pivot[rank++] = w;
    }
    return rank;
}

/* sign * (row) + constant >= 0. */
static void add_row(mpq_t from[UNKNOWNS], int sign, float constant)
{
    for (int k = 0; k < UNKNOWNS; k++) {
        mpq_set(convex.row[convex.rows][k], from[k]);
        if (sign < 0) {
            mpq_neg(convex.row[convex.rows][k], convex.row[convex.rows][k]);
        }
    }
    rational_set(convex.x, (double)constant);
    mpq_add(convex.row[convex.rows][4], convex.row[convex.rows][4], convex.x);
    convex.rows++;
}

/* Fourier and Motzkin: every row that bounds the unknown from below with every one that does from
 * above. */
static void eliminate(int w)
{
    const int before = convex.rows;
    for (int i = 0; i < before; i++) {
        for (int j = 0; j < before && mpq_sgn(convex.row[i][w]) > 0; j++) {
            if (mpq_sgn(convex.row[j][w]) >= 0) {
                continue;
            }
            for (int k = 0; k < UNKNOWNS; k++) {
                mpq_mul(convex.row[convex.rows][k], convex.row[j][k], convex.row[i][w]);
                convex_add_product(convex.row[convex.rows][k], convex.row[i][k], convex.row[j][w],
                                   -1);
            }
            convex.rows++;
        }
    }
    int kept = 0;
    for (int i = 0; i < convex.rows; i++) {
        if (mpq_sgn(convex.row[i][w]) == 0) {
            for (int k = 0; k < UNKNOWNS; k++) {
                mpq_swap(convex.row[kept][k], convex.row[i][k]);
            }
            kept++;
        }
    }
    convex.rows = kept;
}

/* The bounds that are left for t; false where there is none at all. */
static bool read_ends(void)
{
    bool has[2] = { false, false };
    for (int i = 0; i < convex.rows; i++) {
        const int sign = mpq_sgn(convex.row[i][3]), end = sign > 0 ? 0 : 1;
        if (sign == 0) {
            if (mpq_sgn(convex.row[i][4]) < 0) {
                return false;
            }
            continue;
        }
        mpq_div(convex.x, convex.row[i][4], convex.row[i][3]);
        mpq_neg(convex.x, convex.x);
        if (!has[end] || (mpq_cmp(convex.x, convex.end[end]) > 0) == (end == 0)) {
            mpq_set(convex.end[end], convex.x);
        }
        has[end] = true;
    }
    return !convex.moves || mpq_cmp(convex.end[0], convex.end[1]) <= 0;
}

/* Equations: the sum of weight * axis - t * dir + (centre - origin) = 0. */
static const char *box_differs(const float half[3], const contact *got)
{
    int pivot[3];
    const int rank = solve(pivot);
    static mpq_t own[UNKNOWNS];
    static bool ready = false;
    for (int k = 0; k < UNKNOWNS && !ready; k++) {
        mpq_init(own[k]);
    }
    ready = true;
    convex.rows = 0;
    bool interior = rank == 3, is_pivot[3] = { false, false, false };
    for (int i = 0; i < 3; i++) {
        if (i >= rank) { /* 0 = t part + constant */
            add_row(convex.equation[i], 1, 0);
            add_row(convex.equation[i], -1, 0);
            continue;
        }
        is_pivot[pivot[i]] = true;
        interior = interior && half[pivot[i]] > 0;
        for (int k = 0; k < UNKNOWNS; k++) { /* weight = -(the rest) */
            mpq_neg(own[k], convex.equation[i][k]);
        }
        mpq_set_ui(own[pivot[i]], 0, 1);
        add_row(own, 1, half[pivot[i]]);
        add_row(own, -1, half[pivot[i]]);
    }
    for (int w = 0; w < 3; w++) {
        if (!is_pivot[w]) {
            for (int k = 0; k < UNKNOWNS; k++) {
                mpq_set_ui(own[k], k == w, 1);
            }
            add_row(own, 1, half[w]);
            add_row(own, -1, half[w]);
        }
    }
    /* Strictly between all faces at the start? */
    for (int i = 0; i < convex.rows && interior; i++) {
        mpq_set(convex.x, convex.row[i][4]);
        if (!isinf(convex.tmin)) {
            rational_set(convex.m, convex.tmin);
            convex_add_product(convex.x, convex.m, convex.row[i][3], 1);
        } else {
            interior = mpq_sgn(convex.row[i][3]) == 0;
        }
        interior = interior && mpq_sgn(convex.x) > 0;
    }
    for (int w = 0; w < 3; w++) {
        if (!is_pivot[w]) {
            eliminate(w);
        }
    }
    if (!read_ends()) {
        return convex_miss(got);
    }
    return convex_differs(convex_order_known, interior, rank > 1, got);
}

const char *convex_oracle_box(const sl_line *line, const sl_obb *box, const contact *got)
{
    if (!convex_set_line(line)) {
        return convex_miss(got);
    }
    for (int i = 0; i < 3; i++) {
        for (int w = 0; w < 3; w++) {
            rational_set(convex.equation[i][w], (double)box->axis[w][i]);
        }
        mpq_neg(convex.equation[i][3], convex.dir[i]);
        rational_set(convex.equation[i][4], (double)box->centre[i]);
        mpq_sub(convex.equation[i][4], convex.equation[i][4], convex.origin[i]);
    }
    return box_differs(box->half, got);
}

/* weight = row . (origin + t dir) + shift. */
const char *convex_oracle_cube(const sl_line *line, const float inverse[16], const contact *got)
{
    const float half[3] = { 0.5f, 0.5f, 0.5f };
    if (!convex_set_line(line)) {
        return convex_miss(got);
    }
    for (int i = 0; i < 3; i++) {
        for (int w = 0; w < 3; w++) {
            mpq_set_ui(convex.equation[i][w], w == i, 1);
        }
        mpq_set_ui(convex.equation[i][3], 0, 1);
        rational_set(convex.equation[i][4], -(double)inverse[12 + i]);
        for (int k = 0; k < 3; k++) {
            rational_set(convex.x, (double)inverse[4 * k + i]);
            convex_add_product(convex.equation[i][3], convex.x, convex.dir[k], -1);
            convex_add_product(convex.equation[i][4], convex.x, convex.origin[k], -1);
        }
    }
    return box_differs(half, got);
}
