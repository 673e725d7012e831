/* character_mover.c: a capsule that walks: it slides along walls, steps up, stays off slopes that
 * are too steep, falls where there is no ground, and never goes through anything.
 *
 *     character_mover spot.obj [steps]
 *
 * It walks about in random directions.  After each of its motions the program asks, exactly,
 * whether the way of its lower end went through a triangle and whether it overlaps one: never. */
#include <sightline/sightline.h>
#include <sightline/sweep.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SLIDES = 4 };

typedef struct mover {
    const sl_bvh *bvh;
    sl_capsule_d body;
    double skin;        /* how far it stays away from what it meets */
    double step_height; /* it climbs no higher at once */
    double floor_min;   /* ground has a normal with at least this y: the cosine of the slope */
    bool grounded;
    size_t crossed, overlaps; /* what must not happen */
} mover;

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void move_body(sl_capsule_d *body, const double dir[3], double t)
{
    for (int axis = 0; axis < 3; axis++) {
        body->p[axis] += t * dir[axis];
        body->q[axis] += t * dir[axis];
    }
}

/* What only touches is no overlap. */
static bool overlaps(const sl_bvh *bvh, const sl_capsule_d *body)
{
    const sl_sweep_d still = { .volume = { .kind = SL_VOLUME_CAPSULE, .shape.capsule = *body },
                               .touching = SL_START_IGNORE };
    return sl_bvh_sweep_d(bvh, &still, NULL, NULL);
}

/* Moves along dir as far as nothing is in the way; returns the part of dir that it went.  What it
 * touches and leaves is not in the way. */
static double advance(mover *m, const double dir[3], sl_contact *contact)
{
    const sl_sweep_d sweep = { .volume = { .kind = SL_VOLUME_CAPSULE, .shape.capsule = m->body },
                               .dir = { dir[0], dir[1], dir[2] },
                               .touching = SL_START_IGNORE_RECEDING };
    const double length = sqrt(dot(dir, dir));
    const sl_capsule_d before = m->body;
    contact->prim = SL_NONE;
    if (!(length > 0)) {
        return 0;
    }
    double t = 1;
    if (sl_bvh_sweep_d(m->bvh, &sweep, NULL, contact)) {
        t = fmax(0, contact->t_safe - m->skin / length);
    }
    /* Coordinates are rounded: where that makes it overlap, it goes a little less far. */
    for (;; t = t > 1e-3 ? t * 0.999 : 0) {
        m->body = before;
        move_body(&m->body, dir, t);
        if (t == 0 || !overlaps(m->bvh, &m->body)) {
            break;
        }
    }
    m->crossed += t > 0 && sl_bvh_occluded_d(m->bvh, before.p, m->body.p, NULL);
    m->overlaps += overlaps(m->bvh, &m->body);
    return t;
}

static bool is_ground(const mover *m, const sl_contact *contact)
{
    return contact->prim != SL_NONE && contact->normal[1] >= m->floor_min;
}

/* Goes along dir, and along what is in the way: what is left of dir loses what goes into the
 * normal, and in a crease of two all but what goes along both. */
static void slide(mover *m, const double dir[3])
{
    double left[3] = { dir[0], dir[1], dir[2] }, last[3] = { 0, 0, 0 };
    for (int i = 0; i < SLIDES && dot(left, left) > m->skin * m->skin; i++) {
        sl_contact contact;
        const double t = advance(m, left, &contact);
        if (contact.prim == SL_NONE) {
            return;
        }
        double n[3] = { contact.normal[0], contact.normal[1], contact.normal[2] };
        if (!is_ground(m, &contact) && n[1] > 0) { /* a slope that is too steep is a wall */
            n[1] = 0;
            const double flat = sqrt(dot(n, n));
            n[0] /= flat;
            n[2] /= flat;
        }
        const double into = fmin(dot(left, n), 0), again = i > 0 ? dot(left, last) : 0;
        for (int axis = 0; axis < 3; axis++) {
            left[axis] = (1 - t) * (left[axis] - into * n[axis]);
        }
        if (i > 0 && dot(left, last) < 0 && again >= 0) {
            const double crease[3] = { n[1] * last[2] - n[2] * last[1],
                                       n[2] * last[0] - n[0] * last[2],
                                       n[0] * last[1] - n[1] * last[0] };
            const double square = dot(crease, crease);
            const double along = square > 0 ? dot(left, crease) / square : 0;
            for (int axis = 0; axis < 3; axis++) {
                left[axis] = along * crease[axis];
            }
        }
        memcpy(last, n, sizeof last);
    }
}

/* A step on the ground: up, on, and down again, by no more than it may climb; where it would come
 * to stand on what is too steep, it only slides. */
static void walk(mover *m, const double dir[3])
{
    const mover before = *m;
    const double up[3] = { 0, m->step_height, 0 }, down[3] = { 0, -2 * m->step_height, 0 };
    sl_contact contact;
    if (m->grounded) {
        (void)advance(m, up, &contact);
    }
    slide(m, dir);
    (void)advance(m, down, &contact);
    m->grounded = is_ground(m, &contact);
    if (before.grounded && contact.prim != SL_NONE && !m->grounded) {
        m->body = before.body;
        slide(m, dir);
        (void)advance(m, down, &contact);
        m->grounded = is_ground(m, &contact);
    }
    if (contact.prim != SL_NONE && !m->grounded) { /* down the slope */
        slide(m, down);
    }
}

/* ---- The walk ---- */

static uint64_t state = 20261127;

static double random_unit(void)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (double)(state >> 11) * 0x1p-53;
}

/* Somewhere in the bounds, out of everything, with ground below.  False: not this time. */
static bool enter(mover *m, const sl_aabb_d *bounds, double radius)
{
    double offset[3];
    for (int axis = 0; axis < 3; axis++) {
        const double low = bounds->min[axis], high = bounds->max[axis];
        m->body.p[axis] = m->body.q[axis] = low + (high - low) * random_unit();
    }
    m->body.q[1] += 3 * radius;
    m->body.radius = radius;
    const sl_volume_d volume = { .kind = SL_VOLUME_CAPSULE, .shape.capsule = m->body };
    if (!sl_bvh_push_out(m->bvh, &volume, 10 * radius, NULL, offset)) {
        return false;
    }
    move_body(&m->body, offset, 1);
    const double down[3] = { 0, bounds->min[1] - bounds->max[1], 0 };
    sl_contact contact;
    (void)advance(m, down, &contact);
    m->grounded = is_ground(m, &contact);
    return m->grounded;
}

int main(int argc, char **argv)
{
    sl_error error = { .message = "out of memory" };
    sl_mesh *mesh = NULL;
    sl_bvh *bvh = NULL;
    if (sl_mesh_load(argc > 1 ? argv[1] : "spot.obj", NULL, &mesh, &error) != SL_OK ||
        sl_bvh_build(mesh, NULL, &bvh, &error) != SL_OK) {
        fprintf(stderr, "%s\n", error.message);
        sl_mesh_destroy(mesh);
        return 1;
    }
    const long steps = argc > 2 ? atol(argv[2]) : 300;
    const sl_aabb_d bounds = sl_bvh_bounds(bvh);
    double size = 0;
    for (int axis = 0; axis < 3; axis++) {
        size = fmax(size, bounds.max[axis] - bounds.min[axis]);
    }
    const double radius = size / 100;
    mover m = {
        .bvh = bvh, .skin = radius / 64, .step_height = radius, .floor_min = 0.64 /* 50 degrees */
    };
    long standing = 0, entered = 0;
    double dir[3] = { 0, 0, 0 };
    bool inside = false;
    for (long i = 0; i < steps; i++) {
        if (!inside || m.body.q[1] < bounds.min[1]) { /* it has walked over the edge */
            inside = enter(&m, &bounds, radius);
            entered += inside;
            continue;
        }
        if (i % 8 == 0) {
            dir[0] = radius * (4 * random_unit() - 2);
            dir[2] = radius * (4 * random_unit() - 2);
        }
        walk(&m, dir);
        standing += m.grounded;
    }
    printf("%ld steps, %ld on the ground, %ld starts\n", steps, standing, entered);
    printf("went through something: %zu, overlaps: %zu\n", m.crossed, m.overlaps);
    sl_bvh_destroy(bvh);
    sl_mesh_destroy(mesh);
    return m.crossed + m.overlaps > 0;
}
