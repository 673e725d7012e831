/* clashes_oracle.h: which instances clash, by every pair of instances and every pair of their
 * triangles: what sl_clashes_find is to answer. */
#pragma once

#include <sightline/clashes.h>

/* The list, to be freed; def->previous, tasks and hooks are not looked at. */
sl_instance_clash *oracle_clashes(const sl_bvh *bvh, const sl_clashes_def *def, size_t *count);

/* Whether all fields are equal. */
bool oracle_clash_is(const sl_instance_clash *x, const sl_instance_clash *y);
