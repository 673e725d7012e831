/* sight_frame.c: who sees whom, for 300 frames of a small world with doors and agents.
 *
 *     sight_frame spot.obj [times]
 *
 * Sixteen rooms with a sliding door between any two neighbours, and 40 cows that walk about; the
 * first eight are guards.  In every frame the doors and the cows move, the next scene is built over
 * the same trees, and the program asks who sees whom, what guards notice in front of them, and how
 * much of it is in view.  At last it draws what the first guard sees of the floor.  With the word
 * `times` it prints what each part cost. */
#include <sightline/sightline.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    FRAMES = 300,
    ROOMS = 4, /* along each side */
    DOORS = 2 * ROOMS * (ROOMS - 1),
    WALLS = 2 * DOORS + 4,
    AGENTS = 40,
    GUARDS = 8,
    INSTANCES = WALLS + DOORS + AGENTS, /* in this order */
    WIDE = 60, /* letters of the picture, which are twice as high as wide */
    HIGH = 30
};

/* Metres along a side; a door is 2 wide, walls are 3 high. */
static const double room = 10, house = (double)ROOMS * 10;

enum { SCENE, MATRIX, SENSORS, SHARES, PARTS };
static const char *const part_names[PARTS] = { "scenes", "who sees whom", "guards",
                                               "how much of it" };

/* The world of the present frame. */
typedef struct game {
    sl_bvh *box, *cow;
    sl_instance instances[INSTANCES];
    sl_bvh *scene;
    sl_sight_memory *memory;
    double at[AGENTS][2], speed[AGENTS][2];
    sl_sight_end eyes[AGENTS];
    sl_sight_cone cones[GUARDS];
    sl_sight_samples samples[AGENTS];
    size_t pairs, noticed, plain; /* of this frame */
    clock_t spent[PARTS];
} game;

/* The unit cube, from 0 to 1. */
static sl_result make_box(sl_bvh **out, sl_error *error)
{
    static const float corners[8][3] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 1, 1, 0 },
                                         { 0, 0, 1 }, { 1, 0, 1 }, { 0, 1, 1 }, { 1, 1, 1 } };
    static const uint32_t sides[12][3] = { { 0, 2, 3 }, { 0, 3, 1 }, { 4, 5, 7 }, { 4, 7, 6 },
                                           { 0, 1, 5 }, { 0, 5, 4 }, { 2, 6, 7 }, { 2, 7, 3 },
                                           { 0, 4, 6 }, { 0, 6, 2 }, { 1, 3, 7 }, { 1, 7, 5 } };
    sl_mesh *mesh = NULL;
    sl_result result = sl_mesh_from_arrays(corners[0], 8, sides[0], 12, NULL, &mesh, error);
    if (result == SL_OK) {
        result = sl_bvh_build(mesh, NULL, out, error);
    }
    sl_mesh_destroy(mesh);
    return result;
}

static sl_result load_cow(const char *path, sl_bvh **out, sl_error *error)
{
    sl_mesh *mesh = NULL;
    sl_result result = sl_mesh_load(path, NULL, &mesh, error);
    if (result == SL_OK) {
        result = sl_bvh_build(mesh, NULL, out, error);
    }
    sl_mesh_destroy(mesh);
    return result;
}

/* A box from a corner, of a size. */
static sl_instance box_at(const game *g, double x, double y, double width, double depth)
{
    sl_instance box = sl_instance_of(g->box);
    const double at[3] = { x, y, 0 }, size[3] = { width, depth, 3 };
    sl_transform_from_trs(at, NULL, size, &box.transform);
    return box;
}

/* A box that lies along one axis or the other. */
static sl_instance wall_at(const game *g, int along, double from, double across, double length)
{
    return along == 0 ? box_at(g, from, across - 0.1, length, 0.2)
                      : box_at(g, across - 0.1, from, 0.2, length);
}

/* How far a door is open, 0 to 1: it opens, waits, closes and waits, each its own time of day. */
static double opening(int door, int frame)
{
    const int phase = (frame + 37 * door) % 160;
    return phase < 20 ? phase / 20.0 : phase < 80 ? 1 : phase < 100 ? (100 - phase) / 20.0 : 0;
}

/* Walls stay; doors slide into the wall beside them. */
static void place_walls(game *g, int frame)
{
    int door = 0;
    for (int along = 0; along < 2; along++) {
        for (int line = 1; line < ROOMS; line++) {
            for (int i = 0; i < ROOMS; i++, door++) {
                const double from = i * room, across = line * room;
                const double shut = from + 4 + 2 * opening(door, frame);
                g->instances[2 * door] = wall_at(g, along, from, across, 4);
                g->instances[2 * door + 1] = wall_at(g, along, from + 6, across, 4);
                g->instances[WALLS + door] = wall_at(g, along, shut, across, 2);
            }
        }
        for (int side = 0; side < 2; side++) {
            g->instances[2 * DOORS + 2 * along + side] = wall_at(g, along, 0, side * house, house);
        }
    }
}

/* Agents walk straight on and turn round at the outer walls; doors and walls do not stop cows. */
static void place_agents(game *g)
{
    for (int i = 0; i < AGENTS; i++) {
        sl_instance *body = &g->instances[WALLS + DOORS + i];
        for (int axis = 0; axis < 2; axis++) {
            double *at = &g->at[i][axis], *speed = &g->speed[i][axis];
            *at += *speed;
            if (*at < 1 || *at > house - 1) {
                *speed = -*speed;
                *at += 2 * *speed;
            }
        }
        *body = sl_instance_of(g->cow);
        const double feet[3] = { g->at[i][0], g->at[i][1], 0.8 };
        const double upright[4] = { 0.5, 0.5, 0.5, 0.5 }; /* y becomes z */
        sl_transform_from_trs(feet, upright, NULL, &body->transform);
        const float eye[3] = { (float)feet[0], (float)feet[1], 1.5f };
        g->eyes[i] = (sl_sight_end){ .at = { eye[0], eye[1], eye[2] }, .id = (uint32_t)i };
        g->eyes[i].own = (sl_instance_range){ WALLS + DOORS + (uint32_t)i, 1 };
        if (i < GUARDS) { /* sees ahead, 45 degrees to either side, 25 m far */
            g->cones[i] = (sl_sight_cone){ .dir = { g->speed[i][0], g->speed[i][1], 0 },
                                           .cos_angle = 0.70710678,
                                           .range = 25 };
        }
        /* 24 points of a cow; it is in plain view where 18 of them are seen. */
        g->samples[i] = (sl_sight_samples){ .axes = { { 0.5, 0, 0 }, { 0, 0.5, 0 }, { 0, 0, 0.7 } },
                                            .shape = SL_SIGHT_BALL,
                                            .count = 24,
                                            .need = 18 };
    }
}

/* Seconds since the last call belong to a part. */
static void note(game *g, int part)
{
    static clock_t last;
    const clock_t now = clock();
    if (part < PARTS) {
        g->spent[part] += now - last;
    }
    last = now;
}

/* What the guards notice, and how much of it is in view. */
static void look_out(game *g, const sl_sight *sight)
{
    uint64_t noticed[GUARDS];
    sl_sight_pair pairs[GUARDS * AGENTS];
    sl_sight_share shares[GUARDS * AGENTS];
    const sl_sight_ends ends = { g->eyes, GUARDS, g->eyes + GUARDS, AGENTS - GUARDS };
    size_t count = 0;
    g->noticed = sl_sight_sensors(g->scene, &ends, g->cones, sight, noticed, 0, NULL);
    for (uint32_t guard = 0; guard < GUARDS; guard++) {
        for (uint32_t target = 0; target < AGENTS - GUARDS; target++) {
            if ((noticed[guard] >> target & 1) != 0) {
                pairs[count++] = (sl_sight_pair){ guard, target };
            }
        }
    }
    note(g, SENSORS);
    sl_sight_shares(g->scene, &ends, g->samples + GUARDS, pairs, count, NULL, shares, NULL);
    g->plain = 0;
    for (size_t i = 0; i < count; i++) {
        g->plain += shares[i].enough;
    }
    note(g, SHARES);
}

static sl_result play(game *g, int frame, sl_error *error)
{
    uint64_t seen[AGENTS];
    const sl_sight sight = { .memory = g->memory };
    const sl_sight_ends everybody = { .eyes = g->eyes, .eye_count = AGENTS };
    place_walls(g, frame);
    place_agents(g);
    note(g, PARTS);
    sl_bvh_destroy(g->scene);
    g->scene = NULL;
    const sl_result result =
        sl_bvh_build_instances(g->instances, INSTANCES, NULL, &g->scene, error);
    if (result != SL_OK) {
        return result;
    }
    note(g, SCENE);
    /* Each end sees itself, and each pair is in the matrix twice. */
    g->pairs = (sl_sight_matrix(g->scene, &everybody, &sight, seen, 0, NULL) - AGENTS) / 2;
    note(g, MATRIX);
    look_out(g, &sight);
    return SL_OK;
}

/* What the first guard sees at the height of its eyes: # is hidden, . is seen, @ is the guard. */
static void draw_view(const game *g)
{
    static uint8_t view[WIDE * HIGH];
    const double across = house / (double)WIDE, down = house / (double)HIGH;
    const sl_sight_grid grid = { .origin = { across / 2, house - down / 2, 1.5 },
                                 .step_x = { across, 0, 0 },
                                 .step_y = { 0, -down, 0 },
                                 .width = WIDE,
                                 .height = HIGH };
    (void)sl_sight_viewshed(g->scene, &g->eyes[0], &grid, 0, SIZE_MAX, NULL, view, NULL);
    const size_t x = (size_t)(g->at[0][0] / across), y = HIGH - 1 - (size_t)(g->at[0][1] / down);
    view[y * WIDE + x] = 3;
    for (int row = 0; row < HIGH; row++) {
        char line[WIDE + 1] = "";
        for (int column = 0; column < WIDE; column++) {
            line[column] = "#. @"[view[row * WIDE + column]];
        }
        printf("%s\n", line);
    }
}

static void print_times(const game *g)
{
    const sl_sight_memory_info info = sl_sight_memory_get_info(g->memory);
    for (int part = 0; part < PARTS; part++) {
        printf("%-14s %.3f ms a frame\n", part_names[part],
               1e3 * (double)g->spent[part] / CLOCKS_PER_SEC / (double)FRAMES);
    }
    printf("%llu blockers remembered, %llu of them still blocked\n", (unsigned long long)info.tried,
           (unsigned long long)info.occluded);
}

int main(int argc, char **argv)
{
    static game g;
    sl_error error = { .message = "" };
    uint32_t random = 1;
    for (int i = 0; i < 2 * AGENTS; i++) {
        random = random * 1664525 + 1013904223;
        g.at[i / 2][i % 2] = 2 + (double)(random >> 16) * (house - 4) / 65536;
        random = random * 1664525 + 1013904223;
        g.speed[i / 2][i % 2] = ((double)(random >> 16) - 32768) / 32768 * 0.1;
    }
    sl_result result = make_box(&g.box, &error);
    if (result == SL_OK) {
        result = load_cow(argc > 1 ? argv[1] : "spot.obj", &g.cow, &error);
    }
    if (result == SL_OK) {
        result = sl_sight_memory_create(2 * AGENTS * AGENTS, NULL, &g.memory, &error);
    }
    for (int frame = 0; frame < FRAMES && result == SL_OK; frame++) {
        result = play(&g, frame, &error);
        if (frame % 50 == 49 && result == SL_OK) {
            printf("frame %3d: %3zu of %d pairs see each other; guards notice %zu, %zu of them "
                   "plainly\n",
                   frame, g.pairs, AGENTS * (AGENTS - 1) / 2, g.noticed, g.plain);
        }
    }
    if (result != SL_OK) {
        fprintf(stderr, "%s\n", error.message);
    } else if (argc > 2 && strcmp(argv[2], "times") == 0) {
        print_times(&g);
    } else {
        draw_view(&g);
    }
    sl_sight_memory_destroy(g.memory);
    sl_bvh_destroy(g.scene);
    sl_bvh_destroy(g.cow);
    sl_bvh_destroy(g.box);
    return result == SL_OK ? 0 : 1;
}
