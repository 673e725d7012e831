/* exact/path.h: an sl_line in doubles, and the exact order and rounding of locations along it.  For
 * the intersections with boxes and planes.
 *
 * A location is where the path crosses a plane of constant coordinate, or where t has a given
 * value.
 * Callers  hold the floating-point environment.  Planes are finite and never parallel to the path.
 */
#pragma once

#include "lib/geom/exact/arithmetic/number.h"
#include "lib/geom/exact/predicates.h"

#include <sightline/shapes.h>

typedef struct sli_path {
    double origin[3];
    double tail[3], head[3];
    double tmin, tmax;
    int sign[3];              /* of head - tail */
    sli_decision_stage stage; /* EXACT once any comparison on this path needed it */
} sli_path;

/* axis 0, 1, 2: where that coordinate equals value; SLI_AT_T: where t does. */
enum { SLI_AT_T = -1 };
typedef struct sli_path_location {
    int axis;
    double value;
} sli_path_location;

/* False for an invalid line (shapes.h). */
bool sli_path_make(const sl_line *line, sli_path *out);

/* The sign of the t of a minus the t of b. */
int sli_path_compare(sli_path *path, sli_path_location a, sli_path_location b);

/* The value in [low, high] that is nearest to 0: the t that is reported where all of them would do.
 */
double sli_nearest_to_zero(double low, double high);

/* The t of the location, and one coordinate of its point: the exact values rounded to the nearest
 * float, zeros as +0.  For the coordinate, a location at t needs a finite t. */
float sli_path_t(const sli_path *path, sli_path_location at);
float sli_path_coordinate(const sli_path *path, sli_path_location at, int axis);

/* The path in numbers: its direction, head - tail; and its origin with its direction. */
void sli_path_dir(const sli_path *path, bool exact, sli_number dir[3]);
void sli_path_numbers(const sli_path *path, bool exact, sli_number origin[3], sli_number dir[3]);

/* The point where t = n / d, each coordinate rounded to the nearest float; d is not 0. */
void sli_path_point(const sli_path *path, const sli_number *n, const sli_number *d, float point[3],
                    bool *unsure);
