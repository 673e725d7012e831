/* check/seams.h: `sightline check --seams`: whether the instances of a scene fit together. */
#pragma once

#include "tools/input/mesh.h"
#include "tools/output/output.h"

/* Prints up to limit seams of a scene that is built, and how many there are.  tolerance 0: the
 * library's.  *fine is whether there are none.  EXIT_DONE, or the status of a reported error. */
int check_seams_print(output *out, mesh_in *in, double tolerance, size_t limit, bool *fine);
