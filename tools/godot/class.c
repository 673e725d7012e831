/* class.c: SightlineWorld as Godot knows it: its methods and constants, and calls of them. */
#include "tools/godot/world.h"

#include <math.h>
#include <stdlib.h>

enum { ARGUMENTS = 8 };

static const char *const class_name = "SightlineWorld";

/* A method.  Arguments behind the first `needed` may be left out; then they are what the default of
 * their type is, but tmax, which is infinite. */
typedef struct entry {
    method *run;
    const char *name;
    GDExtensionVariantType result;
    uint32_t flags, needed, count;
    struct {
        const char *name;
        GDExtensionVariantType type;
    } arguments[ARGUMENTS];
} entry;

enum {
    CHANGES = GDEXTENSION_METHOD_FLAGS_DEFAULT,
    ASKS = GDEXTENSION_METHOD_FLAGS_DEFAULT | GDEXTENSION_METHOD_FLAG_CONST
};

/* clang-format off */
static const entry entries[] = {
    { add_mesh, "add_mesh", INT, CHANGES, 1, 2, { { "vertices", POINTS }, { "indices", INTS } } },
    { remove_mesh, "remove_mesh", BOOL, CHANGES, 1, 1, { { "mesh", INT } } },
    { add_instance, "add_instance", INT, CHANGES, 2, 3,
      { { "mesh", INT }, { "transform", TRANSFORM }, { "mask", INT } } },
    { move_instance, "move_instance", BOOL, CHANGES, 2, 2,
      { { "instance", INT }, { "transform", TRANSFORM } } },
    { remove_instance, "remove_instance", BOOL, CHANGES, 1, 1, { { "instance", INT } } },
    { set_threads, "set_threads", BOOL, CHANGES, 1, 1, { { "count", INT } } },
    { update, "update", BOOL, CHANGES, 0, 0, { { NULL, 0 } } },
    { sight, "sight", BYTES, ASKS, 2, 6,
      { { "from", POINTS }, { "to", POINTS }, { "ignore", INTS }, { "ignore_each", INT },
        { "mask", INT }, { "flags", INT } } },
    { cast, "cast", DICTIONARY, ASKS, 2, 7,
      { { "origins", POINTS }, { "directions", POINTS }, { "tmax", FLOAT }, { "ignore", INTS },
        { "ignore_each", INT }, { "mask", INT }, { "flags", INT } } },
    { pick, "pick", DICTIONARY, ASKS, 4, 8,
      { { "camera", TRANSFORM }, { "projection", PROJECTION }, { "size", VECTOR2 },
        { "position", VECTOR2 }, { "kinds", INT }, { "radius", FLOAT }, { "ignore", INTS },
        { "mask", INT } } }
};

static const struct {
    const char *name;
    int64_t number;
} constants[] = {
    { "OPEN_START", OPEN_START },     { "OPEN_END", OPEN_END },      { "CULL_BACK", CULL_BACK },
    { "CULL_FRONT", CULL_FRONT },     { "SEGMENTS", SEGMENTS },      { "PICK_FACE", SL_PICK_FACE },
    { "PICK_EDGE", SL_PICK_EDGE },    { "PICK_VERTEX", SL_PICK_VERTEX }
};
/* clang-format on */

/* ---- Calls ---- */

static void call_by_pointers(void *data, GDExtensionClassInstancePtr instance,
                             const GDExtensionConstTypePtr *arguments, GDExtensionTypePtr result)
{
    const entry *e = data;
    running_method = e->name;
    e->run(instance, arguments, result);
}

static void default_argument(const entry *e, uint32_t i, value *out)
{
    new_value(e->arguments[i].type, out);
    if (e->run == cast && e->arguments[i].type == FLOAT) {
        out->number = INFINITY;
    }
}

/* Argument i, converted from what GDScript would convert from; false where it would not. */
static bool take_argument(const entry *e, uint32_t i, GDExtensionConstVariantPtr given, value *out)
{
    const GDExtensionVariantType type = e->arguments[i].type, from = godot.variant_get_type(given);
    if (from != type && !godot.variant_can_convert_strict(from, type)) {
        return false;
    }
    godot.get_variant_to_type_constructor(type)(out, (GDExtensionVariantPtr)given);
    return true;
}

static void call_by_variants(void *data, GDExtensionClassInstancePtr instance,
                             const GDExtensionConstVariantPtr *given, GDExtensionInt given_count,
                             GDExtensionVariantPtr result, GDExtensionCallError *error)
{
    const entry *e = data;
    value values[ARGUMENTS], answer;
    GDExtensionConstTypePtr arguments[ARGUMENTS];
    uint32_t count = 0;
    error->error = given_count > e->count    ? GDEXTENSION_CALL_ERROR_TOO_MANY_ARGUMENTS
                   : given_count < e->needed ? GDEXTENSION_CALL_ERROR_TOO_FEW_ARGUMENTS
                                             : GDEXTENSION_CALL_OK;
    error->expected = (int32_t)(given_count > e->count ? e->count : e->needed);
    while (count < e->count && error->error == GDEXTENSION_CALL_OK) {
        if (count >= given_count) {
            default_argument(e, count, &values[count]);
        } else if (!take_argument(e, count, given[count], &values[count])) {
            *error = (GDExtensionCallError){ GDEXTENSION_CALL_ERROR_INVALID_ARGUMENT,
                                             (int32_t)count, (int32_t)e->arguments[count].type };
            break;
        }
        arguments[count] = &values[count];
        count++;
    }
    if (error->error == GDEXTENSION_CALL_OK) {
        new_value(e->result, &answer);
        call_by_pointers(data, instance, arguments, &answer);
        new_variant(e->result, &answer, result);
        destroy_value(e->result, &answer);
    }
    while (count > 0) {
        count--;
        destroy_value(e->arguments[count].type, &values[count]);
    }
}

/* ---- Objects ---- */

static GDExtensionObjectPtr create(void *data)
{
    (void)data;
    world *w = calloc(1, sizeof *w);
    if (w == NULL) {
        return NULL;
    }
    value parent = new_text(STRING_NAME, "RefCounted"), name = new_text(STRING_NAME, class_name);
    const GDExtensionObjectPtr object = godot.classdb_construct_object(&parent);
    godot.object_set_instance(object, &name, w);
    destroy_value(STRING_NAME, &parent);
    destroy_value(STRING_NAME, &name);
    return object;
}

static void destroy(void *data, GDExtensionClassInstancePtr instance)
{
    (void)data;
    destroy_world(instance);
}

/* ---- The class ---- */

/* What Godot is told of a method's arguments, while it is told. */
typedef struct described {
    value names[ARGUMENTS];
    GDExtensionPropertyInfo infos[ARGUMENTS];
    variant defaults[ARGUMENTS];
    GDExtensionVariantPtr default_pointers[ARGUMENTS]; /* of those that have one */
} described;

static void describe(const entry *e, const GDExtensionPropertyInfo *like, described *out)
{
    for (uint32_t i = 0; i < e->count; i++) {
        out->names[i] = new_text(STRING_NAME, e->arguments[i].name);
        out->infos[i] = *like;
        out->infos[i].type = e->arguments[i].type;
        out->infos[i].name = &out->names[i];
        if (i >= e->needed) {
            value by_default;
            default_argument(e, i, &by_default);
            new_variant(e->arguments[i].type, &by_default, &out->defaults[i]);
            destroy_value(e->arguments[i].type, &by_default);
            out->default_pointers[i - e->needed] = &out->defaults[i];
        }
    }
}

static void destroy_described(const entry *e, described *gone)
{
    for (uint32_t i = 0; i < e->count; i++) {
        destroy_value(STRING_NAME, &gone->names[i]);
        if (i >= e->needed) {
            godot.variant_destroy(&gone->defaults[i]);
        }
    }
}

/* Registers a method.  Empty texts stand where Godot wants to know of classes and hints. */
static void add_method(GDExtensionClassLibraryPtr library, value *class, const entry *e)
{
    enum { DEFAULT_USAGE = 6 }; /* PROPERTY_USAGE_DEFAULT */
    value name = new_text(STRING_NAME, e->name);
    value no_class = new_text(STRING_NAME, ""), no_hint = new_text(STRING, "");
    GDExtensionPropertyInfo result = {
        e->result, &no_class, &no_class, 0, &no_hint, DEFAULT_USAGE
    };
    GDExtensionClassMethodArgumentMetadata metadata[ARGUMENTS] = { 0 };
    described arguments;
    describe(e, &result, &arguments);
    const GDExtensionClassMethodInfo info = { .name = &name,
                                              .method_userdata = (void *)e,
                                              .call_func = call_by_variants,
                                              .ptrcall_func = call_by_pointers,
                                              .method_flags = e->flags,
                                              .has_return_value = true,
                                              .return_value_info = &result,
                                              .argument_count = e->count,
                                              .arguments_info = arguments.infos,
                                              .arguments_metadata = metadata,
                                              .default_argument_count = e->count - e->needed,
                                              .default_arguments = arguments.default_pointers };
    godot.classdb_register_extension_class_method(library, class, &info);
    destroy_described(e, &arguments);
    destroy_value(STRING_NAME, &name);
    destroy_value(STRING_NAME, &no_class);
    destroy_value(STRING, &no_hint);
}

static void add_constant(GDExtensionClassLibraryPtr library, value *class, const char *name,
                         int64_t number)
{
    value text = new_text(STRING_NAME, name), no_enum = new_text(STRING_NAME, "");
    godot.classdb_register_extension_class_integer_constant(library, class, &no_enum, &text, number,
                                                            false);
    destroy_value(STRING_NAME, &text);
    destroy_value(STRING_NAME, &no_enum);
}

static void initialize(void *library, GDExtensionInitializationLevel level)
{
    if (level != GDEXTENSION_INITIALIZATION_SCENE) {
        return;
    }
    const GDExtensionClassCreationInfo2 info = { .is_exposed = true,
                                                 .create_instance_func = create,
                                                 .free_instance_func = destroy };
    value class = new_text(STRING_NAME, class_name), parent = new_text(STRING_NAME, "RefCounted");
    godot.classdb_register_extension_class2(library, &class, &parent, &info);
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        add_method(library, &class, &entries[i]);
    }
    for (size_t i = 0; i < sizeof constants / sizeof *constants; i++) {
        add_constant(library, &class, constants[i].name, constants[i].number);
    }
    destroy_value(STRING_NAME, &class);
    destroy_value(STRING_NAME, &parent);
}

static void deinitialize(void *library, GDExtensionInitializationLevel level)
{
    if (level == GDEXTENSION_INITIALIZATION_SCENE) {
        value class = new_text(STRING_NAME, class_name);
        godot.classdb_unregister_extension_class(library, &class);
        destroy_value(STRING_NAME, &class);
    }
}

/* What sightline.gdextension names. */
SL_EXPORT GDExtensionBool sightline_godot(GDExtensionInterfaceGetProcAddress get,
                                          GDExtensionClassLibraryPtr library,
                                          GDExtensionInitialization *out)
{
    *out = (GDExtensionInitialization){ .minimum_initialization_level =
                                            GDEXTENSION_INITIALIZATION_SCENE,
                                        .userdata = library,
                                        .initialize = initialize,
                                        .deinitialize = deinitialize };
    return load_godot(get);
}
