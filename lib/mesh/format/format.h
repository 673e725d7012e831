/* format.h: what a mesh format is, and the list of those we read.
 * Each lives in one file, lib/mesh/<name>.c, and has one row in SLI_FORMATS. */
#pragma once

#include "lib/mesh/builder.h"
#include "lib/mesh/format/text.h"

#include <string.h>

/* The bytes of a file. */
typedef sl_mesh_input sli_source;

typedef struct sli_format {
    const char *name;
    const char *ending;   /* of file names, with its dot, in lower case */
    uint32_t first_index; /* the number that the format gives to the first vertex */
    bool weak;            /* other texts may look like it: asked last */

    /* True where the content says that it is this format. */
    bool (*recognise)(const sli_source *source);

    /* Gives everything to the builder.  Fills *error, unless it was the builder that said stop.
     * Keeps no state, and calls the builder the same way each time. */
    sl_result (*load)(const sli_source *source, sli_builder *builder, sl_error *error);
} sli_format;

/* In the order in which they are asked. */
#define SLI_FORMATS(X) X(stl) X(ply) X(off) X(obj)

#define SLI_DECLARE_FORMAT(name) extern const sli_format sli_format_##name;
SLI_FORMATS(SLI_DECLARE_FORMAT)
#undef SLI_DECLARE_FORMAT

/* A cursor at the beginning of the text, behind a byte order mark. */
static inline sli_text sli_source_text(const sli_source *source)
{
    const bool mark = source->size >= 3 && memcmp(source->bytes, "\xEF\xBB\xBF", 3) == 0;
    return (sli_text){ .at = source->bytes + (mark ? 3 : 0),
                       .end = source->bytes + source->size,
                       .line = 1,
                       .name = source->name };
}

/* Where a cursor or pointer into the source stands. */
static inline size_t sli_source_byte(const sli_source *source, const uint8_t *at)
{
    return (size_t)(at - source->bytes);
}

/* The rest of the line without the blanks around it, in which a name may have some: becomes *name
 * (sli_builder_name). */
bool sli_load_name(sli_text *text, sli_builder *builder, uint32_t *name);

/* A note of count whose name is the word at the cursor. */
bool sli_note_word(const sli_source *source, sli_builder *builder, sl_mesh_note_kind kind,
                   const sli_text *word, size_t count);

/* Behind the last row: what is left but blanks is noted.  line 0: it is no text. */
bool sli_note_rest(const sli_source *source, sli_builder *builder, sli_text rest);

/* Words for bytes that no format recognises: what they look like, and what to do about it.  Returns
 * SL_OK, without an error, where they look like nothing in particular. */
sl_result sli_sniff(const sli_source *source, sl_error *error);
