/* input/camera.h: the camera options that render and pick share, and the camera that follows from
 * them.
 *
 * A camera is given by where it stands (--eye ...), by two matrices, or by a file that
 * --save-camera wrote; where none of these is given, the whole mesh is framed. */
#pragma once

#include "tools/cli/common.h"

#include <sightline/camera.h>
#include <sightline/mesh.h>

typedef struct camera_options {
    const char *size;
    float eye[3], target[3], up[3], from[3];
    float fov, ortho, window[4], near_distance, far_distance;
    int up_axis; /* 0: y, 1: z */
    int depth;   /* an sl_clip_space */
    const char *view, *projection;
    const char *camera, *save;
} camera_options;

extern const option_row camera_rows[];

/* struct x { ...; camera_options camera; ... } and CAMERA_GROUP(struct x). */
#define CAMERA_GROUP(type)                                                                         \
    { .title = "Camera", .rows = camera_rows, .offset = offsetof(type, camera) }

typedef struct camera_in {
    sl_camera camera;
    sl_camera_def def; /* unless matrices: there only width, height and clip */
    double fov_deg;    /* perspective: as it was given, so that saving loses nothing */
    bool matrices;     /* it came as two matrices */
    double axes[3][4]; /* right, up and forward of the picture: unit vectors, then minus their
                        * value at the eye */
} camera_in;

enum { CAMERA_RIGHT, CAMERA_UP, CAMERA_FORWARD };

/* The rules between these options, before there is a mesh; the functions below take them as kept.
 * EXIT_DONE or EXIT_USAGE. */
int camera_in_check(const invocation *call, const camera_options *options);

/* bounds: of the mesh, for framing it and for --near and --far that are not given.
 * EXIT_DONE, or the status of a reported error. */
int camera_in_make(camera_in *in, const invocation *call, const camera_options *options,
                   const sl_aabb *bounds);

/* The same, but where the mesh is framed its triangles fill the picture, rather than its bounds. */
int camera_in_make_of(camera_in *in, const invocation *call, const camera_options *options,
                      const sl_mesh *mesh);

/* For --save-camera: nothing where options->save is NULL. */
/* The same for a mesh or a scene; of a scene its bounds fill the picture. */
struct mesh_in;
int camera_in_frame(camera_in *in, const invocation *call, const camera_options *options,
                    const struct mesh_in *shown);

/* "800x600".  EXIT_DONE or EXIT_USAGE. */
int camera_in_size(const invocation *call, const char *text, uint32_t *width, uint32_t *height);

int camera_in_save(const camera_in *in, const camera_options *options);

/* How far in front of the eye a point is, along the view axis, in units. */
double camera_in_distance(const camera_in *in, const double point[3]);

/* camera_file.c: the camera of a file, into def and matrices both; size and clip with it. */
int camera_file_read(camera_in *in, const char *path);
int camera_file_write(const camera_in *in, const char *path);

extern const char *const camera_depth_words[]; /* by sl_clip_space; ends with NULL */

/* Degrees to the radians of a def. */
float camera_in_radians(double degrees);
