/* format/name.c: names in texts that make parts: of solids, and behind g, o and usemtl of OBJ. */
#include "lib/mesh/format/obj.h"

bool sli_load_name(sli_text *text, sli_builder *builder, uint32_t *name)
{
    sli_text_skip_blanks(text);
    const uint8_t *begin = text->at, *end = begin;
    while (!sli_text_at_line_end(text)) {
        sli_text_skip_word(text);
        end = text->at;
        sli_text_skip_blanks(text);
    }
    return sli_builder_name(builder, (const char *)begin, (size_t)(end - begin), name);
}

bool sli_obj_take_name(sli_text *text, sli_builder *builder, sli_obj_names *names)
{
    bool done;
    if (sli_obj_take_keyword(text, 'g')) {
        done = sli_load_name(text, builder, &names->group);
    } else if (sli_obj_take_keyword(text, 'o')) {
        names->group = 0;
        done = sli_load_name(text, builder, &names->object);
    } else if (sli_text_take(text, "usemtl", false)) {
        done = sli_load_name(text, builder, &names->material);
    } else {
        return false;
    }
    const uint32_t part[4] = { names->group != 0 ? names->group : names->object, names->material,
                               names->object, SL_NONE };
    /* A failure stands in the builder. */
    (void)(done && sli_builder_part(builder, part));
    return true;
}
