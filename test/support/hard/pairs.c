#include "test/support/hard/pairs.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- Coordinates ---- */

typedef enum style {
    SMALL_LATTICE, /* multiples of 4: midpoints and quarters are integers */
    WIDE_LATTICE,
    UNIFORM,
    MIXED,  /* magnitudes from 2^-30 to 2^30 in one triangle */
    OFFSET, /* small steps far from the origin */
    DENORMAL,
    EXTREME, /* every magnitude there is */
    STYLES
} style;

static float sign(test_random *random)
{
    return test_random_below(random, 2) == 0 ? 1.0f : -1.0f;
}

static int between(test_random *random, int low, int high)
{
    return low + (int)test_random_below(random, (uint32_t)(high - low + 1));
}

/* +-2^power; in statements of its own, since C leaves the order within an expression open. */
static float signed_power(test_random *random, int low, int high)
{
    const float one = sign(random);
    return ldexpf(one, between(random, low, high));
}

/* The same times something from 1 to 2. */
static float magnitude(test_random *random, int low, int high)
{
    const float power = signed_power(random, low, high);
    return power * (1 + test_random_unit(random));
}

static float coordinate(style how, test_random *random)
{
    switch (how) {
    case SMALL_LATTICE:
        return (float)(4 * between(random, -3, 3));
    case WIDE_LATTICE:
        return (float)(4 * between(random, -0x80000, 0x80000));
    case UNIFORM:
        return test_random_in(random, -1, 1);
    case MIXED:
        return magnitude(random, -30, 30);
    case OFFSET:
        return 1000 + (float)between(random, -9, 9) / 8;
    case DENORMAL:
        return ldexpf((float)between(random, -99, 99), -149);
    default:
        return magnitude(random, -148, 125);
    }
}

static void point(style how, test_random *random, float out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = coordinate(how, random);
    }
}

/* ---- Triangles ---- */

static sl_triangle make_triangle(style how, test_random *random)
{
    sl_triangle t;
    for (int corner = 0; corner < 3; corner++) {
        point(how, random, t.v[corner]);
    }
    const uint32_t shape = test_random_below(random, 16);
    const int axis = between(random, 0, 2), corner = between(random, 0, 2);
    if (shape < 4) { /* in a plane across an axis */
        t.v[0][axis] = t.v[1][axis] = t.v[2][axis];
    } else if (shape == 4) { /* a line, or nearly where it rounds */
        const float way = (float)between(random, -2, 3);
        for (int i = 0; i < 3; i++) {
            t.v[2][i] = t.v[0][i] + way * (t.v[1][i] - t.v[0][i]);
        }
    } else if (shape == 5) { /* a corner twice */
        memcpy(t.v[corner], t.v[(corner + 1) % 3], sizeof t.v[0]);
    } else if (shape == 6) { /* a sliver */
        memcpy(t.v[corner], t.v[(corner + 1) % 3], sizeof t.v[0]);
        t.v[corner][axis] = nextafterf(t.v[corner][axis], INFINITY);
    }
    return t;
}

/* A point of the triangle, or near it: exact on the lattices, rounded elsewhere. */
static void make_target(const sl_triangle *t, style how, test_random *random, float out[3])
{
    const int i = between(random, 0, 2), j = (i + 1) % 3, k = (i + 2) % 3;
    const uint32_t where = test_random_below(random, 8);
    for (int axis = 0; axis < 3; axis++) {
        const float a = t->v[i][axis], b = t->v[j][axis], c = t->v[k][axis];
        if (where < 2) {
            out[axis] = a;
        } else if (where < 4) {
            out[axis] = a / 2 + b / 2;
        } else if (where == 4) {
            out[axis] = a / 4 + b / 4 * 3;
        } else if (where == 5) {
            out[axis] = a / 4 + b / 4 + c / 2;
        } else if (where == 6) { /* beyond an edge, in the plane */
            out[axis] = a / 2 + b - c / 2;
        } else {
            out[axis] = coordinate(how, random);
        }
    }
}

/* ---- Aiming ---- */

static void aim_along_axis(hard_pair *pair, const float from[3], const float target[3],
                           test_random *random)
{
    const int axis = between(random, 0, 2);
    memcpy(pair->ray.origin, target, sizeof pair->ray.origin);
    pair->ray.origin[axis] = from[axis];
    memset(pair->ray.dir, 0, sizeof pair->ray.dir);
    pair->ray.dir[axis] = signed_power(random, -3, 3);
    memcpy(pair->segment.p, pair->ray.origin, sizeof pair->segment.p);
    memcpy(pair->segment.q, target, sizeof pair->segment.q);
}

static void aim(hard_pair *pair, style how, test_random *random)
{
    float from[3], target[3];
    make_target(&pair->triangle, how, random, target);
    const uint32_t way = test_random_below(random, 8);
    if (way == 0) { /* within the plane, where the target is */
        make_target(&pair->triangle, how, random, from);
    } else {
        point(how, random, from);
    }
    if (way == 1) {
        aim_along_axis(pair, from, target, random);
        return;
    }
    memcpy(pair->segment.p, way == 2 ? target : from, sizeof from);
    memcpy(pair->segment.q, way == 2 ? from : target, sizeof from);
    memcpy(pair->ray.origin, from, sizeof from);
    for (int axis = 0; axis < 3; axis++) {
        if (way < 5 && way != 2) { /* go on beyond the target */
            pair->segment.q[axis] = target[axis] + (target[axis] - from[axis]);
        }
        pair->ray.dir[axis] = target[axis] - from[axis];
    }
}

/* ---- Changes: by one float, by a tiny amount, by scaling ---- */

enum { NUMBERS = 15, DIRECTION = 12 };

/* The coordinates that take part, the direction of a ray last: it has a scale of its own. */
static void list_numbers(hard_pair *pair, float *list[NUMBERS])
{
    for (int i = 0; i < 3; i++) {
        for (int corner = 0; corner < 3; corner++) {
            list[3 * corner + i] = &pair->triangle.v[corner][i];
        }
        list[9 + i] = pair->is_segment ? &pair->segment.p[i] : &pair->ray.origin[i];
        list[DIRECTION + i] = pair->is_segment ? &pair->segment.q[i] : &pair->ray.dir[i];
    }
}

static void perturb(hard_pair *pair, test_random *random)
{
    float *list[NUMBERS];
    list_numbers(pair, list);
    const uint32_t how = test_random_below(random, 4);
    const float tiny = signed_power(random, -149, -45);
    for (int times = between(random, 1, 3); times > 0; times--) {
        float *x = list[between(random, 0, NUMBERS - 1)];
        if (how == 0) {
            *x = nextafterf(*x, sign(random) * INFINITY);
        } else if (how == 1 && *x == 0) {
            *x = tiny;
        } else if (how == 1) {
            *x += tiny;
        }
    }
}

static void scale(hard_pair *pair, test_random *random)
{
    float *list[NUMBERS];
    list_numbers(pair, list);
    const uint32_t how = test_random_below(random, 8);
    const float factor = how == 0 ? test_random_in(random, 0.1f, 10) : 1;
    const int power = how < 3 ? between(random, -120, 100) : 0;
    const int dir_power = how < 5 ? between(random, -30, 30) : power;
    for (int i = 0; i < NUMBERS; i++) {
        const bool is_dir = i >= DIRECTION && !pair->is_segment;
        const float scaled = ldexpf(*list[i] * factor, is_dir ? dir_power : power);
        *list[i] = isfinite(scaled) ? scaled : *list[i];
    }
}

/* Along each axis by its own power of two, where every number stays as exact: no sign changes, and
 * vectors have components of very different sizes. */
static void stretch(hard_pair *pair, test_random *random)
{
    hard_pair stretched = *pair;
    float *from[NUMBERS], *list[NUMBERS];
    bool exact = true;
    list_numbers(pair, from);
    list_numbers(&stretched, list);
    const int power[3] = { between(random, -40, 40), between(random, -40, 40),
                           between(random, -40, 40) };
    for (int i = 0; i < NUMBERS; i++) {
        *list[i] = ldexpf(*from[i], power[i % 3]);
        exact &= isfinite(*list[i]) && ldexpf(*list[i], -power[i % 3]) == *from[i];
    }
    *pair = exact ? stretched : *pair;
}

/* ---- Special constructions ---- */

/* a x + b y = gcd(a, b), which is the result. */
static int64_t extended_gcd(int64_t a, int64_t b, int64_t *x, int64_t *y)
{
    int64_t x0 = 1, y0 = 0, x1 = 0, y1 = 1;
    while (b != 0) {
        const int64_t q = a / b, rest = a % b, x2 = x0 - q * x1, y2 = y0 - q * y1;
        a = b;
        b = rest;
        x0 = x1;
        x1 = x2;
        y0 = y1;
        y1 = y2;
    }
    *x = a < 0 ? -x0 : x0;
    *y = a < 0 ? -y0 : y0;
    return a < 0 ? -a : a;
}

__extension__ typedef __int128 wide;

/* An integer vector e, no longer than b and c, with det(e, b, c) as small as it gets but 0. */
static void find_shallow(const int64_t b[3], const int64_t c[3], int64_t e[3])
{
    const int64_t n[3] = { b[1] * c[2] - b[2] * c[1], b[2] * c[0] - b[0] * c[2],
                           b[0] * c[1] - b[1] * c[0] };
    int64_t x, y, s, w;
    const int64_t g = extended_gcd(n[0], n[1], &x, &y);
    extended_gcd(g, n[2], &s, &w);
    /* (x s, y s, w) . n is the gcd of all three, but long: take the nearest multiples of b and c
     * away, more closely each time. */
    double r[3] = { (double)x * (double)s, (double)y * (double)s, (double)w };
    wide exact[3] = { (wide)x * s, (wide)y * s, w };
    for (int round = 0; round < 6; round++) {
        double bb = 0, bc = 0, cc = 0, rb = 0, rc = 0;
        for (int i = 0; i < 3; i++) {
            bb += (double)b[i] * (double)b[i];
            bc += (double)b[i] * (double)c[i];
            cc += (double)c[i] * (double)c[i];
            rb += r[i] * (double)b[i];
            rc += r[i] * (double)c[i];
        }
        const double det = bb * cc - bc * bc;
        const wide along_b = (wide)rint((rb * cc - rc * bc) / det);
        const wide along_c = (wide)rint((rc * bb - rb * bc) / det);
        for (int i = 0; i < 3; i++) {
            exact[i] -= along_b * b[i] + along_c * c[i];
            r[i] = (double)exact[i];
        }
    }
    for (int i = 0; i < 3; i++) {
        e[i] = (int64_t)exact[i];
    }
}

/* The path passes the edge from b to c between its ends, at a tiny distance or 0: of half of them
 * so tiny that no two doubles hold it beside the terms. */
static hard_pair make_unimodular(test_random *random)
{
    hard_pair pair = { .is_segment = test_random_below(random, 2) == 0 };
    const int size = 1 << between(random, 12, 21); /* sums stay below 2^24 */
    int64_t b[3], c[3], e[3];
    float *const origin = pair.is_segment ? pair.segment.p : pair.ray.origin;
    for (int i = 0; i < 3; i++) {
        b[i] = between(random, -size, size);
        c[i] = between(random, -size, size);
        origin[i] = (float)between(random, -size, size);
    }
    const bool tiny = test_random_below(random, 2) == 0;
    const int moved = between(random, 0, 2);
    origin[moved] = tiny ? 0 : origin[moved];
    if (b[0] * c[1] == b[1] * c[0] || b[1] * c[2] == b[2] * c[1]) {
        return make_unimodular(random); /* too flat to work with; one in thousands */
    }
    find_shallow(b, c, e);
    const int corner = between(random, 0, 2);
    const int along_b = between(random, 1, 2), along_c = between(random, 1, 2);
    const int beside = tiny ? 0 : between(random, -2, 2);
    for (int i = 0; i < 3; i++) {
        pair.triangle.v[corner][i] = origin[i] + (float)b[i];
        pair.triangle.v[(corner + 1) % 3][i] = origin[i] + (float)c[i];
        pair.triangle.v[(corner + 2) % 3][i] = (float)between(random, -size, size);
        const float dir = (float)(along_b * b[i] + along_c * c[i] + beside * e[i]);
        pair.ray.dir[i] = dir;
        pair.segment.q[i] = origin[i] + dir;
    }
    origin[moved] += tiny ? signed_power(random, -149, -60) : 0;
    return pair;
}

/* Mostly of 25 bits: a float if even, the middle between two floats if odd. */
static int boundary(test_random *random)
{
    const int bits = test_random_below(random, 3) == 0 ? between(random, 1, 24) : 24;
    return between(random, 1 << bits, (2 << bits) - 1);
}

/* 0, or so little that adding it to 1 does not change 53 bits. */
static float next_to_nothing(test_random *random)
{
    const uint32_t what = test_random_below(random, 3);
    return what == 0 ? 0 : (what == 1 ? 1.0f : -1.0f) * ldexpf(1, between(random, -60, -50));
}

/* t is the number, or differs by a tiny amount: the plane x + y + z = 0 is met at minus the sum of
 * the origin's coordinates, for a dir whose coordinates add up to 1. */
static hard_pair make_t_number(int number, test_random *random)
{
    const int part = number & ~1;
    const float far = 0x1p27f;
    hard_pair pair = { .triangle = { .v = { { far, far, -2 * far },
                                            { -2 * far, far, far },
                                            { far, -2 * far, far } } },
                       .ray = { .origin = { (float)-part, (float)(part - number),
                                            next_to_nothing(random) },
                                .dir = { 1, 0, 0 } } };
    const uint32_t dir = test_random_below(random, 3);
    if (dir > 0) {
        const float other[2][3] = { { 0.5f, 0.25f, 0.25f }, { -1, 1.5f, 0.5f } };
        memcpy(pair.ray.dir, other[dir - 1], sizeof pair.ray.dir);
    }
    return pair;
}

/* Down on the triangle 0, L x, L y: u = x / L and v = y / L at a point with a bit more than floats
 * have, since it is origin + dir. */
static hard_pair make_u_boundary(test_random *random)
{
    const float side = 0x1p26f;
    hard_pair pair = {
        .triangle = { .v = { { 0, 0, 0 }, { side, 0, 0 }, { 0, side, 0 } } },
        .ray = { .origin = { 0, 0, 1 }, .dir = { 0, 0, -1 } },
    };
    for (int i = 0; i < 2; i++) {
        const int number = boundary(random);
        pair.ray.origin[i] = (float)(number & ~1);
        pair.ray.dir[i] = (float)(number & 1) + next_to_nothing(random);
    }
    return pair;
}

/* t is the number times 2^power, or differs by a tiny amount. */
static hard_pair make_t_scaled(int number, int power, test_random *random)
{
    hard_pair pair = make_t_number(number, random);
    float *list[NUMBERS];
    list_numbers(&pair, list);
    for (int i = 0; i < NUMBERS; i++) {
        *list[i] = ldexpf(*list[i], i < DIRECTION ? power / 2 : power / 2 - power);
    }
    return pair;
}

/* Overflow begins at (2^25 - 1) 2^103, the middle between the largest float and 2^128; a zero ends
 * at 2^-150. */
static hard_pair make_t_limit(test_random *random)
{
    if (test_random_below(random, 2) == 0) {
        return make_t_scaled((1 << 25) - between(random, 0, 3), 103, random);
    }
    return make_t_scaled(between(random, 1, 1 << between(random, 1, 23)), -150, random);
}

/* Dir far smaller or larger than coordinates; along an axis, so that t is a plain quotient. */
static hard_pair make_t_range(test_random *random)
{
    const bool over = test_random_below(random, 2) == 0;
    const int size = over ? between(random, 0, 120) : between(random, -140, 0);
    hard_pair pair = { .ray = { .dir = { 0 } } };
    for (int corner = 0; corner < 3; corner++) {
        for (int axis = 0; axis < 2; axis++) {
            pair.triangle.v[corner][axis] = ldexpf((float)between(random, -8, 8), size);
        }
        pair.triangle.v[corner][2] = ldexpf(1 + test_random_unit(random), size);
    }
    for (int axis = 0; axis < 3; axis++) {
        pair.ray.dir[axis] = signed_power(random, -149, -149);
    }
    /* t is about 2^size / dir: around 2^128, 2^-126 or 2^-149 */
    const int wanted = over ? 128 : between(random, 0, 1) == 0 ? -126 : -149;
    int power = size - wanted + between(random, -2, 2);
    power = power < -149 ? -149 : power > 126 ? 126 : power;
    pair.ray.dir[2] = ldexpf(1 + test_random_unit(random), power);
    return pair;
}

hard_pair hard_pair_make(hard_pair_kind kind, test_random *random)
{
    hard_pair pair = { .is_segment = false };
    if (kind == PAIR_AIMED) {
        const style how = (style)test_random_below(random, STYLES);
        pair.is_segment = test_random_below(random, 2) == 0;
        pair.triangle = make_triangle(how, random);
        aim(&pair, how, random);
        perturb(&pair, random);
    } else if (kind == PAIR_UNIMODULAR) {
        pair = make_unimodular(random);
    } else if (kind == PAIR_T_BOUNDARY) {
        pair = make_t_number(boundary(random), random);
    } else if (kind == PAIR_U_BOUNDARY) {
        pair = make_u_boundary(random);
    } else {
        pair = test_random_below(random, 2) == 0 ? make_t_range(random) : make_t_limit(random);
    }
    if (kind != PAIR_T_RANGE) {
        scale(&pair, random);
        if (test_random_below(random, 2) == 0) {
            stretch(&pair, random);
        }
    }
    pair.ray.tmin = -INFINITY;
    pair.ray.tmax = INFINITY;
    if (test_random_below(random, 4) == 0) {
        pair.flags = test_random_below(random, 4) * SL_OPEN_START;
    }
    if (test_random_below(random, 4) == 0) {
        pair.cull = (sl_cull)test_random_below(random, 3);
    }
    return pair;
}

static void print_numbers(const char *name, const float *x, int count)
{
    printf("    .%s = {", name);
    for (int i = 0; i < count; i++) {
        printf("%s %af", i > 0 ? "," : "", (double)x[i]);
    }
    printf(" },\n");
}

void hard_pair_print(const hard_pair *pair)
{
    printf("{\n");
    for (int corner = 0; corner < 3; corner++) {
        const char *const names[3] = { "triangle.v[0]", "triangle.v[1]", "triangle.v[2]" };
        print_numbers(names[corner], pair->triangle.v[corner], 3);
    }
    if (pair->is_segment) {
        print_numbers("segment.p", pair->segment.p, 3);
        print_numbers("segment.q", pair->segment.q, 3);
    } else {
        print_numbers("ray.origin", pair->ray.origin, 3);
        print_numbers("ray.dir", pair->ray.dir, 3);
        print_numbers("ray.tmin", &pair->ray.tmin, 1);
        print_numbers("ray.tmax", &pair->ray.tmax, 1);
    }
    printf("    .is_segment = %d, .flags = %lu, .cull = %d }\n", pair->is_segment,
           (unsigned long)pair->flags, (int)pair->cull);
}
