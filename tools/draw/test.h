/* draw/test.h: the tests that can be drawn: one row each, in one of the tables below.
 *
 * A row says which shapes the test takes and how to draw it: the shapes, what the library answers,
 * and where.  All numbers that are reported are the library's own. */
#ifndef TOOLS_DRAW_TEST_H
#define TOOLS_DRAW_TEST_H

#include "tools/draw/scene.h"
#include "tools/draw/shape.h"

#define KIND(name)    (UINT32_C(1) << DRAW_##name)
#define KINDS_OF_PATH (KIND(RAY) | KIND(SEGMENT) | KIND(LINE))

typedef struct draw_settings {
    sl_start_inside inside;
} draw_settings;

enum { DRAW_TAKES = 2 };

typedef struct draw_test draw_test;
struct draw_test {
    const char *name;           /* NULL ends a table */
    const char *line;           /* the question that it answers */
    const char *functions;      /* of the library */
    uint32_t takes[DRAW_TAKES]; /* the kinds of shape that it takes; 0: there is no such argument */
    const char *example[DRAW_TAKES]; /* drawn when no shape is given */
    draw_view view;
    void (*draw)(const draw_test *test, draw_scene *scene, const draw_shape *shapes,
                 const draw_settings *settings);
    /* For tests of two shapes: draw calls the one that the test has. */
    bool (*overlap)(const draw_shape *a, const draw_shape *b);
    int (*side)(const draw_shape *a, const draw_shape *b);
};

extern const draw_test draw_ray_tests[];
extern const draw_test draw_overlap_tests[];
extern const draw_test draw_closest_tests[];
extern const draw_test draw_line_tests[];
extern const draw_test draw_volume_tests[];

/* draw/sat.c: the axes on which two of box, obb and triangle may be apart, and their intervals. */
void draw_sat(draw_scene *scene, const draw_shape *first, const draw_shape *second);
void draw_triangle_aabb_sat(draw_scene *scene, const sl_triangle *triangle, const sl_aabb *box);

#endif
