/* exact/compare_length.h: which of two vectors is the longer. */
#ifndef SLI_GEOM_EXACT_COMPARE_LENGTH_H
#define SLI_GEOM_EXACT_COMPARE_LENGTH_H

#include "lib/geom/exact/tribool.h"

/* |a| <= |b|, the lengths of two vectors of any number of coordinates; these are at most of degree
 * 4 in floats: multiples of 2^-608 below 2^560.  The squares may leave the range of doubles. */
sli_tribool sli_is_length_at_most(int a_count, const sli_number *a, int b_count,
                                  const sli_number *b);

#endif
