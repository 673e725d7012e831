/* format/obj.h: what the files that read OBJ share. */
#pragma once

#include "lib/mesh/format/format.h"

/* The keyword c at the cursor is skipped; else false. */
static inline bool sli_obj_take_keyword(sli_text *text, uint8_t c)
{
    if (text->at == text->end || *text->at != c) {
        return false;
    }
    text->at++;
    const bool taken = sli_text_at_gap(text);
    text->at -= taken ? 0 : 1;
    return taken;
}

/* The names in force, as numbers of the builder. */
typedef struct sli_obj_names {
    uint32_t group, object, material;
} sli_obj_names;

/* Takes a line with a name; false where it is none.  A new object is in no group. */
bool sli_obj_take_name(sli_text *text, sli_builder *builder, sli_obj_names *names);
