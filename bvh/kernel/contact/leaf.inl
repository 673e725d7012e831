/* Triangles of leaves against one another: by their bounds, then by their planes, as in
 * exact/plane_side.h, whose bound holds where sums are fused, too; then, of those that lie across
 * one another's planes, by the order of the ends of their segments there, as in
 * lib/geom/contact/relation.c.  In doubles, four at a time.  For bvh/contact. */
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

/* p x q, and the sizes of the products in it, along an axis. */
static SLI_FORCE_INLINE d4 leaf_cross(const d4 p[3], const d4 q[3], int axis, d4 *size)
{
    const int j = (axis + 1) % 3, k = (axis + 2) % 3;
    const d4 left = d4_mul(p[j], q[k]), right = d4_mul(p[k], q[j]);
    *size = d4_add(d4_abs(left), d4_abs(right));
    return d4_sub(left, right);
}

/* The square is rounded up by more than the normal is off by, which is 2^-50 of its size. */
static SLI_FORCE_INLINE void leaf_planes(const d4_corners *v, sli_leaf4 *out)
{
    d4 p[3], q[3], size, square = d4_splat(0);
    for (int axis = 0; axis < 3; axis++) {
        p[axis] = d4_sub(v->at[1][axis], v->at[0][axis]);
        q[axis] = d4_sub(v->at[2][axis], v->at[0][axis]);
    }
    for (int axis = 0; axis < 3; axis++) {
        const d4 normal = leaf_cross(p, q, axis, &size);
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

/* The sides of three corners of a plane: what they are off by at most, and the margin, is bound.
 * The corners may be those of four triangles, or of one in all lanes. */
typedef struct leaf_sides {
    d4 det[3], bound[3];
} leaf_sides;

static SLI_FORCE_INLINE d4 leaf_side(const leaf_plane *plane, const d4 point[3], d4 *bound)
{
    d4 det = d4_splat(0), permanent = det;
    for (int axis = 0; axis < 3; axis++) {
        const d4 r = d4_sub(point[axis], plane->at[axis]);
        det = d4_muladd(r, plane->normal[axis], det);
        permanent = d4_muladd(d4_abs(r), plane->size[axis], permanent);
    }
    *bound = d4_muladd(d4_splat(16 * LEAF_EPS), permanent, plane->away);
    return det;
}

static SLI_FORCE_INLINE leaf_sides leaf_sides_of(const leaf_plane *plane, const d4_corners *v)
{
    leaf_sides sides;
    for (int corner = 0; corner < 3; corner++) {
        sides.det[corner] = leaf_side(plane, v->at[corner], &sides.bound[corner]);
    }
    return sides;
}

/* Bits of planes that have all three corners on one side, beyond the margin. */
static SLI_FORCE_INLINE uint32_t leaf_beyond(const leaf_sides *sides)
{
    const d4 zero = d4_splat(0), *det = sides->det, *bound = sides->bound;
    const d4 least = d4_min(d4_min(d4_sub(det[0], bound[0]), d4_sub(det[1], bound[1])),
                            d4_sub(det[2], bound[2]));
    const d4 most = d4_max(d4_max(d4_add(det[0], bound[0]), d4_add(det[1], bound[1])),
                           d4_add(det[2], bound[2]));
    return d4_bits_gt(least, zero) | d4_bits_gt(zero, most);
}

/* Bits of planes whose sides are all known: no corner is on them. */
static SLI_FORCE_INLINE uint32_t leaf_known(const leaf_sides *sides)
{
    d4 least = d4_sub(d4_abs(sides->det[0]), sides->bound[0]);
    for (int corner = 1; corner < 3; corner++) {
        least = d4_min(d4_sub(d4_abs(sides->det[corner]), sides->bound[corner]), least);
    }
    return d4_bits_gt(least, d4_splat(0));
}

/* As in lib/geom/contact/relation.c, of triangles with corners on both sides of a plane: the corner
 * that is alone on its side, and the other two, so that what lies between lone and from comes
 * before what lies between lone and to. */
typedef struct leaf_fan {
    d4 lone[3], from[3], to[3], side; /* side: of the lone corner */
} leaf_fan;

static SLI_FORCE_INLINE d4 leaf_choose(const d4 of[2], d4 x, d4 y, d4 z)
{
    const d4 zero = d4_splat(0);
    return d4_less(zero, of[0], x, d4_less(zero, of[1], y, z));
}

/* from is the next corner after the lone one where turned < 0, else the last. */
static SLI_FORCE_INLINE void leaf_fan_turn(leaf_fan *fan, d4 turned)
{
    const d4 zero = d4_splat(0);
    for (int axis = 0; axis < 3; axis++) {
        const d4 next = fan->from[axis], last = fan->to[axis];
        fan->from[axis] = d4_less(turned, zero, next, last);
        fan->to[axis] = d4_less(turned, zero, last, next);
    }
}

static SLI_FORCE_INLINE void leaf_fan_of(const d4_corners *v, const leaf_sides *sides,
                                         leaf_fan *out)
{
    const d4 *det = sides->det;
    const d4 alone[2] = { d4_mul(det[1], det[2]), d4_mul(det[2], det[0]) };
    out->side = leaf_choose(alone, det[0], det[1], det[2]);
    for (int axis = 0; axis < 3; axis++) {
        const d4 x = v->at[0][axis], y = v->at[1][axis], z = v->at[2][axis];
        out->lone[axis] = leaf_choose(alone, x, y, z);
        out->from[axis] = leaf_choose(alone, y, z, x);
        out->to[axis] = leaf_choose(alone, z, x, y);
    }
}

/* The place of b's edge to y minus that of a's edge to x: its sign is known beyond the bound. */
static SLI_FORCE_INLINE d4 leaf_order(const leaf_fan *a, const d4 x[3], const leaf_fan *b,
                                      const d4 y[3], d4 *bound)
{
    leaf_plane plane = { .away = d4_splat(0) };
    d4 p[3], q[3];
    for (int axis = 0; axis < 3; axis++) {
        plane.at[axis] = a->lone[axis];
        p[axis] = d4_sub(x[axis], a->lone[axis]);
        q[axis] = d4_sub(b->lone[axis], a->lone[axis]);
    }
    for (int axis = 0; axis < 3; axis++) {
        plane.normal[axis] = leaf_cross(p, q, axis, &plane.size[axis]);
    }
    return leaf_side(&plane, y, bound);
}

/* Triangles with corners on both sides of the planes of one another, and none on them: bits of
 * those that are surely apart; *crossing: of those that surely cross. */
static SLI_FORCE_INLINE uint32_t leaf_apart(const d4_corners *at_a, const leaf_sides *of_a,
                                            const d4_corners *at_b, const leaf_sides *of_b,
                                            uint32_t *crossing)
{
    const d4 zero = d4_splat(0);
    leaf_fan a, b;
    d4 off_last, off_first;
    leaf_fan_of(at_a, of_a, &a);
    leaf_fan_of(at_b, of_b, &b);
    leaf_fan_turn(&a, b.side);
    leaf_fan_turn(&b, d4_sub(zero, a.side));
    const d4 last = leaf_order(&a, a.to, &b, b.from, &off_last);
    const d4 first = leaf_order(&a, a.from, &b, b.to, &off_first);
    *crossing = d4_bits_gt(d4_sub(zero, off_last), last) & d4_bits_gt(first, off_first);
    return d4_bits_gt(last, off_last) | d4_bits_gt(d4_sub(zero, off_first), first);
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

/* Bits of the triangles of b that may be within the margin of one of a; *crossing: of those that
 * surely cross it. */
static SLI_FORCE_INLINE uint32_t leaf_near_one(const sli_leaf4 *a, uint32_t lane,
                                               const sli_leaf4 *b, double margin,
                                               uint32_t *crossing)
{
    leaf_plane plane_a, plane_b;
    d4_corners at_a, at_b;
    uint32_t near = b->there & ~leaf_beside(a, lane, b, margin);
    *crossing = 0;
    if (near == 0) {
        return 0;
    }
    leaf_one(a, lane, margin, &plane_a, &at_a);
    leaf_all(b, margin, &plane_b, &at_b);
    const leaf_sides of_b = leaf_sides_of(&plane_a, &at_b);
    near &= ~leaf_beyond(&of_b);
    if (near == 0) {
        return 0;
    }
    const leaf_sides of_a = leaf_sides_of(&plane_b, &at_a);
    near &= ~leaf_beyond(&of_a);
    const uint32_t known = near & leaf_known(&of_a) & leaf_known(&of_b);
    if (known != 0 && !(margin > 0)) {
        near &= ~(known & leaf_apart(&at_a, &of_a, &at_b, &of_b, crossing));
        *crossing &= known;
    }
    return near;
}

/* Bit 4 i + j: the triangles in lane i of a, of those given, and in lane j of b may be within the
 * margin; bit 16 + 4 i + j: they surely cross, which is looked at where there is no margin. */
static uint32_t leaf_near(const sli_leaf4 *a, uint32_t lanes, const sli_leaf4 *b, double margin)
{
    uint32_t all = 0;
    for (; lanes != 0; lanes &= lanes - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(lanes);
        uint32_t crossing;
        const uint32_t near = leaf_near_one(a, lane, b, margin, &crossing);
        all |= (near | crossing << SLI_PACK * SLI_PACK) << SLI_PACK * lane;
    }
    return all;
}
