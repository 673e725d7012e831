/* questions.c: the rays, segments, points and volumes of a case in floats and in doubles. */
#include "test/cliffs/questions.h"
#include "test/support/query/of_one.h"

#include <stdlib.h>

/* What a coordinate of the world at the origin is asked as. */
typedef struct shift {
    double at[3];
    bool back, in_floats;
} shift;

/* In doubles; of float questions, what the float in its place is. */
static double shifted(const shift *s, size_t axis, float x)
{
    double there = (double)x + s->at[axis];
    there = s->in_floats ? (double)(float)there : there;
    return s->back ? there - s->at[axis] : there;
}

static void shift_three(const shift *s, float from[3], double to[3])
{
    for (size_t axis = 0; axis < 3; axis++) {
        to[axis] = shifted(s, axis, from[axis]);
        from[axis] = (float)to[axis];
    }
}

static void shift_all(const shift *s, bench_rays *q)
{
    for (size_t i = 0; i < q->count; i++) {
        q->rays_d[i] = sl_ray_d_from_ray(&q->rays[i]);
        shift_three(s, q->rays[i].origin, q->rays_d[i].origin);
        shift_three(s, q->segments[i].p, q->segments_d[i].p);
        shift_three(s, q->segments[i].q, q->segments_d[i].q);
        shift_three(s, q->points + 3 * i, q->points_d + 3 * i);
        shift_three(s, q->targets + 3 * i, q->targets_d + 3 * i);
        for (size_t axis = 0; axis < 3; axis++) {
            q->dirs_d[3 * i + axis] = (double)q->dirs[3 * i + axis];
        }
    }
}

sl_volume_d volume_at(sl_volume_kind kind, const double p[3], double radius)
{
    sl_volume_d v = { .kind = kind };
    switch (kind) {
    case SL_VOLUME_AABB:
        for (int axis = 0; axis < 3; axis++) {
            v.shape.aabb.min[axis] = p[axis] - radius;
            v.shape.aabb.max[axis] = p[axis] + radius;
        }
        return v;
    case SL_VOLUME_SPHERE:
        v.shape.sphere = (sl_sphere_d){ { p[0], p[1], p[2] }, radius };
        return v;
    case SL_VOLUME_OBB:
        v.shape.obb = (sl_obb_d){ { p[0], p[1], p[2] },
                                  { { 0.6, 0.8, 0 }, { -0.8, 0.6, 0 }, { 0, 0, 1 } },
                                  { radius, 0.5 * radius, 0.1 * radius } };
        return v;
    case SL_VOLUME_CAPSULE:
        v.shape.capsule = (sl_capsule_d){ { p[0], p[1], p[2] },
                                          { p[0] + radius, p[1], p[2] + radius },
                                          0.2 * radius };
        return v;
    default:
        v.shape.triangle = (sl_triangle_d){ { { p[0], p[1], p[2] },
                                              { p[0] + radius, p[1], p[2] },
                                              { p[0], p[1] + radius, p[2] + radius } } };
        return v;
    }
}

/* Rounds count numbers to floats, and the doubles with them where they are to be the same. */
static void round_numbers(bool in_floats, double *from, size_t count, float *to)
{
    for (size_t i = 0; i < count; i++) {
        to[i] = (float)from[i];
        from[i] = in_floats ? (double)to[i] : from[i];
    }
}

static sl_volume round_volume(bool in_floats, sl_volume_d *d)
{
    sl_volume v = { .kind = d->kind };
    switch (d->kind) {
    case SL_VOLUME_AABB:
        round_numbers(in_floats, d->shape.aabb.min, 3, v.shape.aabb.min);
        round_numbers(in_floats, d->shape.aabb.max, 3, v.shape.aabb.max);
        break;
    case SL_VOLUME_SPHERE:
        round_numbers(in_floats, d->shape.sphere.centre, 3, v.shape.sphere.centre);
        round_numbers(in_floats, &d->shape.sphere.radius, 1, &v.shape.sphere.radius);
        break;
    case SL_VOLUME_OBB:
        round_numbers(in_floats, d->shape.obb.centre, 3, v.shape.obb.centre);
        round_numbers(in_floats, d->shape.obb.half, 3, v.shape.obb.half);
        for (size_t axis = 0; axis < 3; axis++) {
            round_numbers(in_floats, d->shape.obb.axis[axis], 3, v.shape.obb.axis[axis]);
        }
        break;
    case SL_VOLUME_CAPSULE:
        round_numbers(in_floats, d->shape.capsule.p, 3, v.shape.capsule.p);
        round_numbers(in_floats, d->shape.capsule.q, 3, v.shape.capsule.q);
        round_numbers(in_floats, &d->shape.capsule.radius, 1, &v.shape.capsule.radius);
        break;
    default:
        for (size_t k = 0; k < 3; k++) {
            round_numbers(in_floats, d->shape.triangle.v[k], 3, v.shape.triangle.v[k]);
        }
        break;
    }
    return v;
}

static bool allocate_doubles(bench_rays *q)
{
    const size_t count = q->count;
    q->rays_d = calloc(count, sizeof *q->rays_d);
    q->segments_d = calloc(count, sizeof *q->segments_d);
    q->points_d = calloc(count, 3 * sizeof *q->points_d);
    q->dirs_d = calloc(count, 3 * sizeof *q->dirs_d);
    q->targets_d = calloc(count, 3 * sizeof *q->targets_d);
    q->volumes = calloc(count, sizeof *q->volumes);
    q->volumes_d = calloc(count, sizeof *q->volumes_d);
    q->hints = calloc(count, sizeof *q->hints);
    return q->rays_d != NULL && q->segments_d != NULL && q->points_d != NULL && q->dirs_d != NULL &&
           q->targets_d != NULL && q->volumes != NULL && q->volumes_d != NULL && q->hints != NULL;
}

bool queries_make(const cliff_case *c, const cliff_world *w, bool back, bool shuffled,
                  bench_rays *q)
{
    static const sl_volume_kind kinds[] = { SL_VOLUME_AABB, SL_VOLUME_SPHERE, SL_VOLUME_OBB,
                                            SL_VOLUME_CAPSULE, SL_VOLUME_TRIANGLE };
    const bool in_floats = case_int(c, CASE_FORM) == FORM_FLOATS;
    const double radius = c->field[CASE_RADIUS] * w->flat.unit;
    const shift s = { { world_at(c, 0), world_at(c, 1), world_at(c, 2) }, back, in_floats };
    if (!rays_make(c, &w->flat, q) || !allocate_doubles(q)) {
        bench_rays_free(q);
        return false;
    }
    q->capacity = (size_t)c->field[CASE_K];
    q->radius = (float)radius;
    if (shuffled) {
        test_random random = { (uint64_t)c->field[CASE_RAY_SEED] };
        rays_shuffle(q, &random);
    }
    shift_all(&s, q);
    for (size_t i = 0; i < q->count; i++) {
        q->volumes_d[i] = volume_at(kinds[i % 5], q->segments_d[i].p, radius);
        q->volumes[i] = round_volume(in_floats, &q->volumes_d[i]);
        q->hints[i] = (sl_triangle_ref){ .prim = SL_NONE };
    }
    return true;
}

void queries_hint(const cliff_case *c, cliff_world *w, bench_rays *q)
{
    const hint_kind kind = (hint_kind)case_int(c, CASE_HINTS);
    const sl_bvh *scene = world_scene(c, w, WORLD_LIST);
    const uint32_t prims = (uint32_t)sl_mesh_soup(w->object.mesh).triangle_count;
    test_random random = { (uint64_t)c->field[CASE_RAY_SEED] };
    for (size_t i = 0; i < q->count && scene != NULL && kind != HINT_NONE; i++) {
        const bool right = kind == HINT_RIGHT || (kind == HINT_HALF && i % 2 == 0);
        sl_hit_d hit = { .prim = SL_NONE };
        if (right) {
            (void)closest_of_one(scene, sl_segments_of_d(&q->segments_d[i], 1), NULL,
                                 sl_hits_of_d(&hit));
        } else {
            hit.prim = test_random_below(&random, prims);
            hit.instance = test_random_below(&random, (uint32_t)w->count);
        }
        q->hints[i] = (sl_triangle_ref){ .instance = hit.instance, .prim = hit.prim };
    }
}
