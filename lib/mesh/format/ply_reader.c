/* format/ply_reader.c: what is wrong with numbers and lists of PLY files; for ply_reader.h. */
#include "lib/mesh/format/ply_reader.h"

#include "lib/base/error.h"

#include <inttypes.h>

const char *sli_ply_element_name(const sli_ply_element *element)
{
    static const char *const names[] = { "row", "vertex", "face", "row of tristrips" };
    return names[element->kind];
}

sl_result sli_ply_fail_short(const sli_ply_reader *in, uint64_t missing)
{
    if (in->ascii) {
        return sli_fail(in->error, SL_BAD_DATA, in->source->name, in->text.line, SLI_NO_BYTE,
                        "the file ends in %s %" PRIu64 " of %" PRIu64,
                        sli_ply_element_name(in->element), in->row + 1, in->element->count);
    }
    return sli_fail(in->error, SL_BAD_DATA, in->source->name, SLI_NO_LINE,
                    (int64_t)in->source->size,
                    "the file ends in %s %" PRIu64 " of %" PRIu64 "; at least %" PRIu64
                    " more byte(s) are needed",
                    sli_ply_element_name(in->element), in->row + 1, in->element->count, missing);
}

sl_result sli_ply_fail_length(const sli_ply_reader *in, const sli_text *there)
{
    if (in->ascii) {
        return sli_text_expected(there, "the length of a list", in->error);
    }
    return sli_fail(in->error, SL_BAD_DATA, in->source->name, SLI_NO_LINE,
                    (int64_t)sli_source_byte(in->source, there->at),
                    "the length of a list is negative or no whole number, in %s %" PRIu64,
                    sli_ply_element_name(in->element), in->row + 1);
}
