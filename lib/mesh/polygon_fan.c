/* polygon_fan.c: the side from which a polygon is seen, and whether its fan is right from there. */
#include "lib/geom/exact/predicates.h"
#include "lib/mesh/polygon.h"

#include <math.h>
#include <string.h>

/* Where as much area is on one side as on the other, that of the fan's triangles decides. */
int sli_polygon_axis(const float *xyz, const uint32_t *fan, size_t count, bool *mirrored)
{
    const float *first = xyz + 3 * (size_t)fan[0];
    double area[3] = { 0 }, size[3] = { 0 }, a[3], b[3] = { 0 };
    bool apart = false;
    for (size_t i = 1; i < count; i++) {
        const float *next = xyz + 3 * (size_t)fan[sli_polygon_place(i)];
        for (int axis = 0; axis < 3; axis++) {
            a[axis] = b[axis];
            b[axis] = (double)next[axis] - (double)first[axis];
            apart = apart || b[axis] != 0;
        }
        for (int axis = 0; axis < 3 && i > 1; axis++) {
            const int j = (axis + 1) % 3, k = (axis + 2) % 3;
            const double cross = a[j] * b[k] - a[k] * b[j];
            area[axis] += cross;
            size[axis] += fabs(cross);
        }
    }
    int largest = 0, largest_size = 0;
    for (int axis = 1; axis < 3; axis++) {
        largest = fabs(area[axis]) > fabs(area[largest]) ? axis : largest;
        largest_size = size[axis] > size[largest_size] ? axis : largest_size;
    }
    if (fabs(area[largest]) <= 1e-10 * size[largest_size]) {
        largest = largest_size;
    }
    *mirrored = area[largest] < 0;
    return apart ? largest : -1;
}

/* Two triangles, whose areas have errors of at most 4.1 eps times the sums of their products. */
bool sli_polygon_quad_fits(const float *xyz, const uint32_t fan[6])
{
    const float *first = xyz + 3 * (size_t)fan[0];
    double to[3][3], largest = 0;
    bool fits = false;
    for (int i = 0; i < 3; i++) {
        const float *next = xyz + 3 * (size_t)fan[i < 2 ? i + 1 : 5];
        for (int axis = 0; axis < 3; axis++) {
            to[i][axis] = (double)next[axis] - (double)first[axis];
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        const int j = (axis + 1) % 3, k = (axis + 2) % 3;
        double area[2];
        bool sure = true;
        for (int i = 0; i < 2; i++) {
            const double left = to[i][j] * to[i + 1][k], right = to[i][k] * to[i + 1][j];
            area[i] = left - right;
            sure = sure && fabs(area[i]) > 0x1p-50 * (fabs(left) + fabs(right));
        }
        if (fabs(area[0] + area[1]) > largest) {
            largest = fabs(area[0] + area[1]);
            fits = sure && (area[0] > 0) == (area[1] > 0);
        }
    }
    return fits;
}

static bool same_place(const double a[2], const double b[2])
{
    return a[0] == b[0] && a[1] == b[1];
}

bool sli_polygon_fan_fits(const float *xyz, const uint32_t *fan, size_t count, int axis)
{
    double first[2], second[2] = { 0 }, before[2], next[2];
    sli_polygon_at(xyz, fan, 0, axis, first);
    memcpy(before, first, sizeof before);
    int turn = 0;
    bool half_round = false;
    size_t differ = 1;
    for (size_t i = 1; i < count; i++) {
        sli_polygon_at(xyz, fan, i, axis, next);
        if (same_place(next, before) || (i + 1 == count && same_place(next, first))) {
            continue;
        }
        differ++;
        if (differ == 2) {
            memcpy(second, next, sizeof second);
        } else if (differ == 3) {
            turn = sli_orient2d(first, second, next);
        }
        if (differ > 3) {
            const bool further = count > 4 && sli_orient2d(first, second, next) != turn;
            if (sli_orient2d(first, before, next) != turn || (half_round && !further)) {
                return false;
            }
            half_round = further;
        }
        memcpy(before, next, sizeof before);
    }
    return turn != 0;
}
