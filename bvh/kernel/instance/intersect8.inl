/* Eight pairs of a ray of a world and a triangle of an instance, decided in doubles: rays in floats
 * or in doubles are read, corners go to the world by the corner rule, signs and limits
 * are those of filter/tri8.inl, and t, u and v are rounded, in double-doubles where doubles leave
 * that open (dd8.inl).  What is still open is left to the exact predicates
 * (intersect.h).  For leaves (batch_leaves.inl) and hints (hints.inl). */
#pragma once

#include "bvh/kernel/filter/tri8.inl"
#include "bvh/kernel/instance/dd8.inl"
#include "bvh/kernel/instance/intersect.h"
#include "bvh/kernel/instance/to_local8.inl"

/* Eight pairs, and what was decided of them. */
typedef struct scene_eight {
    size_t index[8]; /* of the rays in the batch */
    const sli_tri_pack *pack[8];
    uint32_t lane[8], instance[8];
    float best[8];  /* of rays in floats: t beyond which hits do not matter */
    double most[8]; /* of rays in doubles: the same of exact t */
    tri8_answer e;
    double t[8]; /* of rays in doubles, in place of e.t */
} scene_eight;

/* Rays as doubles; the exact direction is ray.dir + dir_low. */
typedef struct scene_question {
    tri8_question ray; /* corners, too, once they are read */
    d8 dir_low[3];
    uint32_t fit; /* lanes with valid rays of a size for which doubles decide */
} scene_question;

static SLI_NOINLINE d8 scene_round_small(d8 x, d8 large)
{
    const d8 zero = d8_splat(0);
    const d8 signed_large = d8_where(d8_bits_gt(zero, x), d8_sub(zero, large), large);
    const d8 rounded = d8_sub(d8_add(x, signed_large), signed_large);
    return d8_where(d8_bits_gt(large, d8_abs(x)), rounded, x);
}

/* Rounds to the nearest multiple of the grid, as sli_round_to_grid; large is 2^52 of it.  From
 * there on every double is one, and so is 0: with the finest grid hardly any other is met. */
static SLI_FORCE_INLINE d8 scene_round(d8 x, d8 large)
{
    const d8 size = d8_abs(x), zero = d8_splat(0);
    if (__builtin_expect((d8_bits_gt(large, size) & d8_bits_gt(size, zero)) != 0, 0)) {
        return scene_round_small(x, large);
    }
    return d8_add(x, zero); /* zeros become +0 */
}

/* Rays and segments in doubles, taken to multiples of 2^-149 as exact_ray.c does. */
static void scene_read_doubles(const sli_scene_batch *asked, const size_t index[8],
                               scene_question *ask)
{
    tri8_question *q = &ask->ray;
    const d8 large = d8_splat(0x1p52 * SLI_STEP);
    const bool segments = asked->rays_d == NULL;
    const double *first[8], *second[8];
    d8 start[4], rest[4];
    for (int i = 0; i < 8; i++) { /* of a segment numbers 0 .. 3 and 2 .. 5 */
        first[i] = segments ? (const double *)(const void *)&asked->segments_d[index[i]]
                            : (const double *)(const void *)&asked->rays_d[index[i]];
        second[i] = first[i] + (segments ? 2 : 4);
    }
    d8_fours(first, start);
    d8_fours(second, rest);
    for (int axis = 0; axis < 3; axis++) {
        q->origin[axis] = scene_round(start[axis], large);
        q->dir[axis] = scene_round(rest[axis + segments], large);
        ask->dir_low[axis] = d8_splat(0);
        if (segments) {
            const dd8 dir = dd8_difference(q->dir[axis], q->origin[axis]);
            q->dir[axis] = dir.high;
            ask->dir_low[axis] = dir.low;
        }
    }
    q->tmin = segments ? d8_splat(0) : start[3];
    q->tmax = segments ? d8_splat(1) : rest[3];
}

static void scene_read_segments(const sl_segment *segments, const size_t index[8],
                                scene_question *ask)
{
    f8 row[8]; /* numbers 0 .. 3, then 2 .. 5 */
    for (int i = 0; i < 8; i++) {
        const float *from = (const float *)(const void *)&segments[index[i]];
        row[i] = f8_pair(f4_load(from), f4_load(from + 2));
    }
    f8_transpose(row);
    for (int axis = 0; axis < 3; axis++) {
        const d8 p = d8_from_f8(row[axis]), q = d8_from_f8(row[SEGMENT_FLOAT_Q + 2 + axis]);
        const dd8 dir = dd8_difference(q, p);
        ask->ray.origin[axis] = p;
        ask->ray.dir[axis] = dir.high;
        ask->dir_low[axis] = dir.low;
    }
    ask->ray.tmin = d8_splat(0);
    ask->ray.tmax = d8_splat(1);
}

static void scene_read_rays(const sl_ray *rays, const size_t index[8], scene_question *ask)
{
    tri8_source from;
    for (int i = 0; i < 8; i++) {
        from.ray[i] = (const float *)(const void *)&rays[index[i]];
    }
    tri8_read_rays(&from, false, &ask->ray);
    for (int axis = 0; axis < 3; axis++) {
        ask->dir_low[axis] = d8_splat(0);
    }
}

/* Reads rays, or segments, of a batch. */
static SLI_FORCE_INLINE void scene_read(const sli_scene_batch *asked, const size_t index[8],
                                        scene_question *ask)
{
    tri8_question *q = &ask->ray;
    if (asked->rays != NULL) {
        scene_read_rays(asked->rays, index, ask);
    } else if (asked->segments != NULL) {
        scene_read_segments(asked->segments, index, ask);
    } else {
        scene_read_doubles(asked, index, ask);
    }
    const d8 most = d8_splat(TO_LOCAL8_SIZE_MAX), length = tri8_norm1(q->dir);
    ask->fit = d8_bits_gt(most, tri8_norm1(q->origin)) & d8_bits_gt(most, length) &
               d8_bits_gt(length, d8_splat(TO_LOCAL8_DIR_MIN)) &
               (d8_bits_gt(q->tmax, q->tmin) | d8_bits_eq(q->tmax, q->tmin));
}

/* Makes the corners in the world: exactly sli_transform_corner.  unmoved: as of a sli_scene_batch.
 */
static SLI_FORCE_INLINE void scene_to_world(const scene_eight *eight,
                                            const sli_placed *const placed[8], bool unmoved,
                                            tri8_question *ask)
{
    tri8_source from;
    double grid[8];
    const double *row_at[3][8];
    for (int i = 0; i < 8; i++) {
        from.pack[i] = eight->pack[i];
        from.lane[i] = eight->lane[i];
        grid[i] = placed[i]->grid;
        for (int axis = 0; axis < 3; axis++) {
            row_at[axis][i] = placed[i]->place.m[axis];
        }
    }
    tri8_read_triangles(&from, ask);
    if (unmoved) {
        return;
    }
    const d8 large = d8_mul(d8_splat(0x1p52), d8_doubles(grid));
    d8 world[3][3];
    for (int axis = 0; axis < 3; axis++) {
        d8 row[4];
        d8_fours(row_at[axis], row);
        for (int i = 0; i < 3; i++) {
            const d8 *x = ask->corner[i];
            const d8 sum =
                d8_add(d8_add(d8_mul(row[0], x[0]), d8_mul(row[1], x[1])), d8_mul(row[2], x[2]));
            world[i][axis] = scene_round(d8_add(sum, row[3]), large);
        }
    }
    memcpy(ask->corner, world, sizeof world);
}

/* Lanes in which t, and u and v, are rounded for certain. */
typedef struct scene_alike {
    uint32_t t, uv;
} scene_alike;

/* Writes some lanes of out. */
static SLI_FORCE_INLINE void scene_copy_floats(float *out, const float from[8], uint32_t lanes)
{
    for (; lanes != 0; lanes &= lanes - 1) {
        out[__builtin_ctz(lanes)] = from[__builtin_ctz(lanes)];
    }
}

/* Rounds in double-doubles, of the lanes left, what alike has not yet, and adds to it what then is
 * certain. */
static SLI_NOINLINE void scene_round_dd(const scene_question *ask, uint32_t left, bool in_floats,
                                        scene_alike *alike, scene_eight *out)
{
    dd8_pairs m;
    dd8_value t, u, v;
    d8 low, high;
    float rounded[2][8];
    dd8_make_t(&ask->ray, ask->dir_low, &m, &t);
    if (in_floats) {
        dd8_between(&t, &low, &high);
        const uint32_t sure = left & ~alike->t & m.steady & tri8_round(low, high, rounded[0]);
        scene_copy_floats(out->e.t, rounded[0], sure);
        alike->t |= sure;
    } else {
        alike->t |= m.steady & dd8_round(&t, out->t);
    }
    const uint32_t left_uv = left & ~alike->uv & m.steady;
    if (left_uv != 0) {
        dd8_make_uv(&m, &u, &v);
        dd8_between(&u, &low, &high);
        uint32_t sure = left_uv & tri8_round(low, high, rounded[0]);
        dd8_between(&v, &low, &high);
        sure &= tri8_round(low, high, rounded[1]);
        scene_copy_floats(out->e.u, rounded[0], sure);
        scene_copy_floats(out->e.v, rounded[1], sure);
        alike->uv |= sure;
    }
}

/* Applies the limits on t, and sets t, u and v of hits. */
static SLI_FORCE_INLINE void scene_measure(const tri8_determinants *m, const scene_question *ask,
                                           bool any, bool in_floats, scene_eight *eight)
{
    tri8_answer *e = &eight->e;
    const d8 inverse = d8_div(d8_splat(1), m->det), tmin = ask->ray.tmin, tmax = ask->ray.tmax;
    const d8 inverse_max = d8_mul(d8_abs(inverse), d8_splat(1 + 0x1p-8));
    const uint32_t steady = d8_bits_gt(d8_abs(m->det), d8_mul(m->det_error, d8_splat(1024)));
    d8 low, high;
    tri8_quotient(m, inverse, inverse_max, m->t, m->t_error, &low, &high);
    const uint32_t after = d8_bits_gt(low, tmin), before = d8_bits_gt(tmin, high);
    const uint32_t within = d8_bits_gt(tmax, high), beyond = d8_bits_gt(low, tmax);
    const uint32_t hit = e->hit & steady;
    uint32_t sure = after & within, missed = before | beyond;
    if (!any) {
        scene_alike alike = { 0, 0 };
        if (in_floats) {
            alike.t = tri8_round(low, high, e->t);
            missed |= ~f8_bits_le(f8_load(e->t), f8_load(eight->best));
        } else {
            missed |= d8_bits_gt(low, d8_doubles(eight->most));
        }
        tri8_quotient(m, inverse, inverse_max, m->u, m->u_error, &low, &high);
        alike.uv = tri8_round(low, high, e->u);
        tri8_quotient(m, inverse, inverse_max, m->v, m->v_error, &low, &high);
        alike.uv &= tri8_round(low, high, e->v);
        const uint32_t left = hit & ~missed & sure & ~(alike.t & alike.uv);
        if (left != 0) {
            scene_round_dd(ask, left, in_floats, &alike, eight);
        }
        sure &= alike.t & alike.uv;
    }
    e->unsure |= (e->hit & ~steady) | (hit & ~missed & ~sure);
    e->hit = hit & ~missed & sure;
}

/* Decides eight pairs, of which the first count are real. */
static SLI_FORCE_INLINE void scene_decide_eight(const sli_scene_batch *asked, scene_eight *eight,
                                                uint32_t count, bool any, sl_stats *stats)
{
    const uint32_t real = (1u << count) - 1;
    const sl_cull cull = asked->query->cull;
    const sli_placed *placed[8];
    tri8_answer *e = &eight->e;
    uint32_t mirrored = 0;
    for (uint32_t i = 0; i < 8; i++) {
        placed[i] = &asked->world->placed[eight->instance[i]];
        mirrored |= (uint32_t)placed[i]->mirrored << i;
    }
    scene_question ask;
    tri8_determinants m;
    scene_read(asked, eight->index, &ask);
    scene_to_world(eight, placed, asked->unmoved, &ask.ray);
    ask.ray.crossings = (asked->query->flags & SL_CROSSINGS) != 0;
    tri8_determine(&ask.ray, &m);
    tri8_signs(&m, e);
    if (e->unsure != 0 && !ask.ray.crossings) {
        tri8_axis_aligned(&ask.ray, &m, e);
    }
    e->hit &= real;
    scene_measure(&m, &ask, any, asked->in_floats, eight);
    e->back ^= mirrored;
    if (cull != SL_CULL_NONE) {
        e->hit &= cull == SL_CULL_BACK ? ~e->back : e->back;
    }
    e->unsure = (e->unsure | (e->hit & ~ask.fit)) & real;
    e->hit &= real & ask.fit;
    stats->double_stage += count - (uint32_t)__builtin_popcount(e->unsure);
}

/* Whether the options of an item leave a triangle in; anything of an instance. */
static SLI_NOINLINE bool scene_has(const sli_scene_batch *asked, size_t index,
                                   sl_triangle_ref triangle, uint32_t mask)
{
    sli_scene_ray ray;
    sli_scene_options(asked->query, asked->ignore_stride, index, &ray);
    return sli_item_has(&ray.item, triangle, mask);
}

static SLI_NOINLINE bool scene_leaves_in(const sli_scene_batch *asked, size_t index,
                                         uint32_t instance)
{
    sli_scene_ray ray;
    sli_scene_options(asked->query, asked->ignore_stride, index, &ray);
    return sli_scene_selects(&ray, &asked->world->placed[instance], instance);
}

/* The triangle of pair i. */
static SLI_FORCE_INLINE sl_triangle_ref scene_pair_triangle(const scene_eight *eight, uint32_t i)
{
    return (sl_triangle_ref){ .instance = eight->instance[i],
                              .prim = eight->pack[i]->prim[eight->lane[i]] };
}

/* Decides exactly a pair that doubles left undecided.  Rare: kept out of the loops. */
static SLI_NOINLINE bool scene_settle(const sli_scene_batch *asked, const scene_eight *eight,
                                      uint32_t i, sl_hit_d *hit, sl_stats *stats)
{
    sli_scene_ray ray;
    float x[3][3];
    sl_hit_d unused;
    sli_decision_stage stage;
    if (!sli_scene_batch_ray(asked, eight->index[i], &ray)) {
        return false;
    }
    sli_pack_corners(eight->pack[i], (int)eight->lane[i], x);
    const double t_bound = ray.in_floats ? (double)eight->best[i] : eight->most[i];
    const bool is_hit = sli_scene_decide(asked->world, &ray, scene_pair_triangle(eight, i), x,
                                         t_bound, hit != NULL ? hit : &unused, &stage);
    stats->exact_stage += stage == SLI_STAGE_EXACT;
    stats->double_stage += stage == SLI_STAGE_DOUBLE;
    return is_hit;
}

/* Whether pair i, which is hit or undecided, is a hit that the query's options leave in; then fills
 * in hit, which is NULL for any-hit queries. */
static SLI_FORCE_INLINE bool scene_pair_hit(const sli_scene_batch *asked, const scene_eight *eight,
                                            uint32_t i, sl_hit_d *hit, sl_stats *stats)
{
    const tri8_answer *e = &eight->e;
    const uint32_t unsure = e->unsure >> i & 1;
    const sl_triangle_ref triangle = scene_pair_triangle(eight, i);
    if ((asked->uses & (SLI_USES_MASK | SLI_USES_SKIP)) != 0 &&
        !scene_has(asked, eight->index[i], triangle, eight->pack[i]->mask[eight->lane[i]])) {
        stats->double_stage += unsure;
        return false;
    }
    if (hit != NULL) {
        *hit = (sl_hit_d){ .t = asked->in_floats ? (double)e->t[i] : eight->t[i],
                           .u = e->u[i],
                           .v = e->v[i],
                           .prim = triangle.prim,
                           .instance = triangle.instance,
                           .flags = tri8_flags(e, i) };
    }
    if (unsure != 0 && !scene_settle(asked, eight, i, hit, stats)) {
        return false;
    }
    stats->hits++;
    return true;
}
