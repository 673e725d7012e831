/* triangles_oracle.h: what two triangles have in common, in fractions (GMP): one is cut by the half
 * spaces that make up the other, and how they lie follows from what is left.
 * Threads  one at a time. */
#pragma once

#include <sightline/contact.h>

/* As the library should answer, for coordinates of its range. */
void triangles_oracle(const sl_triangle_d *a, const sl_triangle_d *b, sl_triangle_contact *out);
