/* draw/lines.c: draws the tests of a line, ray or segment with another one, in the plane and in
 * space. */
#include "docs/pictures/draw/tests.h"

static const char *word_of(sl_line_line_relation answer)
{
    static const char *const words[] = { "not valid", "beyond", "parallel",
                                         "collinear", "point",  "overlap" };
    return words[answer];
}

static void draw_flat(draw_scene *scene, const draw_shape *shapes)
{
    /* Keys of results are kept by pointer, so they are constants. */
    static const char *const keys[2][4] = {
        { "division", "division_s", "division_t", "division_point" },
        { "rejection", "rejection_s", "rejection_t", "rejection_point" },
    };
    static const sl_line_line_method methods[2] = { SL_LINE_LINE_DIVIDE, SL_LINE_LINE_REJECT };
    const sl_line a = line_of(&shapes[0]), b = line_of(&shapes[1]);
    scene_shape(scene, INK_PATH, &shapes[0]);
    scene_shape(scene, INK_PATH, &shapes[1]);
    for (int i = 0; i < 2; i++) {
        sl_line_line_hit hit = { .s = { 0 } };
        const sl_line_line_relation answer = sl_line_line_2d(a, b, methods[i], &hit);
        const bool meet = answer == SL_LINE_LINE_POINT || answer == SL_LINE_LINE_OVERLAP;
        if (meet && i == 0) {
            const spot point = { .at = { (double)hit.point[0], (double)hit.point[1], 0 } };
            scene_dot(scene, INK_CONTACT, point, "s, t");
            scene_key(scene, INK_CONTACT, "where they meet");
        }
        scene_words(scene, keys[i][0], word_of(answer));
        if (meet) {
            scene_numbers(scene, keys[i][1], 2, hit.s);
            scene_numbers(scene, keys[i][2], 2, hit.t);
            scene_numbers(scene, keys[i][3], 2, hit.point);
        }
    }
}

static void draw_space(draw_scene *scene, const draw_shape *shapes)
{
    sl_closest_pair pair;
    const bool found = sl_line_line(line_of(&shapes[0]), line_of(&shapes[1]), &pair);
    scene_shape(scene, INK_PATH, &shapes[0]);
    scene_shape(scene, INK_PATH, &shapes[1]);
    scene_yes(scene, "found", found);
    if (found) {
        scene_line(scene, INK_CONTACT, spot_of(pair.on_first), spot_of(pair.on_second));
        scene_dot(scene, INK_CONTACT, spot_of(pair.on_first), "s");
        scene_dot(scene, INK_CONTACT, spot_of(pair.on_second), "t");
        scene_key(scene, INK_CONTACT, "closest points");
        scene_number(scene, "s", pair.s);
        scene_number(scene, "t", pair.t);
        scene_numbers(scene, "on_first", 3, pair.on_first);
        scene_numbers(scene, "on_second", 3, pair.on_second);
        scene_number(scene, "distance", pair.distance);
        scene_yes(scene, "parallel", pair.parallel);
    }
}

const draw_test draw_line_tests[] = {
    ROW("line-line-2d", XY, draw_flat, NULL, "where two lines in the plane meet, by both methods",
        "segment -2 -1 2 1.5", "ray -1 1.5 1 -0.75"),
    ROW("line-line", CORNER, draw_space, NULL, "the closest points of two lines in space",
        "segment -2 -0.5 1 2 0.25 0", "segment 0 1.5 1.5 0.5 -1 -2"),
    { .name = NULL },
};
