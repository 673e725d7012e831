/* format/load.c: sl_mesh_load and sl_mesh_load_memory: the mesh of a file, or an error with its
 * place; a compressed file is unpacked first. */
#include "lib/base/error.h"
#include "lib/base/file/file.h"
#include "lib/base/memory.h"
#include "lib/mesh/format/choose.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* ---- where a bad triangle stands ----------------------------------------------------- */

typedef struct location_search {
    const sli_source *source;
    const sli_choice *format;
    const sl_mesh_def *def;
    sli_locate *locate;
    size_t vertex_count;
    double origin[3];
} location_search;

/* Reads the source once more, only to answer search->locate. */
static void run_search(const location_search *search)
{
    sli_builder builder;
    sli_builder_open(&builder, search->def, search->source->size, (sli_fpenv){ 0 });
    builder.locate = search->locate;
    sli_choice_load(search->format, search->source, &builder, NULL);
    sli_builder_close(&builder);
}

static void locate_triangle(const void *context, size_t prim, int64_t *line, int64_t *byte)
{
    const location_search *search = context;
    search->locate->prim = prim;
    run_search(search);
    *line = search->locate->line;
    *byte = search->locate->found && *line == SLI_NO_LINE ? search->locate->byte : SLI_NO_BYTE;
}

/* Triangles and faces are counted from 0, as everywhere; words are about a vertex. */
static void load_explain(const location_search *search, const char *words, sl_error *error)
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
static void explain_index(const location_search *search, sl_error *error)
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
                 (uint64_t)locate->corners[corner] + sli_choice_first_index(search->format));
    } else {
        snprintf(words, sizeof words, "vertex %" PRIu64 ", but the last one is %zu",
                 (uint64_t)locate->corners[corner] + sli_choice_first_index(search->format),
                 search->vertex_count - 1 + sli_choice_first_index(search->format));
    }
    load_explain(search, words, error);
}

static const char *what_is_not_finite(double value)
{
    return isnan(value)   ? "not a number"
           : isinf(value) ? "infinite"
                          : "beyond the range of a float";
}

static void explain_coordinate(const location_search *search, sl_error *error)
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
        const int64_t at = text ? locate->vertices[i / 3].line : locate->vertices[i / 3].byte;
        char location[48] = "", words[SLI_WORDS];
        if (at >= 0) {
            snprintf(location, sizeof location, " (%s %" PRId64 ")", text ? "line" : "byte", at);
        }
        snprintf(words, sizeof words, "vertex %" PRIu64 "%s, whose %c is %s",
                 (uint64_t)locate->corners[i / 3] + sli_choice_first_index(search->format),
                 location, "xyz"[i % 3], what_is_not_finite(value));
        load_explain(search, words, error);
        return;
    }
}

static sl_result load_finish(const sli_source *source, const sli_choice *format,
                             const sl_mesh_def *def, sli_builder *builder, sl_mesh **out,
                             sl_error *error)
{
    sli_locate locate = { 0 };
    location_search search = { .source = source,
                               .format = format,
                               .def = def,
                               .locate = &locate,
                               .vertex_count = builder->parts.vertex_count };
    memcpy(search.origin, builder->parts.origin, sizeof search.origin);
    const sli_mesh_parts parts = builder->parts;
    builder->parts = (sli_mesh_parts){ 0 }; /* sli_mesh_finish takes them over */
    const sl_result result =
        sli_mesh_finish(&parts, def, source->name, locate_triangle, &search, out, error);
    if (error != NULL && locate.found && result == SL_BAD_INDEX) {
        explain_index(&search, error);
    } else if (error != NULL && locate.found && result == SL_NOT_FINITE) {
        explain_coordinate(&search, error);
    }
    return result;
}

/* Once all is read: polygons are cut; of those that are not, the first is looked for. */
static bool load_polygons(const sli_source *source, const sli_choice *format,
                          const sl_mesh_def *def, sli_builder *builder)
{
    size_t fanned, first = 0;
    if (!sli_builder_cut_polygons(builder, &fanned, &first)) {
        return false;
    }
    sli_locate locate = { .prim = first };
    const location_search search = {
        .source = source, .format = format, .def = def, .locate = &locate
    };
    if (fanned > 0) {
        run_search(&search);
    }
    return fanned == 0 || sli_builder_note(builder, SL_NOTE_CROSSED_FACES, NULL, fanned,
                                           locate.line, (size_t)locate.byte);
}

/* ---- public functions ------------------------------------------------------------------------ */

/* Words for what made the builder say stop. */
static sl_result fail_build(const sli_source *source, const sli_builder *builder, sl_error *error)
{
    const sl_result result = builder->result;
    if (result == SL_OUT_OF_MEMORY) {
        return sli_fail_memory(error);
    }
    if (builder->out_of_bounds) {
        return sli_fail(error, result, source->name, SLI_NO_LINE, 0,
                        "loading would take more than %zu bytes of memory; simplify the scene, or "
                        "allow more (max_memory)",
                        builder->max_memory);
    }
    return sli_fail_file(error, result, source->name, "%s",
                         result == SL_TOO_LARGE
                             ? "more than 4294967294 vertices or faces, or 2147483647 triangles"
                             : sl_result_message(result));
}

/* Reads source as the given format; spent bytes are taken already. */
static sl_result build_as(const sli_choice *format, const sli_source *source, size_t spent,
                          const sl_mesh_def *def, sli_fpenv *caller, sl_mesh **out, sl_error *error)
{
    sli_builder builder;
    sli_builder_open(&builder, def, source->size, *caller);
    builder.parts.format = sli_choice_name(format);
    sl_result result = SL_TOO_LARGE;
    if (sli_builder_spend(&builder, spent)) {
        result = sli_choice_load(format, source, &builder, error);
    }
    if (result == SL_OK &&
        (!sli_builder_settle(&builder) || !load_polygons(source, format, def, &builder) ||
         !sli_builder_end(&builder))) {
        result = builder.result;
    }
    if (builder.result != SL_OK) {
        result = fail_build(source, &builder, error);
    }
    result = SLI_THEN(result, load_finish(source, format, def, &builder, out, error));
    *caller = builder.caller;
    sli_builder_close(&builder);
    return result;
}

/* Reads what is in a compressed file; together they take no more memory than the file alone may. */
static sl_result build_unpacked(const sl_mesh_format *unpacker, const sli_source *packed,
                                const sl_mesh_def *def, sli_fpenv *caller, sl_mesh **out,
                                sl_error *error)
{
    sl_mesh_def within = *def;
    within.max_memory = sli_builder_max_memory(def, packed->size);
    const size_t space =
        within.max_memory - (packed->size < within.max_memory ? packed->size : within.max_memory);
    sli_source source = *packed;
    size_t capacity = 0;
    uint8_t *bytes = NULL;
    sl_result result = unpacker->unpack(packed, space, &bytes, &source.size, &capacity, error);
    source.bytes = bytes;
    if (result == SL_OK && def->max_file_size > 0 && source.size > def->max_file_size) {
        result =
            sli_fail(error, SL_TOO_LARGE, source.name, SLI_NO_LINE, 0,
                     "%zu bytes when unpacked; the limit is %zu", source.size, def->max_file_size);
    }
    sli_choice format;
    result = SLI_THEN(result, sli_choose(&source, def->formats, unpacker, &format, error));
    result =
        SLI_THEN(result, build_as(&format, &source, packed->size, &within, caller, out, error));
    sli_free_array(&def->hooks.allocator, bytes, capacity, 1);
    return result;
}

/* Not inlined, since its caller changes the floating-point environment around it. */
SLI_NOINLINE static sl_result build(const sli_source *source, const sl_mesh_def *def,
                                    sli_fpenv *caller, sl_mesh **out, sl_error *error)
{
    sli_choice format;
    SLI_TRY(sli_choose(source, def->formats, NULL, &format, error));
    return format.given != NULL && format.given->load == NULL
               ? build_unpacked(format.given, source, def, caller, out, error)
               : build_as(&format, source, 0, def, caller, out, error);
}

static sl_result load_bytes(const sli_source *source, const sl_mesh_def *def, sl_mesh **out,
                            sl_error *error)
{
    sli_fpenv caller = sli_fpenv_enter();
    const sl_result result = build(source, def, &caller, out, error);
    sli_fpenv_leave(caller);
    return result;
}

sl_result sl_mesh_load_memory(const void *bytes, size_t size, const char *name,
                              const sl_mesh_def *def, sl_mesh **out, sl_error *error)
{
    sl_mesh_def checked;
    SLI_TRY(SLI_CLEAR(out, error));
    if (bytes == NULL && size > 0) {
        return sli_refuse(error, "bytes is NULL");
    }
    SLI_TRY(sli_mesh_def_check(def, &checked, error));
    if (checked.max_file_size > 0 && size > checked.max_file_size) {
        return sli_fail_file(error, SL_TOO_LARGE, name, "%zu bytes; the limit is %zu", size,
                             checked.max_file_size);
    }
    const sli_source source = { .bytes = bytes,
                                .size = size,
                                .name = name,
                                .allocator = checked.hooks.allocator,
                                .user = checked.formats_user,
                                .hidden_nodes = checked.hidden_nodes };
    return load_bytes(&source, &checked, out, error);
}

/* How much is read of a file: loading takes at least what it reads.  0: all. */
static size_t most_to_read(const sl_mesh_def *def)
{
    const size_t bytes = def->max_file_size > 0 ? def->max_file_size : SIZE_MAX;
    const size_t memory = def->max_memory > 0 ? def->max_memory : SIZE_MAX;
    const size_t most = bytes < memory ? bytes : memory;
    return most == SIZE_MAX ? 0 : most;
}

sl_result sl_mesh_load(const char *path, const sl_mesh_def *def, sl_mesh **out, sl_error *error)
{
    sl_mesh_def checked;
    sli_file file;
    SLI_TRY(SLI_CLEAR(out, error));
    if (path == NULL) {
        return sli_refuse(error, "path is NULL");
    }
    SLI_TRY(sli_mesh_def_check(def, &checked, error));
    sl_result result =
        sli_file_read(path, most_to_read(&checked), &checked.hooks.allocator, &file, error);
    if (result == SL_OK) {
        const sli_source source = { .bytes = file.bytes,
                                    .size = file.size,
                                    .name = path,
                                    .is_file = true,
                                    .allocator = checked.hooks.allocator,
                                    .user = checked.formats_user,
                                    .hidden_nodes = checked.hidden_nodes };
        result = load_bytes(&source, &checked, out, error);
        sli_file_close(&file);
    }
    return result;
}
