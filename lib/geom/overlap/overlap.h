/* overlap/overlap.h: the tests of the public overlap.h without their floating-point brackets, for
 * queries that test many shapes.
 * Callers  hold the floating-point environment. */
#pragma once

#include <sightline/overlap.h>

bool sli_sphere_sphere(const sl_sphere *a, const sl_sphere *b);
bool sli_sphere_aabb(const sl_sphere *sphere, const sl_aabb *box);
bool sli_sphere_obb(const sl_sphere *sphere, const sl_obb *box);
bool sli_sphere_triangle(const sl_sphere *sphere, const sl_triangle *triangle);

bool sli_capsule_triangle(const sl_capsule *capsule, const sl_triangle *triangle);
bool sli_capsule_aabb(const sl_capsule *capsule, const sl_aabb *box);
bool sli_capsule_obb(const sl_capsule *capsule, const sl_obb *box);
bool sli_capsule_sphere(const sl_capsule *capsule, const sl_sphere *sphere);

bool sli_obb_obb(const sl_obb *a, const sl_obb *b);
bool sli_obb_aabb(const sl_obb *obb, const sl_aabb *aabb);
bool sli_obb_triangle(const sl_obb *box, const sl_triangle *triangle);

bool sli_triangle_triangle(const sl_triangle *a, const sl_triangle *b);

bool sli_hull_aabb(const sl_hull *hull, const sl_aabb *box);
bool sli_hull_obb(const sl_hull *hull, const sl_obb *box);
bool sli_hull_sphere(const sl_hull *hull, const sl_sphere *sphere);
bool sli_hull_triangle(const sl_hull *hull, const sl_triangle *triangle);

bool sli_frustum_aabb(const sl_frustum *frustum, const sl_aabb *box);
bool sli_frustum_obb(const sl_frustum *frustum, const sl_obb *box);
bool sli_frustum_sphere(const sl_frustum *frustum, const sl_sphere *sphere);
bool sli_frustum_triangle(const sl_frustum *frustum, const sl_triangle *triangle);

/* A volume of no known kind overlaps nothing. */
bool sli_volume_aabb(const sl_volume *volume, const sl_aabb *box);
bool sli_volume_obb(const sl_volume *volume, const sl_obb *box);
bool sli_volume_sphere(const sl_volume *volume, const sl_sphere *sphere);
bool sli_volume_triangle(const sl_volume *volume, const sl_triangle *triangle);

int sli_plane_side_of(const sl_plane *plane, const sl_volume *volume);

/* The spheres at the ends of a capsule. */
static inline void sli_capsule_ends(const sl_capsule *capsule, sl_sphere ends[2])
{
    for (int axis = 0; axis < 3; axis++) {
        ends[0].centre[axis] = capsule->p[axis];
        ends[1].centre[axis] = capsule->q[axis];
    }
    ends[0].radius = ends[1].radius = capsule->radius;
}
