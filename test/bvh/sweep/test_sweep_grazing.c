/* What slides flush over a floor of many triangles, by hand: with ignore_grazing it meets the wall
 * at the floor's end and nothing before. */
#include "test/support/test.h"

#include <sightline/sweep.h>

#include <math.h>
#include <string.h>

enum { CELLS = 8, SHAPES = 6 };

/* A floor at z = 0, 0 .. 8 wide, and as the last two triangles a wall at x = 8, z = -1 to 3. */
static sl_mesh *make_room(void)
{
    enum { CORNERS = (CELLS + 1) * (CELLS + 1) };
    float corners[3 * (CORNERS + 4)];
    uint32_t faces[6 * (CELLS * CELLS + 1)], *face = faces;
    for (uint32_t i = 0; i < CORNERS; i++) {
        const uint32_t x = i % (CELLS + 1), y = i / (CELLS + 1), far = i + CELLS + 1;
        corners[3 * i] = (float)x;
        corners[3 * i + 1] = (float)y;
        corners[3 * i + 2] = 0;
        if (x < CELLS && y < CELLS) {
            const uint32_t quad[6] = { i, i + 1, far + 1, i, far + 1, far };
            memcpy(face, quad, sizeof quad);
            face += 6;
        }
    }
    static const float wall[12] = { 8, 0, -1, 8, 8, -1, 8, 8, 3, 8, 0, 3 };
    const uint32_t quad[6] = {
        CORNERS, CORNERS + 2, CORNERS + 1, CORNERS, CORNERS + 3, CORNERS + 2
    };
    memcpy(corners + (size_t)3 * CORNERS, wall, sizeof wall);
    memcpy(face, quad, sizeof quad);
    return made_loose_mesh(corners, CORNERS + 4, faces, 2 * (CELLS * CELLS + 1));
}

static const double cut[5][3] = {
    { 0.5, 1, 0 }, { 1.5, 1, 0 }, { 0.5, 2, 0 }, { 1.5, 2, 0.5 }, { 1, 1.5, 1 }
};

/* Each stands flush on the floor; its foremost x is 1.5. */
static const sl_volume_d shapes[SHAPES] = {
    { SL_VOLUME_AABB, { .aabb = { { 0.5, 1, 0 }, { 1.5, 1.75, 1 } } } },
    { SL_VOLUME_SPHERE, { .sphere = { { 1, 1.25, 0.5 }, 0.5 } } },
    { SL_VOLUME_CAPSULE, { .capsule = { { 1, 1.25, 0.5 }, { 1, 1.25, 2 }, 0.5 } } },
    { SL_VOLUME_CAPSULE, { .capsule = { { 1, 1.25, 0.5 }, { 0.5, 1.75, 0.5 }, 0.5 } } },
    { SL_VOLUME_HULL, { .hull = { cut[0], 5 } } },
    { SL_VOLUME_OBB,
      { .obb = { { 1, 1.5, 0.25 },
                 { { 0.6, 0.8, 0 }, { -0.8, 0.6, 0 }, { 0, 0, 1 } },
                 { 0.25, 0.4375, 0.25 } } } },
};

TEST(what_slides_flush_meets_the_wall_alone)
{
    OWN(sl_mesh) mesh = make_room();
    OWN(sl_bvh) room = made_bvh(mesh, NULL);
    const double dirs[3][3] = { { 8, 0, 0 }, { 8, 1, 0 }, { 8, 0.3, 0 } };
    for (int i = 0; i < SHAPES * 3; i++) {
        sl_sweep_d sweep = { .volume = shapes[i % SHAPES], .touching = SL_START_IGNORE_RECEDING };
        memcpy(sweep.dir, dirs[i / SHAPES], sizeof sweep.dir);
        sl_contact contact, all[2];
        assert_true(sl_bvh_sweep_d(room, &sweep, NULL, &contact));
        assert_true(contact.t < 0.5 && contact.prim < 2 * CELLS * CELLS);

        sweep.ignore_grazing = true;
        assert_true(sl_bvh_sweep_d(room, &sweep, NULL, &contact));
        assert_true(contact.prim >= 2 * CELLS * CELLS && contact.normal[0] == -1);
        assert_true(contact.start == SL_START_APART && fabs(contact.t - 0.8125) < 0x1p-50);
        const size_t met = sl_bvh_sweep_all(room, &sweep, NULL, all, 2);
        assert_true(met >= 1 && met <= 2 && all[0].prim == contact.prim);

        for (int axis = 0; axis < 3; axis++) {
            sweep.dir[axis] *= 0.75; /* not as far as the wall */
        }
        assert_false(sl_bvh_sweep_d(room, &sweep, NULL, &contact));
        assert_false(sl_bvh_sweep_d(room, &sweep, NULL, NULL));
        assert_int_equal(sl_bvh_sweep_all(room, &sweep, NULL, NULL, 0), 0);
    }
}

/* What is dropped on the floor comes to a stop there, also where t is 1; a flat one grazes
 * nothing. */
TEST(what_lands_or_is_flat_does_not_graze)
{
    OWN(sl_mesh) mesh = make_room();
    OWN(sl_bvh) room = made_bvh(mesh, NULL);
    sl_contact contact;
    sl_sweep_d sweep = { .ignore_grazing = true };
    for (int i = 0; i < SHAPES; i++) {
        sweep.volume = shapes[i];
        sweep.touching = SL_START_REPORT;
        memcpy(sweep.dir, (double[3]){ 0, 0, -1 }, sizeof sweep.dir);
        assert_true(sl_bvh_sweep_d(room, &sweep, NULL, &contact) && contact.t == 0);
    }
    sweep.volume = (sl_volume_d){ SL_VOLUME_SPHERE, { .sphere = { { 1.25, 1.5, 1.5 }, 0.5 } } };
    assert_true(sl_bvh_sweep_d(room, &sweep, NULL, &contact) && contact.t == 1);
    sweep.volume = (sl_volume_d){ SL_VOLUME_AABB, { .aabb = { { 1, 1, 1 }, { 1.5, 2, 2 } } } };
    assert_true(sl_bvh_sweep_d(room, &sweep, NULL, &contact) && contact.t == 1);

    const sl_aabb_d leaf = { { 0.5, 1, 0 }, { 1.25, 1.5, 0 } };
    sweep.volume = (sl_volume_d){ SL_VOLUME_AABB, { .aabb = leaf } };
    sweep.touching = SL_START_IGNORE_RECEDING;
    memcpy(sweep.dir, (double[3]){ 2, 0, 0 }, sizeof sweep.dir);
    assert_true(sl_bvh_sweep_d(room, &sweep, NULL, &contact) && contact.t < 0.5);
    sweep.volume = (sl_volume_d){ SL_VOLUME_SPHERE, { .sphere = { { 1.25, 1.5, 1 }, 0 } } };
    memcpy(sweep.dir, (double[3]){ 0, 0, -2 }, sizeof sweep.dir);
    assert_true(sl_bvh_sweep_d(room, &sweep, NULL, &contact) && contact.t == 0.5);
}

/* Shapes that stand: a ball that passes a corner or the side of a box at exactly its radius, and
 * one that comes nearer. */
TEST(shapes_that_stand_are_grazed_too)
{
    const sl_volume_d box = { SL_VOLUME_AABB, { .aabb = { { 0, 0, 0 }, { 1, 1, 1 } } } };
    const sl_volume_d ball = { SL_VOLUME_SPHERE, { .sphere = { { -4, 0.5, 1.5 }, 0.5 } } };
    sl_sweep_d by_ball = { .volume = ball, .dir = { 8, 0, 0 } };
    sl_sweep_d by_box = { .volume = box, .dir = { -8, 0, 0 } };
    for (int pass = 0; pass < 8; pass++) {
        const bool ignored = pass % 2 == 1, nearer = pass / 2 % 2 == 1;
        sl_volume_d at = ball;
        at.shape.sphere.centre[2] -= nearer ? 0x1p-40 : 0;
        at.shape.sphere.centre[1] += pass >= 4 ? 0.5 : 0; /* over an edge */
        by_ball.volume = at;
        by_ball.ignore_grazing = by_box.ignore_grazing = ignored;
        assert_int_equal(sl_sweep_volume(&by_ball, &box, NULL), nearer || !ignored);
        assert_int_equal(sl_sweep_volume(&by_box, &at, NULL), nearer || !ignored);
        const sl_volume_d other = { SL_VOLUME_SPHERE,
                                    { .sphere = { { 0, at.shape.sphere.centre[1], 0.5 }, 0.5 } } };
        assert_int_equal(sl_sweep_volume(&by_ball, &other, NULL), nearer || !ignored);
    }
}
