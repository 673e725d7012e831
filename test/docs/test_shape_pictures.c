/* Pictures of tests: what is on them, and where. */
#include "docs/pictures/draw/layout.h"
#include "docs/pictures/draw/tests.h"
#include "test/support/test.h"

/* The scene of a test with these shapes, seen along an axis or from a corner.  To be freed. */
static draw_scene *drawn(const char *name, const char *first, const char *second, draw_view view)
{
    const draw_test *test = draw_test_find(name);
    draw_scene *scene = calloc(1, sizeof *scene);
    assert_non_null(test);
    assert_non_null(scene);
    assert_true(draw_test_scene(test, first, second, view, SL_INSIDE_SOLID, scene));
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
static const char *result_of(const draw_scene *scene, const char *key)
{
    for (size_t i = 0; i < scene->result_count; i++) {
        if (strcmp(scene->results[i].key, key) == 0) {
            return scene->results[i].words;
        }
    }
    fail_msg("no result %s", key);
    return NULL;
}

/* The document's gizmo: A red, B blue, the path between, the box, and the contact green; a path
 * from x = -3 to 3 at y = 1/2 enters the box -1 .. 1 at 1/3 and leaves it at 2/3. */
TEST(case_65_a_path_and_a_box_show_the_span_and_the_normal)
{
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
    assert_string_equal(result_of(scene, "hit"), "yes");
    assert_string_equal(result_of(scene, "t"), "0.333333343");
    free(scene);
}

TEST(case_65_a_miss_shows_no_contact)
{
    draw_scene *scene = drawn("ray-aabb", "segment -3 2 3 2", "box -1 -1 1 1", VIEW_XY);
    assert_int_equal(count_of(scene, MARK_DOT, INK_CONTACT), 0);
    assert_string_equal(result_of(scene, "hit"), "no");
    free(scene);
}

/* (x, 3/5) meets the unit circle at x = -4/5 and 4/5. */
TEST(case_65_a_sphere_shows_both_roots)
{
    draw_scene *scene = drawn("ray-sphere", "segment -4 0.6 4 0.6", "sphere 0 0 1", VIEW_XY);
    assert_dot(scene, INK_CONTACT, -0.8, 0.6, 0);
    assert_dot(scene, INK_CONTACT, 0.8, 0.6, 0);
    free(scene);
}

/* The document's gizmo: a line from S to C, a dot at C and the sphere in yellow where they touch.
 */
TEST(case_65_a_sphere_shows_the_nearest_point_of_the_box)
{
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
TEST(case_65_all_thirteen_axes_show_their_intervals)
{
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
TEST(case_65_lines_show_one_point_by_both_methods)
{
    draw_scene *scene = drawn("line-line-2d", "segment 0 0 1 1", "line 0 1 1 -1", VIEW_XY);
    assert_dot(scene, INK_CONTACT, 0.5, 0.5, 0);
    assert_string_equal(result_of(scene, "division"), "point");
    assert_string_equal(result_of(scene, "rejection"), "point");
    assert_string_equal(result_of(scene, "division_point"), "0.5 0.5");
    assert_string_equal(result_of(scene, "rejection_point"), "0.5 0.5");
    free(scene);
}

static char *svg_of(draw_scene *scene, const char *title)
{
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    assert_non_null(to);
    draw_svg(scene, title, to);
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
TEST(points_come_to_lie_where_the_projection_says)
{
    draw_scene *scene = drawn("closest-segment", "point 0 1", "segment -2 0 2 0", VIEW_XY);
    char *svg = svg_of(scene, "a < b & c");
    assert_non_null(strstr(svg, "<circle cx=\"44.00\" cy=\"337.00\""));
    assert_non_null(strstr(svg, "<circle cx=\"596.00\" cy=\"337.00\""));
    assert_non_null(strstr(svg, "<circle cx=\"320.00\" cy=\"337.00\""));
    assert_non_null(strstr(svg, "<circle cx=\"320.00\" cy=\"199.00\""));
    assert_non_null(strstr(svg, ">a &lt; b &amp; c</text>"));
    assert_non_null(strstr(svg, ">point: 0 0 0</text>"));
    free(svg);
    free(scene);
}

/* From the front the point at z = 7 is where that at z = 0 would be. */
TEST(a_view_forgets_its_axis)
{
    draw_scene *scene = drawn("closest-segment", "point 0 1 7", "segment -2 0 3 2 0 3", VIEW_XY);
    char *svg = svg_of(scene, "a < b & c");
    assert_non_null(strstr(svg, "<circle cx=\"320.00\" cy=\"199.00\""));
    assert_non_null(strstr(svg, "<circle cx=\"320.00\" cy=\"337.00\""));
    free(svg);
    free(scene);
}

/* A cube by six planes has twelve edges; without its lid four of them are gone, and four more end
 * where the picture does, dashed ones not counted: those at the cut. */
TEST(a_frustum_has_its_edges_bounded_or_not)
{
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

TEST(endless_paths_end_at_the_frame)
{
    draw_scene *scene = drawn("ray-aabb", "line 0 0 1 0", "box -1 -1 1 1", VIEW_XY);
    char *svg = svg_of(scene, "a < b & c");
    assert_non_null(strstr(svg, "<polyline points=\"8.00,268.00 632.00,268.00\""));
    free(svg);
    free(scene);
}

/* Marks beyond the room there is are left out. */
TEST(a_full_scene_takes_no_more)
{
    draw_scene *scene = calloc(1, sizeof *scene);
    assert_non_null(scene);
    scene_look(scene, VIEW_CORNER);
    for (int i = 0; i < 2 * SCENE_MARKS; i++) {
        scene_dot(scene, INK_START, (spot){ .at = { i, 0, 0 } }, "far too long for a label");
        scene_yes(scene, "n", true);
        assert_true((scene_row(scene, "row") != NULL) == (i < SCENE_ROWS));
    }
    assert_int_equal(scene->mark_count, SCENE_MARKS);
    assert_int_equal(scene->result_count, SCENE_RESULTS);
    char *svg = svg_of(scene, "a < b & c");
    assert_int_equal(times_in(svg, "<circle"), SCENE_MARKS);
    free(svg);
    free(scene);
}

/* Every example draws its shapes and has an answer. */
TEST(every_test_draws_its_example)
{
    size_t count = 0;
    for (int i = 0; i < DRAW_TABLE_COUNT; i++) {
        for (const draw_test *test = draw_tables[i]; test->name != NULL; test++) {
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

/* Where a picture's lines and words have come to lie. */
typedef struct noted {
    double box[WORDS_MAX][4];
    char words[WORDS_MAX][64];
    bool free[WORDS_MAX]; /* those with a margin, beside what they name */
    size_t count;
    double line[LINES_MAX][4];
    size_t line_count;
} noted;

static void note_line(noted *n, const char *svg)
{
    double xy[2][2];
    int size = 0;
    for (int i = 0; sscanf(svg, "%lf,%lf%n", &xy[1][0], &xy[1][1], &size) == 2; i++) {
        if (i > 0) {
            assert_true(n->line_count < LINES_MAX);
            memcpy(n->line[n->line_count++], xy, sizeof xy);
        }
        memcpy(xy[0], xy[1], sizeof xy[0]);
        svg += size;
    }
}

static void note_text(noted *n, const char *svg)
{
    assert_true(n->count < WORDS_MAX);
    double *box = n->box[n->count];
    const char *words = strchr(svg, '>') + 1;
    int size;
    assert_int_equal(
        sscanf(svg, "<text x=\"%lf\" y=\"%lf\" font-size=\"%d", &box[0], &box[3], &size), 3);
    const char *margin = strstr(svg, " stroke=");
    n->free[n->count] = margin != NULL && margin < words;
    snprintf(n->words[n->count++], sizeof n->words[0], "%.*s", (int)strcspn(words, "<"), words);
    box[1] = box[3] - 0.7 * size;
    box[2] = box[0] + (size > 12 ? 9 : 7) * (double)strcspn(words, "<");
}

/* The scene as it is written; to be freed. */
static noted *laid_out(draw_scene *scene, const char *title)
{
    noted *n = calloc(1, sizeof *n);
    char *svg = svg_of(scene, title);
    assert_non_null(n);
    for (const char *at = svg; at != NULL; at = strstr(at + 1, "\n<")) {
        at += *at == '\n';
        if (strncmp(at, "<polyline points=\"", 18) == 0) {
            note_line(n, at + 18);
        } else if (strncmp(at, "<text", 5) == 0) {
            note_text(n, at);
        }
    }
    free(svg);
    return n;
}

static bool is_written(const noted *n, const char *words)
{
    for (size_t i = 0; i < n->count; i++) {
        if (strcmp(n->words[i], words) == 0) {
            return true;
        }
    }
    return false;
}

/* No words run into others or off the paper; and hardly a label is crossed by a line. */
TEST(words_keep_clear_of_each_other)
{
    size_t labels = 0, crossed = 0;
    for (int i = 0; i < DRAW_TABLE_COUNT; i++) {
        for (const draw_test *test = draw_tables[i]; test->name != NULL; test++) {
            draw_scene *scene = drawn(test->name, test->example[0], test->example[1], test->view);
            char title[200];
            snprintf(title, sizeof title, "%s: %s", test->name, test->line);
            noted *n = laid_out(scene, title);
            for (size_t a = 0; a < n->count; a++) {
                const double *box = n->box[a];
                assert_true(box[0] >= 0 && box[1] >= 0);
                assert_true(box[2] <= 640 || scene->row_count > 0);
                labels += n->free[a];
                for (size_t b = a + 1; b < n->count; b++) {
                    const double *other = n->box[b];
                    assert_true(box[2] <= other[0] || other[2] <= box[0] || box[3] <= other[1] ||
                                other[3] <= box[1]);
                }
                for (size_t k = 0; k < n->line_count && n->free[a]; k++) {
                    const double *line = n->line[k];
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
            free(n);
            free(scene);
        }
    }
    print_message("%zu of %zu labels are crossed\n", crossed, labels);
    assert_true(labels > 80 && crossed < labels / 20);
}

/* What lies in one place is named together. */
TEST(points_in_one_place_share_a_label)
{
    draw_scene *scene = drawn("closest-aabb", "point 0.5 0 0", "box -1 -1 -1 1 1 1", VIEW_CORNER);
    noted *n = laid_out(scene, "");
    assert_true(is_written(n, "P, C"));
    assert_false(is_written(n, "P"));
    free(n);
    free(scene);
}

TEST(inks_are_named)
{
    draw_scene *scene = drawn("obb-obb", "obb 0 0 0 1 0 0 0 1 0 0 0 1 1 1 1",
                              "obb 9 0 0 1 0 0 0 1 0 0 0 1 1 1 1", VIEW_CORNER);
    noted *n = laid_out(scene, "");
    assert_true(is_written(n, "first obb") && is_written(n, "second obb"));
    free(n);
    free(scene);
    scene = drawn("ray-sphere", "ray -2 0 1 0", "sphere 0 0 1", VIEW_XY);
    n = laid_out(scene, "");
    assert_true(is_written(n, "ray") && is_written(n, "sphere"));
    assert_true(is_written(n, "what they share"));
    free(n);
    free(scene);
}
