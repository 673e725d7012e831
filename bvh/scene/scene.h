/* scene.h: trees over instances, as the files of this room see them. */
#ifndef SLI_SCENE_SCENE_H
#define SLI_SCENE_SCENE_H

#include "bvh/builder/over_boxes.h"
#include "bvh/kernel/kernel.h"
#include "bvh/tree/instances.h"
#include "lib/geom/transform/transform.h"

#include <sightline/instances.h>
#include <sightline/rays.h>

#endif
