/* sl_bvh_flatten: the same bits where nothing moved, and what did where something has. */
#include "test/support/input/solids.h"
#include "test/support/input/world.h"
#include "test/support/test.h"

enum { SEED = 20261125 };

/* A torus in which some triangles are left out. */
static sl_mesh *holed_torus(void)
{
    OWN(sl_mesh) whole = made_torus(12, 8, 2, 1);
    const size_t vertices = sl_mesh_soup(whole).vertex_count,
                 triangles = sl_mesh_soup(whole).triangle_count;
    FREED uint32_t *indices = made_memory(3 * triangles * sizeof *indices);
    memcpy(indices, sl_mesh_soup(whole).indices, 3 * triangles * sizeof *indices);
    for (size_t i = 0; i < triangles; i += 7) {
        indices[3 * i + 1] = UINT32_MAX - 1;
    }
    return made_loose_mesh(sl_mesh_soup(whole).xyz, vertices, indices, triangles);
}

static sl_mesh *flatten(const sl_bvh *scene, sl_triangle_ref **refs, sl_flattened *report)
{
    const sl_bvh_info info = sl_bvh_get_info(scene);
    sl_flatten_def def = { 0 };
    def.refs = *refs = malloc((size_t)(info.triangle_count + 1) * sizeof **refs);
    assert_non_null(def.refs);
    sl_mesh *mesh;
    assert_int_equal(sl_bvh_flatten(scene, &def, &mesh, report, NULL), SL_OK);
    assert_int_equal(sl_mesh_soup(mesh).triangle_count, info.triangle_count);
    return mesh;
}

TEST(identity_keeps_all_bits)
{
    OWN(sl_mesh) mesh = holed_torus();
    OWN(sl_bvh) bvh = made_bvh(mesh, NULL);
    const sl_instance instance = sl_instance_of(bvh);
    OWN(sl_bvh) scene = made_scene(&instance, 1, NULL);
    sl_triangle_ref *refs;
    sl_flattened report;
    OWN(sl_mesh) flat = flatten(scene, &refs, &report);
    assert_true(report.moved == 0 && report.rounding == 0);
    assert_int_equal(report.worst.prim, SL_NONE);
    for (uint32_t i = 0; i < sl_mesh_soup(flat).triangle_count; i++) {
        sl_triangle ours, theirs;
        assert_true(sl_mesh_triangle(flat, i, &ours));
        assert_true(refs[i].instance == 0 && sl_mesh_triangle(mesh, refs[i].prim, &theirs));
        assert_true(i == 0 || refs[i].prim > refs[i - 1].prim);
        for (int k = 0; k < 9; k++) {
            assert_true(ours.v[k / 3][k % 3] == theirs.v[k / 3][k % 3]);
        }
    }
    free(refs);
}

/* Every triangle against sl_bvh_triangle, in worlds of all kinds. */
static void check_report(const sl_bvh *scene, const sl_mesh *flat, const sl_triangle_ref *refs,
                         const sl_flattened *report)
{
    uint64_t moved = 0;
    double rounding = 0;
    sl_triangle_ref worst = { SL_NONE, SL_NONE };
    for (uint32_t i = 0; i < sl_mesh_soup(flat).triangle_count; i++) {
        double corners[3][3], most = 0;
        sl_triangle ours;
        assert_true(sl_bvh_triangle(scene, refs[i], corners));
        assert_true(sl_mesh_triangle(flat, i, &ours));
        for (int corner = 0; corner < 3; corner++) {
            const bool same = ours.v[1][0] == (float)corners[1][0] &&
                              ours.v[1][1] == (float)corners[1][1] &&
                              ours.v[1][2] == (float)corners[1][2];
            const int from = same || corner == 0 ? corner : 3 - corner; /* a mirror swaps them */
            for (int axis = 0; axis < 3; axis++) {
                assert_true(ours.v[corner][axis] == (float)corners[from][axis]);
                most = fmax(most, fabs((double)ours.v[corner][axis] - corners[from][axis]));
            }
        }
        moved += most > 0;
        if (most > rounding) {
            rounding = most;
            worst = refs[i];
        }
    }
    assert_true(report->moved == moved && report->rounding == rounding);
    assert_true(report->worst.instance == worst.instance && report->worst.prim == worst.prim);
}

TEST(what_moved_is_told)
{
    test_random random = { SEED };
    uint64_t moved = 0;
    for (int kind = 0; kind < WORLD_KINDS; kind++) {
        for (int nested = 0; nested < 2; nested++) {
            UNDONE(world_destroy) world_case world;
            sl_triangle_ref *refs;
            sl_flattened report;
            world_make(&world, (world_kind)kind, 12, nested != 0, &random);
            OWN(sl_mesh) flat = flatten(world.scene, &refs, &report);
            check_report(world.scene, flat, refs, &report);
            moved += report.moved;
            free(refs);
        }
    }
    assert_true(moved > 0);
}

/* Turned by quarter turns, mirrored, stretched and moved by whole numbers: corners are floats. */
static sl_instance lattice_instance(const sl_bvh *bvh, test_random *random)
{
    sl_instance instance = sl_instance_of(bvh);
    const uint32_t first = test_random_below(random, 3);
    for (uint32_t axis = 0; axis < 3; axis++) {
        for (int k = 0; k < 3; k++) {
            instance.transform.m[axis][k] = 0;
        }
        instance.transform.m[axis][(axis + first) % 3] =
            (test_random_below(random, 2) != 0 ? -1 : 1) *
            (double)(1 << test_random_below(random, 3));
        instance.transform.m[axis][3] = (double)test_random_below(random, 60) - 30;
    }
    return instance;
}

static void check_ray(const sl_bvh *scene, const sl_bvh *flat, const sl_triangle_ref *refs,
                      const sl_ray *ray, bool mirrored[])
{
    sl_hit ours, theirs;
    const sl_options culled = { .cull = SL_CULL_BACK };
    const sl_options *queries[2] = { NULL, &culled };
    for (int i = 0; i < 2; i++) {
        const bool hit = sl_bvh_closest(flat, ray, queries[i], &ours);
        assert_int_equal(hit, sl_bvh_closest(scene, ray, queries[i], &theirs));
        if (!hit) {
            continue;
        }
        const bool swapped = mirrored[theirs.instance];
        assert_true(ours.t == theirs.t && ours.u == (swapped ? theirs.v : theirs.u) &&
                    ours.v == (swapped ? theirs.u : theirs.v));
        assert_int_equal(ours.flags, theirs.flags);
        assert_int_equal(refs[ours.prim].instance, theirs.instance);
        assert_int_equal(refs[ours.prim].prim, theirs.prim);
    }
}

TEST(rays_find_the_same_where_nothing_moved)
{
    enum { COUNT = 40 };
    test_random random = { SEED + 1 };
    OWN(sl_mesh) cube = solid_make(SOLID_CUBE);
    OWN(sl_mesh) sponge = solid_make(SOLID_SPONGE);
    sl_bvh *trees[2] = { made_bvh(cube, NULL), made_bvh(sponge, NULL) };
    sl_instance instances[COUNT];
    bool mirrored[COUNT];
    for (int i = 0; i < COUNT; i++) {
        instances[i] =
            i % 9 == 8 ? (sl_instance){ .bvh = NULL } : lattice_instance(trees[i % 2], &random);
        double sign = 1;
        for (int k = 0; k < 9; k++) {
            const double x = instances[i].transform.m[k / 3][k % 3];
            sign = x < 0 ? -sign : sign;
        }
        mirrored[i] = sign < 0; /* permutations that turn axes around are even */
    }
    sl_bvh *scene = made_scene(instances, COUNT, NULL);
    sl_triangle_ref *refs;
    sl_flattened report;
    sl_mesh *mesh = flatten(scene, &refs, &report);
    assert_true(report.moved == 0);
    sl_bvh *flat = made_bvh(mesh, NULL);
    for (int i = 0; i < 3000; i++) {
        sl_ray ray = { .tmax = INFINITY };
        for (int axis = 0; axis < 3; axis++) {
            const bool whole = i % 3 == 0; /* at edges and vertices */
            ray.origin[axis] = test_random_in(&random, -50, 50);
            ray.dir[axis] = test_random_in(&random, -20, 20);
            ray.origin[axis] = whole ? roundf(ray.origin[axis]) : ray.origin[axis];
            ray.dir[axis] = (whole ? roundf(ray.dir[axis]) : ray.dir[axis]) - ray.origin[axis];
        }
        check_ray(scene, flat, refs, &ray, mirrored);
    }
    free(refs);
    unmake_bvh(flat, mesh);
    sl_bvh_destroy(scene);
    for (int i = 0; i < 2; i++) {
        sl_bvh_destroy(trees[i]);
    }
}

TEST(an_empty_scene_is_an_empty_mesh)
{
    OWN(sl_bvh) scene = made_scene(NULL, 0, NULL);
    sl_triangle_ref *refs;
    sl_flattened report;
    OWN(sl_mesh) mesh = flatten(scene, &refs, &report);
    assert_int_equal(sl_mesh_soup(mesh).triangle_count, 0);
    free(refs);
}

TEST(what_cannot_be_is_refused)
{
    sl_mesh *mesh = NULL;
    OWN(sl_mesh) grid = made_grid(250, 250, 1, 1);
    OWN(sl_bvh) bvh = made_bvh(grid, NULL);
    enum { COUNT = 12000 };
    FREED sl_instance *instances = made_memory(COUNT * sizeof *instances);
    for (int i = 0; i < COUNT; i++) {
        instances[i] = sl_instance_of(bvh);
    }
    OWN(sl_bvh) scene = made_scene(instances, COUNT, NULL);
    sl_error error;
    assert_int_equal(sl_bvh_flatten(scene, NULL, &mesh, NULL, &error), SL_TOO_LARGE);
    assert_string_equal(error.message, "1500000000 triangles; a mesh of triangles that share no "
                                       "vertices holds at most 1431655764");
    assert_null(mesh);
    assert_int_equal(sl_bvh_flatten(scene, NULL, NULL, NULL, &error), SL_INVALID_ARGUMENT);
    assert_int_equal(sl_bvh_flatten(NULL, NULL, &mesh, NULL, &error), SL_INVALID_ARGUMENT);
}

TEST(memory_may_fail)
{
    OWN(sl_mesh) mesh = holed_torus();
    OWN(sl_bvh) bvh = made_bvh(mesh, NULL);
    const sl_instance instance = sl_instance_of(bvh);
    OWN(sl_bvh) scene = made_scene(&instance, 1, NULL);
    const sl_bvh_info info = sl_bvh_get_info(scene);
    FREED sl_triangle_ref *refs = made_zeros((size_t)info.triangle_count, sizeof *refs);
    sl_flatten_def def = { .refs = refs };
    sli_failing_allocator memory = TEST_NO_FAILURE_YET;
    while (test_next_failure(&memory, &def.hooks.allocator)) {
        sl_flattened report = { .moved = 77 };
        sl_mesh *flat;
        const sl_result result = sl_bvh_flatten(scene, &def, &flat, &report, NULL);
        assert_int_equal(result, memory.failed ? SL_OUT_OF_MEMORY : SL_OK);
        assert_int_equal(report.moved, memory.failed ? 77 : 0);
        assert_int_equal(refs[1].prim, memory.failed ? 0 : 2);
        assert_true(memory.failed == (flat == NULL));
        sl_mesh_destroy(flat);
    }
}

typedef struct flatten_reports {
    int allowed;
    float last;
} flatten_reports;

static bool stop_after(void *user, const char *stage, float fraction)
{
    flatten_reports *reports = user;
    assert_true(strcmp(stage, "flatten") == 0 || strcmp(stage, "check") == 0);
    assert_true(fraction >= reports->last && fraction <= 1);
    reports->last = fraction;
    return reports->allowed-- > 0;
}

/* Of more triangles than lie between two reports, of both stages. */
TEST(the_progress_hook_stops_it)
{
    OWN(sl_mesh) mesh = made_sphere(140);
    OWN(sl_bvh) bvh = made_bvh(mesh, &(sl_build_def){ .quality = SL_BVH_QUALITY_FAST });
    const sl_instance instance = sl_instance_of(bvh);
    OWN(sl_bvh) scene = made_scene(&instance, 1, NULL);
    int stops = 0;
    for (sl_result result = SL_CANCELLED; result != SL_OK; stops++) {
        flatten_reports reports = { .allowed = stops };
        sli_failing_allocator memory;
        const sl_flatten_def def = {
            .hooks = { .allocator = sli_failing_allocator_start(&memory, SLI_NEVER_FAIL),
                       .progress = { .report = stop_after, .user = &reports } }
        };
        sl_flattened report = { .moved = 77 };
        sl_error error = { .code = SL_OK };
        sl_mesh *flat;
        result = sl_bvh_flatten(scene, &def, &flat, &report, &error);
        assert_true(result == SL_OK || (result == SL_CANCELLED && error.code == SL_CANCELLED));
        assert_true((flat == NULL) == (result != SL_OK));
        assert_int_equal(report.moved, result == SL_OK ? 0 : 77);
        sl_mesh_destroy(flat);
        assert_int_equal(memory.live_blocks, 0);
    }
    assert_true(stops >= 5);
}
