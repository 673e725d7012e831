/* Eight pairs of a ray of a world and a triangle of an instance, decided in doubles: rays in floats
 * or in doubles are read, corners go to the world by the corner rule, signs and limits
 * are those of filter/tri8.inl, and t, u and v are rounded, in double-doubles where doubles leave
 * that open (dd8.inl).  What is still open is left to the exact predicates
 * (intersect.h).  For leaves (batch_leaves.inl) and hints (hints.inl). */
#pragma once

#include "bvh/kernel/filter/tri8.inl"
#include "bvh/kernel/instance/intersect.h"
#include "bvh/kernel/instance/to_local8.inl"

/* Eight pairs, and what was decided of them. */
typedef struct world_eight {
    size_t index[8]; /* of the rays in the batch */
    const sli_tri_pack *pack[8];
    uint32_t lane[8], instance[8];
    float best[8];  /* of rays in floats: t beyond which hits do not matter */
    double most[8]; /* of rays in doubles: the same of exact t */
    tri8_answer e;
    double t[8]; /* of rays in doubles, in place of e.t */
} world_eight;

/* Rays as doubles. */
typedef struct world_query {
    tri8_query ray; /* corners, too, once they are read */
    uint32_t fit;   /* lanes with valid rays of a size for which doubles decide */
} world_query;

static SLI_NOINLINE d8 world_round_small(d8 x, d8 large)
{
    const d8 zero = d8_splat(0);
    const d8 signed_large = d8_where(d8_bits_gt(zero, x), d8_sub(zero, large), large);
    const d8 rounded = d8_sub(d8_add(x, signed_large), signed_large);
    return d8_where(d8_bits_gt(large, d8_abs(x)), rounded, x);
}

/* Lanes that rounding may change: from 2^52 of the grid, which is large, on every double is a
 * multiple of it, and so is 0.  With the finest grid hardly any other is met. */
static SLI_FORCE_INLINE uint32_t world_is_small(d8 x, d8 large)
{
    const d8 size = d8_abs(x);
    return d8_bits_gt(large, size) & d8_bits_gt(size, d8_splat(0));
}

/* Rounds to the nearest multiple of the grid, as sli_round_to_grid. */
static SLI_FORCE_INLINE d8 world_round(d8 x, d8 large)
{
    if (__builtin_expect(world_is_small(x, large) != 0, 0)) {
        return world_round_small(x, large);
    }
    return d8_add(x, d8_splat(0)); /* zeros become +0 */
}

/* Rays and segments in doubles, taken to multiples of 2^-149 as exact_ray.c does. */
static void world_read_doubles(const sli_world_batch *batch, const size_t index[8],
                               world_query *query)
{
    tri8_query *q = &query->ray;
    const d8 large = d8_splat(0x1p52 * SLI_STEP), zero = d8_splat(0);
    const bool segments = batch->rays_d == NULL;
    const double *first[8], *second[8];
    d8 start[4], rest[4];
    for (int i = 0; i < 8; i++) { /* of a segment numbers 0 .. 3 and 2 .. 5 */
        first[i] = segments ? (const double *)(const void *)&batch->segments_d[index[i]]
                            : (const double *)(const void *)&batch->rays_d[index[i]];
        second[i] = first[i] + (segments ? 2 : 4);
    }
    d8_fours(first, start);
    d8_fours(second, rest);
    d8 large_by = d8_splat(-INFINITY); /* the least size, negated: hardly any is 0 */
    for (int axis = 0; axis < 3; axis++) {
        large_by = d8_max(d8_sub(zero, d8_abs(start[axis])), large_by);
        large_by = d8_max(d8_sub(zero, d8_abs(rest[axis + segments])), large_by);
    }
    const uint32_t small = d8_bits_gt(large_by, d8_sub(zero, large));
    for (int axis = 0; axis < 3 && __builtin_expect(small != 0, 0); axis++) {
        start[axis] = world_round_small(start[axis], large);
        rest[axis + segments] = world_round_small(rest[axis + segments], large);
    }
    for (int axis = 0; axis < 3; axis++) {
        q->origin[axis] = d8_add(start[axis], d8_splat(0)); /* zeros become +0 */
        q->dir[axis] = d8_add(rest[axis + segments], d8_splat(0));
        q->end[axis] = q->dir[axis];
        if (segments) {
            q->dir[axis] = d8_sub(q->end[axis], q->origin[axis]);
        }
    }
    q->tmin = segments ? d8_splat(0) : start[3];
    q->tmax = segments ? d8_splat(1) : rest[3];
}

static void world_read_segments(const sl_segment *segments, const size_t index[8],
                                world_query *query)
{
    f8 row[8]; /* numbers 0 .. 3, then 2 .. 5 */
    for (int i = 0; i < 8; i++) {
        const float *from = (const float *)(const void *)&segments[index[i]];
        row[i] = f8_pair(f4_load(from), f4_load(from + 2));
    }
    f8_transpose(row);
    for (int axis = 0; axis < 3; axis++) {
        const d8 p = d8_from_f8(row[axis]), q = d8_from_f8(row[SEGMENT_FLOAT_Q + 2 + axis]);
        query->ray.origin[axis] = p;
        query->ray.end[axis] = q;
        query->ray.dir[axis] = d8_sub(q, p);
    }
    query->ray.tmin = d8_splat(0);
    query->ray.tmax = d8_splat(1);
}

static void world_read_rays(const sl_ray *rays, const size_t index[8], world_query *query)
{
    tri8_source from;
    for (int i = 0; i < 8; i++) {
        from.ray[i] = (const float *)(const void *)&rays[index[i]];
    }
    tri8_read_rays(&from, false, &query->ray);
}

/* Reads rays, or segments, of a batch. */
static SLI_FORCE_INLINE void world_read(const sli_world_batch *batch, const size_t index[8],
                                        world_query *query)
{
    tri8_query *q = &query->ray;
    if (batch->rays != NULL) {
        world_read_rays(batch->rays, index, query);
    } else if (batch->segments != NULL) {
        world_read_segments(batch->segments, index, query);
    } else {
        world_read_doubles(batch, index, query);
    }
    q->segments = batch->rays == NULL && batch->rays_d == NULL;
    const d8 most = d8_splat(TO_LOCAL8_SIZE_MAX), length = tri8_norm1(q->dir);
    query->fit = d8_bits_gt(most, tri8_norm1(q->origin)) & d8_bits_gt(most, length) &
                 d8_bits_gt(length, d8_splat(TO_LOCAL8_DIR_MIN)) &
                 (d8_bits_gt(q->tmax, q->tmin) | d8_bits_eq(q->tmax, q->tmin));
}

/* Takes corners to the world: exactly sli_transform_corner. */
static SLI_FORCE_INLINE void world_to_world(const sli_transformed *const transformed[8],
                                            tri8_query *query)
{
    double grid[8];
    const double *row_at[3][8];
    for (int i = 0; i < 8; i++) {
        grid[i] = transformed[i]->grid;
        for (int axis = 0; axis < 3; axis++) {
            row_at[axis][i] = transformed[i]->transform.m[axis];
        }
    }
    const d8 large = d8_mul(d8_splat(0x1p52), d8_doubles(grid));
    d8 world[3][3];
    for (int axis = 0; axis < 3; axis++) {
        d8 row[4];
        d8_fours(row_at[axis], row);
        for (int i = 0; i < 3; i++) {
            const d8 *x = query->corner[i];
            const d8 sum =
                d8_add(d8_add(d8_mul(row[0], x[0]), d8_mul(row[1], x[1])), d8_mul(row[2], x[2]));
            world[i][axis] = world_round(d8_add(sum, row[3]), large);
        }
    }
    memcpy(query->corner, world, sizeof world);
}

/* Lanes in which t, and u and v, are rounded for certain. */
typedef struct world_alike {
    uint32_t t, uv;
} world_alike;

/* Rounds in double-doubles, of the lanes left, what alike has not yet, and adds to it what then is
 * certain. */
static SLI_NOINLINE void world_round_dd(const world_query *query, uint32_t left, bool in_floats,
                                        world_alike *alike, world_eight *out)
{
    dd8_pairs m;
    dd8_value t, u, v;
    d8 low, high;
    float rounded[2][8];
    dd8_make_t(&query->ray, &m, &t);
    dd8_divide(&m, &t);
    if (in_floats) {
        dd8_between(&t, &low, &high);
        const uint32_t sure = left & ~alike->t & m.steady & tri8_round(low, high, rounded[0]);
        wide_copy(out->e.t, rounded[0], sure);
        alike->t |= sure;
    } else {
        double other[8];
        const uint32_t sure = left & ~alike->t & m.steady & dd8_round(&t, other);
        wide_copy_doubles(out->t, other, sure);
        alike->t |= sure;
    }
    const uint32_t left_uv = left & ~alike->uv & m.steady;
    if (left_uv != 0) {
        dd8_make_uv(&m, &u, &v);
        dd8_divide(&m, &u);
        dd8_divide(&m, &v);
        dd8_between(&u, &low, &high);
        uint32_t sure = left_uv & tri8_round(low, high, rounded[0]);
        dd8_between(&v, &low, &high);
        sure &= tri8_round(low, high, rounded[1]);
        wide_copy(out->e.u, rounded[0], sure);
        wide_copy(out->e.v, rounded[1], sure);
        alike->uv |= sure;
    }
}

/* Rounds t of rays in doubles, for which doubles never suffice; returns the lanes in which that is
 * certain. */
static SLI_NOINLINE uint32_t world_round_t(const world_query *query, const tri8_determinants *m,
                                           d8 inverse, world_eight *out)
{
    dd8_value t;
    dd8_refine_t(&query->ray, m, inverse, &t);
    return dd8_round(&t, out->t);
}

/* Puts t into the lanes where it is known; a zero becomes +0. */
static SLI_NOINLINE void world_known_t(const tri8_determinants *m, double t[8])
{
    double at[8];
    d8_store(at, d8_add(m->at, d8_splat(0)));
    wide_copy_doubles(t, at, m->known);
}

/* Applies the limits on t, and sets t, u and v of hits. */
static SLI_FORCE_INLINE void world_measure(const tri8_determinants *m, const world_query *query,
                                           bool any, bool in_floats, world_eight *eight)
{
    tri8_answer *e = &eight->e;
    const d8 inverse = d8_div(d8_splat(1), m->det), tmin = query->ray.tmin, tmax = query->ray.tmax;
    const d8 inverse_max = d8_mul(d8_abs(inverse), d8_splat(1 + 0x1p-8));
    const uint32_t steady = d8_bits_gt(d8_abs(m->det), d8_mul(m->det_error, d8_splat(1024)));
    d8 low, high;
    tri8_quotient(m, inverse, inverse_max, m->t, m->t_error, &low, &high);
    const uint32_t hit = e->hit & steady;
    uint32_t sure = d8_bits_gt(low, tmin) & d8_bits_gt(tmax, high);
    uint32_t missed = d8_bits_gt(tmin, high) | d8_bits_gt(low, tmax);
    if (__builtin_expect(m->known != 0, 0)) {
        tri8_know(m, &query->ray, &low, &high, &sure, &missed);
    }
    tri8_ask_ends(&query->ray, m, hit & query->fit & ~(sure | missed), &sure, &missed);
    if (!any) {
        world_alike alike = { 0, 0 };
        if (in_floats) {
            alike.t = tri8_round(low, high, e->t);
            missed |= ~f8_bits_le(f8_load(e->t), f8_load(eight->best));
        } else {
            alike.t = m->known;
            missed |= d8_bits_gt(low, d8_doubles(eight->most));
        }
        tri8_quotient(m, inverse, inverse_max, m->u, m->u_error, &low, &high);
        alike.uv = tri8_round(low, high, e->u);
        tri8_quotient(m, inverse, inverse_max, m->v, m->v_error, &low, &high);
        alike.uv &= tri8_round(low, high, e->v);
        const uint32_t wanted = hit & ~missed & sure;
        if (!in_floats && (wanted & ~alike.t) != 0) {
            alike.t |= world_round_t(query, m, inverse, eight);
        }
        const uint32_t left = wanted & ~(alike.t & alike.uv);
        if (__builtin_expect(left != 0, 0)) {
            world_round_dd(query, left, in_floats, &alike, eight);
        }
        if (!in_floats && m->known != 0) {
            world_known_t(m, eight->t);
        }
        sure &= alike.t & alike.uv;
    }
    e->unsure &= ~(steady & missed & query->fit); /* whatever the weights are */
    e->unsure |= (e->hit & ~steady) | (hit & ~missed & ~sure);
    e->hit = hit & ~missed & sure;
}

/* Decides eight pairs, of which the first count are real; triangles of a tree over
 * several instances become their sources. */
static SLI_FORCE_INLINE void world_decide_eight(const sli_world_batch *batch, world_eight *eight,
                                                uint32_t count, bool any, sl_stats *stats)
{
    const uint32_t real = (1u << count) - 1;
    const sl_cull cull = batch->options->cull;
    tri8_answer *e = &eight->e;
    uint32_t mirrored = 0;
    world_query query;
    tri8_determinants m;
    tri8_source from;
    const sli_transformed *transformed[8];
    for (uint32_t i = 0; i < 8 && !batch->unmoved; i++) {
        eight->pack[i] =
            sli_world_source(batch->world, &eight->instance[i], eight->pack[i], &eight->lane[i]);
        transformed[i] = &batch->world->transformed[eight->instance[i]];
        mirrored |= (uint32_t)transformed[i]->mirrored << i;
    }
    memcpy(from.pack, eight->pack, sizeof from.pack);
    memcpy(from.lane, eight->lane, sizeof from.lane);
    world_read(batch, eight->index, &query);
    tri8_read_triangles(&from, &query.ray);
    if (!batch->unmoved) {
        world_to_world(transformed, &query.ray);
    }
    query.ray.flags = batch->options->flags;
    tri8_determine(&query.ray, &m);
    tri8_signs(&m, e);
    if (e->unsure != 0 && (query.ray.flags & SL_CROSSINGS) == 0) {
        const uint32_t unfit = e->unsure & ~query.fit;
        tri8_by_construction(&query.ray, &m, e);
        e->unsure |= unfit;
    }
    e->hit &= real;
    world_measure(&m, &query, any, batch->in_floats, eight);
    const uint32_t open = e->unsure & query.fit & real;
    if (open != 0 && (query.ray.flags & SL_CROSSINGS) == 0) {
        const tri8_bound bound = { .best = batch->in_floats ? eight->best : NULL,
                                   .most = batch->in_floats ? NULL : eight->most,
                                   .t = batch->in_floats ? NULL : eight->t };
        tri8_widen(&query.ray, SL_CULL_NONE, any ? NULL : &bound, open, e);
    }
    e->back ^= mirrored;
    if (cull != SL_CULL_NONE) {
        e->hit &= cull == SL_CULL_BACK ? ~e->back : e->back;
    }
    e->unsure = (e->unsure | (e->hit & ~query.fit)) & real;
    e->hit &= real & query.fit;
    stats->double_stage += count - (uint32_t)__builtin_popcount(e->unsure);
}

/* Whether the options of an item leave a triangle in; anything of an instance. */
static SLI_NOINLINE bool world_has(const sli_world_batch *batch, size_t index,
                                   sl_triangle_ref triangle, uint32_t mask)
{
    sli_world_ray ray;
    sli_world_options(batch->options, batch->ignore_stride, index, &ray);
    return sli_item_has(&ray.item, triangle, mask) &&
           sli_item_has_instance(&ray.item, triangle.instance);
}

static SLI_NOINLINE bool world_leaves_in(const sli_world_batch *batch, size_t index,
                                         uint32_t instance)
{
    sli_world_ray ray;
    sli_world_options(batch->options, batch->ignore_stride, index, &ray);
    return instance >= batch->world->count ||
           sli_world_selects(&ray.item, &batch->world->transformed[instance], instance);
}

/* The triangle of pair i. */
static SLI_FORCE_INLINE sl_triangle_ref world_pair_triangle(const world_eight *eight, uint32_t i)
{
    return (sl_triangle_ref){ .instance = eight->instance[i],
                              .prim = eight->pack[i]->prim[eight->lane[i]] };
}

/* Decides exactly a pair that doubles left undecided.  Rare: kept out of the loops. */
static SLI_NOINLINE bool world_settle(const sli_world_batch *batch, const world_eight *eight,
                                      uint32_t i, sl_hit_d *hit, sl_stats *stats)
{
    sli_world_ray ray;
    float x[3][3];
    sl_hit_d unused;
    sli_decision_stage stage;
    if (!sli_world_batch_ray(batch, eight->index[i], &ray)) {
        return false;
    }
    sli_pack_corners(eight->pack[i], (int)eight->lane[i], x);
    const double t_bound = ray.in_floats ? (double)eight->best[i] : eight->most[i];
    const bool is_hit = sli_world_decide(batch->world, &ray, world_pair_triangle(eight, i), x,
                                         t_bound, hit != NULL ? hit : &unused, &stage);
    stats->exact_stage += stage == SLI_STAGE_EXACT;
    stats->double_stage += stage == SLI_STAGE_DOUBLE;
    return is_hit;
}

/* Whether pair i, which is hit or undecided, is a hit that the query's options leave in; then fills
 * in hit, which is NULL for any-hit queries. */
static SLI_FORCE_INLINE bool world_pair_hit(const sli_world_batch *batch, const world_eight *eight,
                                            uint32_t i, sl_hit_d *hit, sl_stats *stats)
{
    const tri8_answer *e = &eight->e;
    const uint32_t unsure = e->unsure >> i & 1;
    const sl_triangle_ref triangle = world_pair_triangle(eight, i);
    if (sli_world_chooses(batch) &&
        !world_has(batch, eight->index[i], triangle, eight->pack[i]->mask[eight->lane[i]])) {
        stats->double_stage += unsure;
        return false;
    }
    if (hit != NULL) {
        *hit = (sl_hit_d){ .t = batch->in_floats ? (double)e->t[i] : eight->t[i],
                           .u = e->u[i],
                           .v = e->v[i],
                           .prim = triangle.prim,
                           .instance = triangle.instance,
                           .flags = tri8_flags(e, i) };
    }
    if (unsure != 0 && !world_settle(batch, eight, i, hit, stats)) {
        return false;
    }
    stats->hits++;
    return true;
}
