/* SL_NO_WINDING: where points are, by bounds of winding numbers, must be what the numbers say. */
#include "bvh/kernel/kernel.h"
#include "lib/base/fpenv.h"
#include "lib/geom/closest/boundary_winding.h"
#include "test/support/hard/rays.h"
#include "test/support/input/open_mesh.h"
#include "test/support/query/of_one.h"
#include "test/support/test.h"

enum { SEED = 20261127, POINTS = 400 };

typedef enum opening { HOLES, HALF, SHARED } opening;

/* A sphere with holes; the half of it above z = 0, which is half around each point of that plane
 * within; or with each triangle up to three times, some turned, and some without area. */
static sl_mesh *opened(opening how, float scale, test_random *random)
{
    OWN(sl_mesh) whole = made_sphere(24);
    const sl_soup soup = sl_mesh_soup(whole);
    FREED float *xyz = malloc(soup.vertex_count * 3 * sizeof *xyz);
    FREED uint32_t *indices = malloc(soup.triangle_count * 9 * sizeof *indices);
    size_t n = 0;
    for (size_t i = 0; i < 3 * soup.vertex_count; i++) {
        xyz[i] = scale * soup.xyz[i];
    }
    for (size_t prim = 0; prim < soup.triangle_count; prim++) {
        const uint32_t *at = soup.indices + 3 * prim;
        float low = INFINITY;
        for (int i = 0; i < 3; i++) {
            low = fminf(low, soup.xyz[3 * at[i] + 2]);
        }
        const uint32_t dice = test_random_below(random, 8);
        const size_t times = how == HALF ? low >= 0 : how == HOLES ? dice > 1 : dice % 4;
        for (size_t k = 0; k < times; k++, n++) {
            const bool turned = how == SHARED && dice > 5;
            for (uint32_t i = 0; i < 3; i++) {
                indices[3 * n + i] = at[turned ? 2 - i : i];
            }
            indices[3 * n] = how == SHARED && dice == 3 ? indices[3 * n + 1] : indices[3 * n];
        }
    }
    return made_mesh(xyz, soup.vertex_count, indices, n, NULL);
}

/* One large triangle among small ones. */
static sl_mesh *uneven(void)
{
    OWN(sl_mesh) small = made_soup(200, 0.05f, 5);
    const sl_soup soup = sl_mesh_soup(small);
    FREED float *xyz = malloc((soup.vertex_count + 3) * 3 * sizeof *xyz);
    FREED uint32_t *indices = malloc((soup.triangle_count + 1) * 3 * sizeof *indices);
    const float large[9] = { -1e6f, -2e6f, -0.3f, 3e6f, 0, 0.1f, -1e6f, 4e6f, 0.7f };
    memcpy(xyz, soup.xyz, soup.vertex_count * 3 * sizeof *xyz);
    memcpy(xyz + 3 * soup.vertex_count, large, sizeof large);
    memcpy(indices, soup.indices, soup.triangle_count * 3 * sizeof *indices);
    for (uint32_t i = 0; i < 3; i++) {
        indices[3 * soup.triangle_count + i] = (uint32_t)soup.vertex_count + i;
    }
    return made_mesh(xyz, soup.vertex_count + 3, indices, soup.triangle_count + 1, NULL);
}

/* Anywhere about; on a vertex; on an edge or a step beside it; in the plane z = 0; far away. */
static void make_point(const open_mesh *o, size_t i, test_random *random, float point[3])
{
    const sl_triangle t = hard_triangle(o->mesh, random);
    hard_point(o->mesh, random, point);
    for (int axis = 0; axis < 3; axis++) {
        const float a = t.v[0][axis], b = t.v[1][axis], c = t.v[2][axis];
        point[axis] = i % 6 == 1    ? a
                      : i % 6 == 2  ? 0.5f * a + 0.5f * b
                      : i % 6 == 3  ? nextafterf(0.25f * a + 0.75f * b, c)
                      : i % 6 == 4  ? (axis == 2 ? 0 : 0.9f * a)
                      : i % 30 == 5 ? 1000 * a
                                    : point[axis];
    }
}

static void check_side(const open_mesh *o, const float point[3])
{
    const sl_options options = { .flags = SL_NO_WINDING };
    sl_inside side, number;
    (void)winding_of_one(o->bvh, o->boundary, point, &options, &side);
    (void)winding_of_one(o->bvh, o->boundary, point, NULL, &number);
    assert_true(isnan(side.winding));
    side.winding = number.winding;
    assert_memory_equal(&side, &number, sizeof side);
}

typedef struct exact_sum {
    long double turns, size;
} exact_sum;

static exact_sum sum_of(const sl_boundary *boundary, const float point[3])
{
    exact_sum sum = { 0, 0 };
    for (size_t i = 0; i < boundary->info.edge_count; i++) {
        const long double turn =
            boundary->edges[i].count * (long double)sli_boundary_turn(&boundary->edges[i], point);
        sum.turns += turn;
        sum.size += fabsl(turn);
    }
    return sum;
}

typedef struct tally {
    size_t bounds, quick;
    double worst; /* share of the bound */
} tally;

/* Of every instruction set the turns have the same bits, and the bounds hold. */
static void check_kernels(const open_mesh *o, const float point[3], tally *t)
{
    const sl_boundary *b = o->boundary;
    const exact_sum exact = sum_of(b, point);
    const sli_kernels *kernels;
    for (int k = 0; (kernels = sli_kernels_at(k)) != NULL; k++) {
        for (size_t at = 0; at < b->info.edge_count; at += 4) {
            const size_t left = b->info.edge_count - at, count = left < 4 ? left : 4;
            double turns[4];
            kernels->boundary_turns(b, at, count, point, turns);
            for (size_t i = 0; i < count; i++) {
                const double turn = sli_boundary_turn(&b->edges[at + i], point);
                assert_true(turns[i] == turn);
            }
        }
        for (double tolerance = 0x1p-3; tolerance > 0x1p-30; tolerance /= 8) {
            sli_boundary_sum sum;
            kernels->boundary_sum(b, point, tolerance, SIZE_MAX, &sum);
            const double off = fabs((double)(sum.winding - exact.turns * SLI_WINDING_OF_TURN));
            const double bound = sum.error + b->slack;
            assert_true(off <= bound);
            t->bounds++;
            t->quick += sum.work < b->info.edge_count;
            t->worst = fmax(t->worst, off / bound);
        }
    }
}

static void check_mesh(const char *name, sl_mesh *mesh, test_random *random)
{
    UNDONE(open_close) open_mesh o = open_of(mesh);
    assert_non_null(o.boundary->blocks);
    const size_t count = POINTS * test_scale();
    tally t = { 0, 0, 0 };
    for (size_t i = 0; i < count; i++) {
        float point[3];
        make_point(&o, i, random, point);
        check_side(&o, point);
        if (i % 8 == 0 || i % 6 == 5) {
            SLI_DO_IN_FPENV(check_kernels(&o, point, &t));
        }
    }
    print_message("%-8s %6zu edges: %6zu bounds, %6zu for less than all, %.3f of the worst\n", name,
                  o.boundary->info.edge_count, t.bounds, t.quick, t.worst);
    assert_true(t.quick > 0 && t.worst > 0);
}

TEST(bounds_tell_what_the_numbers_tell)
{
    test_random random = { SEED };
    check_mesh("holes", opened(HOLES, 1, &random), &random);
    check_mesh("half", opened(HALF, 1, &random), &random);
    check_mesh("shared", opened(SHARED, 1, &random), &random);
    check_mesh("uneven", uneven(), &random);
    check_mesh("soup", made_soup(400, 0.2f, 3), &random);
    check_mesh("grid", made_grid(40, 3, 1, 3), &random);
}

TEST(of_every_size)
{
    test_random random = { SEED + 1 };
    check_mesh("2^100", opened(HOLES, 0x1p100f, &random), &random);
    check_mesh("2^-100", opened(HOLES, 0x1p-100f, &random), &random);
    check_mesh("2^-140", opened(HALF, 0x1p-140f, &random), &random);
}

/* What needs no bound has none: a winding number that is an integer is told. */
TEST(without_a_boundary_the_number_is_told)
{
    const sl_options options = { .flags = SL_NO_WINDING };
    sl_mesh *mesh = made_sphere(4);
    OWN(sl_bvh) bvh = made_bvh(mesh, NULL);
    const sl_soup soup = sl_mesh_soup(mesh);
    OWN(sl_boundary) boundary = NULL;
    sl_inside found;
    assert_int_equal(sl_boundary_create(&soup, NULL, NULL, &boundary, NULL), SL_OK);
    assert_true(winding_of_one(bvh, boundary, (const float[3]){ 0, 0, 0 }, &options, &found));
    assert_true(found.winding == 1);
    sl_mesh_destroy(mesh);
}
