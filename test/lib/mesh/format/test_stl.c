/* lib/mesh/format/stl.c */
#include "test/support/input/mesh_case.h"
#include "test/support/test.h"

enum { START = 84, FACET = 50, MOST = 8 };

/* A binary file of count facets (at most MOST), facet i with corners (i 0 0) (i 1 0) (i 0 1). */
static size_t write_binary(uint8_t bytes[START + FACET * MOST + 1], const char *header,
                           uint32_t count)
{
    memset(bytes, 0, START + FACET * MOST + 1);
    memcpy(bytes, header, strlen(header));
    for (int i = 0; i < 4; i++) {
        bytes[80 + i] = (uint8_t)(count >> 8 * i);
    }
    for (uint32_t facet = 0; facet < count; facet++) {
        const float corners[9] = { (float)facet, 0, 0, (float)facet, 1, 0, (float)facet, 0, 1 };
        for (size_t i = 0; i < 9; i++) {
            uint32_t bits;
            memcpy(&bits, &corners[i], sizeof bits);
            uint8_t *to = bytes + START + FACET * facet + 12 + 4 * i;
            for (int k = 0; k < 4; k++) {
                to[k] = (uint8_t)(bits >> 8 * k);
            }
        }
        bytes[START + FACET * facet + 48] = 0xAB; /* attributes: ignored */
    }
    return START + FACET * (size_t)count;
}

#define FACET_TEXT(x)                                                                              \
    "facet normal 0 0 1\n outer loop\n  vertex " x " 0 0\n  vertex 1 0 0\n  vertex 0 1 0\n"        \
    " endloop\nendfacet\n"

TEST(every_corner_is_a_vertex_of_its_own)
{
    uint8_t bytes[START + FACET * MOST + 1];
    const size_t size = write_binary(bytes, "made by hand", 2);
    sl_mesh *mesh = sli_case_load(bytes, size, NULL, NULL);
    assert_string_equal(sl_mesh_get_info(mesh).format, "stl");
    assert_int_equal(sl_mesh_soup(mesh).vertex_count, 6);
    assert_int_equal(sl_mesh_soup(mesh).triangle_count, 2);
    sli_case_triangle(mesh, 1, 3, 4, 5);
    sli_case_vertex(mesh, 3, 1, 0, 0);
    sli_case_vertex(mesh, 5, 1, 0, 1);
    sl_mesh_destroy(mesh);
    mesh = sli_case_load_text("solid\n" FACET_TEXT("0") FACET_TEXT("0") "endsolid\n", NULL);
    assert_int_equal(sl_mesh_soup(mesh).vertex_count, 6);
    sli_case_triangle(mesh, 1, 3, 4, 5);
    sli_case_vertex(mesh, 4, 1, 0, 0);
    sl_mesh_destroy(mesh);
}

/* Binary because of its size, with a header that a text could begin with. */
TEST(the_size_decides_before_the_word_solid)
{
    uint8_t bytes[START + FACET * MOST + 1];
    const char *const headers[] = { "solid",
                                    "solid name\nfacet normal 0 0 1\nouter loop\n",
                                    "SOLID x\nendsolid\n",
                                    "ply\nformat",
                                    "OFF\n8 6 12\n",
                                    "\xEF\xBB\xBFsolid",
                                    "v 1 2 3\n" };
    for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++) {
        const size_t size = write_binary(bytes, headers[i], 3);
        OWN(sl_mesh) mesh = sli_case_load(bytes, size, "a.obj", NULL);
        assert_string_equal(sl_mesh_get_info(mesh).format, "stl");
        assert_int_equal(sl_mesh_soup(mesh).triangle_count, 3);
    }
}

TEST(keywords_may_be_in_any_case_and_lines_anyhow)
{
    OWN(sl_mesh) mesh = sli_case_load_text(
        "\xEF\xBB\xBF \r\n\tSOLID Facet endsolid\r\nFacet NORMAL nan nonsense\r\nOUTER\r\nLoop\n"
        "VERTEX 1\n2\t3 vertex 4 5 6 Vertex 7e0 +8 .9e1\r\rendLOOP EndFacet endSOLID Facet\n",
        NULL);
    assert_int_equal(sl_mesh_soup(mesh).triangle_count, 1);
    sli_case_vertex(mesh, 0, 1, 2, 3);
    sli_case_vertex(mesh, 2, 7, 8, 9);
}

TEST(a_file_may_be_one_line_behind_its_name)
{
    OWN(sl_mesh) mesh = sli_case_load_text(
        "solid x\nfacet normal 0 0 1 outer loop vertex 1 0 0 vertex 2 0 0 vertex 3 4 5 endloop "
        "endfacet facet outer loop vertex 6 0 0 vertex 0 0 0 vertex 0 0 0 endloop endfacet "
        "endsolid",
        NULL);
    assert_int_equal(sl_mesh_soup(mesh).triangle_count, 2);
    sli_case_vertex(mesh, 2, 3, 4, 5);
    sli_case_vertex(mesh, 3, 6, 0, 0);
}

TEST(several_solids_follow_one_another)
{
    OWN(sl_mesh) mesh = sli_case_load_text(
        "solid a\n" FACET_TEXT("5") "endsolid a\nsolid empty\nendsolid\n"
                                    "solid b\n" FACET_TEXT("6") FACET_TEXT("7") "endsolid b",
        NULL);
    assert_int_equal(sl_mesh_soup(mesh).triangle_count, 3);
    sli_case_vertex(mesh, 0, 5, 0, 0);
    sli_case_vertex(mesh, 3, 6, 0, 0);
    sli_case_vertex(mesh, 6, 7, 0, 0);
}

TEST(files_may_be_empty)
{
    uint8_t bytes[START + FACET * MOST + 1];
    sl_mesh *mesh = sli_case_load(bytes, write_binary(bytes, "", 0), NULL, NULL);
    assert_int_equal(sl_mesh_soup(mesh).triangle_count, 0);
    sl_mesh_destroy(mesh);
    mesh = sli_case_load_text("solid\nendsolid", NULL);
    assert_int_equal(sl_mesh_soup(mesh).triangle_count, 0);
    sl_mesh_destroy(mesh);
}

/* Three facets are announced: 234 bytes. */
TEST(short_binary_files_say_how_much_is_missing)
{
    uint8_t bytes[START + FACET * MOST + 1];
    write_binary(bytes, "x", 3);
    sl_error error = sli_case_refuse(bytes, 200, "a.stl", SL_BAD_DATA);
    assert_non_null(strstr(error.message, "3 facets"));
    assert_non_null(strstr(error.message, "34 of them are missing"));
    assert_int_equal(error.byte, 200);
    error = sli_case_refuse(bytes, 50, "a.STL", SL_BAD_DATA);
    assert_non_null(strstr(error.message, "34 bytes"));
    memset(bytes + 80, 0xFF, 4);
    error = sli_case_refuse(bytes, 234, "a.stl", SL_BAD_DATA);
    assert_non_null(strstr(error.message, "4294967295 facets"));
}

/* What follows the facets is passed over, unless none were announced: then the count is wrong. */
TEST(bytes_behind_the_facets_are_passed_over)
{
    uint8_t bytes[START + FACET * MOST + 1];
    const size_t size = write_binary(bytes, "x", 3);
    sl_mesh *mesh = sli_case_load(bytes, size + 1, "a.stl", NULL);
    assert_int_equal(sl_mesh_soup(mesh).triangle_count, 3);
    sl_mesh_destroy(mesh);
    bytes[80] = 0;
    const sl_error error = sli_case_refuse(bytes, size, "a.stl", SL_BAD_DATA);
    assert_int_equal(error.byte, 80);
}

TEST(malformed_texts_are_refused_with_their_line)
{
    static const struct {
        const char *text, *words;
        int line;
    } cases[] = {
        { "solid\nfacet\nouter loop\nvertex 0 0 0\nvertex 0 x 0\n", "'x'", 5 },
        { "solid\nfacet\nouter loop\nvertex 0 0 0\nvertex 0 0 0\nendloop\n", "expected vertex", 6 },
        { "solid\nfacet\nouter loop\nvertex 0 0 0 vertex 0 0 0 vertex 0 0 0\nvertex 1 1 1\n",
          "expected endloop", 5 },
        { "solid\nfacet\ninner loop\n", "expected outer", 3 },
        { "solid\nouter loop\n", "expected facet or endsolid", 2 },
        { "solid\n" FACET_TEXT("0"), "the end of the file", 9 },
        { "solid\nfacet\nouter loop\nvertex 0 0 0", "inside a facet", 4 },
        { "solid\nendsolid\nfacet\n", "expected solid", 3 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const sl_error error = sli_case_refuse_text(cases[i].text, NULL, SL_BAD_DATA);
        if (strstr(error.message, cases[i].words) == NULL || error.line != cases[i].line) {
            fail_msg("%d: %s (line %d)", (int)i, error.message, (int)error.line);
        }
    }
}

TEST(vertices_that_are_not_finite_are_named)
{
    uint8_t bytes[START + FACET * MOST + 1];
    const size_t size = write_binary(bytes, "x", 3);
    memcpy(bytes + START + FACET + 12 + 12 + 8, "\0\0\x80\x7F", 4); /* +inf */
    sl_error error = sli_case_refuse(bytes, size, NULL, SL_NOT_FINITE);
    assert_int_equal(error.byte, START + FACET);
    assert_non_null(strstr(error.message, "triangle 1, counting from 0, names vertex 4"));
    assert_non_null(strstr(error.message, "whose z is infinite"));
    error = sli_case_refuse_text("solid\n" FACET_TEXT("0") FACET_TEXT("1e40") "endsolid", "a.stl",
                                 SL_NOT_FINITE);
    assert_int_equal(error.line, 9);
    assert_non_null(strstr(error.message, "triangle 1, counting from 0, names vertex 3"));
}

TEST(hostile_bytes_are_survived)
{
    uint8_t bytes[START + FACET * MOST + 1];
    const size_t size = write_binary(bytes, "solid", MOST);
    sli_case_hostile(bytes, size, "a.stl");
    const char *text = "solid a\n" FACET_TEXT("5") "endsolid a\nsolid b\n" FACET_TEXT("1e-3")
        FACET_TEXT("0.1234567890123456789") "endsolid";
    sli_case_hostile(text, strlen(text), "a.stl");
}
