/* Separating lines of convex outlines, by signs of areas; and distances from segments. */
#include "bvh/select/region/planar.h"

#include "lib/geom/exact/arithmetic/number.h"
#include "lib/geom/exact/predicates.h"

static bool boxes_intersect(const double (*a)[2], int a_count, const double (*b)[2], int b_count)
{
    for (int axis = 0; axis < 2; axis++) {
        double a_low = a[0][axis], a_high = a_low, b_low = b[0][axis], b_high = b_low;
        for (int i = 1; i < a_count; i++) {
            a_low = a[i][axis] < a_low ? a[i][axis] : a_low;
            a_high = a[i][axis] > a_high ? a[i][axis] : a_high;
        }
        for (int i = 1; i < b_count; i++) {
            b_low = b[i][axis] < b_low ? b[i][axis] : b_low;
            b_high = b[i][axis] > b_high ? b[i][axis] : b_high;
        }
        if (a_low > b_high || b_low > a_high) {
            return false;
        }
    }
    return true;
}

/* The side of the line from p to q on which all points lie strictly: 1 or -1; else 0. */
static int side_of(const double p[2], const double q[2], const double (*points)[2], int count)
{
    int side = 0;
    for (int i = 0; i < count; i++) {
        const int at = sli_orient2d(p, q, points[i]);
        if (at == 0 || side == -at) {
            return 0;
        }
        side = at;
    }
    return side;
}

/* The same for the other corners of an outline of which p and q are corners i and i + 1: these are
 * on the line, which the exact predicate need not be asked. 0 too where all are on it: then it is
 * flat. */
static int own_side(const double (*a)[2], int count, int i, bool *flat)
{
    const double *p = a[i], *q = a[(i + 1) % count];
    int side = 0;
    *flat = true;
    for (int k = 2; k < count; k++) {
        const int at = sli_orient2d(p, q, a[(i + k) % count]);
        if (at != 0 && side == -at) {
            *flat = false;
            return 0;
        }
        side = at != 0 ? at : side;
        *flat = side == 0;
    }
    return side;
}

/* Whether the line along a side of a has all of a on one side, weakly, and b strictly on the other,
 * or a on it and b strictly beside it. */
static bool planar_separates(const double (*a)[2], int a_count, const double (*b)[2], int b_count)
{
    const int sides = a_count == 2 ? 1 : a_count == 1 ? 0 : a_count;
    for (int i = 0; i < sides; i++) {
        const int beside = side_of(a[i], a[(i + 1) % a_count], b, b_count);
        if (beside != 0) {
            bool flat;
            const int own = own_side(a, a_count, i, &flat);
            if (own == -beside || flat) {
                return true;
            }
        }
    }
    return false;
}

bool sli_planar_intersect(const double (*a)[2], int a_count, const double (*b)[2], int b_count)
{
    return boxes_intersect(a, a_count, b, b_count) && !planar_separates(a, a_count, b, b_count) &&
           !planar_separates(b, b_count, a, a_count);
}

bool sli_planar_pierces(const double (*segment)[2], const double (*triangle)[2])
{
    const int turn = sli_orient2d(triangle[0], triangle[1], triangle[2]);
    if (turn == 0 || !boxes_intersect(segment, 2, triangle, 3)) {
        return false;
    }
    for (int i = 0; i < 3; i++) {
        const double *p = triangle[i], *q = triangle[(i + 1) % 3];
        if (sli_orient2d(p, q, segment[0]) * turn <= 0 &&
            sli_orient2d(p, q, segment[1]) * turn <= 0) {
            return false;
        }
    }
    int below = 0, above = 0;
    for (int i = 0; i < 3; i++) {
        const int at = sli_orient2d(segment[0], segment[1], triangle[i]);
        below += at < 0;
        above += at > 0;
    }
    const bool is_point = segment[0][0] == segment[1][0] && segment[0][1] == segment[1][1];
    return is_point || (below > 0 && above > 0);
}

/* ---- Distances ---- */

typedef struct vector {
    sli_number x, y;
} vector;

static void vector_difference(const double a[2], const double b[2], bool exact, vector *out)
{
    sli_number_diff(a[0], b[0], exact, &out->x);
    sli_number_diff(a[1], b[1], exact, &out->y);
}

static void vector_dot(const vector *a, const vector *b, sli_number *out)
{
    sli_number other;
    sli_number_mul(&a->x, &b->x, out);
    sli_number_mul(&a->y, &b->y, &other);
    sli_number_add(out, &other, out);
}

static void vector_cross(const vector *a, const vector *b, sli_number *out)
{
    sli_number other;
    sli_number_mul(&a->x, &b->y, out);
    sli_number_mul(&a->y, &b->x, &other);
    sli_number_sub(out, &other, out);
}

/* Whether |v| <= radius. */
static bool is_short(const vector *v, const sli_number *square_radius, bool *unsure)
{
    sli_number square;
    vector_dot(v, v, &square);
    sli_number_sub(square_radius, &square, &square);
    return sli_number_sign(&square, unsure) >= 0;
}

static bool is_near(const double point[2], const double p[2], const double q[2], double radius,
                    bool exact, bool *unsure)
{
    vector along, from_p, from_q;
    sli_number square, length, part, off;
    sli_number_set(radius, exact, &square);
    sli_number_mul(&square, &square, &square);
    vector_difference(q, p, exact, &along);
    vector_difference(point, p, exact, &from_p);
    vector_dot(&from_p, &along, &part);
    if (sli_number_sign(&part, unsure) <= 0) {
        return is_short(&from_p, &square, unsure);
    }
    vector_difference(point, q, exact, &from_q);
    vector_dot(&from_q, &along, &part);
    if (sli_number_sign(&part, unsure) >= 0) {
        return is_short(&from_q, &square, unsure);
    }
    vector_dot(&along, &along, &length);
    vector_cross(&along, &from_p, &off);
    sli_number_mul(&off, &off, &off);
    sli_number_mul(&length, &square, &length);
    sli_number_sub(&length, &off, &length);
    return sli_number_sign(&length, unsure) >= 0;
}

bool sli_planar_is_near(const double point[2], const double p[2], const double q[2], double radius)
{
    bool unsure = false;
    const bool found = is_near(point, p, q, radius, false, &unsure);
    return unsure ? is_near(point, p, q, radius, true, &unsure) : found;
}
