/* sightline.h: everything there is in the core library. */
#ifndef SIGHTLINE_SIGHTLINE_H
#define SIGHTLINE_SIGHTLINE_H

#include <sightline/base.h>
#include <sightline/bvh.h>
#include <sightline/camera.h>
#include <sightline/clash.h>
#include <sightline/clashes.h>
#include <sightline/closest.h>
#include <sightline/contact.h>
#include <sightline/flatten.h>
#include <sightline/gizmo.h>
#include <sightline/instances.h>
#include <sightline/intersect.h>
#include <sightline/marks.h>
#include <sightline/mesh.h>
#include <sightline/mesh_format.h>
#include <sightline/mesh_repair.h>
#include <sightline/overlap.h>
#include <sightline/pick.h>
#include <sightline/points.h>
#include <sightline/rays.h>
#include <sightline/refit.h>
#include <sightline/select.h>
#include <sightline/shapes.h>
#include <sightline/snap.h>
#include <sightline/store.h>
#include <sightline/sweep.h>
#include <sightline/topology.h>
#include <sightline/transform.h>
#include <sightline/visibility.h>
#include <sightline/volumes.h>

#endif
