/* volumes.h: volumes that are hard for a given mesh: they end in its vertices, touch it from
 * outside, are flat, are a single point, or contain all of it. */
#pragma once

#include "test/support/input/random.h"

#include <sightline/mesh.h>
#include <sightline/volumes.h>

enum { HARD_VOLUME_KINDS = SL_VOLUME_HULL + 1 };

sl_volume hard_volume_make(const sl_mesh *mesh, sl_volume_kind kind, test_random *random);

/* The exact test of overlap.h that decides for this kind. */
bool hard_volume_touches(const sl_volume *volume, const sl_triangle *triangle);
