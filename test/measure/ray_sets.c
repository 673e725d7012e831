#include "test/measure/ray_sets.h"

#include "test/support/hard_rays.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 128, AO_RAYS = 4 };

static const struct {
    const char *name;
    bool any, segments;
} kinds[SET_KINDS] = {
    [SET_PRIMARY] = { "primary", false, false },
    [SET_DIFFUSE] = { "diffuse", false, false },
    [SET_SHUFFLED] = { "shuffled", false, false },
    [SET_ANY] = { "any", true, false },
    [SET_AO] = { "ao", true, false },
    [SET_RANDOM] = { "random", false, false },
    [SET_BOX] = { "seg-box", true, true },
    [SET_SURFACE] = { "seg-surf", true, true },
};

typedef struct maker {
    const sl_mesh *mesh;
    const sl_bvh *bvh;
    sl_aabb bounds;
    float diagonal;
    test_random random;
    ray_set *set;
    size_t made;
} maker;

static void normalize(float v[3])
{
    const float length = sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int axis = 0; axis < 3 && length > 0; axis++) {
        v[axis] /= length;
    }
}

static void cross(const float a[3], const float b[3], float out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        const int j = (axis + 1) % 3, k = (axis + 2) % 3;
        out[axis] = a[j] * b[k] - a[k] * b[j];
    }
}

/* Two directions that make a frame with the unit vector n. */
static void frame(const float n[3], float x[3], float y[3])
{
    const float other[3] = { fabsf(n[0]) < 0.9f ? 1.0f : 0.0f, fabsf(n[0]) < 0.9f ? 0.0f : 1.0f,
                             0 };
    cross(n, other, x);
    normalize(x);
    cross(n, x, y);
}

static void surface_point(maker *m, float point[3])
{
    const sl_triangle t = hard_triangle(m->mesh, &m->random);
    const float u = test_random_unit(&m->random), v = (1 - u) * test_random_unit(&m->random);
    for (int axis = 0; axis < 3; axis++) {
        point[axis] =
            t.v[0][axis] + u * (t.v[1][axis] - t.v[0][axis]) + v * (t.v[2][axis] - t.v[0][axis]);
    }
}

static void box_point(maker *m, float point[3])
{
    for (int axis = 0; axis < 3; axis++) {
        point[axis] = test_random_in(&m->random, m->bounds.min[axis], m->bounds.max[axis]);
    }
}

static void add(maker *m, const sl_ray *ray)
{
    if (m->made < m->set->count) {
        m->set->rays[m->made++] = *ray;
    }
}

static void add_segment(maker *m, const float p[3], const float q[3])
{
    sl_ray ray = { .tmax = 1 };
    memcpy(ray.origin, p, sizeof ray.origin);
    for (int axis = 0; axis < 3; axis++) {
        ray.dir[axis] = q[axis] - p[axis];
    }
    if (m->made < m->set->count) {
        memcpy(m->set->segment[m->made].p, p, 12);
        memcpy(m->set->segment[m->made].q, q, 12);
        m->set->rays[m->made++] = ray;
    }
}

/* Cosine-weighted about the side of the surface that the camera sees. */
static void bounce(maker *m, const sl_ray *camera, const sl_hit *hit, float tmax)
{
    sl_surface surface;
    if (!sl_bvh_surface(m->bvh, hit, &surface)) {
        return;
    }
    float x[3], y[3], n[3], dot = 0;
    for (int axis = 0; axis < 3; axis++) {
        dot += surface.normal[axis] * camera->dir[axis];
    }
    for (int axis = 0; axis < 3; axis++) {
        n[axis] = dot > 0 ? -surface.normal[axis] : surface.normal[axis];
    }
    frame(n, x, y);
    const float angle = 6.2831853f * test_random_unit(&m->random);
    const float r2 = test_random_unit(&m->random), r = sqrtf(r2), z = sqrtf(1 - r2);
    sl_ray ray = { .tmax = tmax };
    for (int axis = 0; axis < 3; axis++) {
        ray.origin[axis] = dot > 0 ? surface.back_origin[axis] : surface.front_origin[axis];
        ray.dir[axis] = r * cosf(angle) * x[axis] + r * sinf(angle) * y[axis] + z * n[axis];
    }
    add(m, &ray);
}

/* One picture: its rays, or what bounces off where they hit. */
static void picture(maker *m, set_kind kind, bool inside)
{
    float eye[3], at[3], way[3], x[3], y[3], away[3];
    surface_point(m, at);
    box_point(m, eye);
    for (int axis = 0; axis < 3 && !inside; axis++) {
        away[axis] = test_random_in(&m->random, -1, 1);
    }
    if (!inside) {
        normalize(away);
    }
    for (int axis = 0; axis < 3; axis++) {
        const float centre = m->bounds.min[axis] / 2 + m->bounds.max[axis] / 2;
        eye[axis] = inside ? eye[axis] : centre + away[axis] * m->diagonal;
        way[axis] = at[axis] - eye[axis];
    }
    normalize(way);
    frame(way, x, y);
    const float half = inside ? 0.7f : 0.4f;
    for (int pixel = 0; pixel < SIDE * SIDE && m->made < m->set->count; pixel++) {
        const float px = half * ((float)(pixel % SIDE) * (2.0f / SIDE) - 1);
        const float py = half * ((float)(pixel / SIDE) * (2.0f / SIDE) - 1);
        float dir[3];
        for (int axis = 0; axis < 3; axis++) {
            dir[axis] = way[axis] + px * x[axis] + py * y[axis];
        }
        const sl_ray ray = sl_ray_make(eye, dir);
        if (kind == SET_PRIMARY) {
            add(m, &ray);
            continue;
        }
        sl_hit hit;
        if (sl_bvh_closest(m->bvh, &ray, NULL, &hit)) {
            for (int i = 0; i < (kind == SET_AO ? AO_RAYS : 1); i++) {
                bounce(m, &ray, &hit, kind == SET_AO ? 0.1f * m->diagonal : INFINITY);
            }
        }
    }
}

/* Both ends off the surfaces that they were taken from. */
static void draw_in(float p[3], float q[3])
{
    for (int axis = 0; axis < 3; axis++) {
        const float step = (q[axis] - p[axis]) * 0.001f;
        p[axis] += step;
        q[axis] -= step;
    }
}

static void points(maker *m, set_kind kind)
{
    float p[3], q[3];
    if (kind == SET_SURFACE) {
        surface_point(m, p);
        surface_point(m, q);
        draw_in(p, q);
    } else {
        box_point(m, p);
        box_point(m, q);
    }
    if (kind != SET_RANDOM) {
        add_segment(m, p, q);
        return;
    }
    float dir[3];
    for (int axis = 0; axis < 3; axis++) {
        dir[axis] = q[axis] - p[axis];
    }
    const sl_ray ray = sl_ray_make(p, dir);
    add(m, &ray);
}

static void shuffle(maker *m)
{
    for (size_t i = m->set->count - 1; i > 0; i--) {
        const size_t j = test_random_below(&m->random, (uint32_t)i + 1);
        const sl_ray ray = m->set->rays[i];
        m->set->rays[i] = m->set->rays[j];
        m->set->rays[j] = ray;
    }
}

ray_set ray_set_make(set_kind kind, const sl_mesh *mesh, const sl_bvh *bvh, size_t count)
{
    ray_set set = { .name = kinds[kind].name,
                    .any = kinds[kind].any,
                    .segments = kinds[kind].segments,
                    .rays = malloc(count * sizeof *set.rays),
                    .segment = malloc(count * sizeof *set.segment),
                    .count = count };
    if (set.rays == NULL || set.segment == NULL) {
        fprintf(stderr, "out of memory\n");
        exit(4);
    }
    maker m = { .mesh = mesh, .bvh = bvh, .bounds = sl_bvh_bounds(bvh), .set = &set };
    m.random.state = 7;
    for (int axis = 0; axis < 3; axis++) {
        const float side = m.bounds.max[axis] - m.bounds.min[axis];
        m.diagonal += side * side;
    }
    m.diagonal = sqrtf(m.diagonal);
    for (int turn = 0; m.made < count; turn++) {
        if (kind == SET_RANDOM || kinds[kind].segments) {
            points(&m, kind);
        } else {
            picture(&m, kind, turn % 2 == 1);
        }
    }
    if (kind == SET_SHUFFLED || kind == SET_ANY) {
        shuffle(&m);
    }
    return set;
}

void ray_set_free(ray_set *set)
{
    free(set->rays);
    free(set->segment);
}
