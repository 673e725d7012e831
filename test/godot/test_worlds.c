/* Worlds of the extension for Godot that change, and what it refuses: in each of four ways, with
 * nothing left behind. */
#include "test/godot/calls.h"

/* ---- Worlds that change ---- */

static uint8_t sees_through(GDExtensionClassInstancePtr world)
{
    size_t count;
    host_variant seen = host_call(world, "sight", 2,
                                  (host_variant[]){ points((double[]){ 0.25, 0.25, 1 }, 1),
                                                    points((double[]){ 0.25, 0.25, -1 }, 1) });
    const uint8_t byte = *(const uint8_t *)host_elements(&seen, &count);
    assert_int_equal(count, 1);
    host_destroy(&seen);
    return byte;
}

TEST(what_moves_is_seen_after_the_update)
{
    for (int way = 0; way < WAYS; way++) {
        start(way);
        GDExtensionClassInstancePtr world = host_new();
        assert_int_equal(number(world, "update", 0, NULL), 1); /* of nothing */
        assert_int_equal(sees_through(world), 1);
        assert_int_equal(CALL("add_mesh", points(*clockwise, 3)), 0);
        assert_int_equal(CALL("add_instance", host_int(0), at(0, 0, 0)), 0);
        assert_int_equal(sees_through(world), 1);
        for (int round = 0; round < 5; round++) {
            assert_int_equal(number(world, "update", 0, NULL), 1);
            assert_int_equal(sees_through(world), round % 2);
            assert_int_equal(CALL("move_instance", host_int(0), at(round % 2 == 0 ? 5 : 0, 0, 0)),
                             1);
        }
        assert_int_equal(host.errors, 0);
        host_delete(world);
        host_stop();
    }
}

TEST(numbers_that_were_freed_are_refused_and_given_again)
{
    for (int way = 0; way < WAYS; way++) {
        start(way);
        GDExtensionClassInstancePtr world = host_new();
        assert_int_equal(CALL("add_mesh", points(*clockwise, 3)), 0);
        assert_int_equal(CALL("add_mesh", points(*clockwise, 3)), 1);
        for (int i = 0; i < 9; i++) {
            assert_int_equal(CALL("add_instance", host_int(i % 2), at(i, 0, 0)), i);
        }
        assert_int_equal(number(world, "update", 0, NULL), 1);
        assert_int_equal(CALL("remove_instance", host_int(5)), 1);
        assert_int_equal(CALL("remove_instance", host_int(2)), 1);
        assert_int_equal(CALL("remove_instance", host_int(2)), 0);
        refused("SightlineWorld.remove_instance", "no instance 2");
        assert_int_equal(CALL("move_instance", host_int(5), at(0, 0, 0)), 0);
        refused("SightlineWorld.move_instance", "no instance 5");
        assert_int_equal(CALL("move_instance", host_int(-1), at(0, 0, 0)), 0);
        assert_int_equal(CALL("add_instance", host_int(0), at(0, 0, 0)), 2);
        assert_int_equal(CALL("add_instance", host_int(0), at(0, 0, 0)), 5);
        assert_int_equal(CALL("add_instance", host_int(0), at(0, 0, 0)), 9);

        assert_int_equal(CALL("remove_mesh", host_int(1)), 0);
        refused("SightlineWorld.remove_mesh", "instance 1");
        for (int i = 1; i < 9; i += 2) {
            if (i != 5) {
                assert_int_equal(CALL("remove_instance", host_int(i)), 1);
            }
        }
        assert_int_equal(CALL("remove_mesh", host_int(1)), 0);
        refused("SightlineWorld.remove_mesh", "update()");
        assert_int_equal(number(world, "update", 0, NULL), 1);
        assert_int_equal(CALL("remove_mesh", host_int(1)), 1);
        assert_int_equal(CALL("remove_mesh", host_int(1)), 0);
        refused("SightlineWorld.remove_mesh", "no mesh 1");
        assert_int_equal(CALL("add_instance", host_int(1), at(0, 0, 0)), -1);
        refused("SightlineWorld.add_instance", "no mesh 1");
        assert_int_equal(CALL("add_mesh", points(*clockwise, 3)), 1);
        assert_int_equal(number(world, "update", 0, NULL), 1);
        assert_int_equal(sees_through(world), 0);
        host_delete(world);
        host_stop();
    }
}

/* ---- What is refused ---- */

/* A batch that is refused: nothing comes back. */
static void batch_refused(GDExtensionClassInstancePtr world, const char *method, size_t count,
                          host_variant *arguments, const char *words)
{
    host_variant result = host_call(world, method, count, arguments);
    char function[64];
    size_t size;
    snprintf(function, sizeof function, "SightlineWorld.%s", method);
    refused(function, words);
    if (result.type == V(DICTIONARY)) {
        assert_null(host_at(&result, "t"));
        assert_null(host_at(&result, "kind"));
    } else {
        assert_null(host_elements(&result, &size));
    }
    host_destroy(&result);
}
#define REFUSED(words, method, ...)                                                                \
    batch_refused(world, method, sizeof((host_variant[]){ __VA_ARGS__ }) / sizeof(host_variant),   \
                  (host_variant[]){ __VA_ARGS__ }, words)

TEST(meshes_and_instances_that_are_none_are_refused)
{
    const double bad[3][3] = { { 0, 0, 0 }, { 0, NAN, 0 }, { 1, 0, 0 } };
    for (int way = 0; way < WAYS; way++) {
        start(way);
        GDExtensionClassInstancePtr world = host_new();
        assert_int_equal(CALL("add_mesh", points(*clockwise, 2)), -1);
        refused("SightlineWorld.add_mesh", "multiple of 3");
        assert_int_equal(CALL("add_mesh", points(*clockwise, 3), ints((int32_t[4]){ 0 }, 4)), -1);
        refused("SightlineWorld.add_mesh", "multiple of 3");
        assert_int_equal(CALL("add_mesh", points(*clockwise, 3), ints((int32_t[]){ 0, 1, -1 }, 3)),
                         -1);
        refused("SightlineWorld.add_mesh", "triangle 0");
        assert_int_equal(CALL("add_mesh", points(*bad, 3)), -1);
        refused("SightlineWorld.add_mesh", "triangle 0");
        assert_int_equal(CALL("add_mesh", points(*clockwise, 3)), 0);
        assert_int_equal(CALL("add_instance", host_int(0), at(0, 0, 0), host_int(-1)), -1);
        refused("SightlineWorld.add_instance", "mask");
        assert_int_equal(CALL("set_threads", host_int(-1)), 0);
        refused("SightlineWorld.set_threads", "0 to 1024");

        /* A flat one is found by the update, which keeps what was there. */
        assert_int_equal(CALL("add_instance", host_int(0), at(0, 0, 0)), 0);
        assert_int_equal(number(world, "update", 0, NULL), 1);
        assert_int_equal(CALL("move_instance", host_int(0), at(NAN, 0, 0)), 1);
        assert_int_equal(number(world, "update", 0, NULL), 0);
        refused("SightlineWorld.update", "instance 0");
        assert_int_equal(sees_through(world), 0);
        host_delete(world);
        host_stop();
    }
}

TEST(questions_that_are_none_are_refused)
{
    double xyz[4][3] = { { 0 } }, projection[16] = { 0 };
    for (int way = 0; way < WAYS; way++) {
        start(way);
        GDExtensionClassInstancePtr world = host_new();
        REFUSED("update()", "sight", points(*xyz, 4), points(*xyz, 4));
        REFUSED("update()", "cast", points(*xyz, 4), points(*xyz, 4));
        batch_refused(world, "pick", 4,
                      (host_variant[]){ at(0, 0, 0), host_reals(V(PROJECTION), projection),
                                        host_reals(V(VECTOR2), *xyz),
                                        host_reals(V(VECTOR2), *xyz) },
                      "update()");
        assert_int_equal(number(world, "update", 0, NULL), 1);
        REFUSED("4 and of 3", "sight", points(*xyz, 4), points(*xyz, 3));
        REFUSED("0 and of 3", "cast", points(*xyz, 0), points(*xyz, 3));
        REFUSED("2 for each", "sight", points(*xyz, 4), points(*xyz, 4), ints((int32_t[7]){ 0 }, 7),
                host_int(2));
        REFUSED("-1 for each", "sight", points(*xyz, 4), points(*xyz, 4), ints(NULL, 0),
                host_int(-1));
        REFUSED("mask", "cast", points(*xyz, 4), points(*xyz, 4), host_float(1), ints(NULL, 0),
                host_int(0), host_int(INT64_MIN));
        REFUSED("flags 128", "cast", points(*xyz, 4), points(*xyz, 4), host_float(1), ints(NULL, 0),
                host_int(0), host_int(0), host_int(128));
        REFUSED("flags 64", "sight", points(*xyz, 4), points(*xyz, 4), ints(NULL, 0), host_int(0),
                host_int(0), host_int(host_constant("SEGMENTS")));
        REFUSED("flags 48", "sight", points(*xyz, 4), points(*xyz, 4), ints(NULL, 0), host_int(0),
                host_int(0), host_int(48));
        batch_refused(world, "pick", 4,
                      (host_variant[]){ at(0, 0, 0), host_reals(V(PROJECTION), projection),
                                        host_reals(V(VECTOR2), *xyz),
                                        host_reals(V(VECTOR2), *xyz) },
                      "0 x 0 pixels");
        assert_int_equal(host.errors, 12);

        /* Of no line there is no answer, and no error. */
        host_variant none = host_call(
            world, "sight", 4,
            (host_variant[]){ points(*xyz, 0), points(*xyz, 0), ints(NULL, 0), host_int(2) });
        size_t count;
        assert_null(host_elements(&none, &count));
        assert_int_equal(host.errors, 12);
        host_destroy(&none);
        host_delete(world);
        host_stop();
    }
}

TEST(arguments_of_other_types_and_numbers_are_refused)
{
    for (int doubles = 0; doubles < 2; doubles++) {
        host_start(GODOT_EXTENSION, doubles != 0, false);
        GDExtensionClassInstancePtr world = host_new();
        host_variant result =
            host_call(world, "sight", 2,
                      (host_variant[]){ points(*clockwise, 3), ints((int32_t[3]){ 0 }, 3) });
        assert_int_equal(result.type, V(NIL));
        assert_int_equal(host.call.error, GDEXTENSION_CALL_ERROR_INVALID_ARGUMENT);
        assert_int_equal(host.call.argument, 1);
        assert_int_equal(host.call.expected, V(PACKED_VECTOR3_ARRAY));
        result = host_call(world, "add_instance", 1, (host_variant[]){ host_int(0) });
        assert_int_equal(host.call.error, GDEXTENSION_CALL_ERROR_TOO_FEW_ARGUMENTS);
        assert_int_equal(host.call.expected, 2);
        result = host_call(world, "update", 1, (host_variant[]){ host_int(0) });
        assert_int_equal(host.call.error, GDEXTENSION_CALL_ERROR_TOO_MANY_ARGUMENTS);
        assert_int_equal(host.call.expected, 0);
        assert_int_equal(CALL("set_threads", host_float(2)), 1); /* as GDScript converts it */
        host_delete(world);
        host_stop();
    }
}
