/* builder/build.h: the two steps of a build over a mesh, for build.c and build_slices.c. */
#pragma once

#include "lib/base/thread/slices.h"

#include <sightline/bvh.h>

/* Reads options into *def and checks everything that is given. */
sl_result sli_build_check(const sl_mesh *mesh, const sl_build_def *options, sl_build_def *def,
                          sl_error *error);

/* Builds.  allocator: of all memory that the build takes, the tree's included; but the tree keeps
 * that of def, which is to free it.  slices: NULL for a build at once.  *out is set after SL_OK
 * only. */
sl_result sli_build_tree(const sl_mesh *mesh, const sl_build_def *def,
                         const sl_allocator *allocator, sli_slices *slices, sl_bvh **out,
                         sl_error *error);
