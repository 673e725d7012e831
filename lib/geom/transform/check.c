/* Whether a transform is usable: the box of its corners, its inverse and how good that is, its
 * grid. */
#include "lib/geom/exact/arithmetic/double_double.h"
#include "lib/geom/transform/transform.h"

#include <float.h>
#include <math.h>
#include <string.h>

bool sli_transform_grid(double grid, double *step)
{
    if (grid == 0) {
        *step = SLI_TRANSFORM_STEP;
        return true;
    }
    int exponent;
    if (!(grid >= SLI_TRANSFORM_STEP && grid <= 0x1p127) || frexp(grid, &exponent) != 0.5) {
        return false;
    }
    *step = grid;
    return true;
}

/* Every step of the corner rule is monotonic: a product in the vertex's coordinate, upwards or
 * downwards by the sign of the element, and sums and roundings in what they are made from.  So the
 * ends are made of the ends, and nothing between them overflows where they do not. */
void sli_transform_bounds(const sl_transform *transform, double grid, const sl_aabb *box,
                          double min[3], double max[3])
{
    for (int axis = 0; axis < 3; axis++) {
        const double *row = transform->m[axis];
        double low[3], high[3];
        for (int k = 0; k < 3; k++) { /* picked by the sign, which no branch could predict */
            const float ends[2] = { box->min[k], box->max[k] };
            const int swapped = row[k] < 0;
            low[k] = ends[swapped];
            high[k] = ends[1 - swapped];
        }
        min[axis] =
            sli_transform_round(sli_transform_coordinate(row, low[0], low[1], low[2]), grid);
        max[axis] =
            sli_transform_round(sli_transform_coordinate(row, high[0], high[1], high[2]), grid);
    }
}

/* As fmax, where a is no NaN. */
static inline double check_larger(double a, double b)
{
    return b > a ? b : a;
}

/* The largest sum of |element| over a row. */
static double check_norm3(const double m[3][3])
{
    double norm = 0;
    for (int i = 0; i < 3; i++) {
        norm = check_larger(norm, (fabs(m[i][0]) + fabs(m[i][1])) + fabs(m[i][2]));
    }
    return norm;
}

/* r = I - A M, each element summed in twice the digits of a double: off by 2^-53 of itself and less
 * than 2^-98 (|A| |M| + 1) (Ogita, Rump and Oishi, Accurate Sum and Dot Product, 2005). */
static void check_residual(const double a[3][3], const double m[3][3], double r[3][3])
{
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            double sum = i == j ? 1 : 0, rest = 0;
            for (int k = 0; k < 3; k++) {
                const sli_dd product = sli_dd_of_product(-a[i][k], m[k][j]);
                double lost;
                sli_two_sum(sum, product.high, &sum, &lost);
                rest += lost + product.low;
            }
            r[i][j] = sum + rest;
        }
    }
}

/* a += r a: a Newton step, which squares the residual. */
static void check_refine(double a[3][3], const double r[3][3])
{
    double better[3][3];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            better[i][j] = a[i][j] + ((r[i][0] * a[0][j] + r[i][1] * a[1][j]) + r[i][2] * a[2][j]);
        }
    }
    for (int i = 0; i < 9; i++) {
        a[i / 3][i % 3] = better[i / 3][i % 3];
    }
}

/* The cofactors' matrix, transposed, over the determinant, which is returned. */
static double check_cofactors(const double m[3][3], double a[3][3])
{
    for (int i = 0; i < 3; i++) {
        const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
        for (int j = 0; j < 3; j++) {
            const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            a[j][i] = m[i1][j1] * m[i2][j2] - m[i1][j2] * m[i2][j1];
        }
    }
    const double det = (m[0][0] * a[0][0] + m[0][1] * a[1][0]) + m[0][2] * a[2][0];
    const double share = 1 / det; /* one rounding more, which every residual sees */
    for (int i = 0; i < 9; i++) {
        a[i / 3][i % 3] *= share;
    }
    return det;
}

/* Writes an inverse whose condition is accepted. */
static bool check_condition(const double a[3][3], double sigma, double norm, bool mirrors,
                            sli_transform_inverse *out)
{
    const double a_norm = check_norm3(a), condition = norm * a_norm;
    if (!(condition <= SLI_TRANSFORM_CONDITION_MAX)) {
        return false;
    }
    *out = (sli_transform_inverse){
        .sigma = sigma, .norm = norm, .a_norm = a_norm, .condition = condition, .mirrors = mirrors
    };
    memcpy(out->a, a, sizeof out->a);
    return true;
}

/* A sigma that costs nothing: boxes grow by as much anyway (bvh/kernel/instance/to_local.inl). */
#define PLAIN_SIGMA_MAX 0x1p-44

/* The residual of the cofactors' inverse, in doubles: each element is off by four roundings.
 * Enough for transforms that are not ill-conditioned, and a fifth of the time.  False: it is no
 * proof, or not a good one. */
static bool invert_plainly(const double m[3][3], double norm, sli_transform_inverse *out)
{
    double a[3][3], sigma = 0;
    if (!(norm >= 0x1p-100 && norm <= 0x1p100)) {
        return false; /* cofactors may underflow */
    }
    const double det = check_cofactors(m, a);
    for (int i = 0; i < 3; i++) {
        double row = 0;
        for (int j = 0; j < 3; j++) {
            const double x = a[i][0] * m[0][j], y = a[i][1] * m[1][j], z = a[i][2] * m[2][j];
            const double size = 1 + fabs(x) + fabs(y) + fabs(z);
            row += fabs((i == j) - ((x + y) + z)) + 5 * 0x1p-53 * size;
        }
        sigma = row > sigma ? row : sigma;
        if (!(row <= PLAIN_SIGMA_MAX)) { /* or no number */
            return false;
        }
    }
    return check_condition((const double(*)[3])a, sigma * (1 + 0x1p-40), norm, det < 0, out);
}

/* M is first multiplied by 2^-e so that ||M|| is in [1, 2).  Then A is below 2^20 (1 + sigma)
 * where the condition is accepted, the cofactors' inverse has a residual below some 2^-10, and
 * three steps take it to what doubles allow: about 2^-53 times the condition.  A larger one is
 * refused, for it is no proof that A is near the inverse.
 *
 * Sigma holds for what leaves: the rounding of the residual's nine sums is in the factor, its
 * other errors, less than 2^-98 (9 * 2^20 + 1), in the term that is added, and so is what
 * underflows when A is multiplied by 2^-e: elements lose less than 2^-1074 each, times ||M|| <=
 * 2^300.
 *
 * The sign of det M is certain: with smallest and largest singular values s3 and s1 >= ||M|| /
 * sqrt(3), |det M| >= s1 s3^2 >= s1^3 / (3 * 2^20)^2 > 2^-46 ||M||^3, while its computed value
 * is off by less than 2^-50 ||M||^3. */
bool sli_transform_invert(const sl_transform *transform, sli_transform_inverse *out)
{
    double m[3][3], a[3][3], r[3][3];
    for (int i = 0; i < 9; i++) {
        m[i / 3][i % 3] = transform->m[i / 3][i % 3];
    }
    const double norm = check_norm3((const double(*)[3])m);
    bool finite = norm >= SLI_TRANSFORM_NORM_MIN && norm <= SLI_TRANSFORM_NORM_MAX;
    for (int i = 0; i < 9; i++) {
        finite = finite && isfinite(m[i / 3][i % 3]); /* a NaN is never larger */
    }
    if (!finite) {
        return false;
    }
    if (invert_plainly((const double(*)[3])m, norm, out)) {
        return true;
    }
    int exponent;
    (void)frexp(norm, &exponent);
    for (int i = 0; i < 9; i++) {
        m[i / 3][i % 3] = ldexp(m[i / 3][i % 3], 1 - exponent);
    }
    const double det = check_cofactors((const double(*)[3])m, a);
    for (int step = 0; step < 3; step++) {
        check_residual((const double(*)[3])a, (const double(*)[3])m, r);
        check_refine(a, (const double(*)[3])r);
    }
    check_residual((const double(*)[3])a, (const double(*)[3])m, r);
    const double sigma = check_norm3((const double(*)[3])r) * (1 + 0x1p-50) + 0x1p-70;
    bool good = sigma <= 0x1p-20;
    for (int i = 0; i < 9; i++) {
        good = good && isfinite(a[i / 3][i % 3]) && isfinite(r[i / 3][i % 3]);
        a[i / 3][i % 3] = ldexp(a[i / 3][i % 3], 1 - exponent);
    }
    return good && check_condition((const double(*)[3])a, sigma, norm, det < 0, out);
}

static sli_transform_fault check_box(const double min[3], const double max[3])
{
    for (int axis = 0; axis < 3; axis++) {
        if (!(fabs(min[axis]) <= FLT_MAX) || !(fabs(max[axis]) <= FLT_MAX)) {
            return SLI_TRANSFORM_OUT_OF_RANGE;
        }
    }
    return SLI_TRANSFORM_OK;
}

/* All twelve at once: 0 * x is a NaN where x is infinite or a NaN. */
static bool finite_elements(const sl_transform *transform)
{
    double sum = 0;
    for (int i = 0; i < 12; i++) {
        sum += 0 * transform->m[i / 4][i % 4];
    }
    return sum == 0;
}

static bool is_empty(const sl_aabb *box)
{
    return box->min[0] > box->max[0] || box->min[1] > box->max[1] || box->min[2] > box->max[2];
}

sli_transform_fault sli_transform_prepare(const sl_transform *transform, double grid,
                                          const sl_aabb *box, sli_transform_inverse *inverse,
                                          double min[3], double max[3])
{
    if (!finite_elements(transform)) {
        return SLI_TRANSFORM_NOT_FINITE;
    }
    const bool empty = is_empty(box);
    double step;
    for (int axis = 0; axis < 3; axis++) {
        min[axis] = max[axis] = 0;
    }
    if (!empty) {
        sli_transform_bounds(transform, SLI_TRANSFORM_STEP, box, min, max);
    }
    if (check_box(min, max) != SLI_TRANSFORM_OK) {
        return SLI_TRANSFORM_OUT_OF_RANGE;
    }
    if (!sli_transform_invert(transform, inverse)) {
        return SLI_TRANSFORM_SINGULAR;
    }
    if (!sli_transform_grid(grid, &step)) {
        return SLI_TRANSFORM_BAD_GRID;
    }
    if (grid != 0 && !empty) {
        const double side = fmax(fmax(max[0] - min[0], max[1] - min[1]), max[2] - min[2]);
        if (!(16 * grid <= side)) {
            return SLI_TRANSFORM_COARSE_GRID;
        }
        sli_transform_bounds(transform, step, box, min, max);
        return check_box(min, max);
    }
    return SLI_TRANSFORM_OK;
}

sli_transform_fault sli_transform_check(const sl_transform *transform, double grid,
                                        const sl_aabb *box, sli_transform_inverse *inverse)
{
    sli_transform_inverse found;
    double min[3], max[3];
    const sli_transform_fault fault = sli_transform_prepare(transform, grid, box, &found, min, max);
    if (fault == SLI_TRANSFORM_OK && inverse != NULL) {
        *inverse = found;
    }
    return fault;
}

const char *sli_transform_fault_words(sli_transform_fault fault)
{
    static const char *const words[] = {
        "its transform is usable",
        "its transform has an element that is not finite",
        "its corners would be beyond the range of floats",
        "its transform is flat, or so nearly that ||M|| ||M^-1|| > 2^20",
        "its grid is no power of two from 2^-149 to 2^127",
        "its grid is more than 1/16 of its size",
    };
    return words[fault];
}
