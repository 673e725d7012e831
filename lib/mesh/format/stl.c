/* stl.c: STL, text and binary.  Every corner of a facet is a vertex of its own, as in the file.
 * Each solid of a text is a part, where there are several.
 * Many binary files begin with the word "solid", with which texts begin too: what decides first is
 * whether the size is that of a binary file, 84 + 50 n.
 * Source: 3D Systems, StereoLithography Interface Specification (1988). */
#include "lib/base/error.h"
#include "lib/mesh/format/bytes.h"
#include "lib/mesh/format/format.h"

enum { HEADER = 80, START = 84, FACET = 50, NORMAL = 12, LOOK_AT = 1024 };

/* ---- which of the two ---------------------------------------------------------------- */

static bool has_binary_size(const sli_source *source)
{
    return source->size >= START && (source->size - START) % FACET == 0 &&
           (source->size - START) / FACET == sli_little32(source->bytes + HEADER);
}

/* The word solid, and no zero bytes: those that a binary file has in its count and its floats. */
static bool is_text(const sli_source *source)
{
    sli_text text = sli_source_text(source);
    sli_text_skip_space(&text);
    const size_t looked_at = source->size < LOOK_AT ? source->size : LOOK_AT;
    return sli_text_take(&text, "solid", true) && memchr(source->bytes, 0, looked_at) == NULL;
}

static bool stl_recognise(const sli_source *source)
{
    return has_binary_size(source) || is_text(source);
}

/* ---- binary -------------------------------------------------------------------------- */

static sl_result check_size(const sli_source *source, uint32_t count, sl_error *error)
{
    const size_t size = source->size;
    const uint64_t wanted = START + (uint64_t)FACET * count;
    if (wanted > size) {
        return sli_fail(error, SL_BAD_DATA, source->name, SLI_NO_LINE, (int64_t)size,
                        "the header announces %lu facets, which take %llu bytes; %llu of them are "
                        "missing",
                        (unsigned long)count, (unsigned long long)wanted,
                        (unsigned long long)(wanted - size));
    }
    /* Some writers append things; others never fill in the count. */
    if (count == 0 && size > START) {
        return sli_fail(error, SL_BAD_DATA, source->name, SLI_NO_LINE, HEADER,
                        "the header announces no facets, yet the file goes on for %zu byte(s)",
                        size - START);
    }
    return SL_OK;
}

static bool load_facet(const sli_source *source, sli_builder *builder, const uint8_t *facet)
{
    const uint32_t first = (uint32_t)builder->parts.vertex_count;
    if (!sli_builder_at(builder, SLI_NO_LINE, sli_source_byte(source, facet)) ||
        !sl_mesh_sink_face(builder)) {
        return false;
    }
    for (uint32_t corner = 0; corner < 3; corner++) {
        double xyz[3];
        for (uint32_t axis = 0; axis < 3; axis++) {
            xyz[axis] = sli_float_of_bits(sli_little32(facet + NORMAL + 12 * corner + 4 * axis));
        }
        if (!sl_mesh_sink_vertex(builder, xyz) || !sl_mesh_sink_corner(builder, first + corner)) {
            return false;
        }
    }
    return true;
}

static sl_result load_binary(const sli_source *source, sli_builder *builder, sl_error *error)
{
    if (source->size < START) {
        return sli_fail(error, SL_BAD_DATA, source->name, SLI_NO_LINE, (int64_t)source->size,
                        "no text that begins with solid, and too short for a binary STL: %zu bytes "
                        "of its header of %d are missing",
                        START - source->size, START);
    }
    const uint32_t count = sli_little32(source->bytes + HEADER);
    SLI_TRY(check_size(source, count, error));
    SLI_TRY(sli_built(builder, sli_builder_reserve(builder, 3 * (size_t)count, count)));
    for (size_t i = 0; i < count; i++) {
        SLI_TRY(sli_built(builder, load_facet(source, builder, source->bytes + START + FACET * i)));
    }
    const sli_text rest = { .at = source->bytes + START + FACET * (size_t)count,
                            .end = source->bytes + source->size };
    return sli_built(builder, sli_note_rest(source, builder, rest));
}

/* ---- text ---------------------------------------------------------------------------- */

static sl_result stl_expect(sli_text *text, const char *word, const char *inside, sl_error *error)
{
    sli_text_skip_space(text);
    if (sli_text_take(text, word, true)) {
        return SL_OK;
    }
    if (text->at == text->end) {
        return sli_text_fail(text, error, "the file ends inside a %s, where '%s' was expected",
                             inside, word);
    }
    return sli_text_expected(text, word, error);
}

static sl_result load_corner(sli_text *text, sli_builder *builder, sl_error *error)
{
    SLI_TRY(stl_expect(text, "vertex", "facet", error));
    double xyz[3];
    for (int axis = 0; axis < 3; axis++) {
        sli_text_skip_space(text);
        SLI_TRY(sli_text_double(text, "three coordinates behind vertex", &xyz[axis], error));
    }
    const uint32_t vertex = (uint32_t)builder->parts.vertex_count;
    return sli_built(builder,
                     sl_mesh_sink_vertex(builder, xyz) && sl_mesh_sink_corner(builder, vertex));
}

/* The normal is ignored, whatever it is; it may be missing, or have too few numbers in its line. */
static void skip_normal(sli_text *text)
{
    sli_text_skip_space(text);
    if (!sli_text_take(text, "normal", true)) {
        return;
    }
    for (int axis = 0; axis < 3; axis++) {
        sli_text_skip_blanks(text);
        sli_text_skip_word(text);
    }
}

/* Behind the word facet. */
static sl_result load_text_facet(sli_text *text, sli_builder *builder, sl_error *error)
{
    SLI_TRY(sli_built(builder, sl_mesh_sink_face(builder)));
    skip_normal(text);
    SLI_TRY(stl_expect(text, "outer", "facet", error));
    SLI_TRY(stl_expect(text, "loop", "facet", error));
    for (int corner = 0; corner < 3; corner++) {
        SLI_TRY(load_corner(text, builder, error));
    }
    SLI_TRY(stl_expect(text, "endloop", "facet", error));
    return stl_expect(text, "endfacet", "facet", error);
}

/* Behind the word solid: its name, which may be missing, and a part of it. */
static bool begin_solid(sli_text *text, sli_builder *builder)
{
    uint32_t name = 0;
    bool done = sli_load_name(text, builder, &name);
    sli_text_skip_line(text);
    done = done && sli_builder_part(builder, (const uint32_t[4]){ name, 0, 0, SL_NONE });
    builder->part_is_new = true; /* whatever its name is */
    return done;
}

/* Where neither facet nor the end of the file is. */
static sl_result end_solid(sli_text *text, sl_error *error)
{
    if (!sli_text_take(text, "endsolid", true)) {
        return sli_text_expected(text, "facet or endsolid", error);
    }
    sli_text_skip_line(text); /* its name again */
    return SL_OK;
}

static sl_result load_text(const sli_source *source, sli_builder *builder, sl_error *error)
{
    sli_text text = sli_source_text(source);
    bool in_solid = false;
    sl_result result = SL_OK;
    while (result == SL_OK) {
        sli_text_skip_space(&text);
        SLI_TRY(sli_built(builder,
                          sli_builder_at(builder, text.line, sli_source_byte(source, text.at))));
        if (text.at == text.end && !in_solid) {
            sli_builder_drop_lone_part(builder);
            return SL_OK;
        }
        if (!in_solid) {
            SLI_TRY(stl_expect(&text, "solid", "solid", error));
            SLI_TRY(sli_built(builder, begin_solid(&text, builder)));
            in_solid = true;
        } else if (sli_text_take(&text, "facet", true)) {
            result = load_text_facet(&text, builder, error);
        } else {
            result = end_solid(&text, error);
            in_solid = false;
        }
    }
    return result;
}

static sl_result stl_load(const sli_source *source, sli_builder *builder, sl_error *error)
{
    return !has_binary_size(source) && is_text(source) ? load_text(source, builder, error)
                                                       : load_binary(source, builder, error);
}

const sli_format sli_format_stl = {
    .name = "stl", .ending = ".stl", .recognise = stl_recognise, .load = stl_load
};
