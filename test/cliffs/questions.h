/* questions.h: the questions of a case to a world, in floats and in doubles.
 *
 * They are the same numbers but for far worlds with FORM_DOUBLES, of which floats are the rounded
 * ones. */
#pragma once

#include "test/cliffs/worlds.h"

/* How they are asked: at the place of the world or moved back to the origin, shuffled or not. */
bool queries_make(const cliff_case *c, const cliff_world *world, bool back, bool shuffled,
                  bench_rays *out);

/* A box, sphere, oriented box, capsule or triangle that large at a point. */
sl_volume_d volume_at(sl_volume_kind kind, const double p[3], double radius);

/* Hints as CASE_HINTS says, from what WORLD_LIST answers. */
void queries_hint(const cliff_case *c, cliff_world *world, bench_rays *queries);
