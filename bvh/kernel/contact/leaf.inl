/* Triangles of leaves against one another: by their bounds, then by their planes, as in
 * exact/plane_side.h; in doubles, four at a time.  For bvh/contact. */
#pragma once

#include "bvh/kernel/contact/leaf.h"
#include "bvh/kernel/nearest/leaf.inl"

#define LEAF_EPS 0x1p-53

static SLI_FORCE_INLINE void leaf_bounds(const d4_corners *v, sli_leaf4 *out)
{
    for (int axis = 0; axis < 3; axis++) {
        const d4 x = v->at[0][axis], y = v->at[1][axis], z = v->at[2][axis];
        d4_store(out->low[axis], d4_min(d4_min(x, y), z));
        d4_store(out->high[axis], d4_max(d4_max(x, y), z));
    }
}

/* The square is rounded up by more than the normal is off by, which is 2^-50 of its size. */
static SLI_FORCE_INLINE void leaf_planes(const d4_corners *v, sli_leaf4 *out)
{
    d4 p[3], q[3], square = d4_splat(0);
    for (int axis = 0; axis < 3; axis++) {
        p[axis] = d4_sub(v->at[1][axis], v->at[0][axis]);
        q[axis] = d4_sub(v->at[2][axis], v->at[0][axis]);
    }
    for (int axis = 0; axis < 3; axis++) {
        const int j = (axis + 1) % 3, k = (axis + 2) % 3;
        const d4 left = d4_mul(p[j], q[k]), right = d4_mul(p[k], q[j]);
        const d4 normal = d4_sub(left, right), size = d4_add(d4_abs(left), d4_abs(right));
        const d4 n = d4_muladd(d4_splat(4 * LEAF_EPS), size, d4_abs(normal));
        d4_store(out->normal[axis], normal);
        d4_store(out->size[axis], size);
        square = d4_muladd(n, n, square);
    }
    d4_store(out->square, d4_mul(square, d4_splat(1 + 0x1p-40)));
}

/* The lanes that the options leave in, of those that are used. */
static SLI_FORCE_INLINE uint32_t leaf_there(const sli_tri_pack *pack, uint32_t instance,
                                            const sl_item_options *options)
{
    uint32_t there = f4_bits_ne(pack->prim, SL_NONE);
    if (options->mask == 0 && options->skip_count == 0) {
        return there;
    }
    for (uint32_t left = there; left != 0; left &= left - 1) {
        const int lane = __builtin_ctz(left);
        const sl_triangle_ref triangle = { instance, pack->prim[lane] };
        there &= sli_item_has(options, triangle, pack->mask[lane]) ? UINT32_MAX : ~(1u << lane);
    }
    return there;
}

static void leaf_unpack(const sli_transformed *transformed, uint32_t instance,
                        const sl_item_options *options, uint32_t ref, sli_leaf4 *out)
{
    sli_tri_pack buffer;
    d4_corners at, turned;
    const sli_tri_pack *pack = sli_tree_pack(transformed->tree, ref, &buffer);
    out->tree = transformed->tree;
    out->ref = ref;
    out->there = leaf_there(pack, instance, options);
    out->split = f4_bits_ne(pack->before, 0) & out->there;
    memcpy(out->prim, pack->prim, sizeof out->prim);
    for (int i = 0; i < 9; i++) {
        at.at[i / 3][i % 3] = d4_load(pack->axis[i % 3].vertex[i / 3]);
    }
    nearest_to_world(transformed, &at);
    for (int i = 0; i < 9; i++) {
        const int corner = transformed->mirrored && i >= 3 ? 3 - i / 3 : i / 3;
        turned.at[corner][i % 3] = at.at[i / 3][i % 3];
        d4_store(out->v[corner][i % 3], at.at[i / 3][i % 3]);
    }
    leaf_bounds(&turned, out);
    leaf_planes(&turned, out);
}

/* Bits of triangles whose bounds do not come within the margin of those of a triangle of a. */
static SLI_FORCE_INLINE uint32_t leaf_beside(const sli_leaf4 *a, uint32_t lane, const sli_leaf4 *b,
                                             double margin)
{
    d4 farthest = d4_splat(0);
    for (int axis = 0; axis < 3; axis++) {
        const double x = a->low[axis][lane], y = a->high[axis][lane];
        const double room = margin > 0 ? margin + 4 * LEAF_EPS * (fabs(x) + fabs(y) + margin) : 0;
        const d4 above = d4_sub(d4_splat(x - room), d4_doubles(b->high[axis]));
        const d4 below = d4_sub(d4_doubles(b->low[axis]), d4_splat(y + room));
        farthest = d4_max(d4_max(above, below), farthest);
    }
    return d4_bits_gt(farthest, d4_splat(0));
}

/* Four planes, or one in all lanes; away: the margin as their sides are measured. */
typedef struct leaf_plane {
    d4 at[3], normal[3], size[3], away;
} leaf_plane;

/* Bits of planes that have all three corners on one side, beyond the margin: the corners may be
 * those of four triangles, or of one in all lanes. */
static SLI_FORCE_INLINE uint32_t leaf_beyond(const leaf_plane *plane, const d4_corners *v)
{
    const d4 zero = d4_splat(0);
    d4 front[3], back[3];
    for (int corner = 0; corner < 3; corner++) {
        d4 det = zero, bound = zero;
        for (int axis = 0; axis < 3; axis++) {
            const d4 r = d4_sub(v->at[corner][axis], plane->at[axis]);
            det = d4_muladd(r, plane->normal[axis], det);
            bound = d4_muladd(d4_abs(r), plane->size[axis], bound);
        }
        bound = d4_muladd(d4_splat(16 * LEAF_EPS), bound, plane->away);
        front[corner] = d4_sub(det, bound);
        back[corner] = d4_add(det, bound);
    }
    const d4 least = d4_min(d4_min(front[0], front[1]), front[2]);
    const d4 most = d4_max(d4_max(back[0], back[1]), back[2]);
    return d4_bits_gt(least, zero) | d4_bits_gt(zero, most);
}

static SLI_FORCE_INLINE d4 leaf_away(d4 square, double margin)
{
    return margin > 0 ? d4_mul(d4_sqrt(square), d4_splat(margin * (1 + 0x1p-40))) : d4_splat(0);
}

/* The planes of all lanes, and their corners. */
static SLI_FORCE_INLINE void leaf_all(const sli_leaf4 *leaf, double margin, leaf_plane *plane,
                                      d4_corners *v)
{
    for (int i = 0; i < 9; i++) {
        v->at[i / 3][i % 3] = d4_doubles(leaf->v[i / 3][i % 3]);
    }
    for (int axis = 0; axis < 3; axis++) {
        plane->at[axis] = v->at[0][axis];
        plane->normal[axis] = d4_doubles(leaf->normal[axis]);
        plane->size[axis] = d4_doubles(leaf->size[axis]);
    }
    plane->away = leaf_away(d4_doubles(leaf->square), margin);
}

/* Those of one lane, in all. */
static SLI_FORCE_INLINE void leaf_one(const sli_leaf4 *leaf, uint32_t lane, double margin,
                                      leaf_plane *plane, d4_corners *v)
{
    for (int i = 0; i < 9; i++) {
        v->at[i / 3][i % 3] = d4_splat(leaf->v[i / 3][i % 3][lane]);
    }
    for (int axis = 0; axis < 3; axis++) {
        plane->at[axis] = v->at[0][axis];
        plane->normal[axis] = d4_splat(leaf->normal[axis][lane]);
        plane->size[axis] = d4_splat(leaf->size[axis][lane]);
    }
    plane->away = leaf_away(d4_splat(leaf->square[lane]), margin);
}

/* Bit 4 i + j: the triangles in lane i of a, of those given, and in lane j of b may be within the
 * margin: neither a plane of an axis nor that of a triangle has more than that between them. */
static uint32_t leaf_near(const sli_leaf4 *a, uint32_t lanes, const sli_leaf4 *b, double margin)
{
    uint32_t all = 0;
    for (; lanes != 0; lanes &= lanes - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(lanes);
        uint32_t near = b->there & ~leaf_beside(a, lane, b, margin);
        if (near != 0) {
            leaf_plane of_a, of_b;
            d4_corners at_a, at_b;
            leaf_one(a, lane, margin, &of_a, &at_a);
            leaf_all(b, margin, &of_b, &at_b);
            near &= ~leaf_beyond(&of_a, &at_b);
            near &= near != 0 ? ~leaf_beyond(&of_b, &at_a) : 0;
        }
        all |= near << SLI_PACK * lane;
    }
    return all;
}
