/* load.c: the door for mesh files: which format it is, then the mesh, or an error with its place.
 */
#include "lib/base/error.h"
#include "lib/base/file.h"
#include "lib/base/fpenv.h"
#include "lib/mesh/format.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define SLI_FORMAT_ROW(name) &sli_format_##name,
static const sli_format *const formats[] = { SLI_FORMATS(SLI_FORMAT_ROW) };
#undef SLI_FORMAT_ROW

enum { FORMAT_COUNT = sizeof formats / sizeof formats[0] };

sli_text sli_source_text(const sli_source *source)
{
    const bool mark = source->size >= 3 && memcmp(source->bytes, "\xEF\xBB\xBF", 3) == 0;
    return (sli_text){ .at = source->bytes + (mark ? 3 : 0),
                       .end = source->bytes + source->size,
                       .line = 1,
                       .name = source->name };
}

/* ---- which format -------------------------------------------------------------------- */

static const sli_format *recognise(const sli_source *source, bool weak)
{
    for (int i = 0; i < FORMAT_COUNT; i++) {
        if (formats[i]->weak == weak && formats[i]->recognise(source)) {
            return formats[i];
        }
    }
    return NULL;
}

static bool has_ending(const char *name, const char *ending)
{
    const size_t length = strlen(name), wanted = strlen(ending);
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

static const sli_format *by_name(const char *name)
{
    for (int i = 0; i < FORMAT_COUNT && name != NULL; i++) {
        if (has_ending(name, formats[i]->ending)) {
            return formats[i];
        }
    }
    return NULL;
}

/* By content, then by name.  What is known to be something else goes before texts that merely may
 * be a mesh, as a web page may show one. */
static sl_result choose(const sli_source *source, const sli_format **out, sl_error *error)
{
    if (source->size == 0) {
        return sli_fail(error, SL_BAD_DATA, source->name, SLI_NO_LINE, 0,
                        "the file is empty; expected OBJ, PLY, STL or OFF");
    }
    *out = recognise(source, false);
    if (*out != NULL) {
        return SL_OK;
    }
    const sl_result sniffed = sli_sniff(source, error);
    if (sniffed != SL_OK) {
        return sniffed;
    }
    *out = recognise(source, true);
    if (*out == NULL) {
        *out = by_name(source->name);
    }
    return *out != NULL
               ? SL_OK
               : sli_fail(error, SL_UNSUPPORTED, source->name, SLI_NO_LINE, 0,
                          "neither content nor name is that of a format that is read (OBJ, PLY, "
                          "STL, OFF)");
}

/* ---- where a bad triangle stands ----------------------------------------------------- */

typedef struct place_search {
    const sli_source *source;
    const sli_format *format;
    const sl_mesh_def *def;
    sli_locate *locate;
    size_t vertex_count;
    double origin[3];
} place_search;

/* Reads the source once more, only to answer search->locate. */
static void run_search(const place_search *search)
{
    sli_builder builder;
    sli_builder_open(&builder, search->def, search->source->size, (sli_fpenv){ 0 });
    builder.locate = search->locate;
    search->format->load(search->source, &builder, NULL);
    sli_builder_close(&builder);
}

static void place_triangle(const void *context, size_t prim, int64_t *line, int64_t *byte)
{
    const place_search *search = context;
    search->locate->prim = prim;
    run_search(search);
    *line = search->locate->line;
    *byte = search->locate->found && *line == SLI_NO_LINE ? search->locate->byte : SLI_NO_BYTE;
}

/* Triangles and faces are counted from 0, as everywhere; words are about a vertex. */
static void explain(const place_search *search, const char *words, sl_error *error)
{
    const sli_locate *locate = search->locate;
    char face[48] = "";
    if (locate->face != locate->prim) {
        snprintf(face, sizeof face, " (of face %zu)", locate->face);
    }
    snprintf(error->message, sizeof error->message, "triangle %zu%s, counting from 0, names %s",
             locate->prim, face, words);
}

/* Renames the flaw that sli_mesh_finish has found in the numbers of the file. */
static void explain_index(const place_search *search, sl_error *error)
{
    const sli_locate *locate = search->locate;
    int corner = 0;
    while (corner < 2 && locate->corners[corner] < search->vertex_count) {
        corner++;
    }
    char words[SLI_WORDS];
    if (locate->words[corner][0] != '\0') {
        snprintf(words, sizeof words, "%s", locate->words[corner]);
    } else if (search->vertex_count == 0) {
        snprintf(words, sizeof words, "vertex %" PRIu64 ", but there are no vertices",
                 (uint64_t)locate->corners[corner] + search->format->first_index);
    } else {
        snprintf(words, sizeof words, "vertex %" PRIu64 ", but the last one is %zu",
                 (uint64_t)locate->corners[corner] + search->format->first_index,
                 search->vertex_count - 1 + search->format->first_index);
    }
    explain(search, words, error);
}

static const char *what_is_not_finite(double value)
{
    return isnan(value)   ? "not a number"
           : isinf(value) ? "infinite"
                          : "beyond the range of a float";
}

static void explain_coordinate(const place_search *search, sl_error *error)
{
    sli_locate *locate = search->locate;
    locate->vertices_wanted = true;
    run_search(search);
    for (int i = 0; i < 9; i++) {
        const double value = locate->vertices[i / 3].xyz[i % 3];
        if (isfinite((float)(value - search->origin[i % 3]))) {
            continue;
        }
        const bool text = locate->vertices[i / 3].line != SLI_NO_LINE;
        char words[SLI_WORDS];
        snprintf(words, sizeof words, "vertex %" PRIu64 " (%s %" PRId64 "), whose %c is %s",
                 (uint64_t)locate->corners[i / 3] + search->format->first_index,
                 text ? "line" : "byte",
                 text ? locate->vertices[i / 3].line : locate->vertices[i / 3].byte, "xyz"[i % 3],
                 what_is_not_finite(value));
        explain(search, words, error);
        return;
    }
}

static sl_result finish(const sli_source *source, const sli_format *format, const sl_mesh_def *def,
                        sli_builder *builder, sl_mesh **out, sl_error *error)
{
    sli_locate locate = { 0 };
    place_search search = { .source = source,
                            .format = format,
                            .def = def,
                            .locate = &locate,
                            .vertex_count = builder->parts.vertex_count };
    memcpy(search.origin, builder->parts.origin, sizeof search.origin);
    const sli_mesh_parts parts = builder->parts;
    builder->parts = (sli_mesh_parts){ 0 }; /* sli_mesh_finish takes them over */
    const sl_result result =
        sli_mesh_finish(&parts, def, source->name, place_triangle, &search, out, error);
    if (error != NULL && locate.found && result == SL_BAD_INDEX) {
        explain_index(&search, error);
    } else if (error != NULL && locate.found && result == SL_NOT_FINITE) {
        explain_coordinate(&search, error);
    }
    return result;
}

/* ---- the door ------------------------------------------------------------------------ */

/* Words for what made the builder say stop. */
static sl_result fail_build(const sli_source *source, sl_result result, sl_error *error)
{
    if (result == SL_OUT_OF_MEMORY) {
        return sli_fail_memory(error);
    }
    return sli_fail(error, result, source->name, SLI_NO_LINE, SLI_NO_BYTE, "%s",
                    result == SL_TOO_LARGE
                        ? "more than 4294967294 vertices or faces, or 2147483647 triangles"
                        : sl_result_message(result));
}

/* Not inlined, since its caller changes the floating-point environment around it. */
SLI_NOINLINE static sl_result build(const sli_source *source, const sl_mesh_def *def,
                                    sli_fpenv *caller, sl_mesh **out, sl_error *error)
{
    const sli_format *format = NULL;
    sl_result result = choose(source, &format, error);
    if (result != SL_OK) {
        return result;
    }
    sli_builder builder;
    sli_builder_open(&builder, def, source->size, *caller);
    builder.parts.format = format->name;
    result = format->load(source, &builder, error);
    if (result == SL_OK && (!sli_builder_settle(&builder) || !sli_builder_end(&builder))) {
        result = builder.result;
    }
    if (builder.result != SL_OK) {
        result = fail_build(source, builder.result, error);
    }
    if (result == SL_OK) {
        result = finish(source, format, def, &builder, out, error);
    }
    *caller = builder.caller;
    sli_builder_close(&builder);
    return result;
}

static sl_result load_bytes(const uint8_t *bytes, size_t size, const char *name,
                            const sl_mesh_def *def, sl_mesh **out, sl_error *error)
{
    const sli_source source = { .bytes = bytes, .size = size, .name = name };
    sli_fpenv caller = sli_fpenv_enter();
    const sl_result result = build(&source, def, &caller, out, error);
    sli_fpenv_leave(caller);
    return result;
}

sl_result sl_mesh_load_memory(const void *bytes, size_t size, const char *name,
                              const sl_mesh_def *def, sl_mesh **out, sl_error *error)
{
    sl_mesh_def checked;
    if (out != NULL) {
        *out = NULL;
    }
    if (out == NULL || (bytes == NULL && size > 0)) {
        return sli_fail_plain(error, SL_INVALID_ARGUMENT, "%s is NULL",
                              out == NULL ? "out" : "bytes");
    }
    const sl_result result = sli_mesh_def_check(def, &checked, error);
    if (result != SL_OK) {
        return result;
    }
    if (checked.max_bytes > 0 && size > checked.max_bytes) {
        return sli_fail(error, SL_TOO_LARGE, name, SLI_NO_LINE, SLI_NO_BYTE,
                        "%zu bytes; the limit is %zu", size, checked.max_bytes);
    }
    return load_bytes(bytes, size, name, &checked, out, error);
}

sl_result sl_mesh_load(const char *path, const sl_mesh_def *def, sl_mesh **out, sl_error *error)
{
    sl_mesh_def checked;
    sli_file file;
    if (out != NULL) {
        *out = NULL;
    }
    if (out == NULL || path == NULL) {
        return sli_fail_plain(error, SL_INVALID_ARGUMENT, "%s is NULL",
                              out == NULL ? "out" : "path");
    }
    sl_result result = sli_mesh_def_check(def, &checked, error);
    if (result != SL_OK) {
        return result;
    }
    result = sli_file_read(path, checked.max_bytes, &checked.allocator, &file, error);
    if (result == SL_OK) {
        result = load_bytes(file.bytes, file.size, path, &checked, out, error);
        sli_file_close(&file);
    }
    return result;
}
