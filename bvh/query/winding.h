/* winding.h: from crossings to inside or outside, for winding.c and brute_force.c. */
#pragma once

#include "bvh/kernel/kernel.h"

#include <sightline/volumes.h>

#include <sightline/mesh_repair.h>

/* The ray along +x whose crossings are counted; false where the point is not finite. */
bool sli_inside_ray(const float point[3], sl_ray *ray);

/* boundary may be NULL: the mesh counts as closed. */
sl_inside sli_inside_judge(const sli_kernel_inside *seen, const sl_boundary *boundary,
                           const float point[3]);
