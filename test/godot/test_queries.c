/* What the extension for Godot (tools/godot) answers, loaded by a stand-in for Godot and called in
 * each of four ways, held against the library's own answers, bit for bit.  What it made is gone at
 * the end of each. */
#include "test/godot/calls.h"

enum { BODIES = 12, LINES = 400 };

/* ---- A world, and the same scene by the library itself ---- */

typedef struct twin {
    GDExtensionClassInstancePtr world;
    sl_bvh *bvh, *scene;
    sl_instance instances[BODIES];
} twin;

static int64_t add_sphere(GDExtensionClassInstancePtr world, const sl_soup *soup)
{
    FREED double *xyz = made_memory(3 * soup->vertex_count * sizeof *xyz);
    for (size_t i = 0; i < 3 * soup->vertex_count; i++) {
        xyz[i] = (double)soup->xyz[i];
    }
    return CALL("add_mesh", points(xyz, soup->vertex_count),
                ints((const int32_t *)soup->indices, 3 * soup->triangle_count));
}

/* Any transform but flat ones: turned, scaled, mirrored now and then. */
static host_variant random_place(test_random *random, sl_transform *out)
{
    double basis[12];
    for (int i = 0; i < 12; i++) {
        const double near = i % 4 == 0 && i < 9 ? 1 : 0;
        basis[i] =
            i < 9 ? near + test_random_in_d(random, -0.4, 0.4) : test_random_in_d(random, -5, 5);
        out->m[i < 9 ? i / 3 : i - 9][i < 9 ? i % 3 : 3] = real(basis[i]);
    }
    return host_reals(V(TRANSFORM3D), basis);
}

static twin make_twin(test_random *random)
{
    OWN(sl_mesh) mesh = made_sphere(6);
    const sl_soup soup = sl_mesh_soup(mesh);
    GDExtensionClassInstancePtr world = host_new();
    twin t = { .world = world, .bvh = made_bvh(mesh, NULL) };
    assert_int_equal(add_sphere(world, &soup), 0);
    for (int i = 0; i < BODIES; i++) {
        t.instances[i] = sl_instance_of(t.bvh);
        t.instances[i].mask = 1u << i % 2;
        const host_variant place = random_place(random, &t.instances[i].transform);
        assert_int_equal(CALL("add_instance", host_int(0), place, host_int(1 << i % 2)), i);
    }
    assert_int_equal(number(world, "update", 0, NULL), 1);
    t.scene = made_scene(t.instances, BODIES, NULL);
    return t;
}

static void end_twin(twin *t)
{
    host_delete(t->world);
    sl_bvh_destroy(t->scene);
    sl_bvh_destroy(t->bvh);
}

/* Points of reals: some in one another's place, some that are none. */
static void random_points(test_random *random, double (*out)[3], size_t count)
{
    static const double odd[] = { NAN, INFINITY, -INFINITY, 0, 1e300 };
    for (size_t i = 0; i < count; i++) {
        for (int axis = 0; axis < 3; axis++) {
            out[i][axis] = real(test_random_in_d(random, -6, 6));
        }
        if (i % 16 == 0) {
            out[i][i / 16 % 3] = real(odd[i / 16 % 5]);
        }
    }
}

/* ---- Lines of sight ---- */

/* What visibility.h says of the same pairs of ends. */
static void expect_sight(const twin *t, double (*from)[3], double (*to)[3], const int32_t *own,
                         const sl_options *options, const host_variant *seen)
{
    static sl_sight_end ends[2][LINES];
    static sl_sight_pair pairs[LINES];
    uint64_t bits[LINES / 64 + 1];
    size_t count;
    const uint8_t *bytes = host_elements(seen, &count);
    const sl_sight how = { .flags = host.doubles ? SL_SIGHT_DOUBLES : 0, .options = options };
    assert_int_equal(count, LINES);
    for (uint32_t i = 0; i < LINES; i++) {
        pairs[i] = (sl_sight_pair){ i, i };
        for (int end = 0; end < 2; end++) {
            ends[end][i] = (sl_sight_end){ .id = i };
            memcpy(ends[end][i].at, end == 0 ? from[i] : to[i], sizeof ends[end][i].at);
            if (own != NULL && own[2 * i + (uint32_t)end] >= 0) {
                ends[end][i].own = (sl_instance_range){ (uint32_t)own[2 * i + (uint32_t)end], 1 };
            }
        }
    }
    const sl_sight_ends all = { ends[0], LINES, ends[1], LINES };
    const size_t total = sl_sight_pairs(t->scene, &all, pairs, LINES, &how, bits, NULL);
    assert_in_range(total, LINES / 20, LINES * 19 / 20); /* both answers are asked for */
    for (size_t i = 0; i < LINES; i++) {
        assert_int_equal(bytes[i], bits[i / 64] >> i % 64 & 1);
    }
}

TEST(sight_is_that_of_the_library)
{
    static double from[LINES][3], to[LINES][3];
    int32_t own[2 * LINES];
    for (int way = 0; way < WAYS; way++) {
        test_random random = { test_seed(1) };
        start(way);
        twin t = make_twin(&random);
        random_points(&random, from, LINES);
        random_points(&random, to, LINES);
        for (int i = 0; i < 2 * LINES; i++) {
            own[i] = (int32_t)test_random_below(&random, BODIES + 1) - 1;
        }
        host_variant plain = host_call(
            t.world, "sight", 2, (host_variant[]){ points(*from, LINES), points(*to, LINES) });
        expect_sight(&t, from, to, NULL, NULL, &plain);
        host_destroy(&plain);

        const sl_options options = { .mask = 2, .cull = SL_CULL_FRONT, .flags = SL_OPEN_END };
        const int64_t flags = host_constant("CULL_BACK") | host_constant("OPEN_END");
        host_variant with = host_call(t.world, "sight", 6,
                                      (host_variant[]){ points(*from, LINES), points(*to, LINES),
                                                        ints(own, 2 * LINES), host_int(2),
                                                        host_int(2), host_int(flags) });
        expect_sight(&t, from, to, own, &options, &with);
        host_destroy(&with);
        assert_int_equal(host.errors, 0);
        end_twin(&t);
        host_stop();
    }
}

TEST(one_eye_serves_many_targets_and_threads_change_nothing)
{
    static double eyes[LINES][3], to[LINES][3];
    for (int way = 0; way < WAYS; way++) {
        test_random random = { test_seed(2) };
        start(way);
        twin t = make_twin(&random);
        const GDExtensionClassInstancePtr world = t.world;
        random_points(&random, to, LINES);
        for (size_t i = 0; i < LINES; i++) {
            memcpy(eyes[i], to[1], sizeof *eyes);
        }
        assert_int_equal(CALL("set_threads", host_int(3)), 1);
        host_variant one = host_call(t.world, "sight", 2,
                                     (host_variant[]){ points(to[1], 1), points(*to, LINES) });
        expect_sight(&t, eyes, to, NULL, NULL, &one);
        host_variant back = host_call(t.world, "sight", 2,
                                      (host_variant[]){ points(*to, LINES), points(to[1], 1) });
        expect_sight(&t, to, eyes, NULL, NULL, &back);
        host_destroy(&one);
        host_destroy(&back);
        end_twin(&t);
        host_stop();
    }
}

/* ---- Rays ---- */

static void expect_hit(const twin *t, const sl_hit_d *hit, const host_variant *hits, size_t i)
{
    size_t count;
    sl_surface surface = { .point = { NAN, NAN, NAN }, .normal = { NAN, NAN, NAN } };
    const sl_triangle_ref triangle = { hit->instance, hit->prim };
    const bool is_hit = hit->prim != SL_NONE;
    sl_bvh_surface(t->scene, triangle, hit->u, hit->v, host.doubles ? SL_DOUBLE : SL_FLOAT,
                   &surface);
    const double *distances = host_elements(host_at(hits, "t"), &count);
    assert_memory_equal(&distances[i], &hit->t, sizeof hit->t);
    assert_int_equal(count, LINES);
    const int32_t *instances = host_elements(host_at(hits, "instance"), &count);
    assert_int_equal(instances[i], is_hit ? (int32_t)hit->instance : -1);
    const int32_t *prims = host_elements(host_at(hits, "prim"), &count);
    assert_int_equal(prims[i], is_hit ? (int32_t)hit->prim : -1);
    const void *where = host_elements(host_at(hits, "point"), &count);
    const void *normals = host_elements(host_at(hits, "normal"), &count);
    for (size_t axis = 0; axis < 3; axis++) {
        const double point = host_real(where, 3 * i + axis),
                     normal = host_real(normals, 3 * i + axis);
        assert_true(is_hit ? point == real(surface.point[axis]) : isnan(point));
        assert_true(is_hit ? normal == real(-surface.normal[axis]) : isnan(normal));
    }
}

/* The closest hits of rays, or of segments, by the library, each by itself. */
static void expect_cast(const twin *t, double (*from)[3], double (*to)[3], double tmax,
                        bool segments, const host_variant *hits)
{
    size_t found = 0;
    for (size_t i = 0; i < LINES; i++) {
        float ray[7] = { (float)from[i][0], (float)from[i][1], (float)from[i][2], (float)to[i][0],
                         (float)to[i][1],   (float)to[i][2],   (float)tmax };
        sl_rays one = { .origin = { host.doubles ? (const void *)from[i] : ray },
                        .dir = { host.doubles ? (const void *)to[i] : ray + 3 },
                        .count = 1,
                        .number = host.doubles ? SL_DOUBLE : SL_FLOAT,
                        .segments = segments };
        if (!segments) {
            one.tmax = host.doubles ? (const void *)&tmax : ray + 6;
        }
        sl_hit_d hit;
        sl_bvh_closest_many(t->scene, one, NULL, sl_hits_of_d(&hit), NULL, NULL);
        expect_hit(t, &hit, hits, i);
        found += hit.prim != SL_NONE;
    }
    assert_in_range(found, LINES / 20, LINES * 19 / 20);
}

TEST(cast_is_that_of_the_library)
{
    static double from[LINES][3], to[LINES][3];
    for (int way = 0; way < WAYS; way++) {
        test_random random = { test_seed(3) };
        start(way);
        twin t = make_twin(&random);
        random_points(&random, from, LINES);
        random_points(&random, to, LINES);
        host_variant rays = host_call(
            t.world, "cast", 3,
            (host_variant[]){ points(*from, LINES), points(*to, LINES), host_float(0.75) });
        expect_cast(&t, from, to, 0.75, false, &rays);
        host_destroy(&rays);
        host_variant far = host_call(t.world, "cast", 2,
                                     (host_variant[]){ points(*from, LINES), points(*to, LINES) });
        expect_cast(&t, from, to, INFINITY, false, &far);
        host_destroy(&far);
        const host_variant flags = host_int(host_constant("SEGMENTS"));
        host_variant segments =
            host_call(t.world, "cast", 7,
                      (host_variant[]){ points(*from, LINES), points(*to, LINES), host_float(0),
                                        ints(NULL, 0), host_int(0), host_int(0), flags });
        expect_cast(&t, from, to, 0, true, &segments);
        host_destroy(&segments);
        assert_int_equal(host.errors, 0);
        end_twin(&t);
        host_stop();
    }
}

TEST(fronts_are_those_of_godot)
{
    const double above[3] = { 0.25, 0.25, 1 }, below[3] = { 0.25, 0.25, -1 };
    for (int way = 0; way < WAYS; way++) {
        size_t count;
        start(way);
        GDExtensionClassInstancePtr world = host_new();
        assert_int_equal(CALL("add_mesh", points(*clockwise, 3)), 0);
        assert_int_equal(CALL("add_instance", host_int(0), at(0, 0, 0)), 0);
        assert_int_equal(number(world, "update", 0, NULL), 1);
        for (int side = 0; side < 2; side++) { /* CULL_BACK, CULL_FRONT */
            const int64_t flags = host_constant(side == 0 ? "CULL_BACK" : "CULL_FRONT");
            host_variant seen =
                host_call(world, "sight", 6,
                          (host_variant[]){ points(above, 1), points(below, 1), ints(NULL, 0),
                                            host_int(0), host_int(0), host_int(flags) });
            assert_int_equal(*(const uint8_t *)host_elements(&seen, &count), side);
            host_destroy(&seen);
        }
        host_variant hit =
            host_call(world, "cast", 2,
                      (host_variant[]){ points(above, 1), points((double[]){ 0, 0, -1 }, 1) });
        assert_true(host_real(host_elements(host_at(&hit, "normal"), &count), 2) == 1);
        host_destroy(&hit);
        host_delete(world);
        host_stop();
    }
}

/* ---- Picks ---- */

/* In a picture of 640 x 480 pixels, and parts of one more where size says so. */
static host_variant picked(GDExtensionClassInstancePtr world, const double *projection,
                           const double *size, const double *xy, int64_t kinds)
{
    return host_call(
        world, "pick", 6,
        (host_variant[]){
            host_reals(V(TRANSFORM3D), (double[]){ 0, 0, 1, 0, 1, 0, -1, 0, 0, 9, 0.25, 0.5 }),
            host_reals(V(PROJECTION), projection), host_reals(V(VECTOR2), size),
            host_reals(V(VECTOR2), xy), host_int(kinds), host_float(8) });
}

TEST(pick_is_that_of_the_library)
{
    const sl_camera_def camera_def = {
        .eye = { 0, 0, 0 }, .target = { -1, 0, 0 }, .width = 640, .height = 480
    };
    sl_view view = { .camera = made_camera(&camera_def), .origin = { 9, 0.25, 0.5 } };
    double projection[16];
    for (int i = 0; i < 16; i++) {
        projection[i] = (double)view.camera.projection[i];
    }
    for (int way = 0; way < WAYS; way++) {
        test_random random = { test_seed(4) };
        uint32_t kinds = 0;
        start(way);
        twin t = make_twin(&random);
        for (int i = 0; i < LINES; i++) {
            const double size[2] = { 640 + (i % 2) * 0.75, 480 + (i % 3) * 0.25 };
            const double mouse[2] = { real(test_random_in_d(&random, 0, 640)),
                                      real(test_random_in_d(&random, 0, 480)) };
            const double xy[2] = { mouse[0] * (640 / size[0]), mouse[1] * (480 / size[1]) };
            const uint32_t wanted = test_random_below(&random, 8);
            const sl_pick_def def = { .kinds = wanted, .radius = 8 };
            sl_pick pick = { .kind = SL_PICK_NONE };
            sl_pick_at(t.scene, &view, xy, &def, &pick);
            host_variant got = picked(t.world, projection, size, mouse, wanted);
            assert_int_equal(host_at(&got, "kind")->of.integer, pick.kind);
            kinds |= 1u << pick.kind;
            assert_true((host_at(&got, "prim") == NULL) == (pick.kind == SL_PICK_NONE));
            if (pick.kind != SL_PICK_NONE) {
                assert_int_equal(host_at(&got, "instance")->of.integer, pick.instance);
                assert_int_equal(host_at(&got, "prim")->of.integer, pick.prim);
                assert_int_equal(host_at(&got, "corner")->of.integer, pick.corner);
                assert_true(host_at(&got, "along")->of.number == pick.along);
                assert_true(host_at(&got, "distance")->of.number == pick.distance);
                assert_true(host_at(&got, "pixels")->of.number == pick.pixels);
                for (size_t axis = 0; axis < 3; axis++) {
                    assert_true(host_real(&host_at(&got, "point")->of, axis) ==
                                real(pick.point[axis]));
                }
            }
            host_destroy(&got);
        }
        assert_int_equal(kinds, 1 << SL_PICK_NONE | 1 << SL_PICK_FACE | 1 << SL_PICK_EDGE |
                                    1 << SL_PICK_VERTEX);
        assert_int_equal(host.errors, 0);
        end_twin(&t);
        host_stop();
    }
}
