/* Contacts of a shape that moves through instances: triangles get their corners in the world, where
 * the exact test decides.  Of balls the decision is put off until nothing else can make it
 * needless.  For sweep/walk.inl. */
#pragma once

#include "bvh/kernel/sweep/ball.inl"
#include "lib/geom/sweep/sweep.h"

/* A triangle that the shape surely comes to, whose contact is decided when nothing else can make
 * that needless. */
typedef struct sweep_deferred {
    double t, late; /* the contact is not before t, nor after late */
    const sli_transformed *transformed;
    sl_triangle_ref triangle;
    float x[3][3];
} sweep_deferred;

enum { SWEEP_DEFERRED_MAX = 8 };

typedef struct sweep_walk {
    world_walk s; /* whose best is that of contact */
    const sli_world_sweep *sweep;
    sweep_space space; /* of the present instance */
    sweep_stack stack;
    bool overlaps; /* best surely overlaps at the start; its contact is to be found yet */
    sweep_deferred overlapped;
    uint32_t deferred_count;
    sweep_deferred deferred[SWEEP_DEFERRED_MAX];
    sl_contact contact;
    double corner[3][3];    /* of its triangle */
    sli_take_contact *take; /* all */
    void *context;
} sweep_walk;

/* Which side of a triangle the motion meets: -1 the front, 1 the back, 0 neither. */
static int sweep_side(const sweep_walk *w, double v[3][3])
{
    static const double zero[3] = { 0, 0, 0 };
    sli_decision_stage stage = SLI_STAGE_DOUBLE;
    return sli_triple3d(v[0], v[1], v[0], v[2], zero, w->sweep->sweep->dir, &stage);
}

/* Whether the motion meets the side of a triangle that is left out. */
static bool sweep_culls(const sweep_walk *w, double v[3][3])
{
    const sl_cull cull = w->s.ray->cull;
    if (cull == SL_CULL_NONE) {
        return false;
    }
    const int side = sweep_side(w, v);
    return cull == SL_CULL_BACK ? side > 0 : side < 0;
}

static bool sweep_accepts(const sli_world_sweep *sweep, const sl_contact *contact)
{
    const sl_options *options = sweep->options;
    const sl_hit shown = { .t = (float)contact->t,
                           .prim = contact->prim,
                           .instance = contact->instance,
                           .flags = contact->flags };
    return options->filter == NULL || options->filter(options->filter_user, sweep->index, &shown);
}

/* Whether the first contact so far is before any that a triangle may have: of what is met at the
 * start the lowest counts. */
static bool sweep_is_after(const sweep_walk *w, sl_triangle_ref triangle)
{
    const sl_hit_d earliest = { .t = 0, .prim = triangle.prim, .instance = triangle.instance };
    return w->s.best.prim != SL_NONE && sli_hit_d_before(&w->s.best, &earliest);
}

/* The corners of a triangle in the world, with its front where that of the object is. */
static void sweep_world_corners(const sli_transformed *transformed, float x[3][3], double v[3][3])
{
    sli_world_corners(transformed, x, v);
    for (int axis = 0; axis < 3 && transformed->mirrored; axis++) {
        const double second = v[1][axis];
        v[1][axis] = v[2][axis];
        v[2][axis] = second;
    }
}

/* Up to which t a contact with a triangle counts: not at that of the first so far, if that one is
 * lower. */
static double sweep_bound(const sweep_walk *w, sl_triangle_ref triangle)
{
    const double bound = fmin(w->s.t_bound, 1);
    const sl_hit_d same = { .t = bound, .prim = triangle.prim, .instance = triangle.instance };
    const bool ties = w->s.best.prim != SL_NONE && w->s.best.t == bound;
    return ties && sli_hit_d_before(&w->s.best, &same) ? bound * (1 - 0x1p-53) : bound;
}

/* The contact with a triangle that the options leave in, if there is one that counts. */
static bool sweep_contact(sweep_walk *w, const sli_transformed *transformed,
                          sl_triangle_ref triangle, float x[3][3], sl_contact *contact)
{
    double v[3][3];
    if (sweep_is_after(w, triangle)) {
        return false;
    }
    sweep_world_corners(transformed, x, v);
    if (sweep_culls(w, v) || !sli_sweep_triangle(w->sweep->sweep, (const double(*)[3])v,
                                                 sweep_bound(w, triangle), contact)) {
        return false;
    }
    w->s.object.stats.hits++;
    contact->prim = triangle.prim;
    contact->instance = triangle.instance;
    return sweep_accepts(w->sweep, contact);
}

/* Nothing later than t matters any more. */
static void sweep_shrink(sweep_walk *w, double t)
{
    if (t < w->s.t_bound) {
        world_shrink(&w->s, t);
    }
}

/* Keeps a contact with a triangle if it is the first so far. */
static void sweep_keep(sweep_walk *w, const sli_transformed *transformed, float x[3][3],
                       const sl_contact *contact)
{
    const sl_hit_d hit = { .t = contact->t, .prim = contact->prim, .instance = contact->instance };
    if (w->s.best.prim == SL_NONE || sli_hit_d_before(&hit, &w->s.best)) {
        w->s.best = hit;
        w->contact = *contact;
        w->overlaps = false;
        sli_world_corners(transformed, x, w->corner);
        sweep_shrink(w, hit.t);
    }
}

/* Whether a triangle comes after the first contact so far, where a ball touches a plane: it lies
 * beyond that, so it is not met before, and is not the one that counts of two that are met at once.
 * The triangle that is met lies beyond the plane exactly, as do its corners; others have to be
 * farther than the point, the normal and the sums are off by (round.h, 2^-46 of the sizes), and the
 * ball has to come to the plane. */
static bool sweep_is_beyond(const sweep_walk *w, sweep_deferred *d)
{
    const sli_sweep *sweep = w->sweep->sweep;
    const sl_contact *c = &w->contact;
    double v[3][3], size = 0, speed = 0, speeds = 0;
    if (w->s.best.prim == SL_NONE || w->overlaps || c->start != SL_START_APART ||
        d->triangle.instance != c->instance || d->triangle.prim < c->prim) {
        return false;
    }
    for (int axis = 0; axis < 3; axis++) {
        speed += c->normal[axis] * sweep->dir[axis];
        speeds += fabs(sweep->dir[axis]);
        size += fabs(c->point[axis]) + fabs(w->sweep->ray.exact.origin[axis]) + speeds;
    }
    bool beyond = -speed > 0x1p-20 * speeds && speeds < 0x1p20 * w->sweep->radius;
    sli_world_corners(d->transformed, d->x, v);
    for (int i = 0; i < 3 && beyond; i++) {
        double height = 0, sizes = size;
        bool shared = false;
        for (int k = 0; k < 3; k++) {
            shared = shared || memcmp(v[i], w->corner[k], sizeof v[i]) == 0;
            height += c->normal[k] * (v[i][k] - c->point[k]);
            sizes += fabs(v[i][k]);
        }
        beyond = shared || height < -0x1p-36 * sizes;
    }
    return beyond;
}

/* The earliest of what was deferred, or, of those that may be met at the same t, the lowest: the
 * others need not be decided then. */
static sweep_deferred *sweep_next_deferred(sweep_walk *w)
{
    sweep_deferred *first = &w->deferred[0];
    for (uint32_t i = 1; i < w->deferred_count; i++) {
        first = w->deferred[i].t < first->t ? &w->deferred[i] : first;
    }
    const double late = fmin(first->t + 0.25 * (first->late - first->t), w->s.t_most);
    for (uint32_t i = 0; i < w->deferred_count; i++) {
        sweep_deferred *d = &w->deferred[i];
        first = d->t <= late && d->triangle.prim < first->triangle.prim ? d : first;
    }
    return first;
}

/* Decides what was deferred, as far as that matters. */
static SLI_NOINLINE void sweep_decide_deferred(sweep_walk *w)
{
    while (w->deferred_count > 0) {
        sweep_deferred *d = sweep_next_deferred(w);
        sl_contact contact;
        if (d->t > w->s.t_most) {
            break;
        }
        if (!sweep_is_beyond(w, d) &&
            sweep_contact(w, d->transformed, d->triangle, d->x, &contact)) {
            sweep_keep(w, d->transformed, d->x, &contact);
        }
        *d = w->deferred[--w->deferred_count];
    }
    w->deferred_count = 0;
}

/* Finds the contact with what overlaps at the start, if that is the first. */
static SLI_NOINLINE void sweep_decide_overlap(sweep_walk *w)
{
    if (w->overlaps) {
        (void)sweep_contact(w, w->overlapped.transformed, w->overlapped.triangle, w->overlapped.x,
                            &w->contact);
    }
}

/* Keeps a lane that overlaps at the start, as the first so far. */
static void sweep_keep_overlap(sweep_walk *w, const sli_tri_pack *pack, int lane,
                               sl_triangle_ref triangle)
{
    w->overlaps = true;
    w->overlapped.transformed = w->s.transformed;
    w->overlapped.triangle = triangle;
    sli_pack_corners(pack, lane, w->overlapped.x);
    w->s.best = (sl_hit_d){ .t = 0, .prim = triangle.prim, .instance = triangle.instance };
    sweep_shrink(w, 0);
}

/* Defers a lane whose contact lies surely in from .. by. */
static void sweep_defer(sweep_walk *w, const sli_tri_pack *pack, int lane, sl_triangle_ref triangle,
                        float from, float by)
{
    const sweep_space *s = &w->space;
    if (w->deferred_count == SWEEP_DEFERRED_MAX) {
        sweep_decide_deferred(w);
    }
    sweep_deferred *d = &w->deferred[w->deferred_count++];
    const double size = (fabs((double)by) + fabs(s->shift)) * 0x1p-50;
    d->t = ((double)from + s->shift - size) / s->scale * (1 - 0x1p-50);
    d->late = ((double)by + s->shift + size) / s->scale * (1 + 0x1p-50);
    d->transformed = w->s.transformed;
    d->triangle = triangle;
    sli_pack_corners(pack, lane, d->x);
    sweep_shrink(w, d->late);
}
