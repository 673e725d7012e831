/* hooks.h: what the public functions that take an sl_hooks do with it before and while they
 * work. */
#pragma once

#include <sightline/base.h>

/* The caller's hooks with the allocator filled in; defaults where hooks is NULL. */
sl_hooks sli_hooks(const sl_hooks *hooks);

/* Reports progress, if the caller wants to know.  False: the caller asked to stop. */
bool sli_report(const sl_hooks *hooks, const char *phase, float fraction);
