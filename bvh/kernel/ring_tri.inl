/* A ray of the ring against the triangles of a leaf. */

/* Bit i: lane i holds a triangle that is not surely missed.  As in ray_tri.inl, with a bound on edge
 * functions that takes fewer operations: E = w(P) + w(Q), w(P) = k (|Px| + |Py| + k). */
static uint32_t ring_filter(const ring_ray *ray, const sli_tri_pack *pack, sl_stats *stats)
{
    const char *base = (const char *)pack;
    const f12 z = f12_sub(f12_load((const float *)(const void *)(base + ray->pack[2])),
                          f12_splat(ray->w.origin[2]));
    const f12 right = f12_sub(f12_load((const float *)(const void *)(base + ray->pack[0])),
                              f12_splat(ray->w.origin[0]));
    const f12 up = f12_sub(f12_load((const float *)(const void *)(base + ray->pack[1])),
                           f12_splat(ray->w.origin[1]));
    const f12 x = f12_nmuladd(f12_splat(ray->w.shear[0]), z, right);
    const f12 y = f12_nmuladd(f12_splat(ray->w.shear[1]), z, up);
    const f12 k = f12_splat(ray->w.edge_error);
    const f12 size = f12_add(f12_add(f12_abs(x), f12_abs(y)), k);
    const f12 w = f12_mul(size, k);
    const f12 bound = f12_add(w, f12_turn(w));
    const f12 next_x = f12_turn(x), next_y = f12_turn(y);
    const f12 edge = f12_nmuladd(y, next_x, f12_mul(x, next_y));
    const uint32_t above = f12_any_gt(edge, bound);
    const uint32_t below = f12_any_gt(f12_sub(f12_splat(0), bound), edge);
    const uint32_t used = f4_bits_ne(pack->axis[0].meta, SL_NONE);
    const uint32_t missed = above & below & used;
    stats->triangles += (uint64_t)__builtin_popcount(used);
    stats->float_stage += (uint64_t)__builtin_popcount(missed);
    return used & ~missed;
}

typedef enum ring_verdict { RING_MISS, RING_HIT, RING_UNSURE } ring_verdict;

/* What doubles say of one ray and triangle: exact.c's double stage with the three weights and the
 * numerator of t side by side, and a bound on their errors that is easier to have: the permanent of a
 * determinant is no more than the product of the lengths |x| + |y| + |z| of its three vectors. */
typedef struct ring_meeting {
    d4 value, error; /* weights of vertices 0 .. 2, numerator */
    bool back;
} ring_meeting;

#define RING_EPS 0x1p-53
#define RING_DET_ERROR (20 * RING_EPS)

static d4 length1(const d4 a[3])
{
    return d4_add(d4_add(d4_abs(a[0]), d4_abs(a[1])), d4_abs(a[2]));
}

static ring_verdict ring_signs(const double origin[3], const double dir[3],
                               const sli_tri_pack *pack, int lane, ring_meeting *m)
{
    d4 a[3], b[3], c[3], corner[3], way[3];
    for (int axis = 0; axis < 3; axis++) {
        corner[axis] = d4_sub(d4_lane(pack->axis[axis].vertex, lane), d4_splat(origin[axis]));
        way[axis] = d4_splat(dir[axis]);
        a[axis] = d4_three(way[axis], corner[axis]); /* d d d 0 */
        b[axis] = d4_turn(corner[axis]);             /* 1 2 0 1 */
        c[axis] = d4_turn_twice(corner[axis]);       /* 2 0 1 2 */
    }
    m->value = d4_splat(0);
    for (int axis = 0; axis < 3; axis++) {
        const int j = (axis + 1) % 3, k = (axis + 2) % 3;
        const d4 minor = d4_sub(d4_mul(b[j], c[k]), d4_mul(b[k], c[j]));
        m->value = d4_add(m->value, d4_mul(a[axis], minor));
    }
    const d4 size = length1(corner);
    const d4 sizes = d4_mul(d4_turn(size), d4_turn_twice(size));
    m->error = d4_mul(d4_mul(d4_three(length1(way), size), sizes), d4_splat(RING_DET_ERROR));
    const uint32_t sure = d4_bits_gt(d4_abs(m->value), m->error) & 7;
    const uint32_t negative = d4_bits_negative(m->value) & 7;
    m->back = negative == 0;
    if ((sure & negative) != 0 && (sure & ~negative) != 0) {
        return RING_MISS;
    }
    return sure == 7 ? RING_HIT : RING_UNSURE;
}

/* The quotients u, v, t (lanes 1, 2, 3) between low and high. */
static bool ring_quotients(const ring_meeting *m, d4 *low, d4 *high)
{
    const d4 whole = d4_sum3(m->value), size = d4_abs(whole);
    const d4 off = d4_add(d4_sum3(m->error), d4_mul(size, d4_splat(4 * RING_EPS)));
    const d4 least = d4_mul(d4_sub(size, off), d4_splat(1 - 4 * RING_EPS));
    const d4 inverse = d4_div(d4_splat(1), least);
    const d4 q = d4_div(m->value, whole), q_size = d4_abs(q);
    const d4 r = d4_add(d4_mul(d4_add(m->error, d4_mul(q_size, off)), inverse),
                        d4_mul(q_size, d4_splat(2 * RING_EPS)));
    const d4 margin = d4_mul(r, d4_splat(1 + 32 * RING_EPS));
    *low = d4_sub(q, margin);
    *high = d4_add(q, margin);
    return (d4_bits_gt(least, d4_splat(0)) & 1) != 0;
}

/* The ray in doubles. */
typedef struct ring_line {
    double origin[3], dir[3], tmin, tmax;
} ring_line;

static void ring_line_of(const sli_kernel_batch *batch, size_t index, ring_line *line)
{
    if (batch->segments != NULL) {
        const sl_segment *segment = &batch->segments[index];
        for (int axis = 0; axis < 3; axis++) {
            line->origin[axis] = segment->p[axis];
            line->dir[axis] = (double)segment->q[axis] - (double)segment->p[axis];
        }
        line->tmin = 0;
        line->tmax = 1;
        return;
    }
    const sl_ray *ray = &batch->rays[index];
    for (int axis = 0; axis < 3; axis++) {
        line->origin[axis] = ray->origin[axis];
        line->dir[axis] = ray->dir[axis];
    }
    line->tmin = ray->tmin;
    line->tmax = ray->tmax;
}

/* Doubles alone.  hit: NULL where only yes or no is wanted. */
static ring_verdict ring_try(const sli_kernel_batch *batch, size_t index, const sli_tri_pack *pack,
                             int lane, float t_bound, sl_hit *hit)
{
    ring_line line;
    ring_meeting m;
    ring_line_of(batch, index, &line);
    const ring_verdict signs = ring_signs(line.origin, line.dir, pack, lane, &m);
    if (signs != RING_HIT) {
        return signs;
    }
    if (batch->query->cull == (m.back ? SL_CULL_BACK : SL_CULL_FRONT)) {
        return RING_MISS;
    }
    d4 low, high;
    double from[4], to[4];
    if (!ring_quotients(&m, &low, &high)) {
        return RING_UNSURE;
    }
    d4_store(from, low);
    d4_store(to, high);
    if (from[3] > line.tmax || to[3] < line.tmin) {
        return RING_MISS;
    }
    if (!(from[3] > line.tmin && to[3] < line.tmax)) {
        return RING_UNSURE;
    }
    if (hit == NULL) {
        return RING_HIT;
    }
    const f4 rounded = d4_to_f4(low), other = d4_to_f4(high);
    float uvt[4];
    /* A zero becomes +0. */
    f4_store(uvt, f4_add(rounded, f4_splat(0)));
    if (uvt[3] > t_bound) {
        return RING_MISS;
    }
    if ((f4_bits_le(rounded, other) & f4_bits_le(other, rounded) & 14) != 14) {
        return RING_UNSURE;
    }
    *hit = (sl_hit){ .t = uvt[3], .u = uvt[1], .v = uvt[2], .flags = m.back ? SL_HIT_BACK : 0 };
    return RING_HIT;
}

/* Whoever is too close to call.  Rare: kept out of the loops. */
static __attribute__((noinline)) bool ring_settle(const sli_kernel_batch *batch, size_t index,
                                                  const sli_tri_pack *pack, int lane,
                                                  float t_bound, sl_hit *hit, sl_stats *stats)
{
    sli_exact_ray ray;
    float v[3][3];
    sli_kernel_exact_ray(batch, index, &ray);
    lane_corners(pack, lane, v);
    const int cull = (int)batch->query->cull;
    sli_exact_hit exact = { .stage = SLI_STAGE_DOUBLE };
    const bool found =
        hit != NULL ? sli_exact_ray_hit(&ray, v[0], v[1], v[2], cull, t_bound, &exact)
                    : sli_exact_ray_hits(&ray, v[0], v[1], v[2], cull, &exact.stage);
    if (found && hit != NULL) {
        *hit = (sl_hit){ .t = exact.t, .u = exact.u, .v = exact.v, .flags = exact.flags };
    }
    stats->exact_stage += exact.stage == SLI_STAGE_EXACT;
    stats->double_stage += exact.stage == SLI_STAGE_DOUBLE;
    return found;
}

/* The exact hit on one lane, if there is one and the options leave it in. */
static inline bool ring_lane(const sli_kernel_batch *batch, size_t index, const sli_tri_pack *pack,
                             int lane, float t_bound, sl_hit *hit, sl_stats *stats)
{
    const uint32_t prim = pack->axis[0].meta[lane];
    const uint32_t switches = SL_USE_MASK | SL_USE_SKIP;
    if ((batch->query->flags & switches) != 0) {
        const sli_kernel_filter filter = sli_filter_of(batch->query, index);
        if (!sli_kernel_wants(&filter, prim, pack->axis[1].meta[lane])) {
            return false;
        }
    }
    const ring_verdict verdict = ring_try(batch, index, pack, lane, t_bound, hit);
    bool found = verdict == RING_HIT;
    if (verdict == RING_UNSURE) {
        found = ring_settle(batch, index, pack, lane, t_bound, hit, stats);
    } else {
        stats->double_stage++;
    }
    stats->hits += found;
    if (found && hit != NULL) {
        hit->prim = prim;
    }
    return found;
}
