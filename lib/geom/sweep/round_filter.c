/* Whether a sphere or capsule that moves surely stays apart from an obstacle, in doubles.
 *
 * The corners of the motion (the ends of the axis at the start and at the end) less those of the
 * obstacle span a polytope; the nearest of its points to 0 is approached by Gilbert's steps, and
 * each point gives an axis.  However the axis g was found, it separates the two if the motion's
 * least g.x is above the obstacle's largest by more than r |g|.  Products, sums, the ends of the
 * motion and r |g| are off by less than 16 roundings of what they are made of.
 * Source   Gilbert, An Iterative Procedure for Computing the Minimum of a Quadratic Form on a
 *          Convex Set (1966). */
#include "lib/geom/exact/arithmetic/vector.h"
#include "lib/geom/sweep/round.h"

#define EPS 0x1p-53

enum { STEPS = 10, MOTION = 4 };

typedef struct motion {
    int count;
    double corner[MOTION][3];
    double size[3]; /* at least every |coordinate| of either, and what it was made of */
} motion;

static void make_motion(const sli_round *round, double t_bound, motion *out)
{
    const double last = round->moves ? t_bound * (1 + 4 * EPS) : 0;
    out->count = 0;
    for (int axis = 0; axis < 3; axis++) {
        double most = 0;
        for (int i = 0; i < round->corner_count; i++) {
            most = fmax(most, fabs(round->corner[i][axis]));
        }
        for (int i = 0; i < round->end_count; i++) {
            const double from = round->end[i][axis], way = last * round->dir[axis];
            most = fmax(most, fabs(from) + fabs(way));
            out->corner[2 * i][axis] = from;
            out->corner[2 * i + 1][axis] = from + way;
        }
        out->size[axis] = most;
    }
    out->count = 2 * round->end_count;
}

/* The corner that is foremost along sign * g; *most is how far. */
static int foremost(const double (*corner)[3], int count, const double g[3], double sign,
                    double *most)
{
    int best = 0;
    *most = -INFINITY;
    for (int i = 0; i < count; i++) {
        const double x = sign * sli_dot(g, corner[i]);
        if (x > *most) {
            *most = x;
            best = i;
        }
    }
    return best;
}

bool sli_round_stays_apart(const sli_round *round, double t_bound)
{
    const double radius = round->radius[0] + round->radius[1];
    motion m;
    double y[3];
    make_motion(round, t_bound, &m);
    sli_subtract(m.corner[0], round->corner[0], y);
    for (int step = 0; step < STEPS; step++) {
        double near, far, w[3], to[3], size = 0;
        const int i = foremost((const double(*)[3])m.corner, m.count, y, -1, &near);
        const int k = foremost(round->corner, round->corner_count, y, 1, &far);
        for (int axis = 0; axis < 3; axis++) {
            size += fabs(y[axis]) * m.size[axis];
        }
        const double square = sli_dot(y, y), reach = radius * sqrt(square);
        if (-near - far > reach + 32 * EPS * (size + reach) && square > 0x1p-900) {
            return true;
        }
        if (!(square > radius * radius)) {
            return false;
        }
        sli_subtract(m.corner[i], round->corner[k], w);
        sli_subtract(w, y, to);
        const double along = -sli_dot(y, to), over = sli_dot(to, to);
        if (!(along > 0)) {
            return false;
        }
        const double part = along < over ? along / over : 1;
        for (int axis = 0; axis < 3; axis++) {
            y[axis] += part * to[axis];
        }
    }
    return false;
}
