/* Whether a point is within range of an eye and in its cone, decided exactly: first in doubles with
 * a bound for their error, and where that does not settle it, by expansions.
 *
 *     |d|^2 <= range^2   and   s >= c |d| |n|,   d = point - eye, n = dir, s = d . n
 *
 * Squared, the second is s^2 against c^2 |d|^2 |n|^2 with the signs of s and c taken care of: a sum
 * of degree 6 in numbers of the range of floats, which expansions take (expansion.h). */
#include "bvh/sight/cone.h"

#include "lib/base/fpenv.h"
#include "lib/geom/exact/arithmetic/expansion.h"
#include "lib/geom/exact/arithmetic/grid.h"

#include <math.h>

/* What doubles may be off by, of what is summed: some twenty roundings, with room. */
static const double share_of_error = 0x1p-46;

static bool is_number(double x)
{
    return fabs(x) <= FLT_MAX;
}

sli_cone sli_cone_make(const double eye[3], const sl_sight_cone *cone)
{
    sli_cone made = { .cos_angle = sli_round_to_grid(cone->cos_angle, SLI_STEP),
                      .range = cone->range,
                      .none = !(cone->range >= 0) || !is_number(cone->cos_angle) };
    double length2 = 0;
    for (int axis = 0; axis < 3; axis++) {
        made.eye[axis] = eye[axis];
        made.dir[axis] = sli_round_to_grid(cone->dir[axis], SLI_STEP);
        made.none |= !is_number(eye[axis]) || !is_number(cone->dir[axis]);
        length2 += made.dir[axis] * made.dir[axis];
    }
    /* No two points are farther apart than 2^131, and none but equal ones nearer than 2^-149. */
    made.range = made.range > 0x1p131 ? 0x1p131 : made.range < 0x1p-149 ? 0 : made.range;
    made.length = sqrt(length2);
    made.cos_length = made.cos_angle * made.length;
    made.range2 = made.range * made.range;
    return made;
}

/* h = sum of squares, or the like, of three products. */
static int expansion_sum3(const int n[3], double product[3][8], double h[24])
{
    double two[16];
    const int count = sli_expansion_sum(n[0], product[0], n[1], product[1], two);
    return sli_expansion_sum(count, two, n[2], product[2], h);
}

/* |d|^2, compressed. */
static int expansion_square_length(const sli_diff d[3], double h[24])
{
    double product[3][8];
    int n[3];
    for (int axis = 0; axis < 3; axis++) {
        n[axis] = sli_expansion_times_diff(d[axis].n, d[axis].c, &d[axis], product[axis]);
    }
    return sli_expansion_compress(expansion_sum3(n, product, h), h);
}

/* d . n, compressed. */
static int expansion_dot(const sli_diff d[3], const double dir[3], double h[24])
{
    double product[3][8];
    int n[3];
    for (int axis = 0; axis < 3; axis++) {
        n[axis] = sli_expansion_scale(d[axis].n, d[axis].c, dir[axis], product[axis]);
    }
    return sli_expansion_compress(expansion_sum3(n, product, h), h);
}

static bool cone_has_exactly(const sli_cone *cone, const double point[3])
{
    sli_diff d[3], own[3];
    double length2[24], side[24], dir2[24], range2[2], cos2[2];
    double side2[SLI_COMPRESSED_MAX], both[SLI_COMPRESSED_MAX], rim[SLI_COMPRESSED_MAX];
    for (int axis = 0; axis < 3; axis++) {
        d[axis] = sli_diff_make(point[axis], cone->eye[axis]);
        own[axis] = sli_diff_make(cone->dir[axis], 0);
    }
    const int length2_n = expansion_square_length(d, length2),
              dir2_n = expansion_square_length(own, dir2);
    const int range2_n = sli_expansion_scale(cone->range != 0, &cone->range, cone->range, range2);
    if (sli_expansion_compare(length2_n, length2, range2_n, range2) > 0) {
        return false;
    }
    const double c = cone->cos_angle;
    const int side_n = expansion_dot(d, cone->dir, side), sign = sli_expansion_sign(side_n, side);
    if (c >= 0 && sign < 0) {
        return false;
    }
    if (c < 0 && sign >= 0) {
        return true;
    }
    const int cos2_n = sli_expansion_scale(c != 0, &c, c, cos2);
    const int side2_n = sli_expansion_product(side_n, side, side_n, side, side2);
    const int both_n = sli_expansion_product(length2_n, length2, dir2_n, dir2, both);
    const int rim_n = sli_expansion_product(both_n, both, cos2_n, cos2, rim);
    const int compared = sli_expansion_compare(side2_n, side2, rim_n, rim);
    return c >= 0 ? compared >= 0 : compared <= 0;
}

bool sli_cone_has(const sli_cone *cone, const double point[3])
{
    double length2 = 0, side = 0, size = 0;
    bool good = !cone->none;
    for (int axis = 0; axis < 3; axis++) {
        const double d = point[axis] - cone->eye[axis], product = d * cone->dir[axis];
        length2 += d * d;
        side += product;
        size += fabs(product);
        good &= is_number(point[axis]);
    }
    if (!good) {
        return false;
    }
    const double beyond = length2 - cone->range2;
    const double beyond_error = share_of_error * (length2 + cone->range2);
    if (beyond > beyond_error) {
        return false;
    }
    const double rim = cone->cos_length * sqrt(length2);
    const double inside = side - rim, error = share_of_error * (size + fabs(rim));
    if (inside < -error) {
        return false;
    }
    return (beyond < -beyond_error && inside > error) || cone_has_exactly(cone, point);
}

static SLI_NOINLINE bool cone_sees(const double eye[3], const sl_sight_cone *cone,
                                   const double target[3])
{
    double from[3], to[3];
    for (int axis = 0; axis < 3; axis++) {
        from[axis] = is_number(eye[axis]) ? sli_round_to_grid(eye[axis], SLI_STEP) : NAN;
        to[axis] = is_number(target[axis]) ? sli_round_to_grid(target[axis], SLI_STEP) : NAN;
    }
    const sli_cone made = sli_cone_make(from, cone);
    return sli_cone_has(&made, to);
}

bool sli_sight_in_cone(const double eye[3], const sl_sight_cone *cone, const double target[3])
{
    return SLI_IN_FPENV(cone_sees(eye, cone, target));
}
