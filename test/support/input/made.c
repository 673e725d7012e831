#include "test/support/input/made.h"
#include "test/support/test.h"

static void expect_made(sl_result result, const sl_error *error)
{
    if (result != SL_OK) {
        print_error("%s\n", error->message);
    }
    assert_int_equal(result, SL_OK);
}

static sl_mesh *made_shape(sl_mesh_shape shape)
{
    sl_error error;
    sl_mesh *mesh = NULL;
    expect_made(sl_mesh_generate(&shape, NULL, &mesh, &error), &error);
    return mesh;
}

sl_mesh *made_sphere(uint32_t n)
{
    return made_shape((sl_mesh_shape){ SL_MESH_SPHERE, { .sphere = { n } } });
}

sl_mesh *made_torus(uint32_t rings, uint32_t sides, float major, float minor)
{
    return made_shape(
        (sl_mesh_shape){ SL_MESH_TORUS, { .torus = { rings, sides, major, minor } } });
}

sl_mesh *made_grid(uint32_t nx, uint32_t ny, float height, uint32_t seed)
{
    return made_shape((sl_mesh_shape){ SL_MESH_GRID, { .grid = { nx, ny, height, seed } } });
}

sl_mesh *made_soup(size_t count, float size, uint64_t seed)
{
    return made_shape((sl_mesh_shape){ SL_MESH_SOUP, { .soup = { count, size, seed } } });
}

sl_mesh *made_mesh(const void *xyz, size_t vertices, const void *indices, size_t triangles,
                   const sl_mesh_def *def)
{
    sl_error error;
    sl_mesh *mesh = NULL;
    expect_made(sl_mesh_from_arrays(xyz, vertices, indices, triangles, def, &mesh, &error), &error);
    return mesh;
}

sl_mesh *made_loose_mesh(const void *xyz, size_t vertices, const void *indices, size_t triangles)
{
    sl_mesh_def def = { .bad = SL_BAD_LEAVE_OUT };
    return made_mesh(xyz, vertices, indices, triangles, &def);
}

sl_bvh *made_bvh(const sl_mesh *mesh, const sl_build_def *def)
{
    sl_error error;
    sl_bvh *bvh = NULL;
    expect_made(sl_bvh_build(mesh, def, &bvh, &error), &error);
    return bvh;
}

sl_bvh *made_bvh_alone(sl_mesh *mesh, const sl_build_def *def)
{
    sl_bvh *bvh = made_bvh(mesh, def);
    sl_mesh_destroy(mesh);
    return bvh;
}

sl_bvh *made_scene(const sl_instance *instances, size_t count, const sl_instances_def *def)
{
    sl_error error;
    sl_bvh *scene = NULL;
    expect_made(sl_bvh_build_instances(instances, count, def, &scene, &error), &error);
    return scene;
}

sl_topology *made_topology(const sl_mesh *mesh, const sl_topology_def *def)
{
    sl_error error;
    sl_topology *topology = NULL;
    expect_made(sl_topology_build(mesh, def, &topology, &error), &error);
    return topology;
}

sl_camera made_camera(const sl_camera_def *def)
{
    sl_error error;
    sl_camera camera;
    expect_made(sl_camera_make(def, &camera, &error), &error);
    return camera;
}

sl_pool *made_pool(int workers)
{
    sl_error error;
    sl_pool *pool = NULL;
    expect_made(sl_pool_create(workers, NULL, &pool, &error), &error);
    return pool;
}

void *made_memory(size_t size)
{
    void *memory = malloc(size);
    assert_non_null(memory);
    return memory;
}

void *made_zeros(size_t count, size_t size)
{
    return memset(made_memory(count * size), 0, count * size);
}

void unmake_bvh(sl_bvh *bvh, sl_mesh *mesh)
{
    sl_bvh_destroy(bvh);
    sl_mesh_destroy(mesh);
}

void unmake_topology(sl_topology *topology, sl_mesh *mesh)
{
    sl_topology_destroy(topology);
    sl_mesh_destroy(mesh);
}
