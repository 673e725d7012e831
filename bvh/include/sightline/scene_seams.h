/* scene_seams.h: corners of neighbouring instances that are close and not equal.
 *
 * Where pieces that fit together have the same corners in the world, no ray passes between them;
 * where they nearly have, one may.  Pieces that are turned and moved seldom have, unless a grid
 * makes them (sl_instance.grid).  This finds those that do not.
 *
 * Seam     a pair of corners of two instances that differ by the tolerance at most, of which one at
 *          least has no equal among the other instance's corners.  By how much they differ is the
 *          largest difference of a coordinate, rounded to a double.  Corners of triangles without
 *          area count as well.
 * Not      found are edges of one piece that end in the middle of an edge of another one (such
 *          pieces may leak whatever their corners are), nor corners farther apart than the
 *          tolerance.
 * Threads  as queries: a scene never changes.
 * Cost     about linear in the corners, in pairs of places within the tolerance, and in seams; up
 *          to 80 bytes for each different corner of each instance. */
#ifndef SIGHTLINE_SCENE_SEAMS_H
#define SIGHTLINE_SCENE_SEAMS_H

#include <sightline/scene.h>

typedef struct sl_seams_def {
    size_t size;      /* set by sl_default_seams_def */
    sl_hooks hooks;   /* zeroed (default): malloc, no reports */
    double tolerance; /* in units of the world.  0 (default): 2^-20 of the largest coordinate of
                       * any instance, some ten times the noise of matrices of floats; but at most
                       * 2^-10 of the size of the smallest instance */
} sl_seams_def;

SL_API sl_seams_def sl_default_seams_def(void);

/* A corner of an instance, by the lowest triangle that has it. */
typedef struct sl_scene_corner {
    sl_triangle_ref triangle;
    uint32_t vertex; /* 0 to 2 */
} sl_scene_corner;

/* a.triangle.instance < b.triangle.instance. */
typedef struct sl_seam {
    sl_scene_corner a, b;
    double distance;
} sl_seam;

typedef struct sl_seams_report {
    uint64_t corners; /* different ones of each instance, all instances together */
    uint64_t shared;  /* of those, that another instance has as well */
    uint64_t count;   /* seams, those beyond the capacity included */
    double worst;     /* the largest distance of a seam; 0: there is none */
    double tolerance; /* that was used */
} sl_seams_report;

/* Writes the first `capacity` seams, sorted by the corners a, then b: by instance, triangle,
 * vertex.  seams may be NULL where capacity is 0; def and report may be NULL; report_size: sizeof
 * *report (docs/abi.md).
 * Fails    SL_INVALID_ARGUMENT, SL_TOO_LARGE (2^32 - 1 different corners), SL_OUT_OF_MEMORY;
 *          seams and report are as they were then. */
SL_API sl_result sl_scene_find_seams(const sl_scene *scene, const sl_seams_def *def, sl_seam *seams,
                                     size_t capacity, sl_seams_report *report, size_t report_size,
                                     sl_error *error);

#endif
