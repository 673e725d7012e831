#include "test/support/oracle/volume_oracle.h"

#include "test/support/oracle/rational.h"
#include "test/support/oracle/sweep_oracle.h"

#include <math.h>
#include <stdlib.h>

/* Unknowns: weights s, t of the triangle's sides, and up to three of the volume; then a
 * constant. */
enum { UNKNOWNS = 5, WIDTH = UNKNOWNS + 1, ROWS = 4000 };

typedef struct linear {
    mpq_t row[ROWS][WIDTH]; /* inequalities: sum of coefficients * unknowns + constant >= 0 */
    int rows;
    mpq_t equation[3][WIDTH];
    int equations;
} linear;

static linear *work;
static mpq_t x, y;

static void get_ready(void)
{
    if (work == NULL) {
        work = malloc(sizeof *work);
        for (int i = 0; i < ROWS; i++) {
            for (int k = 0; k < WIDTH; k++) {
                mpq_init(work->row[i][k]);
            }
        }
        for (int i = 0; i < 3; i++) {
            for (int k = 0; k < WIDTH; k++) {
                mpq_init(work->equation[i][k]);
            }
        }
        mpq_inits(x, y, NULL);
    }
    work->rows = work->equations = 0;
}

/* A new inequality of zeros. */
static mpq_t *add_row(void)
{
    if (work->rows == ROWS) {
        abort();
    }
    mpq_t *row = work->row[work->rows++];
    for (int k = 0; k < WIDTH; k++) {
        mpq_set_ui(row[k], 0, 1);
    }
    return row;
}

/* unknown >= low and unknown <= high, that is sign * unknown + constant >= 0. */
static void bound(int unknown, int sign, double constant)
{
    mpq_t *row = add_row();
    mpq_set_si(row[unknown], sign, 1);
    rational_set(row[UNKNOWNS], constant);
}

/* Removes an unknown from a row by another in which it has a coefficient other than 0. */
static void cancel(mpq_t row[WIDTH], mpq_t by[WIDTH], int unknown)
{
    mpq_div(x, row[unknown], by[unknown]);
    for (int k = 0; k < WIDTH; k++) {
        mpq_mul(y, x, by[k]);
        mpq_sub(row[k], row[k], y);
    }
}

/* Solves the equations for unknowns; false: they have no solution. */
static bool use_equations(bool gone[UNKNOWNS])
{
    for (int e = 0; e < work->equations; e++) {
        int unknown = 0;
        while (unknown < UNKNOWNS && mpq_sgn(work->equation[e][unknown]) == 0) {
            unknown++;
        }
        if (unknown == UNKNOWNS) {
            if (mpq_sgn(work->equation[e][UNKNOWNS]) != 0) {
                return false;
            }
            continue;
        }
        gone[unknown] = true;
        for (int other = 0; other < work->equations; other++) {
            if (other != e) {
                cancel(work->equation[other], work->equation[e], unknown);
            }
        }
        for (int i = 0; i < work->rows; i++) {
            cancel(work->row[i], work->equation[e], unknown);
        }
    }
    return true;
}

/* Each row that bounds the unknown from below with each that bounds it from above. */
static void eliminate(int unknown)
{
    const int count = work->rows;
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < count && mpq_sgn(work->row[i][unknown]) > 0; j++) {
            if (mpq_sgn(work->row[j][unknown]) >= 0) {
                continue;
            }
            mpq_t *row = add_row();
            for (int k = 0; k < WIDTH; k++) {
                mpq_mul(x, work->row[j][k], work->row[i][unknown]);
                mpq_mul(y, work->row[i][k], work->row[j][unknown]);
                mpq_sub(row[k], x, y);
            }
        }
    }
    int kept = 0;
    for (int i = 0; i < work->rows; i++) {
        if (mpq_sgn(work->row[i][unknown]) == 0) {
            for (int k = 0; k < WIDTH; k++) {
                mpq_set(work->row[kept][k], work->row[i][k]);
            }
            kept++;
        }
    }
    work->rows = kept;
}

static bool is_feasible(void)
{
    bool gone[UNKNOWNS] = { false };
    if (!use_equations(gone)) {
        return false;
    }
    for (int unknown = UNKNOWNS - 1; unknown >= 0; unknown--) {
        if (!gone[unknown]) {
            eliminate(unknown);
        }
    }
    for (int i = 0; i < work->rows; i++) {
        if (mpq_sgn(work->row[i][UNKNOWNS]) < 0) {
            return false;
        }
    }
    return true;
}

/* The weights of a triangle: unknowns first and first + 1. */
static void bound_weights(int first)
{
    bound(first, 1, 0);
    bound(first + 1, 1, 0);
    mpq_t *row = add_row();
    mpq_set_si(row[first], -1, 1);
    mpq_set_si(row[first + 1], -1, 1);
    mpq_set_si(row[UNKNOWNS], 1, 1);
}

/* to[..] += sign * the coordinate of the triangle's point on an axis; unknowns from first on. */
static void add_point(mpq_t to[WIDTH], const sl_triangle_d *triangle, int axis, int first, int sign)
{
    mpq_t a, b;
    mpq_inits(a, b, NULL);
    rational_set(a, triangle->v[0][axis]);
    for (int side = 0; side < 2; side++) {
        rational_set(b, triangle->v[side + 1][axis]);
        mpq_sub(b, b, a);
        if (sign < 0) {
            mpq_neg(b, b);
        }
        mpq_add(to[first + side], to[first + side], b);
    }
    if (sign < 0) {
        mpq_neg(a, a);
    }
    mpq_add(to[UNKNOWNS], to[UNKNOWNS], a);
    mpq_clears(a, b, NULL);
}

static mpq_t *add_equation(void)
{
    mpq_t *row = work->equation[work->equations++];
    for (int k = 0; k < WIDTH; k++) {
        mpq_set_ui(row[k], 0, 1);
    }
    return row;
}

static void bound_aabb(const sl_aabb_d *box, const sl_triangle_d *triangle)
{
    mpq_t limit;
    mpq_init(limit);
    for (int i = 0; i < 6; i++) {
        const int axis = i / 2, sign = i % 2 == 0 ? 1 : -1;
        const double end = sign > 0 ? box->min[axis] : box->max[axis];
        if (isfinite(end)) {
            mpq_t *row = add_row();
            add_point(row, triangle, axis, 0, sign);
            rational_set(limit, -sign * end);
            mpq_add(row[UNKNOWNS], row[UNKNOWNS], limit);
        }
    }
    mpq_clear(limit);
}

static void bound_frustum(const sl_frustum_d *frustum, const sl_triangle_d *triangle)
{
    mpq_t coefficient, one[WIDTH];
    mpq_init(coefficient);
    for (int k = 0; k < WIDTH; k++) {
        mpq_init(one[k]);
    }
    for (uint32_t i = 0; i < frustum->count; i++) {
        mpq_t *row = add_row();
        rational_set(row[UNKNOWNS], frustum->plane[i].offset);
        for (int axis = 0; axis < 3; axis++) {
            for (int k = 0; k < WIDTH; k++) {
                mpq_set_ui(one[k], 0, 1);
            }
            add_point(one, triangle, axis, 0, -1);
            rational_set(coefficient, frustum->plane[i].normal[axis]);
            for (int k = 0; k < WIDTH; k++) {
                mpq_mul(one[k], one[k], coefficient);
                mpq_add(row[k], row[k], one[k]);
            }
        }
    }
    for (int k = 0; k < WIDTH; k++) {
        mpq_clear(one[k]);
    }
    mpq_clear(coefficient);
}

static void equate_obb(const sl_obb_d *box, const sl_triangle_d *triangle)
{
    mpq_t centre;
    mpq_init(centre);
    for (int axis = 0; axis < 3; axis++) {
        mpq_t *row = add_equation();
        add_point(row, triangle, axis, 0, -1);
        rational_set(centre, box->centre[axis]);
        mpq_add(row[UNKNOWNS], row[UNKNOWNS], centre);
        for (int i = 0; i < 3; i++) {
            rational_set(row[2 + i], box->axis[i][axis]);
            if (axis == 0) {
                bound(2 + i, 1, box->half[i]);
                bound(2 + i, -1, box->half[i]);
            }
        }
    }
    mpq_clear(centre);
}

static void equate_triangle(const sl_triangle_d *other, const sl_triangle_d *triangle)
{
    for (int axis = 0; axis < 3; axis++) {
        mpq_t *row = add_equation();
        add_point(row, triangle, axis, 0, -1);
        add_point(row, other, axis, 2, 1);
    }
    bound_weights(2);
}

/* ---- Round volumes ---- */

/* A face of the pair of segment and triangle: a corner, and up to three directions. */
typedef struct face {
    mpq_t at[3], dir[3][3];
    int dirs;
    int limit[3][3], limits; /* sums of weights that may be 1 at most */
} face;

/* Solves a symmetric system of n unknowns for the weights at which the distance is least; false: it
 * is singular. */
static bool solve(int n, mpq_t m[3][4], mpq_t weight[3])
{
    for (int i = 0; i < n; i++) {
        int pivot = i;
        while (pivot < n && mpq_sgn(m[pivot][i]) == 0) {
            pivot++;
        }
        if (pivot == n) {
            return false;
        }
        for (int k = 0; k < 4; k++) {
            mpq_swap(m[i][k], m[pivot][k]);
        }
        for (int j = 0; j < n; j++) {
            if (j == i || mpq_sgn(m[j][i]) == 0) {
                continue;
            }
            mpq_div(x, m[j][i], m[i][i]);
            for (int k = 0; k < 4; k++) {
                mpq_mul(y, x, m[i][k]);
                mpq_sub(m[j][k], m[j][k], y);
            }
        }
    }
    for (int i = 0; i < n; i++) {
        mpq_div(weight[i], m[i][3], m[i][i]);
    }
    return true;
}

static void dot(mpq_t out, mpq_t a[3], mpq_t b[3])
{
    mpq_t sum, term;
    mpq_inits(sum, term, NULL);
    for (int axis = 0; axis < 3; axis++) {
        mpq_mul(term, a[axis], b[axis]);
        mpq_add(sum, sum, term);
    }
    mpq_set(out, sum);
    mpq_clears(sum, term, NULL);
}

/* Whether the point of the face's span nearest to 0 lies in the face and within the radius. */
static bool face_is_near(face *f, mpq_t radius2)
{
    mpq_t m[3][4], weight[3], r[3], sum;
    mpq_init(sum);
    for (int i = 0; i < 3; i++) {
        mpq_inits(weight[i], r[i], NULL);
        mpq_set(r[i], f->at[i]);
        for (int k = 0; k < 4; k++) {
            mpq_init(m[i][k]);
        }
    }
    for (int i = 0; i < f->dirs; i++) {
        for (int j = 0; j < f->dirs; j++) {
            dot(m[i][j], f->dir[i], f->dir[j]);
        }
        dot(m[i][3], f->dir[i], f->at);
        mpq_neg(m[i][3], m[i][3]);
    }
    bool near = solve(f->dirs, m, weight);
    for (int i = 0; i < f->dirs && near; i++) {
        near = mpq_sgn(weight[i]) >= 0;
        for (int axis = 0; axis < 3; axis++) {
            mpq_mul(y, weight[i], f->dir[i][axis]);
            mpq_add(r[axis], r[axis], y);
        }
    }
    for (int l = 0; l < f->limits && near; l++) {
        mpq_set_si(sum, -1, 1);
        for (int i = 0; i < f->dirs; i++) {
            if (f->limit[l][i] != 0) {
                mpq_add(sum, sum, weight[i]);
            }
        }
        near = mpq_sgn(sum) <= 0;
    }
    dot(sum, r, r);
    near = near && mpq_cmp(sum, radius2) <= 0;
    for (int i = 0; i < 3; i++) {
        mpq_clears(weight[i], r[i], NULL);
        for (int k = 0; k < 4; k++) {
            mpq_clear(m[i][k]);
        }
    }
    mpq_clear(sum);
    return near;
}

static void set_difference(mpq_t out[3], const double to[3], const double from[3])
{
    for (int axis = 0; axis < 3; axis++) {
        rational_set(out[axis], to[axis]);
        rational_set(x, from[axis]);
        mpq_sub(out[axis], out[axis], x);
    }
}

/* part: 0 .. 2 corners of the triangle, 3 .. 5 sides, 6 all of it; end: 0, 1 of the segment, or 2
 * all of it. */
static bool pair_is_near(const double end[2][3], int of_segment, const sl_triangle_d *triangle,
                         int part, mpq_t radius2, face *f)
{
    const double *a = triangle->v[part < 6 ? part % 3 : 0];
    const double *p = end[of_segment == 1 ? 1 : 0];
    f->dirs = f->limits = 0;
    set_difference(f->at, a, p);
    if (part >= 3) {
        set_difference(f->dir[f->dirs], triangle->v[part < 6 ? (part + 1) % 3 : 1], a);
        f->limit[f->limits][0] = 1;
        f->limit[f->limits][1] = f->limit[f->limits][2] = 0;
        f->dirs++;
    }
    if (part == 6) {
        set_difference(f->dir[f->dirs++], triangle->v[2], a);
        f->limit[0][1] = 1;
    }
    f->limits = part >= 3;
    if (of_segment == 2) {
        for (int k = 0; k < 3; k++) {
            f->limit[f->limits][k] = k == f->dirs;
        }
        set_difference(f->dir[f->dirs++], end[0], end[1]);
        f->limits++;
    }
    return face_is_near(f, radius2);
}

static bool round_touches(const double p[3], const double q[3], double radius,
                          const sl_triangle_d *triangle)
{
    static face f;
    static mpq_t radius2;
    static bool ready;
    double end[2][3];
    for (int i = 0; i < 3 && !ready; i++) {
        mpq_inits(f.at[i], f.dir[0][i], f.dir[1][i], f.dir[2][i], NULL);
    }
    if (!ready) {
        mpq_init(radius2);
        ready = true;
    }
    rational_set(radius2, radius);
    mpq_mul(radius2, radius2, radius2);
    for (int axis = 0; axis < 3; axis++) {
        end[0][axis] = p[axis];
        end[1][axis] = q[axis];
    }
    for (int of_segment = 0; of_segment < 3; of_segment++) {
        for (int part = 0; part < 7; part++) {
            if (pair_is_near((const double(*)[3])end, of_segment, triangle, part, radius2, &f)) {
                return true;
            }
        }
    }
    return false;
}

bool oracle_volume_touches(const sl_volume_d *volume, const sl_triangle_d *triangle)
{
    const sl_sphere_d *sphere = &volume->shape.sphere;
    const sl_capsule_d *capsule = &volume->shape.capsule;
    get_ready();
    switch (volume->kind) {
    case SL_VOLUME_SPHERE:
        return round_touches(sphere->centre, sphere->centre, sphere->radius, triangle);
    case SL_VOLUME_CAPSULE:
        return round_touches(capsule->p, capsule->q, capsule->radius, triangle);
    case SL_VOLUME_AABB:
        bound_aabb(&volume->shape.aabb, triangle);
        break;
    case SL_VOLUME_OBB:
        equate_obb(&volume->shape.obb, triangle);
        break;
    case SL_VOLUME_FRUSTUM:
        bound_frustum(&volume->shape.frustum, triangle);
        break;
    case SL_VOLUME_TRIANGLE:
        equate_triangle(&volume->shape.triangle, triangle);
        break;
    case SL_VOLUME_HULL:
        return sweep_oracle(&(sl_sweep_d){ .volume = *volume },
                            &(sl_volume_d){ SL_VOLUME_TRIANGLE, { .triangle = *triangle } })
            .met;
    }
    bound_weights(0);
    return is_feasible();
}
