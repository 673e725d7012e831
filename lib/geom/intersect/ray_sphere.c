/* Rays, segments and lines against a sphere: whether the discriminant is negative, and the order of
 * the roots and the limits, are signs of polynomials of degree 4 in the given floats.
 * Source   Ericson, Real-Time Collision Detection (2005), 5.3.2, for the quadratic. */
#include "lib/geom/exact/valid.h"
#include "lib/geom/intersect/ball.h"
#include "lib/geom/intersect/paths.h"

int sli_path_sphere(sli_path *path, const void *volume, sl_start_inside inside, bool exact,
                    void *hit, bool *unsure)
{
    const sl_sphere *sphere = volume;
    sl_round_hit *out = hit;
    if (!sli_sphere_is_valid(sphere)) {
        return 0;
    }
    sli_ball ball;
    sli_ball_make(path, sphere->centre, sphere->radius, exact, &ball);
    const bool moves = path->sign[0] != 0 || path->sign[1] != 0 || path->sign[2] != 0;
    const int outside =
        sli_number_sign(moves ? &ball.q.part : &ball.q.c, unsure) * (moves ? -1 : 1);
    if (outside > 0) {
        return false;
    }
    const sli_quadratic *q = moves ? &ball.q : NULL;
    const sli_round_span span = { q, q, outside < 0 };
    sli_round_clip clip;
    if (!sli_round_clip_span(path, &span, inside, &clip, unsure)) {
        return false;
    }
    if (out != NULL) {
        sli_round_fill(path, &span, &clip, out, unsure);
        if (clip.at_end || clip.entry) {
            sli_ball_normal(&ball, clip.at_end ? SLI_ROOT_EXIT : SLI_ROOT_ENTRY, out->normal,
                            unsure);
        }
    }
    return true;
}
