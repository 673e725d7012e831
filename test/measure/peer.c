#include "test/measure/peer.h"

#include <string.h>
#include <time.h>

double peer_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int peer_by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

RTCGeometry peer_geometry(RTCDevice device, const sl_mesh *mesh)
{
    RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
    const size_t vertices = sl_mesh_vertex_count(mesh), triangles = sl_mesh_triangle_count(mesh);
    float *v = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, 12,
                                       vertices);
    uint32_t *i = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, 12,
                                          triangles);
    memcpy(v, sl_mesh_positions(mesh), 12 * vertices);
    memcpy(i, sl_mesh_indices(mesh), 12 * triangles);
    rtcCommitGeometry(geometry);
    return geometry;
}

RTCScene peer_scene(RTCDevice device, const sl_mesh *mesh, enum RTCBuildQuality quality)
{
    RTCGeometry geometry = peer_geometry(device, mesh);
    RTCScene scene = rtcNewScene(device);
    rtcSetSceneBuildQuality(scene, quality);
    rtcAttachGeometry(scene, geometry);
    rtcReleaseGeometry(geometry);
    rtcCommitScene(scene);
    return scene;
}
