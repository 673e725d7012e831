#include "test/support/oracle/convex_work.h"
#include "test/support/oracle/rational.h"

#include <float.h>
#include <math.h>
#include <string.h>

convex_work convex;

static void get_ready(void)
{
    if (convex.ready) {
        return;
    }
    convex.ready = true;
    for (int i = 0; i < 3; i++) {
        mpq_inits(convex.origin[i], convex.dir[i], convex.p[i], convex.axis[i], NULL);
        for (int k = 0; k < UNKNOWNS; k++) {
            mpq_init(convex.equation[i][k]);
        }
    }
    for (int i = 0; i < ROWS; i++) {
        for (int k = 0; k < UNKNOWNS; k++) {
            mpq_init(convex.row[i][k]);
        }
    }
    mpq_inits(convex.radius2, convex.middle, convex.end[0], convex.end[1], convex.a, convex.b,
              convex.c, convex.x, convex.y, convex.m, NULL);
}

bool convex_set_line(const sl_line *line)
{
    get_ready();
    convex.tmin = (double)line->tmin;
    convex.tmax = (double)line->tmax;
    convex.moves = false;
    for (int axis = 0; axis < 3; axis++) {
        rational_set(convex.origin[axis], (double)line->origin[axis]);
        rational_set(convex.dir[axis], (double)line->head[axis]);
        rational_set(convex.x, (double)line->tail[axis]);
        mpq_sub(convex.dir[axis], convex.dir[axis], convex.x);
        convex.moves = convex.moves || mpq_sgn(convex.dir[axis]) != 0;
    }
    return convex.tmin < INFINITY && convex.tmax > -INFINITY;
}

void convex_add_product(mpq_t sum, const mpq_t a, const mpq_t b, int sign)
{
    mpq_mul(convex.y, a, b);
    if (sign > 0) {
        mpq_add(sum, sum, convex.y);
    } else {
        mpq_sub(sum, sum, convex.y);
    }
}

int convex_order_known(int end, const mpq_t m)
{
    const int side = mpq_cmp(convex.end[end], m);
    return (side > 0) - (side < 0);
}

const char *convex_miss(const contact *got)
{
    return got->met ? "a hit that is none" : NULL;
}

/* Whether x = origin + end * along rounds to the float. */
static bool rounds_to(convex_order order, int end, const mpq_t origin, const mpq_t along, float x)
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
static int order_limit(convex_order order, int end, double limit)
{
    if (isinf(limit)) {
        return limit > 0 ? -1 : 1;
    }
    rational_set(convex.m, limit);
    return order(end, convex.m);
}

static bool point_is_right(convex_order order, const contact *got, bool entry)
{
    for (int axis = 0; axis < 3; axis++) {
        if (entry) {
            if (!rounds_to(order, 0, convex.origin[axis], convex.dir[axis], got->point[axis])) {
                return false;
            }
            continue;
        }
        rational_set(convex.m, (double)got->t);
        mpq_set(convex.x, convex.origin[axis]);
        convex_add_product(convex.x, convex.m, convex.dir[axis], 1);
        if (got->point[axis] != rational_round(mpq_numref(convex.x), mpq_denref(convex.x), 0)) {
            return false;
        }
    }
    return true;
}

const char *convex_differs(convex_order order, bool interior, bool flags, const contact *got)
{
    static mpq_t zero, one;
    static bool ready = false;
    if (!ready) {
        ready = true;
        mpq_inits(zero, one, NULL);
        mpq_set_ui(one, 1, 1);
    }
    bool entry = false, leave = false, inside = interior;
    if (convex.moves) {
        if (order_limit(order, 0, convex.tmax) > 0 || order_limit(order, 1, convex.tmin) < 0) {
            return convex_miss(got);
        }
        entry = order_limit(order, 0, convex.tmin) >= 0;
        leave = order_limit(order, 1, convex.tmax) <= 0;
        inside = interior && !entry && order_limit(order, 1, convex.tmin) > 0;
    }
    if (!got->met) {
        return "a miss that is none";
    }
    if (entry ? !rounds_to(order, 0, zero, one, got->t0) : got->t0 != (float)convex.tmin) {
        return "t0";
    }
    if (leave ? !rounds_to(order, 1, zero, one, got->t1) : got->t1 != (float)convex.tmax) {
        return "t1";
    }
    if (flags && (got->entry != entry || got->exit != leave)) {
        return "entry or exit";
    }
    const double at = convex.tmin > 0 || !isinf(convex.tmin) ? convex.tmin
                      : convex.tmax < 0                      ? convex.tmax
                                                             : 0;
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
                      hit->entry != SL_BOX_FACE_NONE,
                      hit->exit != SL_BOX_FACE_NONE,
                      hit->inside };
}
