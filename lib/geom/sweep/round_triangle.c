/* Spheres and capsules that move against a triangle. */
#include "lib/geom/sweep/sphere.h"
#include "lib/geom/sweep/sweep.h"

#include <string.h>

/* The face, and the edges and vertices from each corner. */
static void piece_of_triangle(const sli_round *round, int dim, int index, sli_cell *out)
{
    const double(*v)[3] = round->corner;
    const double *a = v[index], *b = v[(index + 1) % 3], *c = v[(index + 2) % 3];
    const sli_way next = { a, b }, last = { a, c };
    out->base = a;
    out->span[0] = next;
    out->span[1] = last;
    out->cone_count = 2 - dim;
    out->cone[0] = last;
    out->cone[1] = next;
    out->cut = dim == 2;
}

static bool sweep_triangle(sli_round *round, const double corners[3][3], double t_bound,
                           sl_contact *out)
{
    round->corner = corners;
    round->corner_count = round->piece_count[0] = round->piece_count[1] = 3;
    round->piece_count[2] = 1;
    round->piece = piece_of_triangle;
    round->is_triangle = true;
    const sli_tribool met =
        round->end_count == 1 ? sli_sphere_sweep(round, t_bound, out) : SLI_UNSURE;
    return met == SLI_UNSURE ? sli_round_sweep(round, t_bound, out) : met == SLI_YES;
}

bool sli_round_triangle(const sli_round *mover, const double corners[3][3], double t_bound,
                        sl_contact *out)
{
    sli_round round = *mover;
    return sweep_triangle(&round, corners, t_bound, out);
}

void sli_round_of(const sli_sweep *sweep, sli_round *out)
{
    const sl_sphere_d *sphere = &sweep->volume.shape.sphere;
    const sl_capsule_d *capsule = &sweep->volume.shape.capsule;
    const bool is_sphere = sweep->kind == SL_VOLUME_SPHERE;
    const bool is_ball = is_sphere || memcmp(capsule->p, capsule->q, sizeof capsule->p) == 0;
    *out = (sli_round){
        .end = { is_sphere ? sphere->centre : capsule->p, is_sphere ? NULL : capsule->q },
        .end_count = is_ball ? 1 : 2,
        .dir = sweep->dir,
        .moves = sweep->moves,
        .radius = { is_sphere ? sphere->radius : capsule->radius, 0 },
        .touching = sweep->touching,
        .overlapping = sweep->overlapping,
        .ignore_grazing = sweep->ignore_grazing,
    };
}

bool sli_sweep_round_triangle(const sli_sweep *sweep, const double corners[3][3], double t_bound,
                              sl_contact *out)
{
    sli_round round;
    sli_round_of(sweep, &round);
    return sweep_triangle(&round, corners, t_bound, out);
}
