/* Rays, segments and lines against a capsule, decided exactly by polynomials of degree 6 at most.
 *
 * Between its ends the capsule is part of an infinite cylinder.  If the line enters the cylinder
 * beside the axis from p to q, it enters the capsule there; if it does so before p, it can only
 * enter the ball around p, and after q only the ball around q.  Likewise for leaving.  Whether a
 * root lies before or after the plane perpendicular to the axis at p or q is decided without the
 * root: by the sign of the quadratic where the line crosses that plane.
 *
 * With f from p (or q) to the origin, d the direction, u = q - p and x = d x u, the cylinder is the
 * quadratic a = x . x, b = (f x u) . x, c = (f x u)^2 - r^2 u^2, whose discriminant is u^2 (r^2 x^2
 * - (f . x)^2).  The plane is crossed at t = n / m with n = -f . u and m = d . u; times m^2, the
 * quadratic there is u^2 (g^2 - r^2 m^2), g = u x (f x d), and its slope u^2 (d . g) / m.
 * Source   Ericson, Real-Time Collision Detection (2005), 5.3.7, for the parts. */
#include "lib/geom/exact/valid.h"
#include "lib/geom/intersect/ball.h"
#include "lib/geom/intersect/paths.h"

typedef enum part { PART_P, PART_Q, PART_SIDE } part;

typedef struct intersection {
    const sli_path *path;
    sli_ball ball[2]; /* about p and q */
    sli_number axis[3], axis2, cross[3], radius2;
    sli_quadratic side;
    sli_number height[2]; /* of the origin above the planes at p and q: from . axis */
    sli_number climb;     /* dir . axis */
} intersection;

static void ray_capsule_make(const sli_path *path, const sl_capsule *capsule, bool exact,
                             intersection *m)
{
    m->path = path;
    sli_ball_make(path, capsule->p, capsule->radius, exact, &m->ball[0]);
    sli_ball_make(path, capsule->q, capsule->radius, exact, &m->ball[1]);
    const sli_ball *ball = &m->ball[0];
    sli_number_diff3(capsule->q, capsule->p, exact, m->axis);
    sli_number_mul(&ball->radius, &ball->radius, &m->radius2);
    sli_number_dot(m->axis, m->axis, &m->axis2);
    sli_number_cross(ball->dir, m->axis, m->cross);
    sli_number_dot(ball->dir, m->axis, &m->climb);
    sli_number_dot(m->ball[0].from, m->axis, &m->height[0]);
    sli_number_dot(m->ball[1].from, m->axis, &m->height[1]);
    sli_number moment[3], reach, apart;
    sli_number_cross(ball->from, m->axis, moment);
    sli_number_dot(m->cross, m->cross, &m->side.a);
    sli_number_dot(moment, m->cross, &m->side.b);
    sli_number_dot(moment, moment, &m->side.c);
    sli_number_mul(&m->radius2, &m->axis2, &reach);
    sli_number_sub(&m->side.c, &reach, &m->side.c);
    sli_number_dot(ball->from, m->cross, &apart);
    sli_number_mul(&apart, &apart, &apart);
    sli_number_mul(&m->radius2, &m->side.a, &m->side.part);
    sli_number_sub(&m->side.part, &apart, &m->side.part);
    m->side.scale = m->axis2;
}

/* The sign of a root of the side minus the t of the plane at an end; climb is not 0. */
static int order_to_plane(const intersection *m, sli_root root, int end, bool *unsure)
{
    const sli_ball *ball = &m->ball[end];
    sli_number moment[3], g[3], square, reach, slope;
    sli_number_cross(ball->from, ball->dir, moment);
    sli_number_cross(m->axis, moment, g);
    sli_number_dot(g, g, &square);
    sli_number_mul(&m->climb, &m->climb, &reach);
    sli_number_mul(&reach, &m->radius2, &reach);
    sli_number_sub(&square, &reach, &square);
    sli_number_dot(ball->dir, g, &slope);
    return sli_root_order(root, sli_number_sign(&square, unsure),
                          sli_number_sign(&slope, unsure) * sli_number_sign(&m->climb, unsure));
}

/* The part whose surface the line crosses if it crosses any, given which root of the side it is. */
static part part_at(const intersection *m, sli_root root, bool *unsure)
{
    const int climb = sli_number_sign(&m->climb, unsure);
    for (int end = 0; end < 2; end++) {
        const int above = climb != 0 ? climb * order_to_plane(m, root, end, unsure)
                                     : sli_number_sign(&m->height[end], unsure);
        if (end == 0 ? above < 0 : above > 0) {
            return (part)end;
        }
    }
    return PART_SIDE;
}

static bool is_zero(const sli_number v[3], bool *unsure)
{
    return sli_number_sign(&v[0], unsure) == 0 && sli_number_sign(&v[1], unsure) == 0 &&
           sli_number_sign(&v[2], unsure) == 0;
}

static const sli_quadratic *quadratic_of(const intersection *m, part at)
{
    return at == PART_SIDE ? &m->side : &m->ball[at].q;
}

/* For a path of zero length only its distance counts: from p, from q or from the axis. */
static bool find_still(const intersection *m, sli_round_span *span, bool *unsure)
{
    const part at = sli_number_sign(&m->axis2, unsure) == 0       ? PART_P
                    : sli_number_sign(&m->height[0], unsure) <= 0 ? PART_P
                    : sli_number_sign(&m->height[1], unsure) >= 0 ? PART_Q
                                                                  : PART_SIDE;
    const int outside = sli_number_sign(&quadratic_of(m, at)->c, unsure);
    *span = (sli_round_span){ NULL, NULL, outside < 0 };
    return outside <= 0;
}

/* Finds the parts where the line enters and leaves; false for a miss. */
static bool find_parts(const intersection *m, part *entry, part *leave, bool *interior,
                       bool *unsure)
{
    *entry = *leave = PART_P;
    *interior = true;
    if (is_zero(m->axis, unsure)) {
        return sli_number_sign(&m->ball[0].q.part, unsure) >= 0;
    }
    if (is_zero(m->cross, unsure)) {
        const int outside = sli_number_sign(&m->side.c, unsure);
        const bool up = sli_number_sign(&m->climb, unsure) > 0;
        *entry = up ? PART_P : PART_Q;
        *leave = up ? PART_Q : PART_P;
        *interior = outside < 0; /* 0: the line runs along the side */
        return outside <= 0;
    }
    if (sli_number_sign(&m->side.part, unsure) < 0) {
        return false;
    }
    *entry = part_at(m, SLI_ROOT_ENTRY, unsure);
    if (*entry != PART_SIDE && sli_number_sign(&m->ball[*entry].q.part, unsure) < 0) {
        return false;
    }
    *leave = part_at(m, SLI_ROOT_EXIT, unsure);
    return true;
}

/* The line passes the axis at f . x / |x| along x / |x|; from there it is sqrt(part) / |x| to the
 * crossing, across the axis and x. */
static void side_normal(const intersection *m, sli_root root, float normal[3], bool *unsure)
{
    normal[0] = normal[1] = normal[2] = 0;
    if (m->radius2.value == 0) {
        return;
    }
    sli_number apart, across[3], along[3], reach, length, size;
    sli_number_dot(m->ball[0].from, m->cross, &apart);
    sli_number_cross(m->axis, m->cross, along);
    for (int axis = 0; axis < 3; axis++) {
        sli_number_mul(&apart, &m->cross[axis], &across[axis]);
    }
    sli_number_sqrt(&m->side.part, &reach);
    sli_number_turn(&reach, (int)root);
    sli_number_sqrt(&m->axis2, &length);
    sli_number_div(&reach, &length, &reach);
    sli_number_mul(&m->ball[0].radius, &m->side.a, &size);
    sli_number_normal(across, along, &reach, &size, normal, unsure);
}

int sli_path_capsule(sli_path *path, const void *volume, sl_start_inside inside, bool exact,
                     void *hit, bool *unsure)
{
    const sl_capsule *capsule = volume;
    sl_round_hit *out = hit;
    if (!sli_capsule_is_valid(capsule)) {
        return 0;
    }
    intersection m;
    ray_capsule_make(path, capsule, exact, &m);
    sli_round_span span;
    part entry = PART_P, leave = PART_P;
    if (is_zero(m.ball[0].dir, unsure)) {
        if (!find_still(&m, &span, unsure)) {
            return false;
        }
    } else {
        bool interior;
        if (!find_parts(&m, &entry, &leave, &interior, unsure)) {
            return false;
        }
        span = (sli_round_span){ quadratic_of(&m, entry), quadratic_of(&m, leave), interior };
    }
    sli_round_clip clip;
    if (!sli_round_clip_span(path, &span, inside, &clip, unsure)) {
        return false;
    }
    if (out == NULL) {
        return true;
    }
    sli_round_fill(path, &span, &clip, out, unsure);
    const part at = clip.at_end ? leave : entry;
    const sli_root root = clip.at_end ? SLI_ROOT_EXIT : SLI_ROOT_ENTRY;
    if ((clip.at_end || clip.entry) && at == PART_SIDE) {
        side_normal(&m, root, out->normal, unsure);
    } else if (clip.at_end || clip.entry) {
        sli_ball_normal(&m.ball[at], root, out->normal, unsure);
    }
    return true;
}
