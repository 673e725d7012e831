/* draw/tests.c: finds a test by its name, and makes its scene of shapes as they are written. */
#include "docs/pictures/draw/tests.h"

#include <string.h>

const draw_test *const draw_tables[DRAW_TABLE_COUNT] = { draw_ray_tests, draw_overlap_tests,
                                                         draw_closest_tests, draw_line_tests,
                                                         draw_volume_tests };

const draw_test *draw_test_find(const char *name)
{
    for (size_t i = 0; i < DRAW_TABLE_COUNT; i++) {
        for (const draw_test *test = draw_tables[i]; test->name != NULL; test++) {
            if (strcmp(test->name, name) == 0) {
                return test;
            }
        }
    }
    return NULL;
}

bool draw_test_scene(const draw_test *test, const char *first, const char *second, draw_view view,
                     sl_start_inside inside, draw_scene *scene)
{
    draw_shape shapes[2];
    if (!draw_shape_parse(first, &shapes[0]) ||
        (second != NULL && !draw_shape_parse(second, &shapes[1]))) {
        return false;
    }
    scene_look(scene, view);
    scene->inside = inside;
    scene->answer = test->answer != NULL ? test->answer(&shapes[0], &shapes[1]) : 0;
    test->draw(scene, shapes);
    return true;
}
