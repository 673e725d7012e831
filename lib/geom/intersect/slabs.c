/* Paths against boxes of any orientation, given as slabs: ray_obb.c and ray_unit_cube.c make these.
 * Source   Kay and Kajiya, Ray Tracing Complex Scenes (1986). */
#include "lib/geom/intersect/slabs.h"

/* A point of the path: t = n / d on a face of a slab, or a limit t, which may be infinite. */
typedef struct slab_point {
    const sli_number *n, *d;
    int sign; /* of d */
    int slab; /* AT_LIMIT for a limit */
    double t; /* of a limit */
} slab_point;

enum { AT_LIMIT = -1 };

typedef struct clip {
    const sli_slabs *slabs;
    sli_number near_n[SLI_SLABS_MAX], far_n[SLI_SLABS_MAX], first_n, last_n, one;
    int sign[SLI_SLABS_MAX]; /* of along */
    slab_point first, last, begin, end;
    bool inside; /* the path starts in the interior */
} clip;

/* The sign of the t of a minus the t of b. */
static int slabs_compare(const slab_point *a, const slab_point *b, bool *unsure)
{
    const bool a_infinite = a->slab == AT_LIMIT && isinf(a->t);
    const bool b_infinite = b->slab == AT_LIMIT && isinf(b->t);
    if (a_infinite || b_infinite) {
        const int sign_a = a_infinite ? (a->t > 0 ? 1 : -1) : 0;
        const int sign_b = b_infinite ? (b->t > 0 ? 1 : -1) : 0;
        return (sign_a > sign_b) - (sign_a < sign_b);
    }
    sli_number left, right;
    sli_number_mul(a->n, b->d, &left);
    sli_number_mul(b->n, a->d, &right);
    sli_number_sub(&left, &right, &left);
    return sli_number_sign(&left, unsure) * a->sign * b->sign;
}

static slab_point limit_at(const clip *c, double t, sli_number *n)
{
    sli_number_set(isinf(t) ? 0 : t, true, n);
    return (slab_point){ n, &c->one, 1, AT_LIMIT, t };
}

/* Clips to slab i.  At equal t, a face wins over a limit, and an earlier slab over a later one. */
static void clip_slab(clip *c, int i, bool *unsure)
{
    const sli_slab *slab = &c->slabs->slab[i];
    const int order = -c->sign[i]; /* for a positive sign it enters at (-reach - at) / along */
    sli_number_sum(&slab->reach, &slab->at, -order, &c->near_n[i]);
    sli_number_turn(&c->near_n[i], order);
    sli_number_sum(&slab->reach, &slab->at, order, &c->far_n[i]);
    sli_number_turn(&c->far_n[i], -order);
    const slab_point in = { &c->near_n[i], &slab->along, c->sign[i], i, 0 };
    const slab_point out = { &c->far_n[i], &slab->along, c->sign[i], i, 0 };
    const int later = slabs_compare(&in, &c->begin, unsure),
              earlier = -slabs_compare(&out, &c->end, unsure);
    if (later > 0 || (later == 0 && c->begin.slab == AT_LIMIT)) {
        c->begin = in;
    }
    if (earlier > 0 || (earlier == 0 && c->end.slab == AT_LIMIT)) {
        c->end = out;
    }
}

/* Where a path parallel to the slab lies: 1 outside, 0 on a face, -1 strictly between the faces. */
static int slabs_outside(const sli_slab *slab, bool *unsure)
{
    sli_number above, below;
    sli_number_sub(&slab->at, &slab->reach, &above);
    sli_number_add(&slab->at, &slab->reach, &below);
    const int up = sli_number_sign(&above, unsure), down = -sli_number_sign(&below, unsure);
    return up > down ? up : down;
}

static bool clip_all(const sli_path *path, const sli_slabs *slabs, clip *c, bool *unsure)
{
    c->slabs = slabs;
    sli_number_set(1, true, &c->one);
    c->first = c->begin = limit_at(c, path->tmin, &c->first_n);
    c->last = c->end = limit_at(c, path->tmax, &c->last_n);
    bool between = true; /* strictly between the faces of the slabs that the path is parallel to */
    for (int i = 0; i < slabs->count; i++) {
        c->sign[i] = sli_number_sign(&slabs->slab[i].along, unsure);
        if (c->sign[i] != 0) {
            clip_slab(c, i, unsure);
            continue;
        }
        const int side = slabs_outside(&slabs->slab[i], unsure);
        if (side > 0) {
            return false;
        }
        between = between && side < 0;
    }
    if (slabs_compare(&c->begin, &c->end, unsure) > 0) {
        return false;
    }
    const bool leaves_later =
        c->end.slab == AT_LIMIT || slabs_compare(&c->end, &c->first, unsure) > 0;
    c->inside = c->begin.slab == AT_LIMIT && between && leaves_later;
    return true;
}

static float round_t(const slab_point *p, bool *unsure)
{
    return p->slab == AT_LIMIT ? (float)p->t + 0.0f : sli_number_round_ratio(p->n, p->d, unsure);
}

/* The face that the path crosses there, entering or leaving; none for a limit. */
static sl_box_face face_at(const clip *c, const slab_point *p, bool entry)
{
    const int axis = p->slab == AT_LIMIT ? -1 : c->slabs->slab[p->slab].axis;
    return axis < 0 ? SL_BOX_FACE_NONE : (sl_box_face)(2 * axis + ((p->sign > 0) != entry));
}

static void fill_normal(const clip *c, const slab_point *p, bool entry, float normal[3],
                        bool *unsure)
{
    const sli_number *across = c->slabs->slab[p->slab].normal;
    sli_number none, length;
    sli_number_set(0, false, &none);
    sli_number_dot(across, across, &length);
    sli_number_sqrt(&length, &length);
    sli_number_turn(&length, entry ? -p->sign : p->sign);
    sli_number_normal(across, across, &none, &length, normal, unsure);
}

static void slabs_fill(const sli_path *path, const clip *c, bool at_end, sl_obb_hit *hit,
                       bool *unsure)
{
    slab_point at = at_end ? c->end : c->begin;
    *hit = (sl_obb_hit){ .t0 = round_t(&c->begin, unsure),
                         .t1 = round_t(&c->end, unsure),
                         .entry = face_at(c, &c->begin, true),
                         .exit = face_at(c, &c->end, false),
                         .inside = c->inside };
    hit->face = at_end ? hit->exit : hit->entry;
    sli_number zero;
    if (at.slab == AT_LIMIT && isinf(at.t)) {
        /* t0 is -inf: the path is a point or the box is unbounded. */
        sli_number_set(0, true, &zero);
        at = hit->t1 < 0 ? c->end : (slab_point){ &zero, &c->one, 1, AT_LIMIT, 0 };
    }
    hit->t = round_t(&at, unsure);
    sli_path_point(path, at.n, at.d, hit->point, unsure);
    if (hit->face != SL_BOX_FACE_NONE) {
        fill_normal(c, &at, !at_end, hit->normal, unsure);
    }
}

bool sli_path_slabs(const sli_path *path, const sli_slabs *slabs, sl_start_inside inside,
                    sl_obb_hit *hit, bool *unsure)
{
    clip c;
    if (!clip_all(path, slabs, &c, unsure)) {
        return false;
    }
    const bool at_end = c.inside && inside == SL_INSIDE_HOLLOW;
    if ((c.inside && inside >= SL_INSIDE_IGNORE) || (at_end && c.end.slab == AT_LIMIT)) {
        return false;
    }
    if (hit != NULL) {
        slabs_fill(path, &c, at_end, hit, unsure);
    }
    return true;
}
