/* tools/output/mesh_file.c: what a mesh has besides positions comes back from the files it is
 * written to. */
#include "test/support/test.h"
#include "tools/output/mesh_file.h"

#include "tools/cli/report.h"

#include <unistd.h>

enum { VERTICES = 12, TRIANGLES = 9, ROWS = 15 };

typedef struct tables {
    float xyz[3 * VERTICES], uvs[2 * ROWS], normals[3 * ROWS], colours[4 * VERTICES];
    uint32_t indices[3 * TRIANGLES], uv_rows[3 * TRIANGLES], normal_rows[3 * TRIANGLES];
} tables;

/* Any floats that a text has to say exactly; colours are such that bytes have them. */
static void fill(tables *t, uint64_t seed)
{
    test_random random = { seed };
    for (int i = 0; i < 3 * ROWS; i++) {
        t->uvs[i % (2 * ROWS)] = test_random_in(&random, -1e-3f, 1);
        t->normals[i] = test_random_in(&random, -1, 1);
        t->xyz[i % (3 * VERTICES)] = test_random_in(&random, -100, 100);
    }
    for (int i = 0; i < 4 * VERTICES; i++) {
        t->colours[i] = (float)(test_random_below(&random, 256) / 255.0);
    }
    for (uint32_t i = 0; i < 3 * TRIANGLES; i++) {
        t->indices[i] = (i + i / 3) % VERTICES;
        t->uv_rows[i] = test_random_below(&random, ROWS);
        t->normal_rows[i] = test_random_below(&random, ROWS);
    }
}

/* without: a few corners have neither. */
static sl_mesh *make_mesh(tables *t, bool without)
{
    sl_mesh_def def = { 0 };
    if (without) {
        t->uv_rows[3] = t->uv_rows[4] = t->uv_rows[5] = SL_NONE;
        t->normal_rows[6] = t->normal_rows[7] = t->normal_rows[8] = SL_NONE;
    }
    def.uvs = (sl_mesh_attribute){ t->uvs, ROWS, t->uv_rows };
    def.normals = (sl_mesh_attribute){ t->normals, ROWS, t->normal_rows };
    def.colours = (sl_mesh_attribute){ t->colours, VERTICES, NULL };
    return made_mesh(t->xyz, VERTICES, t->indices, TRIANGLES, &def);
}

/* A command writes no name twice. */
static sl_mesh *write_and_read(const char *ending, const mesh_out *what, size_t vertices)
{
    static int number;
    char path[64];
    sl_mesh *mesh;
    size_t written = 0;
    snprintf(path, sizeof path, "mesh_file_%ld_%d%s", (long)getpid(), number++, ending);
    assert_int_equal(mesh_out_write(path, what, &written), EXIT_DONE);
    assert_int_equal(sl_mesh_load(path, NULL, &mesh, NULL), SL_OK);
    assert_int_equal(sl_mesh_soup(mesh).vertex_count, written);
    assert_true(vertices == 0 || written == vertices);
    unlink(path);
    return mesh;
}

static const float *row_of(const sl_mesh *mesh, uint32_t kind, size_t corner)
{
    const size_t width = kind == SL_MESH_UVS ? 2 : kind == SL_MESH_NORMALS ? 3 : 4;
    sl_mesh_attribute kept;
    assert_true(sl_mesh_get_attribute(mesh, kind, &kept));
    const uint32_t row =
        kept.indices != NULL ? kept.indices[corner] : sl_mesh_soup(mesh).indices[corner];
    return row != SL_NONE ? kept.values + width * row : NULL;
}

static void expect_same(const sl_mesh *a, const sl_mesh *b, uint32_t kinds)
{
    assert_int_equal(sl_mesh_soup(a).triangle_count, sl_mesh_soup(b).triangle_count);
    for (size_t i = 0; i < 3 * sl_mesh_soup(a).triangle_count; i++) {
        const float *p = sl_mesh_soup(a).xyz + 3 * (size_t)sl_mesh_soup(a).indices[i];
        const float *q = sl_mesh_soup(b).xyz + 3 * (size_t)sl_mesh_soup(b).indices[i];
        assert_memory_equal(p, q, 3 * sizeof *p);
        for (uint32_t kind = 1; kind <= 4; kind *= 2) {
            if ((kinds & kind) == 0) {
                continue;
            }
            const size_t width = kind == SL_MESH_UVS ? 2 : kind == SL_MESH_NORMALS ? 3 : 4;
            const float *x = row_of(a, kind, i), *y = row_of(b, kind, i);
            assert_true((x == NULL) == (y == NULL));
            if (x != NULL) {
                assert_memory_equal(x, y, width * sizeof *x);
            }
        }
    }
}

/* OBJ corner by corner, PLY vertex by vertex. */
TEST(obj_and_ply_bring_back_all)
{
    for (uint64_t seed = 1; seed < 40; seed++) {
        const bool ply = seed % 2 == 0;
        tables t;
        fill(&t, seed);
        OWN(sl_mesh) mesh = make_mesh(&t, !ply && seed % 4 == 1);
        const mesh_out what = { .mesh = mesh, .from = mesh };
        OWN(sl_mesh) read = write_and_read(ply ? ".ply" : ".obj", &what, ply ? 0 : VERTICES);
        expect_same(mesh, read, 7);
        assert_true(!ply || sl_mesh_soup(read).vertex_count > VERTICES);
        const char *words[MESH_OUT_LOST_MAX];
        assert_int_equal(mesh_out_lost(&what, ply ? "round.ply" : "round.obj", words), 0);
    }
}

/* What bake writes: colours of its own, on vertices that have come apart. */
TEST(values_follow_vertices_that_come_apart)
{
    tables t;
    uint8_t rgb[3 * VERTICES];
    float quality[VERTICES];
    fill(&t, 30);
    for (int i = 0; i < 3 * VERTICES; i++) {
        rgb[i] = (uint8_t)(7 * i);
        quality[i / 3] = (float)i;
    }
    OWN(sl_mesh) mesh = make_mesh(&t, false);
    const mesh_out what = { .mesh = mesh, .from = mesh, .quality = quality, .rgb = rgb };
    OWN(sl_mesh) read = write_and_read(".ply", &what, 0);
    expect_same(mesh, read, SL_MESH_UVS | SL_MESH_NORMALS);
    for (size_t i = 0; i < 3 * TRIANGLES; i++) {
        const float *colour = row_of(read, SL_MESH_COLOURS, i);
        for (size_t k = 0; k < 3; k++) {
            assert_true(colour[k] == (float)(rgb[3 * t.indices[i] + k] / 255.0));
        }
    }
    const char *words[MESH_OUT_LOST_MAX];
    assert_int_equal(mesh_out_lost(&what, "round.ply", words), 1);
    assert_string_equal(words[0], "colours");
}
