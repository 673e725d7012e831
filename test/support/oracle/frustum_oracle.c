#include "test/support/oracle/frustum_oracle.h"

#include "test/support/oracle/rational.h"

#include <math.h>
#include <stdlib.h>

enum { ROWS = 1024, UNKNOWNS = 3 };

/* Rows row . t <= bound, in place 3. */
typedef mpq_t row[UNKNOWNS + 1];

static struct {
    bool ready;
    row a[ROWS], b[ROWS];
    mpq_t x, y, z;
} work;

static void get_ready(void)
{
    if (work.ready) {
        return;
    }
    work.ready = true;
    for (int i = 0; i < ROWS; i++) {
        for (int j = 0; j <= UNKNOWNS; j++) {
            mpq_inits(work.a[i][j], work.b[i][j], NULL);
        }
    }
    mpq_inits(work.x, work.y, work.z, NULL);
}

/* out = n . (to - from), of floats; from may be NULL. */
static void slope(mpq_t out, const float n[3], const float to[3], const float *from)
{
    mpq_set_ui(out, 0, 1);
    for (int axis = 0; axis < 3; axis++) {
        rational_set(work.x, (double)to[axis]);
        rational_set(work.y, from != NULL ? (double)from[axis] : 0);
        mpq_sub(work.x, work.x, work.y);
        rational_set(work.y, (double)n[axis]);
        mpq_mul(work.x, work.x, work.y);
        mpq_add(out, out, work.x);
    }
}

/* bound = offset - n . point */
static void set_bound(mpq_t out, const sl_plane *plane, const float point[3])
{
    slope(out, plane->normal, point, NULL);
    rational_set(work.x, (double)plane->offset);
    mpq_sub(out, work.x, out);
}

/* sign * t_unknown <= bound */
static void add_limit(int *count, int unknown, int sign, double bound)
{
    if (!isfinite(bound)) {
        return;
    }
    for (int j = 0; j < UNKNOWNS; j++) {
        mpq_set_si(work.a[*count][j], j == unknown ? sign : 0, 1);
    }
    rational_set(work.a[*count][UNKNOWNS], bound);
    ++*count;
}

/* out = the combination of two rows that has no t_unknown: one has it positive, one negative. */
static void combine(row up, row down, int unknown, row out)
{
    mpq_neg(work.z, down[unknown]);
    for (int j = 0; j <= UNKNOWNS; j++) {
        mpq_mul(work.x, up[j], work.z);
        mpq_mul(work.y, down[j], up[unknown]);
        mpq_add(out[j], work.x, work.y);
    }
}

static void copy_row(row from, row to)
{
    for (int j = 0; j <= UNKNOWNS; j++) {
        mpq_set(to[j], from[j]);
    }
}

/* Rows without the unknown, and each row that limits it from above combined with each from below;
 * returns how many. */
static int eliminate(row *from, int count, int unknown, row *to)
{
    int made = 0;
    for (int i = 0; i < count; i++) {
        const int sign = mpq_sgn(from[i][unknown]);
        if (sign == 0) {
            copy_row(from[i], to[made++]);
        }
        for (int j = 0; sign > 0 && j < count; j++) {
            if (mpq_sgn(from[j][unknown]) < 0) {
                if (made == ROWS) {
                    abort(); /* the test's mistake */
                }
                combine(from[i], from[j], unknown, to[made++]);
            }
        }
    }
    return made;
}

/* Of rows in one unknown only the tightest on each side stay, and those without any. */
static int tighten(row *rows, int count, int unknown)
{
    int kept = 0, tightest[2] = { -1, -1 };
    for (int i = 0; i < count; i++) {
        const int sign = mpq_sgn(rows[i][unknown]);
        if (sign == 0) {
            if (mpq_sgn(rows[i][UNKNOWNS]) < 0) {
                copy_row(rows[i], rows[0]);
                return 1;
            }
            continue;
        }
        mpq_abs(work.x, rows[i][unknown]);
        mpq_div(rows[i][UNKNOWNS], rows[i][UNKNOWNS], work.x);
        mpq_set_si(rows[i][unknown], sign, 1);
        int *best = &tightest[sign > 0];
        if (*best < 0) {
            *best = kept;
            copy_row(rows[i], rows[kept++]);
        } else if (mpq_cmp(rows[i][UNKNOWNS], rows[*best][UNKNOWNS]) < 0) {
            copy_row(rows[i], rows[*best]);
        }
    }
    return kept;
}

/* Whether the first count rows of work.a have a solution. */
static bool feasible(int count)
{
    count = eliminate(work.a, count, 0, work.b);
    count = eliminate(work.b, count, 1, work.a);
    count = tighten(work.a, count, 2);
    count = eliminate(work.a, count, 2, work.b);
    for (int i = 0; i < count; i++) {
        if (mpq_sgn(work.b[i][UNKNOWNS]) < 0) {
            return false;
        }
    }
    return true;
}

bool oracle_frustum_triangle(const sl_frustum *frustum, const sl_triangle *triangle)
{
    get_ready();
    int count = 0;
    add_limit(&count, 0, -1, 0);
    add_limit(&count, 1, -1, 0);
    add_limit(&count, 0, 1, 1);
    mpq_set_ui(work.a[count - 1][1], 1, 1); /* u + v <= 1 */
    for (uint32_t i = 0; i < frustum->count; i++, count++) {
        const sl_plane *plane = &frustum->plane[i];
        slope(work.a[count][0], plane->normal, triangle->v[1], triangle->v[0]);
        slope(work.a[count][1], plane->normal, triangle->v[2], triangle->v[0]);
        mpq_set_ui(work.a[count][2], 0, 1);
        set_bound(work.a[count][3], plane, triangle->v[0]);
    }
    return feasible(count);
}

bool oracle_frustum_aabb(const sl_frustum *frustum, const sl_aabb *box)
{
    get_ready();
    int count = 0;
    for (int axis = 0; axis < 3; axis++) {
        add_limit(&count, axis, -1, -(double)box->min[axis]);
        add_limit(&count, axis, 1, (double)box->max[axis]);
    }
    for (uint32_t i = 0; i < frustum->count; i++, count++) {
        for (int axis = 0; axis < 3; axis++) {
            rational_set(work.a[count][axis], (double)frustum->plane[i].normal[axis]);
        }
        rational_set(work.a[count][3], (double)frustum->plane[i].offset);
    }
    return feasible(count);
}

bool oracle_frustum_obb(const sl_frustum *frustum, const sl_obb *box)
{
    get_ready();
    int count = 0;
    for (int i = 0; i < 3; i++) {
        add_limit(&count, i, -1, (double)box->half[i]);
        add_limit(&count, i, 1, (double)box->half[i]);
    }
    for (uint32_t i = 0; i < frustum->count; i++, count++) {
        const sl_plane *plane = &frustum->plane[i];
        for (int j = 0; j < 3; j++) {
            slope(work.a[count][j], plane->normal, box->axis[j], NULL);
        }
        set_bound(work.a[count][3], plane, box->centre);
    }
    return feasible(count);
}

enum { EQUATIONS = 3 };
static struct {
    bool ready;
    mpq_t n[SL_FRUSTUM_PLANES_MAX][3],
        d[SL_FRUSTUM_PLANES_MAX]; /* seen from the centre: n . x <= d */
    mpq_t matrix[EQUATIONS][EQUATIONS + 1], x[3], a, b;
} kkt;

static void kkt_ready(const sl_frustum *frustum, const sl_sphere *sphere)
{
    get_ready();
    for (int i = 0; !kkt.ready && i < SL_FRUSTUM_PLANES_MAX; i++) {
        mpq_inits(kkt.n[i][0], kkt.n[i][1], kkt.n[i][2], kkt.d[i], NULL);
    }
    for (int i = 0; !kkt.ready && i < EQUATIONS; i++) {
        mpq_inits(kkt.x[i], kkt.matrix[i][0], kkt.matrix[i][1], kkt.matrix[i][2], kkt.matrix[i][3],
                  NULL);
    }
    if (!kkt.ready) {
        mpq_inits(kkt.a, kkt.b, NULL);
    }
    kkt.ready = true;
    for (uint32_t i = 0; i < frustum->count; i++) {
        for (int axis = 0; axis < 3; axis++) {
            rational_set(kkt.n[i][axis], (double)frustum->plane[i].normal[axis]);
        }
        set_bound(kkt.d[i], &frustum->plane[i], sphere->centre);
    }
}

static void dot(mpq_t out, mpq_t a[3], mpq_t b[3])
{
    mpq_set_ui(out, 0, 1);
    for (int axis = 0; axis < 3; axis++) {
        mpq_mul(kkt.b, a[axis], b[axis]);
        mpq_add(out, out, kkt.b);
    }
}

/* Gauss and Jordan; false for a singular matrix. */
static bool solve(int n)
{
    for (int column = 0; column < n; column++) {
        int pivot = column;
        while (pivot < n && mpq_sgn(kkt.matrix[pivot][column]) == 0) {
            pivot++;
        }
        if (pivot == n) {
            return false;
        }
        for (int j = 0; j <= n; j++) {
            mpq_swap(kkt.matrix[column][j], kkt.matrix[pivot][j]);
        }
        for (int i = 0; i < n; i++) {
            if (i != column) {
                mpq_div(kkt.a, kkt.matrix[i][column], kkt.matrix[column][column]);
                for (int j = column; j <= n; j++) {
                    mpq_mul(kkt.b, kkt.a, kkt.matrix[column][j]);
                    mpq_sub(kkt.matrix[i][j], kkt.matrix[i][j], kkt.b);
                }
            }
        }
    }
    return true;
}

/* x = sum of y_i n_i with n_i . x = d_i on the planes chosen.  True if every y_i <= 0 and x is
 * behind all: then x is the nearest point. */
static bool is_nearest(int count, const int *plane, int planes)
{
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < count; j++) {
            dot(kkt.matrix[i][j], kkt.n[plane[i]], kkt.n[plane[j]]);
        }
        mpq_set(kkt.matrix[i][count], kkt.d[plane[i]]);
    }
    if (!solve(count)) {
        return false;
    }
    for (int axis = 0; axis < 3; axis++) {
        mpq_set_ui(kkt.x[axis], 0, 1);
    }
    for (int i = 0; i < count; i++) {
        mpq_div(kkt.a, kkt.matrix[i][count], kkt.matrix[i][i]);
        if (mpq_sgn(kkt.a) > 0) {
            return false;
        }
        for (int axis = 0; axis < 3; axis++) {
            mpq_mul(kkt.b, kkt.a, kkt.n[plane[i]][axis]);
            mpq_add(kkt.x[axis], kkt.x[axis], kkt.b);
        }
    }
    for (int i = 0; i < planes; i++) {
        dot(kkt.a, kkt.n[i], kkt.x);
        if (mpq_cmp(kkt.a, kkt.d[i]) > 0) {
            return false;
        }
    }
    return true;
}

int oracle_frustum_sphere(const sl_frustum *frustum, const sl_sphere *sphere)
{
    const int planes = (int)frustum->count;
    kkt_ready(frustum, sphere);
    for (int set = 0; set < 1 << planes; set++) {
        int plane[EQUATIONS] = { 0 }, count = 0;
        for (int i = 0; i < planes; i++) {
            if ((set >> i & 1) != 0 && count++ < EQUATIONS) {
                plane[count - 1] = i;
            }
        }
        if (count <= EQUATIONS && is_nearest(count, plane, planes)) {
            dot(kkt.a, kkt.x, kkt.x);
            rational_set(kkt.b, (double)sphere->radius);
            mpq_mul(kkt.b, kkt.b, kkt.b);
            return mpq_cmp(kkt.a, kkt.b);
        }
    }
    return 1;
}
