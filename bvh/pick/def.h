/* def.h: the options of picking, as callers give them. */
#pragma once

#include <sightline/pick.h>

/* Reads a def, NULL being one of zeros, and fills in the defaults of what is 0.  False where it is
 * not usable: a radius that is negative or NaN. */
bool sli_pick_def_take(const sl_pick_def *given, sl_pick_def *out);
