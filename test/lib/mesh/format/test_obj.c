/* lib/mesh/format/obj.c */
#include "test/support/input/mesh_case.h"
#include "test/support/test.h"

#define TRIANGLE "v 0 0 0\nv 1 0 0\nv 0 1 0\n"

TEST(all_forms_of_corners_may_be_mixed)
{
    OWN(sl_mesh) mesh = sli_case_load_text(TRIANGLE "v -5 0.5 0\nvt 0 0\nvn 0 0 1\n"
                                                    "f 1 2/1 3//1 4/1/1\nf +1 2/ 3/1/\n",
                                           NULL);
    assert_int_equal(sl_mesh_soup(mesh).vertex_count, 4);
    sli_case_triangles(mesh, 3, (const uint32_t[][3]){ { 0, 1, 2 }, { 0, 2, 3 }, { 0, 1, 2 } });
    sli_case_vertex(mesh, 3, -5, 0.5f, 0);
}

/* -1 is the latest vertex above the face, whatever follows below it. */
TEST(negative_indices_count_back_from_the_face)
{
    OWN(sl_mesh) mesh =
        sli_case_load_text(TRIANGLE "f -3 -2 -1\nv 9 9 9\nf -4//-1 -1/-9/-9 1\n", NULL);
    sli_case_triangle(mesh, 0, 0, 1, 2);
    sli_case_triangle(mesh, 1, 0, 3, 0);
}

TEST(faces_may_stand_before_their_vertices)
{
    OWN(sl_mesh) mesh = sli_case_load_text("f 1 2 3\n" TRIANGLE, NULL);
    sli_case_triangle(mesh, 0, 0, 1, 2);
}

TEST(polygons_are_fanned_in_order_and_keep_their_face)
{
    OWN(sl_mesh) mesh = sli_case_load_text(
        TRIANGLE "v 1 1 0\nv 2 2 0\nf 1 2 3\nf 5 4 3 2 1\nf 1 2\nf 3 4 5\n", NULL);
    assert_int_equal(sl_mesh_soup(mesh).triangle_count, 5);
    sli_case_triangle(mesh, 1, 4, 3, 2);
    sli_case_triangle(mesh, 2, 4, 2, 1);
    sli_case_triangle(mesh, 3, 4, 1, 0);
    sli_case_triangle(mesh, 4, 2, 3, 4);
    const uint32_t faces[5] = { 0, 1, 1, 1, 3 };
    for (uint32_t prim = 0; prim < 5; prim++) {
        assert_int_equal(sl_mesh_face(mesh, prim), faces[prim]);
    }
    assert_int_equal(sl_mesh_get_info(mesh).face_count, 4);
}

TEST(everything_else_is_passed_over)
{
    OWN(sl_mesh) mesh = sli_case_load_text(
        "# comment \\\n\t# another\nmtllib a b.mtl\no name\ng f 1 2 3\nusemtl v 1 2 3\ns off\n"
        "vt 1 2\nvp 1\np 1\nl 1 2 3\nt crease 1/1/0 2.5\nf_ 1 1 1\n"
        "curv 0 1 1 \\\n2 3 \\\nf 4 5 6\n" TRIANGLE "f 1 2 3 # trailing\nf 1 2 3#glued\n",
        NULL);
    assert_int_equal(sl_mesh_soup(mesh).vertex_count, 3);
    assert_int_equal(sl_mesh_soup(mesh).triangle_count, 2);
}

/* One line of OBJ is enough, wherever it stands; comments and empty lines say nothing. */
TEST(a_file_without_any_line_of_obj_is_refused)
{
    const sl_error error =
        sli_case_refuse_text("# words\n\nlorem ipsum\ndolor\n", "a.obj", SL_BAD_DATA);
    assert_int_equal(error.line, 3);
    assert_non_null(strstr(error.message, "'lorem'"));
    sli_case_refuse_text("v_ 1 2 3\nface 1 2 3\n", "a.obj", SL_BAD_DATA);
    static const char *const fine[] = { "lorem\ng\n",
                                        "vn 0 0 1\nlorem\n",
                                        "lorem\np 1\nipsum\n",
                                        "lorem\nv 1 2 3\n",
                                        "lorem\nf 1 1\n",
                                        "mtllib a\n",
                                        "# a\n" };
    for (size_t i = 0; i < sizeof fine / sizeof fine[0]; i++) {
        sl_mesh_destroy(sli_case_load_text(fine[i], "a.obj"));
    }
}

TEST(what_follows_three_coordinates_is_ignored)
{
    sl_mesh *mesh =
        sli_case_load_text("v 1 2 3 0.5\nv 4 5 6 1 0.5 0.25\nv 7 8 9 what\\ever # c\n", "a.obj");
    sli_case_vertices(mesh, 3, (const float[][3]){ { 1, 2, 3 }, { 4, 5, 6 }, { 7, 8, 9 } });
    sl_mesh_destroy(mesh);
}

TEST(numbers_may_be_spelled_in_all_ways)
{
    sl_mesh *mesh =
        sli_case_load_text("v .8e-1 8e-001 +1\nv\t 2. -.5   1E2 \t \nv 0001 1e0 -0\n", NULL);
    sli_case_vertex(mesh, 0, 0.08f, 0.8f, 1);
    sli_case_vertex(mesh, 1, 2, -0.5f, 100);
    sli_case_vertex(mesh, 2, 1, 1, -0.0f);
    sl_mesh_destroy(mesh);
}

/* The same mesh with each kind of line end, and without the last one. */
TEST(lines_may_end_in_any_way)
{
    const char *const ends[] = { "\n", "\r\n", "\r", "\n\n", " \t\n" };
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        for (int last = 0; last < 2; last++) {
            char text[256];
            snprintf(text, sizeof text, "v 0 0 0%sv 1 0 0%s  v 0 1 0%sf 1 2 3%s", ends[i], ends[i],
                     ends[i], last == 0 ? "" : ends[i]);
            OWN(sl_mesh) mesh = sli_case_load_text(text, NULL);
            assert_int_equal(sl_mesh_soup(mesh).vertex_count, 3);
            sli_case_triangle(mesh, 0, 0, 1, 2);
        }
    }
}

TEST(a_backslash_continues_the_line)
{
    sl_mesh *mesh =
        sli_case_load_text("v 0 \\\n0 0\nv 1 0\\\r\n 0\nv \\\n \\\n 0 1 0\\\n 1.0\nf 1 \\\n"
                           "2 \\\r\n\\\n\r3\n\rv 8 8 8 \\",
                           NULL);
    assert_int_equal(sl_mesh_soup(mesh).vertex_count, 4);
    sli_case_vertex(mesh, 2, 0, 1, 0);
    sli_case_vertex(mesh, 3, 8, 8, 8);
    sli_case_triangles(mesh, 1, (const uint32_t[][3]){ { 0, 1, 2 } });
    sl_mesh_destroy(mesh);
}

TEST(errors_count_lines_across_continuations)
{
    sl_error error = sli_case_refuse_text("v 0 \\\n0 \\\n0\r\nv 1 x 0\n", "a.obj", SL_BAD_DATA);
    assert_int_equal(error.line, 4);
    assert_int_equal(error.byte, -1);
    assert_non_null(strstr(error.message, "'x'"));
}

TEST(long_lines_are_read)
{
    const size_t size = 1 << 20;
    FREED char *text = made_memory(size);
    memset(text, '-', size);
    text[0] = '#';
    const int length = snprintf(text + size - 64, 64, "\n" TRIANGLE "f 1 2 3");
    text[size - 64 + (size_t)length] = '\0';
    OWN(sl_mesh) mesh = sli_case_load_text(text, "a.obj");
    assert_int_equal(sl_mesh_soup(mesh).triangle_count, 1);
}

/* A polygon of many corners: n - 2 triangles, without taking long. */
TEST(large_polygons_are_fanned)
{
    enum { CORNERS = 200000 };
    FREED char *text = made_memory(64 + 2 * CORNERS);
    int length = sprintf(text, TRIANGLE "f");
    for (int i = 0; i < CORNERS; i++) {
        memcpy(text + length, " 1", 2);
        length += 2;
    }
    OWN(sl_mesh) mesh = sli_case_load(text, (size_t)length, NULL, NULL);
    assert_int_equal(sl_mesh_soup(mesh).triangle_count, CORNERS - 2);
    assert_int_equal(sl_mesh_face(mesh, CORNERS - 3), 0);
}

TEST(malformed_lines_are_refused_with_their_number)
{
    static const struct {
        const char *line, *words;
    } cases[] = {
        { "v 1 2", "the end of the line" },
        { "v", "the end of the line" },
        { "v 1 2 # 3", "the end of the line" },
        { "v 3.1+e2 0 0", "'3.1+e2'" },
        { "v 1,5 0 0", "'1,5'" },
        { "v 0x10 0 0", "'0x10'" },
        { "f 1 2 x", "'x'" },
        { "f 1.5 2 3", "'1.5'" },
        { "f 1/a 2 3", "'1/a'" },
        { "f 1:1 2 3", "'1:1'" },
        { "f / 2 3", "'/'" },
        { "f 1 2 3\\4", "'3\\4'" },
        { "1 2 3", "'1'" },
        { "\x7F\x01", "'?\?'" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[128];
        snprintf(text, sizeof text, TRIANGLE "%s\nf 1 2 3\n", cases[i].line);
        const sl_error error = sli_case_refuse_text(text, "a.obj", SL_BAD_DATA);
        assert_int_equal(error.line, 4);
        sli_case_says(&error, cases[i].words);
    }
}

TEST(bad_indices_are_refused_with_their_number)
{
    static const struct {
        const char *line, *words;
    } cases[] = {
        { "f 1 2 3 0", "index '0'" },
        { "f 1 2 4", "vertex 4, but the last one is 3" },
        { "f -4/1/1 1 2", "index '-4/1/1', but only 3" },
        { "f 1 2 4294967295", "vertex 4294967295" },
        { "f 1 2 4294967296", "index '4294967296'" },
        { "f 1 2 4294967297", "index '4294967297'" },
        { "f 18446744073709551617 2 3", "index '18446744073709551617'" },
        { "f 1 2 3 2 1 -18446744073709551615", "index '-18446744073709551615'" },
        { "f 1 2 -9223372036854775808", "index '-9223372036854775808'" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[128];
        snprintf(text, sizeof text, TRIANGLE "f 1 2 3\n%s\nf 1 2 99\n", cases[i].line);
        const sl_error error = sli_case_refuse_text(text, NULL, SL_BAD_INDEX);
        assert_int_equal(error.line, 5);
        sli_case_says(&error, cases[i].words);
    }
}

/* The quad's first triangle is good, its second one is not. */
TEST(the_triangle_of_a_bad_index_is_named)
{
    const sl_error error = sli_case_refuse_text("f 3 2 1 99\n" TRIANGLE, "a.obj", SL_BAD_INDEX);
    assert_int_equal(error.line, 1);
    assert_non_null(strstr(error.message, "triangle 1 (of face 0)"));
    assert_non_null(strstr(error.message, "vertex 99"));
}

TEST(bad_triangles_are_left_out_exactly)
{
    const char *text = TRIANGLE "v nan 0 0\nf 1 2 3\nf 1 2 3 9 1 2\nf 2 3 4\nf 3 0 1\nf 3 2 1\n";
    sl_mesh_def def = { .bad = SL_BAD_LEAVE_OUT };
    OWN(sl_mesh) mesh = sli_case_load(text, strlen(text), NULL, &def);
    const sl_mesh_info info = sl_mesh_get_info(mesh);
    /* The hexagon gives 012 029 02... : its second and third triangle name vertex 9. */
    const bool there[8] = { true, true, false, false, true, false, false, true };
    assert_int_equal(info.triangle_count, 8);
    assert_int_equal(info.left_out, 4);
    for (uint32_t prim = 0; prim < 8; prim++) {
        sl_triangle triangle;
        assert_int_equal(sl_mesh_triangle(mesh, prim, &triangle), there[prim]);
    }
    sli_case_triangle(mesh, 7, 2, 1, 0);
}

TEST(vertices_beyond_float_are_not_finite)
{
    static const struct {
        const char *number, *words;
    } cases[] = { { "nan", "not a number" },
                  { "-inf", "infinite" },
                  { "1e999", "infinite" },
                  { "3.5e38", "beyond the range of a float" },
                  { "-1.#IND", "not a number" } };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[128];
        snprintf(text, sizeof text, TRIANGLE "v 0 %s 0\nf 1 2 3\nf 2 3 4\n", cases[i].number);
        const sl_error error = sli_case_refuse_text(text, NULL, SL_NOT_FINITE);
        assert_int_equal(error.line, 6);
        assert_non_null(strstr(error.message, "vertex 4 (line 4), whose y is"));
        assert_non_null(strstr(error.message, cases[i].words));
    }
}

TEST(unused_vertices_may_be_anything)
{
    OWN(sl_mesh) mesh = sli_case_load_text(TRIANGLE "v nan inf 1e300\nf 1 2 3\n", NULL);
    assert_int_equal(sl_mesh_soup(mesh).vertex_count, 4);
    assert_true(isnan(sl_mesh_soup(mesh).xyz[9]));
    assert_true(sl_mesh_get_info(mesh).rounding == 0.0);
}

TEST(a_file_without_faces_has_no_triangles)
{
    OWN(sl_mesh) mesh = sli_case_load_text("# nothing\n", "nothing.OBJ");
    assert_int_equal(sl_mesh_soup(mesh).triangle_count, 0);
    assert_int_equal(sl_mesh_soup(mesh).vertex_count, 0);
    assert_string_equal(sl_mesh_get_info(mesh).format, "obj");
}

TEST(a_byte_order_mark_is_passed_over)
{
    OWN(sl_mesh) mesh = sli_case_load_text("\xEF\xBB\xBF" TRIANGLE "f 1 2 3\n", NULL);
    assert_int_equal(sl_mesh_soup(mesh).triangle_count, 1);
}

TEST(hostile_bytes_are_survived)
{
    const char *text = "# c\nv 0 0 0 1\nv 1.25e-3 -.5 2.\r\nv 0.12345678901234567 1 \\\n 0\n"
                       "vn 0 0 1\nf 1 2/1 3//1 -1/1/1 # end\ng x\nf -3 -2 \\\n-1\nf 1 2\n";
    sli_case_hostile(text, strlen(text), "a.obj");
}
