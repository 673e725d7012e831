/* lib/mesh/polygon.c against plain arithmetic in integers: polygons on small grids, which touch and
 * cross themselves as they like; simple ones; ones with holes.
 * SIGHTLINE_TEST_SCALE=25 tries a million. */
#include "lib/mesh/polygon.h"

#include "test/support/input/mesh_case.h"
#include "test/support/test.h"

enum { MOST = 120, USUAL = 10000 };

typedef struct point {
    int64_t x, y;
} point;

typedef struct polygon {
    point at[MOST];
    size_t count;
} polygon;

/* ---- what is true ---- */

static int64_t area_of(point a, point b, point c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

static int sign_of(int64_t value)
{
    return (value > 0) - (value < 0);
}

static int turn(point a, point b, point c)
{
    return sign_of(area_of(a, b, c));
}

static bool equal(point a, point b)
{
    return a.x == b.x && a.y == b.y;
}

static bool before(point a, point b)
{
    return a.x < b.x || (a.x == b.x && a.y < b.y);
}

/* On the closed segment. */
static bool on_side(point p, point a, point b)
{
    return turn(a, b, p) == 0 && !before(p, before(a, b) ? a : b) &&
           !before(before(a, b) ? b : a, p);
}

static bool touch(point a, point b, point c, point d)
{
    return on_side(a, c, d) || on_side(b, c, d) || on_side(c, a, b) || on_side(d, a, b) ||
           (turn(a, b, c) * turn(a, b, d) < 0 && turn(c, d, a) * turn(c, d, b) < 0);
}

static point next_of(const polygon *p, size_t i)
{
    return p->at[i + 1 < p->count ? i + 1 : 0];
}

static int64_t whole_area(const polygon *p)
{
    int64_t sum = 0;
    for (size_t i = 0; i < p->count; i++) {
        sum += area_of(p->at[0], p->at[i], next_of(p, i));
    }
    return sum;
}

/* How often the polygon, twice as large, winds around m: right (left: false) or left of the sides
 * through m, all of which go up or down, with x and y changed where swapped. */
static int winding(const polygon *p, point m, bool swapped, bool left)
{
    int sum = 0;
    for (size_t i = 0; i < p->count; i++) {
        point a = { 2 * p->at[i].x, 2 * p->at[i].y };
        point b = { 2 * next_of(p, i).x, 2 * next_of(p, i).y };
        if (swapped) {
            a = (point){ a.y, a.x };
            b = (point){ b.y, b.x };
        }
        const int up = (a.y <= m.y && b.y > m.y) - (b.y <= m.y && a.y > m.y);
        const int side = turn(a, b, m) * up;
        sum += side > 0 || (side == 0 && left) ? up : 0;
    }
    return sum;
}

/* Whether it winds 0 or `sign` times around everything: on both sides of each piece of a side. */
static bool winds_once(const polygon *p, int sign)
{
    for (size_t i = 0; i < p->count; i++) {
        const point a = p->at[i], b = next_of(p, i);
        for (size_t j = 0; j < p->count; j++) {
            const point c = p->at[j], d = next_of(p, j);
            if (turn(a, b, c) * turn(a, b, d) < 0 && turn(c, d, a) * turn(c, d, b) < 0) {
                return false;
            }
            /* From a corner on the side to the next one. */
            point end = b;
            if (equal(a, b) || !on_side(c, a, b) || equal(c, b)) {
                continue;
            }
            for (size_t k = 0; k < p->count; k++) {
                const point e = p->at[k];
                end = on_side(e, c, end) && !equal(e, c) ? e : end;
            }
            const bool swapped = a.y == b.y;
            point m = { c.x + end.x, c.y + end.y };
            m = swapped ? (point){ m.y, m.x } : m;
            for (int left = 0; left < 2; left++) {
                const int w = winding(p, m, swapped, left != 0) * (swapped ? -1 : 1);
                if (w != 0 && w != sign) {
                    return false;
                }
            }
        }
    }
    return true;
}

/* Whether all corners on sides that they are no ends of come from one side of these and go back to
 * it.  Where they go through, or along, it may cross itself and wind around everything once. */
static bool only_touches(const polygon *p)
{
    for (size_t i = 0; i < p->count; i++) {
        const point a = p->at[i], b = next_of(p, i);
        for (size_t j = 0; j < p->count; j++) {
            const point c = p->at[j], from = p->at[j > 0 ? j - 1 : p->count - 1];
            if (on_side(c, a, b) && !equal(c, a) && !equal(c, b) &&
                turn(a, b, from) * turn(a, b, next_of(p, j)) <= 0) {
                return false;
            }
        }
    }
    return true;
}

/* Whether sides have in common only the corner between neighbours. */
static bool is_simple(const polygon *p)
{
    for (size_t i = 0; i < p->count; i++) {
        const point a = p->at[i], b = next_of(p, i), c = p->at[(i + 2) % p->count];
        if (equal(a, b) || on_side(a, b, c) || on_side(c, a, b)) {
            return false;
        }
        for (size_t j = i + 2; j < p->count && !(i == 0 && j + 1 == p->count); j++) {
            if (touch(a, b, p->at[j], next_of(p, j))) {
                return false;
            }
        }
    }
    return true;
}

/* ---- what is cut ---- */

typedef struct cut {
    bool crosses;
    size_t count, flat;
    uint32_t corners[3 * MOST];
} cut;

/* A side of a triangle (1) or of the polygon (-1), along its line. */
typedef struct stroke {
    point low, high;
    int weight;
} stroke;

static size_t add_stroke(stroke *strokes, size_t count, point a, point b, int weight)
{
    if (!equal(a, b)) {
        strokes[count++] = before(a, b) ? (stroke){ a, b, weight } : (stroke){ b, a, -weight };
    }
    return count;
}

/* Whether the triangles' sides are those of the polygon, all others being there in both directions:
 * then each point is inside as many triangles as the polygon winds around it. */
static bool same_boundary(const polygon *p, const cut *c)
{
    static stroke strokes[4 * MOST];
    size_t count = 0;
    for (size_t i = 0; i < 3 * c->count; i++) {
        const size_t next = i % 3 == 2 ? i - 2 : i + 1;
        count = add_stroke(strokes, count, p->at[c->corners[i]], p->at[c->corners[next]], 1);
    }
    for (size_t i = 0; i < p->count; i++) {
        count = add_stroke(strokes, count, p->at[i], next_of(p, i), -1);
    }
    for (size_t i = 0; i < count; i++) {
        /* Just behind where this one begins. */
        int sum = 0;
        for (size_t j = 0; j < count; j++) {
            const stroke *s = &strokes[j];
            const bool along = turn(strokes[i].low, strokes[i].high, s->low) == 0 &&
                               turn(strokes[i].low, strokes[i].high, s->high) == 0;
            sum += along && !before(strokes[i].low, s->low) && before(strokes[i].low, s->high)
                       ? s->weight
                       : 0;
        }
        if (sum != 0) {
            return false;
        }
    }
    return true;
}

/* Vertices of which the third coordinate bends the polygon a little, along the given axis; enlarged
 * and turned so that its axis is the one it is seen along. */
static void lift(const polygon *p, int axis, float scale, float bend, test_random *r, float *xyz)
{
    const float slope[2] = { test_random_in(r, -0.9f, 0.9f), test_random_in(r, -0.05f, 0.05f) };
    for (size_t i = 0; i < p->count; i++) {
        const float x = (float)p->at[i].x * scale, y = (float)p->at[i].y * scale;
        xyz[3 * i + (size_t)((axis + 1) % 3)] = x;
        xyz[3 * i + (size_t)((axis + 2) % 3)] = y;
        xyz[3 * i + (size_t)axis] =
            slope[0] * x + slope[1] * y + bend * scale * test_random_in(r, -1, 1);
    }
}

static void cut_polygon(const polygon *p, test_random *r, cut *out)
{
    FREED sli_polygon_work *work = made_memory(MOST * sizeof *work);
    sli_polygon_space space = { .work = work, .capacity = MOST };
    float xyz[3 * MOST];
    uint32_t fan[3 * MOST];
    const int axis = (int)test_random_below(r, 3);
    lift(p, axis, test_random_below(r, 2) == 0 ? 1.0f : 0x1p-40f,
         test_random_below(r, 2) == 0 ? 0.0f : 0x1p-20f, r, xyz);
    out->count = p->count - 2;
    out->flat = 0;
    for (uint32_t i = 0; i < out->count; i++) {
        const uint32_t triangle[3] = { 0, i + 1, i + 2 };
        memcpy(fan + 3 * (size_t)i, triangle, sizeof triangle);
    }
    memcpy(out->corners, fan, 3 * out->count * sizeof fan[0]);
    bool mirrored = false;
    const int seen = whole_area(p) != 0 ? sli_polygon_axis(xyz, fan, p->count, &mirrored) : axis;
    assert_int_equal(seen, axis);
    out->crosses = false;
    const bool quick = p->count == 4 && sli_polygon_quad_fits(xyz, fan);
    if (!quick && !sli_polygon_fan_fits(xyz, fan, p->count, axis)) {
        const sli_polygon_cut how =
            sli_polygon_cut_along(xyz, fan, p->count, axis, mirrored, &space);
        out->crosses = how == SLI_POLYGON_CROSSES;
        if (how == SLI_POLYGON_CUT) {
            memcpy(out->corners, space.triangles, 3 * out->count * sizeof fan[0]);
        }
    }
    for (size_t i = 0; i < out->count; i++) {
        const uint32_t *c = out->corners + 3 * i;
        out->flat += area_of(p->at[c[0]], p->at[c[1]], p->at[c[2]]) == 0;
    }
}

static void print_polygon(const polygon *p)
{
    for (size_t i = 0; i < p->count; i++) {
        printf(" (%lld,%lld)", (long long)p->at[i].x, (long long)p->at[i].y);
    }
    printf("\n");
}

#define WANT(polygon, claim)                                                                       \
    do {                                                                                           \
        if (!(claim)) {                                                                            \
            print_polygon(polygon);                                                                \
            fail_msg("%s", #claim);                                                                \
        }                                                                                          \
    } while (0)

/* Cuts it and looks whether that is right; false where it crosses itself. */
static bool check_cut(const polygon *p, test_random *r, cut *out)
{
    const int64_t area = whole_area(p);
    cut_polygon(p, r, out);
    const bool once = winds_once(p, area >= 0 ? 1 : -1) || (area == 0 && winds_once(p, -1));
    WANT(p, out->crosses || once);
    WANT(p, !out->crosses || !once || !only_touches(p));
    for (size_t i = 0; i < out->count && !out->crosses; i++) {
        const uint32_t *c = out->corners + 3 * i;
        WANT(p, c[0] < p->count && c[1] < p->count && c[2] < p->count);
        WANT(p, turn(p->at[c[0]], p->at[c[1]], p->at[c[2]]) * sign_of(area) >= 0);
    }
    WANT(p, out->crosses || same_boundary(p, out));
    WANT(p, (!out->crosses && out->flat == 0) || !is_simple(p));
    return !out->crosses;
}

/* ---- polygons ---- */

static point random_point(test_random *r, uint32_t size)
{
    return (point){ test_random_below(r, size), test_random_below(r, size) };
}

static void insert(polygon *p, size_t at, point value)
{
    memmove(p->at + at + 1, p->at + at, (p->count - at) * sizeof *p->at);
    p->at[at] = value;
    p->count++;
}

/* Whether the segment from a corner to q touches nothing but the sides at that position. */
static bool sees(const polygon *p, point corner, point q, size_t but)
{
    for (size_t i = 0; i < p->count; i++) {
        const point a = p->at[i], b = next_of(p, i);
        if (i == but) {
            continue;
        }
        if (equal(a, corner) || equal(b, corner)) {
            const point far = equal(a, corner) ? b : a;
            if (on_side(q, corner, far) || on_side(far, corner, q)) {
                return false;
            }
        } else if (touch(corner, q, a, b)) {
            return false;
        }
    }
    return true;
}

static void reverse(polygon *p)
{
    for (size_t i = 0; i < p->count / 2; i++) {
        const point swap = p->at[i];
        p->at[i] = p->at[p->count - 1 - i];
        p->at[p->count - 1 - i] = swap;
    }
}

/* A simple one, counter-clockwise, grows from a triangle by a corner in place of a side. */
static void grow_simple(polygon *p, test_random *r, size_t count, uint32_t size)
{
    do {
        p->count = 3;
        for (size_t i = 0; i < 3; i++) {
            p->at[i] = random_point(r, size);
        }
    } while (whole_area(p) <= 0);
    for (size_t tries = 0; p->count < count && tries < 30 * count; tries++) {
        const size_t side = test_random_below(r, (uint32_t)p->count);
        const point q = random_point(r, size), a = p->at[side], b = next_of(p, side);
        if (!equal(q, a) && !equal(q, b) && sees(p, a, q, side) && sees(p, b, q, side) &&
            !on_side(a, b, q) && !on_side(b, a, q)) {
            insert(p, side + 1, q);
        }
    }
    if (whole_area(p) < 0) {
        reverse(p);
    }
}

/* Cuts hole, which lies somewhere in the square, out of p by a side there and back; false: no. */
static bool make_hole(polygon *p, polygon *hole, test_random *r)
{
    polygon bridged = *p;
    for (size_t i = 0; i < hole->count; i++) {
        for (size_t j = 0; j < p->count; j++) {
            if (touch(hole->at[i], next_of(hole, i), p->at[j], next_of(p, j))) {
                return false;
            }
        }
    }
    const point inner = { 2 * hole->at[0].x, 2 * hole->at[0].y };
    for (int tries = 0; tries < 20 && winding(p, inner, false, true) == 1; tries++) {
        const size_t from = test_random_below(r, (uint32_t)p->count);
        const size_t to = test_random_below(r, (uint32_t)hole->count);
        if (sees(p, p->at[from], hole->at[to], SIZE_MAX) &&
            sees(hole, hole->at[to], p->at[from], SIZE_MAX)) {
            for (size_t i = 0; i <= hole->count; i++) {
                insert(&bridged, from + 1 + i, hole->at[(to + i) % hole->count]);
            }
            insert(&bridged, from + 2 + hole->count, p->at[from]);
            *p = bridged;
            return true;
        }
    }
    return false;
}

TEST(all_polygons_of_few_corners_are_cut_or_cross_themselves)
{
    test_random r = { test_seed(6) };
    const uint32_t most = test_is_brief() ? 4 : 5;
    for (uint32_t corners = 3, all = 729; corners <= most; corners++, all *= 9) {
        for (uint32_t number = 0; number < all; number++) {
            polygon p = { .count = corners };
            for (uint32_t i = 0, rest = number; i < corners; i++, rest /= 9) {
                p.at[i] = (point){ rest % 3, rest % 9 / 3 };
            }
            cut c;
            (void)check_cut(&p, &r, &c);
        }
    }
}

TEST(polygons_on_a_small_grid_are_cut_or_cross_themselves)
{
    test_random r = { test_seed(1) };
    size_t once = 0;
    const size_t count = test_count(2 * USUAL);
    for (size_t i = 0; i < count; i++) {
        polygon p = { .count = 3 + test_random_below(&r, 8) };
        const uint32_t size = 2 + test_random_below(&r, 5);
        for (size_t j = 0; j < p.count; j++) {
            p.at[j] = random_point(&r, size);
        }
        cut c;
        once += check_cut(&p, &r, &c);
    }
    assert_true(once > count / 20 && once < count - count / 20);
}

/* Corners that come where the polygon goes on to touch itself, if anything. */
TEST(polygons_that_touch_themselves_are_cut)
{
    test_random r = { test_seed(2) };
    for (size_t i = test_count(USUAL / 2); i > 0; i--) {
        polygon p;
        const uint32_t size = 3 + test_random_below(&r, 4);
        grow_simple(&p, &r, 3, size);
        for (int tries = 0; tries < 40 && p.count < 16; tries++) {
            polygon grown = p;
            insert(&grown, 1 + test_random_below(&r, (uint32_t)p.count), random_point(&r, size));
            p = winds_once(&grown, 1) && only_touches(&grown) ? grown : p;
        }
        cut c;
        if (test_random_below(&r, 2) == 0) {
            reverse(&p);
        }
        assert_true(check_cut(&p, &r, &c));
    }
}

TEST(simple_polygons_are_cut_into_triangles_that_all_have_an_area)
{
    test_random r = { test_seed(3) };
    for (size_t i = test_count(USUAL); i > 0; i--) {
        polygon p;
        grow_simple(&p, &r, 3 + test_random_below(&r, 30), 4u << test_random_below(&r, 19));
        if (test_random_below(&r, 2) == 0) {
            reverse(&p);
        }
        cut c;
        WANT(&p, is_simple(&p));
        WANT(&p, check_cut(&p, &r, &c));
        WANT(&p, c.flat == 0);
    }
}

TEST(polygons_with_holes_are_cut_into_triangles_that_all_have_an_area)
{
    test_random r = { test_seed(4) };
    size_t holes = 0;
    const size_t count = test_count(USUAL / 2);
    for (size_t i = 0; i < count; i++) {
        polygon p;
        const uint32_t size = 64u << test_random_below(&r, 10);
        grow_simple(&p, &r, 3 + test_random_below(&r, 8), size);
        for (int hole = 0; hole < 12 && p.count < MOST - 12; hole++) {
            polygon inner;
            const uint32_t inner_size = size / (4u << test_random_below(&r, 3));
            const point at = random_point(&r, size - inner_size);
            grow_simple(&inner, &r, 3 + test_random_below(&r, 4), inner_size);
            for (size_t j = 0; j < inner.count; j++) {
                inner.at[j].x += at.x;
                inner.at[j].y += at.y;
            }
            reverse(&inner);
            holes += make_hole(&p, &inner, &r);
        }
        cut c;
        WANT(&p, check_cut(&p, &r, &c));
        WANT(&p, c.flat == 0);
    }
    assert_true(holes > count);
}

/* ---- polygons of files ---- */

/* A square with a notch down to (2, 1); and with two holes, which sides lead to and back. */
#define NOTCH "v 0 0 0\nv 4 0 0\nv 4 4 0\nv 2 1 0\nv 0 4 0\n"
#define HOLES                                                                                      \
    "v 0 0 0\nv 9 0 0\nv 9 9 0\nv 0 9 0\nv 2 2 0\nv 2 4 0\nv 4 4 0\nv 4 2 0\n"                     \
    "v 6 6 0\nv 6 8 0\nv 8 8 0\nv 8 6 0\nf 1 2 3 4 1 5 6 7 9 10 11 12 9 7 8 5\n"
#define CROSSED "v 0 0 0\nv 4 4 0\nv 4 0 0\nv 0 4 0\nf 1 2 3 4\n"

/* How many triangles the line upwards through x, y hits. */
static size_t hits_at(const sl_bvh *bvh, float x, float y)
{
    const sl_ray ray = { .origin = { x, y, -100 }, .dir = { 0, 0, 1 }, .tmax = INFINITY };
    return sl_bvh_all(bvh, &ray, NULL, NULL, 0);
}

TEST(a_ray_in_a_notch_hits_nothing)
{
    sl_mesh *mesh = sli_case_load_text(NOTCH "f 1 2 3 4 5\n", "a.obj");
    assert_int_equal(sl_mesh_get_info(mesh).note_count, 0);
    assert_int_equal(sl_mesh_get_info(mesh).triangle_count, 3);
    OWN(sl_bvh) bvh = made_bvh_alone(mesh, NULL);
    assert_int_equal(hits_at(bvh, 2, 2), 0);
    assert_int_equal(hits_at(bvh, 1, 1), 1);
    assert_int_equal(hits_at(bvh, 3, 0.25f), 1);
    sl_nearest nearest;
    assert_true(sl_bvh_nearest(bvh, (float[3]){ 2, 2, 1 }, INFINITY, NULL, &nearest));
    assert_float_equal(nearest.distance, 1.14354372f, 0); /* sqrt(17 / 13) */
}

TEST(holes_are_open)
{
    sl_mesh *mesh = sli_case_load_text(HOLES, "a.obj");
    assert_int_equal(sl_mesh_get_info(mesh).note_count, 0);
    assert_int_equal(sl_mesh_get_info(mesh).triangle_count, 14);
    for (uint32_t prim = 0; prim < 14; prim++) {
        sl_triangle triangle;
        assert_true(sl_mesh_triangle(mesh, prim, &triangle));
        assert_int_equal(sl_mesh_face(mesh, prim), 0);
    }
    OWN(sl_bvh) bvh = made_bvh_alone(mesh, NULL);
    for (int x = 0; x < 9; x++) {
        for (int y = 0; y < 9; y++) {
            const bool hole = (x / 2 == 1 && y / 2 == 1) || (x / 2 == 3 && y / 2 == 3);
            assert_int_equal(hits_at(bvh, (float)x + 0.41f, (float)y + 0.73f), hole ? 0 : 1);
        }
    }
}

/* The same polygon in every format, far away and moved back, before its vertices, between faces. */
TEST(every_format_cuts_polygons)
{
    static const uint32_t wanted[3][3] = { { 0, 3, 4 }, { 0, 1, 3 }, { 1, 2, 3 } };
    static const char *const files[] = {
        NOTCH "f 1 2 3 4 5\n",
        "f 1 2 3 4 5\n" NOTCH,
        "v 4000000 0 0\nv 4000004 0 0\nv 4000004 4 0\nv 4000002 1 0\nv 4000000 4 0\nf 1 2 3 4 5",
        "OFF\n5 1 0\n0 0 0\n4 0 0\n4 4 0\n2 1 0\n0 4 0\n5 0 1 2 3 4\n",
        "ply\nformat ascii 1.0\nelement vertex 5\nproperty float x\nproperty float y\n"
        "property float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n"
        "0 0 0\n4 0 0\n4 4 0\n2 1 0\n0 4 0\n5 0 1 2 3 4\n",
    };
    for (size_t i = 0; i < 2 * sizeof files / sizeof files[0]; i++) {
        const sl_mesh_def def = { .recentre = i % 2 == 1 };
        OWN(sl_mesh) mesh = sli_case_load(files[i / 2], strlen(files[i / 2]), NULL, &def);
        sli_case_triangles(mesh, 3, wanted);
    }
    OWN(sl_mesh) mesh =
        sli_case_load_text(NOTCH "f 1 2 3\nf 5 4 3 2 1\nf 1 2\nf 1 2 4 5\nf 3 4 5\n", "a.obj");
    const uint32_t faces[] = { 0, 1, 1, 1, 3, 3, 4 };
    for (uint32_t prim = 0; prim < 7; prim++) {
        assert_int_equal(sl_mesh_face(mesh, prim), faces[prim]);
    }
}

/* Each corner of a triangle has the row of its corner of the polygon. */
/* A bridge to a hole along a side, a spike along a side and beyond it, a whisker: from whichever
 * corner they begin. */
TEST(no_polygon_depends_on_its_first_corner)
{
    static const struct {
        int x[11], y[11], count, area;
    } polygons[] = {
        { { 0, 5, 5, 4, 6, 5, 5, 0, 10, 10, 0 }, { 0, 0, 2, 3, 3, 2, 0, 0, 0, 10, 10 }, 11, 198 },
        { { 4, 4, 3, 4, 4 }, { 4, 0, 0, 1, 0 }, 5, 1 },
        { { 0, 0, 4, 4, 0, 0 }, { 6, 0, 0, 4, 4, 0 }, 6, 32 }
    };
    for (size_t k = 0; k < sizeof polygons / sizeof *polygons; k++) {
        for (int first = 0; first < polygons[k].count; first++) {
            char text[512];
            size_t used = 0;
            const int count = polygons[k].count;
            for (int i = 0; i < count; i++) {
                const int corner = (first + i) % count;
                used += (size_t)snprintf(text + used, sizeof text - used, "v %d %d 0\n",
                                         polygons[k].x[corner], polygons[k].y[corner]);
            }
            used += (size_t)snprintf(text + used, sizeof text - used, "f");
            for (int i = 1; i <= count; i++) {
                used += (size_t)snprintf(text + used, sizeof text - used, " %d", i);
            }
            OWN(sl_mesh) mesh = sli_case_load_text(text, "a.obj");
            double area = 0;
            for (uint32_t prim = 0; prim < (uint32_t)count - 2; prim++) {
                sl_triangle t;
                assert_true(sl_mesh_triangle(mesh, prim, &t));
                const double twice = (double)((t.v[1][0] - t.v[0][0]) * (t.v[2][1] - t.v[0][1]) -
                                              (t.v[1][1] - t.v[0][1]) * (t.v[2][0] - t.v[0][0]));
                area += fabs(twice);
            }
            assert_int_equal(sl_mesh_get_info(mesh).note_count, 0);
            assert_true(area == polygons[k].area);
        }
    }
}

TEST(rows_of_corners_follow_the_cut)
{
    OWN(sl_mesh) mesh = sli_case_load_text(
        NOTCH "vt 0 0\nvt 4 0\nvt 4 4\nvt 2 1\nvt 0 4\nvn 0 0 1\nf 1/1/1 2/2/1 3/3 4/4/1 5/5/1\n"
              "f 1/5 2/4 3/3\n",
        "a.obj");
    const uint32_t *corners = sl_mesh_soup(mesh).indices;
    sl_mesh_attribute uvs, normals;
    assert_true(sl_mesh_get_attribute(mesh, SL_MESH_UVS, &uvs));
    assert_true(sl_mesh_get_attribute(mesh, SL_MESH_NORMALS, &normals));
    for (size_t i = 0; i < 9; i++) {
        assert_int_equal(uvs.indices[i], corners[i]);
        assert_int_equal(normals.indices[i], corners[i] == 2 ? SL_NONE : 0);
    }
}

TEST(polygons_that_cross_themselves_are_fanned_and_noted)
{
    OWN(sl_mesh) mesh = sli_case_load_text(CROSSED "f 1 2 3\nf 4 3 2 1\nf 1 3 2 4\n", "a.obj");
    const sl_mesh_info info = sl_mesh_get_info(mesh);
    sli_case_triangles(mesh, 7,
                       (const uint32_t[][3]){ { 0, 1, 2 },
                                              { 0, 2, 3 },
                                              { 0, 1, 2 },
                                              { 3, 2, 1 },
                                              { 3, 1, 0 },
                                              { 0, 2, 1 },
                                              { 0, 1, 3 } });
    assert_int_equal(info.note_count, 1);
    assert_int_equal(info.notes[0].kind, SL_NOTE_CROSSED_FACES);
    assert_int_equal(info.notes[0].count, 2);
    assert_int_equal(info.notes[0].line, 5);
}

/* What cannot be cut stays as it was: nothing but a line, one place, numbers that are none. */
TEST(polygons_without_an_inside_stay_fans)
{
    static const char *const vertices[] = { "v 0 0 0\nv 1 1 1\nv 3 3 3\nv 2 2 2\nv 0 0 0\n",
                                            "v 7 7 7\nv 7 7 7\nv 7 7 7\nv 7 7 7\nv 7 7 7\n",
                                            "v 0 0 0\nv 4 0 0\nv 4 4 0\nv 2 1 0\nv 0 nan 0\n",
                                            "v 0 0 0\nv 4 0 0\nv 4 4 0\nv 2 1 0\n" };
    for (size_t i = 0; i < 4; i++) {
        char text[256];
        snprintf(text, sizeof text, "%sf 1 2 3 4 5\n", vertices[i]);
        const sl_mesh_def def = { .bad = SL_BAD_LEAVE_OUT };
        OWN(sl_mesh) mesh = sli_case_load(text, strlen(text), "a.obj", &def);
        assert_int_equal(sl_mesh_get_info(mesh).left_out, i < 2 ? 0 : 1);
        assert_int_equal(sl_mesh_get_info(mesh).note_count, 0);
        sli_case_triangle(mesh, 0, 0, 1, 2);
        sli_case_triangle(mesh, 1, 0, 2, 3);
    }
}

TEST(hostile_files_with_polygons_are_survived)
{
    sli_case_hostile(NOTCH "f 1 2 3 4 5\n" HOLES, strlen(NOTCH "f 1 2 3 4 5\n" HOLES), "a.obj");
    sli_case_hostile(CROSSED, strlen(CROSSED), "a.obj");
}

/* ---- large ones ---- */

/* Their time must not grow with the square of the corners: a comb whose teeth all begin on one
 * line, a star, a spiral, sides that lie on one another, which is given up, and any points. */
TEST(large_polygons_take_seconds)
{
    enum { CORNERS = 200000, PATTERNS = 5 };
    const size_t count = test_is_brief() ? CORNERS / 10 : CORNERS;
    FREED float *xyz = made_zeros(3 * count, sizeof *xyz);
    FREED uint32_t *fan = made_zeros(3 * count, sizeof *fan);
    FREED sli_polygon_work *work = made_zeros(count, sizeof *work);
    sli_polygon_space space = { .work = work, .capacity = count };
    test_random r = { test_seed(5) };
    for (uint32_t i = 0; i < count - 2; i++) {
        const uint32_t triangle[3] = { 0, i + 1, i + 2 };
        memcpy(fan + 3 * (size_t)i, triangle, sizeof triangle);
    }
    for (int pattern = 0; pattern < PATTERNS; pattern++) {
        for (size_t i = 0; i < count; i++) {
            const size_t along = i < count / 2 ? i : count - 1 - i;
            const float part = (float)along / (float)count;
            const float angle = pattern == 1 ? 6.28318531f * (float)i / (float)count : 60 * part;
            const float radius = pattern == 1 ? (i % 2 == 0 ? 1.0f : 1000.0f)
                                              : 1 + 20 * part + (i < count / 2 ? 0.0f : 0.5f);
            float *at = xyz + 3 * i;
            at[0] = pattern == 0   ? (i % 4 % 3 == 0 ? 1.0f : 1000.0f)
                    : pattern == 3 ? (i % 2 == 0 ? 0.0f : part)
                    : pattern == 4 ? test_random_unit(&r)
                                   : radius * cosf(angle);
            at[1] = pattern == 0   ? (float)(i / 2)
                    : pattern == 3 ? 0.0f
                    : pattern == 4 ? test_random_unit(&r)
                                   : radius * sinf(angle);
        }
        if (pattern == 0) {
            xyz[3 * (count - 1)] = xyz[3 * (count - 2)] = -1;
            xyz[3 * (count - 1) + 1] = 0;
            xyz[1] = 0.5f;
        }
        if (pattern == 3) {
            xyz[3 * (count - 1) + 1] = xyz[3 * (count - 2)] = 1;
        }
        bool mirrored;
        const int axis = sli_polygon_axis(xyz, fan, count, &mirrored);
        const sli_polygon_cut how = sli_polygon_cut_along(xyz, fan, count, axis, mirrored, &space);
        assert_int_equal(how, pattern < 3 ? SLI_POLYGON_CUT : SLI_POLYGON_CROSSES);
    }
}
