/* The same bits of views, drags, handles and topologies on every machine, from every compiler: the
 * answers to fixed questions have known hashes.  ../../.ci/compilers.sh and arm64.sh run it. */
#include "test/support/query/answers_hash.h"
#include "test/support/test.h"

enum { VIEWS = 3000, DRAGS = 4000 };

static sl_view view_of(test_random *r)
{
    for (;;) {
        sl_camera_def def = { .near_distance = 0.01f };
        sl_camera camera;
        for (int i = 0; i < 3; i++) {
            def.eye[i] = test_random_in(r, -4, 4);
            def.target[i] = test_random_in(r, -4, 4);
        }
        def.orthographic = test_random_below(r, 3) == 0;
        def.ortho_height = test_random_in(r, 0.5f, 20);
        def.fov_y_rad = test_random_in(r, 0.1f, 2.5f);
        def.far_distance = def.orthographic || test_random_below(r, 2) == 0 ? 100 : INFINITY;
        def.clip = (sl_clip_space)test_random_below(r, 4);
        if (sl_camera_make(&def, &camera, NULL) == SL_OK) {
            sl_view view = (sl_view){ .camera = camera };
            for (int i = 0; i < 3 && test_random_below(r, 2) == 0; i++) {
                view.origin[i] = test_random_in_d(r, -1e6, 1e6);
            }
            return view;
        }
    }
}

static uint64_t add(uint64_t h, bool found, const void *numbers, size_t size)
{
    const uint8_t byte = found;
    h = test_hash(h, &byte, 1, 1);
    return found ? test_hash(h, numbers, size, sizeof(double)) : h;
}

/* A point before the eye, and what the view says of it. */
static uint64_t query_view(uint64_t h, const sl_view *view, test_random *r, double point[3])
{
    const double xy[2] = { test_random_in_d(r, -100, 900), test_random_in_d(r, -100, 700) };
    double seen[3] = { 0 }, pixel = 0;
    sl_ray_d ray = { .tmax = 0 };
    sl_segment_d sight;
    h = add(h, sl_view_ray(view, xy, &ray), &ray, sizeof ray);
    const double t = test_random_in_d(r, 0, ray.tmax > 1 ? 20 : 0.3);
    for (int i = 0; i < 3; i++) {
        point[i] = ray.origin[i] + t * ray.dir[i];
    }
    h = add(h, sl_view_project(view, point, seen, &seen[2]), seen, sizeof seen);
    h = add(h, sl_view_sight(view, point, &sight), &sight, sizeof sight);
    return add(h, sl_view_pixel_size(view, point, &pixel), &pixel, sizeof pixel);
}

static void expect(uint64_t hash, uint64_t golden, const char *name)
{
    print_message("hash %016llx by %s\n", (unsigned long long)hash, name);
    assert_true(hash == golden);
}

TEST(views_have_the_same_bits)
{
    test_random r = { 1 };
    uint64_t h = TEST_HASH_NOTHING;
    double point[3];
    for (int i = 0; i < VIEWS; i++) {
        const sl_view view = view_of(&r);
        h = query_view(h, &view, &r, point);
    }
    expect(h, 0x25960AB3D47C020Fu, "views");
}

static uint64_t query_drag(uint64_t h, const sl_drag *drag, const sl_view *view, test_random *r)
{
    const sl_transform start = { { { 1, 0.5, 0, 3 }, { 0, 2, 0, -1 }, { 0.25, 0, 1, 7 } } };
    sl_drag_move move = { .factor = 1 };
    sl_transform place = start;
    bool moved = false;
    for (int i = 0; i < 4; i++) {
        const double far = i == 3 ? 1e5 : 300;
        const double mouse[2] = { drag->from[0] + test_random_in_d(r, -far, far),
                                  drag->from[1] + test_random_in_d(r, -far, far) };
        const sl_drag_answer answer = sl_drag_to(drag, view, mouse, moved ? &move : NULL, &move);
        const uint32_t told[2] = { (uint32_t)answer, move.flags };
        moved = moved || answer == SL_DRAG_MOVED;
        h = test_hash(h, told, sizeof told, sizeof *told);
        h = add(h, answer == SL_DRAG_MOVED, &move, offsetof(sl_drag_move, instance));
        h = add(h, moved && sl_drag_transform(drag, &move, &start, &place), &place, sizeof place);
    }
    return h;
}

TEST(drags_have_the_same_bits)
{
    test_random r = { 2 };
    uint64_t h = TEST_HASH_NOTHING;
    int begun = 0;
    for (int i = 0; i < DRAGS; i++) {
        const sl_view view = view_of(&r), other = view_of(&r);
        const double mouse[2] = { test_random_in_d(&r, 0, 800), test_random_in_d(&r, 0, 600) };
        sl_drag drag = { .limit = 32,
                         .factor_min = 0x1p-10,
                         .pace = 1 }; /* if it cannot begin, too */
        h = query_view(h, &view, &r, drag.point);
        drag.kind = (sl_drag_kind)(i % 7);
        drag.ring = (sl_ring_rule)test_random_below(&r, 3);
        drag.step = i % 3 == 0 ? 0.1 : 0;
        drag.absolute = i % 2 == 0;
        for (int k = 0; k < 3; k++) {
            drag.axis[k] = i % 5 == 0 ? k == 1 : test_random_in_d(&r, -1, 1);
            drag.centre[k] = drag.point[k] + test_random_in_d(&r, -1, 1);
        }
        begun += sl_drag_begin(&drag, &view, mouse) == SL_DRAG_MOVED;
        h = query_drag(h, &drag, &view, &r);
        h = query_drag(h, &drag, &other, &r);
    }
    assert_true(begun > DRAGS / 2);
    expect(h, 0x7DB80C6354F16D57u, "drags");
}

TEST(handles_and_turns_have_the_same_bits)
{
    test_random r = { 3 };
    uint64_t h = TEST_HASH_NOTHING;
    int found = 0;
    for (int i = 0; i < VIEWS; i++) {
        const sl_view view = view_of(&r);
        sl_gizmo gizmo = { 0 };
        sl_handle handle = { .handle = 0 };
        double seen[2], q[4];
        h = query_view(h, &view, &r, gizmo.centre);
        gizmo.handles = i % 2 == 0 ? SL_HANDLE_ALL_MOVE | SL_HANDLE_ALL_TURN : 8191;
        if (!sl_view_project(&view, gizmo.centre, seen, NULL)) {
            continue;
        }
        for (int k = 0; k < 2; k++) {
            seen[k] += test_random_in_d(&r, -100, 100);
        }
        const bool picked = sl_gizmo_pick(&gizmo, &view, seen, 20, &handle);
        const double told[6] = { handle.handle,   handle.pixels,   handle.point[0],
                                 handle.point[1], handle.point[2], handle.size };
        h = add(h, picked, told, sizeof told);
        found += picked;
        const double a[3] = { test_random_in_d(&r, -1, 1), test_random_in_d(&r, -1, 1),
                              test_random_in_d(&r, -1, 1) };
        h = add(h, sl_turn_about(a, test_random_in_d(&r, -1e3, 1e3), q), q, sizeof q);
        h = add(h, sl_turn_between(a, gizmo.centre, q), q, sizeof q);
    }
    assert_true(found > VIEWS / 4);
    expect(h, 0x4D96F3A4ECC7B346u, "handles");
}

static uint64_t query_topology(uint64_t h, const sl_mesh *mesh, float crease_rad)
{
    sl_topology_def def = { 0 };
    sl_topology_info info;
    sl_edge edge;
    def.crease_rad = crease_rad;
    OWN(sl_topology) topology = made_topology(mesh, &def);
    info = sl_topology_get_info(topology);
    for (uint32_t i = 0; sl_topology_get_edge(topology, i, &edge); i++) {
        h = test_hash(h, &edge, sizeof edge, sizeof(uint32_t));
    }
    for (uint32_t i = 0; i < info.vertex_count; i++) {
        const uint8_t feature = sl_topology_is_feature(topology, SL_VERTICES, i);
        h = test_hash(h, &feature, 1, 1);
    }
    return h;
}

/* Of few whole numbers, so that many angles are exactly those of creases, or just beside. */
TEST(creases_have_the_same_bits)
{
    static const float angles[6] = { -1, 0.523598776f, 0.785398163f, 1.04719755f, 1.57079633f, 3 };
    test_random r = { 4 };
    uint64_t h = TEST_HASH_NOTHING;
    for (int i = 0; i < 120; i++) {
        float xyz[100][3];
        uint32_t indices[200][3];
        for (int k = 0; k < 300; k++) {
            xyz[k / 3][k % 3] = (float)test_random_below(&r, 4) * (i % 2 == 0 ? 1.0f : 0.1f);
        }
        for (int k = 0; k < 600; k++) {
            indices[k / 3][k % 3] = test_random_below(&r, 100);
        }
        OWN(sl_mesh) mesh = made_mesh(xyz[0], 100, indices, 200, NULL);
        h = query_topology(h, mesh, angles[i % 6]);
    }
    sl_mesh *grid = made_grid(60, 60, 0.9f, 3);
    for (int i = 0; i < 6; i++) {
        h = query_topology(h, grid, angles[i]);
    }
    sl_mesh_destroy(grid);
    expect(h, 0x76D07F8668858B28u, "topologies");
}
