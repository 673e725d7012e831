/* A point against the triangles of a leaf: how near each may be.  Conservative. */

#define NEAR_DOWN (1 - 8 * WALK_U)
#define NEAR_TINY 0x1p-90f /* squares of directions below this have lost bits to underflow */

/* One vector in every lane. */
typedef struct v4 {
    f4 x, y, z;
} v4;

static v4 v4_sub(v4 a, v4 b)
{
    return (v4){ f4_sub(a.x, b.x), f4_sub(a.y, b.y), f4_sub(a.z, b.z) };
}

static f4 v4_dot(v4 a, v4 b)
{
    return f4_add(f4_add(f4_mul(a.x, b.x), f4_mul(a.y, b.y)), f4_mul(a.z, b.z));
}

static v4 v4_cross(v4 a, v4 b)
{
    return (v4){ f4_sub(f4_mul(a.y, b.z), f4_mul(a.z, b.y)),
                 f4_sub(f4_mul(a.z, b.x), f4_mul(a.x, b.z)),
                 f4_sub(f4_mul(a.x, b.y), f4_mul(a.y, b.x)) };
}

static v4 v4_less(f4 a, f4 b, v4 x, v4 y)
{
    return (v4){ f4_less(a, b, x.x, y.x), f4_less(a, b, x.y, y.y), f4_less(a, b, x.z, y.z) };
}

/* The point of the side from a along side that is nearest to the origin, roughly. */
static v4 near_side(v4 a, v4 side)
{
    const f4 zero = f4_splat(0);
    f4 t = f4_div(f4_sub(zero, v4_dot(side, a)), v4_dot(side, side));
    t = f4_min(f4_max(t, zero), f4_splat(1)); /* a NaN, from a side without length, is 0 */
    return (v4){ f4_add(a.x, f4_mul(t, side.x)), f4_add(a.y, f4_mul(t, side.y)),
                 f4_add(a.z, f4_mul(t, side.z)) };
}

/* How far the origin lies within the side from a, in no particular unit. */
static f4 within_side(v4 a, v4 side, v4 normal)
{
    return v4_dot(v4_cross(side, normal), a);
}

/* The nearest point of each triangle to the origin, roughly: of the three sides, or of the plane
 * where the origin is within all three.  Nothing depends on how well this is done but speed. */
static v4 near_guess(v4 a, v4 b, v4 c)
{
    const v4 ab = v4_sub(b, a), bc = v4_sub(c, b), ca = v4_sub(a, c);
    const v4 on_ab = near_side(a, ab), on_bc = near_side(b, bc), on_ca = near_side(c, ca);
    const f4 ab2 = v4_dot(on_ab, on_ab), bc2 = v4_dot(on_bc, on_bc), ca2 = v4_dot(on_ca, on_ca);
    const v4 on_two = v4_less(ab2, bc2, on_ab, on_bc);
    const v4 on_side = v4_less(f4_min(ab2, bc2), ca2, on_two, on_ca);
    const v4 normal = v4_cross(ab, bc);
    const f4 within = f4_min(f4_min(within_side(a, ab, normal), within_side(b, bc, normal)),
                             within_side(c, ca, normal));
    const f4 height = f4_div(v4_dot(normal, a), v4_dot(normal, normal));
    const v4 in_plane = { f4_mul(height, normal.x), f4_mul(height, normal.y),
                          f4_mul(height, normal.z) };
    return v4_less(f4_splat(0), within, in_plane, on_side);
}

static v4 corner_from(const sli_tri_pack *pack, int corner, const float at[3])
{
    return (v4){ f4_sub(f4_load(pack->axis[0].vertex[corner]), f4_splat(at[0])),
                 f4_sub(f4_load(pack->axis[1].vertex[corner]), f4_splat(at[1])),
                 f4_sub(f4_load(pack->axis[2].vertex[corner]), f4_splat(at[2])) };
}

static f4 v4_size(v4 a)
{
    return f4_add(f4_add(f4_abs(a.x), f4_abs(a.y)), f4_abs(a.z));
}

/* Lower bounds on the squared distances of four triangles from a point.
 *
 * A triangle lies on the far side of any plane that its corners w lie beyond: for every direction r
 * the distance is at least min w . r / |r|.  With m = max |x| + |y| + |z| of the corners, the
 * computed dot products are off by less than 8u m |r| (a rounding in each w, three products, two sums;
 * |w| <= m), and the division by |r|^2 of the square by less than 8u of itself.  A direction that
 * is zero or not finite bounds nothing: 0. */
static void bound_triangles(const float at[3], const sli_tri_pack *pack, float near2[SLI_PACK])
{
    const v4 a = corner_from(pack, 0, at), b = corner_from(pack, 1, at),
             c = corner_from(pack, 2, at);
    const v4 r = near_guess(a, b, c);
    const f4 least = f4_min(f4_min(v4_dot(a, r), v4_dot(b, r)), v4_dot(c, r));
    const f4 most = f4_max(f4_max(v4_size(a), v4_size(b)), v4_size(c));
    const f4 r2 = v4_dot(r, r), zero = f4_splat(0);
    const f4 sure = f4_sub(least, f4_mul(f4_splat(8 * WALK_U), f4_mul(most, v4_size(r))));
    const f4 bound = f4_mul(f4_div(f4_mul(sure, sure), r2), f4_splat(NEAR_DOWN));
    const f4 positive = f4_less(zero, sure, bound, zero);
    const f4 normal = f4_less(f4_splat(NEAR_TINY), r2, positive, zero);
    f4_store(near2, f4_less(normal, f4_splat(INFINITY), normal, zero));
}
