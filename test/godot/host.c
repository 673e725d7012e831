/* host.c: the part of Godot's interface that the extension uses. */
#include "test/godot/host.h"
#include "test/support/test.h"

#include <dlfcn.h>

host_state host;

#define V(name) GDEXTENSION_VARIANT_TYPE_##name
enum { METHODS_MAX = 16, ARGUMENTS_MAX = 16, CONSTANTS_MAX = 16, KEYS_MAX = 16 };

typedef struct dictionary {
    int references;
    size_t count;
    char *keys[KEYS_MAX];
    host_variant values[KEYS_MAX];
} dictionary;

typedef struct packed {
    uint64_t shared; /* an argument: an extension reads it only */
    struct block {
        size_t count;
        double elements[];
    } *block; /* NULL: empty */
} packed;

static struct registry {
    void *library;
    GDExtensionInitialization extension;
    GDExtensionClassCreationInfo2 class;
    size_t method_count, constant_count;
    struct registered {
        char name[32];
        GDExtensionClassMethodInfo info;
        GDExtensionVariantType result, arguments[ARGUMENTS_MAX];
        host_variant defaults[ARGUMENTS_MAX];
    } methods[METHODS_MAX];
    struct {
        char name[32];
        int64_t number;
    } constants[CONSTANTS_MAX];
} registry;

static size_t real_size(void)
{
    return host.doubles ? sizeof(double) : sizeof(float);
}

static size_t real_count(GDExtensionVariantType type)
{
    return type == V(VECTOR2)       ? 2
           : type == V(VECTOR3)     ? 3
           : type == V(TRANSFORM3D) ? 12
           : type == V(PROJECTION)  ? 16
                                    : 0;
}

static size_t element_size(GDExtensionVariantType type)
{
    return type == V(PACKED_BYTE_ARRAY)      ? 1
           : type == V(PACKED_INT32_ARRAY)   ? 4
           : type == V(PACKED_FLOAT64_ARRAY) ? 8
           : type == V(PACKED_VECTOR3_ARRAY) ? 3 * real_size()
                                             : 0;
}

static bool is_text(GDExtensionVariantType type)
{
    return type == V(STRING) || type == V(STRING_NAME);
}

static size_t variant_size(void)
{
    return host.doubles ? 40 : 24;
}

static size_t size_of(GDExtensionVariantType type)
{
    return type == V(BOOL)          ? 1
           : real_count(type) > 0   ? real_count(type) * real_size()
           : element_size(type) > 0 ? sizeof(packed)
                                    : 8;
}

/* ---- Values: made, copied, destroyed ---- */

static void resize(GDExtensionVariantType type, packed *array, size_t count)
{
    struct block *block = NULL;
    if (count > 0) {
        block = calloc(1, sizeof *block + count * element_size(type));
        assert_non_null(block);
        block->count = count;
    }
    if (array->block != NULL) {
        const size_t kept = array->block->count < count ? array->block->count : count;
        if (kept > 0) {
            memcpy(block->elements, array->block->elements, kept * element_size(type));
        }
        free(array->block);
    }
    array->block = block;
}

static char *new_text(const char *text)
{
    host.texts++;
    return strdup(text);
}

static void make(GDExtensionVariantType type, void *out)
{
    memset(out, 0, size_of(type));
    if (element_size(type) > 0) {
        host.arrays++;
    } else if (is_text(type)) {
        *(char **)out = new_text("");
    } else if (type == V(DICTIONARY)) {
        dictionary *made = calloc(1, sizeof *made);
        made->references = 1;
        host.dictionaries++;
        *(dictionary **)out = made;
    }
}

static void copy(GDExtensionVariantType type, void *out, const void *from)
{
    if (element_size(type) > 0) {
        const packed *array = from;
        make(type, out);
        if (array->block != NULL) {
            resize(type, out, array->block->count);
            memcpy(((packed *)out)->block->elements, array->block->elements,
                   array->block->count * element_size(type));
        }
    } else if (is_text(type)) {
        *(char **)out = new_text(*(char *const *)from);
    } else {
        memcpy(out, from, size_of(type));
        if (type == V(DICTIONARY)) {
            (*(dictionary **)out)->references++;
        }
    }
}

static void destroy(GDExtensionVariantType type, void *at)
{
    if (element_size(type) > 0) {
        free(((packed *)at)->block);
        host.arrays--;
    } else if (is_text(type)) {
        free(*(char **)at);
        host.texts--;
    } else if (type == V(DICTIONARY)) {
        dictionary *gone = *(dictionary **)at;
        if (--gone->references == 0) {
            for (size_t i = 0; i < gone->count; i++) {
                destroy(V(STRING), &gone->keys[i]);
                host_destroy(&gone->values[i]);
            }
            free(gone);
            host.dictionaries--;
        }
    }
    memset(at, 0xA5, size_of(type)); /* used again, it is garbage */
}

/* Transforms and projections do not fit in a variant: it has a pointer. */
static bool is_apart(GDExtensionVariantType type)
{
    return real_count(type) > 3;
}

static void to_variant(GDExtensionVariantType type, void *out, const void *from)
{
    host_variant made = { .type = type };
    if (is_apart(type)) {
        made.of.pointer = malloc(size_of(type));
        host.transforms++;
    }
    copy(type, is_apart(type) ? made.of.pointer : &made.of, from);
    memcpy(out, &made, variant_size());
}

static void *inside(const host_variant *variant)
{
    return is_apart((GDExtensionVariantType)variant->type) ? variant->of.pointer
                                                           : (void *)&variant->of;
}

static void from_variant(GDExtensionVariantType type, void *out, const host_variant *variant)
{
    assert_int_equal(variant->type, type);
    copy(type, out, inside(variant));
}

void host_destroy(host_variant *variant)
{
    const GDExtensionVariantType type = (GDExtensionVariantType)variant->type;
    assert_in_range(type, V(NIL), V(VARIANT_MAX) - 1);
    if (type != V(NIL)) {
        destroy(type, inside(variant));
    }
    if (is_apart(type)) {
        free(variant->of.pointer);
        host.transforms--;
    }
    memset(variant, 0xA5, variant_size());
}

/* ---- The interface ---- */

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

static bool is_number(GDExtensionVariantType type)
{
    return type == V(BOOL) || type == V(INT) || type == V(FLOAT);
}

static GDExtensionBool variant_can_convert_strict(GDExtensionVariantType from,
                                                  GDExtensionVariantType to)
{
    return is_number(from) && is_number(to);
}

static void variant_construct(GDExtensionVariantType type, void *out,
                              const GDExtensionConstVariantPtr *arguments, int32_t count,
                              GDExtensionCallError *error)
{
    const host_variant *from = arguments[0];
    const double number = from->type == V(FLOAT) ? from->of.number : (double)from->of.integer;
    const host_variant made = type == V(FLOAT) ? host_float(number) : host_int((int64_t)number);
    assert_true(count == 1 && is_number(type));
    memcpy(out, &made, variant_size());
    error->error = GDEXTENSION_CALL_OK;
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

static GDExtensionInterfaceFunctionPtr get_proc_address(const char *name)
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
        FUNCTION(variant_construct),
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

/* ---- What tests call ---- */

void host_start(const char *library, bool doubles, bool by_pointers)
{
    host = (host_state){ .doubles = doubles, .by_pointers = by_pointers };
    registry = (struct registry){ .library = dlopen(library, RTLD_NOW | RTLD_LOCAL) };
    if (registry.library == NULL) {
        fail_msg("%s", dlerror());
    }
    GDExtensionInitializationFunction entry = NULL;
    void *symbol = dlsym(registry.library, "sightline_godot");
    assert_non_null(symbol);
    memcpy(&entry, &symbol, sizeof entry);
    assert_true(entry(get_proc_address, &registry, &registry.extension));
    for (int level = 0; level < GDEXTENSION_MAX_INITIALIZATION_LEVEL; level++) {
        registry.extension.initialize(registry.extension.userdata,
                                      (GDExtensionInitializationLevel)level);
    }
    assert_true(registry.method_count > 0);
}

void host_stop(void)
{
    for (int level = GDEXTENSION_MAX_INITIALIZATION_LEVEL - 1; level >= 0; level--) {
        registry.extension.deinitialize(registry.extension.userdata,
                                        (GDExtensionInitializationLevel)level);
    }
    assert_int_equal(registry.method_count, 0);
    dlclose(registry.library);
    assert_int_equal(host.texts, 0);
    assert_int_equal(host.arrays, 0);
    assert_int_equal(host.dictionaries, 0);
    assert_int_equal(host.objects, 0);
    assert_int_equal(host.transforms, 0);
    assert_int_equal(host.writes, 0);
}

GDExtensionClassInstancePtr host_new(void)
{
    GDExtensionObjectPtr object =
        registry.class.create_instance_func(registry.class.class_userdata);
    const GDExtensionClassInstancePtr instance = *(GDExtensionClassInstancePtr *)object;
    free(object);
    assert_non_null(instance);
    return instance;
}

void host_delete(GDExtensionClassInstancePtr object)
{
    registry.class.free_instance_func(registry.class.class_userdata, object);
    host.objects--;
}

int64_t host_constant(const char *name)
{
    for (size_t i = 0; i < registry.constant_count; i++) {
        if (strcmp(registry.constants[i].name, name) == 0) {
            return registry.constants[i].number;
        }
    }
    fail_msg("no constant %s", name);
    return 0;
}

/* By pointers a result is there before the call, as a value of an earlier one may be. */
static host_variant call_by_pointers(const struct registered *method,
                                     GDExtensionClassInstancePtr object, size_t count,
                                     const host_variant *arguments)
{
    GDExtensionConstTypePtr pointers[ARGUMENTS_MAX];
    uint64_t value[2];
    host_variant result;
    for (size_t i = 0; i < method->info.argument_count; i++) {
        pointers[i] = inside(i < count ? &arguments[i] : &method->defaults[i]);
    }
    make(method->result, value);
    method->info.ptrcall_func(method->info.method_userdata, object, pointers, value);
    to_variant(method->result, &result, value);
    destroy(method->result, value);
    host.call.error = GDEXTENSION_CALL_OK;
    return result;
}

host_variant host_call(GDExtensionClassInstancePtr object, const char *name, size_t count,
                       host_variant *arguments)
{
    host_variant result = { .type = V(NIL) };
    const struct registered *method = registry.methods;
    while (strcmp(method->name, name) != 0) {
        method++;
        assert_true(method < registry.methods + registry.method_count);
    }
    host.message[0] = '\0';
    for (size_t i = 0; i < count; i++) {
        if (element_size((GDExtensionVariantType)arguments[i].type) > 0) {
            arguments[i].of.words[0] = 1;
        }
    }
    if (host.by_pointers) {
        result = call_by_pointers(method, object, count, arguments);
    } else {
        GDExtensionConstVariantPtr pointers[ARGUMENTS_MAX];
        for (size_t i = 0; i < count; i++) {
            pointers[i] = &arguments[i];
        }
        method->info.call_func(method->info.method_userdata, object, pointers, (int64_t)count,
                               &result, &host.call);
    }
    for (size_t i = 0; i < count; i++) {
        host_destroy(&arguments[i]);
    }
    return result;
}

host_variant host_int(int64_t number)
{
    return (host_variant){ .type = V(INT), .of.integer = number };
}

host_variant host_float(double number)
{
    return (host_variant){ .type = V(FLOAT), .of.number = number };
}

static void round_reals(void *out, const double *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (host.doubles) {
            ((double *)out)[i] = numbers[i];
        } else {
            ((float *)out)[i] = (float)numbers[i];
        }
    }
}

host_variant host_reals(GDExtensionVariantType type, const double *numbers)
{
    double reals[16];
    host_variant made;
    round_reals(reals, numbers, real_count(type));
    to_variant(type, &made, reals);
    return made;
}

host_variant host_array(GDExtensionVariantType type, const void *elements, size_t count)
{
    host_variant made = { .type = type };
    packed *array = (packed *)&made.of;
    make(type, array);
    resize(type, array, count);
    if (count > 0 && type == V(PACKED_VECTOR3_ARRAY)) {
        round_reals(array->block->elements, elements, 3 * count);
    } else if (count > 0) {
        memcpy(array->block->elements, elements, count * element_size(type));
    }
    return made;
}

const void *host_elements(const host_variant *array, size_t *count)
{
    const packed *p = (const packed *)&array->of;
    assert_true(element_size((GDExtensionVariantType)array->type) > 0);
    *count = p->block == NULL ? 0 : p->block->count;
    return p->block == NULL ? NULL : p->block->elements;
}

const host_variant *host_at(const host_variant *variant, const char *key)
{
    const dictionary *d = variant->of.pointer;
    assert_int_equal(variant->type, V(DICTIONARY));
    for (size_t i = 0; i < d->count; i++) {
        if (strcmp(d->keys[i], key) == 0) {
            return &d->values[i];
        }
    }
    return NULL;
}

double host_real(const void *reals, size_t i)
{
    return host.doubles ? ((const double *)reals)[i] : (double)((const float *)reals)[i];
}
