/* batch.c: the library's own batch calls, for rate.py, which calls them through ctypes in the
 * process in which it measures the package: the same library, the same rays, the same memory. */
#include <sightline/sightline.h>

SL_API sl_bvh *batch_build(const float *xyz, size_t vertices, const uint32_t *faces,
                           size_t triangles);
SL_API void batch_closest(const sl_bvh *bvh, const sl_ray *rays, size_t count, sl_hit *hits);
SL_API void batch_any(const sl_bvh *bvh, const sl_ray *rays, size_t count, uint8_t *any);
SL_API void batch_nearest(const sl_bvh *bvh, const float *points, size_t count, sl_nearest *out);

sl_bvh *batch_build(const float *xyz, size_t vertices, const uint32_t *faces, size_t triangles)
{
    sl_mesh *mesh = NULL;
    sl_bvh *bvh = NULL;
    sl_error error;
    if (sl_mesh_from_arrays(xyz, vertices, faces, triangles, NULL, &mesh, &error) == SL_OK) {
        sl_bvh_build(mesh, NULL, &bvh, &error);
    }
    sl_mesh_destroy(mesh);
    return bvh;
}

void batch_closest(const sl_bvh *bvh, const sl_ray *rays, size_t count, sl_hit *hits)
{
    sl_bvh_closest_many(bvh, sl_rays_of(rays, count), NULL, sl_hits_of(hits), NULL, NULL);
}

void batch_any(const sl_bvh *bvh, const sl_ray *rays, size_t count, uint8_t *any)
{
    sl_bvh_any_many(bvh, sl_rays_of(rays, count), NULL, any, NULL, NULL, NULL);
}

void batch_nearest(const sl_bvh *bvh, const float *points, size_t count, sl_nearest *out)
{
    sl_bvh_nearest_many(bvh, sl_points_of(points, count, SL_FLOAT), 1e30f, NULL,
                        sl_nearests_of(out, SL_FLOAT), NULL, NULL);
}
