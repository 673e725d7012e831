/* input/volume_spec.h: one volume on the command line. */
#pragma once

#include "tools/input/camera.h"

#include <sightline/volumes.h>

typedef struct volume_options {
    float aabb[6], sphere[4], obb[15], capsule[7], triangle[9];
    const char *planes, *hull;
    bool frustum;
    float rectangle[4]; /* of the picture */
    camera_options camera;
} volume_options;

extern const option_row volume_rows[];
extern const option_row moving_volume_rows[]; /* of those that sweep: no frustum */

/* struct x { ...; volume_options volume; ... } and VOLUME_GROUP(struct x), then CAMERA_OF_VOLUME.
 */
#define VOLUME_GROUP(type)                                                                         \
    { .title = "Volume", .rows = volume_rows, .offset = offsetof(type, volume) }
#define MOVING_VOLUME_GROUP(type)                                                                  \
    { .title = "Volume", .rows = moving_volume_rows, .offset = offsetof(type, volume) }
#define CAMERA_OF_VOLUME(type)                                                                     \
    { .title = "Camera of --frustum", .rows = camera_rows, .offset = offsetof(type, volume.camera) }

/* The most numbers that a volume has: those of the points of a hull, which refers to them. */
enum { VOLUME_SPEC_NUMBERS_MAX = 3 * SL_HULL_POINTS_MAX };

/* Exactly one must have been given.  bounds: of the mesh, for a camera that frames it.  points:
 * room for those of a hull; NULL: only what needs no file is looked at. */
int volume_spec_make(const invocation *call, const volume_options *options, const sl_aabb *bounds,
                     float points[VOLUME_SPEC_NUMBERS_MAX], sl_volume *volume);

/* Refuses options of one volume where there are many.  EXIT_DONE or EXIT_USAGE. */
int volume_spec_check_none(const invocation *call);

/* Refuses wrong ones before there is a mesh.  EXIT_DONE or EXIT_USAGE. */
int volume_spec_check(const invocation *call, const volume_options *options);

/* The volume that a word and the numbers behind it are: those of the option of that name, without
 * the dashes.  A hull refers to the numbers.  More than VOLUME_SPEC_NUMBERS_MAX are not looked at,
 * whatever their count.  False, with what is wrong in what, where they are none.  moves: it is to
 * sweep, and no planes are named. */
enum { VOLUME_SPEC_MESSAGE_MAX = 160 };
bool volume_spec_fill(sl_volume *volume, const char *word, const float *numbers, int count,
                      bool moves, char *what, size_t size);

/* The way back: word and numbers, as many as fit. */
void volume_spec_text(const sl_volume *volume, char *to, size_t size);

/* "aabb", "sphere", ... */
const char *volume_spec_word(const sl_volume *volume);
