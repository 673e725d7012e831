/* A ball at two leaves: from when on it may come to each of eight triangles, and until when it
 * surely has; in floats.  For the first contact and any.
 *
 * The first contact is the earliest of those with the face, the edges and the vertices, each of
 * which is the root of a quadratic: of the motion across an edge, of all of it.  That is solved
 * roughly, from where the ball comes to a leaf on, and only says where to look: at the triangle's
 * point that is met first, and along the way w there from the middle.  What w says of the corners
 * (space.inl) bounds from below; from above, that the point is within inner of the middle soon
 * after.  Of a ball that passes by, w leads from where it is nearest.
 * Source   Ericson, Real-Time Collision Detection (2005), 5.5.6, for the roots. */
#pragma once

#include "bvh/kernel/sweep/leaf.inl"

enum { SWEEP_PAIR = 2 * SLI_PACK };

/* Seen from where the ball's middle is when it comes to their leaves. */
typedef struct sweep_ball {
    v8 dir, corner[3], side[3]; /* side i from corner i to the next */
    f8 square, per_square;      /* of dir, and 1 / that */
    f8 radius;
    f8 along[3], c[3]; /* corner . dir, and corner . corner - radius^2 */
    f8 key, t;         /* the earliest so far: misses have large keys */
    f8 weight[2];      /* of corners 1 and 2 */
} sweep_ball;

static SLI_FORCE_INLINE v8 v8_splat(const float x[3])
{
    return (v8){ f8_splat(x[0]), f8_splat(x[1]), f8_splat(x[2]) };
}

static SLI_FORCE_INLINE v8 v8_nmuladd(f8 s, v8 a, v8 b)
{
    return (v8){ f8_nmuladd(s, a.x, b.x), f8_nmuladd(s, a.y, b.y), f8_nmuladd(s, a.z, b.z) };
}

static SLI_FORCE_INLINE v8 v8_cross(v8 a, v8 b)
{
    return (v8){ f8_nmuladd(a.z, b.y, f8_mul(a.y, b.z)), f8_nmuladd(a.x, b.z, f8_mul(a.z, b.x)),
                 f8_nmuladd(a.y, b.x, f8_mul(a.x, b.y)) };
}

/* A NaN is never taken. */
static SLI_FORCE_INLINE void sweep_ball_take(sweep_ball *b, f8 key, f8 t, f8 w1, f8 w2)
{
    b->t = f8_less(key, b->key, t, b->t);
    b->weight[0] = f8_less(key, b->key, w1, b->weight[0]);
    b->weight[1] = f8_less(key, b->key, w2, b->weight[1]);
    b->key = f8_min(key, b->key);
}

/* The smaller root of a t^2 - 2 b t + c, or, without one, the middle, with a key that says by how
 * much it misses. */
static SLI_FORCE_INLINE f8 sweep_ball_root(f8 a, f8 per_a, f8 b, f8 c, f8 *key)
{
    const f8 far = f8_splat(0x1p40f), zero = f8_splat(0);
    const f8 square = f8_nmuladd(a, c, f8_mul(b, b));
    const f8 root = f8_sqrt(f8_max(square, zero));
    const f8 t = f8_mul(f8_sub(b, root), per_a);
    *key = f8_muladd(f8_mul(f8_max(f8_sub(zero, square), zero), per_a), far, t);
    return t;
}

static SLI_FORCE_INLINE void sweep_ball_vertex(sweep_ball *b, int i)
{
    const f8 one = f8_splat(1), zero = f8_splat(0);
    f8 key;
    const f8 t = sweep_ball_root(b->square, b->per_square, b->along[i], b->c[i], &key);
    sweep_ball_take(b, key, t, i == 1 ? one : zero, i == 2 ? one : zero);
}

/* The side from corner i, by the motion across it. */
static SLI_FORCE_INLINE void sweep_ball_edge(sweep_ball *b, int i)
{
    const f8 one = f8_splat(1), zero = f8_splat(0), never = f8_splat(INFINITY);
    const v8 e = b->side[i];
    const f8 along_m = v8_dot(e, b->corner[i]), along_d = v8_dot(e, b->dir);
    const f8 per_e = f8_div(one, v8_dot(e, e)), m = f8_mul(along_m, per_e);
    const f8 d = f8_mul(along_d, per_e), a = f8_nmuladd(along_d, d, b->square);
    f8 key;
    const f8 t = sweep_ball_root(a, f8_div(one, a), f8_nmuladd(along_m, d, b->along[i]),
                                 f8_nmuladd(along_m, m, b->c[i]), &key);
    const f8 at = f8_sub(f8_mul(t, d), m), back = f8_sub(one, at);
    key = f8_less(f8_min(at, back), zero, never, key);
    sweep_ball_take(b, key, t,
                    i == 0   ? at
                    : i == 1 ? back
                             : zero,
                    i == 0   ? zero
                    : i == 1 ? at
                             : back);
}

/* The face, where the ball comes to its plane. */
static SLI_FORCE_INLINE void sweep_ball_face(sweep_ball *b)
{
    const f8 one = f8_splat(1), zero = f8_splat(0), never = f8_splat(INFINITY);
    const v8 n = v8_cross(b->side[0], b->side[1]);
    const f8 square = v8_dot(n, n), per_square = f8_div(one, square);
    const f8 height = v8_dot(n, b->corner[0]), speed = v8_dot(n, b->dir);
    const f8 t = f8_div(f8_nmuladd(b->radius, f8_sqrt(square), f8_abs(height)), f8_abs(speed));
    const v8 y = v8_nmuladd(t, b->dir, b->corner[0]);
    const f8 w1 = f8_mul(v8_dot(v8_cross(b->side[2], n), y), per_square);
    const f8 w2 = f8_mul(v8_dot(v8_cross(b->side[0], n), y), per_square);
    const f8 inside = f8_min(f8_min(w1, w2), f8_sub(f8_sub(one, w1), w2));
    const f8 key = f8_less(inside, zero, never, f8_less(zero, f8_mul(height, speed), t, never));
    sweep_ball_take(b, key, t, w1, w2);
}

static SLI_FORCE_INLINE void sweep_ball_solve(const sweep_space *s, const v8 corner[3],
                                              sweep_ball *b)
{
    b->dir = v8_splat(s->dir);
    b->square = v8_dot(b->dir, b->dir);
    b->per_square = f8_div(f8_splat(1), b->square);
    b->radius = f8_splat(s->radius);
    b->key = f8_splat(INFINITY);
    b->t = b->weight[0] = b->weight[1] = f8_splat(0);
    for (int i = 0; i < 3; i++) {
        b->corner[i] = corner[i];
        b->side[i] = v8_sub(corner[(i + 1) % 3], corner[i]);
        b->along[i] = v8_dot(corner[i], b->dir);
        b->c[i] = f8_nmuladd(b->radius, b->radius, v8_dot(corner[i], corner[i]));
    }
    for (int i = 0; i < 3; i++) {
        sweep_ball_vertex(b, i);
    }
    for (int i = 0; i < 3; i++) {
        sweep_ball_edge(b, i);
    }
    sweep_ball_face(b);
}

/* What the way w says of corners. */
static SLI_FORCE_INLINE sweep_gap sweep_ball_gap(const sweep_space *s, const v8 corner[3], v8 w,
                                                 f8 length)
{
    const f8 g = f8_min(f8_min(v8_dot(corner[0], w), v8_dot(corner[1], w)), v8_dot(corner[2], w));
    return sweep_gap_of(s, w, f8_nmuladd(f8_splat(s->radius), length, g));
}

/* Lanes that may be met before the bound, by the way to each triangle's nearest point there. */
static SLI_FORCE_INLINE uint32_t sweep_ball_back(const sweep_space *s, const v8 x[3], float bound)
{
    const v8 dir = v8_splat(s->dir);
    v8 corner[3];
    for (int i = 0; i < 3; i++) {
        corner[i] = v8_nmuladd(f8_splat(bound), dir, x[i]);
    }
    const v8 way = nearest_estimate(corner[0], corner[1], corner[2]);
    const sweep_gap m = sweep_ball_gap(s, corner, way, f8_sqrt(v8_dot(way, way)));
    return ~sweep_apart_before(&m);
}

/* Lanes that surely overlap at t = 0, of those whose leaf the ball is at there; *from: what the way
 * to the nearest point says of them. */
static SLI_FORCE_INLINE uint32_t sweep_ball_starts(const sweep_space *s, const v8 corner[3], f8 t,
                                                   f8 *from)
{
    const uint32_t at_start = f8_bits_le(t, f8_splat(s->first));
    *from = t;
    if (at_start == 0) {
        return 0;
    }
    const v8 way = nearest_estimate(corner[0], corner[1], corner[2]);
    const f8 length = f8_sqrt(v8_dot(way, way));
    const sweep_gap m = sweep_ball_gap(s, corner, way, length);
    *from = sweep_advance(&m, t);
    return at_start & f8_bits_le(length, f8_splat(s->inner));
}

/* Measures triangles that are met at most from the t'' in e->near on.  found: the bound is
 * that of a contact.  Not inlined, so that this is off the stack where contacts are decided. */
static SLI_NOINLINE void sweep_ball_measure(const sweep_space *s, float bound, bool found,
                                            const sli_tri_pack *const pack[2], sweep_entries *e)
{
    const float *const at[2] = { s->at, s->at };
    const f8 near = f8_load(e->near), inner = f8_splat(s->inner), zero = f8_splat(0);
    v8 corner[3];
    for (int i = 0; i < 3; i++) {
        corner[i] = corner_from(pack, at, i);
    }
    if (found) {
        e->met &= sweep_ball_back(s, corner, bound);
        if (e->met == 0) {
            return;
        }
    }
    sweep_ball b;
    for (int i = 0; i < 3; i++) {
        corner[i] = v8_nmuladd(near, v8_splat(s->dir), corner[i]);
    }
    f8 after;
    const uint32_t starts = sweep_ball_starts(s, corner, near, &after);
    sweep_ball_solve(s, corner, &b);
    const v8 point =
        v8_nmuladd(b.weight[1], b.side[2], v8_muladd(b.weight[0], b.side[0], b.corner[0]));
    const v8 way = v8_nmuladd(b.t, b.dir, point);
    const f8 length = f8_sqrt(v8_dot(way, way));
    const sweep_gap m = sweep_ball_gap(s, corner, way, length);
    const f8 from = f8_max(sweep_advance(&m, near), after);
    e->met &= f8_bits_le(from, f8_splat(bound));
    f8_store(e->near, from);
    /* A little deeper than inner: the radius is farther from that than its roundings. */
    const f8 deep = f8_mul(f8_sub(length, inner), f8_mul(length, f8_splat(1.25f)));
    const f8 until = f8_add(near, f8_add(b.t, f8_div(deep, m.least)));
    const f8 step = f8_sub(until, near);
    const v8 then = v8_nmuladd(step, b.dir, point);
    const uint32_t sure = f8_bits_le(f8_sqrt(v8_dot(then, then)), inner) & f8_bits_le(zero, step);
    f8_store(e->by, f8_where(starts, near, f8_where(sure, until, f8_splat(INFINITY))));
}
