/* values.h: Godot's values within the stand-in for it. */
#pragma once

#include "test/godot/host.h"

#define V(name) GDEXTENSION_VARIANT_TYPE_##name

enum { KEYS_MAX = 16 };

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

/* Bytes of an element of a packed array; 0: it is none. */
size_t element_size(GDExtensionVariantType type);
bool is_text(GDExtensionVariantType type);
bool is_number(GDExtensionVariantType type);

/* A default, a copy, and the end of either. */
void make(GDExtensionVariantType type, void *out);
void copy(GDExtensionVariantType type, void *out, const void *from);
void destroy(GDExtensionVariantType type, void *at);
char *new_text(const char *text);
void resize(GDExtensionVariantType type, packed *array, size_t count);

/* As a variant, and out of it; numbers become one another.  inside points into it. */
void to_variant(GDExtensionVariantType type, void *out, const void *from);
void from_variant(GDExtensionVariantType type, void *out, const host_variant *variant);
void *inside(const host_variant *variant);
