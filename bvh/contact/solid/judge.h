/* solid/judge.h: what is known of two solids while they are looked at, for solids.c, regions.c,
 * same.c and meet.c. */
#pragma once

#include "bvh/contact/solid/solid.h"
#include "lib/base/hooks.h"

/* Triangles that meet, by number: one of each solid. */
typedef struct sli_solid_pair {
    uint32_t of[2];
} sli_solid_pair;

enum { SLI_SOLID_CROSSINGS = 64 };

/* A step fails where `result` says so: all that follows then does nothing. */
typedef struct sli_solid_job {
    sli_solid solid[2];
    sli_solid_vertices vertices;
    sl_hooks hooks;
    sl_result result; /* of the steps so far: out of memory, or stopped */
    sl_error *error;
    sli_pieces pieces;
    uint32_t steps; /* since the last report */
    float done;     /* what is reported */

    sli_solid_pair *pairs;
    size_t pair_count, pair_capacity;
    sli_solid_pair crossings[SLI_SOLID_CROSSINGS]; /* the first pairs that cross */
    size_t crossing_count, crossing_limit;         /* at which a walk ends */
    sl_relation surfaces;                          /* the highest relation so far */

    bool both, only[2]; /* there is a cell in both solids, in one alone */
    bool meet;          /* there is a point on both boundaries */
} sli_solid_job;

static inline bool sli_solid_all_is_known(const sli_solid_job *job)
{
    return job->both && job->only[0] && job->only[1] && job->meet;
}

/* A step was made; false: the job has failed, or the caller asked to stop. */
bool sli_solid_goes_on(sli_solid_job *job);
void sli_solid_fails(sli_solid_job *job); /* out of memory */

/* Looks at all pieces of a triangle of a solid: pieces.  in_other: whether the other solid is on
 * a side of the last one; may be NULL. */
void sli_solid_judge(sli_solid_job *job, int side, uint32_t triangle, bool *in_other);

/* Begins pieces with a triangle, cut by all of its own solid. */
void sli_solid_cut_by_own(sli_solid_job *job, int side, uint32_t triangle);

/* Whether they surely are the same solid, of which a point is known that is in it and one that is
 * on its boundary. */
bool sli_solids_are_same(sli_solid_job *job);

/* Triangles that meet none of the other solid. */
void sli_solid_regions(sli_solid_job *job);

/* Whether one of the corners of the pieces is on both boundaries; and whether one of the points at
 * which a side of a triangle, one of each solid, meets the other triangle is. */
void sli_solid_meet_at_corners(sli_solid_job *job);
void sli_solid_meet_at_sides(sli_solid_job *job, const sl_triangle_d corners[2]);
