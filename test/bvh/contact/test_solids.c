/* How two solids lie, against all cells of space, and by hand.  SIGHTLINE_TEST_SCALE=20 tries
 * 20,000 pairs. */
#include "bvh/contact/solid/solid.h"
#include "lib/base/memory.h"
#include "test/support/environment/watch.h"
#include "test/support/oracle/solid_oracle.h"
#include "test/support/test.h"

enum { SOUP_MAX = 4096 };

/* Triangles, each with corners of its own. */
typedef struct soup {
    float v[SOUP_MAX][3][3];
    size_t count;
} soup;

static soup soups[2];

static void soup_add(soup *s, const float a[3], const float b[3], const float c[3])
{
    assert_true(s->count < SOUP_MAX);
    memcpy(s->v[s->count][0], a, sizeof s->v[0][0]);
    memcpy(s->v[s->count][1], b, sizeof s->v[0][0]);
    memcpy(s->v[s->count][2], c, sizeof s->v[0][0]);
    s->count++;
}

/* A quad a b c d, cut along either diagonal; turned: seen from behind. */
static void soup_quad(soup *s, float v[4][3], bool turned, bool other)
{
    const int order[2][6] = { { 0, 1, 2, 0, 2, 3 }, { 1, 2, 3, 1, 3, 0 } };
    for (int i = 0; i < 6; i += 3) {
        const int *k = &order[other][i];
        soup_add(s, v[k[0]], v[k[turned ? 2 : 1]], v[k[turned ? 1 : 2]]);
    }
}

/* One face of a box, whole or square by square. */
static void soup_face(soup *s, const float min[3], const float max[3], int axis, bool high,
                      bool turned, bool fine, test_random *random)
{
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    const float step[2] = { fine ? 1 : max[u] - min[u], fine ? 1 : max[v] - min[v] };
    for (float x = min[u]; x < max[u]; x += step[0]) {
        for (float y = min[v]; y < max[v]; y += step[1]) {
            float quad[4][3];
            for (int i = 0; i < 4; i++) {
                quad[i][axis] = high ? max[axis] : min[axis];
                quad[i][u] = x + (i == 1 || i == 2 ? step[0] : 0);
                quad[i][v] = y + (i >= 2 ? step[1] : 0);
            }
            soup_quad(s, quad, turned == high, random != NULL && test_random_below(random, 2));
        }
    }
}

static void soup_box(soup *s, const float min[3], const float max[3], int sign, bool fine,
                     test_random *random)
{
    for (int i = 0; i < 6; i++) {
        soup_face(s, min, max, i / 2, i % 2 == 1, sign < 0, fine, random);
    }
}

/* Triangles in another order, their corners too. */
static void soup_shuffle(soup *s, test_random *random)
{
    for (size_t i = s->count; i > 1; i--) {
        const size_t k = test_random_below(random, (uint32_t)i);
        float kept[3][3];
        memcpy(kept, s->v[i - 1], sizeof kept);
        memcpy(s->v[i - 1], s->v[k], sizeof kept);
        for (uint32_t c = 0, turn = test_random_below(random, 3); c < 3; c++) {
            memcpy(s->v[k][c], kept[(c + turn) % 3], sizeof kept[0]);
        }
    }
}

static sl_bvh *soup_bvh(const soup *s, size_t first, size_t count, const sl_build_def *def)
{
    FREED uint32_t *index = made_memory(count * 3 * sizeof *index + 1);
    for (uint32_t i = 0; i < 3 * count; i++) {
        index[i] = i;
    }
    return made_bvh_alone(made_mesh(s->v + first, 3 * count, index, count, NULL), def);
}

/* A solid: a tree, or a tree over up to three instances of trees, each with a part of it. */
enum { PARTS = 3 };
typedef struct body {
    sl_bvh *parts[PARTS], *all;
} body;

static void body_destroy(body *b)
{
    sl_bvh_destroy(b->all);
    for (int i = 0; i < PARTS; i++) {
        sl_bvh_destroy(b->parts[i]);
    }
}

static void body_make(body *b, const soup *s, const sl_transform *where, test_random *random)
{
    static const sl_build_def defs[3] = { { .quality = SL_BVH_QUALITY_FAST },
                                          { .quality = SL_BVH_QUALITY_HIGH },
                                          { .layout = SL_BVH_LAYOUT_COMPACT } };
    const sl_build_def *def = &defs[test_random_below(random, 3)];
    const size_t first = 2 + test_random_below(random, (uint32_t)s->count - 3);
    const size_t cuts[PARTS + 1] = { 0, first / 2, first, s->count };
    sl_instance instances[PARTS];
    *b = (body){ .all = NULL };
    if (where == NULL) {
        b->all = soup_bvh(s, 0, s->count, def);
        return;
    }
    for (int i = 0; i < PARTS; i++) {
        b->parts[i] = soup_bvh(s, cuts[i], cuts[i + 1] - cuts[i], def);
        instances[i] = (sl_instance){ .bvh = b->parts[i], .transform = *where };
    }
    b->all = made_scene(instances, PARTS, NULL);
}

static sl_solids ask(const sl_bvh *a, const sl_bvh *b, bool by_parity)
{
    const sl_solids_def def = { .by_parity = by_parity };
    sl_solids out;
    sl_error error;
    if (sl_bvh_solids(a, b, &def, &out, &error) != SL_OK) {
        fail_msg("%s", error.message);
    }
    return out;
}

static sl_solid_relation turned_around(sl_solid_relation relation)
{
    return relation == SL_SOLIDS_A_INSIDE   ? SL_SOLIDS_B_INSIDE
           : relation == SL_SOLIDS_B_INSIDE ? SL_SOLIDS_A_INSIDE
                                            : relation;
}

/* Whole numbers up to size, det != 0: an oblique lattice. */
static sl_transform random_map(test_random *random, int size)
{
    double det = 0;
    sl_transform t = { .m = { { 0 } } };
    while (det == 0) {
        for (int i = 0; i < 9; i++) {
            t.m[i / 3][i % 3] = (double)test_random_below(random, 2 * (uint32_t)size + 1) - size;
        }
        det = 0;
        for (int i = 0; i < 3; i++) {
            const int j = (i + 1) % 3, k = (i + 2) % 3;
            det += t.m[0][i] * (t.m[1][j] * t.m[2][k] - t.m[1][k] * t.m[2][j]);
        }
    }
    return t;
}

static void soup_map(soup *s, const sl_transform *t)
{
    for (size_t i = 0; i < 3 * s->count; i++) {
        float *x = s->v[i / 3][i % 3], y[3];
        for (int axis = 0; axis < 3; axis++) {
            const double *m = t->m[axis];
            y[axis] =
                (float)(m[0] * (double)x[0] + m[1] * (double)x[1] + m[2] * (double)x[2] + m[3]);
        }
        memcpy(x, y, sizeof y);
    }
}

/* An affine map that changes no answer, and loses nothing in floats: of small numbers, near and
 * far; of numbers of 18 bits; denormal; huge. */
static sl_transform map_in_floats(test_random *random)
{
    const int kind = (int)test_random_below(random, 5);
    sl_transform t = random_map(random, kind == 1 ? 1 << 18 : 3);
    for (int i = 0; i < 12; i++) {
        double *m = &t.m[i / 4][i % 4];
        *m = i % 4 == 3 && kind == 0 ? 1e7 + i : *m;
        *m = kind == 2 ? ldexp(*m, -149) : kind == 3 ? ldexp(*m, 120) : *m;
    }
    return t;
}

static const char *const names[] = { "apart",    "touching", "overlapping", "a inside",
                                     "b inside", "equal",    "none" };

static void soup_print(const soup *s)
{
    for (size_t i = 0; i < s->count; i++) {
        printf("  {");
        for (int k = 0; k < 9; k++) {
            printf(" %g", (double)s->v[i][k / 3][k % 3]);
        }
        printf(" }\n");
    }
}

static size_t counts[SL_SOLIDS_NONE + 1][2];
static size_t wrong;

static void compare(const sl_solids *found, const sl_solids *right, const char *what)
{
    if (found->relation != right->relation || found->boundaries_meet != right->boundaries_meet ||
        found->open[0] || found->open[1]) {
        printf("%s: %s, %d instead of %s, %d; open %d %d\n", what, names[found->relation],
               found->boundaries_meet, names[right->relation], right->boundaries_meet,
               found->open[0], found->open[1]);
        if (wrong++ == 0) {
            soup_print(&soups[0]);
            printf("  and\n");
            soup_print(&soups[1]);
        }
    }
}

/* The highest relation of two triangles, of floats. */
static sl_relation relation_of_soups(void)
{
    sl_relation highest = SL_APART;
    for (size_t i = 0; i < soups[0].count * soups[1].count; i++) {
        sl_triangle_d t[2];
        for (int k = 0; k < 9; k++) {
            t[0].v[k / 3][k % 3] = (double)soups[0].v[i / soups[1].count][k / 3][k % 3];
            t[1].v[k / 3][k % 3] = (double)soups[1].v[i % soups[1].count][k / 3][k % 3];
        }
        const sl_relation relation = sl_triangle_triangle(&t[0], &t[1], NULL);
        highest = relation > highest ? relation : highest;
    }
    return highest;
}

/* Both soups, either way round, as trees or, under a map in doubles, as instances. */
static void check_soups(const sl_solids *right, bool by_parity, test_random *random)
{
    UNDONE(body_destroy) body a, b;
    sl_transform where = random_map(random, 1 << 20);
    where.m[0][3] = 1e10;
    const bool instances = test_random_below(random, 3) == 0;
    if (!instances) {
        const sl_transform map = map_in_floats(random);
        soup_map(&soups[0], &map);
        soup_map(&soups[1], &map);
    }
    body_make(&a, &soups[0], instances ? &where : NULL, random);
    body_make(&b, &soups[1], instances ? &where : NULL, random);
    sl_solids found = ask(a.all, b.all, by_parity), back = ask(b.all, a.all, by_parity);
    compare(&found, right, "as it is");
    assert_int_equal(found.surfaces, back.surfaces);
    assert_true(instances || found.surfaces == relation_of_soups());
    back.relation = turned_around(back.relation);
    compare(&back, right, "the other way round");
    counts[right->relation][right->boundaries_meet]++;
}

static void check_counts(void)
{
    for (int i = 0; i < SL_SOLIDS_NONE; i++) {
        printf("%s: %zu, boundaries meet %zu\n", names[i], counts[i][0], counts[i][1]);
        assert_true(test_is_brief() || counts[i][0] + counts[i][1] > 0);
    }
    assert_int_equal(wrong, 0);
    memset(counts, 0, sizeof counts);
}

static void random_box(test_random *random, solid_box *box)
{
    for (int axis = 0; axis < 3; axis++) {
        const int size = 1 + (int)test_random_below(random, SOLID_LATTICE);
        box->min[axis] = (int)test_random_below(random, (uint32_t)(SOLID_LATTICE - size + 1));
        box->max[axis] = box->min[axis] + size;
    }
    box->sign = test_random_below(random, 4) == 0 ? -1 : 1;
}

/* Some boxes of the second solid are those of the first, or grow out of them. */
static void random_boxes(test_random *random, solid_box *boxes, int count, const solid_box *like,
                         int like_count)
{
    for (int i = 0; i < count; i++) {
        random_box(random, &boxes[i]);
        if (like != NULL && test_random_below(random, 3) == 0) {
            boxes[i] = like[test_random_below(random, (uint32_t)like_count)];
            const int axis = (int)test_random_below(random, 3);
            if (test_random_below(random, 2) && boxes[i].max[axis] < SOLID_LATTICE) {
                boxes[i].max[axis]++;
            }
        }
        if (i > 0 && test_random_below(random, 6) == 0) {
            boxes[i] = boxes[i - 1];
            boxes[i].sign = test_random_below(random, 2) ? 1 : -1;
        }
    }
}

static void soup_boxes(soup *s, const solid_box *boxes, int count, test_random *random)
{
    s->count = 0;
    for (int i = 0; i < count; i++) {
        float min[3], max[3];
        for (int axis = 0; axis < 3; axis++) {
            min[axis] = (float)boxes[i].min[axis];
            max[axis] = (float)boxes[i].max[axis];
        }
        soup_box(s, min, max, boxes[i].sign, test_random_below(random, 4) == 0, random);
    }
    if (test_random_below(random, 4) == 0) { /* a sheet that cancels itself */
        const float min[3] = { 1, 0, 2 }, max[3] = { 3, 4, 4 };
        soup_face(s, min, max, 2, true, false, false, random);
        soup_face(s, min, max, 2, true, true, false, NULL);
    }
    soup_shuffle(s, random);
}

TEST(boxes_on_a_lattice)
{
    test_random random = { test_seed(1) };
    for (size_t i = 0; i < test_count(500); i++) {
        solid_box a[SOLID_PIECES_MAX], b[SOLID_PIECES_MAX];
        const int a_count = 1 + (int)test_random_below(&random, i % 2 == 0 ? 1 : 3);
        const int b_count = 1 + (int)test_random_below(&random, i % 4 < 2 ? 1 : 3);
        const bool by_parity = test_random_below(&random, 3) == 0;
        random_boxes(&random, a, a_count, NULL, 0);
        random_boxes(&random, b, b_count, a, a_count);
        soup_boxes(&soups[0], a, a_count, &random);
        soup_boxes(&soups[1], b, b_count, &random);
        const sl_solids right = solid_oracle_boxes(a, a_count, b, b_count, by_parity);
        check_soups(&right, by_parity, &random);
    }
    check_counts();
}

/* ---- Tetrahedra ---- */

static int tet_det(const solid_tet *t)
{
    int m[3][3], det = 0;
    for (int i = 0; i < 3; i++) {
        for (int axis = 0; axis < 3; axis++) {
            m[i][axis] = t->v[i + 1][axis] - t->v[0][axis];
        }
    }
    for (int i = 0; i < 3; i++) {
        det += m[0][i] *
               (m[1][(i + 1) % 3] * m[2][(i + 2) % 3] - m[1][(i + 2) % 3] * m[2][(i + 1) % 3]);
    }
    return det;
}

/* Corners of a small or a larger lattice, some of them those of another one. */
static void random_tet(test_random *random, solid_tet *t, const solid_tet *like)
{
    const int size = test_random_below(random, 2) ? 2 : 8;
    do {
        const uint32_t shared = like != NULL ? test_random_below(random, 5) : 0;
        for (uint32_t i = 0; i < 4; i++) {
            for (int axis = 0; axis < 3; axis++) {
                t->v[i][axis] = i < shared
                                    ? like->v[i][axis]
                                    : (int)test_random_below(random, 2 * (uint32_t)size + 1) - size;
            }
        }
    } while (tet_det(t) == 0);
    if (tet_det(t) < 0) {
        for (int axis = 0; axis < 3; axis++) {
            const int kept = t->v[0][axis];
            t->v[0][axis] = t->v[1][axis];
            t->v[1][axis] = kept;
        }
    }
    t->sign = test_random_below(random, 4) == 0 ? -1 : 1;
}

static void soup_tets(soup *s, const solid_tet *tets, int count, test_random *random)
{
    static const int face[4][3] = { { 1, 2, 3 }, { 0, 3, 2 }, { 0, 1, 3 }, { 0, 2, 1 } };
    s->count = 0;
    for (int i = 0; i < 4 * count; i++) {
        const solid_tet *t = &tets[i / 4];
        float v[4][3];
        for (int k = 0; k < 12; k++) {
            v[k / 3][k % 3] = (float)t->v[k / 3][k % 3];
        }
        const int *k = face[i % 4];
        soup_add(s, v[k[0]], v[k[t->sign > 0 ? 1 : 2]], v[k[t->sign > 0 ? 2 : 1]]);
    }
    soup_shuffle(s, random);
}

/* One that is half as large, within or beside it. */
static void halve_tet(test_random *random, solid_tet *t, const solid_tet *of)
{
    int by[3];
    *t = *of;
    for (int axis = 0; axis < 3; axis++) {
        by[axis] = (int)test_random_below(random, 9) - 4;
    }
    for (int i = 0; i < 12; i++) {
        t->v[i / 3][i % 3] = of->v[i / 3][i % 3] / 2 + by[i % 3];
    }
}

TEST(tetrahedra)
{
    test_random random = { test_seed(2) };
    for (size_t i = 0; i < test_count(500); i++) {
        solid_tet all[4];
        const int a_count = 1 + (int)test_random_below(&random, i % 4 == 0 ? 3 : 1);
        const int b_count = i % 8 == 1 ? 2 : 1;
        const bool by_parity = test_random_below(&random, 3) == 0;
        for (int k = 0; k < a_count + b_count; k++) {
            random_tet(&random, &all[k],
                       k > 0 && test_random_below(&random, 2) ? &all[k - 1] : NULL);
            if (k > 0 && test_random_below(&random, 4) == 0) {
                halve_tet(&random, &all[k], &all[k - 1]);
                if (tet_det(&all[k]) <= 0) {
                    all[k] = all[k - 1];
                }
            }
        }
        soup_tets(&soups[0], all, a_count, &random);
        soup_tets(&soups[1], all + a_count, b_count, &random);
        const sl_solids right = solid_oracle_tets(all, a_count, all + a_count, b_count, by_parity);
        check_soups(&right, by_parity, &random);
    }
    check_counts();
}

/* ---- By hand ---- */

static void hand_box(soup *s, float x0, float y0, float z0, float x1, float y1, float z1)
{
    const float min[3] = { x0, y0, z0 }, max[3] = { x1, y1, z1 };
    soup_box(s, min, max, 1, false, NULL);
}

static sl_solids ask_soups(bool by_parity)
{
    OWN(sl_bvh) a = soup_bvh(&soups[0], 0, soups[0].count, NULL);
    OWN(sl_bvh) b = soup_bvh(&soups[1], 0, soups[1].count, NULL);
    return ask(a, b, by_parity);
}

static void expect(sl_solid_relation relation, bool meet, sl_relation surfaces)
{
    const sl_solids found = ask_soups(false);
    assert_int_equal(found.relation, relation);
    assert_int_equal(found.boundaries_meet, meet);
    assert_int_equal(found.surfaces, surfaces);
}

static void two_boxes(const float a[6], const float b[6])
{
    soups[0].count = soups[1].count = 0;
    hand_box(&soups[0], a[0], a[1], a[2], a[3], a[4], a[5]);
    hand_box(&soups[1], b[0], b[1], b[2], b[3], b[4], b[5]);
}

/* Walls 0.2 thick and 3 high, of which one goes on along the other: their sides, tops and bottoms
 * are in the same planes, and nothing crosses. */
TEST(coplanar_walls_overlap_by_50_mm)
{
    two_boxes((const float[6]){ 0, 0, 0, 5, 0.2f, 3 }, (const float[6]){ 4.95f, 0, 0, 9, 0.2f, 3 });
    expect(SL_SOLIDS_OVERLAPPING, true, SL_COPLANAR_SAME);
}

TEST(slabs_that_lie_on_one_another_touch)
{
    two_boxes((const float[6]){ 0, 0, 0, 4, 4, 0.3f }, (const float[6]){ 1, 1, 0.3f, 3, 6, 0.5f });
    expect(SL_SOLIDS_TOUCHING, true, SL_COPLANAR_OPPOSITE);
}

TEST(walls_that_meet_at_a_corner_touch)
{
    two_boxes((const float[6]){ 0, 0, 0, 1, 1, 3 }, (const float[6]){ 1, 1, 0, 2, 2, 3 });
    expect(SL_SOLIDS_TOUCHING, true, SL_TOUCHING);
    two_boxes((const float[6]){ 0, 0, 0, 1, 1, 1 }, (const float[6]){ 1, 1, 1, 2, 2, 2 });
    expect(SL_SOLIDS_TOUCHING, true, SL_TOUCHING);
}

TEST(elements_within_one_another)
{
    two_boxes((const float[6]){ 1, 1, 1, 2, 2, 2 }, (const float[6]){ 0, 0, 0, 3, 3, 3 });
    expect(SL_SOLIDS_A_INSIDE, false, SL_APART);
    two_boxes((const float[6]){ 0, 0, 0, 3, 3, 3 }, (const float[6]){ 1, 1, 0, 2, 2, 2 });
    expect(SL_SOLIDS_B_INSIDE, true, SL_COPLANAR_SAME);
}

/* The sleeve is a ring around the pipe. */
TEST(a_pipe_in_a_sleeve)
{
    soups[0].count = soups[1].count = 0;
    hand_box(&soups[0], 1, 1, -5, 2, 2, 5);
    for (int i = 0; i < 4; i++) { /* walls of the ring, which touch one another */
        const float x0 = i == 1 ? 2.5f : 0, x1 = i == 0 ? 0.5f : 3;
        const float y0 = i == 3 ? 2.5f : 0, y1 = i == 2 ? 0.5f : 3;
        hand_box(&soups[1], x0, y0, 0, x1, y1, 1);
    }
    expect(SL_SOLIDS_APART, false, SL_APART);
    hand_box(&soups[1], 0, 0, 0, 1, 3, 1); /* which reaches the pipe */
    expect(SL_SOLIDS_TOUCHING, true, SL_COPLANAR_OPPOSITE);
}

/* The same box, cut into other triangles. */
TEST(duplicates_are_equal)
{
    test_random random = { 7 };
    two_boxes((const float[6]){ 0, 0, 0, 3, 2, 1 }, (const float[6]){ 0, 0, 0, 3, 2, 1 });
    expect(SL_SOLIDS_EQUAL, true, SL_COPLANAR_SAME);
    for (int i = 0; i < 10; i++) {
        const float min[3] = { 0, 0, 0 }, max[3] = { 3, 2, 1 };
        soups[1].count = 0;
        soup_box(&soups[1], min, max, i % 2 == 0 ? 1 : -1, i >= 5, &random);
        const sl_solids found = ask_soups(i % 3 == 0);
        assert_int_equal(found.relation, SL_SOLIDS_EQUAL);
        assert_true(found.boundaries_meet);
    }
}

/* As many triangles and the same bounds do not make solids equal: a box at a corner of the first
 * one of both is longer in the second solid. */
TEST(solids_of_like_parts_are_not_equal)
{
    two_boxes((const float[6]){ 0, 0, 0, 2, 2, 2 }, (const float[6]){ 0, 0, 0, 2, 2, 2 });
    hand_box(&soups[0], 2, 2, 2, 3, 3, 3);
    hand_box(&soups[1], 2, 2, 1, 3, 3, 3);
    expect(SL_SOLIDS_A_INSIDE, true, SL_COPLANAR_SAME);
}

/* Double pyramids over the same square, one higher and less deep: through the sides of the square
 * they pass through one another, and no two triangles cross. */
TEST(solids_that_pass_through_one_another_along_edges)
{
    static const float ring[4][3] = { { 1, 0, 0 }, { 0, 1, 0 }, { -1, 0, 0 }, { 0, -1, 0 } };
    static const float up[2][3] = { { 0, 0, 1 }, { 0, 0, 2 } };
    static const float down[2][3] = { { 0, 0, -1 }, { 0, 0, -0.5f } };
    for (int k = 0; k < 2; k++) {
        soups[k].count = 0;
        for (int i = 0; i < 4; i++) {
            soup_add(&soups[k], up[k], ring[i], ring[(i + 1) % 4]);
            soup_add(&soups[k], down[k], ring[(i + 1) % 4], ring[i]);
        }
    }
    expect(SL_SOLIDS_OVERLAPPING, true, SL_TOUCHING);
}

/* Two boxes that overlap have a concave edge at x = 2, y = 1, in which another solid's tip is. Of
 * both faces there one part is boundary, and the other one within the other box. */
TEST(a_tip_in_a_concave_edge_touches)
{
    static const float tip[4][3] = {
        { 2, 1, 0.75f }, { 4, 0.5f, 0.75f }, { 3.5f, -1, 0.75f }, { 3.5f, 0, 2 }
    };
    for (int i = 0; i < 2; i++) {
        soups[0].count = soups[1].count = 0;
        hand_box(&soups[0], 0, 0, 0, 2, 2, 2);
        hand_box(&soups[0], 1, 1, 0, 3, 3, 2);
        float v[4][3];
        memcpy(v, tip, sizeof v);
        v[0][0] += i == 0 ? 0 : 0x1p-20f;
        v[0][1] -= i == 0 ? 0 : 0x1p-20f;
        soup_add(&soups[1], v[1], v[2], v[3]);
        soup_add(&soups[1], v[0], v[3], v[2]);
        soup_add(&soups[1], v[0], v[1], v[3]);
        soup_add(&soups[1], v[0], v[2], v[1]);
        expect(i == 0 ? SL_SOLIDS_TOUCHING : SL_SOLIDS_APART, i == 0,
               i == 0 ? SL_TOUCHING : SL_APART);
    }
}

static void hand_signed(soup *s, float from, float to, int sign)
{
    const float min[3] = { from, from, from }, max[3] = { to, to, to };
    soup_box(s, min, max, sign, false, NULL);
}

/* Within a box there is a second one, of winding number 2, and at one of its corners a third, which
 * is a hole, and so outside of the solid, but in the other one.  One triangle of these two does not
 * tell of the other one. */
TEST(a_hole_that_hangs_at_a_corner_is_seen)
{
    for (int first = 0; first < 2; first++) {
        soups[0].count = soups[1].count = 0;
        for (int i = 0; i < 2; i++) {
            const int k = i ^ first;
            hand_signed(&soups[0], k == 0 ? 1 : 2, k == 0 ? 2 : 3, k == 0 ? 1 : -1);
        }
        hand_signed(&soups[0], -2, 8, 1);
        hand_signed(&soups[1], -1, 7, 1);
        expect(SL_SOLIDS_OVERLAPPING, false, SL_APART);
    }
}

/* Gathers where witnesses are. */
typedef struct seen {
    size_t count;
    double at[16][3];
} seen;

static bool see(void *context, sli_witness *witness)
{
    seen *s = context;
    assert_true(s->count < 16);
    memcpy(s->at[s->count++], witness->near, sizeof s->at[0]);
    return true;
}

static bool has_seen(const seen *s, double x, double y)
{
    size_t count = 0;
    for (size_t i = 0; i < s->count; i++) {
        count += s->at[i][0] == x && s->at[i][1] == y && s->at[i][2] == 0;
    }
    return count == 1;
}

/* x = 2 and y = 2 in the triangle below x + y = 8 cross at (2, 2): four parts, of which the middles
 * are (2, 1), (2, 4), (1, 2) and (4, 2); with a third cut along the diagonal, up to (3, 3), four
 * and two.  Corners are their ends, and those of the triangle. */
TEST(cuts_are_split_where_they_cross)
{
    const sl_triangle_d t = { { { 0, 0, 0 }, { 8, 0, 0 }, { 0, 8, 0 } } };
    const sl_triangle_d by[4] = { { { { 2, -9, 0 }, { 2, 30, -30 }, { 2, 30, 30 } } },
                                  { { { -9, 2, 0 }, { 30, 2, -30 }, { 30, 2, 30 } } },
                                  { { { 2, 2, 5 }, { 3, 2, 5 }, { 3, 9, 5 } } },
                                  { { { -2, -2, 0 }, { 3, 3, 0 }, { 3, 3, 9 } } } };
    sli_pieces pieces = { .allocator = sli_allocator(NULL) };
    seen s = { 0 };
    sli_pieces_begin(&pieces, &t);
    for (int i = 0; i < 3; i++) {
        assert_true(sli_pieces_cut(&pieces, &by[i]));
    }
    assert_true(sli_pieces_witnesses(&pieces, see, &s));
    assert_int_equal(s.count, 4);
    assert_true(has_seen(&s, 2, 1) && has_seen(&s, 2, 4) && has_seen(&s, 1, 2));
    assert_true(has_seen(&s, 4, 2));
    assert_true(sli_pieces_cut(&pieces, &by[3]));
    s.count = 0;
    assert_true(sli_pieces_witnesses(&pieces, see, &s));
    assert_int_equal(s.count, 6);
    assert_true(has_seen(&s, 1, 1) && has_seen(&s, 2.5, 2.5));
    s.count = 0;
    assert_true(sli_pieces_corners(&pieces, see, &s));
    assert_int_equal(s.count, 12); /* three of the triangle, three of each cut */
    assert_true(has_seen(&s, 3, 3) && has_seen(&s, 0, 8) && has_seen(&s, 6, 2));
    sli_pieces_free(&pieces);
}

/* One face is missing. */
TEST(open_meshes_have_surfaces_alone)
{
    two_boxes((const float[6]){ 0, 0, 0, 2, 2, 2 }, (const float[6]){ 1, 1, 1, 3, 3, 3 });
    soups[0].count--;
    const sl_solids found = ask_soups(false);
    assert_int_equal(found.relation, SL_SOLIDS_NONE);
    assert_true(found.open[0] && !found.open[1]);
    assert_int_equal(found.surfaces, SL_CROSSING);
}

/* Of one triangle the wrong side is its front: by winding number an edge goes one way twice. */
TEST(a_triangle_that_is_turned_opens_a_mesh_but_not_by_parity)
{
    two_boxes((const float[6]){ 0, 0, 0, 2, 2, 2 }, (const float[6]){ 1, 1, 1, 3, 3, 3 });
    float kept[3];
    memcpy(kept, soups[0].v[4][0], sizeof kept);
    memcpy(soups[0].v[4][0], soups[0].v[4][1], sizeof kept);
    memcpy(soups[0].v[4][1], kept, sizeof kept);
    assert_true(ask_soups(false).open[0]);
    const sl_solids found = ask_soups(true);
    assert_int_equal(found.relation, SL_SOLIDS_OVERLAPPING);
    assert_false(found.open[0]);
}

TEST(a_solid_without_points_is_apart_from_all)
{
    two_boxes((const float[6]){ 0, 0, 0, 2, 2, 2 }, (const float[6]){ 1, 1, 1, 3, 3, 3 });
    soups[0].count = 0;
    expect(SL_SOLIDS_APART, false, SL_APART);
    soups[1].count = 0;
    expect(SL_SOLIDS_APART, false, SL_APART);
}

/* ---- Options and failures ---- */

/* Two boxes as instances of one tree, of which options leave one out. */
TEST(options_say_what_is_there)
{
    two_boxes((const float[6]){ 0, 0, 0, 1, 1, 1 }, (const float[6]){ 0.5f, 0, 0, 2, 1, 1 });
    OWN(sl_bvh) a = soup_bvh(&soups[0], 0, soups[0].count, NULL);
    OWN(sl_bvh) b = soup_bvh(&soups[1], 0, soups[1].count, NULL);
    sl_instance instances[2] = { { .bvh = a, .mask = 1 }, { .bvh = a, .mask = 2 } };
    for (int axis = 0; axis < 3; axis++) {
        instances[0].transform.m[axis][axis] = instances[1].transform.m[axis][axis] = 1;
    }
    instances[1].transform.m[0][3] = 5;
    OWN(sl_bvh) both = made_scene(instances, 2, NULL);
    const sl_instance_range first = { 0, 1 };
    const sl_triangle_ref face[1] = { { .prim = 0, .instance = 0 } };
    const sl_options near = { .mask = 1 }, far = { .mask = 2 };
    const sl_options ignored = { .ignore = &first, .ignore_count = 1 };
    const sl_options skipped = { .skip = face, .skip_count = 1 };
    const struct {
        const sl_options *options;
        sl_solid_relation relation;
    } cases[] = { { NULL, SL_SOLIDS_OVERLAPPING },
                  { &near, SL_SOLIDS_OVERLAPPING },
                  { &far, SL_SOLIDS_APART },
                  { &ignored, SL_SOLIDS_APART },
                  { &skipped, SL_SOLIDS_NONE } };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const sl_solids_def def = { .a = cases[i].options };
        sl_solids out;
        assert_int_equal(sl_bvh_solids(both, b, &def, &out, NULL), SL_OK);
        assert_int_equal(out.relation, cases[i].relation);
    }
}

/* Pairs that take all ways: regions, pieces, corners, copies. */
static void hard_pair(int i)
{
    test_random random = { 11 };
    two_boxes((const float[6]){ 0, 0, 0, 4, 4, 4 }, (const float[6]){ 1, 1, 0, 2, 2, 2 });
    if (i == 1) {
        hand_box(&soups[0], 2, 2, 2, 5, 5, 5);
    } else if (i == 2) {
        const float min[3] = { 0, 0, 0 }, max[3] = { 4, 4, 4 };
        soups[1].count = 0;
        soup_box(&soups[1], min, max, 1, true, &random);
    } else if (i == 3) {
        soups[1] = soups[0];
    }
}

TEST(memory_may_run_out_at_any_point)
{
    for (int i = 0; i < 4; i++) {
        hard_pair(i);
        OWN(sl_bvh) a = soup_bvh(&soups[0], 0, soups[0].count, NULL);
        OWN(sl_bvh) b = soup_bvh(&soups[1], 0, soups[1].count, NULL);
        sl_solids_def def = { .by_parity = false };
        sli_failing_allocator memory = TEST_NO_FAILURE_YET;
        const sl_solids right = ask(a, b, false);
        size_t step = 0;
        while (test_next_failure(&memory, &def.hooks.allocator)) {
            sl_solids out = { .relation = SL_SOLIDS_NONE };
            sl_error error;
            const sl_result result = sl_bvh_solids(a, b, &def, &out, &error);
            assert_int_equal(result, memory.failed ? SL_OUT_OF_MEMORY : SL_OK);
            assert_int_equal(out.relation, memory.failed ? SL_SOLIDS_NONE : right.relation);
            memory.fail_at += test_is_brief() ? step++ : 0;
        }
    }
}

TEST(the_caller_may_stop_it)
{
    hard_pair(2);
    OWN(sl_bvh) a = soup_bvh(&soups[0], 0, soups[0].count, NULL);
    OWN(sl_bvh) b = soup_bvh(&soups[1], 0, soups[1].count, NULL);
    bool done = false;
    for (int stop_at = 0; !done; stop_at++) {
        test_watch watch = { .stop_at = stop_at, .phase = "solids" };
        const sl_solids_def def = { .hooks.progress = test_watch_progress(&watch) };
        sl_solids out;
        sl_error error;
        const sl_result result = sl_bvh_solids(a, b, &def, &out, &error);
        done = result == SL_OK;
        assert_true(done || result == SL_CANCELLED);
        assert_true(done ? watch.calls > 2 : watch.calls == stop_at + 1);
    }
}

TEST(arguments_are_checked)
{
    two_boxes((const float[6]){ 0, 0, 0, 1, 1, 1 }, (const float[6]){ 0, 0, 0, 1, 1, 1 });
    OWN(sl_bvh) a = soup_bvh(&soups[0], 0, soups[0].count, NULL);
    sl_solids out;
    sl_error error;
    assert_int_equal(sl_bvh_solids(NULL, a, NULL, &out, &error), SL_INVALID_ARGUMENT);
    assert_int_equal(sl_bvh_solids(a, NULL, NULL, &out, &error), SL_INVALID_ARGUMENT);
    assert_int_equal(sl_bvh_solids(a, a, NULL, NULL, &error), SL_INVALID_ARGUMENT);
}
