/* pick/picture.h: a picture as render makes it, with what was picked or selected marked in it:
 * faces in another colour, edges, vertices, regions and positions drawn over it. */
#pragma once

#include "tools/output/canvas.h"
#include "tools/render/render.h"

/* Whether the triangle of a hit is marked; called from several threads at once. */
typedef bool marked_fn(const void *context, const sl_hit *hit);

typedef struct marked_picture {
    picture shown;
    marked_fn *is_marked;
    const void *context;
    canvas canvas;
} marked_picture;

extern const uint8_t marked_rgb[3], marked_ink[3]; /* of what is marked; of regions, positions */

/* Renders it.  EXIT_DONE, or the status of a reported error; free it either way. */
int marked_picture_make(marked_picture *p, mesh_in *in, const camera_in *camera,
                        const sl_options *options, marked_fn *is_marked, const void *context);
void marked_picture_free(marked_picture *p); /* a zeroed one is fine */

/* In pixels, as sl_view_project reports them; what is beyond the picture is left out.  thickness: a
 * dot is more pixels in a larger picture. */
void marked_picture_line(const marked_picture *p, const double from[2], const double to[2],
                         double thickness, const uint8_t rgb[3]);
void marked_picture_ring(const marked_picture *p, const double at[2], double radius,
                         double thickness, const uint8_t rgb[3]);
/* A ring of the colour of marks with a dark outline, which shows on any picture; radius in dots. */
void marked_picture_spot(const marked_picture *p, const double at[2], double radius,
                         double thickness);
/* A cross, with a light outline, and a hole in its middle that a spot fits into. */
void marked_picture_cross(const marked_picture *p, const double at[2]);

/* A segment of the world, as far as it is in front of the camera. */
void marked_picture_edge(const marked_picture *p, const sl_view *view, const double ends[2][3],
                         double thickness);

/* EXIT_DONE, or EXIT_FAILED after a report. */
int marked_picture_write(const marked_picture *p, const char *path);
