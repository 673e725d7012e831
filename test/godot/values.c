/* values.c: Godot's values, as far as the extension has to do with them. */
#include "test/godot/values.h"
#include "test/support/test.h"

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

size_t element_size(GDExtensionVariantType type)
{
    return type == V(PACKED_BYTE_ARRAY)      ? 1
           : type == V(PACKED_INT32_ARRAY)   ? 4
           : type == V(PACKED_FLOAT64_ARRAY) ? 8
           : type == V(PACKED_VECTOR3_ARRAY) ? 3 * real_size()
                                             : 0;
}

bool is_text(GDExtensionVariantType type)
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

void resize(GDExtensionVariantType type, packed *array, size_t count)
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

char *new_text(const char *text)
{
    host.texts++;
    return strdup(text);
}

void make(GDExtensionVariantType type, void *out)
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

void copy(GDExtensionVariantType type, void *out, const void *from)
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

void destroy(GDExtensionVariantType type, void *at)
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

void to_variant(GDExtensionVariantType type, void *out, const void *from)
{
    host_variant made = { .type = type };
    if (is_apart(type)) {
        made.of.pointer = malloc(size_of(type));
        host.transforms++;
    }
    copy(type, is_apart(type) ? made.of.pointer : &made.of, from);
    memcpy(out, &made, variant_size());
}

void *inside(const host_variant *variant)
{
    return is_apart((GDExtensionVariantType)variant->type) ? variant->of.pointer
                                                           : (void *)&variant->of;
}

bool is_number(GDExtensionVariantType type)
{
    return type == V(BOOL) || type == V(INT) || type == V(FLOAT);
}

/* Numbers become one another; of other types it is the extension that has to look first. */
void from_variant(GDExtensionVariantType type, void *out, const host_variant *variant)
{
    if (variant->type == V(FLOAT) && type == V(INT)) {
        *(int64_t *)out = (int64_t)variant->of.number;
    } else if (variant->type == V(INT) && type == V(FLOAT)) {
        *(double *)out = (double)variant->of.integer;
    } else {
        assert_int_equal(variant->type, type);
        copy(type, out, inside(variant));
    }
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
