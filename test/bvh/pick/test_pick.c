/* Picking by hand: ranks, kinds and radius, features of a topology, hidden things, budgets, defs
 * that are not usable; one answer on every kernel; how deep calls go into the stack. */
#include "bvh/scene/scene.h"
#include "test/support/environment/painted_stack.h"
#include "test/support/input/pictures.h"
#include "test/support/input/world.h"
#include "test/support/oracle/pick_oracle.h"
#include "test/support/test.h"

#include <sightline/snap.h>

typedef struct fixture {
    sl_mesh *mesh;
    sl_bvh *tree;
    sl_topology *topology;
    sl_bvh *scene;
    sl_view view;
} fixture;

/* A square of two triangles at z = 0, and one behind it at z = -1, half as large; seen from z = 2,
 * 200 x 200 pixels, orthographic: a pixel is 0.02 units. */
static void make(fixture *f)
{
    static const float xyz[] = {
        -1,    -1,    0,  1,    -1,    0,  1,    1,    0,  -1,    1,    0,
        -0.5f, -0.5f, -1, 0.5f, -0.5f, -1, 0.5f, 0.5f, -1, -0.5f, 0.5f, -1
    };
    static const uint32_t indices[] = { 0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7 };
    sl_camera_def def = { 0 };
    sl_topology_def features = { 0 };
    f->mesh = made_mesh(xyz, 8, indices, 4, NULL);
    f->tree = made_bvh(f->mesh, NULL);
    f->topology = made_topology(f->mesh, &features);
    const sl_instance instance = sl_instance_of(f->tree);
    f->scene = made_scene(&instance, 1, NULL);
    def.eye[2] = 2;
    def.orthographic = true;
    def.ortho_height = 4;
    def.near_distance = 0.5f;
    def.far_distance = 10;
    def.width = def.height = 200;
    sl_camera camera = made_camera(&def);
    f->view = (sl_view){ .camera = camera };
}

static void destroy(fixture *f)
{
    sl_bvh_destroy(f->scene);
    sl_topology_destroy(f->topology);
    unmake_bvh(f->tree, f->mesh);
}

TEST(what_is_of_the_highest_rank_counts)
{
    UNDONE(destroy) fixture f;
    sl_pick pick;
    sl_pick_def def = { 0 };
    make(&f);
    /* The corner (1, 1) appears at (150, 50). */
    const double corner[2] = { 148, 51 }, side[2] = { 148, 100 }, within[2] = { 120, 110 };
    assert_true(sl_pick_at(f.scene, &f.view, corner, &def, &pick));
    assert_int_equal(pick.kind, SL_PICK_VERTEX);
    assert_true(pick.point[0] == 1 && pick.point[1] == 1 && pick.point[2] == 0);
    assert_true(pick.xy[0] == 150 && pick.xy[1] == 50 && pick.pixels == sqrt(5));
    assert_true(pick.prim == 0 && pick.corner == 2 && pick.u == 0 && pick.v == 1);
    assert_true(fabs(pick.distance - 1.5) < 1e-6);
    assert_true(sl_pick_at(f.scene, &f.view, side, &def, &pick));
    assert_int_equal(pick.kind, SL_PICK_EDGE);
    assert_true(pick.prim == 0 && pick.corner == 1 && pick.pixels == 2 && pick.along == 0.5);
    assert_true(sl_pick_at(f.scene, &f.view, within, &def, &pick));
    assert_int_equal(pick.kind, SL_PICK_FACE);
    assert_true(pick.prim == 0 && pick.pixels == 0);
    def.rank[0] = 9;
    assert_true(sl_pick_at(f.scene, &f.view, corner, &def, &pick));
    assert_int_equal(pick.kind, SL_PICK_FACE);
    def.kinds = SL_PICK_EDGE;
    def.radius = 1;
    assert_false(sl_pick_at(f.scene, &f.view, side, &def, &pick));
}

TEST(only_features_count_where_there_is_a_topology)
{
    UNDONE(destroy) fixture f;
    sl_pick pick;
    sl_pick_def def = { 0 };
    make(&f);
    const double diagonal[2] = { 121, 80 };
    assert_true(sl_pick_at(f.scene, &f.view, diagonal, &def, &pick));
    assert_int_equal(pick.kind, SL_PICK_EDGE);
    assert_true(pick.edge == SL_NONE && pick.face == SL_NONE);
    const sl_topology *topologies[] = { f.topology };
    def.topologies = topologies;
    assert_true(sl_pick_at(f.scene, &f.view, diagonal, &def, &pick));
    assert_int_equal(pick.kind, SL_PICK_FACE);
    assert_int_equal(pick.face, sl_topology_element_of(f.topology, pick.prim, SL_FACES, 0));
    const double side[2] = { 149, 100 };
    assert_true(sl_pick_at(f.scene, &f.view, side, &def, &pick));
    assert_int_equal(pick.edge,
                     sl_topology_element_of(f.topology, pick.prim, SL_EDGES, pick.corner));
}

TEST(vertices_of_smooth_surfaces_count_on_request)
{
    UNDONE(destroy) fixture f;
    sl_pick pick;
    make(&f);
    const sl_mesh_shape ball = { SL_MESH_SPHERE, { .sphere = { 8 } } };
    OWN(sl_mesh) mesh = NULL;
    assert_int_equal(sl_mesh_generate(&ball, NULL, &mesh, NULL), SL_OK);
    OWN(sl_bvh) tree = made_bvh(mesh, NULL);
    sl_topology_def crease = { .crease_rad = 1.5f };
    OWN(sl_topology) topology = made_topology(mesh, &crease);
    const sl_topology *topologies[] = { topology };
    sl_pick_def def = { .topologies = topologies };
    sl_snap snap;
    const double middle[2] = { 100, 100 }; /* (0, 0, 1) appears there, or what is nearest to it */
    def.radius = 30;
    assert_true(sl_pick_at(tree, &f.view, middle, &def, &pick));
    assert_int_equal(pick.kind, SL_PICK_FACE);
    def.all_vertices = true;
    assert_true(sl_pick_at(tree, &f.view, middle, &def, &pick));
    assert_int_equal(pick.kind, SL_PICK_VERTEX);
    assert_int_equal(pick.vertex,
                     sl_topology_element_of(topology, pick.prim, SL_VERTICES, pick.corner));
    sl_snap_def to = { .kinds = SL_SNAP_VERTEX, .radius = 30, .topologies = topologies };
    assert_false(sl_snap_at(tree, &f.view, middle, &to, NULL, &snap));
    to.all_vertices = true;
    assert_true(sl_snap_at(tree, &f.view, middle, &to, NULL, &snap));
    assert_memory_equal(snap.point, pick.point, sizeof snap.point);
}

/* In front of the right half of a square stands another one, whose left side, at 102.5 pixels, is
 * within the radius of the first one's face: as another instance, and as another part of a mesh. */
TEST(what_is_of_another_part_does_not_count_on_request)
{
    static const char parts[] = "v -1 -1 0\nv 1 -1 0\nv 1 1 0\nv -1 1 0\n"
                                "v 0.05 -1 0.5\nv 2.05 -1 0.5\nv 2.05 1 0.5\nv 0.05 1 0.5\n"
                                "g back\nf 1 2 3 4\ng front\nf 5 6 7 8\n";
    UNDONE(destroy) fixture f;
    make(&f);
    sl_instance two[2] = { sl_instance_of(f.tree), sl_instance_of(f.tree) };
    two[1].transform.m[0][3] = 1.05;
    two[1].transform.m[2][3] = 0.5;
    OWN(sl_bvh) scene = made_scene(two, 2, NULL);
    OWN(sl_mesh) mesh = NULL;
    assert_int_equal(sl_mesh_load_memory(parts, sizeof parts - 1, "parts.obj", NULL, &mesh, NULL),
                     SL_OK);
    OWN(sl_bvh) tree = made_bvh(mesh, NULL);
    OWN(sl_topology) topology = made_topology(mesh, &(sl_topology_def){ 0 });
    const sl_topology *topologies[] = { topology };
    const double behind[2] = { 100, 110 }, on_it[2] = { 104, 110 }, beside[2] = { 49, 110 };
    for (int i = 0; i < 2; i++) {
        const sl_bvh *bvh = i == 0 ? scene : tree;
        sl_pick_def def = { .topologies = i == 0 ? NULL : topologies };
        for (int same = 0; same < 2; same++) {
            sl_pick pick;
            def.same_part = same != 0;
            def.kinds = 0;
            assert_true(sl_pick_at(bvh, &f.view, behind, &def, &pick));
            assert_int_equal(pick.kind, same ? SL_PICK_FACE : SL_PICK_EDGE);
            assert_int_equal(i == 0 ? pick.instance : pick.part, !same);
            assert_true(sl_pick_at(bvh, &f.view, on_it, &def, &pick));
            assert_int_equal(pick.kind, SL_PICK_EDGE);
            assert_int_equal(i == 0 ? pick.instance : pick.part, 1);
            assert_true(sl_pick_at(bvh, &f.view, beside, &def, &pick)); /* no face is there */
            assert_int_equal(pick.kind, SL_PICK_EDGE);
            def.kinds = SL_PICK_EDGE;
            assert_int_equal(sl_pick_at(bvh, &f.view, behind, &def, &pick), !same);
        }
    }
}

TEST(hidden_elements_count_on_request)
{
    UNDONE(destroy) fixture f;
    sl_pick pick;
    sl_pick_def def = { 0 };
    make(&f);
    const double behind[2] = { 126, 76 }; /* the corner (0.5, 0.5, -1) appears at (125, 75) */
    def.kinds = SL_PICK_VERTEX;
    assert_false(sl_pick_at(f.scene, &f.view, behind, &def, &pick));
    def.hidden = true;
    assert_true(sl_pick_at(f.scene, &f.view, behind, &def, &pick));
    assert_true(pick.prim == 2 && pick.corner == 2 && (pick.flags & SL_PICK_HIDDEN) != 0);
    const double before[2] = { 149, 51 };
    assert_true(sl_pick_at(f.scene, &f.view, before, &def, &pick));
    assert_true(pick.point[2] == 0 && (pick.flags & SL_PICK_HIDDEN) == 0);
    def.hidden = false;
    const sl_options skipped = { .skip = (sl_triangle_ref[]){ { 0, 0 }, { 0, 1 } },
                                 .skip_count = 2 };
    def.options = &skipped;
    assert_true(sl_pick_at(f.scene, &f.view, behind, &def, &pick));
    assert_true(pick.prim == 2 && pick.point[2] == -1);
}

/* A square whose upper left triangle is turned away hides nothing there where backs are culled,
 * though its lower right one is in front at the position; and a culled triangle offers nothing. */
TEST(what_is_culled_neither_hides_nor_is_picked)
{
    static const float xyz[] = { -1, -1,    0,     1,  -1,    0,     1,  1,     0,     -1, 1,
                                 0,  0.49f, 0.51f, -1, 0.49f, 0.61f, -1, 0.39f, 0.61f, -1 };
    static const uint32_t indices[] = { 0, 1, 2, 0, 3, 2, 4, 5, 6 };
    UNDONE(destroy) fixture f;
    sl_pick pick;
    sl_pick_def def = { 0 };
    const double beside[2] = { 125.5, 75.5 };
    sl_options options = { .cull = SL_CULL_NONE };
    make(&f);
    OWN(sl_mesh) mesh = made_mesh(xyz, 7, indices, 3, NULL);
    OWN(sl_bvh) tree = made_bvh(mesh, NULL);
    def.kinds = SL_PICK_VERTEX;
    def.options = &options;
    assert_false(sl_pick_at(tree, &f.view, beside, &def, &pick));
    options.cull = SL_CULL_BACK;
    assert_true(sl_pick_at(tree, &f.view, beside, &def, &pick));
    assert_true(pick.prim == 2 && pick.corner == 0);
    options.cull = SL_CULL_FRONT;
    assert_false(sl_pick_at(tree, &f.view, beside, &def, &pick));
    def.kinds = SL_PICK_EDGE;
    assert_true(sl_pick_at(tree, &f.view, beside, &def, &pick));
    assert_true(pick.prim == 1 && pick.corner == 2);
}

TEST(defs_and_positions_that_are_not_usable_pick_nothing)
{
    UNDONE(destroy) fixture f;
    sl_pick pick;
    make(&f);
    const double good[2] = { 120, 110 };
    const double bad[][2] = { { NAN, 0 }, { 0, INFINITY }, { 1e200, 0 } };
    for (int i = 0; i < 3; i++) {
        assert_false(sl_pick_at(f.scene, &f.view, bad[i], NULL, &pick));
        assert_int_equal(sl_pick_all(f.scene, &f.view, bad[i], NULL, &pick, 1), 0);
        assert_false(sl_pick_next(f.scene, &f.view, bad[i], NULL, NULL, &pick));
    }
    for (int i = 0; i < 4; i++) {
        sl_pick_def def = { .radius = i == 0 ? -1 : i == 1 ? NAN : 5 };
        def.budget_ms = i == 2 ? -1 : i == 3 ? (double)NAN : 0;
        assert_false(sl_pick_at(f.scene, &f.view, good, &def, &pick));
        assert_int_equal(sl_pick_all(f.scene, &f.view, good, &def, &pick, 1), 0);
    }
    sl_view flat = f.view;
    memset(flat.camera.view, 0, sizeof flat.camera.view);
    assert_false(sl_pick_at(f.scene, &flat, good, NULL, &pick));
    assert_true(sl_pick_at(f.scene, &f.view, good, NULL, &pick));
}

/* ---- Worlds ---- */

static uint64_t mix_in(uint64_t hash, const void *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ ((const uint8_t *)bytes)[i]) * 0x100000001B3u;
    }
    return hash;
}

/* Without the padding behind its last field. */
static uint64_t mix_pick(uint64_t hash, const sl_pick *pick)
{
    return mix_in(hash, pick, offsetof(sl_pick, flags) + sizeof pick->flags);
}

static uint64_t hash_of_world(const sl_bvh *scene, test_random random)
{
    uint64_t hash = 0xCBF29CE484222325u;
    for (int i = 0; i < 60; i++) {
        sl_pick list[8], pick;
        double xy[2];
        memset(list, 0, sizeof list);
        memset(&pick, 0, sizeof pick);
        const sl_view view = pictures_view(scene, &random);
        pictures_position(scene, &view, &random, xy);
        sl_pick_def def = { .radius = 40 };
        (void)sl_pick_at(scene, &view, xy, &def, &pick);
        const size_t total = sl_pick_all(scene, &view, xy, &def, list, 8);
        hash = mix_pick(hash, &pick);
        for (int k = 0; k < 8; k++) {
            hash = mix_pick(hash, &list[k]);
        }
        hash = mix_in(hash, &total, sizeof total);
    }
    return hash;
}

TEST(every_kernel_gives_the_same)
{
    test_random random = { 20261125 };
    UNDONE(world_destroy) world_case world;
    world_make(&world, WORLD_MIRRORED, 40, true, &random);
    const sli_kernels *chosen = world.scene->kernels;
    const uint64_t expected = hash_of_world(world.scene, random);
    int count = 0;
    const sli_kernels *kernels;
    for (; (kernels = sli_kernels_at(count)) != NULL; count++) {
        world.scene->kernels = kernels;
        assert_true(hash_of_world(world.scene, random) == expected);
    }
    assert_true(count > 0);
    world.scene->kernels = chosen;
}

/* A budget that is used up at once still gives a face. */
TEST(a_budget_that_is_used_up_says_so)
{
    test_random random = { 20261126 };
    UNDONE(world_destroy) world_case world;
    size_t cut = 0;
    world_make(&world, WORLD_PLAIN, 400, false, &random);
    for (int i = 0; i < 20; i++) {
        sl_pick pick;
        double xy[2];
        const sl_view view = pictures_view(world.scene, &random);
        pictures_position(world.scene, &view, &random, xy);
        sl_pick_def def = { .radius = 3000,
                            .kinds = SL_PICK_FACE | SL_PICK_EDGE,
                            .budget_ms = 1e-9 };
        const bool found = sl_pick_at(world.scene, &view, xy, &def, &pick);
        cut += found && (pick.flags & SL_PICK_CUT_SHORT) != 0;
        def.budget_ms = 1e9;
        assert_true(!sl_pick_at(world.scene, &view, xy, &def, &pick) ||
                    (pick.flags & SL_PICK_CUT_SHORT) == 0);
    }
    assert_true(cut > 0);
}

static void query_on_stack(painted_stack *stack, void *context)
{
    const sl_bvh *scene = context;
    test_random random = { 20261127 };
    (void)painted_stack_depth(stack);
    for (int i = 0; i < 60; i++) {
        sl_pick pick;
        double xy[2];
        const sl_view view = pictures_view(scene, &random);
        pictures_position(scene, &view, &random, xy);
        sl_pick_def def = { .radius = 100 };
        (void)painted_stack_depth(stack);
        for (int call = 0; call < 3; call++) {
            if (call == 0) {
                (void)sl_pick_at(scene, &view, xy, &def, &pick);
            } else if (call == 1) {
                (void)sl_pick_all(scene, &view, xy, &def, &pick, 1);
            } else {
                (void)sl_pick_next(scene, &view, xy, &def, &pick, &pick);
            }
            painted_stack_note(stack);
        }
    }
}

/* Where patches of triangles cover what is within the radius, they stand on the stack, too. */
static void query_a_wall_on_stack(painted_stack *stack, void *context)
{
    const sl_bvh *scene = context;
    const float eye[3] = { 0, 0, 3 };
    sl_camera_def def = { 0 };
    memcpy(def.eye, eye, sizeof def.eye);
    memset(def.target, 0, sizeof def.target);
    def.near_distance = 0.1f;
    def.width = 640;
    def.height = 480;
    sl_camera camera = made_camera(&def);
    const sl_view view = (sl_view){ .camera = camera };
    for (int i = 0; i < 60; i++) {
        sl_pick pick;
        const double xy[2] = { 280.3 + 1.3 * i, 240.7 + 0.7 * (i % 9) };
        sl_pick_def pick_def = { .radius = (float)(1 + i % 15) };
        (void)painted_stack_depth(stack);
        assert_true(sl_pick_at(scene, &view, xy, &pick_def, &pick));
        painted_stack_note(stack);
    }
}

TEST(a_call_before_a_wall_takes_at_most_48_kib_of_stack)
{
    OWN(sl_mesh) mesh = made_sphere(40);
    OWN(sl_bvh) tree = made_bvh(mesh, NULL);
    const sl_instance instance = sl_instance_of(tree);
    OWN(sl_bvh) scene = made_scene(&instance, 1, NULL);
    painted_stack_expect(192 * 1024, 48 * 1024, query_a_wall_on_stack, scene);
}

TEST(a_call_takes_at_most_48_kib_of_stack)
{
    test_random random = { 20261128 };
    UNDONE(world_destroy) world_case world;
    world_make(&world, WORLD_PLAIN, 300, true, &random);
    painted_stack_expect(192 * 1024, 48 * 1024, query_on_stack, world.scene);
}
