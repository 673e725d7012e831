#include "test/support/oracle/sweep_oracle.h"

#include "test/support/oracle/rational.h"

#include <math.h>
#include <stdlib.h>

enum { COLUMNS_MAX = 8 * SL_HULL_POINTS_MAX };

__extension__ typedef __int128 wide;
static wide small_factor;

static void wide_to_mpz(mpz_t out, wide x)
{
    const bool negative = x < 0;
    const wide size = negative ? -x : x;
    mpz_set_ui(out, (unsigned long)(size >> 64));
    mpz_mul_2exp(out, out, 64);
    mpz_add_ui(out, out, (unsigned long)size);
    if (negative) {
        mpz_neg(out, out);
    }
}

#define NUM                       wide
#define SIMPLEX                   small_simplex
#define NAME(name)                small_##name
#define FACTOR                    small_factor
#define SET(out, x)               ((out) = (x))
#define ASSIGN(out, x)            ((out) = (x))
#define SIGN(x)                   (((x) > 0) - ((x) < 0))
#define NEGATE(x)                 ((x) = -(x))
#define SUBTRACT(out, x)          ((out) -= (x))
#define PIVOT(out, p, f, r, over) ((out) = ((out) * (p) - (f) * (r)) / (over))
#define CROSS(out, a, b, c, d)    ((out) = (a) * (b) - (c) * (d))
#define TO_MPZ(out, x)            wide_to_mpz(out, x)
#include "test/support/oracle/sweep_simplex.inl"
#undef NUM
#undef SIMPLEX
#undef NAME
#undef FACTOR
#undef SET
#undef ASSIGN
#undef SIGN
#undef NEGATE
#undef SUBTRACT
#undef PIVOT
#undef CROSS
#undef TO_MPZ
#undef ROWS_MAX

static mpz_t big_factor, big_product;

#define NUM              mpz_t
#define SIMPLEX          big_simplex
#define NAME(name)       big_##name
#define FACTOR           big_factor
#define SET(out, x)      mpz_set(out, x)
#define ASSIGN(out, x)   mpz_set_si(out, x)
#define SIGN(x)          mpz_sgn(x)
#define NEGATE(x)        mpz_neg(x, x)
#define SUBTRACT(out, x) mpz_sub(out, out, x)
#define PIVOT(out, p, f, r, over)                                                                  \
    do {                                                                                           \
        mpz_mul(big_product, out, p);                                                              \
        mpz_submul(big_product, f, r);                                                             \
        mpz_divexact(out, big_product, over);                                                      \
    } while (0)
#define CROSS(out, a, b, c, d)                                                                     \
    do {                                                                                           \
        mpz_mul(out, a, b);                                                                        \
        mpz_submul(out, c, d);                                                                     \
    } while (0)
#define TO_MPZ(out, x) mpz_set(out, x)
#include "test/support/oracle/sweep_simplex.inl"

/* The differences of corners and dir, all at one scale, and what is worked with; made once. */
typedef struct sweep_work {
    int points, columns;
    mpz_t point[SL_HULL_POINTS_MAX][3], corner[8][3], dir[3];
    mpz_t d[COLUMNS_MAX][3], moved[COLUMNS_MAX][3];
    mpz_t u[3], x, y, num, over;
    mpq_t entry, exit, q;
    small_simplex small;
    big_simplex big;
} sweep_work;

static sweep_work *work;

static void get_ready(void)
{
    if (work != NULL) {
        return;
    }
    work = calloc(1, sizeof *work);
    if (work == NULL) {
        abort();
    }
    for (int axis = 0; axis < 3; axis++) {
        for (int i = 0; i < COLUMNS_MAX; i++) {
            mpz_inits(work->d[i][axis], work->moved[i][axis], NULL);
        }
        for (int i = 0; i < SL_HULL_POINTS_MAX; i++) {
            mpz_init(work->point[i][axis]);
        }
        for (int i = 0; i < 8; i++) {
            mpz_init(work->corner[i][axis]);
        }
        mpz_inits(work->dir[axis], work->u[axis], NULL);
    }
    for (int i = 0; i < ROWS_MAX; i++) {
        for (int j = 0; j < COLUMNS_MAX + 6; j++) {
            mpz_init(work->big.a[i][j]);
        }
    }
    mpz_inits(work->big.over, work->x, work->y, work->num, work->over, big_factor, big_product,
              NULL);
    mpq_inits(work->entry, work->exit, work->q, NULL);
}

/* x * 2^scale + sum of by[i] * axis[i] * 2^scale, exact integers; scale is twice that of inputs. */
static void set_box_point(const sl_obb_d *box, int corner, int axis, int scale, mpz_t out)
{
    rational_scaled(out, box->centre[axis], 2 * scale);
    for (int i = 0; i < 3; i++) {
        rational_scaled(work->x, box->axis[i][axis], scale);
        rational_scaled(work->y, box->half[i], scale);
        if ((corner >> i & 1) != 0) {
            mpz_addmul(out, work->x, work->y);
        } else {
            mpz_submul(out, work->x, work->y);
        }
    }
}

int sweep_oracle_points(const sl_volume_d *volume, double points[][3])
{
    const sl_obb_d *obb = &volume->shape.obb;
    const sl_hull_d *hull = &volume->shape.hull;
    const int count = volume->kind == SL_VOLUME_HULL       ? (int)hull->count
                      : volume->kind == SL_VOLUME_TRIANGLE ? 3
                                                           : 8;
    for (int i = 0; i < 3 * count; i++) {
        const int k = i / 3, axis = i % 3;
        double *x = &points[k][axis];
        switch (volume->kind) {
        case SL_VOLUME_AABB:
            *x = (k >> axis & 1) != 0 ? volume->shape.aabb.max[axis] : volume->shape.aabb.min[axis];
            break;
        case SL_VOLUME_TRIANGLE:
            *x = volume->shape.triangle.v[k][axis];
            break;
        case SL_VOLUME_HULL:
            *x = hull->xyz[i];
            break;
        default:
            *x = obb->centre[axis];
            for (int j = 0; j < 3; j++) {
                *x += (k >> j & 1) != 0 ? obb->axis[j][axis] * obb->half[j]
                                        : -obb->axis[j][axis] * obb->half[j];
            }
            break;
        }
    }
    return count;
}

static int scale_of(const sl_volume_d *volume, const double (*points)[3], int count, int scale)
{
    return volume->kind == SL_VOLUME_OBB ? rational_scale(15, volume->shape.obb.centre, scale)
                                         : rational_scale((size_t)count * 3, points[0], scale);
}

static void set_points(const sl_volume_d *volume, const double (*points)[3], int count, int scale,
                       mpz_t (*out)[3])
{
    for (int i = 0; i < 3 * count; i++) {
        if (volume->kind == SL_VOLUME_OBB) {
            set_box_point(&volume->shape.obb, i / 3, i % 3, scale, out[i / 3][i % 3]);
        } else {
            rational_scaled(out[i / 3][i % 3], points[i / 3][i % 3], 2 * scale);
        }
    }
}

static void set_differences(const sl_sweep_d *sweep, const sl_volume_d *obstacle)
{
    static double points[SL_HULL_POINTS_MAX][3], corners[8][3];
    const double(*p)[3] = (const double(*)[3])points, (*q)[3] = (const double(*)[3])corners;
    const int count = sweep_oracle_points(obstacle, corners);
    work->points = sweep_oracle_points(&sweep->volume, points);
    work->columns = count * work->points;
    int scale = rational_scale(3, sweep->dir, -400);
    scale = scale_of(&sweep->volume, p, work->points, scale);
    scale = scale_of(obstacle, q, count, scale);
    const bool oblique = sweep->volume.kind == SL_VOLUME_OBB || obstacle->kind == SL_VOLUME_OBB;
    scale = oblique ? scale : (scale + 1) / 2;
    set_points(&sweep->volume, p, work->points, scale, work->point);
    set_points(obstacle, q, count, scale, work->corner);
    for (int axis = 0; axis < 3; axis++) {
        rational_scaled(work->dir[axis], sweep->dir[axis], 2 * scale);
        for (int i = 0; i < work->columns; i++) {
            mpz_sub(work->d[i][axis], work->corner[i % count][axis], work->point[i / count][axis]);
        }
    }
}

/* Equations: for u = 0 all coordinates, else those across u, whose height is the coordinate of
 * which u has one; and that the weights make 1.  Whether they fit; the height is then t |u_r|. */
#define FILL(simplex, LET)                                                                         \
    do {                                                                                           \
        (simplex)->columns = work->columns;                                                        \
        (simplex)->rows = r < 0 ? 4 : 3;                                                           \
        for (int j = 0; j <= work->columns; j++) {                                                 \
            const int at = j < work->columns ? j : j + (simplex)->rows;                            \
            int row = 0;                                                                           \
            for (int axis = 0; axis < 3; axis++) {                                                 \
                if (axis == r) {                                                                   \
                    continue;                                                                      \
                }                                                                                  \
                mpz_set_si(work->x, 0);                                                            \
                if (j < work->columns && r < 0) {                                                  \
                    mpz_set(work->x, d[j][axis]);                                                  \
                } else if (j < work->columns) {                                                    \
                    mpz_mul(work->x, d[j][axis], u[r]);                                            \
                    mpz_submul(work->x, d[j][r], u[axis]);                                         \
                }                                                                                  \
                LET((simplex)->a[row++][at], work->x);                                             \
            }                                                                                      \
            mpz_set_si(work->x, 1);                                                                \
            LET((simplex)->a[row++][at], work->x);                                                 \
            mpz_set_si(work->x, 0);                                                                \
            LET((simplex)->a[row++][at], work->x);                                                 \
            if (j < work->columns && r >= 0) {                                                     \
                mpz_mul_si(work->x, d[j][r], mpz_sgn(u[r]));                                       \
            }                                                                                      \
            LET((simplex)->a[row][at], work->x);                                                   \
        }                                                                                          \
    } while (0)

static wide small_of(const mpz_t x)
{
    return mpz_get_si(x);
}
#define LET_SMALL(out, x) ((out) = small_of(x))
#define LET_BIG(out, x)   mpz_set(out, x)

/* entry and exit may be NULL. */
static bool solve(mpz_t (*d)[3], mpz_t u[3], mpq_t entry, mpq_t exit)
{
    int r = -1;
    size_t bits = 0, bits_u = 0;
    for (int axis = 0; axis < 3; axis++) {
        r = mpz_sgn(u[axis]) != 0 ? axis : r;
        bits_u = mpz_sizeinbase(u[axis], 2) > bits_u ? mpz_sizeinbase(u[axis], 2) : bits_u;
        for (int i = 0; i < work->columns; i++) {
            const size_t b = mpz_sizeinbase(d[i][axis], 2);
            bits = b > bits ? b : bits;
        }
    }
    /* The largest product of two minors: of two equations and the height. */
    const bool fits = 2 * (3 * bits + 2 * bits_u + 9) < 126;
    if (fits) {
        FILL(&work->small, LET_SMALL);
    } else {
        FILL(&work->big, LET_BIG);
    }
    if (!(fits ? small_start(&work->small) : big_start(&work->big))) {
        return false;
    }
    for (int k = 0; k < 2 && r >= 0; k++) {
        if ((k == 0 ? entry : exit) == NULL) {
            continue;
        }
        if (fits) {
            small_least(&work->small, k == 1, work->num, work->over);
        } else {
            big_least(&work->big, k == 1, work->num, work->over);
        }
        mpz_mul(work->over, work->over, u[r]);
        mpz_abs(work->over, work->over);
        mpq_ptr out = k == 0 ? entry : exit;
        mpz_set(mpq_numref(out), work->num);
        mpz_set(mpq_denref(out), work->over);
        mpq_canonicalize(out);
    }
    return true;
}

/* Whether q * dir, or 0, is inside. */
static bool is_inside(const mpq_t q)
{
    static const int directions[4][3] = { { 1, 1, 1 }, { -1, 0, 0 }, { 0, -1, 0 }, { 0, 0, -1 } };
    for (int i = 0; i < work->columns; i++) {
        for (int axis = 0; axis < 3; axis++) {
            mpz_mul(work->moved[i][axis], work->d[i][axis], mpq_denref(q));
            mpz_submul(work->moved[i][axis], work->dir[axis], mpq_numref(q));
        }
    }
    for (int k = 0; k < 4; k++) {
        for (int axis = 0; axis < 3; axis++) {
            mpz_set_si(work->u[axis], directions[k][axis]);
        }
        if (!solve(work->moved, work->u, NULL, work->q) || mpq_sgn(work->q) <= 0) {
            return false;
        }
    }
    return true;
}

/* Whether some point between entry and exit is inside: all of them are then.  The one with the
 * fewest bits keeps numbers short. */
static bool is_inside_between(bool moves)
{
    bool found = !moves;
    mpq_t q;
    mpq_init(q);
    if (moves && mpq_cmp(work->entry, work->exit) < 0) {
        for (mp_bitcnt_t bits = 0; !found; bits++) {
            mpq_mul_2exp(work->q, work->exit, bits);
            mpz_cdiv_q(work->num, mpq_numref(work->q), mpq_denref(work->q));
            mpz_sub_ui(work->num, work->num, 1);
            mpq_set_z(q, work->num);
            mpq_div_2exp(q, q, bits);
            found = mpq_cmp(q, work->entry) > 0;
        }
    }
    found = found && is_inside(q);
    mpq_clear(q);
    return found;
}

/* Whether the points span space: by the largest volumes, one point more at a time. */
static bool has_volume(void)
{
    mpz_t(*p)[3] = work->point;
    big_vec e[3], n;
    bool found = false;
    for (int i = 0; i < 3; i++) {
        mpz_inits(n.at[i], e[0].at[i], e[1].at[i], e[2].at[i], NULL);
    }
    int rank = 0;
    for (int i = 1; i < work->points && !found; i++) {
        for (int axis = 0; axis < 3; axis++) {
            mpz_sub(e[rank].at[axis], p[i][axis], p[0][axis]);
        }
        if (rank == 0) {
            rank = mpz_sgn(e[0].at[0]) != 0 || mpz_sgn(e[0].at[1]) != 0 || mpz_sgn(e[0].at[2]) != 0;
        } else if (rank == 1) {
            big_vec_cross(&n, &e[0], &e[1]);
            rank += mpz_sgn(n.at[0]) != 0 || mpz_sgn(n.at[1]) != 0 || mpz_sgn(n.at[2]) != 0;
        } else {
            big_vec_dot(work->x, &n, &e[2]);
            found = mpz_sgn(work->x) != 0;
        }
    }
    for (int i = 0; i < 3; i++) {
        mpz_clears(n.at[i], e[0].at[i], e[1].at[i], e[2].at[i], NULL);
    }
    return found;
}

static double rounded_down(const mpq_t x, double nearest)
{
    mpq_set_d(work->q, nearest);
    return mpq_cmp(work->q, x) > 0 ? nextafter(nearest, -INFINITY) : nearest;
}

sweep_answer sweep_oracle(const sl_sweep_d *sweep, const sl_volume_d *obstacle)
{
    sweep_answer out = { .met = false };
    get_ready();
    set_differences(sweep, obstacle);
    const bool moves =
        mpz_sgn(work->dir[0]) != 0 || mpz_sgn(work->dir[1]) != 0 || mpz_sgn(work->dir[2]) != 0;
    if (!solve(work->d, work->dir, work->entry, work->exit)) {
        return out;
    }
    if (moves && mpq_sgn(work->entry) > 0) {
        out.met = mpq_cmp_si(work->entry, 1, 1) <= 0 &&
                  !(sweep->ignore_grazing && has_volume() && !is_inside_between(moves));
        out.t = rational_round_double(mpq_numref(work->entry), mpq_denref(work->entry), 0);
        out.t_safe = rounded_down(work->entry, out.t);
        return out;
    }
    if (moves && mpq_sgn(work->exit) < 0) {
        return out;
    }
    const int entry = moves ? mpq_sgn(work->entry) : -1, exit = moves ? mpq_sgn(work->exit) : 1;
    const bool enters = exit > 0 && is_inside_between(moves);
    const bool overlaps = enters && entry < 0 && has_volume();
    bool recedes = !enters;
    if (overlaps) {
        mpq_neg(work->entry, work->entry);
        recedes = !moves || mpq_cmp(work->exit, work->entry) <= 0;
    }
    out.start = overlaps ? SL_START_OVERLAPPING
                : enters ? SL_START_TOUCHING_CLOSING
                         : SL_START_TOUCHING_RECEDING;
    const sl_start_contact policy = overlaps ? sweep->overlapping : sweep->touching;
    out.met = policy == SL_START_REPORT || (policy == SL_START_IGNORE_RECEDING && !recedes);
    return out;
}
