/* view.h: a camera in a world of doubles: from positions in the picture to rays, and from points of
 * the world to the picture.
 *
 * Where    a world of millions of metres is drawn about an origin near the eye, since the camera's
 *          matrices are floats: they take points of the world less that origin.
 * Picture  positions are pixels in doubles: (0, 0) is the corner of the top-left pixel, whose
 *          centre is (0.5, 0.5); x runs to the right, y down (camera.h).
 * Bits     results come of one fixed sequence of operations in double, so they are the same on
 *          every machine.  What editors decide by distances in pixels (pick.h, snap.h, select.h) is
 *          decided on these numbers.
 * Fails    where a comment says so, by returning false, with outputs left alone.
 * Threads  values and pure functions: safe to call from several threads at once, and in any
 *          floating-point environment.
 * Cost     constant time: 0.3 microseconds, most of which invert the camera's matrices; allocates
 *          nothing. */
#ifndef SIGHTLINE_VIEW_H
#define SIGHTLINE_VIEW_H

#include <sightline/camera.h>
#include <sightline/ray_d.h>

/* A camera, and where the origin of the space that its view matrix takes points of lies in the
 * world. */
typedef struct sl_view {
    sl_camera camera;
    double origin[3]; /* zeros: the camera's space is the world's */
} sl_view;

/* The view of a camera in the world's own space. */
SL_API sl_view sl_view_of(const sl_camera *camera);

/* The ray through the point (x, y) of the picture, on from the near plane: as sl_camera_ray, in
 * doubles: with the origin at zero, coordinates rounded to floats are those of sl_camera_ray.  If
 * the far plane is finite, dir reaches to it and tmax is 1; otherwise, and where it is farther than
 * a ray can say (ray_d.h), dir has unit length and tmax is +inf.  False if the view is not usable,
 * or if there is no such ray. */
SL_API bool sl_view_ray(const sl_view *view, const double xy[2], sl_ray_d *out);

/* Where a point of the world appears.  xy: in pixels, outside of the picture, too; depth: in clip
 * space, after division by w.  Either may be NULL.  False for a point that is not in front of the
 * eye, or if a result is not finite. */
SL_API bool sl_view_project(const sl_view *view, const double point[3], double xy[2],
                            double *depth);

/* The line of sight to a point of the world: from the near plane, where the ray through its place
 * in the picture starts, to the point.  False for a point that does not appear (sl_view_project),
 * for one that is not between the near and the far plane, both included, and for coordinates that
 * no segment has (ray_d.h). */
SL_API bool sl_view_sight(const sl_view *view, const double point[3], sl_segment_d *out);

/* How much of the world a pixel shows at a point: the length of a step of one pixel from there,
 * parallel to the near plane, the larger of that along x and that along y.  False as
 * sl_view_project, and where the step leads to no point. */
SL_API bool sl_view_pixel_size(const sl_view *view, const double point[3], double *out);

#endif
