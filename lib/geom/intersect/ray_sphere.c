/* Rays, segments and lines against a sphere: whether the discriminant is negative, and the order of
 * the roots and the limits, are signs of polynomials of degree 4 in the given floats.
 * Source   Ericson, Real-Time Collision Detection (2005), 5.3.2, for the quadratic. */
#include "lib/base/fpenv.h"
#include "lib/geom/intersect/ball.h"

static bool find(const sli_path *path, const sl_sphere *sphere, sl_start_inside inside, bool exact,
                 sl_round_hit *hit, bool *unsure)
{
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
    if (hit != NULL) {
        sli_round_fill(path, &span, &clip, hit, unsure);
        if (clip.at_end || clip.entry) {
            sli_ball_normal(&ball, clip.at_end ? SLI_ROOT_EXIT : SLI_ROOT_ENTRY, hit->normal,
                            unsure);
        }
    }
    return true;
}

static SLI_NOINLINE bool make_and_find(sli_path_kind kind, const void *shape,
                                       const sl_sphere *sphere, sl_start_inside inside,
                                       sl_round_hit *hit)
{
    sli_path path;
    sl_round_hit found, *const out = hit != NULL ? &found : NULL;
    if (!sl_sphere_is_valid(sphere) || !sli_path_make(kind, shape, &path)) {
        return false;
    }
    bool unsure = false;
    bool met = find(&path, sphere, inside, false, out, &unsure);
    if (unsure) {
        met = find(&path, sphere, inside, true, out, &unsure);
    }
    if (met && hit != NULL) {
        *hit = found;
    }
    return met;
}

static bool in_environment(sli_path_kind kind, const void *shape, const sl_sphere *sphere,
                           sl_start_inside inside, sl_round_hit *hit)
{
    const sli_fpenv saved = sli_fpenv_enter();
    const bool met = make_and_find(kind, shape, sphere, inside, hit);
    sli_fpenv_leave(saved);
    return met;
}

bool sl_ray_sphere(const sl_ray *ray, const sl_sphere *sphere, sl_start_inside inside,
                   sl_round_hit *hit)
{
    return in_environment(SLI_PATH_RAY, ray, sphere, inside, hit);
}

bool sl_segment_sphere(const sl_segment *segment, const sl_sphere *sphere, sl_start_inside inside,
                       sl_round_hit *hit)
{
    return in_environment(SLI_PATH_SEGMENT, segment, sphere, inside, hit);
}

bool sl_line_sphere(const sl_line *line, const sl_sphere *sphere, sl_start_inside inside,
                    sl_round_hit *hit)
{
    return in_environment(SLI_PATH_LINE, line, sphere, inside, hit);
}
