/* select_case.h: regions of a few numbers over worlds of a wanted size, and what one of them costs
 * a selection: for select_search. */
#pragma once

#include "test/measure/program.h"
#include "test/support/selection/polygons.h"

enum { SELECT_WORLDS = 4, SELECT_UNITS = 6, SELECT_MODES = 3 };
enum { SELECT_OTHERS = 3, SELECT_SHAPES = SELECT_OTHERS + POLYGON_KINDS };
extern const char *const select_worlds[SELECT_WORLDS];
extern const char *const select_units[SELECT_UNITS], *const select_modes[SELECT_MODES];

/* Rectangle, brush, disc, and polygons (polygons.h). */
const char *select_shape(int shape);

/* Numbers that say what is asked.  The region lies between at and at + size, but that of a disc,
 * whose centre is at, and its radius size[0]. */
typedef struct select_case {
    int world, unit, mode, shape;
    double corners;
    double at[2], size[2]; /* in pixels */
    double param;          /* of the shape: 0 to 1 */
    double seed;
    double move[2]; /* of the second update, in pixels */
} select_case;

typedef struct select_cost {
    bool finished;                /* within the time */
    double region, move;          /* ms of the processor, from nothing and then moved */
    double bounds, equal;         /* a rectangle with its bounds, and one with its area there */
    double boxes, tested, traced; /* of the region */
    double selected;
} select_cost;

/* Worlds of about that many triangles, made when one is asked for. */
void select_worlds_open(size_t triangles);
void select_worlds_close(void);

/* Runs it in a process of its own, which is ended after some seconds; then all times are those. */
select_cost select_case_cost(const select_case *c, double seconds);

/* The words by which select_search asks the case again, and a case of such words: false where they
 * are none. */
void select_case_print(const select_case *c);
bool select_case_read(char **words, int count, select_case *out);
