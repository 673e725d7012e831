/* Locations along a line, for its intersections with boxes, planes and round shapes.
 *
 * With n = value - origin and d = head - tail along the axis of a location, t = n / d.  Two
 * locations are compared by the sign of n1 d2 - n2 d1, which is a cross product, and the signs of
 * the d.  t itself is treated as an axis with origin 0 and d = 1, so that one formula serves all
 * pairs.
 * Source   Shewchuk (1997), for the exact stage. */
#include "lib/geom/exact/path.h"
#include "lib/geom/exact/valid.h"

#define EPS 0x1p-53

bool sli_path_make(const sl_line *line, sli_path *out)
{
    *out = (sli_path){ .tmin = line->tmin, .tmax = line->tmax };
    for (int axis = 0; axis < 3; axis++) {
        out->origin[axis] = line->origin[axis];
        out->tail[axis] = line->tail[axis];
        out->head[axis] = line->head[axis];
        out->sign[axis] = (out->head[axis] > out->tail[axis]) - (out->head[axis] < out->tail[axis]);
    }
    return sli_line_is_valid(line);
}

typedef struct coordinate {
    double origin, tail, head;
    int sign;
} coordinate;

static coordinate coordinate_of(const sli_path *path, int axis)
{
    if (axis == SLI_AT_T) {
        return (coordinate){ 0, 0, 1, 1 };
    }
    return (coordinate){ path->origin[axis], path->tail[axis], path->head[axis], path->sign[axis] };
}

static int sign_where_t_is_infinite(sli_path_location at)
{
    return at.axis == SLI_AT_T && isinf(at.value) ? (at.value > 0 ? 1 : -1) : 0;
}

int sli_path_compare(sli_path *path, sli_path_location a, sli_path_location b)
{
    const int infinite_a = sign_where_t_is_infinite(a), infinite_b = sign_where_t_is_infinite(b);
    if (infinite_a != 0 || infinite_b != 0) {
        return (infinite_a > infinite_b) - (infinite_a < infinite_b);
    }
    const coordinate ca = coordinate_of(path, a.axis), cb = coordinate_of(path, b.axis);
    const double origin[2] = { ca.origin, cb.origin }, value[2] = { a.value, b.value };
    const double tail[2] = { ca.tail, cb.tail }, head[2] = { ca.head, cb.head };
    return sli_cross2d(origin, value, tail, head, &path->stage) * ca.sign * cb.sign;
}

double sli_nearest_to_zero(double low, double high)
{
    return low > 0 ? low : high < 0 ? high : 0;
}

float sli_path_t(const sli_path *path, sli_path_location at)
{
    const coordinate c = coordinate_of(path, at.axis);
    const double t = (at.value - c.origin) / (c.head - c.tail);
    const double margin = isinf(t) ? 0 : fabs(t) * (4 * EPS);
    float rounded;
    if (sli_rounds_alike(t - margin, t + margin, &rounded)) {
        return rounded;
    }
    const sli_diff n = sli_diff_make(at.value, c.origin), d = sli_diff_make(c.head, c.tail);
    return sli_expansion_round_ratio(n.n, n.c, d.n, d.c);
}

/* The other coordinate's o + t d' = (o d + n d') / d. */
float sli_path_coordinate(const sli_path *path, sli_path_location at, int axis)
{
    const coordinate c = coordinate_of(path, at.axis), other = coordinate_of(path, axis);
    if (axis == at.axis) {
        return (float)at.value + 0.0f; /* that of the plane, exactly */
    }
    const double t = (at.value - c.origin) / (c.head - c.tail);
    const double moved = t * (other.head - other.tail);
    const double margin = (8 * EPS) * (fabs(other.origin) + fabs(moved));
    float rounded;
    if (sli_rounds_alike(other.origin + moved - margin, other.origin + moved + margin, &rounded)) {
        return rounded;
    }
    const sli_diff n = sli_diff_make(at.value, c.origin), d = sli_diff_make(c.head, c.tail);
    const sli_diff along = sli_diff_make(other.head, other.tail);
    double od[4], nd[8], sum[12];
    const int od_n = sli_expansion_scale(d.n, d.c, other.origin, od);
    const int nd_n = sli_expansion_times_diff(n.n, n.c, &along, nd);
    const int sum_n = sli_expansion_sum(od_n, od, nd_n, nd, sum);
    return sli_expansion_round_ratio(sum_n, sum, d.n, d.c);
}

void sli_path_dir(const sli_path *path, bool exact, sli_number dir[3])
{
    for (int axis = 0; axis < 3; axis++) {
        sli_number_diff(path->head[axis], path->tail[axis], exact, &dir[axis]);
    }
}

void sli_path_numbers(const sli_path *path, bool exact, sli_number origin[3], sli_number dir[3])
{
    for (int axis = 0; axis < 3; axis++) {
        sli_number_set(path->origin[axis], exact, &origin[axis]);
        sli_number_diff(path->head[axis], path->tail[axis], exact, &dir[axis]);
    }
}

void sli_path_point(const sli_path *path, const sli_number *n, const sli_number *d, float point[3],
                    bool *unsure)
{
    sli_number origin[3], dir[3];
    sli_path_numbers(path, d->n >= 0, origin, dir);
    for (int axis = 0; axis < 3; axis++) {
        sli_number_mul(&origin[axis], d, &origin[axis]);
        sli_number_mul(&dir[axis], n, &dir[axis]);
        sli_number_add(&origin[axis], &dir[axis], &origin[axis]);
        point[axis] = sli_number_round_ratio(&origin[axis], d, unsure);
    }
}
