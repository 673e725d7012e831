/* Where faults are drawn, and what colours they get. */
#include "test/support/test.h"
#include "tools/check/check.h"

enum { SIDE = 120 };

/* A square x, y in [0, 1] at z = 0 in two triangles, and one from (0, 0) to (1, 1) behind it, at
 * z = -1; seen from above, 100 pixels for a unit, its corner (0, 0) at pixel (10, 110). */
static const float xyz[8][3] = { { 0, 0, 0 },  { 1, 0, 0 },  { 1, 1, 0 },  { 0, 1, 0 },
                                 { 0, 0, -1 }, { 1, 0, -1 }, { 1, 1, -1 }, { 0.25f, 0.5f, 1 } };
static const uint32_t faces[3][3] = { { 0, 1, 2 }, { 0, 2, 3 }, { 4, 5, 6 } };

typedef struct scene {
    mesh_in in;
    camera_in camera;
    progress bar;
    marks *picture;
} scene;

static void open_scene(scene *s)
{
    *s = (scene){ .bar = { .on = false } };
    s->in.mesh = made_mesh(&xyz[0][0], 8, faces, 3, NULL);
    s->in.bvh = made_bvh(s->in.mesh, NULL);
    sl_camera_def def = { 0 };
    const float eye[3] = { 0.5f, 0.5f, 3 }, target[3] = { 0.5f, 0.5f, 0 };
    memcpy(def.eye, eye, sizeof eye);
    memcpy(def.target, target, sizeof target);
    def.orthographic = true;
    def.far_distance = 10;
    def.ortho_height = 1.2f;
    def.width = def.height = SIDE;
    s->camera.camera = made_camera(&def);
    s->camera.axes[CAMERA_RIGHT][0] = s->camera.axes[CAMERA_UP][1] = 1;
    s->camera.axes[CAMERA_FORWARD][2] = -1;
    s->camera.axes[CAMERA_FORWARD][3] = 3;
    int status;
    s->picture = marks_create(&s->in, &s->camera, &s->bar, 1, &status);
    assert_non_null(s->picture);
}

static void close_scene(scene *s)
{
    marks_destroy(s->picture);
    unmake_bvh(s->in.bvh, s->in.mesh);
}

static void add_edge(scene *s, int kind, uint32_t from, uint32_t to)
{
    check_picture_add(
        s->picture, s->in.mesh, kind,
        &(sl_fault){
            .kind = (sl_fault_kind)kind, .other = SL_NONE, .vertex = { from, to }, .uses = 1 });
}

static void add_triangle(scene *s, int kind, uint32_t prim)
{
    check_picture_add(
        s->picture, s->in.mesh, kind,
        &(sl_fault){ .prim = prim, .other = SL_NONE, .vertex = { SL_NONE, SL_NONE } });
}

static canvas finish(scene *s)
{
    const uint64_t none[CHECK_KINDS] = { 0 };
    return check_picture_finish(s->picture, none);
}

static const uint8_t *pixel(const canvas *c, uint32_t x, uint32_t y)
{
    return c->rgb + 3 * ((size_t)y * c->width + x);
}

static bool is_grey(const uint8_t *rgb)
{
    return rgb[0] == rgb[1] && rgb[1] == rgb[2];
}

TEST(a_mesh_without_faults_is_grey)
{
    UNDONE(close_scene) scene s;
    open_scene(&s);
    const canvas c = finish(&s);
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        assert_true(is_grey(pixel(&c, i % SIDE, i / SIDE)));
    }
    assert_true(pixel(&c, 60, 60)[0] > pixel(&c, 2, 60)[0]); /* the mesh is lighter */
}

/* From (0, 0) to (1, 0): pixels 10 .. 110 in row 110, three high. */
TEST(edges_are_drawn_where_they_are)
{
    UNDONE(close_scene) scene s;
    open_scene(&s);
    add_edge(&s, SL_FAULT_OPEN_EDGE, 0, 1);
    const canvas c = finish(&s);
    for (uint32_t x = 11; x < 110; x++) {
        assert_memory_equal(pixel(&c, x, 110), ((uint8_t[]){ 245, 160, 20 }), 3);
        assert_true(is_grey(pixel(&c, x, 106)) && is_grey(pixel(&c, x, 114)));
    }
    assert_true(is_grey(pixel(&c, 7, 110)) && is_grey(pixel(&c, 113, 110)));
}

TEST(what_is_behind_something_is_fainter)
{
    UNDONE(close_scene) scene s;
    open_scene(&s);
    add_edge(&s, SL_FAULT_OPEN_EDGE, 4, 6); /* along the diagonal, behind the square */
    const canvas c = finish(&s);
    for (uint32_t x = 20; x < 100; x++) {
        const uint8_t *rgb = pixel(&c, x, SIDE - x);
        assert_true(!is_grey(rgb) && rgb[0] > rgb[1] && rgb[1] > rgb[2]);
        assert_true(rgb[0] < 245);
    }
}

/* Marked, with its outline; the other half of the square stays grey. */
TEST(triangles_get_their_colour)
{
    UNDONE(close_scene) scene s;
    open_scene(&s);
    add_triangle(&s, CHECK_INTERSECTION, 0);
    add_triangle(&s, CHECK_INTERSECTION, 2); /* behind it */
    add_edge(&s, SL_FAULT_OPEN_EDGE, 0, 1);  /* over its outline */
    const canvas c = finish(&s);
    const uint8_t *within = pixel(&c, 80, 90);
    assert_true(within[0] > 2 * within[1] && within[0] > 2 * within[2]);
    assert_true(is_grey(pixel(&c, 40, 40)));
    assert_memory_equal(pixel(&c, 60, 110), ((uint8_t[]){ 245, 160, 20 }), 3);
}

TEST(vertices_are_dots)
{
    UNDONE(close_scene) scene s;
    open_scene(&s);
    check_picture_add(s.picture, s.in.mesh, SL_FAULT_UNUSED_VERTEX,
                      &(sl_fault){ .prim = SL_NONE, .other = SL_NONE, .vertex = { 7, 7 } });
    const canvas c = finish(&s);
    size_t colored = 0;
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        colored += !is_grey(pixel(&c, i % SIDE, i / SIDE));
    }
    assert_int_equal(colored, 21); /* 5 x 5 without its corners */
    assert_memory_equal(pixel(&c, 35, 60), ((uint8_t[]){ 0, 190, 140 }), 3);
}

/* Far outside, not finite, behind the eye, of another mesh's size: nothing happens. */
TEST(what_is_nowhere_is_not_drawn)
{
    static const float wild[5][3] = { { 3e38f, 0, 0 },
                                      { -3e38f, 3e38f, -3e38f },
                                      { NAN, 0, 0 },
                                      { 0, 0, 1e9f },
                                      { 0, INFINITY, 0 } };
    scene s;
    open_scene(&s);
    sl_mesh_def def = { .bad = SL_BAD_LEAVE_OUT };
    static const uint32_t triangles[2][3] = { { 0, 1, 3 }, { 0, 1, 2 } };
    sl_mesh *mesh = made_mesh(&wild[0][0], 5, triangles, 2, &def);
    sl_mesh_destroy(s.in.mesh);
    s.in.mesh = mesh;
    int status;
    marks_destroy(s.picture);
    s.picture = marks_create(&s.in, &s.camera, &s.bar, 1, &status);
    assert_non_null(s.picture);
    for (uint32_t i = 0; i < 5; i++) {
        for (uint32_t j = 0; j < 5; j++) {
            add_edge(&s, SL_FAULT_OPEN_EDGE, i, j);
        }
    }
    add_triangle(&s, CHECK_INTERSECTION, 0);
    add_triangle(&s, SL_FAULT_LEFT_OUT, 1);
    (void)finish(&s);
    close_scene(&s);
}

TEST(faults_have_places)
{
    UNDONE(close_scene) scene s;
    open_scene(&s);
    double at[3];
    assert_true(check_place(s.in.mesh, &(sl_fault){ .vertex = { 0, 2 } }, at));
    assert_true(at[0] == 0.5 && at[1] == 0.5 && at[2] == 0);
    const sl_fault triangle = { .prim = 2, .vertex = { SL_NONE, SL_NONE } };
    assert_true(check_place(s.in.mesh, &triangle, at));
    assert_true(at[2] == -1);
    const sl_fault nowhere = { .prim = 3, .vertex = { SL_NONE, SL_NONE } };
    assert_false(check_place(s.in.mesh, &nowhere, at));
}
