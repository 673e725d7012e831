/* parts/identity.h: the header of a part: everything that its bytes depend on. */
#pragma once

#include "tools/parts/part.h"

/* EXIT_DONE, or a status after a report; free the header either way. */
int part_identity(const part_out *part, const part_question *question, part_header *header);
