/* transform/transform.h: the corner rule, inline, and what a scene must know of an instance's
 * transform before it is entered: that it is usable, the box that its corners fill, and an inverse.
 *
 * Callers  hold the floating-point environment (lib/base/fpenv.h). */
#pragma once

#include "lib/geom/exact/arithmetic/grid.h"

#include <sightline/transform.h>

/* The grid that 0 stands for: the step of floats. */
#define SLI_TRANSFORM_STEP SLI_STEP

/* Rounds to the nearest multiple of a grid that is not 0. */
static inline double sli_transform_round(double x, double grid)
{
    return sli_round_to_grid(x, grid);
}

/* One coordinate before it is rounded to the grid, from the row m[axis] of the transform. */
static inline double sli_transform_coordinate(const double row[4], double x, double y, double z)
{
    return ((row[0] * x + row[1] * y) + row[2] * z) + row[3];
}

/* The corner rule; grid is not 0. */
static inline void sli_transform_corner(const sl_transform *transform, double grid,
                                        const float vertex[3], double corner[3])
{
    for (int axis = 0; axis < 3; axis++) {
        corner[axis] = sli_transform_round(
            sli_transform_coordinate(transform->m[axis], vertex[0], vertex[1], vertex[2]), grid);
    }
}

/* A usable grid: 0, or a power of two from 2^-149 to 2^127.  Sets *step to it, or to 2^-149 for
 * 0. */
bool sli_transform_grid(double grid, double *step);

/* The box of the corners that the transform makes of all points of a box that is not empty: exactly
 * the least and the largest coordinates, roundings included.  grid is not 0.  NaN or infinite where
 * corners are. */
void sli_transform_bounds(const sl_transform *transform, double grid, const sl_aabb *box,
                          double min[3], double max[3]);

/* The inverse of the linear part, A of M, and what is known of it.  ||M|| is the largest sum of
 * |element| over a row. */
typedef struct sli_transform_inverse {
    double a[3][3];
    double sigma;     /* at least ||I - A M||; at most 2^-20 */
    double norm;      /* ||M||, relative error below 2^-50 */
    double a_norm;    /* ||A||, likewise: ||M^-1|| (1 + sigma) >= ||A|| >= ||M^-1|| (1 - sigma) */
    double condition; /* norm * a_norm, rounded */
    bool mirrors;     /* det M < 0, exactly */
} sli_transform_inverse;

/* The largest condition that is accepted, and the range of ||M||, beyond which no transform would
 * make corners other than zeros and ones out of range. */
#define SLI_TRANSFORM_CONDITION_MAX 0x1p20
#define SLI_TRANSFORM_NORM_MIN      0x1p-300
#define SLI_TRANSFORM_NORM_MAX      0x1p300

/* False, with *out left alone, if the elements are not finite, the norm is out of its range or the
 * condition above its limit. */
bool sli_transform_invert(const sl_transform *transform, sli_transform_inverse *out);

/* Directions that stand upright on a surface, where the surface is carried by the transform:
 * positive multiples of the transpose of the inverse times the direction, so what is in front stays
 * there, in transforms that mirror, too.  Off by less than 2^-48 times the condition. */
typedef struct sli_upright {
    double c[3][3];          /* cofactors, levelled by powers of two */
    int columns[3], rows[3]; /* their exponents */
    bool plain;              /* which are in c already */
    bool still;              /* the linear part is the identity */
    bool flat;               /* or has no inverse, or is not finite: the rest means nothing */
} sli_upright;

/* Brings the columns of m, then its rows, to sizes close to 1, by powers of two whose exponents it
 * tells.  False where one is zero, or a number is not finite. */
bool sli_transform_level(double m[3][3], int columns[3], int rows[3]);

/* x[i] times 2^-shift[i], all of them times one power of two that brings the largest close to 1. */
void sli_normal_rescale(const double x[3], const int shift[3], double out[3]);

/* False: it is flat. */
bool sli_upright_make(const sl_transform *transform, sli_upright *out);

/* Of a normal whose components are 0 or between 2^-298 and 2^258, squares of what comes of it are
 * within the range of doubles, or nothing beside the largest.  out may be normal. */
void sli_upright_turn(const sli_upright *upright, const double normal[3], double out[3]);

/* As flattened meshes have them: of unit length, zero where the transform is flat; as they are
 * where it is still, and where they are not finite. */
void sli_upright_unit(const sli_upright *upright, double normal[3]);

/* Why a transform cannot be that of an instance; the first that holds, in this order (with a grid
 * that is fine corners may be out of range once more). */
typedef enum sli_transform_fault {
    SLI_TRANSFORM_OK = 0,
    SLI_TRANSFORM_NOT_FINITE = 1,
    SLI_TRANSFORM_OUT_OF_RANGE = 2, /* a corner of the box would be larger than FLT_MAX */
    SLI_TRANSFORM_SINGULAR =
        3, /* ||M|| ||M^-1|| > 2^20, or ||M|| out of range: what is flat, too */
    SLI_TRANSFORM_BAD_GRID = 4,   /* not 0 and no power of two from 2^-149 to 2^127 */
    SLI_TRANSFORM_COARSE_GRID = 5 /* above 1/16 of the largest side of the instance's box */
} sli_transform_fault;

/* Whether the transform and the grid suit a mesh with these bounds; an empty box has no corners.
 * inverse may be NULL; it is set where the result is SLI_TRANSFORM_OK. */
sli_transform_fault sli_transform_check(const sl_transform *transform, double grid,
                                        const sl_aabb *box, sli_transform_inverse *inverse);

/* The same, and the box of the corners in min and max (zeros for an empty one).  On a fault
 * inverse, min and max mean nothing. */
sli_transform_fault sli_transform_prepare(const sl_transform *transform, double grid,
                                          const sl_aabb *box, sli_transform_inverse *inverse,
                                          double min[3], double max[3]);

/* The fault in words, for messages about an instance: "its transform has an element that is not
 * finite". */
const char *sli_transform_fault_words(sli_transform_fault fault);

/* As sl_transform_turned, for a translation. */
bool sli_transform_moved(const sl_transform *transform, const double translation[3],
                         sl_transform *out);
