/* draw/main.c: writes the pictures of docs/shapes.md into a folder: the example of each test as
 * TEST.svg, and special cases under names of their own.
 *
 *     draw_shapes docs/pictures/shapes */
#include "docs/pictures/draw/layout.h"
#include "docs/pictures/draw/tests.h"

#include <stdlib.h>

typedef struct special_case {
    const char *name, *test, *first, *second;
    draw_view view;
    sl_start_inside inside;
} special_case;

static const special_case cases[] = {
    { "ray-aabb-hollow", "ray-aabb", "ray 0 0.25 0.5 1 0.5 -0.25", UNIT_BOX, VIEW_CORNER,
      SL_INSIDE_HOLLOW },
    { "ray-aabb-corner", "ray-aabb", "line -2 0 1 1", "box -1 0 1 1", VIEW_XY, SL_INSIDE_SOLID },
    { "ray-sphere-tangent", "ray-sphere", "ray -2 1 1 0", "sphere 0 0 1", VIEW_XY,
      SL_INSIDE_SOLID },
    { "ray-obb-mirrored", "ray-obb", "segment -2.5 1.5 1 3 -0.5 0",
      "obb 0 0 0  -0.8 -0.6 0  -0.6 0.8 0  0 0 1  1.5 0.75 1", VIEW_CORNER, SL_INSIDE_SOLID },
    { "triangle-aabb-overlap", "triangle-aabb", "triangle 0.25 2 0.5 1.5 0.25 0.5 2 1.75 -1.5",
      UNIT_BOX, VIEW_CORNER, SL_INSIDE_SOLID },
    { "line-line-2d-collinear", "line-line-2d", "segment -2 -1 1 0.5", "segment 2 1 -1 -0.5",
      VIEW_XY, SL_INSIDE_SOLID },
    { "line-line-parallel", "line-line", "segment -2 0 0 1 0 0", "segment -0.5 1 1 2 1 1",
      VIEW_CORNER, SL_INSIDE_SOLID },
    { "closest-aabb-inside", "closest-aabb", "point 0.5 0.25 0.25", UNIT_BOX, VIEW_CORNER,
      SL_INSIDE_SOLID },
};

static bool write_picture(const char *folder, const special_case *picture)
{
    const draw_test *test = draw_test_find(picture->test);
    char path[4096], title[200];
    draw_scene *scene = calloc(1, sizeof *scene);
    FILE *to = NULL;
    snprintf(path, sizeof path, "%s/%s.svg", folder, picture->name);
    snprintf(title, sizeof title, "%s: %s", test->name, test->line);
    bool ok = scene != NULL && draw_test_scene(test, picture->first, picture->second, picture->view,
                                               picture->inside, scene);
    if (ok && (to = fopen(path, "w")) != NULL) {
        draw_svg(scene, title, to);
        ok = fclose(to) == 0;
    }
    free(scene);
    if (!ok || to == NULL) {
        fprintf(stderr, "draw_shapes: %s could not be made\n", path);
    }
    return ok && to != NULL;
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fputs("usage: draw_shapes FOLDER\n", stderr);
        return 2;
    }
    bool ok = true;
    for (size_t i = 0; i < DRAW_TABLE_COUNT; i++) {
        for (const draw_test *test = draw_tables[i]; test->name != NULL; test++) {
            const special_case example = { test->name,       test->name, test->example[0],
                                           test->example[1], test->view, SL_INSIDE_SOLID };
            ok = write_picture(argv[1], &example) && ok;
        }
    }
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ok = write_picture(argv[1], &cases[i]) && ok;
    }
    return ok ? 0 : 1;
}
