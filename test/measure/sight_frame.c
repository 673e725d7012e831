/* sight_frame: what a frame of lines of sight costs in a world that moves.
 *
 *     sight_frame [FRAMES [INSTANCES [LINES [MESH]]]]
 *
 * default 25 frames, 2000 instances, 50000 lines, and a sphere of 8000 triangles.  The world is
 * that of bench --scene (harness/world.h), at a fifth of its speed.  A thousand agents walk through
 * it, and lines lead from agents to others not farther than half its side; of the pairs, one in
 * twenty is another in the next frame.
 *
 * Prints medians of frames, for one thread: how long the next version of the scene takes to build,
 * the lines without memory, and with it; the same as segments in an array with hints that need no
 * looking up; and those lines alone that memory cannot answer, because they see, are new, or their
 * blocker has moved out of the way.  Answers with and without memory are compared. */
#include "test/measure/program.h"
#include "test/support/query/of_one.h"
#include "tools/bench/harness/ask.h"
#include "tools/bench/harness/world.h"

#include <string.h>

enum { AGENTS = 1000, PARTS = 9, FIRST = 3 /* frames that fill the memory */ };

typedef struct frame_world {
    bench_world world;
    sl_bvh *tree;
    float (*places)[12];
    sl_instance *instances;
    bench_versions versions;
    sl_sight_end ends[AGENTS];
    float speed[AGENTS][3];
    sl_sight_pair *pairs, *rest;
    bench_rays lines; /* of pairs; so are their hints */
    sl_triangle_ref *known;
    uint8_t *occluded;
    bench_random random;
} frame_world;

/* Pairs of one eye stay together. */
static void draw_pair(frame_world *w, size_t i)
{
    const uint32_t eye = (uint32_t)(i * AGENTS / w->lines.count);
    const double reach = w->world.side / 2;
    sl_sight_pair *pair = &w->pairs[i];
    double away;
    do {
        *pair = (sl_sight_pair){ eye, (uint32_t)bench_random_below(&w->random, AGENTS) };
        away = 0;
        for (int axis = 0; axis < 3; axis++) {
            const double d = w->ends[eye].at[axis] - w->ends[pair->target].at[axis];
            away += d * d;
        }
    } while (pair->target == eye || away > reach * reach);
    w->lines.hints[i].prim = SL_NONE;
}

static void make_world(frame_world *w, size_t instances, size_t lines)
{
    const sl_aabb box = bounds_in_floats(w->tree);
    must(bench_world_make(&box, instances, DENSITY_TOUCHING, 1, &w->world), "not enough memory");
    const float side = (float)w->world.side, step = side / 5000;
    const sl_aabb cube = { .max = { side, side, side } };
    w->random = bench_random_make(1, STREAM_FRAME);
    w->places = memory_for(instances, sizeof *w->places);
    w->instances = memory_for(instances, sizeof *w->instances);
    w->pairs = memory_for(lines, sizeof *w->pairs);
    w->rest = memory_for(lines, sizeof *w->rest);
    w->known = memory_for(lines, sizeof *w->known);
    w->occluded = memory_for(lines, 1);
    w->lines = (bench_rays){ .query = BENCH_BLOCKED,
                             .count = lines,
                             .segments = memory_for(lines, sizeof(sl_segment)),
                             .hints = memory_for(lines, sizeof(sl_triangle_ref)) };
    for (uint32_t i = 0; i < AGENTS; i++) {
        float at[3];
        bench_random_point(&w->random, &cube, at);
        w->ends[i] = (sl_sight_end){ .at = { at[0], at[1], at[2] }, .id = i };
        for (int axis = 0; axis < 3; axis++) {
            w->speed[i][axis] = bench_random_in(&w->random, -step, step);
        }
    }
    for (size_t i = 0; i < lines; i++) {
        draw_pair(w, i);
    }
}

/* The next frame. */
static void step_world(frame_world *w, size_t frame)
{
    bench_world_places(&w->world, 0.2 * (double)frame, w->places);
    bench_world_instances(w->tree, (const float(*)[12])w->places, w->world.count, w->instances);
    for (uint32_t i = 0; i < AGENTS; i++) {
        float at[3];
        for (int axis = 0; axis < 3; axis++) {
            at[axis] = (float)w->ends[i].at[axis] + w->speed[i][axis];
            if (at[axis] < 0 || at[axis] > (float)w->world.side) {
                w->speed[i][axis] = -w->speed[i][axis];
            }
        }
        w->ends[i] = (sl_sight_end){ .at = { at[0], at[1], at[2] }, .id = i };
    }
    for (size_t i = 0; i < w->lines.count; i++) {
        if (bench_random_below(&w->random, 20) == 0) {
            draw_pair(w, i);
        }
    }
}

/* The lines with hints in an array of the caller's own, in the order of the pairs: what memory
 * would be where pairs never changed places.  Returns the seconds; lists the pairs that no hint
 * answers: those that see, that are new, and those whose blocker has moved out of the way. */
static double ask_hinted(frame_world *w, size_t *rest)
{
    const bench_target target = { .bvh = w->versions.now, .hinted = true };
    sl_triangle_ref *hints = w->lines.hints;
    for (size_t i = 0; i < w->lines.count; i++) {
        for (int axis = 0; axis < 3; axis++) {
            w->lines.segments[i].p[axis] = (float)w->ends[w->pairs[i].eye].at[axis];
            w->lines.segments[i].q[axis] = (float)w->ends[w->pairs[i].target].at[axis];
        }
        w->known[i] = hints[i];
    }
    const double start = bench_cpu_seconds();
    bench_ask_batches(&target, &w->lines, 0,
                      &(bench_answers){ .any = w->occluded, .hints = hints });
    const double took = bench_cpu_seconds() - start;
    *rest = 0;
    for (size_t i = 0; i < w->lines.count; i++) {
        const bool is_same = memcmp(&w->known[i], &hints[i], sizeof hints[i]) == 0;
        hints[i].prim = w->occluded[i] == 0 ? SL_NONE : hints[i].prim;
        if (w->occluded[i] == 0 || !is_same) {
            w->rest[(*rest)++] = w->pairs[i];
        }
    }
    return took;
}

static double ask_pairs(const frame_world *w, const sl_sight_pair *pairs, size_t count,
                        sl_sight_memory *memory, uint64_t *seen, size_t *total)
{
    const sl_sight_ends ends = { .eyes = w->ends, .eye_count = AGENTS };
    const sl_sight sight = { .memory = memory };
    const double start = bench_cpu_seconds();
    *total = sl_sight_pairs(w->versions.now, &ends, pairs, count, &sight, seen, NULL);
    return bench_cpu_seconds() - start;
}

static const char *const words_of[PARTS] = {
    "ms the scene's next version",
    "ms lines without memory",
    "ms lines with memory",
    "ms lines as segments, with hints in the order of the pairs",
    "ms of all lines, those that memory cannot answer, without it",
    "% blocked",
    "% of lines whose remembered blocker still blocks",
    "ns for each of those lines",
    "ns a line for gathering and looking up: memory against hints in order",
};

/* One frame; memory has been through the ones before it. */
static void measure_frame(frame_world *w, sl_sight_memory *memory, uint64_t *seen,
                          uint64_t *without, double parts[PARTS])
{
    sl_sight_memory_info before, after;
    size_t total, ignored, rest;
    const size_t count = w->lines.count;
    const double lines = (double)count, start = bench_cpu_seconds();
    must(bench_next_version(&w->versions, w->instances, w->world.count, NULL, NULL) == SL_OK,
         "no scene");
    const double built = bench_cpu_seconds() - start;
    const double plain = ask_pairs(w, w->pairs, count, NULL, without, &ignored);
    before = sl_sight_memory_get_info(memory);
    const double with = ask_pairs(w, w->pairs, count, memory, seen, &total);
    after = sl_sight_memory_get_info(memory);
    must(memcmp(seen, without, (count + 63) / 64 * 8) == 0, "memory changes answers");
    const double hinted = ask_hinted(w, &rest);
    const double left = ask_pairs(w, w->rest, rest, NULL, without, &ignored);
    const double held = (double)(after.occluded - before.occluded);
    const double found[PARTS] = { built * 1e3,
                                  plain * 1e3,
                                  with * 1e3,
                                  hinted * 1e3,
                                  left * 1e3,
                                  100 * (1 - (double)total / lines),
                                  100 * held / lines,
                                  (with - left) * 1e9 / held,
                                  (with - hinted) * 1e9 / lines };
    memcpy(parts, found, sizeof found);
}

int main(int argc, char **argv)
{
    static frame_world w;
    static double took[PARTS][BENCH_ROUNDS_MAX];
    const size_t frames = (size_t)number_at(argc, argv, 1, 25);
    const size_t instances = (size_t)number_at(argc, argv, 2, 2000);
    const size_t lines = (size_t)number_at(argc, argv, 3, 50000);
    must(frames > 0 && frames <= BENCH_ROUNDS_MAX && instances > 0 && lines > 0,
         "usage: sight_frame [FRAMES [INSTANCES [LINES [MESH]]]]");
    w.tree = tree_of_only(argc > 4 ? file_mesh(argv[4]) : shape_mesh(SHAPE_SPHERE, 8192));
    make_world(&w, instances, lines);
    uint64_t *seen = memory_for((lines + 63) / 64, 8), *without = memory_for((lines + 63) / 64, 8);
    sl_sight_memory *memory;
    must(sl_sight_memory_create(lines, NULL, &memory, NULL) == SL_OK, "no memory");
    for (size_t frame = 0; frame < FIRST + frames; frame++) {
        double parts[PARTS];
        step_world(&w, frame);
        measure_frame(&w, memory, seen, without, parts);
        for (int part = 0; part < PARTS && frame >= FIRST; part++) {
            took[part][frame - FIRST] = parts[part];
        }
    }
    for (int part = 0; part < PARTS; part++) {
        printf("%8.2f %s\n", bench_median(took[part], frames), words_of[part]);
    }
    sl_sight_memory_destroy(memory);
    bench_versions_free(&w.versions);
    bench_rays_free(&w.lines);
    bench_world_free(&w.world);
    sl_bvh_destroy(w.tree);
    void *const all[] = {
        seen, without, w.places, w.instances, w.pairs, w.rest, w.known, w.occluded
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        free(all[i]);
    }
    return 0;
}
