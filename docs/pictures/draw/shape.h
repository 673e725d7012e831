/* draw/shape.h: shapes as they are written: "sphere 0 0 0 1". */
#pragma once

#include <sightline/intersect.h>

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
    DRAW_FRUSTUM,
    DRAW_POINTS
} draw_kind;

enum {
    DRAW_KIND_COUNT = DRAW_POINTS + 1,
    DRAW_POINTS_MAX = 32,
    DRAW_NUMBERS_MAX = 3 * DRAW_POINTS_MAX
};

typedef struct draw_shape {
    draw_kind kind;
    union {
        sl_ray ray; /* of DRAW_LINE, too, without limits */
        sl_segment segment;
        float point[3]; /* of DRAW_AXIS, too */
        sl_aabb aabb;
        sl_obb obb;
        float matrix[16];
        sl_sphere sphere;
        sl_capsule capsule;
        sl_triangle triangle;
        sl_plane plane;
        sl_frustum frustum;
        struct {
            float xyz[DRAW_NUMBERS_MAX];
            size_t count;
        } points;
    };
} draw_shape;

/* "ray", "segment", ... */
const char *draw_kind_name(draw_kind kind);

/* A shape of its kind and its numbers, with blanks between; vectors are x y z, or x y in the plane
 * z = 0.  False where the words are no shape. */
bool draw_shape_parse(const char *words, draw_shape *out);

/* The line of a ray, a segment or a line. */
sl_line line_of(const draw_shape *shape);

/* The volume of a shape that is one. */
sl_volume volume_of(const draw_shape *shape);
