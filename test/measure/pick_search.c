/* pick_search: looks for worlds, and pixels in them, where picking is slow.
 *
 *     pick_search [SECONDS [SEED [DENSITY]]]   default 60, 1 and 4 pieces a pixel (pick_worlds.h)
 *     pick_search at DENSITY X Y N1 N2 ...     one again, by the numbers that were printed
 *
 * Worlds at random (pick_worlds.h), and from each of the slow ones changes that make it slower:
 * what counts is the slowest pixel of some, found by climbing, too.  Prints what is slower than all
 * before: microseconds, the least of five times; what was counted; what the world consists of; and
 * its numbers. */
#include "test/measure/pick_worlds.h"
#include "test/support/input/random.h"

#include <math.h>
#include <string.h>

enum { PIXELS = 24, CLIMB = 60, UNIT = 1000, STARTS = 8, CHANGES = 60 };

typedef struct found {
    double numbers[PICK_WORLD_NUMBERS], density;
    double xy[2];
    double seconds; /* of the slowest pixel; negative: there is no such world */
} found;

static void draw_pixel(test_random *random, double xy[2])
{
    static const double middle[2] = { 0.5 * PICTURE_WIDTH, 0.5 * PICTURE_HEIGHT };
    const double reach = 0.5 * PICTURE_HEIGHT * pow(10, -3 * (double)test_random_unit(random));
    for (int i = 0; i < 2; i++) {
        xy[i] = middle[i] + reach * (double)test_random_in(random, -1, 1);
    }
}

/* The slowest pixel that is found. */
static void find_pixel(const pick_world *w, test_random *random, found *f)
{
    double far = 32;
    f->seconds = -1;
    for (int i = 0; i < PIXELS + CLIMB; i++) {
        double xy[2];
        draw_pixel(random, xy);
        for (int axis = 0; i >= PIXELS && axis < 2; axis++) {
            xy[axis] = f->xy[axis] + far * (double)test_random_in(random, -1, 1);
        }
        double seconds = pick_world_seconds(w, xy, 1);
        if (seconds > f->seconds) {
            seconds = fmin(seconds, pick_world_seconds(w, xy, 2));
        }
        far = i < PIXELS ? far : seconds > f->seconds ? far * 1.5 : fmax(far * 0.9, 0.05);
        if (seconds > f->seconds) {
            f->seconds = seconds;
            memcpy(f->xy, xy, sizeof xy);
        }
    }
}

/* The numbers are those that are printed. */
static void judge_world(found *f, test_random *random)
{
    pick_world w;
    for (int i = 0; i < PICK_WORLD_NUMBERS; i++) {
        f->numbers[i] = fmin(fmax(floor(f->numbers[i] * UNIT) / UNIT, 0), (UNIT - 1.0) / UNIT);
    }
    f->seconds = -1;
    if (pick_world_make(f->numbers, f->density, &w)) {
        find_pixel(&w, random, f);
        pick_world_free(&w);
    }
}

static void print_found(const found *f)
{
    pick_world w;
    if (!pick_world_make(f->numbers, f->density, &w)) {
        return;
    }
    const double seconds = pick_world_seconds(&w, f->xy, 5);
    sl_bvh_info info;
    sl_pick pick;
    info = sl_bvh_get_info(w.scene);
    const bool any = sl_pick_at(w.scene, &w.view, f->xy, &w.def, &pick);
    printf("%.0f us: kind %u, %.3f pixels; %llu triangles in all\n", 1e6 * seconds,
           any ? pick.kind : 0, any ? pick.pixels : 0, (unsigned long long)info.triangle_count);
    pick_world_print(f->numbers, f->density);
    printf("    at %g %.17g %.17g", f->density, f->xy[0], f->xy[1]);
    for (int i = 0; i < PICK_WORLD_NUMBERS; i++) {
        printf(" %.3f", f->numbers[i]);
    }
    printf("\n");
    fflush(stdout);
    pick_world_free(&w);
}

static void make_random(found *f, test_random *random)
{
    for (int i = 0; i < PICK_WORLD_NUMBERS; i++) {
        f->numbers[i] = (double)test_random_unit(random);
    }
}

static void change_numbers(found *f, test_random *random, double size)
{
    const uint32_t changes = 1 + test_random_below(random, 4);
    for (uint32_t k = 0; k < changes; k++) {
        const uint32_t which = test_random_below(random, PICK_WORLD_NUMBERS);
        f->numbers[which] = test_random_below(random, 8) == 0
                                ? (double)test_random_unit(random)
                                : f->numbers[which] + size * (double)test_random_in(random, -1, 1);
    }
}

static void search(double seconds, test_random *random, double density)
{
    const double end = bench_wall_seconds() + seconds;
    double slowest = -1;
    long worlds = 0;
    while (bench_wall_seconds() < end) {
        found best = { .density = density, .seconds = -1 }, next;
        double size = 0.3;
        for (int i = 0; i < STARTS + CHANGES && bench_wall_seconds() < end; i++, worlds++) {
            next = best;
            if (i < STARTS) {
                make_random(&next, random);
            } else {
                change_numbers(&next, random, size);
            }
            judge_world(&next, random);
            size = i < STARTS                    ? size
                   : next.seconds > best.seconds ? size * 1.2
                                                 : fmax(size * 0.95, 0.01);
            best = next.seconds > best.seconds ? next : best;
        }
        if (best.seconds > slowest) {
            slowest = best.seconds;
            print_found(&best);
        }
    }
    printf("%ld worlds\n", worlds);
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "at") == 0) {
        found f = { .seconds = 0 };
        if (argc != 5 + PICK_WORLD_NUMBERS) {
            fprintf(stderr, "pick_search: at takes DENSITY, X, Y and %d numbers\n",
                    PICK_WORLD_NUMBERS);
            return 2;
        }
        f.density = strtod(argv[2], NULL);
        for (int i = 3; i < argc; i++) {
            *(i < 5 ? &f.xy[i - 3] : &f.numbers[i - 5]) = strtod(argv[i], NULL);
        }
        print_found(&f);
        return 0;
    }
    test_random random = { (uint64_t)number_at(argc, argv, 2, 1) };
    search(number_at(argc, argv, 1, 60), &random, number_at(argc, argv, 3, 4));
    return 0;
}
