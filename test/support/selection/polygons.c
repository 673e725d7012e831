#include "test/support/selection/polygons.h"

#include "test/support/input/random.h"

#include <math.h>
#include <string.h>

const char *const polygon_names[POLYGON_KINDS] = { "star",  "comb", "zigzag", "needles", "tangle",
                                                   "turns", "walk", "spiral", "fan" };

static double unit(test_random *random)
{
    return (double)test_random_unit(random);
}

/* As if the border of a circle went in and out. */
static void star(double share, double param, double xy[2])
{
    const double angle = 6.283185307179586 * share;
    const double far = 0.5 * (1 - param * (0.5 + 0.5 * sin(7 * angle)));
    xy[0] = 0.5 + far * cos(angle);
    xy[1] = 0.5 + far * sin(angle);
}

/* Teeth that go all the way up and down: each side is in all rows. */
static void comb(size_t i, double share, double param, double xy[2])
{
    xy[0] = share;
    xy[1] = i % 2 == 0 ? 0 : 1 - param * share;
}

/* A flat band between two corners above it and below: its sides are short, and all in one row of
 * any grid that is laid over the whole. */
static void zigzag(size_t i, size_t count, double share, double param, double xy[2])
{
    xy[0] = share;
    xy[1] = 0.5 + (i % 2 == 0 ? 0 : 1e-3 + 0.02 * param);
    if (i + 3 >= count) {
        xy[0] = i + 2 == count ? 1 : 0.5 * (double)(i + 1 - count + 2);
        xy[1] = i + 3 == count ? 0.5 : i + 2 == count ? 1 : 0;
    }
}

/* A rectangle out of whose upper side needles without width hang down: there and back. */
static void needles(size_t i, size_t count, double param, double xy[2])
{
    const size_t teeth = count > 4 ? (count - 4) / 3 : 0, tooth = i / 3;
    xy[0] = i < 3 * teeth ? ((double)tooth + 0.5) / (double)teeth : 1;
    xy[1] = i < 3 * teeth && i % 3 == 1 ? 1 - 0.98 * param : 0;
    if (i >= 3 * teeth) {
        static const double around[4][2] = { { 1, 0 }, { 1, 1 }, { 0, 1 }, { 0, 0 } };
        memcpy(xy, around[(i - 3 * teeth) & 3], sizeof around[0]);
    }
}

/* The same few corners, again and again. */
static void turns(size_t i, double param, double xy[2])
{
    const size_t around = 3 + (size_t)(param * 40);
    star((double)(i % around) / (double)around, 0, xy);
}

static void walk(test_random *random, double param, double xy[2])
{
    const double step = 0.001 + 0.2 * param * param;
    for (int axis = 0; axis < 2; axis++) {
        xy[axis] += step * (unit(random) - 0.5);
        xy[axis] = fmin(fmax(xy[axis], 0), 1);
    }
}

static void spiral(size_t i, size_t count, double param, double xy[2])
{
    const size_t half = count / 2 + 1, k = i < half ? i : count - i;
    const double along = (double)k / (double)half;
    const double angle = along * 6.283185307179586 * (1 + 100 * param);
    const double far = 0.5 * along * (i < half ? 1 : 1 - 0.5 / (1 + 100 * param));
    xy[0] = 0.5 + far * cos(angle);
    xy[1] = 0.5 + far * sin(angle);
}

/* Every other corner is the same one. */
static void fan(size_t i, double share, double param, double xy[2])
{
    star(share, 0, xy);
    if (i % 2 == 0) {
        xy[0] = param;
        xy[1] = 0.5;
    }
}

void polygon_make(const polygon_def *def, double *out)
{
    const size_t count = def->count;
    test_random random = { def->seed };
    double xy[2] = { 0.5, 0.5 };
    for (size_t i = 0; i < count; i++) {
        const double share = (double)i / (double)count;
        switch (def->kind) {
        case POLYGON_STAR:
            star(share, def->param, xy);
            break;
        case POLYGON_COMB:
            comb(i, share, def->param, xy);
            break;
        case POLYGON_ZIGZAG:
            zigzag(i, count, share, def->param, xy);
            break;
        case POLYGON_NEEDLES:
            needles(i, count, def->param, xy);
            break;
        case POLYGON_TURNS:
            turns(i, def->param, xy);
            break;
        case POLYGON_WALK:
            walk(&random, def->param, xy);
            break;
        case POLYGON_SPIRAL:
            spiral(i, count, def->param, xy);
            break;
        case POLYGON_FAN:
            fan(i, share, def->param, xy);
            break;
        default:
            xy[0] = unit(&random);
            xy[1] = unit(&random);
        }
        out[2 * i] = def->at[0] + xy[0] * def->size[0];
        out[2 * i + 1] = def->at[1] + xy[1] * def->size[1];
    }
}
