/* Spheres and capsules that move against an axis-aligned box: from each corner, whose bits say on
 * which sides it is, edges lead to the three that differ in one bit. */
#include "lib/geom/sweep/round.h"

static void piece_of_aabb(const sli_round *round, int dim, int index, sli_cell *out)
{
    const double(*corner)[3] = round->corner;
    const int one = dim == 2 ? index / 2 : index / 4; /* the axis that is not like the others */
    int sides = index, spans = 0, at = 0, is_free[3];
    for (int i = 0; i < 3; i++) {
        is_free[i] = dim == 2 ? i != one : dim == 1 && i == one;
        at |= is_free[i] ? 0 : (sides & 1) << i;
        sides >>= !is_free[i];
    }
    out->base = corner[at];
    for (int i = 0; i < 3; i++) {
        const sli_way edge = { corner[at], corner[at ^ 1 << i] };
        if (is_free[i]) {
            out->span[spans++] = edge;
        } else if (corner[0][i] < corner[7][i]) {
            out->cone[out->cone_count++] = edge;
        }
    }
}

bool sli_round_aabb(const sli_round *mover, const sl_aabb_d *box, sl_contact *out)
{
    const double far = 0x1p131; /* beyond all that can be reached */
    double corners[8][3];
    for (int i = 0; i < 24; i++) {
        const int axis = i % 3;
        const double x = (i / 3 >> axis & 1) != 0 ? box->max[axis] : box->min[axis];
        corners[i / 3][axis] = fmax(fmin(x, far), -far);
    }
    sli_round round = *mover;
    round.corner = (const double(*)[3])corners;
    round.corner_count = round.piece_count[0] = 8;
    round.piece_count[1] = 12;
    round.piece_count[2] = 6;
    round.piece = piece_of_aabb;
    round.is_triangle = false;
    return sli_round_sweep(&round, 1, out);
}
