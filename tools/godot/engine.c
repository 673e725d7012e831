/* engine.c: Godot's interface, loaded, and short ways to its values. */
#include "tools/godot/engine.h"

#include <stdarg.h>
#include <stdio.h>

godot_interface godot;
_Thread_local const char *running_method = "";

bool load_godot(GDExtensionInterfaceGetProcAddress get)
{
#define GODOT_LOAD(name, type)                                                                     \
    godot.name = (GDExtensionInterface##type)(void (*)(void))get(#name);                           \
    if (godot.name == NULL) {                                                                      \
        return false;                                                                              \
    }
    GODOT_FUNCTIONS(GODOT_LOAD)
#undef GODOT_LOAD

    /* Two points lie three reals apart. */
    value points;
    new_value(POINTS, &points);
    const char *first = packed_resize(POINTS, &points, 2);
    const char *second = godot.packed_vector3_array_operator_index(&points, 1);
    const bool known = first != NULL && (second - first == 3 * (ptrdiff_t)sizeof(float) ||
                                         second - first == 3 * (ptrdiff_t)sizeof(double));
    if (known) {
        godot.real_size = (size_t)(second - first) / 3;
        godot.real = godot.real_size == sizeof(double) ? SL_DOUBLE : SL_FLOAT;
    }
    destroy_value(POINTS, &points);
    return known;
}

bool complain(const char *file, int line, const char *format, ...)
{
    char message[512], method[64];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    snprintf(method, sizeof method, "SightlineWorld.%s", running_method);
    godot.print_error(message, method, file, line, true);
    return false;
}

value new_text(GDExtensionVariantType type, const char *text)
{
    value made = { { 0 } };
    if (type == STRING_NAME) {
        godot.string_name_new_with_latin1_chars(&made, text, false);
    } else {
        godot.string_new_with_latin1_chars(&made, text);
    }
    return made;
}

void new_value(GDExtensionVariantType type, value *out)
{
    godot.variant_get_ptr_constructor(type, 0)(out, NULL);
}

void destroy_value(GDExtensionVariantType type, value *gone)
{
    const GDExtensionPtrDestructor destroy = godot.variant_get_ptr_destructor(type);
    if (destroy != NULL) { /* numbers and vectors have none */
        destroy(gone);
    }
}

void give(GDExtensionVariantType type, GDExtensionTypePtr result, value *taken)
{
    const GDExtensionConstTypePtr from[] = { taken };
    destroy_value(type, result);
    godot.variant_get_ptr_constructor(type, 1)(result, from); /* constructor 1 copies */
    destroy_value(type, taken);
}

void new_variant(GDExtensionVariantType type, const value *from, GDExtensionVariantPtr out)
{
    godot.get_variant_from_type_constructor(type)(out, (GDExtensionTypePtr)from);
}

/* Calls size or resize, whose hashes extension_api.json has: they are those of 4.1 to 4.7. */
static int64_t call_builtin(GDExtensionVariantType type, const void *array, const char *name,
                            int64_t hash, const int64_t *argument)
{
    int64_t result = 0;
    value method = new_text(STRING_NAME, name);
    const GDExtensionPtrBuiltInMethod call =
        godot.variant_get_ptr_builtin_method(type, &method, hash);
    const GDExtensionConstTypePtr arguments[] = { argument };
    call((GDExtensionTypePtr)array, arguments, &result, argument != NULL);
    destroy_value(STRING_NAME, &method);
    return result;
}

const void *packed_elements(GDExtensionVariantType type, GDExtensionConstTypePtr array,
                            size_t *count)
{
    *count = (size_t)call_builtin(type, array, "size", 3173160232, NULL);
    return *count == 0    ? NULL
           : type == INTS ? (const void *)godot.packed_int32_array_operator_index_const(array, 0)
                          : godot.packed_vector3_array_operator_index_const(array, 0);
}

void *packed_resize(GDExtensionVariantType type, GDExtensionTypePtr array, size_t count)
{
    const int64_t size = (int64_t)count;
    if (call_builtin(type, array, "resize", 848867239, &size) != 0 || count == 0) {
        return NULL;
    }
    switch ((int)type) {
    case BYTES:
        return godot.packed_byte_array_operator_index(array, 0);
    case INTS:
        return godot.packed_int32_array_operator_index(array, 0);
    case DOUBLES:
        return godot.packed_float64_array_operator_index(array, 0);
    default:
        return godot.packed_vector3_array_operator_index(array, 0);
    }
}

double get_real(const void *reals, size_t index)
{
    return godot.real == SL_DOUBLE ? ((const double *)reals)[index]
                                   : (double)((const float *)reals)[index];
}

void put_point(void *points, size_t index, const double xyz[3])
{
    for (size_t axis = 0; axis < 3; axis++) {
        if (godot.real == SL_DOUBLE) {
            ((double *)points)[3 * index + axis] = xyz[axis];
        } else {
            ((float *)points)[3 * index + axis] = (float)xyz[axis];
        }
    }
}

void put_in(GDExtensionTypePtr dictionary, const char *key, GDExtensionVariantType type,
            value *taken)
{
    variant name;
    value text = new_text(STRING, key);
    new_variant(STRING, &text, &name);
    destroy_value(STRING, &text);
    /* The place is nil, which has nothing to destroy. */
    new_variant(type, taken, godot.dictionary_operator_index(dictionary, &name));
    destroy_value(type, taken);
    godot.variant_destroy(&name);
}
