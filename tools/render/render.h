/* render.h: what the parts of `sightline render` share: pixels, the legend, and arrays. */
#pragma once

#include "tools/input/scene.h"
#include "tools/render/tiles.h"

typedef enum render_show {
    SHOW_SHADE,
    SHOW_DEPTH,
    SHOW_NORMAL,
    SHOW_PRIM,
    SHOW_COST,
    SHOW_QUALITY,
    SHOW_COLOUR,
    SHOW_INSTANCE
} render_show;

typedef struct picture {
    const mesh_in *in;
    const camera_in *camera;
    render_show show;
    int ao;                     /* ambient occlusion rays for each hit; 0: none */
    float ao_distance;          /* how far they look, in units */
    float (*normals)[3];        /* of vertices, for smooth shading; NULL: facets as they are */
    float (**scene_normals)[3]; /* the same of each mesh of the scene */
    float *values;    /* of vertices: one for quality, three (0 .. 255) for colour; else NULL */
    double low, high; /* depth, cost, quality: what the ends of the colour map stand for */
    uint32_t width, height;
    uint8_t *rgb;
} picture;

/* Normals of vertices: of the faces around them, weighed by area.  NULL when out of memory. */
float (*render_vertex_normals(const sl_mesh *mesh))[3];

/* The normal between those of the corners of a hit's triangle, whose own is facet. */
void render_smooth_normal(const sl_mesh *mesh, const float (*normals)[3], const sl_hit *hit,
                          const float facet[3], float out[3]);

/* ---- render/world.c: smooth normals of a mesh or a scene ---- */
bool render_make_normals(picture *p); /* false: no memory */
void render_free_normals(picture *p);
/* The smooth normal, not of unit length, of the front in a scene; false where there is none. */
bool render_placed_normal(const picture *p, const sl_hit *hit, float out[3]);

/* A tiles_fn; context is a picture.  Writes the pixel. */
void render_pixel(void *context, const tiles_pixel *pixel, int worker);

/* The distance of a hit along the view axis. */
double render_depth(const camera_in *camera, const sl_ray *ray, const sl_hit *hit);

/* Draws a bar of the colour map with its numbers into the lower left corner; more: there are
 * greater values than high.  Pictures too small for it stay as they are. */
void render_legend(const picture *p, const char *title, bool more);

/* Arrays for NumPy (render/aov.c): names as "depth,normal". */
typedef struct aov aov;
int aov_check(const invocation *call, const char *names); /* EXIT_DONE or EXIT_USAGE */
/* NULL after a report, whose status is in *status; of names that were checked. */
aov *aov_create(const char *names, const picture *p, int *status);
void aov_pixel(void *context, const tiles_pixel *pixel,
               int worker); /* a tiles_fn; context is an aov */
int aov_write(const aov *a, const char *path);
void aov_destroy(aov *a); /* NULL is fine */
