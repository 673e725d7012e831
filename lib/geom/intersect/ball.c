/* Paths against balls, for spheres and capsules: the quadratic, the normal, and clipping to the
 * limits. */
#include "lib/geom/intersect/ball.h"

/* With f = from and d = dir: a = d . d, b = f . d, c = f . f - r^2; the discriminant is r^2 a - (f
 * x d)^2, which does not cancel as b^2 - a c does for a ball far away. */
void sli_ball_make(const sli_path *path, const float centre[3], float radius, bool exact,
                   sli_ball *out)
{
    sli_path_dir(path, exact, out->dir);
    for (int axis = 0; axis < 3; axis++) {
        sli_number_diff(path->origin[axis], centre[axis], exact, &out->from[axis]);
    }
    sli_number_set(radius, exact, &out->radius);
    sli_quadratic *q = &out->q;
    sli_number r2, cross[3], apart;
    sli_number_mul(&out->radius, &out->radius, &r2);
    sli_number_dot(out->dir, out->dir, &q->a);
    sli_number_dot(out->from, out->dir, &q->b);
    sli_number_dot(out->from, out->from, &q->c);
    sli_number_sub(&q->c, &r2, &q->c);
    sli_number_cross(out->from, out->dir, cross);
    sli_number_dot(cross, cross, &apart);
    sli_number_mul(&r2, &q->a, &q->part);
    sli_number_sub(&q->part, &apart, &q->part);
    sli_number_set(1, true, &q->scale);
}

/* From the centre it is d x (f x d) / a to the middle of the chord, and from there sqrt(part) d / a
 * to the crossing. */
void sli_ball_normal(const sli_ball *ball, sli_root root, float normal[3], bool *unsure)
{
    normal[0] = normal[1] = normal[2] = 0;
    if (ball->radius.value == 0) {
        return;
    }
    sli_number cross[3], across[3], reach, size;
    sli_number_cross(ball->from, ball->dir, cross);
    sli_number_cross(ball->dir, cross, across);
    sli_root_reach(&ball->q, root, &reach);
    sli_number_mul(&ball->radius, &ball->q.a, &size);
    sli_number_normal(across, ball->dir, &reach, &size, normal, unsure);
}

bool sli_round_clip_span(const sli_path *path, const sli_round_span *span, sl_start_inside inside,
                         sli_round_clip *out, bool *unsure)
{
    int entry_first = -1, entry_last = -1, exit_first = 1, exit_last = 1;
    if (span->entry != NULL) {
        entry_last = sli_root_compare(span->entry, SLI_ROOT_ENTRY, path->tmax, unsure);
        exit_first = sli_root_compare(span->exit, SLI_ROOT_EXIT, path->tmin, unsure);
        if (entry_last > 0 || exit_first < 0) {
            return false;
        }
        entry_first = sli_root_compare(span->entry, SLI_ROOT_ENTRY, path->tmin, unsure);
        exit_last = sli_root_compare(span->exit, SLI_ROOT_EXIT, path->tmax, unsure);
    }
    out->entry = entry_first >= 0;
    out->exit = exit_last <= 0;
    out->inside = span->interior && entry_first < 0 && exit_first > 0;
    out->at_end = out->inside && inside == SL_INSIDE_HOLLOW;
    switch (inside) {
    case SL_INSIDE_HOLLOW:
        return !out->inside || out->exit;
    case SL_INSIDE_IGNORE:
        return !out->inside;
    case SL_INSIDE_IGNORE_LEAVING:
        return !out->inside && !(exit_first == 0 && entry_first < 0);
    default:
        return true;
    }
}

/* The hit at a limit, which is a float. */
static void fill_at(const sli_path *path, double t, sl_round_hit *hit, bool *unsure)
{
    sli_number dir[3], step, from;
    sli_path_dir(path, true, dir);
    hit->t = (float)t + 0.0f;
    sli_number_set(t, true, &step);
    for (int axis = 0; axis < 3; axis++) {
        sli_number_set(path->origin[axis], true, &from);
        sli_number_mul(&step, &dir[axis], &dir[axis]);
        sli_number_add(&from, &dir[axis], &dir[axis]);
        hit->point[axis] = sli_number_round(&dir[axis], unsure);
    }
}

static void fill_crossing(const sli_path *path, const sli_quadratic *q, sli_root root, float t,
                          sl_round_hit *hit, bool *unsure)
{
    sli_number dir[3];
    sli_path_dir(path, q->a.n >= 0, dir);
    hit->t = t;
    for (int axis = 0; axis < 3; axis++) {
        hit->point[axis] = sli_root_coordinate(q, root, path->origin[axis], &dir[axis], unsure);
    }
}

void sli_round_fill(const sli_path *path, const sli_round_span *span, const sli_round_clip *clip,
                    sl_round_hit *hit, bool *unsure)
{
    *hit = (sl_round_hit){ .entry = clip->entry, .exit = clip->exit, .inside = clip->inside };
    hit->t0 =
        clip->entry ? sli_root_t(span->entry, SLI_ROOT_ENTRY, unsure) : (float)path->tmin + 0.0f;
    hit->t1 = clip->exit ? sli_root_t(span->exit, SLI_ROOT_EXIT, unsure) : (float)path->tmax + 0.0f;
    if (clip->at_end) {
        fill_crossing(path, span->exit, SLI_ROOT_EXIT, hit->t1, hit, unsure);
    } else if (clip->entry) {
        fill_crossing(path, span->entry, SLI_ROOT_ENTRY, hit->t0, hit, unsure);
    } else {
        /* tmin is -inf only for a path of zero length, which is at this point for every t. */
        fill_at(path, isinf(path->tmin) ? sli_nearest_to_zero(path->tmin, path->tmax) : path->tmin,
                hit, unsure);
    }
}
