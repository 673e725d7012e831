/* pixel_cost: what a call about a pixel costs: picks, snaps and marks, by what is asked for and by
 * where the mouse is, in pictures of 1920 x 1080.
 *
 *     pixel_cost [WORLD [PIXELS]]      default all of them, and 10000
 *
 * Worlds of 10,000 instances that fill the picture, and such as are meant to be slow: walls finer
 * than a pixel, or of two triangles, before thousands of hidden corners; twenty instances in each
 * pixel; nested shells; hairs; sheets seen edge-on; for snaps and marks 22^3 spheres of 1000
 * triangles that touch one another, seen from outside, from within, and from so far away that a
 * pixel holds several; and one sphere, among 100,000 marks in a cube of side 2 that it hides in
 * part.  Asks at random positions and at projected corners, then climbs from the slowest on to
 * slower ones near by.  Prints microseconds a call: the median, the 99th percentile, the worst,
 * and where climbing leads to, of the least of three times at each position; of picks also what
 * the worst looks at. */
#include "test/measure/pick_worlds.h"
#include "test/support/input/random.h"

#include <math.h>
#include <string.h>

enum { TIMES = 3, CLIMBS = 100, STARTS = 4, MARKS = 100000, LIST = 64 };

/* What worlds are asked. */
enum { FOR_PICKS = 1, FOR_SNAPS = 2, FOR_MARKS = 4 };

typedef struct world_row {
    const char *name;
    int asked;
    pick_group groups[PICK_WORLD_GROUPS];
} world_row;

#define GROUP(shape, cuts, count, from, to, across, ...)                                           \
    { .kind = shape,                                                                               \
      .size = cuts,                                                                                \
      .instances = count,                                                                          \
      .near = from,                                                                                \
      .far = to,                                                                                   \
      .pixels = across,                                                                            \
      __VA_ARGS__ }
#define FILLED(shape, near)                                                                        \
    GROUP(shape, 22, 5000, near, 10 * near, 34, .spread = 1.78, .turned = TURN_ANYHOW)
#define WALL(cuts)            GROUP(PICK_WALL, cuts, 1, 10, 10, 7500, .bare = true)
#define LATTICE(near, across) GROUP(PICK_SPHERE, 20, 10648, near, near, across, .side = 22)

static const world_row rows[] = {
    { "filled", FOR_PICKS, { FILLED(PICK_SPHERE, 20), FILLED(PICK_ROUGH, 20) } },
    { "fine wall", FOR_PICKS, { FILLED(PICK_SPHERE, 30), FILLED(PICK_ROUGH, 30), WALL(1500) } },
    { "coarse wall", FOR_PICKS, { FILLED(PICK_SPHERE, 30), FILLED(PICK_ROUGH, 30), WALL(1) } },
    { "heap",
      FOR_PICKS,
      { GROUP(PICK_SPHERE, 22, 10000, 90, 100, 1, .spread = 0.022, .turned = TURN_ANYHOW) } },
    { "shells",
      FOR_PICKS,
      { GROUP(PICK_SPHERE, 240, 90, 60, 60, 31, .turned = TURN_ANYHOW, .grow = 0.1) } },
    { "hairs",
      FOR_PICKS,
      { GROUP(PICK_HAIRS, 1000, 10000, 20, 200, 34, .share = 0.33, .spread = 1.78,
              .turned = TURN_ANYHOW) } },
    { "edge-on",
      FOR_PICKS,
      { GROUP(PICK_FINS, 500, 10000, 20, 200, 34, .spread = 1.78, .turned = TURN_EDGE_ON) } },
    { "outside", FOR_PICKS | FOR_SNAPS, { LATTICE(52.8, 35.4) } },
    { "within", FOR_PICKS | FOR_SNAPS, { LATTICE(1.3, 1440) } },
    { "far away", FOR_PICKS | FOR_SNAPS, { LATTICE(1760, 1.06) } },
    { "sphere", FOR_MARKS, { GROUP(PICK_SPHERE, 68, 1, 3, 3, 623, .spread = 0) } },
};
enum { ROWS = sizeof rows / sizeof rows[0] };

/* ---- Questions ---- */

typedef struct query {
    const char *name;
    int asked; /* of which worlds */
    uint32_t kinds;
    bool hidden;      /* snaps */
    bool all, behind; /* marks: all of them, behind the scene */
} query;

enum { EVERY_KIND = (1 << SL_SNAP_KINDS) - 1 };

static const query queries[] = {
    { "pick", FOR_PICKS, SL_PICK_FACE | SL_PICK_EDGE | SL_PICK_VERTEX, false, false, false },
    { "snap: vertices", FOR_SNAPS, SL_SNAP_VERTEX, false, false, false },
    { "snap: default", FOR_SNAPS, 0, false, false, false },
    { "snap: all kinds", FOR_SNAPS, EVERY_KIND, false, false, false },
    { "snap: crossings", FOR_SNAPS, SL_SNAP_CROSSING, false, false, false },
    { "snap: hidden too", FOR_SNAPS, EVERY_KIND, true, false, false },
    { "mark, alone", FOR_MARKS, 0, false, false, false },
    { "mark", FOR_MARKS, 0, false, false, true },
    { "marks, alone", FOR_MARKS, 0, false, true, false },
    { "marks", FOR_MARKS, 0, false, true, true },
};

typedef struct asking {
    const query *q;
    pick_world world;
    sl_marks *marks;
    sl_snap_grid grid;
    sl_snap_def snap;
} asking;

static void set_question(asking *a, const query *q)
{
    a->q = q;
    a->grid = (sl_snap_grid){ .x = { 1, 0, 0 }, .y = { 0, 0, 1 } };
    a->world.def.kinds = q->asked == FOR_PICKS ? q->kinds : a->world.def.kinds;
    a->snap = (sl_snap_def){ 0 };
    a->snap.kinds = q->kinds != 0 ? q->kinds : a->snap.kinds;
    a->snap.hidden = q->hidden;
    if (q->kinds == EVERY_KIND || q->kinds == SL_SNAP_CROSSING) {
        a->snap.has_from = true;
        a->snap.from[2] = -20;
        a->snap.grid = &a->grid;
    }
}

static double ask_once(const asking *a, const double xy[2])
{
    const pick_world *w = &a->world;
    const sl_bvh *scene = a->q->behind ? w->scene : NULL;
    sl_snap snap;
    sl_pick picks[LIST];
    if (a->q->asked == FOR_PICKS) {
        return 1e6 * pick_world_seconds(w, xy, 1);
    }
    const double start = bench_cpu_seconds();
    if (a->q->asked == FOR_SNAPS) {
        (void)sl_snap_at(w->scene, &w->view, xy, &a->snap, NULL, &snap);
    } else if (a->q->all) {
        (void)sl_marks_pick_all(a->marks, scene, &w->view, xy, NULL, picks, LIST);
    } else {
        (void)sl_marks_pick(a->marks, scene, &w->view, xy, NULL, picks);
    }
    return 1e6 * (bench_cpu_seconds() - start);
}

static double microseconds(const asking *a, const double xy[2])
{
    double least = INFINITY;
    for (int i = 0; i < TIMES; i++) {
        least = fmin(least, ask_once(a, xy));
    }
    return least;
}

/* ---- Pixels ---- */

typedef struct sample {
    double us, xy[2];
} sample;

static int slowest_first(const void *a, const void *b)
{
    const double x = ((const sample *)a)->us, y = ((const sample *)b)->us;
    return x > y ? -1 : x < y;
}

/* Anywhere that the world may be, or at a corner of it, about. */
static void draw_pixel(const pick_world *w, bool at_corner, test_random *random, double xy[2])
{
    static const double window[2] = { PICTURE_WIDTH, PICTURE_HEIGHT };
    const sl_bvh_info info = sl_bvh_get_info(w->scene);
    for (int axis = 0; axis < 2; axis++) {
        const double reach = fmin(w->reach, window[axis] / 2);
        xy[axis] = window[axis] / 2 + reach * (double)test_random_in(random, -1, 1);
    }
    for (int tries = 0; at_corner && tries < 50; tries++) {
        double v[3][3], at[2];
        const sl_triangle_ref ref = { test_random_below(random, (uint32_t)info.instance_count),
                                      test_random_below(random, 900) };
        if (sl_bvh_triangle(w->scene, ref, v) && sl_view_project(&w->view, v[0], at, NULL) &&
            at[0] >= 0 && at[0] < window[0] && at[1] >= 0 && at[1] < window[1]) {
            xy[0] = at[0] + (double)test_random_in(random, -0.1f, 0.1f);
            xy[1] = at[1] + (double)test_random_in(random, -0.1f, 0.1f);
            return;
        }
    }
}

static sample climb(const asking *a, sample at, test_random *random)
{
    double far = 64;
    for (int i = 0; i < CLIMBS; i++) {
        sample next = at;
        for (int axis = 0; axis < 2; axis++) {
            next.xy[axis] += far * (double)test_random_in(random, -1, 1);
        }
        next.us = microseconds(a, next.xy);
        far = next.us > at.us ? far * 1.5 : fmax(far * 0.95, 0.1);
        at = next.us > at.us ? next : at;
    }
    return at;
}

static void measure(const asking *a, bool at_corner, size_t pixels)
{
    test_random random = { 20261125 };
    FREED sample *all = memory_for(pixels, sizeof *all), worst = { .us = 0 };
    for (size_t i = 0; i < pixels; i++) {
        draw_pixel(&a->world, at_corner, &random, all[i].xy);
        all[i].us = microseconds(a, all[i].xy);
    }
    qsort(all, pixels, sizeof *all, slowest_first);
    for (int i = 0; i < STARTS; i++) {
        const sample found = climb(a, all[i], &random);
        worst = found.us > worst.us ? found : worst;
    }
    printf("  %-16s %-8s %8.1f %8.1f %8.1f %8.1f", a->q->name, at_corner ? "corners" : "random",
           all[pixels / 2].us, all[pixels / 100].us, all[0].us, worst.us);
    if (a->q->asked == FOR_PICKS) {
        printf("   at %.3f %.3f", worst.xy[0], worst.xy[1]);
    }
    printf("\n");
    fflush(stdout);
}

/* Points and short wires in a cube of side 2, whose middle is 3 away. */
static sl_marks *make_marks(void)
{
    test_random random = { 20261124 };
    FREED sl_mark *marks = memory_for(MARKS, sizeof *marks);
    sl_marks *list = NULL;
    double least = INFINITY;
    for (uint32_t i = 0; i < MARKS; i++) {
        double p[3], q[3];
        for (int axis = 0; axis < 3; axis++) {
            p[axis] = (double)test_random_in(&random, -1, 1) - (axis == 2 ? 3 : 0);
            q[axis] = p[axis] + 0.02 * (double)test_random_in(&random, -1, 1);
        }
        marks[i] = i % 2 == 0 ? sl_mark_point(p, 4, i) : sl_mark_wire(p, q, 1, i);
    }
    for (int round = 0; round < 5; round++) {
        sl_marks_destroy(list);
        const double start = bench_cpu_seconds();
        must(sl_marks_build(marks, MARKS, NULL, &list, NULL) == SL_OK, "no list");
        least = fmin(least, bench_cpu_seconds() - start);
    }
    printf("%d marks, built in %.1f ms\n", MARKS, 1e3 * least);
    return list;
}

int main(int argc, char **argv)
{
    const size_t pixels = (size_t)number_at(argc, argv, 2, 10000);
    must(pixels >= 100, "usage: pixel_cost [WORLD [PIXELS]]");
    for (int i = 0; i < ROWS; i++) {
        asking a = { .marks = NULL };
        sl_bvh_info info;
        if (argc > 1 && strcmp(argv[1], "all") != 0 && strcmp(argv[1], rows[i].name) != 0) {
            continue;
        }
        must(pick_world_build(rows[i].groups, &a.world), "not enough memory");
        a.marks = (rows[i].asked & FOR_MARKS) != 0 ? make_marks() : NULL;
        info = sl_bvh_get_info(a.world.scene);
        printf("%s: %llu triangles, %zu instances; us: median, 99 %%, worst, climbing\n",
               rows[i].name, (unsigned long long)info.triangle_count, info.instance_count);
        for (size_t k = 0; k < sizeof queries / sizeof queries[0]; k++) {
            for (int corner = 0; corner < 2 && (rows[i].asked & queries[k].asked); corner++) {
                set_question(&a, &queries[k]);
                measure(&a, corner != 0, pixels);
            }
        }
        sl_marks_destroy(a.marks);
        pick_world_free(&a.world);
    }
    return 0;
}
