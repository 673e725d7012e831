/* t, u and v of one triangle that floats have shown to be hit, in doubles, for single rays
 * (single/single.inl).
 *
 * Determinants and error bounds are those of filter/tri8_determinants.inl (Möller and Trumbore
 * 1997); all that is left to decide is to which float each of the three numbers rounds.  Each of
 * the four determinants is a . (b x c), so that one register of four holds them all:
 *   lane                     0      1      2      3
 *   a . (b x c) is that of   1      t      u      v
 *   a                        e1     e2     s      d
 *   b                        d      s      d      s
 *   c                        e2     e1     e2     e1
 * with d the direction, s from vertex 0 to the origin, and e1, e2 the edges from vertex 0. */
#pragma once

#include "bvh/kernel/filter/tri8_determinants.inl"
#include "bvh/kernel/kernel.h"
#include "lib/base/inline.h"

/* Component axis of a in the table above.  Differences are rounded once, a segment's direction
 * among them. */
static SLI_FORCE_INLINE d4 tri1_edges(const sli_kernel_batch *batch, size_t index,
                                      const sli_tri_pack *pack, uint32_t lane, int axis)
{
    const float(*vertex)[SLI_PACK] = pack->axis[axis].vertex;
    const float corner = vertex[0][lane];
    float begin, end, from = 0;
    if (batch->rays != NULL) {
        begin = batch->rays[index].origin[axis];
        end = batch->rays[index].dir[axis];
    } else {
        from = begin = batch->segments[index].p[axis];
        end = batch->segments[index].q[axis];
    }
    return d4_sub(d4_from_f4(f4_from(vertex[1][lane], vertex[2][lane], begin, end)),
                  d4_from_f4(f4_from(corner, corner, corner, from)));
}

/* What is measured: t, u, v and t again; settled: doubles can tell how each of them is rounded. */
typedef struct tri1_hit {
    f4 tuv;
    uint32_t flags;
    bool settled;
} tri1_hit;

static SLI_FORCE_INLINE tri1_hit tri1_measure(const sli_kernel_batch *batch, size_t index,
                                              const sli_tri_pack *pack, uint32_t lane)
{
    d4 a[3], b[3], c[3], sizes[3], cross[3];
    for (int axis = 0; axis < 3; axis++) {
        a[axis] = tri1_edges(batch, index, pack, lane, axis);
        b[axis] = d4_high_turned(a[axis]);
        c[axis] = d4_low_turned(a[axis]);
        sizes[axis] = d4_abs(a[axis]);
    }
    for (int axis = 0; axis < 3; axis++) {
        const int j = (axis + 1) % 3, k = (axis + 2) % 3;
        cross[axis] = d4_nmuladd(b[k], c[j], d4_mul(b[j], c[k]));
    }
    const d4 x = d4_muladd(a[0], cross[0], d4_muladd(a[1], cross[1], d4_mul(a[2], cross[2])));
    const d4 of_a = d4_add(d4_add(sizes[0], sizes[1]), sizes[2]);
    const d4 of_cross =
        d4_mul(d4_high_turned(of_a), d4_mul(d4_low_turned(of_a), d4_splat(TRI_DET_ERROR)));
    const d4 x_error = d4_mul(of_a, of_cross);
    /* Rounded as by tri8_round, if all that the quotient may be is; what is rounded waits for no
     * margin. */
    const d4 det = d4_first(x), det_error = d4_first(x_error);
    const d4 q = d4_div(x, det), size = d4_abs(q);
    const d4 inverse_max = d4_mul(d4_abs(d4_div(d4_splat(1), det)), d4_splat(1 + 0x1p-8));
    const d4 off = d4_muladd(size, det_error, x_error);
    const d4 margin = d4_muladd(off, inverse_max, d4_mul(size, d4_splat(8 * TRI_EPS)));
    const f4 from = d4_to_f4(d4_sub(q, margin)), to = d4_to_f4(d4_add(q, margin));
    const uint32_t steady = d4_bits_gt(d4_abs(x), d4_mul(x_error, d4_splat(1024)));
    return (tri1_hit){
        .tuv = f4_last(f4_add(d4_to_f4(q), f4_splat(0))), /* a zero becomes +0 */
        .flags = (d4_bits_gt(d4_splat(0), x) & 1) != 0 ? SL_HIT_BACK : 0,
        .settled = ((steady & 1) & (uint32_t)((f4_bits_le(to, from) | 1) == 15)) != 0,
    };
}
