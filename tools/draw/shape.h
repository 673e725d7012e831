/* draw/shape.h: shapes as words of the command line: "sphere 0 0 0 1". */
#ifndef TOOLS_DRAW_SHAPE_H
#define TOOLS_DRAW_SHAPE_H

#include "tools/command.h"

#include <sightline/intersect.h>
#include <sightline/shapes.h>

typedef enum draw_kind {
    DRAW_RAY,
    DRAW_SEGMENT,
    DRAW_LINE,
    DRAW_POINT,
    DRAW_AXIS,
    DRAW_AABB,
    DRAW_OBB,
    DRAW_MATRIX,
    DRAW_SPHERE,
    DRAW_CAPSULE,
    DRAW_TRIANGLE,
    DRAW_PLANE,
    DRAW_ACROSS,
    DRAW_FRUSTUM,
    DRAW_POINTS,
    DRAW_KIND_COUNT
} draw_kind;

enum { DRAW_POINTS_MAX = 32, DRAW_NUMBERS_MAX = 3 * DRAW_POINTS_MAX };

typedef struct draw_shape {
    draw_kind kind;
    bool flat; /* given with two coordinates instead of three */
    union {
        sl_ray ray;
        sl_segment segment;
        sl_line line;
        float point[3]; /* of DRAW_AXIS, too */
        sl_aabb aabb;
        sl_obb obb;
        float matrix[16];
        sl_sphere sphere;
        sl_capsule capsule;
        sl_triangle triangle;
        sl_plane plane;
        struct {
            int axis;
            float k;
        } across; /* the plane across one axis where that coordinate is k */
        sl_frustum frustum;
        struct {
            float xyz[DRAW_NUMBERS_MAX];
            size_t count;
        } points;
    };
} draw_shape;

/* "ray", "segment", ... */
const char *draw_kind_name(draw_kind kind);

/* What its numbers mean: "ox oy oz dx dy dz [tmin tmax]". */
const char *draw_kind_numbers(draw_kind kind);

/* EXIT_DONE, or EXIT_USAGE after a report. */
int draw_shape_parse(const invocation *call, const char *words, draw_shape *out);

#endif
