/* Spheres and capsules that move against a box of any orientation, whose corners are sums that
 * doubles do not hold: centre + sum of +-half[i] axis[i].  Its faces, edges and vertices are sets
 * of axes that are free; along the others it ends at one side or the other. */
#include "lib/geom/sweep/round.h"

static void piece_of_box(const sli_round *round, int dim, int index, sli_cell *out)
{
    static const double zero[3] = { 0, 0, 0 };
    const sl_obb_d *box = round->box;
    const int one = dim == 2 ? index / 2 : index / 4; /* the axis that is not like the others */
    int sides = index, spans = 0;
    out->base = box->centre;
    for (int i = 0; i < 3; i++) {
        const bool is_free = dim == 2 ? i != one : dim == 1 && i == one;
        const int side = is_free || (sides & 1) == 0 ? -1 : 1;
        out->shift[out->shift_count++] = (sli_shift){ side * box->half[i], box->axis[i] };
        if (is_free) {
            out->limit[spans] = 2 * box->half[i];
            out->span[spans++] = (sli_way){ zero, box->axis[i] };
            continue;
        }
        sides >>= 1;
        if (box->half[i] > 0) { /* from there inwards */
            out->cone[out->cone_count++] =
                side > 0 ? (sli_way){ box->axis[i], zero } : (sli_way){ zero, box->axis[i] };
        }
    }
}

bool sli_round_obb(const sli_round *mover, const sl_obb_d *box, sl_contact *out)
{
    sli_round round = *mover;
    round.box = box;
    round.corner_count = 0;
    round.piece_count[0] = 8;
    round.piece_count[1] = 12;
    round.piece_count[2] = 6;
    round.piece = piece_of_box;
    round.is_triangle = false;
    return sli_round_sweep(&round, 1, out);
}
