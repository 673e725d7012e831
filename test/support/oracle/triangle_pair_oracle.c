#include "test/support/oracle/triangle_pair_oracle.h"

#include "test/support/oracle/gap_oracle.h"

static sl_triangle_d wide(const sl_triangle *triangle)
{
    sl_triangle_d out;
    for (int i = 0; i < 9; i++) {
        out.v[i / 3][i % 3] = (double)triangle->v[i / 3][i % 3];
    }
    return out;
}

/* Each coordinate is between those of p and q, and in proportion. */
static bool on_segment(fraction3 x, fraction3 p, fraction3 q)
{
    const fraction3 from = fraction3_sub(x, p), to = fraction3_sub(x, q),
                    side = fraction3_sub(q, p);
    for (int axis = 0; axis < 3; axis++) {
        const int k = (axis + 1) % 3;
        if (fraction_sign(from.x[axis]) * fraction_sign(to.x[axis]) > 0 ||
            fraction_compare(fraction_mul(from.x[axis], side.x[k]),
                             fraction_mul(from.x[k], side.x[axis])) != 0) {
            return false;
        }
    }
    return true;
}

static bool within_shared(fraction3 x, const fraction3 *shared, int count)
{
    for (int i = 0; i < count; i++) {
        for (int j = i; j < count; j++) {
            if (on_segment(x, shared[i], shared[j])) {
                return true;
            }
        }
    }
    return false;
}

static bool is_corner(const sl_triangle *t, int count, const float x[3])
{
    bool found = false;
    for (int i = 0; i < count; i++) {
        found = found || (t->v[i][0] == x[0] && t->v[i][1] == x[1] && t->v[i][2] == x[2]);
    }
    return found;
}

bool oracle_meet_elsewhere(const sl_triangle *a, const sl_triangle *b)
{
    const int mark = fraction_mark();
    const sl_triangle_d of_a = wide(a), of_b = wide(b);
    const fraction3 none = fraction3_of((const float[3]){ 0 });
    fraction3 shared[3], point;
    int count = 0;
    bool meet = false;
    for (int i = 0; i < 3; i++) {
        if (is_corner(b, 3, a->v[i]) && !is_corner(a, i, a->v[i])) {
            shared[count++] = fraction3_of(a->v[i]);
        }
    }
    for (int bits = 1; bits < 64 && count < 3 && !meet; bits++) {
        meet = gap_oracle_basic(&of_a, &of_b, none, bits, &point) &&
               !within_shared(point, shared, count);
    }
    fraction_release(mark);
    return meet;
}
