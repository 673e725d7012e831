/* world_questions.c: the rays, segments, points and volumes of a case in floats and in doubles, and
 * where answers to them go. */
#include "test/cliffs/draw.h"
#include "test/cliffs/world_ask.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

static void shift_all(const shift *s, world_questions *q)
{
    cliff_rays *f = &q->floats;
    for (size_t i = 0; i < f->count; i++) {
        q->rays[i] = sl_ray_d_from_ray(&f->rays[i]);
        shift_three(s, f->rays[i].origin, q->rays[i].origin);
        shift_three(s, f->segments[i].p, q->segments[i].p);
        shift_three(s, f->segments[i].q, q->segments[i].q);
        shift_three(s, f->points + 3 * i, q->points + 3 * i);
        shift_three(s, f->targets + 3 * i, q->targets + 3 * i);
        for (size_t axis = 0; axis < 3; axis++) {
            q->dirs[3 * i + axis] = (double)f->dirs[3 * i + axis];
        }
    }
}

/* A box, sphere, oriented box, capsule or triangle at a question's point. */
static sl_volume_d volume_at(const sl_segment_d *s, size_t i, double radius)
{
    const double *p = s->p;
    sl_volume_d v = { .kind = SL_VOLUME_AABB };
    switch (i % 5) {
    case 0:
        for (int axis = 0; axis < 3; axis++) {
            v.shape.aabb.min[axis] = p[axis] - radius;
            v.shape.aabb.max[axis] = p[axis] + radius;
        }
        return v;
    case 1:
        v.kind = SL_VOLUME_SPHERE;
        v.shape.sphere = (sl_sphere_d){ { p[0], p[1], p[2] }, radius };
        return v;
    case 2:
        v.kind = SL_VOLUME_OBB;
        v.shape.obb = (sl_obb_d){ { p[0], p[1], p[2] },
                                  { { 0.6, 0.8, 0 }, { -0.8, 0.6, 0 }, { 0, 0, 1 } },
                                  { radius, 0.5 * radius, 0.1 * radius } };
        return v;
    case 3:
        v.kind = SL_VOLUME_CAPSULE;
        v.shape.capsule = (sl_capsule_d){ { p[0], p[1], p[2] },
                                          { p[0] + radius, p[1], p[2] + radius },
                                          0.2 * radius };
        return v;
    default:
        v.kind = SL_VOLUME_TRIANGLE;
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

static void shuffle_rays(cliff_rays *f, test_random *random)
{
    for (size_t i = f->count; i > 1; i--) {
        const size_t j = test_random_below(random, (uint32_t)i);
        const sl_ray ray = f->rays[i - 1];
        const sl_segment segment = f->segments[i - 1];
        f->rays[i - 1] = f->rays[j];
        f->rays[j] = ray;
        f->segments[i - 1] = f->segments[j];
        f->segments[j] = segment;
    }
    for (size_t i = 0; i < 3 * f->count; i++) {
        f->points[i] = f->rays[i / 3].origin[i % 3];
        f->dirs[i] = f->rays[i / 3].dir[i % 3];
        f->targets[i] = f->segments[i / 3].q[i % 3];
    }
}

static bool allocate(world_questions *q)
{
    const size_t count = q->floats.count;
    q->rays = calloc(count, sizeof *q->rays);
    q->segments = calloc(count, sizeof *q->segments);
    q->points = calloc(count, 3 * sizeof *q->points);
    q->dirs = calloc(count, 3 * sizeof *q->dirs);
    q->targets = calloc(count, 3 * sizeof *q->targets);
    q->volumes = calloc(count, sizeof *q->volumes);
    q->volumes_d = calloc(count, sizeof *q->volumes_d);
    q->hints = calloc(count, sizeof *q->hints);
    return q->rays != NULL && q->segments != NULL && q->points != NULL && q->dirs != NULL &&
           q->targets != NULL && q->volumes != NULL && q->volumes_d != NULL && q->hints != NULL;
}

bool questions_make(const cliff_case *c, const cliff_world *w, bool back, bool shuffled,
                    world_questions *q)
{
    const bool in_floats = case_int(c, CASE_FORM) == FORM_FLOATS;
    const double radius = c->field[CASE_RADIUS] * w->flat.unit;
    const shift s = { { world_at(c, 0), world_at(c, 1), world_at(c, 2) }, back, in_floats };
    *q = (world_questions){ .room = (size_t)c->field[CASE_K], .radius = (float)radius };
    if (!rays_make(c, &w->flat, &q->floats) || !allocate(q)) {
        questions_free(q);
        return false;
    }
    if (shuffled) {
        test_random random = { (uint64_t)c->field[CASE_RAY_SEED] };
        shuffle_rays(&q->floats, &random);
    }
    shift_all(&s, q);
    for (size_t i = 0; i < q->floats.count; i++) {
        q->volumes_d[i] = volume_at(&q->segments[i], i, radius);
        q->volumes[i] = round_volume(in_floats, &q->volumes_d[i]);
        q->hints[i] = (sl_triangle_ref){ .prim = SL_NONE };
    }
    return true;
}

void questions_free(world_questions *q)
{
    rays_free(&q->floats);
    free(q->rays);
    free(q->segments);
    free(q->points);
    free(q->dirs);
    free(q->targets);
    free(q->volumes);
    free(q->volumes_d);
    free(q->hints);
    *q = (world_questions){ .room = 0 };
}

void questions_hint(const cliff_case *c, cliff_world *w, world_questions *q)
{
    const hint_kind kind = (hint_kind)case_int(c, CASE_HINTS);
    const sl_scene *scene = world_scene(c, w, WORLD_LIST);
    const uint32_t prims = (uint32_t)sl_mesh_triangle_count(w->object.mesh);
    test_random random = { (uint64_t)c->field[CASE_RAY_SEED] };
    for (size_t i = 0; i < q->floats.count && scene != NULL && kind != HINT_NONE; i++) {
        const bool right = kind == HINT_RIGHT || (kind == HINT_HALF && i % 2 == 0);
        sl_hit_d hit = { .prim = SL_NONE };
        if (right) {
            (void)sl_scene_closest_segment_d(scene, &q->segments[i], NULL, &hit);
        } else {
            hit.prim = test_random_below(&random, prims);
            hit.instance = test_random_below(&random, (uint32_t)w->count);
        }
        q->hints[i] = (sl_triangle_ref){ .instance = hit.instance, .prim = hit.prim };
    }
}

bool world_answers_make(const cliff_case *c, world_answers *out)
{
    const size_t count = (size_t)c->field[CASE_COUNT], room = (size_t)c->field[CASE_K];
    *out = (world_answers){ .rows = calloc(count * room, WORLD_ANSWER),
                            .totals = calloc(count, sizeof *out->totals),
                            .any = calloc(count, 1),
                            .hints = calloc(count, sizeof *out->hints),
                            .instances = calloc(count * room, sizeof *out->instances) };
    if (out->rows != NULL && out->totals != NULL && out->any != NULL && out->hints != NULL &&
        out->instances != NULL) {
        return true;
    }
    world_answers_free(out);
    return false;
}

void world_answers_free(world_answers *answers)
{
    free(answers->rows);
    free(answers->totals);
    free(answers->any);
    free(answers->hints);
    free(answers->instances);
    *answers = (world_answers){ 0 };
}

bool world_answers_agree(const cliff_case *c, const world_answers *a, const world_answers *b)
{
    const size_t count = (size_t)c->field[CASE_COUNT], room = (size_t)c->field[CASE_K];
    return memcmp(a->rows, b->rows, count * room * WORLD_ANSWER) == 0 &&
           memcmp(a->totals, b->totals, count * sizeof *a->totals) == 0 &&
           memcmp(a->any, b->any, count) == 0 &&
           memcmp(a->instances, b->instances, count * room * sizeof *a->instances) == 0;
}
