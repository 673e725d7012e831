#include "test/support/oracle/triangle_pair_oracle.h"

#include "test/support/oracle/rational.h"

enum { ROWS = 5, WEIGHTS = 6 };

static struct {
    bool ready;
    mpq_t column[WEIGHTS][ROWS]; /* of each weight; the first two rows are the sums */
    mpq_t matrix[ROWS][WEIGHTS + 1];
    mpq_t x[3], least, most, product;
} work;

static void get_ready(void)
{
    if (work.ready) {
        return;
    }
    work.ready = true;
    for (int row = 0; row < ROWS; row++) {
        for (int i = 0; i < WEIGHTS; i++) {
            mpq_init(work.column[i][row]);
        }
        for (int i = 0; i <= WEIGHTS; i++) {
            mpq_init(work.matrix[row][i]);
        }
    }
    mpq_inits(work.x[0], work.x[1], work.x[2], work.least, work.most, work.product, NULL);
}

static void set_columns(const sl_triangle *a, const sl_triangle *b)
{
    for (int i = 0; i < WEIGHTS; i++) {
        const float *corner = i < 3 ? a->v[i] : b->v[i - 3];
        mpq_set_si(work.column[i][0], i < 3, 1);
        mpq_set_si(work.column[i][1], i >= 3, 1);
        for (int axis = 0; axis < 3; axis++) {
            rational_set(work.column[i][2 + axis], (double)corner[axis]);
            if (i >= 3) {
                mpq_neg(work.column[i][2 + axis], work.column[i][2 + axis]);
            }
        }
    }
}

static void swap_rows(int a, int b, int width)
{
    for (int i = 0; i <= width; i++) {
        mpq_swap(work.matrix[a][i], work.matrix[b][i]);
    }
}

static void clear_below_and_above(int pivot, int column, int width)
{
    for (int row = 0; row < ROWS; row++) {
        if (row == pivot || mpq_sgn(work.matrix[row][column]) == 0) {
            continue;
        }
        mpq_t factor;
        mpq_init(factor);
        mpq_div(factor, work.matrix[row][column], work.matrix[pivot][column]);
        for (int i = 0; i <= width; i++) {
            mpq_mul(work.product, factor, work.matrix[pivot][i]);
            mpq_sub(work.matrix[row][i], work.matrix[row][i], work.product);
        }
        mpq_clear(factor);
    }
}

/* The weights of those in use, if there is one solution and all of it is positive: weight k is then
 * matrix[k][count] / matrix[k][k]. */
static bool solve(const int *used, int count)
{
    for (int row = 0; row < ROWS; row++) {
        for (int i = 0; i < count; i++) {
            mpq_set(work.matrix[row][i], work.column[used[i]][row]);
        }
        mpq_set_si(work.matrix[row][count], row < 2, 1);
    }
    for (int i = 0; i < count; i++) {
        int pivot = i;
        while (pivot < ROWS && mpq_sgn(work.matrix[pivot][i]) == 0) {
            pivot++;
        }
        if (pivot == ROWS) {
            return false;
        }
        swap_rows(i, pivot, count);
        clear_below_and_above(i, i, count);
    }
    for (int row = 0; row < ROWS; row++) {
        if (row < count ? mpq_sgn(work.matrix[row][count]) * mpq_sgn(work.matrix[row][row]) <= 0
                        : mpq_sgn(work.matrix[row][count]) != 0) {
            return false;
        }
    }
    return true;
}

static void point_of(const int *used, int count)
{
    for (int axis = 0; axis < 3; axis++) {
        mpq_set_si(work.x[axis], 0, 1);
        for (int i = 0; i < count && used[i] < 3; i++) {
            mpq_div(work.product, work.matrix[i][count], work.matrix[i][i]);
            mpq_mul(work.product, work.product, work.column[used[i]][2 + axis]);
            mpq_add(work.x[axis], work.x[axis], work.product);
        }
    }
}

/* Whether x lies on the segment between two corners of a: each coordinate between theirs, and in
 * proportion. */
static bool on_segment(int i, int j)
{
    mpq_t *p = work.column[i] + 2, *q = work.column[j] + 2;
    for (int axis = 0; axis < 3; axis++) {
        const int k = (axis + 1) % 3;
        const bool swapped = mpq_cmp(p[axis], q[axis]) > 0;
        if (mpq_cmp(work.x[axis], swapped ? q[axis] : p[axis]) < 0 ||
            mpq_cmp(work.x[axis], swapped ? p[axis] : q[axis]) > 0) {
            return false;
        }
        mpq_sub(work.least, work.x[axis], p[axis]);
        mpq_sub(work.product, q[k], p[k]);
        mpq_mul(work.least, work.least, work.product);
        mpq_sub(work.most, work.x[k], p[k]);
        mpq_sub(work.product, q[axis], p[axis]);
        mpq_mul(work.most, work.most, work.product);
        if (!mpq_equal(work.least, work.most)) {
            return false;
        }
    }
    return true;
}

static bool equal_corners(const float a[3], const float b[3])
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

static bool within_shared(const int *shared, int count)
{
    for (int i = 0; i < count; i++) {
        for (int j = i; j < count; j++) {
            if (on_segment(shared[i], shared[j])) {
                return true;
            }
        }
    }
    return false;
}

bool oracle_meet_elsewhere(const sl_triangle *a, const sl_triangle *b)
{
    get_ready();
    set_columns(a, b);
    int shared[3], shared_count = 0;
    for (int i = 0; i < 3; i++) {
        bool is_shared = false;
        for (int j = 0; j < 3; j++) {
            is_shared = is_shared || equal_corners(a->v[i], b->v[j]);
        }
        for (int k = 0; k < shared_count; k++) {
            is_shared = is_shared && !equal_corners(a->v[i], a->v[shared[k]]);
        }
        if (is_shared) {
            shared[shared_count++] = i;
        }
    }
    for (unsigned set = 1; set < 1u << WEIGHTS && shared_count < 3; set++) {
        int used[WEIGHTS], count = 0;
        for (int i = 0; i < WEIGHTS; i++) {
            if ((set >> i & 1) != 0) {
                used[count++] = i;
            }
        }
        if (count <= ROWS && solve(used, count)) {
            point_of(used, count);
            if (!within_shared(shared, shared_count)) {
                return true;
            }
        }
    }
    return false;
}
