/* host.c: loads the extension, and calls its class. */
#include "test/godot/interface.h"
#include "test/support/test.h"

#include <dlfcn.h>

host_state host;

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
