#include "test/support/oracle/support_oracle.h"

#include "test/support/oracle/rational.h"

enum { DIFFERENCES_MAX = ORACLE_POINTS_MAX * ORACLE_POINTS_MAX, CORRAL = 4 };

/* The differences of the points, as integers in units of one power of two; the corral, x / scale
 * being the point nearest to 0 of its affine hull; and temporaries, kept from call to call. */
static struct {
    bool ready;
    mpq_t difference[DIFFERENCES_MAX][3];
    mpz_t point[DIFFERENCES_MAX][3];
    int count;
    int corral[CORRAL], size;
    mpq_t weight[CORRAL], wanted[CORRAL];
    mpz_t x[3], scale;
    mpq_t matrix[CORRAL][CORRAL + 1];
    mpq_t a, b, c;
    mpz_t dot, least;
    mp_bitcnt_t unit; /* the points are in units of 2^-unit */
} work;

static void get_ready(void)
{
    if (work.ready) {
        return;
    }
    work.ready = true;
    for (int i = 0; i < 3 * DIFFERENCES_MAX; i++) {
        mpq_init(work.difference[i / 3][i % 3]);
        mpz_init(work.point[i / 3][i % 3]);
    }
    for (int i = 0; i < CORRAL; i++) {
        mpq_inits(work.weight[i], work.wanted[i], NULL);
        for (int j = 0; j <= CORRAL; j++) {
            mpq_init(work.matrix[i][j]);
        }
    }
    mpq_inits(work.a, work.b, work.c, NULL);
    mpz_inits(work.x[0], work.x[1], work.x[2], work.scale, work.dot, work.least, NULL);
}

static void cloud_ready(oracle_point_set *points)
{
    if (points->count != 0) {
        return;
    }
    for (int i = 0; i < ORACLE_POINTS_MAX; i++) {
        mpq_inits(points->point[i][0], points->point[i][1], points->point[i][2], NULL);
    }
}

void oracle_point_set_points(oracle_point_set *points, int count, const float *xyz)
{
    cloud_ready(points);
    points->count = count;
    for (int i = 0; i < 3 * count; i++) {
        rational_set(points->point[i / 3][i % 3], (double)xyz[i]);
    }
}

void oracle_point_set_aabb(oracle_point_set *points, const sl_aabb *box)
{
    cloud_ready(points);
    points->count = 8;
    for (int i = 0; i < 24; i++) {
        const int corner = i / 3, axis = i % 3;
        const bool far = (corner >> axis & 1) != 0;
        rational_set(points->point[corner][axis], (double)(far ? box->max : box->min)[axis]);
    }
}

void oracle_point_set_obb(oracle_point_set *points, const sl_obb *box)
{
    get_ready();
    cloud_ready(points);
    points->count = 8;
    for (int i = 0; i < 24; i++) {
        const int corner = i / 3, axis = i % 3;
        rational_set(points->point[corner][axis], (double)box->centre[axis]);
        for (int j = 0; j < 3; j++) {
            rational_set(work.a, (double)box->half[j]);
            rational_set(work.b, (double)box->axis[j][axis]);
            mpq_mul(work.a, work.a, work.b);
            if ((corner >> j & 1) != 0) {
                mpq_neg(work.a, work.a);
            }
            mpq_add(points->point[corner][axis], points->point[corner][axis], work.a);
        }
    }
}

static void dot(mpz_t out, mpz_t a[3], mpz_t b[3])
{
    mpz_mul(out, a[0], b[0]);
    mpz_addmul(out, a[1], b[1]);
    mpz_addmul(out, a[2], b[2]);
}

/* Gauss and Jordan; the matrix is regular. */
static void solve(int n)
{
    for (int column = 0; column < n; column++) {
        int pivot = column;
        while (mpq_sgn(work.matrix[pivot][column]) == 0) {
            pivot++;
        }
        for (int j = 0; j <= n; j++) {
            mpq_swap(work.matrix[column][j], work.matrix[pivot][j]);
        }
        for (int i = 0; i < n; i++) {
            if (i == column || mpq_sgn(work.matrix[i][column]) == 0) {
                continue;
            }
            mpq_div(work.a, work.matrix[i][column], work.matrix[column][column]);
            for (int j = column; j <= n; j++) {
                mpq_mul(work.b, work.a, work.matrix[column][j]);
                mpq_sub(work.matrix[i][j], work.matrix[i][j], work.b);
            }
        }
    }
}

/* wanted = the weights, of sum 1, of the corral's affine hull's point nearest to 0: all p_i . x are
 * equal, so (G + 1) w = 1 up to a factor, with G the p_i . p_j. */
static void find_wanted(void)
{
    const int n = work.size;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            dot(work.dot, work.point[work.corral[i]], work.point[work.corral[j]]);
            mpz_add_ui(work.dot, work.dot, 1);
            mpq_set_z(work.matrix[i][j], work.dot);
        }
        mpq_set_ui(work.matrix[i][n], 1, 1);
    }
    solve(n);
    mpq_set_ui(work.c, 0, 1);
    for (int i = 0; i < n; i++) {
        mpq_div(work.wanted[i], work.matrix[i][n], work.matrix[i][i]);
        mpq_add(work.c, work.c, work.wanted[i]);
    }
    for (int i = 0; i < n; i++) {
        mpq_div(work.wanted[i], work.wanted[i], work.c);
    }
}

/* Goes from weight towards wanted until one of the weights is 0, and drops that; true if it was
 * reached. */
static bool approach(void)
{
    mpq_set_ui(work.c, 1, 1);
    for (int i = 0; i < work.size; i++) {
        if (mpq_sgn(work.wanted[i]) < 0) {
            mpq_sub(work.a, work.weight[i], work.wanted[i]);
            mpq_div(work.a, work.weight[i], work.a);
            if (mpq_cmp(work.a, work.c) < 0) {
                mpq_set(work.c, work.a);
            }
        }
    }
    const bool reached = mpq_cmp_ui(work.c, 1, 1) == 0;
    int kept = 0;
    for (int i = 0; i < work.size; i++) {
        mpq_sub(work.a, work.wanted[i], work.weight[i]);
        mpq_mul(work.a, work.a, work.c);
        mpq_add(work.a, work.a, work.weight[i]);
        if (mpq_sgn(work.a) != 0) {
            work.corral[kept] = work.corral[i];
            mpq_set(work.weight[kept++], work.a);
        }
    }
    work.size = kept;
    return reached;
}

static void find_x(void)
{
    mpz_set_ui(work.scale, 1);
    for (int i = 0; i < work.size; i++) {
        mpz_lcm(work.scale, work.scale, mpq_denref(work.weight[i]));
    }
    for (int axis = 0; axis < 3; axis++) {
        mpz_set_ui(work.x[axis], 0);
        for (int i = 0; i < work.size; i++) {
            mpz_divexact(work.dot, work.scale, mpq_denref(work.weight[i]));
            mpz_mul(work.dot, work.dot, mpq_numref(work.weight[i]));
            mpz_addmul(work.x[axis], work.dot, work.point[work.corral[i]][axis]);
        }
    }
}

/* The point that is furthest in the direction of 0 joins, unless none is further than x. */
static bool join(void)
{
    int best = -1;
    dot(work.least, work.x, work.x);
    for (int i = 0; i < work.count; i++) {
        dot(work.dot, work.x, work.point[i]);
        mpz_mul(work.dot, work.dot, work.scale);
        if (mpz_cmp(work.dot, work.least) < 0) {
            mpz_set(work.least, work.dot);
            best = i;
        }
    }
    if (best < 0) {
        return false;
    }
    work.corral[work.size] = best;
    mpq_set_ui(work.weight[work.size++], 0, 1);
    return true;
}

static void subtract(const oracle_point_set *a, const oracle_point_set *b)
{
    work.count = 0;
    work.unit = 0;
    for (int i = 0; i < a->count; i++) {
        for (int j = 0; j < b->count; j++, work.count++) {
            for (int axis = 0; axis < 3; axis++) {
                mpq_ptr difference = work.difference[work.count][axis];
                mpq_sub(difference, a->point[i][axis], b->point[j][axis]);
                const mp_bitcnt_t unit = mpz_sizeinbase(mpq_denref(difference), 2) - 1;
                work.unit = unit > work.unit ? unit : work.unit;
            }
        }
    }
    for (int i = 0; i < 3 * work.count; i++) {
        mpq_mul_2exp(work.a, work.difference[i / 3][i % 3], work.unit);
        mpz_set(work.point[i / 3][i % 3], mpq_numref(work.a));
    }
}

int oracle_compare_distance(const oracle_point_set *a, const oracle_point_set *b, float r1,
                            float r2)
{
    get_ready();
    subtract(a, b);
    work.size = 1;
    work.corral[0] = 0;
    mpq_set_ui(work.weight[0], 1, 1);
    find_x();
    while (join()) {
        do {
            find_wanted();
        } while (!approach());
        find_x();
    }
    rational_set(work.b, (double)r1);
    rational_set(work.c, (double)r2);
    mpq_add(work.b, work.b, work.c);
    mpq_mul_2exp(work.b, work.b, work.unit);
    mpq_set_z(work.c, work.scale);
    mpq_mul(work.b, work.b, work.c);
    mpq_mul(work.b, work.b, work.b);
    dot(work.dot, work.x, work.x);
    mpq_set_z(work.a, work.dot);
    return mpq_cmp(work.a, work.b);
}
