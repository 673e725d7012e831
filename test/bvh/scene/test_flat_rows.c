/* sl_flatten_def.meshes: what there is at a hit in the world is what there is on the flattened
 * mesh. */
#include "test/support/environment/callers_env.h"
#include "test/support/test.h"

enum { VERTICES = 8, TRIANGLES = 6, MESHES = 3, INSTANCES = 5 };

typedef struct world {
    sl_mesh *meshes[MESHES];
    sl_bvh *trees[MESHES];
    const sl_mesh *mesh_of[INSTANCES];
    sl_instance instances[INSTANCES];
    sl_bvh *scene;
} world;

/* Mesh 0 has all, some corners without; mesh 1 texture coordinates; mesh 2 nothing.  Triangle 1 is
 * left out. */
static sl_mesh *make_mesh(test_random *random, int number)
{
    float values[4 * VERTICES], xyz[3 * VERTICES];
    uint32_t indices[3 * TRIANGLES], rows[3 * TRIANGLES];
    for (int i = 0; i < 4 * VERTICES; i++) {
        values[i] = test_random_in(random, -1, 1);
        xyz[i % (3 * VERTICES)] = test_random_in(random, -1, 1);
    }
    for (uint32_t i = 0; i < 3 * TRIANGLES; i++) {
        indices[i] = i == 4 ? 99 : (i + i / 3) % VERTICES;
        rows[i] = i == 7 ? SL_NONE : test_random_below(random, VERTICES);
    }
    sl_mesh_def def = { .bad = SL_BAD_LEAVE_OUT };
    if (number < 2) {
        def.uvs = (sl_mesh_attribute){ values, VERTICES, NULL };
    }
    if (number < 1) {
        def.normals = (sl_mesh_attribute){ values, VERTICES, rows };
        def.colours = (sl_mesh_attribute){ values, VERTICES, rows };
    }
    return made_mesh(xyz, VERTICES, indices, TRIANGLES, &def);
}

static void make_world(world *w, uint64_t seed)
{
    test_random random = { seed };
    *w = (world){ 0 };
    for (int i = 0; i < MESHES; i++) {
        w->meshes[i] = make_mesh(&random, i);
        w->trees[i] = made_bvh(w->meshes[i], NULL);
    }
    for (int i = 0; i < INSTANCES; i++) {
        w->mesh_of[i] = w->meshes[i % MESHES];
        w->instances[i] = sl_instance_of(w->trees[i % MESHES]);
        for (int k = 0; i > 0 && k < 12; k++) {
            const float own = k % 5 == 0 ? 1 : 0;
            w->instances[i].transform.m[k / 4][k % 4] =
                (double)(own + test_random_in(&random, -0.3f, 0.3f));
        }
        if (i == 3) { /* mirrored */
            for (int axis = 0; axis < 3; axis++) {
                w->instances[i].transform.m[axis][0] *= -1;
            }
        }
    }
    w->scene = made_scene(w->instances, INSTANCES, NULL);
}

static void free_world(world *w)
{
    sl_bvh_destroy(w->scene);
    for (int i = 0; i < MESHES; i++) {
        unmake_bvh(w->trees[i], w->meshes[i]);
    }
}

TEST(points_of_the_flattened_mesh_are_those_of_the_instances)
{
    const int rounds = test_is_brief() ? 3 : 200;
    for (int round = 0; round < rounds; round++) {
        UNDONE(free_world) world w;
        sl_triangle_ref refs[INSTANCES * TRIANGLES];
        OWN(sl_mesh) flat = NULL;
        make_world(&w, test_seed(81) + (uint64_t)round);
        sl_flatten_def def = { .refs = refs, .meshes = w.mesh_of, .mesh_count = INSTANCES };
        assert_int_equal(sl_bvh_flatten(w.scene, &def, &flat, NULL, NULL), SL_OK);
        assert_int_equal(sl_mesh_soup(flat).triangle_count, INSTANCES * (TRIANGLES - 1));
        for (uint32_t prim = 0; prim < sl_mesh_soup(flat).triangle_count; prim++) {
            const uint32_t i = refs[prim].instance;
            const bool mirrored = i == 3;
            const float u = 0.3f, v = 0.45f;
            sl_mesh_point there, here;
            assert_true(sl_mesh_at(w.mesh_of[i], refs[prim].prim, mirrored ? v : u,
                                   mirrored ? u : v, &w.instances[i].transform, &there));
            assert_true(sl_mesh_at(flat, prim, u, v, NULL, &here));
            assert_int_equal(here.kept, there.kept);
            assert_int_equal(here.kept, i % MESHES == 1        ? SL_MESH_UVS
                                        : i % MESHES == 2      ? 0
                                        : refs[prim].prim == 2 ? SL_MESH_UVS
                                                               : 7);
            assert_memory_equal(here.uv, there.uv, sizeof here.uv);
            assert_memory_equal(here.colour, there.colour, sizeof here.colour);
        }
    }
}

/* At corners, where sl_mesh_at turns the same normal. */
TEST(normals_of_the_flattened_mesh_are_turned)
{
    UNDONE(free_world) world w;
    make_world(&w, 82);
    sl_triangle_ref refs[INSTANCES * TRIANGLES];
    OWN(sl_mesh) flat = NULL;
    sl_flatten_def def = { .refs = refs, .meshes = w.mesh_of, .mesh_count = INSTANCES };
    assert_int_equal(sl_bvh_flatten(w.scene, &def, &flat, NULL, NULL), SL_OK);
    size_t compared = 0;
    for (uint32_t prim = 0; prim < sl_mesh_soup(flat).triangle_count; prim++) {
        for (int corner = 0; corner < 3; corner++) {
            const uint32_t i = refs[prim].instance;
            const int from = i == 3 && corner > 0 ? 3 - corner : corner;
            sl_mesh_point there, here;
            assert_true(sl_mesh_at(w.mesh_of[i], refs[prim].prim, from == 1, from == 2,
                                   &w.instances[i].transform, &there));
            assert_true(sl_mesh_at(flat, prim, corner == 1, corner == 2, NULL, &here));
            for (int axis = 0; axis < 3; axis++) {
                assert_true(fabsf(here.normal[axis] - there.normal[axis]) <= 0x1p-23f);
                compared += here.normal[axis] != 0;
            }
        }
    }
    assert_true(compared > 50);
}

TEST(meshes_of_other_trees_and_other_numbers_of_them_are_refused)
{
    UNDONE(free_world) world w;
    make_world(&w, 83);
    sl_mesh *flat;
    sl_error error;
    OWN(sl_mesh) sphere = made_sphere(1);
    sl_flatten_def def = { .meshes = w.mesh_of, .mesh_count = INSTANCES - 1 };
    assert_int_equal(sl_bvh_flatten(w.scene, &def, &flat, NULL, &error), SL_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "mesh_count is 4, but the scene has 5 instances"));
    def.mesh_count = INSTANCES;
    w.mesh_of[2] = sphere;
    assert_int_equal(sl_bvh_flatten(w.scene, &def, &flat, NULL, &error), SL_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "meshes[2] has 8 triangles, but the tree of that "
                                          "instance has 6"));
    assert_null(flat);
    w.mesh_of[2] = NULL;
    assert_int_equal(sl_bvh_flatten(w.scene, &def, &flat, NULL, &error), SL_OK);
    sl_mesh_destroy(flat);
}

TEST(failing_allocations_are_survived)
{
    UNDONE(free_world) world w;
    make_world(&w, 84);
    sl_flatten_def def = { .meshes = w.mesh_of, .mesh_count = INSTANCES };
    sli_failing_allocator memory = TEST_NO_FAILURE_YET;
    while (test_next_failure(&memory, &def.hooks.allocator)) {
        sl_mesh *flat;
        const sl_result result = sl_bvh_flatten(w.scene, &def, &flat, NULL, NULL);
        assert_int_equal(result, memory.failed ? SL_OUT_OF_MEMORY : SL_OK);
        assert_true((flat == NULL) == memory.failed);
        sl_mesh_destroy(flat);
    }
    assert_true(memory.allocations > 10);
}
