/* Spheres and capsules that move against a triangle: every decision and every t, against
 * integers. */
#include "lib/geom/convex/shapes_d.h"
#include "lib/geom/sweep/round_hull.h"
#include "lib/geom/sweep/sweep.h"
#include "test/support/hard/shapes.h"
#include "test/support/oracle/round_sweep.h"
#include "test/support/test.h"

#include <sightline/options.h>

#include <string.h>

enum { KINDS = 8 };

static double within(test_random *random, double size)
{
    return (double)test_random_in(random, -1, 1) * size;
}

/* A number of some kind: on lattices all is parallel or touches. */
static double draw(test_random *random, int kind, double before)
{
    switch (kind) {
    case 0:
        return within(random, 1);
    case 1:
        return (double)hard_whole(random, 3);
    case 2:
        return (double)hard_wild(random, (float)before);
    case 3:
        return (double)hard_number(random, HARD_EXTREME, (float)before, 3);
    case 4: /* far away, in doubles */
        return 1e7 + within(random, 2) + within(random, 1e-8);
    case 5:
        return (double)hard_whole(random, 2) + (test_random_below(random, 4) == 0 ? 0x1p-50 : 0);
    case 6: /* small next to large */
        return test_random_below(random, 2) == 0 ? within(random, 1e-3) : within(random, 100);
    default:
        return (double)hard_whole(random, 8) / 4;
    }
}

/* Often a ratio of a Pythagorean triple, so that distances are whole. */
static double draw_radius(test_random *random, int kind)
{
    static const double whole[] = { 0.25, 0.5, 1, 1.5, 2, 2.5, 3, 5, 6.5 };
    if (kind == 1 || kind == 5 || kind == 7) {
        return whole[test_random_below(random, sizeof whole / sizeof whole[0])];
    }
    double radius = kind == 4 ? within(random, 1) : draw(random, kind, 1);
    radius = fabs(radius) * (test_random_below(random, 4) == 0 ? 1e-3 : 0.5);
    return radius > 0x1p-100 || kind == 3 ? (double)(float)radius : 1;
}

/* Makes the motion hard: along an axis, an edge or in the face's plane; past a corner or an edge at
 * a distance of just the radius. */
static void aim(test_random *random, round_case *c)
{
    const uint32_t how = test_random_below(random, 8);
    const int i = (int)test_random_below(random, 3), k = (i + 1) % 3;
    for (int axis = 0; axis < 3; axis++) {
        const double along = c->corner[k][axis] - c->corner[i][axis];
        const double other = c->corner[(i + 2) % 3][axis] - c->corner[i][axis];
        if (how == 0) {
            c->dir[axis] = axis == i ? c->dir[axis] : 0;
        } else if (how == 1) {
            c->dir[axis] = along;
        } else if (how == 2) {
            c->dir[axis] = along + 2 * other;
        } else if (how == 3) { /* a corner is met on the way, off by the radius along an axis */
            const double to = c->corner[k][axis] - c->end[0][axis];
            c->dir[axis] = 2 * (to + (axis == i ? c->radius : 0));
        } else if (how == 4) { /* starts in contact with a corner, or near it */
            const double moved = c->corner[i][axis] + (axis == k ? c->radius : 0);
            c->end[1][axis] += moved - c->end[0][axis];
            c->end[0][axis] = moved;
        } else if (how == 5) {
            c->dir[axis] = c->corner[i][axis] - c->end[0][axis];
        }
    }
}

static void make_case(test_random *random, int kind, bool capsule, round_case *c)
{
    double before = 1;
    for (int i = 0; i < 3; i++) {
        for (int axis = 0; axis < 3; axis++) {
            c->corner[i][axis] = before = draw(random, kind, before);
            c->end[i % 2][axis] = before = draw(random, kind, before);
            c->dir[axis] = kind == 4 ? within(random, 3) : draw(random, kind, before);
        }
    }
    c->radius = draw_radius(random, kind);
    if (!capsule) {
        memcpy(c->end[1], c->end[0], sizeof c->end[1]);
    } else if (test_random_below(random, 4) == 0) { /* its axis is parallel to an edge */
        for (int axis = 0; axis < 3; axis++) {
            c->end[1][axis] = c->end[0][axis] + c->corner[1][axis] - c->corner[0][axis];
        }
    }
    aim(random, c);
}

/* Takes the case to the range of numbers; false where it cannot be. */
static bool take_case(round_case *c, bool capsule, sl_sweep_d *given, sli_sweep *sweep)
{
    const sl_triangle_d triangle = { { { c->corner[0][0], c->corner[0][1], c->corner[0][2] },
                                       { c->corner[1][0], c->corner[1][1], c->corner[1][2] },
                                       { c->corner[2][0], c->corner[2][1], c->corner[2][2] } } };
    sl_triangle_d taken;
    sl_volume_d *volume = &given->volume;
    volume->kind = capsule ? SL_VOLUME_CAPSULE : SL_VOLUME_SPHERE;
    memcpy(given->dir, c->dir, sizeof given->dir);
    if (capsule) {
        memcpy(volume->shape.capsule.p, c->end[0], sizeof c->end[0]);
        memcpy(volume->shape.capsule.q, c->end[1], sizeof c->end[1]);
        volume->shape.capsule.radius = c->radius;
    } else {
        memcpy(volume->shape.sphere.centre, c->end[0], sizeof c->end[0]);
        volume->shape.sphere.radius = c->radius;
    }
    if (!sli_sweep_take(given, sweep) || !sli_triangle_d_take(&triangle, &taken)) {
        return false;
    }
    volume = &sweep->volume;
    memcpy(c->corner, taken.v, sizeof c->corner);
    memcpy(c->dir, sweep->dir, sizeof c->dir);
    memcpy(c->end[0], capsule ? volume->shape.capsule.p : volume->shape.sphere.centre,
           sizeof c->end[0]);
    memcpy(c->end[1], capsule ? volume->shape.capsule.q : volume->shape.sphere.centre,
           sizeof c->end[1]);
    c->radius = capsule ? volume->shape.capsule.radius : volume->shape.sphere.radius;
    return c->radius > 0;
}

/* Whether the point is as far from the axis at t as it may be off, beside the radius along the
 * normal. */
static bool point_is_near(const round_case *c, const sl_contact *contact)
{
    double length = 0, size = c->radius, across = 0;
    for (int axis = 0; axis < 3; axis++) {
        size = fmax(size, fabs(c->end[0][axis]) + fabs(c->end[1][axis]) + fabs(c->dir[axis]));
        size = fmax(size, fabs(contact->point[axis]));
        length += contact->normal[axis] * contact->normal[axis];
    }
    assert_true(fabs(length - 1) < 1e-12);
    /* point + radius normal lies on the axis */
    double from[3], along[3], most = 0, part = 0;
    for (int axis = 0; axis < 3; axis++) {
        along[axis] = c->end[1][axis] - c->end[0][axis];
        most = fmax(most, fabs(along[axis]));
        from[axis] = contact->point[axis] + c->radius * contact->normal[axis] -
                     (c->end[0][axis] + contact->t * c->dir[axis]);
    }
    double dot = 0, square = 0;
    for (int axis = 0; axis < 3 && most > 0; axis++) {
        dot += from[axis] / most * (along[axis] / most);
        square += along[axis] / most * (along[axis] / most);
    }
    part = most > 0 ? fmin(fmax(dot / square, 0), 1) : 0;
    for (int axis = 0; axis < 3; axis++) {
        across = fmax(across, fabs(from[axis] - part * along[axis]));
    }
    return across <= 1e-13 * size;
}

static void sweep_all(bool capsule, size_t count, uint64_t seed)
{
    test_random random = { seed };
    size_t hits = 0, starts[4] = { 0, 0, 0, 0 }, wrong = 0, loose = 0;
    for (size_t i = 0; i < count; i++) {
        static sli_sweep sweep;
        round_case c;
        sl_sweep_d given = { .touching = (sl_start_contact)test_random_below(&random, 3),
                             .overlapping = (sl_start_contact)test_random_below(&random, 3),
                             .ignore_grazing = test_random_below(&random, 2) == 0 };
        make_case(&random, (int)(i % KINDS), capsule, &c);
        if (!take_case(&c, capsule, &given, &sweep)) {
            continue;
        }
        sl_contact contact = { .t = -7 };
        const bool found = sli_sweep_triangle(&sweep, (const double(*)[3])c.corner, 1, &contact);
        if (!round_case_is_right(&c, given.touching, given.overlapping, given.ignore_grazing, found,
                                 &contact)) {
            printf("case %zu kind %zu touching %d overlapping %d grazing %d\n", i, i % KINDS,
                   (int)given.touching, (int)given.overlapping, given.ignore_grazing);
            if (++wrong > 5) {
                break;
            }
            continue;
        }
        assert_true(found || contact.t == -7);
        hits += found;
        starts[contact.start] += found;
        if (found && contact.start != SL_START_OVERLAPPING) {
            loose += !point_is_near(&c, &contact);
        }
    }
    assert_int_equal(wrong, 0);
    assert_true(loose <= 1 + count / 100000); /* ways of 2^100 along an edge */
    printf("%zu: %zu hits; apart %zu, closing %zu, receding %zu, overlapping %zu\n", count, hits,
           starts[0], starts[1], starts[2], starts[3]);
    for (int i = 0; i < 4; i++) {
        assert_true(starts[i] * 1000 > count);
    }
}

TEST(spheres_are_decided_and_rounded_as_integers_say)
{
    sweep_all(false, 20000 + 100000 * test_scale(), test_seed(41));
}

TEST(capsules_are_decided_and_rounded_as_integers_say)
{
    sweep_all(true, 8000 + 10000 * test_scale(), test_seed(42));
}

/* Corners of whole numbers and halves, which doubles hold. */
static void hull_of_box(const sl_obb_d *box, sli_hull *out)
{
    double corner[8][3];
    for (int i = 0; i < 8; i++) {
        memcpy(corner[i], box->centre, sizeof corner[i]);
        for (int k = 0; k < 9; k++) {
            const double side = (i >> k / 3 & 1) != 0 ? box->half[k / 3] : -box->half[k / 3];
            corner[i][k % 3] += side * box->axis[k / 3][k % 3];
        }
    }
    sli_hull_make((const double(*)[3])corner, 8, out);
}

/* Boxes, sheared and flat ones too, as the hulls of their corners, of which each face is a
 * triangle. */
TEST(boxes_of_any_orientation_are_met_as_their_hulls)
{
    static const double halves[4] = { 0, 0.5, 1, 1.5 };
    test_random random = { test_seed(43) };
    size_t hits = 0, starts = 0;
    for (size_t i = 0; i < 4000 + 20000 * test_scale(); i++) {
        static sli_hull hull;
        round_case c;
        sl_obb_d box;
        sl_contact contact, other;
        make_case(&random, i % 2 == 0 ? 1 : 7, i % 3 == 0, &c);
        for (int axis = 0; axis < 3; axis++) {
            box.centre[axis] = (double)hard_whole(&random, 2);
            box.half[axis] = halves[test_random_below(&random, 4)];
            for (int k = 0; k < 3; k++) {
                box.axis[axis][k] = (double)hard_whole(&random, 2);
            }
        }
        const sli_round mover = {
            .end = { c.end[0], c.end[1] },
            .end_count = memcmp(c.end[0], c.end[1], sizeof c.end[0]) == 0 ? 1 : 2,
            .dir = c.dir,
            .moves = c.dir[0] != 0 || c.dir[1] != 0 || c.dir[2] != 0,
            .radius = { c.radius, 0 },
        };
        hull_of_box(&box, &hull);
        const bool found = sli_round_obb(&mover, &box, &contact);
        assert_true(found == sli_round_hull(&mover, &hull, &other));
        if (found) {
            assert_true(contact.t == other.t && contact.t_safe == other.t_safe);
            assert_int_equal(contact.start, other.start);
            for (int axis = 0; axis < 3 && contact.start == SL_START_APART; axis++) {
                assert_true(fabs(contact.normal[axis] - other.normal[axis]) < 1e-12);
            }
        }
        hits += found;
        starts += found && contact.t == 0;
    }
    assert_true(starts > 1000 && hits > starts + 1000);
}

/* Two spheres of radii 1 and 2 whose centres come within 3 at t = 1/2, and never nearer in one
 * case: they graze. */
TEST(a_sphere_meets_a_sphere)
{
    for (int grazing = 0; grazing < 2; grazing++) {
        const double off = grazing ? 3 : 0;
        sl_sweep_d sweep = { .volume.kind = SL_VOLUME_SPHERE, .dir = { grazing ? 8 : 2, 0, 0 } };
        sl_volume_d ball = { .kind = SL_VOLUME_SPHERE };
        sl_contact contact;
        sweep.volume.shape.sphere = (sl_sphere_d){ { -4, off, 0 }, 1 };
        ball.shape.sphere = (sl_sphere_d){ { 0, 0, 0 }, 2 };
        assert_true(sl_sweep_volume(&sweep, &ball, &contact));
        assert_true(contact.t == 0.5 && contact.t_safe == 0.5);
        assert_true(contact.point[0] == (grazing ? 0 : -2) &&
                    contact.point[1] == (grazing ? 2 : 0));
        assert_true(contact.normal[0] == (grazing ? 0 : -1));
    }
}

/* Onto the middle of a face from above, at a distance of 3 less the radius 1, and past it. */
TEST(a_capsule_falls_on_a_face_and_slides_along_it)
{
    const double corners[3][3] = { { -4, 0, -4 }, { 0, 0, 8 }, { 4, 0, -4 } };
    sl_sweep_d given = { .volume.kind = SL_VOLUME_CAPSULE, .dir = { 0, -4, 0 } };
    static sli_sweep sweep;
    sl_contact contact;
    given.volume.shape.capsule = (sl_capsule_d){ { 0, 3, 0 }, { 0, 5, 0 }, 1 };
    assert_true(sli_sweep_take(&given, &sweep));
    assert_true(sli_sweep_triangle(&sweep, corners, 1, &contact));
    assert_true(contact.t == 0.5 && contact.t_safe == 0.5 && contact.start == SL_START_APART);
    assert_true(contact.normal[1] == 1 && contact.point[1] == 0 && contact.flags == 0);

    /* At rest on it, moving along it, or up: it recedes. */
    given.touching = SL_START_IGNORE_RECEDING;
    given.volume.shape.capsule = (sl_capsule_d){ { 0, 1, 0 }, { 0, 5, 0 }, 1 };
    const double ways[4][3] = { { 1, 0, 0 }, { 0, 0, 0 }, { 0, 1, 0 }, { 1, -0x1p-140, 0 } };
    for (int i = 0; i < 4; i++) {
        memcpy(given.dir, ways[i], sizeof given.dir);
        assert_true(sli_sweep_take(&given, &sweep));
        assert_true(sli_sweep_triangle(&sweep, corners, 1, &contact) == (i == 3));
    }
    assert_int_equal(contact.start, SL_START_TOUCHING_CLOSING);
}
