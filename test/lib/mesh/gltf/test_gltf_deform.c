/* lib/mesh/gltf/deform.c and node.c: skins, morph targets and hidden nodes, in a file as one mesh
 * and in its nodes.
 *
 * The body: a square of four corners.  Joint 0 stands at (10, 0, 0); joint 1, its child, two above
 * it, a quarter turn around z, and was bound at (0, 1, 0).  So joint 0 takes (x, y, z) to
 * (x + 10, y, z), and joint 1 to (11 - y, x + 2, z).  The node that has the skin stands elsewhere,
 * which does not count. */
#include "test/support/input/glb.h"
#include "test/support/input/io_formats.h"
#include "test/support/input/mesh_case.h"
#include "test/support/test.h"

#include <stddef.h>

/* What the files' accessors read. */
typedef struct body {
    float positions[4][3], weights[4][4], binds[2][16], added[4][3], normals[4][3], copies[2][3];
    float more_weights[4][4];
    uint16_t joints16[4][4], weights16[4][4];
    uint8_t joints[4][4], weights8[4][4], more_joints[4][4];
    int8_t added8[4][4];
    uint32_t triangles[6];
} body;

static const body square = {
    .positions = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 1, 2, 3 } },
    .weights = { { 1 }, { 0.5f, 0.5f }, { 0, 1 }, { 0, 0.25f, 0.75f } },
    .binds = { { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 },
               { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -1, 0, 1 } },
    .added = { { 0, 0, 8 }, { 0, 4, 0 }, { 2, 0, 0 }, { 1, 1, 1 } },
    .normals = { { 0, 0, 1 }, { 1, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 } },
    .copies = { { 0, 0, 0 }, { 0, 0, 50 } },
    .more_weights = { { 0 }, { 0 }, { 0 }, { 0.25f } },
    .joints16 = { { 0, 9, 9, 9 }, { 0, 1, 9, 9 }, { 9, 1 }, { 9, 1, 0 } },
    .weights16 = { { 65535 }, { 13107, 52428 }, { 0, 65535 }, { 0, 52428, 13107 } },
    .joints = { { 0, 9, 9, 9 }, { 0, 1, 9, 9 }, { 9, 1 }, { 9, 1, 0 } },
    .weights8 = { { 255 }, { 51, 204 }, { 0, 255 }, { 0, 204, 51 } },
    .more_joints = { { 0 }, { 0 }, { 0 }, { 1 } },
    .added8 = { { 0, 0, 127 }, { 0, -127, 0 }, { -128, 0, 0 }, { 0 } },
    .triangles = { 0, 1, 2, 2, 1, 3 },
};

/* Accessors by number; of each its offset, the type of its components, and what it is. */
static const struct {
    size_t at;
    int type, count;
    const char *rest;
} table[] = {
    { offsetof(body, positions), 5126, 4, "\"VEC3\"" },
    { offsetof(body, triangles), 5125, 6, "\"SCALAR\"" },
    { offsetof(body, joints), 5121, 4, "\"VEC4\"" },
    { offsetof(body, weights), 5126, 4, "\"VEC4\"" },
    { offsetof(body, binds), 5126, 2, "\"MAT4\"" },
    { offsetof(body, joints16), 5123, 4, "\"VEC4\"" },
    { offsetof(body, weights8), 5121, 4, "\"VEC4\",\"normalized\":true" },
    { offsetof(body, weights16), 5123, 4, "\"VEC4\",\"normalized\":true" },
    { offsetof(body, added), 5126, 4, "\"VEC3\"" },
    { offsetof(body, normals), 5126, 4, "\"VEC3\"" },
    { offsetof(body, copies), 5126, 2, "\"VEC3\"" },
    { offsetof(body, more_joints), 5121, 4, "\"VEC4\"" },
    { offsetof(body, more_weights), 5126, 4, "\"VEC4\"" },
    { offsetof(body, positions), 5126, 3, "\"VEC3\"" },
};
enum { TABLE = sizeof table / sizeof table[0] };

#define SKIN_NODES                                                                                 \
    "\"nodes\":[{\"mesh\":0,\"skin\":0,\"translation\":[100,100,100],\"scale\":[3,3,3]},"          \
    "{\"translation\":[10,0,0],\"children\":[2]},"                                                 \
    "{\"translation\":[0,2,0],\"rotation\":[0,0,0.70710677,0.70710677]}],"
#define SKIN       "\"skins\":[{\"joints\":[1,2],\"inverseBindMatrices\":4}],"
#define PRIMITIVE  "{\"indices\":1,\"attributes\":{\"POSITION\":0"
#define MESH(more) "\"meshes\":[{\"primitives\":[" PRIMITIVE more "]}]"
#define BOUND      ",\"JOINTS_0\":2,\"WEIGHTS_0\":3"

/* Of two such texts (each freed by the next but one that is made). */
static char *file_of(const char *json, const char *more_accessors)
{
    static char whole[2][8192];
    static int turn;
    char *to = whole[turn = !turn];
    int at =
        snprintf(to, sizeof whole[0],
                 "%s,\"bufferViews\":[{\"buffer\":0,\"byteLength\":%zu},{\"buffer\":0,"
                 "\"byteLength\":%zu,\"byteStride\":4,\"byteOffset\":%zu}],\"buffers\":[{"
                 "\"byteLength\":%zu}],\"accessors\":[",
                 json, sizeof(body), sizeof square.added8, offsetof(body, added8), sizeof(body));
    for (int i = 0; i < TABLE; i++) {
        at +=
            snprintf(to + at, sizeof whole[0] - (size_t)at,
                     "%s{\"bufferView\":0,\"byteOffset\":%zu,\"componentType\":%d,\"count\":%d,"
                     "\"type\":%s}",
                     i == 0 ? "" : ",", table[i].at, table[i].type, table[i].count, table[i].rest);
    }
    snprintf(to + at, sizeof whole[0] - (size_t)at, "%s]", more_accessors);
    return to;
}

static sl_mesh *flat_of(const char *json)
{
    return glb_load(file_of(json, ""), &square, sizeof square);
}

static void expect_refused(const char *json, sl_result code, const char *words)
{
    const sl_error error = glb_refuse(file_of(json, ""), &square, sizeof square, code);
    sli_case_says(&error, words);
    assert_true(error.byte >= 0);
}

static glb glb_of(const char *json)
{
    char whole[8300];
    snprintf(whole, sizeof whole, "{\"asset\":{\"version\":\"2.0\"},%s}", file_of(json, ""));
    return glb_make(whole, &square, sizeof square);
}

static sl_gltf *nodes_of(const char *json, const sl_mesh_def *def)
{
    UNDONE(glb_free) glb file = glb_of(json);
    sl_gltf *gltf = NULL;
    sl_error error = { 0 };
    if (sl_gltf_load_memory(file.bytes, file.size, "a.glb", def, &gltf, &error) != SL_OK) {
        fail_msg("%s", error.message);
    }
    return gltf;
}

/* The nodes of the file, each corner in the world: those of the flattened mesh. */
static void expect_nodes_as_flat(const char *json)
{
    OWN(sl_mesh) flat = flat_of(json);
    OWN(sl_gltf) gltf = nodes_of(json, NULL);
    const sl_gltf_info info = sl_gltf_get_info(gltf);
    uint32_t prim = 0;
    for (size_t i = 0; i < info.instance_count; i++) {
        const sl_mesh *mesh = sl_gltf_mesh(gltf, info.instances[i].mesh, NULL);
        for (uint32_t own = 0; own < sl_mesh_soup(mesh).triangle_count; own++, prim++) {
            sl_triangle a, b;
            assert_true(sl_mesh_triangle(mesh, own, &a) && sl_mesh_triangle(flat, prim, &b));
            for (int c = 0; c < 3; c++) {
                double corner[3];
                assert_true(sl_transform_corner(&info.instances[i].transform, 0, a.v[c], corner));
                for (int axis = 0; axis < 3; axis++) {
                    assert_true((float)corner[axis] == b.v[c][axis]);
                }
            }
        }
    }
    assert_int_equal(prim, sl_mesh_soup(flat).triangle_count);
}

static void expect_vertices(const char *json, size_t count, const float wanted[][3])
{
    OWN(sl_mesh) flat = flat_of(json);
    sli_case_vertices(flat, count, wanted);
    expect_nodes_as_flat(json);
}

TEST_ONCE(with_io_formats, NULL);

/* ---- skins ----------------------------------------------------------------------------------- */

static const float bent[4][3] = {
    { 10, 0, 0 },       /* joint 0 */
    { 11, 1.5f, 0 },    /* between (11, 0, 0) and (11, 3, 0) */
    { 10, 2, 0 },       /* joint 1 */
    { 10.5f, 2.25f, 3 } /* 0.75 of (11, 2, 3) and 0.25 of (9, 3, 3) */
};

TEST(a_skin_takes_vertices_to_where_joints_stand_and_its_node_does_not_count)
{
    expect_vertices(SKIN_NODES SKIN MESH(BOUND "}}"), 4, bent);
    OWN(sl_gltf) gltf = nodes_of(SKIN_NODES SKIN MESH(BOUND "}}"), NULL);
    const sl_transform identity = sl_transform_identity();
    assert_memory_equal(&sl_gltf_get_info(gltf).instances[0].transform, &identity, sizeof identity);
}

TEST(the_scene_need_not_have_the_joints)
{
    expect_vertices("\"scenes\":[{\"nodes\":[0]}]," SKIN_NODES SKIN MESH(BOUND "}}"), 4, bent);
}

/* 0.2 of joint 0 and 0.8 of joint 1. */
TEST(joints_and_weights_may_be_of_8_and_16_bits)
{
    const float wanted[4][3] = { { 10, 0, 0 },
                                 { 11, 2.4f, 0 },
                                 { 10, 2, 0 },
                                 { (float)(9 + 0.2 * 2), (float)(2 * 0.2 + 3 * 0.8), 3 } };
    expect_vertices(SKIN_NODES SKIN MESH(",\"JOINTS_0\":2,\"WEIGHTS_0\":6}}"), 4, wanted);
    expect_vertices(SKIN_NODES SKIN MESH(",\"JOINTS_0\":5,\"WEIGHTS_0\":6}}"), 4, wanted);
    expect_vertices(SKIN_NODES SKIN MESH(",\"JOINTS_0\":2,\"WEIGHTS_0\":7}}"), 4, wanted);
    expect_vertices(SKIN_NODES SKIN MESH(",\"JOINTS_0\":5,\"WEIGHTS_0\":3}}"), 4, bent);
}

/* The last vertex has 0.25 of (9, 3, 3) more: weights need not have the sum 1. */
TEST(further_sets_are_added_and_weights_are_taken_as_they_are)
{
    float wanted[4][3];
    memcpy(wanted, bent, sizeof wanted);
    wanted[3][0] = 12.75f;
    wanted[3][1] = 3;
    wanted[3][2] = 3.75f;
    expect_vertices(SKIN_NODES SKIN MESH(BOUND ",\"JOINTS_1\":11,\"WEIGHTS_1\":12}}"), 4,
                    (const float(*)[3])wanted);
}

/* Joint 1 takes (x, y, z) to (10 - y, x + 2, z). */
TEST(without_inverse_bind_matrices_they_are_identities)
{
    const float wanted[4][3] = {
        { 10, 0, 0 }, { 10.5f, 1.5f, 0 }, { 9, 2, 0 }, { 10.25f, 2.25f, 3 }
    };
    expect_vertices(SKIN_NODES "\"skins\":[{\"joints\":[1,2],\"skeleton\":0}]," MESH(BOUND "}}"), 4,
                    wanted);
}

/* All at the origin of weights, but vertex 2, which a sparse element gives joint 1. */
TEST(accessors_of_skins_may_be_sparse)
{
    const float wanted[4][3] = { { 0, 0, 0 }, { 0, 0, 0 }, { 10, 2, 0 }, { 0, 0, 0 } };
    char sparse[400];
    snprintf(sparse, sizeof sparse,
             ",{\"componentType\":5126,\"count\":4,\"type\":\"VEC4\",\"sparse\":{\"count\":1,"
             "\"indices\":{\"bufferView\":0,\"byteOffset\":%zu,\"componentType\":5125},"
             "\"values\":{\"bufferView\":0,\"byteOffset\":%zu}}}",
             offsetof(body, triangles[2]), offsetof(body, weights[2]));
    OWN(sl_mesh) mesh =
        glb_load(file_of(SKIN_NODES SKIN MESH(",\"JOINTS_0\":2,\"WEIGHTS_0\":14}}"), sparse),
                 &square, sizeof square);
    sli_case_vertices(mesh, 4, wanted);
}

TEST(primitives_share_vertices_where_the_same_joints_move_them)
{
    const char json[] =
        SKIN_NODES SKIN MESH(BOUND "}}," PRIMITIVE ",\"JOINTS_0\":2,\"WEIGHTS_0\":6}}," PRIMITIVE
                                   ",\"JOINTS_0\":2,\"WEIGHTS_0\":6,\"NORMAL\":9}}");
    OWN(sl_mesh) mesh = flat_of(json);
    assert_int_equal(sl_mesh_get_info(mesh).vertex_count, 8);
    sli_case_triangle(mesh, 2, 4, 5, 6);
    sli_case_triangle(mesh, 4, 4, 5, 6);
    sli_case_vertex(mesh, 1, 11, 1.5f, 0);
    sli_case_vertex(mesh, 5, 11, 2.4f, 0);
    expect_nodes_as_flat(json);
}

/* The copies of a node with a skin stand in the world. */
TEST(copies_of_a_skinned_node_are_moved_by_their_own_transforms_alone)
{
    const char json[] =
        "\"nodes\":[{\"mesh\":0,\"skin\":0,\"scale\":[5,5,5],\"extensions\":{\"EXT_mesh_gpu_"
        "instancing\":{\"attributes\":{\"TRANSLATION\":10}}}},{\"translation\":[10,0,0],"
        "\"children\":[2]},{\"translation\":[0,2,0],\"rotation\":[0,0,0.70710677,0.70710677]}]"
        "," SKIN MESH(BOUND "}}");
    float wanted[8][3];
    memcpy(wanted, bent, sizeof bent);
    memcpy(wanted[4], bent, sizeof bent);
    for (int i = 4; i < 8; i++) {
        wanted[i][2] += 50;
    }
    expect_vertices(json, 8, (const float(*)[3])wanted);
}

/* Joint 0 takes x to 10 - x, and joint 1 mirrors with it. */
TEST(a_skin_that_mirrors_exchanges_corners_so_that_the_front_stays)
{
    const char json[] =
        "\"nodes\":[{\"mesh\":0,\"skin\":0},{\"translation\":[10,0,0],\"scale\":[-1,1,1],"
        "\"children\":[2]},{}],\"skins\":[{\"joints\":[1,2]}]," MESH(BOUND "}}");
    OWN(sl_mesh) mesh = flat_of(json);
    sli_case_vertex(mesh, 1, 9, 0, 0);
    sli_case_triangle(mesh, 0, 0, 2, 1);
    expect_nodes_as_flat(json);
}

/* Two nodes and two skins of one mesh: what is there twice is not the same. */
TEST(each_skinned_node_has_a_mesh_of_its_own)
{
    const char json[] =
        "\"nodes\":[{\"mesh\":0,\"skin\":0},{\"translation\":[10,0,0],\"children\":[2]},"
        "{\"translation\":[0,2,0],\"rotation\":[0,0,0.70710677,0.70710677]},"
        "{\"mesh\":0,\"skin\":1},{\"mesh\":0},{\"mesh\":0,\"translation\":[7,0,0]}],"
        "\"skins\":[{\"joints\":[1,2],\"inverseBindMatrices\":4},{\"joints\":[1,1]}]," MESH(BOUND
                                                                                            "}}");
    OWN(sl_gltf) gltf = nodes_of(json, NULL);
    const sl_gltf_info info = sl_gltf_get_info(gltf);
    assert_int_equal(info.mesh_count, 3);
    static const uint32_t meshes[4] = { 0, 1, 2, 2 };
    for (size_t i = 0; i < 4; i++) {
        uint32_t number;
        assert_int_equal(info.instances[i].mesh, meshes[i]);
        assert_non_null(sl_gltf_mesh(gltf, info.instances[i].mesh, &number));
        assert_int_equal(number, 0);
    }
    sli_case_vertices(sl_gltf_mesh(gltf, 0, NULL), 4, bent);
    sli_case_vertices(sl_gltf_mesh(gltf, 2, NULL), 4, square.positions);
    expect_nodes_as_flat(json);
}

/* Vertex 0: joint 0, which does not turn; 1: half of a quarter turn, of which the sum of the
 * matrices is (0.5 -0.5; 0.5 0.5), whose normals turn by 45 degrees; 2: a quarter turn. */
TEST(normals_turn_with_their_joints)
{
    OWN(sl_mesh) mesh = flat_of(SKIN_NODES SKIN MESH(BOUND ",\"NORMAL\":9}}"));
    sl_mesh_attribute normals;
    assert_true(sl_mesh_get_attribute(mesh, SL_MESH_NORMALS, &normals));
    const float half = (float)sqrt(0.5);
    const float wanted[3][3] = { { 0, 0, 1 }, { half, half, 0 }, { 0, 1, 0 } };
    for (int i = 0; i < 9; i++) {
        assert_true(normals.values[i] == wanted[i / 3][i % 3]);
    }
}

/* Vertex 2 of two primitives with the same normals: joint 1 turns it in the first, joint 0 does not
 * in the second; the third is the first once more. */
TEST(normals_that_primitives_share_turn_with_the_joints_of_each)
{
    body two = square;
    memcpy(two.more_weights, ((float[4][4]){ { 1 }, { 1 }, { 1 }, { 1 } }),
           sizeof two.more_weights);
    memset(two.more_joints, 0, sizeof two.more_joints);
    OWN(sl_mesh) mesh = glb_load(
        file_of(SKIN_NODES SKIN MESH(
                    BOUND ",\"NORMAL\":9}}," PRIMITIVE
                          ",\"JOINTS_0\":11,\"WEIGHTS_0\":12,\"NORMAL\":9}}," PRIMITIVE BOUND
                          ",\"NORMAL\":9}}"),
                ""),
        &two, sizeof two);
    for (uint32_t prim = 0; prim < 6; prim += 2) {
        sl_mesh_point point;
        assert_true(sl_mesh_at(mesh, prim, 0, 1, NULL, &point));
        assert_true(point.normal[0] == (prim == 2) && point.normal[1] == (prim != 2));
    }
}

TEST(a_mesh_that_no_skinned_node_shows_stays_as_it_is)
{
    const char broken[] = ",\"JOINTS_0\":0,\"WEIGHTS_0\":99}}";
    char json[500];
    snprintf(json, sizeof json, "\"nodes\":[{\"mesh\":0}]," MESH("%s"), broken);
    expect_vertices(json, 4, square.positions);
}

/* ---- morph targets --------------------------------------------------------------------------- */

#define TARGETS(more) "},\"targets\":[{\"POSITION\":8},{\"NORMAL\":9},{\"POSITION\":8}]}]" more "}]"
#define MORPHED(more) "\"meshes\":[{\"primitives\":[" PRIMITIVE TARGETS(more)

static const float half_added[4][3] = {
    { 0, 0, 4 }, { 1, 2, 0 }, { 1, 1, 0 }, { 1.5f, 2.5f, 3.5f }
};

TEST(default_weights_of_the_mesh_add_morph_targets)
{
    expect_vertices("\"nodes\":[{\"mesh\":0}]," MORPHED(",\"weights\":[0.25,7,0.25]"), 4,
                    half_added);
    expect_vertices("\"nodes\":[{\"mesh\":0}]," MORPHED(",\"weights\":[0.5]"), 4, half_added);
    expect_vertices("\"nodes\":[{\"mesh\":0}]," MORPHED(""), 4, square.positions);
}

TEST(weights_of_a_node_stand_for_those_of_its_mesh)
{
    const char json[] =
        "\"nodes\":[{\"mesh\":0},{\"mesh\":0,\"weights\":[0,0,0.5]},{\"mesh\":0,\"weights\":[0]},"
        "{\"mesh\":0}]," MORPHED(",\"weights\":[1]");
    OWN(sl_gltf) gltf = nodes_of(json, NULL);
    assert_int_equal(sl_gltf_get_info(gltf).mesh_count, 3);
    assert_int_equal(sl_gltf_get_info(gltf).instances[3].mesh, 0);
    sli_case_vertex(sl_gltf_mesh(gltf, 0, NULL), 0, 0, 0, 8);
    sli_case_vertices(sl_gltf_mesh(gltf, 1, NULL), 4, half_added);
    sli_case_vertices(sl_gltf_mesh(gltf, 2, NULL), 4, square.positions);
    expect_nodes_as_flat(json);
}

TEST(targets_may_be_quantized)
{
    const float wanted[4][3] = { { 0, 0, 1 }, { 1, -1, 0 }, { -1, 1, 0 }, { 1, 2, 3 } };
    const char json[] = "\"extensionsRequired\":[\"KHR_mesh_quantization\"],\"nodes\":[{\"mesh\":0}"
                        "],\"meshes\":[{\"primitives\":[" PRIMITIVE
                        "},\"targets\":[{\"POSITION\":14}]}],\"weights\":[1]}]";
    OWN(sl_mesh) mesh =
        glb_load(file_of(json, ",{\"bufferView\":1,\"componentType\":5120,\"normalized\":true,"
                               "\"count\":4,\"type\":\"VEC3\"}"),
                 &square, sizeof square);
    sli_case_vertices(mesh, 4, wanted);
}

/* Vertex 2: (0, 1, 0) + (2, 0, 0), then joint 1: (10, 4, 0). */
TEST(morph_targets_come_before_the_skin)
{
    OWN(sl_mesh) mesh =
        flat_of(SKIN_NODES SKIN
                "\"meshes\":[{\"primitives\":[" PRIMITIVE BOUND TARGETS(",\"weights\":[1]"));
    sli_case_vertex(mesh, 0, 10, 0, 8);
    sli_case_vertex(mesh, 2, 10, 4, 0);
}

/* (0, 0, 1) + 2 * (0, 0, 1), and (1, 0, 0) + 2 * (1, 0, 0): rows are added as positions are. */
TEST(morph_targets_add_to_normals)
{
    OWN(sl_mesh) mesh = flat_of("\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"primitives\":[" PRIMITIVE
                                ",\"NORMAL\":9" TARGETS(",\"weights\":[0,2]"));
    sl_mesh_attribute normals;
    assert_true(sl_mesh_get_attribute(mesh, SL_MESH_NORMALS, &normals));
    assert_true(normals.values[2] == 3 && normals.values[3] == 3 && normals.values[4] == 0);
}

/* ---- hidden nodes ---------------------------------------------------------------------------- */

#define HIDE(visible) "\"extensions\":{\"KHR_node_visibility\":{" visible "}}"
#define HIDDEN                                                                                     \
    "\"extensionsUsed\":[\"KHR_node_visibility\"],\"extensionsRequired\":[\"KHR_node_visibility\"" \
    "],\"nodes\":[{\"mesh\":0},{\"children\":[2,3]," HIDE(                                         \
        "\"visible\":false") "},{\"mesh\":0," HIDE("\"visible\":true") "},{\"children\":[4]},"     \
                                                                       "{\"mesh\":0,"              \
                                                                       "\"translation\":[1,0,0]}," \
                                                                       "{\"mesh\":0," HIDE(        \
                                                                           "") "}]," MESH("}}")

TEST(a_hidden_node_hides_all_below_unless_hidden_nodes_are_wanted)
{
    OWN(sl_mesh) flat = flat_of(HIDDEN);
    assert_int_equal(sl_mesh_soup(flat).triangle_count, 4);
    const sl_mesh_info info = sl_mesh_get_info(flat);
    assert_int_equal(info.note_count, 1);
    assert_int_equal(info.notes[0].kind, SL_NOTE_HIDDEN);
    assert_int_equal(info.notes[0].count, 2);
    expect_nodes_as_flat(HIDDEN);
    const sl_mesh_def def = { .hidden_nodes = true, .formats = sl_io_formats() };
    OWN(sl_gltf) gltf = nodes_of(HIDDEN, &def);
    assert_int_equal(sl_gltf_get_info(gltf).instance_count, 4);
    assert_int_equal(sl_mesh_get_info(sl_gltf_mesh(gltf, 0, NULL)).note_count, 0);
    UNDONE(glb_free) glb file = glb_of(HIDDEN);
    OWN(sl_mesh) all = sli_case_load(file.bytes, file.size, "a.glb", &def);
    assert_int_equal(sl_mesh_soup(all).triangle_count, 8);
}

TEST(joints_may_be_hidden)
{
    const char json[] =
        "\"nodes\":[{\"mesh\":0,\"skin\":0},{\"translation\":[10,0,0],\"children\":[2]," HIDE(
            "\"visible\":false") "},{\"translation\":[0,2,0],\"rotation\":[0,0,0.70710677,"
                                 "0.70710677]}]," SKIN MESH(BOUND "}}");
    expect_vertices(json, 4, bent);
}

/* ---- notes ----------------------------------------------------------------------------------- */

TEST(what_is_not_applied_is_noted)
{
    const char json[] = "\"animations\":[{},{}],\"extensionsUsed\":[\"KHR_materials_unlit\","
                        "\"MSFT_lod\",5],\"nodes\":[{\"mesh\":0}]," MESH("}}");
    OWN(sl_mesh) mesh = flat_of(json);
    const sl_mesh_info info = sl_mesh_get_info(mesh);
    assert_int_equal(info.note_count, 2);
    assert_int_equal(info.notes[0].kind, SL_NOTE_NOT_APPLIED);
    assert_string_equal(info.notes[0].what, "animations");
    assert_int_equal(info.notes[0].count, 2);
    assert_int_equal(info.notes[1].kind, SL_NOTE_UNKNOWN);
    assert_string_equal(info.notes[1].what, "MSFT_lod");
}

/* ---- what is wrong --------------------------------------------------------------------------- */

TEST(lies_about_skins_are_refused)
{
    static const struct {
        const char *json;
        sl_result code;
        const char *words;
    } cases[] = {
        { "\"nodes\":[{\"mesh\":0,\"skin\":0}]," MESH(BOUND "}}"), SL_BAD_INDEX,
          "nodes[0]: 'skin' is 0, but there are 0 skins" },
        { SKIN_NODES "\"skins\":[{}]," MESH(BOUND "}}"), SL_BAD_DATA, "skins[0]: 'joints' is mis" },
        { SKIN_NODES "\"skins\":[{\"joints\":[]}]," MESH(BOUND "}}"), SL_BAD_DATA, "or empty" },
        { SKIN_NODES "\"skins\":[{\"joints\":[1,3]}]," MESH(BOUND "}}"), SL_BAD_INDEX,
          "skins[0]: 'joints' is 3, but there are 3 nodes" },
        { SKIN_NODES "\"skins\":[{\"joints\":[1,\"a\"]}]," MESH(BOUND "}}"), SL_BAD_DATA,
          "'joints' is a text" },
        { SKIN_NODES "\"skins\":[{\"joints\":[1]}]," MESH(BOUND "}}"), SL_BAD_INDEX,
          "meshes[0].primitives[0]: its vertex 1 has joint 1, but skins[0] has 1" },
        { SKIN_NODES "\"skins\":[{\"joints\":[1,2,1],\"inverseBindMatrices\":4}]," MESH(BOUND "}}"),
          SL_BAD_DATA, "is not a MAT4 of floats for each of 3 joints" },
        { SKIN_NODES "\"skins\":[{\"joints\":[1],\"inverseBindMatrices\":3}]," MESH(BOUND "}}"),
          SL_BAD_DATA, "is accessors[3]" },
        { SKIN_NODES "\"skins\":[{\"joints\":[1],\"inverseBindMatrices\":77}]," MESH(BOUND "}}"),
          SL_BAD_INDEX, "'inverseBindMatrices' is 77" },
        { SKIN_NODES SKIN MESH("}}"), SL_BAD_DATA, "gives it skins[0], but it has no JOINTS_0" },
        { SKIN_NODES SKIN MESH(",\"JOINTS_0\":2}}"), SL_BAD_DATA, "'WEIGHTS_0' is missing" },
        { SKIN_NODES SKIN MESH(",\"JOINTS_0\":3,\"WEIGHTS_0\":3}}"), SL_BAD_DATA,
          "accessors[3], its joints, is not 4 elements VEC4 of 8 or 16 bits" },
        { SKIN_NODES SKIN MESH(",\"JOINTS_0\":6,\"WEIGHTS_0\":3}}"), SL_BAD_DATA, "its joints" },
        { SKIN_NODES SKIN MESH(",\"JOINTS_0\":2,\"WEIGHTS_0\":2}}"), SL_BAD_DATA, "its weights" },
        { SKIN_NODES SKIN MESH(",\"JOINTS_0\":2,\"WEIGHTS_0\":0}}"), SL_BAD_DATA, "its weights" },
        { SKIN_NODES SKIN MESH(BOUND ",\"JOINTS_1\":2,\"WEIGHTS_1\":true}}"), SL_BAD_DATA,
          "'WEIGHTS_1' is true" },
        { "\"nodes\":[{\"mesh\":0,\"weights\":1}]," MESH("}}"), SL_BAD_DATA, "'weights' is a num" },
        { "\"nodes\":[{\"mesh\":0,\"weights\":[0,null]}]," MESH("}}"), SL_BAD_DATA,
          "nodes[0]: 'weights' holds something that is no number" },
        { "\"nodes\":[{\"mesh\":0}]," MORPHED(",\"weights\":[\"a\"]"), SL_BAD_DATA,
          "meshes[0]: 'weights' holds" },
        { "\"nodes\":[{\"mesh\":0}]," MORPHED(",\"weights\":[0,0,0,1]"), SL_BAD_DATA,
          "weight 3 is not 0, but 'targets' has no object 3; it has 3" },
        { "\"nodes\":[{\"mesh\":0,\"weights\":[0,1]}],\"meshes\":[{\"primitives\":[" PRIMITIVE
          "},\"targets\":[{},{\"POSITION\":13}]}]}]",
          SL_BAD_DATA, "meshes[0].primitives[0].targets[1]: 'POSITION' is accessors[13]" },
        { "\"nodes\":[{\"mesh\":0,\"weights\":[1]}],\"meshes\":[{\"primitives\":[" PRIMITIVE
          "},\"targets\":[{\"POSITION\":-1}]}]}]",
          SL_BAD_INDEX, "targets[0]: 'POSITION' is -1" },
        { "\"nodes\":[{" HIDE("\"visible\":0") "}]", SL_BAD_DATA, "'visible' is a number" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        expect_refused(cases[i].json, cases[i].code, cases[i].words);
    }
}

/* Infinite and no numbers are bad triangles, as those of transforms are; a joint whose weight is 0
 * is not looked at. */
TEST(matrices_that_are_not_finite_make_bad_triangles)
{
    body bad = square;
    bad.binds[1][5] = NAN;
    const char *json = file_of(SKIN_NODES SKIN MESH(BOUND "}}"), "");
    glb_refuse(json, &bad, sizeof bad, SL_NOT_FINITE);
    memset(bad.joints, 0, sizeof bad.joints);
    OWN(sl_mesh) mesh = glb_load(json, &bad, sizeof bad);
    assert_int_equal(sl_mesh_soup(mesh).triangle_count, 2);
}

TEST(hostile_variants_are_survived)
{
    UNDONE(glb_free)
    glb file =
        glb_of(SKIN_NODES SKIN
               "\"meshes\":[{\"primitives\":[" PRIMITIVE BOUND
               ",\"NORMAL\":9,\"JOINTS_1\":11,\"WEIGHTS_1\":12" TARGETS(",\"weights\":[1,2]"));
    sli_case_hostile(file.bytes, file.size, "a.glb");
    sli_failing_allocator memory = TEST_NO_FAILURE_YET;
    sl_mesh_def def = { 0 };
    while (test_next_failure(&memory, &def.hooks.allocator)) {
        OWN(sl_gltf) gltf = NULL;
        const sl_result result =
            sl_gltf_load_memory(file.bytes, file.size, "a.glb", &def, &gltf, NULL);
        assert_int_equal(result, memory.failed ? SL_OUT_OF_MEMORY : SL_OK);
    }
}

/* count pieces, the first without its comma. */
static char *repeat(char *to, const char *piece, int count)
{
    for (int i = 0; i < count; i++) {
        to += sprintf(to, "%s", i == 0 ? piece + 1 : piece);
    }
    return to;
}

/* Files of some megabytes that name one accessor in a hundred thousand morph targets, whose mesh as
 * many nodes show; or a million joints. */
TEST(small_files_that_ask_for_much_are_refused)
{
    static const char rest[] =
        "],\"bufferViews\":[{\"buffer\":0,\"byteLength\":48}],\"buffers\":[{\"byteLength\":48}],"
        "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\"},"
        "{\"componentType\":5125,\"count\":6,\"type\":\"SCALAR\"}]";
    enum { MANY = 100000, JOINTS = 1000000 };
    for (int weight = 0; weight < 2; weight++) {
        FREED char *text = made_memory(MANY * 40 + 1000);
        char *to =
            text + sprintf(text, "\"meshes\":[{\"primitives\":[" PRIMITIVE "},\"targets\":[");
        to = repeat(to, ",{\"POSITION\":0}", MANY);
        to = repeat(to + sprintf(to, "]}],\"weights\":["), weight == 0 ? ",0" : ",1", MANY);
        to = repeat(to + sprintf(to, "]}],\"nodes\":["), ",{\"mesh\":0}", MANY);
        strcpy(to, rest);
        if (weight == 0) {
            OWN(sl_mesh) mesh = glb_load(text, &square, 48);
            assert_int_equal(sl_mesh_soup(mesh).triangle_count, 2 * MANY);
        } else {
            const sl_error error = glb_refuse(text, &square, 48, SL_TOO_LARGE);
            sli_case_says(&error, "morph targets and joints move vertices");
        }
    }
    FREED char *text = made_memory(JOINTS * 2 + 1000);
    char *to =
        text + sprintf(text, "\"meshes\":[{\"primitives\":[" PRIMITIVE
                             ",\"JOINTS_0\":0,\"WEIGHTS_0\":0}}]}],\"skins\":[{\"joints\":[");
    to = repeat(to, ",0", JOINTS);
    sprintf(to, "]}],\"nodes\":[{\"mesh\":0,\"skin\":0}%s", rest);
    glb_refuse(text, &square, 48, SL_TOO_LARGE);
}
