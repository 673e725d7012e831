/* contact/nearest_first.h: down the trees of two instances, one at a time and nearest first: to
 * pairs of triangles that are within a margin that becomes smaller; for distances.
 *
 * Beside the dual walk (walk.h) it counts in doubles from where the instances are, so that what is
 * far away costs no more than what is near; and it holds boxes against the corners of a leaf, along
 * the line between both: where two surfaces are much farther apart than their triangles are large,
 * it is the corners of boxes that would keep most pairs, nearly all of each surface with nearly all
 * of the other one. */
#pragma once

#include "bvh/contact/walk/walk.h"

/* As sli_walk_instances; pairs of triangles that the builder has cut may come more than once.
 * Triangles of a whose numbers are more than *last, which the callback may lower, are not of
 * interest. */
bool sli_walk_nearest_first(sli_walk *walk, const sli_transformed *a, uint32_t number_a,
                            const sli_transformed *b, uint32_t number_b, const uint32_t *last);
