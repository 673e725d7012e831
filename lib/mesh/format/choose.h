/* choose.h: which format a file has. */
#pragma once

#include "lib/mesh/format/format.h"

/* One of the two. */
typedef struct sli_choice {
    const sli_format *own;
    const sl_mesh_format *given; /* of sl_mesh_def.formats */
} sli_choice;

/* By content, then by name.  unpacker: what the source was unpacked by, or NULL; its ending is
 * passed over, and it is not chosen again. */
sl_result sli_choose(const sli_source *source, const sl_mesh_format *const *given,
                     const sl_mesh_format *unpacker, sli_choice *out, sl_error *error);

/* Of the first length characters of name, in letters of either case. */
bool sli_has_ending(const char *name, size_t length, const char *ending);

const char *sli_choice_name(const sli_choice *choice);
uint32_t sli_choice_first_index(const sli_choice *choice);
sl_result sli_choice_load(const sli_choice *choice, const sli_source *source, sli_builder *builder,
                          sl_error *error);
