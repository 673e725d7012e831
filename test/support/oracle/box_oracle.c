#include "test/support/oracle/box_oracle.h"

#include "test/support/oracle/rational.h"

#include <string.h>

enum { MAX_CORNERS = 9 };

typedef struct polygon {
    int count;
    mpq_t corner[MAX_CORNERS][3];
} polygon;

/* Temporaries, kept from call to call. */
static struct {
    bool ready;
    polygon one, two;
    mpq_t bound, distance[MAX_CORNERS], t, x;
} work;

static void get_ready(void)
{
    if (work.ready) {
        return;
    }
    work.ready = true;
    for (int i = 0; i < MAX_CORNERS; i++) {
        for (int axis = 0; axis < 3; axis++) {
            mpq_inits(work.one.corner[i][axis], work.two.corner[i][axis], NULL);
        }
        mpq_init(work.distance[i]);
    }
    mpq_inits(work.bound, work.t, work.x, NULL);
}

/* out = where the edge from i to j crosses: i + d_i / (d_i - d_j) (j - i). */
static void cut(polygon *in, int i, int j, mpq_t out[3])
{
    mpq_sub(work.t, work.distance[i], work.distance[j]);
    mpq_div(work.t, work.distance[i], work.t);
    for (int axis = 0; axis < 3; axis++) {
        mpq_sub(work.x, in->corner[j][axis], in->corner[i][axis]);
        mpq_mul(work.x, work.x, work.t);
        mpq_add(out[axis], in->corner[i][axis], work.x);
    }
}

/* Keeps what lies at or above the bound (or below it) on one axis. */
static void clip(polygon *in, polygon *out, int axis, float bound, bool above)
{
    rational_set(work.bound, (double)bound);
    for (int i = 0; i < in->count; i++) {
        mpq_sub(work.distance[i], in->corner[i][axis], work.bound);
        if (!above) {
            mpq_neg(work.distance[i], work.distance[i]);
        }
    }
    out->count = 0;
    for (int i = 0; i < in->count; i++) {
        const int j = (i + 1) % in->count;
        if (mpq_sgn(work.distance[i]) >= 0) {
            for (int k = 0; k < 3; k++) {
                mpq_set(out->corner[out->count][k], in->corner[i][k]);
            }
            out->count++;
        }
        if (mpq_sgn(work.distance[i]) * mpq_sgn(work.distance[j]) < 0) {
            cut(in, i, j, out->corner[out->count++]);
        }
    }
}

bool oracle_clip(const sl_triangle *triangle, const sl_aabb *box)
{
    get_ready();
    work.one.count = 3;
    for (int i = 0; i < 3; i++) {
        for (int axis = 0; axis < 3; axis++) {
            rational_set(work.one.corner[i][axis], (double)triangle->v[i][axis]);
        }
    }
    for (int axis = 0; axis < 3 && work.one.count > 0; axis++) {
        clip(&work.one, &work.two, axis, box->min[axis], true);
        clip(&work.two, &work.one, axis, box->max[axis], false);
    }
    return work.one.count > 0;
}

/* The lattice: everything as integers. */
typedef struct lattice {
    int64_t v[3][3], side[2][3]; /* side[0] is min */
} lattice;

static lattice to_lattice(const sl_triangle *triangle, const sl_aabb *box)
{
    lattice l;
    for (int axis = 0; axis < 3; axis++) {
        for (int i = 0; i < 3; i++) {
            l.v[i][axis] = (int64_t)triangle->v[i][axis];
        }
        l.side[0][axis] = (int64_t)box->min[axis];
        l.side[1][axis] = (int64_t)box->max[axis];
    }
    return l;
}

/* The part of t in [0, 1] within all slabs, as fractions low_n / low_d .. high_n / high_d. */
static bool edge_meets_box(const lattice *l, const int64_t p[3], const int64_t q[3])
{
    int64_t low_n = 0, low_d = 1, high_n = 1, high_d = 1;
    for (int axis = 0; axis < 3; axis++) {
        int64_t d = q[axis] - p[axis];
        int64_t near_n = l->side[d < 0][axis] - p[axis], far_n = l->side[d >= 0][axis] - p[axis];
        if (d == 0) {
            if (near_n > 0 || far_n < 0) {
                return false;
            }
            continue;
        }
        if (d < 0) {
            d = -d;
            near_n = -near_n;
            far_n = -far_n;
        }
        if (near_n * low_d > low_n * d) {
            low_n = near_n;
            low_d = d;
        }
        if (far_n * high_d < high_n * d) {
            high_n = far_n;
            high_d = d;
        }
    }
    return low_n * high_d <= high_n * low_d;
}

static void cross(const int64_t a[3], const int64_t b[3], int64_t out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        const int j = (axis + 1) % 3, k = (axis + 2) % 3;
        out[axis] = a[j] * b[k] - a[k] * b[j];
    }
}

static int64_t dot(const int64_t a[3], const int64_t b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void subtract(const int64_t a[3], const int64_t b[3], int64_t out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = a[axis] - b[axis];
    }
}

static int sign(int64_t x)
{
    return (x > 0) - (x < 0);
}

static void make_normal(const lattice *l, int64_t n[3])
{
    int64_t e1[3], e2[3];
    subtract(l->v[1], l->v[0], e1);
    subtract(l->v[2], l->v[0], e2);
    cross(e1, e2, n);
}

/* Seen along an axis that is not in the triangle's plane, is the point on no edge's outer side? */
static bool within_along(const lattice *l, const int64_t point[3], int axis)
{
    const int j = (axis + 1) % 3, k = (axis + 2) % 3;
    int least = 1, most = -1;
    for (int i = 0; i < 3; i++) {
        const int64_t *from = l->v[i], *to = l->v[(i + 1) % 3];
        const int side = sign((to[j] - from[j]) * (point[k] - from[k]) -
                              (to[k] - from[k]) * (point[j] - from[j]));
        least = side < least ? side : least;
        most = side > most ? side : most;
    }
    return !(least < 0 && most > 0);
}

static void find_corner(const lattice *l, int corner, int64_t out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = l->side[(corner >> axis) & 1][axis];
    }
}

/* Edges along the axis from the corner, for corners at its low end; and the corner itself. */
static bool box_meets_triangle(const lattice *l, const int64_t n[3], int corner)
{
    int64_t from[3], to[3], offset[3];
    find_corner(l, corner, from);
    subtract(from, l->v[0], offset);
    const int64_t height = dot(n, offset);
    for (int axis = 0; axis < 3; axis++) {
        if (n[axis] == 0 || !within_along(l, from, axis)) {
            continue;
        }
        find_corner(l, corner | 1 << axis, to);
        subtract(to, l->v[0], offset);
        if (sign(height) * sign(dot(n, offset)) <= 0) {
            return true;
        }
    }
    return false;
}

bool oracle_lattice(const sl_triangle *triangle, const sl_aabb *box)
{
    const lattice l = to_lattice(triangle, box);
    int64_t n[3];
    make_normal(&l, n);
    bool meet = false;
    for (int i = 0; i < 3; i++) {
        meet = meet || edge_meets_box(&l, l.v[i], l.v[(i + 1) % 3]);
    }
    for (int corner = 0; corner < 8 && !meet; corner++) {
        meet = box_meets_triangle(&l, n, corner);
    }
    return meet;
}

bool oracle_separates(const sl_triangle *triangle, const sl_aabb *box, int axis)
{
    const lattice l = to_lattice(triangle, box);
    int64_t direction[3] = { 0, 0, 0 };
    if (axis < 3) {
        direction[axis] = 1;
    } else if (axis == 3) {
        make_normal(&l, direction);
    } else {
        int64_t unit[3] = { 0, 0, 0 }, edge[3];
        const int i = (axis - 4) % 3;
        unit[(axis - 4) / 3] = 1;
        subtract(l.v[(i + 1) % 3], l.v[i], edge);
        cross(unit, edge, direction);
    }
    int64_t low[2] = { INT64_MAX, INT64_MAX }, high[2] = { INT64_MIN, INT64_MIN };
    for (int i = 0; i < 11; i++) {
        int64_t point[3];
        find_corner(&l, i & 7, point);
        const int64_t at = dot(direction, i < 8 ? point : l.v[i - 8]);
        const int which = i < 8;
        low[which] = at < low[which] ? at : low[which];
        high[which] = at > high[which] ? at : high[which];
    }
    return low[0] > high[1] || low[1] > high[0];
}
