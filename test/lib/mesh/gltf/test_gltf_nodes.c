/* lib/mesh/gltf/nodes.c and list.c: meshes once, and where nodes place them */
#include "test/support/input/glb.h"
#include "test/support/input/io_formats.h"
#include "test/support/test.h"

/* Two meshes: a triangle of two primitives (the second with its corners moved), and one triangle;
 * a node that is turned by a quarter and scaled and has a mirrored child, and copies of another. */
static const char town[] =
    "\"scenes\":[{\"nodes\":[3,0]}],\"nodes\":["
    "{\"name\":\"street\",\"mesh\":1,\"rotation\":[0,0.70710677,0,0.70710677],"
    "\"translation\":[1e6,2,3],\"scale\":[1,2,0.1],\"children\":[1,2]},"
    "{\"mesh\":2,\"scale\":[-1,1,1],\"translation\":[0.1,0.2,0.3]},"
    "{\"name\":\"nothing\",\"mesh\":0},"
    "{\"name\":\"row\",\"mesh\":1,\"extensions\":{\"EXT_mesh_gpu_instancing\":{\"attributes\":{"
    "\"TRANSLATION\":1}}}}],"
    "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"mode\":1}]},"
    "{\"name\":\"wall\",\"primitives\":[{\"attributes\":{\"POSITION\":0},\"material\":0},"
    "{\"attributes\":{\"POSITION\":1}}]},"
    "{\"name\":\"door\",\"primitives\":[{\"attributes\":{\"POSITION\":1}}]}],"
    "\"materials\":[{\"name\":\"brick\"}],"
    "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"},"
    "{\"bufferView\":0,\"byteOffset\":36,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}],"
    "\"bufferViews\":[{\"buffer\":0,\"byteLength\":72}],\"buffers\":[{\"byteLength\":72}]";

static const float corners[6][3] = { { 0, 0, 0 },    { 1, 0, 0 },    { 0, 1, 0 },
                                     { 0, 0, 0.1f }, { 1, 0.3f, 0 }, { 0.7f, 1, 0 } };

static glb make(const char *json, const void *chunk, size_t size)
{
    char whole[4096];
    snprintf(whole, sizeof whole, "{\"asset\":{\"version\":\"2.0\"},%s}", json);
    return glb_make(whole, chunk, size);
}

static sl_gltf *load(const char *json, const void *chunk, size_t size, const sl_mesh_def *def)
{
    UNDONE(glb_free) glb file = make(json, chunk, size);
    sl_gltf *gltf;
    sl_error error;
    const sl_result result =
        sl_gltf_load_memory(file.bytes, file.size, "town.glb", def, &gltf, &error);
    if (result != SL_OK) {
        fail_msg("%s", error.message);
    }
    return gltf;
}

TEST_ONCE(with_io_formats, NULL);

TEST(each_mesh_is_listed_once_in_the_order_of_its_first_instance)
{
    static const struct {
        uint32_t mesh, node, copy;
        const char *name;
    } expected[] = {
        { 0, 3, 0, "row" },    { 0, 3, 1, "row" },  { 0, 3, 2, "row" },
        { 0, 0, 0, "street" }, { 1, 1, 0, "door" },
    };
    OWN(sl_gltf) gltf = load(town, corners, sizeof corners, NULL);
    assert_int_equal(sl_gltf_get_info(gltf).mesh_count, 2);
    uint32_t number;
    assert_true(sl_gltf_mesh(gltf, 0, &number) != NULL && number == 1);
    assert_true(sl_gltf_mesh(gltf, 1, &number) != NULL && number == 2);
    assert_true(sl_gltf_mesh(gltf, 2, &number) == NULL && number == SL_NONE);
    assert_int_equal(sl_mesh_soup(sl_gltf_mesh(gltf, 0, NULL)).triangle_count, 2);
    assert_int_equal(sl_mesh_soup(sl_gltf_mesh(gltf, 1, NULL)).triangle_count, 1);
    assert_int_equal(sl_gltf_get_info(gltf).instance_count, 5);
    for (size_t i = 0; i < 5; i++) {
        const sl_gltf_instance *at = &sl_gltf_get_info(gltf).instances[i];
        assert_int_equal(at->mesh, expected[i].mesh);
        assert_int_equal(at->node, expected[i].node);
        assert_int_equal(at->copy, expected[i].copy);
        assert_string_equal(at->name, expected[i].name);
    }
}

TEST(parts_keep_names_of_meshes_and_materials_but_of_no_nodes)
{
    OWN(sl_gltf) gltf = load(town, corners, sizeof corners, NULL);
    sl_mesh_part part;
    assert_int_equal(sl_mesh_get_info(sl_gltf_mesh(gltf, 0, NULL)).part_count, 2);
    assert_true(sl_mesh_get_part(sl_gltf_mesh(gltf, 0, NULL), 0, &part));
    assert_string_equal(part.name, "wall");
    assert_string_equal(part.material, "brick");
    assert_string_equal(part.node, "");
    assert_int_equal(part.node_index, SL_NONE);
    assert_true(sl_mesh_get_part(sl_gltf_mesh(gltf, 1, NULL), 0, &part));
    assert_string_equal(part.name, "door");
}

/* Corner 1 and 2 of the flattened mesh are exchanged where a node mirrors. */
TEST(corners_are_those_of_the_flattened_mesh_before_it_is_rounded)
{
    OWN(sl_mesh) flat = glb_load(town, corners, sizeof corners);
    OWN(sl_gltf) gltf = load(town, corners, sizeof corners, NULL);
    uint32_t flat_prim = 0;
    for (size_t i = 0; i < sl_gltf_get_info(gltf).instance_count; i++) {
        const sl_gltf_instance *at = &sl_gltf_get_info(gltf).instances[i];
        const sl_mesh *mesh = sl_gltf_mesh(gltf, at->mesh, NULL);
        for (uint32_t prim = 0; prim < sl_mesh_soup(mesh).triangle_count; prim++, flat_prim++) {
            sl_triangle own, world;
            assert_true(sl_mesh_triangle(mesh, prim, &own));
            assert_true(sl_mesh_triangle(flat, flat_prim, &world));
            for (int c = 0; c < 3; c++) {
                double corner[3];
                const int other = at->node == 1 && c > 0 ? 3 - c : c;
                assert_true(sl_transform_corner(&at->transform, 0, own.v[c], corner));
                for (int axis = 0; axis < 3; axis++) {
                    assert_true((float)corner[axis] == world.v[other][axis]);
                }
            }
        }
    }
    assert_int_equal(flat_prim, sl_mesh_soup(flat).triangle_count);
}

TEST(a_quarter_turn_is_exact)
{
    OWN(sl_gltf) gltf = load(town, corners, sizeof corners, NULL);
    static const double expected[3][4] = { { 0, 0, 0.1, 1e6 }, { 0, 2, 0, 2 }, { -1, 0, 0, 3 } };
    for (int i = 0; i < 12; i++) {
        assert_true(sl_gltf_get_info(gltf).instances[3].transform.m[i / 4][i % 4] ==
                    expected[i / 4][i % 4]);
    }
}

TEST(triangles_that_are_left_out_keep_their_numbers)
{
    static const uint8_t indices[12] = { 0, 1, 9, 0, 1, 2 };
    static const char json[] =
        "\"nodes\":[{\"mesh\":0},{\"mesh\":0,\"translation\":[1,0,0]}],\"meshes\":[{\"primitives\":"
        "[{\"attributes\":{\"POSITION\":0},\"indices\":1}]}],"
        "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"},"
        "{\"bufferView\":1,\"componentType\":5121,\"count\":6,\"type\":\"SCALAR\"}],"
        "\"bufferViews\":[{\"buffer\":0,\"byteLength\":36},{\"buffer\":0,\"byteOffset\":36,"
        "\"byteLength\":12}],\"buffers\":[{\"byteLength\":48}]";
    uint8_t chunk[48];
    memcpy(chunk, corners, 36);
    memcpy(chunk + 36, indices, 12);
    sl_mesh_def def = { .bad = SL_BAD_LEAVE_OUT };
    sl_gltf *gltf = load(json, chunk, sizeof chunk, &def);
    const sl_mesh_info info = sl_mesh_get_info(sl_gltf_mesh(gltf, 0, NULL));
    assert_int_equal(info.triangle_count, 2);
    assert_int_equal(info.left_out, 1);
    sl_triangle triangle;
    assert_false(sl_mesh_triangle(sl_gltf_mesh(gltf, 0, NULL), 0, &triangle));
    assert_true(sl_mesh_triangle(sl_gltf_mesh(gltf, 0, NULL), 1, &triangle));
    assert_int_equal(sl_gltf_get_info(gltf).instance_count, 2);
    sl_gltf_destroy(gltf);

    sl_error error;
    UNDONE(glb_free) glb file = make(json, chunk, sizeof chunk);
    assert_int_equal(sl_gltf_load_memory(file.bytes, file.size, "x.glb", NULL, &gltf, &error),
                     SL_BAD_INDEX);
    assert_null(gltf);
    assert_non_null(strstr(error.message, "index 9 of meshes[0].primitives[0]"));
}

TEST(what_has_no_nodes_is_refused)
{
    static const char obj[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    sl_gltf *gltf;
    sl_error error;
    assert_int_equal(sl_gltf_load_memory(obj, sizeof obj - 1, "a.obj", NULL, &gltf, &error),
                     SL_UNSUPPORTED);
    assert_null(gltf);
    assert_int_equal(sl_gltf_load(NULL, NULL, &gltf, &error), SL_INVALID_ARGUMENT);
    assert_int_equal(sl_gltf_load("not there.glb", NULL, &gltf, &error), SL_NOT_FOUND);
    sl_mesh_def def = { .recentre = true };
    assert_int_equal(sl_gltf_load_memory(obj, sizeof obj - 1, "a.obj", &def, &gltf, &error),
                     SL_INVALID_ARGUMENT);
    sl_gltf_destroy(NULL);
}

TEST(a_scene_without_triangles_has_no_instances)
{
    OWN(sl_gltf) gltf = load("\"nodes\":[{\"name\":\"empty\"}]", NULL, 0, NULL);
    assert_int_equal(sl_gltf_get_info(gltf).mesh_count, 0);
    assert_int_equal(sl_gltf_get_info(gltf).instance_count, 0);
}
