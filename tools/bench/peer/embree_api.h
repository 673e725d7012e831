/* bench/peer/embree_api.h: the functions of Embree 3 that bench calls, found when they are first
 * needed.
 *
 * The command is not linked with Embree, so that it neither needs the library nor runs its start-up
 * code: only `bench --against embree` opens it.  Types and constants come from Embree's headers. */
#pragma once

#include <embree3/rtcore.h>

#define BENCH_EMBREE_FUNCTIONS(X)                                                                  \
    X(rtcNewDevice)                                                                                \
    X(rtcReleaseDevice)                                                                            \
    X(rtcGetDeviceError)                                                                           \
    X(rtcSetDeviceMemoryMonitorFunction)                                                           \
    X(rtcNewGeometry)                                                                              \
    X(rtcReleaseGeometry)                                                                          \
    X(rtcCommitGeometry)                                                                           \
    X(rtcSetNewGeometryBuffer)                                                                     \
    X(rtcSetGeometryInstancedScene)                                                                \
    X(rtcSetGeometryTransform)                                                                     \
    X(rtcNewScene)                                                                                 \
    X(rtcReleaseScene)                                                                             \
    X(rtcSetSceneBuildQuality)                                                                     \
    X(rtcSetSceneFlags)                                                                            \
    X(rtcAttachGeometry)                                                                           \
    X(rtcGetGeometry)                                                                              \
    X(rtcCommitScene)                                                                              \
    X(rtcIntersect1)                                                                               \
    X(rtcIntersect1M)                                                                              \
    X(rtcIntersect4)                                                                               \
    X(rtcIntersect8)                                                                               \
    X(rtcIntersect16)                                                                              \
    X(rtcOccluded1)                                                                                \
    X(rtcOccluded1M)                                                                               \
    X(rtcOccluded4)                                                                                \
    X(rtcOccluded8)                                                                                \
    X(rtcOccluded16)                                                                               \
    X(rtcPointQuery)

typedef struct bench_embree_api {
#define MEMBER(name) __typeof__(&name) name;
    BENCH_EMBREE_FUNCTIONS(MEMBER)
#undef MEMBER
} bench_embree_api;

/* The functions, once the library has been opened; it stays open until the process ends, since
 * Embree's threads do.  NULL: it is not there, or lacks one of them. */
const bench_embree_api *bench_embree_get(void);
