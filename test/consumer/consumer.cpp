// The same from C++: every header compiles there, and the library links.
#include <sightline/io.h>
#include <sightline/sightline.h>

#include <cstdio>
#include <vector>

int main()
{
    const std::vector<float> xyz = { 0, 0, 1, 1, 0, 1, 0, 1, 1 };
    sl_mesh *mesh = nullptr;
    sl_bvh *bvh = nullptr;
    if (sl_mesh_from_arrays(xyz.data(), 3, nullptr, 1, nullptr, &mesh, nullptr) != SL_OK ||
        sl_bvh_build(mesh, nullptr, &bvh, nullptr) != SL_OK) {
        return 1;
    }
    sl_mesh_destroy(mesh);
    const float origin[3] = { 0.25f, 0.25f, 0 }, dir[3] = { 0, 0, 1 };
    const sl_ray ray = sl_ray_make(origin, dir);
    sl_hit hit;
    const bool found = sl_bvh_closest(bvh, &ray, nullptr, &hit);
    sl_bvh_destroy(bvh);
    unsigned char color[3];
    sl_colour_map(0.5f, color);
    std::printf("sightline from C++: t = %g, prim = %u\n", double(hit.t), hit.prim);
    return found && hit.t == 1.0f && hit.prim == 0 ? 0 : 1;
}
