#include "test/support/oracle/gap_oracle.h"

#include "test/support/oracle/rational.h"

enum { ROWS = 6 };

/* Solves count equations in unknowns numbers by elimination: true if there is exactly one
 * solution. */
static bool eliminate(int count, int unknowns, fraction m[ROWS][ROWS + 1], fraction *x)
{
    for (int column = 0; column < unknowns; column++) {
        int pivot = column;
        while (pivot < count && fraction_sign(m[pivot][column]) == 0) {
            pivot++;
        }
        if (pivot == count) {
            return false;
        }
        for (int i = 0; i <= unknowns; i++) {
            const fraction swapped = m[pivot][i];
            m[pivot][i] = m[column][i];
            m[column][i] = swapped;
        }
        for (int row = 0; row < count; row++) {
            if (row == column || fraction_sign(m[row][column]) == 0) {
                continue;
            }
            const fraction by = fraction_div(m[row][column], m[column][column]);
            for (int i = column; i <= unknowns; i++) {
                m[row][i] = fraction_sub(m[row][i], fraction_mul(by, m[column][i]));
            }
        }
    }
    for (int row = unknowns; row < count; row++) {
        if (fraction_sign(m[row][unknowns]) != 0) {
            return false;
        }
    }
    for (int i = 0; i < unknowns; i++) {
        x[i] = fraction_div(m[i][unknowns], m[i][i]);
    }
    return true;
}

/* ---- The least difference ---- */

/* Some points, and their weights in the point nearest to 0 so far. */
typedef struct corral {
    int count;
    fraction3 at[5];
    fraction weight[5];
} corral;

static fraction3 corral_point(const corral *c)
{
    fraction3 x = fraction3_mul(c->at[0], c->weight[0]);
    for (int i = 1; i < c->count; i++) {
        x = fraction3_add(x, fraction3_mul(c->at[i], c->weight[i]));
    }
    return x;
}

/* The weights of the point nearest to 0 of the flat through the points: all have the same product
 * with it, and the sum of the weights is 1. */
static void flat_weights(const corral *c, fraction *weight)
{
    fraction m[ROWS][ROWS + 1], x[ROWS];
    const int n = c->count;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            m[i][j] = fraction3_dot(c->at[i], c->at[j]);
        }
        m[i][n] = fraction_of(-1);
        m[i][n + 1] = fraction_of(0);
        m[n][i] = fraction_of(1);
    }
    m[n][n] = fraction_of(0);
    m[n][n + 1] = fraction_of(1);
    (void)eliminate(n + 1, n + 1, m, x);
    for (int i = 0; i < n; i++) {
        weight[i] = x[i];
    }
}

/* Moves towards the flat's point, as far as all weights stay positive; true where it gets there. */
static bool corral_step(corral *c)
{
    fraction to[5], step = fraction_of(1);
    flat_weights(c, to);
    for (int i = 0; i < c->count; i++) {
        if (fraction_sign(to[i]) <= 0) {
            const fraction here = fraction_div(c->weight[i], fraction_sub(c->weight[i], to[i]));
            step = fraction_compare(here, step) < 0 ? here : step;
        }
    }
    bool all = true;
    int kept = 0;
    for (int i = 0; i < c->count; i++) {
        const fraction moved =
            fraction_add(c->weight[i], fraction_mul(step, fraction_sub(to[i], c->weight[i])));
        all = all && fraction_sign(to[i]) > 0;
        if (fraction_sign(moved) > 0) {
            c->at[kept] = c->at[i];
            c->weight[kept++] = moved;
        }
    }
    c->count = kept;
    return all;
}

fraction gap_oracle_square(const sl_triangle_d *a, const sl_triangle_d *b, fraction3 *d)
{
    fraction3 difference[9];
    for (int i = 0; i < 9; i++) {
        difference[i] = fraction3_sub(fraction3_of_d(a->v[i / 3]), fraction3_of_d(b->v[i % 3]));
    }
    corral c = { .count = 1, .at = { difference[0] }, .weight = { fraction_of(1) } };
    for (;;) {
        const fraction3 x = corral_point(&c);
        const fraction square = fraction3_dot(x, x);
        fraction least = square;
        int best = -1;
        for (int i = 0; i < 9; i++) {
            const fraction along = fraction3_dot(x, difference[i]);
            if (fraction_compare(along, least) < 0) {
                least = along;
                best = i;
            }
        }
        if (best < 0) {
            *d = x;
            return square;
        }
        c.at[c.count] = difference[best];
        c.weight[c.count++] = fraction_of(0);
        while (!corral_step(&c)) {
        }
    }
}

/* ---- The points ---- */

static bool rounds_to(fraction x, double to)
{
    return to == rational_round_double(mpq_numref(x), mpq_denref(x), 0);
}

bool gap_oracle_basic(const sl_triangle_d *a, const sl_triangle_d *b, fraction3 d, int bits,
                      fraction3 *out)
{
    fraction m[ROWS][ROWS + 1], x[ROWS];
    int count = 0, corner[6];
    for (int i = 0; i < 6; i++) {
        if ((bits >> i & 1) != 0) {
            corner[count++] = i;
        }
    }
    for (int row = 0; row < 5; row++) {
        for (int i = 0; i < count; i++) {
            const bool of_b = corner[i] >= 3;
            const double *at = (of_b ? b : a)->v[corner[i] % 3];
            m[row][i] = row < 3    ? fraction_of(of_b ? -at[row] : at[row])
                        : row == 3 ? fraction_of(!of_b)
                                   : fraction_of(of_b);
        }
        m[row][count] = row < 3 ? d.x[row] : fraction_of(1);
    }
    if (count > 5 || !eliminate(5, count, m, x)) {
        return false;
    }
    *out = fraction3_of_d((const double[3]){ 0 });
    for (int i = 0; i < count; i++) {
        if (fraction_sign(x[i]) < 0) {
            return false;
        }
        if (corner[i] < 3) {
            *out = fraction3_add(*out, fraction3_mul(fraction3_of_d(a->v[corner[i]]), x[i]));
        }
    }
    return true;
}

static bool is_lower(fraction3 x, fraction3 than)
{
    int order = 0;
    for (int axis = 0; axis < 3 && order == 0; axis++) {
        order = fraction_compare(x.x[axis], than.x[axis]);
    }
    return order < 0;
}

bool gap_oracle_points(const sl_triangle_d *a, const sl_triangle_d *b, const double on_a[3],
                       const double on_b[3])
{
    fraction3 d, lowest = { { 0 } }, point;
    (void)gap_oracle_square(a, b, &d);
    for (int bits = 0; bits < 64; bits++) {
        if (bits % 8 != 0 && bits / 8 != 0 && gap_oracle_basic(a, b, d, bits, &point) &&
            (lowest.x[0] == NULL || is_lower(point, lowest))) {
            lowest = point;
        }
    }
    bool right = lowest.x[0] != NULL;
    for (int axis = 0; axis < 3 && right; axis++) {
        right = rounds_to(lowest.x[axis], on_a[axis]) &&
                rounds_to(fraction_sub(lowest.x[axis], d.x[axis]), on_b[axis]);
    }
    return right;
}
