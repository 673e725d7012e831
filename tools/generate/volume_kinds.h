/* volume_kinds.h: volumes made to order.  Those with an even index lie anywhere and are of all
 * sizes; the others are awkward: they touch a vertex exactly, or miss it by one step of a float,
 * begin and end in vertices, are the bounds of triangles or lie against them, are flat, or nothing
 * but a point. */
#pragma once

#include "tools/generate/query_random.h"

#include <sightline/volumes.h>

enum { VOLUME_KIND_COUNT = SL_VOLUME_TRIANGLE + 1 };

extern const char *const volume_kind_words[]; /* of sl_volume_kind, then "all"; ends with NULL */

sl_volume volume_kinds_make(const query_random *m, sl_volume_kind kind, uint64_t index);
