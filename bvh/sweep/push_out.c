/* A way out of what a sphere or capsule overlaps: sl_bvh_push_out of sweep.h.
 *
 * What overlaps is decided as by a sweep without motion that ignores what only touches.  Again and
 * again the shape moves away from the triangle that it would have to move farthest to leave, by the
 * least that takes it to the near side of the plane across the contact's normal, and a little more.
 * In corners that comes to an end as alternating projections do: quickly, unless they are narrow.
 * Where it does not, a few directions and distances are tried, and a free place that is found is
 * drawn near by a sweep back.  All that is chosen follows from exact contacts, so that neither the
 * tree nor the number of workers matters.
 * Source   projections onto convex sets: Bregman, The Method of Successive Projection (1965). */
#include "bvh/sweep/prepare.h"

#include "lib/geom/exact/arithmetic/vector.h"

#include <string.h>

enum { TURNS = 48, DISTANCES = 8 };

typedef struct push {
    const sl_bvh *bvh;
    const sl_options *options;
    const sl_volume_d *volume;
    double max_distance;
    double radius, ends[2][3]; /* of the shape where it is now; a sphere's are equal */
    /* The contact from which it has farthest to go, and how far. */
    sl_contact deepest;
    double depth, normal[3];
    sli_prepared_sweep s; /* the present one: two would be too much for the stack */
} push;

/* Moves the shape by offset, each coordinate rounded, and makes it a sweep by dir.  False: it is
 * invalid there. */
static bool push_prepare(push *p, const double offset[3], const double dir[3])
{
    sl_sweep_d moved = { .volume = *p->volume, .touching = SL_START_IGNORE };
    const bool sphere = moved.volume.kind == SL_VOLUME_SPHERE;
    sl_capsule_d *capsule = &moved.volume.shape.capsule;
    double *first = sphere ? moved.volume.shape.sphere.centre : capsule->p;
    double *second = sphere ? first : capsule->q;
    for (int axis = 0; axis < 3; axis++) {
        p->ends[0][axis] = first[axis] + offset[axis];
        p->ends[1][axis] = second[axis] + offset[axis];
        first[axis] = p->ends[0][axis];
        second[axis] = p->ends[1][axis];
        moved.dir[axis] = dir[axis];
    }
    p->radius = sphere ? moved.volume.shape.sphere.radius : capsule->radius;
    return sli_sweep_prepare(&moved, SL_DOUBLE, p->options, 0, &p->s);
}

static bool push_is_free(push *p, const double offset[3])
{
    static const double still[3] = { 0, 0, 0 };
    return sli_norm(offset) <= p->max_distance && push_prepare(p, offset, still) &&
           !p->bvh->kernels->world_sweep_any(&p->bvh->world, &p->s.query, NULL);
}

/* How far the shape has to go along n until it is beyond the plane through a point. */
static double push_depth(const push *p, const double n[3], const double point[3])
{
    double from[3], to[3];
    sli_subtract(p->ends[0], point, from);
    sli_subtract(p->ends[1], point, to);
    return p->radius - fmin(sli_dot(n, from), sli_dot(n, to));
}

/* Keeps the deepest contact.  Where the axis goes through a triangle either side is a way out. */
static void push_take(void *context, const sl_contact *contact)
{
    push *p = context;
    double n[3] = { contact->normal[0], contact->normal[1], contact->normal[2] };
    const double turned[3] = { -n[0], -n[1], -n[2] };
    double depth = push_depth(p, n, contact->point);
    const double other = push_depth(p, turned, contact->point);
    if (depth > p->radius && other < depth) {
        memcpy(n, turned, sizeof n);
        depth = other;
    }
    const bool is_before = contact->instance != p->deepest.instance
                               ? contact->instance < p->deepest.instance
                               : contact->prim < p->deepest.prim;
    if (p->deepest.prim == SL_NONE || depth > p->depth || (depth == p->depth && is_before)) {
        p->deepest = *contact;
        p->depth = depth;
        memcpy(p->normal, n, sizeof n);
    }
}

/* Leaves the deepest contact, until there is none; false: too far, or too often. */
static bool push_by_contacts(push *p, double offset[3])
{
    static const double still[3] = { 0, 0, 0 };
    for (int turn = 0; turn < TURNS; turn++) {
        double size = 0;
        if (!(sli_norm(offset) <= p->max_distance) || !push_prepare(p, offset, still)) {
            return false;
        }
        p->deepest.prim = SL_NONE;
        if (p->bvh->kernels->world_sweep_all(&p->bvh->world, &p->s.query, push_take, p, NULL) ==
            0) {
            return true;
        }
        for (int axis = 0; axis < 3; axis++) {
            size = fmax(size, fmax(fabs(p->ends[0][axis]), fabs(p->ends[1][axis])));
        }
        /* More than what is rounded on the way; and growing, so that narrow corners have an end. */
        const double more = p->depth * 0x1p-24 * (1 << turn / 4) + (size + p->radius) * 0x1p-48;
        for (int axis = 0; axis < 3; axis++) {
            offset[axis] += p->normal[axis] * (p->depth + more);
        }
    }
    return false;
}

/* The same place, as near as a sweep back says; *offset is free and stays so. */
static void push_draw_near(push *p, double offset[3])
{
    const double back[3] = { -offset[0], -offset[1], -offset[2] };
    sl_contact contact = { .t_safe = 1 };
    double near[3];
    if (!push_prepare(p, offset, back)) {
        return;
    }
    (void)p->bvh->kernels->world_sweep_first(&p->bvh->world, &p->s.query, &contact, NULL);
    for (double more = 0x1p-40; more < 1; more *= 16) {
        for (int axis = 0; axis < 3; axis++) {
            near[axis] = offset[axis] * (1 - fmax(contact.t_safe - more, 0));
        }
        if (push_is_free(p, near)) {
            memcpy(offset, near, sizeof near);
            return;
        }
    }
}

/* Tries the directions of a cube's faces, edges and corners, and ever longer distances. */
static bool push_by_trial(push *p, double offset[3])
{
    const double along[3] = { p->ends[1][0] - p->ends[0][0], p->ends[1][1] - p->ends[0][1],
                              p->ends[1][2] - p->ends[0][2] };
    const double most = fmin(p->max_distance, 256 * (p->radius + sli_norm(along)));
    for (int k = DISTANCES - 1; k >= 0; k--) {
        for (int direction = 0; direction < 27; direction++) {
            double to[3] = { (double)(direction % 3 - 1), (double)(direction / 3 % 3 - 1),
                             (double)(direction / 9 - 1) };
            const double length = sli_norm(to);
            for (int axis = 0; axis < 3; axis++) {
                offset[axis] = to[axis] / fmax(length, 1) * most * ldexp(1 - 0x1p-50, -k);
            }
            if (length > 0 && push_is_free(p, offset)) {
                push_draw_near(p, offset);
                return true;
            }
        }
    }
    return false;
}

static SLI_NOINLINE bool push_out(push *p, double offset[3])
{
    double found[3] = { 0, 0, 0 };
    static const double still[3] = { 0, 0, 0 };
    if (!(p->max_distance >= 0) || !push_prepare(p, still, still)) {
        return false;
    }
    if (!push_by_contacts(p, found) && !push_by_trial(p, found)) {
        return false;
    }
    memcpy(offset, found, sizeof found);
    return true;
}

bool sl_bvh_push_out(const sl_bvh *bvh, const sl_volume_d *volume, double max_distance,
                     const sl_options *options, double offset[3])
{
    push p = { .bvh = bvh,
               .options = options != NULL ? options : &sli_everything,
               .volume = volume,
               .max_distance = max_distance };
    return (volume->kind == SL_VOLUME_SPHERE || volume->kind == SL_VOLUME_CAPSULE) &&
           SLI_IN_FPENV(push_out(&p, offset));
}
