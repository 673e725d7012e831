/* format/choose.c: which format a file has, by its content and then by the ending of its name; for
 * sl_mesh_load. */
#include "lib/mesh/format/choose.h"

#include "lib/base/error.h"

#include <stdio.h>

#define SLI_FORMAT_ROW(name) &sli_format_##name,
static const sli_format *const formats[] = { SLI_FORMATS(SLI_FORMAT_ROW) };
#undef SLI_FORMAT_ROW

enum { FORMAT_COUNT = sizeof formats / sizeof formats[0] };

static const sl_mesh_format *const no_formats[] = { NULL };

/* The source, and which formats of the caller's may be. */
typedef struct candidates {
    const sli_source *source;
    const sl_mesh_format *const *given;
    const sl_mesh_format *unpacker;
} candidates;

/* A compressed file holds no compressed one. */
static bool may_be(const candidates *from, const sl_mesh_format *given)
{
    return from->unpacker == NULL || given->load != NULL;
}

static bool choose_recognise(const candidates *from, bool weak, sli_choice *out)
{
    for (size_t i = 0; !weak && from->given[i] != NULL; i++) {
        if (may_be(from, from->given[i]) && from->given[i]->recognise(from->source)) {
            out->given = from->given[i];
            return true;
        }
    }
    for (int i = 0; i < FORMAT_COUNT; i++) {
        if (formats[i]->weak == weak && formats[i]->recognise(from->source)) {
            out->own = formats[i];
            return true;
        }
    }
    return false;
}

bool sli_has_ending(const char *name, size_t length, const char *ending)
{
    const size_t wanted = strlen(ending);
    if (length < wanted) {
        return false;
    }
    for (size_t i = 0; i < wanted; i++) {
        const char c = name[length - wanted + i];
        if ((c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c) != ending[i]) {
            return false;
        }
    }
    return true;
}

static bool by_name(const candidates *from, sli_choice *out)
{
    const char *name = from->source->name != NULL ? from->source->name : "";
    size_t length = strlen(name);
    if (from->unpacker != NULL && sli_has_ending(name, length, from->unpacker->ending)) {
        length -= strlen(from->unpacker->ending);
    }
    for (size_t i = 0; from->given[i] != NULL; i++) {
        if (may_be(from, from->given[i]) && sli_has_ending(name, length, from->given[i]->ending)) {
            out->given = from->given[i];
            return true;
        }
    }
    for (int i = 0; i < FORMAT_COUNT; i++) {
        if (sli_has_ending(name, length, formats[i]->ending)) {
            out->own = formats[i];
            return true;
        }
    }
    return false;
}

/* "OBJ, PLY, STL, OFF" and what the caller has. */
static void list_formats(const candidates *from, char *words, size_t capacity)
{
    size_t length = (size_t)snprintf(words, capacity, "OBJ, PLY, STL, OFF");
    for (size_t i = 0; from->given[i] != NULL && length < capacity; i++) {
        if (may_be(from, from->given[i])) {
            length +=
                (size_t)snprintf(words + length, capacity - length, ", %s", from->given[i]->name);
        }
    }
}

/* Whether a file begins as text: without control characters but blanks and line ends. */
static bool is_text(const sli_source *source)
{
    enum { LOOK_AT = 1024 };
    const uint8_t *bytes = source->bytes;
    for (size_t i = 0; i < source->size && i < LOOK_AT; i++) {
        if ((bytes[i] < 32 && (bytes[i] < '\t' || bytes[i] > '\r')) || bytes[i] == 127) {
            return false;
        }
    }
    return true;
}

/* What is known to be something else goes before texts that merely may be a mesh, as a web page may
 * show one. */
sl_result sli_choose(const sli_source *source, const sl_mesh_format *const *given,
                     const sl_mesh_format *unpacker, sli_choice *out, sl_error *error)
{
    const candidates of = { .source = source,
                            .given = given != NULL ? given : no_formats,
                            .unpacker = unpacker },
                     *from = &of;
    *out = (sli_choice){ 0 };
    char words[128];
    list_formats(from, words, sizeof words);
    if (source->size == 0) {
        return sli_fail(error, SL_BAD_DATA, source->name, SLI_NO_LINE, 0,
                        "the file is empty; expected one of %s", words);
    }
    if (choose_recognise(from, false, out)) {
        return SL_OK;
    }
    SLI_TRY(sli_sniff(source, error));
    if (choose_recognise(from, true, out) || by_name(from, out)) {
        return SL_OK;
    }
    return sli_fail(error, SL_UNSUPPORTED, source->name, SLI_NO_LINE, 0,
                    is_text(source)
                        ? "this is text, and no mesh; name one in a format that is read "
                          "(%s)"
                        : "neither content nor name is that of a format that is read (%s)",
                    words);
}

const char *sli_choice_name(const sli_choice *choice)
{
    return choice->given != NULL ? choice->given->name : choice->own->name;
}

uint32_t sli_choice_first_index(const sli_choice *choice)
{
    return choice->given != NULL ? 0 : choice->own->first_index;
}

sl_result sli_choice_load(const sli_choice *choice, const sli_source *source, sli_builder *builder,
                          sl_error *error)
{
    return choice->given != NULL ? choice->given->load(source, builder, error)
                                 : choice->own->load(source, builder, error);
}
