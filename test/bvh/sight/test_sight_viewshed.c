/* Viewsheds cell by cell: in a plane, and on the ground that single rays find.
 *
 * SIGHTLINE_TEST_SCALE=N multiplies the number of worlds. */
#include "test/support/environment/scrambled_tasks.h"
#include "test/support/input/sights.h"
#include "test/support/input/world.h"
#include "test/support/query/of_one.h"
#include "test/support/test.h"

enum { SEED = 20261135, SIDE_MAX = 70 };

static uint8_t view[SIDE_MAX * SIDE_MAX + 1];

/* A grid over the world, level or not. */
static sl_sight_grid draw_grid(const sl_bvh *scene, bool ground, test_random *random)
{
    const sl_aabb_d bounds = sl_bvh_bounds(scene);
    sl_sight_grid grid = { .width = 1 + test_random_below(random, SIDE_MAX),
                           .height = 1 + test_random_below(random, SIDE_MAX) };
    for (int axis = 0; axis < 3; axis++) {
        const double size = bounds.max[axis] - bounds.min[axis];
        grid.origin[axis] = axis == 2 ? bounds.max[2] + (ground ? 0.1 : -0.5) * size
                                      : bounds.min[axis] - 0.05 * size;
        grid.step_x[axis] = axis == 0 ? 1.1 * size / grid.width : 0;
        grid.step_y[axis] = axis == 1 ? 1.1 * size / grid.height : 0;
        grid.down[axis] = ground ? (axis == 2 ? -1.2 : 0.1) * size : 0;
        grid.rise[axis] = ground && axis == 2 ? 0.01 * size : 0;
    }
    return grid;
}

/* What is seen of a cell, by single calls for the ground and every triangle for the line. */
static uint8_t expected(const sl_bvh *scene, const sl_sight_end *eye, const sl_sight_grid *grid,
                        uint32_t x, uint32_t y, const sl_sight *sight)
{
    const bool doubles = (sight->flags & SL_SIGHT_DOUBLES) != 0;
    const sl_options options = { .mask = sight->options->mask,
                                 .ignore = &eye->own,
                                 .ignore_count = 1 };
    const sl_sight_end nothing = { .id = 0 };
    double at[3], below[3], t = 0;
    bool found = true;
    for (int axis = 0; axis < 3; axis++) {
        at[axis] = (grid->origin[axis] + x * grid->step_x[axis]) + y * grid->step_y[axis];
        below[axis] = at[axis] + grid->down[axis];
    }
    if (grid->down[2] != 0 && doubles) {
        const sl_segment_d segment = { { at[0], at[1], at[2] }, { below[0], below[1], below[2] } };
        sl_hit_d hit;
        found = closest_of_one(scene, sl_segments_of_d(&segment, 1), &options, sl_hits_of_d(&hit));
        t = hit.t;
    } else if (grid->down[2] != 0) {
        const sl_segment segment = { { (float)at[0], (float)at[1], (float)at[2] },
                                     { (float)below[0], (float)below[1], (float)below[2] } };
        sl_hit hit;
        found = closest_of_one(scene, sl_segments_of(&segment, 1), &options, sl_hits_of(&hit));
        t = (double)hit.t;
    }
    if (!found) {
        return SL_VIEW_NO_GROUND;
    }
    for (int axis = 0; axis < 3 && grid->down[2] != 0; axis++) {
        at[axis] = (at[axis] + t * grid->down[axis]) + grid->rise[axis];
    }
    return sights_sees(scene, eye, &nothing, at, sight->flags, sight->options) ? SL_VIEW_SEEN
                                                                               : SL_VIEW_UNSEEN;
}

/* The picture in `view`, made anew in pieces of some rows; the last one asks for rows below it. */
static void check_rows(const sl_bvh *scene, const sl_sight_end *eye, const sl_sight_grid *grid,
                       const sl_sight *sight, size_t seen, test_random *random)
{
    static uint8_t piece[SIDE_MAX * SIDE_MAX + 1];
    size_t total = 0, count;
    for (size_t first = 0; first < grid->height; first += count) {
        count = 1 + test_random_below(random, grid->height);
        const size_t there = count < grid->height - first ? count : grid->height - first;
        const size_t cells = there * grid->width;
        piece[cells] = 0xA5;
        total += sl_sight_viewshed(scene, eye, grid, first, count, sight, piece, NULL);
        assert_memory_equal(piece, view + first * grid->width, cells);
        assert_int_equal(piece[cells], 0xA5);
    }
    assert_int_equal(total, seen);
    assert_int_equal(sl_sight_viewshed(scene, eye, grid, grid->height, 9, sight, piece, NULL), 0);
    assert_int_equal(sl_sight_viewshed(scene, eye, grid, SIZE_MAX, SIZE_MAX, sight, piece, NULL),
                     0);
}

TEST(each_cell_is_what_single_calls_say)
{
    const uint64_t rounds = test_is_brief() ? 1 : 2 * test_scale();
    size_t met[3] = { 0 };
    for (uint64_t round = 0; round < rounds * WORLD_KINDS; round++) {
        test_random random = { test_seed(SEED) + round };
        UNDONE(world_destroy) world_case world;
        scrambled_tasks scrambled;
        const sl_options options = { .flags = round % 4 == 1 ? SL_OPEN_END : 0,
                                     .mask = round % 3 == 0 ? 5 : 0 };
        const sl_sight sight = { .options = &options,
                                 .flags = round % 5 == 0 ? SL_SIGHT_DOUBLES : 0 };
        world_make(&world, (world_kind)(round % WORLD_KINDS), 12, round % 2 == 0, &random);
        const sl_sight_grid grid = draw_grid(world.scene, round % 3 != 1, &random);
        sl_sight_end eye = sights_end(world.scene, 1, &random);
        for (int axis = 0; axis < 3 && round % 3 == 0; axis++) { /* above a corner of the ground */
            eye.at[axis] = grid.origin[axis] + grid.step_x[axis] + grid.step_y[axis];
        }
        const size_t cells = (size_t)grid.width * grid.height;
        memset(view, 0xA5, sizeof view);
        const size_t total =
            sl_sight_viewshed(world.scene, &eye, &grid, 0, SIZE_MAX, &sight, view,
                              round % 2 == 0 ? scrambled_tasks_start(&scrambled, 3, round) : NULL);
        size_t seen = 0;
        for (uint32_t y = 0; y < grid.height; y++) {
            for (uint32_t x = 0; x < grid.width; x++) {
                const uint8_t cell = view[(size_t)y * grid.width + x];
                seen += cell == SL_VIEW_SEEN;
                assert_int_equal(cell, expected(world.scene, &eye, &grid, x, y, &sight));
                assert_in_range(cell, 0, 2);
                met[cell]++;
            }
        }
        assert_int_equal(seen, total);
        assert_int_equal(view[cells], 0xA5);
        check_rows(world.scene, &eye, &grid, &sight, total, &random);
    }
    print_message("%zu cells unseen, %zu seen, %zu without ground\n", met[0], met[1], met[2]);
    assert_true(met[0] > 1000 && met[1] > 1000 && met[2] > 1000);
}

/* Every hit exists where the cell has an even number. */
static bool even_cells(void *user, size_t index, const sl_hit *hit)
{
    (void)user;
    (void)hit;
    return index % 2 == 0;
}

TEST(filters_are_told_the_number_of_the_cell)
{
    static uint8_t filtered[SIDE_MAX * SIDE_MAX];
    for (uint32_t flags = 0; flags <= SL_SIGHT_DOUBLES; flags++) {
        test_random random = { SEED };
        UNDONE(world_destroy) world_case world;
        const sl_options options = { .filter = even_cells };
        const sl_sight plain = { .flags = flags }, with = { .flags = flags, .options = &options };
        world_make(&world, WORLD_PLAIN, 12, false, &random);
        const sl_sight_grid grid = draw_grid(world.scene, true, &random);
        const sl_sight_end eye = (sl_sight_end){ .at = { 0, 0, 9 }, .id = 1 };
        (void)sl_sight_viewshed(world.scene, &eye, &grid, 0, SIZE_MAX, &plain, view, NULL);
        (void)sl_sight_viewshed(world.scene, &eye, &grid, 0, SIZE_MAX, &with, filtered, NULL);
        for (size_t i = 0; i < (size_t)grid.width * grid.height; i++) {
            assert_int_equal(filtered[i], i % 2 == 0 ? view[i] : SL_VIEW_NO_GROUND);
        }
    }
}
