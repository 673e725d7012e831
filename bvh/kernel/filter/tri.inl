/* A ray of the ring against the triangles of a leaf. */

/* The edge functions of a leaf's triangles, from vertex 0 to 1, 1 to 2 and 2 to 0, and how far they may
 * be off: as in reference/tri.inl, with a bound that takes fewer operations: E = w(P) + w(Q),
 * w(P) = k (|Px| + |Py| + k). */
typedef struct ring_edges {
    f12 edge, bound;
    f12 z; /* of the vertices, along the largest axis */
} ring_edges;

RING_INLINE ring_edges ring_edges_of(const ring_words *ray, const ring_offsets *offsets,
                                     const char *base)
{
    const f12 z = f12_sub(f12_load((const float *)(const void *)(base + offsets->pack[2])),
                          f12_splat(ray->origin[2]));
    const f12 right = f12_sub(f12_load((const float *)(const void *)(base + offsets->pack[0])),
                              f12_splat(ray->origin[0]));
    const f12 up = f12_sub(f12_load((const float *)(const void *)(base + offsets->pack[1])),
                           f12_splat(ray->origin[1]));
    const f12 x = f12_nmuladd(f12_splat(ray->shear[0]), z, right);
    const f12 y = f12_nmuladd(f12_splat(ray->shear[1]), z, up);
    const f12 k = f12_splat(ray->edge_error);
    const f12 size = f12_add(f12_add(f12_abs(x), f12_abs(y)), k);
    const f12 w = f12_mul(size, k);
    const f12 next_x = f12_turn(x), next_y = f12_turn(y);
    return (ring_edges){ .edge = f12_nmuladd(y, next_x, f12_mul(x, next_y)),
                         .bound = f12_add(w, f12_turn(w)),
                         .z = z };
}

/* Bit i: lane i holds a triangle that is not surely missed. */
RING_INLINE uint32_t ring_not_missed(const ring_edges *e, const char *base, uint32_t *used)
{
    const sli_tri_pack *pack = (const sli_tri_pack *)(const void *)base;
    *used = f4_bits_ne(pack->axis[0].meta, SL_NONE);
    return *used & ~f12_astride(e->edge, e->bound);
}

RING_INLINE uint32_t ring_filter(const ring_ray *ray, const char *base, uint32_t *used)
{
    const ring_edges e = ring_edges_of(&ray->w, &ray->o, base);
    return ring_not_missed(&e, base, used);
}

/* A corner of the triangles of two leaves, along an axis that each ray has for itself. */
RING_INLINE f8 ring_corner_of_two(const ring_ray *a, const ring_ray *b, int axis, int corner)
{
    const float *of_a = (const float *)(const void *)(a->w.at + a->o.pack[axis]);
    const float *of_b = (const float *)(const void *)(b->w.at + b->o.pack[axis]);
    return f8_pair(f4_load(of_a + corner * SLI_PACK), f4_load(of_b + corner * SLI_PACK));
}

RING_INLINE f8 ring_splat_two(float a, float b)
{
    return f8_pair(f4_splat(a), f4_splat(b));
}

/* As ring_filter, of two rays at the leaves where they are: the lanes of b behind those of a. */
RING_INLINE uint32_t ring_filter_two(const ring_ray *a, const ring_ray *b, uint32_t *used)
{
    f8 origin[3], shear[2], x[3], y[3], w[3], edge[3], bound[3];
    for (int i = 0; i < 3; i++) {
        origin[i] = ring_splat_two(a->w.origin[i], b->w.origin[i]);
    }
    for (int i = 0; i < 2; i++) {
        shear[i] = ring_splat_two(a->w.shear[i], b->w.shear[i]);
    }
    const f8 k = ring_splat_two(a->w.edge_error, b->w.edge_error);
    for (int i = 0; i < 3; i++) {
        const f8 z = f8_sub(ring_corner_of_two(a, b, 2, i), origin[2]);
        const f8 right = f8_sub(ring_corner_of_two(a, b, 0, i), origin[0]);
        const f8 up = f8_sub(ring_corner_of_two(a, b, 1, i), origin[1]);
        x[i] = f8_nmuladd(shear[0], z, right);
        y[i] = f8_nmuladd(shear[1], z, up);
        w[i] = f8_mul(f8_add(f8_add(f8_abs(x[i]), f8_abs(y[i])), k), k);
    }
    for (int i = 0; i < 3; i++) {
        const int next = (i + 1) % 3;
        edge[i] = f8_nmuladd(y[i], x[next], f8_mul(x[i], y[next]));
        bound[i] = f8_add(w[i], w[next]);
    }
    const sli_tri_pack *pack_a = (const sli_tri_pack *)(const void *)a->w.at;
    const sli_tri_pack *pack_b = (const sli_tri_pack *)(const void *)b->w.at;
    *used = f4_bits_ne(pack_a->axis[0].meta, SL_NONE) | f4_bits_ne(pack_b->axis[0].meta, SL_NONE)
                                                            << SLI_PACK;
    return *used & ~f8_astride(edge, bound);
}

/* Triangles that were not surely missed, eight at a time: what doubles say of them. */
typedef struct ring_eight {
    _Alignas(SLI_LINE) float t[8]; /* so that one of some is found by a shift */
    float u[8], v[8];
    uint32_t hit, unsure, back; /* lanes; the others are missed */
    uint32_t edge, vertex;      /* of those that are hit and sure, whose weights are 0 */
} ring_eight;

/* Where to read the eight: the floats of the ray or segment; the pack and the lane; and the t beyond
 * which a hit is of no use. */
typedef struct ring_asked {
    const float *ray[8];
    const sli_tri_pack *pack[8];
    uint32_t lane[8];
    float best[8];
} ring_asked;

static d8 length1(const d8 a[3])
{
    return d8_add(d8_add(d8_abs(a[0]), d8_abs(a[1])), d8_abs(a[2]));
}

static void cross8(const d8 a[3], const d8 b[3], d8 out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        const int j = (axis + 1) % 3, k = (axis + 2) % 3;
        out[axis] = d8_nmuladd(a[k], b[j], d8_mul(a[j], b[k]));
    }
}

static d8 dot8(const d8 a[3], const d8 b[3])
{
    return d8_muladd(a[0], b[0], d8_muladd(a[1], b[1], d8_mul(a[2], b[2])));
}

/* With s = o - v0 and the sides e1, e2 from v0, the weights of vertices 1 and 2 are det(d, e2, s)
 * and det(s, e1, d) over det(d, e2, e1), and t is det(s, e1, e2) over it (Moeller and Trumbore,
 * 1997). Each determinant goes through at most 9 roundings of each product, and the sum of its
 * products' sizes is no more than the product of the lengths |x| + |y| + |z| of its three vectors.
 */
#define RING_EPS       0x1p-53
#define RING_DET_ERROR (16 * RING_EPS)

typedef struct ring_dets {
    d8 u, v, t, whole;
    d8 u_error, v_error, t_error, whole_error;
} ring_dets;

/* Eight rays and triangles as the doubles want them. */
typedef struct ring_question {
    d8 origin[3], dir[3], tmin, tmax;
    d8 corner[3][3]; /* [corner][axis] */
    bool crossings;  /* a weight of 0 is not the end of it */
} ring_question;

static void ring_read_rays(const ring_asked *asked, bool segments, ring_question *q)
{
    f8 row[8];
    for (int i = 0; i < 8; i++) { /* a segment: p, and from its last component on q */
        const float *from = asked->ray[i];
        row[i] = segments ? f8_pair(f4_load(from), f4_load(from + 2)) : f8_load(from);
    }
    f8_transpose(row);
    for (int axis = 0; axis < 3; axis++) {
        q->origin[axis] = d8_from_f8(row[axis]);
        q->dir[axis] = segments ? d8_sub(d8_from_f8(row[5 + axis]), q->origin[axis])
                                : d8_from_f8(row[4 + axis]);
    }
    q->tmin = segments ? d8_splat(0) : d8_from_f8(row[3]);
    q->tmax = segments ? d8_splat(1) : d8_from_f8(row[7]);
}

static void ring_read_triangles(const ring_asked *asked, ring_question *q)
{
    f8 xy[8], z[8];
    for (int i = 0; i < 8; i++) {
        const sli_tri_pack *pack = asked->pack[i];
        simd_triangle(pack->axis[0].vertex[0], pack->axis[1].vertex[0], pack->axis[2].vertex[0],
                      asked->lane[i], &xy[i], &z[i]);
    }
    f8_transpose(xy);
    f8_transpose(z);
    for (int i = 0; i < 3; i++) {
        q->corner[i][0] = d8_from_f8(xy[i]);
        q->corner[i][1] = d8_from_f8(xy[4 + i]);
        q->corner[i][2] = d8_from_f8(z[i]);
    }
}

static void ring_determine(const ring_question *ask, ring_dets *m)
{
    const d8 *d = ask->dir;
    d8 s[3], e1[3], e2[3], p[3], q[3];
    for (int axis = 0; axis < 3; axis++) {
        s[axis] = d8_sub(ask->origin[axis], ask->corner[0][axis]);
        e1[axis] = d8_sub(ask->corner[1][axis], ask->corner[0][axis]);
        e2[axis] = d8_sub(ask->corner[2][axis], ask->corner[0][axis]);
    }
    cross8(d, e2, p);
    cross8(s, e1, q);
    m->whole = dot8(e1, p);
    m->u = dot8(s, p);
    m->v = dot8(d, q);
    m->t = dot8(e2, q);
    const d8 error = d8_splat(RING_DET_ERROR), of_d = length1(d), of_s = length1(s);
    const d8 of_e1 = length1(e1), of_e2 = length1(e2);
    const d8 of_p = d8_mul(of_d, d8_mul(of_e2, error)), of_q = d8_mul(of_s, d8_mul(of_e1, error));
    m->whole_error = d8_mul(of_e1, of_p);
    m->u_error = d8_mul(of_s, of_p);
    m->v_error = d8_mul(of_d, of_q);
    m->t_error = d8_mul(of_e2, of_q);
}

/* Decides e->hit, unsure and back by the signs of the three weights. */
static void ring_signs(const ring_dets *m, ring_eight *e)
{
    const d8 zero = d8_splat(0);
    const d8 w = d8_sub(d8_sub(m->whole, m->u), m->v);
    const d8 sizes = d8_add(d8_add(d8_abs(m->whole), d8_abs(m->u)), d8_abs(m->v));
    const d8 w_error = d8_muladd(sizes, d8_splat(4 * RING_EPS),
                                 d8_add(d8_add(m->whole_error, m->u_error), m->v_error));
    const uint32_t u_above = d8_bits_gt(m->u, m->u_error), v_above = d8_bits_gt(m->v, m->v_error),
                   w_above = d8_bits_gt(w, w_error);
    const uint32_t u_below = d8_bits_gt(d8_sub(zero, m->u), m->u_error),
                   v_below = d8_bits_gt(d8_sub(zero, m->v), m->v_error),
                   w_below = d8_bits_gt(d8_sub(zero, w), w_error);
    const uint32_t front = u_above & v_above & w_above;
    e->back = u_below & v_below & w_below;
    e->hit = front | e->back;
    const uint32_t missed = (u_above | v_above | w_above) & (u_below | v_below | w_below);
    e->unsure = 0xFF & ~e->hit & ~missed;
    e->edge = e->vertex = 0;
}

#include "bvh/kernel/filter/tri_axis_aligned.inl"

/* x over the whole lies between low and high. */
static void ring_quotient(const ring_dets *m, d8 inverse, d8 room, d8 x, d8 x_error, d8 *low,
                          d8 *high)
{
    const d8 q = d8_mul(x, inverse), size = d8_abs(q);
    const d8 off = d8_muladd(size, m->whole_error, x_error);
    const d8 margin = d8_muladd(off, room, d8_mul(size, d8_splat(8 * RING_EPS)));
    *low = d8_sub(q, margin);
    *high = d8_add(q, margin);
}

/* Rounds what lies between low and high; the lanes where both ends round alike. */
static uint32_t ring_round(d8 low, d8 high, float out[8])
{
    const f8 from = d8_to_f8(low), to = d8_to_f8(high);
    f8_store(out, f8_add(from, f8_splat(0))); /* a zero becomes +0 */
    return f8_bits_le(from, to) & f8_bits_le(to, from);
}

/* Limits; and where hits are compared, not only found (best is not NULL), their numbers. */
static void ring_measure(const ring_dets *m, const ring_question *ask, const float *best,
                         ring_eight *e)
{
    const d8 one = d8_splat(1), inverse = d8_div(one, m->whole), size = d8_abs(m->whole);
    /* whole is good to one part in 1024, so its reciprocal is no further off than this. */
    const d8 room = d8_mul(d8_abs(inverse), d8_splat(1 + 0x1p-8));
    const uint32_t steady = d8_bits_gt(size, d8_mul(m->whole_error, d8_splat(1024)));
    d8 low, high;
    ring_quotient(m, inverse, room, m->t, m->t_error, &low, &high);
    const uint32_t after = d8_bits_gt(low, ask->tmin), before = d8_bits_gt(ask->tmin, high);
    const uint32_t within = d8_bits_gt(ask->tmax, high), beyond = d8_bits_gt(low, ask->tmax);
    const uint32_t hit = e->hit & steady;
    uint32_t sure = after & within, missed = (before | beyond);
    if (best != NULL) {
        const uint32_t alike = ring_round(low, high, e->t);
        missed |= ~f8_bits_le(f8_load(e->t), f8_load(best));
        sure &= alike;
        ring_quotient(m, inverse, room, m->u, m->u_error, &low, &high);
        sure &= ring_round(low, high, e->u);
        ring_quotient(m, inverse, room, m->v, m->v_error, &low, &high);
        sure &= ring_round(low, high, e->v);
    }
    e->unsure |= (e->hit & ~steady) | (hit & ~missed & ~sure);
    e->hit = hit & ~missed & sure;
}

/* best: of no use beyond it; NULL: yes or no are enough. */
static void ring_decide(const ring_question *ask, sl_cull cull, const float *best, ring_eight *e)
{
    ring_dets m;
    ring_determine(ask, &m);
    ring_signs(&m, e);
    if (e->unsure != 0 && !ask->crossings) {
        ring_along_axes(ask, &m, e);
    }
    if (cull != SL_CULL_NONE) {
        e->hit &= cull == SL_CULL_BACK ? ~e->back : e->back;
    }
    ring_measure(&m, ask, best, e);
}

/* Whoever is too close to call.  Rare: kept out of the loops. */
static __attribute__((noinline)) bool ring_settle(const sli_kernel_batch *batch, size_t index,
                                                  const sli_tri_pack *pack, uint32_t lane,
                                                  float t_bound, sl_hit *hit, sl_stats *stats)
{
    sli_exact_ray ray;
    float v[3][3];
    sli_kernel_exact_ray(batch, index, &ray);
    lane_corners(pack, (int)lane, v);
    const int cull = (int)batch->query->cull;
    sli_exact_hit exact = { .stage = SLI_STAGE_DOUBLE };
    const bool found = hit != NULL
                           ? sli_exact_ray_hit(&ray, v[0], v[1], v[2], cull, t_bound, &exact)
                           : sli_exact_ray_hits(&ray, v[0], v[1], v[2], cull, &exact.stage);
    if (found && hit != NULL) {
        *hit = (sl_hit){ .t = exact.t, .u = exact.u, .v = exact.v, .flags = exact.flags };
    }
    stats->exact_stage += exact.stage == SLI_STAGE_EXACT;
    stats->double_stage += exact.stage == SLI_STAGE_DOUBLE;
    return found;
}

RING_INLINE uint32_t ring_flags(const ring_eight *e, uint32_t i)
{
    const uint32_t back = (e->back >> i & 1) != 0 ? SL_HIT_BACK : 0u;
    if (__builtin_expect((e->edge | e->vertex) == 0, 1)) { /* of rays along an axis only */
        return back;
    }
    return back | ((e->edge >> i & 1) != 0 ? SL_HIT_EDGE : 0u) |
           ((e->vertex >> i & 1) != 0 ? SL_HIT_VERTEX : 0u);
}

/* Lane i of the eight has a chance: settles it.  False: no hit. */
RING_INLINE bool ring_hit_of(const sli_kernel_batch *batch, const ring_eight *e, uint32_t i,
                             size_t index, const sli_tri_pack *pack, uint32_t lane, float best,
                             bool any, sl_hit *hit, sl_stats *stats)
{
    const uint32_t prim = pack->axis[0].meta[lane];
    if ((batch->query->flags & (SL_USE_MASK | SL_USE_SKIP)) != 0) {
        const sli_kernel_filter filter = sli_filter_of(batch->query, index);
        if (!sli_kernel_wants(&filter, prim, pack->axis[1].meta[lane])) {
            return false;
        }
    }
    sl_hit found = { .t = e->t[i], .u = e->u[i], .v = e->v[i], .flags = ring_flags(e, i) };
    if ((e->unsure >> i & 1) != 0) {
        sl_hit settled = { .t = 0 };
        if (!ring_settle(batch, index, pack, lane, best, any ? NULL : &settled, stats)) {
            return false;
        }
        found = settled;
    }
    *hit = found;
    hit->prim = prim;
    stats->hits++;
    return true;
}

/* Whether a hit takes the place of the best so far.  One condition, mostly true: of three, each on
 * its own, nothing could foretell the first. */
static inline bool ring_is_closer(const sl_hit *hit, const sl_hit *best)
{
    const unsigned first = best->prim == SL_NONE, nearer = hit->t < best->t;
    const unsigned as_near = hit->t == best->t, lower = hit->prim < best->prim;
    return (first | nearer | (as_near & lower)) != 0;
}

/* Above every exact t that rounds to that of t' or less, in t'. */
static inline float ring_bound(float scale, float t)
{
    return t + (fabsf(t) * 0x1p-21f + (scale * RING_ROOM + RING_TINY));
}

static inline float ring_bound_of(float scale, float best)
{
    return ring_bound(scale, best * scale);
}
