/* path_oracle.h: lines against planes and boxes in fractions (GMP): the oracle
 * for the library's answers.  It divides where the library compares, and evaluates points where the
 * library orders crossings.
 * Threads  one at a time. */
#pragma once

#include <sightline/intersect.h>

#include <gmp.h>

typedef struct path_oracle {
    mpq_t origin[3], dir[3], t, first, last, x; /* the last four are temporaries */
    double tmin, tmax;
} path_oracle;

void path_oracle_init(path_oracle *o);
void path_oracle_clear(path_oracle *o);

/* line is valid. */
void path_oracle_set(path_oracle *o, const sl_line *line);

/* Where coordinate axis is k. */
sl_plane_meet path_oracle_plane(path_oracle *o, int axis, float k, sl_plane_hit *hit);

/* A finite, not empty box, solid: face, t, point and normal are those at the entry. */
bool path_oracle_box(path_oracle *o, const sl_aabb *box, sl_aabb_hit *hit);
