/* check.h: whether the finder itself is in order. */
#pragma once

#include "test/cliffs/measure.h"

/* Draws that many small worlds, as many pairs of meshes or sweeps, and some changes of each, and
 * checks that their texts give the same cases again, that counts are the same when measured again,
 * and that answers agree (cliff_agree).  True where all is well; else says what is not.  Most cases
 * have to be such as can be measured. */
bool check_cases(cliff_bench *bench, uint64_t seed, long count);
