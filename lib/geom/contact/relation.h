/* contact/relation.h: how two triangles lie to one another, decided exactly, and the corners of
 * what they have in common: first by name, as the faces of either triangle that they lie in, then
 * by coordinates.
 *
 * Range    coordinates are multiples of 2^-149 no larger than FLT_MAX (sli_triangle_d_take).
 * Callers  hold the floating-point environment.
 * Cost     a pair that a plane separates some 20 ns, one that crosses 60 ns, its points 0.3 us. */
#pragma once

#include "lib/geom/contact/common.h"

/* Of most pairs that are apart, one has the other strictly on one side of its plane, which doubles
 * decide. */
sl_relation sli_triangles_relation(const sl_triangle_d *a, const sl_triangle_d *b);

/* By signs alone. */
sl_relation sli_triangles_common(const sl_triangle_d *a, const sl_triangle_d *b, sli_common *out);

/* One such point, each coordinate rounded to the nearest double, a zero as +0. */
void sli_common_round(const sl_triangle_d *a, const sl_triangle_d *b, sli_common_point at,
                      double point[3]);

/* Both, in the order of sl_triangle_contact, in which at is put, too. */
sl_relation sli_triangles_contact(const sl_triangle_d *a, const sl_triangle_d *b,
                                  sl_triangle_contact *out, sli_common *at);

/* A common point of two triangles. */
typedef struct sli_common_of {
    sl_triangle_d a, b;
    sli_common_point at;
} sli_common_of;

/* Whether two are the same point, exactly. */
bool sli_is_same_common(const sli_common_of *one, const sli_common_of *other);

/* The point modulo a prime: equal points have equal numbers, others hardly ever.  False, for one of
 * some 2^31: they are not known. */
bool sli_common_residues(const sli_common_of *of, uint32_t out[3]);
