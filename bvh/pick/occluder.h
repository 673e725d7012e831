/* occluder.h: a triangle that hides what is behind it, of all that appears within some pixels of a
 * position: boxes of trees are left out by it, with all that is in them.
 *
 * A line of sight runs from the near plane to a point, both of which appear at nearly the same
 * position.  It meets a triangle for certain if the positions of both lie within the triangle's
 * outline, by more than they and the outline may be off, if the near plane's part within reach lies
 * on one side of the triangle's plane, and the point on the other.  Within and behind are rows
 * (screen.h), so a box is judged by its corners at once; an outline that has the whole reach within
 * is not tested again.  A corner of the triangle itself is never strictly behind it. */
#pragma once

#include "bvh/pick/screen.h"

#include <sightline/intersect.h>

enum { SLI_REACH_SAMPLES = 25 }; /* of a square, its four corners among them */

/* In pixels: by how much the square is larger than wanted, and positions are within outlines. */
#define SLI_REACH_WITHIN 0x1p-10

/* The square about the position that all candidates appear in. */
typedef struct sli_reach {
    bool usable;
    double radius;
    double position[SLI_REACH_SAMPLES][2];
    double near_point[4][3]; /* on the near plane, of its corners; less the view's origin */
    double middle[3];        /* on the near plane, roughly the square's middle, and from there on */
    double towards[3];
    double near_error[3]; /* of any such point within it, along each axis */
    double margin;        /* pixels: no position of a line of sight is farther from its end's */
} sli_reach;

void sli_reach_make(const sli_screen *screen, const double position[2], double radius,
                    sli_reach *out);

/* What a row is at a point less the origin, which may be off by error along each axis; and what
 * that may be off by. */
double sli_row_at(const sli_row *row, const double x[3], const double error[3], double *slack);

/* How much a row rises along a direction. */
static inline double sli_row_rise(const sli_row *row, const double dir[3])
{
    return (row->n[0] * dir[0] + row->n[1] * dir[1]) + row->n[2] * dir[2];
}

/* The row of the plane through three corners, positive behind it.  Returns 1, or -1 where it is the
 * negative of their cross product; 0: the near plane's part within reach is not surely in front. */
double sli_occluder_plane(const sli_screen *screen, const sli_reach *reach, double corners[3][3],
                          sli_row *out);

/* The lines a x + b y + c of the picture through two corners each, k and the next: positive only
 * where lines of sight surely pass on the third corner's side.  False: not known. */
bool sli_occluder_lines(const sli_screen *screen, const sli_reach *reach, double corners[3][3],
                        double line[3][3]);

typedef struct sli_occluder {
    sl_triangle_ref triangle;
    double corners[3][3];
    int within;   /* of the samples; all of them: it covers the square */
    double depth; /* of its plane, on the line of sight through the square's middle */
    sli_row plane, side[3];
} sli_occluder;

typedef struct sli_occluder_local {
    sli_row_local plane, side[3];
    bool covers;
} sli_occluder_local;

/* False: it hides nothing for certain, or its depth is not less than before. */
bool sli_occluder_make(const sli_screen *screen, const sli_reach *reach, double corners[3][3],
                       sl_triangle_ref triangle, double before, sli_occluder *out);

void sli_occluder_to_local(const sli_occluder *occluder, const sli_screen_space *space,
                           sli_occluder_local *out);

/* Whether everything in the box that is within reach is hidden. */
static inline bool sli_occluder_hides(const sli_occluder_local *occluder, const sl_aabb *box)
{
    return sli_row_low(&occluder->plane, box) > 0 &&
           (occluder->covers ||
            (sli_row_low(&occluder->side[0], box) > 0 && sli_row_low(&occluder->side[1], box) > 0 &&
             sli_row_low(&occluder->side[2], box) > 0));
}
