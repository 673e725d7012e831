/* calls.h: short ways to call the extension, for tests. */
#pragma once

#include "test/godot/host.h"
#include "test/support/test.h"

#define V(name) GDEXTENSION_VARIANT_TYPE_##name

/* By variants and by pointers, with floats and with doubles. */
enum { WAYS = 4 };

static inline void start(int way)
{
    host_start(GODOT_EXTENSION, way % 2 != 0, way / 2 != 0);
}

/* The result of a call that gives a number or a truth, from up to three arguments. */
static inline int64_t number(GDExtensionClassInstancePtr world, const char *method, size_t count,
                             host_variant *arguments)
{
    const host_variant result = host_call(world, method, count, arguments);
    assert_true(result.type == V(INT) || result.type == V(BOOL));
    return result.type == V(INT) ? result.of.integer : (int64_t)(result.of.words[0] & 0xFF);
}
#define CALL(method, ...)                                                                          \
    number(world, method, sizeof((host_variant[]){ __VA_ARGS__ }) / sizeof(host_variant),          \
           (host_variant[]){ __VA_ARGS__ })

/* A call that has to be refused, with a message. */
static inline void refused(const char *function, const char *words)
{
    assert_string_equal(host.function, function);
    if (strstr(host.message, words) == NULL) {
        fail_msg("\"%s\" does not say %s", host.message, words);
    }
}

/* A number as reals have it. */
static inline double real(double number)
{
    return host.doubles ? number : (double)(float)number;
}

static inline host_variant points(const double *xyz, size_t count)
{
    return host_array(V(PACKED_VECTOR3_ARRAY), xyz, count);
}

static inline host_variant ints(const int32_t *numbers, size_t count)
{
    return host_array(V(PACKED_INT32_ARRAY), numbers, count);
}

static inline host_variant at(double x, double y, double z)
{
    return host_reals(V(TRANSFORM3D), (double[]){ 1, 0, 0, 0, 1, 0, 0, 0, 1, x, y, z });
}

/* A triangle that Godot sees from +z, where its corners run clockwise. */
static const double clockwise[3][3] = { { 0, 0, 0 }, { 0, 1, 0 }, { 1, 0, 0 } };
