/* lib/mesh/format/off.c */
#include "test/support/input/mesh_case.h"
#include "test/support/test.h"

static void assert_triangle(sl_mesh *mesh)
{
    assert_string_equal(sl_mesh_get_info(mesh).format, "off");
    assert_int_equal(sl_mesh_soup(mesh).vertex_count, 3);
    sli_case_triangles(mesh, 1, (const uint32_t[][3]){ { 0, 1, 2 } });
    sli_case_vertex(mesh, 0, 0, 0, 0);
    sli_case_vertex(mesh, 1, 1, 0, 0);
    sli_case_vertex(mesh, 2, 0, 1, 0);
    sl_mesh_destroy(mesh);
}

TEST(the_counts_may_stand_anywhere)
{
    const char *const heads[] = { "OFF\n3 1 3\n",
                                  "OFF 3 1 3\n",
                                  "OFF3 1 3\n",
                                  "\n\n  \r\nOFF\n\n3\t1\t3\n",
                                  "# first\nOFF # c\n# c\n3 1 3# c\n",
                                  "OFF\n3\n1\n3\n",
                                  "OFF\n3 1\n3\n",
                                  "OFF\n3 1\n",
                                  "OFF\n3 1 # no edges\n",
                                  "\xEF\xBB\xBFOFF\n3 1 0\n" };
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++) {
        char text[256];
        snprintf(text, sizeof text, "%s0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n", heads[i]);
        assert_triangle(sli_case_load_text(text, NULL));
    }
}

TEST(the_keyword_may_be_missing)
{
    assert_triangle(sli_case_load_text("3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n", "a.off"));
}

TEST(comments_may_touch_numbers)
{
    assert_triangle(
        sli_case_load_text("OFF\n3 1 0\n0 0 0# a\n1 0 0#b\n0 1 # c\n0#\n3 0 1 2# end", NULL));
}

TEST(numbers_may_stand_in_any_line)
{
    assert_triangle(sli_case_load_text("OFF 3 1 0 0 0\n0 1 0\r\n0\n\n0 1 0 3\n0 1\n2", NULL));
    assert_triangle(sli_case_load_text("OFF 3 1 0\n0 0 0 1 0 0 0 1 0\n3 0 1 2", NULL));
}

TEST(colours_of_faces_are_passed_over)
{
    const char *const colours[] = { "", " 7", " 0.1 0.2 0.3", " 10 20 30 255", " 0 0 0 # c" };
    for (size_t i = 0; i < sizeof colours / sizeof colours[0]; i++) {
        char text[256];
        snprintf(text, sizeof text, "OFF\n3 2 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2%s\n4 2 1 0 1%s\n",
                 colours[i], colours[i]);
        OWN(sl_mesh) mesh = sli_case_load_text(text, NULL);
        sli_case_triangles(mesh, 3, (const uint32_t[][3]){ { 0, 1, 2 }, { 2, 1, 0 }, { 2, 0, 1 } });
        assert_int_equal(sl_mesh_face(mesh, 2), 1);
    }
}

/* Each prefix with its numbers behind the position, all in one line and each on its own. */
TEST(prefixes_put_numbers_behind_vertices)
{
    static const struct {
        const char *prefix, *extras;
    } cases[] = { { "", "" },
                  { "N", " 0 0 1" },
                  { "C", " 0.5 0.5 0.5 1" },
                  { "C", " 10 20 30 255" },
                  { "C", " 0.5 0.5 0.5" },
                  { "ST", " 0.25 0.75" },
                  { "CN", " 1 1 1 1 0 0 1" },
                  { "STN", " 0 0 1 0.25 0.75" },
                  { "STCN", " 0 0 1 1 1 1 1 0.25 0.75" },
                  { "STCN", " 0 0 1 1 1 1 0.25 0.75" },
                  { "", " 9 8 7 6" } };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *extras = cases[i].extras;
        char text[256];
        snprintf(text, sizeof text, "%sOFF\n3 1 0\n0 0 0%s\n1 0 0%s # c\n0 1 0%s\n3 0 1 2\n",
                 cases[i].prefix, extras, extras, extras);
        assert_triangle(sli_case_load_text(text, NULL));
    }
    assert_triangle(sli_case_load_text("NOFF\n3 1 0\n0 0 0\n0 0 1\n1 0 0\n0 0 1\n0 1 0\n0 0 1\n"
                                       "3 0 1 2\n",
                                       NULL));
}

TEST(other_dimensions_and_binaries_are_refused_in_words)
{
    static const struct {
        const char *text, *words;
    } cases[] = { { "4OFF\n1 0 0\n0 0 0 0\n", "'4OFF'" },
                  { "nOFF 3\n1 0 0\n0 0 0\n", "'nOFF'" },
                  { "STCN4nOFF\n", "'STCN4nOFF'" },
                  { "OFF BINARY\n\1\2\3", "BINARY" },
                  { "CNOFF BINARY\n\1\2\3", "BINARY" } };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const sl_error error = sli_case_refuse_text(cases[i].text, "x.off", SL_UNSUPPORTED);
        assert_non_null(strstr(error.message, cases[i].words));
        assert_int_equal(error.line, 1);
    }
}

TEST(malformed_files_are_refused_with_their_line)
{
    static const struct {
        const char *text, *words;
        int line;
    } cases[] = {
        { "OFF\nx 1 0\n", "'x'", 2 },
        { "OFF\n3\n", "the end of the file", 3 },
        { "OFF\n-3 1 0\n", "'-3'", 2 },
        { "OFF\n3 1 0\n0 0 0\n1 a 0\n", "'a'", 4 },
        { "OFF\n3 1 0\n0 0 0\n", "after 1 of 3 vertices", 4 },
        { "OFF\n1 2 0\n0 0 0\n1 0\n", "after 1 of 2 faces", 5 },
        { "OFF\n1 1 0\n0 0 0\n3 0 0\n", "the end of the file", 5 },
        { "OFF\n1 1 0\n0 0 0\n3 0 0 z\n", "'z'", 4 },
        { "OFF\n1 1 0\n0 0 0\n-3 0 0 0\n", "'-3'", 4 },
        { "OFF\n1 1 0\n0 0 0\n3 0 0 0.5\n", "'0.5'", 4 },
        { "NOFF\n2 0 0\n0 0 0 0 0 1\n0 0 0 0 x 1\n", "'x'", 4 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const sl_error error = sli_case_refuse_text(cases[i].text, "a.off", SL_BAD_DATA);
        if (strstr(error.message, cases[i].words) == NULL || error.line != cases[i].line) {
            fail_msg("%d: %s (line %d)", (int)i, error.message, (int)error.line);
        }
    }
}

TEST(counts_are_not_believed_before_the_bytes_are_there)
{
    const char *const texts[] = { "OFF\n9223372036854775807 9223372036854775807 0\n0 0 0\n",
                                  "OFF\n1 9223372036854775807 0\n0 0 0\n3 0 0 0\n",
                                  "OFF\n1 1 0\n0 0 0\n2000000000 0 0 0",
                                  "OFF\n99999999999999999999 1 0\n" };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        sli_case_refuse_text(texts[i], NULL, SL_BAD_DATA);
    }
}

TEST(bad_indices_are_refused_with_their_place)
{
    static const struct {
        const char *index, *words;
    } cases[] = { { "3", "vertex 3, but the last one is 2" },
                  { "-1", "index '-1'" },
                  { "4294967295", "index '4294967295'" },
                  { "4294967296", "index '4294967296'" },
                  { "18446744073709551616", "index '18446744073709551616'" } };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[256];
        snprintf(text, sizeof text, "OFF\n3 2 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n3 0 1 %s\n",
                 cases[i].index);
        const sl_error error = sli_case_refuse_text(text, NULL, SL_BAD_INDEX);
        assert_int_equal(error.line, 7);
        sli_case_says(&error, cases[i].words);
    }
}

TEST(hostile_bytes_are_survived)
{
    const char *plain = "OFF # c\n4 3 0\n0 0 0\n1 0 0# c\n0 1 0\n1e-3 1.23456789012345678 0\n"
                        "3 0 1 2\n4 0 1 3 2 0.5 0.5 0.5\n3 2 1 0\n";
    sli_case_hostile(plain, strlen(plain), "a.off");
    const char *prefixed = "STCNOFF\n3 1 0\n0 0 0 0 0 1 1 1 1 1 0 0\n1 0 0 0 0 1 1 1 1 1 0 0\n"
                           "0 1 0 0 0 1 1 1 1 1 0 0\n3 0 1 2\n";
    sli_case_hostile(prefixed, strlen(prefixed), "a.off");
}
