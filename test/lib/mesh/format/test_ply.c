/* lib/mesh/format/ply.c and lib/mesh/format/ply_header.c */
#include "test/support/input/mesh_case.h"
#include "test/support/test.h"

#define XYZ             "property float x\nproperty float y\nproperty float z\n"
#define ASCII           "ply\nformat ascii 1.0\n"
#define FACES           "property list uchar int vertex_indices\n"
#define CORNERS         "0 0 0\n1 0 0\n0 1 0\n"
#define TRIANGLE_HEADER ASCII "element vertex 3\n" XYZ "element face 1\n" FACES "end_header\n"

/* A file in the making. */
typedef struct bytes {
    uint8_t at[4096];
    size_t size;
    bool big;
} bytes;

static void put_text(bytes *file, const char *text)
{
    const size_t length = strlen(text);
    assert_true(file->size + length <= sizeof file->at);
    memcpy(file->at + file->size, text, length);
    file->size += length;
}

static void put_bits(bytes *file, uint64_t bits, size_t size)
{
    assert_true(file->size + size <= sizeof file->at);
    for (size_t i = 0; i < size; i++) {
        const size_t shift = 8 * (file->big ? size - 1 - i : i);
        file->at[file->size++] = (uint8_t)(bits >> shift);
    }
}

/* The types in the order of the table below. */
static void put_number(bytes *file, int type, double value)
{
    static const size_t sizes[8] = { 1, 1, 2, 2, 4, 4, 4, 8 };
    uint64_t bits;
    if (type == 6) {
        const float narrow = (float)value;
        uint32_t narrow_bits;
        memcpy(&narrow_bits, &narrow, sizeof narrow_bits);
        bits = narrow_bits;
    } else if (type == 7) {
        memcpy(&bits, &value, sizeof bits);
    } else {
        bits = (uint64_t)(int64_t)value;
    }
    put_bits(file, bits, sizes[type]);
}

static sl_mesh *load(const bytes *file)
{
    return sli_case_load(file->at, file->size, "a.ply", NULL);
}

static void assert_triangle(sl_mesh *mesh)
{
    assert_int_equal(sl_mesh_soup(mesh).vertex_count, 3);
    sli_case_triangles(mesh, 1, (const uint32_t[][3]){ { 0, 1, 2 } });
    sli_case_vertex(mesh, 0, 0, 0, 0);
    sli_case_vertex(mesh, 1, 1, 0, 0);
    sli_case_vertex(mesh, 2, 0, 1, 0);
    sl_mesh_destroy(mesh);
}

TEST(an_ascii_file_is_read)
{
    assert_triangle(sli_case_load_text(TRIANGLE_HEADER CORNERS "3 0 1 2\n", NULL));
    assert_triangle(sli_case_load_text(TRIANGLE_HEADER CORNERS "3 0 1 2", NULL));
}

TEST(rows_may_be_broken_anywhere)
{
    assert_triangle(
        sli_case_load_text(TRIANGLE_HEADER "\n 0\t0\r\n0 1 0\n\n0 0 1 0 3 0\n1\n2 ", NULL));
}

/* Coordinates of one type and indices of another, lists with lengths of a third, in both orders of
 * bytes, by old and new names, and at odd offsets because of an odd first property. */
TEST(all_types_are_read)
{
    static const char *const names[2][8] = {
        { "char", "uchar", "short", "ushort", "int", "uint", "float", "double" },
        { "int8", "uint8", "int16", "uint16", "int32", "uint32", "float32", "float64" }
    };
    for (int variant = 0; variant < 2 * 2 * 8 * 8 * 2; variant++) {
        const bool big = variant % 2 == 1;
        const char *const *name = names[variant / 2 % 2];
        const int xyz = variant / 4 % 8, index = variant / 32 % 8;
        const int length = variant / 256 % 2 == 0 ? (xyz + index) % 6 : xyz;
        bytes file = { .big = big };
        char header[1024];
        snprintf(header, sizeof header,
                 "ply\nformat binary_%s_endian 1.0\nelement vertex 3\nproperty %s odd\n"
                 "property %s x\nproperty %s y\nproperty %s z\nelement face 2\nproperty %s odd\n"
                 "property list %s %s vertex_index\nend_header\n",
                 big ? "big" : "little", name[0], name[xyz], name[xyz], name[xyz], name[1],
                 name[length], name[index]);
        put_text(&file, header);
        const double corners[3][3] = { { 1, 2, 3 },
                                       { 4, 5, 6 },
                                       { 100, 8, xyz % 2 == 0 ? -9 : 9 } };
        for (int i = 0; i < 3; i++) {
            put_number(&file, 0, 7);
            for (int axis = 0; axis < 3; axis++) {
                put_number(&file, xyz, corners[i][axis]);
            }
        }
        const double faces[2][5] = { { 0, 1, 2 }, { 2, 1, 0, 0, 1 } };
        for (int face = 0; face < 2; face++) {
            const int count = face == 0 ? 3 : 5;
            put_number(&file, 1, 77);
            put_number(&file, length, count);
            for (int i = 0; i < count; i++) {
                put_number(&file, index, faces[face][i]);
            }
        }
        OWN(sl_mesh) mesh = load(&file);
        assert_int_equal(sl_mesh_soup(mesh).triangle_count, 4);
        sli_case_triangle(mesh, 0, 0, 1, 2);
        sli_case_triangle(mesh, 1, 2, 1, 0);
        sli_case_triangle(mesh, 3, 2, 0, 1);
        assert_int_equal(sl_mesh_face(mesh, 3), 1);
        sli_case_vertex(mesh, 1, 4, 5, 6);
        sli_case_vertex(mesh, 2, 100, 8, (float)corners[2][2]);
    }
}

/* Near 10^6 floats are 1/16 apart, so that .15625 = 2.5/16 has to move by 1/32. */
TEST(doubles_keep_their_digits_until_recentred)
{
    const char *text = ASCII "element vertex 3\nproperty double x\nproperty double y\n"
                             "property double z\nelement face 1\n" FACES "end_header\n"
                             "1000000.125 0 0\n1000002.125 0 0\n1000001.15625 1 0\n3 0 1 2\n";
    sl_mesh_def def = { 0 };
    sl_mesh *mesh = sli_case_load(text, strlen(text), NULL, &def);
    assert_true(sl_mesh_get_info(mesh).rounding == 0.03125);
    assert_true(sl_mesh_get_info(mesh).origin[0] == 0.0);
    sl_mesh_destroy(mesh);
    def.recentre = true;
    mesh = sli_case_load(text, strlen(text), NULL, &def);
    const sl_mesh_info info = sl_mesh_get_info(mesh);
    assert_true(info.origin[0] == 1000001.125 && info.origin[1] == 0.5 && info.origin[2] == 0.0);
    assert_true(info.rounding == 0.0);
    sli_case_vertex(mesh, 0, -1, -0.5f, 0);
    sli_case_vertex(mesh, 2, 0.03125f, 0.5f, 0);
    sl_mesh_destroy(mesh);
}

TEST(elements_and_lists_may_come_in_any_order)
{
    assert_triangle(sli_case_load_text(
        ASCII "comment c\nobj_info o\nelement edge 1\nproperty int a\nproperty list int float b\n"
              "element face 1\nproperty list uchar float texcoord\nproperty list int int "
              "vertex_index\nproperty uchar red\nproperty list uchar int other\nelement empty 2\n"
              "element vertex 3\nproperty float nx\nproperty float z\nproperty list char char l\n"
              "property float x\nproperty float y\nelement material 0\nproperty int m\nend_header\n"
              "5 2 0.5 0.25\n"                           /* edge */
              "6 0 0 1 0 1 1 3 0 1 2 255 0\n"            /* face */
              "9 0 0 0 0\n9 0 1 7 1 0\n9 0 2 1 2 0 1\n", /* nx z l x y */
        NULL));
}

TEST(binary_lists_are_passed_over)
{
    bytes file = { 0 };
    put_text(&file, "ply\nformat binary_little_endian 1.0\nelement other 2\nproperty list uchar "
                    "double d\nelement fixed 3\nproperty short s\nelement face 1\n"
                    "property list ushort short t\nproperty list uint ushort vertex_indices\n"
                    "element vertex 3\nproperty list uchar int l\n" XYZ "end_header\n");
    put_number(&file, 1, 0);
    put_number(&file, 1, 2);
    put_number(&file, 7, 0.5);
    put_number(&file, 7, 0.5);
    for (int i = 0; i < 3; i++) {
        put_number(&file, 2, i);
    }
    put_number(&file, 3, 1);
    put_number(&file, 2, 12345);
    put_number(&file, 5, 3);
    for (int i = 0; i < 3; i++) {
        put_number(&file, 3, i);
    }
    for (int i = 0; i < 3; i++) {
        put_number(&file, 1, i);
        for (int k = 0; k < i; k++) {
            put_number(&file, 4, -1);
        }
        put_number(&file, 6, i == 1);
        put_number(&file, 6, i == 2);
        put_number(&file, 6, 0);
    }
    assert_triangle(load(&file));
}

/* Strip 0 1 2 3, then 3 2 1: triangles 012 213 and, in a new strip, 321. */
TEST(strips_turn_every_other_triangle_and_restart)
{
    OWN(sl_mesh) mesh = sli_case_load_text(
        ASCII "element vertex 4\n" XYZ "element tristrips 2\nproperty list int int vertex_indices\n"
              "end_header\n" CORNERS "1 1 0\n10 0 1 2 3 -1 -1 3 2 1 -1\n4 0 1 2 3\n",
        NULL);
    assert_int_equal(sl_mesh_soup(mesh).triangle_count, 5);
    sli_case_triangle(mesh, 0, 0, 1, 2);
    sli_case_triangle(mesh, 1, 2, 1, 3);
    sli_case_triangle(mesh, 2, 3, 2, 1);
    sli_case_triangle(mesh, 4, 2, 1, 3);
    assert_int_equal(sl_mesh_get_info(mesh).face_count, 5);
}

TEST(headers_may_end_lines_in_any_way)
{
    const char *const ends[] = { "\n", "\r\n", "\r", "\n\r" };
    for (int i = 0; i < 4; i++) {
        bytes file = { 0 };
        const char *lines[] = { "ply",
                                "format binary_little_endian 1.0",
                                "element vertex 3",
                                "property uchar x",
                                "property uchar y",
                                "property uchar z",
                                "element face 1",
                                "property list uchar uchar vertex_indices",
                                "end_header" };
        for (size_t line = 0; line < sizeof lines / sizeof lines[0]; line++) {
            put_text(&file, lines[line]);
            put_text(&file, ends[i]);
        }
        const uint8_t data[] = { 0, 0, 0, 1, 0, 0, 0, 1, 0, 3, 0, 1, 2 };
        for (size_t byte = 0; byte < sizeof data; byte++) {
            put_number(&file, 1, data[byte]);
        }
        assert_triangle(load(&file));
        file.at[file.size - sizeof data] = 13;
        OWN(sl_mesh) mesh = load(&file);
        sli_case_vertex(mesh, 0, 13, 0, 0);
    }
}

/* 10 and 13 are line ends as text, and here the first coordinate. */
TEST(data_may_begin_with_a_line_end)
{
    for (int first = 10; first <= 13; first++) {
        bytes file = { 0 };
        put_text(&file, "ply\nformat binary_big_endian 1.0\nelement vertex 1\nproperty uchar x\n"
                        "property uchar y\nproperty uchar z\nend_header \t\n");
        put_number(&file, 1, first);
        put_number(&file, 1, 10);
        put_number(&file, 1, 13);
        OWN(sl_mesh) mesh = load(&file);
        sli_case_vertex(mesh, 0, (float)first, 10, 13);
    }
}

TEST(the_header_may_be_spaced_freely)
{
    assert_triangle(
        sli_case_load_text("ply \t\n\n \n\tformat  ascii\t1.0 \n\n element   vertex 3 \n" XYZ
                           "element face\t1\n property list  uchar int  vertex_indices \n"
                           "  end_header\t \n" CORNERS "3 0 1 2\n",
                           NULL));
}

TEST(a_file_without_faces_has_no_triangles)
{
    sl_mesh *mesh =
        sli_case_load_text(ASCII "element vertex 3\n" XYZ "end_header\n" CORNERS, "a.ply");
    assert_int_equal(sl_mesh_soup(mesh).triangle_count, 0);
    assert_int_equal(sl_mesh_soup(mesh).vertex_count, 3);
    sl_mesh_destroy(mesh);
    mesh = sli_case_load_text(ASCII "element vertex 0\n" XYZ "element face 0\nend_header", "a.ply");
    assert_int_equal(sl_mesh_soup(mesh).vertex_count, 0);
    sl_mesh_destroy(mesh);
}

TEST(malformed_headers_are_refused_with_their_line)
{
    static const struct {
        const char *text, *words;
        int line;
    } cases[] = {
        { "ply\nformat ascii 2.0\n", "'2.0'", 2 },
        { "ply\nformat binary 1.0\n", "'binary'", 2 },
        { "ply\nformat ascii 1.0 more\n", "'more'", 2 },
        { ASCII "format ascii 1.0\n", "second format", 3 },
        { ASCII "property float x\n", "before the first element", 3 },
        { ASCII "element vertex\n", "the end of the line", 3 },
        { ASCII "element vertex -3\n", "'-3'", 3 },
        { ASCII "element vertex 3.5\n", "'3.5'", 3 },
        { ASCII "element\n", "name of an element", 3 },
        { ASCII "element vertex 1\nproperty half x\n", "'half'", 4 },
        { ASCII "element vertex 1\nproperty list float\n", "a type", 4 },
        { ASCII "element vertex 1\nproperty float\n", "name of the property", 4 },
        { ASCII "element vertex 1\nproperty float x\nproperty int x\n", "'x'", 5 },
        { ASCII "element vertex 1\n" XYZ "element vertex 2\n", "second element 'vertex'", 7 },
        { ASCII "elements vertex 1\n", "'elements'", 3 },
        { ASCII "element vertex 1\nproperty float x\nproperty float z\nend_header\n",
          "no property y", 3 },
        { ASCII "element vertex 1\n" XYZ
                "element face 1\nproperty int vertex_indices\nend_header\n",
          "vertex_indices", 7 },
        { ASCII "element face 0\nend_header\n", "no element vertex", 4 },
        { "ply\nelement vertex 0\n" XYZ "end_header\n", "format", 6 },
        { ASCII "element vertex 1\n" XYZ "end_header x\n", "'x'", 7 },
        { ASCII "element vertex 1\n" XYZ, "end_header", 7 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const sl_error error = sli_case_refuse_text(cases[i].text, "a.ply", SL_BAD_DATA);
        if (strstr(error.message, cases[i].words) == NULL || error.line != cases[i].line) {
            fail_msg("%d: %s (line %d)", (int)i, error.message, (int)error.line);
        }
    }
}

TEST(malformed_rows_are_refused_with_their_place)
{
    /* The header of the triangle has 9 lines. */
    sl_error error = sli_case_refuse_text(TRIANGLE_HEADER "0 0 0\n1 x 0\n", NULL, SL_BAD_DATA);
    assert_int_equal(error.line, 11);
    assert_non_null(strstr(error.message, "'x'"));
    error = sli_case_refuse_text(TRIANGLE_HEADER CORNERS "-3 0 1 2\n", NULL, SL_BAD_DATA);
    assert_int_equal(error.line, 13);
    assert_non_null(strstr(error.message, "'-3'"));
    error = sli_case_refuse_text(TRIANGLE_HEADER CORNERS "2.5 0 1 2\n", NULL, SL_BAD_DATA);
    assert_non_null(strstr(error.message, "'2.5'"));
    error = sli_case_refuse_text(TRIANGLE_HEADER CORNERS "3 0 1", NULL, SL_BAD_DATA);
    assert_int_equal(error.line, 13);
    assert_non_null(strstr(error.message, "face 1 of 1"));
    error = sli_case_refuse_text(TRIANGLE_HEADER "0 0 0\n1 1", NULL, SL_BAD_DATA);
    assert_non_null(strstr(error.message, "vertex 2 of 3"));
}

/* A vertex takes 12 bytes: of three, one and a half are there. */
TEST(short_binary_files_say_how_much_is_missing)
{
    bytes file = { 0 };
    put_text(&file, "ply\nformat binary_little_endian 1.0\nelement vertex 3\n" XYZ "end_header\n");
    put_text(&file, "123456789abcdefghi");
    const sl_error error = sli_case_refuse(file.at, file.size, "a.ply", SL_BAD_DATA);
    assert_non_null(strstr(error.message, "vertex 2 of 3; at least 18 more"));
    assert_int_equal(error.byte, file.size);
    assert_int_equal(error.line, 0);
}

TEST(counts_are_not_believed_before_the_bytes_are_there)
{
    static const char *const formats[] = { "ascii", "binary_little_endian", "binary_big_endian" };
    static const char *const counts[] = { "4294967294", "9223372036854775807",
                                          "99999999999999999999999999" };
    for (int i = 0; i < 9; i++) {
        char text[512];
        snprintf(text, sizeof text,
                 "ply\nformat %s 1.0\nelement vertex %s\n" XYZ "end_header\n0 0 0 ", formats[i % 3],
                 counts[i / 3]);
        sli_case_refuse_text(text, "a.ply", SL_BAD_DATA);
        snprintf(text, sizeof text,
                 "ply\nformat %s 1.0\nelement vertex 0\n" XYZ "element face %s\n"
                 "property list uint double vertex_index\nend_header\n\377\377\377\377 0 0 ",
                 formats[i % 3], counts[i / 3]);
        sli_case_refuse_text(text, "a.ply", SL_BAD_DATA);
        /* Nothing there of nothing is enough, and takes no time. */
        snprintf(text, sizeof text,
                 "ply\nformat %s 1.0\nelement nothing %s\nelement vertex 0\n" XYZ "end_header\n",
                 formats[i % 3], counts[i / 3]);
        sl_mesh_destroy(sli_case_load_text(text, "a.ply"));
    }
}

TEST(bad_indices_are_refused_with_their_place)
{
    static const struct {
        const char *type, *index, *words;
    } cases[] = {
        { "int", "3", "vertex 3, but the last one is 2" },
        { "int", "-1", "index -1" },
        { "uint", "4294967295", "index 4294967295" },
        { "float", "1.5", "no whole number" },
        { "float", "nan", "no whole number" },
        { "double", "1e300", "far beyond" },
        { "int", "99999999999999999999999", "far beyond" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[512];
        snprintf(text, sizeof text,
                 ASCII "element vertex 3\n" XYZ "element face 2\nproperty list int %s "
                       "vertex_index\nend_header\n" CORNERS "3 0 1 2\n4 0 1 2 %s\n",
                 cases[i].type, cases[i].index);
        const sl_error error = sli_case_refuse_text(text, NULL, SL_BAD_INDEX);
        assert_int_equal(error.line, 14);
        sli_case_says(&error, cases[i].words);
        sli_case_says(&error, "triangle 2 (of face 1)");
    }
}

TEST(bad_triangles_of_binary_files_have_a_byte)
{
    bytes file = { 0 };
    put_text(&file,
             "ply\nformat binary_little_endian 1.0\nelement vertex 3\n" XYZ "element face 2\n"
             "property list uchar uchar vertex_indices\nend_header\n");
    const size_t start = file.size;
    for (int i = 0; i < 9; i++) {
        put_number(&file, 6, i == 4 ? (double)NAN : 1.0);
    }
    const size_t faces = file.size;
    put_text(&file, "\3");
    put_bits(&file, 0x020000, 3);
    put_text(&file, "\3");
    put_bits(&file, 0x000102, 3);
    sl_error error = sli_case_refuse(file.at, file.size, "a.ply", SL_NOT_FINITE);
    assert_int_equal(error.byte, faces + 4);
    assert_int_equal(error.line, 0);
    char words[64];
    snprintf(words, sizeof words, "vertex 1 (byte %zu), whose y is not a number", start + 12);
    assert_non_null(strstr(error.message, words));
    file.at[faces + 7] = 200;
    error = sli_case_refuse(file.at, file.size, "a.ply", SL_BAD_INDEX);
    assert_int_equal(error.byte, faces + 4);
    assert_non_null(strstr(error.message, "vertex 200, but the last one is 2"));
}

TEST(hostile_text_is_survived)
{
    const char *text =
        ASCII "comment c\nelement vertex 4\nproperty double x\nproperty float y\nproperty float z\n"
              "property list uchar int l\nelement face 2\nproperty list uchar int vertex_indices\n"
              "element tristrips 1\nproperty list int int vertex_index\nend_header\n"
              "0 0 0 0\n1 0 0 1 5\n0 1 0 0\n1 1 0 0\n3 0 1 2\n4 0 1 3 2\n7 0 1 2 -1 1 2 3\n";
    sli_case_hostile(text, strlen(text), "a.ply");
}

TEST(hostile_binaries_are_survived)
{
    for (int big = 0; big < 2; big++) {
        bytes file = { .big = big == 1 };
        put_text(&file, big == 1 ? "ply\nformat binary_big_endian 1.0\n"
                                 : "ply\nformat binary_little_endian 1.0\n");
        put_text(&file, "element vertex 3\nproperty double x\nproperty float y\nproperty short z\n"
                        "element face 2\nproperty list uchar uint vertex_indices\n"
                        "property list uint float l\nelement tristrips 1\n"
                        "property list int int vertex_index\nend_header\n");
        for (int i = 0; i < 3; i++) {
            put_number(&file, 7, i == 1);
            put_number(&file, 6, i == 2);
            put_number(&file, 2, 0);
        }
        for (int face = 0; face < 2; face++) {
            put_number(&file, 1, 3 + face);
            for (int i = 0; i < 3 + face; i++) {
                put_number(&file, 5, i % 3);
            }
            put_number(&file, 5, 1);
            put_number(&file, 6, 0.5);
        }
        put_number(&file, 4, 4);
        for (int i = 0; i < 4; i++) {
            put_number(&file, 4, i == 3 ? -1 : i);
        }
        sl_mesh_destroy(load(&file));
        sli_case_hostile(file.at, file.size, "a.ply");
    }
}
