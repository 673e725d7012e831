#include "test/measure/select_case.h"
#include "test/support/query/of_one.h"

#include "test/support/input/random.h"

#include <math.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

const char *const select_worlds[SELECT_WORLDS] = { "sphere", "terrain", "soup", "instances" };
const char *const select_units[SELECT_UNITS] = { "instances", "parts", "faces",
                                                 "triangles", "edges", "vertices" };
const char *const select_modes[SELECT_MODES] = { "touched", "inside", "visible" };

enum { INSTANCES = 2000, WORDS = 13 };

const char *select_shape(int shape)
{
    static const char *const others[SELECT_OTHERS] = { "rectangle", "brush", "disc" };
    return shape < SELECT_OTHERS ? others[shape] : polygon_names[shape - SELECT_OTHERS];
}

/* ---- Worlds ---- */

typedef struct world {
    sl_bvh *tree;
    sl_bvh *scene;
    sl_view view;
    sl_selection *selections[SELECT_UNITS][SELECT_MODES];
} world;

static world worlds[SELECT_WORLDS];
static size_t wanted;

void select_worlds_open(size_t triangles)
{
    wanted = triangles;
}

void select_worlds_close(void)
{
    for (int i = 0; i < SELECT_WORLDS; i++) {
        for (int k = 0; k < SELECT_UNITS * SELECT_MODES; k++) {
            sl_selection_destroy(worlds[i].selections[k / SELECT_MODES][k % SELECT_MODES]);
        }
        sl_bvh_destroy(worlds[i].scene);
        sl_bvh_destroy(worlds[i].tree);
    }
    memset(worlds, 0, sizeof worlds);
}

static void make_scene(world *w, size_t count)
{
    test_random random = { 3 };
    FREED sl_instance *instances = memory_for(count, sizeof *instances);
    for (size_t i = 0; i < count; i++) {
        instances[i] = sl_instance_of(w->tree);
        for (int axis = 0; axis < 3 && count > 1; axis++) {
            instances[i].transform.m[axis][axis] = (double)test_random_in(&random, 0.05f, 1);
            instances[i].transform.m[axis][3] = (double)test_random_in(&random, -8, 8);
        }
    }
    w->scene = scene_of(instances, count);
}

static world *world_of(int kind)
{
    world *w = &worlds[kind];
    if (w->scene != NULL) {
        return w;
    }
    const bool many = kind >= SHAPES_MEASURED;
    w->tree = tree_of_only(shape_mesh(many ? SHAPE_SPHERE : (bench_shape)kind,
                                      many ? wanted / INSTANCES + 8 : wanted));
    make_scene(w, many ? INSTANCES : 1);
    sl_aabb box = bounds_in_floats(w->tree);
    for (int axis = 0; axis < 3 && many; axis++) {
        box.min[axis] = -9;
        box.max[axis] = 9;
    }
    w->view = view_of_box(&box);
    return w;
}

/* Made once, and taken over by the process of each case.  Those of pixels have asked all of them,
 * so that what is measured is not rays. */
static sl_selection *selection_of(const select_case *c)
{
    world *w = world_of(c->world);
    sl_selection **s = &w->selections[c->unit][c->mode];
    if (*s == NULL) {
        const double p[2] = { -1, -1 }, q[2] = { PICTURE_WIDTH + 1, PICTURE_HEIGHT + 1 };
        const sl_region whole = sl_region_rectangle(p, q);
        sl_selection_def def = { .unit = (sl_select_unit)(SL_SELECT_INSTANCES + c->unit),
                                 .mode = (sl_select_mode)c->mode };
        const bool pixels =
            c->mode == SL_SELECT_VISIBLE && SL_SELECT_INSTANCES + c->unit < SL_SELECT_EDGES;
        must(sl_selection_create(w->scene, &w->view, &def, s, NULL) == SL_OK &&
                 sl_selection_update(*s, pixels ? &whole : NULL, NULL, NULL) == SL_OK &&
                 sl_selection_update(*s, NULL, NULL, NULL) == SL_OK,
             "no selection");
    }
    return *s;
}

/* ---- Costs ---- */

static double update(sl_selection *s, const sl_region *region)
{
    const double begin = bench_cpu_seconds();
    must(sl_selection_update(s, region, NULL, NULL) == SL_OK, "no update");
    return 1e3 * (bench_cpu_seconds() - begin);
}

/* From nothing; the lesser of two, where that does not take long. */
static double from_nothing(sl_selection *s, const sl_region *region)
{
    (void)update(s, NULL);
    const double first = update(s, region);
    if (first > 500) {
        return first;
    }
    (void)update(s, NULL);
    return fmin(first, update(s, region));
}

static void make_corners(const select_case *c, size_t count, double *out)
{
    if (c->shape >= SELECT_OTHERS) {
        polygon_make(&(polygon_def){ .kind = (polygon_kind)(c->shape - SELECT_OTHERS),
                                     .count = count,
                                     .param = c->param,
                                     .seed = (uint64_t)c->seed,
                                     .at = { c->at[0], c->at[1] },
                                     .size = { c->size[0], c->size[1] } },
                     out);
    }
}

static sl_region region_of(const select_case *c, double *corners, size_t count)
{
    const double q[2] = { c->at[0] + c->size[0], c->at[1] + c->size[1] };
    const char *shape = select_shape(c->shape);
    return strcmp(shape, "rectangle") == 0 ? sl_region_rectangle(c->at, q)
           : strcmp(shape, "brush") == 0
               ? sl_region_brush(c->at, q, c->param * fmax(fabs(c->size[0]), fabs(c->size[1])))
           : strcmp(shape, "disc") == 0
               ? sl_region_brush(c->at, c->at, fabs(c->size[0]))
               : (sl_region){ .kind = SL_REGION_LASSO, .corners = corners, .corner_count = count };
}

/* x0, y0, x1, y1 of a region, and its area: for a polygon that crosses itself that of its turns. */
static double bounds_of(const sl_region *region, double out[4])
{
    const double ends[4] = { region->p[0], region->p[1], region->q[0], region->q[1] };
    const bool lasso = region->kind == SL_REGION_LASSO;
    const double *points = lasso ? region->corners : ends;
    const size_t count = lasso ? region->corner_count : 2;
    double area = 0;
    for (int i = 0; i < 4; i++) {
        out[i] = i < 2 ? INFINITY : -INFINITY;
    }
    for (size_t i = 0; i < count; i++) {
        const double *p = points + 2 * i, *q = points + 2 * ((i + 1) % count);
        for (int axis = 0; axis < 2; axis++) {
            out[axis] = fmin(out[axis], p[axis] - region->radius);
            out[2 + axis] = fmax(out[2 + axis], p[axis] + region->radius);
        }
        area += (p[0] * q[1] - p[1] * q[0]) / 2;
    }
    const double whole = (out[2] - out[0]) * (out[3] - out[1]);
    return lasso ? fmin(fabs(area), whole) : whole;
}

static void measure_rectangles(sl_selection *s, const sl_region *region, select_cost *out)
{
    double b[4];
    const double area = bounds_of(region, b), whole = (b[2] - b[0]) * (b[3] - b[1]);
    const sl_region bounds = sl_region_rectangle(b, b + 2);
    const double share = whole > 0 ? sqrt(area / whole) : 0;
    double p[2], q[2];
    for (int axis = 0; axis < 2; axis++) {
        const double middle = (b[axis] + b[2 + axis]) / 2, half = (b[2 + axis] - b[axis]) / 2;
        p[axis] = middle - share * half;
        q[axis] = middle + share * half;
    }
    const sl_region equal = sl_region_rectangle(p, q);
    out->bounds = from_nothing(s, &bounds);
    out->equal = from_nothing(s, &equal);
}

static void measure(const select_case *c, sl_selection *s, select_cost *out)
{
    const size_t count = (size_t)fmax(c->corners, 3);
    FREED double *corners = memory_for(2 * count, sizeof *corners);
    make_corners(c, count, corners);
    const sl_region region = region_of(c, corners, count);
    sl_selection_info info;
    measure_rectangles(s, &region, out);
    out->region = from_nothing(s, &region);
    info = sl_selection_get_info(s);
    out->boxes = (double)info.boxes;
    out->tested = (double)info.tested;
    out->traced = (double)info.traced;
    out->selected = (double)info.selected;
    select_case moved = *c;
    for (int axis = 0; axis < 2; axis++) {
        moved.at[axis] += c->move[axis];
    }
    make_corners(&moved, count, corners);
    const sl_region next = region_of(&moved, corners, count);
    out->move = update(s, &next);
    out->finished = true;
}

select_cost select_case_cost(const select_case *c, double seconds)
{
    select_cost cost = { .finished = false };
    sl_selection *s = selection_of(c);
    int ends[2];
    must(pipe(ends) == 0, "no pipe");
    fflush(stdout);
    const pid_t child = fork();
    must(child >= 0, "no process");
    if (child == 0) {
        measure(c, s, &cost);
        _exit(write(ends[1], &cost, sizeof cost) == (ssize_t)sizeof cost ? 0 : 1);
    }
    close(ends[1]);
    struct pollfd readable = { .fd = ends[0], .events = POLLIN };
    (void)poll(&readable, 1, (int)(1e3 * seconds));
    if ((readable.revents & POLLIN) == 0) {
        kill(child, SIGKILL);
    }
    if ((readable.revents & POLLIN) == 0 ||
        read(ends[0], &cost, sizeof cost) != (ssize_t)sizeof cost) {
        cost = (select_cost){ .region = 1e3 * seconds, .move = 1e3 * seconds };
    }
    close(ends[0]);
    (void)waitpid(child, NULL, 0);
    return cost;
}

/* ---- Words ---- */

void select_case_print(const select_case *c)
{
    printf("%s %s %s %s %.0f %.17g %.17g %.17g %.17g %.17g %.0f %.17g %.17g",
           select_worlds[c->world], select_units[c->unit], select_modes[c->mode],
           select_shape(c->shape), c->corners, c->at[0], c->at[1], c->size[0], c->size[1], c->param,
           c->seed, c->move[0], c->move[1]);
}

static int find(const char *word, const char *const *list, int count)
{
    for (int i = 0; i < count; i++) {
        if (strcmp(word, list[i]) == 0) {
            return i;
        }
    }
    return -1;
}

bool select_case_read(char **words, int count, select_case *out)
{
    if (count != WORDS) {
        return false;
    }
    out->world = find(words[0], select_worlds, SELECT_WORLDS);
    out->unit = find(words[1], select_units, SELECT_UNITS);
    out->mode = find(words[2], select_modes, SELECT_MODES);
    for (out->shape = SELECT_SHAPES - 1; out->shape >= 0; out->shape--) {
        if (strcmp(select_shape(out->shape), words[3]) == 0) {
            break;
        }
    }
    double *numbers[] = { &out->corners, &out->at[0], &out->at[1],   &out->size[0], &out->size[1],
                          &out->param,   &out->seed,  &out->move[0], &out->move[1] };
    for (int i = 0; i < WORDS - 4; i++) {
        *numbers[i] = strtod(words[4 + i], NULL);
    }
    return out->world >= 0 && out->unit >= 0 && out->mode >= 0 && out->shape >= 0 &&
           out->corners >= 0 && out->corners <= 1 << 24;
}
