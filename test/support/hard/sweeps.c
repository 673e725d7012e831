#include "test/support/hard/sweeps.h"

#include "test/support/hard/floats.h"

#include <math.h>

typedef enum numbers { LATTICE, HAIRS, FAR, FAR_PLAIN, TINY, HUGE_ONES, PLAIN, WILD } numbers;

typedef struct maker {
    test_random *random;
    numbers numbers;
    int size; /* of the lattice */
} maker;

static double whole(maker *m, int size)
{
    return (double)test_random_below(m->random, 2 * (uint32_t)size + 1) - size;
}

/* A coordinate; place: of a point, not of a direction. */
static double number(maker *m, bool place)
{
    const double x = whole(m, m->size);
    switch (m->numbers) {
    case HAIRS: {
        const float hair = nextafterf((float)x, x < 0 ? -INFINITY : INFINITY);
        return test_random_below(m->random, 4) == 0 ? (double)(x == 0 ? 0x1p-30f : hair) : x;
    }
    case FAR:
        return x / 4 + (place ? 1e7 : 0);
    case FAR_PLAIN:
        return test_random_in_d(m->random, -2, 2) + (place ? -12345678 : 0);
    case TINY:
        return x * 0x1p-149;
    case HUGE_ONES:
        return x * 0x1p122;
    case PLAIN:
        return test_random_in_d(m->random, -2, 2);
    case WILD:
        return (double)hard_float_wild(m->random, (float)x) * 0x1p-3;
    default:
        return x;
    }
}

static double rounded(double x)
{
    return (x + copysign(0x1p-97, x)) - copysign(0x1p-97, x);
}

static void place(maker *m, double at[3])
{
    for (int axis = 0; axis < 3; axis++) {
        at[axis] = number(m, true);
        at[axis] = fabs(at[axis]) < 0x1p-97 ? rounded(at[axis]) : at[axis];
    }
}

static void direction(maker *m, double at[3])
{
    for (int axis = 0; axis < 3; axis++) {
        at[axis] = number(m, false);
        at[axis] = fabs(at[axis]) < 0x1p-97 ? rounded(at[axis]) : at[axis];
    }
}

static void make_aabb(maker *m, sl_aabb_d *out)
{
    double other[3];
    place(m, out->min);
    place(m, other);
    for (int axis = 0; axis < 3; axis++) {
        out->max[axis] = fmax(out->min[axis], other[axis]);
        out->min[axis] = fmin(out->min[axis], other[axis]);
    }
}

/* Axes of the lattice, or any, are not at right angles and may be in one plane; one in two is
 * turned by thirds. */
static void make_obb(maker *m, sl_obb_d *out)
{
    static const double turned[3][3] = { { 1, 2, 2 }, { 2, 1, -2 }, { 2, -2, 1 } };
    const bool right = test_random_below(m->random, 2) == 0;
    const double scale = m->numbers == TINY ? 0x1p-149 : 1;
    place(m, out->centre);
    for (int i = 0; i < 3; i++) {
        for (int axis = 0; axis < 3; axis++) {
            out->axis[i][axis] = right ? turned[i][axis] : whole(m, 2);
            if (m->numbers == PLAIN || m->numbers == FAR_PLAIN) {
                out->axis[i][axis] += right ? 0 : test_random_in_d(m->random, -1, 1);
            }
        }
        const double half = fabs(number(m, false));
        out->half[i] = m->numbers == HUGE_ONES ? half / 16 : half;
        out->half[i] = half < 0x1p-97 ? rounded(out->half[i]) : out->half[i];
        out->half[i] =
            m->numbers == TINY ? (double)test_random_below(m->random, 4) * scale : out->half[i];
        if (m->numbers == WILD) {
            out->half[i] = fmin(out->half[i], 0x1p120);
        }
    }
}

/* Whole numbers of points are in a plane, on a line or in one place now and then. */
static void make_points(maker *m, int count, double points[][3])
{
    const uint32_t flat = test_random_below(m->random, 8);
    for (int i = 0; i < count; i++) {
        place(m, points[i]);
        for (int axis = 0; axis < 3; axis++) {
            if (flat < 3 && axis >= (int)flat) {
                points[i][axis] = points[0][axis];
            }
        }
        if (flat == 3) {
            points[i][2] = points[i][0];
        }
        if (flat == 4 && m->numbers == PLAIN) { /* near a sphere, so that all of them are corners */
            const double *p = points[i];
            const double size = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
            for (int axis = 0; axis < 3; axis++) {
                points[i][axis] /= size;
            }
        }
    }
}

void hard_sweep_make(test_random *random, sl_volume_kind kind, int points, hard_sweep *out)
{
    /* Seven in eight are on lattices, of which many are asked about in the time of one other. */
    static const numbers lattices[4] = { LATTICE, FAR, TINY, HUGE_ONES };
    static const numbers others[4] = { HAIRS, FAR_PLAIN, PLAIN, WILD };
    const uint32_t sort = test_random_below(random, 4);
    maker m = { random, test_random_below(random, 8) > 0 ? lattices[sort] : others[sort],
                2 + (int)test_random_below(random, 6) };
    sl_volume_d *volume = &out->sweep.volume;
    volume->kind = kind;
    out->sweep.touching = test_random_below(random, 3);
    out->sweep.overlapping = test_random_below(random, 3);
    out->sweep.ignore_grazing = test_random_below(random, 2) == 0;
    for (int i = 0; i < 3; i++) {
        place(&m, out->corners[i]);
    }
    switch (kind) {
    case SL_VOLUME_AABB:
        make_aabb(&m, &volume->shape.aabb);
        break;
    case SL_VOLUME_OBB:
        make_obb(&m, &volume->shape.obb);
        break;
    case SL_VOLUME_TRIANGLE:
        make_points(&m, 3, volume->shape.triangle.v);
        break;
    default:
        make_points(&m, points, out->points);
        volume->shape.hull = (sl_hull_d){ out->points[0], (uint32_t)points };
        break;
    }
    direction(&m, out->sweep.dir);
    double *dir = out->sweep.dir;
    switch (test_random_below(random, 12)) {
    case 0:
        dir[0] = dir[1] = dir[2] = 0;
        break;
    case 1:
    case 2:
        dir[test_random_below(random, 3)] = dir[test_random_below(random, 3)] = 0;
        break;
    case 3: /* along an edge */
        for (int axis = 0; axis < 3; axis++) {
            dir[axis] = out->corners[1][axis] - out->corners[0][axis];
        }
        break;
    case 4: /* just as far as a corner is */
        for (int axis = 0; axis < 3; axis++) {
            const double from = kind == SL_VOLUME_AABB       ? volume->shape.aabb.max[axis]
                                : kind == SL_VOLUME_OBB      ? volume->shape.obb.centre[axis]
                                : kind == SL_VOLUME_TRIANGLE ? volume->shape.triangle.v[0][axis]
                                                             : out->points[0][axis];
            dir[axis] = out->corners[1][axis] - from;
        }
        break;
    case 5:
    case 6: /* not so far as that t is small */
        for (int axis = 0; axis < 3; axis++) {
            dir[axis] *= m.numbers == HUGE_ONES || m.numbers == WILD ? 0.5 : 4;
        }
        break;
    default:
        break;
    }
    for (int axis = 0; axis < 3; axis++) {
        dir[axis] = fabs(dir[axis]) < 0x1p-97 ? rounded(dir[axis]) : dir[axis];
    }
}
