/* volume_shape.h: the kinds of volume behind one face.  Adding one costs a row in the table.
 * Callers  hold the floating-point environment. */
#ifndef SLI_QUERY_VOLUME_SHAPE_H
#define SLI_QUERY_VOLUME_SHAPE_H

#include <sightline/volume_query.h>

/* Both are false for a volume that is invalid or of no known kind.  The answer for triangles is the
 * exact one of overlap.h; that for boxes may be yes where it should be no. */
bool sli_volume_touches_box(const sl_volume *volume, const sl_aabb *box);
bool sli_volume_touches_triangle(const sl_volume *volume, const sl_triangle *triangle);

/* Whether the box, which the volume touches, lies wholly within it; may say no where it does. */
bool sli_volume_contains_box(const sl_volume *volume, const sl_aabb *box);

/* Whether a corner of the triangle lies in the volume, which is quick to see: to find that nothing
 * separates the two takes longer, and most triangles that are touched have such a corner.  May say
 * no. */
bool sli_volume_contains_corner(const sl_volume *volume, const sl_triangle *triangle);

/* A box around the volume, rounded outwards; infinite where there is none that is finite. */
sl_aabb sli_volume_bounds(const sl_volume *volume);

#endif
