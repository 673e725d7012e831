/* Rays along an axis, which in buildings meet edges and vertices all the time.
 *
 * Seen along the ray the weights are areas in the plane across it: with s, e1, e2 as in ring_determine,
 * and the sides f1, f2 from the ray to vertices 1 and 2, those of vertices 1, 2 and 0 are s x e2,
 * e1 x s and f1 x f2, over e1 x e2.  Each is two products of differences; where no difference is rounded
 * and each fits into a float, no product is rounded either, and the signs are exact, 0 too. */

typedef struct ring_plane {
    d8 x, y;
} ring_plane;

static uint32_t d8_bits_same(d8 a, d8 b)
{
    return 0xFF & ~(d8_bits_gt(a, b) | d8_bits_gt(b, a));
}

/* a - b; clears the lanes where it was rounded, or is longer than a float. */
static d8 short_difference(d8 a, d8 b, uint32_t *exact)
{
    const d8 difference = d8_sub(a, b);
    *exact &= d8_bits_same(d8_add(difference, b), a) & d8_bits_same(d8_sub(a, difference), b) &
              d8_bits_same(d8_from_f8(d8_to_f8(difference)), difference);
    return difference;
}

static ring_plane plane_from(const d8 a[3], const d8 b[3], int j, int k, uint32_t *exact)
{
    return (ring_plane){ short_difference(a[j], b[j], exact),
                         short_difference(a[k], b[k], exact) };
}

static d8 plane_cross(ring_plane a, ring_plane b)
{
    return d8_nmuladd(a.y, b.x, d8_mul(a.x, b.y));
}

/* Decides lanes whose rays run along an axis, as far as their numbers are short. */
static void ring_along(const ring_question *ask, int axis, uint32_t lanes, ring_dets *m,
                       ring_eight *e)
{
    const int j = (axis + 1) % 3, k = (axis + 2) % 3;
    const d8 zero = d8_splat(0);
    const ring_plane s = plane_from(ask->origin, ask->corner[0], j, k, &lanes);
    const ring_plane e1 = plane_from(ask->corner[1], ask->corner[0], j, k, &lanes);
    const ring_plane e2 = plane_from(ask->corner[2], ask->corner[0], j, k, &lanes);
    const ring_plane f1 = plane_from(ask->corner[1], ask->origin, j, k, &lanes);
    const ring_plane f2 = plane_from(ask->corner[2], ask->origin, j, k, &lanes);
    const d8 u = plane_cross(s, e2), v = plane_cross(e1, s), w = plane_cross(f1, f2);
    const d8 whole = plane_cross(e1, e2);
    const uint32_t below = d8_bits_gt(zero, u) | d8_bits_gt(zero, v) | d8_bits_gt(zero, w);
    const uint32_t above = d8_bits_gt(u, zero) | d8_bits_gt(v, zero) | d8_bits_gt(w, zero);
    const uint32_t u_zero = d8_bits_same(u, zero), v_zero = d8_bits_same(v, zero),
                   w_zero = d8_bits_same(w, zero);
    const uint32_t hit = lanes & (below ^ above); /* neither: no area; both: outside */
    const d8 scale = d8_sub(zero, ask->dir[axis]), error = d8_splat(4 * RING_EPS);
    m->u = d8_where(lanes, d8_mul(u, scale), m->u);
    m->v = d8_where(lanes, d8_mul(v, scale), m->v);
    m->whole = d8_where(lanes, d8_mul(whole, scale), m->whole);
    m->u_error = d8_where(lanes, d8_mul(d8_abs(m->u), error), m->u_error);
    m->v_error = d8_where(lanes, d8_mul(d8_abs(m->v), error), m->v_error);
    m->whole_error = d8_where(lanes, d8_mul(d8_abs(m->whole), error), m->whole_error);
    e->unsure &= ~lanes;
    e->hit = (e->hit & ~lanes) | hit;
    e->back = (e->back & ~lanes) | (lanes & d8_bits_gt(zero, m->whole));
    e->edge |= hit & (u_zero | v_zero | w_zero);
    e->vertex |= hit & ((u_zero & v_zero) | (v_zero & w_zero) | (w_zero & u_zero));
}

/* Of the lanes that are unsure, those whose rays run along an axis. */
static __attribute__((noinline)) void ring_along_axes(const ring_question *ask, ring_dets *m,
                                                      ring_eight *e)
{
    uint32_t zero[3];
    for (int axis = 0; axis < 3; axis++) {
        zero[axis] = d8_bits_same(ask->dir[axis], d8_splat(0));
    }
    for (int axis = 0; axis < 3; axis++) {
        const uint32_t lanes = e->unsure & zero[(axis + 1) % 3] & zero[(axis + 2) % 3];
        if (lanes != 0) {
            ring_along(ask, axis, lanes, m, e);
        }
    }
}
