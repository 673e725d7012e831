/* gltf/json.c: reads numbers, texts and arrays of JSON objects, and says which property is wrong;
 * for the other files of the glTF reader. */
#include "lib/mesh/gltf/gltf.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *const sli_gltf_kind_names[SLI_GLTF_KINDS] = {
    "buffers", "bufferViews", "accessors", "meshes", "nodes", "skins", "scenes", "materials",
};

void sli_gltf_make_printable(sl_error *error)
{
    for (char *c = error != NULL ? error->message : ""; *c != '\0'; c++) {
        if ((uint8_t)*c < 0x20 || (uint8_t)*c > 0x7E) {
            *c = '?';
        }
    }
}

sl_result sli_gltf_fail(const sli_gltf *gltf, sl_result code, const sli_gltf_item *item,
                        const char *format, ...)
{
    if (gltf->error == NULL) {
        return code;
    }
    sli_gltf_location location;
    sli_gltf_locate(gltf, item->kind, item->index, 1, &location);
    char words[224];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    sli_fail(gltf->error, code, gltf->input->name, location.line, location.byte, "%s: %s",
             item->name, words);
    sli_gltf_make_printable(gltf->error);
    return code;
}

sl_result sli_gltf_array(sli_gltf *gltf, void *array, size_t count, size_t size)
{
    void *made = NULL;
    if (count <= SIZE_MAX / size && sl_mesh_sink_spend(gltf->sink, count * size, false)) {
        made = sli_arena_array(&gltf->arena, count, size);
    }
    memcpy(array, &made, sizeof made);
    SLI_TRY(sli_had_memory(gltf->error, made != NULL));
    memset(made, 0, count * size);
    return SL_OK;
}

static const char *type_of(const json_t *value)
{
    static const char *const names[] = { "an object", "an array", "a text", "a number",
                                         "a number",  "true",     "false",  "null" };
    return names[json_typeof(value)];
}

static sl_result wrong_type(const sli_gltf *gltf, const sli_gltf_item *item, const char *key,
                            const char *expected, const json_t *value)
{
    return sli_gltf_bad(gltf, item, "'%s' is %s instead of %s", key, type_of(value), expected);
}

sl_result sli_gltf_find_arrays(sli_gltf *gltf)
{
    const sli_gltf_item root = { .object = gltf->root, .kind = SLI_GLTF_KINDS, .name = "glTF" };
    for (int kind = 0; kind < SLI_GLTF_KINDS; kind++) {
        const char *name = sli_gltf_kind_names[kind];
        SLI_TRY(sli_gltf_list(gltf, &root, name, &gltf->arrays[kind]));
        gltf->counts[kind] = json_array_size(gltf->arrays[kind]);
        if (gltf->counts[kind] >= SL_NONE) {
            return sli_gltf_fail(gltf, SL_TOO_LARGE, &root, "too many %s", name);
        }
    }
    return SL_OK;
}

sl_result sli_gltf_element(const sli_gltf *gltf, sli_gltf_kind kind, uint32_t index,
                           sli_gltf_item *out)
{
    *out = (sli_gltf_item){ .object = json_array_get(gltf->arrays[kind], index),
                            .kind = kind,
                            .index = index };
    snprintf(out->name, sizeof out->name, "%s[%lu]", sli_gltf_kind_names[kind],
             (unsigned long)index);
    return json_is_object(out->object)
               ? SL_OK
               : sli_gltf_bad(gltf, out, "%s instead of an object", type_of(out->object));
}

sl_result sli_gltf_object(const sli_gltf *gltf, const sli_gltf_item *item, const char *key,
                          sli_gltf_item *out)
{
    *out = *item;
    snprintf(out->name, sizeof out->name, "%.36s.%.26s", item->name, key);
    out->object = json_object_get(item->object, key);
    return out->object == NULL || json_is_object(out->object)
               ? SL_OK
               : wrong_type(gltf, item, key, "an object", out->object);
}

sl_result sli_gltf_list(const sli_gltf *gltf, const sli_gltf_item *item, const char *key,
                        const json_t **out)
{
    *out = json_object_get(item->object, key);
    return *out == NULL || json_is_array(*out) ? SL_OK
                                               : wrong_type(gltf, item, key, "an array", *out);
}

sl_result sli_gltf_extension(const sli_gltf *gltf, const sli_gltf_item *item, const char *name,
                             sli_gltf_item *out)
{
    sli_gltf_item all;
    sl_result result = sli_gltf_object(gltf, item, "extensions", &all);
    *out = all;
    if (result == SL_OK && all.object != NULL) {
        result = sli_gltf_object(gltf, &all, name, out);
        memcpy(out->name, item->name, sizeof out->name);
    }
    return result;
}

static bool is_whole(const json_t *value, uint64_t *out)
{
    if (json_is_integer(value)) {
        const json_int_t number = json_integer_value(value);
        *out = (uint64_t)number;
        return number >= 0;
    }
    /* 3.0 and 3e0 are whole, too. */
    const double number = json_is_real(value) ? json_real_value(value) : -1.0;
    if (!(number >= 0.0 && number <= 9007199254740992.0 && floor(number) == number)) {
        return false;
    }
    *out = (uint64_t)number;
    return true;
}

sl_result sli_gltf_whole(const sli_gltf *gltf, const sli_gltf_item *item, const char *key,
                         uint64_t otherwise, uint64_t most, uint64_t *out)
{
    const json_t *value = json_object_get(item->object, key);
    *out = otherwise;
    if (value == NULL) {
        return otherwise != SLI_GLTF_NEEDED ? SL_OK
                                            : sli_gltf_bad(gltf, item, "'%s' is missing", key);
    }
    if (!json_is_number(value)) {
        return wrong_type(gltf, item, key, "a whole number", value);
    }
    if (!is_whole(value, out)) {
        return sli_gltf_bad(gltf, item, "'%s' is %.9g, which is no whole number >= 0", key,
                            json_number_value(value));
    }
    return *out <= most ? SL_OK
                        : sli_gltf_fail(gltf, SL_TOO_LARGE, item, "'%s' is %llu; at most %llu", key,
                                        (unsigned long long)*out, (unsigned long long)most);
}

sl_result sli_gltf_as_reference(const sli_gltf *gltf, const sli_gltf_item *item, const char *key,
                                const json_t *value, sli_gltf_kind kind, uint32_t *out)
{
    uint64_t index = 0;
    if (!json_is_number(value)) {
        return wrong_type(gltf, item, key, "the number of an element", value);
    }
    const size_t count = gltf->counts[kind];
    if (!is_whole(value, &index) || index >= count) {
        return sli_gltf_fail(
            gltf, SL_BAD_INDEX, item,
            "'%s' is %.17g, but there are %zu %s, counted from 0; mend the file or "
            "export it anew",
            key, json_number_value(value), count, sli_gltf_kind_names[kind]);
    }
    *out = (uint32_t)index;
    return SL_OK;
}

sl_result sli_gltf_reference(const sli_gltf *gltf, const sli_gltf_item *item, const char *key,
                             bool needed, sli_gltf_kind kind, uint32_t *out)
{
    const json_t *value = json_object_get(item->object, key);
    *out = SL_NONE;
    if (value == NULL) {
        return needed ? sli_gltf_bad(gltf, item, "'%s' is missing", key) : SL_OK;
    }
    return sli_gltf_as_reference(gltf, item, key, value, kind, out);
}

sl_result sli_gltf_bool(const sli_gltf *gltf, const sli_gltf_item *item, const char *key, bool *out)
{
    const json_t *value = json_object_get(item->object, key);
    *out = json_is_true(value);
    return value == NULL || json_is_boolean(value)
               ? SL_OK
               : wrong_type(gltf, item, key, "true or false", value);
}

sl_result sli_gltf_text(const sli_gltf *gltf, const sli_gltf_item *item, const char *key,
                        const char **out, size_t *length)
{
    const json_t *value = json_object_get(item->object, key);
    *out = json_string_value(value);
    *length = json_string_length(value);
    return value == NULL || *out != NULL ? SL_OK : wrong_type(gltf, item, key, "a text", value);
}

sl_result sli_gltf_numbers(const sli_gltf *gltf, const sli_gltf_item *item, const char *key,
                           int count, double *out, bool *there)
{
    const json_t *list;
    const sl_result result = sli_gltf_list(gltf, item, key, &list);
    *there = list != NULL;
    if (result != SL_OK || list == NULL) {
        return result;
    }
    if (json_array_size(list) != (size_t)count) {
        return sli_gltf_bad(gltf, item, "'%s' has %zu numbers instead of %d", key,
                            json_array_size(list), count);
    }
    for (int i = 0; i < count; i++) {
        const json_t *value = json_array_get(list, (size_t)i);
        if (!json_is_number(value)) {
            return sli_gltf_bad(gltf, item, "'%s' holds %s instead of a number", key,
                                type_of(value));
        }
        out[i] = json_number_value(value);
    }
    return SL_OK;
}
