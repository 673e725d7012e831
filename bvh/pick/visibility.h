/* visibility.h: whether a corner or side is seen, and what was learnt from what was not: triangles
 * that hide (occluder.h), the triangle that hid something last at each position of the picture, and
 * points that were judged.
 * Callers  hold the floating-point environment. */
#pragma once

#include "bvh/pick/candidate.h"
#include "bvh/pick/occluder.h"

enum {
    SLI_OCCLUDERS = 4,
    SLI_OCCLUDER_SIDE = 8,  /* of a grid over the reach, of triangles that may block */
    SLI_CELL_OCCLUDERS = 6, /* in a cell */
    SLI_HIDDEN = 64         /* remembered; a power of two */
};

/* What was judged, and is hidden. */
typedef struct sli_hidden {
    double end[2][3];
    uint32_t kind; /* SL_PICK_NONE: not in use */
} sli_hidden;

typedef struct sli_visibility {
    const sl_bvh *bvh;
    const sli_screen *screen;
    sli_world_ray options; /* which triangles are there, and which of their sides */
    double position[2];
    sli_reach reach;
    sli_occluder occluder[SLI_OCCLUDERS];
    int occluder_count;
    uint32_t version; /* counts changes of the occluders */
    struct sli_cell_occluders {
        sl_triangle_ref triangle[SLI_CELL_OCCLUDERS];
    } occluders[SLI_OCCLUDER_SIDE][SLI_OCCLUDER_SIDE];
    uint64_t full;      /* bits: cells of the grid, row by row, that have no room for more */
    sli_hidden *hidden; /* SLI_HIDDEN; NULL: nothing is remembered */
    sl_stats *stats;
    uint64_t traced; /* lines of sight */
} sli_visibility;

/* radius: in pixels, that everything to come is within.  hidden: room for SLI_HIDDEN, or NULL. */
void sli_visibility_begin(sli_visibility *visibility, const sl_bvh *bvh, const sli_screen *screen,
                          const sli_world_ray *options, const double position[2], double radius,
                          sli_hidden *hidden, sl_stats *stats);

/* A triangle that is there, and may hide something. */
void sli_visibility_learn(sli_visibility *visibility, sl_triangle_ref triangle);

/* The same, which appears between two corners of the picture, as seen from the position; they need
 * not be sure. */
void sli_visibility_note(sli_visibility *visibility, sl_triangle_ref triangle,
                         const double least[2], const double most[2]);

/* All candidates from now on are within radius pixels. */
void sli_visibility_shrink(sli_visibility *visibility, double radius);

/* Whether it was judged, and is hidden. */
bool sli_visibility_knows_hidden(const sli_visibility *visibility, const sli_candidate *candidate);

bool sli_visibility_is_seen(sli_visibility *visibility, const sli_candidate *candidate);

/* Whether a triangle, whose corners in the world these are, turns a side to the eye that is culled,
 * or neither: exactly. */
bool sli_triangle_is_culled(const sli_eye *eye, const sli_world_ray *options,
                            const sli_transformed *transformed, const double v[3][3]);
