/* The simplex method in integers of a type NUM, for sweep_oracle.c, which includes this once for
 * 128 bits and once for any size (GMP): how high, or low, is the convex hull of points above the
 * origin of the other coordinates?
 *
 * Rows are equations sum a_k x_k = b, x_k >= 0; the last two are what is minimised, first the sum
 * of the artificial columns, then the height.  All entries have the common denominator over > 0,
 * and are minors of the first tableau: Edmonds's integer pivoting.  Entering and leaving columns
 * by Bland's rule, which does not cycle. */
#define ROWS_MAX 6 /* of which 4 equations */

typedef struct SIMPLEX {
    int rows, columns; /* equations; columns without artificial ones, which come behind */
    int basis[ROWS_MAX];
    NUM a[ROWS_MAX][COLUMNS_MAX + 6];
    NUM over;
} SIMPLEX;

static void NAME(pivot)(SIMPLEX *s, int row, int column)
{
    const int width = s->columns + s->rows + 1;
    for (int i = 0; i < s->rows + 2; i++) {
        if (i == row) {
            continue;
        }
        SET(FACTOR, s->a[i][column]);
        for (int j = 0; j < width; j++) {
            PIVOT(s->a[i][j], s->a[row][column], FACTOR, s->a[row][j], s->over);
        }
    }
    SET(s->over, s->a[row][column]);
    if (SIGN(s->over) < 0) {
        NEGATE(s->over);
        for (int i = 0; i < s->rows + 2; i++) {
            for (int j = 0; j < width; j++) {
                NEGATE(s->a[i][j]);
            }
        }
    }
    s->basis[row] = column;
}

/* Minimises the given row; columns from limit on stay out. */
static void NAME(minimise)(SIMPLEX *s, int objective, int limit)
{
    const int last = s->columns + s->rows;
    for (;;) {
        int column = 0, row = -1;
        while (column < limit && SIGN(s->a[objective][column]) >= 0) {
            column++;
        }
        if (column == limit) {
            return;
        }
        for (int i = 0; i < s->rows; i++) {
            if (SIGN(s->a[i][column]) <= 0) {
                continue;
            }
            int order = -1;
            if (row >= 0) {
                CROSS(FACTOR, s->a[i][last], s->a[row][column], s->a[row][last], s->a[i][column]);
                order = SIGN(FACTOR);
            }
            if (order < 0 || (order == 0 && s->basis[i] < s->basis[row])) {
                row = i;
            }
        }
        if (row < 0) {
            abort(); /* weights are at most 1 */
        }
        NAME(pivot)(s, row, column);
    }
}

/* After the equations are in place: false, or a feasible basis without artificial columns but in
 * rows of zeros. */
static bool NAME(start)(SIMPLEX *s)
{
    const int last = s->columns + s->rows;
    ASSIGN(s->over, 1);
    for (int i = 0; i < s->rows; i++) {
        s->basis[i] = s->columns + i;
        for (int j = 0; j < s->rows; j++) {
            ASSIGN(s->a[i][s->columns + j], i == j);
        }
    }
    for (int j = 0; j <= last; j++) {
        ASSIGN(s->a[s->rows][j], 0);
        for (int i = 0; i < s->rows && (j < s->columns || j == last); i++) {
            SUBTRACT(s->a[s->rows][j], s->a[i][j]);
        }
    }
    for (int j = s->columns; j <= last; j++) {
        ASSIGN(s->a[s->rows + 1][j], 0);
    }
    NAME(minimise)(s, s->rows, s->columns);
    if (SIGN(s->a[s->rows][last]) != 0) {
        return false;
    }
    for (int i = 0; i < s->rows; i++) {
        for (int j = 0; j < s->columns && s->basis[i] >= s->columns; j++) {
            if (SIGN(s->a[i][j]) != 0) {
                NAME(pivot)(s, i, j);
            }
        }
    }
    return true;
}

/* The least height, num / over; or the largest one, for which all heights are turned around. */
static void NAME(least)(SIMPLEX *s, bool largest, mpz_t num, mpz_t over)
{
    const int last = s->columns + s->rows, row = s->rows + 1;
    for (int j = 0; j <= last && largest; j++) {
        NEGATE(s->a[row][j]);
    }
    NAME(minimise)(s, row, s->columns);
    TO_MPZ(num, s->a[row][last]);
    TO_MPZ(over, s->over);
    if (!largest) {
        mpz_neg(num, num);
    }
    for (int j = 0; j <= last && largest; j++) {
        NEGATE(s->a[row][j]);
    }
}
