/* sight_frame: what a frame of lines of sight costs in a world that moves.
 *
 *     sight_frame [FRAMES [INSTANCES [LINES [SIZE [MESH ...]]]]]
 *
 * default 25 frames, 2000 instances, 50000 lines, SIZE 5; meshes are OBJ, PLY, STL or OFF files, by
 * default a sphere, a torus and a block of 5000 to 13000 triangles.  The world is 200 m by 200 m
 * and 40 m high.  Instances of all meshes, their longest sides 0.5 to 1.5 times SIZE, move and turn
 * in every frame.  A thousand agents walk, and lines lead from agents to others not farther than 50
 * m, a quarter of the world; of the pairs, one in twenty is another in the next frame.
 *
 * Prints medians of frames, for one thread: how long the next version of the scene takes to build,
 * the lines without memory, and with it; the same segments by sl_scene_blocked_many with hints that
 * need no looking up; and those lines alone that memory cannot answer, because they see, are new,
 * or their blocker has moved out of the way.  Answers with and without memory are compared. */
#include "test/support/input/random.h"

#include <sightline/sightline.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { AGENTS = 1000, FRAMES_MAX = 1000, MESHES_MAX = 16, PARTS = 9 };
static const double world[3] = { 200, 200, 40 };
static const double reach = 50;
static const double speed_max = 0.03; /* metres a frame along an axis */

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void check(bool good, const char *words)
{
    if (!good) {
        fprintf(stderr, "sight_frame: %s\n", words);
        exit(1);
    }
}

static void *room(size_t count, size_t size)
{
    void *memory = calloc(count, size);
    check(memory != NULL, "out of memory");
    return memory;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static double median(double *values, size_t count)
{
    qsort(values, count, sizeof *values, compare);
    return values[count / 2];
}

/* What moves. */
typedef struct body {
    size_t tree;
    double at[3], speed[3], turn[4], scale;
} body;

typedef struct frame_world {
    sl_bvh *trees[MESHES_MAX];
    size_t tree_count;
    body *bodies, *agents;
    sl_instance *instances;
    size_t instance_count;
    sl_sight_end ends[AGENTS];
    sl_sight_pair *pairs, *rest;
    sl_segment *segments; /* of pairs; so are hints */
    sl_triangle_ref *hints, *known;
    uint8_t *blocked;
    size_t pair_count;
    sl_scene *scene, *spare; /* of this frame, and of the one before */
    test_random random;
} frame_world;

static double between(frame_world *w, double low, double high)
{
    return low + (high - low) * (double)test_random_unit(&w->random);
}

static body make_body(frame_world *w, double speed)
{
    body made = { .tree = test_random_below(&w->random, (uint32_t)w->tree_count) };
    for (int axis = 0; axis < 3; axis++) {
        made.at[axis] = between(w, 0, world[axis]);
        made.speed[axis] = axis < 2 ? between(w, -speed, speed) : 0;
    }
    for (int i = 0; i < 4; i++) {
        made.turn[i] = between(w, -1, 1);
    }
    return made;
}

static void move(body *b)
{
    for (int axis = 0; axis < 3; axis++) {
        b->at[axis] += b->speed[axis];
        if (b->at[axis] < 0 || b->at[axis] > world[axis]) {
            b->speed[axis] = -b->speed[axis];
            b->at[axis] += 2 * b->speed[axis];
        }
    }
    b->turn[2] += 0.002;
}

/* A block as fine as the other meshes: a sphere, each vertex taken out to a cube. */
static sl_mesh *make_block(void)
{
    sl_mesh *sphere = NULL, *block = NULL;
    check(sl_mesh_generate_sphere(32, NULL, &sphere, NULL) == SL_OK, "no sphere");
    const size_t count = sl_mesh_vertex_count(sphere);
    float *xyz = room(3 * count, sizeof *xyz);
    memcpy(xyz, sl_mesh_positions(sphere), 3 * count * sizeof *xyz);
    for (size_t i = 0; i < count; i++) {
        float most = 0;
        for (size_t axis = 0; axis < 3; axis++) {
            most = fmaxf(most, fabsf(xyz[3 * i + axis]));
        }
        for (size_t axis = 0; axis < 3; axis++) {
            xyz[3 * i + axis] /= most;
        }
    }
    check(sl_mesh_from_arrays(xyz, count, sl_mesh_indices(sphere), sl_mesh_triangle_count(sphere),
                              NULL, &block, NULL) == SL_OK,
          "no block");
    free(xyz);
    sl_mesh_destroy(sphere);
    return block;
}

static void add_tree(frame_world *w, sl_mesh *mesh)
{
    check(w->tree_count < MESHES_MAX, "too many meshes");
    check(sl_bvh_build(mesh, NULL, &w->trees[w->tree_count++], NULL) == SL_OK, "no tree");
    sl_mesh_destroy(mesh);
}

static void make_trees(frame_world *w, int count, char **paths)
{
    sl_mesh *mesh;
    sl_error error;
    for (int i = 0; i < count; i++) {
        check(sl_mesh_load(paths[i], NULL, &mesh, &error) == SL_OK, error.message);
        add_tree(w, mesh);
    }
    if (count == 0) {
        check(sl_mesh_generate_sphere(32, NULL, &mesh, NULL) == SL_OK, "no sphere");
        add_tree(w, mesh);
        check(sl_mesh_generate_torus(80, 32, 1, 0.4f, NULL, &mesh, NULL) == SL_OK, "no torus");
        add_tree(w, mesh);
        add_tree(w, make_block());
    }
}

static void draw_pair(frame_world *w, size_t i)
{
    /* Pairs of one eye stay together. */
    const uint32_t eye = (uint32_t)(i * AGENTS / w->pair_count);
    double away;
    sl_sight_pair *pair = &w->pairs[i];
    do {
        *pair = (sl_sight_pair){ eye, test_random_below(&w->random, AGENTS) };
        away = 0;
        for (int axis = 0; axis < 3; axis++) {
            const double d = w->agents[pair->eye].at[axis] - w->agents[pair->target].at[axis];
            away += d * d;
        }
    } while (pair->target == eye || away > reach * reach);
}

static void make_world(frame_world *w, double size)
{
    for (size_t i = 0; i < w->instance_count; i++) {
        body *b = &w->bodies[i];
        *b = make_body(w, speed_max);
        const sl_aabb box = sl_bvh_bounds(w->trees[b->tree]);
        const int longest = sl_aabb_longest_axis(&box);
        b->scale =
            size * between(w, 0.5, 1.5) / ((double)box.max[longest] - (double)box.min[longest]);
    }
    for (size_t i = 0; i < AGENTS; i++) {
        w->agents[i] = make_body(w, speed_max);
    }
    for (size_t i = 0; i < w->pair_count; i++) {
        draw_pair(w, i);
    }
}

/* The next frame. */
static void step(frame_world *w)
{
    for (size_t i = 0; i < w->instance_count; i++) {
        body *b = &w->bodies[i];
        move(b);
        w->instances[i] = sl_instance_of(w->trees[b->tree]);
        check(sl_place_from_trs(b->at, b->turn, (const double[3]){ b->scale, b->scale, b->scale },
                                &w->instances[i].place),
              "no place");
    }
    for (size_t i = 0; i < AGENTS; i++) {
        float at[3];
        move(&w->agents[i]);
        for (int axis = 0; axis < 3; axis++) {
            at[axis] = (float)w->agents[i].at[axis];
        }
        w->ends[i] = sl_sight_end_at(at, (uint32_t)i);
    }
    for (size_t i = 0; i < w->pair_count; i++) {
        if (test_random_below(&w->random, 20) == 0) {
            draw_pair(w, i);
            w->hints[i].prim = SL_NONE;
        }
    }
}

/* The lines with hints in an array of the caller's own, in the order of the pairs: what memory
 * would be where pairs never changed places.  Returns the seconds; lists the pairs that no hint
 * answers: those that see, that are new, and those whose blocker has moved out of the way. */
static double run_hinted(frame_world *w, const sl_scene *scene, size_t *rest)
{
    for (size_t i = 0; i < w->pair_count; i++) {
        for (int axis = 0; axis < 3; axis++) {
            w->segments[i].p[axis] = (float)w->ends[w->pairs[i].eye].at[axis];
            w->segments[i].q[axis] = (float)w->ends[w->pairs[i].target].at[axis];
        }
        w->known[i] = w->hints[i];
    }
    const double start = seconds();
    sl_scene_blocked_many(scene, w->segments, w->pair_count, NULL, w->blocked, w->hints, NULL);
    const double took = seconds() - start;
    *rest = 0;
    for (size_t i = 0; i < w->pair_count; i++) {
        const bool is_same = memcmp(&w->known[i], &w->hints[i], sizeof w->known[i]) == 0;
        if (w->blocked[i] == 0) {
            w->hints[i].prim = SL_NONE;
        }
        if (w->blocked[i] == 0 || !is_same) {
            w->rest[(*rest)++] = w->pairs[i];
        }
    }
    return took;
}

/* The next version of the scene, in the memory of the one before the present one. */
static void follow(frame_world *w)
{
    sl_scene_def def = sl_default_scene_def();
    sl_scene *next;
    def.previous = w->scene;
    def.recycle = w->spare;
    check(sl_scene_build(w->instances, w->instance_count, &def, &next, NULL) == SL_OK, "no scene");
    w->spare = w->scene;
    w->scene = next;
}

static double run(const frame_world *w, const sl_scene *scene, const sl_sight_pair *pairs,
                  size_t count, sl_sight_memory *memory, uint64_t *seen, size_t *total)
{
    const sl_sight_ends ends = { .eyes = w->ends, .eye_count = AGENTS };
    const sl_sight sight = { .memory = memory };
    const double start = seconds();
    *total = sl_sight_pairs(scene, &ends, pairs, count, &sight, seen, NULL);
    return seconds() - start;
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
    const double lines = (double)w->pair_count, start = seconds();
    follow(w);
    const sl_scene *scene = w->scene;
    const double built = seconds() - start;
    const double plain = run(w, scene, w->pairs, w->pair_count, NULL, without, &ignored);
    sl_sight_memory_get_info(memory, &before, sizeof before);
    const double with = run(w, scene, w->pairs, w->pair_count, memory, seen, &total);
    sl_sight_memory_get_info(memory, &after, sizeof after);
    check(memcmp(seen, without, (w->pair_count + 63) / 64 * 8) == 0, "memory changes answers");
    const double hinted = run_hinted(w, scene, &rest);
    const double left = run(w, scene, w->rest, rest, NULL, without, &ignored);
    const double held = (double)(after.blocked - before.blocked);
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

static void measure(frame_world *w, size_t frames)
{
    enum { FIRST = 3 }; /* frames that fill the memory */
    static double parts[PARTS], took[PARTS][FRAMES_MAX];
    sl_sight_memory *memory;
    uint64_t *seen = room((w->pair_count + 63) / 64, 8);
    uint64_t *without = room((w->pair_count + 63) / 64, 8);
    check(sl_sight_memory_create(w->pair_count, NULL, &memory, NULL) == SL_OK, "no memory");
    for (size_t frame = 0; frame < FIRST + frames; frame++) {
        step(w);
        measure_frame(w, memory, seen, without, parts);
        for (int part = 0; part < PARTS && frame >= FIRST; part++) {
            took[part][frame - FIRST] = parts[part];
        }
    }
    for (int part = 0; part < PARTS; part++) {
        printf("%8.2f %s\n", median(took[part], frames), words_of[part]);
    }
    sl_sight_memory_destroy(memory);
    sl_scene_destroy(w->scene);
    sl_scene_destroy(w->spare);
    free(without);
    free(seen);
}

static size_t number(int argc, char **argv, int at, size_t otherwise)
{
    return argc > at ? strtoul(argv[at], NULL, 10) : otherwise;
}

int main(int argc, char **argv)
{
    static frame_world w;
    const size_t frames = number(argc, argv, 1, 25);
    w.random = (test_random){ 20261123 };
    w.instance_count = number(argc, argv, 2, 2000);
    w.pair_count = number(argc, argv, 3, 50000);
    check(frames > 0 && frames <= FRAMES_MAX && w.instance_count > 0 && w.pair_count > 0,
          "usage: sight_frame [FRAMES [INSTANCES [LINES [SIZE [MESH ...]]]]]");
    make_trees(&w, argc > 5 ? argc - 5 : 0, argv + 5);
    w.bodies = room(w.instance_count, sizeof *w.bodies);
    w.agents = room(AGENTS, sizeof *w.agents);
    w.instances = room(w.instance_count, sizeof *w.instances);
    w.pairs = room(w.pair_count, sizeof *w.pairs);
    w.rest = room(w.pair_count, sizeof *w.rest);
    w.segments = room(w.pair_count, sizeof *w.segments);
    w.hints = room(w.pair_count, sizeof *w.hints);
    w.known = room(w.pair_count, sizeof *w.known);
    w.blocked = room(w.pair_count, 1);
    memset(w.hints, 0xFF, w.pair_count * sizeof *w.hints); /* nothing */
    make_world(&w, argc > 4 ? strtod(argv[4], NULL) : 5);
    measure(&w, frames);
    free(w.blocked);
    free(w.known);
    free(w.hints);
    free(w.segments);
    free(w.rest);
    free(w.pairs);
    free(w.instances);
    free(w.agents);
    free(w.bodies);
    for (size_t i = 0; i < w.tree_count; i++) {
        sl_bvh_destroy(w.trees[i]);
    }
    return 0;
}
