/* select_cost: what regions of a picture cost, on one thread.
 *
 *     select_cost [TRIANGLES [ROUNDS [sights]]]
 *
 * default 1000000 triangles and 5 rounds; pictures have 1920 x 1080 pixels.  For a sphere, a
 * terrain and a soup of that many triangles, seen whole: all rays of the picture in one call, in
 * rows and in tiles of 8 x 8; the visible selection of the whole picture, and of moves of 5 pixels
 * of a rectangle that spans half of it; touched and inside, of the whole picture, of that
 * rectangle, and of moves; a lasso of 200 corners, and a rectangle of the same area.
 * Milliseconds, medians of rounds; the whole picture is compared with the rays within each round.
 * With `sights` nothing but visible edges and vertices, with a topology and without: of the whole
 * picture, of that rectangle, and of moves. */
#include "test/measure/program.h"
#include "test/support/query/of_one.h"
#include "tools/bench/harness/rounds.h"

#include <math.h>
#include <string.h>

enum { CORNERS = 200, MOVES = 40, PIXELS = PICTURE_WIDTH * PICTURE_HEIGHT };

typedef struct subject {
    const char *name;
    sl_bvh *bvh;
    sl_topology *topology;
    sl_bvh *scene;
    sl_view view;
    size_t rounds;
} subject;

static subject make_subject(int shape, size_t triangles, size_t rounds)
{
    sl_mesh *mesh = shape_mesh((bench_shape)shape, triangles);
    subject b = { .name = bench_shape_names[shape], .rounds = rounds };
    must(sl_topology_build(mesh, NULL, &b.topology, NULL) == SL_OK, "no topology");
    b.bvh = tree_of_only(mesh);
    b.scene = scene_of_one(b.bvh);
    const sl_aabb box = bounds_in_floats(b.bvh);
    b.view = view_of_box(&box);
    return b;
}

/* ---- Rays ---- */

static bench_rays make_rays(const subject *b, uint32_t wide, uint32_t tall)
{
    bench_rays rays = { .count = PIXELS, .rays_d = memory_for(PIXELS, sizeof *rays.rays_d) };
    const uint32_t across = PICTURE_WIDTH / wide, in_tile = wide * tall;
    for (uint32_t i = 0; i < PIXELS; i++) {
        const uint32_t tile = i / in_tile, at = i % in_tile;
        const double xy[2] = { tile % across * wide + at % wide + 0.5,
                               tile / across * tall + at / wide + 0.5 };
        must(sl_view_ray(&b->view, xy, &rays.rays_d[i]), "no ray");
    }
    return rays;
}

/* ---- Selections ---- */

static sl_selection *select_new(const subject *b, sl_select_mode mode)
{
    sl_selection_def def = { 0 };
    sl_selection *s;
    def.mode = mode;
    must(sl_selection_create(b->scene, &b->view, &def, &s, NULL) == SL_OK, "no selection");
    return s;
}

static double update(sl_selection *s, const sl_region *region)
{
    const double begin = bench_cpu_seconds();
    must(sl_selection_update(s, region, NULL, NULL) == SL_OK, "no update");
    return 1e3 * (bench_cpu_seconds() - begin);
}

static sl_region rectangle(double x0, double y0, double x1, double y1)
{
    const double p[2] = { x0, y0 }, q[2] = { x1, y1 };
    return sl_region_rectangle(p, q);
}

static sl_region half(int move)
{
    return rectangle(0.15 * PICTURE_WIDTH, 0.15 * PICTURE_HEIGHT, 0.85 * PICTURE_WIDTH + 5 * move,
                     0.85 * PICTURE_HEIGHT + 5 * move);
}

static void measure_visible(const subject *b)
{
    bench_rays rows = make_rays(b, PICTURE_WIDTH, 1), tiles = make_rays(b, 8, 8);
    bench_answers answers;
    must(bench_answers_make(&answers, &rows), "not enough memory");
    const bench_target target = { .bvh = b->scene, .doubles = true };
    bench_asking asking[2] = { { target, &rows, 0, &answers }, { target, &tiles, 0, &answers } };
    const bench_way ways[2] = { bench_way_of(&asking[0]), bench_way_of(&asking[1]) };
    const sl_region whole = rectangle(-1, -1, PICTURE_WIDTH + 1, PICTURE_HEIGHT + 1);
    double all[4][BENCH_ROUNDS_MAX]; /* rows, tiles, ours, ratio */
    for (size_t i = 0; i < b->rounds; i++) {
        double seconds[2];
        OWN(sl_selection) s = select_new(b, SL_SELECT_VISIBLE);
        bench_time_round(ways, 2, bench_cpu_seconds, seconds);
        all[0][i] = 1e3 * seconds[0];
        all[1][i] = 1e3 * seconds[1];
        all[2][i] = update(s, &whole);
        all[3][i] = all[2][i] / fmin(all[0][i], all[1][i]);
    }
    printf("%-8s visible, whole picture: %8.1f ms; rays in rows %8.1f, in tiles %8.1f; ratio to "
           "the better %.3f\n",
           b->name, bench_median(all[2], b->rounds), bench_median(all[0], b->rounds),
           bench_median(all[1], b->rounds), bench_median(all[3], b->rounds));
    bench_answers_free(&answers);
    bench_rays_free(&rows);
    bench_rays_free(&tiles);
}

/* The rectangle, then moves of 5 pixels of it along both axes: sorted. */
typedef struct moved {
    double first, times[MOVES];
    uint64_t traced; /* in all moves */
    sl_selection_info part, last;
} moved;

static moved move_half(sl_selection *s)
{
    moved m = { .traced = 0 };
    sl_region region = half(0);
    m.first = update(s, &region);
    m.part = sl_selection_get_info(s);
    for (int i = 0; i < MOVES; i++) {
        region = half(i % 20 < 10 ? i % 20 + 1 : 19 - i % 20);
        m.times[i] = update(s, &region);
        m.last = sl_selection_get_info(s);
        m.traced += m.last.traced;
    }
    (void)bench_median(m.times, MOVES); /* which sorts them */
    return m;
}

static void measure_moves(const subject *b, sl_select_mode mode, const char *name)
{
    OWN(sl_selection) s = select_new(b, mode);
    const moved m = move_half(s);
    printf("%-8s %s, 0.7 x 0.7 of the picture: %8.2f ms, moves of 5 pixels: median %6.2f ms, "
           "most %6.2f; %llu selected\n",
           b->name, name, m.first, m.times[MOVES / 2], m.times[MOVES - 1],
           (unsigned long long)m.last.selected);
}

static double best(const subject *b, sl_select_mode mode, const sl_region *region,
                   uint64_t *selected)
{
    double least = INFINITY;
    for (size_t i = 0; i < b->rounds; i++) {
        OWN(sl_selection) s = select_new(b, mode);
        least = fmin(least, update(s, region));
        const sl_selection_info info = sl_selection_get_info(s);
        *selected = info.selected;
    }
    return least;
}

static void measure_figures(const subject *b, sl_select_mode mode, const char *name)
{
    double corners[2 * CORNERS], area = 0;
    const double pi = 3.14159265358979323846;
    for (int i = 0; i < CORNERS; i++) {
        const double angle = 2 * pi * i / CORNERS, far = 0.3 * (1 + 0.25 * sin(7 * angle));
        corners[2 * i] = PICTURE_WIDTH / 2 + far * PICTURE_HEIGHT * cos(angle);
        corners[2 * i + 1] = PICTURE_HEIGHT / 2 + far * PICTURE_HEIGHT * sin(angle);
    }
    for (int i = 0; i < CORNERS; i++) {
        const double *p = corners + 2 * i, *q = corners + 2 * ((i + 1) % CORNERS);
        area += (p[0] * q[1] - p[1] * q[0]) / 2;
    }
    const double side = sqrt(area) / 2;
    const sl_region lasso =
        (sl_region){ .kind = SL_REGION_LASSO, .corners = corners, .corner_count = CORNERS };
    const sl_region square = rectangle(PICTURE_WIDTH / 2 - side, PICTURE_HEIGHT / 2 - side,
                                       PICTURE_WIDTH / 2 + side, PICTURE_HEIGHT / 2 + side);
    const sl_region whole = rectangle(-1e5, -1e5, 1e5, 1e5), middle = half(0);
    uint64_t n[4];
    const double all = best(b, mode, &whole, &n[0]), part = best(b, mode, &middle, &n[1]);
    const double box = best(b, mode, &square, &n[2]), loop = best(b, mode, &lasso, &n[3]);
    printf("%-8s %s: everything %6.2f ms (%llu), 0.7 x 0.7 %6.2f ms (%llu), rectangle %6.2f ms "
           "(%llu), lasso of %d corners %6.2f ms (%llu), ratio %.2f\n",
           b->name, name, all, (unsigned long long)n[0], part, (unsigned long long)n[1], box,
           (unsigned long long)n[2], CORNERS, loop, (unsigned long long)n[3], loop / box);
}

/* ---- Edges and vertices that are seen ---- */

static void measure_sights_of(const subject *b, sl_select_unit unit, bool shared)
{
    const sl_topology *const topologies[1] = { b->topology };
    sl_selection_def def = { 0 };
    const sl_region whole = rectangle(-1e5, -1e5, 1e5, 1e5);
    sl_selection *s;
    sl_selection_info all;
    def.mode = SL_SELECT_VISIBLE;
    def.unit = unit;
    def.topologies = shared ? topologies : NULL;
    must(sl_selection_create(b->scene, &b->view, &def, &s, NULL) == SL_OK, "no selection");
    const double everything = update(s, &whole);
    all = sl_selection_get_info(s);
    must(sl_selection_reset(s, b->scene, &b->view, NULL) == SL_OK, "no selection");
    const moved m = move_half(s);
    printf("%-8s %s%s: everything %8.1f ms (%llu of %llu sights), 0.7 x 0.7 %8.1f ms (%llu of "
           "%llu), moves of 5 pixels: median %6.2f ms, most %6.2f, %llu sights (%llu)\n",
           b->name, unit == SL_SELECT_EDGES ? "edges" : "vertices", shared ? ", topology" : "",
           everything, (unsigned long long)all.selected, (unsigned long long)all.traced, m.first,
           (unsigned long long)m.part.selected, (unsigned long long)m.part.traced,
           m.times[MOVES / 2], m.times[MOVES - 1], (unsigned long long)(m.traced / MOVES),
           (unsigned long long)m.last.selected);
    sl_selection_destroy(s);
}

static void measure_sights(const subject *b)
{
    for (int shared = 1; shared >= 0; shared--) {
        measure_sights_of(b, SL_SELECT_EDGES, shared != 0);
        measure_sights_of(b, SL_SELECT_VERTICES, shared != 0);
    }
}

static void measure_all(const subject *b)
{
    measure_figures(b, SL_SELECT_TOUCHED, "touched");
    measure_figures(b, SL_SELECT_INSIDE, "inside");
    measure_moves(b, SL_SELECT_TOUCHED, "touched");
    measure_moves(b, SL_SELECT_INSIDE, "inside");
    measure_moves(b, SL_SELECT_VISIBLE, "visible");
    measure_visible(b);
}

int main(int argc, char **argv)
{
    const size_t triangles = (size_t)number_at(argc, argv, 1, 1e6);
    const size_t rounds = (size_t)fmin(fmax(number_at(argc, argv, 2, 5), 1), BENCH_ROUNDS_MAX);
    for (int shape = 0; shape < SHAPES_MEASURED; shape++) {
        subject b = make_subject(shape, triangles, rounds);
        if (argc > 3 && strcmp(argv[3], "sights") == 0) {
            measure_sights(&b);
        } else {
            measure_all(&b);
        }
        fflush(stdout);
        sl_bvh_destroy(b.scene);
        sl_topology_destroy(b.topology);
        sl_bvh_destroy(b.bvh);
    }
    return 0;
}
