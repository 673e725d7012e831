/* Sweeps that meet many triangles at once: a prism whose bottom is parallel to a floor, dropped on
 * it, resting, sliding and rising, by all policies, against every triangle in turn; and the normal
 * of what is overlapped in an instance that mirrors. */
#include "test/support/test.h"

#include <sightline/sweep.h>

#include <math.h>

enum { SIDES = 60, CELLS = 12 };

/* A prism over a polygon whose corners are on a grid, with its bottom on a plane that leans. */
static void make_prism(double height, double points[2 * SIDES][3])
{
    for (int i = 0; i < SIDES; i++) {
        const double angle = 2 * acos(-1) * i / SIDES;
        const double x = rint(256 * cos(angle)) / 64, y = rint(256 * sin(angle)) / 64;
        for (int end = 0; end < 2; end++) {
            double *p = points[2 * i + end];
            p[0] = x;
            p[1] = y;
            p[2] = x / 2 + y / 4 + height + end;
        }
    }
}

/* A floor about the middle of the prism that leans as it does. */
static sl_bvh *make_floor(const sl_bvh *flat)
{
    sl_instance instance = sl_instance_of(flat);
    instance.transform.m[2][0] = 0.5;
    instance.transform.m[2][1] = 0.25;
    for (int axis = 0; axis < 2; axis++) {
        instance.transform.m[axis][3] = -CELLS / 2;
    }
    instance.transform.m[2][3] = -CELLS / 2 * 0.75;
    return made_scene(&instance, 1, NULL);
}

/* The first contact, as each triangle by itself says. */
static sl_contact first_in_turn(const sl_bvh *bvh, const sl_sweep_d *sweep, uint32_t count)
{
    sl_contact first = { .prim = SL_NONE }, contact;
    for (uint32_t prim = 0; prim < count; prim++) {
        sl_volume_d triangle = { .kind = SL_VOLUME_TRIANGLE };
        assert_true(sl_bvh_triangle(bvh, (sl_triangle_ref){ 0, prim }, triangle.shape.triangle.v));
        if (sl_sweep_volume(sweep, &triangle, &contact) &&
            (first.prim == SL_NONE || contact.t < first.t)) {
            first = contact;
            first.prim = prim;
        }
    }
    return first;
}

TEST(what_meets_a_floor_meets_its_lowest_triangle)
{
    OWN(sl_mesh) mesh = made_grid(CELLS, CELLS, 0, 1);
    OWN(sl_bvh) flat = made_bvh(mesh, NULL);
    OWN(sl_bvh) floor = make_floor(flat);
    const double dirs[][3] = { { 0, 0, -4 }, { 0, 0, 0 },  { 4, 0, 2 },
                               { 0, 0, 4 },  { 1, 2, -3 }, { -1, 2, 0 } };
    const double heights[] = { 0, 1, 0.3 };
    for (int i = 0; i < 6 * 3 * 3; i++) {
        double points[2 * SIDES][3];
        make_prism(heights[i % 3], points);
        const sl_sweep_d sweep = { .volume = { .kind = SL_VOLUME_HULL,
                                               .shape.hull = { points[0], 2 * SIDES } },
                                   .dir = { dirs[i / 9][0], dirs[i / 9][1], dirs[i / 9][2] },
                                   .touching = (sl_start_contact)(i / 3 % 3) };
        const sl_contact expected = first_in_turn(floor, &sweep, 2 * CELLS * CELLS);
        sl_contact contact;
        const bool met = sl_bvh_sweep_d(floor, &sweep, NULL, &contact);
        assert_int_equal(met, expected.prim != SL_NONE);
        assert_int_equal(contact.prim, expected.prim);
        if (met) {
            assert_true(contact.t == expected.t && contact.t_safe == expected.t_safe);
            assert_memory_equal(contact.normal, expected.normal, sizeof contact.normal);
            assert_int_equal(contact.start, expected.start);
        }
    }
}

TEST(fronts_of_mirrored_instances_are_those_of_their_objects)
{
    const float corners[] = { 0, 0, 0, 1, 0, 0, 0, 1, 0 };
    OWN(sl_mesh) mesh = made_loose_mesh(corners, 3, NULL, 1);
    OWN(sl_bvh) tree = made_bvh(mesh, NULL);
    sl_instance instance = sl_instance_of(tree);
    instance.transform.m[0][0] = -1;
    OWN(sl_bvh) mirrored = made_scene(&instance, 1, NULL);
    sl_sweep_d sweeps[] = {
        { .volume = { .kind = SL_VOLUME_SPHERE,
                      .shape.sphere = { .centre = { -0.25, 0.25, 0 }, .radius = 0.5 } } },
        { .volume = { .kind = SL_VOLUME_AABB,
                      .shape.aabb = { .min = { -0.5, 0.1, -0.5 }, .max = { -0.1, 0.3, 0.5 } } } },
    };
    for (int i = 0; i < 2; i++) {
        sl_contact contact;
        assert_true(sl_bvh_sweep_d(mirrored, &sweeps[i], NULL, &contact));
        assert_int_equal(contact.start, SL_START_OVERLAPPING);
        assert_true(contact.normal[2] == 1);
    }
}
