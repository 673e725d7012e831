/* host.h: stands in for Godot where there is none: loads the extension, and calls its class as
 * Godot would, by variants or by pointers, in a build with floats or with doubles.
 *
 * Values   are as large as Godot's (builtin_class_sizes in extension_api.json), of which an
 *          extension may know nothing else; everything that is made is counted until it is
 *          destroyed. */
#pragma once

#include <gdextension_interface.h>

#include <sightline/sightline.h>

/* Godot's Variant: 24 bytes of this, or 40 where reals are doubles. */
typedef struct host_variant {
    uint64_t type;
    union {
        int64_t integer;
        double number;
        uint64_t words[4];
        void *pointer;
    } of;
} host_variant;

/* What happened since host_start, and what is not destroyed yet. */
typedef struct host_state {
    bool doubles, by_pointers;
    size_t errors; /* printed */
    char message[512], function[64];
    GDExtensionCallError call; /* how the last call by variants went */
    size_t texts, arrays, dictionaries, objects, transforms;
    size_t writes; /* to arrays that are the caller's */
} host_state;

extern host_state host;

/* Loads the library and registers its class.  host_stop undoes it; then nothing is left, or the
 * test fails. */
void host_start(const char *library, bool doubles, bool by_pointers);
void host_stop(void);

/* An object of the class, and its end. */
GDExtensionClassInstancePtr host_new(void);
void host_delete(GDExtensionClassInstancePtr object);

/* Calls a method with arguments, which are destroyed; what is left out is as the method's defaults
 * say.  The result is to be destroyed. */
host_variant host_call(GDExtensionClassInstancePtr object, const char *method, size_t count,
                       host_variant *arguments);
/* The value of a constant of the class. */
int64_t host_constant(const char *name);

host_variant host_int(int64_t number);
host_variant host_float(double number);
host_variant host_reals(GDExtensionVariantType type, const double *numbers);
/* A packed array.  Points are three doubles each, rounded to reals. */
host_variant host_array(GDExtensionVariantType type, const void *elements, size_t count);
void host_destroy(host_variant *variant);

/* Element 0 of a packed array, and how many there are. */
const void *host_elements(const host_variant *array, size_t *count);
/* What a dictionary has for a key; NULL: nothing. */
const host_variant *host_at(const host_variant *dictionary, const char *key);
/* Number i of reals. */
double host_real(const void *reals, size_t i);
