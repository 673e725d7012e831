/* scene.h: trees over instances, as the files of this room see them. */
#pragma once

#include "bvh/builder/over_boxes.h"
#include "bvh/kernel/kernel.h"
