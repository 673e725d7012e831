/* snap_oracle.h: what the mouse snaps to, by looking at every corner, side and triangle of a scene:
 * written from sightline/snap.h and docs/notes/snapping.md, without anything of bvh/pick. */
#pragma once

#include <sightline/snap.h>

/* All fields but target and normal, which are 0. */
bool snap_oracle_at(const sl_bvh *scene, const sl_view *view, const double xy[2],
                    const sl_snap_def *def, const sl_snap *previous, sl_snap *out);
