/* Pictures of tests: what is on them, and where. */
#include "tools/draw/font5x7.h"
#include "tools/draw/layout.h"
#include "tools/draw/test.h"

#include <sightline/intersect.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const draw_test *const tables[] = { draw_ray_tests, draw_overlap_tests, draw_closest_tests,
                                           draw_line_tests, draw_volume_tests };
enum { TABLES = sizeof tables / sizeof tables[0] };

static const draw_test *test_named(const char *name)
{
    for (int i = 0; i < TABLES; i++) {
        for (const draw_test *test = tables[i]; test->name != NULL; test++) {
            if (strcmp(test->name, name) == 0) {
                return test;
            }
        }
    }
    fail_msg("there is no test %s", name);
    return NULL;
}

static draw_shape shape_of(const char *words)
{
    static const subcommand command = { .name = "draw" };
    const invocation call = { .command = &command };
    draw_shape shape;
    assert_int_equal(draw_shape_parse(&call, words, &shape), EXIT_DONE);
    return shape;
}

/* The scene of a test with these shapes, seen along an axis or from a corner.  To be freed. */
static draw_scene *drawn(const char *name, const char *first, const char *second, draw_view view)
{
    const draw_test *test = test_named(name);
    const draw_settings settings = { .inside = SL_INSIDE_SOLID };
    draw_shape shapes[DRAW_TAKES] = { shape_of(first) };
    draw_scene *scene = calloc(1, sizeof *scene);
    assert_non_null(scene);
    if (second != NULL) {
        shapes[1] = shape_of(second);
    }
    scene_look(scene, view);
    test->draw(test, scene, shapes, &settings);
    return scene;
}

/* How many marks of a kind and ink there are. */
static size_t count_of(const draw_scene *scene, mark_kind kind, draw_ink ink)
{
    size_t count = 0;
    for (size_t i = 0; i < scene->mark_count; i++) {
        count += scene->marks[i].kind == kind && scene->marks[i].ink == ink;
    }
    return count;
}

static void assert_dot(const draw_scene *scene, draw_ink ink, double x, double y, double z)
{
    const double want[3] = { x, y, z };
    for (size_t i = 0; i < scene->mark_count; i++) {
        const draw_mark *mark = &scene->marks[i];
        double apart = 0;
        for (int k = 0; k < 3; k++) {
            apart = fmax(apart, fabs(scene->points[mark->first].at[k] - want[k]));
        }
        if (mark->kind == MARK_DOT && mark->ink == ink && apart < 1e-6) {
            return;
        }
    }
    fail_msg("no dot of ink %d at %g %g %g", (int)ink, x, y, z);
}

/* The answer under a key; fails where there is none. */
static const draw_result *result_of(const draw_scene *scene, const char *key)
{
    for (size_t i = 0; i < scene->result_count; i++) {
        if (strcmp(scene->results[i].key, key) == 0) {
            return &scene->results[i];
        }
    }
    fail_msg("no result %s", key);
    return NULL;
}

/* The document's gizmo: A red, B blue, the path between, the box, and the contact green; a path
 * from x = -3 to 3 at y = 1/2 enters the box -1 .. 1 at 1/3 and leaves it at 2/3. */
static void case_65_a_path_and_a_box_show_the_span_and_the_normal(void **state)
{
    (void)state;
    draw_scene *scene =
        drawn("ray-aabb", "segment -3 0.5 3 0.5", "box -1 -1 -1 1 1 1", VIEW_CORNER);
    assert_dot(scene, INK_START, -3, 0.5, 0);
    assert_dot(scene, INK_END, 3, 0.5, 0);
    assert_dot(scene, INK_CONTACT, -1, 0.5, 0);
    assert_dot(scene, INK_CONTACT, 1, 0.5, 0);
    assert_int_equal(count_of(scene, MARK_PATH, INK_PATH), 1);
    assert_int_equal(count_of(scene, MARK_ARROW, INK_NORMAL), 1);
    /* Nine edges in front and three at the back. */
    assert_int_equal(count_of(scene, MARK_LINES, INK_FIRST), 9);
    assert_int_equal(count_of(scene, MARK_LINES, INK_HIDDEN), 3);
    assert_true(result_of(scene, "hit")->values[0].as.yes);
    assert_true(result_of(scene, "t")->values[0].as.real == (double)(1 / 3.0f));
    free(scene);
}

static void case_65_a_miss_shows_no_contact(void **state)
{
    (void)state;
    draw_scene *scene = drawn("ray-aabb", "segment -3 2 3 2", "box -1 -1 1 1", VIEW_XY);
    assert_int_equal(count_of(scene, MARK_DOT, INK_CONTACT), 0);
    assert_false(result_of(scene, "hit")->values[0].as.yes);
    free(scene);
}

/* (x, 3/5) meets the unit circle at x = -4/5 and 4/5. */
static void case_65_a_sphere_shows_both_roots(void **state)
{
    (void)state;
    draw_scene *scene = drawn("ray-sphere", "segment -4 0.6 4 0.6", "sphere 0 0 1", VIEW_XY);
    assert_dot(scene, INK_CONTACT, -0.8, 0.6, 0);
    assert_dot(scene, INK_CONTACT, 0.8, 0.6, 0);
    free(scene);
}

/* The document's gizmo: a line from S to C, a dot at C and the sphere in yellow where they touch.
 */
static void case_65_a_sphere_shows_the_nearest_point_of_the_box(void **state)
{
    (void)state;
    draw_scene *scene = drawn("sphere-aabb", "sphere 2 0 0 1", "box -1 -1 -1 1 1 1", VIEW_XY);
    assert_dot(scene, INK_CONTACT, 1, 0, 0);
    assert_int_equal(count_of(scene, MARK_AREA, INK_TOUCHED), 1);
    free(scene);
    scene = drawn("sphere-aabb", "sphere 2.5 0 0 1", "box -1 -1 -1 1 1 1", VIEW_XY);
    assert_dot(scene, INK_START, 1, 0, 0);
    assert_int_equal(count_of(scene, MARK_AREA, INK_TOUCHED), 0);
    free(scene);
}

/* A triangle beyond x = 1: the box's x is the first axis that separates. */
static void case_65_all_thirteen_axes_show_their_intervals(void **state)
{
    (void)state;
    draw_scene *scene =
        drawn("triangle-aabb", "triangle 2 0 0 3 0 0 2 1 0", "box -1 -1 -1 1 1 1", VIEW_CORNER);
    assert_int_equal(scene->row_count, 13);
    const draw_row *row = &scene->rows[0];
    assert_true(row->apart && row->decisive);
    assert_true(row->first[0] == 2 && row->first[1] == 3);
    assert_true(row->second[0] == -1 && row->second[1] == 1);
    assert_false(scene->rows[1].apart || scene->rows[1].decisive);
    assert_int_equal(count_of(scene, MARK_ARROW, INK_APART), 1);
    free(scene);
}

/* y = x and y = 1 - x meet at (1/2, 1/2), by either method. */
static void case_65_lines_show_one_point_by_both_methods(void **state)
{
    (void)state;
    draw_scene *scene = drawn("line-line-2d", "segment 0 0 1 1", "line 0 1 1 -1", VIEW_XY);
    assert_dot(scene, INK_CONTACT, 0.5, 0.5, 0);
    assert_string_equal(result_of(scene, "division")->values[0].as.text, "point");
    assert_string_equal(result_of(scene, "rejection")->values[0].as.text, "point");
    for (int i = 0; i < 2; i++) {
        assert_true(result_of(scene, "division_point")->values[i].as.real == 0.5);
        assert_true(result_of(scene, "rejection_point")->values[i].as.real == 0.5);
    }
    free(scene);
}

static char *svg_of(draw_scene *scene)
{
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    assert_non_null(to);
    draw_svg(scene, "a < b & c", to);
    assert_int_equal(fclose(to), 0);
    return text;
}

static size_t times_in(const char *text, const char *part)
{
    size_t count = 0;
    const size_t size = strlen(part);
    for (size_t i = 0; text[i] != '\0'; i++) {
        count += strncmp(text + i, part, size) == 0;
    }
    return count;
}

/* Two points 4 apart fill the 552 pixels between the margins: 138 for each unit, around the middle
 * (320, 268).  The nearest point of the segment from (-2, 0) to (2, 0) to (0, 1) is the origin; all
 * is 1 high, so that y = 1/2 is in the middle. */
static void points_come_to_lie_where_the_projection_says(void **state)
{
    (void)state;
    draw_scene *scene = drawn("closest-segment", "point 0 1", "segment -2 0 2 0", VIEW_XY);
    char *svg = svg_of(scene);
    assert_non_null(strstr(svg, "<circle cx=\"44.00\" cy=\"337.00\""));
    assert_non_null(strstr(svg, "<circle cx=\"596.00\" cy=\"337.00\""));
    assert_non_null(strstr(svg, "<circle cx=\"320.00\" cy=\"337.00\""));
    assert_non_null(strstr(svg, "<circle cx=\"320.00\" cy=\"199.00\""));
    assert_non_null(strstr(svg, ">a &lt; b &amp; c</text>"));
    assert_non_null(strstr(svg, ">point: 0 0 0</text>"));
    free(svg);
    free(scene);
}

/* From the side z is up: the point at y = 7 is where that at y = 0 would be. */
static void a_view_forgets_its_axis(void **state)
{
    (void)state;
    draw_scene *scene = drawn("closest-segment", "point 0 7 1", "segment -2 3 0 2 3 0", VIEW_XZ);
    char *svg = svg_of(scene);
    assert_non_null(strstr(svg, "<circle cx=\"320.00\" cy=\"199.00\""));
    assert_non_null(strstr(svg, "<circle cx=\"320.00\" cy=\"337.00\""));
    free(svg);
    free(scene);
}

/* A cube by six planes has twelve edges; without its lid four of them are gone, and four more end
 * where the picture does, dashed ones not counted: those at the cut. */
static void a_frustum_has_its_edges_bounded_or_not(void **state)
{
    (void)state;
    static const char *const planes[] = {
        "frustum 1 0 0 1 -1 0 0 1 0 0 1 1 0 0 -1 1 0 -1 0 1 0 1 0 1",
        "frustum 1 0 0 1 -1 0 0 1 0 0 1 1 0 0 -1 1 0 -1 0 1",
    };
    static const size_t edges[] = { 12, 8 };
    static const size_t cut[] = { 0, 4 };
    for (int i = 0; i < 2; i++) {
        draw_scene *scene = drawn("inside-frustum", "point 3 0 0", planes[i], VIEW_XY);
        scene_frustum(scene);
        assert_int_equal(count_of(scene, MARK_LINES, INK_FIRST), edges[i]);
        assert_int_equal(count_of(scene, MARK_LINES, INK_HIDDEN), cut[i]);
        free(scene);
    }
}

static void endless_paths_end_at_the_frame(void **state)
{
    (void)state;
    draw_scene *scene = drawn("ray-aabb", "line 0 0 1 0", "box -1 -1 1 1", VIEW_XY);
    char *svg = svg_of(scene);
    assert_non_null(strstr(svg, "<polyline points=\"8.00,268.00 632.00,268.00\""));
    free(svg);
    free(scene);
}

/* Marks beyond the room there is are left out. */
static void a_full_scene_takes_no_more(void **state)
{
    (void)state;
    draw_scene *scene = calloc(1, sizeof *scene);
    assert_non_null(scene);
    scene_look(scene, VIEW_ISO);
    for (int i = 0; i < 2 * SCENE_MARKS; i++) {
        scene_dot(scene, INK_START, (spot){ .at = { i, 0, 0 } }, "far too long for a label");
        scene_result(scene, "n", value_count((uint64_t)i));
        assert_true((scene_row(scene, "row") != NULL) == (i < SCENE_ROWS));
    }
    assert_int_equal(scene->mark_count, SCENE_MARKS);
    assert_int_equal(scene->result_count, SCENE_RESULTS);
    char *svg = svg_of(scene);
    assert_int_equal(times_in(svg, "<circle"), SCENE_MARKS);
    free(svg);
    free(scene);
}

/* Every example is of the kinds that its test takes, draws both its shapes, and has an answer. */
static void every_test_draws_its_example(void **state)
{
    (void)state;
    size_t count = 0;
    for (int i = 0; i < TABLES; i++) {
        for (const draw_test *test = tables[i]; test->name != NULL; test++) {
            for (int k = 0; k < DRAW_TAKES && test->takes[k] != 0; k++) {
                const draw_shape shape = shape_of(test->example[k]);
                assert_true((test->takes[k] >> shape.kind & 1) != 0);
            }
            draw_scene *scene = drawn(test->name, test->example[0], test->example[1], test->view);
            assert_true(scene->result_count > 0);
            assert_true(scene->mark_count > 0 && scene->mark_count < SCENE_MARKS / 2);
            free(scene);
            count++;
        }
    }
    assert_true(count >= 45);
}

/* ---- Words ---- */

enum { WORDS_MAX = 128, LINES_MAX = 4096 };

/* Paper that remembers where words with a margin, those beside what they name, have come to lie. */
typedef struct noting_paper {
    draw_paper paper; /* first */
    double box[WORDS_MAX][4];
    char words[WORDS_MAX][64];
    bool free[WORDS_MAX];
    size_t count;
    double line[LINES_MAX][4];
    size_t line_count;
} noting_paper;

static void note_begin(draw_paper *paper, int width, int height)
{
    (void)paper, (void)width, (void)height;
}

static void note_area(draw_paper *paper, const pen *p, double (*xy)[2], size_t count)
{
    (void)paper, (void)p, (void)xy, (void)count;
}

static void note_lines(draw_paper *paper, const pen *p, double (*xy)[2], size_t count)
{
    noting_paper *noting = (noting_paper *)paper;
    (void)p;
    for (size_t i = 0; i + 1 < count && noting->line_count < LINES_MAX; i++) {
        memcpy(noting->line[noting->line_count], xy[i], sizeof xy[i]);
        memcpy(noting->line[noting->line_count++] + 2, xy[i + 1], sizeof xy[i]);
    }
}

static void note_dot(draw_paper *paper, const pen *p, const double xy[2], double radius)
{
    (void)paper, (void)p, (void)xy, (void)radius;
}

static void note_text(draw_paper *paper, const pen *p, double x, double y, int size,
                      const char *words, bool free_of_lines)
{
    noting_paper *noting = (noting_paper *)paper;
    (void)p;
    assert_true(noting->count < WORDS_MAX);
    double *box = noting->box[noting->count];
    box[0] = x;
    box[1] = y - 0.7 * size;
    box[2] = x + (size > 12 ? 9 : 7) * (double)strlen(words); /* as wide as in PNG or SVG */
    box[3] = y;
    noting->free[noting->count] = free_of_lines;
    snprintf(noting->words[noting->count++], sizeof noting->words[0], "%s", words);
}

static void note_end(draw_paper *paper)
{
    (void)paper;
}

static noting_paper *laid_out(draw_scene *scene, const char *title)
{
    noting_paper *noting = calloc(1, sizeof *noting);
    assert_non_null(noting);
    noting->paper =
        (draw_paper){ note_begin, note_area, note_lines, note_dot, note_text, note_end };
    draw_lay_out(scene, title, &noting->paper);
    return noting;
}

static bool is_written(const noting_paper *noting, const char *words)
{
    for (size_t i = 0; i < noting->count; i++) {
        if (strcmp(noting->words[i], words) == 0) {
            return true;
        }
    }
    return false;
}

/* No words run into others or off the paper; and hardly a label is crossed by a line. */
static void words_keep_clear_of_each_other(void **state)
{
    (void)state;
    size_t labels = 0, crossed = 0;
    for (int i = 0; i < TABLES; i++) {
        for (const draw_test *test = tables[i]; test->name != NULL; test++) {
            char title[200];
            snprintf(title, sizeof title, "%s: %s", test->name, test->line);
            draw_scene *scene = drawn(test->name, test->example[0], test->example[1], test->view);
            noting_paper *noting = laid_out(scene, title);
            for (size_t a = 0; a < noting->count; a++) {
                const double *box = noting->box[a];
                assert_true(box[0] >= 0 && box[1] >= 0);
                assert_true(box[2] <= 640 || scene->row_count > 0);
                labels += noting->free[a];
                for (size_t b = a + 1; b < noting->count; b++) {
                    const double *other = noting->box[b];
                    assert_true(box[2] <= other[0] || other[2] <= box[0] || box[3] <= other[1] ||
                                other[3] <= box[1]);
                }
                for (size_t k = 0; k < noting->line_count && noting->free[a]; k++) {
                    const double *line = noting->line[k];
                    const double middle[2] = { (box[0] + box[2]) / 2, (box[1] + box[3]) / 2 };
                    const double by[2] = { line[2] - line[0], line[3] - line[1] };
                    const double length = hypot(by[0], by[1]);
                    const double along =
                        length > 0
                            ? ((middle[0] - line[0]) * by[0] + (middle[1] - line[1]) * by[1]) /
                                  length
                            : 0;
                    const double off =
                        length > 0
                            ? fabs((middle[0] - line[0]) * by[1] - (middle[1] - line[1]) * by[0]) /
                                  length
                            : (double)INFINITY;
                    crossed += along > 0 && along < length && off < 2;
                }
            }
            free(noting);
            free(scene);
        }
    }
    print_message("%zu of %zu labels are crossed\n", crossed, labels);
    assert_true(labels > 90 && crossed < labels / 20);
}

/* What lies in one place is named together. */
static void points_in_one_place_share_a_label(void **state)
{
    (void)state;
    draw_scene *scene = drawn("closest-aabb", "point 0.5 0 0", "box -1 -1 -1 1 1 1", VIEW_CORNER);
    noting_paper *noting = laid_out(scene, "");
    assert_true(is_written(noting, "P, C"));
    assert_false(is_written(noting, "P"));
    free(noting);
    free(scene);
}

static void inks_are_named(void **state)
{
    (void)state;
    draw_scene *scene = drawn("obb-obb", "obb 0 0 0 1 0 0 0 1 0 0 0 1 1 1 1",
                              "obb 9 0 0 1 0 0 0 1 0 0 0 1 1 1 1", VIEW_CORNER);
    noting_paper *noting = laid_out(scene, "");
    assert_true(is_written(noting, "first obb") && is_written(noting, "second obb"));
    free(noting);
    free(scene);
    scene = drawn("ray-sphere", "ray -2 0 1 0", "sphere 0 0 1", VIEW_XY);
    noting = laid_out(scene, "");
    assert_true(is_written(noting, "ray") && is_written(noting, "sphere"));
    assert_true(is_written(noting, "what they share"));
    free(noting);
    free(scene);
}

/* Each has dots of its own, within its five by seven. */
static void letters_differ(void **state)
{
    (void)state;
    for (int a = '!'; a <= '~'; a++) {
        int dots = 0;
        for (int row = 0; row < FONT_HEIGHT; row++) {
            assert_true(font_rows((char)a)[row] < 1 << FONT_WIDTH);
            dots += font_rows((char)a)[row] != 0;
        }
        assert_true(dots > 0);
        for (int b = ' '; b < a; b++) {
            const bool same = memcmp(font_rows((char)a), font_rows((char)b), FONT_HEIGHT) == 0;
            assert_true(!same || font_drop((char)a) != font_drop((char)b));
        }
    }
    assert_ptr_equal(font_rows('\n'), font_rows('?'));
    assert_ptr_equal(font_rows((char)200), font_rows('?'));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(case_65_a_path_and_a_box_show_the_span_and_the_normal),
        cmocka_unit_test(case_65_a_miss_shows_no_contact),
        cmocka_unit_test(case_65_a_sphere_shows_both_roots),
        cmocka_unit_test(case_65_a_sphere_shows_the_nearest_point_of_the_box),
        cmocka_unit_test(case_65_all_thirteen_axes_show_their_intervals),
        cmocka_unit_test(case_65_lines_show_one_point_by_both_methods),
        cmocka_unit_test(points_come_to_lie_where_the_projection_says),
        cmocka_unit_test(a_view_forgets_its_axis),
        cmocka_unit_test(a_frustum_has_its_edges_bounded_or_not),
        cmocka_unit_test(endless_paths_end_at_the_frame),
        cmocka_unit_test(a_full_scene_takes_no_more),
        cmocka_unit_test(every_test_draws_its_example),
        cmocka_unit_test(words_keep_clear_of_each_other),
        cmocka_unit_test(points_in_one_place_share_a_label),
        cmocka_unit_test(inks_are_named),
        cmocka_unit_test(letters_differ),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
