/* Rays along an axis, through and beside vertices and edges: every kernel finds what every triangle
 * in turn says.  Meshes on a grid are decided in floats, others in doubles; numbers that are small
 * beside the others, and zeros of both signs, are among the coordinates. */
#include "bvh/kernel/kernel.h"
#include "test/support/test.h"

enum { SEED = 20261122, VERTICES = 80, TRIANGLES = 300, RAYS = 500, KINDS = 6 };

/* A coordinate of one of the kinds of mesh. */
static float coordinate(test_random *random, int kind)
{
    const float step = (float)test_random_below(random, 9) - 4;
    const float any = (float)test_random_below(random, 1 << 24) * 0x1p-22f - 2;
    switch (kind) {
    case 0:
        return step; /* a lattice */
    case 1:
        return step * 0x1p-37f; /* as small as the float filters take */
    case 2:
        return step * 0x1.8p33f;
    case 3:
        return any;
    case 4: /* finer than the grid, or denormal, and not */
        return test_random_below(random, 3) == 0   ? step * 0x1p-40f
               : test_random_below(random, 3) == 0 ? step * 0x1p-147f
                                                   : step;
    default: /* finer than the grid, by a little */
        return step + (float)((int)test_random_below(random, 3) - 1) * 0x1p-21f;
    }
}

static sl_mesh *make_mesh(test_random *random, int kind, float xyz[3 * VERTICES])
{
    uint32_t corners[3 * TRIANGLES];
    for (int i = 0; i < 3 * VERTICES; i++) {
        xyz[i] = coordinate(random, kind);
    }
    for (int i = 0; i < 3 * TRIANGLES; i++) {
        corners[i] = (uint32_t)test_random_below(random, VERTICES);
    }
    return made_mesh(xyz, VERTICES, corners, TRIANGLES, NULL);
}

/* In the line of a vertex, of the middle between two, or one step beside it. */
static sl_ray make_ray(test_random *random, const float xyz[3 * VERTICES])
{
    static const float lengths[4] = { 1, -1, 0.75f, -3 };
    const float *a = xyz + 3 * test_random_below(random, VERTICES);
    const float *b = xyz + 3 * test_random_below(random, VERTICES);
    const size_t axis = test_random_below(random, 3), how = test_random_below(random, 4);
    float origin[3], dir[3] = { 0, test_random_below(random, 2) == 0 ? 0.0f : -0.0f, 0 };
    for (size_t k = 0; k < 3; k++) {
        origin[k] = how == 0 ? 0.5f * (a[k] + b[k]) : a[k];
    }
    if (how == 1) {
        origin[(axis + 1) % 3] = nextafterf(origin[(axis + 1) % 3], INFINITY);
    }
    origin[axis] = 0.5f * (a[axis] + b[axis]);
    dir[axis] = lengths[test_random_below(random, 4)];
    return sl_ray_make(origin, dir);
}

static void same_as_every_triangle_in_turn(const sl_bvh *bvh, const sl_mesh *mesh,
                                           const sl_ray rays[RAYS])
{
    const sl_soup soup = sl_mesh_soup(mesh);
    sl_hit hits[RAYS];
    uint8_t any[RAYS];
    sl_bvh_closest_many(bvh, sl_rays_of(rays, RAYS), NULL, sl_hits_of(hits), NULL, NULL);
    sl_bvh_any_many(bvh, sl_rays_of(rays, RAYS), NULL, any, NULL, NULL, NULL);
    for (int i = 0; i < RAYS; i++) {
        sl_hit truth = { .t = rays[i].tmax, .prim = SL_NONE };
        const bool met = sl_soup_all(&soup, &rays[i], NULL, &truth, 1) > 0;
        assert_int_equal(any[i], met);
        assert_memory_equal(&hits[i], &truth, sizeof truth);
    }
}

TEST(every_kernel_decides_rays_along_an_axis_exactly)
{
    test_random random = { SEED };
    for (int kind = 0; kind < KINDS; kind++) {
        float xyz[3 * VERTICES];
        sl_ray rays[RAYS];
        OWN(sl_mesh) mesh = make_mesh(&random, kind, xyz);
        OWN(sl_bvh) bvh = made_bvh(mesh, NULL);
        for (int i = 0; i < RAYS; i++) {
            rays[i] = make_ray(&random, xyz);
        }
        for (int i = 0; sli_kernels_at(i) != NULL; i++) {
            bvh->kernels = sli_kernels_at(i);
            same_as_every_triangle_in_turn(bvh, mesh, rays);
        }
    }
}
