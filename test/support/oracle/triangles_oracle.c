#include "test/support/oracle/triangles_oracle.h"

#include "test/support/oracle/fraction.h"
#include "test/support/oracle/rational.h"

#include <string.h>

enum { CORNERS_MAX = 32 };

typedef struct shape {
    int count;
    fraction3 at[CORNERS_MAX];
} shape;

static fraction3 cross(fraction3 a, fraction3 b)
{
    fraction3 out;
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        out.x[i] = fraction_sub(fraction_mul(a.x[j], b.x[k]), fraction_mul(a.x[k], b.x[j]));
    }
    return out;
}

static bool is_zero(fraction3 a)
{
    return fraction_sign(a.x[0]) == 0 && fraction_sign(a.x[1]) == 0 && fraction_sign(a.x[2]) == 0;
}

static bool is_equal(fraction3 a, fraction3 b)
{
    return fraction_compare(a.x[0], b.x[0]) == 0 && fraction_compare(a.x[1], b.x[1]) == 0 &&
           fraction_compare(a.x[2], b.x[2]) == 0;
}

static void add_new(shape *s, fraction3 point)
{
    for (int i = 0; i < s->count; i++) {
        if (is_equal(s->at[i], point)) {
            return;
        }
    }
    s->at[s->count++] = point;
}

/* Keeps what has normal . (x - from) >= 0: Sutherland and Hodgman. */
static void cut(shape *s, fraction3 normal, fraction3 from)
{
    shape out = { .count = 0 };
    fraction height[CORNERS_MAX];
    for (int i = 0; i < s->count; i++) {
        height[i] = fraction3_dot(normal, fraction3_sub(s->at[i], from));
    }
    for (int i = 0; i < s->count; i++) {
        const int j = (i + 1) % s->count;
        if (fraction_sign(height[i]) >= 0) {
            add_new(&out, s->at[i]);
        }
        if (fraction_sign(height[i]) * fraction_sign(height[j]) < 0) {
            const fraction share = fraction_div(height[i], fraction_sub(height[i], height[j]));
            const fraction3 along = fraction3_sub(s->at[j], s->at[i]);
            add_new(&out, fraction3_add(s->at[i], fraction3_mul(along, share)));
        }
    }
    *s = out;
}

static fraction3 turned(fraction3 a)
{
    return fraction3_mul(a, fraction_of(-1));
}

static void cut_to_plane(shape *s, fraction3 normal, fraction3 from)
{
    cut(s, normal, from);
    cut(s, turned(normal), from);
}

static shape corners_of(const sl_triangle_d *triangle)
{
    shape out = { .count = 3 };
    for (int i = 0; i < 3; i++) {
        out.at[i] = fraction3_of_d(triangle->v[i]);
    }
    return out;
}

static fraction3 normal_of(const shape *t)
{
    return cross(fraction3_sub(t->at[1], t->at[0]), fraction3_sub(t->at[2], t->at[0]));
}

static fraction3 inwards(const shape *t, fraction3 normal, int i)
{
    return cross(normal, fraction3_sub(t->at[(i + 1) % 3], t->at[i]));
}

static void cut_to_triangle(shape *s, const shape *t, fraction3 normal)
{
    cut_to_plane(s, normal, t->at[0]);
    for (int i = 0; i < 3; i++) {
        cut(s, inwards(t, normal, i), t->at[i]);
    }
}

/* To the longest side, or the point: across it by three planes, and at its ends. */
static void cut_to_segment(shape *s, const shape *t)
{
    int from = 0, to = 1;
    for (int i = 1; i < 3; i++) {
        const fraction3 side = fraction3_sub(t->at[(i + 1) % 3], t->at[i]);
        const fraction3 longest = fraction3_sub(t->at[to], t->at[from]);
        if (fraction_compare(fraction3_dot(side, side), fraction3_dot(longest, longest)) > 0) {
            from = i;
            to = (i + 1) % 3;
        }
    }
    const fraction3 along = fraction3_sub(t->at[to], t->at[from]);
    for (int axis = 0; axis < 3; axis++) {
        fraction3 unit = { { fraction_of(axis == 0), fraction_of(axis == 1),
                             fraction_of(axis == 2) } };
        cut_to_plane(s, is_zero(along) ? unit : cross(along, unit), t->at[from]);
    }
    cut(s, along, t->at[from]);
    cut(s, turned(along), t->at[to]);
}

/* Takes away what lies between others. */
static void keep_corners(shape *s)
{
    for (int i = 0; i < s->count; i++) {
        bool between = false;
        for (int j = 0; j < s->count; j++) {
            for (int k = 0; k < j; k++) {
                const fraction3 u = fraction3_sub(s->at[j], s->at[i]);
                const fraction3 v = fraction3_sub(s->at[k], s->at[i]);
                between =
                    between || (is_zero(cross(u, v)) && fraction_sign(fraction3_dot(u, v)) < 0);
            }
        }
        if (between) {
            s->count--;
            memmove(&s->at[i], &s->at[i + 1], (size_t)(s->count - i) * sizeof s->at[0]);
            i--;
        }
    }
}

static bool is_strictly_inside(const shape *t, fraction3 normal, fraction3 point)
{
    for (int i = 0; i < 3; i++) {
        const fraction3 from = fraction3_sub(point, t->at[i]);
        if (fraction_sign(fraction3_dot(inwards(t, normal, i), from)) <= 0) {
            return false;
        }
    }
    return true;
}

static sl_relation relation_of(const shape *a, const shape *b, const shape *shared)
{
    const fraction3 n = normal_of(a), m = normal_of(b);
    if (shared->count == 0) {
        return SL_APART;
    }
    if (shared->count > 2) {
        return fraction_sign(fraction3_dot(n, m)) > 0 ? SL_COPLANAR_SAME : SL_COPLANAR_OPPOSITE;
    }
    if (shared->count == 1 || is_zero(cross(n, m))) {
        return SL_TOUCHING;
    }
    const fraction3 middle =
        fraction3_mul(fraction3_add(shared->at[0], shared->at[1]), fraction_of(0.5));
    return is_strictly_inside(a, n, middle) && is_strictly_inside(b, m, middle) ? SL_CROSSING
                                                                                : SL_TOUCHING;
}

/* From which corner on the numbers come first. */
static int first_of(int count, double (*point)[3])
{
    int first = 0;
    for (int i = 1; i < count; i++) {
        double here[18], there[18];
        for (int k = 0; k < 3 * count; k++) {
            here[k] = point[(i + k / 3) % count][k % 3];
            there[k] = point[(first + k / 3) % count][k % 3];
        }
        for (int k = 0; k < 3 * count; k++) {
            if (here[k] != there[k]) {
                first = here[k] < there[k] ? i : first;
                break;
            }
        }
    }
    return first;
}

void triangles_oracle(const sl_triangle_d *a, const sl_triangle_d *b, sl_triangle_contact *out)
{
    const int mark = fraction_mark();
    const shape of_a = corners_of(a), of_b = corners_of(b);
    shape shared = of_a;
    if (!is_zero(normal_of(&of_b))) {
        cut_to_triangle(&shared, &of_b, normal_of(&of_b));
    } else {
        cut_to_segment(&shared, &of_b);
    }
    keep_corners(&shared);
    memset(out, 0, sizeof *out);
    out->relation = relation_of(&of_a, &of_b, &shared);
    out->count = (uint32_t)shared.count;
    double point[CORNERS_MAX][3];
    for (int i = 0; i < 3 * shared.count; i++) {
        const fraction x = shared.at[i / 3].x[i % 3];
        point[i / 3][i % 3] = rational_round_double(mpq_numref(x), mpq_denref(x), 0);
    }
    for (int i = 0, first = first_of(shared.count, point); i < shared.count; i++) {
        memcpy(out->point[i], point[(first + i) % shared.count], sizeof out->point[i]);
    }
    fraction_release(mark);
}
