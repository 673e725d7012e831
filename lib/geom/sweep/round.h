/* sweep/round.h: spheres and capsules that move against a convex obstacle: decided exactly.
 *
 * The shape is round about a segment, its axis, which of a sphere is a point; its radius is above 0
 * (without one, it is a hull).  It overlaps the obstacle where the axis is nearer than the radius,
 * and touches it where it is as far.  At the start,
 *   touching, it closes where the axis comes nearer at once;
 *   overlapping, it recedes (SL_START_IGNORE_RECEDING) where it rests, or where the axis does not
 *   come nearer at once, unless the axis meets the obstacle;
 * later, it grazes where it is never nearer than the radius.
 * The point is the obstacle's that is nearest to the axis at the exact t.  Where several are, it is
 * one in the relative interior of the largest piece (face, edge, vertex).  Each coordinate is off
 * by 2^-46 of the largest number of the point, the axis and its way, at most, unless that runs
 * along what is touched up to a few roundings; that of a vertex is exact.  The normal leads from
 * the point to the axis, each coordinate within 2^-49 and 2^-80 |dir| / radius.  Where the axis
 * meets the obstacle at the start, the point is that nearest to the middle of the axis, and the
 * normal that of a triangle's front, or 0 where there is none.
 * Callers  hold the floating-point environment. */
#pragma once

#include "lib/geom/sweep/cell.h"

#include <sightline/contact.h>

typedef struct sli_round {
    const double *end[2]; /* of the axis */
    int end_count;        /* a sphere has 1 */
    const double *dir;
    bool moves;
    double radius[2]; /* their sum counts: the shape's and, of a sphere, the obstacle's */
    sl_start_contact touching, overlapping;
    bool ignore_grazing;

    /* The obstacle: the hull of its corners, whose pieces are its vertices, edges and faces, so
     * many of each dimension; piece makes base, shift, span, limit and cone of a cell. */
    const double (*corner)[3];
    int corner_count, piece_count[3];
    void (*piece)(const struct sli_round *round, int dim, int index, sli_cell *out);
    const sl_obb_d *box; /* whose corners are no doubles; corner_count is 0 then */
    bool is_triangle;
} sli_round;

/* As sli_sweep_triangle (sweep.h). */
bool sli_round_sweep(const sli_round *round, double t_bound, sl_contact *out);

/* The mover of a round sweep, without an obstacle; and such a one against a triangle. */
struct sli_sweep;
void sli_round_of(const struct sli_sweep *sweep, sli_round *out);
bool sli_round_triangle(const sli_round *mover, const double corners[3][3], double t_bound,
                        sl_contact *out);

/* A mover against a box of either kind. */
bool sli_round_aabb(const sli_round *mover, const sl_aabb_d *box, sl_contact *out);
bool sli_round_obb(const sli_round *mover, const sl_obb_d *box, sl_contact *out);

/* Whether doubles say that the shape stays apart while t <= t_bound. */
bool sli_round_stays_apart(const sli_round *round, double t_bound);

/* Whether the policy is to report a contact at the start. */
bool sli_round_reports(sl_start_contact policy, bool recedes);

/* What is reported of a contact with a cell, of whose numbers doubles are sure: those of an event
 * on the way or (SLI_CELL_NONE) of the cell that is nearest at the start.  They may become
 * exact. */
void sli_round_report(const sli_round *round, const sli_cell *cell, sli_cell_numbers *numbers,
                      sli_cell_event event, sl_contact *out);

/* Whether the motion meets the back of a triangle; and flags of a contact with a piece of the
 * dimension. */
bool sli_round_meets_back(const sli_round *round);
uint32_t sli_round_flags(const sli_round *round, int dim, bool back);

/* The point on an edge e from base in doubles, with m of cell.h; false where the edge's ends are
 * much farther away than the point may be. */
bool sli_round_point_on_edge(const double start[3], const double base[3], const double m[3],
                             const double e[3], const double dir[3], sl_contact *out);

/* What is reported where the axis meets the obstacle at the start. */
void sli_round_report_inside(const sli_round *round, sl_contact *out);
