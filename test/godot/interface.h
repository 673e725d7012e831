/* interface.h: what an extension asks of the stand-in for Godot, and what it has registered. */
#pragma once

#include "test/godot/values.h"

enum { METHODS_MAX = 16, ARGUMENTS_MAX = 16, CONSTANTS_MAX = 16 };

extern struct registry {
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

/* Functions of the interface by name; NULL, as in a Godot that is too old. */
GDExtensionInterfaceFunctionPtr get_proc_address(const char *name);
