/* peer.h: what measurements beside Embree share. */
#ifndef TEST_MEASURE_PEER_H
#define TEST_MEASURE_PEER_H

#include <sightline/mesh.h>

#include <embree3/rtcore.h>

/* Processor time of this thread. */
double peer_seconds(void);

/* For qsort, of doubles. */
int peer_by_value(const void *a, const void *b);

/* The mesh as a committed geometry of Embree's, and as a committed scene. */
RTCGeometry peer_geometry(RTCDevice device, const sl_mesh *mesh);
RTCScene peer_scene(RTCDevice device, const sl_mesh *mesh, enum RTCBuildQuality quality);

#endif
