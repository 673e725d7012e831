/* document_box.h: what the source documents do with a segment and a box, faults included, so that
 * tests can show their answer beside ours. */
#pragma once

#include <sightline/shapes.h>

/* Three planes in the order YZ, XZ, XY; the first that is met within its face is taken.
 * check_length: no further than B is, by squared distances; without it, the "simple" variant. */
bool document_raycast(const float a[3], const float b[3], const sl_aabb *box, bool check_length,
                      float contact[3]);

/* Slabs within [0, 1]. */
bool document_slabs(const float s0[3], const float s1[3], const sl_aabb *box, float *t_min,
                    float *t_max);
