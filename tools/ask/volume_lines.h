/* ask/volume_lines.h: volumes as lines of text: a word, and the numbers of the option of that
 * name. */
#pragma once

#include "tools/input/lines.h"

#include <sightline/volumes.h>

/* Up to capacity of them, not more than are there without waiting, but at least one; *count is 0 at
 * the end.  EXIT_DONE, or the status of a reported error. */
int volume_lines_fill(lines_in *in, sl_volume *to, size_t capacity, size_t *count);
