/* Where the filters of eight rays count from: each ray's base, a point of its line, or next to it,
 * to which planes and corners are taken before anything is multiplied.  For filter/ray8.inl;
 * docs/notes/filters.md, "The base", derives what is used here.
 *
 * A difference of two floats is rounded once, relative to itself.  So what filters cannot tell
 * depends on how far the tree extends from the base, and not on how far all of it is from the
 * world's origin.  The base is the ray's origin, which is exact, except where the origin is so far
 * outside of the tree's bounds that the extent is mostly the way to them, and where t may be
 * negative: boxes are tested by relative errors, which tells entries from exits only ahead of the
 * base.  Then it is the float point next to where the line enters the bounds, or reaches tmin.
 *
 * Robust slabs by relative errors: Ize, "Robust BVH Ray Traversal" (JCGT 2013). */
#pragma once

#include "bvh/kernel/filter/base.inl"
#include "bvh/kernel/filter/range.h"
#include "bvh/kernel/filter/ray8_input.inl"

/* The smallest normal float: limits in t' go outward by it. */
#define RAY_T_TINY 0x1p-126f

/* A size below this share of the coordinates does not make an origin far: they do not resolve
 * it. */
#define BASE_SIZE_MIN (4 * WALK_U)
/* f + NEXT_FLOAT |f| and f - NEXT_FLOAT |f| round to the floats next to f. */
#define NEXT_FLOAT (WALK_U * (1 + 0x1p-10f))
/* What a point of a line is off by in doubles, in units of G + O: 13 * 2^-53 are needed. */
#define BASE_POINT_ERROR 0x1p-48

/* The bases of eight rays. */
typedef struct ray8_base {
    f8 near[3], far[3]; /* for near and far sides: the line's point is between them */
    f8 corner[3];       /* for corners of triangles: the float nearest to the line's point */
    f8 width;           /* corner is off by no more than this along any axis */
    f8 extent;          /* no corner of a triangle is farther away along any axis */
    f8 t;               /* t' of the line's point; 0: the origin */
    uint32_t moved;     /* lanes whose base is not the origin */
    uint32_t coarse;    /* those of them whose base is off by too much (filter/base.inl) */
} ray8_base;

/* How far the tree extends from a point, along the axis where that is most. */
static f8 ray8_extent(const sl_bvh *tree, const f8 point[3])
{
    f8 extent = f8_splat(WALK_LEAST);
    for (int axis = 0; axis < 3; axis++) {
        const f8 below = f8_sub(point[axis], f8_splat(tree->bounds.min[axis]));
        const f8 above = f8_sub(f8_splat(tree->bounds.max[axis]), point[axis]);
        extent = f8_max(f8_max(below, above), extent);
    }
    return extent;
}

/* From where on a point is far. */
static float ray8_far_from(const sl_bvh *tree)
{
    float size = tree->reach * BASE_SIZE_MIN;
    for (int axis = 0; axis < 3; axis++) {
        const float side = tree->bounds.max[axis] - tree->bounds.min[axis];
        size = side > size ? side : size;
    }
    return size * BASE_FAR;
}

/* The least t' at which lines may be within the bounds, and no less than tmin; rounded down.  An
 * axis along which a ray stands still says nothing. */
static f8 ray8_enter(const sl_bvh *tree, const ray8_input *in, const f8 inverse[3], f8 tmin,
                     f8 reach)
{
    f8 enter = tmin;
    for (int axis = 0; axis < 3; axis++) {
        const f8 side = f8_less(in->dir[axis], f8_splat(0), f8_splat(tree->bounds.max[axis]),
                                f8_splat(tree->bounds.min[axis]));
        const f8 here = f8_mul(f8_sub(side, in->origin[axis]), inverse[axis]);
        const f8 moves = f8_less(f8_abs(inverse[axis]), f8_splat(1 / WALK_TINY), here, tmin);
        enter = f8_max(moves, enter);
    }
    const f8 most = f8_mul(reach, f8_splat(2)); /* no hit is farther: the sum of G and O */
    enter = f8_max(f8_min(enter, most), f8_sub(f8_splat(0), most));
    return f8_nmuladd(f8_abs(enter), f8_splat(8 * WALK_U), enter);
}

/* The floats next to x - off and x + off, at most and at least that. */
static void ray8_bracket(d8 x, d8 off, f8 *below, f8 *above)
{
    const d8 low = d8_sub(x, off), high = d8_add(x, off);
    const f8 tiny = f8_splat(RAY_T_TINY), next = f8_splat(NEXT_FLOAT);
    const f8 from = d8_to_f8(low), to = d8_to_f8(high);
    const f8 lower = f8_sub(from, f8_muladd(f8_abs(from), next, tiny));
    const f8 higher = f8_add(to, f8_muladd(f8_abs(to), next, tiny));
    *below = f8_where(d8_bits_gt(d8_from_f8(from), low), lower, from);
    *above = f8_where(d8_bits_gt(high, d8_from_f8(to)), higher, to);
}

/* Moves the bases of some lanes.  Rare: kept out of the loops. */
static SLI_NOINLINE void ray8_move_base(const sl_bvh *tree, const ray8_input *in,
                                        const f8 inverse[3], f8 shrink, f8 tmin, f8 reach,
                                        ray8_base *base)
{
    const f8 t = ray8_enter(tree, in, inverse, tmin, reach), zero = f8_splat(0);
    const d8 error = d8_mul(d8_from_f8(reach), d8_splat(BASE_POINT_ERROR));
    f8 width = zero;
    for (int axis = 0; axis < 3; axis++) {
        const d8 origin = d8_from_f8(in->origin[axis]);
        const d8 dir =
            in->segments ? d8_sub(d8_from_f8(in->end[axis]), origin) : d8_from_f8(in->dir[axis]);
        const d8 point = d8_muladd(d8_mul(dir, d8_from_f8(shrink)), d8_from_f8(t), origin);
        const uint32_t exact = f8_bits_le(f8_abs(in->dir[axis]), zero);
        f8 below, above;
        ray8_bracket(point, d8_where(exact, d8_splat(0), error), &below, &above);
        const f8 near = f8_less(in->dir[axis], zero, below, above);
        const f8 far = f8_less(in->dir[axis], zero, above, below);
        base->near[axis] = f8_where(base->moved, near, base->near[axis]);
        base->far[axis] = f8_where(base->moved, far, base->far[axis]);
        base->corner[axis] = f8_where(base->moved, d8_to_f8(point), base->corner[axis]);
        width = f8_max(f8_sub(above, below), width);
    }
    base->width = f8_where(base->moved, width, zero);
    base->t = f8_where(base->moved, t, zero);
    base->extent = ray8_extent(tree, base->corner);
    base->coarse = base->moved & ~f8_bits_le(base->width, f8_splat(base_width_max(tree)));
}

/* Moves far bases back along axes whose component of the direction counts as WALK_TINY: by more
 * than a ray comes forward within the extent, but where coordinates are larger than that, only to
 * the next float. */
static void ray8_widen_still(const f8 dir[3], f8 shrink, f8 extent, f8 far[3])
{
    const f8 zero = f8_splat(0), ahead = f8_mul(extent, f8_splat(4 * WALK_TINY));
    for (int axis = 0; axis < 3; axis++) {
        const f8 size = f8_mul(f8_abs(dir[axis]), shrink);
        const f8 back = f8_muladd(f8_abs(far[axis]), f8_splat(NEXT_FLOAT), ahead);
        const f8 moved = f8_add(far[axis], f8_less(dir[axis], zero, back, f8_sub(zero, back)));
        far[axis] = f8_less(size, f8_splat(WALK_TINY), moved, far[axis]);
    }
}

/* shrink: what directions are multiplied by; tmin: in t'; reach: the sum of G and O. */
static void ray8_find_base(const sl_bvh *tree, const ray8_input *in, const f8 inverse[3], f8 shrink,
                           f8 tmin, f8 reach, ray8_base *base)
{
    for (int axis = 0; axis < 3; axis++) {
        base->near[axis] = base->far[axis] = base->corner[axis] = in->origin[axis];
    }
    base->width = base->t = f8_splat(0);
    base->coarse = 0;
    base->extent = ray8_extent(tree, in->origin);
    base->moved = 0xFF & ~(f8_bits_le(f8_splat(-RAY_T_TINY), tmin) &
                           f8_bits_le(base->extent, f8_splat(ray8_far_from(tree))));
    if (base->moved != 0) {
        ray8_move_base(tree, in, inverse, shrink, tmin, reach, base);
    }
    base->extent = f8_mul(f8_add(base->extent, base->width), f8_splat(1 + 8 * WALK_U));
    ray8_widen_still(in->dir, shrink, base->extent, base->far);
}
