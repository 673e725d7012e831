/* What there is at a hit: which part and face, and texture coordinates, colours and normals between
 * the corners'. */
#include "lib/geom/exact/weighted.h"
#include "test/support/environment/callers_env.h"
#include "test/support/test.h"

enum { VERTICES = 4, TRIANGLES = 3, ROWS = 5 };

static const float xyz[3 * VERTICES] = { 0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0.5f };
static const uint32_t indices[3 * TRIANGLES] = { 0, 1, 2, 1, 3, 2, 0, 1, 9 };
static const float normals[3 * VERTICES] = { 0, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0, -2 };
static const float uvs[2 * ROWS] = { 0, 0, 1, 0, 0, 1, 0.1f, 0.7f, -3, INFINITY };
static const uint32_t uv_rows[3 * TRIANGLES] = { 0, 1, 2, 3, SL_NONE, 4, 0, 0, 0 };
static const float colours[4 * VERTICES] = { 1, 0, 0, 1, 0, 1, 0, 1, 0, 0.3f, 0.7f, 0, 5, 6, 7, 8 };

static const uint32_t all = SL_MESH_UVS | SL_MESH_NORMALS | SL_MESH_COLOURS;

/* Triangle 2 names a vertex that there is not. */
static sl_mesh *make_mesh(uint32_t keep)
{
    sl_mesh_def def = { .bad = SL_BAD_LEAVE_OUT, .drop = all & ~keep };
    def.uvs = (sl_mesh_attribute){ uvs, ROWS, uv_rows };
    def.normals = (sl_mesh_attribute){ normals, VERTICES, NULL };
    def.colours = (sl_mesh_attribute){ colours, VERTICES, NULL };
    return made_mesh(xyz, VERTICES, indices, TRIANGLES, &def);
}

TEST(values_are_those_between_the_corners)
{
    OWN(sl_mesh) mesh = make_mesh(all);
    sl_mesh_point at;
    assert_true(sl_mesh_at(mesh, 0, 0.25f, 0.5f, NULL, &at));
    assert_int_equal(at.kept, all);
    assert_int_equal(at.face, 0);
    assert_int_equal(at.part, SL_NONE);
    assert_string_equal(at.material, "");
    assert_true(at.uv[0] == 0.25f && at.uv[1] == 0.5f);
    for (int i = 0; i < 4; i++) {
        const float values[3] = { colours[i], colours[4 + i], colours[8 + i] };
        assert_true(at.colour[i] == sli_weighted_float(values, 0.25f, 0.5f));
    }
    const double length = sqrt(0.25 * 0.25 + 0.25 * 0.25 + 0.5 * 0.5);
    assert_true(at.normal[0] == (float)(0.25 / length) && at.normal[1] == (float)(0.5 / length) &&
                at.normal[2] == (float)(0.25 / length));
}

TEST(a_corner_without_leaves_the_field_out)
{
    OWN(sl_mesh) mesh = make_mesh(all);
    sl_mesh_point at;
    assert_true(sl_mesh_at(mesh, 1, 0.25f, 0.5f, NULL, &at));
    assert_int_equal(at.kept, SL_MESH_NORMALS | SL_MESH_COLOURS);
    assert_true(at.uv[0] == 0 && at.uv[1] == 0);
}

TEST(what_is_not_kept_is_zero)
{
    for (uint32_t keep = 0; keep < 8; keep++) {
        OWN(sl_mesh) mesh = make_mesh(keep);
        sl_mesh_point at;
        assert_true(sl_mesh_at(mesh, 0, 0.25f, 0.5f, NULL, &at));
        assert_int_equal(at.kept, keep);
        assert_true((at.uv[1] != 0) == ((keep & SL_MESH_UVS) != 0));
        assert_true((at.colour[3] != 0) == ((keep & SL_MESH_COLOURS) != 0));
        assert_true((at.normal[0] != 0) == ((keep & SL_MESH_NORMALS) != 0));
    }
}

TEST(there_is_nothing_where_there_is_no_triangle_or_no_weight)
{
    OWN(sl_mesh) mesh = make_mesh(all);
    sl_mesh_point at, before;
    memset(&before, 0x5A, sizeof before);
    at = before;
    assert_false(sl_mesh_at(mesh, 2, 0, 0, NULL, &at)); /* left out */
    assert_false(sl_mesh_at(mesh, 3, 0, 0, NULL, &at));
    assert_false(sl_mesh_at(mesh, SL_NONE, 0, 0, NULL, &at));
    assert_false(sl_mesh_at(mesh, 0, NAN, 0, NULL, &at));
    assert_false(sl_mesh_at(mesh, 0, 0, INFINITY, NULL, &at));
    assert_memory_equal(&at, &before, sizeof at);
}

TEST(normals_that_cancel_are_zero_and_bad_ones_are_none)
{
    const float cases[3][9] = { { 0, 0, 1, 0, 0, -1, 0, 0, 0 },
                                { 1, 0, 0, -1, 0x1p-149f, 0, 0, 0, 0 },
                                { 1, 0, 0, NAN, 0, 0, 0, 1, 0 } };
    for (int i = 0; i < 3; i++) {
        sl_mesh_def def = { 0 };
        def.normals = (sl_mesh_attribute){ cases[i], 3, NULL };
        sl_mesh_point at;
        OWN(sl_mesh) mesh = made_mesh(xyz, 3, NULL, 1, &def);
        assert_true(sl_mesh_at(mesh, 0, 0.5f, 0, NULL, &at));
        assert_int_equal(at.kept, SL_MESH_NORMALS);
        if (i == 2) {
            assert_true(isnan(at.normal[0]) && isnan(at.normal[1]) && isnan(at.normal[2]));
        } else { /* however little is left, its direction is known */
            assert_true(at.normal[0] == 0 && at.normal[1] == (float)i && at.normal[2] == 0);
        }
    }
}

/* ---- places ------------------------------------------------------------------------------ */

/* A triangle whose corners all have its geometric normal. */
static sl_mesh *make_flat(test_random *random, float corners[9])
{
    float n[9];
    for (int i = 0; i < 9; i++) {
        corners[i] = test_random_in(random, -1, 1);
    }
    const float *a = corners, *b = corners + 3, *c = corners + 6;
    for (int i = 0; i < 9; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        n[i] = (float)(((double)b[j] - (double)a[j]) * ((double)c[k] - (double)a[k]) -
                       ((double)b[k] - (double)a[k]) * ((double)c[j] - (double)a[j]));
    }
    sl_mesh_def def = { 0 };
    def.normals = (sl_mesh_attribute){ n, 3, NULL };
    return made_mesh(corners, 3, NULL, 1, &def);
}

static sl_transform any_place(test_random *random)
{
    static const double scales[4] = { 1, 1e30, 1e-30, 0.01 };
    const double scale = scales[test_random_below(random, 4)];
    sl_transform place;
    for (int i = 0; i < 12; i++) {
        place.m[i / 4][i % 4] = scale * (double)test_random_in(random, -1, 1);
    }
    place.m[0][1] += scale * (double)test_random_below(random, 5);
    return place;
}

TEST(smooth_normals_of_flat_triangles_are_those_of_the_surface_in_the_world)
{
    test_random random = { test_seed(71) };
    print_message("seed %llu\n", (unsigned long long)random.state);
    const size_t rounds = test_is_brief() ? 50 : 2000 * test_scale();
    size_t compared = 0, mirrored = 0;
    for (size_t i = 0; i < rounds; i++) {
        float corners[9];
        OWN(sl_mesh) mesh = make_flat(&random, corners);
        sl_bvh *scene;
        OWN(sl_bvh) tree = made_bvh(mesh, NULL);
        sl_instance instance = sl_instance_of(tree);
        instance.transform = any_place(&random);
        if (sl_bvh_build_instances(&instance, 1, NULL, &scene, NULL) == SL_OK) {
            const sl_hit_d hit = { .prim = 0, .u = 0.25f, .v = 0.5f };
            sl_surface surface;
            sl_mesh_point at;
            assert_true(sl_mesh_at(mesh, 0, hit.u, hit.v, &instance.transform, &at));
            double length = 0;
            if (sl_bvh_surface(scene, (sl_triangle_ref){ hit.instance, hit.prim }, hit.u, hit.v,
                               SL_DOUBLE, &surface)) {
                for (int axis = 0; axis < 3; axis++) {
                    /* Corners and their normals were rounded: slivers differ by more. */
                    assert_true(fabs((double)at.normal[axis] - surface.normal[axis]) < 0x1p-6);
                    length += (double)at.normal[axis] * (double)at.normal[axis];
                }
                assert_true(fabs(sqrt(length) - 1) <= 0x1p-23);
                compared++;
                const double(*m)[4] = (const double(*)[4])instance.transform.m;
                const double det = m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
                                   m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
                                   m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
                mirrored += det < 0;
            }
            sl_bvh_destroy(scene);
        }
    }
    assert_true(compared > rounds / 2 && mirrored > rounds / 5);
}

TEST(places_without_an_inverse_leave_no_normal)
{
    OWN(sl_mesh) mesh = make_mesh(all);
    sl_transform flat = sl_transform_identity();
    flat.m[2][2] = 0;
    sl_mesh_point at;
    assert_true(sl_mesh_at(mesh, 0, 0.25f, 0.5f, &flat, &at));
    assert_int_equal(at.kept, all);
    assert_true(at.normal[0] == 0 && at.normal[1] == 0 && at.normal[2] == 0);
}

TEST(parts_faces_and_materials_are_told)
{
    static const char text[] = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n"
                               "usemtl wood\nf 1 2 3 4\nusemtl tin\nf 1 2 4\n";
    OWN(sl_mesh) mesh = NULL;
    sl_mesh_point at;
    assert_int_equal(sl_mesh_load_memory(text, sizeof text - 1, "a.obj", NULL, &mesh, NULL), SL_OK);
    assert_true(sl_mesh_at(mesh, 1, 0, 0, NULL, &at));
    assert_int_equal(at.face, 0);
    assert_int_equal(at.part, 0);
    assert_string_equal(at.material, "wood");
    assert_true(sl_mesh_at(mesh, 2, 0, 0, NULL, &at));
    assert_int_equal(at.face, 1);
    assert_int_equal(at.part, 1);
    assert_string_equal(at.material, "tin");
    assert_int_equal(at.kept, 0);
}
