/* interface.c: the part of Godot's interface that the extension uses. */
#include "test/godot/interface.h"
#include "test/support/test.h"

struct registry registry;

/* Functions of a type that Godot gives out as pointers. */
#define TYPES(X)                                                                                   \
    X(BOOL)                                                                                        \
    X(INT)                                                                                         \
    X(FLOAT)                                                                                       \
    X(STRING)                                                                                      \
    X(VECTOR2)                                                                                     \
    X(VECTOR3)                                                                                     \
    X(TRANSFORM3D)                                                                                 \
    X(PROJECTION)                                                                                  \
    X(STRING_NAME)                                                                                 \
    X(DICTIONARY)                                                                                  \
    X(PACKED_BYTE_ARRAY)                                                                           \
    X(PACKED_INT32_ARRAY)                                                                          \
    X(PACKED_FLOAT64_ARRAY)                                                                        \
    X(PACKED_VECTOR3_ARRAY)

#define DEFINE(name)                                                                               \
    static void make_##name(void *out, const GDExtensionConstTypePtr *arguments)                   \
    {                                                                                              \
        (void)arguments;                                                                           \
        make(V(name), out);                                                                        \
    }                                                                                              \
    static void copy_##name(void *out, const GDExtensionConstTypePtr *arguments)                   \
    {                                                                                              \
        copy(V(name), out, arguments[0]);                                                          \
    }                                                                                              \
    static void destroy_##name(void *at)                                                           \
    {                                                                                              \
        destroy(V(name), at);                                                                      \
    }                                                                                              \
    static void to_##name(void *out, void *from)                                                   \
    {                                                                                              \
        to_variant(V(name), out, from);                                                            \
    }                                                                                              \
    static void from_##name(void *out, void *variant)                                              \
    {                                                                                              \
        from_variant(V(name), out, variant);                                                       \
    }                                                                                              \
    static void resize_##name(void *array, const GDExtensionConstTypePtr *arguments, void *result, \
                              int count)                                                           \
    {                                                                                              \
        assert_int_equal(count, 1);                                                                \
        assert_int_equal(((packed *)array)->shared, 0);                                            \
        resize(V(name), array, (size_t)*(const int64_t *)arguments[0]);                            \
        *(int64_t *)result = 0;                                                                    \
    }
TYPES(DEFINE)

static const struct functions {
    GDExtensionPtrConstructor make, copy;
    GDExtensionPtrDestructor destroy;
    GDExtensionVariantFromTypeConstructorFunc to;
    GDExtensionTypeFromVariantConstructorFunc from;
    GDExtensionPtrBuiltInMethod resize;
} functions[V(VARIANT_MAX)] = {
#define ROW(name)                                                                                  \
    [V(name)] = { make_##name, copy_##name, destroy_##name, to_##name, from_##name, resize_##name },
    TYPES(ROW)
};

static void size_of_packed(void *array, const GDExtensionConstTypePtr *arguments, void *result,
                           int count)
{
    (void)arguments;
    assert_int_equal(count, 0);
    const packed *p = array;
    *(int64_t *)result = p->block == NULL ? 0 : (int64_t)p->block->count;
}

static GDExtensionVariantFromTypeConstructorFunc
get_variant_from_type_constructor(GDExtensionVariantType type)
{
    return functions[type].to;
}

static GDExtensionTypeFromVariantConstructorFunc
get_variant_to_type_constructor(GDExtensionVariantType type)
{
    return functions[type].from;
}

static GDExtensionPtrConstructor variant_get_ptr_constructor(GDExtensionVariantType type,
                                                             int32_t constructor)
{
    return constructor == 0 ? functions[type].make : functions[type].copy;
}

/* As Godot has none for what needs none (has_destructor in extension_api.json). */
static GDExtensionPtrDestructor variant_get_ptr_destructor(GDExtensionVariantType type)
{
    const bool has = element_size(type) > 0 || is_text(type) || type == V(DICTIONARY);
    return has ? functions[type].destroy : NULL;
}

static GDExtensionPtrBuiltInMethod
variant_get_ptr_builtin_method(GDExtensionVariantType type, GDExtensionConstStringNamePtr name,
                               GDExtensionInt hash)
{
    const char *text = *(char *const *)name;
    assert_true(element_size(type) > 0);
    if (strcmp(text, "size") == 0 && hash == 3173160232) {
        return size_of_packed;
    }
    assert_string_equal(text, "resize");
    assert_int_equal(hash, 848867239);
    return functions[type].resize;
}

static void keep_error(const char *description, const char *function, const char *file,
                       int32_t line, GDExtensionBool notify)
{
    (void)notify;
    assert_true(file != NULL && line > 0);
    host.errors++;
    snprintf(host.message, sizeof host.message, "%s", description);
    snprintf(host.function, sizeof host.function, "%s", function);
}

static void string_name_new_with_latin1_chars(void *out, const char *text, GDExtensionBool fixed)
{
    assert_false(fixed); /* the library may be unloaded before the name goes */
    *(char **)out = new_text(text);
}

static void string_new_with_latin1_chars(void *out, const char *text)
{
    *(char **)out = new_text(text);
}

static GDExtensionVariantType variant_get_type(GDExtensionConstVariantPtr variant)
{
    return (GDExtensionVariantType)((const host_variant *)variant)->type;
}

static GDExtensionBool variant_can_convert_strict(GDExtensionVariantType from,
                                                  GDExtensionVariantType to)
{
    return is_number(from) && is_number(to);
}

static void variant_destroy(void *variant)
{
    host_destroy(variant);
}

static void *element(GDExtensionVariantType type, const packed *array, int64_t index, bool writes)
{
    host.writes += writes && array->shared != 0;
    if (index < 0 || array->block == NULL || (uint64_t)index >= array->block->count) {
        return NULL;
    }
    return (char *)array->block->elements + (size_t)index * element_size(type);
}

static uint8_t *packed_byte_array_operator_index(void *array, int64_t index)
{
    return element(V(PACKED_BYTE_ARRAY), array, index, true);
}

static int32_t *packed_int32_array_operator_index(void *array, int64_t index)
{
    return element(V(PACKED_INT32_ARRAY), array, index, true);
}

static const int32_t *packed_int32_array_operator_index_const(const void *array, int64_t index)
{
    return element(V(PACKED_INT32_ARRAY), array, index, false);
}

static double *packed_float64_array_operator_index(void *array, int64_t index)
{
    return element(V(PACKED_FLOAT64_ARRAY), array, index, true);
}

static void *packed_vector3_array_operator_index(void *array, int64_t index)
{
    return element(V(PACKED_VECTOR3_ARRAY), array, index, true);
}

static void *packed_vector3_array_operator_index_const(const void *array, int64_t index)
{
    return element(V(PACKED_VECTOR3_ARRAY), array, index, false);
}

static void *dictionary_operator_index(void *at, GDExtensionConstVariantPtr key)
{
    dictionary *d = *(dictionary **)at;
    const host_variant *name = key;
    assert_int_equal(name->type, V(STRING));
    assert_in_range(d->count, 0, KEYS_MAX - 1);
    copy(V(STRING), &d->keys[d->count], &name->of);
    return &d->values[d->count++];
}

static void *classdb_construct_object(GDExtensionConstStringNamePtr name)
{
    assert_string_equal(*(char *const *)name, "RefCounted");
    host.objects++;
    return calloc(1, sizeof(GDExtensionClassInstancePtr));
}

static void object_set_instance(GDExtensionObjectPtr object, GDExtensionConstStringNamePtr name,
                                GDExtensionClassInstancePtr instance)
{
    assert_string_equal(*(char *const *)name, "SightlineWorld");
    *(GDExtensionClassInstancePtr *)object = instance;
}

static void classdb_register_extension_class2(GDExtensionClassLibraryPtr library,
                                              GDExtensionConstStringNamePtr name,
                                              GDExtensionConstStringNamePtr parent,
                                              const GDExtensionClassCreationInfo2 *info)
{
    assert_ptr_equal(library, &registry);
    assert_string_equal(*(char *const *)name, "SightlineWorld");
    assert_string_equal(*(char *const *)parent, "RefCounted");
    registry.class = *info;
}

static void classdb_register_extension_class_method(GDExtensionClassLibraryPtr library,
                                                    GDExtensionConstStringNamePtr class,
                                                    const GDExtensionClassMethodInfo *info)
{
    struct registered *method = &registry.methods[registry.method_count++];
    assert_true(library == &registry && class != NULL && registry.method_count < METHODS_MAX);
    assert_in_range(info->argument_count, 0, ARGUMENTS_MAX);
    snprintf(method->name, sizeof method->name, "%s", *(char **)info->name);
    method->info = *info;
    method->result = info->return_value_info->type;
    for (uint32_t i = 0; i < info->argument_count; i++) {
        const GDExtensionPropertyInfo *argument = &info->arguments_info[i];
        assert_true(strlen(*(char **)argument->name) > 0);
        assert_string_equal(*(char **)argument->class_name, "");
        assert_string_equal(*(char **)argument->hint_string, "");
        method->arguments[i] = argument->type;
    }
    for (uint32_t i = 0; i < info->default_argument_count; i++) {
        const uint32_t at = info->argument_count - info->default_argument_count + i;
        const host_variant *by_default = info->default_arguments[i];
        assert_int_equal(by_default->type, method->arguments[at]);
        to_variant(method->arguments[at], &method->defaults[at], inside(by_default));
    }
}

static void classdb_register_extension_class_integer_constant(
    GDExtensionClassLibraryPtr library, GDExtensionConstStringNamePtr class,
    GDExtensionConstStringNamePtr enum_name, GDExtensionConstStringNamePtr name,
    GDExtensionInt number, GDExtensionBool is_bits)
{
    const size_t i = registry.constant_count++;
    assert_true(library == &registry && class != NULL && enum_name != NULL && !is_bits);
    assert_in_range(registry.constant_count, 0, CONSTANTS_MAX);
    snprintf(registry.constants[i].name, 32, "%s", *(char *const *)name);
    registry.constants[i].number = number;
}

static void classdb_unregister_extension_class(GDExtensionClassLibraryPtr library,
                                               GDExtensionConstStringNamePtr name)
{
    assert_ptr_equal(library, &registry);
    assert_string_equal(*(char *const *)name, "SightlineWorld");
    for (size_t i = 0; i < registry.method_count; i++) {
        const GDExtensionClassMethodInfo *info = &registry.methods[i].info;
        for (uint32_t k = 0; k < info->default_argument_count; k++) {
            host_destroy(&registry.methods[i].defaults[info->argument_count - 1 - k]);
        }
    }
    registry.method_count = 0;
}

GDExtensionInterfaceFunctionPtr get_proc_address(const char *name)
{
#define FUNCTION_AS(name, f) { #name, (GDExtensionInterfaceFunctionPtr)(void (*)(void))f }
#define FUNCTION(f)          FUNCTION_AS(f, f)
    static const struct {
        const char *name;
        GDExtensionInterfaceFunctionPtr function;
    } all[] = {
        FUNCTION_AS(print_error, keep_error), /* cmocka has one of that name */
        FUNCTION(string_name_new_with_latin1_chars),
        FUNCTION(string_new_with_latin1_chars),
        FUNCTION(variant_get_type),
        FUNCTION(variant_can_convert_strict),
        FUNCTION(variant_destroy),
        FUNCTION(get_variant_from_type_constructor),
        FUNCTION(get_variant_to_type_constructor),
        FUNCTION(variant_get_ptr_constructor),
        FUNCTION(variant_get_ptr_destructor),
        FUNCTION(variant_get_ptr_builtin_method),
        FUNCTION(packed_byte_array_operator_index),
        FUNCTION(packed_int32_array_operator_index),
        FUNCTION(packed_int32_array_operator_index_const),
        FUNCTION(packed_float64_array_operator_index),
        FUNCTION(packed_vector3_array_operator_index),
        FUNCTION(packed_vector3_array_operator_index_const),
        FUNCTION(dictionary_operator_index),
        FUNCTION(classdb_construct_object),
        FUNCTION(object_set_instance),
        FUNCTION(classdb_register_extension_class2),
        FUNCTION(classdb_register_extension_class_method),
        FUNCTION(classdb_register_extension_class_integer_constant),
        FUNCTION(classdb_unregister_extension_class),
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (strcmp(all[i].name, name) == 0) {
            return all[i].function;
        }
    }
    return NULL; /* as in a Godot that is too old */
}
