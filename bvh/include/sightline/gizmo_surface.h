/* gizmo_surface.h: drags on the surface of a scene (gizmo.h): what is dragged stands where the
 * mouse points.
 *
 * Asked    as in gizmo.h, a position of the picture: the new point is that of the closest hit of
 *          sl_view_ray there (sl_scene_surface_d).  What is dragged itself is left out by
 *          sl_options.ignore.
 * Off      where there is no surface, the point stays at the depth that it had last: in the plane
 *          through last->point that is parallel to the picture, exactly under the position; or,
 *          if last is NULL, the answer is SL_DRAG_NOTHING.
 * Back     the mouse where it began gives exactly no translation, also where a hit would say
 *          otherwise: a click moves nothing.
 * Clamp    none: surfaces end.
 * Threads  as queries of scenes; nothing is allocated. */
#ifndef SIGHTLINE_GIZMO_SURFACE_H
#define SIGHTLINE_GIZMO_SURFACE_H

#include <sightline/gizmo.h>
#include <sightline/instances.h>
#include <sightline/rays.h>

/* For a drag whose kind is SL_DRAG_SURFACE, begun by sl_drag_begin.  options may be NULL; last is
 * the answer before this one, or NULL.  out may be last. */
SL_API sl_drag_answer sl_drag_on_surface(const sl_bvh *scene, const sl_drag *drag,
                                         const sl_view *view, const double xy[2],
                                         const sl_options *options, const sl_drag_move *last,
                                         sl_drag_move *out);

#endif
