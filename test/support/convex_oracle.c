#include "test/support/convex_oracle.h"

#include "test/support/rational.h"

#include <float.h>
#include <gmp.h>
#include <math.h>
#include <string.h>

enum { ROWS = 64, UNKNOWNS = 5 }; /* three weights, t, and the constant */

/* The path, the shape, and room to work in: all is made once and kept. */
static struct {
    bool ready;
    double tmin, tmax;
    bool moves;
    mpq_t origin[3], dir[3];
    /* A round shape: the segment from p, and how its distance is least. */
    mpq_t p[3], axis[3], radius2, middle;
    bool slides; /* along the surface: the ends are then known, as for a box */
    /* Where the ends of the span are known as fractions. */
    mpq_t end[2];
    /* A box: rows of the sum of weight * w + t * d + constant >= 0. */
    mpq_t equation[3][UNKNOWNS], row[ROWS][UNKNOWNS];
    int rows;
    mpq_t a, b, c, x, y, m;
} o;

static void get_ready(void)
{
    if (o.ready) {
        return;
    }
    o.ready = true;
    for (int i = 0; i < 3; i++) {
        mpq_inits(o.origin[i], o.dir[i], o.p[i], o.axis[i], NULL);
        for (int k = 0; k < UNKNOWNS; k++) {
            mpq_init(o.equation[i][k]);
        }
    }
    for (int i = 0; i < ROWS; i++) {
        for (int k = 0; k < UNKNOWNS; k++) {
            mpq_init(o.row[i][k]);
        }
    }
    mpq_inits(o.radius2, o.middle, o.end[0], o.end[1], o.a, o.b, o.c, o.x, o.y, o.m, NULL);
}

static void set_path(sli_path_kind kind, const void *shape)
{
    const sl_ray *ray = shape;
    const sl_segment *segment = shape;
    const sl_line *line = shape;
    get_ready();
    o.tmin = kind == SLI_RAY ? (double)ray->tmin : kind == SLI_SEGMENT ? 0 : -INFINITY;
    o.tmax = kind == SLI_RAY ? (double)ray->tmax : kind == SLI_SEGMENT ? 1 : INFINITY;
    o.moves = false;
    for (int axis = 0; axis < 3; axis++) {
        const float from = kind == SLI_RAY       ? ray->origin[axis]
                           : kind == SLI_SEGMENT ? segment->p[axis]
                                                 : line->point[axis];
        const float to = kind == SLI_RAY       ? ray->dir[axis]
                         : kind == SLI_SEGMENT ? segment->q[axis]
                                               : line->dir[axis];
        rational_set(o.origin[axis], (double)from);
        rational_set(o.dir[axis], (double)to);
        if (kind == SLI_SEGMENT) {
            mpq_sub(o.dir[axis], o.dir[axis], o.origin[axis]);
        }
        o.moves = o.moves || mpq_sgn(o.dir[axis]) != 0;
    }
}

static void add_product(mpq_t sum, const mpq_t a, const mpq_t b, int sign)
{
    mpq_mul(o.y, a, b);
    if (sign > 0) {
        mpq_add(sum, sum, o.y);
    } else {
        mpq_sub(sum, sum, o.y);
    }
}

static void dot(mpq_t out, mpq_t a[3], mpq_t b[3])
{
    mpq_set_ui(out, 0, 1);
    for (int i = 0; i < 3; i++) {
        add_product(out, a[i], b[i], 1);
    }
}

/* Squared distance of the point at t from the segment, minus that of the radius. */
static void excess(const mpq_t t, mpq_t out)
{
    static mpq_t w[3], s, length2;
    static bool ready = false;
    if (!ready) {
        ready = true;
        mpq_inits(w[0], w[1], w[2], s, length2, NULL);
    }
    for (int i = 0; i < 3; i++) {
        mpq_sub(w[i], o.origin[i], o.p[i]);
        add_product(w[i], t, o.dir[i], 1);
    }
    dot(length2, o.axis, o.axis);
    dot(s, w, o.axis);
    if (mpq_sgn(s) > 0) { /* the nearest point of the segment is not p */
        if (mpq_cmp(s, length2) >= 0) {
            mpq_set_ui(s, 1, 1);
        } else {
            mpq_div(s, s, length2);
        }
        for (int i = 0; i < 3; i++) {
            add_product(w[i], s, o.axis[i], -1);
        }
    }
    dot(out, w, w);
    mpq_sub(out, out, o.radius2);
}

/* middle = t if the distance there is less than at the middle; t = numerator / denominator. */
static void try_middle(const mpq_t numerator, const mpq_t denominator)
{
    static mpq_t t, here, best;
    static bool ready = false;
    if (!ready) {
        ready = true;
        mpq_inits(t, here, best, NULL);
    }
    if (mpq_sgn(denominator) == 0) {
        return;
    }
    mpq_div(t, numerator, denominator);
    excess(t, here);
    excess(o.middle, best);
    if (mpq_cmp(here, best) < 0) {
        mpq_set(o.middle, t);
    }
}

/* The t of least distance: nearest to p, to q, or to the axis; or one of those where the line
 * crosses the planes across p and q, which does no harm. */
static void find_middle(void)
{
    static mpq_t from[3], fd, fu, dd, du, uu, n, d;
    static bool ready = false;
    if (!ready) {
        ready = true;
        mpq_inits(from[0], from[1], from[2], fd, fu, dd, du, uu, n, d, NULL);
    }
    mpq_set_ui(o.middle, 0, 1);
    dot(dd, o.dir, o.dir);
    dot(du, o.dir, o.axis);
    dot(uu, o.axis, o.axis);
    for (int end = 1; end >= 0; end--) {
        for (int i = 0; i < 3; i++) {
            mpq_sub(from[i], o.p[i], o.origin[i]);
            if (end == 1) {
                mpq_add(from[i], from[i], o.axis[i]);
            }
        }
        dot(fd, from, o.dir);
        dot(fu, from, o.axis);
        try_middle(fd, dd);
        try_middle(fu, du);
    }
    /* (from - t d) without its part along u, square least: t = (fd uu - fu du) / (dd uu - du du).
     */
    mpq_mul(n, fd, uu);
    add_product(n, fu, du, -1);
    mpq_mul(d, dd, uu);
    add_product(d, du, du, -1);
    try_middle(n, d);
    /* Parallel to the axis, at the distance of the radius: it slides from plane to plane. */
    excess(o.middle, o.x);
    o.slides = mpq_sgn(d) == 0 && mpq_sgn(uu) != 0 && o.moves && mpq_sgn(o.x) == 0;
    if (o.slides) {
        mpq_div(o.end[0], fu, du);
        mpq_div(n, uu, du);
        mpq_add(o.end[1], o.end[0], n);
        if (mpq_cmp(o.end[0], o.end[1]) > 0) {
            mpq_swap(o.end[0], o.end[1]);
        }
    }
}

/* Sign of an end (0 the first, 1 the last) of the whole line's span minus m. */
typedef int (*order_fn)(int end, const mpq_t m);

static int order_known(int end, const mpq_t m)
{
    const int side = mpq_cmp(o.end[end], m);
    return (side > 0) - (side < 0);
}

/* The distance falls until the middle and rises from there, as it is convex; the middle is within.
 */
static int order_round(int end, const mpq_t m)
{
    if (o.slides) {
        return order_known(end, m);
    }
    excess(m, o.x);
    const int outside = mpq_sgn(o.x), later = mpq_cmp(m, o.middle);
    if (outside > 0) {
        return later < 0 ? 1 : -1;
    }
    if (outside == 0 && (end == 0 ? later <= 0 : later >= 0)) {
        return 0;
    }
    excess(o.middle, o.x);
    return outside == 0 && mpq_sgn(o.x) == 0 ? 0 : end == 0 ? -1 : 1;
}

/* Whether x = origin + end * along rounds to the float. */
static bool rounds_to(order_fn order, int end, const mpq_t origin, const mpq_t along, float x)
{
    static mpq_t boundary;
    static bool ready = false;
    if (!ready) {
        ready = true;
        mpq_init(boundary);
    }
    if (isnan(x) || (x == 0 && signbit(x))) {
        return false;
    }
    if (mpq_sgn(along) == 0) {
        return x == rational_round(mpq_numref(origin), mpq_denref(origin), 0);
    }
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    const bool even = (bits & 1) == 0;
    for (int side = -1; side <= 1; side += 2) {
        const float next = nextafterf(x, (float)side * INFINITY);
        if (next == x) {
            continue; /* the infinity itself */
        }
        const bool beyond = isinf(x) || isinf(next);
        const double edge = beyond ? ((isinf(x) ? x : next) > 0 ? 0x1.ffffffp127 : -0x1.ffffffp127)
                                   : ((double)x + (double)next) / 2;
        rational_set(boundary, edge);
        mpq_sub(boundary, boundary, origin);
        mpq_div(boundary, boundary, along);
        const int outwards = order(end, boundary) * mpq_sgn(along) * side;
        if (outwards > 0 || (outwards == 0 && !even)) {
            return false;
        }
    }
    return true;
}

/* Sign of the end minus a limit. */
static int order_limit(order_fn order, int end, double limit)
{
    if (isinf(limit)) {
        return limit > 0 ? -1 : 1;
    }
    rational_set(o.m, limit);
    return order(end, o.m);
}

static bool point_is_right(order_fn order, const contact *got, bool entry)
{
    for (int axis = 0; axis < 3; axis++) {
        if (entry) {
            if (!rounds_to(order, 0, o.origin[axis], o.dir[axis], got->point[axis])) {
                return false;
            }
            continue;
        }
        rational_set(o.m, (double)got->t);
        mpq_set(o.x, o.origin[axis]);
        add_product(o.x, o.m, o.dir[axis], 1);
        if (got->point[axis] != rational_round(mpq_numref(o.x), mpq_denref(o.x), 0)) {
            return false;
        }
    }
    return true;
}

static const char *differs(order_fn order, bool interior, bool flags, const contact *got)
{
    static mpq_t zero, one;
    static bool ready = false;
    if (!ready) {
        ready = true;
        mpq_inits(zero, one, NULL);
        mpq_set_ui(one, 1, 1);
    }
    bool entry = false, leave = false, inside = interior;
    if (o.moves) {
        if (order_limit(order, 0, o.tmax) > 0 || order_limit(order, 1, o.tmin) < 0) {
            return got->met ? "a hit that is none" : NULL;
        }
        entry = order_limit(order, 0, o.tmin) >= 0;
        leave = order_limit(order, 1, o.tmax) <= 0;
        inside = interior && !entry && order_limit(order, 1, o.tmin) > 0;
    }
    if (!got->met) {
        return "a miss that is none";
    }
    if (entry ? !rounds_to(order, 0, zero, one, got->t0) : got->t0 != (float)o.tmin) {
        return "t0";
    }
    if (leave ? !rounds_to(order, 1, zero, one, got->t1) : got->t1 != (float)o.tmax) {
        return "t1";
    }
    if (flags && (got->entry != entry || got->exit != leave)) {
        return "entry or exit";
    }
    const double at = o.tmin > 0 || !isinf(o.tmin) ? o.tmin : o.tmax < 0 ? o.tmax : 0;
    if (got->t != (entry ? got->t0 : (float)at)) {
        return "t";
    }
    return got->inside != inside ? "inside" : !point_is_right(order, got, entry) ? "point" : NULL;
}

contact contact_of_round(bool met, const sl_round_hit *hit)
{
    return (contact){ met,       hit->t,     { hit->point[0], hit->point[1], hit->point[2] },
                      hit->t0,   hit->t1,    hit->entry,
                      hit->exit, hit->inside };
}

contact contact_of_box(bool met, const sl_obb_hit *hit)
{
    return (contact){ met,
                      hit->t,
                      { hit->point[0], hit->point[1], hit->point[2] },
                      hit->t0,
                      hit->t1,
                      hit->entry != SL_FACE_NONE,
                      hit->exit != SL_FACE_NONE,
                      hit->inside };
}

const char *convex_oracle_capsule(sli_path_kind kind, const void *shape, const sl_capsule *capsule,
                                  const contact *got)
{
    set_path(kind, shape);
    if (o.tmin == INFINITY || o.tmax == -INFINITY) {
        return got->met ? "a hit that is none" : NULL;
    }
    for (int i = 0; i < 3; i++) {
        rational_set(o.p[i], (double)capsule->p[i]);
        rational_set(o.axis[i], (double)capsule->q[i]);
        mpq_sub(o.axis[i], o.axis[i], o.p[i]);
    }
    rational_set(o.radius2, (double)capsule->radius);
    mpq_mul(o.radius2, o.radius2, o.radius2);
    find_middle();
    excess(o.middle, o.x);
    const int outside = mpq_sgn(o.x);
    if (outside > 0) {
        return got->met ? "a hit that is none" : NULL;
    }
    return differs(order_round, outside < 0, true, got);
}

/* Solves the equations for as many weights as they determine; what is left of the others says
 * nothing of the weights.  Returns the rank; pivot[i] is the weight of equation i. */
static int solve(int pivot[3])
{
    int rank = 0;
    for (int w = 0; w < 3; w++) {
        int found = rank;
        while (found < 3 && mpq_sgn(o.equation[found][w]) == 0) {
            found++;
        }
        if (found == 3) {
            continue;
        }
        for (int k = 0; k < UNKNOWNS; k++) {
            mpq_swap(o.equation[rank][k], o.equation[found][k]);
        }
        mpq_set(o.c, o.equation[rank][w]);
        for (int k = 0; k < UNKNOWNS; k++) {
            mpq_div(o.equation[rank][k], o.equation[rank][k], o.c);
        }
        for (int i = 0; i < 3; i++) {
            mpq_set(o.c, o.equation[i][w]);
            for (int k = 0; k < UNKNOWNS && i != rank; k++) {
                add_product(o.equation[i][k], o.c, o.equation[rank][k], -1);
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
        mpq_set(o.row[o.rows][k], from[k]);
        if (sign < 0) {
            mpq_neg(o.row[o.rows][k], o.row[o.rows][k]);
        }
    }
    rational_set(o.x, (double)constant);
    mpq_add(o.row[o.rows][4], o.row[o.rows][4], o.x);
    o.rows++;
}

/* Fourier and Motzkin: every row that bounds the unknown from below with every one that does from
 * above. */
static void eliminate(int w)
{
    const int before = o.rows;
    for (int i = 0; i < before; i++) {
        for (int j = 0; j < before && mpq_sgn(o.row[i][w]) > 0; j++) {
            if (mpq_sgn(o.row[j][w]) >= 0) {
                continue;
            }
            for (int k = 0; k < UNKNOWNS; k++) {
                mpq_mul(o.row[o.rows][k], o.row[j][k], o.row[i][w]);
                add_product(o.row[o.rows][k], o.row[i][k], o.row[j][w], -1);
            }
            o.rows++;
        }
    }
    int kept = 0;
    for (int i = 0; i < o.rows; i++) {
        if (mpq_sgn(o.row[i][w]) == 0) {
            for (int k = 0; k < UNKNOWNS; k++) {
                mpq_swap(o.row[kept][k], o.row[i][k]);
            }
            kept++;
        }
    }
    o.rows = kept;
}

/* The bounds that are left for t; false where there is none at all. */
static bool read_ends(void)
{
    bool has[2] = { false, false };
    for (int i = 0; i < o.rows; i++) {
        const int sign = mpq_sgn(o.row[i][3]), end = sign > 0 ? 0 : 1;
        if (sign == 0) {
            if (mpq_sgn(o.row[i][4]) < 0) {
                return false;
            }
            continue;
        }
        mpq_div(o.x, o.row[i][4], o.row[i][3]);
        mpq_neg(o.x, o.x);
        if (!has[end] || (mpq_cmp(o.x, o.end[end]) > 0) == (end == 0)) {
            mpq_set(o.end[end], o.x);
        }
        has[end] = true;
    }
    return !o.moves || mpq_cmp(o.end[0], o.end[1]) <= 0;
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
    o.rows = 0;
    bool interior = rank == 3, is_pivot[3] = { false, false, false };
    for (int i = 0; i < 3; i++) {
        if (i >= rank) { /* 0 = t part + constant */
            add_row(o.equation[i], 1, 0);
            add_row(o.equation[i], -1, 0);
            continue;
        }
        is_pivot[pivot[i]] = true;
        interior = interior && half[pivot[i]] > 0;
        for (int k = 0; k < UNKNOWNS; k++) { /* weight = -(the rest) */
            mpq_neg(own[k], o.equation[i][k]);
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
    for (int i = 0; i < o.rows && interior; i++) {
        mpq_set(o.x, o.row[i][4]);
        if (!isinf(o.tmin)) {
            rational_set(o.m, o.tmin);
            add_product(o.x, o.m, o.row[i][3], 1);
        } else {
            interior = mpq_sgn(o.row[i][3]) == 0;
        }
        interior = interior && mpq_sgn(o.x) > 0;
    }
    for (int w = 0; w < 3; w++) {
        if (!is_pivot[w]) {
            eliminate(w);
        }
    }
    if (!read_ends()) {
        return got->met ? "a hit that is none" : NULL;
    }
    return differs(order_known, interior, rank > 1, got);
}

const char *convex_oracle_box(sli_path_kind kind, const void *shape, const sl_obb *box,
                              const contact *got)
{
    set_path(kind, shape);
    if (o.tmin == INFINITY || o.tmax == -INFINITY) {
        return got->met ? "a hit that is none" : NULL;
    }
    for (int i = 0; i < 3; i++) {
        for (int w = 0; w < 3; w++) {
            rational_set(o.equation[i][w], (double)box->axis[w][i]);
        }
        mpq_neg(o.equation[i][3], o.dir[i]);
        rational_set(o.equation[i][4], (double)box->centre[i]);
        mpq_sub(o.equation[i][4], o.equation[i][4], o.origin[i]);
    }
    return box_differs(box->half, got);
}

/* weight = row . (origin + t dir) + shift. */
const char *convex_oracle_cube(sli_path_kind kind, const void *shape, const float inverse[16],
                               const contact *got)
{
    const float half[3] = { 0.5f, 0.5f, 0.5f };
    set_path(kind, shape);
    if (o.tmin == INFINITY || o.tmax == -INFINITY) {
        return got->met ? "a hit that is none" : NULL;
    }
    for (int i = 0; i < 3; i++) {
        for (int w = 0; w < 3; w++) {
            mpq_set_ui(o.equation[i][w], w == i, 1);
        }
        mpq_set_ui(o.equation[i][3], 0, 1);
        rational_set(o.equation[i][4], -(double)inverse[12 + i]);
        for (int k = 0; k < 3; k++) {
            rational_set(o.x, (double)inverse[4 * k + i]);
            add_product(o.equation[i][3], o.x, o.dir[k], -1);
            add_product(o.equation[i][4], o.x, o.origin[k], -1);
        }
    }
    return box_differs(half, got);
}
