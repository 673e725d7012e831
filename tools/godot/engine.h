/* engine.h: what the extension takes of Godot: functions of its interface, looked up by name, and
 * short ways to its values.
 *
 * Versions 4.2 and later: the functions below are in the interface since 4.2 and have stayed.
 * Reals    real_t, of which vectors and transforms are made, is float, or double in builds with
 *          precision=double.  Godot does not say which; load_godot finds out, and one library
 *          serves both.
 * Values   live in room that is large enough for either kind of build. */
#pragma once

#include <sightline/sightline.h>

#include <gdextension_interface.h>

/* Functions: the name that Godot knows, and the end of its type's name in the header. */
#define GODOT_FUNCTIONS(X)                                                                         \
    X(print_error, PrintError)                                                                     \
    X(string_name_new_with_latin1_chars, StringNameNewWithLatin1Chars)                             \
    X(string_new_with_latin1_chars, StringNewWithLatin1Chars)                                      \
    X(variant_get_type, VariantGetType)                                                            \
    X(variant_can_convert_strict, VariantCanConvertStrict)                                         \
    X(variant_destroy, VariantDestroy)                                                             \
    X(get_variant_from_type_constructor, GetVariantFromTypeConstructor)                            \
    X(get_variant_to_type_constructor, GetVariantToTypeConstructor)                                \
    X(variant_get_ptr_constructor, VariantGetPtrConstructor)                                       \
    X(variant_get_ptr_destructor, VariantGetPtrDestructor)                                         \
    X(variant_get_ptr_builtin_method, VariantGetPtrBuiltinMethod)                                  \
    X(packed_byte_array_operator_index, PackedByteArrayOperatorIndex)                              \
    X(packed_int32_array_operator_index, PackedInt32ArrayOperatorIndex)                            \
    X(packed_int32_array_operator_index_const, PackedInt32ArrayOperatorIndexConst)                 \
    X(packed_float64_array_operator_index, PackedFloat64ArrayOperatorIndex)                        \
    X(packed_vector3_array_operator_index, PackedVector3ArrayOperatorIndex)                        \
    X(packed_vector3_array_operator_index_const, PackedVector3ArrayOperatorIndexConst)             \
    X(dictionary_operator_index, DictionaryOperatorIndex)                                          \
    X(classdb_construct_object, ClassdbConstructObject)                                            \
    X(object_set_instance, ObjectSetInstance)                                                      \
    X(classdb_register_extension_class2, ClassdbRegisterExtensionClass2)                           \
    X(classdb_register_extension_class_method, ClassdbRegisterExtensionClassMethod)                \
    X(classdb_register_extension_class_integer_constant,                                           \
      ClassdbRegisterExtensionClassIntegerConstant)                                                \
    X(classdb_unregister_extension_class, ClassdbUnregisterExtensionClass)

/* The types of arguments and results, by short names. */
#define BOOL        GDEXTENSION_VARIANT_TYPE_BOOL
#define INT         GDEXTENSION_VARIANT_TYPE_INT
#define FLOAT       GDEXTENSION_VARIANT_TYPE_FLOAT
#define STRING      GDEXTENSION_VARIANT_TYPE_STRING
#define VECTOR2     GDEXTENSION_VARIANT_TYPE_VECTOR2
#define VECTOR3     GDEXTENSION_VARIANT_TYPE_VECTOR3
#define TRANSFORM   GDEXTENSION_VARIANT_TYPE_TRANSFORM3D
#define PROJECTION  GDEXTENSION_VARIANT_TYPE_PROJECTION
#define STRING_NAME GDEXTENSION_VARIANT_TYPE_STRING_NAME
#define DICTIONARY  GDEXTENSION_VARIANT_TYPE_DICTIONARY
#define BYTES       GDEXTENSION_VARIANT_TYPE_PACKED_BYTE_ARRAY
#define INTS        GDEXTENSION_VARIANT_TYPE_PACKED_INT32_ARRAY
#define DOUBLES     GDEXTENSION_VARIANT_TYPE_PACKED_FLOAT64_ARRAY
#define POINTS      GDEXTENSION_VARIANT_TYPE_PACKED_VECTOR3_ARRAY

/* Room for a value of any of these types: a projection of doubles is the largest. */
typedef union value {
    double reals[16];
    double number;
    int64_t integer;
    void *pointer;
} value;

/* Room for a variant, which takes 24 bytes, or 40 where reals are doubles. */
typedef union variant {
    double room[5];
} variant;

typedef struct godot_interface {
#define GODOT_MEMBER(name, type) GDExtensionInterface##type name;
    GODOT_FUNCTIONS(GODOT_MEMBER)
#undef GODOT_MEMBER
    sl_number real; /* SL_FLOAT or SL_DOUBLE, which arrays of points have, too */
    size_t real_size;
} godot_interface;

extern godot_interface godot;

/* False where this Godot lacks a function: it is older than 4.2. */
bool load_godot(GDExtensionInterfaceGetProcAddress get);

/* Prints a message in Godot's log, in the name of the method that runs, and returns false, for
 * callers that fail. */
bool complain(const char *file, int line, const char *format, ...);
#define REFUSE(...) complain(__FILE__, __LINE__, __VA_ARGS__)
extern _Thread_local const char *running_method;

/* A new StringName or String, to be destroyed as a value of its type. */
value new_text(GDExtensionVariantType type, const char *text);
/* The default of a type: 0, "", nothing. */
void new_value(GDExtensionVariantType type, value *out);
void destroy_value(GDExtensionVariantType type, value *gone);
/* result, a value of the type, becomes the taken one, which is destroyed. */
void give(GDExtensionVariantType type, GDExtensionTypePtr result, value *taken);
/* The value as a variant; it stays as it is. */
void new_variant(GDExtensionVariantType type, const value *from, GDExtensionVariantPtr out);

/* Elements of a packed array, which lie side by side (those of points are three reals each), and
 * their number; NULL where there are none. */
const void *packed_elements(GDExtensionVariantType type, GDExtensionConstTypePtr array,
                            size_t *count);
/* The same, to be written, after it is made as long as that; NULL also where there is no memory. */
void *packed_resize(GDExtensionVariantType type, GDExtensionTypePtr array, size_t count);

/* Number index of an array of reals, such as a transform. */
double get_real(const void *reals, size_t index);
/* Point index of an array of points. */
void put_point(void *points, size_t index, const double xyz[3]);

/* dictionary[key] = value; the value is destroyed. */
void put_in(GDExtensionTypePtr dictionary, const char *key, GDExtensionVariantType type,
            value *taken);
