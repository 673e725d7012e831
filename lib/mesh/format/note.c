/* format/note.c: notes about words and rests of texts; for format/obj.c, off.c, ply.c and stl.c. */
#include "lib/base/error.h"
#include "lib/mesh/format/format.h"

bool sli_note_word(const sli_source *source, sli_builder *builder, sl_mesh_note_kind kind,
                   const sli_text *word, size_t count)
{
    char what[sizeof((sl_mesh_note *)NULL)->what];
    sli_text end = *word;
    sli_text_skip_word(&end);
    size_t length = (size_t)(end.at - word->at);
    length = length < sizeof what ? length : sizeof what - 1;
    memcpy(what, word->at, length);
    what[length] = '\0';
    return sli_builder_note(builder, kind, what, count, word->line,
                            sli_source_byte(source, word->at));
}

bool sli_note_rest(const sli_source *source, sli_builder *builder, sli_text rest)
{
    const bool binary = rest.line == SLI_NO_LINE;
    sli_text_skip_space(&rest);
    return rest.at == rest.end ||
           sli_builder_note(builder, SL_NOTE_TRAILING, NULL, (size_t)(rest.end - rest.at),
                            binary ? SLI_NO_LINE : rest.line, sli_source_byte(source, rest.at));
}
