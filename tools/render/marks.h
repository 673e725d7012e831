/* render/marks.h: a picture of a mesh or a scene with marks of several kinds on it: points, edges
 * and triangles in their kind's colour, fainter where something is in front of them, and a
 * legend. */
#pragma once

#include "tools/output/canvas.h"
#include "tools/render/render.h"

typedef struct mark_kind {
    uint8_t color[3];
    char text[64]; /* of the legend, in capitals, which stand on the line; empty: not in it */
} mark_kind;

typedef struct marks marks;

/* Traces what is loaded; in and camera stay until the end.  NULL after a report, whose status is in
 * *status. */
marks *marks_create(const mesh_in *in, const camera_in *camera, progress *bar, int samples,
                    int *status);
void marks_destroy(marks *p); /* NULL is fine */

/* radius: of the pen, in pixels; lines that go behind the eye are left out.  Triangles are those of
 * a mesh. */
void marks_point(marks *p, int kind, const double place[3], int radius);
void marks_edge(marks *p, int kind, const float from[3], const float to[3], int radius);
void marks_triangle(marks *p, int kind, uint32_t prim, int radius);

/* Puts in the colours and the legend; then the pixels are done. */
canvas marks_finish(marks *p, const mark_kind *kinds, int count);
