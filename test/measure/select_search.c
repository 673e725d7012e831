/* select_search: the slowest regions of selections.
 *
 *     select_search [SECONDS [SEED [TRIANGLES [LIMIT]]]]     default 60, 1, 200000 and 5
 *     select_search again TRIANGLES LIMIT WORLD UNIT MODE SHAPE CORNERS X Y WIDTH HEIGHT PARAM SEED
 *                   MOVEX MOVEY
 *
 * Draws regions: rectangles, brushes, discs, and lassos of up to a million corners (stars, combs,
 * flat zigzags, needles without width, tangles, the same corners again and again, walks, spirals,
 * fans), anywhere and of any size, on and around a picture of 1920 x 1080 of a sphere, a terrain,
 * a soup and 2000 instances, for each unit and mode; then changes those that are slow, and keeps
 * what is slower yet: in time, in time beside the rectangles with the same bounds and the same
 * area, and in boxes, figures and lines of sight.  VISIBLE of faces, parts and instances is
 * measured with all rays asked before.  A case that takes more than LIMIT seconds is ended.  Prints
 * for each shape the worst of each, with the words that ask it again. */
#include "test/measure/select_case.h"
#include "test/support/input/random.h"

#include <math.h>
#include <string.h>

enum { GOALS = 3, STUCK = 25 };
static const char *const goals[GOALS] = { "time", "beside", "work" };

typedef struct best {
    select_case at;
    select_cost cost;
    double score;
} best;

static double unit(test_random *random)
{
    return (double)test_random_unit(random);
}

static double signs(test_random *random)
{
    return 2 * unit(random) - 1;
}

/* Beside the slower of both rectangles, which are taken as 0.2 ms where they are less. */
static double beside(const select_cost *cost)
{
    return cost->region / fmax(0.2, fmax(cost->bounds, cost->equal));
}

static double score_of(const select_cost *cost, int goal)
{
    return goal == 0   ? fmax(cost->region, cost->move)
           : goal == 1 ? beside(cost)
                       : cost->boxes + cost->tested + 10 * cost->traced;
}

/* ---- Cases ---- */

/* Mostly where the picture is, and some far larger: then a side, or the border of a disc, goes
 * through it. */
static void draw_bounds(test_random *random, select_case *c)
{
    const double picture[2] = { PICTURE_WIDTH, PICTURE_HEIGHT };
    const uint32_t kind = test_random_below(random, 4);
    for (int axis = 0; axis < 2; axis++) {
        const double middle = unit(random) * picture[axis];
        c->size[axis] = pow(10, -1.5 + 2 * unit(random)) * picture[axis];
        c->size[axis] *= kind == 0 ? pow(10, 25 * unit(random)) : 1;
        c->at[axis] = middle - c->size[axis] * (kind == 1 ? unit(random) : 0.5);
        if (kind == 2) {
            c->at[axis] = -0.1 * picture[axis];
            c->size[axis] = 1.2 * picture[axis];
        }
    }
    if (strcmp(select_shape(c->shape), "disc") == 0) {
        c->size[0] = kind == 0 ? pow(10, 30 * unit(random)) : 0.5 * c->size[0];
        c->at[0] += kind == 0 ? -c->size[0] : 0;
    }
}

/* Lines of sight take far longer than what decides which are asked. */
static void draw_fewer_sights(test_random *random, select_case *c)
{
    if (c->mode == SL_SELECT_VISIBLE && SL_SELECT_INSTANCES + c->unit >= SL_SELECT_EDGES &&
        test_random_below(random, 8) != 0) {
        c->mode = (int)test_random_below(random, SL_SELECT_VISIBLE);
    }
}

static void draw(test_random *random, int shape, select_case *c)
{
    c->world = (int)test_random_below(random, SELECT_WORLDS);
    c->unit = (int)test_random_below(random, SELECT_UNITS);
    c->mode = (int)test_random_below(random, SELECT_MODES);
    draw_fewer_sights(random, c);
    c->shape = shape;
    c->corners = floor(pow(10, 0.5 + 4 * unit(random)));
    c->param = unit(random);
    c->seed = test_random_below(random, 1000);
    draw_bounds(random, c);
    for (int axis = 0; axis < 2; axis++) {
        c->move[axis] = floor(10 * signs(random));
    }
}

static void change(test_random *random, select_case *c)
{
    const double step = pow(10, -3 * unit(random));
    switch (test_random_below(random, 8)) {
    case 0:
        c->corners = fmin(1e6, floor(c->corners * (1 + 2 * unit(random)) + 1));
        break;
    case 1:
        c->param = fmin(fmax(c->param + step * signs(random), 0), 1);
        break;
    case 2:
        c->seed = test_random_below(random, 1000);
        break;
    case 3:
        c->world = (int)test_random_below(random, SELECT_WORLDS);
        break;
    case 4:
        c->unit = (int)test_random_below(random, SELECT_UNITS);
        break;
    case 5:
        c->mode = (int)test_random_below(random, SELECT_MODES);
        break;
    default: {
        const int axis = (int)test_random_below(random, 2);
        const double by = step * signs(random) * fmin(fabs(c->size[axis]), 2000);
        c->at[axis] += by;
        c->size[axis] -= test_random_below(random, 2) == 0 ? by : 0;
        c->move[axis] = floor(10 * signs(random));
    }
    }
    draw_fewer_sights(random, c);
}

/* ---- The search ---- */

static void keep(best bests[GOALS], const select_case *c, const select_cost *cost)
{
    for (int goal = 0; goal < GOALS; goal++) {
        const double score = score_of(cost, goal);
        if (score > bests[goal].score) {
            bests[goal] = (best){ *c, *cost, score };
        }
    }
}

/* Draws one, and changes it for a goal as long as that leads on, and there is time. */
static size_t climb(test_random *random, int shape, int goal, double limit, double end,
                    best bests[GOALS])
{
    select_case at;
    size_t asked = 1;
    draw(random, shape, &at);
    if (bests[goal].score > 0 && test_random_below(random, 3) == 0) {
        at = bests[goal].at;
    }
    select_cost cost = select_case_cost(&at, limit);
    double score = score_of(&cost, goal);
    keep(bests, &at, &cost);
    for (int stuck = 0; stuck < STUCK && bench_wall_seconds() < end; asked++) {
        select_case tried = at;
        change(random, &tried);
        cost = select_case_cost(&tried, limit);
        keep(bests, &tried, &cost);
        stuck++;
        if (cost.finished && score_of(&cost, goal) > score) {
            at = tried;
            score = score_of(&cost, goal);
            stuck = 0;
        } else if (!cost.finished) {
            break;
        }
    }
    return asked;
}

static void print_cost(const select_cost *cost)
{
    printf("%s%.2f ms, moved %.2f; rectangles %.2f and %.2f; ratio %.1f; %.0f boxes, %.0f figures, "
           "%.0f sights, %.0f selected\n",
           cost->finished ? "" : "more than ", cost->region, cost->move, cost->bounds, cost->equal,
           beside(cost), cost->boxes, cost->tested, cost->traced, cost->selected);
}

static void search(double seconds, uint64_t seed, size_t triangles, double limit)
{
    static best bests[SELECT_SHAPES][GOALS];
    test_random random = { seed };
    size_t asked = 0;
    select_worlds_open(triangles);
    const double end = bench_wall_seconds() + seconds;
    for (int i = 0; bench_wall_seconds() < end; i++) {
        const int shape = i % SELECT_SHAPES, goal = (i / SELECT_SHAPES) % GOALS;
        const double now = bench_wall_seconds();
        const double until = fmin(end, now + seconds / (2 * SELECT_SHAPES * GOALS));
        asked += climb(&random, shape, goal, limit, until, bests[shape]);
    }
    printf("%zu cases\n", asked);
    for (int i = 0; i < SELECT_SHAPES * GOALS; i++) {
        const best *b = &bests[i / GOALS][i % GOALS];
        if (b->score > 0) {
            printf("%-9s %-6s ", select_shape(i / GOALS), goals[i % GOALS]);
            print_cost(&b->cost);
            printf("                 again %zu %g ", triangles, limit);
            select_case_print(&b->at);
            printf("\n");
        }
    }
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "again") == 0) {
        select_case c;
        if (argc < 4 || !select_case_read(argv + 4, argc - 4, &c)) {
            fprintf(stderr, "select_search: again TRIANGLES LIMIT, and the 13 words of a case\n");
            return 2;
        }
        select_worlds_open(strtoul(argv[2], NULL, 10));
        const select_cost cost = select_case_cost(&c, strtod(argv[3], NULL));
        print_cost(&cost);
    } else {
        search(number_at(argc, argv, 1, 60), (uint64_t)number_at(argc, argv, 2, 1),
               (size_t)number_at(argc, argv, 3, 200000), number_at(argc, argv, 4, 5));
    }
    select_worlds_close();
    return 0;
}
