/* def.h: the options of picking, as callers give them. */
#ifndef SLI_PICK_DEF_H
#define SLI_PICK_DEF_H

#include <sightline/pick.h>

/* Reads a def, or the defaults for NULL.  False where it is not usable: its size, or a radius that
 * is negative or NaN. */
bool sli_pick_def_take(const sl_pick_def *given, sl_pick_def *out);

#endif
