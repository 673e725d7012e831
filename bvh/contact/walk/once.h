/* walk/once.h: hands out a pair of triangles once, though spatial splits put either in several
 * leaf blocks (bvh/tree/tree.h), so that a walk comes to the pair at several pairs of slots.
 *
 * It counts at the lowest pair of slots whose leaves' boxes are near one another, carried
 * `exactly`: the walk surely comes there, and where the triangles are near one another, there is
 * one, as the boxes cover them.  So this depends on no other pair, and on no order; not for a
 * margin that becomes smaller on the way. */
#pragma once

#include "bvh/contact/walk/dual.h"

/* Whether the pair in these slots counts here. */
bool sli_once_counts(const sli_dual *dual, uint32_t slot_a, uint32_t slot_b);
