/* select_cost: what regions of a picture cost, on one thread.
 *
 *     select_cost [TRIANGLES [WIDTH HEIGHT [ROUNDS [sights]]]]
 *
 * default 1000000 triangles, 1920 x 1080 pixels, 5 rounds.  For a sphere, a terrain and a soup of
 * that many triangles, seen whole: all rays of the picture in one call, in rows and in tiles of 8 x
 * 8; the visible selection of the whole picture, and of moves of 5 pixels of a rectangle that spans
 * half of it; touched and inside, of the whole picture, of that rectangle, and of moves; a lasso of
 * 200 corners, and a rectangle of the same area.  Milliseconds, medians of rounds; the whole
 * picture is compared with the rays within each round.  With `sights` nothing but visible edges and
 * vertices, with a topology and without: of the whole picture, of that rectangle, and of moves. */
#include "test/measure/generated.h"
#include "test/measure/timing.h"

#include <sightline/sightline.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS_MAX = 101, CORNERS = 200, MOVES = 40 };

static void check(bool good, const char *words)
{
    if (!good) {
        fprintf(stderr, "select_cost: %s\n", words);
        exit(1);
    }
}

typedef struct bench {
    const char *name;
    sl_bvh *bvh;
    sl_topology *topology;
    sl_scene *scene;
    sl_view view;
    size_t rounds;
    double width, height;
} bench;

static void make(bench *b, int kind, size_t triangles, uint32_t width, uint32_t height)
{
    sl_mesh *mesh = generated_mesh(kind, triangles);
    check(mesh != NULL, "no mesh");
    check(sl_bvh_build(mesh, NULL, &b->bvh, NULL) == SL_OK, "no tree");
    check(sl_topology_build(mesh, NULL, &b->topology, NULL) == SL_OK, "no topology");
    sl_mesh_destroy(mesh);
    const sl_instance instance = sl_instance_of(b->bvh);
    check(sl_scene_build(&instance, 1, NULL, &b->scene, NULL) == SL_OK, "no scene");
    sl_camera_def def = sl_default_camera_def();
    const float towards[3] = { 0.3f, 0.7f, 1 };
    def.width = width;
    def.height = height;
    const sl_aabb box = sl_bvh_bounds(b->bvh);
    check(sl_camera_fit(&box, towards, &def, NULL) == SL_OK, "no fit");
    check(sl_camera_make(&def, &b->view.camera, NULL) == SL_OK, "no camera");
    memset(b->view.origin, 0, sizeof b->view.origin);
    b->name = generated_names[kind];
    b->width = width;
    b->height = height;
}

/* ---- Rays ---- */

static double rays_once(const bench *b, sl_ray_d *rays, sl_hit_d *hits)
{
    const double begin = timing_seconds();
    sl_scene_closest_d_many(b->scene, rays, (size_t)b->width * (size_t)b->height, NULL, hits, NULL);
    return 1e3 * (timing_seconds() - begin);
}

static void make_rays(const bench *b, bool tiled, sl_ray_d *rays)
{
    const uint32_t width = (uint32_t)b->width, height = (uint32_t)b->height;
    const uint32_t wide = tiled ? 8 : width, tall = tiled ? 8 : 1;
    size_t count = 0;
    for (uint32_t y0 = 0; y0 < height; y0 += tall) {
        for (uint32_t x0 = 0; x0 < width; x0 += wide) {
            for (uint32_t y = y0; y < y0 + tall && y < height; y++) {
                for (uint32_t x = x0; x < x0 + wide && x < width; x++) {
                    const double xy[2] = { x + 0.5, y + 0.5 };
                    check(sl_view_ray(&b->view, xy, &rays[count++]), "no ray");
                }
            }
        }
    }
}

/* ---- Selections ---- */

static sl_selection *select_new(const bench *b, sl_select_mode mode)
{
    sl_selection_def def = sl_default_selection_def();
    sl_selection *s;
    def.mode = mode;
    check(sl_selection_create(b->scene, &b->view, &def, &s, NULL) == SL_OK, "no selection");
    return s;
}

static double update(sl_selection *s, const sl_region *region)
{
    const double begin = timing_seconds();
    check(sl_selection_update(s, region, NULL, NULL) == SL_OK, "no update");
    return 1e3 * (timing_seconds() - begin);
}

static sl_region rectangle(double x0, double y0, double x1, double y1)
{
    const double p[2] = { x0, y0 }, q[2] = { x1, y1 };
    return sl_region_rectangle(p, q);
}

static sl_region half(const bench *b, int move)
{
    return rectangle(0.15 * b->width, 0.15 * b->height, 0.85 * b->width + 5 * move,
                     0.85 * b->height + 5 * move);
}

static void measure_visible(const bench *b)
{
    const size_t count = (size_t)b->width * (size_t)b->height;
    sl_ray_d *rays = malloc(count * sizeof *rays), *tiled = malloc(count * sizeof *tiled);
    sl_hit_d *hits = malloc(count * sizeof *hits);
    check(rays != NULL && tiled != NULL && hits != NULL, "out of memory");
    make_rays(b, false, rays);
    make_rays(b, true, tiled);
    const sl_region whole = rectangle(-1, -1, b->width + 1, b->height + 1);
    double rows[ROUNDS_MAX], tiles[ROUNDS_MAX], ours[ROUNDS_MAX], ratio[ROUNDS_MAX];
    for (size_t i = 0; i < b->rounds; i++) {
        sl_selection *s = select_new(b, SL_SELECT_VISIBLE);
        rows[i] = rays_once(b, rays, hits);
        tiles[i] = rays_once(b, tiled, hits);
        ours[i] = update(s, &whole);
        ratio[i] = ours[i] / fmin(rows[i], tiles[i]);
        sl_selection_destroy(s);
    }
    printf("%-8s visible, whole picture: %8.1f ms; rays in rows %8.1f, in tiles %8.1f; ratio to "
           "the better %.3f\n",
           b->name, timing_median(ours, b->rounds), timing_median(rows, b->rounds),
           timing_median(tiles, b->rounds), timing_median(ratio, b->rounds));
    free(rays);
    free(tiled);
    free(hits);
}

/* Moves of 5 pixels along both axes: the median and the longest. */
static void measure_moves(const bench *b, sl_select_mode mode, const char *name)
{
    double times[MOVES];
    sl_selection *s = select_new(b, mode);
    sl_region region = half(b, 0);
    const double first = update(s, &region);
    for (int i = 0; i < MOVES; i++) {
        region = half(b, i % 20 < 10 ? i % 20 + 1 : 19 - i % 20);
        times[i] = update(s, &region);
    }
    sl_selection_info info;
    sl_selection_get_info(s, &info, sizeof info);
    const double median = timing_median(times, MOVES);
    printf("%-8s %s, 0.7 x 0.7 of the picture: %8.2f ms, moves of 5 pixels: median %6.2f ms, "
           "most %6.2f; %llu selected\n",
           b->name, name, first, median, times[MOVES - 1], (unsigned long long)info.selected);
    sl_selection_destroy(s);
}

static double best(const bench *b, sl_select_mode mode, const sl_region *region, uint64_t *selected)
{
    double least = INFINITY;
    for (size_t i = 0; i < b->rounds; i++) {
        sl_selection *s = select_new(b, mode);
        least = fmin(least, update(s, region));
        sl_selection_info info;
        sl_selection_get_info(s, &info, sizeof info);
        *selected = info.selected;
        sl_selection_destroy(s);
    }
    return least;
}

static void measure_figures(const bench *b, sl_select_mode mode, const char *name)
{
    double corners[2 * CORNERS], area = 0;
    const double pi = 3.14159265358979323846;
    for (int i = 0; i < CORNERS; i++) {
        const double angle = 2 * pi * i / CORNERS, far = 0.3 * (1 + 0.25 * sin(7 * angle));
        corners[2 * i] = b->width / 2 + far * b->height * cos(angle);
        corners[2 * i + 1] = b->height / 2 + far * b->height * sin(angle);
    }
    for (int i = 0; i < CORNERS; i++) {
        const double *p = corners + 2 * i, *q = corners + 2 * ((i + 1) % CORNERS);
        area += (p[0] * q[1] - p[1] * q[0]) / 2;
    }
    const double side = sqrt(area) / 2;
    const sl_region lasso = sl_region_lasso(corners, CORNERS);
    const sl_region square = rectangle(b->width / 2 - side, b->height / 2 - side,
                                       b->width / 2 + side, b->height / 2 + side);
    const sl_region whole = rectangle(-1e5, -1e5, 1e5, 1e5), middle = half(b, 0);
    uint64_t n[4];
    const double all = best(b, mode, &whole, &n[0]), part = best(b, mode, &middle, &n[1]);
    const double box = best(b, mode, &square, &n[2]), loop = best(b, mode, &lasso, &n[3]);
    printf("%-8s %s: everything %6.2f ms (%llu), 0.7 x 0.7 %6.2f ms (%llu), rectangle %6.2f ms "
           "(%llu), lasso of %d corners %6.2f ms (%llu), ratio %.2f\n",
           b->name, name, all, (unsigned long long)n[0], part, (unsigned long long)n[1], box,
           (unsigned long long)n[2], CORNERS, loop, (unsigned long long)n[3], loop / box);
}

/* ---- Edges and vertices that are seen ---- */

static void measure_sights_of(const bench *b, sl_select_unit unit, bool shared)
{
    const sl_topology *const topologies[1] = { b->topology };
    sl_selection_def def = sl_default_selection_def();
    const sl_region whole = rectangle(-1e5, -1e5, 1e5, 1e5);
    sl_selection *s;
    sl_selection_info all, part, last;
    double moves[MOVES];
    uint64_t asked = 0;
    def.mode = SL_SELECT_VISIBLE;
    def.unit = unit;
    def.topologies = shared ? topologies : NULL;
    check(sl_selection_create(b->scene, &b->view, &def, &s, NULL) == SL_OK, "no selection");
    const double everything = update(s, &whole);
    sl_selection_get_info(s, &all, sizeof all);
    check(sl_selection_reset(s, b->scene, &b->view, NULL) == SL_OK, "no selection");
    sl_region region = half(b, 0);
    const double first = update(s, &region);
    sl_selection_get_info(s, &part, sizeof part);
    for (int i = 0; i < MOVES; i++) {
        region = half(b, i % 20 < 10 ? i % 20 + 1 : 19 - i % 20);
        moves[i] = update(s, &region);
        sl_selection_get_info(s, &last, sizeof last);
        asked += last.asked;
    }
    const double median = timing_median(moves, MOVES);
    printf("%-8s %s%s: everything %8.1f ms (%llu of %llu sights), 0.7 x 0.7 %8.1f ms (%llu of "
           "%llu), moves of 5 pixels: median %6.2f ms, most %6.2f, %llu sights (%llu)\n",
           b->name, unit == SL_SELECT_EDGES ? "edges" : "vertices", shared ? ", topology" : "",
           everything, (unsigned long long)all.selected, (unsigned long long)all.asked, first,
           (unsigned long long)part.selected, (unsigned long long)part.asked, median,
           moves[MOVES - 1], (unsigned long long)(asked / MOVES),
           (unsigned long long)last.selected);
    sl_selection_destroy(s);
}

static void measure_sights(const bench *b)
{
    for (int shared = 1; shared >= 0; shared--) {
        measure_sights_of(b, SL_SELECT_EDGES, shared != 0);
        measure_sights_of(b, SL_SELECT_VERTICES, shared != 0);
    }
}

static void measure_all(const bench *b)
{
    measure_figures(b, SL_SELECT_TOUCHED, "touched");
    measure_figures(b, SL_SELECT_INSIDE, "inside");
    measure_moves(b, SL_SELECT_TOUCHED, "touched");
    measure_moves(b, SL_SELECT_INSIDE, "inside");
    measure_moves(b, SL_SELECT_VISIBLE, "visible");
    measure_visible(b);
}

int main(int count, char **words)
{
    const size_t triangles = count > 1 ? strtoul(words[1], NULL, 10) : 1000000;
    const uint32_t width = count > 3 ? (uint32_t)strtoul(words[2], NULL, 10) : 1920;
    const uint32_t height = count > 3 ? (uint32_t)strtoul(words[3], NULL, 10) : 1080;
    for (int kind = 0; kind < GENERATED_KINDS; kind++) {
        bench b = { .rounds = count > 4 ? strtoul(words[4], NULL, 10) : 5 };
        b.rounds = b.rounds < 1 ? 1 : b.rounds > ROUNDS_MAX ? ROUNDS_MAX : b.rounds;
        make(&b, kind, triangles, width, height);
        if (count > 5 && strcmp(words[5], "sights") == 0) {
            measure_sights(&b);
        } else {
            measure_all(&b);
        }
        fflush(stdout);
        sl_scene_destroy(b.scene);
        sl_topology_destroy(b.topology);
        sl_bvh_destroy(b.bvh);
    }
    return 0;
}
