/* draw/tests.h: the tests that are drawn: one row each, in one of the tables below.
 *
 * A row says what a test asks, of which shapes, and how it is drawn: the shapes, what the library
 * answers, and where.  All numbers that are reported are the library's own. */
#pragma once

#include "docs/pictures/draw/scene.h"
#include "docs/pictures/draw/shape.h"

#include <sightline/closest.h>

typedef struct draw_test {
    const char *name;       /* NULL ends a table */
    const char *line;       /* the question that it answers */
    const char *example[2]; /* the shapes; the second is NULL where there is one */
    draw_view view;
    void (*draw)(draw_scene *scene, const draw_shape *shapes);
    /* What the library answers to a question without numbers, for scene->answer; NULL elsewhere. */
    int (*answer)(const draw_shape *a, const draw_shape *b);
} draw_test;

#define ROW(name, view, draw, answer, line, ...)                                                   \
    { name, line, { __VA_ARGS__ }, VIEW_##view, draw, answer }

extern const draw_test draw_ray_tests[];
extern const draw_test draw_overlap_tests[];
extern const draw_test draw_closest_tests[];
extern const draw_test draw_line_tests[];
extern const draw_test draw_volume_tests[];

enum { DRAW_TABLE_COUNT = 5 };
extern const draw_test *const draw_tables[DRAW_TABLE_COUNT];

/* Shapes that several examples share. */
#define UNIT_BOX    "box -1 -1 -1 1 1 1"
#define TILTED      "obb 0 0 0  0.8 0.6 0  -0.6 0.8 0  0 0 1  1.5 0.75 1"
#define VIEW_VOLUME "frustum 0 0 1 -1  0 0 -1 4  1 0 0.5 0  -1 0 0.5 0  0 1 0.375 0  0 -1 0.375 0"
#define SLANTED     "triangle -1.5 -1 1 1.75 -0.25 1 0 1.5 -0.5"

/* The row of this name, or NULL. */
const draw_test *draw_test_find(const char *name);

/* The scene, zeroed before, of a test of these shapes, as they are written ("sphere 0 0 1"); second
 * is NULL where there is one.  False where words are no shape. */
bool draw_test_scene(const draw_test *test, const char *first, const char *second, draw_view view,
                     sl_start_inside inside, draw_scene *scene);

/* The point of a segment, triangle, plane, box or sphere's centre that is nearest to another. */
bool draw_nearest_on(const draw_shape *shape, const float point[3], sl_closest *out);

/* draw/sat.c: the axes on which two of box, obb and triangle may be apart, and their intervals. */
void draw_sat(draw_scene *scene, const draw_shape *first, const draw_shape *second);
void draw_triangle_aabb_sat(draw_scene *scene, const draw_shape *shapes);
